"""What holds a game up, as STATUS and the digest tell its master, and the lines that change it."""

from datetime import timedelta

import pytest

from judge.host.command import CommandLine
from judge.host.commands import COMMAND_PARSER
from judge.host.messages.command_answers import BallotCast, ConfirmAsked, Done
from judge.host.messages.game_events import DeadlineMoved, MoveReason, ReadyToRun
from judge.host.messages.games import GameStatus
from judge.host.messages.shared import GameRef, Holdup, HoldupKind
from judge.render.catalogue import catalogue
from judge.render.layout import as_text
from judge.render.masters import holdup_told
from judge.render.part import Reader
from judge.rulebook import SeatId
from judge.store import Status

from .conftest import POWERS, Hall, address_of

MASTER, ANN, FRANCE = "gm@example.test", "ann@example.test", SeatId("FRANCE")
DAY = timedelta(days=1)
RULES = {
    HoldupKind.ASKING: "allow",
    HoldupKind.DRAFT: "open",
    HoldupKind.FAULTS: "open",
    HoldupKind.SHORT: "force_begin",
    HoldupKind.CONFIRMING: "force_begin",
    HoldupKind.TO_START: "start",
    HoldupKind.SCHEDULED: "force_begin",
    HoldupKind.HELD: "resume",
    HoldupKind.MANUAL: "set_setting",
    HoldupKind.VOTE: "vote",
    HoldupKind.VACANT: "dummy",
    HoldupKind.MISSED: "eject",
    **dict.fromkeys((HoldupKind.HALTED, HoldupKind.PLACES, HoldupKind.MAILBOX), ""),
    **dict.fromkeys((HoldupKind.END_VOTE, HoldupKind.LEAVING, HoldupKind.STANDBY), ""),
}


def ask(hall: Hall, body: str) -> None:
    hall.post(MASTER, body, reply_to=hall.last(MASTER))


def told(hall: Hall, kind: HoldupKind) -> Holdup:
    """What STATUS tells the master of that kind; fails if it is not told."""
    ask(hall, "STATUS balkan")
    found = {one.kind: one for one in hall.said(MASTER, GameStatus).holdups}
    assert kind in found
    return found[kind]


def line_of(hall: Hall, holdup: Holdup) -> str:
    """The line that the letter gives with it."""
    reader = Reader(catalogue("en"), "UTC", "Judge")
    ref = hall.said(MASTER, GameStatus).game
    line = as_text(holdup_told(holdup, ref, reader)).splitlines()[-1]
    assert line in hall.text(hall.last(MASTER)).replace("\r", "").splitlines()
    return line.strip()


@pytest.mark.parametrize("language", ["en", "ko", "zh_Hant", "ja"])
@pytest.mark.parametrize("kind", HoldupKind)
def test_each_line_is_the_command_that_changes_it(kind: HoldupKind, language: str) -> None:
    reader = Reader(catalogue(language), "UTC", "Judge")
    holdup = Holdup(kind, (FRANCE,), who="Ann")
    game = GameRef("balkan", "diplomacy", "standard", "S1901M")
    rule = RULES.get(kind, "process")
    for is_named in (False, True):
        text = as_text(holdup_told(holdup, game, reader, is_named=is_named))
        _, *lines = text.splitlines()
        assert language == "en" or FRANCE not in text
        read = [one for line in lines for one in COMMAND_PARSER.read(line.strip())]
        rules = [one.command.rule for one in read if isinstance(one, CommandLine)]
        assert len(rules) == len(read)
        assert rules[-1:] == ([rule] if rule else [])
        assert rules[:-1] in ([], ["choose_game"])


def test_the_name_of_a_game_stands_before_a_line(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "CREATE alps\nopen: yes", reply_to=hall.last(MASTER))
    rows = [row for row in hall.out if (row.recipient, row.game) == (MASTER, "balkan")]
    hall.post(MASTER, "GAME balkan: HOLD GAME", reply_to=rows[-1])
    timing = hall.game().timing
    assert timing is not None
    assert timing.held is not None


def test_who_is_missing_and_who_waits(hall: Hall) -> None:
    hall.start("see waiting: master")
    hall.open_game("FRANCE")
    assert told(hall, HoldupKind.OWING).seats == ("FRANCE",)
    hall.order("ENGLAND", "WAIT")
    assert told(hall, HoldupKind.WAIT).seats == ("ENGLAND",)
    assert told(hall, HoldupKind.UNREADY).seats == tuple(one for one in POWERS if one != FRANCE)
    line = line_of(hall, told(hall, HoldupKind.WAIT))
    ask(hall, line)
    assert hall.said(MASTER, ConfirmAsked).what == "process"
    ask(hall, "YES")
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "F1901M"


