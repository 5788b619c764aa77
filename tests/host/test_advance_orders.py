"""Orders for later phases, letter by letter: stored, amended, cleared, and what opens with them."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from judge.diplomacy.rulebook import RULEBOOK
from judge.host import messages_from_json
from judge.host.messages.game_events import Reminder, Results
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import (
    AdvanceAnswer,
    AdvanceOpened,
    NotRead,
    OrdersAnswer,
    StaleOrders,
)
from judge.host.messages.refusals import AddressAsked, Refusal, RefusalKind
from judge.render import render_letter

from .conftest import OPENINGS, POWERS, Hall, address_of

FRANCE = address_of("FRANCE")
AUSTRIA = address_of("AUSTRIA")
DAY = timedelta(days=1)
SHORT = "grace: 0\nretreat: 1h\nadjustment: 1h"
# Germany stands ready to drive France out of Burgundy, and Italy sits in Trieste.
SPRING = {
    **OPENINGS,
    "GERMANY": "A BER - MUN\nA MUN - RUH\nF KIE - DEN",
    "ITALY": "A ROM - APU\nA VEN - TRI\nF NAP - ION",
}
FALL = {
    "AUSTRIA": "A SER - BUD\nA VIE H\nF ALB H",
    "ENGLAND": "A YOR H\nF NTH H\nF ENG H",
    "FRANCE": "A SPA H\nA BUR H\nF MAO - POR",
    "GERMANY": "A RUH - BUR\nA MUN S A RUH - BUR\nF DEN H",
    "ITALY": "A APU H\nA TRI H\nF ION H",
    "RUSSIA": "A UKR H\nA WAR H\nF SEV H\nF BOT H",
    "TURKEY": "A BUL H\nA CON H\nF ANK H",
}


def label(hall: Hall) -> str:
    phase = hall.game().phase
    assert phase is not None
    return phase.label


def order_set(hall: Hall, power: str = "FRANCE") -> list[str]:
    return [line.text for line in hall.game().order_sets.get(power, ())]  # type: ignore[call-overload]


def advance(hall: Hall, power: str = "FRANCE") -> dict[str, list[str]]:
    stored = hall.game().advance.get(power, ())  # type: ignore[call-overload]
    return {one.label: [line.text for line in one.order_set] for one in stored}


def opened(hall: Hall, address: str = FRANCE) -> AdvanceOpened:
    told = hall.said(address, Results).advance
    assert told is not None
    return told


def run(hall: Hall, orders: Mapping[str, str], *silent: str) -> None:
    """Orders of all but some, and time until the phase has run."""
    for power, lines in orders.items():
        if power not in silent:
            hall.order(power, lines)
    hall.run_phase()


def to_fall(hall: Hall, france: str = "", lines: str = SHORT) -> None:
    """Spring 1901, with more lines in France's letter."""
    hall.start(lines)
    run(hall, {**SPRING, "FRANCE": f"{SPRING['FRANCE']}\n{france}"})


def text(hall: Hall, address: str = FRANCE, language: str = "en") -> str:
    """The newest letter to an address, as it is read."""
    row = hall.last(address)
    letter = render_letter(
        messages_from_json(row.messages, row.documents),
        language=language,
        zone="UTC",
        judge_name="Judge",
        kind=row.kind,
    )
    return f"{letter.subject}\n\n{letter.text}"


