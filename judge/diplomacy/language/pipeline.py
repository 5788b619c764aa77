"""All stages together: a letter's lines as the orders of one seat in one position.

Makes notes of what was filled in and problems of what could not be taken. Never guesses: what has
two meanings is asked.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from judge.diplomacy import orders as o
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.blanket_orders import BlanketOrder, blanket_order, spell_out
from judge.diplomacy.language.cross_checks import (
    corrections,
    with_warnings,
    without_excess,
    without_replaced,
)
from judge.diplomacy.language.doubts import clause_at, doubts_in, is_told, takes_back
from judge.diplomacy.language.followers import ask_about_followers
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed, Prose, parse_words
from judge.diplomacy.language.letter_lines import Row, rows_of
from judge.diplomacy.language.lexicon import (
    KINDS,
    UNKNOWN,
    VERBS,
    Lexicon,
    lexicon,
    listed,
    scripts,
)
from judge.diplomacy.language.likeliest import ask_likeliest
from judge.diplomacy.language.line_reading import LINE_LONGEST, read_line
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
)
from judge.diplomacy.language.particles import ask_by_clauses
from judge.diplomacy.language.prose import (
    asks_of_rules,
    is_going_back,
    is_tale,
    is_turned,
    may_be_order,
    only_tells,
    places_of,
    tells,
)
from judge.diplomacy.language.suggestions import (
    SUGGESTIONS_MOST,
    alternatives,
    fitting_orders,
    guesses,
    impossible_order,
    repairs,
    with_lines,
    wrong_part,
)
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, tokenize
from judge.diplomacy.language.unlikely_orders import ask_about_unlikely
from judge.diplomacy.language.ways import ask_by_way
from judge.diplomacy.notation import as_written, format_order, parse_canonical
from judge.diplomacy.orders import AnyOrder, Location, UnitKind, WrittenOrder, WrittenUnit
from judge.diplomacy.outcomes import Void, VoidReason
from judge.diplomacy.records import Expected, NoteKind, NoteValues, ProblemValues, ReadingKind

_BUILDS_ELSEWHERE = (  # reasons that name the open centers
    VoidReason.NOT_A_HOME_CENTER,
    VoidReason.NOBODYS_HOME_CENTER,
    VoidReason.NOT_A_CENTER,
    VoidReason.NOT_OWNED,
    VoidReason.OCCUPIED,
)
_NAME_LONGEST = 40  # letters
_QUESTION = re.compile(r"[?？]")
_CLAUSE_END = re.compile(r"[,.;:!](?=\s|[^\x00-\x7f])|[。，、；！]")
_YEAR = re.compile(r"(?<![0-9])1[89][0-9]{2}(?![0-9])")
SUGGESTED_FAULTS = 20  # of a letter; those after them are named as not read
_OF_MOVEMENT = {Expected.HOLD, Expected.SUPPORT, Expected.CONVOY, Expected.VIA}
_OF_ADJUSTMENT = {Expected.BUILD, Expected.WAIVE, Expected.NUMBER}
_NOT_IN_PHASE = {
    PhaseKind.MOVEMENT: {*_OF_ADJUSTMENT, Expected.RETREAT, Expected.DISBAND},
    PhaseKind.RETREAT: {*_OF_MOVEMENT, *_OF_ADJUSTMENT, Expected.MOVE},
    PhaseKind.ADJUSTMENT: {*_OF_MOVEMENT, Expected.MOVE, Expected.RETREAT},
}


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
        order = context.fit(written) if written is not None else None
        if order is None or isinstance(order, Void) or as_written(order) != written:
            return ()
        found.append(Taken(number, 0, line, order))
        keys.add(order_key(order))
    if len(keys) < len(found):
        found = without_replaced(found)
    done = with_warnings(context, found)
    return tuple(each for each in done if isinstance(each, Taken))


def read_orders(context: OrderContext, lines: Sequence[str]) -> tuple[Read, ...]:
    """What the lines say, in their order; one order a unit, the last that could be read."""
    found: list[Read] = []
    blankets: list[BlanketOrder] = []
    unsure: dict[int, Unsure] = {}
    items_of: dict[int, Item] = {}
    answers: dict[int, AnyOrder] = {}  # what a place alone would mean
    nameless: set[int] = set()  # waives that do not say whose build
    texts: dict[int, str] = {}  # what may be proposed for as a whole
    past: dict[int, str] = {}  # the same, that name a year before this one
    faults = 0
    may_waive = context.is_adjustment and any(context.dues(one).builds for one in context.powers)
    own = {unit.location.province for unit in context.units}
    rows = rows_of(lines, context.words, own)
    for row in rows:
        number, line = row.number, row.text
        if by_kind := _retreats_by_kind(context, number, line):
            found += by_kind
            continue
        if not row.doubt and asks_of_rules(line, context):
            found.append(Said(number, line.strip()))
            continue
        if not row.doubt and not row.meant and not row.items:
            asked, line, unread = ask_by_way(context, number, line)
            found += asked
            if not line.strip():
                continue
            row = replace(row, doubt=unread)
        items = row.items or read_line(line, context.words)
        order = row.items[0].readings[0] if row.items else None
        may_be_all = isinstance(order, o.WrittenWaive | o.WrittenDisband | o.WrittenHold | None)
        if may_waive and len(items) == 1 and (letter := _waive_letter(items[0])):
            items = (letter,)
        said = _without_own_name(context, line)
        whole, remark = None, ""
        if may_be_all and not row.doubt:
            whole, remark = _with_remark(context, said, number)
        if whole is not None:
            blankets.append(whole)
            found += [Said(number, remark)] if remark else []
            continue
        if not row.doubt and (other := _other_year(context, line) or _other_power(context, line)):
            row = replace(row, doubt=other)
            is_past = other.isdecimal() and int(other) < context.position.phase.year
            is_weighed = is_past or _faces_power(context, line)
            past |= {number: line} if is_weighed and len(line) <= LINE_LONGEST else {}
        if not row.doubt and not row.meant:
            texts |= {number: line} if len(line) <= LINE_LONGEST else {}
        else:
            items = tuple(_in_doubt(item, row) for item in items)
        for item in items:
            written = line[item.start : item.end]
            is_apart = not _follows_words(line, item.start)
            if (
                len(items) > 1
                and is_apart
                and (blanket := blanket_order(written, number, item.start))
            ):
                blankets.append(blanket)
                continue
            if may_waive and len(items) > 1 and isinstance(item, Prose):
                all_said = clause_at(line, item.start, item.end).strip(" ,，、")
                if (rest := blanket_order(all_said, number, item.start)) and rest.verb == "waive":
                    blankets.append(rest)  # 另外一個名額放棄不建: its first word joins clauses
                    continue
            place = item.answer if isinstance(item, Prose) and not row.is_signed else None
            if place is not None and (answer := _only_retreat(context, place)):
                answers[len(found)] = answer
            is_tired = faults >= SUGGESTED_FAULTS
            is_beside = any(isinstance(each, Parsed) for each in items)
            is_read = isinstance(item, Parsed) or (isinstance(item, Faulty) and item.doubted)
            clause = "" if is_read else clause_at(line, item.start, item.end)
            if clause and (is_told(clause) or tells(clause, context.words)):
                found += [Said(number, written.strip())] if written.strip() else []
                continue
            for read in _read_item(context, number, written, item, is_tired=is_tired):
                if isinstance(read, Untaken):
                    faults += 1
                if isinstance(item, Prose) or (isinstance(item, Faulty) and not item.doubted):
                    is_question = _QUESTION.search(line, item.start) is not None
                    is_denied = item.segment[1:] == () and _denies_move(line, context.words)
                    unsure[len(found)] = Unsure(item, is_question, is_beside, is_denied)
                elif isinstance(item, Parsed):
                    waive = item.readings[0]
                    if isinstance(waive, o.WrittenWaive) and waive.power is None:
                        nameless.add(len(found))
                items_of[len(found)] = item
                found.append(read)
    _answer(context, found, answers)
    ask_about_followers(context, found, items_of)
    if context.partners:
        found = _with_powers(context, found, nameless)
    _drop_talk(context, found, unsure)
    found += spell_out(context, blankets, found, texts)
    _ask_about_units(context, found, unsure)
    ask_by_clauses(context, found, texts)
    ask_by_clauses(context, found, texts, is_last=True)
    ask_likeliest(context, found, texts | past)
    ask_about_unlikely(context, found, texts)
    found = _with_moves_supported(context, found)
    found.sort(key=lambda read: read.number)
    found = without_excess(context, without_replaced(_asked_once(found)))
    found = [with_lines(context, each) if isinstance(each, Untaken) else each for each in found]
    return tuple(with_warnings(context, found))


def _asked_once(found: Sequence[Read]) -> list[Read]:
    """The readings without a second question of a line that proposes the same order first."""
    done: dict[object, Read] = {}
    for at, read in enumerate(found):
        first = next(iter(read.proposals), None) if isinstance(read, Untaken) else None
        done.setdefault(at if first is None else (read.number, first), read)
    return [*done.values()]


def _with_moves_supported(context: OrderContext, found: Sequence[Read]) -> list[Read]:
    """Questions whether a unit is supported where it stands, with its move first if the letter
    orders one: `A Mar - Pie`, `F Lyo backs the move of Mar`."""
    moves = {
        order_key(read.order): read.order
        for read in found
        if isinstance(read, Taken) and isinstance(read.order, o.Move)
    }
    done = list(found)
    for n, read in enumerate(found):
        hold = next(iter(read.proposals), None) if isinstance(read, Untaken) else None
        if isinstance(read, Untaken) and isinstance(hold, o.SupportHold):
            move = moves.get(str(hold.supported.location.province))
            units = WrittenUnit(hold.unit.location), WrittenUnit(hold.supported.location)
            meant = [o.WrittenSupportMove(*units, move.target)] if move else []
            proposals = tuple(dict.fromkeys((*fitting_orders(context, meant), *read.proposals)))
            done[n] = replace(read, proposals=proposals[:SUGGESTIONS_MOST])
    return done


def _read_item(
    context: OrderContext, number: int, written: str, item: Item, *, is_tired: bool
) -> Iterator[Read]:
    """What a piece of a line says; `is_tired` after the first faults of a letter that has many."""
    order: AnyOrder | None = None
    match item:
        case Parsed(readings=(o.WrittenWaive(power=power, count=count), *_)):
            # One line for each build; a count over what is due is taken as one order too many.
            fitted = context.fit(o.WrittenWaive(1, power))
            if isinstance(fitted, Void):
                yield _refused(context, number, written, item, fitted)
                return
            due = sum(context.dues(each).builds for each in context.powers)
            for each in range(min(count, due + 1)):
                yield Taken(number, item.start + each, written, fitted)
        case Parsed():
            yield _read_parsed(context, number, written, item, is_tired=is_tired)
        case Faulty(doubted=(_, *_), proposed=()) if not any(map(context.key_for, item.doubted)):
            yield Said(number, written.strip())  # of others' units: Germany said that Hol S Bel
        case Faulty() if is_tired:
            yield _not_read(context, number, written)
        case Faulty():
            if places := _bare_targets(item):  # `Retreat to Par`, `파리로 퇴각`
                order = _only_retreat(context, places)
            if order is not None:
                yield Taken(number, item.start, written, order)
            else:
                yield _read_faulty(context, number, written, item)
        case Prose():
            if written.strip():
                yield Said(number, written.strip())


def _follows_words(line: str, start: int) -> bool:
    """Whether words stand directly before a column, in a script without spaces, that say of whom
    the text behind them is: 靴跟上的那支陸軍留在原地 is about one army."""
    _, unspaced = scripts()
    before = re.search(rf"[{unspaced}]+$", line[:start])
    return before is not None and before[0] not in listed("everyone", "around")


def _waive_letter(item: Item) -> Parsed | None:
    """The waive that a letter says where builds are due: `w`, `Germany: w`, `build w`."""
    if not isinstance(item, Prose):
        return None
    said = [token for token in item.segment if token.word != "B"]
    power = o.PowerId(said.pop(0).word[1:]) if said and said[0].word[0] == "@" else None
    if [token.text for token in said] not in [[each] for each in listed("writing", "waives")]:
        return None
    return Parsed(item.start, item.end, (o.WrittenWaive(1, power),))


def _in_doubt(item: Item, row: Row) -> Item:
    """An order of a line that a heading puts in doubt, or that may be meant in two ways."""
    if not isinstance(item, Parsed):
        return replace(item, is_turned=True) if isinstance(item, Faulty) else item
    kind = ReadingKind.OPEN if row.meant else ReadingKind.DOUBTED
    fault = Fault(kind, item.start, item.end, row.doubt)
    return Faulty(item.start, item.end, fault, (), item.readings, row.meant)


def _without_own_name(context: OrderContext, line: str) -> str:
    """A line without the name of an own power that it begins with: `France: all units hold`."""
    first = next(iter(tokenize(line[:_NAME_LONGEST], context.words)), None)
    is_own = first is not None and first.word[1:] in context.powers and first.start == 0
    return line[first.end :].lstrip(" :：,，、") if first and is_own else line


def _with_remark(context: OrderContext, said: str, number: int) -> tuple[BlanketOrder | None, str]:
    """The order for all units that a line is, and what is said behind it without any word of
    orders: `Everything holds, I'm on holiday`."""
    if whole := blanket_order(said, number):
        return whole, ""
    ahead, stop, last = said.rstrip(" 。.!！").rpartition("。")
    if stop and (whole := blanket_order(last, number)) and _is_remark(context, ahead, whole):
        return whole, ahead
    if not (end := _CLAUSE_END.search(said)):
        return None, ""
    whole, remark = blanket_order(said[: end.start()], number), said[end.end() :].strip()
    return (whole, remark) if whole and _is_remark(context, remark, whole) else (None, "")


def _is_remark(context: OrderContext, text: str, whole: BlanketOrder) -> bool:
    """Whether a text beside an order for all units has no word of other orders, and no doubt but
    that it tells of what was."""
    tokens = tokenize(text, context.words)
    plain = {*BETWEEN_ORDERS, UNKNOWN, *("H" if whole.verb == "hold" else "")}
    casual = (*listed("writing", "casual"), *listed("writing", "articles"))
    is_plain = all(t.word in plain or t.text in casual for t in tokens)
    unable = listed("telling", "unable")  # I'm on the train and can't think
    doubts = [text[each.start : each.end].lower() for each in doubts_in(text)]
    is_doubted = takes_back(text) or any(
        not word.endswith(listed("closings", "pasts")) and word not in unable for word in doubts
    )
    is_asked = _QUESTION.search(text) is not None
    return is_plain and not is_tale(text, context.words) and not is_doubted and not is_asked


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
    said = tokenize(heading, context.words)
    powers = [token for token in said if token.word[0] == "@"]
    is_other = powers and not any(token.word[1:] in context.powers for token in powers)
    is_heading = len(heading.split()) > len(powers) and not any(token.is_place for token in said)
    return powers[0].text if is_other and is_heading else ""


def _faces_power(context: OrderContext, line: str) -> bool:
    """Whether a heading names another power only as whom the orders are against (`A double blow at
    Austria: ...`), or whom its writer speaks of: `I gave Turkey my word: ...`."""
    heading = line.partition(":")[0]
    power = next((t for t in tokenize(heading, context.words) if t.word[0] == "@"), None)
    words = normalize(heading[: power.start]).text.split() if power else []
    is_own = f"{words[0]} ".startswith(listed("doubts", "speaking")) if words else False
    return len(words) > 1 and (words[-1] in listed("doubts", "facing") or is_own)


class Unsure(NamedTuple):
    """A text that is no order; in a question; beside an order on its line; on a line that says that
    something does not move."""

    item: Faulty | Prose
    is_question: bool
    is_beside: bool
    is_denied: bool

    def may_be_order(self, context: OrderContext, text: str, given: Collection[str]) -> bool:
        """Whether it may have been meant as one; `given` are keys of the letter's orders."""
        segment = self.item.segment
        is_doubted = self.is_question or (isinstance(self.item, Prose) and any(doubts_in(text)))
        is_arrow = any(t.word == "-" and t.is_sign and not t.is_letters for t in segment)
        if may_be_order(context, segment, is_question=is_doubted and not is_arrow):
            return True
        if not self.is_beside or is_doubted or not segment or not segment[0].is_place:
            return False
        place = segment[0].locations[0].province  # `A Mar - Gas; Paris goes`
        is_open = place not in given and any(u.location.province == place for u in context.units)
        return is_open and not any(t.text in listed("around", "tells") for t in segment[1:2])


