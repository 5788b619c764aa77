"""From the bytes of a letter to its plain text: parts, charsets, format=flowed, HTML.

The only module that imports selectolax.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from email.message import Message
from typing import Any

from selectolax.lexbor import LexborHTMLParser

MOST_PARTS = 200
MOST_DEPTH = 20
MOST_TEXT = 262_144  # characters that are read of a letter's text
MOST_HTML = 1_000_000
DEEPEST_HTML = 1000  # open elements; the parser's time grows with their square
TAG = re.compile(
    r"<(/?)(?!(?:br|img|hr|input|meta|link|col|wbr|p|li|td|th|tr|dt|dd|option)\b)[a-z][a-z0-9:]*",
    re.IGNORECASE,
)
# What senders call it and what they send: cp949 under EUC-KR, gb18030 under GB2312, and so on.
CHARSETS = {
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "ksc5601": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "unknown-8bit": "utf-8",
}
# Codecs of the standard library that no mail program means, some of them slow on purpose.
NO_CHARSETS = ("idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape")
# fmt: off
BLOCKS = frozenset((
    "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "table", "ul",
    "ol", "hr", "dt", "dd", "section", "article",
))
# fmt: on
UNSEEN = frozenset(("script", "style", "head", "title", "template", "noscript"))
# What programs mark as quoted besides <blockquote>: Gmail, Thunderbird, Yahoo, Proton.
QUOTES = frozenset(("gmail_attr", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote"))
OUTLOOK_REST = "divRplyFwdMsg"  # Outlook: from this element on, all is the letter below


def decode_bytes(raw: bytes, charset: str) -> str:
    """The text of bytes in a named charset; never raises, what cannot be read becomes U+FFFD."""
    name = charset.strip().strip("\"'").lower()
    if name in ("", "us-ascii", "ascii", "unknown-8bit"):
        return _guess(raw)
    try:
        codec = codecs.lookup(CHARSETS.get(name, name)).name
        text = _guess(raw) if codec in NO_CHARSETS else raw.decode(codec, "replace")
        return text.encode("utf-8", "replace").decode()  # UTF-7 can spell half a character
    except (LookupError, ValueError):
        return _guess(raw)


def _guess(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def text_of(message: Message) -> str:
    """The letter's plain text: of alternatives the plain one, HTML only where there is no other.

    Texts that stand one after another are joined: some programs split a letter at its pictures.
    """
    text = _text_of(message, 0).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.removeprefix("\ufeff")[:MOST_TEXT]


def charset_of(message: Message) -> str:
    """The charset that the first text part names, lower case; empty if none."""
    texts = (part for part in message.walk() if part.get_content_maintype() == "text")
    return next((_charset(part).lower() for part in texts), "")


def _text_of(part: Message, depth: int) -> str:
    kind = part.get_content_type()
    if depth > MOST_DEPTH or kind.startswith("message/") or _is_attachment(part):
        return ""
    payload = part.get_payload()
    if isinstance(payload, list):
        inner = [one for one in payload[:MOST_PARTS] if isinstance(one, Message)]
        if kind == "multipart/alternative":
            return _best_of(inner, depth + 1)
        texts = (_text_of(one, depth + 1) for one in inner)
        return "\n".join(text for text in texts if text.strip())
    if kind == "text/plain":
        return _plain(part)
    return text_of_html(_content(part)) if kind == "text/html" else ""


def _best_of(alternatives: Sequence[Message], depth: int) -> str:
    plain = (one for one in alternatives if one.get_content_type() == "text/plain")
    others = (one for one in alternatives if one.get_content_type() != "text/plain")
    for part in (*plain, *others):
        text = _text_of(part, depth)
        if text.strip():
            return text
    return ""


def _is_attachment(part: Message) -> bool:
    return str(part.get("Content-Disposition", "")).strip().lower().startswith("attachment")


def _content(part: Message) -> str:
    try:
        raw = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        raw = None
    if not isinstance(raw, bytes):
        return ""
    return decode_bytes(raw, _charset(part))


def _charset(part: Message) -> str:
    try:
        return str(part.get_param("charset", "", header="content-type", unquote=True) or "")
    except (ValueError, LookupError, IndexError, TypeError):
        return ""


def _plain(part: Message) -> str:
    text = _content(part)
    try:
        flowed = str(part.get_param("format", "")).lower() == "flowed"
        delete_space = str(part.get_param("delsp", "")).lower() == "yes"
    except (ValueError, LookupError, IndexError, TypeError):
        return text
    return unflow(text, delete_space=delete_space) if flowed else text


def unflow(text: str, *, delete_space: bool = False) -> str:
    """Join the soft line breaks of format=flowed (RFC 3676 4.2); quotes and `-- ` stay lines."""
    lines: list[str] = []
    is_open = False
    for line in text.splitlines():
        bare = line[1:] if line.startswith(" ") else line
        if is_open and not bare.startswith(">") and bare != "-- ":
            joint = lines[-1][:-1] if delete_space else lines[-1]
            lines[-1] = joint + bare
        else:
            lines.append(bare)
        is_open = bare.endswith(" ") and bare != "-- " and not bare.startswith(">")
    return "\n".join(lines)


def text_of_html(html: str) -> str:
    """The words of an HTML letter, a line for each block, what is marked as quoted with `> `."""
    tree = LexborHTMLParser(_not_too_deep(html[:MOST_HTML]))
    root = tree.body or tree.root
    if not html.strip() or root is None:
        return ""
    lines: list[str] = [""]
    for words in _pieces(root):
        if words == "\n":
            lines.append("")
        else:
            lines[-1] += words
    text = "\n".join(re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _not_too_deep(html: str) -> str:
    depth = 0
    for tag in TAG.finditer(html):
        depth += -1 if tag[1] else 1
        if depth > DEEPEST_HTML:
            return html[: tag.start()]
    return html


def _pieces(root: Any) -> Iterator[str]:
    """Words and line breaks in their order; `> ` opens each quoted line that holds words."""
    quotes = preformatted = 0
    is_rest = starts_line = False
    for node, is_entry in _walk(root):
        if not node.is_element_node:
            text = node.text_content if is_entry and node.is_text_node else ""
            for words in _text_pieces(text or "", is_kept=preformatted > 0):
                if (quotes or is_rest) and starts_line and words.strip():
                    yield "> "
                starts_line = words == "\n" or (starts_line and not words.strip())
                yield words
            continue
        step = 1 if is_entry else -1
        is_rest = is_rest or node.attributes.get("id") == OUTLOOK_REST
        quotes += step * _is_quote(node)
        preformatted += step * (node.tag == "pre")
        if node.tag in BLOCKS or (node.tag == "br" and is_entry) or _is_quote(node):
            starts_line = True
            yield "\n"
        elif node.tag == "td" and not is_entry:
            yield " "


def _walk(root: Any) -> Iterator[tuple[Any, bool]]:
    """Every node at its start (True) and its end; no recursion, for HTML may nest without limit."""
    node, end = root, root.mem_id
    while True:
        yield node, True
        inner = None if node.tag in UNSEEN else node.child
        if inner is not None:
            node = inner
            continue
        while True:
            yield node, False
            if node.mem_id == end:  # comparing nodes compares their HTML
                return
            if node.next is not None:
                node = node.next
                break
            node = node.parent


def _is_quote(node: Any) -> bool:
    classes = (node.attributes.get("class") or "").split()
    return node.tag == "blockquote" or not QUOTES.isdisjoint(classes)


def _text_pieces(text: str, *, is_kept: bool) -> Iterator[str]:
    """In HTML a line break in the source is a space, but in <pre> it is a line break."""
    if not is_kept:
        yield re.sub(r"\s+", " ", text)
        return
    for number, line in enumerate(text.splitlines()):
        if number:
            yield "\n"
        yield line
