"""What the compiled judge is made of (`pyproject.toml`), and what its compiler would get wrong."""

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HATCH = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
COMPILED: list[str] = HATCH["build"]["targets"]["wheel"]["hooks"]["mypyc"]["include"]


@pytest.mark.parametrize("module", COMPILED)
def test_compiled_modules_have_no_cached_properties(module: str) -> None:
    """The compiler takes them for plain ones, which are worked out at every use."""
    assert "cached_property" not in (ROOT / module).read_text(encoding="utf-8")
