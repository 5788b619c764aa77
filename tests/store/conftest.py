"""A database in memory and one in a file, with three players in each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.store import Changes, Database
from tests.store.values import PLAYERS, save


@pytest.fixture(params=["memory", "file"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Every test that takes it runs on both: in memory and in a file they behave alike."""
    opened = Database(tmp_path / "judge.sqlite" if request.param == "file" else None)
    save(opened, Changes(players=PLAYERS))
    yield opened
    opened.close()
