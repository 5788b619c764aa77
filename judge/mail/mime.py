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
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import cache, lru_cache
from itertools import islice

import msgspec

from judge.data import read_text
from judge.mail.markup import read_html
from judge.mail.words import mail_words

LONGEST_HEADERS = 32_768  # bytes of a header block; RFC 5322 sets none, real letters have 2-10 kB
LONGEST_PARAMETERS = 2_000  # characters of a Content-Type that are looked at
MOST_PARTS = 200  # of a multipart
MOST_DEPTH = 20
MOST_LEAVES = 400
MOST_UNREAD = 50  # parts that are told one by one
MOST_TEXT = 262_144  # characters that are read of a letter's text
MOST_LINES = 20_000
LONGEST_UNREAD = 2_000  # characters that are kept of what was not read
SOFT_BREAK_COLUMNS = 40  # a line that a program broke is longer than that
BLANK_LINE = re.compile(rb"\r?\n\r?\n|\A\r?\n")
HEADER_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
FIELD = re.compile(r"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
# Below a line that is no header these show that more headers follow.
USUAL_FIELD = re.compile(
    r"^(?:from|to|cc|subject|date|message-id|mime-version|received|reply-to|in-reply-to|references"
    r"|return-path|sender|(?:content|x|list|arc|dkim|authentication)-[a-z-]+)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
KIND = re.compile(r"\s*([a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+*-]+)", re.IGNORECASE)
PARAMETER = re.compile(r";\s*([^\s;=\"]{1,60})\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;\"]*))")
BOUNDARY_END = re.compile(rb"(--)?[ \t]*\r?(?:\n|\Z)")
ENCODING = re.compile(r"[a-z0-9-]+")
NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
BASE64_LINE = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
ENCODED_WORD = re.compile(r"=\?([^?\s]{1,40})\?([bq])\?([^?]{0,2000})\?=", re.IGNORECASE)
BETWEEN_WORDS = re.compile(r"(\?=)\s+(?==\?)")
DISPOSITION = "content-disposition"
NO_LETTER = re.compile(r"[\W_]+")
HTML_PAGE = re.compile(rb"\s*(?:<!doctype html|<html[\s>])", re.IGNORECASE)
META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([A-Za-z0-9_:.-]{1,40})", re.I)
# Kinds of text that are no words of a letter.
CALENDARS = frozenset({"text/calendar", "application/ics"})
CALENDAR_METHOD = re.compile(r"^METHOD:([A-Za-z]{1,20})", re.IGNORECASE | re.M | re.A)
NO_WORD_KINDS = "calendar css csv html javascript rfc822-headers rtf vcard x-amp-html x-vcard xml"
NO_WORDS = frozenset(f"text/{kind}" for kind in NO_WORD_KINDS.split())
_DATA = tomllib.loads(read_text("config", "mail.toml"))  # it explains what each is
UNNAMED, NO_CHARSETS, WESTERN = map(frozenset, _DATA["charsets"].values())
CHARSETS: Mapping[str, str] = _DATA["codecs"]
LEAST_WIDE = 6  # bytes beyond ASCII, by which a Western charset may be doubted
LETTERS_SAMPLE = 2_000  # letters beyond ASCII by which a charset is judged
LEAST_LIKELY = 0.7  # of them are common letters of a language, if the charset is the right one
MOST_UNLIKELY = 0.5  # or fewer are, if it is a wrong one
LEAST_LETTERS = 4  # by which a charset that is named may be doubted
PRIVATE = re.compile(r"[\ue000-\uf8ff]")  # nobody's letters: the bytes are of another charset
LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Control characters, the byte order mark, and halves of surrogate pairs (UTF-7 can name them).
# Also what is not seen and can stand inside a word: soft hyphens, marks of direction, fillers.
# Joiners and U+200C stay: emoji and some scripts are made with them.
NOISE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\ufeff\uffa0\ufff9-\ufffc\ud800-\udfff]"
)
BLANKS = str.maketrans("\u2800\u3164", "  ")


