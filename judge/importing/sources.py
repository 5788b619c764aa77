"""The text files of a map as lines, with their names and numbers.

The hobby's files are old: what is not UTF-8 is Windows-1252. Of formats this knows one thing: a
DPjudge map uses other files, which are looked for beside the first one and nowhere else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.diplomacy.variants.files import Place
from judge.importing.draft import Draft

SIZE_BYTES = 4_000_000  # far beyond any map; what is larger is no map
LINE_SIGNS = 4_000
USES = ("USE", "USES", "MAP")
FILES_MOST = 50


@dataclass(frozen=True, slots=True)
class Line:
    """One line, without its end."""

    place: Place
    text: str


def read_lines(path: Path, draft: Draft) -> tuple[Line, ...]:
    """All lines of a file; none, and a fault, if it cannot be read."""
    place = Place(path.name, 1)
    try:
        with path.open("rb") as file:
            data = file.read(SIZE_BYTES + 1)
    except OSError as error:
        draft.fault(f"cannot be read ({error.strerror})", place)
        return ()
    if len(data) > SIZE_BYTES:
        draft.fault(f"is no map: it has more than {SIZE_BYTES} bytes", place)
        return ()
    lines = tuple(_lines(path.name, decode(data, place, draft)))
    for line in lines:
        if len(line.text) > LINE_SIGNS:
            draft.fault(f"this line has more than {LINE_SIGNS} signs", line.place)
    return tuple(line for line in lines if len(line.text) <= LINE_SIGNS)


def decode(data: bytes, place: Place, draft: Draft) -> str:
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
            draft.fault(text, Place(place.file, number))
    draft.assume("is no UTF-8; read as Windows-1252", place)
    return data.decode("cp1252", errors="replace")


def _lines(file: str, text: str) -> Iterator[Line]:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, row in enumerate(plain.split("\n"), 1):
        yield Line(Place(file, number), row.replace("\0", " ").strip())


def map_lines(path: Path, draft: Draft) -> tuple[Line, ...]:
    """All lines of a DPjudge map that say something, those of used files in their places."""
    reader = _Reader(path.parent, draft)
    return tuple(reader.lines(path.name, ()))


class _Reader:
    """Reads each file once; `above` are the files that are being read."""

    def __init__(self, folder: Path, draft: Draft) -> None:
        self.folder = folder
        self.draft = draft
        self.seen: set[str] = set()

    def lines(self, name: str, above: tuple[str, ...]) -> Iterator[Line]:
        self.seen.add(name)
        for line in read_lines(self.folder / name, self.draft):
            words = line.text.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0].upper() not in USES:
                yield line
                continue
            for used in words[1:]:
                yield from self._used(used.rstrip(","), line, (*above, name))

    def _used(self, written: str, line: Line, above: tuple[str, ...]) -> Iterator[Line]:
        name = written if "." in written else f"{written}.map"
        draft, place = self.draft, line.place
        if Path(name).name != name or name.startswith("."):
            draft.fault(f"{written}: only files beside this one are read", place)
        elif name in above:
            way = " - ".join((*above[above.index(name) :], name))
            draft.fault(f"the files use each other in a circle: {way}", place)
        elif name in self.seen:
            draft.assume(f"{name} is used a second time; read once", place)
        elif len(self.seen) >= FILES_MOST:
            draft.fault(f"more than {FILES_MOST} files are used", place)
        elif not (self.folder / name).is_file():
            draft.fault(f"there is no file {name} beside this one", place)
        else:
            yield from self.lines(name, above)
