"""Chaos: 34 seats whose letters are capitals and digits, and whose names are those of cities."""

import pytest

from judge.host.messages.press import PressReceived
from judge.rulebook import load_game

from .conftest import Hall, address_of

SEATS = [seat.id for seat in load_game("diplomacy").seats("chaos", {})]


@pytest.mark.parametrize(
    ("written", "readers"),
    [
        ("39", {"ST_PETERSBURG", "WARSAW"}),
        ("3Z", {"ST_PETERSBURG", "SERBIA"}),
        ("0", {"SEVASTOPOL"}),
        ("Serbia, 빈", {"SERBIA", "VIENNA"}),
        ("St_Petersburg", {"ST_PETERSBURG"}),
    ],
)
def test_press_goes_by_letters_digits_and_cities(
    hall: Hall, written: str, readers: set[str]
) -> None:
    hall.start("variant: chaos", SEATS)
    hall.order("PARIS", f"PRESS TO {written}\nPeace?\nENDPRESS")
    told = {seat for seat in SEATS if hall.was_told(address_of(seat), PressReceived)}
    assert told == readers
