"""Imports one map: reads its files, checks them, and writes the folder of a variant.

With any fault nothing is written.
"""

import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from judge.data import shipped_variants
from judge.diplomacy.variants.faults import variant_faults
from judge.diplomacy.variants.files import Place, read_variant
from judge.errors import JudgeError
from judge.importing.dpjudge import DpjudgeMap
from judge.importing.draft import Draft, Finding, Line, check
from judge.importing.njudge import NjudgeMap
from judge.importing.writing import Row, folder_files

SIZE_BYTES = 4_000_000  # far beyond any map; what is larger is no map
LINE_SIGNS = 4_000
USES = ("USE", "USES", "MAP")
FILES_MOST = 50
NAME_BYTES = 255  # of a file, on every system
UNKNOWN = re.compile("[\udc80-\udcff]")  # bytes that no encoding knows, as Python keeps them
FIRST_UNKNOWN = 0xDC00


def read_lines(path: Path, draft: Draft) -> tuple[Line, ...]:
    """All lines of a file; none, and a fault, if it cannot be read. The hobby's files are old: what
    is not UTF-8 is Windows-1252."""
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


def read_lines_with_includes(
    path: Path, draft: Draft, seen: set[str] | None = None, above: tuple[str, ...] = ()
) -> Iterator[Line]:
    """All lines of a DPjudge map that say something, those of used files in their places; each file
    is read once. `seen`: the files that have been read; `above`: those that use this one."""
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
                yield from read_lines_with_includes(path.with_name(name), draft, seen, above)


# --- the import -----------------------------------------------------------------------------------

MAP, SEED = "map.", "seed."  # how the old judges' files begin
_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
_DPJUDGE = re.compile(r"\S+\s+\S+\s+ABUTS\b|(?:USES?|MAP|UNOWNED|BEGIN)\s", re.IGNORECASE)


class CannotImport(JudgeError):
    """The request cannot be done as it is: what is wrong with it, and what to do instead."""


class FaultyMap(JudgeError):
    """The files of a map have faults: all those of one round of checks; nothing was written."""

    def __init__(self, faults: tuple[Finding, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


class Imported(msgspec.Struct, frozen=True):
    """What an import wrote."""

    name: str
    folder: Path
    format: str
    sources: str  # the files, `map.x and seed.x`
    # areas, centers, powers: how many there are.
    areas: int
    centers: int
    powers: int
    left_out: tuple[Finding, ...]  # what the files say and our variants cannot
    assumed: tuple[Finding, ...]  # what was decided for the operator


def import_map(
    file: Path,
    into: Path,
    *,
    seed: Path | None = None,
    powers: Mapping[str, str] | None = None,
    name: str | None = None,
) -> Imported:
    """Read a map and write the folder `into/name`.

    `seed` is looked for beside an njudge map if it is not given; `powers` are names by letter.

    Raises:
        FaultyMap: the files have faults, or what they describe is no sound variant.
        CannotImport: the name is none, or a shipped one's; or the folder is there already, or
            cannot be written.
    """
    if name is None:
        given = file.name.removeprefix(MAP) if file.name.startswith(MAP) else file.stem
        name = re.sub(r"[^a-z0-9]+", "_", given.lower()).strip("_")
    if not _NAME.fullmatch(name):
        raise CannotImport(
            f'"{name}" is no name for a variant; choose one with --name: small letters, digits '
            "and underscores"
        )
    if name in shipped_variants():
        raise CannotImport(f'"{name}" is a shipped variant; choose another --name')
    folder = into / name
    if folder.exists():
        raise CannotImport(f"{folder} is there already; choose another --name, or take it away")

    draft = Draft()
    format_name, files = _read_map(draft, file, seed, powers or {})
    if draft.areas:
        check(draft)
    else:
        draft.fault("there are no areas")
    joined = " and ".join(each.name for each in files)
    sources = "".join(sign for sign in joined if sign.isprintable())
    rows = {} if draft.faults else folder_files(draft, name, sources)
    if not draft.faults:
        # What the loader finds wrong with the folder, each at the line of the map behind it.
        with TemporaryDirectory() as trial:
            _write(Path(trial), rows)
            faults = variant_faults(read_variant(name, {name: Path(trial)}))
        for fault in faults:
            at = fault.place
            draft.fault(fault.text, at and rows[at.file][at.line - 1].place)
    if draft.faults:
        raise FaultyMap(_sorted_unique(draft.faults))

    try:
        folder.mkdir(parents=True)
        _write(folder, rows)
    except OSError as error:
        raise CannotImport(f"{folder} cannot be written ({error.strerror})") from error
    return Imported(
        name=name,
        folder=folder,
        format=format_name,
        sources=sources,
        areas=len(draft.areas),
        centers=draft.center_count(),
        powers=len(draft.powers),
        left_out=_sorted_unique(draft.left_out),
        assumed=_sorted_unique(draft.assumed),
    )


def _read_map(
    draft: Draft, file: Path, seed: Path | None, powers: Mapping[str, str]
) -> tuple[str, list[Path]]:
    """Fill the draft; the name of the map's format, and the files that were read."""
    is_dpjudge = file.suffix.lower() == ".map"
    if not is_dpjudge and not file.name.startswith(MAP):
        is_dpjudge = any(_DPJUDGE.match(line.text) for line in read_lines(file, Draft()))
    if is_dpjudge:
        DpjudgeMap(draft).read(tuple(read_lines_with_includes(file, draft)))
        if powers:
            draft.fault("--powers is for njudge maps; this one names its powers")
        return "DPjudge", [file]
    beside = file.with_name(SEED + file.name.removeprefix(MAP))
    if seed is None and file.name.startswith(MAP) and beside.is_file():
        seed = beside
    if seed is None:
        draft.fault("there is no seed file with the units at the start; give it with --seed")
    reader = NjudgeMap(draft, powers)
    reader.read_map(read_lines(file, draft))
    reader.read_seed(read_lines(seed, draft) if seed else ())
    return "njudge", [file, seed] if seed else [file]


def _write(folder: Path, rows: Mapping[str, list[Row]]) -> None:
    for file, lines in rows.items():
        text = "".join(f"{row.text}\n" for row in lines)
        (folder / file).write_text(text, encoding="utf-8")


def _sorted_unique(findings: list[Finding]) -> tuple[Finding, ...]:
    """Without doubles; file after file as they were first read, each from its first line."""
    files = list(dict.fromkeys(finding.place.file for finding in findings if finding.place))

    def rank(finding: Finding) -> tuple[int, int]:
        place = finding.place
        return (files.index(place.file), place.line) if place else (len(files), 0)

    return tuple(sorted(dict.fromkeys(findings), key=rank))
