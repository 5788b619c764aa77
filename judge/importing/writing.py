"""Writes the folder of a variant: `variant.toml` and `board.toml`, to be read and mended by hand.

Takes a draft without faults. Knows the form of our files, and no format of others.
"""

import json
import re
from collections.abc import Iterable, Mapping
from itertools import chain

from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.variants.faults import LETTERS
from judge.importing.draft import AreaKind, Draft, PowerDraft, Site
from judge.importing.naming import Names, key_of, make_names

FIRST_YEAR = 1901


def folder_files(draft: Draft, name: str, source: str) -> Mapping[str, str]:
    """The texts of both files, by name."""
    names = make_names(draft)
    return {
        "variant.toml": "\n".join(_variant_lines(draft, names, name, source)) + "\n",
        "board.toml": "\n".join(_board_lines(draft, names, source)) + "\n",
    }


def _toml(value: object) -> str:
    """A value as TOML writes it on one line."""
    match value:
        case bool() | int():
            return str(value).lower()
        case dict():
            return f"{{ {', '.join(_pairs(value))} }}"
        case list() | tuple():
            return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _pairs(values: Mapping[str, object]) -> list[str]:
    """`key = value` of what there is: None and empty lists are left out."""
    return [
        f"{key if re.fullmatch(r'[A-Za-z0-9_-]+', key) else _toml(key)} = {_toml(value)}"
        for key, value in values.items()
        if value is not None and value != []
    ]


# --- variant.toml ---------------------------------------------------------------------------------


def _variant_lines(draft: Draft, names: Names, name: str, source: str) -> list[str]:
    total, victory = draft.center_count(), draft.victory
    if victory is None:
        victory = total // 2 + 1
        draft.assume(f"no count of centers for victory: {victory} of {total}, more than half")
    first_year, start = _opening(draft)
    head = {
        "name": name,
        "board": "board.toml",
        "victory_centers": victory,
        "start": start,
        "builds": "any" if draft.builds_anywhere else None,
    }
    calendar = {
        "first_year": first_year,
        "cycle_years": draft.calendar.cycle_years,
        "adjustment_letter": draft.calendar.adjustment_letter,
        "turns": [{"letter": at, "years_after": years} for at, years in draft.calendar.turns],
    }
    lines = [f"# Imported from {source}. The board stands in board.toml.", "", *_pairs(head)]
    lines += ["", "[titles]", *_pairs({"en": name.replace("_", " ").title()})]
    lines += ["", "# Adjustments follow the last turn of the cycle.", "[calendar]"]
    lines += _pairs(calendar)
    ids: set[str] = set()
    for power, letter in zip(draft.powers, _letters(draft), strict=True):
        id_ = power_id(power.name, ids)
        ids.add(id_)
        lines += ["", "[[powers]]", *_pairs({"id": id_, "letter": letter})]
        lines += _pairs(_power(power, draft, names))
    return lines


def _opening(draft: Draft) -> tuple[int, str | None]:
    """The first year of the calendar, and the start if that is not its first movement."""
    calendar, opening = draft.calendar, draft.opening
    if opening is None:
        draft.assume(f"no first phase: {calendar.turns[0][0]}{FIRST_YEAR}M")
        return FIRST_YEAR, None
    if opening.kind == "A":
        return opening.year - calendar.turns[-1][1] + calendar.cycle_years, draft.phase()
    years = dict(reversed(calendar.turns))[opening.letter]
    is_first = (opening.letter, years) == calendar.turns[0]
    return opening.year - years, None if is_first else draft.phase()


def _letters(draft: Draft) -> list[str]:
    """A letter for each power: its own, else one of its name that no other has, else any."""
    taken = {power.letter for power in draft.powers if power.letter}
    letters: list[str] = []
    for power in draft.powers:
        letter = power.letter
        if letter is None:
            called = key_of(power.name).upper()
            free = (
                each for each in chain(called, LETTERS) if each in LETTERS and each not in taken
            )
            letter = next(free, LETTERS[0])
            if letter != called[:1]:
                draft.assume(f"{power.name} has the letter {letter}", power.place)
        taken.add(letter)
        letters.append(letter)
    return letters


