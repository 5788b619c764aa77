"""Answers to commands, press and votes among them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from judge.host.command import Stage, Topic, Who
from judge.host.messages.order_answers import AdvanceOpened
from judge.host.messages.shared import (
    Due,
    GameRef,
    Holdup,
    Message,
    Motion,
    Person,
    RosterEntry,
    Written,
)
from judge.rulebook import (
    DEFAULT_GAME,
    NO_JSON,
    AdvanceOrders,
    OrderSet,
    Problem,
    SeatId,
)
from judge.store import Absence, Act, Attachment, Format, GameSettings, Press


class Registered(Message, frozen=True):
    """A player's own data as the judge holds it. `guessed`: taken from the letter's headers;
    `then`: the line that a YES gives too; `is_beside`: what stands above it asks for that YES."""

    name: str
    address: str
    language: str
    zone: str
    confirmed: bool
    guessed: bool
    then: str = ""
    is_beside: bool = False


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


class RatingRow(msgspec.Struct, frozen=True):
    """A rating, and of how many games it is made."""

    name: str  # the player, or of one player the variant
    rating: int
    games: int


class Profile(Message, frozen=True):
    """What WHOIS shows of a player. `counts` of the last year, by `Conduct`; `percentage` of phases
    in time, None for whoever is new; not `is_public`: shown to the player alone, as `format` and
    `attachments`, their own settings, always are."""

    name: str
    language: str
    counts: Mapping[str, int]
    percentage: int | None
    is_public: bool
    ratings: tuple[RatingRow, ...] = ()  # by variant
    game: str = DEFAULT_GAME  # whose variants they are
    format: Format | None = None
    attachments: tuple[Attachment, ...] = ()


class RatingList(Message, frozen=True):
    """RATINGS: the best of a variant whose profiles are public; `own`: the reader's, by variant."""

    game: str
    variant: str
    best: tuple[RatingRow, ...]
    own: tuple[RatingRow, ...] = ()


class OwnData(Message, frozen=True):
    """Everything that is kept about a player, as a JSON text."""

    text: str


class JoinAsked(Message, frozen=True):
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


class ApprovalAsked(Message, frozen=True):
    """To the master of a game: may somebody join? `percentage` of their phases in time, None for
    whoever is new."""

    game: GameRef
    name: str
    percentage: int | None
    wish: SeatId | None = None


class Invited(Message, frozen=True):
    """To somebody whom a master invites: a YES joins, or the line with `word` from any address.
    `settings` hold no words of the master's; `is_stranger`: it is no player's address."""

    game: GameRef
    settings: GameSettings
    by: str
    word: str
    judge: str
    seat: SeatId | None = None
    is_stranger: bool = True


class InvitedRow(msgspec.Struct, frozen=True):
    """Somebody who is invited; `answer`: `waits`, `joined` or `declined`."""

    who: str
    answer: str
    seat: SeatId | None = None


