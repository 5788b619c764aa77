"""How wrong our clock is by the mail server's, told from letters that came while we watched."""

from collections import deque
from datetime import datetime, timedelta

LETTERS = 20  # the newest that are looked at
LEAST_LETTERS = 3  # one alone may be an old letter that somebody moved into the mailbox
LEAST = timedelta(seconds=5)  # less is the server's own time to deliver a letter


class ServerClock:
    """The mail server's time, as the dates that it gives to letters show it."""

    def __init__(self) -> None:
        self._bounds: deque[tuple[timedelta, timedelta]] = deque(maxlen=LETTERS)

    def observe(self, received_at: datetime, not_before: datetime, not_after: datetime) -> None:
        """A letter came that was not there at `not_before` and was at `not_after`, by our clock;
        the server says that it received it at `received_at`."""
        self._bounds.append((not_before - received_at, not_after - received_at))

    def ahead(self) -> timedelta:
        """How far our clock is ahead at most; 0 unless some letters prove that it is ahead."""
        if sum(least > LEAST for least, _ in self._bounds) < LEAST_LETTERS:
            return timedelta(0)
        most = min(most for _, most in self._bounds)
        return most if most > LEAST else timedelta(0)

    def behind(self) -> timedelta:
        """How far our clock is behind at least; 0 unless some letters came from its future."""
        behind = sorted(-most for _, most in self._bounds if most < -LEAST)
        return behind[0] if len(behind) >= LEAST_LETTERS else timedelta(0)
