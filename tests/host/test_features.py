"""docs/features.md is what the code declares, every command has its test, and those that have none
elsewhere are sent here."""

import inspect
from datetime import timedelta
from importlib import import_module
from pathlib import Path

import pytest

from judge.host.command import declarations
from judge.host.commands import COMMANDS, HANDLERS
from judge.host.messages.command_answers import Created, Deed, Done, HelpText, OpenVotes
from judge.host.messages.game_events import Proposed
from judge.host.messages.games import GameStatus
from judge.host.messages.press import PressReceived
from judge.store import Status
from tests.transcripts.test_transcripts import LETTERS, OLD_SETTINGS, ROWS

from . import features
from .conftest import POWERS, Hall, address_of

FRANCE, MASTER = address_of("FRANCE"), "gm@example.test"


# --- the page -------------------------------------------------------------------------------------


def test_every_row_has_its_handler_and_every_handler_its_row() -> None:
    assert HANDLERS.keys() == declarations().keys()


def test_the_page_is_what_the_code_declares() -> None:
    written = features.PAGE.read_text(encoding="utf-8")
    assert written == features.page(), "write it with: .venv/bin/python -m tests.host.features"


def test_every_command_has_a_test_that_names_it() -> None:
    assert set(features.FEATURES["commands"]) == {one.rule for one in COMMANDS}
    for command in COMMANDS:
        file, _, name = features.FEATURES["commands"][command.rule].partition("::")
        module = import_module(f"tests.host.{file.removesuffix('.py')}")
        source = inspect.getsource(getattr(module, name)).upper()
        assert any(word in source for word in command.words), command.rule


CATALOGUE = [(row, said) for rows in features.CATALOGUE.values() for row, said in rows.items()]
TESTS = Path(__file__).parent.parent


@pytest.mark.parametrize(("row", "said"), CATALOGUE, ids=[row for row, _ in CATALOGUE])
def test_every_row_of_the_catalogue_is_sent_left_out_or_to_be_built(row: str, said: str) -> None:
    verdict, where = features.places(said)
    assert verdict in {"must", "should"}
    assert len(where) == said.count("; ") + 1, said
    left = features.FEATURES
    known = {
        "command": {*left["commands"]},
        "setting": {line for table in OLD_SETTINGS.values() for line in table},
        "letter": {*LETTERS, *ROWS},
        "left out": {*left["left_out"]},
        "not built": {one for rows in left["not_built"].values() for one in rows},
    }
    for kind, name in where:
        if kind == "test":
            file, _, test = name.partition("::")
            assert f"def {test}" in (TESTS / file).read_text(encoding="utf-8"), name
        else:
            assert name in known[kind], (row, kind, name)


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), features.settings(), ids=lambda one: one)
def test_a_setting_is_chosen_in_create(hall: Hall, name: str, value: str) -> None:
    assert value, f"tests/host/features.toml has no value for {name}"
    hall.create(f"{name}: {value}")
    assert hall.said(MASTER, Created).faults == ()
    assert hall.game().status is Status.FORMING


# --- commands that no other test sends ------------------------------------------------------------


def test_ready_is_taken_back(hall: Hall) -> None:
    hall.start()
    for power in POWERS:
        hall.order(power, "READY")
    hall.order("FRANCE", "NOT READY")
    assert hall.said(FRANCE, Done).deed is Deed.NOT_READY
    hall.pass_time(timedelta(hours=12))
    phase = hall.game().phase
    assert phase is not None
    assert phase.label == "S1901M"


def test_who_voted_is_told_to_nobody(hall: Hall) -> None:
    hall.start()
    hall.order("ENGLAND", "DRAW")
    hall.order("FRANCE", "VOTES")
    told = hall.said(FRANCE, OpenVotes)
    assert (told.motions, told.is_secret) == ((), True)


def test_who_plays_a_power_is_told(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "WHO TURKEY")
    assert hall.said(FRANCE, GameStatus).about == "TURKEY"


def test_the_master_is_told_whose_orders_are_missing(hall: Hall) -> None:
    hall.start()
    hall.open_game("ITALY")
    hall.post(MASTER, "MISSING", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, GameStatus).owing == ("ITALY",)
    hall.order("FRANCE", "MISSING")
    assert hall.said(FRANCE, GameStatus).owing is None


@pytest.mark.parametrize(("command", "sender"), [("BROADCAST", "FRANCE"), ("GREY BROADCAST", "")])
def test_a_broadcast_reaches_everybody(hall: Hall, command: str, sender: str) -> None:
    hall.start("press: grey")
    hall.order("FRANCE", f"{command}\nGood morning.\nENDBROADCAST")
    for address in (MASTER, *(address_of(one) for one in POWERS if one != "FRANCE")):
        heard = hall.said(address, PressReceived)
        assert (heard.sender, heard.text, heard.broadcast) == (sender, "Good morning.", True)


def test_grey_press_names_nobody(hall: Hall) -> None:
    hall.start("press: grey")
    hall.order("FRANCE", "GREY PRESS TO ENGLAND\nBoo!\nENDPRESS")
    heard = hall.said(address_of("ENGLAND"), PressReceived)
    assert (heard.sender, heard.text, heard.broadcast) == ("", "Boo!", False)
    assert hall.was_told(address_of("GERMANY"), PressReceived) == []


def test_the_master_extends_and_a_player_asks_for_it(hall: Hall) -> None:
    before = hall.start().timing
    hall.order("FRANCE", "EXTEND 1d")
    assert hall.said(MASTER, Proposed).motion.by == "FRANCE"
    asked = hall.game().timing
    assert asked is not None
    assert before is not None
    assert asked.deadline_at == before.deadline_at
    hall.post(MASTER, "EXTEND 1d", reply_to=hall.last(MASTER))
    timing = hall.game().timing
    assert timing is not None
    assert timing.deadline_at - before.deadline_at == timedelta(days=1)
    assert hall.game().proposals == ()


# --- help -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written", ["HELP VOTES", "help vote", "도움말 투표", "說明 投票", "ヘルプ 投票"]
)
def test_help_of_a_topic_shows_its_commands(hall: Hall, written: str) -> None:
    hall.start()
    hall.order("FRANCE", written)
    told = hall.said(FRANCE, HelpText)
    assert [one.name for one in told.commands] == [
        *("VOTES", "DRAW", "NO DRAW", "CONCEDE TO", "NO CONCEDE", "PROPOSE", "VOTE"),
        *("DIARY RECORD", "DIARY LIST", "DIARY READ", "DIARY DELETE", "STATEMENT"),
    ]
    assert not told.orders


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("HELP SET ZONE", ["SET ZONE"]),
        ("HELP READY", ["READY"]),
        ("HELP 준비 완료", ["READY"]),
        ("ヘルプ 準備完了", ["READY"]),
        ("說明 準備完成", ["READY"]),
        ("HELP SET", None),
        ("HELP me please", []),
        ("MANUAL", []),
        ("HELP", []),
    ],
)
def test_help_finds_a_command_by_its_words(
    hall: Hall, written: str, names: list[str] | None
) -> None:
    hall.start()
    hall.order("FRANCE", written)
    told = [one.name for one in hall.said(FRANCE, HelpText).commands]
    if names is None:
        assert {"SET ZONE", "SET DEADLINE"} <= set(told) < {one.words[0] for one in COMMANDS}
    else:
        assert told == (names or [one.words[0] for one in COMMANDS])


def test_help_of_a_command_says_who_may_and_when(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "HELP PROCESS")
    text = hall.text(hall.last(FRANCE))
    assert "who may: the master of the game" in text
    assert "when: while the game runs, unless the keeper has stopped it" in text
