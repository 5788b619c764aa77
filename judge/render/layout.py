"""Plain text for any screen: paragraphs that the reader's program wraps, rows without columns.

A phone is narrow and its letters differ in width: no line is broken here, and nothing stands below
anything else by spaces. Knows nothing of what the text says.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from wcwidth import wcwidth

from judge.rulebook import Row

VERDICT_COLUMNS = 60  # a first line is shorter: it is what a notification shows
INDENT = "  "
GAP = "   "  # between a line to copy and its words


@lru_cache(maxsize=4096)
def _columns(letter: str) -> int:
    return max(wcwidth(letter), 0)  # control characters have -1


def display_width(text: str) -> int:
    """Columns that a text takes: two for a wide letter, none for a combining one."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def first_line(texts: Iterable[str]) -> str:
    """The first of the texts that is short enough for a letter's first line, or the last one."""
    text = ""
    for text in texts:
        if display_width(text) < VERDICT_COLUMNS:
            break
    return text


def titled(title: str, text: str) -> str:
    """A text below its title."""
    return f"{title}\n{text}"


def list_rows(rows: Sequence[Row], kept: str = "") -> str:
    """Lines to copy, each with its words behind it; `kept` is the mark of those kept.

    A row of words alone heads those below it, and has an empty line above it.
    """
    lines: list[str] = []
    for row in rows:
        meaning = f"{row.meaning} {kept}".strip() if row.kept and kept else row.meaning
        if not row.text:
            lines += ["", meaning] if lines else [meaning]
        else:
            lines.append(f"{INDENT}{row.text}{GAP}{meaning}".rstrip())
    return "\n".join(lines)


def list_pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """A name and what belongs to it on each line; what has no name goes on from the line above."""
    lines = []
    for name, value in pairs:
        # The colon of the script that a name ends in; Korean has the narrow one, with a space.
        is_wide = "\u3000" <= name[-1:] < "\uac00" or name[-1:] >= "\uff00"
        lines.append(INDENT + (f"{name}{'：' if is_wide else ': '}" if name else INDENT) + value)
    return "\n".join(lines)


def quote_lines(lines: Sequence[str]) -> str:
    """Somebody's own words, indented and in quotation marks."""
    return "\n".join(f'{INDENT}"{line.strip()}"' for line in lines)


def indent_text(text: str) -> str:
    """A letter's text, each of its lines indented; empty lines stay empty."""
    return "\n".join(f"{INDENT}{line}" if line.strip() else "" for line in text.split("\n"))


def one_line(text: str, columns: int) -> str:
    """A text fit for one line: no line ends or control letters, cut off after `columns`."""
    plain = " ".join("".join([c if c.isprintable() else " " for c in text]).split())
    if display_width(plain) <= columns:
        return plain
    cut, left = "", columns - 1
    for letter in plain:
        left -= _columns(letter)
        if left < 0:
            break
        cut += letter
    return cut.rstrip() + "…"
