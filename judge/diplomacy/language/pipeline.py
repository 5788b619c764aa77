"""All stages together: a letter's lines as the orders of one seat in one position.

Makes notes of what was filled in and problems of what could not be taken. Never guesses: what has
two meanings is asked.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.blanket_orders import (
    BlanketOrder,
    blanket_order,
    blanket_with_remark,
    spell_out,
)
from judge.diplomacy.language.board_reading import order_for_only_dislodged, read_item
from judge.diplomacy.language.cross_checks import with_warnings, without_excess, without_replaced
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed, Prose
from judge.diplomacy.language.letter_lines import Row, rows_to_read
from judge.diplomacy.language.lexicon import KINDS, lexicon, listed, scripts
from judge.diplomacy.language.lines.doubts import clause_at, is_told
from judge.diplomacy.language.lines.line_reading import LINE_LONGEST, read_line
from judge.diplomacy.language.lines.prose import tells
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.proposals.followers import ask_by_neighboring_orders
from judge.diplomacy.language.proposals.likeliest import ask_likeliest
from judge.diplomacy.language.proposals.particles import ask_by_clauses
from judge.diplomacy.language.proposals.suggestions import (
    SUGGESTIONS_MOST,
    legal_orders_among,
    with_example_lines,
)
from judge.diplomacy.language.proposals.unlikely_orders import ask_about_unlikely
from judge.diplomacy.language.proposals.ways import ask_by_way
from judge.diplomacy.language.talk import (
    Unsure,
    ask_about_units,
    asks_of_rules,
    denies_move,
    leave_talk,
)
from judge.diplomacy.language.tokens import in_line_order, tokenize
from judge.diplomacy.notation import parse_canonical, to_written_order
from judge.diplomacy.orders import AnyOrder, WrittenUnit
from judge.diplomacy.outcomes import Void
from judge.diplomacy.records import ReadingKind

_NAME_LONGEST = 40  # letters
_YEAR = re.compile(r"(?<![0-9])1[89][0-9]{2}(?![0-9])")
SUGGESTED_FAULTS = 20  # of a letter; those after them are named as not read


def read_canonical(context: OrderContext, lines: Sequence[str]) -> tuple[Taken, ...]:
    """The short way for lines that are all movement orders as the judge itself writes them.

    Nothing is filled in, doubted or asked: they are what `read_orders` makes of them. Empty if one
    of them is anything else, and where units are not known or named as they stand (blind games).
    """
    if context.position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    words = lexicon(context.variant)
    found: list[Read] = []
    keys: set[str] = set()
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        written = parse_canonical(line, words)
        order = context.order_on_board(written) if written is not None else None
        if order is None or isinstance(order, Void) or to_written_order(order) != written:
            return ()
        found.append(Taken(number, 0, line, order))
        keys.add(order_key(order))
    if len(keys) < len(found):
        found = without_replaced(found)
    done = with_warnings(context, found)
    return tuple(each for each in done if isinstance(each, Taken))


def read_orders(context: OrderContext, lines: Sequence[str]) -> tuple[Read, ...]:
    """What the lines say, in their order; one order a unit, the last that could be read."""
    letter = _Letter(context)
    own = {unit.location.province for unit in context.units}
    for row in rows_to_read(lines, context.lexicon, own):
        letter.read_row(row)
    found = letter.found
    _take_lone_place_as_retreat(context, found, letter.answers)
    ask_by_neighboring_orders(context, found, letter.items)
    if context.partners:
        _assign_waives_to_powers(context, found, letter.nameless)
    leave_talk(context, found, letter.unsure)
    found += spell_out(context, letter.blankets, found, letter.texts)
    ask_about_units(context, found, letter.unsure)
    ask_by_clauses(context, found, letter.texts)
    ask_by_clauses(context, found, letter.texts, is_last=True)
    ask_likeliest(context, found, letter.texts | letter.past)
    ask_about_unlikely(context, found, letter.texts)
    _propose_support_moves_first(context, found)
    found.sort(key=lambda read: read.number)
    found = without_excess(context, without_replaced(_asked_once(found)))
    found = [
        with_example_lines(context, each) if isinstance(each, Untaken) else each for each in found
    ]
    return tuple(with_warnings(context, found))


@dataclass
class _Letter:
    """A letter while its rows are read, one after the other.

    Attributes:
        found: what was read so far; the numbers below count in it.
        blankets: orders for all units, which are spelled out when all rows are read.
        items: what the language made of each text.
        unsure: texts that are no orders, and may be meant as such.
        answers: what a place alone would mean.
        nameless: waives that do not say whose build.
        texts: by line number, what may be proposed for as a whole.
        past: the same, of lines that name a year before this one.
        faults: how many texts could not be taken.
    """

    context: OrderContext
    found: list[Read] = field(default_factory=list)
    blankets: list[BlanketOrder] = field(default_factory=list)
    items: dict[int, Item] = field(default_factory=dict)
    unsure: dict[int, Unsure] = field(default_factory=dict)
    answers: dict[int, AnyOrder] = field(default_factory=dict)
    nameless: set[int] = field(default_factory=set)
    texts: dict[int, str] = field(default_factory=dict)
    past: dict[int, str] = field(default_factory=dict)
    faults: int = 0

    @cached_property
    def may_waive(self) -> bool:
        context = self.context
        return context.is_adjustment and any(context.dues(one).builds for one in context.powers)

    def read_row(self, row: Row) -> None:
        context, number, line = self.context, row.number, row.text
        if by_kind := _retreats_by_kind(context, number, line):
            self.found += by_kind
            return
        if not row.doubt and asks_of_rules(line, context):
            self.found.append(Said(number, line.strip()))
            return
        if not row.doubt and not row.meant and not row.items:
            asked, line, unread = ask_by_way(context, number, line)
            self.found += asked
            if not line.strip():
                return
            row = replace(row, doubt=unread)
        order = row.items[0].readings[0] if row.items else None
        may_be_all = isinstance(order, o.WrittenWaive | o.WrittenDisband | o.WrittenHold | None)
        if may_be_all and not row.doubt:
            whole, remark = blanket_with_remark(context, line, number)
            if whole is not None:
                self.blankets.append(whole)
                self.found += [Said(number, remark)] if remark else []
                return
        if not row.doubt and (other := _other_year(context, line) or _other_power(context, line)):
            row = replace(row, doubt=other)
            is_past = other.isdecimal() and int(other) < context.position.phase.year
            is_weighed = is_past or _is_power_only_mentioned(context, line)
            self.past |= {number: line} if is_weighed and len(line) <= LINE_LONGEST else {}
        items = row.items or read_line(line, context.lexicon)
        if self.may_waive and len(items) == 1 and (waive := _abbreviated_waive(items[0])):
            items = (waive,)
        if row.doubt or row.meant:
            items = tuple(_put_in_doubt(item, row) for item in items)
        elif len(line) <= LINE_LONGEST:
            self.texts[number] = line
        for item in items:
            self._read_piece(row, line, item, items)

    def _read_piece(self, row: Row, line: str, item: Item, items: Sequence[Item]) -> None:
        """Read a piece of a line, one of these."""
        context, number, written = self.context, row.number, line[item.start : item.end]
        said = clause_at(line, item.start, item.end)
        if len(items) > 1:
            # Words right before it, in a script without spaces, say of whom it is:
            # 靴跟上的那支陸軍留在原地 is about one army.
            _, unspaced = scripts()
            before = re.search(rf"[{unspaced}]+$", line[: item.start])
            is_apart = before is None or before[0] in listed("everyone", "around")
            blanket = blanket_order(written, number, item.start) if is_apart else None
            if blanket is None and self.may_waive and isinstance(item, Prose):
                # 另外一個名額放棄不建: its first word joins clauses
                rest = blanket_order(said.strip(" ,，、"), number, item.start)
                blanket = rest if rest and rest.verb == "waive" else None
            if blanket is not None:
                self.blankets.append(blanket)
                return
        place = item.answer if isinstance(item, Prose) and not row.is_signed else None
        if place is not None and (answer := order_for_only_dislodged(context, place)):
            self.answers[len(self.found)] = answer
        is_read = isinstance(item, Parsed) or (isinstance(item, Faulty) and bool(item.doubted))
        if not is_read and said and (is_told(said) or tells(said, context.lexicon)):
            self.found += [Said(number, written.strip())] if written.strip() else []
            return
        is_beside = any(isinstance(each, Parsed) for each in items)
        is_tired = self.faults >= SUGGESTED_FAULTS
        for read in read_item(context, number, written, item, is_tired=is_tired):
            at = len(self.found)
            self.faults += isinstance(read, Untaken)
            if isinstance(item, Parsed):
                waive = item.readings[0]
                if isinstance(waive, o.WrittenWaive) and waive.power is None:
                    self.nameless.add(at)
            elif not is_read:
                is_question = re.search("[?？]", line[item.start :]) is not None
                is_denied = item.segment[1:] == () and denies_move(line, context.lexicon)
                self.unsure[at] = Unsure(item, is_question, is_beside, is_denied)
            self.items[at] = item
            self.found.append(read)


def _asked_once(found: Sequence[Read]) -> list[Read]:
    """The readings without a second question of a line that proposes the same order first."""
    done: dict[object, Read] = {}
    for at, read in enumerate(found):
        first = next(iter(read.proposals), None) if isinstance(read, Untaken) else None
        done.setdefault(at if first is None else (read.number, first), read)
    return [*done.values()]


def _propose_support_moves_first(context: OrderContext, found: list[Read]) -> None:
    """Ask about the support of a unit's move before that of the unit where it stands, if the letter
    orders the move: `A Mar - Pie`, `F Lyo backs the move of Mar`."""
    moves = {
        order_key(read.order): read.order
        for read in found
        if isinstance(read, Taken) and isinstance(read.order, o.Move)
    }
    for at, read in enumerate(found):
        match read:
            case Untaken(proposals=(o.SupportHold() as hold, *_)):
                move = moves.get(hold.supported.location.province)
                units = WrittenUnit(hold.unit.location), WrittenUnit(hold.supported.location)
                meant = [o.WrittenSupportMove(*units, move.target)] if move else []
                proposals = dict.fromkeys((*legal_orders_among(context, meant), *read.proposals))
                found[at] = replace(read, proposals=tuple(proposals)[:SUGGESTIONS_MOST])


def _abbreviated_waive(item: Item) -> Parsed | None:
    """The waive that a letter says where builds are due: `w`, `Germany: w`, `build w`."""
    if not isinstance(item, Prose):
        return None
    said = [token for token in item.segment if token.word != "B"]
    power = o.PowerId(said.pop(0).word[1:]) if said and said[0].word[0] == "@" else None
    if [token.text for token in said] not in [[each] for each in listed("writing", "waives")]:
        return None
    return Parsed(item.start, item.end, (o.WrittenWaive(1, power),))


def _put_in_doubt(item: Item, row: Row) -> Item:
    """An order of a line that a heading puts in doubt, or that may be meant in two ways."""
    if not isinstance(item, Parsed):
        return replace(item, is_turned=True) if isinstance(item, Faulty) else item
    kind = ReadingKind.OPEN if row.meant else ReadingKind.DOUBTED
    fault = Fault(kind, item.start, item.end, row.doubt)
    return Faulty(item.start, item.end, fault, (), item.readings, row.meant)


def _other_year(context: OrderContext, line: str) -> str:
    """A year on a line that is not the phase's: `Spring 1901: A Par - Bur`; "" if there is none."""
    years = _YEAR.findall(line)
    return "" if str(context.position.phase.year) in years else next(iter(years), "")


