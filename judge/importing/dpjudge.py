"""Reads a map of the DPjudge, or of the `diplomacy` package, `<name>.map`.

Letter case says who may go where: see dpjudge_tables.py. Puts the tables that the lines made into
the common draft, and knows nothing of how lines are written.
"""

from judge.importing.dpjudge_calendar import read_begin, read_flow
from judge.importing.dpjudge_directives import Directives
from judge.importing.dpjudge_tables import NamedPlace, PowerRow, Spot, Tables, province_of
from judge.importing.draft import (
    COASTS,
    Alias,
    Area,
    AreaKind,
    Draft,
    PowerDraft,
    Site,
    StartUnit,
    Ways,
)
from judge.importing.findings import Findings, Place
from judge.importing.sources import Line

SOLID = ("LAND", "COAST", "PORT")
KINDS = {"WATER": AreaKind.SEA, "SHUT": AreaKind.CLOSED}


def read_dpjudge(lines: tuple[Line, ...], findings: Findings) -> Draft:
    """What the lines say, those of used files among them. What is wrong is noted."""
    directives = Directives(findings)
    for line in lines:
        directives.take(line)
    tables = directives.tables
    _forget_no_powers(tables, findings)
    draft = Draft(
        opening=read_begin(tables.begin, findings),
        calendar=read_flow(tables.flow, findings),
        victory=tables.victory,
        builds_anywhere=tables.builds_anywhere,
    )
    _add_areas(draft, tables, findings)
    _add_ways(draft, tables, findings)
    draft.powers += [_power(row, draft, findings) for row in tables.powers.values()]
    for id_, place in tables.centers().items():
        if _known(id_, draft, place, findings):
            draft.areas[id_.lower()].is_center = True
    return draft


def _forget_no_powers(tables: Tables, findings: Findings) -> None:
    """A line that begins with an unknown word is a power only if it lists places of the map."""
    for id_, row in list(tables.powers.items()):
        is_power = row.is_sure or (
            bool(row.homes) and all(home in tables.names for home in row.homes)
        )
        if not is_power:
            findings.leave_out(f"{row.name}: an unknown directive", row.place)
            del tables.powers[id_]


# --- areas ----------------------------------------------------------------------------------------


def _add_areas(draft: Draft, tables: Tables, findings: Findings) -> None:
    for id_, named in tables.names.items():
        if "/" not in id_:
            _add_area(draft, id_, named, tables, findings)
    for id_, named in tables.names.items():
        province, _, coast = id_.partition("/")
        if coast and (area := draft.areas.get(province.lower())):
            if id_ in tables.spots:
                words = [named.name, *named.words]
                area.aliases += [_alias(word, coast.lower()) for word in words]
            else:
                findings.fault(f"{named.name} ({id_}) has no terrain", named.place)
    for id_, spot in tables.spots.items():
        province = province_of(id_)
        if province not in tables.names:
            findings.fault(f"{spot.written} has no line with its full name", spot.place)
        elif province not in tables.spots and province != id_:
            text = f"{spot.written}: there is no line for the province {province.lower()}"
            findings.fault(text, spot.place)


def _add_area(
    draft: Draft, id_: str, named: NamedPlace, tables: Tables, findings: Findings
) -> None:
    spot = tables.spots.get(id_)
    if spot is None:
        findings.fault(f"{named.name} ({id_.lower()}) has no terrain", named.place)
    kind = KINDS.get(spot.terrain if spot else "", AreaKind.LAND)
    aliases = [_alias(word) for word in (id_, *named.words)]
    draft.areas[id_.lower()] = Area(id_.lower(), named.name, named.place, kind, aliases=aliases)


def _alias(word: str, coast: str | None = None) -> Alias:
    text = " ".join(word.rstrip("?").replace("+", " ").split())
    return Alias(text, coast, is_unclear=word.endswith("?"))


# --- ways -----------------------------------------------------------------------------------------


def _add_ways(draft: Draft, tables: Tables, findings: Findings) -> None:
    for id_, spot in tables.spots.items():
        site = _site(id_)
        if site.area not in draft.areas or spot.terrain == "SHUT":
            continue
        if site.coast and site.coast not in COASTS:
            text = f"{spot.written}: there are the coasts {', '.join(COASTS)} and no others"
            findings.fault(text, spot.place)
            continue
        if "/" not in id_ and spot.terrain in SOLID:
            draft.army[site] = {}
        if spot.takes_fleets:
            draft.fleet[site] = {}
        for abut in spot.abuts:
            other = tables.spots.get(abut.id)
            if other is None:
                findings.fault(f"{spot.written}: there is no place {abut.written}", abut.place)
                continue
            if _site(abut.id).area not in draft.areas:
                continue  # said already: it has no full name
            if spot.takes_fleets and other.takes_fleets and abut.lets_fleets:
                _add(draft.fleet, site, _site(abut.id), abut.place)
            base = tables.spots.get(province_of(abut.id))
            if site in draft.army and _takes_armies(base) and abut.lets_armies:
                _add(draft.army, site, Site(_site(abut.id).area), abut.place)


def _takes_armies(spot: Spot | None) -> bool:
    return spot is not None and spot.terrain in SOLID


def _add(ways: Ways, origin: Site, target: Site, place: Place) -> None:
    if origin.area != target.area:
        ways[origin].setdefault(target, place)


def _site(id_: str) -> Site:
    province, _, coast = id_.lower().partition("/")
    return Site(province, coast or None)


# --- powers ---------------------------------------------------------------------------------------


def _power(row: PowerRow, draft: Draft, findings: Findings) -> PowerDraft:
    homes = {id_.lower(): at for id_, at in row.homes.items() if _known(id_, draft, at, findings)}
    owned: dict[str, Place] | None = None
    if row.owns is not None:
        known = {id_: at for id_, at in row.owns.items() if _known(id_, draft, at, findings)}
        owned = {id_.lower(): at for id_, at in known.items()}
    units = [
        StartUnit(kind, _site(site), at)
        for kind, site, at in row.units.values()
        if _known(province_of(site), draft, at, findings)
    ]
    return PowerDraft(
        name=row.name.title() if row.name.isupper() else row.name,
        place=row.place,
        adjective=row.own.title() if row.own and row.own.isupper() else row.own,
        letter=row.letter,
        homes=homes,
        centers=owned,
        units=units,
    )


def _known(id_: str, draft: Draft, place: Place, findings: Findings) -> bool:
    if id_.lower() in draft.areas:
        return True
    findings.fault(f"there is no place {id_}", place)
    return False
