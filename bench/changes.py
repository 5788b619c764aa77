"""Why `judge adjudicate` answers otherwise than the first release, difference by difference.

Each change of the rules or of the reader stands here with the line that it has no part in: under
the older choice, with a hold for the order it concerns, or in canonical notation. A difference is
put down to a change if both releases give the same answer to that line, reasons aside.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
Ask = Callable[[Sequence[Row]], Sequence[str]]  # a release's answers to lines

WORDS = "reasons and texts of errors alone"
SPELLING = "a spelling is read as what it means"
TOGETHER = "several of these in one line"
UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that two releases answer in two ways.

    `meant`: the orders that it is known to mean in canonical notation, where it is a spelling.
    """

    group: str
    row: Row | str
    before: str
    now: str
    meant: Sequence[str] | None = None


# The line without a change; None if the change has no part in it.
Alter = Callable[[Row, Difference], Row | None]

# --- what changed ---------------------------------------------------------------------------------


def _chosen(row: Row) -> Row:
    rules = row.get("rules", "2000")
    return {"preset": rules} if isinstance(rules, str) else dict(rules)


def _under(issue: str, older: str, *presets: str) -> Alter:
    """The line under an older choice, if one of the presets answers the question for it."""

    def altered(row: Row, _: Difference) -> Row | None:
        rules = _chosen(row)
        if rules["preset"] not in presets or issue in rules:
            return None
        return {**row, "rules": {**rules, issue: older}}

    return altered


def _without_impossible(row: Row, _: Difference) -> Row | None:
    """The line where impossible moves are holds: the first release called them VIA otherwise."""
    rules = _chosen(row)
    if rules.get("4.E.1") != "impossible_move_still_a_move":
        return None
    return {**row, "rules": {**rules, "4.E.1": "illegal_orders_ignored"}}


def _without_doubles(row: Row, _: Difference) -> Row | None:
    """The line with each unit named once."""
    units = {power: list(dict.fromkeys(texts)) for power, texts in row.get("units", {}).items()}
    return {**row, "units": units} if units != row.get("units", {}) else None


def _without_new_choice(row: Row, _: Difference) -> Row | None:
    """The line without the choice `dptg` of 4.A.1, which the first release did not know."""
    rules = _chosen(row)
    if rules.get("4.A.1") != "dptg":
        return None
    return {**row, "rules": {**rules, "4.A.1": "all_routes"}}


def _without_via(row: Row, one: Difference) -> Row | None:
    """The line with a hold for each order VIA that is void now."""
    void = {
        result["order"]
        for results in json.loads(one.now).get("results", {}).values()
        for result in results
        if result["order"].endswith(" VIA") and "void" in result["outcome"]
    }
    orders = {
        power: [f"{text.partition(' - ')[0]} H" if text in void else text for text in texts]
        for power, texts in row["orders"].items()
    }
    return {**row, "orders": orders} if orders != row["orders"] else None


def _spelled_out(row: Row, one: Difference) -> Row | None:
    """The line with the orders that it is known to mean."""
    if one.meant is None:
        return None
    return {**row, "orders": dict.fromkeys(row["orders"], one.meant)}


# By the issue of docs/rules.md that it comes from.
CHANGES: Mapping[str, Alter] = {
    "4.E.1: VIA to where no fleets could carry the army is void": _without_via,
    "4.A.5 of 1982 and 1971: no retreat to where a convoyed attacker came from": _under(
        "4.A.5", "b_may_if_convoyed", "1982", "1971"
    ),
    "4.A.7 of 1982 and 1971: a dislodged unit never has an effect there": _under(
        "4.A.7", "b_only_head_to_head", "1982", "1971"
    ),
    "4.A.1 of dptg: foreign fleets are left out of a convoy": _under("4.A.1", "all_routes", "dptg"),
    "4.A.1: dptg is a choice now": _without_new_choice,
    "4.A.4 of dptg: a convoyed army cuts the support": _under("4.A.4", "a_not_cut", "dptg"),
    "4.B.4 of dptg: a coast in a support says nothing": _under("4.B.4", "coast_optional", "dptg"),
    "4.E.1 of dptg: an impossible move stays a move": _under(
        "4.E.1", "illegal_orders_ignored", "dptg"
    ),
    "4.E.1: an impossible move that stays one is no move VIA": _without_impossible,
    "a unit that a position names twice is a fault": _without_doubles,
    SPELLING: _spelled_out,
}


# --- which of them it was -------------------------------------------------------------------------


def explained(found: Sequence[Difference], before: Ask, now: Ask) -> Iterator[str]:
    """The name of the change that each difference comes from, in their order."""
    names: dict[int, str] = {}
    asked: list[tuple[int, str, Row]] = []
    for at, one in enumerate(found):
        if _board(one.before) == _board(one.now):
            continue
        names[at] = UNEXPLAINED
        if isinstance(one.row, str):
            continue
        all_at_once = one.row
        for name, alter in CHANGES.items():
            if (row := alter(one.row, one)) is not None:
                asked.append((at, name, row))
            all_at_once = alter(all_at_once, one) or all_at_once
        asked.append((at, TOGETHER, all_at_once))
    rows = [row for _, _, row in asked]
    for (at, name, _), was, is_now in zip(asked, before(rows), now(rows), strict=True):
        # A spelling must be read as what it means, not only otherwise than before.
        is_read = name != SPELLING or _board(is_now)["results"] == _board(found[at].now)["results"]
        if names[at] == UNEXPLAINED and is_read and _board(was) == _board(is_now):
            names[at] = name
    return (names.get(at, WORDS) for at in range(len(found)))


def _board(answer: str) -> Row:
    """An answer without reasons and without the texts of errors."""
    said: Row = json.loads(answer)
    if "error" in said:
        return {"error": ""}
    for results in said["results"].values():
        for result in results:
            del result["reason"]
    for problem in said["problems"]:
        del problem["error"]
    return said


def counts(found: Sequence[Difference], names: Iterable[str]) -> Iterator[str]:
    """Lines of a table: how many differences of which change, in which groups of lines."""
    rows: dict[str, Counter[str]] = {}
    for one, name in zip(found, names, strict=True):
        rows.setdefault(name, Counter())[one.group] += 1
    for name in (WORDS, *CHANGES, TOGETHER, UNEXPLAINED):
        by_group = rows.get(name, Counter())
        where = ", ".join(f"{group} {count}" for group, count in by_group.items())
        yield f"{by_group.total():>6}  {name}" + (f" ({where})" if where else "")
