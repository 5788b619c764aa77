"""The daemon as a process of its own, with a clock that a test holds: `serve.py CONFIG CLOCK`."""

import asyncio
import os
import sys
from datetime import datetime
from pathlib import Path

from judge.config import load_settings
from judge.service import serve

TICK_SECONDS = 0.1


class FileClock:
    """The instant that stands in a file; waits a moment of real time, so that it is looked at."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> datetime:
        return datetime.fromisoformat(self._path.read_text(encoding="ascii"))

    async def wait(self, wake: asyncio.Event, seconds: float) -> None:
        try:
            await asyncio.wait_for(wake.wait(), min(seconds, TICK_SECONDS))
        except TimeoutError:
            return


if __name__ == "__main__":
    settings = load_settings(Path(sys.argv[1]), os.environ)
    asyncio.run(serve(settings, FileClock(Path(sys.argv[2]))))
