"""What the store keeps, as values: games, seats, phases, press, letters out. No SQL here.

The host decides in these values and the store writes them; neither knows more of the other.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

import msgspec
from msgspec.structs import replace

from judge.rulebook import AdvanceOrders, OrderSet, Phase, Report, SeatId, State, Values
from judge.store.game_settings import GameSettings, Reveal
from judge.store.people import (
    EVERY_ATTACHMENT,
    Absence,
    Attachment,
    ConductRecord,
    Format,
    Placing,
    Player,
    PlayerId,
    Rating,
    Standby,
)

# Longer than any work on a game or a letter takes; when it has run out, another may do that work.
LEASE = timedelta(minutes=30)

Token = NewType("Token", str)


class Status(StrEnum):
    """Where a game is in its life."""

    DRAFT = "draft"
    FORMING = "forming"
    ACTIVE = "active"
    FINISHED = "finished"


class Applicant(msgspec.Struct, frozen=True):
    """A player of a game that has not started, or on its waiting list.

    Attributes:
        wish: the seat that they asked for, which nobody else gets.
        preferences: seats that they would like, best first; equal ones together.
        yes_at: when they last said that they play.
    """

    player: PlayerId
    wish: SeatId | None
    password_hash: str
    preferences: tuple[tuple[SeatId, ...], ...] = ()
    yes_at: datetime | None = None


class Observer(msgspec.Struct, frozen=True):
    """Somebody who reads a game and does not play in it; `results_only`: no press, no notices."""

    player: PlayerId
    results_only: bool = False


class SeatRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a running game.

    Attributes:
        player: who holds it; None while it is vacant.
        former: who held it last, and may retake it while it is vacant.
        misses: phases in a row in which the player's silence was an absence.
        excused: how many times the deadline has moved on for the player.
        ready: the player said that the orders are complete as they are (this phase).
        wait: the player asked that the phase does not run before its deadline (this phase).
        faulty: the newest answer to the player reported a problem that is still open.
        sets: letters with orders in this phase, for `Set 2`.
        is_leaving: they play on until somebody else takes it.
        resigned: they gave it up themselves: a letter of theirs does not take it again.
        absences: when the player is away, as announced.
        standby: who was asked for orders that count if the player is missing again.
        is_computer: the rulebook orders for it, in a practice game; nobody can hold it.
        is_dummy: nobody is to play it, and nobody can take it.
        prefers_wait: the player asks every phase to wait for its deadline.
        lates: in how many phases nothing had come by the deadline.
    """

    id: SeatId
    player: PlayerId | None
    password_hash: str
    former: PlayerId | None = None
    misses: int = 0
    ready: bool = False
    wait: bool = False
    faulty: bool = False
    sets: int = 0
    is_leaving: bool = False
    resigned: bool = False
    is_computer: bool = False
    excused: int = 0
    standby: PlayerId | None = None
    absences: tuple[Absence, ...] = ()
    is_dummy: bool = False
    prefers_wait: bool = False
    lates: int = 0

    @property
    def is_vacant(self) -> bool:
        """Whether nobody plays it and somebody should."""
        return self.player is None and not (self.is_computer or self.is_dummy)

    @property
    def is_open(self) -> bool:
        """Whether somebody could take it."""
        return self.is_vacant or self.is_leaving


class Tenure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's time at a seat: the label and serial of the phase that was open when they got it
    (no label: not known), and of the one that was when they left; none: they were there to the end,
    or still are."""

    seat: SeatId
    player: PlayerId
    since: str
    since_serial: int
    until: str = ""
    until_serial: int | None = None


class Held(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game is on hold: since when, why, and when its masters are reminded of it."""

    since: datetime
    remind_at: datetime
    reason: str = ""


