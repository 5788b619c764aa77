"""Phase after phase: retreats, ownership, adjustments, civil disorder, victory, and skipping."""

from collections.abc import Mapping, Sequence

from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.notation import format_order, parse_order
from judge.diplomacy.orders import PowerId, ProvinceId, WrittenOrder
from judge.diplomacy.outcomes import Disbanded, DisbandReason, DislodgedBy, RetreatClash, Void
from judge.diplomacy.position import Position, sort_units
from judge.diplomacy.report import phase_report
from judge.diplomacy.rules import Rules
from judge.diplomacy.sequence import Played, play
from judge.diplomacy.variants.variant import load_variant, parse_unit

STANDARD = load_variant("standard")
RULES = Rules.preset("2000")


def position(
    label: str, units: Mapping[str, Sequence[str]], centers: Mapping[str, Sequence[str]]
) -> Position:
    stand = [parse_unit(PowerId(power), text) for power, own in units.items() for text in own]
    owners = {
        ProvinceId(center): PowerId(power) for power, own in centers.items() for center in own
    }
    return Position(parse_phase(label), sort_units(stand, STANDARD.power_ids), owners)


def run(before: Position, *lines: str, missing: Sequence[str] = ()) -> tuple[Played, ...]:
    """Lines such as `FRANCE: A PAR - BUR`."""
    order_sets: dict[PowerId, list[WrittenOrder]] = {}
    for line in lines:
        power, _, text = line.partition(": ")
        order = parse_order(text, STANDARD)
        assert not isinstance(order, Fault), (text, order)
        order_sets.setdefault(PowerId(power), []).append(order)
    return play(STANDARD, RULES, before, order_sets, frozenset(map(PowerId, missing)))


def units(played: Played) -> list[str]:
    return [f"{unit.power}: {unit}" for unit in played.after.units]


def fates(played: Played) -> dict[str, tuple[type, ...]]:
    return {
        format_order(one.order): tuple(type(each) for each in one.outcomes)
        for one in played.results
    }


def test_a_center_entered_in_spring_and_left_in_fall_does_not_change_hands() -> None:
    spring = run(
        position("S1901M", {"FRANCE": ["A PIC"]}, {"FRANCE": ["PAR"]}), "FRANCE: A PIC - BEL"
    )
    assert "BEL" not in spring[-1].after.owners
    fall = run(spring[-1].after, "FRANCE: A BEL - BUR")
    assert fall[-1].after.centers_of(PowerId("FRANCE")) == ("PAR",)


def test_a_center_that_nobody_stands_in_stays_its_owners() -> None:
    fall = run(
        position("F1901M", {"FRANCE": ["A PAR"]}, {"FRANCE": ["PAR", "MAR"], "ITALY": ["VEN"]})
    )
    assert fall[-1].after.centers_of(PowerId("FRANCE")) == ("MAR", "PAR")
    assert fall[-1].after.centers_of(PowerId("ITALY")) == ("VEN",)


def test_a_retreat_into_a_center_in_fall_takes_it() -> None:
    dislodged = run(
        position("F1901M", {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}, {}),
        "GERMANY: A MUN - BUR",
        "GERMANY: A RUH S A MUN - BUR",
    )
    assert str(dislodged[-1].after.phase) == "F1901R"
    retreat = run(dislodged[-1].after, "FRANCE: A BUR R BEL")
    assert retreat[0].after.owners["BEL"] == "FRANCE"


def test_phases_without_a_choice_run_one_after_another() -> None:
    played = run(position("F1901M", {"FRANCE": ["A BUR"]}, {"FRANCE": ["PAR"]}))
    assert [str(each.phase) for each in played] == ["F1901M", "F1901R", "W1901A"]
    assert str(played[-1].after.phase) == "S1902M"


def test_builds_without_an_open_home_center_are_no_choice() -> None:
    closed = position("F1901M", {"FRANCE": ["A PAR"]}, {"FRANCE": ["PAR", "BEL", "SPA"]})
    assert str(run(closed)[-1].after.phase) == "S1902M"
    open_ = position("F1901M", {"FRANCE": ["A BUR"]}, {"FRANCE": ["PAR", "BEL", "SPA"]})
    assert str(run(open_)[-1].after.phase) == "W1901A"


def test_a_power_that_loses_all_its_units_has_no_choice() -> None:
    played = run(position("F1901M", {"ITALY": ["A TYR"], "FRANCE": ["A PAR"]}, {"FRANCE": ["PAR"]}))
    assert units(played[-1]) == ["FRANCE: A PAR"]
    assert fates(played[-1]) == {"A TYR D": (Disbanded,)}


