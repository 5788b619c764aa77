"""Reads a map of the DPjudge, or of the `diplomacy` package, `<name>.map`.

Puts what the directives have made into the common draft; letter case says who may go where. Knows
nothing of how lines are written.
"""

import re

from judge.diplomacy.variants.files import Place
from judge.importing.directives import Directives, PowerRow, province_of
from judge.importing.draft import (
    COASTS,
    Alias,
    Area,
    AreaKind,
    CalendarDraft,
    Draft,
    Opening,
    PowerDraft,
    Site,
    StartUnit,
    Ways,
)
from judge.importing.sources import Line

SOLID = ("LAND", "COAST", "PORT")
KINDS = {"WATER": AreaKind.SEA, "SHUT": AreaKind.CLOSED}
SEASONS = {"SPRING": "S", "FALL": "F", "AUTUMN": "F", "WINTER": "W"}
PHASES = {"MOVEMENT": "M", "ADJUSTMENTS": "A", "ADJUSTMENT": "A", "RETREATS": "R", "RETREAT": "R"}
YEAR_DIGITS = 4

_NEW_YEAR = re.compile(r"NEWYEAR(?::([0-9]{1,3}))?")


def read_dpjudge(draft: Draft, lines: tuple[Line, ...]) -> None:
    """What the lines say, those of used files among them. What is wrong is noted."""
    told = Directives(draft)
    for line in lines:
        told.take(line)
    for id_, row in list(told.powers.items()):
        # A line that begins with an unknown word is a power only if it lists places of the map.
        lists_places = bool(row.homes) and all(home in told.names for home in row.homes)
        if not row.is_sure and not lists_places:
            draft.leave_out(f"{row.name}: an unknown directive", row.place)
            del told.powers[id_]
    draft.opening = _opening(draft, told)
    draft.calendar = _calendar(draft, told)
    draft.victory = told.victory
    draft.builds_anywhere = told.builds_anywhere
    _add_areas(draft, told)
    _add_ways(draft, told)
    draft.powers += [_power(draft, row) for row in told.powers.values()]
    for id_ in _known(draft, told.centers()):
        draft.areas[id_].is_center = True


# --- areas ----------------------------------------------------------------------------------------


def _add_areas(draft: Draft, told: Directives) -> None:
    for id_, named in told.names.items():
        if "/" in id_:
            continue
        spot, key = told.spots.get(id_), id_.lower()
        if spot is None:
            draft.fault(f"{named.name} ({key}) has no terrain", named.place)
        kind = KINDS.get(spot.terrain if spot else "", AreaKind.LAND)
        aliases = [_alias(word) for word in (id_, *named.words)]
        draft.areas[key] = Area(key, named.name, named.place, kind, aliases=aliases)
    for id_, named in told.names.items():
        province, _, coast = id_.partition("/")
        area = draft.areas.get(province.lower())
        if coast and area and id_ in told.spots:
            area.aliases += [_alias(word, coast.lower()) for word in (named.name, *named.words)]
        elif coast and area:
            draft.fault(f"{named.name} ({id_}) has no terrain", named.place)
    for id_, spot in told.spots.items():
        province = province_of(id_)
        if province not in told.names:
            draft.fault(f"{spot.written} has no line with its full name", spot.place)
        elif province not in told.spots:
            text = f"{spot.written}: there is no line for the province {province.lower()}"
            draft.fault(text, spot.place)


def _alias(word: str, coast: str | None = None) -> Alias:
    text = " ".join(word.rstrip("?").replace("+", " ").split())
    return Alias(text, coast, is_unclear=word.endswith("?"))


def _add_ways(draft: Draft, told: Directives) -> None:
    for id_, spot in told.spots.items():
        site = _site(id_)
        if site.area not in draft.areas or spot.terrain == "SHUT":
            continue
        if site.coast and site.coast not in COASTS:
            text = f"{spot.written}: there are the coasts {', '.join(COASTS)} and no others"
            draft.fault(text, spot.place)
            continue
        if "/" not in id_ and spot.terrain in SOLID:
            draft.army[site] = {}
        if spot.takes_fleets:
            draft.fleet[site] = {}
        for abut in spot.abuts:
            other, base = told.spots.get(abut.id), told.spots.get(province_of(abut.id))
            target = _site(abut.id)
            if other is None:
                draft.fault(f"{spot.written}: there is no place {abut.written}", abut.place)
                continue
            if target.area not in draft.areas:
                continue  # a fault already: it has no full name
            if spot.takes_fleets and other.takes_fleets and abut.lets_fleets:
                _add(draft.fleet, site, target, abut.place)
            if site in draft.army and base and base.terrain in SOLID and abut.lets_armies:
                _add(draft.army, site, Site(target.area), abut.place)


