"""A phase's results as one seat reads them: its verdict, its own orders, everybody's.

What all readers of a language share is made once for a report.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from judge.blocks import Block, Pairs, Row, Titled
from judge.diplomacy import orders as o
from judge.diplomacy.notation import format_order
from judge.diplomacy.outcomes import DislodgedBy, Result
from judge.diplomacy.records import OwnReport, PhaseReport
from judge.diplomacy.rules import EndKind
from judge.render.catalogue import comma_names, sentence_tables, slashed
from judge.render.diplomacy.lines import short_order
from judge.render.diplomacy.names import Names
from judge.render.diplomacy.position import (
    coin_toss_words,
    heading_row,
    ownership_table,
    units_table,
)
from judge.render.diplomacy.reasons import brief_reason, failure, outcome_words
from judge.render.layout import capital, first_that_fits
from judge.rulebook import NO_JSON, Message, ResultWords

BRACKETED = re.compile(r"\s*[(（]([^()（）]*)[)）](?=[;；。]|$)")  # at the end of a clause
REPORTS_KEPT = 64  # of several games, in several languages


class _Tables(msgspec.Struct, frozen=True):
    headline: dict[str, Message]
    subject: dict[str, Message]
    lead: dict[str, str]
    own: dict[str, Message]
    all: dict[str, Message]


SENTENCES = sentence_tables("results.toml", _Tables)
HEADLINES, ALL = SENTENCES.headline, SENTENCES.all


class _TableLine(NamedTuple):
    """A line of the table: the power on its first one, and whether its orders failed."""

    power: str
    line: str
    failed: bool


class _PublicResults(NamedTuple):
    """What a report says to everybody: each power's orders, what follows them, and where everyone's
    units stand after the phase, if any was asked to do something in it."""

    report: PhaseReport
    orders: Mapping[o.PowerId, Sequence[_TableLine]]
    after: tuple[Block, ...]
    units: Block


@lru_cache(maxsize=REPORTS_KEPT)
def _public_results(data: bytes, names: Names) -> _PublicResults:
    report = PhaseReport.from_bytes(data)
    units: Block = ""
    orders = {power: _table_lines(power, report, names) for power in report.powers}
    if report.unseen and not (report.units or report.owners):
        units = names.tell(ALL["hidden"])
    elif report.results:
        phase = names.phase(report.label)
        title = names.tell(ALL["seen_units" if report.unseen else "units"], phase=phase)
        units = Titled(title, units_table(report.powers, report.units, names))
    return _PublicResults(report, orders, _sections_after_table(report, names), units)


def result_words(data: msgspec.Raw, own_data: msgspec.Raw, names: Names) -> ResultWords:
    """The words of a phase that ran, for the powers of the own part, or for a reader without."""
    report, orders, after, units = _public_results(bytes(data), names)
    own = OwnReport.from_bytes(own_data) if own_data != NO_JSON else None
    powers = own.powers if own is not None else ()
    others = [power for power in report.powers if power not in powers]
    has_failed = any(not _has_worked(each) for each in report.results if each.power in others)
    lines = [line for power in others for line in orders[power]]
    failed = frozenset(n for n, line in enumerate(lines) if line.failed)
    title = "failed_orders" if has_failed else "orders"
    whose = "seen_" if report.unseen else "others_" if own is not None else ""

    subject = names.tell(SENTENCES.subject["other"])
    if report.is_draw:
        subject = names.tell(SENTENCES.subject["draw"])
    elif report.winners:
        won = SENTENCES.subject["won"]
        subject = names.tell(won, len(report.winners), powers=names.powers(report.winners))
    elif own is not None and own.dislodged:
        lost = names.short_units([each.unit for each in own.dislodged])
        subject = names.tell(SENTENCES.subject["dislodged"], units=lost)

    own_count = ""
    if own is not None and own.results:
        own_count = names.tell(SENTENCES.own["orders"])
        if report.kind == "M" and not own.ordered:
            own_count = names.tell(SENTENCES.own["units"])
        elif report.kind == "M" and own.dislodged:
            worked, n = _succeeded_count(own), _known_outcome_count(own)
            own_count = names.tell(SENTENCES.own["count"], n, worked=worked, failed=n - worked)

    # The centers that the reader has gained, or else lost.
    own_changes = [one for one in report.changes if (one.after in powers) != (one.before in powers)]
    gained = [one.center for one in own_changes if one.after in powers]
    news = ""
    if changed := gained or [one.center for one in own_changes]:
        centers = names.listed(map(names.province, changed))
        news = names.tell(HEADLINES["gained" if gained else "lost"], centers=centers)
    return ResultWords(
        headline=headline(report, own, names),
        subject=subject,
        lead=_own_dislodgements(report, own, names) if own is not None else (),
        own=_own_rows(report, own, names) if own is not None else (),
        own_count=own_count,
        table_title=names.tell(ALL[whose + title]),
        table=Pairs([(line.power, line.line) for line in lines], failed),
        after=after,
        news=news,
        units=units,
    )


# --- the first line -------------------------------------------------------------------------------


def headline(report: PhaseReport, own: OwnReport | None, names: Names) -> str:
    """What happened to the reader; to a reader without a seat, what phase is over."""
    if report.is_draw and report.winners and report.end is EndKind.LAST_YEAR:
        return names.tell(HEADLINES["last_year"])
    if report.is_draw and report.winners:
        return names.tell(HEADLINES["quiet"], report.quiet_years)
    if report.winners:
        named = [names.power(power) for power in report.winners]
        texts = (names.listed(named), slashed(named, names))
        return first_that_fits(
            names.tell(HEADLINES["won"], len(named), powers=each) for each in texts
        )
    other = names.tell(HEADLINES["other"], phase=names.phase(report.label))
    if own is None:
        return other
    if len(own.dislodged) > 1:
        return names.tell(HEADLINES["dislodged"], len(own.dislodged))
    if own.dislodged:
        (lost,) = own.dislodged
        message = HEADLINES["can_retreat" if lost.retreats else "no_retreat"]
        texts = (names.own_unit(lost.unit), str(lost.unit))
        return capital(first_that_fits(names.tell(message, unit=each) for each in texts))

    if not own.results and set(own.powers).isdisjoint(report.waived):
        return other
    orders = [each.order for each in own.results if not each.outcomes]
    if report.kind == "M" and not own.ordered:
        return names.tell(HEADLINES["unordered"])
    if report.kind == "M":
        total, worked = _known_outcome_count(own), _succeeded_count(own)
        if not total:
            return other
        if worked in (0, total):
            return names.tell(HEADLINES["succeeded" if worked else "failed"], total)
        return names.tell(HEADLINES["some"], worked, total=total)
    if report.kind == "R":
        total, left = len(own.results), sum(isinstance(each, o.Retreat) for each in orders)
        if total > 1:
            return names.tell(HEADLINES["retreats"], left, lost=total - left)
        unit = own.results[0].unit
        whose = capital(names.own_unit(unit)) if unit else ""
        return names.tell(HEADLINES["has_retreated" if left else "is_disbanded"], unit=whose)
    built = sum(isinstance(each, o.Build) for each in orders)
    gone = sum(isinstance(each.order, o.Disband) and each.unit is not None for each in own.results)
    key = "disbanded" if gone else "built" if built else "nothing_built"
    return names.tell(HEADLINES[key], gone or built)


def _succeeded_count(own: OwnReport) -> int:
    """How many ordered units did as they were told; those without an order just held."""
    return sum(_has_worked(each) for each in own.results if not _is_unordered(each, own))


def _is_unordered(result: Result, own: OwnReport) -> bool:
    """Whether a unit had no order."""
    return result.unit is not None and result.unit.location.province in own.idle


def _known_outcome_count(own: OwnReport) -> int:
    """Of how many of their orders the reader learns what became of them."""
    return own.ordered - sum(each.is_untold for each in own.results)


def _has_worked(result: Result) -> bool:
    """Whether an order did what it said, and its unit is still there."""
    return result.succeeded and not result.is_dislodged


# --- the reader's own orders ----------------------------------------------------------------------


def _own_dislodgements(report: PhaseReport, own: OwnReport, names: Names) -> tuple[str, ...]:
    """Who drove out the reader's units, and with whose help; and whether this is their end."""
    attacks = [
        (result, outcome)
        for result in own.results
        for outcome in result.outcomes
        if isinstance(outcome, DislodgedBy)
    ]
    lines: list[str] = []
    for result, attack in attacks:
        by = attack.by.unit
        told = names.tell(
            SENTENCES.lead["unseen" if o.is_hidden(by) else "supported"],  # alone, nobody dislodges
            power=names.power(by.power),
            place=names.province_in_sentence(by.location.province),
            units=names.listed(map(names.foreign_unit, attack.supporters)),
        )
        if len(attacks) > 1 and result.unit is not None:
            where = names.location(result.unit.location)
            told = names.say("{place}: {sentence}", place=where, sentence=told)
        lines.append(told)
    standing = {unit.power for unit in report.units} | set(report.owners.values())
    if set(own.powers) & set(report.out) and not standing & set(own.powers):
        lines.append(names.tell(SENTENCES.lead["out"]))
    return tuple(lines)


