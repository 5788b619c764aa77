"""Letters to the judge's keepers: what somebody should look at."""

from judge.host.blocks import KeeperNotice
from judge.host.session import Session
from judge.rulebook import JsonObject


def tell_keepers(session: Session, what: str, values: JsonObject) -> None:
    """A letter to each keeper's address, in the judge's own language and zone."""
    for address in session.house.keepers:
        session.write_stranger(
            address,
            "keeper",
            [KeeperNotice(what, values)],
            language=session.house.languages[0],
            zone=session.house.zone,
        )
