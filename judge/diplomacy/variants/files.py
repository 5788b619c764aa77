"""The files of a variant, read and put together with those of the variant that it is based on.

Every value keeps its file and line, so that whatever is wrong with it can be found. Knows the keys
by which variants are put together, and not what a board or a power is.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Any

from judge.diplomacy.variants.shape import BOARD, NAMES, VARIANT, Named, Shape, shape_faults
from judge.diplomacy.variants.toml_places import Path, lines_of, syntax_fault

VARIANT_FILE = "variant.toml"
NAMES_FOLDER = "names"
NAME_TABLES = ("powers", "provinces", "orders")
PLAYERS = "players"  # its tables speak of all powers, so they go with any of them
START_UNITS = "start_units"  # what `leave_out` may name beside powers and tables

Folders = Mapping[str, Traversable]  # of all variants there are, by name


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file; `str()` as compilers write it."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class VariantFault:
    """One thing that is wrong; `str()` is what a keeper reads."""

    text: str
    place: Place | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file, and where its values stand. Of a variant that is based on another, both.

    Attributes:
        is_sound: whether keys and kinds of values are as they should be, so that it can be used.
    """

    data: Mapping[str, Any]
    places: Mapping[Path, Place]
    is_sound: bool = True

    def fault(self, text: str, *path: str | int) -> VariantFault:
        """Something wrong with the value at that path, or with what holds it."""
        for length in range(len(path), -1, -1):
            if place := self.places.get(path[:length]):
                return VariantFault(text, place)
        return VariantFault(text)


EMPTY = Document({}, {})


@dataclass(frozen=True, slots=True)
class VariantText:
    """All that a variant's files say.

    Attributes:
        names: by language, each with the tables of `NAME_TABLES`.
        board_key: what the board was read from, the same for variants that share it.
        faults: what is wrong with the files as such.
    """

    name: str
    variant: Document
    board: Document
    names: Mapping[str, Document]
    board_key: str
    faults: tuple[VariantFault, ...]

    @property
    def is_sound(self) -> bool:
        """Whether it can be looked at as a variant."""
        return self.variant.is_sound and self.board.is_sound


def read_variant(name: str, folders: Folders, above: tuple[str, ...] = ()) -> VariantText:
    """The files of the variant of that name; `above` are those that are based on it.

    What cannot be read is a fault of the result, and stands there as an empty document.
    """
    folder = folders[name]
    files = _Files(folder, f"{name}/" if above else "")
    own = files.read(VARIANT_FILE, VARIANT)
    faults = files.faults
    base = _read_base(own, folders, (*above, name), faults)
    if own.is_sound and own.data["name"] != name:
        text = f'name is "{own.data["name"]}", but the folder is called {name}'
        faults.append(own.fault(text, "name"))
    merged = own
    if base is not None and own.is_sound and base.variant.is_sound:
        merged = _merged(base.variant, own, faults)
    elif base is not None or "based_on" in own.data:
        merged = Document(own.data, own.places, is_sound=False)
    board, board_key = _read_board(files, folder, own, base)
    names = _read_names(files, base, _ids_of(merged, board))
    return VariantText(name, merged, board, names, board_key, tuple(faults))


class _Files:
    """The files of one folder. `label` stands before their names in faults."""

    def __init__(self, folder: Traversable, label: str) -> None:
        self.folder = folder
        self.label = label
        self.faults: list[VariantFault] = []

    def read(self, file: str, shape: Shape) -> Document:
        """A file, checked for its keys. What is wrong is noted."""
        label = f"{self.label}{file}"
        source = self.folder
        for part in file.split("/"):
            source = source.joinpath(part)
        try:
            text = source.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return self._refuse(label, 1, "there is no such file")
        except UnicodeDecodeError as error:
            return self._refuse(label, 1, f"byte {error.start} is no UTF-8")
        except OSError as error:
            return self._refuse(label, 1, f"cannot be read ({error.strerror})")
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line, gist = syntax_fault(error, text)
            return self._refuse(label, line, f"this line cannot be read: {gist}")
        places = {path: Place(label, line) for path, line in lines_of(text).items()}
        document = Document(data, {(): Place(label, 1), **places})
        found = list(shape_faults(data, shape, (), is_based="based_on" in data))
        self.faults += [document.fault(fault.text, *fault.path) for fault in found]
        is_sound = all(fault.is_unread for fault in found)
        return Document(document.data, document.places, is_sound=is_sound)

    def _refuse(self, label: str, line: int, text: str) -> Document:
        self.faults.append(VariantFault(text, Place(label, line)))
        return Document({}, {(): Place(label, line)}, is_sound=False)


