"""Answers to commands."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from judge.host.messages.references import Due, GameRef, RosterEntry
from judge.rulebook import AdvanceOrders, JsonObject, OrderSet, SeatId
from judge.store import GameSettings, Press


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
    seats: tuple[SeatId, ...]
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

    `order_set`, `orders_due` and `advance` (for later phases) are the reader's own, for a player.
    """

    game: GameRef
    settings: GameSettings
    status: str
    roster: tuple[RosterEntry, ...]
    view: JsonObject | None
    due: Due | None
    missing_players: int
    order_set: OrderSet | None = None
    orders_due: int = 0
    ready: bool = False
    wait: bool = False
    draw: bool = False
    concedes: SeatId | None = None
    advance: tuple[AdvanceOrders, ...] = ()


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
    """One command, as HELP lists it; texts are message ids of the catalogue, `local` is what it is
    called in other languages."""

    name: str
    usage: str
    summary: str
    local: JsonObject = field(default_factory=dict)


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
