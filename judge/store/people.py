"""What the store keeps about people, as values: who they are, their conduct, ratings and offers."""

from datetime import datetime
from enum import StrEnum
from typing import NewType

import msgspec

PlayerId = NewType("PlayerId", str)


class Format(StrEnum):
    """As what letters come: their text, HTML with its pictures, or both for the program to choose.
    Plain text has nothing attached."""

    BOTH = "both"
    PLAIN = "plain"
    HTML = "html"


class Attachment(StrEnum):
    """What comes with a letter unasked."""

    MAP = "map"  # in results
    CHART = "chart"  # of centers, over the years
    CALENDAR = "calendar"  # the deadline, as a file for calendars


EVERY_ATTACHMENT = tuple(Attachment)


class Level(StrEnum):
    """How well somebody says that they play, and for whom a game is."""

    ANY = "any"
    NOVICE = "novice"
    INTERMEDIATE = "intermediate"
    EXPERT = "expert"


class Absence(msgspec.Struct, frozen=True):
    """Time that a player has announced to be away: from an instant up to another; `everywhere`: in
    all games, also those that they get a seat in later."""

    start: datetime
    end: datetime
    everywhere: bool = False


class Player(msgspec.Struct, frozen=True):
    """A person. Letters go to the first `letters_to` addresses; one who was forgotten has none.

    Attributes:
        language: one of the catalogue's, as `en`.
        zone: an IANA time zone.
        confirmed: False until a letter from the address has answered one of ours.
        is_public: WHOIS may show their name, language, reliability and ratings to anybody.
        blocked: players with whom they do not want to be in a game.
        is_classic: results come to them in the form that the hobby's tools read.
        digest: at which hour of their day a master gets the digest, as `08:00`; `off`: never;
            empty: as usual.
        digest_at: when the clock looks at the next one; None while they master nothing.
        format, attachments: as what letters come, and what comes with them.
        vacations: when they are away from all games, also those that they get a seat in later.
    """

    id: PlayerId
    name: str
    language: str
    zone: str
    addresses: tuple[str, ...]
    registered_at: datetime
    confirmed: bool = False
    is_public: bool = False
    blocked: tuple[PlayerId, ...] = ()
    is_classic: bool = False
    digest: str = ""
    digest_at: datetime | None = None
    format: Format = Format.BOTH
    attachments: tuple[Attachment, ...] = EVERY_ATTACHMENT
    vacations: tuple[Absence, ...] = ()
    level: Level = Level.ANY
    letters_to: int = 1

    @property
    def address(self) -> str:
        return self.addresses[0] if self.addresses else ""

    @property
    def letter_addresses(self) -> tuple[str, ...]:
        """Each of these gets every letter."""
        return self.addresses[: self.letters_to]


class Conduct(StrEnum):
    """What counts for or against a player's reliability."""

    ON_TIME = "on_time"  # orders came by the deadline
    LATE = "late"  # they came in grace, or after everybody had to wait
    MISSED = "missed"
    RESIGNED = "resigned"
    TAKEN_OVER = "taken_over"  # a seat that another player had left
    FINISHED = "finished"  # held a seat when the game ended


class ConductRecord(msgspec.Struct, frozen=True):
    """One event in how a player has played; `serial` names the phase."""

    player: PlayerId
    conduct: Conduct
    game: str
    serial: int
    at: datetime


class Placing(msgspec.Struct, frozen=True):
    """How a finished game came out for one of its players; place 1 won it or shares its end."""

    game: str
    player: PlayerId
    variant: str
    place: int
    ended_at: datetime


class Rating(msgspec.Struct, frozen=True):
    """How well somebody plays a variant, and how uncertain that is, as the formula has it."""

    variant: str
    player: PlayerId
    mu: float
    sigma: float
    games: int


class Standby(msgspec.Struct, frozen=True):
    """A player on a standby list: of a game (`game balkan`), of a variant (`variant chaos`), or of
    all (empty); or who is to be called from none for a game (`not game balkan`). `at`: since when;
    None: not any more."""

    player: PlayerId
    scope: str
    at: datetime | None
