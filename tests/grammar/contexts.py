"""Desks for the positions of `lines/positions.toml`: whose letter is read, and where."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.orders import PowerId, ProvinceId, Unit, UnitKind
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import Variant, load_variant

STANDARD = load_variant("standard")
RULES = Rules.preset("2000")
PLACES: Mapping[str, Any] = tomllib.loads(
    (Path(__file__).parent / "lines" / "positions.toml").read_text(encoding="utf-8")
)


@cache
def desk_of(name: str) -> OrderContext:
    """The desk of a position of the file. Raises KeyError if there is none of that name."""
    data = PLACES[name]
    power = PowerId(data["power"])
    variant = load_variant(data.get("variant", "standard"))
    return OrderContext(variant, RULES, position_of(data, variant, power), power)


def position_of(data: Mapping[str, Any], variant: Variant, power: PowerId) -> Position:
    """The position of a table of such a file; its dislodged units are those of `power`."""
    units = [
        unit_of(PowerId(owner), text)
        for owner, texts in data["units"].items()
        for text in texts.split(", ")
    ]
    owners = {
        ProvinceId(center): PowerId(owner)
        for owner, centers in data.get("owners", {}).items()
        for center in centers.split()
    }
    dislodged = tuple(
        Dislodged(
            unit_of(power, each["unit"]),
            ProvinceId(each["by"]),
            retreats=tuple(parse_location(place) for place in each["retreats"].split()),
        )
        for each in data.get("dislodged", ())
    )
    return Position(
        parse_phase(data["phase"]), sort_units(units, variant.power_ids), owners, dislodged
    )


def unit_of(power: PowerId, text: str) -> Unit:
    kind, place = text.split()
    return Unit(power, UnitKind(kind), parse_location(place))
