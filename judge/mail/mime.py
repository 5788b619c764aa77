"""From the bytes of a letter to its headers and its plain text: parts, encodings, charsets.

The standard library's parser recurses with the depth of the parts (1000 nested ones lose the whole
letter) and takes quadratic time for some boundaries and parameters. This one takes linear time, is
bounded in depth and number, and never raises: what cannot be read becomes U+FFFD, and the letter is
still answered. Knows nothing of orders, nor of what is quoted in plain text.
"""

import base64
import binascii
import codecs
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice

import msgspec

from judge.mail.markup import text_of_html
from judge.mail.words import mail_words

LONGEST_HEADERS = 32_768  # bytes of a header block; RFC 5322 sets none, real letters have 2-10 kB
LONGEST_PARAMETERS = 2_000  # characters of a Content-Type that are looked at
MOST_PARTS = 200  # of a multipart
MOST_DEPTH = 20
MOST_LEAVES = 400
MOST_TEXT = 262_144  # characters that are read of a letter's text
MOST_LINES = 20_000
SOFT_BREAK_COLUMNS = 40  # a line that a program broke is longer than that
BLANK_LINE = re.compile(rb"\r?\n\r?\n|\A\r?\n")
LINE_END = re.compile(r"\r\n|\r|\n")
FIELD = re.compile(r"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
KIND = re.compile(r"\s*([a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+)", re.IGNORECASE)
PARAMETER = re.compile(r";\s*([^\s;=\"]{1,60})\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;\"]*))")
NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
ENCODED_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bq])\?([^?]{0,2000})\?=", re.IGNORECASE)
BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")
# Names that say nothing: the bytes themselves tell more.
UNNAMED = frozenset({"", "us-ascii", "ascii", "unknown-8bit", "default", "x-unknown", "binary"})
# What senders in languages of one byte a letter name, and the codec of what they send.
CHARSETS = {
    "iso-8859-1": "cp1252",
    "iso8859-1": "cp1252",
    "latin1": "cp1252",
    "utf8mb4": "utf-8",
    "unicode-1-1-utf-7": "utf-7",
}
# Codecs of the language that are no charset of a letter; some take quadratic time.
NO_CHARSETS = frozenset(
    {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
)
LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters, the byte order mark, and halves of surrogate pairs (UTF-7 can name them).
NOISE = re.compile("[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff\ud800-\udfff]")


class Part(msgspec.Struct, frozen=True):
    """A letter, or a part of one.

    Attributes:
        headers: the values of each header, topmost first: name in lower case, value on one line,
            bytes beyond ASCII as lone surrogates.
        kind: type and subtype in lower case; `text/plain` where none is given (RFC 2045 5.2).
        parameters: of the Content-Type, names in lower case.
        content: everything below the headers, still in its transfer encoding.
    """

    headers: Mapping[str, tuple[str, ...]]
    kind: str
    parameters: Mapping[str, str]
    content: bytes

    def value(self, name: str) -> str:
        """A header's topmost value; empty if there is none."""
        return self.headers[name][0] if name in self.headers else ""

    def parameter(self, name: str) -> str:
        """A parameter of the Content-Type; one that is written in pieces is put together."""
        if name in self.parameters:
            return self.parameters[name]
        pieces: list[str] = []
        while (piece := self.parameters.get(f"{name}*{len(pieces)}")) is not None:
            pieces.append(piece)
        return "".join(pieces) or self.parameters.get(f"{name}*", "").rpartition("'")[2]


class TextFound(msgspec.Struct, frozen=True):
    """The text of a letter.

    Attributes:
        charset: of the first part that it is from, as it is named there.
        is_whole: false if it goes on, or may go on, beyond what is read or was fetched of it.
    """

    text: str
    charset: str
    is_whole: bool


# --- structure ------------------------------------------------------------------------------------


def parse_part(raw: bytes) -> Part:
    """Header block and content of a letter or a part; lines that are no header are passed over."""
    gap = BLANK_LINE.search(raw)
    head, content = (raw[: gap.start()], raw[gap.end() :]) if gap else (raw, b"")
    if len(head) > LONGEST_HEADERS:
        head = head[:LONGEST_HEADERS].rpartition(b"\n")[0]
    folded: list[list[str]] = []
    for line in LINE_END.split(head.decode("ascii", "surrogateescape")):
        if line[:1] in (" ", "\t") and folded:
            folded[-1].append(line)
        else:
            folded.append([line])
    headers: dict[str, tuple[str, ...]] = {}
    for lines in folded:
        if found := FIELD.match(" ".join(lines)):
            name = found[1].lower()
            headers[name] = (*headers.get(name, ()), " ".join(found[2].split()))
    told = headers.get("content-type", ("",))[0][:LONGEST_PARAMETERS]
    kind = KIND.match(told)
    parameters: dict[str, str] = {}
    for name, quoted, plain in PARAMETER.findall(told):
        parameters.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or plain)
    return Part(headers, kind[1].lower() if kind else "text/plain", parameters, content)