def _denies_move(line: str, words: Lexicon) -> bool:
    """Whether a line says that something does not move, and nowhere: `巴黎不移動`."""
    tokens = sorted(tokenize(line, words), key=lambda token: token.start)
    denials = {*listed("doubts", "before"), *listed("around", "against")}
    return any(
        token.word == "-"
        and (token.is_doubted or (at > 0 and tokens[at - 1].text in denials))
        and not any(after.is_place for after in tokens[at + 1 :])
        for at, token in enumerate(tokens)
    )


def _drop_talk(context: OrderContext, found: list[Read], unsure: Mapping[int, Unsure]) -> None:
    """Take for prose what was not meant as an order, or only tells of the letter's orders."""
    orders = [read.order for read in found if isinstance(read, Taken)]
    given, told = set(map(order_key, orders)), places_of(orders)
    for at, each in unsure.items():
        read, item = found[at], each.item
        if not isinstance(read, Untaken) or not isinstance(item, Faulty):
            continue
        is_told = told and all(order_key(order) in given for order in item.proposed)
        if (is_told and only_tells(context, item, told)) or not (
            read.proposals or each.may_be_order(context, read.written, given)
        ):
            found[at] = Said(read.number, read.written.strip())


def _ask_about_units(
    context: OrderContext, found: list[Read], unsure: Mapping[int, Unsure]
) -> None:
    """Ask about prose that may be an order for a unit for which nothing was given."""
    given = {order_key(read.order) for read in found if isinstance(read, Taken)}
    given |= {order_key(order) for order in context.stored}
    asked = {read.key for read in found if isinstance(read, Untaken) and read.key}
    open_units = {unit.location.province for unit in context.units} - given - asked
    for at, each in unsure.items():
        read, segment = found[at], each.item.segment
        places = {place.province for t in segment if t.is_place for place in t.locations}
        if not isinstance(read, Said) or not isinstance(each.item, Prose):
            continue
        if not places & open_units or not each.may_be_order(context, read.text, given):
            continue
        is_sure = any(token.word in VERBS or token.word in KINDS for token in segment)
        is_sure = is_sure or (context.is_adjustment and all(token.is_place for token in segment))
        is_sure = is_sure and not any(token.is_doubted for token in segment)
        is_sure = is_sure and not any(doubts_in(read.text))
        meant = [*guesses(context, segment)] if is_sure else []
        if each.is_denied:
            meant = [o.WrittenHold(WrittenUnit(segment[0].locations[0]))]  # パリは移動しません
        proposals = fitting_orders(context, meant)
        named = {order_key(order) for order in proposals} or places & open_units
        key = str(named.pop()) if len(named) == 1 else None
        kind = ReadingKind.NOT_EXPECTED
        found[at] = context.untaken(read.number, read.text, kind, proposals, key)