def _power(power: PowerDraft, draft: Draft, names: Names) -> dict[str, object]:
    key = key_of(power.name)
    after = next((area for area in draft.areas.values() if key_of(area.name) == key), None)
    if after is not None:
        text = f"{power.name} is named as {after.name}; in orders the name means the area"
        draft.assume(text, power.place)
        called = {"named_after": names.ids[after.key]}
    else:
        called = {"name": power.name, "adjective": _adjective(power, draft)}
    homes = sorted(names.ids[key] for key in power.homes)
    owned = sorted(names.ids[key] for key in power.centers or ())
    sites = (
        unit.site if len(draft.coasts(unit.site.area)) > 1 else Site(unit.site.area)
        for unit in power.units
    )
    units = [
        f"{unit.kind} {_location(site, names)}"
        for unit, site in zip(power.units, sites, strict=True)
    ]
    return {
        **called,
        "home_centers": homes,
        "start_centers": None if power.centers is None or owned == homes else tuple(owned),
        "start_units": sorted(units),
    }


def _adjective(power: PowerDraft, draft: Draft) -> str:
    """Its own, unless that is another power's or an area's name; else the power's name."""
    own = power.adjective
    if own is None:
        return power.name
    powers = [each for each in draft.powers if each is not power]
    others = [area.name for area in draft.areas.values()]
    others += [name for each in powers for name in (each.name, each.adjective or "")]
    if key_of(own) not in map(key_of, others):
        return own
    text = f"{power.name}: the adjective {own}, which means something else too"
    draft.leave_out(text, power.place)
    return power.name


def power_id(name: str, taken: set[str]) -> str:
    """Capital letters and underscores; another power's id gets one more."""
    bare = re.sub(r"[^A-Z]+", "_", normalize(name).text.upper()).strip("_") or "POWER"
    while bare in taken:
        bare += "_B"
    return bare


def _location(site: Site, names: Names) -> str:
    return f"{names.ids[site.area]}/{site.coast.upper()}" if site.coast else names.ids[site.area]


# --- board.toml -----------------------------------------------------------------------------------


def _board_lines(draft: Draft, names: Names, source: str) -> list[str]:
    areas = sorted(draft.areas.values(), key=lambda area: names.ids[area.key])
    lines = [f"# Imported from {source}.", ""]
    lines += [
        "# kind: land, coast, sea or closed. `center` marks a supply center.",
        "provinces = [",
    ]
    for area in areas:
        id_, is_coast = names.ids[area.key], draft.has_fleets(area.key)
        row = {
            "id": id_,
            "name": area.name,
            "kind": "coast" if area.kind is AreaKind.LAND and is_coast else str(area.kind),
            "center": area.is_center or None,
            "coasts": sorted(coast.upper() for coast in draft.coasts(area.key)),
            "aliases": list(names.aliases[id_]),
        }
        lines.append(f"  {_toml(row)},")
    lines.append("]")
    army = {
        names.ids[area.key]: _listed(draft.army.get(Site(area.key), ()), names)
        for area in areas
        if area.kind is AreaKind.LAND
    }
    fleet = {
        _location(site, names): _listed(targets, names)
        for site, targets in draft.fleet.items()
        if (kind := draft.areas[site.area].kind) is AreaKind.SEA
        or (kind is AreaKind.LAND and draft.has_fleets(site.area))
    }
    for comment, table, rows in (
        (
            "Other ways to write a location with a named coast.",
            "coast_aliases",
            names.coast_aliases,
        ),
        ("Taken only where a single reading fits.", "ambiguous_aliases", names.ambiguous),
        ("Where an army may go in one step.", "army", army),
        ("Where a fleet may go in one step.", "fleet", dict(sorted(fleet.items()))),
    ):
        if rows or table in ("army", "fleet"):
            lines += ["", f"# {comment}", f"[{table}]", *_pairs(rows)]
    return lines


def _listed(targets: Iterable[Site], names: Names) -> str:
    return " ".join(sorted(_location(target, names) for target in targets))
