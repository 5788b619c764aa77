"""Maps: what the boards' drawings show, and what is drawn on them."""

import io
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

import msgspec
import pytest
import resvg_py
from PIL import Image, ImageChops, ImageFont, ImageStat

from judge import rulebook as seam
from judge.data import shipped
from judge.diplomacy.orders import UnitKind
from judge.diplomacy.records import PhaseReport, View
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.variants.variant import load_variant
from judge.render import languages
from judge.render.catalogue import catalogue
from judge.render.diplomacy.boards import drawn_board, graph_layout, node_size
from judge.render.diplomacy.drawing import COLORS, styles_of
from judge.render.diplomacy.maps import WORDS, names_layer, phase_map, position_map, split_name
from judge.render.diplomacy.names import names_of
from judge.render.pictures import Picture, path_points
from judge.rulebook import RandomStream, SeatId, load_renderer

BOARDS = ("standard", "colonial")
SEEN = 4.0  # units of a common border that are seen; the picture is 1,000 wide
# Ways over water that are no borders, drawn with a mark of their own.
MARKED = {"colonial": {frozenset(("KYO", "KYU"))}}

Point = tuple[float, float]


def rings(path: str) -> Iterator[list[Point]]:
    """The corners of each ring of a path in `M x y l dx dy ... z`, in tenths."""
    for ring in re.findall(r"M([^Mz]*)z", path):
        start, _, steps = ring.partition("l")
        numbers = [
            round(10 * float(one))
            for one in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", f"{start} {steps}")
        ]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        yield list(itertools.accumulate(points, lambda a, b: (a[0] + b[0], a[1] + b[1])))


def borders(name: str) -> Counter[frozenset[str]]:
    """How long the border of each two provinces is, in units of the picture."""
    owners: dict[frozenset[Point], list[str]] = {}
    for province, area in drawn_board(load_variant(name)).areas.items():
        for ring in rings(area.path):
            for one, other in itertools.pairwise([*ring, ring[0]]):
                if one != other:
                    owners.setdefault(frozenset((one, other)), []).append(province)
    found = Counter[frozenset[str]]()
    for ends, names in owners.items():
        if len(set(names)) > 1:
            one, other = ends
            found[frozenset(names)] += math.dist(one, other) / 10  # type: ignore[assignment]
    return found


def neighbors(name: str) -> set[frozenset[str]]:
    """All pairs of provinces between which some unit may move."""
    board = load_variant(name).board
    return {
        frozenset((province, way.province))
        for province in board.provinces
        for kind in UnitKind
        for place in board.possible_locations(kind, province)
        for way in board.adjacent_locations(kind, place)
    }


@pytest.mark.parametrize("name", BOARDS)
def test_every_adjacency_of_a_board_and_no_other_is_seen(name: str) -> None:
    closed = {
        str(one.id)
        for one in load_variant(name).board.provinces.values()
        if not any(load_variant(name).board.possible_locations(kind, one.id) for kind in UnitKind)
    }
    found = borders(name)
    seen = {pair for pair, length in found.items() if length >= SEEN}
    touching = {pair for pair in found if not pair & closed}
    assert neighbors(name) - seen == MARKED.get(name, set())
    assert touching - neighbors(name) == set()


@pytest.mark.parametrize("name", BOARDS)
def test_a_way_over_water_is_marked(name: str) -> None:
    board = drawn_board(load_variant(name))
    straits = [line.points for line in board.lines if line.kind == "strait"]
    for pair in MARKED.get(name, set()):
        one, other = (board.areas[province].unit for province in pair)
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        assert any(math.dist(middle, point) < 40 for points in straits for point in points)


def is_inside(point: Point, path: str) -> bool:
    x, y = 10 * point[0], 10 * point[1]
    crossings = 0
    for ring in rings(path):
        for (ax, ay), (bx, by) in itertools.pairwise([*ring, ring[0]]):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                crossings += 1
    return crossings % 2 == 1