def _answer(context: OrderContext, found: list[Read], answers: Mapping[int, AnyOrder]) -> None:
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
            found[at] = context.untaken(said.number, said.text, proposals=tuple(orders))
            return


def _not_read(context: OrderContext, number: int, written: str) -> Untaken:
    values = ProblemValues(label=context.label)
    return Untaken(number, written, 0, len(written), ReadingKind.NOT_READ, values)


# --- orders that were read ------------------------------------------------------------------------


def _read_parsed(
    context: OrderContext, number: int, written: str, item: Parsed, *, is_tired: bool
) -> Taken | Untaken:
    fitted = [(reading, context.fit(reading)) for reading in item.readings]
    fitting = [(reading, order) for reading, order in fitted if not isinstance(order, Void)]
    named = [each for each in fitting if _names_its_kind(context, each[0])]
    if len(named) == 1:  # A Nor H, with one army of one's own
        fitting = named
    if len(fitting) == 1:
        reading, order = fitting[0]
        others = _convoys_meant(context, reading, order) or _shipped(context, reading, written)
        if others or (not named and (others := _other_places(context, reading))):
            return context.untaken(number, written, proposals=(*others, order))
        names_taken = [
            (NoteKind.NAME_TAKEN, NoteValues(word=short.text, place=place, order=order))
            for short in item.shorts
            for place in short.locations
            if str(place) in format_order(reading).split()
        ]
        notes = (*names_taken, *corrections(context, reading, order))
        return Taken(number, item.start, written, order, notes)
    if is_tired:
        return _not_read(context, number, written)
    reading, void = fitted[0]
    if len(fitted) == 1 and isinstance(void, Void):
        standing = impossible_order(context, reading, void)
        if standing is not None:
            return Taken(number, item.start, written, *standing)
        return _refused(context, number, written, item, void)
    short = item.shorts[0]
    start, end = short.start - item.start, short.end - item.start
    keys = {context.key_for(reading) for reading in item.readings}
    return Untaken(
        number,
        written,
        start,
        end,
        ReadingKind.AMBIGUOUS if fitting else ReadingKind.NONE_FITS,
        ProblemValues(word=written[start:end], places=short.locations, label=context.label),
        tuple(order for _, order in fitting[:SUGGESTIONS_MOST]),
        keys.pop() if len(keys) == 1 else None,
    )


