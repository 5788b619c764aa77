"""SIGNON and GAME: who is speaking, and of which game; OBSERVE, SUBSCRIBE and UNSUBSCRIBE: those
who read a game and do not play in it."""

from datetime import datetime, timedelta
from functools import partial

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game
from judge.host.commands.players import join_old_style
from judge.host.games.forming import seats_of
from judge.host.games.invitations import check_access
from judge.host.games.press_delivery import holders_of
from judge.host.games.press_rules import MASTER
from judge.host.games.seat_names import find_seat
from judge.host.games.tenures import without_observer
from judge.host.letters.letter_context import LetterContext, Role, Sender, role_in
from judge.host.letters.registering import ask_to_register
from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.refusals import PasswordTried, RefusalKind
from judge.host.permissions import observed_game, own_games
from judge.host.unit_of_work import is_password, ref_to
from judge.rulebook import SeatId
from judge.store import GameRecord, Observer, Player, SeatRecord, Status

GUESSES_AN_HOUR = 10  # wrong passwords for a seat, from whomever
APPLICANTS = "APPLICANTS"  # in a game's list of guesses, before it begins
HOUR = timedelta(hours=1)


def sign_on(context: LetterContext, line: CommandLine) -> None:
    """`SIGNON Fbalkan secret`, `SIGNON FRANCE@balkan secret`, `SIGNON Mbalkan secret`; as on the
    old judges `SIGNON ?balkan secret` joins."""
    context.sit(None)
    work, written, password = context.work, line.arguments["chair"], line.arguments["password"]
    # Before a game begins any letter stands before its name, also `?`: the password tells which
    # player it is that waits.
    names = (written.rpartition("@")[2],) if "@" in written else (written[1:], written)
    forming = [one for one in map(work.game, names) if one and one.status is Status.FORMING]
    found = find_game_and_seat(context, written)
    for game in forming:
        is_masters = found is not None and found[0].name == game.name  # and counted below
        key = MASTER if is_masters else APPLICANTS
        wrong = _wrong_guesses(context, game, key)
        is_closed = len(wrong) >= GUESSES_AN_HOUR
        before = (*game.applicants, *game.waiting)
        for one in () if is_closed else before:
            if is_password(password, one.password_hash):
                player = work.player(one.player)
                context.sender = Sender(player, True, context.sender.sent)
                context.sit(role_in(game, player))
                return
        if is_closed and found is None and not written.startswith("?"):
            raise context.refused(RefusalKind.TOO_MANY_GUESSES, game, written=written)
        if before and not (is_closed or is_masters):
            work.put_game(replace(game, guesses={**game.guesses, key: (*wrong, work.now)}))
    if written.startswith("?"):
        join_old_style(context, written[1:], password)
        return
    if found is None and written[:1] in "Oo" and work.game(written[1:]) is not None:
        observe(context, line.with_arguments(game=written[1:]), results_only=False)
        return
    waiting = work.game(written[1:]) if context.sender.player is None else None
    if found is None and waiting is not None and waiting.status is Status.FORMING:
        join_old_style(context, written[1:], password)  # nobody has a power yet; it asks first
        return
    if found is None:
        running = work.repository.games.names(Status.ACTIVE, limit=3)
        raise context.refused(RefusalKind.NO_GAME, written=written, nearest=list(running))
    game, seat_id = found
    key = seat_id or MASTER
    wrong = _wrong_guesses(context, game, key)
    chairs = (game.seat(seat_id),) if seat_id else game.masters
    fitting = [one for one in chairs if is_password(password, one.password_hash)]
    if len(wrong) >= GUESSES_AN_HOUR:  # whether this one is right is told to nobody
        raise context.refused(RefusalKind.TOO_MANY_GUESSES, game, written=written)
    if fitting:
        chair = fitting[0]
        holder = chair.player
        if isinstance(chair, SeatRecord) and holder is None and not chair.resigned:
            holder = chair.former
        if holder is None:  # who has left the seat, or was put out of it
            raise context.refused(RefusalKind.NOT_A_PLAYER, game, written=written)
        context.sender = Sender(work.player(holder), True, context.sender.sent)
        context.sit(Role(game.name, seat_id))
        return

    # Who has the seat, or all masters, are told of the first wrong one of an hour, and the last.
    wrong = (*wrong, work.now)
    game = work.put_game(replace(game, guesses={**game.guesses, key: wrong}))
    is_closed, ref = len(wrong) == GUESSES_AN_HOUR, ref_to(game, seat_id)
    told = PasswordTried(ref, context.letter.sender, is_closed)
    for player in map(work.player, holders_of(game, key)):
        is_answered = context.letter.sender in player.addresses  # and told the same
        if is_closed or (len(wrong) == 1 and not is_answered):
            work.write(player, "notice", [told], ref)
    raise context.refused(RefusalKind.WRONG_PASSWORD, game, written=written)


