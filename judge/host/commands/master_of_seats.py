"""The master's hand on seats and players: AS, EJECT, DUMMY, REVIVE, SWAP, FORCE BEGIN, UNSTART."""

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.games.absences import (
    end_calls,
    joined_message,
    make_dummy,
    make_dummy_vacant,
    vacate,
    with_standby,
)
from judge.host.games.acts import ask_master_to_confirm, notify_act_and_answer, record_act
from judge.host.games.agreements import settle_votes
from judge.host.games.filling import begin_full_game, remove_applicant
from judge.host.games.forming import (
    missing_players,
    named_seat,
    seats_for_players,
    seats_of,
)
from judge.host.games.orders_due import timing_of
from judge.host.games.seat_names import find_seat
from judge.host.games.tenures import without_observer
from judge.host.letters.letter_context import LetterContext, Role
from judge.host.local_words import words_in_all_languages
from judge.host.messages.command_answers import ConfirmAsked
from judge.host.messages.game_events import SeatChanged, SeatEvent
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import RandomStream, SeatId, Values
from judge.store import Act, Applicant, PlayerId, SeatRecord, Status

FEWEST = 2  # players with whom a game begins short
MASTERS = ("MASTER", "GM", "M", "ME", *map(str.upper, words_in_all_languages("readers", "master")))


def act_as(context: LetterContext, line: CommandLine) -> None:
    """`ACT AS FRANCE`, or `AS FRANCE`: the lines below it are orders, CLEAR, READY or WAIT of
    France, up to the next AS or a command of the master's."""
    game, player = context.role_game, context.writer
    if line.arguments["seat"].upper() in MASTERS:
        return
    context.aim_at_no_phase()  # the lines below it are for no phase, if it is refused
    seat = game.seat(named_seat(context, game, line.arguments["seat"]).id)
    if any(player.id in (one.player, one.standby) for one in game.seats):
        raise context.refused(RefusalKind.PLAYS_TOO, game, written=line.written)
    if seat.player is None:
        raise context.refused(RefusalKind.NOBODY_PLAYS, game, written=seat.id)
    role = context.own_role
    context.acted.setdefault((game.name, seat.id), game)
    context.sit(Role(game.name, seat.id, role.serial, role.label, by_master=True))


def ask_eject(context: LetterContext, line: CommandLine) -> None:
    """`EJECT FRANCE no letters for weeks`, `EJECT ann@example.org`: asked back."""
    game = context.role_game
    reason = line.arguments.get("reason", "")
    written = line.arguments["seat"]
    held = [one for one in game.seats if one.player]
    ids = [one.player for one in held if one.player]
    ids += [one.player for one in (*game.applicants, *game.waiting)]
    ids += [one.player for one in game.observers]
    people = [context.work.player(one) for one in ids]

    # The player of a power comes before whoever has that name or address.
    word, seat = written.casefold(), find_seat(seats_of(game), written) if game.seats else None
    found = [
        person for one, person in zip(held, people, strict=False) if seat and one.id == seat.id
    ]
    found += [one for one in people if word in (one.name.casefold(), *one.addresses)]
    if not found and seat is not None:
        raise context.refused(RefusalKind.NOBODY_PLAYS, game, written=seat.id)
    if not found:
        known = [one.id for one in held]
        raise context.refused(RefusalKind.NO_ONE_THERE, game, written=written, known=known)
    person = found[0]
    seats = tuple(one.id for one in held if one.player == person.id)
    asked = ConfirmAsked(context.ref(game), "eject", reason=reason, seats=seats, who=person.name)
    ask_master_to_confirm(context, asked, player=person.id, reason=reason)


