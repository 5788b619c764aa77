"""Whether `judge adjudicate` answers as another release does: `python -m bench.same_bytes`.

    git worktree add ../before v0.1 && make -C ../before .venv/.run
    .venv/bin/python -m bench.same_bytes --before ../before/.venv/bin/python

Both programs get the same lines, and every byte of their answers is compared. The lines:

- positions  the committed positions of `bench/positions/`
- datc       the DATC's cases under every preset and every choice that they name, as the DATC writes
             their orders and in canonical notation
- figures    the rulebooks' figures, their orders in four languages
- spellings  each line of `tests/grammar/lines/`, readable or not, in its position
- games      random games on every shipped variant, the Colonial options included, whose phases
             follow one another as the release before answers
- next       the retreats and adjustments that follow the phases of all these
- faults     lines that break the schema

Takes two minutes. Prints how many lines of each were compared, how many differ, and from which
change of the rules or of the reader those come (`changes.py`); exit code 1 if that is unknown of
one. Knows only the format of the lines (docs/rules.md), and nothing of the judge.
"""

import argparse
import gzip
import json
import random
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from bench.changes import UNEXPLAINED, Difference, counts, explained

ROOT = Path(__file__).resolve().parent.parent
PRESETS = ("2000", "2023", "1982", "1971", "dptg")
LABELS = {"movement": "S1901M", "retreat": "S1901R", "adjustment": "W1901A"}
# Options of the games, in turn; the first games of a variant have none.
OPTIONS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "colonial": (
        {},
        {"land_bridges": "moulmein", "victory": 24},
        {"land_bridges": "1996", "canal": False},
        {"railway": False, "calendar": "seasons"},
        {"hong_kong": False, "railway_passes_own": False},
    ),
    "standard": ({}, {"players": "2"}, {"players": "4"}, {"players": "6"}, {"last_year": "1902"}),
}
GAMES = 5  # a variant
PHASES = 10  # a game
SHOWN = 10  # unexplained differences in full

Row = dict[str, Any]


