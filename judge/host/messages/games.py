"""Games as lists, STATUS and SUMMARY show them, and the history of one."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from judge.host.messages.shared import Due, GameRef, Holdup, Message, Motion, Person, RosterEntry
from judge.rulebook import DEFAULT_GAME, NO_JSON, AdvanceOrders, OrderSet, SeatId
from judge.store import Absence, Act, GameSettings, Press


class ActRow(msgspec.Struct, frozen=True):
    """An act of a master's in a list: in which phase, what, whom it concerned, why."""

    label: str
    act: Act
    seats: tuple[SeatId, ...] = ()
    who: str = ""
    reason: str = ""
    text: str = ""
    by: str = ""  # in a game with several masters, told to one of them


class Summary(Message, frozen=True):
    """A game so far."""

    game: GameRef
    roster: tuple[RosterEntry, ...]
    # Of phases in time, by seat, of players who allow it to be shown.
    percentages: Mapping[SeatId, int] = msgspec.field(default_factory=dict)
    # The label of each phase before which the scores changed, and these.
    scores: tuple[tuple[str, Mapping[SeatId, int]], ...] = ()
    # ending, winners: how it ended; empty while it goes on.
    ending: str = ""
    winners: tuple[SeatId, ...] = ()
    comment: str = ""
    acts: tuple[ActRow, ...] = ()  # what its master's hand did, as far as anybody may know
    asking: tuple[str, ...] = ()
    view: msgspec.Raw = NO_JSON  # of the game as it stands, where scores are told
    masters: tuple[Person, ...] = ()


class PhaseHistory(Message, frozen=True):
    """The phase of `game`, which ran `at` an instant, as everybody was told of it."""

    game: GameRef
    reports: tuple[msgspec.Raw, ...]
    at: datetime
    # For a classic report:
    serial: int = 0  # of the phase in the game; 0: no classic report is wanted
    next: str = ""  # the phase that came next
    due: datetime | None = None  # its deadline
    start: msgspec.Raw = NO_JSON  # the view that the game began with where this is its first phase


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
    is_blind: bool = False
    not_before: datetime | None = None


class GameList(Message, frozen=True):
    """Games as their reader may see them."""

    games: tuple[GameRow, ...]
    now: datetime
    is_for_keeper: bool = False  # in the shell, naming no command
    judge: str = ""  # our address
    is_some: bool = False  # those that were asked for, not all


class GameStatus(Message, frozen=True):
    """LIST <game> and STATUS: everything a reader may see of one game.

    `order_set`, `orders_due` and `advance` (for later phases) are the reader's own, if they play;
    `owing`, `late` and `waiters` are None for those who may not see it.
    """

    game: GameRef
    settings: GameSettings
    status: str
    roster: tuple[RosterEntry, ...]
    view: msgspec.Raw  # null before the start
    due: Due | None
    missing_players: int
    order_set: OrderSet | None = None
    orders_due: int = 0
    ready: bool = False
    wait: bool = False
    motions: tuple[Motion, ...] = ()
    advance: tuple[AdvanceOrders, ...] = ()
    owing: tuple[SeatId, ...] | None = None  # whose orders are not complete
    waiting: int = 0  # how many asked to wait, for the master
    late: tuple[SeatId, ...] | None = None  # from whom nothing had come at the deadline
    waiters: tuple[SeatId, ...] | None = None  # who asked to wait
    about: SeatId | None = None  # the seat that was asked about
    vacant: bool = False  # the reader has lost the seat and may take it again
    # wish, preferences: what the reader wished for, before the start.
    wish: SeatId | None = None
    preferences: tuple[tuple[SeatId, ...], ...] = ()
    # The deadlines of moves after this one, or before the start as in `Created`.
    coming: tuple[datetime, ...] = ()
    held: str | None = None  # why the game is on hold; None: it is not
    absences: tuple[Absence, ...] = ()  # when the reader will be away, as announced
    asking: tuple[str, ...] = ()  # who waits for the reader's leave to join
    holdups: tuple[Holdup, ...] = ()  # to its master
    masters: tuple[Person, ...] = ()  # who runs it
    asked_masters: tuple[Person, ...] = ()  # who was asked to, shown to a master
    judge: str = ""  # our address, for a reader who may join by a line


class Welcome(Message, frozen=True):
    """To somebody whom the judge does not know and whose letter asked for nothing else."""

    games: tuple[GameRow, ...]  # those that want players
    now: datetime
    joins: str = ""  # the game that a YES joins; empty: YES begins a practice game
    # name, zone: as a YES would register them.
    name: str = ""
    zone: str = ""
    game: str = DEFAULT_GAME  # whose introduction it holds