class UnreadKind(StrEnum):
    """Why something in a letter was not read."""

    QUOTE = "quote"
    OUR_LETTER = "our_letter"  # lines of the letter that is answered, not marked as quoted
    SIGNATURE = "signature"
    SIGN_OFF = "sign_off"  # what stands below it
    SUBJECT = "subject"  # of a letter that is no reply
    ATTACHMENT = "attachment"  # its text is the name of the file, or its kind
    FORWARDED = "forwarded"  # a whole letter inside; its text is the subject
    OTHER_TEXT = "other_text"  # an HTML part beside the plain text
    HIDDEN = "hidden"  # by the style of an HTML letter
    STRUCK = "struck"  # through
    REMARKS = "remarks"  # between COMMENT BEGIN and END
    LIMIT = "limit"  # parts beyond those that are read


class Unread(msgspec.Struct, frozen=True):
    """Something in a letter that was not read; its text is cut at `LONGEST_UNREAD`."""

    kind: UnreadKind
    text: str


class Part(msgspec.Struct, frozen=True):
    """A letter, or a part of one."""

    # The topmost value of each header: name in lower case, value on one line, bytes beyond ASCII as
    # lone surrogates.
    headers: Mapping[str, str]
    kind: str  # type and subtype in lower case; `text/plain` where none is given (RFC 2045 5.2)
    # Of the Content-Type, names in lower case; one that is written in pieces (RFC 2231 3) is put
    # together.
    parameters: Mapping[str, str]
    content: bytes  # everything below the headers, still in its transfer encoding
    # The further values of headers that stand there more than once.
    repeated: Mapping[str, tuple[str, ...]] = {}


class TextFound(msgspec.Struct, frozen=True):
    """The text of a letter."""

    text: str
    charset: str  # of the first part that it is from, as it is named there
    is_whole: bool  # false if it goes on, or may go on, beyond what is read or was fetched of it
    unread: tuple[Unread, ...]


# --- structure ------------------------------------------------------------------------------------


def parse_letter(raw: bytes) -> Part:
    """A letter's headers and content, in whatever line ends and with blank lines first."""
    start = raw[:4_000]
    if b"\n" not in start:
        raw = raw.replace(b"\r", b"\n")
    elif b"\r\r\n" in start:
        raw = raw.replace(b"\r\r\n", b"\r\n")
    return parse_part(raw.removeprefix(codecs.BOM_UTF8).lstrip(b"\r\n"))


def header_block(raw: bytes) -> bytes:
    """A letter's header block, as far as it is looked at, without its content."""
    start = raw.lstrip(b"\r\n")[:LONGEST_HEADERS]
    gap = BLANK_LINE.search(start)
    return start[: gap.start()] + b"\r\n\r\n" if gap else start


def parse_part(raw: bytes) -> Part:
    """Header block and content of a letter or a part.

    A line that is no header is passed over if headers follow; else the content begins there, and
    its sender left out the blank line.
    """
    gap = BLANK_LINE.search(raw)
    end, begin = (gap.start(), gap.end()) if gap else (len(raw), len(raw))
    head = raw[:end].decode("ascii", "surrogateescape")
    if end > LONGEST_HEADERS:
        head = head[:LONGEST_HEADERS].rpartition("\n")[0]
    last_usual = max((found.start() for found in USUAL_FIELD.finditer(head)), default=-1)
    folded: list[list[str]] = []
    for line in HEADER_LINE.finditer(head):
        if line[1][:1] in (" ", "\t") and folded:
            folded[-1].append(line[1])
        elif FIELD.match(line[1]):
            folded.append([line[1]])
        elif line[1] and line.start() > last_usual:
            if folded:
                begin = line.start()
            break
    headers: dict[str, str] = {}
    repeated: dict[str, tuple[str, ...]] = {}
    told = ""
    for lines in folded:
        name, _, value = " ".join(lines).partition(":")
        name = name.strip().lower()
        if name in headers:
            repeated[name] = (*repeated.get(name, ()), " ".join(value.split()))
            continue
        headers[name] = " ".join(value.split())
        if name == "content-type":
            told = value.strip()[:LONGEST_PARAMETERS]  # a boundary may hold two spaces
    kind = KIND.match(told)
    parameters: dict[str, str] = {}
    for name, quoted, plain in PARAMETER.findall(told):
        parameters.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or plain)
    for name in {one.partition("*")[0] for one in parameters if "*" in one} - parameters.keys():
        pieces: list[str] = []
        while (piece := parameters.get(f"{name}*{len(pieces)}")) is not None:
            pieces.append(piece)
        whole = "".join(pieces) or parameters.get(f"{name}*", "").rpartition("'")[2]
        parameters[name] = whole
    told_kind = kind[1].lower() if kind else "text/plain"
    return Part(headers, told_kind, parameters, raw[begin:], repeated)


