"""Diplomacy behind the seam: a `Rulebook` over the adjudicator and the notation.

Of this room only it, `table.py` and `chosen.py` know `judge.rulebook`. Every method is a pure
function of its arguments; a state is the JSON of `records.GameState`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from judge.diplomacy.calendar import Phase as BoardPhase
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.chosen import choose_game, refused, variant_named
from judge.diplomacy.chronicle import powers_in_play
from judge.diplomacy.language.advance_context import advance_context
from judge.diplomacy.language.advance_orders import Heard, Later, open_lines, read_later, read_now
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.lexicon import power_names
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    WAIVE_KEY,
    OrderContext,
    Said,
    Taken,
    Untaken,
    order_key,
    power_of,
)
from judge.diplomacy.language.phase_names import (
    Unnamed,
    name_phase,
    nearest_labels,
    speaks_of_phase,
)
from judge.diplomacy.notation import parse_order, stored_text
from judge.diplomacy.orders import AnyOrder, PowerId, Waive, WrittenOrder
from judge.diplomacy.position import start_position
from judge.diplomacy.records import GameState, ProblemValues, ReadingKind
from judge.diplomacy.rules import (
    ISSUES,
    PRESETS,
    Rules,
)
from judge.diplomacy.sides import variant_in
from judge.diplomacy.table import Table, orders_of, state_of
from judge.diplomacy.variants.options import BadOption, option_value, options_of
from judge.diplomacy.variants.variant import SeatPowers, Variant, variant_names
from judge.rulebook import (
    Awaited,
    Chat,
    JsonObject,
    Line,
    NamedPhase,
    Note,
    Option,
    OrderSet,
    Phase,
    Problem,
    Reading,
    Refused,
    Resolution,
    Result,
    Seat,
    SeatId,
    State,
    Stream,
    Understood,
    When,
)

RULE_OPTIONS = tuple(
    Option(issue, tuple(str(value) for value in type(getattr(Rules(), part))))
    for issue, part in ISSUES.items()
)
PHASE_KINDS = {
    PhaseKind.MOVEMENT: "movement",
    PhaseKind.RETREAT: "retreat",
    PhaseKind.ADJUSTMENT: "adjustment",
}


class Diplomacy:
    """The `Rulebook` of Diplomacy; its methods' contracts stand there."""

    def variants(self) -> tuple[str, ...]:
        return variant_names()

    def rule_names(self) -> tuple[str, ...]:
        return tuple(PRESETS)

    def rule_options(self) -> tuple[Option, ...]:
        return RULE_OPTIONS

    def variant_options(self, variant: str) -> tuple[Option, ...]:
        return tuple(
            Option(
                each.key,
                (" - ".join(each.values),) if each.is_count else each.values,
                is_count=each.is_count,
            )
            for each in options_of(variant_named(variant))
        )

    def option_value(self, variant: str, key: str, written: str) -> str:
        try:
            return option_value(variant_named(variant).name, key, written)
        except BadOption as bad:
            raise refused(bad) from bad

    def seats(self, variant: str, options: JsonObject) -> tuple[Seat, ...]:
        chosen = choose_game(variant, options).variant
        return tuple(_seat(chosen, seat) for seat in chosen.seating)

    def start(self, variant: str, options: JsonObject) -> State:
        chosen = choose_game(variant, options)
        return state_of(start_position(chosen.variant), chosen, serial=1).to_json()

    def phase(self, state: State) -> Phase:
        table = Table(state)
        kind = table.position.phase.kind
        is_main = kind is PhaseKind.MOVEMENT
        return Phase(table.game.label, PHASE_KINDS[kind], table.game.serial, main=is_main)

    def awaited(self, state: State) -> tuple[Awaited, ...]:
        table = Table(state)
        asked = table.awaited()
        dues = {seat.id: sum(asked.get(power, 0) for power in seat.powers) for seat in table.seats}
        return tuple(Awaited(SeatId(seat), due) for seat, due in dues.items() if due)

    def read(
        self, state: State, seat: SeatId, lines: Sequence[str], order_set: OrderSet = ()
    ) -> Reading:
        table = Table(state)
        context = table.context(seat, order_set)
        found = read_now(context, lines, *table.after())
        if not table.is_asked(seat):
            found = tuple(_not_asked(table.game, heard) for heard in found)
        return _reading(context, found)

    def merge(
        self, state: State, seat: SeatId, order_set: OrderSet, lines: Sequence[Line]
    ) -> OrderSet:
        new = {line.key: line for line in lines}
        kept = [replace(line, kept=True) for line in order_set if line.key not in new]
        context = Table(state).context(seat)
        if context.is_adjustment:
            kept = _with_room(context, kept, tuple(new.values()))
        return (*kept, *new.values())

    def coming(self, state: State) -> tuple[str, ...]:
        table = Table(state)
        return () if table.game.winners else tuple(str(phase) for phase in table.coming())

    def phase_named(
        self, state: State, written: str, *, is_sought: bool = False
    ) -> NamedPhase | None:
        if not is_sought and not speaks_of_phase(written):
            return None
        table = Table(state)
        calendar, running = table.variant.calendar, table.position.phase
        beside = _plain_names(table.variant.named)
        named = name_phase(written, calendar, running, is_sought=is_sought, beside=beside)
        if named is None:
            return None
        labels = self.coming(state)
        if isinstance(named, Unnamed):
            return NamedPhase(When.UNKNOWN, nearest=nearest_labels(written, labels))
        is_relative = not any(sign.isdigit() for sign in written)
        return NamedPhase(_when(named, table.coming()), str(named), is_relative=is_relative)

    def read_advance(
        self, state: State, seat: SeatId, label: str, lines: Sequence[str], order_set: OrderSet = ()
    ) -> Reading:
        del order_set  # what stands there by then is not known, nor what disturbs what
        table, phase = Table(state), parse_phase(label)
        variant = variant_in(table.game, phase, seat)
        power, *partners = table.powers_of(seat)
        context = advance_context(variant, table.rules, phase, power, tuple(partners))
        return _reading(context, read_later(context, lines, *table.following(phase)))

    def open_advance(self, state: State, seat: SeatId, order_set: OrderSet) -> Reading:
        table = Table(state)
        if not table.is_asked(seat):
            return Reading()
        context = table.context(seat)
        opened = _reading(context, open_lines(context, [line.text for line in order_set]))
        understood = tuple(
            replace(one, line=replace(one.line, written=order_set[one.line_number].written))
            for one in opened.understood
        )
        return replace(opened, understood=understood)

    def resolve(
        self,
        state: State,
        order_sets: Mapping[SeatId, OrderSet],
        missing: frozenset[SeatId],
        rng: Stream,
    ) -> Resolution:
        table = Table(state)
        absent = frozenset(power for seat in missing for power in table.powers_of(seat))
        written: dict[PowerId, list[WrittenOrder]] = {}
        for seat, order_set in order_sets.items():
            if seat not in missing:
                context = table.context(seat)
                for order in orders_of(table.variant, order_set):
                    written.setdefault(context.power_for(order), []).append(order)
        return table.resolve(written, absent, rng)

    def edit(self, state: State, change: JsonObject) -> State:
        label = Table(state).game.label
        raise Refused("not_yet", written=", ".join(sorted(change)), known=[], label=label)

    def view(self, state: State, seat: SeatId | None) -> JsonObject:
        return Table(state).view(seat).to_json()

    def result(self, state: State) -> Result:
        table = Table(state)
        scores = {
            SeatId(seat.id): sum(len(table.position.centers_of(power)) for power in seat.powers)
            for seat in table.seats
        }
        survivors = powers_in_play(table.variant, table.position)
        return Result(
            over=bool(table.game.winners),
            winners=table.seats_of(table.game.winners),
            survivors=table.seats_of(survivors),
            scores=scores,
            is_draw=table.game.is_draw,
        )


