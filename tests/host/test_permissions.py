"""Every command from everybody at every stage of a game: taken, or refused as its row declares, and
nothing changed where it is refused or only shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from judge.host.command import Command, Stage, Who
from judge.host.commands import COMMANDS
from judge.host.messages.games import Welcome
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.keeper_commands import PAUSED
from judge.store import Status
from tests.host.conftest import POWERS, Hall, address_of

STAGES = ("forming", "running", "held", "finished")
ROLES = ("stranger", "registered", "other_player", "former", "player", "master", "keeper")
ADDRESSES = {
    "stranger": "stranger@else.test",
    "registered": "reg@example.test",
    "other_player": "other@example.test",
    "former": address_of("TURKEY"),  # has left; there are no observers yet
    "player": address_of("FRANCE"),
    "master": "gm@example.test",
    "keeper": "keeper@example.test",
}
MAY = {
    Who.ANYBODY: ROLES,
    Who.REGISTERED: tuple(role for role in ROLES if role != "stranger"),
    **dict.fromkeys((Who.READER, Who.IN_GAME), ("player", "master")),
    Who.PLAYER: ("player",),
    Who.MASTER: ("master",),
}
OPEN = {
    Stage.ALWAYS: STAGES,
    Stage.FORMING: ("forming",),
    Stage.NOT_OVER: ("forming", "running", "held"),
    Stage.BEGUN: ("running", "held", "finished"),
    Stage.ACTIVE: ("running", "held"),
    Stage.RUNNING: ("running",),
}
PERMISSIONS = {
    RefusalKind.NOT_SIGNED_ON,
    RefusalKind.NOT_REGISTERED,
    RefusalKind.NOT_A_PLAYER,
    RefusalKind.NOT_MASTER,
    RefusalKind.NOT_BEGUN,
    RefusalKind.NOT_RUNNING,
    RefusalKind.HAS_BEGUN,
    RefusalKind.GAME_HALTED,
    RefusalKind.WHICH_GAME,
}
KEEPERS = {"JUDGE_JUDGE__KEEPERS": ADDRESSES["keeper"]}
KEPT = (  # tables
    *("games", "participants", "states", "phases", "press"),
    *("players", "addresses", "blocks", "conduct"),
)


@cache
def prepared(stage: str) -> Hall:
    """The game balkan at a stage, one who has left it, and people who have no part in it."""
    hall = Hall(environ=KEEPERS)
    for role in ("registered", "keeper"):
        hall.register(ADDRESSES[role], role.title())
    hall.create(name="other", master="gm2@example.test")
    hall.post(ADDRESSES["other_player"], "JOIN other FRANCE", name="Otto")
    hall.post(
        ADDRESSES["other_player"], "yes", reply_to=hall.last(ADDRESSES["other_player"]), name="Otto"
    )
    hall.create()
    for power in POWERS:
        if power != "AUSTRIA" or stage != "forming":
            hall.join(power)
    former = ADDRESSES["former"]
    hall.post(former, "RESIGN", reply_to=hall.last(former))
    if stage != "forming":
        hall.post(former, "yes", reply_to=hall.last(former))
        hall.order("FRANCE", "A PAR - BUR")
    if stage == "held":
        with hall.database.transaction() as tx:
            tx.games.halt("balkan", PAUSED)
    if stage == "finished":
        for power in POWERS[:-1]:
            hall.order(power, "DRAW")
        assert hall.game().status is Status.FINISHED
    return hall


@dataclass(frozen=True)
class Cell:
    command: Command
    role: str
    stage: str

    @property
    def refused(self) -> RefusalKind | None:
        """What the row declares; None: it is taken."""
        who = self.command.who
        is_former = self.role == "former" and self.stage != "forming"
        if self.role not in MAY[who] and not (is_former and self.command.rule == "statement"):
            if who is Who.REGISTERED:
                return RefusalKind.NOT_REGISTERED
            if self.role == "player":
                return RefusalKind.NOT_MASTER
            is_known = self.role in ("master", "former")
            return RefusalKind.NOT_A_PLAYER if is_known else RefusalKind.NOT_SIGNED_ON
        if who in (Who.ANYBODY, Who.REGISTERED) or self.stage in OPEN[self.command.when]:
            return None
        if self.command.when is Stage.FORMING:
            return RefusalKind.HAS_BEGUN
        if self.stage == "held":
            return RefusalKind.GAME_HALTED
        is_early = self.stage == "forming" and self.role == "player"
        return RefusalKind.NOT_BEGUN if is_early else RefusalKind.NOT_RUNNING


def contents(hall: Hall) -> dict[str, list[tuple[object, ...]]]:
    """What the judge knows of games and players."""
    conn = hall.database._tables.conn
    return {table: [tuple(row) for row in conn.execute(f"SELECT * FROM {table}")] for table in KEPT}


def body_of(command: Command) -> str:
    return "\n".join((command.usage, *(("Hello.", command.until[0]) if command.until else ())))


@pytest.fixture(scope="module")
def judge() -> Iterator[Hall]:
    made = Hall(environ=KEEPERS)
    yield made
    made.database.close()


def write(hall: Hall, cell: Cell) -> list[Refusal]:
    """The command by mail, in the way that is open to the role; what was refused of it."""
    address, body = ADDRESSES[cell.role], body_of(cell.command)
    if cell.role == "other_player":  # reaches for a seat of the game
        body = f"SIGNON Fbalkan secret\n{body}"
    newest = [row for row in hall.out if row.recipient == address][-1:]
    hall.out.clear()
    hall.post(address, body, reply_to=newest[0] if newest else None)
    answers = [row for row in hall.out if row.recipient == address and row.kind == "answer"]
    assert len(answers) == 1
    return [one for one in hall.messages(answers[0]) if isinstance(one, Refusal)]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.rule)
def test_a_command_is_taken_or_refused_as_its_row_declares(
    judge: Hall, command: Command, role: str, stage: str
) -> None:
    cell, start = Cell(command, role, stage), prepared(stage)
    start.database._tables.conn.backup(judge.database._tables.conn)
    judge.out, judge._count = [*start.out], start._count
    before = contents(judge)
    told = {one.kind for one in write(judge, cell)}
    assert told & PERMISSIONS == ({cell.refused} if cell.refused else set())
    if cell.refused or not command.changes:
        after = contents(judge)
        if role == "other_player":  # whose wrong password is counted
            before, after = ({**one, "games": []} for one in (before, after))
        assert after == before


@pytest.mark.parametrize("stage", ["forming", "running"])
@pytest.mark.parametrize(
    "command",
    [one for one in COMMANDS if one.who is Who.MASTER and one.changes],
    ids=lambda command: command.rule,
)
def test_another_master_may_do_all_that_the_first_may(
    judge: Hall, command: Command, stage: str
) -> None:
    start, second = prepared(stage), ADDRESSES["registered"]
    start.database._tables.conn.backup(judge.database._tables.conn)
    judge.out, judge._count = [*start.out], start._count
    master = ADDRESSES["master"]
    judge.post(master, f"PROMOTE {second}", reply_to=judge.last(master))
    judge.post(second, "YES", reply_to=judge.last(second))
    told = {one.kind for one in write(judge, Cell(command, "registered", stage))}
    cell = Cell(command, "master", stage)
    assert told & PERMISSIONS == ({cell.refused} if cell.refused else set())


def test_a_yes_counts_only_where_its_command_does(hall: Hall) -> None:
    before = hall.start()
    master = ADDRESSES["master"]
    hall.post(master, "PROCESS S1901M", reply_to=hall.last(master))
    question = hall.last_answer(master)
    with hall.database.transaction() as tx:
        tx.games.halt("balkan", PAUSED)
    hall.post(master, "YES", reply_to=question)
    assert hall.said(master, Refusal).kind is RefusalKind.GAME_HALTED
    assert hall.game().phase == before.phase


def test_a_wrong_password_in_a_reply_does_not_say_that_ones_seat_is_lost(hall: Hall) -> None:
    hall.start()
    france = ADDRESSES["player"]
    hall.post(france, "SIGNON Fbalkan wrong\nREADY", reply_to=hall.last(france))
    told = {one.kind for one in hall.was_told(france, Refusal)}
    assert told == {RefusalKind.WRONG_PASSWORD, RefusalKind.NOT_SIGNED_ON}


def test_a_stranger_who_asks_how_things_stand_is_welcomed(hall: Hall) -> None:
    hall.start()
    hall.post(ADDRESSES["stranger"], "STATUS")
    assert hall.said(ADDRESSES["stranger"], Welcome).games == ()
