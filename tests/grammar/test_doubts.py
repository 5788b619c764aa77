"""Orders that are taken back, dated, quoted, conditional or one of several are asked about."""

import pytest

from judge.diplomacy.language.order_context import Read, Said, Taken, Untaken
from judge.diplomacy.language.pipeline import read_orders
from judge.diplomacy.notation import format_order

from .contexts import desk_of
from .sets.score import game_of


def taken(found: tuple[Read, ...]) -> list[str]:
    return [format_order(read.order) for read in found if isinstance(read, Taken)]


def proposed(found: tuple[Read, ...]) -> list[list[str]]:
    problems = [read for read in found if isinstance(read, Untaken)]
    return [[format_order(order) for order in problem.proposals] for problem in problems]


@pytest.mark.parametrize(
    "introduction",
    [
        "Ed schrieb:",
        "Ed wrote:",
        "Ann Smith a écrit :",
        "Jan napsal(a):",
        "Эд пишет:",
        "Ο Εντ έγραψε:",
        "Ed yazdı:",
        "철수님이 작성:",
        "エドさんは書きました：",
        "小明寫道：",
        "小明写道:",
    ],
)
def test_all_paragraphs_below_an_introduction_without_a_date_are_asked_about(
    introduction: str,
) -> None:
    lines = ["A Mar - Spa", "", introduction, "", "Hi Ann,", "", "A PAR - PIC", "", "Bre to MAO"]
    found = read_orders(desk_of("france"), lines)
    assert taken(found) == ["A MAR - SPA"]
    assert len([read for read in found if isinstance(read, Untaken)]) == 2


def test_a_date_of_writing_is_no_introduction() -> None:
    for line in ("2026년 12월 3일 작성:", "Wie ich gestern schrieb, hier meine Befehle:"):
        assert taken(read_orders(desk_of("france"), [line, "A PAR - PIC"])) == ["A PAR - PIC"]


@pytest.mark.parametrize(
    "line",
    [
        "Cancel: A Par - Pic",
        "Not: A Par - Pic",
        "Instead of: A Par - Pic",
        "Last turn: A Par - Pic",
        "Last turn I wrote: A Par - Pic",
        "Last autumn: A Par - Pic, everybody remembers.",
        "With Par to Pic you'd be dead, my friend.",
        "Par <-> Pic",
        "Pic <=> Par",
        "You said: A Par - Pic",
        "Example: A Par - Pic",
        "Option 1: A Par - Pic",
        "Draft: A Par - Pic",
        "Should Germany attack, A Par - Pic",
        "A Par - Pic; if not possible, hold",
        "A Par - Pic. Forget it.",
        "A Par - Pic, Gas as backup",
        "I won't do A Par - Pic",
        "no A Par - Pic",
        "Rather than A Par - Pic",
        "A Par moved to Pic",
        "지난 턴: 육군 파리 - 피카르디",
        "예를 들어, 육군 파리 - 피카르디",
        "파리 육군은 피카르디로 이동했습니다",
        "파리 육군은 피카르디로 이동하지 않습니다",
        "前回：陸軍パリ→ピカルディ",
        "例：陸軍パリ→ピカルディ",
        "パリ陸軍のピカルディへの移動はやめます",
        "パリ陸軍のピカルディへの移動はなし",
        "陸軍パリ→ピカルディを取り消します",
        "上回合：陸軍巴黎－皮喀第",
        "例如：陸軍巴黎－皮喀第",
    ],
)
def test_an_order_in_doubt_is_asked_about_and_nothing_is_proposed(line: str) -> None:
    found = read_orders(desk_of("france"), [line])
    assert taken(found) == []
    assert proposed(found)
    assert not any(proposed(found))


@pytest.mark.parametrize(
    "line",
    ["A Par - Pic/Gas", "A Par - Pic and Gas", "A Par - Pic / Gas", "파리는 피카르디나 가스코니로"],
)
def test_two_targets_are_asked_about(line: str) -> None:
    found = read_orders(desk_of("france"), [line])
    assert taken(found) == []
    assert proposed(found) == [["A PAR - PIC", "A PAR - GAS"]]


def test_a_coast_that_is_not_there_is_asked_about() -> None:
    found = read_orders(desk_of("france"), ["F MAO - Spa/wc"])
    assert taken(found) == []
    assert proposed(found) == [["F MAO - SPA/NC", "F MAO - SPA/SC"]]