def _subparts(part: Part) -> list[Part]:
    """The parts of a multipart, the first `MOST_PARTS`; its content alone if it marks none."""
    boundary = part.parameter("boundary").encode("ascii", "surrogateescape")
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
    starts: list[int] = []
    ends: list[int] = []
    for marker in line.finditer(part.content) if boundary else ():
        if starts:
            ends.append(marker.start())
        if marker[1] or len(starts) == MOST_PARTS:
            break
        starts.append(marker.end())
    if not starts:
        return [Part({}, "text/plain", {}, part.content)]
    ends += [len(part.content)] * (len(starts) - len(ends))
    # The line end before a boundary belongs to it (RFC 2046 5.1.1).
    return [
        parse_part(part.content[start:end].removesuffix(b"\n").removesuffix(b"\r"))
        for start, end in zip(starts, ends, strict=True)
    ]


def _leaves(part: Part, depth: int = 0) -> Iterator[Part]:
    """Parts without parts in their order; of alternatives the first plain one that is not blank."""
    if depth > MOST_DEPTH or part.kind.startswith("message/"):
        return  # somebody else's letter
    if not part.kind.startswith("multipart/"):
        yield part
        return
    children = [list(_leaves(child, depth + 1)) for child in _subparts(part)]
    if part.kind == "multipart/alternative":
        for leaves in children:
            if any(leaf.kind == "text/plain" and _text_of_leaf(leaf).strip() for leaf in leaves):
                children = [leaves]
                break
    for leaves in children:
        yield from leaves


# --- text -----------------------------------------------------------------------------------------


def text_of(letter: Part, *, is_cut: bool = False) -> TextFound:
    """The plain text that the writer's mail program showed them.

    Args:
        is_cut: only the letter's beginning is there. If it is a picture that was cut off, the text
            before it is whole all the same.
    """
    leaves = list(islice(_leaves(letter), MOST_LEAVES))
    dispositions = [leaf.value("content-disposition").partition(";")[0] for leaf in leaves]
    shown = [
        leaf
        for leaf, disposition in zip(leaves, dispositions, strict=True)
        if disposition.strip().lower() != "attachment"
    ]
    # Some phones attach what was written; a fair reader opens it if there is nothing else.
    for candidates in (shown, leaves):
        used: list[Part] = []
        texts: list[str] = []
        for leaf in candidates:
            # HTML counts only before any plain text.
            if leaf.kind == "text/plain" or (leaf.kind == "text/html" and not texts):
                used.append(leaf)
                found = _text_of_leaf(leaf)
                texts += [found] if found.strip() else []
        if texts:
            break
    text = "\n".join(texts)
    kept = "\n".join(text[:MOST_TEXT].split("\n", MOST_LINES)[:MOST_LINES])
    is_text_cut = is_cut and bool(leaves) and leaves[-1] in used
    return TextFound(
        kept,
        charset=used[0].parameter("charset") if used else "",
        is_whole=not is_text_cut and len(kept) == len(text),
    )


def _text_of_leaf(part: Part) -> str:
    """The text of a part; broken encodings are read as far as they go."""
    raw = part.content
    encoding = part.value("content-transfer-encoding").strip().lower()
    if encoding == "quoted-printable":
        raw = binascii.a2b_qp(raw)
    elif encoding == "base64":
        # A letter cut short, or one with text below its base64, is read as far as it is whole.
        letters = NO_BASE64.sub(b"", raw.partition(b"=")[0])
        whole = letters[: len(letters) - 1] if len(letters) % 4 == 1 else letters
        raw = binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
    text = decode_bytes(raw, part.parameter("charset"))
    if part.kind == "text/html":
        return clean(text_of_html(text)).strip("\n")
    if part.parameter("format").lower() == "flowed":
        return unflow(text, delete_space=part.parameter("delsp").lower() == "yes")
    return text


