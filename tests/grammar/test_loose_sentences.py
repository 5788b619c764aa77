"""Questions about sentences that no grammar reads; tales, of which nothing is stored."""

import pytest

from .sets.score import Case, Scored, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "talk", text))


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        ("north", "I want York in London and Wales in York.", ["A WAL - YOR", "A YOR - LON"]),
        ("west", "Land Gascony at Spain, Lyon supporting", ["A GAS - SPA", "F LYO S A GAS - SPA"]),
        (
            "east",
            "Ankara at Sevastopol, Black Sea convoying",
            ["A ANK - SEV", "F BLA C A ANK - SEV"],
        ),
        ("east", "スミルナ、シリア。アンカラ、アルメニア。", ["A ANK - ARM", "A SMY - SYR"]),
        ("west", "버건디(파리 이동, 마르세유 지원)", ["A MAR S A PAR - BUR", "A PAR - BUR"]),
        (
            "west",
            "ブルゴーニュ攻撃：パリ、支援：マルセイユ",
            ["A MAR S A PAR - BUR", "A PAR - BUR"],
        ),
    ],
)
def test_the_board_tells_what_a_sentence_means_and_each_order_is_asked_about(
    place: str, line: str, orders: list[str]
) -> None:
    found = read(place, line)
    assert found.stored == ()
    assert sorted(found.proposed) == orders


