"""A game that is full and has not begun: whoever said YES long ago says it again.

The time for it stands in the game's `timing`. Whose YES does not come is replaced from the waiting
list.
"""

from collections.abc import Collection
from datetime import datetime

from msgspec.structs import replace

from judge.host.games.forming import missing_players, start_game
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.game_events import Filling, FillingEvent
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import Due
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.rulebook import Value
from judge.store import Control, GameRecord, Player, PlayerId, Purpose, SentLetter, Status, Timing

# What a YES to a letter does.
PURPOSES = {
    FillingEvent.ASKED: Purpose.CONFIRM,
    FillingEvent.REMINDED: Purpose.CONFIRM,
    FillingEvent.LOST: Purpose.JOIN,
    FillingEvent.TO_START: Purpose.START,
}


def unsure_players(game: GameRecord) -> tuple[PlayerId, ...]:
    """Players of a full game whose YES is too old, or will be before the start."""
    confirm, starts = game.settings.confirm, game.settings.not_before
    asked_at = game.timing.opened_at if game.timing else starts and starts - confirm
    if not confirm or asked_at is None:
        return ()
    oldest = asked_at - confirm
    return tuple(one.player for one in game.applicants if one.yes_at is None or one.yes_at < oldest)


def settle_places(work: UnitOfWork, game: GameRecord, new: Collection[PlayerId] = ()) -> GameRecord:
    """After a change of players: places that are free go to the waiting list; a full game begins,
    or asks those whose YES is old. `new`: who comes from the waiting list."""
    starts = game.settings.not_before
    if starts is not None and starts <= work.now:
        game = replace(game, settings=replace(game.settings, not_before=None))
    while missing_players(game) and game.waiting:
        first, *rest = game.waiting
        is_free = first.wish not in {one.wish for one in game.applicants}
        first = first if is_free else replace(first, wish=None)
        new = (*new, first.player)
        game = replace(game, applicants=(*game.applicants, first), waiting=tuple(rest))
    if missing_players(game):
        game = work.put_game(replace(game, timing=None))
        for player in new:
            _write(work, game, player, FillingEvent.PROMOTED)
        return game
    confirm, starts = game.settings.confirm, game.settings.not_before
    game = replace(game, timing=Timing(work.now, work.now + confirm, changed_at=work.now))
    is_early = starts is not None and work.now < starts - confirm  # to ask anybody
    unsure = () if is_early else unsure_players(game)
    if not unsure:
        return _begin_or_wait(work, game, new)
    game = work.put_game(game)
    for one in _people_of(game):
        event = FillingEvent.ASKED if one in unsure else FillingEvent.FULL
        _write(work, game, one, event, is_new=one in new)
    return game


def _people_of(game: GameRecord) -> tuple[PlayerId, ...]:
    """The players of a game that has not begun, and its masters; each once."""
    return tuple(dict.fromkeys((*(one.player for one in game.applicants), *game.master_ids)))


def _begin_or_wait(
    work: UnitOfWork, game: GameRecord, new: Collection[PlayerId] = ()
) -> GameRecord:
    """The game begins, or waits for its date, or for its master to begin it."""
    starts = game.settings.not_before
    if starts is not None and work.now < starts:
        game = work.put_game(replace(game, timing=None))
        for one in _people_of(game):
            _write(work, game, one, FillingEvent.SCHEDULED, is_new=one in new)
        return game
    game = replace(game, settings=replace(game.settings, not_before=None))
    if game.settings.start is Control.AUTOMATIC:
        return begin_full_game(work, game)
    game = work.put_game(replace(game, timing=None))
    for one in _people_of(game):
        is_to_start = game.is_master(one)
        _write(work, game, one, FillingEvent.TO_START if is_to_start else FillingEvent.COMPLETE)
    return game


