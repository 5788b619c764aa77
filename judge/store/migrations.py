"""The tables, in the order in which they came to be. A migration is never edited after a release.

Most are SQL alone (`schema/`). In all tables columns in `_at` hold whole seconds UTC, columns in
`_seconds` whole seconds; flags are 0 or 1; a column whose comment says JSON holds a JSON text. Game
names are the same in any case.
"""

import base64
import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from sqlite_utils import Database as Tables
from sqlite_utils import Migrations

Json = dict[str, Any]

MIGRATIONS = Migrations("judge")


def _run(db: Tables, name: str) -> None:
    """Carry out a script of `schema/`; `executescript` looks for a statement at each letter."""
    script = files("judge.store").joinpath("schema", f"{name}.sql").read_text(encoding="utf-8")
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if ";" in line and sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


def _add(*names: str) -> None:
    """Add migrations that are SQL alone."""
    for name in names:
        MIGRATIONS(name=name)(lambda db, name=name: _run(db, name))


_add(
    "m001_first_tables",
    "m002_single_rules",
    "m003_orders_ahead",
    "m004_variant_options",
    "m005_agreed_ends",
)


@MIGRATIONS()
def m006_game_records(db: Tables) -> None:
    """A game is one JSON record beside its state, with the columns by which games are found."""
    _run(db, "m006_game_records")
    for row in db.query("SELECT * FROM games ORDER BY name"):
        parts = {
            table: list(
                db.query(f"SELECT * FROM {table} WHERE game = ? ORDER BY position", [row["name"]])  # noqa: S608
            )
            for table in ("seats", "lines", "ahead_lines", "applicants")
        }
        seats = parts["seats"]
        open_seats = sum(seat["player"] is None for seat in seats)
        db.table("game_records").insert(
            {
                **{name: row[name] for name in ("name", "game", "status", "master", "variant")},
                **{name: row[name] for name in ("due_at", "halted", "cause")},
                "open_seats": 1 if row["status"] == "forming" else open_seats,
                "record": json.dumps(_record_0_1(row, **parts), ensure_ascii=False),
            }
        )
        players = {row["master"], *(one["player"] for one in parts["applicants"])}
        players |= {seat["player"] or seat["former"] for seat in seats} - {None}
        for player in sorted(players):
            db.table("participants").insert({"game": row["name"], "player": player})
    for row in db.query("SELECT * FROM phases"):
        old = json.loads(row["record"])
        record = {
            "phase": _phase_0_1(row["label"], row["kind"], row["serial"], row["is_main"]),
            "state": old["state"],
            "order_sets": old["sheets"],
            "reports": old["reports"],
            "missing": old["missing"],
        }
        db.table("phase_records").insert(
            {
                **{name: row[name] for name in ("game", "serial", "label", "processed_at")},
                "record": json.dumps(record, ensure_ascii=False),
                "cause": row["cause"],
            }
        )
    for row in list(
        db.query(
            "SELECT id, blocks FROM letters_out JOIN outbox ON outbox.letter = letters_out.id"
            " WHERE NOT is_rendered"
        )
    ):
        old = json.loads(row["blocks"])
        messages = {"format": 1, "messages": [_message_0_1(each) for each in old["blocks"]]}
        db.execute(
            "UPDATE letters_out SET blocks = ? WHERE id = ?",
            [json.dumps(messages, ensure_ascii=False), row["id"]],
        )
    _run(db, "m006_in_place")


_add("m007_shared_and_leased")


# --- what release 0.1 kept, as it is kept now -----------------------------------------------------


