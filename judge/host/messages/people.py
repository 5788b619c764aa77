"""What the judge tells people of themselves and of each other."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

import msgspec

from judge.host.messages.shared import Message
from judge.rulebook import DEFAULT_GAME
from judge.store import Attachment, Format, Level


class Registered(Message, frozen=True):
    """A player's own data as the judge holds it."""

    name: str
    address: str
    language: str
    zone: str
    confirmed: bool
    guessed: bool  # from the letter's headers
    then: str = ""  # the line that a YES gives too
    is_beside: bool = False  # what stands above it asks for that YES
    letters_to: str = ""  # which of several addresses
    is_changed: bool = False  # by a command of a player who was registered before


class PersonalKind(StrEnum):
    """What a player has decided about themselves, or is asked; each has its sentences. In brackets
    the values."""

    PASSWORD_SET = "password_set"  # noqa: S105  # game
    ADDRESS_WAITS = "address_waits"  # address: it was asked
    ADDRESSES_WAIT = "addresses_wait"  # addresses: each was asked
    ADDRESS_ASKED = "address_asked"  # name: to an address that somebody calls theirs
    ADDRESS_ADDED = "address_added"  # address, first
    FIRST_ASKED = "first_asked"  # address, or several: where letters would go
    FIRST_SET = "first_set"  # address, or several
    REMOVE_ASKED = "remove_asked"  # address, or several
    ADDRESS_REMOVED = "address_removed"  # address, first
    PROFILE_PUBLIC = "profile_public"  # name
    PROFILE_PRIVATE = "profile_private"
    REPORT_CLASSIC = "report_classic"
    REPORT_LOCAL = "report_local"
    FORMAT_PLAIN = "format_plain"
    FORMAT_HTML = "format_html"
    FORMAT_BOTH = "format_both"
    ATTACHMENTS = "attachments"  # attachments
    ATTACHMENTS_NONE = "attachments_none"
    BLOCKED = "blocked"  # name
    UNBLOCKED = "unblocked"  # name
    BLOCK_LIST = "block_list"  # names, one a line
    BLOCK_NOBODY = "block_nobody"
    DATA_SENT = "data_sent"  # address
    STANDBY = "standby"
    STANDBY_GAME = "standby_game"  # game
    STANDBY_VARIANT = "standby_variant"  # variant
    NO_STANDBY = "no_standby"
    FORGET_ASKED = "forget_asked"  # games
    FORGET_ASKED_ALONE = "forget_asked_alone"
    FORGOTTEN = "forgotten"
    LEVEL = "level"  # level
    NO_VACATION = "no_vacation"
    DIGEST_SET = "digest_set"  # hour
    DIGEST_OFF = "digest_off"
    INVITATION_DECLINED = "invitation_declined"
    DECLINED = "declined"  # NO to a question


class Personal(Message, frozen=True):
    """Told to a player alone, or asked."""

    kind: PersonalKind
    values: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def asks(self) -> bool:
        return "asked" in self.kind.value


class VacationNoted(Message, frozen=True):
    """A vacation of somebody who has no seat in a running game; up to `end`."""

    start: datetime
    end: datetime


class RatingRow(msgspec.Struct, frozen=True):
    """A rating, and of how many games it is made."""

    name: str  # the player, or of one player the variant
    rating: int
    games: int


class Profile(Message, frozen=True):
    """What WHOIS shows of a player; `format` and `attachments` to the player alone."""

    name: str
    language: str
    counts: Mapping[str, int]  # of the last year, by `Conduct`
    percentage: int | None  # of phases in time, None for whoever is new
    is_public: bool  # False: shown to the player alone
    ratings: tuple[RatingRow, ...] = ()  # by variant
    game: str = DEFAULT_GAME  # whose variants they are
    format: Format | None = None
    attachments: tuple[Attachment, ...] = ()
    level: Level = Level.ANY


class RatingList(Message, frozen=True):
    """RATINGS: the best of a variant whose profiles are public; `own`: the reader's, by variant."""

    game: str
    variant: str
    best: tuple[RatingRow, ...]
    own: tuple[RatingRow, ...] = ()


class OwnData(Message, frozen=True):
    """Everything that is kept about a player, as a JSON text."""

    text: str
