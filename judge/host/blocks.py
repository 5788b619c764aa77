"""What a letter of the judge says: blocks, the values that `render/letters.py` puts into words.

A letter is a sequence of blocks; the first gives its first line and its subject. Blocks hold values
and no sentences, so that the same letter can be written in any language. They are kept as JSON in
the outbox (`codec.py`).
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from judge.rulebook import Ahead, JsonObject, Line, Problem, SeatId, Sheet, Understood
from judge.store import Ending, GameSettings, Press


@dataclass(frozen=True, slots=True)
class GameRef:
    """Which game and phase a block speaks of, and to which seat (None: master, stranger)."""

    name: str
    game: str
    variant: str
    label: str | None = None
    seat: SeatId | None = None


@dataclass(frozen=True, slots=True)
class Due:
    """Until when, as it stood at `now`.

    Attributes:
        at: the deadline, or the end of grace when `in_grace`.
        grace: what follows the deadline for those who owe orders; zero if none.
        early: the phase runs this long after the last change once all are complete; None if it
            never runs early (first movement phase, or somebody waits).
        waits: no clock runs: the game waits for all first orders.
    """

    at: datetime
    now: datetime
    grace: timedelta = timedelta(0)
    early: timedelta | None = None
    in_grace: bool = False
    waits: bool = False


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A seat as listings show it; `player` is a name, empty while the seat is vacant."""

    seat: SeatId
    player: str
    score: int
    in_play: bool = True


# --- answers to orders ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OrdersAnswer:
    """The answer to a letter with orders: the whole sheet, what was not stored, until when.

    Attributes:
        view: what the seat may see, for the renderer.
        sheet: every stored line, those of earlier letters marked kept.
        owed: lines that make the sheet complete.
        understood: the lines of this letter, with their notes.
        received_at: when the mail server took the letter.
        receipt: `7KQ2-MX`.
        cleared: CLEAR stood in the letter.
    """

    game: GameRef
    view: JsonObject
    sheet: Sheet
    owed: int
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    due: Due
    set_number: int
    received_at: datetime
    receipt: str
    cleared: bool = False


@dataclass(frozen=True, slots=True)
class OrdersAhead:
    """What is stored for later phases, after a letter with orders; said to its writer alone.

    Attributes:
        view: what the seat may see now, for the renderer.
        sheets: all that is stored, in the order of the phases.
        understood: the lines of this letter for later phases, with their notes and labels.
        problems: its lines for later phases that could not be stored.
        cleared: phases whose lines it has cleared.
        changed: the letter held lines for later phases, or cleared some; else this only reminds.
        set_number: None where the answer to the letter's other orders says it.
    """

    game: GameRef
    view: JsonObject
    sheets: tuple[Ahead, ...]
    understood: tuple[Understood, ...]
    problems: tuple[Problem, ...]
    cleared: tuple[str, ...]
    changed: bool
    set_number: int | None
    received_at: datetime
    receipt: str


@dataclass(frozen=True, slots=True)
class AheadOpened:
    """What became of a seat's lines for later phases when a phase opened; part of its results.

    Attributes:
        sheet: those that are its sheet of that phase now.
        owed: lines that would make the sheet complete.
        problems: those that do not fit the position.
        lapsed: those of phases that were skipped, or in which the seat has nothing to send.
    """

    sheet: Sheet
    owed: int
    problems: tuple[Problem, ...] = ()
    lapsed: tuple[Ahead, ...] = ()


@dataclass(frozen=True, slots=True)
class StaleOrders:
    """A reply to a letter of a phase that is over: nothing was stored; YES uses `lines` now.

    `problems` are lines that mean nothing in the phase that is due now.
    """

    game: GameRef
    view: JsonObject
    label_then: str
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...]
    due: Due


@dataclass(frozen=True, slots=True)
class LateOrders:
    """Orders that came after the phase had to run, or in grace from a seat that owed nothing."""

    game: GameRef
    lines: tuple[str, ...]
    in_grace: bool


@dataclass(frozen=True, slots=True)
class NotRead:
    """Lines that were read neither as orders nor as commands, and shown to nobody."""

    lines: tuple[str, ...]


# --- what the clock says --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Started:
    """A game's first letter to a seat (or to its master: `game.seat` None)."""

    game: GameRef
    view: JsonObject
    settings: GameSettings
    roster: tuple[RosterEntry, ...]
    seed_hash: str
    due: Due


