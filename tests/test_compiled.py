"""What the compiled judge is made of (`pyproject.toml`), and what its compiler would get wrong."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HATCH = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
(PATTERN,) = HATCH["build"]["targets"]["wheel"]["hooks"]["mypyc"]["include"]
COMPILED = sorted(ROOT.glob(PATTERN))


def test_the_adjudicator_is_compiled_and_nothing_else() -> None:
    package = ROOT / "judge" / "diplomacy" / "adjudicator"
    assert sorted(package.rglob("*.py")) == COMPILED


@pytest.mark.parametrize("module", COMPILED, ids=lambda path: path.name)
def test_compiled_modules_have_no_cached_properties(module: Path) -> None:
    """The compiler takes them for plain ones, which are worked out at every use."""
    assert "cached_property" not in module.read_text(encoding="utf-8")
