"""The lexicon: every name and order word that players write, in all languages, as one search.

Each is turned into one canonical word, the alphabet of `grammar/orders.lark`: `#PAR` a province,
`@FRANCE` a power, `/NC` a coast, `-` a move and so on. Knows nothing of lines or of grammar.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from judge.data import language_data
from judge.diplomacy.language.sounding import Sounding
from judge.diplomacy.language.spelling import Spelling
from judge.diplomacy.language.text import plain
from judge.diplomacy.language.tokens import KINDS, UNKNOWN
from judge.diplomacy.language.wording import MOVE_AFTER, NOT_BETWEEN_PLACES
from judge.diplomacy.orders import Coast, PowerId, ProvinceId
from judge.diplomacy.variants.variant import LocalNames, Variant

ORDER_WORDS = {
    "army": "A",
    "fleet": "F",
    "move": "-",
    "hold": "H",
    "support": "S",
    "convoy": "C",
    "via": "VIA",
    "retreat": "R",
    "disband": "D",
    "build": "B",
    "waive": "WAIVE",
}
MEMO_WORDS = 1 << 12  # misspelled words kept with what they may mean
BETWEEN = ""  # said between words, without a meaning
JOIN = ","  # between two orders
OWN_WORDS = {"railway": "TSR", "canal": "PASS"}  # of orders that only some variants have

_JOINTS = re.compile(r"[\s.\-'’]+")
_ALONE = "(?:(?![\u3040-\u30ff\u3400-\u9fff])|(?=[軍陸海艦]))"
_PARTICLES = "(?:으로의?|로의?|에서의?|에|의|은|는|이|가|을|를|육군|해군)(?![가-힣])"
_JOINT = r"[ .\-']{0,2}"
_TIGHT = r"[.\-']?"  # before a last letter that could be an order's: SUN.S, but F SUN S F AND
_LAST_LETTER = re.compile(r"([a-z]+) ([bcdhrs])")
_JOINTS_OF = {" ": _JOINT, ".": _TIGHT}
_COAST_TAIL = re.compile(r"(.+?) ?[/(] ?([NSEW]C)\)?")

Words = Mapping[str, tuple[str, ...]]


def key_of(text: str) -> str:
    """How a name is looked up: plain form, without what may stand between its parts."""
    return _JOINTS.sub("", text)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """All names and words of one variant. Made by `lexicon`; compared by identity.

    Attributes:
        words: canonical words by key; several where a short form has several readings.
        marked: coasts that are read only directly after a slash or a bracket.
        canal_coasts: words for a coast that, as the first word of an order, are the canal's.
        coast_swaps: coasts that a province does not have and that stand for one it has.
        everyday: names of places that are words too (`can`, `and`), by key.
        against: words that turn a sentence (not, if), by key.
        conditions: those of them that make what follows or precedes depend on something (if).
        pattern: finds the longest known name in plain text (group `known`), or whatever else
            stands there (groups `mark`, `number`, `point`, `word`,
            `contraction`).
    """

    words: Words
    marked: Mapping[str, str]
    canal_coasts: frozenset[str]
    coast_swaps: Mapping[tuple[str, str], str]
    everyday: frozenset[str]
    against: frozenset[str]
    conditions: frozenset[str]
    pattern: re.Pattern[str]

    @cached_property
    def spelling(self) -> Spelling:
        """What a misspelled word may mean; made when the first one comes."""
        names = {key: words for key, words in self.words.items() if _may_be_meant(key, words)}
        return Spelling(names)

    @cached_property
    def sounding(self) -> Sounding:
        """What a word may mean that is spelled by its sound; made when the first one comes."""
        names = {key: words for key, words in self.words.items() if _may_be_heard(key, words)}
        return Sounding(names)

    def nearest(self, word: str) -> tuple[str, ...]:
        """What a word that nobody knows may mean, nearest first; empty if nothing is near.

        Names at a small distance from it, or that it begins; else those that sound like it.
        """
        return _nearest(self, word)


@lru_cache(maxsize=MEMO_WORDS)
def _nearest(words: Lexicon, word: str) -> tuple[str, ...]:
    return words.spelling.nearest(word) or words.sounding.alike(word)


def _may_be_meant(key: str, words: tuple[str, ...]) -> bool:
    """Provinces and long English order words; a short word has too many neighbors."""
    if words[0].startswith("#"):
        return len(key) >= (3 if key.isascii() else 2)
    is_order = words[0] in ORDER_WORDS.values()
    return is_order and len(key) >= 5 and key.isascii()


def _may_be_heard(key: str, words: tuple[str, ...]) -> bool:
    """Provinces, by names that are no abbreviations."""
    return words[0].startswith("#") and (len(key) >= 4 or not key.isascii())


def lexicon(variant: Variant) -> Lexicon:
    """The lexicon of a variant, made once for all games of it."""
    return _lexicon(variant.named)


@lru_cache(maxsize=64)
def _lexicon(variant: Variant) -> Lexicon:
    vocabulary: dict[str, tuple[str, ...]] = {}
    sources: set[str] = set()
    for name, word in (*_order_words(), *_foreign_names(variant), *_board_names(variant)):
        sources.add(plain(name).text)
        _learn(vocabulary, name, word)
    for name in _around("against", "conditions"):
        if not name.isascii() and len(name) > 1 and name not in vocabulary:
            sources.add(name)
            vocabulary[name] = (UNKNOWN,)
    for short, places in variant.board.ambiguous.items():
        if not _COAST_TAIL.fullmatch(short) and ProvinceId(short) not in variant.board.provinces:
            sources.add(plain(short).text)
            readings = tuple(f"#{place}" for place in places)
            vocabulary[key_of(plain(short).text)] = readings
    canal_coasts = set()
    for name, word in _own_words(variant):
        sources.add(plain(name).text)
        if vocabulary.get(key_of(plain(name).text), ("",))[0].startswith("/"):
            canal_coasts.add(key_of(plain(name).text))
        else:
            _learn(vocabulary, name, word)
    for province in variant.board.provinces:  # an id always wins
        known = vocabulary[province.lower()]
        others = tuple(word for word in known if word in (JOIN, ORDER_WORDS["build"]))
        vocabulary[province.lower()] = (f"#{province}", *others)
    return Lexicon(
        words=vocabulary,
        marked=dict(_marked_coasts()),
        canal_coasts=frozenset(canal_coasts),
        coast_swaps=dict(_coast_swaps(variant)),
        everyday=frozenset(_everyday(vocabulary)),
        against=frozenset(_around("against", "conditions")),
        conditions=frozenset(_around("conditions")),
        pattern=_pattern(
            sources, _signs_alone(variant), frozenset(map(str.lower, variant.board.provinces))
        ),
    )


def _learn(vocabulary: dict[str, tuple[str, ...]], name: str, word: str) -> None:
    """Add a name; a second reading stands beside the first, a place after a power."""
    key = key_of(plain(name).text)
    known = vocabulary.get(key, ())
    if word not in known:
        vocabulary[key] = (*known, word)


# --- where the words come from --------------------------------------------------------------------


def word_tables() -> tuple[Mapping[str, Any], ...]:
    """The words of every language (`grammar/<language>/orders.toml`)."""
    return tuple(language_data("orders.toml").values())


def _order_words() -> Iterator[tuple[str, str]]:
    for language in word_tables():
        for kind, names in language["orders"].items():
            word = ORDER_WORDS[kind]
            endings = language["endings"] if word not in KINDS else ()
            for name in (*names, *_with_endings(names, endings)):
                yield name, word
        for name in (
            *language["move_after"],
            *_with_endings(language["move_after"], language["endings"]),
        ):
            yield name, MOVE_AFTER
        for name in language["around"]["not_between_places"]:
            yield name, NOT_BETWEEN_PLACES
        for name in language["around"]["between"]:
            yield name, BETWEEN
        for name in language["around"]["join"]:
            yield name, JOIN
        for coast, names in language["coasts"].items():
            for name in names:
                yield name, f"/{Coast(coast)}"


def said_in_orders() -> Iterator[tuple[str, str]]:
    """(word, use) of every order word, in all languages: `army`, `move`, `coast NC`, `join`."""
    uses = {word: use for use, word in ORDER_WORDS.items()}
    uses |= {MOVE_AFTER: "move", NOT_BETWEEN_PLACES: "not_between_places"}
    uses |= {BETWEEN: "between", JOIN: "join"}
    for name, word in _order_words():
        yield name, uses[word] if word in uses else f"coast {word[1:]}"


def _with_endings(names: Iterable[str], endings: Iterable[str]) -> Iterator[str]:
    """`이동합니다`, `移動する`: an order word of more than one sign as its language ends it."""
    for name in names:
        if len(name) > 1:
            yield from (name + ending for ending in endings)


def _marked_coasts() -> Iterator[tuple[str, str]]:
    for language in word_tables():
        for coast, names in language["coasts_marked"].items():
            for name in names:
                yield key_of(plain(name).text), f"/{Coast(coast)}"


def _around(*lists: str) -> Iterator[str]:
    for language in word_tables():
        for name in (name for each in lists for name in language["around"][each]):
            yield key_of(plain(name).text)


def _board_names(variant: Variant) -> Iterator[tuple[str, str]]:
    """The names of the variant's own data; powers first, so that `English` is both."""
    for power in variant.powers:
        for name in power.names if power.named_after is None else ():
            yield name, f"@{power.id}"
    for province in variant.board.provinces:
        yield province, f"#{province}"
    for alias, place in variant.board.aliases.items():
        if place.coast is None and not _COAST_TAIL.fullmatch(alias):
            yield alias, f"#{place}"


