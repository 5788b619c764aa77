"""The master's word on who joins: ALLOW and DENY."""

from collections.abc import Callable

from judge.host.command import CommandLine, Handlers
from judge.host.games.approvals import approve_player, refuse_player
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.refusals import RefusalKind
from judge.store import GameRecord, PlayerId


def allow(context: LetterContext, line: CommandLine) -> None:
    """`ALLOW Ann Lee`, `ALLOW ann@example.org`: who has asked to join does."""
    _settle(context, line, approve_player)


def deny(context: LetterContext, line: CommandLine) -> None:
    """`DENY Ann Lee`: who has asked to join does not."""
    _settle(context, line, refuse_player)


def _settle(
    context: LetterContext,
    line: CommandLine,
    carry_out: Callable[[LetterContext, GameRecord, PlayerId], object],
) -> None:
    """Find who is named, by name or address, among those that want to join."""
    game, written = context.game(), line.arguments["names"]
    assert game is not None
    word = written.strip(" <>.").casefold()
    people = [context.work.player(one.player) for one in game.asking]
    found = [one.id for one in people if word in (one.name.casefold(), *one.addresses)]
    if len(found) == 1:
        carry_out(context, game, found[0])
        return
    known = [one.name for one in people]
    context.refuse(RefusalKind.NO_ONE_THERE, game, written=written, known=known)


HANDLERS: Handlers = {
    "allow": allow,
    "deny": deny,
}
