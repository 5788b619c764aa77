"""Stage 2: every name and order word that players write, in all languages, as one search.

Each stands for one canonical word of the alphabet of `grammar/orders.lark`: `#PAR` a province,
`@FRANCE` a power, `/NC` a coast, `-` a move and so on. Words come from `grammar/<language>/`, names
from the variant. Knows nothing of lines or of grammar.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any

from msgspec import Struct

from judge.data import language_data
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.similar_names import SimilarNames
from judge.diplomacy.orders import Location, PowerId, ProvinceId
from judge.diplomacy.variants.variant import Variant


class Endings(Struct, frozen=True):
    """What may follow a word; `doubted`: those of them after which it is no order."""

    sure: frozenset[str] = frozenset()
    doubted: frozenset[str] = frozenset()

    def __or__(self, other: "Endings") -> "Endings":
        """Both; what one of two verbs says plainly is no doubt: 入れます is 入れる, not 入る."""
        if self == other:
            return self  # most words have the same as others, and share it
        plain = (self.sure - self.doubted) | (other.sure - other.doubted)
        return Endings(self.sure | other.sure, (self.doubted | other.doubted) - plain)

    def at(self, text: str, start: int) -> str | None:
        """The longest ending that stands at a position of a text; None if there is none."""
        found = _any_of(self).match(text, start)
        return found[0] if found else None


@lru_cache(maxsize=1 << 10)
def _any_of(endings: Endings) -> re.Pattern[str]:
    ordered = sorted(endings.sure | endings.doubted, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered)))


def inflected() -> Iterator[tuple[str, str, Endings]]:
    """(name, use, endings) of each word of more than one sign that takes endings, in all languages;
    names and uses as in `said_in_orders`."""
    for language in language_data("orders.toml").values():
        table = language.get("inflection", {})
        bases = table.get("bases", {})
        of_base = {
            base: Endings(
                frozenset(table["endings"].get(base, ())),
                frozenset(table["doubted"].get(base, ())),
            )
            for base in {base for row in bases.values() for base in row}
        }
        of_nouns = Endings(frozenset((*language["endings"], "")))
        for row in table.get("of_nouns", ()):
            for base, sign in bases[row].items():
                of_nouns |= Endings(
                    frozenset(sign + ending for ending in of_base[base].sure),
                    frozenset(sign + ending for ending in of_base[base].doubted),
                )
        for name, use in _order_words(language) if len(of_nouns.sure) > 1 else ():
            if use in ("army", "fleet") or (use == "move_after" and len(name) == 1):
                continue
            for spelled in (name, *hiragana_spellings(name)):
                yield from _base_with_endings(spelled, use, of_nouns)
        for use, rows in language.get("verbs", {}).items():
            for row, stems in rows.items():
                for stem in stems:
                    for base, sign in bases[row].items():
                        for spelled in (stem + sign, *hiragana_spellings(stem + sign, fewest=2)):
                            yield from _base_with_endings(spelled, use, of_base[base])


def _order_words(language: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(name, use) of each word for what units are and do, with those said after a goal."""
    for use, names in (*language["orders"].items(), ("move_after", language["move_after"])):
        yield from ((name, use) for name in names)


def _base_with_endings(name: str, use: str, endings: Endings) -> Iterator[tuple[str, str, Endings]]:
    """A base with its endings; one of a single sign, which may be a particle, written out."""
    if len(name) > 1:
        yield name, use, endings
        return
    bare = frozenset(("",))
    yield from ((name + end, use, Endings(sure=bare)) for end in endings.sure if end)
    yield from ((name + end, use, Endings(doubted=bare)) for end in endings.doubted if end)


_HIRAGANA = str.maketrans({chr(at): chr(at - 0x60) for at in range(0x30A1, 0x30F7)})
_NOT_HIRAGANA = re.compile("[^ぁ-ゖー]")
# Signs of a name in hiragana that other words may have in them, as やっぱり has ぱり.
_SHORT_NAME = 3


