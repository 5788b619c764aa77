"""Imports one map: reads its files, checks them, and writes the folder of a variant.

With any fault nothing is written.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.data import shipped_variants
from judge.errors import JudgeError
from judge.importing.checking import check
from judge.importing.dpjudge import read_dpjudge
from judge.importing.dpjudge_lines import map_lines
from judge.importing.draft import Draft
from judge.importing.findings import FaultyMap, Finding, Findings, in_order
from judge.importing.njudge import read_map
from judge.importing.njudge_seed import read_seed
from judge.importing.sources import Line, read_lines
from judge.importing.writing import folder_files

MAP, SEED = "map.", "seed."  # how the old judges' files begin
_NAME = re.compile(r"[a-z0-9][a-z0-9_]{0,39}")
_DPJUDGE = re.compile(r"\S+\s+\S+\s+ABUTS\b|(?:USES?|MAP|UNOWNED|BEGIN)\s", re.IGNORECASE)


class CannotImport(JudgeError):
    """The request cannot be done as it is: what is wrong with it, and what to do instead."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import wrote.

    Attributes:
        sources: the files, `map.x and seed.x`.
        areas, centers, powers: how many there are.
        left_out: what the files say and our variants cannot.
        assumed: what was decided for the operator.
    """

    name: str
    folder: Path
    format: str
    sources: str
    areas: int
    centers: int
    powers: int
    left_out: tuple[Finding, ...]
    assumed: tuple[Finding, ...]


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
        FaultyMap: the files have faults; it holds all of them.
        CannotImport: the name is none, or a shipped one's; or the folder is there already, or
            cannot be written.
    """
    name = _name(file, name)
    folder = into / name
    if folder.exists():
        raise CannotImport(f"{folder} is there already; choose another --name, or take it away")
    findings = Findings()
    is_dpjudge, seed = _is_dpjudge(file), seed or _seed_beside(file)
    if is_dpjudge:
        seed = None
        draft = read_dpjudge(map_lines(file, findings), findings)
        if powers:
            findings.fault("--powers is for njudge maps; this one names its powers")
    else:
        draft = _read_njudge(file, seed, powers or {}, findings)
    if draft.areas:
        check(draft, findings)
    else:
        findings.fault("there are no areas")
    files: Mapping[str, str] = {}
    if not findings.faults:
        files = folder_files(draft, name, _sources(file, seed), findings)
    if findings.faults:
        raise FaultyMap(in_order(findings.faults))
    _write(folder, files)
    return Imported(
        name=name,
        folder=folder,
        format="DPjudge" if is_dpjudge else "njudge",
        sources=_sources(file, seed),
        areas=len(draft.areas),
        centers=sum(area.is_center for area in draft.areas.values()),
        powers=len(draft.powers),
        left_out=in_order(findings.left_out),
        assumed=in_order(findings.assumed),
    )


def _name(file: Path, wanted: str | None) -> str:
    if wanted is None:
        given = file.name.removeprefix(MAP) if file.name.startswith(MAP) else file.stem
        wanted = re.sub(r"[^a-z0-9]+", "_", given.lower()).strip("_")
    if not _NAME.fullmatch(wanted):
        raise CannotImport(
            f'"{wanted}" is no name for a variant; choose one with --name: small letters, digits '
            "and underscores"
        )
    if wanted in shipped_variants():
        raise CannotImport(f'"{wanted}" is a shipped variant; choose another --name')
    return wanted


def _is_dpjudge(file: Path) -> bool:
    """By the file's name, else by its lines."""
    if file.suffix.lower() == ".map":
        return True
    if file.name.startswith(MAP):
        return False
    return any(_DPJUDGE.match(line.text) for line in read_lines(file, Findings()))


def _seed_beside(file: Path) -> Path | None:
    """`seed.x` beside `map.x`."""
    if not file.name.startswith(MAP):
        return None
    beside = file.with_name(SEED + file.name.removeprefix(MAP))
    return beside if beside.is_file() else None


def _read_njudge(
    file: Path, seed: Path | None, powers: Mapping[str, str], findings: Findings
) -> Draft:
    result = read_map(read_lines(file, findings), findings)
    lines: tuple[Line, ...] = ()
    if seed is None:
        findings.fault("there is no seed file with the units at the start; give it with --seed")
    else:
        lines = read_lines(seed, findings)
    read_seed(lines, result, powers, findings)
    return result.draft


def _sources(file: Path, seed: Path | None) -> str:
    names = [file.name, *([seed.name] if seed else [])]
    return " and ".join("".join(sign for sign in name if sign.isprintable()) for name in names)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    try:
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotImport(f"{folder} cannot be written ({error.strerror})") from error
