"""Blocks as HTML that Gmail, Outlook and Apple Mail show alike; nothing in it is remote.

The template `templates/letter.html` draws each kind of block; `letter.css` is written into the
elements. Only this module imports jinja2 and css_inline.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import css_inline
from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from judge.blocks import Block, Pairs, Rows
from judge.data import read_text

LARGEST = 100_000  # bytes; Gmail shows no more than 102 kB of a letter
DROPPED_SPACE = re.compile(r"^ | (?= )", re.MULTILINE)
WHOLE = re.compile(r"(\b[A-Z]{1,3}(?:[ /-]{1,3}[A-Z]{1,3}\b){1,8})")  # `A PAR - BUR`


def html_letter(
    blocks: Sequence[Block], foot: Sequence[str], *, language: str, subject: str
) -> str | None:
    """A whole letter; the first block is its head, whose verdict is the first thing shown. None if
    it is too large for a mail program: its plain text stands alone."""
    tag = language.replace("_", "-")
    page = _macros().page(blocks, foot, language, tag, subject)
    made = _styles().inline(str(page))
    return made if len(made.encode()) <= LARGEST else None


@cache
def _macros() -> Any:
    """The template's macros; `draw` finds the one of a block."""
    environment = Environment(
        autoescape=True,
        loader=FunctionLoader(lambda name: read_text("render", "templates", name)),
        undefined=StrictUndefined,
    )

    def draw(block: Block) -> Any:
        return macros["paragraph" if isinstance(block, str) else type(block).__name__](block)

    environment.globals["draw"] = draw
    environment.filters["spaced"] = _spaced
    environment.filters["lines"] = _lines
    environment.tests["heading"] = _has_heading
    module = environment.get_template("letter.html").module
    macros = vars(module)
    return module


@cache
def _styles() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(
        inline_style_tags=False,  # what screens decide stays in the head
        keep_style_tags=True,
        load_remote_stylesheets=False,
        extra_css=read_text("render", "templates", "letter.css"),
    )


def _has_heading(block: Block) -> bool:
    """Whether a paragraph above it is its heading: a table, or what became of orders."""
    if isinstance(block, Rows):
        return any(row.failed is not None for row in block.rows)
    return isinstance(block, Pairs)


def _spaced(text: str) -> str:
    """A text whose spaces stay: of several, and at a line's start, all but the last are hard."""
    return DROPPED_SPACE.sub("\u00a0", text.replace("\t", "    "))


def _lines(text: str) -> Markup:
    """A text with its lines; short words in capitals, as an order is, stay on one."""
    whole = WHOLE.sub(r'<span class="whole">\1</span>', str(escape(_spaced(text))))
    return Markup(whole.replace("\n", "<br>"))  # noqa: S704
