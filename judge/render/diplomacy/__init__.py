"""The words of Diplomacy: what its reports, views, notes and problems say to people."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from judge import rulebook as seam
from judge.blocks import Block, Row
from judge.data import language_data
from judge.diplomacy.calendar import PhaseKind, parse_phase
from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import PowerId, ProvinceId
from judge.diplomacy.records import PhaseReport, View
from judge.diplomacy.rules import UnknownChoice
from judge.diplomacy.variants.variant import local_title
from judge.render.catalogue import SOURCE_LANGUAGE, comma_names, sentence_tables
from judge.render.diplomacy.charts import center_table, centers_chart
from judge.render.diplomacy.classic import classic_position, classic_report
from judge.render.diplomacy.lines import line_rows, order_row
from judge.render.diplomacy.maps import phase_map, position_map
from judge.render.diplomacy.names import Names, names_of
from judge.render.diplomacy.position import board_words, position_words, variant_notes
from judge.render.diplomacy.problems import note_words, problem_words
from judge.render.diplomacy.results import result_words
from judge.render.diplomacy.tasks import task_words, without_words
from judge.render.layout import first_that_fits
from judge.render.pictures import Picture
from judge.rulebook import NO_JSON, Message, Occasion, SeatId

# How orders note what their words say; `grammar/<language>/orders.toml` has the words.
ORDER_SIGNS = {
    "army": "A",
    "fleet": "F",
    "hold": "H",
    "move": "-",
    "support": "S",
    "convoy": "C",
    "via": "VIA",
    "retreat": "R",
    "disband": "D",
    "build": "B",
    "waive": "WAIVE",
}
EXAMPLES_BOARD = "standard"  # where the orders stand that HELP shows
MOST_WORDS, LONGEST_WORD = 3, 3  # of a language for each, and signs of one that is not Latin


class _Tables(msgspec.Struct, frozen=True):
    occasions: dict[Occasion, Message]
    agreed_ends: dict[str, str]
    endings: dict[str, Message]
    phase_kinds: dict[str, str]
    agreed: dict[str, str]
    examples: dict[str, str]
    introduction: dict[str, str]


SENTENCES = sentence_tables("hosting.toml", _Tables)


@lru_cache(maxsize=64)
def _view(data: bytes) -> View:
    return View.from_bytes(data)


class DiplomacyWords:
    """The `GameWords` of one variant in one language; every name comes from its `Names`."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.seat_name, self.seat_brief, self.phase_name = names.seat, names.seat_brief, names.phase

    @property
    def power_names(self) -> tuple[str, ...]:
        return tuple(self._names.power(power.id) for power in self._names.variant.powers)

    def place_name(self, place: str) -> str:
        return self._names.province_in_sentence(ProvinceId(place))

    def power_count(self, seat: SeatId) -> int:
        return len(self._names.powers_of(seat))

    def pace(self, length: str) -> str:
        return self._names.say("{time} for a movement phase", time=length)

    def score(self, n: int) -> str:
        return self._names.count("{n} center", "{n} centers", n)

    def occasion(self, occasion: Occasion, seats: Sequence[SeatId], **values: str) -> str:
        powers = self._names.seats(seats)
        n = len(seats) if occasion is Occasion.SEAT_VACATED else sum(map(self.power_count, seats))
        message = SENTENCES.occasions[occasion]
        return self._names.tell(message, n, powers=powers, power=powers, **values)

    def agreed_end(self, vote: str, seats: Sequence[SeatId]) -> str:
        key, names = vote if seats or vote == "draw" else "none", self._names
        return names.say(SENTENCES.agreed_ends[key], powers=names.seats(seats))

    def ending(self, ending: str, winners: Sequence[SeatId]) -> tuple[str, str]:
        names, n = self._names, sum(map(self.power_count, winners))
        named = (names.seats(winners), names.listed(map(names.seat_brief, winners)))
        message = SENTENCES.endings.get(ending, SENTENCES.endings["draw"])
        verdict = first_that_fits(names.tell(message, n, powers=powers) for powers in named)
        if ending != "draw":
            return verdict, ""
        return verdict, names.say("The draw is shared by {powers}.", powers=named[0])

    def score_table(self, history: Sequence[tuple[str, Mapping[SeatId, int]]]) -> Block:
        return center_table(history, self._names)

    def rows(self, lines: Sequence[seam.Line]) -> tuple[Row, ...]:
        return line_rows(lines, self._names)

    def about_advance_orders(self, label: str) -> str:
        say, kind = self._names.say, parse_phase(label).kind
        if kind is PhaseKind.ADJUSTMENT:
            return say("The judge takes as many of these orders as are due, from the top.")
        if kind is PhaseKind.RETREAT and self._names.language != SOURCE_LANGUAGE:
            # In English it stands beside each of the lines.
            return say(
                "A unit goes to the first place of its line that is open; if none is, it disbands."
            )
        return ""

    def note(self, note: seam.Note) -> str:
        return note_words(note, self._names)

    def problem(self, view: msgspec.Raw, problem: seam.Problem) -> seam.ProblemWords:
        return problem_words(_view(bytes(view)), problem, self._names)

    def if_no_more_orders_come(self, view: msgspec.Raw, seat: SeatId, orders: seam.OrderSet) -> str:
        seen = _view(bytes(view))
        return without_words(seen, self._powers_of(seat, seen), orders, self._names)

    def task(self, view: msgspec.Raw, seat: SeatId) -> seam.Task | None:
        seen = _view(bytes(view))
        return task_words(seen, self._powers_of(seat, seen), self._names)

    def _powers_of(self, seat: SeatId, view: View) -> tuple[PowerId, ...]:
        """The powers of a seat; of the view's own reader those that they have by now."""
        return view.own if view.seat == seat else self._names.powers_of(seat)

    def results(
        self, report: msgspec.Raw, own: msgspec.Raw, seat: SeatId | None
    ) -> seam.ResultWords:
        return result_words(report, own if seat is not None else NO_JSON, self._names)

    def position(self, view: msgspec.Raw) -> tuple[Block, ...]:
        return position_words(_view(bytes(view)), self._names)

    def board(self) -> tuple[Block, ...]:
        return board_words(self._names)

    def position_picture(self, view: msgspec.Raw) -> Picture:
        return position_map(_view(bytes(view)), self._names)

    def report_picture(self, reports: Sequence[msgspec.Raw]) -> Picture:
        first, last = (PhaseReport.from_bytes(reports[at]) for at in (0, -1))
        return phase_map(msgspec.structs.replace(first, owners=last.owners), self._names)

    def classic_report(
        self, reports: Sequence[msgspec.Raw], frame: seam.ReportFrame
    ) -> seam.ClassicReport:
        ran = [PhaseReport.from_bytes(one) for one in reports]
        return classic_report(ran, *self._in_english(frame))

    def classic_position(
        self, view: msgspec.Raw, frame: seam.ReportFrame, *, is_start: bool = False
    ) -> seam.ClassicReport:
        seen = _view(bytes(view))
        return classic_position(seen, *self._in_english(frame), is_start=is_start)

    def _in_english(self, frame: seam.ReportFrame) -> tuple[seam.ReportFrame, Names]:
        variant = self._names.variant.name
        title = local_title(variant, SOURCE_LANGUAGE)
        return msgspec.structs.replace(frame, variant=title), names_of(variant, SOURCE_LANGUAGE)

    def centers_picture(
        self, history: Sequence[tuple[str, Mapping[SeatId, int]]], view: msgspec.Raw
    ) -> Picture | None:
        seen = _view(bytes(view)) if view != NO_JSON else None
        return centers_chart(history, seen, self._names)

    def variant_notes(self, view: msgspec.Raw) -> tuple[str, ...]:
        return variant_notes(_view(bytes(view)), self._names)


