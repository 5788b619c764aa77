"""From the parts of a letter to its plain text: which part counts, format=flowed, HTML.

The only module that imports selectolax. Knows nothing of orders, nor what is quoted in plain text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

from judge.mail.charsets import clean, decode_bytes
from judge.mail.parts import Part, decoded, subparts

MOST_DEPTH = 20
MOST_LEAVES = 400
MOST_TEXT = 262_144  # characters that are read of a letter's text
MOST_LINES = 20_000
MOST_TAGS = 6_000  # nested blocks take the HTML parser quadratic time: 0.03 s for so many
SOFT_BREAK_COLUMNS = 40  # a line that a program broke is longer than that
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


@dataclass(frozen=True, slots=True)
class TextFound:
    """The text of a letter.

    Attributes:
        charset: of the first part that it is from, as it is named there.
        is_whole: false if it goes on, or may go on, beyond what is read or was fetched of it.
    """

    text: str
    charset: str
    is_whole: bool


def text_of(letter: Part, *, is_cut: bool = False) -> TextFound:
    """The plain text that the writer's mail program showed him.

    Args:
        is_cut: only the letter's beginning is there. If it is a picture that was cut off, the text
            before it is whole all the same.
    """
    leaves = list(islice(_leaves(letter, 0), MOST_LEAVES))
    shown = [leaf for leaf in leaves if leaf.disposition != "attachment"]
    # Some phones attach what was written; a fair reader opens it if there is nothing else.
    used, text = _text_of_leaves(shown)
    if not text.strip():
        used, text = _text_of_leaves(leaves)
    is_text_cut = is_cut and bool(leaves) and leaves[-1] in used
    kept = "\n".join(text[:MOST_TEXT].split("\n", MOST_LINES)[:MOST_LINES])
    return TextFound(
        kept,
        charset=used[0].parameter("charset") if used else "",
        is_whole=not is_text_cut and len(kept) == len(text),
    )


def _leaves(part: Part, depth: int) -> Iterator[Part]:
    """Text parts in their order; of alternatives the first plain one that is not blank."""
    if depth > MOST_DEPTH or part.kind.startswith("message/"):
        return  # somebody else's letter
    if not part.kind.startswith("multipart/"):
        yield part
        return
    children = [list(_leaves(child, depth + 1)) for child in subparts(part)]
    if part.kind == "multipart/alternative":
        yield from _best(children)
        return
    for leaves in children:
        yield from leaves


def _best(alternatives: list[list[Part]]) -> list[Part]:
    for leaves in alternatives:
        if any(leaf.kind == "text/plain" and _plain(leaf).strip() for leaf in leaves):
            return leaves
    return [leaf for leaves in alternatives for leaf in leaves]


def _text_of_leaves(leaves: list[Part]) -> tuple[list[Part], str]:
    """The text, and the parts it is from: HTML counts only before any plain text."""
    texts: list[str] = []
    used: list[Part] = []
    for leaf in leaves:
        if leaf.kind == "text/plain":
            text = _plain(leaf)
        elif leaf.kind == "text/html" and not texts:
            text = text_of_html(decode_bytes(decoded(leaf), leaf.parameter("charset")))
        else:
            continue
        used.append(leaf)
        if text.strip():
            texts.append(text)
    return used, "\n".join(texts)


def _plain(part: Part) -> str:
    text = decode_bytes(decoded(part), part.parameter("charset"))
    if part.parameter("format").lower() != "flowed":
        return text
    return unflow(text, delete_space=part.parameter("delsp").lower() == "yes")


def unflow(text: str, *, delete_space: bool = False) -> str:
    """Join the soft line breaks of format=flowed (RFC 3676 4.2); quotes and `-- ` stay lines.

    A short line that ends in a space was not broken by a program: two orders must not become one.
    """
    lines: list[list[str]] = []
    is_open = False
    for line in text.split("\n"):
        bare = line[1:] if line.startswith(" ") else line
        is_fixed = bare.startswith(">") or bare == "-- "
        if is_open and not is_fixed:
            lines[-1].append(bare)
        else:
            lines.append([bare])
        is_open = bare.endswith(" ") and not is_fixed and _columns(bare) >= SOFT_BREAK_COLUMNS
        if is_open and delete_space:
            lines[-1][-1] = bare[:-1]
    return "\n".join("".join(pieces) for pieces in lines)


def _columns(line: str) -> int:
    return sum(2 if letter > "\u1100" else 1 for letter in line)


# --- HTML -----------------------------------------------------------------------------------------


def text_of_html(html: str) -> str:
    """The words of an HTML letter, a line for each block, quoted blocks marked with `> `."""
    tag = next(islice(re.finditer("<[A-Za-z]", html), MOST_TAGS, None), None)
    root = LexborHTMLParser(html[: tag.start()] if tag else html).body
    if root is None:
        return ""
    page = _Page()
    _walk(root, page)
    page.end_line()
    return re.sub(r"\n{3,}", "\n\n", clean("\n".join(page.lines))).strip("\n")


@dataclass(slots=True)
class _Page:
    """Lines as they are put together; `depth` counts the quotes we are in."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    depth: int = 0

    def end_line(self, *, blank: bool = False) -> None:
        """End the line if anything stands in it, or in any case."""
        line = " ".join("".join(self.words).replace("\u00a0", " ").split())
        self.words.clear()
        if line or blank:
            self.lines.append(f"{'> ' * min(self.depth, 3)}{line}".rstrip())