RULEBOOK = Diplomacy()


# --- lines ----------------------------------------------------------------------------------------


def _seat(variant: Variant, seat: SeatPowers) -> Seat:
    """A seat with all that it is called by: names and letters of each of its powers."""
    first, *others = (variant.power(power) for power in seat.powers)
    names = [name for power in seat.powers for name in power_names(variant, power)]
    if others:
        names = [seat.id, *names, *(power.letter for power in others)]
    return Seat(SeatId(seat.id), first.letter, tuple(names))


def _with_room(context: OrderContext, kept: Sequence[Line], new: Sequence[Line]) -> list[Line]:
    """The kept lines without those for which a power's new ones leave no room, oldest first."""
    powers = {line.key: _power_of(context, line) for line in (*kept, *new)}
    left: list[Line] = []
    for power in context.powers:
        own = [line for line in kept if powers[line.key] == power]
        due = context.dues(power)
        room = max(due.builds, due.disbands) - sum(powers[line.key] == power for line in new)
        left += own[max(len(own) - max(room, 0), 0) :]
    return [line for line in kept if line in left]


def _power_of(context: OrderContext, line: Line) -> PowerId:
    order = parse_order(line.text, context.variant)
    return context.power if isinstance(order, Fault) else context.power_for(order)


def _when(phase: BoardPhase, coming: Sequence[BoardPhase]) -> When:
    """Where a phase of the calendar stands to the running one, the first of those that come."""
    if phase in coming:
        return When.NOW if phase == coming[0] else When.LATER
    return When.FAR if phase.year >= coming[-1].year else When.PAST


