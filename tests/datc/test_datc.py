"""The Diplomacy Adjudicator Test Cases: movement, retreats, adjustments, every choice of rules."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from judge.diplomacy.adjustments import resolve_adjustments
from judge.diplomacy.orders import Build, Disband, PowerId, WrittenOrder
from judge.diplomacy.outcomes import Disbanded, Result, SetAside
from judge.diplomacy.position import Dislodged
from judge.diplomacy.retreats import resolve_retreats
from judge.diplomacy.sequence import resolve_movement

from .conftest import (
    DISPUTED,
    STANDARD,
    IncompleteCase,
    Run,
    by_power,
    check_whole,
    entries,
    expected_dislodged,
    plain,
    plain_dislodged,
    position_of,
    runs,
    same_verdict,
    verdict_of,
    written_of,
)


def check_verdicts(
    run: Run,
    lines: Sequence[tuple[PowerId, WrittenOrder]],
    results: Sequence[Result],
    aside: Sequence[SetAside],
) -> None:
    verdicts = run.expected.get("verdicts")
    if verdicts is None:
        return
    for (power, line), wanted in zip(lines, verdicts, strict=True):
        if wanted is not None:
            got = verdict_of(power, line, results, aside)
            assert same_verdict(got, wanted), f"{power} {line}: {got}, not {wanted}"


def skip_if_disputed(run: Run) -> None:
    if run.case["id"] == DISPUTED[0] and run.options.get("4.A.2") == DISPUTED[1]:
        pytest.skip("disputed: DATC 2.4 says the support stands, 3.0 that the 1971 rule is silent")


@pytest.mark.parametrize("run", tuple(runs("movement")), ids=lambda run: run.id)
def test_movement(run: Run) -> None:
    if "id" in run.case:
        skip_if_disputed(run)
    lines = written_of(run.case)
    movement = resolve_movement(
        STANDARD, run.rules, position_of(run.case, "movement"), by_power(lines)
    )
    assert plain(movement.units) == sorted(map(list, run.expected["units"]))
    wanted = expected_dislodged(run.expected["dislodged"])
    assert plain_dislodged(movement.dislodged) == wanted
    check_verdicts(run, lines, movement.results, movement.set_aside)


@pytest.mark.parametrize("run", tuple(runs("retreat")), ids=lambda run: run.id)
def test_retreat(run: Run) -> None:
    """The set-up's movement phase is played first, under the same choices."""
    setup = run.case["setup"]
    before = position_of(setup, "movement")
    movement = resolve_movement(STANDARD, run.rules, before, by_power(written_of(setup)))
    position = replace(
        position_of(run.case, "retreat"),
        units=movement.units,
        dislodged=movement.dislodged,
        contested=movement.contested,
    )
    check_retreat_options(run, movement.dislodged)
    lines = written_of(run.case)
    retreats = resolve_retreats(STANDARD, run.rules, position, by_power(lines))
    assert plain(retreats.units) == sorted(map(list, run.expected["units"]))
    gone = [
        result.unit
        for result in retreats.results
        if result.unit and (_is_disbanded(result) or isinstance(result.order, Disband))
    ]
    assert plain(gone) == sorted(map(list, run.expected["disbanded"]))
    check_verdicts(run, lines, retreats.results, retreats.set_aside)


def _is_disbanded(result: Result) -> bool:
    return any(isinstance(outcome, Disbanded) for outcome in result.outcomes)


def check_retreat_options(run: Run, dislodged: Sequence[Dislodged]) -> None:
    """`may` must be offered, `may_not` must not; other places are left open."""
    for unit, options in run.expected.get("retreat_options", {}).items():
        (one,) = [each for each in dislodged if str(each.unit) == unit]
        offered = {str(place) for place in one.retreats}
        assert set(options["may"]) <= offered
        assert not offered & set(options["may_not"])


@pytest.mark.parametrize("run", tuple(runs("adjustment")), ids=lambda run: run.id)
def test_adjustment(run: Run) -> None:
    lines = written_of(run.case)
    adjustments = resolve_adjustments(
        STANDARD, run.rules, position_of(run.case, "adjustment"), by_power(lines)
    )
    assert plain(adjustments.units) == sorted(map(list, run.expected["units"]))
    built = [one.order.unit for one in adjustments.results if isinstance(one.order, Build)]
    removed = [
        one.unit for one in adjustments.results if isinstance(one.order, Disband) and one.unit
    ]
    assert plain(built) == sorted(map(list, run.expected["built"]))
    assert plain(removed) == sorted(map(list, run.expected["removed"]))


def test_every_case_and_every_choice_is_run() -> None:
    alternatives = sum(len(entry["alternatives"]) for entry in entries())
    silent = sum(
        alternative["expected"] is None
        for entry in entries()
        for alternative in entry["alternatives"]
    )
    setups = sum("setup" in entry for entry in entries())
    found = [run for phase in ("movement", "retreat", "adjustment") for run in runs(phase)]
    assert (len(entries()), alternatives, silent, setups) == (175, 184, 10, 16)
    assert len(found) == 175 + (184 - 10) + 16


def test_a_case_without_a_verdict_for_a_move_is_refused() -> None:
    entry = next(entry for entry in entries() if entry["id"] == "6.A.1")
    silent = {**entry, "expected": {**entry["expected"], "verdicts": [None]}}
    with pytest.raises(IncompleteCase, match=r"6\.A\.1: no verdict for F NTH - PIC"):
        check_whole(silent)
    with pytest.raises(IncompleteCase, match="no units"):
        check_whole({**entry, "expected": {"verdicts": ["illegal"]}})
