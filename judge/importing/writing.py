"""Writes the files of a variant, `variant.toml` and `board.toml`, to be read and mended by hand.

Takes a draft without faults. Knows the form of our files, and no format of others.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from judge.diplomacy.board import Terrain
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.variants.faults import LETTERS
from judge.diplomacy.variants.files import Place
from judge.importing.draft import Draft, PowerDraft, Site
from judge.importing.naming import Names, key_of, make_names

FIRST_YEAR = 1901


class Row(NamedTuple):
    """A line of our files, and the line of the map that it comes from."""

    text: str
    place: Place | None = None


def folder_files(draft: Draft, name: str, source: str) -> Mapping[str, list[Row]]:
    """The lines of both files, by the file's name."""
    names = make_names(draft)
    return {
        "variant.toml": list(_variant_rows(draft, names, name, source)),
        "board.toml": list(_board_rows(draft, names, source)),
    }


def _toml(value: object) -> str:
    """A value as TOML writes it on one line."""
    match value:
        case bool() | int():
            return str(value).lower()
        case dict():
            return f"{{ {', '.join(row.text for row in _pairs(value))} }}"
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _pairs(values: Mapping[str, object], place: Place | None = None) -> Iterator[Row]:
    """`key = value` of what there is: None and empty lists are left out."""
    for key, value in values.items():
        if value is not None and value != []:
            is_bare = re.fullmatch(r"[A-Za-z0-9_-]+", key)
            yield Row(f"{key if is_bare else _toml(key)} = {_toml(value)}", place)


def _rows(*lines: str) -> list[Row]:
    return [Row(line) for line in lines]


# --- variant.toml ---------------------------------------------------------------------------------


def _variant_rows(draft: Draft, names: Names, name: str, source: str) -> Iterator[Row]:
    calendar, opening = draft.calendar, draft.opening
    total, victory = draft.center_count(), draft.victory
    if victory is None:
        victory = total // 2 + 1
        draft.assume(f"no count of centers for victory: {victory} of {total}, more than half")
    first_year, is_first = FIRST_YEAR, True
    if opening is None:
        draft.assume(f"no first phase: {calendar.turns[0][0]}{FIRST_YEAR}M")
    elif opening.kind == "A":
        first_year = opening.year - calendar.turns[-1][1] + calendar.cycle_years
        is_first = False
    else:
        years = dict(reversed(calendar.turns)).get(opening.letter, 0)
        first_year = opening.year - years
        is_first = (opening.letter, years, opening.kind) == (*calendar.turns[0], "M")
    yield from _rows(f"# Imported from {source}. The board stands in board.toml.", "")
    yield from _pairs({"name": name, "board": "board.toml", "victory_centers": victory})
    place = opening.place if opening else None
    yield from _pairs({"start": None if is_first else str(opening)}, place)
    yield from _pairs({"builds": "any" if draft.builds_anywhere else None})
    yield from _rows("", "[titles]", f"en = {_toml(name.replace('_', ' ').title())}")
    yield from _rows("", "# Adjustments follow the last turn of the cycle.", "[calendar]")
    yield from _pairs({"first_year": first_year}, place)
    turns = [{"letter": at, "years_after": years} for at, years in calendar.turns]
    yield from _pairs({"cycle_years": calendar.cycle_years})
    yield from _pairs({"adjustment_letter": calendar.adjustment_letter, "turns": turns})
    letters = {power.letter for power in draft.powers if power.letter}
    ids: set[str] = set()
    for power in draft.powers:
        letter = power.letter or _letter(power, draft, letters)
        letters.add(letter)
        id_ = re.sub(r"[^A-Z]+", "_", normalize(power.name).text.upper()).strip("_") or "POWER"
        while id_ in ids:
            id_ += "_B"
        ids.add(id_)
        homes = sorted(names.ids[key] for key in power.homes)
        owned = sorted(names.ids[key] for key in power.centers or ())
        head = {
            "id": id_,
            "letter": letter,
            **_called(power, draft, names),
            "home_centers": homes,
            "start_centers": None if power.centers is None or owned == homes else tuple(owned),
            "start_units": sorted(
                f"{unit.kind} {_location(unit.site, names)}" for unit in power.units
            ),
        }
        yield from (Row(""), Row("[[powers]]", power.place), *_pairs(head, power.place))


def _letter(power: PowerDraft, draft: Draft, taken: set[str]) -> str:
    """A letter of its name that no other power has, else any."""
    called = key_of(power.name).upper()
    free = (each for each in chain(called, LETTERS) if each in LETTERS and each not in taken)
    letter = next(free, LETTERS[0])
    if letter != called[:1]:
        draft.assume(f"{power.name} has the letter {letter}", power.place)
    return letter


def _called(power: PowerDraft, draft: Draft, names: Names) -> dict[str, str]:
    """A power's names: those of the area called alike, or its own. An adjective that is another
    power's or an area's name is none."""
    areas = {key_of(area.name): area for area in reversed(draft.areas.values())}
    if after := areas.get(key_of(power.name)):
        text = f"{power.name} is named as {after.name}; in orders the name means the area"
        draft.assume(text, power.place)
        return {"named_after": names.ids[after.key]}
    others = [each for each in draft.powers if each is not power]
    taken = {key_of(name) for each in others for name in (each.name, each.adjective or "")}
    own = power.adjective or power.name
    if power.adjective and key_of(own) in taken | areas.keys():
        text = f"{power.name}: the adjective {own}, which means something else too"
        draft.leave_out(text, power.place)
        own = power.name
    return {"name": power.name, "adjective": own}


def _location(site: Site, names: Names) -> str:
    return str(Site(names.ids[site.area], site.coast and site.coast.upper()))


def _board_rows(draft: Draft, names: Names, source: str) -> Iterator[Row]:
    areas = sorted(draft.areas.values(), key=lambda area: names.ids[area.key])
    solid = [area.key for area in areas if area.kind is Terrain.LAND]
    wet = {area.key for area in areas if area.kind is Terrain.SEA}
    wet |= {key for key in solid if draft.has_fleets(key)}
    about = "# kind: land, coast, sea or closed. `center` marks a supply center."
    yield from _rows(f"# Imported from {source}.", "", about, "provinces = [")
    for area in areas:
        id_ = names.ids[area.key]
        row = {
            "id": id_,
            "name": area.name,
            "kind": "coast" if area.key in wet and area.key in solid else str(area.kind),
            "center": area.is_center or None,
            "coasts": sorted(coast.upper() for coast in draft.coasts(area.key)),
            "aliases": names.aliases.get(id_),
        }
        yield Row(f"  {_toml(row)},", area.place)
    yield Row("]")
    coasts = {at: each for at, each in names.aliases.items() if "/" in at}
    for about, table, values in (
        ("Other ways to write a location with a named coast.", "coast_aliases", coasts),
        ("Taken only where a single reading fits.", "ambiguous_aliases", names.ambiguous),
    ):
        if values:
            yield from (*_rows("", f"# {about}", f"[{table}]"), *_pairs(values))
    for kind, sites, ways in (
        ("army", [Site(key) for key in solid], draft.army),
        ("fleet", [site for site in draft.fleet if site.area in wet], draft.fleet),
    ):
        yield from _rows(
            "", f"# Where {'an' if kind == 'army' else 'a'} {kind} may go in one step."
        )
        yield Row(f"[{kind}]")
        for origin, site in sorted((_location(site, names), site) for site in sites):
            targets = ways.get(site, {})
            listed = sorted(_location(target, names) for target in targets)
            place = next(iter(targets.values()), draft.areas[site.area].place)
            yield from _pairs({origin: " ".join(listed)}, place)