def test_units_that_retreat_to_one_province_are_disbanded() -> None:
    dislodged = run(
        position(
            "S1901M",
            {
                "ITALY": ["A BOH", "A VIE"],
                "AUSTRIA": ["A BUD", "A TRI"],
                "GERMANY": ["A MUN", "A SIL"],
            },
            {},
        ),
        "AUSTRIA: A TRI - VIE",
        "AUSTRIA: A BUD S A TRI - VIE",
        "GERMANY: A SIL - BOH",
        "GERMANY: A MUN S A SIL - BOH",
    )
    retreat = run(dislodged[-1].after, "ITALY: A BOH R TYR", "ITALY: A VIE R TYR")
    clash = (RetreatClash, Disbanded)
    assert fates(retreat[0]) == {"A BOH R TYR": clash, "A VIE R TYR": clash}
    assert not retreat[0].after.units_of(PowerId("ITALY"))


def test_a_missed_retreat_disbands() -> None:
    dislodged = run(
        position("S1901M", {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]}, {}),
        "GERMANY: A MUN - BUR",
        "GERMANY: A RUH S A MUN - BUR",
    )
    (result,) = run(dislodged[-1].after)[0].results
    assert result.outcomes == (Disbanded(DisbandReason.NOT_ORDERED),)


def test_partial_builds_are_carried_out_and_the_rest_waived() -> None:
    before = position("W1901A", {}, {"FRANCE": ["PAR", "MAR", "BRE"]})
    played = run(before, "FRANCE: A PAR B")
    assert units(played[0]) == ["FRANCE: A PAR"]


def test_a_power_that_disbands_has_left_out_no_build() -> None:
    before = position(
        "W1901A",
        {"GERMANY": ["A MUN", "A BER"], "ITALY": ["A ROM"]},
        {"GERMANY": ["MUN"], "ITALY": ["ROM", "NAP", "VEN"]},
    )
    played, *_ = run(before, "ITALY: A NAP B")
    told = phase_report(
        STANDARD, before, played, disorder=(), unordered=(), joining=None, written={}
    )
    assert told.waived == {"ITALY": 1}


def test_more_builds_than_are_due_are_void_from_the_first_that_is_too_many() -> None:
    before = position("W1901A", {"FRANCE": ["A BUR"]}, {"FRANCE": ["PAR", "MAR"]})
    played = run(before, "FRANCE: A PAR B", "FRANCE: A MAR B")
    assert fates(played[0]) == {"A PAR B": (), "A MAR B": (Void,)}


def test_removals_that_are_not_ordered_take_the_farthest_unit() -> None:
    before = position(
        "W1901A", {"RUSSIA": ["A MOS", "A LVN", "F NAF", "A BUR"]}, {"RUSSIA": ["MOS", "WAR"]}
    )
    played = run(before, "RUSSIA: A LVN D")
    assert units(played[0]) == ["RUSSIA: A BUR", "RUSSIA: A MOS"]
    assert fates(played[0]) == {"A LVN D": (), "F NAF D": (Disbanded,)}


def test_fleets_go_before_armies_then_by_the_alphabet() -> None:
    before = position("W1901A", {"ITALY": ["F TUS", "A PIE", "A APU"]}, {"ITALY": ["ROM"]})
    gone = [format_order(one.order) for one in run(before)[0].results]
    assert gone == ["A APU D", "F TUS D"]


def test_a_power_in_civil_disorder_holds_and_loses_what_is_dislodged() -> None:
    before = position("S1901M", {"FRANCE": ["A BUR", "A PAR"], "GERMANY": ["A MUN", "A RUH"]}, {})
    played = run(
        before,
        "FRANCE: A PAR S A BUR",
        "GERMANY: A MUN - BUR",
        "GERMANY: A RUH S A MUN - BUR",
        missing=["FRANCE"],
    )
    assert fates(played[0])["A BUR H"] == (DislodgedBy, Disbanded)
    assert units(played[0]) == ["FRANCE: A PAR", "GERMANY: A BUR", "GERMANY: A RUH"]
    assert str(played[-1].after.phase) == "F1901M"


def test_others_may_support_a_unit_in_civil_disorder() -> None:
    before = position(
        "S1901M",
        {"FRANCE": ["A BUR"], "ENGLAND": ["A PIC"], "GERMANY": ["A MUN", "A RUH"]},
        {},
    )
    played = run(
        before,
        "ENGLAND: A PIC S A BUR",
        "GERMANY: A MUN - BUR",
        "GERMANY: A RUH S A MUN - BUR",
        missing=["FRANCE"],
    )
    assert fates(played[0])["A BUR H"] == ()


def test_a_power_in_civil_disorder_builds_nothing() -> None:
    before = position("W1901A", {}, {"FRANCE": ["PAR"]})
    assert units(run(before, "FRANCE: A PAR B", missing=["FRANCE"])[0]) == []


def test_eighteen_centers_after_fall_win_and_end_the_run() -> None:
    seventeen = list(STANDARD.board.centers[:17])
    last = STANDARD.board.centers[17]
    before = position("F1905M", {"TURKEY": [f"A {last}"]}, {"TURKEY": seventeen})
    played = run(before)
    assert played[-1].winners == ("TURKEY",)
    assert str(played[-1].phase) == "F1905R"
    spring = position("S1905M", {"TURKEY": [f"A {last}"]}, {"TURKEY": seventeen})
    assert run(spring)[-1].winners == ()
