"""Blocks as HTML that Gmail, Outlook and Apple Mail show alike; nothing in it is remote.

A letter is a sheet 640 pixels wide at most, one column, tables where Outlook needs them:
`templates/letter.html`. The styles of `letter.css` are written into the elements, class by class:
to let css_inline read whole letters would double the time. Each kind of block has its writer, and
all that it is given goes through `_text`, `_attribute` or `_lines`, which escape it. Writers keep
the order of the plain text, so that a quoted letter is recognized by either of them.
Only this module imports css_inline.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from string import Template
from typing import Any

import css_inline

from judge import blocks as b
from judge.data import read_text

LARGEST = 100_000  # bytes; Gmail shows no more than 102 kB of a letter
DROPPED_SPACE = re.compile(r"^ | (?= )", re.MULTILINE)
# `A PAR - BUR`, and in `A PAR - BUR에` too: a letter of another script ends it.
WHOLE = re.compile(r"\b[A-Z]{1,3}(?:[ /-]{1,3}[A-Z]{1,3}\b){1,8}", re.ASCII)
BARE = 'border="0" cellpadding="0" cellspacing="0"'  # of tables
STYLE = re.compile('style="([^"]*)"')
# A start tag with a class, which stands first; nothing that a letter says holds a `<`.
TAG = re.compile(r'(<[a-z0-9]+ class="([^"]*)"[^>]*)>')
SCREENS = read_text("render", "templates", "screens.css").strip()
PAGE = Template(read_text("render", "templates", "letter.html").replace("$screens", SCREENS))
INLINER = css_inline.CSSInliner(
    load_remote_stylesheets=False, extra_css=read_text("render", "templates", "letter.css")
)


def html_letter(
    blocks: Sequence[b.Block], foot: Sequence[str], *, language: str, subject: str
) -> str | None:
    """A whole letter; the first block is its head, whose verdict is the first thing shown. None if
    it is too large for a mail program: its plain text stands alone."""
    shown: list[str] = []
    for block, below in zip(blocks, (*blocks[1:], ""), strict=True):
        # The paragraph above a table, or above what became of orders, is its heading.
        has_fates = isinstance(below, b.Rows) and any(row.failed is not None for row in below.rows)
        if isinstance(block, str) and (has_fates or isinstance(below, b.Pairs)):
            shown.append(f'\n<h3 class="title">{_lines(block)}</h3>')
        else:
            shown.append(_draw(block) if shown else _head(block, "h1", "verdict"))
    if foot:
        shown.append(f'\n<p class="foot">{_lines(chr(10).join(foot))}</p>')
    page = PAGE.substitute(
        tag=_text(language.replace("_", "-")),
        language=_text(language),
        subject=_text(subject),
        blocks="".join(shown),
    )
    made = TAG.sub(lambda tag: f'{tag[1]} style="{_style_of(tag[2])}">', page)
    return made if len(made.encode()) <= LARGEST else None


@cache
def _style_of(classes: str) -> str:
    """What `letter.css` says of an element of these classes: it knows nothing but classes."""
    styled = STYLE.search(INLINER.inline(f'<p class="{classes}">'))
    return styled[1] if styled else ""


def _text(text: str) -> str:
    """A text as it stands between tags."""
    return escape(text, quote=False).replace("\u00a0", "&nbsp;")


def _attribute(text: str) -> str:
    """A text as it stands in an attribute."""
    return _text(text).replace('"', "&quot;")


def _keep_spaces(text: str) -> str:
    """A text whose spaces stay: of several, and at a line's start, all but the last are hard."""
    return DROPPED_SPACE.sub("\u00a0", text.replace("\t", "    "))


def _lines(text: str) -> str:
    """A text with its lines; short words in capitals, as an order is, stay on one."""
    whole = WHOLE.sub(r'<span class="whole">\g<0></span>', _text(_keep_spaces(text)))
    return whole.replace("\n", "<br>")


def _draw(block: b.Block) -> str:
    if isinstance(block, str):
        return f'\n<p class="text">{_lines(block)}</p>'
    return WRITERS[type(block)](block)


def _head(block: Any, element: str = "h2", kind: str = "next") -> str:
    where = f'\n<p class="where">{_text(block.context)}</p>' if block.context else ""
    lead = _draw(block.lead) if block.lead else ""
    return f'\n<{element} class="{kind}">{_text(block.verdict)}</{element}>{where}{lead}'


