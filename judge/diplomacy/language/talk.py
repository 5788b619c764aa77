"""Text of a letter that is no order: left as talk, or asked about where it may be meant as one.

`lines/prose.py` tells by the words alone; here the units of the writer are known, and the other
orders of the letter.
"""

import re
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import NamedTuple

from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Faulty, Prose
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, VERBS, Lexicon, listed
from judge.diplomacy.language.lines.doubts import doubts_in
from judge.diplomacy.language.lines.prose import (
    is_negated_or_conditional,
    is_notation_sign,
    is_written_as_notation,
    places_of,
)
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.proposals.suggestions import guesses, legal_orders_among
from judge.diplomacy.language.tokens import Segment, in_line_order, provinces_in, tokenize, word_at
from judge.diplomacy.orders import ProvinceId, WrittenUnit
from judge.diplomacy.records import ReadingKind

_ORDERING = VERBS | {"VIA"}
_WORDS = re.compile(r"[a-z']+")


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
    tokens = in_line_order(tokenize(line, context.lexicon))
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


class Unsure(NamedTuple):
    """A text that is no order; in a question; beside an order on its line; on a line that says that
    something does not move."""

    item: Faulty | Prose
    is_question: bool
    is_beside: bool
    is_denied: bool

    def may_be_order(self, context: OrderContext, text: str, given: Collection[str]) -> bool:
        """Whether it may have been meant as one; `given` are keys of the letter's orders."""
        segment = self.item.segment
        is_doubted = self.is_question or (isinstance(self.item, Prose) and any(doubts_in(text)))
        is_arrow = any(t.word == "-" and t.is_notation_verb and not t.is_non_latin for t in segment)
        if _may_be_order(context, segment, is_question=is_doubted and not is_arrow):
            return True
        if not self.is_beside or is_doubted or not segment or not segment[0].is_place:
            return False
        place = segment[0].locations[0].province  # `A Mar - Gas; Paris goes`
        is_open = place not in given and any(u.location.province == place for u in context.units)
        return is_open and not any(t.text in listed("around", "tells") for t in segment[1:2])


def leave_talk(context: OrderContext, found: list[Read], unsure: Mapping[int, Unsure]) -> None:
    """Take for prose what was not meant as an order, or only tells of the letter's orders."""
    orders = [read.order for read in found if isinstance(read, Taken)]
    given, told = set(map(order_key, orders)), places_of(orders)
    for at, each in unsure.items():
        read, item = found[at], each.item
        if not isinstance(read, Untaken) or not isinstance(item, Faulty):
            continue
        is_told = told and all(order_key(order) in given for order in item.proposed)
        if (is_told and only_tells(context, item, told)) or not (
            read.proposals or each.may_be_order(context, read.written, given)
        ):
            found[at] = Said(read.number, read.written.strip())


def ask_about_units(context: OrderContext, found: list[Read], unsure: Mapping[int, Unsure]) -> None:
    """Ask about prose that may be an order for a unit for which nothing was given."""
    given = {order_key(read.order) for read in found if isinstance(read, Taken)}
    given |= {order_key(order) for order in context.stored}
    asked = {read.key for read in found if isinstance(read, Untaken) and read.key}
    open_units = {unit.location.province for unit in context.units} - given - asked
    for at, each in unsure.items():
        read, segment = found[at], each.item.segment
        places = provinces_in(segment)
        if not isinstance(read, Said) or not isinstance(each.item, Prose):
            continue
        if not places & open_units or not each.may_be_order(context, read.text, given):
            continue
        is_sure = any(token.word in VERBS or token.word in KINDS for token in segment)
        is_sure = is_sure or (context.is_adjustment and all(token.is_place for token in segment))
        is_sure = is_sure and not any(token.is_doubted for token in segment)
        is_sure = is_sure and not any(doubts_in(read.text))
        meant = [*guesses(context, segment)] if is_sure else []
        if each.is_denied:
            meant = [o.WrittenHold(WrittenUnit(segment[0].locations[0]))]  # パリは移動しません
        proposals = legal_orders_among(context, meant)
        named = {order_key(order) for order in proposals} or places & open_units
        key = str(named.pop()) if len(named) == 1 else None
        kind = ReadingKind.NOT_EXPECTED
        found[at] = context.make_untaken(read.number, read.text, kind, proposals, key)


