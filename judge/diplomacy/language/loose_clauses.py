"""What English clauses may order whatever their verbs are: found by their places and the board.

`Paris barges into Burgundy with Marseilles lending muscle` is cut at commas and connectives. A
clause that names an own unit and one place in its reach is its move, one with a word of help is a
support, and one with a fleet, an army and a coast that the army reaches by sea only is a convoy.
A clause may go on from the one before (`backing it up`). All that a line names must be used.
Nothing is stored by this reading: it proposes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.doubts import corrections_in, doubts_beside, softens
from judge.diplomacy.language.gist import UNREAD, asked, is_unread, mended, remarks
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, any_name, listed
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.prose import is_stated, is_tale, places_of, things_in
from judge.diplomacy.language.suggestions import fitting_orders
from judge.diplomacy.language.tokens import Token, tokenize
from judge.diplomacy.orders import AnyOrder, Location, UnitKind, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void

_LINES_MOST = 20  # of a letter
_TEXT_MOST = 600  # letters of a line: more is a paragraph of prose
_THINGS_MOST = 3  # words that no order has, beside three for each order
_SENTENCES = re.compile(r"[^.;!?\n]+[.;!?]*")
_NOT_READ = re.compile(r"[\"“”\u1100-\u11ff\u2e80-\uffef]")  # quotes; scripts of other stages
_PLACE = re.compile(r"<(\d+)>")


class _Mention(NamedTuple):
    """A place that a clause names; `before` and `after` are the words around it."""

    place: Location
    before: str
    after: str

    @property
    def is_helping(self) -> bool:
        """Whether what follows is its help: `Brest's kind support`."""
        return re.match(rf"'s (?!back\b)(?:\w+ )?(?:{_any('helping')})\b", self.after) is not None

    def is_led(self, key: str) -> bool:
        """Whether one of the prepositions stands before it: `to the city of`."""
        return re.search(rf"\b(?:{_any(key)})(?: [a-z]+){{0,2}} ?$", self.before) is not None


class _Told:
    """What the clauses of a line have said so far."""

    def __init__(self, context: OrderContext) -> None:
        self.context = context
        self.orders: list[WrittenOrder] = []
        self.pending: list[Location] = []  # helpers of a move that is yet to be told
        self.topic: Location | None = None  # whom `it` means
        self.last: Location | None = None  # whom `whose army` means
        self.led: o.WrittenMove | None = None  # the last move, which a helper of nothing else helps
        self.is_waiting = False  # the last move is of a unit that is not ours: help must follow
        self.is_lost = False  # a clause named a place for which nothing was found

    def fits(self, order: WrittenOrder) -> bool:
        context = self.context
        return not isinstance(context.fit(context.name_in_full(order)), Void)

    def unit_at(self, place: Location) -> Location | None:
        there = self.context.position.unit_at(place.province)
        return there.location if there else None

    def is_own(self, place: Location) -> bool:
        return any(unit.location.province == place.province for unit in self.context.units)

    def is_fleet(self, place: Location) -> bool:
        return self.context.variant.board.is_sea(place.province)


def ask_by_loose_clauses(
    context: OrderContext, found: list[Read], lines: Mapping[int, str]
) -> None:
    """Propose for the questions of a line, for prose, and for what a line says beside its orders,
    what its clauses may order; `lines` by number. Not where that contradicts an order."""
    given = {order_key(read.order): read.order for read in found if isinstance(read, Taken)}
    for number, line in [*lines.items()][:_LINES_MOST]:
        at = [n for n, read in enumerate(found) if read.number == number]
        reads = [found[n] for n in at]
        questions = [read for read in reads if isinstance(read, Untaken)]
        is_prose = all(isinstance(read, Said) for read in reads)
        if len(line) > _TEXT_MOST or not (questions or is_prose or is_unread(line, reads)):
            continue
        meant = orders_by_loose_clauses(context, line)
        by_key = {order_key(order): order for order in meant}
        if any(_differ(given[key], order) for key, order in by_key.items() if key in given):
            continue
        left = [order for key, order in by_key.items() if key not in given]
        firsts = [read.proposals[0] for read in questions if read.proposals]
        keys = {read.key for read in questions if read.key} | {*map(order_key, firsts)}
        is_other = any(read.kind not in UNREAD and read.key not in by_key for read in questions)
        asked_for = {*map(order_key, firsts)}
        is_more = (
            len(asked_for) < len({*firsts})
            or len(left) > len(firsts)
            or places_of(left) > places_of(firsts)
        )
        if not questions and not is_prose:  # a reason beside it: F TYS - TUS to guard Rome
            carried = [each.convoyed for each in given.values() if isinstance(each, o.Convoy)]
            left = [
                order
                for order in left
                if not isinstance(order, o.Hold)
                and not (isinstance(order, o.Move) and order.unit in carried)
            ]
        if not left or is_other or not keys <= by_key.keys() or {*firsts} == {*left}:
            continue
        if firsts and not is_more:
            continue
        whole = Said(number, line.strip())
        for n in at[::-1]:
            if not isinstance(found[n], Taken):
                del found[n]
        found += [asked(context, whole, order) for order in left]


def _differ(one: AnyOrder, two: AnyOrder) -> bool:
    if isinstance(one, o.Move) and isinstance(two, o.Move):
        return one.target.province != two.target.province
    return one != two


def orders_by_loose_clauses(context: OrderContext, line: str) -> tuple[AnyOrder, ...]:
    """The orders that the sentences of a line may mean; none if they leave a place over, or give
    one unit two orders."""
    if _NOT_READ.search(line) or any(corrections_in(line)):
        return ()
    if any(each.is_back for each in doubts_beside(line, ())):
        return ()
    texts = dict.fromkeys((line, remarks().sub(" ", line)))
    made = (_orders_of(context, text, mends) for mends in (False, True) for text in texts)
    return max(made, key=len)  # the first of those that say most


def _orders_of(context: OrderContext, line: str, mends: bool) -> tuple[AnyOrder, ...]:
    told = _Told(context)
    for sentence in filter(str.strip, _SENTENCES.findall(line)):
        _tell_sentence(told, sentence, mends)
        if told.is_lost:
            return ()
    if told.pending or told.is_waiting:
        return ()
    _join_supports(told)
    keys = [context.key_for(order) for order in told.orders]
    told.orders = [  # Lyon stays where it is and supports Marseilles
        order
        for order, key in zip(told.orders, keys, strict=True)
        if not (isinstance(order, o.WrittenHold) and keys.count(key) > 1)
    ]
    orders = fitting_orders(context, told.orders)
    is_whole = len(orders) == len(told.orders)
    is_one_each = len({*map(order_key, orders)}) == len(orders)
    is_terse = things_in(line, context.words) <= _THINGS_MOST + 3 * len(orders)
    return orders if is_whole and is_one_each and is_terse else ()


def _tell_sentence(told: _Told, sentence: str, mends: bool) -> None:
    """Add what a sentence orders; nothing of a tale, a question, a condition or a denial."""
    words = told.context.words
    tokens = tokenize(sentence, words)
    tokens = sorted(mended(tokens, words) if mends else tokens, key=lambda token: token.start)
    known = [token for token in tokens if token.word != UNKNOWN]
    text = sentence.lower()
    places = [
        token
        for token in tokens
        if token.is_place and not re.search(r"\b(?:its|his|her|their) $", text[: token.start])
    ]
    own = [token for token in places if told.is_own(token.locations[0])]
    first = tokens[0] if tokens else None
    is_notation = first is not None and first.word in KINDS and len(first.text) == 1
    is_bare = all(token.is_place or token.word in KINDS for token in tokens)
    doubts = [
        text[each.start : each.end]
        for each in doubts_beside(sentence, known)
        if not softens(sentence, each, known)
    ]
    if is_notation or (places and is_bare) or any(t.is_sign and not t.is_letters for t in tokens):
        told.is_lost = True
    elif {*doubts} - {*listed("doubts", "before")} or text.rstrip().endswith("?"):
        told.is_lost = bool(places) or bool(doubts)
    elif doubts:  # Yorkshire is not to go to Denmark. Have it walk to London.
        told.topic = places[0].locations[0] if places else told.topic
        told.is_lost = not places or not told.is_own(places[0].locations[0])
    elif (
        is_stated(sentence, own)
        or is_tale(sentence, words)
        or (places and re.search(r"\d", sentence))
    ):
        told.is_lost = bool(places)
    else:
        _tell_clauses(told, text, places)


def _tell_clauses(told: _Told, text: str, places: Sequence[Token]) -> None:
    for at, token in reversed([*enumerate(places)]):
        text = f"{text[: token.start]}<{at}>{text[token.end :]}"
    cuts = rf"[,:()]| [-–—]+ |\b(?=(?:{_any('parting')})\b)|(?<!<)\b(?=(?:{_any('aided_by')})\b)"
    clauses: list[str] = []
    listed_units = ""
    for piece in re.split(cuts, text):
        is_bare = re.fullmatch(
            rf"\W*(?:(?:{_any('bare')})\W+)*<\d+>\W*(?:(?:{_any('bare')})\W*)*", piece
        )
        if (
            is_bare
            and told.is_own(_location(told, places, piece))
            and (listed_units or not clauses or piece.startswith(("with ", "w/ ")))
        ):
            listed_units += piece
        elif (
            is_bare
            and clauses
            and re.search(r"<\d+>\W*$", clauses[-1])
            and _says(clauses[-1], "helping")
        ):
            clauses[-1] += piece  # with help from Marseilles and Gascony
        elif _PLACE.search(piece) or not clauses:
            clauses.append(listed_units + piece)
            listed_units = ""
        else:
            clauses[-1] += f" {piece}"
    if listed_units:
        clauses.append(listed_units)
    while clauses and not told.is_lost:
        kept = (told.orders[:], told.pending[:], told.topic, told.led, told.is_waiting)
        clause = clauses.pop(0)
        _tell_text(told, clause, places)
        if told.is_lost and clauses:  # Rome drifts south, all the way to Naples
            told.orders, told.pending, told.topic, told.led, told.is_waiting = kept
            told.is_lost = False
            clauses[0] = f"{clause} {clauses[0]}"


def _tell_text(told: _Told, clause: str, places: Sequence[Token]) -> None:
    mentions = [
        _Mention(
            _location(told, places, found[0]),
            _PLACE.sub("<>", clause[: found.start()]).rstrip(" "),
            _PLACE.sub("<>", clause[found.end() :]),
        )
        for found in _PLACE.finditer(clause)
    ]
    if mentions or told.topic is not None:
        _tell_clause(told, _PLACE.sub("<>", clause).strip(" ,.;!"), mentions)


def _location(told: _Told, places: Sequence[Token], text: str) -> Location:
    found = _PLACE.search(text)
    assert found is not None
    token = places[int(found[1])]
    own = [place for place in token.locations if told.is_own(place)]
    return (own or token.locations)[0]


def _tell_clause(told: _Told, clause: str, mentions: Sequence[_Mention]) -> None:
    """Add what a clause orders, or be lost."""
    kind = told.context.position.phase.kind
    if re.search(r"<> (?!need|speed|exceed|proceed)\w+ed\b(?! (?:by|to)\b)", clause):
        told.is_lost = True
        return
    if not mentions and not any(
        _says(clause, key) for key in ("helping", "behind", "carrying", "resting")
    ):
        return
    if re.match(r"(?:whose|which|who)\b", clause):
        told.topic = told.last
    if kind is PhaseKind.MOVEMENT:
        orders = [*_movement_orders(told, clause, mentions)]
    elif kind is PhaseKind.RETREAT:
        orders = [*_retreats(told, clause, mentions)]
    elif any(told.context.dues(power).builds for power in told.context.powers):
        orders = [*_builds(clause, mentions)]
    else:
        orders = [*_removals(told, clause, mentions)]
    is_told = bool(orders or told.pending or told.is_waiting)
    told.is_lost = bool(mentions) and not is_told
    moves = [order for order in orders if isinstance(order, o.WrittenMove)]
    told.led = moves[-1] if moves else told.led
    given = {str(order): order for order in told.orders}
    told.orders += [order for order in orders if str(order) not in given]
    subjects = [each.place for each in mentions if told.is_own(each.place)]
    told.last = subjects[-1] if subjects else told.last
    told.topic = subjects[0] if subjects else told.topic


def _retreats(told: _Told, clause: str, mentions: Sequence[_Mention]) -> Iterator[WrittenOrder]:
    units = [each.place for each in mentions if told.is_own(each.place)]
    goals = [each.place for each in mentions if not told.is_own(each.place)]
    if not units and len(told.context.dislodged) == 1:
        units = [told.context.dislodged[0].unit.location]
    if len(units) == 1 and len(goals) == 1:
        yield o.WrittenRetreat(WrittenUnit(units[0]), goals[0])
    elif not goals and _says(clause, "leaving"):
        yield from (o.WrittenDisband(WrittenUnit(unit)) for unit in units)


def _builds(clause: str, mentions: Sequence[_Mention]) -> Iterator[WrittenOrder]:
    kinds = [kind for kind in UnitKind if _says(clause, kind.name.lower())]
    if len(kinds) == 1:
        yield from (o.WrittenBuild(WrittenUnit(each.place, kinds[0])) for each in mentions)


def _removals(told: _Told, clause: str, mentions: Sequence[_Mention]) -> Iterator[WrittenOrder]:
    is_out = _says(clause, "leaving") or (told.orders and _says(clause, "likewise"))
    if is_out and all(told.is_own(each.place) for each in mentions):
        yield from (o.WrittenDisband(WrittenUnit(each.place)) for each in mentions)


def _movement_orders(
    told: _Told, clause: str, mentions: Sequence[_Mention]
) -> Iterator[WrittenOrder]:
    is_help = _says(clause, "helping") and not (
        _says(clause, "guarding") and (len(mentions) < 2 or _are_listed(mentions))
    )
    is_help = is_help or ((len(mentions) < 2 or _are_listed(mentions)) and _says(clause, "behind"))
    if not mentions and told.topic is not None and not is_help and _says(clause, "resting"):
        yield o.WrittenHold(WrittenUnit(told.topic))
        return
    if not is_help and (convoy := _convoy(told, clause, mentions)):
        yield from convoy
        return
    own = [each for each in mentions if told.is_own(each.place)]
    others = [each for each in mentions if each not in own]
    if is_help:
        yield from _supports(told, clause, mentions)
    elif len(own) == len(mentions) and _are_listed(own) and _says(clause, "resting"):
        if any(each.is_led("inside") for each in own):  # the opera in Paris holds a gala
            return
        yield from (o.WrittenHold(WrittenUnit(each.place)) for each in own)
    elif others and len(own) > 1 and len(others) == 1:
        return
    elif move := _move(told, clause, mentions):
        if not told.is_own(move.unit.location):
            told.led, told.is_waiting = move, True
            return
        yield move
        for helper in told.pending:
            yield o.WrittenSupportMove(WrittenUnit(helper), move.unit, move.target)
        told.pending = []


def _are_listed(mentions: Sequence[_Mention]) -> bool:
    """Whether nothing stands between the places but what a list of units has."""
    bare = rf"\W*(?:(?:{_any('bare')})\b\W*)*"
    between = [each.before.rpartition("<>")[2] for each in mentions[1:]]
    return bool(mentions) and all(re.fullmatch(bare, each) for each in between)


def _move(told: _Told, clause: str, mentions: Sequence[_Mention]) -> o.WrittenMove | None:
    """The move of a clause: of the first unit, or the one that is told of before."""
    if len(mentions) == 1:
        (one,) = mentions
        if told.led and _says(clause, "following") and told.is_own(one.place):
            start, goal = one.place, told.led.unit.location
        elif told.led and _says(clause, "unit_there"):
            start, goal = told.led.target, one.place
        elif told.led and _says(clause, "there") and told.is_own(one.place):
            start, goal = one.place, told.led.target
        elif told.topic and (one.is_led("goals") or re.search(r"\bit\b", one.before)):
            start, goal = told.topic, one.place
        else:
            return None
    elif len(mentions) == 2:
        one, two = mentions
        if _are_listed(mentions):
            return None
        is_turned = two.is_led("movers") and not (
            told.is_own(one.place) and not told.is_own(two.place)
        )
        is_turned = is_turned or one.is_led("goals_ahead")
        if not is_turned and two.is_led("sources"):
            return None
        start, goal = (two.place, one.place) if is_turned else (one.place, two.place)
    else:
        return None
    move = o.WrittenMove(WrittenUnit(start), goal)
    if told.is_own(start):
        return move if told.fits(move) else None
    return move if told.unit_at(start) and not told.is_own(goal) else None  # help may follow


def _convoy(told: _Told, clause: str, mentions: Sequence[_Mention]) -> list[WrittenOrder]:
    """The convoy of a clause with the move of its army, or of the move that was told before."""
    fleets = [each for each in mentions if told.is_fleet(each.place) and told.is_own(each.place)]
    rest = [each for each in mentions if each not in fleets]
    if not rest and told.led and _says(clause, "carrying"):
        convoys = [
            o.WrittenConvoy(WrittenUnit(f.place), told.led.unit, told.led.target) for f in fleets
        ]
        return [*convoys] if all(map(told.fits, convoys)) else []
    if not fleets or len(rest) not in (1, 2):
        return []
    if len(rest) == 1:
        if told.topic is None or not _says(clause, "carrying"):
            return []
        pairs = [(told.topic, rest[0].place)]
    else:
        pairs = [(rest[0].place, rest[1].place), (rest[1].place, rest[0].place)]
    for start, goal in pairs:
        if told.unit_at(start) is None or (
            told.context.variant.board.is_adjacent(UnitKind.ARMY, start, goal.province)
            and not _says(clause, "carrying")
        ):
            continue
        army = WrittenUnit(start)
        convoys = [o.WrittenConvoy(WrittenUnit(fleet.place), army, goal) for fleet in fleets]
        if all(map(told.fits, convoys)):
            move = o.WrittenMove(army, goal)
            return [*convoys, *([move] if told.is_own(start) else [])]
    return []


def _supports(told: _Told, clause: str, mentions: Sequence[_Mention]) -> Iterator[WrittenOrder]:
    """The supports of a clause, with the move that it names beside the helper."""
    if not mentions:
        helpers = [told.topic] if told.topic is not None else []
        yield from _of_led(told, helpers)
        return
    behind = [each for each in mentions if each.is_led("helped_by") or each.is_helping]
    behind = [each for each in behind if told.is_own(each.place)]
    if behind and len(mentions) > len(behind):
        rest = [each for each in mentions if each not in behind]
        move = _move(told, clause, rest)
        if move is not None and behind[0] is not mentions[0]:
            if told.is_own(move.unit.location):
                yield move
            for each in behind:
                yield o.WrittenSupportMove(WrittenUnit(each.place), move.unit, move.target)
            return
        if len(rest) == 1 and told.is_own(rest[0].place) and behind[0] is not mentions[0]:
            hold = o.WrittenHold(WrittenUnit(rest[0].place))
            yield hold
            yield from (o.WrittenSupportHold(WrittenUnit(each.place), hold.unit) for each in behind)
            return
    first, *rest = mentions
    if told.topic is not None and re.match(rf"(?:and |then )?(?:{_any('helping')})\b", clause):
        first = _Mention(told.topic, "", "")  # Gas moves to Spain and supports Mar
        rest = [*mentions]
    if not told.is_own(first.place):
        return
    helpers = [first.place]
    for each in rest[:]:  # Paris and Gascony support Marseilles
        if not told.is_own(each.place) or not _are_listed([first, each]):
            break
        helpers.append(rest.pop(0).place)
    if not rest:
        yield from _of_led(told, helpers)
    elif len(rest) == 1 and told.unit_at(rest[0].place) is not None:
        yield from (
            o.WrittenSupportHold(WrittenUnit(each), WrittenUnit(rest[0].place)) for each in helpers
        )
    elif len(rest) == 1 and told.led and told.led.target.province == rest[0].place.province:
        yield from _of_led(told, helpers)
    elif len(rest) == 2:
        pairs = [(rest[0], rest[1])]
        if rest[1].is_led("sources"):
            pairs = [(rest[1], rest[0])]
        for unit, goal in pairs:
            orders = [
                o.WrittenSupportMove(WrittenUnit(each), WrittenUnit(unit.place), goal.place)
                for each in helpers
            ]
            if told.unit_at(unit.place) is not None and all(map(told.fits, orders)):
                yield from orders
                return


def _of_led(told: _Told, helpers: Sequence[Location]) -> Iterator[WrittenOrder]:
    """Supports of the order told before, or else of the next move."""
    if told.led is not None:
        told.is_waiting = False
        for helper in helpers:
            yield o.WrittenSupportMove(WrittenUnit(helper), told.led.unit, told.led.target)
    elif told.orders and isinstance(hold := told.orders[-1], o.WrittenHold):
        for helper in helpers:
            yield o.WrittenSupportHold(WrittenUnit(helper), hold.unit)
    else:
        told.pending += helpers


def _join_supports(told: _Told) -> None:
    """Support the move that the line gives to a unit which a support names alone."""
    moves = {
        order.unit.location.province: order
        for order in told.orders
        if isinstance(order, o.WrittenMove)
    }
    for at, order in enumerate(told.orders):
        if isinstance(order, o.WrittenSupportHold):
            move = moves.get(order.supported.location.province)
            if move is not None:
                told.orders[at] = o.WrittenSupportMove(order.unit, move.unit, move.target)


@cache
def _any(key: str) -> str:
    return any_name(listed("loose", key))


def _says(clause: str, key: str) -> bool:
    return re.search(rf"\b(?:{_any(key)})\b", clause) is not None