@pytest.mark.parametrize(
    "line",
    [
        "Paris keeps out of Burgundy",  # a word between the verb and the place
        "Never move Paris to Burgundy",
        "Paris could support Marseilles",
        "Unless Paris moves to Burgundy, we are lost.",
        "A Par - Bur Gas",  # notation
        "파리 - 버건디 안 합니다",
    ],
)
def test_what_is_in_doubt_or_notation_is_not_guessed_from_the_board(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert set(found.proposed) <= {"?"}


def test_what_the_board_makes_never_contradicts_an_order_of_the_letter() -> None:
    found = read("north", "A YOR - LON⏎A WAL - YOR⏎I want York in Wales and Wales in London.")
    assert found.stored == ("A WAL - YOR", "A YOR - LON")
    assert "A YOR - WAL" not in found.proposed


@pytest.mark.parametrize(
    "line",
    [
        "In the face-to-face game Gascony attacks Burgundy and Paris holds.",
        "In diagram 7 army Gascony moves to Burgundy and army Marseilles supports it.",
        "A fleet in Brest supports an army in Picardy, said the priest.",
        "Nice move, Paris to Burgundy!",
        "I told Germany: Paris to Burgundy.",
        "Were I Germany, Paris moves to Burgundy.",
        "Marseilles attacks Burgundy, in theory.",
        "Paris attacks Burgundy. That was the plan. It failed.",
        "Subject: Paris attacks Burgundy",
        "Fwd: Paris - Burgundy",
        "As an example, Paris moves to Burgundy.",
        "By way of example, Paris moves to Burgundy.",
        "As a joke, Paris moves to Burgundy.",
    ],
)
def test_of_a_tale_with_an_order_in_it_nothing_is_stored(line: str) -> None:
    assert read("west", line).stored == ()


@pytest.mark.parametrize(
    "line",
    [
        "Rome wasn't built in a day.",
        "They built a wall in Paris.",
        "The Pope holds mass in Brest tomorrow.",
        "The opera in Paris holds a gala for the pilots.",
        "Napoleon moves from Paris to Moscow.",
        "The emperor moves from Paris to a villa in Burgundy.",
        "Germany thinks about Paris and Gascony.",
        "He attacks Burgundy from Paris.",
        "Can an army move from Gascony to Brest?",
        "Why does Paris hold?",
        "A cheese from Gascony is worth two from Marseilles.",
    ],
)
def test_a_sentence_built_like_a_tale_is_neither_stored_nor_asked_about(line: str) -> None:
    found = read("west", line)
    assert (found.stored, found.proposed) == ((), ())


@pytest.mark.parametrize(
    "line",
    [
        "Please take Paris to Burgnudy",
        "Could you move Paris in Burgundy",
        "Paris really wants Burgundy",
    ],
)
def test_an_order_with_strange_words_is_still_asked_about(line: str) -> None:
    assert read("west", line).proposed == ("A PAR - BUR",)


# Fillings of the phrases below: where it is said, who moves, to where, who supports.
MOVES = [
    ("west", "Paris", "Burgundy", "Marseilles", "A PAR - BUR", "A MAR S A PAR - BUR"),
    ("west", "Gascony", "Burgundy", "Paris", "A GAS - BUR", "A PAR S A GAS - BUR"),
    ("south", "Venice", "Trieste", "Tyrolia", "A VEN - TRI", "A TYR S A VEN - TRI"),
    ("north", "Wales", "London", "Yorkshire", "A WAL - LON", "A YOR S A WAL - LON"),
]


def said_of_all(phrases: list[str]) -> list[tuple[str, str, str, str]]:
    """Each phrase with each filling: the place, the line, the move, the support."""
    return [
        (place, phrase.format(unit=unit, target=target, helper=helper), move, support)
        for phrase in phrases
        for place, unit, target, helper, move, support in MOVES
    ]


@pytest.mark.parametrize(
    ("place", "line", "move", "support"),
    said_of_all(
        [
            "{unit} should take {target}.",
            "I'd like to see {unit} in {target} this turn.",
            "My army in {unit} would like to move to {target}.",
            "I'll move {unit} to {target}, hope it works",
            "{unit} to {target}, as I promised my friend.",
            "{unit} to {target} because I trust nobody.",
            "Time for {unit} to visit {target}.",
            "{unit} makes a run for {target}",
            "{unit}? To {target}.",
            "Target for {unit}: {target}",
            "Could I have {unit} go to {target}?",
            "The army in {unit} should go to {target}. If you wonder why: do not ask.",
            "I said nothing earlier. Scrap that, {unit} goes to {target}.",
            "Attack on {target}: {unit}",
            "{unit} falls back to {target}",
        ]
    ),
)
def test_what_softens_a_move_is_asked_about_with_the_move_first(
    place: str, line: str, move: str, support: str
) -> None:
    found = read(place, line)
    assert set(found.stored) <= {move}
    assert found.stored or [each for each in found.proposed if each != "?"] == [move]


@pytest.mark.parametrize(
    ("place", "line", "move", "support"),
    said_of_all(
        [
            "Using {helper} as support, {unit} moves to {target}",
            "{unit} plus support of {helper} to {target}",
            "{unit} is going to {target} and {helper} is going to back it up.",
            "My army in {unit} would like to move to {target}, with the support of {helper}.",
            "Attack on {target}: {unit}, supported by {helper}",
            "{target} - {unit} goes there, {helper} supports",
        ]
    ),
)
def test_no_unit_of_a_line_is_passed_over_and_none_is_stored_wrong(
    place: str, line: str, move: str, support: str
) -> None:
    found = read(place, line)
    assert set(found.stored) <= {move, support}
    if not found.stored:
        assert found.proposed
    else:
        assert {*found.stored, *found.proposed} >= {move, support}


@pytest.mark.parametrize(
    "phrase",
    ["Don't move {unit}", "Leave {unit} alone", "{unit} will not be moving", "{unit} should stay"],
)
def test_a_unit_that_is_said_not_to_move_is_asked_to_hold(phrase: str) -> None:
    for place, unit, _, _, move, _ in MOVES:
        found = read(place, phrase.format(unit=unit))
        assert (found.stored, found.proposed) == ((), (f"{move[:5]} H",))


@pytest.mark.parametrize(
    "line",
    [
        "Everything holds, I'm on holiday.",
        "All units hold. Work is busy.",
        "전 부대 대기입니다. 출장이라서요",
        "全部待機，我出國了",
        "全軍待機で。旅行中なもので",
    ],
)
def test_an_order_for_all_units_may_have_a_remark_behind_it(line: str) -> None:
    assert len(read("west", line).stored) == 6


@pytest.mark.parametrize(
    "line",
    [
        "Everything holds, he told me.",
        "Everything holds, just kidding.",
        "All units hold, except Paris.",
        "All units hold, right?",
    ],
)
def test_what_takes_back_an_order_for_all_units_is_no_remark(line: str) -> None:
    assert read("west", line).stored == ()


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        (
            "south",
            "The Ionian fleet carries Apulia across to Albania.",
            ("F ION C A APU - ALB", "A APU - ALB"),
        ),
        (
            "west",
            "用中大西洋的艦隊把加斯康尼的陸軍運到葡萄牙",
            ("F MAO C A GAS - POR", "A GAS - POR"),
        ),
        (
            "west",
            "가스코니 육군을 중대서양 함대로 포르투갈까지 실어 나릅니다.",
            ("F MAO C A GAS - POR", "A GAS - POR"),
        ),
    ],
)
def test_an_army_that_a_sentence_ships_is_asked_to_move(
    place: str, line: str, orders: tuple[str, ...]
) -> None:
    assert read(place, line).proposed == orders