def _order(row: b.Row) -> str:
    text = _text(row.text)
    if row.url:
        text = f'<a class="link" href="{_attribute(row.url)}">{text}</a>'
    shown = f'<span class="order{"" if row.text.isascii() else " local"}">{text}</span>'
    if not row.meaning:
        return shown
    end, bad = ("<br>", " bad") if row.failed else ("", "")
    return f'{shown} {end}<span class="meaning{bad}">{_lines(row.meaning)}</span>'


def _rows(block: b.Rows) -> str:
    rows = []
    for row in block.rows:
        if not row.text:
            rows.append(f'<tr><td class="group">{_text(row.meaning)}</td></tr>')
            continue
        kind = {True: " failed", False: " worked", None: ""}[row.failed]
        is_kept = row.kept and block.kept
        kept = f' <span class="meaning">{_text(block.kept)}</span>' if is_kept else ""
        rows.append(f'<tr><td class="row{kind}">{_order(row)}{kept}</td></tr>')
    body = "\n".join(rows)
    return f'\n<table class="rows" role="presentation" {BARE}>\n<tbody>{body}\n</tbody></table>'


def _pairs(block: b.Pairs) -> str:
    rows = []
    for at, (name, value) in enumerate(block.pairs):
        rule, bad = " ruled" if name and at else "", " bad" if at in block.failed else ""
        cell = f'<td class="value{rule}{bad}">{_lines(value)}</td>'
        rows.append(f'<tr><th class="name{rule}" scope="row">{_text(name)}</th> {cell}</tr>')
    body = "\n".join(rows)
    return f'\n<table class="pairs" {BARE}>\n<tbody>{body}\n</tbody></table>'


def _box(kind: str, shown: Iterable[str], joint: str = "") -> str:
    """A colored box: Outlook knows the padding of cells alone."""
    table = f'\n<table class="box" role="presentation" {BARE}>'
    return f"{table}<tbody><tr><td class={kind}>{joint.join(shown)}</td></tr></tbody></table>"


def _written(block: b.Written) -> str:
    bar = "| " if block.is_barred else ""
    lines = (bar + _text(_keep_spaces(line)) for line in block.text.split("\n"))
    return _box('"written" dir="auto"', lines, "<br>")


def _fault(block: b.Fault) -> str:
    ends = (0, block.start, block.end, len(block.written))
    before, marked, after = (_text(block.written[one:two]) for one, two in pairwise(ends))
    number = f"{block.number}. " if block.number is not None else ""
    faulty = f'{before}<span class="marked">{marked}</span>{after}'
    lines = [f'{number}<span class="order">{faulty}</span>', _lines(block.sentence)]
    if block.label:
        lines += [_text(block.label), *map(_order, block.send)]
    return _box('"fault"', (f'\n<p class="near">{line}</p>' for line in lines))


def _due(block: b.Due) -> str:
    kinds = ("when", *["more"] * len(block.lines))
    lines = zip(kinds, block.lines, strict=False)
    return _box('"due"', (f'\n<p class="{kind}">{_text(line)}</p>' for kind, line in lines))


def _quoted(block: b.Quoted) -> str:
    lines = "<br>".join(f"“{_text(line.strip())}”" for line in block.lines)
    return f'\n<div class="quoted" dir="auto">{lines}</div>'


def _drawing(block: b.Drawing) -> str:
    source = f'alt="{_attribute(block.alt)}" src="cid:{_attribute(block.cid)}" width="576"'
    return f'\n<p class="picture"><img class="image" {source}></p>'


def _actions(block: b.Actions) -> str:
    links = (
        f'<a class="action" href="{_attribute(one.url)}">{_text(one.label)}</a> '
        for one in block.actions
    )
    return f'\n<p class="actions">{"".join(links)}</p>'


WRITERS: Mapping[type[b.Block], Callable[[Any], str]] = {
    b.Head: _head,
    b.Rows: _rows,
    b.Pairs: _pairs,
    b.Quoted: _quoted,
    b.Written: _written,
    b.Verbatim: lambda block: f'\n<div class="verbatim">{_lines(block.text)}</div>',
    b.Listed: lambda block: f'\n<div class="listed">{_lines(chr(10).join(block.lines))}</div>',
    b.Fault: _fault,
    b.Due: _due,
    b.Drawing: _drawing,
    b.Actions: _actions,
    b.Titled: lambda block: f'\n<h3 class="title">{_lines(block.title)}</h3>{_draw(block.body)}',
    b.Stacked: lambda block: "".join(_draw(one) for one in block.blocks if one),
    b.Indented: lambda block: f'\n<div class="inner">{_draw(block.body)}</div>',
}
