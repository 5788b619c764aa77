"""What is wrong with a map as a whole, whatever format it came in.

Only what is best said in the words of the map itself; the rest is what the loader finds wrong with
the folder that is written (importing.py).
"""

from msgspec.structs import replace

from judge.diplomacy.board import Terrain
from judge.importing.draft import Area, Draft, PowerDraft, Site, StartUnit, Ways


def check(draft: Draft) -> None:
    """Note what is wrong with the draft. Areas that no unit can enter become closed; a province
    with one named coast has one without a name."""
    _merge_single_coasts(draft)
    _check_areas(draft)
    for ways, who in ((draft.army, "armies"), (draft.fleet, "fleets")):
        _check_ways(draft, ways, who)
    _check_powers(draft)


def _merge_single_coasts(draft: Draft) -> None:
    for area in draft.areas.values():
        coasts, whole = draft.coasts(area.key), Site(area.key)
        if len(coasts) != 1 or whole in draft.fleet:
            continue
        named = Site(area.key, coasts[0])
        draft.fleet[whole] = draft.fleet.pop(named)
        for targets in draft.fleet.values():
            if named in targets:
                targets[whole] = targets.pop(named)
        for power in draft.powers:
            power.units = [
                replace(unit, site=whole) if unit.site == named else unit for unit in power.units
            ]
        draft.assume(f"{area.name}: {named} is its only coast, which needs no name", area.place)


def _check_areas(draft: Draft) -> None:
    """An area from and to which nothing goes is closed."""
    linked, names = draft.linked(), dict[str, Area]()
    for area in draft.areas.values():
        if area.key not in linked:
            if area.kind is not Terrain.CLOSED:
                draft.assume(f"{area.name}: no way leads there; it is closed", area.place)
                area.kind = Terrain.CLOSED
            if area.is_center:
                draft.fault(f"{area.name} is a center, but no way leads there", area.place)
        coasts, whole = draft.coasts(area.key), draft.fleet.get(Site(area.key))
        if whole is not None and coasts:
            text = f"fleets have ways from {area.key} and from {area.key}/{coasts[0]}; keep one"
            draft.fault(text, next(iter(whole.values()), area.place))
        other = names.setdefault(area.name.casefold(), area)
        if other is not area:
            draft.fault(f"two areas are called {area.name} (line {other.place.line})", area.place)


def _check_ways(draft: Draft, ways: Ways, who: str) -> None:
    for origin, targets in ways.items():
        for target, place in targets.items():
            area, coasts = draft.areas[target.area], draft.coasts(target.area)
            is_read = target.area not in draft.unread
            wrong = ""
            if who == "armies" and area.kind is Terrain.SEA:
                wrong = ", which is water"
            elif who == "fleets" and coasts and target.coast is None:
                there = ", ".join(f"{target.area}/{coast}" for coast in coasts)
                wrong = f" without a coast; there are {there}"
            elif target.coast and target.coast not in coasts and is_read:
                wrong = ", but no line says where fleets go from there"
            elif origin not in ways.get(target, {}) and is_read:
                wrong = ", but not back"
            if wrong:
                draft.fault(f"{who} go from {origin} to {target}{wrong}", place)


def _check_powers(draft: Draft) -> None:
    starts_with_builds = draft.opening is not None and draft.opening.kind == "A"
    letters: dict[str, PowerDraft] = {}
    taken: dict[str, StartUnit] = {}
    for power in draft.powers:
        if not power.homes:
            draft.fault(f"{power.name} has no home center", power.place)
        if not power.units and not starts_with_builds:
            draft.fault(f"{power.name} has no units at the start", power.place)
        if power.letter and (other := letters.setdefault(power.letter, power)) is not power:
            text = f"{power.name} has the letter {power.letter} of {other.name}"
            draft.fault(text, power.place)
        for unit in power.units:
            before = taken.setdefault(unit.site.area, unit)
            if before is not unit:
                text = f"{unit.kind} {unit.site} stands where {before.kind} {before.site} does"
                draft.fault(f"{text} ({before.place})", unit.place)
            if wrong := _unit_fault(draft, unit):
                draft.fault(wrong, unit.place)


def _unit_fault(draft: Draft, unit: StartUnit) -> str | None:
    area, coasts = draft.areas[unit.site.area], draft.coasts(unit.site.area)
    if unit.kind == "A":
        if area.kind is not Terrain.LAND:
            return f"no army can stand in {area.name}"
        return f"{unit.site}: an army stands on no coast" if unit.site.coast else None
    if not draft.has_fleets(area.key):
        return f"no fleet can stand in {area.name}"
    if unit.site.coast is None and len(coasts) > 1:
        return f"a fleet in {area.name} stands on a coast: {', '.join(coasts)}"
    if unit.site.coast is not None and unit.site.coast not in coasts:
        known = ", ".join(coasts) or "none"
        return f"{area.name} has no coast {unit.site.coast}; there are {known}"
    return None
