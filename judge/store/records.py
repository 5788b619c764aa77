"""What the store keeps, as values: players, games, seats, letters out. No SQL here.

The host decides in these values and the store writes them; neither knows more of the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from judge.rulebook import AdvanceOrders, JsonObject, Line, OrderSet, Phase, SeatId

PlayerId = NewType("PlayerId", str)
Token = NewType("Token", str)


class Press(StrEnum):
    """Which press a game allows."""

    WHITE = "white"
    GREY = "grey"
    NONE = "none"


class Status(StrEnum):
    """Where a game is in its life."""

    DRAFT = "draft"
    FORMING = "forming"
    ACTIVE = "active"
    FINISHED = "finished"


class Ending(StrEnum):
    """How a game ended."""

    SOLO = "solo"
    DRAW = "draw"
    CONCESSION = "concession"


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What the master of a game has chosen.

    Attributes:
        rules: the preset.
        choices: single rules chosen on top of it, as (option, value) pairs in the rulebook's order.
        options: what was chosen about the variant, likewise.
        draws, concessions: whether players may agree on a draw; that one of them has won.
    """

    variant: str
    rules: str
    movement: timedelta
    retreat: timedelta
    adjustment: timedelta
    grace: timedelta
    reminder: timedelta
    all_in_delay: timedelta
    press: Press
    choices: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    draws: bool = True
    concessions: bool = True


@dataclass(frozen=True, slots=True)
class Player:
    """A person. The first address is where letters go.

    Attributes:
        language: one of the catalogue's, as `en`.
        zone: an IANA time zone.
        confirmed: False until a letter from the address has answered one of ours.
    """

    id: PlayerId
    name: str
    language: str
    zone: str
    addresses: tuple[str, ...]
    registered_at: datetime
    confirmed: bool = False

    @property
    def address(self) -> str:
        return self.addresses[0]


@dataclass(frozen=True, slots=True)
class Applicant:
    """A player of a game that has not started; `wish` is the seat he asked for."""

    player: PlayerId
    wish: SeatId | None
    password_hash: str


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A seat of a running game.

    Attributes:
        player: who holds it; None while it is vacant.
        former: who held it last, and may retake it while it is vacant.
        misses: movement phases in a row that passed without his orders.
        ready: he said that his sheet is complete as it is (this phase).
        wait: he asked that the phase does not run before its deadline (this phase).
        draw: he votes for a draw (until it is withdrawn or the phase has run).
        concedes: the seat that he would concede the game to (likewise).
        faulty: the newest answer to him reported a problem that is still open.
        sets: letters with orders in this phase, for `Set 2`.
    """

    id: SeatId
    player: PlayerId | None
    password_hash: str
    former: PlayerId | None = None
    misses: int = 0
    ready: bool = False
    wait: bool = False
    draw: bool = False
    faulty: bool = False
    sets: int = 0
    concedes: SeatId | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """The running phase's instants.

    Attributes:
        opened_at: when the phase opened.
        deadline_at: when orders are due.
        grace_until: set once the deadline has passed with orders missing.
        changed_at: the last change of any sheet, flag or vote.
        late: seats from which nothing had come at the deadline; in grace they alone may order.
        reminded: the reminders before the deadline were written.
        waits: the first movement phase passed its deadline, and the game waits for all orders.
        unreachable: players were told that the mailbox cannot be read.
    """

    opened_at: datetime
    deadline_at: datetime
    changed_at: datetime
    grace_until: datetime | None = None
    late: tuple[SeatId, ...] = ()
    reminded: bool = False
    waits: bool = False
    unreachable: bool = False


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game with everything that a letter or a deadline may change.

    Attributes:
        game: which game of the shelf, as `diplomacy`.
        faults: settings of a draft that could not be taken: (name, written) pairs.
        state: the rulebook's; None until the game starts.
        seed: the secret of all chance in it.
        master_hash: of the password for SIGNON as master.
        order_sets: the stored lines of the running phase.
        advance: the lines stored for later phases, a sheet for each of them that has any.
        due_at: when the clock must look at it next.
        halted: why the keeper must look at it first; it is not due until he releases it. Set by
            `halt_game` and `release_game` alone, never by saving the game.
    """

    name: str
    game: str
    status: Status
    master: PlayerId
    settings: GameSettings
    seed: bytes
    created_at: datetime
    master_hash: str = ""
    faults: tuple[tuple[str, str], ...] = ()
    applicants: tuple[Applicant, ...] = ()
    state: JsonObject | None = None
    phase: Phase | None = None
    seats: tuple[SeatRecord, ...] = ()
    order_sets: Mapping[SeatId, OrderSet] = field(default_factory=dict)
    advance: Mapping[SeatId, tuple[AdvanceOrders, ...]] = field(default_factory=dict)
    timing: Timing | None = None
    ending: Ending | None = None
    winners: tuple[SeatId, ...] = ()
    due_at: datetime | None = None
    halted: str | None = None

    def seat(self, seat_id: SeatId) -> SeatRecord:
        """The seat of that id; KeyError if the game has none (a bug)."""
        for seat in self.seats:
            if seat.id == seat_id:
                return seat
        raise KeyError(seat_id)

    def order_set(self, seat_id: SeatId) -> tuple[Line, ...]:
        return self.order_sets.get(seat_id, ())

    def with_seat(self, changed: SeatRecord) -> "GameRecord":
        """This game with one seat changed."""
        seats = tuple(changed if seat.id == changed.id else seat for seat in self.seats)
        return replace(self, seats=seats)

    def with_order_set(self, seat_id: SeatId, order_set: OrderSet) -> "GameRecord":
        """This game with one seat's sheet changed."""
        return replace(self, order_sets={**self.order_sets, seat_id: order_set})

    def advance_of(self, seat_id: SeatId) -> tuple[AdvanceOrders, ...]:
        """What a seat has stored for later phases, in no order but that of its letters."""
        return self.advance.get(seat_id, ())

    def advance_set(self, seat_id: SeatId, label: str) -> OrderSet:
        """What a seat has stored for one later phase."""
        return next((one.order_set for one in self.advance_of(seat_id) if one.label == label), ())

    def with_advance(self, seat_id: SeatId, label: str, order_set: OrderSet) -> "GameRecord":
        """This game with what one seat has stored for a later phase changed; empty: forgotten."""
        known = {one.label: one.order_set for one in self.advance_of(seat_id)}
        known[label] = order_set
        stored = tuple(AdvanceOrders(name, lines) for name, lines in known.items() if lines)
        advance = {**self.advance, seat_id: stored}
        return replace(self, advance={seat: own for seat, own in advance.items() if own})