def test_players_are_told_none_of_it(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "STATUS balkan")
    assert hall.said(address_of("FRANCE"), GameStatus).holdups == ()


def test_a_game_on_hold_goes_on_by_the_line(hall: Hall) -> None:
    hall.start()
    ask(hall, "HOLD GAME the server moves")
    holdup = told(hall, HoldupKind.HELD)
    assert holdup.reason == "the server moves"
    ask(hall, line_of(hall, holdup))
    assert hall.said(MASTER, DeadlineMoved).reason is MoveReason.RESUMED


def test_a_vote_that_pauses_is_decided_by_the_line(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE PAUSE 3d")
    holdup = told(hall, HoldupKind.VOTE)
    ask(hall, line_of(hall, holdup))
    assert hall.said(MASTER, BallotCast).is_agreed
    assert told(hall, HoldupKind.PAUSED).at == hall.instant + 3 * DAY


def test_grace_a_miss_and_a_standby_are_told(hall: Hall) -> None:
    hall.start("grace: 1d")
    hall.register(ANN, "Ann")
    hall.post(ANN, "STANDBY balkan", reply_to=hall.last(ANN))
    for _ in range(2):
        for power in POWERS:
            hall.order(power, "READY")
        hall.run_phase()
    while (phase := hall.game().phase) and not phase.label.endswith("M"):
        hall.run_phase()
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    timing = hall.game().timing
    assert timing is not None
    hall.pass_time(timing.deadline_at)
    grace = told(hall, HoldupKind.GRACE)
    assert (grace.seats, grace.at) == (("TURKEY",), timing.deadline_at + DAY)
    hall.run_phase()
    assert told(hall, HoldupKind.MISSED).seats == ("TURKEY",)
    assert told(hall, HoldupKind.STANDBY).seats == ("TURKEY",)
    ask(hall, line_of(hall, told(hall, HoldupKind.MISSED)))
    ask(hall, "YES")
    assert told(hall, HoldupKind.VACANT).seats == ("TURKEY",)


def test_who_asks_to_join_is_let_in_by_the_line(hall: Hall) -> None:
    hall.create("approval: yes\nopen: yes")
    hall.post(ANN, "JOIN balkan", name="Ann")
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert told(hall, HoldupKind.PLACES).count == 7
    ask(hall, line_of(hall, told(hall, HoldupKind.ASKING)))
    assert len(hall.game().applicants) == 1


def test_a_game_that_its_master_starts_and_runs(hall: Hall) -> None:
    hall.start("start: manual\nprocess: manual")
    assert hall.game().status is Status.FORMING
    ask(hall, line_of(hall, told(hall, HoldupKind.TO_START)))
    assert told(hall, HoldupKind.MANUAL)
    hall.open_game()
    timing = hall.game().timing
    assert timing is not None
    hall.pass_time(timing.deadline_at)
    ask(hall, line_of(hall, told(hall, HoldupKind.READY)))
    assert hall.said(MASTER, Done)
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "F1901M"


def test_the_first_phase_waits_for_everybody(hall: Hall) -> None:
    hall.start()
    hall.open_game("FRANCE")
    timing = hall.game().timing
    assert timing is not None
    hall.pass_time(timing.deadline_at + DAY)
    assert told(hall, HoldupKind.WAITS).seats == ("FRANCE",)


def test_a_deadline_that_waits_for_the_mailbox(hall: Hall) -> None:
    hall.start()
    hall.open_game("FRANCE")
    timing = hall.game().timing
    assert timing is not None
    hall.instant = timing.deadline_at + timedelta(hours=1)
    hall._due_games.tick(timing.deadline_at - DAY)
    hall._collect()
    assert told(hall, HoldupKind.MAILBOX)


def test_a_game_that_waits_for_its_deadline_though_all_is_in(hall: Hall) -> None:
    hall.start("early: no")
    hall.open_game()
    assert told(hall, HoldupKind.NO_EARLY)


def test_a_phase_that_is_ready_before_and_after_its_deadline_is_told_twice(hall: Hall) -> None:
    hall.start("process: manual")
    hall.pass_time(2.5 * DAY)  # past the reminders
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(DAY)
    assert len(hall.was_told(MASTER, ReadyToRun)) == 2
    ask(hall, line_of(hall, told(hall, HoldupKind.READY)))
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "F1901M"
