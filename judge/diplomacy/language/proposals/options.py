"""What each unit that a line names may be ordered by it, each order with the words it would use and
with what speaks for it and against it.

`Mar lends muscle as Par barges into Bur` names three places; Marseilles might move to Burgundy or
Paris, hold, or support one of the others. A feature is a text such as `mt.role=goal` (the target of
a move is marked as a goal) or `m.w<barges` (the word between unit and target), made of a line's
words by `weighed_line.py`; `likeliest.py` has learned what each of them weighs.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.lexicon import KINDS
from judge.diplomacy.language.order_context import WAIVE_KEY, order_key
from judge.diplomacy.language.proposals.weighed_line import Line
from judge.diplomacy.orders import (
    AnyOrder,
    Location,
    ProvinceId,
    Unit,
    UnitKind,
    WrittenOrder,
    WrittenUnit,
)
from judge.diplomacy.outcomes import Void

_PLACES_MOST = 12
_VERBS_MOST = 3  # the nearest
_WAIVES_MOST = 3


class Option(NamedTuple):
    """An order that a unit may be given, or none.

    Attributes:
        used: the places in the line of the words that it uses.
        led: whom it helps, and where to.
        goal: where its target is named, and the target.
        group: where a group of units is named of which its own is one.
        also: the orders of the others of the group, if all of them do the same.
        told: of whom it helps, how the words for both stand, and their roles.
    """

    order: AnyOrder | None = None
    used: frozenset[int] = frozenset()
    features: tuple[str, ...] = ()
    led: tuple[ProvinceId, ProvinceId | None] | None = None
    goal: tuple[int, ProvinceId] | None = None
    group: int | None = None
    also: tuple[AnyOrder, ...] = ()
    told: tuple[str, ...] = ()


NOTHING = Option()
Slots = dict[str, list[Option]]  # the options of each unit, by the key of its orders


def options_by_unit(line: Line) -> Slots:
    """The options of each unit that a line names or must name, and of each build."""
    kind = line.context.position.phase.kind
    if len(line.places) > _PLACES_MOST:
        return {}
    if kind is PhaseKind.MOVEMENT:
        mentions: dict[ProvinceId, list[int]] = {}
        named = [(at, [place.province]) for at, place in line.places.items()]
        for at, provinces in (*named, *line.groups.items()):
            for province in provinces:
                if province in line.own:
                    mentions.setdefault(province, []).append(at)
        return {str(key): _Mover(line, line.own[key], at).options for key, at in mentions.items()}
    if kind is PhaseKind.RETREAT:
        units = [each.unit for each in line.context.dislodged]
        return {order_key(o.Disband(unit)): _retreats(line, unit) for unit in units}
    return _adjustments(line)


class _Options:
    """The options of one unit, as they are found."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.options: list[Option] = []
        self._fitted: dict[WrittenOrder, AnyOrder | None] = {}

    def fit(self, written: WrittenOrder) -> AnyOrder | None:
        """The order on the board; None if it may not be given."""
        if written not in self._fitted:
            context = self.line.context
            order = context.order_on_board(context.name_in_full(written))
            self._fitted[written] = None if isinstance(order, Void) else order
        return self._fitted[written]

    def add(
        self,
        written: WrittenOrder,
        used: Iterable[int | None],
        features: Iterable[str],
        *,
        led: tuple[ProvinceId, ProvinceId | None] | None = None,
        goal: tuple[int, ProvinceId] | None = None,
        told: tuple[str, ...] = (),
    ) -> None:
        if (order := self.fit(written)) is not None:
            ats = frozenset(at for at in used if at is not None)
            group = next((at for at in sorted(ats) if at in self.line.groups), None)
            self.options.append(Option(order, ats, tuple(features), led, goal, group, (), told))


def _names_in_line_order(**ats: int | None) -> str:
    """The names of some words as they stand: `ukmj` for unit, verb, other unit and target."""
    placed = sorted((at, name) for name, at in ats.items() if at is not None)
    return "".join(name for _, name in placed)


def _sequence_and_roles(line: Line, **ats: int | None) -> tuple[str, str]:
    """How the words of a unit that helps another stand, and the roles of the other's."""
    order = _names_in_line_order(**ats)
    roles = ",".join(line.role(at) for name in "mj" if (at := ats.get(name)) is not None)
    return order, f"{order},{roles}"


