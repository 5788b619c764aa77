"""Rules by mail: a master chooses them in CREATE, and every line and result follows the choice."""

import json

import pytest
from msgspec.structs import replace

from judge.config import load_settings
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.orders import PowerId
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.variants.variant import parse_unit
from judge.errors import SettingsError
from judge.host import HostConfig
from judge.host.games.choosing import choose_settings
from judge.host.letters.command_parser import CommandParser
from judge.host.messages.command_answers import Created
from judge.host.messages.game_events import Results, Started
from judge.host.messages.games import GameList, GameStatus
from judge.host.messages.order_answers import OrdersAnswer
from judge.hosting import host_config
from judge.rulebook import load_game
from judge.store import Changes, Status

from .conftest import JUDGE, POWERS, Hall, address_of

MASTER = "gm@example.test"
FRANCE = address_of("FRANCE")
Choices = tuple[tuple[str, str], ...]


# --- choosing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "rules", "choices"),
    [
        ("rules: 2023", "2023", ()),
        ("edition: DPTG", "dptg", ()),
        ("rules: 2023\n4.A.2: szykman", "2023", (("4.A.2", "szykman"),)),
        ("rules: 2023, 4.A.2: szykman", "2023", (("4.A.2", "szykman"),)),
        ("rules: 2023, 4.A.2 szykman", "2023", (("4.A.2", "szykman"),)),  # as a listing shows it
        ("4.a.2 = All Hold\nrules: 1971", "1971", (("4.A.2", "all_hold"),)),
        ("4.A.3\uff1a 2000-fallback", "2000", (("4.A.3", "2000_fallback"),)),
        ("rules: 4.B.1 default_coast", "2000", (("4.B.1", "default_coast"),)),
        (
            "4.E.1: illegal_orders_ignored\n4.A.1: any_route",
            "2000",
            (("4.A.1", "any_route"), ("4.E.1", "illegal_orders_ignored")),
        ),
    ],
)
def test_a_preset_and_single_rules_are_chosen(
    hall: Hall, lines: str, rules: str, choices: Choices
) -> None:
    hall.create(lines)
    created = hall.said(MASTER, Created)
    assert created.faults == ()
    assert (created.settings.rules, created.settings.choices) == (rules, choices)
    assert hall.game().settings == created.settings


def test_every_choice_of_the_rulebook_can_be_written(hall: Hall) -> None:
    for option in load_game("diplomacy").rule_options():
        for value in option.values:
            chosen = choose_settings(hall.config.defaults, {option.key: value})
            assert chosen.faults == ()
            assert chosen.settings.choices == ((option.key, value),)


@pytest.mark.parametrize(
    ("line", "name", "kind", "known"),
    [
        ("rules: 1492", "rules", "no_rules", "2000 2023 1971 1982 dptg"),
        ("rules: 2023 and 1971", "rules", "no_rules", "2000 2023 1971 1982 dptg"),
        ("4.B.1: nearest", "4.B.1", "bad_option", "fails default_coast"),
        ("rules: 2023, 4.B.1 nearest", "4.B.1", "bad_option", "fails default_coast"),
        ("4.E.6: a", "4.E.6", "no_option", "4.E.1 4.E.2 4.E.3 4.E.4 4.E.5"),
        ("4.F.1: a", "4.F.1", "no_option", "4.A.1 4.B.1 4.C.1 4.D.1 4.E.1"),
    ],
)
def test_a_rule_that_is_not_there_keeps_a_draft_and_names_those_that_are(
    hall: Hall, line: str, name: str, kind: str, known: str
) -> None:
    hall.create(f"movement: 2d\n{line}\npress: none\n4.A.2: all_hold")
    created = hall.said(MASTER, Created)
    (fault,) = created.faults
    assert (fault.name, fault.kind, " ".join(fault.known)) == (name, kind, known)
    assert (created.settings.press, created.settings.lengths["movement"].days) == ("none", 2)
    assert created.settings.choices == (("4.A.2", "all_hold"),)
    assert hall.game().status is Status.DRAFT


def test_a_draft_goes_on_from_what_it_has_and_a_preset_clears_single_rules(hall: Hall) -> None:
    hall.create("press: none\n4.A.2: all_hold\n4.B.1: nearest")
    hall.post(MASTER, "CREATE balkan\n4.B.1: fails\ncolour: red", reply_to=hall.last(MASTER))
    settings = hall.said(MASTER, Created).settings
    assert settings.press == "none"
    assert settings.choices == (("4.A.2", "all_hold"), ("4.B.1", "fails"))
    hall.post(MASTER, "CREATE balkan\nrules: 1982", reply_to=hall.last(MASTER))
    created = hall.said(MASTER, Created)
    assert (created.settings.rules, created.settings.choices) == ("1982", ())
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert hall.game().status is Status.FORMING


