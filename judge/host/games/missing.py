"""What each policy for missing players means, in one table; and who sees what of the seats."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.host.letters.access import Role
from judge.rulebook import Silence
from judge.store import Fact, GameRecord, Missing, SeatRecord, Sight


@dataclass(frozen=True, slots=True)
class MissingRule:
    """What becomes of a phase and a seat where nothing came.

    Attributes:
        waits: the phase does not run without the orders.
        has_grace: those who are late have the game's grace.
        in_disorder: the seat is in civil disorder for the phase; else its units just hold.
        misses: main phases in a row without orders, after which the seat is vacant; None: never.
        is_defended: the computer gives orders that only defend.
    """

    waits: bool = False
    has_grace: bool = True
    in_disorder: bool = True
    misses: int | None = None
    is_defended: bool = False


RULES: Mapping[Missing, MissingRule] = {
    Missing.WAIT: MissingRule(waits=True, has_grace=False),
    Missing.DISORDER: MissingRule(misses=2),
    Missing.VACANT: MissingRule(misses=1),
    Missing.HOLD: MissingRule(has_grace=False, in_disorder=False),
    Missing.CARETAKER: MissingRule(in_disorder=False, misses=2, is_defended=True),
}


def rule_of(game: GameRecord) -> MissingRule:
    """What the game's policy says."""
    return RULES[game.settings.missing]


def is_lost_by(game: GameRecord, seat: SeatRecord) -> bool:
    """Whether another miss of a main phase makes the seat vacant."""
    limit = rule_of(game).misses
    return limit is not None and seat.misses + 1 >= limit


def is_last_chance(game: GameRecord, seat: SeatRecord) -> bool:
    """Whether the seat is lost if nothing comes in the running phase either."""
    is_counted = game.phase is not None and game.phase.silence is not Silence.NORMAL
    return is_counted and is_lost_by(game, seat)


def may_see(game: GameRecord, fact: Fact, role: Role | None) -> bool:
    """Whether a reader sees a fact: a player of the game, its master, or (None) anybody else. Of a
    blind game only its master does: who owes orders still has units."""
    if game.settings.blind and not (role is not None and role.is_master):
        return False
    if role is None or (role.seat is None and not role.is_master):
        return game.settings.sight_of(fact) is Sight.EVERYBODY
    allowed = {Sight.EVERYBODY, Sight.PLAYERS} | ({Sight.MASTER} if role.is_master else set())
    return game.settings.sight_of(fact) in allowed
