"""Players about themselves: addresses, names, profiles, blocks, own data, and being forgotten."""

import json
from datetime import timedelta

import pytest

from judge.host.messages.command_answers import Created, Joined
from judge.host.messages.game_events import Filling, FillingEvent, SeatChanged, SeatEvent
from judge.host.messages.games import Welcome
from judge.host.messages.people import OwnData, Personal, PersonalKind, Profile, Registered
from judge.host.messages.refusals import KeeperNotice, Refusal, RefusalKind
from judge.store import NOBODY, Conduct, ConductRecord, LetterState, Player, Status

from .conftest import JUDGE, OPENINGS, Hall, address_of

ANN, BOB, WORK = "ann@example.test", "bob@example.test", "ann@work.test"
PASSED = "mx.judge.test; dkim=pass header.d=example.test"
FRANCE, ENGLAND, MASTER = address_of("FRANCE"), address_of("ENGLAND"), "gm@example.test"


def player_of(hall: Hall, address: str) -> Player:
    with hall.database.read() as tx:
        player = tx.players.by_address(address)
    assert player is not None
    return player


def ask(hall: Hall, address: str, body: str) -> None:
    hall.post(address, body, reply_to=hall.last(address))


def refusal(hall: Hall, address: str) -> RefusalKind:
    return hall.said(address, Refusal).kind


def told(hall: Hall, address: str) -> PersonalKind:
    return hall.said(address, Personal).kind


def test_a_level_is_taken_and_told(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, "SET LEVEL INTERMEDIATE")
    assert "intermediate players" in hall.text(hall.last(ANN))


@pytest.mark.parametrize(("line", "field"), [("level: novice", "novice"), ("실력: 초보", "novice")])
def test_a_game_is_for_players_of_a_level(hall: Hall, line: str, field: str) -> None:
    hall.create(line)
    assert hall.game().settings.level == field
    hall.register(ANN, "Ann")
    ask(hall, ANN, "SET LEVEL EXPERT")
    assert "experienced players" in hall.text(hall.last(ANN))
    ask(hall, ANN, "JOIN balkan")
    assert refusal(hall, ANN) is RefusalKind.OTHER_LEVEL
    assert "balkan is for beginners." in hall.text(hall.last(ANN))
    ask(hall, ANN, "SET LEVEL ANY")
    ask(hall, ANN, "JOIN balkan")
    assert [one.player for one in hall.game().applicants] == [player_of(hall, ANN).id]
    hall.post(ANN, "LIST balkan", reply_to=hall.last(ANN))
    assert "Level" in hall.text(hall.last(ANN))


def test_i_am_also_adds_an_address(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"I AM ALSO {WORK}")
    assert told(hall, ANN) is PersonalKind.ADDRESS_WAITS


# --- addresses ------------------------------------------------------------------------------------


def test_a_second_address_says_yes_itself_and_the_first_is_told(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"ADD ADDRESS {WORK}")
    assert told(hall, ANN) is PersonalKind.ADDRESS_WAITS
    assert player_of(hall, ANN).addresses == (ANN,)
    assert ANN not in hall.text(hall.last(WORK))
    ask(hall, WORK, "yes")
    assert player_of(hall, WORK).addresses == (ANN, WORK)
    for address in (ANN, WORK):
        assert told(hall, address) is PersonalKind.ADDRESS_ADDED
    assert f"REMOVE ADDRESS {WORK}" in hall.text(hall.last(ANN))


def test_an_address_that_does_not_say_yes_is_nobodys(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"ADD ADDRESS {WORK}")
    hall.post(BOB, "yes", reply_to=hall.last(WORK))
    ask(hall, WORK, "Who are you?")
    assert told(hall, WORK) is PersonalKind.ADDRESS_ASKED
    ask(hall, WORK, "No, I do not know her.")
    assert told(hall, WORK) is PersonalKind.DECLINED
    assert player_of(hall, ANN).addresses == (ANN,)


def test_orders_come_from_either_address(hall: Hall) -> None:
    hall.start()
    ask(hall, FRANCE, f"ADD ADDRESS {WORK}")
    ask(hall, WORK, "yes")
    hall.post(WORK, OPENINGS["FRANCE"], reply_to=hall.last(FRANCE))
    assert [one.text for one in hall.game().order_set(hall.game().seats[2].id)]


