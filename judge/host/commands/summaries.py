"""SUMMARY, WHOGAME, HISTORY and MAP: a game so far, for anybody."""

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers, Topic
from judge.host.commands.lists import find_game, master_names, names_awaiting_approval, say_status
from judge.host.games.ends import acts_told, roster, score_history
from judge.host.games.press_delivery import press_by_phase
from judge.host.games.ratings import recent_conduct, reliability_percent
from judge.host.letters.letter_context import LetterContext, NotDone
from judge.host.local_words import first_said, topic_words, words_in_all_languages
from judge.host.messages.games import MapDrawn, PhaseHistory, Summary
from judge.host.messages.press import PressHistory
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.schedules.dates import format_days, parse_past_days
from judge.host.unit_of_work import game_ref_for_master, is_hidden_from, ref_to, shown
from judge.rulebook import SeatId
from judge.store import GameRecord, PhaseRecord, Status

WITH_PRESS = (*topic_words(Topic.PRESS), "WITH")
CLASSIC_WORDS = words_in_all_languages("reports", "classic")
PICTURE_FORMATS = ("PNG", "SVG", "GIF", "PDF", "PS")  # as the old judges have them after MAP
MOST_PHASES = 12  # of one HISTORY
# Bytes of the reports that one HISTORY CLASSIC holds: their text is less than a fifth of them, and
# a letter is cut at 60,000 characters.
CLASSIC_SIZE = 240_000


def _begun_game(context: LetterContext, line: CommandLine) -> GameRecord | None:
    """The game that is named, or that of the letter, if it has begun."""
    written = line.arguments.get("game", "")
    if written and not line.is_in_capitals(4) and context.work.game(written) is None:
        context.lines.append(line.written)  # a sentence that begins with the word
        return None
    game = find_game(context, written) if written else context.game()
    if game is not None and game.state is None:
        say_status(context, game, None)  # before its start there is nothing else to tell
        return None
    if game is None and not written:
        context.say(context.bad_command(line).refusal)
    return game


def summary(context: LetterContext, line: CommandLine) -> None:
    """`SUMMARY balkan`: who plays, and the scores wherever they changed."""
    game = _begun_game(context, line)
    if game is None or game.phase is None:
        return
    work, ref = context.work, reader_ref(context, game)
    reader = context.player.id if context.player and ref.seat is None else None
    master = reader if reader is not None and game.is_master(reader) else None
    is_hidden = is_hidden_from(game, ref)
    told = replace(
        _summary(context, game),
        scores=() if is_hidden else score_history(game, work.phases_of(game.name)),
        acts=acts_told(work, game, master),
        view=shown(game, ref).view(None),
    )
    context.say(told)


def reader_ref(context: LetterContext, game: GameRecord) -> GameRef:
    """A game as the sender may see it: from their seat, or as its master, or as anybody."""
    seat = context.seat_in(game)
    if seat is not None:
        return ref_to(game, seat)
    return game_ref_for_master(game, context.player.id if context.player else None)


def _visible_reports(
    game: GameRecord, record: PhaseRecord, ref: GameRef
) -> tuple[msgspec.Raw, ...]:
    """The reports of a phase that has run, as a reader may know them."""
    if not is_hidden_from(game, ref):
        return tuple(report.public for report in record.reports)
    ran = shown(game, ref, record.state)
    return tuple(ran.report_seen_by(ref.seat, report).public for report in record.reports)


def who_plays(context: LetterContext, line: CommandLine) -> None:
    """`WHOGAME balkan`: who plays, with the reliability of those who allow it to be shown."""
    game = _begun_game(context, line)
    if game is not None:
        context.say(_summary(context, game))


def _summary(context: LetterContext, game: GameRecord) -> Summary:
    work, percentages = context.work, dict[SeatId, int]()
    is_master = context.player is not None and game.is_master(context.player.id)
    for seat in game.seats if is_master or not game.hides_names else ():
        if seat.player and (is_master or work.player(seat.player).is_public):
            reached = reliability_percent(recent_conduct(work, seat.player))
            percentages |= {seat.id: reached} if reached is not None else {}
    return Summary(
        game=ref_to(game),
        roster=roster(work, game, for_master=is_master),
        percentages=percentages,
        ending=game.ending,
        winners=game.winners,
        comment=game.settings.comment,
        asking=names_awaiting_approval(work, game) if is_master else (),
        masters=master_names(work, game),
    )


