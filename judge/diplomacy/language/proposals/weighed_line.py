"""The words of a line as they are weighed: what each of them is, who may be meant by it, and how it
stands to the others.

Free of any language: names, verbs and particles come as tokens. Each feature is a text, such as
`u.role=goal` (the word is marked as a goal) or `m.w<barges` (a word between two others).
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from judge.data import language_data
from judge.diplomacy.language.lexicon import JOIN, KINDS, UNKNOWN, VERBS, Lexicon, listed
from judge.diplomacy.language.lines.doubts import (
    clause_at,
    corrections_in,
    doubts_beside,
    doubts_in,
    softens,
)
from judge.diplomacy.language.lines.prose import (
    describes_place,
    is_prose_word,
    is_strange,
    is_tale,
    is_written_as_notation,
)
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.proposals.nicknames import BOTH, THERE, is_group, with_nicknames
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, Token, in_line_order, tokenize
from judge.diplomacy.orders import Location, Move, ProvinceId

_COASTS = ("NC", "EC", "SC", "WC")
_BESIDE = 2  # words between a place and the kind of its unit
_NAMES_LEAST = 2  # of a text whose other words are hardly names
_REGION_LEAST = 4  # provinces that are no name for one of them
_TOKENS_MOST = 150
_MOVES_MOST = 3
_SHAPE_LONGEST = 6
_ENDS = frozenset({".", ";", "!", "?"})
_EDGE = "^"  # the beginning and the end of a line
LATIN = "l"
SCRIPTS = (
    ("j", re.compile(r"[\u3040-\u30ff]")),
    ("k", re.compile(r"[\uac00-\ud7af]")),
    ("z", re.compile(r"[\u4e00-\u9fff]")),
)


def _with_names_mended(text: str, tokens: Sequence[Token], words: Lexicon) -> list[Token]:
    """The words, those that can only be one misspelled place as this place; in a text that names
    places, only those that begin with a capital letter, ahead of the others."""
    has_names = sum(token.is_place for token in tokens) >= _NAMES_LEAST
    done: list[Token] = []
    others: list[Token] = []
    for token in tokens:
        if has_names and not text[token.start : token.start + 1].isupper():
            others.append(token)
            continue
        before = done[-1] if done else None
        if before and is_prose_word(before, words) and is_prose_word(token, words):
            near = words.nearest(before.text + token.text)  # nort sea
            if len(near) == 1 and near[0][0] == "#":
                done[-1] = replace(before, word=near[0], end=token.end)
                continue
        near = words.nearest(token.text) if is_strange(token) else ()
        if len(near) == 1 and near[0][0] == "#":
            token = replace(token, word=near[0])
        done.append(token)
    return [*done, *others]


class Elsewhere(NamedTuple):
    """What the other lines of a letter order or ask about.

    Attributes:
        keys: of their orders.
        moves: those of the lines above, the nearest first.
    """

    keys: frozenset[str] = frozenset()
    moves: tuple[Move, ...] = ()


def said_elsewhere(found: Sequence[Read], number: int) -> Elsewhere:
    """What is said beside a line."""
    keys: set[str] = set()
    moves: dict[Move, int] = {}
    for read in found:
        if read.number == number or isinstance(read, Said):
            continue
        order = read.order if isinstance(read, Taken) else next(iter(read.proposals), None)
        if order is not None:
            keys.add(order_key(order))
        elif isinstance(read, Untaken) and read.key:
            keys.add(read.key)
        if isinstance(order, Move) and read.number < number:
            moves[order] = read.number
    nearest = sorted(moves, key=lambda move: -moves[move])
    return Elsewhere(frozenset(keys), tuple(nearest[:_MOVES_MOST]))


class Line:
    """The words of a line, and what they are to one another."""

    def __init__(self, context: OrderContext, text: str, said_elsewhere: Elsewhere) -> None:
        self.context = context
        self.said_elsewhere = said_elsewhere
        self.text = text
        tokens = _with_names_mended(text, tokenize(text, context.lexicon), context.lexicon)
        self.tokens = with_nicknames(text, tokens, context.variant)[:_TOKENS_MOST]
        self.signs = [_sign(token) for token in self.tokens]
        self.script = next((name for name, signs in SCRIPTS if signs.search(text)), LATIN)
        self.own = {unit.location.province: unit for unit in context.units}
        touching = context.variant.board.touching
        self.places: dict[int, Location] = {}
        regions: dict[int, set[ProvinceId]] = {}
        for at, token in enumerate(self.tokens):
            if token.is_place:
                named = [place for place in token.locations if place.province in self.own]
                near = named or [
                    place
                    for place in token.locations
                    if any(place.province in touching.get(own, ()) for own in self.own)
                ]
                if len(named) > 1:
                    regions[at] = {place.province for place in named}
                elif named or len(token.locations) < _REGION_LEAST:
                    self.places[at] = (near or token.locations)[0]
        self.places |= dict(self._places_meant())
        said = {token.text for token in self.tokens}
        self.coasts = {each for each in _COASTS if not said.isdisjoint(listed("coasts", each))}
        self.verbs = [at for at, t in enumerate(self.tokens) if t.word in VERBS or t.word == "VIA"]
        self.kinds = {
            at: next((sign for sign in map(self.sign, (at - 1, at + 1)) if sign in KINDS), "-")
            for at in self.places
        }
        self.sentences = _part_numbers(self.signs, ".")
        self.clauses = _part_numbers(self.signs, ".,")
        starts = [token.start for token in self.tokens]
        self.doubts = [
            (
                min(bisect_left(starts, each.start), len(starts) - 1),
                text[each.start : each.end].lower(),
            )
            for each in (doubts_in(text) if starts else ())
        ]
        self.corrections = [end for _, end in corrections_in(text)]
        self.groups = dict(self._units_by_group(regions))

    def _places_meant(self) -> Iterator[tuple[int, Location]]:
        """The places for which words such as `there` stand: of a unit (`the fleet there`) the last
        own one, else the last that is none."""
        for at, token in enumerate(self.tokens):
            named = [place for other, place in self.places.items() if other < at]
            own = [place for place in named if place.province in self.own]
            others = [place for place in named if place not in own]
            is_unit = {self.sign(at - 1), self.sign(at + 1)} & {*KINDS}
            places = (own or others) if is_unit else (others or own)
            if token.word == THERE and places:
                yield at, places[-1]

    def _units_by_group(
        self, regions: Mapping[int, Collection[ProvinceId]]
    ) -> Iterator[tuple[int, Collection[ProvinceId]]]:
        """The provinces of own units that words stand for without naming their places: `both`,
        `my armies`, `the fleets on the island`."""
        named = {place.province for place in self.places.values() if place.province in self.own}
        articles = listed("writing", "articles")
        kinds = [
            at
            for at, token in enumerate(self.tokens)
            if token.word in KINDS and token.text not in articles
        ]
        wholes = [at for at, token in enumerate(self.tokens) if is_group(token)]
        for at in (*kinds, *wholes, *regions):
            beside = [
                each
                for each in range(at - _BESIDE, at + _BESIDE + 1)
                if each in self.places and self.clauses[each] == self.clauses[at]
            ]
            if at in kinds and any(self.places[each].province in self.own for each in beside):
                continue  # the kind of a unit that is named
            kind = self.tokens[at].word
            if at not in kinds:  # all of the fleets
                near = self.tokens[at : at + 3]
                kind = next((token.word for token in near if token.word in KINDS), "")
            if self.tokens[at].word == BOTH and not kind and self._has_two_own_units(at):
                continue
            area = [regions[each] for each in regions if self.clauses[each] == self.clauses[at]]
            units = [
                province
                for province, unit in self.own.items()
                if province not in named
                and province not in self.said_elsewhere.keys
                and kind in ("", unit.kind.value)
                and all(province in each for each in area)
            ]
            if units:
                yield at, units

    def _has_two_own_units(self, at: int) -> bool:
        """Whether two own units are named in the sentence of a word: `Par and Bre: both stay`."""
        named = {
            place.province
            for each, place in self.places.items()
            if place.province in self.own and self.sentences[each] == self.sentences[at]
        }
        return len(named) > 1

    @cached_property
    def traits(self) -> tuple[str, ...]:
        """What the line as a whole may be: notation, a tale, a question, something quoted."""
        return tuple(self._traits(self.text, self.tokens))

    @cached_property
    def traits_by_sentence(self) -> Mapping[int, tuple[str, ...]]:
        """The same of each sentence that names a place or has a verb, by its number."""
        numbers = {self.sentences[at] for at in (*self.places, *self.verbs)}
        if not numbers or self.sentences[-1] == self.sentences[0]:
            return dict.fromkeys(numbers, self.traits)
        found: dict[int, tuple[str, ...]] = {}
        for number in sorted(numbers):
            tokens = [t for t, n in zip(self.tokens, self.sentences, strict=True) if n == number]
            start, end = tokens[0].start, max(token.end for token in tokens)
            moved = [replace(t, start=t.start - start, end=t.end - start) for t in tokens]
            found[number] = tuple(self._traits(self.text[start:end], moved))
        return found

    def _traits(self, text: str, tokens: Sequence[Token]) -> Iterator[str]:
        known = [token for token in tokens if token.word != UNKNOWN and token.word[0] != "*"]
        own = [t for t in tokens if t.is_place and any(p.province in self.own for p in t.locations)]
        turned = doubts_beside(text, known)
        if is_written_as_notation(tokens):
            yield "notation"
        if clause_at(text, 0, len(text)) != text:
            yield "quoted"
        if any(each.is_back for each in turned):
            yield "back"
        if any(each.is_heading for each in turned):
            yield "heading"
        if any(not softens(text, each, known) for each in turned):
            yield "doubt"
        if any(True for _ in corrections_in(text)):
            yield "corrected"
        if any(token.text in listed("around", "rather") for token in tokens):
            yield "rather"
        if describes_place(text, own):
            yield "stated"
        words = in_line_order(tokens)
        is_asking = bool(words) and words[-1].word in ("?", "？")
        if is_asking and words[0].text not in listed("telling", "polite"):
            yield "question"  # but not: Could I have Paris go to Burgundy?
        if is_tale(text, self.context.lexicon):
            yield "tale"

    def verb_positions(self, verb: str) -> list[int]:
        """Where one of the verbs stands."""
        return [at for at in self.verbs if self.signs[at] == verb]

    @cached_property
    def words_by_sentence(self) -> Mapping[int, Collection[str]]:
        """What each sentence says beside names and verbs."""
        said: dict[int, set[str]] = defaultdict(set)
        for at, token in enumerate(self.tokens):
            if self.signs[at] == "x" or token.is_doubted:
                said[self.sentences[at]].update((token.text, *_affixes_and_hints(token.text)))
            if token.word in VERBS:
                said[self.sentences[at]].add(f"v:{token.text}")
            elif token.word in ("?", "？"):
                said[self.sentences[at]].add("d:?")
        for at, word in self.doubts:
            said[self.sentences[at]].add(f"d:{word}")
        return {number: sorted(words) for number, words in said.items()}

    def all_words(self) -> Iterator[str]:
        return chain.from_iterable(self.words_by_sentence.values())

    def bag(self, at: int, name: str) -> Iterator[str]:
        """What the sentence around a word says."""
        return (f"{name}.bag={word}" for word in self.words_by_sentence.get(self.sentences[at], ()))

    def role(self, at: int) -> str:
        return self.tokens[at].role or "-"

    def sign(self, at: int) -> str:
        return self.signs[at] if 0 <= at < len(self.signs) else _EDGE

    def word_or_sign(self, at: int) -> str:
        """A word by its text if nobody knows it, else by its sign."""
        if not 0 <= at < len(self.tokens):
            return _EDGE
        token, sign = self.tokens[at], self.signs[at]
        return token.text if sign == "x" else sign + "?" * token.is_doubted

    def pair_features(self, name: str, one: int, two: int) -> Iterator[str]:
        """How two words stand to one another."""
        low, high = sorted((one, two))
        inside, signs = self.tokens[low + 1 : high], self.signs[low + 1 : high]
        way = "<" if one < two else ">"
        places = min(signs.count("P"), 3)
        yield f"{name}.ord{way}"
        yield f"{name}.pl{way}{places}"
        yield f"{name}.st{min(signs.count('.'), 2)}"
        yield f"{name}.cm{way}{min(signs.count(','), 2)}"
        yield f"{name}.shape{way}{_shape(inside)}"
        for verb in sorted({sign for sign in signs if sign in VERBS}):
            yield f"{name}.has{way}{verb}"
        if "&" in signs:
            yield f"{name}.join{way}"
        if not places:
            for token, sign in zip(inside, signs, strict=True):
                if sign in VERBS:
                    yield f"{name}.v{way}{token.text}"
                elif sign == "x":
                    yield f"{name}.w{way}{token.text}"
                    yield from (f"{name}.w{way}{each}" for each in _affixes_and_hints(token.text))

    def neighbor_features(self, name: str, at: int) -> Iterator[str]:
        """What stands around a word."""
        role, before, after = self.role(at), self.sign(at - 1), self.sign(at + 1)
        yield f"{name}.role={role}"
        yield f"{name}.prev={before}"
        yield f"{name}.next={after}"
        yield f"{name}.rn={role},{after}"
        yield f"{name}.rp={role},{before}"
        yield f"{name}.pw={self.word_or_sign(at - 1)}"
        yield f"{name}.nw={self.word_or_sign(at + 1)}"
        for way, beside in (("p", at - 1), ("n", at + 1)):
            if self.sign(beside) == "x":
                yield from (
                    f"{name}.{way}s={each}"
                    for each in _affixes_and_hints(self.word_or_sign(beside))
                )
        for way, near in (("p", at - 1), ("n", at + 1)):
            if self.sign(near) in VERBS:
                yield f"{name}.{way}v={self.tokens[near].text}"
        if self.corrections:
            behind = sum(end <= self.tokens[at].start for end in self.corrections)
            yield f"{name}.corrected{min(behind, 1)}"
        yield f"{name}.nv={role},{self._first_sign(range(at + 1, len(self.tokens)))}"
        yield f"{name}.pv={role},{self._first_sign(range(at - 1, -1, -1))}"

    def said_of_group(self, at: int) -> Iterator[str]:
        """How a group of units is named, and whether their number fits."""
        size = min(len(self.groups[at]), 4)
        yield f"g.sign={self.sign(at)},{size}"
        yield f"g.text={self.tokens[at].text}"
        for near in range(at - 3, at + 4):
            if near != at and 0 <= near < len(self.tokens):
                yield f"g.near={self.word_or_sign(near)}"
                yield f"g.near={self.word_or_sign(near)},{size}"

    def doubt_features(self, name: str, at: int) -> Iterator[str]:
        """The words of doubt near a word."""
        for doubt, word in self.doubts:
            low, high = sorted((doubt, at))
            gap = max(self.signs[low : high + 1].count("P") - 1, 0)
            if gap <= 1:
                side = "b" if self.tokens[doubt].start < self.tokens[at].start else "a"
                near = "c" if self.clauses[doubt] == self.clauses[at] else "s"
                yield f"{name}.d{side}{gap}{near}"
                yield f"{name}.d{side}{gap}{near}={word}"

    def _first_sign(self, ats: Iterable[int]) -> str:
        """The first verb, place or stop."""
        for at in ats:
            if (sign := self.signs[at]) in VERBS or sign in ("P", ".", ","):
                return sign + "?" * (sign in VERBS and self.tokens[at].is_doubted)
        return _EDGE


def _sign(token: Token) -> str:
    """What a word is: a place, a verb, a stop, or a word that nobody knows."""
    word = token.word
    if word == THERE:
        return "T"
    if word[0] in "#@*":
        return "P" if word[0] == "#" else "@" if word[0] == "@" else word
    if word in VERBS or word in KINDS or word in ("VIA", "TSR"):
        return word
    signs = {UNKNOWN: "x", JOIN: "&"} | dict.fromkeys(_ENDS, ".")
    return signs.get(word) or ("," if word in BETWEEN_ORDERS else "0" if word.isdigit() else "o")


def _affixes_and_hints(word: str) -> Iterator[str]:
    """How an unknown word begins and ends, and what it hints at."""
    yield from _hints(word)
    size = 4 if word.isascii() else 2
    if len(word) > size:
        yield f"{word[:size]}*"
        yield f"*{word[-size + word.isascii() :]}"


@lru_cache(4096)
def _hints(word: str) -> tuple[str, ...]:
    """What an unknown word, or in other scripts a part of it, may say of a unit: `~moving`."""
    found: list[str] = []
    for language in language_data("orders.toml").values():
        for name, words in language.get("hints", {}).items():
            is_named = word in words if word.isascii() else any(each in word for each in words)
            found += [f"~{name}"] if is_named else []
    return tuple(dict.fromkeys(found))


def _shape(tokens: Sequence[Token]) -> str:
    """The signs of some words, a run of unknown ones as one."""
    signs: list[str] = []
    for token in tokens:
        sign = _sign(token)
        sign += "?" * (token.is_doubted and sign in VERBS)
        if not (sign == "x" and signs[-1:] == ["x"]):
            signs.append(sign)
    return "".join(signs[:_SHAPE_LONGEST]) + "…" * (len(signs) > _SHAPE_LONGEST)


def _part_numbers(signs: Sequence[str], ends: str) -> list[int]:
    """The number of the sentence or clause in which each word stands."""
    numbers, number = [], 0
    for sign in signs:
        numbers.append(number)
        number += sign in ends
    return numbers
