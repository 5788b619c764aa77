"""The railway: rulebook 9.2, and what it leaves open as docs/rules.md decides it."""

import pytest

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import Ride
from judge.diplomacy.outcomes import Bounced, Cut, DislodgedBy, Halted, Void, VoidReason
from judge.diplomacy.variants.options import choose

from .colonial import Scene, play

WHOLE = "A MOS - TSR - VLA"


def halted(scene: Scene, text: str = WHOLE) -> tuple[str, str, str]:
    """Where the train ended, before which station, and against which order."""
    (fate,) = [each for each in scene.outcomes(text) if isinstance(each, Halted)]
    return fate.station.province, fate.before.province, format_order(fate.against)


def arrived(scene: Scene, text: str = WHOLE) -> bool:
    return scene.outcomes(text) == () and scene.stands(f"RUSSIA A {text.rpartition(' ')[2]}")


# --- who is in the way (9.23 - 9.25) --------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [WHOLE, "A VLA - TSR - MOS", "A KRA - TSR - PRM", "A PRM - TSR - OMS"]
)
def test_it_goes_from_any_station_to_any_other(text: str) -> None:
    assert arrived(play({"RUSSIA": [text]}), text)


def test_a_foreign_unit_that_leaves_lets_it_pass() -> None:
    assert arrived(play({"RUSSIA": [WHOLE], "CHINA": ["A KRA - MON"]}))


def test_a_foreign_unit_that_bounces_on_leaving_bars_it() -> None:
    scene = play({"RUSSIA": [WHOLE], "CHINA": ["A KRA - MON"], "TURKEY": ["A MAC - MON"]})
    assert halted(scene) == ("OMS", "KRA", "A KRA - MON")
    assert scene.stands("RUSSIA A OMS")


def test_a_destination_occupied_when_ordered_may_empty() -> None:
    assert arrived(play({"RUSSIA": [WHOLE], "CHINA": ["A VLA - SEO"]}))


def test_a_destination_that_does_not_empty_is_not_entered() -> None:
    scene = play({"RUSSIA": [WHOLE, "A IRK S A MOS - VLA"], "CHINA": ["F VLA H"]})
    assert halted(scene) == ("KRA", "VLA", "F VLA H")  # its own unit is in IRK
    assert scene.dislodged == set()


def test_a_destination_dislodged_by_others_is_not_entered() -> None:
    scene = play(
        {
            "RUSSIA": [WHOLE],
            "CHINA": ["F VLA H"],
            "JAPAN": ["F SOJ - VLA", "F SEO/EC S F SOJ - VLA"],
        }
    )
    assert halted(scene)[:2] == ("IRK", "VLA")
    assert scene.dislodged == {"F VLA"}
    assert scene.stands("JAPAN F VLA")


def test_own_units_let_it_pass() -> None:
    scene = play({"RUSSIA": [WHOLE, "A PRM H", "A KRA - IRK", "A OMS - AKM"]})
    assert arrived(scene)
    assert scene.stands("RUSSIA A IRK")


def test_it_stops_before_its_own_unit_at_the_goal() -> None:
    scene = play({"RUSSIA": [WHOLE, "A VLA H", "A IRK H"]})
    assert halted(scene)[0] == "KRA"


OWN_BAR = choose("colonial", {"railway_passes_own": "no"})


def test_own_units_bar_it_where_the_game_says_so() -> None:
    scene = play({"RUSSIA": [WHOLE, "A KRA H"]}, variant=OWN_BAR)
    assert halted(scene) == ("OMS", "KRA", "A KRA H")
    near = play({"RUSSIA": [WHOLE, "A PRM H"]}, variant=OWN_BAR)
    assert halted(near) == ("MOS", "PRM", "A PRM H")


def test_own_units_that_leave_its_way_let_it_pass_all_the_same() -> None:
    assert arrived(play({"RUSSIA": [WHOLE, "A KRA - MON", "A OMS - AKM"]}, variant=OWN_BAR))


def test_own_units_that_arrive_on_its_way_bar_it_where_the_game_says_so() -> None:
    order_sets = {"RUSSIA": [WHOLE, "A MON - KRA", "A AKM S A MON - KRA"]}
    assert halted(play(order_sets, variant=OWN_BAR)) == ("OMS", "KRA", "A MON - KRA")
    assert arrived(play(order_sets))


def test_a_lone_attack_on_a_station_bounces_with_the_train() -> None:
    scene = play({"RUSSIA": [WHOLE], "CHINA": ["A MON - KRA"]})
    assert halted(scene) == ("OMS", "KRA", "A MON - KRA")
    (bounce,) = scene.outcomes("A MON - KRA")
    assert isinstance(bounce, Bounced)
    assert format_order(bounce.against) == WHOLE
    assert scene.movement.contested == ("KRA",)


