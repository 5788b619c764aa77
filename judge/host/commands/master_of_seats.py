"""The master's hand on seats and players: AS, EJECT, DUMMY, REVIVE, SWAP, FORCE BEGIN, UNSTART."""

from judge.host.command import CommandLine, Handlers
from judge.host.games.absences import make_dummy, revive
from judge.host.games.acts import keep_act, take_power
from judge.host.games.agreements import settle_votes
from judge.host.games.forming import missing_players, seats_of
from judge.host.games.reseating import FEWEST, begin_short, eject, swap, unstart
from judge.host.letters.access import find_seat
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import words_for
from judge.host.messages.command_answers import ConfirmAsked
from judge.host.messages.game_events import SeatChanged, SeatEvent
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import SeatId, Values
from judge.store import Act, GameRecord, PlayerId, Purpose, SeatRecord

MASTERS = ("MASTER", "GM", "M", "ME", *map(str.upper, words_for("readers", "master")))


def act_as(context: LetterContext, line: CommandLine) -> None:
    """`ACT AS FRANCE`, or `AS FRANCE`: the lines below it are orders, CLEAR, READY or WAIT of
    France, up to the next AS or a command of the master's."""
    game, player = context.role_game, context.writer
    if line.arguments["seat"].upper() in MASTERS:
        return
    context.lose_aim()  # the lines below it are for no phase, if it is refused
    seat = _seat(context, game, line.arguments["seat"])
    if any(player.id in (one.player, one.standby) for one in game.seats):
        raise context.refused(RefusalKind.PLAYS_TOO, game, written=line.written)
    if seat.player is None:
        raise context.refused(RefusalKind.NOBODY_PLAYS, game, written=seat.id)
    take_power(context, game, seat.id)


def _seat(context: LetterContext, game: GameRecord, written: str) -> SeatRecord:
    """The seat of a running game that a word names; refuses if there is none."""
    found = find_seat(seats_of(game), written)
    if found is None or not game.seats:
        nearest = [one.id for one in seats_of(game)]
        raise context.refused(RefusalKind.NO_POWER, game, written=written, nearest=nearest)
    return game.seat(found.id)


def _person(context: LetterContext, game: GameRecord, written: str) -> PlayerId:
    """A player, applicant or observer of a game, by power, address or name; refuses if none is."""
    word = written.casefold()
    seat = find_seat(seats_of(game), written) if game.seats else None
    if seat is not None and (holder := game.seat(seat.id).player):
        return holder
    ids = [one.player for one in game.seats if one.player]
    ids += [one.player for one in (*game.applicants, *game.waiting)]
    ids += [one.player for one in game.observers]
    for one in ids:
        person = context.work.player(one)
        if word in (person.name.casefold(), *person.addresses):
            return one
    if seat is not None:
        raise context.refused(RefusalKind.NOBODY_PLAYS, game, written=seat.id)
    known = [one.id for one in game.seats if one.player]
    raise context.refused(RefusalKind.NO_ONE_THERE, game, written=written, known=known)


def ask_eject(context: LetterContext, line: CommandLine) -> None:
    """`EJECT FRANCE no letters for weeks`, `EJECT ann@example.org`: asked back."""
    game = context.role_game
    person = _person(context, game, line.arguments["seat"])
    reason = line.arguments.get("reason", "")
    seats = tuple(one.id for one in game.seats if one.player == person)
    who = context.work.player(person).name
    asked = ConfirmAsked(context.ref(game), "eject", reason=reason, seats=seats, who=who)
    _ask(context, asked, {"rule": "eject", "player": person, "reason": reason})


def _ask(context: LetterContext, asked: ConfirmAsked, payload: Values) -> None:
    context.say(asked)
    context.ask(Purpose.MASTER, payload)


def eject_now(context: LetterContext, payload: Values) -> None:
    """Carry out an EJECT."""
    game, player = context.role_game, context.writer
    person = PlayerId(str(payload["player"]))
    context.say(eject(context.work, game, person, str(payload["reason"]), player.id))


def dummy(context: LetterContext, line: CommandLine) -> None:
    """`DUMMY TURKEY`: nobody is to play it; asked back where somebody does."""
    game = context.role_game
    seat = _seat(context, game, line.arguments["seat"])
    reason = line.arguments.get("reason", "")
    payload: Values = {"rule": "dummy", "seat": seat.id, "reason": reason}
    if seat.player is None:
        dummy_now(context, payload)
        return
    who = context.work.player(seat.player).name
    asked = ConfirmAsked(context.ref(game), "dummy", reason=reason, seats=(seat.id,), who=who)
    _ask(context, asked, payload)