def _own_rows(report: PhaseReport, own: OwnReport, names: Names) -> tuple[Row, ...]:
    rows: list[Row] = []
    for power in own.powers:
        mine = [each for each in own.results if each.power == power]
        aside = [each for each in own.set_aside if each.power == power]
        if (mine or aside) and len(own.powers) > 1:
            rows.append(heading_row(names.power(power), names))
        if report.kind == "M" and not own.ordered:
            for each in mine:
                lost, is_support = failure(each, names), isinstance(each.order, o.SupportHold)
                text = format_order(each.order) if is_support else str(each.unit)
                fate = lost or (names.say("succeeded") if is_support else names.say("held"))
                rows.append(Row(text, fate, failed=bool(lost)))
            continue
        idle = [each for each in mine if _is_unordered(each, own) and _has_worked(each)]
        best_first = sorted(
            (each for each in mine if each not in idle), key=lambda each: not _has_worked(each)
        )
        for each in best_first:
            fate = failure(each, names) if each.outcomes else names.say("succeeded")
            failed = not _has_worked(each) and not each.is_untold
            if failed:
                fate = names.say("failed: {reason}", reason=fate)
            elif each.outcomes and not each.is_untold:  # it was driven out all the same
                fate = names.say("succeeded: {reason}", reason=fate)
            text = str(each.unit) if _is_unordered(each, own) else format_order(each.order)
            rows.append(Row(text, fate, failed=failed))
        rows += [Row(str(each.unit), names.say("held (no order)"), failed=False) for each in idle]
        for line in aside:
            reason = outcome_words(line.void, line.written, names)
            told = names.say("failed: {reason}", reason=reason)
            rows.append(Row(format_order(line.written), told, failed=True))
    return tuple(rows)


