"""Results as players read them, letter by letter."""

import re

import pytest

from .conftest import POWERS, Hall, address_of

FALL = {
    "AUSTRIA": "A SER - GRE\nA GAL H\nF ALB S A SER - GRE",
    "GERMANY": "A KIE - HOL\nF DEN H\nA RUH H",
    "FRANCE": "A SPA - POR\nA BUR H\nF MAO H",
}


def results(hall: Hall, power: str) -> str:
    rows = [row for row in hall.out if row.recipient == address_of(power) and row.kind == "results"]
    return hall.text(rows[-1])


def flat(text: str) -> str:
    return " ".join(text.split())


def test_builds_that_nobody_asked_for_are_reported_to_everybody(hall: Hall) -> None:
    hall.to_winter(FALL)
    hall.order("GERMANY", "A BER B\nWAIVE")
    hall.order("FRANCE", "A PAR B")
    hall.run_phase()
    told = "Builds left out: Austria 1, Germany 1 and Turkey 1."
    for power in ("AUSTRIA", "FRANCE", "GERMANY"):
        assert told in flat(results(hall, power))
    assert results(hall, "AUSTRIA").splitlines()[2] == "You have built nothing."


def test_a_dislodged_unit_that_held_is_a_failure_in_every_letter(hall: Hall) -> None:
    hall.start("grace: 0")
    for power in POWERS:
        hall.order(power, "A VIE - TYR\nREADY" if power == "AUSTRIA" else "READY")
    hall.run_phase()
    fall = {"AUSTRIA": "A TYR - VEN\nF TRI S A TYR - VEN", "ITALY": "A VEN H\nA ROM - APU"}
    for power in POWERS:
        hall.order(power, fall.get(power, "READY") + "\nREADY")
    hall.run_phase()
    why = "dislodged by A TYR - VEN with F TRI, 2 against 1"
    own = flat(results(hall, "ITALY"))
    assert f"A VEN H failed: {why}" in own
    assert "Your 2 orders: 1 succeeded, 1 failed." in own
    others = flat(results(hall, "FRANCE"))
    assert f"failed: A VEN H ({why})" in others


def test_a_unit_without_an_order_held_and_did_not_succeed(hall: Hall) -> None:
    hall.start("grace: 0")
    hall.open_game("FRANCE")
    hall.order("FRANCE", "A PAR - BUR\nREADY")
    hall.run_phase()
    told = results(hall, "FRANCE")
    assert told.splitlines()[2] == "Your order succeeded."
    rows = ["A PAR - BUR   succeeded", "A MAR   held (no order)", "F BRE   held (no order)"]
    assert f"Your orders: {' '.join(rows)}" in told.replace("\r\n\r\n  ", " ").replace(
        "\r\n  ", " "
    )


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            "en",
            "failed: A VIE - TYR (standoff with A MUN - TYR, 1 against 1), F TRI - VEN (two units "
            "cannot change places without a convoy; rule 6)",
        ),
        ("zh_Hant", "失敗：A VIE - TYR（與 A MUN - TYR 對峙，軍力值1對1）、F TRI - VEN（"),
        ("ja", "）、F TRI - VEN"),
    ],
)
def test_failures_have_no_brackets_in_brackets(hall: Hall, language: str, told: str) -> None:
    hall.start("grace: 0")
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    orders = {
        "AUSTRIA": "F TRI - VEN\nA VIE - TYR",
        "ITALY": "A VEN - TRI",
        "GERMANY": "A MUN - TYR",
    }
    for power in POWERS:
        hall.order(power, f"{orders.get(power, '')}\nREADY")
    hall.run_phase()
    text = flat(results(hall, "FRANCE"))
    assert told in text
    assert not re.search("[(（][^()（）]*[(（]", text)


def test_the_orders_below_a_players_own_are_those_of_the_others(hall: Hall) -> None:
    hall.start()
    hall.open_game()
    hall.run_phase()
    told = flat(results(hall, "FRANCE"))
    assert "The others' orders" in told
    assert "Everyone's orders" not in told
