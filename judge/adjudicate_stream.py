"""`judge adjudicate`: JSON Lines in, JSON Lines out, if wanted by several processes.

Knows nothing of what a line says.
"""

import signal
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from importlib.resources.abc import Traversable
from itertools import islice
from typing import BinaryIO, TextIO

from judge.data import use_variants, variant_folders
from judge.diplomacy import answer_line

BATCH_LINES = 32  # that go to a process at a time
BATCHES_AHEAD = 3  # for each process, so that none of them waits

Answers = tuple[list[str], bool]  # of some lines; whether all of them could be read


def adjudicate_stream(source: BinaryIO, out: TextIO, jobs: int = 1) -> bool:
    """Answer every line of a stream, in its order, by so many processes; whether all of them could
    be read."""
    lines = (line for line in source if line.strip())
    batches = iter(lambda: [*islice(lines, BATCH_LINES)], [])
    is_sound = True
    for texts, are_sound in (
        map(_answer_batch, batches) if jobs == 1 else _answers_of_workers(batches, jobs)
    ):
        out.writelines(texts)
        is_sound &= are_sound
    out.flush()
    return is_sound


def _answer_batch(lines: list[bytes]) -> Answers:
    answers = [answer_line(line) for line in lines]
    return [f"{text}\n" for text, _ in answers], all(is_sound for _, is_sound in answers)


def _answers_of_workers(batches: Iterator[list[bytes]], jobs: int) -> Iterator[Answers]:
    """What processes answer, in the order of the batches; few of these wait at a time, however long
    the stream is."""
    with ProcessPoolExecutor(
        jobs, initializer=_begin_worker, initargs=(dict(variant_folders()),)
    ) as workers:
        waiting: deque[Future[Answers]] = deque()
        try:
            for batch in batches:
                # A worker that begins here does not hear Ctrl-C before it can ignore it.
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
                waiting.append(workers.submit(_answer_batch, batch))
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
                if len(waiting) > jobs * BATCHES_AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            workers.shutdown(wait=False, cancel_futures=True)


def _begin_worker(folders: Mapping[str, Traversable]) -> None:
    """A process that has the same variants, and leaves Ctrl-C to the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    use_variants(folders)
