"""Diplomacy behind the seam: a `Rulebook` over the adjudicator and the notation.

The only module of this room that knows `judge.rulebook`. Every method is a pure function of its
arguments; a state is the JSON of `records.GameState`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.ahead import Heard, Later, open_lines, read_later, read_now
from judge.diplomacy.ahead_desk import ahead_desk
from judge.diplomacy.building_rule import Builds
from judge.diplomacy.calendar import Phase as BoardPhase
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.chronicle import own_report, phase_report, powers_in_play
from judge.diplomacy.desk import WAIVE_KEY, Desk, order_key, power_of
from judge.diplomacy.ends import End
from judge.diplomacy.names import power_names
from judge.diplomacy.naming import stored_text
from judge.diplomacy.notation import Fault, parse_order
from judge.diplomacy.options import JOINED, BadOption, choose, option_value, options_of
from judge.diplomacy.orders import AnyOrder, PowerId, Waive, WrittenOrder
from judge.diplomacy.outcome import Void
from judge.diplomacy.phase_names import Unnamed, coming_phases, name_phase, nearest_labels
from judge.diplomacy.players_table import SeatPowers, VictoryBy
from judge.diplomacy.position import Position, start_position
from judge.diplomacy.reading import Said, Taken, Untaken
from judge.diplomacy.records import Adjustment, GameState, ProblemValues, ReadingKind, View
from judge.diplomacy.rules import (
    DEFAULT_PRESET,
    ISSUES,
    PRESETS,
    CivilDisorderRemoval,
    Rules,
    UnknownRule,
    Waiving,
)
from judge.diplomacy.sequence import Played, play
from judge.diplomacy.sides import joining_of, powers_of, running_variant, toss, variant_in
from judge.diplomacy.text import plain
from judge.diplomacy.variant import NoVariant, Variant, load_variant, variant_names
from judge.rulebook import (
    Awaited,
    Chat,
    JsonObject,
    Line,
    NamedPhase,
    Note,
    Option,
    Phase,
    Problem,
    Reading,
    Refused,
    Report,
    Resolution,
    Result,
    Seat,
    SeatId,
    Sheet,
    State,
    Stream,
    Understood,
    When,
)

RULE_OPTIONS = tuple(
    Option(issue, tuple(str(value) for value in type(getattr(Rules(), part))))
    for issue, part in ISSUES.items()
)
REFUSED_RULES = {"preset": "no_rules", "issue": "no_option"}
PHASES_AHEAD = 15  # that lines can be stored for, the running one included: three years
PHASE_KINDS = {
    PhaseKind.MOVEMENT: "movement",
    PhaseKind.RETREAT: "retreat",
    PhaseKind.ADJUSTMENT: "adjustment",
}


class Diplomacy:
    """The `Rulebook` of Diplomacy; its methods' contracts stand there."""

    def variants(self) -> tuple[str, ...]:
        return variant_names()

    def rule_names(self) -> tuple[str, ...]:
        return tuple(PRESETS)

    def rule_options(self) -> tuple[Option, ...]:
        return RULE_OPTIONS

    def variant_options(self, variant: str) -> tuple[Option, ...]:
        return tuple(
            Option(
                each.key,
                (" - ".join(each.values),) if each.is_count else each.values,
                is_count=each.is_count,
            )
            for each in options_of(_variant(variant))
        )

    def option_value(self, variant: str, key: str, written: str) -> str:
        try:
            return option_value(_variant(variant).name, key, written)
        except BadOption as bad:
            raise _refused(bad) from bad

    def seats(self, variant: str, options: JsonObject) -> tuple[Seat, ...]:
        chosen = _choose(variant, options).variant
        return tuple(_seat(chosen, seat) for seat in chosen.seating)

    def start(self, variant: str, options: JsonObject) -> State:
        chosen = _choose(variant, options)
        return _state_of(start_position(chosen.variant), chosen, serial=1).to_json()

    def phase(self, state: State) -> Phase:
        table = _Table(state)
        kind = table.position.phase.kind
        is_main = kind is PhaseKind.MOVEMENT
        return Phase(table.game.label, PHASE_KINDS[kind], table.game.serial, main=is_main)

    def awaited(self, state: State) -> tuple[Awaited, ...]:
        table = _Table(state)
        asked = table.awaited()
        dues = {seat.id: sum(asked.get(power, 0) for power in seat.powers) for seat in table.seats}
        return tuple(Awaited(SeatId(seat), due) for seat, due in dues.items() if due)

    def read(self, state: State, seat: SeatId, lines: Sequence[str], sheet: Sheet = ()) -> Reading:
        table = _Table(state)
        desk = table.desk(seat, sheet)
        found = read_now(desk, lines, *table.after())
        if not table.is_asked(seat):
            found = tuple(_not_asked(table.game, heard) for heard in found)
        return _reading(desk, found)

    def merge(self, state: State, seat: SeatId, sheet: Sheet, lines: Sequence[Line]) -> Sheet:
        new = {line.key: line for line in lines}
        kept = [replace(line, kept=True) for line in sheet if line.key not in new]
        desk = _Table(state).desk(seat)
        if desk.is_adjustment:
            kept = _with_room(desk, kept, tuple(new.values()))
        return (*kept, *new.values())

    def coming(self, state: State) -> tuple[str, ...]:
        table = _Table(state)
        return () if table.game.winners else tuple(str(phase) for phase in table.coming())

    def phase_named(
        self, state: State, written: str, *, is_sought: bool = False
    ) -> NamedPhase | None:
        table = _Table(state)
        calendar, running = table.variant.calendar, table.position.phase
        beside = _plain_names(table.variant)
        named = name_phase(written, calendar, running, is_sought=is_sought, beside=beside)
        if named is None:
            return None
        labels = self.coming(state)
        if isinstance(named, Unnamed):
            return NamedPhase(When.UNKNOWN, nearest=nearest_labels(written, labels))
        return NamedPhase(_when(named, table.coming()), str(named))

    def read_ahead(
        self, state: State, seat: SeatId, label: str, lines: Sequence[str], sheet: Sheet = ()
    ) -> Reading:
        del sheet  # what stands there by then is not known, nor what disturbs what
        table, phase = _Table(state), parse_phase(label)
        variant = variant_in(table.game, phase, seat)
        power, *partners = table.powers_of(seat)
        desk = ahead_desk(variant, table.rules, phase, power, tuple(partners))
        return _reading(desk, read_later(desk, lines))

    def open_ahead(self, state: State, seat: SeatId, sheet: Sheet) -> Reading:
        table = _Table(state)
        if not table.is_asked(seat):
            return Reading()
        desk = table.desk(seat)
        opened = _reading(desk, open_lines(desk, [line.text for line in sheet]))
        understood = tuple(
            replace(one, line=replace(one.line, written=sheet[one.line_number].written))
            for one in opened.understood
        )
        return replace(opened, understood=understood)

    def resolve(
        self, state: State, sheets: Mapping[SeatId, Sheet], missing: frozenset[SeatId], rng: Stream
    ) -> Resolution:
        table = _Table(state)
        absent = frozenset(power for seat in missing for power in table.powers_of(seat))
        written: dict[PowerId, list[WrittenOrder]] = {}
        for seat, sheet in sheets.items():
            if seat not in missing:
                desk = table.desk(seat)
                for order in _orders(table.variant, sheet):
                    written.setdefault(desk.power_for(order), []).append(order)
        return table.resolve(written, absent, rng)

    def edit(self, state: State, change: JsonObject) -> State:
        label = _Table(state).game.label
        raise Refused("not_yet", written=", ".join(sorted(change)), known=[], label=label)

    def view(self, state: State, seat: SeatId | None) -> JsonObject:
        return _Table(state).view(seat).to_json()

    def result(self, state: State) -> Result:
        table = _Table(state)
        scores = {
            SeatId(seat.id): sum(len(table.position.centers_of(power)) for power in seat.powers)
            for seat in table.seats
        }
        survivors = powers_in_play(table.variant, table.position)
        return Result(
            over=bool(table.game.winners),
            winners=table.seats_of(table.game.winners),
            survivors=table.seats_of(survivors),
            scores=scores,
            is_draw=table.game.is_draw,
        )


