"""The plain-text report of the old e-mail judges, which thirty years of mappers and archives read.

Always English, in ASCII, at most 78 columns. Other programs read its lines, so they are a contract
(docs/classic-report.md): what the form has no place for follows under `Remarks:`.
"""

import textwrap
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from judge.diplomacy import orders as o
from judge.diplomacy import outcomes
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.records import PhaseReport, View
from judge.render.diplomacy.lines import short_order
from judge.render.diplomacy.names import Names
from judge.rulebook import ClassicReport, ReportFrame

COLUMNS = 78
SEASONS = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}
TITLES = {"M": "Movement results", "R": "Retreat orders", "A": "Adjustment orders"}
KINDS = {"M": "Movement", "R": "Retreats", "A": "Adjustments"}
SUBJECTS = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
UNITS = {o.UnitKind.ARMY: "Army", o.UnitKind.FLEET: "Fleet"}
WORDS: Mapping[type[outcomes.Outcome], str] = {
    outcomes.Bounced: "bounce",
    outcomes.RetreatClash: "bounce",
    outcomes.Cut: "cut",
    outcomes.NoConvoy: "no convoy",
    outcomes.Disrupted: "no convoy",
    outcomes.Void: "void",
    outcomes.DislodgedBy: "dislodged",
}
Owners = Mapping[o.ProvinceId, o.PowerId]


def classic_report(
    reports: Sequence[PhaseReport], frame: ReportFrame, names: Names
) -> ClassicReport:
    """A phase and those that ran with it; `names` are English ones."""
    writer = _Writer(names)
    blocks = [writer.header(frame)]
    remarks: list[str] = []
    for number, report in enumerate(reports):
        lines = writer.results(report)
        if lines:
            title, when = TITLES[report.kind], _season(report.label)
            serial = f"({frame.game}.{frame.serial + number:03})"
            blocks += [f"{title} for {when}.  {serial}\n", *lines]
        if report.dislodged:
            told = [writer.dislodged(each.unit, each.retreats) for each in report.dislodged]
            blocks += ["\nThe following units were dislodged:\n", *told, ""]
        if report.is_count:
            blocks += ["", *writer.ownership(report, report.units), ""]
        # What the form has no place for: rides and passages, which the old judges did not know.
        for result in report.results:
            if isinstance(result.order, o.Ride | o.WrittenRide | o.Passage | o.WrittenPassage):
                remarks.append(f"{names.power(result.power)} ordered {short_order(result.order)}.")
    if frame.next:
        phase = parse_phase(frame.next)
        opens = f"{KINDS[phase.kind]} for {_season(frame.next)}"
        blocks.append(_wrapped(f"The next phase of '{frame.game}' will be {opens}."))
        if frame.due is not None:
            blocks.append(f"The deadline for orders will be {_instant(frame.due)}.")
    else:
        blocks.append("The game is over.")
    if remarks:
        blocks += ["\nRemarks:\n", *map(_wrapped, remarks)]
    first = reports[0]
    subject = f"{first.label} {SUBJECTS[first.kind]} Results"
    return ClassicReport(subject, _plain("\n".join(blocks)))


def classic_position(
    view: View, frame: ReportFrame, names: Names, *, is_start: bool
) -> ClassicReport:
    """Where everybody's units stand in a phase, or at the start of a game, and whose the centers
    are."""
    writer, when = _Writer(names), _season(view.label)
    title = f"Status of the {KINDS[view.kind].removesuffix('s')} phase for {when}."
    if is_start:
        title = f"Starting position for {when}."
    dislodged = [each.unit for each in view.dislodged]
    blocks = [writer.header(frame), f"{title}  ({frame.game}.{frame.serial:03})\n"]
    standing = [(unit.power, f"{writer.unit(unit)}.") for unit in view.units]
    blocks += writer.by_power(view.powers, standing)
    if dislodged:
        unknown = (o.Location(o.HIDDEN),) if view.unseen else ()
        told = [writer.dislodged(each.unit, each.retreats or unknown) for each in view.dislodged]
        blocks += ["\nThe following units were dislodged:\n", *told, ""]
    blocks += ["", *writer.ownership(view, [*view.units, *dislodged]), ""]
    if frame.due is not None:
        blocks.append(f"The deadline for orders will be {_instant(frame.due)}.")
    subject = f"{view.label} {'Starting Position' if is_start else 'Status'}"
    return ClassicReport(subject, _plain("\n".join(blocks).rstrip("\n")))


