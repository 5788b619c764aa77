"""Writes the files of a variant, `variant.toml` and `board.toml`, to be read and mended by hand;
finds ids and names for all.

Takes a draft without faults. Knows the form of our files, and no format of others.
"""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain, combinations, product
from string import ascii_uppercase
from typing import NamedTuple

import msgspec

from judge.diplomacy.board import Terrain
from judge.diplomacy.language.lexicon import plain_key, said_in_orders
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.name_collisions import WON_BY_IDS
from judge.diplomacy.variants.faults import LETTERS
from judge.diplomacy.variants.files import Place
from judge.importing.draft import Alias, Draft, Site

_ID = re.compile(r"[A-Z]{3}")


class Names(msgspec.Struct, frozen=True):
    """Ids by an area's key, and aliases in capitals."""

    ids: Mapping[str, str]
    # Of provinces by id, and of locations with a coast by `SPA/NC`.
    aliases: Mapping[str, list[str]]
    ambiguous: Mapping[str, list[str]]  # by alias, the provinces that it may mean


def make_names(draft: Draft) -> Names:
    """Ids and aliases of all areas. What is written otherwise than in the map is noted."""
    powers = {
        plain_key(name): power.name
        for power in draft.powers
        for name in (power.name, power.adjective)
        if name
    }
    words = {plain_key(name) for name, _ in said_in_orders()}
    strict = {plain_key(name) for name, use in said_in_orders() if use not in WON_BY_IDS}
    ids = _ids(draft, {key.upper() for key in strict | powers.keys()})
    aliases: dict[str, list[str]] = {}
    ambiguous: dict[str, list[str]] = {}
    unclear = {
        plain_key(alias.text): (alias, area)
        for area in reversed(draft.areas.values())
        for alias in area.aliases
        if alias.is_unclear
    }
    for key, (text, places) in _meanings(draft, ids, words).items():
        alias, area = unclear.get(key, (None, None))
        if len(places) > 1 and key in powers:
            said = f"the alias {text.lower()} of {' and '.join(places)}, which is {powers[key]} too"
            draft.leave_out(said, area.place if area else None)
            continue
        if alias and area:
            said = f"{area.name}: the alias {alias.text} is read where a place is meant"
            draft.assume(said, area.place)
        if len(places) > 1:
            ambiguous[text] = places
        else:
            aliases.setdefault(places[0], []).append(text)
    return Names(
        ids,
        {place: sorted(each) for place, each in sorted(aliases.items())},
        dict(sorted(ambiguous.items())),
    )


def _ids(draft: Draft, barred: set[str]) -> dict[str, str]:
    """An id for each area: its first abbreviation if that is of three letters, else another of its
    abbreviations, else one made from the letters of its abbreviation, of its name, or any.

    It is no power's name, and no word of orders but those that give way to it.
    """
    ids = {key: key.upper() for key in draft.areas}
    ids = {key: id_ for key, id_ in ids.items() if _ID.fullmatch(id_) and id_ not in barred}
    words = {
        plain_key(alias.text).upper() for area in draft.areas.values() for alias in area.aliases
    }
    for area in draft.areas.values():
        if area.key in ids:
            continue
        taken = set(ids.values()) | barred
        mine = [plain_key(alias.text).upper() for alias in area.aliases if alias.coast is None]
        own = next((word for word in mine if _ID.fullmatch(word) and word not in taken), None)
        names = [re.sub("[^A-Z]", "", plain_key(each).upper()) for each in (area.key, area.name)]
        made = chain(
            (name[0] + "".join(two) for name in names for two in combinations(name[1:13], 2)),
            map("".join, product(ascii_uppercase, repeat=3)),
        )
        free = (each for each in made if each not in taken and each not in words)
        ids[area.key] = own or next(free)
        text = f"{area.name}: {area.key} has the id {ids[area.key]}, of three letters"
        draft.assume(text, area.place)
    return {key: ids[key] for key in draft.areas}


def _meanings(
    draft: Draft, ids: Mapping[str, str], words: set[str]
) -> dict[str, tuple[str, list[str]]]:
    """By `plain_key`, how an alias is written and what it may mean. A word of orders is none."""
    own = {id_.lower(): id_ for id_ in ids.values()}
    meanings: dict[str, tuple[str, list[str]]] = {}
    for area in draft.areas.values():
        id_ = ids[area.key]
        for alias in (Alias(area.name), *area.aliases):
            key = plain_key(alias.text)
            if not key or key == id_.lower():
                continue
            if key in words and alias.text == area.name:
                text = f"the name {area.name} is a word of orders; call it otherwise"
                draft.fault(text, area.place)
            elif key in words:
                text = f"{area.name}: the alias {alias.text}, a word of orders"
                draft.leave_out(text, area.place)
            else:
                has_coast = alias.coast and len(draft.coasts(area.key)) > 1
                place = f"{id_}/{str(alias.coast).upper()}" if has_coast else id_
                text = " ".join(alias.text.upper().split())
                _, known = meanings.setdefault(key, (text, [own[key]] if key in own else []))
                if place not in known:
                    known.append(place)
    return meanings


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


