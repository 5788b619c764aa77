"""What the first release stored is read for good: states of each variant and kind of phase, and
the reports of phases that ran.

stored_games.jsonl.gz was written by release 0.1.0: `state`, the labels of the phases that ran from
it (`after`), and the first one's `report` with those of some seats (`seat`).
"""

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from judge.diplomacy.outcomes import Result, Void, VoidReason
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import CenterChange, GameState, OwnReport, PhaseReport, Recorded
from judge.diplomacy.rulebook import RULEBOOK
from judge.rulebook import NO_JSON, RandomStream, State, load_renderer

FILE = Path(__file__).parent / "stored_games.jsonl.gz"
GAMES = [json.loads(line) for line in gzip.decompress(FILE.read_bytes()).splitlines()]
RENDERER = load_renderer("diplomacy")


class Words:
    """English as it stands in the source."""

    language = "en"

    def gettext(self, message: str) -> str:
        return message

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return singular if n == 1 else plural


def without_class_names(stored: Any, *, is_top: bool = True) -> Any:
    """The JSON as it is written now: values outside unions do not name their class any more."""
    if isinstance(stored, list):
        return [without_class_names(each, is_top=False) for each in stored]
    if not isinstance(stored, dict):
        return stored
    plain = {"Location", "Unit", "WrittenUnit", "Result", "SetAside", "Dislodged", "CenterChange"}
    plain |= {"GameState", "PhaseReport", "OwnReport"}
    return {
        key: without_class_names(each, is_top=False)
        for key, each in stored.items()
        if key != "is" or each not in plain
    }


def encoded(stored: dict[str, Any]) -> bytes:
    return json.dumps(stored).encode()


def same(value: Recorded, stored: dict[str, Any]) -> bool:
    """Whether nothing was lost, whatever a value that was renamed since is called now."""
    text = json.dumps(without_class_names(stored), sort_keys=True)
    for old, new in (("keeper_left", "canal_unit_left"), ("no_leave", "no_permission")):
        text = text.replace(f'"{old}"', f'"{new}"')
    return json.dumps(json.loads(bytes(value.to_raw())), sort_keys=True) == text


def test_all_kinds_of_phases_are_there() -> None:
    kinds = {(game["variant"], game["kind"]) for game in GAMES}
    names, phases = (set(each) for each in zip(*kinds, strict=True))
    assert names == {"standard", "colonial", "chaos", "fleet_rome"}
    assert phases == {"movement", "retreat", "adjustment"}
    assert len(kinds) == 12


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game['variant']}-{game['kind']}")
def test_a_stored_state_is_read_and_goes_on(game: dict[str, Any]) -> None:
    opened = RULEBOOK.open(State(encoded(game["state"])))
    assert same(opened.stored, game["state"])
    assert opened.phase.kind == game["kind"]
    assert RENDERER.words(game["variant"], Words()).position(opened.view(None))
    if not opened.result.ending:
        done = opened.resolve({}, frozenset(), RandomStream(b"seed", 1))
        public = PhaseReport.from_bytes(done.reports[0].public)
        assert public.label == game["state"]["label"]


@pytest.mark.parametrize(
    "game", [game for game in GAMES if "report" in game], ids=lambda game: game["report"]["label"]
)
def test_stored_reports_are_read(game: dict[str, Any]) -> None:
    report = PhaseReport.from_bytes(encoded(game["report"]))
    assert same(report, game["report"])
    words = RENDERER.words(game["variant"], Words())
    for own in game["seat"].values():
        assert same(OwnReport.from_bytes(encoded(own)), own)
        assert words.results(report.to_raw(), NO_JSON, None).headline


def test_a_newer_format_is_refused() -> None:
    with pytest.raises(ValueError, match="format"):
        GameState.from_bytes(encoded({**GAMES[0]["state"], "format": 2}))


def test_empty_fields_that_the_first_release_left_out() -> None:
    old = {"format": 1, "is": "GameState", "variant": "blank", "rules": "2000", "label": "S1901M"}
    game = GameState.from_bytes(encoded({**old, "serial": 1, "owners": {}}))
    assert (game.units, game.owners, game.end) == ((), {}, None)
    change = msgspec.convert(
        {"is": "CenterChange", "center": "BUL", "after": "TURKEY"}, CenterChange
    )
    assert change.before is None


def test_values_that_were_renamed_are_read() -> None:
    old = {"is": "Void", "reason": "no_keeper", "illegal": True}
    assert msgspec.convert(old, Void).reason is VoidReason.NO_CANAL_UNIT
    with pytest.raises(ValueError, match="nothing"):
        msgspec.convert({**old, "reason": "nothing"}, Void)


def test_values_are_written_with_their_class_only_where_it_is_needed() -> None:
    unit = {"power": "FRANCE", "kind": "A", "location": {"province": "PAR"}}
    lost = {"unit": unit, "attacker_from": "BUR"}
    assert msgspec.to_builtins(msgspec.convert(lost, Dislodged)) == lost
    held = {"power": "FRANCE", "order": {"is": "Hold", "unit": unit}, "unit": unit}
    assert msgspec.to_builtins(msgspec.convert(held, Result)) == held
