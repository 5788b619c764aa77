"""The structure of a letter: header lines, parts within parts, their bytes.

The standard library's parser recurses with the depth of the parts (1000 nested ones lose the whole
letter) and takes quadratic time for some boundaries and parameters. This one takes linear time, is
bounded in depth and number, and never raises. Knows nothing of charsets or of HTML.
"""

import binascii
import re
from dataclasses import dataclass

LONGEST_HEADERS = 32_768  # bytes of a header block; RFC 5322 sets none, real letters have 2-10 kB
LONGEST_PARAMETERS = 2_000  # characters of a Content-Type that are looked at
MOST_PARTS = 200
BLANK_LINE = re.compile(rb"\r?\n\r?\n|\A\r?\n")
LINE_END = re.compile(r"\r\n|\r|\n")
FIELD = re.compile(r"([!-9;-~]{1,100})[ \t]*:(.*)", re.DOTALL)
KIND = re.compile(r"\s*([a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+-]+)", re.IGNORECASE)
PARAMETER = re.compile(r";\s*([^\s;=\"]{1,60})\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;\"]*))")
NO_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


@dataclass(frozen=True, slots=True)
class Part:
    """A letter, or a part of one.

    Attributes:
        fields: the headers in their order: name in lower case, value on one line, bytes beyond
            ASCII as lone surrogates.
        content: everything below the headers, still in its transfer encoding.
    """

    fields: tuple[tuple[str, str], ...]
    content: bytes

    def values(self, name: str) -> tuple[str, ...]:
        """All values of a header, topmost first."""
        return tuple(value for key, value in self.fields if key == name.lower())

    def value(self, name: str) -> str:
        """A header's topmost value; empty if there is none."""
        return next(iter(self.values(name)), "")

    @property
    def kind(self) -> str:
        """Type and subtype in lower case; `text/plain` where none is told (RFC 2045 5.2)."""
        found = KIND.match(self.value("content-type")[:LONGEST_PARAMETERS])
        return found[1].lower() if found else "text/plain"

    def parameter(self, name: str) -> str:
        """A parameter of the Content-Type; one that is written in pieces is put together."""
        found = _parameters(self.value("content-type"))
        if name in found:
            return found[name]
        pieces: list[str] = []
        while (piece := found.get(f"{name}*{len(pieces)}")) is not None:
            pieces.append(piece)
        extended = found.get(f"{name}*", "")
        return "".join(pieces) or extended.rpartition("'")[2]

    @property
    def disposition(self) -> str:
        """`attachment`, `inline` or nothing."""
        return self.value("content-disposition").partition(";")[0].strip().lower()


def parse_part(raw: bytes) -> Part:
    """Header block and content of a letter or a part."""
    gap = BLANK_LINE.search(raw)
    head, content = (raw[: gap.start()], raw[gap.end() :]) if gap else (raw, b"")
    if len(head) > LONGEST_HEADERS:
        head = head[:LONGEST_HEADERS].rpartition(b"\n")[0]
    return Part(tuple(_fields(head.decode("ascii", "surrogateescape"))), content)


def _fields(head: str) -> list[tuple[str, str]]:
    """Header lines unfolded; lines that are none are passed over."""
    folded: list[list[str]] = []
    for line in LINE_END.split(head):
        if line[:1] in (" ", "\t") and folded:
            folded[-1].append(line)
        else:
            folded.append([line])
    found = [FIELD.match(" ".join(lines)) for lines in folded]
    return [(one[1].lower(), " ".join(one[2].split())) for one in found if one]


def _parameters(value: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, quoted, plain in PARAMETER.findall(value[:LONGEST_PARAMETERS]):
        found.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) or plain)
    return found


def subparts(part: Part) -> tuple[Part, ...]:
    """The parts of a multipart, the first `MOST_PARTS`; its content alone if it marks none."""
    boundary = part.parameter("boundary").encode("ascii", "surrogateescape")
    if not boundary:
        return (Part((), part.content),)
    line = re.compile(rb"^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
    starts: list[int] = []
    ends: list[int] = []
    for marker in line.finditer(part.content):
        if starts:
            ends.append(marker.start())
        if marker[1] or len(starts) == MOST_PARTS:
            break
        starts.append(marker.end())
    if not starts:
        return (Part((), part.content),)
    ends += [len(part.content)] * (len(starts) - len(ends))
    # The line end before a boundary belongs to it (RFC 2046 5.1.1).
    return tuple(
        parse_part(part.content[start:end].removesuffix(b"\n").removesuffix(b"\r"))
        for start, end in zip(starts, ends, strict=True)
    )


def decoded(part: Part) -> bytes:
    """The bytes of a part without its transfer encoding; broken encodings are read as far as
    they go."""
    encoding = part.value("content-transfer-encoding").strip().lower()
    if encoding == "base64":
        return _from_base64(part.content)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(part.content)
    return part.content


def _from_base64(content: bytes) -> bytes:
    """A letter cut short, or one with text below its base64, is read as far as it is whole."""
    letters = NO_BASE64.sub(b"", content.partition(b"=")[0])
    whole = letters[: len(letters) - 1] if len(letters) % 4 == 1 else letters
    return binascii.a2b_base64(whole + b"=" * (-len(whole) % 4))
