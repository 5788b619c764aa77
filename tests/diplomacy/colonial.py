"""Colonial positions written as orders: each unit stands where its order says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from judge.diplomacy.board import parse_location
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import PowerId, Unit, UnitKind, WrittenOrder
from judge.diplomacy.outcomes import Outcome, Resolved, Void
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import resolve_movement
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import Variant

COLONIAL = choose("colonial", {})
Sheets = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Scene:
    """A resolved phase, asked about by the texts of its orders."""

    movement: Resolved

    def stands(self, text: str) -> bool:
        """Whether a unit stands there after it, as `RUSSIA A IRK`."""
        return text in {f"{unit.power} {unit}" for unit in self.movement.units}

    def outcomes(self, text: str) -> tuple[Outcome, ...]:
        """What befell the order."""
        (found,) = [one for one in self.movement.results if format_order(one.order) == text]
        return found.outcomes

    def void(self, text: str) -> Void:
        """What the order broke or matched not, wherever it is told."""
        told = [(one.order, each) for one in self.movement.results for each in one.outcomes]
        told += [(one.written, one.void) for one in self.movement.set_aside]
        (found,) = [
            each for order, each in told if isinstance(each, Void) and format_order(order) == text
        ]
        return found

    @property
    def dislodged(self) -> set[str]:
        return {str(one.unit) for one in self.movement.dislodged}


def written(text: str, variant: Variant = COLONIAL) -> WrittenOrder:
    order = parse_order(text, variant)
    assert not isinstance(order, Fault), (text, order)
    return order


def play(
    order_sets: Sheets,
    *,
    preset: str | Rules = "2000",
    variant: Variant = COLONIAL,
    **more: Sequence[str],
) -> Scene:
    """Resolve a phase. `more` adds orders, of powers that have none in `order_sets`; a line that
    begins with `+` is an order for which no unit is put on the board."""
    units: dict[Unit, None] = {}
    orders: dict[PowerId, list[WrittenOrder]] = {}
    for name, lines in {**order_sets, **more}.items():
        power = PowerId(name)
        for line in lines:
            if not line.startswith(("+", "SC ")):
                kind, place = line.split()[:2]
                units[Unit(power, UnitKind(kind), parse_location(place))] = None
            orders.setdefault(power, []).append(written(line.removeprefix("+"), variant))
    rules = Rules.preset(preset) if isinstance(preset, str) else preset
    position = Position(variant.calendar.first(), sort_units(units, variant.power_ids), {})
    return Scene(resolve_movement(variant, rules, position, orders))
