"""A game's state, opened: what there is to see, who is asked, and what comes of orders."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from judge.diplomacy.adjustments import adjustment_due
from judge.diplomacy.building_rule import Builds
from judge.diplomacy.calendar import Phase as BoardPhase
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.chosen import Chosen
from judge.diplomacy.chronicle import own_report, phase_report, powers_in_play
from judge.diplomacy.ends import End
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.language.order_context import OrderContext
from judge.diplomacy.language.phase_names import coming_phases
from judge.diplomacy.notation import parse_order
from judge.diplomacy.orders import AnyOrder, PowerId, WrittenOrder
from judge.diplomacy.outcomes import Void
from judge.diplomacy.position import Position
from judge.diplomacy.records import Adjustment, GameState, View
from judge.diplomacy.rules import (
    CivilDisorderRemoval,
    Rules,
    Waiving,
)
from judge.diplomacy.sequence import Played, play
from judge.diplomacy.sides import joining_of, powers_of, running_variant, toss
from judge.diplomacy.variants.options import JOINED
from judge.diplomacy.variants.tables import VictoryBy
from judge.diplomacy.variants.variant import Variant
from judge.rulebook import (
    JsonObject,
    OrderSet,
    Report,
    Resolution,
    SeatId,
    State,
    Stream,
)

ADVANCE_PHASES = 15  # that lines can be stored for, the running one included: three years


def state_of(
    position: Position,
    chosen: Chosen,
    *,
    serial: int,
    quiet_years: int = 0,
    end: End | None = None,
    joined: str = "",
) -> GameState:
    """The state of a game that waits in this position, or is over by it."""
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


class Table:
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

    def context(self, seat: SeatId, order_set: OrderSet = ()) -> OrderContext:
        """Where the orders of a seat are read in the running phase."""
        power, *partners = self.powers_of(seat)
        empty = OrderContext(
            self.variant, self.rules, self.position, power, partners=tuple(partners)
        )
        return replace(empty, stored=stored_orders(empty, order_set)) if order_set else empty

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
        return coming_phases(self.variant.calendar, self.position.phase, ADVANCE_PHASES)

    def after(self) -> tuple[BoardPhase, BoardPhase]:
        """The retreats and the adjustments that come next, skipped or not."""
        retreats, builds = self.following(self.position.phase)
        assert retreats is not None
        assert builds is not None
        return retreats, builds

    def following(self, phase: BoardPhase) -> tuple[BoardPhase | None, BoardPhase | None]:
        """The retreats and the adjustments after a phase that comes, skipped or not; None where
        lines can not be stored for them yet."""
        coming = self.coming()
        later = coming[coming.index(phase) + 1 :]
        retreats, builds = (
            next((phase for phase in later if phase.kind is kind), None)
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
        state = state_of(
            before,
            Chosen(self.variant, self.game.options, self.game.rules, self.game.choices),
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


def stored_orders(context: OrderContext, order_set: OrderSet) -> tuple[AnyOrder, ...]:
    """The orders of a stored sheet that can be given now."""
    fitted = [context.fit(order) for order in orders_of(context.variant, order_set)]
    return tuple(order for order in fitted if not isinstance(order, Void))


def orders_of(variant: Variant, order_set: OrderSet) -> tuple[WrittenOrder, ...]:
    """The orders of stored lines; lines that do not read are left out."""
    read = [parse_order(line.text, variant) for line in order_set]
    return tuple(order for order in read if not isinstance(order, Fault))
