"""SIGNON and GAME: who is speaking, and of which game; OBSERVE, SUBSCRIBE and UNSUBSCRIBE: those
who read a game and do not play in it."""

from dataclasses import replace as replace_line
from datetime import timedelta
from functools import partial

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game
from judge.host.commands.players import join_old_style
from judge.host.games.forming import seats_of
from judge.host.games.invitations import check_invited
from judge.host.games.press_delivery import holders_of
from judge.host.games.press_rules import MASTER
from judge.host.games.seat_names import find_seat
from judge.host.letters.letter_context import LetterContext, Role, Sender, role_in
from judge.host.letters.registering import ask_to_register
from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.refusals import PasswordTried, RefusalKind
from judge.host.permissions import observed_game, own_games
from judge.host.unit_of_work import is_password, ref_to
from judge.rulebook import SeatId
from judge.store import GameRecord, Observer, PlayerId, SeatRecord, Status

GUESSES_AN_HOUR = 10  # wrong passwords for a seat, from whomever
HOUR = timedelta(hours=1)


def sign_on(context: LetterContext, line: CommandLine) -> None:
    """`SIGNON Fbalkan secret`, `SIGNON FRANCE@balkan secret`, `SIGNON Mbalkan secret`;
    `SIGNON ?balkan secret` joins, as on the old judges.
    """
    context.sit(None)
    written, password = line.arguments["chair"], line.arguments["password"]
    if _sign_on_waiting(context, written, password):
        return
    if written.startswith("?"):
        join_old_style(context, written[1:], password)
        return
    found = find_chair(context, written)
    if found is None and written[:1] in "Oo" and context.work.game(written[1:]) is not None:
        observe(context, replace_line(line, arguments={"game": written[1:]}), results_only=False)
        return
    waiting = context.work.game(written[1:]) if context.sender.player is None else None
    if found is None and waiting is not None and waiting.status is Status.FORMING:
        join_old_style(context, written[1:], password)  # nobody has a power yet; it asks first
        return
    if found is None:
        names = context.work.repository.games.names(Status.ACTIVE, limit=3)
        raise context.refused(RefusalKind.NO_GAME, written=written, nearest=list(names))
    game, seat_id = found
    key, hour_ago = seat_id or MASTER, context.work.now - HOUR
    wrong = [at for at in game.guesses.get(key, ()) if at > hour_ago]
    chairs = (game.seat(seat_id),) if seat_id else game.masters
    fitting = [one for one in chairs if is_password(password, one.password_hash)]
    if len(wrong) >= GUESSES_AN_HOUR:  # whether this one is right is told to nobody
        raise context.refused(RefusalKind.TOO_MANY_GUESSES, game, written=written)
    if fitting:
        chair = fitting[0]
        holder = chair.player or (chair.former if isinstance(chair, SeatRecord) else None)
        assert holder is not None
        context.sender = Sender(context.work.player(holder), True, context.sender.sent)
        context.sit(Role(game.name, seat_id))
    else:
        wrong.append(context.work.now)
        game = replace(game, guesses={**game.guesses, key: tuple(wrong)})
        _warn_owner(context, context.work.put_game(game), seat_id, len(wrong))
        raise context.refused(RefusalKind.WRONG_PASSWORD, game, written=written)


def _warn_owner(
    context: LetterContext, game: GameRecord, seat_id: SeatId | None, guesses: int
) -> None:
    """Tell whoever has the seat, or all masters, at the first wrong password of an hour and at the
    last."""
    work, sender = context.work, context.letter.sender
    is_closed = guesses == GUESSES_AN_HOUR
    if guesses > 1 and not is_closed:
        return
    for holder in holders_of(game, seat_id or MASTER):
        player, ref = work.player(holder), ref_to(game, seat_id)
        if is_closed or sender not in player.addresses:  # who is told the same by the answer
            work.write(player, "notice", [PasswordTried(ref, sender, is_closed)], ref)


def _sign_on_waiting(context: LetterContext, written: str, password: str) -> bool:
    """Before a game begins any letter stands before its name, also `?`: the password tells which
    player it is that waits."""
    names = (written.rpartition("@")[2],) if "@" in written else (written[1:], written)
    for game in map(context.work.game, names):
        if game is None or game.status is not Status.FORMING:
            continue
        for one in game.applicants:
            if is_password(password, one.password_hash):
                player = context.work.player(one.player)
                context.sender = Sender(player, True, context.sender.sent)
                context.sit(role_in(game, player))
                return True
    return False


def find_chair(context: LetterContext, written: str) -> tuple[GameRecord, SeatId | None] | None:
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
    elif game is None and not line.written[:4].isupper() and line.written.isascii():
        context.lines.append(line.written)  # a sentence that begins with the word
    else:
        context.sit(None)  # the lines below are for no other game
        games = [ref.name for ref in own_games(context)]
        raise context.refused(RefusalKind.NO_GAME, written=named, nearest=games)


def observe(context: LetterContext, line: CommandLine, *, results_only: bool) -> None:
    """`OBSERVE balkan`, `SUBSCRIBE balkan`; who is not proven by their letter confirms first."""
    player, watched = context.player, observed_game(context) or context.game()
    written = line.arguments.get("game") or (watched.name if watched else "")
    is_said = line.written[:5].isupper() or not line.written.isascii()
    if not is_said and context.work.game(written) is None:
        context.lines.append(line.written)  # `Watch out!`
        return
    words = [line.arguments["word"]] if "word" in line.arguments else []
    game = find_game(context, written, words)
    check_invited(context, game, words)
    if player is None:
        ask_to_register(context, line.written)
        return
    if role_in(game, player) is not None or game.is_master(player.id) or game.is_practice:
        raise context.refused(RefusalKind.ALREADY_IN, game)
    if player.id in game.ejected:
        raise context.refused(RefusalKind.EJECTED, game)
    others = _without(game, player.id).observers
    game = replace(game, observers=(*others, Observer(player.id, results_only)))
    context.work.put_game(game)
    context.say(Done(ref_to(game), Deed.SUBSCRIBED if results_only else Deed.OBSERVES))


def unsubscribe(context: LetterContext, line: CommandLine) -> None:
    """`UNSUBSCRIBE balkan`; in a reply to a letter of the game its name may be left out."""
    sent, player = context.sender.sent, context.player
    written = line.arguments.get("game") or (sent.game if sent and sent.game else "")
    game = find_game(context, written)
    if player is None:
        return
    if not any(one.player == player.id for one in game.observers):
        raise context.refused(RefusalKind.NO_OBSERVER, game, written=line.written)
    context.work.put_game(_without(game, player.id))
    context.say(Done(ref_to(game), Deed.UNSUBSCRIBED))


def _without(game: GameRecord, player: PlayerId) -> GameRecord:
    return replace(game, observers=tuple(one for one in game.observers if one.player != player))


HANDLERS: Handlers = {
    "sign_on": sign_on,
    "choose_game": choose_game,
    "observe": partial(observe, results_only=False),
    "subscribe": partial(observe, results_only=True),
    "unsubscribe": unsubscribe,
}
