"""Letters are compared with files; `pytest tests/render --update-letters` writes them anew."""

from collections.abc import Callable
from pathlib import Path

import pytest

LETTERS = Path(__file__).parent.parent / "letters"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-letters", action="store_true", help="write tests/letters anew")


@pytest.fixture
def compare_letter(request: pytest.FixtureRequest) -> Callable[[str, str, str], None]:
    """Compares a text with the letter kept under a language and a name."""
    update = request.config.getoption("--update-letters", default=False)

    def compare(language: str, name: str, text: str) -> None:
        kept = LETTERS / language / f"{name}.txt"
        if update:
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(text, encoding="utf-8")
        assert kept.exists(), f"no letter {kept.name} is kept: run with --update-letters"
        assert kept.read_text(encoding="utf-8") == text

    return compare