def test_where_letters_go_is_asked_back(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"ADD ADDRESS {WORK}")
    ask(hall, WORK, "yes")
    ask(hall, ANN, f"SET ADDRESS {WORK}")
    assert player_of(hall, ANN).addresses == (ANN, WORK)
    ask(hall, ANN, "yes")
    assert player_of(hall, ANN).addresses == (WORK, ANN)
    assert told(hall, WORK) is PersonalKind.FIRST_SET
    ask(hall, WORK, f"REMOVE ADDRESS {ANN}")
    ask(hall, WORK, "yes")
    assert player_of(hall, WORK).addresses == (WORK,)
    assert told(hall, ANN) is PersonalKind.ADDRESS_REMOVED
    ask(hall, WORK, f"REMOVE ADDRESS {WORK}")
    assert refusal(hall, WORK) is RefusalKind.LAST_ADDRESS


def test_a_new_address_can_be_the_first_one(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"SET ADDRESS {WORK}")
    ask(hall, WORK, "yes")
    assert player_of(hall, ANN).addresses == (WORK, ANN)
    assert told(hall, ANN) is PersonalKind.ADDRESS_ADDED


def report_to(hall: Hall, address: str, *others: str) -> None:
    """A player whose letters go to several addresses, each of which has said YES."""
    ask(hall, address, f"SET ADDRESS {', '.join((address, *others))}")
    for one in others:
        ask(hall, one, "yes")
    assert player_of(hall, address).letter_addresses == (address, *others)


@pytest.mark.parametrize(
    "wished", [f"{ANN}, {WORK}", f"<{WORK}> and {ANN.upper()}", f"{WORK};{ANN}"]
)
def test_letters_go_to_several_addresses(hall: Hall, wished: str) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"SET ADDRESS {wished}")
    assert told(hall, ANN) is PersonalKind.ADDRESS_WAITS
    assert player_of(hall, ANN).letter_addresses == (ANN,)  # until the new one says so
    ask(hall, WORK, "yes")
    assert {*player_of(hall, ANN).letter_addresses} == {ANN, WORK}
    for address in (ANN, WORK):
        assert told(hall, address) is PersonalKind.ADDRESS_ADDED
    ask(hall, WORK, "REGISTER")
    assert "Letters go to" in hall.text(hall.last(WORK))
    ask(hall, ANN, f"SET ADDRESS {WORK}")  # it alone again, which is asked back
    assert told(hall, ANN) is PersonalKind.FIRST_ASKED
    ask(hall, ANN, "yes")
    assert player_of(hall, ANN).letter_addresses == (WORK,)
    assert "Where your letters go has changed." in hall.text(hall.last(WORK))


def test_each_of_several_new_addresses_counts_with_its_own_yes(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"SET ADDRESS {WORK}, home@example.org, {ANN}")
    text = hall.text(hall.last(ANN))
    assert "A letter has gone to each of these addresses." in text
    assert f"Each is yours as soon as it answers YES: {WORK}, home@example.org." in text
    ask(hall, "home@example.org", "yes")
    assert player_of(hall, ANN).letter_addresses == ("home@example.org", ANN)
    ask(hall, WORK, "yes")
    assert player_of(hall, ANN).letter_addresses == (WORK, "home@example.org", ANN)
    ask(hall, ANN, "REMOVE ADDRESS home@example.org")
    ask(hall, ANN, "yes")
    assert player_of(hall, ANN).letter_addresses == (WORK, ANN)
    ask(hall, ANN, f"REMOVE ADDRESS {WORK}, {ANN}")
    assert refusal(hall, ANN) is RefusalKind.LAST_ADDRESS
    ask(hall, ANN, "ADD ADDRESS a@b.test, c@d.test, e@f.test, g@h.test")
    assert refusal(hall, ANN) is RefusalKind.MANY_ADDRESSES
    ask(hall, ANN, f"SET ADDRESS {ANN} nowhere")
    assert refusal(hall, ANN) is RefusalKind.BAD_ADDRESS


