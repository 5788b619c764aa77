"""What to write instead of an order that cannot be taken, and what was wrong in it.

`A Mra - Bur` suggests `A MAR - BUR`. Suggestions only: nothing here is ever taken without asking,
but for orders that the rules of a game give a meaning though they can never be carried out.
"""

from collections.abc import Iterable, Iterator
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.grammar import ORDER_LONGEST, parse_words
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, VERBS, Lexicon
from judge.diplomacy.language.lines.prose import is_negated_or_conditional
from judge.diplomacy.language.lines.roles import arrange
from judge.diplomacy.language.lines.segments import split_orders
from judge.diplomacy.language.order_context import Noted, OrderContext, Untaken
from judge.diplomacy.language.tokens import Segment, tokenize
from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import AnyOrder, Location, Unit, UnitKind, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.records import NoteKind, NoteValues, ReadingKind
from judge.diplomacy.rules import IllegalOrders, OrderChecks

SUGGESTIONS_MOST = 6
_REPAIRS_MOST = 12


def legal_orders_among(
    context: OrderContext, orders: Iterable[WrittenOrder]
) -> tuple[AnyOrder, ...]:
    """The orders that may be given, with their units named in full; without doubles."""
    fitted = [context.order_on_board(context.name_in_full(order)) for order in orders]
    fitting = [order for order in fitted if not isinstance(order, Void)]
    return tuple(dict.fromkeys(fitting))[:SUGGESTIONS_MOST]


# --- texts that were not read ---------------------------------------------------------------------


def repairs(segment: Segment, words: Lexicon) -> tuple[WrittenOrder, ...]:
    """Orders that a faulty text may have meant: words swapped for near ones, or left out.

    A word that turns the sentence (not, if) is never left out.
    """
    if len(segment) > ORDER_LONGEST:
        return ()
    choices: list[list[str]] = [[]]
    for piece in _word_meanings(segment, words):
        choices = [[*each, word] for each in choices for word in piece][:_REPAIRS_MOST]
    found = [parse_words(choice) for choice in choices]
    if not any(found):
        is_whole = is_negated_or_conditional(segment, words)
        kept = tuple(token for token in segment if is_whole or token.word != UNKNOWN)
        ways = [*arrange(kept).ways] if len(kept) < len(segment) else [kept]
        found = [parse_words([token.word for token in way]) for way in ways]
    return tuple(dict.fromkeys(order for order in found if order is not None))


def guesses(context: OrderContext, segment: Segment) -> Iterator[WrittenOrder]:
    """Orders that a sentence may have meant of which only some words were read: with the roles that
    its words give, or for the one own unit and the one other place that it names."""
    known = tuple(token for token in segment if token.word != UNKNOWN)
    if len(known) > ORDER_LONGEST:
        return
    for way in arrange(known).ways:
        if order := parse_words([token.word for token in way]):
            yield order
    places = dict.fromkeys(
        location for token in known if token.is_place for location in token.locations[:1]
    )
    goals = [t.locations[0] for t in known if t.is_place and t.role == "goal"]
    own = [
        place
        for place in places
        if any(u.location.province == place.province for u in context.units)
        and not (goals == [place] and len(places) == 2)
    ]
    is_arrow = any(t.word == "-" and t.is_notation_verb and not t.is_non_latin for t in known)
    kinds = [UnitKind(token.word) for token in known if token.word in KINDS]
    verbs = {token.word for token in known if token.word in VERBS}
    if context.dislodged and not own and (kinds or len(places) > 1):
        yield from _retreats_of_only_unit(context, kinds, [*places], is_disband="D" in verbs)
    first, last = (known[0], known[-1]) if known else (None, None)
    is_worded = any(token.word == "H" and token.is_non_latin for token in known)
    if (
        is_worded
        and first
        and last
        and len(places) == 2
        and own[:1] == [*places][:1]
        and not first.role
    ):
        if verbs == {"H"} and last.is_place:  # 提洛爾撐住威尼斯
            yield o.WrittenSupportHold(WrittenUnit(own[0]), WrittenUnit([*places][1]))
        elif verbs == {"-", "H"} and last.word == "H":  # 威爾斯進倫敦防守
            yield o.WrittenMove(WrittenUnit(own[0]), [*places][1])
    is_pair = len(places) == 2 and verbs.isdisjoint("SCHD")
    match context.position.phase.kind:
        case PhaseKind.MOVEMENT | PhaseKind.RETREAT as phase if is_pair:
            make = o.WrittenMove if phase is PhaseKind.MOVEMENT else o.WrittenRetreat
            yield from (
                make(WrittenUnit(unit), target)
                for unit in own
                for target in places
                if target != unit
                and not any(t.role == "source" for t in known if target in t.locations[:1])
                and (_is_direction_marked(known, unit, target) or (len(own) == 1 and not is_arrow))
            )
        case PhaseKind.ADJUSTMENT:
            for place in places:
                for kind in kinds or UnitKind:
                    yield o.WrittenBuild(WrittenUnit(place, kind))
                if place in own:
                    yield o.WrittenDisband(WrittenUnit(place))


