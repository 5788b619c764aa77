"""Limits: what forged letters may cost others, and how often a password may be guessed."""

from base64 import b64encode
from datetime import timedelta
from pathlib import Path

import pytest

from judge.host.messages.command_answers import Created, HelpText, JoinAsked, Joined
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import OrdersAnswer
from judge.host.messages.people import Registered
from judge.host.messages.refusals import (
    AddressAsked,
    KeeperNotice,
    PasswordTried,
    Refusal,
    RefusalKind,
)
from judge.store import LetterState

from .conftest import OPENINGS, Hall, address_of

ANN, FRANCE, MASTER = "ann@example.test", address_of("FRANCE"), "gm@example.test"
KEEPER = "keeper@example.test"
HOUR = timedelta(hours=1)


@pytest.fixture
def hall() -> Hall:
    return Hall(
        environ={
            "JUDGE_JUDGE__KEEPERS": KEEPER,
            "JUDGE_LIMITS__STRANGER_LETTERS_A_DAY": "10",
            "JUDGE_LIMITS__STRANGERS_A_DAY": "40",
            "JUDGE_LIMITS__LETTERS_AN_HOUR": "20",
        }
    )


def order_set(hall: Hall, seat: str) -> list[str]:
    return [line.text for line in hall.game().order_set(seat)]  # type: ignore[arg-type]


def refusals(hall: Hall, address: str) -> list[RefusalKind]:
    return [one.kind for one in hall.was_told(address, Refusal)]


# --- letters --------------------------------------------------------------------------------------


@pytest.mark.parametrize("forged", ["HELP", "A PAR - BUR", "SIGNON Xbalkan guess"])
def test_forged_letters_silence_no_player(hall: Hall, forged: str) -> None:
    hall.start()
    hall.pass_time(2 * HOUR)
    password = hall.said(FRANCE, Joined).password
    states = [hall.post(FRANCE, forged) for _ in range(30)]
    assert states == [LetterState.ANSWERED] * 20 + [LetterState.ASIDE] * 10
    assert refusals(hall, FRANCE).count(RefusalKind.LAST_ANSWER) == 1
    assert len(hall.was_told(KEEPER, KeeperNotice)) == 1

    hall.order("FRANCE", "A PAR - BUR")
    assert order_set(hall, "FRANCE") == ["A PAR - BUR"]
    assert hall.said(FRANCE, OrdersAnswer).order_set
    hall.post(FRANCE, f"SIGNON Fbalkan {password}\nA MAR H")
    assert order_set(hall, "FRANCE") == ["A PAR - BUR", "A MAR H"]
    hall.pass_time(2 * HOUR)
    assert hall.post(FRANCE, "HELP") is LetterState.ANSWERED


def test_a_players_letters_count_by_when_they_were_received(hall: Hall) -> None:
    hall.start()
    hall.pass_time(2 * HOUR)
    for number in range(30):
        hall.order("FRANCE", f"A PAR - {('BUR', 'PIC')[number % 2]}\nSTATUS")
    assert order_set(hall, "FRANCE") == ["A PAR - PIC"]
    assert len(hall.was_told(FRANCE, GameStatus)) == 20  # then lists are left out
    assert refusals(hall, FRANCE) == [RefusalKind.TOO_MANY_LETTERS] * 10
    assert len(hall.was_told(FRANCE, OrdersAnswer)) == 30
    hall.pass_time(2 * HOUR)
    hall.order("FRANCE", "STATUS")
    assert len(hall.was_told(FRANCE, GameStatus)) == 21


@pytest.mark.parametrize("forged", ["HELP", "JOIN balkan"])
def test_forged_letters_silence_no_newcomer(hall: Hall, forged: str) -> None:
    hall.create()
    for _ in range(15):
        hall.post(ANN, forged)
    assert refusals(hall, ANN) == [RefusalKind.LAST_ANSWER]
    last = hall.last(ANN)
    if forged == "HELP":
        hall.post(ANN, "JOIN balkan")
    assert hall.said(ANN, JoinAsked)
    hall.post(ANN, "JOIN balkan", reply_to=last)
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert len(hall.game().applicants) == 1


def test_letters_to_strangers_have_a_limit_together(hall: Hall) -> None:
    hall.create()
    hall.instant += timedelta(days=2)
    for number in range(60):
        hall.post(f"spam{number}@else.test", "HELP")
    assert (
        sum(len(hall.was_told(f"spam{number}@else.test", HelpText)) for number in range(60)) == 40
    )
    hall.post(ANN, "JOIN balkan")
    assert hall.said(ANN, JoinAsked)


@pytest.mark.parametrize(
    "body",
    [
        "Buy canary pills at once",
        "JION canary",
        "LIST canary",
        "JOIN balkan canary",
        "SIGNON ?canary canary",
        "SIGNON Fcanary canary",
        "SET ZONE canary",
        "PRESS TO ALL\ncanary\nENDPRESS",
        "CREATE canary/pills",
        "PROCESS canary",
        "REGISTER\nname: canary.test/pills\nzone: canaryx\nlanguage: canary",
    ],
)
def test_a_strangers_words_are_not_sent_on(hall: Hall, body: str) -> None:
    hall.create()
    hall.post(ANN, body, name="Ann www.canary.test", headers={"Subject": "canary"})
    with hall.database.read() as tx:
        (raw,) = tx.outbox.bytes_of([hall.last(ANN).token])
    assert "canary" not in raw.decode().lower()


def test_a_master_has_so_many_games(hall: Hall) -> None:
    hall.create()
    for number in range(25):
        hall.post(MASTER, f"CREATE game{number}x", reply_to=hall.last(MASTER))
    assert refusals(hall, MASTER) == [RefusalKind.TOO_MANY_GAMES] * 6
    with hall.database.read() as tx:
        assert len(tx.games.page(limit=100)) == 20


