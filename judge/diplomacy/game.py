"""Diplomacy behind the seam: a `Game` over the adjudicator and the language.

With `rulebook.py` and `seat_lines.py` the only module of this package that knows `judge.rulebook`.
Every method is a pure function of its arguments; a state is the JSON of `records.GameState`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cached_property, lru_cache

import msgspec
from msgspec.structs import asdict
from msgspec.structs import replace as replace_fields

from judge import rulebook as seam
from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.advance_orders import Later, advance_context, open_lines, read_lines
from judge.diplomacy.calendar import Phase as BoardPhase
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.language.grammar import Fault, Parsed
from judge.diplomacy.language.lexicon import lexicon, plain_key, power_names
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    BlindContext,
    OrderContext,
    Said,
    Untaken,
    order_key,
)
from judge.diplomacy.language.pipeline import read_canonical
from judge.diplomacy.language.written_edits import BadEdit, edited
from judge.diplomacy.language.written_position import read_position
from judge.diplomacy.notation import CANONICAL_FORMS, format_order, parse_order
from judge.diplomacy.orders import PowerId, ProvinceId, WrittenOrder, WrittenUnit, WrittenWaive
from judge.diplomacy.outcomes import Void
from judge.diplomacy.phase_names import (
    Unnamed,
    coming_phases,
    nearest_labels,
    parse_phase_name,
    speaks_of_phase,
)
from judge.diplomacy.position import Position
from judge.diplomacy.power_assignment import coin_toss, running_variant, variant_for_phase
from judge.diplomacy.practice import computer_order_sets
from judge.diplomacy.records import (
    Adjustment,
    GameState,
    OwnReport,
    PhaseReport,
    ProblemValues,
    ReadingKind,
    View,
)
from judge.diplomacy.report import own_report, phase_report, powers_in_play, remarks_on
from judge.diplomacy.rules import Builds, CivilDisorderRemoval, Rules, Waiving
from judge.diplomacy.seat_lines import notes_of, problem_for_host, reading_of, with_room
from judge.diplomacy.sequence import orders_due, play
from judge.diplomacy.variants.variant import Variant, load_variant
from judge.diplomacy.visibility import seen_own_report, seen_report, seen_state, sight_of, unseen_of

ADVANCE_PHASES = 15  # that lines can be stored for, the running one included: three years
KINDS = {
    PhaseKind.MOVEMENT: seam.PhaseKind(
        "movement", timedelta(hours=48), ("deadline", "move", "moves")
    ),
    PhaseKind.RETREAT: seam.PhaseKind("retreat", timedelta(hours=24), ("retreats",)),
    PhaseKind.ADJUSTMENT: seam.PhaseKind(
        "adjustment", timedelta(hours=24), ("adjust", "adjustments", "builds")
    ),
}


class DiplomacyGame:
    """A game's state, opened: its variant, rules and position. The `Game` of Diplomacy, whose
    methods' contracts stand in `judge.rulebook`."""

    def __init__(self, stored: GameState) -> None:
        self.stored = stored
        self._known: dict[seam.SeatId | None, GameState] = {}
        self.variant = running_variant(stored)
        self.rules = Rules.preset(stored.rules).with_choices(stored.choices)
        self.position = _position(stored)

    @cached_property
    def state(self) -> seam.State:
        return seam.State(bytes(self.stored.to_raw()))

    @property
    def phase(self) -> seam.Phase:
        kind = self.position.phase.kind
        silence = seam.Silence.NORMAL
        if kind is PhaseKind.MOVEMENT:
            # Nobody is in civil disorder in the first phase: a game begins with all its players.
            silence = seam.Silence.ABSENCE
            if self.position.phase == self.variant.calendar.first():
                silence = seam.Silence.WAIT
        return seam.Phase(self.stored.label, KINDS[kind].name, self.stored.serial, silence)

    @cached_property
    def awaited(self) -> tuple[seam.Awaited, ...]:
        return tuple(
            seam.Awaited(seam.SeatId(seat), due)
            for seat, powers in self.variant.seating.items()
            if (due := sum(self._orders_due.get(power, 0) for power in powers))
        )

    @cached_property
    def _orders_due(self) -> Mapping[PowerId, int]:
        """How many orders each power is asked for; only powers that have a choice."""
        is_over = bool(self.stored.winners)
        return {} if is_over else dict(orders_due(self.variant, self.position))

    @property
    def coming(self) -> tuple[str, ...]:
        return () if self.stored.winners else tuple(map(str, self._coming))

    @cached_property
    def _coming(self) -> tuple[BoardPhase, ...]:
        return coming_phases(self.variant.calendar, self.position.phase, ADVANCE_PHASES)

    def _retreats_and_builds_after(
        self, phase: BoardPhase
    ) -> tuple[BoardPhase | None, BoardPhase | None]:
        """The retreats and the adjustments after a coming phase, skipped or not; None where lines
        cannot be stored for them yet."""
        later = self._coming[self._coming.index(phase) + 1 :]
        retreats, builds = (
            next((each for each in later if each.kind is kind), None)
            for kind in (PhaseKind.RETREAT, PhaseKind.ADJUSTMENT)
        )
        return retreats, builds

    @property
    def result(self) -> seam.Result:
        winners, owners = self.stored.winners, list(self.position.owners.values())
        ending = "" if not winners else "draw" if self.stored.is_draw else "solo"
        survivors = self._seats_of(powers_in_play(self.variant, self.position))
        scores = {
            seam.SeatId(seat): sum(map(owners.count, powers))
            for seat, powers in self.variant.seating.items()
        }
        is_victory = bool(winners) and not self.stored.is_draw
        return seam.Result(ending, self._seats_of(winners), survivors, scores, is_victory)

    def _seats_of(self, powers: Collection[PowerId]) -> tuple[seam.SeatId, ...]:
        return tuple(
            seam.SeatId(seat)
            for seat, own in self.variant.seating.items()
            if any(power in powers for power in own)
        )

    def team_of(self, seat: seam.SeatId) -> tuple[seam.SeatId, ...]:
        own = self.variant.seating[seat]
        teams = [team for team in self.variant.teams if {*team} & {*own}]
        return self._seats_of({*own, *(power for team in teams for power in team)})

    def _with_position(self, position: Position) -> GameState:
        """The state with another position."""
        shared = {name: getattr(position, name) for name in _ON_BOARD}
        return replace_fields(self.stored, label=str(position.phase), **shared)

    # --- reading ------------------------------------------------------------------------------

    def phase_named(self, written: str, *, is_sought: bool = False) -> seam.NamedPhase | None:
        if not is_sought and (CANONICAL_FORMS.fullmatch(written) or not speaks_of_phase(written)):
            return None
        named = parse_phase_name(
            written,
            self.variant.calendar,
            self.position.phase,
            is_sought=is_sought,
            beside=_words_of_power_names(self.variant.without_choices),
        )
        if named is None:
            return None
        if isinstance(named, Unnamed):
            return seam.NamedPhase(seam.When.UNKNOWN, nearest=nearest_labels(written, self.coming))
        if named in self._coming:
            when = seam.When.NOW if named == self._coming[0] else seam.When.LATER
        else:
            when = seam.When.FAR if named.year >= self._coming[-1].year else seam.When.PAST
        is_relative = not any(sign.isdigit() for sign in written)
        return seam.NamedPhase(when, str(named), is_relative=is_relative)

    def _context(self, seat: seam.SeatId, stored: seam.OrderSet = ()) -> OrderContext:
        """Where the orders of a seat are read in the running phase."""
        power, *partners = self.variant.seating[seat]
        own = OrderContext(self.variant, self.rules, self.position, power, (), tuple(partners))
        if self.stored.is_blind:
            seen = sight_of(self.variant.board, self.stored, (power, *partners))
            known = _position(self._state_seen_by(seat))
            more = (self.variant, self.rules, known, power, (), tuple(partners))
            own = BlindContext(*more, seen=seen)
        orders = [parse_order(line.text, self.variant) for line in stored]
        fitted = [own.order_on_board(order) for order in orders if not isinstance(order, Fault)]
        return replace(own, stored=tuple(one for one in fitted if not isinstance(one, Void)))

    def read(
        self, seat: seam.SeatId, lines: Sequence[str], stored: seam.OrderSet = (), label: str = ""
    ) -> seam.Reading:
        if label and label != self.stored.label:
            # The position is not known yet, so stored lines tell nothing.
            phase = parse_phase(label)
            variant = variant_for_phase(self.stored, phase, seat)
            power, *partners = self.variant.seating[seat]
            later = advance_context(variant, self.rules, phase, power, tuple(partners))
            return reading_of(
                later, read_lines(later, lines, *self._retreats_and_builds_after(phase))
            )
        context = self._context(seat, stored)
        is_asked = not self._orders_due.keys().isdisjoint(self.variant.seating[seat])
        if is_asked and not self.stored.is_blind and (taken := read_canonical(context, lines)):
            understood = (
                seam.Understood(
                    each.number,
                    seam.Line(order_key(each.order), each.written, each.written),
                    notes_of(each.notes) if each.notes else (),
                )
                for each in taken
            )
            return seam.Reading(tuple(understood))
        found = read_lines(context, lines, *self._retreats_and_builds_after(self.position.phase))
        if not is_asked:
            kind = ReadingKind.GAME_OVER if self.stored.winners else ReadingKind.NOTHING_DUE
            values = ProblemValues(label=self.stored.label)
            found = tuple(
                each
                if isinstance(each, Said | Later)
                else Untaken(each.number, each.written, 0, len(each.written), kind, values)
                for each in found
            )
        return reading_of(context, found)

    def orders_written_in(self, lines: Sequence[str]) -> seam.OrderSet:
        found: dict[str, seam.Line] = {}
        for line in lines:
            for item in read_line(line, lexicon(self.variant)):
                if not isinstance(item, Parsed) or len(item.readings) > 1:
                    continue
                order = item.readings[0]
                if not isinstance(order, WrittenWaive):
                    # With the kind of the unit that stands there, if one does.
                    there = self.position.unit_at(order.unit.location.province)
                    stands = there.kind if there and not self.stored.is_blind else None
                    kind = order.unit.kind or stands
                    order = replace_fields(order, unit=WrittenUnit(order.unit.location, kind))
                text = format_order(order)
                found.setdefault(text, seam.Line(order_key(order), text))
        return tuple(found.values())

    def place_named(self, written: str) -> str:
        found = lexicon(self.variant).words.get(plain_key(written), ())
        places = [word.removeprefix("#") for word in found if word.startswith("#")]
        return places[0] if len(places) == 1 else ""

    def merge(
        self, seat: seam.SeatId, stored: seam.OrderSet, lines: Sequence[seam.Line]
    ) -> seam.OrderSet:
        new = {line.key: line for line in lines}
        kept = [replace_fields(line, kept=True) for line in stored if line.key not in new]
        if self.position.phase.kind is PhaseKind.ADJUSTMENT:
            kept = with_room(self._context(seat), kept, tuple(new.values()))
        return (*kept, *new.values())

    def open_advance(self, seat: seam.SeatId, lines: seam.OrderSet) -> seam.Reading:
        if self._orders_due.keys().isdisjoint(self.variant.seating[seat]):
            return seam.Reading()
        context = self._context(seat)
        opened = reading_of(context, open_lines(context, [line.text for line in lines]))
        understood = tuple(
            replace_fields(
                one, line=replace_fields(one.line, written=lines[one.line_number].written)
            )
            for one in opened.understood
        )
        return replace_fields(opened, understood=understood)

    def resolve(
        self,
        order_sets: Mapping[seam.SeatId, seam.OrderSet],
        missing: frozenset[seam.SeatId],
        rng: seam.RandomStream,
    ) -> seam.Resolution:
        absent = frozenset(power for seat in missing for power in self.variant.seating[seat])
        written: dict[PowerId, list[WrittenOrder]] = {}
        for seat, lines in order_sets.items():
            if seat in missing:
                continue
            context = self.revealed._context(seat)
            for line in lines:
                order = parse_order(line.text, self.variant)
                if isinstance(order, Fault):
                    continue
                # A player who did not see a unit could not name it in full.
                named = context.name_in_full(order) if self.stored.is_blind else order
                written.setdefault(context.power_for(order), []).append(named)
        disorder = [power for power in self._orders_due if power in absent]
        unordered = [
            power for power in self._orders_due if power not in absent and not written.get(power)
        ]

        quiet_years = self.stored.quiet_years
        ran = play(self.variant, self.rules, self.position, written, absent, quiet_years)
        tossed = coin_toss(self.variant, ran, rng.below)
        reports: list[seam.Report] = []
        before = self.position
        for number, played in enumerate(ran):
            public = phase_report(
                self.variant,
                before,
                played,
                disorder=disorder,
                unordered=unordered,
                joining=tossed[2] if tossed and tossed[0] == number else None,
                written=written,
            )
            own: dict[seam.SeatId, msgspec.Raw] = {}
            for seat in self._seats_of(powers_in_play(self.variant, before)):
                powers = self.variant.seating[seat]
                given = [order for power in powers for order in written.get(power, ())]
                own[seat] = own_report(powers, played, given).to_raw()
            reports.append(seam.Report(public.to_raw(), own))
            # In the phases that follow nobody was asked for orders.
            before, written, disorder, unordered = played.after, {}, [], []

        end = ran[-1].end
        after = replace_fields(
            self._with_position(before),
            serial=self.stored.serial + len(ran),
            winners=end.winners if end else (),
            quiet_years=ran[-1].quiet_years,
            end=end.kind if end else None,
            is_draw=end is not None and end.is_draw,
            joined=tossed[1] if tossed else self.stored.joined,
        )
        return seam.Resolution(DiplomacyGame(after), tuple(reports))

    def set_up_position(self, label: str, lines: Sequence[str]) -> seam.Arrangement:
        start = replace_fields(self.position, phase=parse_phase(label or self.stored.label))
        found = read_position(self.variant, self.rules, start, lines, is_sought=bool(label))
        arranged = DiplomacyGame(self._with_position(found.position))
        return seam.Arrangement(
            arranged, found.others, tuple(map(problem_for_host, found.problems))
        )

    def edit(self, lines: Sequence[str]) -> "DiplomacyGame":
        try:
            now = edited(self.variant, self.position, lines)
        except BadEdit as bad:
            raise seam.Refused(bad.kind, written=bad.written) from bad
        return DiplomacyGame(self._with_position(now))

    def with_serial(self, serial: int) -> "DiplomacyGame":
        return DiplomacyGame(replace_fields(self.stored, serial=serial))

    def computer_orders(
        self, seats: Collection[seam.SeatId], rng: seam.RandomStream, *, only_defend: bool = False
    ) -> Mapping[seam.SeatId, seam.OrderSet]:
        powers = {seat: self.variant.seating[seat] for seat in seats}
        played = {power for own in powers.values() for power in own}
        # In a blind game each plays by what its player would see.
        boards = [(self.position, played)]
        if self.stored.is_blind:
            boards = [
                (_position(self._state_seen_by(seat)), {*own}) for seat, own in powers.items()
            ]
        order_sets: dict[PowerId, list[str]] = {}
        for position, own in boards:
            order_sets |= computer_order_sets(
                self.variant, position, own, rng.below, only_defend=only_defend
            )
        found: dict[seam.SeatId, seam.OrderSet] = {}
        for seat, mine in powers.items():
            texts = [text for power in mine for text in order_sets.get(power, ())]
            found[seat] = tuple(one.line for one in self.read(seat, texts).understood)
        return found

    def neighbor_seats(self, seat: seam.SeatId) -> tuple[seam.SeatId, ...]:
        """The seats whose units could meet this seat's: a step from a unit or center of each leads
        to the same province. In a blind game as far as the seat sees."""
        known = self._state_seen_by(seat)
        board, own = self.variant.board, self.variant.seating[seat]
        held = [(one.location.province, one.power) for one in known.units]
        reached: dict[PowerId, set[ProvinceId]] = {}
        for province, power in [*held, *known.owners.items()]:
            reached.setdefault(power, set()).update((province, *board.touching[province]))
        around = {province for power in own for province in reached.get(power, ())}
        return self._seats_of({one for one in reached if one not in own and reached[one] & around})

    def remarks_for_learner(self, seat: seam.SeatId, report: seam.Report) -> tuple[seam.Note, ...]:
        told = PhaseReport.from_bytes(self.report_seen_by(seat, report).public)
        if self.position.phase.kind is not PhaseKind.MOVEMENT:
            return ()
        powers, before = self.variant.seating[seat], _position(self._state_seen_by(seat))
        found = remarks_on(self.variant.board, before, told.results, powers)
        return tuple(seam.Note(str(kind), values.to_raw()) for kind, values in found)

    # --- views --------------------------------------------------------------------------------

    @cached_property
    def revealed(self) -> "DiplomacyGame":
        if not self.stored.is_blind:
            return self
        return DiplomacyGame(replace_fields(self.stored, is_blind=False))

    def known_to(self, seat: seam.SeatId | None) -> "DiplomacyGame":
        if not self.stored.is_blind:
            return self
        return DiplomacyGame(replace_fields(self._state_seen_by(seat), is_blind=False))

    def report_seen_by(self, seat: seam.SeatId | None, report: seam.Report) -> seam.Report:
        if not self.stored.is_blind:
            return report
        stored = report.seats.get(seat) if seat is not None else None
        own = OwnReport.from_bytes(stored) if stored is not None else None
        powers = own.powers if own else self.variant.seating.get(seat or "", ())
        told = PhaseReport.from_bytes(report.public)
        seen = seen_report(load_variant(told.variant).board, told, powers)
        parts = {seat: seen_own_report(seen, own).to_raw()} if seat and own else {}
        return seam.Report(seen.to_raw(), parts)

    def _state_seen_by(self, seat: seam.SeatId | None) -> GameState:
        """The state as a seat sees it; in most games all of it."""
        if not self.stored.is_blind:
            return self.stored
        if seat not in self._known:
            powers = self.variant.seating.get(seat or "", ())
            self._known[seat] = seen_state(self.variant.board, self.stored, powers)
        return self._known[seat]

    def view(self, seat: seam.SeatId | None) -> msgspec.Raw:
        variant, rules, known = self.variant, self.rules, self.stored
        own, unseen = variant.seating.get(seat or "", ()), tuple[ProvinceId, ...]()
        if self.stored.is_blind:
            known = self._state_seen_by(seat)
            unseen = unseen_of(variant.board, sight_of(variant.board, self.stored, own))
        from_home = rules.civil_disorder_removal is CivilDisorderRemoval.HOME_CENTERS
        dues: list[Adjustment] = []
        if self.position.phase.kind is PhaseKind.ADJUSTMENT:
            asked = [power for power in variant.powers if power.id in own or not unseen]
            dues = [adjustment_due(self.position, power) for power in asked]
        return View(
            **asdict(known),
            kind=self.position.phase.kind,
            seat=seat,
            powers=variant.power_ids,
            adjustments=tuple(due for due in dues if due.builds or due.disbands),
            may_waive=rules.waiving is Waiving.MAY,
            from_home=from_home and variant.builds is not Builds.ANY,
            own=own,
            unseen=unseen,
        ).to_raw()


_ON_BOARD = ("units", "owners", "dislodged", "contested")  # what states and positions share


def _position(stored: GameState) -> Position:
    """The position of a state."""
    shared = {name: getattr(stored, name) for name in _ON_BOARD}
    return Position(phase=parse_phase(stored.label), **shared)


@lru_cache(maxsize=64)
def _words_of_power_names(variant: Variant) -> frozenset[str]:
    """The words of all names of powers, as `France, Fall 1901` has them."""
    names = [name for power in variant.power_ids for name in power_names(variant, power)]
    return frozenset(
        word for name in names for word in normalize(name).text.split() if len(word) > 1
    )