@dataclass(frozen=True, slots=True)
class Results:
    """What happened in a phase, to one seat, and what it has to send next.

    Attributes:
        report, own: the rulebook's report, public part and the seat's.
        next_view: what the seat may see of the phase that opened; its `task` is rendered from it.
        next: the phase that opened; None when the game is over.
        owes: the seat has something to send in it.
        missing: seats that sent nothing and are in civil disorder for this phase.
        vacated: those of them whose seat is vacant now.
        held: those of them whose seat is still its player's.
        main: sending nothing in the phase that ran was an absence.
        awaited: seats that have something to send in the next phase.
        skipped: further reports of phases in which nobody had a choice.
        ahead: what became of lines that the seat had stored for later phases; None if of none.
    """

    game: GameRef
    report: JsonObject
    own: JsonObject
    next_view: JsonObject
    next: GameRef | None
    owes: bool
    due: Due | None
    missing: tuple[SeatId, ...] = ()
    vacated: tuple[SeatId, ...] = ()
    awaited: tuple[SeatId, ...] = ()
    grace: timedelta = timedelta(0)
    skipped: tuple[JsonObject, ...] = ()
    skipped_own: tuple[JsonObject, ...] = ()
    held: tuple[SeatId, ...] = ()
    main: bool = True
    ahead: AheadOpened | None = None


@dataclass(frozen=True, slots=True)
class Reminder:
    """Before the deadline, to a seat that owes orders; or after it, when `due.in_grace`."""

    game: GameRef
    view: JsonObject
    sheet: Sheet
    owed: int
    due: Due


@dataclass(frozen=True, slots=True)
class GameWaits:
    """The first movement phase passed its deadline: no civil disorder, all are told."""

    game: GameRef
    view: JsonObject
    missing: tuple[SeatId, ...]
    owes: bool
    owed: int
    sheet: Sheet


class MoveReason(StrEnum):
    """Why a deadline moved."""

    JUDGE_AWAY = "judge_away"
    MASTER = "master"
    MAILBOX = "mailbox"  # due, but the mailbox cannot be read: it waits


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
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


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """Told to everybody in the game. `who` is the player's name."""

    game: GameRef
    seat: SeatId
    event: SeatEvent
    who: str


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game's last letter; `seed` is the secret whose hash the first letter printed."""

    game: GameRef
    view: JsonObject
    ending: Ending
    winners: tuple[SeatId, ...]
    roster: tuple[RosterEntry, ...]
    seed: str


# --- press and votes ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PressReceived:
    """Press as its readers see it. `sender` is a seat id, `MASTER`, or "" for grey press."""

    game: GameRef
    sender: str
    to: tuple[str, ...]
    broadcast: bool
    text: str


@dataclass(frozen=True, slots=True)
class PressSent:
    """To the sender: who got it, and the text as it went out."""

    game: GameRef
    to: tuple[str, ...]
    broadcast: bool
    grey: bool
    text: str


@dataclass(frozen=True, slots=True)
class Conceded:
    """To the voter: to whom he would concede the game; `to` is None where he took it back."""

    game: GameRef
    to: SeatId | None
    needed: int


@dataclass(frozen=True, slots=True)
class DrawVoted:
    """To the voter: his vote as it stands; who else voted is told to nobody."""

    game: GameRef
    votes: bool
    needed: int
    counted: int


# --- answers to commands --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Registered:
    """A player's own data as the judge holds it. `guessed`: taken from the letter's headers."""

    name: str
    address: str
    language: str
    zone: str
    confirmed: bool
    guessed: bool


@dataclass(frozen=True, slots=True)
class JoinAsked:
    """JOIN of a stranger: any reply seats him. Shows what was guessed from his letter."""

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


@dataclass(frozen=True, slots=True)
class Joined:
    """He is in: with a seat (a running game, or he chose one), or waiting for the start."""

    game: GameRef
    seat: SeatId | None
    password: str
    missing_players: int


