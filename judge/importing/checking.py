"""What is wrong with a map as a whole, whatever format it came in.

Everything that our loader refuses is found here, in the words and lines of the map itself.
"""

from collections.abc import Mapping

from judge.importing.draft import Area, AreaKind, Draft, PowerDraft, Site, StartUnit, Ways
from judge.importing.findings import Findings, Place

LETTERS = "ABCDEFGHIJKLNPQRSTUVWXYZ0123456789"  # M is the master's, O the observers'
YEAR_MOST = 9999


def check(draft: Draft, findings: Findings) -> None:
    """Note every fault of the draft, once. Areas that no unit can enter become closed; a province
    with one named coast has one without a name."""
    _merge_single_coasts(draft, findings)
    _close_lonely(draft, findings)
    _check_ways(draft, draft.army, "armies", findings)
    _check_ways(draft, draft.fleet, "fleets", findings)
    _check_names(draft, findings)
    _check_opening(draft, findings)
    _check_powers(draft, findings)
    _check_units(draft, findings)
    _check_reach(draft, findings)


def _merge_single_coasts(draft: Draft, findings: Findings) -> None:
    for area in draft.areas.values():
        coasts, whole = draft.coasts(area.key), Site(area.key)
        if len(coasts) != 1 or whole in draft.fleet:
            continue
        named = Site(area.key, coasts[0])
        draft.fleet[whole] = draft.fleet.pop(named)
        for targets in draft.fleet.values():
            if named in targets:
                targets[whole] = targets.pop(named)
        findings.assume(f"{area.name}: {named} is its only coast, which needs no name", area.place)


def _close_lonely(draft: Draft, findings: Findings) -> None:
    """An area from and to which nothing goes is closed."""
    linked = {site.area for ways in (draft.army, draft.fleet) for site, to in ways.items() if to}
    for ways in (draft.army, draft.fleet):
        linked |= {target.area for targets in ways.values() for target in targets}
    for area in draft.areas.values():
        if area.key in linked:
            continue
        if area.kind is not AreaKind.CLOSED:
            findings.assume(f"{area.name}: no way leads there; it is closed", area.place)
            area.kind = AreaKind.CLOSED
        if area.is_center:
            findings.fault(f"{area.name} is a center, but no way leads there", area.place)


def _check_ways(draft: Draft, ways: Ways, who: str, findings: Findings) -> None:
    for origin, targets in ways.items():
        for target, place in targets.items():
            if wrong := _way_fault(draft, ways, origin, target, who):
                findings.fault(wrong, place)
    for area in draft.areas.values() if who == "fleets" else ():
        has_whole, coasts = Site(area.key) in draft.fleet, draft.coasts(area.key)
        if has_whole and coasts:
            text = f"fleets have ways from {area.key} and from {area.key}/{coasts[0]}; keep one"
            findings.fault(text, _first(draft.fleet[Site(area.key)], area))


def _first(targets: Mapping[Site, Place], area: Area) -> Place:
    return next(iter(targets.values()), area.place)


def _way_fault(draft: Draft, ways: Ways, origin: Site, target: Site, who: str) -> str | None:
    area, coasts = draft.areas[target.area], draft.coasts(target.area)
    way = f"{who} go from {origin} to {target}"
    if who == "armies" and area.kind is AreaKind.SEA:
        return f"{way}, which is water"
    if who == "fleets" and coasts and target.coast is None:
        written = ", ".join(f"{target.area}/{coast}" for coast in coasts)
        return f"{way} without a coast; there are {written}"
    if target.coast and target.coast not in coasts and target.area not in draft.unread:
        return f"{way}, but no line says where fleets go from there"
    if origin not in ways.get(target, {}) and target.area not in draft.unread:
        return f"{way}, but not back"
    return None


def _check_names(draft: Draft, findings: Findings) -> None:
    names: dict[str, Area] = {}
    for area in draft.areas.values():
        other = names.setdefault(area.name.casefold(), area)
        if other is not area:
            text = f"two areas are called {area.name} (line {other.place.line})"
            findings.fault(text, area.place)
        if area.is_center and area.kind is AreaKind.SEA:
            findings.fault(f"{area.name} is a center, but water", area.place)


