"""The words of an HTML letter as lines, quoted blocks marked; in linear time, whatever it holds.

Reads tags from left to right and keeps the open elements on a stack, which is all that lines and
quotes need. A parser of whole pages takes quadratic time for deep nests, stray end tags and tags
with thousands of attributes (one letter of 262 kB took 5.5 seconds).
"""

import html
import re
import tomllib
from dataclasses import dataclass

import msgspec

from judge.data import read_text

DEEPEST_QUOTE = 3  # marks of quotation before a line
LONGEST_TAG = 4_000  # characters of a tag whose attributes are looked at
MOST_OPEN = 50  # open elements among which the end of one that is no block is looked for
_DATA = tomllib.loads(read_text("config", "mail.toml"))  # it explains what each is
BLOCKS, VOID, UNSEEN, STRUCK, QUOTE_CLASSES, REST_IS_QUOTED = (
    frozenset(_DATA["html"][key].split())
    for key in ("blocks", "void", "unseen", "struck", "quote_classes", "rest_is_quoted")
)
ENDED_BY = {"p": BLOCKS} | {key: frozenset(to.split()) for key, to in _DATA["ended_by"].items()}
TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9:-]{0,40})")
ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+))?""")
HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all"
    r"|(?:font-size|max-height|opacity)\s*:\s*0(?:px|pt|em|%)?\s*(?:;|!|$)",
    re.IGNORECASE,
)
LINE_THROUGH = re.compile(r"text-decoration[a-z-]*\s*:[^;]*line-through", re.IGNORECASE)
NO_BORDER = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)
# The line that Outlook draws above the headers of the letter that is answered.
OUTLOOK_BORDER = re.compile(r"border-top\s*:\s*solid\s+#(?:E1E1E1|B5C4DF)", re.IGNORECASE)
FORWARDED = re.compile(r"\s*-{5,}")


class Markup(msgspec.Struct, frozen=True):
    """The text of an HTML letter, and what no reader of it sees or takes as said."""

    text: str
    hidden: str
    struck: str


@dataclass(slots=True)
class _Element:
    """An element that is open, and what it does to the words inside."""

    name: str
    is_quote: bool = False
    is_hidden: bool = False
    is_struck: bool = False
    is_gmail_heading: bool = False


def read_html(page: str) -> Markup:
    """The words, a line for each block, quoted blocks marked with `> `."""
    reader = _Reader()
    at = 0
    while (start := page.find("<", at)) >= 0:
        reader.add_text(page[at:start])
        if page.startswith("<!--", start):
            end = page.find("-->", start + 4)
            at = end + 3 if end >= 0 else len(page)
            continue
        name = TAG_NAME.match(page, start)
        if name is None and page[start + 1 : start + 2] not in ("!", "?", "/"):
            reader.add_text("<")
            at = start + 1
            continue
        end = page.find(">", start)
        if end >= 0 and page.count('"', start, end) % 2:  # inside a value
            closing = page.find('"', end)
            end = page.find(">", closing) if closing >= 0 else -1
        if end < 0:
            break  # a tag that was cut off
        at = end + 1
        if name is None:
            continue
        tag = name[1].lower()
        if page[start + 1] == "/":
            reader.end(tag)
        elif tag in UNSEEN:
            ending = re.compile(rf"</{tag}\b", re.IGNORECASE).search(page, at)
            at = ending.start() if ending else len(page)
        else:
            reader.start(tag, page[name.end() : min(end, name.end() + LONGEST_TAG)])
    else:
        reader.add_text(page[at:])
    reader.end_line()
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(reader.lines)).strip("\n")
    return Markup(text, " ".join(reader.hidden), " ".join(reader.struck))


class _Reader:
    """Lines as they are put together.

    Attributes:
        elements: those that are open, the innermost last; `counts` has how many of each name.
        depth: quotes around the words; `hidden_depth` and `struck_depth` likewise.
        heading: what stands in Gmail's heading of a quote, while it is open.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []
        self.hidden: list[str] = []
        self.struck: list[str] = []
        self.elements: list[_Element] = []
        self.counts: dict[str, int] = {}
        self.depth = 0
        self.hidden_depth = 0
        self.struck_depth = 0
        self.heading = ""

    def start(self, name: str, attributes: str) -> None:
        while self.elements and name in ENDED_BY.get(self.elements[-1].name, ()):
            self._close()
        if name == "br":
            self.end_line(blank=True)
            return
        found = {key.lower(): value.strip("\"'") for key, value in ATTRIBUTE.findall(attributes)}
        style, classes = found.get("style", ""), found.get("class", "").lower().split()
        is_cited = "cite" in found or found.get("type", "").lower() == "cite"
        # Gmail and Outlook indent with a blockquote that has no border.
        is_quote = bool(QUOTE_CLASSES.intersection(classes)) or (
            name == "blockquote" and (is_cited or not NO_BORDER.search(style))
        )
        own_id = found.get("id", "").lower().removeprefix("x_")
        is_rest_quoted = own_id in REST_IS_QUOTED or OUTLOOK_BORDER.search(style)
        if name in BLOCKS or is_quote or is_rest_quoted:
            self.end_line()
        self.depth += bool(is_rest_quoted)
        if name in VOID:
            return
        element = _Element(
            name,
            is_quote=is_quote,
            is_hidden="hidden" in found or bool(HIDDEN.search(style)),
            is_struck=name in STRUCK or bool(LINE_THROUGH.search(style)),
            is_gmail_heading="gmail_attr" in classes,
        )
        self.depth += element.is_quote
        self.hidden_depth += element.is_hidden
        self.struck_depth += element.is_struck
        if element.is_gmail_heading:
            self.heading = ""
        self.elements.append(element)
        self.counts[name] = self.counts.get(name, 0) + 1

    def end(self, name: str) -> None:
        """Close the innermost element of that name; one that is no block does not close blocks."""
        if name == "br" or (name == "p" and not self.counts.get("p")):
            self.end_line(blank=True)
            return
        if not self.counts.get(name):
            return
        if name not in BLOCKS:
            near = [element.name for element in self.elements[-MOST_OPEN:]]
            while near and near[-1] != name and near[-1] not in BLOCKS:
                near.pop()
            if not near or near[-1] != name:
                return
        while self._close() != name:
            pass

    def _close(self) -> str:
        element = self.elements.pop()
        name = element.name
        self.counts[name] -= 1
        if name in BLOCKS or element.is_quote:
            self.end_line()
            if name in ("p", "table", "ul", "ol") and self.lines and self.lines[-1]:
                self.end_line(blank=True)
        elif name in ("td", "th"):
            self.words.append(" ")
        self.depth -= element.is_quote
        self.hidden_depth -= element.is_hidden
        self.struck_depth -= element.is_struck
        if element.is_gmail_heading and FORWARDED.match(self.heading) and self.elements:
            # A letter that is passed on stands below, in the same block.
            self.depth += not self.elements[-1].is_quote
            self.elements[-1].is_quote = True
        return name

    def add_text(self, text: str) -> None:
        if not text:
            return
        text = html.unescape(text)
        if self.hidden_depth or self.struck_depth:
            if text.strip():
                (self.hidden if self.hidden_depth else self.struck).append(text.strip())
            return
        if not self.counts.get("pre") and not self.counts.get("textarea"):
            # A line break of the source is a space; `A PAR -` and `BUR` below it are one order.
            text = re.sub(r"[\n\r\t]", " ", text)
        for number, line in enumerate(text.split("\n")):
            if number:
                self.end_line(blank=True)
            self.words.append(line)
        if self.depth:
            self.heading = (self.heading + text)[:200]

    def end_line(self, *, blank: bool = False) -> None:
        """End the line if anything stands in it, or in any case."""
        line = " ".join("".join(self.words).replace("\u00a0", " ").split())
        self.words.clear()
        if line or blank:
            self.lines.append(f"{'> ' * min(self.depth, DEEPEST_QUOTE)}{line}".rstrip())
