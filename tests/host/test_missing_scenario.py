"""One game by mail: an absence, a vote for more time, a player who misses twice while a standby has
sent orders, a takeover in grace, and a lost player who comes back."""

from datetime import timedelta

from judge.host.messages.command_answers import Away, Joined
from judge.host.messages.game_events import DeadlineMoved, MoveReason, SeatChanged, SeatEvent
from judge.rulebook import SeatId

from .conftest import POWERS, Hall, address_of
from .test_missing_players import begin, deadline, label

HANA, BEN = "hana@example.test", "ben@example.test"
FRANCE, RUSSIA = address_of("FRANCE"), address_of("RUSSIA")


def play(hall: Hall, *silent: str) -> None:
    """A movement phase without some, and what follows it up to the next."""
    for power in POWERS:
        if power not in silent and hall.game().seat(SeatId(power)).player:
            hall.order(power, "READY")
    hall.run_phase()
    while not label(hall).endswith("M"):
        hall.run_phase()


def moved(hall: Hall) -> MoveReason:
    return hall.said(FRANCE, DeadlineMoved).reason


def test_a_game_goes_on_whoever_is_missing(hall: Hall) -> None:
    begin(hall)
    due = deadline(hall)
    day = due.date().isoformat()
    hall.order("FRANCE", f"ABSENCE {day}")
    assert hall.said(FRANCE, Away).days_left == 13
    assert (moved(hall), deadline(hall)) == (MoveReason.ABSENCE, due + timedelta(days=1))

    hall.order("ITALY", "EXTEND 1 day")
    for power in ("ENGLAND", "GERMANY", "RUSSIA"):
        hall.order(power, "Yes")
    assert (moved(hall), deadline(hall)) == (MoveReason.AGREED, due + timedelta(days=2))

    # Turkey, Italy and Russia are missing; one standby is there, called for the first of them.
    hall.register(HANA, "Hana")
    hall.post(HANA, "STANDBY balkan", reply_to=hall.last(HANA))
    play(hall, "TURKEY", "ITALY", "RUSSIA")
    called = [seat for seat in hall.game().seats if seat.standby is not None]
    assert [seat.id for seat in called] == ["ITALY"]
    hall.post(HANA, "A VEN H\nA ROM - APU\nF NAP - ION", reply_to=hall.last(HANA))
    play(hall, "TURKEY", "ITALY", "RUSSIA")
    assert hall.said(HANA, Joined).seat == "ITALY"
    vacant = {seat.id for seat in hall.game().seats if seat.player is None}
    assert vacant == {"RUSSIA", "TURKEY"}

    # Russia's player comes back; the grace of England brings somebody for Turkey.
    hall.order("RUSSIA", "A MOS H")
    assert hall.said(RUSSIA, SeatChanged).event is SeatEvent.RETAKEN
    for power in ("AUSTRIA", "FRANCE", "GERMANY", "RUSSIA"):
        hall.order(power, "READY")
    hall.post(HANA, "READY", reply_to=hall.last(HANA))
    hall.pass_time(deadline(hall) + timedelta(hours=1))
    hall.register(BEN, "Ben")
    hall.post(BEN, "JOIN balkan", reply_to=hall.last(BEN))
    assert hall.said(BEN, Joined).seat == "TURKEY"
    told = hall.text(hall.last_answer(BEN))
    for said in ("Due:", "A CON", "Who sits where:", "Supply centers at the end of each year:"):
        assert said in told
    assert moved(hall) is MoveReason.TAKEOVER
    assert deadline(hall) >= hall.instant + timedelta(hours=48)
    hall.post(BEN, "READY", reply_to=hall.last(BEN))
    hall.order("ENGLAND", "READY")
    before = label(hall)
    hall.run_phase()
    assert label(hall) != before
    assert not any(seat.player is None for seat in hall.game().seats)