def foreign_names(variant: Variant) -> LocalNames:
    """Names of powers and provinces by language, from the variant's `names` folder."""
    return variant.local


def power_names(variant: Variant, power: PowerId) -> tuple[str, ...]:
    """All names of a power, in every language."""
    own = variant.power(power).names
    others = [table["powers"].get(power, []) for table in foreign_names(variant).values()]
    return tuple(dict.fromkeys([*own, *(name for names in others for name in names)]))


def _foreign_names(variant: Variant) -> Iterator[tuple[str, str]]:
    named_after = {power.id for power in variant.powers if power.named_after is not None}
    for table in foreign_names(variant).values():
        for power, names in table["powers"].items():
            for name in names if power not in named_after else ():
                yield name, f"@{power}"
        for province, names in table["provinces"].items():
            for name in names:
                yield name, f"#{province}"


def _everyday(vocabulary: Words) -> Iterator[str]:
    for name in _around("everyday"):
        if vocabulary.get(name, ("",))[0].startswith("#"):
            yield name
    yield from (name for name, words in vocabulary.items() if _is_order_word_too(words))


def _is_order_word_too(words: tuple[str, ...]) -> bool:
    return words[0].startswith("#") and any(word[0] not in "#@" for word in words[1:])


def _own_words(variant: Variant) -> Iterator[tuple[str, str]]:
    """How the orders that only this variant has are said, in all languages."""
    for table in ({"orders": variant.order_names}, *foreign_names(variant).values()):
        for use, names in table.get("orders", {}).items():
            for name in names:
                yield name, OWN_WORDS[use]