@dataclass(frozen=True, slots=True)
class SettingFault:
    """A setting of CREATE that could not be taken: `no_setting`, `bad_option`, `bad_duration`,
    `no_variant`, `no_rules` or `no_option` (no such rule to choose); `known` are values that could
    be, and for `no_option` the rules of the nearest names."""

    name: str
    written: str
    kind: str
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Created:
    """CREATE: the game is open to JOIN, or kept as a draft because of `faults`.

    `password` signs the master on from anywhere: `SIGNON Mbalkan password`.
    """

    game: GameRef
    settings: GameSettings
    seats: int
    faults: tuple[SettingFault, ...] = ()
    password: str = ""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in a list."""

    name: str
    variant: str
    rules: str
    label: str | None
    status: str
    press: Press
    movement: timedelta
    players: int
    seats: int
    vacant: tuple[SeatId, ...]
    due_at: datetime | None
    game: str
    choices: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class GameList:
    games: tuple[GameRow, ...]
    now: datetime


@dataclass(frozen=True, slots=True)
class GameStatus:
    """LIST <game> and STATUS: everything a reader may see of one game.

    `sheet`, `owed` and `ahead` (stored for later phases) are the reader's own, for a player.
    """

    game: GameRef
    settings: GameSettings
    status: str
    roster: tuple[RosterEntry, ...]
    view: JsonObject | None
    due: Due | None
    missing_players: int
    sheet: Sheet | None = None
    owed: int = 0
    ready: bool = False
    wait: bool = False
    draw: bool = False
    concedes: SeatId | None = None
    ahead: tuple[Ahead, ...] = ()


class Deed(StrEnum):
    """A flag that was set; each has its sentence."""

    WAIT = "wait"
    NO_WAIT = "no_wait"
    READY = "ready"
    NOT_READY = "not_ready"
    DEADLINE_SET = "deadline_set"
    PROCESSED = "processed"  # the phase ran at the master's word


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was carried out and needs one sentence."""

    game: GameRef
    deed: Deed
    due: Due | None = None


@dataclass(frozen=True, slots=True)
class ConfirmAsked:
    """RESIGN and PROCESS are asked back, a reply of YES does it; so is CREATE by the unproven."""

    game: GameRef
    what: str  # "resign", "process", "create"
    owing: tuple[SeatId, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandHelp:
    """One command, as HELP lists it; texts are message ids of the catalogue."""

    name: str
    usage: str
    summary: str


@dataclass(frozen=True, slots=True)
class HelpText:
    """HELP: all commands, or one. `orders`: the examples of how to write orders stand in it."""

    commands: tuple[CommandHelp, ...]
    orders: bool


@dataclass(frozen=True, slots=True)
class Welcome:
    """To somebody whom the judge does not know and whose letter held no command."""

    games: tuple[GameRow, ...]
    now: datetime


@dataclass(frozen=True, slots=True)
class NothingFound:
    """A letter without an order or command, from a player; `games` are those he sits in."""

    games: tuple[GameRef, ...]


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
    BAD_TIME = "bad_time"  # written
    PAST_TIME = "past_time"  # written
    BAD_ZONE = "bad_zone"  # written, nearest
    BAD_LANGUAGE = "bad_language"  # written, known
    WRONG_PHASE = "wrong_phase"  # written, label: PROCESS names another phase
    EXPIRED = "expired"  # a reply to a question that was answered or is too old
    TOO_MANY_GAMES = "too_many_games"  # limit
    TOO_MANY_LINES = "too_many_lines"  # limit, unread
    TOO_LARGE = "too_large"  # limit_bytes
    GAME_HALTED = "game_halted"  # game: the keeper is looking at it
    PHASE_RAN = "phase_ran"
    NOTHING_DUE = "nothing_due"  # game, label: orders, but this seat has nothing to send
    NO_PHASE = "no_phase"  # written, nearest: list of labels
    PAST_PHASE = "past_phase"  # written, label: it has run, or will never come
    FAR_PHASE = "far_phase"  # written, label, last: the last that orders can be stored for
    NOTHING_PROPOSED = "nothing_proposed"  # YES to a letter that proposed nothing


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something asked for that was not done."""

    kind: RefusalKind
    values: JsonObject = field(default_factory=dict)
    game: GameRef | None = None


@dataclass(frozen=True, slots=True)
class AddressAsked:
    """To the registered address: a letter with its token came from another one."""

    game: GameRef | None
    written_from: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class KeeperNotice:
    """Something the keeper should look at: a letter set aside, a stuck letter, a halted game."""

    # letter_shunted, letter_stuck, mailbox_unreachable, mailbox_back, game_halted
    what: str
    values: JsonObject


Block = (
    OrdersAnswer
    | OrdersAhead
    | StaleOrders
    | LateOrders
    | NotRead
    | Started
    | Results
    | Reminder
    | GameWaits
    | DeadlineMoved
    | SeatChanged
    | GameOver
    | PressReceived
    | PressSent
    | DrawVoted
    | Conceded
    | Registered
    | JoinAsked
    | Joined
    | Created
    | GameList
    | GameStatus
    | Done
    | ConfirmAsked
    | HelpText
    | Welcome
    | NothingFound
    | Refusal
    | AddressAsked
    | KeeperNotice
)