def test_who_bounced_with_the_train_bars_it_further_back() -> None:
    scene = play({"RUSSIA": [WHOLE], "CHINA": ["A OMS - KRA"]})
    assert halted(scene) == ("PRM", "OMS", "A OMS - KRA")
    assert scene.stands("CHINA A OMS")
    chain = play({"RUSSIA": [WHOLE], "CHINA": ["A AKM - KRA", "A OMS - AKM"]})
    assert halted(chain) == ("PRM", "OMS", "A OMS - AKM")
    assert chain.stands("CHINA A AKM")


def test_a_supported_attack_takes_the_station() -> None:
    scene = play({"RUSSIA": [WHOLE], "CHINA": ["A OMS - KRA", "A URU S A OMS - KRA"]})
    assert halted(scene) == ("OMS", "KRA", "A OMS - KRA")
    assert scene.stands("CHINA A KRA")
    assert scene.stands("RUSSIA A OMS")


def test_a_standoff_of_others_does_not_stop_it() -> None:
    order_sets = {"RUSSIA": [WHOLE], "CHINA": ["A MON - KRA"], "TURKEY": ["A AKM - KRA"]}
    assert arrived(play(order_sets))


def test_an_own_attack_on_a_station_lets_it_pass_and_on_its_goal_bounces() -> None:
    assert arrived(play({"RUSSIA": [WHOLE, "A MON - KRA"]}))
    scene = play({"RUSSIA": [WHOLE, "A MAC - VLA"]})
    assert halted(scene) == ("IRK", "VLA", "A MAC - VLA")
    assert scene.stands("RUSSIA A MAC")
    won = play({"RUSSIA": [WHOLE, "A MAC - VLA", "F SOJ S A MAC - VLA"]})
    assert halted(won) == ("IRK", "VLA", "A MAC - VLA")
    assert won.stands("RUSSIA A VLA")


def test_an_own_unit_that_fails_to_leave_the_goal_keeps_it() -> None:
    scene = play({"RUSSIA": [WHOLE, "A VLA - SEO"], "JAPAN": ["A SEO H"]})
    assert halted(scene) == ("IRK", "VLA", "A VLA - SEO")


def test_an_unowned_colony_on_the_line_does_not_matter() -> None:
    scene = play({"RUSSIA": ["A PRM - TSR - IRK"]})  # nobody owns OMS, nor anything else
    assert arrived(scene, "A PRM - TSR - IRK")


# --- support (9.26) -------------------------------------------------------------------------------


def test_support_wins_an_empty_goal() -> None:
    text = "A MOS - TSR - IRK"
    attack = ["A MAC - IRK", "A MON S A MAC - IRK"]
    assert not arrived(play({"RUSSIA": [text, "A VLA S A MOS - IRK"], "CHINA": attack}), text)
    scene = play({"RUSSIA": [text, "A VLA S A MOS - IRK"], "CHINA": attack[:1]})
    assert arrived(scene, text)


def test_support_at_the_goal_holds_for_the_trains_claim() -> None:
    """Two against two: neither gets in, and the train halts before."""
    scene = play(
        {
            "RUSSIA": ["A MOS - TSR - IRK", "A VLA S A MOS - IRK"],
            "CHINA": ["A MAC - IRK", "A MON S A MAC - IRK"],
        }
    )
    assert halted(scene, "A MOS - TSR - IRK") == ("KRA", "IRK", "A MAC - IRK")
    assert scene.stands("CHINA A MAC")


def test_support_for_a_station_on_the_way_matches_nothing() -> None:
    scene = play({"RUSSIA": [WHOLE, "A URU S A MOS - KRA"]})
    void = scene.void("A URU S A MOS - KRA")
    assert void.reason is VoidReason.SUPPORTED_GOES_ELSEWHERE
    assert void.order is not None
    assert format_order(void.order) == WHOLE


def test_a_support_that_matches_nothing_names_the_ride_as_it_was_written() -> None:
    scene = play({"RUSSIA": [WHOLE, "A ODE S A MOS"], "CHINA": ["A KRA H"]})
    void = scene.void("A ODE S A MOS")
    assert void.reason is VoidReason.SUPPORTED_MOVES
    assert void.order is not None
    assert format_order(void.order) == WHOLE


def test_a_train_cuts_nothing() -> None:
    order_sets = {
        "RUSSIA": [WHOLE],
        "CHINA": ["A VLA S A MAC - SEO", "A MAC - SEO"],
        "JAPAN": ["A SEO H"],
    }
    scene = play(order_sets)
    assert not any(isinstance(each, Cut) for each in scene.outcomes("A VLA S A MAC - SEO"))
    assert scene.dislodged == {"A SEO"}


# --- at home, and head to head --------------------------------------------------------------------


