"""What is wrong with a map as a whole, whatever format it came in.

Everything that our loader refuses is found here, in the words and lines of the map itself.
"""

from collections.abc import Mapping

from judge.diplomacy.rules import YEAR_MOST
from judge.diplomacy.variants.faults import LETTERS
from judge.diplomacy.variants.files import Place
from judge.importing.draft import Area, AreaKind, Draft, PowerDraft, Site, StartUnit, Ways


def check(draft: Draft) -> None:
    """Note every fault of the draft, once. Areas that no unit can enter become closed; a province
    with one named coast has one without a name."""
    _merge_single_coasts(draft)
    _close_lonely(draft)
    _check_ways(draft, draft.army, "armies")
    _check_ways(draft, draft.fleet, "fleets")
    _check_areas(draft)
    _check_opening(draft)
    _check_powers(draft)
    _check_units(draft)
    _check_reach(draft)


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
        draft.assume(f"{area.name}: {named} is its only coast, which needs no name", area.place)


def _close_lonely(draft: Draft) -> None:
    """An area from and to which nothing goes is closed."""
    linked = draft.linked()
    for area in draft.areas.values():
        if area.key in linked:
            continue
        if area.kind is not AreaKind.CLOSED:
            draft.assume(f"{area.name}: no way leads there; it is closed", area.place)
            area.kind = AreaKind.CLOSED
        if area.is_center:
            draft.fault(f"{area.name} is a center, but no way leads there", area.place)


def _check_ways(draft: Draft, ways: Ways, who: str) -> None:
    for origin, targets in ways.items():
        for target, place in targets.items():
            if wrong := _way_fault(draft, ways, origin, target, who):
                draft.fault(f"{who} go from {origin} to {target}{wrong}", place)
    for area in draft.areas.values() if who == "fleets" else ():
        coasts, whole = draft.coasts(area.key), draft.fleet.get(Site(area.key))
        if whole is not None and coasts:
            text = f"fleets have ways from {area.key} and from {area.key}/{coasts[0]}; keep one"
            draft.fault(text, next(iter(whole.values()), area.place))


def _way_fault(draft: Draft, ways: Ways, origin: Site, target: Site, who: str) -> str | None:
    area, coasts = draft.areas[target.area], draft.coasts(target.area)
    if who == "armies" and area.kind is AreaKind.SEA:
        return ", which is water"
    if who == "fleets" and coasts and target.coast is None:
        written = ", ".join(f"{target.area}/{coast}" for coast in coasts)
        return f" without a coast; there are {written}"
    if target.coast and target.coast not in coasts and target.area not in draft.unread:
        return ", but no line says where fleets go from there"
    if origin not in ways.get(target, {}) and target.area not in draft.unread:
        return ", but not back"
    return None


def _check_areas(draft: Draft) -> None:
    names: dict[str, Area] = {}
    for area in draft.areas.values():
        other = names.setdefault(area.name.casefold(), area)
        if other is not area:
            draft.fault(f"two areas are called {area.name} (line {other.place.line})", area.place)
        if area.is_center and area.kind is AreaKind.SEA:
            draft.fault(f"{area.name} is a center, but water", area.place)


# --- powers and their units -----------------------------------------------------------------------


def _check_opening(draft: Draft) -> None:
    opening, calendar = draft.opening, draft.calendar
    if opening is None:
        return
    seasons = [letter for letter, _ in calendar.turns]
    known = seasons if opening.kind == "M" else [calendar.adjustment_letter]
    if opening.kind not in "MA" or opening.letter not in known:
        text = (
            f"no game begins with {draft.phase()}; one begins with a movement, or with adjustments"
        )
        draft.fault(text, opening.place)
    elif not 0 < opening.year <= YEAR_MOST:
        draft.fault(f"{draft.phase()}: years go from 1 to {YEAR_MOST}", opening.place)


def _check_powers(draft: Draft) -> None:
    if len(draft.powers) < 2:
        draft.fault("there are fewer than two powers")
    homes: dict[str, PowerDraft] = {}
    centers: dict[str, PowerDraft] = {}
    letters: dict[str, PowerDraft] = {}
    is_empty_start = draft.opening is not None and draft.opening.kind == "A"
    for power in draft.powers:
        if not power.homes:
            draft.fault(f"{power.name} has no home center", power.place)
        if not power.units and not is_empty_start:
            draft.fault(f"{power.name} has no units at the start", power.place)
        _check_shared(draft, power, power.homes, homes, "home center")
        _check_shared(draft, power, power.centers or {}, centers, "center")
        if power.letter is None:
            continue
        other = letters.setdefault(power.letter, power)
        if power.letter not in LETTERS:
            text = f"{power.name} has the letter {power.letter}; M and O are not for powers"
            draft.fault(text, power.place)
        elif other is not power:
            draft.fault(f"{power.name} has the letter {power.letter} of {other.name}", power.place)
    total = draft.center_count()
    if draft.victory is not None and not 0 < draft.victory <= total:
        draft.fault(f"{draft.victory} centers win, but there are {total}")


def _check_shared(
    draft: Draft,
    power: PowerDraft,
    places: Mapping[str, Place],
    taken: dict[str, PowerDraft],
    what: str,
) -> None:
    for key, place in places.items():
        other = taken.setdefault(key, power)
        if other is not power:
            draft.fault(f"{key} is a {what} of both {other.name} and {power.name}", place)


def _check_units(draft: Draft) -> None:
    taken: dict[str, StartUnit] = {}
    for power in draft.powers:
        for unit in power.units:
            other = taken.setdefault(unit.site.area, unit)
            if other is not unit:
                text = f"{unit.kind} {unit.site} stands where {other.kind} {other.site} does"
                draft.fault(f"{text} ({other.place})", unit.place)
            if wrong := _unit_fault(draft, unit):
                draft.fault(wrong, unit.place)


def _unit_fault(draft: Draft, unit: StartUnit) -> str | None:
    area, coasts = draft.areas[unit.site.area], draft.coasts(unit.site.area)
    if unit.kind == "A":
        if area.kind is not AreaKind.LAND:
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


def _check_reach(draft: Draft) -> None:
    """Areas to which no unit ever comes."""
    near: dict[str, set[str]] = {}
    for ways in (draft.army, draft.fleet):
        for origin, targets in ways.items():
            near.setdefault(origin.area, set()).update(target.area for target in targets)
    seen = {unit.site.area for power in draft.powers for unit in power.units}
    seen |= {home for power in draft.powers for home in power.homes}
    if not seen:
        return
    edge = seen
    while edge:
        edge = {area for at in edge for area in near.get(at, ())} - seen
        seen |= edge
    for area in draft.areas.values():
        if area.key not in seen and area.kind is not AreaKind.CLOSED:
            draft.fault(f"no unit ever comes to {area.name}", area.place)
