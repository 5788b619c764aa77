"""Names of a variant that mean something else as well, in the same language or in another.

Orders are read in all languages at once, so a name must not be another's, nor an order word or a
command. What the reading settles by itself is no fault. Knows the files of a variant, not lines.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judge.diplomacy.language.lexicon import key_of, said_in_orders
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.variants.faults import sort_faults
from judge.diplomacy.variants.files import Document, VariantFault, VariantText, language_names
from judge.toml_lines import Path

USES = ("railway", "canal")  # tables with names for orders of a variant's own
WON_BY_IDS = ("army", "join", "build")  # order words that give way to a province's id


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name stands for, and where that is written.

    Attributes:
        kind: `power`, `province`, `coast`, `command`, or the use of an order word.
        of: the id of what has the name; empty for words.
        is_plain: a province's id or its English name, not one of its other names.
        document, path: where it is written; None for words of the language itself.
    """

    name: str
    kind: str
    of: str = ""
    is_plain: bool = False
    document: Document[Any] | None = None
    path: Path = ()

    def __str__(self) -> str:
        return f"{self.kind} {self.of}".rstrip()


def name_faults(text: VariantText, commands: Collection[str]) -> tuple[VariantFault, ...]:
    """The names that collide. `commands` are the words that begin a command, in all languages.

    The variant must be sound but for this.
    """
    faults: list[VariantFault] = []
    for key, meanings in doubled_names(text, commands).items():
        if not _is_settled(key, meanings):
            faults.append(_fault(meanings))
    faults += _ambiguous_faults(text, commands)
    return sort_faults(faults)


def doubled_names(
    text: VariantText, commands: Collection[str] = ()
) -> Mapping[str, tuple[Meaning, ...]]:
    """The names with more than one meaning, by what they are looked up by."""
    found = _meanings(text, commands)
    return {
        key: tuple(each)
        for key, each in found.items()
        if len(set(map(str, each))) > 1 and any(one.document is not None for one in each)
    }


def _meanings(text: VariantText, commands: Collection[str]) -> dict[str, list[Meaning]]:
    found: dict[str, list[Meaning]] = {}
    words = [*said_in_orders(), *((word, "command") for word in commands)]
    meanings = (Meaning(name, kind) for name, kind in words)
    for each in (*meanings, *_variant_names(text), *_board_names(text), *_local_names(text)):
        found.setdefault(key_of(normalize(each.name).text), []).append(each)
    return found


def _variant_names(text: VariantText) -> Iterator[Meaning]:
    variant = text.variant
    for at, row in enumerate(variant.tables.powers):
        if row.named_after is not None:
            continue
        for key, name in (("id", row.id), ("name", row.name), ("adjective", row.adjective)):
            yield Meaning(name, "power", row.id, False, variant, ("powers", at, key))
        for number, alias in enumerate(row.aliases):
            path = ("powers", at, "aliases", number)
            yield Meaning(alias, "power", row.id, False, variant, path)
    for use in USES:
        feature = getattr(variant.tables, use)
        for number, name in enumerate(feature.names if feature else ()):
            yield Meaning(name, use, "", False, variant, (use, "names", number))


def _board_names(text: VariantText) -> Iterator[Meaning]:
    board = text.board
    for at, row in enumerate(board.tables.provinces):
        for key, name in (("id", row.id), ("name", row.name)):
            yield Meaning(name, "province", row.id, True, board, ("provinces", at, key))
        for number, alias in enumerate(row.aliases):
            if alias not in board.tables.ambiguous_aliases:
                path = ("provinces", at, "aliases", number)
                yield Meaning(alias, "province", row.id, False, board, path)


def _local_names(text: VariantText) -> Iterator[Meaning]:
    named_after = {row.id for row in text.variant.tables.powers if row.named_after is not None}
    for language, table, id_, at, name in language_names(text):
        if table == "powers" and id_ in named_after:
            continue
        kind = {"powers": "power", "provinces": "province", "orders": id_}[table]
        of = "" if table == "orders" else id_
        yield Meaning(name, kind, of, at == 0, text.names[language], (table, id_, at))


def _is_settled(key: str, meanings: tuple[Meaning, ...]) -> bool:
    """Whether the reading tells the meanings apart (names.py, scanner.py)."""
    kinds = {each.kind for each in meanings}
    provinces = [each for each in meanings if each.kind == "province"]
    if kinds == {"coast SC", "canal"}:
        return True  # the canal's only as the first word of an order
    if len({each.of for each in provinces}) != 1:
        return False
    if kinds == {"power", "province"}:  # the power before a unit, else the province
        one_power = len({each.of for each in meanings if each.kind == "power"}) == 1
        return one_power and not any(each.is_plain for each in provinces)
    is_id = key == provinces[0].of.lower()
    return is_id and kinds <= {"province", *WON_BY_IDS}


def _fault(meanings: tuple[Meaning, ...]) -> VariantFault:
    """Said at the last place in the variant's own files, or else in those it is based on."""
    written = [each for each in meanings if each.document is not None]

    def is_own(each: Meaning) -> bool:
        assert each.document is not None
        place = each.document.fault("", *each.path).place
        return place is not None and not place.folder

    at = next((each for each in reversed(written) if is_own(each)), written[-1])
    assert at.document is not None
    others = sorted({str(each) for each in meanings} - {str(at)})
    text = f'{at}: the name "{at.name}" means {", ".join(others)} too'
    return at.document.fault(text, *at.path)


def _ambiguous_faults(text: VariantText, commands: Collection[str]) -> Iterator[VariantFault]:
    """Short forms with several readings must hide no word and no other name."""
    meanings = _meanings(text, commands)
    for short, places in text.board.tables.ambiguous_aliases.items():
        known = {place.partition("/")[0] for place in places}
        for each in meanings.get(key_of(normalize(short).text), ()):
            if each.kind != "province" or each.of not in known:
                what = f"ambiguous_aliases: {short} means {each} too"
                yield text.board.fault(what, "ambiguous_aliases", short)
