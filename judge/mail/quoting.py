"""Cuts what a letter only repeats: quoted lines, the letter below, the signature.

Never cuts inside press: what stands between PRESS or BROADCAST and its end is somebody's text,
whatever it looks like. Only short lines, without their runs of spaces, are compared with the words
of mail programs (`grammar/*/mail.toml`): hostile text takes linear time too. Knows nothing of
orders.
"""

import re
from collections.abc import Sequence
from functools import cache

import msgspec

from judge.mail.words import mail_words, words_for

LONGEST_LINE = 300  # characters; a longer line introduces nothing
LONGEST_END = 140  # characters from the verb to the colon
MOST_LINES = 4  # over which a program breaks an introduction at 78 columns
HEADER_WINDOW = 6
HEADERS_OF_BLOCK = 3
SENDER_WINDOW = 8  # lines of a copied header block in which its sender is named
LONGEST_SIGNATURE = 12  # lines below a `--` whose space was lost; more is a letter that goes on
QUOTE_MARKS = (">", "＞", "|")
COLONS = (":", "：")
SIGNATURE = re.compile(r"^(?:--|——|－－)[ \u00a0]?$")
RULE = re.compile(r"[_-]{10,}$")
# Gmail has no verb in Japanese, 2026年12月5日(土) 21:00 Judge <judge@judge.test>:, nor in others.
ADDRESS_AT_END = re.compile(r"<[^<>]{3,160}>\s?[:：]$")
DATE = re.compile(r"\b\d{1,2}[:.]\d{2}\b|\d{4}\s?[年년./-]")
# It tells from whose address or on what day or hour; "In Spring 1901 England wrote:" may be chat.
TELLS = re.compile(
    r"""@ | \d{1,2}[:.h時시]\s?\d{2} | \d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}
      | \d{4}\s?[年년]\s?\d{1,2}\s?[月월]""",
    re.VERBOSE,
)


class _Phrases(msgspec.Struct, frozen=True):
    """What mail programs write in any language, as regular expressions of one squeezed line."""

    introduction: re.Pattern[str]
    opening: re.Pattern[str]  # how an introduction that is broken over lines begins
    divider: re.Pattern[str]
    added: re.Pattern[str]
    press: re.Pattern[str]
    end_press: re.Pattern[str]
    sign_off: re.Pattern[str]
    labels: frozenset[str]


class _Line(msgspec.Struct):
    """A line squeezed: its runs of spaces made one, cut where no pattern looks any more.

    Attributes:
        introduction_end: for a line where an introduction begins, the line after its end.
        is_cut: from this line on all belongs to the letter that is answered.
    """

    text: str
    is_quoted: bool
    is_header: bool
    introduction_end: int | None = None
    is_cut: bool = False


def cut_quotes(text: str, own_addresses: frozenset[str] = frozenset()) -> str:
    """What the writer wrote, without quotes and signature; lines keep their order.

    Args:
        own_addresses: the judge's. An introduction that names one, inside press that seems to end
            below it, shows that the press was never closed and the judge's own letter is quoted:
            nobody's secrets may go out with it.
    """
    phrases = _phrases()
    lines = text.split("\n")
    marked = _mark(lines, phrases)
    press_ends = _press_ends(marked, phrases, own_addresses)
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = marked[at]
        if (end := press_ends.get(at)) is not None:
            kept += lines[at:end]
            at = end
        elif line.introduction_end is not None:
            # If the letter that is answered is marked line by line, the reply may stand below.
            at = line.introduction_end
            if not next((one.is_quoted for one in marked[at:] if one.text), False):
                break
        elif line.is_cut or phrases.sign_off.match(line.text) or _is_signature(lines, at, marked):
            break
        else:
            if not line.is_quoted and not phrases.added.match(line.text):
                kept.append(lines[at])
            at += 1
    return "\n".join(kept).strip("\n")


