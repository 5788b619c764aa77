"""The real mail servers, one pair for all tests of a worker; skipped with a reason without them.

With JUDGE_REQUIRE=servers in the environment a skip is a failure.
"""

import os
from collections.abc import Generator, Iterator

import pytest

from tests.servers.harness import ServerPair, missing, running_servers


@pytest.fixture(scope="session")
def servers() -> Iterator[ServerPair]:
    """A running Dovecot and Postfix with empty mailboxes for whoever is written to."""
    if reason := missing():
        pytest.skip(reason)
    with running_servers() as pair:
        yield pair


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "servers" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.servers)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    required = os.environ.get("JUDGE_REQUIRE", "").split(",")
    if report.skipped and "servers" in required and item.get_closest_marker("servers"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but JUDGE_REQUIRE demands it: {report.longrepr}"
    return report
