"""Teams: powers of several players that win together, by mail."""

import pytest

from judge.host.messages.command_answers import Created
from judge.host.messages.game_events import GameOver
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Status

from .conftest import POWERS, Hall, address_of
from .test_customs import flat
from .test_rules import FRANCE, MASTER, process, set_up

TEAMS = "teams: France + England, Turkey + Austria"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("France + England, Turkey + Austria", "AUSTRIA+TURKEY/ENGLAND+FRANCE"),
        ("AUSTRIA+TURKEY/ENGLAND+FRANCE", "AUSTRIA+TURKEY/ENGLAND+FRANCE"),
        ("프랑스+영국", "ENGLAND+FRANCE"),
        ("フランス & イギリス、ロシア & トルコ", "ENGLAND+FRANCE/RUSSIA+TURKEY"),
        ("法國+英國", "ENGLAND+FRANCE"),
        ("none", "none"),
    ],
)
def test_teams_are_named_in_every_language(hall: Hall, written: str, kept: str) -> None:
    hall.create(f"teams: {written}")
    assert hall.said(MASTER, Created).faults == ()
    assert dict(hall.game().settings.options)["teams"] == kept


@pytest.mark.parametrize(
    "written",
    [
        "France",
        "France+Atlantis",
        "France+England, England+Italy",
        "France+France",
        "Austria+England+France+Germany+Italy+Russia+Turkey",
    ],
)
def test_what_is_no_team_keeps_a_draft(hall: Hall, written: str) -> None:
    hall.create(f"teams: {written}")
    (fault,) = hall.said(MASTER, Created).faults
    assert (fault.kind, fault.known) == ("bad_option", ("none", "AUSTRIA+ENGLAND"))
    assert hall.game().status is Status.DRAFT


def test_a_team_wins_together_with_the_centers_of_all(hall: Hall) -> None:
    hall.start(f"{TEAMS}\nvictory: 8\nscoring: squares")
    begun = flat(hall, FRANCE)
    assert "England and France are a team: they win together, as soon as they have 8" in begun
    process(hall)
    set_up(hall, FRANCE="A POR, A SPA", ITALY="A TUN, A GRE, A SER, A BUL")
    process(hall)
    over = hall.said(FRANCE, GameOver)
    assert over.ending == "solo"
    assert hall.game().scores["ITALY"] == 7  # type: ignore[index]  # more than either
    assert over.winners == ("ENGLAND", "FRANCE")


def test_one_power_wins_alone_against_smaller_teams(hall: Hall) -> None:
    hall.start(f"{TEAMS}\nvictory: 8")
    process(hall)
    set_up(hall, ITALY="A TUN, A GRE, A SER, A BUL, A RUM")
    process(hall)
    assert hall.said(FRANCE, GameOver).winners == ("ITALY",)


def test_all_points_of_a_victory_go_to_the_team_in_equal_shares(hall: Hall) -> None:
    hall.start(f"{TEAMS}\nvictory: 8\nscoring: squares")
    process(hall)
    set_up(hall, FRANCE="A POR, A SPA")
    process(hall)
    points = hall.said(FRANCE, GameOver).points
    assert (points["ENGLAND"], points["FRANCE"]) == (50, 50)  # type: ignore[index]
    assert "England and France have won" in flat(hall, FRANCE)


def test_a_concession_to_one_is_one_to_its_team(hall: Hall) -> None:
    hall.start(TEAMS)
    process(hall)
    hall.order("ENGLAND", "CONCEDE TO FRANCE")
    assert hall.said(address_of("ENGLAND"), Refusal).kind is RefusalKind.NO_CONCESSION_TO
    for power in POWERS:
        if power not in ("ENGLAND", "FRANCE"):
            hall.order(power, f"CONCEDE TO {'FRANCE' if power < 'ITALY' else 'ENGLAND'}")
    over = hall.said(FRANCE, GameOver)
    assert (over.ending, over.winners) == ("concession", ("ENGLAND", "FRANCE"))
