"""A game that is not to begin before a date: everybody is told, a full one waits until then."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.host.messages.command_answers import Created, SettingsRefused
from judge.host.messages.game_events import Filling, FillingEvent, SettingsChanged, Started
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Status

from .conftest import START, Hall

MASTER = "gm@example.test"
NAMES = ("anna", "bert", "carl", "dora", "emil", "fay", "gus")
A_DAY = timedelta(days=1)
DATE = datetime(2026, 12, 20, 19, 0, tzinfo=UTC)  # 20:00 where the letters of these tests come from
DATED = "start: not before 20 Dec 20:00"


def join(hall: Hall, name: str) -> str:
    address = f"{name}@example.test"
    hall.post(address, "JOIN balkan", name=name.title())
    hall.post(address, "yes", reply_to=hall.last(address))
    return address


def fill(hall: Hall, lines: str = DATED) -> list[str]:
    hall.create(lines)
    return [join(hall, name) for name in NAMES]


def events(hall: Hall, address: str) -> list[FillingEvent]:
    return [one.event for one in hall.was_told(address, Filling)]


def say_yes(hall: Hall, address: str) -> None:
    asked = [row for row in hall.out if row.recipient == address and row.kind == "filling"][-1]
    hall.post(address, "Yes, thank you.", reply_to=asked)


@pytest.mark.parametrize(
    "line",
    [
        DATED,
        "not before: 20 Dec 20:00",
        "not before 2026-12-20 20:00",
        "start: no earlier than 20 December 8pm",
        "시작일: 12월 20일 20:00 이후",
        "開始日期: 12月20日 20:00 之後",
        "開始日: 12月20日20時以降",
    ],
)
def test_the_date_is_read_in_four_languages(hall: Hall, line: str) -> None:
    hall.create(line)
    assert hall.was_told(MASTER, Created)[-1].faults == ()
    assert hall.game().settings.not_before == DATE


@pytest.mark.parametrize(
    ("line", "kind", "known"),
    [
        ("start: 03/04/2027", "two_readings", ("2027-03-04 00:00", "2027-04-03 00:00")),
        ("not before: 1 Nov 2026", "past_start", ()),
        ("not before: next Friday", "two_readings", ("2026-12-04 00:00", "2026-12-11 00:00")),
        ("start: sometimes", "bad_schedule", ("automatic", "manual", "3 Mar 20:00", "no")),
        ("not before: 31 Feb", "bad_schedule", ("3 Mar 20:00", "no")),
    ],
)
def test_what_is_no_date_or_two_is_refused(
    hall: Hall, line: str, kind: str, known: tuple[str, ...]
) -> None:
    hall.create(line)
    (fault,) = hall.said(MASTER, Created).faults
    assert (fault.kind, fault.known) == (kind, known)


def test_a_date_that_has_passed_is_told(hall: Hall) -> None:
    hall.create("not before: 1 Nov 2026")
    assert '"1 Nov 2026" has passed. Write a later time.' in hall.text(hall.last(MASTER))


def test_a_full_game_waits_for_its_date(hall: Hall) -> None:
    anna, *_ = fill(hall, f"{DATED}\nconfirm: no")
    game = hall.game()
    assert (game.status, game.due_at) == (Status.FORMING, DATE)
    for address in (anna, MASTER):
        assert events(hall, address)[-1] is FillingEvent.SCHEDULED
        told = hall.text(hall.last(address))
        assert "The game is full and waits for its date." in told
        assert "It does not begin before Sun 20 Dec 2026" in told
        assert "There is nothing to do for you: balkan begins by itself." in told
    hall.pass_time(DATE - timedelta(minutes=1))
    assert hall.game().status is Status.FORMING
    hall.pass_time(timedelta(minutes=2))
    assert hall.game().status is Status.ACTIVE
    assert hall.game().settings.not_before is None
    assert hall.said(anna, Started).game.seat is not None


def test_whoever_joins_or_looks_is_told_the_date(hall: Hall) -> None:
    hall.create(DATED)
    anna = "anna@example.test"
    hall.post(anna, "JOIN balkan", name="Anna")
    assert "It does not begin before Sun 20 Dec 2026" in hall.text(hall.last(anna))
    hall.post(anna, "yes", reply_to=hall.last(anna))
    assert "It does not begin before Sun 20 Dec 2026" in hall.text(hall.last(anna))
    hall.post(anna, "LIST", reply_to=hall.last(anna))
    assert "not before Sun 20 Dec 2026" in hall.text(hall.last(anna))
    hall.post(anna, "STATUS", reply_to=hall.last(anna))
    assert "It does not begin before Sun 20 Dec 2026" in hall.text(hall.last(anna))


def test_players_are_asked_for_their_yes_in_time_for_the_date(hall: Hall) -> None:
    anna, bert, *others = fill(hall)
    assert events(hall, anna) == [FillingEvent.SCHEDULED]
    confirm = hall.game().settings.confirm
    assert hall.game().due_at == DATE - confirm
    hall.pass_time(DATE - confirm)
    for address in (anna, bert, *others):
        assert events(hall, address)[-1] is FillingEvent.ASKED
        say_yes(hall, address)
    assert events(hall, anna)[-1] is FillingEvent.SCHEDULED
    assert (hall.game().status, hall.game().due_at) == (Status.FORMING, DATE)
    hall.pass_time(DATE)
    assert hall.game().status is Status.ACTIVE


def test_a_place_without_a_yes_is_open_again_before_the_date(hall: Hall) -> None:
    anna, bert, *others = fill(hall)
    confirm = hall.game().settings.confirm
    hall.pass_time(DATE - confirm)
    for address in (anna, *others):
        say_yes(hall, address)
    hall.pass_time(DATE)
    assert hall.game().status is Status.FORMING
    assert events(hall, bert)[-1] is FillingEvent.LOST
    join(hall, "hal")
    assert hall.game().status is Status.ACTIVE  # the date is over


def test_the_master_starts_no_game_before_its_date(hall: Hall) -> None:
    fill(hall, f"{DATED}\nstart: manual\nconfirm: no")
    assert events(hall, MASTER) == [FillingEvent.SCHEDULED]
    hall.post(MASTER, "START balkan", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Refusal).kind is RefusalKind.NOT_BEFORE
    told = hall.text(hall.last(MASTER))
    assert "The game does not begin yet: everybody knows a later date." in told
    assert "FORCE BEGIN begins it now, and SET not before: no takes the date back." in told
    hall.post(MASTER, "STATUS balkan", reply_to=hall.last(MASTER))
    told = hall.text(hall.last(MASTER))
    assert "The game is full and has not begun yet." in told
    assert "It is full, and does not begin before Sun 20 Dec" in told
    hall.pass_time(DATE)
    assert events(hall, MASTER)[-1] is FillingEvent.TO_START
    assert hall.game().due_at is None
    say_yes(hall, MASTER)
    assert hall.game().status is Status.ACTIVE


def test_the_date_moves_and_goes_and_everybody_is_told(hall: Hall) -> None:
    anna, *_ = fill(hall, f"{DATED}\nconfirm: no")
    hall.post(MASTER, "SET START 27 Dec 20:00", reply_to=hall.last(MASTER))
    assert hall.game().due_at == DATE + 7 * A_DAY
    assert hall.said(anna, SettingsChanged).settings.not_before == DATE + 7 * A_DAY
    assert events(hall, anna) == [FillingEvent.SCHEDULED]  # the change is told once
    assert "not before Sun 27 Dec 2026" in hall.text(hall.last(anna))
    hall.post(MASTER, "설정 변경 시작일: 아니요", reply_to=hall.last(MASTER))
    assert hall.game().status is Status.ACTIVE


def test_a_running_game_takes_no_date(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "SET not before: 20 Dec 20:00", reply_to=hall.last(MASTER))
    (fault,) = hall.said(MASTER, SettingsRefused).faults
    assert fault.kind == "fixed_start"


def test_whoever_leaves_a_game_that_waits_makes_room(hall: Hall) -> None:
    anna, *_ = fill(hall, f"{DATED}\nconfirm: no")
    hall.post(anna, "RESIGN", reply_to=hall.last(anna))
    assert (hall.game().due_at, len(hall.game().applicants)) == (None, 6)
    hall.pass_time(DATE + A_DAY)
    assert hall.game().status is Status.FORMING
    join(hall, "hal")
    assert hall.game().status is Status.ACTIVE


def test_force_begin_comes_before_the_date(hall: Hall) -> None:
    fill(hall, DATED)
    hall.post(MASTER, "FORCE BEGIN", reply_to=hall.last(MASTER))
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert hall.game().status is Status.ACTIVE
    assert hall.game().settings.not_before is None
    assert START < DATE
