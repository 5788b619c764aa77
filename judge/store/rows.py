"""Rows to values and back, and what the classes of all tables share."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from sqlite_utils import Database as Tables

from judge.clock import to_seconds
from judge.errors import StoreError

# What SQLite returns and takes: None, int, str or bytes in each column.
Row = dict[str, Any]
Parameters = Sequence[Any] | Mapping[str, Any]
T = TypeVar("T")


class Table:
    """The SQL of one table (or a few that belong together), for the length of a transaction."""

    def __init__(self, db: Tables) -> None:
        self.db = db

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """All rows of a query, each by column name."""
        cursor = self.db.execute(sql, parameters)  # type: ignore[arg-type]  # takes any mapping
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """The first row of a query, or None."""
        return next(iter(self.rows(sql, parameters)), None)

    def run(self, sql: str, parameters: Parameters = ()) -> int:
        """Carry out a statement; returns how many rows it changed."""
        return self.db.execute(sql, parameters).rowcount  # type: ignore[arg-type]

    def insert(self, table: str, row: Row) -> int:
        """A new row; returns its rowid."""
        return self.db.table(table).insert(row).last_rowid or 0


def text_of(written: str) -> str:
    """The text as it can be stored: what no UTF-8 can hold (lone surrogates) becomes `?`."""
    return written.encode("utf-8", "replace").decode()


def to_column(value: Any) -> Any:
    """An instant as whole seconds, a text as it can be stored, anything else as it is."""
    match value:
        case datetime():
            return to_seconds(value)
        case str():
            return text_of(value)
        case _:
            return value


def row_of(value: msgspec.Struct, *left_out: str) -> Row:
    """A value's fields as columns."""
    names = (name for name in value.__struct_fields__ if name not in left_out)
    return {name: to_column(getattr(value, name)) for name in names}


def from_row(row: Row, kind: type[T], what: str) -> T:
    """The value whose fields stand in the columns of a row.

    Raises:
        StoreError: they hold what no judge of this version wrote; names `what` was read.
    """
    try:
        # Not strict: instants are numbers and flags are 0 or 1 in a table.
        return msgspec.convert(row, kind, strict=False)
    except msgspec.ValidationError as error:
        raise StoreError(f"{what} cannot be read: {error}") from error


def to_json(value: object) -> str:
    """JSON text, compact; keys keep their order. What no UTF-8 can hold becomes `?`."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return text_of(json.dumps(msgspec.to_builtins(value), ensure_ascii=False))


def from_json(text: str | bytes, decoder: msgspec.json.Decoder[T], what: str) -> T:
    """The value of a JSON text.

    Raises:
        StoreError: it holds what no judge of this version wrote; names `what` was read.
    """
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise StoreError(f"{what} cannot be read: {error}") from error