def _coast_swaps(variant: Variant) -> Iterator[tuple[tuple[str, str], str]]:
    """Such as (BUL, NC) -> EC, from the board's aliases of named coasts."""
    board = variant.board
    named = [*board.aliases.items(), *((key, places[0]) for key, places in board.ambiguous.items())]
    for alias, place in named:
        found = _COAST_TAIL.fullmatch(alias)
        if found and place.coast and found[2] != place.coast:
            yield (place.province, found[2]), place.coast


# --- the search -----------------------------------------------------------------------------------


def _signs_alone(variant: Variant) -> frozenset[str]:
    """Names of one sign, `英` and `빈`: no part of a longer word."""
    return frozenset(name for name, _ in _foreign_names(variant) if len(name) == 1)


def _pattern(names: Iterable[str], alone: frozenset[str], ids: frozenset[str]) -> re.Pattern[str]:
    """One expression that finds the longest of the names, then whatever else there is."""
    known = _trie_expression(names, alone, ids)
    return re.compile(
        r"(?P<contraction>[a-z]+'(?:d|ll|re|ve|t|m)(?![a-z]))"  # the D of I'd disbands nothing
        rf"|(?P<known>{known})"
        r"|'s(?![a-z])|[:;]-[()]"  # Germany's army; a smile
        r"|(?P<mark>[-=~]*>+|[-=~]+)"
        r"|(?P<number>[0-9]+(?![0-9a-z]))"
        r"|(?P<point>[,.;:/()!?\[\]])"
        r"|(?P<word>[가-힣]+|[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff가-힣]+)"
    )


def _trie_expression(names: Iterable[str], alone: frozenset[str], ids: frozenset[str]) -> str:
    """The names as an expression that branches letter by letter, so that it is fast."""
    trie: dict[str, Any] = {}
    for name in names:
        node = trie
        spelled = _JOINTS.sub(" ", name.strip())
        letter = _LAST_LETTER.fullmatch(spelled)
        if letter and letter[1] in ids:
            spelled = f"{letter[1]}.{letter[2]}"
        for sign in spelled:
            node = node.setdefault(sign, {})
        node[""] = {}
    return _branches(trie, "", alone)


def _branches(node: Mapping[str, Any], path: str, alone: frozenset[str]) -> str:
    """The expression of what may follow `path`; longer names first."""
    options = [
        _JOINTS_OF.get(sign, re.escape(sign)) + _branches(below, path + sign, alone)
        for sign, below in sorted(node.items())
        if sign
    ]
    if "" in node:
        options.append(_boundary(path, alone))
    return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"


def _boundary(name: str, alone: frozenset[str]) -> str:
    """What must not follow a name: more letters of its word.

    Korean particles follow a name without a space, so only its short words need a boundary (and
    short names take particles), and Chinese and Japanese words none.
    """
    if name[-1].isascii() and name[-1].isalnum():
        return "(?![a-z0-9])"
    if len(name) == 1 and "가" <= name <= "힣":
        return rf"(?:(?![가-힣])|(?={_PARTICLES}))" if name in alone else "(?![가-힣])"
    if name.endswith("해"):  # 노르웨이 해군 is a fleet in Norway
        return "(?!군)"
    if name.endswith("海"):  # 日本海軍 is a fleet of Japan
        return "(?!軍)"
    return _ALONE if name in alone else ""