def denies_move(line: str, words: Lexicon) -> bool:
    """Whether a line says that something does not move, and nowhere: `巴黎不移動`."""
    tokens = in_line_order(tokenize(line, words))
    denials = {*listed("doubts", "before"), *listed("around", "against")}
    return any(
        token.word == "-"
        and (token.is_doubted or (at > 0 and tokens[at - 1].text in denials))
        and not any(after.is_place for after in tokens[at + 1 :])
        for at, token in enumerate(tokens)
    )


def only_tells(context: OrderContext, item: Faulty, told: Collection[ProvinceId]) -> bool:
    """Whether a text that is no order only tells of its letter's orders, which name these places.

    `I retreat to Marseilles:` above the order is prose. A sentence that is written like an order or
    that says not or if may be an order that went wrong, and is asked about.
    """
    if item.fault.kind not in (ReadingKind.NOT_EXPECTED, ReadingKind.UNFINISHED):
        return False
    if any(map(is_notation_sign, item.segment)) or is_negated_or_conditional(
        item.segment, context.lexicon
    ):
        return False
    places = provinces_in(item.segment)
    return bool(places) and places.issubset(told)


def _may_be_order(context: OrderContext, segment: Segment, *, is_question: bool) -> bool:
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
            names_unit |= is_own and not is_goal
            if token.role in ("topic", "agent"):  # パリはブルゴーニュ
                is_marked |= is_own and any(after.is_place for after in segment[at + 1 : at + 2])
        elif token.word in KINDS:
            is_kind = token.text not in listed("writing", "articles")
            is_marked |= is_kind or word_at(segment, at + 1)[0] == "#"
        elif token.word in _ORDERING and token.is_doubted:
            has_asked = True
            has_verb = has_verb or _is_about_own_move(segment, own)
        elif token.word in _ORDERING:
            is_beside = any(each.is_place for each in segment[max(at - 1, 0) : at + 2])
            is_short = len(token.text) == 1 if token.is_non_latin else token.is_notation_verb
            is_casual = is_short or token.text in casual
            has_verb |= not is_casual
            has_asked |= token.text not in listed("writing", "in_sentences")
            is_marked |= is_beside
        elif context.dislodged:  # Sevastopol or Ukraine
            is_marked |= token.text in listed("around", "alternatives")
    has_asked = has_asked and sum(token.is_place for token in segment) > 1
    if is_question:
        return names_unit and has_asked
    words = [token.word for token in segment]
    is_alone = UNKNOWN not in words
    if segment[:1] and segment[0].is_place and len(words) > 1:  # Mar supprts Par, Bre sails out to
        is_said = segment[1].text not in listed("around", "tells")
        is_short = sum(token.is_place for token in segment) > 1 and words.count(UNKNOWN) < 2
        is_marked |= is_said and (is_short or "-" in words)
    is_named = names_unit and (has_verb or has_asked or is_marked or is_alone)
    return is_named or _is_like_notation(context, segment, frozenset(own))


def _is_about_own_move(segment: Segment, own: Collection[ProvinceId]) -> bool:
    """`파리가 버건디로 갔으면`: an own unit, and where it goes."""
    places = [token for token in segment if token.is_place]
    units = [t for t in places if t.role in ("topic", "agent", "object", "moved")]
    if any(one.is_place and two.is_doubted for one, two in pairwise(segment)):  # 巴黎去了勃艮第
        units += places[:1]
    is_own = any(place.province in own for token in units for place in token.locations)
    return is_own and len(places) > 1 and (not units[0].role or "goal" in {t.role for t in places})


def _is_like_notation(context: OrderContext, segment: Segment, own: frozenset[ProvinceId]) -> bool:
    """`A Mra - Xyz`, `Pari - Bur`, `Retreat to Par`; but not `Wal-Mart`, where no own unit is."""
    choices = listed("around", "alternatives")
    words = [token.word for token in segment if token.text not in choices]
    unknown = words.count(UNKNOWN)
    if not words or unknown * 2 > len(words):
        return False
    has_sign = any(token.is_notation_verb and not token.is_non_latin for token in segment)
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