def _retreats_of_only_unit(
    context: OrderContext, kinds: list[UnitKind], places: list[Location], *, is_disband: bool
) -> Iterator[WrittenOrder]:
    """Retreats of the one unit that a text can mean: `The army to Ruhr`, `Ruhr or Silesia`."""
    asked = [each.unit for each in context.dislodged if not kinds or each.unit.kind in kinds]
    if len(asked) == 1:
        unit = WrittenUnit(asked[0].location, asked[0].kind)
        yield from (o.WrittenRetreat(unit, place) for place in places)
        yield from (o.WrittenDisband(unit) for _ in range(is_disband and not places))


_UNREACHED = (VoidReason.NOT_ADJACENT, VoidReason.NO_CONVOY_POSSIBLE, VoidReason.CANNOT_STAND)
_UNREAD = (ReadingKind.NOT_EXPECTED, ReadingKind.UNFINISHED)


def with_example_lines(context: OrderContext, read: Untaken) -> Untaken:
    """The problem with full lines to copy: where its unit can go, or what its orders look like."""
    is_unreached = read.kind in _UNREACHED
    if read.proposals or not (is_unreached or read.kind in _UNREAD):
        return read
    unit = next((u for u in context.units if u.location.province == read.key), None)
    orders: list[AnyOrder] = []
    if unit and context.position.phase.kind is PhaseKind.MOVEMENT:
        reached = context.variant.board.reachable_locations
        orders = [
            o.Move(unit, to)
            for province in context.variant.board.provinces
            for to in reached(unit.kind, unit.location, province)
        ]
        orders = orders if is_unreached else [*orders[:1], o.Hold(unit)]
    elif unit and (dislodged := [each for each in context.dislodged if each.unit == unit]):
        orders = [*(o.Retreat(unit, to) for to in dislodged[0].retreats), o.Disband(unit)]
    lines = tuple(map(format_order, orders))
    return replace(read, values=replace(read.values, lines=lines)) if lines else read


def _is_direction_marked(segment: Segment, unit: Location, target: Location) -> bool:
    """Whether the words mark which of two own units moves to the other's place."""
    roles = {token.locations[0]: token.role for token in segment if token.is_place}
    return roles[target] == "goal" or roles[unit] in ("source", "by", "agent")


def _word_meanings(segment: Segment, words: Lexicon) -> Iterator[tuple[str, ...]]:
    """For each word of the text, what it may stand for; a run of unknown words is one name."""
    at = 0
    while at < len(segment):
        token, run = segment[at], at
        while run < len(segment) and segment[run].word == UNKNOWN:
            run += 1
        if run - at > 1 and (meant := words.nearest("".join(t.text for t in segment[at:run]))):
            yield meant
            at = run
            continue
        after = segment[at + 1] if at + 1 < len(segment) else None
        owns_unit = after is not None and (after.is_place or after.word in (*KINDS, *VERBS))
        # A power without a unit may be a misspelled province.
        is_name = token.word == UNKNOWN or (token.word[0] == "@" and not owns_unit)
        near = words.nearest(token.text) if is_name else ()
        yield near or token.readings or (token.word,)
        at += 1


# --- orders that may not be given -----------------------------------------------------------------


class Part(Enum):
    """A part of an order as written."""

    UNIT = auto()
    OTHER = auto()  # the supported or convoyed unit
    TARGET = auto()
    WHOLE = auto()


