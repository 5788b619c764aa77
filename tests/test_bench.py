"""The benchmarks' positions: all there, sound, and what their generator makes."""

import json
from itertools import islice

import pytest

from bench import colonial, same_bytes
from bench.make_positions import COUNT, KINDS, Kind, dump, positions, read_lines
from judge.diplomacy.adjudicate_lines import adjudicate_line
from judge.diplomacy.orders import WrittenMove, WrittenRide

FEW = 4


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param


def test_a_class_has_a_thousand_different_positions(kind: Kind) -> None:
    rows = [json.loads(line) for line in read_lines(kind.name)]
    assert [row["id"] for row in rows] == [f"{kind.name}-{n + 1}" for n in range(COUNT)]
    assert len({json.dumps({**row, "id": None}) for row in rows}) > COUNT * 0.95


def test_positions_have_units_of_their_class_and_centers_for_all(kind: Kind) -> None:
    counts = {"opening": {22}, "mid": {24, 25, 26}, "thirty-one": {31}, "dense": {34}}
    for line in read_lines(kind.name):
        row = json.loads(line)
        assert sum(map(len, row["units"].values())) in counts[kind.name]
        if row["phase"][0] == "S":  # in the fall a power may hold units for centers it has lost
            for power, units in row["units"].items():
                assert len(units) <= len(row["centers"].get(power, ())), row["id"]


def test_the_judge_answers_positions_without_an_error(kind: Kind) -> None:
    for line in islice(read_lines(kind.name), FEW):
        assert "error" not in adjudicate_line(line)


def test_the_generator_makes_the_positions_again(kind: Kind) -> None:
    made = [dump(row).encode() for row in islice(positions(kind), FEW)]
    assert made == read_lines(kind.name)[:FEW]


def test_colonial_phases_are_the_same_again_and_have_trains_and_passages() -> None:
    played = colonial.phases()
    assert len(played) == colonial.GAMES * colonial.TURNS
    assert played == colonial.phases()
    lines = [line for _, order_sets in played for lines in order_sets.values() for line in lines]
    assert sum(isinstance(line, WrittenRide) for line in lines) > len(played) // 4
    moves = [line for line in lines if isinstance(line, WrittenMove)]
    ways = {(line.unit.location.province, line.target.province) for line in moves}
    assert ("MED", "RED") in ways or ("RED", "MED") in ways


def test_the_lines_that_two_releases_are_compared_by_are_sound() -> None:
    sources = (same_bytes.datc, same_bytes.figures, same_bytes.spellings)
    for source in sources:
        rows = list(source())
        assert len(rows) > 200
        for row in rows[:: len(rows) // FEW]:
            assert "error" not in adjudicate_line(json.dumps(row))
