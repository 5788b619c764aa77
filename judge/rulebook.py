"""The seam: what a game must offer to be hosted. Plain values and Protocols, nothing else.

The bottom of the house: imports nothing of ours, and only the registry at its end names a game.
States and reports are JSON objects that carry a format number; the host keeps and passes them on
without looking inside.
"""

import hashlib
import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType, Protocol, TypeVar, cast

JsonValue = None | bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
JsonObject = Mapping[str, JsonValue]

SeatId = NewType("SeatId", str)
State = JsonObject

T = TypeVar("T")

GAMES = {"diplomacy": ("judge.diplomacy.game", "judge.render.diplomacy")}


class Stream:
    """All chance of a game: random numbers from its secret seed and a phase's serial.

    Made anew for each call, so that a preview, a retry and a replay draw alike and a preview uses
    nothing up. Our own SHA-256 counter stream, because the standard library does not promise its
    shuffle to be equal across versions.
    """

    def __init__(self, seed: bytes, serial: int) -> None:
        self._key = hashlib.sha256(seed + serial.to_bytes(8, "big")).digest()
        self._block = 0

    def _next(self) -> int:
        block = hashlib.sha256(self._key + self._block.to_bytes(8, "big")).digest()
        self._block += 1
        return int.from_bytes(block[:8], "big")

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each equally likely."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            drawn = self._next()
            if drawn < limit:
                return drawn % bound

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order, each order equally likely (Fisher-Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            drawn = self.below(last + 1)
            deck[last], deck[drawn] = deck[drawn], deck[last]
        return tuple(deck)


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table. `names` are all its names that players write, in any language."""

    id: SeatId
    letter: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phase:
    """What the game waits for. `label` (`S1901M`) and `kind` are opaque to the host.

    `serial` counts phases from 1 and never repeats within a game's history. Sending nothing in a
    `main` phase is an absence (NMR); in the others it is not.
    """

    label: str
    kind: str
    serial: int
    main: bool = False


class Until(StrEnum):
    """How long the game waits for a seat."""

    DEADLINE = "deadline"
    REACTION = "reaction"


@dataclass(frozen=True, slots=True)
class Awaited:
    """A seat that has something to send; `due` counts the lines that make its sheet complete."""

    seat: SeatId
    due: int
    until: Until = Until.DEADLINE
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One stored line of a seat's sheet.

    Attributes:
        key: what it is for (a unit's province, `B PAR` for a build, `WAIVE 1`); a later line with
            the same key replaces an earlier one.
        text: the line in canonical notation; reads to the same meaning when read again.
        written: the line as the player wrote it.
        kept: True where it stood in the sheet before this letter.
    """

    key: str
    text: str
    written: str = ""
    kept: bool = False


OrderSet = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class AdvanceOrders:
    """A seat's lines for a phase that has not opened yet."""

    label: str
    order_set: OrderSet


class When(StrEnum):
    """Where a phase that somebody names stands to the running one."""

    PAST = "past"  # it has run, or will never come
    NOW = "now"
    LATER = "later"  # lines may be stored for it
    FAR = "far"  # later than lines can be stored for
    UNKNOWN = "unknown"  # meant as the name of a phase, but no phase is called so


@dataclass(frozen=True, slots=True)
class NamedPhase:
    """The phase that a line names; without a label where no phase is called so.

    Attributes:
        nearest: labels that may have been meant.
        is_relative: named from the running phase on (`Fall`, `next turn`): in a reply to a letter
            of another phase it may mean something else.
    """

    when: When
    label: str = ""
    nearest: tuple[str, ...] = ()
    is_relative: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Something to tell of a line that was taken; `kind` and `values` are the renderer's."""

    kind: str
    values: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Understood:
    """A line that was read and may be done.

    Attributes:
        line_number: of the given lines, from 0.
        label: the later phase that it is for; empty for the phase that the lines were read for.
    """

    line_number: int
    line: Line
    notes: tuple[Note, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that was meant as an order and cannot be stored.

    Attributes:
        written: the line as written (one order of it, if the line held several).
        start, end: columns of the smallest wrong part of `written`, from 0, end exclusive.
        kind, values: what is wrong, for the renderer.
        proposals: readings that could be stored; a reply of YES takes it if there is exactly one.
        key: what it was for, if that can be told: the unit it leaves without an order.
    """

    line_number: int
    written: str
    start: int
    end: int
    kind: str
    values: JsonObject = field(default_factory=dict)
    proposals: tuple[Line, ...] = ()
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """A line that is no order."""

    line_number: int
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a letter's lines say, in the order of the letter."""

    understood: tuple[Understood, ...] = ()
    problems: tuple[Problem, ...] = ()
    chat: tuple[Chat, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What happened in a phase: a part for everybody and a part for each seat."""

    public: JsonObject
    seats: Mapping[SeatId, JsonObject] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resolution:
    """The next state and one report for each phase that ran: the first was awaited, the others had
    nothing for anybody to choose."""

    state: State
    reports: tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """How the game stands as a contest.

    Attributes:
        over: the game has ended by its own rules.
        winners: who has won, or shares the draw; empty while it is open.
        is_draw: it is over and nobody has won.
        survivors: seats still in play, which a draw would be shared by.
        scores: the figure that listings show beside a seat (supply centers).
    """

    over: bool
    winners: tuple[SeatId, ...]
    survivors: tuple[SeatId, ...]
    scores: Mapping[SeatId, int]
    is_draw: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be chosen for a game by itself: a rule, on top of a preset (`4.A.2`), or
    what a variant leaves open (`railway`).

    Attributes:
        values: all it takes; of a count the form of those, as `1 - 58`.
    """

    key: str
    values: tuple[str, ...]
    is_count: bool = False


class Refused(Exception):
    """A choice the game cannot take: an unknown variant, preset, option or change of state.

    Attributes:
        kind: what is wrong, for the renderer: `no_variant`, `no_rules`, `no_option`, ...
        values: what was written (`written`) and what exists (`known`).
    """

    def __init__(self, kind: str, **values: JsonValue) -> None:
        super().__init__(f"{kind}: {values}")
        self.kind = kind
        self.values: JsonObject = values


class Rulebook(Protocol):
    """A game that can be hosted. Every method is a pure function of its arguments."""

    def variants(self) -> tuple[str, ...]:
        """Names of the variants that can be played, the usual one first."""
        ...

    def rule_names(self) -> tuple[str, ...]:
        """Names of the rule presets that can be chosen, the default first."""
        ...

    def rule_options(self) -> tuple[Option, ...]:
        """The rules that can be chosen one by one, in order; empty if only presets can be."""
        ...

    def variant_options(self, variant: str) -> tuple[Option, ...]:
        """What a variant leaves to choose, in order. Raises Refused: no such variant."""
        ...

    def option_value(self, variant: str, key: str, written: str) -> str:
        """A value of a variant's option as it is kept. Raises Refused: there is no such."""
        ...

    def seats(self, variant: str, options: JsonObject) -> tuple[Seat, ...]:
        """The seats of a variant, in their fixed order.

        Raises:
            Refused: no such variant, rules or option. `options` may hold `rules`: the name of a
                preset, or `{"preset": name, key: value}` with single choices on top of it; its
                other keys are options of the variant.
        """
        ...

    def start(self, variant: str, options: JsonObject) -> State:
        """The state before the first phase. Raises Refused as `seats` does."""
        ...

    def phase(self, state: State) -> Phase:
        """The phase that the state waits in."""
        ...

    def awaited(self, state: State) -> tuple[Awaited, ...]:
        """The seats that have something to send now, in order; empty when the game is over."""
        ...

    def read(
        self, state: State, seat: SeatId, lines: Sequence[str], order_set: OrderSet = ()
    ) -> Reading:
        """Read a letter's lines as a seat's orders. Never raises for what a person can write.

        `order_set` is what is stored for the seat already; notes are about both together. A line
        that outlives the phase says by its label for which it is to be stored.
        """
        ...

    def merge(
        self, state: State, seat: SeatId, order_set: OrderSet, lines: Sequence[Line]
    ) -> OrderSet:
        """The seat's sheet with a letter's understood lines.

        A line takes the place of the one of its key; earlier ones that are more than is due make
        room for new ones, oldest first. Those that stood there before are marked kept.
        """
        ...

    def coming(self, state: State) -> tuple[str, ...]:
        """Labels of the running phase and of the later ones that lines can be stored for, in
        order, skipped or not; the running one alone in a game that knows no orders ahead."""
        ...

    def phase_named(
        self, state: State, written: str, *, is_sought: bool = False
    ) -> NamedPhase | None:
        """The phase that a whole line names, in any language; None if it names none.

        With `is_sought` the text stood where only a phase can stand: never None.
        """
        ...

    def read_advance(
        self, state: State, seat: SeatId, label: str, lines: Sequence[str], order_set: OrderSet = ()
    ) -> Reading:
        """Read lines for a later phase, as far as they can be checked without its position.

        `label` is one of `coming`; `order_set` is what is stored for it already.
        """
        ...

    def open_advance(self, state: State, seat: SeatId, order_set: OrderSet) -> Reading:
        """What becomes of lines that were stored for the phase that the state waits in now.

        Understood ones make the seat's sheet; problems are lines that do not fit the position.
        Lines that are not needed, as a wish beyond what is due, stand in neither.
        """
        ...

    def resolve(
        self,
        state: State,
        order_sets: Mapping[SeatId, OrderSet],
        missing: frozenset[SeatId],
        rng: Stream,
    ) -> Resolution:
        """Run to the next point where anybody is awaited.

        `missing` seats are in civil disorder: their sheets are ignored. Lines that do not read are
        ignored too (they were checked when they were stored).
        """
        ...

    def edit(self, state: State, change: JsonObject) -> State:
        """The state after a master's hand. Raises Refused."""
        ...

    def view(self, state: State, seat: SeatId | None) -> JsonObject:
        """What that seat (or, with None, everybody) may see of the state, for the renderer."""
        ...

    def result(self, state: State) -> Result:
        """How the game stands."""
        ...


class Translator(Protocol):
    """The catalogue of one language, as a renderer needs it."""

    @property
    def language(self) -> str: ...

    def gettext(self, message: str) -> str: ...

    def ngettext(self, singular: str, plural: str, n: int) -> str: ...


@dataclass(frozen=True, slots=True)
class Row:
    """A line that works when it is sent back unchanged, and what it says in words; without a line,
    what heads the rows below it."""

    text: str
    meaning: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class ProblemWords:
    """A problem as the player reads it: the line, the marked part, what is wrong, what to send."""

    written: str
    start: int
    end: int
    sentence: str
    send: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """What a seat is asked for: `rows` are lines to send, `default` says what happens without."""

    sentence: str
    rows: tuple[Row, ...]
    default: str


@dataclass(frozen=True, slots=True)
class ResultWords:
    """A phase's results as one seat reads them.

    Attributes:
        headline: the verdict, under 60 characters, which makes sense alone.
        subject: public; for the subject line, as `results: A BUR dislodged`.
        lead: sentences directly below the headline (who attacked, with whose help).
        own: the seat's orders, each with `succeeded` or why it failed.
        own_count: `Your 5 orders: 3 succeeded, 2 failed.`, empty if there were none.
        table: everyone's orders, wrapped for 78 columns.
        after: lines after the table: closed to retreats, centers, ownership.
    """

    headline: str
    subject: str
    lead: tuple[str, ...]
    own: tuple[Row, ...]
    own_count: str
    table: str
    after: tuple[str, ...]


class Renderer(Protocol):
    """The words of a game. Pure; every text comes out of the given catalogue."""

    def seat_name(self, seat: SeatId, words: Translator) -> str:
        """`France`, or `Austria and France`."""
        ...

    def seat_brief(self, seat: SeatId, words: Translator) -> str:
        """Its name within a list of seats: `Austria/France`."""
        ...

    def seat_size(self, seat: SeatId) -> int:
        """How many its name names, for the grammar of a sentence: 2 for `Austria and France`."""
        ...

    def variant_name(self, variant: str, words: Translator) -> str:
        """`Chaos`; the name itself where there is no such variant any more."""
        ...

    def phase_name(self, label: str, words: Translator) -> str:
        """`Spring 1901 movement`."""
        ...

    def rows(self, view: JsonObject, lines: Sequence[Line], words: Translator) -> tuple[Row, ...]:
        """Stored lines in notation and in words."""
        ...

    def about_advance(self, label: str, words: Translator) -> str:
        """What becomes of lines that are stored for a later phase, if that is not just that they
        are carried out then; empty if there is nothing to say."""
        ...

    def note(self, view: JsonObject, note: Note, words: Translator) -> str:
        """The sentence of a note."""
        ...

    def problem(self, view: JsonObject, problem: Problem, words: Translator) -> ProblemWords:
        """A problem in words."""
        ...

    def without(
        self, view: JsonObject, seat: SeatId, order_set: OrderSet, words: Translator
    ) -> str:
        """What happens if the seat sends nothing more: `A BUR - BEL runs, F MAO and A MAR hold.`"""
        ...

    def task(self, view: JsonObject, seat: SeatId, words: Translator) -> Task | None:
        """What the seat has to send in this phase; None if nothing."""
        ...

    def results(
        self, report: JsonObject, own: JsonObject, seat: SeatId | None, words: Translator
    ) -> ResultWords:
        """A report's public part and the seat's own part; `seat` None for masters and observers."""
        ...

    def position(self, view: JsonObject, words: Translator) -> str:
        """Everyone's units and centers, wrapped for 78 columns."""
        ...

    def remarks(self, view: JsonObject, words: Translator) -> tuple[str, ...]:
        """What a reader must know of how this game is played beside its settings, a paragraph each;
        empty where it is played as usual."""
        ...

    def refusal(self, refused: Refused, words: Translator) -> str:
        """What a `Refused` says, and what to write instead."""
        ...


def load_game(name: str) -> Rulebook:
    """The game of that name.

    Raises:
        KeyError: no game of that name can be hosted (a bug, or a database of a newer judge).
    """
    return cast(Rulebook, importlib.import_module(GAMES[name][0]).RULEBOOK)


def load_renderer(name: str) -> Renderer:
    """The words of the game of that name. Raises KeyError as `load_game` does."""
    return cast(Renderer, importlib.import_module(GAMES[name][1]).RENDERER)
