"""What the clauses of a sentence with particles may order, weighed on the board.

A sentence is cut where a clause may end; each run of pieces is given every legal order of the own
units that it names, weighed by the marks of its places; the way to cut it counts that uses most of
what is named.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, permutations

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.lexicon import JOIN, KINDS, UNKNOWN, VERBS, listed
from judge.diplomacy.language.lines.clauses import support_or_convoy
from judge.diplomacy.language.lines.doubts import Doubt, doubts_in, is_told
from judge.diplomacy.language.lines.roles import FITS, Phrase, phrases_of
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, Token, in_line_order
from judge.diplomacy.orders import Location, UnitKind, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void

_PIECES_MOST = 16  # of a sentence
_RUN_MOST = 4  # pieces that may be one clause
_GROUPS_MOST = 5  # units and places of a clause
_CLEAR = 0.4  # by how much the best order of a clause must be better than the next
_LEAST = 1.0  # of its weight
_SPOKEN = ("topic", "agent")
_HELPED = o.WrittenMove | o.WrittenHold


class Meant(Struct, frozen=True):
    """What a clause may order.

    Attributes:
        weight: how well its words fit.
        orders: what it orders.
        led: moves of others that it tells of, which a clause beside it may help.
        helpers: who helps the order beside it; `verb` is `S`, `C`, or `-` for who follows it.
        subject: who is spoken of.
        goal: where somebody is to go.
    """

    weight: float
    orders: tuple[WrittenOrder, ...] = ()
    led: tuple[WrittenOrder, ...] = ()
    helpers: tuple[WrittenUnit, ...] = ()
    verb: str = ""
    subject: tuple[Location, ...] = ()
    goal: Location | None = None


Group = tuple[Phrase, ...]  # a unit or a place, or several that are listed


def meanings_of_clauses(
    context: OrderContext,
    sentence: str,
    tokens: Sequence[Token],
    doubts: Sequence[Doubt],
    before: Sequence[Meant],
) -> list[Meant]:
    """What the clauses of a sentence may order, by the best way to cut it."""
    since = condition_end(sentence, tokens)
    tokens = [token for token in tokens if token.start >= since]
    pieces = split_at_clause_ends(tokens)
    if len(pieces) > _PIECES_MOST:
        return []
    best: list[tuple[float, tuple[Meant, ...]]] = [(0.0, ())]
    for end in range(1, len(pieces) + 1):
        ways: list[tuple[float, tuple[Meant, ...]]] = []
        for begin in range(max(0, end - _RUN_MOST), end):
            run = {token.start for piece in pieces[begin:end] for token in piece}
            words = [token for token in tokens if token.start in run]
            value, done = best[begin]
            places = [token for token in words if token.is_place]
            subject = next((each.subject for each in (*before, *done)[::-1] if each.subject), ())
            start, stop = min(run), max(token.end for token in words)
            is_out = any(start < each.end and each.start < stop for each in doubts)
            is_out = is_out or is_told(sentence[start:stop])
            one = None if is_out else _meant(context, words, subject)
            if one and not places and _is_unit_already_ordered(one, done):
                one = None  # バレンツ海に回って次に備える
            if one:
                inner = pieces[begin : end - 1]
                value -= 3.0 * sum(any(t.word in VERBS - {"C"} for t in each) for each in inner)
                value -= 1.5 * sum(
                    _ends_clause(each[-1]) and each[-1].word != "C" for each in inner
                )
                value += 3 * len(places) + one.weight - 0.1 * (end - begin)
                ways.append((value, (*done, one)))
            elif end - begin == 1:
                spoken = tuple(t.locations[0] for t in places if t.role in ("topic", "agent", ""))
                own = tuple(each for each in spoken[:1] if _has_own_unit(context, each))
                ways.append((value - len(places), (*done, Meant(0.0, subject=own))))
        best.append(max(ways, key=lambda each: each[0]))
    return [*best[-1][1]]


def _is_unit_already_ordered(one: Meant, before: Sequence[Meant]) -> bool:
    """Whether clauses before it have an order for a unit that a clause orders."""
    units = [
        {order.unit.location for order in each.orders if not isinstance(order, o.WrittenWaive)}
        for each in (one, *before)
    ]
    return not units[0].isdisjoint(chain.from_iterable(units[1:]))


def condition_end(sentence: str, tokens: Sequence[Token]) -> int:
    """Where what the rest of a sentence depends on ends: `来ないなら`; 0 if it has none."""
    doubted = [(token.start, token.end) for token in tokens if token.is_doubted]
    doubted += [(each.start, each.end) for each in doubts_in(sentence)]
    closers = listed("closings", "conditions")
    said = ((normalize(sentence[start:end]).text.strip(), end) for start, end in doubted)
    return max((end for word, end in said if word.endswith(closers)), default=0)


def split_at_clause_ends(tokens: Sequence[Token]) -> list[list[Token]]:
    """The words cut where a clause may end."""
    pieces: list[list[Token]] = [[]]
    for token in in_line_order(tokens):
        if token.word in BETWEEN_ORDERS and not token.is_non_latin:
            pieces.append([])
            continue
        pieces[-1].append(token)
        if _ends_clause(token) or is_support_received(pieces[-1]):
            pieces.append([])
    return [piece for piece in pieces if piece]


def _ends_clause(token: Token) -> bool:
    """Whether a verb may end a clause before another: `入り`, `들어가고`."""
    is_verb = token.word in VERBS or token.word == UNKNOWN
    is_end = is_verb and len(token.text) > 1 and token.role not in ("object", "agent", "of")
    return is_end and token.text.rstrip().endswith(listed("writing", "connectives"))


def is_support_received(words: Sequence[Token]) -> bool:
    """Whether a clause says whose support is received: `マルセイユの支援を受けて`."""
    at = next((at for at, token in enumerate(words) if token.word == "S"), None)
    if at is None:
        return False
    behind = "".join(token.text for token in words[at + 1 :])
    is_with = words[at].role == "by" or words[at].text.endswith(listed("closings", "with"))
    return is_with or behind.startswith(listed("roles", "passives"))


def _meant(
    context: OrderContext, words: Sequence[Token], subject: Sequence[Location]
) -> Meant | None:
    """What the words of a clause may order; None if nothing, or if it is not clear what."""
    choices = (*listed("around", "alternatives"), *listed("around", "rather"))
    if any(token.text in choices for token in words):
        return None
    able = listed("closings", "able")
    doubted = [token for token in words if token.is_doubted and not token.text.endswith(able)]
    if any(t.word != "H" for t in doubted) or any(t.word in ("TSR", "PASS") for t in words):
        return None
    phrases, others = phrases_of(tuple(words))
    own = set(context.powers)
    if any(
        t.word[0] == "@" and t.word[1:] not in own and t.role in ("agent", "topic") for t in others
    ):
        return None
    if any(token.word == "C" for token in words):  # チュニスで降ろす
        phrases = [
            replace(each, role="goal") if _is_landing(context, each) else each for each in phrases
        ]
    goals = [phrase for phrase in phrases if phrase.role == "goal"]
    means = [each for each in goals if any(token.word == "F" for token in each.tokens)]
    if len(goals) == 2 and len(means) == 1:  # 중대서양 함대로 포르투갈까지
        phrases = [replace(each, role="by") if each in means else each for each in phrases]
    elif len(goals) == 1 and len(phrases) == 2 and not any(t.word in "SCH" for t in others):
        start, to = goals[0].tokens[-1], next(each for each in phrases if each is not goals[0])
        is_mine = start.is_place and any(_has_own_unit(context, place) for place in start.locations)
        target = to.tokens[-1].locations[0] if to.tokens[-1].is_place else None
        if is_mine and target and to.role in ("object", "") and not _has_own_unit(context, target):
            phrases = [replace(goals[0], role="by"), replace(to, role="object")]
    groups = _groups(phrases, others)
    arrows = [token for token in words if token.text[:1] in "-=~>" and token.word == "-"]
    if len(groups) > _GROUPS_MOST or len(arrows) > 1:
        return None
    found = _possible_meanings(context, groups, in_line_order(words), subject)
    ways = sorted(found, key=lambda each: -each.weight)
    if not ways or ways[0].weight < _LEAST:
        return None
    if len(ways) > 1 and ways[0].weight - ways[1].weight < _CLEAR:
        return None
    return ways[0]


def _is_landing(context: OrderContext, phrase: Phrase) -> bool:
    """Whether a place where something is done is none of an own unit."""
    place = phrase.tokens[-1]
    is_by = phrase.role == "by" and place.is_place
    return is_by and not any(_has_own_unit(context, each) for each in place.locations)


def _groups(phrases: Sequence[Phrase], others: Sequence[Token]) -> list[Group]:
    """The units and places of a clause, those of a list together, each once."""
    groups: list[Group] = []
    seen: dict[str, int] = {}
    last: Phrase | None = None
    for phrase in phrases:
        place = phrase.tokens[-1]
        if not place.is_place:
            continue
        joints = [t for t in others if last and last.end <= t.start < phrase.start]
        is_listed = last is not None and (
            last.role == "also" or any(t.word == JOIN and t.is_non_latin for t in joints)
        )
        last = phrase
        if place.word[:4] in seen:
            at = seen[place.word[:4]]
            if len(groups[at]) == 1 and not groups[at][0].role:
                groups[at] = (phrase,)
        elif is_listed and groups:
            groups[-1] = (*groups[-1], phrase)
        else:
            groups.append((phrase,))
        seen[place.word[:4]] = seen.get(place.word[:4], len(groups) - 1)
    return groups


def _possible_meanings(
    context: OrderContext,
    groups: Sequence[Group],
    words: Sequence[Token],
    subject: Sequence[Location],
) -> Iterator[Meant]:
    """The orders that the phrases of a clause may make, each with its weight."""
    phase = context.position.phase.kind
    verbs = {token.word for token in words}
    if phase is PhaseKind.ADJUSTMENT:
        if not verbs & {"S", "C", "H"}:
            yield from _adjustments(context, groups, verbs)
    elif phase is PhaseKind.RETREAT:
        yield from _moves(context, groups, words, subject, o.WrittenRetreat)
        if "D" in verbs and not any(_role(group) == "goal" for group in groups):
            yield from _holds_or_disbands(context, groups, subject, o.WrittenDisband)
    elif "WAIVE" in verbs or not all(
        token.text.startswith(listed("closings", "pulls")) for token in words if token.word == "D"
    ):
        return
    elif "R" in verbs and not any(_role(group) == "goal" for group in groups):
        return  # no retreat in this phase
    elif "S" in verbs:
        yield from _helps(context, groups, words, "S")
    else:
        if verbs & {"C", "VIA"} or len(groups) == 3:
            yield from _helps(context, groups, words, "C")
        if "H" in verbs:
            yield from _holds_or_disbands(context, groups, subject, o.WrittenHold)
            yield from _guarding_supports(context, groups)
        else:
            yield from _moves(context, groups, words, subject, o.WrittenMove)
            text = "".join(token.text for token in words)
            is_following = any(word in text for word in listed("around", "follows"))
            own = [
                place
                for group in groups
                for place in _places(group)
                if _has_own_unit(context, place)
            ]
            if is_following and len(groups) == len(own) == 1:
                helpers = (WrittenUnit(own[0]),)
                yield Meant(3.0, helpers=helpers, verb="-", subject=_places(groups[0]))


def _moves(
    context: OrderContext,
    groups: Sequence[Group],
    words: Sequence[Token],
    subject: Sequence[Location],
    make: type[o.WrittenMove] | type[o.WrittenRetreat],
) -> Iterator[Meant]:
    """Units that go somewhere; one that is not named is who was spoken of, or the only one."""
    verbs = {token.word for token in words}
    goes = listed("closings", "goes")
    said = 1.0 * bool(verbs & {"-", "R"} or any(token.text in goes for token in words))
    is_attack = any(t.text.startswith(listed("roles", "attacks")) for t in words if t.word == "-")
    for to in groups:
        target = to[-1].tokens[-1].locations[0]
        if len(to) > 1:
            continue
        for unit in groups:
            weight = FITS["-"]["unit"].get(_role(unit), 0.0) + said - 3.0 * (len(groups) - 2)
            weight += FITS["-"]["target"].get(_role(to), 0.0)
            weight += 0.5 * (groups.index(unit) < groups.index(to))
            weight += 2.0 * (_role(to) == "at" and _role(unit) == "object" and not is_attack)
            orders = tuple(make(_unit(each), target) for each in unit)
            if make is o.WrittenMove and "VIA" in verbs:
                orders = tuple(o.WrittenMove(each.unit, target, via_convoy=True) for each in orders)
            if unit is to:
                continue
            if all(_fits(context, each) for each in orders):
                yield Meant(weight, orders, subject=_places(unit))
            elif make is o.WrittenMove and all(  # others go there
                context.position.unit_at(each.province) and not _has_own_unit(context, each)
                for each in _places(unit)
            ):
                yield Meant(weight - 1.0, led=orders)
        implied = subject if make is o.WrittenMove else [u.location for u in context.units][:2]
        if len(groups) > 1:
            continue
        if len(implied) == 1 and _role(to) in ("goal", "at", "object") and said:
            order = make(WrittenUnit(implied[0]), target)
            if _fits(context, order):
                yield Meant(1.5, (order,), subject=tuple(implied))
        own = tuple(WrittenUnit(each) for each in _places(to) if _has_own_unit(context, each))
        if own and _role(to) in ("agent", "topic", "") and said:
            yield Meant(1.0, helpers=own, verb="to", subject=_places(to))
        elif not own and _role(to) in ("object", "goal", ""):
            yield Meant(1.0, goal=target)


def _holds_or_disbands(
    context: OrderContext,
    groups: Sequence[Group],
    subject: Sequence[Location],
    make: type[o.WrittenHold] | type[o.WrittenDisband],
) -> Iterator[Meant]:
    """Units that stay, or that are taken away."""
    units = [place for group in groups for place in _places(group)]
    orders = tuple(make(WrittenUnit(place)) for place in units or subject)
    if orders and all(_fits(context, order) for order in orders):
        listed_first = {_role(group) for group in groups[:-1]}
        last = _role(groups[-1]) if groups else ""
        marks = (*_SPOKEN, "object", "also", "of", "", *("by",) * (make is o.WrittenDisband))
        is_list = listed_first <= {"", "also"} and last in marks
        yield Meant(2.0 if is_list else -1.0, orders, subject=tuple(units or subject))


def _guarding_supports(context: OrderContext, groups: Sequence[Group]) -> Iterator[Meant]:
    """One unit that guards another: `ガスコーニュでマルセイユを守って`."""
    for helper, other in permutations(groups, 2) if len(groups) == 2 else ():
        if _role(helper) in ("by", "goal", "topic", "agent") and _role(other) in ("object", "of"):
            orders = tuple(o.WrittenSupportHold(_unit(each), _unit(other[0])) for each in helper)
            if all(_fits(context, order) for order in orders):
                yield Meant(3.0, orders, subject=_places(helper))


def _helps(
    context: OrderContext, groups: Sequence[Group], words: Sequence[Token], verb: str
) -> Iterator[Meant]:
    """Units that support or convoy what the clause names, or what the one beside it orders."""
    fits = FITS[verb]
    is_passive = verb == "S" and is_support_received(words)
    is_way = any(t.word == "VIA" for t in words) and all(t.word != "C" for t in words)
    for helper in groups:
        if not all(_has_own_unit(context, place) for place in _places(helper)):
            continue
        at_sea = [context.variant.board.is_sea(place.province) for place in _places(helper)]
        if verb == "C" and not all(at_sea):
            continue
        rest = [group for group in groups if group is not helper]
        weight = fits["unit"].get(_role(helper), 0.0) + 0.5 * (helper is groups[0])
        if is_way:
            weight = 3.0 * (_role(helper) in ("object", "of", "at", "by"))
        if is_passive:
            weight = 4.0 * (helper is groups[-1])
        if (
            not rest
            and not is_way
            and (is_passive or _role(helper) not in ("object", "of", "goal"))
        ):
            units = tuple(map(_unit, helper))
            yield Meant(max(weight, 1.0), helpers=units, verb=verb, subject=_places(helper))
        if verb == "S" and len(rest) == 1 and len(rest[0]) == 1:
            held = 0.0 if is_passive else FITS["S hold"]["other"].get(_role(rest[0]), 0.0)
            holds = tuple(o.WrittenSupportHold(_unit(u), _unit(rest[0][0])) for u in helper)
            if all(_fits(context, each) for each in holds):
                yield Meant(weight + held, holds, subject=_places(helper))
        for other, to in permutations(rest, 2) if len(rest) == 2 else ():
            if len(other) > 1 or len(to) > 1:
                continue
            make = o.WrittenSupportMove if verb == "S" else o.WrittenConvoy
            target = to[0].tokens[-1].locations[0]
            orders: list[WrittenOrder] = [make(_unit(u), _unit(other[0]), target) for u in helper]
            if not all(_fits(context, each) for each in orders):
                continue
            score = weight + fits["other"].get(_role(other), 0.0)
            score += fits["target"].get(_role(to), 0.0)
            score += 1.5 * (groups.index(to) - groups.index(other) == 1)
            score += 0.5 * (groups.index(to) > groups.index(other))
            move = o.WrittenMove(_unit(other[0]), target, via_convoy=True)
            if verb == "C" and _has_own_unit(context, _places(other)[0]) and is_carried(words):
                orders.append(move)
            yield Meant(score, tuple(orders), subject=_places(helper))


def is_carried(words: Sequence[Token]) -> bool:
    """Whether a clause speaks of the army that goes: `船に乗せて`, `黒海を渡って`, not `護送`."""
    carrying = [token for token in words if token.word in ("C", "VIA", "-")]
    return not any(token.word == "C" for token in carrying) or any(
        token.word == "VIA" or token.text.startswith(listed("closings", "carries"))
        for token in carrying
    )


def _adjustments(
    context: OrderContext, groups: Sequence[Group], verbs: set[str]
) -> Iterator[Meant]:
    """Builds and disbands; a kind that is said once counts for all."""
    phrases = [phrase for group in groups for phrase in group]
    is_building = any(context.dues(power).builds for power in context.powers)
    if not is_building and "D" in verbs:
        yield from _holds_or_disbands(context, groups, (), o.WrittenDisband)
    if not is_building:
        return
    kinds = [token for phrase in phrases for token in phrase.tokens if token.word in KINDS]
    shared = kinds[0] if len({kind.word for kind in kinds}) == 1 else None
    orders = []
    for phrase in phrases:
        kind = next((t for t in phrase.tokens if t.word in KINDS), shared)
        unit = WrittenUnit(phrase.tokens[-1].locations[0], UnitKind(kind.word) if kind else None)
        orders.append(o.WrittenBuild(unit))
    if orders and kinds and all(_fits(context, order) for order in orders):
        yield Meant(2.0, tuple(orders))


def _role(group: Group) -> str:
    return group[-1].role


def _places(group: Group) -> tuple[Location, ...]:
    return tuple(phrase.tokens[-1].locations[0] for phrase in group)


def _unit(phrase: Phrase) -> WrittenUnit:
    return WrittenUnit(phrase.tokens[-1].locations[0])


def _has_own_unit(context: OrderContext, place: Location) -> bool:
    return any(unit.location.province == place.province for unit in context.units)


def _fits(context: OrderContext, order: WrittenOrder) -> bool:
    return not isinstance(context.order_on_board(context.name_in_full(order)), Void)


# --- clauses beside one another -------------------------------------------------------------------


def with_helpers(meant: Sequence[Meant]) -> list[WrittenOrder]:
    """The orders of the clauses, with who helps the order beside them or follows it; a support of a
    unit that moves as one of its move."""
    done: list[list[WrittenOrder]] = [[*each.orders] for each in meant]
    led = [[*each.orders, *each.led] for each in meant]
    for at, each in enumerate(meant):
        if each.verb == "to":  # ブルゴーニュを狙います。パリが突入
            goal = next((one.goal for one in meant[:at][::-1] if one.goal), None)
            done[at] = [o.WrittenMove(unit, goal) for unit in each.helpers if goal]
            led[at] = done[at]
    for at, each in enumerate(meant):
        near = [one for part in (*led[:at][::-1], *led[at + 1 :]) for one in part]
        leader = next((one for one in near if isinstance(one, _HELPED)), None)
        if each.verb in ("S", "C") and leader:
            found = [support_or_convoy(unit, each.verb, leader) for unit in each.helpers]
            done[at] = [order for order in found if order is not None]
        elif each.verb == "-" and isinstance(leader, o.WrittenMove):
            target = replace(leader.unit.location, coast=None)
            done[at] = [o.WrittenMove(unit, target) for unit in each.helpers]
    orders = list(dict.fromkeys(chain.from_iterable(done)))
    moves = {
        one.unit.location.province: one
        for one in chain(orders, *led)
        if isinstance(one, o.WrittenMove)
    }
    for at, order in enumerate(orders):
        if isinstance(order, o.WrittenSupportHold) and (
            move := moves.get(order.supported.location.province)
        ):
            orders[at] = o.WrittenSupportMove(order.unit, order.supported, move.target)
    return orders
