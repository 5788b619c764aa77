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
        "Paris to Picardy then Belgium",
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