def leaves_of(part: Part, unread: list[Unread] | None = None, depth: int = 0) -> Iterator[Part]:
    """Parts without parts in their order. A letter inside is one of them.

    Args:
        unread: given, if only what is shown is wanted: no letters inside, and of alternatives one.
            What is left out is added to it.
    """
    if unread is not None and part.kind.startswith("message/"):  # somebody else's letter
        if len(unread) <= MOST_UNREAD:
            letter = parse_part(part.content)
            told = letter.headers.get("subject", "")[:LONGEST_UNREAD]
            subject = decode_words(decode_header_bytes(letter, told))
            unread.append(Unread(UnreadKind.FORWARDED, subject))
        return
    if not part.kind.startswith("multipart/"):
        yield part
        return
    if depth == MOST_DEPTH:
        if unread is not None:
            unread.append(Unread(UnreadKind.LIMIT, part.kind))
        return

    # Where its parts lie, one more than are read; without any it is one text.
    boundary = part.parameters.get("boundary", "").encode("ascii", "surrogateescape")
    marker, content = b"--" + boundary, part.content
    starts: list[int] = []
    ends: list[int] = []
    at = content.find(marker) if boundary else -1
    while at >= 0:
        ending = BOUNDARY_END.match(content, at + len(marker))
        if ending and content[max(at - 1, 0) : at] in (b"", b"\n"):
            if starts:
                ends.append(at)
            if ending[1] or len(starts) > MOST_PARTS:
                break
            starts.append(ending.end())
        at = content.find(marker, at + len(marker))
    # The line end before a boundary belongs to it (RFC 2046 5.1.1).
    ends += [len(content)] * (len(starts) - len(ends))
    parts = [
        parse_part(content[start:end].removesuffix(b"\n").removesuffix(b"\r"))
        for start, end in zip(starts, ends, strict=True)
    ] or [Part({}, "text/plain", {}, content)]

    if unread is not None and len(parts) > MOST_PARTS:
        unread.append(Unread(UnreadKind.LIMIT, part.kind))
    if unread is not None and part.kind == "multipart/digest":  # letters (RFC 2046 5.1.5)
        parts = [one for one in parts if "content-type" in one.headers]
    if unread is not None and part.kind == "multipart/alternative":
        yield from _shown_alternative(parts[:MOST_PARTS], unread, depth)
        return
    for one in parts[:MOST_PARTS]:
        yield from leaves_of(one, unread, depth + 1)


def _shown_alternative(parts: Sequence[Part], unread: list[Unread], depth: int) -> Iterator[Part]:
    """The leaves of the first plain part that is not blank; else of all."""
    inside: list[list[Unread]] = [[] for _ in parts]
    children = [
        list(leaves_of(one, missing, depth + 1)) for one, missing in zip(parts, inside, strict=True)
    ]
    pages = (leaf for each in children for leaf in each if leaf.kind == "text/html")
    page = next((text_of_leaf(leaf, []) for leaf in pages), "")
    for number, leaves in enumerate(children):
        texts = (leaf for leaf in leaves if leaf.kind.startswith("text/"))
        plain = [text_of_leaf(leaf, []) for leaf in texts if leaf.kind not in NO_WORDS]
        # `Your program shows no HTML` says nothing of the page, which is longer.
        said, shown = (NO_LETTER.sub("", one) for one in ("".join(plain), page))
        if 2 * len(said) < len(shown) and said not in shown:
            children[number] = []
        elif any(text.strip() for text in plain):
            children, inside = [leaves], [inside[number]]
            break
    for leaves, missing in zip(children, inside, strict=True):
        unread += missing
        yield from leaves