def test_a_heading_covers_the_lines_below_it_up_to_a_blank_one() -> None:
    lines = ["Last turn:", "A Par - Pic", "A Mar - Spa", "", "A Gas - Spa"]
    assert taken(read_orders(desk_of("france"), lines)) == ["A GAS - SPA"]


def test_a_line_takes_back_those_above_it() -> None:
    lines = ["A Gas - Spa", "", "A Par - Pic", "Forget it."]
    assert taken(read_orders(desk_of("france"), lines)) == ["A GAS - SPA"]


@pytest.mark.parametrize(
    ("lines", "orders"),
    [
        ("A Gas S A Mar|- Bur", ["A GAS S A MAR - BUR"]),
        ("A Par|- Bur", ["A PAR - BUR"]),
        ("A Par -|Bur", ["A PAR - BUR"]),
        ("A Gas - Por|via convoy", ["A GAS - POR VIA"]),
        ("加斯康尼陸軍支援巴黎陸軍|移動至勃艮第", ["A GAS S A PAR - BUR"]),
        ("중대서양 해군이|가스코니 육군을|포르투갈로 호송", ["F MAO C A GAS - POR"]),
        ("Holds:|Gas|Bre", ["A GAS H", "F BRE H"]),
        ("- A Par - Pic|- A Mar - Spa", ["A PAR - PIC", "A MAR - SPA"]),
        ("The Mid-Atlantic fleet sits this one|out", ["F MAO H"]),
        ("中部大西洋の艦隊|には待機を命ず。", ["F MAO H"]),
        ("Spain to be taken by the army|from Gascony.", ["A GAS - SPA"]),
        ("가스코니 육군은 파리 육군의 방어를 지원해|주십시오.", ["A GAS S A PAR"]),
    ],
)
def test_a_broken_line_is_one(lines: str, orders: list[str]) -> None:
    assert taken(read_orders(desk_of("france"), lines.split("|"))) == orders


@pytest.mark.parametrize("lines", ["A Mar|A Par -", "F Bre|A Par -|A Gas -"])
def test_orders_that_are_not_finished_are_told_one_by_one(lines: str) -> None:
    rows = lines.split("|")
    found = read_orders(desk_of("france"), rows)
    assert [each.written for each in found if isinstance(each, Untaken)] == rows


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        ("A Gas S A Mar|Bur", ["A GAS S A MAR - BUR", "A GAS S A MAR"]),
        ("A Gas S|A Mar - Bur", ["A GAS S A MAR - BUR", "A MAR - BUR"]),
    ],
)
def test_where_both_lines_could_stand_alone_it_is_asked(lines: str, meant: list[str]) -> None:
    found = read_orders(desk_of("france"), lines.split("|"))
    assert taken(found) == []
    assert proposed(found) == [meant]


@pytest.mark.parametrize(
    ("lines", "orders"),
    [
        ("A Bur R Gas||Best,|Pierre|Paris", ["A BUR R GAS"]),
        ("Gas||Best,|Paris", ["A BUR R GAS"]),
        ("Paris", ["A BUR R PAR"]),
        ("Gas|Par", []),
    ],
)
def test_a_place_alone_counts_only_without_another_order(lines: str, orders: list[str]) -> None:
    assert taken(read_orders(desk_of("one_retreat"), lines.split("|"))) == orders


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("Par, Gas and Mar hold", ["A PAR H", "A GAS H", "A MAR H"]),
        ("파리와 마르세유는 대기합니다", ["A PAR H", "A MAR H"]),
        ("巴黎、馬賽待機", ["A PAR H", "A MAR H"]),
        ("パリとマルセイユは維持", ["A PAR H", "A MAR H"]),
        ("A Mar and A Gas support A Par - Bur", ["A MAR S A PAR - BUR", "A GAS S A PAR - BUR"]),
        ("파리가 버건디 공격, 마르세유가 지원", ["A PAR - BUR", "A MAR S A PAR - BUR"]),
        ("巴黎→勃艮第（馬賽支援）", ["A PAR - BUR", "A MAR S A PAR - BUR"]),
    ],
)
def test_units_share_a_verb_and_a_support_may_leave_out_what_it_supports(
    line: str, orders: list[str]
) -> None:
    assert taken(read_orders(desk_of("france"), [line])) == orders


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("Paris is lovely in spring.", False),
        ("War is hell.", False),
        ("Wie geht es Paris", False),
        ("Paris is a dangerous place.", False),
        ("All roads lead to Paris.", False),
        ("Germany moved to Burgundy last fall.", False),
        ("파리는 봄에 참 예쁘죠.", False),
        ("《巴黎聖母院》很好看。", False),
        ("A Par", True),
        ("Paris surely holds or so", True),
        ("Our army in Paris dances", True),
        ("A Mra - Xyz", True),
        ("Build A Pra", True),
        ("Marseilles supprts Paris", True),
        ("Brest should sail out to the Atlantic", True),
        ("A ROM -", True),
        ("Would Mar attack Bur?", True),
        ("巴黎就待機吧好嗎", True),
        ("マルセーユ→スペイン", True),
        ("ウェルキン→スペイン", True),
    ],
)
def test_prose_is_asked_about_where_it_names_a_unit_beside_a_word_of_orders(
    line: str, asked: bool
) -> None:
    (read,) = read_orders(desk_of("france"), [line])
    assert isinstance(read, Untaken if asked else Said)


