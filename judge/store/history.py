"""Finished phases and press: only ever added, never changed."""

from collections.abc import Mapping

import msgspec
from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError
from judge.rulebook import OrderSet, Phase, Report, SeatId, State
from judge.store.records import PhaseRecord, PressRecord
from judge.store.rows import Row, fetch, fetch_one, from_json, insert, reading, text_of, to_json

PHASES = "SELECT games.name AS owner, phases.* FROM phases JOIN games ON name = phases.game"


class _StoredPhase(msgspec.Struct, frozen=True):
    """The JSON in `phases.record`."""

    phase: Phase
    state: msgspec.Raw
    order_sets: Mapping[SeatId, OrderSet]
    reports: tuple[Report, ...]
    missing: tuple[SeatId, ...]


_DECODER = msgspec.json.Decoder(_StoredPhase)


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
    key = [record.game, record.phase.serial]
    if fetch_one(db, "SELECT 1 FROM phases WHERE game = ? AND serial = ?", key):
        raise StoreError(f"phase {record.phase.serial} of {record.game} is kept already")
    stored = _StoredPhase(
        record.phase,
        msgspec.Raw(record.state),
        record.order_sets,
        record.reports,
        record.missing,
    )
    row = {
        "game": record.game,
        "serial": record.phase.serial,
        "label": record.phase.label,
        "processed_at": to_seconds(record.processed_at),
        "record": to_json(stored),
        "cause": cause,
    }
    insert(db, "phases", row)


def _phase_from_row(row: Row) -> PhaseRecord:
    with reading(f"phase {row['serial']} of {row['owner']}"):
        stored = _DECODER.decode(row["record"])
        return PhaseRecord(
            game=row["owner"],
            phase=stored.phase,
            state=State(bytes(stored.state)),
            order_sets=stored.order_sets,
            reports=stored.reports,
            missing=stored.missing,
            processed_at=from_seconds(row["processed_at"]),
        )


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
