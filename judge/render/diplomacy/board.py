"""A board in words: its powers, how it begins and is won, and what each province borders on."""

from collections.abc import Iterator

from judge.blocks import Block, Pairs, Titled
from judge.diplomacy.board import Terrain
from judge.diplomacy.orders import UnitKind
from judge.diplomacy.variants.options import options_of
from judge.render.catalogue import comma_names
from judge.render.diplomacy.names import Names
from judge.render.diplomacy.position import SENTENCES

TERRAINS = {
    Terrain.LAND: SENTENCES["inland"],
    Terrain.COAST: SENTENCES["coast"],
    Terrain.SEA: SENTENCES["sea"],
    Terrain.CLOSED: SENTENCES["closed"],
}


def board_words(names: Names) -> tuple[Block, ...]:
    """What a player looks up: powers with units and centers, options, provinces."""
    variant, count = names.variant, len(names.variant.board.centers)
    first = names.phase(str(variant.calendar.first()))
    begins = names.tell(SENTENCES["begins"], variant.victory_centers, phase=first, centers=count)
    powers = []
    for power in variant.powers:
        units = ", ".join(map(str, power.start_units)) or names.say("none")
        centers = ", ".join(sorted(power.home_centers)) or names.say("none")
        told = names.say("{units}; home centers {centers}", units=units, centers=centers)
        powers.append((names.power(power.id), told))
    options = [
        (one.key, (" - " if one.is_count else ", ").join(one.values)) for one in options_of(variant)
    ]
    return (
        begins,
        Titled(names.say("Powers:"), Pairs(powers)),
        Titled(names.say("Options:"), Pairs(options)) if options else "",
        Titled(names.say("Provinces:"), Pairs(list(_provinces(names)))),
    )


def _provinces(names: Names) -> Iterator[tuple[str, str]]:
    """`PAR`, `Paris (center, inland): A BRE, BUR, GAS, PIC`."""
    board = names.variant.board
    for province in board.provinces.values():
        what = [names.tell(SENTENCES["center"])] if province.is_center else []
        what.append(names.tell(TERRAINS[province.terrain]))
        ways = []
        for kind in UnitKind:
            for stand in board.stands(kind, province.id):
                goals = ", ".join(map(str, board.ways(kind, stand)))
                at = f"{kind} ({stand.coast})" if stand.coast else f"{kind}"
                ways += [f"{at} {goals}"] if goals else []
        values = {"name": names.province(province.id), "what": comma_names(what, names)}
        told = names.say("{name} ({what})", **values)
        if ways:
            told = names.say("{name} ({what}): {ways}", ways="; ".join(ways), **values)
        yield province.id, told
