"""What a line most likely orders, weighed by what was learned from the sets."""

import pytest

from judge.diplomacy.language.proposals.weighing import learned_weights

from .sets.score import LINE_END, PLACES, Case, Scored, game_of, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "talk", text))


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "west",
            "Don't let Paris wander off to Picardy but have it jump into Burgundy.",
            "PAR - BUR",
        ),
        (
            "north",
            "Because Sweden looks shaky, our lads in Norway shall pay it a visit",
            "NWY - SWE",
        ),
        ("east", "As Russia begged me to, I'd have Ankara barge into Armenia", "ANK - ARM"),
        ("west", "마르세유 군대는 피에몬테 말고 스페인 쪽으로 진격시켜 주십시오", "MAR - SPA"),
        ("south", "로마 병력은 베네치아가 걱정되니 토스카나에 가 있으라고 하세요", "ROM - TUS"),
        ("west", "巴黎別去皮卡第了，改去勃艮第吧", "PAR - BUR"),
        ("west", "パリはピカルディじゃなくてブルゴーニュに向かわせたいです", "PAR - BUR"),
        ("east", "アンカラの部隊にはアルメニアを頂いてもらいましょう", "ANK - ARM"),
    ],
)
def test_what_no_rule_reads_is_asked_about_with_what_it_most_likely_orders(
    place: str, line: str, orders: str
) -> None:
    found = read(place, line)
    lines = (*found.stored, *found.proposed)
    assert [line[2:] for line in lines] == [orders]
    assert set(found.stored) <= {f"A {orders}"}


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "south",
            "Both my boats remain exactly where they are this spring.",
            {"F ION H", "F TYS H"},
        ),
        ("north", "The two armies in Britain sit tight for the winter.", {"A YOR H", "A WAL H"}),
        (
            "west",
            "The Gascons sail for Portugal aboard my atlantic fleet.",
            {"A GAS - POR", "F MAO C A GAS - POR"},
        ),
        (
            "rout",
            "the army slips away to kiel, the fleet limps out to the bight",
            {"A MUN R KIE", "F HOL R HEL"},
        ),
        (
            "removals",
            "The two armies in Britain can go home to their mothers: disband them.",
            {"A YOR D", "A WAL D"},
        ),
        ("south", "내 함대 두 척 모두 자리 지켜", {"F ION H", "F TYS H"}),
        ("south", "兩支艦隊都拋錨休息，不出海作戰", {"F ION H", "F TYS H"}),
        ("east", "アナトリアの陸軍二個はそのまま。", {"A ANK H", "A SMY H"}),
    ],
)
def test_groups_and_nicknames_are_asked_about_unit_by_unit(
    place: str, line: str, orders: set[str]
) -> None:
    found = read(place, line)
    assert {*found.stored, *found.proposed} == orders


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("west", "Dead busy this week, so just hold everything."),
        ("south", "mi scusi, no time this week: everybody just stays where they are"),
        ("east", "이번 주는 정신이 없어서 모든 부대 그대로 대기시켜 주세요"),
    ],
)
def test_what_all_units_do_is_asked_about_for_each_of_them(place: str, text: str) -> None:
    found = read(place, text)
    units = PLACES[place]["units"][PLACES[place]["power"]].split(", ")
    assert {*found.stored, *found.proposed} == {f"{unit} H" for unit in units}


@pytest.mark.parametrize(
    ("text", "order"),
    [
        (
            "Mid-Atlantic fleet to Spain, docking on the south coast, if you'd be so kind.",
            "F MAO - SPA/SC",
        ),
        (
            "Please let the Mid-Atlantic fleet put in at Spain, on its north coast, mind you.",
            "F MAO - SPA/NC",
        ),
    ],
)
def test_a_fleet_is_proposed_for_the_coast_that_is_named(text: str, order: str) -> None:
    assert order in {*read("west", text).stored, *read("west", text).proposed}


def test_support_of_that_is_of_the_move_above() -> None:
    found = read("west", LINE_END.join(("파리 - 부르고뉴", "마르세유는 그거 지원해 주세요")))
    assert {*found.stored, *found.proposed} == {"A PAR - BUR", "A MAR S A PAR - BUR"}


def test_units_that_another_line_asks_about_are_none_of_the_rest() -> None:
    lines = ("Paris - Burgundy", "Marseilles supports that", "My other fleets and armies all hold")
    found = read("west", LINE_END.join(lines))
    assert "A MAR H" not in {*found.stored, *found.proposed}
    assert "A MAR S A PAR - BUR" in {*found.stored, *found.proposed}


