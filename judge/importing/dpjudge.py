"""Reads a map of the DPjudge, or of the `diplomacy` package, `<name>.map`.

The directives are carried out line by line, as later ones change what earlier ones said; what is
left of them at the end makes the draft. What our variants have no place for is named.
"""

import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec.structs import replace

from judge.diplomacy.board import Terrain
from judge.diplomacy.variants.files import Place
from judge.importing.draft import (
    COASTS,
    Alias,
    Area,
    CalendarDraft,
    Draft,
    Line,
    Opening,
    PowerDraft,
    Reader,
    Site,
    StartUnit,
    config_of_format,
)

KNOWN = config_of_format("dpjudge")
TERRAINS, SEASONS, PHASES = KNOWN["terrains"], KNOWN["seasons"], KNOWN["phases"]
NEUTRALS, OF_A_POWER, LOOKS = KNOWN["neutrals"], KNOWN["of_a_power"], KNOWN["looks"]
LEFT_OUT, HOME_MARKS = KNOWN["left_out"], KNOWN["home_marks"]
SOLID = ("LAND", "COAST", "PORT")
KINDS = {"WATER": Terrain.SEA, "SHUT": Terrain.CLOSED}
ANYWHERE = "&sc"  # a home: every center that the power owns
YEAR_DIGITS = 4

_NEW_YEAR = re.compile(r"NEWYEAR(?::([0-9]{1,3}))?")
_ABUT = re.compile(r"(?:([^\W\d_]+):)?([^\w(]*)([^()]*?\w)?([^\w()]*)(?:\(([^()]*)\))?([^\w()]*)")
_OWN = re.compile(r"\(([^()]*)\)?")


class Spot(msgspec.Struct):
    """A place with its terrain. `written` in small letters: no fleet stands there.

    `abuts` are its neighbors as written: no fleets go to one that begins with a small letter, and
    no armies to one of which nothing but the first letter is a capital.
    """

    written: str
    terrain: str
    place: Place
    abuts: dict[Site, tuple[str, Place]] = {}

    @property
    def takes_fleets(self) -> bool:
        return self.written == self.written.upper() and self.terrain not in ("LAND", "SHUT")


