"""What a letter of the judge says: messages, the values that `render/letters.py` puts into words.

A letter is a sequence of messages; the first gives its first line and its subject. Messages hold
values and no sentences, so that the same letter can be written in any language. The outbox keeps
them as JSON.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from judge.host.command import Stage, Topic, Who
from judge.rulebook import (
    DEFAULT_GAME,
    NO_JSON,
    AdvanceOrders,
    Line,
    Note,
    OrderSet,
    Problem,
    SeatId,
    Understood,
    Values,
)
from judge.store import GameSettings, Press

# --- whose letter, which game, until when ---------------------------------------------------------


class GameRef(msgspec.Struct, frozen=True):
    """Which game and phase a message speaks of, and to which seat (None: master, stranger)."""

    name: str
    game: str
    variant: str
    label: str | None = None
    seat: SeatId | None = None


class Due(msgspec.Struct, frozen=True):
    """Until when, as it stood at `now`.

    Attributes:
        at: the deadline, or the end of grace when `in_grace`.
        grace: what follows the deadline for those who owe orders; zero if none.
        early: the phase runs this long after the last change once all are complete; None if it
            never runs early (a phase that waits for everybody, or somebody waits).
        waits: no clock runs: the game waits for all first orders.
        kept: the phase before ran early, and the deadline is the one that was announced for it.
    """

    at: datetime
    now: datetime
    grace: timedelta = timedelta(0)
    early: timedelta | None = None
    in_grace: bool = False
    waits: bool = False
    kept: bool = False


class RosterEntry(msgspec.Struct, frozen=True):
    """A seat as listings show it; `player` is a name, empty while the seat is vacant."""

    seat: SeatId
    player: str
    score: int
    in_play: bool = True
    is_computer: bool = False


# --- answers to letters of orders -----------------------------------------------------------------


class OrdersAnswer(msgspec.Struct, frozen=True, tag=True):
    """The answer to a letter with orders: the whole sheet, what was not stored, until when.

    Attributes:
        view: what the seat may see, for the renderer.
        order_set: every stored line, those of earlier letters marked kept.
        orders_due: lines that make the sheet complete.
        understood: the lines of this letter, with their notes.
        received_at: when the mail server took the letter.
        receipt: `7KQ2-MX`.
        cleared: CLEAR stood in the letter.
        ready, wait: the seat's flags as they stand now.
        lost_ready: READY of an earlier letter fell, because the orders changed.
        removed: stored orders that CLEAR or UNDO took back, or that had to make room for the
            letter's own, as one build too many.
    """

    game: GameRef
    view: msgspec.Raw
    order_set: OrderSet
    orders_due: int
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    due: Due
    set_number: int
    received_at: datetime
    receipt: str
    cleared: bool = False
    ready: bool = False
    wait: bool = False
    lost_ready: bool = False
    removed: OrderSet = ()


class Standing(msgspec.Struct, frozen=True, tag=True):
    """How a seat's orders stand, at the end of an answer that is about something else."""

    game: GameRef
    view: msgspec.Raw
    order_set: OrderSet
    orders_due: int
    ready: bool
    wait: bool


class AdvanceAnswer(msgspec.Struct, frozen=True, tag=True):
    """What is stored for later phases, after a letter with orders; said to its writer alone.

    Attributes:
        view: what the seat may see now, for the renderer.
        order_sets: all that is stored, in the order of the phases.
        understood: the lines of this letter for later phases, with their notes and labels.
        problems: its lines for later phases that could not be stored.
        cleared: phases whose lines it has cleared.
        changed: the letter held lines for later phases, or cleared some; else this only reminds.
        set_number: None where the answer to the letter's other orders says it.
    """

    game: GameRef
    view: msgspec.Raw
    order_sets: tuple[AdvanceOrders, ...]
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    cleared: tuple[str, ...]
    changed: bool
    set_number: int | None
    received_at: datetime
    receipt: str


