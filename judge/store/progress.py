"""How far the mailbox was read, and what the service notes of its own life."""

from datetime import datetime

from judge.clock import from_seconds, to_seconds
from judge.store.mail_records import UidCheckpoint
from judge.store.rows import Table, from_row, row_of

SET_CHECKPOINT = """
INSERT OR REPLACE INTO uid_checkpoint (id, uid_validity, last_uid, read_through_at)
VALUES (1, :uid_validity, :last_uid, :read_through_at)
"""


class Mailbox(Table):
    def checkpoint(self) -> UidCheckpoint | None:
        """How far the mailbox was read; None before the first checkpoint."""
        row = self.run("SELECT * FROM uid_checkpoint").fetchone()
        return from_row(row, UidCheckpoint, "the checkpoint of the mailbox") if row else None

    def set_checkpoint(self, checkpoint: UidCheckpoint) -> None:
        """Replace the checkpoint."""
        self.run(SET_CHECKPOINT, row_of(checkpoint))


class Timestamps(Table):
    """Instants by name: the newest heartbeat, the first start."""

    def get(self, name: str) -> datetime | None:
        """None if it was not noted."""
        row = self.run("SELECT at FROM timestamps WHERE name = ?", [name]).fetchone()
        return from_seconds(row["at"]) if row else None

    def set(self, name: str, at: datetime | None) -> None:
        """Note an instant in place of the one before; None: forget it."""
        if at is None:
            self.run("DELETE FROM timestamps WHERE name = ?", [name])
        else:
            self.run("INSERT OR REPLACE INTO timestamps VALUES (?, ?)", [name, to_seconds(at)])