def test_an_address_of_somebody_else_in_a_list_stays_theirs(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    hall.register(BOB, "Bob")
    ask(hall, ANN, f"SET ADDRESS {BOB}, {WORK}, {ANN}")
    ask(hall, BOB, "yes")
    assert refusal(hall, BOB) is RefusalKind.ADDRESS_TAKEN
    ask(hall, WORK, "yes")
    assert player_of(hall, ANN).letter_addresses == (WORK, ANN)
    assert player_of(hall, BOB).addresses == (BOB,)


def test_set_address_alone_means_the_one_that_writes(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"ADD ADDRESS {WORK}")
    ask(hall, WORK, "yes")
    ask(hall, WORK, "SET ADDRESS")
    ask(hall, WORK, "yes")
    assert player_of(hall, ANN).addresses == (WORK, ANN)


def test_results_and_reminders_go_to_each_address_and_any_of_them_answers(hall: Hall) -> None:
    hall.start()
    report_to(hall, FRANCE, WORK)
    hall.open_game()
    hall.run_phase()
    assert {FRANCE, WORK} <= {row.recipient for row in hall.out if row.kind == "results"}
    first, copy = hall.last(FRANCE), hall.last(WORK)
    assert (first.messages, first.thread) == (copy.messages, copy.thread)
    assert first.token != copy.token
    with hall.database.read() as tx:
        sent = tx.outbox.by_token(copy.token)
    assert sent is not None
    assert (sent.recipient, sent.token) == (WORK, first.token)  # a bounce names the right address
    hall.post(WORK, "rest hold", reply_to=copy)
    assert hall.game().order_set(hall.game().seats[2].id)
    assert [row.recipient for row in hall.out][-1] == WORK  # the answer goes to who wrote
    before = len(hall.out)
    hall.post(FRANCE, "MY DATA", reply_to=hall.last(FRANCE))
    sent = [row for row in hall.out[before:] if row.kind == "data"]
    assert [row.recipient for row in sent] == [FRANCE]
    assert '"gets_letters": 1' in hall.text(sent[0])


def test_a_question_that_went_to_two_addresses_is_answered_once(hall: Hall) -> None:
    hall.create()
    for name in ("ann", "bert"):
        hall.post(f"{name}@example.test", "JOIN balkan", name=name.title())
        ask(hall, f"{name}@example.test", "yes")
    report_to(hall, ANN, WORK)
    hall.pass_time(timedelta(days=3))
    for name in ("carl", "dora", "emil", "fay", "gus"):
        hall.post(f"{name}@example.test", "JOIN balkan", name=name.title())
        ask(hall, f"{name}@example.test", "yes")
    first, copy = hall.last(ANN), hall.last(WORK)
    assert first.messages == copy.messages
    hall.post(WORK, "yes", reply_to=copy)
    assert hall.said(WORK, Filling).event is FillingEvent.KEPT
    hall.post(ANN, "no", reply_to=first)  # it is answered
    assert len(hall.game().applicants) == 7
    assert refusal(hall, ANN) is RefusalKind.EXPIRED


def test_who_is_forgotten_has_no_address_left(hall: Hall) -> None:
    hall.start()
    report_to(hall, FRANCE, WORK)
    hall.open_game()
    hall.run_phase()
    ask(hall, WORK, "FORGET ME")
    ask(hall, WORK, "yes")
    with hall.database.read() as tx:
        assert tx.players.by_address(FRANCE) is tx.players.by_address(WORK) is None
    sent = hall.database._tables.query("SELECT recipient FROM letters_out")
    assert {FRANCE, WORK}.isdisjoint(row["recipient"] for row in sent)


def test_an_address_with_its_owners_name_is_read(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"ADD ADDRESS Ann Lee <{WORK}>, Home <home@example.org>")
    assert hall.said(ANN, Personal).values == {"addresses": f"{WORK}, home@example.org"}


@pytest.mark.parametrize(
    ("body", "usage", "values"),
    [
        ("SET LEVEL master", "SET LEVEL NOVICE", "NOVICE, INTERMEDIATE, EXPERT or ANY"),
        ("SET ATTACHMENTS", "SET ATTACHMENTS MAP, CALENDAR", "ALL or NONE"),
        ("SET DIGEST", "SET DIGEST 08:00", "OFF for none"),
    ],
)
def test_a_wrong_or_missing_value_is_answered_with_all_there_are(
    hall: Hall, body: str, usage: str, values: str
) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, body)
    assert refusal(hall, ANN) is RefusalKind.BAD_COMMAND
    text = " ".join(hall.text(hall.last(ANN)).split())
    assert f"{usage}: " in text
    assert values in text
    ask(hall, ANN, "yes")
    assert refusal(hall, ANN) is not RefusalKind.BAD_COMMAND  # nothing was asked


def test_what_register_does_not_know_is_told(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, "REGISTER\nname: Anna\ncountry: France\nzone: Seoul")
    assert (player_of(hall, ANN).name, player_of(hall, ANN).zone) == ("Anna", "Asia/Seoul")
    assert "country: France" in hall.text(hall.last(ANN))


def test_an_address_of_another_player_stays_theirs(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    hall.register(BOB, "Bob")
    ask(hall, ANN, f"ADD ADDRESS {BOB}")
    assert told(hall, ANN) is PersonalKind.ADDRESS_WAITS  # whose it is, is not told
    ask(hall, BOB, "yes")
    assert refusal(hall, BOB) is RefusalKind.ADDRESS_TAKEN
    assert player_of(hall, BOB).name == "Bob"


@pytest.mark.parametrize("written", ["nowhere", "judge@judge.test", "ann@", "@example.test"])
def test_what_is_no_address_is_refused(hall: Hall, written: str) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"ADD ADDRESS {written}")
    assert refusal(hall, ANN) is RefusalKind.BAD_ADDRESS


