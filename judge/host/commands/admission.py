"""The master's word on who joins: ALLOW and DENY."""

from judge.host.command import N_, Command, CommandLine, Stage, Topic, Who
from judge.host.games.approvals import approve_player, refuse_player
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.refusals import RefusalKind
from judge.store import GameRecord, PlayerId


def _asking(context: LetterContext, game: GameRecord, written: str) -> PlayerId | None:
    """Who of those that want to join has a name or an address."""
    word = written.strip(" <>.").casefold()
    people = [context.work.player(one.player) for one in game.asking]
    found = [one.id for one in people if word in (one.name.casefold(), *one.addresses)]
    return found[0] if len(found) == 1 else None


def allow(context: LetterContext, line: CommandLine) -> None:
    """`ALLOW Ann Lee`, `ALLOW ann@example.org`: who has asked to join does."""
    game, written = context.game(), line.arguments["names"]
    assert game is not None
    player = _asking(context, game, written)
    if player is None:
        _refuse(context, game, written)
    else:
        approve_player(context, game, player)


def deny(context: LetterContext, line: CommandLine) -> None:
    """`DENY Ann Lee`: who has asked to join does not."""
    game, written = context.game(), line.arguments["names"]
    assert game is not None
    player = _asking(context, game, written)
    if player is None:
        _refuse(context, game, written)
    else:
        refuse_player(context, game, player)


def _refuse(context: LetterContext, game: GameRecord, written: str) -> None:
    known = [context.work.player(one.player).name for one in game.asking]
    context.refuse(RefusalKind.NO_ONE_THERE, game, written=written, known=known)


COMMANDS = (
    Command(
        "allow",
        ("ALLOW", "APPROVE"),
        "names",
        Who.MASTER,
        Topic.MASTER,
        N_("ALLOW Ann Lee"),
        N_("whoever has asked to join your game does"),
        allow,
        when=Stage.NOT_OVER,
    ),
    Command(
        "deny",
        ("DENY",),
        "names",
        Who.MASTER,
        Topic.MASTER,
        N_("DENY Ann Lee"),
        N_("whoever has asked to join your game does not"),
        deny,
        when=Stage.NOT_OVER,
    ),
)