def _convoys_meant(
    context: OrderContext, reading: WrittenOrder, order: AnyOrder
) -> tuple[AnyOrder, ...]:
    """What a fleet may be meant to carry that is to go by convoy: `Ionian convoy to Greece`."""
    if not (isinstance(reading, o.WrittenMove) and reading.via_convoy):
        return ()
    moving = [unit for unit in context.units if order_key(order) == unit.location.province]
    if [unit.kind for unit in moving] != [UnitKind.FLEET]:
        return ()
    armies = [WrittenUnit(one.location) for one in context.units if one.kind is UnitKind.ARMY]
    meant = [o.WrittenConvoy(reading.unit, army, reading.target) for army in armies]
    return fitting_orders(context, meant)


def _shipped(context: OrderContext, reading: WrittenOrder, written: str) -> tuple[AnyOrder, ...]:
    """The move by sea that `Ship Wales to London` orders an army."""
    unit = context.own_unit(reading)
    if unit is None or unit.kind is UnitKind.FLEET or not isinstance(reading, o.WrittenMove):
        return ()
    if reading.unit.kind is not UnitKind.FLEET or not written.lower().startswith(
        listed("ways", "shipping")
    ):
        return ()
    return fitting_orders(context, [replace(reading, via_convoy=True)])


def _names_its_kind(context: OrderContext, order: WrittenOrder) -> bool:
    """Whether the own unit there is of the kind that is named, or none is named."""
    unit = context.own_unit(order)
    named = order.unit.kind if not isinstance(order, o.WrittenWaive) else None
    return unit is None or named in (None, unit.kind)


