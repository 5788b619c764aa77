"""Letters that are kept until their author says YES, or names the game that they are for."""

from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.command import CommandLine
from judge.host.commands.questions import keep_for_a_game
from judge.host.letters.access import roles_of
from judge.host.letters.command_parser import Item
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.order_answers import NotRead
from judge.host.messages.refusals import AddressAsked, Refusal, RefusalKind
from judge.host.unit_of_work import ref_to
from judge.mail import Letter
from judge.rulebook import Values
from judge.store import Purpose, SentLetter

EXCERPT = 4000  # characters of a kept letter that its owner is shown
PARTING = ("sign_on", "choose_game", "join")  # below these a letter may speak for another game


def ask_author(context: LetterContext, items: Sequence[Item]) -> None:
    """A letter from a player's own address, which proves too little: it is kept, and the player is
    asked at that address."""
    work, sent, player = context.work, context.sender.sent, context.sender.player
    assert player is not None
    game, seat = (work.game(sent.game), sent.seat) if sent and sent.game else (None, None)
    if game is None and len(roles := roles_of(work, player)) == 1:
        game, seat = work.game(roles[0].game), roles[0].seat
    ref = ref_to(game, seat) if game else None
    body, rest = _to_be_kept(context.letter, items)
    sender = context.letter.sender
    context.messages = [AddressAsked(ref, sender, body, is_own=True), *rest]
    context.ask(Purpose.PROXY, {**_press_of(sent), "body": body, "from": sender})


def keep_until_named(context: LetterContext, items: Sequence[Item]) -> None:
    """A letter, up to where it speaks for a game, is kept until its writer names the game."""
    named = (one for one in items if isinstance(one, CommandLine) and one.command.rule in PARTING)
    letter, end = context.letter, next((one.written for one in named), "")
    body = letter.body.partition(end)[0] if end else letter.body
    kept, rest = _to_be_kept(replace(letter, body=body), items)
    if kept:
        keep_for_a_game(context, kept)
        context.messages += rest
        return
    context.messages = [
        replace(one, values={**one.values, "games": []})
        if isinstance(one, Refusal) and one.kind is RefusalKind.WHICH_GAME
        else one
        for one in context.messages
    ]


def ask_owner(context: LetterContext, items: Sequence[Item]) -> None:
    """A letter with a player's token from an address of nobody: kept, and its owner is asked."""
    owner, sent = context.sender.player, context.sender.sent
    assert owner is not None
    assert sent is not None
    work, letter = context.work, context.letter
    game = work.game(sent.game) if sent.game else None
    ref = ref_to(game, sent.seat) if game else None
    body, rest = _to_be_kept(letter, items)
    work.write(
        owner,
        "address",
        [AddressAsked(ref, letter.sender, body), *rest],
        ref,
        serial=sent.serial,
        purpose=Purpose.PROXY,
        payload={**_press_of(sent), "body": body, "from": letter.sender},
    )


def _to_be_kept(letter: Letter, items: Sequence[Item]) -> tuple[str, list[NotRead]]:
    """What a YES will carry out, all of it shown, without passwords: whole lines of the letter up
    to a limit; and what does not fit."""
    body = letter.body.strip()
    for one in items:
        if isinstance(one, CommandLine) and (password := one.arguments.get("password")):
            is_sign_on = one.command.rule == "sign_on"
            without = "" if is_sign_on else one.written.rpartition(password)[0].rstrip()
            body = body.replace(one.written, without).strip()
    if len(body) <= EXCERPT:
        return body, []
    kept = body[:EXCERPT].rpartition("\n")[0]
    return kept, [NotRead(tuple(filter(None, body[len(kept) :].splitlines())))]


def _press_of(sent: SentLetter | None) -> Values:
    """Whose press a letter of ours held: a kept reply to it goes there after the YES."""
    payload = sent.payload if sent else {}
    return {name: payload[name] for name in ("press_from", "is_unnamed") if name in payload}
