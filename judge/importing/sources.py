"""The text files of a map as lines, with their names and numbers.

The hobby's files are old: what is not UTF-8 is Windows-1252. Knows nothing of their formats.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.importing.findings import Findings, Place

SIZE_BYTES = 4_000_000  # far beyond any map; what is larger is no map
LINE_SIGNS = 4_000


@dataclass(frozen=True, slots=True)
class Line:
    """One line, without its end."""

    place: Place
    text: str


def read_lines(path: Path, findings: Findings) -> tuple[Line, ...]:
    """All lines of a file; none, and a fault, if it cannot be read."""
    place = Place(path.name, 1)
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_BYTES + 1)
    except OSError as error:
        findings.fault(f"cannot be read ({error.strerror})", place)
        return ()
    if len(data) > SIZE_BYTES:
        findings.fault(f"is no map: it has more than {SIZE_BYTES} bytes", place)
        return ()
    lines = tuple(_lines(path.name, decode(data, place, findings)))
    for line in lines:
        if len(line.text) > LINE_SIGNS:
            findings.fault(f"this line has more than {LINE_SIGNS} signs", line.place)
    return tuple(line for line in lines if len(line.text) <= LINE_SIGNS)


def decode(data: bytes, place: Place, findings: Findings) -> str:
    """The text of a file. A sign that neither encoding knows is a fault of its line."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    for number, row in enumerate(data.split(b"\n"), 1):
        try:
            row.decode("cp1252")
        except UnicodeDecodeError as error:
            text = f"byte {row[error.start]:#04x} is neither UTF-8 nor Windows-1252"
            findings.fault(text, Place(place.file, number))
    findings.assume("is no UTF-8; read as Windows-1252", place)
    return data.decode("cp1252", errors="replace")


def _lines(file: str, text: str) -> Iterator[Line]:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, row in enumerate(plain.split("\n"), 1):
        yield Line(Place(file, number), row.replace("\0", " ").strip())