def calendar_method(leaf: Part) -> str:
    """What an iCalendar part is for (RFC 5546 1.4), in lower case; empty for another part."""
    if leaf.kind not in CALENDARS:
        return ""
    named = CALENDAR_METHOD.search(text_of_leaf(leaf, []))
    return (leaf.parameters.get("method") or (named[1] if named else "")).lower()


# --- text -----------------------------------------------------------------------------------------


def text_of(letter: Part, *, is_cut: bool = False) -> TextFound:
    """The plain text that the writer's mail program showed them.

    Args:
        is_cut: only the letter's beginning is there. If it is a picture that was cut off, the text
            before it is whole all the same.
    """
    unread: list[Unread] = []
    leaves = list(leaves_of(letter, unread))
    if len(leaves) > MOST_LEAVES or len(unread) > MOST_UNREAD:
        unread[MOST_UNREAD:] = [Unread(UnreadKind.LIMIT, letter.kind)]
    leaves = leaves[:MOST_LEAVES]
    # Few parts have a name or are anything but shown.
    files = (leaf for leaf in leaves if "name" in leaf.parameters or DISPOSITION in leaf.headers)
    named = {id(leaf): name for leaf in files if (name := _file_name(leaf))}
    # Some phones attach what was written; a fair reader opens it if there is nothing else.
    for candidates in ([leaf for leaf in leaves if id(leaf) not in named], leaves):
        used: list[Part] = []
        texts: list[str] = []
        missing: list[Unread] = []
        for leaf in candidates:
            is_html = leaf.kind == "text/html"
            if not is_html and (not leaf.kind.startswith("text/") or leaf.kind in NO_WORDS):
                continue
            found = text_of_leaf(leaf, missing)
            if is_html and texts and any(one.kind != "text/html" for one in used):
                if found.strip():
                    missing.append(Unread(UnreadKind.OTHER_TEXT, found[:LONGEST_UNREAD]))
            else:
                used.append(leaf)
                texts += [found] if found.strip() else []
        if texts:
            break
    unread += missing
    for leaf in leaves:
        # Of a letter without words all that it holds is named, a photograph of orders too.
        is_file = id(leaf) in named and not leaf.kind.startswith("image/")
        is_told = (is_file or not texts) and not leaf.kind.endswith("-signature")
        if is_told and leaf not in used:
            unread.append(Unread(UnreadKind.ATTACHMENT, named.get(id(leaf), leaf.kind)))
    text = "\n".join(texts)
    kept = "\n".join(text[:MOST_TEXT].split("\n", MOST_LINES)[:MOST_LINES])
    is_text_cut = is_cut and bool(leaves) and leaves[-1] in used
    return TextFound(
        kept,
        charset=used[0].parameters.get("charset", "") if used else "",
        is_whole=not is_text_cut and len(kept) == len(text),
        unread=tuple(unread),
    )


def _file_name(leaf: Part) -> str:
    """The name of a part that is a file beside the letter, or what else it is; empty for a part
    that is shown. A disposition that nobody knows is an attachment (RFC 2183 2.8)."""
    told = leaf.headers.get(DISPOSITION, "")[:LONGEST_PARAMETERS]
    names = {key.lower(): quoted or plain for key, quoted, plain in PARAMETER.findall(told)}
    name = next((value for key, value in names.items() if key.startswith("filename")), "")
    name = decode_words(decode_header_bytes(leaf, name or leaf.parameters.get("name", "")))
    disposition = told.partition(";")[0].strip().lower()
    return name or (leaf.kind if disposition not in ("", "inline") else "")


