"""Diplomacy behind the seam: whole phases by letters, reports, views, and games to their end."""

import json
from collections.abc import Mapping, Sequence

import pytest
from msgspec.structs import replace

from judge.diplomacy.calendar import parse_phase
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.notation import format_order, stored_text
from judge.diplomacy.orders import (
    AnyOrder,
    Location,
    PowerId,
    ProvinceId,
    UnitKind,
    WrittenBuild,
    WrittenDisband,
    WrittenHold,
    WrittenMove,
    WrittenOrder,
    WrittenRetreat,
    WrittenSupportMove,
    WrittenUnit,
)
from judge.diplomacy.outcomes import Bounced, Void
from judge.diplomacy.position import Position
from judge.diplomacy.records import (
    NoteValues,
    OwnReport,
    PhaseReport,
    ProblemValues,
    View,
)
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.rules import Rules
from judge.diplomacy.variants.variant import load_variant, parse_unit
from judge.rulebook import (
    Line,
    OrderSet,
    Phase,
    RandomStream,
    Refused,
    Resolution,
    Rulebook,
    SeatId,
    Silence,
    State,
    load_game,
)

STANDARD = load_variant("standard")
SEATS = tuple(seat.id for seat in RULEBOOK.seats("standard", {}))
FRANCE = SeatId("FRANCE")


def stream(serial: int = 1) -> RandomStream:
    return RandomStream(b"a seed for tests", serial)


def start() -> DiplomacyGame:
    return RULEBOOK.start("standard", {"rules": "2000"})


def order_set(state: DiplomacyGame, seat: str, text: str) -> OrderSet:
    """The lines that a letter stores; every one of them must be understood."""
    reading = state.read(SeatId(seat), text.split("; "))
    assert reading.problems == ()
    assert reading.prose == ()
    return tuple(each.line for each in reading.understood)


def resolve(state: DiplomacyGame, *missing: str, **letters: str) -> Resolution:
    order_sets = {SeatId(seat): order_set(state, seat, text) for seat, text in letters.items()}
    absent = frozenset(SeatId(seat) for seat in missing)
    return state.resolve(order_sets, absent, stream())


def public(resolution: Resolution, number: int = 0) -> PhaseReport:
    return PhaseReport.from_bytes(resolution.reports[number].public)


def units(state: DiplomacyGame) -> dict[str, list[str]]:
    view = View.from_bytes(state.view(None))
    found: dict[str, list[str]] = {}
    for unit in view.units:
        found.setdefault(unit.power, []).append(str(unit))
    return found


def with_state(label: str, placed: Mapping[str, str], owners: Mapping[str, str]) -> DiplomacyGame:
    """A state with these units and centers: power, then texts."""
    found = [
        parse_unit(PowerId(power), text)
        for power in STANDARD.power_ids
        for text in placed.get(power, "").split(", ")
        if text
    ]
    held = {center: power for power, centers in owners.items() for center in centers.split()}
    owners = {ProvinceId(center): PowerId(power) for center, power in held.items()}
    begun = RULEBOOK.start("standard", {"rules": "2000"}).stored
    return DiplomacyGame(replace(begun, label=label, units=tuple(found), owners=owners))


# --- the frame ------------------------------------------------------------------------------------


def test_the_registry_loads_the_game_as_a_rulebook() -> None:
    rulebook: Rulebook = load_game("diplomacy")
    assert {"standard", "colonial"} <= set(rulebook.variants())
    assert rulebook.variants()[0] == "standard"
    assert rulebook.rule_presets() == ("2000", "2023", "1971", "1982", "dptg")
    options = {option.key: option.values for option in rulebook.rule_options()}
    assert len(options) == 34
    assert options["4.B.1"] == ("fails", "default_coast")


def test_seats_have_letters_and_names_in_every_language() -> None:
    seats = {seat.id: seat for seat in RULEBOOK.seats("standard", {})}
    assert list(seats) == list(STANDARD.power_ids)
    assert seats[FRANCE].letter == "F"
    assert {"France", "French", "프랑스", "法國"} <= set(seats[FRANCE].names)