def eject_now(context: LetterContext, payload: Values) -> None:
    """Carry out an EJECT: a player or observer has no part in the game any more, and no letter of
    theirs changes that; a seat of theirs is open to others."""
    game, work, by = context.role_game, context.work, context.writer.id
    player, reason = PlayerId(str(payload["player"])), str(payload["reason"])
    person = work.player(player)
    told = MasterActed(ref_to(game), Act.EJECTED, reason, who=person.name)
    work.write(person, "act", [replace(told, is_own=True)], ref_to(game))
    seats = tuple(seat.id for seat in game.seats if seat.player == player)
    game = replace(without_observer(game, player), ejected=(*game.ejected, player))
    who = person.name
    if game.status is Status.FORMING:
        game = remove_applicant(work, game, player)
    else:
        end_calls(work, game, [one for one in game.seats if one.player == player])
        for seat in game.seats:
            if seat.player == player:
                seat = vacate(seat, resigned=True)
            standby = None if seat.id in seats or seat.standby == player else seat.standby
            game = with_standby(game, seat, standby)
        game = work.put_game(game)
        who = "" if game.settings.hides_names else who
    if seats:
        notify_act_and_answer(context, game, Act.EJECTED, reason=reason, seats=seats, who=who)
        settle_votes(work, game)
    else:
        told = replace(told, game=ref_to(game), who=who)
        record_act(work, game, told, by)
        context.say(told)


def dummy(context: LetterContext, line: CommandLine) -> None:
    """`DUMMY TURKEY`: nobody is to play it; asked back where somebody does."""
    game, reason = context.role_game, line.arguments.get("reason", "")
    seat = game.seat(named_seat(context, game, line.arguments["seat"]).id)
    if seat.player is None:
        dummy_now(context, {"seat": seat.id, "reason": reason})
        return
    who = context.work.player(seat.player).name
    asked = ConfirmAsked(context.ref(game), "dummy", reason=reason, seats=(seat.id,), who=who)
    ask_master_to_confirm(context, asked, seat=seat.id, reason=reason)


def dummy_now(context: LetterContext, payload: Values) -> None:
    """Carry out a DUMMY."""
    seat = context.role_game.seat(SeatId(str(payload["seat"])))
    game = make_dummy(context.work, context.role_game, seat)
    told = MasterActed(ref_to(game), Act.DUMMIED, str(payload["reason"]), (seat.id,))
    record_act(context.work, game, told, context.writer.id)
    context.say(SeatChanged(ref_to(game), seat.id, SeatEvent.DUMMY, ""))
    settle_votes(context.work, game)


def revive_seat(context: LetterContext, line: CommandLine) -> None:
    """`REVIVE TURKEY`: a power that nobody was to play is open to players."""
    game = context.role_game
    seat = game.seat(named_seat(context, game, line.arguments["seat"]).id)
    if not seat.is_dummy:
        raise context.refused(RefusalKind.SEAT_TAKEN, game, written=seat.id, free=[])
    game = make_dummy_vacant(context.work, game, seat)
    told = MasterActed(ref_to(game), Act.REVIVED, seats=(seat.id,))
    record_act(context.work, game, told, context.writer.id)
    context.say(SeatChanged(ref_to(game), seat.id, SeatEvent.REVIVED, ""))


def ask_swap(context: LetterContext, line: CommandLine) -> None:
    """`SWAP FRANCE ENGLAND both agreed`: their players exchange seats; asked back."""
    game, reason = context.role_game, line.arguments.get("reason", "")
    words = (line.arguments["seat"], line.arguments["word"])
    seats = [game.seat(named_seat(context, game, one).id) for one in words]
    vacant = [seat.id for seat in seats if seat.player is None]
    if vacant or seats[0] == seats[1]:
        raise context.refused(RefusalKind.NOBODY_PLAYS, game, written=(vacant or [seats[0].id])[0])
    ids = tuple(seat.id for seat in seats)
    asked = ConfirmAsked(context.ref(game), "swap", reason=reason, seats=ids)
    ask_master_to_confirm(context, asked, seats=list(ids), reason=reason)


def swap_now(context: LetterContext, payload: Values) -> None:
    """Carry out a SWAP, unless somebody has left meanwhile: two players exchange their seats, and
    nothing that either had stored goes with them; each gets the position and what to send."""
    game, work, ids = context.role_game, context.work, payload["seats"]
    assert isinstance(ids, list)
    pair = tuple(map(SeatId, ids))
    first, second = map(game.seat, pair)
    if None in (first.player, second.player):
        raise context.refused(RefusalKind.EXPIRED, game)
    passwords = {}
    for seat, other in ((first, second), (second, first)):
        password = passwords[seat.id] = work.tokens.password(game.name, seat.id)
        hashed = work.tokens.hash_password(password, game.name)
        game = game.with_seat(SeatRecord(seat.id, other.player, hashed, absences=other.absences))
        game = game.without_lines(seat.id).without_standby_lines(seat.id)
    timing = timing_of(game)
    if timing.grace_until is not None:  # in which they send orders anew
        timing = replace(timing, late=tuple(dict.fromkeys((*timing.late, *pair))))
    game = work.put_game(replace(game, timing=timing, proposals=()))
    notify_act_and_answer(context, game, Act.SWAPPED, reason=str(payload["reason"]), seats=pair)
    end_calls(work, game, (first, second))
    for one in pair:
        work.notify_seat(game, one, "seat", [joined_message(work, game, one, passwords[one])])


