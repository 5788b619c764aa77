"""The clock's decisions: reminders, grace, and when a phase runs; games that a master holds,
previews, and deadlines in players' calendars. All instants are UTC.

A deadline counts as passed only when the inbox was read to its end in a fetch begun after it
(`read_until`), so that no order is late because a mail server was.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.host.games.absences import notify_game_waits
from judge.host.games.ends import (
    PRACTICE_ENDING,
    end_game,
    notify_game_over,
    papers_due,
    publish_papers,
)
from judge.host.games.filling import look_at_full_game, next_look
from judge.host.games.orders_due import (
    after_absences,
    awaited_seats,
    awaited_vacant_seats,
    deadline_of,
    early_run_at,
    grace_of,
    is_away,
    may_see,
    missing_seats,
    next_fitting_of,
    orders_due,
    owing_seats,
    seats_waited_for,
    timing_of,
)
from judge.host.games.phases import compute_resolution, run_phase
from judge.host.games.proposals import without_votes_on_deadline
from judge.host.games.reminders import move_deadline, notify_moved, remind, write_reminder
from judge.host.letters.letter_context import Role
from judge.host.messages.game_events import LateNotice, MoveReason, ReadyToRun
from judge.host.messages.master_acts import MasterActed, Preview
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.rulebook import Silence
from judge.store import (
    Act,
    Attachment,
    CalendarEvent,
    Control,
    Fact,
    Format,
    GameRecord,
    OutLetter,
    PlayerId,
    Purpose,
    SeatRecord,
    Status,
)

REMINDED_EVERY = timedelta(days=3)  # of a hold, the master
EXCUSED_FOR = timedelta(days=1)  # at most
# Which of several letters about a game brings its deadline to a calendar: rather the results than
# an answer or press.
LATER = {"answer": 1, "press": 2}


def next_due(game: GameRecord) -> datetime | None:
    """When the clock must look at a game next; None if only a letter can move it."""
    if game.status is Status.FORMING:
        return next_look(game)
    if game.status is Status.FINISHED:
        return papers_due(game)
    timing = game.timing
    if game.status is not Status.ACTIVE or timing is None:
        return None
    if timing.held is not None:
        return timing.held.remind_at
    instants = [early_run_at(game)]
    if game.settings.previews:
        instants.append(preview_at(game))
    if not timing.waits:
        instants += [timing.ends_at, _reminder_at(game)]
    return min((instant for instant in instants if instant is not None), default=None)


def look_at_game(work: UnitOfWork, name: str, read_until: datetime) -> None:
    """Do what is due in a game at `work.now`, as far as the inbox was read."""
    game = work.game(name)
    if game is None:
        return
    if game.status is Status.FORMING:
        look_at_full_game(work, game, read_until)
    papers_at = papers_due(game)
    if papers_at is not None and papers_at <= read_until:
        publish_papers(work, game)
    if game.status is not Status.ACTIVE:
        return
    if (held := timing_of(game).held) is not None:
        if held.remind_at <= work.now:  # its masters are told once more that it waits for them
            held = replace(held, remind_at=work.now + REMINDED_EVERY)
            game = work.put_game(replace(game, timing=replace(timing_of(game), held=held)))
            told = MasterActed(ref_to(game), Act.HELD, held.reason, since=held.since)
            work.notify_masters(game, "hold", [told])
        return
    reminder_at = _reminder_at(game)
    if reminder_at is not None and reminder_at <= work.now:
        game = remind(work, game)
        game = write_preview(work, game) if game.settings.previews else game
    shown_at = preview_at(game) if game.settings.previews else None
    if shown_at is not None and shown_at <= work.now:
        game = write_preview(work, game)
    early_at = early_run_at(game)
    if early_at is not None and early_at <= read_until:
        _run(work, game, missing=())
        return
    timing = timing_of(game)
    if timing.waits or timing.ends_at > read_until:
        return
    if timing.grace_until is not None:
        _run(work, game, missing_seats(game))
    else:
        _pass_deadline(work, game)


def _pass_deadline(work: UnitOfWork, game: GameRecord) -> None:
    missing, at = missing_seats(game), timing_of(game).deadline_at
    late = tuple(seat for seat in missing if not is_away(seat, at))
    is_absence, most = game.running_phase.silence is Silence.ABSENCE, game.settings.excused
    if missing and game.is_practice:
        game = work.put_game(end_game(work, game, PRACTICE_ENDING, ()))
        notify_game_over(work, game)
    elif late and is_absence and all(seat.excused < most for seat in late):
        # All from whom nothing came are excused once more, for a day or the length of the phase.
        for seat in late:
            game = game.with_seat(replace(seat, excused=seat.excused + 1))
        later = min(game.settings.lengths[game.running_phase.kind], EXCUSED_FOR)
        at = after_absences(game, next_fitting_of(game, at, later))
        move_deadline(work, game, at, MoveReason.EXCUSED)
    elif seats_waited_for(game):
        notify_game_waits(work, game)
    elif late and grace_of(game) > timedelta(0):
        begin_grace(work, game, late)
    else:
        _run(work, game, missing)


def _run(work: UnitOfWork, game: GameRecord, missing: Sequence[SeatRecord]) -> None:
    """The phase runs; or its master, who runs it, is told that it can."""
    if game.settings.process is Control.AUTOMATIC:
        run_phase(work, game, missing=frozenset(seat.id for seat in missing))
        return
    timing = timing_of(game)
    is_over = timing.waits or timing.deadline_at <= work.now
    timing = replace(timing, ready_told=True, waits=is_over, grace_until=None)
    game = without_votes_on_deadline(game) if is_over else game
    game = work.put_game(replace(game, timing=timing))
    told = ReadyToRun(
        ref_to(game), tuple(one.id for one in missing), deadline_of(game, None, work.now)
    )
    work.notify_masters(
        game,
        "ready",
        [told],
        serial=game.running_phase.serial,
        purpose=Purpose.PROCESS,
        payload={"label": game.running_phase.label},
    )


def begin_grace(work: UnitOfWork, game: GameRecord, missing: tuple[SeatRecord, ...]) -> None:
    """The deadline passed with orders missing: those who owe them all may still send them."""
    timing, late = timing_of(game), tuple(seat.id for seat in missing)
    until = timing.deadline_at + grace_of(game)
    timing = replace(timing, grace_until=until, late=late, reminded=True)
    for seat in missing:
        game = game.with_seat(replace(seat, lates=seat.lates + 1))
    game = work.put_game(replace(without_votes_on_deadline(game, until), timing=timing))
    for seat in missing:
        write_reminder(work, game, seat)
    due = deadline_of(game, missing[0], work.now)
    others = [seat.id for seat in game.seats if seat.player and seat.id not in late]
    times = tuple(game.seat(one).lates for one in late) if game.settings.late_count else ()
    for reader in (*others, None):
        if not may_see(game, Fact.LATE, Role(game.name, reader)):
            continue
        may_change = reader is not None and game.settings.late_changes
        told = LateNotice(ref_to(game, reader), late, due, may_change=may_change, times=times)
        if reader is None:
            work.notify_masters(game, "late", [told], serial=game.running_phase.serial)
        else:
            work.notify_seat(game, reader, "late", [told])


def _reminder_at(game: GameRecord) -> datetime | None:
    """When the next is due; None if all were written, or too soon after the last results."""
    timing, settings = timing_of(game), game.settings
    if timing.grace_until or timing.waits:
        return None
    told = ((settings.reminder, timing.reminded), (settings.last_reminder, timing.reminded_last))
    instants = (timing.deadline_at - span for span, is_told in told if span and not is_told)
    soonest = timing.opened_at + (timing.deadline_at - timing.opened_at) / 3
    return min((at for at in instants if at >= soonest), default=None)


def excuse_absence_of_judge(work: UnitOfWork, name: str, away_since: datetime) -> None:
    """The judge was away over a deadline: it moves by as long, or by a reminder's time."""
    game = work.game(name)
    if game is None or game.status is not Status.ACTIVE:
        return
    timing = timing_of(game)
    if timing.waits or timing.held is not None or not away_since < timing.ends_at <= work.now:
        return
    shortest = min(game.settings.reminder, game.settings.lengths[game.running_phase.kind])
    moved = max(timing.ends_at + (work.now - away_since), work.now + shortest)
    at = after_absences(game, next_fitting_of(game, moved.replace(microsecond=0)))
    move_deadline(work, game, at, MoveReason.JUDGE_AWAY)