def test_a_train_that_leaves_is_not_dislodged() -> None:
    scene = play({"RUSSIA": [WHOLE], "TURKEY": ["A ODE - MOS", "A BAK S A ODE - MOS"]})
    assert arrived(scene)
    assert scene.stands("TURKEY A MOS")


def test_a_train_that_cannot_leave_is_attacked_at_home() -> None:
    attack = ["A ODE - MOS", "A BAK S A ODE - MOS"]
    scene = play({"RUSSIA": [WHOLE], "CHINA": ["A PRM H"], "TURKEY": attack[:1]})
    assert halted(scene) == ("MOS", "PRM", "A PRM H")
    assert scene.dislodged == set()
    driven = play({"RUSSIA": [WHOLE], "CHINA": ["A PRM H"], "TURKEY": attack})
    assert driven.dislodged == {"A MOS"}
    kinds = [type(each) for each in driven.outcomes(WHOLE)]
    assert kinds == [Halted, DislodgedBy]


@pytest.mark.parametrize("goal", ["PRM", "OMS", "VLA"])
def test_it_changes_places_with_no_foreign_unit(goal: str) -> None:
    text = f"A MOS - TSR - {goal}"
    scene = play({"RUSSIA": [text], "CHINA": ["A PRM - MOS"]})
    assert halted(scene, text) == ("MOS", "PRM", "A PRM - MOS")
    assert scene.stands("CHINA A PRM")


@pytest.mark.parametrize("goal", ["PRM", "OMS", "VLA"])
def test_a_supported_unit_from_the_next_station_drives_it_out(goal: str) -> None:
    """Supports of the ride do not hold the train at home: they are for an empty goal only."""
    text = f"A MOS - TSR - {goal}"
    scene = play(
        {
            "RUSSIA": [text, f"A ORE S A MOS - {goal}"] if goal != "VLA" else [text],
            "CHINA": ["A PRM - MOS", "A ODE S A PRM - MOS"],
        }
    )
    assert scene.dislodged == {"A MOS"}
    assert halted(scene, text) == ("MOS", "PRM", "A PRM - MOS")
    assert scene.stands("CHINA A MOS")


def test_driven_out_it_claims_nothing_where_its_dislodger_came_from() -> None:
    scene = play(
        {
            "RUSSIA": [WHOLE],
            "CHINA": ["A PRM - MOS", "A ODE S A PRM - MOS"],
            "TURKEY": ["A ORE - PRM"],
        }
    )
    assert scene.dislodged == {"A MOS"}
    assert scene.stands("TURKEY A PRM")


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "text", "reason"),
    [
        ("CHINA", WHOLE, VoidReason.NOT_ITS_RAILWAY),
        ("RUSSIA", "F VLA - TSR - MOS", VoidReason.NOT_A_TRAIN),
        ("RUSSIA", "A ODE - TSR - VLA", VoidReason.NOT_A_STATION),
        ("RUSSIA", "A MOS - TSR - SEO", VoidReason.NOT_A_STATION),
        ("RUSSIA", "A MOS - TSR - MOS", VoidReason.SAME_PROVINCE),
        ("RUSSIA", "+A MOS - TSR - VLA", VoidReason.NO_UNIT),
    ],
)
def test_a_ride_that_breaks_the_rules_is_void(power: str, text: str, reason: VoidReason) -> None:
    scene = play({power: [text, "A BAK H"]})
    void = scene.void(text.removeprefix("+"))
    assert (void.reason, void.illegal) == (reason, True)
    if not text.startswith("+"):
        assert scene.stands(f"{power} {text[:5]}")


def test_nobody_lets_another_powers_army_ride() -> None:
    scene = play({"RUSSIA": ["A MOS H"], "CHINA": ["A BAK H", f"+{WHOLE}"]})
    assert scene.void(WHOLE).reason is VoidReason.FOREIGN_UNIT


def test_of_two_trains_none_leaves() -> None:
    other = "A VLA - TSR - IRK"
    scene = play(
        {"RUSSIA": ["A MOS - TSR - OMS", other, "A IRK S A VLA"], "CHINA": ["A MAC - VLA"]}
    )
    for text in ("A MOS - TSR - OMS", other):
        assert scene.outcomes(text) == (Void(VoidReason.SECOND_TRAIN, illegal=True),)
    assert scene.stands("RUSSIA A MOS")
    assert scene.stands("RUSSIA A VLA")
    assert scene.outcomes("A IRK S A VLA") == ()  # a void order is a hold, and may be supported


def test_without_the_option_there_is_no_railway() -> None:
    scene = play({"RUSSIA": [WHOLE]}, variant=choose("colonial", {"railway": "no"}))
    assert scene.void(WHOLE).reason is VoidReason.NO_RAILWAY


def test_a_ride_is_written_as_a_ride_in_the_results() -> None:
    (result,) = play({"RUSSIA": ["A MOS - TSR - IRK"]}).movement.results
    assert isinstance(result.order, Ride)
