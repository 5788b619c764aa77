"""Maps: a position, or a phase with its orders and what became of them, as SVG.

Drawn in layers: the board, the same for every phase; the owners' colors, multiplied with it; the
orders; names, the same in a language; units; the legend. The same values give the same bytes.
`judge/render/pictures.py` makes a PNG of the layers.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from xml.etree.ElementTree import Element

import msgspec

from judge.diplomacy import orders as o
from judge.diplomacy.outcomes import Disbanded, Result
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import PhaseReport, View
from judge.render.catalogue import SOURCE_LANGUAGE, sentence_tables
from judge.render.diplomacy.boards import DrawnBoard, Line, drawn_board
from judge.render.diplomacy.drawing import (
    COLORS,
    Curve,
    Lines,
    Point,
    Style,
    add,
    add_text,
    along,
    mixed,
    styles_of,
)
from judge.render.diplomacy.labels import Label, place_labels
from judge.render.diplomacy.names import Names
from judge.render.pictures import Picture

LEGEND_ROW = 24.0
FOG = "#a9a7a0"  # multiplied with the board
LONGEST_LINE = 5  # letters of a name on one line, where names are not the short ones of orders
MANY_PROVINCES = 90  # from here on, names are smaller
NOT_FIRST = "ァィゥェォッャュョヮンー々"  # no line of Japanese begins with these
ENDINGS = ("海峡", "海", "湾", "洋")  # a second line of their own
# How what the legend explains is drawn, there and on the board.
DASHES = {"bounced": "9 5", "support": "2.5 4", "convoy": "7 3 2 3"}
RINGS = {
    "hold": {"fill": "none", "stroke": COLORS.ink, "stroke_width": 1.2},
    "dislodged": {"fill": "none", "stroke": COLORS.alarm, "stroke_width": 2.4, "dashes": "5 3"},
}
# How the legend calls the line of an order, if it did what it said.
LINE_KINDS: Mapping[type[o.AnyOrder | o.WrittenOrder], str] = {
    **dict.fromkeys((o.Move, o.Retreat, o.Ride), "moved"),
    **dict.fromkeys((o.SupportHold, o.SupportMove), "support"),
    o.Convoy: "convoy",
    o.Hold: "hold",
}


class _Words(msgspec.Struct, frozen=True):
    legend: dict[str, str]
    figures: str


WORDS = sentence_tables("maps.toml", _Words)


def position_map(view: View, names: Names) -> Picture:
    """The map of a position, with dislodged units and where they may go."""
    picture = _Map(names, view)
    for each in view.dislodged:
        picture.retreats(each)
    for unit in view.units:
        picture.unit(unit)
    for each in view.dislodged:
        picture.driven_out(each.unit)
    used = ("dislodged",) * bool(view.dislodged) + ("unseen",) * bool(view.unseen)
    return picture.done(used)


def phase_map(report: PhaseReport, names: Names) -> Picture:
    """The map of a phase that ran: units where they stood, their orders, the centers after it."""
    picture = _Map(names, report)
    if report.kind == "M":
        picture.movement(report)
    else:
        picture.retreats_and_adjustments(report)
    used: set[str] = set()
    for result in report.results:
        if is_gone(result):
            used.add("removed")
        elif isinstance(result.order, o.Build) and result.succeeded:
            used.add("built")
        kind = LINE_KINDS.get(type(result.order), "")
        used.add("bounced" if kind == "moved" and not result.succeeded else kind)
    marks = {"dislodged": report.dislodged, "standoff": report.contested, "unseen": report.unseen}
    return picture.done(used.union(mark for mark, places in marks.items() if places))


def board_layer(board: DrawnBoard) -> Element:
    """A board without names, and without anybody's units or centers."""
    layer = Element("g", id="board")
    land = {"land": COLORS.outside, "mountains": COLORS.mountains}
    links = [line for line in board.lines if line.kind == "link"]
    add(layer, "rect", width=board.width, height=board.height, fill=COLORS.sea)
    for line in links:
        _board_line(layer, line)
    for kind, path in board.outside:
        add(layer, "path", d=path, fill=land.get(kind, COLORS.water))
    for is_sea in (True, False):
        look = {
            "fill": COLORS.sea if is_sea else COLORS.land,
            "stroke": COLORS.coast if is_sea else COLORS.border,
            "stroke_width": 0.8,
        }
        for area in board.areas.values():
            if area.is_sea == is_sea:
                add(layer, "path", d=area.path, **look)
    for line in board.lines:
        if line not in links:
            _board_line(layer, line)
    return layer