# --- name and password ----------------------------------------------------------------------------


def test_a_name_is_changed_and_shown(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, "SET NAME Ann the Great")
    assert hall.said(ANN, Registered).name == "Ann the Great"
    ask(hall, ANN, "SET NAME www.pills.test")
    assert refusal(hall, ANN) is RefusalKind.BAD_PERSON
    assert player_of(hall, ANN).name == "Ann the Great"


def test_a_new_password_takes_the_place_of_the_old_one(hall: Hall) -> None:
    hall.start()
    old = hall.said(FRANCE, Joined).password
    ask(hall, FRANCE, "SET PASSWORD open-sesame")
    assert told(hall, FRANCE) is PersonalKind.PASSWORD_SET
    hall.post("else@where.test", "SIGNON Fbalkan open-sesame\nA PAR - BUR")
    assert len(hall.game().order_set(hall.game().seats[2].id)) == 1
    hall.post("else@where.test", f"SIGNON Fbalkan {old}\nA MAR - SPA")
    assert len(hall.game().order_set(hall.game().seats[2].id)) == 1
    with hall.database.read() as tx:
        rows = tx.letters.run("SELECT raw FROM letters_in WHERE raw LIKE '%open-sesame%'")
        assert rows.fetchall() == []


def test_a_master_and_an_applicant_have_passwords_of_their_own(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    ask(hall, MASTER, "SET PASSWORD masters-one")
    ask(hall, FRANCE, "SET PASSWORD players-one")
    hall.post("else@where.test", "SIGNON Mbalkan masters-one\nSTATUS")
    assert hall.last("gm@example.test").kind == "answer"
    hall.post("else@where.test", "SIGNON ?balkan players-one\nRESIGN")
    assert hall.game().applicants == ()


# --- profiles and blocks --------------------------------------------------------------------------


def test_whois_shows_a_profile_to_whom_it_may(hall: Hall) -> None:
    hall.register(ANN, "Ann Lee")
    hall.register(BOB, "Bob")
    ask(hall, BOB, "WHOIS Ann Lee")
    assert refusal(hall, BOB) is RefusalKind.NO_PROFILE
    ask(hall, ANN, "WHOIS")
    assert not hall.said(ANN, Profile).is_public
    ask(hall, ANN, "SET PROFILE PUBLIC")
    ask(hall, BOB, "WHOIS ann lee")
    profile = hall.said(BOB, Profile)
    assert (profile.name, profile.language, profile.percentage) == ("Ann Lee", "en", None)
    assert "@" not in hall.text(hall.last(BOB))
    ask(hall, ANN, "SET PROFILE PRIVATE")
    ask(hall, BOB, "WHOIS Ann Lee")
    assert refusal(hall, BOB) is RefusalKind.NO_PROFILE


@pytest.mark.parametrize("is_blocker_first", [True, False])
def test_a_block_keeps_two_apart_whoever_comes_second(hall: Hall, is_blocker_first: bool) -> None:
    hall.create()
    hall.register(ANN, "Ann")
    hall.register(BOB, "Bob")
    ask(hall, ANN, "BLOCK bob")
    assert told(hall, ANN) is PersonalKind.BLOCKED
    first, second = (ANN, BOB) if is_blocker_first else (BOB, ANN)
    ask(hall, first, "JOIN balkan")
    ask(hall, second, "JOIN balkan")
    assert refusal(hall, second) is RefusalKind.APART
    shown = hall.text(hall.last(second))
    assert "Ann" not in shown
    assert "Bob" not in shown
    assert len(hall.game().applicants) == 1
    ask(hall, ANN, "UNBLOCK Bob")
    ask(hall, second, "JOIN balkan")
    assert len(hall.game().applicants) == 2


def test_a_master_is_blocked_like_a_player(hall: Hall) -> None:
    hall.create()
    hall.register(ANN, "Ann")
    ask(hall, ANN, "BLOCK Grace Master")
    ask(hall, ANN, "JOIN balkan")
    assert refusal(hall, ANN) is RefusalKind.APART


def test_a_player_is_blocked_by_their_seat_and_the_game_goes_on(hall: Hall) -> None:
    hall.start()
    before = len(hall.out)
    ask(hall, FRANCE, "BLOCK ENGLAND@balkan")
    assert hall.said(FRANCE, Personal).values == {"name": "England"}
    assert len(hall.out) == before + 1  # nobody else is told
    ask(hall, FRANCE, "BLOCK")
    assert hall.said(FRANCE, Personal).values == {"names": "England"}
    assert hall.game().status is Status.ACTIVE


def test_nobody_of_a_name_and_several_of_it_are_not_blocked(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, "BLOCK Zoe")
    assert refusal(hall, ANN) is RefusalKind.NO_PERSON
    for number in range(2):
        hall.register(f"zoe{number}@example.test", "Zoe")
    ask(hall, ANN, "BLOCK Zoe")
    assert refusal(hall, ANN) is RefusalKind.WHICH_PERSON
    assert player_of(hall, ANN).blocked == ()


# --- own data, and being forgotten ----------------------------------------------------------------


def test_a_player_gets_everything_that_is_kept_of_them(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])
    ask(hall, FRANCE, "PRESS TO ENGLAND\nHello Kent\nENDPRESS")
    ask(hall, FRANCE, "BLOCK ENGLAND@balkan")
    ask(hall, FRANCE, "MY DATA")
    kept = json.loads(hall.said(FRANCE, OwnData).text)
    assert kept["player"][0]["name"] == "France"
    assert [one["address"] for one in kept["addresses"]] == [FRANCE]
    assert [one["name"] for one in kept["blocked_players"]] == ["England"]
    (game,) = kept["games"]
    assert (game["name"], game["seat"]) == ("balkan", "FRANCE")
    assert "A PAR - BUR" in game["orders"]
    assert "Hello Kent" in next(one["text"] for one in kept["press_sent"])
    assert len(kept["letters_received_from_you"]) >= 3
    assert any(one["kind"] == "start" for one in kept["letters_sent_to_you"])