class AdvanceOpened(msgspec.Struct, frozen=True):
    """What became of a seat's lines for later phases when a phase opened; part of its results.

    Attributes:
        order_set: those that are its sheet of that phase now.
        orders_due: lines that would make the sheet complete.
        problems: those that do not fit the position.
        lapsed: those of phases that were skipped, or in which the seat has nothing to send.
    """

    order_set: OrderSet
    orders_due: int
    problems: tuple[Problem, ...] = ()
    lapsed: tuple[AdvanceOrders, ...] = ()


class StaleOrders(msgspec.Struct, frozen=True, tag=True):
    """A reply to a letter of a phase that is over: nothing was stored; YES uses `lines` now.

    `problems` are lines that mean nothing in the phase that is due now.
    """

    game: GameRef
    view: msgspec.Raw
    label_then: str
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]
    due: Due


class LateOrders(msgspec.Struct, frozen=True, tag=True):
    """Orders that came after the phase had to run, or in grace from a seat that owed nothing."""

    game: GameRef
    lines: tuple[str, ...]
    in_grace: bool


class NotRead(msgspec.Struct, frozen=True, tag=True):
    """Lines that were read neither as orders nor as commands, and shown to nobody."""

    lines: tuple[str, ...]


class PartsNotRead(msgspec.Struct, frozen=True, tag=True):
    """Parts of a letter that were not read at all: why, as `judge.mail.UnreadKind`, and the text
    or the name of each."""

    parts: tuple[tuple[str, str], ...]


# --- what happens in a running game ---------------------------------------------------------------


class Started(msgspec.Struct, frozen=True, tag=True):
    """A game's first letter to a seat (or to its master: `game.seat` None). Of a practice game
    `until` is the label of its last phase, and `suggested` are orders to copy."""

    game: GameRef
    view: msgspec.Raw
    settings: GameSettings
    roster: tuple[RosterEntry, ...]
    seed_hash: str
    due: Due
    until: str = ""
    suggested: OrderSet = ()


class Results(msgspec.Struct, frozen=True, tag=True):
    """What happened in a phase, to one seat, and what it has to send next.

    Attributes:
        report, own: the rulebook's report, public part and the seat's.
        next_view: what the seat may see of the phase that opened; its `task` is rendered from it.
        next: the phase that opened; None when the game is over.
        is_awaited: the seat has something to send in it.
        missing: seats that sent nothing and are in civil disorder for this phase.
        vacated: those of them whose seat is vacant now.
        held: those of them whose seat is still its player's.
        is_absence: sending nothing in the phase that ran was an absence.
        awaited: seats that have something to send in the next phase.
        skipped: further reports of phases in which nobody had a choice.
        advance: what became of lines that the seat had stored for later phases; None if of none.
        remarks, suggested: the rulebook's, on the orders of somebody who practices; and orders for
            the next phase that they may copy.
        report_digests: of `report` and `skipped`, in their place where the message is stored.
    """

    game: GameRef
    report: msgspec.Raw
    own: msgspec.Raw
    next_view: msgspec.Raw
    next: GameRef | None
    is_awaited: bool
    due: Due | None
    missing: tuple[SeatId, ...] = ()
    vacated: tuple[SeatId, ...] = ()
    awaited: tuple[SeatId, ...] = ()
    grace: timedelta = timedelta(0)
    skipped: tuple[msgspec.Raw, ...] = ()
    skipped_own: tuple[msgspec.Raw, ...] = ()
    held: tuple[SeatId, ...] = ()
    is_absence: bool = True
    advance: AdvanceOpened | None = None
    remarks: tuple[Note, ...] = ()
    suggested: OrderSet = ()
    report_digests: tuple[str, ...] = ()


class Reminder(msgspec.Struct, frozen=True, tag=True):
    """Before the deadline, to a seat that owes orders; or after it, when `due.in_grace`.

    `is_last_chance`: the seat is lost if nothing comes.
    """

    game: GameRef
    view: msgspec.Raw
    order_set: OrderSet
    orders_due: int
    due: Due
    is_last_chance: bool = False


