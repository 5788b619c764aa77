"""Replies in the shapes of many programs and languages: own words whole, nothing quoted taken."""

import pytest

from tests.mail.reply_structures.structures import HALVES, half, outcomes, read_alone

LEAST_EXACT = 0.99


@pytest.mark.parametrize("name", HALVES)
def test_replies_are_read_without_what_they_quote(name: str) -> None:
    found = list(outcomes(half(name), read_alone, every=5))
    assert [one for one in found if one.taken] == []
    assert [one for one in found if one.lost] == []
    exact = sum(one.is_exact for one in found) / len(found)
    assert exact >= LEAST_EXACT, [one.structure for one in found if not one.is_exact][:20]


def test_both_halves_hold_thirty_languages() -> None:
    for name in HALVES:
        assert len({one.name.partition("-")[0] for one in half(name)}) > 30
