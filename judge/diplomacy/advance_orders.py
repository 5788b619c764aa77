"""Orders for later phases: checked without a position when they come, and again when it is known.

Retreats wait as retreat preferences of a unit; builds and removals as build preferences, a list of
wishes of which as many are taken as are due. What a unit may do by then is tried on a board that
holds it and the unit it speaks of, and nothing else.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import OF_MOVEMENT, Legality, illegal
from judge.diplomacy.adjustments import adjustment_order
from judge.diplomacy.calendar import Phase, PhaseKind
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.lexicon import ORDER_WORDS, listed
from judge.diplomacy.language.order_context import (
    Noted,
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.language.tokens import tokenize
from judge.diplomacy.notation import format_order, format_preferences, parse_order
from judge.diplomacy.orders import AnyOrder, Location, PowerId, Unit, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.own_rows import order_in_row
from judge.diplomacy.position import Dislodged, Position
from judge.diplomacy.records import Adjustment, ProblemKind, ProblemValues, ReadingKind
from judge.diplomacy.retreat_preferences import (
    Choice,
    RetreatPreferences,
    condition_spans,
    read_preferences,
)
from judge.diplomacy.rules import IllegalOrders, Leniency, Rules
from judge.diplomacy.variants.variant import Variant


class Later(Struct, frozen=True):
    """A line that is stored for a later phase, as canonical text."""

    number: int
    written: str
    phase: Phase
    key: str
    text: str
    notes: tuple[Noted, ...] = ()


Heard = Read | Later


@dataclass(frozen=True)
class AdvanceContext(OrderContext):
    """Where orders for a later phase are read: its position is not known yet."""

    names_powers: bool = False  # the rules want the powers of foreign units named (DATC 4.C.5)

    def own_unit(self, written: WrittenOrder) -> Unit | None:
        del written
        return None

    def key_for(self, written: WrittenOrder) -> str | None:
        return None if isinstance(written, o.WrittenWaive) else order_key(written)

    def dues(self, power: PowerId) -> Adjustment:
        most = len(self.variant.board.centers)
        return Adjustment(power, builds=most, disbands=most)

    def order_on_board(self, written: WrittenOrder) -> AnyOrder | Void:
        """An order that could be given if its units stood there, whatever their kinds and coasts;
        or why none ever could."""
        if self.is_adjustment and not isinstance(written, o.WrittenDisband):
            # As if all centers to build in were owned and open.
            order = adjustment_order(self.legality, written, self.power_for(written))
            is_named = isinstance(written, o.WrittenWaive) and self.partners and written.power
            if is_named and not isinstance(order, Void):
                self.loose[order] = written
            return order
        of_phase = (*OF_MOVEMENT, o.WrittenRide, o.WrittenPassage)
        if not self.is_adjustment and not isinstance(written, of_phase):
            return illegal(VoidReason.WRONG_PHASE)
        assert not isinstance(written, o.WrittenWaive)
        power, other = written.unit.power or self.power, o.other_unit(written)
        if power not in self.powers and not isinstance(written, o.WrittenPassage):
            return illegal(VoidReason.WRONG_POWER)
        foreign = next(each for each in self.variant.power_ids if each not in self.powers)
        void, fitted = illegal(VoidReason.CANNOT_STAND), list[AnyOrder]()
        for own in self.candidates(written.unit, power):
            others: Iterable[Unit | None] = [None]
            if other and other.location.province != own.location.province:
                # Nobody knows yet whose unit it will be.
                others = self.candidates(other, other.power or foreign)
            for each in others:
                found = self._order_with_units(written, own, each)
                if isinstance(found, Void):
                    void = found
                elif found not in fitted:
                    fitted.append(found)
        if not fitted:
            return void
        names_other = self.names_powers and other is not None and other.power is not None
        if len(fitted) > 1 or names_other:
            self.loose[fitted[0]] = written
        return fitted[0]

    def _order_with_units(
        self, written: WrittenOrder, own: Unit, other: Unit | None
    ) -> AnyOrder | Void:
        """The order where these units stand, or why there is none."""
        units = [own, other] if other else [own]
        if self.variant.hooks and not self.is_adjustment:
            # A variant's own rules may ask for units, as the canal for one beside it: put armies
            # everywhere else.
            taken = {unit.location.province for unit in units}
            units += [
                Unit(self.power, o.UnitKind.ARMY, place)
                for province in self.variant.board.provinces
                if province not in taken
                for place in self.variant.board.possible_locations(o.UnitKind.ARMY, province)
            ]
        position = replace(self.position, units=tuple(units), owners={})
        legality = Legality(self.variant, self.rules, position)
        if self.is_adjustment:
            return adjustment_order(legality, written, own.power)
        power = self.power if isinstance(written, o.WrittenPassage) else own.power
        return legality.movement_order(written, power)


def advance_context(
    variant: Variant, rules: Rules, phase: Phase, power: PowerId, partners: tuple[PowerId, ...] = ()
) -> AdvanceContext:
    """The context of a later phase: no units, and every center where the variant ever lets the
    power build is its own."""
    owners: dict[o.ProvinceId, PowerId] = {}
    for each in map(variant.power, (power, *partners)):
        for center in sorted({*each.home_centers, *each.sites}):
            owners.setdefault(center, each.id)
    free = dataclasses.replace(
        rules, illegal_orders=IllegalOrders.NEVER_POSSIBLE, missing_power=Leniency.VALID
    )
    names_powers = rules.missing_power is Leniency.INVALID and variant.has_named_powers
    position = Position(phase, (), owners)
    return AdvanceContext(
        variant, free, position, power, partners=partners, names_powers=names_powers
    )


# --- reading --------------------------------------------------------------------------------------


def read_lines(
    context: OrderContext, lines: Sequence[str], retreats: Phase | None, builds: Phase | None
) -> tuple[Heard, ...]:
    """What the lines say for the context's phase; some are for the retreats or adjustments after
    it, if lines can be stored for those.

    Retreat preferences are such, and builds: nothing else can be meant by them.
    """
    lines = [order_in_row(line, context.lexicon) for line in lines]
    is_later, kind = isinstance(context, AdvanceContext), context.position.phase.kind
    if is_later and kind is PhaseKind.RETREAT:
        conditional = set(range(len(lines)))
    else:
        conditional = {at for at, line in enumerate(lines) if retreats and condition_spans(line)}
    others = ["" if at in conditional else line for at, line in enumerate(lines)]
    heard: list[Heard] = list(read_orders(context, others))
    if isinstance(context, AdvanceContext):
        heard = [_as_stored_line(context, each) for each in heard]
    for at in sorted(conditional):
        heard += _read_preferences(context, at, lines[at], retreats)
    if builds and kind is not PhaseKind.ADJUSTMENT:
        heard = [again for each in heard for again in _as_wishes(context, each, builds)]
    return tuple(sorted(heard, key=lambda each: each.number))


def _later_context(context: OrderContext, phase: Phase) -> AdvanceContext:
    """The context of the same seat in a phase after it."""
    if isinstance(context, AdvanceContext):
        return dataclasses.replace(context, position=replace(context.position, phase=phase))
    return advance_context(context.variant, context.rules, phase, context.power, context.partners)


def _as_stored_line(context: AdvanceContext, read: Heard) -> Heard:
    """An order for a later phase as the line that is stored; all else as it is."""
    if not isinstance(read, Taken):
        return read
    text = format_order(context.loose.get(read.order, read.order))
    key = order_key(read.order)
    return Later(read.number, read.written, context.position.phase, key, text, read.notes)


def _as_wishes(context: OrderContext, heard: Heard, builds: Phase) -> Iterator[Heard]:
    """A build in a movement or retreat phase as a wish for the adjustments to come; all else as it
    is, also a waive that does not speak of builds: `I pass this turn`."""
    if not isinstance(heard, Untaken) or heard.kind is not VoidReason.WRONG_PHASE:
        yield heard
        return
    order = parse_order(heard.values.order, context.variant)
    is_wish = isinstance(order, o.WrittenBuild)
    if isinstance(order, o.WrittenWaive):
        surely = (ORDER_WORDS["waive"].lower(), *listed("sentences", "denied"))
        tokens = tokenize(heard.written, context.lexicon)
        is_wish = any(token.word == "B" or token.text.startswith(surely) for token in tokens)
    if not is_wish:
        yield heard
        return
    wishes = _later_context(context, builds)
    for read in read_orders(wishes, [heard.values.order]):
        again = _as_stored_line(wishes, read)
        if isinstance(again, Later):
            yield replace(again, number=heard.number, written=heard.written)
        elif isinstance(again, Untaken):
            yield replace(again, number=heard.number)


# --- retreat preferences --------------------------------------------------------------------------


def _read_preferences(
    context: OrderContext, number: int, line: str, retreats: Phase | None
) -> Iterator[Heard]:
    """The preferences that a line holds: for units that may be dislodged in the context's phase, or
    that are."""
    is_later, kind = isinstance(context, AdvanceContext), context.position.phase.kind
    if kind is PhaseKind.ADJUSTMENT and not is_later:
        yield context.make_untaken(number, line, VoidReason.WRONG_PHASE)
        return
    found = read_preferences(line, context.lexicon)
    if not found and line.strip():
        yield Said(number, line.strip())
    at = context if kind is PhaseKind.RETREAT or not retreats else _later_context(context, retreats)
    for each in found:
        if isinstance(each, Fault):
            word = line[each.start : each.end]
            is_name = each.kind is ReadingKind.NO_PROVINCE
            near = context.lexicon.nearest_places(word)[:3] if is_name else ()
            values = ProblemValues(word, each.expected, near, label=at.label)
            yield Untaken(number, line, each.start, each.end, each.kind, values)
        elif isinstance(at, AdvanceContext):
            yield _checked_preferences(at, number, line, each, None if is_later else context)
        else:
            yield _first_possible(context, number, line, each)


def _checked_preferences(
    context: AdvanceContext,
    number: int,
    line: str,
    wished: RetreatPreferences,
    standing: OrderContext | None,
) -> Later | Untaken:
    """The preferences as the line that is stored: for the unit that stands there now, or for all
    that could."""
    units: list[Unit] = []
    void = illegal(VoidReason.CANNOT_STAND)
    power = wished.unit.power or context.power
    if standing is not None:
        power = standing.power_for(o.WrittenHold(wished.unit))
        unit = standing.legality.own_unit(wished.unit, power)
        if isinstance(unit, Void):
            void = unit
        else:
            units = [unit]
    elif power in context.powers:
        units = list(context.candidates(wished.unit, power))
    else:
        void = illegal(VoidReason.WRONG_POWER)
    if not units:
        return context.make_untaken(number, line, void.reason)
    fitted = [[_retreat_target(context, unit, each) for each in wished.choices] for unit in units]
    able = [at for at, fits in enumerate(fitted) if not any(isinstance(fit, Void) for fit in fits)]
    if not able:
        fits = zip(wished.choices, fitted[0], strict=True)
        choice, void = next((each, fit) for each, fit in fits if isinstance(fit, Void))
        values = ProblemValues(
            word=line[choice.start : choice.end],
            unit=units[0] if standing else None,
            places=void.places or choice.places,
            label=context.label,
        )
        kind: ProblemKind = ReadingKind.AMBIGUOUS if len(choice.places) > 1 else void.reason
        return Untaken(number, line, choice.start, choice.end, kind, values)
    named = units[able[0]] if len(able) == 1 else replace(wished.unit, power=None)
    places = [fit for fit in fitted[able[0]] if not isinstance(fit, Void)]
    key, text = wished.unit.location.province, format_preferences(named, places)
    return Later(number, line.strip(), context.position.phase, key, text)


def _retreat_target(context: AdvanceContext, unit: Unit, choice: Choice) -> Location | Void | None:
    """Where the choice leads if nothing stands in the way; None: it is disbanded."""
    if not choice.places:
        return None
    ways = context.variant.board.adjacent_locations(unit.kind, unit.location)
    dislodged = Dislodged(unit, unit.location.province, retreats=ways)
    position = replace(context.position, dislodged=(dislodged,))
    legality = Legality(context.variant, context.rules, position)
    written = WrittenUnit(unit.location, unit.kind)
    retreats = [o.WrittenRetreat(written, place) for place in choice.places]
    orders = [legality.retreat_order(each, unit.power) for each in retreats]
    fitting = [order for order in orders if isinstance(order, o.Retreat)]
    if len(fitting) == 1:
        return fitting[0].target
    return orders[0] if isinstance(orders[0], Void) else illegal(VoidReason.NOT_A_RETREAT)


# --- a phase opens --------------------------------------------------------------------------------


def open_lines(context: OrderContext, texts: Sequence[str]) -> tuple[Taken | Untaken, ...]:
    """What becomes of stored lines when their phase opens; those that are not needed are left out,
    as the preferences of a unit that was not dislodged."""
    reads: Sequence[Read]
    match context.position.phase.kind:
        case PhaseKind.MOVEMENT:
            reads = read_orders(context, texts)
        case PhaseKind.RETREAT:
            asked = {each.unit.location.province for each in context.dislodged if each.retreats}
            reads = [
                _first_possible(context, number, text, wished)
                for number, text in enumerate(texts)
                for wished in read_preferences(text, context.lexicon)
                if isinstance(wished, RetreatPreferences) and wished.unit.location.province in asked
            ]
        case PhaseKind.ADJUSTMENT:
            reads = list(_wishes_due(context, texts))
    return tuple(read for read in reads if isinstance(read, Taken | Untaken))


def _first_possible(
    context: OrderContext, number: int, line: str, wished: RetreatPreferences
) -> Taken | Untaken:
    """The first of a unit's choices that is possible."""
    void = illegal(VoidReason.NO_UNIT)
    for choice in wished.choices:
        orders: list[WrittenOrder] = [o.WrittenRetreat(wished.unit, each) for each in choice.places]
        for written in orders or [o.WrittenDisband(wished.unit)]:
            order = context.order_on_board(written)
            if not isinstance(order, Void):
                return Taken(number, wished.start, line, order)
            void = order
    key = wished.unit.location.province
    places = tuple(
        place
        for each in context.dislodged
        if each.unit.location.province == key
        for place in each.retreats
    )
    kind: ProblemKind = ReadingKind.NO_WAY_OUT if places else void.reason
    values = ProblemValues(word=line, places=places, label=context.label)
    return Untaken(number, line, 0, len(line), kind, values, key=key)


def _wishes_due(context: OrderContext, texts: Sequence[str]) -> Iterator[Read]:
    """As many wishes as are due, in their order, and those before them that cannot be done."""
    left = {power: context.dues(power) for power in context.powers}
    for number, text in enumerate(texts):
        order = parse_order(text, context.variant)
        if isinstance(order, Fault):
            continue
        # If neither a name nor a unit tells whose wish it is: a power that owes such an order.
        match order:
            case o.WrittenWaive(power=named) if named not in context.powers:
                owing = [power for power, due in left.items() if due.builds]
            case o.WrittenDisband() if context.own_unit(order) is None:
                owing = [power for power, due in left.items() if due.disbands]
            case _:
                owing = [context.power_for(order)]
        power = owing[0] if owing else context.power
        due = left[power]
        if not (due.disbands if isinstance(order, o.WrittenDisband) else due.builds):
            continue
        for read in read_orders(context, [text]):
            if isinstance(read, Taken):
                if isinstance(read.order, o.Waive):
                    read = replace(read, order=o.Waive(power))
                builds, disbands = max(due.builds - 1, 0), max(due.disbands - 1, 0)
                left[power] = replace(due, builds=builds, disbands=disbands)
            yield replace(read, number=number)
