"""The files of a variant, read and put together with those of the variant that it is based on.

Every value can be found again at its file and line, so that a fault can name them. Knows the keys
by which variants are put together, and not what a board or a power is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import Any, Generic

from msgspec.structs import asdict, fields

from judge.diplomacy.variants.tables import BoardTables, NameTables, Tables, VariantTables, decode
from judge.toml_lines import Path, TomlFile, read_toml

VARIANT_FILE = "variant.toml"
NAMES_FOLDER = "names"
NAME_TABLES = ("powers", "provinces", "orders")
START_UNITS = "start_units"  # what `leave_out` may name beside powers and tables
MAY_LACK = {field.name for field in fields(VariantTables) if not field.required}
SEVERAL = ("calendars", "bridges", "players")  # tables by name: `leave_out` may name one of them

Folders = Mapping[str, Traversable]  # of all variants there are, by name


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file; `str()` as compilers write it. `folder` is empty in the variant's own."""

    file: str
    line: int
    folder: str = ""

    def __str__(self) -> str:
        return "/".join(filter(None, (self.folder, f"{self.file}:{self.line}")))


@dataclass(frozen=True, slots=True)
class VariantFault:
    """One thing that is wrong; `str()` is what a keeper reads."""

    text: str
    place: Place | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read, with the lines of its values."""

    folder: str
    name: str
    file: TomlFile


@dataclass(frozen=True, slots=True)
class Document(Generic[Tables]):
    """What a file says, put together with the files that it is based on."""

    values: Mapping[str, Any]  # as they are written
    decoded: Tables | None  # the same as tables; None if something is missing or is of another kind
    sources: tuple[Source, ...] = ()  # the files, the variant's own first
    # Whether what is written has the right kinds, though much may be missing.
    is_usable: bool = True

    @property
    def is_sound(self) -> bool:
        return self.decoded is not None

    @property
    def tables(self) -> Tables:
        """The tables of a document that is sound."""
        assert self.decoded is not None
        return self.decoded

    def subject(self, path: Path) -> str:
        """What a fault calls the value at a path: `powers.FRANCE.home_centers`."""
        parts: list[str] = []
        for at, part in enumerate(path):
            if isinstance(part, str):
                parts.append(part)
            elif at == 1 and path[0] in ("powers", "provinces"):
                parts.append(self.values[path[0]][part]["id"])
        return ".".join(parts)

    def fault(self, text: str, *path: str | int) -> VariantFault:
        """Something wrong with the value at that path, or with what holds it."""
        for length in range(len(path), 0, -1):
            for source in self.sources:
                if line := source.file.line_numbers.get(self._path_in(source, path[:length])):
                    return VariantFault(text, Place(source.name, line, source.folder))
        own = self.sources[0]
        return VariantFault(text, Place(own.name, 1, own.folder))

    def _path_in(self, source: Source, path: Path) -> Path:
        """The path in one of the files: a power has one id, and another row in each file."""
        if path[0] != "powers" or len(path) == 1 or isinstance(path[1], str):
            return path
        power, rows = self.values["powers"][path[1]]["id"], source.file.values.get("powers", ())
        row = max((number for number, row in enumerate(rows) if row["id"] == power), default=-1)
        return ("powers", row, *path[2:])


@dataclass(frozen=True, slots=True)
class VariantText:
    """All that a variant's files say."""

    name: str
    variant: Document[VariantTables]
    board: Document[BoardTables]
    names: Mapping[str, Document[NameTables]]  # by language
    board_key: str  # what the board was read from, the same for variants that share it
    faults: tuple[VariantFault, ...]  # what is wrong with the files as such

    @property
    def is_sound(self) -> bool:
        """Whether it can be looked at as a variant."""
        return self.variant.is_sound and self.board.is_sound


def read_variant(name: str, folders: Folders, above: tuple[str, ...] = ()) -> VariantText:
    """The files of the variant of that name; `above` are those that are based on it.

    What cannot be read is a fault of the result.
    """
    folder = _Folder(folders[name], name if above else "")
    own = folder.read(VARIANT_FILE, VariantTables)
    if own.is_usable and own.values["name"] != name:
        text = f'name is "{own.values["name"]}", but the folder is called {name}'
        folder.faults.append(own.fault(text, "name"))

    base: VariantText | None = None
    based_on, wrong = own.values.get("based_on"), ""
    if isinstance(based_on, str):
        chain = (*above, name)
        if based_on in chain:
            way = " - ".join((*chain[chain.index(based_on) :], based_on))
            wrong = f"these variants are based on each other: {way}"
        elif based_on not in folders:
            known = ", ".join(folders)
            wrong = f'based_on: there is no variant "{based_on}"; there are {known}'
        else:
            base = read_variant(based_on, folders, chain)
            wrong = f'based_on: "{based_on}" has faults of its own' if base.faults else ""
    if wrong:
        folder.faults.append(own.fault(wrong, "based_on"))
    folder.faults.extend(base.faults if base else ())
    variant = own
    if base is not None and own.is_usable and base.variant.is_sound:
        variant = _merged(base.variant, own, folder.faults)

    board: Document[BoardTables] = Document({}, None)
    board_key, file = "", own.values.get("board")
    if file is None and base is not None:
        board, board_key = base.board, base.board_key
    elif isinstance(file, str):
        if not file or "/" in file or "\\" in file or file.startswith("."):
            text = f'board: "{file}" is no name of a file in this folder'
            folder.faults.append(own.fault(text, "board"))
        else:
            board, board_key = folder.read(file, BoardTables), f"{folder.folder}/{file}"
    names = _read_names_by_language(folder, base, variant, board)
    return VariantText(name, variant, board, names, board_key, tuple(folder.faults))