def test_own_data_go_to_the_first_address_alone(hall: Hall) -> None:
    hall.start()
    password = hall.said(FRANCE, Joined).password
    hall.post("else@where.test", f"SIGNON Fbalkan {password}\nMY DATA")
    assert hall.was_told("else@where.test", OwnData) == []
    assert len(hall.was_told(FRANCE, OwnData)) == 1


def test_forget_me_is_asked_back(hall: Hall) -> None:
    hall.start()
    ask(hall, FRANCE, "FORGET ME")
    assert hall.said(FRANCE, Personal).values == {"games": "balkan"}
    ask(hall, FRANCE, "no")
    assert player_of(hall, FRANCE).name == "France"


def test_who_is_forgotten_leaves_no_name_and_no_address(hall: Hall) -> None:
    hall.start()
    hall.post(FRANCE, "SET NAME Madame Zorglub", reply_to=hall.last(FRANCE))
    ask(hall, ENGLAND, "WHO")
    ask(hall, FRANCE, "BLOCK ENGLAND@balkan")
    ask(hall, FRANCE, "FORGET ME")
    ask(hall, FRANCE, "yes")
    assert told(hall, FRANCE) is PersonalKind.FORGOTTEN
    seat = hall.game().seats[2]
    assert (seat.player, seat.resigned) == (None, True)
    changed = hall.said(ENGLAND, SeatChanged)
    assert (changed.event, changed.who) == (SeatEvent.RESIGNED, NOBODY)
    dump = "\n".join(hall.database._tables.conn.iterdump())
    assert FRANCE not in dump.replace("else", "")
    assert "Zorglub" not in dump
    before = len(hall.out)
    hall.pass_time(timedelta(days=4))
    assert len(hall.out) > before
    assert not [row for row in hall.out[before:] if row.recipient in (FRANCE, "")]


def test_who_is_forgotten_is_named_in_no_answer_to_others(hall: Hall) -> None:
    hall.start()
    name = "Madame Zorglub"
    for line in (f"SET NAME {name}", "SET PROFILE PUBLIC"):
        ask(hall, FRANCE, line)
    for line in ("SUMMARY balkan", "STATUS", f"WHOIS {name}", f"BLOCK {name}", "BLOCK"):
        ask(hall, ENGLAND, line)
    for line in (f"ALLOW {name}", f"DENY {name}", "STATUS", f"PROMOTE {name}"):
        ask(hall, MASTER, line)
    hall.create("approval: yes", name="second", master=ANN)
    ask(hall, FRANCE, "JOIN second")
    ask(hall, ANN, "STATUS second")
    ask(hall, FRANCE, "FORGET ME")
    ask(hall, FRANCE, "yes")
    with hall.database.read() as tx:
        for table in ("letters_out", "rendered"):
            for row in tx.outbox.run(f"SELECT * FROM {table}"):
                texts = (each.decode() if isinstance(each, bytes) else each for each in row)
                assert not any("Zorglub" in text for text in texts if isinstance(text, str))


def test_who_was_forgotten_is_a_stranger_and_may_come_back_as_somebody_new(hall: Hall) -> None:
    hall.start()
    old, newest = player_of(hall, FRANCE).id, hall.last(FRANCE)
    ask(hall, FRANCE, "FORGET ME")
    ask(hall, FRANCE, "yes")
    hall.post(FRANCE, "A PAR - BUR", reply_to=newest)
    assert hall.said(FRANCE, Welcome)
    hall.register(FRANCE, "Francine")
    assert player_of(hall, FRANCE).id != old
    ask(hall, FRANCE, "JOIN balkan FRANCE")
    assert hall.game().seats[2].player == player_of(hall, FRANCE).id