@pytest.mark.parametrize(
    "line",
    [
        "I thought you'd move to Burgundy from Munich, so I covered Paris.",
        "Last spring we sailed from Paris to Burgundy.",
        "Imagine Paris in Burgundy and Marseilles in Piedmont.",
        "My wife goes from Paris to Burgundy.",
        "The courier takes Paris to Burgundy by car.",
        "We spent a week in Paris and then drove down to Marseilles.",
    ],
)
def test_a_tale_of_people_names_no_orders(line: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert set(found.proposed) <= {"?"}


@pytest.mark.parametrize(
    "line",
    [
        "A PAR - BUR. Don't.",
        "A PAR - BUR. No!",
        "A PAR - BUR, don't",
        "A PAR - BUR (don't)",
        "A PAR - BUR⏎Please don't.",
        "Paris to Burgundy. I won't.",
        "파리 - 버건디. 하지 마세요.",
        "パリ - ブルゴーニュ。やめてください。",
        "巴黎 - 勃艮第。不要。",
        "The orders of Italy: Paris to Picardy",
        "Orders of Germany: Paris - Picardy",
        '"Paris to Picardy"',
        "“Paris attacks Burgundy”",
    ],
)
def test_an_order_taken_back_quoted_or_of_another_power_is_asked_about_without_itself(
    line: str,
) -> None:
    found = read("west", line)
    assert (found.stored, found.proposed) == ((), ("?",))


@pytest.mark.parametrize(
    ("line", "stored"),
    [
        ("A PAR - BUR. Don't be surprised.", "A PAR - BUR"),
        ("A PAR - BUR. No problem.", "A PAR - BUR"),
        ("Orders of France: Paris to Picardy", "A PAR - PIC"),
    ],
)
def test_a_remark_or_an_own_heading_takes_nothing_back(line: str, stored: str) -> None:
    assert read("west", line).stored == (stored,)


def test_a_unit_that_is_on_hold_is_asked_about() -> None:
    found = read("west", "Gascony is on hold.")
    assert (found.stored, found.proposed) == ((), ("A GAS H",))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        (
            "Send the Mid-Atlantic ships to the Irish Sea - I want to scare Liverpool.",
            "F MAO - IRI",
        ),
        ("It would be great if Paris could go to Burgundy.", "A PAR - BUR"),
        ("Burgundy is empty, so Paris walks in", "A PAR - BUR"),
    ],
)
def test_a_remark_beside_an_order_is_no_part_of_it(line: str, order: str) -> None:
    found = read("west", line)
    assert found.stored == ()
    assert [each for each in found.proposed if each != "?"] == [order]


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        # An own unit, any verb, and a place in its reach.
        ("west", "Gascony gallops over the hills into Spain", "A GAS - SPA"),
        ("north", "North Sea chews on Denmark", "F NTH - DEN"),
        ("south", "Rome meanders north, as far as Tuscany", "A ROM - TUS"),
        # Help told by a noun, by a participle, before the move.
        ("west", "Paris mauls Burgundy, Marseilles in support", "A MAR S A PAR - BUR; A PAR - BUR"),
        (
            "south",
            "Venice flings itself at Trieste with some muscle from Tyrolia",
            "A TYR S A VEN - TRI; A VEN - TRI",
        ),
        (
            "east",
            "Bulgaria sinks its teeth into Rumania, the Black Sea fleet backing it",
            "A BUL - RUM; F BLA S A BUL - RUM",
        ),
        (
            "west",
            "Paris elbows into Burgundy with help from Marseilles and Gascony.",
            "A GAS S A PAR - BUR; A MAR S A PAR - BUR; A PAR - BUR",
        ),
        ("south", "Tyrrhenian gives the Western Med help to grab Tunis", "F TYS S F WES - TUN"),
        # Who carries and who is carried.
        ("west", "Gascony rides to Portugal aboard MAO", "A GAS - POR; F MAO C A GAS - POR"),
        ("south", "The Ionian drops Apulia off in Greece", "A APU - GRE; F ION C A APU - GRE"),
        # One after the other, and who is meant by it.
        (
            "west",
            "Marseilles hops over to Piedmont. Gascony plugs the hole.",
            "A GAS - MAR; A MAR - PIE",
        ),
        ("north", "Norway mustn't go to Sweden. Let it wander into Finland.", "A NWY - FIN"),
        ("rout", "Munich drops back to Bohemia", "A MUN R BOH"),
        ("east", "Bulgaria's army had better try Serbia", "A BUL - SER"),
        # What is built and removed.
        (
            "builds",
            "This winter I raise a navy at Sevastopol and troops in Moscow",
            "A MOS B; F SEV B",
        ),
        ("builds", "Sevastopol lays down ships, Warsaw drills infantry", "A WAR B; F SEV B"),
        (
            "removals",
            "We bid farewell to the ships in the Channel and the North Sea",
            "F ENG D; F NTH D",
        ),
        ("rout", "Munich's army goes down fighting", "A MUN D"),
    ],
)
def test_places_and_the_board_tell_what_a_clause_orders(place: str, line: str, orders: str) -> None:
    found = read(place, line)
    assert set(found.stored) | set(found.proposed) == {*filter(None, orders.split("; "))}


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("west", "Paris is splendid in May, and Burgundy is even better."),
        ("west", "Marseilles played Paris yesterday and lost."),
        ("west", "One day Brest will rule the Channel."),
        ("south", "I'm contemplating Venice into Trieste."),
        ("north", "Where would Norway go from Sweden?"),
        ("east", '"Smyrna sneaks off to Syria", he wrote.'),
    ],
)
def test_what_only_speaks_of_places_is_not_asked_about(place: str, line: str) -> None:
    found = read(place, line)
    assert found.stored == ()
    assert set(found.proposed) <= {"?"}


