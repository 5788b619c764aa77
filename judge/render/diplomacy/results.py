"""A phase's results as one seat reads them: its verdict, its own orders, everybody's."""

from collections.abc import Sequence

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import PowerId
from judge.diplomacy.outcomes import DislodgedBy, Result
from judge.diplomacy.position import Dislodged
from judge.diplomacy.records import OwnReport, PhaseReport
from judge.render.catalogue import count, say
from judge.render.diplomacy.headlines import headline, own_count
from judge.render.diplomacy.position import ownership_table, units_table
from judge.render.diplomacy.reasons import (
    brief_reason,
    failure,
    join_clauses,
    outcome_words,
    unit_texts,
)
from judge.render.diplomacy.sharing import heading, joining_words
from judge.render.diplomacy.words import Names, phase_words
from judge.render.layout import list_pairs, titled, unbroken
from judge.render.part import comma_names
from judge.rulebook import ResultWords, Row, Translator


def result_words(report: PhaseReport, own: OwnReport | None, words: Translator) -> ResultWords:
    """The words of a phase that ran, for the power of `own`, or for a reader without one."""
    names = Names(report.variant, words)
    return ResultWords(
        headline=headline(report, own, names),
        subject=_subject(report, own, names),
        lead=_lead(report, own, names),
        own=_own_rows(report, own, names),
        own_count=own_count(report, own, names),
        table_title=say(words, "Everyone's orders. Failed ones follow the word failed:"),
        table=_table(report, own, names),
        after=_after(report, names),
    )


def _subject(report: PhaseReport, own: OwnReport | None, names: Names) -> str:
    words = names.words
    if report.is_draw:
        return say(words, "results: the game ends in a draw")
    if report.winners:
        powers = names.listed([names.power(power) for power in report.winners])
        return count(
            words,
            "results: {powers} has won",
            "results: {powers} have won",
            len(report.winners),
            powers=powers,
        )
    if own is not None and own.dislodged:
        units = unit_texts(tuple(each.unit for each in own.dislodged), names)
        return say(words, "results: {units} dislodged", units=units)
    return say(words, "results")


def _lead(report: PhaseReport, own: OwnReport | None, names: Names) -> tuple[str, ...]:
    """Who drove out the reader's units, and with whose help."""
    if own is None:
        return ()
    attacks = [
        (result, outcome)
        for result in own.results
        for outcome in result.outcomes
        if isinstance(outcome, DislodgedBy)
    ]
    lines = [_attack(result, attack, names, alone=len(attacks) == 1) for result, attack in attacks]
    if set(own.powers) & set(report.out) and not _stands(report, own.powers):
        lines.append(
            say(names.words, "Your last unit and center are lost: you are out of the game.")
        )
    return tuple(lines)


def _stands(report: PhaseReport, powers: Sequence[PowerId]) -> bool:
    """Whether any of the powers has a unit or a center left."""
    standing = {unit.power for unit in report.units} | set(report.owners.values())
    return bool(standing & set(powers))


def _attack(result: Result, attack: DislodgedBy, names: Names, *, alone: bool) -> str:
    words, by = names.words, attack.by.unit
    power, origin = names.power(by.power), names.area(by.location.province)
    if attack.supporters:
        helpers = names.listed([names.foreign_unit(unit) for unit in attack.supporters])
        told = say(
            words,
            "{power} attacked from {place}; {units} supported it.",
            power=power,
            place=origin,
            units=helpers,
        )
    else:
        told = say(words, "{power} attacked from {place}.", power=power, place=origin)
    if alone or result.unit is None:
        return told
    where = names.location(result.unit.location)
    return say(words, "{place}: {sentence}", place=where, sentence=told)


def _own_rows(report: PhaseReport, own: OwnReport | None, names: Names) -> tuple[Row, ...]:
    if own is None:
        return ()
    is_idle = report.kind == "M" and not own.ordered
    rows: list[Row] = []
    for power in own.powers:
        mine = [each for each in own.results if each.power == power]
        aside = [each for each in own.set_aside if each.power == power]
        if (mine or aside) and len(own.powers) > 1:
            rows.append(heading(names.power(power), names.words))
        if is_idle:
            rows += [Row(str(each.unit), _idle_fate(each, names)) for each in mine]
            continue
        best_first = sorted(mine, key=lambda each: not each.succeeded)
        rows += [Row(format_order(each.order), _own_fate(each, names)) for each in best_first]
        rows += [
            Row(
                format_order(each.written),
                _failed(outcome_words(each.void, each.written, names), names),
            )
            for each in aside
        ]
    return tuple(rows)


def _idle_fate(result: Result, names: Names) -> str:
    """What became of a unit that had no order."""
    return failure(result, names) or say(names.words, "held")


def _own_fate(result: Result, names: Names) -> str:
    """`succeeded`, or why not; a unit that was driven out is told so in either case."""
    words = names.words
    if not result.outcomes:
        return say(words, "succeeded")
    reason = failure(result, names)
    if not result.succeeded:
        return _failed(reason, names)
    if result.is_dislodged:
        return reason
    return say(words, "succeeded: {reason}", reason=reason)


def _failed(reason: str, names: Names) -> str:
    return say(names.words, "failed: {reason}", reason=reason)


# --- everybody's orders ---------------------------------------------------------------------------


