"""In which order tests run, and `--said`: fails where no test says a sentence of the catalogue.

`--said` is for runs of all tests (`make test`): a sentence that none of them says is used
nowhere, or nobody has ever read it in its place. It is counted where it is put into words, in any
language.
"""

import gc
import hashlib
import os
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from babel.messages.pofile import read_po

from judge.data import shipped
from judge.render.catalogue import Catalogue

if "JUDGE_EXAMPLES" in os.environ:  # a nightly run: its tests may take as long as they need
    os.environ.setdefault("PYTEST_TIMEOUT", "0")
hashlib.scrypt = cache(hashlib.scrypt)  # slow on purpose: games of tests have the same passwords

SAID: set[str] = set()  # by the tests of this process
RESULT = "said"  # what a worker of pytest-xdist hands over


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--said", action="store_true", help="list sentences that no test has said")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--said"):
        return
    say, count = Catalogue.say, Catalogue.count

    def note_said(self: Catalogue, message: str, /, **values: object) -> str:
        SAID.add(message)
        return say(self, message, **values)

    def note_counted(
        self: Catalogue, singular: str, plural: str, n: int, /, **values: object
    ) -> str:
        SAID.add(singular)
        return count(self, singular, plural, n, **values)

    Catalogue.say, Catalogue.count = note_said, note_counted  # type: ignore[method-assign]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that may take longest come first: at the end no worker waits for another one's."""
    items.sort(key=_most_seconds, reverse=True)


def _most_seconds(item: pytest.Item) -> float:
    mark = item.get_closest_marker("timeout")
    return float(mark.args[0]) if mark else 0.0


def pytest_collection_finish() -> None:
    """The garbage collector need not look at 24,000 tests again and again."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[RESULT] = sorted(SAID)
    elif session.config.getoption("--said") and any(never_said()):
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    SAID.update(getattr(node, "workeroutput", {}).get(RESULT, ()))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if config.getoption("--said") and (never := [*never_said()]):
        terminalreporter.section("sentences that no test has said")
        for message in never:
            terminalreporter.line(message)


def never_said() -> Iterator[str]:
    with (shipped("locale") / "judge.pot").open("rb") as file:
        for message in read_po(file):
            singular = message.id if isinstance(message.id, str) else message.id[0]
            if singular and singular not in SAID:
                yield singular
