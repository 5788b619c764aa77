"""The seam: what a game must offer to be hosted. Plain values and Protocols, nothing else.

Imports nothing of ours but the values that letters show (`blocks.py`); only the registry at its end
names a game. What a game alone understands (states, views, reports, values of notes) crosses the
seam as JSON bytes with a format number; the host keeps these and passes them on without looking
inside.
"""

import hashlib
import importlib
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from typing import NewType, Protocol, TypeVar, cast

import msgspec

from judge.blocks import Action, Block, Row

SeatId = NewType("SeatId", str)
State = NewType("State", bytes)  # JSON of a game's state, with a format number

# Small values beside a sentence's kind, for refusals and payloads.
Value = str | int | bool | None | Sequence[str]
Values = Mapping[str, Value]
# A game's choices as its rulebook reads them: `rules` may hold single rules beside a preset, and
# `blind` is `yes` where each seat sees only a part of the board.
Options = Mapping[str, str | Mapping[str, str]]

T = TypeVar("T")

# Each hosted game: the module that has its RULEBOOK, the one that has its RENDERER.
GAMES = {"diplomacy": ("judge.diplomacy.rulebook", "judge.render.diplomacy")}
DEFAULT_GAME = next(iter(GAMES))  # what CREATE makes when it names no other

NO_JSON = msgspec.Raw(b"null")


class RandomStream:
    """All chance of a game: random numbers from its secret seed and a phase's serial.

    Made anew for each call, so that a preview, a retry and a replay draw alike and a preview uses
    nothing up. Our own SHA-256 counter stream, because the standard library does not promise its
    shuffle to be equal across versions.
    """

    def __init__(self, seed: bytes, serial: int) -> None:
        self._key = hashlib.sha256(seed + serial.to_bytes(8, "big")).digest()
        self._block = 0

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each equally likely."""
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            block = hashlib.sha256(self._key + self._block.to_bytes(8, "big")).digest()
            self._block += 1
            drawn = int.from_bytes(block[:8], "big")
            if drawn < limit:
                return drawn % bound

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a random order, each order equally likely (Fisher-Yates)."""
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            drawn = self.below(last + 1)
            deck[last], deck[drawn] = deck[drawn], deck[last]
        return tuple(deck)


# --- what a rulebook declares ---------------------------------------------------------------------


class Seat(msgspec.Struct, frozen=True):
    """A place in a game. `names` are all its names that players write, in any language."""

    id: SeatId
    letter: str
    names: tuple[str, ...]


class Silence(StrEnum):
    """What it means when a seat sends nothing in a phase."""

    ABSENCE = "absence"  # a missed phase (NMR): counted, and the seat is in civil disorder
    NORMAL = "normal"  # nothing is counted; the rules say what happens without orders
    WAIT = "wait"  # the phase does not run before everybody has sent something


class PhaseKind(msgspec.Struct, frozen=True):
    """A kind of phase and how long players usually have for it."""

    name: str  # as in `Phase.kind`, and the name of the setting for its length
    length: timedelta  # the usual length
    aliases: tuple[str, ...] = ()  # other names of that setting, as masters write it


class Sharing(StrEnum):
    """Who has the result of an agreed end."""

    ALL = "all"  # all seats in play
    ONE = "one"  # the seat that the vote names; all others agree to it
    SOME = "some"  # the seats that the vote names


class Vote(msgspec.Struct, frozen=True):
    """An end that the seats in play may agree on."""

    name: str  # as `draw`
    setting: str  # the setting that allows it, as `draws`
    sharing: Sharing = Sharing.ALL
    ending: str = ""  # the `Result.ending` of a game that ended by it, if not its name
    # The value of the setting that allows it beside those that a yes allows; empty: yes does.
    value: str = ""


class Option(msgspec.Struct, frozen=True):
    """Something that can be chosen for a game by itself: a rule, on top of a preset (`4.A.2`), or
    what a variant leaves open (`railway`)."""

    key: str
    values: tuple[str, ...]  # all it takes; for a count the range, as `1 - 58`
    is_count: bool = False


