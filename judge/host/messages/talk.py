"""Press between the seats, and votes on how a game ends."""

from dataclasses import dataclass

from judge.host.messages.references import GameRef
from judge.rulebook import SeatId


@dataclass(frozen=True, slots=True)
class PressReceived:
    """Press as its readers see it. `sender` is a seat id, `MASTER`, or "" for grey press."""

    game: GameRef
    sender: str
    to: tuple[str, ...]
    broadcast: bool
    text: str


@dataclass(frozen=True, slots=True)
class PressSent:
    """To the sender: who got it, and the text as it went out."""

    game: GameRef
    to: tuple[str, ...]
    broadcast: bool
    grey: bool
    text: str


@dataclass(frozen=True, slots=True)
class Conceded:
    """To the voter: to whom he would concede the game; `to` is None where he took it back."""

    game: GameRef
    to: SeatId | None
    needed: int


@dataclass(frozen=True, slots=True)
class DrawVoted:
    """To the voter: his vote as it stands; who else voted is told to nobody."""

    game: GameRef
    votes: bool
    needed: int
    counted: int
