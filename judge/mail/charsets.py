"""Bytes to text in whatever charset their sender named, or did not name.

Never raises: what cannot be read becomes U+FFFD, and the letter is still answered.
"""

import codecs
import re

# What senders call it and what they send: cp949 under EUC-KR, gb18030 under GB2312, and so on.
CHARSETS = {
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949",
    "ks_c_5601": "cp949",
    "ksc5601": "cp949",
    "korean": "cp949",
    "uhc": "cp949",
    "x-windows-949": "cp949",
    "gb2312": "gb18030",
    "gb_2312-80": "gb18030",
    "x-cp20936": "gb18030",
    "gbk": "gb18030",
    "x-gbk": "gb18030",
    "cn-gb": "gb18030",
    "hz-gb-2312": "hz",
    "big5": "big5hkscs",
    "cn-big5": "big5hkscs",
    "x-x-big5": "big5hkscs",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "iso-2022-jp": "iso2022_jp_ext",
    "x-euc-jp": "euc_jp",
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
}
# Names that say nothing: the bytes themselves tell more.
UNNAMED = frozenset({"", "us-ascii", "ascii", "unknown-8bit", "default", "x-unknown", "binary"})
# Codecs of the language that are no charset of a letter; some take quadratic time.
NO_CHARSETS = frozenset(
    {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
)
LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters, the byte order mark, and halves of surrogate pairs (UTF-7 can name them).
NOISE = re.compile("[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff\ud800-\udfff]")


def decode_bytes(raw: bytes, charset: str) -> str:
    """The text of bytes in a named charset, with `\\n` line ends and no control characters."""
    codec = known_codec(charset)
    return clean(raw.decode(codec, "replace") if codec else _guess(raw))


def clean(text: str) -> str:
    """Every kind of line end as `\\n`; no character that a database or a terminal trips over."""
    return NOISE.sub("", LINE_ENDS.sub("\n", text))


def known_codec(charset: str) -> str | None:
    """The codec behind a charset's name; None if the name says nothing or is unknown."""
    name = charset.strip().strip("\"';").lower()
    return None if name in UNNAMED else _codec(CHARSETS.get(name, name))


def _codec(name: str) -> str | None:
    """The name under which a text codec is known; None if there is none that we would use."""
    if not name.isascii() or not name.isprintable() or len(name) > 40:
        return None
    try:
        found = codecs.lookup(name)
    except LookupError:
        return None
    if found.name in NO_CHARSETS or not _is_text(found):
        return None
    return found.name


def _is_text(found: codecs.CodecInfo) -> bool:
    """No base64, zip or rot13, which are codecs too."""
    try:
        b"A".decode(found.name, "replace")
    except (LookupError, ValueError):
        return False
    return True


def _guess(raw: bytes) -> str:
    if b"\x1b$" in raw:  # only the ISO 2022 family shifts so
        return raw.decode("iso2022_kr" if b"\x1b$)C" in raw else "iso2022_jp_ext", "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")
