"""The words of Diplomacy: what its reports, views, notes and problems say to people."""

from collections.abc import Sequence

from judge.diplomacy.orders import PowerId
from judge.diplomacy.records import OwnReport, PhaseReport, View
from judge.render.diplomacy.fallbacks import about_advance, line_rows
from judge.render.diplomacy.notes import note_words, refused_words
from judge.render.diplomacy.position import position_words
from judge.render.diplomacy.problems import problem_words
from judge.render.diplomacy.results import result_words
from judge.render.diplomacy.sharing import remarks
from judge.render.diplomacy.tasks import task_words, without_words
from judge.render.diplomacy.words import phase_words, power_name, seat_powers, variant_words
from judge.render.part import join_names
from judge.rulebook import (
    JsonObject,
    Line,
    Note,
    OrderSet,
    Problem,
    ProblemWords,
    Refused,
    Renderer,
    ResultWords,
    Row,
    SeatId,
    Task,
    Translator,
)


def _own_powers(view: View, seat: SeatId) -> tuple[PowerId, ...]:
    """The powers of a seat; of the view's own reader those that he has by now."""
    return view.own if view.seat == seat else seat_powers(seat)


class _Renderer:
    """Diplomacy behind the seam's `Renderer`: takes JSON apart and asks the module of each part."""

    def seat_name(self, seat: SeatId, words: Translator) -> str:
        return join_names([power_name(power, words) for power in seat_powers(seat)], words)

    def seat_brief(self, seat: SeatId, words: Translator) -> str:
        return "/".join(power_name(power, words) for power in seat_powers(seat))

    def seat_size(self, seat: SeatId) -> int:
        return len(seat_powers(seat))

    def variant_name(self, variant: str, words: Translator) -> str:
        return variant_words(variant, words)

    def phase_name(self, label: str, words: Translator) -> str:
        return phase_words(label, words)

    def rows(self, view: JsonObject, lines: Sequence[Line], words: Translator) -> tuple[Row, ...]:
        return line_rows(View.from_json(view).variant, lines, words)

    def about_advance(self, label: str, words: Translator) -> str:
        return about_advance(label, words)

    def note(self, view: JsonObject, note: Note, words: Translator) -> str:
        return note_words(View.from_json(view), note, words)

    def problem(self, view: JsonObject, problem: Problem, words: Translator) -> ProblemWords:
        return problem_words(View.from_json(view), problem, words)

    def without(
        self, view: JsonObject, seat: SeatId, order_set: OrderSet, words: Translator
    ) -> str:
        seen = View.from_json(view)
        return without_words(seen, _own_powers(seen, seat), order_set, words)

    def task(self, view: JsonObject, seat: SeatId, words: Translator) -> Task | None:
        seen = View.from_json(view)
        return task_words(seen, _own_powers(seen, seat), words)

    def results(
        self, report: JsonObject, own: JsonObject, seat: SeatId | None, words: Translator
    ) -> ResultWords:
        part = OwnReport.from_json(own) if seat is not None and own else None
        return result_words(PhaseReport.from_json(report), part, words)

    def position(self, view: JsonObject, words: Translator) -> str:
        return position_words(View.from_json(view), words)

    def remarks(self, view: JsonObject, words: Translator) -> tuple[str, ...]:
        return remarks(View.from_json(view), words)

    def refusal(self, refused: Refused, words: Translator) -> str:
        return refused_words(refused, words)


RENDERER: Renderer = _Renderer()
