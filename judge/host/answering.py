"""A letter comes in: who wrote it, what it says, and the one answer that goes out."""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

from judge.host.access import Visitor, first_chair, identify
from judge.host.ahead import say_ahead
from judge.host.blocks import (
    AddressAsked,
    Block,
    GameRef,
    NothingFound,
    Refusal,
    RefusalKind,
    Welcome,
)
from judge.host.commands import FRONT
from judge.host.commands.command import CommandLine, Needs
from judge.host.commands.lists import open_game_rows
from judge.host.commands.local import said
from judge.host.commands.signon import confirm, is_yes
from judge.host.front import BadCommand, Item
from judge.host.orders import say_unread, take_lines
from judge.host.session import Session, ref_to
from judge.host.turn import Turn
from judge.mail import Disposition, Letter
from judge.store import Purpose

DAY = timedelta(days=1)
EXCERPT = 600  # characters of a kept letter that its owner is shown
SET_ASIDE = (
    Disposition.LOOP,
    Disposition.BOUNCE,
    Disposition.AUTO_REPLY,
    Disposition.LIST,
    Disposition.UNREADABLE,
)


class Fate(StrEnum):
    """What became of a letter."""

    ANSWERED = "answered"
    ASIDE = "aside"  # a loop, a bounce, an automatic reply, or beyond reading
    SILENT = "silent"  # a stranger who was answered often enough today


def take_letter(session: Session, letter: Letter) -> Fate:
    """Read a letter, do what it asks, write the one answer. Never raises for what it holds."""
    if letter.disposition in SET_ASIDE or not letter.sender:
        return Fate.ASIDE
    visitor = identify(session, letter)
    if visitor.player is None and _is_answered_enough(session, letter.sender):
        return Fate.SILENT
    turn = Turn(session, letter, visitor)
    if letter.disposition is Disposition.TOO_LARGE:
        turn.refuse(RefusalKind.TOO_LARGE)
    elif visitor.stranger_reply:
        _ask_owner(turn)
    elif visitor.sent and visitor.sent.purpose in (Purpose.JOIN, Purpose.REGISTER):
        then = confirm(turn)
        if then:
            read_body(turn, then)
    else:
        turn.chair = first_chair(session, visitor)
        read_body(turn, _with_kept_letter(visitor, letter.body))
    send_answer(turn)
    return Fate.ANSWERED


def _is_answered_enough(session: Session, address: str) -> bool:
    sent = session.desk.answers_since(address, session.now - DAY)
    return sent >= session.house.stranger_letters_a_day


def read_body(turn: Turn, body: str) -> None:
    """Carry out every line of a body, in its order, and show what was not read."""
    items = FRONT.read(body)
    for item in items:
        _carry_out(turn, item)
    take_lines(turn)
    say_ahead(turn)
    if not turn.blocks:
        _say_nothing_found(turn)
    say_unread(turn)


def _carry_out(turn: Turn, item: Item) -> None:
    if isinstance(item, CommandLine):
        _run(turn, item)
    elif isinstance(item, BadCommand):
        _refuse_command(turn, item)
    else:
        turn.lines.append(item.text)


def _refuse_command(turn: Turn, bad: BadCommand) -> None:
    if bad.may_mean("for_phase", ("PHASE", *said("for_phase"))):
        take_lines(turn)
        turn.lose_aim()  # the lines below it are for a phase that cannot be told
    if bad.command is not None:
        turn.refuse(RefusalKind.BAD_COMMAND, written=bad.written, usage=bad.command.usage)
    else:
        turn.refuse(RefusalKind.NO_COMMAND, written=bad.written, nearest=bad.nearest)


def _run(turn: Turn, line: CommandLine) -> None:
    needs = line.command.needs
    if needs is not Needs.ANYBODY and not _may_run(turn, needs, line):
        return
    line.command.run(turn, line)


def _may_run(turn: Turn, needs: Needs, line: CommandLine) -> bool:
    chair = turn.chair
    if chair is None:
        _refuse_unsigned(turn, line)
        return False
    game = turn.session.game(chair.game)
    assert game is not None
    if needs is Needs.MASTER and chair.seat is not None:
        turn.refuse(RefusalKind.NOT_MASTER, game, written=line.written)
        return False
    if needs is Needs.SEAT and chair.seat is None:
        turn.refuse(RefusalKind.NOT_A_PLAYER, game, written=line.written)
        return False
    return True