def excuse_halt(work: UnitOfWork, name: str, halted_at: datetime | None) -> None:
    """A halted game goes on: a deadline that has passed since `halted_at` (None: nobody noted when)
    moves as after our absence; one that had passed before stays."""
    game = work.game(name)
    if game is not None and game.status is Status.ACTIVE:
        just_before = timing_of(game).ends_at - timedelta(seconds=1)
        excuse_absence_of_judge(work, name, halted_at or just_before)


def notify_mailbox_unreachable(work: UnitOfWork, name: str) -> None:
    """A phase is due and the mailbox cannot be read: it waits, and its players are told once."""
    game = work.game(name)
    timing = game.timing if game is not None and game.status is Status.ACTIVE else None
    if game is None or timing is None or timing.unreachable or timing.held is not None:
        return
    game = work.put_game(replace(game, timing=replace(timing, unreachable=True)))
    if awaited_seats(game):
        notify_moved(work, game, timing.ends_at, MoveReason.MAILBOX)


# --- in players' calendars ------------------------------------------------------------------------


def attach_calendar_events(work: UnitOfWork) -> None:
    """A letter brings to its reader's calendar a deadline that was set, moved or cancelled here."""
    first: dict[tuple[str, PlayerId], OutLetter] = {}
    for letter in work.letters:
        about = work.games.get((letter.game or "").lower())
        wants = letter.format is not Format.PLAIN and Attachment.CALENDAR in letter.attachments
        if (
            wants
            and letter.player is not None
            and about is not None
            and (
                about.phase is not None or letter.player in about.calendars  # unstarted
            )
        ):
            known = first.setdefault((about.name.lower(), letter.player), letter)
            if LATER.get(letter.kind, 0) < LATER.get(known.kind, 0):
                first[about.name.lower(), letter.player] = letter
    for (name, player), letter in first.items():
        game = work.games[name]
        before, serial, timing = game.calendars.get(player), game.phase_serial, game.timing
        now = None  # the deadline ahead by which the player, or standby, has something to send
        seat = next((one for one in game.seats if player in (one.player, one.standby)), None)
        if (
            game.status is Status.ACTIVE
            and not game.until  # of a practice game none is in a calendar
            and timing is not None
            and serial is not None
            and not (timing.waits or timing.held)
            and timing.deadline_at > work.now
            and seat is not None
            and orders_due(game, seat.id)
        ):
            now = CalendarEvent(
                serial=serial,
                label=game.running_phase.label,
                uid=f"{game.name}-{game.created_at:%Y%m%dT%H%M%SZ}-{serial}",
                at=timing.deadline_at,
                game=game.game,
                variant=game.settings.variant,
                seat=seat.id,
            )
        events = (now,) if now else ()
        if before and now and before.serial == serial:
            is_same = before.at == now.at and not before.is_cancelled
            events = () if is_same else (replace(now, sequence=before.sequence + 1),)
        elif before and not before.is_cancelled and before.at > work.now:
            # It is ahead still; a deadline that has passed stays what it was.
            events = (replace(before, is_cancelled=True, sequence=before.sequence + 1), *events)
        if not events:
            continue
        for at, one in enumerate(work.letters):
            if letter.token in (one.token, one.payload.get("copy_of")):
                work.letters[at] = replace(one, calendar=events)
        kept = {
            one: has
            for one, has in game.calendars.items()
            if has.at > work.now or has.serial == serial
        }
        work.games[name] = replace(game, calendars={**kept, player: events[-1]})


