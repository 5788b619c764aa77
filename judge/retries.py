"""The pause before something is tried again: one pure function, growing and jittered."""

import hashlib

from judge.config import ClockSettings


def pause_seconds(failures: int, clock: ClockSettings, salt: str = "") -> float:
    """Seconds to wait after so many failures in a row, at least 1 of them.

    It doubles from `retry_first_seconds` up to `retry_most_seconds`. The salt takes off up to a
    quarter, so that many letters are not all tried again at the same moment.
    """
    longest = min(clock.retry_first_seconds * 2 ** min(failures - 1, 30), clock.retry_most_seconds)
    digest = hashlib.sha256(f"{salt}:{failures}".encode()).digest()
    return float(longest * (1 - digest[0] / 1024))
