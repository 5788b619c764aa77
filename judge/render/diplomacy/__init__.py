"""The words of Diplomacy: what its reports, views, notes and problems say to people."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from judge.diplomacy.orders import PowerId
from judge.diplomacy.records import OwnReport, PhaseReport, View
from judge.render.catalogue import N_, say
from judge.render.diplomacy.fallbacks import about_advance, line_rows
from judge.render.diplomacy.notes import note_words
from judge.render.diplomacy.position import position_words
from judge.render.diplomacy.problems import problem_words
from judge.render.diplomacy.results import result_words
from judge.render.diplomacy.sharing import variant_notes
from judge.render.diplomacy.tasks import task_words, without_words
from judge.render.diplomacy.words import Names, phase_words, variant_words
from judge.render.part import join_names
from judge.rulebook import (
    NO_JSON,
    Line,
    Note,
    OrderSet,
    Problem,
    ProblemWords,
    Renderer,
    ResultWords,
    Row,
    SeatId,
    Task,
    Translator,
)

PHASE_KINDS = {
    "movement": N_("Movement"),
    "retreat": N_("Retreat"),
    "adjustment": N_("Adjustment"),
}


@lru_cache(maxsize=16)
def _view(view: bytes) -> View:
    return View.from_bytes(view)


class DiplomacyWords:
    """The `GameWords` of one variant in one language."""

    def __init__(self, variant: str, translator: Translator) -> None:
        self._names = Names(variant, translator)

    def _own_powers(self, view: View, seat: SeatId) -> tuple[PowerId, ...]:
        """The powers of a seat; of the view's own reader those that they have by now."""
        return view.own if view.seat == seat else self._names.powers_of(seat)

    def seat_name(self, seat: SeatId) -> str:
        names = [self._names.power(power) for power in self._names.powers_of(seat)]
        return join_names(names, self._names.words)

    def seat_brief(self, seat: SeatId) -> str:
        return "/".join(self._names.power(power) for power in self._names.powers_of(seat))

    def seat_size(self, seat: SeatId) -> int:
        return len(self._names.powers_of(seat))

    def phase_name(self, label: str) -> str:
        return phase_words(label, self._names.words)

    def rows(self, lines: Sequence[Line]) -> tuple[Row, ...]:
        return line_rows(lines, self._names)

    def about_advance(self, label: str) -> str:
        return about_advance(label, self._names.words)

    def note(self, view: msgspec.Raw, note: Note) -> str:
        return note_words(_view(bytes(view)), note, self._names.words)

    def problem(self, view: msgspec.Raw, problem: Problem) -> ProblemWords:
        return problem_words(_view(bytes(view)), problem, self._names.words)

    def without(self, view: msgspec.Raw, seat: SeatId, orders: OrderSet) -> str:
        seen = _view(bytes(view))
        return without_words(seen, self._own_powers(seen, seat), orders, self._names.words)

    def task(self, view: msgspec.Raw, seat: SeatId) -> Task | None:
        seen = _view(bytes(view))
        return task_words(seen, self._own_powers(seen, seat), self._names.words)

    def results(self, report: msgspec.Raw, own: msgspec.Raw, seat: SeatId | None) -> ResultWords:
        part = OwnReport.from_bytes(own) if seat is not None and own != NO_JSON else None
        return result_words(PhaseReport.from_bytes(report), part, self._names.words)

    def position(self, view: msgspec.Raw) -> str:
        return position_words(_view(bytes(view)), self._names.words)

    def variant_notes(self, view: msgspec.Raw) -> tuple[str, ...]:
        return variant_notes(_view(bytes(view)), self._names.words)


class _Renderer:
    """Diplomacy behind the seam's `Renderer`."""

    def words(self, variant: str, translator: Translator) -> DiplomacyWords:
        return DiplomacyWords(variant, translator)

    def variant_name(self, variant: str, translator: Translator) -> str:
        return variant_words(variant, translator)

    def phase_kind_name(self, kind: str, translator: Translator) -> str:
        return say(translator, PHASE_KINDS[kind])


RENDERER: Renderer = _Renderer()
