"""Press between the seats, and votes on how a game ends."""

import msgspec

from judge.host.messages.references import GameRef
from judge.rulebook import SeatId


class PressReceived(msgspec.Struct, frozen=True, tag=True):
    """Press as its readers see it. `sender` is a seat id, `MASTER`, or "" for grey press."""

    game: GameRef
    sender: str
    to: tuple[str, ...]
    broadcast: bool
    text: str


class PressSent(msgspec.Struct, frozen=True, tag=True):
    """To the sender: who got it, and the text as it went out."""

    game: GameRef
    to: tuple[str, ...]
    broadcast: bool
    grey: bool
    text: str


class Voted(msgspec.Struct, frozen=True, tag=True):
    """To the voter: their vote for an end as it stands; who else voted is told to nobody.

    Attributes:
        vote: the rulebook's name of the end, as `draw`.
        is_for: False where the vote was taken back.
        winner: the seat that is to win; None where all voters share the result.
        needed: how many votes end the game.
        counted: how many there are, where that may be told.
    """

    game: GameRef
    vote: str
    is_for: bool
    winner: SeatId | None
    needed: int
    counted: int
