"""What a master's hand did, as everybody is told whom it touches."""

from datetime import datetime

import msgspec

from judge.host.messages.shared import Due, GameRef
from judge.rulebook import SeatId
from judge.store import Act


class MasterActed(msgspec.Struct, frozen=True, tag=True):
    """An act of the master's, in the answer to its letter and in a letter to all others.

    Attributes:
        seats: whom it concerns.
        who: the name of a player whom it is about.
        reason: in the master's own words.
        due: the deadline as it is now.
        since: of a hold that its master is reminded of.
    """

    game: GameRef
    act: Act
    reason: str = ""
    seats: tuple[SeatId, ...] = ()
    who: str = ""
    due: Due | None = None
    since: datetime | None = None


MasterMessage = MasterActed