class Refused(Exception):
    """A choice the game cannot take: an unknown variant, preset, option or change of state.

    Attributes:
        kind: what is wrong, for the renderer: `no_variant`, `no_rules`, `no_option`, ...
        values: what was written (`written`) and what exists (`known`).
    """

    def __init__(self, kind: str, **values: Value) -> None:
        super().__init__(f"{kind}: {values}")
        self.kind = kind
        self.values: Values = values


# --- phases and orders ----------------------------------------------------------------------------


class Phase(msgspec.Struct, frozen=True):
    """What the game waits for. `label` (`S1901M`) and `kind` are opaque to the host.

    `serial` counts phases from 1 and never repeats within a game's history.
    """

    label: str
    kind: str
    serial: int
    silence: Silence = Silence.NORMAL


class Awaited(msgspec.Struct, frozen=True):
    """A seat that has something to send; `due` counts the lines that make its orders complete."""

    seat: SeatId
    due: int


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One stored line of a seat's orders."""

    # What it is for (a unit's province, `B PAR` for a build, `WAIVE 1`); a later line with the same
    # key replaces an earlier one.
    key: str
    text: str  # the line in canonical notation; reads to the same meaning when read again
    written: str = ""  # the line as the player wrote it
    kept: bool = False  # True where it was stored before this letter


OrderSet = tuple[Line, ...]


class AdvanceOrders(msgspec.Struct, frozen=True):
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


class NamedPhase(msgspec.Struct, frozen=True):
    """The phase that a line names; without a label where no phase is called so."""

    when: When
    label: str = ""
    nearest: tuple[str, ...] = ()  # labels that may have been meant
    # Named from the running phase on (`Fall`, `next turn`): in a reply to a letter of another phase
    # it may mean something else.
    is_relative: bool = False


class Note(msgspec.Struct, frozen=True):
    """Something to tell about a line that was taken; `kind` and `values` are the renderer's."""

    kind: str
    values: msgspec.Raw = NO_JSON


class Understood(msgspec.Struct, frozen=True):
    """A line that was read and may be done."""

    line_number: int  # of the given lines, from 0
    line: Line
    notes: tuple[Note, ...] = ()
    # The later phase that it is for; empty for the phase that the lines were read for.
    label: str = ""


class Problem(msgspec.Struct, frozen=True):
    """A line that was meant as an order and cannot be stored."""

    line_number: int
    written: str  # the line as written (one order of it, if the line held several)
    # start, end: columns of the smallest wrong part of `written`, from 0, end exclusive.
    start: int
    end: int
    # kind, values: what is wrong, for the renderer.
    kind: str
    values: msgspec.Raw = NO_JSON
    # Readings that could be stored; a reply of YES takes it if there is exactly one.
    proposals: tuple[Line, ...] = ()
    # What it was for, if that can be told: the unit it leaves without an order.
    key: str | None = None
    # The later phase that it is for; empty for the running one.
    label: str = ""


class Prose(msgspec.Struct, frozen=True):
    """A line that is no order."""

    line_number: int
    text: str


class Reading(msgspec.Struct, frozen=True):
    """What a letter's lines say, in the order of the letter."""

    understood: tuple[Understood, ...] = ()
    problems: tuple[Problem, ...] = ()
    prose: tuple[Prose, ...] = ()


# --- results --------------------------------------------------------------------------------------


class Report(msgspec.Struct, frozen=True):
    """What happened in a phase: a part for everybody and a part for each seat, as the game's own
    JSON."""

    public: msgspec.Raw
    seats: Mapping[SeatId, msgspec.Raw] = msgspec.field(default_factory=dict)


class Arrangement(msgspec.Struct, frozen=True):
    """A game in a position that lines describe, and the lines that say nothing of it. `problems`:
    what does not fit; then the game is good for nothing."""

    game: "Game"
    others: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


class Resolution(msgspec.Struct, frozen=True):
    """The game after a phase, opened, and one report for each phase that ran: the first was
    awaited, the others had nothing for anybody to choose."""

    game: "Game"
    reports: tuple[Report, ...]