def _table_lines(power: o.PowerId, report: PhaseReport, names: Names) -> Sequence[_TableLine]:
    """A power's part of the table: orders that worked, then those that failed; of a power from
    which nothing came what its units did."""
    results = [result for result in report.results if result.power == power]
    if not results:
        return ()
    shown = names.power(power)
    if power in (*report.disorder, *report.unordered, *report.unplayed):
        supports = [each for each in results if isinstance(each.order, o.SupportHold)]
        others = [each for each in results if each.unit and each not in supports]
        held = [str(each.unit) for each in others if not each.outcomes]
        fates = [names.say("no orders")] if supports and not held else []
        if report.kind == "M" and held and power in report.unplayed:
            fates.append(names.say("not played: {units} held", units=names.listed(held)))
        elif report.kind == "M" and held:
            fates.append(names.say("no orders: {units} held", units=names.listed(held)))
        fates += [_with_reason(each, names) for each in supports]
        for each in others:
            if each.outcomes:
                fate = failure(each, names)
                fates.append(names.say("{unit} {fate}", unit=each.unit, fate=fate))
        told = names.clauses(fates) or names.say("no orders")
        return [_TableLine(shown, told, failed=False)]
    worked: list[str] = []
    failed: list[str] = []
    for result in results:
        has_worked = _has_worked(result) or result.is_untold
        (worked if has_worked else failed).append(_with_reason(result, names))
    lines = [_TableLine(shown, comma_names(worked, names), failed=False)] if worked else []
    if failed:
        told = names.say("failed: {reason}", reason=comma_names(failed, names))
        lines.append(_TableLine("" if worked else shown, told, failed=True))
    return lines