class _Mover(_Options):
    """What a unit may do in a movement phase, for each time that it is named."""

    def __init__(self, line: Line, unit: Unit, mentions: Sequence[int]) -> None:
        super().__init__(line)
        self.unit = unit
        self.here = WrittenUnit(unit.location)
        self.has_sea = bool(line.verb_positions("C") or line.verb_positions("VIA"))
        for nth, at in enumerate(mentions):
            name = "g" if at in line.groups else "u"
            features = [
                *line.neighbor_features(name, at),
                *line.doubt_features(name, at),
                f"{name}.nth={min(nth, 2)}/{min(len(mentions), 3)}",
            ]
            features += (
                line.said_of_group(at)
                if at in line.groups
                else [f"u.kind={self._kind_match(at, unit.kind)}"]
            )
            self._moves(at, features)
            self._holds(at, features)
            self._supports(at, features)
            if unit.kind is UnitKind.FLEET and line.context.variant.board.is_sea(
                unit.location.province
            ):
                self._convoys(at, features)

    def _kind_match(self, at: int, kind: UnitKind) -> str:
        """Whether a place is named with the kind of its unit."""
        said = self.line.kinds.get(at, "-")
        return "=" if said == kind.value else "-" if said == "-" else "x"

    def _is_far(self, start: Location, to: Location) -> bool:
        board = self.line.context.variant.board
        return not board.is_adjacent(UnitKind.ARMY, start, to.province)

    def _moves(self, at: int, unit: Sequence[str]) -> None:
        line, here = self.line, self.unit.location
        is_army = self.unit.kind is UnitKind.ARMY
        named: list[ProvinceId] = []
        for j, to in line.places.items():
            nth = named.count(to.province)
            named.append(to.province)
            if to.province == here.province:
                continue
            is_far = is_army and self._is_far(here, to)
            roles = f"{line.role(at)},{line.role(j)}"
            features = [
                "mv",
                *(f"mv{each}" for each in unit),
                *line.neighbor_features("mt", j),
                *line.doubt_features("mt", j),
                *line.pair_features("m", at, j),
                *line.bag(j, "mv"),
                f"m.roles={roles},{at < j}",
                f"m.rolesn={roles},{line.sign(j + 1)},{line.sign(j - 1)}",
                f"m.far={is_far},{self.has_sea}",
                f"mt.own={to.province in line.own}",
                f"mt.unit={line.context.position.unit_at(to.province) is not None}",
                f"mt.kind={line.kinds[j]}",
                f"mt.nth={nth}",
            ]
            goal = (j, to.province)
            for each, said in self._coasts(to):
                self.add(o.WrittenMove(self.here, each), (at, j), [*features, *said], goal=goal)
            if is_army and self.has_sea and not is_far:
                move = o.WrittenMove(self.here, to, via_convoy=True)
                self.add(move, (at, j), [*features, "m.via"], goal=goal)

    def _coasts(self, to: Location) -> Iterator[tuple[Location, Sequence[str]]]:
        """A target of a move; of a fleet that must choose between its coasts, with each of them."""
        coasts = self.line.context.variant.board.provinces[to.province].coasts
        if self.unit.kind is UnitKind.ARMY or to.coast is not None or not coasts:
            yield to, ()
            return
        if self.fit(o.WrittenMove(self.here, to)):
            yield to, ()
        said = self.line.coasts
        for coast in coasts:
            yield Location(to.province, coast), (f"mt.coast={coast in said},{bool(said)}",)

    def _holds(self, at: int, unit: Sequence[str]) -> None:
        line = self.line
        hold = o.WrittenHold(self.here)
        features = ["h", *(f"h{each}" for each in unit), *line.bag(at, "h")]
        self.add(hold, (at,), [*features, "h.bare"])
        for k in line.verb_positions("H"):
            doubt = f"h.verb?{line.tokens[k].is_doubted}"
            self.add(hold, (at, k), [*features, *line.pair_features("h", at, k), doubt])

    def _supports(self, at: int, unit: Sequence[str]) -> None:
        line, here = self.line, self.unit.location.province
        verbs = sorted(line.verb_positions("S"), key=lambda verb: abs(verb - at))[:_VERBS_MOST]
        for m, other in line.places.items():
            there = line.context.position.unit_at(other.province)
            if there is None or other.province == here:
                continue
            base = [
                "s",
                *(f"s{each}" for each in unit),
                *line.neighbor_features("so", m),
                *line.doubt_features("so", m),
                *line.pair_features("sum", at, m),
                f"so.own={other.province in line.own}",
                f"so.kind={self._kind_match(m, there.kind)}",
            ]
            for k in (*verbs, None):
                said = ["s.bare", f"s.bare{bool(verbs)}"]
                if k is not None:
                    order = _names_in_line_order(u=at, k=k, m=m)
                    said = [
                        *line.pair_features("suk", at, k),
                        *line.pair_features("skm", k, m),
                        f"s.perm={order}",
                        f"s.doubted={line.tokens[k].is_doubted}",
                    ]
                self._support(at, k, m, there, (*base, *said))

        for k in verbs:
            for nth, move in enumerate(line.said_elsewhere.moves):  # Mar supports that
                said = ["s", *(f"s{each}" for each in unit), "s.that", f"s.that{nth}"]
                said += line.pair_features("suk", at, k)
                said += [f"s.that{len(line.places)}", *line.bag(k, "that")]
                helped = WrittenUnit(move.unit.location)
                support = o.WrittenSupportMove(self.here, helped, move.target)
                led = move.unit.location.province, move.target.province
                self.add(support, (at, k), said, led=led)

    def _support(
        self, at: int, k: int | None, m: int, there: Unit, features: Sequence[str]
    ) -> None:
        """Supports of a unit, where it stands and to each place."""
        line, other = self.line, there.location.province
        helped = WrittenUnit(there.location)
        hold = o.WrittenSupportHold(self.here, helped)
        if self.fit(hold):
            said = [*features, "sh", *line.neighbor_features("sho", m), *line.bag(m, "sh")]
            said.append(f"sh.roles={line.role(at)},{line.role(m)},{at < m}")
            told = _sequence_and_roles(line, u=at, k=k, m=m)
            self.add(hold, (at, k, m), said, led=(other, None), told=told)
            for h in line.verb_positions("H"):
                more = [*said, "sh.h", *line.pair_features("shh", m, h)]
                told = _sequence_and_roles(line, u=at, k=k, m=m, h=h)
                self.add(hold, (at, k, m, h), more, led=(other, None), told=told)
        for j, to in line.places.items():
            if to.province in (other, self.unit.location.province):
                continue
            move = o.WrittenSupportMove(self.here, helped, to)
            if not self.fit(move):
                continue
            order = _names_in_line_order(u=at, k=k, m=m, j=j)
            said = [
                *features,
                "sm",
                *line.neighbor_features("st", j),
                *line.doubt_features("st", j),
                *line.pair_features("smj", m, j),
                *line.bag(j, "sm"),
                f"sm.perm={order}",
                f"sm.roles={line.role(m)},{line.role(j)},{m < j}",
                f"sm.uroles={order},{line.role(at)},{line.role(m)},{line.role(j)}",
            ]
            told = _sequence_and_roles(line, u=at, k=k, m=m, j=j)
            self.add(move, (at, k, m, j), said, led=(other, to.province), told=told)

    def _convoys(self, at: int, unit: Sequence[str]) -> None:
        line, here = self.line, self.unit.location.province
        verbs = [*line.verb_positions("C"), *line.verb_positions("VIA")]
        k = min(verbs, key=lambda verb: abs(verb - at), default=None)
        for m, other in line.places.items():
            there = line.context.position.unit_at(other.province)
            if there is None or there.kind is not UnitKind.ARMY:
                continue
            for j, to in line.places.items():
                convoy = o.WrittenConvoy(self.here, WrittenUnit(there.location), to)
                if to.province in (other.province, here) or not self.fit(convoy):
                    continue
                order = _names_in_line_order(u=at, m=m, j=j)
                features = [
                    "c",
                    *(f"c{each}" for each in unit),
                    *line.neighbor_features("co", m),
                    *line.neighbor_features("ct", j),
                    *line.doubt_features("ct", j),
                    *line.pair_features("cmj", m, j),
                    *line.pair_features("cum", at, m),
                    *line.bag(j, "c"),
                    f"c.perm={order}",
                    f"c.roles={order},{line.role(at)},{line.role(m)},{line.role(j)}",
                    f"c.far={self._is_far(there.location, to)},{bool(verbs)}",
                    f"co.own={other.province in line.own}",
                    *(line.pair_features("cuk", at, k) if k is not None else ()),
                ]
                told = _sequence_and_roles(line, u=at, k=k, m=m, j=j)
                led = other.province, to.province
                self.add(convoy, (at, m, j, k), features, led=led, told=told)


