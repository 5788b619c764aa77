"""Reads an njudge variant: `map.<variant>` with areas, moves and options, `seed.<variant>` with the
first phase, units and owners.

Each block ends with a line that begins with -1. What is wrong is noted, and the rest read on. Knows
the powers that the old judges have letters for; others are named by the operator.
"""

import re
from collections.abc import Mapping, Sequence

from judge.diplomacy.board import Terrain
from judge.diplomacy.variants.files import Place
from judge.importing.draft import (
    COASTS,
    Alias,
    Area,
    Draft,
    Line,
    Opening,
    PowerDraft,
    Reader,
    Site,
    StartUnit,
    config_of_format,
)

END = "-1"

KNOWN = config_of_format("njudge")
POWERS: Mapping[str, str] = KNOWN["powers"]
OPTIONS: Mapping[str, str] = KNOWN["options"]
UNUSUAL_SEAS: Mapping[str, str] = KNOWN["unusual_seas"]
NO_AREAS: Mapping[str, str] = KNOWN["no_areas"]

_MOVES = re.compile(r"([^\s:,]+)-(\w\w)(?:\s*:\s*|\s+|$)(.*)")
_FIRST_MOVES = re.compile(r"[^\s:,]+-\w\w\s*:[^,]*$")
_NEIGHBOR = re.compile(r"([^\s/]+?)(?:/([A-Za-z]\w))?([^\w\s/]*)")
_TYPE = re.compile(r"([A-Za-z0-9])(w?)((?:[0-9][\w.]*)?)")
_OPTIONS = re.compile(r"(center\s+order|hong\s*kong|gateway|railway)", re.IGNORECASE)
_OPTION_END = re.compile(r"#\s*end", re.IGNORECASE)
_PHASE = re.compile(r"([A-Z])\s?([0-9]{1,4})([MRBA])", re.IGNORECASE)
_UNIT = re.compile(r"(\S)\s*:\s*([A-Za-z])\s+(.+)")
_ON_COAST = re.compile(r"(.+?)\s*(?:/\s*|\(\s*)(\w\w)\s*\)?")