class Result(msgspec.Struct, frozen=True):
    """How the game stands as a contest."""

    ending: str  # how it ended by its own rules (`solo`, `draw`); empty while it goes on
    winners: tuple[SeatId, ...]  # who has won, or shares the draw; empty while it is open
    # Seats still in play, which agree on an end and would share a draw.
    survivors: tuple[SeatId, ...]
    scores: Mapping[SeatId, int]  # the figure that listings show beside a seat (supply centers)
    is_victory: bool = False  # the winners have won by the rules, together if there are several


class Game(Protocol):
    """A game's state, opened. It never changes; what changes it returns another one."""

    @property
    def state(self) -> State:
        """What the store keeps of it."""

    @property
    def phase(self) -> Phase:
        """The phase that the game waits in."""

    @property
    def awaited(self) -> tuple[Awaited, ...]:
        """The seats that have something to send now, in order; empty when the game is over."""

    @property
    def coming(self) -> tuple[str, ...]:
        """Labels of the running phase and of the later ones that lines can be stored for, in
        order, skipped or not; the running one alone in a game without advance orders."""

    @property
    def result(self) -> Result:
        """How the game stands."""

    def team_of(self, seat: SeatId) -> tuple[SeatId, ...]:
        """The seats that win together with one, in order, itself among them."""

    def phase_named(self, written: str, *, is_sought: bool = False) -> NamedPhase | None:
        """The phase that a whole line names, in any language; None if it names none.

        With `is_sought` the text stood where only a phase can stand: never None.
        """

    def read(
        self, seat: SeatId, lines: Sequence[str], stored: OrderSet = (), label: str = ""
    ) -> Reading:
        """Read a letter's lines as a seat's orders. Never raises for what a person can write.

        `stored` is what is stored for the seat already; notes are about both together. With a
        `label` of `coming` the lines are for that later phase, and are checked as far as they can
        be without its position. A line that outlives the phase says by its own label for which it
        is to be stored.
        """

    def orders_written_in(self, lines: Sequence[str]) -> OrderSet:
        """What of a text reads as orders, of whatever seat, each once; empty if nothing."""

    def place_named(self, written: str) -> str:
        """The id of the one place of the board that a name stands for; empty if there is none."""

    def merge(self, seat: SeatId, stored: OrderSet, lines: Sequence[Line]) -> OrderSet:
        """The seat's orders with a letter's understood lines.

        A line takes the place of the one of its key; earlier ones that are more than is due make
        room for new ones, oldest first. Those that stood there before are marked kept.
        """

    def open_advance(self, seat: SeatId, lines: OrderSet) -> Reading:
        """What becomes of lines that were stored in advance for the phase that waits now.

        Understood ones are the seat's orders; problems are lines that do not fit the position.
        Lines that are not needed, as a preference beyond what is due, stand in neither.
        """

    def resolve(
        self, order_sets: Mapping[SeatId, OrderSet], missing: frozenset[SeatId], rng: RandomStream
    ) -> Resolution:
        """Run to the next point where anybody is awaited.

        `missing` seats are in civil disorder: their orders are ignored. Lines that do not read are
        ignored too (they were checked when they were stored).
        """

    def set_up_position(self, label: str, lines: Sequence[str]) -> Arrangement:
        """The game in the position that lines describe, in the phase of a label; without a label in
        the running one, if any line does describe one."""

    def computer_orders(
        self, seats: Collection[SeatId], rng: RandomStream, *, only_defend: bool = False
    ) -> Mapping[SeatId, OrderSet]:
        """Orders of seats that the computer plays, in a practice game or (`only_defend`) for a
        player who is missing; empty where none are due."""

    def neighbor_seats(self, seat: SeatId) -> tuple[SeatId, ...]:
        """The other seats that stand near what a seat has on the board; perhaps none."""

    def remarks_for_learner(self, seat: SeatId, report: Report) -> tuple[Note, ...]:
        """For a learner: what to do better in this phase, of which that is the report. Few or
        none."""

    def edit(self, lines: Sequence[str]) -> "Game":
        """The game after a master's changes, a line each.

        Raises:
            Refused: with the line as `written`: it is `unreadable`, or contradicts the position
                (`clash`), or nothing can be changed in this kind of phase (`retreats`).
        """

    def with_serial(self, serial: int) -> "Game":
        """The same game in the same phase, which is played once more under another serial."""

    @property
    def revealed(self) -> "Game":
        """The same game with nothing hidden: as its master sees it, and everybody when it is over.
        Itself where nothing is hidden."""

    def known_to(self, seat: SeatId | None) -> "Game":
        """The game as that seat (or, with None, everybody) knows it, as if that were all of it.
        Itself where nothing is hidden."""

    def view(self, seat: SeatId | None) -> msgspec.Raw:
        """What that seat (or, with None, everybody) may see of the state, for the renderer."""

    def report_seen_by(self, seat: SeatId | None, report: Report) -> Report:
        """A report of this game as that seat (or everybody) may know it, with no other seat's part.
        The same where nothing is hidden."""