def test_another_year_in_a_sentence_hides_no_order() -> None:
    text = "Sevastopol, in Russian hands since 1901, is to be attacked by the Black Sea fleet."
    found = read("east", text)
    assert found.proposed == ("F BLA - SEV",)
    assert found.stored == ()


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("builds", "Build two armies, please."),
        ("removals", "陸軍を二つ潰してください。"),
        ("removals", "請幫我移掉兩支艦隊。"),
        ("removals", "Remove both fleets"),
        ("removals", "拿掉兩支艦隊"),
    ],
)
def test_builds_and_removals_without_a_place_are_asked_about(place: str, text: str) -> None:
    found = read(place, text)
    assert found.stored == ()
    assert found.proposed


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("east", "Cancel my order for Smyrna."),
        ("north", "I take back what I ordered for the Channel"),
        ("west", "파리 명령은 철회할게요"),
        ("west", "把巴黎的命令取消"),
        ("west", "パリの命令は取り消します"),
    ],
)
def test_what_takes_back_an_order_is_never_passed_over(place: str, line: str) -> None:
    found = read(place, line)
    assert (found.stored, found.proposed) == ((), ("?",))


@pytest.mark.parametrize(
    ("place", "line", "order"),
    [
        ("south", "trieste please venice", "A VEN - TRI"),
        ("west", "托斯卡納,里昂灣去。", "F LYO - TUS"),
        ("east", "スミルナ軍はシリアに引っ込む。", "A SMY - SYR"),
        ("south", "에게해 진입. 이오니아해 함대.", "F ION - AEG"),
    ],
)
def test_where_the_rules_refuse_what_was_read_all_its_places_tell_what_is_meant(
    place: str, line: str, order: str
) -> None:
    assert read(place, line).proposed == (order,)


def test_a_line_that_leaves_a_choice_proposes_each_of_its_ways() -> None:
    game, seat = game_of("north")
    (problem,) = game.read(seat, ["Norway to Sweden, or to St Petersburg"]).problems
    assert {line.text for line in problem.proposals} == {"A NWY - SWE", "A NWY - STP"}


def test_an_army_that_goes_by_sea_where_it_could_walk_is_not_sent_by_land() -> None:
    line = "Marseilles goes to Spain, but by boat please, on the fleet in the Gulf of Lyon"
    found = read("west", line)
    assert found.stored == ()
    assert "A MAR - SPA VIA" in found.proposed


def test_both_are_two_units_and_never_all() -> None:
    assert read("west", "Paris and Brest are the keys to my realm. Both hold.").stored in (
        (),
        ("A PAR H", "F BRE H"),
    )
    assert read("south", "Both fleets hold.").stored == ("F ION H", "F TYS H")