@pytest.mark.parametrize(
    ("variant", "options", "kind", "written"),
    [
        ("atlantis", {}, "no_variant", "atlantis"),
        ("colonial", {"railway": "maybe"}, "no_choice", "maybe"),
        ("colonial", {"victory": 59}, "no_choice", "59"),
        ("standard", {"rules": "1492"}, "no_rules", "1492"),
        ("standard", {"rules": {"preset": "2023", "4.E.6": "a"}}, "no_option", "4.E.6"),
        ("standard", {"rules": {"preset": "2023", "4.A.2": "1492"}}, "no_choice", "1492"),
        ("standard", {"railway": "true"}, "no_option", "railway"),
    ],
)
def test_what_is_not_there_is_refused_by_name(
    variant: str, options: dict, kind: str, written: str
) -> None:
    with pytest.raises(Refused) as refused:
        RULEBOOK.start(variant, options)
    assert refused.value.kind == kind
    assert refused.value.values["written"] == written
    assert refused.value.values["known"]


@pytest.mark.parametrize(
    ("line", "added", "removed"),
    [
        ("France: remove A Par", "", "A PAR"),
        ("France: add fleet Spain (south coast)", "F SPA/SC", ""),
        ("프랑스: 제거 육군 파리", "", "A PAR"),
        ("法國：移除 陸軍 巴黎", "", "A PAR"),
        ("フランス：削除 陸軍 パリ", "", "A PAR"),
    ],
)
def test_a_masters_hand_sets_and_takes_units(line: str, added: str, removed: str) -> None:
    before, after = start(), start().edit([line])
    stood, stand = (set(map(str, one.stored.units)) for one in (before, after))
    assert (stand - stood, stood - stand) == ({added} - {""}, {removed} - {""})


def test_a_masters_hand_gives_centers_to_others() -> None:
    owners = start().edit(["center Bel: Germany", "Bre: nobody", "ベルギー：ドイツ"]).stored.owners
    assert owners["BEL"] == "GERMANY"
    assert "BRE" not in owners


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("France: remove A Mun", "clash"),
        ("France: add A Par", "clash"),
        ("France: add F Spa", "clash"),
        ("France: add F Boh", "clash"),
        ("center Bur: France", "clash"),
        ("France remove A Par", "unreadable"),
        ("France: remove A Nowhere", "unreadable"),
        ("France:", "unreadable"),
    ],
)
def test_a_masters_hand_is_refused_what_does_not_fit(line: str, kind: str) -> None:
    with pytest.raises(Refused) as refused:
        start().edit([line])
    assert (refused.value.kind, refused.value.values["written"]) == (kind, line)


def test_the_first_phase_awaits_everybody() -> None:
    state = start()
    phase = state.phase
    assert phase == Phase("S1901M", "movement", 1, Silence.WAIT)
    assert {each.seat: each.due for each in state.awaited} == {
        seat: 4 if seat == "RUSSIA" else 3 for seat in SEATS
    }
    result = state.result
    assert not result.ending
    assert result.survivors == SEATS
    assert result.scores["RUSSIA"] == 4


def test_a_state_is_json_that_reads_back() -> None:
    game = resolve(start(), FRANCE="A Par - Bur; F Bre - Mao; A Mar - Spa").game
    assert RULEBOOK.open(game.state).stored == game.stored
    assert json.loads(game.state)["format"] == 1


def test_chosen_rules_stay_with_the_state_from_phase_to_phase() -> None:
    chosen = {"4.A.2": "szykman", "4.D.7": "b"}
    state = RULEBOOK.start("standard", {"rules": {"preset": "1971", **chosen}})
    for _ in range(3):
        game = RULEBOOK.open(state.state).stored
        assert (game.rules, game.choices) == ("1971", chosen)
        state = state.resolve({}, frozenset(), stream()).game


def test_a_state_without_single_choices_is_as_it_was_before_there_were_any() -> None:
    assert b"choices" not in start().state
    assert start().stored.choices == {}


def test_a_state_of_a_newer_judge_is_not_read() -> None:
    with pytest.raises(ValueError, match="format"):
        RULEBOOK.open(State(start().state.replace(b'"format":1', b'"format":2')))


# --- reading --------------------------------------------------------------------------------------


def test_lines_are_keyed_by_what_they_are_for() -> None:
    reading = start().read(FRANCE, ["Mar s Par-Bur, par-bur", "thanks!"])
    assert [(each.line.key, each.line.text) for each in reading.understood] == [
        ("MAR", "A MAR S A PAR - BUR"),
        ("PAR", "A PAR - BUR"),
    ]
    assert [each.line.written for each in reading.understood] == ["Mar s Par-Bur", "par-bur"]
    assert [prose.text for prose in reading.prose] == ["thanks!"]


