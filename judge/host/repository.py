"""What the host may ask while it decides: reads only, answered by the store's open transaction."""

from datetime import datetime
from typing import Protocol

from judge.store import GameRecord, Player, PlayerId, SentLetter, Status


class Repository(Protocol):
    """The state of everything as it stood before this letter or deadline."""

    def player(self, player_id: PlayerId) -> Player | None:
        """None if there is no such player."""
        ...

    def player_by_address(self, address: str) -> Player | None:
        """The player whom a lower-cased address belongs to, or None."""
        ...

    def game(self, name: str) -> GameRecord | None:
        """The game of that name in any case, or None."""
        ...

    def games(self, *statuses: Status) -> tuple[GameRecord, ...]:
        """Games in these states, by name; all games if none is given."""
        ...

    def games_of(self, player: PlayerId) -> tuple[str, ...]:
        """Names of the unfinished games that a player has a part in."""
        ...

    def letter_by_token(self, token: str) -> SentLetter | None:
        """The letter of ours with that token, or the thread, or None."""
        ...

    def answers_since(self, address: str, since: datetime) -> int:
        """How many letters went to an address of no player since then."""
        ...
