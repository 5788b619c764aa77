"""Who does what in an order, by particles and prepositions and not by position.

`가스코니를 파리가 지원` is `PAR S GAS`, `Bur <- Mar` is `MAR - BUR`: the words of such an order are
put into the grammar's order. Where they leave two roles open, both orders are given. Free of any
position.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, listed
from judge.diplomacy.language.tokens import Segment, Token, in_line_order, span

_CLEAR = 1.0  # by how much one way to share out the roles must be better than the next
_NEVER = -9.0
_UNLIKELY = 0.0  # minus the weight of a way that goes against a mark
_ARROWS = tuple("-=~>")
_TELLING = ("agent", "object", "moved", "by", "either")
SAID_LAST = frozenset({"S", "C", "R"})  # verbs that some languages end their sentence with
_LONGEST = 24  # words of one order
_KANJI = re.compile("[\u3400-\u9fff]+")
# How well a place that is marked in some way fits a part of an order. What the marks are called,
# and which words set them: `roles` in `grammar/<language>/orders.toml`.
_MOVER = {"agent": 4, "by": 4, "source": 3, "either": 3, "moved": 3, "topic": 2, "of": 1, "at": 1}
_MOVE: Mapping[str, Mapping[str, float]] = {
    "unit": {**_MOVER, "object": 1, "goal": _NEVER},
    "target": {
        **dict.fromkeys(("agent", "by", "source", "either", "of", "moved"), _NEVER),
        **{"goal": 4, "at": 2, "object": 2},
    },
}
_HELP: Mapping[str, Mapping[str, float]] = {
    "unit": {**_MOVER, "source": 1, "of": 0, "object": -4, "goal": _NEVER},
    "other": {
        **{"agent": 2, "topic": 0.5, "source": 3, "either": 2.5, "of": 3, "object": 3, "moved": 3},
        **{"by": _NEVER, "goal": _NEVER},
    },
    "target": {
        **dict.fromkeys(("agent", "by", "source", "either", "moved"), _NEVER),
        **{"goal": 4, "of": 1, "object": 1, "at": 1, "topic": -2},
    },
}
FITS: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    **{"-": _MOVE, "R": _MOVE, "S": _HELP, "C": _HELP},
    "S hold": {  # no move: nobody leaves
        "unit": _HELP["unit"],
        "other": {**_HELP["other"], "agent": -4, "topic": 1, "source": -4, "either": -4},
    },
}


class Arranged(Struct, frozen=True):
    """An order's words in the grammar's order, once for each way to understand them.

    `is_open`: the words do not say which of them it is. No way at all: they say too little.
    """

    ways: tuple[Segment, ...] = ()
    is_open: bool = False


class Phrase(Struct, frozen=True):
    """A unit or a province: its words in the grammar's order, how it is marked, where it stands."""

    tokens: Segment
    role: str
    start: int
    end: int


def arrange(segment: Segment) -> Arranged:
    """The words of one order, each where the grammar has it.

    Each way to share out the parts of the order is weighed: the marks of its phrases count most,
    then what stands beside a verb. An order without marks stays as it is.
    """
    as_it_is = Arranged((segment,))
    if len(segment) > _LONGEST:
        return as_it_is
    is_kanji = _ends_with_kanji_support(segment)
    is_carried = {"C", "VIA"} <= {token.word for token in segment}
    if not is_kanji and not is_carried and not any(token.role for token in segment):
        return as_it_is
    power = [token for token in segment[:1] if token.word[0] == "@" and len(segment) > 1]
    phrases, others = _with_passive(*phrases_of(segment[len(power) :]))
    words = {token.word for token in others}
    if has_support_inside_passive(segment):
        return Arranged()
    if sum(phrase.role == "also" for phrase in phrases) > 1:
        return Arranged()  # a list: パリもマルセイユも
    phrases = _with_means(phrases)
    if len(phrases) < 2 or not words <= {"S", "C", "R", "-", "H", "VIA"}:
        return as_it_is
    carried = {token.word: token for token in others if token.word in ("C", "VIA")}
    if (
        len(carried) == 2
        and len(phrases) == 3
        and (phrases[2].role == "goal" or phrases[1].end <= carried["C"].start <= phrases[2].start)
    ):
        unit, way, target = phrases  # 經由里昂灣艦隊海運到西班牙
        via = carried["VIA"]
        move = Token("-", via.start, via.end, "")
        return Arranged(((*power, *unit.tokens, via, way.tokens[-1], move, target.tokens[-1]),))
    verb = next((verb for verb in "SCR-" if verb in words), "")
    if not verb and not any(phrase.role in ("source", "goal") for phrase in phrases):
        return Arranged() if any(phrase.role in _TELLING for phrase in phrases) else as_it_is
    has_goal = "-" in words or any(phrase.role == "goal" for phrase in phrases)
    if verb == "C" and len(phrases) == 2 and has_goal:
        verb = "-"  # the army goes by convoy
    parts = ("unit", "other", "target")[: len(phrases)]
    if verb not in ("S", "C"):
        parts = ("unit", "target")
    if (
        len(parts) != len(phrases)
        or (verb == "C" and len(parts) == 2)
        or (verb != "S" and "H" in words)
    ):
        # More than one order, or a route: read as written, but never against its marks.
        turned = phrases[0].role == "goal" or any(
            p.role in ("source", "by", "either") for p in phrases[1:]
        )
        return Arranged() if turned and len(phrases) < 4 else as_it_is
    if verb == "S" and len(parts) == 2 and has_goal:
        if any(phrase.role == "object" for phrase in phrases):  # 마르세유로 가스코뉴를 지원
            unit, other = sorted(phrases, key=lambda phrase: phrase.role != "goal")
            support = next(token for token in others if token.word == "S")
            return Arranged(((*power, *unit.tokens, support, *other.tokens),), is_open=True)
        return Arranged()  # a support of a move that does not say whose
    weighed = sorted(
        (
            (-_weight_of_roles(verb or "-", way, others, is_kanji=is_kanji), at, way)
            for at, ways in enumerate(permutations(phrases))
            for way in [dict(zip(parts, ways, strict=True))]
        ),
        key=lambda each: each[:2],
    )
    best = weighed[0][0]
    if best > _UNLIKELY:
        return Arranged()  # every way goes against a mark: by Nth and supported by Eng
    ways = tuple(
        (*power, *_in_order(verb, way, others))
        for weight, _, way in weighed
        if weight - best < _CLEAR
    )
    is_marked = verb != "" or all(phrase.role for phrase in phrases)
    is_same = [t.word for t in ways[0]] == [t.word for t in segment]
    return Arranged(ways, is_open=len(ways) > 1 or not (is_marked or is_same))


