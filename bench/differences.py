"""Where the judge and the peer reach different boards, and why, as far as that can be told.

Each kind is explained in docs/performance.md. A difference is put down to a choice of rules only if
the judge reaches the peer's board under that choice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.make_positions import Row
from bench.ours import Task, board, is_by_convoy, read_task

BOARD_KEYS = ("units", "dislodged")


class Why(StrEnum):
    """The kinds of difference."""

    LAND_OR_CONVOY = "4.A.3: an army whose convoy fails walks"
    DISLODGED_BOUNCES = "4.A.7: a unit dislodged by a convoyed army still bounces others"
    OWN_SUPPORT = "peer: a power's support dislodges its own unit where the attacker says VIA"
    OWN_SUPPORT_BREAKS = "peer: a power's support breaks the convoy of its own fleet"
    RETREATS = "peer: dislodged by a convoyed army, a unit may retreat anywhere beside it"
    NO_CHOICE = "a power that must remove all it has is not asked"
    UNKNOWN = "unknown"


CHOICES: Mapping[Why, Sequence[Mapping[str, str]]] = {
    Why.LAND_OR_CONVOY: ({"4.A.3": "2000_fallback"}, {"4.A.3": "2.4_d"}, {"4.A.3": "dptg"}),
    Why.DISLODGED_BOUNCES: ({"4.A.7": "b_only_head_to_head"},),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One position on which the two do not agree."""

    id: str
    why: Why
    is_board: bool


def differences(tasks: Sequence[Task], theirs: Sequence[Row]) -> list[Difference]:
    found = []
    for task, peer in zip(tasks, theirs, strict=True):
        mine = board(task)
        if any(mine[key] != peer[key] for key in mine):
            is_board = _differ(mine, peer)
            why = _why_board(task, peer) if is_board else _why_after(task, mine, peer)
            found.append(Difference(task.row["id"], why, is_board))
    return found


def _differ(mine: Row, peer: Row) -> bool:
    return any(mine[key] != peer[key] for key in BOARD_KEYS)


def _why_board(task: Task, peer: Row) -> Why:
    for why, choices in CHOICES.items():
        for choice in choices:
            row = {**task.row, "rules": {"preset": "2000", **choice}}
            if not _differ(board(read_task(row)), peer):
                return why
    for unit in _helped_against(task.row):
        if "dislodged" in peer["results"][unit]:
            return Why.OWN_SUPPORT
        if "disrupted" in peer["results"][unit]:
            return Why.OWN_SUPPORT_BREAKS
    return Why.UNKNOWN


def _helped_against(row: Row) -> list[str]:
    """Units whose own power supports a move to where they stand."""
    found = []
    for power, order_set in row["orders"].items():
        for unit in row["units"][power]:
            province = unit[2:5]
            for text in order_set:
                if " S " in text and text.partition(" - ")[2][:3] == province:
                    found.append(unit)
                    break
    return found


def _why_after(task: Task, mine: Row, peer: Row) -> Why:
    """The boards are the same; the retreats, or what comes after them, are not."""
    units = {*mine["retreats"], *peer["retreats"]}
    other = {unit for unit in units if mine["retreats"].get(unit) != peer["retreats"].get(unit)}
    if other:
        return Why.RETREATS if all(is_by_convoy(task, unit) for unit in other) else Why.UNKNOWN
    removes_all = any(
        units and not peer["centers"][power] for power, units in peer["units"].items()
    )
    return Why.NO_CHOICE if removes_all and peer["phase"][-1] == "A" else Why.UNKNOWN
