"""The text files of a map as lines, with their names and numbers.

The hobby's files are old: what is not UTF-8 is Windows-1252. Of formats this knows one thing: a
DPjudge map uses other files, which are looked for beside the first one and nowhere else.
"""

import re
import stat
from collections.abc import Iterator
from pathlib import Path

from judge.diplomacy.variants.files import Place
from judge.importing.draft import Draft, Line

SIZE_BYTES = 4_000_000  # far beyond any map; what is larger is no map
LINE_SIGNS = 4_000
USES = ("USE", "USES", "MAP")
FILES_MOST = 50
NAME_BYTES = 255  # of a file, on every system
UNKNOWN = re.compile("[\udc80-\udcff]")  # bytes that no encoding knows, as Python keeps them
FIRST_UNKNOWN = 0xDC00


def read_lines(path: Path, draft: Draft) -> tuple[Line, ...]:
    """All lines of a file; none, and a fault, if it cannot be read."""
    place = Place(path.name, 1)
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe or a device may never end
            draft.fault("cannot be read (it is no file)", place)
            return ()
        with path.open("rb") as file:
            data = file.read(SIZE_BYTES + 1)
    except OSError as error:
        draft.fault(f"cannot be read ({error.strerror})", place)
        return ()
    if len(data) > SIZE_BYTES:
        draft.fault(f"is no map: it has more than {SIZE_BYTES} bytes", place)
        return ()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        draft.assume("is no UTF-8; read as Windows-1252", place)
        text = data.decode("cp1252", errors="surrogateescape")
    lines = []
    for number, row in enumerate(re.split("\r\n|\r|\n", text), 1):
        line = Line(Place(path.name, number), UNKNOWN.sub("\ufffd", row).replace("\0", " ").strip())
        if unknown := UNKNOWN.search(row):
            byte = ord(unknown[0]) - FIRST_UNKNOWN
            draft.fault(f"byte {byte:#04x} is neither UTF-8 nor Windows-1252", line.place)
        if len(line.text) > LINE_SIGNS:
            draft.fault(f"this line has more than {LINE_SIGNS} signs", line.place)
        else:
            lines.append(line)
    return tuple(lines)


def map_lines(
    path: Path, draft: Draft, seen: set[str] | None = None, above: tuple[str, ...] = ()
) -> Iterator[Line]:
    """All lines of a DPjudge map that say something, those of used files in their places.

    Each file is read once: `seen` have been read, `above` use this one.
    """
    seen = set() if seen is None else seen
    seen.add(path.name)
    above = (*above, path.name)
    for line in read_lines(path, draft):
        words = line.text.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].upper() not in USES:
            yield line
            continue
        for written in (word.rstrip(",") for word in words[1:]):
            name = written if "." in written else f"{written}.map"
            if Path(name).name != name or name.startswith("."):
                draft.fault(f"{written}: only files beside this one are read", line.place)
            elif name in above:
                cycle = " - ".join((*above[above.index(name) :], name))
                draft.fault(f"these files use each other: {cycle}", line.place)
            elif name in seen:
                draft.assume(f"{name} is used a second time; read once", line.place)
            elif len(seen) >= FILES_MOST:
                draft.fault(f"more than {FILES_MOST} files are used", line.place)
            elif (
                len(name.encode(errors="replace")) > NAME_BYTES
                or not path.with_name(name).is_file()
            ):
                draft.fault(f"there is no file {name} beside this one", line.place)
            else:
                yield from map_lines(path.with_name(name), draft, seen, above)
