"""Rows to values and back, and what the classes of all tables share."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlite_utils import Database as Tables

from judge.clock import from_seconds, to_seconds
from judge.errors import StoreError

# What SQLite returns and takes: None, int, str or bytes in each column.
Row = Mapping[str, Any]
T = TypeVar("T")


@dataclass
class Table:
    """The SQL of one table (or a few that belong together), for the length of a transaction."""

    db: Tables

    def run(self, sql: str, parameters: Sequence[Any] | Row = ()) -> sqlite3.Cursor:
        """Carry out a statement; its result has columns by name."""
        try:
            cursor = self.db.execute(sql, parameters)  # type: ignore[arg-type]  # takes any mapping
        except UnicodeEncodeError:
            cursor = self.db.execute(sql, without_surrogates(parameters))
        cursor.row_factory = sqlite3.Row
        return cursor

    def column(self, sql: str, parameters: Sequence[Any] | Row = ()) -> tuple[Any, ...]:
        """The first column of the rows that a query finds."""
        return tuple(row[0] for row in self.run(sql, parameters))

    def value(self, sql: str, parameters: Sequence[Any] | Row = ()) -> Any:
        """The first column of the first row; None if there is none."""
        row = self.run(sql, parameters).fetchone()
        return row[0] if row else None

    def instant(self, sql: str, parameters: Sequence[Any] | Row = ()) -> datetime | None:
        """The instant in that column, or None."""
        seconds = self.value(sql, parameters)
        return None if seconds is None else from_seconds(seconds)

    def insert(self, table: str, row: dict[str, Any], *, replace: bool = False) -> int:
        """A new row, with `replace` in place of the one of its key; returns its rowid."""
        verb, places = "INSERT OR REPLACE" if replace else "INSERT", ", ".join("?" * len(row))
        columns = ", ".join(f'"{name}"' for name in row)
        sql = f'{verb} INTO "{table}" ({columns}) VALUES ({places})'
        return self.run(sql, list(row.values())).lastrowid or 0


def without_surrogates(value: Any) -> Any:
    """A value, list or row as it can be stored: what no UTF-8 can hold (lone surrogates) becomes
    `?`."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case list():
            return [without_surrogates(each) for each in value]
        case dict():
            return {name: without_surrogates(each) for name, each in value.items()}
    return value


def row_of(value: msgspec.Struct, *in_json: str) -> dict[str, Any]:
    """A value's fields as columns, some of them as JSON; instants become whole seconds UTC."""
    row: dict[str, Any] = {}
    for name in value.__struct_fields__:
        field = getattr(value, name)
        if name in in_json:
            row[name] = to_json(field)
        else:
            row[name] = to_seconds(field) if isinstance(field, datetime) else field
    return row


def from_row(row: Row, kind: type[T], what: str, *in_json: str) -> T:
    """The value whose fields stand in the columns of a row, in some of them as JSON.

    Raises:
        StoreError: they hold what no judge of this version wrote; names `what` was read.
    """
    try:
        values = {**row, **{name: msgspec.json.decode(row[name]) for name in in_json}}
        # Not strict: instants are numbers and flags are 0 or 1 in a table.
        return msgspec.convert(values, kind, strict=False)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise StoreError(f"{what} cannot be read: {error}") from error


def to_json(value: object) -> str:
    """JSON text, compact; keys keep their order. What no UTF-8 can hold becomes `?`."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return str(without_surrogates(json.dumps(msgspec.to_builtins(value), ensure_ascii=False)))


def from_json(text: str | bytes, decoder: msgspec.json.Decoder[T], what: str) -> T:
    """The value of a JSON text. Raises StoreError: it holds what no judge of this version wrote;
    names `what` was read."""
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise StoreError(f"{what} cannot be read: {error}") from error
