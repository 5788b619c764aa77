"""One letter or one deadline at work: what was read, what changes, what goes out.

Collects the changes and hands them over in one piece; writes nothing itself.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

from msgspec.structs import replace

from judge.host.games.tenures import has_part, with_tenures
from judge.host.messages import Message, messages_to_json
from judge.host.messages.game_events import Results
from judge.host.messages.refusals import KeeperNotice
from judge.host.messages.shared import GameRef, RatingMove
from judge.rulebook import Game, Rulebook, SeatId, State, Values, load_game
from judge.store import (
    EVERY_ATTACHMENT,
    NOBODY,
    ActRecord,
    Changes,
    Conduct,
    ConductRecord,
    Format,
    GameRecord,
    GameSettings,
    Level,
    NoteKind,
    OutLetter,
    PhaseRecord,
    Placing,
    Player,
    PlayerId,
    PlayerNote,
    PressRecord,
    Purpose,
    Rating,
    SeatRecord,
    SentLetter,
    Standby,
    Token,
    Transaction,
)

# What a letter to everybody in a game says to one reader (None: a master).
MessagesFor = Callable[[GameRef, SeatRecord | None], Sequence[Message]]
ASKING = frozenset({"reminder", "waits", "proposal", "standby"})  # kinds of letters
TOKEN_BYTES = 15  # 120 bits: 24 letters of base32
RECEIPT_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that look alike on a phone
SCRYPT_COST = 2**12  # about 10 ms, 4 MB
OPEN_GAMES = 32  # that stay decoded: those of a batch of letters
SHORT_PASSWORD = 3  # letters


@dataclass(frozen=True, slots=True)
class HostConfig:
    """What the host must know of the judge it works for."""

    address: str
    languages: tuple[str, ...]
    zone: str
    keepers: tuple[str, ...]
    defaults: GameSettings
    order_lines: int
    stranger_letters_a_day: int
    strangers_a_day: int
    letters_an_hour: int
    games_a_player: int
    press_characters: int
    reports_a_day: int
    confirm_for: timedelta


@dataclass(slots=True)
class Tokens:
    """Derives tokens, passwords and seeds for one cause: a letter (by its hash) or a deadline (by
    game and serial).

    They come from the judge's secret and from that cause: unguessable, and the same again when a
    letter is taken a second time after a crash. Nothing here needs a random source.
    """

    _secret: bytes = field(repr=False)
    _cause: str
    _count: int = 0

    def _digest(self, *parts: str) -> bytes:
        return hmac.digest(self._secret, "\0".join(parts).encode(), "sha256")

    def token(self, *what: str) -> Token:
        """The token of something, the same for ever; of nothing: the next letter's. In lower case,
        as some relays write the local part of an address."""
        if not what:
            self._count += 1
            what = ("letter", self._cause, str(self._count))
        return Token(base64.b32encode(self._digest(*what)[:TOKEN_BYTES]).decode().lower())

    def player_id(self, address: str) -> PlayerId:
        """The id of the player who registers with an address."""
        return PlayerId(self.token("player", self._cause, address)[:12])

    def password(self, *what: str) -> str:
        """A password for a seat, short enough to type: two groups of five letters."""
        word = self.token("password", self._cause, *what)
        return f"{word[:5]}-{word[5:10]}"

    def seed(self, game: str) -> bytes:
        """The secret seed of a game's chance, 32 bytes."""
        return self._digest("seed", self._cause, game)

    def receipt(self, *what: str) -> str:
        """`7KQ2-MX`: names what was stored from one letter."""
        number = int.from_bytes(self._digest("receipt", self._cause, *what)[:8], "big")
        letters = []
        for _ in range(6):
            number, digit = divmod(number, len(RECEIPT_LETTERS))
            letters.append(RECEIPT_LETTERS[digit])
        return "".join(letters[:4]) + "-" + "".join(letters[4:])

    def hash_password(self, password: str, owner: str) -> str:
        """What is kept of a password; `owner` (game and seat) keeps equal passwords apart."""
        salt = self._digest("salt", owner)[:16]
        return _scrypt(password, salt)


