"""The words of an HTML letter as lines. The only module that imports selectolax."""

import re
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_TAGS = 6_000  # nested blocks take the HTML parser quadratic time: 0.03 s for so many
DEEPEST_QUOTE = 3  # marks of quotation before a line
BLOCK_NAMES = (
    "address article blockquote body center dd div dl dt fieldset footer form h1 h2 h3 h4 h5 h6 "
    "header hr li main ol p pre section table tbody tfoot thead tr ul"
)
BLOCKS = frozenset(BLOCK_NAMES.split())
UNSEEN = frozenset({"head", "noscript", "script", "style", "template", "title"})
# Where programs mark what is quoted. Gmail's div.gmail_quote is no such place: replies between the
# quoted lines stand inside it.
QUOTE_CLASSES = frozenset({"gmail_attr", "moz-cite-prefix", "yahoo_quoted"})
# All below these is quoted (Outlook on the web, on phones, and its newer kin).
REST_IS_QUOTED = frozenset(
    {"appendonsend", "divrplyfwdmsg", "mail-editor-reference-message-container"}
)
HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all", re.IGNORECASE)
NO_BORDER = re.compile(r"border(?:-left)?\s*:\s*(?:none|0)", re.IGNORECASE)


def text_of_html(html: str) -> str:
    """The words of an HTML letter, a line for each block, quoted blocks marked with `> `."""
    tag = next(islice(re.finditer("<[A-Za-z]", html), MOST_TAGS, None), None)
    root = LexborHTMLParser(html[: tag.start()] if tag else html).body
    if root is None:
        return ""
    page = _Page()
    page.walk(root)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(page.lines)).strip("\n")


class _Page:
    """Lines as they are put together; `depth` counts the quotes around the words."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.words: list[str] = []
        self.depth = 0

    def walk(self, root: LexborNode) -> None:
        """All nodes in their order, without recursion: letters come nested thousands deep."""
        is_quote = self.enter(root)
        entered: list[tuple[LexborNode, bool, Iterator[LexborNode]]] = []
        if is_quote is not None:
            entered.append((root, is_quote, root.iter(include_text=True)))
        while entered:
            node, is_quote, children = entered[-1]
            child = next(children, None)
            if child is None:
                entered.pop()
                self.leave(node, is_quote=is_quote)
            elif (is_quote := self.enter(child)) is not None:
                entered.append((child, is_quote, child.iter(include_text=True)))
        self.end_line()

    def enter(self, node: LexborNode) -> bool | None:
        """Whether the element quotes; None if there is nothing to see inside."""
        tag = node.tag or ""
        if tag == "-text":
            self.add_text(node)
            return None
        if tag == "br":
            self.end_line(blank=True)
            return None
        if tag.startswith("-") or tag in UNSEEN or HIDDEN.search(_attribute(node, "style")):
            return None
        is_quote = bool(QUOTE_CLASSES.intersection(_attribute(node, "class").split()))
        if tag == "blockquote" and not is_quote:
            # Gmail and Outlook indent with a blockquote that has no border.
            is_cited = "cite" in node.attributes or _attribute(node, "type") == "cite"
            is_quote = is_cited or not NO_BORDER.search(_attribute(node, "style"))
        is_rest_quoted = _attribute(node, "id") in REST_IS_QUOTED
        if tag in BLOCKS or is_quote or is_rest_quoted:
            self.end_line()
        self.depth += is_quote + is_rest_quoted
        return is_quote

    def leave(self, node: LexborNode, *, is_quote: bool) -> None:
        if node.tag in BLOCKS or is_quote:
            self.end_line()
            if node.tag in ("p", "table", "ul", "ol") and self.lines and self.lines[-1]:
                self.end_line(blank=True)
        elif node.tag in ("td", "th"):
            self.words.append(" ")
        self.depth -= is_quote

    def add_text(self, node: LexborNode) -> None:
        text = node.text_content or ""
        if node.parent is None or node.parent.tag not in ("pre", "textarea"):
            # A line break of the source is a space; `A PAR -` and `BUR` below it are one order.
            text = re.sub(r"[\n\r\t]", " ", text)
        for number, line in enumerate(text.split("\n")):
            if number:
                self.end_line(blank=True)
            self.words.append(line)

    def end_line(self, *, blank: bool = False) -> None:
        """End the line if anything stands in it, or in any case."""
        line = " ".join("".join(self.words).replace("\u00a0", " ").split())
        self.words.clear()
        if line or blank:
            self.lines.append(f"{'> ' * min(self.depth, DEEPEST_QUOTE)}{line}".rstrip())


def _attribute(node: LexborNode, name: str) -> str:
    return (node.attributes.get(name) or "").lower()