class GameWaits(msgspec.Struct, frozen=True, tag=True):
    """The first movement phase passed its deadline: no civil disorder, all are told."""

    game: GameRef
    view: msgspec.Raw
    missing: tuple[SeatId, ...]
    is_awaited: bool
    orders_due: int
    order_set: OrderSet


class MoveReason(StrEnum):
    """Why a deadline moved."""

    JUDGE_AWAY = "judge_away"
    MASTER = "master"
    MAILBOX = "mailbox"  # due, but the mailbox cannot be read: it waits


class DeadlineMoved(msgspec.Struct, frozen=True, tag=True):
    """The deadline is another now (or, MAILBOX, the phase waits until the mailbox was read)."""

    game: GameRef
    due: Due
    before: datetime
    reason: MoveReason


class SeatEvent(StrEnum):
    """What became of a seat."""

    RESIGNED = "resigned"
    TAKEN = "taken"
    RETAKEN = "retaken"
    REPLACED = "replaced"  # said to the player who held it before


class SeatChanged(msgspec.Struct, frozen=True, tag=True):
    """Told to everybody in the game. `who` is the player's name."""

    game: GameRef
    seat: SeatId
    event: SeatEvent
    who: str


class GameOver(msgspec.Struct, frozen=True, tag=True):
    """The game's last letter; `seed` is the secret whose hash the first letter printed."""

    game: GameRef
    view: msgspec.Raw
    ending: str
    winners: tuple[SeatId, ...]
    roster: tuple[RosterEntry, ...]
    seed: str


# --- answers to commands --------------------------------------------------------------------------


class Registered(msgspec.Struct, frozen=True, tag=True):
    """A player's own data as the judge holds it. `guessed`: taken from the letter's headers."""

    name: str
    address: str
    language: str
    zone: str
    confirmed: bool
    guessed: bool


class PersonalKind(StrEnum):
    """What a player has decided about themselves, or is asked; each has its sentences. In brackets
    the values."""

    PASSWORD_SET = "password_set"  # noqa: S105  # game
    ADDRESS_WAITS = "address_waits"  # address: it was asked
    ADDRESS_ASKED = "address_asked"  # name: to an address that somebody calls theirs
    ADDRESS_ADDED = "address_added"  # address, first
    FIRST_ASKED = "first_asked"  # address: it would be where letters go
    FIRST_SET = "first_set"  # address
    REMOVE_ASKED = "remove_asked"  # address
    ADDRESS_REMOVED = "address_removed"  # address, first
    PROFILE_PUBLIC = "profile_public"  # name
    PROFILE_PRIVATE = "profile_private"
    BLOCKED = "blocked"  # name
    UNBLOCKED = "unblocked"  # name
    BLOCK_LIST = "block_list"  # names, one a line
    BLOCK_NOBODY = "block_nobody"
    DATA_SENT = "data_sent"  # address
    FORGET_ASKED = "forget_asked"  # games
    FORGET_ASKED_ALONE = "forget_asked_alone"
    FORGOTTEN = "forgotten"


class Personal(msgspec.Struct, frozen=True, tag=True):
    """Told to a player alone, or asked."""

    kind: PersonalKind
    values: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def asks(self) -> bool:
        return "asked" in self.kind.value


class Profile(msgspec.Struct, frozen=True, tag=True):
    """What WHOIS shows of a player. `counts` of the last year, by `Conduct`; `percentage` of phases
    in time, None for whoever is new; not `is_public`: shown to the player alone."""

    name: str
    language: str
    counts: Mapping[str, int]
    percentage: int | None
    is_public: bool


class OwnData(msgspec.Struct, frozen=True, tag=True):
    """Everything that is kept about a player, as a JSON text."""

    text: str


class JoinAsked(msgspec.Struct, frozen=True, tag=True):
    """JOIN of a stranger: any reply confirms it. Shows what was guessed from the letter."""

    game: GameRef
    settings: GameSettings
    name: str
    address: str
    language: str
    zone: str
    wish: SeatId | None
    free: tuple[SeatId, ...]
    missing_players: int
    vacant: bool
    coming: tuple[datetime, ...] = ()


