"""The lines of a `.map` file of the DPjudge, with those of the files that it uses in their places.

Files are looked for beside the first one and nowhere else. Knows no directive but USE and MAP.
"""

from collections.abc import Iterator
from pathlib import Path

from judge.importing.findings import Findings
from judge.importing.sources import Line, read_lines

USES = ("USE", "USES", "MAP")
FILES_MOST = 50


def map_lines(path: Path, findings: Findings) -> tuple[Line, ...]:
    """All lines that say something, in the order in which they hold."""
    reader = _Reader(path.parent, findings)
    return tuple(reader.lines(path.name, ()))


class _Reader:
    """Reads each file once; `above` are the files that are being read."""

    def __init__(self, folder: Path, findings: Findings) -> None:
        self.folder = folder
        self.findings = findings
        self.seen: set[str] = set()

    def lines(self, name: str, above: tuple[str, ...]) -> Iterator[Line]:
        self.seen.add(name)
        for line in read_lines(self.folder / name, self.findings):
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
        findings, place = self.findings, line.place
        if Path(name).name != name or name.startswith("."):
            findings.fault(f"{written}: only files beside this one are read", place)
        elif name in above:
            way = " - ".join((*above[above.index(name) :], name))
            findings.fault(f"the files use each other in a circle: {way}", place)
        elif name in self.seen:
            findings.assume(f"{name} is used a second time; read once", place)
        elif len(self.seen) >= FILES_MOST:
            findings.fault(f"more than {FILES_MOST} files are used", place)
        elif not (self.folder / name).is_file():
            findings.fault(f"there is no file {name} beside this one", place)
        else:
            yield from self.lines(name, above)
