"""The daemon as a process that dies at a step of a letter's way: `serve.py CONFIG CLOCK STEP`.

CLOCK and STEP are files that a test writes: the instant, and the name of the step (`judge.step`) at
which the process kills itself; none while it is empty. Each line on standard input starts a daemon,
a fork of this process, which has loaded everything; its number is printed, and a line more when it
is dead.
"""

import asyncio
import os
import signal
import sys
from datetime import datetime
from pathlib import Path

from judge.config import load_settings
from judge.rulebook import load_game
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


def die_at(step: Path) -> None:
    """Kill this process, as SIGKILL does, at the step that stands in the file then."""

    def look(event: str, arguments: tuple[object, ...]) -> None:
        if event == "judge.step" and step.read_text(encoding="ascii") == arguments[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(look)


def main(config: Path, clock: Path, step: Path) -> None:
    settings = load_settings(config, os.environ)
    game = load_game("diplomacy").start("standard", {})
    game.read(game.awaited[0].seat, ["A BUD - SER"])
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            die_at(step)
            asyncio.run(serve(settings, FileClock(clock)))
            return
        print(child, flush=True)
        os.waitpid(child, 0)
        print("dead", flush=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