@cache
def hiragana_spellings(name: str, fewest: int = 3, *, is_mixed: bool = False) -> tuple[str, ...]:
    """How a name in katakana or kanji is spelled in hiragana, as some write throughout: ほっかい.
    Only if all of it can be read (or `is_mixed`), and in signs enough."""
    readings, words = _readings()
    forms = [""]
    for piece in words.split(name):
        ways = readings.get(piece, (piece.translate(_HIRAGANA),))
        ways = (*ways, piece) if is_mixed and piece in readings else ways
        forms = [form + way for form in forms for way in ways]
    is_katakana = words.search(name) is None
    fewest += is_katakana and "ー" not in name and fewest > 2  # すてい is in すている
    spelled = (form for form in forms if is_mixed or not _NOT_HIRAGANA.search(form))
    return tuple(form for form in spelled if form != name and len(form) >= fewest)


@cache
def _readings() -> tuple[Mapping[str, tuple[str, ...]], re.Pattern[str]]:
    """The words that have readings, and how they are found in names."""
    tables = (language.get("readings", {}) for language in language_data("orders.toml").values())
    readings = {word: tuple(ways) for table in tables for word, ways in table.items()}
    longest_first = sorted(readings, key=len, reverse=True)
    return readings, re.compile(f"({'|'.join(longest_first) or '(?!)'})")


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
OWN_WORDS = {"railway": "TSR", "canal": "PASS"}  # of orders that only some variants have
VERBS = frozenset({"-", "H", "S", "C", "R", "D", "B", "WAIVE"})
KINDS = frozenset({"A", "F"})
UNKNOWN = "??"
BETWEEN = ""  # said between words, without a meaning
NOT_BETWEEN_PLACES = "<"  # without a meaning, but between two places it may turn them around
MOVE_AFTER = "-<"  # said after the place that something goes to
JOIN = ","  # between two orders

_CHOICES = ("alternatives", "rather")  # words around orders, that are no verbs
_TOLD = ("either", "each", "fillers", "asides")
_MEMO_WORDS = 1 << 12  # misspelled words kept with what they may mean
_MEMO_VARIANTS = 256  # variants as games have chosen them, kept with their lexicon
_JOINTS = re.compile(r"[\s.\-'’]+")
_JOINT = r"[ .\-']{0,2}"
_TIGHT = r"[.\-']?"  # before a last letter that could be an order's: SUN.S, but F SUN S F AND
_COAST_TAIL = re.compile(r"(.+?) ?[/(] ?([NSEW]C)\)?")


def key_of(text: str) -> str:
    """How a name is looked up: plain form, without what may stand between its parts."""
    return _JOINTS.sub("", text)


# --- the languages --------------------------------------------------------------------------------


@cache
def listed(table: str, key: str) -> tuple[str, ...]:
    """The words at `key` of a table of `grammar/<language>/orders.toml`, in all languages."""
    languages = language_data("orders.toml").values()
    return tuple(word for language in languages for word in language.get(table, {}).get(key, ()))


@cache
def scripts() -> tuple[str, str]:
    """The letters of the scripts other than Latin that part words by spaces, and of those that do
    not, as ranges of an expression."""
    tables = [language["writing"] for language in language_data("orders.toml").values()]
    spaced = "".join(table["letters"] for table in tables if table.get("spaced"))
    unspaced = "".join(table["letters"] for table in tables if not table.get("spaced", True))
    return spaced, unspaced


@cache
def particles_of(role: str) -> tuple[str, ...]:
    """The particles of a role in scripts without spaces, where they are read as part of a verb."""
    tables = (table["roles"].get("after", {}) for table in language_data("orders.toml").values())
    unspaced = re.compile(f"[{scripts()[1]}]")
    return tuple(end for table in tables for end in table.get(role, ()) if unspaced.match(end))


def is_in_particle_script(sign: str) -> bool:
    """Whether it is of a spaced script other than Latin, whose order words may be particles."""
    return re.match(f"[{scripts()[0]}]", sign) is not None