def test_an_exclamation_is_no_order_for_every_unit() -> None:
    assert taken(read_orders(desk_of("france"), ["Hold everything!"])) == []
    assert len(taken(read_orders(desk_of("france"), ["Hold everything"]))) == 9


def test_a_target_out_of_reach_lists_where_the_unit_can_go() -> None:
    (read,) = read_orders(desk_of("france"), ["F Bre - Bel"])
    assert isinstance(read, Untaken)
    assert sorted(read.values.lines) == [
        "F BRE - ENG",
        "F BRE - GAS",
        "F BRE - MAO",
        "F BRE - PIC",
    ]


def test_a_line_that_was_not_understood_shows_full_lines_of_its_unit() -> None:
    (read,) = read_orders(desk_of("france"), ["A Par xyzzy"])
    assert isinstance(read, Untaken)
    assert [line.split()[:2] for line in read.values.lines] == [["A", "PAR"], ["A", "PAR"]]
    assert read.values.lines[-1] == "A PAR H"


def test_the_orders_of_a_very_long_line_are_read() -> None:
    line = "A Par - Pic; " + "F Bre H; " * 300 + "A Mar - Spa"
    assert len(line) > 2000
    assert sorted(taken(read_orders(desk_of("france"), [line]))) == [
        "A MAR - SPA",
        "A PAR - PIC",
        "F BRE H",
    ]


def test_a_removal_may_be_said_as_the_old_judges_read_it() -> None:
    assert proposed(read_orders(desk_of("turkey_removals"), ["r a bul"])) == [["A BUL D"]]


@pytest.mark.parametrize(
    ("place", "line", "order"),
    [
        ("england", "ENG: F Nth - Hol", "F NTH - HOL"),
        ("england", "F NTH CON A YOR-HOL", "F NTH C A YOR - HOL"),
        ("france", "A Par-Pic -> resolved", "A PAR - PIC"),
        ("france", "A Par-Pic (*bounce*)", "A PAR - PIC"),
        ("france", "A Par-Pic # secure it", "A PAR - PIC"),
        ("france", "A Mar SA Par - Bur", "A MAR S A PAR - BUR"),
        ("france", "A Mar SH Gas", "A MAR S A GAS"),
        ("france", "F Mid_Atlantic_Ocean - Por", "F MAO - POR"),
        ("france", "F Mao - spasc", "F MAO - SPA/SC"),
        ("france", "Keep A Par", "A PAR H"),
        ("france", "A ‹Par›-‹Pic›", "A PAR - PIC"),
        ("france_builds", "add army at mar", "A MAR B"),
        ("england", "F Nth t a lon-nwy", "F NTH C A LON - NWY"),
        ("england", "F Nth ferry a lon-nwy", "F NTH C A LON - NWY"),
    ],
)
def test_habits_of_other_programs_are_read(place: str, line: str, order: str) -> None:
    (read,) = (each for each in read_orders(desk_of(place), [line]) if not isinstance(each, Said))
    assert isinstance(read, Taken), read
    assert format_order(read.order) == order


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("north", "F Norw - Bar"),
        ("north", "F NWS CA CLY-HOL"),
        ("north", "F NWG CA YOR-NWY"),
        ("west", "Wal-Mart"),
        ("west", "I'm off to Wal-Mart, back Sunday."),
        ("west", "Dr. A. Berlin"),
        ("west", "If you were me, Par - Bur?"),
        ("west", "Paris was going to Burgundy"),
        ("west", "A PAR and A MAR swap places"),
    ],
)
def test_yes_would_store_nothing_for_another_unit_or_verb(place: str, line: str) -> None:
    game, seat = game_of(place)
    reading = game.read(seat, [line])
    assert reading.understood == ()
    assert [one.proposals for one in reading.problems if one.proposals] == []


