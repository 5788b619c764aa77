"""Finished phases and press: only ever added, never changed."""

from collections.abc import Sequence
from typing import cast

from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError
from judge.rulebook import JsonObject, Line, OrderSet, Phase, SeatId
from judge.store.records import PhaseRecord, PressRecord
from judge.store.rows import (
    Row,
    fetch,
    fetch_one,
    from_json,
    insert,
    reading,
    text_of,
    to_json,
)

FORMAT = 1  # of the JSON in phases.record
PHASES = "SELECT games.name AS owner, phases.* FROM phases JOIN games ON name = phases.game"


def phase(db: Tables, game: str, serial: int) -> PhaseRecord | None:
    """A finished phase of a game, or None."""
    row = fetch_one(db, f"{PHASES} WHERE phases.game = ? AND serial = ?", [game, serial])
    return _phase_from_row(row) if row else None


def phases(db: Tables, game: str) -> tuple[PhaseRecord, ...]:
    """All finished phases of a game, in the order in which they ran."""
    rows = fetch(db, f"{PHASES} WHERE phases.game = ? ORDER BY serial", [game])
    return tuple(_phase_from_row(row) for row in rows)


def save_phase(db: Tables, record: PhaseRecord, cause: str) -> None:
    """Keep a finished phase for ever.

    Raises:
        StoreError: a phase of that serial is kept already.
    """
    if phase(db, record.game, record.phase.serial) is not None:
        raise StoreError(f"phase {record.phase.serial} of {record.game} is kept already")
    row = {
        "game": record.game,
        "serial": record.phase.serial,
        "label": record.phase.label,
        "kind": record.phase.kind,
        "is_main": int(record.phase.main),
        "processed_at": to_seconds(record.processed_at),
        "record": to_json(_phase_json(record)),
        "cause": cause,
    }
    insert(db, "phases", row)


def _phase_json(record: PhaseRecord) -> JsonObject:
    order_sets = {
        seat: [
            {"key": line.key, "text": line.text, "written": line.written, "kept": line.kept}
            for line in order_set
        ]
        for seat, order_set in record.order_sets.items()
    }
    return {
        "format": FORMAT,
        "state": record.state,
        "sheets": cast(JsonObject, order_sets),
        "reports": record.reports,
        "missing": record.missing,
    }


def _phase_from_row(row: Row) -> PhaseRecord:
    with reading(f"phase {row['serial']} of {row['owner']}"):
        record = from_json(row["record"])
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']}")
        return PhaseRecord(
            game=row["owner"],
            phase=Phase(row["label"], row["kind"], row["serial"], bool(row["is_main"])),
            state=record["state"],
            order_sets={SeatId(seat): _sheet(lines) for seat, lines in record["sheets"].items()},
            reports=tuple(record["reports"]),
            missing=tuple(record["missing"]),
            processed_at=from_seconds(row["processed_at"]),
        )


def _sheet(lines: Sequence[Row]) -> OrderSet:
    return tuple(Line(line["key"], line["text"], line["written"], line["kept"]) for line in lines)


def save_press(db: Tables, record: PressRecord, cause: str) -> None:
    """Keep a piece of press as it was delivered."""
    row = {
        "game": record.game,
        "label": record.label,
        "sender": record.sender,
        "recipients": to_json(record.to),
        "text": text_of(record.text),
        "sent_at": to_seconds(record.sent_at),
        "cause": cause,
    }
    insert(db, "press", row)


def press(db: Tables, game: str) -> tuple[PressRecord, ...]:
    """All press of a game, in the order in which it was delivered."""
    sql = """
        SELECT games.name AS owner, press.* FROM press JOIN games ON name = press.game
        WHERE press.game = ? ORDER BY id
    """
    return tuple(_press_from_row(row) for row in fetch(db, sql, [game]))


def _press_from_row(row: Row) -> PressRecord:
    with reading(f"press {row['id']} of {row['owner']}"):
        return PressRecord(
            game=row["owner"],
            label=row["label"],
            sender=row["sender"],
            to=tuple(from_json(row["recipients"])),
            text=row["text"],
            sent_at=from_seconds(row["sent_at"]),
        )