@pytest.mark.parametrize("name", BOARDS)
def test_units_stand_in_their_provinces_and_every_coast_has_its_place(name: str) -> None:
    board, drawn = load_variant(name).board, drawn_board(load_variant(name))
    assert drawn.areas.keys() == set(board.provinces)
    for province, area in drawn.areas.items():
        assert is_inside(area.unit, area.path), province
    coasts = {
        str(place)
        for province in board.provinces
        for place in board.possible_locations(UnitKind.FLEET, province)
        if place.coast
    }
    assert coasts == set(drawn.coasts)
    for x, y in drawn.coasts.values():
        assert 0 < x < drawn.width
        assert 0 < y < drawn.height


@pytest.mark.parametrize("name", BOARDS)
def test_a_drawing_is_small(name: str) -> None:
    assert len(shipped("config", "variants", name, "map.svg").read_bytes()) < 200_000


# --- pictures -------------------------------------------------------------------------------------


def spring(variant: str, *lines: str) -> PhaseReport:
    """The first phase with these orders, `ENGLAND F EDI - NTH`."""
    game = RULEBOOK.start(variant, {})
    written: dict[str, list[str]] = {}
    for line in lines:
        power, _, order = line.partition(" ")
        written.setdefault(power, []).append(order)
    sets = {
        one.seat: tuple(
            read.line for read in game.read(one.seat, written.get(one.seat, [])).understood
        )
        for one in game.awaited
    }
    resolved = game.resolve(sets, frozenset(), RandomStream(b"maps", 1))
    return PhaseReport.from_bytes(resolved.reports[0].public)


def drawn(picture: Picture | seam.Picture) -> ElementTree.Element:
    return ElementTree.fromstring(picture.to_svg())


def lines_of(picture: Picture) -> list[ElementTree.Element]:
    """The shafts of arrows, without their white rims."""
    top = drawn(picture).find("{*}g[@id='lines']")
    assert top is not None
    return [
        one
        for one in top.iter("{http://www.w3.org/2000/svg}path")
        if one.get("fill") == "none" and one.get("stroke") not in ("#ffffff", COLORS.alarm)
    ]


def test_orders_are_drawn_each_in_its_way() -> None:
    report = spring(
        "standard",
        *("AUSTRIA A VIE - GAL", "RUSSIA A WAR - GAL", "ENGLAND F LON - NTH"),
        *("FRANCE A PAR - BUR", "FRANCE A MAR S A PAR - BUR", "GERMANY A MUN H"),
    )
    picture = phase_map(report, names_of("standard", "en"))
    dashes = Counter(one.get("stroke-dasharray", "") for one in lines_of(picture))
    assert dashes == {"9 5": 2, "": 2, "2.5 4": 1}  # two bounced, two went, one supported
    for layer, count in (("lines", 2), ("units", 1)):  # on either broken arrow, and where they met
        marks = drawn(picture).findall(f"{{*}}g[@id='{layer}']//{{*}}path")
        assert sum(one.get("stroke") == COLORS.alarm for one in marks) == count
    legend = "".join(drawn(picture).itertext())
    assert all(word in legend for word in ("Spring 1901 movement", "moved", "bounced", "support"))
    assert WORDS.legend["convoy"] not in legend


def test_a_phase_shows_the_centers_as_they_were_counted_behind_it() -> None:
    game, reports = RULEBOOK.start("standard", {}), list[msgspec.Raw]()
    for orders in (["A MAR - SPA"], ["A SPA H"]):
        lines = tuple(read.line for read in game.read(SeatId("FRANCE"), orders).understood)
        resolved = game.resolve({SeatId("FRANCE"): lines}, frozenset(), RandomStream(b"maps", 1))
        game, reports = resolved.game, [one.public for one in resolved.reports]
    words = load_renderer("diplomacy").words("standard", catalogue("en"))
    owners = drawn(words.report_picture(reports)).find(".//*[@id='owners']")
    assert owners is not None
    spain = drawn_board(load_variant("standard")).areas["SPA"].path
    assert spain in [one.get("d") for one in owners]


