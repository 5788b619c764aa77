"""Diplomacy behind the seam: a `Rulebook` over the adjudicator and the notation.

The only module of this room that knows `judge.rulebook`. Every method is a pure function of its
arguments; a state is the JSON of `records.GameState`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.ahead import Heard, Later, open_lines, read_later, read_now
from judge.diplomacy.ahead_desk import ahead_desk
from judge.diplomacy.calendar import Phase as BoardPhase
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.chronicle import own_report, phase_report, powers_in_play
from judge.diplomacy.desk import WAIVE_KEY, Desk, order_key
from judge.diplomacy.ends import End
from judge.diplomacy.names import power_names
from judge.diplomacy.naming import stored_text
from judge.diplomacy.notation import Fault, parse_order
from judge.diplomacy.options import BadOption, choose, option_value, options_of
from judge.diplomacy.orders import AnyOrder, PowerId, Waive, WrittenOrder
from judge.diplomacy.outcome import Void
from judge.diplomacy.phase_names import Unnamed, coming_phases, name_phase, nearest_labels
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
from judge.diplomacy.sequence import play
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
        return tuple(
            Seat(SeatId(power.id), power.letter, power_names(chosen, power.id))
            for power in chosen.powers
        )

    def start(self, variant: str, options: JsonObject) -> State:
        chosen = _choose(variant, options)
        return _state_of(start_position(chosen.variant), chosen, serial=1).to_json()

    def phase(self, state: State) -> Phase:
        table = _Table(state)
        kind = table.position.phase.kind
        is_main = kind is PhaseKind.MOVEMENT
        return Phase(table.game.label, PHASE_KINDS[kind], table.game.serial, main=is_main)

    def awaited(self, state: State) -> tuple[Awaited, ...]:
        return tuple(Awaited(SeatId(power), due) for power, due in _Table(state).awaited().items())

    def read(self, state: State, seat: SeatId, lines: Sequence[str], sheet: Sheet = ()) -> Reading:
        table = _Table(state)
        desk = table.desk(seat, sheet)
        found = read_now(desk, lines, *table.after())
        if PowerId(seat) not in table.awaited():
            found = tuple(_not_asked(table.game, heard) for heard in found)
        return _reading(desk, found)

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
        table = _Table(state)
        desk = ahead_desk(table.variant, table.rules, parse_phase(label), PowerId(seat))
        return _reading(desk, read_later(desk, lines))

    def open_ahead(self, state: State, seat: SeatId, sheet: Sheet) -> Reading:
        table = _Table(state)
        if PowerId(seat) not in table.awaited():
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
        del rng  # nothing in this game is left to chance
        table = _Table(state)
        absent = frozenset(PowerId(seat) for seat in missing)
        written = {
            PowerId(seat): _orders(table.variant, sheet)
            for seat, sheet in sheets.items()
            if PowerId(seat) not in absent
        }
        return table.resolve(written, absent)

    def edit(self, state: State, change: JsonObject) -> State:
        label = _Table(state).game.label
        raise Refused("not_yet", written=", ".join(sorted(change)), known=[], label=label)

    def view(self, state: State, seat: SeatId | None) -> JsonObject:
        return _Table(state).view(PowerId(seat) if seat is not None else None).to_json()

    def result(self, state: State) -> Result:
        table = _Table(state)
        scores = {
            SeatId(power): len(table.position.centers_of(power))
            for power in table.variant.power_ids
        }
        survivors = powers_in_play(table.variant, table.position)
        return Result(
            over=bool(table.game.winners),
            winners=tuple(SeatId(power) for power in table.game.winners),
            survivors=tuple(SeatId(power) for power in survivors),
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
    )


class _Table:
    """A state, opened: the game with its variant, rules and position."""

    def __init__(self, state: State) -> None:
        self.game = GameState.from_json(state)
        self.variant = choose(self.game.variant, self.game.options)
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
        empty = Desk(self.variant, self.rules, self.position, PowerId(seat))
        return replace(empty, stored=_stored(empty, sheet))

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
        asked = {power: self._due(power) for power in self.variant.power_ids}
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
        self, written: Mapping[PowerId, Sequence[WrittenOrder]], missing: frozenset[PowerId]
    ) -> Resolution:
        """The phases that run, with a report for each, and the state after them."""
        asked = self.awaited()
        disorder = [power for power in asked if power in missing]
        unordered = [power for power in asked if power not in missing and not written.get(power)]
        ran = play(self.variant, self.rules, self.position, written, missing, self.game.quiet_years)
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
            )
            own = {
                SeatId(power): own_report(
                    power, played, written.get(power, ()) if is_first else ()
                ).to_json()
                for power in powers_in_play(self.variant, before)
            }
            reports.append(Report(public.to_json(), own))
            before = played.after
        state = _state_of(
            before,
            _Chosen(self.variant, self.game.options, self.game.rules, self.game.choices),
            serial=self.game.serial + len(ran),
            quiet_years=ran[-1].quiet_years,
            end=ran[-1].end,
        )
        return Resolution(state.to_json(), tuple(reports))

    def view(self, seat: PowerId | None) -> View:
        """What there is to see; nothing on this board is hidden."""
        in_play = powers_in_play(self.variant, self.position)
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
            from_home=self.rules.civil_disorder_removal is CivilDisorderRemoval.HOME_CENTERS,
            options=self.game.options,
        )

    def _adjustments(self) -> tuple[Adjustment, ...]:
        if self.position.phase.kind is not PhaseKind.ADJUSTMENT:
            return ()
        dues = [adjustment_due(self.position, power) for power in self.variant.powers]
        return tuple(due for due in dues if due.builds or due.disbands)


# --- lines ----------------------------------------------------------------------------------------


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
    for read in found:
        match read:
            case Taken(order=order):
                waives += isinstance(order, Waive)
                line = _line(desk, order, read.written, waives)
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
    return Line(_numbered(order_key(order), waive), stored_text(desk, order), written)


def _numbered(key: str, waive: int) -> str:
    """Waives have a number, so that each is a line of its own."""
    return f"{key} {waive}" if key == WAIVE_KEY else key


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