class Joined(msgspec.Struct, frozen=True, tag=True):
    """The player is in: with a seat (a running game, or by choice), or waiting for the start.

    `view` and `due` are those of the seat in a running game.
    """

    game: GameRef
    seat: SeatId | None
    password: str
    missing_players: int
    view: msgspec.Raw = NO_JSON
    due: Due | None = None


class SettingFault(msgspec.Struct, frozen=True):
    """A setting of CREATE that could not be taken: `no_setting`, `bad_option`, `bad_duration`,
    `bad_schedule`, `no_variant`, `no_rules` or `no_option` (no such rule to choose); `known` are
    values that could be, and for `no_option` the rules of the nearest names. `contradiction`: of
    what it contradicts, `known` is how that is written."""

    name: str
    written: str
    kind: str
    known: tuple[str, ...] = ()


class Created(msgspec.Struct, frozen=True, tag=True):
    """CREATE: the game is open to JOIN, or kept as a draft because of `faults`. `coming`: the first
    deadlines of its moves if it began now, where they go by the calendar.

    `password` signs the master on from anywhere: `SIGNON Mbalkan password`.
    """

    game: GameRef
    settings: GameSettings
    seats: tuple[SeatId, ...]
    faults: tuple[SettingFault, ...] = ()
    password: str = ""
    coming: tuple[datetime, ...] = ()


class GameRow(msgspec.Struct, frozen=True):
    """A game in a list."""

    name: str
    variant: str
    rules: str
    label: str | None
    status: str
    press: Press
    pace: timedelta
    players: int
    seats: int
    vacant: tuple[SeatId, ...]
    due_at: datetime | None
    game: str
    choices: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()


class GameList(msgspec.Struct, frozen=True, tag=True):
    """Games as their reader may see them; `is_for_keeper`: in the shell, naming no command."""

    games: tuple[GameRow, ...]
    now: datetime
    is_for_keeper: bool = False


class GameStatus(msgspec.Struct, frozen=True, tag=True):
    """LIST <game> and STATUS: everything a reader may see of one game.

    `order_set`, `orders_due` and `advance` (for later phases) are the reader's own, if they play;
    `view` is null before the start. `vacant`: the reader has lost the seat and may take it again;
    `wish`: the seat that they wished for, before the start. `coming`: the deadlines of moves after
    this one, or before the start as in `Created`.

    `owing` (whose orders are not complete) and `waiting` (how many asked to wait) are told to the
    master alone; `about` is the seat that was asked about.
    """

    game: GameRef
    settings: GameSettings
    status: str
    roster: tuple[RosterEntry, ...]
    view: msgspec.Raw
    due: Due | None
    missing_players: int
    order_set: OrderSet | None = None
    orders_due: int = 0
    ready: bool = False
    wait: bool = False
    votes: Mapping[str, str] = msgspec.field(default_factory=dict)
    advance: tuple[AdvanceOrders, ...] = ()
    owing: tuple[SeatId, ...] | None = None
    waiting: int = 0
    about: SeatId | None = None
    vacant: bool = False
    wish: SeatId | None = None
    coming: tuple[datetime, ...] = ()


class Deed(StrEnum):
    """A flag that was set; each has its sentence."""

    LEFT = "left"  # a game that has not begun
    WISHED = "wished"  # for another seat, or for none
    WAIT = "wait"
    NO_WAIT = "no_wait"
    READY = "ready"
    NOT_READY = "not_ready"
    DEADLINE_SET = "deadline_set"
    DEADLINE_SAME = "deadline_same"  # it was that already
    PROCESSED = "processed"  # the phase ran at the master's word
    NO_VOTES_TOLD = "no_votes_told"  # "Who voted?"


class Done(msgspec.Struct, frozen=True, tag=True):
    """A command that was carried out and needs one sentence."""

    game: GameRef
    deed: Deed
    due: Due | None = None


