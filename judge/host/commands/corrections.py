"""The master's hand on the clock and on what has happened: HOLD, RESUME, PREVIEW,
ROLLBACK and ROLLFORWARD."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.command import N_, CommandLine, Handlers
from judge.host.games.acts import (
    ask_master_to_confirm,
    notify_act,
    notify_act_and_answer,
    record_act,
)
from judge.host.games.agreements import settle_votes
from judge.host.games.deadlines import REMINDED_EVERY, phase_preview
from judge.host.games.orders_due import (
    after_absences,
    deadline_of,
    next_fitting_of,
    orders_due,
    timing_of,
)
from judge.host.games.proposals import without_extensions
from judge.host.games.reminders import move_deadline, notify_moved
from judge.host.games.rollback import Return, new_deadline, plan_rollback, plan_rollforward
from judge.host.games.setting_values import yes_or_no
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import meanings, said
from judge.host.messages.command_answers import ConfirmAsked, Deed, Done
from judge.host.messages.game_events import MoveReason
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import is_hidden_from, opened, shown
from judge.rulebook import Game, Refused, SeatId, Values, When
from judge.store import Act, GameRecord, Held, Purpose, SeatRecord, Status

MOST_NAMED = 12  # phases that a refusal names
PHASE_WORDS = 4  # at most
# None of them asks back.
_LOCAL = {
    rule: "".join(f"|{re.escape(word)}" for word in said(rule))
    for rule in ("set_deadline", "extend", "hold_game", "resume")
}
FOR_ALL_GAMES = re.compile(
    rf"(?:(?:SET )?DEADLINE{_LOCAL['set_deadline']}) ?[+＋]"
    rf"|(?:EXTEND{_LOCAL['extend']}) |HOLD GAME{_LOCAL['hold_game']}|RESUME\b{_LOCAL['resume']}",
    re.IGNORECASE,
)
EDIT_REFUSALS = {
    "unreadable": RefusalKind.BAD_EDIT,
    "clash": RefusalKind.EDIT_CLASH,
    "retreats": RefusalKind.NO_EDIT_NOW,
}


def hold(context: LetterContext, line: CommandLine) -> None:
    """`HOLD GAME Ann is ill`: no clock runs until RESUME. Once more: another reason."""
    game, work, reason = context.role_game, context.work, line.arguments.get("reason", "")
    before = timing_of(game).held
    held = Held(before.since if before else work.now, work.now + REMINDED_EVERY, reason)
    timing = replace(timing_of(game), held=held)
    game = work.put_game(replace(without_extensions(game), timing=timing))
    notify_act_and_answer(context, game, Act.HELD, reason=reason)


def resume(context: LetterContext, _line: CommandLine) -> None:
    """The game goes on; its deadline moves by as long as it was on hold, and leaves everybody at
    least the time of a reminder; all are told."""
    game, work = context.role_game, context.work
    timing = timing_of(game)
    if timing.held is None:
        context.say(Done(context.ref(game), Deed.NOT_HELD))
        return
    pause = work.now - timing.held.since
    game = replace(game, timing=replace(timing, held=None, changed_at=work.now))
    record_act(work, game, MasterActed(context.ref(game), Act.RESUMED), context.writer.id)
    if timing.waits:
        game = work.put_game(game)
        notify_moved(work, game, timing.ends_at, MoveReason.RESUMED)
    else:
        shortest = min(game.settings.reminder, game.settings.lengths[game.running_phase.kind])
        at = max(timing.ends_at + pause, work.now + shortest).replace(microsecond=0)
        at = after_absences(game, next_fitting_of(game, at))
        game = move_deadline(work, game, at, MoveReason.RESUMED)
    game = settle_votes(work, game)  # a pause that was agreed on meanwhile begins
    due = deadline_of(game, None, work.now) if game.timing else None
    context.say(Done(context.ref(game), Deed.RESUMED, due))


def preview(context: LetterContext, line: CommandLine) -> None:
    """`PREVIEW`: what the phase would come to; `PREVIEW ON`: always, which everybody is told."""
    game, player = context.role_game, context.writer
    written = line.arguments.get("choice", "")
    if game.phase is not None and written.upper() == game.phase.label:
        written = ""  # as PROCESS names it
    wanted = yes_or_no(written)
    if any(player.id in (seat.player, seat.standby) for seat in game.seats):
        raise context.refused(RefusalKind.PLAYS_TOO, game, written=line.written)
    if written and wanted is None:
        raise context.refused(
            RefusalKind.BAD_COMMAND, game, written=line.written, usage=N_("PREVIEW ON")
        )
    if wanted is None:
        context.say(phase_preview(context.work, game))
        record_act(context.work, game, MasterActed(context.ref(game), Act.PREVIEWED), player.id)
    else:
        settings = replace(game.settings, previews=wanted)
        game = context.work.put_game(replace(game, settings=settings))
        notify_act_and_answer(context, game, Act.PREVIEWS_ON if wanted else Act.PREVIEWS_OFF)


def rollback(context: LetterContext, line: CommandLine) -> None:
    """`ROLLBACK S1902M a letter was lost`, `ROLLBACK S1902M CLEAR ORDERS ...`: that phase is open
    again; asked back with what it does."""
    game, written = context.role_game, line.arguments.get("reason", "")
    label, rest = _phase_in(game, written)
    way = plan_rollback(context.work, game, label)
    if way is None:
        ran = [one.phase.label for one in context.work.repository.phases.of(game.name)]
        written, nearest = label or written, ran[-MOST_NAMED:]
        raise context.refused(RefusalKind.NO_ROLLBACK, game, written=written, nearest=nearest)

    # Orders are kept unless the text says otherwise.
    known, keeps, reason = meanings("rollback"), True, rest.strip(" ,:")
    spelled = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    found = re.match(rf"[\s,:]*({spelled})(?![a-z])[\s,:.]*", rest, re.IGNORECASE)
    if found is not None:
        keeps, reason = known[found[1].lower()] == "keep", rest[found.end() :]
    if not reason:
        raise context.refused(
            RefusalKind.NO_REASON, game, written=line.written, usage=line.command.usage
        )
    _ask(context, game, way, keeps=keeps, reason=reason)


def rollforward(context: LetterContext, line: CommandLine) -> None:
    """`ROLLFORWARD`, `ROLLFORWARD F1902M`: where it stood before its last rollback; asked back."""
    game = context.role_game
    label, reason = _phase_in(game, line.arguments.get("reason", ""))
    way = plan_rollforward(context.work, game, label)
    if way is None:
        raise context.refused(RefusalKind.NO_ROLLBACK, game, written=label or line.written)
    _ask(context, game, way, keeps=True, reason=reason, is_named=bool(label))


def _ask(
    context: LetterContext,
    game: GameRecord,
    way: Return,
    *,
    keeps: bool,
    reason: str,
    is_named: bool = True,
) -> None:
    label, rule = way.point.phase.label, "rollback"
    what = "rollback_keep" if keeps else "rollback_clear"
    what += "" if game.settings.deadlines else "_undated"
    if way.act is Act.ROLLED_FORWARD:
        rule = what = "rollforward"
    at = None if way.ending else new_deadline(context.work, game, way)
    ref, labels = context.ref(game), way.taken_back
    context.say(ConfirmAsked(ref, what, at=at, label=label, labels=labels, reason=reason))
    sought = label if is_named else ""
    payload: Values = {"rule": rule, "label": sought, "keeps": keeps, "reason": reason}
    context.ask(Purpose.MASTER, payload)


def edit(context: LetterContext, line: CommandLine) -> None:
    """`EDIT a misread order`, below it changes of the position, up to END EDIT; asked back."""
    game = context.role_game
    lines = [one.strip() for one in line.text.splitlines() if one.strip()]
    reason = line.arguments.get("reason", "")
    if not lines or not reason:
        kind = RefusalKind.NO_REASON if lines else RefusalKind.BAD_EDIT
        raise context.refused(kind, game, written=line.written, usage=line.command.usage)
    _edited(context, game, lines)
    asked = ConfirmAsked(context.ref(game), "edit", reason=reason, lines=tuple(lines))
    ask_master_to_confirm(context, asked, lines=list(lines), reason=reason)


def note(context: LetterContext, line: CommandLine) -> None:
    """`PRIVATE NOTE ...`, `NOTE Ann prefers Saturdays`: kept for the master's own eyes."""
    game, player = context.role_game, context.writer
    told = MasterActed(context.ref(game), Act.NOTED, line.arguments["reason"])
    record_act(context.work, game, told, player.id, is_public=False)
    context.say(Done(context.ref(game), Deed.NOTED))