def _retreats(line: Line, unit: Unit) -> list[Option]:
    """What a dislodged unit may do."""
    found = _Options(line)
    here = WrittenUnit(unit.location, unit.kind)
    mentions = [at for at, place in line.places.items() if place.province == unit.location.province]
    kinds = [at for at, token in enumerate(line.tokens) if token.word == unit.kind.value]
    ways: list[tuple[int | None, str]] = [(at, "named") for at in mentions]
    groups = [at for at, units in line.groups.items() if unit.location.province in units]
    ways = ways or [(at, "group") for at in groups] or [(at, "kind") for at in kinds]
    is_only = len(line.context.dislodged) == 1
    whole = [(None, "alone")] if is_only else [] if ways else [(None, "all")]
    for at, how in (*ways, *whole):
        base = [f"ru={how}"]
        if at is not None:
            base += [*line.neighbor_features("ru", at), *line.doubt_features("ru", at)]
            base += line.said_of_group(at) if how == "group" else ()
        for nth, (j, to) in enumerate(line.places.items()):
            if to.province == unit.location.province or how == "all":
                continue  # nobody says which of them
            said = [*base, "r", f"r.{how}", f"r.nth{nth}", *line.neighbor_features("rt", j)]
            said += [*line.doubt_features("rt", j), *line.bag(j, "r")]
            said += line.pair_features(f"r{how}", at, j) if at is not None else ()
            found.add(o.WrittenRetreat(here, to), (at, j), said, goal=(j, to.province))
        verbs: list[int | None] = [*line.verb_positions("D"), *line.verb_positions("WAIVE")]
        for k in verbs or [None]:
            said = [*base, "d", f"d.{how}"]
            if k is None:
                said += [f"d.bag={word}" for word in line.all_words()]
            else:
                said += ["d.verb", f"d.{how}.verb", f"d.doubted={line.tokens[k].is_doubted}"]
                said += [*line.doubt_features("dk", k), *line.bag(k, "d")]
                said += line.pair_features(f"d{how}", at, k) if at is not None else ()
            found.add(o.WrittenDisband(here), (at, k), said)
    return found.options