def _other_places(context: OrderContext, order: WrittenOrder) -> tuple[AnyOrder, ...]:
    """The order for a unit in another province that the same short name may mean, as TYR may."""
    if isinstance(order, o.WrittenWaive):
        return ()
    short = str(order.unit.location.province)
    others = context.variant.board.ambiguous.get(short, ())
    orders = [replace(order, unit=replace(order.unit, location=place)) for place in others]
    return fitting_orders(
        context, [each for each in orders if each != order and context.own_unit(each)]
    )


def _refused(context: OrderContext, number: int, written: str, item: Parsed, void: Void) -> Untaken:
    """An order that was read and may not be given."""
    reading, count, places = item.readings[0], 0, void.places
    if context.is_adjustment:
        due = context.dues(context.power_for(reading))
        count = due.disbands if isinstance(reading, o.WrittenDisband) else due.builds
    if not places and void.reason in _BUILDS_ELSEWHERE:
        dues = [
            due for due in map(context.dues, context.powers) if due.builds or not context.partners
        ]
        places = tuple(Location(center) for due in dues for center in due.open)
    start, end = wrong_part(context, written, void)
    values = ProblemValues(
        word=written[start:end],
        unit=context.own_unit(reading),
        order=format_order(reading),
        power=void.unit.power if void.unit else None,
        other=void.unit,
        places=places,
        label=context.label,
        count=count,
    )
    meant = [*alternatives(context, reading, void, written[start:end])]
    is_early = void.reason is VoidReason.WRONG_PHASE and is_going_back(
        tokenize(written, context.words)
    )
    if is_early and isinstance(reading, o.WrittenRetreat):
        meant = [o.WrittenMove(reading.unit, reading.target)]
    proposals = fitting_orders(context, meant)
    proposals = tuple(dict.fromkeys((*_other_places(context, reading), *proposals)))
    key = context.key_for(reading)
    return Untaken(number, written, start, end, void.reason, values, proposals, key)