def _scrypt(password: str, salt: bytes) -> str:
    key = hashlib.scrypt(password.strip().encode(), salt=salt, n=SCRYPT_COST, r=8, p=1, dklen=32)
    return f"{salt.hex()}:{key.hex()}"


def is_password(password: str, stored: str) -> bool:
    """Whether a password is the one that was kept as `stored`."""
    salt, _, _ = stored.partition(":")
    if not salt:
        return False
    return hmac.compare_digest(_scrypt(password, bytes.fromhex(salt)), stored)


@dataclass(slots=True)
class UnitOfWork:
    """A unit of work. Games and players that are put here are what the rest of it sees.

    The host only reads of `repository`, the open transaction; what it decides are `changes`.
    """

    repository: Transaction
    config: HostConfig
    tokens: Tokens
    now: datetime
    due_at: Callable[[GameRecord], datetime | None]
    passwords: set[str] = field(default_factory=set)  # that the letter holds
    phases: list[PhaseRecord] = field(default_factory=list)  # that have run
    press: list[PressRecord] = field(default_factory=list)
    acts: list[ActRecord] = field(default_factory=list)
    notes: list[PlayerNote] = field(default_factory=list)
    standbys: list[Standby] = field(default_factory=list)  # who goes on a list, or off it
    letters: list[OutLetter] = field(default_factory=list)
    placings: list[Placing] = field(default_factory=list)  # as keep_placing has them
    rating_moves: dict[tuple[str, PlayerId], RatingMove] = field(default_factory=dict)
    games: dict[str, GameRecord] = field(default_factory=dict)  # changed, by name in lower case
    _read_games: dict[str, GameRecord | None] = field(default_factory=dict)
    _players: dict[PlayerId, Player] = field(default_factory=dict)
    _purged: list[str] = field(default_factory=list)
    _closed: list[Token] = field(default_factory=list)
    _conduct: list[ConductRecord] = field(default_factory=list)
    _forgotten: list[Player] = field(default_factory=list)
    _ratings: dict[tuple[str, PlayerId], Rating] = field(default_factory=dict)

    # --- reading what this session already changed ------------------------------------------------

    def game(self, name: str) -> GameRecord | None:
        key = name.lower()
        if key in self.games:
            return self.games[key]
        if key not in self._read_games:
            self._read_games[key] = self.repository.games.get(name)
        return self._read_games[key]

    def existing_game(self, name: str) -> GameRecord:
        """The game of a name that was read before; KeyError if there is none (a bug)."""
        game = self.game(name)
        if game is None:
            raise KeyError(name)
        return game

    def player(self, player_id: PlayerId) -> Player:
        """The player of an id that a game holds; KeyError if there is none (a bug)."""
        player = self._players.get(player_id) or self.repository.players.get(player_id)
        if player is None:
            raise KeyError(player_id)
        return player

    def player_by_address(self, address: str) -> Player | None:
        for player in self._players.values():
            if address in player.addresses:
                return player
        return self.repository.players.by_address(address)

    def games_of(self, player: PlayerId) -> tuple[GameRecord, ...]:
        """The unfinished games that a player has a part in, by name."""
        names = {name.lower() for name in self.repository.games.of_player(player)} | set(self.games)
        found = (self.game(name) for name in sorted(names))
        return tuple(game for game in found if game is not None and has_part(game, player))

    def rating(self, variant: str, player: PlayerId) -> Rating | None:
        """How well a player plays a variant; None if they have finished no rated game of it."""
        if (variant, player) in self._ratings:
            return self._ratings[variant, player]
        found = self.repository.ratings.of(player)
        return next((one for one in found if one.variant == variant), None)

    def new_ratings(self, variant: str) -> tuple[Rating, ...]:
        """The ratings of a variant that this session has made, best first."""
        made = [one for one in self._ratings.values() if one.variant == variant]
        return tuple(sorted(made, key=lambda one: -one.mu))

    # --- changing ---------------------------------------------------------------------------------

    def put_game(self, game: GameRecord) -> GameRecord:
        """Keep a changed game; returns it with the instant at which the clock must look at it."""
        held = {(seat.id, seat.player) for seat in game.seats if seat.player is not None}
        if held != {(one.seat, one.player) for one in game.tenures if one.until_serial is None}:
            game = with_tenures(game)
        game = replace(game, due_at=self.due_at(game))
        self.games[game.name.lower()] = game
        return game

    def put_player(self, player: Player) -> None:
        self._players[player.id] = player

    def phases_of(self, name: str) -> tuple[PhaseRecord, ...]:
        """All finished phases of a game, those of this session too."""
        kept = (one for one in self.phases if one.game.lower() == name.lower())
        return (*self.repository.phases.of(name), *kept)

    def notes_of(
        self, game: GameRecord, player: PlayerId | None, kind: NoteKind
    ) -> tuple[PlayerNote, ...]:
        """What a player (with None: everybody) has written in a game, in order."""
        stored = self.repository.notes.of(game.name, player)
        new = (one for one in self.notes if one.game == game.name and player in (None, one.player))
        notes = {(one.player, one.kind, one.number): one for one in (*stored, *new)}
        return tuple(one for one in notes.values() if one.kind is kind and one.text)

    def purge(self, game: GameRecord) -> None:
        """A game that has not begun is no more."""
        self.games.pop(game.name.lower(), None)
        self._read_games[game.name.lower()] = None
        self._purged.append(game.name)

    def close_question(self, asked: SentLetter) -> None:
        """A question of ours is answered: no other reply to it does anything."""
        self._closed.append(asked.token)

    def note_conduct(self, game: GameRecord, player: PlayerId, conduct: Conduct) -> None:
        """What counts for or against a player's reliability; in a practice game nothing does."""
        if game.is_practice:
            return
        serial = game.phase_serial or 0
        self._conduct.append(ConductRecord(player, conduct, game.name, serial, self.now))

    def keep_placing(self, result: Placing, rating: Rating) -> None:
        """How a game ended for a player, and their rating with that."""
        self.placings.append(result)
        self._ratings[rating.variant, rating.player] = rating

    def forget(self, player: Player) -> None:
        """Erase what is personal of a player, whose games go on under a neutral name."""
        self._forgotten.append(player)
        self.put_player(
            replace(
                player,
                name=NOBODY,
                language=self.config.languages[0],
                zone="UTC",
                addresses=(),
                confirmed=False,
                is_public=False,
                is_classic=False,
                blocked=(),
                digest_at=None,
                format=Format.BOTH,
                attachments=EVERY_ATTACHMENT,
                vacations=(),
                level=Level.ANY,
                letters_to=1,
            )
        )

    def activity_snapshot(self, name: str) -> tuple[object, ...]:
        """What tells, compared with an earlier one, whether anything was done in a game."""
        return self.game(name), len(self.acts), len(self.press)

    def without_passwords(self, text: str) -> str:
        """A text with stars for the passwords that the letter holds; a short one may be a part of
        any word, so only where it stands alone."""
        for password in sorted(self.passwords, key=len, reverse=True):
            alone = "{}" if len(password) > SHORT_PASSWORD else r"(?<!\w){}(?!\w)"
            text = re.sub(alone.format(re.escape(password)), "***", text)
        return text

    def changes(self) -> Changes:
        """Everything that this session changes, for one transaction."""
        return Changes(
            tuple(self._players.values()),
            tuple(self.games.values()),
            tuple(self.phases),
            tuple(self.press),
            # The answer goes out before the letters to everybody that it has caused.
            tuple(sorted(self.letters, key=lambda one: one.kind != "answer")),
            tuple(self._closed),
            tuple(self._conduct),
            tuple(self._forgotten),
            tuple(self.standbys),
            tuple(self.acts),
            tuple(self.notes),
            tuple(self._purged),
            tuple(self.placings),
            tuple(self._ratings.values()),
        )

    # --- letters ----------------------------------------------------------------------------------

    def write(
        self,
        player: Player,
        kind: str,
        messages: Sequence[Message],
        ref: GameRef | None = None,
        *,
        serial: int | None = None,
        answers: str | None = None,
        purpose: Purpose = Purpose.LETTER,
        payload: Values | None = None,
        recipients: Sequence[str] = (),
    ) -> None:
        """A letter to a player, in their thread of the phase, at these addresses or where their
        letters go; to the first, copies to the others, whose question is that of the first. None to
        who was forgotten."""
        recipients = recipients or player.letter_addresses
        if not recipients:
            return
        if player.is_classic:
            messages = [
                replace(one, is_classic=True) if isinstance(one, Results) else one
                for one in messages
            ]
        body, documents = messages_to_json(messages)
        token = thread = self.tokens.token()
        letter = OutLetter(
            token=token,
            thread=thread,
            player=player.id,
            recipient=recipients[0],
            language=player.language,
            zone=player.zone,
            kind=kind,
            messages=body,
            documents=documents,
            created_at=self.now,
            answers=answers,
            serial=serial,
            purpose=purpose,
            payload=payload or {},
            format=player.format,
            attachments=player.attachments,
        )
        if ref is not None:
            is_apart = answers is None and has_own_thread(kind, purpose)
            # Of a phase, or of one letter that has a thread of its own.
            what = (token,) if is_apart else (ref.label or "", str(ref.times))
            thread = self.tokens.token("thread", ref.name, player.id, *what)
            letter = replace(letter, thread=thread, game=ref.name, seat=ref.seat, label=ref.label)
        self.letters.append(letter)
        for address in recipients[1:]:
            own, payload = self.tokens.token(), {"copy_of": token}
            thread = own if ref is None else thread
            self.letters.append(
                replace(letter, token=own, thread=thread, recipient=address, payload=payload)
            )

    def notify_players(
        self,
        game: GameRecord,
        kind: str,
        messages_for: MessagesFor,
        *,
        without: PlayerId | None = None,
    ) -> None:
        """A letter to each held seat, in order, and one to each master; of a practice game the
        player is the master. `without`: who is told the same by an answer."""
        for seat in game.seats:
            if seat.player is not None and seat.player != without:
                self.notify_seat(game, seat.id, kind, messages_for(ref_to(game, seat.id), seat))
        told: dict[GameRef, Sequence[Message]] = {}
        for one in game.master_ids if not game.is_practice else ():
            if one != without:
                ref, serial = game_ref_for_master(game, one), game.phase_serial
                told[ref] = told.get(ref) or messages_for(ref, None)
                self.write(self.player(one), kind, told[ref], ref_to(game), serial=serial)

    def notify_seat(
        self, game: GameRecord, seat: SeatId, kind: str, messages: Sequence[Message]
    ) -> None:
        """A letter of the running phase to who holds a seat, if somebody does."""
        if (holder := game.seat(seat).player) is not None:
            player, ref = self.player(holder), ref_to(game, seat)
            self.write(player, kind, messages, ref, serial=game.phase_serial)

    def notify_masters(
        self,
        game: GameRecord,
        kind: str,
        messages: Sequence[Message],
        *,
        serial: int | None = None,
        purpose: Purpose = Purpose.LETTER,
        payload: Values | None = None,
        without: PlayerId | None = None,
    ) -> None:
        """A letter to each master of a game but `without`; of a practice game the player is the
        master, and is told as the player alone."""
        for one in game.master_ids if not game.is_practice else ():
            if one != without:
                self.write(
                    self.player(one),
                    kind,
                    messages,
                    ref_to(game),
                    serial=serial,
                    purpose=purpose,
                    payload=payload,
                )

    def notify_observers(
        self, game: GameRecord, kind: str, messages: Sequence[Message], *, is_result: bool = False
    ) -> None:
        """A letter to each who observes a game; only results go to those who subscribe to them."""
        for one in game.observers:
            if is_result or not one.results_only:
                self.write(self.player(one.player), kind, messages, ref_to(game))

    def notify_everybody(
        self,
        game: GameRecord,
        kind: str,
        messages_for: MessagesFor,
        *,
        without: PlayerId | None = None,
        is_result: bool = False,
    ) -> None:
        """As `notify_players`, and to observers what a reader without a seat is told."""
        self.notify_players(game, kind, messages_for, without=without)
        if game.observers:
            messages = messages_for(ref_to(game), None)
            self.notify_observers(game, kind, messages, is_result=is_result)

    def notify_keepers(self, what: str, values: Values) -> None:
        """Something for the keepers to look at, in the judge's own language and zone."""
        for address in self.config.keepers:
            self.write_stranger(
                address,
                "keeper",
                [KeeperNotice(what, values)],
                language=self.config.languages[0],
                zone=self.config.zone,
            )

    def write_stranger(
        self,
        address: str,
        kind: str,
        messages: Sequence[Message],
        *,
        language: str,
        zone: str,
        answers: str | None = None,
        purpose: Purpose = Purpose.LETTER,
        payload: Values | None = None,
    ) -> None:
        """A letter to somebody who is no player."""
        token = self.tokens.token()
        body, documents = messages_to_json(messages)
        self.letters.append(
            OutLetter(
                token=token,
                thread=token,
                player=None,
                recipient=address,
                language=language,
                zone=zone,
                kind=kind,
                messages=body,
                documents=documents,
                created_at=self.now,
                answers=answers,
                purpose=purpose,
                payload=payload or {},
            )
        )


