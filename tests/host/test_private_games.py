"""Games with a join word, games on no list, comments on a game, LIST FULL and JOIN ANY."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import Chosen, Created, Deed, Done, JoinAsked, Joined
from judge.host.messages.games import GameList, GameStatus, Summary, Welcome
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import POWERS, Hall, address_of

ANN, BOB, GM = "ann@example.test", "bob@example.test", "gm@example.test"
PRIVATE = "join word: Xyzzy"
HIDDEN = "join word: Xyzzy\nlisted: no"


def refused(hall: Hall, address: str) -> list[RefusalKind]:
    told = hall.messages(hall.last(address))
    return [one.kind for one in told if isinstance(one, Refusal)]


def listed(hall: Hall, address: str) -> list[str]:
    return [row.name for row in hall.said(address, GameList).games]


# --- a word that lets in --------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["", " FRANCE", " FRANCE secret", " wrong"])
def test_a_private_game_is_not_joined_without_its_word(hall: Hall, words: str) -> None:
    hall.create(PRIVATE)
    hall.register(ANN, "Ann")
    hall.post(ANN, f"JOIN balkan{words}", reply_to=hall.last(ANN))
    assert refused(hall, ANN) == [RefusalKind.NEEDS_WORD]
    assert hall.game().applicants == ()


@pytest.mark.parametrize(
    ("words", "wish"),
    [
        ("xyzzy", None),
        ("Xyzzy FRANCE", "FRANCE"),
        ("FRANCE xyzzy", "FRANCE"),
        ("FRANCE secret xyzzy", "FRANCE"),
    ],
)
def test_its_word_lets_in_wherever_it_stands(hall: Hall, words: str, wish: str | None) -> None:
    hall.create(PRIVATE)
    hall.register(ANN, "Ann")
    hall.post(ANN, f"JOIN balkan {words}", reply_to=hall.last(ANN))
    assert hall.game().applicants[0].wish == wish
    assert (hall.said(ANN, Joined).password == "secret") == ("secret" in words)


def test_a_stranger_joins_with_the_word_and_a_yes(hall: Hall) -> None:
    hall.create(PRIVATE)
    hall.post(ANN, "JOIN balkan xyzzy", name="Ann")
    assert "xyzzy" not in hall.text(hall.last(ANN)).lower()
    hall.post(ANN, "yes", reply_to=hall.last(ANN), name="Ann")
    assert hall.said(ANN, Joined)
    assert len(hall.game().applicants) == 1


def test_the_word_cannot_be_guessed(hall: Hall) -> None:
    hall.create(PRIVATE)
    for number in range(10):
        hall.post(f"guest{number}@else.test", f"JOIN balkan guess{number}")
    hall.post(ANN, "JOIN balkan xyzzy")
    assert refused(hall, ANN) == [RefusalKind.MANY_WORDS]
    assert "Send yours again from Tue 1 Dec 2026, 13:00 UTC" in " ".join(
        hall.text(hall.last(ANN)).split()
    )
    hall.post(BOB, "JOIN balkan")
    assert refused(hall, BOB) == [RefusalKind.NEEDS_WORD]
    hall.instant += timedelta(hours=1)
    hall.post(ANN, "JOIN balkan xyzzy", name="Ann")
    hall.post(ANN, "yes", reply_to=hall.last(ANN), name="Ann")
    assert hall.said(ANN, Joined)


def test_wrong_words_do_not_tell_whether_a_game_is_there(hall: Hall) -> None:
    hall.create(HIDDEN)
    for number in range(10):
        hall.post(f"guest{number}@else.test", f"JOIN balkan guess{number}")
    told = []
    for name in ("balkan", "serbia"):
        hall.post(ANN, f"JOIN {name} xyzzy")
        assert refused(hall, ANN)[-1:] == [RefusalKind.NO_GAME]
        told.append(hall.text(hall.last(ANN)).replace(name, "..."))
    assert "try again an hour later" in " ".join(told[0].split())
    assert told[0] == told[1]


def test_strangers_are_not_asked_into_a_private_game(hall: Hall) -> None:
    hall.create(PRIVATE)
    hall.post(ANN, "Hello?")
    assert hall.said(ANN, Welcome).joins == ""
    hall.post(BOB, "LIST")
    assert listed(hall, BOB) == ["balkan"]
    assert "joined with a word that its master gives" in hall.text(hall.last(BOB))
    assert "xyzzy" not in hall.text(hall.last(BOB)).lower()


def test_a_vacant_seat_of_a_private_game_needs_the_word_too(hall: Hall) -> None:
    hall.create(PRIVATE)
    for power in POWERS:
        address = address_of(power)
        hall.post(address, f"JOIN balkan {power} xyzzy", name=power.title())
        hall.post(address, "yes", reply_to=hall.last(address))
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "yes")
    hall.register(ANN, "Ann")
    hall.post(ANN, "TAKEOVER TURKEY@balkan", reply_to=hall.last(ANN))
    assert refused(hall, ANN) == [RefusalKind.NEEDS_WORD]
    hall.post(ANN, "TAKEOVER TURKEY@balkan xyzzy", reply_to=hall.last(ANN))
    assert hall.said(ANN, Joined).seat == "TURKEY"
    hall.order("FRANCE", "STATUS balkan")  # nobody in the game is asked for it
    assert refused(hall, address_of("FRANCE")) == []


# --- a game on no list ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        *("STATUS balkan", "LIST balkan", "JOIN balkan", "OBSERVE balkan", "SUMMARY balkan"),
        *("JOIN balkan wrong", "HISTORY balkan", "WHAT IF balkan", "WHOGAME balkan"),
        *("LIST balkan no", "STANDBY balkan", "SUBSCRIBE balkan"),
    ],
)
def test_a_game_on_no_list_is_unknown_to_others(hall: Hall, body: str) -> None:
    hall.create(HIDDEN)
    hall.register(ANN, "Ann")
    hall.post(ANN, body, reply_to=hall.last(ANN))
    assert refused(hall, ANN) == [RefusalKind.NO_GAME]
    hall.post(ANN, "LIST")
    assert listed(hall, ANN) == []
    hall.post(ANN, "STATUS balkann", reply_to=hall.last(ANN))
    assert "balkan " not in hall.text(hall.last(ANN)).replace("balkann", "")


@pytest.mark.parametrize("command", ["WHOIS", "BLOCK", "UNBLOCK"])
def test_who_plays_in_a_game_on_no_list_is_unknown_to_others(hall: Hall, command: str) -> None:
    hall.create(HIDDEN)
    for power in POWERS:
        address = address_of(power)
        hall.post(address, f"JOIN balkan {power} xyzzy", name=power.title())
        hall.post(address, "yes", reply_to=hall.last(address))
    hall.order("FRANCE", "SET PROFILE PUBLIC")
    hall.register(ANN, "Ann")
    told = set()
    for game in ("balkan", "nowhere"):
        hall.post(ANN, f"{command} FRANCE@{game}", reply_to=hall.last(ANN))
        told.add(tuple(refused(hall, ANN)))
    assert len(told) == 1
    assert told != {()}
    hall.order("ITALY", f"{command} FRANCE@balkan")
    assert refused(hall, address_of("ITALY")) == []


def test_who_names_it_with_its_word_sees_and_joins_it(hall: Hall) -> None:
    hall.create(HIDDEN)
    hall.register(ANN, "Ann")
    hall.post(ANN, "LIST balkan XYZZY", reply_to=hall.last(ANN))
    assert hall.said(ANN, GameStatus).game.name == "balkan"
    hall.post(ANN, "OBSERVE balkan xyzzy", reply_to=hall.last(ANN))
    assert hall.said(ANN, Done).deed is Deed.OBSERVES
    hall.post(ANN, "STATUS balkan", reply_to=hall.last(ANN))  # an observer needs it no more
    assert refused(hall, ANN) == []
    hall.register(BOB, "Bob")
    hall.post(BOB, "JOIN balkan xyzzy", reply_to=hall.last(BOB))
    hall.post(BOB, "LIST MINE", reply_to=hall.last(BOB))
    assert listed(hall, BOB) == ["balkan"]
    hall.post(GM, "LIST balkan")
    hall.post(GM, "STATUS balkan", reply_to=hall.last(GM))
    assert hall.said(GM, GameStatus).game.name == "balkan"


@pytest.mark.parametrize("word", ["two words", "ab", "x" * 41])
def test_a_join_word_is_one_word(hall: Hall, word: str) -> None:
    hall.create(f"join word: {word}")
    assert [one.kind for one in hall.said(GM, Created).faults] == ["no_word"]


# --- comments -------------------------------------------------------------------------------------


def test_a_comment_stands_wherever_a_game_is_shown(hall: Hall) -> None:
    hall.start("comment: Beginners welcome")
    for body in ("LIST", "LIST balkan", "SUMMARY balkan"):
        hall.post(ANN, body)
        assert "Beginners welcome" in hall.text(hall.last(ANN))
    hall.post(GM, "SET COMMENT Turkey is out", reply_to=hall.last(GM))
    assert hall.said(GM, Done).deed is Deed.COMMENT_SET
    hall.post(ANN, "SUMMARY balkan")
    assert hall.said(ANN, Summary).comment == "Turkey is out"
    hall.post(GM, "SET COMMENT", reply_to=hall.last(GM))
    assert hall.game().settings.comment == ""
    hall.order("FRANCE", "SET COMMENT mine")
    assert refused(hall, address_of("FRANCE")) == [RefusalKind.NOT_MASTER]
    hall.post(GM, f"SET COMMENT {'x' * 121}", reply_to=hall.last(GM))
    assert refused(hall, GM) == [RefusalKind.BAD_COMMAND]


# --- LIST FULL ------------------------------------------------------------------------------------


def test_list_full_shows_games_in_full_and_how_to_get_the_next(hall: Hall) -> None:
    names = [f"game{number:02}" for number in range(10)]
    for name in names:
        hall.create("variant: colonial" if name == "game04" else "", name=name)
    hall.post(ANN, "LIST FULL")
    shown = [one.game.name for one in hall.was_told(ANN, GameStatus)]
    assert shown == names[:8]
    assert "LIST FULL AFTER game07" in hall.text(hall.last(ANN))
    hall.post(ANN, "LIST FULL AFTER game07")
    assert [one.game.name for one in hall.was_told(ANN, GameStatus)[8:]] == names[8:]
    assert refused(hall, ANN) == []
    hall.post(BOB, "LIST FULL colonial")
    assert [one.game.name for one in hall.was_told(BOB, GameStatus)] == ["game04"]
    hall.post("eve@example.test", "LIST FULL VACANT")
    assert hall.said("eve@example.test", GameList).games == ()


@pytest.mark.parametrize("words", ["목록 전체", "一覧 詳細", "列表 詳細"])
def test_list_full_in_other_languages(hall: Hall, words: str) -> None:
    hall.create()
    hall.post(ANN, words)
    assert hall.said(ANN, GameStatus).game.name == "balkan"


# --- JOIN ANY -------------------------------------------------------------------------------------


def test_join_any_joins_the_open_game_that_fits_best(hall: Hall) -> None:
    hall.create("language: ko", name="seoul")
    hall.create(PRIVATE, name="secret")
    hall.create("variant: colonial", name="raj")
    hall.create(name="empty")
    hall.create(name="nearly")
    hall.register(BOB, "Bob")
    hall.post(BOB, "JOIN nearly FRANCE", reply_to=hall.last(BOB))
    hall.register(ANN, "Ann")
    hall.post(ANN, "JOIN ANY", reply_to=hall.last(ANN))
    assert hall.said(ANN, Chosen).game.name == "nearly"
    assert hall.said(ANN, Joined).game.name == "nearly"
    assert "RESIGN" in hall.text(hall.last(ANN))
    hall.post(ANN, "JOIN ANY colonial", reply_to=hall.last(ANN))
    assert hall.said(ANN, Joined).game.name == "raj"
    hall.post(ANN, "JOIN ANY Korean", reply_to=hall.last(ANN))
    assert hall.said(ANN, Joined).game.name == "seoul"
    hall.post(ANN, "JOIN ANY chaos", reply_to=hall.last(ANN))
    assert refused(hall, ANN) == [RefusalKind.NO_OPEN_GAME]
    hall.post(ANN, "JOIN ANY atlantis", reply_to=hall.last(ANN))
    assert refused(hall, ANN) == [RefusalKind.NO_VARIANT]


def test_join_any_asks_a_stranger_and_shows_the_game(hall: Hall) -> None:
    hall.create()
    hall.post(ANN, "JOIN ANY")
    assert hall.said(ANN, JoinAsked).game.name == "balkan"
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    assert hall.said(ANN, Joined).game.name == "balkan"


def test_join_any_passes_over_games_that_would_refuse(hall: Hall) -> None:
    hall.create("reliability: 80", name="strict")
    hall.create(name="blocked", master="gm2@example.test")
    hall.register(ANN, "Ann")
    hall.post(ANN, "BLOCK Grace Master", reply_to=hall.last(ANN))
    hall.post("gm2@example.test", "SET NAME Other", reply_to=hall.last("gm2@example.test"))
    hall.post(ANN, "BLOCK Other", reply_to=hall.last(ANN))
    hall.post(ANN, "JOIN ANY", reply_to=hall.last(ANN))
    assert refused(hall, ANN) == [RefusalKind.NO_OPEN_GAME]


@pytest.mark.parametrize("words", ["참가 아무거나", "参加 おまかせ", "參加 任意"])
def test_join_any_in_other_languages(hall: Hall, words: str) -> None:
    hall.create()
    hall.register(ANN, "Ann")
    hall.post(ANN, words, reply_to=hall.last(ANN))
    assert hall.said(ANN, Joined).game.name == "balkan"