def history(context: LetterContext, line: CommandLine) -> None:
    """`HISTORY balkan`, `HISTORY balkan F1901M`, `HISTORY balkan S1901M-F1902M`, `HISTORY balkan
    FROM 1 Mar TO 1 Apr`: what everybody was told of these phases, or of those that ran on these
    days; without any, of the last ones. With PRESS behind it also the press of these phases that
    the reader may see; with CLASSIC the form that the hobby's tools read, of the whole game."""
    name, words = line.arguments.get("game", ""), line.arguments.get("coming", "").split()
    today = context.work.now.astimezone(ZoneInfo(context.zone)).date()
    if name and context.role and context.work.game(name) is None:
        # `HISTORY since 3 March` in a letter of the game
        said = " ".join(one for one in (name, *words) if not _is_form(one))
        if parse_past_days(said, date.min, today):
            words = [name, *words]
            line = line.with_arguments()
    game = _begun_game(context, line)
    if game is None:
        return
    records = context.work.repository.phases.of(game.name)
    is_classic = any(one.lower() in CLASSIC_WORDS for one in words)
    written = " ".join(one for one in words if not _is_form(one))
    is_with_press = any(one.upper() in WITH_PRESS for one in words)
    press = press_by_phase(context.work, game, context.player) if is_with_press else {}

    # From which phase to which; without any the last ones, or all in the classic form.
    labels = [one.phase.label for one in records]
    first, _, last = (one.strip() for one in written.upper().partition("-"))
    unknown = [one for one in (first, last) if one and one not in labels]
    began = game.created_at.date()
    if records and unknown and (on_days := parse_past_days(written, began, today)):
        first, last = _phases_run_on(context, game, line, records, on_days)
        unknown = []
    now = game.phase_label if not first and game.phase_label not in labels else ""
    if unknown or not (records or press.get(now)):
        raise _no_history(context, game, line, labels)
    begin, end = 0 if is_classic else max(0, len(labels) - MOST_PHASES), len(labels) - 1
    if first:
        begin, end = sorted((labels.index(first), labels.index(last or first)))

    # As many of them as one letter holds; at least one.
    told_phases = records[begin : end + 1]
    fitting, size = told_phases if is_classic else told_phases[:MOST_PHASES], 0
    for at, record in enumerate(fitting if is_classic else ()):
        size += sum(len(report.public) for report in record.reports)
        if size > CLASSIC_SIZE and at:
            fitting = fitting[:at]
            break
    ref = reader_ref(context, game)
    for at, record in enumerate(fitting, begin):
        of_phase = replace(ref_to(game), label=record.phase.label)
        phase = PhaseHistory(
            game=replace(of_phase, times=record.times),
            reports=_visible_reports(game, record, ref),
            at=record.processed_at,
        )
        context.say(_with_classic_details(phase, at, records, game, ref) if is_classic else phase)
        if told := press.pop(record.phase.label, ()):
            context.say(PressHistory(of_phase, told))
    if told := press.get(now, ()):
        context.say(PressHistory(ref_to(game), told))
    if len(told_phases) > len(fitting):
        label = labels[begin + len(fitting)]
        usage = f"{label}-{labels[end]}{' CLASSIC' if is_classic else ''}"
        raise context.refused(
            RefusalKind.MORE_HISTORY, game, limit=len(fitting), label=label, usage=usage
        )


def _with_classic_details(
    told: PhaseHistory, at: int, records: Sequence[PhaseRecord], game: GameRecord, ref: GameRef
) -> PhaseHistory:
    """What the classic form tells beside the results: the number, what came next, the start."""
    record, coming = records[at], records[at + 1 : at + 2]
    told = replace(told, serial=record.phase.serial)
    if at == 0 and record.phase.serial == 1:
        told = replace(told, start=shown(game, ref, record.state).view(ref.seat))
    if coming:
        return replace(told, next=coming[0].phase.label, due=coming[0].processed_at)
    if game.phase is None or game.status is not Status.ACTIVE:
        return told
    return replace(told, next=game.phase.label, due=game.due_at)


def _is_form(word: str) -> bool:
    """Whether a word says in which form history is told, and not of what."""
    return word.lower() in CLASSIC_WORDS or word.upper() in WITH_PRESS


def _phases_run_on(
    context: LetterContext,
    game: GameRecord,
    line: CommandLine,
    records: Sequence[PhaseRecord],
    days: Sequence[tuple[date, date]],
) -> tuple[str, str]:
    """The first and last label of the phases that ran on these days as the sender sees them."""
    if len(days) > 1:
        word = first_said(line.command.rule).get(context.language, line.command.words[0])
        spans, usage = [format_days(*each) for each in days], f"{word} {game.name}"
        raise context.refused(RefusalKind.TWO_DAYS, written=line.written, spans=spans, usage=usage)
    (first, last), zone = days[0], ZoneInfo(context.zone)
    ran = [one for one in records if first <= one.processed_at.astimezone(zone).date() <= last]
    if ran:
        return ran[0].phase.label, ran[-1].phase.label
    labels = {"label": records[0].phase.label, "last": records[-1].phase.label}
    raise context.refused(RefusalKind.NOTHING_RAN, game, spans=[format_days(first, last)], **labels)


def _no_history(
    context: LetterContext, game: GameRecord, line: CommandLine, labels: Sequence[str]
) -> NotDone:
    """No such phase has run; `labels`: of those that have."""
    values = {"written": line.written, "nearest": list(labels[-1:]), "usage": line.command.usage}
    return context.refused(RefusalKind.NO_HISTORY, game, **values)


def game_map(context: LetterContext, line: CommandLine) -> None:
    """`MAP balkan`, `MAP balkan F1901M`: a picture of the position, or of a phase that has run."""
    game = _begun_game(context, line)
    if game is None or game.phase is None:
        return
    words, phases = line.arguments.get("coming", "").upper().split(), context.work.repository.phases
    written = " ".join(one for one in words if one not in PICTURE_FORMATS)
    ref = reader_ref(context, game)
    if is_hidden_from(game, ref) and ref.seat is None:
        raise context.refused(RefusalKind.BLIND, game)
    if not written or written == game.phase.label:
        context.say(MapDrawn(ref_to(game), shown(game, ref).view(ref.seat)))
        return
    record = phases.named(game.name, written)
    if record is None:
        labels = [one.phase.label for one in phases.of(game.name)]
        raise _no_history(context, game, line, labels)
    told = replace(ref_to(game), label=written, times=record.times)
    context.say(MapDrawn(told, reports=_visible_reports(game, record, ref)))


HANDLERS: Handlers = {
    "summary": summary,
    "who_game": who_plays,
    "history": history,
    "game_map": game_map,
}
