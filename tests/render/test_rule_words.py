"""The rules of a game in letters: what was chosen, what cannot be, what follows for a player."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from judge.diplomacy.notation import parse_order
from judge.diplomacy.orders import PowerId
from judge.diplomacy.records import Adjustment
from judge.diplomacy.variants.variant import load_variant
from judge.host.messages import Message
from judge.host.messages.command_answers import Created, SettingFault
from judge.host.messages.games import GameList, GameRow, GameStatus
from judge.render import render_letter
from judge.render.catalogue import catalogue, languages
from judge.render.diplomacy import RENDERER
from judge.rulebook import NO_JSON, Line, SeatId
from judge.store import Press
from tests.render import samples as s

EN = catalogue("en")
FRANCE, ITALY = SeatId("FRANCE"), SeatId("ITALY")
CHOSEN = (("4.A.2", "szykman"), ("4.B.1", "default_coast"))
SHOWN = "2023 edition, 4.A.2 szykman, 4.B.1 default_coast"
SETTINGS = replace(s.SETTINGS, rules="2023", choices=CHOSEN)
ROW = GameRow(
    name="balkan",
    variant="standard",
    rules="2023",
    label=None,
    status="forming",
    press=Press.WHITE,
    pace=timedelta(days=3),
    players=4,
    seats=7,
    vacant=(),
    due_at=None,
    game="diplomacy",
    choices=CHOSEN,
)
OWES = (Adjustment(PowerId("FRANCE"), builds=1), Adjustment(PowerId("ITALY"), disbands=1))


def letter(message: Message) -> str:
    """The letter's text on a single line."""
    rendered = render_letter(
        [message], language="en", zone="UTC", judge_name="Judge", kind="answer"
    )
    return " ".join(rendered.text.split())


@pytest.mark.parametrize(
    "message",
    [
        Created(s.game(None, None), SETTINGS, s.POWERS),
        GameList((ROW,), s.at(3, 16)),
        GameStatus(s.game(None, None), SETTINGS, "forming", (), NO_JSON, None, 3),
    ],
    ids=lambda message: type(message).__name__,
)
def test_single_rules_stand_behind_the_preset(message: Message) -> None:
    assert SHOWN in letter(message)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (
            SettingFault("4.E.6", "a", "no_option", ("4.E.1", "4.E.5")),
            'There is no rule "4.E.6" to choose. Near it: 4.E.1 or 4.E.5.',
        ),
        (
            SettingFault("4.B.1", "nearest", "bad_option", ("fails", "default_coast")),
            '4.B.1: there is no "nearest". Known: fails or default_coast.',
        ),
    ],
)
def test_a_faulty_choice_is_told_with_what_there_is(fault: SettingFault, told: str) -> None:
    assert told in letter(Created(s.game(None, None), SETTINGS, s.POWERS, (fault,)))


def test_a_waive_is_offered_only_where_the_rules_know_it() -> None:
    view = s.view("W1901A", adjustments=OWES)
    for may_waive in (True, False):
        task = RENDERER.words("standard", EN).task(
            replace(view, may_waive=may_waive).to_raw(), FRANCE
        )
        assert task is not None
        assert ("WAIVE" in [row.text for row in task.rows]) is may_waive


@pytest.mark.parametrize(("from_home", "named"), [(True, "home"), (False, "your centers")])
def test_what_is_disbanded_without_an_answer_follows_the_rules(from_home: bool, named: str) -> None:
    view = replace(s.view("W1901A", adjustments=OWES), from_home=from_home).to_raw()
    task = RENDERER.words("standard", EN).task(view, ITALY)
    assert task is not None
    assert f"farthest from {named}" in task.default
    assert f"farthest from {named}" in RENDERER.words("standard", EN).if_no_more_orders_come(
        view, ITALY, ()
    )


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "text",
    [
        "A MAR S ITALY A VEN - PIE",
        "A MAR S ITALY A PIE",
        "F NTH C GERMANY A HOL - NWY",
        "A MAR S ITALY F TUS - PIE",
    ],
)
def test_a_line_that_names_a_foreign_power_is_shown_with_it(language: str, text: str) -> None:
    words, board = catalogue(language), load_variant("standard")
    (row,) = RENDERER.words("standard", words).rows((Line("MAR", text),))
    assert row.meaning
    assert parse_order(row.text, board) == parse_order(text, board)