@lru_cache(maxsize=64)
def _plain_names(variant: Variant) -> frozenset[str]:
    """The words of all names of powers, as `France, Fall 1901` has them."""
    names = [name for power in variant.power_ids for name in power_names(variant, power)]
    return frozenset(
        word for name in names for word in normalize(name).text.split() if len(word) > 1
    )


def _not_asked(game: GameState, read: Heard) -> Heard:
    """The line as a problem, where nothing is asked of the seat in the running phase."""
    if isinstance(read, Said | Later):
        return read
    kind = ReadingKind.GAME_OVER if game.winners else ReadingKind.NOTHING_DUE
    values = ProblemValues(label=game.label)
    return Untaken(read.number, read.written, 0, len(read.written), kind, values)


def _reading(context: OrderContext, found: Sequence[Heard]) -> Reading:
    """What was read, in the seam's values; waives are numbered, so that each is a line."""
    understood: list[Understood] = []
    problems: list[Problem] = []
    chat: list[Chat] = []
    waives = 0
    waived = dict.fromkeys(context.powers, 0)
    for read in found:
        match read:
            case Taken(order=order):
                if isinstance(order, Waive):
                    waived[order.power] += 1
                line = _line(context, order, read.written, waived.get(power_of(order), 0))
                notes = tuple(Note(str(kind), values.to_json()) for kind, values in read.notes)
                understood.append(Understood(read.number, line, notes))
            case Later(key=key):
                waives += key == WAIVE_KEY
                line = Line(_numbered(key, waives), read.text, read.written)
                notes = tuple(Note(str(kind), values.to_json()) for kind, values in read.notes)
                understood.append(Understood(read.number, line, notes, str(read.phase)))
            case Untaken():
                problems.append(_problem(context, read))
            case Said():
                chat.append(Chat(read.number, read.text))
    return Reading(tuple(understood), tuple(problems), tuple(chat))


def _line(context: OrderContext, order: AnyOrder, written: str = "", waive: int = 1) -> Line:
    key = order_key(order)
    if isinstance(order, Waive) and context.partners:
        key = f"{key} {order.power}"
    return Line(_numbered(key, waive), stored_text(context, order), written)


def _numbered(key: str, waive: int) -> str:
    """Waives have a number, so that each is a line of its own."""
    return f"{key} {waive}" if key.partition(" ")[0] == WAIVE_KEY else key


def _problem(context: OrderContext, read: Untaken) -> Problem:
    return Problem(
        line_number=read.number,
        written=read.written,
        start=read.start,
        end=read.end,
        kind=str(read.kind),
        values=read.values.to_json(),
        proposals=tuple(_line(context, order) for order in read.proposals),
        key=read.key,
    )
