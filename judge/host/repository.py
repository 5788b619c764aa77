"""What the host may ask while it decides: reads only, answered by the store's open transaction."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from judge.store import (
    ActRecord,
    Conduct,
    GameRecord,
    OutboxRow,
    PhaseRecord,
    Placing,
    Player,
    PlayerId,
    PlayerNote,
    PressRecord,
    Rating,
    SentLetter,
    Status,
    Token,
)


class PlayerReader(Protocol):
    def get(self, player_id: PlayerId) -> Player | None:
        """None if there is no such player."""

    def by_address(self, address: str) -> Player | None:
        """The player whom an address belongs to, or None."""

    def named(self, name: str) -> tuple[Player, ...]:
        """A few players of a name, in any case."""

    def conduct_since(self, player: PlayerId, since: datetime) -> Mapping[Conduct, int]:
        """How often each of a player's events happened since then."""

    def standbys(self, *scopes: str) -> tuple[PlayerId, ...]:
        """Who is on these standby lists, each list in its order."""

    def standby_scopes(self, player: PlayerId) -> tuple[str, ...]:
        """The standby lists that a player is on."""

    def own_data(self, player: PlayerId) -> bytes:
        """Everything that is kept about a player, as JSON for people."""


class GameReader(Protocol):
    def get(self, name: str) -> GameRecord | None:
        """The game of that name in any case, or None."""

    def page(
        self, *statuses: Status, limit: int, after: str = "", is_public: bool = False
    ) -> tuple[GameRecord, ...]:
        """Games in these states (all if none is given) that follow a name, by name; without their
        `state`, and with `is_public` without practice games and those that are not listed."""

    def joinable(self, *, limit: int, after: str = "") -> tuple[GameRecord, ...]:
        """Public games that form or have a vacant seat, as in `page`."""

    def names(self, *statuses: Status, limit: int) -> tuple[str, ...]:
        """The first names of games in these states (of all, if none is given), by name."""

    def nearest_names(self, written: str, *, limit: int) -> tuple[str, ...]:
        """Names of games that may have been meant; the first of all if none is near."""

    def of_player(self, player: PlayerId) -> tuple[str, ...]:
        """Names of the unfinished games that a player has a part in."""

    def ended_of_player(self, player: PlayerId, since: datetime) -> tuple[str, ...]:
        """Names of their games that have ended since then."""


class RatingReader(Protocol):
    def of(self, player: PlayerId) -> tuple[Rating, ...]:
        """A player's ratings, by variant."""

    def best(self, variant: str, *, limit: int) -> tuple[Rating, ...]:
        """The best of a variant whose profile is public, best first."""

    def unrated(self, variant: str) -> tuple[Placing, ...]:
        """Results that no rating has in it yet, by the end of their games."""


class PhaseReader(Protocol):
    def named(self, game: str, label: str) -> PhaseRecord | None:
        """The finished phase of a label, or None."""

    def of(self, game: str) -> tuple[PhaseRecord, ...]:
        """All finished phases of a game, in the order in which they ran."""

    def every(self, game: str) -> tuple[PhaseRecord, ...]:
        """As `of`, with those that a rollback has taken back or stopped."""

    def ran_since(self, game: str, since: datetime) -> str:
        """The label of the newest phase that has run since then; empty for none."""


class ActReader(Protocol):
    def of(self, game: str) -> tuple[ActRecord, ...]:
        """What masters did in a game, in order."""


class PressReader(Protocol):
    def of(self, game: str) -> tuple[PressRecord, ...]:
        """All press of a game, in the order in which it was delivered."""


class NoteReader(Protocol):
    def of(self, game: str, player: PlayerId | None = None) -> tuple[PlayerNote, ...]:
        """What has been written in a game by one player (with None: by all), in order."""


class LetterReader(Protocol):
    def by_token(self, token: str) -> SentLetter | None:
        """The letter of ours with that token, or the thread, or None."""

    def get(self, token: Token) -> OutboxRow | None:
        """That letter of ours with what it says, or None."""

    def answers_since(self, since: datetime, address: str | None = None, *, asks: bool) -> int:
        """How many letters went to an address of no player (None: to all of them) since then:
        those that ask something, or the others."""

    def invitations_to(self, address: str) -> tuple[datetime, ...]:
        """When an address was last invited to games, the newest first."""


class ReceivedReader(Protocol):
    def proven_between(self, player: PlayerId, since: datetime, until: datetime) -> int:
        """How many letters that proved to be a player's were received between two instants."""

    def unproven_between(self, sender: str, since: datetime, until: datetime) -> int:
        """How many letters with an address in From that nothing proved were received likewise."""


class Repository(Protocol):
    """The state of everything as it stood before this letter or deadline."""

    @property
    def players(self) -> PlayerReader: ...

    @property
    def games(self) -> GameReader: ...

    @property
    def ratings(self) -> RatingReader: ...

    @property
    def phases(self) -> PhaseReader: ...

    @property
    def acts(self) -> ActReader: ...

    @property
    def press(self) -> PressReader: ...

    @property
    def notes(self) -> NoteReader: ...

    @property
    def outbox(self) -> LetterReader: ...

    @property
    def letters(self) -> ReceivedReader: ...