# --- previews -------------------------------------------------------------------------------------


def phase_preview(work: UnitOfWork, game: GameRecord) -> Preview:
    """What the phase would come to, if it ran now and nothing more came."""
    missing = frozenset(seat.id for seat in missing_seats(game))
    absent = missing | {seat.id for seat in awaited_vacant_seats(game)}
    resolution, _ = compute_resolution(game, absent, missing)
    return Preview(
        game=ref_to(game),
        report=resolution.reports[0].public,
        owing=tuple(seat.id for seat in owing_seats(game)),
        missing=tuple(seat.id for seat in game.seats if seat.id in missing),
        due=deadline_of(game, None, work.now),
    )


def preview_at(game: GameRecord) -> datetime | None:
    """When its master sees the next standing preview: once all orders are in, or have changed."""
    timing = timing_of(game)
    if early_run_at(game) is None:
        return None
    is_new = timing.previewed_at is None or timing.previewed_at < timing.changed_at
    return timing.changed_at if is_new else None


def write_preview(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """To each master who does not play in the game."""
    game = work.put_game(replace(game, timing=replace(timing_of(game), previewed_at=work.now)))
    playing = {one for seat in game.seats for one in (seat.player, seat.standby)}
    for one in game.master_ids:
        if one not in playing:
            told = phase_preview(work, game)
            work.write(work.player(one), "preview", [told], told.game, serial=game.phase_serial)
    return game
