"""Reads the map of an njudge variant, `map.<variant>`: areas, moves and options.

Each block ends with a line that begins with -1. The seed file is read by njudge_seed.py.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from judge.importing.draft import COASTS, Alias, Area, AreaKind, Draft, Site
from judge.importing.findings import Findings, Place
from judge.importing.sources import Line

END = "-1"
BLOCKS = ("areas", "moves", "options")

_MOVES = re.compile(r"([^\s:,]+)-(\w\w)(?:\s*:\s*|\s+|$)(.*)")
_NEIGHBOR = re.compile(r"([^\s/]+?)(?:/([A-Za-z]\w))?([^\w\s/]*)")
_TYPE = re.compile(r"([A-Za-z0-9])(w?)((?:[0-9][\w.]*)?)")
_OPTIONS = re.compile(r"(center\s+order|hong\s*kong|gateway|railway)", re.IGNORECASE)
_OPTION_END = re.compile(r"#\s*end", re.IGNORECASE)
_OPTION_NAMES = {
    "centerorder": "the order of centers in summaries",
    "hongkong": "a center that does not count for one power (Hong Kong)",
    "gateway": "a gateway between two seas",
    "railway": "a railway",
}
_UNUSUAL_SEAS = {
    "v": "water that freezes in fall: fleets may be there all year",
    "h": "water where any number of fleets may be: one may",
}
_NO_AREAS = {"r": "a railway", "g": "a gateway"}


@dataclass(slots=True)
class NjudgeMap:
    """A map, and what the seed file refers to.

    Attributes:
        order: the letter of each area's type and its key (None for railways and gateways), in
            the order of the file.
        homes: areas by the letter of the power whose home they are, with their lines.
        words: the areas that an abbreviation may mean, in lower case; none for what is no area.
    """

    draft: Draft = field(default_factory=Draft)
    order: list[tuple[str, str | None]] = field(default_factory=list)
    homes: dict[str, dict[str, Place]] = field(default_factory=dict)
    words: dict[str, tuple[str, ...]] = field(default_factory=dict)


def read_map(lines: tuple[Line, ...], findings: Findings) -> NjudgeMap:
    """All three blocks. What is wrong is noted, and the rest read on."""
    blocks = _blocks(lines, findings)
    result = NjudgeMap()
    for line in blocks["areas"]:
        _read_area(line, result, findings)
    _learn_words(result, findings)
    for line in blocks["moves"]:
        _read_moves(line, result, findings)
    _close(result.draft)
    _name_options(blocks["options"], findings)
    return result


def _blocks(lines: tuple[Line, ...], findings: Findings) -> dict[str, list[Line]]:
    """The lines of each block; an end that is missing is noted where the next block begins."""
    blocks: dict[str, list[Line]] = {name: [] for name in BLOCKS}
    at = 0
    for line in lines:
        if at >= len(BLOCKS):
            break
        if line.text.startswith(END):
            at += 1
            continue
        is_comment = line.text.startswith("#")
        if not line.text or (is_comment and not (at == 2 and _OPTION_END.match(line.text))):
            continue
        if _begins_next(at, line.text):
            findings.fault(f"the {BLOCKS[at]} have no end: before this line, write -1", line.place)
            at += 1
        blocks[BLOCKS[at]].append(line)
    if at < len(BLOCKS) and lines:
        where = next((line.place for line in reversed(lines) if line.text), lines[-1].place)
        findings.fault(f"the {BLOCKS[at]} have no end: after this line, write -1", where)
        for name in BLOCKS[at + 1 : 2]:
            findings.fault(f"there are no {name}", where)
    return blocks


def _begins_next(at: int, text: str) -> bool:
    if at == 0:
        return "," not in text and re.match(r"[^\s:,]+-\w\w\s*:", text) is not None
    return at == 1 and not _MOVES.fullmatch(text) and _OPTIONS.match(text) is not None


# --- areas ----------------------------------------------------------------------------------------


def _read_area(line: Line, result: NjudgeMap, findings: Findings) -> None:
    name, comma, rest = line.text.partition(",")
    name, words = " ".join(name.split()), rest.split()
    if not comma or not name or len(words) < 2:
        findings.fault(f'"{line.text}" is no area; write "Northland, l nor"', line.place)
        return
    found = _TYPE.fullmatch(words[0])
    if found is None:
        findings.fault(f'{name}: there is no type "{words[0]}"', line.place)
        return
    letter, dual, more = found.groups()
    key = words[1].lower()
    if letter in _NO_AREAS:
        findings.leave_out(f"{name} is {_NO_AREAS[letter]}", line.place)
        result.order.append((letter, None))
        result.words |= {word.lower(): () for word in words[1:]}
        return
    result.order.append((letter, key))
    if more:
        text = f'{name}: the mark "{more}" of its type (income and fortress in Machiavelli)'
        findings.leave_out(text, line.place)
    area = Area(key, name, line.place, AreaKind.LAND, aliases=[Alias(word) for word in words[1:]])
    _set_kind(area, letter, result, findings)
    if dual and area.kind is AreaKind.LAND:
        findings.leave_out(f"{name}: fleets there may convoy (duality)", line.place)
    other = result.draft.areas.setdefault(key, area)
    if other is not area:
        text = f"{name} has the abbreviation {key} of {other.name} (line {other.place.line})"
        findings.fault(text, line.place)


def _set_kind(area: Area, letter: str, result: NjudgeMap, findings: Findings) -> None:
    """What the letter of its type says; a fault if it says nothing."""
    if letter == "w" or letter in _UNUSUAL_SEAS:
        area.kind = AreaKind.SEA
        if letter in _UNUSUAL_SEAS:
            findings.leave_out(f"{area.name} is {_UNUSUAL_SEAS[letter]}", area.place)
        return
    if letter == "l":
        return
    if letter != "x" and not (letter.isupper() or letter.isdigit()):
        findings.fault(f'{area.name}: there is no type "{letter}"', area.place)
        return
    area.is_center = True
    if letter in "MO":
        text = f"{area.name}: no power has the letter {letter}, which is the master's or observers'"
        findings.fault(text, area.place)
    elif letter != "x":
        result.homes.setdefault(letter, {})[area.key] = area.place


def _learn_words(result: NjudgeMap, findings: Findings) -> None:
    """Which areas each abbreviation may mean; a first one means its own area alone."""
    for area in result.draft.areas.values():
        for alias in area.aliases[1:]:
            word = alias.text.lower()
            if word not in result.draft.areas:
                known = result.words.get(word, ())
                result.words[word] = known if area.key in known else (*known, area.key)
    for key in result.draft.areas:
        result.words[key] = (key,)
    if not result.draft.areas:
        findings.fault("there are no areas")


# --- moves ----------------------------------------------------------------------------------------


def _read_moves(line: Line, result: NjudgeMap, findings: Findings) -> None:
    found = _MOVES.fullmatch(line.text)
    if found is None:
        text = f'"{line.text}" says no moves; write "nor-xc: str"'
        findings.fault(text, line.place)
        first = re.split(r"[\s:-]", line.text, maxsplit=1)[0].lower()
        result.draft.unread.update(result.words.get(first, ()))
        return
    written, kind, rest = found[1], found[2].lower(), found[3]
    if not line.text[found.end(2) :].lstrip().startswith(":"):
        findings.assume(f"{written}-{kind} has no colon; read as if it had one", line.place)
    origin = _area(written, result, line.place, findings)
    if kind not in ("mv", "xc", *COASTS):
        text = f"{written}-{kind}: there are mv, xc and the coasts {', '.join(COASTS)}"
        findings.fault(text, line.place)
        result.draft.unread |= {origin} if origin else set()
        return
    is_army = kind == "mv"
    targets = list(_targets(rest, result, line.place, findings, is_army=is_army))
    if origin is None:
        return
    if is_army and result.draft.areas[origin].kind is AreaKind.SEA:
        findings.fault(f"{written}-mv: {written} is water, where no army goes", line.place)
        return
    ways = result.draft.army if is_army else result.draft.fleet
    site = Site(origin, kind if kind in COASTS else None)
    known = ways.setdefault(site, {})
    for target in targets:
        if target.area != origin:
            known.setdefault(target, line.place)


def _targets(
    rest: str, result: NjudgeMap, place: Place, findings: Findings, *, is_army: bool
) -> Iterator[Site]:
    """The neighbors of one line; marks that we do not know are left out, and the way kept."""
    for word in rest.split():
        found = _NEIGHBOR.fullmatch(word)
        written, tail, mark = found.groups() if found else (word, None, "")
        area = _area(written, result, place, findings)
        if area is None:
            continue
        coast = tail.lower() if tail and not is_army and tail.lower() in COASTS else None
        if mark or (tail and not coast):
            sign = mark if coast or not tail else f"/{tail}{mark}"
            findings.leave_out(f'the mark "{sign}" of {word}: the way is open to all', place)
        yield Site(area, coast)


def _area(written: str, result: NjudgeMap, place: Place, findings: Findings) -> str | None:
    meant = result.words.get(written.lower())
    if meant is None:
        findings.fault(f"there is no abbreviation {written}", place)
        return None
    if len(meant) > 1:
        both = " and ".join(meant)
        findings.fault(f"{written} means both {both}; write one of them", place)
        return None
    return meant[0] if meant else None


def _close(draft: Draft) -> None:
    """Areas of land without any moves are closed."""
    used = {site.area for ways in (draft.army, draft.fleet) for site, to in ways.items() if to}
    used |= {to.area for ways in (draft.army, draft.fleet) for each in ways.values() for to in each}
    for area in draft.areas.values():
        if area.key not in used:
            area.kind = AreaKind.CLOSED


# --- options --------------------------------------------------------------------------------------


def _name_options(lines: list[Line], findings: Findings) -> None:
    """Name each block of options: our variants have none of them from such a file."""
    begun: Line | None = None
    for line in lines:
        if _OPTION_END.match(line.text):
            begun = None
        elif begun is None:
            begun = line
            found = _OPTIONS.match(line.text)
            what = _OPTION_NAMES["".join(found[1].lower().split())] if found else None
            findings.leave_out(what or f'the option "{line.text}"', line.place)
    if begun is not None and _OPTIONS.match(begun.text):
        findings.fault("these options have no end: after them, write #end", begun.place)