class Cause(Struct, frozen=True):
    """What is wrong in an order that the rules refuse.

    Attributes:
        part: where it is.
        is_misspelling: it may come from a name taken for another's; other reasons say enough.
        is_misnamed: it is how the order names a unit.
    """

    part: Part
    is_misspelling: bool = False
    is_misnamed: bool = False


CAUSES = {
    VoidReason.NO_UNIT: Cause(Part.UNIT, is_misspelling=True),
    VoidReason.FOREIGN_UNIT: Cause(Part.UNIT),
    VoidReason.WRONG_KIND: Cause(Part.UNIT, is_misnamed=True),
    VoidReason.WRONG_COAST: Cause(Part.UNIT, is_misnamed=True),
    VoidReason.NOT_A_FLEET: Cause(Part.UNIT),
    VoidReason.NOT_AT_SEA: Cause(Part.UNIT),
    VoidReason.NOT_A_HOME_CENTER: Cause(Part.UNIT, is_misspelling=True),
    VoidReason.NOBODYS_HOME_CENTER: Cause(Part.UNIT, is_misspelling=True),
    VoidReason.NOT_A_CENTER: Cause(Part.UNIT, is_misspelling=True),
    VoidReason.NO_HOME_CENTER_OWNED: Cause(Part.UNIT),
    VoidReason.NOT_OWNED: Cause(Part.UNIT),
    VoidReason.OCCUPIED: Cause(Part.UNIT),
    VoidReason.KIND_NEEDED: Cause(Part.UNIT, is_misnamed=True),
    VoidReason.OTHERS_FLEET: Cause(Part.UNIT, is_misnamed=True),
    VoidReason.NOTHING_TO_SUPPORT: Cause(Part.OTHER, is_misspelling=True),
    VoidReason.SUPPORTS_ITSELF: Cause(Part.OTHER),
    VoidReason.NOTHING_TO_CONVOY: Cause(Part.OTHER, is_misspelling=True),
    VoidReason.NOT_AN_ARMY: Cause(Part.OTHER),
    VoidReason.WRONG_POWER: Cause(Part.OTHER, is_misnamed=True),
    VoidReason.CLOSED: Cause(Part.TARGET),
    VoidReason.SAME_PROVINCE: Cause(Part.TARGET, is_misspelling=True),
    VoidReason.CANNOT_STAND: Cause(Part.TARGET, is_misspelling=True),
    VoidReason.NOT_ADJACENT: Cause(Part.TARGET, is_misspelling=True),
    VoidReason.NO_CONVOY_POSSIBLE: Cause(Part.TARGET, is_misspelling=True),
    VoidReason.COAST_NEEDED: Cause(Part.TARGET),
    VoidReason.COAST_NOT_REACHED: Cause(Part.TARGET),
    VoidReason.NO_SUCH_COAST: Cause(Part.TARGET),
    VoidReason.CANNOT_SUPPORT_THERE: Cause(Part.TARGET, is_misspelling=True),
    VoidReason.SUPPORTED_CANNOT: Cause(Part.TARGET, is_misspelling=True),
    VoidReason.SUPPORTED_NEEDS_THIS_FLEET: Cause(Part.TARGET),
    VoidReason.SUPPORT_COAST_NEEDED: Cause(Part.TARGET),
    VoidReason.NOT_ON_ROUTE: Cause(Part.TARGET),
    VoidReason.NOT_A_RETREAT: Cause(Part.TARGET),
    VoidReason.RETREAT_TOO_FAR: Cause(Part.TARGET),
    VoidReason.RETREAT_OCCUPIED: Cause(Part.TARGET),
    VoidReason.RETREAT_CONTESTED: Cause(Part.TARGET),
    VoidReason.RETREAT_TO_ATTACKER: Cause(Part.TARGET),
}
_WHOLE = Cause(Part.WHOLE)


