"""From the bytes of a letter to its plain text: parts, charsets, format=flowed, HTML.

The only module that imports selectolax.
"""

import re
from collections.abc import Iterator
from email.message import Message

from selectolax.lexbor import LexborHTMLParser

MOST_PARTS = 200
MOST_DEPTH = 20
MOST_TEXT = 262_144  # characters that are read of a letter's text
MOST_HTML = 1_000_000
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
BLOCKS = "p,div,li,tr,h1,h2,h3,h4,h5,h6,blockquote,pre,table,ul,ol,hr"


def decode_bytes(raw: bytes, charset: str) -> str:
    """The text of bytes in a named charset; never raises, what cannot be read becomes U+FFFD."""
    name = charset.strip().strip("\"'").lower()
    if name in ("", "us-ascii", "ascii", "unknown-8bit"):
        return _guess(raw)
    try:
        return raw.decode(CHARSETS.get(name, name), "replace")
    except (LookupError, ValueError):
        return _guess(raw)


def _guess(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def text_of(message: Message) -> str:
    """The letter's plain text: its first text part, else its first HTML part made plain."""
    plain, html = "", ""
    for part in _parts(message, 0):
        kind = part.get_content_type()
        if kind == "text/plain" and not plain.strip():
            plain = _plain(part)
        elif kind == "text/html" and not html:
            html = _content(part)
    text = plain if plain.strip() else text_of_html(html)
    return text.replace("\r\n", "\n").replace("\r", "\n")[:MOST_TEXT]


def _parts(message: Message, depth: int) -> Iterator[Message]:
    """Text parts in their order, without attachments, to a bounded depth and number."""
    if depth > MOST_DEPTH:
        return
    payload = message.get_payload()
    if isinstance(payload, list):
        if message.get_content_type() == "message/rfc822":
            return  # somebody else's letter
        for part in payload[:MOST_PARTS]:
            if isinstance(part, Message):
                yield from _parts(part, depth + 1)
    elif not _is_attachment(message):
        yield message


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
    """The words of an HTML letter, a line for each block, quoted blocks with `> `."""
    if not html.strip():
        return ""
    tree = LexborHTMLParser(html[:MOST_HTML])
    tree.strip_tags(["script", "style", "head", "title"])
    for quote in tree.css("blockquote, .gmail_quote, #divRplyFwdMsg, .moz-cite-prefix"):
        quote.insert_before("\n\ue000\n")  # a mark from the private area; the rest is quoted
    for line_break in tree.css("br"):
        line_break.replace_with("\n")
    for block in tree.css(BLOCKS):
        block.insert_before("\n")
        block.insert_after("\n")
    root = tree.body or tree.root
    text = root.text(deep=True) if root is not None else ""
    return _with_quotes(text)


def _with_quotes(text: str) -> str:
    lines = [re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in text.splitlines()]
    if "\ue000" in lines:
        at = lines.index("\ue000")
        lines = lines[:at] + [f"> {line}" for line in lines[at + 1 :] if line != "\ue000"]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
