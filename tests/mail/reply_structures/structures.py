"""Replies as mail programs of 43 languages build them, and how well they are read.

`python -m tests.mail.reply_structures.structures` prints the score of both halves. The structures
are split by a fixed seed: rules are written with a look at the known half alone.
"""

import argparse
import html
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from judge.mail import Letter, read_letter

FOLDER = Path(__file__).parent
WHO, MAIL = "Judge", "judge+abcdefghijklmnop@judge.example"
OWN_ADDRESSES = frozenset({"judge@judge.example"})
RECEIVED = datetime(2026, 12, 4, tzinfo=UTC)
SEED = 1901
HALVES = ("known", "held_out")

Build = Callable[[str, str], str]  # the writer's words and the judge's letter become the whole


@dataclass(frozen=True, slots=True)
class Structure:
    """One way in which a program puts a reply together."""

    name: str
    build: Build
    is_html: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of one letter: lines of the writer that are lost, lines of the judge taken."""

    structure: str
    body: str
    lost: tuple[str, ...]
    taken: tuple[str, ...]
    is_exact: bool


# --- the structures -------------------------------------------------------------------------------


@cache
def structures() -> tuple[Structure, ...]:
    found = [*_of_languages(), *_of_programs()]
    assert len({one.name for one in found}) == len(found)
    return tuple(found)


def half(name: str) -> tuple[Structure, ...]:
    """The known or the held-out half."""
    names = sorted(one.name for one in structures())
    known = set(random.Random(SEED).sample(names, len(names) // 2))
    return tuple(one for one in structures() if (one.name in known) == (name == "known"))


def _of_languages() -> Iterator[Structure]:
    for language, told in _table("languages.toml").items():
        for program in ("gmail", "apple", "thunderbird"):
            introduction = _filled(told[program])
            name = f"{language}-{program}"
            yield Structure(f"{name}-above", _above(f"\n{introduction}\n\n", _marked))
            yield Structure(f"{name}-tight", _above(f"{introduction}\n", _marked))
            yield Structure(f"{name}-below", _below(f"{introduction}\n", _marked))
            yield Structure(f"{name}-between", _between(introduction))
            yield Structure(f"{name}-unmarked", _above(f"\n{introduction}\n\n", str))
            if f" <{MAIL}>" in introduction:
                broken = introduction.replace(f" <{MAIL}>", f"\n<{MAIL}>")
                yield Structure(f"{name}-broken", _above(f"\n{broken}\n\n", _marked))
                yield Structure(f"{name}-broken-unmarked", _above(f"\n{broken}\n\n", str))
        sender, sent, to, subject, date = told["outlook"]
        values = (f"{WHO} <{MAIL}>", date, "Ann <ann@mail.example>", "[judge] balkan S1901M")
        labels = (sender, sent, to, subject)
        headers = "\n".join(f"{one}: {value}" for one, value in zip(labels, values, strict=True))
        starred = "\n".join(f"*{one}:* {value}" for one, value in zip(labels, values, strict=True))
        divider = f"-----{told['original']}-----"
        forwarded = f"---------- {told['forwarded']} ---------"
        yield Structure(f"{language}-outlook", _above(f"\n{headers}\n\n", str))
        yield Structure(f"{language}-outlook-tight", _above(f"{headers}\n\n", str))
        yield Structure(f"{language}-outlook-marked", _above(f"\n{headers}\n\n", _marked))
        yield Structure(f"{language}-outlook-starred", _above(f"\n{starred}\n\n", str))
        yield Structure(f"{language}-outlook-rule", _above(f"\n{'_' * 32}\n{headers}\n\n", str))
        yield Structure(f"{language}-outlook-divider", _above(f"\n{divider}\n{headers}\n\n", str))
        yield Structure(f"{language}-divider", _above(f"\n{divider}\n", str))
        yield Structure(f"{language}-divider-marked", _above(f"\n{divider}\n", _marked))
        yield Structure(f"{language}-divider-below", _below(f"{divider}\n", _marked))
        yield Structure(f"{language}-forward", _above(f"\n{forwarded}\n{headers}\n\n", str))
        begins = f"\n{told['begins']}\n\n{_marked(headers)}\n"
        yield Structure(f"{language}-begins", _above(begins, _marked))
        yield Structure(f"{language}-begins-below", _below(begins.lstrip("\n"), _marked))
        with_phone = f"\n{told['phone']}\n\n{_filled(told['apple'])}\n\n"
        yield Structure(f"{language}-phone", _above(with_phone, _marked))
        yield from _of_html(language, told, labels, values)


def _of_html(
    language: str, told: dict[str, Any], labels: tuple[str, ...], values: tuple[str, ...]
) -> Iterator[Structure]:
    def page(before: str, after: str) -> Build:
        return lambda own, quoted: (
            f"<html><body>{_blocks(own)}{before}{_blocks(quoted)}{after}</body></html>"
        )

    escaped = [html.escape(value) for value in values]
    headers = "<br>".join(
        f"<b>{one}:</b> {value}" for one, value in zip(labels, escaped, strict=True)
    )
    gmail, apple = html.escape(_filled(told["gmail"])), html.escape(_filled(told["apple"]))
    wrote = html.escape(_filled(told["thunderbird"]))
    forms = {
        "gmail": (
            f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{gmail}<br></div>'
            '<blockquote class="gmail_quote" style="border-left:1px solid">',
            "</blockquote></div>",
        ),
        "gmail-forward": (
            '<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- '
            f"{told['forwarded']} ---------<br>{headers}<br></div><br><br>",
            "</div>",
        ),
        "apple": (
            f'<div><br><blockquote type="cite"><div>{apple}</div><br></blockquote></div>'
            '<blockquote type="cite">',
            "</blockquote>",
        ),
        "thunderbird": (
            f'<div class="moz-cite-prefix">{wrote}<br></div><blockquote type="cite" cite="mid:x">',
            "</blockquote>",
        ),
        "outlook": (
            '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm">'
            f'<p class="MsoNormal">{headers}</p></div></div><p>&nbsp;</p>',
            "",
        ),
        "outlook-web": (
            '<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">'
            f"<font>{headers}</font><div>&nbsp;</div></div>",
            "",
        ),
        "plain-headers": (f"<br><div>{headers}</div><br>", ""),
    }
    for name, (before, after) in forms.items():
        yield Structure(f"{language}-html-{name}", page(before, after), is_html=True)


def _of_programs() -> Iterator[Structure]:
    for program, told in _table("programs.toml").items():
        introduction = "\n".join(_filled(line) for line in told["lines"]) + "\n"
        if "marked" in told["quotes"]:
            yield Structure(f"{program}-marked", _above(f"\n{introduction}", _marked))
            yield Structure(f"{program}-reply-below", _below(introduction, _marked))
        if "below" in told["quotes"]:
            yield Structure(f"{program}-unmarked", _above(f"\n{introduction}", str))


def _above(introduction: str, quote: Callable[[str], str]) -> Build:
    return lambda own, quoted: f"{own}\n{introduction}{quote(quoted)}\n"


def _below(introduction: str, quote: Callable[[str], str]) -> Build:
    return lambda own, quoted: f"{introduction}{quote(quoted)}\n\n{own}\n"


def _between(introduction: str) -> Build:
    def build(own: str, quoted: str) -> str:
        lines = _marked(quoted).split("\n")
        middle = len(lines) // 2
        above, below = "\n".join(lines[:middle]), "\n".join(lines[middle:])
        return f"{introduction}\n{above}\n\n{own}\n\n{below}\n"

    return build


def _marked(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def _blocks(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.split("\n"))


def _filled(line: str) -> str:
    return line.replace("{who}", WHO).replace("{mail}", MAIL)


@cache
def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


# --- the score ------------------------------------------------------------------------------------


def outcomes(
    of: tuple[Structure, ...], read: Callable[[bytes, str], Letter], every: int = 1
) -> Iterator[Outcome]:
    """Every letter, or of so many one, in each structure; `read` gets the bytes and the judge's
    letter that they answer."""
    told = _table("letters.toml")
    quoted = [text.strip("\n") for text in told["quoted"]]
    for number, structure in enumerate(of):
        for turn, own in enumerate(told["own"]):
            if (number + turn) % every:
                continue
            answered = quoted[(number + turn) % len(quoted)]
            raw = _letter(structure, structure.build(own, answered))
            body = read(raw, answered).body
            found, wanted = _lines(body), _lines(own)
            theirs = [line for line in _lines(answered) if line not in wanted]
            yield Outcome(
                structure.name,
                body,
                tuple(line for line in wanted if line not in found),
                tuple(line for line in theirs if line in found),
                found == wanted,
            )


def _letter(structure: Structure, text: str) -> bytes:
    kind = "html" if structure.is_html else "plain"
    return (
        "From: Ann <ann@mail.example>\r\nTo: judge@judge.example\r\nSubject: Re: [judge] balkan\r\n"
        "Message-ID: <one@mail.example>\r\nIn-Reply-To: <abcdefghijklmnop@judge.example>\r\n"
        f"Content-Type: text/{kind}; charset=utf-8\r\n\r\n{text}"
    ).encode()


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def read_alone(raw: bytes, _answered: str) -> Letter:
    """A letter read without the one that it answers."""
    return read_letter(raw, RECEIVED, own_addresses=OWN_ADDRESSES, own_name=WHO)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--half", choices=HALVES, action="append", help="default: both")
    asked.add_argument("--show", type=int, default=0, help="so many letters that are not exact")
    asked.add_argument("--only", default="", help="structures with this in their name")
    told = asked.parse_args()
    for name in told.half or HALVES:
        of = tuple(one for one in half(name) if told.only in one.name)
        found = list(outcomes(of, read_alone))
        wrong = [one for one in found if not one.is_exact]
        lost, taken = sum(bool(one.lost) for one in found), sum(bool(one.taken) for one in found)
        print(
            f"{name}: {len(of)} structures, {len(found)} letters, "
            f"exact {1 - len(wrong) / len(found):.1%}, lost {lost}, quoted taken {taken}"
        )
        for structure, count in Counter(one.structure for one in wrong).most_common(told.show):
            example = next(one for one in wrong if one.structure == structure)
            print(f"--- {structure} {count}\n{example.body}")


if __name__ == "__main__":
    main()
