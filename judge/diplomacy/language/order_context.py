"""Stage 6: a written order as one on the board, and what comes of a letter's lines.

`PAR - BUR` is `A PAR - BUR` where the seat has an army in Paris; whether that is legal,
`adjudicator/legality.py` says. Knows nothing of lines, nor of words beyond the variant's lexicon.

Blind games are read by what their power sees, never by what stands out of its sight: a support or
convoy of a unit out of sight is taken if any unit could be ordered so there, whether one stands
there or not; and fleets may stand on all seas. What came of it the results tell.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.adjudicator import Legality, illegal
from judge.diplomacy.adjustments import adjustment_due, adjustment_order
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.lexicon import Lexicon, lexicon
from judge.diplomacy.orders import (
    AnyOrder,
    PowerId,
    ProvinceId,
    Unit,
    WrittenOrder,
    WrittenUnit,
    other_unit,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.position import Dislodged, Position
from judge.diplomacy.records import (
    Adjustment,
    NoteKind,
    NoteValues,
    ProblemKind,
    ProblemValues,
    ReadingKind,
)
from judge.diplomacy.rules import IllegalOrders, Leniency, Rules
from judge.diplomacy.variants.variant import Variant

WAIVE_KEY = "WAIVE"
Noted = tuple[NoteKind, NoteValues]


class Taken(Struct, frozen=True):
    """An order that was read and may be given. `number` counts the lines, `start` its columns."""

    number: int
    start: int
    written: str
    order: AnyOrder
    notes: tuple[Noted, ...] = ()


class Untaken(Struct, frozen=True):
    """A line, or one order of it, that was meant as an order and cannot be taken.

    Attributes:
        start, end: columns of the wrong part in `written`.
        proposals: orders that could be given instead.
        key: whose order it was to be, as `order_key`; None if that cannot be told.
    """

    number: int
    written: str
    start: int
    end: int
    kind: ProblemKind
    values: ProblemValues
    proposals: tuple[AnyOrder, ...] = ()
    key: str | None = None


class Said(Struct, frozen=True):
    """Prose between the orders."""

    number: int
    text: str


Read = Taken | Untaken | Said


@dataclass(frozen=True)
class OrderContext:
    """Where one seat's orders are read in one position.

    Attributes:
        power: the seat's power, or the first of several.
        stored: the orders that its order set already holds; a letter's orders replace single ones.
        partners: the other powers of the same seat.
        loose: orders that are stored as they were written, since what stands on the board is not
            known: they fit with more than one kind of unit, or on more than one coast, or they
            name a power that the order alone would not tell.
    """

    variant: Variant
    rules: Rules
    position: Position
    power: PowerId
    stored: tuple[AnyOrder, ...] = ()
    partners: tuple[PowerId, ...] = ()
    loose: dict[AnyOrder, WrittenOrder] = field(default_factory=dict, compare=False)

    @property
    def powers(self) -> tuple[PowerId, ...]:
        """All powers of the seat."""
        return (self.power, *self.partners)

    @property
    def label(self) -> str:
        return str(self.position.phase)

    @property
    def lexicon(self) -> Lexicon:
        return lexicon(self.variant)

    @property
    def is_adjustment(self) -> bool:
        return self.position.phase.kind is PhaseKind.ADJUSTMENT

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The own units that may be ordered in this phase: those dislodged, in retreats."""
        if self.position.phase.kind is PhaseKind.RETREAT:
            return tuple(each.unit for each in self.dislodged)
        if not self.partners:
            return self.position.units_of(self.power)
        return tuple(unit for unit in self.position.units if unit.power in self.powers)

    @cached_property
    def dislodged(self) -> tuple[Dislodged, ...]:
        """The own units that must retreat."""
        return tuple(each for each in self.position.dislodged if each.unit.power in self.powers)

    def own_unit(self, written: WrittenOrder) -> Unit | None:
        """The own unit that the order is for, if there is one where it says."""
        if isinstance(written, o.WrittenWaive):
            return None
        province = written.unit.location.province
        return next((each for each in self.units if each.location.province == province), None)

    def power_for(self, written: WrittenOrder) -> PowerId:
        """Which of the own powers an order is for: whose unit stands there, who may build there, or
        who is named; the first where nothing tells."""
        if not self.partners:
            return self.power
        match written:
            case o.WrittenWaive(power=named):
                able = [power for power in self.powers if self.dues(power).builds]
            case o.WrittenBuild(unit):  # the power that owns the center, if it may build there
                named, center = unit.power, unit.location.province
                able = [each for each in self.powers if center in self.variant.power(each).sites]
                able = [each for each in able if self.position.owners.get(center) == each] or able
            case o.WrittenPassage():
                named, find = None, self.legality.movement_order
                able = [each for each in self.powers if not isinstance(find(written, each), Void)]
            case _:
                named, unit_there = written.unit.power, self.own_unit(written)
                able = [unit_there.power] if unit_there else []
        if named in self.powers and (named in able or not able):
            return named
        return able[0] if able else self.power

    def order_on_board(self, written: WrittenOrder) -> AnyOrder | Void:
        """The order on the board that the written one is, or why there is none."""
        board = self.variant.board
        if isinstance(written, o.WrittenMove) and not all(
            each in board.provinces and board.is_sea(each) for each in written.path
        ):
            return illegal(VoidReason.NO_CONVOY_POSSIBLE)
        legality, power = self.legality, self.power_for(written)
        match self.position.phase.kind:
            case PhaseKind.MOVEMENT:
                return legality.movement_order(written, power)
            case PhaseKind.RETREAT:
                return legality.retreat_order(written, power)
            case PhaseKind.ADJUSTMENT:
                return adjustment_order(legality, written, power)
            case kind:
                assert_never(kind)

    def candidates(self, named: Unit | WrittenUnit, power: PowerId) -> Iterator[Unit]:
        """The units that may be meant: of either kind, on any coast, as far as it was not said."""
        for kind in (named.kind,) if named.kind else tuple(o.UnitKind):
            for place in self.variant.board.possible_locations(kind, named.location.province):
                if named.location.coast in (None, place.coast):
                    yield Unit(power, kind, place)

    def name_in_full(self, written: WrittenOrder) -> WrittenOrder:
        """The order with its units named by kind, coast and (foreign ones) power, as they stand, so
        that no rules refuse it for how it names them (DATC 4.C)."""
        if isinstance(written, o.WrittenWaive | o.WrittenBuild):
            return written
        is_passage = isinstance(written, o.WrittenPassage)
        named: dict[str, WrittenUnit] = {}
        for part in ("unit",) if is_passage else ("supported", "convoyed"):
            other: WrittenUnit | None = getattr(written, part, None)
            if other and (unit := self.position.unit_at(other.location.province)):
                power = unit.power if unit.power != self.power_for(written) else None
                named[part] = WrittenUnit(unit.location, unit.kind, power)
        own = self.own_unit(written)
        if own is not None and not is_passage:
            named["unit"] = WrittenUnit(own.location, own.kind)
        return replace(written, **named)

    def key_for(self, written: WrittenOrder) -> str | None:
        """The key of the order if it could be taken; None if it is for no unit of one's own."""
        if isinstance(written, o.WrittenWaive):
            return None
        is_own = self.own_unit(written) is not None or isinstance(written, o.WrittenPassage)
        if self.is_adjustment if isinstance(written, o.WrittenBuild) else is_own:
            return order_key(written)
        return None

    def dues(self, power: PowerId) -> Adjustment:
        """What one of the powers owes in adjustments."""
        return adjustment_due(self.position, self.variant.power(power))

    @cached_property
    def legality(self) -> Legality:
        return Legality(self.variant, self.rules, self.position)

    def make_untaken(
        self,
        number: int,
        text: str,
        kind: ProblemKind = ReadingKind.OPEN,
        proposals: tuple[AnyOrder, ...] = (),
        key: str | None = None,
    ) -> Untaken:
        """The whole of a text as one that was meant as an order and cannot be taken."""
        values = ProblemValues(word=text, label=self.label)
        return Untaken(number, text, 0, len(text), kind, values, proposals, key)