def said_in_orders() -> Iterator[tuple[str, str]]:
    """(word, use) of every order word, in all languages: `army`, `move`, `coast NC`, `join`;
    without the endings that `inflected` has."""
    for language in language_data("orders.toml").values():
        yield from _order_words(language)
        for use in ("not_between_places", "between", "join"):
            yield from ((name, use) for name in language["around"][use])
        said = {name for name, _ in _order_words(language)}
        said.update(language["around"]["not_between_places"])
        for marks in (language["roles"].get(where, {}) for where in ("before", "after")):
            names = (name for words in marks.values() for name in words if name not in said)
            yield from ((name, "between") for name in names)
        for coast, names in language["coasts"].items():
            yield from ((name, f"coast {coast}") for name in names)


def _role_words() -> Iterator[tuple[str, tuple[str, bool]]]:
    """The words of `roles` in every language by key, with what they say."""
    for language in language_data("orders.toml").values():
        for where in ("before", "after"):
            for role, names in language["roles"].get(where, {}).items():
                yield from ((plain_key(name), (role, where == "after")) for name in names)
        yield from ((plain_key(name), ("goal", True)) for name in language["move_after"])


_CANONICAL = {
    **ORDER_WORDS,
    "move_after": MOVE_AFTER,
    "not_between_places": NOT_BETWEEN_PLACES,
    "between": BETWEEN,
    "join": JOIN,
    **{f"coast {coast}": f"/{coast}" for coast in ("NC", "SC", "EC", "WC")},
}


def plain_key(name: str) -> str:
    """How a name as it is written is looked up."""
    return key_of(normalize(name).text)


def keys_around_orders(use: str) -> frozenset[str]:
    """The keys of words that stand around orders."""
    return frozenset(map(plain_key, listed("around", use)))


# --- the lexicon of a variant ---------------------------------------------------------------------