class ConfirmAsked(msgspec.Struct, frozen=True, tag=True):
    """What is asked back, a reply of YES does it; so is CREATE by the unproven.

    Attributes:
        what: `resign`, `process`, `create`, or `deadline`, which is to be earlier.
        owing: seats whose orders are missing.
        due: until when, as it stands now.
        at: the deadline that is asked for.
    """

    game: GameRef
    what: str
    owing: tuple[SeatId, ...] = ()
    waiting: int = 0  # seats that asked the phase to wait for its deadline
    due: Due | None = None
    at: datetime | None = None


class CommandHelp(msgspec.Struct, frozen=True):
    """One command, as HELP lists it; texts are message ids of the catalogue, `words` are all its
    English spellings and `local` is what it is called in other languages."""

    name: str
    usage: str
    summary: str
    local: Mapping[str, str] = msgspec.field(default_factory=dict)
    topic: Topic = Topic.ACCOUNT
    who: Who = Who.ANYBODY
    when: Stage = Stage.ALWAYS
    words: tuple[str, ...] = ()


class HelpText(msgspec.Struct, frozen=True, tag=True):
    """HELP: all commands, those of a topic, or one. `orders`: the examples of how to write orders
    stand in it."""

    commands: tuple[CommandHelp, ...]
    orders: bool


class TriedOut(msgspec.Struct, frozen=True, tag=True):
    """What orders would do that are stored nowhere: how many were taken, those that were not, and
    the rulebook's report. `untold`: how many more were not, of a writer who may be forged."""

    game: GameRef
    view: msgspec.Raw
    report: msgspec.Raw
    orders: int
    problems: tuple[Problem, ...] = ()
    untold: int = 0


class Welcome(msgspec.Struct, frozen=True, tag=True):
    """To somebody whom the judge does not know and whose letter asked for nothing else.

    Attributes:
        games: those that want players.
        joins: the one that a YES joins; empty: YES begins a practice game.
        name, zone: as a YES would register them.
        game: whose introduction it holds.
    """

    games: tuple[GameRow, ...]
    now: datetime
    joins: str = ""
    name: str = ""
    zone: str = ""
    game: str = DEFAULT_GAME


class NothingFound(msgspec.Struct, frozen=True, tag=True):
    """A letter without an order or command, from a player; `games` are those it may be about, and
    `has_status`: how they stand follows in the same letter."""

    games: tuple[GameRef, ...]
    has_status: bool = False


# --- press and votes ------------------------------------------------------------------------------


class PressReceived(msgspec.Struct, frozen=True, tag=True):
    """Press as its readers see it. `sender` is a seat id, `MASTER`, or "" for grey press."""

    game: GameRef
    sender: str
    to: tuple[str, ...]
    broadcast: bool
    text: str


class PressSent(msgspec.Struct, frozen=True, tag=True):
    """To the sender: who got it, and the text as it went out."""

    game: GameRef
    to: tuple[str, ...]
    broadcast: bool
    grey: bool
    text: str


class Voted(msgspec.Struct, frozen=True, tag=True):
    """To the voter: their vote for an end as it stands; who else voted is told to nobody.

    Attributes:
        vote: the rulebook's name of the end, as `draw`.
        is_for: False where the vote was taken back.
        winner: the seat that is to win; None where all voters share the result.
        needed: how many votes end the game.
        counted: how many there are, where that may be told.
    """

    game: GameRef
    vote: str
    is_for: bool
    winner: SeatId | None
    needed: int
    counted: int


# --- what was not done, and what a stranger or the keeper is told ---------------------------------


