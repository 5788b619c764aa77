"""Orders as people write them on a phone, by kind, in `natural/*.tsv`: a position of
`sets/positions.toml`, what the line means (as in the sets), the line."""

from pathlib import Path

import pytest

from .sets.score import GOOD, Case, score

NATURAL = Path(__file__).parent / "natural"
CASES = [
    Case(f"{table.stem}-{number}", *line.split("\t"))
    for table in sorted(NATURAL.glob("*.tsv"))
    for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1)
    if not line.startswith("#")
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_line_is_read_or_asked_about_with_what_it_means(case: Case) -> None:
    assert score(case).verdict in GOOD
