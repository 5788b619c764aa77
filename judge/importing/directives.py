"""Carries out the lines of a DPjudge map, one directive each, and keeps what they say.

What our variants have no place for is named; what is wrong is a fault of its line. Ids are in
capitals, with a coast as in `SPA/NC`. Knows nothing of our variants.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from judge.diplomacy.variants.files import Place
from judge.importing.draft import Draft
from judge.importing.sources import Line

TERRAINS = ("AMEND", "WATER", "LAND", "COAST", "PORT", "SHUT")
NEUTRALS = ("UNOWNED", "NEUTRAL", "CENTERS")
OF_A_POWER = ("INHABITS", "HOME", "HOMES", "OWNS", "UNITS")
ANYWHERE = "&SC"  # a home: every center that the power owns

# Directives that our variants have no place for, by what is lost.
LEFT_OUT = {
    "NEWHOMES": "years in which home centers are decided anew",
    "RESERVES": "reserves",
    "MILITIA": "militia",
    "CONTROL": "a power that another controls",
    "LEAGUE": "a league",
    "DUMMY": "a power that nobody plays",
    "DUMMIES": "powers that nobody plays",
    "TEAM": "teams",
    "TEAMS": "teams",
    "ROTATE": "powers that change hands",
    "FLOWSIGN": "the direction of the years",
    "SEQ": "an order of phases; FLOW is read",
    "SEQUENCE": "an order of phases; FLOW is read",
}
LOOKS = ("TEXTONLY", "FLAGS", "FLAG", "NOTIFY")  # of the DPjudge's own pages; no part of the game
HOME_MARKS = {
    "*": "a site for partisans",
    "+": "a factory",
    "~": "a hidden home center; it is an open one",
    "@": "an alternative home center; it is a home center like the others",
}

_RULE = re.compile(r"(?:([^\W\d_]+):)?([^\w(]*)([^()]*?\w)?([^\w()]*)(?:\(([^()]*)\))?([^\w()]*)")
_OWN = re.compile(r"\(([^()]*)\)?")


@dataclass(frozen=True, slots=True)
class Abut:
    """A neighbor as written; its letter case says who cannot go there."""

    written: str
    place: Place

    @property
    def id(self) -> str:
        return self.written.upper()

    @property
    def lets_fleets(self) -> bool:
        """Not if it begins with a small letter."""
        return not self.written[0].islower()

    @property
    def lets_armies(self) -> bool:
        """Not if only its first letter is a capital."""
        return not self.written[0].isupper() or self.written[1:] == self.written[1:].upper()


@dataclass(slots=True)
class Spot:
    """A place with its terrain and neighbors. `written` in small letters: no fleet stands there."""

    written: str
    terrain: str
    place: Place
    abuts: list[Abut] = field(default_factory=list)

    @property
    def takes_fleets(self) -> bool:
        return self.written == self.written.upper() and self.terrain not in ("LAND", "SHUT")


@dataclass(slots=True)
class NamedPlace:
    """The full name of a place and its other names; one with a question mark is unclear."""

    name: str
    words: list[str]
    place: Place


@dataclass(slots=True)
class PowerRow:
    """A power as its lines say it; `is_sure`: it has an own word, or units, so it is a power."""

    id: str
    name: str
    place: Place
    own: str | None = None
    letter: str | None = None
    homes: dict[str, Place] = field(default_factory=dict)
    owns: dict[str, Place] | None = None
    units: dict[str, tuple[str, str, Place]] = field(default_factory=dict)  # by province
    is_sure: bool = False


class Directives:
    """Everything that the lines have said so far. Takes them one by one; used for one map."""

    def __init__(self, draft: Draft) -> None:
        self.fault, self.leave_out = draft.fault, draft.leave_out
        self.names: dict[str, NamedPlace] = {}
        self.spots: dict[str, Spot] = {}
        self.powers: dict[str, PowerRow] = {}
        self.unowned: dict[str, Place] = {}
        self.victory: int | None = None
        self.begin: tuple[str, Place] | None = None
        self.flow: list[tuple[str, Place]] = []
        self.builds_anywhere = False
        self._power: PowerRow | None = None  # whose lines these are
        self._block: str | None = None  # what the lines of a block are left out as

    def centers(self) -> dict[str, Place]:
        """All supply centers: home centers, those owned at the start, and the rest."""
        found = dict(self.unowned)
        for power in self.powers.values():
            found |= {**power.homes, **(power.owns or {})}
        return found

    def take(self, line: Line) -> None:
        """Carry out one line that is no comment and uses no file."""
        words, place = line.text.split(), line.place
        head, rest = words[0].upper(), words[1:]
        if self._is_in_block(words, line):
            return
        if head == "VICTORY":
            self._victory(rest, line)
        elif head == "FLOW":
            self.flow = [*(self.flow if rest else ()), *((word.upper(), place) for word in rest)]
        elif head == "BEGIN":
            self.begin = (" ".join(rest).upper(), place)
        elif head in ("RULE", "RULES"):
            for word in rest:
                if word.upper().strip("!,") == "BUILD_ANY":
                    self.builds_anywhere = not word.startswith("!")
                else:
                    self.leave_out(f"RULE {word.rstrip(',')}", place)
        elif "=" in line.text:
            self._name(line)
        elif head in LOOKS:
            self.leave_out(f"{head}, which is for the DPjudge's pages", place)
        elif head in LEFT_OUT and not (head == "SEQUENCE" and "(" in line.text):
            self.leave_out(f"{head}: {LEFT_OUT[head]}", place)
        elif head in TERRAINS and rest:
            self._terrain(head, rest[0], rest[1:], place)
        elif len(words) > 2 and words[2].upper() == "ABUTS":
            self.fault(f"there is no terrain {words[0]}; there are {', '.join(TERRAINS)}", place)
        elif head == "DROP":
            for word in rest:
                if not self._drop(_plain(word)):
                    self.fault(f"DROP: there is no place {word}", place)
        elif head == "UNPLAYED":
            self._unplayed(rest, line)
        elif head in ("A", "F"):
            self._unit(head, rest, line)
        elif head in OF_A_POWER or (head == "CENTERS" and self._power is not None):
            self._of_power(head, rest, line)
        else:
            self._power_line(words, line)

    def _is_in_block(self, words: list[str], line: Line) -> bool:
        """Whether the line belongs to what only other variants, or later phases, read."""
        head, last = words[0].upper(), words[-1].upper()
        if last in ("DIRECTIVE", "DIRECTIVES"):
            is_end = head == "END" and len(words) > 1
            self._block = None if is_end else "DIRECTIVES"
            if not is_end:
                self.leave_out(f"{line.text}: a block of directives", line.place)
            return True
        if head in ("IN", "FROM") and "=" not in line.text.partition(":")[0]:
            is_start = len(words) == 2 and words[1].upper() == "START"
            self._block = None if is_start or ":" in line.text else head
            if not is_start:
                self.leave_out(f"{line.text}: a change in a later phase", line.place)
            return True
        if self._block is not None:
            self.leave_out(f"{line.text} (in a block of {self._block})", line.place)
        return self._block is not None

    def _victory(self, words: list[str], line: Line) -> None:
        counts = [int(word) for word in words if word.isascii() and word.isdecimal()]
        if not counts or len(counts) != len(words):
            self.fault(f'"{line.text}": write VICTORY and a number', line.place)
            return
        self.victory = counts[-1]
        if len(counts) > 1:
            text = f"VICTORY: other counts in the first years; it is {counts[-1]} in all"
            self.leave_out(text, line.place)

    # --- places -----------------------------------------------------------------------------------

    def _name(self, line: Line) -> None:
        """`North Sea = nth north+sea`, or to rename `North Sea -> Frisian Sea = fri`"""
        full, _, rest = line.text.partition("=")
        words = rest.split()
        old, arrow, new = _spaced(full.lstrip("_+ ")).partition("->")
        old, name = old.strip(), (new if arrow else old).strip()
        if not words or not name:
            self.fault(f'"{line.text}" names no place; write "North Sea = nth"', line.place)
            return
        id_ = words[0].upper()
        if arrow and not self._rename(old.upper(), id_):
            self.fault(f"there is no place {old} to rename", line.place)
        known = self.names.setdefault(id_, NamedPlace(name, words[1:], line.place))
        if known.place != line.place:
            text = f"{name} has the id {words[0]} of {known.name} (line {known.place.line})"
            self.fault(text, line.place)

    def _terrain(self, terrain: str, written: str, more: list[str], place: Place) -> None:
        """`COAST BRE ABUTS ENG Gas MAO PAR Pic`"""
        if more and more[0].upper() != "ABUTS":
            self.fault(f"{written}: ABUTS is missing before the neighbors", place)
            return
        before = self.spots.get(written.upper())
        spot = Spot(written, terrain, place)
        if before is not None and (terrain == "AMEND" or not more):
            spot.abuts = list(before.abuts)
        if terrain == "AMEND":
            if before is None:
                self.fault(f"AMEND: there is no place {written}", place)
                return
            spot.terrain, spot.place = before.terrain, before.place
        for word in more[1:]:
            self._abut(spot, word, place)
        self._set_spot(spot)
        if terrain == "PORT":
            self.leave_out(f"{written}: fleets there may convoy (PORT)", place)

    def _abut(self, spot: Spot, word: str, place: Place) -> None:
        if word.startswith("-") and len(word) > 1:
            gone = word[1:].upper()
            spot.abuts = [each for each in spot.abuts if not each.id.startswith(gone)]
            return
        found = _RULE.fullmatch(word)
        if found is None or not found[3]:
            self.fault(f"{spot.written}: {word} is no neighbor", place)
            return
        if any(found[at] for at in (1, 2, 4, 5, 6)):
            text = f"{spot.written}: the condition of {word}; the way is open to all"
            self.leave_out(text, place)
        abut = Abut(found[3], place)
        if any(each.id == abut.id for each in spot.abuts):
            self.fault(f"{spot.written}: {found[3]} stands there twice", place)
        else:
            spot.abuts.append(abut)

    def _set_spot(self, spot: Spot) -> None:
        """A later line for a place stands in place of the earlier one.

        A province that fleets may enter as such has no coasts any more.
        """
        before = self.spots.pop(spot.written.upper(), None)
        self.spots[spot.written.upper()] = spot
        if before is None or before.written == spot.written or not spot.takes_fleets:
            return
        for coast in [each for each in self.spots if each.startswith(f"{spot.written}/")]:
            del self.spots[coast]
            self.names.pop(coast, None)
            for other in self.spots.values():
                # The province stands in place of its coast, and once.
                abuts = [_renamed(abut, coast, spot.written) for abut in reversed(other.abuts)]
                other.abuts = list({abut.id: abut for abut in abuts}.values())[::-1]

    def _drop(self, id_: str) -> bool:
        """Forget a place with its coasts; whether there was any."""
        gone = [each for each in {*self.names, *self.spots} if _is_of(each, id_)]
        for each in gone:
            self.names.pop(each, None)
            self.spots.pop(each, None)
        for spot in self.spots.values():
            spot.abuts = [abut for abut in spot.abuts if not _is_of(abut.id, id_)]
        for table in self._center_tables():
            table.pop(id_, None)
        for power in self.powers.values():
            power.units.pop(province_of(id_), None)
        return bool(gone)

    def _rename(self, old: str, new: str) -> bool:
        """Call a place by another id everywhere; whether there was such a place."""
        known = old in self.spots or old in self.names
        self.names.pop(old, None)
        for each in [each for each in self.spots if _is_of(each, old)]:
            spot = self.spots.pop(each)
            spot.written = _recased(spot.written, new + each[len(old) :])
            self.spots[spot.written.upper()] = spot
        for spot in self.spots.values():
            spot.abuts = [_renamed(abut, old, new) for abut in spot.abuts]
        for table in self._center_tables():
            if old in table:
                table[new] = table.pop(old)
        for power in self.powers.values():
            if old in power.units:
                kind, site, place = power.units.pop(old)
                power.units[new] = (kind, new + site[len(old) :], place)
        return known

    def _center_tables(self) -> Iterator[dict[str, Place]]:
        yield self.unowned
        for power in self.powers.values():
            yield power.homes
            if power.owns is not None:
                yield power.owns

    # --- powers -----------------------------------------------------------------------------------

    def _of_power(self, head: str, words: list[str], line: Line) -> None:
        """What a line says of the power above it."""
        power = self._power
        if power is None:
            self.fault(f"{head} stands before any power", line.place)
        elif head == "UNITS":
            power.units.clear()
        elif head in ("OWNS", "CENTERS"):
            if head == "CENTERS" or power.owns is None:
                power.owns = {}
            for word in words:
                if word.upper() in ("SC!", "SC?"):
                    self.leave_out(f"{power.name}: {word} among its centers", line.place)
                else:
                    power.owns[_plain(word)] = line.place
        else:
            if head != "INHABITS":
                power.homes.clear()
            self._homes(power, words, line)

    def _unit(self, kind: str, words: list[str], line: Line) -> None:
        if self._power is None or len(words) != 1:
            what = "stands before any power" if self._power is None else "is no unit"
            self.fault(f"{line.text} {what}", line.place)
            return
        self._power.is_sure = True
        site = words[0].upper()
        for other in self.powers.values():
            known = other.units.pop(province_of(site), None)
            if known is not None and known[2].file == line.place.file:
                text = f"{line.text} stands where {known[0]} {known[1]} does ({known[2]})"
                self.fault(text, line.place)
        self._power.units[province_of(site)] = (kind, site, line.place)

    def _power_line(self, words: list[str], line: Line) -> None:
        """`FRANCE (FRENCH:F) BRE MAR PAR`, or to rename `FRANCE -> GAUL (GALLIC) BRE MAR PAR`"""
        old: PowerRow | None = None
        if len(words) > 2 and words[1] == "->":
            old = self.powers.pop(power_key(words[0]), None)
            if old is None:
                self.fault(f"there is no power {words[0]} to rename", line.place)
            words = words[2:]
        if words[0].upper() in NEUTRALS:
            self._power = None
            self._homes(None, [word for word in words[1:] if word != "()"], line)
            return
        id_, rest = power_key(words[0]), words[1:]
        if id_ not in self.powers:
            power = PowerRow(id_, _spaced(words[0].lstrip("_+")), line.place)
            if old is not None:
                power.homes, power.owns, power.units = old.homes, old.owns, old.units
                power.is_sure = True
            self.powers[id_] = power
        self._power = power = self.powers[id_]
        if rest and rest[0].startswith("("):
            own, _, letter = (found[1] if (found := _OWN.match(rest[0])) else "").partition(":")
            power.own = " ".join(own.replace("+", " ").split()) or power.own
            power.letter = letter[:1].upper() or power.letter
            power.is_sure = True
            rest = rest[1:]
        self._homes(power, rest, line)

    def _homes(self, power: PowerRow | None, words: list[str], line: Line) -> None:
        """Home centers; what is taken away is still a center."""
        for word in words:
            marks, home = word[: len(word) - len(word.lstrip("-*+~@"))], _plain(word)
            if home == ANYWHERE:
                self.builds_anywhere = True
            if not home or home == ANYWHERE:
                continue
            for sign in marks.replace("-", ""):
                self.leave_out(f"{home}: {HOME_MARKS[sign]}", line.place)
            if power is None:
                self.unowned[home] = line.place
            elif "-" in marks:
                if power.homes.pop(home, None):
                    self.unowned[home] = line.place
            elif not set(marks) & set("*+"):
                power.homes[home] = line.place

    def _unplayed(self, words: list[str], line: Line) -> None:
        ids = [power_key(word) for word in words]
        if not ids and self._power is not None:
            ids = [self._power.id]
        if ids and ids[0] == "ALL":
            kept = ids[2:] if ids[1:2] == ["EXCEPT"] else []
            ids = [id_ for id_ in self.powers if id_ not in kept]
        for id_ in ids:
            if self.powers.pop(id_, None) is None:
                self.fault(f"UNPLAYED: there is no power {id_}", line.place)
        self._power = None


def power_key(written: str) -> str:
    """By what a power is looked up: capitals, without layout marks."""
    return re.sub(r"[+_,.\s]", "", written.upper())


def province_of(id_: str) -> str:
    """The province of an id, without its coast."""
    return id_.partition("/")[0]


def _spaced(text: str) -> str:
    return " ".join(text.replace("+", " ").replace("_", " ").split())


def _plain(word: str) -> str:
    """The id in a list of places, without marks and limits."""
    if word.upper() == ANYWHERE:
        return ANYWHERE
    return word.lstrip("-*+~@").partition("(")[0].rstrip(",").upper()


def _is_of(id_: str, place: str) -> bool:
    return id_ == place or id_.startswith(f"{place}/")


def _renamed(abut: Abut, old: str, new: str) -> Abut:
    """The neighbor, or the same coast of it, under another id."""
    if not _is_of(abut.id, old):
        return abut
    return Abut(_recased(abut.written, new + abut.id[len(old) :]), abut.place)


def _recased(before: str, after: str) -> str:
    """`after` in the letter case of `before`."""
    if before == before.upper():
        return after
    return after.capitalize() if before[0].isupper() else after.lower()
