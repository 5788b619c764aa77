"""Votes: what is proposed, who decides, what each is told, and what is done when enough agree."""

from datetime import timedelta

import pytest

from judge.host.messages.command_answers import BallotCast, OpenVotes, SettingsRefused
from judge.host.messages.game_events import (
    DeadlineMoved,
    GameOver,
    MoveReason,
    Proposed,
    SeatChanged,
    SeatEvent,
    SettingsChanged,
    StandbyEvent,
    StandbyNotice,
)
from judge.host.messages.games import GameStatus
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import SeatId
from judge.store import Status

from .conftest import POWERS, Hall, address_of

FRANCE, ITALY, TURKEY, MASTER = (
    *(address_of(power) for power in ("FRANCE", "ITALY", "TURKEY")),
    "gm@example.test",
)
DAY = timedelta(days=1)


def refused(hall: Hall, address: str) -> RefusalKind:
    return hall.said(address, Refusal).kind


def asked(hall: Hall, power: str, number: int = 0) -> Proposed:
    """What a player was asked last, or about that proposal."""
    told = hall.was_told(address_of(power), Proposed)
    return next(one for one in reversed(told) if number in (0, one.motion.number))


def votes_of(hall: Hall) -> list[dict[SeatId, bool]]:
    return [dict(one.votes) for one in hall.game().proposals]


# --- one way for all ------------------------------------------------------------------------------


def test_a_pause_is_agreed_on_by_most_of_the_players(hall: Hall) -> None:
    timing = hall.start().timing
    assert timing is not None
    hall.order("FRANCE", "PROPOSE pause 3d")
    assert hall.said(FRANCE, BallotCast).is_new
    assert {power for power in POWERS if hall.was_told(address_of(power), Proposed)} == {
        *POWERS
    } - {"FRANCE"}
    motion = asked(hall, "ITALY").motion
    assert (motion.kind, motion.by, motion.needed, motion.voters) == ("pause", "FRANCE", 4, 7)
    hall.order("ITALY", "Yes please, I am moving house")
    assert votes_of(hall) == [{"FRANCE": True, "ITALY": True}] or votes_of(hall) == [
        {"FRANCE": True}
    ]
    hall.order("ITALY", "VOTE YES")
    hall.order("GERMANY", "VOTE NO")
    hall.order("TURKEY", "VOTE YES 1")
    assert hall.said(TURKEY, BallotCast).motion.own is True
    hall.order("RUSSIA", "vote 1 yes")
    moved = hall.said(MASTER, DeadlineMoved)
    assert (moved.reason, moved.due.at) == (MoveReason.PAUSE, timing.deadline_at + 3 * DAY)
    assert hall.said(address_of("RUSSIA"), BallotCast).is_agreed
    assert hall.game().proposals == ()


@pytest.mark.parametrize(
    ("line", "reader", "is_told"),
    [("", FRANCE, True), ("", MASTER, False), ("extension: 0", FRANCE, False)],
)
def test_votes_tells_of_a_pause_whoever_may_propose_one(
    hall: Hall, line: str, reader: str, *, is_told: bool
) -> None:
    hall.start(line)
    hall.post(reader, "VOTES", reply_to=hall.last(reader))
    assert ("PROPOSE PAUSE" in hall.text(hall.last(reader))) is is_told


@pytest.mark.parametrize(("line", "is_asked"), [("", True), ("standby: no", False)])
def test_a_vote_on_another_player_tells_of_a_standby_where_one_is_asked(
    hall: Hall, line: str, *, is_asked: bool
) -> None:
    hall.start(line)
    hall.order("FRANCE", "PROPOSE REPLACE ITALY")
    assert ("a standby is asked for" in hall.text(hall.last(FRANCE))) is is_asked


def test_no_phase_runs_within_a_pause_even_when_all_orders_are_in(hall: Hall) -> None:
    hall.start()
    for power in ("FRANCE", "ITALY", "GERMANY", "TURKEY"):
        hall.order(power, "PROPOSE PAUSE 2 days")
    end = hall.instant + 2 * DAY
    for power in POWERS:
        hall.order(power, "READY")
    hall.pass_time(end - timedelta(minutes=1))
    assert hall.game().phase.label == "S1901M"  # type: ignore[union-attr]
    hall.pass_time(end + timedelta(minutes=1))
    assert hall.game().phase.label == "F1901M"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("ok, fine with me", True),
        ("No, thanks.", False),
        ("네", True),
        ("反対です", False),
        ("好的", True),
    ],
)
def test_a_proposal_is_answered_by_a_reply_in_plain_words(hall: Hall, said: str, own: bool) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE DRAW")
    hall.order("ITALY", said)
    assert hall.said(ITALY, BallotCast).motion.own is own


