"""The time, and all waiting; tests put their own clock here, so that none of them sleeps."""

import asyncio
import contextlib
import re
from datetime import UTC, datetime, timedelta
from typing import Protocol

DURATION_DAYS_MOST = 3660
_DURATION = re.compile(r"(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)


class Clock(Protocol):
    """Where the running service gets the time from."""

    def now(self) -> datetime:
        """This instant, aware, UTC."""

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        """Return when `wake` is set or `seconds` have passed, whichever is first."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(seconds, 0)):
                await wake.wait()


def to_seconds(instant: datetime) -> int:
    """Whole seconds UTC, as the store keeps an instant."""
    return int(instant.timestamp())


def from_seconds(seconds: int) -> datetime:
    """The instant of stored seconds."""
    return datetime.fromtimestamp(seconds, UTC)


def parse_duration(text: str, days_most: int = DURATION_DAYS_MOST) -> timedelta:
    """The time that `90s`, `30m`, `24h`, `3d`, `1w` or `1d 12h` says; larger units first.

    Raises:
        ValueError: it says none, or more than so many days; says what to write instead.
    """
    bare = "".join(text.split()).lower()
    match = _DURATION.fullmatch("0s" if bare == "0" else bare)
    if not bare or match is None:
        raise ValueError('Write a time such as "90s", "30m", "24h" or "1d 12h"')
    units = (604_800, 86_400, 3_600, 60, 1)
    counts = map(int, match.groups(default="0"))
    seconds = sum(count * unit for count, unit in zip(counts, units, strict=True))
    if seconds > days_most * 86_400:
        raise ValueError(f"Write at most {days_most}d")
    return timedelta(seconds=seconds)