def _with_powers(context: OrderContext, found: Sequence[Read], nameless: set[int]) -> list[Read]:
    """The letter with each waive that names no power for one that has builds left."""
    left = {power: context.dues(power).builds for power in context.powers}
    orders = [*(read.order for read in found if isinstance(read, Taken)), *context.stored]
    built = {order_key(each): each.unit.power for each in orders if isinstance(each, o.Build)}
    for power in built.values():
        left[power] -= 1
    done: list[Read] = []
    for at, read in enumerate(found):
        if isinstance(read, Taken) and isinstance(read.order, o.Waive):
            power = read.order.power
            if at in nameless:
                power = next((one for one in context.powers if left[one] > 0), power)
                read = replace(read, order=o.Waive(power))
            left[power] -= 1
        done.append(read)
    return done


# --- orders that were not -------------------------------------------------------------------------


def _only_retreat(context: OrderContext, places: Sequence[Location]) -> AnyOrder | None:
    """The order of the one unit that is asked: to one of the places, or (no place) to disband."""
    if len(context.dislodged) != 1:
        return None
    asked = context.dislodged[0].unit
    unit = WrittenUnit(asked.location, asked.kind)
    orders: list[WrittenOrder] = [o.WrittenRetreat(unit, place) for place in places]
    fitted = [context.fit(order) for order in orders or [o.WrittenDisband(unit)]]
    fitting = [order for order in fitted if not isinstance(order, Void)]
    return fitting[0] if len(fitting) == 1 else None


