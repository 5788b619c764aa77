"""The canal: rulebook 9.3, and what it leaves open as docs/rules.md decides it."""

import pytest

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import PowerId
from judge.diplomacy.outcomes import (
    Bounced,
    BounceKind,
    Cut,
    Disrupted,
    DisruptionKind,
    Void,
    VoidReason,
)
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.options import choose

from .colonial import Scene, play

SOUTH, NORTH = "F MED - RED", "F RED - MED"
LEAVE = "SC BRITAIN F RED - MED"
PRESETS = ("2000", "2023", "1971", "1982", "dptg")


def passed(scene: Scene, text: str, power: str = "TURKEY") -> bool:
    return scene.outcomes(text) == () and scene.stands(f"{power} F {text[-3:]}")


def disrupted(scene: Scene, text: str) -> DisruptionKind:
    (fate,) = scene.outcomes(text)
    assert isinstance(fate, Disrupted), fate
    assert not scene.stands(f"TURKEY F {text[-3:]}")
    return fate.kind


# --- what keeps it open (9.31 - 9.33, 9.36) -------------------------------------------------------


@pytest.mark.parametrize(
    "keeper", ["A EGY H", "F EGY H", "F EGY S F MED - RED", "A EGY S A MEC", "A EGY - MEC"]
)
def test_the_own_fleet_passes_without_leave_while_the_keeper_stays(keeper: str) -> None:
    scene = play({"TURKEY": [keeper, SOUTH, "A MEC H"]})
    assert passed(scene, SOUTH)
    assert scene.stands(f"TURKEY {keeper[:5]}")


def test_a_keeper_that_attacks_and_bounces_keeps_it_open() -> None:
    scene = play({"TURKEY": ["A EGY - SYR", SOUTH], "BRITAIN": ["A SYR H"]})
    assert passed(scene, SOUTH)


def test_a_keeper_that_leaves_closes_it() -> None:
    scene = play({"TURKEY": ["A EGY - SYR", SOUTH]})
    assert disrupted(scene, SOUTH) is DisruptionKind.CANAL_UNIT_LEFT
    assert scene.stands("TURKEY F MED")


def test_a_keeper_that_is_relieved_in_the_same_turn_closes_it_all_the_same() -> None:
    scene = play({"TURKEY": ["A EGY - SYR", "A SUD - EGY", SOUTH]})
    assert disrupted(scene, SOUTH) is DisruptionKind.CANAL_UNIT_LEFT
    assert scene.stands("TURKEY A EGY")


def test_a_dislodged_keeper_closes_it() -> None:
    attack = ["A SUD - EGY", "A MEC S A SUD - EGY"]
    scene = play({"TURKEY": ["A EGY H", SOUTH], "BRITAIN": attack})
    assert disrupted(scene, SOUTH) is DisruptionKind.DISLODGED
    assert scene.dislodged == {"A EGY"}
    (fate,) = scene.outcomes(SOUTH)
    assert isinstance(fate, Disrupted)
    assert [format_order(one) for one in fate.by] == ["A SUD - EGY"]


def test_an_attacked_keeper_that_stands_keeps_it_open() -> None:
    scene = play({"TURKEY": ["A EGY H", SOUTH], "BRITAIN": ["A SUD - EGY"]})
    assert passed(scene, SOUTH)


def test_a_closed_canal_has_no_effect_at_the_other_end() -> None:
    """The fleet that cannot pass neither bounces nor cuts there."""
    scene = play({"TURKEY": ["A EGY - SYR", SOUTH], "BRITAIN": ["F GOA - RED"]})
    assert scene.stands("BRITAIN F RED")
    cut = play(
        {
            "TURKEY": ["A EGY - SYR", SOUTH],
            "BRITAIN": ["F RED S A ERI - SUD", "A ERI - SUD"],
            "FRANCE": ["A SUD H"],
        }
    )
    assert cut.dislodged == {"A SUD"}


# --- leave (9.34, 9.35) ---------------------------------------------------------------------------


def test_a_foreign_fleet_passes_by_leave() -> None:
    scene = play({"TURKEY": ["A EGY H", LEAVE], "BRITAIN": [NORTH]})
    assert passed(scene, NORTH, "BRITAIN")
    assert scene.outcomes(LEAVE) == ()


def test_a_foreign_fleet_without_leave_stays() -> None:
    scene = play({"TURKEY": ["A EGY H"], "BRITAIN": [NORTH]})
    (void,) = scene.outcomes(NORTH)
    assert isinstance(void, Void)
    assert (void.reason, void.illegal) == (VoidReason.NO_PERMISSION, False)
    assert str(void.unit) == "A EGY"
    assert scene.stands("BRITAIN F RED")


def test_several_leaves_in_one_turn_are_good() -> None:
    scene = play(
        {
            "TURKEY": ["A EGY H", LEAVE, "SC FRANCE F MED - RED", LEAVE],
            "BRITAIN": [NORTH],
            "FRANCE": [SOUTH],
        }
    )
    for text in (NORTH, SOUTH):  # both may enter, and meet
        (bounce,) = scene.outcomes(text)
        assert isinstance(bounce, Bounced)
        assert bounce.kind is BounceKind.HEAD_TO_HEAD
    assert scene.outcomes(LEAVE) == ()
    assert scene.outcomes("SC FRANCE F MED - RED") == ()