def run_in_all_games(context: LetterContext, line: CommandLine) -> None:
    """`ALL GAMES: SET DEADLINE +3d`: in every running game of the master's."""
    player, written = context.writer, line.arguments["reason"].lstrip(":： ")
    games = context.work.games_of(player.id)
    own = [one.name for one in games if one.is_master(player.id) and one.status is Status.ACTIVE]
    if not own or not FOR_ALL_GAMES.match(written):
        raise context.bad_command(line)
    context.agreed += [text for name in own for text in (f"GAME {name}", written)]


def _edited(context: LetterContext, game: GameRecord, lines: Sequence[str]) -> Game:
    """The position with these changes; refuses those that it does not take."""
    try:
        return opened(game).edit(lines)
    except Refused as refused:
        written = str(refused.values["written"])
        raise context.refused(EDIT_REFUSALS[refused.kind], game, written=written) from refused


def edit_now(context: LetterContext, payload: Values) -> None:
    """Carry out an EDIT, and tell everybody. Stored lines that fit no more are forgotten."""
    game, lines = context.role_game, payload["lines"]
    assert isinstance(lines, list)
    changed = _edited(context, game, lines)

    def fits(seat: SeatId, text: str) -> bool:
        reading = changed.read(seat, [text])
        return bool(reading.understood) and not reading.problems

    order_sets = {
        seat: kept
        for seat, stored in game.order_sets.items()
        if (kept := tuple(one for one in stored if fits(seat, one.text)))
    }
    seats = tuple(replace(seat, ready=False, faulty=False) for seat in game.seats)
    timing = replace(game.timing, changed_at=context.work.now) if game.timing else None
    game = replace(game, state=changed.state, order_sets=order_sets, seats=seats, timing=timing)
    game = context.work.put_game(game)

    def message(ref: GameRef, seat: SeatRecord | None) -> MasterActed:
        told = () if is_hidden_from(game, ref) else tuple(lines)
        view = shown(game, ref).view(ref.seat)
        act = MasterActed(ref, Act.EDITED, str(payload["reason"]), lines=told, view=view)
        if seat is None or ref.seat is None:
            return act
        due, count = deadline_of(game, seat, context.work.now), orders_due(game, ref.seat)
        return replace(act, due=due, order_set=game.order_set(ref.seat), orders_due=count)

    by, text = context.writer.id, "\n".join(lines)
    context.say(notify_act(context.work, game, by, message, text=text))


def _phase_in(game: GameRecord, written: str) -> tuple[str, str]:
    """The phase that a text begins with, as a label, and the rest; `S1901` is meant as one too."""
    words = written.split()
    is_short = bool(words) and any(sign.isdigit() for sign in words[0])
    for count in range(1 if is_short else min(PHASE_WORDS, len(words)), 0, -1):
        named = opened(game).phase_named(" ".join(words[:count]), is_sought=True)
        if named is not None and named.when is not When.UNKNOWN:
            return named.label, " ".join(words[count:])
    if is_short:
        return words[0].upper(), " ".join(words[1:])
    return "", written


HANDLERS: Handlers = {
    "hold_game": hold,
    "resume": resume,
    "preview": preview,
    "note": note,
    "all_games": run_in_all_games,
    "edit": edit,
    "rollback": rollback,
    "rollforward": rollforward,
}
