"""Charts of supply centers by year: values stand where they belong, and can be read."""

import itertools
import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

import pytest
from PIL import ImageFont

from judge.data import shipped
from judge.diplomacy.records import View
from judge.diplomacy.rulebook import RULEBOOK
from judge.render import languages
from judge.render.diplomacy.charts import apart, centers_by_year, centers_chart
from judge.render.diplomacy.names import names_of
from judge.render.pictures import Picture
from judge.rulebook import SeatId

FRANCE, ITALY, RUSSIA = SeatId("FRANCE"), SeatId("ITALY"), SeatId("RUSSIA")
# Of three powers: one grows, one falls out in 1902, one stays beside the first for a year.
FIGURES = {FRANCE: (3, 5, 8, 18), ITALY: (3, 2, 0, 0), RUSSIA: (4, 5, 7, 3)}
LABELS = ("S1901M", "W1901A", "S1903M", "W1903A")
TILES = re.compile(r"[A-Z] [+-]\d+")


def history() -> list[tuple[str, Mapping[SeatId, int]]]:
    return [
        (label, {seat: figures[at] for seat, figures in FIGURES.items()})
        for at, label in enumerate(LABELS)
    ]


def view(variant: str = "standard", **options: str) -> View:
    return View.from_bytes(bytes(RULEBOOK.start(variant, options).view(None)))


def drawn(picture: Picture | None) -> ElementTree.Element:
    assert picture is not None
    return ElementTree.fromstring(picture.to_svg())


def part(root: ElementTree.Element, name: str) -> ElementTree.Element:
    found = root.find(f".//*[@id='{name}']")
    assert found is not None, name
    return found


def texts(root: ElementTree.Element) -> Iterator[tuple[str, float, float]]:
    """Each text of a drawing with where it stands."""
    for one in root.iter("{http://www.w3.org/2000/svg}text"):
        yield one.text or "", float(one.get("x", "0")), float(one.get("y", "0"))


def points(root: ElementTree.Element, seat: SeatId) -> list[tuple[float, float]]:
    circles = part(root, f"line-{seat}").findall("{*}circle")
    return [(float(one.get("cx", "0")), float(one.get("cy", "0"))) for one in circles]


def level(line: ElementTree.Element) -> float:
    """How high a level line lies."""
    found = re.match(r"M[\d.]+ ([\d.]+)H", line.get("d", ""))
    assert found is not None
    return float(found[1])


def test_every_value_is_drawn_at_its_year_and_its_height() -> None:
    root = drawn(centers_chart(history(), view(), names_of("standard", "en")))
    years = {int(told): x for told, x, _ in texts(root) if re.fullmatch(r"19\d\d", told)}
    ticks = [x for told, x, _ in texts(part(root, "chart")) if told == "1902"]
    zero = level(part(root, "axes").findall("{*}path")[0])
    center = (zero - level(part(root, "victory"))) / 18
    assert set(years) == {1900, 1901, 1902, 1903}
    for seat, figures in FIGURES.items():
        places = points(root, seat)
        assert [round((zero - y) / center) for _, y in places] == list(
            figures[:3] if seat == ITALY else figures
        )
        assert places[2][0] == ticks[0]
    # Whose figure nobody shares stands exactly there.
    assert (zero - points(root, FRANCE)[3][1]) / center == pytest.approx(18, abs=0.02)


def test_lines_of_one_figure_lie_side_by_side() -> None:
    root = drawn(centers_chart(history(), view(), names_of("standard", "en")))
    (_, france), (_, russia) = points(root, FRANCE)[1], points(root, RUSSIA)[1]
    assert abs(france - russia) > 2.4  # the width of a line


def test_each_line_is_named_and_a_year_tells_who_gained_and_lost() -> None:
    root = drawn(centers_chart(history(), view(), names_of("standard", "en")))
    names = [told for told, _, _ in texts(part(root, "names"))]
    assert [one for one in names if len(one) > 1] == ["France 18", "Italy 0", "Russia 3"]
    heights = sorted(y for told, _, y in texts(part(root, "names")) if len(told) > 1)
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 13
    strip = [(x, told) for told, x, _ in texts(part(root, "strip")) if TILES.fullmatch(told)]
    years = [x for x, _ in points(root, FRANCE)]
    nearest = [(min(years, key=lambda year: abs(year - x)), told) for x, told in strip]
    by_year = [[told for place, told in nearest if place == year] for year in years]
    assert by_year == [[], ["F +2", "R +1", "I -1"], ["F +3", "R +2", "I -2"], ["F +10", "R -4"]]
    assert "18 centers win" in [told for told, _, _ in texts(root)]