# --- powers ---------------------------------------------------------------------------------------


def _check_opening(draft: Draft, findings: Findings) -> None:
    opening, calendar = draft.opening, draft.calendar
    if opening is None:
        return
    seasons = [letter for letter, _ in calendar.turns]
    known = seasons if opening.kind == "M" else [calendar.adjustment_letter]
    phase = f"{opening.letter}{opening.year}{opening.kind}"
    if opening.kind not in "MA" or opening.letter not in known:
        text = f"no game begins with {phase}; one begins with a movement, or with adjustments"
        findings.fault(text, opening.place)
    elif not 0 < opening.year <= YEAR_MOST:
        findings.fault(f"{phase}: years go from 1 to {YEAR_MOST}", opening.place)


def _check_powers(draft: Draft, findings: Findings) -> None:
    if len(draft.powers) < 2:
        findings.fault("there are fewer than two powers")
    homes: dict[str, PowerDraft] = {}
    centers: dict[str, PowerDraft] = {}
    letters: dict[str, PowerDraft] = {}
    is_empty_start = draft.opening is not None and draft.opening.kind == "A"
    for power in draft.powers:
        if not power.homes:
            findings.fault(f"{power.name} has no home center", power.place)
        if not power.units and not is_empty_start:
            findings.fault(f"{power.name} has no units at the start", power.place)
        _check_shared(power, power.homes, homes, "home center", findings)
        owned = power.homes if power.centers is None else power.centers
        if power.centers is not None:
            _check_shared(power, owned, centers, "center", findings)
        if power.letter is None:
            continue
        other = letters.setdefault(power.letter, power)
        if power.letter not in LETTERS:
            text = f"{power.name} has the letter {power.letter}; M and O are not for powers"
            findings.fault(text, power.place)
        elif other is not power:
            text = f"{power.name} has the letter {power.letter} of {other.name}"
            findings.fault(text, power.place)
    total = sum(area.is_center for area in draft.areas.values())
    if draft.victory is not None and not 0 < draft.victory <= total:
        findings.fault(f"{draft.victory} centers win, but there are {total}")


def _check_shared(
    power: PowerDraft,
    places: Mapping[str, Place],
    taken: dict[str, PowerDraft],
    what: str,
    findings: Findings,
) -> None:
    for key, place in places.items():
        other = taken.setdefault(key, power)
        if other is not power:
            findings.fault(f"{key} is a {what} of both {other.name} and {power.name}", place)


# --- units ----------------------------------------------------------------------------------------


def _check_units(draft: Draft, findings: Findings) -> None:
    taken: dict[str, StartUnit] = {}
    for power in draft.powers:
        for unit in power.units:
            other = taken.setdefault(unit.site.area, unit)
            if other is not unit:
                text = f"{unit.kind} {unit.site} stands where {other.kind} {other.site} does"
                findings.fault(f"{text} ({other.place})", unit.place)
            if wrong := _unit_fault(draft, unit):
                findings.fault(wrong, unit.place)


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


def _check_reach(draft: Draft, findings: Findings) -> None:
    """Areas to which no unit ever comes."""
    near: dict[str, set[str]] = {}
    for ways in (draft.army, draft.fleet):
        for origin, targets in ways.items():
            near.setdefault(origin.area, set()).update(target.area for target in targets)
    seen = {unit.site.area for power in draft.powers for unit in power.units}
    seen |= {home for power in draft.powers for home in power.homes}
    if not seen:
        return
    edge = sorted(seen)
    while edge:
        edge = sorted({area for at in edge for area in near.get(at, ()) if area not in seen})
        seen.update(edge)
    for area in draft.areas.values():
        if area.key not in seen and area.kind is not AreaKind.CLOSED:
            findings.fault(f"no unit ever comes to {area.name}", area.place)
