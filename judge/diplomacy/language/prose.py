"""Tells prose from orders that went wrong; and sentences that only tell of the orders beside them.

What names a unit or a province like an order does is an order, and a sentence is not.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import pairwise

from judge.data import language_data
from judge.diplomacy.language.grammar import Faulty
from judge.diplomacy.language.lexicon import (
    JOIN,
    KINDS,
    UNKNOWN,
    VERBS,
    Lexicon,
    any_name,
    is_particled,
    key_of,
    listed,
)
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, Segment, Token, tokenize, word_at
from judge.diplomacy.orders import AnyOrder, ProvinceId, WrittenOrder
from judge.diplomacy.records import ReadingKind

_ORDERING = VERBS | {"VIA"}
_THINGS_LEAST = 2  # unknown words of a clause that tells; of one built like an order, one more
_NAME_LEAST = 6  # letters of a word that may be a misspelled name
_ORDER = re.compile("^(?:v|#v|#.*#)|#v+#")  # how the words of an order follow one another
_WORDS = re.compile(r"[a-z']+")
_REGULAR_PAST = re.compile("[a-z]{2,}[^e]ed")


def is_prose(segment: Segment) -> bool:
    """Whether words that are no order name no two of these: places that begin it or say where from
    and to, a kind of unit, a verb. All else is asked about where it names an own unit.

    A verb in the past or in a condition (`is_doubted`) makes it prose.
    """
    if any(token.is_doubted for token in segment):
        return True
    places = [token for token in segment if token.is_place]
    is_going = len(places) > 1 and (
        segment[0].is_place or any(token.role in ("source", "goal") for token in places)
    )
    verbs = any(token.word in VERBS for token in segment)
    kinds = any(token.word in KINDS for token in segment)
    return not (is_going or (places and (kinds or verbs)) or (kinds and verbs))


def says_any(token: Token, keys: Collection[str]) -> bool:
    """Whether an unknown word is one of these; in scripts without spaces: holds such a word."""
    if token.word != UNKNOWN:
        return False
    text = key_of(token.text)
    if token.is_letters:
        return any(word in text for word in keys if not word.isascii())
    return text in keys


def is_going_back(tokens: Sequence[Token]) -> bool:
    """Whether a retreat is said in words of movement, so that in a movement phase it is a move:
    `Bring Tys back to Nap`; `A Bur R Par` is a retreat."""
    return any(t.role == "goal" or (t.word == "R" and " " in t.text) for t in tokens)


def is_turned(segment: Sequence[Token], words: Lexicon) -> bool:
    """Whether an unknown word says not, if, or."""
    return any(says_any(token, words.against) for token in segment)


def tells(clause: str, words: Lexicon) -> bool:
    """Whether an English clause is built like one that tells of something: a tale, or a text that
    speaks of things that no order has (`the train`).

    A word that nobody knows counts once, behind a determiner twice; a misspelled name does not.
    """
    if is_tale(clause, words):
        return True
    tokens = sorted(tokenize(clause, words), key=lambda token: token.start)
    known = [token for token in tokens if token.word not in (*KINDS, *BETWEEN_ORDERS, JOIN)]
    shape = "".join("#" if t.is_place else "v" if t.word in VERBS else "?" for t in known)
    is_order = _ORDER.search(shape) is not None or is_written_as_notation(tokens)
    return count_words_of_no_order(clause, words) >= _THINGS_LEAST + is_order


def is_tale(clause: str, words: Lexicon) -> bool:
    """Whether the subject of an English clause is somebody (`they built ...`), or it is in the past
    or a question about the rules. What follows its last place is a remark: `Par to Bur, as he did`.
    """
    tokens = sorted(tokenize(clause, words), key=lambda token: token.start)
    last = max((token.end for token in tokens if token.is_place), default=len(clause))
    text = normalize(clause).text
    text = _advice().sub(lambda said: " " * len(said[0]), text)
    rest = _remarks().search(text, last)
    told = _WORDS.findall(text[: rest.start()] if rest else text)
    said = _WORDS.findall(text[:last])
    opener, after = [*said, "", ""][:2]
    if opener in listed("telling", "asking"):
        return True
    if opener in listed("telling", "openers") and after in listed("telling", "generic"):
        return True
    if not {*told}.isdisjoint((*listed("telling", "past"), *listed("telling", "tales"))):
        return True
    is_worded = not is_written_as_notation(tokens)
    for before, word, after in zip(["", *said], said, [*said[1:], ""], strict=False):
        is_asked = word in ("you", "you'd") and before in listed("telling", "polite")
        if word in listed("telling", "subjects") and not is_asked:
            return True
        is_past = word in listed("telling", "finite") or _REGULAR_PAST.fullmatch(word) is not None
        if (
            is_past
            and is_worded
            and before in listed("around", "writers")
            and after not in ("to", "that")
        ):
            return True
    known = [token for token in tokens if token.word not in (*KINDS, *BETWEEN_ORDERS, JOIN)]
    return _has_other_subject(known, words) or _begins_with_noun(said, tokens, words)


def is_stated(text: str, tokens: Sequence[Token]) -> bool:
    """Whether an English text says how things are in a place: `Paris is lovely`; `Paris is off to`
    does not."""
    plain = text.lower()
    return any(token.is_place and _stating().match(plain, token.end) for token in tokens)


def asks_of_rules(line: str, context: OrderContext) -> bool:
    """Whether an English line is one question about the board, the rules or others, which nobody
    orders with: `Is Spain next to Gascony?`, `Could England convoy Wales?`; but `Could Paris go?`.
    """
    if line.rstrip()[-1:] not in ("?", "？"):
        return False
    text = normalize(line).text.strip()
    if not text.endswith("?") or len(re.findall(r"[.!?;:]", text)) > 1:
        return False
    opener, after = [*_WORDS.findall(text), "", ""][:2]
    tokens = sorted(tokenize(line, context.words), key=lambda token: token.start)
    if is_written_as_notation(tokens) or opener not in listed("telling", "question_openers"):
        return False
    if opener not in listed("telling", "polite"):
        return after not in listed("telling", "asked_politely") and " it possible " not in text
    known = [t for t in tokens if t.word != UNKNOWN and t.text not in listed("writing", "articles")]
    first = next((t for t in known if t.is_place or t.word[0] in "@" or t.word in VERBS), None)
    if first is None or after in listed("telling", "asked_politely") or first.start > 12:
        return False
    is_named = first.word in VERBS and after == "the"  # the convoy
    return is_named or not (first.is_place or first.word[1:] in context.powers)


@cache
def _advice() -> re.Pattern[str]:
    """What gives advice, and tells of nothing."""
    return re.compile(any_name(listed("telling", "advice")))


@cache
def _stating() -> re.Pattern[str]:
    """What follows a place of which an English text says how things are there."""
    states, bound = any_name(listed("telling", "stating")), any_name(listed("telling", "bound"))
    return re.compile(rf"(?:'s)? +(?:{states})\b(?! (?:{bound})\b| \w+ing\b)")


@cache
def _remarks() -> re.Pattern[str]:
    """What parts a clause from a remark behind it."""
    reasons = "|".join((*listed("doubts", "reasons_ahead"), *listed("around", "relatives")))
    return re.compile(rf"[,.;:!?()]|\b(?:{reasons})\b")


def _begins_with_noun(said: Sequence[str], tokens: Sequence[Token], words: Lexicon) -> bool:
    """Whether a clause begins with a noun that no order has, and its verb: `The train takes`, `my
    wife supports`; a verb that nobody knows counts too."""
    if len(said) < 3 or said[0] not in listed("telling", "determiners"):
        return False
    first = next((token for token in tokens if token.text.split()[-1:] == [said[1]]), None)
    if first is None or not is_thing(first, words):
        return False
    after = next((token for token in tokens if token.start > first.end), first)
    is_verb = after.word in VERBS and len(after.text) > 2
    return is_verb or after.text in listed("sentences", "going") or is_thing(after, words)


def _has_other_subject(tokens: Sequence[Token], words: Lexicon) -> bool:
    """Whether a verb that no order has follows a power (`Italy hopes`), or a verb of orders
    follows a first word that nobody knows (`Napoleon moves`)."""
    strange = [is_thing(t, words) and not words.nearest(t.text) for t in tokens]
    if strange[:1] == [True] and word_at(tokens, 1) in VERBS and len(tokens[1].text) > 1:
        return not tokens[1].is_sign
    return any(
        is_strange and before.word[0] == "@"
        for before, is_strange in zip(tokens, strange[1:], strict=False)
    )


def is_written_as_notation(tokens: Sequence[Token]) -> bool:
    """Whether signs or letters stand for verbs and kinds of units; the article of `a dream` does
    not."""
    return any(
        _is_notation(token)
        and not token.is_letters
        and not _is_hyphen(tokens[max(at - 1, 0) : at + 2])
        and (token.text not in listed("writing", "articles") or word_at(tokens, at + 1)[0] == "#")
        for at, token in enumerate(tokens)
    )


def _is_hyphen(words: Sequence[Token]) -> bool:
    """`face-to-face`: a sign within a word."""
    if len(words) < 3 or any(token.is_place for token in words):
        return False
    before, sign, after = words
    return before.end == sign.start and sign.end == after.start


def count_words_of_no_order(clause: str, words: Lexicon) -> int:
    """How many English words of a clause no order has; one behind a determiner counts twice, a
    misspelled name not at all."""
    tokens = tokenize(clause, words)
    said = _WORDS.findall(normalize(clause).text)
    if is_written_as_notation(tokens):
        said = [word for word in said if word not in listed("writing", "articles")]
    things = {token.text for token in tokens if is_thing(token, words)}
    behind = {two for one, two in pairwise(said) if one in listed("telling", "determiners")}
    return len(things) + len(things & behind)


def speaks_of_more(segment: Sequence[Token], words: Lexicon) -> bool:
    """Whether words that are no order have a verb or a place beside something that no order has, so
    that what follows in their sentence may be told too: `In our game Gas hits Bur and ...`."""
    is_near = any(token.is_place or token.word in VERBS for token in segment)
    if not is_near or is_written_as_notation(segment):
        return False
    return any(is_thing(token, words) for token in segment)


def is_thing(token: Token, words: Lexicon) -> bool:
    """Whether it is an English word that no order has, and no misspelled name."""
    if token.word != UNKNOWN or not (token.text.isascii() and token.text.isalpha()):
        return False
    if is_strange(token):
        return not words.nearest(token.text)
    return token.text not in _function_words()


def is_strange(token: Token) -> bool:
    """Whether it is a word that no order has, so long that it may be a misspelled name."""
    is_long = token.word == UNKNOWN and len(token.text) >= _NAME_LEAST
    return is_long and token.text.isascii() and token.text not in _function_words()


@cache
def _function_words() -> frozenset[str]:
    """The words of English sentences that order something and are no names."""
    tables = language_data("orders.toml")["en"]
    doubts = ("harmless", "corrections", "reasons_ahead", "contrasts", "addresses")
    lists = [*tables["around"].values(), *tables["sentences"].values()]
    lists += [tables["doubts"][key] for key in doubts]
    lists += [
        tables["telling"][key] for key in ("polite", "openers", "generic", "determiners", "common")
    ]
    return frozenset(word for words in lists for phrase in words for word in phrase.split())


def places_of(orders: Iterable[AnyOrder | WrittenOrder]) -> set[ProvinceId]:
    """The provinces that orders name."""
    return {
        getattr(part, "location", part).province
        for order in orders
        for name in ("unit", "target", "supported", "convoyed")
        if (part := getattr(order, name, None)) is not None
    }


def only_tells(context: OrderContext, item: Faulty, told: Collection[ProvinceId]) -> bool:
    """Whether a text that is no order only tells of its letter's orders, which name these places.

    `I retreat to Marseilles:` above the order is prose. A sentence that is written like an order or
    that says not or if may be an order that went wrong, and is asked about.
    """
    if item.fault.kind not in (ReadingKind.NOT_EXPECTED, ReadingKind.UNFINISHED):
        return False
    if any(map(_is_notation, item.segment)) or is_turned(item.segment, context.words):
        return False
    places = [place for token in item.segment if token.is_place for place in token.locations]
    return bool(places) and all(place.province in told for place in places)


def may_be_order(context: OrderContext, segment: Segment, *, is_question: bool) -> bool:
    """Whether words that are no order may have been meant as one: they name an own unit, not as
    where something goes, beside a word of orders; or are written like notation.

    A question may be one only where it names two places and a verb.
    """
    own = {unit.location.province for unit in context.units}
    own |= {to.province for each in context.dislodged for to in each.retreats}
    if context.is_adjustment:
        own |= {site for power in context.powers for site in context.variant.power(power).sites}
    casual = (*listed("writing", "casual"), *listed("writing", "in_sentences"))
    names_unit = has_verb = is_marked = has_asked = False
    for at, token in enumerate(segment):
        if token.is_place:
            is_sent = any(after.role == "goal" for after in segment[at + 1 :])  # move Par to Bur
            is_sent = is_sent or (at > 0 and segment[at - 1].text in listed("sentences", "moved"))
            is_goal = token.role == "goal" or (word_at(segment, at - 1) == "-" and not is_sent)
            is_goal = is_goal and not any(t.word in ("S", "C", "H") for t in segment)
            is_own = any(place.province in own for place in token.locations)
            names_unit = names_unit or (is_own and not is_goal)
            is_marked = is_marked or (is_own and _is_about(segment[at : at + 2]))
        elif token.word in KINDS:
            is_kind = token.text not in listed("writing", "articles")
            is_marked = is_marked or is_kind or word_at(segment, at + 1)[0] == "#"
        elif token.word in _ORDERING and token.is_doubted:
            has_asked = True
            has_verb = has_verb or _is_told_of_unit(segment, own)
        elif token.word in _ORDERING:
            is_beside = any(each.is_place for each in segment[max(at - 1, 0) : at + 2])
            is_short = len(token.text) == 1 if token.is_letters else token.is_sign
            is_casual = is_short or token.text in casual
            has_verb = has_verb or not is_casual
            has_asked = has_asked or token.text not in listed("writing", "in_sentences")
            is_marked = is_marked or is_beside
        elif context.dislodged:  # Sevastopol or Ukraine
            is_marked = is_marked or token.text in listed("around", "alternatives")
    has_asked = has_asked and sum(token.is_place for token in segment) > 1
    if is_question:
        return names_unit and has_asked
    words = [token.word for token in segment]
    is_alone = UNKNOWN not in words
    if segment[:1] and segment[0].is_place and len(words) > 1:  # Mar supprts Par, Bre sails out to
        is_said = segment[1].text not in listed("around", "tells")
        is_short = sum(token.is_place for token in segment) > 1 and words.count(UNKNOWN) < 2
        is_marked = is_marked or (is_said and (is_short or "-" in words))
    is_named = names_unit and (has_verb or has_asked or is_marked or is_alone)
    return is_named or _is_like_notation(context, segment, frozenset(own))


def _is_told_of_unit(segment: Segment, own: Collection[ProvinceId]) -> bool:
    """`파리가 버건디로 갔으면`: an own unit, and where it goes."""
    places = [token for token in segment if token.is_place]
    units = [t for t in places if t.role in ("topic", "agent", "object", "moved")]
    if any(one.is_place and two.is_doubted for one, two in pairwise(segment)):  # 巴黎去了勃艮第
        units += places[:1]
    is_own = any(place.province in own for token in units for place in token.locations)
    return is_own and len(places) > 1 and (not units[0].role or "goal" in {t.role for t in places})


def _is_about(words: Segment) -> bool:
    """`パリはブルゴーニュ`: a place, and where it goes to."""
    return words[0].role in ("topic", "agent") and len(words) > 1 and words[1].is_place


def _is_like_notation(context: OrderContext, segment: Segment, own: frozenset[ProvinceId]) -> bool:
    """`A Mra - Xyz`, `Pari - Bur`, `Retreat to Par`; but not `Wal-Mart`, where no own unit is."""
    choices = listed("around", "alternatives")
    words = [token.word for token in segment if token.text not in choices]
    unknown = words.count(UNKNOWN)
    if not words or unknown * 2 > len(words):
        return False
    has_sign = any(token.is_sign and not token.is_letters for token in segment)
    has_place = any(word[0] == "#" for word in words)
    if has_sign and segment[0].word in KINDS and len(segment[0].text) == 1:
        return True
    for at, token in enumerate(segment[:-1]):
        after = segment[at + 1]
        if token.word in KINDS and (after.is_place or after.word == UNKNOWN):
            is_letter = len(token.text) == 1 and after.is_place and unknown < 2
            is_word = len(token.text) > 1 and after.word == UNKNOWN
            if has_sign or is_letter or is_word or word_at(segment, at - 1) in ("B", "D", "R"):
                return True
    if not unknown:
        is_whole = has_place or not KINDS.isdisjoint(words)
        return is_whole and not VERBS.isdisjoint({*words} - {"-"})
    first = segment[0]
    is_others = first.word[0] == "@" and first.word[1:] not in context.powers
    if is_others or (first.is_place and own.isdisjoint(p.province for p in first.locations)):
        return False
    return first.word == UNKNOWN and has_sign


def _is_notation(token: Token) -> bool:
    """A sign or a letter that nobody writes in a sentence; 로 is a sign to the grammar, and a
    particle to people."""
    if token.word in KINDS and len(token.text) == 1:
        return True
    return token.is_sign and not is_particled(token.text)
