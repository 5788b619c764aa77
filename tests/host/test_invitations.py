"""INVITE, and the lists of who may join: letters that a YES or a line answers, and their limits."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import Created, Deed, Done, EntryLists, Invited, Joined
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import POWERS, RECEIVER, Hall, address_of

GM, ANN, BOB = "gm@example.test", "ann@else.test", "bob@else.test"
DAY = timedelta(days=1)
HIDDEN = "listed: no\nopen: yes"


def ask(hall: Hall, body: str, game: str = "balkan") -> None:
    """A line of the master's, whose mail server proves that they wrote it."""
    proof = {"Authentication-Results": f"{RECEIVER}; dkim=pass header.d=example.test"}
    hall.post(GM, body if body.startswith("CREATE") else f"GAME {game}\n{body}", headers=proof)


def reply(hall: Hall, address: str, body: str) -> None:
    hall.post(address, body, reply_to=hall.last(address), name=address.partition("@")[0].title())


def refused(hall: Hall, address: str = GM) -> list[RefusalKind]:
    told = hall.messages(hall.last_answer(address))
    return [one.kind for one in told if isinstance(one, Refusal)]


def players(hall: Hall) -> list[str]:
    applicants = hall.game().applicants
    with hall.database.transaction() as tx:
        found = [tx.players.get(one.player) for one in applicants]
    return [one.name for one in found if one is not None]


# --- the invitation -------------------------------------------------------------------------------


def test_a_stranger_who_is_invited_joins_by_a_yes(hall: Hall) -> None:
    hall.create(f"{HIDDEN}\napproval: yes\ncomment: see www.spam.test\nhouse rules: none of yours")
    ask(hall, "INVITE ann@else.test")
    assert hall.said(GM, Done).deed is Deed.INVITED
    letter = hall.text(hall.last(ANN))
    assert "Grace Master invites you to balkan" in letter
    assert "spam" not in letter
    assert GM not in letter
    reply(hall, ANN, "Yes, gladly")
    reply(hall, ANN, "Yes")  # to the house rules
    assert hall.said(ANN, Joined).game.name == "balkan"
    assert players(hall) == ["Ann"]
    ask(hall, "INVITE")
    (row,) = hall.said(GM, EntryLists).invited
    assert (row.who, row.answer) == (ANN, "joined")


def test_the_line_joins_from_another_address_once(hall: Hall) -> None:
    hall.create(HIDDEN)
    ask(hall, "INVITE ann@else.test")
    line = f"JOIN balkan {hall.said(ANN, Invited).word}"
    assert line in hall.text(hall.last(ANN))
    hall.post(BOB, line, name="Bob")
    reply(hall, BOB, "yes")
    assert players(hall) == ["Bob"]
    hall.register("carl@else.test", "Carl")
    hall.post("carl@else.test", line, reply_to=hall.last("carl@else.test"))
    assert refused(hall, "carl@else.test") == [RefusalKind.NO_GAME]


def test_a_game_on_no_list_is_unknown_to_everybody_else(hall: Hall) -> None:
    hall.create(HIDDEN)
    assert hall.said(GM, Created).faults == ()
    hall.register(BOB, "Bob")
    for line in ("JOIN balkan", "JOIN balkan guess", "LIST balkan", "OBSERVE balkan"):
        reply(hall, BOB, line)
        assert refused(hall, BOB) == [RefusalKind.NO_GAME]
    ask(hall, "INVITE Bob")
    reply(hall, BOB, "JOIN balkan")
    assert players(hall) == ["Bob"]


def test_an_invitation_is_to_a_power(hall: Hall) -> None:
    hall.create("open: yes")
    ask(hall, "INVITE ann@else.test to TURKEY")
    assert "You would play Turkey." in hall.text(hall.last(ANN))
    reply(hall, ANN, "yes")
    assert [one.wish for one in hall.game().applicants] == ["TURKEY"]


def test_a_vacant_seat_of_a_running_game_is_offered(hall: Hall) -> None:
    hall.start()
    ask(hall, "EJECT TURKEY away for good")
    reply(hall, GM, "yes")
    ask(hall, "INVITE ann@else.test TURKEY")
    reply(hall, ANN, "yes")
    joined = hall.said(ANN, Joined)
    assert (joined.seat, joined.record is not None) == ("TURKEY", True)


# --- who is left alone ----------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["No, thanks", ""])
def test_a_stranger_is_invited_once_whatever_they_answer(hall: Hall, answer: str) -> None:
    hall.create("open: yes")
    ask(hall, "INVITE ann@else.test")
    if answer:
        reply(hall, ANN, answer)
        assert hall.said(ANN, Personal).kind is PersonalKind.INVITATION_DECLINED
        ask(hall, "INVITE")
        assert [one.answer for one in hall.said(GM, EntryLists).invited] == ["declined"]
    hall.instant += 100 * DAY
    ask(hall, "CREATE alps\nopen: yes")
    ask(hall, "INVITE ann@else.test", "alps")
    assert refused(hall) == [RefusalKind.NO_INVITATION]
    assert len(hall.was_told(ANN, Invited)) == 1
    ask(hall, "INVITE Ann@else.test")
    assert refused(hall) == [RefusalKind.INVITED_BEFORE]


def test_a_declined_invitation_lets_nobody_in(hall: Hall) -> None:
    hall.create(HIDDEN)
    ask(hall, "INVITE ann@else.test")
    word = hall.said(ANN, Invited).word
    reply(hall, ANN, "no")
    hall.register(BOB, "Bob")
    reply(hall, BOB, f"JOIN balkan {word}")
    assert refused(hall, BOB) == [RefusalKind.NO_GAME]


