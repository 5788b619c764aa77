"""Every finding about release 0.1 has its tests in findings.toml, or the reason why it has none."""

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
TABLE: dict[str, Any] = tomllib.loads((TESTS / "findings.toml").read_text(encoding="utf-8"))
PAGES: dict[str, dict[str, Any]] = {page: TABLE[page] for page in TABLE["count"]}
FINDINGS = [(page, number) for page, rows in PAGES.items() for number in rows]


@cache
def names_of(file: str) -> frozenset[str]:
    tree = ast.parse((TESTS.parent / file).read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(one.name for one in tree.body if isinstance(one, functions))


def test_no_page_and_no_number_is_left_out() -> None:
    assert TABLE.keys() - {"count"} == PAGES.keys()
    for page, rows in PAGES.items():
        assert [*rows] == [str(number) for number in range(1, TABLE["count"][page] + 1)], page


@pytest.mark.parametrize(("page", "number"), FINDINGS, ids=[f"{a}-{b}" for a, b in FINDINGS])
def test_a_finding_has_its_tests_or_the_reason_why_not(page: str, number: str) -> None:
    row = PAGES[page][number]
    assert row.keys() <= {"finding", "commits", "tests", "why_not"}
    assert row["finding"].strip()
    assert row.get("tests") or row.get("why_not", "").strip()
    assert row.get("why_not") or row.get("commits"), "what mended it"
    for test in row.get("tests", ()):
        file, _, name = test.partition("::")
        assert name.startswith("test_"), test
        assert name in names_of(file), test