def test_the_same_values_give_the_same_bytes() -> None:
    report = spring("standard", "FRANCE A PAR - BUR", "GERMANY A MUN - BUR")
    names = names_of("standard", "ja")
    assert phase_map(report, names).to_svg() == phase_map(report, names).to_svg()
    assert phase_map(report, names).to_png(600) == phase_map(report, names).to_png(600)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("variant", [*BOARDS, "chaos"])
def test_a_position_is_a_png_in_every_language(variant: str, language: str) -> None:
    game = RULEBOOK.start(variant, {})
    view = View.from_bytes(bytes(game.view(None)))
    data = position_map(view, names_of(variant, language)).to_png(900)
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 900
    assert len(data) < 130_000


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("variant", BOARDS)
def test_the_shipped_font_has_every_letter_of_names_and_legends(
    variant: str, language: str
) -> None:
    with shipped("config", "fonts", "names.ttf").open("rb") as file:
        font = ImageFont.truetype(file, 20)
    missing = bytes(font.getmask("\uffff"))
    names = names_of(variant, language)
    board = load_variant(variant)
    texts = [names.province(one) for one in board.board.provinces]
    texts += [names.power(one) for one in board.power_ids]
    texts += [names.say(one) for one in WORDS.legend.values()] + [names.phase("S1901M")]
    letters = {letter for text in texts for letter in text if not letter.isspace()}
    assert [one for one in sorted(letters) if bytes(font.getmask(one)) == missing] == []


def test_names_lie_over_orders_and_below_units() -> None:
    picture = phase_map(spring("standard", "FRANCE A PAR - BUR"), names_of("standard", "en"))
    layers = [one.get("id") for one in drawn(picture) if one.get("id")]
    assert layers == ["board", "lines", "names", "units", "legend"]  # owners are in a group


@pytest.mark.parametrize(("variant", "most"), [("standard", 1), ("colonial", 8)])
@pytest.mark.parametrize("language", languages())
def test_names_hide_neither_units_nor_each_other(variant: str, most: int, language: str) -> None:
    board, layer = drawn_board(load_variant(variant)), names_layer(names_of(variant, language))
    boxes = []
    for text in layer.iter("text"):
        x, y, size = (float(text.get(key, "0")) for key in ("x", "y", "font-size"))
        wide = len(text.text or "") * size * (0.36 if language == "en" else 0.5)
        boxes.append((x - wide, y - 0.8 * size, x + wide, y + 0.1 * size))
    units = [area.unit for area in board.areas.values()] + list(board.coasts.values())
    radius = board.unit - 3
    hidden = [
        (box, unit)
        for box in set(boxes)
        for unit in units
        if box[0] - radius < unit[0] < box[2] + radius
        and box[1] - radius < unit[1] < box[3] + radius
    ]
    assert len(hidden) <= most
    overlaps = [
        (one, other)
        for one, other in itertools.combinations(sorted(set(boxes)), 2)
        if one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
    ]
    assert len(overlaps) <= most


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("スウェーデン", ["スウェー", "デン"]),
        ("アイリッシュ海", ["アイリッシュ", "海"]),
        ("イギリス海峡", ["イギリス", "海峡"]),
        ("コンスタンティノープル", ["コンスタンティ", "ノープル"]),
        ("セント・ペテルブルク", ["セント", "ペテルブルク"]),
        ("스페인", ["스페인"]),
    ],
)
def test_no_row_of_a_name_begins_within_a_syllable(name: str, rows: list[str]) -> None:
    assert split_name(name) == rows