BOARD_LINES = {
    "railway": ((COLORS.ink, 2.6, ""), ("#ffffff", 1.4, "6 5")),
    "canal": ((COLORS.sea_ink, 5.0, ""), (COLORS.sea, 3.0, "")),
    "strait": ((COLORS.border, 6.0, ""), (COLORS.land, 4.4, "")),
    "link": ((COLORS.coast, 1.2, ""),),
}


def _board_line(layer: Element, line: Line) -> None:
    d = "M" + "L".join(f"{x:g} {y:g}" for x, y in line.points)
    for color, width, dashes in BOARD_LINES[line.kind]:
        add(layer, "path", d=d, fill="none", stroke=color, stroke_width=width, dashes=dashes)


@lru_cache(maxsize=32)
def names_layer(names: Names) -> Element:
    """The provinces' names: the short ones of orders in English, else whole ones on one line or
    two; before that of a supply center stands a ring."""
    board, layer = drawn_board(names.variant), Element("g", id="names")
    is_short, is_full = names.language == SOURCE_LANGUAGE, len(board.areas) > MANY_PROVINCES
    size = (14.0 if is_full else 16.0) if is_short else (13.0 if is_full else 14.0)
    texts, labels = [], []
    for name, area in board.areas.items():
        rows = [name] if is_short else split_name(names.province(o.ProvinceId(name)))
        width = max(map(len, rows)) * size * (0.72 if is_short else 1.0)
        is_center = name in names.variant.board.centers
        texts.append((rows, width, is_center, area.is_sea))
        width += 24 if is_center else 4
        labels.append(Label(area.unit, area.label, width, len(rows) * size + 1))
    places = place_labels(
        labels, board.unit, board.width, board.height, tuple(board.coasts.values())
    )
    for (rows, width, is_center, is_sea), (x, y) in zip(texts, places, strict=True):
        middle = x + 5 if is_center else x
        for at, row in enumerate(rows):
            base = y + size * (0.36 + at - (len(rows) - 1) / 2)
            rim = {"stroke": "#ffffff", "stroke_width": 3, "stroke_opacity": 0.8}
            for look in (rim, {}):
                color = COLORS.sea_ink if is_sea else COLORS.ink
                add_text(layer, (middle, base), row, size, "middle", fill=color, **look)
        if is_center:
            look = {"fill": "#ffffff", "stroke": COLORS.ink, "stroke_width": 1.6}
            add(layer, "circle", cx=middle - width / 2 - 6, cy=y, r=3.6, **look)
    return layer


