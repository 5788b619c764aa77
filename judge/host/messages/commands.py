"""Answers to commands."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

import msgspec

from judge.host.messages.references import Due, GameRef, RosterEntry
from judge.rulebook import AdvanceOrders, OrderSet, SeatId
from judge.store import GameSettings, Press


class Registered(msgspec.Struct, frozen=True, tag=True):
    """A player's own data as the judge holds it. `guessed`: taken from the letter's headers."""

    name: str
    address: str
    language: str
    zone: str
    confirmed: bool
    guessed: bool


class JoinAsked(msgspec.Struct, frozen=True, tag=True):
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


class Joined(msgspec.Struct, frozen=True, tag=True):
    """He is in: with a seat (a running game, or he chose one), or waiting for the start."""

    game: GameRef
    seat: SeatId | None
    password: str
    missing_players: int


class SettingFault(msgspec.Struct, frozen=True, tag=True):
    """A setting of CREATE that could not be taken: `no_setting`, `bad_option`, `bad_duration`,
    `no_variant`, `no_rules` or `no_option` (no such rule to choose); `known` are values that could
    be, and for `no_option` the rules of the nearest names."""

    name: str
    written: str
    kind: str
    known: tuple[str, ...] = ()


class Created(msgspec.Struct, frozen=True, tag=True):
    """CREATE: the game is open to JOIN, or kept as a draft because of `faults`.

    `password` signs the master on from anywhere: `SIGNON Mbalkan password`.
    """

    game: GameRef
    settings: GameSettings
    seats: tuple[SeatId, ...]
    faults: tuple[SettingFault, ...] = ()
    password: str = ""


class GameRow(msgspec.Struct, frozen=True, tag=True):
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
    games: tuple[GameRow, ...]
    now: datetime


class GameStatus(msgspec.Struct, frozen=True, tag=True):
    """LIST <game> and STATUS: everything a reader may see of one game.

    `order_set`, `orders_due` and `advance` (for later phases) are the reader's own, for a player;
    `view` is null before the start.
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


class Deed(StrEnum):
    """A flag that was set; each has its sentence."""

    WAIT = "wait"
    NO_WAIT = "no_wait"
    READY = "ready"
    NOT_READY = "not_ready"
    DEADLINE_SET = "deadline_set"
    PROCESSED = "processed"  # the phase ran at the master's word


class Done(msgspec.Struct, frozen=True, tag=True):
    """A command that was carried out and needs one sentence."""

    game: GameRef
    deed: Deed
    due: Due | None = None


class ConfirmAsked(msgspec.Struct, frozen=True, tag=True):
    """RESIGN and PROCESS are asked back, a reply of YES does it; so is CREATE by the unproven."""

    game: GameRef
    what: str  # "resign", "process", "create"
    owing: tuple[SeatId, ...] = ()


class CommandHelp(msgspec.Struct, frozen=True, tag=True):
    """One command, as HELP lists it; texts are message ids of the catalogue, `local` is what it is
    called in other languages."""

    name: str
    usage: str
    summary: str
    local: Mapping[str, str] = msgspec.field(default_factory=dict)


class HelpText(msgspec.Struct, frozen=True, tag=True):
    """HELP: all commands, or one. `orders`: the examples of how to write orders stand in it."""

    commands: tuple[CommandHelp, ...]
    orders: bool


class Welcome(msgspec.Struct, frozen=True, tag=True):
    """To somebody whom the judge does not know and whose letter held no command."""

    games: tuple[GameRow, ...]
    now: datetime


class NothingFound(msgspec.Struct, frozen=True, tag=True):
    """A letter without an order or command, from a player; `games` are those he sits in."""

    games: tuple[GameRef, ...]
