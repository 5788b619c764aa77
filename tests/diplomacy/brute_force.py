"""An independent referee: every set of successful moves that is consistent with the definitions.

Shares no code with the adjudicator; of the board it asks only who borders whom. Slow on purpose: it
tries all 2^n sets for n moves, and finds convoy routes by trying all sets of fleets. Rule: DATC
chapter 5.B, for the choices 4.A.1 (all routes), 4.A.2 (szykman or 2000), 4.A.3 (2000, no fallback),
4.A.4 (not cut) and 4.A.7 (both).
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from itertools import chain, combinations

from judge.diplomacy.board import Board


@dataclass(frozen=True)
class Piece:
    """A unit and its order: `verb` is hold, move, support_hold, support_move or convoy.

    `other` is the province of the helped unit, `goal` where the move goes, `coast` the fleet's own.
    """

    power: str
    kind: str
    at: str
    verb: str
    other: str = ""
    goal: str = ""
    via: bool = False
    coast: str = ""
    goal_coast: str = ""


Moves = Set[str]  # the provinces from which a unit moves


@dataclass(frozen=True)
class Referee:
    """The definitions, applied to pieces that have only legal orders."""

    board: Board
    pieces: Mapping[str, Piece]
    no_effect_when_dislodged: bool  # 4.A.7: a_never
    spares_needed_fleets: bool  # 4.A.2: 2000
    stopped: Set[str] = frozenset()  # armies that a paradox rule has stopped

    def gives_way(self, at: str) -> bool:
        """Whether a ring that may move on does so though the move from there fails by it."""
        del at
        return False

    # --- which way --------------------------------------------------------------------------

    def borders(self, one: str, other: str) -> bool:
        """Whether a fleet could sail between two provinces."""
        return any(
            way.province == other
            for place, ways in self.board.fleet_ways.items()
            if place.province == one
            for way in ways
        )

    def carriers(self, army: Piece) -> set[str]:
        return {
            piece.at
            for piece in self.pieces.values()
            if (piece.verb, piece.other, piece.goal) == ("convoy", army.at, army.goal)
        }

    def connects(self, army: Piece, fleets: Set[str]) -> bool:
        """Whether these fleets make a chain from the army to its goal."""
        reached = {sea for sea in fleets if self.borders(army.at, sea)}
        while True:
            more = {s for s in fleets - reached if any(self.borders(r, s) for r in reached)}
            if not more:
                return any(self.borders(sea, army.goal) for sea in reached)
            reached |= more

    def walks(self, army: Piece) -> bool:
        return any(str(way) == army.goal for way in self.board.army_ways.get(army.at, ()))

    def by_sea(self, piece: Piece) -> bool:
        if piece.kind == "F":
            return False
        own = any(self.pieces[sea].power == piece.power for sea in self.carriers(piece))
        return not self.walks(piece) or piece.via or own

    # --- one set of successful moves ----------------------------------------------------------

    def dislodged(self, at: str, won: Moves) -> bool:
        return at not in won and any(
            self.pieces[origin].goal == at for origin in won if origin != at
        )

    def arrives_at_border(self, piece: Piece, won: Moves, without: str = "") -> bool:
        if piece.at in self.stopped:
            return False
        if not self.by_sea(piece):
            return True
        whole = {sea for sea in self.carriers(piece) if not self.dislodged(sea, won)}
        return self.connects(piece, whole - {without})

    def given(self, piece: Piece, won: Moves) -> bool:
        """Whether a support is neither cut nor dislodged."""
        aim = piece.goal if piece.verb == "support_move" else piece.other
        for attacker in self.movers_to(piece.at):
            if self.is_spared(attacker, piece, aim, won):
                continue
            if attacker.at in won:
                return False
            foreign = attacker.power != piece.power
            if foreign and attacker.at != aim and self.arrives_at_border(attacker, won):
                return False
        return True

    def is_spared(self, army: Piece, support: Piece, aim: str, won: Moves) -> bool:
        """4.A.2, 2000: an army does not cut support against a fleet that its convoy needs."""
        return (
            self.spares_needed_fleets
            and support.verb == "support_move"
            and self.by_sea(army)
            and aim in self.carriers(army)
            and not self.arrives_at_border(army, won, without=aim)
        )

    def movers_to(self, goal: str) -> list[Piece]:
        return [p for p in self.pieces.values() if p.verb == "move" and p.goal == goal]

    def helpers(self, mover: Piece, won: Moves) -> list[Piece]:
        return [
            piece
            for piece in self.pieces.values()
            if piece.verb == "support_move"
            and (piece.other, piece.goal) == (mover.at, mover.goal)
            and piece.goal_coast in ("", mover.goal_coast)
            and self.given(piece, won)
        ]

    def head_to_head(self, mover: Piece) -> Piece | None:
        other = self.pieces.get(mover.goal)
        if other is None or other.verb != "move" or other.goal != mover.at:
            return None
        return None if self.by_sea(mover) or self.by_sea(other) else other

    def attack(self, mover: Piece, won: Moves) -> int:
        there = self.pieces.get(mover.goal)
        helpers = self.helpers(mover, won)
        gone = there is not None and there.at in won and self.head_to_head(mover) is None
        if there is None or gone:
            return 1 + len(helpers)
        if there.power == mover.power:
            return 0
        return 1 + sum(piece.power != there.power for piece in helpers)

    def hold(self, at: str, won: Moves) -> int:
        piece = self.pieces.get(at)
        if piece is None or at in won:
            return 0
        if piece.verb == "move":
            return 1
        return 1 + sum(
            (each.verb, each.other) == ("support_hold", at) and self.given(each, won)
            for each in self.pieces.values()
        )

    def prevent(self, mover: Piece, won: Moves) -> int:
        if not self.arrives_at_border(mover, won):
            return 0
        there = self.pieces.get(mover.goal)
        comes_back = there is not None and there.verb == "move" and there.goal == mover.at
        if comes_back and mover.goal in won:
            if self.head_to_head(mover) is not None:
                return 0
            if self.no_effect_when_dislodged and mover.at not in won:
                return 0
        return 1 + len(self.helpers(mover, won))

    def wins(self, mover: Piece, won: Moves) -> bool:
        if not self.arrives_at_border(mover, won):
            return False
        attack = self.attack(mover, won)
        opponent = self.head_to_head(mover)
        if opponent is None:
            against = self.hold(mover.goal, won)
        else:
            against = 1 + len(self.helpers(opponent, won))
        rivals = [p for p in self.movers_to(mover.goal) if p.at != mover.at]
        return attack > max([against, *(self.prevent(rival, won) for rival in rivals)])

    def solutions(self) -> Iterator[frozenset[str]]:
        """All sets of successful moves that lead to themselves."""
        movers = sorted(p.at for p in self.pieces.values() if p.verb == "move")
        sets = chain.from_iterable(combinations(movers, n) for n in range(len(movers) + 1))
        for chosen in sets:
            won = frozenset(chosen)
            if all(self.wins(self.pieces[at], won) == (at in won) for at in movers):
                yield won
