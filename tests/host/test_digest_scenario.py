"""A master of six games, who reads Korean, for a month: all that they do is a line of the daily
digest, sent back as it stands, and a yes where the judge asks."""

from datetime import timedelta

from judge.host.messages.command_answers import ConfirmAsked, Joined
from judge.host.messages.game_events import Results
from judge.host.messages.master_acts import MasterActed, RolledBack
from judge.store import Act, Status

from .conftest import OPENINGS, POWERS, START, Hall
from .press_marks import PressMarks

MASTER = "gm@example.test"
DAY = timedelta(days=1)
THREE = ("ENGLAND", "FRANCE", "GERMANY")
GAMES = {
    "alps": ("start: manual", POWERS),
    "balkan": ("approval: yes", THREE),
    "carpat": ("process: manual", THREE),
    "dinar": ("grace: 1d", THREE),
    "elbe": ("grace: 1d", THREE),
    "fagaras": ("grace: 0", THREE),
}


def address(game: str, power: str) -> str:
    return f"{power.lower()}@{game}.test"


class Month:
    """The days of a master: what the digest of each shows, and what is copied from it."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.silent: set[str] = set()  # players who do not write

    def next_day(self) -> list[str]:
        """The next morning, up to its digest: the lines that it gives to copy."""
        self.hall.pass_time(DAY)
        return self.lines()

    def lines(self) -> list[str]:
        text = self.hall.text(self._digest()).replace("\r", "")
        return [line.strip() for line in text.splitlines() if line.startswith("  ")]

    def _digest(self):  # type: ignore[no-untyped-def]  # an OutboxRow
        rows = [row for row in self.hall.out if row.recipient == MASTER and row.kind == "digest"]
        assert rows[-1].created_at > self.hall.instant - DAY
        return rows[-1]

    def copy(self, *parts: str) -> None:
        """Send back each line of today's digest that holds one of these; all of them are there."""
        found = [next(line for line in self.lines() if part in line) for part in parts]
        self.hall.post(MASTER, "\n".join(found), reply_to=self._digest(), language="ko")
        asked = self.hall.last_answer(MASTER)
        if any(isinstance(one, ConfirmAsked) for one in self.hall.messages(asked)):
            self.hall.post(MASTER, "네", reply_to=asked, language="ko")

    def has(self, part: str) -> bool:
        return any(part in line for line in self.lines())

    def play(self) -> None:
        """Everybody who writes at all does so in the last day before a deadline."""
        for name, (_, powers) in GAMES.items():
            game = self.hall.game(name)
            if game.status is not Status.ACTIVE or game.timing is None or game.phase is None:
                continue
            if game.timing.held or game.timing.deadline_at > self.hall.instant + DAY:
                continue
            for power in powers:
                who = address(name, power)
                if who not in self.silent:
                    lines = OPENINGS[power] if game.phase.label == "S1901M" else ""
                    self.write(who, f"{lines}\nREADY")

    def write(self, who: str, body: str) -> None:
        rows = [one for one in self.hall.out if one.recipient == who and one.kind != "press"]
        self.hall.post(who, body, reply_to=rows[-1])

    def label(self, name: str) -> str:
        phase = self.hall.game(name).phase
        return phase.label if phase else ""


