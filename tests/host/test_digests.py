"""The daily digest of a master, and what its lines do when they come back."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.host.messages.command_answers import ApprovalAnswer, Deed, Done, EntryLists
from judge.host.messages.game_events import Results
from judge.host.messages.master_acts import Digest, DigestGroup
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.host.messages.shared import HoldupKind
from judge.store import Status

from .conftest import POWERS, Hall, address_of

MASTER, ANN = "gm@example.test", "ann@example.test"
DAY = timedelta(days=1)


def ask(hall: Hall, body: str) -> None:
    hall.post(MASTER, body, reply_to=hall.last(MASTER))


def digests(hall: Hall) -> list[Digest]:
    return hall.was_told(MASTER, Digest)


def lines_of(hall: Hall, name: str) -> str:
    """What the newest digest gives to copy for a game: its indented lines."""
    row = [row for row in hall.out if row.recipient == MASTER and row.kind == "digest"][-1]
    block = next(
        one for one in hall.text(row).replace("\r", "").split("\n\n") if one.startswith(f"{name}: ")
    )
    return "\n".join(line.strip() for line in block.splitlines() if line.startswith("  "))


def answer(hall: Hall, body: str) -> None:
    row = [row for row in hall.out if row.recipient == MASTER and row.kind == "digest"][-1]
    hall.post(MASTER, body, reply_to=row)


@pytest.fixture
def two(hall: Hall) -> Hall:
    """Two games of one master, whose zone is UTC: one runs, one forms."""
    hall.start()
    ask(hall, "SET ZONE UTC")
    ask(hall, "CREATE alps\napproval: yes\nopen: yes")
    return hall


def test_a_master_of_two_games_gets_a_digest_a_day(two: Hall) -> None:
    two.pass_time(datetime(2026, 12, 2, 7, 59, tzinfo=UTC))
    assert not digests(two)
    two.pass_time(datetime(2026, 12, 3, 9, 0, tzinfo=UTC))
    first, second = digests(two)
    early = next(row for row in first.rows if row.game.name == "balkan")
    assert early.holdups == ()  # the deadline is far, and nobody is to run the phase without orders
    assert [row.game.name for row in first.rows] == ["balkan", "alps"]
    balkan = next(row for row in second.rows if row.game.name == "balkan")
    assert balkan.group is DigestGroup.SOON
    (owing,) = balkan.holdups
    assert (owing.kind, owing.seats) == (HoldupKind.OWING, POWERS)
    assert "alps: open to players" in two.text(two.last(MASTER))


def test_a_master_of_one_game_gets_none_unless_they_ask(hall: Hall) -> None:
    hall.start()
    hall.pass_time(DAY)
    assert not digests(hall)
    ask(hall, "SET DIGEST ON")
    hall.pass_time(DAY)
    assert len(digests(hall)) == 1


def test_a_digest_comes_at_the_hour_that_is_set(two: Hall) -> None:
    ask(two, "SET DIGEST 20:30")
    assert two.said(MASTER, Personal).kind is PersonalKind.DIGEST_SET
    two.pass_time(datetime(2026, 12, 1, 20, 29, tzinfo=UTC))
    assert not digests(two)
    two.pass_time(datetime(2026, 12, 1, 20, 30, tzinfo=UTC))
    assert digests(two)[-1].hour == "20:30"


@pytest.mark.parametrize(
    "line", ["SET DIGEST OFF", "일일 요약 끔", "每日摘要 關閉", "ダイジェスト オフ"]
)
def test_a_digest_is_turned_off(two: Hall, line: str) -> None:
    ask(two, line)
    assert two.said(MASTER, Personal).kind is PersonalKind.DIGEST_OFF
    two.pass_time(2 * DAY)
    assert not digests(two)


def test_an_hour_that_is_none_is_refused(two: Hall) -> None:
    ask(two, "SET DIGEST whenever")
    assert two.said(MASTER, Refusal).kind is RefusalKind.BAD_TIME


def test_a_line_of_the_digest_lets_somebody_join(two: Hall) -> None:
    two.post(ANN, "JOIN alps", name="Ann")
    two.post(ANN, "yes", reply_to=two.last(ANN))
    two.pass_time(DAY)
    row = digests(two)[-1].rows[0]
    assert (row.game.name, row.group) == ("alps", DigestGroup.WAITS)
    assert [(one.kind, one.who) for one in row.holdups if one.who] == [(HoldupKind.ASKING, "Ann")]
    assert lines_of(two, "alps") == "GAME alps: ALLOW Ann"
    answer(two, lines_of(two, "alps"))
    assert two.said(MASTER, Done).deed is Deed.APPROVED
    assert two.said(ANN, ApprovalAnswer).granted
    assert [one.player for one in two.game("alps").applicants]


def test_whoever_is_denied_is_told(two: Hall) -> None:
    two.post(ANN, "JOIN alps", name="Ann")
    two.post(ANN, "yes", reply_to=two.last(ANN))
    two.pass_time(DAY)
    answer(two, "GAME alps\nDENY Ann")
    assert not two.said(ANN, ApprovalAnswer).granted
    answer(two, "GAME alps\nDENY Ann")
    assert two.said(MASTER, EntryLists).deny == ("Ann",)  # who asks no more is put on the list


def test_a_line_of_the_digest_runs_a_phase(hall: Hall) -> None:
    hall.start("process: manual")
    ask(hall, "SET DIGEST 08:00")
    hall.open_game()
    hall.pass_time(4 * DAY)
    assert [one.kind for one in digests(hall)[-1].rows[0].holdups] == [HoldupKind.READY]
    answer(hall, lines_of(hall, "balkan"))
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "F1901M"


def test_a_digest_tells_of_games_that_began_and_ended(two: Hall) -> None:
    rows = [row for row in two.out if (row.recipient, row.game) == (MASTER, "balkan")]
    two.post(MASTER, "GAME balkan\nTERMINATE no players left", reply_to=rows[-1])
    ask(two, "yes")
    assert two.game().status is Status.FINISHED
    two.pass_time(DAY)
    over = [row for row in digests(two)[-1].rows if row.group is DigestGroup.OVER]
    assert [row.game.name for row in over] == ["balkan"]
    two.pass_time(DAY)
    assert len(digests(two)) == 1  # the game that is left is one alone


def test_a_digest_that_fails_is_left_out(two: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("judge.due_games.send_digest", fail)
    two.pass_time(DAY)
    assert not digests(two)
    two.open_game()
    two.pass_time(3 * DAY)  # games go on
    assert two.was_told(address_of("FRANCE"), Results)