def _other_power(context: OrderContext, line: str) -> str:
    """Whose orders a line says that it has, if they are not the writer's: `The orders of Italy:
    ...`; "" if it does not."""
    heading, colon, _ = line.partition(":")
    if not colon or len(heading) > _NAME_LONGEST:
        return ""
    said = tokenize(heading, context.lexicon)
    powers = [token for token in said if token.word[0] == "@"]
    is_other = powers and not any(token.word[1:] in context.powers for token in powers)
    is_heading = len(heading.split()) > len(powers) and not any(token.is_place for token in said)
    return powers[0].text if is_other and is_heading else ""


def _is_power_only_mentioned(context: OrderContext, line: str) -> bool:
    """Whether a heading names another power only as whom the orders are against (`A double blow at
    Austria: ...`), or whom its writer speaks of: `I gave Turkey my word: ...`."""
    heading = line.partition(":")[0]
    power = next((t for t in tokenize(heading, context.lexicon) if t.word[0] == "@"), None)
    words = normalize(heading[: power.start]).text.split() if power else []
    is_own = f"{words[0]} ".startswith(listed("doubts", "speaking")) if words else False
    return len(words) > 1 and (words[-1] in listed("doubts", "facing") or is_own)


def _take_lone_place_as_retreat(
    context: OrderContext, found: list[Read], answers: Mapping[int, AnyOrder]
) -> None:
    """Take a place that stands alone for the retreat of the one unit that is asked, if the letter
    has no other order for it, and names one place only."""
    keys = {order_key(read.order) for read in found if isinstance(read, Taken)}
    keys |= {read.key for read in found if isinstance(read, Untaken) and read.key}
    orders = [order for order in dict.fromkeys(answers.values()) if order_key(order) not in keys]
    for at, order in answers.items():
        said = found[at]
        assert isinstance(said, Said)
        if orders == [order]:
            found[at] = Taken(said.number, 0, said.text, order)
        elif orders:
            found[at] = context.make_untaken(said.number, said.text, proposals=tuple(orders))
            return


