"""Values of letters as a game makes them: the positions of one game called balkan."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from judge.diplomacy.board import parse_location
from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import Disband, Hold, PowerId, ProvinceId, Retreat, Unit, WrittenOrder
from judge.diplomacy.outcomes import Result
from judge.diplomacy.position import Dislodged, Position, sort_units
from judge.diplomacy.records import (
    Adjustment,
    CenterChange,
    NoteKind,
    NoteValues,
    OwnReport,
    PhaseReport,
    ProblemValues,
    View,
)
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import resolve_movement
from judge.diplomacy.variants.variant import load_variant, parse_unit
from judge.host.messages.shared import Due, GameRef, RosterEntry
from judge.rulebook import (
    AdvanceOrders,
    Line,
    Note,
    Problem,
    RandomStream,
    SeatId,
    Understood,
)
from judge.store import GameSettings, Press

VARIANT = load_variant("standard")
POWERS = VARIANT.power_ids
FRANCE = SeatId("FRANCE")
TURKEY = SeatId("TURKEY")
PARIS = "Europe/Paris"

SETTINGS = GameSettings(
    variant="standard",
    rules="2000",
    lengths={
        "movement": timedelta(days=3),
        "retreat": timedelta(days=1),
        "adjustment": timedelta(days=1),
    },
    grace=timedelta(days=1),
    reminder=timedelta(days=1),
    all_in_delay=timedelta(minutes=30),
    press=Press.WHITE,
    votes=("draw", "concession"),
)


def at(day: int, hour: int, minute: int = 0, second: int = 0) -> datetime:
    """An instant of December 2026, UTC."""
    return datetime(2026, 12, day, hour, minute, second, tzinfo=UTC)


def game(label: str | None = "S1901M", seat: SeatId | None = FRANCE) -> GameRef:
    return GameRef("balkan", "diplomacy", "standard", label, seat)


def due(day: int = 5, now: datetime | None = None, **kwargs: object) -> Due:
    base = Due(at=at(day, 20), now=now or at(day - 2, 16), grace=timedelta(days=1))
    return replace(base, **{"early": timedelta(minutes=30), **kwargs})  # type: ignore[arg-type]


def units(**by_power: str) -> tuple[Unit, ...]:
    """`units(FRANCE="A PAR, F BRE")`."""
    return tuple(
        parse_unit(PowerId(power), text)
        for power, texts in by_power.items()
        for text in texts.split(", ")
    )


START_UNITS = tuple(unit for power in VARIANT.powers for unit in power.start_units)
START_OWNERS = {center: power.id for power in VARIANT.powers for center in power.home_centers}


def view(
    label: str = "S1901M",
    seat: str | None = "FRANCE",
    stand: tuple[Unit, ...] = START_UNITS,
    dislodged: tuple[Dislodged, ...] = (),
    adjustments: tuple[Adjustment, ...] = (),
    owners: Mapping[str, PowerId] = START_OWNERS,  # type: ignore[assignment]
) -> View:
    return View(
        variant="standard",
        rules="2000",
        label=label,
        kind=str(parse_phase(label).kind),
        serial=1,
        seat=seat,
        own=(PowerId(seat),) if seat else (),
        powers=POWERS,
        units=stand,
        owners=owners,  # type: ignore[arg-type]
        dislodged=dislodged,
        adjustments=adjustments,
    )


def line(text: str, key: str = "", *, kept: bool = False) -> Line:
    return Line(key or text.split()[1].partition("/")[0], text, text.lower(), kept)


def understood(text: str, *notes: tuple[NoteKind, NoteValues]) -> Understood:
    told = tuple(Note(kind, values.to_raw()) for kind, values in notes)
    return Understood(0, line(text), told)


def problem(
    written: str, marked: str, kind: str, *proposals: str, label: str = "", **values: object
) -> Problem:
    """A problem of a line, with a part of it marked; `label`: of a later phase."""
    start = written.index(marked)
    return Problem(
        line_number=0,
        written=written,
        start=start,
        end=start + len(marked),
        kind=kind,
        values=ProblemValues(**values).to_raw(),  # type: ignore[arg-type]
        proposals=tuple(line(text) for text in proposals),
        label=label,
    )


ROSTER = tuple(
    RosterEntry(SeatId(power), player, 4 if power == "RUSSIA" else 3)
    for power, player in zip(
        POWERS, ["Ann", "Bert", "Chloé", "Dieter", "Elena", "Fyodor", "Gül"], strict=True
    )
)


# --- spring 1902 ----------------------------------------------------------------------------------


def unit(power: str, text: str) -> Unit:
    return parse_unit(PowerId(power), text)


ORDERS = {
    "AUSTRIA": "A BUD S A SER, A SER H, A TRI - TYR, A VIE - GAL, F GRE H",
    "ENGLAND": "A BEL S A MUN - BUR, F EDI - NWG, F LON - ENG, F NTH S A BEL, F NWY H",
    "FRANCE": "A BUR - BEL, A MAR - PIE, A PAR - PIC, A SPA - POR, F POR - MAO",
    "GERMANY": "A BER - MUN, A HOL H, A KIE - RUH, A MUN - BUR, F DEN H",
    "ITALY": "A TUN H, A VEN - PIE, F ION - TYS, F NAP - ION",
    "RUSSIA": "A SEV - UKR, A STP - FIN, A UKR - GAL, A WAR S A UKR - GAL, F RUM H, F SWE H",
    "TURKEY": "A BUL H, A CON H, A SMY H, F BLA H",
}


def _written(texts: str) -> list[WrittenOrder]:
    orders = [parse_canonical(text) for text in texts.split(", ")]
    return [order for order in orders if order is not None]


def _standing(power: str, texts: str) -> tuple[Unit, ...]:
    return tuple(unit(power, " ".join(text.split()[:2])) for text in texts.split(", "))


SPRING_START = tuple(each for power, texts in ORDERS.items() for each in _standing(power, texts))
SPRING = resolve_movement(
    VARIANT,
    Rules.preset("2000"),
    Position(parse_phase("S1902M"), SPRING_START, START_OWNERS),
    {PowerId(power): _written(texts) for power, texts in ORDERS.items() if power != "TURKEY"},
    frozenset({PowerId("TURKEY")}),
)
(BURGUNDY,) = SPRING.dislodged
SPRING_UNITS = SPRING.units


def change(center: str, before: PowerId | None, after: PowerId) -> CenterChange:
    return CenterChange(center=ProvinceId(center), before=before, after=after)


SPRING_1902 = PhaseReport(
    variant="standard",
    label="S1902M",
    kind="M",
    powers=POWERS,
    results=SPRING.results,
    units=SPRING_UNITS,
    owners=START_OWNERS,
    disorder=(PowerId("TURKEY"),),
    dislodged=SPRING.dislodged,
    contested=SPRING.contested,
    next_label="S1902R",
)


def own_report(report: PhaseReport, power: str) -> OwnReport:
    own = PowerId(power)
    results = tuple(result for result in report.results if result.power == own)
    return OwnReport(
        powers=(own,),
        results=results,
        ordered=0 if own in report.disorder else len(results),
        dislodged=tuple(each for each in report.dislodged if each.unit.power == own),
    )


# --- retreats and a fall count --------------------------------------------------------------------

RETREATS_1902 = PhaseReport(
    variant="standard",
    label="S1902R",
    kind="R",
    powers=POWERS,
    results=(
        Result(
            PowerId("FRANCE"),
            Retreat(BURGUNDY.unit, parse_location("PAR")),
            (),
            BURGUNDY.unit,
        ),
    ),
    units=sort_units((*SPRING_UNITS, unit("FRANCE", "A PAR")), POWERS),
    owners=START_OWNERS,
    next_label="F1902M",
)

FALL_OWNERS = {
    **START_OWNERS,
    parse_location("BEL").province: PowerId("ENGLAND"),
    parse_location("SPA").province: PowerId("FRANCE"),
    parse_location("BUL").province: PowerId("TURKEY"),
    parse_location("MUN").province: PowerId("FRANCE"),
}

FALL_1901 = PhaseReport(
    variant="standard",
    label="F1901M",
    kind="M",
    powers=POWERS,
    results=tuple(
        Result(power, Hold(each), (), each)
        for power in POWERS
        for each in START_UNITS
        if each.power == power
    ),
    units=START_UNITS,
    owners=FALL_OWNERS,
    changes=(
        change("BEL", None, PowerId("ENGLAND")),
        change("BUL", None, PowerId("TURKEY")),
        change("MUN", PowerId("GERMANY"), PowerId("FRANCE")),
        change("SPA", None, PowerId("FRANCE")),
    ),
    is_count=True,
    next_label="W1901A",
)

WINTER_1901 = PhaseReport(
    variant="standard",
    label="W1901A",
    kind="A",
    powers=POWERS,
    results=(
        Result(PowerId("GERMANY"), Disband(unit("GERMANY", "A BER")), (), unit("GERMANY", "A BER")),
    ),
    units=tuple(each for each in START_UNITS if each != unit("GERMANY", "A BER")),
    owners=FALL_OWNERS,
    next_label="S1902M",
)


# --- two players, and the coin for Italy ----------------------------------------------------------

CENTRAL = SeatId("AUSTRIA_GERMANY_TURKEY")
ALLIES = SeatId("ENGLAND_FRANCE_RUSSIA")
FOR_TWO = RULEBOOK.start("standard", {"players": "2"})
FOR_TWO_ROSTER = (RosterEntry(ALLIES, "Ann", 10), RosterEntry(CENTRAL, "Bert", 9))
FALL_1914 = DiplomacyGame(
    replace(
        FOR_TWO.stored,
        label="F1914M",
        serial=3,
        units=sort_units(
            units(
                AUSTRIA="A SER, A TYR",
                FRANCE="A SPA, F MAO",
                GERMANY="A HOL, F DEN, A SIL, A PRU",
                ITALY="A ROM, A VEN, F NAP",
                RUSSIA="A GAL, F RUM",
                TURKEY="A BUL",
            ),
            POWERS,
        ),
    )
)
TOSSED = FALL_1914.resolve(
    {
        CENTRAL: tuple(
            line(text)
            for text in ("A TYR - VIE", "A SIL - WAR", "A PRU S A SIL - WAR", "A BUL - RUM")
        ),
        ALLIES: tuple(line(text) for text in ("A SPA - POR", "F RUM H", "A GAL - UKR")),
    },
    frozenset(),
    RandomStream(b"a seed for letters", 3),
)


# --- orders ahead ---------------------------------------------------------------------------------


def later(label: str, *lines: Line) -> AdvanceOrders:
    return AdvanceOrders(label, lines)


WAY_OUT = Line("BUR", "IF DISLODGED A BUR R PAR, GAS, DISBAND", "if dislodged bur: par, gas, d")
AHEAD = (
    later("S1901R", WAY_OUT, Line("MAR", "IF DISLODGED A MAR R GAS", "a mar r gas", kept=True)),
    later("F1901M", line("A BUR - BEL"), line("SPA - POR", "SPA", kept=True)),
    later(
        "W1901A",
        Line("B PAR", "A PAR B", "build a par"),
        Line("B BRE", "F BRE B", "build f bre"),
        line("A RUH D"),
        Line("WAIVE 1", "WAIVE", "waive"),
    ),
)