@pytest.mark.parametrize(
    "line",
    [
        'My neighbor wrote "Paris storms Burgundy".',
        "Paris storms Burgundy. Never mind.",
        "Paris would never have stormed Burgundy.",
        "파리가 부르고뉴로 쳐들어가지는 않습니다",
        "巴黎絕對不會攻進勃艮第",
        "巴黎不去勃艮第",
        "我收到一封信說「巴黎去勃艮第」",
        "パリがブルゴーニュに攻め込むことはありません",
    ],
)
def test_what_is_taken_back_quoted_or_denied_is_not_proposed(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert "A PAR - BUR" not in found.proposed


def test_a_part_that_nobody_reads_stays_a_question() -> None:
    found = read("west", "Paris storms Burgundy, Gascony xyzzies Qwertland")
    assert "A PAR - BUR" in found.proposed or "A PAR - BUR" in found.stored
    assert len(found.proposed) + len(found.stored) >= 2


@pytest.mark.timeout(30)
def test_each_line_of_a_crowded_letter_is_asked_about() -> None:
    words = ["Paris", "Marseilles", "Gascony", "Brest", "Burgundy", "Picardy", "Spain", "Portugal"]
    crowded = " gladly supports ".join([*words, *words[:4]])
    found = read("west", LINE_END.join(f"{crowded} {number}" for number in range(60)))
    assert len(found.proposed) >= 60


def test_the_weights_are_whole_thousandths_of_features() -> None:
    learned = learned_weights()
    assert sorted(learned.scripts) == ["j", "k", "l", "z"]
    assert all(learned.places)
    assert len(learned.numbers) == len(learned.places) * len(learned.scripts)
    for column in range(len(learned.scripts)):
        assert sum(map(bool, learned.numbers[column :: len(learned.scripts)])) > 10_000


@pytest.mark.parametrize(
    ("place", "line", "order"),
    [
        ("south", "ヴェネツィアはピエモンテに入らずにトリエステを攻めてください。", "A VEN - TRI"),
        ("west", "マルセイユは待機せずにブルゴーニュへ移動してください。", "A MAR - BUR"),
        ("rout", "ミュンヘン軍は退却させずに解散してください。", "A MUN D"),
        ("west", "파리는 피카르디로 가지 않고 부르고뉴로 갑니다", "A PAR - BUR"),
        ("west", "마르세유 육군은 스페인 말고 피에몬테로요", "A MAR - PIE"),
        ("west", "馬賽不去西班牙,改去皮埃蒙特", "A MAR - PIE"),
        ("west", "巴黎陸軍不是去勃艮第而是去皮卡第", "A PAR - PIC"),
        ("west", "Marseilles goes to Piedmont instead of Spain.", "A MAR - PIE"),
        ("west", "Marseilles is to go not to Spain but to Piedmont.", "A MAR - PIE"),
        ("west", "Paris to Picardy, not Burgundy.", "A PAR - PIC"),
    ],
)
def test_of_what_is_not_done_and_what_is_only_this_is_proposed(
    place: str, line: str, order: str
) -> None:
    found = read(place, line)
    assert (found.stored, found.proposed) == ((), (order,))


def test_a_unit_that_does_not_move_is_not_left_out() -> None:
    found = read("west", "パリは動かさずに、ブレストを海峡へ。")
    assert {*found.stored, *found.proposed} == {"A PAR H", "F BRE - ENG"}


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "north",
            "ウェールズの陸軍、海峡の艦隊に運ばせてピカルディに上陸。",
            {"A WAL - PIC", "F ENG C A WAL - PIC"},
        ),
        (
            "east",
            "스미르나 육군, 에게해 함대 타고 그리스행",
            {"A SMY - GRE", "F AEG C A SMY - GRE"},
        ),
    ],
)
def test_of_several_armies_the_one_that_the_line_names_is_carried(
    place: str, line: str, orders: set[str]
) -> None:
    assert {*read(place, line).proposed} == orders


def test_a_fleet_without_its_coast_is_proposed_for_one_where_it_is_built() -> None:
    assert read("builds", "サンクトに艦隊を建造").proposed == ("F STP/NC B",)


@pytest.mark.parametrize(
    "line",
    [
        "No unit moves.",
        "Every last French unit holds this spring.",
        "아무도 움직이지 않습니다.",
        "どの部隊も動きません。",
        "所有部隊都不動",
    ],
)
def test_that_no_unit_moves_is_asked_about_for_each_of_them(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert {*found.proposed} == {
        f"{unit} H" for unit in PLACES["west"]["units"]["FRANCE"].split(", ")
    }


def test_two_builds_without_a_verb_are_asked_about() -> None:
    assert {*read("builds", "Armies in Warsaw and Moscow please").proposed} == {
        "A WAR B",
        "A MOS B",
    }


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "south",
            "A heavy blow at Austria: Ionian to Albania, Venice to Trieste.",
            {"F ION - ALB", "A VEN - TRI"},
        ),
        ("builds", "Army in Sevastopol, and I waive the second build.", {"A SEV B", "WAIVE"}),
        ("west", "I should be much obliged if Marseilles would remain at its post.", {"A MAR H"}),
    ],
)
def test_what_a_heading_a_waive_or_another_verb_hides_is_proposed(
    place: str, line: str, orders: set[str]
) -> None:
    assert {*read(place, line).proposed} == orders


def test_a_remark_behind_all_hold_is_no_talk() -> None:
    found = read("west", "All my units hold, I'm at a bar outside Signal with one bar of signal.")
    assert {*found.proposed} == {
        f"{unit} H" for unit in PLACES["west"]["units"]["FRANCE"].split(", ")
    }


def test_one_of_two_units_is_a_choice() -> None:
    line = "One of Venice and Tyrolia hits Trieste and the other supports it, I don't mind which."
    assert read("south", line).stored == ()