def ask_force_begin(context: LetterContext, _line: CommandLine) -> None:
    """`FORCE BEGIN`: the game begins with those who have joined; asked back."""
    game = context.role_game
    if len(game.applicants) < FEWEST or game.faults:
        raise context.refused(RefusalKind.TOO_FEW, game, limit=FEWEST)
    ask_master_to_confirm(context, ConfirmAsked(context.ref(game), "force_begin"))


def force_begin_now(context: LetterContext, _payload: Values) -> None:
    """Carry out a FORCE BEGIN: the game begins with the players that it has, and the first letters
    tell everybody. Powers that nobody wishes for, drawn by lot, are left to nobody."""
    game = context.role_game
    if game.state is not None or len(game.applicants) < FEWEST:
        raise context.refused(RefusalKind.EXPIRED, game)
    places = seats_for_players(game)
    wished = {one.wish for one in game.applicants}
    liked = {seat for one in game.applicants for tie in one.preferences for seat in tie}
    drawn = RandomStream(game.seed, 0).shuffled(places)
    last = sorted(drawn, key=lambda seat: (seat in wished, seat in liked))
    left = last[: missing_players(game)]
    left_out = tuple(seat for seat in places if seat in left)
    settings = replace(game.settings, dummies=(*game.settings.dummies, *left_out))
    game = replace(game, settings=settings, shortened=left_out)
    game = begin_full_game(context.work, game)
    if left_out:
        told = MasterActed(ref_to(game), Act.BEGUN_SHORT, seats=left_out)
        record_act(context.work, game, told, context.writer.id)
        context.say(told)


def ask_unstart(context: LetterContext, line: CommandLine) -> None:
    """`UNSTART wrong board`: before the first phase has run, back to before the start; asked."""
    game, reason = context.role_game, line.arguments.get("reason", "")
    if context.work.repository.phases.including_rolled_back(game.name):
        raise context.refused(RefusalKind.HAS_RUN, game, written=line.written)
    ask_master_to_confirm(
        context, ConfirmAsked(context.ref(game), "unstart", reason=reason), reason=reason
    )


def unstart_now(context: LetterContext, payload: Values) -> None:
    """Carry out an UNSTART: the game waits for its start again, nobody has a seat yet."""
    readers, work, by = context.role_game, context.work, context.writer.id
    if readers.state is None or work.repository.phases.including_rolled_back(readers.name):
        raise context.refused(RefusalKind.EXPIRED, readers)
    dummies = tuple(
        one
        for one in readers.settings.dummies
        if one not in readers.shortened and readers.seat(one).is_dummy
    )
    game = replace(
        readers,
        status=Status.FORMING,
        settings=replace(readers.settings, dummies=dummies),
        applicants=tuple(
            Applicant(seat.player, None, seat.password_hash, yes_at=work.now)
            for seat in readers.seats
            if seat.player is not None
        ),
        state=None,
        phase=None,
        seats=(),
        order_sets={},
        advance={},
        standby_sets={},
        standby_advance={},
        tenures=(),
        timing=None,
        shortened=(),
        proposals=(),
        held_press=(),
    )
    game = work.put_game(game)
    told = MasterActed(ref_to(game), Act.UNSTARTED, str(payload["reason"]))
    work.notify_players(readers, "act", lambda *_: [told], without=by)
    work.notify_observers(game, "act", [told])
    end_calls(work, readers, readers.seats)
    record_act(work, game, told, by)
    context.say(told)


HANDLERS: Handlers = {
    "act_as": act_as,
    "eject": ask_eject,
    "dummy": dummy,
    "revive": revive_seat,
    "swap": ask_swap,
    "force_begin": ask_force_begin,
    "unstart": ask_unstart,
}
