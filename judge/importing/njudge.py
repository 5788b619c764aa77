"""Reads an njudge variant: `map.<variant>` with areas, moves and options, `seed.<variant>` with the
first phase, units and owners.

Each block ends with a line that begins with -1. What is wrong is noted, and the rest read on. Knows
the powers that the old judges have letters for; others are named by the operator.
"""

import re
from collections.abc import Iterator, Mapping

from judge.diplomacy.variants.files import Place
from judge.importing.draft import (
    COASTS,
    Alias,
    Area,
    AreaKind,
    Draft,
    Opening,
    PowerDraft,
    Site,
    StartUnit,
)
from judge.importing.sources import Line

END = "-1"
BLOCKS = ("areas", "moves", "options")

# Names and adjectives of the powers that the old judges' table has, by the letters that they have.
_NAMED = """
    Austria/Austrian Britain/British China/Chinese England/English France/French Germany/German
    Holland/Dutch Italy/Italian Japan/Japanese Russia/Russian Turkey/Turkish
"""
POWERS: Mapping[str, str] = {names[0]: names for names in _NAMED.split()}
OPTIONS = {
    "centerorder": "the order of centers in summaries",
    "hongkong": "a center that does not count for one power (Hong Kong)",
    "gateway": "a gateway between two seas",
    "railway": "a railway",
}
UNUSUAL_SEAS = {
    "v": "water that freezes in fall: fleets may be there all year",
    "h": "water where any number of fleets may be: one may",
}
NO_AREAS = {"r": "a railway", "g": "a gateway"}

_MOVES = re.compile(r"([^\s:,]+)-(\w\w)(?:\s*:\s*|\s+|$)(.*)")
_NEIGHBOR = re.compile(r"([^\s/]+?)(?:/([A-Za-z]\w))?([^\w\s/]*)")
_TYPE = re.compile(r"([A-Za-z0-9])(w?)((?:[0-9][\w.]*)?)")
_OPTIONS = re.compile(r"(center\s+order|hong\s*kong|gateway|railway)", re.IGNORECASE)
_OPTION_END = re.compile(r"#\s*end", re.IGNORECASE)
_PHASE = re.compile(r"([A-Z])\s?([0-9]{1,4})([MRBA])", re.IGNORECASE)
_UNIT = re.compile(r"(\S)\s*:\s*([A-Za-z])\s+(.+)")
_ON_COAST = re.compile(r"(.+?)\s*(?:/\s*|\(\s*)(\w\w)\s*\)?")


def _last(lines: tuple[Line, ...]) -> Place:
    return next((line.place for line in reversed(lines) if line.text), lines[-1].place)