def text_of_leaf(part: Part, unread: list[Unread]) -> str:
    """The text of a part, and in `unread` what HTML does not show; broken encodings are read as far
    as they go."""
    told = ENCODING.search(part.headers.get("content-transfer-encoding", "").lower())
    encoding = told[0] if told else ""  # some programs write more than its name
    raw = part.content
    if encoding == "quoted-printable":
        raw = binascii.a2b_qp(raw)
    elif encoding == "base64":
        raw = _from_base64(raw)
    elif encoding in ("uuencode", "x-uuencode", "x-uue"):
        raw, coded = b"", raw.partition(b"begin ")[2].splitlines()[1:]
        with suppress(binascii.Error):
            for line in coded:
                if line.strip() in (b"end", b"`"):
                    break
                raw += binascii.a2b_uu(line)
    charset = part.parameters.get("charset", "")
    if part.kind != "text/html" and not HTML_PAGE.match(raw):
        text = decode_bytes(raw, charset)
        if part.parameters.get("format", "").lower() == "flowed":
            return unflow(text, delete_space=part.parameters.get("delsp", "").lower() == "yes")
        return text
    if not charset and (meta := META_CHARSET.search(raw[:4_000])):
        charset = meta[1].decode("ascii")
    found = read_html(decode_bytes(raw, charset))
    for kind, hidden in ((UnreadKind.HIDDEN, found.hidden), (UnreadKind.STRUCK, found.struck)):
        if hidden:
            unread.append(Unread(kind, clean(hidden)[:LONGEST_UNREAD]))
    return clean(found.text)


def _from_base64(content: bytes) -> bytes:
    """Some programs name it and do not use it; then the content is taken as it stands."""
    first = content.strip().partition(b"\n")[0].strip()
    if first and not BASE64_LINE.fullmatch(first) and b" " in first:
        return content
    # One that was encoded in pieces, or cut short, or has text below, is read as far as it goes.
    pieces: list[bytes] = []
    letters = b""
    for line in content.splitlines():
        if b" " in line.strip() or (pieces and line and not BASE64_LINE.fullmatch(line.strip())):
            break
        letters += NO_BASE64.sub(b"", line.partition(b"=")[0])
        if b"=" in line:
            pieces.append(letters)
            letters = b""
    pieces.append(letters)
    return b"".join(
        binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
        for whole in (one[: len(one) - 1] if len(one) % 4 == 1 else one for one in pieces)
    )


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
            pieces += [_decode_to_one_line(raw, charset), value[at : word.start()]]
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
    return "".join([*pieces, _decode_to_one_line(raw, charset), value[at:]])