class Lexicon:
    """All names and words of one variant. Made by `lexicon`; compared by identity.

    Attributes:
        words: canonical words by key; several where a short form has several readings.
        marks: words that mark the place beside them, by key: the role they give it, and whether
            they stand behind it.
        marked: coasts that are read only directly after a slash or a bracket.
        canal_coasts: words for a coast that, as the first word of an order, are the canal's.
        mistaken_coasts: coasts that a province does not have and that stand for one it has.
        everyday: names of places that are words too (`can`, `and`), by key.
        against: words that turn a sentence (not, if), by key.
        conditions: those of them that make what follows or precedes depend on something (if).
        told: words around orders that the reading by clauses knows (either, respectively).
        spelled: names and order words that are written in katakana or kanji, in hiragana.
        verbs: by the key of an order word that takes endings, its canonical word and its endings.
        places, powers: what canonical notation can name, `STP/NC`.
        pattern: finds the longest known name in plain text (group `known`), or whatever else
            stands there (groups `mark`, `number`, `point`, `word`, `contraction`).
    """

    def __init__(self, variant: Variant) -> None:
        board = variant.board
        self.words: dict[str, tuple[str, ...]] = {}
        self.conditions = keys_around_orders("conditions")
        self.against = keys_around_orders("against") | self.conditions
        written: set[str] = set()  # every name in plain form
        order_words = ((name, _CANONICAL[use]) for name, use in said_in_orders())
        for name, word in chain(order_words, _local_names(variant), _board_names(variant)):
            written.add(normalize(name).text)
            self._learn(name, word)
        self.verbs: dict[str, tuple[str, Endings]] = {}
        for name, use, endings in inflected():
            written.add(normalize(name).text)
            key = plain_key(name)
            word, known = self.verbs.get(key, (_CANONICAL[use], endings))
            self.verbs[key] = word, known | endings
            self.words.setdefault(key, (word if "" in endings.sure else UNKNOWN,))
        hiragana = dict(_spelled_in_hiragana(variant))
        self.spelled = frozenset(hiragana.keys() - self.words.keys())
        written |= self.spelled
        self.words |= {name: (hiragana[name],) for name in self.spelled}
        self.told = frozenset(word for use in _TOLD for word in listed("around", use))
        told = {*(name for name in self.against if len(name) > 1), *self.told}
        told |= {word for use in _CHOICES for word in listed("around", use)}
        for name in sorted(told):
            if (not name.isascii() or " " in name) and name not in self.words:
                written.add(name)
                self.words[name] = (UNKNOWN,)
                self.words.setdefault(key_of(name), (UNKNOWN,))  # 둘중하나
        for place in (f"{p.id} {coast}" for p in board.provinces.values() for coast in p.coasts):
            written.add(place.lower())  # spasc
            self.words[place.replace(" ", "").lower()] = ("#" + place.replace(" ", "/"),)
        for short, places in board.ambiguous.items():
            if not _COAST_TAIL.fullmatch(short) and ProvinceId(short) not in board.provinces:
                written.add(normalize(short).text)
                self.words[plain_key(short)] = tuple(f"#{place}" for place in places)
        own_words = [
            (name, OWN_WORDS[use])
            for table in ({"orders": variant.order_names}, *variant.local.values())
            for use, names in table.get("orders", {}).items()
            for name in names
        ]
        written.update(normalize(name).text for name, _ in own_words)
        coasts = {key for key, words in self.words.items() if words[0].startswith("/")}
        self.canal_coasts = frozenset(plain_key(name) for name, _ in own_words) & coasts
        for name, word in own_words:
            if plain_key(name) not in self.canal_coasts:
                self._learn(name, word)
        for province in board.provinces:  # an id always wins
            others = [word for word in self.words[province.lower()] if word in (JOIN, "B")]
            self.words[province.lower()] = (f"#{province}", *others)
        self.marked = {
            plain_key(name): f"/{coast}"
            for language in language_data("orders.toml").values()
            for coast, names in language["coasts_marked"].items()
            for name in names
        }
        self.marks = dict(_role_words())
        self.mistaken_coasts = dict(_mistaken_coasts(variant))
        names = {key for key, words in self.words.items() if words[0].startswith("#")}
        also_orders = {key for key in names if any(w[0] not in "#@" for w in self.words[key][1:])}
        self.everyday = (keys_around_orders("everyday") & names) | also_orders
        every = [Location(p.id, c) for p in board.provinces.values() for c in (None, *p.coasts)]
        self.places = {str(place): place for place in every}
        self.powers = frozenset(each.id for each in variant.powers if each.named_after is None)
        spelled_places = {name for name in self.spelled if self.words[name][0][0] == "#"}
        short_names = {name for name in spelled_places if len(name) <= _SHORT_NAME}
        self.pattern = _pattern(written, variant, short_names)

    def _learn(self, name: str, word: str) -> None:
        """Add a name; a second reading stands beside the first, a place after a power."""
        known = self.words.get(plain_key(name), ())
        if word not in known and (word or not known):
            self.words[plain_key(name)] = (*known, word)

    @lru_cache(maxsize=_MEMO_WORDS)  # noqa: B019 (lexicons are kept as long as the program)
    def meaning(self, known: str) -> tuple[tuple[str, ...], tuple[str, bool], str, Endings | None]:
        """The canonical words of a known text, how it marks the place beside it, and what it is
        with one of its endings."""
        key = key_of(known)
        words = self.words.get(known) or self.words[key]
        mark = self.marks.get(known) or self.marks.get(key, ("", False))
        return words, mark, *self.verbs.get(key, ("", None))

    @cached_property
    def similar_names(self) -> SimilarNames:
        """Provinces and long English order words; a short word has too many neighbors, and an
        abbreviation no sound."""
        places = {
            key: words
            for key, words in self.words.items()
            if words[0].startswith("#") and "/" not in words[0] and key not in self.spelled
        }
        spelled = {
            key: words
            for key, words in self.words.items()
            if (key in places and len(key) >= (3 if key.isascii() else 2))
            or (words[0] in ORDER_WORDS.values() and len(key) >= 5 and key.isascii())
        }
        spoken = {key: words for key, words in places.items() if len(key) > 3 or not key.isascii()}
        return SimilarNames(spelled, spoken)

    @lru_cache(maxsize=_MEMO_WORDS)  # noqa: B019 (lexicons are kept as long as the program)
    def nearest(self, word: str) -> tuple[str, ...]:
        """What a word that nobody knows may mean, nearest first; empty if nothing is near."""
        return self.similar_names.nearest(word)

    def nearest_places(self, word: str) -> tuple[ProvinceId, ...]:
        """Provinces whose names are near to a word as written, the nearest first."""
        found = self.nearest("".join(word.lower().split()))
        return tuple(ProvinceId(each[1:]) for each in found if each[0] == "#")