def wrong_part(context: OrderContext, written: str, void: Void) -> tuple[int, int]:
    """Which words of a readable text the rules refuse: the columns of the smallest wrong part."""
    cause = CAUSES.get(void.reason, _WHOLE)
    segments = split_orders(tokenize(written, context.lexicon))
    places = [token for segment in segments for token in segment if token.is_place]
    if cause.part is Part.WHOLE or not places:
        return 0, len(written)
    at = {Part.UNIT: 0, Part.OTHER: 1, Part.TARGET: len(places) - 1}[cause.part]
    if cause.is_misnamed and void.unit is not None:  # the ordered unit or the other one
        at = int(places[0].locations[0].province != void.unit.location.province)
    token = places[min(at, len(places) - 1)]
    return token.start, token.end


def alternatives(
    context: OrderContext, order: WrittenOrder, void: Void, written: str
) -> Iterator[WrittenOrder]:
    """Orders that may have been meant; `written` is the wrong part's text."""
    cause = CAUSES.get(void.reason, _WHOLE)
    if cause.is_misnamed:
        yield order  # its units are named in full before it is suggested
    match order:
        case o.WrittenBuild(unit):  # as the other kind, with its kind or its coast said
            if void.reason in (VoidReason.KIND_NEEDED, VoidReason.CANNOT_STAND):
                yield from (o.WrittenBuild(replace(unit, kind=kind)) for kind in UnitKind)
            places = list(void.places)
            if void.reason is VoidReason.NO_SUCH_COAST:
                places.append(Location(unit.location.province))
            yield from (o.WrittenBuild(replace(unit, location=place)) for place in places)
        case o.WrittenPassage():
            yield from _other_passages(context, order)
        case o.WrittenMove() | o.WrittenSupportMove() | o.WrittenRetreat():
            if void.reason is VoidReason.NO_SUCH_COAST:
                province = order.target.province
                coasts = context.variant.board.provinces[province].coasts
                yield from (
                    replace(order, target=Location(province, coast)) for coast in (None, *coasts)
                )
            if isinstance(order, o.WrittenMove):
                if void.reason is VoidReason.VIA_IMPOSSIBLE:
                    yield replace(order, via_convoy=False, path=())
                if len(order.path) > 1:  # Ank > Con > Aeg, one after the other
                    yield o.WrittenMove(order.unit, Location(order.path[0]))
    if cause.part is Part.TARGET:
        for place in void.places:
            yield from _with_part(context, order, Part.TARGET, place)
    if cause.is_misspelling:
        for province in context.lexicon.nearest_places(written):
            yield from _with_part(context, order, cause.part, Location(province))


def _other_passages(context: OrderContext, order: o.WrittenPassage) -> Iterator[WrittenOrder]:
    """Every permission that names a foreign fleet of that power; hardly any of them fits."""
    board = context.variant.board
    for unit in context.position.units:
        is_named = order.unit.power in (None, unit.power)
        if unit.kind is UnitKind.FLEET and unit.power not in context.powers and is_named:
            fleet = WrittenUnit(unit.location, unit.kind, unit.power)
            for province in board.provinces:
                if board.is_sea(province):
                    yield o.WrittenPassage(fleet, Location(province))


def _with_part(
    context: OrderContext, order: WrittenOrder, part: Part, place: Location
) -> Iterator[WrittenOrder]:
    """The order with another place in its wrong part."""
    match part, order:
        case (
            Part.TARGET,
            o.WrittenMove() | o.WrittenRetreat() | o.WrittenSupportMove() | o.WrittenConvoy(),
        ):
            yield replace(order, target=place)
        case Part.UNIT, o.WrittenWaive():
            return
        case Part.UNIT, _:
            assert not isinstance(order, o.WrittenWaive)
            own = {unit.location.province for unit in context.units}
            if place.province in own or isinstance(order, o.WrittenBuild):
                yield replace(order, unit=replace(order.unit, location=place))
        case Part.OTHER, o.WrittenSupportHold() | o.WrittenSupportMove():
            yield replace(order, supported=WrittenUnit(place))
        case Part.OTHER, o.WrittenConvoy():
            yield replace(order, convoyed=WrittenUnit(place))


# --- orders that can never be carried out ---------------------------------------------------------

