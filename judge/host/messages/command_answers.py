"""Answers to commands, press and votes among them."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

import msgspec

from judge.host.command import Stage, Topic, Who
from judge.host.messages.games import Summary
from judge.host.messages.order_answers import AdvanceOpened
from judge.host.messages.shared import Due, GameRef, Message, Motion, Written
from judge.rulebook import NO_JSON, Problem, SeatId
from judge.store import Act, GameSettings


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
    """To the master of a game: may somebody join?"""

    game: GameRef
    name: str
    percentage: int | None  # of their phases in time, None for whoever is new
    wish: SeatId | None = None


class Invited(Message, frozen=True):
    """To somebody whom a master invites: a YES joins, or the line with `word` from any address."""

    game: GameRef
    settings: GameSettings  # without words of the master's
    by: str
    word: str
    judge: str
    seat: SeatId | None = None
    is_stranger: bool = True  # it is no player's address


class InvitedRow(msgspec.Struct, frozen=True):
    """Somebody who is invited."""

    who: str
    answer: str  # `waits`, `joined` or `declined`
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
    """Seats that a player would like, best first; equal ones together."""

    game: GameRef
    ties: tuple[tuple[SeatId, ...], ...]


class Chosen(Message, frozen=True):
    """JOIN ANY: the game that fits best, which the rest of the letter joins."""

    game: GameRef
    settings: GameSettings


class SettingFault(msgspec.Struct, frozen=True):
    """A setting of CREATE that could not be taken."""

    name: str
    written: str
    # `no_setting`, `bad_option`, `bad_duration`, `bad_schedule`, `no_variant`, `no_rules`,
    # `no_option` (no such rule to choose), `contradiction`, `two_readings`, `past_start` (a date
    # that is over), or `fixed_…` (it cannot change any more).
    kind: str
    # Values that could be taken; for `no_option` the rules of the nearest names; for
    # `contradiction` what it contradicts, as written; for `two_readings` both.
    known: tuple[str, ...] = ()


class SettingsRefused(Message, frozen=True):
    """SET: settings that could not be taken; none of those that stood with them is changed.
    `is_agreed`: to all, of one that the players have agreed on, which fitted when it was proposed.
    """

    game: GameRef
    faults: tuple[SettingFault, ...]
    is_agreed: bool = False


class Created(Message, frozen=True):
    """CREATE and OPEN: the game is open to JOIN, or a draft (`is_draft`), with `faults` always."""

    game: GameRef
    settings: GameSettings
    seats: tuple[SeatId, ...]
    faults: tuple[SettingFault, ...] = ()
    password: str = ""  # signs the master on from anywhere: `SIGNON Mbalkan password`
    # The first deadlines of its moves if it began now, where they go by the calendar.
    coming: tuple[datetime, ...] = ()
    is_draft: bool = False
    is_made: bool = True  # False: the writer may not be who they seem; a YES makes the game
    judge: str = ""  # our address


class Mastered(Message, frozen=True):
    """The reader is a master of a game from now on; `password` as in `Created`."""

    game: GameRef
    password: str
    act: Act | None = None  # a master has shared the game or given it away; None: the keeper has


class Joined(Message, frozen=True):
    """The player is in: with a seat (a running game, or by choice), or waiting for the start."""

    game: GameRef
    seat: SeatId | None
    password: str
    missing_players: int
    # view, due: of the seat, in a running game.
    view: msgspec.Raw = NO_JSON
    due: Due | None = None
    # What became of lines that the player had sent for the seat as its standby.
    advance: AdvanceOpened | None = None
    record: Summary | None = None  # a running game so far
    not_before: datetime | None = None  # of a game that waits for its start
    may_choose: bool = False  # powers are not dealt by lot alone when it starts


class Deed(StrEnum):
    """A flag that was set; each has its sentence."""

    LEFT = "left"  # a game that has not begun
    WISHED = "wished"  # for another seat, or for none
    WAIT = "wait"
    WAIT_SEEN = "wait_seen"  # as WAIT, where others may see it
    WAIT_UNDATED = "wait_undated"  # where no deadline ends it
    NO_WAIT = "no_wait"
    NO_WAIT_NOW = "no_wait_now"  # by who asks every phase to wait
    WAIT_ALWAYS = "wait_always"
    NO_WAIT_ALWAYS = "no_wait_always"
    READY = "ready"
    READY_NO_SOONER = "ready_no_sooner"  # where a phase never runs by itself before its deadline
    READY_PASSED = "ready_passed"  # no deadline is ahead
    NOT_READY = "not_ready"
    DEADLINE_SET = "deadline_set"
    RESUMED = "resumed"
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
    """An absence as it is noted, to the player and the master: from an instant up to another."""

    game: GameRef
    seat: SeatId
    start: datetime
    end: datetime
    days_left: int  # for other absences
    shifts: bool  # deadlines wait; else a standby is asked
    due: Due
    is_masters: bool = False  # the master has noted it for the player
    is_undated: bool = False  # the phase has no deadline


class ConfirmAsked(Message, frozen=True):
    """A question back to the writer; a reply of YES does it."""

    game: GameRef
    # `resign`, `resign_practice`, `process`, `wish`, `deadline`, which is to be earlier,
    # `rollback_keep`, `rollback_clear` (and with `_undated`), `rollforward`, `eject`, `dummy`,
    # `swap`, `force_begin`, `unstart`, `edit`, `demote`.
    what: str
    owing: tuple[SeatId, ...] = ()  # seats whose orders are missing
    waiting: int = 0  # seats that asked the phase to wait for its deadline
    due: Due | None = None  # until when, as it stands now
    at: datetime | None = None  # the deadline that is asked for, or that there would be
    label: str = ""  # the phase that would be open
    labels: tuple[str, ...] = ()  # phases that would count no more
    reason: str = ""  # in the master's own words
    # seats, who: whom it would concern.
    seats: tuple[SeatId, ...] = ()
    who: str = ""
    lines: tuple[str, ...] = ()  # what would be changed, as it was written


class CommandHelp(msgspec.Struct, frozen=True):
    """One command, as HELP lists it; texts are message ids of the catalogue."""

    name: str
    usage: str
    summary: str
    local: Mapping[str, str] = msgspec.field(default_factory=dict)  # its name in other languages
    topic: Topic = Topic.ACCOUNT
    who: Who = Who.ANYBODY
    when: Stage = Stage.ALWAYS
    words: tuple[str, ...] = ()  # all its English spellings
    settings: tuple[str, ...] = ()  # names of lines that may follow it, where it is shown alone


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
    """A page to read."""

    topic: GuideTopic
    game: str
    variants: tuple[str, ...] = ()  # the one that is shown, or all
    # ref, settings: of the game whose house rules it shows.
    ref: GameRef | None = None
    settings: GameSettings | None = None
    view: msgspec.Raw = NO_JSON  # the position with which the variant begins


class Version(Message, frozen=True):
    """Which judge this is; `changes`: what is new in it, in English."""

    version: str
    changes: str


class TriedOut(Message, frozen=True):
    """What orders would do that are stored nowhere."""

    game: GameRef
    view: msgspec.Raw
    report: msgspec.Raw  # the rulebook's
    orders: int  # how many were taken
    problems: tuple[Problem, ...] = ()  # those that were not taken
    untold: int = 0  # how many more were not, of a writer who may be forged


class PositionUnclear(Message, frozen=True):
    """A position below WHAT IF in which something does not fit, so that nothing was tried."""

    game: GameRef
    view: msgspec.Raw
    problems: tuple[Problem, ...] = ()
    lines: tuple[int, ...] = ()  # their numbers from 1, for a writer who may be forged


class NothingFound(Message, frozen=True):
    """A letter without an order or command, from a player."""

    games: tuple[GameRef, ...]  # that it may be about
    has_status: bool = False  # how they stand follows in the same letter
    is_master: bool = False  # it held lines that are no orders, as the writer runs the game


class BallotCast(Message, frozen=True):
    """To the voter: their vote as it stands (`motion.own`; None: taken back)."""

    game: GameRef
    motion: Motion
    is_new: bool = False  # they have proposed it, and the others are asked
    is_agreed: bool = False  # theirs was the last yes that it needed
    is_quiet: bool = False  # it is a yes to an end that nobody is asked about


class Kept(Message, frozen=True):
    """A note, a statement or an archive number as it is kept now."""

    game: GameRef
    what: str  # a key of the sentences in `render/ends.py`
    number: str = ""
    text: str = ""


class DiaryTold(Message, frozen=True):
    """The reader's own notes."""

    game: GameRef
    notes: tuple[Written, ...]
    is_whole: bool = False  # one of them, with its whole text


class OpenVotes(Message, frozen=True):
    """What is voted on, as far as the reader may see it."""

    game: GameRef
    motions: tuple[Motion, ...]
    has_asked: bool = False  # VOTE must name one of them
    is_secret: bool = False  # there may be votes that nobody is told of
    may_pause: bool = True  # the reader may propose a pause