def test_a_keeper_sets_rules_for_new_games_and_a_fault_is_told_him() -> None:
    def config(rules: str) -> HostConfig:
        written = {"JUDGE_JUDGE__ADDRESS": JUDGE, "JUDGE_DEFAULTS__RULES": rules}
        return host_config(load_settings(None, written, for_mail=False))

    defaults = config("2023, 4.A.2 all_hold").defaults
    assert (defaults.rules, defaults.choices) == ("2023", (("4.A.2", "all_hold"),))
    with pytest.raises(SettingsError, match=r"defaults\.rules: there is no \"1492\".*2000, 2023"):
        config("1492")


def test_a_setting_far_from_any_rule_is_answered_with_the_settings(hall: Hall) -> None:
    chosen = choose_settings(hall.config.defaults, {"colour": "blue"})
    assert [fault.kind for fault in chosen.faults] == ["no_setting"]


def test_lists_and_letters_name_the_chosen_rules(hall: Hall) -> None:
    hall.start("rules: 2023\n4.A.2: all_hold")
    expected = ("2023", (("4.A.2", "all_hold"),))
    hall.post(FRANCE, "LIST\nLIST balkan")
    (row,) = hall.said(FRANCE, GameList).games
    settings = hall.said(FRANCE, GameStatus).settings
    started = hall.said(FRANCE, Started).settings
    assert (row.rules, row.choices) == expected
    assert (settings.rules, settings.choices) == expected
    assert (started.rules, started.choices) == expected


def test_dotted_keys_are_fields_and_times_in_prose_are_none() -> None:
    from judge.host.commands import COMMANDS

    read = CommandParser(COMMANDS).read(
        "CREATE balkan\n4.A.2: szykman\nLet us begin at 12.30: sharp!"
    )
    assert getattr(read[0], "fields", None) == {"4.A.2": "szykman"}
    assert len(read) == 2


# --- reading --------------------------------------------------------------------------------------


def ordered(hall: Hall, rules: str, power: str, body: str) -> OrdersAnswer:
    """The answer to a letter of orders in the first phase of a game by those rules."""
    hall.start(rules)
    hall.order(power, body)
    return hall.said(address_of(power), OrdersAnswer)


def told(answer: OrdersAnswer) -> tuple[list[str], list[str], list[list[str]]]:
    """The stored lines, the kinds of problems, and what is proposed for each of these."""
    return (
        [line.text for line in answer.order_set],
        [problem.kind for problem in answer.problems],
        [[line.text for line in problem.proposals] for problem in answer.problems],
    )


def notes(answer: OrdersAnswer) -> list[str]:
    return [note.kind for one in answer.understood for note in one.notes]


@pytest.mark.parametrize("preset", ["2000", "2023", "1971", "1982", "dptg"])
def test_under_every_preset_an_army_or_fleet_may_go_unsaid(hall: Hall, preset: str) -> None:
    answer = ordered(hall, f"rules: {preset}", "FRANCE", "Par - Bur\nMar S Par - Bur")
    assert told(answer)[:2] == (["A PAR - BUR", "A MAR S A PAR - BUR"], [])


def test_4_c_1_a_asks_for_army_or_fleet_and_yes_gives_it(hall: Hall) -> None:
    answer = ordered(hall, "4.C.1: a", "FRANCE", "Par - Bur\nA Mar S Par - Bur\nF Bre - MAO")
    proposals = [["A PAR - BUR"], ["A MAR S A PAR - BUR"]]
    assert told(answer) == (["F BRE - MAO"], ["kind_needed"] * 2, proposals)
    marked = [one.written[one.start : one.end] for one in answer.problems]
    assert marked == ["Par", "Par"]
    hall.order("FRANCE", "YES")
    assert len(hall.said(FRANCE, OrdersAnswer).order_set) == 3


def test_4_c_2_a_refuses_the_wrong_kind_and_b_corrects_it(hall: Hall) -> None:
    answer = ordered(hall, "4.C.2: a", "FRANCE", "F Par - Bur")
    assert told(answer) == ([], ["wrong_kind"], [["A PAR - BUR"]])


def test_4_c_2_b_corrects_the_wrong_kind_and_says_so(hall: Hall) -> None:
    answer = ordered(hall, "rules: 2023", "FRANCE", "F Par - Bur")
    assert told(answer)[:2] == (["A PAR - BUR"], [])
    assert notes(answer) == ["kind_corrected"]