_NEVER_THERE = (
    VoidReason.NOT_ADJACENT,
    VoidReason.NO_CONVOY_POSSIBLE,
    VoidReason.VIA_IMPOSSIBLE,
    VoidReason.CANNOT_STAND,
    VoidReason.CLOSED,
)
# Rules that an order may break which stands as it is written; others concern how it is written.
_NEVER_DONE = {
    *_NEVER_THERE,
    VoidReason.SAME_PROVINCE,
    VoidReason.SUPPORTS_ITSELF,
    VoidReason.CANNOT_SUPPORT_THERE,
    VoidReason.NOTHING_TO_SUPPORT,
    VoidReason.SUPPORTED_CANNOT,
    VoidReason.SUPPORTED_NEEDS_THIS_FLEET,
    VoidReason.NOT_A_FLEET,
    VoidReason.NOT_AT_SEA,
    VoidReason.NOTHING_TO_CONVOY,
    VoidReason.NOT_AN_ARMY,
    VoidReason.NOT_ON_ROUTE,
}
_NEVER_CARRIES = (VoidReason.NOT_AT_SEA, VoidReason.NO_CONVOY_POSSIBLE, VoidReason.NOT_ON_ROUTE)


def accepted_impossible_order(
    context: OrderContext, written: WrittenOrder, void: Void
) -> tuple[AnyOrder, tuple[Noted, ...]] | None:
    """The order that a refused one stands for by the rules of the game (DATC 4.E.1, or where it
    stands as it is written), with what to tell of it; None if it is refused.

    It is stored like any other, refused again when the phase runs, and given its meaning there. An
    order that may be meant otherwise (a coast left out, a unit named wrongly) is none of them.
    """
    choice, unit = context.rules.illegal_orders, context.own_unit(written)
    if unit is None:
        return None
    checks = context.variant.customs.orders
    is_signal = isinstance(written, o.WrittenSupportHold | o.WrittenSupportMove)
    is_unchecked = checks is OrderChecks.AS_WRITTEN or (checks is OrderChecks.SIGNALS and is_signal)
    is_unchecked = is_unchecked and context.position.phase.kind is PhaseKind.MOVEMENT
    if choice is IllegalOrders.STILL_A_MOVE and isinstance(written, o.WrittenMove):
        if void.reason not in _NEVER_THERE:
            return None
        target = Location(written.target.province)
        order: AnyOrder = o.Move(unit, target, via_convoy=written.via_convoy)
        meant: WrittenOrder = replace(written, target=target, path=())
        noted = NoteKind.STANDS_IMPOSSIBLE, NoteValues(order=order)
    elif choice is IllegalOrders.SHOWS_INTENT and isinstance(written, o.WrittenConvoy):
        army = context.position.unit_at(written.convoyed.location.province)
        if army is None or void.reason not in _NEVER_CARRIES:
            return None
        target = Location(written.target.province)
        order, meant = o.Convoy(unit, army, target), replace(written, target=target)
        noted = NoteKind.SHOWS_INTENT, NoteValues(unit=army, order=order)
    elif is_unchecked and void.reason in _NEVER_DONE:
        order, meant = _illegal_order_as_stored(context, unit, written)
        noted = NoteKind.STANDS_WITHOUT_EFFECT, NoteValues(order=order)
    else:
        return None
    # It must stay void as it will be stored, and not become a possible one.
    is_void = isinstance(context.order_on_board(context.name_in_full(meant)), Void)
    return (order, (noted,)) if is_void else None


def _illegal_order_as_stored(
    context: OrderContext, unit: Unit, written: WrittenOrder
) -> tuple[AnyOrder, WrittenOrder]:
    """An order that breaks the rules as it is kept, and as it is read again. A unit that it names
    where none stands is called as it was written."""

    def named(other: WrittenUnit) -> Unit:
        there = context.position.unit_at(other.location.province)
        return there or Unit(other.power or unit.power, other.kind or UnitKind.ARMY, other.location)

    match written:
        case o.WrittenMove(target=target, via_convoy=via):
            province = Location(target.province)
            return o.Move(unit, province, via), replace(written, target=province, path=())
        case o.WrittenSupportHold(supported=other):
            return o.SupportHold(unit, named(other)), written
        case o.WrittenSupportMove(supported=other, target=target):
            return o.SupportMove(unit, named(other), target), written
        case o.WrittenConvoy(convoyed=other, target=target):
            return o.Convoy(unit, named(other), target), written
    return o.Hold(unit), written
