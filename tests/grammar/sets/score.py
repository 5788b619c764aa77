"""Scores the order language on the sets beside this file, read through the game's public seam.

    python -m tests.grammar.sets.score [open|held] [language] [--set N] [--list]

`positions.toml` says how a case is shaped. What happened to a case is one of `Verdict`; `--list`
prints the cases that are not right.
"""

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from judge.diplomacy.board import parse_location
from judge.diplomacy.orders import PowerId, ProvinceId, UnitKind
from judge.diplomacy.records import GameState
from judge.diplomacy.variants.variant import load_variant
from judge.rulebook import Game, SeatId, load_game

from ..contexts import position_of

SETS = Path(__file__).parent
LANGUAGES = ("en", "ko", "zh_Hant", "ja")
HALVES = ("open", "held")
PLACES: Mapping[str, Any] = tomllib.loads((SETS / "positions.toml").read_text(encoding="utf-8"))
STANDARD = load_variant("standard")
LINE_END = "⏎"
BY_CONVOY = re.compile(r"^A (\w+) - (\w+) VIA$")
HELPED = re.compile(r"^\w \S+ [CS] (\w \w+ - \w+)")
COAST_OF_SUPPORTED = re.compile(r"( S .* - \w+)/\w+$")


class Verdict(StrEnum):
    """What became of a case, best first."""

    RIGHT = "right"
    ASKED = "asked, right line first"
    ASKED_MORE = "the same, and about the move that is convoyed or supported"
    ASKED_OTHER = "asked, another or none first"
    REFUSED = "refused"
    CHAT = "taken as chat"
    WRONG = "STORED WRONG"


GOOD = frozenset({Verdict.RIGHT, Verdict.ASKED, Verdict.ASKED_MORE})


class Case(NamedTuple):
    name: str
    place: str
    expected: str
    text: str


class Scored(NamedTuple):
    case: Case
    verdict: Verdict
    stored: tuple[str, ...]
    proposed: tuple[str, ...]


def generations_of(language: str, half: str = "open") -> tuple[str, ...]:
    """The numbers of the sets that there are in a language."""
    names = SETS.glob(f"{language}.orders*.{half}.tsv")
    return tuple(sorted(re.sub(r"\D", "", name.name) or "1" for name in names))


def cases_of(language: str, kind: str, half: str, generation: str = "1") -> tuple[Case, ...]:
    """The cases of a language; `kind` is `orders` or `prose`, `half` is `open` or `held`."""
    number = "" if generation == "1" else generation
    table = SETS / f"{language}.{kind}{number}.{half}.tsv"
    if kind == "prose" and not table.exists():
        return ()  # some sets have orders alone
    return tuple(Case(*line.split("\t")) for line in table.read_text(encoding="utf-8").splitlines())


@cache
def game_of(place: str) -> tuple[Game, SeatId]:
    """The game of a position, and the seat that writes."""
    power = PowerId(PLACES[place]["power"])
    variant = load_variant(PLACES[place].get("variant", "standard"))
    position = position_of(PLACES[place], variant, power)
    stored = GameState(
        variant=variant.name,
        rules="2000",
        label=str(position.phase),
        serial=9,
        units=position.units,
        owners=position.owners,
        dislodged=position.dislodged,
    )
    return load_game("diplomacy").open(stored.to_raw()), SeatId(power)


def score(case: Case) -> Scored:
    """Read a case, and compare what would be stored or asked with what it means."""
    game, seat = game_of(case.place)
    found = game.read(seat, case.text.split(LINE_END))
    stored = tuple(
        sorted(comparable(f"{each.label} {each.line.text}") for each in found.understood)
    )
    proposed = [
        tuple(comparable(line.text) for line in problem.proposals) for problem in found.problems
    ]
    answers = case.expected.split(" ~ ")
    verdict = min(
        (_verdict(answer, stored, proposed) for answer in answers), key=list(Verdict).index
    )
    if set(stored) - set(chain.from_iterable(map(orders_of, answers))):
        verdict = Verdict.WRONG
    return Scored(case, verdict, stored, tuple(lines[0] if lines else "?" for lines in proposed))


def _verdict(answer: str, stored: Sequence[str], proposed: Sequence[Sequence[str]]) -> Verdict:
    """What became of a case if `answer` is what it means; stored lines are among its orders."""
    firsts = {lines[0] for lines in proposed if lines}
    missing = Counter(orders_of(answer)) - Counter(stored)
    if answer == "talk":
        if not proposed:
            return Verdict.RIGHT
        return Verdict.ASKED_OTHER if firsts else Verdict.REFUSED
    if answer == "none":
        would_store = any(len(lines) == 1 for lines in proposed)
        return Verdict.ASKED_OTHER if would_store else Verdict.RIGHT
    if answer.startswith("ask"):
        wanted = {comparable(line) for line in answer[4:].split("|") if line}
        if not proposed:
            return Verdict.CHAT
        if stored or (wanted and not firsts & wanted):
            return Verdict.ASKED_OTHER
        return Verdict.RIGHT
    if not proposed:
        return Verdict.CHAT if missing else Verdict.RIGHT
    more = {each.partition("/")[0] for each in firsts.difference(missing)}
    if missing.keys() <= firsts and more <= {*helped_by(orders_of(answer))}:
        return Verdict.ASKED_MORE if more else Verdict.ASKED
    return Verdict.ASKED_OTHER if firsts or not missing else Verdict.REFUSED


def orders_of(answer: str) -> list[str]:
    """The orders that an answer stores."""
    if answer in ("none", "talk") or answer.startswith("ask"):
        return []
    return [comparable(order) for order in answer.split(";")]


def helped_by(orders: Iterable[str]) -> list[str]:
    """The moves that orders convoy or support."""
    return [comparable(found[1]) for each in orders if (found := HELPED.match(each))]


def comparable(order: str) -> str:
    """An order without what makes no difference: VIA where the army cannot walk, the coast of a
    supported move."""
    order = COAST_OF_SUPPORTED.sub(r"\1", order.strip())
    if (ride := BY_CONVOY.match(order)) and not _can_walk(ride[1], ride[2]):
        return order.removesuffix(" VIA")
    return order


def _can_walk(start: str, target: str) -> bool:
    return STANDARD.board.is_adjacent(UnitKind.ARMY, parse_location(start), ProvinceId(target))


def main(arguments: Sequence[str]) -> None:
    half = next((each for each in arguments if each in HALVES), "open")
    generation = arguments[arguments.index("--set") + 1] if "--set" in arguments[:-1] else "1"
    for language in [each for each in LANGUAGES if each in arguments] or LANGUAGES:
        if generation not in generations_of(language, half):
            print(f"{language} has no set {generation}")
            continue
        for kind in ("orders", "prose"):
            scored = [score(case) for case in cases_of(language, kind, half, generation)]
            if not scored:
                continue
            counts = Counter(each.verdict for each in scored)
            print(f"{language}, {kind}, set {generation}, {half} half: {len(scored)} cases")
            for verdict in Verdict:
                print(f"  {counts[verdict]:4} {counts[verdict] / len(scored):7.1%}  {verdict}")
            if "--list" in arguments:
                for each in sorted(scored, key=lambda each: list(Verdict).index(each.verdict)):
                    if each.verdict is not Verdict.RIGHT:
                        print(_shown(each))


def _shown(scored: Scored) -> str:
    case = scored.case
    return (
        f"{scored.verdict}: {case.name} {case.text}\n"
        f"      expected: {case.expected}\n"
        f"        stored: {'; '.join(scored.stored)}\n"
        f"      proposed: {'; '.join(scored.proposed)}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