def unflow(text: str, *, delete_space: bool = False) -> str:
    """Join the soft line breaks of format=flowed (RFC 3676 4.2); quotes and `-- ` stay lines.

    A short line that ends in a space was not broken by a program: two orders must not become one.
    """
    lines: list[list[str]] = []
    is_open = False
    for line in text.split("\n"):
        bare = line.removeprefix(" ")
        is_fixed = bare.startswith(">") or bare == "-- "
        if is_open and not is_fixed:
            lines[-1].append(bare)
        else:
            lines.append([bare])
        columns = sum(2 if letter > "\u1100" else 1 for letter in bare)
        is_open = bare.endswith(" ") and not is_fixed and columns >= SOFT_BREAK_COLUMNS
        if is_open and delete_space:
            lines[-1][-1] = bare[:-1]
    return "\n".join("".join(pieces) for pieces in lines)


# --- words of headers -----------------------------------------------------------------------------


def decode_words(value: str) -> str:
    """The encoded words of a header (RFC 2047) in any charset, the rest as it stands.

    Words of one charset are joined as bytes first: many programs break a letter of two bytes
    between two of them.
    """
    if "=?" not in value:
        return value
    pieces: list[str] = []
    raw, charset, at = b"", "", 0
    value = BETWEEN_WORDS.sub(r"\1", value)
    for word in ENCODED_WORD.finditer(value):
        named = word[1].partition("*")[0].lower()  # RFC 2231 5 puts a language behind it
        if word.start() > at or named != charset:
            pieces += [_one_line(raw, charset), value[at : word.start()]]
            raw, charset = b"", named
        coded = word[3].encode("ascii", "replace")
        if word[2] in "qQ":
            raw += binascii.a2b_qp(coded, header=True)
        else:
            letters = coded.rstrip(b"=")
            try:
                raw += base64.b64decode(letters + b"=" * (-len(letters) % 4))
            except ValueError:
                raw += coded
        at = word.end()
    return "".join([*pieces, _one_line(raw, charset), value[at:]])


def unescape_bytes(part: Part, value: str) -> str:
    """A header's value, bytes that stand in it unencoded read as UTF-8 or as the letter is."""
    if value.isascii():
        return clean(value)
    raw = value.encode("ascii", "surrogateescape")
    try:
        return clean(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return _one_line(raw, part.parameter("charset"))


def _one_line(raw: bytes, charset: str) -> str:
    return " ".join(decode_bytes(raw, charset).splitlines()) if raw else ""


# --- charsets -------------------------------------------------------------------------------------


def decode_bytes(raw: bytes, charset: str) -> str:
    """The text of bytes in a named charset, with `\\n` line ends and no control characters.

    Of bytes whose charset nobody names, the shifts of ISO 2022 and then UTF-8 are tried.
    """
    codec = known_codec(charset)
    if codec:
        return clean(raw.decode(codec, "replace"))
    if b"\x1b$" in raw:
        codec = "iso2022_kr" if b"\x1b$)C" in raw else "iso2022_jp_ext"
        return clean(raw.decode(codec, "replace"))
    try:
        return clean(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return clean(raw.decode("cp1252", "replace"))


def clean(text: str) -> str:
    """Every kind of line end as `\\n`; no character that a database or a terminal trips over."""
    return NOISE.sub("", LINE_ENDS.sub("\n", text))


@lru_cache(256)
def known_codec(charset: str) -> str | None:
    """The codec behind a charset's name; None if the name says nothing, or names no text codec."""
    name = charset.strip().strip("\"';").lower()
    name = _charsets().get(name, name)
    if name in UNNAMED or not name.isascii() or not name.isprintable() or len(name) > 40:
        return None
    try:
        found = codecs.lookup(name)
        b"A".decode(found.name, "replace")  # base64, zip and rot13 are codecs too
    except (LookupError, ValueError):
        return None
    return None if found.name in NO_CHARSETS else found.name


@cache
def _charsets() -> Mapping[str, str]:
    named = (words.charsets for words in mail_words().values())
    return CHARSETS | {name: codec for charsets in named for name, codec in charsets.items()}