def _bare_targets(item: Faulty) -> tuple[Location, ...]:
    """Where a retreat goes whose unit was left out: `Retreat to Par`."""
    writers = listed("around", "writers")
    words = [t for t in item.segment if t.word not in ("R", "-") and t.text not in writers]
    is_retreat = any(token.word == "R" for token in item.segment)
    if not is_retreat or item.is_turned or len(words) != 1 or not words[0].is_place:
        return ()
    return words[0].locations


def _retreats_by_kind(context: OrderContext, number: int, line: str) -> list[Read]:
    """Questions about retreats of units that only their kinds tell apart: `The army to Ruhr, the
    fleet to Kiel`."""
    units = {each.unit.kind.value: each.unit for each in context.dislodged}
    if len(units) < 2 or len(units) < len(context.dislodged):
        return []
    tokens = sorted(tokenize(line, context.words), key=lambda token: token.start)
    kinds = [token.word for token in tokens if token.word in KINDS]
    places = [token.locations[0] for token in tokens if token.is_place]
    is_told = sorted(kinds) == sorted(units) and len(places) == len(kinds)
    if not is_told or any(token.word == "D" for token in tokens):
        return []
    asked = [WrittenUnit(units[kind].location, units[kind].kind) for kind in kinds]
    orders = [o.WrittenRetreat(unit, to) for unit, to in zip(asked, places, strict=True)]
    return [
        context.untaken(number, line, ReadingKind.OPEN, (order,), order_key(order))
        for order in fitting_orders(context, orders)
    ]


