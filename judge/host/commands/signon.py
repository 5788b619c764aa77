"""SIGNON and YES: who is speaking, and what he agrees to."""

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

from judge.clock import from_seconds
from judge.host.command import N_, Command, CommandLine, Topic, Who
from judge.host.commands.master import open_game, process_now, shorten_deadline
from judge.host.commands.people import change_address_now, forget_now
from judge.host.commands.players import join_old_style, say_asked
from judge.host.commands.seats import resign_now
from judge.host.games.forming import free_wishes, join, seat_player, seats_of
from judge.host.games.orders import store_lines
from judge.host.letters.access import Role, Sender, find_seat, role_in, seats_named
from judge.host.letters.command_parser import Item, TextLine, is_yes
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import register_from, say_registered
from judge.host.letters.tokens import is_password
from judge.host.messages.refusals import PasswordTried, RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import SeatId, Values
from judge.store import GameRecord, Purpose, SentLetter, Status

GUESSES_AN_HOUR = 10  # wrong passwords for a seat, from whomever
HOUR = timedelta(hours=1)
YES_WORDS = ("YES", "OK")
NO_WORDS = ("no", "cancel", "stop", "아니요", "不", "いいえ")


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
    if found is None:
        names = context.work.repository.games.names(Status.ACTIVE, limit=3)
        context.refuse(RefusalKind.NO_GAME, written=written, nearest=list(names))
        return
    game, seat_id = found
    stored = game.seat(seat_id).password_hash if seat_id else game.master_hash
    key, hour_ago = seat_id or "MASTER", context.work.now - HOUR
    wrong = [at for at in game.guesses.get(key, ()) if at > hour_ago]
    if len(wrong) >= GUESSES_AN_HOUR:  # whether this one is right is told to nobody
        context.refuse(RefusalKind.TOO_MANY_GUESSES, game, written=written)
    elif is_password(password, stored):
        _sit_down(context, game, seat_id)
    else:
        wrong.append(context.work.now)
        game = replace(game, guesses={**game.guesses, key: tuple(wrong)})
        _warn_owner(context, context.work.put_game(game), seat_id, len(wrong))
        context.refuse(RefusalKind.WRONG_PASSWORD, game, written=written)


def _warn_owner(
    context: LetterContext, game: GameRecord, seat_id: SeatId | None, guesses: int
) -> None:
    """Tell whoever has the seat, at the first wrong password of an hour and at the last."""
    work, sender = context.work, context.letter.sender
    holder = game.seat(seat_id).player if seat_id else game.master
    is_closed = guesses == GUESSES_AN_HOUR
    if holder is None or (guesses > 1 and not is_closed):
        return
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


def _sit_down(context: LetterContext, game: GameRecord, seat_id: SeatId | None) -> None:
    if seat_id is None:
        player = context.work.player(game.master)
    else:
        seat = game.seat(seat_id)
        holder = seat.player or seat.former
        assert holder is not None
        player = context.work.player(holder)
    context.sender = Sender(player, True, context.sender.sent)
    context.sit(Role(game.name, seat_id))


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


