"""ABSENCE and VACATION: players who announce that they will be away; STANDBY: players who would
take a seat over when its player is missing."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game
from judge.host.commands.people import change_writer
from judge.host.games.absences import ask_standbys_for_orders, call_for_the_away, with_standby
from judge.host.games.forming import named_seat, seats_of
from judge.host.games.orders_due import after_absences, deadline_of, is_undated, timing_of
from judge.host.games.reminders import move_deadline
from judge.host.games.seat_names import find_seat
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import ask_to_register
from judge.host.local_words import first_said
from judge.host.messages.command_answers import Away, Deed, Done
from judge.host.messages.game_events import MoveReason
from judge.host.messages.people import Personal, PersonalKind, VacationNoted
from judge.host.messages.refusals import RefusalKind
from judge.host.schedules.dates import format_days, parse_days
from judge.host.schedules.schedule import later_reading
from judge.host.unit_of_work import ref_to
from judge.rulebook import DEFAULT_GAME, SeatId, load_game
from judge.store import Absence, GameRecord, OnAbsence, Standby, Status

FOR = re.compile(r"(?:for|of)\s+(?=[A-Za-z])", re.IGNORECASE)  # before the name of a power
DAY, YEAR = timedelta(days=1), timedelta(days=365)


def absence(context: LetterContext, line: CommandLine) -> None:
    """`ABSENCE 24 Dec - 2 Jan`, `ABSENCE 2026-12-24`: in the game of the letter; from the master
    `ABSENCE FRANCE 24 Dec - 2 Jan`."""
    written = line.arguments.get("time", "")
    power, _, days = FOR.sub("", written).partition(" ")
    named = find_seat(seats_of(context.role_game), power)
    seat = _own_or_named_seat(context, power if named else written)
    if named and named.id != seat:
        raise context.refused(RefusalKind.NOT_MASTER, context.role_game, written=line.written)
    line = line.with_arguments(time=days) if named else line
    _be_away(context, context.role_game, seat, _read(context, line))


def _own_or_named_seat(context: LetterContext, written: str) -> SeatId:
    """The sender's own seat; the one whose power a master names, if somebody plays it."""
    game, role = context.role_game, context.own_role
    if role.seat is not None:
        return role.seat
    named = named_seat(context, game, written).id
    if game.seat(named).player is None:
        raise context.refused(RefusalKind.NOBODY_PLAYS, game, written=named)
    return named


def vacation(context: LetterContext, line: CommandLine) -> None:
    """`VACATION 24 Dec - 2 Jan`: in every game that the player has a seat in, or gets one later. It
    is kept unless it is too long for all games that run."""
    player, away = context.writer, replace(_read(context, line), everywhere=True)
    seats = _seats_held(context)
    noted = [_be_away(context, game, seat, away) for game, seat in seats]
    if seats and not any(noted):
        return
    joined, apart = _merge_absences(away, player.vacations)
    kept = (one for one in (*apart, joined) if one.end > context.work.now)
    change_writer(context, vacations=tuple(sorted(kept, key=lambda one: one.start)))
    if not seats:
        context.say(VacationNoted(joined.start, joined.end))


def no_vacation(context: LetterContext, _line: CommandLine) -> None:
    """`NO VACATION`: what is to come of all vacations, in all games."""
    now = context.work.now
    change_writer(context, vacations=())
    for game, seat_id in _seats_held(context):
        seat = game.seat(seat_id)
        kept = tuple(one for one in seat.absences if one.end <= now or not one.everywhere)
        context.work.put_game(game.with_seat(replace(seat, absences=kept)))
    context.say(Personal(PersonalKind.NO_VACATION))


def _seats_held(context: LetterContext) -> list[tuple[GameRecord, SeatId]]:
    """The seats of running games that are the player's now."""
    player = context.writer.id
    return [
        (game, seat.id)
        for game in context.work.games_of(player)
        if game.status is Status.ACTIVE and not game.is_practice
        for seat in game.seats
        if seat.player == player
    ]


def _merge_absences(away: Absence, absences: Sequence[Absence]) -> tuple[Absence, list[Absence]]:
    """An absence with those that it touches, as one; and the others."""
    apart = [one for one in absences if one.end < away.start or one.start > away.end]
    joined = (away, *(one for one in absences if one not in apart))
    start, end = min(one.start for one in joined), max(one.end for one in joined)
    return Absence(start, end, any(one.everywhere for one in joined)), apart


def _read(context: LetterContext, line: CommandLine) -> Absence:
    """The days that are written, in the player's zone; refuses what is none, two, or over."""
    written, zone = line.arguments.get("time", ""), ZoneInfo(context.zone)
    readings = parse_days(written, context.work.now.astimezone(zone).date())
    if not readings:
        raise context.refused(RefusalKind.BAD_DAYS, written=written, usage=line.command.usage)
    if len(readings) > 1:
        spans = [format_days(*each) for each in readings]
        word = first_said(line.command.rule).get(context.language, line.command.words[0])
        raise context.refused(RefusalKind.TWO_DAYS, written=written, spans=spans, usage=word)
    ((first, last),) = readings
    start, end = (
        later_reading(datetime.combine(day, time()), zone).astimezone(UTC)
        for day in (first, last + DAY)
    )
    if end <= context.work.now:
        raise context.refused(RefusalKind.PAST_TIME, written=written, instants=[end.isoformat()])
    return Absence(start, end)


