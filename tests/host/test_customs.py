"""What a master chooses about orders and units beside the rules, by mail: orders that stand as they
are written, games without retreats, units in civil disorder that support each other."""

import pytest

from judge.host.messages.order_answers import OrdersAnswer

from .conftest import POWERS, Hall, address_of
from .test_rules import FRANCE, MASTER, notes, process, set_up, stand, told

SIGNALS = "A PAR S GERMANY A BER - MUN\nA MAR S A ROM - APU\nF BRE C A LON - NWY"


def flat(hall: Hall, address: str) -> str:
    return " ".join(hall.text(hall.last(address)).split())


def run_silent(hall: Hall, *ordered: str) -> None:
    """The phase runs; who is not named has said READY and ordered nothing."""
    for power in POWERS:
        if power not in ordered:
            hall.order(power, "READY")
    hall.run_phase()


# --- orders: checked, signals, as_written ---------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "stored"),
    [
        ("", []),
        ("orders: checked", []),
        ("orders: signals", ["A PAR S A BER - MUN", "A MAR S A ROM - APU"]),
        ("SIGNAL_SUPPORT", ["A PAR S A BER - MUN", "A MAR S A ROM - APU"]),
        (
            "orders: as written",
            ["A PAR S A BER - MUN", "A MAR S A ROM - APU", "F BRE C F LON - NWY"],
        ),
        ("NO_CHECK", ["A PAR S A BER - MUN", "A MAR S A ROM - APU", "F BRE C F LON - NWY"]),
    ],
)
def test_orders_that_cannot_be_stand_where_the_game_takes_them(
    hall: Hall, line: str, stored: list[str]
) -> None:
    hall.start(line)
    hall.order("FRANCE", SIGNALS)
    answer = hall.said(FRANCE, OrdersAnswer)
    assert told(answer)[0] == stored
    assert len(answer.problems) == 3 - len(stored)
    assert notes(answer) == ["stands_without_effect"] * len(stored)


@pytest.mark.parametrize(
    "order",
    [
        "A PAR - MOS",  # much too far
        "A PAR - ENG",  # no army stands there
        "A PAR - PAR",
        "A PAR S A PAR",
        "A PAR S A RUH - BEL",  # nobody stands there
        "A PAR S F NAP - TYS",
        "A PAR C A MAR - SPA",
        "A PAR - BUR VIA",
        "A PAR S A KIE",
    ],
)
def test_every_kind_of_impossible_order_is_printed_as_failed(hall: Hall, order: str) -> None:
    hall.start("orders: as_written")
    hall.order("FRANCE", order)
    answer = hall.said(FRANCE, OrdersAnswer)
    (stored,) = told(answer)[0]
    assert answer.problems == ()
    assert f"Please look: {stored} cannot be done." in flat(hall, FRANCE)
    run_silent(hall)
    assert "A PAR" in stand(hall, "FRANCE")
    assert f"failed: {stored} (" in flat(hall, MASTER)


def test_what_may_be_meant_otherwise_is_asked_about_all_the_same(hall: Hall) -> None:
    hall.start("orders: as_written")
    hall.order("FRANCE", "F BRE - MAO")
    run_silent(hall)
    hall.order("FRANCE", "F MAO - SPA\nA PAR - Atlantis")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert told(answer)[:2] == ([], ["coast_needed", "no_province"])


def test_the_first_letter_says_that_orders_stand_as_they_are_written(hall: Hall) -> None:
    hall.start("orders: as_written")
    begun = flat(hall, FRANCE)
    assert "Orders that cannot be carried out are taken as they are written" in begun
    assert "Board: Standard, orders as_written" in begun


# --- dislodged: disband ---------------------------------------------------------------------------


def test_a_dislodged_unit_is_disbanded_where_there_are_no_retreats(hall: Hall) -> None:
    hall.start("no retreat")
    set_up(hall, FRANCE="A BUR", GERMANY="A MUN, A RUH")
    hall.order("GERMANY", "A MUN - BUR\nA RUH S A MUN - BUR")
    process(hall)
    game = hall.game()
    assert game.phase is not None
    assert game.phase.label == "F1901M"
    assert stand(hall, "FRANCE") == set()
    assert "no unit retreats in this game" in flat(hall, FRANCE)


# --- disorder: support ----------------------------------------------------------------------------


def attacked(hall: Hall, line: str) -> set[str]:
    """Where French units stand that are in civil disorder when Burgundy is attacked by two."""
    hall.start(line)
    run_silent(hall)
    set_up(hall, FRANCE="A BUR, A PAR, A GAS", GERMANY="A MUN, A RUH")
    hall.order("GERMANY", "A MUN - BUR\nA RUH S A MUN - BUR")
    run_silent(hall, "FRANCE", "GERMANY")
    return stand(hall, "FRANCE")


def test_units_in_civil_disorder_hold_alone(hall: Hall) -> None:
    assert attacked(hall, "") == {"A PAR", "A GAS"}


def test_units_in_civil_disorder_support_each_other(hall: Hall) -> None:
    assert attacked(hall, "disorder: support") == {"A BUR", "A PAR", "A GAS"}
    results = flat(hall, MASTER)
    assert "France: no orders; " in results
    for order in ("A PAR S A BUR;", "A GAS S A BUR;", "A BUR S A PAR (cut by A MUN - BUR)"):
        assert order in results.replace(" Germany:", ";")


def test_dummies_support_each_other_and_others_may_support_them(hall: Hall) -> None:
    hall.start("dummies: FRANCE\ndisorder: support\n4.D.9: a", [p for p in POWERS if p != "FRANCE"])
    set_up(hall, FRANCE="A PAR, A PIC", GERMANY="A BUR, A GAS", ENGLAND="F BRE")
    hall.order("GERMANY", "A BUR - PAR\nA GAS S A BUR - PAR")
    hall.order("ENGLAND", "F BRE H")
    process(hall)
    assert stand(hall, "FRANCE") == {"A PAR", "A PIC"}
    assert address_of("FRANCE") not in {row.recipient for row in hall.out}


def test_the_first_letter_says_that_powers_nobody_plays_support_each_other(hall: Hall) -> None:
    hall.start("players: 6\ndisorder: support", [each for each in POWERS if each != "ITALY"])
    assert "Nobody plays Italy: its units support each other to hold" in flat(hall, FRANCE)


@pytest.mark.parametrize(
    "lines",
    [
        "명령 검사: 쓴 대로\n쫓겨난 부대: 해산\n무정부 부대: 서로 지원",
        "命令の検査: 書いたまま\n駆逐されたユニット: 除去\n内乱のユニット: 互いに支援",
        "指令檢查: 照原文\n被擊退單位: 解散\n內亂單位: 互相支援",
    ],
)
def test_they_are_chosen_in_every_language(hall: Hall, lines: str) -> None:
    hall.start(lines)
    expected = (("orders", "as_written"), ("dislodged", "disband"), ("disorder", "support"))
    assert hall.game().settings.options == expected


def test_a_blank_board_is_a_variant(hall: Hall) -> None:
    hall.start("BLANK_BOARD")
    assert hall.game().settings.variant == "blank"


def test_old_words_for_what_is_usual_are_read(hall: Hall) -> None:
    hall.start("IMMOBILE_DUMMIES\nHOME_CENTERS")
    assert hall.game().settings.options == (("builds", "home"),)