@pytest.mark.parametrize("lines", ["F MAO -\nSPA/NC", "F MAO\n- SPA NC"])
def test_an_order_that_a_phone_has_broken_is_one_order(lines: str) -> None:
    game, seat = game_of("west")
    reading = game.read(seat, lines.splitlines())
    assert [one.line.text for one in reading.understood] == ["F MAO - SPA/NC"]


def stored(place: str, line: str) -> tuple[set[str], list[tuple[str, ...]]]:
    """What a line stores in a position of the sets, and what is proposed."""
    game, seat = game_of(place)
    found = game.read(seat, (line,))
    proposed = [tuple(one.text for one in problem.proposals) for problem in found.problems]
    return {each.line.text for each in found.understood}, proposed


@pytest.mark.parametrize(
    ("line", "order", "asked"),
    [
        ("F Tys - Tus (to shield Rome)", "F TYS - TUS", [("A ROM S F TYS - TUS",)]),
        ("Tyrrhenian Sea to Tuscany, to keep Rome.", "F TYS - TUS", [("A ROM H",)]),
        ("Ven-Pie (to defend Apulia and Rome)", "A VEN - PIE", [("A APU H",), ("A ROM H",)]),
        ("A Ven - Tri, to help Tyrolia", "A VEN - TRI", [("A TYR S A VEN - TRI",)]),
        ("F Tys - Lyo [to attack Vienna from Tyrolia]", "F TYS - LYO", [("A TYR - VIE",)]),
        ("F Ion - Aeg: to convoy Rome to Tunis", "F ION - AEG", [("A ROM - TUN VIA",)]),
    ],
)
def test_what_an_order_is_for_is_asked_about(
    line: str, order: str, asked: list[tuple[str, ...]]
) -> None:
    found, proposed = stored("south", line)
    assert found == {order}
    assert sorted(proposed) == asked


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("To move Venice to Trieste, to hold Rome", {"A VEN - TRI", "A ROM H"}),
        ("Venice to Trieste, Rome to hold", {"A VEN - TRI", "A ROM H"}),
        ("Ven - Tri (Rome to hold)", {"A VEN - TRI", "A ROM H"}),
        ("Orders: to hold Rome, to move Venice to Trieste", {"A VEN - TRI", "A ROM H"}),
        ("A Ven - Tri, to bounce", {"A VEN - TRI"}),
        ("A Rom, to support Ven", {"A ROM S A VEN"}),
    ],
)
def test_orders_in_the_infinitive_are_orders(line: str, orders: set[str]) -> None:
    assert stored("south", line) == (orders, [])


@pytest.mark.parametrize(
    "line",
    [
        "It all began with A Yor - Nwy.",
        "Tom finished with F Nth - Den",
        "Your stab came with A Wal - Lon.",
        "In spring we had A Yor - Nwy and F Nth C A Yor - Nwy.",
        "Then Hans answered with F Nth - Hel, the rascal",
    ],
)
def test_orders_that_a_sentence_tells_of_are_not_stored(line: str) -> None:
    assert stored("north", line)[0] == set()


def test_everyone_else_puts_no_order_in_doubt() -> None:
    holds = {"A GAS H", "A MAR H", "F BRE H", "F LYO H", "F MAO H"}
    for line in ("Par-Bur, everyone else holds", "A Par - Bur, everybody else hold"):
        assert stored("west", line) == ({"A PAR - BUR", *holds}, [])
    assert stored("west", "everybody holds") == ({"A PAR H", *holds}, [])