class DpjudgeMap(Reader):
    """Everything that the lines have said so far. Takes them one by one; used for one map.

    Attributes:
        names: the areas, and the coasts of areas, that have a line with their full name.
        unowned: centers that no power has, and home centers taken from one.
        power: the power whose lines these are.
        block: a block that is left out, named by its first word.
    """

    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.names: dict[Site, Area] = {}
        self.spots: dict[Site, Spot] = {}
        self.powers: dict[str, PowerDraft] = {}
        self.unowned: dict[str, Place] = {}
        self.begin: Line | None = None
        self.flow: list[tuple[str, Place]] = []
        self.power: PowerDraft | None = None
        self.block: str | None = None

    def read(self, lines: Iterable[Line]) -> None:
        """Carry out all lines, those of used files among them, and fill the draft."""
        for self.line in lines:
            words = self.line.text.split()
            if not self._is_in_block(words):
                self._take(words)
        if self.begin is not None:
            self.line = self.begin
            match self.line.text.upper().split()[1:]:
                case [season, year, phase] if season in SEASONS and PHASES.get(phase, "R") != "R":
                    if year.isascii() and year.isdecimal() and len(year) <= YEAR_DIGITS:
                        self.draft.opening = Opening(
                            SEASONS[season], int(year), PHASES[phase], self.line.place
                        )
                    else:
                        self.fault(f"BEGIN: {year} is no year from 1 to 9999")
                case words:
                    text = f'"{" ".join(words)}" is no phase; write SPRING 1901 MOVEMENT'
                    self.fault(f"BEGIN: {text}")
        if self.flow:
            calendar = _calendar_of(word for word, _ in self.flow)
            if isinstance(calendar, CalendarDraft):
                self.draft.calendar = calendar
            else:
                text = f"FLOW: {calendar}; the year is spring, fall and winter"
                self.draft.leave_out(text, self.flow[0][1])
        self._add_places()
        self._add_powers()

    def _is_in_block(self, words: list[str]) -> bool:
        """Whether the line belongs to what only other variants, or later phases, read."""
        head, text = words[0].upper(), self.line.text
        if words[-1].upper() in ("DIRECTIVE", "DIRECTIVES"):
            is_end = head == "END" and len(words) > 1
            self.block = None if is_end else "DIRECTIVES"
            if not is_end:
                self.leave_out(f"{text}: a block of directives")
            return True
        if head in ("IN", "FROM") and "=" not in text.partition(":")[0]:
            is_start = len(words) == 2 and words[1].upper() == "START"
            self.block = None if is_start or ":" in text else head
            if not is_start:
                self.leave_out(f"{text}: a change in a later phase")
            return True
        if self.block is not None:
            self.leave_out(f"{text} (in a block of {self.block})")
        return self.block is not None

    def _take(self, words: list[str]) -> None:
        head, rest, text = words[0].upper(), words[1:], self.line.text
        if head == "VICTORY":
            counts = [int(word) for word in rest if word.isascii() and word.isdecimal()]
            if not counts or len(counts) != len(rest):
                self.fault(f'"{text}": write VICTORY and a number')
                return
            self.draft.victory = counts[-1]
            if len(counts) > 1:
                what = "VICTORY: other counts in the first years"
                self.leave_out(f"{what}; it is {counts[-1]} in all")
        elif head == "FLOW":
            added = [(word.upper(), self.line.place) for word in rest]
            self.flow = [*self.flow, *added] if rest else []
        elif head == "BEGIN":
            self.begin = self.line
        elif head in ("RULE", "RULES"):
            for word in rest:
                if word.upper().strip("!,") == "BUILD_ANY":
                    self.draft.builds_anywhere = not word.startswith("!")
                else:
                    self.leave_out(f"RULE {word.rstrip(',')}")
        elif "=" in text:
            self._name_line()
        elif head in LOOKS:
            self.leave_out(f"{head}, which is for the DPjudge's pages")
        elif head in LEFT_OUT and not (head == "SEQUENCE" and "(" in text):
            self.leave_out(f"{head}: {LEFT_OUT[head]}")
        elif head in TERRAINS and rest:
            self._terrain_line(head, rest[0], rest[1:])
        elif len(words) > 2 and words[2].upper() == "ABUTS":
            self.fault(f"there is no terrain {words[0]}; there are {', '.join(TERRAINS)}")
        elif head == "DROP":
            for word in rest:
                if not self._rename_or_drop_place(_site(_plain(word)), None):
                    self.fault(f"DROP: there is no place {word}")
        elif head == "UNPLAYED":
            ids = [_power_key(word) for word in rest] or [
                id_ for id_, power in self.powers.items() if power is self.power
            ]
            if ids[:1] == ["ALL"]:
                kept = ids[2:] if ids[1:2] == ["EXCEPT"] else []
                ids = [id_ for id_ in self.powers if id_ not in kept]
            for id_ in ids:
                if self.powers.pop(id_, None) is None:
                    self.fault(f"UNPLAYED: there is no power {id_}")
            self.power = None
        elif head in ("A", "F"):
            self._unit(head, rest)
        elif head in OF_A_POWER or (head == "CENTERS" and self.power is not None):
            self._directive_of_current_power(head, rest)
        else:
            self._power_line(words)

    # --- places -----------------------------------------------------------------------------------

    def _name_line(self) -> None:
        """`North Sea = nth north+sea`, or to rename `North Sea -> Frisian Sea = fri`"""
        full, _, rest = self.line.text.partition("=")
        words = rest.split()
        old, arrow, new = _spaced(full.lstrip("_+ ")).partition("->")
        old, name = old.strip(), (new if arrow else old).strip()
        if not words or not name:
            self.fault(f'"{self.line.text}" names no place; write "North Sea = nth"')
            return
        site = _site(words[0])
        if arrow and not self._rename_or_drop_place(_site(old), site):
            self.fault(f"there is no place {old} to rename")
        aliases = [
            Alias(_spaced(word.rstrip("?")), is_unclear=word.endswith("?"))
            for word in (words[0].upper(), *words[1:])
        ]
        area = Area(str(site), name, self.line.place, aliases=aliases)
        known = self.names.setdefault(site, area)
        if known is not area:
            self.fault(f"{name} has the id {words[0]} of {known.name} (line {known.place.line})")

    def _terrain_line(self, terrain: str, written: str, more: list[str]) -> None:
        """`COAST BRE ABUTS ENG Gas MAO PAR Pic`; a later line stands in place of an earlier one.

        A province that fleets may enter as such has no coasts any more.
        """
        if more and more[0].upper() != "ABUTS":
            self.fault(f"{written}: ABUTS is missing before the neighbors")
            return
        site = _site(written)
        before = self.spots.get(site)
        spot = Spot(written, terrain, self.line.place)
        if before is not None and (terrain == "AMEND" or not more):
            spot.abuts = dict(before.abuts)
        if terrain == "AMEND":
            if before is None:
                self.fault(f"AMEND: there is no place {written}")
                return
            spot.terrain, spot.place = before.terrain, before.place
        for word in more[1:]:
            if word.startswith("-") and len(word) > 1:
                gone = word[1:].lower()
                spot.abuts = {at: v for at, v in spot.abuts.items() if not str(at).startswith(gone)}
            elif not ((found := _ABUT.fullmatch(word)) and found[3]):
                self.fault(f"{written}: {word} is no neighbor")
            else:
                if any(found.group(1, 2, 4, 5, 6)):
                    self.leave_out(f"{written}: the condition of {word}; the way is open to all")
                if _site(found[3]) in spot.abuts:
                    self.fault(f"{written}: {found[3]} stands there twice")
                spot.abuts.setdefault(_site(found[3]), (found[3], self.line.place))
        self.spots.pop(site, None)
        self.spots[site] = spot
        if terrain == "PORT":
            self.leave_out(f"{written}: fleets there may convoy (PORT)")
        if before is None or before.written == written or not spot.takes_fleets or site.coast:
            return
        for coast in [each for each in self.spots if each.area == site.area and each.coast]:
            del self.spots[coast]
            self._rename_or_drop_place(coast, site)

    def _rename_or_drop_place(self, old: Site, new: Site | None) -> bool:
        """Give a place and its coasts another id, or forget them; whether there was one."""
        gone = [site for site in {**self.names, **self.spots} if not _renamed_site(site, old, None)]
        for site in gone:
            self.names.pop(site, None)
            spot, target = self.spots.pop(site, None), _renamed_site(site, old, new)
            if spot is not None and target is not None:
                spot.written = _with_case_of(spot.written, target)
                self.spots[target] = spot
        for spot in self.spots.values():
            abuts, spot.abuts = spot.abuts, {}
            for at, (written, place) in abuts.items():
                if now := _renamed_site(at, old, new):
                    text = written if now == at else _with_case_of(written, now)
                    spot.abuts.setdefault(now, (text, place))
        tables = [self.unowned]
        for power in self.powers.values():
            tables += [power.homes, power.centers or {}]
            power.units = [
                replace(unit, site=now)
                for unit in power.units
                if (now := _renamed_site(unit.site, old, new))
            ]
        for table in tables:
            at_line = table.pop(str(old), None)
            if at_line is not None and new is not None:
                table[str(new)] = at_line
        return bool(gone)

    # --- powers -----------------------------------------------------------------------------------

    def _directive_of_current_power(self, head: str, words: list[str]) -> None:
        """What a line says of the power above it."""
        if (power := self.power) is None:
            self.fault(f"{head} stands before any power")
            return
        match head:
            case "UNITS":
                power.units.clear()
            case "OWNS" | "CENTERS":
                power.centers = (power.centers or {}) if head == "OWNS" else {}
                for word in words:
                    if word.upper() in ("SC!", "SC?"):
                        self.leave_out(f"{power.name}: {word} among its centers")
                    else:
                        power.centers[_plain(word)] = self.line.place
            case "INHABITS":
                self._homes(power, words)
            case _:
                power.homes.clear()
                self._homes(power, words)

    def _unit(self, kind: str, words: list[str]) -> None:
        text, place = self.line.text, self.line.place
        if self.power is None or len(words) != 1:
            wrong = "stands before any power" if self.power is None else "is no unit"
            self.fault(f"{text} {wrong}")
            return
        self.power.is_sure = True
        site = _site(words[0])
        for power in self.powers.values():
            for unit in [each for each in power.units if each.site.area == site.area]:
                power.units.remove(unit)
                if unit.place.file == place.file:
                    other = f"{unit.kind} {str(unit.site).upper()}"
                    self.fault(f"{text} stands where {other} does ({unit.place})")
        self.power.units.append(StartUnit(kind, site, place))

    def _power_line(self, words: list[str]) -> None:
        """`FRANCE (FRENCH:F) BRE MAR PAR`, or to rename `FRANCE -> GAUL (GALLIC) BRE MAR PAR`"""
        old: PowerDraft | None = None
        if len(words) > 2 and words[1] == "->":
            old = self.powers.pop(_power_key(words[0]), None)
            if old is None:
                self.fault(f"there is no power {words[0]} to rename")
            words = words[2:]
        if words[0].upper() in NEUTRALS:
            self.power = None
            self._homes(None, [word for word in words[1:] if word != "()"])
            return
        name = _spaced(words[0].lstrip("_+"))
        new = PowerDraft(name, self.line.place, is_sure=old is not None)
        if old is not None:
            new.homes, new.centers, new.units = old.homes, old.centers, old.units
        power = self.power = self.powers.setdefault(_power_key(words[0]), new)
        rest = words[1:]
        if rest and rest[0].startswith("("):
            own, _, letter = (found[1] if (found := _OWN.match(rest[0])) else "").partition(":")
            power.adjective = " ".join(own.replace("+", " ").split()) or power.adjective
            power.letter = letter[:1].upper() or power.letter
            power.is_sure = True
            rest = rest[1:]
        self._homes(power, rest)

    def _homes(self, power: PowerDraft | None, words: list[str]) -> None:
        """Home centers; what is taken away is still a center."""
        for word in words:
            marks, home = word[: len(word) - len(word.lstrip("-*+~@"))], _plain(word)
            if home == ANYWHERE:
                self.draft.builds_anywhere = True
            if not home or home == ANYWHERE:
                continue
            for sign in marks.replace("-", ""):
                self.leave_out(f"{home.upper()}: {HOME_MARKS[sign]}")
            if power is None or ("-" in marks and home in power.homes):
                self.unowned[home] = self.line.place
            if power is not None and "-" in marks:
                power.homes.pop(home, None)
            elif power is not None and not set(marks) & set("*+"):
                power.homes[home] = self.line.place

    # --- what they have said in all ---------------------------------------------------------------

    def _add_places(self) -> None:
        draft = self.draft
        draft.areas = {site.area: area for site, area in self.names.items() if not site.coast}
        for site, area in self.names.items():
            spot, whole = self.spots.get(site), draft.areas.get(site.area)
            if whole is None:
                continue
            if spot is None:
                written = str(site).upper() if site.coast else site.area
                draft.fault(f"{area.name} ({written}) has no terrain", area.place)
            elif site.coast is None:
                area.kind = KINDS.get(spot.terrain, Terrain.LAND)
            else:
                words = (Alias(area.name), *area.aliases[1:])
                whole.aliases += [Alias(each.text, site.coast, each.is_unclear) for each in words]
        for site, spot in self.spots.items():
            whole_site = Site(site.area)
            if whole_site not in self.names:
                draft.fault(f"{spot.written} has no line with its full name", spot.place)
            elif whole_site not in self.spots:
                text = f"{spot.written}: there is no line for the province {site.area}"
                draft.fault(text, spot.place)

        for site, spot in self.spots.items():
            if site.area not in draft.areas or spot.terrain == "SHUT":
                continue
            if site.coast and site.coast not in COASTS:
                text = f"{spot.written}: there are the coasts {', '.join(COASTS)} and no others"
                draft.fault(text, spot.place)
                continue
            if site.coast is None and spot.terrain in SOLID:
                draft.army[site] = {}
            if spot.takes_fleets:
                draft.fleet[site] = {}
            for target, (written, place) in spot.abuts.items():
                province, other = Site(target.area), self.spots.get(target)
                if other is None:
                    draft.fault(f"{spot.written}: there is no place {written}", place)
                    continue
                if target.area not in draft.areas or target.area == site.area:
                    continue  # without a full name it is a fault already
                if site in draft.fleet and other.takes_fleets and not written[0].islower():
                    draft.fleet[site].setdefault(target, place)
                is_solid = (base := self.spots.get(province)) is not None and base.terrain in SOLID
                is_for_fleets = written[0].isupper() and written[1:] != written[1:].upper()
                if site in draft.army and is_solid and not is_for_fleets:
                    draft.army[site].setdefault(province, place)

    def _add_powers(self) -> None:
        draft = self.draft
        names = {str(site) for site in self.names}
        for power in self.powers.values():
            # A line that begins with an unknown word is a power only if it lists places of the map.
            if not power.is_sure and not (power.homes and names.issuperset(power.homes)):
                draft.leave_out(f"{power.name}: an unknown directive", power.place)
                continue
            known = self._keep_known_areas({unit.site.area: unit.place for unit in power.units})
            power.units = [unit for unit in power.units if unit.site.area in known]
            power.homes = self._keep_known_areas(power.homes)
            power.centers = None if power.centers is None else self._keep_known_areas(power.centers)
            if power.name.isupper():
                power.name = power.name.title()
            if power.adjective and power.adjective.isupper():
                power.adjective = power.adjective.title()
            draft.powers.append(power)
            self.unowned |= {**power.homes, **(power.centers or {})}
        for key in self._keep_known_areas(self.unowned):
            draft.areas[key].is_center = True

    def _keep_known_areas(self, keys: Mapping[str, Place]) -> dict[str, Place]:
        """Those that are areas; the others are faults."""
        for key, place in keys.items():
            if key not in self.draft.areas:
                self.draft.fault(f"there is no place {key.upper()}", place)
        return {key: place for key, place in keys.items() if key in self.draft.areas}