def has_support_inside_passive(segment: Sequence[Token]) -> bool:
    """Whether who attacks is told with who supports it: `皮埃蒙特被里昂灣支援的馬賽攻打`."""
    is_by = any(token.role == "by" for token in segment)
    is_supported = any(token.word == "S" and token.role == "of" for token in segment)
    return is_by and is_supported and any(token.word == "-" for token in segment)


def is_embedded(verb: Token) -> bool:
    """Whether a verb says what another one is about: `守るのを支援`, `버티게 돕는다`."""
    return verb.role in ("object", "at") or verb.text.endswith(listed("roles", "embedded"))


def with_verb_behind_unit(segment: Segment) -> Segment:
    """`A MAR A PAR - BUR S` as `A MAR S A PAR - BUR`."""
    *words, verb = segment
    first = next((at for at, token in enumerate(words) if token.is_place), None)
    if first is None or any(token.word in SAID_LAST for token in words):
        return segment
    return (*words[: first + 1], verb, *words[first + 1 :])


def phrases_of(segment: Segment) -> tuple[list[Phrase], list[Token]]:
    """The units and provinces of an order as written, and its other words."""
    phrases: list[Phrase] = []
    others: list[Token] = []
    unit: list[Token] = []
    for token in segment:
        is_name = token.word == UNKNOWN and token.role != ""
        if token.word in KINDS or token.word[0] == "@":
            unit.append(token)
        elif token.is_place or is_name:
            unit.append(token)
            marked = max(unit, key=lambda each: (each.role != "", each.start))
            phrases.append(Phrase(tuple(unit), marked.role, *span(unit)))
            unit = []
        else:
            others += [*unit, token]
            unit = []
    phrases.sort(key=lambda phrase: phrase.start)
    others = in_line_order([*others, *unit])
    for at, (one, next_one) in enumerate(pairwise(phrases)):  # Par → Bur을
        between = [each for each in others if one.end <= each.start < next_one.start]
        if len(between) == 1 and between[0].word == "-" and between[0].text[:1] in _ARROWS:
            phrases[at] = replace(phrases[at], role=one.role or "source")
            phrases[at + 1] = replace(next_one, role="goal")
    return phrases, others


def _with_means(phrases: list[Phrase]) -> list[Phrase]:
    """`브레스트 함대로 영국 해협을 공격`: with which unit, where something else is the object."""
    goals = [phrase for phrase in phrases if phrase.role == "goal"]
    is_means = len(goals) == 1 and any(token.word in KINDS for token in goals[0].tokens)
    if not is_means or not any(phrase.role == "object" for phrase in phrases):
        return phrases
    kinds = [p for p in phrases if p.role == "object" and any(t.word in KINDS for t in p.tokens)]
    if any(phrase.role == "at" for phrase in phrases):  # 육군을 이오니아해 함대로 튀니스에 수송
        kinds = []
    return phrases if kinds else [replace(p, role="by") if p in goals else p for p in phrases]


