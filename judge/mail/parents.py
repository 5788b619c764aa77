"""Finds the judge's own words in a reply: whatever run of lines stands in the letter it answers.

Compared are letters and digits alone, so that marks of quotation, markup and other line breaks make
no difference, in any language. Copied orders are the writer's own: a run counts only if it is more
than lines of one paragraph of ours, or holds a whole line of prose.
"""

import re
import unicodedata
from collections.abc import Sequence

import msgspec

SHORTEST_RUN = 12  # letters and digits; less stands in many letters
LEAST_QUOTED = 40
PROSE = 50  # letters and digits of a line that nobody copies for its orders
MOST_OF_LETTER = 0.6
MOST_PLACES = 20  # of a line in our letter that are tried
MOST_LINES = 4_000  # of a reply that are compared
NOT_COMPARED = re.compile(r"mailto:\S+|[\W_]+")  # programs write out the links of a page


class Run(msgspec.Struct, frozen=True):
    """Lines of a reply that stand in a letter of ours, from `start` up to, not with, `end`."""

    start: int
    end: int
    reaches_end: bool  # of our letter: what follows is the writer's again


def our_runs(lines: Sequence[str], parents: Sequence[str]) -> list[Run]:
    """The runs of lines that only repeat one of the parents, in their order."""
    keys = [_key(line) for line in lines[:MOST_LINES]]
    found: list[Run] = []
    for parent in parents:
        # Its letters and digits, where paragraphs begin in them, and where prose lies.
        text = ""
        paragraphs: list[int] = []
        prose: list[tuple[int, int, int]] = []
        is_blank = False
        for line in parent.split("\n"):
            key = _key(line)
            if key and is_blank:
                paragraphs.append(len(text))
            if len(key) >= PROSE:
                # A paragraph is one line, of which a reply may quote a part; a row counts whole.
                least = len(key) if line.startswith(" ") else PROSE
                prose.append((len(text), len(text) + len(key), least))
            text += key
            is_blank = not key

        at = 0
        while at < len(keys):
            start, end, begin, until = _longest(keys, at, text) if keys[at] else (at,) * 4
            length = until - begin
            crosses = any(begin < one < until for one in paragraphs)
            has_prose = any(
                min(until, other) - max(begin, one) >= least for one, other, least in prose
            )
            if end > start and (
                (length >= LEAST_QUOTED and (crosses or has_prose))
                or length >= max(MOST_OF_LETTER * len(text), SHORTEST_RUN)
            ):
                found.append(Run(start, end, until >= len(text) - SHORTEST_RUN))
                at = end
            else:
                at += 1
    return sorted(found, key=lambda run: (run.start, run.end))


def _longest(keys: Sequence[str], at: int, text: str) -> tuple[int, int, int, int]:
    """The longest run that begins at a line: its lines, and where it stands in our letter."""
    best = (at, at, 0, 0)
    place = text.find(keys[at])
    for _ in range(MOST_PLACES):
        if place < 0:
            break
        end, until = at + 1, place + len(keys[at])
        for number in range(end, len(keys)):
            if not text.startswith(keys[number], until):
                break
            if keys[number]:
                end, until = number + 1, until + len(keys[number])
        if until - place > best[3] - best[2]:
            best = (at, end, place, until)
        place = text.find(keys[at], place + 1)
    return best


def _key(line: str) -> str:
    return NOT_COMPARED.sub("", unicodedata.normalize("NFKC", line).casefold())