def _read_base(
    own: Document, folders: Folders, chain: tuple[str, ...], faults: list[VariantFault]
) -> VariantText | None:
    """What the variant is based on; None if on nothing, or on what cannot be used."""
    written = own.data.get("based_on")
    if not isinstance(written, str):
        return None
    if written in chain:
        way = " - ".join((*chain[chain.index(written) :], written))
        faults.append(own.fault(f"based_on goes in a circle: {way}", "based_on"))
        return None
    if written not in folders:
        known = ", ".join(folders)
        text = f'based_on: there is no variant "{written}"; there are {known}'
        faults.append(own.fault(text, "based_on"))
        return None
    base = read_variant(written, folders, chain)
    if base.faults:
        faults.append(own.fault(f'based_on: "{written}" has faults of its own', "based_on"))
        faults.extend(base.faults)
    return base


def _read_board(
    files: _Files, folder: Traversable, own: Document, base: VariantText | None
) -> tuple[Document, str]:
    file = own.data.get("board")
    if file is None and base is not None:
        return base.board, base.board_key
    if not isinstance(file, str):
        return Document({}, {}, is_sound=False), ""
    if not file or "/" in file or "\\" in file or file.startswith("."):
        text = f'board: "{file}" is no name of a file in this folder'
        files.faults.append(own.fault(text, "board"))
        return Document({}, {}, is_sound=False), ""
    return files.read(file, BOARD), f"{folder}/{file}"


# --- names in other languages ---------------------------------------------------------------------


Ids = Mapping[str, frozenset[str]]  # of what can have names, by table


def _ids_of(variant: Document, board: Document) -> Ids:
    if not (variant.is_sound and board.is_sound):
        return {}
    return {
        "powers": frozenset(row["id"] for row in variant.data["powers"]),
        "provinces": frozenset(row["id"] for row in board.data["provinces"]),
        "orders": frozenset(variant.data),
    }


def _read_names(files: _Files, base: VariantText | None, ids: Ids) -> Mapping[str, Document]:
    """All names, by language. Of the base's those that still mean something."""
    inherited = base.names if base is not None else {}
    own = {
        file.removesuffix(".toml"): files.read(f"{NAMES_FOLDER}/{file}", NAMES)
        for file in _names_files(files.folder)
    }
    languages = (*inherited, *(language for language in own if language not in inherited))
    return {
        language: _with_names(inherited.get(language, EMPTY), own.get(language, EMPTY), ids)
        for language in languages
    }


def _names_files(folder: Traversable) -> list[str]:
    names = folder.joinpath(NAMES_FOLDER)
    if not names.is_dir():
        return []
    return sorted(each.name for each in names.iterdir() if each.name.endswith(".toml"))


def _with_names(base: Document, own: Document, ids: Ids) -> Document:
    """The names of one language: a variant's own lists stand in place of those it is based on."""
    data: dict[str, Any] = {}
    places = dict(base.places)
    for table in NAME_TABLES:
        mine = own.data.get(table, {}) if own.is_sound else {}
        kept = {
            key: names
            for key, names in base.data.get(table, {}).items()
            if key in ids.get(table, (key,))
        }
        data[table] = {**kept, **mine}
        for key in mine:
            places = _without(places, (table, key))
    return Document(data, {**places, **own.places}, is_sound=own.is_sound)


# --- a variant that is based on another -----------------------------------------------------------


def _merged(base: Document, own: Document, faults: list[VariantFault]) -> Document:
    """The base's variant with what the own one says otherwise."""
    data: dict[str, Any] = {**base.data, "powers": [dict(row) for row in base.data["powers"]]}
    places = dict(base.places)
    for key in ("titles", "based_on", "leave_out"):
        data.pop(key, None)
        places = _without(places, (key,))
    if _has_other_powers(data, own):
        data.pop(PLAYERS, None)  # who holds which of them is another matter then
        places = _without(places, (PLAYERS,))
    _leave_out(data, own, faults)
    for key, value in own.data.items():
        if key != "powers":
            places = _put(data, places, own, (key,), value)
    places = _with_powers(data, places, own)
    places[()] = own.places[()]
    merged = Document(data, places)
    found = list(shape_faults(data, VARIANT, (), is_based=False))
    known = {fault.text for fault in faults}
    for fault in found:
        one = merged.fault(fault.text, *fault.path)
        if one.text not in known:
            faults.append(one)
    return Document(data, places, is_sound=all(fault.is_unread for fault in found))