RULEBOOK = Diplomacy()


# --- states ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What a game is played by: the variant, what was chosen about it, the preset of rules, and the
    single ones chosen on top of it."""

    variant: Variant
    options: Mapping[str, str]
    preset: str
    choices: Mapping[str, str]


def _choose(variant: str, options: JsonObject) -> _Chosen:
    """The variant and the rules of a game's options.

    Raises:
        Refused: they are not there.
    """
    name = _variant(variant).name
    own = {key: str(value) for key, value in options.items() if key != "rules"}
    try:
        chosen, own = choose(name, own), {k: option_value(name, k, own[k]) for k in own}
    except BadOption as bad:
        raise _refused(bad) from bad
    written = options.get("rules", DEFAULT_PRESET)
    named = written if isinstance(written, Mapping) else {"preset": written}
    choices = {key: str(value) for key, value in named.items()}
    preset = choices.pop("preset", DEFAULT_PRESET)
    try:
        Rules.preset(preset).with_choices(choices)
    except UnknownRule as unknown:
        kind = REFUSED_RULES.get(unknown.what, "no_choice")
        raise Refused(kind, written=unknown.written, known=list(unknown.known)) from unknown
    return _Chosen(chosen, own, preset, choices)


def _variant(name: str) -> Variant:
    """The variant as it is usual. Raises Refused: there is none of that name."""
    try:
        return load_variant(name)
    except NoVariant as none:
        raise Refused("no_variant", written=name, known=list(none.known)) from none


def _refused(bad: BadOption) -> Refused:
    kind = "no_option" if bad.key is None else "no_choice"
    return Refused(kind, written=bad.written, known=list(bad.known))


def _state_of(
    position: Position,
    chosen: _Chosen,
    *,
    serial: int,
    quiet_years: int = 0,
    end: End | None = None,
    joined: str = "",
) -> GameState:
    return GameState(
        variant=chosen.variant.name,
        rules=chosen.preset,
        label=str(position.phase),
        serial=serial,
        units=position.units,
        owners=position.owners,
        dislodged=position.dislodged,
        contested=position.contested,
        winners=end.winners if end else (),
        choices=chosen.choices,
        options=chosen.options,
        quiet_years=quiet_years,
        end=end.kind if end else None,
        is_draw=end is not None and end.is_draw,
        joined=joined,
    )


class _Table:
    """A state, opened: the game with its variant, rules and position."""

    def __init__(self, state: State) -> None:
        self.game = GameState.from_json(state)
        self.variant = running_variant(self.game)
        self.seats = self.variant.seating
        self.rules = Rules.preset(self.game.rules).with_choices(self.game.choices)
        self.position = Position(
            phase=parse_phase(self.game.label),
            units=self.game.units,
            owners=self.game.owners,
            dislodged=self.game.dislodged,
            contested=self.game.contested,
        )

    def desk(self, seat: SeatId, sheet: Sheet = ()) -> Desk:
        """Where the orders of a seat are read in the running phase."""
        power, *partners = self.powers_of(seat)
        empty = Desk(self.variant, self.rules, self.position, power, partners=tuple(partners))
        return replace(empty, stored=_stored(empty, sheet)) if sheet else empty

    def powers_of(self, seat: SeatId) -> tuple[PowerId, ...]:
        """The powers of a seat."""
        return powers_of(self.variant, seat)

    def seats_of(self, powers: Collection[PowerId]) -> tuple[SeatId, ...]:
        """The seats that have any of the powers."""
        return tuple(
            SeatId(seat.id) for seat in self.seats if any(power in powers for power in seat.powers)
        )

    def is_asked(self, seat: SeatId) -> bool:
        """Whether a seat has something to send."""
        asked = self.awaited()
        return any(power in asked for power in self.powers_of(seat))

    def coming(self) -> tuple[BoardPhase, ...]:
        """The running phase and those after it that lines can be stored for."""
        return coming_phases(self.variant.calendar, self.position.phase, PHASES_AHEAD)

    def after(self) -> tuple[BoardPhase, BoardPhase]:
        """The retreats and the adjustments that come next, skipped or not."""
        retreats, builds = (
            next(phase for phase in self.coming()[1:] if phase.kind is kind)
            for kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT)
        )
        return retreats, builds

    def awaited(self) -> dict[PowerId, int]:
        """How many orders each power is asked for; only powers that have a choice."""
        if self.game.winners:
            return {}
        played = [power for seat in self.seats for power in seat.powers]
        asked = {power: self._due(power) for power in self.variant.power_ids if power in played}
        return {power: due for power, due in asked.items() if due}

    def _due(self, power: PowerId) -> int:
        match self.position.phase.kind:
            case PhaseKind.MOVEMENT:
                return len(self.position.units_of(power))
            case PhaseKind.RETREAT:
                return sum(
                    each.unit.power == power and bool(each.retreats)
                    for each in self.position.dislodged
                )
            case PhaseKind.ADJUSTMENT:
                due = adjustment_due(self.position, self.variant.power(power))
                is_all = due.disbands >= len(self.position.units_of(power))
                return due.builds or (0 if is_all else due.disbands)
            case kind:
                assert_never(kind)

    def resolve(
        self,
        written: Mapping[PowerId, Sequence[WrittenOrder]],
        missing: frozenset[PowerId],
        rng: Stream,
    ) -> Resolution:
        """The phases that run, with a report for each, and the state after them."""
        asked = self.awaited()
        disorder = [power for power in asked if power in missing]
        unordered = [power for power in asked if power not in missing and not written.get(power)]
        ran = play(self.variant, self.rules, self.position, written, missing, self.game.quiet_years)
        tossed = toss(self.variant, ran, rng.below)
        reports: list[Report] = []
        before = self.position
        for number, played in enumerate(ran):
            is_first = number == 0
            public = phase_report(
                self.variant,
                before,
                played,
                disorder=disorder if is_first else (),
                unordered=unordered if is_first else (),
                joining=tossed[2] if tossed and tossed[0] == number else None,
            )
            own = {
                seat: self._own_report(seat, played, written if is_first else {})
                for seat in self.seats_of(powers_in_play(self.variant, before))
            }
            reports.append(Report(public.to_json(), own))
            before = played.after
        state = _state_of(
            before,
            _Chosen(self.variant, self.game.options, self.game.rules, self.game.choices),
            serial=self.game.serial + len(ran),
            quiet_years=ran[-1].quiet_years,
            end=ran[-1].end,
            joined=tossed[1] if tossed else self.game.joined,
        )
        return Resolution(state.to_json(), tuple(reports))

    def _own_report(
        self, seat: SeatId, played: Played, written: Mapping[PowerId, Sequence[WrittenOrder]]
    ) -> JsonObject:
        powers = self.powers_of(seat)
        orders = [order for power in powers for order in written.get(power, ())]
        return own_report(powers, played, orders).to_json()

    def view(self, seat: SeatId | None) -> View:
        """What there is to see; nothing on this board is hidden."""
        in_play = powers_in_play(self.variant, self.position)
        unplayed, toss_at = self.variant.unplayed, self.variant.toss
        joined = {JOINED: self.game.joined} if self.game.joined else {}
        return View(
            variant=self.game.variant,
            rules=self.game.rules,
            label=self.game.label,
            kind=self.position.phase.kind,
            serial=self.game.serial,
            seat=seat,
            powers=self.variant.power_ids,
            units=self.position.units,
            owners=self.position.owners,
            dislodged=self.position.dislodged,
            contested=self.position.contested,
            adjustments=self._adjustments(),
            out=tuple(power for power in self.variant.power_ids if power not in in_play),
            winners=self.game.winners,
            end=self.game.end,
            is_draw=self.game.is_draw,
            victory_centers=self.variant.victory_centers,
            may_waive=self.rules.waiving is Waiving.MAY,
            from_home=self.rules.civil_disorder_removal is CivilDisorderRemoval.HOME_CENTERS
            and self.variant.builds is not Builds.ANY,
            options={**self.game.options, **joined},
            own=self.powers_of(seat) if seat is not None else (),
            is_shared=any(len(one.powers) > 1 for one in self.seats),
            by_player=self.variant.victory_by is VictoryBy.PLAYER,
            unplayed=tuple(power for power in self.variant.power_ids if power in unplayed),
            closed=tuple(sorted(self.variant.closed)),
            toss=str(toss_at) if toss_at and not self.game.joined else "",
            joining=joining_of(self.game),
        )

    def _adjustments(self) -> tuple[Adjustment, ...]:
        if self.position.phase.kind is not PhaseKind.ADJUSTMENT:
            return ()
        dues = [adjustment_due(self.position, power) for power in self.variant.powers]
        return tuple(due for due in dues if due.builds or due.disbands)


# --- lines ----------------------------------------------------------------------------------------


def _seat(variant: Variant, seat: SeatPowers) -> Seat:
    """A seat with all that it is called by: names and letters of each of its powers."""
    first, *others = (variant.power(power) for power in seat.powers)
    names = [name for power in seat.powers for name in power_names(variant, power)]
    if others:
        names = [seat.id, *names, *(power.letter for power in others)]
    return Seat(SeatId(seat.id), first.letter, tuple(names))


def _with_room(desk: Desk, kept: Sequence[Line], new: Sequence[Line]) -> list[Line]:
    """The kept lines without those for which a power's new ones leave no room, oldest first."""
    powers = {line.key: _power_of(desk, line) for line in (*kept, *new)}
    left: list[Line] = []
    for power in desk.powers:
        own = [line for line in kept if powers[line.key] == power]
        due = desk.dues(power)
        room = max(due.builds, due.disbands) - sum(powers[line.key] == power for line in new)
        left += own[max(len(own) - max(room, 0), 0) :]
    return [line for line in kept if line in left]


