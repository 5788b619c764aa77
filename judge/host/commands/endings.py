"""What a game's master does about its end: TERMINATE, PURGE, REVEAL, ARCHIVE NUMBER."""

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.games.ends import end_told, reveal, terminate
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import ConfirmAsked, Kept
from judge.host.messages.game_events import Cancelled
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import Values
from judge.store import Purpose, Reveal, SentLetter, Status

LONGEST_NUMBER = 60  # characters


def ask_to_terminate(context: LetterContext, line: CommandLine) -> None:
    """`TERMINATE two players have left`: asked back."""
    game, reason = context.role_game, line.arguments.get("reason", "")
    if not reason:
        usage = line.command.usage
        context.refuse(RefusalKind.NO_REASON, game, written=line.written, usage=usage)
        return
    context.say(ConfirmAsked(context.ref(game), "terminate", reason=reason))
    context.ask(Purpose.MASTER, {"rule": "terminate", "reason": reason})


def terminate_now(context: LetterContext, payload: Values) -> None:
    game = context.role_game
    if game.status is not Status.ACTIVE:
        context.refuse(RefusalKind.EXPIRED, game)
        return
    ended = terminate(context.work, game, str(payload["reason"]))
    end = end_told(context.work, ended)
    assert end is not None
    context.say(replace(end, game=ref_to(ended)))


def ask_to_purge(context: LetterContext, line: CommandLine) -> None:
    """`PURGE too few players`: a game that has not begun is no more; asked back."""
    game, reason = context.role_game, line.arguments.get("reason", "")
    context.say(ConfirmAsked(context.ref(game), "purge", reason=reason))
    context.ask(Purpose.PURGE, {"reason": reason})


def purge_now(context: LetterContext, sent: SentLetter) -> None:
    """Forget the game, and tell those who waited for it."""
    game, work, reason = context.role_game, context.work, str(sent.payload["reason"])
    waiting = [one.player for one in (*game.applicants, *game.waiting)]
    waiting += [one.player for one in game.observers]
    waiting += [one for one in game.master_ids if context.player and one != context.player.id]
    for player in dict.fromkeys(waiting):
        work.write(work.player(player), "cancelled", [Cancelled(game.name, reason)])
    work.purge(game)
    context.sit(None)
    context.say(Cancelled(game.name, reason, is_own=True))


def reveal_names(context: LetterContext, line: CommandLine) -> None:
    """`REVEAL`: after the end, who played what, where the game has left that to its master."""
    game = context.role_game
    is_theirs = game.status is Status.FINISHED and game.settings.reveal is Reveal.MASTER
    if not is_theirs or not game.hides_names:
        kind = RefusalKind.NOTHING_HIDDEN if not game.hides_names else RefusalKind.NO_REVEAL
        context.refuse(kind, game, written=line.written)
        return
    context.say(reveal(context.work, game, context.writer.id))


def set_archive_number(context: LetterContext, line: CommandLine) -> None:
    """`ARCHIVE NUMBER 2026A`: any text; alone, there is none any more."""
    game, written = context.role_game, line.arguments.get("names", "")
    if len(written) > LONGEST_NUMBER:
        context.refuse(RefusalKind.LONG_TEXT, game, limit=LONGEST_NUMBER)
        return
    game = context.work.put_game(replace(game, archive_number=written))
    context.say(Kept(context.ref(game), "number" if written else "no_number", written))


HANDLERS: Handlers = {
    "terminate": ask_to_terminate,
    "purge": ask_to_purge,
    "reveal": reveal_names,
    "archive_number": set_archive_number,
}