def _calendar_of(words: Iterable[str]) -> CalendarDraft | str:
    """The calendar of a flow, or why it is none of ours.

    Ours are cycles of turns with adjustments in the year of the last.
    """
    turns: list[tuple[str, int]] = []
    adjustments: list[tuple[str, int]] = []
    years = 0
    for word in words:
        if new_year := _NEW_YEAR.fullmatch(word):
            years += int(new_year[1] or 1)
            continue
        season, _, phases = word.partition(":")
        if season not in SEASONS:
            return f"{word} is no season of ours"
        for phase in phases.split(","):
            if phase not in PHASES:
                return f"{phase} is no phase of ours"
            if PHASES[phase] != "R":
                into = turns if PHASES[phase] == "M" else adjustments
                into.append((SEASONS[season], years))
    if not turns or len(adjustments) != 1:
        return "it has no movement, or not one phase of adjustments in a cycle"
    letter, at = adjustments[0]
    if at != turns[-1][1]:
        return "adjustments stand in another year than the last movement"
    first = turns[0][1]
    return CalendarDraft(tuple((each, year - first) for each, year in turns), letter, max(years, 1))


def _site(written: str) -> Site:
    area, _, coast = written.lower().partition("/")
    return Site(area, coast or None)


def _power_key(written: str) -> str:
    """The key of a power: capitals, without layout marks."""
    return re.sub(r"[+_,.\s]", "", written.upper())


def _spaced(text: str) -> str:
    return " ".join(text.replace("+", " ").replace("_", " ").split())


def _plain(word: str) -> str:
    """The place in a list of places, without marks and limits."""
    if word.lower() == ANYWHERE:
        return ANYWHERE
    return word.lstrip("-*+~@").partition("(")[0].rstrip(",").lower()


def _renamed_site(site: Site, old: Site, new: Site | None) -> Site | None:
    """What becomes of a place if the old one, with its coasts, gets another id or none."""
    if site == old:
        return new
    if old.coast or site.area != old.area:
        return site
    return Site(new.area, site.coast) if new else None


def _with_case_of(before: str, site: Site) -> str:
    """The id of a place in the letter case of another."""
    if before == before.upper():
        return str(site).upper()
    return str(site).capitalize() if before[0].isupper() else str(site)