def begin_full_game(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """The game begins; those who still wait for a place, or for the master's leave, are told what
    else there is."""
    begun = start_game(work, replace(game, waiting=(), asking=()))
    for one in (*game.waiting, *game.asking):
        _write(work, begun, one.player, FillingEvent.BEGUN)
    return begun


def _write(
    work: UnitOfWork,
    game: GameRecord,
    player: PlayerId,
    event: FillingEvent,
    *,
    is_new: bool = False,
) -> None:
    reader, purpose = work.player(player), PURPOSES.get(event, Purpose.LETTER)
    payload: dict[str, Value] = {}
    if purpose is Purpose.JOIN:
        payload = {"game": game.name, "wish": "", "password": "", "address": reader.address}
        payload |= {"name": reader.name, "zone": reader.zone, "language": reader.language}
    message = filling(work, game, event, is_new=is_new, reader=reader)
    work.write(reader, "filling", [message], message.game, purpose=purpose, payload=payload)


def filling(
    work: UnitOfWork,
    game: GameRecord,
    event: FillingEvent,
    *,
    is_new: bool = False,
    reader: Player | None = None,
) -> Filling:
    """How the filling of a game stands, for one of its players or its master."""
    is_hidden = game.settings.hides_names and (reader is None or not game.is_master(reader.id))
    places = [one.player for one in game.waiting]
    starts = game.settings.not_before
    return Filling(
        game=ref_to(game),
        event=event,
        players=() if is_hidden else tuple(work.player(a.player).name for a in game.applicants),
        missing_players=missing_players(game),
        unsure=len(unsure_players(game)) if game.timing and game.status is Status.FORMING else 0,
        place=places.index(reader.id) + 1 if reader and reader.id in places else 0,
        due=Due(game.timing.deadline_at, work.now) if game.timing else None,
        is_new=is_new,
        not_before=starts if starts is not None and starts > work.now else None,
    )


def keep_place(context: LetterContext, _sent: SentLetter) -> None:
    """YES of a player whom a full game has asked; with the last one it begins."""
    game, player, work = context.game(), context.player, context.work
    own = [one for one in game.applicants if player and one.player == player.id] if game else []
    if game is None or not own or game.timing is None:
        raise context.refused(RefusalKind.EXPIRED, game)
    said = replace(own[0], yes_at=work.now)
    applicants = tuple(said if one == own[0] else one for one in game.applicants)
    game = replace(game, applicants=applicants)
    context.say(filling(work, game, FillingEvent.KEPT, reader=player))
    if unsure_players(game):
        work.put_game(game)
    else:
        _begin_or_wait(work, game)


def next_look(game: GameRecord) -> datetime | None:
    """When the clock must look at a game that has not begun: at its date, or when its players are
    to be asked again before it. None if it waits for players."""
    starts = game.settings.not_before
    if game.timing is None:
        if starts is None or missing_players(game):
            return None
        return starts - game.settings.confirm if unsure_players(game) else starts
    reminder_at = game.timing.opened_at + game.settings.confirm / 2
    return game.timing.deadline_at if game.timing.reminded else reminder_at


def look_at_full_game(work: UnitOfWork, game: GameRecord, read_until: datetime) -> None:
    """Remind those who have not said YES; when the time is over, others get their places. A game
    that waits for its date begins, or asks its players first."""
    timing, starts = game.timing, game.settings.not_before
    if timing is None:
        if starts is None or missing_players(game):
            return
        if unsure_players(game):
            if starts - game.settings.confirm <= work.now:
                settle_places(work, game)
        elif starts <= read_until:
            _begin_or_wait(work, replace(game, settings=replace(game.settings, not_before=None)))
        return
    unsure = unsure_players(game)
    if not timing.reminded:
        game = work.put_game(replace(game, timing=replace(timing, reminded=True)))
        for one in unsure:
            _write(work, game, one, FillingEvent.REMINDED)
        return
    if timing.deadline_at > read_until:
        return
    stayed = tuple(one for one in game.applicants if one.player not in unsure)
    game = settle_places(work, replace(game, applicants=stayed))
    for one in unsure:
        _write(work, game, one, FillingEvent.LOST)
    if game.status is Status.FORMING and game.timing is None:
        for one in _people_of(game):
            _write(work, game, one, FillingEvent.REOPENED)


def remove_applicant(work: UnitOfWork, game: GameRecord, player: PlayerId) -> GameRecord:
    """A game that has not begun without somebody who leaves it, or its waiting list."""
    applicants, waiting, asking = (
        tuple(one for one in people if one.player != player)
        for people in (game.applicants, game.waiting, game.asking)
    )
    is_player = len(applicants) < len(game.applicants)
    game = replace(game, applicants=applicants, waiting=waiting, asking=asking)
    return settle_places(work, game) if is_player else work.put_game(game)