def test_problems_carry_values_that_read_back_and_proposals_that_can_be_stored() -> None:
    (problem,) = start().read(FRANCE, ["A Mra - Pie"]).problems
    assert problem.kind == "no_province"
    assert problem.key == "MAR"
    assert ProblemValues.from_bytes(problem.values).nearest == ("MAR",)
    assert problem.proposals == (Line("MAR", "A MAR - PIE"),)
    again = start().read(FRANCE, [line.text for line in problem.proposals])
    assert [each.line.text for each in again.understood] == ["A MAR - PIE"]


def test_notes_carry_values_that_read_back() -> None:
    (understood,) = start().read(FRANCE, ["A Par - Bur", "A Par - Gas"]).understood
    (note,) = understood.notes
    values = NoteValues.from_bytes(note.values)
    assert note.kind == "replaced"
    assert values.order is not None
    assert format_order(values.order) == "A PAR - BUR"


def test_waives_are_lines_of_their_own() -> None:
    state = with_state("W1901A", {"FRANCE": "A SPA"}, {"FRANCE": "PAR MAR BRE SPA"})
    reading = state.read(FRANCE, ["waive 2", "build A Par"])
    assert [(each.line.key, each.line.text) for each in reading.understood] == [
        ("WAIVE 1", "WAIVE"),
        ("WAIVE 2", "WAIVE"),
        ("B PAR", "A PAR B"),
    ]


def test_orders_of_a_seat_that_is_not_asked_are_problems() -> None:
    state = with_state(
        "W1901A", {"FRANCE": "A SPA", "ITALY": "A ROM"}, {"FRANCE": "PAR SPA", "ITALY": "ROM"}
    )
    (problem,) = state.read(SeatId("ITALY"), ["Build A Nap"]).problems
    assert problem.kind == "nothing_due"


# --- phases ---------------------------------------------------------------------------------------


def test_a_movement_phase_moves_and_reports_every_unit() -> None:
    done = resolve(
        start(),
        "TURKEY",
        FRANCE="A Par - Bur; A Mar S A Par - Bur",
        GERMANY="A Mun - Bur; F Kie - Den; A Ber - Kie",
    )
    report = public(done)
    assert (report.label, report.kind, report.next_label) == ("S1901M", "M", "S1901R")
    assert len(report.results) == 22
    assert report.disorder == ("TURKEY",)
    assert report.unordered == ("AUSTRIA", "ENGLAND", "ITALY", "RUSSIA")
    failed = [result for result in report.results if not result.succeeded]
    assert [format_order(result.order) for result in failed] == ["A MUN - BUR"]
    (bounce,) = failed[0].outcomes
    assert isinstance(bounce, Bounced)
    assert (bounce.strength, bounce.resistance) == (1, 2)
    assert units(done.game)["FRANCE"] == ["A BUR", "A MAR", "F BRE"]
    own = OwnReport.from_bytes(done.reports[0].seats[FRANCE])
    assert (own.ordered, len(own.results)) == (2, 3)


def test_phases_without_a_choice_are_carried_out_and_reported() -> None:
    done = resolve(start(), FRANCE="A Par - Bur")
    assert [public(done, number).label for number in range(len(done.reports))] == [
        "S1901M",
        "S1901R",
    ]
    phase = done.game.phase
    assert (phase.label, phase.serial, phase.silence) == ("F1901M", 3, Silence.ABSENCE)


def test_a_dislodged_unit_retreats_as_its_player_says() -> None:
    owners = {"FRANCE": "PAR", "GERMANY": "MUN"}
    state = with_state("S1901M", {"FRANCE": "A BUR", "GERMANY": "A MUN, A RUH"}, owners)
    done = resolve(state, GERMANY="A Mun - Bur; A Ruh S A Mun - Bur", FRANCE="A Bur H")
    report = public(done)
    (dislodged,) = report.dislodged
    assert [str(place) for place in dislodged.retreats] == ["BEL", "GAS", "MAR", "PAR", "PIC"]
    assert done.game.phase.label == "S1901R"
    assert [(each.seat, each.due) for each in done.game.awaited] == [(FRANCE, 1)]
    view = View.from_bytes(done.game.view(FRANCE))
    assert view.dislodged == report.dislodged
    retreated = resolve(done.game, FRANCE="Par")
    assert units(retreated.game)["FRANCE"] == ["A PAR"]
    assert retreated.game.phase.label == "F1901M"


