"""Games of two seasons, whose retreats and adjustments run with the moves, by lists that were sent
with them; and phases in which seats without a player alone have a choice."""

from judge.host.messages.command_answers import Created
from judge.host.messages.game_events import Results
from judge.rulebook import SeatId
from judge.store import Status

from .conftest import POWERS, Hall, address_of
from .test_missing_players import begin, deadline, flat, label

MASTER, AUSTRIA, ITALY = "gm@example.test", address_of("AUSTRIA"), address_of("ITALY")


def take_trieste(hall: Hall, austria: str = "", italy: str = "") -> None:
    """Italy drives Austria's fleet out of Trieste in Fall 1901."""
    for power in POWERS:
        if power == "ITALY":
            hall.order(power, "A VEN - TYR\nA ROM - VEN\nREADY")
        else:
            hall.order(power, "READY")
    hall.run_phase()
    assert label(hall) == "F1901M"
    hall.order("ITALY", f"A VEN - TRI\nA TYR S A VEN - TRI\n{italy}")
    hall.order("AUSTRIA", f"F TRI H\n{austria}")
    for power in POWERS:
        if hall.game().seat(SeatId(power)).player:
            hall.order(power, "READY")
    hall.run_phase()


def units(hall: Hall) -> str:
    text = flat(hall, ITALY)
    return text[text.index("Units:") :] if "Units:" in text else text


def test_retreats_and_builds_run_with_the_moves_and_stand_in_one_letter(hall: Hall) -> None:
    hall.start("seasons: two")
    before = len(hall.was_told(ITALY, Results))
    take_trieste(
        hall,
        "IF DISLODGED F TRI R ALB\nPHASE W1901A\nA BUD D",
        "PHASE W1901A\nA ROM B",
    )
    assert label(hall) == "S1902M"
    assert len(hall.was_told(ITALY, Results)) == before + 2
    assert len(hall.said(ITALY, Results).skipped) == 2
    with hall.database.transaction() as tx:
        retreats, winter = (tx.phases.named("balkan", one) for one in ("F1901R", "W1901A"))
    assert retreats is not None
    assert winter is not None
    assert [one.text for one in retreats.order_sets[SeatId("AUSTRIA")]] == ["F TRI R ALB"]
    assert "Austria: A VIE, F ALB" in units(hall)
    assert "A ROM" in units(hall)


def test_without_a_list_the_rules_say_what_happens(hall: Hall) -> None:
    hall.start("seasons: two")
    take_trieste(hall)
    assert label(hall) == "S1902M"
    assert "Austria: A BUD, A VIE" in units(hall)  # the fleet is disbanded
    assert hall.game().seat(SeatId("AUSTRIA")).misses == 0


def test_deadlines_of_two_seasons_count_from_the_moves_alone(hall: Hall) -> None:
    begin(hall, "seasons: two\nmovement: 3d")
    due = deadline(hall)
    hall.run_phase()  # at the end of grace
    assert label(hall) == "S1902M"
    assert deadline(hall) - due == hall.game().settings.lengths["movement"] + (hall.instant - due)


def test_two_seasons_and_a_length_of_retreats_are_refused_with_both_named(hall: Hall) -> None:
    hall.create("seasons: two\nretreat: 1d")
    (fault,) = hall.said(MASTER, Created).faults
    assert (fault.name, fault.written, fault.known) == ("seasons", "two", ("retreat: 1d",))
    assert hall.game().status is Status.DRAFT


def test_a_phase_of_vacant_seats_alone_holds_nobody_up(hall: Hall) -> None:
    hall.start()
    for power in POWERS:
        hall.order(power, "A VEN - TYR\nA ROM - VEN\nREADY" if power == "ITALY" else "READY")
    hall.run_phase()
    hall.order("AUSTRIA", "RESIGN")
    hall.order("AUSTRIA", "YES")
    hall.order("ITALY", "A VEN - TRI\nA TYR S A VEN - TRI\nREADY")
    for power in POWERS[1:]:
        if power != "ITALY":
            hall.order(power, "READY")
    hall.run_phase()
    # Italy has a build; the retreat was nobody's but Austria's, which has no player.
    assert label(hall) == "W1901A"