class _Writer:
    """The report's lines, with the names of one variant."""

    def __init__(self, names: Names) -> None:
        self.names, self.board = names, names.variant.board
        longest = max((len(power.name) for power in names.variant.powers), default=0)
        self.width = longest + 1  # of the column of powers, with the colon

    def header(self, frame: ReportFrame) -> str:
        """The two lines that tools look for."""
        title = frame.variant or self.names.variant.name
        lines = [f":: Judge: {frame.judge}  Game: {frame.game}  Variant: {title}"]
        if frame.next:
            due = f" {_instant(frame.due)}" if frame.due is not None else ""
            lines.append(f":: Deadline: {frame.next}{due}")
        return "\n".join(lines) + "\n"

    def unit(self, unit: o.Unit, power: o.PowerId | None = None) -> str:
        """`Fleet St Petersburg (south coast)`; beside an order of another power `Russian Fleet`."""
        if o.is_hidden(unit):
            return "Unit out of sight"
        whose = "" if power in (None, unit.power) else f"{self.adjective(unit.power)} "
        return f"{whose}{UNITS[unit.kind]} {self.names.location(unit.location)}"

    def adjective(self, power: o.PowerId) -> str:
        adjectives = {one.id: one.adjective for one in self.names.variant.powers}
        return adjectives.get(power) or self.names.power(power)

    def column(self, power: o.PowerId | None) -> str:
        """`Russia:  `: names are followed by a colon and filled up to the longest."""
        name = self.names.power(power) if power else "Unowned"
        return f"{name}:".ljust(self.width)

    def by_power(
        self,
        powers: Sequence[o.PowerId],
        told: Sequence[tuple[o.PowerId, str]],
        *,
        apart: bool = True,
    ) -> list[str]:
        """Lines in the order of the powers, each behind its power's name."""
        lines: list[str] = []
        for power in powers:
            own = [text for whose, text in told if whose == power]
            lines += [""] if own and lines and apart else []
            lines += [_wrapped(f"{self.column(power)} {text}", self.width + 1) for text in own]
        return [*lines, ""] if lines else []

    # --- orders -----------------------------------------------------------------------------------

    def results(self, report: PhaseReport) -> list[str]:
        """Every order with what became of it; empty if nothing was ordered."""
        ordered = [one for one in report.results if one.unit]
        if report.kind == PhaseKind.MOVEMENT:
            told = [(one.power, self.movement(one, report)) for one in ordered]
        elif report.kind == PhaseKind.RETREAT:
            # Of units without a way out the movement has told.
            without = (outcomes.DisbandReason.NO_RETREAT, outcomes.DisbandReason.AT_ONCE)
            chose = [one for one in ordered if not _is_disbanded_for(one, *without)]
            told = [(one.power, self.retreat(one)) for one in chose]
        else:
            told = list(self.adjustments(report))
        return self.by_power(report.powers, told, apart=report.kind == PhaseKind.MOVEMENT)

    def movement(self, result: outcomes.Result, report: PhaseReport) -> str:
        """`Army Vienna -> Galicia.  (*bounce*)`"""
        unit, order = result.unit, result.order
        assert unit is not None
        text, where = self.unit(unit), unit.location.province
        silent = {*report.disorder, *report.unordered, *report.unplayed}
        is_idle = where in report.idle or result.power in silent
        marks = [WORDS[type(one)] for one in result.outcomes if type(one) in WORDS]
        match order:
            case o.Hold() if is_idle:
                text = f"{text}, No Order Processed"
            case o.Hold() | o.WrittenHold():
                text = f"{text} HOLD"
            case o.Ride() | o.WrittenRide():
                goal = order.target
                for halted in result.outcomes:
                    if isinstance(halted, outcomes.Halted) and halted.station.province != where:
                        goal = halted.station
                    elif isinstance(halted, outcomes.Halted):
                        marks.insert(0, "bounce")
                text = f"{text} -> {self.names.location(goal)}"
            case o.Move() | o.WrittenMove():
                way = self.way(result, report) if result.by_convoy else ()
                goals = [*(o.Location(sea) for sea in way), order.target]
                text = " -> ".join([text, *map(self.names.location, goals)])
            case o.SupportHold() | o.WrittenSupportHold():
                text = f"{text} SUPPORT {self.other_unit(order.supported, result.power, report)}"
            case o.SupportMove() | o.WrittenSupportMove():
                other = self.other_unit(order.supported, result.power, report)
                text = f"{text} SUPPORT {other} -> {self.names.location(order.target)}"
            case o.Convoy() | o.WrittenConvoy():
                other = self.other_unit(order.convoyed, result.power, report)
                text = f"{text} CONVOY {other} -> {self.names.location(order.target)}"
            case _:  # an order of another phase
                text, marks = f"{text}, No Order Processed", [one for one in marks if one != "void"]
        return _marked(text, marks)

    def other_unit(
        self, other: o.Unit | o.WrittenUnit, power: o.PowerId, report: PhaseReport
    ) -> str:
        """The unit that an order names: as it stood there, or as it was written if none did."""
        if isinstance(other, o.WrittenUnit):
            there = [one.unit for one in report.results if one.unit]
            found = [one for one in there if one.location.province == other.location.province]
            if not found and other.kind is None and report.unseen:
                return f"Unit {self.names.location(other.location)}"
            kind = other.kind or o.UnitKind.ARMY
            other = found[0] if found else o.Unit(other.power or power, kind, other.location)
        return self.unit(other, power)

    def way(self, result: outcomes.Result, report: PhaseReport) -> tuple[o.ProvinceId, ...]:
        """The seas through which fleets carried an army, or were to; empty without a route."""
        unit, move = result.unit, result.order
        assert unit is not None
        assert isinstance(move, o.Move | o.WrittenMove)
        fleets = {
            one.unit.location.province: one.unit
            for one in report.results
            if one.unit is not None
            and isinstance(one.order, o.Convoy)
            and one.order.convoyed.location.province == unit.location.province
            and one.order.target.province == move.target.province
            and not (result.succeeded and one.is_dislodged)
        }
        goal, fleet = move.target.province, o.UnitKind.FLEET
        ways = [
            (sea,)
            for sea in sorted(fleets)
            if self.board.is_adjacent(fleet, fleets[sea].location, unit.location.province)
        ]
        seen = {way[-1] for way in ways}
        for way in ways:
            at = fleets[way[-1]].location
            if self.board.is_adjacent(fleet, at, goal):
                return way
            for sea in sorted(fleets.keys() - seen):
                if self.board.is_adjacent(fleet, at, sea):
                    seen.add(sea)
                    ways.append((*way, sea))  # type: ignore[arg-type]
        return ()

    def retreat(self, result: outcomes.Result) -> str:
        """`Army Venice -> Tyrolia.  (*bounce, destroyed*)`"""
        unit, order = result.unit, result.order
        assert unit is not None
        marks = [WORDS[type(one)] for one in result.outcomes if type(one) in WORDS]
        if _is_disbanded_for(result, outcomes.DisbandReason.CLASH):
            marks.append("destroyed")
        match order:
            case o.Retreat() | o.WrittenRetreat() | o.WrittenMove():
                text = f"{self.unit(unit)} -> {self.names.location(order.target)}"
            case o.Disband() if not result.outcomes:
                text = f"{self.unit(unit)} DISBAND"
            case _:
                text, marks = f"{self.unit(unit)}, No Order Processed (DISBAND)", []
        return _marked(text, marks)

    def adjustments(self, report: PhaseReport) -> Iterator[tuple[o.PowerId, str]]:
        """`Builds an army in Vienna.`; what of the builds was left out, and what had no room."""
        for power in report.powers:
            waived = 0
            for result in report.results:
                is_void = any(isinstance(one, outcomes.Void) for one in result.outcomes)
                if result.power != power or is_void:
                    continue
                match result.order:
                    case o.Build(unit):
                        article = "an army" if unit.kind is o.UnitKind.ARMY else "a fleet"
                        where = self.names.location_in_sentence(unit.location)
                        yield power, f"Builds {article} in {where}."
                    case o.Disband(unit):
                        kind = UNITS[unit.kind].lower()
                        where = self.names.location_in_sentence(unit.location)
                        by_rule = any(
                            isinstance(one, outcomes.Disbanded) for one in result.outcomes
                        )
                        verb = "Defaults, removing" if by_rule else "Removes"
                        yield power, f"{verb} the {kind} in {where}."
                    case o.Waive():
                        waived += 1
                        yield power, "Build waived."
            left = self.builds_due(power, report.owners, report.units) - waived
            is_known = not report.unseen or power in report.waived
            if left > 0 and power not in report.unplayed and is_known:
                yield power, f"{left} unusable build{'s' if left > 1 else ''} waived."

    def builds_due(self, power: o.PowerId, owners: Owners, units: Sequence[o.Unit]) -> int:
        """How many builds a power is due; negative for disbands."""
        known = {one.id: one for one in self.names.variant.powers}
        held = sum(owner == power for owner in owners.values())
        counted = known[power].center_count(owners) if power in known else held
        return counted - sum(unit.power == power for unit in units)

    # --- positions --------------------------------------------------------------------------------

    def dislodged(self, unit: o.Unit, ways: Sequence[o.Location]) -> str:
        """`The German Army in Munich can retreat to Bohemia or Tyrolia.`"""
        whose = self.adjective(unit.power)
        named = f"The {whose} {UNITS[unit.kind]} in {self.names.location(unit.location)}"
        if o.Location(o.HIDDEN) in ways:
            return _wrapped(f"{named} was dislodged.")
        if not ways:
            return _wrapped(f"{named} with no valid retreats was destroyed.")
        return _wrapped(
            f"{named} can retreat to {self.names.either(map(self.names.location, ways))}."
        )

    def ownership(self, seen: PhaseReport | View, units: Sequence[o.Unit]) -> Iterator[str]:
        """Whose the centers are, and what each power may build or must remove; of a blind game the
        centers that the reader sees."""
        owners, unseen = seen.owners, seen.unseen
        if unseen and not owners:
            return
        yield "Ownership of supply centers:\n"
        free = [each for each in self.board.centers if each not in (*owners, *unseen)]
        held_by = {power: [at for at in owners if owners[at] == power] for power in seen.powers}
        for whose, centers in [*held_by.items(), (None, free)]:
            if centers:
                listed = ", ".join(sorted(map(self.names.province, centers)))
                indent = self.width + 3
                yield _wrapped(f"{self.column(whose):{indent}}{listed}.", indent)
        yield ""
        for power in seen.powers if not unseen else ():
            own, held = sum(unit.power == power for unit in units), len(held_by[power])
            if not own and not held:
                continue
            left = self.builds_due(power, owners, units)
            verb, n = ("Removes", -left) if left < 0 else ("Builds ", left)
            count = f"{held:2} Supply center{'s, ' if held != 1 else ', '}"
            stand = f"{own:2} Unit{'s: ' if own != 1 else ':  '} {verb} {n:2}"
            yield f"{self.column(power)}  {count:19}{stand} unit{'' if n == 1 else 's'}."