class EntryLists(Message, frozen=True):
    """To a master: who is invited, who alone may join, and who may not."""

    game: GameRef
    invited: tuple[InvitedRow, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class ApprovalAnswer(Message, frozen=True):
    """To whoever wants to join: what the master has answered."""

    game: GameRef
    granted: bool


class Preferences(Message, frozen=True):
    """Seats that a player would rather have, the dearest first; alike ones together."""

    game: GameRef
    ties: tuple[tuple[SeatId, ...], ...]


class Chosen(Message, frozen=True):
    """JOIN ANY: the game that fits best, which the rest of the letter joins."""

    game: GameRef
    settings: GameSettings


class SettingFault(msgspec.Struct, frozen=True):
    """A setting of CREATE that could not be taken: `no_setting`, `bad_option`, `bad_duration`,
    `bad_schedule`, `no_variant`, `no_rules` or `no_option` (no such rule to choose); `known` are
    values that could be, and for `no_option` the rules of the nearest names. `contradiction`: of
    what it contradicts, `known` is how that is written. `two_readings`: `known` is both.
    `fixed_…`: it cannot change any more."""

    name: str
    written: str
    kind: str
    known: tuple[str, ...] = ()


class SettingsRefused(Message, frozen=True):
    """SET: settings that could not be taken; none of those that stood with them is changed."""

    game: GameRef
    faults: tuple[SettingFault, ...]


class Created(Message, frozen=True):
    """CREATE and OPEN: the game is open to JOIN, or a draft (`is_draft`), with `faults` always.
    `coming`: the first deadlines of its moves if it began now, where they go by the calendar.

    `password` signs the master on from anywhere: `SIGNON Mbalkan password`. Not `is_made`: the
    writer may not be who they seem, and the game is made by a YES. `judge`: our address.
    """

    game: GameRef
    settings: GameSettings
    seats: tuple[SeatId, ...]
    faults: tuple[SettingFault, ...] = ()
    password: str = ""
    coming: tuple[datetime, ...] = ()
    is_draft: bool = False
    is_made: bool = True
    judge: str = ""


class Mastered(Message, frozen=True):
    """The reader is a master of a game from now on; `password` as in `Created`. `act`: a master has
    shared the game or given it away; None: the keeper has."""

    game: GameRef
    password: str
    act: Act | None = None


class ActRow(msgspec.Struct, frozen=True):
    """An act of a master's in a list: in which phase, what, whom it concerned, why; `by`: of a game
    with several masters, to one of them."""

    label: str
    act: Act
    seats: tuple[SeatId, ...] = ()
    who: str = ""
    reason: str = ""
    text: str = ""
    by: str = ""


class Summary(Message, frozen=True):
    """A game so far.

    Attributes:
        percentages: of phases in time, by seat, of players who allow it to be shown.
        scores: the label of each phase before which the scores changed, and these.
        ending, winners: how it ended; empty while it goes on.
        acts: what its master's hand did, as far as anybody may know.
        view: of the game as it stands, where scores are told.
    """

    game: GameRef
    roster: tuple[RosterEntry, ...]
    percentages: Mapping[SeatId, int] = msgspec.field(default_factory=dict)
    scores: tuple[tuple[str, Mapping[SeatId, int]], ...] = ()
    ending: str = ""
    winners: tuple[SeatId, ...] = ()
    comment: str = ""
    acts: tuple[ActRow, ...] = ()
    asking: tuple[str, ...] = ()
    view: msgspec.Raw = NO_JSON
    masters: tuple[Person, ...] = ()


class Joined(Message, frozen=True):
    """The player is in: with a seat (a running game, or by choice), or waiting for the start.

    In a running game `view` and `due` are those of the seat, `record` is the game so far, and
    `advance` what became of lines that the player had sent for the seat as its standby.
    """

    game: GameRef
    seat: SeatId | None
    password: str
    missing_players: int
    view: msgspec.Raw = NO_JSON
    due: Due | None = None
    advance: AdvanceOpened | None = None
    record: Summary | None = None


class PhaseHistory(Message, frozen=True):
    """The phase of `game`, which ran `at` an instant, as everybody was told of it.

    The others are for a classic report: the phase's `serial` in the game (0: not wanted), the one
    that came next and its deadline, and the view that the game began with where this is its first.
    """

    game: GameRef
    reports: tuple[msgspec.Raw, ...]
    at: datetime
    serial: int = 0
    next: str = ""
    due: datetime | None = None
    start: msgspec.Raw = NO_JSON


class MapDrawn(Message, frozen=True):
    """A map: of the position that `view` shows everybody, or of the phase that the reports tell."""

    game: GameRef
    view: msgspec.Raw = NO_JSON
    reports: tuple[msgspec.Raw, ...] = ()


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
    language: str = ""
    has_deadlines: bool = True
    comment: str = ""
    needs_word: bool = False
    needs_approval: bool = False


class GameList(Message, frozen=True):
    """Games as their reader may see them; `is_for_keeper`: in the shell, naming no command.
    `judge`: our address; `is_some`: those that were asked for, not all."""

    games: tuple[GameRow, ...]
    now: datetime
    is_for_keeper: bool = False
    judge: str = ""
    is_some: bool = False


class GameStatus(Message, frozen=True):
    """LIST <game> and STATUS: everything a reader may see of one game.

    `order_set`, `orders_due` and `advance` (for later phases) are the reader's own, if they play;
    `view` is null before the start. `vacant`: the reader has lost the seat and may take it again;
    `wish`, `preferences`: what they wished for, before the start. `coming`: the deadlines of moves
    after this one, or before the start as in `Created`.

    `owing` (whose orders are not complete), `late` (from whom nothing had come at the deadline) and
    `waiters` (who asked to wait) are None for those who may not see it; `waiting` counts the
    waiters, for the master. `about` is the seat that was asked about.
    `held`: why the game is on hold; None: it is not.
    `absences`: when the reader is away, as announced, as far as it is not over.
    `asking`: who waits for the reader's leave to join. `holdups`: to its master.
    `masters`: who runs it; `asked_masters`: who was asked to, shown to a master.
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
    motions: tuple[Motion, ...] = ()
    advance: tuple[AdvanceOrders, ...] = ()
    owing: tuple[SeatId, ...] | None = None
    waiting: int = 0
    late: tuple[SeatId, ...] | None = None
    waiters: tuple[SeatId, ...] | None = None
    about: SeatId | None = None
    vacant: bool = False
    wish: SeatId | None = None
    preferences: tuple[tuple[SeatId, ...], ...] = ()
    coming: tuple[datetime, ...] = ()
    held: str | None = None
    absences: tuple[Absence, ...] = ()
    asking: tuple[str, ...] = ()
    holdups: tuple[Holdup, ...] = ()
    masters: tuple[Person, ...] = ()
    asked_masters: tuple[Person, ...] = ()


class Deed(StrEnum):
    """A flag that was set; each has its sentence."""

    LEFT = "left"  # a game that has not begun
    WISHED = "wished"  # for another seat, or for none
    WAIT = "wait"
    WAIT_SEEN = "wait_seen"  # as WAIT, where others may see it
    WAIT_UNDATED = "wait_undated"  # where no deadline ends it
    NO_WAIT = "no_wait"
    READY = "ready"
    READY_NO_SOONER = "ready_no_sooner"  # where a phase never runs by itself before its deadline
    NOT_READY = "not_ready"
    DEADLINE_SET = "deadline_set"
    DEADLINE_SAME = "deadline_same"  # it was that already
    BACK = "back"  # absences are taken back
    OBSERVES = "observes"
    SUBSCRIBED = "subscribed"  # to results
    UNSUBSCRIBED = "unsubscribed"
    LEAVING = "leaving"  # as soon as somebody takes the seat
    STAYING = "staying"
    STARTED = "started"  # a full game, at the master's word
    PROCESSED = "processed"  # the phase ran at the master's word
    NOTED = "noted"  # a master's own note
    NOT_HELD = "not_held"  # the game runs
    APPROVAL_ASKED = "approval_asked"  # of the master, by one who wants to join
    WITHDRAWN = "withdrawn"  # by them, before an answer
    APPROVED = "approved"
    NOT_APPROVED = "not_approved"
    INVITED = "invited"
    COMMENT_SET = "comment_set"
    COMMENT_CLEARED = "comment_cleared"
    REPORTED = "reported"  # press, to the master


class Done(Message, frozen=True):
    """A command that was carried out and needs one sentence."""

    game: GameRef
    deed: Deed
    due: Due | None = None


class Away(Message, frozen=True):
    """An absence as it is noted, to the player and the master: from an instant up to another, and
    how many days are left for others. `shifts`: deadlines wait; else a standby is asked."""

    game: GameRef
    seat: SeatId
    start: datetime
    end: datetime
    days_left: int
    shifts: bool
    due: Due


class ConfirmAsked(Message, frozen=True):
    """What is asked back, a reply of YES does it.

    Attributes:
        what: `resign`, `process`, `wish`, `deadline`, which is to be earlier, `rollback_keep`,
            `rollback_clear`, `rollforward`, `eject`, `dummy`, `swap`, `force_begin`, `unstart`,
            `edit`, `demote`.
        owing: seats whose orders are missing.
        due: until when, as it stands now.
        at: the deadline that is asked for, or that there would be.
        label: the phase that would be open.
        labels: phases that would count no more.
        reason: in the master's own words.
        seats, who: whom it would concern.
        lines: what would be changed, as it was written.
    """

    game: GameRef
    what: str
    owing: tuple[SeatId, ...] = ()
    waiting: int = 0  # seats that asked the phase to wait for its deadline
    due: Due | None = None
    at: datetime | None = None
    label: str = ""
    labels: tuple[str, ...] = ()
    reason: str = ""
    seats: tuple[SeatId, ...] = ()
    who: str = ""
    lines: tuple[str, ...] = ()


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


class HelpText(Message, frozen=True):
    """HELP: all commands, those of a topic, or one. `orders`: the examples of how to write orders
    stand in it."""

    commands: tuple[CommandHelp, ...]
    orders: bool


class GuideTopic(StrEnum):
    """Pages that GET sends."""

    RULES = "rules"
    SYNTAX = "syntax"
    VARIANT = "variant"
    HOUSE_RULES = "houserules"
    COMMANDS = "commands"


class Guide(Message, frozen=True):
    """A page to read. `variants`: the one that is shown, or all; `text`: what there is in English
    alone; `ref` and `settings` are those of a game whose house rules it shows; `view`: the position
    with which the variant begins."""

    topic: GuideTopic
    game: str
    variants: tuple[str, ...] = ()
    ref: GameRef | None = None
    settings: GameSettings | None = None
    text: str = ""
    view: msgspec.Raw = NO_JSON


class Version(Message, frozen=True):
    """Which judge this is; `changes`: what is new in it, in English."""

    version: str
    changes: str


class TriedOut(Message, frozen=True):
    """What orders would do that are stored nowhere: how many were taken, those that were not, and
    the rulebook's report. `untold`: how many more were not, of a writer who may be forged."""

    game: GameRef
    view: msgspec.Raw
    report: msgspec.Raw
    orders: int
    problems: tuple[Problem, ...] = ()
    untold: int = 0


class PositionUnclear(Message, frozen=True):
    """A position below WHAT IF with something in it that does not fit, so that nothing was tried.
    `lines`: the numbers of those lines, for a writer who may be forged; from 1."""

    game: GameRef
    view: msgspec.Raw
    problems: tuple[Problem, ...] = ()
    lines: tuple[int, ...] = ()


class Welcome(Message, frozen=True):
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


class NothingFound(Message, frozen=True):
    """A letter without an order or command, from a player; `games` are those it may be about, and
    `has_status`: how they stand follows in the same letter."""

    games: tuple[GameRef, ...]
    has_status: bool = False


class ReplyTo(StrEnum):
    """Who gets a reply to press."""

    WRITER = "writer"  # as the press names them, and of grey press whoever it was
    NOBODY = "nobody"  # the game has no such press of its reader
    JUDGE = "judge"  # fake press names its own reader as the writer


class PressReceived(Message, frozen=True):
    """Press as its readers see it. `sender` is a seat id, `MASTER`, `OBSERVERS`, or "" for grey
    press.

    Attributes:
        orders: the lines of its text that read as orders of somebody.
        phrase: the number of a phrase and what stands in it; then there is no text.
        is_postal: it was held for the results of this phase.
        at: when it was written, where it is shown again.
        reply_to: who gets a reply to this letter.
    """

    game: GameRef
    sender: str
    to: tuple[str, ...]
    broadcast: bool
    text: str
    orders: OrderSet = ()
    phrase: tuple[str, ...] = ()
    is_postal: bool = False
    at: datetime | None = None
    reply_to: ReplyTo = ReplyTo.WRITER


class PressSent(Message, frozen=True):
    """To the sender: who got it (empty: whoever wrote the grey press that it answers), the text as
    it went out (empty: QUIET), and whom it did not reach.

    Attributes:
        vacant, out, late: readers whom nobody plays, who are out of the game, or who are late.
        shown_as, shown_to: whom fake press names; empty: nobody else.
        is_held: it is published with the results.
    """

    game: GameRef
    to: tuple[str, ...]
    broadcast: bool
    grey: bool
    text: str
    vacant: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    shown_as: str = ""
    shown_to: tuple[str, ...] = ()
    is_held: bool = False
    phrase: tuple[str, ...] = ()


class PressUnclear(Message, frozen=True):
    """A reply to press in which orders for one's own units stand: nothing was sent or stored.

    `to`: who would get it; "" for whoever wrote grey press. `orders`: its lines that are orders.
    """

    game: GameRef
    to: str
    text: str
    orders: tuple[str, ...]


class BallotCast(Message, frozen=True):
    """To the voter: their vote as it stands (`motion.own`; None: taken back). `is_new`: they have
    proposed it, and the others are asked; `is_agreed`: theirs was the last yes that it needed."""

    game: GameRef
    motion: Motion
    is_new: bool = False
    is_agreed: bool = False


class Kept(Message, frozen=True):
    """A note, a statement or an archive number as it is kept now; `what` is a key of the sentences
    in `render/ends.py`."""

    game: GameRef
    what: str
    number: str = ""
    text: str = ""


class DiaryTold(Message, frozen=True):
    """The reader's own notes; `is_whole`: one of them, with its whole text."""

    game: GameRef
    notes: tuple[Written, ...]
    is_whole: bool = False


class OpenVotes(Message, frozen=True):
    """What is voted on, as far as the reader may see it; `has_asked`: VOTE must name one of them.
    `is_secret`: there may be votes that nobody is told of."""

    game: GameRef
    motions: tuple[Motion, ...]
    has_asked: bool = False
    is_secret: bool = False
