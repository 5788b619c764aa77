"""Fewer players than powers: seats of several powers, powers of nobody, the coin for Italy.

Rule: rulebook 2000 on fewer players; what it leaves open stands in docs/rules.md.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from judge.diplomacy import adjudicate_line
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.orders import PowerId, ProvinceId
from judge.diplomacy.records import PhaseReport, View
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.variants.options import choose
from judge.diplomacy.variants.variant import parse_unit
from judge.rulebook import Line, OrderSet, RandomStream, Reading, SeatId

from .variant_folders import copy_of, faults_of

AUSTRIA_FRANCE = SeatId("AUSTRIA_FRANCE")
ALLIES = SeatId("ENGLAND_FRANCE_RUSSIA")
CENTRAL = SeatId("AUSTRIA_GERMANY_TURKEY")


def start(players: int, **options: str) -> DiplomacyGame:
    return RULEBOOK.start("standard", {"players": str(players), **options})


def state_at(label: str, players: int, units: str, centers: Mapping[str, str]) -> DiplomacyGame:
    """A game in the middle: `FRANCE A PAR, F BRE; AUSTRIA A VIE`."""
    rows = [row.split(" ", 1) for row in units.split("; ")]
    stand = tuple(
        parse_unit(PowerId(power), unit) for power, named in rows for unit in named.split(", ")
    )
    owners = {
        ProvinceId(center): PowerId(power)
        for power, held in centers.items()
        for center in held.split()
    }
    return DiplomacyGame(replace(start(players).stored, label=label, units=stand, owners=owners))


def read(state: DiplomacyGame, seat: SeatId, *lines: str, order_set: OrderSet = ()) -> Reading:
    return state.read(seat, lines, order_set)


def taken(reading: Reading) -> dict[str, str]:
    return {one.line.key: one.line.text for one in reading.understood}


def faults(reading: Reading) -> list[str]:
    return [problem.kind for problem in reading.problems]


def lines(*texts: str) -> OrderSet:
    return tuple(Line(str(number), text) for number, text in enumerate(texts))


def resolve(
    state: DiplomacyGame,
    order_sets: Mapping[SeatId, OrderSet],
    seed: bytes = b"seed",
    *missing: SeatId,
) -> tuple[DiplomacyGame, list[PhaseReport]]:
    rng = RandomStream(seed, state.phase.serial)
    done = state.resolve(order_sets, frozenset(missing), rng)
    return done.game, [PhaseReport.from_bytes(report.public) for report in done.reports]


def ask(**keys: Any) -> dict[str, Any]:
    return adjudicate_line(json.dumps({"id": "x", "phase": "S1901M", "units": {}, **keys}))


def units_of(state: DiplomacyGame, power: str) -> list[str]:
    return [str(unit) for unit in state.stored.units if unit.power == power]


# --- who plays what -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (7, "AUSTRIA ENGLAND FRANCE GERMANY ITALY RUSSIA TURKEY"),
        (6, "AUSTRIA ENGLAND FRANCE GERMANY RUSSIA TURKEY"),
        (5, "AUSTRIA ENGLAND FRANCE RUSSIA TURKEY"),
        (4, "ENGLAND AUSTRIA_FRANCE GERMANY_TURKEY ITALY_RUSSIA"),
        (3, "ENGLAND_GERMANY_AUSTRIA RUSSIA_ITALY FRANCE_TURKEY"),
        (2, "ENGLAND_FRANCE_RUSSIA AUSTRIA_GERMANY_TURKEY"),
    ],
)
def test_each_number_of_players_has_its_seats(players: int, seats: str) -> None:
    found = RULEBOOK.seats("standard", {"players": str(players)})
    assert [seat.id for seat in found] == seats.split()
    letters = [seat.letter for seat in found]
    assert letters == [seat[0] for seat in seats.split()]
    assert [awaited.seat for awaited in start(players).awaited] == seats.split()


def test_a_seat_has_the_names_and_letters_of_all_its_powers() -> None:
    _, seat, *_ = RULEBOOK.seats("standard", {"players": "4"})
    assert {"AUSTRIA_FRANCE", "AUSTRIA", "France", "프랑스", "F"} <= set(seat.names)
    (english, *_) = RULEBOOK.seats("standard", {"players": "4"})
    assert "E" not in english.names  # it is its letter


def test_a_variant_with_other_powers_has_no_tables_of_its_base() -> None:
    assert choose("france_austria", {}).tables == {}
    assert list(choose("fleet_rome", {}).tables) == ["6", "5", "4", "3", "2"]


# --- powers of nobody -----------------------------------------------------------------------------


def test_units_of_nobody_hold_and_are_disbanded_where_they_are_dislodged() -> None:
    state = state_at(
        "S1901M",
        6,
        "AUSTRIA A TRI, A TYR, A PIE; ITALY A ROM, A VEN, F NAP; FRANCE A MAR",
        {"ITALY": "ROM VEN NAP", "AUSTRIA": "TRI", "FRANCE": "MAR"},
    )
    orders = lines("A TRI - VEN", "A TYR S A TRI - VEN", "A PIE H")
    state, (first, *skipped) = resolve(state, {SeatId("AUSTRIA"): orders})
    fallen = next(result for result in first.results if str(result.unit) == "A VEN")
    assert [getattr(outcome, "reason", None) for outcome in fallen.outcomes][-1] == "not_played"
    assert [(str(each.unit), each.retreats) for each in first.dislodged] == [("A VEN", ())]
    assert [report.label for report in skipped] == ["S1901R"]  # nobody is asked
    assert units_of(state, "ITALY") == ["A ROM", "F NAP"]


@pytest.mark.parametrize("rules", ["2000", {"preset": "2000", "4.D.9": "a"}])
def test_units_of_nobody_may_be_supported_and_support_nobody(rules: object) -> None:
    answer = ask(
        options={"players": 6},
        rules=rules,
        units={"ITALY": ["A VEN", "A ROM"], "AUSTRIA": ["A TRI", "A TYR"], "FRANCE": ["A PIE"]},
        orders={
            "AUSTRIA": ["A TRI - VEN", "A TYR S A TRI - VEN"],
            "FRANCE": ["A PIE S A VEN"],
            "ITALY": ["A ROM S A VEN"],
        },
    )
    results = {row["order"]: row["outcome"] for own in answer["results"].values() for row in own}
    assert results == {
        "A TRI - VEN": ["bounce"],
        "A TYR S A TRI - VEN": [],
        "A PIE S A VEN": [],
        "A ROM H": [],
        "A VEN H": [],
    }
    (problem,) = answer["problems"]
    assert (problem["power"], problem["error"]) == ("ITALY", "nobody plays ITALY in this game")


def test_a_power_of_nobody_loses_centers_and_neither_builds_nor_removes() -> None:
    answer = ask(
        options={"players": 5},
        phase="F1901R",
        units={"ITALY": ["A APU", "F NAP"], "GERMANY": ["A BER"], "AUSTRIA": ["A VEN"]},
        centers={"ITALY": ["VEN", "ROM"], "GERMANY": ["BER", "KIE"], "AUSTRIA": ["VIE"]},
    )
    assert answer["centers"]["ITALY"] == ["NAP", "ROM"]
    assert answer["centers"]["AUSTRIA"] == ["VEN", "VIE"]
    assert answer["next_phase"] == "W1901A"  # Austria builds
    winter = ask(
        options={"players": 5},
        phase="W1901A",
        units={"ITALY": ["A APU", "F NAP"], "GERMANY": ["A BER"], "AUSTRIA": ["A VEN"]},
        centers={"ITALY": ["NAP"], "GERMANY": ["BER", "KIE"], "AUSTRIA": ["VEN", "VIE"]},
    )
    assert winter["results"] == {}
    assert winter["units"]["ITALY"] == ["A APU", "F NAP"]
    assert winter["units"]["GERMANY"] == ["A BER"]


def test_a_game_of_which_only_units_of_nobody_are_left_does_not_run_for_ever() -> None:
    answer = ask(options={"players": 6}, units={"ITALY": ["A ROM"]}, centers={"ITALY": ["ROM"]})
    assert answer["units"] == {"ITALY": ["A ROM"]}


# --- seats of several powers ----------------------------------------------------------------------


def test_orders_of_all_powers_are_read_from_one_letter() -> None:
    reading = read(
        start(4),
        AUSTRIA_FRANCE,
        "A VIE - TYR; A MAR S A PAR - BUR",
        "France: A PAR - BUR",
        "Austria:",
        "F TRI S A VIE - TYR",
        "Bud hold",
    )
    assert taken(reading) == {
        "VIE": "A VIE - TYR",
        "MAR": "A MAR S A PAR - BUR",
        "PAR": "A PAR - BUR",
        "BUD": "A BUD H",
    }
    assert faults(reading) == ["cannot_support_there"]
    assert read(start(4), AUSTRIA_FRANCE, "A MUN H").problems[0].kind == "foreign_unit"


def test_a_support_that_the_other_power_leaves_without_sense_is_warned_of() -> None:
    state = state_at("S1901M", 4, "AUSTRIA A TYR; FRANCE A BUR", {})
    (support, _) = read(state, AUSTRIA_FRANCE, "A TYR S A BUR - MUN", "A BUR - PAR").understood
    assert [note.kind for note in support.notes] == ["supported_elsewhere"]


def test_a_power_may_dislodge_a_unit_of_the_same_player() -> None:
    state = state_at("S1901M", 4, "AUSTRIA A MUN; FRANCE A BUR, A RUH", {})
    reading = read(state, AUSTRIA_FRANCE, "A MUN H", "A BUR - MUN", "A RUH S A BUR - MUN")
    assert [note.kind for one in reading.understood for note in one.notes] == []
    order_set = tuple(one.line for one in reading.understood)
    state, (report, *_) = resolve(state, {AUSTRIA_FRANCE: order_set})
    assert [str(each.unit) for each in report.dislodged] == ["A MUN"]
    assert [awaited.due for awaited in state.awaited] == [1]


WINTER = state_at(
    "W1901A",
    4,
    "AUSTRIA A VIE; FRANCE A SPA; ENGLAND F LON",
    {"AUSTRIA": "VIE BUD TRI", "FRANCE": "SPA PAR", "ENGLAND": "LON"},
)
SURPLUS = state_at(
    "W1901A",
    4,
    "AUSTRIA A VIE, A BUD; FRANCE A SPA",
    {"AUSTRIA": "VIE", "FRANCE": "SPA PAR BRE"},
)


def test_builds_are_counted_power_by_power() -> None:
    (awaited,) = WINTER.awaited
    assert (awaited.seat, awaited.due) == (AUSTRIA_FRANCE, 3)
    reading = read(WINTER, AUSTRIA_FRANCE, "A PAR B", "F BRE B", "A BUD B")
    assert taken(reading) == {"B PAR": "A PAR B", "B BUD": "A BUD B"}
    (problem,) = reading.problems
    assert (problem.kind, problem.written) == ("not_owned", "F BRE B")


def test_one_power_builds_while_the_other_removes() -> None:
    (awaited,) = SURPLUS.awaited
    assert awaited.due == 3
    reading = read(SURPLUS, AUSTRIA_FRANCE, "A PAR B", "F BRE B", "A BUD D")
    assert faults(reading) == []
    state, (report, *_) = resolve(
        SURPLUS, {AUSTRIA_FRANCE: tuple(one.line for one in reading.understood)}
    )
    assert units_of(state, "AUSTRIA") == ["A VIE"]
    assert units_of(state, "FRANCE") == ["A PAR", "A SPA", "F BRE"]
    assert report.unordered == ()


def test_a_removal_is_not_a_choice_of_the_other_power() -> None:
    reading = read(SURPLUS, AUSTRIA_FRANCE, "A SPA D")
    assert faults(reading) == ["no_disband_due"]
    state, _ = resolve(SURPLUS, {AUSTRIA_FRANCE: lines("A PAR B")})
    assert units_of(state, "AUSTRIA") == ["A VIE"]  # by the rule: A BUD comes first


@pytest.mark.parametrize(
    ("letter", "stored"),
    [
        (("waive",), ["AUSTRIA WAIVE"]),
        (("France: waive",), ["FRANCE WAIVE"]),
        (("프랑스: 배치 포기",), ["FRANCE WAIVE"]),
        (("A BUD B", "F TRI B", "waive"), ["A BUD B", "F TRI B", "FRANCE WAIVE"]),
        (("A PAR B", "waive 2"), ["A PAR B", "AUSTRIA WAIVE", "AUSTRIA WAIVE"]),
        (("waive 3",), ["AUSTRIA WAIVE", "AUSTRIA WAIVE", "FRANCE WAIVE"]),
    ],
)
def test_a_waive_counts_for_the_power_with_builds_left(
    letter: tuple[str, ...], stored: list[str]
) -> None:
    reading = read(WINTER, AUSTRIA_FRANCE, *letter)
    assert [one.line.text for one in reading.understood] == stored
    assert reading.problems == ()
    assert len({one.line.key for one in reading.understood}) == len(stored)


def test_a_waive_more_than_a_power_has_builds_is_refused() -> None:
    reading = read(WINTER, AUSTRIA_FRANCE, "France: waive", "A PAR B")
    assert [one.line.text for one in reading.understood] == ["FRANCE WAIVE"]
    assert faults(reading) == ["no_build_due"]


def test_a_new_build_makes_room_among_those_of_its_own_power() -> None:
    first = read(WINTER, AUSTRIA_FRANCE, "A PAR B", "A BUD B", "AUSTRIA WAIVE")
    order_set = WINTER.merge(AUSTRIA_FRANCE, (), [one.line for one in first.understood])
    assert len(order_set) == 3
    (again,) = read(WINTER, AUSTRIA_FRANCE, "F TRI B", order_set=order_set).understood
    merged = WINTER.merge(AUSTRIA_FRANCE, order_set, [again.line])
    assert [(line.text, line.kept) for line in merged] == [
        ("A PAR B", True),
        ("AUSTRIA WAIVE", True),
        ("F TRI B", False),
    ]


def test_orders_ahead_are_for_the_power_whose_phase_it_is() -> None:
    state = start(4)
    advance = state.read(
        AUSTRIA_FRANCE, ["A PAR B", "F TRI B", "France: waive", "waive", "A SPA D"], label="W1901A"
    )
    assert [one.line.text for one in advance.understood] == [
        "A PAR B",
        "F TRI B",
        "FRANCE WAIVE",
        "WAIVE",
        "A SPA D",
    ]
    order_set = tuple(one.line for one in advance.understood)
    opened = WINTER.open_advance(AUSTRIA_FRANCE, order_set)
    assert [one.line.text for one in opened.understood] == ["A PAR B", "F TRI B", "AUSTRIA WAIVE"]
    assert opened.problems == ()
    assert faults(state.read(AUSTRIA_FRANCE, ["Italy: A ROM H"], label="F1901M")) == ["wrong_power"]


def test_a_missing_player_is_missing_with_all_powers() -> None:
    state, (report, *_) = resolve(start(4), {}, b"", AUSTRIA_FRANCE)
    assert report.disorder == ("AUSTRIA", "FRANCE")
    assert report.unordered == ("ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    assert state.phase.label == "F1901M"


def test_a_power_without_orders_is_told_though_the_other_has_some() -> None:
    _, (report, *_) = resolve(start(4), {AUSTRIA_FRANCE: lines("A PAR - BUR")})
    assert "AUSTRIA" in report.unordered
    assert "FRANCE" not in report.unordered


def test_a_seat_is_in_play_while_one_of_its_powers_is() -> None:
    state = state_at("S1902M", 4, "FRANCE A PAR; ENGLAND F LON", {"FRANCE": "PAR BRE"})
    result = state.result
    assert result.survivors == (SeatId("ENGLAND"), AUSTRIA_FRANCE)
    assert result.scores[AUSTRIA_FRANCE] == 2


# --- victory --------------------------------------------------------------------------------------

NINE = "VIE BUD TRI SER GRE BUL RUM VEN ROM"
OTHER_NINE = "PAR BRE MAR SPA POR BEL HOL LON LVP"


@pytest.mark.parametrize(
    ("options", "winners"),
    [
        ({}, []),
        ({"victory_by": "player"}, ["AUSTRIA", "FRANCE"]),
        ({"victory": 9}, ["AUSTRIA", "FRANCE"]),  # both lead, and are one player's
    ],
)
def test_a_power_wins_for_its_player_or_all_of_his_together(
    options: dict[str, object], winners: list[str]
) -> None:
    answer = ask(
        options={"players": 4, **options},
        phase="F1905R",
        units={"AUSTRIA": ["A VIE"], "FRANCE": ["A PAR"]},
        centers={"AUSTRIA": NINE.split(), "FRANCE": OTHER_NINE.split(), "ENGLAND": ["EDI"]},
    )
    assert answer["winners"] == winners


@pytest.mark.parametrize(
    ("turkey", "winners"),
    [
        ("ANK CON SMY SEV WAR MOS STP EDI", []),
        ("ANK CON SMY SEV WAR MOS STP EDI NAP", ["AUSTRIA", "GERMANY", "TURKEY"]),
    ],
)
def test_two_players_win_with_24_centers_of_their_side(turkey: str, winners: list[str]) -> None:
    centers = {"AUSTRIA": NINE, "GERMANY": "BER KIE MUN DEN SWE NWY", "TURKEY": turkey}
    answer = ask(
        options={"players": 2},
        phase="F1914R",
        units={"TURKEY": ["A CON"], "ENGLAND": ["F LON"]},
        centers={power: held.split() for power, held in centers.items()},
    )
    assert answer["winners"] == winners


def test_the_centers_of_a_power_that_has_joined_count_for_its_side() -> None:
    joined = {"players": 2, "joined": "AUSTRIA_GERMANY_TURKEY", "victory": 4}
    answer = ask(
        options=joined,
        phase="F1915R",
        units={"ITALY": ["A ROM"], "AUSTRIA": ["A VIE"]},
        centers={"ITALY": ["ROM", "NAP"], "AUSTRIA": ["VIE", "BUD"], "ENGLAND": ["LON"]},
    )
    assert answer["winners"] == ["AUSTRIA", "GERMANY", "ITALY", "TURKEY"]


# --- two players, Italy and the coin --------------------------------------------------------------


def test_two_players_begin_in_1914_and_nobody_orders_italy() -> None:
    state = start(2)
    assert state.phase.label == "S1914M"
    assert [(one.seat, one.due) for one in state.awaited] == [(ALLIES, 10), (CENTRAL, 9)]
    assert faults(read(state, CENTRAL, "A VEN - PIE")) == ["foreign_unit"]


@pytest.mark.parametrize(
    ("seat", "order"),
    [
        (ALLIES, "A PIC - TUS"),
        (ALLIES, "A MAR - PIE"),
        (ALLIES, "A MAR - ROM VIA"),
        (ALLIES, "F LYO - TUS"),
        (ALLIES, "F LYO C A MAR - TUS"),
        (ALLIES, "F LYO S A MAR - PIE"),
        (CENTRAL, "A TRI S A VEN"),
    ],
)
def test_nothing_enters_a_neutral_province(seat: SeatId, order: str) -> None:
    units = "FRANCE A MAR, A PIC, F LYO; AUSTRIA A TRI; ITALY A VEN"
    (problem,) = read(state_at("S1914M", 2, units, {}), seat, order).problems
    assert problem.kind == "closed"
    assert problem.written[problem.start : problem.end] in ("TUS", "PIE", "ROM", "VEN")


def test_nobody_retreats_into_a_neutral_province() -> None:
    state = state_at(
        "S1914M",
        2,
        "FRANCE A TYR; AUSTRIA A TRI, A VIE; GERMANY A MUN, A BOH; ITALY A ROM",
        {},
    )
    orders = lines("A TRI S A VIE - TYR", "A VIE - TYR", "A MUN H", "A BOH H")
    state, (report, *_) = resolve(state, {CENTRAL: orders})
    (dislodged,) = report.dislodged
    assert [str(place) for place in dislodged.retreats] == []  # not VEN, and not PIE


def test_the_coin_falls_alike_whenever_the_same_seed_draws_it() -> None:
    sides = set()
    for number in range(12):
        seed = f"seed {number}".encode()
        results = []
        for _ in range(2):
            state = state_at("F1914M", 2, "FRANCE A PAR; TURKEY A CON; ITALY A ROM", {})
            state, reports = resolve(state, {}, seed)
            (told,) = [report.joining for report in reports if report.joining]
            results.append((state.stored.joined, told.to))
        assert results[0] == results[1]
        joined, to = results[0]
        assert joined == "_".join(to)
        sides.add(joined)
    assert sides == {ALLIES, CENTRAL}


def test_italy_joins_in_spring_1915_and_its_provinces_open() -> None:
    state = start(2)
    labels = []
    while state.phase.label < "S1915M" or state.phase.label[0] == "W":
        state, reports = resolve(state, {})
        labels += [report.label for report in reports if report.joining]
    assert labels == ["F1914R"]
    side = SeatId(state.stored.joined)
    (other,) = {ALLIES, CENTRAL} - {side}
    dues = {one.seat: one.due for one in state.awaited}
    assert dues[side] == {ALLIES: 13, CENTRAL: 12}[side]
    assert taken(read(state, side, "A VEN - PIE", "F NAP H")) != {}
    assert faults(read(state, other, "A VEN - PIE")) == ["foreign_unit"]
    moves = {ALLIES: "A MAR - PIE", CENTRAL: "F TRI - VEN"}
    for seat, move in moves.items():
        assert faults(read(state, seat, move)) == []
    view = View.from_bytes(state.view(side))
    assert "ITALY" in view.own
    assert (state.variant.unplayed, state.variant.closed) == (frozenset(), frozenset())


def test_italy_does_not_adjust_before_it_has_joined() -> None:
    state = state_at(
        "W1914A",
        2,
        "FRANCE A PAR; ITALY A ROM; TURKEY A CON",
        {"FRANCE": "PAR BRE", "ITALY": "ROM NAP VEN", "TURKEY": "CON"},
    )
    state = DiplomacyGame(replace(state.stored, joined=CENTRAL))
    assert [one.seat for one in state.awaited] == [ALLIES]
    state, _ = resolve(state, {})
    assert units_of(state, "ITALY") == ["A ROM"]
    assert {one.seat: one.due for one in state.awaited} == {ALLIES: 1, CENTRAL: 2}


def test_orders_ahead_know_that_the_neutral_provinces_will_open() -> None:
    state = start(2)
    assert faults(state.read(ALLIES, ["A MAR - PIE"], label="F1914M")) == ["closed"]
    assert faults(state.read(ALLIES, ["A MAR - PIE"], label="S1915M")) == []


# --- the data -------------------------------------------------------------------------------------


def test_each_fault_of_a_table_is_named_with_its_line(tmp_path: Path) -> None:
    changes = (
        ('[players.6]\nout = ["ITALY"]', '[players.6]\nout = ["ITALIA"]'),
        ('out = ["GERMANY", "ITALY"]', 'out = ["GERMANY", "GERMANY", "ITALY", "TURKEY"]'),
        ('[["ENGLAND"], ["AUSTRIA", "FRANCE"]', '[["ENGLAND"], ["AUSTRIA"]'),
        ('closed = ["APU", "NAP"', 'closed = ["APU", "NEP"'),
        ('toss = "F1914R"', 'toss = "S1914R"'),
        ('start = "S1914M"', 'start = "W1914A"'),
        ("victory_centers = 24", "victory_centers = 40"),
        ('victory_by = "player"', 'victory_by = "side"'),
    )
    found = [
        fault.partition(": ")[2]
        for fault in faults_of(tmp_path, copy_of(tmp_path, "standard", {"variant.toml": changes}))
    ]
    assert found == [
        "players.6: there are 7 seats",
        "players.6.out: ITALIA is no power; did you mean ITALY?",
        "players.5: there are 4 seats",
        "players.5: GERMANY stands there twice",
        "players.4: FRANCE has no seat, and does not stand in out",
        "players.2.closed: NEP is no province; did you mean NAP?",
        "players.2: toss: S1914R does not stand before adjustments",
        "players.2: start: W1914A is no movement phase of this calendar",
        "players.2: victory_centers: 40 of 34 centers",
        'players.2.victory_by: there is no "side"; there are power, player',
    ]
