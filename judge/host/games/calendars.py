"""Deadlines in players' calendars: what each of them has there, and what a letter changes of it.

Whatever moves a deadline needs to know nothing of this: at the end of each unit of work what every
reader of its letters has is compared with what they should have.
"""

from msgspec.structs import replace

from judge.host.games.orders_due import orders_due, timing_of
from judge.host.unit_of_work import UnitOfWork
from judge.store import (
    Attachment,
    CalendarEvent,
    Format,
    GameRecord,
    OutLetter,
    PlayerId,
    Status,
)

# Which of several letters about a game brings it: rather the results than an answer or press.
LATER = {"answer": 1, "press": 2}


def put_deadlines(work: UnitOfWork) -> None:
    """Where the deadline of somebody who gets a letter is set, moved or cancelled by this unit of
    work, the letter brings it to their calendar."""
    first: dict[tuple[str, PlayerId], OutLetter] = {}
    for letter, about in work.letters_about_games():
        wants = letter.format is not Format.PLAIN and Attachment.CALENDAR in letter.attachments
        if wants and letter.player is not None and about.phase is not None:
            known = first.setdefault((about.name, letter.player), letter)
            if LATER.get(letter.kind, 0) < LATER.get(known.kind, 0):
                first[about.name, letter.player] = letter
    for (name, player), letter in first.items():
        game = work.game(name)
        assert game is not None
        before, now = game.calendars.get(player), _deadline_of(work, game, player)
        if now is None:
            events = _cancelled(work, before)
        elif before is None or before.serial != now.serial:
            events = (*_cancelled(work, before), now)
        elif before.is_cancelled or before.at != now.at:
            events = (replace(now, sequence=before.sequence + 1),)
        else:
            continue
        if not events:
            continue
        serial = game.phase.serial if game.phase else 0
        kept = {
            one: has
            for one, has in game.calendars.items()
            if has.at > work.now or has.serial == serial
        }
        work.put_calendar(letter, events, replace(game, calendars={**kept, player: events[-1]}))


def _deadline_of(work: UnitOfWork, game: GameRecord, player: PlayerId) -> CalendarEvent | None:
    """The deadline ahead by which the player, or standby, has something to send, or None."""
    seat = next((one for one in game.seats if player in (one.player, one.standby)), None)
    if game.status is not Status.ACTIVE or seat is None or game.phase is None or game.is_practice:
        return None
    timing, serial, label = timing_of(game), game.phase.serial, game.phase.label
    if timing.waits or timing.held is not None or timing.deadline_at <= work.now:
        return None
    if not orders_due(game, seat.id):
        return None
    return CalendarEvent(
        serial=serial,
        label=label,
        uid=f"{game.name}-{game.created_at:%Y%m%dT%H%M%SZ}-{serial}",
        at=timing.deadline_at,
        game=game.game,
        variant=game.settings.variant,
        seat=seat.id,
    )


def _cancelled(work: UnitOfWork, before: CalendarEvent | None) -> tuple[CalendarEvent, ...]:
    """One that is ahead still is cancelled; a deadline that has passed stays what it was."""
    if before is None or before.is_cancelled or before.at <= work.now:
        return ()
    return (replace(before, is_cancelled=True, sequence=before.sequence + 1),)
