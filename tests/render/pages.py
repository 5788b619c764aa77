"""Writes every kind of letter in every language, as it is sent and as a page to look at.

`python -m tests.render.pages FOLDER` writes them, as `make demo` does; with `--shots` Chromium
takes a picture of each at the width of a phone and of a desktop, light and dark.
"""

import argparse
import base64
import subprocess
from pathlib import Path

from judge.mail import OutgoingLetter, compose
from judge.mail.composing import Picture
from judge.render import Reply, languages, png_of, render_letter
from tests.render import samples as s
from tests.render.kinds import LETTERS, zone_of

REPLY_TO = "judge+abcdefghijklmnop@example.test"

WIDTHS = {"phone": 390, "desktop": 1000}
HEIGHT = 2400
FRAME = """<meta charset="utf-8"><meta name="color-scheme" content="light dark">
<body style="margin:0"><iframe src="{page}" style="width:{width}px;height:{height}px;border:0">"""


def write_letters(folder: Path) -> list[Path]:
    """Each letter as `<language>/<kind>.eml`; of those with HTML the page, its pictures in it."""
    pages = []
    for language in languages():
        (folder / language).mkdir(parents=True, exist_ok=True)
        for name, (messages, zone) in LETTERS.items():
            letter = render_letter(
                messages,
                language=language,
                zone=zone_of(language, zone),
                judge_name="Judge",
                kind="results",
                reply=Reply(REPLY_TO),
            )
            drawn = [(file, png_of(request), cid) for file, request, cid in letter.pictures]
            whole = OutgoingLetter(
                message_id=f"{name}.{language}@example.test",
                from_name="Judge",
                from_address="judge@example.test",
                recipient="chloe@example.test",
                reply_to=REPLY_TO,
                subject=letter.subject,
                text=letter.text,
                html=letter.html,
                in_reply_to=None,
                references=(),
                date=s.at(3, 16),
                pictures=tuple(Picture(*one) for one in drawn),
            )
            path = folder / language / name
            path.with_suffix(".eml").write_bytes(compose(whole))
            if (html := letter.html) is None:
                continue
            for _, data, cid in drawn:
                shown = base64.b64encode(data).decode()
                html = html.replace(f"cid:{cid}", f"data:image/png;base64,{shown}")
            pages.append(path.with_suffix(".html"))
            pages[-1].write_text(html, encoding="utf-8")
    return pages


def take_shots(page: Path) -> None:
    """A narrow window is not to be had of Chromium: the page stands in a frame."""
    for device, width in WIDTHS.items():
        frame = page.with_suffix(".frame.html")
        frame.write_text(FRAME.format(page=page.name, width=width, height=HEIGHT))
        for light in (1, 0):
            shot = page.with_name(f"{page.stem}-{device}{'' if light else '-dark'}.png")
            options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
            subprocess.run(
                [
                    "chromium",
                    *options,
                    "--allow-file-access-from-files",
                    f"--window-size={width},{HEIGHT}",
                    f"--blink-settings=preferredColorScheme={light}",
                    f"--screenshot={shot}",
                    frame.as_uri(),
                ],
                check=True,
                capture_output=True,
                timeout=60,
            )
        frame.unlink()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--shots", action="store_true")
    asked.add_argument("--only", default="", help="letters with this in their name")
    told = asked.parse_args()
    pages = write_letters(told.folder.resolve())
    print(f"{len(LETTERS)} kinds of letters in {len(languages())} languages: {told.folder}")
    for page in pages:
        if told.shots and told.only in page.stem:
            take_shots(page)


if __name__ == "__main__":
    main()
