"""Lines that order all units or builds of a seat at once: `The rest hold`, `Waive all`.

What they mean depends on the letter: those that it has no order for.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from judge.data import language_data
from judge.diplomacy.calendar import PhaseKind
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, listed
from judge.diplomacy.language.lines.doubts import SENTENCE_ENDS, doubts_in, takes_back
from judge.diplomacy.language.lines.prose import is_tale
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.order_context import (
    OrderContext,
    Read,
    Said,
    Taken,
    Untaken,
    order_key,
    power_of,
)
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, STOPS, provinces_in, tokenize
from judge.diplomacy.orders import AnyOrder, Disband, Hold, ProvinceId, Unit, UnitKind, Waive
from judge.diplomacy.records import ProblemValues, ReadingKind

_VERBS = ("hold", "waive", "disband")
_KINDS = {"armies": UnitKind.ARMY, "fleets": UnitKind.FLEET}
_IN_LISTS = frozenset({*KINDS, *STOPS, "(", ")"})
_LONGEST = 60  # letters; a longer text is a sentence
_NAME_LONGEST = 40  # letters
_CLAUSE_END = re.compile(r"[,.;:!](?=\s|[^\x00-\x7f])|[。，、；！]")


class BlanketOrder(Struct, frozen=True):
    """A text that has units (all or others) hold or (`verb`) disband, or waives builds."""

    verb: str
    is_rest: bool
    kind: UnitKind | None = None
    number: int = 0
    start: int = 0
    written: str = ""
    count: int = 0  # of the units, if it says so

    @property
    def may_be_prose(self) -> bool:
        """Whether people say the same where no unit is meant: `All stand.`"""
        return _letters(self.written) in _phrases("casual")

    @property
    def says_none_moves(self) -> bool:
        """Whether it has all hold by saying that none moves."""
        return _letters(self.written) in _phrases("holds_all")


def blanket_order(written: str, number: int = 0, start: int = 0) -> BlanketOrder | None:
    """The blanket order that a text is, at its place in a letter; None if it is none."""
    if len(written) > _LONGEST or "-" in written.lstrip("- "):
        return None
    letters = _letters(written)
    if written.rstrip().endswith("!") and letters in _phrases("exclaimed"):
        return None
    if letters in _phrases("waives_all"):
        return BlanketOrder("waive", False, None, number, start, written)
    if letters in _phrases("holds_all"):
        return BlanketOrder("hold", False, None, number, start, written)
    found = next((found for each in _patterns() if (found := each.fullmatch(letters))), None)
    if found is None:
        return None
    verb = next(verb for verb in _VERBS if found[verb])
    kind = next((kind for use, kind in _KINDS.items() if found[use]), None)
    numeral, numerals = found["count"] or "0", "".join(listed("writing", "numerals"))
    count = int(numeral) if numeral.isdigit() else numerals.find(numeral) + 1
    return BlanketOrder(verb, bool(found["rest"]), kind, number, start, written, count)


def _letters(text: str) -> str:
    return "".join(sign for sign in normalize(text).text if sign.isalnum())


@cache
def _phrases(key: str) -> frozenset[str]:
    """The letters of the texts at a key of the table of such orders, in all languages."""
    return frozenset(map(_letters, listed("everyone", key)))


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """What such texts look like in each language, by their letters: the verb stands behind whom it
    is about, or before; one of more than a letter may have the endings of its language."""

    def any_of(names: Iterable[str]) -> str:
        return "|".join(re.escape(_letters(name)) for name in names) or "(?!)"

    patterns: list[str] = []
    languages = language_data("orders.toml")
    for table in languages.values():
        verbs = []
        for use in _VERBS:
            words = (*table["orders"][use], *languages["en"]["orders"][use])  # 全部 HOLD
            long = any_of(word for word in words if len(word) > 1)
            short = any_of(word for word in words if len(word) == 1)
            verbs.append(f"(?P<{use}>(?:{long})(?:{any_of(table['endings'])})?|{short})")
        verb, units = f"(?:{'|'.join(verbs)})", table["everyone"]
        groups = (f"(?P<{use}>{any_of(units.get(use, ()))})" for use in (*_KINDS, "all", "rest"))
        members = any_of(units.get("members", ()))
        numerals = re.escape(table["writing"].get("numerals", ""))
        count = f"(?:(?:{members})*(?P<count>[0-9{numerals}])(?={members}))?(?:{members}){{0,3}}"
        whom = f"(?:{'|'.join(groups)}){count}"
        around = f"(?:{any_of(units['around'])}){{0,3}}"
        patterns += (
            f"{around}{whom}(?:{any_of(units['after'])})?{around}{verb}{around}",
            f"{around}{verb}{whom}{around}",
        )
    return tuple(map(re.compile, patterns))


def blanket_with_remark(
    context: OrderContext, line: str, number: int
) -> tuple[BlanketOrder | None, str]:
    """The order for all units that a line is, and what is said behind it without any word of
    orders: `Everything holds, I'm on holiday`; also behind an own power's name: `France: all hold`.
    """
    first = next(iter(tokenize(line[:_NAME_LONGEST], context.lexicon)), None)
    is_own = first is not None and first.word[1:] in context.powers and first.start == 0
    said = line[first.end :].lstrip(" :：,，、") if first and is_own else line
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
    tokens = tokenize(text, context.lexicon)
    plain = {*BETWEEN_ORDERS, UNKNOWN, *("H" if whole.verb == "hold" else "")}
    casual = (*listed("writing", "casual"), *listed("writing", "articles"))
    is_plain = all(t.word in plain or t.text in casual for t in tokens)
    unable = listed("telling", "unable")  # I'm on the train and can't think
    doubts = [text[each.start : each.end].lower() for each in doubts_in(text)]
    is_doubted = takes_back(text) or any(
        not word.endswith(listed("closings", "pasts")) and word not in unable for word in doubts
    )
    is_asked = re.search("[?？]", text) is not None
    return is_plain and not is_tale(text, context.lexicon) and not is_doubted and not is_asked


def spell_out(
    context: OrderContext,
    blankets: Sequence[BlanketOrder],
    found: Sequence[Read],
    lines: Mapping[int, str],
) -> Iterator[Read]:
    """An order for each unit or build that the texts stand for beside what was read; where that is
    none, the text is prose. The rest is what their line does not name (`lines` by number); it is
    asked about where the line speaks of units that were not read: `the fleet at the capital moves
    out. All others hold.`"""
    told = [each.order for each in found if isinstance(each, Taken)]
    # The rest is what the letter does not name: a line that asks may name more than one unit.
    asking = {each.number for each in found if isinstance(each, Untaken)}
    asking |= {each.number for each in blankets if each.is_rest}
    named: set[ProvinceId] = set()
    unread: set[int] = set()
    for read in found:
        if isinstance(read, Taken):
            continue
        tokens = tokenize(read.text if isinstance(read, Said) else read.written, context.lexicon)
        named |= provinces_in(tokens) if read.number in asking else set()
        if any(token.is_place or token.word in KINDS for token in tokens):
            unread.add(read.number)
    goals = {to.province for order in told if (to := getattr(order, "target", None))}
    for each in blankets:
        if each.is_rest:
            named |= provinces_in(tokenize(lines.get(each.number, ""), context.lexicon)) - goals
    asked = {each.key for each in found if isinstance(each, Untaken)}
    stored = [] if told else context.stored
    for each in blankets:
        units = [unit for unit in context.units if each.kind in (None, unit.kind)]
        named_units, is_listed = _units_ahead(context, each, lines.get(each.number, ""), told)
        units = [unit for unit in units if not named_units or unit in named_units]
        others = [*told, *(stored if each.is_rest else ())]
        keys = asked | (named if each.is_rest else set()) | {order_key(one) for one in others}
        orders: list[AnyOrder] = []
        if each.verb == "waive" and context.is_adjustment:
            for power in context.powers:
                used = sum(power_of(order) == power for order in others)
                sites = named.intersection(context.variant.power(power).sites)
                used += sum(f"B {site}" not in map(order_key, others) for site in sites)
                orders += [Waive(power)] * (context.dues(power).builds - used)
        elif each.verb == "disband" and context.dislodged:
            orders += [Disband(unit) for unit in units if unit.location.province not in keys]
        elif each.verb == "hold" and context.position.phase.kind is PhaseKind.MOVEMENT:
            orders += [Hold(unit) for unit in units if unit.location.province not in keys]
        text = each.written.strip()
        if not orders:
            is_open = each.verb == "disband" and context.is_adjustment  # which of them?
            yield context.make_untaken(each.number, text) if is_open else Said(each.number, text)
            continue
        is_of_two = any(word in _letters(each.written) for word in _phrases("two"))  # Both hold.
        count = 2 if is_of_two else each.count
        is_other = count not in (0, len(orders)) or (bool(named_units) and not is_listed)
        is_other = is_other or (each.is_rest and each.verb != "waive" and each.number in unread)
        if (not told and each.may_be_prose) or each.says_none_moves or is_other:
            end, values = len(text), ProblemValues(word=text)
            for order in orders:
                kind, key = ReadingKind.DOUBTED, order_key(order)
                yield Untaken(each.number, text, 0, end, kind, values, (order,), key)
            continue
        for at, order in enumerate(orders):
            yield Taken(each.number, each.start + at, each.written, order)
        told += orders


def _units_ahead(
    context: OrderContext, blanket: BlanketOrder, line: str, told: Sequence[AnyOrder]
) -> tuple[list[Unit], bool]:
    """The own units that a line names before it has all hold, as it is for these only, and whether
    it only lists them: `Rome, Apulia: no moves, all hold`. None if each has an order."""
    if blanket.is_rest or blanket.verb != "hold":
        return [], False
    ahead = line[: blanket.start]
    tokens = tokenize(ahead, context.lexicon)
    places = provinces_in(tokens)
    units = [unit for unit in context.units if unit.location.province in places]
    given = {order_key(order) for order in told}
    left = [unit for unit in units if unit.location.province not in given]
    is_listed = all(token.is_place or token.word in _IN_LISTS for token in tokens)
    here = provinces_in(tokenize(SENTENCE_ENDS.split(ahead)[-1], context.lexicon))
    is_here = sum(unit.location.province in here for unit in left) > 1
    return (units, is_listed) if left and (is_listed or is_here) else ([], False)