def test_4_c_5_a_wants_foreign_units_named_by_their_power(hall: Hall) -> None:
    answer = ordered(hall, "4.C.5: a", "FRANCE", "A Mar S A Ven - Pie")
    assert told(answer) == ([], ["wrong_power"], [["A MAR S ITALY A VEN - PIE"]])
    hall.order("FRANCE", "YES")
    hall.order("FRANCE", "A PAR H")  # what is shown as stored goes through when it is sent again
    stored = [line.text for line in hall.said(FRANCE, OrdersAnswer).order_set]
    assert stored == ["A MAR S ITALY A VEN - PIE", "A PAR H"]


def test_4_c_5_a_carries_out_a_support_that_was_stored(hall: Hall) -> None:
    hall.start("4.C.5: a")
    hall.order("FRANCE", "A MAR S ITALY A VEN - PIE")
    hall.order("ITALY", "A VEN - PIE")
    hall.order("AUSTRIA", "A VIE - TYR")
    process(hall)
    assert stand(hall, "ITALY") >= {"A PIE"}
    (support,) = [one for one in results(hall) if one["order"]["is"] == "SupportMove"]
    assert support.get("outcomes", []) == []


def test_4_b_1_asks_for_the_coast_or_takes_the_first(hall: Hall) -> None:
    hall.start("rules: 2023")
    to_mao(hall)
    hall.order("FRANCE", "F MAO - SPA")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert told(answer) == ([], ["coast_needed"], [["F MAO - SPA/NC", "F MAO - SPA/SC"]])


def test_4_b_1_default_coast_takes_the_first_and_says_whose_choice_it_is(hall: Hall) -> None:
    hall.start("rules: 2023\n4.B.1: default_coast")
    to_mao(hall)
    hall.order("FRANCE", "F MAO - SPA")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert told(answer) == (["F MAO - SPA/NC"], [], [])
    assert notes(answer) == ["coast_by_rule"]
    process(hall)
    assert "F SPA/NC" in stand(hall, "FRANCE")


def test_4_b_2_fails_asks_for_the_only_coast(hall: Hall) -> None:
    hall.start("4.B.2: fails")
    hall.order("FRANCE", "F BRE - GAS")
    process(hall)
    hall.order("FRANCE", "F GAS - SPA")
    assert told(hall.said(FRANCE, OrdersAnswer)) == ([], ["coast_needed"], [["F GAS - SPA/NC"]])


def test_4_b_5_and_4_b_6_are_ignored_or_refused(hall: Hall) -> None:
    body = "F STP/NC - BOT\nA MOS/NC - LVN"
    refused = ordered(hall, "4.B.5: fails\n4.B.6: fails", "RUSSIA", body)
    proposals = [["F STP/SC - BOT"], ["A MOS - LVN"]]
    assert told(refused) == ([], ["wrong_coast", "wrong_coast"], proposals)


def test_4_b_5_and_4_b_6_ignored_say_what_was_meant(hall: Hall) -> None:
    answer = ordered(hall, "rules: 2000", "RUSSIA", "F STP/NC - BOT\nA MOS/NC - LVN")
    assert told(answer)[:2] == (["F STP/SC - BOT", "A MOS - LVN"], [])
    assert notes(answer) == ["coast_corrected", "coast_dropped"]


def test_4_d_doubled_orders_the_last_one_counts_by_mail_whatever_is_chosen(hall: Hall) -> None:
    answer = ordered(hall, "4.D.3: a", "FRANCE", "A PAR - BUR\nA PAR - PIC")
    assert told(answer) == (["A PAR - PIC"], [], [])
    assert notes(answer) == ["replaced"]


def test_4_e_1_an_impossible_move_stands_and_cannot_be_supported_to_hold(hall: Hall) -> None:
    hall.start("4.E.1: impossible_move_still_a_move")
    hall.order("FRANCE", "A PAR - MOS\nA MAR - BUR")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert told(answer) == (["A PAR - MOS", "A MAR - BUR"], [], [])
    assert notes(answer) == ["stands_impossible"]
    process(hall)
    hall.order("FRANCE", "A PAR - MOS\nA BUR S A PAR")
    process(hall)
    (support,) = [one for one in results(hall) if one["order"]["is"] == "SupportHold"]
    assert [one["is"] for one in support["outcomes"]] == ["Void"]
    assert stand(hall, "FRANCE") >= {"A PAR", "A BUR"}


def test_4_e_1_an_impossible_move_is_refused_where_the_rules_ignore_it(hall: Hall) -> None:
    answer = ordered(hall, "rules: 2023", "FRANCE", "A PAR - MOS")
    assert told(answer)[:2] == ([], ["not_adjacent"])


