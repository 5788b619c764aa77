"""Imports one map: reads its files, checks them, and writes the folder of a variant.

With any fault nothing is written.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from judge.data import shipped_variants
from judge.diplomacy.variants.faults import variant_faults
from judge.diplomacy.variants.files import read_variant
from judge.errors import JudgeError
from judge.importing.dpjudge import DpjudgeMap
from judge.importing.draft import Draft, Finding, check
from judge.importing.njudge import NjudgeMap
from judge.importing.sources import NAME_BYTES, map_lines, read_lines
from judge.importing.writing import Row, folder_files

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
    name = _name(file, name)
    folder = into / name
    if folder.exists():
        raise CannotImport(f"{folder} is there already; choose another --name, or take it away")
    draft, files = Draft(), [file]
    is_dpjudge = file.suffix.lower() == ".map"
    if not is_dpjudge and not file.name.startswith(MAP):
        is_dpjudge = any(_DPJUDGE.match(line.text) for line in read_lines(file, Draft()))
    if is_dpjudge:
        DpjudgeMap(draft).read(tuple(map_lines(file, draft)))
        if powers:
            draft.fault("--powers is for njudge maps; this one names its powers")
    else:
        beside = file.with_name(SEED + file.name.removeprefix(MAP))
        if seed is None and file.name.startswith(MAP) and beside.is_file():
            seed = beside
        if seed is None:
            draft.fault("there is no seed file with the units at the start; give it with --seed")
        files += [seed] if seed else []
        reader = NjudgeMap(draft, powers or {})
        reader.read_map(read_lines(file, draft))
        reader.read_seed(read_lines(seed, draft) if seed else ())
    if draft.areas:
        check(draft)
    else:
        draft.fault("there are no areas")
    joined = " and ".join(each.name for each in files)
    sources = "".join(sign for sign in joined if sign.isprintable())
    rows = {} if draft.faults else folder_files(draft, name, sources)
    if not draft.faults:
        draft.faults += _loader_faults(name, rows)
    if draft.faults:
        raise FaultyMap(_in_order(draft.faults))
    try:
        folder.mkdir(parents=True)
        _write(folder, rows)
    except OSError as error:
        raise CannotImport(f"{folder} cannot be written ({error.strerror})") from error
    return Imported(
        name=name,
        folder=folder,
        format="DPjudge" if is_dpjudge else "njudge",
        sources=sources,
        areas=len(draft.areas),
        centers=draft.center_count(),
        powers=len(draft.powers),
        left_out=_in_order(draft.left_out),
        assumed=_in_order(draft.assumed),
    )


def _name(file: Path, wanted: str | None) -> str:
    if wanted is None:
        given = file.name.removeprefix(MAP) if file.name.startswith(MAP) else file.stem
        wanted = re.sub(r"[^a-z0-9]+", "_", given.lower()).strip("_")
    if not _NAME.fullmatch(wanted) or len(wanted) > NAME_BYTES:
        raise CannotImport(
            f'"{wanted}" is no name for a variant; choose one with --name: small letters, digits '
            "and underscores"
        )
    if wanted in shipped_variants():
        raise CannotImport(f'"{wanted}" is a shipped variant; choose another --name')
    return wanted


def _write(folder: Path, rows: Mapping[str, list[Row]]) -> None:
    for file, lines in rows.items():
        text = "".join(f"{row.text}\n" for row in lines)
        (folder / file).write_text(text, encoding="utf-8")


def _loader_faults(name: str, rows: Mapping[str, list[Row]]) -> list[Finding]:
    """What the loader finds wrong with the folder, each at the line of the map behind it."""
    with TemporaryDirectory() as folder:
        _write(Path(folder), rows)
        faults = variant_faults(read_variant(name, {name: Path(folder)}))
    return [
        Finding(text, at and rows[at.file][at.line - 1].place)
        for text, at in ((fault.text, fault.place) for fault in faults)
    ]


def _in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Without doubles; file after file as they were first read, each from its first line."""
    files = list(dict.fromkeys(finding.place.file for finding in findings if finding.place))

    def rank(finding: Finding) -> tuple[int, int]:
        place = finding.place
        return (files.index(place.file), place.line) if place else (len(files), 0)

    return tuple(sorted(dict.fromkeys(findings), key=rank))
