"""What a sentence may order that no grammar reads: found by the board, and only ever proposed.

`I want York in London and Wales in York` names three places, of which two have own units. Each own
unit is given every order that its neighbors, the named places and the verbs allow; of all ways to
give each unit one, the best uses every place and every verb, with what belongs together standing
side by side. Two ways that are equally good are none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, permutations, product
from math import prod
from typing import NamedTuple

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.doubts import doubts_beside, softens
from judge.diplomacy.language.lexicon import JOIN, KINDS, UNKNOWN, VERBS, Lexicon, any_name, listed
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.prose import (
    is_going_back,
    is_stated,
    is_strange,
    is_tale,
    is_thing,
    is_written_as_notation,
    places_of,
    things_in,
)
from judge.diplomacy.language.suggestions import fitting_orders
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, Token, tokenize
from judge.diplomacy.orders import (
    AnyOrder,
    Location,
    ProvinceId,
    UnitKind,
    WrittenOrder,
    WrittenUnit,
)
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.records import ProblemValues, ReadingKind

_PLACES_MOST = 10
_WAYS_MOST = 3_000  # in which the units of a sentence can be ordered
_LINES_MOST = 20  # of a letter
_UNITS = frozenset({"agent", "by", "source", "topic", "either", "moved", "object"})
_HELPS = frozenset({"S", "C", "VIA"})
_SENTENCE_ENDS = frozenset({".", ";", "!", "?"})
_NAME_LEAST = 5  # letters of what may name a unit and say what it does
_SENTENCES = re.compile(r"[^.;!?。；！？]+[.;!?。；！？]*")
_DASHES = re.compile(r" (?:--|[-–—]) ")
_LEAST = 0.8  # of the score of each order
_CLEAR = 0.25  # by how much the best way must be better than the next


UNREAD = frozenset(  # why a text that may be an order was not read
    {
        ReadingKind.NOT_EXPECTED,
        ReadingKind.UNFINISHED,
        ReadingKind.OPEN,
        ReadingKind.DOUBTED,
        ReadingKind.NO_PROVINCE,
        VoidReason.WRONG_PHASE,
    }
)
_Order = (
    o.WrittenMove | o.WrittenHold | o.WrittenSupportHold | o.WrittenSupportMove | o.WrittenConvoy
)


class Way(NamedTuple):
    """An order of a unit with the words that it uses and how well they stand; `led` is the move
    that it helps."""

    score: float
    order: _Order | None = None
    used: frozenset[int] = frozenset()
    led: tuple[Location, Location | None] | None = None
    unit: int | None = None  # where its unit is named
    target: int | None = None  # where its own target is named
    is_said: bool = False  # it names what it helps: Mar supports Par to Bur


def ask_by_gist(context: OrderContext, found: list[Read], lines: Mapping[int, str]) -> None:
    """Propose for the questions of a line that propose nothing, and for a line that is prose, the
    orders that its words and the board make; `lines` by number.

    Only of lines in words that nothing puts in doubt, and that speak of nothing else; not where
    they contradict an order of the letter.
    """
    given = {order_key(read.order): read.order for read in found if isinstance(read, Taken)}
    tried = 0
    for number, line in lines.items():
        at = [n for n, read in enumerate(found) if read.number == number]
        asked_at = [n for n in at if isinstance(found[n], Untaken)]
        is_prose = all(isinstance(found[n], Said) for n in at)
        if is_prose:
            asked_at = at[:1]
        questions = [found[n] for n in asked_at]
        if not questions and is_unread(line, [found[n] for n in at]):
            questions = [Said(number, line.strip())]
        is_told = not any(map(_proposes_nothing, questions))
        if is_told and not asked_at:
            continue
        tried += 1
        if tried > _LINES_MOST:
            return
        orders = _meant_by_line(context, line, is_prose=is_prose or not asked_at)
        if any(given.get(order_key(order), order) != order for order in orders):
            continue
        if is_told:
            found += _more(context, questions, orders, given)
            continue
        named = set() if asked_at else places_of(given.values())
        left = [each for each in orders if order_key(each) not in named.union(given)]
        for n, read in zip(asked_at, questions, strict=bool(asked_at)):
            key = read.key if isinstance(read, Untaken) else None
            if left:
                order = next((order for order in left if order_key(order) == key), left[0])
                left.remove(order)
                found[n] = asked(context, read, order)
        found += [asked(context, questions[0], order) for order in left]


def _more(
    context: OrderContext,
    questions: Sequence[Read],
    orders: Sequence[AnyOrder],
    given: Mapping[str, AnyOrder],
) -> list[Untaken]:
    """Questions about the orders of a line that go on from what each of its questions proposes:
    the move of an army that is carried; but not the move that only a support tells of."""
    proposed = [each.proposals for each in questions if isinstance(each, Untaken)]
    firsts = {each[0] for each in proposed if len(each) == 1}
    if len(firsts) < len(questions) or not firsts.issubset(orders):
        return []
    led = {
        str(order.supported.location.province): order.target
        for order in (*firsts, *given.values())
        if isinstance(order, o.SupportMove)
    }
    left = [order for order in orders if order not in firsts and order_key(order) not in given]
    return [
        asked(context, questions[0], order)
        for order in left
        if not (isinstance(order, o.Move) and led.get(order_key(order)) == order.target)
    ]


def _meant_by_line(context: OrderContext, line: str, *, is_prose: bool) -> tuple[AnyOrder, ...]:
    """The orders that a line may mean, or else its sentences; none if two are for one unit."""
    orders: tuple[AnyOrder, ...] = ()
    if any(each.is_back for each in doubts_beside(line, ())):
        return ()
    core = remarks().sub(" ", line)
    for text in dict.fromkeys((line, core, _DASHES.sub(", ", core))):
        parts = dict.fromkeys((text, *_SENTENCES.findall(text)))
        made = [_meant(context, each, is_prose=is_prose or each != line) for each in parts]
        orders = orders or made[0] or tuple(chain.from_iterable(made))
    return orders if len({*map(order_key, orders)}) == len(orders) else ()


@cache
def remarks() -> re.Pattern[str]:
    """What is said beside an order: `so Munich cannot walk in`, `I want to scare Liverpool`."""
    words = any_name(listed("telling", "remarks"))
    return re.compile(rf"(?:[-–—,.;:!(]\s+|^|\s|\()(?:{words})\b[^,.;:!?)]*[:,)]?", re.IGNORECASE)


def _meant(context: OrderContext, text: str, *, is_prose: bool) -> tuple[AnyOrder, ...]:
    """The orders that a line or a sentence may mean; none of a tale, a question or a condition."""
    tokens = mended(tokenize(text, context.words), context.words)
    known = [token for token in tokens if token.word != UNKNOWN]
    is_moving = context.position.phase.kind is PhaseKind.MOVEMENT
    if is_prose and is_moving and not text.isascii() and len(tokens) > len(known):
        return ()
    if is_written_as_notation(tokens) or is_tale(text, context.words) or is_question(tokens):
        return ()
    if any(token.text in listed("around", "rather") for token in tokens):
        return ()
    own = {unit.location.province for unit in context.units}
    if is_stated(text, [t for t in tokens if t.is_place and t.locations[0].province in own]):
        return ()
    doubts = [each for each in doubts_beside(text, known) if not softens(text, each, known)]
    said = {text[each.start : each.end].lower() for each in doubts}
    meant: tuple[WrittenOrder, ...] = () if said else gist_of(context, tokens)
    if not is_moving:
        meant = () if said - {*listed("doubts", "depending")} else _due_orders(context, tokens)
    if said <= {*listed("doubts", "before")}:
        meant = meant or _resting(context, tokens)
    orders = fitting_orders(context, meant)
    return orders if things_in(text, context.words) <= len(orders) + 2 else ()


def mended(tokens: Sequence[Token], words: Lexicon) -> list[Token]:
    """The words, those that can only be one misspelled place as this place."""
    done: list[Token] = []
    for token in tokens:
        before = done[-1] if done else None
        if before and is_thing(before, words) and is_thing(token, words):
            near = words.nearest(before.text + token.text)  # nort sea
            if len(near) == 1 and near[0][0] == "#":
                done[-1] = replace(before, word=near[0], end=token.end)
                continue
        near = words.nearest(token.text) if is_strange(token) else ()
        if len(near) == 1 and near[0][0] == "#":
            token = replace(token, word=near[0])
        done.append(token)
    return done


def is_unread(line: str, reads: Sequence[Read]) -> bool:
    """Whether a part of a line is in none of its orders: `With Mar as support, Par to Bur`."""
    written = sum(len(read.written) for read in reads if isinstance(read, Taken))
    return written + _NAME_LEAST < len(line.strip())


def is_question(tokens: Sequence[Token]) -> bool:
    """Whether a line asks; `Could I have Paris go to Burgundy?` and `Paris? Hold.` do not."""
    words = sorted(tokens, key=lambda token: token.start)
    is_polite = bool(words) and words[0].text in listed("telling", "polite")
    return bool(words) and words[-1].word in ("?", "？") and not is_polite


def _resting(context: OrderContext, tokens: Sequence[Token]) -> tuple[_Order, ...]:
    """Holds, where a line names only own units, and says that they do nothing: `Don't move Paris`,
    `Leave Paris alone`."""
    own = {unit.location.province: unit for unit in context.units}
    places = [token.locations[0] for token in tokens if token.is_place and token.role != "goal"]
    is_own = places and all(place.province in own for place in places)
    is_whole = len(places) == sum(token.is_place for token in tokens)
    takes = listed("sentences", "takes")  # a break
    is_moving = any(t.word in VERBS - {"-"} and t.text not in takes for t in tokens)
    rests = listed("sentences", "resting")
    is_open = any(token.text in listed("telling", "for_now") for token in tokens)
    is_said = not is_open and any(
        not {*rests}.isdisjoint((token.text, *token.text.split())) for token in tokens
    )
    if not (is_own and is_whole and is_said) or is_moving:
        return ()
    return tuple(o.WrittenHold(WrittenUnit(place)) for place in dict.fromkeys(places))


def _due_orders(context: OrderContext, tokens: Sequence[Token]) -> tuple[WrittenOrder, ...]:
    """Retreats and removals of the units that a sentence names, or that alone are asked: `Munich
    flees south, to Tyrolia`, `Take the army off the board`; of two retreats of one the first."""
    tokens = sorted(tokens, key=lambda token: token.start)
    asked = {each.unit.location.province: each for each in context.dislodged}
    removing = any(context.dues(each).disbands for each in context.powers)
    if not asked and not (removing and context.is_adjustment):
        return ()
    tokens = [replace(t, word="D") if t.word == "WAIVE" else t for t in tokens]  # 放棄約克夏
    is_out = any(token.word == "D" for token in tokens)
    own = {unit.location.province: unit for unit in context.units}
    now = next(iter(asked.values())) if len(asked) == 1 else None
    orders: dict[ProvinceId, WrittenOrder] = {}
    for token in tokens:
        province = token.locations[0].province if token.is_place else None
        kind = [each for each in asked.values() if token.word == each.unit.kind.value]
        if province in asked or (len(kind) == 1 and len(token.text) > 1):
            now = asked[province] if province in asked else kind[0]
        elif province and asked:
            if now is None or province not in {to.province for to in now.retreats}:
                return ()
            unit = WrittenUnit(now.unit.location, now.unit.kind)
            order = o.WrittenRetreat(unit, token.locations[0])
            orders.setdefault(now.unit.location.province, order)
        elif province and not is_out:
            return ()
        elif province:
            if province not in own:
                return ()
            orders[province] = o.WrittenDisband(WrittenUnit(own[province].location))
        elif token.word == "D" and now:
            unit = WrittenUnit(now.unit.location, now.unit.kind)
            orders.setdefault(now.unit.location.province, o.WrittenDisband(unit))
    is_said = is_out or any(t.word in VERBS or t.role == "goal" for t in tokens)
    is_choice = any(t.text in listed("around", "conditions") for t in tokens)
    return tuple(orders.values()) if is_said or is_choice else ()


def _proposes_nothing(read: Read) -> bool:
    return isinstance(read, Said) or (
        isinstance(read, Untaken) and not read.proposals and read.kind in UNREAD
    )


def asked(context: OrderContext, read: Read, order: AnyOrder) -> Untaken:
    """The question whether a text means an order."""
    if isinstance(read, Untaken):
        return replace(read, proposals=(order,), key=order_key(order))
    text = read.text if isinstance(read, Said) else read.written
    values = ProblemValues(word=text, label=context.label)
    span, kind = (0, len(text)), ReadingKind.OPEN
    return Untaken(read.number, text, *span, kind, values, (order,), order_key(order))


def gist_of(context: OrderContext, tokens: Sequence[Token]) -> tuple[_Order, ...]:
    """The orders of a sentence; none where its places and verbs make none, or several, and none but
    in the movement phase."""
    if context.position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    tokens = [
        replace(t, word="-") if t.word == "R" and is_going_back(tokens) else t for t in tokens
    ]
    tokens = sorted(tokens, key=lambda token: token.start)
    places = {at: _place(context, token) for at, token in enumerate(tokens) if token.is_place}
    verbs = {at for at, token in enumerate(tokens) if token.word in ("S", "C", "H")}
    others = [t for t in tokens if t.text not in listed("writing", "casual")]  # put Par in Bur
    if len(places) > _PLACES_MOST or any(
        t.word in ("R", "D", "B", "WAIVE") or t.word.isdigit() for t in others
    ):
        return ()
    shared = (*listed("around", "each"), *listed("sentences", "shared"))
    is_shared = any(t.is_letters or t.text in shared for t in tokens) or any(
        one.is_place and two.word == JOIN and three.is_place
        for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )
    own = {unit.location.province: unit for unit in context.units}
    units: dict[Location, list[int]] = {}
    for at, place in places.items():
        if place.province in own:
            units.setdefault(own[place.province].location, []).append(at)
    choices = [
        [
            Way(0.0),
            *(way for way in _ways(context, tokens, places, unit, mentions) if way.score >= _LEAST),
        ]
        for unit, mentions in units.items()
    ]
    if prod(map(len, choices)) > _WAYS_MOST:
        return ()
    best: list[tuple[float, tuple[Way, ...]]] = []
    for way in product(*choices):
        used = frozenset().union(*(each.used for each in way))
        if not places.keys() <= used or not verbs <= used:
            continue
        if {each.target for each in way} & {each.unit for each in way if each.order is not None}:
            continue  # Par to Pic then Bel
        goals = [each.target for each in way if each.target is not None]
        if not is_shared and len({places[at] for at in goals}) < len(goals):
            continue  # Par to Bur, Mar has its back
        best.append((_score(context, way), way))
    best.sort(key=lambda each: -each[0])
    if not best or (len(best) > 1 and best[0][0] - best[1][0] < _CLEAR):
        return ()
    return tuple(each.order for each in best[0][1] if each.order is not None)


def _place(context: OrderContext, token: Token) -> Location:
    """What a place means; of several provinces the one with an own unit."""
    own = {unit.location.province for unit in context.units}
    named = [place for place in token.locations if place.province in own]
    return (named or token.locations)[0]


def _score(context: OrderContext, ways: Sequence[Way]) -> float:
    """How well the orders of all units stand beside one another."""
    score = sum(way.score for way in ways)
    moves = {
        way.order.unit.location: way.order.target
        for way in ways
        if isinstance(way.order, o.WrittenMove)
    }
    ordered = {way.order.unit.location for way in ways if way.order is not None}
    for one, two in combinations(ways, 2):  # Tyrolia is supported by Venice
        if one.led and two.led and one.used & two.used:
            units = [each.order.unit.location for each in (one, two) if each.order]
            score -= 4.0 * (one.led[0] == units[1] or two.led[0] == units[0])
    score -= 1.5 * (len(moves) - len({*moves.values()}))  # to bounce one another
    carried = {way.led for way in ways if isinstance(way.order, o.WrittenConvoy)}
    for start, to in moves.items():
        there = context.position.unit_at(start.province)
        if there and there.kind is UnitKind.ARMY and _is_far(context, start, to):
            score -= 3.0 * ((start, to) not in carried)
    for way in ways:
        if way.led is None:
            continue
        unit, target = way.led
        if target is None:
            score -= 4.0 * (unit in moves)
        elif way.is_said:
            score -= 4.0 * (unit in moves and len(ways) > 1 and moves[unit] == target)
        elif unit in ordered and moves.get(unit) != target:
            score -= 3.0
        elif unit not in ordered:
            score -= 2.0
    return score


def _ways(
    context: OrderContext,
    tokens: Sequence[Token],
    places: Mapping[int, Location],
    unit: Location,
    mentions: Sequence[int],
) -> Iterator[Way]:
    """What a unit may be ordered by the words of a sentence, for each time it is named."""
    for i in mentions:
        role = tokens[i].role
        as_unit = 1.0 if role in _UNITS else -2.5 if role == "goal" else 0.0
        for j, target in places.items():
            move = o.WrittenMove(WrittenUnit(unit), target)
            if target.province == unit.province or not _fits(context, move):
                continue
            inside = tokens[min(i, j) + 1 : max(i, j)]
            goes = listed("sentences", "going")
            is_led = any(token.text in goes for token in tokens[i + 1 : i + 3])
            is_going = is_led or any(token.word == "-" for token in inside)
            score = 3 + as_unit - _apart(tokens, i, j) + 0.5 * (i < j) + is_going
            score += {"goal": 1.5, "source": -4.0, "by": -4.0}.get(tokens[j].role, 0.0)
            score -= 2 * sum(token.word in ("S", "C", "H") for token in inside)
            if not is_going and tokens[j].role != "goal":
                joins = [token.text for token in inside if token.word == JOIN]
                if j < i:  # Take Bur with Par
                    joins = [word for word in joins if word not in listed("around", "along")]
                score -= 4 if any(map(str.isalpha, joins)) else 2 * bool(joins)  # Par and Gas
            yield Way(score, move, frozenset({i, j}), None, i, j)
        if context.variant.board.is_sea(unit.province):  # Smyrna by the Aegean fleet to Greece
            for m, j in permutations(places, 2):
                convoy = o.WrittenConvoy(WrittenUnit(unit), WrittenUnit(places[m]), places[j])
                if _is_far(context, convoy.convoyed.location, convoy.target) and _fits(
                    context, convoy
                ):
                    score = 2 - 0.3 * _apart(tokens, m, j) - 0.5 * (j < m)
                    kind = [token.role for token in tokens[i + 1 : i + 2] if token.word == "F"]
                    score += 2.0 * any(each in ("by", "goal") for each in (role, *kind))
                    led = convoy.convoyed.location, convoy.target
                    yield Way(score, convoy, frozenset({i, m, j}), led, i)
        for k, verb in enumerate(tokens):
            near = 3 + min(as_unit, 1.0) - _apart(tokens, i, k) + 0.5 * (i < k)
            if verb.word == "H":
                inside = tokens[min(i, k) + 1 : max(i, k)]
                near -= 2 * sum(token.word in ("-", "S", "C") for token in inside)
                near -= 4 * (k < i and _has_subject(tokens, k))  # Paris keeps out of Picardy
                yield Way(near, o.WrittenHold(WrittenUnit(unit)), frozenset({i, k}), None, i)
            elif verb.word in _HELPS:
                yield from _helps(context, tokens, places, unit, (i, k), near)


def _helps(
    context: OrderContext,
    tokens: Sequence[Token],
    places: Mapping[int, Location],
    unit: Location,
    said: tuple[int, int],
    near: float,
) -> Iterator[Way]:
    """Whom a unit may help: `said` are the places of its name and of the verb, which stand so
    `near` to one another."""
    i, k = said
    verb = tokens[k]
    for m, other in places.items():
        there = context.position.unit_at(other.province)
        if there is None or other.province == unit.province:
            continue
        helped = WrittenUnit(there.location)
        hold = o.WrittenSupportHold(WrittenUnit(unit), helped)
        if verb.word == "S" and _fits(context, hold):
            score = near - 0.5 - 0.5 * _apart(tokens, k, m) - (m < k)
            led = there.location, None
            yield Way(score, hold, frozenset({i, k, m}), led, i, is_said=m > k)
            for h in range(max(k, m) + 1, len(tokens)):  # Nwg supports Nwy to hold
                if tokens[h].word in BETWEEN_ORDERS or tokens[h].word in (JOIN, "-"):
                    break
                if tokens[h].word == "H":
                    yield Way(score + 3, hold, frozenset({i, k, m, h}), led, i, is_said=m > k)
        for j, target in places.items():
            if j in (i, m) or target.province in (other.province, unit.province):
                continue
            order: _Order = o.WrittenConvoy(WrittenUnit(unit), helped, target)
            if verb.word == "S":
                order = o.WrittenSupportMove(WrittenUnit(unit), helped, target)
            if not _fits(context, order):
                continue
            is_said = k < m < j and not any(
                token.word in BETWEEN_ORDERS or token.word == JOIN for token in tokens[k:m]
            )
            score = near + 0.5 - 0.3 * min(_apart(tokens, k, m), _apart(tokens, k, j))
            score -= 0.3 * _apart(tokens, m, j)
            is_turned = tokens[m].role in ("source", "agent") or tokens[j].role == "goal"
            score -= 1.5 * (j < m and not is_turned)
            used = frozenset({i, m, j} if verb.word == "VIA" else {i, k, m, j})
            yield Way(score, order, used, (there.location, target), i, is_said=is_said)


def _has_subject(tokens: Sequence[Token], verb: int) -> bool:
    """Whether a place stands before a verb in its clause."""
    for token in tokens[:verb][::-1]:
        if token.word in BETWEEN_ORDERS or token.word == JOIN:
            return False
        if token.is_place:
            return True
    return False


def _is_far(context: OrderContext, army: Location, target: Location) -> bool:
    """Whether an army goes there only by sea."""
    return not context.variant.board.is_adjacent(UnitKind.ARMY, army, target.province)


def _fits(context: OrderContext, order: WrittenOrder) -> bool:
    return not isinstance(context.fit(context.name_in_full(order)), Void)


def _apart(tokens: Sequence[Token], one: int, two: int) -> float:
    """How far two words stand apart: by the places, commas and stops between them. What is said of
    the last member of a list is said of all: `Par, Mar and Gas hold`."""
    inside = tokens[min(one, two) + 1 : max(one, two)]
    last = tokens[max(one, two)]
    if (
        not last.is_place
        and all(
            token.is_place or token.word in (*KINDS, JOIN, "/") or token.word[0] == "@"
            for token in inside
        )
        and any(token.is_place for token in inside)
        and any(token.word in (JOIN, "/") for token in inside)
    ):
        return 0.1 * len(inside)
    return sum(
        1.0
        if token.is_place
        else 2.0
        if token.word in _SENTENCE_ENDS
        else 0.6 * (token.word in BETWEEN_ORDERS or token.word == JOIN)
        for token in inside
    )
