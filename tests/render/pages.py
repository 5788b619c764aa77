"""Writes every kind of letter in every language as a page to look at, its pictures in it.

`python -m tests.render.pages FOLDER` writes them; with `--shots` Chromium takes a picture of each
at the width of a phone and of a desktop, light and dark.
"""

import argparse
import base64
import subprocess
from pathlib import Path

from judge.render import Reply, png_of, render_letter
from judge.render.catalogue import languages
from tests.render.test_letters import LETTERS

WIDTHS = {"phone": 390, "desktop": 1000}
HEIGHT = 2400
FRAME = """<meta charset="utf-8"><meta name="color-scheme" content="light dark">
<body style="margin:0"><iframe src="{page}" style="width:{width}px;height:{height}px;border:0">"""


def write_pages(folder: Path) -> list[Path]:
    """The pages of all letters that have HTML, in the order of their names."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, (messages, zone) in sorted(LETTERS.items()):
        for language in languages():
            letter = render_letter(
                messages,
                language=language,
                zone=zone,
                judge_name="Judge",
                kind="results",
                reply=Reply("judge+abcdefghijklmnop@example.test"),
            )
            if (html := letter.html) is None:
                continue
            for _, request, cid in letter.pictures:
                data = base64.b64encode(png_of(request)).decode()
                html = html.replace(f"cid:{cid}", f"data:image/png;base64,{data}")
            written.append(folder / f"{name}-{language}.html")
            written[-1].write_text(html, encoding="utf-8")
    return written


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
    for page in write_pages(told.folder.resolve()):
        if told.shots and told.only in page.stem:
            take_shots(page)


if __name__ == "__main__":
    main()