def _be_away(context: LetterContext, game: GameRecord, seat_id: SeatId, away: Absence) -> bool:
    """Note an absence within the game's limit, and move the running deadline or call a standby;
    whether it is within. For a player the master may go beyond it."""
    work, seat = context.work, game.seat(seat_id)
    is_masters = context.is_master and not away.everywhere  # a vacation is the writer's own
    away, apart = _merge_absences(away, seat.absences)
    kept = tuple(one for one in apart if one.end > work.now - YEAR)
    left = game.settings.absence - sum((one.end - one.start for one in kept), timedelta(0))
    too_long = away.end - away.start > left + timedelta(hours=1)  # a day of 25 hours
    if too_long and not is_masters:
        context.refuse(RefusalKind.AWAY_TOO_LONG, game, limit=max(left // DAY, 0))
        return False
    absences = tuple(sorted((*kept, away), key=lambda one: one.start))
    game = work.put_game(game.with_seat(replace(seat, absences=absences)))
    timing, shifts = timing_of(game), game.settings.on_absence is OnAbsence.SHIFT
    if shifts and not timing.waits and timing.grace_until is None:
        later = after_absences(game, timing.deadline_at)
        if later > timing.deadline_at:
            game = move_deadline(work, game, later, MoveReason.ABSENCE)
    elif not shifts:
        game = work.put_game(call_for_the_away(work, game))
        if game.seat(seat_id).standby != seat.standby:
            ask_standbys_for_orders(work, game, only=seat_id)
    days_left = max((left - (away.end - away.start)) // DAY, 0)
    for reader in (seat_id, None):
        due = deadline_of(game, game.seat(reader) if reader else None, work.now)
        ref = ref_to(game, reader)
        told = Away(
            game=ref,
            seat=seat_id,
            start=away.start,
            end=away.end,
            days_left=days_left,
            shifts=shifts,
            due=due,
            is_masters=is_masters,
            is_undated=is_undated(game),
        )
        if is_masters == (reader is None):
            context.say(told)
        elif reader is None:
            work.notify_masters(game, "absence", [told], serial=game.phase_serial)
        else:
            work.notify_seat(game, seat_id, "absence", [told])
    return True


def back(context: LetterContext, line: CommandLine) -> None:
    """`NO ABSENCE`; from the master `NO ABSENCE FRANCE`."""
    game = context.role_game
    seat_id = _own_or_named_seat(context, line.arguments.get("seat", ""))
    kept = tuple(one for one in game.seat(seat_id).absences if one.end <= context.work.now)
    game = context.work.put_game(game.with_seat(replace(game.seat(seat_id), absences=kept)))
    context.say(Done(context.ref(game), Deed.BACK))
    if context.is_master:
        told = Done(ref_to(game, seat_id), Deed.BACK)
        context.work.notify_seat(game, seat_id, "absence", [told])


def stand_by(context: LetterContext, line: CommandLine, *, is_on: bool) -> None:
    """`STANDBY`, `STANDBY balkan`, `STANDBY chaos`: on the list of all games, of one, of a variant.
    NO STANDBY: off one list, or alone off all and out of every seat on call. Who is off a game's is
    called for it from no other."""
    player, work, written = context.player, context.work, line.arguments.get("game", "")
    kind, scope, values = PersonalKind.STANDBY, "", {}
    if written.lower() in load_game(DEFAULT_GAME).variants() and work.game(written) is None:
        scope, values = f"variant {written.lower()}", {"variant": written.lower()}
        kind = PersonalKind.STANDBY_VARIANT
    elif written:
        game = find_game(context, written)
        scope, values = f"game {game.name.lower()}", {"game": game.name}
        kind = PersonalKind.STANDBY_GAME
    if player is None:
        ask_to_register(context, f"STANDBY {written}".rstrip())
        return
    if scope.startswith("game "):
        work.standbys.append(Standby(player.id, f"not {scope}", None if is_on else work.now))
    if is_on:
        work.standbys.append(Standby(player.id, scope, work.now))
        context.say(Personal(kind, values))
        return
    left = (scope,) if written else work.repository.players.standby_scopes(player.id)
    for one in left:
        work.standbys.append(Standby(player.id, one, None))
    for game in work.games_of(player.id):
        if not written or scope == f"game {game.name.lower()}":
            for seat in game.seats:
                if seat.standby == player.id:
                    work.put_game(game := with_standby(game, seat, None))
    context.say(Personal(PersonalKind.NO_STANDBY))


HANDLERS: Handlers = {
    "no_absence": back,
    "absence": absence,
    "vacation": vacation,
    "no_vacation": no_vacation,
    "standby": partial(stand_by, is_on=True),
    "no_standby": partial(stand_by, is_on=False),
}