class Rulebook(Protocol):
    """A game that can be hosted. Every method is a pure function of its arguments."""

    @property
    def phase_kinds(self) -> tuple[PhaseKind, ...]:
        """All kinds of phases; the first is the one that listings call the game's pace."""

    @property
    def votes(self) -> tuple[Vote, ...]:
        """The ends that seats may agree on; empty if there are none."""

    def variants(self) -> tuple[str, ...]:
        """Names of the variants that can be played, the usual one first."""

    def rule_presets(self) -> tuple[str, ...]:
        """Names of the rule presets that can be chosen, the default first."""

    def rule_options(self) -> tuple[Option, ...]:
        """The rules that can be chosen one by one, in order; empty if only presets can be."""

    def variant_options(self, variant: str) -> tuple[Option, ...]:
        """What a variant leaves to choose, in order. Raises Refused: no such variant."""

    def option_value(self, variant: str, key: str, written: str) -> str:
        """A value of a variant's option as it is kept. Raises Refused: there is no such."""

    def seats(self, variant: str, options: Options) -> tuple[Seat, ...]:
        """The seats of a variant, in their fixed order.

        Raises:
            Refused: no such variant, rules or option. `options` may hold `rules`: the name of a
                preset, or `{"preset": name, key: value}` with single choices on top of it; its
                other keys are options of the variant.
        """

    def start(self, variant: str, options: Options) -> Game:
        """The game before its first phase. Raises Refused as `seats` does."""

    def open(self, state: State) -> Game:
        """A stored game. Decodes the state once; the Game is used for the whole transaction.

        Raises:
            ValueError: the bytes are no state of this game, or a newer judge's.
        """


# --- the words of a game --------------------------------------------------------------------------


Message = str | tuple[str, str]  # for any number, or for one and for several


class Translator(Protocol):
    """The catalogue of one language, as a renderer needs it."""

    @property
    def language(self) -> str: ...

    def say(self, message: str, /, **values: object) -> str:
        """A message in that language, its named places filled."""

    def count(self, singular: str, plural: str, n: int, /, **values: object) -> str:
        """A message that depends on a number, which fills its place `n`."""

    def tell(self, message: Message, n: int = 1, /, **values: object) -> str:
        """A message that may depend on a number."""


class ProblemWords(msgspec.Struct, frozen=True):
    """A problem as the player reads it: the line, the marked part, what is wrong, what to send, and
    what heads that where it is more than a proposal."""

    written: str
    start: int
    end: int
    sentence: str
    send: tuple[Row, ...] = ()
    label: str = ""


class Task(msgspec.Struct, frozen=True):
    """What a seat is asked for: `rows` are lines to send, `default` says what happens without;
    `brief` says it in a word, as `build 2`, or is empty; `until` says for the subject line what to
    do by when, behind the results, where that is more than to reply."""

    sentence: str
    rows: tuple[Row, ...]
    default: str
    brief: str = ""
    until: Message = ""
    # Lines that one touch may send: few of them, and none chooses for the player.
    actions: tuple[Action, ...] = ()