def _with_reason(result: Result, names: Names) -> str:
    """`A PAR - BUR (1 against 1, A MUN - BUR)`; the order alone where it did all it said."""
    order = short_order(result.order)
    if not result.outcomes:
        return order
    # No brackets inside of brackets: `(not without a convoy (rule 6))`.
    reason = names.clauses(BRACKETED.sub(r"\n\1", brief_reason(result, names)).split("\n"))
    return names.say("{order} ({reason})", order=order, reason=reason)


# --- after the table ------------------------------------------------------------------------------


def _sections_after_table(report: PhaseReport, names: Names) -> tuple[Block, ...]:
    sections: list[Block] = []
    if report.joining is not None:
        sections.append(coin_toss_words(report.joining, names))
    if report.dislodged:
        rows = []
        for unit, ways in ((each.unit, each.retreats) for each in report.dislodged):
            places = names.either(map(names.location_in_sentence, ways))
            key = "way_out" if ways else "no_way_out"
            key = "ways_unseen" if o.Location(o.HIDDEN) in ways else key
            power = names.power(unit.power)
            rows.append((str(unit), names.tell(ALL[key], power=power, places=places)))
        sections.append(Titled(names.tell(ALL["dislodged"]), Pairs(rows)))
        # Provinces that no retreat may enter though they are empty, each with its reason.
        closed = [(province, "standoff") for province in report.contested]
        closed += [
            (one.attacker_from, "attackers_start")
            for one in report.dislodged
            if not one.by_convoy and one.attacker_from != o.HIDDEN
        ]
        if closed and any(each.retreats for each in report.dislodged):
            reasons = [names.tell(ALL[why], place=names.province(place)) for place, why in closed]
            places = comma_names([*dict.fromkeys(reasons)], names)
            sections.append(names.tell(ALL["closed"], places=places))
    if report.changes:
        rows = []
        for change in report.changes:
            before = names.power(change.before) if change.before else ""
            message = ALL["from_to" if before else "to"]
            told = names.tell(message, before=before, power=names.power(change.after))
            rows.append((names.province(change.center), told))
        sections.append(Titled(names.tell(ALL["changes"]), Pairs(rows)))
    if report.is_count and (report.owners or not report.unseen):
        table = ownership_table(report, report.units, names)
        sections.append(Titled(names.tell(ALL["seen_count" if report.unseen else "count"]), table))
    if report.waived:
        left_out = [
            names.say("{power} {n}", power=names.power(power), n=n)
            for power, n in report.waived.items()
        ]
        sections.append(names.tell(ALL["waived"], powers=names.listed(left_out)))
    if report.out:
        sections.append(names.tell(ALL["out"], len(report.out), powers=names.powers(report.out)))
    if report.quiet_limit and report.quiet_years and not report.winners:
        sections.append(names.tell(ALL["quiet"], report.quiet_years, limit=report.quiet_limit))
    return tuple(sections)
