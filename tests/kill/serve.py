"""Daemons as processes that die at a step of a letter's way.

Each line on standard input, `CONFIG CLOCK STEP LOG`, starts a daemon, a fork of this process, which
has loaded everything; its number is printed, `ready` when it has read its mailbox, and `dead` when
it is. CLOCK and STEP are files that a test writes: the instant, and the name of the step
(`judge.step`) at which the process kills itself; none while it is empty.
"""

import asyncio
import os
import signal
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from judge.config import Settings, load_settings
from judge.host import Refusal, RefusalKind, get_ready
from judge.hosting import host_config
from judge.render import render_letter
from judge.service import serve

TICK_SECONDS = 0.1
START = datetime(2025, 12, 1, tzinfo=UTC)


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


def die_at(step: Path) -> None:
    """Kill this process, as SIGKILL does, at the step that stands in the file then."""

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event == "judge.step" and step.read_text(encoding="ascii") == arguments[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)


def main() -> None:
    get_ready(host_config(Settings()), START)
    refusal = Refusal(RefusalKind.NO_OPEN_GAME)
    render_letter([refusal], language="en", zone="UTC", judge_name="Judge", kind="answer")
    for line in sys.stdin:
        config, clock, step, log = map(Path, line.split())
        child = os.fork()
        if not child:
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND), sys.stderr.fileno())
            die_at(step)
            settings, ready = load_settings(config, os.environ), partial(print, "ready", flush=True)
            asyncio.run(serve(settings, FileClock(clock), ready))
            return
        print(child, flush=True)
        os.waitpid(child, 0)
        print("dead", flush=True)


if __name__ == "__main__":
    main()