def _add(ways: Ways, origin: Site, target: Site, place: Place) -> None:
    if origin.area != target.area:
        ways[origin].setdefault(target, place)


def _site(id_: str) -> Site:
    province, _, coast = id_.lower().partition("/")
    return Site(province, coast or None)


# --- powers ---------------------------------------------------------------------------------------


def _power(draft: Draft, row: PowerRow) -> PowerDraft:
    at = {site: (kind, place) for kind, site, place in row.units.values()}
    known = _known(draft, {province_of(site): place for site, (_, place) in at.items()})
    return PowerDraft(
        name=row.name.title() if row.name.isupper() else row.name,
        place=row.place,
        adjective=row.own.title() if row.own and row.own.isupper() else row.own,
        letter=row.letter,
        homes=_known(draft, row.homes),
        centers=_known(draft, row.owns) if row.owns is not None else None,
        units=[
            StartUnit(kind, _site(site), place)
            for site, (kind, place) in at.items()
            if province_of(site).lower() in known
        ],
    )


def _known(draft: Draft, ids: dict[str, Place]) -> dict[str, Place]:
    """The ids that are areas, in lower case; the others are faults."""
    for id_, place in ids.items():
        if id_.lower() not in draft.areas:
            draft.fault(f"there is no place {id_}", place)
    return {id_.lower(): place for id_, place in ids.items() if id_.lower() in draft.areas}


# --- phases ---------------------------------------------------------------------------------------


def _opening(draft: Draft, told: Directives) -> Opening | None:
    """The phase of `SPRING 1901 MOVEMENT`."""
    if told.begin is None:
        return None
    text, place = told.begin
    words = text.split()
    if len(words) != 3 or words[0] not in SEASONS or PHASES.get(words[2], "R") == "R":
        wrong = f'BEGIN: "{text}" is no phase; write SPRING 1901 MOVEMENT'
        draft.fault(wrong, place)
        return None
    if not (words[1].isascii() and words[1].isdecimal() and len(words[1]) <= YEAR_DIGITS):
        draft.fault(f"BEGIN: {words[1]} is no year from 1 to 9999", place)
        return None
    return Opening(SEASONS[words[0]], int(words[1]), PHASES[words[2]], place)


class _Unlike(Exception):
    """This part of a flow has no counterpart in our calendars."""


def _calendar(draft: Draft, told: Directives) -> CalendarDraft:
    """The calendar that a flow describes; the usual one if none, or none of ours."""
    try:
        return _flow([word for word, _ in told.flow]) if told.flow else CalendarDraft()
    except _Unlike as error:
        draft.leave_out(f"FLOW: {error}; the year is spring, fall and winter", told.flow[0][1])
        return CalendarDraft()


def _flow(words: list[str]) -> CalendarDraft:
    """Our calendars are cycles of turns with adjustments in the year of the last."""
    turns: list[tuple[str, int]] = []
    adjustments: list[tuple[str, int]] = []
    years = 0
    for word in words:
        if new_year := _NEW_YEAR.fullmatch(word):
            years += int(new_year[1] or 1)
            continue
        season, _, phases = word.partition(":")
        if season not in SEASONS:
            raise _Unlike(f"{word} is no season of ours")
        for phase in phases.split(","):
            if phase not in PHASES:
                raise _Unlike(f"{phase} is no phase of ours")
            if PHASES[phase] != "R":
                into = turns if PHASES[phase] == "M" else adjustments
                into.append((SEASONS[season], years))
    if not turns or len(adjustments) != 1:
        raise _Unlike("it has no movement, or not one phase of adjustments in a cycle")
    letter, at = adjustments[0]
    if at != turns[-1][1]:
        raise _Unlike("adjustments stand in another year than the last movement")
    first = turns[0][1]
    return CalendarDraft(tuple((each, year - first) for each, year in turns), letter, max(years, 1))
