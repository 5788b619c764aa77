"""Supply centers by year, as a table, and as charts in SVG: a line for each power, what each year
gained and lost, and a small panel for each power. The same values give the same bytes.

Every line ends at the name of its power, since colors alone do not tell powers apart for everybody.
Lines that would lie on one another run side by side.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from xml.etree.ElementTree import Element

import msgspec

from judge.blocks import Verbatim
from judge.diplomacy.calendar import Phase, PhaseKind, parse_phase
from judge.diplomacy.power_assignment import running_variant
from judge.diplomacy.records import View
from judge.render.catalogue import sentence_tables
from judge.render.diplomacy.drawing import COLORS, Point, Style, add, add_text, mixed, styles_of
from judge.render.diplomacy.names import Names
from judge.render.layout import INDENT, display_width, one_line
from judge.render.pictures import Picture
from judge.rulebook import Message, SeatId

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
    """What `GameWords.score_table` is given, by year; without any if the game has not gone on, or
    its labels are not those of phases. `finished`: without a year that still runs."""
    try:
        phases = [(parse_phase(label), scores) for label, scores in history]
    except ValueError:
        return YearlyCenters((), ())
    opened = [  # in a finished year, the centers of which are counted when the phase opens
        (phase, scores)
        for phase, scores in phases[1:]
        if not finished or phase.kind is PhaseKind.ADJUSTMENT or _is_first(phase)
    ]
    if not opened:
        return YearlyCenters((), ())
    first, now = phases[0]
    step = 1 if first.letter else TURN_YEARS
    # The first phase of a year opens with the last figures of the one before.
    counted = {
        phase.year - step if _is_first(phase) else phase.year: scores for phase, scores in opened
    }
    start = first.year if first.kind is PhaseKind.ADJUSTMENT else first.year - step
    years = tuple(range(start, max(counted) + 1, step))
    figures = []
    for year in years:
        now = counted.get(year, now)
        figures.append(now)
    return YearlyCenters(years, tuple(figures))


def center_table(history: History, names: Names) -> Verbatim:
    """How many centers each had at the start and at the end of each year, by the last figures of
    their year: `01` is 1901. Broken into several tables where there are too many years. The names
    stand at the ends of the rows, so that letters of different widths leave the figures below one
    another."""
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


# --- charts ---------------------------------------------------------------------------------------

WIDTH = 720.0  # units; a letter of 13 is read at 600 pixels too
MARGIN = 14.0
LEFT = 34.0  # where the axis of centers stands
TEXT, SMALL = 13.0, 11.0  # sizes of letters
LEAST_HEIGHT = 300.0  # of the lines
ROW = 16.0  # between the names at the ends of the lines, and between tiles
NAME_COLUMNS = 20  # of a name beside its line
SPREAD, SIDE = 0.8, 4.0  # lines of one value lie side by side: within so much of a center; units
MOST_CENTER_LINES, MOST_YEAR_WIDTH = 10, 40.0
GRID = "#dedbd4"
DASHES = ("", "7 3", "2.5 3")  # of a color that is given a second and a third time


class _Words(msgspec.Struct, frozen=True):
    charts: dict[str, Message]


WORDS = sentence_tables("maps.toml", _Words).charts


def centers_chart(history: History, view: View | None, names: Names) -> Picture | None:
    """The charts of a game; None before its first year is finished.

    Args:
        history: the label of each phase that opened with other figures, and these, as for
            `GameWords.score_table`.
        view: of the game, for how many centers win; None where that is not known.
        names: in whose language it is drawn.
    """
    counted = centers_by_year(history, finished=True)
    if len(counted.years) < 2:
        return None
    victory = 0
    if view is not None:
        variant = running_variant(view)
        is_shared = any(len(powers) > 1 for powers in variant.seating.values())
        # A seat's figure counts all its powers.
        is_compared = not is_shared or variant.victory_by == "player"
        victory = variant.victory_centers if is_compared else 0
    return _Chart(counted, victory, names).done()


class _Chart:
    """The charts of one game being drawn, from top to bottom."""

    def __init__(self, counted: YearlyCenters, victory: int, names: Names) -> None:
        self._names, self._victory = names, victory
        self._years, self._figures, self._seats = counted.years, counted.figures, counted.seats
        self._layer = Element("g", id="chart")
        known = styles_of(names)
        self._styles = {}
        for seat in self._seats:
            styles = [known[power] for power in names.powers_of(seat) if power in known]
            first = styles[0] if styles else Style("#888888", 0, seat[:1])
            letters = "".join(style.letter for style in styles) or seat[:1]
            self._styles[seat] = Style(first.color, first.hatch, letters)
        self._held = max(max(figures.values()) for figures in self._figures)
        self._most = max(self._held, victory) + 0.5
        labels = [self._label_text(seat) for seat in self._seats]
        self._tile = max(_width(style.letter, SMALL) for style in self._styles.values()) + 9
        self._right = WIDTH - MARGIN - max(_width(one, TEXT) for one in labels) - self._tile - 24
        self._top = 56.0
        self._bottom = self._top + max(LEAST_HEIGHT, ROW * len(self._seats) + 10)

    def done(self) -> Picture:
        """The finished picture."""
        background = add(self._layer, "rect", width=WIDTH, fill="#ffffff")
        add_text(self._layer, (MARGIN, 26.0), self._names.tell(WORDS["title"]), 18.0)
        self._axes()
        self._lines()
        bottom = self._panels(self._gains_and_losses(self._bottom + 26))
        background.set("height", f"{bottom:g}")
        return Picture(WIDTH, bottom, self._layer)

    # --- the lines ----------------------------------------------------------------------------

    def _x(self, at: int) -> float:
        """Where a year stands, by its number from the first one."""
        return LEFT + 10 + at * (self._right - LEFT - 20) / (len(self._years) - 1)

    def _y(self, centers: float) -> float:
        return self._bottom - centers * (self._bottom - self._top) / self._most

    def _axes(self) -> None:
        """Figures at the left, years below, and a dotted line at the number that wins."""
        layer = add(self._layer, "g", id="axes")
        step = next(step for step in (1, 2, 5, 10, 20, 50) if self._most / step < MOST_CENTER_LINES)
        for centers in range(0, int(self._most) + 1, step):
            y = self._y(centers)
            look = {"stroke": GRID if centers else COLORS.border, "stroke_width": 1}
            add(layer, "path", d=f"M{LEFT:g} {y:.1f}H{self._right:.1f}", **look)
            add_text(layer, (LEFT - 6, y + 4.5), str(centers), TEXT, "end")
        every = int(-(-MOST_YEAR_WIDTH // (self._x(1) - self._x(0))))  # how manieth year is named
        for at, year in enumerate(self._years):
            add(layer, "path", d=f"M{self._x(at):.1f} {self._bottom:g}v5", stroke=COLORS.border)
            if at % every == 0:
                add_text(layer, (self._x(at), self._bottom + 19), str(year), TEXT, "middle")
        if self._victory:
            y = self._y(self._victory)
            look = {"stroke": COLORS.ink, "dashes": "1.5 4", "stroke_width": 1.8}
            d = f"M{LEFT:g} {y:.1f}H{self._right:.1f}"
            add(self._layer, "path", d=d, id="victory", **look)
            told = self._names.tell(WORDS["victory"], self._victory)
            add_text(self._layer, (LEFT + 4, y - 6), told, TEXT)

    def _lines(self) -> None:
        """A line for each seat until it has no centers for good, and its name at the end. Seats of
        the same figure lie side by side, in their order."""
        ends = []
        for seat in self._seats:
            own = [each.get(seat, 0) for each in self._figures]
            last = max((at for at, centers in enumerate(own) if centers), default=0) + 1
            points = []
            for at, centers in enumerate(own[: last + 1]):
                equal = [one for one in self._seats if self._figures[at].get(one, 0) == centers]
                side = (
                    min(SIDE, SPREAD * (self._y(0) - self._y(1)) / len(equal)) if centers else 0.0
                )
                aside = side * (equal.index(seat) - (len(equal) - 1) / 2)
                points.append((self._x(at), self._y(centers) + aside))
            style = self._styles[seat]
            group = add(self._layer, "g", id=f"line-{seat}")
            color, dashes = _line_color(style), DASHES[style.hatch % len(DASHES)]
            self._path(group, points, "#ffffff", 4.0)
            self._path(group, points, color, 2.4, dashes)
            for x, y in points:
                look = {"fill": color, "stroke": "#ffffff", "stroke_width": 0.8}
                add(group, "circle", cx=x, cy=y, r=3.0, **look)
            ends.append(points[-1])
        layer, left = add(self._layer, "g", id="names"), self._right + 18
        places = apart([y for _, y in ends], ROW, self._top - 24, self._bottom + 6)
        for seat, (x, y), place in zip(self._seats, ends, places, strict=True):
            is_out = not self._figures[-1].get(seat, 0)
            if not is_out:  # a line that ended before has its name among the last ones
                look = {"stroke": _line_color(self._styles[seat]), "fill": "none"}
                add(layer, "path", d=f"M{x + 4:.1f} {y:.1f}L{left - 2:.1f} {place:.1f}", **look)
            self._draw_tile(layer, seat, (left, place))
            middle = (left + self._tile + 5, place + 4.5)
            fill = COLORS.border if is_out else COLORS.ink
            add_text(layer, middle, self._label_text(seat), TEXT, fill=fill)

    def _label_text(self, seat: SeatId) -> str:
        """`France 7`."""
        return f"{self._name(seat, NAME_COLUMNS)} {self._figures[-1].get(seat, 0)}"

    def _name(self, seat: SeatId, columns: int) -> str:
        """A seat's name, cut with a point if it is too long."""
        return one_line(self._names.seat_brief(seat), columns).replace("…", ".")

    # --- what each year brought ---------------------------------------------------------------

    def _gains_and_losses(self, top: float) -> float:
        """Below each year who gained centers in it and who lost some, a tile `F +2` each: filled
        for a gain, empty for a loss. Returns where it ends."""
        layer = add(self._layer, "g", id="strip")
        add_text(layer, (MARGIN, top + 18), self._names.tell(WORDS["strip"]), TEXT)
        room = self._x(1) - self._x(0) - 6
        years = []
        for before, now in pairwise(self._figures):
            changes = [(now.get(seat, 0) - before.get(seat, 0), seat) for seat in self._seats]
            # Gains first, the greatest at the top.
            years.append(sorted((one for one in changes if one[0]), key=lambda one: -one[0]))
        longest = max([len(str(abs(change))) for year in years for change, _ in year], default=1)
        width = min(room, self._tile + _width(" +" + "9" * longest, SMALL))
        abreast = max(1, int(room // (width + 2)))
        highest = top + 30
        for at, year in enumerate(years, 1):
            for place, (change, seat) in enumerate(year):
                row, column = divmod(place, abreast)
                y = top + 26 + row * ROW
                beside = min(abreast, len(year))
                x = self._x(at) + (column - beside / 2) * (width + 2) + 1
                style = self._styles[seat]
                fill, ink = "#ffffff", COLORS.ink
                if change > 0:
                    fill, ink = style.color, style.letter_color
                look = {"fill": fill, "stroke": _line_color(style), "stroke_width": 1.2, "rx": 2.5}
                add(layer, "rect", x=x, y=y, width=width, height=ROW - 2, **look)
                texts = (f"{style.letter} {change:+}", f"{style.letter}{change:+}", style.letter)
                told = next((one for one in texts if _width(one, SMALL) <= width), style.letter)
                add_text(layer, (x + width / 2, y + 11), told, SMALL, "middle", fill=ink)
                highest = max(highest, y + ROW)
        return highest + 12

    # --- a panel for each seat ----------------------------------------------------------------

    def _panels(self, top: float) -> float:
        """Small charts side by side, one for each seat among the grey lines of the others; returns
        where they end."""
        columns = 4 if len(self._seats) <= 12 else 5
        width = (WIDTH - 2 * MARGIN - (columns - 1) * 12) / columns
        height = 54.0
        layer = add(self._layer, "g", id="panels")
        room = width - self._tile - 24
        for at, seat in enumerate(self._seats):
            left = MARGIN + at % columns * (width + 12)
            head = top + at // columns * (height + 46)
            base, style = head + 20 + height, self._styles[seat]
            group = add(layer, "g", id=f"panel-{seat}")
            self._draw_tile(group, seat, (left, head + 8))
            letters = TEXT if _width(self._names.seat_brief(seat), TEXT) < room else SMALL
            name = self._name(seat, int(room / _width("n", letters)))
            add_text(group, (left + self._tile + 5, head + 12.5), name, letters)
            centers = str(self._figures[-1].get(seat, 0))
            add_text(group, (left + width, head + 12.5), centers, TEXT, "end")

            lines = {
                one: [
                    (
                        left + n * width / (len(self._years) - 1),
                        base - each.get(one, 0) * height / self._held,
                    )
                    for n, each in enumerate(self._figures)
                ]
                for one in self._seats
            }
            own = lines.pop(seat)
            for points in lines.values():
                self._path(group, points, GRID, 1.0)
            d = f"M{left:.1f} {base:.1f}L" + "L".join(f"{x:.1f} {y:.1f}" for x, y in own)
            d += f"L{left + width:.1f} {base:.1f}z"
            add(group, "path", d=d, fill=style.color, opacity=0.3)
            self._path(group, own, _line_color(style), 2.4)
            add(group, "path", d=f"M{left:.1f} {base:.1f}h{width:.1f}", stroke=COLORS.border)
            add_text(group, (left, base + 12), str(self._years[0]), SMALL)
            add_text(group, (left + width, base + 12), str(self._years[-1]), SMALL, "end")
        return top + -(-len(self._seats) // columns) * (height + 46)

    # --- small things -------------------------------------------------------------------------

    def _path(
        self, layer: Element, points: Sequence[Point], color: str, width: float, dashes: str = ""
    ) -> None:
        d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        look = {"stroke": color, "stroke_width": width, "dashes": dashes, "fill": "none"}
        add(layer, "path", d=d, stroke_linejoin="round", **look)

    def _draw_tile(self, layer: Element, seat: SeatId, place: Point) -> None:
        """A seat's letter on its color; `place`: the middle of the left side."""
        (x, y), style = place, self._styles[seat]
        add(layer, "rect", x=x, y=y - 7, width=self._tile, height=14, rx=2.5, fill=style.color)
        middle = (x + self._tile / 2, y + 4)
        add_text(layer, middle, style.letter, SMALL, "middle", fill=style.letter_color)


def apart(places: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """The places, moved as little as it takes to stand at least `gap` from each other, between top
    and bottom if there is room; in the order given, equal ones keep theirs."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    moved = list(places)
    lowest = top
    for at in order:
        moved[at] = max(places[at], lowest)
        lowest = moved[at] + gap
    highest = bottom
    for at in reversed(order):
        moved[at] = min(moved[at], highest)
        highest = moved[at] - gap
    return moved


def _line_color(style: Style) -> str:
    return mixed(style.color, "#000000", 0.15)


def _width(text: str, size: float) -> float:
    """About how wide a text is, in units."""
    return display_width(text) * size * 0.54
