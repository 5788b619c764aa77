"""The independent referee with the Colonial board's canal and railway, stated a second time.

Shares no code with the adjudicator. Rule: Colonial rulebook 9.2, 9.3, as docs/rules.md decides it.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from .brute_force import Moves, Piece, Referee

LINE = ("MOS", "PRM", "OMS", "KRA", "IRK", "VLA")
ENDS = {"MED", "RED"}


@dataclass(frozen=True)
class ColonialReferee(Referee):
    """`leaves` are the seas whose fleets may pass. The piece in `train` moves to where the ride is
    tried to end (nowhere if `is_stuck`), was ordered to `goal`, and claims stations on its way.
    Units of its own power bar it as others do unless it `passes_own`."""

    leaves: Set[str] = frozenset()
    train: str = ""
    goal: str = ""
    claims: Set[str] = frozenset()
    is_stuck: bool = False
    passes_own: bool = True

    # --- the canal ------------------------------------------------------------------------------

    def passes(self, piece: Piece) -> bool:
        return piece.kind == "F" and {piece.at, piece.goal} == ENDS

    def may_pass(self, piece: Piece) -> bool:
        keeper = self.pieces.get("EGY")
        return keeper is not None and (piece.power == keeper.power or piece.at in self.leaves)

    def is_nowhere(self, piece: Piece) -> bool:
        """Whether its move cannot be made, whatever the others do."""
        if piece.at == self.train:
            return self.is_stuck
        return self.passes(piece) and not self.may_pass(piece)

    def gives_way(self, at: str) -> bool:
        return self.passes(self.pieces[at])

    def arrives_at_border(self, piece: Piece, won: Moves, without: str = "") -> bool:
        if self.is_nowhere(piece):
            return False
        if self.passes(piece) and ("EGY" in won or without == "EGY" or self.dislodged("EGY", won)):
            return False
        return super().arrives_at_border(piece, won, without)

    def is_spared(self, army: Piece, support: Piece, aim: str, won: Moves) -> bool:
        if army.at == self.train:
            return True  # a train cuts nothing
        if self.spares_needed_fleets and self.passes(army) and aim == "EGY":
            return support.verb == "support_move"
        return super().is_spared(army, support, aim, won)

    # --- the railway ----------------------------------------------------------------------------

    def by_sea(self, piece: Piece) -> bool:
        return piece.at != self.train and super().by_sea(piece)

    def head_to_head(self, mover: Piece) -> Piece | None:
        other = super().head_to_head(mover)
        return None if other is None or self.is_nowhere(mover) or self.is_nowhere(other) else other

    def helpers(self, mover: Piece, won: Moves) -> list[Piece]:
        if mover.at == self.train and mover.goal != self.goal:
            return []
        return super().helpers(mover, won)

    def attack(self, mover: Piece, won: Moves) -> int:
        is_free = mover.goal not in self.pieces or (
            mover.goal in won and self.head_to_head(mover) is None
        )
        return 0 if mover.at == self.train and not is_free else super().attack(mover, won)

    def claim(self, station: str, won: Moves) -> int:
        """What the train that was stopped before a station keeps others out of it with."""
        there = self.pieces.get(station)
        if station not in self.claims:
            return 0
        if there is not None and there.goal == self.train and station in won:
            return 0
        if station != self.goal:
            return 1
        ordered = replace(self.pieces[self.train], goal=station)
        return 1 + len(self.helpers(ordered, won)) if self.pieces[self.train].goal != station else 1

    def wins(self, mover: Piece, won: Moves) -> bool:
        if not super().wins(mover, won):
            return False
        return self.attack(mover, won) > self.claim(mover.goal, won)

    def only_answer(self) -> Moves | None:
        """The set that all agree on: the one there is, or of a ring's the one that moves."""
        found = list(self.solutions())
        best = max(found, key=len, default=None)
        is_plain = len(found) == 1 or not any(map(self.passes, self.pieces.values()))
        return best if is_plain and best is not None and all(x <= best for x in found) else None


def ride(referee: ColonialReferee, train: Piece) -> tuple[ColonialReferee, Moves] | None:
    """How a ride is carried out: station by station, the train is set further back for each one
    that proves closed. None where a paradox leaves it open."""
    start, end = LINE.index(train.at), LINE.index(train.goal)
    step = 1 if start < end else -1
    way = [LINE[index] for index in range(start + step, end + step, step)]
    claims: set[str] = set()
    for tried in _ends(way):
        if any(way.index(one) <= way.index(tried or way[0]) and tried for one in claims):
            continue  # beyond a station that proved closed
        at = replace(train, goal=tried or way[0])
        now = replace(
            referee,
            pieces={**referee.pieces, train.at: at},
            train=train.at,
            goal=train.goal,
            claims=frozenset(claims),
            is_stuck=tried is None,
        )
        won = now.only_answer()
        if won is None or tried is None:
            return None if won is None else (now, won)
        closed = _closed(now, won, train, way[: way.index(tried) + 1])
        if closed is None and train.at in won:
            return now, won
        own = _standing(now, won, tried)
        if closed is not None:
            claims.add(closed)
        elif not any(piece.power == train.power for piece in own):
            claims.add(tried)
    return None


def _ends(way: Sequence[str]) -> list[str | None]:
    return [*reversed(way), None]


def _standing(referee: ColonialReferee, won: Moves, at: str) -> list[Piece]:
    """Those that stay there or get there, but the train."""
    found = [p for p in referee.movers_to(at) if p.at in won and p.at != referee.train]
    if at in referee.pieces and at not in won:
        found.append(referee.pieces[at])
    return found


def _closed(referee: ColonialReferee, won: Moves, train: Piece, way: Sequence[str]) -> str | None:
    lets_pass = train.power if referee.passes_own else ""
    for station in way:
        comes = referee.pieces.get(station)
        swaps = comes is not None and (comes.verb, comes.goal) == ("move", train.at)
        if swaps and station == way[0] and referee.pieces[station].power != lets_pass:
            return station
        if any(piece.power != lets_pass for piece in _standing(referee, won, station)):
            return station
    return None
