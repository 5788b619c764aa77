"""Reads the seed file of an njudge variant, `seed.<variant>`: first phase, units and owners.

Knows the powers that the old judges have letters for; others are named by the operator.
"""

import re
from collections.abc import Mapping

from judge.importing.draft import COASTS, Opening, PowerDraft, Site, StartUnit
from judge.importing.findings import Findings, Place
from judge.importing.njudge import END, NjudgeMap
from judge.importing.sources import Line

# Names and adjectives of the powers that the old judges' table has under these letters.
POWERS: Mapping[str, tuple[str, str]] = {
    "A": ("Austria", "Austrian"),
    "B": ("Britain", "British"),
    "C": ("China", "Chinese"),
    "E": ("England", "English"),
    "F": ("France", "French"),
    "G": ("Germany", "German"),
    "H": ("Holland", "Dutch"),
    "I": ("Italy", "Italian"),
    "J": ("Japan", "Japanese"),
    "R": ("Russia", "Russian"),
    "T": ("Turkey", "Turkish"),
}

_PHASE = re.compile(r"([A-Z])\s?([0-9]{1,4})([MRBA])", re.IGNORECASE)
_UNIT = re.compile(r"(\S)\s*:\s*([A-Za-z])\s+(.+)")
_ALONE = re.compile(r"(.+?)\s*(?:/\s*|\(\s*)(\w\w)\s*\)?")


def read_seed(
    lines: tuple[Line, ...], result: NjudgeMap, named: Mapping[str, str], findings: Findings
) -> None:
    """The first phase, the powers with their units, and who owns what.

    `named` are the operator's names of powers by letter, `Kongo` or `Kongo/Kongolese`.
    """
    powers = {letter: _power(letter, named, result) for letter in result.homes}
    parts: list[list[Line]] = [[]]
    for line in lines:
        if line.text.startswith(END):
            parts.append([])
        elif line.text and not line.text.startswith("#"):
            if len(parts) == 1 and parts[0] and _is_record(line.text, result):
                findings.fault("the units have no end: before this line, write -1", line.place)
                parts.append([])
            parts[-1].append(line)
    if len(parts) < 2 and lines:
        findings.fault("the units have no end: after them, write -1", _last(lines))
    elif len(parts) < 3 and lines:
        findings.fault("the owners' record has no end: after it, write -1", _last(lines))
    if parts[0]:
        _read_phase(parts[0][0], result, findings)
    for line in parts[0][1:]:
        _read_unit(line, result, powers, named, findings)
    for line in parts[1] if len(parts) > 1 else ():
        _read_owners(line, result, powers, findings)
    _add_powers(powers, result, named, findings)


def _is_record(text: str, result: NjudgeMap) -> bool:
    return len(text) == len(result.order) and not set(text) & {" ", ":"}


def _last(lines: tuple[Line, ...]) -> Place:
    return next((line.place for line in reversed(lines) if line.text), lines[-1].place)


def _power(letter: str, named: Mapping[str, str], result: NjudgeMap) -> PowerDraft:
    name, _, adjective = named.get(letter, "/".join(POWERS.get(letter, ("",)))).partition("/")
    homes = dict(result.homes.get(letter, {}))
    place = next(iter(homes.values()), None) or Place("", 0)
    return PowerDraft(name.strip(), place, adjective.strip() or None, letter, homes)


def _read_phase(line: Line, result: NjudgeMap, findings: Findings) -> None:
    found = _PHASE.fullmatch(line.text)
    if found is None:
        findings.fault(f'"{line.text}" is no phase; one looks like S1901M', line.place)
        return
    letter, kind = found[1].upper(), found[3].upper()
    if kind in "AB":  # builds, which the old judges have in whatever season is before them
        letter, kind = result.draft.calendar.adjustment_letter, "A"
    result.draft.opening = Opening(letter, int(found[2]), kind, line.place)


def _read_unit(
    line: Line,
    result: NjudgeMap,
    powers: dict[str, PowerDraft],
    named: Mapping[str, str],
    findings: Findings,
) -> None:
    found = _UNIT.fullmatch(line.text)
    if found is None:
        findings.fault(f'"{line.text}" is no unit; one looks like "A: F Trieste"', line.place)
        return
    letter, kind, written = found[1].upper(), found[2].upper(), found[3].strip()
    site = _site(written, result)
    if site is None:
        findings.fault(f"there is no area {written}", line.place)
    if kind not in "AF":
        text = f"{line.text}: a unit {kind}, which is neither army nor fleet"
        findings.leave_out(text, line.place)
        return
    if letter not in powers:
        powers[letter] = _power(letter, named, result)
        powers[letter].place = line.place
    if site is not None:
        powers[letter].units.append(StartUnit(kind, site, line.place))


def _site(written: str, result: NjudgeMap) -> Site | None:
    """The area, and the coast after a slash, by full name or abbreviation."""
    coast: str | None = None
    area = _named(written, result)
    if area is None and (found := _ALONE.fullmatch(written)):
        area, coast = _named(found[1], result), found[2].lower()
        if coast not in COASTS and coast != "xc":
            return None
    return Site(area, None if coast == "xc" else coast) if area else None


def _named(written: str, result: NjudgeMap) -> str | None:
    plain = " ".join(written.lower().split())
    for area in result.draft.areas.values():
        if area.name.lower() == plain:
            return area.key
    meant = result.words.get(plain, ())
    return meant[0] if len(meant) == 1 else None


def _read_owners(
    line: Line, result: NjudgeMap, powers: dict[str, PowerDraft], findings: Findings
) -> None:
    """One letter for each area in the order of the map; a remark stands for the home powers."""
    record = line.text
    if " " in record or (record.isalpha() and len(record) < len(result.order) // 2):
        return
    if len(record) != len(result.order):
        text = f"the owners' record has {len(record)} signs for {len(result.order)} areas"
        findings.fault(text, line.place)
        return
    owned: dict[str, dict[str, Place]] = {letter: {} for letter in powers}
    unknown: set[str] = set()
    for sign, (_, key) in zip(record, result.order, strict=True):
        area = result.draft.areas.get(key or "")
        if area is None or not area.is_center:
            continue
        if sign in owned:
            owned[sign][area.key] = line.place
        elif sign.isupper() or sign.isdigit():
            unknown.add(sign)
    for sign in sorted(unknown):
        findings.fault(f"the owners' record names a power {sign}, which has no home", line.place)
    for letter, centers in owned.items():
        powers[letter].centers = centers


def _add_powers(
    powers: Mapping[str, PowerDraft],
    result: NjudgeMap,
    named: Mapping[str, str],
    findings: Findings,
) -> None:
    for letter in sorted(powers):
        power = powers[letter]
        if not power.name:
            text = f"there is no power {letter}; name it with --powers {letter}=NAME"
            findings.fault(text, power.place)
            power.name = letter
        result.draft.powers.append(power)
    for letter in named:
        if letter not in powers:
            findings.fault(f"--powers names {letter}, which has no home and no unit in the files")