def dummy_now(context: LetterContext, payload: Values) -> None:
    """Carry out a DUMMY."""
    game, player = context.role_game, context.writer
    seat = game.seat(SeatId(str(payload["seat"])))
    game = make_dummy(context.work, game, seat)
    told = MasterActed(ref_to(game), Act.DUMMIED, str(payload["reason"]), (seat.id,))
    keep_act(context.work, game, told, player.id)
    context.say(SeatChanged(ref_to(game), seat.id, SeatEvent.DUMMY, ""))
    settle_votes(context.work, game)


def revive_seat(context: LetterContext, line: CommandLine) -> None:
    """`REVIVE TURKEY`: a power that nobody was to play is open to players."""
    game, player = context.role_game, context.writer
    seat = _seat(context, game, line.arguments["seat"])
    if not seat.is_dummy:
        raise context.refused(RefusalKind.SEAT_TAKEN, game, written=seat.id, free=[])
    game = revive(context.work, game, seat)
    keep_act(
        context.work, game, MasterActed(ref_to(game), Act.REVIVED, seats=(seat.id,)), player.id
    )
    context.say(SeatChanged(ref_to(game), seat.id, SeatEvent.REVIVED, ""))


def ask_swap(context: LetterContext, line: CommandLine) -> None:
    """`SWAP FRANCE ENGLAND both agreed`: their players exchange seats; asked back."""
    game = context.role_game
    seats = [_seat(context, game, line.arguments[name]) for name in ("seat", "word")]
    vacant = [seat.id for seat in seats if seat.player is None]
    if vacant or seats[0] == seats[1]:
        raise context.refused(RefusalKind.NOBODY_PLAYS, game, written=(vacant or [seats[0].id])[0])
    ids, reason = tuple(seat.id for seat in seats), line.arguments.get("reason", "")
    asked = ConfirmAsked(context.ref(game), "swap", reason=reason, seats=ids)
    _ask(context, asked, {"rule": "swap", "seats": list(ids), "reason": reason})


def swap_now(context: LetterContext, payload: Values) -> None:
    """Carry out a SWAP, unless somebody has left meanwhile."""
    game, player, ids = context.role_game, context.writer, payload["seats"]
    assert isinstance(ids, list)
    first, second = map(SeatId, ids)
    if None in (game.seat(first).player, game.seat(second).player):
        raise context.refused(RefusalKind.EXPIRED, game)
    context.say(swap(context.work, game, (first, second), str(payload["reason"]), player.id))


def ask_force_begin(context: LetterContext, _line: CommandLine) -> None:
    """`FORCE BEGIN`: the game begins with those who have joined; asked back."""
    game = context.role_game
    if len(game.applicants) < FEWEST or game.faults:
        raise context.refused(RefusalKind.TOO_FEW, game, limit=FEWEST)
    _ask(context, ConfirmAsked(context.ref(game), "force_begin"), {"rule": "force_begin"})


def force_begin_now(context: LetterContext, _payload: Values) -> None:
    """Carry out a FORCE BEGIN; the first letters tell everybody."""
    game, player = context.role_game, context.writer
    if game.state is not None or len(game.applicants) < FEWEST:
        raise context.refused(RefusalKind.EXPIRED, game)
    is_short = missing_players(game) > 0
    game = begin_short(context.work, game, player.id)
    if is_short:
        context.say(MasterActed(ref_to(game), Act.BEGUN_SHORT, seats=game.shortened))


def ask_unstart(context: LetterContext, line: CommandLine) -> None:
    """`UNSTART wrong board`: before the first phase has run, back to before the start; asked."""
    game = context.role_game
    if context.work.repository.phases.every(game.name):
        raise context.refused(RefusalKind.HAS_RUN, game, written=line.written)
    reason = line.arguments.get("reason", "")
    asked = ConfirmAsked(context.ref(game), "unstart", reason=reason)
    _ask(context, asked, {"rule": "unstart", "reason": reason})


def unstart_now(context: LetterContext, payload: Values) -> None:
    """Carry out an UNSTART."""
    game, player = context.role_game, context.writer
    if game.state is None or context.work.repository.phases.every(game.name):
        raise context.refused(RefusalKind.EXPIRED, game)
    context.say(unstart(context.work, game, str(payload["reason"]), player.id))


HANDLERS: Handlers = {
    "act_as": act_as,
    "eject": ask_eject,
    "dummy": dummy,
    "revive": revive_seat,
    "swap": ask_swap,
    "force_begin": ask_force_begin,
    "unstart": ask_unstart,
}
