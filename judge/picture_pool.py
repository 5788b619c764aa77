"""Draws the pictures of letters in processes beside the judge, which goes on meanwhile.

A picture takes a processor longer than a hundred letters, and its renderer lets nothing else of its
process run.
"""

import contextlib
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from importlib.resources.abc import Traversable
from multiprocessing.connection import wait
from threading import Thread
from time import monotonic

from judge.data import use_variants, variant_folders
from judge.render import PictureRequest, png_of

log = logging.getLogger(__name__)

MOST_AWAITED = 100  # pictures; a letter that asks for one more goes without it
LONGEST_WAIT = 10.0  # seconds; as does one whose picture would come later than that
NEWEST = 0.2  # the share of the newest picture in how long one takes
NICENESS = 10  # sending letters comes first


class PicturePool:
    """So many processes, which end with the judge."""

    def __init__(self, processes: int, now: Callable[[], float] = monotonic) -> None:
        self._processes = processes
        self._now = now  # in seconds
        self._when_made: Callable[[], object] = lambda: None
        self._pool: ProcessPoolExecutor | None = None
        self._asked: dict[str, Future[bytes]] = {}
        self._seconds = 0.0  # from one picture to the next, while several are awaited
        self._made_at = 0.0  # the last one, or when the first of these was asked for

    def ask(self, request: PictureRequest) -> bool:
        """Have a picture drawn, if it is not in work. False: nobody should wait for it, because
        drawing it has failed (the next to ask has it tried again), or it would come too late."""
        if asked := self._asked.get(request.sha256):
            if asked.done() and (error := asked.exception()):
                log.error("picture not drawn variant=%s reason=%r", request.variant, error)
                del self._asked[request.sha256]
                return False
            return True
        awaited = sum(not one.done() for one in self._asked.values())
        if awaited >= MOST_AWAITED or awaited * self._seconds >= LONGEST_WAIT:
            return False
        if not awaited:
            self._made_at = self._now()
        try:
            asked = self._running().submit(png_of, request)
        except (BrokenExecutor, OSError) as error:
            log.warning("no process to draw pictures reason=%s", error)
            self._end_processes()  # the next picture begins others
            return False
        self._asked[request.sha256] = asked
        asked.add_done_callback(self._on_picture_done)
        return True

    def _on_picture_done(self, _: Future[bytes]) -> None:
        """In another thread: note how long it took, and wake who waits."""
        now = self._now()
        self._seconds += NEWEST * (now - self._made_at - self._seconds)
        self._made_at = now
        self._when_made()

    def is_drawing(self, digests: Iterable[str]) -> bool:
        """Whether all of these pictures are still in work."""
        asked = (self._asked.get(one) for one in digests)
        return all(one is not None and not one.done() for one in asked)

    def take_made(self) -> Mapping[str, bytes]:
        """The pictures that were made since the last call, PNG files by their digests."""
        made = {
            digest: asked.result()
            for digest, asked in self._asked.items()
            if asked.done() and asked.exception() is None
        }
        for digest in made:
            del self._asked[digest]
        return made

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Spawned: a forked copy of a process with threads may stand still for ever.
            self._pool = ProcessPoolExecutor(
                self._processes,
                multiprocessing.get_context("spawn"),
                initializer=_begin,
                initargs=(dict(variant_folders()),),
            )
        return self._pool

    def begin(self, when_made: Callable[[], object]) -> None:
        """Let a process begin, so that the first picture need not wait for it.

        `when_made` is called, in another thread, whenever a picture is made or has failed.
        """
        self._when_made = when_made
        self._running().submit(os.getpid)

    def end(self) -> None:
        """End the processes, and call nobody any more. Safe to call twice."""
        self._when_made = lambda: None
        self._end_processes()

    def _end_processes(self) -> None:
        pool, self._pool = self._pool, None
        self._asked.clear()
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def _begin(folders: Mapping[str, Traversable]) -> None:
    """A process that has the same variants, is polite, and ends with the judge, however it ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # meant for the judge
    use_variants(folders)
    with contextlib.suppress(OSError):  # a hardened service may not even step back
        os.nice(NICENESS)
    Thread(target=_end_with_judge, daemon=True).start()


def _end_with_judge() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(0)