def _instant_0_1(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat()


def _phase_0_1(label: str, kind: str, serial: int, is_main: int) -> Json:
    silence = ("wait" if serial == 1 else "absence") if is_main else "normal"
    return {"label": label, "kind": kind, "serial": serial, "silence": silence}


def _line_0_1(line: Json) -> Json:
    return {
        **{name: line[name] for name in ("key", "text", "written")},
        "kept": bool(line["kept"]),
    }


def _settings_0_1(old: Json, length_of: Callable[[str], Any]) -> Json:
    """Settings, whose lengths were fields of their own; `length_of` gives a length by its name."""
    kinds = ("movement", "retreat", "adjustment")
    votes = {"draw": old["draws"], "concession": old["concessions"]}
    return {
        **{name: old[name] for name in ("variant", "rules", "press")},
        "lengths": {kind: length_of(kind) for kind in kinds},
        **{name: length_of(name) for name in ("grace", "reminder", "all_in_delay")},
        "votes": [name for name, is_allowed in votes.items() if is_allowed],
    }


def _record_0_1(
    row: Json,
    *,
    seats: list[Json],
    lines: list[Json],
    ahead_lines: list[Json],
    applicants: list[Json],
) -> Json:
    """A game's record from its rows in the first release's tables."""
    timing, phase = None, None
    if row["deadline_at"] is not None:
        timing = {
            **{name: _instant_0_1(row[name]) for name in ("opened_at", "deadline_at")},
            "changed_at": _instant_0_1(row["changed_at"]),
            "grace_until": _instant_0_1(row["grace_ends_at"]),
            "late": json.loads(row["late"]),
            **{name: bool(row[name]) for name in ("reminded", "waits", "unreachable")},
        }
    if row["phase_serial"] is not None:
        phase = _phase_0_1(
            row["phase_label"], row["phase_kind"], row["phase_serial"], row["phase_is_main"]
        )
    order_sets: dict[str, list[Json]] = {}
    for line in lines:
        order_sets.setdefault(line["seat"], []).append(_line_0_1(line))
    advance: dict[str, dict[str, list[Json]]] = {}
    for line in ahead_lines:
        own = advance.setdefault(line["seat"], {})
        own.setdefault(line["label"], []).append(_line_0_1(line))
    return {
        **{name: row[name] for name in ("name", "game", "status", "master", "master_hash")},
        "settings": {
            **_settings_0_1(row, lambda name: f"PT{row[f'{name}_seconds']}S"),
            "choices": json.loads(row["rule_choices"]),
            "options": json.loads(row["variant_options"]),
        },
        "seed": base64.b64encode(row["seed"]).decode(),
        "created_at": _instant_0_1(row["created_at"]),
        "faults": json.loads(row["faults"]),
        "applicants": [
            {name: one[name] for name in ("player", "wish", "password_hash")} for one in applicants
        ],
        "phase": phase,
        "seats": [
            {
                "id": seat["seat"],
                **{name: seat[name] for name in ("player", "former", "password_hash")},
                **{name: seat[name] for name in ("misses", "sets")},
                **{name: bool(seat[name]) for name in ("ready", "wait", "faulty")},
                "votes": {
                    **({"draw": ""} if seat["draw"] else {}),
                    **({"concession": seat["concedes"]} if seat["concedes"] else {}),
                },
            }
            for seat in seats
        ],
        "order_sets": order_sets,
        "advance": {
            seat: [{"label": label, "order_set": each} for label, each in own.items()]
            for seat, own in advance.items()
        },
        "timing": timing,
        "ending": row["ending"] or "",
        "winners": json.loads(row["winners"]),
        "due_at": _instant_0_1(row["due_at"]),
    }


MESSAGE_FIELDS_0_1 = {
    "sheet": "order_set",
    "sheets": "order_sets",
    "owed": "orders_due",
    "owes": "is_awaited",
    "ahead": "advance",
}


def _message_0_1(old: Any) -> Any:
    """A message of a letter that waits to be rendered, with the names of its fields today."""
    if isinstance(old, list):
        return [_message_0_1(each) for each in old]
    if not isinstance(old, dict):
        return old
    new: Json = {}
    for name, each in old.items():
        new[MESSAGE_FIELDS_0_1.get(str(name), str(name))] = _message_0_1(each)
    if "block" in new:
        kind = new.pop("block")
        new["type"] = {"OrdersAhead": "AdvanceAnswer"}.get(kind, kind)
    if "all_in_delay" in new and "draws" in new:
        rest: Json = {name: new[name] for name in ("choices", "options") if name in new}
        new = {**_settings_0_1(new, lambda name: new[name]), **rest}
    return new
