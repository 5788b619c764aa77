"""The chart of supply centers: a row for each power, a column for each year. The names stand at
the ends of the rows, so that letters of different widths leave the figures below one another."""

from collections.abc import Mapping, Sequence

from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.render.diplomacy.names import Names
from judge.render.layout import INDENT, display_width
from judge.rulebook import SeatId

COLUMNS = 60  # of a line, which a phone shows whole
FIGURE = 3  # columns of a figure
TURN_YEARS = 2  # of a turn, in a calendar without seasons


def center_chart(history: Sequence[tuple[str, Mapping[SeatId, int]]], names: Names) -> str:
    """How many centers each had at the start and at the end of each year, by the last figures of
    their year: `01` is 1901. Broken into several tables where there are too many years."""
    try:
        first = parse_phase(history[0][0]).year if history else 0
        counted = {_year_of(label): scores for label, scores in history[1:]}
    except ValueError:
        return ""
    step = 1 if history and history[0][0][0].isalpha() else TURN_YEARS
    if not counted:
        return ""
    years = list(range(first - step, max(counted) + 1, step))
    figures, now = list[Mapping[SeatId, int]](), history[0][1]
    for year in years:
        now = counted.get(year, now)
        figures.append(now)
    wide = max(display_width(names.seat_brief(seat)) for seat in now)
    many = max(1, (COLUMNS - 2 * len(INDENT) - wide) // FIGURE)
    tables = []
    for at in range(0, len(years), many):
        head = "".join(f"{year % 100:02}".rjust(FIGURE) for year in years[at : at + many])
        lines = [f"{INDENT}{head}"]
        for seat in now:
            row = "".join(str(each.get(seat, 0)).rjust(FIGURE) for each in figures[at : at + many])
            lines.append(f"{INDENT}{row}{INDENT}{names.seat_brief(seat)}")
        tables.append("\n".join(lines))
    return "\n\n".join(tables)


def _year_of(label: str) -> int:
    """The year whose last figures a phase opens with: the one before for the first of a year."""
    phase = parse_phase(label)
    step = 1 if phase.letter else TURN_YEARS
    is_first = phase.kind is PhaseKind.MOVEMENT and phase.letter in ("S", "")
    return phase.year - step if is_first else phase.year