def _wrong_guesses(context: LetterContext, game: GameRecord, key: str) -> tuple[datetime, ...]:
    """When wrong passwords came in the last hour."""
    return tuple(at for at in game.guesses.get(key, ()) if at > context.work.now - HOUR)


def find_game_and_seat(
    context: LetterContext, written: str
) -> tuple[GameRecord, SeatId | None] | None:
    """The game and seat of `Fbalkan`, `FRANCE@balkan` or `Mbalkan`; seat None for the master."""
    power, at, name = written.partition("@")
    if not at:
        power, name = written[:1], written[1:]
    game = context.work.game(name)
    if game is None or game.status is Status.DRAFT:
        return None
    if power.upper() in ("M", "MASTER"):
        return game, None
    if game.status is Status.FORMING:
        return None
    seat = find_seat(seats_of(game), power)
    return (game, seat.id) if seat else None


def choose_game(context: LetterContext, line: CommandLine) -> None:
    """`GAME balkan`: the lines below are for that game of the sender, up to the next one."""
    written, player = line.arguments["game"], context.writer
    game, named = context.work.game(written), written.rstrip(":")
    game = game or context.work.game(named)
    is_masters = game is not None and game.is_master(player.id)
    role = role_in(game, player) if game else None
    if game is not None and (role is not None or is_masters):
        context.sit(role or Role(game.name, None))
    elif game is None and not line.is_in_capitals(4):
        context.lines.append(line.written)  # a sentence that begins with the word
    else:
        context.sit(None)  # the lines below are for no other game
        games = [ref.name for ref in own_games(context)]
        raise context.refused(RefusalKind.NO_GAME, written=named, nearest=games)


def observe(context: LetterContext, line: CommandLine, *, results_only: bool) -> None:
    """`OBSERVE balkan`, `SUBSCRIBE balkan`; who is not proven by their letter confirms first."""
    player, watched = context.player, observed_game(context) or context.game()
    written = line.arguments.get("game") or (watched.name if watched else "")
    if not line.is_in_capitals(5) and context.work.game(written) is None:
        context.lines.append(line.written)  # `Watch out!`
        return
    if not written:
        raise context.bad_command(line)
    words = [line.arguments["word"]] if "word" in line.arguments else []
    game = find_game(context, written, words)
    check_access(context, game, words)
    if player is None:
        ask_to_register(context, line.written)
        return
    if role_in(game, player) is not None or game.is_master(player.id) or game.is_practice:
        raise context.refused(RefusalKind.ALREADY_IN, game)
    if player.id in game.ejected:
        raise context.refused(RefusalKind.EJECTED, game)
    others = without_observer(game, player.id).observers
    game = replace(game, observers=(*others, Observer(player.id, results_only)))
    context.work.put_game(game)
    context.say(Done(ref_to(game), Deed.SUBSCRIBED if results_only else Deed.OBSERVES))


def observes(game: GameRecord, player: Player) -> bool:
    """Whether a player reads a game without playing in it."""
    return any(one.player == player.id for one in game.observers)


def unsubscribe(context: LetterContext, line: CommandLine) -> None:
    """`UNSUBSCRIBE balkan`; its name may be left out in a reply to a letter of the game, and by who
    observes no other."""
    sent, player = context.sender.sent, context.writer
    written = line.arguments.get("game") or (sent.game if sent and sent.game else "")
    observed = [one.name for one in context.work.games_of(player.id) if observes(one, player)]
    if not written and len(observed) != 1:
        raise context.bad_command(line)
    game = find_game(context, written or observed[0])
    if not observes(game, player):
        raise context.refused(RefusalKind.NO_OBSERVER, game, written=line.written)
    context.work.put_game(without_observer(game, player.id))
    context.say(Done(ref_to(game), Deed.UNSUBSCRIBED))


HANDLERS: Handlers = {
    "sign_on": sign_on,
    "choose_game": choose_game,
    "observe": partial(observe, results_only=False),
    "subscribe": partial(observe, results_only=True),
    "unsubscribe": unsubscribe,
}