@lru_cache(maxsize=_MEMO_VARIANTS)
def lexicon(variant: Variant) -> Lexicon:
    """The lexicon of a variant, made once for all games of it."""
    plain = variant.without_choices
    return Lexicon(variant) if plain is variant else lexicon(plain)


def power_names(variant: Variant, power: PowerId) -> tuple[str, ...]:
    """All names of a power, in every language."""
    tables = [table["powers"].get(power, []) for table in variant.local.values()]
    return tuple(dict.fromkeys(chain(variant.power(power).names, *tables)))


def _local_names(variant: Variant) -> Iterator[tuple[str, str]]:
    """The variant's names in other languages; powers first."""
    named_after = {power.id for power in variant.powers if power.named_after is not None}
    for table in variant.local.values():
        for power, names in table["powers"].items():
            yield from ((name, f"@{power}") for name in names if power not in named_after)
        for province, names in table["provinces"].items():
            yield from ((name, f"#{province}") for name in names)


def _spelled_in_hiragana(variant: Variant) -> Iterator[tuple[str, str]]:
    """Names and order words in hiragana; of the names of powers only those that no sentence has
    by chance, as とること has とるこ."""
    for language in language_data("orders.toml").values():
        for name, use in _order_words(language):
            yield from ((form, _CANONICAL[use]) for form in hiragana_spellings(name))
    for name, word in _local_names(variant):
        fewest = _SHORT_NAME + 1 if word[0] == "@" else 2
        yield from ((form, word) for form in hiragana_spellings(name, fewest, is_mixed=True))


def _board_names(variant: Variant) -> Iterator[tuple[str, str]]:
    """The names of the variant's own data; powers first, so that `English` is both."""
    for power in variant.powers:
        yield from ((name, f"@{power.id}") for name in power.names if power.named_after is None)
    yield from ((province, f"#{province}") for province in variant.board.provinces)
    for alias, place in variant.board.aliases.items():
        if place.coast is None and not _COAST_TAIL.fullmatch(alias):
            yield alias, f"#{place}"


def _mistaken_coasts(variant: Variant) -> Iterator[tuple[tuple[str, str], str]]:
    """Such as (BUL, NC) -> EC, from the board's aliases of named coasts."""
    board = variant.board
    named = [*board.aliases.items(), *((key, places[0]) for key, places in board.ambiguous.items())]
    for alias, place in named:
        found = _COAST_TAIL.fullmatch(alias)
        if found and place.coast and found[2] != place.coast:
            yield (place.province, found[2]), place.coast


# --- the search -----------------------------------------------------------------------------------