def decode_header_bytes(part: Part, value: str) -> str:
    """A header's value, bytes that stand in it unencoded read as UTF-8 or as the letter is."""
    if value.isascii():
        return clean(value)
    raw = value.encode("ascii", "surrogateescape")
    try:
        return clean(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return _decode_to_one_line(raw, part.parameters.get("charset", ""))


def _decode_to_one_line(raw: bytes, charset: str) -> str:
    return " ".join(decode_bytes(raw, charset).splitlines()) if raw else ""


# --- charsets -------------------------------------------------------------------------------------


def decode_bytes(raw: bytes, charset: str) -> str:
    """The text of bytes in a named charset, with `\\n` line ends and no control characters.

    Bytes that are UTF-8, which few others are by chance, are read so whatever their sender names.
    Where nobody names a charset, the bytes are not of the named one, or it is one of Western Europe
    whose letters make no words, the charset of East Asia is taken in which they are common letters
    of its language; so if letters of another one are rare in the named one. In doubt the named one
    stays, so that what cannot be read is shown.
    """
    codec = known_codec(charset)
    if codec and b"\0" not in raw and b"A".decode(codec, "replace") != "A":
        codec = None  # bytes of which each pair, or another table, would be a letter
    if raw.isascii() and b"\x1b$" not in raw and not codec:
        return clean(raw.decode("ascii"))
    # Only the ISO 2022 family shifts so, whatever is named.
    if raw.isascii() and b"\x1b$" in raw and not (codec or "").startswith("iso2022"):
        codec = "iso2022_kr" if b"\x1b$)C" in raw else "iso2022_jp_ext"
    elif not raw.isascii():
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            codec = _fitting_codec(raw, codec)
        else:
            # Two bytes may be a letter in the charsets of East Asia too.
            singles = ("cp125", "iso8859", "koi8", "latin", "utf-8")
            is_single = codec is None or codec.startswith(singles)
            if is_single or any(letter > "\u0800" for letter in text):
                return clean(_encoded_once(text))
    return clean(raw.decode(codec or "ascii", "replace"))


def _fitting_codec(raw: bytes, codec: str | None) -> str:
    """The named codec if the bytes can be text in it, else the likeliest, if one is likely."""
    # Of the charsets of East Asia that in which most letters are common ones of its language.
    found = [
        (one, *told) for one in _common_letters_by_charset() if (told := _share_of_common(raw, one))
    ]
    likely, share, letters = max(found, key=lambda one: one[1:], default=("", 0.0, 0))
    if share < LEAST_LIKELY:
        return codec or "cp1252"
    latin = len(re.findall(rb"(?<![\x80-\xff])[A-Za-z]", raw))
    if codec is None:
        # In French or German an accent may swallow the letter behind it and make a sign of Big5.
        return likely if 3 * letters >= latin else "cp1252"
    if codec in WESTERN:
        # Their accents stand alone, among more letters without one.
        wide = len(raw) - len(raw.translate(None, bytes(range(128, 256))))
        return likely if wide >= LEAST_WIDE and wide >= latin else codec
    named = _share_of_common(raw, codec)
    is_wrong = named is None or (
        codec in _common_letters_by_charset() and named[0] <= MOST_UNLIKELY
    )
    return likely if is_wrong and letters >= LEAST_LETTERS else codec


def _encoded_once(text: str) -> str:
    """The text whose UTF-8 was taken for letters of one byte, and made UTF-8 again."""
    for codec in ("latin-1", "cp1252"):
        try:
            once = text.encode(codec).decode("utf-8")
        except ValueError:
            continue
        return once if any(letter > "\u0800" for letter in once) else text
    return text


def _share_of_common(raw: bytes, codec: str) -> tuple[float, int] | None:
    """What share of the letters beyond ASCII is common in the charset's language, and how many
    there are; None if the bytes cannot be text in it."""
    try:
        text = raw.decode(codec)
    except UnicodeDecodeError:
        return None
    if PRIVATE.search(text):
        return None
    wide = (one for one in text if one > "\x7f" and one.isalpha())
    letters = list(islice(wide, LETTERS_SAMPLE))
    common = _common_letters_by_charset().get(codec, frozenset())
    return sum(one in common for one in letters) / max(len(letters), 1), len(letters)


@cache
def _common_letters_by_charset() -> Mapping[str, frozenset[str]]:
    """For each charset of East Asia the letters that are common in its language."""
    letters: dict[str, str] = {}
    for language, words in mail_words().items():
        letters[language[:2]] = letters.get(language[:2], "") + words.letters
    return {
        codec: frozenset(letters[language[:2]])
        for language, words in mail_words().items()
        for codec in words.codecs
        if words.letters
    }


def clean(text: str) -> str:
    """Every kind of line end as `\\n`; no character that a database or a terminal trips over."""
    return NOISE.sub("", LINE_ENDS.sub("\n", text)).translate(BLANKS)


@lru_cache(256)
def known_codec(charset: str) -> str | None:
    """The codec behind a charset's name; None if the name says nothing, or names no text codec."""
    name = charset.strip().strip("\"';").lower()
    codecs_by_name = (*(words.charsets for words in mail_words().values()), CHARSETS)
    name = next((one[name] for one in codecs_by_name if name in one), name)
    if name in UNNAMED or not name.isascii() or not name.isprintable() or len(name) > 40:
        return None
    try:
        found = codecs.lookup(name)
        b"A".decode(found.name, "replace")  # base64, zip and rot13 are codecs too
    except (LookupError, ValueError):
        return None
    return None if found.name in NO_CHARSETS else found.name