def test_a_missed_retreat_disbands() -> None:
    owners = {"FRANCE": "PAR", "GERMANY": "MUN"}
    state = with_state("S1901M", {"FRANCE": "A BUR, A PIC", "GERMANY": "A MUN, A RUH"}, owners)
    done = resolve(state, GERMANY="A Mun - Bur; A Ruh S A Mun - Bur", FRANCE="A Pic H")
    retreated = resolve(done.game, "FRANCE")
    assert units(retreated.game)["FRANCE"] == ["A PIC"]


def test_centers_are_counted_after_fall_and_builds_are_asked_for() -> None:
    owners = {"FRANCE": "PAR MAR BRE", "GERMANY": "MUN"}
    state = with_state("F1901M", {"FRANCE": "A GAS, F MAO", "GERMANY": "A MUN"}, owners)
    done = resolve(state, FRANCE="A Gas - Spa; F Mao - Por", GERMANY="A Mun H")
    retreats = public(done, 1)
    assert retreats.is_count
    assert [(each.center, each.after) for each in retreats.changes] == [
        ("POR", "FRANCE"),
        ("SPA", "FRANCE"),
    ]
    assert done.game.phase.label == "W1901A"
    assert [(each.seat, each.due) for each in done.game.awaited] == [(FRANCE, 3)]
    view = View.from_bytes(done.game.view(None))
    (due,) = view.adjustments
    assert (due.power, due.builds, due.open) == ("FRANCE", 3, ("BRE", "MAR", "PAR"))
    built = resolve(done.game, FRANCE="Build A Par; Build F Bre; Waive")
    assert units(built.game)["FRANCE"] == ["A PAR", "A SPA", "F BRE", "F POR"]
    assert built.game.phase.label == "S1902M"
    assert OwnReport.from_bytes(built.reports[0].seats[FRANCE]).ordered == 3


def test_removals_that_are_not_ordered_are_made_by_rule() -> None:
    owners = {"FRANCE": "PAR MAR", "GERMANY": "MUN KIE"}
    placed = {"FRANCE": "A PAR, A MAR, A SEV", "GERMANY": "A MUN"}
    state = with_state("W1901A", placed, owners)
    assert {each.seat: each.due for each in state.awaited} == {FRANCE: 1, "GERMANY": 1}
    done = resolve(state, "FRANCE")
    assert units(done.game)["FRANCE"] == ["A MAR", "A PAR"]


def test_the_power_with_eighteen_centers_wins_and_nobody_is_asked_again() -> None:
    eighteen = "PAR MAR BRE SPA POR BEL HOL MUN KIE BER DEN LON EDI LVP VEN ROM NAP"
    state = with_state("F1910M", {"FRANCE": "A TUS, A TUN"}, {"FRANCE": eighteen})
    done = resolve(state, FRANCE="A Tun H; A Tus H")
    result = done.game.result
    assert result.ending
    assert result.winners == (FRANCE,)
    assert result.scores[FRANCE] == 18
    assert done.game.awaited == ()
    assert public(done, 1).winners == (FRANCE,)
    (problem,) = done.game.read(FRANCE, ["Build A Par"]).problems
    assert problem.kind == "game_over"


def test_a_power_that_loses_its_last_unit_and_center_is_out() -> None:
    owners = {"FRANCE": "PAR", "GERMANY": "MUN KIE"}
    state = with_state("F1901M", {"GERMANY": "A BUR, A KIE", "ITALY": "A ROM"}, owners)
    done = resolve(state, GERMANY="A Bur - Par; A Kie H", ITALY="A Rom H")
    assert public(done, 1).out == ("FRANCE",)
    assert "FRANCE" not in done.game.result.survivors


def test_the_same_sheets_give_the_same_resolution_and_lines_in_any_order() -> None:
    state = start()
    lines = order_set(state, "FRANCE", "A Par - Bur; A Mar S A Par - Bur; F Bre - Mao")
    first = state.resolve({FRANCE: lines}, frozenset(), stream())
    second = state.resolve({FRANCE: lines[::-1]}, frozenset(), stream())
    assert first.game.state == second.game.state
    assert [each.public for each in first.reports] == [each.public for each in second.reports]


def test_lines_that_do_not_read_are_ignored() -> None:
    lines = (Line("PAR", "A PAR - BUR"), Line("MAR", "gibberish"))
    done = start().resolve({FRANCE: lines}, frozenset(), stream())
    assert units(done.game)["FRANCE"] == ["A BUR", "A MAR", "F BRE"]


