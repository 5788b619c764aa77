"""Sentences whose orders do not stand one behind the other.

`로마와 베네치아는 각각 토스카나와 피에몬테로`, `在馬賽的支援下，巴黎進攻勃艮第`: lists of units
that share a verb, choices, supports that are said before the move. The line is cut into clauses in
each way that its words allow; of those in which each clause is an order, the one counts that passes
over least and has most clauses. Asked for where reading from left to right left something
over. Free of any position.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, zip_longest

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.language.blanket_orders import blanket_order
from judge.diplomacy.language.grammar import Parsed, parse_segment
from judge.diplomacy.language.lexicon import (
    JOIN,
    KINDS,
    UNKNOWN,
    VERBS,
    is_in_particle_script,
    listed,
)
from judge.diplomacy.language.lines.roles import (
    SAID_LAST,
    Phrase,
    arrange,
    phrases_of,
    with_verb_behind_unit,
)
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, Segment, Token, in_line_order
from judge.diplomacy.orders import WrittenOrder, WrittenUnit

LONGEST = 48  # words of a line that is cut into clauses
_CUTS_MOST = 12  # where a clause may end; the work grows with their square
_UNKNOWN_MOST = 2  # unknown words; a line with more is a sentence of something else
_TALK_ENDS = frozenset({",", ".", ";", "!", "?", ":"})
_NO_ROLE = frozenset({"", "of", "also"})  # what a member of a list may have beside the others' role


class Clause(Struct, frozen=True):
    """What one clause orders, and its columns; no orders: a text that speaks of all units.

    `spans`: the columns of each order. `is_choice`: one of them is meant. `is_sure`: nothing in it
    was passed over. `mark`: the columns of the first word that leaves a choice or was passed over.
    """

    start: int
    end: int
    mark: tuple[int, int]
    orders: tuple[WrittenOrder, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    is_choice: bool = False
    is_sure: bool = True


class Part(Struct, frozen=True):
    """A unit or a province, or a word.

    `use` says what the word is for: `verb`, `stop` or `mark` between clauses, `and`, `or`, `each`
    (respectively), `rather` (not what stands before it), `passive`, `aside` (nothing, but it is
    asked about), `kind`, `unknown`.
    """

    use: str
    token: Token | None
    phrase: Phrase | None
    start: int
    end: int


class _Read(Struct, frozen=True):
    """A clause as it was read; `helpers` support or convoy (`verb`) what another clause orders."""

    clause: Clause
    helpers: tuple[Phrase, ...] = ()
    verb: str = ""


_Group = list[Phrase]  # members of a list


def read_clauses(tokens: Sequence[Token], written: str) -> tuple[Clause, ...]:
    """The clauses of a line by its words; none if they do not make orders throughout."""
    tokens = without_talk(tokens)
    parts = _with_helpers_apart(parts_of(tokens)) if len(tokens) <= LONGEST else []
    if not parts or sum(part.use == "unknown" for part in parts) > _UNKNOWN_MOST:
        return ()
    cuts = [at for at in range(1, len(parts)) if _may_cut(parts, at)]
    if len(cuts) > _CUTS_MOST:
        return ()

    @cache
    def best_from(start: int) -> tuple[_Read, ...] | None:
        """The most clauses that can be read from a part to the end."""
        found: list[tuple[_Read, ...]] = []
        for end in [cut for cut in cuts if cut > start] + [len(parts)]:
            one = _read(parts[start:end], tokens, written)
            rest = () if end == len(parts) else best_from(end) if one else None
            if one is not None and rest is not None:
                found.append((one, *rest))
        # Nothing passed over, then more clauses.
        return max(
            found,
            key=lambda way: (all(each.clause.is_sure for each in way), len(way)),
            default=None,
        )

    return tuple(_with_supports_and_convoys(best_from(0) or ()))


def without_talk(tokens: Sequence[Token]) -> list[Token]:
    """The words but those of sentences and headings that name no place and have no verb: `Hi, here
    we go.`, `Russia:`."""
    done: list[Token] = []
    sentence: list[Token] = []
    for token in tokens:
        sentence.append(token)
        is_telling = token.word in _TALK_ENDS and any(map(_is_content_word, sentence))
        if token.text in _TALK_ENDS and not (is_telling and token.word == JOIN):
            done += sentence if is_telling else ()
            sentence = []
    return done + (sentence if any(map(_is_content_word, sentence)) else [])


def _is_content_word(token: Token) -> bool:
    is_kind = token.word in KINDS and len(token.text) > 1
    return token.is_place or is_kind or _use_of(token) in ("verb", "each")


def _with_helpers_apart(parts: list[Part]) -> list[Part]:
    """The parts, with a helper named within the move behind it: `마르세유의 지원을 받아`."""
    for at, (unit, verb, after) in enumerate(zip(parts, parts[1:], parts[2:], strict=False)):
        if unit.phrase is None or verb.token is None:
            continue
        is_passive = verb.token.word in ("S", "C") and after.use == "passive"
        if at and verb.token.word == "VIA" and unit.phrase.role == "object":
            return parts[:at] + parts[at + 1 :]  # 흑해를 건너: the way, no order of a fleet
        is_carried = verb.token.word == "VIA" and unit.phrase.role in ("of", "at")
        if at and (is_passive or is_carried):
            front = parts[:at]
            before = front[-1].token
            if before and before.text in listed("around", "not_between_places"):
                front.pop()  # 在馬賽的支援下
            rest = [*front, *parts[at + 2 + is_passive :]]
            if is_carried or verb.token.word == "C":  # 함대의 수송으로 스페인에
                rest.insert(len(front), replace(verb, token=replace(verb.token, word="VIA")))
                verb = replace(verb, token=replace(verb.token, word="C"))
            end = max(part.end for part in parts)
            stop = Part("mark", Token(";", end, end, ""), None, end, end)
            return [*rest, stop, unit, verb]
    return parts


def parts_of(tokens: Sequence[Token]) -> list[Part]:
    """The phrases and the words of a line, in the order in which they were written."""
    words: list[Token] = []
    uses: dict[Token, str] = {}
    by_start = in_line_order(tokens)
    for token in tokens:
        use = _use_of(token)
        if use == "passive" and by_start[by_start.index(token) - 1].word not in ("S", "C"):
            use = "unknown"
        if use == "filler" or (token.word in (")", "]") and token.role):
            place = [each for each in words if each.is_place and each.start < token.start]
            if token.role and place:  # 둘 중 하나를: the particle of the list
                words[words.index(place[-1])] = replace(place[-1], role=token.role)
        uses[token] = use
        is_bracket = token.word == "(" and words and words[-1].word in KINDS  # A(Wal)
        if use != "filler" and not is_bracket:
            is_marked = use in ("", "kind") or _is_hold_as_noun(token)
            words.append(token if is_marked else replace(token, role=""))
    phrases, others = phrases_of(tuple(words))
    parts = [Part("phrase", None, phrase, phrase.start, phrase.end) for phrase in phrases]
    for token in others:
        after = by_start[by_start.index(token) + 1 :] if token in by_start else []
        if token.word in KINDS and any(t.word in ("(", ":") for t in after[:3]):
            parts = [  # 두 함대(영국 해협, 북해)
                replace(part, phrase=_with_kind(part.phrase, token))
                if part.phrase and part.start >= token.end
                else part
                for part in parts
            ]
            continue
        if not token.word.isdigit():
            use = uses.get(token, "") or _use_of(token) or "unknown"
            parts.append(Part(use, token, None, token.start, token.end))
    return sorted(parts, key=lambda part: part.start)


def _with_kind(phrase: Phrase, kind: Token) -> Phrase:
    """A unit with the kind that is said once for several, unless it has its own."""
    if phrase.tokens[0].word in KINDS:
        return phrase
    return replace(phrase, tokens=(kind, *phrase.tokens))


def _use_of(token: Token) -> str:
    """What a word is for (`filler`: for nothing); empty for a name and for a word that nobody
    knows."""
    if token.word in VERBS or token.word == "VIA":
        return "verb"
    if token.word in KINDS:
        return "kind"
    if token.word == JOIN and token.is_non_latin:
        return "and"
    if token.word in BETWEEN_ORDERS or token.word == JOIN:
        return "stop" if token.word in (JOIN, ".", ";") else "mark"
    if token.word != UNKNOWN:
        return ""
    if token.text.startswith(listed("roles", "passives")):
        return "passive"
    return _word_uses().get(token.text, "")


@cache
def _word_uses() -> Mapping[str, str]:
    uses = {"alternatives": "or", "each": "each", "either": "filler", "rather": "rather"}
    uses |= {"fillers": "filler", "asides": "aside"}
    return {word: use for key, use in uses.items() for word in listed("around", key)}


def _may_cut(parts: Sequence[Part], at: int) -> bool:
    """Whether a clause may end before a part."""
    before, after = parts[at - 1], parts[at]
    if after.use == "verb" and at + 1 < len(parts) and after.token and after.token.word in "SC":
        helper = parts[at + 1].phrase  # ... with support from Mar
        if helper and helper.role == "by":
            return True
    if before.use in ("stop", "mark", "and", "passive") or after.use == "or":
        return True
    if before.token is None or before.use != "verb" or _is_hold_as_noun(before.token):
        return False
    return before.token.text.endswith(listed("writing", "connectives"))


# --- one clause -----------------------------------------------------------------------------------


def _is_hold_as_noun(token: Token) -> bool:
    """Whether what somebody else does something about is called a hold: `マルセイユの守りを`."""
    return token.word == "H" and token.role == "object"


def _read(parts: Sequence[Part], tokens: Sequence[Token], written: str) -> _Read | None:
    """What the words between two cuts order."""
    start, end = parts[0].start, max(part.end for part in parts)
    marks = (part for part in parts if part.use in ("or", "rather", "unknown", "aside"))
    mark = next(((part.start, part.end) for part in marks), (start, end))
    if blanket_order(written[start:end]):
        return _Read(Clause(start, end, mark))
    is_else = parts[0].use == "or"
    parts = [*parts]
    while parts and parts[0].use in ("stop", "mark", "and", "or"):
        parts.pop(0)
    while parts and parts[-1].use in ("stop", "mark", "and", "or"):
        parts.pop()
    if not parts:
        return None
    for one, next_one in pairwise(parts):
        token = next_one.token if next_one.use == "unknown" and one.phrase else None
        if token and one.end == token.start and is_in_particle_script(token.text):
            return None  # a particle that nobody knows
    texts = [part.token.text if part.token else "" for part in parts]
    if len(parts) == 2 and parts[0].phrase and texts[1] in listed("around", "goes_on"):
        return _Read(Clause(start, end, mark))  # 保加利亞照打: see `followers.py`
    is_sure = not any(part.use in ("unknown", "rather", "aside") for part in parts)
    clause = Clause(start, end, mark, (), (), is_else, is_sure)
    parts = _without_dismissed(parts)
    joints = ("and", "or", "stop")
    read = _read_as_lists(parts, joints, clause) or _read_as_lists(parts, joints[:2], clause)
    uses = {part.use for part in parts}
    if read is None and is_sure and "verb" in uses <= {"verb", "phrase"}:  # a route
        inside = [t for t in tokens if parts[0].start <= t.start < parts[-1].end]
        parsed = parse_if_clear(tuple(t for t in inside if _use_of(t) in ("", "verb", "kind")))
        if parsed is not None:
            span = (parsed.start, parsed.end)
            read = _Read(replace(clause, orders=parsed.readings[:1], spans=(span,)))
    return read


def parse_if_clear(segment: Segment) -> Parsed | None:
    """The order that words are, if they leave nothing open."""
    arranged = arrange(segment)
    if not segment or arranged.is_open or not arranged.ways:
        return None
    parsed = parse_segment(arranged.ways[0])
    return parsed if isinstance(parsed, Parsed) else None


def _read_as_lists(parts: Sequence[Part], joints: Sequence[str], clause: Clause) -> _Read | None:
    """What a clause orders if the units between these words are lists."""
    groups, is_choice, is_whole = _groups(parts, joints)
    verbs = [part.token for part in parts if part.use == "verb" and part.token]
    words = {verb.word for verb in verbs}
    if any(part.use == "kind" for part in parts) or not groups:
        return None
    is_choice, is_sure = clause.is_choice or is_choice, clause.is_sure and is_whole
    clause = replace(clause, is_choice=is_choice, is_sure=is_sure)
    if len(groups) == 1 and words - {"-", "VIA"} in ({"S"}, {"C"}):
        worded = [verb.start for verb in verbs if verb.is_non_latin]
        for helper in groups[0]:  # but not whom it supports: 支援巴黎
            is_behind = bool(worded) and max(worded) < helper.start
            if helper.role == "object" or (helper.role == "" and is_behind):
                return None
        return _Read(clause, tuple(groups[0]), "S" if "S" in words else "C")
    if "B" in words:  # 스미르나와 앙카라에 육군을 생산
        named = [token for group in groups for phrase in group for token in phrase.tokens]
        kinds = [token for token in named if token.word in KINDS]
        if len({kind.word for kind in kinds}) == 1:
            groups = [[_with_kind(phrase, kinds[0]) for phrase in group] for group in groups]
    orders: list[WrittenOrder] = []
    spans: list[tuple[int, int]] = []
    shared = [group[0] for group in groups if len(group) == 1]
    for chosen in _combinations(groups, any(part.use == "each" for part in parts)):
        meant = _orders_of(chosen, verbs)
        if not meant:
            return None
        own = [phrase.start for phrase in chosen if phrase not in shared]
        start = min(own) if orders and own else clause.start
        end = max([verb.end for verb in verbs] + [phrase.end for phrase in chosen])
        orders += meant
        spans += [(start, max(end, start + 1))] * len(meant)
        clause = replace(clause, is_choice=clause.is_choice or len(meant) > 1)
    if not orders:
        return None
    units = {each.unit.location for each in orders if not isinstance(each, o.WrittenWaive)}
    if len(units) < len(orders):  # two orders for one unit
        clause = replace(clause, is_choice=True)
    return _Read(replace(clause, orders=tuple(orders), spans=tuple(spans)))


def _without_dismissed(parts: list[Part]) -> list[Part]:
    """The parts without a place that the next words take back: `버건디가 아니라 피카르디로`."""
    done: list[Part] = []
    for part, after in zip_longest(parts, parts[1:]):
        if part.use == "rather":
            if after is not None and after.use == "verb" and len(done) == 1:
                continue  # 馬賽改往西班牙
            while done and done[-1].use in ("stop", "verb"):
                done.pop()
            if done and done[-1].use == "phrase":
                done.pop()
        elif part.use not in ("passive", "unknown", "aside"):
            done.append(part)
    return done


def _groups(parts: Sequence[Part], joints: Sequence[str]) -> tuple[list[_Group], bool, bool]:
    """The phrases of a clause, those of a list together; whether a list is a choice, and whether
    every comma is part of a list."""
    groups: list[_Group] = []
    joint = "verb"
    is_choice, is_whole = False, True
    for at, part in enumerate(parts):
        if part.phrase is None:
            if part.use in ("verb", "unknown"):
                is_whole = is_whole and joint != "stop"
                joint = "verb"
            elif joint == "verb":
                is_whole = is_whole and part.use != "stop"
            elif part.use == "or" or (part.use in ("and", "stop") and joint != "or"):
                joint = part.use
            continue
        last = groups[-1][-1] if groups else None
        roles = {part.phrase.role, last.role if last else ""} - _NO_ROLE
        is_also = last is not None and last.role == part.phrase.role == "also"
        is_apart = joint == "stop" and part.phrase.role == "by" and last and not last.role
        if is_apart and parts[at - 1].use == "stop" and parts[at - 1].end < part.start:
            roles = {"by", "goal"}  # 挪威攻打聖彼得堡，背後有挪威海
        if last and (joint in joints or is_also) and len(roles) < 2:
            groups[-1].append(part.phrase)
            is_choice = is_choice or joint == "or"
        else:
            is_whole = is_whole and joint != "stop"
            groups.append([part.phrase])
        joint = ""
    return groups, is_choice, is_whole and joint != "stop"


def _combinations(groups: Sequence[_Group], is_each: bool) -> Iterator[list[Phrase]]:
    """The phrases of a clause with one member of each list: every one, or pair by pair."""
    lists = [group for group in groups if len(group) > 1]
    size = len(lists[0]) if lists else 1
    if len(lists) > 1 and not (is_each and all(len(group) == size for group in lists)):
        return
    for which in range(size):
        chosen = []
        for group in groups:
            phrase = group[which] if len(group) > 1 else group[0]
            role = next((each.role for each in group[::-1] if each.role not in _NO_ROLE), "")
            role = role or (phrase.role if len(group) == 1 else "")
            chosen.append(_with_role(phrase, role))
        yield chosen


def _with_role(phrase: Phrase, role: str) -> Phrase:
    tokens = tuple(replace(token, role=role) for token in phrase.tokens)
    return replace(phrase, tokens=tokens, role=role)


def _orders_of(phrases: Sequence[Phrase], verbs: Sequence[Token]) -> tuple[WrittenOrder, ...]:
    """The orders that phrases and verbs may make: more than one if their roles are open."""
    moves = [verb for verb in verbs if verb.word == "-"]
    if len(moves) > 1 and moves[0].text[:1] in "-=~>" and not moves[-1].is_non_latin:
        return ()  # English Channel - MAO attacks
    said: dict[str, Token] = {}  # the first verb of each kind
    for verb in verbs:
        said.setdefault(verb.word, verb)
    roles = {phrase.role for phrase in phrases}
    is_attack = any(verb.text.startswith(listed("roles", "attacks")) for verb in verbs)
    is_caused = is_attack and "object" in roles  # チロルにトリエステを攻めさせ
    is_going = said.keys() <= {"-"} and not is_caused
    if is_going and "goal" not in roles and roles & {"agent", "topic", "object"}:
        # パリをピカルディに
        phrases = [_with_role(each, "goal") if each.role == "at" else each for each in phrases]
    words = [(phrase.start, phrase.tokens) for phrase in phrases]
    if len({phrase.tokens[-1].word for phrase in phrases}) == 1 and "H" in said:
        words = words[:1]  # 로마는 로마를 지킵니다
    is_marked = any(phrase.role in ("source", "goal", "topic") for phrase in phrases)
    if len(words) > 1 and not said and not is_marked:
        return ()
    if len(words) == 1:
        ways: tuple[Segment, ...] = ((*words[0][1], *said.values()),)
    else:
        words += [(token.start, (token,)) for token in said.values()]
        ordered = sorted(words, key=lambda each: each[0])
        segment = tuple(token for _, tokens in ordered for token in tokens)
        if segment[-1].word in SAID_LAST and not any(token.role for token in segment):
            segment = with_verb_behind_unit(segment)
        ways = arrange(segment).ways
    parsed = [parse_segment(way) for way in ways]
    if not all(isinstance(each, Parsed) for each in parsed):
        return ()
    return tuple(each.readings[0] for each in parsed if isinstance(each, Parsed))


# --- clauses beside one another -------------------------------------------------------------------


def _with_supports_and_convoys(found: Sequence[_Read]) -> Iterator[Clause]:
    """The clauses, with the supports and convoys of what the one before, or else after, orders."""
    clauses = [each.clause for each in found]
    for at, each in enumerate(found):
        if not each.helpers:
            continue
        leaders = [*clauses[:at][::-1], *clauses[at + 1 :]]
        led = [one.orders[0] for one in leaders if len(one.orders) == 1]
        led = [order for order in led if isinstance(order, o.WrittenMove | o.WrittenHold)]
        if not led:
            return
        units = [unit for unit in map(_unit_of, each.helpers) if unit]
        orders = tuple(filter(None, (support_or_convoy(one, each.verb, led[0]) for one in units)))
        if len(orders) < len(each.helpers):
            return
        spans = tuple((unit.start, each.clause.end) for unit in each.helpers)
        clauses[at] = replace(each.clause, orders=orders, spans=spans)
    choice: list[Clause] = []
    for clause in clauses:
        if clause.is_choice and choice and choice[-1].orders:
            before = choice.pop()
            orders = (*before.orders, *clause.orders)
            clause = replace(clause, start=before.start, orders=orders)
        choice.append(clause)
    yield from choice


def support_or_convoy(unit: WrittenUnit, verb: str, order: WrittenOrder) -> WrittenOrder | None:
    """The support or convoy (`verb` is `S` or `C`) of an order by a unit."""
    if isinstance(order, o.WrittenMove):
        make = o.WrittenSupportMove if verb == "S" else o.WrittenConvoy
        return make(unit, replace(order.unit, power=None), order.target)
    if isinstance(order, o.WrittenHold) and verb == "S":
        return o.WrittenSupportHold(unit, replace(order.unit, power=None))
    return None


def _unit_of(helper: Phrase) -> WrittenUnit | None:
    """The unit that is named."""
    at = helper.end
    parsed = parse_segment((*helper.tokens, Token("H", at, at, "")))
    held = parsed.readings[0] if isinstance(parsed, Parsed) else None
    return held.unit if isinstance(held, o.WrittenHold) else None
