"""Writes the folder of a variant: `variant.toml` and `board.toml`, to be read and mended by hand.

Takes a draft without faults. Knows the form of our files, and no format of others.
"""

import json
import re
from collections.abc import Iterable, Mapping
from itertools import chain

from judge.diplomacy.language.text import plain
from judge.diplomacy.variants.faults import LETTERS
from judge.importing.draft import Area, AreaKind, Draft, PowerDraft, Site, StartUnit
from judge.importing.naming import Names, key_of, make_names

FIRST_YEAR = 1901


def folder_files(draft: Draft, name: str, source: str) -> Mapping[str, str]:
    """The texts of both files, by name."""
    names = make_names(draft)
    return {
        "variant.toml": _variant_text(draft, names, name, source),
        "board.toml": _board_text(draft, names, source),
    }


def _quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _key(text: str) -> str:
    return text if re.fullmatch(r"[A-Za-z0-9_-]+", text) else _quoted(text)


# --- variant.toml ---------------------------------------------------------------------------------


def _variant_text(draft: Draft, names: Names, name: str, source: str) -> str:
    lines = [f"# Imported from {source}. The board stands in board.toml.", ""]
    lines += [f"name = {_quoted(name)}", 'board = "board.toml"']
    lines.append(f"victory_centers = {_victory(draft)}")
    first_year, start = _opening(draft)
    if start:
        lines.append(f"start = {_quoted(start)}")
    if draft.builds_anywhere:
        lines.append('builds = "any"')
    lines += ["", "[titles]", f"en = {_quoted(name.replace('_', ' ').title())}"]
    lines += ["", "# Adjustments follow the last turn of the cycle.", "[calendar]"]
    lines += [f"first_year = {first_year}", f"cycle_years = {draft.calendar.cycle_years}"]
    lines += [f"adjustment_letter = {_quoted(draft.calendar.adjustment_letter)}", "turns = ["]
    for letter, years in draft.calendar.turns:
        lines.append(f"  {{ letter = {_quoted(letter)}, years_after = {years} }},")
    lines.append("]")
    letters = _letters(draft)
    ids: set[str] = set()
    for power, letter in zip(draft.powers, letters, strict=True):
        lines += _power_lines(power, letter, draft, names, ids)
    return "\n".join(lines) + "\n"


def _victory(draft: Draft) -> int:
    if draft.victory is not None:
        return draft.victory
    total = draft.center_count()
    draft.findings.assume(
        f"no count of centers for victory: {total // 2 + 1} of {total}, more than half"
    )
    return total // 2 + 1


def _opening(draft: Draft) -> tuple[int, str | None]:
    """The first year of the calendar, and the start if that is not its first movement."""
    calendar, opening = draft.calendar, draft.opening
    if opening is None:
        draft.findings.assume(f"no first phase: {calendar.turns[0][0]}{FIRST_YEAR}M")
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
            wanted = chain(key_of(power.name).upper(), LETTERS)
            free = (each for each in wanted if each in LETTERS and each not in taken)
            letter = next(free, LETTERS[0])
            if letter != key_of(power.name)[:1].upper():
                draft.findings.assume(f"{power.name} has the letter {letter}", power.place)
        taken.add(letter)
        letters.append(letter)
    return letters


def _power_lines(
    power: PowerDraft, letter: str, draft: Draft, names: Names, taken: set[str]
) -> list[str]:
    id_ = power_id(power.name, taken)
    taken.add(id_)
    lines = ["", "[[powers]]", f"id = {_quoted(id_)}", f"letter = {_quoted(letter)}"]
    after = _named_after(power, draft)
    if after is not None:
        lines.append(f"named_after = {_quoted(names.ids[after.key])}")
        text = f"{power.name} is named as {after.name}; in orders the name means the area"
        draft.findings.assume(text, power.place)
    else:
        lines.append(f"name = {_quoted(power.name)}")
        lines.append(f"adjective = {_quoted(_adjective(power, draft))}")
    lines.append(f"home_centers = {_list(sorted(names.ids[key] for key in power.homes))}")
    if power.centers is not None and set(power.centers) != set(power.homes):
        lines.append(f"start_centers = {_list(sorted(names.ids[key] for key in power.centers))}")
    units = sorted(
        f"{unit.kind} {_location(_unit_site(unit, draft), names)}" for unit in power.units
    )
    if units:
        lines.append(f"start_units = {_list(units)}")
    return lines