class NjudgeMap(Reader):
    """Reads a map and its seed. `named` are the operator's names of powers by letter, `Kongo` or
    `Kongo/Kongolese`.

    Attributes:
        order: the key of each area, in the order of the file; None for railways and gateways.
        powers: by letter, those with homes in the map, then those with units alone.
        words: the areas that an abbreviation may mean, in lower case; none for what is no area.
    """

    def __init__(self, draft: Draft, named: Mapping[str, str]) -> None:
        super().__init__(draft)
        self.named = named
        self.order: list[str | None] = []
        self.powers: dict[str, PowerDraft] = {}
        self.words: dict[str, tuple[str, ...]] = {}

    def read_map(self, lines: tuple[Line, ...]) -> None:
        areas, moves, options = self._blocks(lines, ("areas", "moves", "options"))
        for self.line in areas:
            self._area()
        # An abbreviation may mean several areas; a first one means its own alone.
        for area in self.draft.areas.values():
            for word in (alias.text.lower() for alias in area.aliases[1:]):
                self.words[word] = tuple(dict.fromkeys((*self.words.get(word, ()), area.key)))
        self.words |= {key: (key,) for key in self.draft.areas}
        for self.line in moves:
            self._moves()
        for key in self.draft.areas.keys() - self.draft.linked_areas():
            self.draft.areas[key].kind = Terrain.CLOSED
        # Our variants have no options from such a file.
        begun: Line | None = None
        for self.line in options:
            if _OPTION_END.match(self.line.text):
                begun = None
            elif begun is None and not self.line.text.startswith("#"):
                begun = self.line
                found = _OPTIONS.match(begun.text)
                what = OPTIONS["".join(found[1].lower().split())] if found else None
                self.leave_out(what or f'the option "{begun.text}"')
        if begun is not None and _OPTIONS.match(begun.text):
            self.draft.fault("these options have no end: after them, write #end", begun.place)

    def _blocks(self, lines: tuple[Line, ...], names: Sequence[str]) -> list[list[Line]]:
        """The lines of each block; an end that is missing is noted where the next block begins."""
        blocks: list[list[Line]] = [[] for _ in names]
        at = 0
        for self.line in lines:
            text = self.line.text
            if text.startswith(END):
                at += 1
                if at == len(names):
                    return blocks
            elif text and (not text.startswith("#") or names[at] == "options"):
                if at + 1 < len(names) and blocks[at] and self._begins(names[at + 1]):
                    self.fault(f"the {names[at]} have no end: before this line, write -1")
                    at += 1
                blocks[at].append(self.line)
        if lines:
            self.line = next((line for line in reversed(lines) if line.text), lines[-1])
            self.fault(f"the {names[at]} have no end: after this line, write -1")
            if names[at] == "areas":
                self.fault("there are no moves")
        return blocks

    def _begins(self, block: str) -> bool:
        """Whether this line can be nothing but the first of that block."""
        text = self.line.text
        if block == "moves":
            return _FIRST_MOVES.match(text) is not None
        if block == "options":
            return _OPTIONS.match(text) is not None and not _MOVES.fullmatch(text)
        return len(text) == len(self.order) and not set(text) & set(" :")

    # --- areas and moves --------------------------------------------------------------------------

    def _area(self) -> None:
        """`Northland, l nor`"""
        text, place = self.line.text, self.line.place
        name, comma, rest = text.partition(",")
        name, words = " ".join(name.split()), rest.split()
        if not comma or not name or len(words) < 2:
            self.fault(f'"{text}" is no area; write "Northland, l nor"')
            return
        found = _TYPE.fullmatch(words[0])
        if found is None:
            self.fault(f'{name}: there is no type "{words[0]}"')
            return
        letter, dual, more = found.groups()
        if letter in NO_AREAS:
            self.leave_out(f"{name} is {NO_AREAS[letter]}")
            self.order.append(None)
            self.words |= {word.lower(): () for word in words[1:]}
            return
        key = words[1].lower()
        self.order.append(key)
        if more:
            marks = f'the mark "{more}" of its type (income and fortress in Machiavelli)'
            self.leave_out(f"{name}: {marks}")
        area = Area(key, name, place, aliases=[Alias(word) for word in words[1:]])
        area.is_center = letter == "x" or letter.isupper() or letter.isdigit()
        if letter == "w" or letter in UNUSUAL_SEAS:
            area.kind = Terrain.SEA
            if letter in UNUSUAL_SEAS:
                self.leave_out(f"{name} is {UNUSUAL_SEAS[letter]}")
        elif letter in "MO":
            no_power = f"no power has the letter {letter}, which is the master's or observers'"
            self.fault(f"{name}: {no_power}")
        elif area.is_center and letter != "x":
            self._power_by_letter(letter).homes[key] = place
        elif letter not in "xl":
            self.fault(f'{name}: there is no type "{letter}"')
        if dual and area.kind is Terrain.LAND:
            self.leave_out(f"{name}: fleets there may convoy (duality)")
        other = self.draft.areas.setdefault(key, area)
        if other is not area:
            self.fault(
                f"{name} has the abbreviation {key} of {other.name} (line {other.place.line})"
            )

    def _moves(self) -> None:
        """`nor-mv: sou eas`, `nor-xc: str`, `nor-nc: str sou/nc`"""
        text, draft = self.line.text, self.draft
        found = _MOVES.fullmatch(text)
        if found is None:
            self.fault(f'"{text}" says no moves; write "nor-xc: str"')
            first = re.split(r"[\s:-]", text, maxsplit=1)[0].lower()
            draft.unread.update(self.words.get(first, ()))
            return
        written, kind, rest = found[1], found[2].lower(), found[3]
        if not text[found.end(2) :].lstrip().startswith(":"):
            missing = f"{written}-{kind} has no colon; read as if it had one"
            draft.assume(missing, self.line.place)
        origin = self._meant(written)
        if kind not in ("mv", "xc", *COASTS):
            self.fault(f"{written}-{kind}: there are mv, xc and the coasts {', '.join(COASTS)}")
            draft.unread |= {origin} if origin else set()
            return
        is_army = kind == "mv"
        targets: list[Site] = []
        for word in rest.split():
            match = _NEIGHBOR.fullmatch(word)
            neighbor, tail, mark = match.groups() if match else (word, None, "")
            area = self._meant(neighbor)
            if area is None:
                continue
            coast = tail.lower() if tail and not is_army and tail.lower() in COASTS else None
            if mark or (tail and not coast):  # it is left out, and the way kept
                sign = mark if coast or not tail else f"/{tail}{mark}"
                self.leave_out(f'the mark "{sign}" of {word}: the way is open to all')
            targets.append(Site(area, coast))
        if origin is None:
            return
        if is_army and draft.areas[origin].kind is Terrain.SEA:
            self.fault(f"{written}-mv: {written} is water, where no army goes")
            return
        site = Site(origin, kind if kind in COASTS else None)
        known = (draft.army if is_army else draft.fleet).setdefault(site, {})
        for target in targets:
            if target.area != origin:
                known.setdefault(target, self.line.place)

    def _meant(self, written: str) -> str | None:
        """The area that an abbreviation means, if it means one."""
        meant = self.words.get(written.lower())
        if meant is None:
            self.fault(f"there is no abbreviation {written}")
        elif len(meant) > 1:
            self.fault(f"{written} means both {' and '.join(meant)}; write one of them")
        return meant[0] if meant and len(meant) == 1 else None

    # --- the seed ---------------------------------------------------------------------------------

    def read_seed(self, lines: tuple[Line, ...]) -> None:
        units, records = self._blocks(lines, ("units", "owners"))
        for at, self.line in enumerate(units):
            if at:
                self._unit()
            elif found := _PHASE.fullmatch(self.line.text):
                letter, kind = found[1].upper(), found[3].upper()
                if kind in "AB":  # builds, which the old judges have in the season before them
                    letter, kind = self.draft.calendar.adjustment_letter, "A"
                self.draft.opening = Opening(letter, int(found[2]), kind, self.line.place)
            else:
                self.fault(f'"{self.line.text}" is no phase; one looks like S1901M')
        for self.line in records:
            self._owners()
        for letter, power in sorted(self.powers.items()):
            if not power.name:
                text = f"there is no power {letter}; name it with --powers {letter}=NAME"
                self.draft.fault(text, power.place)
                power.name = letter
            self.draft.powers.append(power)
        for letter in (each for each in self.named if each not in self.powers):
            self.draft.fault(f"--powers names {letter}, which has no home and no unit in the files")

    def _power_by_letter(self, letter: str) -> PowerDraft:
        if letter not in self.powers:
            known = self.named.get(letter, POWERS.get(letter, ""))
            name, _, adjective = (part.strip() for part in known.partition("/"))
            self.powers[letter] = PowerDraft(name, self.line.place, adjective or None, letter)
        return self.powers[letter]

    def _unit(self) -> None:
        """`A: F Trieste`, `R: F stp/sc`: the area by full name or abbreviation, and its coast."""
        text = self.line.text
        found = _UNIT.fullmatch(text)
        if found is None:
            self.fault(f'"{text}" is no unit; one looks like "A: F Trieste"')
            return
        letter, kind, written = found[1].upper(), found[2].upper(), found[3].strip()
        area, coast = self._area_called(written), None
        if area is None and (on_coast := _ON_COAST.fullmatch(written)):
            named = on_coast[2].lower()
            if named in (*COASTS, "xc"):
                area, coast = self._area_called(on_coast[1]), None if named == "xc" else named
        if area is None:
            self.fault(f"there is no area {written}")
        if kind not in "AF":
            self.leave_out(f"{text}: a unit {kind}, which is neither army nor fleet")
            return
        power = self._power_by_letter(letter)
        if area is not None:
            power.units.append(StartUnit(kind, Site(area, coast), self.line.place))

    def _area_called(self, written: str) -> str | None:
        names = {area.name.lower(): area.key for area in reversed(self.draft.areas.values())}
        plain = " ".join(written.lower().split())
        meant = self.words.get(plain, ())
        return names.get(plain) or (meant[0] if len(meant) == 1 else None)

    def _owners(self) -> None:
        """One letter for each area in the order of the map; a remark stands for the home powers."""
        record, order = self.line.text, self.order
        if " " in record or (record.isalpha() and len(record) < len(order) // 2):
            return
        if len(record) != len(order):
            self.fault(f"the owners' record has {len(record)} signs for {len(order)} areas")
            return
        owned: dict[str, dict[str, Place]] = {letter: {} for letter in self.powers}
        for letter, centers in owned.items():
            self.powers[letter].centers = centers
        unknown: set[str] = set()
        for sign, key in zip(record, order, strict=True):
            area = self.draft.areas.get(key or "")
            if area is None or not area.is_center:
                continue
            if sign in owned:
                owned[sign][area.key] = self.line.place
            elif sign.isupper() or sign.isdigit():
                unknown.add(sign)
        for sign in sorted(unknown):
            self.fault(f"the owners' record names a power {sign}, which has no home")
