"""Values that many letters share, as the report of a phase: each is stored once, by its SHA-256."""

import json
import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime

from judge.clock import to_seconds
from judge.store.rows import Table

GET = "SELECT sha256, body FROM documents WHERE sha256 IN (SELECT value FROM json_each(?))"


class Documents(Table):
    def get(self, digests: Iterable[str]) -> Mapping[str, bytes]:
        """The documents of these digests; without those that are not kept."""
        rows = self.rows(GET, [json.dumps(sorted(set(digests)))])
        return {row["sha256"]: zlib.decompress(row["body"]) for row in rows}

    def save(self, documents: Mapping[str, bytes], now: datetime) -> None:
        """Keep documents under their digests; those that are kept already stay as they are."""
        for digest, body in documents.items():
            if self.row("SELECT 1 FROM documents WHERE sha256 = ?", [digest]) is None:
                sql = "INSERT INTO documents (sha256, body, created_at) VALUES (?, ?, ?)"
                self.run(sql, [digest, zlib.compress(body), to_seconds(now)])