def test_games_without_their_master_go_on_and_the_keeper_is_told(hall: Hall) -> None:
    keeper = "keeper@example.test"
    hall = Hall(environ={"JUDGE_JUDGE__KEEPERS": keeper})
    hall.start()
    ask(hall, MASTER, "FORGET ME")
    ask(hall, MASTER, "yes")
    assert hall.said(keeper, KeeperNotice).what == "master_gone"
    hall.open_game()
    hall.run_phase()
    hall.database.close()


# --- reliability ----------------------------------------------------------------------------------


def conduct_of(hall: Hall, address: str) -> dict[str, int]:
    player = player_of(hall, address).id
    with hall.database.read() as tx:
        counts = tx.players.conduct_since(player, hall.instant - timedelta(days=900))
    return {kind.value: count for kind, count in counts.items()}


def test_who_is_in_time_late_or_missing_is_counted_with_the_phase(hall: Hall) -> None:
    hall.start("grace: 24h")
    hall.open_game("FRANCE")
    game = hall.game()
    assert game.timing is not None
    hall.pass_time(game.timing.deadline_at)  # the first phase waits
    hall.order("FRANCE", OPENINGS["FRANCE"])
    hall.run_phase()
    assert conduct_of(hall, ENGLAND) == {"on_time": 1}
    assert conduct_of(hall, FRANCE) == {"late": 1}
    hall.run_phase()
    assert conduct_of(hall, ENGLAND) == {"on_time": 1, "missed": 1}
    ask(hall, FRANCE, "RESIGN")
    ask(hall, FRANCE, "yes")
    assert conduct_of(hall, FRANCE) == {"late": 1, "missed": 1, "resigned": 1}
    hall.register(ANN, "Ann")
    ask(hall, ANN, "JOIN balkan FRANCE")
    assert conduct_of(hall, ANN) == {"taken_over": 1}


def test_whoever_stays_to_the_end_has_finished(hall: Hall) -> None:
    hall.start("players: 2", ("FRANCE", "GERMANY"))
    for power in ("FRANCE", "GERMANY"):
        hall.order(power, "DRAW")
    assert hall.game().status is Status.FINISHED
    assert conduct_of(hall, FRANCE) == {"finished": 1}


def note(hall: Hall, address: str, on_time: int, missed: int = 0) -> None:
    """So many phases of a game that is over, half a year ago."""
    player, at = player_of(hall, address).id, hall.instant.replace(month=6)
    kinds = [Conduct.ON_TIME] * on_time + [Conduct.MISSED] * missed
    with hall.database.transaction() as tx:
        tx.players.note_conduct(
            [ConductRecord(player, kind, "past", serial, at) for serial, kind in enumerate(kinds)]
        )


@pytest.mark.parametrize(
    ("rule", "on_time", "missed", "refused"),
    [
        ("RELIABILITY >= 80 or NEW", 8, 2, None),
        ("reliability: 80 or new", 7, 3, RefusalKind.TOO_UNRELIABLE),
        ("reliability: 80%", 0, 0, RefusalKind.TOO_NEW),
        ("reliability: >= 80 or NEW", 0, 0, None),
        ("reliability: 80", 10, 0, None),
        ("신뢰도: 80 신규", 0, 5, None),
        ("可靠度：80，新手", 0, 0, None),
        ("信頼度：80", 3, 0, RefusalKind.TOO_NEW),
    ],
)
def test_a_game_may_ask_for_reliability(
    hall: Hall, rule: str, on_time: int, missed: int, refused: RefusalKind | None
) -> None:
    hall.create(rule)
    assert hall.said(MASTER, Created).faults == ()
    hall.register(ANN, "Ann")
    note(hall, ANN, on_time, missed)
    ask(hall, ANN, "JOIN balkan")
    if refused is None:
        assert hall.said(ANN, Joined)
    else:
        assert refusal(hall, ANN) is refused
        assert "80%" in hall.text(hall.last(ANN))


