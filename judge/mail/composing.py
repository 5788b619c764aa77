"""Letters of ours as bytes: the same values always give the same bytes."""

import base64
import hashlib
import re
from binascii import b2a_qp
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from functools import lru_cache

import msgspec

LONGEST_LINE = 78  # characters; RFC 5322 2.1.1 asks for it, and allows 998
LONGEST_SUBJECT = 900
WORD_OCTETS = 45  # 60 letters of base64, with the frame 72
MOST_REFERENCES = 20  # RFC 5322 sets none; programs thread by the newest
MESSAGE_ID = re.compile(r"[!-;=?-~]{1,900}\Z")
CONTROL = re.compile(r"[\x00-\x1f\x7f\u0085\u2028\u2029]+")
NO_ADDRESS = re.compile(r"[\x00-\x20\x7f\s<>,;()]")
# What stands in a header as it is; the library takes 0.2 ms to find that out.
PLAIN_ADDRESS = re.compile(
    r"[A-Za-z0-9]+(?:[.+_-][A-Za-z0-9]+)*@[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*\Z"
)
PLAIN_WORDS = re.compile(r"(?!.*=\?)[!-~]+(?: [!-~]+)*\Z")
ASCII_RULES = policy.SMTP.clone(max_line_length=LONGEST_LINE)
UTF_8_RULES = ASCII_RULES.clone(utf8=True)


class Picture(msgspec.Struct, frozen=True):
    """A PNG file in a letter: its name in ASCII, and the `cid` by which the HTML shows it. `data`
    may be the digest that stands for it until `with_pictures`."""

    name: str
    data: bytes
    cid: str


class OutgoingLetter(msgspec.Struct, frozen=True):
    """A letter to go out; `message_id`, `in_reply_to` and `references` without brackets."""

    message_id: str
    from_name: str
    from_address: str
    recipient: str
    reply_to: str
    subject: str
    text: str | None  # None: the HTML alone
    html: str | None
    in_reply_to: str | None
    references: tuple[str, ...]
    date: datetime
    headers: tuple[tuple[str, str], ...] = ()
    pictures: tuple[Picture, ...] = ()
    calendars: tuple[tuple[str, str], ...] = ()  # iCalendar files by their names, in ASCII
    is_alternative: bool = True  # False: text alone, or HTML alone


def compose(letter: OutgoingLetter) -> bytes:
    """The letter as a tree of parts, lines of 998 bytes at most:

        multipart/mixed                without HTML the pictures stand behind the text
            multipart/alternative      plain text first
                text/plain
                multipart/related      the HTML, and the pictures that it shows
                    text/html
                    image/png
            text/calendar          files to open, not what the letter is: Outlook looks for meetings
                                   in the first part alone, and would hide the letter

    A multipart frame around one part is left out, except multipart/alternative where text and HTML
    are both wanted.

    Raises:
        ValueError: an address or an id breaks RFC 5322 (a bug: addresses are checked on entry).
    """
    if not MESSAGE_ID.match(letter.message_id):
        raise ValueError(f"no Message-ID: {letter.message_id!r}")
    # An address outside ASCII can only travel as UTF-8 (RFC 6531).
    is_ascii = letter.recipient.isascii() and letter.from_address.isascii()
    rules = ASCII_RULES if is_ascii else UTF_8_RULES
    pieces = [
        _mailbox("From", letter.from_name, letter.from_address, rules),
        _mailbox("To", "", letter.recipient, rules),
        _mailbox("Reply-To", letter.from_name, letter.reply_to, rules),
        _subject(letter.subject),
        f"Date: {format_datetime(letter.date)}\r\n",
        _id_header("Message-ID", (letter.message_id,)),
        _id_header("In-Reply-To", (letter.in_reply_to or "",)),
        _id_header("References", letter.references[-MOST_REFERENCES:]),
        *(_header(name, one_line(value), rules) for name, value in letter.headers),
        "MIME-Version: 1.0\r\n",
    ]
    # Derived from the Message-ID; quoted-printable text and base64 cannot hold `=_`.
    boundary = "=_" + hashlib.sha256(letter.message_id.encode()).hexdigest()[:32]
    pictures = [
        _file("image/png;", "inline", one.name, one.data, f"Content-ID: <{one.cid}>\r\n")
        for one in letter.pictures
    ]
    versions = [_text("plain", letter.text)] if letter.text is not None else []
    if letter.html is not None:
        related = [_text("html", letter.html), *pictures]
        versions.append(_multipart("related", f"{boundary}r", related))
        pictures = []
    kind = 'text/calendar; charset="utf-8"; method=PUBLISH;\r\n'
    files = [_file(kind, "attachment", name, text.encode()) for name, text in letter.calendars]
    body = _multipart("alternative", boundary, versions) if letter.is_alternative else versions[0]
    whole = [body, *pictures, *files]
    return "".join([*pieces, _multipart("mixed", f"{boundary}m", whole)]).encode()


