"""`judge variants import`: makes a variant's folder of a map of the hobby, and tells of it.

Prints for people; the reading stands in judge/importing/.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from judge.importing import CannotImport, FaultyMap, Finding, Imported, import_map

DONE, REFUSED, USAGE = 0, 1, 2


def import_variant(args: argparse.Namespace) -> int:
    """Import one map; what was written, left out and decided is said, or every fault."""
    try:
        powers = read_powers(args.powers)
    except ValueError as error:
        print(error, file=sys.stderr)
        return USAGE
    try:
        result = import_map(args.file, args.into, seed=args.seed, powers=powers, name=args.name)
    except FaultyMap as error:
        for fault in error.faults:
            print(fault, file=sys.stderr)
        count = len(error.faults)
        what = f"{count} {'fault' if count == 1 else 'faults'}"
        print(f"\n{what}; nothing was written. Mend the files and try again.", file=sys.stderr)
        return REFUSED
    except CannotImport as error:
        print(error, file=sys.stderr)
        return REFUSED
    _tell(result)
    return DONE


def read_powers(written: str | None) -> dict[str, str]:
    """Names of powers by letter, of `A=Austria,K=Kongo/Kongolese`.

    Raises:
        ValueError: it has another form.
    """
    powers: dict[str, str] = {}
    for part in written.split(",") if written else ():
        letter, _, name = (each.strip() for each in part.partition("="))
        if len(letter) != 1 or not name:
            raise ValueError(f'--powers: "{part}"; write it as A=Austria,K=Kongo/Kongolese')
        powers[letter.upper()] = name
    return powers


def _tell(result: Imported) -> None:
    print(f"{result.folder}: written from {result.sources} ({result.format})")
    print(f"{result.areas} provinces, {result.centers} centers, {result.powers} powers")
    _list("Left out, because a variant cannot say it:", result.left_out)
    _list("Decided, for you to look at:", result.assumed)
    print(f"\nNext: judge variants check {result.folder}")


def _list(heading: str, findings: Iterable[Finding]) -> None:
    lines = [f"  {finding}" for finding in findings]
    if lines:
        print("\n".join(["", heading, *lines]))


def add_import(kinds: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The sub-command `import` of `judge variants`."""
    told = "make a variant of an njudge or DPjudge map"
    command = kinds.add_parser("import", help=told, description=told)
    command.add_argument("file", type=Path, metavar="FILE", help="map.x of njudge, or x.map")
    command.add_argument(
        "--seed", type=Path, metavar="FILE", help="njudge's units; seed.x beside map.x if left out"
    )
    command.add_argument(
        "--powers",
        metavar="LETTER=NAME,...",
        help="njudge's powers, as A=Austria,K=Kongo/Kongolese",
    )
    command.add_argument("--name", help="of the variant; made from the file's if left out")
    command.add_argument(
        "--into", type=Path, required=True, metavar="DIR", help="where the variant's folder is made"
    )
    command.set_defaults(variants=import_variant)
