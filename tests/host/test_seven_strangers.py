"""Seven strangers, who know nothing of each other, from LIST to a seat that changes hands."""

from datetime import timedelta

from judge.host.messages.command_answers import Joined
from judge.host.messages.game_events import (
    Filling,
    FillingEvent,
    Results,
    SeatChanged,
    SeatEvent,
    Started,
)
from judge.host.messages.games import GameList
from judge.store import Status

from .conftest import OPENINGS, Hall
from .press_marks import PressMarks

MASTER = "gm@example.test"
WRITES = {  # each in their own language
    "anna": ("en", "LIST OPEN", "JOIN balkan", "yes"),
    "minji": ("ko", "목록 모집중", "참가 balkan", "네"),
    "yuki": ("ja", "一覧 募集中", "参加 balkan", "はい"),
    "meiling": ("zh_Hant", "列表 招募中", "加入 balkan", "好"),
    "bert": ("en", "Which games are open?", "JOIN balkan", "Yes, please!"),
    "carl": ("en", "LIST", "JOIN balkan", "ok"),
    "dora": ("en", "LIST standard", "JOIN balkan", "YES"),
    "emil": ("en", "LIST", "JOIN balkan", "yes"),  # the eighth, for the waiting list
    "olga": ("en", "LIST", "OBSERVE balkan", "yes"),
    "fay": ("en", "LIST needs replacement", "TAKEOVER balkan", "yes"),
}


def address(name: str) -> str:
    return f"{name}@example.test"


def come(hall: Hall, name: str) -> None:
    """Somebody asks what there is, copies the line that the answer shows, and confirms it."""
    language, find, wish, yes = WRITES[name]
    hall.post(address(name), find, name=name.title(), language=language)
    hall.post(address(name), wish, name=name.title(), language=language)
    hall.post(address(name), yes, reply_to=hall.last(address(name)), language=language)


def test_seven_strangers_find_join_and_fill_a_game(hall: Hall) -> None:
    hall.create("preset: novice\nhouse rules: Be polite.")
    early, late = ("anna", "minji", "yuki"), ("meiling", "bert", "carl", "dora")
    for name in early:
        come(hall, name)
        assert [row.name for row in hall.said(address(name), GameList).games] == ["balkan"]
    hall.pass_time(timedelta(days=4))
    for name in (*late, "emil", "olga"):
        come(hall, name)
    assert hall.game().status is Status.FORMING
    assert hall.said(address("emil"), Filling).event is FillingEvent.QUEUED

    # Two of the three who came early say YES once more; the third is replaced.
    for name in ("anna", "minji"):
        assert hall.said(address(name), Filling).event is FillingEvent.ASKED
        hall.post(address(name), WRITES[name][3], reply_to=hall.last(address(name)))
    hall.pass_time(timedelta(days=2))
    assert hall.game().status is Status.ACTIVE
    assert hall.said(address("yuki"), Filling).event is FillingEvent.LOST
    players = ("anna", "minji", "meiling", "bert", "carl", "dora", "emil")
    seats = {name: hall.said(address(name), Started).game.seat for name in players}
    assert len({*seats.values()}) == 7
    assert hall.said(address("olga"), Started).game.seat is None

    # Letters to one, and to whoever leaves; nobody else reads them, nor orders before they run.
    marks = PressMarks(hall)
    for writer, reader in (("minji", "bert"), ("anna", "dora")):
        word = marks.mark(address(writer), address(reader))
        press = f"PRESS TO {seats[reader]}\n{word} Shall we?\nENDPRESS"
        hall.post(address(writer), press, reply_to=hall.last(address(writer)))
    for name, seat in seats.items():
        assert seat is not None
        letters = [row for row in hall.out if row.recipient == address(name)]
        started = [row for row in letters if row.kind != "press"][-1]
        hall.post(address(name), marks.seal(address(name), OPENINGS[seat]), reply_to=started)
    hall.run_phase()
    assert hall.said(address("olga"), Results).game.label == "S1901M"

    # One resigns and says so twice; a stranger finds the seat and takes it.
    dora = address("dora")
    hall.post(dora, "RESIGN", reply_to=hall.last(dora))
    hall.post(dora, "yes", reply_to=hall.last(dora))
    assert hall.said(address("olga"), SeatChanged).event is SeatEvent.RESIGNED
    come(hall, "fay")
    assert [row.name for row in hall.said(address("fay"), GameList).games] == ["balkan"]
    assert hall.said(address("fay"), Joined).seat == seats["dora"]
    assert hall.said(dora, SeatChanged).event is SeatEvent.REPLACED
    assert not any(seat.is_open for seat in hall.game().seats)
    marks.check()