def test_whoever_has_answered_may_think_again(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE DRAW")
    question = hall.last(ITALY)
    hall.post(ITALY, "yes", reply_to=question)
    hall.post(ITALY, "no", reply_to=question)
    assert votes_of(hall) == [{"FRANCE": True, "ITALY": False}]


def test_a_vote_names_its_number_where_there_are_several(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE PAUSE 1d")
    hall.order("TURKEY", "PROPOSE EXTEND 1d")
    hall.post(MASTER, "hello", reply_to=hall.last(MASTER))
    hall.order("ITALY", "STATUS")  # the newest letter is none of the two
    hall.order("ITALY", "VOTE YES")
    told = hall.said(ITALY, OpenVotes)
    assert [one.number for one in told.motions] == [1, 2]
    assert told.has_asked
    hall.order("ITALY", "VOTE YES 2")
    assert votes_of(hall) == [{"FRANCE": True}, {"TURKEY": True, "ITALY": True}]
    hall.order("ITALY", "VOTE YES 7")
    assert refused(hall, ITALY) is RefusalKind.NO_VOTE


@pytest.mark.parametrize(
    "written", ["PROPOSE", "PROPOSE world peace", "PROPOSE PAUSE", "PROPOSE PAUSE 400d"]
)
def test_what_cannot_be_proposed_is_told(hall: Hall, written: str) -> None:
    hall.start()
    hall.order("FRANCE", written)
    assert refused(hall, FRANCE) in (RefusalKind.NO_PROPOSAL, RefusalKind.BAD_COMMAND)
    assert hall.was_told(ITALY, Proposed) == []


# --- ends -----------------------------------------------------------------------------------------


def test_a_draw_that_is_proposed_is_asked_of_all_and_ends_the_game(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE DRAW")
    motion = asked(hall, "ITALY").motion
    assert (motion.kind, motion.is_end, motion.needed) == ("draw", True, 7)
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "yes")
    game = hall.game()
    assert (game.status, game.ending, len(game.winners)) == (Status.FINISHED, "draw", 7)
    assert hall.said(MASTER, GameOver).ending == "draw"


def test_a_draw_among_some_needs_everybody_and_is_for_them_alone(hall: Hall) -> None:
    hall.start("draws: any")
    for power in POWERS[:-1]:
        hall.order(power, "DRAW FRANCE, ENGLAND")
        assert hall.game().status is Status.ACTIVE
    hall.order("TURKEY", "draw among England and France")
    game = hall.game()
    assert (game.status, game.ending, game.winners) == (
        Status.FINISHED,
        "draw",
        ("ENGLAND", "FRANCE"),
    )


def test_votes_for_different_draws_are_not_added_up(hall: Hall) -> None:
    hall.start("draws: any")
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    hall.order("TURKEY", "DRAW TURKEY RUSSIA")
    assert hall.game().status is Status.ACTIVE
    hall.order("TURKEY", "DRAW AUSTRIA ENGLAND FRANCE GERMANY ITALY RUSSIA TURKEY")
    assert hall.game().status is Status.FINISHED  # all who are left: the same as DRAW


def test_named_draws_are_refused_where_all_who_are_left_share(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "DRAW FRANCE ENGLAND")
    assert refused(hall, FRANCE) is RefusalKind.NO_SHARED_DRAW
    assert hall.game().proposals == ()


@pytest.mark.parametrize("written", ["DRAW ATLANTIS", "DRAW with honour"])
def test_a_draw_of_nobody_counts_for_nothing(hall: Hall, written: str) -> None:
    hall.start("draws: any")
    hall.order("FRANCE", written)
    assert refused(hall, FRANCE) is RefusalKind.NO_POWER
    assert hall.game().proposals == ()


# --- who is told what -----------------------------------------------------------------------------


def test_the_master_reads_of_no_vote_of_their_own(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE DRAW")
    assert "nobody learns who voted how" in hall.text(hall.last(MASTER))
    assert "nobody else learns yours" in hall.text(hall.last(ITALY))


def test_secret_votes_are_told_to_nobody(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "DRAW")
    motion = hall.said(FRANCE, BallotCast).motion
    assert (motion.yes, motion.votes, motion.needed) == (None, None, 7)
    for power in ("ITALY", "FRANCE"):
        hall.order(power, "VOTES")
    assert hall.said(ITALY, OpenVotes).motions == ()
    assert [one.own for one in hall.said(FRANCE, OpenVotes).motions] == [True]
    hall.post(MASTER, "VOTES", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, OpenVotes).motions == ()


@pytest.mark.parametrize(
    ("ballots", "yes", "votes"),
    [("counts", 2, None), ("open", 2, {"FRANCE": True, "ITALY": False, "TURKEY": True})],
)
def test_votes_are_shown_as_the_game_has_it(
    hall: Hall, ballots: str, yes: int, votes: dict[SeatId, bool] | None
) -> None:
    hall.start(f"ballots: {ballots}")
    hall.order("FRANCE", "DRAW")
    hall.order("TURKEY", "DRAW")
    hall.order("ITALY", "VOTE NO")
    hall.order("GERMANY", "VOTES")
    (motion,) = hall.said(address_of("GERMANY"), OpenVotes).motions
    assert (motion.yes, motion.no, motion.votes, motion.own) == (yes, 1, votes, None)
    hall.order("GERMANY", "STATUS")
    assert [one.own for one in hall.said(address_of("GERMANY"), GameStatus).motions] == [None]


def test_who_proposes_is_told_or_not(hall: Hall) -> None:
    hall.start("proposer: hidden")
    hall.order("FRANCE", "PROPOSE PAUSE 1d")
    assert asked(hall, "ITALY").motion.by is None
    texts = [hall.text(row) for row in hall.out if row.kind == "proposal"]
    assert len(texts) == 7
    assert not any(
        "France" in text.replace("are France", "") for text in texts if "Turkey," in text
    )


# --- how long they last ---------------------------------------------------------------------------


def test_votes_lapse_with_the_phase(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE DRAW")
    question = hall.last(ITALY)
    hall.open_game()
    hall.run_phase()
    hall.post(ITALY, "yes", reply_to=question)
    assert refused(hall, ITALY) is RefusalKind.EXPIRED
    assert hall.game().proposals == ()


def test_standing_votes_last_until_they_are_taken_back(hall: Hall) -> None:
    hall.start("votes last: standing")
    hall.order("FRANCE", "PROPOSE DRAW")
    assert hall.said(FRANCE, BallotCast).motion.stands
    hall.order("FRANCE", "PROPOSE PAUSE 1d")
    question = next(row for row in hall.out if row.recipient == ITALY and row.kind == "proposal")
    hall.open_game()
    hall.run_phase()
    assert [one.kind for one in hall.game().proposals] == ["draw"]
    hall.post(ITALY, "yes", reply_to=question)
    assert votes_of(hall) == [{"FRANCE": True, "ITALY": True}]
    hall.order("FRANCE", "NO DRAW")
    assert votes_of(hall) == [{"ITALY": True}]


def test_standing_votes_of_all_others_end_the_game_when_one_is_missing(hall: Hall) -> None:
    hall.start("votes last: standing\ngrace: 0\nmissing: disorder\nstandby: no")
    hall.open_game()
    hall.run_phase()
    for power in POWERS[:-1]:
        hall.order(power, "DRAW\nREADY")
    assert hall.game().status is Status.ACTIVE
    hall.run_phase()
    assert (hall.game().status, hall.game().ending) == (Status.FINISHED, "draw")
    assert hall.said(FRANCE, GameOver).ending == "draw"


def test_a_new_player_does_not_vote_as_the_one_before(hall: Hall) -> None:
    hall.start("votes last: standing")
    hall.order("TURKEY", "DRAW")
    hall.order("ITALY", "DRAW")
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    assert votes_of(hall) == [{"ITALY": True}]


# --- another player for a seat --------------------------------------------------------------------


def test_a_proposal_to_replace_nobody_is_quoted(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE REPLACE")
    assert refused(hall, address_of("FRANCE")) is RefusalKind.NO_POWER
    assert hall.said(address_of("FRANCE"), Refusal).values["written"] == "PROPOSE REPLACE"


def test_a_player_is_replaced_and_a_standby_is_asked(hall: Hall) -> None:
    hall.start()
    hall.register("hana@example.test", "Hana")
    hall.post("hana@example.test", "STANDBY", reply_to=hall.last("hana@example.test"))
    hall.order("FRANCE", "PROPOSE REPLACE TURKEY")
    motion = asked(hall, "ITALY").motion
    assert (motion.kind, motion.seats, motion.needed, motion.voters) == (
        "replace",
        ("TURKEY",),
        4,
        6,
    )
    hall.order("TURKEY", "no")
    assert refused(hall, TURKEY) is RefusalKind.NO_VOTE
    for power in ("ITALY", "GERMANY", "RUSSIA"):
        hall.order(power, "yes")
    assert hall.game().seat(SeatId("TURKEY")).player is None
    for address in (FRANCE, TURKEY, MASTER):
        assert hall.said(address, SeatChanged).event is SeatEvent.VOTED_OUT
    assert hall.said("hana@example.test", StandbyNotice).event is StandbyEvent.VACANT
    hall.post(TURKEY, "A CON - BUL", reply_to=hall.last(TURKEY))
    assert hall.game().order_set(SeatId("TURKEY")) == ()
    # Nor does a letter of theirs bring them back, which would make the vote vain.
    hall.post(TURKEY, "JOIN balkan", reply_to=hall.last(TURKEY))
    assert refused(hall, TURKEY) is RefusalKind.EJECTED
    assert hall.game().seat(SeatId("TURKEY")).player is None


def test_the_masters_yes_decides_what_is_no_end(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE PAUSE 1d")
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, BallotCast).is_agreed
    assert hall.said(FRANCE, DeadlineMoved).reason is MoveReason.PAUSE
    hall.order("FRANCE", "PROPOSE DRAW")
    assert not hall.said(MASTER, Proposed).motion.may_decide
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert refused(hall, MASTER) is RefusalKind.NOT_A_PLAYER


# --- in four languages ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("propose", "yes"),
    [
        ("제안 휴식 3일", "투표 찬성"),
        ("提議 暫停 3天", "投票 贊成 1"),
        ("提案 休止 3日", "投票 賛成"),
    ],
)
def test_votes_are_cast_in_local_words(hall: Hall, propose: str, yes: str) -> None:
    hall.start()
    hall.order("FRANCE", propose)
    assert asked(hall, "ITALY").motion.length == 3 * DAY
    hall.order("ITALY", yes)
    assert votes_of(hall) == [{"FRANCE": True, "ITALY": True}]


# --- settings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["SET grace 12h", "grace: 12h", "설정 유예: 12시간"])
def test_a_setting_changes_when_all_players_agree(hall: Hall, written: str) -> None:
    hall.start("grace: 24h")
    hall.order("FRANCE", f"PROPOSE {written}")
    motion = asked(hall, "ITALY").motion
    assert (motion.kind, motion.setting, motion.needed) == ("set", "grace", 7)
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "yes")
    assert hall.game().settings.grace == timedelta(hours=12)
    for address in (FRANCE, ITALY, MASTER):
        assert hall.said(address, SettingsChanged).is_agreed


@pytest.mark.parametrize(
    ("language", "name"), [("ko", "유예"), ("zh_Hant", "寬限"), ("ja", "猶予")]
)
def test_a_proposed_setting_has_its_local_name(hall: Hall, language: str, name: str) -> None:
    hall.start("grace: 24h")
    hall.order("ITALY", f"SET LANGUAGE {language}")
    hall.order("FRANCE", "PROPOSE grace: 12h")
    told = hall.text(hall.last(ITALY))
    assert name in told
    assert "grace" not in told


@pytest.mark.parametrize("written", ["SET grace 900d", "SET variant chaos", "grace:"])
def test_a_setting_that_cannot_change_is_not_proposed(hall: Hall, written: str) -> None:
    hall.start()
    hall.order("FRANCE", f"PROPOSE {written}")
    assert hall.game().proposals == ()
    assert hall.was_told(ITALY, Proposed) == []
    refused_so = hall.was_told(FRANCE, SettingsRefused) + hall.was_told(FRANCE, Refusal)
    assert len(refused_so) == 1


@pytest.mark.parametrize(
    ("who", "written"),
    [(TURKEY, "RESIGN"), (TURKEY, "FORGET ME"), (MASTER, "EJECT TURKEY idle")],
)
def test_whoever_leaves_holds_up_no_vote_of_the_others(hall: Hall, who: str, written: str) -> None:
    hall.start()
    for power in POWERS[:-1]:
        hall.order(power, "DRAW")
    hall.post(who, written, reply_to=hall.last(who))
    hall.post(who, "YES", reply_to=hall.last(who))
    game = hall.game()
    assert (game.ending, game.winners) == ("draw", POWERS[:-1])


@pytest.mark.parametrize("leaves", ["phase", "dummy"])
@pytest.mark.parametrize(
    ("written", "voters", "told"),
    [
        ("PROPOSE REPLACE ITALY", ("FRANCE", "GERMANY", "RUSSIA"), SeatChanged),
        ("PROPOSE SET press: white", POWERS[:-1], SettingsChanged),
        ("DRAW", POWERS[:-1], GameOver),
    ],
)
def test_votes_are_counted_again_where_a_seat_becomes_vacant(
    hall: Hall, leaves: str, written: str, voters: tuple[str, ...], told: type
) -> None:
    hall.start("votes last: standing\ngrace: 0\nmissing: vacant\nstandby: no")
    hall.open_game()
    hall.run_phase()
    for power in POWERS[:-1]:
        hall.order(power, f"{written}\nREADY" if power in voters else "READY")
    before = len(hall.was_told(FRANCE, told))
    assert len(hall.game().proposals) == 1
    if leaves == "phase":
        hall.run_phase()
    else:
        hall.post(MASTER, "DUMMY TURKEY idle", reply_to=hall.last(MASTER))
        hall.post(MASTER, "YES", reply_to=hall.last(MASTER))
    assert hall.game().proposals == ()
    assert len(hall.was_told(FRANCE, told)) > before
    if told is SeatChanged:
        assert hall.game().seat(SeatId("ITALY")).player is None


def test_a_pause_is_counted_again_when_the_master_makes_a_dummy(hall: Hall) -> None:
    timing = hall.start().timing
    assert timing is not None
    for power in ("FRANCE", "GERMANY", "RUSSIA"):
        hall.order(power, "PROPOSE PAUSE 3d")
    for power in ("TURKEY", "AUSTRIA"):
        hall.post(MASTER, f"DUMMY {power} idle", reply_to=hall.last(MASTER))
        hall.post(MASTER, "YES", reply_to=hall.last(MASTER))
    now = hall.game().timing
    assert now is not None
    assert now.deadline_at == timing.deadline_at + 3 * DAY


@pytest.mark.parametrize(("ballots", "is_counted"), [("counts", True), ("secret", False)])
def test_the_results_tell_what_lapsed(hall: Hall, ballots: str, is_counted: bool) -> None:
    hall.start(f"ballots: {ballots}")
    hall.order("FRANCE", "DRAW")
    hall.open_game()
    hall.run_phase()
    told = " ".join(hall.text(hall.last(FRANCE)).split())
    assert "so the vote has lapsed: a draw of all who are left." in told
    assert ("There were 1 yes and 0 no." in told) == is_counted
    told = " ".join(hall.text(hall.last(ITALY)).split())
    assert ("the vote has lapsed" in told) == is_counted


def test_a_quiet_vote_tells_that_nobody_is_asked(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "DRAW")
    told = " ".join(hall.text(hall.last(FRANCE)).split())
    assert "The other players are not asked. PROPOSE DRAW asks them." in told
    assert "every player who may vote, 7 in all; no answer is not a yes." in told
    hall.order("ITALY", "VOTES")
    assert "There is no vote that you may see." in hall.text(hall.last(ITALY))
    hall.order("FRANCE", "PROPOSE DRAW")
    assert "are asked by letter" in hall.text(hall.last(FRANCE))
    hall.order("ITALY", "DRAW")
    assert "not asked" not in hall.text(hall.last(ITALY))


def test_a_setting_that_no_longer_fits_when_it_is_agreed_is_told_to_all(hall: Hall) -> None:
    hall.start("reminder: 24h\nlast_reminder: 0")
    hall.order("FRANCE", "PROPOSE SET last_reminder: 6h")
    hall.post(MASTER, "SET reminder: 4h", reply_to=hall.last(MASTER))
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "VOTE YES")
    assert not hall.game().proposals
    assert hall.game().settings.last_reminder == timedelta(0)
    for power in ("FRANCE", "TURKEY"):
        assert hall.said(address_of(power), SettingsRefused).is_agreed
        assert "6h" in hall.text(hall.last(address_of(power)))