def _assign_waives_to_powers(
    context: OrderContext, found: list[Read], nameless: Collection[int]
) -> None:
    """Make each waive that names no power that of one which has builds left."""
    left = {power: context.dues(power).builds for power in context.powers}
    orders = [*(read.order for read in found if isinstance(read, Taken)), *context.stored]
    built = {order_key(each): each.unit.power for each in orders if isinstance(each, o.Build)}
    for power in built.values():
        left[power] -= 1
    for at, read in enumerate(found):
        if isinstance(read, Taken) and isinstance(read.order, o.Waive):
            power = read.order.power
            if at in nameless:
                power = next((one for one in context.powers if left[one] > 0), power)
                found[at] = replace(read, order=o.Waive(power))
            left[power] -= 1


def _retreats_by_kind(context: OrderContext, number: int, line: str) -> list[Read]:
    """Questions about retreats of units that only their kinds tell apart: `The army to Ruhr, the
    fleet to Kiel`."""
    units = {each.unit.kind.value: each.unit for each in context.dislodged}
    if len(units) < 2 or len(units) < len(context.dislodged):
        return []
    tokens = in_line_order(tokenize(line, context.lexicon))
    kinds = [token.word for token in tokens if token.word in KINDS]
    places = [token.locations[0] for token in tokens if token.is_place]
    is_told = sorted(kinds) == sorted(units) and len(places) == len(kinds)
    if not is_told or any(token.word == "D" for token in tokens):
        return []
    asked = [WrittenUnit(units[kind].location, units[kind].kind) for kind in kinds]
    orders = [o.WrittenRetreat(unit, to) for unit, to in zip(asked, places, strict=True)]
    return [
        context.make_untaken(number, line, ReadingKind.OPEN, (order,), order_key(order))
        for order in legal_orders_among(context, orders)
    ]