# --- orders for a later phase ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heading", "orders"),
    [
        ("PHASE F1901M", "A Bur - Bel\nSpa - Por\nF Mao - Wes"),
        ("Fall 1901 movement:", "a bur-bel; a spa-por; f mao-wes"),
        ("1901-F", "Army Burgundy to Belgium, A Spa - Por, F Mao - Wes"),
        ("PHASE Fall 1901", "Bur - Bel\nSpa - Por\nMao - Wes"),
        (
            "1901년 가을",
            "육군, 버건디 - 벨기에\n육군, 스페인 - 포르투갈\n해군, 중대서양 - 서지중해",
        ),
        ("F1901M:", "A Bur - Bel\nSpa - Por\nF1901M: F Mao - Wes"),
        ("PHASE F1901M A Bur - Bel", "Spa - Por\nF Mao - Wes"),
        ("PHASE F1901M: A Bur - Bel", "Spa - Por\nF Mao - Wes"),
        ("Fall: A Bur - Bel", "Spa - Por\nF Mao - Wes"),
        ("Next turn:", "Bur - Bel\nSpa - Por\nMao - Wes"),
        ("1901년 가을: 버건디 - 벨기에", "스페인 - 포르투갈\n중대서양 - 서지중해"),
        ("下回合：陸軍勃艮第－比利時", "A SPA - POR\nF MAO - WES"),
        ("秋：陸軍ブルゴーニュ→ベルギー", "A SPA - POR\nF MAO - WES"),
        ("단계 1901년 가을 이동", "버건디 - 벨기에 / 스페인 - 포르투갈 / 중대서양 - 서지중해"),
        ("1901年秋季移動階段", "陸軍 勃艮第－比利時\n陸軍 西班牙－葡萄牙\n艦隊 中大西洋－西地中海"),
        (
            "1901年秋の移動フェイズ",
            "陸軍ブルゴーニュ→ベルギー\n陸軍スペイン→ポルトガル\nF MAO - WES",
        ),
    ],
)
def test_orders_below_a_later_phase_are_its_sheet_when_it_opens(
    hall: Hall, heading: str, orders: str
) -> None:
    to_fall(hall, f"{heading}\n{orders}")
    assert label(hall) == "F1901M"
    assert sorted(order_set(hall)) == ["A BUR - BEL", "A SPA - POR", "F MAO - WES"]
    assert advance(hall) == {}
    told = opened(hall)
    assert (len(told.order_set), told.orders_due, told.problems, told.lapsed) == (3, 3, (), ())