def _multipart(subtype: str, boundary: str, parts: Sequence[str]) -> str:
    """Parts within a multipart frame; each begins with its Content-Type."""
    if len(parts) == 1 and subtype != "alternative":
        return parts[0]
    # A multipart/related frame names the type of the part that it is about (RFC 2387).
    about = ' type="text/html";' if subtype == "related" else ""
    head = f'Content-Type: multipart/{subtype};{about}\r\n boundary="{boundary}"\r\n'
    inner = [f"\r\n--{boundary}\r\n{part}" for part in parts]
    return "".join([head, *inner, f"\r\n--{boundary}--\r\n"])


def _text(subtype: str, text: str) -> str:
    lines = b"\n".join([*text.encode().splitlines(), b""]) or b"\n"
    body = b2a_qp(lines).decode("ascii").replace("\n", "\r\n")
    head = f'Content-Type: text/{subtype}; charset="utf-8"\r\n'
    return f"{head}Content-Transfer-Encoding: quoted-printable\r\n\r\n{body}"


def _file(kind: str, disposition: str, name: str, data: bytes, headers: str = "") -> str:
    return (
        f'Content-Type: {kind} name="{name}"\r\n'
        f'Content-Disposition: {disposition}; filename="{name}"\r\n'
        f"{headers}Content-Transfer-Encoding: base64\r\n\r\n{_base64(data)}"
    )


def with_pictures(raw: bytes, pictures: Mapping[str, bytes]) -> bytes:
    """A letter of `compose` with its pictures, PNG files by their digests, in their places."""
    for digest, data in pictures.items():
        # No line of quoted-printable is so short and ends with =, which no line follows.
        place = f"\r\n\r\n{_base64(bytes.fromhex(digest))}".encode()
        raw = raw.replace(place, _picture_body(data))
    return raw


@lru_cache(maxsize=8)  # all readers of a phase get the same one
def _picture_body(data: bytes) -> bytes:
    return f"\r\n\r\n{_base64(data)}".encode()


def _base64(data: bytes) -> str:
    return base64.encodebytes(data).decode("ascii").replace("\n", "\r\n")


def one_line(text: str) -> str:
    """Header text without line breaks and control characters: nobody adds headers of their own."""
    return " ".join(CONTROL.sub(" ", text).split())


def _mailbox(field: str, name: str, address: str, rules: "policy.EmailPolicy[EmailMessage]") -> str:
    if NO_ADDRESS.search(address) or "@" not in address:
        raise ValueError(f"no address: {address!r}")
    shown = one_line(name).replace("\\", "\\\\").replace('"', '\\"')
    value = f'"{shown}" <{address}>' if shown else address
    return _header(field, value, rules, is_plain=bool(PLAIN_ADDRESS.match(address)))


def _header(
    field: str, value: str, rules: "policy.EmailPolicy[EmailMessage]", *, is_plain: bool = True
) -> str:
    line = f"{field}: {value}"
    if is_plain and len(line) <= LONGEST_LINE and PLAIN_WORDS.match(line):
        return line + "\r\n"
    # The library parses and folds it; it will not build one outside ASCII itself.
    return str(rules.header_factory(field, value).fold(policy=rules))


def _subject(subject: str) -> str:
    """A subject on one line where it can be: folded behind its name, some programs show a space.

    In other scripts it is encoded whole, as words of at most 75 characters, no letter cut in two
    (RFC 2047 2): the library loses spaces between encoded words.
    """
    text = one_line(subject)
    if text.isascii() and len(text) < LONGEST_SUBJECT:
        return f"Subject: {text}\r\n"
    pieces = [b""]
    for letter in text:
        if len(pieces[-1]) + len(letter.encode()) > WORD_OCTETS:
            pieces.append(b"")
        pieces[-1] += letter.encode()
    words = (f"=?utf-8?b?{base64.b64encode(piece).decode()}?=" for piece in pieces)
    return "Subject: " + "\r\n ".join(words) + "\r\n"


def _id_header(field: str, ids: Iterable[str]) -> str:
    """Ids in brackets, one a line: the library would encode a long one, which breaks the thread.

    What strangers sent as an id and no program could refer to is left out.
    """
    named = [f"<{one}>" for one in ids if MESSAGE_ID.match(one)]
    return f"{field}: " + "\r\n ".join(named) + "\r\n" if named else ""
