"""Names of a variant that mean something else as well, in the same language or in another.

Orders are read in all languages at once, so a name must not be another's, nor an order word or a
command. What the reading settles by itself is no fault. Knows the files of a variant, not lines.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from judge.diplomacy.board import province_of
from judge.diplomacy.language.lexicon import plain_key, said_in_orders
from judge.diplomacy.variants.faults import sort_faults
from judge.diplomacy.variants.files import (
    Document,
    VariantFault,
    VariantText,
    names_in_other_languages,
)
from judge.toml_lines import Path

USES = ("railway", "canal")  # tables with names for orders of a variant's own
WON_BY_IDS = ("army", "join", "build")  # order words that give way to a province's id


class Meaning(Struct, frozen=True):
    """What a name stands for, and where that is written.

    Attributes:
        kind: `power`, `province`, `coast NC`, `command`, or the use of an order word.
        of: the id of what has the name; empty for words.
        is_plain: a province's id or its English name, not one of its other names.
        document, path: where it is written; None for words of the language itself.
    """

    name: str
    kind: str
    of: str = ""
    document: Document[Any] | None = None
    path: Path = ()
    is_plain: bool = False

    def __str__(self) -> str:
        return f"{self.kind} {self.of}".rstrip()


Meanings = Mapping[str, Sequence[Meaning]]  # by the `plain_key` of the name


def name_faults(text: VariantText, commands: Collection[str]) -> tuple[VariantFault, ...]:
    """The names that collide. `commands` are the words that begin a command, in all languages.

    The variant must be sound but for this.
    """
    meanings = _meanings(text, commands)
    faults: list[VariantFault] = []
    for key, doubled in doubled_names(meanings).items():
        if _is_settled(key, doubled):
            continue
        # The fault stands at the last place in the variant's own files, else in those of its base.
        written = [
            (each, each.document.fault("", *each.path).place)
            for each in doubled
            if each.document is not None
        ]
        own = [each for each, place in written if place is not None and not place.folder]
        at = own[-1] if own else written[-1][0]
        assert at.document is not None
        others = ", ".join(sorted({str(each) for each in doubled} - {str(at)}))
        what = f'{at}: the name "{at.name}" means {others} too'
        faults.append(at.document.fault(what, *at.path))
    # Short forms with several readings must hide no word and no other name.
    for short, places in text.board.tables.ambiguous_aliases.items():
        known = set(map(province_of, places))
        for each in meanings.get(plain_key(short), ()):
            if each.kind != "province" or each.of not in known:
                what = f"ambiguous_aliases: {short} means {each} too"
                faults.append(text.board.fault(what, "ambiguous_aliases", short))
    return sort_faults(faults)


def doubled_names(meanings: Meanings) -> Meanings:
    """The names with more than one meaning."""
    return {
        key: each
        for key, each in meanings.items()
        if len(set(map(str, each))) > 1 and any(one.document is not None for one in each)
    }


def _meanings(text: VariantText, commands: Collection[str]) -> Meanings:
    found: dict[str, list[Meaning]] = {}
    words = [*said_in_orders(), *((word, "command") for word in commands)]
    for each in (*(Meaning(name, kind) for name, kind in words), *_names(text)):
        found.setdefault(plain_key(each.name), []).append(each)
    return found


def _names(text: VariantText) -> Iterator[Meaning]:
    """The names in a variant's files: its own, those of its board, and those in other languages."""
    variant, board = text.variant, text.board
    named_after = {row.id for row in variant.tables.powers if row.named_after is not None}
    for at, power in enumerate(variant.tables.powers):
        names: list[tuple[str, Path]]
        names = [(power.id, ("id",)), (power.name, ("name",)), (power.adjective, ("adjective",))]
        names += [(alias, ("aliases", number)) for number, alias in enumerate(power.aliases)]
        for name, path in names if power.id not in named_after else ():
            yield Meaning(name, "power", power.id, variant, ("powers", at, *path))
    for use in USES:
        feature = getattr(variant.tables, use)
        for number, name in enumerate(feature.names if feature else ()):
            yield Meaning(name, use, "", variant, (use, "names", number))
    for at, province in enumerate(board.tables.provinces):
        for key, name in (("id", province.id), ("name", province.name)):
            yield Meaning(name, "province", province.id, board, ("provinces", at, key), True)
        for number, alias in enumerate(province.aliases):
            if alias not in board.tables.ambiguous_aliases:
                path = ("provinces", at, "aliases", number)
                yield Meaning(alias, "province", province.id, board, path)
    for language, table, id_, at, name in names_in_other_languages(text):
        if table != "powers" or id_ not in named_after:
            kind, of = (id_, "") if table == "orders" else (table.removesuffix("s"), id_)
            yield Meaning(name, kind, of, text.names[language], (table, id_, at), at == 0)


def _is_settled(key: str, meanings: Sequence[Meaning]) -> bool:
    """Whether the reading tells the meanings apart (lexicon.py, tokens.py)."""
    kinds = {each.kind for each in meanings}
    provinces = [each for each in meanings if each.kind == "province"]
    if kinds == {"coast SC", "canal"}:
        return True  # the canal's only as the first word of an order
    if len({each.of for each in provinces}) != 1:
        return False
    if kinds == {"power", "province"}:  # the power before a unit, else the province
        one_power = len({each.of for each in meanings if each.kind == "power"}) == 1
        return one_power and not any(each.is_plain for each in provinces)
    return key == provinces[0].of.lower() and kinds <= {"province", *WON_BY_IDS}