def _read_faulty(context: OrderContext, number: int, written: str, item: Faulty) -> Untaken:
    fault = item.fault
    start, end = fault.start - item.start, fault.end - item.start
    word = fault.word if fault.kind is ReadingKind.DOUBTED and fault.word else written[start:end]
    # The own unit that it begins with: `A Bur - Xyz` leaves A BUR without an order.
    places = [token for token in item.segment[:2] if token.is_place]
    begins = o.WrittenHold(WrittenUnit(places[0].locations[0])) if places else None
    key = context.key_for(begins) if begins else None
    meant: Sequence[WrittenOrder] = item.proposed
    if not (meant or item.doubted or item.is_turned or fault.kind is ReadingKind.OPEN):
        meant = (*repairs(item.segment, context.words), *_completions(context, item, key))
    proposals = fitting_orders(context, meant)
    choices = listed("around", "alternatives")
    told = [token for token in item.segment if token.text not in choices]
    words = (*KINDS, "B", "D", "R")
    is_choice = bool(told) and all(token.is_place or token.word in words for token in told)
    turned = item.doubted or item.is_turned or is_turned(told, context.words)
    if not proposals and (is_choice or not turned):
        proposals = fitting_orders(context, guesses(context, item.segment))
    keys: set[str | None] = {order_key(order) for order in proposals}
    keys = keys or {context.key_for(order) for order in item.doubted} or {key}
    near = context.words.nearest_places(word)
    own = [province for province in near if {province, f"B {province}"} & keys]
    # What the phase can take of what the grammar can, said once: a unit begins with its place.
    expected = set(fault.expected) - _NOT_IN_PHASE[context.position.phase.kind]
    if Expected.UNIT in expected:
        expected.discard(Expected.PLACE)
    if Expected.MOVE in expected:
        expected.discard(Expected.VIA)
    values = ProblemValues(
        word=word,
        expected=tuple(each for each in fault.expected if each in expected),
        nearest=tuple(own if len(proposals) == 1 and own else near)[:SUGGESTIONS_MOST],
        label=context.label,
    )
    key = keys.pop() if len(keys) == 1 else None
    return Untaken(number, written, start, end, fault.kind, values, proposals, key)


def _completions(context: OrderContext, item: Faulty, key: str | None) -> Iterator[WrittenOrder]:
    """What a unit alone may be meant to do, where there is little to choose from."""
    if item.fault.kind is not ReadingKind.UNFINISHED:
        return
    targets = _bare_targets(item)
    for each in context.dislodged:
        unit = WrittenUnit(each.unit.location, each.unit.kind)
        yield from (o.WrittenRetreat(unit, place) for place in targets)
        if each.unit.location.province == key:
            yield from (o.WrittenRetreat(unit, place) for place in each.retreats)
            yield o.WrittenDisband(unit)
    if context.is_adjustment:
        words = [token.word for token in item.segment if token.word != "R"]  # r a war
        meant = (parse_words([verb, *words]) for verb in ("B", "D"))
        yield from (order for order in meant if order is not None)
