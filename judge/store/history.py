"""Finished phases and press: only ever added, never changed."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError
from judge.rulebook import OrderSet, Phase, Report, SeatId, State
from judge.store.people import PlayerId
from judge.store.records import ActRecord, PhaseRecord, PlayerNote, PressRecord
from judge.store.rows import Row, Table, from_json, from_row, row_of, to_json

PHASES = """
SELECT games.name AS owner, phases.*, 1 + (SELECT count(*) FROM phases AS earlier
    WHERE earlier.game = phases.game AND earlier.label = phases.label
        AND earlier.serial < phases.serial) AS times
FROM phases JOIN games ON name = phases.game WHERE phases.game = ?
"""
# Not those that a rollback has taken back.
KEPT = f"""
{PHASES} AND NOT EXISTS (SELECT 1 FROM json_each(games.record, '$.gaps') AS gap
    WHERE serial BETWEEN json_extract(gap.value, '$[0]') AND json_extract(gap.value, '$[1]'))
"""  # noqa: S608
PRESS = """
SELECT games.name AS game, label, sender, recipients AS "to", text, sent_at, kind, shown_as,
    shown_to, people, phrase
FROM press JOIN games ON name = press.game WHERE press.game = ? ORDER BY id
"""

NOTES = """
SELECT * FROM notes WHERE game = :game AND (:player IS NULL OR player = :player)
ORDER BY player, kind, number
"""


class _StoredPhase(msgspec.Struct, frozen=True):
    """The JSON in `phases.record`."""

    phase: Phase
    state: msgspec.Raw
    order_sets: Mapping[SeatId, OrderSet]
    reports: tuple[Report, ...]
    missing: tuple[SeatId, ...]


DECODER = msgspec.json.Decoder(_StoredPhase)
ACT = msgspec.json.Decoder(ActRecord)
LISTS = ("to", "shown_to", "people", "phrase")  # columns of press that hold several names


class Phases(Table):
    def get(self, game: str, serial: int) -> PhaseRecord | None:
        """A phase of a game that was finished or stopped, or None."""
        row = self.run(f"{PHASES} AND serial = ?", [game, serial]).fetchone()
        return _phase(row) if row else None

    def named(self, game: str, label: str) -> PhaseRecord | None:
        """The finished phase of a label, or None."""
        sql = f"{KEPT} AND label = ? ORDER BY serial DESC LIMIT 1"
        row = self.run(sql, [game, label]).fetchone()
        return _phase(row) if row else None

    def of(self, game: str) -> tuple[PhaseRecord, ...]:
        """All finished phases of a game, in the order in which they ran."""
        return tuple(map(_phase, self.run(f"{KEPT} ORDER BY serial", [game])))

    def newest_label_since(self, game: str, since: datetime) -> str:
        """The label of the newest phase that has run since then; empty for none."""
        sql = f"{KEPT} AND processed_at >= ? ORDER BY serial DESC LIMIT 1"
        row = self.run(sql, [game, to_seconds(since)]).fetchone()
        return str(row["label"]) if row else ""

    def including_rolled_back(self, game: str) -> tuple[PhaseRecord, ...]:
        """As `of`, with those that a rollback has taken back or stopped."""
        return tuple(map(_phase, self.run(f"{PHASES} ORDER BY serial", [game])))

    def save(self, record: PhaseRecord, cause: str) -> None:
        """Keep a finished phase for ever.

        Raises:
            StoreError: a phase of that serial is kept already.
        """
        stored = _StoredPhase(
            record.phase,
            msgspec.Raw(record.state),
            record.order_sets,
            record.reports,
            record.missing,
        )
        sql = """
            INSERT INTO phases (game, serial, label, processed_at, record, cause)
            VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """
        key = [record.game, record.phase.serial, record.phase.label]
        written = [to_seconds(record.processed_at), to_json(stored), cause]
        if not self.run(sql, [*key, *written]).rowcount:
            raise StoreError(f"phase {record.phase.serial} of {record.game} is kept already")


def _phase(row: Row) -> PhaseRecord:
    stored = from_json(row["record"], DECODER, f"phase {row['serial']} of {row['owner']}")
    return PhaseRecord(
        game=row["owner"],
        phase=stored.phase,
        state=State(bytes(stored.state)),
        order_sets=stored.order_sets,
        reports=stored.reports,
        missing=stored.missing,
        processed_at=from_seconds(row["processed_at"]),
        times=row["times"],
    )


class PressSent(Table):
    def of(self, game: str) -> tuple[PressRecord, ...]:
        """All press of a game, in the order in which it was delivered."""
        rows = self.run(PRESS, [game])
        return tuple(from_row(row, PressRecord, f"press of {game}", *LISTS) for row in rows)

    def save(self, record: PressRecord, cause: str) -> None:
        row = row_of(record, *LISTS)
        row["recipients"] = row.pop("to")
        self.insert("press", {**row, "cause": cause})


class Notes(Table):
    def of(self, game: str, player: PlayerId | None = None) -> tuple[PlayerNote, ...]:
        """What has been written in a game by one player (with None: by all), in order."""
        rows = self.run(NOTES, {"game": game, "player": player})
        return tuple(from_row(row, PlayerNote, f"a note in {game}") for row in rows)

    def save(self, note: PlayerNote) -> None:
        """Keep a note in place of the one of its number, or delete that."""
        key = [note.game, note.player, note.kind.value, note.number]
        where = "game = ? AND player = ? AND kind = ? AND number = ?"
        self.run(f"DELETE FROM notes WHERE {where}", key)  # noqa: S608
        if note.text:
            self.insert("notes", row_of(note))


class Acts(Table):
    def of(self, game: str) -> tuple[ActRecord, ...]:
        """What masters did in a game, in order."""
        records = self.column("SELECT record FROM acts WHERE game = ? ORDER BY id", [game])
        return tuple(from_json(record, ACT, f"an act in {game}") for record in records)

    def save(self, record: ActRecord, cause: str) -> None:
        self.insert("acts", {"game": record.game, "record": to_json(record), "cause": cause})
