"""Carries out the lines of a DPjudge map, one directive each.

What our variants have no place for is named; what is wrong is a fault of its line.
"""

import re
from collections.abc import Callable

from judge.importing.dpjudge_tables import (
    Abut,
    NamedPlace,
    PowerRow,
    Spot,
    Tables,
    province_of,
)
from judge.importing.findings import Findings, Place
from judge.importing.sources import Line

TERRAINS = ("AMEND", "WATER", "LAND", "COAST", "PORT", "SHUT")
NEUTRALS = ("UNOWNED", "NEUTRAL", "CENTERS")
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


class Directives:
    """Takes lines one by one; `tables` holds what they say. Used for one map."""

    def __init__(self, findings: Findings) -> None:
        self.tables = Tables()
        self.findings = findings
        self._power: PowerRow | None = None
        self._block: str | None = None  # what the lines of a block are left out as

    def take(self, line: Line) -> None:
        """Carry out one line that is no comment and uses no file."""
        words = line.text.split()
        head = words[0].upper()
        if self._is_in_block(words, line):
            return
        table: dict[str, Callable[[list[str], Line], None]] = {
            "VICTORY": self._victory,
            "FLOW": self._flow,
            "BEGIN": self._begin,
            "RULE": self._rules,
            "RULES": self._rules,
        }
        if head in table:
            table[head](words, line)
        elif "=" in line.text:
            self._name(line)
        elif head in LOOKS:
            self.findings.leave_out(f"{head}, which is for the DPjudge's pages", line.place)
        elif head in LEFT_OUT and not (head == "SEQUENCE" and "(" in line.text):
            self.findings.leave_out(f"{head}: {LEFT_OUT[head]}", line.place)
        elif head in TERRAINS and len(words) > 1:
            self._terrain(words, line)
        elif len(words) > 2 and words[2].upper() == "ABUTS":
            known = ", ".join(TERRAINS)
            self.findings.fault(f"there is no terrain {words[0]}; there are {known}", line.place)
        elif head == "DROP":
            for word in words[1:]:
                if not self.tables.drop(_plain(word)):
                    self.findings.fault(f"DROP: there is no place {word}", line.place)
        elif head == "UNPLAYED":
            self._unplayed(words[1:], line)
        else:
            self._of_powers(head, words, line)

    # --- blocks -----------------------------------------------------------------------------------

    def _is_in_block(self, words: list[str], line: Line) -> bool:
        """Whether the line belongs to what only other variants, or later phases, read."""
        head, last = words[0].upper(), words[-1].upper()
        if last in ("DIRECTIVE", "DIRECTIVES"):
            is_end = head == "END" and len(words) > 1
            self._block = None if is_end else "DIRECTIVES"
            if not is_end:
                self.findings.leave_out(f"{line.text}: a block of directives", line.place)
            return True
        if head in ("IN", "FROM") and "=" not in line.text.partition(":")[0]:
            is_start = len(words) == 2 and words[1].upper() == "START"
            self._block = None if is_start or ":" in line.text else head
            if not is_start:
                self.findings.leave_out(f"{line.text}: a change in a later phase", line.place)
            return True
        if self._block is not None:
            self.findings.leave_out(f"{line.text} (in a block of {self._block})", line.place)
        return self._block is not None

    # --- the game ---------------------------------------------------------------------------------

    def _victory(self, words: list[str], line: Line) -> None:
        counts = [int(word) for word in words[1:] if word.isascii() and word.isdecimal()]
        if not counts or len(counts) != len(words) - 1:
            self.findings.fault(f'"{line.text}": write VICTORY and a number', line.place)
            return
        self.tables.victory = counts[-1]
        if len(counts) > 1:
            text = f"VICTORY: other counts in the first years; it is {counts[-1]} in all"
            self.findings.leave_out(text, line.place)

    def _flow(self, words: list[str], line: Line) -> None:
        if len(words) == 1:
            self.tables.flow.clear()
        self.tables.flow += [(word.upper(), line.place) for word in words[1:]]

    def _begin(self, words: list[str], line: Line) -> None:
        self.tables.begin = (" ".join(words[1:]).upper(), line.place)

    def _rules(self, words: list[str], line: Line) -> None:
        for word in words[1:]:
            if word.upper().strip("!,") == "BUILD_ANY":
                self.tables.builds_anywhere = not word.startswith("!")
            else:
                self.findings.leave_out(f"RULE {word.rstrip(',')}", line.place)

    # --- places -----------------------------------------------------------------------------------

    def _name(self, line: Line) -> None:
        full, _, rest = line.text.partition("=")
        words = rest.split()
        name = " ".join(full.lstrip("_+ ").replace("+", " ").replace("_", " ").split())
        old, arrow, new = name.partition("->")
        name = (new if arrow else old).strip()
        if not words or not name:
            text = f'"{line.text}" names no place; write "North Sea = nth"'
            self.findings.fault(text, line.place)
            return
        id_ = words[0].upper()
        if arrow and not self.tables.rename(old.strip().upper(), id_):
            self.findings.fault(f"there is no place {old.strip()} to rename", line.place)
        known = self.tables.names.get(id_)
        if known is not None:
            text = f"{name} has the id {words[0]} of {known.name} (line {known.place.line})"
            self.findings.fault(text, line.place)
            return
        self.tables.names[id_] = NamedPlace(name, words[1:], line.place)

    def _terrain(self, words: list[str], line: Line) -> None:
        terrain, written, place = words[0].upper(), words[1], line.place
        if len(words) > 2 and words[2].upper() != "ABUTS":
            self.findings.fault(f"{written}: ABUTS is missing before the neighbors", place)
            return
        before = self.tables.spots.get(written.upper())
        if terrain == "AMEND":
            if before is None:
                self.findings.fault(f"AMEND: there is no place {written}", place)
                return
            spot = Spot(written, before.terrain, before.place, list(before.abuts))
        else:
            spot = Spot(written, terrain, place)
            if len(words) == 2 and before is not None:
                spot.abuts = list(before.abuts)
        for word in words[3:]:
            self._abut(spot, word, place)
        self.tables.set_spot(spot)
        if terrain == "PORT":
            self.findings.leave_out(f"{written}: fleets there may convoy (PORT)", place)

    def _abut(self, spot: Spot, word: str, place: Place) -> None:
        if word.startswith("-") and len(word) > 1:
            gone = word[1:].upper()
            spot.abuts = [each for each in spot.abuts if not each.id.startswith(gone)]
            return
        found = _RULE.fullmatch(word)
        if found is None or not found[3]:
            self.findings.fault(f"{spot.written}: {word} is no neighbor", place)
            return
        if any(found[at] for at in (1, 2, 4, 5, 6)):
            text = f"{spot.written}: the condition of {word}; the way is open to all"
            self.findings.leave_out(text, place)
        abut = Abut(found[3], place)
        if any(each.id == abut.id for each in spot.abuts):
            self.findings.fault(f"{spot.written}: {found[3]} stands there twice", place)
            return
        spot.abuts.append(abut)

    # --- powers -----------------------------------------------------------------------------------

    def _of_powers(self, head: str, words: list[str], line: Line) -> None:
        is_center_line = head == "CENTERS" and self._power is not None
        if head in ("A", "F"):
            self._unit(head, words, line)
        elif head in ("INHABITS", "HOME", "HOMES", "OWNS", "UNITS") or is_center_line:
            if self._power is None:
                self.findings.fault(f"{head} stands before any power", line.place)
            elif head == "UNITS":
                self._power.units.clear()
            elif head in ("OWNS", "CENTERS"):
                self._owns(self._power, words[1:], line, is_all=head == "CENTERS")
            else:
                if head != "INHABITS":
                    self._power.homes.clear()
                self._homes(self._power, words[1:], line)
        else:
            self._power_line(words, line)

    def _unit(self, kind: str, words: list[str], line: Line) -> None:
        if self._power is None or len(words) != 2:
            what = "stands before any power" if self._power is None else "is no unit"
            self.findings.fault(f"{line.text} {what}", line.place)
            return
        self._power.is_sure = True
        site = words[1].upper()
        for other in self.tables.powers.values():
            known = other.units.get(province_of(site))
            if known is None:
                continue
            if known[2].file == line.place.file:
                text = f"{line.text} stands where {known[0]} {known[1]} does ({known[2]})"
                self.findings.fault(text, line.place)
            del other.units[province_of(site)]
        self._power.units[province_of(site)] = (kind, site, line.place)

    def _owns(self, power: PowerRow, words: list[str], line: Line, *, is_all: bool) -> None:
        if is_all or power.owns is None:
            power.owns = {}
        for word in words:
            if word.upper() in ("SC!", "SC?"):
                self.findings.leave_out(f"{power.name}: {word} among its centers", line.place)
            else:
                power.owns[_plain(word)] = line.place

    def _power_line(self, words: list[str], line: Line) -> None:
        old: PowerRow | None = None
        if len(words) > 2 and words[1] == "->":
            old = self.tables.powers.pop(power_key(words[0]), None)
            if old is None:
                self.findings.fault(f"there is no power {words[0]} to rename", line.place)
            words = words[2:]
        if words[0].upper() in NEUTRALS:
            self._power = None
            self._homes(None, [word for word in words[1:] if word != "()"], line)
            return
        id_ = power_key(words[0])
        power = self.tables.powers.get(id_)
        if power is None:
            name = " ".join(words[0].lstrip("_+").replace("+", " ").replace("_", " ").split())
            power = PowerRow(id_, name, line.place)
            if old is not None:
                power = PowerRow(id_, name, line.place, None, None, old.homes, old.owns, old.units)
                power.is_sure = True
            self.tables.powers[id_] = power
        self._power = power
        rest = words[1:]
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
            mark, home = re.match(r"[-*+~@]*", word), _plain(word)
            marks = mark[0] if mark else ""
            if not home:
                continue
            if home == ANYWHERE:
                self.tables.builds_anywhere = True
                continue
            for sign in marks.replace("-", ""):
                self.findings.leave_out(f"{home}: {HOME_MARKS[sign]}", line.place)
            if power is None:
                self.tables.unowned[home] = line.place
            elif "-" in marks:
                if power.homes.pop(home, None):
                    self.tables.unowned[home] = line.place
            elif not set(marks) & set("*+"):
                power.homes[home] = line.place

    def _unplayed(self, words: list[str], line: Line) -> None:
        ids = [power_key(word) for word in words]
        if not ids and self._power is not None:
            ids = [self._power.id]
        if ids and ids[0] == "ALL":
            kept = set(ids[2:]) if ids[1:2] == ["EXCEPT"] else set()
            ids = [id_ for id_ in self.tables.powers if id_ not in kept]
        for id_ in ids:
            if self.tables.powers.pop(id_, None) is None:
                self.findings.fault(f"UNPLAYED: there is no power {id_}", line.place)
        self._power = None


def power_key(written: str) -> str:
    """By what a power is looked up: capitals, without layout marks."""
    return re.sub(r"[+_,.\s]", "", written.upper())


def _plain(word: str) -> str:
    """The id in a list of places, without marks and limits."""
    if word.upper() == ANYWHERE:
        return ANYWHERE
    return word.lstrip("-*+~@").partition("(")[0].rstrip(",").upper()