def _is_disbanded_for(result: outcomes.Result, *reasons: outcomes.DisbandReason) -> bool:
    """Whether its unit was taken off the board for one of these reasons."""
    gone = [one for one in result.outcomes if isinstance(one, outcomes.Disbanded)]
    return any(one.reason in reasons for one in gone)


def _marked(text: str, marks: Sequence[str]) -> str:
    return f"{text}.  (*{', '.join(dict.fromkeys(marks))}*)" if marks else f"{text}."


def _season(label: str) -> str:
    """`Spring of 1901`; the year alone in a calendar without seasons."""
    phase = parse_phase(label)
    season = SEASONS.get(phase.letter, phase.letter)
    return f"{season} of {phase.year}" if season else f"{phase.year}"


def _instant(instant: datetime) -> str:
    """`Fri Dec 04 2026 20:00:00 +0000`"""
    return f"{instant.astimezone(UTC):%a %b %d %Y %H:%M:%S +0000}"


def _wrapped(text: str, indent: int = 2) -> str:
    """A line of at most 78 columns and, indented, what does not fit on it."""
    return textwrap.fill(
        text,
        COLUMNS,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _plain(text: str) -> str:
    """A text in ASCII: letters lose their accents."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return "\n".join(line.rstrip() for line in plain.split("\n"))
