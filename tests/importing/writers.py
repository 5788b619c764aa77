"""Writes one of our variants in the forms of other judges, so that tests can read it back."""

from judge.diplomacy.board import Board, Province, Terrain
from judge.diplomacy.orders import Coast, Location, UnitKind
from judge.diplomacy.variants.variant import Variant

SEAS = "w"


def njudge_map(variant: Variant) -> str:
    """`map.<variant>`: areas, moves, and the order of centers."""
    board = variant.board
    lines = [_area_line(variant, province) for province in board.provinces.values()]
    lines.append("-1")
    for province, targets in board.army_ways.items():
        lines.append(f"{province.lower()}-mv: {' '.join(targets).lower()}")
    for place, places in board.fleet_ways.items():
        kind = place.coast.lower() if place.coast else "xc"
        lines.append(f"{place.province.lower()}-{kind}: {' '.join(map(str, places)).lower()}")
    centers = " ".join(board.centers).lower()
    lines += ["-1", "Center order for summary report:", f"  {centers}", "#End of it", "-1"]
    return "\n".join(lines) + "\n"


def _area_line(variant: Variant, province: Province) -> str:
    homes = {home: power.letter for power in variant.powers for home in power.home_centers}
    kind = SEAS if province.terrain is Terrain.SEA else homes.get(province.id, "l")
    if province.is_center and province.id not in homes:
        kind = "x"
    words = [alias.lower() for alias in province.aliases if alias.isalpha()]
    return f"{province.name}, {kind} {province.id.lower()} {' '.join(words)}"


def njudge_seed(variant: Variant) -> str:
    """`seed.<variant>`: the first phase, the units, and a remark for the owners' record."""
    lines = [str(variant.calendar.first())]
    for power in variant.powers:
        for unit in power.start_units:
            place = str(unit.location).lower()
            lines.append(f"{power.letter}: {unit.kind} {place}")
    return "\n".join([*lines, "-1 owners as on the map", "-1"]) + "\n"


def dpjudge_map(variant: Variant) -> str:
    """`<name>.map`: names, terrain with neighbors in the case of their letters, powers."""
    board = variant.board
    homes = {home for power in variant.powers for home in power.home_centers}
    lines = [f"VICTORY {variant.victory_centers}", "BEGIN SPRING 1901 MOVEMENT"]
    for province in board.provinces.values():
        for coast in province.coasts:
            id_ = f"{province.id}/{coast}".lower()
            lines.append(f"{province.name} ({_long(coast)}) = {id_}")
        words = " ".join(alias.lower().replace(" ", "+") for alias in province.aliases)
        lines.append(f"{province.name} = {province.id.lower()} {words}")
    for province in board.provinces.values():
        lines += _terrain_lines(board, province)
    for power in variant.powers:
        centers = " ".join(power.home_centers)
        lines.append(f"{power.id} ({power.adjective.upper()}:{power.letter}) {centers}")
        lines += [str(unit) for unit in power.start_units]
    lines.append("UNOWNED " + " ".join(each for each in board.centers if each not in homes))
    return "\n".join(lines) + "\n"


def _long(coast: Coast) -> str:
    return {"NC": "north", "SC": "south", "EC": "east", "WC": "west"}[coast] + " coast"


def _terrain_lines(board: Board, province: Province) -> list[str]:
    word = {"sea": "WATER", "closed": "SHUT"}.get(province.terrain, province.terrain.upper())
    whole = Location(province.id)
    army = {str(way) for way in board.adjacent_locations(UnitKind.ARMY, whole)}
    lines = []
    reached: set[str] = set()
    for place in board.possible_locations(UnitKind.FLEET, province.id):
        ways = {str(way) for way in board.adjacent_locations(UnitKind.FLEET, place)}
        reached |= ways
        listed = [way if way.partition("/")[0] in army else way.capitalize() for way in ways]
        if place.coast:
            lines.append(f"{word} {place} ABUTS {' '.join(sorted(map(str.upper, ways)))}")
        else:
            only = [way.lower() for way in army if way not in {w.partition("/")[0] for w in ways}]
            lines.append(f"{word} {place} ABUTS {' '.join(sorted([*listed, *only]))}")
    if province.coasts:
        seas = {way.partition("/")[0] for way in reached} - army
        listed = [*army, *(way.capitalize() for way in seas)]
        lines.append(f"{word} {province.id.lower()} ABUTS {' '.join(sorted(listed))}")
    elif not lines:
        lines.append(f"{word} {province.id} ABUTS {' '.join(sorted(army))}")
    return lines