class RefusalKind(StrEnum):
    """Why something asked for was not done; each has its sentence with the remedy."""

    NO_COMMAND = "no_command"  # written, nearest: a line that looks like a command and is none
    BAD_COMMAND = "bad_command"  # written, usage
    NO_GAME = "no_game"  # written, nearest: list of names
    NO_POWER = "no_power"  # written, nearest: list of seat ids
    WHICH_GAME = "which_game"  # games: the player's
    NOT_SIGNED_ON = "not_signed_on"  # orders from an address without a seat or reply
    WRONG_PASSWORD = "wrong_password"  # noqa: S105  # game
    UNKNOWN_ADDRESS = "unknown_address"  # a token letter from another address: the player is asked
    NOT_A_PLAYER = "not_a_player"  # game
    NOT_MASTER = "not_master"  # game
    NOT_REGISTERED = "not_registered"
    NOT_BEGUN = "not_begun"  # written: a player who waits for the start asks for it too early
    NOT_RUNNING = "not_running"  # game, status
    NAME_TAKEN = "name_taken"  # written
    BAD_NAME = "bad_name"  # written
    GAME_FULL = "game_full"  # game, open: list of games
    SEAT_TAKEN = "seat_taken"  # written: seat, free: list of seat ids
    ALREADY_IN = "already_in"  # game
    NO_PRESS = "no_press"  # game
    NO_GREY = "no_grey"  # game
    NO_DRAWS = "no_draws"  # game
    NO_CONCESSIONS = "no_concessions"  # game
    NO_CONCESSION_TO = "no_concession_to"  # written, known: others in play, held
    NO_RECIPIENT = "no_recipient"  # nobody named, or only unknown ones: written
    EMPTY_PRESS = "empty_press"
    UNCLOSED_PRESS = "unclosed_press"  # first_line: no ENDPRESS follows; sent to nobody
    # A written time that is not taken; instants: those that it may mean, ISO 8601, in order.
    BAD_TIME = "bad_time"  # written
    NO_SUCH_TIME = "no_such_time"  # written: 31 Feb, 25:00
    TWO_TIMES = "two_times"  # written, instants
    GAP_TIME = "gap_time"  # written, instants: daylight saving leaves it out
    TWICE_TIME = "twice_time"  # written, instants: daylight saving has it twice
    WRONG_WEEKDAY = "wrong_weekday"  # written, instants
    PAST_TIME = "past_time"  # written, instants
    BAD_ZONE = "bad_zone"  # written, nearest
    BAD_LANGUAGE = "bad_language"  # written, known
    WRONG_PHASE = "wrong_phase"  # written, label: PROCESS names another phase
    EXPIRED = "expired"  # a reply to a question that was answered or is too old
    TOO_MANY_GAMES = "too_many_games"  # limit
    TOO_MANY_COMMANDS = "too_many_commands"
    TOO_MANY_LETTERS = "too_many_letters"  # so that no lists are sent
    TOO_MANY_GUESSES = "too_many_guesses"  # game
    LAST_ANSWER = "last_answer"  # for now, to letters that anybody may have forged
    TOO_MANY_LINES = "too_many_lines"  # limit, unread
    TOO_LARGE = "too_large"  # limit_bytes
    TOO_COSTLY = "too_costly"  # reading it would take too long
    GAME_HALTED = "game_halted"  # game: the keeper is looking at it
    PHASE_RAN = "phase_ran"
    NOT_STORED = "not_stored"  # written: CLEAR of a unit without a stored order
    NOTHING_TO_UNDO = "nothing_to_undo"  # UNDO in no reply to an answer that took orders
    NOTHING_DUE = "nothing_due"  # game, label: orders, but this seat has nothing to send
    NO_PHASE = "no_phase"  # written, nearest: list of labels
    PAST_PHASE = "past_phase"  # written, label: it has run, or will never come
    FAR_PHASE = "far_phase"  # written, label, last: the last that orders can be stored for
    PRACTICE_RUNNING = "practice_running"  # game: one practice game a player at a time
    BAD_PERSON = "bad_person"  # written: nobody is called so
    NO_PERSON = "no_person"  # written
    WHICH_PERSON = "which_person"  # written: several have that name
    NO_PROFILE = "no_profile"  # written: nobody of that name shows a profile
    BAD_ADDRESS = "bad_address"  # written
    NO_ADDRESS = "no_address"  # written: not one of theirs
    LAST_ADDRESS = "last_address"  # written: the only one that they have
    MANY_ADDRESSES = "many_addresses"  # limit
    ADDRESS_TAKEN = "address_taken"  # another player has it
    ADDRESS_WAITS = "address_waits"  # written: it was asked often enough today
    APART = "apart"  # game: somebody there and they do not play together
    TOO_UNRELIABLE = "too_unreliable"  # game, limit, written: percentages
    TOO_NEW = "too_new"  # game, limit
    NOTHING_PROPOSED = "nothing_proposed"  # YES to a letter that proposed nothing