def test_what_is_older_than_a_year_counts_no_more(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    note(hall, ANN, 0, 10)
    ask(hall, ANN, "WHOIS")
    assert hall.said(ANN, Profile).percentage == 0
    hall.instant = hall.instant.replace(year=2027, month=7)
    hall.post(
        ANN,
        "WHOIS",
        headers={"Authentication-Results": PASSED},
    )
    assert hall.said(ANN, Profile).percentage is None


def test_a_threshold_that_cannot_be_read_is_asked_about(hall: Hall) -> None:
    hall.create("reliability: very")
    (fault,) = hall.said(MASTER, Created).faults
    assert (fault.name, fault.written) == ("reliability", "very")


# --- in other languages ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "body", "kind"),
    [
        ("ko", f"주소 추가 {WORK}", PersonalKind.ADDRESS_WAITS),
        ("zh_Hant", f"新增信箱 {WORK}", PersonalKind.ADDRESS_WAITS),
        ("ko", f"주소 변경 {ANN}, {WORK}", PersonalKind.ADDRESS_WAITS),
        ("zh_Hant", f"更改信箱 {ANN}、{WORK}、a@b.test", PersonalKind.ADDRESSES_WAIT),
        ("ja", f"アドレス変更 {ANN} と {WORK}", PersonalKind.ADDRESS_WAITS),
        ("ja", f"アドレス追加 {WORK}", PersonalKind.ADDRESS_WAITS),
        ("ko", "프로필 설정 공개", PersonalKind.PROFILE_PUBLIC),
        ("zh_Hant", "設定公開資料 不公開", PersonalKind.PROFILE_PRIVATE),
        ("ja", "プロフィール設定 公開", PersonalKind.PROFILE_PUBLIC),
        ("ko", "차단 Bob", PersonalKind.BLOCKED),
        ("zh_Hant", "封鎖 Bob", PersonalKind.BLOCKED),
        ("ja", "ブロック Bob", PersonalKind.BLOCKED),
        ("ko", "차단 해제 Bob", PersonalKind.UNBLOCKED),
        ("zh_Hant", "解除封鎖 Bob", PersonalKind.UNBLOCKED),
        ("ja", "ブロック解除 Bob", PersonalKind.UNBLOCKED),
        ("ko", "내 정보", PersonalKind.DATA_SENT),
        ("zh_Hant", "我的資料", PersonalKind.DATA_SENT),
        ("ja", "私のデータ", PersonalKind.DATA_SENT),
        ("ko", "탈퇴", PersonalKind.FORGET_ASKED_ALONE),
        ("zh_Hant", "刪除我的資料", PersonalKind.FORGET_ASKED_ALONE),
        ("ja", "退会", PersonalKind.FORGET_ASKED_ALONE),
    ],
)
def test_in_their_own_language(hall: Hall, language: str, body: str, kind: PersonalKind) -> None:
    hall.register(BOB, "Bob")
    hall.post(ANN, "REGISTER", name="Ann", language=language)
    ask(hall, ANN, "YES")
    assert player_of(hall, ANN).language == language
    ask(hall, ANN, body)
    assert told(hall, ANN) is kind
    verdict = hall.text(hall.last_answer(ANN)).split("\n")[2]
    assert not verdict.isascii()


@pytest.mark.parametrize(
    ("language", "body", "name"),
    [
        ("ko", "이름 변경 김하나", "김하나"),
        ("zh_Hant", "更改名字 王小明", "王小明"),
        ("ja", "名前変更 山田 花子", "山田 花子"),
    ],
)
def test_names_in_their_own_language(hall: Hall, language: str, body: str, name: str) -> None:
    hall.post(ANN, "REGISTER", name="Ann", language=language)
    ask(hall, ANN, "YES")
    ask(hall, ANN, body)
    assert player_of(hall, ANN).name == name


@pytest.mark.parametrize(
    ("written", "zone"),
    [
        ("+9", "Etc/GMT-9"),
        ("UTC+9", "Etc/GMT-9"),
        ("GMT-5", "Etc/GMT+5"),
        ("-0500", "Etc/GMT+5"),
        ("＋９", "Etc/GMT-9"),
        ("UTC +05:30", "Asia/Kolkata"),
        ("-03:30", "America/St_Johns"),
        ("to Paris please", "Europe/Paris"),
        ("KST", "Asia/Seoul"),
    ],
)
def test_a_zone_is_read_as_hours_from_utc(hall: Hall, written: str, zone: str) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"SET ZONE {written}")
    assert player_of(hall, ANN).zone == zone


@pytest.mark.parametrize(
    "line",
    [
        "my time zone is UTC+9",
        "시간대 +9",
        "타임존을 UTC+9로 해주세요",
        "時區 UTC+9",
        "タイムゾーンをUTC+9にしてください",
    ],
)
def test_hours_from_utc_are_read_in_every_language(hall: Hall, line: str) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, line)
    assert player_of(hall, ANN).zone == "Etc/GMT-9"