class _Renderer:
    """Diplomacy behind the seam's `Renderer`."""

    def words(self, variant: str, translator: seam.Translator) -> DiplomacyWords:
        return DiplomacyWords(names_of(variant, translator.language))

    def variant_name(self, variant: str, translator: seam.Translator) -> str:
        try:
            return local_title(variant, translator.language)
        except UnknownChoice:
            return variant

    def phase_kind_name(self, kind: str, translator: seam.Translator) -> str:
        return translator.say(SENTENCES.phase_kinds[kind])

    def agreed_ends(self, votes: Sequence[str], translator: seam.Translator) -> str:
        draw = next((vote for vote in ("shared_draw", "draw") if vote in votes), "")
        ends = (draw, "concession" if "concession" in votes else "")
        key = "_or_".join(filter(None, ends))
        return translator.say(SENTENCES.agreed[key]) if key else ""

    def introduction(self, translator: seam.Translator) -> str:
        return "\n".join(translator.say(line) for line in SENTENCES.introduction.values())

    def order_vocabulary(self, translator: seam.Translator) -> Sequence[tuple[str, str]]:
        tables = language_data("orders.toml")
        words = tables.get(translator.language, tables[SOURCE_LANGUAGE]).get("orders", {})
        rows = []
        for use, sign in ORDER_SIGNS.items():
            plain = [one for one in words.get(use, ()) if one.isalpha() and len(one) > 1]
            short = [one for one in plain if one.isascii() or len(one) <= LONGEST_WORD]
            rows.append((sign, comma_names((short or plain)[:MOST_WORDS], translator)))
        return rows

    def order_help(self, translator: seam.Translator) -> tuple[str, tuple[Row, ...]]:
        hint = translator.say(
            "Orders are lines such as A PAR - BUR or F BRE - MAO. Send them as a reply to any "
            "letter of the game. HELP lists what else can be asked for."
        )
        names = names_of(EXAMPLES_BOARD, translator.language)
        examples = (
            (parse_canonical(order), translator.say(meaning))
            for order, meaning in SENTENCES.examples.items()
        )
        return hint, tuple(order_row(order, told, names) for order, told in examples if order)


RENDERER: seam.Renderer = _Renderer()
