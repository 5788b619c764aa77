"""What a letter shows, as values: paragraphs, lines to copy, tables, somebody's own words.

`render/layout.py` writes them as plain text, `render/html_letter.py` as HTML; nothing else knows
how they look. A string is a paragraph, of several lines perhaps. What is empty is left out.
"""

from collections.abc import Sequence

import msgspec


class Row(msgspec.Struct, frozen=True):
    """A line that works when it is sent back unchanged, and what it says in words; without a line,
    the heading of the rows below it. `failed`: what became of an order, None where that is open.
    `url`: a link that writes a letter with that line."""

    text: str
    meaning: str
    kept: bool = False
    failed: bool | None = None
    url: str = ""


class Rows(msgspec.Struct, frozen=True):
    """Lines to copy; `kept` is the mark of those that were stored before."""

    rows: Sequence[Row]
    kept: str = ""

    def __bool__(self) -> bool:
        return bool(self.rows)


def rows_to_copy(*lines: str) -> Rows:
    """Lines to copy that need no words."""
    return Rows([Row(line, "") for line in lines])


class Pairs(msgspec.Struct, frozen=True):
    """Names and what belongs to each; what has no name goes on from the line above. `failed`: the
    numbers of those that tell of failed orders."""

    pairs: Sequence[tuple[str, str]]
    failed: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.pairs)


class Quoted(msgspec.Struct, frozen=True):
    """Lines of the reader's own letter, in quotation marks."""

    lines: Sequence[str]

    def __bool__(self) -> bool:
        return bool(self.lines)


class Written(msgspec.Struct, frozen=True):
    """Somebody's own text, its lines and spaces as they were written. `is_barred`: it looks like a
    letter of the judge's, so each of its lines is marked."""

    text: str
    is_barred: bool = False

    def __bool__(self) -> bool:
        return bool(self.text)


class Verbatim(msgspec.Struct, frozen=True):
    """A text laid out by its own spaces: a table of figures, a classic report, JSON."""

    text: str

    def __bool__(self) -> bool:
        return bool(self.text)


class Listed(msgspec.Struct, frozen=True):
    """Short lines below one another."""

    lines: Sequence[str]

    def __bool__(self) -> bool:
        return any(self.lines)


class Fault(msgspec.Struct, frozen=True):
    """A line that was not taken, with its wrong part from `start` to `end`, what is wrong, and
    below a label the lines that may be sent instead; numbered if there are several."""

    number: int | None
    written: str
    start: int
    end: int
    sentence: str
    label: str = ""
    send: Sequence[Row] = ()


class Due(msgspec.Struct, frozen=True):
    """The deadline, and sentences that belong to it."""

    lines: Sequence[str]


class Drawing(msgspec.Struct, frozen=True):
    """A picture that comes with the letter, by its Content-ID, and what it shows in words."""

    cid: str
    alt: str


class PicturePlace(msgspec.Struct, frozen=True):
    """Where the pictures of a message stand; without it they follow the message."""


class Action(msgspec.Struct, frozen=True):
    """A letter that is written by one touch: what it does, in a few words, and its text. `url` is
    filled in where it is known whom the letter goes to."""

    label: str
    text: str
    url: str = ""


class Actions(msgspec.Struct, frozen=True):
    """Letters to send by one touch; plain text has the lines to copy instead."""

    actions: Sequence[Action]

    def __bool__(self) -> bool:
        return bool(self.actions)


class Titled(msgspec.Struct, frozen=True):
    """A block below its title."""

    title: str
    body: "Block"


class Stacked(msgspec.Struct, frozen=True):
    """Blocks directly below one another."""

    blocks: "Sequence[Block]"

    def __bool__(self) -> bool:
        return any(self.blocks)


class Indented(msgspec.Struct, frozen=True):
    """A block that belongs to the one above it."""

    body: "Block"

    def __bool__(self) -> bool:
        return bool(self.body)


class Head(msgspec.Struct, frozen=True):
    """How a message begins: its verdict, the line that says where we are, and what follows."""

    verdict: str
    context: str = ""
    lead: "Block" = ""


Block = (
    str
    | Rows
    | Pairs
    | Quoted
    | Written
    | Verbatim
    | Listed
    | Fault
    | Due
    | Drawing
    | Actions
    | PicturePlace
    | Titled
    | Stacked
    | Indented
    | Head
)