def test_4_d_7_b_offers_no_waive_and_takes_none(hall: Hall) -> None:
    hall.start("4.D.7: b")
    hall.order("FRANCE", "A MAR - SPA")
    process(hall)
    process(hall)
    game = hall.game()
    assert game.phase is not None
    assert game.phase.label == "W1901A"
    hall.order("FRANCE", "WAIVE")
    assert told(hall.said(FRANCE, OrdersAnswer))[:2] == ([], ["may_not_waive"])


# --- resolving ------------------------------------------------------------------------------------


def process(hall: Hall) -> None:
    """The master runs the phase at once."""
    game = hall.game()
    assert game.phase is not None
    started = hall.said(MASTER, Created)
    hall.post(MASTER, f"SIGNON Mbalkan {started.password}\nPROCESS {game.phase.label}")
    if hall.game().phase == game.phase:
        hall.post(MASTER, "YES", reply_to=hall.last(MASTER))
    assert hall.game().phase != game.phase


def to_mao(hall: Hall) -> None:
    hall.order("FRANCE", "F BRE - MAO")
    process(hall)


def stand(hall: Hall, power: str) -> set[str]:
    """Where a power's units stand."""
    state = hall.game().state
    assert state is not None
    return {str(unit) for unit in RULEBOOK.open(state).stored.units if unit.power == power}


def results(hall: Hall) -> list[dict[str, object]]:
    """The public results of the newest phase."""
    return list(json.loads(bytes(hall.said(MASTER, Results).report))["results"])


def set_up(hall: Hall, **placed: str) -> None:
    """Put these units, and no others, on the board of the running game."""
    game = hall.game()
    units = tuple(
        parse_unit(PowerId(power), text)
        for power in POWERS
        for text in filter(None, placed.get(power, "").split(", "))
    )
    assert game.state is not None
    stored = replace(RULEBOOK.open(game.state).stored, units=units)
    state = DiplomacyGame(stored).state
    with hall.database.transaction() as tx:
        tx.save(Changes(games=(replace(game, state=state),)), cause="test")


@pytest.mark.parametrize(
    ("rules", "is_driven_out"),
    [
        ("rules: 2000", True),
        ("rules: 2023", True),
        ("rules: 1982", True),
        ("rules: 2023, 4.A.2: all_hold", False),
        ("4.A.2: all_hold", False),
    ],
)
def test_4_a_2_settles_the_paradox_of_6_f_14(hall: Hall, rules: str, is_driven_out: bool) -> None:
    hall.start(rules)
    set_up(hall, ENGLAND="F LON, F WAL", FRANCE="A BRE, F ENG")
    hall.order("ENGLAND", "F LON S F WAL - ENG\nF WAL - ENG")
    hall.order("FRANCE", "A BRE - LON\nF ENG C A BRE - LON")
    process(hall)
    assert ("F ENG" in stand(hall, "ENGLAND")) is is_driven_out
    assert "A BRE" in stand(hall, "FRANCE")


@pytest.mark.parametrize(
    ("rules", "is_driven_out"),
    [
        ("rules: 1971", True),
        ("rules: 1982", True),
        ("rules: 2000", False),
        ("rules: 2023", False),
        ("rules: 2000\n4.A.2: 1971", True),
        ("rules: 1971\n4.A.2: szykman\n4.A.1: all_routes", False),
    ],
)
def test_4_a_2_settles_the_paradox_of_6_f_19(hall: Hall, rules: str, is_driven_out: bool) -> None:
    hall.start(rules)
    set_up(hall, FRANCE="A TUN, F TYS, F ION", ITALY="F NAP, F ROM")
    hall.order("FRANCE", "A TUN - NAP\nF TYS C A TUN - NAP\nF ION C A TUN - NAP")
    hall.order("ITALY", "F ROM - TYS\nF NAP S F ROM - TYS")
    process(hall)
    assert ("F TYS" in stand(hall, "ITALY")) is is_driven_out


@pytest.mark.parametrize(
    ("choice", "stored", "refused"),
    [
        ("first_legal", ["A PAR B"], ["F MAR B"]),
        ("last_legal", ["F MAR B"], ["A PAR B"]),
        ("all_invalid", [], ["A PAR B", "F MAR B"]),
    ],
)
def test_4_d_4_decides_which_of_too_many_builds_counts(
    hall: Hall, choice: str, stored: list[str], refused: list[str]
) -> None:
    hall.start(f"4.D.4: {choice}")
    hall.order("FRANCE", "A MAR - SPA\nA PAR - BUR\nF BRE - MAO")
    process(hall)
    process(hall)
    hall.order("FRANCE", "A PAR B\nF MAR B")
    answer = hall.said(FRANCE, OrdersAnswer)
    assert [line.text for line in answer.order_set] == stored
    assert [one.written for one in answer.problems] == refused