def _table(report: PhaseReport, own: OwnReport | None, names: Names) -> str:
    """One block a power, the reader's own left out: orders that worked, then those that failed."""
    pairs: list[tuple[str, str]] = []
    for power in report.powers:
        if own is not None and power in own.powers:
            continue
        results = [result for result in report.results if result.power == power]
        pairs += _power_block(report, power, results, names)
    return list_pairs(pairs)


def _power_block(
    report: PhaseReport, power: PowerId, results: Sequence[Result], names: Names
) -> list[tuple[str, str]]:
    if not results:
        return []
    name = names.power(power)
    if power in (*report.disorder, *report.unordered, *report.unplayed):
        silent = _silent(report, results, names)
        return [(name, silent)]
    worked = [result for result in results if not result.outcomes]
    failed = [result for result in results if result.outcomes]
    lines: list[str] = []
    if worked:
        lines.append(", ".join(unbroken(format_order(result.order)) for result in worked))
    if failed:
        told = ", ".join(_told(result, names) for result in failed)
        lines.append(_failed(told, names))
    return [(name if number == 0 else "", line) for number, line in enumerate(lines)]


def _told(result: Result, names: Names) -> str:
    return say(
        names.words,
        "{order} ({reason})",
        order=unbroken(format_order(result.order)),
        reason=brief_reason(result, names),
    )


def _silent(report: PhaseReport, results: Sequence[Result], names: Names) -> str:
    """A power from which nothing came: what its units did."""
    words = names.words
    held = [unbroken(str(result.unit)) for result in results if result.unit and not result.outcomes]
    troubled = [result for result in results if result.unit and result.outcomes]
    told: list[str] = []
    is_out = bool(results) and results[0].power in report.unplayed
    if report.kind == "M" and held and is_out:
        units = names.listed(held)
        told.append(
            count(
                words,
                "not played: {units} held",
                "not played: {units} held",
                len(held),
                units=units,
            )
        )
    elif report.kind == "M" and held:
        units = names.listed(held)
        told.append(
            count(
                words, "no orders: {units} held", "no orders: {units} held", len(held), units=units
            )
        )
    told += [
        say(words, "{unit} {fate}", unit=result.unit, fate=failure(result, names))
        for result in troubled
    ]
    return join_clauses(told, names) or say(words, "no orders")


# --- after the table ------------------------------------------------------------------------------


def _after(report: PhaseReport, names: Names) -> tuple[str, ...]:
    words = names.words
    sections: list[str] = []
    if report.joining is not None:
        sections.append(joining_words(report.joining, names))
    if report.dislodged:
        sections.append(_dislodged(report.dislodged, names))
        closed = _closed(report, names)
        if closed and any(each.retreats for each in report.dislodged):
            sections.append(say(words, "Closed to retreats: {places}.", places=closed))
    if report.changes:
        sections.append(_changes(report, names))
    if report.is_count:
        table = ownership_table(report.powers, report.owners, report.units, names)
        sections.append(titled(say(words, "Supply centers and units:"), table))
    if report.results:  # else they stand where they stood
        phase = phase_words(report.label, words)
        title = say(words, "Units after {phase}:", phase=phase)
        table = units_table(report.powers, report.units, names)
        sections.append(f"{title}\n{table}")
    if report.out:
        powers = names.listed([names.power(power) for power in report.out])
        sections.append(
            count(
                words,
                "{powers} has lost its last unit and center, and is out of the game.",
                "{powers} have lost their last units and centers, and are out of the game.",
                len(report.out),
                powers=powers,
            )
        )
    if report.quiet_limit and report.quiet_years and not report.winners:
        sections.append(
            count(
                words,
                "No center has changed hands for {n} year. After {limit} the game ends.",
                "No center has changed hands for {n} years. After {limit} the game ends.",
                report.quiet_years,
                limit=report.quiet_limit,
            )
        )
    return tuple(sections)


def _dislodged(dislodged: tuple[Dislodged, ...], names: Names) -> str:
    words = names.words
    rows = [
        (
            str(each.unit),
            say(
                words,
                "of {power}, can retreat to {places}",
                power=names.power(each.unit.power),
                places=names.either([names.place(place) for place in each.retreats]),
            )
            if each.retreats
            else say(
                words,
                "of {power}, has nowhere to go and is disbanded",
                power=names.power(each.unit.power),
            ),
        )
        for each in dislodged
    ]
    return titled(say(words, "Dislodged:"), list_pairs(rows))


def _closed(report: PhaseReport, names: Names) -> str:
    """Provinces that no retreat may enter though they are empty, each with its reason."""
    words = names.words
    told = [
        say(words, "{place} (standoff)", place=names.province(province))
        for province in report.contested
    ]
    told += [
        say(words, "{place} (the attacker's start)", place=names.province(each.attacker_from))
        for each in report.dislodged
        if not each.by_convoy
    ]
    return comma_names(list(dict.fromkeys(told)), words)


def _changes(report: PhaseReport, names: Names) -> str:
    words = names.words
    rows = []
    for change in report.changes:
        center, after = names.province(change.center), names.power(change.after)
        if change.before is None:
            rows.append((center, say(words, "to {power}", power=after)))
        else:
            before = names.power(change.before)
            told = say(words, "from {before} to {power}", before=before, power=after)
            rows.append((center, told))
    return titled(say(words, "Supply centers that changed hands:"), list_pairs(rows))
