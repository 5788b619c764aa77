"""Games as lists, STATUS and SUMMARY show them, and the history of one."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from judge.host.messages.shared import Due, GameRef, Holdup, Message, Motion, Person, RosterEntry
from judge.rulebook import DEFAULT_GAME, NO_JSON, AdvanceOrders, OrderSet, SeatId
from judge.store import Absence, Act, GameSettings, Press


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
    is_blind: bool = False
    not_before: datetime | None = None


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
    `masters`: who runs it; `asked_masters`: who was asked to, shown to a master. `judge`: our
    address, for a reader who may join by a line.
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
    judge: str = ""


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