def test_the_answer_lists_what_is_stored_and_the_receipt(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nPHASE F1901M\nA BUR - BEL\nA Xyz - Bel\nit rains in Rome")
    assert order_set(hall) == ["A PAR - BUR"]
    assert advance(hall) == {"F1901M": ["A BUR - BEL"]}
    answer, told = hall.said(FRANCE, OrdersAnswer), hall.said(FRANCE, AdvanceAnswer)
    assert (answer.problems, answer.set_number, told.set_number) == ((), 1, None)
    assert [problem.written for problem in told.problems] == ["A Xyz - Bel"]
    assert hall.said(FRANCE, NotRead).lines == ("it rains in Rome",)
    letter = text(hall)
    assert letter.startswith("[Judge] balkan S1901M please look: orders for later phases\n")
    assert letter.count("Receipt ") == 1
    assert letter.index("Stored for Fall 1901 movement (F1901M):") < letter.index("Not stored:")


def test_a_letter_for_later_phases_alone_has_a_receipt_too(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PHASE F1901M\nA BUR - BEL")
    assert hall.was_told(FRANCE, OrdersAnswer) == []
    assert hall.said(FRANCE, AdvanceAnswer).set_number == 1
    assert "1 order is stored for Fall 1901 movement.\n" in text(hall)
    assert "Receipt " in text(hall)


def test_each_phase_line_begins_its_own_orders(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE",
        "PHASE F1901M\nA BUR - BEL\nPHASE S1902M\nA BEL H\nREADY\nF MAO H\n"
        "PHASE S1901M\nA PAR - BUR",
    )
    assert advance(hall) == {"F1901M": ["A BUR - BEL"], "S1902M": ["A BEL H", "F MAO H"]}
    assert order_set(hall) == ["A PAR - BUR"]
    assert hall.game().seat("FRANCE").ready  # type: ignore[arg-type]


def test_orders_two_phases_ahead_wait_until_theirs_opens(hall: Hall) -> None:
    to_fall(
        hall, "PHASE S1902M\nA SPA - MAR\nF POR H\nPHASE F1901M\nA SPA H\nA BUR - PAR\nF MAO - POR"
    )
    assert advance(hall) == {"S1902M": ["A SPA - MAR", "F POR H"]}
    run(hall, FALL, "FRANCE")
    run(hall, {"FRANCE": "WAIVE 2"})
    assert label(hall) == "S1902M"
    assert order_set(hall) == ["A SPA - MAR", "F POR H"]
    assert (opened(hall).orders_due, opened(hall).problems) == (3, ())


def test_a_later_letter_amends_single_units(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PHASE F1901M\nA BUR - BEL\nF MAO - WES")
    hall.order("FRANCE", "PHASE F1901M\nF MAO - POR\nA SPA H")
    assert advance(hall) == {"F1901M": ["A BUR - BEL", "F MAO - POR", "A SPA H"]}
    kept = [
        (line.text, line.kept) for line in hall.said(FRANCE, AdvanceAnswer).order_sets[0].order_set
    ]
    assert kept == [("A BUR - BEL", True), ("F MAO - POR", False), ("A SPA H", False)]


def test_the_sheet_of_the_phase_that_opened_can_be_changed_as_any_other(hall: Hall) -> None:
    to_fall(hall, "PHASE F1901M\nA BUR - BEL\nF MAO - WES")
    hall.order("FRANCE", "A BUR H")
    assert sorted(order_set(hall)) == ["A BUR H", "F MAO - WES"]


def test_lines_that_do_not_fit_the_position_are_told_when_it_opens(hall: Hall) -> None:
    to_fall(hall, "PHASE F1901M\nA GAS - SPA\nF BUR - BEL\nA SPA S A GAS\nMar - Spa\nF MAO - POR")
    assert order_set(hall) == ["F MAO - POR"]
    kinds = {problem.written: problem.kind for problem in opened(hall).problems}
    assert kinds == {
        "A GAS - SPA": "no_unit",
        "A SPA S A GAS": "nothing_to_support",
        "MAR - SPA": "no_unit",
    }
    letter = text(hall)
    assert "Sent in advance, and stored now: 1 of 3 orders." in letter
    assert (
        "These lines, which you sent in advance, do not fit the position:\n  1. A GAS - SPA"
        in letter
    )
    assert "You have no unit there." in letter


def test_what_can_be_known_is_checked_when_it_comes(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE",
        "PHASE F1901M\nA PAR - LON\nA NTH H\nRemove A Bur\nF MAO - SPA\nGerman A Mun H\nPar - Bru\n"
        "PHASE F1901R\nF MAO R LON\nA BUR S A PAR\nPHASE W1901A\nBuild A Mun\nA PAR - BUR",
    )
    kinds = [problem.kind for problem in hall.said(FRANCE, AdvanceAnswer).problems]
    assert kinds == [
        "not_adjacent", "cannot_stand", "wrong_phase", "coast_needed", "wrong_power", "no_province",
        "retreat_too_far", "not_expected", "not_a_home_center", "wrong_phase",
    ]  # fmt: skip
    assert advance(hall) == {}
    assert not hall.game().seat("FRANCE").faulty  # type: ignore[arg-type]


def test_yes_takes_proposals_for_the_later_phase_that_they_were_for(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A Mra - Spa\nPHASE F1901M\nA Mra - Gaz\nA Par - Brgundy")
    hall.order("FRANCE", "YES\nF BRE - MAO")
    assert sorted(order_set(hall)) == ["A MAR - SPA", "F BRE - MAO"]
    assert advance(hall) == {"F1901M": ["A MAR - GAS", "A PAR - BUR"]}


# --- which phase ----------------------------------------------------------------------------------


def test_the_phase_that_is_due_may_be_named(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "Spring 1901 movement\nA PAR - BUR\n1901년 봄\nA MAR - SPA")
    assert sorted(order_set(hall)) == ["A MAR - SPA", "A PAR - BUR"]
    assert advance(hall) == {}


def test_a_named_phase_settles_what_a_reply_to_an_old_letter_means(hall: Hall) -> None:
    hall.start(SHORT)
    old = hall.last(FRANCE)
    run(hall, SPRING)
    hall.post(FRANCE, "A BUR H", reply_to=old)
    assert hall.said(FRANCE, StaleOrders).label_then == "S1901M"
    for lines in ("F1901M: A BUR - BEL", "PHASE F1901M\nA BUR - BEL\nPHASE S1902M\nA BEL H"):
        hall.post(FRANCE, lines, reply_to=old)  # a token that has been in many letters since
        assert hall.said(FRANCE, AddressAsked).excerpt == lines
        assert order_set(hall) == []
    hall.order("FRANCE", "YES")
    assert order_set(hall) == ["A BUR - BEL"]
    assert advance(hall) == {"S1902M": ["A BEL H"]}


def test_a_season_in_a_reply_to_an_old_letter_is_asked_about(hall: Hall) -> None:
    """Whoever writes `Fall` below the letter of spring may mean the fall that runs."""
    hall.start(SHORT)
    old = hall.last(FRANCE)
    run(hall, SPRING)
    hall.post(FRANCE, "Spring:\nA BUR - BEL", reply_to=old)
    assert (order_set(hall), advance(hall)) == ([], {})
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_PHASE
    hall.order("FRANCE", "Spring:\nA BUR - BEL\nFall:\nA BUR H")
    assert (order_set(hall), advance(hall)) == (["A BUR H"], {"S1902M": ["A BUR - BEL"]})


def test_what_stands_below_a_movement_phase_may_be_for_what_follows_it(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE",
        "PHASE F1901M\nA PAR - BUR\nIF DISLODGED A PAR R GAS, DISBAND\nBuild F Bre, A Par",
    )
    assert advance(hall) == {
        "F1901M": ["A PAR - BUR"],
        "F1901R": ["IF DISLODGED A PAR R GAS, DISBAND"],
        "W1901A": ["F BRE B", "A PAR B"],
    }


@pytest.mark.parametrize(
    ("heading", "nearest"),
    [
        ("PHASE F19O1M", "Fall 1901 movement (F1901M)"),
        ("PHASE tomorrow", "Spring 1901 movement (S1901M)"),
        ("PHASE Winter 1901 movement", "Spring 1901 movement (S1901M)"),
        ("Fal 1901 movment:", "Fall 1901 movement (F1901M)"),
    ],
)
def test_below_a_name_that_fits_no_phase_nothing_is_stored(
    hall: Hall, heading: str, nearest: str
) -> None:
    hall.start()
    hall.order("FRANCE", f"A MAR - SPA\n{heading}\nA PAR - BUR\nPHASE F1901M\nA SPA H")
    assert order_set(hall) == ["A MAR - SPA"]
    assert advance(hall) == {"F1901M": ["A SPA H"]}
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_PHASE
    assert hall.said(FRANCE, NotRead).lines == ("A PAR - BUR",)
    assert nearest in " ".join(text(hall).split())


@pytest.mark.parametrize("line", ["PHASE", "PHSE F1901M"])
def test_below_a_phase_line_that_cannot_be_read_nothing_is_stored(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", f"{line}\nA PAR - BUR")
    assert (order_set(hall), advance(hall)) == ([], {})
    assert hall.said(FRANCE, NotRead).lines == ("A PAR - BUR",)


def test_a_phase_that_has_run_or_is_far_away_is_answered(hall: Hall) -> None:
    to_fall(hall)
    hall.order("FRANCE", "PHASE S1901M\nA PAR - BUR\nPHASE S1950M\nA PAR - GAS")
    kinds = [one.kind for one in hall.was_told(FRANCE, Refusal)]
    assert kinds == [RefusalKind.PAST_PHASE, RefusalKind.FAR_PHASE]
    assert (order_set(hall), advance(hall)) == ([], {})
    letter = " ".join(text(hall).split())
    assert "Spring 1901 movement has run, or was skipped" in letter
    assert "Orders can be sent in advance up to" in letter


def test_a_sentence_with_a_year_names_no_phase(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE", "In 1901 everybody was nice.\nPhase one of my cunning plan follows.\nA PAR - BUR"
    )
    assert order_set(hall) == ["A PAR - BUR"]
    assert hall.was_told(FRANCE, Refusal) == []


def test_a_new_sign_on_speaks_of_the_phase_that_is_due(hall: Hall) -> None:
    hall.start()
    hall.create(name="other")
    hall.order("FRANCE", "PHASE F1901M\nA BUR H\nSIGNON Fbalkan wrong\nA PAR - BUR")
    assert (order_set(hall), advance(hall)) == ([], {"F1901M": ["A BUR H"]})
    hall.post(FRANCE, "PHASE F1901M\nSIGNON Fbalkan wrong\nA PAR - BUR")
    assert order_set(hall) == []


# --- clearing and showing -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "letter", ["PHASE F1901M\nCLEAR", "CLEAR F1901M", "CLEAR Fall 1901", "모두 지움 1901년 가을"]
)
def test_clear_forgets_the_phase_that_is_named(hall: Hall, letter: str) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nPHASE F1901M\nA BUR - BEL\nPHASE S1902M\nA BEL H")
    hall.order("FRANCE", letter)
    assert advance(hall) == {"S1902M": ["A BEL H"]}
    assert order_set(hall) == ["A PAR - BUR"]
    assert hall.said(FRANCE, AdvanceAnswer).cleared == ("F1901M",)
    assert "Your orders for Fall 1901 movement are cleared." in text(hall)


def test_clear_below_phase_takes_what_follows(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PHASE F1901M\nA BUR - BEL\nF MAO H")
    hall.order("FRANCE", "PHASE F1901M\nCLEAR\nA SPA H")
    assert advance(hall) == {"F1901M": ["A SPA H"]}


def test_clear_alone_forgets_the_phase_that_is_due(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nPHASE F1901M\nA BUR - BEL")
    hall.order("FRANCE", "CLEAR")
    assert (order_set(hall), advance(hall)) == ([], {"F1901M": ["A BUR - BEL"]})
    assert "Fall 1901 movement (F1901M):" in text(hall)


def test_clear_all_forgets_everything(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nBuild A Par\nPHASE F1901M\nA BUR - BEL")
    hall.order("FRANCE", "CLEAR ALL")
    assert (order_set(hall), advance(hall)) == ([], {})


@pytest.mark.parametrize(
    "written", ["CLEAR FUTURE", "모두 취소 나중", "全消去 今後", "清除命令 以後"]
)
def test_clear_future_keeps_the_orders_of_the_running_phase(hall: Hall, written: str) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nBuild A Par\nPHASE F1901M\nA BUR - BEL")
    hall.order("FRANCE", written)
    assert (order_set(hall), advance(hall)) == (["A PAR - BUR"], {})
    hall.order("FRANCE", written)  # of which nothing is left
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOT_STORED
    assert order_set(hall) == ["A PAR - BUR"]


def test_clear_with_an_unknown_phase_clears_nothing(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR\nPHASE F1901M\nA BUR - BEL")
    hall.order("FRANCE", "CLEAR F19O1M\nA MAR - SPA")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NO_PHASE
    assert order_set(hall) == ["A PAR - BUR", "A MAR - SPA"]
    assert advance(hall) == {"F1901M": ["A BUR - BEL"]}


def test_status_shows_what_is_stored_ahead_to_its_player_alone(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PHASE F1901M\nA BUR - BEL\nPHASE S1901R\nA PAR R GAS")
    hall.order("FRANCE", "STATUS")
    shown = hall.said(FRANCE, GameStatus).advance
    assert [one.label for one in shown] == ["S1901R", "F1901M"]
    assert "Stored for Fall 1901 movement (F1901M):\n  A BUR - BEL" in text(hall)
    hall.order("ENGLAND", "STATUS")
    hall.post("gm@example.test", "STATUS", reply_to=hall.last("gm@example.test"))
    run(hall, SPRING)
    told = [str(row.messages) for row in hall.out if row.recipient != FRANCE]
    assert not any("A BUR - BEL" in messages or "DISLODGED" in messages for messages in told)


# --- if dislodged ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "IF DISLODGED A BUR R PAR, GAS, DISBAND",
        "if dislodged: bur - Paris or Gascony, else disband",
        "If A Bur is dislodged: Par, Gas, disband",
        "쫓겨나면 육군, 버건디, 퇴각, 파리, 가스코니, 해산",
        "만약 버건디 육군이 쫓겨나면 파리, 가스코니로 퇴각, 아니면 해산",
        "若被擊退，陸軍 勃艮第 撤退 巴黎、加斯康尼、解散",
        "如果勃艮第陸軍被擊退，撤退至巴黎或加斯康尼，否則解散",
        "駆逐されたら 陸軍ブルゴーニュ 退却 パリ、ガスコーニュ、除去",
        "ブルゴーニュ陸軍が撃退されたらパリ、ガスコーニュへ退却、さもなくば除去",
    ],
)
def test_ways_out_are_read_in_every_language(hall: Hall, line: str) -> None:
    to_fall(hall)
    hall.order("FRANCE", f"A BUR H\n{line}")
    assert advance(hall) == {"F1901R": ["IF DISLODGED A BUR R PAR, GAS, DISBAND"]}
    assert hall.said(FRANCE, OrdersAnswer).problems == ()


def test_the_first_way_out_that_is_open_is_taken_and_the_phase_runs_at_once(hall: Hall) -> None:
    to_fall(hall)
    run(hall, {**FALL, "FRANCE": FALL["FRANCE"] + "\nIF DISLODGED A BUR R MUN, GAS, PAR"})
    assert label(hall) == "F1901R"
    assert order_set(hall) == ["A BUR R GAS"]  # Munich is held
    assert "Sent in advance, and stored now: 1 order, all that is due." in text(hall)
    assert "reply by" not in text(hall).split("\n")[0]
    hall.pass_time(timedelta(minutes=31))
    assert label(hall) == "W1901A"
    results = hall.said(FRANCE, Results)
    assert (results.game.label, results.missing) == ("F1901R", ())


def test_a_stored_way_out_needs_no_reminder_and_is_no_absence(hall: Hall) -> None:
    to_fall(hall, lines="retreat: 3d\nreminder: 1d")
    run(hall, {**FALL, "FRANCE": FALL["FRANCE"] + "\nIF DISLODGED A BUR R PAR"})
    hall.order("FRANCE", "WAIT")
    before = len(hall.was_told(FRANCE, Reminder))
    hall.pass_time(3 * DAY + timedelta(hours=1))
    assert label(hall) == "W1901A"
    assert len(hall.was_told(FRANCE, Reminder)) == before
    assert any(str(unit) == "A PAR" for unit in units(hall, "FRANCE"))


def test_a_movement_phase_reminds_once_before_its_deadline(hall: Hall) -> None:
    to_fall(hall, lines="movement: 48h\nreminder: 24h")
    assert label(hall) == "F1901M"
    before = len(hall.was_told(FRANCE, Reminder))
    hall.pass_time(timedelta(hours=23))
    assert len(hall.was_told(FRANCE, Reminder)) == before
    hall.pass_time(timedelta(hours=24))
    assert label(hall) == "F1901M"
    assert len(hall.was_told(FRANCE, Reminder)) == before + 1


@pytest.mark.parametrize(
    ("lines", "reminders"), [("", 0), ("retreat: 33h", 0), ("retreat: 38h", 1)]
)
def test_no_reminder_follows_right_after_the_results(
    hall: Hall, lines: str, reminders: int
) -> None:
    to_fall(hall, lines=lines)
    timing = hall.game().timing
    assert timing is not None
    hall.pass_time(timing.deadline_at - timedelta(minutes=37))  # runs a little early
    before = len(hall.was_told(FRANCE, Reminder))
    run(hall, FALL)
    assert label(hall) == "F1901R"
    hall.pass_time(timedelta(hours=23))
    assert label(hall) == "F1901R"
    assert len(hall.was_told(FRANCE, Reminder)) == before + reminders


def units(hall: Hall, power: str) -> list[str]:
    state = hall.game().state
    assert state is not None
    return [str(unit) for unit in RULEBOOK.open(state).stored.units if unit.power == power]


def test_a_line_of_the_retreat_phase_comes_before_what_was_stored(hall: Hall) -> None:
    to_fall(hall)
    run(hall, {**FALL, "FRANCE": FALL["FRANCE"] + "\nIF DISLODGED A BUR R PAR"})
    hall.order("FRANCE", "A BUR R MAR")
    assert order_set(hall) == ["A BUR R MAR"]


def test_no_way_out_that_is_open_is_told_and_the_player_asked(hall: Hall) -> None:
    to_fall(hall)
    run(hall, {**FALL, "FRANCE": FALL["FRANCE"] + "\nIF DISLODGED A BUR R MUN, RUH"})
    assert order_set(hall) == []
    assert [problem.kind for problem in opened(hall).problems] == ["no_way_out"]
    letter = text(hall)
    assert "No province that you named in advance is open." in letter
    assert "A BUR R PAR   retreat to Paris" in letter
    assert "retreat by" in letter.split("\n")[0]


def test_disband_is_a_way_out_that_is_always_open(hall: Hall) -> None:
    to_fall(hall)
    run(hall, {**FALL, "FRANCE": FALL["FRANCE"] + "\nIF DISLODGED A BUR R MUN, DISBAND"})
    assert order_set(hall) == ["A BUR D"]


def test_ways_out_may_be_sent_for_a_later_retreat_phase(hall: Hall) -> None:
    to_fall(hall, "PHASE F1901R\nBur - Gas")
    assert advance(hall) == {"F1901R": ["IF DISLODGED A BUR R GAS"]}
    run(hall, FALL)
    assert order_set(hall) == ["A BUR R GAS"]


def test_in_the_retreat_phase_itself_ways_out_are_chosen_from_at_once(hall: Hall) -> None:
    to_fall(hall)
    run(hall, FALL)
    hall.order("FRANCE", "IF DISLODGED A BUR R MUN, GAS")
    assert order_set(hall) == ["A BUR R GAS"]


def test_ways_out_are_forgotten_when_nobody_is_dislodged(hall: Hall) -> None:
    to_fall(hall, "IF DISLODGED A PAR R GAS")
    assert label(hall) == "F1901M"
    assert [one.label for one in opened(hall).lapsed] == ["S1901R"]
    assert advance(hall) == {}
    told = "Your orders for Spring 1901 retreats were removed: you had nothing to send then."
    assert told in " ".join(text(hall).split())


def test_ways_out_of_a_unit_that_is_not_there_or_of_another_are_asked_about(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE",
        "IF DISLODGED A BUR R PAR\nIF DISLODGED F BRE R LON\nIf A Mun is dislodged, A Par - Bur\n"
        "if dislodged A Par not R Gas",
    )
    kinds = [problem.kind for problem in hall.said(FRANCE, OrdersAnswer).problems]
    assert kinds == ["no_unit", "retreat_too_far", "not_expected", "not_expected"]
    assert (order_set(hall), advance(hall)) == ([], {})


# --- wishes ---------------------------------------------------------------------------------------


def to_winter(hall: Hall, power: str, wishes: str) -> None:
    """Winter 1901: France has two builds, Austria must remove a unit."""
    to_fall(hall)
    run(hall, {**FALL, power: f"{FALL[power]}\n{wishes}"})
    assert label(hall) == "F1901R"
    run(hall, {"FRANCE": "A BUR R GAS"})
    assert label(hall) == "W1901A"


def test_as_many_wishes_are_taken_as_are_due_in_their_order(hall: Hall) -> None:
    to_winter(hall, "FRANCE", "Build F Mar, A Par\nBuild F Bre\nWAIVE 2")
    assert order_set(hall) == ["F MAR B", "A PAR B"]
    told = opened(hall)
    assert (told.orders_due, told.problems, told.lapsed) == (2, (), ())


def test_fewer_wishes_than_are_due_leave_the_rest_to_be_sent(hall: Hall) -> None:
    to_winter(hall, "FRANCE", "Build A Par")
    assert order_set(hall) == ["A PAR B"]
    assert "Sent in advance, and stored now: 1 of 2 orders." in text(hall)
    hall.order("FRANCE", "F BRE B")
    assert sorted(order_set(hall)) == ["A PAR B", "F BRE B"]


def test_a_wish_that_cannot_be_done_is_passed_over(hall: Hall) -> None:
    to_fall(hall, "PHASE W1901A\nA MAR B\nA PAR B\nF BRE B")
    run(hall, FALL)
    run(hall, {"FRANCE": "A BUR R MAR"})
    assert order_set(hall) == ["A PAR B", "F BRE B"]
    assert [problem.kind for problem in opened(hall).problems] == ["occupied"]


def test_removals_are_wishes_below_their_phase(hall: Hall) -> None:
    to_winter(hall, "AUSTRIA", "PHASE W1901A\nBuild A Tri\nF ALB D\nA BUD D")
    assert order_set(hall, "AUSTRIA") == ["F ALB D"]
    assert opened(hall, AUSTRIA).problems == ()


def test_a_removal_beside_moves_is_asked_about(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "Remove A Par")
    assert [one.kind for one in hall.said(FRANCE, OrdersAnswer).problems] == ["wrong_phase"]
    assert advance(hall) == {}


@pytest.mark.parametrize(
    "line", ["Build A Par", "육군, 파리, 배치", "在巴黎建造陸軍", "パリに陸軍を配置", "A PAR B"]
)
def test_builds_beside_moves_are_wishes_in_every_language(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", f"A PAR - BUR\n{line}")
    assert order_set(hall) == ["A PAR - BUR"]
    assert advance(hall) == {"W1901A": ["A PAR B"]}


def test_an_amended_wish_keeps_its_rank_and_new_ones_come_last(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "Build A Mar, F Bre")
    hall.order("FRANCE", "Build A Par, F Mar")
    assert advance(hall) == {"W1901A": ["F MAR B", "F BRE B", "A PAR B"]}


def test_wishes_where_nothing_is_due_are_forgotten_and_told(hall: Hall) -> None:
    to_fall(hall, "Build A Par")
    run(hall, {**FALL, "FRANCE": "A BUR - PAR\nA SPA - GAS\nF MAO H"})
    while label(hall) != "S1902M":
        hall.pass_time(timedelta(hours=1))
    lapsed = [
        one.label
        for told in hall.was_told(FRANCE, Results)
        if told.advance
        for one in told.advance.lapsed
    ]
    assert lapsed == ["W1901A"]
    assert advance(hall) == {}


# --- what holds and who sees ----------------------------------------------------------------------


def test_a_year_can_be_played_without_a_letter_in_between(hall: Hall) -> None:
    to_fall(
        hall,
        "PHASE F1901M\nA SPA H\nA BUR H\nF MAO - POR\nPHASE F1901R\nA BUR R PAR, GAS\n"
        "PHASE W1901A\nF BRE B\nA MAR B",
    )
    run(hall, FALL, "FRANCE")
    assert label(hall) == "F1901R"
    hall.pass_time(timedelta(minutes=31))
    assert label(hall) == "W1901A"
    run(hall, {"AUSTRIA": "F ALB D"})
    assert label(hall) == "S1902M"
    assert sorted(units(hall, "FRANCE")) == ["A MAR", "A PAR", "A SPA", "F BRE", "F POR"]
    assert hall.game().seat("FRANCE").misses == 0  # type: ignore[arg-type]


def test_faults_in_orders_ahead_hold_no_phase(hall: Hall) -> None:
    to_fall(hall)
    for power in POWERS:
        hall.order(power, FALL[power])
    hall.order("FRANCE", "PHASE S1902M\nA Xyz - Bel")
    hall.pass_time(timedelta(minutes=40))
    assert label(hall) == "F1901R"


def test_orders_ahead_survive_a_restart(tmp_path: Path) -> None:
    hall = Hall(tmp_path / "judge.db")
    hall.start(SHORT)
    hall.order("FRANCE", "PHASE F1901M\nA BUR - BEL\n쫓겨나면 육군, 버건디, 퇴각, 파리")
    hall.order("FRANCE", "PHASE F1901R\n쫓겨나면 육군, 버건디, 퇴각, 파리")
    hall.database.close()
    hall.open()
    assert advance(hall) == {"F1901M": ["A BUR - BEL"], "F1901R": ["IF DISLODGED A BUR R PAR"]}
    run(hall, SPRING)
    assert order_set(hall) == ["A BUR - BEL"]
    hall.database.close()


def test_a_successor_does_not_find_what_another_player_has_stored(hall: Hall) -> None:
    to_fall(hall)
    hall.order("FRANCE", "PHASE S1902M\nA SPA H")
    hall.order("FRANCE", "RESIGN")
    hall.order("FRANCE", "YES")
    hall.post("new@example.test", "JOIN balkan FRANCE")
    hall.post("new@example.test", "yes", reply_to=hall.last("new@example.test"))
    assert advance(hall) == {}
    hall.post("new@example.test", "STATUS", reply_to=hall.last("new@example.test"))
    assert hall.said("new@example.test", GameStatus).advance == ()


def test_a_korean_player_reads_all_of_it_in_korean(hall: Hall) -> None:
    hall.start()
    hall.order(
        "FRANCE",
        "파리 - 버건디\n쫓겨나면 육군, 파리, 퇴각, 가스코니, 해산\n1901년 가을 이동 단계\n"
        "육군, 버건디 - 벨기에\n1901년 겨울 부대 가감 단계\n육군, 파리, 배치",
    )
    letter = text(hall, language="ko")
    assert (
        "1901년 봄 퇴각 단계의 명령 (S1901R):\n  쫓겨나면 육군, 파리, 퇴각, 가스코니, 해산"
        in letter
    )
    assert "1901년 가을 이동 단계의 명령 (F1901M):\n  육군, 버건디 - 벨기에" in letter
    assert "1901년 겨울 부대 가감 단계의 명령 (W1901A):\n  육군, 파리, 배치" in letter
