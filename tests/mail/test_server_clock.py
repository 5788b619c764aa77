"""Whether our clock is ahead of the mail server's, from the letters that come."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.mail import ServerClock

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def clock_of(*letters: tuple[int, int, int]) -> ServerClock:
    """Of each letter: when the server received it, and when by our clock it was not there yet and
    was there, in seconds after noon."""
    clock = ServerClock()
    for letter in letters:
        clock.observe(*(NOON + seconds * SECOND for seconds in letter))
    return clock


@pytest.mark.parametrize(
    ("letters", "seconds"),
    [
        ([], 0),
        ([(0, 300, 301)] * 2, 0),
        ([(0, 300, 301)] * 3, 301),
        ([(0, 240, 302), (100, 390, 401), (200, 495, 502)], 301),
        ([(0, -60, 1), (100, 90, 101), (200, 199, 201)], 0),
        ([(0, -60, 500)] * 3, 0),
        ([(0, -300, -299)] * 9, 0),
    ],
    ids=[
        "no letters",
        "too few",
        "five minutes ahead",
        "polled",
        "the same",
        "fetched late",
        "behind",
    ],
)
def test_how_far_our_clock_is_ahead(letters: list[tuple[int, int, int]], seconds: int) -> None:
    assert clock_of(*letters).our_clock_ahead() == seconds * SECOND


def test_old_letters_that_somebody_moves_into_the_mailbox_tell_nothing() -> None:
    moved = [(-99999, 0, 1)] * 9
    assert clock_of(*moved, (10, 9, 11)).our_clock_ahead() == timedelta(0)


def test_a_clock_that_was_corrected_is_believed_again() -> None:
    fast, right = [(0, 300, 301)] * 20, [(900, 899, 901)]
    assert clock_of(*fast, *right).our_clock_ahead() == timedelta(0)