def answers(python: str, rows: Sequence[Row | str]) -> list[str]:
    """What a release says to each line. Its program is named by the Python that it is installed in.

    Raises:
        RuntimeError: it answered more or fewer lines than it got.
    """
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    done = subprocess.run(
        # -P: what is imported is what is installed there, not what lies in this folder.
        [python, "-P", "-m", "judge", "adjudicate"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,  # 1 says that some lines were refused
    )
    # Only line feeds end an answer: a reason may hold other characters that end lines.
    found = done.stdout.split("\n")[:-1]
    if len(found) != len(rows):
        raise RuntimeError(f"{len(found)} answers to {len(rows)} lines\n{done.stderr[-2000:]}")
    return found


# --- the lines ------------------------------------------------------------------------------------


def positions() -> Iterator[Row]:
    for path in sorted((ROOT / "bench/positions").glob("*.jsonl.gz")):
        yield from map(json.loads, gzip.decompress(path.read_bytes()).splitlines())


def datc() -> Iterator[Row]:
    for case in json.loads((ROOT / "tests/datc/cases.json").read_text(encoding="utf-8")):
        chosen = [case["options"], *(one["options"] for one in case["alternatives"])]
        rules: list[str | Row] = [*PRESETS]
        rules += [{"preset": "2023", **case["options"], **options} for options in chosen]
        for each in [case, *([case["setup"]] if "setup" in case else [])]:
            for number, rule in enumerate(rules):
                # Some of the DATC's own lines name no order of this phase: those go unpaired.
                raw = [*zip(_powers(each), each["raw"], strict=False)]
                for texts in (each["orders"], raw):
                    yield {
                        "id": f"{case['id']} {number}",
                        "rules": rule,
                        "phase": LABELS[each["phase"]],
                        "units": _by_power((row[0], f"{row[1]} {row[2]}") for row in each["units"]),
                        "orders": _by_power(texts),
                        **_state(each),
                    }


def _powers(case: Row) -> list[str]:
    return [power for power, _ in case["orders"]]


def _state(case: Row) -> Row:
    """What a case says of centers, of dislodged units and of contested provinces."""
    state = {name: case[name] for name in ("centers", "contested") if case.get(name)}
    if case.get("dislodged"):
        by_convoy = {tuple(row) for row in case.get("attacked_by_convoy", ())}
        rows = case["dislodged"]
        dislodged: dict[str, list[Row]] = {}
        for power, kind, place, origin in rows:
            one = {"unit": f"{kind} {place}", "attacker_from": origin.partition("/")[0]}
            is_by_convoy = (power, kind, place) in by_convoy
            dislodged.setdefault(power, []).append({**one, "by_convoy": is_by_convoy})
        state["dislodged"] = dislodged
    return state


def figures() -> Iterator[Row]:
    found = json.loads((ROOT / "tests/figures/figures.json").read_text(encoding="utf-8"))
    for figure in found["cases"]:
        is_colonial = figure["ruleset"] == "colonial"
        for written in ("orders", "orders_ko", "orders_zh", "orders_seed004_style"):
            if written not in figure:
                continue
            texts = [row[-1] if isinstance(row, list) else row for row in figure[written]]
            powers = _powers(figure)
            if len(texts) == len(powers):
                yield {
                    "id": f"{figure['id']} {written}",
                    "variant": figure["ruleset"],
                    "phase": "1870M" if is_colonial else "S1901M",
                    "units": _by_power((row[0], f"{row[1]} {row[2]}") for row in figure["units"]),
                    "centers": {},
                    "orders": _by_power(zip(powers, texts, strict=True)),
                }


def spellings() -> Iterator[Row]:
    return (row for row, _ in _spellings())


def _spellings() -> Iterator[tuple[Row, list[str]]]:
    """Each spelling, and the orders that it means."""
    folder = ROOT / "tests/grammar/lines"
    places = _toml(folder / "positions.toml")
    for path in sorted(folder.glob("*.toml")):
        if path.stem == "positions":
            continue
        sections: Mapping[str, Any] = _toml(path)
        if path.stem == "refused":
            sections = {place: rows for one in sections.values() for place, rows in one.items()}
        for place, rows in sections.items():
            for number, row in enumerate(rows):
                text, meant = (row, rows[row]) if isinstance(row, str) else (row["line"], "")
                at = places.get(place, places["france"])
                line = {**_line_in(at, text), "id": f"{path.stem} {place} {number}"}
                yield line, [order for order in meant.split("; ") if order]


def _line_in(at: Row, text: str) -> Row:
    """A line as the one order of the power whose letter is read in that position."""
    row = {
        "phase": at["phase"],
        "variant": at.get("variant", "standard"),
        "units": {power: units.split(", ") for power, units in at["units"].items()},
        "centers": {power: each.split() for power, each in at.get("owners", {}).items()},
        "orders": {at["power"]: [text]},
    }
    if "dislodged" in at:
        row["dislodged"] = {
            at["power"]: [
                {"unit": one["unit"], "attacker_from": one["by"], "by_convoy": False}
                for one in at["dislodged"]
            ]
        }
    return row


def faults() -> Iterator[Row | str]:
    good = {"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {}}
    yield from ("{", "[]", '"A PAR - BUR"', "null", '{"id": 1, "id": 2}', "{}", r'{"id": "\ud800"}')
    for key in good:
        yield {name: value for name, value in good.items() if name != key}
    for change in (
        {"color": "red"},
        {"variant": "atlantis"},
        {"rules": "1899"},
        {"rules": {"preset": "2023", "4.A.2": "never"}},
        {"rules": {"4.Z.1": "all_hold"}},
        {"phase": "X1901M"},
        {"phase": "S1901Q"},
        {"phase": 1901},
        {"units": {"FRANCE": ["A PRA"]}},
        {"units": {"FRANCE": ["A PAR", "A PAR"]}},
        {"units": {"NARNIA": ["A PAR"]}},
        {"units": {"FRANCE": ["F PAR"]}},
        {"units": {"FRANCE": ["F STP"]}},
        {"units": []},
        {"centers": {"FRANCE": ["BUR"]}},
        {"centers": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}},
        {"contested": ["SIL"]},
        {"missing": ["NARNIA"]},
        {"missing": ["FRANCE"]},
        {"options": {"railway": True}},
        {"options": {"victory": 19}},
        {"orders": {"FRANCE": ["A PAR - BUR", "A PAR - PIC", "A MAR H", "nonsense", ""]}},
        {"orders": {"NARNIA": ["A PAR H"]}},
        {"orders": {"FRANCE": "A PAR H"}},
        {"orders": {"FRANCE": [1]}},
        {"phase": "S1901R", "dislodged": {"FRANCE": [{"unit": "A BUR"}]}},
    ):
        yield {"id": str(change), **good, **change}


# --- games ----------------------------------------------------------------------------------------


class Variant:
    """What a variant's files say of its start and of who may go where."""

    def __init__(self, name: str) -> None:
        folder = ROOT / "config/variants"
        own = _toml(folder / name / "variant.toml")
        base_name = own.get("based_on", name)
        base = _toml(folder / base_name / "variant.toml")
        board = _toml(folder / base_name / base["board"])
        left_out = own.get("leave_out", ()) if base is not own else ()
        powers = {row["id"]: row for row in base["powers"] if row["id"] not in left_out}
        for row in own.get("powers", ()):
            powers[row["id"]] = {**powers.get(row["id"], {}), **row}
        self.name = name
        first_turn = base["calendar"]["turns"][0]["letter"]
        year = own.get("calendar", base["calendar"]).get("first_year")
        self.phase = own.get("start", f"{first_turn}{year}M")
        has_units = "start_units" not in left_out
        self.units = {
            power: row.get("start_units", []) if has_units else [] for power, row in powers.items()
        }
        self.names = {row["id"]: row["name"] for row in board["provinces"]}
        self.centers = [row["id"] for row in board["provinces"] if row.get("center")]
        self.ways = {
            kind: {origin: found.split() for origin, found in board[section].items()}
            for kind, section in (("A", "army"), ("F", "fleet"))
        }

    def ways_of(self, unit: str) -> Sequence[str]:
        """The locations next to a unit, such as `F STP/SC`."""
        return self.ways[unit[0]].get(unit[2:], ())


def games(before: str, rng: random.Random) -> Iterator[Row]:
    """All phases of some games of every variant; all games are played at the same time."""
    names = sorted(path.parent.name for path in (ROOT / "config/variants").glob("*/variant.toml"))
    variants = {name: Variant(name) for name in names}
    at: list[Row] = []
    for name, variant in variants.items():
        for number in range(GAMES):
            options = OPTIONS.get(name, ({},))
            row = {"variant": name, "options": options[number % len(options)]}
            row |= {"rules": PRESETS[number % len(PRESETS)], "id": f"{name} {number}"}
            phase = "1870M" if name == "colonial" else variant.phase
            phase = "S1870M" if row["options"].get("calendar") else phase
            at.append({**row, "phase": phase, "units": variant.units})
    for _ in range(PHASES):
        for row in at:
            row["orders"] = _orders(variants[row["variant"]], row, rng)
        yield from at
        said = list(map(json.loads, answers(before, at)))
        followed = (_next(row, answer) for row, answer in zip(at, said, strict=True))
        at = [row for row in followed if row is not None]


def _next(row: Row, answer: Row) -> Row | None:
    """The phase that follows, still without orders; None after a fault or the end of a game."""
    if "error" in answer or answer["winners"] or not answer["next_phase"]:
        return None
    kept = {name: row[name] for name in ("id", "variant", "rules", "options") if name in row}
    state = {name: answer[name] for name in ("units", "centers")}
    if answer["next_phase"].endswith("R"):
        state |= {name: answer[name] for name in ("dislodged", "contested")}
    return {**kept, **state, "phase": answer["next_phase"], "orders": {}}


def _orders(variant: Variant, row: Row, rng: random.Random) -> Row:
    """Orders of all powers: mostly sensible, now and then impossible or written freely."""
    kind = row["phase"][-1]
    if kind == "M":
        return _moves(variant, row["units"], rng)
    if kind == "R":
        return _retreats(row.get("dislodged", {}), rng)
    powers = {*row["units"], *row.get("centers", variant.units)}
    return {power: _adjustments(variant, row, power, rng) for power in sorted(powers)}


def _moves(variant: Variant, units: Mapping[str, Sequence[str]], rng: random.Random) -> Row:
    everybody = [unit for own in units.values() for unit in own]
    targets = {unit: rng.choice(variant.ways_of(unit) or [unit[2:]]) for unit in everybody}
    orders: dict[str, list[str]] = {}
    for power, own in units.items():
        for unit in own:
            reached = {way.partition("/")[0] for way in variant.ways_of(unit)}
            helped = [
                other
                for other in everybody
                if other != unit and targets[other].partition("/")[0] in reached
            ]
            armies = [other for other in everybody if other[0] == "A" and other[2:] in reached]
            chance = rng.random()
            text = f"{unit} - {targets[unit]}"
            if helped and chance < 0.3:
                other = rng.choice(helped)
                text = f"{unit} S {other} - {targets[other]}"
            elif unit[0] == "F" and armies and chance < 0.45:
                goal = rng.choice(sorted(reached))
                text = f"{unit} C {rng.choice(armies)} - {goal}"
            elif chance > 0.97:
                text = f"{unit} - {rng.choice(sorted(variant.names))}"
            elif chance > 0.92:
                text = f"{unit} H"
            orders.setdefault(power, []).append(_written(variant, text, rng))
    return orders


def _written(variant: Variant, text: str, rng: random.Random) -> str:
    """An order as it is, in small letters, with an arrow, or with names in full."""
    style = rng.randrange(8)
    if style == 0:
        return text.lower()
    if style == 1:
        return text.title().replace(" - ", " → ")
    if style == 2:
        return " ".join(variant.names.get(word, word) for word in text.split())
    return text


def _retreats(dislodged: Mapping[str, Sequence[Row]], rng: random.Random) -> Row:
    orders: dict[str, list[str]] = {}
    for power, rows in dislodged.items():
        for row in rows:
            text = f"{row['unit']} D"
            if row["retreats"] and rng.random() < 0.8:
                text = f"{row['unit']} R {rng.choice(row['retreats'])}"
            if rng.random() < 0.9:
                orders.setdefault(power, []).append(text)
    return orders


def _adjustments(variant: Variant, row: Row, power: str, rng: random.Random) -> Sequence[str]:
    """Builds in all centers of a power and removals of some units: the judge takes what is due."""
    centers = row.get("centers", {}).get(power) or rng.sample(variant.centers, 8)
    builds = [f"{rng.choice('AAF')} {center} B" for center in centers]
    removals = [f"{unit} D" for unit in row["units"].get(power, ()) if rng.random() < 0.2]
    return [*removals, *builds, *(["WAIVE"] if rng.random() < 0.2 else [])]


def following(rows: Sequence[Row | str], said: Sequence[str], rng: random.Random) -> Iterator[Row]:
    """The retreats and adjustments that come next, with orders."""
    variants: dict[str, Variant] = {}
    for row, text in zip(rows, said, strict=True):
        answer = json.loads(text)
        if isinstance(row, str) or "error" in answer or not answer["next_phase"]:
            continue
        if answer["next_phase"].endswith("M"):
            continue
        name = row.get("variant", "standard")
        variant = variants.setdefault(name, Variant(name))
        follower = _next(row, answer)
        if follower is not None:
            yield {**follower, "orders": _orders(variant, follower, rng)}


# --- what came out --------------------------------------------------------------------------------


def _by_power(rows: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for power, text in rows:
        found.setdefault(power, []).append(text)
    return found


def _id(row: Row | str) -> str:
    return "" if isinstance(row, str) else row.get("id", "")


def _toml(path: Path) -> Row:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def main() -> int:
    asked = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    asked.add_argument("--before", required=True, help="the Python in which that release stands")
    asked.add_argument("--after", default=sys.executable, help="this release's, if not this one")
    asked.add_argument("--seed", type=int, default=1901, help="of the random games")
    told = asked.parse_args()
    rng = random.Random(told.seed)
    rows: dict[str, list[Row | str]] = {
        "positions": [*positions()],
        "datc": [*datc()],
        "figures": [*figures()],
        "spellings": [*spellings()],
        "games": [*games(told.before, rng)],
        "faults": [*faults()],
    }
    first = [*chain.from_iterable(rows.values())]
    said = answers(told.before, first)
    rows["next"] = [*following(first, said, rng)]
    said += answers(told.before, rows["next"])
    now = answers(told.after, [*first, *rows["next"]])

    meant = {row["id"]: orders for row, orders in _spellings()}
    found: list[Difference] = []
    number = 0
    for name, those in rows.items():
        said_before, said_now = (each[number : number + len(those)] for each in (said, now))
        number += len(those)
        different = [
            Difference(name, row, was, is_now, meant.get(_id(row)))
            for row, was, is_now in zip(those, said_before, said_now, strict=True)
            if was != is_now
        ]
        found += different
        refused = sum("error" in answer for answer in map(json.loads, said_before))
        counted = f"{len(those):>6} lines, {refused:>3} of them refused"
        print(f"{name:<10} {counted}, {len(different)} different")
    names = [*explained(found, partial(answers, told.before), partial(answers, told.after))]
    print()
    print(*counts(found, names), sep="\n")
    unexplained = [one for one, name in zip(found, names, strict=True) if name == UNEXPLAINED]
    for one in unexplained[:SHOWN]:
        line = json.dumps(one.row, ensure_ascii=False)
        print(f"{one.group}: {line}\n  before {one.before}\n  now    {one.now}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