def test_leave_for_a_fleet_that_does_not_go_is_void() -> None:
    scene = play({"TURKEY": ["A EGY H", LEAVE], "BRITAIN": ["F RED H"]})
    void = scene.void(LEAVE)
    assert (void.reason, void.illegal) == (VoidReason.NOT_PASSING, False)
    assert void.order is not None
    assert format_order(void.order) == "F RED H"


def test_leave_for_ones_own_fleet_does_no_harm() -> None:
    scene = play({"TURKEY": ["A EGY H", SOUTH, "SC TURKEY F MED - RED"]})
    assert passed(scene, SOUTH)


def test_leave_beside_a_keeper_that_goes_is_closed_with_it() -> None:
    scene = play({"TURKEY": ["A EGY - SYR", LEAVE], "BRITAIN": [NORTH]})
    (fate,) = scene.outcomes(NORTH)
    assert isinstance(fate, Disrupted)
    assert fate.kind is DisruptionKind.CANAL_UNIT_LEFT


# --- conflicts (9.37) -----------------------------------------------------------------------------


def test_two_fleets_from_both_ends_do_not_change_places() -> None:
    order_sets = {"TURKEY": ["A EGY H", SOUTH, LEAVE], "BRITAIN": [NORTH]}
    scene = play(order_sets)
    assert scene.stands("TURKEY F MED")
    assert scene.stands("BRITAIN F RED")
    won = play({**order_sets, "TURKEY": [*order_sets["TURKEY"], "F SUD S F MED - RED"]})
    assert won.dislodged == {"F RED"}
    (one,) = won.movement.dislodged
    assert "MED" not in {place.province for place in one.retreats}


def test_a_fleet_without_leave_is_not_held_by_supports_of_its_passage() -> None:
    scene = play(
        {
            "TURKEY": ["F EGY S F MED - RED", SOUTH],
            "BRITAIN": [NORTH, "F SYR S F RED - MED"],
        }
    )
    assert passed(scene, SOUTH)
    assert scene.dislodged == {"F RED"}


def test_a_passage_cuts_support() -> None:
    scene = play(
        {
            "TURKEY": ["A EGY H", SOUTH],
            "BRITAIN": ["F RED S A ERI - SUD", "A ERI - SUD"],
            "FRANCE": ["A SUD H"],
        }
    )
    assert any(isinstance(each, Cut) for each in scene.outcomes("F RED S A ERI - SUD"))
    assert scene.dislodged == set()


@pytest.mark.parametrize("helper", ["TURKEY", "FRANCE"])
def test_anyone_beside_the_goal_may_support_a_passage(helper: str) -> None:
    scene = play(
        {"TURKEY": ["A EGY H", SOUTH], "BRITAIN": ["F RED H"], "FRANCE": []}
        | (
            {"TURKEY": ["A EGY H", SOUTH, "F SUD S F MED - RED"]}
            if helper == "TURKEY"
            else {"FRANCE": ["F SUD S F MED - RED"]}
        )
    )
    assert passed(scene, SOUTH)
    assert scene.dislodged == {"F RED"}


def test_nobody_supports_through_the_canal() -> None:
    """A fleet supports where it could go by itself; the canal makes no neighbors of its ends."""
    scene = play({"TURKEY": ["A EGY H", "F MED S F GOA - RED", "F GOA - RED"]})
    assert scene.void("F MED S F GOA - RED").reason is VoidReason.CANNOT_SUPPORT_THERE


def test_nobody_retreats_through_the_canal() -> None:
    scene = play(
        {"TURKEY": ["A EGY H", "F MED H"], "BRITAIN": ["F CON - MED", "F ANG S F CON - MED"]}
    )
    (one,) = scene.movement.dislodged
    assert "RED" not in {place.province for place in one.retreats}
    assert one.retreats


# --- paradoxes (4.A.2) ----------------------------------------------------------------------------

SUPPORTED = {
    "TURKEY": ["A EGY H", SOUTH],
    "BRITAIN": ["F RED S A SUD - EGY", "A SUD - EGY"],
}
"""The passing fleet attacks the support that closes the canal to it: two answers."""


