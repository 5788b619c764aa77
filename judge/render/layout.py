"""Plain text in columns: widths as a screen shows them, wrapping, indented rows.

Knows nothing of what the text says.
"""

import unicodedata
from collections.abc import Iterator, Sequence

from judge.rulebook import Row

NO_BREAK = "\u00a0"  # keeps an order on one line; becomes a space once lines are made
JOINER = "\u2060"  # between two letters that stay together; leaves nothing behind
FULL_MARKS = frozenset("（），：；！？／")
NEVER_FIRST = frozenset("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー々")  # of a line
LINE_COLUMNS = 78  # so that a reply can quote a line and stay within 80
INDENT = 2
GAP = 3
WORDS_COLUMN = 24  # where the words of an order begin, unless the order is longer
WORDS_COLUMN_MOST = 40  # further right there is no room left for them


def display_width(text: str) -> int:
    """Columns that a text takes: two for a wide letter, none for a combining one."""
    return sum(_columns(letter) for letter in text)


def _columns(letter: str) -> int:
    if letter.isascii():
        return 1
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def pad(text: str, columns: int) -> str:
    """The text with spaces behind it up to that many columns."""
    return text + " " * (columns - display_width(text))


def unbroken(text: str) -> str:
    """A text that stays on one line, such as an order, when what holds it is wrapped."""
    if any(_may_break_beside(letter) for letter in text):
        text = JOINER.join(text)  # else it could break between any two of its letters
    return text.replace(" ", NO_BREAK)


def wrap(text: str, first: str = "", rest: str | None = None, width: int = LINE_COLUMNS) -> str:
    """A paragraph in lines of at most `width` columns.

    `first` begins the first line and `rest` the others (spaces as wide as `first`, if left out). A
    word that is wider than a line is broken; Chinese and Japanese may break between any two
    letters but before a closing mark or a small kana, or after an opening mark.
    """
    following = " " * display_width(first) if rest is None else rest
    lines: list[str] = []
    line, filled = first, False
    for spaced, piece in _pieces(text, width - display_width(following)):
        joined = f"{line} {piece}" if spaced and filled else line + piece
        if filled and display_width(joined) > width:
            lines.append(line.rstrip())
            joined = following + piece
        line, filled = joined, True
    return "\n".join([*lines, line.rstrip()]).replace(JOINER, "").replace(NO_BREAK, " ")


def _pieces(text: str, width: int) -> Iterator[tuple[bool, str]]:
    """What must stay on one line, each with whether a space stands before it."""
    for word in text.split(" "):
        if not word:
            continue
        spaced = True
        for unit in _breakable(word):
            for piece in _cut(unit, max(width, 2)):
                yield spaced, piece
                spaced = False


def _breakable(word: str) -> Iterator[str]:
    """The parts of a word between which a line may end."""
    start = 0
    for at in range(1, len(word)):
        beside = word[at - 1 : at + 1]
        if any(_may_break_beside(letter) for letter in beside) and not _clings(beside):
            yield word[start:at]
            start = at
    yield word[start:]


def _may_break_beside(letter: str) -> bool:
    # Korean is written with spaces and breaks at them, so Hangul is not among these; full-width
    # marks are, so that a line may end behind them.
    return "\u3001" <= letter <= "\u30ff" or "\u3400" <= letter <= "\u9fff" or letter in FULL_MARKS


def _clings(beside: str) -> bool:
    """Whether the second of two letters must not begin a line, or the first not end one."""
    if JOINER in beside or NO_BREAK in beside:
        return True
    before, after = (unicodedata.category(letter) for letter in beside)
    closes = after in ("Pe", "Pf", "Po", "Lm") or beside[1] in NEVER_FIRST
    return closes or before in ("Ps", "Pi")


def _cut(unit: str, width: int) -> Iterator[str]:
    piece = ""
    for letter in unit:
        if piece and display_width(piece) + _columns(letter) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece


def titled(title: str, text: str) -> str:
    """A text below its title."""
    return f"{title}\n{text}"


def list_rows(rows: Sequence[Row], kept: str = "", *, column: int = WORDS_COLUMN) -> str:
    """Lines to copy, each with its words beside it; `kept` is the mark of those kept.

    A row of words alone heads those below it, and has an empty line above it.
    """
    told = [(row.text, _meaning(row, kept)) for row in rows]
    at = _words_column([pair for pair in told if pair[0]], column)
    lines: list[str] = []
    for text, meaning in told:
        if not text:
            lines += ["", wrap(meaning)] if lines else [wrap(meaning)]
        else:
            lines.append(_row(text, meaning, at))
    return "\n".join(lines)


def _meaning(row: Row, kept: str) -> str:
    return f"{row.meaning} {kept}".strip() if row.kept and kept else row.meaning


def _words_column(told: Sequence[tuple[str, str]], least: int) -> int:
    widest = max((display_width(text) for text, _ in told), default=0)
    # Short words, as of an order beside its translation, leave more room before them.
    most = LINE_COLUMNS - max((display_width(meaning) for _, meaning in told), default=0)
    return min(max(least, INDENT + widest + GAP), max(WORDS_COLUMN_MOST, most))


def _row(text: str, meaning: str, column: int) -> str:
    start = " " * INDENT + text
    if not meaning:
        return start
    if display_width(start) + 1 > column:
        return f"{start}\n{wrap(meaning, ' ' * column)}"
    return wrap(meaning, pad(start, column))


def list_pairs(pairs: Sequence[tuple[str, str]], *, indent: int = INDENT) -> str:
    """A table of two columns without lines: a name, and what stands beside it."""
    at = indent + max((display_width(name) for name, _ in pairs), default=0) + GAP
    lines = (wrap(value, pad(" " * indent + name, at)).rstrip() for name, value in pairs)
    return "\n".join(lines)


def quote_lines(lines: Sequence[str]) -> str:
    """Somebody's own words, indented and in quotation marks."""
    return "\n".join(wrap(f'"{line.strip()}"', " " * INDENT) for line in lines)


def indent_text(text: str, prefix: str) -> str:
    """A letter's text, each of its own lines wrapped behind a prefix; empty lines stay empty."""
    return "\n".join(
        wrap(line, prefix, prefix) if line.strip() else "" for line in text.split("\n")
    )


def one_line(text: str, columns: int) -> str:
    """A text fit for one line: no line ends or control letters, cut off after `columns`."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    if display_width(plain) <= columns:
        return plain
    return next(_cut(plain, columns - 1)).rstrip() + "…"
