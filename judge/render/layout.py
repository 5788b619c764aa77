"""Plain text in columns: widths as a screen shows them, wrapping, indented rows.

Knows nothing of what the text says.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from wcwidth import wcwidth

from judge.rulebook import Row

NO_BREAK = "\u00a0"  # keeps an order on one line; becomes a space once lines are made
JOINER = "\u2060"  # between two letters that stay together; leaves nothing behind
NEVER_FIRST = frozenset("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー々")  # of a line
LINE_COLUMNS = 78  # so that a reply can quote a line and stay within 80
VERDICT_COLUMNS = 60  # a first line is shorter: it is what a notification shows
INDENT = 2
GAP = 3
WORDS_COLUMN = 24  # where the words of an order begin, unless the order is longer
WORDS_COLUMN_MOST = 40  # further right there is no room left for them
WRAPPED_KEPT = 2048  # paragraphs kept in memory: most stand in the letters of all players

# Letters beside which a line may end. Korean is written with spaces and breaks at them, so Hangul
# is not among these; full-width marks are, so that a line may end behind them.
_BREAKABLE = re.compile("[\u3001-\u30ff\u3400-\u9fff（，：；！？／]")


@lru_cache(maxsize=4096)
def _columns(letter: str) -> int:
    return max(wcwidth(letter), 0)  # control characters have -1


def display_width(text: str) -> int:
    """Columns that a text takes: two for a wide letter, none for a combining one."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def pad(text: str, columns: int) -> str:
    """The text with spaces behind it up to that many columns."""
    return text + " " * (columns - display_width(text))


def first_line(texts: Iterable[str]) -> str:
    """The first of the texts that is short enough for a letter's first line, or the last one."""
    text = ""
    for text in texts:
        if display_width(text) < VERDICT_COLUMNS:
            break
    return text


def unbroken(text: str) -> str:
    """A text that stays on one line, such as an order, when what holds it is wrapped."""
    if _BREAKABLE.search(text):
        text = JOINER.join(text)  # else it could break between any two of its letters
    return text.replace(" ", NO_BREAK)


@lru_cache(maxsize=WRAPPED_KEPT)
def wrap(text: str, first: str = "", width: int = LINE_COLUMNS) -> str:
    """A paragraph in lines of at most `width` columns.

    `first` begins the first line, and spaces as wide the others. A word that is wider than a line
    is broken; Chinese and Japanese may break between any two letters but before a closing mark or
    a small kana, or after an opening mark.
    """
    indent = display_width(first)
    lines: list[str] = []
    line, column, filled = first, indent, False
    for gap, piece in _pieces(text, max(width - indent, 2)):
        columns = display_width(piece)
        if filled and column + len(gap) + columns > width:
            lines.append(line.rstrip())
            line, column, filled = " " * indent, indent, False
        if filled:
            line, column = line + gap, column + len(gap)
        line, column, filled = line + piece, column + columns, True
    return "\n".join([*lines, line.rstrip()]).replace(JOINER, "").replace(NO_BREAK, " ")


def _pieces(text: str, width: int) -> list[tuple[str, str]]:
    """What must stay on one line, each behind the gap between it and the piece before."""
    pieces: list[tuple[str, str]] = []
    for word in text.split(" "):
        if not word:
            continue
        gap = " "
        for unit in _units(word) if _BREAKABLE.search(word) else (word,):
            for piece in _cut(unit, width) if display_width(unit) > width else (unit,):
                pieces.append((gap, piece))
                gap = ""
    return pieces


def _units(word: str) -> Iterator[str]:
    """The parts of a word between which a line may end."""
    start = 0
    for at in range(1, len(word)):
        beside = word[at - 1 : at + 1]
        if _BREAKABLE.search(beside) and not _clings(beside):
            yield word[start:at]
            start = at
    yield word[start:]


def _clings(beside: str) -> bool:
    """Whether the second of two letters must not begin a line, or the first not end one."""
    if JOINER in beside or NO_BREAK in beside:
        return True
    before, after = (unicodedata.category(letter) for letter in beside)
    closes = after in ("Pe", "Pf", "Po", "Lm") or beside[1] in NEVER_FIRST
    return closes or before in ("Ps", "Pi")


def _cut(unit: str, width: int) -> Iterator[str]:
    piece, columns = "", 0
    for letter in unit:
        if piece and columns + _columns(letter) > width:
            yield piece
            piece, columns = "", 0
        piece, columns = piece + letter, columns + _columns(letter)
    yield piece


def titled(title: str, text: str) -> str:
    """A text below its title."""
    return f"{title}\n{text}"


def list_rows(rows: Sequence[Row], kept: str = "", *, column: int = WORDS_COLUMN) -> str:
    """Lines to copy, each with its words beside it; `kept` is the mark of those kept.

    A row of words alone heads those below it, and has an empty line above it.
    """
    told = [
        (row.text, f"{row.meaning} {kept}".strip() if row.kept and kept else row.meaning)
        for row in rows
    ]
    widest = max((display_width(text) for text, _ in told if text), default=0)
    # Short words, as of an order beside its translation, leave more room before them.
    most = LINE_COLUMNS - max((display_width(meaning) for text, meaning in told if text), default=0)
    at = min(max(column, INDENT + widest + GAP), max(WORDS_COLUMN_MOST, most))
    lines: list[str] = []
    for text, meaning in told:
        start = " " * INDENT + text
        if not text:
            lines += ["", wrap(meaning)] if lines else [wrap(meaning)]
        elif not meaning:
            lines.append(start)
        elif display_width(start) + 1 > at:
            lines += [start, wrap(meaning, " " * at)]
        else:
            lines.append(wrap(meaning, pad(start, at)))
    return "\n".join(lines)


def list_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """A table of two columns without lines: a name, and what stands beside it."""
    at = INDENT + max((display_width(name) for name, _ in pairs), default=0) + GAP
    lines = [wrap(value, pad(" " * INDENT + name, at)).rstrip() for name, value in pairs]
    return "\n".join(lines)


def quote_lines(lines: Sequence[str]) -> str:
    """Somebody's own words, indented and in quotation marks."""
    return "\n".join([wrap(f'"{line.strip()}"', " " * INDENT) for line in lines])


def indent_text(text: str) -> str:
    """A letter's text, each of its own lines wrapped and indented; empty lines stay empty."""
    return "\n".join(
        [wrap(line, " " * INDENT) if line.strip() else "" for line in text.split("\n")]
    )


def one_line(text: str, columns: int) -> str:
    """A text fit for one line: no line ends or control letters, cut off after `columns`."""
    plain = " ".join("".join([c if c.isprintable() else " " for c in text]).split())
    if display_width(plain) <= columns:
        return plain
    return next(_cut(plain, columns - 1)).rstrip() + "…"