def _walk(root: LexborNode, page: _Page) -> None:
    """All nodes in their order, without recursion: letters come nested thousands deep."""
    entered: list[tuple[LexborNode, bool, Iterator[LexborNode]]] = []
    _enter(root, page, entered)
    while entered:
        node, is_quote, children = entered[-1]
        child = next(children, None)
        if child is not None:
            _enter(child, page, entered)
            continue
        entered.pop()
        _leave(node, page)
        page.depth -= is_quote


def _enter(
    node: LexborNode, page: _Page, entered: list[tuple[LexborNode, bool, Iterator[LexborNode]]]
) -> None:
    tag = node.tag or ""
    if tag == "-text":
        _add_text(node, page)
    elif tag == "br":
        page.end_line(blank=True)
    elif not tag.startswith("-") and tag not in UNSEEN and not _is_hidden(node):
        if tag in BLOCKS:
            page.end_line()
        if _attribute(node, "id") in REST_IS_QUOTED:
            page.end_line()
            page.depth += 1
        is_quote = _is_quote(node, tag)
        if is_quote:
            page.end_line()
        page.depth += is_quote
        entered.append((node, is_quote, node.iter(include_text=True)))


def _leave(node: LexborNode, page: _Page) -> None:
    if node.tag in BLOCKS or _is_quote(node, node.tag or ""):
        page.end_line()
        if node.tag in ("p", "table", "ul", "ol") and page.lines and page.lines[-1]:
            page.end_line(blank=True)
    elif node.tag in ("td", "th"):
        page.words.append(" ")


def _add_text(node: LexborNode, page: _Page) -> None:
    text = node.text_content or ""
    parent = node.parent
    if parent is None or parent.tag not in ("pre", "textarea"):
        # A line break of the source is a space; `A PAR -` and `BUR` below it are one order.
        page.words.append(re.sub(r"[\n\r\t]", " ", text))
        return
    for number, line in enumerate(text.split("\n")):
        if number:
            page.end_line(blank=True)
        page.words.append(line)


def _attribute(node: LexborNode, name: str) -> str:
    return (node.attributes.get(name) or "").lower()


def _is_hidden(node: LexborNode) -> bool:
    return bool(HIDDEN.search(_attribute(node, "style")))


def _is_quote(node: LexborNode, tag: str) -> bool:
    if QUOTE_CLASSES.intersection(_attribute(node, "class").split()):
        return True
    if tag != "blockquote":
        return False
    # Gmail and Outlook indent with a blockquote that has no border.
    is_cited = "cite" in node.attributes or _attribute(node, "type") == "cite"
    return is_cited or not NO_BORDER.search(_attribute(node, "style"))
