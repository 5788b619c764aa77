"""Moves that a line only names, as what another order helps: they are asked about, not taken.

`The attack of Paris on Burgundy is supported by Gascony` orders a support; whether it orders the
attack, too, only its writer knows. Free of any position.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from judge.data import language_data
from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed
from judge.diplomacy.language.lexicon import JOIN, KINDS, UNKNOWN, listed, particles_of, scripts
from judge.diplomacy.language.lines.clauses import support_or_convoy
from judge.diplomacy.language.lines.doubts import SENTENCE_ENDS
from judge.diplomacy.language.tokens import STOPS, Token, end_of, in_line_order
from judge.diplomacy.records import ReadingKind


def without_commas_of_objects(tokens: list[Token]) -> list[Token]:
    """The words without a comma behind a move that is the object of the help after it:
    `ブルガリアのルーマニア攻撃を、黒海の艦隊が支援する`."""
    done: list[Token] = []
    last_help = max((token.start for token in tokens if token.word in ("S", "C")), default=0)
    for token in tokens:
        if token.word == JOIN and token.start < last_help and done and not token.is_non_latin:
            before = max(done[-3:], key=end_of)  # its target may stand behind it
            if _is_named(before) and _marks_of(before) == "object":
                continue
        done.append(token)
    return done


def with_named_moves_asked(items: list[Item], tokens: Sequence[Token], written: str) -> list[Item]:
    """The items; open where a move is only named, as what the next order helps (`The move of Paris
    to Burgundy is supported by Gascony`), and a support before whose order the line breaks off
    (`布雷斯特艦隊在中大西洋艦隊的支援下`)."""
    done = [*items]
    orders = [(at, item) for at, item in enumerate(items) if isinstance(item, Parsed)]
    for (at, one), (_, other) in pairwise(orders):
        move, help = one.readings[0], other.readings[0]
        is_helped = isinstance(move, o.WrittenMove) and help in (
            support_or_convoy(help.unit, verb, move)
            for verb in "SC"
            if not isinstance(help, o.WrittenWaive)
        )
        if is_helped and (_is_only_named(one, tokens, written) or _is_object(one, other, written)):
            done[at] = one.asked()
    tokens = in_line_order(tokens)
    starts = [token.start for token in tokens]
    for at, one in orders:
        begin, end = bisect_left(starts, one.start), bisect_left(starts, one.end)
        inside = sorted(tokens[begin:end], key=end_of)
        if not inside:
            continue
        if _is_topic_of_help(one, inside, tokens, written):
            done[at] = one.asked()
        said = [token.word for token in inside]  # 艦隊増設：セバストポリ　陸軍増設： is two builds
        is_several = ":" in said and sum(word in ("B", "D") for word in said) > 1
        if is_several or _is_help_a_circumstance(one, inside) or is_support_by_mover(one, inside):
            fault = Fault(ReadingKind.OPEN, one.start, one.end)
            done[at] = Faulty(one.start, one.end, fault, (), (), one.readings)
    last = max((token for token in tokens if token.word not in STOPS), key=end_of, default=None)
    is_underway = last and last.word == UNKNOWN and last.text in listed("roles", "underway")
    for at, one in orders[-1:] if is_underway else ():
        if isinstance(one.readings[0], o.WrittenSupportHold):
            fault = Fault(ReadingKind.UNFINISHED, one.end, one.end)
            done[at] = Faulty(one.start, one.end, fault, (), (), one.readings)
    return done


def _is_only_named(one: Parsed, tokens: Sequence[Token], written: str) -> bool:
    """Whether the words of a move are a name for it: `the attack of Paris on Burgundy`."""
    inside = [token for token in tokens if one.start <= token.start < one.end]
    verb = max(inside, key=end_of)
    if _is_named(verb):
        return True
    unit = next((token for token in inside if token.is_place), verb)
    ahead = [token for token in tokens if token.word == "-" and token.end <= unit.start]
    between = written[ahead[-1].end : unit.start].lower().split() if ahead else []
    return between[:1] != [] and between[0] in listed("sentences", "of_names")


def _is_named(verb: Token) -> bool:
    """Whether a move is named and not told: the 이동은 of `파리의 버건디 이동은 ...`."""
    marked = _marks_of(verb)
    nouns = (verb.text, verb.text[:-1])
    return marked != "" and any(noun in listed("orders", "move") for noun in nouns)


def _marks_of(verb: Token) -> str:
    """Whether a verb is marked as what is spoken of, or as what something is done to: the を of
    攻撃を; "" if it is neither."""
    if verb.word != "-" or not verb.is_non_latin:
        return ""
    ends = ((role, particles_of(role)) for role in ("topic", "object"))
    said = next((role for role, particles in ends if verb.text[1:].endswith(particles)), "")
    return said or (verb.role if verb.role in ("topic", "object") else "")


def _is_object(move: Parsed, help: Parsed, written: str) -> bool:
    """Whether a move stands before the order that helps it as what is helped, by its particle:
    `スペインへ入るガスコーニュ軍を、マルセイユの陸軍が支援`."""
    behind = re.split("[,、，]", written[move.end : help.start])[0]
    return (written[move.start : move.end] + behind).rstrip().endswith(_object_endings())


@cache
def _object_endings() -> tuple[str, ...]:
    tables = (table["roles"].get("after", {}) for table in language_data("orders.toml").values())
    return tuple(end for table in tables for end in table.get("object", ()) if not end.isascii())


def _is_topic_of_help(
    item: Parsed, inside: Sequence[Token], tokens: Sequence[Token], written: str
) -> bool:
    """Whether a move is what a sentence says of help for it: `エーゲ海艦隊によるギリシャ攻撃は、
    ブルガリア軍の支援を受ける`."""
    verb = inside[-1]
    if verb.word != "-" or verb.role != "topic":
        return False
    end = SENTENCE_ENDS.search(written, item.end)
    last = end.start() if end else len(written)
    return any(token.word == "S" and item.end <= token.start < last for token in tokens)


def _is_help_a_circumstance(item: Parsed, inside: Sequence[Token]) -> bool:
    """Whether the word of help is followed by one that makes it a circumstance of something else,
    and stands behind another than the supporter: `在中大西洋艦隊的支援下橫掃英吉利海峽`."""
    support = item.readings[0]
    if not isinstance(support, o.WrittenSupportMove):
        return False
    _, unspaced = scripts()
    for at, (help, after) in enumerate(pairwise(inside)):
        if (
            (help.word, after.word) == ("S", UNKNOWN)
            and after.text.startswith(listed("roles", "underway"))
            and re.match(f"[{unspaced}]", after.text)
        ):
            named = [place for token in inside[:at] if token.is_place for place in token.locations]
            return bool(named) and named[-1].province != support.unit.location.province
    return False


def is_support_by_mover(item: Parsed, inside: Sequence[Token]) -> bool:
    """Whether a support was read of a unit behind which its own move stands:
    `布雷斯特進英吉利海峽中大西洋支援它`."""
    support = item.readings[0]
    if not isinstance(support, o.WrittenSupportMove):
        return False
    words = [token for token in inside if token.word not in KINDS][:3]
    is_move = [token.is_place for token in words] == [True, False, True] and words[1].word == "-"
    is_told = is_move and not words[1].text.isascii()
    return is_told and words[0].locations[0] == support.unit.location