class ResultWords(msgspec.Struct, frozen=True):
    """A phase's results as one seat reads them."""

    headline: str  # the verdict, under 60 characters, which makes sense alone
    subject: str  # public; for the subject line, as `results: A BUR dislodged`
    lead: tuple[str, ...]  # sentences directly below the headline (who attacked, with whose help)
    own: tuple[Row, ...]  # the seat's orders, each with `succeeded` or why it failed
    own_count: str  # `Your 5 orders: 3 succeeded, 2 failed.`, empty if there were none
    table_title: str  # the heading of the table, as `Everyone's orders.`
    table: Block  # everyone's orders
    after: tuple[Block, ...]  # lines after the table: closed to retreats, centers, ownership
    news: str = ""  # `You gained Munich and Spain`, empty where no center changed hands
    units: Block = ""  # where everyone's units stand now; empty if they stand where they stood


class ReportFrame(msgspec.Struct, frozen=True):
    """What stands around a classic report: the judge's name, the game, the first phase's number in
    it, and the phase that comes next with its deadline (none when the game is over)."""

    judge: str
    game: str
    serial: int
    next: str = ""
    due: datetime | None = None
    variant: str = ""  # its English title


class ClassicReport(msgspec.Struct, frozen=True):
    """A phase in the hobby's plain-text form: what its subject says, and the text."""

    subject: str  # `S1901M Movement Results`
    text: str


class Occasion(StrEnum):
    """What the host tells of seats, and each game says in its own words.

    Attributes stand behind each: places of the sentence beside the seats' names.
    """

    ABSENCE = "absence"  # nothing came from these seats by the deadline
    ABSENCE_IN_GRACE = "absence_in_grace"  # grace: nor in that time after it
    VACANT = "vacant"  # game: nobody holds these seats
    SEAT_VACATED = "seat_vacated"  # game: they missed too many phases in a row
    OWN_ABSENCE = "own_absence"  # said to the seat itself, as the next
    OWN_SEAT_VACATED = "own_seat_vacated"  # game
    RESIGNED = "resigned"  # who, game: the player has left
    FIRST_PHASE = "first_phase"  # their first orders are missing, and the game waits for them


class Picture(Protocol):
    """A drawing; the same values give the same bytes."""

    def to_svg(self) -> bytes:
        """As an SVG file."""

    def to_png(self, width: int) -> bytes:
        """As a PNG file, so many pixels wide."""