def _mark(lines: Sequence[str], phrases: _Phrases) -> list[_Line]:
    """All introductions of a text, dividers and copied headers included."""
    marked: list[_Line] = []
    for written in lines:
        text = " ".join(written[: 4 * LONGEST_LINE].split())[: LONGEST_LINE + 1]
        label = text.replace("：", ":").partition(":")
        name = label[0].strip("* ").replace(" ", "").casefold() if label[1] else ""
        marked.append(_Line(text, text.startswith(QUOTE_MARKS), name in phrases.labels))
    for at, line in enumerate(marked):
        line.introduction_end = _introduction_end(marked, at, phrases)
        window = marked[at : at + HEADER_WINDOW]
        line.is_cut = bool(phrases.divider.match(line.text)) or (
            line.is_header and sum(one.is_header for one in window) >= HEADERS_OF_BLOCK
        )
    for at, line in enumerate(marked):
        # A rule right above copied headers.
        if RULE.match(line.text) and any(
            one.is_cut and one.is_header for one in marked[at + 1 : at + 3]
        ):
            line.is_cut = True
    return marked


def _introduction_end(marked: Sequence[_Line], at: int, phrases: _Phrases) -> int | None:
    """The line after an introduction that begins here; None if none does.

    One that tells neither when nor from whose address counts only above quoted lines.
    """
    for end in range(at + 1, min(at + MOST_LINES, len(marked)) + 1):
        last = marked[end - 1]
        if not last.text or len(last.text) > LONGEST_LINE or last.is_quoted:
            return None
        if end == at + 2 and not phrases.opening.match(marked[at].text):
            return None
        if not last.text.endswith(COLONS):
            continue
        joined = " ".join(line.text for line in marked[at:end])
        has_verb = phrases.introduction.search(joined[-LONGEST_END:])
        if has_verb or (ADDRESS_AT_END.search(joined[-LONGEST_END:]) and DATE.search(joined)):
            below = next((line.is_quoted for line in marked[end : end + 3] if line.text), False)
            if below or TELLS.search(joined):
                return end
    return None


def _press_ends(
    marked: Sequence[_Line], phrases: _Phrases, own_addresses: frozenset[str]
) -> dict[int, int]:
    """For each line that opens press, the line after its end; none for press that is not closed.

    Read upwards, so that a thousand openings take no longer than one.
    """
    judges = [
        rf"{re.escape(local)}(?:\+[a-z0-9]*)?@{re.escape(domain)}"
        for local, _, domain in (address.rpartition("@") for address in own_addresses)
    ]
    ends: dict[int, int] = {}
    end: int | None = None
    for at in range(len(marked) - 1, -1, -1):
        line = marked[at]
        if phrases.end_press.match(line.text):
            end = at + 1
        elif end is not None and phrases.press.match(line.text):
            ends[at] = end
        elif end is not None and (line.introduction_end is not None or line.is_cut):
            introduction = marked[at : line.introduction_end or at + SENDER_WINDOW]
            named = " ".join(one.text for one in introduction).lower()
            if any(re.search(judge, named) for judge in judges):
                end = None
    return ends


def _is_signature(lines: Sequence[str], at: int, marked: Sequence[_Line]) -> bool:
    """`-- ` is (RFC 3676 4.3). Without its space it may divide a letter: then much follows."""
    if not SIGNATURE.match(lines[at]):
        return False
    if lines[at].endswith((" ", "\u00a0")):
        return True
    below = 0
    for line in marked[at + 1 :]:
        if line.introduction_end is not None or line.is_cut:
            break
        below += bool(line.text) and not line.is_quoted
        if below > LONGEST_SIGNATURE:
            return False
    return True


@cache
def _phrases() -> _Phrases:
    def pattern(expression: str) -> re.Pattern[str]:
        return re.compile(expression, re.IGNORECASE)

    between = r"(?:\s|&nbsp;|\[|\])*"
    dashed = rf"-{{2,}}{between}{words_for('dividers')}{between}-{{2,}}.*"
    labels = (label for words in mail_words().values() for label in words.labels)
    return _Phrases(
        introduction=pattern(rf"{words_for('introductions')}\s?[:：]$"),
        opening=pattern(
            rf"{words_for('openings')}\S|\d{{4}}\s?[年년./-]|.{{0,120}}<[^<>]{{0,160}}@|.{{0,60}}<$"
        ),
        divider=pattern(rf"(?:{dashed}|{words_for('forwarded')}\s?[:：])$"),
        added=pattern(rf"{words_for('added')}\s?[.。]?$"),
        press=pattern(rf"{words_for('press')}\b"),
        end_press=pattern(rf"{words_for('end_press')}\s?[.!]?$"),
        sign_off=pattern(rf"{words_for('sign_off')}\s?[.!]?$"),
        labels=frozenset(label.replace(" ", "").casefold() for label in labels),
    )