def _adjustments(line: Line) -> Slots:
    """Builds and removals at each place that a line names, removals of groups, and waives."""
    slots: Slots = {}
    removals: list[int | None] = [*line.verb_positions("D"), *line.verb_positions("WAIVE")]
    is_building = bool(line.verb_positions("B"))
    kinds = [at for at, token in enumerate(line.tokens) if token.word in KINDS]
    for at, place in line.places.items():
        found = _Options(line)
        coasts = line.context.variant.board.provinces[place.province].coasts
        coasts = tuple(each for each in coasts if each in line.coasts) or coasts
        for kind in UnitKind:
            of_kind: list[int | None] = [k for k in kinds if line.tokens[k].word == kind.value]
            for k in of_kind or [None]:
                said = [
                    *("b", f"b.kind={k is not None},{bool(kinds)}", f"b.verb={is_building}"),
                    f"b.k={kind.value}",
                    *line.neighbor_features("bp", at),
                    *line.doubt_features("bp", at),
                    *line.bag(at, "b"),
                    *line.bag(at, f"b.{kind.value}"),
                    *(line.pair_features("bk", at, k) if k is not None else ()),
                    *(line.neighbor_features("bk", k) if k is not None else ()),
                    *(line.doubt_features("bk", k) if k is not None else ()),
                ]
                is_open = kind is UnitKind.FLEET and place.coast is None
                for coast in coasts if is_open and coasts else (place.coast,):
                    where = Location(place.province, coast)
                    found.add(o.WrittenBuild(WrittenUnit(where, kind)), (at, k), said)
        slots.setdefault(f"B {place.province}", []).extend(found.options)
        if place.province in line.own:
            _removals(line, at, place.province, removals, slots)
    for at, provinces in line.groups.items():
        for province in provinces:
            _removals(line, at, province, removals, slots)
    builds = sum(line.context.dues(power).builds for power in line.context.powers)
    for n in range(min(builds, _WAIVES_MOST)):
        found = _Options(line)
        for k in (*line.verb_positions("WAIVE"), *line.verb_positions("D"), None):
            said = ["w", f"w{n}", f"w.verb={line.sign(k) if k is not None else None}"]
            said += [f"w{n}.bag={word}" for word in line.all_words()]
            said += (
                [*line.neighbor_features("wk", k), *line.doubt_features("wk", k)]
                if k is not None
                else ()
            )
            for power in line.context.powers:
                found.add(o.WrittenWaive(1, power), (k,), said)
        slots[f"{WAIVE_KEY} {n}" if n else WAIVE_KEY] = found.options
    return {key: options for key, options in slots.items() if options}


def _removals(
    line: Line, at: int, province: ProvinceId, verbs: Sequence[int | None], slots: Slots
) -> None:
    """Removals of a unit that is named, or one of a group."""
    found = _Options(line)
    name = "xg" if at in line.groups else "xp"
    for k in verbs or [None]:
        said = ["x", f"{name}.verb={k is not None}", *line.neighbor_features(name, at)]
        said += [*line.doubt_features(name, at), *line.bag(at, "x")]
        said += line.said_of_group(at) if at in line.groups else ()
        said += line.pair_features(f"{name}k", at, k) if k is not None else ()
        found.add(o.WrittenDisband(WrittenUnit(Location(province))), (at, k), said)
    slots.setdefault(str(province), []).extend(found.options)
