"""The judge is killed after every letter of a game that goes through Dovecot and Postfix."""

import asyncio
import imaplib
from datetime import datetime
from pathlib import Path

import pytest

from judge.mail import ImapAccount
from tests.kill.test_kill import JUDGE, Post, check_killing_changes_nothing
from tests.servers.harness import PASSWORD, ServerPair


class RealPost:
    """Letters go into Dovecot with the date of the test's clock; the judge sends by Postfix."""

    def __init__(self, servers: ServerPair) -> None:
        self._servers = servers
        self.settings = f"""
[imap]
host = "{servers.host}"
port = {servers.ports.imaps}
user = "{JUDGE}"
password = "{PASSWORD}"
ca_file = "{servers.ca_file}"
[smtp]
host = "{servers.host}"
port = {servers.ports.smtps}
ca_file = "{servers.ca_file}"
"""

    async def deliver(self, raw: bytes, received_at: datetime) -> None:
        await asyncio.to_thread(self._append, raw, received_at)

    def _append(self, raw: bytes, received_at: datetime) -> None:
        with self._servers.imap(JUDGE) as client:
            stamp = imaplib.Time2Internaldate(received_at)
            assert client.append("INBOX", "", stamp, raw)[0] == "OK"

    def account(self, address: str) -> ImapAccount:
        return ImapAccount(
            host=self._servers.host,
            port=self._servers.ports.imaps,
            user=address,
            password=PASSWORD,
            ca_file=self._servers.ca_file,
        )

    async def stop(self) -> None:
        """The servers go on; the mailboxes are emptied for the next game."""
        await asyncio.to_thread(self._empty)

    def _empty(self) -> None:
        powers = ("austria", "england", "france", "germany", "italy", "russia", "turkey")
        for address in (JUDGE, "gm@example.test", *(f"{one}@example.test" for one in powers)):
            with self._servers.imap(address) as client:
                count = client.select("INBOX")[1][0]
                if count != b"0":
                    client.store("1:*", "+FLAGS", "\\Deleted")
                    client.expunge()


@pytest.mark.timeout(280)
def test_killing_the_judge_after_each_letter_changes_nothing(
    servers: ServerPair, tmp_path: Path
) -> None:
    async def make() -> Post:
        post = RealPost(servers)
        await post.stop()
        return post

    check_killing_changes_nothing(tmp_path, make, make)