@contextmanager
def savepoint(*parts: object) -> Iterator[None]:
    """What values with slots, as a unit of work, collect or change inside is dropped if it
    raises."""
    kept = [
        (part, name, copied(value) if isinstance(value, dict | list | set) else value)
        for part in parts
        for name in type(part).__slots__  # type: ignore[attr-defined]  # slotted dataclasses
        for value, copied in [(getattr(part, name), deepcopy if name == "advance" else copy)]
    ]
    try:
        yield
    except BaseException:
        for part, name, value in kept:
            setattr(part, name, value)
        raise


def has_own_thread(kind: str, purpose: Purpose) -> bool:
    """Whether a letter waits for its reader, and so stands apart from those of its phase."""
    return kind in ASKING or purpose is not Purpose.LETTER


def rulebook_of(game: GameRecord) -> Rulebook:
    """The rulebook that a game is played by."""
    return load_game(game.game)


def opened(game: GameRecord) -> Game:
    """A running or finished game's state, decoded once for all who ask while it is the same."""
    assert game.state is not None, game.name
    return _opened(game.game, game.state)


@lru_cache(maxsize=OPEN_GAMES)
def _opened(game: str, state: State) -> Game:
    return load_game(game).open(state)


def ref_to(game: GameRecord, seat: SeatId | None = None) -> GameRef:
    """How a block names a game, its phase and the reader's seat."""
    label = game.phase.label if game.phase else None
    times = game.repeats.get(label or "", 0) + 1
    return GameRef(game.name, game.game, game.settings.variant, label, seat, times)


def game_ref_for_master(game: GameRecord, player: PlayerId | None) -> GameRef:
    """As `ref_to`, to one of its masters: from one who does not play in it nothing is hidden."""
    playing = {one for seat in game.seats for one in (seat.player, seat.standby)}
    is_apart = player is not None and game.is_master(player) and player not in playing
    return replace(ref_to(game), sees_all=game.settings.blind and is_apart)


def is_hidden_from(game: GameRecord, ref: GameRef) -> bool:
    """Whether a reader sees only a part of the game: it is blind, and not over."""
    return game.settings.blind and not game.ending and not ref.sees_all


def shown(game: GameRecord, ref: GameRef, state: State | None = None) -> Game:
    """The game, or an earlier state of it, of which a reader may see what it shows to their seat:
    of a blind game that is all for its master, and for everybody when it is over."""
    assert state is not None or game.state is not None, game.name
    found = opened(game) if state is None else _opened(game.game, state)
    return found if is_hidden_from(game, ref) else found.revealed