def _refuse_unsigned(turn: Turn, line: CommandLine) -> None:
    """A command that needs a chair, in a letter that has none."""
    games = _games(turn)
    if turn.player is not None and len(games) > 1:
        names = [ref.name for ref in games]
        turn.refuse(RefusalKind.WHICH_GAME, games=names, written=line.written)
    else:
        turn.refuse(RefusalKind.NOT_SIGNED_ON, written=line.written)


def _games(turn: Turn) -> tuple[GameRef, ...]:
    player = turn.visitor.player
    return tuple(ref_to(game) for game in turn.session.games_of(player.id)) if player else ()


def _say_nothing_found(turn: Turn) -> None:
    """A letter in which nothing could be carried out."""
    if turn.visitor.player is None:
        turn.say(Welcome(open_game_rows(turn.session), turn.session.now))
    elif turn.chair is None and turn.unread and _games(turn):
        _refuse_orders_unsigned(turn)
    else:
        turn.say(NothingFound(_games(turn)))


def _refuse_orders_unsigned(turn: Turn) -> None:
    names = [ref.name for ref in _games(turn)]
    if turn.player is not None and len(names) > 1:
        turn.refuse(RefusalKind.WHICH_GAME, games=names)
    else:
        turn.refuse(RefusalKind.NOT_SIGNED_ON)


def _ask_owner(turn: Turn) -> None:
    """A letter with a player's token from another address: kept, and its owner is asked."""
    owner, sent = turn.visitor.player, turn.visitor.sent
    assert owner is not None
    assert sent is not None
    session, letter = turn.session, turn.letter
    game = session.game(sent.game) if sent.game else None
    ref = ref_to(game, sent.seat) if game else None
    body = letter.body.strip()
    session.write(
        owner,
        "address",
        [AddressAsked(ref, letter.sender, body[:EXCERPT])],
        ref,
        serial=sent.serial,
        purpose=Purpose.PROXY,
        payload={"body": body},
    )
    turn.say(Refusal(RefusalKind.UNKNOWN_ADDRESS, {"written": letter.sender}))


def _with_kept_letter(visitor: Visitor, body: str) -> str:
    """YES to `AddressAsked`: the kept letter counts as the player's own, as if it stood there."""
    sent = visitor.sent
    if sent is None or sent.purpose is not Purpose.PROXY or not is_yes(body):
        return body
    return str(sent.payload["body"])


def send_answer(turn: Turn) -> None:
    """The one answer: to the player in his thread, or to the address that wrote."""
    session, letter, player = turn.session, turn.letter, turn.visitor.player
    blocks: Sequence[Block] = turn.blocks
    answers = letter.message_id
    if player is None or turn.visitor.stranger_reply:
        session.write_stranger(
            letter.sender,
            "answer",
            blocks,
            language=turn.language,
            zone=turn.zone,
            answers=answers,
            purpose=turn.purpose,
            payload=turn.payload,
        )
        return
    ref = _answer_ref(turn)
    game = session.game(ref.name) if ref else None
    # Signed on by password from elsewhere: the address of record is told as well.
    for recipient in dict.fromkeys((letter.sender, player.address)):
        if recipient not in player.addresses and not turn.visitor.proven:
            continue
        if recipient == player.address != letter.sender and letter.sender in player.addresses:
            continue
        session.write(
            player,
            "answer",
            blocks,
            ref,
            serial=game.phase.serial if game and game.phase else None,
            answers=answers,
            purpose=turn.purpose,
            payload=turn.payload,
            recipient=recipient,
        )


def _answer_ref(turn: Turn) -> GameRef | None:
    """The game that the answer speaks of, for its thread: the chair's, else the first block's."""
    game = turn.game()
    if game is not None:
        return turn.ref(game)
    for block in turn.blocks:
        found = getattr(block, "game", None)
        # A game that is only asked for, as by CREATE, has no thread yet.
        if isinstance(found, GameRef) and turn.session.game(found.name) is not None:
            return found
    return None