# --- whole games ----------------------------------------------------------------------------------


def desk_of(state: DiplomacyGame, seat: SeatId) -> OrderContext:
    game = state.stored
    position = Position(
        parse_phase(game.label), game.units, game.owners, game.dislodged, game.contested
    )
    rules = Rules.preset(game.rules).with_choices(game.choices)
    return OrderContext(STANDARD, rules, position, PowerId(seat))


def legal_orders(context: OrderContext) -> dict[str, list[AnyOrder]]:
    """Some legal orders of each unit that is asked, by what they are for; builds by place."""
    board = STANDARD.board
    found: dict[str, list[AnyOrder]] = {}
    for unit in context.units:
        named = WrittenUnit(unit.location, unit.kind)
        ways = board.adjacent_locations(unit.kind, unit.location)
        written: list[WrittenOrder] = [WrittenHold(named), WrittenDisband(named)]
        written += [WrittenMove(named, way) for way in ways]
        written += [WrittenRetreat(named, way) for way in ways]
        for other in context.position.units:
            friend = WrittenUnit(other.location, other.kind, other.power)
            written += [WrittenSupportMove(named, friend, Location(way.province)) for way in ways]
        fitted = [context.order_on_board(order) for order in written]
        legal = [order for order in fitted if not isinstance(order, Void)]
        if legal:
            found[str(unit)] = legal
    if context.is_adjustment:
        for center in context.dues(context.power).open:
            kinds = [WrittenBuild(WrittenUnit(Location(center), kind)) for kind in UnitKind]
            fitted = [context.order_on_board(order) for order in kinds]
            found[center] = [order for order in fitted if not isinstance(order, Void)]
    return found


def random_lines(context: OrderContext, rng: RandomStream) -> Sequence[str]:
    lines = [
        stored_text(context, orders[rng.below(len(orders))])
        for orders in legal_orders(context).values()
        if orders
    ]
    due = context.dues(context.power)
    return lines[: due.builds or due.disbands] if context.is_adjustment else lines


STRICT: dict = {
    "preset": "2023",
    "4.B.2": "fails",
    "4.B.4": "coast_required",
    "4.B.5": "fails",
    "4.B.6": "fails",
    "4.C.1": "a",
    "4.C.2": "a",
    "4.C.3": "a",
    "4.C.5": "a",
    "4.C.6": "a",
}


@pytest.mark.parametrize(
    ("seed", "rules"),
    [
        (b"one", "2000"),
        (b"two", "2023"),
        (b"three", "1971"),
        (b"four", "1982"),
        (b"five", "dptg"),
        (b"six", STRICT),
    ],
)
def test_whole_games_of_random_legal_orders_are_stored_and_resolved_as_written(
    seed: bytes, rules: str | dict
) -> None:
    """Every legal order survives: to text, to a stored line, and into the result."""
    state = RULEBOOK.start("standard", {"rules": rules})
    for _ in range(24):
        serial = state.phase.serial
        rng = RandomStream(seed, serial)
        order_sets: dict[SeatId, OrderSet] = {}
        for each in state.awaited:
            lines = random_lines(desk_of(state, each.seat), rng)
            reading = state.read(each.seat, lines)
            assert reading.problems == ()
            assert [one.line.text for one in reading.understood] == list(lines)
            assert len(reading.understood) <= max(each.due, len(desk_of(state, each.seat).units))
            order_sets[each.seat] = tuple(one.line for one in reading.understood)
        done = state.resolve(order_sets, frozenset(), rng)
        reports = [PhaseReport.from_bytes(r.public) for r in done.reports]
        for seat, lines_of in order_sets.items():
            own = OwnReport.from_bytes(done.reports[0].seats[seat])
            ordered = {stored_text(desk_of(state, seat), result.order) for result in own.results}
            assert {line.text for line in lines_of} <= ordered
            assert own.set_aside == ()
            voids = [one for result in own.results for one in result.outcomes]
            assert not any(isinstance(one, Void) and one.illegal for one in voids)
        assert done.game.phase.serial == serial + len(reports)
        provinces = [unit.location.province for unit in done.game.stored.units]
        assert len(provinces) == len(set(provinces))
        state = done.game
        if state.result.ending:
            break
    assert state.phase.serial > 20