@dataclass(frozen=True, slots=True)
class PhaseRecord:
    """A finished phase, stored whole and never changed."""

    game: str
    phase: Phase
    state: JsonObject
    order_sets: Mapping[SeatId, OrderSet]
    reports: tuple[JsonObject, ...]
    missing: tuple[SeatId, ...]
    processed_at: datetime


@dataclass(frozen=True, slots=True)
class PressRecord:
    """A piece of press, as it was delivered. `sender` and `to` name seats, `MASTER`, or nobody."""

    game: str
    label: str
    sender: str
    to: tuple[str, ...]
    text: str
    sent_at: datetime


class Purpose(StrEnum):
    """What a reply to a letter of ours is good for, beside signing on."""

    LETTER = "letter"  # signs on for its seat and phase
    PROPOSALS = "proposals"  # YES stores the payload's lines
    JOIN = "join"  # any reply seats the player
    REGISTER = "register"  # any reply confirms the address
    RESIGN = "resign"  # YES resigns
    PROCESS = "process"  # YES processes the named phase
    PROXY = "proxy"  # YES accepts a kept letter from an unknown address


@dataclass(frozen=True, slots=True)
class OutLetter:
    """A letter to go out: a row of the outbox.

    Attributes:
        token: unguessable, in the Message-ID and the Reply-To.
        thread: token of the thread's root, first in References; its own for a first letter.
        answers: Message-ID of the letter it answers, for In-Reply-To.
        messages: what it says, as JSON (`host.messages`); rendered after the commit.
        serial: the phase that was due when it went out.
    """

    token: Token
    thread: Token
    player: PlayerId | None
    recipient: str
    language: str
    zone: str
    kind: str
    messages: JsonObject
    created_at: datetime
    answers: str | None = None
    game: str | None = None
    seat: SeatId | None = None
    serial: int | None = None
    label: str | None = None
    purpose: Purpose = Purpose.LETTER
    payload: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentLetter:
    """What the store knows of a letter of ours that somebody replies to."""

    token: Token
    player: PlayerId | None
    recipient: str
    game: str | None
    seat: SeatId | None
    serial: int | None
    label: str | None
    purpose: Purpose
    payload: JsonObject
    created_at: datetime
    is_thread: bool = False


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that one letter or one deadline changes; written in one transaction."""

    players: tuple[Player, ...] = ()
    games: tuple[GameRecord, ...] = ()
    phases: tuple[PhaseRecord, ...] = ()
    press: tuple[PressRecord, ...] = ()
    letters: tuple[OutLetter, ...] = ()