_parsed = lru_cache(maxsize=32)(read_toml)  # many variants share the files of one


class _Folder:
    """The files of one variant. `label` stands before their names in faults."""

    def __init__(self, folder: Traversable, label: str) -> None:
        self.folder = folder
        self.label = label
        self.faults: list[VariantFault] = []

    def read(self, name: str, tables: type[Tables]) -> Document[Tables]:
        """A file, checked for its keys and the kinds of its values. What is wrong is noted."""
        path = self.folder.joinpath(*name.split("/"))
        try:
            # A pipe may never end.
            text = "" if getattr(path, "is_fifo", bool)() else path.read_text(encoding="utf-8")
            file = _parsed(text)
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is not UTF-8"
            self.faults.append(VariantFault(f"cannot be read: {why}", Place(name, 1, self.label)))
            source = Source(self.label, name, TomlFile("", {}))
            return Document({}, None, (source,), is_usable=False)
        is_partial = tables is VariantTables and "based_on" in file.values
        values, decoded, faults = decode(
            file.values, tables, is_partial=is_partial, lost_keys=file.lost_keys
        )
        is_usable = not file.faults and all(fault.is_passable for fault in faults)
        source = Source(self.label, name, file)
        document = Document(values, decoded if is_usable else None, (source,), is_usable)
        for unread in file.faults:
            self.faults.append(VariantFault(unread.text, Place(name, unread.line, self.label)))
        self.faults += [document.fault(fault.text, *fault.path) for fault in faults]
        return document


def _merged(
    base: Document[VariantTables], own: Document[VariantTables], faults: list[VariantFault]
) -> Document[VariantTables]:
    """The base's variant with what the own one says otherwise: tables key by key, powers by id."""
    not_taken = ("titles", "based_on", "leave_out")
    values = {key: value for key, value in base.values.items() if key not in not_taken}
    powers = {row["id"]: dict(row) for row in values["powers"]}
    changed, left_out = own.values.get("powers", ()), own.values.get("leave_out", ())
    if not powers.keys().isdisjoint(left_out) or any(row["id"] not in powers for row in changed):
        values.pop("players", None)  # they share the base's powers
    for at, named in enumerate(left_out):
        table, _, key = named.partition(".")
        if named in powers:
            del powers[named]
        elif named == START_UNITS:
            for row in powers.values():
                row.pop(START_UNITS, None)
        elif named in MAY_LACK and named in values:
            del values[named]
        elif table in SEVERAL and key in values.get(table, {}):
            values[table] = {each: one for each, one in values[table].items() if each != key}
        else:
            text = f'leave_out: there is no power or table "{named}" to leave out'
            faults.append(own.fault(text, "leave_out", at))
    for row in changed:
        powers[row["id"]] = powers.get(row["id"], {}) | row
    for key, value in own.values.items():
        values[key] = _merged_value(values.get(key), value)
    values["powers"] = [*powers.values()]
    values, tables, wrong = decode(values, VariantTables)
    document = Document(values, tables, (*own.sources, *base.sources))
    faults += [document.fault(fault.text, *fault.path) for fault in wrong]
    return document


def _merged_value(before: Any, value: Any) -> Any:
    """A table changes the keys that it names, and leaves the others."""
    if isinstance(before, dict) and isinstance(value, dict):
        return {
            **before,
            **{key: _merged_value(before.get(key), one) for key, one in value.items()},
        }
    return value


def _read_names_by_language(
    folder: _Folder,
    base: VariantText | None,
    variant: Document[VariantTables],
    board: Document[BoardTables],
) -> Mapping[str, Document[NameTables]]:
    """All names, by language. A variant's own lists replace those of its base; of the base's, only
    those are kept whose power, province or feature it still has."""
    found = dict(base.names) if base is not None else {}
    if variant.is_sound and board.is_sound:
        known: dict[str, set[Any]] = {
            "powers": set(variant.tables.power_ids),
            "provinces": {province.id for province in board.tables.provinces},
            "orders": set(variant.values),
        }
        for language, names in found.items():
            kept = {
                table: {id_: each for id_, each in listed.items() if id_ in known[table]}
                for table, listed in asdict(names.tables).items()
            }
            found[language] = replace(names, values=kept, decoded=NameTables(**kept))
    names_folder = folder.folder.joinpath(NAMES_FOLDER)
    files = names_folder.iterdir() if names_folder.is_dir() else ()
    for file in sorted(each.name for each in files if each.name.endswith(".toml")):
        language = file.removesuffix(".toml")
        own = folder.read(f"{NAMES_FOLDER}/{file}", NameTables)
        inherited = found.get(language, Document({}, NameTables()))
        both = asdict(inherited.tables)
        for table, listed in asdict(own.decoded or NameTables()).items():
            both[table] = {**both[table], **listed}
        found[language] = Document(both, NameTables(**both), (*own.sources, *inherited.sources))
    return found


def names_in_other_languages(text: VariantText) -> Iterator[tuple[str, str, str, int, str]]:
    """(language, table, id, number, name) of every name in another language."""
    for language, document in text.names.items():
        for table in NAME_TABLES:
            for id_, names in getattr(document.tables, table).items():
                for at, name in enumerate(names):
                    yield language, table, id_, at, name
