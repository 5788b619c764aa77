"""Pictures of letters, stored once by the digest of what they show."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime

from judge.clock import to_seconds
from judge.store.rows import Table

FORGET = """
DELETE FROM pictures WHERE used_at < ? AND sha256 NOT IN (
    SELECT value FROM outbox JOIN rendered ON rendered.letter = outbox.letter
    JOIN json_each(rendered.pictures) WHERE outbox.state IN ('queued', 'sending', 'stuck')
)
"""


class Pictures(Table):
    def has(self, sha256: str) -> bool:
        """Whether a picture is stored."""
        sql = "SELECT 1 FROM pictures WHERE sha256 = ?"
        return self.run(sql, [sha256]).fetchone() is not None

    def get(self, digests: Collection[str]) -> Mapping[str, bytes]:
        """Those of these pictures that are stored, PNG files by their digests."""
        sql = "SELECT sha256, body FROM pictures WHERE sha256 IN (SELECT value FROM json_each(?))"
        return {row["sha256"]: row["body"] for row in self.run(sql, [json.dumps([*digests])])}

    def save(self, sha256: str, body: bytes, now: datetime) -> None:
        """Keep a picture; the first bytes stay."""
        sql = "INSERT INTO pictures VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        self.run(sql, [sha256, body, to_seconds(now)])

    def note_use(self, digests: Collection[str], now: datetime) -> None:
        """A letter shows these pictures."""
        sql = "UPDATE pictures SET used_at = ? WHERE sha256 IN (SELECT value FROM json_each(?))"
        self.run(sql, [to_seconds(now), json.dumps([*digests])])

    def forget(self, before: datetime) -> int:
        """Delete pictures that no letter has shown since an instant, and that none shows which is
        not sent yet; returns how many. Whoever asks for one later has it drawn again."""
        return self.run(FORGET, [to_seconds(before)]).rowcount