class _Map:
    """One map being drawn."""

    def __init__(self, names: Names, seen: View | PhaseReport) -> None:
        self._names, self._seen = names, seen
        self._board = drawn_board(names.variant)
        self._styles = styles_of(names)
        layers = ("owners", "lines", "units", "legend")
        self._layers = {name: Element("g", id=name) for name in layers}
        self._marks: list[Element] = []  # over the units
        self._unit = self._board.unit
        self._lines = Lines()

    def done(self, line_kinds: Collection[str]) -> Picture:
        """The finished picture: with the centers in the colors of their owners, and over what the
        reader of a blind game does not see a fog."""
        layer = self._layers["owners"]
        for province in self._seen.unseen:
            add(layer, "path", d=self._board.areas[province].path, fill=FOG)
        for center, power in self._seen.owners.items():
            if power in self._styles:
                path = self._board.areas[center].path
                add(layer, "path", d=path, fill=self._center_fill(power, layer))
        self._layers["units"].extend(self._marks)
        return Picture(
            self._board.width,
            self._legend(line_kinds),
            board_layer(self._board),
            self._layers["owners"],
            self._layers["lines"],
            names_layer(self._names),
            self._layers["units"],
            self._layers["legend"],
            self._board.height,
        )

    # --- units and orders ---------------------------------------------------------------------

    def unit(self, unit: o.Unit, place: Point | None = None, *, is_ghost: bool = False) -> None:
        """A unit where it stands, or at a place: a disc for an army, a hull for a fleet, with a
        power's letter."""
        place = place or self._board.place(unit.location)
        style = self._styles.get(unit.power, Style("#888888", 0, unit.power[:1]))
        group = _group_at(place)
        self._layers["units"].append(group)
        if is_ghost:
            group.set("opacity", "0.45")
        look = {"fill": style.color, "stroke": "#1c1b1a", "stroke_width": 1.4}
        if unit.kind is o.UnitKind.ARMY:
            add(group, "circle", r=self._unit - 1, **look)
        else:
            size = self._unit / 12
            d = f"M{-16 * size:.1f} {-7 * size:.1f}h{32 * size:.1f}"
            d += f"l{-6 * size:.1f} {15 * size:.1f}h{-20 * size:.1f}z"
            add(group, "path", d=d, **look)
        look = {"fill": style.letter_color, "font_weight": "bold"}
        add_text(group, (0, 0.38 * self._unit), style.letter, 1.08 * self._unit, "middle", **look)

    def movement(self, report: PhaseReport) -> None:
        """All units where they stood when the phase began, with their orders."""
        units = [one.unit for one in report.results if one.unit is not None]
        self._lines.avoid(self._board.place(unit.location) for unit in units)
        moves: dict[o.Unit, Curve] = {}
        seen = [one for one in report.results if not o.is_obscured(one.order)]
        for result in seen:
            if isinstance(result.order, o.Move | o.Ride) and result.unit is not None:
                moves[result.unit] = self._move(result, units)
        for result in seen:
            is_help = isinstance(result.order, o.SupportMove | o.SupportHold | o.Convoy)
            if is_help or result.is_untold:
                self._help(result, result.order, moves)
            elif isinstance(result.order, o.Hold) and result.unit is not None:
                x, y = self._board.place(result.unit.location)
                add(self._layers["lines"], "circle", cx=x, cy=y, r=self._unit + 6, **RINGS["hold"])
        for each in report.dislodged:
            self.retreats(each)
        for one in units:
            self.unit(one)
        for each in report.dislodged:
            self._ring(self._board.place(each.unit.location))
        stood = {unit.location.province for unit in units}
        for province in report.contested:
            x, y = self._board.areas[province].unit
            beside = self._unit if province in stood else 0.0  # its unit has left
            self._mark_cross((x + beside, y + beside), 7.0)

    def retreats_and_adjustments(self, report: PhaseReport) -> None:
        """Retreats, builds and removals, among the units as they stand afterwards."""
        self._lines.avoid(self._board.place(unit.location) for unit in report.units)
        for standing in report.units:
            self.unit(standing)
        for result in report.results:
            if result.unit is None:
                continue
            unit, order = result.unit, result.order
            x, y = self._board.place(unit.location)
            if isinstance(order, o.Retreat) and not o.is_obscured(order):
                self._move(result, report.units)
            if isinstance(order, o.Build) and result.succeeded:
                _plus(self._new_mark((x + 12, y - 12)), (0.0, 0.0))
            elif is_gone(result) or not result.succeeded:
                beside = (x + 13, y + 13) if isinstance(order, o.Retreat) else (x, y)
                self.unit(unit, beside, is_ghost=True)
                self._mark_cross(beside, 8.0)

    def _move(self, result: Result, units: Iterable[o.Unit]) -> Curve:
        """The arrow of a move, a ride or a retreat; broken, with a cross, if it failed."""
        unit, order = result.unit, result.order
        assert unit is not None
        assert isinstance(order, o.Move | o.Ride | o.Retreat)
        start, end = self._board.place(unit.location), self._board.place(order.target)
        is_taken = any(other.location.province == order.target.province for other in units)
        curve = self._lines.between(start, end, self._unit + 1, self._unit + 4 if is_taken else 3.0)
        color = self._line_color(unit.power)
        self._shaft(curve, color, 3.4, "" if result.succeeded else DASHES["bounced"])
        self._head(curve, color)
        if not result.succeeded:
            _cross(self._layers["lines"], along(curve, 0.72), 5.5)
        return curve

    def _help(
        self, result: Result, order: o.AnyOrder | o.WrittenOrder, moves: Mapping[o.Unit, Curve]
    ) -> None:
        """A dotted line from who supports or convoys to what it helps, seen or not."""
        helped = o.other_unit(order)
        assert helped is not None
        assert not isinstance(order, o.Waive | o.WrittenWaive)
        is_convoy = isinstance(order, o.Convoy | o.WrittenConvoy)
        target: o.Location | None = getattr(order, "target", None)
        start, at = (self._board.place(unit.location) for unit in (order.unit, helped))
        end, gap = at, self._unit + 5
        if target is not None:
            goal = self._board.place(target)
            drawn = moves.get(helped) if isinstance(helped, o.Unit) else None
            straight = (at, ((at[0] + goal[0]) / 2, (at[1] + goal[1]) / 2), goal)
            end, gap = along(drawn or straight, 0.55), 2.0
        curve = self._lines.between(start, end, self._unit + 1, gap)
        color = self._line_color(result.power) if result.succeeded else "#8a8780"
        self._shaft(curve, color, 2.8, DASHES["convoy" if is_convoy else "support"])
        x, y = curve[2]
        look = {"fill": color, "stroke": "#ffffff", "stroke_width": 1}
        if is_convoy:
            add(self._layers["lines"], "rect", x=x - 4, y=y - 4, width=8, height=8, **look)
        else:
            add(self._layers["lines"], "circle", cx=x, cy=y, r=4.2, **look)
        if not (result.succeeded or result.is_untold):
            _cross(self._layers["lines"], along(curve, 0.5), 5.0)

    def retreats(self, dislodged: Dislodged) -> None:
        """Thin lines to where a dislodged unit may go."""
        start = self._board.place(dislodged.unit.location)
        for place in dislodged.retreats:
            if place.province == o.HIDDEN:
                continue
            curve = self._lines.between(start, self._board.place(place), self._unit + 4, 4.0)
            self._shaft(curve, COLORS.alarm, 1.6, "4 3")
            self._head(curve, COLORS.alarm, 6.0)

    def driven_out(self, unit: o.Unit) -> None:
        """A dislodged unit, beside the one that drove it out."""
        x, y = self._board.place(unit.location)
        place = (x + 15, y + 15)
        self.unit(unit, place)
        self._ring(place)

    # --- small things -------------------------------------------------------------------------

    def _line_color(self, power: o.PowerId) -> str:
        style = self._styles.get(power)
        return mixed(style.color, "#000000", 0.28) if style else COLORS.ink

    def _shaft(self, curve: Curve, color: str, width: float, dashes: str) -> None:
        (x, y), (cx, cy), (end_x, end_y) = curve
        d = f"M{x:.1f} {y:.1f}Q{cx:.1f} {cy:.1f} {end_x:.1f} {end_y:.1f}"
        halo = {"stroke": "#ffffff", "stroke_width": width + 2.4, "stroke_opacity": 0.8}
        add(self._layers["lines"], "path", d=d, fill="none", **halo)
        look = {"stroke": color, "stroke_width": width, "dashes": dashes}
        add(self._layers["lines"], "path", d=d, fill="none", **look)

    def _head(self, curve: Curve, color: str, size: float = 10.0) -> None:
        (x, y), (back_x, back_y) = curve[2], along(curve, 0.85)
        length = max(((x - back_x) ** 2 + (y - back_y) ** 2) ** 0.5, 0.1)
        dx, dy = (x - back_x) / length, (y - back_y) / length
        base_x, base_y = x - dx * size, y - dy * size
        points = [
            (x + 2 * dx, y + 2 * dy),
            (base_x - dy * size * 0.6, base_y + dx * size * 0.6),
            (base_x + dy * size * 0.6, base_y - dx * size * 0.6),
        ]
        d = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points) + "z"
        look = {"fill": color, "stroke": "#ffffff", "stroke_width": 1.0}
        add(self._layers["lines"], "path", d=d, **look)

    def _new_mark(self, place: Point) -> Element:
        self._marks.append(_group_at(place))
        return self._marks[-1]

    def _mark_cross(self, place: Point, size: float) -> None:
        _cross(self._new_mark(place), (0.0, 0.0), size)

    def _ring(self, place: Point) -> None:
        add(self._new_mark(place), "circle", r=self._unit + 6, **RINGS["dislodged"])

    def _center_fill(self, power: o.PowerId, layer: Element) -> str:
        """What a power's centers are filled with; hatched where another has its color."""
        style = self._styles[power]
        if not style.hatch:
            return style.tint
        name = f"{layer.get('id', 'legend')}-{power}"
        if layer.find(f"defs/pattern[@id='{name}']") is None:
            size = 6 * style.hatch
            pattern = add(add(layer, "defs"), "pattern", id=name, width=size, height=size)
            pattern.set("patternUnits", "userSpaceOnUse")
            add(pattern, "rect", width=size, height=size, fill=style.tint)
            look = {"stroke": style.color, "stroke_width": 1.2}
            add(pattern, "path", d=f"M0 {size}L{size} 0", **look)
        return f"url(#{name})"

    # --- the legend ---------------------------------------------------------------------------

    def _legend(self, line_kinds: Collection[str]) -> float:
        """Below the map: the phase, the powers with their centers and units, the kinds of lines.
        Returns where it ends."""
        width, top = self._board.width, self._board.height
        layer, held = self._layers["legend"], list(self._seen.owners.values())
        units = [unit.power for unit in self._seen.units]
        shown = [
            power
            for power in self._seen.powers
            if power in self._styles and power in (*held, *units)
        ]
        kinds = [kind for kind in WORDS.legend if kind in line_kinds]
        columns = 4
        rows = 1 + -(-len(shown) // columns) + -(-len(kinds) // columns)
        height = rows * LEGEND_ROW + 8
        add(layer, "rect", y=top, width=width, height=height, fill="#ffffff")
        add_text(layer, (10, top + 19), self._names.phase(self._seen.label), 16.5)
        told = "" if self._seen.unseen else self._names.say(WORDS.figures)
        add_text(layer, (width - 10, top + 19), told, 13, "end")
        for at, power in enumerate(shown):
            x = 10 + at % columns * (width / columns)
            y = top + LEGEND_ROW * (1 + at // columns) + 4
            look = {
                "fill": self._center_fill(power, layer),
                "stroke": COLORS.border,
                "stroke_width": 1,
            }
            add(layer, "rect", x=x, y=y, width=22, height=16, **look)
            add_text(layer, (x + 11, y + 12.8), self._styles[power].letter, 13, "middle")
            count, number = held.count(power), units.count(power)
            figures = "" if self._seen.unseen else f"  {count} / {number}"
            add_text(layer, (x + 29, y + 13), self._names.power(power) + figures, 14)
        below = top + LEGEND_ROW * (1 + -(-len(shown) // columns)) + 16
        for at, kind in enumerate(kinds):
            x = 10 + at % columns * (width / columns)
            y = below + LEGEND_ROW * (at // columns)
            self._sample(layer, kind, (x, y - 4))
            add_text(layer, (x + 44, y), self._names.say(WORDS.legend[kind]), 13)
        return top + height

    def _sample(self, layer: Element, kind: str, place: Point) -> None:
        x, y = place
        match kind:
            case "standoff" | "removed":
                _cross(layer, (x + 18, y), 6.0)
            case "built":
                _plus(layer, (x + 18, y))
            case "unseen":
                add(layer, "rect", x=x + 7, y=y - 8, width=22, height=16, fill=FOG)
            case "hold" | "dislodged":
                add(layer, "circle", cx=x + 18, cy=y, r=8, **RINGS[kind])
            case _:
                look = {"stroke": COLORS.ink, "stroke_width": 3, "dashes": DASHES.get(kind, "")}
                add(layer, "path", d=f"M{x:g} {y:g}h36", fill="none", **look)


def _group_at(place: Point) -> Element:
    """A group whose origin lies at a place."""
    return Element("g", transform=f"translate({place[0]:.1f} {place[1]:.1f})")


def _cross(layer: Element, place: Point, size: float) -> None:
    x, y = place
    side = 2 * size
    d = f"M{x - size:.1f} {y - size:.1f}l{side} {side}m0 {-side}l{-side} {side}"
    for color, width in (("#ffffff", 4.6), (COLORS.alarm, 2.6)):
        add(layer, "path", d=d, fill="none", stroke=color, stroke_width=width)


def _plus(layer: Element, place: Point) -> None:
    x, y = place
    look = {"fill": "#ffffff", "stroke": COLORS.ink, "stroke_width": 1.2}
    add(layer, "circle", cx=x, cy=y, r=7, **look)
    look = {"fill": "none", "stroke": COLORS.ink, "stroke_width": 2.2}
    add(layer, "path", d=f"M{x - 4:g} {y:g}h8m-4-4v8", **look)


def is_gone(result: Result) -> bool:
    """Whether a unit left the board."""
    return isinstance(result.order, o.Disband) or any(
        isinstance(each, Disbanded) for each in result.outcomes
    )


def split_name(name: str) -> list[str]:
    """A name on one line or two."""
    if len(name) <= LONGEST_LINE:
        return [name]
    if " " in name or "・" in name:
        return name.replace("・", " ").split(" ", 1)
    ending = next((one for one in ENDINGS if name.endswith(one)), "")
    if ending and len(name) <= LONGEST_LINE + 1 + len(ending):
        return [name.removesuffix(ending), ending]
    half = (len(name) + 1) // 2
    while name[half] in NOT_FIRST and half < len(name) - 1:
        half += 1
    return [name[:half], name[half:]]