# --- passwords ------------------------------------------------------------------------------------


def test_guesses_are_counted_and_the_owner_is_told_before_one_is_right(hall: Hall) -> None:
    hall.start()
    password = hall.said(FRANCE, Joined).password
    hall.post("thief@else.test", "SIGNON Fbalkan guess")
    assert hall.said(FRANCE, PasswordTried).written_from == "thief@else.test"
    for number in range(2, 11):
        hall.post(f"thief{number}@else.test", "SIGNON Fbalkan guess")
    assert [one.is_closed for one in hall.was_told(FRANCE, PasswordTried)] == [False, True]

    hall.post("cafe@else.test", f"SIGNON Fbalkan {password}\nA PAR H")
    assert refusals(hall, "cafe@else.test") == [RefusalKind.TOO_MANY_GUESSES]
    assert order_set(hall, "FRANCE") == []
    hall.post(FRANCE, f"SIGNON Fbalkan {password}\nA PAR H")  # kept, and asked about
    assert hall.said(FRANCE, AddressAsked).excerpt == "A PAR H"
    hall.post(FRANCE, "yes", reply_to=hall.last(FRANCE))
    assert order_set(hall, "FRANCE") == ["A PAR H"]
    hall.pass_time(2 * HOUR)
    hall.post("cafe@else.test", f"SIGNON Fbalkan {password}\n{OPENINGS['FRANCE']}")
    assert len(order_set(hall, "FRANCE")) == 3


@pytest.mark.parametrize("encoding", ["8bit", "base64"])
def test_passwords_stand_nowhere_in_the_database(tmp_path: Path, encoding: str) -> None:
    hall = Hall(path=tmp_path / "judge.sqlite3")
    hall.create()
    told = [hall.said(MASTER, Created).password]
    hall.register(ANN, "Ann")
    told += ["mysecretword", "guessedword", "spilledword"]
    bodies = [f"JOIN balkan ITALY {told[1]}", f"SIGNON Mbalkan {told[2]}", f"SIGNON Xb {told[3]} x"]
    for body in bodies:
        if encoding == "base64":
            body = b64encode(body.encode()).decode()
        headers = {"Content-Transfer-Encoding": encoding}
        hall.post(ANN, body, reply_to=hall.last(ANN), headers=headers)
    assert hall.said(ANN, Joined).password == told[1]
    hall.post(MASTER, f"SIGNON Mbalkan {told[0]}\nLIST")
    hall.database.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("judge.sqlite3*"))
    for password in told:
        assert password.encode() not in kept
        for start in range(3):  # at each of the places that base64 can have it
            inside = b64encode(b" " * start + password.encode()).strip(b"=")[4:-4]
            assert inside not in kept


def test_guesses_at_a_master_are_counted_apart(hall: Hall) -> None:
    hall.start()
    for number in range(12):
        hall.post(f"thief{number}@else.test", "SIGNON Mbalkan guess")
    assert [one.game.seat for one in hall.was_told(MASTER, PasswordTried)] == [None, None]
    password = hall.said(FRANCE, Joined).password
    hall.post("cafe@else.test", f"SIGNON Fbalkan {password}\nA PAR H")
    assert order_set(hall, "FRANCE") == ["A PAR H"]


def test_guesses_at_those_who_wait_for_a_start_are_counted(hall: Hall) -> None:
    hall.create()
    hall.register(ANN, "Ann")
    hall.post(ANN, "JOIN balkan FRANCE hemlock", reply_to=hall.last(ANN))
    for number in range(10):
        sign = "?F"[number % 2]
        hall.post(f"thief{number}@else.test", f"SIGNON {sign}balkan guess")
    hall.post("thief@else.test", "SIGNON Fbalkan hemlock\nADD ADDRESS thief@else.test")
    assert refusals(hall, "thief@else.test")[0] is RefusalKind.TOO_MANY_GUESSES
    hall.post("robber@else.test", "SIGNON ?balkan hemlock\nADD ADDRESS robber@else.test")
    assert refusals(hall, "robber@else.test") == [RefusalKind.NOT_REGISTERED]
    hall.post("cafe@else.test", f"SIGNON Mbalkan {hall.said(MASTER, Created).password}\nSTATUS")
    assert refusals(hall, "cafe@else.test") == []
    hall.pass_time(2 * HOUR)
    hall.post("cafe@else.test", "SIGNON Fbalkan hemlock\nADD ADDRESS cafe@else.test")
    assert refusals(hall, "cafe@else.test") == []


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ann\u202e\u200b\u2066 Lee\ufeff", "Ann Lee"),
        ("A" * 500, "A" * 60),
        ("안나\x1b[31m", "안나[31m"),
        ("www.evil.test", "ann"),
    ],
)
def test_names_are_short_and_seen(hall: Hall, written: str, name: str) -> None:
    hall.post(ANN, "REGISTER", name=written)
    assert hall.said(ANN, Registered).name == name
    hall.post(ANN, f"REGISTER\nname: {written}", reply_to=hall.last(ANN), name="ann")
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert hall.said(ANN, Registered).name == name


def test_what_is_shown_once_a_letter_is_shown_for_each_game_of_it(hall: Hall) -> None:
    hall.start()
    hall.create(name="other")
    proof = {"Authentication-Results": "mx.judge.test; dmarc=pass header.from=example.test"}
    hall.post(FRANCE, "JOIN other", headers=proof)
    hall.post(FRANCE, "GAME balkan\nSTATUS\nstatus\nGAME other\nSTATUS", headers=proof)
    shown = [one for one in hall.messages(hall.last(FRANCE)) if isinstance(one, GameStatus)]
    assert [one.game.name for one in shown] == ["balkan", "other"]