class NjudgeMap:
    """Reads a map, and keeps what the seed file refers to.

    Attributes:
        order: the key of each area, in the order of the file; None for railways and gateways.
        homes: areas by the letter of the power whose home they are, with their lines.
        words: the areas that an abbreviation may mean, in lower case; none for what is no area.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.fault, self.leave_out = draft.fault, draft.leave_out
        self.assume = draft.assume
        self.order: list[str | None] = []
        self.homes: dict[str, dict[str, Place]] = {}
        self.words: dict[str, tuple[str, ...]] = {}

    def read(self, lines: tuple[Line, ...]) -> None:
        blocks = self._blocks(lines)
        for line in blocks["areas"]:
            self._area(line)
        # An abbreviation may mean several areas; a first one means its own alone.
        for area in self.draft.areas.values():
            for word in (alias.text.lower() for alias in area.aliases[1:]):
                self.words[word] = tuple(dict.fromkeys((*self.words.get(word, ()), area.key)))
        self.words |= {key: (key,) for key in self.draft.areas}
        for line in blocks["moves"]:
            self._moves(line)
        for key in self.draft.areas.keys() - self.draft.linked():
            self.draft.areas[key].kind = AreaKind.CLOSED
        self._options(blocks["options"])

    def _blocks(self, lines: tuple[Line, ...]) -> dict[str, list[Line]]:
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
                self.fault(f"the {BLOCKS[at]} have no end: before this line, write -1", line.place)
                at += 1
            blocks[BLOCKS[at]].append(line)
        if at < len(BLOCKS) and lines:
            self.fault(f"the {BLOCKS[at]} have no end: after this line, write -1", _last(lines))
            for name in BLOCKS[at + 1 : 2]:
                self.fault(f"there are no {name}", _last(lines))
        return blocks

    # --- areas ------------------------------------------------------------------------------------

    def _area(self, line: Line) -> None:
        """`Northland, l nor`"""
        name, comma, rest = line.text.partition(",")
        name, words = " ".join(name.split()), rest.split()
        if not comma or not name or len(words) < 2:
            self.fault(f'"{line.text}" is no area; write "Northland, l nor"', line.place)
            return
        found = _TYPE.fullmatch(words[0])
        if found is None:
            self.fault(f'{name}: there is no type "{words[0]}"', line.place)
            return
        letter, dual, more = found.groups()
        if letter in NO_AREAS:
            self.leave_out(f"{name} is {NO_AREAS[letter]}", line.place)
            self.order.append(None)
            self.words |= {word.lower(): () for word in words[1:]}
            return
        key = words[1].lower()
        self.order.append(key)
        if more:
            text = f'{name}: the mark "{more}" of its type (income and fortress in Machiavelli)'
            self.leave_out(text, line.place)
        aliases = [Alias(word) for word in words[1:]]
        area = Area(key, name, line.place, AreaKind.LAND, aliases=aliases)
        self._set_kind(area, letter)
        if dual and area.kind is AreaKind.LAND:
            self.leave_out(f"{name}: fleets there may convoy (duality)", line.place)
        other = self.draft.areas.setdefault(key, area)
        if other is not area:
            text = f"{name} has the abbreviation {key} of {other.name} (line {other.place.line})"
            self.fault(text, line.place)

    def _set_kind(self, area: Area, letter: str) -> None:
        """What the letter of its type says; a fault if it says nothing."""
        if letter == "w" or letter in UNUSUAL_SEAS:
            area.kind = AreaKind.SEA
            if letter in UNUSUAL_SEAS:
                self.leave_out(f"{area.name} is {UNUSUAL_SEAS[letter]}", area.place)
        elif letter in "MO":
            area.is_center = True
            text = f"no power has the letter {letter}, which is the master's or observers'"
            self.fault(f"{area.name}: {text}", area.place)
        elif letter == "x" or letter.isupper() or letter.isdigit():
            area.is_center = True
            if letter != "x":
                self.homes.setdefault(letter, {})[area.key] = area.place
        elif letter != "l":
            self.fault(f'{area.name}: there is no type "{letter}"', area.place)

    # --- moves ------------------------------------------------------------------------------------

    def _moves(self, line: Line) -> None:
        """`nor-mv: sou eas`, `nor-xc: str`, `nor-nc: str sou/nc`"""
        found = _MOVES.fullmatch(line.text)
        if found is None:
            self.fault(f'"{line.text}" says no moves; write "nor-xc: str"', line.place)
            first = re.split(r"[\s:-]", line.text, maxsplit=1)[0].lower()
            self.draft.unread.update(self.words.get(first, ()))
            return
        written, kind, rest = found[1], found[2].lower(), found[3]
        if not line.text[found.end(2) :].lstrip().startswith(":"):
            self.assume(f"{written}-{kind} has no colon; read as if it had one", line.place)
        origin = self._area_of(written, line.place)
        if kind not in ("mv", "xc", *COASTS):
            text = f"{written}-{kind}: there are mv, xc and the coasts {', '.join(COASTS)}"
            self.fault(text, line.place)
            self.draft.unread |= {origin} if origin else set()
            return
        is_army = kind == "mv"
        targets = list(self._targets(rest, line.place, is_army=is_army))
        if origin is None:
            return
        if is_army and self.draft.areas[origin].kind is AreaKind.SEA:
            self.fault(f"{written}-mv: {written} is water, where no army goes", line.place)
            return
        ways = self.draft.army if is_army else self.draft.fleet
        known = ways.setdefault(Site(origin, kind if kind in COASTS else None), {})
        for target in targets:
            if target.area != origin:
                known.setdefault(target, line.place)

    def _targets(self, rest: str, place: Place, *, is_army: bool) -> Iterator[Site]:
        """The neighbors of one line; marks that we do not know are left out, and the way kept."""
        for word in rest.split():
            found = _NEIGHBOR.fullmatch(word)
            written, tail, mark = found.groups() if found else (word, None, "")
            area = self._area_of(written, place)
            if area is None:
                continue
            coast = tail.lower() if tail and not is_army and tail.lower() in COASTS else None
            if mark or (tail and not coast):
                sign = mark if coast or not tail else f"/{tail}{mark}"
                self.leave_out(f'the mark "{sign}" of {word}: the way is open to all', place)
            yield Site(area, coast)

    def _area_of(self, written: str, place: Place) -> str | None:
        meant = self.words.get(written.lower())
        if meant is None:
            self.fault(f"there is no abbreviation {written}", place)
        elif len(meant) > 1:
            self.fault(f"{written} means both {' and '.join(meant)}; write one of them", place)
        return meant[0] if meant and len(meant) == 1 else None

    def _options(self, lines: list[Line]) -> None:
        """Name each block of options: our variants have none of them from such a file."""
        begun: Line | None = None
        for line in lines:
            if _OPTION_END.match(line.text):
                begun = None
            elif begun is None:
                begun = line
                found = _OPTIONS.match(line.text)
                what = OPTIONS["".join(found[1].lower().split())] if found else None
                self.leave_out(what or f'the option "{line.text}"', line.place)
        if begun is not None and _OPTIONS.match(begun.text):
            self.fault("these options have no end: after them, write #end", begun.place)


def _begins_next(at: int, text: str) -> bool:
    """Whether a line belongs to the block after that one."""
    if at == 0:
        return "," not in text and re.match(r"[^\s:,]+-\w\w\s*:", text) is not None
    return at == 1 and not _MOVES.fullmatch(text) and _OPTIONS.match(text) is not None


class NjudgeSeed:
    """Reads the first phase, the powers with their units, and who owns what.

    `named` are the operator's names of powers by letter, `Kongo` or `Kongo/Kongolese`.
    """

    def __init__(self, areas: NjudgeMap, named: Mapping[str, str]) -> None:
        self.draft = areas.draft
        self.fault, self.leave_out = areas.fault, areas.leave_out
        self.areas = areas
        self.named = named
        self.powers = {letter: self._power(letter) for letter in areas.homes}

    def read(self, lines: tuple[Line, ...]) -> None:
        units, *records = self._parts(lines)
        if units:
            self._phase(units[0])
        for line in units[1:]:
            self._unit(line)
        for line in records[0] if records else ():
            self._owners(line)
        for letter in sorted(self.powers):
            power = self.powers[letter]
            if not power.name:
                text = f"there is no power {letter}; name it with --powers {letter}=NAME"
                self.fault(text, power.place)
                power.name = letter
            self.draft.powers.append(power)
        for letter in (each for each in self.named if each not in self.powers):
            self.fault(f"--powers names {letter}, which has no home and no unit in the files")

    def _parts(self, lines: tuple[Line, ...]) -> list[list[Line]]:
        parts: list[list[Line]] = [[]]
        for line in lines:
            if line.text.startswith(END):
                parts.append([])
            elif line.text and not line.text.startswith("#"):
                is_record = len(line.text) == len(self.areas.order) and not set(line.text) & {
                    " ",
                    ":",
                }
                if is_record and len(parts) == 1 and parts[0]:
                    self.fault("the units have no end: before this line, write -1", line.place)
                    parts.append([])
                parts[-1].append(line)
        if lines and len(parts) < 2:
            self.fault("the units have no end: after them, write -1", _last(lines))
        elif lines and len(parts) < 3:
            self.fault("the owners' record has no end: after it, write -1", _last(lines))
        return parts

    def _power(self, letter: str) -> PowerDraft:
        known = self.named.get(letter, POWERS.get(letter, ""))
        name, _, adjective = (part.strip() for part in known.partition("/"))
        homes = dict(self.areas.homes.get(letter, {}))
        place = next(iter(homes.values()), Place("", 0))
        return PowerDraft(name, place, adjective or None, letter, homes)

    def _phase(self, line: Line) -> None:
        found = _PHASE.fullmatch(line.text)
        if found is None:
            self.fault(f'"{line.text}" is no phase; one looks like S1901M', line.place)
            return
        letter, kind = found[1].upper(), found[3].upper()
        if kind in "AB":  # builds, which the old judges have in whatever season is before them
            letter, kind = self.draft.calendar.adjustment_letter, "A"
        self.draft.opening = Opening(letter, int(found[2]), kind, line.place)

    def _unit(self, line: Line) -> None:
        """`A: F Trieste`, `R: F stp/sc`"""
        found = _UNIT.fullmatch(line.text)
        if found is None:
            self.fault(f'"{line.text}" is no unit; one looks like "A: F Trieste"', line.place)
            return
        letter, kind, written = found[1].upper(), found[2].upper(), found[3].strip()
        site = self._site(written)
        if site is None:
            self.fault(f"there is no area {written}", line.place)
        if kind not in "AF":
            text = f"{line.text}: a unit {kind}, which is neither army nor fleet"
            self.leave_out(text, line.place)
            return
        if letter not in self.powers:
            self.powers[letter] = self._power(letter)
            self.powers[letter].place = line.place
        if site is not None:
            self.powers[letter].units.append(StartUnit(kind, site, line.place))

    def _site(self, written: str) -> Site | None:
        """The area, and the coast after a slash, by full name or abbreviation."""
        if area := self._area(written):
            return Site(area)
        found = _ON_COAST.fullmatch(written)
        area, coast = (self._area(found[1]), found[2].lower()) if found else (None, "")
        if area is None or coast not in (*COASTS, "xc"):
            return None
        return Site(area, None if coast == "xc" else coast)

    def _area(self, written: str) -> str | None:
        plain = " ".join(written.lower().split())
        for area in self.draft.areas.values():
            if area.name.lower() == plain:
                return area.key
        meant = self.areas.words.get(plain, ())
        return meant[0] if len(meant) == 1 else None

    def _owners(self, line: Line) -> None:
        """One letter for each area in the order of the map; a remark stands for the home powers."""
        record, order = line.text, self.areas.order
        if " " in record or (record.isalpha() and len(record) < len(order) // 2):
            return
        if len(record) != len(order):
            text = f"the owners' record has {len(record)} signs for {len(order)} areas"
            self.fault(text, line.place)
            return
        owned: dict[str, dict[str, Place]] = {letter: {} for letter in self.powers}
        unknown: set[str] = set()
        for sign, key in zip(record, order, strict=True):
            area = self.draft.areas.get(key or "")
            if area is None or not area.is_center:
                continue
            if sign in owned:
                owned[sign][area.key] = line.place
            elif sign.isupper() or sign.isdigit():
                unknown.add(sign)
        for sign in sorted(unknown):
            self.fault(f"the owners' record names a power {sign}, which has no home", line.place)
        for letter, centers in owned.items():
            self.powers[letter].centers = centers