def test_a_standoff_in_a_province_that_a_unit_left_is_marked_beside_the_unit() -> None:
    report = msgspec.structs.replace(spring("standard", "FRANCE A PAR - BUR"), contested=("PAR",))
    picture = phase_map(report, names_of("standard", "en"))
    paris = drawn_board(load_variant("standard")).areas["PAR"].unit
    groups = [
        one
        for one in drawn(picture).findall("{*}g[@id='units']/{*}g")
        if any(path.get("stroke") == COLORS.alarm for path in one)
    ]
    places = [tuple(map(float, re.findall(r"[\d.]+", one.get("transform", "")))) for one in groups]
    assert [math.dist(place, paris) > 10 for place in places] == [True]


def test_the_layers_make_the_picture_that_the_whole_svg_makes() -> None:
    report = spring("standard", "FRANCE A PAR - BUR", "GERMANY A MUN - BUR", "ITALY A VEN - TRI")
    picture = phase_map(report, names_of("standard", "en"))
    one = Image.open(io.BytesIO(picture.to_png(600))).convert("RGB")
    font = [str(shipped("config", "fonts", "names.ttf"))]
    svg = picture.to_svg().decode()
    whole = resvg_py.svg_to_bytes(
        svg_string=svg, width=600, background="#ffffff", skip_system_fonts=True, font_files=font
    )
    other = Image.open(io.BytesIO(bytes(whole))).convert("RGB")
    assert one.size == other.size
    differ = ImageStat.Stat(ImageChops.difference(one, other)).mean
    assert max(differ) < 4  # of 255; colors are rounded, and units to whole pixels


@pytest.mark.parametrize(
    ("path", "points"),
    [
        ("M1 2l3 4-1-1z", [(1, 2), (4, 6), (3, 5)]),
        ("M1 2h3v4H0V0z", [(1, 2), (4, 2), (4, 6), (0, 6), (0, 0)]),
        ("M5 0a5 5 0 0 1 5 5z", [(5, 0), (10, 5)]),
        ("m1 1l1 1zm5 5l1 0", [(1, 1), (2, 2), (6, 6), (7, 6)]),
    ],
)
def test_corners_of_a_path(path: str, points: list[tuple[float, float]]) -> None:
    assert list(path_points(path)) == points


# --- colors ---------------------------------------------------------------------------------------

# Simulated color vision (Vienot, Brettel and Mollon 1999), for linear RGB.
VISION = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "without red": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "without green": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
}
APART = 11.0  # of CIE 1976 color difference; 2.3 is just noticed


def lab(color: str, vision: str) -> tuple[float, float, float]:
    """A color as a person of that vision sees it, in CIE L*a*b* (D65)."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0.0), 1.0)
        for row in VISION[vision]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("variant", BOARDS)
def test_all_seven_powers_differ_for_every_kind_of_color_vision(variant: str, vision: str) -> None:
    styles = styles_of(names_of(variant, "en"))
    assert len(styles) == 7
    assert all(style.hatch == 0 for style in styles.values())
    for one, other in itertools.combinations([style.color for style in styles.values()], 2):
        assert math.dist(lab(one, vision), lab(other, vision)) > APART, (one, other)


# --- boards without a drawing ---------------------------------------------------------------------


def test_a_board_without_a_drawing_becomes_a_diagram_whose_provinces_stand_apart() -> None:
    board = load_variant("standard").board
    links = {tuple(sorted(pair)) for pair in neighbors("standard")}
    places = graph_layout(sorted(board.provinces), links, width=1000.0, height=900.0)  # type: ignore[arg-type]
    again = graph_layout(sorted(board.provinces), links, width=1000.0, height=900.0)  # type: ignore[arg-type]
    assert places == again
    near = [math.dist(one, other) for one, other in itertools.combinations(places.values(), 2)]
    assert min(near) > 2 * node_size(len(places), 1000.0, 900.0)
    assert all(0 <= x <= 1000 and 0 <= y <= 900 for x, y in places.values())