class Refusal(msgspec.Struct, frozen=True, tag=True):
    """Something asked for that was not done."""

    kind: RefusalKind
    values: Values = msgspec.field(default_factory=dict)
    game: GameRef | None = None


class AddressAsked(msgspec.Struct, frozen=True, tag=True):
    """To the registered address: a letter with its token came from another one, or (`is_own`) a new
    letter from it needs a proof. YES carries out what `excerpt` shows."""

    game: GameRef | None
    written_from: str
    excerpt: str
    is_own: bool = False


class PasswordTried(msgspec.Struct, frozen=True, tag=True):
    """To whoever has a seat (`game.seat`; None: the master): a wrong password was written for it.

    `is_closed`: too often; for a while no password is taken there.
    """

    game: GameRef
    written_from: str
    is_closed: bool = False


class KeeperNotice(msgspec.Struct, frozen=True, tag=True):
    """Something the keeper should look at: a letter set aside, a stuck letter, a halted game."""

    # letter_shunted, letter_stuck, mailbox_unreachable, mailbox_back, game_halted
    what: str
    values: Values


Message = (
    OrdersAnswer
    | Standing
    | AdvanceAnswer
    | StaleOrders
    | LateOrders
    | NotRead
    | PartsNotRead
    | Started
    | Results
    | Reminder
    | GameWaits
    | DeadlineMoved
    | SeatChanged
    | GameOver
    | PressReceived
    | PressSent
    | Voted
    | Registered
    | Personal
    | Profile
    | OwnData
    | JoinAsked
    | Joined
    | Created
    | GameList
    | GameStatus
    | Done
    | ConfirmAsked
    | HelpText
    | TriedOut
    | Welcome
    | NothingFound
    | Refusal
    | AddressAsked
    | PasswordTried
    | KeeperNotice
)


# --- JSON -----------------------------------------------------------------------------------------

FORMAT = 2


class _Stored(msgspec.Struct):
    format: int
    messages: tuple[Message, ...]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Stored)
# Release 0.1 wrote instants and durations as whole seconds, which only this one reads.
_DECODER_0_1 = msgspec.json.Decoder(_Stored, strict=False)


def messages_to_json(messages: Sequence[Message]) -> tuple[bytes, Mapping[str, bytes]]:
    """The messages as JSON with a format number, and the documents that they refer to.

    The public report of a phase goes to everybody in the game: it is kept beside the letters, once.
    """
    documents: dict[str, bytes] = {}
    stored = []
    for message in messages:
        if isinstance(message, Results):
            reports = [bytes(report) for report in (message.report, *message.skipped)]
            digests = tuple(hashlib.sha256(report).hexdigest() for report in reports)
            documents.update(zip(digests, reports, strict=True))
            message = replace(message, report=NO_JSON, skipped=(), report_digests=digests)
        stored.append(message)
    return _ENCODER.encode(_Stored(FORMAT, tuple(stored))), documents


def messages_from_json(data: bytes, documents: Mapping[str, bytes]) -> tuple[Message, ...]:
    """The messages of `messages_to_json`.

    Raises:
        ValueError: the JSON is none of ours (a bug, or a newer judge's database).
        KeyError: a document is not there.
    """
    decoder = _DECODER_0_1 if data.startswith(b'{"format": 1') else _DECODER
    messages = []
    for message in decoder.decode(data).messages:
        if isinstance(message, Results) and message.report_digests:
            report, *skipped = (msgspec.Raw(documents[one]) for one in message.report_digests)
            message = replace(message, report=report, skipped=tuple(skipped), report_digests=())
        messages.append(message)
    return tuple(messages)
