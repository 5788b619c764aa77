"""What an open transaction offers: everything the judge keeps, read and written in one piece.

Says where each thing stands; how it is stored is in the modules of its table.
"""

from collections.abc import Mapping
from datetime import datetime

from sqlite_utils import Database as Tables

from judge.errors import StoreError
from judge.store import games, history, letters, outbox, players
from judge.store.mail_records import LetterIn, LetterState, MailboxMark, OutboxRow, StoredLetter
from judge.store.records import (
    Changes,
    GameRecord,
    PhaseRecord,
    Player,
    PlayerId,
    PressRecord,
    SentLetter,
    Status,
    Token,
)


class Store:
    """The judge's memory for the length of one transaction; of no use after it.

    Every reading method raises StoreError for a row that cannot be read.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables: Tables | None = tables

    def end(self) -> None:
        """Forget the database; called by the one who opened the transaction. Safe to call twice."""
        self._tables = None

    @property
    def _db(self) -> Tables:
        if self._tables is None:
            raise StoreError("the store was used outside its transaction")
        return self._tables

    # --- what the host asks -----------------------------------------------------------------------

    def player(self, player_id: PlayerId) -> Player | None:
        """None if there is no such player."""
        return players.player(self._db, player_id)

    def player_by_address(self, address: str) -> Player | None:
        """The player whom an address belongs to, in any case, or None."""
        return players.player_by_address(self._db, address)

    def game(self, name: str) -> GameRecord | None:
        """The game of that name in any case, or None."""
        return games.game(self._db, name)

    def games(self, *statuses: Status) -> tuple[GameRecord, ...]:
        """Games in these states, by name; all if none is given. Leaves out what is unreadable."""
        return games.games(self._db, statuses)

    def game_names(self) -> tuple[str, ...]:
        """The names of all games, in order."""
        return games.game_names(self._db)

    def games_of(self, player: PlayerId) -> tuple[str, ...]:
        """Names of the unfinished games in which he holds or applied for a seat, is master, or may
        retake his vacant seat."""
        return games.games_of(self._db, player)

    def letter_by_token(self, token: str) -> SentLetter | None:
        """The letter of ours with that token, or else the thread (`is_thread`), or None."""
        return outbox.letter_by_token(self._db, token)

    def answers_since(self, address: str, since: datetime) -> int:
        """How many letters were written to an address of no player since then."""
        return outbox.answers_since(self._db, address, since)

    def letters_since(self, sender: str, since: datetime) -> int:
        """How many letters were taken from an address since then."""
        return letters.letters_since(self._db, sender, since)

    def phase(self, game: str, serial: int) -> PhaseRecord | None:
        """A finished phase, or None."""
        return history.phase(self._db, game, serial)

    def phases(self, game: str) -> tuple[PhaseRecord, ...]:
        """All finished phases of a game, in the order in which they ran."""
        return history.phases(self._db, game)

    def press(self, game: str) -> tuple[PressRecord, ...]:
        """All press of a game, in the order in which it was delivered."""
        return history.press(self._db, game)

    # --- the clock --------------------------------------------------------------------------------

    def due_games(self, now: datetime) -> tuple[str, ...]:
        """Names of the active games whose moment has come, the longest due first; none halted."""
        return games.due_games(self._db, now)

    def next_due_at(self) -> datetime | None:
        """When the next game is due; None if none will be."""
        return games.next_due_at(self._db)

    def halt_game(self, name: str, why: str) -> None:
        """The game is not due any more until it is released. StoreError if there is none."""
        games.set_halted(self._db, name, why)

    def release_game(self, name: str) -> None:
        """The game may be due again. StoreError if there is none."""
        games.set_halted(self._db, name, None)

    def halted_games(self) -> tuple[tuple[str, str], ...]:
        """Name and reason of each halted game, by name."""
        return games.halted_games(self._db)

    def variants_in_use(self) -> Mapping[str, tuple[str, ...]]:
        """Each variant that there are games of, with the names of these."""
        return games.variants_in_use(self._db)

    # --- what a letter or a deadline changes ------------------------------------------------------

    def save(self, changes: Changes, *, cause: str) -> None:
        """Write what differs. `cause` is kept beside it, for whoever looks: `letter 12`, `clock`.

        Instants and durations are cut to whole seconds; an empty sheet is kept as no sheet.

        Raises:
            StoreError: the changes break a promise, as a token or a phase that is kept already.
        """
        players.save_players(self._db, changes.players)
        for game in changes.games:
            games.save_game(self._db, game, cause)
        for phase in changes.phases:
            history.save_phase(self._db, phase, cause)
        for press in changes.press:
            history.save_press(self._db, press, cause)
        for letter in changes.letters:
            outbox.save_letter(self._db, letter, cause)

    # --- letters in -------------------------------------------------------------------------------

    def take_letter(self, letter: LetterIn) -> int | None:
        """Keep a letter; its number, or None if it was seen already: the same UID, the same sender
        and Message-ID, or the same bytes."""
        return letters.take_letter(self._db, letter)

    def letter_by_uid(self, uid_validity: int, uid: int) -> int | None:
        """The number of the letter that was seen under a UID, or None."""
        return letters.letter_by_uid(self._db, uid_validity, uid)

    def letter(self, letter_id: int) -> StoredLetter | None:
        """A letter that came in, by its number, or None."""
        return letters.letter(self._db, letter_id)

    def settle_letter(self, letter_id: int, state: LetterState, note: str) -> None:
        """Say what became of a letter. StoreError if there is none."""
        letters.settle_letter(self._db, letter_id, state, note)

    def fail_letter(self, letter_id: int, error: str) -> int:
        """Shunt a letter; returns how often it failed by now. StoreError if there is none."""
        return letters.fail_letter(self._db, letter_id, error)

    def shunted(self) -> tuple[StoredLetter, ...]:
        """The shunted letters, oldest first."""
        return letters.shunted(self._db)

    def mailbox_mark(self) -> MailboxMark | None:
        """How far the mailbox was read; None before the first mark."""
        return letters.mailbox_mark(self._db)

    def set_mailbox_mark(self, mark: MailboxMark) -> None:
        """Replace the mark."""
        letters.set_mailbox_mark(self._db, mark)

    def heartbeat(self, now: datetime) -> None:
        """The judge was awake at this moment."""
        letters.note_moment(self._db, letters.HEARTBEAT, now)

    def last_heartbeat(self) -> datetime | None:
        """When the judge was awake last; None before the first heartbeat."""
        return letters.moment(self._db, letters.HEARTBEAT)

    def install(self, now: datetime) -> datetime:
        """The moment of the first start: noted by the first call, told by every other."""
        known = letters.moment(self._db, letters.INSTALLED)
        if known is None:
            letters.note_moment(self._db, letters.INSTALLED, now)
        return letters.moment(self._db, letters.INSTALLED) or now

    # --- letters out ------------------------------------------------------------------------------

    def rescue_sending(self) -> int:
        """Queue again what was being sent when the judge stopped; returns how many letters."""
        return outbox.rescue_sending(self._db)

    def claim_unrendered(self, limit: int) -> tuple[OutboxRow, ...]:
        """Queued letters without bytes, oldest first. Claiming them again is safe."""
        return outbox.claim_unrendered(self._db, limit)

    def store_rendered(self, token: Token, subject: str, raw: bytes) -> None:
        """Keep what is sent; a second call changes nothing. StoreError if there is none."""
        outbox.store_rendered(self._db, token, subject, raw)

    def claim_to_send(self, now: datetime, limit: int) -> tuple[OutboxRow, ...]:
        """Rendered letters whose next try has come, oldest first; they are `sending` now."""
        return outbox.claim_to_send(self._db, now, limit)

    def mark_sent(self, token: Token, now: datetime) -> None:
        """A mail server has taken it. Safe to call twice."""
        outbox.mark_sent(self._db, token, now)

    def mark_failed(self, token: Token, error: str, next_try_at: datetime) -> None:
        """A try failed: queued again. StoreError if it was sent already."""
        outbox.mark_failed(self._db, token, error, next_try_at)

    def mark_stuck(self, token: Token, error: str) -> None:
        """A keeper must look at it. StoreError if it was sent already."""
        outbox.mark_stuck(self._db, token, error)

    def release_stuck(self, now: datetime) -> int:
        """Queue all stuck letters again, with all their tries before them; returns how many."""
        return outbox.release_stuck(self._db, now)

    def next_try_at(self) -> datetime | None:
        """When the next rendered letter may be sent; None if none waits."""
        return outbox.next_try_at(self._db)

    def stuck(self) -> tuple[OutboxRow, ...]:
        """The stuck letters, oldest first."""
        return outbox.stuck(self._db)

    def outbox_row(self, token: Token) -> OutboxRow | None:
        """A letter of ours and how far it got, or None."""
        return outbox.outbox_row(self._db, token)
