"""Press beside what goes out and what its writer is told: the archive, reports, announcements."""

from datetime import datetime

from judge.host.messages.command_answers import PressReceived
from judge.host.messages.shared import GameRef, Message


class PressHistory(Message, frozen=True):
    """The press of a phase (that of `game`) that the reader may see, as it was shown."""

    game: GameRef
    press: tuple[PressReceived, ...]


class PressReported(Message, frozen=True):
    """To the master: press as it is stored, and who has reported it. Names as in `PressRecord`."""

    game: GameRef
    by: str
    sender: str
    to: tuple[str, ...]
    shown_as: str
    shown_to: tuple[str, ...]
    text: str
    at: datetime
    phrase: tuple[str, ...] = ()


class Announcement(Message, frozen=True):
    """The master's own letter to everybody, with a subject of its own; `is_own`: to the master."""

    game: GameRef
    subject: str
    text: str
    is_own: bool = False