class GameWords(Protocol):
    """The words of one variant of a game in one language. Pure; texts come from the catalogue,
    names from the variant."""

    @property
    def power_names(self) -> tuple[str, ...]:
        """Every name under which somebody plays, in this language."""

    def seat_name(self, seat: SeatId) -> str:
        """`France`, or `Austria and France`; the id itself if the variant has no such seat."""

    def place_name(self, place: str) -> str:
        """A place within a sentence, `the North Sea`; the id itself if there is no such place."""

    def seat_brief(self, seat: SeatId) -> str:
        """Its name within a list of seats: `Austria/France`."""

    def power_count(self, seat: SeatId) -> int:
        """How many its name names, for the grammar of a sentence: 2 for `Austria and France`."""

    def phase_name(self, label: str) -> str:
        """`Spring 1901 movement`."""

    def pace(self, length: str) -> str:
        """How long the first kind of phases lasts: `3 days for a movement phase`."""

    def score(self, n: int) -> str:
        """The figure beside a seat in listings: `3 centers`."""

    def occasion(self, occasion: Occasion, seats: Sequence[SeatId], **values: str) -> str:
        """A sentence or two about these seats; empty where the game never has that occasion."""

    def agreed_end(self, vote: str, seats: Sequence[SeatId]) -> str:
        """An end that is voted on, without an article: `a draw shared by France and Italy`."""

    def ending(self, ending: str, winners: Sequence[SeatId]) -> tuple[str, str]:
        """How the game ended, under 60 characters; and who shares the end, or nothing."""

    def score_table(self, history: Sequence[tuple[str, Mapping[SeatId, int]]]) -> Block:
        """How the figures beside the seats have changed: a table of at most 60 columns, from the
        label of each phase that opened with others, and these. The last is how they stand."""

    def rows(self, lines: Sequence[Line]) -> tuple[Row, ...]:
        """Stored lines in notation and in words."""

    def about_advance_orders(self, label: str) -> str:
        """What becomes of lines that are stored for a later phase, if that is not just that they
        are carried out then; empty if there is nothing to say."""

    def note(self, note: Note) -> str:
        """The sentence of a note."""

    def problem(self, view: msgspec.Raw, problem: Problem) -> ProblemWords:
        """A problem in words."""

    def if_no_more_orders_come(self, view: msgspec.Raw, seat: SeatId, orders: OrderSet) -> str:
        """What happens if the seat sends nothing more: `A BUR - BEL runs, F MAO and A MAR hold.`"""

    def task(self, view: msgspec.Raw, seat: SeatId) -> Task | None:
        """What the seat has to send in this phase; None if nothing."""

    def results(self, report: msgspec.Raw, own: msgspec.Raw, seat: SeatId | None) -> ResultWords:
        """A report's public part and the seat's own part; `seat` None for masters and observers.

        `own` is null where there is none.
        """

    def position(self, view: msgspec.Raw) -> tuple[Block, ...]:
        """Everyone's units and centers."""

    def board(self) -> tuple[Block, ...]:
        """The variant to look up: its powers, how it is won, its places."""

    def position_picture(self, view: msgspec.Raw) -> Picture:
        """A map of everyone's units and centers."""

    def report_picture(self, reports: Sequence[msgspec.Raw]) -> Picture:
        """A map of the first of these phases, which ran at once: its orders and what became of
        them, and the centers after the last."""

    def classic_report(self, reports: Sequence[msgspec.Raw], frame: ReportFrame) -> ClassicReport:
        """A phase, and those that ran with it, in the form that the hobby's tools read; always in
        English, in ASCII."""

    def classic_position(
        self, view: msgspec.Raw, frame: ReportFrame, *, is_start: bool = False
    ) -> ClassicReport:
        """A position in the same form; `is_start` is the one that a game begins with."""

    def centers_picture(
        self, history: Sequence[tuple[str, Mapping[SeatId, int]]], view: msgspec.Raw
    ) -> Picture | None:
        """What `score_table` tells, drawn as lines; `view` may be null. None before a first year is
        finished."""

    def variant_notes(self, view: msgspec.Raw) -> tuple[str, ...]:
        """What a reader must know about how this game is played beside its settings, a paragraph
        each; empty where it is played as usual."""


class Renderer(Protocol):
    """The words of a game, for any of its variants."""

    def words(self, variant: str, translator: Translator) -> GameWords:
        """The words of a variant in a language; ids serve as names if it is no longer there."""

    def variant_name(self, variant: str, translator: Translator) -> str:
        """`Chaos`; the name itself where there is no such variant any more."""

    def phase_kind_name(self, kind: str, translator: Translator) -> str:
        """A kind of phase as the settings name it: `Movement`."""

    def agreed_ends(self, votes: Sequence[str], translator: Translator) -> str:
        """The ends that a game's seats may agree on, in a few words; empty if none."""

    def introduction(self, translator: Translator) -> str:
        """The game in five lines, for somebody who has never heard of it."""

    def order_vocabulary(self, translator: Translator) -> Sequence[tuple[str, str]]:
        """The words that orders are written with: how each is noted, and what else is read."""

    def order_help(self, translator: Translator) -> tuple[str, tuple[Row, ...]]:
        """How an order looks, in a sentence for those who sent none; examples with meanings."""


@cache
def load_game(name: str) -> Rulebook:
    """The game of that name.

    Raises:
        KeyError: no game of that name can be hosted (a bug, or a database of a newer judge).
    """
    return cast(Rulebook, importlib.import_module(GAMES[name][0]).RULEBOOK)


@cache
def load_renderer(name: str) -> Renderer:
    """The words of the game of that name. Raises KeyError as `load_game` does."""
    return cast(Renderer, importlib.import_module(GAMES[name][1]).RENDERER)
