"""`judge variants`: lists variants, shows one, and checks folders of them.

Prints for people; the checks themselves stand in own_variants.py and the game's room.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from judge.data import variant_folders
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.variants.files import VariantFault
from judge.diplomacy.variants.options import options_of
from judge.diplomacy.variants.variant import NoVariant, Power, Variant, load_variant, variant_names
from judge.own_variants import check_folders, check_shipped, variants_in

DONE, REFUSED, USAGE = 0, 1, 2
BUILDS = {
    "home": "in own home centers",
    "any_home": "in owned home centers of any power",
    "one_home": "in all owned centers, while one is an own home center",
    "any": "in all owned centers",
}


def list_variants() -> int:
    """A line for each variant: its name, its title, and what a master chooses by."""
    rows = [_row(load_variant(name)) for name in variant_names()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(cells).rstrip())
    return DONE


def _row(variant: Variant) -> tuple[str, ...]:
    return (
        variant.name,
        variant.titles["en"],
        f"{len(variant.powers)} powers",
        f"{variant.victory_centers} of {len(variant.board.centers)} centers win",
        f"starts in {variant.calendar.first()}",
    )


def show_variant(name: str) -> int:
    """All that a master wants to know of one variant."""
    try:
        variant = load_variant(name)
    except NoVariant as error:
        print(f'There is no variant "{name}"; there are {", ".join(error.known)}.', file=sys.stderr)
        return REFUSED
    for line in _lines_of(variant):
        print(line.rstrip())
    return DONE


def _lines_of(variant: Variant) -> Iterator[str]:
    titles = ", ".join(title for language, title in variant.titles.items() if language != "en")
    board, calendar = variant.board, variant.calendar
    first = calendar.first()
    yield f"{variant.name}: {variant.titles['en']}" + (f" ({titles})" if titles else "")
    yield ""
    yield f"folder    {variant_folders()[variant.name]}"
    yield f"board     {len(board.provinces)} provinces, {len(board.centers)} centers"
    yield f"victory   {variant.victory_centers} centers"
    yield f"builds    {BUILDS[variant.builds.value]}"
    yield f"starts    {first}{_after_builds(variant)}"
    yield f"calendar  {_turns(variant)}"
    for number, option in enumerate(options_of(variant)):
        values = " - ".join(option.values) if option.is_count else " | ".join(option.values)
        head = "options" if not number else ""
        yield f"{head:10}{option.key}: {values} (usual: {option.default})"
    yield ""
    names = max(len(power.name) for power in variant.powers)
    for power in variant.powers:
        yield f"{power.letter}  {power.name:{names}}  {_start_of(power)}"
    if any(set(power.home_centers) - set(power.start_centers) for power in variant.powers):
        yield ""
        yield "Centers in brackets are home centers that the power does not own at the start."


def _after_builds(variant: Variant) -> str:
    first = variant.calendar.first()
    if first.kind is not PhaseKind.ADJUSTMENT:
        return ""
    return f" with builds, then {variant.calendar.after(first)}"


def _turns(variant: Variant) -> str:
    """`S, F, then builds (W), every year`."""
    calendar = variant.calendar
    cycle = calendar.cycle_years
    turns = ", ".join(turn.letter or f"year {turn.years_after + 1}" for turn in calendar.turns)
    letter = f" ({calendar.adjustment_letter})" if calendar.adjustment_letter else ""
    return f"{turns}, then builds{letter}, every {'year' if cycle == 1 else f'{cycle} years'}"


def _start_of(power: Power) -> str:
    """`BUD TRI VIE: A BUD, A VIE, F TRI`; centers that it must take first in brackets."""
    centers = [
        center if center in power.start_centers else f"({center})" for center in power.home_centers
    ]
    centers += [center for center in power.start_centers if center not in power.home_centers]
    units = ", ".join(str(unit) for unit in power.start_units)
    return f"{' '.join(centers)}: {units or 'no units'}"


def check_variants(paths: tuple[Path, ...]) -> int:
    """Check folders, or without any the shipped variants; every fault is a line with its place."""
    if not paths:
        return _tell([(name, "", faults) for name, faults in check_shipped().items()])
    missing = [path for path in paths if not variants_in(path)]
    for path in missing:
        print(f"{path}: there is no variant.toml in it, nor in a folder of it", file=sys.stderr)
    if missing:
        return USAGE
    folders = tuple(each for path in paths for each in variants_in(path))
    beside = {
        each.name: each for path in folders for each in variants_in(path.resolve().parent)
    } | dict(variant_folders())
    checked = check_folders(folders, beside)
    return _tell([(each.name, f"{each.folder}/", each.faults) for each in checked])


def _tell(checked: list[tuple[str, str, tuple[VariantFault, ...]]]) -> int:
    for name, folder, faults in checked:
        if not faults:
            print(f"ok    {name}")
            continue
        print(f"FAIL  {name}: {len(faults)} {'fault' if len(faults) == 1 else 'faults'}")
        for fault in faults:
            is_own = fault.place is not None and not fault.place.folder
            print(f"{folder if is_own else ''}{fault}")
    return REFUSED if any(faults for _, _, faults in checked) else DONE


def add_variants(
    variants: argparse.ArgumentParser,
) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    """The sub-commands of `judge variants`; returns them, so that others can be added."""
    kinds = variants.add_subparsers(title="commands", metavar="COMMAND", required=True)
    told = "list all variants, the shipped ones first"
    listing = kinds.add_parser("list", help=told, description=told)
    listing.set_defaults(variants=lambda _: list_variants())
    told = "show one variant: powers, centers, calendar, options"
    showing = kinds.add_parser("show", help=told, description=told)
    showing.add_argument("name")
    showing.set_defaults(variants=lambda args: show_variant(args.name))
    told = "check folders of variants; without any, the shipped ones"
    checking = kinds.add_parser("check", help=told, description=told)
    checking.add_argument("folder", nargs="*", type=Path, metavar="DIR")
    checking.set_defaults(variants=lambda args: check_variants(tuple(args.folder)))
    return kinds
