"""What the log says of a day, and in which form."""

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.cli import main
from judge.logs import HANDLER, Journald, Json, Text, begin_log
from judge.store.letters import Letters
from tests.test_daemon import address_of, judge, until
from tests.test_trouble import failing, time_passes


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """The root logger as it was, whatever a test makes of it."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


def record(text: str, level: int = logging.WARNING, error: Exception | None = None) -> object:
    info = (type(error), error, None) if error else None
    made = logging.LogRecord("judge.x", level, "x.py", 1, "%s", (text,), info)
    made.created = 1796155200.5
    return made


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (Text(), "2026-12-01T20:00:00.500Z WARNING judge.x reason=a?[2J b"),
        (Journald(), "<4>judge.x reason=a?[2J b"),
    ],
)
def test_an_event_is_a_line_whatever_strangers_wrote(form: logging.Formatter, line: str) -> None:
    assert form.format(record("reason=a\x1b[2J\nb")) == line  # type: ignore[arg-type]


def test_each_line_of_a_traceback_has_its_priority_in_the_journal() -> None:
    made = record("oops", logging.ERROR, ValueError("two\nlines"))
    lines = Journald().format(made).splitlines()  # type: ignore[arg-type]
    assert len(lines) == 3
    assert all(line.startswith("<3>") for line in lines)


def test_json_lines_are_objects() -> None:
    made = record("oops", logging.ERROR, ValueError("two\nlines"))
    line = Json().format(made)  # type: ignore[arg-type]
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "2026-12-01T20:00:00.500Z",
        "level": "error",
        "logger": "judge.x",
        "message": "oops",
        "traceback": "ValueError: two\nlines",
    }


def test_the_journal_gets_priorities_where_it_reads_the_log() -> None:
    for environ, form in (({"JOURNAL_STREAM": "9:1"}, Journald), ({}, Text)):
        begin_log("warning", None, environ)
        (handler,) = [one for one in logging.getLogger().handlers if one.name == HANDLER]
        assert isinstance(handler.formatter, form)
        assert logging.getLogger().level == logging.WARNING


def test_the_options_stand_before_or_behind_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_JUDGE__DATA", str(tmp_path))
    for arguments, level in (
        (["-v", "games"], logging.DEBUG),
        (["games", "-v"], logging.DEBUG),
        (["--log-level", "error", "games"], logging.ERROR),
        (["games", "--log-level", "error", "--log-format", "json"], logging.ERROR),
        (["games"], logging.INFO),
    ):
        main(arguments)
        assert logging.getLogger().level == level, arguments


def test_the_log_tells_the_day(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def go() -> None:
        async with judge(tmp_path) as bench:
            await bench.start_game("grace: 0\nall in delay: 0s")
            await bench.order_openings()
            time_passes(bench, minutes=1)
            await until(lambda: bench.has_phase("FRANCE", "F1901M"))

    asyncio.run(go())
    france = address_of("FRANCE")
    said = caplog.text
    for event in (
        "judge begins version=",
        f"from={france} id=",
        "disposition=answered games=balkan",
        "phase run game=balkan phase=S1901M missing=-",
        "game changed game=balkan status=active phase=F1901M due=",
        f"letter sent kind=results game=balkan to={france}",
        "judge ends",
    ):
        assert event in said, event
    assert "A PAR" not in said, "no orders"


def test_a_letter_is_taken_when_it_is_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def go() -> None:
        async with judge(tmp_path) as bench:
            with failing(monkeypatch, Letters, "set_state", 3):
                await bench.say("ann@example.test", "HELP", reply=False)

    asyncio.run(go())
    assert caplog.text.count("letter taken") == 1
