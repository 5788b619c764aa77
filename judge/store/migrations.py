"""The tables, in the order in which they came to be. A migration is never edited after a release.

Most are SQL alone (`schema/`). In all tables columns in `_at` hold whole seconds UTC, columns in
`_seconds` whole seconds; flags are 0 or 1; a column whose comment says JSON holds a JSON text. Game
names are the same in any case.
"""

import base64
import json
import sqlite3
from importlib.resources import files
from typing import Any

from sqlite_utils import Database as Tables
from sqlite_utils import Migrations

from judge.store.outbox import without_passwords

MIGRATIONS = Migrations("judge")


def _run_script(db: Tables, name: str) -> None:
    """Carry out a script of `schema/`; `executescript` looks for a statement at each letter."""
    script = files("judge.store").joinpath("schema", f"{name}.sql").read_text(encoding="utf-8")
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if ";" in line and sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""


def _add_sql_migrations(*names: str) -> None:
    """Add migrations that are SQL alone."""
    for name in names:
        MIGRATIONS(name=name)(lambda db, name=name: _run_script(db, name))


_add_sql_migrations(
    "m001_first_tables",
    "m002_single_rules",
    "m003_orders_ahead",
    "m004_variant_options",
    "m005_agreed_ends",
)


@MIGRATIONS()
def m006_game_records(db: Tables) -> None:
    """A game is one JSON record beside its state, with the columns by which games are found."""
    db.register_function(lambda seed: base64.b64encode(seed).decode(), name="base64")
    db.register_function(_messages_0_1, name="messages")
    _run_script(db, "m006_game_records")


_add_sql_migrations("m007_shared_and_leased", "m008_proofs")


@MIGRATIONS()
def m009_hidden_passwords(db: Tables) -> None:
    """Passwords in letters that were sent, and in questions, are hidden."""
    told = list(
        db.query(
            "SELECT id, messages, raw FROM letters_out JOIN rendered ON rendered.letter = id"
            " JOIN outbox ON outbox.letter = id"
            " WHERE state = 'sent' AND messages LIKE '%\"password\":%'"
        )
    )
    for row in told:
        messages, raw = without_passwords(row["messages"], row["raw"])
        db.execute("UPDATE letters_out SET messages = ? WHERE id = ?", [messages, row["id"]])
        db.execute("UPDATE rendered SET raw = ? WHERE letter = ?", [raw, row["id"]])
    db.execute(
        "UPDATE letters_out SET payload = json_set(payload, '$.password', '')"
        " WHERE json_extract(payload, '$.password') <> ''"
    )


_add_sql_migrations(
    "m010_people", "m011_standbys", "m012_full_games", "m013_results", "m014_acts", "m015_ratings"
)


@MIGRATIONS()
def m016_proposals(db: Tables) -> None:
    """What seats vote for, and the later deadline that one asks for, are proposals of the game."""
    for row in list(db.query("SELECT name, record FROM games WHERE status = 'active'")):
        record, found = json.loads(row["record"]), dict[tuple[str, str], dict[str, Any]]()
        for seat in record.get("seats", []):
            for kind, winner in seat.pop("votes", {}).items():
                new = {"kind": kind, "by": seat["id"], "seats": [winner] * bool(winner)}
                one = found.setdefault((kind, winner), {**new, "votes": {}})
                one["votes"][seat["id"]] = True
        if asked := (record.get("timing") or {}).pop("extension", None):
            votes = dict.fromkeys(asked["agreed"], True)
            new = {"kind": "extend", "by": asked["asked_by"], "at": asked["at"], "votes": votes}
            found["extend", ""] = {**new, "is_announced": True}
        if found:
            numbered = enumerate(found.values(), 1)
            record["proposals"] = [{"number": n, **one} for n, one in numbered]
            record["proposed"] = len(found)
            written = json.dumps(record, ensure_ascii=False)
            db.execute("UPDATE games SET record = ? WHERE name = ?", [written, row["name"]])


_add_sql_migrations(
    "m017_press_kinds", "m018_notes", "m019_reports", "m020_digests", "m021_counted_answers"
)
_add_sql_migrations(
    *("m022_masters", "m023_formats", "m024_pictures", "m025_vacations", "m026_letters_to"),
    "m027_unrendered",
)


# --- letters of release 0.1 that wait to be rendered ----------------------------------------------

MESSAGE_FIELDS_0_1 = {
    "sheet": "order_set",
    "sheets": "order_sets",
    "owed": "orders_due",
    "owes": "is_awaited",
    "ahead": "advance",
}


def _messages_0_1(blocks: str) -> str:
    messages = [_message_0_1(each) for each in json.loads(blocks)["blocks"]]
    return json.dumps({"format": 1, "messages": messages}, ensure_ascii=False)


def _message_0_1(old: Any) -> Any:
    """A message, or a part of one, with the names of its fields today."""
    if isinstance(old, list):
        return [_message_0_1(each) for each in old]
    if not isinstance(old, dict):
        return old
    new = {MESSAGE_FIELDS_0_1.get(name, name): _message_0_1(each) for name, each in old.items()}
    if "block" in new:
        kind = new.pop("block")
        if kind in ("DrawVoted", "Conceded"):
            return _ballot_0_1(new)
        new["type"] = {"OrdersAhead": "AdvanceAnswer"}.get(kind, kind)
    if "all_in_delay" in new and "draws" in new:  # a game's settings
        votes = {"draw": new.pop("draws"), "concession": new.pop("concessions")}
        new["votes"] = [name for name, is_allowed in votes.items() if is_allowed]
        kinds = ("movement", "retreat", "adjustment")
        new["lengths"] = {kind: new.pop(kind) for kind in kinds}
    return new


def _ballot_0_1(old: dict[Any, Any]) -> dict[str, Any]:
    """A vote for a draw, or for the seat that others concede to, as a vote is told today."""
    winner = old.get("to")
    is_for = old.get("votes", winner is not None)
    motion = {
        "number": 0,
        "kind": "concession" if "to" in old else "draw",
        "is_end": True,
        "needed": old["needed"],
        "voters": old["needed"],
        "seats": [winner] if winner else [],
        "own": True if is_for else None,
    }
    return {"type": "BallotCast", "game": old["game"], "motion": motion}