def say_yes(context: LetterContext, line: CommandLine) -> None:
    """YES agrees to what the letter that it answers has asked; once, and while it is asked."""
    sent, work = context.sender.sent, context.work
    if sent is None or not context.sender.proven:
        context.refuse(RefusalKind.NOTHING_PROPOSED)
        return
    is_late = sent.created_at + work.config.confirm_for < work.now
    match sent.purpose:
        case Purpose.PROPOSALS:
            context.lines += _texts(sent.payload, "lines")
            if not context.sender.is_dated:
                context.agreed += _texts(sent.payload, "commands")
            _take_proposals_ahead(context, _texts(sent.payload, "ahead"))
        case Purpose.RESIGN if not is_late:
            resign_now(context)
        case Purpose.PROCESS if not is_late:
            process_now(context, str(sent.payload["label"]))
        case Purpose.DEADLINE if not is_late:
            shorten_deadline(context, from_seconds(int(str(sent.payload["at"]))))
        case Purpose.ADDRESS if not is_late:
            change_address_now(context, sent)
        case Purpose.FORGET if not is_late and context.player is not None:
            forget_now(context)
        case Purpose.OPEN if not is_late:
            open_game(context, line)
        case Purpose.WISH if (game := context.game()) is not None:
            join(context, game, str(sent.payload["seat"]), "")
        case (
            Purpose.RESIGN
            | Purpose.PROCESS
            | Purpose.DEADLINE
            | Purpose.ADDRESS
            | Purpose.FORGET
            | Purpose.OPEN
            | Purpose.CLOSED
        ):
            context.refuse(RefusalKind.EXPIRED)
        case _:
            context.refuse(RefusalKind.NOTHING_PROPOSED)
            return
    work.close_question(sent)


def _take_proposals_ahead(context: LetterContext, lines: Sequence[str]) -> None:
    """Lines for later phases, each below the label of its phase; what the letter itself says stays
    with the phase that it was for."""
    if not lines:
        return
    store_lines(context)
    aim, is_aimless = context.aim, context.is_aimless
    context.lines += lines
    store_lines(context)
    context.aim, context.is_aimless = aim, is_aimless


def _texts(payload: Values, key: str) -> list[str]:
    values = payload.get(key, [])
    assert isinstance(values, list)
    return [str(value) for value in values]


def answer_question(context: LetterContext, items: Sequence[Item]) -> tuple[str, Sequence[Item]]:
    """A reply to a question about joining or registering: YES carries it out, and any other reply
    but a no is asked again.

    Returns the text that waited for the YES, and the lines of the reply that are still to be read.
    """
    sent, work = context.sender.sent, context.work
    assert sent is not None
    words = context.letter.body.split()
    is_no = bool(words) and words[0].strip(".,!").lower() in NO_WORDS
    if is_no or sent.created_at + work.config.confirm_for < work.now:
        work.close_question(sent)
        context.refuse(RefusalKind.EXPIRED)
        return "", () if is_no else items[is_yes(items) :]
    if not is_yes(items):
        if all(one.in_own_words for one in items if isinstance(one, CommandLine)):
            _ask_again(context, sent, items)
        return "", items
    work.close_question(sent)
    player = register_from(context, sent.payload)
    context.sender = replace(context.sender, player=player, proven=True)
    then = str(sent.payload.get("then", ""))
    if sent.purpose is Purpose.JOIN:
        seat_player(context, sent.payload)
    elif not then:
        say_registered(context)
    return then, items[1:]


def _ask_again(context: LetterContext, sent: SentLetter, items: Sequence[Item]) -> None:
    """A reply that is no yes may name the power that its writer wishes for."""
    game = context.work.game(str(sent.payload.get("game", "")))
    if sent.purpose is Purpose.JOIN and game is not None:
        text = " ".join(one.text for one in items if isinstance(one, TextLine))
        named = [one for one in seats_named(seats_of(game), text) if one in free_wishes(game)]
        join(context, game, named[0] if len(named) == 1 else str(sent.payload["wish"]), "")
    else:
        say_asked(context, sent.payload)
        context.ask(Purpose.REGISTER, sent.payload)


COMMANDS = (
    Command(
        "sign_on",
        ("SIGNON", "SIGN ON"),
        "chair password",
        Who.ANYBODY,
        Topic.ACCOUNT,
        N_("SIGNON Fbalkan password"),
        N_("speak for a power, from any address, with its password"),
        sign_on,
    ),
    Command(
        "yes",
        YES_WORDS,
        "",
        Who.ANYBODY,
        Topic.ACCOUNT,
        N_("YES"),
        N_("agree to what the judge's letter asked"),
        say_yes,
        adds_lines=True,
    ),
)
