"""Rows, JSON and instants: how values become columns and back. Knows no table.

Names of tables and columns are always ours, never from a letter; values are always parameters.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import msgspec
from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError

# What SQLite returns and takes: None, int, str or bytes in each column.
Row = dict[str, Any]


def fetch(db: Tables, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
    """All rows of a query, each by column name."""
    cursor = db.execute(sql, parameters)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def fetch_one(db: Tables, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> Row | None:
    """The first row of a query, or None."""
    rows = fetch(db, sql, parameters)
    return rows[0] if rows else None


def insert(db: Tables, table: str, row: Row) -> int:
    """A new row; returns its rowid."""
    names, marks = ", ".join(row), ", ".join(f":{name}" for name in row)
    cursor = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", row)  # noqa: S608
    return cursor.lastrowid or 0


def update(db: Tables, table: str, key: Row, changed: Row) -> int:
    """Set columns of the row with that key; returns how many rows there were."""
    columns = ", ".join(f"{name} = :{name}" for name in changed)
    sql = f"UPDATE {table} SET {columns} WHERE {_matches(key)}"  # noqa: S608
    return db.execute(sql, {**changed, **_key_parameters(key)}).rowcount


def sync_row(db: Tables, table: str, key: Row, values: Row, note: Row | None = None) -> None:
    """Make the row with that key hold these values; writes only what differs.

    `note` is written along with any other change, and is no change by itself.
    """
    stored = fetch_one(
        db,
        f"SELECT * FROM {table} WHERE {_matches(key)}",  # noqa: S608
        _key_parameters(key),
    )
    if stored is None:
        insert(db, table, {**key, **values, **(note or {})})
        return
    changed = _difference(stored, values)
    if changed:
        update(db, table, key, {**changed, **(note or {})})


def sync_rows(
    db: Tables, table: str, owner: Row, key: tuple[str, ...], rows: Sequence[Row]
) -> None:
    """Make the owner's rows of a table these, told apart by `key`; writes only what differs."""
    sql = f"SELECT * FROM {table} WHERE {_matches(owner)}"  # noqa: S608
    stored = {
        tuple(row[name] for name in key): row for row in fetch(db, sql, _key_parameters(owner))
    }
    wanted = {tuple(row[name] for name in key): row for row in rows}
    if len(wanted) != len(rows):
        raise StoreError(f"{table}: two rows of {owner} have the same {', '.join(key)}")
    for name in stored.keys() - wanted.keys():
        gone = {**owner, **dict(zip(key, name, strict=True))}
        db.execute(
            f"DELETE FROM {table} WHERE {_matches(gone)}",  # noqa: S608
            _key_parameters(gone),
        )
    for name, row in wanted.items():
        if name not in stored:
            insert(db, table, {**owner, **row})
        elif changed := _difference(stored[name], row):
            update(db, table, {**owner, **dict(zip(key, name, strict=True))}, changed)


def _matches(key: Row) -> str:
    return " AND ".join(f"{name} = :key_{name}" for name in key)


def _key_parameters(key: Row) -> Row:
    return {f"key_{name}": value for name, value in key.items()}


def _difference(stored: Row, wanted: Row) -> Row:
    return {name: value for name, value in wanted.items() if stored[name] != value}


def text_of(written: str) -> str:
    """The text as it can be stored: what no UTF-8 can hold (lone surrogates) becomes `?`."""
    return written.encode("utf-8", "replace").decode()


def to_json(value: object) -> str:
    """JSON text, compact; keys keep their order. What no UTF-8 can hold becomes `?`."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return text_of(json.dumps(msgspec.to_builtins(value), ensure_ascii=False))


def from_json(text: str) -> Any:
    """The value of a JSON text; ValueError if it is none."""
    return msgspec.json.decode(text)


def seconds(instant: datetime | None) -> int | None:
    """An instant as it is stored."""
    return None if instant is None else to_seconds(instant)


def instant(stored: int | None) -> datetime | None:
    """A stored instant."""
    return None if stored is None else from_seconds(stored)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """What goes wrong while stored columns become values is a StoreError that names them."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise StoreError(f"{what} cannot be read: {type(error).__name__}: {error}") from error
