"""Rules by mail: a master chooses them in CREATE, and every line and result follows the choice."""

import pytest

from judge.host.blocks import Created, GameList, GameStatus, OrdersAnswer, Started
from judge.host.front import Front
from judge.host.games import choose_settings
from judge.rulebook import load_game
from judge.store import Status

from .conftest import POWERS, Hall, address_of

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
            chosen = choose_settings(hall.house.defaults, {option.key: value})
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
    assert (created.settings.press, created.settings.movement.days) == ("none", 2)
    assert created.settings.choices == (("4.A.2", "all_hold"),)
    assert hall.game().status is Status.DRAFT


def test_a_setting_far_from_any_rule_is_answered_with_the_settings(hall: Hall) -> None:
    chosen = choose_settings(hall.house.defaults, {"colour": "blue"})
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

    read = Front(COMMANDS).read("CREATE balkan\n4.A.2: szykman\nLet us begin at 12.30: sharp!")
    assert getattr(read[0], "fields", None) == {"4.A.2": "szykman"}
    assert len(read) == 2