class Undone(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a rollback has taken back, and a rollforward can bring again.

    Attributes:
        serial: of the phase that was open then; it is kept with its orders, without reports.
        gaps: `GameRecord.gaps` as they were then.
        since: the serial of the phase that the rollback opened.
        ending, winners: of a game that was over.
    """

    serial: int
    gaps: tuple[tuple[int, int], ...]
    since: int
    ending: str = ""
    winners: tuple[SeatId, ...] = ()


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the seats of a game vote on.

    Attributes:
        number: counts the proposals of a game from 1; VOTE names it.
        kind: the rulebook's name of an end, or one of `host/games/proposals.py`.
        seats: whom it names, as the winner or who is to be replaced.
        at: the deadline that it asks for.
        length: of a pause.
        votes: yes or no, by seat.
        is_announced: all voters were told of it; else those alone who vote for it know it.
    """

    number: int
    kind: str
    by: SeatId
    seats: tuple[SeatId, ...] = ()
    at: datetime | None = None
    length: timedelta = timedelta(0)
    setting: str = ""
    value: str = ""
    votes: Mapping[SeatId, bool] = msgspec.field(default_factory=dict)
    is_announced: bool = False


class Invitation(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody whom a master has invited.

    Attributes:
        who: the address that the master wrote; empty: `player` was named.
        word: lets one person in, in place of a join word.
        seat: the one that it is for, if any.
        player: who it was sent to or has used it; None: somebody who was no player.
        is_declined: they have said no.
    """

    who: str
    word: str
    at: datetime
    seat: SeatId | None = None
    player: PlayerId | None = None
    is_declined: bool = False


class Timing(msgspec.Struct, frozen=True, omit_defaults=True):
    """The running phase's instants; before the start those of the time in which the players of a
    full game say YES once more.

    Attributes:
        opened_at: when the phase opened.
        deadline_at: when orders are due.
        grace_until: set once the deadline has passed with orders missing.
        changed_at: the last change of any orders, flag or vote.
        late: seats from which nothing had come at the deadline; in grace they alone may order.
        reminded, reminded_last: the reminders before the deadline were written.
        waits: no deadline is ahead: that of a phase which waits for orders or for the master has
            passed, or the game has none.
        unreachable: players were told that the mailbox cannot be read.
        paused_until: the phase does not run before, by agreement of the players.
        extended: by how much players have moved the deadline by agreement.
        reopened: by a rollback; it runs before its deadline only if all say READY.
        previewed_at: when the master last saw what orders would do.
        held: no clock runs until the game goes on; None: it runs.
        ready_told: its master was told that the phase can run, and runs it.
    """

    opened_at: datetime
    deadline_at: datetime
    changed_at: datetime
    grace_until: datetime | None = None
    late: tuple[SeatId, ...] = ()
    reminded: bool = False
    waits: bool = False
    unreachable: bool = False
    extended: timedelta = timedelta(0)
    held: Held | None = None
    reopened: bool = False
    previewed_at: datetime | None = None
    paused_until: datetime | None = None
    ready_told: bool = False
    reminded_last: bool = False

    @property
    def ends_at(self) -> datetime:
        """The end of grace once that has begun, until then the deadline."""
        return self.grace_until or self.deadline_at


class Master(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who runs a game, with the hash of their password for SIGNON as master."""

    player: PlayerId
    password_hash: str = ""


class CalendarEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """A deadline, as a letter has put it into its reader's calendar.

    Attributes:
        game, variant: which rulebook and board it is played by.
        serial, label: of the phase.
        uid: the same as long as that phase is open; no other deadline has it.
        sequence: rises from 0 with each change.
        is_cancelled: there is no such deadline any more, or not for the reader.
    """

    serial: int
    label: str
    uid: str
    at: datetime
    game: str
    variant: str
    seat: SeatId
    sequence: int = 0
    is_cancelled: bool = False


class MasterAsked(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who was asked to run a game, a player's id or a stranger's address, and by which master;
    `takes_over`: in their place."""

    who: str
    by: PlayerId
    at: datetime
    takes_over: bool = False


class GameRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game with everything that a letter or a deadline may change.

    Attributes:
        game: which rulebook it is played by, as `diplomacy`.
        masters: who runs it, all with the same rights.
        faults: settings of a draft that could not be taken: (name, written) pairs.
        waiting: who wants the next place that becomes free, in this order.
        state: the rulebook's; None until the game starts. Stored beside the record.
        seed: the secret of all chance in it.
        order_sets: the stored lines of the running phase.
        standby_sets, standby_advance: lines of standbys, beside those of the players.
        advance: the lines stored for later phases, an order set for each of them that has any.
        ending: how it ended: the rulebook's word, or the name of the vote that ended it; empty
            while it goes on.
        due_at: when the clock must look at it next.
        halted: why the keeper must look at it first; it is not due until the keeper releases it.
            Set by `Games.halt` alone, never by saving the game.
        guesses: when wrong passwords were written in the last hour, by seat or `MASTER`.
        until: of a practice game the label of its last phase; empty for all others.
        asking: who wants to join, and waits for a master's leave.
        tenures: who has held which seat, in the order in which they got it.
        proposals: what the seats vote on now; `proposed`: how many there have been.
        end_reason: why its master has ended it.
        archive_number: by which an archive knows it, in its own words.
        is_revealed: its master has told after the end who played what.
        has_told_all: its players' statements and diaries were published.
        ejected: whom its master, or a vote, has put out; they come back only with the master's
            approval.
        asked_masters: who was asked to run it and has not answered.
        ended_at, scores: when it ended, and the rulebook's figures of the seats then.
        gaps: serials, from one to another, of phases that a rollback has taken out of its history.
        undone: what a rollforward can bring again, the last rollback last.
        repeats: how often the phases were opened before that a rollback has taken back, by label.
        held_press: postal press, which is published when the phase has run.
        reports: which press its readers have reported to the master.
        shortened: dummies that are so because the game began short.
        invited: whom its masters have invited, the newest last.
        next_game: the name of the one that took its place when it was over.
        calendars: the newest event that each player has.
        version: how often it was saved; it is saved only if nobody else did so meanwhile. 0 for a
            new game.
    """

    name: str
    game: str
    status: Status
    masters: tuple[Master, ...]
    settings: GameSettings
    seed: bytes
    created_at: datetime
    faults: tuple[tuple[str, str], ...] = ()
    applicants: tuple[Applicant, ...] = ()
    waiting: tuple[Applicant, ...] = ()
    observers: tuple[Observer, ...] = ()
    state: State | None = None
    phase: Phase | None = None
    seats: tuple[SeatRecord, ...] = ()
    order_sets: Mapping[SeatId, OrderSet] = msgspec.field(default_factory=dict)
    advance: Mapping[SeatId, tuple[AdvanceOrders, ...]] = msgspec.field(default_factory=dict)
    timing: Timing | None = None
    ending: str = ""
    winners: tuple[SeatId, ...] = ()
    due_at: datetime | None = None
    halted: str | None = None
    guesses: Mapping[str, tuple[datetime, ...]] = msgspec.field(default_factory=dict)
    until: str = ""
    version: int = 0
    standby_sets: Mapping[SeatId, OrderSet] = msgspec.field(default_factory=dict)
    tenures: tuple[Tenure, ...] = ()
    ended_at: datetime | None = None
    scores: Mapping[SeatId, int] = msgspec.field(default_factory=dict)
    gaps: tuple[tuple[int, int], ...] = ()
    undone: tuple[Undone, ...] = ()
    repeats: Mapping[str, int] = msgspec.field(default_factory=dict)
    proposals: tuple[Proposal, ...] = ()
    proposed: int = 0
    held_press: "tuple[PressRecord, ...]" = ()
    reports: "tuple[PressReport, ...]" = ()
    standby_advance: Mapping[SeatId, tuple[AdvanceOrders, ...]] = msgspec.field(
        default_factory=dict
    )
    shortened: tuple[SeatId, ...] = ()
    asking: tuple[Applicant, ...] = ()
    end_reason: str = ""
    archive_number: str = ""
    is_revealed: bool = False
    has_told_all: bool = False
    ejected: tuple[PlayerId, ...] = ()
    calendars: Mapping[PlayerId, CalendarEvent] = msgspec.field(default_factory=dict)
    asked_masters: tuple[MasterAsked, ...] = ()
    invited: tuple[Invitation, ...] = ()
    next_game: str = ""

    @property
    def running_phase(self) -> Phase:
        """The running phase; only an active game has one."""
        assert self.phase is not None, self.name
        return self.phase

    @property
    def phase_serial(self) -> int | None:
        return self.phase.serial if self.phase else None

    @property
    def phase_label(self) -> str:
        return self.phase.label if self.phase else ""

    @property
    def is_practice(self) -> bool:
        """Whether one player plays it against computer seats, unseen by others."""
        return bool(self.until)

    @property
    def hides_names(self) -> bool:
        """Whether nobody but its master knows who plays what."""
        reveal = self.settings.reveal
        is_told = reveal is Reveal.END or (reveal is Reveal.MASTER and self.is_revealed)
        return self.settings.hides_names and not (self.ending and is_told)

    @property
    def master_ids(self) -> tuple[PlayerId, ...]:
        return tuple(one.player for one in self.masters)

    def is_master(self, player: PlayerId) -> bool:
        return player in self.master_ids

    def seat(self, seat_id: SeatId) -> SeatRecord:
        """The seat of that id; KeyError if the game has none (a bug)."""
        for seat in self.seats:
            if seat.id == seat_id:
                return seat
        raise KeyError(seat_id)

    def order_set(self, seat_id: SeatId) -> OrderSet:
        return self.order_sets.get(seat_id, ())

    def with_seat(self, changed: SeatRecord) -> "GameRecord":
        seats = tuple(changed if seat.id == changed.id else seat for seat in self.seats)
        return replace(self, seats=seats)

    def with_order_set(self, seat_id: SeatId, order_set: OrderSet) -> "GameRecord":
        return replace(self, order_sets={**self.order_sets, seat_id: order_set})

    def swap_standby_lines(self) -> "GameRecord":
        """This game with the lines of standbys in place of the players', and the other way
        round: twice, it is as it was."""
        return replace(
            self,
            order_sets=self.standby_sets,
            standby_sets=self.order_sets,
            advance=self.standby_advance,
            standby_advance=self.advance,
        )

    def without_lines(self, seat_id: SeatId) -> "GameRecord":
        """This game without anything that is stored for a seat by its player."""
        order_sets, advance = (
            {one: stored for one, stored in sets.items() if one != seat_id}
            for sets in (self.order_sets, self.advance)
        )
        return replace(self, order_sets=order_sets, advance=advance)

    def without_standby_lines(self, seat_id: SeatId) -> "GameRecord":
        """This game without anything that is stored for a seat by its standby."""
        return self.swap_standby_lines().without_lines(seat_id).swap_standby_lines()

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


class PhaseRecord(msgspec.Struct, frozen=True):
    """A finished phase, stored whole and never changed; without reports: a rollback has stopped it.
    `times`: how often the phase of that label was opened until then."""

    game: str
    phase: Phase
    state: State
    order_sets: Mapping[SeatId, OrderSet]
    reports: tuple[Report, ...]
    missing: tuple[SeatId, ...]
    processed_at: datetime
    times: int = 1


class Act(StrEnum):
    """What the hand of a game's master did."""

    HELD = "held"
    RESUMED = "resumed"
    DEADLINE = "deadline"  # another one
    PROCESSED = "processed"  # the phase, before its deadline
    PREVIEWED = "previewed"  # the master has seen what orders would do
    PREVIEWS_ON = "previews_on"  # from now on always
    PREVIEWS_OFF = "previews_off"
    ORDERED = "ordered"  # for a power, in its player's place
    EJECTED = "ejected"
    DUMMIED = "dummied"  # nobody is to play it
    REVIVED = "revived"
    SWAPPED = "swapped"
    BEGUN_SHORT = "begun_short"
    UNSTARTED = "unstarted"
    PROMOTED = "promoted"  # runs the game too
    DEMOTED = "demoted"  # runs it no more
    HANDED_OVER = "handed_over"  # to another, in their place
    APPOINTED = "appointed"  # by the keeper, in place of all
    EDITED = "edited"  # the position
    NOTED = "noted"  # a private note
    ROLLED_BACK = "rolled_back"
    ROLLED_FORWARD = "rolled_forward"


class NoteKind(StrEnum):
    """What a player writes for later."""

    DIARY = "diary"
    STATEMENT = "statement"  # about the whole game, for after its end


class PlayerNote(msgspec.Struct, frozen=True):
    """What somebody has written in a game, for themselves until after its end.

    Attributes:
        seat: theirs; None: the master's.
        number: of a diary's entry, from 1; 0 for the one statement.
        label: of the phase that was open.
        text: empty: it is deleted.
    """

    game: str
    player: PlayerId
    kind: NoteKind
    number: int
    seat: SeatId | None
    label: str
    at: datetime
    text: str


class ActRecord(msgspec.Struct, frozen=True):
    """An act of a master's, kept for ever.

    Attributes:
        by: who did it; None: the players agreed on it, or the keeper did it.
        seats: whom it concerns alone; empty: everybody.
        who: a player's name that it is about.
        text: what was changed, a line each.
        is_public: SUMMARY shows it to anybody.
    """

    game: str
    label: str
    at: datetime
    act: Act
    by: PlayerId | None = None
    seats: tuple[SeatId, ...] = ()
    who: str = ""
    reason: str = ""
    text: str = ""
    is_public: bool = True


class PressKind(StrEnum):
    """Whom a piece of press is for."""

    PARTIAL = "partial"  # those it names
    BROADCAST = "broadcast"  # all
    POSTAL = "postal"  # all, with the results of the phase


class PressRecord(msgspec.Struct, frozen=True):
    """A piece of press, as it was delivered. `sender` and `to` name seats, `MASTER`, `OBSERVERS`
    or, in `shown_as`, nobody (grey).

    Attributes:
        shown_as, shown_to: the writer and the readers that it names.
        people: who wrote it (first), and those who held these seats and got it.
        phrase: a number of the phrase book and what fills it, in place of a text.
    """

    game: str
    label: str
    sender: str
    to: tuple[str, ...]
    text: str
    sent_at: datetime
    kind: PressKind = PressKind.PARTIAL
    shown_as: str = ""
    shown_to: tuple[str, ...] = ()
    people: tuple[PlayerId, ...] = ()
    phrase: tuple[str, ...] = ()


class PressReport(msgspec.Struct, frozen=True):
    """That somebody has reported a piece of press, which `digest` names."""

    player: PlayerId
    digest: str
    at: datetime


class Purpose(StrEnum):
    """What a reply to a letter of ours is good for, beside signing on."""

    LETTER = "letter"  # signs on for its seat and phase
    PROPOSALS = "proposals"  # YES stores the payload's lines
    JOIN = "join"  # YES seats the player
    REGISTER = "register"  # YES confirms the address
    ADDRESS = "address"  # YES gives the payload's player the payload's address
    FORGET = "forget"  # YES erases the player
    RESIGN = "resign"  # YES resigns
    PROCESS = "process"  # YES processes the named phase
    CONFIRM = "confirm"  # YES keeps a place in a full game
    MASTER = "master"  # YES carries out what the payload says of a master's
    MASTERSHIP = "mastership"  # YES makes whom the payload names a master of its game
    OPEN = "open"  # YES opens a draft to players
    START = "start"  # YES begins a full game
    APPROVE = "approve"  # YES and NO answer the payload's player, who wants to join
    WITHDRAW = "withdraw"  # NO takes back a wish to join that the master has not answered
    INVITED = "invited"  # YES joins the game that the payload names, by its word; NO declines
    WISH = "wish"  # YES wishes for the payload's seat, before the start
    PURGE = "purge"  # YES cancels a game that has not begun
    VOTE = "vote"  # YES and NO vote on the payload's proposal
    DEADLINE = "deadline"  # YES moves the deadline to an earlier instant, the payload's
    SETTINGS = "settings"  # YES changes settings of a game, the payload's
    PRESS_OR_ORDERS = "press_or_orders"  # PRESS sends the payload's body, ORDERS reads it
    PROXY = "proxy"  # YES accepts a kept letter that nothing proved
    WHICH = "which"  # the name of a game puts a kept letter through to it
    CLOSED = "closed"  # a question that was answered


class OutLetter(msgspec.Struct, frozen=True):
    """A letter to go out: a row of the outbox.

    Attributes:
        token: unguessable, in the Message-ID and the Reply-To.
        thread: token of the thread's root, first in References; its own for a first letter.
        answers: Message-ID of the letter it answers, for In-Reply-To.
        messages: what it says, as JSON (`host.messages`); rendered after the commit.
        documents: what `messages` refers to and other letters share, by its SHA-256 in hex.
        serial: the phase that was due when it went out.
        calendar: deadlines that are set, moved or cancelled for its reader.
    """

    token: Token
    thread: Token
    player: PlayerId | None
    recipient: str
    language: str
    zone: str
    kind: str
    messages: bytes
    created_at: datetime
    answers: str | None = None
    game: str | None = None
    seat: SeatId | None = None
    serial: int | None = None
    label: str | None = None
    purpose: Purpose = Purpose.LETTER
    payload: Values = msgspec.field(default_factory=dict)
    documents: Mapping[str, bytes] = msgspec.field(default_factory=dict)
    format: Format = Format.BOTH
    attachments: tuple[Attachment, ...] = EVERY_ATTACHMENT
    calendar: tuple[CalendarEvent, ...] = ()


class SentLetter(msgspec.Struct, frozen=True):
    """What the store knows of a letter of ours that somebody replies to."""

    token: Token
    player: PlayerId | None
    recipient: str
    game: str | None
    seat: SeatId | None
    serial: int | None
    label: str | None
    purpose: Purpose
    payload: Values
    created_at: datetime
    is_thread: bool = False


class Changes(msgspec.Struct, frozen=True):
    """Everything that one letter or one deadline changes; written in one transaction."""

    players: tuple[Player, ...] = ()
    games: tuple[GameRecord, ...] = ()
    phases: tuple[PhaseRecord, ...] = ()
    press: tuple[PressRecord, ...] = ()
    letters: tuple[OutLetter, ...] = ()
    closed: tuple[Token, ...] = ()
    conduct: tuple[ConductRecord, ...] = ()
    forgotten: tuple[Player, ...] = ()  # as they were before
    standbys: tuple[Standby, ...] = ()
    acts: tuple[ActRecord, ...] = ()
    notes: tuple[PlayerNote, ...] = ()
    purged: tuple[str, ...] = ()  # names of games that are no more
    placings: tuple[Placing, ...] = ()
    ratings: tuple[Rating, ...] = ()
