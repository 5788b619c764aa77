"""Blocks as plain text for any screen: the reader's program wraps paragraphs, rows have no columns.

A phone is narrow and its letters differ in width: no line is broken here, and nothing stands below
anything else by spaces. Knows nothing of what the text says.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from wcwidth import wcwidth

from judge import blocks as b

VERDICT_COLUMNS = 60  # a first line is shorter: it is what a notification shows
INDENT = "  "
GAP = "   "  # between a line to copy and its words
COLON = ": "  # between a name and its value
BAR = "| "  # before each line of a text that looks like a letter of the judge's


@lru_cache(maxsize=4096)
def _character_width(letter: str) -> int:
    return max(wcwidth(letter), 0)  # control characters have -1


def display_width(text: str) -> int:
    """Columns that a text takes: two for a wide letter, none for a combining one."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def first_that_fits(texts: Iterable[str]) -> str:
    """The first of the texts that is short enough for a letter's first line, or the last one."""
    text = ""
    for text in texts:
        if display_width(text) < VERDICT_COLUMNS:
            break
    return text


def capital(sentence: str) -> str:
    """A sentence that may begin with `the North Sea`."""
    return sentence[:1].upper() + sentence[1:]


def as_text(block: b.Block, colon: str = COLON) -> str:
    """A block in plain text; empty if it shows nothing. `colon`: that of the letter's language."""
    if isinstance(block, str):
        return block
    return WRITERS[type(block)](block, colon) if block else ""


def as_letter(blocks: Iterable[b.Block], colon: str = COLON) -> str:
    """Blocks as the paragraphs of a letter; those that show nothing are left out."""
    return _stacked(blocks, colon, "\n\n")


def _rows(block: b.Rows, _: str) -> str:
    """Lines to copy, each with its words behind it.

    A row of words alone heads those below it, and has an empty line above it.
    """
    lines: list[str] = []
    for row in block.rows:
        meaning = f"{row.meaning} {block.kept}".strip() if row.kept else row.meaning
        if not row.text:
            lines += ["", meaning] if lines else [meaning]
        else:
            lines.append(f"{INDENT}{row.text}{GAP}{meaning}".rstrip())
    return "\n".join(lines)


def _pairs(block: b.Pairs, colon: str) -> str:
    return "\n".join(
        f"{INDENT}{name}{colon if name else INDENT}{value}" for name, value in block.pairs
    )


def _indented(lines: Iterable[str]) -> str:
    """Lines, each indented; empty ones stay empty."""
    return "\n".join(f"{INDENT}{line}" if line.strip() else "" for line in lines)


def _written(block: b.Written, _: str) -> str:
    lines = block.text.split("\n")
    if block.is_barred:
        return "\n".join(f"{INDENT}{BAR}{line}".rstrip() for line in lines)
    return _indented(lines)


def _fault(block: b.Fault, _: str) -> str:
    """A line as it was written, what is wrong with it, and what to send, ready to copy."""
    head = f"{INDENT}{block.number}. " if block.number is not None else INDENT
    indent = " " * len(head)
    lines = [head + block.written, indent + block.sentence]
    lines += [indent + block.label] if block.label else []
    for row in block.send:
        lines.append(f"{indent}{INDENT}{row.text}{GAP}{row.meaning}".rstrip())
    return "\n".join(lines)


def _stacked(blocks: Iterable[b.Block], colon: str, joint: str = "\n") -> str:
    return joint.join([text for block in blocks if (text := as_text(block, colon))])


WRITERS: Mapping[type[b.Block], Callable[[Any, str], str]] = {
    b.Rows: _rows,
    b.Pairs: _pairs,
    b.Quoted: lambda block, _: "\n".join(f'{INDENT}"{line.strip()}"' for line in block.lines),
    b.Written: _written,
    b.Verbatim: lambda block, _: str(block.text),
    b.Listed: lambda block, _: _indented(block.lines),
    b.Fault: _fault,
    b.Due: lambda block, _: "\n".join(block.lines),
    b.Drawing: lambda block, _: f"[{block.alt}]",
    b.Actions: lambda _, __: "",
    b.Titled: lambda block, colon: f"{block.title}\n{as_text(block.body, colon)}",
    b.Stacked: lambda block, colon: _stacked(block.blocks, colon),
    b.Indented: lambda block, colon: _indented(as_text(block.body, colon).split("\n")),
    b.Head: lambda block, colon: _stacked((block.verdict, block.context, block.lead), colon),
}


def one_line(text: str, columns: int) -> str:
    """A text fit for one line: no line ends or control letters, cut off after `columns`."""
    plain = " ".join("".join([c if c.isprintable() else " " for c in text]).split())
    if display_width(plain) <= columns:
        return plain
    cut, left = "", columns - 1
    for letter in plain:
        left -= _character_width(letter)
        if left < 0:
            break
        cut += letter
    return cut.rstrip() + "…"