def test_the_number_that_wins_is_that_of_the_game() -> None:
    names = names_of("standard", "en")
    fewer = drawn(centers_chart(history(), view(victory="12"), names))
    assert "12 centers win" in [told for told, _, _ in texts(fewer)]
    unknown = drawn(centers_chart(history(), None, names))
    assert unknown.find(".//*[@id='victory']") is None


def test_each_power_has_a_panel_of_its_own() -> None:
    root = drawn(centers_chart(history(), view(), names_of("standard", "ko")))
    panels = [one.get("id") for one in part(root, "panels")]
    assert panels == ["panel-FRANCE", "panel-ITALY", "panel-RUSSIA"]
    assert tuple(
        told for told, _, _ in texts(part(root, "panel-FRANCE")) if told in ("프랑스", "18")
    ) == ("프랑스", "18")


def test_no_chart_before_a_year_is_finished() -> None:
    names, start = names_of("standard", "en"), history()[0][1]
    for labels in (("S1901M",), ("S1901M", "F1901M"), ("S1901M", "F1901R"), ("first", "last")):
        told = [(label, start) for label in labels]
        assert centers_chart(told, view(), names) is None
    assert centers_chart([("S1901M", start), ("W1901A", start)], view(), names) is not None


@pytest.mark.parametrize(
    ("labels", "years"),
    [
        (("S1901M", "W1901A", "F1902M"), (1900, 1901)),
        (("S1901M", "S1904M"), (1900, 1901, 1902, 1903)),
        (("W1900A", "S1901M", "W1901A"), (1900, 1901)),  # a game that opens with builds
        (("1870M", "1874A", "1876M"), (1868, 1870, 1872, 1874)),
    ],
)
def test_a_year_that_still_runs_is_left_out(
    labels: tuple[str, ...], years: tuple[int, ...]
) -> None:
    told = [(label, {FRANCE: 3}) for label in labels]
    assert centers_by_year(told, finished=True).years == years


def test_the_same_values_give_the_same_bytes() -> None:
    one, other = (centers_chart(history(), view(), names_of("standard", "ja")) for _ in range(2))
    assert one is not None
    assert other is not None
    assert one.to_svg() == other.to_svg()
    assert one.to_png(600) == other.to_png(600)
    assert int.from_bytes(one.to_png(900)[16:20], "big") == 900


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("variant", ["standard", "colonial", "chaos"])
def test_the_shipped_font_has_every_letter_of_a_chart(variant: str, language: str) -> None:
    with shipped("config", "fonts", "names.ttf").open("rb") as file:
        font = ImageFont.truetype(file, 20)
    missing = bytes(font.getmask("\uffff"))
    game = RULEBOOK.start(variant, {})
    scores = dict(game.result.scores)
    lost = dict.fromkeys(scores, 0)
    first = game.phase.label
    told = [(first, scores), (first.replace("M", "A"), scores), ("S1905M", lost)]
    root = drawn(centers_chart(told, view(variant), names_of(variant, language)))
    letters = {one for text in root.itertext() for one in text if not one.isspace()}
    assert len(letters) > 20
    assert [one for one in sorted(letters) if bytes(font.getmask(one)) == missing] == []


def test_thirty_four_powers_stand_apart_inside_the_picture() -> None:
    game = RULEBOOK.start("chaos", {})
    scores = dict(game.result.scores)
    picture = centers_chart(
        [("W1900A", scores), ("W1912A", scores)], view("chaos"), names_of("chaos", "ko")
    )
    root = drawn(picture)
    assert picture is not None
    places = [(x, y) for told, x, y in texts(part(root, "names")) if " " in told]
    assert len(places) == 34
    assert len({y for _, y in places}) == 34
    assert all(0 < x < picture.width and 0 < y < picture.height for _, x, y in texts(root))


def test_what_overlaps_is_moved_apart() -> None:
    assert apart([10, 50, 52, 100], 10, 0, 100) == [10, 50, 60, 100]
    assert apart([98, 99, 100], 10, 0, 100) == [80, 90, 100]
    assert apart([50, 50], 10, 0, 100) == [50, 60]