def order_key(order: AnyOrder | WrittenOrder) -> str:
    """What a stored order is for: a later one of the same key replaces it.

    The unit's province; `B PAR` for a build, `SC RED` for permission to the fleet there, which
    stands beside the orders of units. Waives are told apart by their number, not known here.
    """
    match order:
        case o.Waive() | o.WrittenWaive():
            return WAIVE_KEY
        case o.Build() | o.WrittenBuild():
            return f"B {order.unit.location.province}"
        case o.Passage() | o.WrittenPassage():
            return f"SC {order.unit.location.province}"
    return order.unit.location.province


def power_of(order: AnyOrder) -> PowerId:
    """The power that gives an order."""
    return order.power if isinstance(order, o.Waive | o.Passage) else order.unit.power


def order_question(context: OrderContext, read: Read, order: AnyOrder) -> Untaken:
    """The question whether a text means an order."""
    if isinstance(read, Untaken):
        return replace(read, proposals=(order,), key=order_key(order))
    text = read.text if isinstance(read, Said) else read.written
    return context.make_untaken(read.number, text, ReadingKind.OPEN, (order,), order_key(order))


# --- blind games ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlindContext(OrderContext):
    """Where orders are read in a position of which the seat sees a part. Units may be named
    loosely: the judge names them when the phase runs.

    Attributes:
        seen: the provinces that it sees; `position` holds nothing of others.
    """

    seen: frozenset[ProvinceId] = frozenset()

    def order_on_board(self, written: WrittenOrder) -> AnyOrder | Void:
        """As for `OrderContext`; of units out of sight nothing is known but where they could
        stand."""
        other = other_unit(written)
        is_seen = other is None or other.location.province in self.seen
        is_known = is_seen and not self.variant.hooks  # which may ask for units, as at a canal
        if self.position.phase.kind is not PhaseKind.MOVEMENT or is_known:
            return super().order_on_board(written)
        power = self.power_for(written)
        if isinstance(written, o.WrittenWaive) or other is None or is_seen:
            found = super().order_on_board(written)
            return self._fit_with_units(written, power, ()) if isinstance(found, Void) else found
        own = self.legality.own_unit(written.unit, power)
        if isinstance(own, Void):
            return own
        void: Void | None = None
        for unit in self.candidates(other, other.power or o.NOBODY):
            found = self._fit_with_units(written, power, (unit,))
            if not isinstance(found, Void):
                self.loose[found] = written
                return found
            void = replace(found, unit=None)
        return void or Void(VoidReason.CANNOT_STAND, illegal=True)

    @cached_property
    def legality(self) -> Legality:
        free = dataclasses.replace(
            self.rules,
            illegal_orders=IllegalOrders.NEVER_POSSIBLE,
            missing_kind=Leniency.VALID,
            wrong_kind=Leniency.VALID,
            missing_power=Leniency.VALID,
            wrong_power=Leniency.VALID,
        )
        return Legality(self.variant, free, self.position)

    def _fit_with_units(
        self, written: WrittenOrder, power: PowerId, others: Iterable[Unit]
    ) -> AnyOrder | Void:
        """The order as if these units stood where nothing is seen; where the variant's own rules
        ask for units, armies of its power stand all over the rest of it."""
        if not isinstance(written, o.WrittenWaive | o.WrittenPassage):
            own = self.legality.own_unit(written.unit, power)
            if isinstance(own, Void):
                return own
        units = [*self.position.units, *others]
        if self.variant.hooks:
            taken = {*self.seen, *(unit.location.province for unit in others)}
            units += [
                Unit(power, o.ARMY, place)
                for province in self.variant.board.provinces
                if province not in taken
                for place in self.variant.board.possible_locations(o.ARMY, province)
            ]
        position = replace(self.position, units=tuple(units))
        free = self.legality.rules
        return Legality(self.variant, free, position).movement_order(written, power)