def _adjective(power: PowerDraft, draft: Draft) -> str:
    """Its own, unless that is another power's or an area's name; else the power's name."""
    own = power.adjective
    if own is None:
        return power.name
    others = {key_of(each.name) for each in draft.powers if each is not power}
    others |= {key_of(each.adjective or "") for each in draft.powers if each is not power}
    others |= {key_of(area.name) for area in draft.areas.values()}
    if key_of(own) not in others:
        return own
    text = f"{power.name}: the adjective {own}, which means something else too"
    draft.findings.leave_out(text, power.place)
    return power.name


def power_id(name: str, taken: set[str]) -> str:
    """Capital letters and underscores; another power's id gets one more."""
    bare = re.sub(r"[^A-Z]+", "_", plain(name).text.upper()).strip("_") or "POWER"
    while bare in taken:
        bare += "_B"
    return bare


def _named_after(power: PowerDraft, draft: Draft) -> Area | None:
    key = key_of(power.name)
    return next((area for area in draft.areas.values() if key_of(area.name) == key), None)


def _unit_site(unit: StartUnit, draft: Draft) -> Site:
    return unit.site if len(draft.coasts(unit.site.area)) > 1 else Site(unit.site.area)


def _location(site: Site, names: Names) -> str:
    return f"{names.ids[site.area]}/{site.coast.upper()}" if site.coast else names.ids[site.area]


# --- board.toml -----------------------------------------------------------------------------------


def _board_text(draft: Draft, names: Names, source: str) -> str:
    areas = sorted(draft.areas.values(), key=lambda area: names.ids[area.key])
    lines = [
        f"# Imported from {source}.",
        "",
        "# kind: land, coast, sea or closed. `center` marks a supply center.",
        "provinces = [",
        *(f"  {_province(area, draft, names)}," for area in areas),
        "]",
    ]
    if names.coast_aliases:
        lines += ["", "# Other ways to write a location with a named coast.", "[coast_aliases]"]
        lines += [f"{_key(at)} = {_list(each)}" for at, each in names.coast_aliases.items()]
    if names.ambiguous:
        lines += ["", "# Taken only where a single reading fits.", "[ambiguous_aliases]"]
        lines += [f"{_key(text)} = {_list(each)}" for text, each in names.ambiguous.items()]
    lines += ["", "# Where an army may go in one step.", "[army]"]
    for area in areas:
        if area.kind is AreaKind.LAND:
            lines.append(_way_line(Site(area.key), draft.army.get(Site(area.key), {}), names))
    lines += ["", "# Where a fleet may go in one step.", "[fleet]"]
    for site in sorted(draft.fleet, key=lambda site: _location(site, names)):
        if _holds_fleets(draft.areas[site.area], draft):
            lines.append(_way_line(site, draft.fleet[site], names))
    return "\n".join(lines) + "\n"


def _province(area: Area, draft: Draft, names: Names) -> str:
    id_ = names.ids[area.key]
    kind: str = area.kind
    if area.kind is AreaKind.LAND and draft.has_fleets(area.key):
        kind = "coast"
    parts = [f"id = {_quoted(id_)}", f"name = {_quoted(area.name)}", f"kind = {_quoted(kind)}"]
    if area.is_center:
        parts.append("center = true")
    coasts = draft.coasts(area.key)
    if coasts:
        parts.append(f"coasts = {_list(sorted(coast.upper() for coast in coasts))}")
    if names.aliases[id_]:
        parts.append(f"aliases = {_list(names.aliases[id_])}")
    return f"{{ {', '.join(parts)} }}"


def _holds_fleets(area: Area, draft: Draft) -> bool:
    if area.kind is AreaKind.LAND:
        return draft.has_fleets(area.key)
    return area.kind is AreaKind.SEA


def _way_line(site: Site, targets: Iterable[Site], names: Names) -> str:
    listed = " ".join(sorted(_location(target, names) for target in targets))
    return f"{_key(_location(site, names))} = {_quoted(listed)}"