@pytest.mark.parametrize(
    "line",
    [
        "Aegean picks up Smyrna",
        "The Black Sea takes on Ankara, Sevastopol is where it lands",
        "Aegean swings by Smyrna on the way to Greece",
    ],
)
def test_a_fleet_that_fetches_an_army_is_asked_about_and_moves_nowhere(line: str) -> None:
    found = read("east", line)
    assert found.stored == ()
    assert found.proposed


@pytest.mark.parametrize(
    ("place", "line", "order"),
    [
        ("north", "f nwg to edi pls", "F NWG - EDI"),
        ("north", "plz a yor - lon", "A YOR - LON"),
        ("west", "Brest holds again, mate", "F BRE H"),
        ("west", "kindly Gascony to Spain this season", "A GAS - SPA"),
        ("west", "Paris supports Gascony once more", "A PAR S A GAS"),
        ("west", "of course Marseilles holds as agreed", "A MAR H"),
        ("north", "Norway's orders are to back the Russian fleet in Sweden", "A NWY S F SWE"),
        ("builds", "Build a new fleet in Sevastopol", "F SEV B"),
        ("builds", "Raise a new army in Moscow", "A MOS B"),
        ("builds", "セヴァストポリにフリートを建造", "F SEV B"),
        ("rout", "Disband the Munich army, but save the fleet by taking it to Kiel.", "A MUN D"),
        ("west", "マルセイユの陸軍はスペインに移動することにしました。", "A MAR - SPA"),
    ],
)
def test_a_word_that_changes_nothing_is_no_reason_to_ask(place: str, line: str, order: str) -> None:
    assert order in read(place, line).stored


@pytest.mark.parametrize(
    ("place", "line", "first"),
    [
        (
            "rout",
            "Disband the Munich army, but save the fleet by taking it to Kiel.",
            "F HOL R KIE",
        ),
        ("rout", "ミュンヘンの陸軍はルールへ、オランダの艦隊はもう諦めて解散します", "F HOL D"),
        ("south", "I gave Turkey my word: Ionian supports his army in Greece.", "F ION S A GRE"),
        ("west", "I'm keeping faith with England: Brest holds.", "F BRE H"),
        ("west", "We annoy Italy a little: Lyon into Tyrrhenian Sea.", "F LYO - TYS"),
        (
            "east",
            "The Constantinple fleet backs our men in Bulgaria, who stay put.",
            "F CON S A BUL",
        ),
        ("east", "黒海艦隊はアルメニアに退避させる。", "F BLA - ARM"),
        ("west", "マルセイユの陸軍はスペインまで下げることにしました。", "A MAR - SPA"),
    ],
)
def test_an_order_that_is_told_in_an_unusual_way_is_asked_about(
    place: str, line: str, first: str
) -> None:
    assert first in read(place, line).proposed


def test_what_another_power_says_below_its_name_is_not_proposed() -> None:
    assert set(read("west", "Italy writes: F Lyo S F Tys").proposed) <= {"?"}


def test_a_hold_that_is_told_of_an_unread_support_is_not_stored() -> None:
    assert read("east", "The Constantinple lads supports men in Bulgaria, who stay.").stored == ()


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("south", "提洛不走，專心支援威尼斯這一仗。"),
        ("south", "Tyrolia stays put, happily supporting Venice's big push."),
        ("west", "パリは動かず、全力で支援ガスコーニュのこの一戦。"),
    ],
)
def test_a_unit_told_to_stay_and_to_support_in_words_that_nobody_reads_is_asked_about(
    place: str, line: str
) -> None:
    assert read(place, line).stored == ()