def test_whoever_blocks_the_master_is_not_invited_and_nobody_learns_it(hall: Hall) -> None:
    hall.create("open: yes")
    hall.register(BOB, "Bob")
    reply(hall, BOB, "BLOCK Grace Master")
    ask(hall, "INVITE Bob")
    assert refused(hall) == [RefusalKind.NO_INVITATION]
    ask(hall, f"INVITE {BOB}")
    assert refused(hall) == [RefusalKind.NO_INVITATION]
    assert not hall.was_told(BOB, Invited)


def test_a_player_gets_a_few_invitations_a_week(hall: Hall) -> None:
    hall.register(BOB, "Bob")
    hall.create("open: yes")
    for name in ("alps", "carpat", "dinar"):
        ask(hall, f"CREATE {name}\nopen: yes")
    for name in ("balkan", "alps", "carpat", "dinar"):
        ask(hall, "INVITE Bob", name)
    assert len(hall.was_told(BOB, Invited)) == 3
    assert refused(hall) == [RefusalKind.NO_INVITATION]


def test_a_master_has_twenty_invitations_a_day(hall: Hall) -> None:
    hall.create("open: yes")
    for number in range(21):
        ask(hall, f"INVITE guest{number}@else.test")
    assert refused(hall) == [RefusalKind.INVITE_LIMIT]
    assert not [row for row in hall.out if row.recipient == "guest20@else.test"]
    hall.instant += DAY + timedelta(minutes=1)
    ask(hall, "INVITE guest20@else.test")
    assert hall.said(GM, Done).deed is Deed.INVITED


def test_a_draft_invites_nobody(hall: Hall) -> None:
    hall.create("open: yes")
    ask(hall, "CREATE alps")
    ask(hall, "INVITE ann@else.test", "alps")
    assert refused(hall) == [RefusalKind.NOT_OPEN]


def test_a_player_of_the_game_invites_nobody(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "INVITE ann@else.test")
    assert not hall.was_told(ANN, Invited)
    assert not hall.game().invited


# --- lists of who may join ------------------------------------------------------------------------


def test_only_those_on_the_list_join(hall: Hall) -> None:
    hall.create("open: yes\nallow: ann@else.test, @club.test")
    for address, name in ((ANN, "Ann"), (BOB, "Bob"), ("carl@club.test", "Carl")):
        hall.register(address, name)
        reply(hall, address, "JOIN balkan")
    assert refused(hall, BOB) == [RefusalKind.NOT_LISTED]
    assert players(hall) == ["Ann", "Carl"]
    ask(hall, "INVITE Bob")
    reply(hall, BOB, "yes")
    assert players(hall) == ["Ann", "Carl", "Bob"]


def test_whoever_is_denied_may_neither_join_nor_ask(hall: Hall) -> None:
    hall.create("open: yes\napproval: yes")
    hall.register(BOB, "Bob")
    ask(hall, "DENY Bob")
    assert hall.said(GM, EntryLists).deny == ("Bob",)
    reply(hall, BOB, "JOIN balkan")
    assert refused(hall, BOB) == [RefusalKind.NOT_LISTED]
    assert hall.game().asking == ()
    ask(hall, "DENY -Bob")
    assert hall.said(GM, EntryLists).deny == ()
    reply(hall, BOB, "JOIN balkan")
    assert len(hall.game().asking) == 1


def test_the_lists_are_their_masters_alone(hall: Hall) -> None:
    hall.start("deny: bob@else.test")
    ask(hall, "ALLOW ann@else.test")
    told = hall.said(GM, EntryLists)
    assert (told.allow, told.deny) == ((ANN,), (BOB,))
    hall.order("FRANCE", "STATUS")
    hall.order("FRANCE", "ALLOW")
    letters = [row for row in hall.out if row.recipient in map(address_of, POWERS)]
    assert not [row for row in letters if ANN in hall.text(row) or BOB in hall.text(row)]


def test_a_list_of_names_is_refused_below_create(hall: Hall) -> None:
    hall.create("open: yes\nallow: Ann Lee")
    assert [one.kind for one in hall.said(GM, Created).faults] == ["no_address"]


def test_join_any_passes_over_a_game_that_lists_others(hall: Hall) -> None:
    hall.create("open: yes\nallow: ann@else.test")
    for address, name in ((BOB, "Bob"), (ANN, "Ann")):
        hall.register(address, name)
        reply(hall, address, "JOIN ANY")
    assert refused(hall, BOB) == [RefusalKind.NO_OPEN_GAME]
    assert players(hall) == ["Ann"]


def test_whoever_is_forgotten_is_on_no_list_by_address_or_name(hall: Hall) -> None:
    hall.create("open: yes\ndeny: bob@else.test, carl@else.test")
    for address, name in ((ANN, "Ann"), (BOB, "Bob")):
        hall.register(address, name)
    ask(hall, "INVITE Ann")
    ask(hall, f"INVITE {BOB}")
    for address in (ANN, BOB):
        reply(hall, address, "FORGET ME")
        reply(hall, address, "yes")
    ask(hall, "INVITE")
    told = hall.said(GM, EntryLists)
    assert [one.who for one in told.invited] == ["N. N.", "@"]
    assert told.deny == ("@", "carl@else.test")
