"""Tells talk from orders that went wrong.

Talk is shown to the player as not read and stops nothing; an order that went wrong is asked about.
So what names a unit or a province like an order does is an order, and a sentence is not.
"""

from judge.diplomacy.language.tokens import KINDS, UNKNOWN, VERBS, Segment, Token


def is_talk(segment: Segment) -> bool:
    """Whether words that are no order were not meant as one either."""
    words = [token.word for token in segment]
    unknown = sum(_weight(segment, at) for at, word in enumerate(words) if word == UNKNOWN)
    known = len(words) - words.count(UNKNOWN)
    places = [word for word in words if word[0] == "#"]
    verbs = [word for word in words if word in VERBS]
    if not unknown:
        return not _says_something(words, places, verbs)
    if _holds_short_order(segment) or _holds_build(words):
        return False
    if _is_verb_and_name(words):
        return False
    if not verbs and not _starts_with_unit(segment):
        return True
    if not places:
        return unknown > 2 or not verbs or not _starts_with_unit(segment)
    if _starts_with_unit(segment):
        return unknown > known + 1
    if words[0] == UNKNOWN and len(words) > 1 and words[1] in VERBS:
        return unknown > 1 or not is_sign(segment[1])
    return unknown >= known


def _weight(segment: Segment, at: int) -> int:
    """How many words it is: Chinese and Japanese write sentences without spaces. A word in the
    place of a name is one."""
    token = segment[at]
    if at and segment[at - 1].word in (*VERBS, *KINDS):
        return 1
    is_spaced = token.text[0].isascii() or "가" <= token.text[0] <= "힣"
    return 1 if is_spaced else len(token.text)


def _holds_build(words: list[str]) -> bool:
    """`I build A Par`: a verb and a unit that has its kind."""
    triples = zip(words, words[1:], words[2:], strict=False)
    return any(
        verb in ("B", "D", "R") and kind in KINDS and place[0] == "#"
        for verb, kind, place in triples
    )


def _says_something(words: list[str], places: list[str], verbs: list[str]) -> bool:
    """Known words only: a unit without an order, a verb without a unit."""
    kinds = any(word in KINDS for word in words)
    if places:
        return bool(kinds or verbs)
    return kinds and bool(verbs) and verbs[0] in ("B", "D", "R", "H")


def _is_verb_and_name(words: list[str]) -> bool:
    """`Build A Pra`, `Remove F Xyz`."""
    return len(words) == 3 and words[0] in ("B", "D", "R") and words[1] in KINDS


def _holds_short_order(segment: Segment) -> bool:
    """`I want A Par - Bur`: notation in a sentence; whether it is an order has to be asked."""
    triples = zip(segment, segment[1:], segment[2:], strict=False)
    return any(
        kind.word in KINDS and place.is_place and is_sign(verb)
        for kind, place, verb in triples
        if len(kind.text) == 1 or kind.is_letters
    )


def _starts_with_unit(segment: Segment) -> bool:
    """`A Mra`, `Fleet Xyz`, `Par`; but not `a friend`, which is English."""
    first = segment[0]
    if first.word in KINDS:
        if len(segment) < 2 or segment[1].word[0] == "#":
            return True
        return first.text != "a" or (len(segment) > 2 and is_sign(segment[2]))
    return first.word[0] in "#@"


def is_sign(token: Token) -> bool:
    """A verb written as a sign or a single letter: nobody writes those in a sentence."""
    return token.word in VERBS and len(token.text) <= 2 and token.text != "to"