def test_a_master_runs_six_games_for_a_month_from_the_digest_alone(hall: Hall) -> None:
    hall.instant = START.replace(hour=7, minute=30)
    hall.post(MASTER, "REGISTER", name="Grace", language="ko", offset=540)
    hall.post(MASTER, "네", reply_to=hall.last(MASTER), language="ko")
    hall.post(MASTER, "SET ZONE UTC\nSET LANGUAGE ko", reply_to=hall.last(MASTER))
    proof = {"Authentication-Results": "mx.judge.test; dkim=pass header.d=example.test"}
    for name, (settings, _) in GAMES.items():
        body = f"CREATE {name}\n{settings}\nmovement: 3d\nmissing: disorder"
        hall.post(MASTER, body, headers=proof)
    written_before = len([one for one in hall.out if one.recipient == MASTER])
    month, marks = Month(hall), PressMarks(hall)

    # Day 1 to 4: drafts are opened, players come, are let in, and games begin, most of them short.
    month.next_day()
    month.copy(*(f"모집 시작 {name}" for name in GAMES))
    for name, (_, powers) in GAMES.items():
        assert hall.game(name).status is Status.FORMING
        for power in powers:
            who = address(name, power)
            hall.post(who, f"JOIN {name} {power}", name=f"{power.title()} of {name}")
            hall.post(who, "yes", reply_to=hall.last(who))
    month.next_day()
    month.copy(*(f"승인하기 {power.title()} of balkan" for power in THREE))
    month.copy("게임 시작 alps")
    for name in ("carpat", "dinar", "elbe", "fagaras"):
        month.copy(f"{name}: 강제 시작")
    month.next_day()
    month.copy("balkan: 강제 시작")
    assert {hall.game(name).status for name in GAMES} == {Status.ACTIVE}

    # Press in one game, which no other may see; a player late for good in another.
    secret = marks.mark(address("alps", "FRANCE"), address("alps", "ENGLAND"))
    month.write(address("alps", "FRANCE"), f"PRESS TO ENGLAND\n{secret} Hello\nENDPRESS")
    is_held = is_rolled_back = is_dummy = False
    held_on, held_game = 0, ""
    for day in range(4, 31):
        lines = month.next_day()
        if day == 8:
            month.silent.add(address("dinar", "GERMANY"))
            month.write(address("elbe", "GERMANY"), "RESIGN")
            month.write(address("elbe", "GERMANY"), "yes")
            month.silent.add(address("elbe", "GERMANY"))
        for line in lines:
            if "carpat: 단계 진행" in line and "진행할 수 있으며" in hall.text(month._digest()):
                month.copy("carpat: 단계 진행")
        if month.has("dinar: 추방 독일"):
            month.copy("dinar: 추방 독일")
        elif month.has("dinar: 무인 강국 독일") and "nova" not in month.silent:
            hall.post("nova@else.test", "JOIN dinar GERMANY", name="Nova")
            hall.post("nova@else.test", "yes", reply_to=hall.last("nova@else.test"))
            month.silent.add("nova")
        if month.has("elbe: 무인 강국 독일"):
            month.copy("elbe: 무인 강국 독일")
            is_dummy = True
        if day >= 12 and not is_held and month.has(": 게임 보류"):
            held_game = next(one for one in lines if ": 게임 보류" in one).split(":")[0].split()[-1]
            month.copy(f"{held_game}: 게임 보류")
            is_held, held_on = True, day
        elif held_on and day == held_on + 3:
            month.copy(f"{held_game}: 게임 재개")
        if day >= 18 and not is_rolled_back and month.has("fagaras: 되돌림"):
            month.copy("fagaras: 되돌림")
            is_rolled_back = True
        month.play()

    acts = [one.act for one in hall.was_told(address("fagaras", "FRANCE"), RolledBack)]
    assert acts == [Act.ROLLED_BACK]
    held = hall.was_told(address(held_game, "FRANCE"), MasterActed)
    assert [one.act for one in held if one.act is Act.HELD] == [Act.HELD]
    assert is_dummy
    assert hall.game("elbe").seat("GERMANY").is_dummy  # type: ignore[arg-type]
    assert hall.said("nova@else.test", Joined).seat == "GERMANY"
    for name in GAMES:
        game = hall.game(name)
        assert game.timing is not None
        assert game.timing.held is None
        assert len(hall.was_told(address(name, "FRANCE"), Results)) >= 4, name
    assert len([one for one in hall.out if one.recipient == MASTER]) > written_before + 30
    marks.check()
