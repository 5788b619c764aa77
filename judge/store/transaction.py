"""An open transaction: one object for each table, and what one letter or deadline changes."""

from sqlite_utils import Database as Tables

from judge.errors import StoreError
from judge.store.games import Games
from judge.store.history import Acts, Notes, Phases, PressSent
from judge.store.letters import Letters, Mailbox, Timestamps
from judge.store.outbox import Outbox, Pictures
from judge.store.players import Players, Ratings
from judge.store.records import Changes
from judge.store.rows import Table


class Transaction:
    """The judge's memory for the length of one transaction; of no use after it.

    Whatever reads a row raises StoreError if it cannot be read.
    """

    def __init__(self, db: Tables) -> None:
        self.players = Players(db)
        self.games = Games(db)
        self.ratings = Ratings(db)
        self.phases = Phases(db)
        self.press = PressSent(db)
        self.acts = Acts(db)
        self.notes = Notes(db)
        self.letters = Letters(db)
        self.mailbox = Mailbox(db)
        self.timestamps = Timestamps(db)
        self.outbox = Outbox(db)
        self.pictures = Pictures(db)

    def save(self, changes: Changes, *, cause: str) -> None:
        """Write everything. `cause` is kept beside it, for whoever looks: `letter 12`, `clock`.

        Raises:
            StoreError: the changes break a promise, as a token or a phase that is kept already, or
                a game that was changed since it was read.
        """
        if changes.players:
            self.players.save(changes.players)
        for game in changes.games:
            self.games.save(game, cause)
        if changes.placings or changes.ratings:
            self.ratings.save(changes.placings, changes.ratings)
        for phase in changes.phases:
            self.phases.save(phase, cause)
        for press in changes.press:
            self.press.save(press, cause)
        for act in changes.acts:
            self.acts.save(act, cause)
        for note in changes.notes:
            self.notes.save(note)
        for name in changes.purged:
            self.games.delete(name)
        for letter in changes.letters:
            self.outbox.save(letter, cause)
        for token in changes.closed:
            self.outbox.close_question(token)
        if changes.conduct:
            self.players.note_conduct(changes.conduct)
        if changes.standbys:
            self.players.save_standbys(changes.standbys)
        for player in changes.forgotten:
            self.players.forget(player)

    def end(self) -> None:
        """Forget the database; called by the one who opened the transaction. Safe to call twice."""
        tables: list[Table] = list(vars(self).values())
        for table in tables:
            table.db = _ENDED  # type: ignore[assignment]  # a stand-in that refuses


class _Ended:
    """In place of the database of a transaction that is over."""

    def __getattr__(self, name: str) -> object:
        raise StoreError("the store was used outside its transaction")


_ENDED = _Ended()