def _power_of(desk: Desk, line: Line) -> PowerId:
    order = parse_order(line.text, desk.variant)
    return desk.power if isinstance(order, Fault) else desk.power_for(order)


def _stored(desk: Desk, sheet: Sheet) -> tuple[AnyOrder, ...]:
    """The orders of a stored sheet that can be given now."""
    fitted = [desk.fit(order) for order in _orders(desk.variant, sheet)]
    return tuple(order for order in fitted if not isinstance(order, Void))


def _orders(variant: Variant, sheet: Sheet) -> tuple[WrittenOrder, ...]:
    """The orders of stored lines; lines that do not read are left out."""
    read = [parse_order(line.text, variant) for line in sheet]
    return tuple(order for order in read if not isinstance(order, Fault))


def _when(phase: BoardPhase, coming: Sequence[BoardPhase]) -> When:
    """Where a phase of the calendar stands to the running one, the first of those that come."""
    if phase in coming:
        return When.NOW if phase == coming[0] else When.LATER
    return When.FAR if phase.year >= coming[-1].year else When.PAST


@lru_cache(maxsize=16)
def _plain_names(variant: Variant) -> frozenset[str]:
    """The words of all names of powers, as `France, Fall 1901` has them."""
    names = [name for power in variant.power_ids for name in power_names(variant, power)]
    return frozenset(word for name in names for word in plain(name).text.split() if len(word) > 1)


