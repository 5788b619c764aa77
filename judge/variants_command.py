"""`judge variants`: lists variants, shows one, checks folders of them, and imports maps.

Prints for people; the checks stand in own_variants.py and the game's room, the reading of the
hobby's maps in judge/importing/.
"""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TextIO

from judge.data import variant_folders
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.rules import UnknownChoice
from judge.diplomacy.variants.files import VariantFault
from judge.diplomacy.variants.options import options_of
from judge.diplomacy.variants.variant import load_variant, variant_names
from judge.importing import CannotImport, FaultyMap, import_map
from judge.own_variants import check_folders, check_shipped, variants_in
from judge.terminal import DONE, REFUSED, USAGE, refuse, shown

BUILDS = {
    "home": "in own home centers",
    "any_home": "in owned home centers of any power",
    "one_home": "in all owned centers, while one is an own home center",
    "any": "in all owned centers",
}


def list_variants() -> int:
    """A line for each variant: its name, its title, and what a master chooses by."""
    rows = [
        (
            variant.name,
            variant.titles["en"],
            f"{len(variant.powers)} powers",
            f"{variant.victory_centers} of {len(variant.board.centers)} centers win",
            f"starts in {variant.calendar.first()}",
        )
        for variant in map(load_variant, variant_names())
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        _say("  ".join(cells).rstrip())
    return DONE


def _say(line: object, *, file: TextIO | None = None) -> None:
    """Print what may hold names out of a stranger's files."""
    print(shown(line), file=file or sys.stdout)


def show_variant(name: str) -> int:
    """All that a master wants to know of one variant."""
    try:
        variant = load_variant(name)
    except UnknownChoice as error:
        return refuse(shown(f'There is no variant "{name}"; there are {", ".join(error.known)}.'))
    titles = ", ".join(title for language, title in variant.titles.items() if language != "en")
    board, calendar, first = variant.board, variant.calendar, variant.calendar.first()
    starts = str(first)
    if first.kind is PhaseKind.ADJUSTMENT:
        starts += f" with builds, then {calendar.after(first)}"
    turns = ", ".join(turn.letter or f"year {turn.years_after + 1}" for turn in calendar.turns)
    letter = f" ({calendar.adjustment_letter})" if calendar.adjustment_letter else ""
    years = "year" if calendar.cycle_years == 1 else f"{calendar.cycle_years} years"
    lines = [
        f"{variant.name}: {variant.titles['en']}" + (f" ({titles})" if titles else ""),
        "",
        f"folder    {variant_folders()[variant.name]}",
        f"board     {len(board.provinces)} provinces, {len(board.centers)} centers",
        f"victory   {variant.victory_centers} centers",
        f"builds    {BUILDS[variant.builds.value]}",
        f"starts    {starts}",
        f"calendar  {turns}, then builds{letter}, every {years}",
    ]
    for number, option in enumerate(options_of(variant)):
        values = (" - " if option.is_count else " | ").join(option.values)
        head = "options" if not number else ""
        lines.append(f"{head:10}{option.key}: {values} (usual: {option.default})")

    lines.append("")
    names = max(len(power.name) for power in variant.powers)
    for power in variant.powers:
        owned, homes = power.start_centers, power.home_centers
        centers = [center if center in owned else f"({center})" for center in homes]
        centers += [center for center in owned if center not in homes]
        units = ", ".join(map(str, power.start_units)) or "no units"
        lines.append(f"{power.letter}  {power.name:{names}}  {' '.join(centers)}: {units}")
    if any(set(power.home_centers) - set(power.start_centers) for power in variant.powers):
        lines += [
            "",
            "Centers in brackets are home centers that the power does not own at the start.",
        ]
    for line in lines:
        _say(line.rstrip())
    return DONE


# --- checking -------------------------------------------------------------------------------------


def check_variants(paths: tuple[Path, ...]) -> int:
    """Check folders, or without any the shipped variants; every fault is a line with its place."""
    if not paths:
        results = [_print_faults(name, "", faults) for name, faults in check_shipped().items()]
        return max(results)
    missing = [path for path in paths if not variants_in(path)]
    for path in missing:
        _say(f"{path}: there is no variant.toml in it, nor in a folder of it", file=sys.stderr)
    if missing:
        return USAGE
    folders = tuple(each for path in paths for each in variants_in(path))
    beside = {
        each.name: each for path in folders for each in variants_in(path.resolve().parent)
    } | dict(variant_folders())
    checked = check_folders(folders, beside)
    return max(_print_faults(each.name, f"{each.folder}/", each.faults) for each in checked)


def _print_faults(name: str, folder: str, faults: tuple[VariantFault, ...]) -> int:
    if not faults:
        _say(f"ok    {name}")
        return DONE
    _say(f"FAIL  {name}: {_counted_faults(len(faults))}")
    for fault in faults:
        is_own = fault.place is not None and not fault.place.folder
        _say(f"{folder if is_own else ''}{fault}")
    return REFUSED


def _counted_faults(count: int) -> str:
    return f"{count} {'fault' if count == 1 else 'faults'}"


def import_variant(args: Namespace) -> int:
    """Import one map; print what was written, left out and decided, or every fault."""
    powers: dict[str, str] = {}
    for part in args.powers.split(",") if args.powers else ():
        letter, _, name = (each.strip() for each in part.partition("="))
        if len(letter) != 1 or not name:
            text = f'--powers: "{part}"; write it as A=Austria,K=Kongo/Kongolese'
            return refuse(shown(text), USAGE)
        powers[letter.upper()] = name
    try:
        result = import_map(args.file, args.into, seed=args.seed, powers=powers, name=args.name)
    except FaultyMap as error:
        for fault in error.faults:
            _say(fault, file=sys.stderr)
        what = f"{_counted_faults(len(error.faults))}; nothing was written"
        return refuse(f"\n{what}. Mend the files and try again.")
    except CannotImport as error:
        return refuse(shown(error))
    _say(f"{result.folder}: written from {result.sources} ({result.format})")
    _say(f"{result.areas} provinces, {result.centers} centers, {result.powers} powers")
    for heading, findings in (
        ("Left out, because a variant cannot say it:", result.left_out),
        ("Decided, for you to look at:", result.assumed),
    ):
        if findings:
            _say("\n".join(["", heading, *(f"  {finding}" for finding in findings)]))
    _say(f"\nNext: judge variants check {result.folder}")
    return DONE