@pytest.mark.parametrize("written", ["+99", "UTC+15", "+9:20", "9"])
def test_hours_that_no_zone_has_are_refused(hall: Hall, written: str) -> None:
    hall.register(ANN, "Ann")
    ask(hall, ANN, f"SET ZONE {written}")
    assert refusal(hall, ANN) is RefusalKind.BAD_ZONE
    text = " ".join(hall.text(hall.last(ANN)).split())
    assert "Write a city, such as Paris, or the hours from UTC, such as UTC+9." in text


@pytest.mark.parametrize(
    ("language", "written", "told"),
    [
        ("en", "PRACTICE", "The same YES also carries out your command: PRACTICE"),
        ("ko", "연습", "명령어도 처리합니다: 연습 (PRACTICE)"),
        ("zh-Hant", "練習", "執行您寄的關鍵字：練習（PRACTICE）"),
        ("ja", "練習", "コマンドも実行します：練習（PRACTICE）"),
    ],
)
def test_a_command_that_waits_for_the_yes_is_shown_in_the_readers_word(
    hall: Hall, language: str, written: str, told: str
) -> None:
    hall.post(ANN, written, language=language)
    assert told in hall.text(hall.last(ANN))


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, "A PAR - BUR\n\n> SIGNON Fbalkan Xy7zebra9\n> see you"),
        ({"Subject": "SIGNON Fbalkan Xy7zebra9"}, "A PAR - BUR"),
        ({}, "please change my password to Xy7zebra9"),
        ({}, "SET PASSWORD TO Xy7zebra9"),
        ({}, "비밀번호 Xy7zebra9"),
        ({}, "パスワード Xy7zebra9"),
        ({}, "密碼 Xy7zebra9"),
    ],
)
def test_a_password_that_no_command_takes_is_kept_nowhere(
    hall: Hall, headers: dict[str, str], body: str
) -> None:
    hall.start()
    hall.post(FRANCE, body, reply_to=hall.last(FRANCE), headers=headers)
    assert b"Xy7zebra9" not in hall.database._tables.conn.serialize()
    assert "Xy7zebra9" not in hall.text(hall.last_answer(FRANCE))


@pytest.mark.parametrize(
    "author",
    [
        'Ann <"ann lee"@example.test>',
        "ann@[192.0.2.1]",
        '"ben@example.test" <"ann lee"@example.test>',
        '"ann\\"ben"@example.test',
        "ann @ example.test",
    ],
)
def test_keepers_hear_once_a_day_of_letters_that_cannot_be_answered(author: str) -> None:
    keeper = "keeper@example.test"
    hall = Hall(environ={"JUDGE_JUDGE__KEEPERS": keeper})
    for number in range(2):
        raw = f"From: {author}\nTo: {JUDGE}\nMessage-ID: <{number}@x>\n\nREGISTER {number}"
        assert hall.take(raw.encode()) is LetterState.ASIDE
    assert [row.recipient for row in hall.out] == [keeper]  # nobody who is only named
    told = hall.said(keeper, KeeperNotice)
    assert (told.what, told.values["command"]) == ("no_address", "judge letters show 1")
    hall.instant += timedelta(days=1)
    hall.take(raw.replace("<1@x>", "<2@x>").encode())
    assert len(hall.was_told(keeper, KeeperNotice)) == 2
    hall.database.close()


@pytest.mark.parametrize("author", ["undisclosed:;", "", "Ann"])
def test_keepers_hear_nothing_of_letters_from_nobody(author: str) -> None:
    hall = Hall(environ={"JUDGE_JUDGE__KEEPERS": "keeper@example.test"})
    assert hall.take(f"From: {author}\nTo: {JUDGE}\n\nHELP".encode()) is LetterState.ASIDE
    assert hall.out == []
    hall.database.close()


@pytest.mark.parametrize("line", ["SET ZONE Tokyo", "SET NAME Anna Lee", "SET LANGUAGE en"])
def test_who_is_registered_hears_what_has_changed(hall: Hall, line: str) -> None:
    hall.register("ann@example.test", "Ann")
    assert "You are registered." in hall.text(hall.last("ann@example.test"))
    hall.post("ann@example.test", line, reply_to=hall.last("ann@example.test"))
    told = hall.text(hall.last("ann@example.test"))
    assert "Noted. This is how you are registered now." in told
    assert "JOIN takes part" not in told


def test_an_address_that_was_asked_brings_no_forgotten_player_back(hall: Hall) -> None:
    old, new = "ben@example.test", "new@example.test"
    hall.register(old, "Ben")
    hall.post(old, f"ADD ADDRESS {new}", reply_to=hall.last(old))
    asked = hall.last(new)
    hall.post(old, "FORGET ME", reply_to=hall.last(old))
    hall.post(old, "YES", reply_to=hall.last(old))
    hall.post(new, "YES", reply_to=asked)
    assert hall.said(new, Refusal).kind is RefusalKind.EXPIRED