def _not_asked(game: GameState, read: Heard) -> Heard:
    """The line as a problem, where nothing is asked of the seat in the running phase."""
    if isinstance(read, Said | Later):
        return read
    kind = ReadingKind.GAME_OVER if game.winners else ReadingKind.NOTHING_DUE
    values = ProblemValues(label=game.label)
    return Untaken(read.number, read.written, 0, len(read.written), kind, values)


def _reading(desk: Desk, found: Sequence[Heard]) -> Reading:
    """What was read, in the seam's values; waives are numbered, so that each is a line."""
    understood: list[Understood] = []
    problems: list[Problem] = []
    chat: list[Chat] = []
    waives = 0
    waived = dict.fromkeys(desk.powers, 0)
    for read in found:
        match read:
            case Taken(order=order):
                if isinstance(order, Waive):
                    waived[order.power] += 1
                line = _line(desk, order, read.written, waived.get(power_of(order), 0))
                notes = tuple(Note(str(kind), values.to_json()) for kind, values in read.notes)
                understood.append(Understood(read.number, line, notes))
            case Later(key=key):
                waives += key == WAIVE_KEY
                line = Line(_numbered(key, waives), read.text, read.written)
                notes = tuple(Note(str(kind), values.to_json()) for kind, values in read.notes)
                understood.append(Understood(read.number, line, notes, str(read.phase)))
            case Untaken():
                problems.append(_problem(desk, read))
            case Said():
                chat.append(Chat(read.number, read.text))
    return Reading(tuple(understood), tuple(problems), tuple(chat))


def _line(desk: Desk, order: AnyOrder, written: str = "", waive: int = 1) -> Line:
    key = order_key(order)
    if isinstance(order, Waive) and desk.partners:
        key = f"{key} {order.power}"
    return Line(_numbered(key, waive), stored_text(desk, order), written)


def _numbered(key: str, waive: int) -> str:
    """Waives have a number, so that each is a line of its own."""
    return f"{key} {waive}" if key.partition(" ")[0] == WAIVE_KEY else key


def _problem(desk: Desk, read: Untaken) -> Problem:
    return Problem(
        line_number=read.number,
        written=read.written,
        start=read.start,
        end=read.end,
        kind=str(read.kind),
        values=read.values.to_json(),
        proposals=tuple(_line(desk, order) for order in read.proposals),
        key=read.key,
    )