def _text_rows(*lines: str) -> list[Row]:
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
    yield from _text_rows(f"# Imported from {source}. The board stands in board.toml.", "")
    yield from _pairs({"name": name, "board": "board.toml", "victory_centers": victory})
    place = opening.place if opening else None
    yield from _pairs({"start": None if is_first else str(opening)}, place)
    yield from _pairs({"builds": "any" if draft.builds_anywhere else None})
    yield from _text_rows("", "[titles]", f"en = {_toml(name.replace('_', ' ').title())}")
    yield from _text_rows("", "# Adjustments follow the last turn of the cycle.", "[calendar]")
    yield from _pairs({"first_year": first_year}, place)
    turns = [{"letter": at, "years_after": years} for at, years in calendar.turns]
    yield from _pairs({"cycle_years": calendar.cycle_years})
    yield from _pairs({"adjustment_letter": calendar.adjustment_letter, "turns": turns})
    yield from _power_rows(draft, names)


def _power_rows(draft: Draft, names: Names) -> Iterator[Row]:
    """The powers' tables, with the letters and names that they have or get."""
    areas = {plain_key(area.name): area for area in reversed(draft.areas.values())}
    letters = {power.letter for power in draft.powers if power.letter}
    ids: set[str] = set()
    for power in draft.powers:
        id_ = re.sub(r"[^A-Z]+", "_", normalize(power.name).text.upper()).strip("_") or "POWER"
        while id_ in ids:
            id_ += "_B"
        ids.add(id_)

        letter = power.letter
        if not letter:  # one of its name that no other power has, else any
            called = plain_key(power.name).upper()
            free = [each for each in called + LETTERS if each in LETTERS and each not in letters]
            letter = free[0] if free else LETTERS[0]
            if letter != called[:1]:
                draft.assume(f"{power.name} has the letter {letter}", power.place)
            letters.add(letter)

        if after := areas.get(plain_key(power.name)):
            text = f"{power.name} is named as {after.name}; in orders the name means the area"
            draft.assume(text, power.place)
            called_as = {"named_after": names.ids[after.key]}
        else:
            # An adjective that is another power's or an area's name is none.
            others = [each for each in draft.powers if each is not power]
            taken = {
                plain_key(name) for each in others for name in (each.name, each.adjective or "")
            }
            adjective = power.adjective or power.name
            if power.adjective and plain_key(adjective) in taken | areas.keys():
                text = f"{power.name}: the adjective {adjective}, which means something else too"
                draft.leave_out(text, power.place)
                adjective = power.name
            called_as = {"name": power.name, "adjective": adjective}

        homes = sorted(names.ids[key] for key in power.homes)
        owned = sorted(names.ids[key] for key in power.centers or ())
        units = [f"{unit.kind} {_location(unit.site, names)}" for unit in power.units]
        head = {
            "id": id_,
            "letter": letter,
            **called_as,
            "home_centers": homes,
            "start_centers": None if power.centers is None or owned == homes else tuple(owned),
            "start_units": sorted(units),
        }
        yield from (Row(""), Row("[[powers]]", power.place), *_pairs(head, power.place))


def _location(site: Site, names: Names) -> str:
    return str(Site(names.ids[site.area], site.coast and site.coast.upper()))


def _board_rows(draft: Draft, names: Names, source: str) -> Iterator[Row]:
    areas = sorted(draft.areas.values(), key=lambda area: names.ids[area.key])
    solid = [area.key for area in areas if area.kind is Terrain.LAND]
    wet = {area.key for area in areas if area.kind is Terrain.SEA}
    wet |= {key for key in solid if draft.has_fleets(key)}
    about = "# kind: land, coast, sea or closed. `center` marks a supply center."
    yield from _text_rows(f"# Imported from {source}.", "", about, "provinces = [")
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
            yield from (*_text_rows("", f"# {about}", f"[{table}]"), *_pairs(values))
    for table, about, sites, ways in (
        ("army", "an army", [Site(key) for key in solid], draft.army),
        ("fleet", "a fleet", [site for site in draft.fleet if site.area in wet], draft.fleet),
    ):
        yield from _text_rows("", f"# Where {about} may go in one step.", f"[{table}]")
        for origin, site in sorted((_location(site, names), site) for site in sites):
            targets = ways.get(site, {})
            listed = sorted(_location(target, names) for target in targets)
            place = next(iter(targets.values()), draft.areas[site.area].place)
            yield from _pairs({origin: " ".join(listed)}, place)
