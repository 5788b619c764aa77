"""The time, and all waiting; tests put their own clock here, so that none of them sleeps."""

import asyncio
import contextlib
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Where the running service gets the time from."""

    def now(self) -> datetime:
        """This instant, aware, UTC."""
        ...

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        """Return when `wake` is set or `seconds` have passed, whichever is first."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(wake.wait(), max(seconds, 0))


def to_seconds(instant: datetime) -> int:
    """Whole seconds UTC, as the store keeps an instant."""
    return int(instant.timestamp())


def from_seconds(seconds: int) -> datetime:
    """The instant of stored seconds."""
    return datetime.fromtimestamp(seconds, UTC)