def _put(
    table: dict[str, Any], places: dict[Path, Place], own: Document, path: Path, value: Any
) -> dict[Path, Place]:
    """Set a value with its places; a table changes the keys that it names, and leaves the others.

    `path` is where it stands in both documents; `table` is what holds its last key.
    """
    key = path[-1]
    before = table.get(str(key))
    if isinstance(value, dict) and isinstance(before, dict):
        inner = dict(before)
        table[str(key)] = inner
        places[path] = own.places[path]
        for each, one in value.items():
            places = _put(inner, places, own, (*path, each), one)
        return places
    table[str(key)] = value
    mine = {at: place for at, place in own.places.items() if at[: len(path)] == path}
    return {**_without(places, path), **mine}


def _has_other_powers(data: Mapping[str, Any], own: Document) -> bool:
    ids = {row["id"] for row in data["powers"]}
    named = {row["id"] for row in own.data.get("powers", ())}
    return bool(ids & set(own.data.get("leave_out", ())) or named - ids)


def _leave_out(data: dict[str, Any], own: Document, faults: list[VariantFault]) -> None:
    """Take out powers, tables, or all units at the start. A power that is left out stands as None
    in its row, so that the others keep their numbers and with them their places."""
    rows = data["powers"]
    ids = {row["id"]: at for at, row in enumerate(rows)}
    for at, named in enumerate(own.data.get("leave_out", ())):
        if named in ids:
            rows[ids[named]] = None
        elif named == START_UNITS:
            for row in filter(None, rows):
                row.pop(START_UNITS, None)
        elif f"{named}?" in VARIANT.keys and named in data:
            del data[named]
        elif _is_in_table(data, named):
            table, _, key = named.partition(".")
            data[table] = {each: one for each, one in data[table].items() if each != key}
        else:
            text = f'leave_out: there is no power or table "{named}" to leave out'
            faults.append(own.fault(text, "leave_out", at))


def _is_in_table(data: Mapping[str, Any], named: str) -> bool:
    """Whether it is one of several tables, `players.2`."""
    table, _, key = named.partition(".")
    return isinstance(VARIANT.keys.get(f"{table}?"), Named) and key in data.get(table, {})


def _with_powers(
    data: dict[str, Any], places: dict[Path, Place], own: Document
) -> dict[Path, Place]:
    """The rows of the base that are left, changed by those of the same id, then the new ones."""
    rows: list[tuple[dict[str, Any], dict[Path, Place]]] = []
    for at, row in enumerate(data["powers"]):
        if row is not None:
            rows.append((row, _below(places, ("powers", at))))
    by_id = {row["id"]: at for at, (row, _) in enumerate(rows)}
    for at, mine in enumerate(own.data.get("powers", ())):
        own_places = _below(own.places, ("powers", at))
        if mine["id"] not in by_id:
            rows.append((dict(mine), own_places))
            continue
        row, known = rows[by_id[mine["id"]]]
        row.update(mine)
        kept = {path: place for path, place in known.items() if path[:1] not in _heads(own_places)}
        rows[by_id[mine["id"]]] = (row, {**kept, **own_places})
    data["powers"] = [row for row, _ in rows]
    places = _without(places, ("powers",))
    for at, (_, below) in enumerate(rows):
        places |= {("powers", at, *path): place for path, place in below.items()}
    return places


def _below(places: Mapping[Path, Place], path: Path) -> dict[Path, Place]:
    """The places of what a value holds, by their paths within it."""
    length = len(path)
    return {at[length:]: place for at, place in places.items() if at[:length] == path}


def _heads(places: Mapping[Path, Place]) -> set[Path]:
    return {path[:1] for path in places}


def _without(places: Mapping[Path, Place], path: Path) -> dict[Path, Place]:
    return {at: place for at, place in places.items() if at[: len(path)] != path}


def language_names(text: VariantText) -> Iterator[tuple[str, str, str, int, str]]:
    """(language, table, id, number, name) of every name in another language."""
    for language, document in text.names.items():
        for table, rows in document.data.items():
            for id_, names in rows.items():
                for at, name in enumerate(names):
                    yield language, table, id_, at, name
