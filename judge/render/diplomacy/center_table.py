"""Supply centers by year, as a table: a row for each power, a column for each year. The names stand
at the ends of the rows, so that letters of different widths leave the figures below one another."""

from collections.abc import Mapping, Sequence

import msgspec

from judge.blocks import Verbatim
from judge.diplomacy.calendar import Phase, PhaseKind, parse_phase
from judge.render.diplomacy.names import Names
from judge.render.layout import INDENT, display_width
from judge.rulebook import SeatId

COLUMNS = 60  # of a line, which a phone shows whole
FIGURE = 3  # columns of a figure
TURN_YEARS = 2  # of a turn, in a calendar without seasons

History = Sequence[tuple[str, Mapping[SeatId, int]]]


class YearlyCenters(msgspec.Struct, frozen=True):
    """The centers of each seat at the start and at the end of each year; years without a change
    are among them."""

    years: tuple[int, ...]
    figures: tuple[Mapping[SeatId, int], ...]

    @property
    def seats(self) -> tuple[SeatId, ...]:
        return tuple(self.figures[-1]) if self.figures else ()


def centers_by_year(history: History, *, finished: bool = False) -> YearlyCenters:
    """What `GameWords.chart` is given, by year; without any if the game has not gone on, or its
    labels are not those of phases. `finished`: without a year that still runs."""
    try:
        phases = [(parse_phase(label), scores) for label, scores in history]
    except ValueError:
        return YearlyCenters((), ())
    opened = [(phase, scores) for phase, scores in phases[1:] if not finished or _is_counted(phase)]
    if not opened:
        return YearlyCenters((), ())
    first, now = phases[0]
    step = 1 if first.letter else TURN_YEARS
    counted = {_year_of(phase): scores for phase, scores in opened}
    start = first.year if first.kind is PhaseKind.ADJUSTMENT else first.year - step
    years = tuple(range(start, max(counted) + 1, step))
    figures = []
    for year in years:
        now = counted.get(year, now)
        figures.append(now)
    return YearlyCenters(years, tuple(figures))


def center_table(history: History, names: Names) -> Verbatim:
    """How many centers each had at the start and at the end of each year, by the last figures of
    their year: `01` is 1901. Broken into several tables where there are too many years."""
    counted = centers_by_year(history)
    if not counted.years:
        return Verbatim("")
    wide = max(display_width(names.seat_brief(seat)) for seat in counted.seats)
    many = max(1, (COLUMNS - 2 * len(INDENT) - wide) // FIGURE)
    tables = []
    for at in range(0, len(counted.years), many):
        head = "".join(f"{year % 100:02}".rjust(FIGURE) for year in counted.years[at : at + many])
        lines = [f"{INDENT}{head}"]
        for seat in counted.seats:
            figures = counted.figures[at : at + many]
            row = "".join(str(each.get(seat, 0)).rjust(FIGURE) for each in figures)
            lines.append(f"{INDENT}{row}{INDENT}{names.seat_brief(seat)}")
        tables.append("\n".join(lines))
    return Verbatim("\n\n".join(tables))


def _is_first(phase: Phase) -> bool:
    """Whether it is the first of a year."""
    return phase.kind is PhaseKind.MOVEMENT and phase.letter in ("S", "")


def _is_counted(phase: Phase) -> bool:
    """Whether the centers of its year (see `_year_of`) have been counted when it opens."""
    return phase.kind is PhaseKind.ADJUSTMENT or _is_first(phase)


def _year_of(phase: Phase) -> int:
    """The year whose last figures a phase opens with: the one before for the first of a year."""
    step = 1 if phase.letter else TURN_YEARS
    return phase.year - step if _is_first(phase) else phase.year