def _pattern(names: Collection[str], variant: Variant, short: Collection[str]) -> re.Pattern[str]:
    """One expression that finds the longest of the names, then whatever else there is.

    The names branch letter by letter, so that it is fast. A last letter that could be an order's
    is joined to an id only tightly. `short`: names in hiragana that other words may have in them.
    """
    order_letters = "".join(
        word
        for use in ("hold", "support", "convoy", "retreat", "disband", "build")
        for word in listed("orders", use)
        if len(word) == 1 and word.isascii()
    )
    last_letter = re.compile(rf"([a-z]+) ([{order_letters}])")
    spellings: list[str] = []
    for name in names:
        spelled = _JOINTS.sub(" ", name.strip())
        letter = last_letter.fullmatch(spelled)
        if letter and letter[1].upper() in variant.board.provinces:
            spelled = f"{letter[1]}.{letter[2]}"
        spellings.append(spelled)
    alone = frozenset(name for name, _ in _local_names(variant) if len(name) == 1)
    joints = {" ": _JOINT, ".": _TIGHT}
    known = any_name(
        spellings,
        joints,
        lambda name: (
            _boundary_in_hiragana(name)
            if name in short
            else _boundary(name, is_alone=name in alone)
        ),
    )
    spaced, unspaced = scripts()
    contractions = "|".join(listed("writing", "contractions"))
    contracted = any_name((name for name in names if "'" in name), {" ": " +"})  # isn't moving
    possessives = "|".join(listed("writing", "possessives"))
    smiles = normalize("|".join(listed("writing", "smiles"))).text
    return re.compile(
        rf"(?=\S)(?:'(?:{possessives})(?![a-z])|[:;]-[()]|{smiles}"  # Germany's army; a smile
        r"|(?P<mark><+[-=~]+|[-=~]*>+|[-=~]+)"
        r"|(?P<point>[,.;:/()!?\[\]#])"
        rf"|(?P<contraction>(?!(?:{contracted})(?![a-z]))[a-z]+'(?:{contractions})(?![a-z]))"
        rf"|(?P<known>{known})"
        r"|(?P<number>[0-9]+(?![0-9a-z]))"
        rf"|(?P<word>[{spaced}]+|[{unspaced}]|[^\W_{unspaced}{spaced}]+))"
    )


def any_name(
    names: Iterable[str],
    joints: Mapping[str, str] = {},
    ending: Callable[[str], str] = lambda _: "",
) -> str:
    """The expression of the longest of the names, branching letter by letter, so that it is fast.
    `joints`: what stands for some signs in them; `ending`: what must follow a name."""
    trie: dict[str, Any] = {}
    for name in names:
        node = trie
        for sign in name:
            node = node.setdefault(sign, {})
        node[""] = {}

    def branches(node: Mapping[str, Any], path: str) -> str:
        options = [
            joints.get(sign, re.escape(sign)) + branches(below, path + sign)
            for sign, below in sorted(node.items())
            if sign
        ]
        options += [ending(path)] if "" in node else []
        return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"

    return branches(trie, "") if trie else "(?!)"


def _boundary_in_hiragana(name: str) -> str:
    """What must stand around a name in a script without spaces: particles, or other signs."""
    particles = "".join(listed("writing", "particles"))
    letters = "ぁ-ゖー"
    before = f"(?<![{letters}]{name})|(?<=[{particles}]{name})"
    return f"(?:{before})(?=[{particles}]|[^{letters}]|$)"


def _boundary(name: str, *, is_alone: bool) -> str:
    """What must not follow a name: more letters of its word.

    In a spaced script particles may follow a name, so only words of one sign need a boundary (and
    names of one sign take particles); words of an unspaced script need none.
    """
    spaced, unspaced = scripts()
    if name[-1].isascii() and name[-1].isalnum():
        return "(?![a-z0-9])"
    if len(name) == 1 and is_in_particle_script(name):
        if not is_alone:
            return f"(?![{spaced}])"
        after = "|".join(listed("writing", "after_names"))
        return rf"(?:(?![{spaced}])|(?=(?:{after})(?![{spaced}])))"
    if name in listed("writing", "alone"):
        after = "".join(listed("writing", "alone_after"))
        return f"(?:(?<![{unspaced}]{name})|(?<=[{after}]{name}))"
    for language in language_data("orders.toml").values():
        if before := language["writing"].get("not_before", {}).get(name[-1]):
            return f"(?!{before})"
    units = "".join(listed("writing", "before_units"))
    return f"(?:(?![{unspaced}])|(?=[{units}]))" if is_alone else ""