def _with_passive(phrases: list[Phrase], others: list[Token]) -> tuple[list[Phrase], list[Token]]:
    """`파리의 지원을 받는다`: whose support is received is who supports."""
    at = next((at for at, token in enumerate(others) if token.word == "S"), None)
    if at is None or len(others) != at + 2 or others[-1].word != UNKNOWN:
        return phrases, others
    if not others[-1].text.startswith(listed("roles", "passives")):
        return phrases, others
    before = [phrase for phrase in phrases if phrase.end <= others[at].start]
    phrases = [replace(each, role="by") if each is before[-1] else each for each in phrases]
    return phrases, others[:-1]


def _weight_of_roles(
    verb: str, way: Mapping[str, Phrase], others: Sequence[Token], *, is_kanji: bool
) -> float:
    """How well the marks and the places of phrases go with their parts in the order."""
    fits = FITS["S hold" if verb == "S" and len(way) == 2 else verb]
    weight = sum(fits[part].get(phrase.role, 0.0) for part, phrase in way.items())
    unit, last = way["unit"], max(phrase.end for phrase in way.values())
    main = next((token for token in others if token.word == verb and token.end <= last), None)
    for token in others:  # what is attacked stands before the verb: トリエステを攻撃するチロルを
        if token.word == "-" and token.text.startswith(listed("roles", "attacks")):
            ahead = [each for each in way.values() if each.end <= token.start]
            named = max(ahead, key=lambda each: each.end, default=None)
            if named and named.role == "object":
                weight += 3.0 if named is way.get("target") else -3.0
    if verb in ("S", "C") and main:  # the verb stands between them
        weight += 2.0 * (unit.start < main.start)
        weight += sum(phrase.start > main.start for phrase in way.values())
    elif is_kanji:  # Chinese has its verb behind who does it
        weight += 0.6 * (unit.end == last)
    weight += 0.5 * (unit.start == min(phrase.start for phrase in way.values()))
    if any(
        token.word == "S" and token.text.endswith(listed("roles", "assigned")) for token in others
    ):
        weight += 9.0 * (unit.role == "object")  # マルセイユにはガスコーニュを支援につける
    if verb == "S" and len(way) == 2:  # 가스코니는 마르세유가 버티게 돕는다
        holds = [each for each in others if each.word == "H" and is_embedded(each)]
        weight += 6.0 * any(unit.end <= way["other"].end <= hold.start for hold in holds)
    if verb == "C":
        kinds = {part: {token.word for token in phrase.tokens} for part, phrase in way.items()}
        weight += 3.0 * ("F" in kinds["unit"]) - 3.0 * ("A" in kinds["unit"])
        weight += 2.0 * ("A" in kinds["other"]) - 3.0 * ("F" in kinds["other"])
    if target := way.get("target"):
        ordered = sorted(way.values(), key=lambda phrase: phrase.start)
        at = ordered.index(target)
        if "other" in way and at and ordered[at - 1] is way["other"]:
            weight += 3.0  # 파리가 버건디로 이동하는 것을
        if target.role == "":
            before = ordered[at - 1].end if at else 0
            after = ordered[at + 1].start if at + 1 < len(ordered) else last + 99
            moves = [token for token in others if token.word == "-"]
            weight += 3.0 * any(before <= token.start < target.start for token in moves)
            weight += 2.0 * any(
                target.end <= token.start < after and token.is_non_latin for token in moves
            )
    return weight


def _in_order(verb: str, way: Mapping[str, Phrase], others: Sequence[Token]) -> Segment:
    """The words of an order in the grammar's order."""
    unit, end = way["unit"], max(phrase.end for phrase in way.values())
    found = {token.word: token for token in reversed(others)}
    move = found.get("-") or Token("-", end, end, "")
    goes = [*way.get("other", unit).tokens]
    to = way["target"].tokens if "target" in way else ()
    kind = [token for token in to if token.word in KINDS]
    if kind and goes[0].word not in KINDS:  # attack with A Bur from Par
        goes = [*kind, *goes]
    done = [*unit.tokens, found[verb], *goes] if verb in ("S", "C") else goes
    if to:
        done += [found["R"] if verb == "R" else move, to[-1]]
    if verb == "-" and "C" in found:
        done.append(replace(found["C"], word="VIA"))
    elif "VIA" in found:
        done.append(found["VIA"])
    return tuple(done)


def _ends_with_kanji_support(segment: Segment) -> bool:
    """`加斯康尼陸軍，巴黎陸軍支援`: no word says who supports whom."""
    if sum(token.is_place for token in segment) != 2:
        return False
    *_, last = in_line_order(segment)
    letters = "".join(token.text for token in segment)
    return last.word == "S" and not letters.isascii() and _KANJI.fullmatch(letters) is not None