@pytest.mark.parametrize("preset", PRESETS)
def test_a_passage_does_not_save_its_own_keeper(preset: str) -> None:
    scene = play(SUPPORTED, preset=preset)
    assert scene.dislodged == {"A EGY"}
    assert scene.stands("TURKEY F MED")
    assert scene.outcomes("F RED S A SUD - EGY") == ()
    kinds = {"2023": DisruptionKind.PARADOX, "dptg": DisruptionKind.PARADOX}
    assert disrupted(scene, SOUTH) is kinds.get(preset, DisruptionKind.DISLODGED)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_cut_support_that_held_the_keeper_closes_the_canal_or_not(preset: str) -> None:
    """The passing fleet attacks what keeps it open: the keeper's own support. No answer at all."""
    scene = play(
        {
            "TURKEY": ["A EGY H", "SC BRITAIN F MED - RED", "F RED S A EGY"],
            "BRITAIN": [SOUTH, "A SUD - EGY", "A MEC S A SUD - EGY"],
        },
        preset=preset,
    )
    assert scene.stands("BRITAIN F MED")
    assert scene.stands("TURKEY A EGY")
    kind = DisruptionKind.ALL_HOLD if preset == "dptg" else DisruptionKind.PARADOX
    (fate,) = scene.outcomes(SOUTH)
    if preset == "1982":
        assert isinstance(fate, Bounced)  # it passes, and cuts no support for the keeper
    else:
        assert isinstance(fate, Disrupted)
        assert fate.kind is kind


def test_all_hold_stops_every_move_of_the_paradox() -> None:
    rules = Rules.from_choices({"4.A.2": "all_hold"})
    scene = play(SUPPORTED, preset=rules)
    assert scene.dislodged == set()
    assert scene.stands("BRITAIN A SUD")
    assert disrupted(scene, SOUTH) is DisruptionKind.ALL_HOLD


@pytest.mark.parametrize("preset", PRESETS)
def test_a_rival_goes_where_a_paradox_stops_the_passage(preset: str) -> None:
    """The keeper follows the fleet that it lets pass: no answer at all. Whoever is weighed against
    that fleet before this is settled must not be held off by it afterwards."""
    rival = "F ADE - RED"
    scene = play(
        {
            "TURKEY": ["F EGY - MED", "SC BRITAIN F MED - RED", "F GOA S F MED - RED"],
            "BRITAIN": [SOUTH, rival],
            "RUSSIA": ["F ERI S F MED - RED"],
        },
        preset=preset,
    )
    (fate,) = scene.outcomes(SOUTH)
    assert isinstance(fate, Disrupted)
    assert scene.outcomes(rival) == ()
    assert scene.stands("BRITAIN F RED")
    assert scene.stands("TURKEY F EGY")


def test_a_ring_that_the_passage_would_stop_goes_round() -> None:
    """Two answers: the keeper stays and the fleets meet in RED, or it goes and closes the canal."""
    ring = ["F EGY - RED", "F RED - SUD", "F SUD - EGY"]
    scene = play({"TURKEY": [*ring, SOUTH]})
    assert scene.stands("TURKEY F MED")
    assert scene.movement.contested == ()
    assert all(scene.outcomes(text) == () for text in ring)


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keeper", "leave", "reason"),
    [
        ("A SYR H", LEAVE, VoidReason.NO_CANAL_UNIT),
        ("A EGY H", "SC BRITAIN F MED - RED", VoidReason.NOT_AT_CANAL),
        ("A EGY H", "SC BRITAIN F GOA - RED", VoidReason.NOT_AT_CANAL),
        ("A EGY H", "SC BRITAIN F RED - GOA", VoidReason.NOT_AT_CANAL),
        ("A EGY H", "SC FRANCE F RED - MED", VoidReason.OTHERS_FLEET),
    ],
)
def test_a_leave_that_breaks_the_rules_is_void(keeper: str, leave: str, reason: VoidReason) -> None:
    scene = play({"TURKEY": [keeper, leave], "BRITAIN": [NORTH, "F GOA H"]})
    (aside,) = scene.movement.set_aside
    assert (aside.void.reason, aside.void.illegal) == (reason, True)
    assert aside.power == PowerId("TURKEY")
    assert scene.stands("BRITAIN F RED")


def test_leave_of_another_power_than_the_keepers_is_void() -> None:
    scene = play({"TURKEY": ["A EGY H"], "FRANCE": ["A SYR H", LEAVE], "BRITAIN": [NORTH]})
    (aside,) = scene.movement.set_aside
    assert aside.void.reason is VoidReason.NO_CANAL_UNIT
    assert scene.stands("BRITAIN F RED")


@pytest.mark.parametrize("rule", ["illegal_orders_ignored", "impossible_move_still_a_move"])
def test_without_a_keeper_there_is_no_passage(rule: str) -> None:
    scene = play({"TURKEY": [SOUTH]}, preset=Rules.from_choices({"4.E.1": rule}))
    assert scene.stands("TURKEY F MED")
    (result,) = scene.movement.results
    assert not result.succeeded


def test_an_army_does_not_pass() -> None:
    scene = play({"TURKEY": ["A EGY H", "A SYR - RED"]})
    assert scene.void("A SYR - RED").reason is VoidReason.CANNOT_STAND


def test_without_the_option_there_is_no_canal() -> None:
    variant = choose("colonial", {"canal": "no"})
    scene = play({"TURKEY": ["A EGY H", SOUTH, LEAVE], "BRITAIN": []}, variant=variant)
    assert scene.stands("TURKEY F MED")
    assert scene.void(SOUTH).reason is VoidReason.NOT_ADJACENT
    (aside,) = scene.movement.set_aside
    assert aside.void.reason is VoidReason.NO_CANAL
