"""Letters to the judge's keepers: what somebody should look at."""

from judge.host.messages import KeeperNotice
from judge.host.unit_of_work import UnitOfWork
from judge.rulebook import Values


def notify_keepers(work: UnitOfWork, what: str, values: Values) -> None:
    """A letter to each keeper's address, in the judge's own language and zone."""
    for address in work.config.keepers:
        work.write_stranger(
            address,
            "keeper",
            [KeeperNotice(what, values)],
            language=work.config.languages[0],
            zone=work.config.zone,
        )
