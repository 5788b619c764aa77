"""Tells prose from orders that went wrong; and sentences that only tell of the orders beside them.

What names a unit or a province like an order does is an order, and a sentence is not.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from judge.data import language_data
from judge.diplomacy.language.lexicon import (
    JOIN,
    KINDS,
    UNKNOWN,
    VERBS,
    Lexicon,
    any_name,
    is_in_particle_script,
    key_of,
    listed,
)
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.tokens import (
    BETWEEN_ORDERS,
    Segment,
    Token,
    in_line_order,
    tokenize,
    word_at,
)
from judge.diplomacy.orders import AnyOrder, ProvinceId, WrittenOrder

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


def is_worded_as_move(tokens: Sequence[Token]) -> bool:
    """Whether a retreat is said in words of movement, so that in a movement phase it is a move:
    `Bring Tys back to Nap`; `A Bur R Par` is a retreat."""
    return any(t.role == "goal" or (t.word == "R" and " " in t.text) for t in tokens)


def is_negated_or_conditional(segment: Sequence[Token], words: Lexicon) -> bool:
    """Whether an unknown word says not, if, or; of another script than Latin, a part of it."""
    unknown = ((token, key_of(token.text)) for token in segment if token.word == UNKNOWN)
    return any(
        any(word in text for word in words.against if not word.isascii())
        if token.is_non_latin
        else text in words.against
        for token, text in unknown
    )


def tells(clause: str, words: Lexicon) -> bool:
    """Whether an English clause is built like one that tells of something: a tale, or a text that
    speaks of things that no order has (`the train`).

    A word that nobody knows counts once, behind a determiner twice; a misspelled name does not.
    """
    if is_tale(clause, words):
        return True
    tokens = in_line_order(tokenize(clause, words))
    known = [token for token in tokens if token.word not in (*KINDS, *BETWEEN_ORDERS, JOIN)]
    shape = "".join("#" if t.is_place else "v" if t.word in VERBS else "?" for t in known)
    is_order = _ORDER.search(shape) is not None or is_written_as_notation(tokens)
    return count_words_of_no_order(clause, words) >= _THINGS_LEAST + is_order


def is_tale(clause: str, words: Lexicon) -> bool:
    """Whether the subject of an English clause is somebody (`they built ...`), or it is in the past
    or a question about the rules. What follows its last place is a remark: `Par to Bur, as he did`.
    """
    tokens = in_line_order(tokenize(clause, words))
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


def describes_place(text: str, tokens: Sequence[Token]) -> bool:
    """Whether an English text says how things are in a place: `Paris is lovely`; `Paris is off to`
    does not."""
    plain = text.lower()
    return any(token.is_place and _description().match(plain, token.end) for token in tokens)


@cache
def _advice() -> re.Pattern[str]:
    """What gives advice, and tells of nothing."""
    return re.compile(any_name(listed("telling", "advice")))


@cache
def _description() -> re.Pattern[str]:
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
    if first is None or not is_prose_word(first, words):
        return False
    after = next((token for token in tokens if token.start > first.end), first)
    is_verb = after.word in VERBS and len(after.text) > 2
    return is_verb or after.text in listed("sentences", "going") or is_prose_word(after, words)


def _has_other_subject(tokens: Sequence[Token], words: Lexicon) -> bool:
    """Whether a verb that no order has follows a power (`Italy hopes`), or a verb of orders
    follows a first word that nobody knows (`Napoleon moves`)."""
    strange = [is_prose_word(t, words) and not words.nearest(t.text) for t in tokens]
    if strange[:1] == [True] and word_at(tokens, 1) in VERBS and len(tokens[1].text) > 1:
        return not tokens[1].is_notation_verb
    return any(
        is_strange and before.word[0] == "@"
        for before, is_strange in zip(tokens, strange[1:], strict=False)
    )


def is_written_as_notation(tokens: Sequence[Token]) -> bool:
    """Whether signs or letters stand for verbs and kinds of units; the article of `a dream` does
    not."""
    return any(
        is_notation_sign(token)
        and not token.is_non_latin
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
    things = {token.text for token in tokens if is_prose_word(token, words)}
    behind = {two for one, two in pairwise(said) if one in listed("telling", "determiners")}
    return len(things) + len(things & behind)


def may_begin_tale(segment: Sequence[Token], words: Lexicon) -> bool:
    """Whether words that are no order have a verb or a place beside something that no order has, so
    that what follows in their sentence may be told too: `In our game Gas hits Bur and ...`."""
    is_near = any(token.is_place or token.word in VERBS for token in segment)
    if not is_near or is_written_as_notation(segment):
        return False
    return any(is_prose_word(token, words) for token in segment)


def is_prose_word(token: Token, words: Lexicon) -> bool:
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
    keys = {
        "doubts": ("harmless", "corrections", "reasons_ahead", "contrasts", "addresses"),
        "telling": ("polite", "openers", "generic", "determiners", "common"),
    }
    lists = [*tables["around"].values(), *tables["sentences"].values()]
    lists += [tables[table][key] for table in keys for key in keys[table]]
    return frozenset(word for words in lists for phrase in words for word in phrase.split())


def places_of(orders: Iterable[AnyOrder | WrittenOrder]) -> set[ProvinceId]:
    """The provinces that orders name."""
    return {
        getattr(part, "location", part).province
        for order in orders
        for name in ("unit", "target", "supported", "convoyed")
        if (part := getattr(order, name, None)) is not None
    }


def is_notation_sign(token: Token) -> bool:
    """A sign or a letter that nobody writes in a sentence; 로 is a sign to the grammar, and a
    particle to people."""
    if token.word in KINDS and len(token.text) == 1:
        return True
    return token.is_notation_verb and not is_in_particle_script(token.text)
