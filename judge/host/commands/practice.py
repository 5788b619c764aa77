"""PRACTICE: learning the game without anybody else."""

from judge.host.command import N_, Command, CommandLine, Topic, Who
from judge.host.commands.players import say_asked
from judge.host.letter_context import LetterContext
from judge.host.practice import begin_practice
from judge.host.registering import guess_player
from judge.store import Purpose


def practice(context: LetterContext, line: CommandLine) -> None:
    """`PRACTICE`, `PRACTICE FRANCE`: at once for a player; a stranger is registered by a YES."""
    if context.player is not None:
        begin_practice(context, line.arguments.get("seat", ""))
        return
    payload = {**guess_player(context), "then": line.written}
    say_asked(context, payload)
    context.ask(Purpose.REGISTER, payload)


COMMANDS = (
    Command(
        "practice",
        ("PRACTICE", "PRACTISE"),
        "seat?",
        Who.ANYBODY,
        Topic.GAMES,
        N_("PRACTICE"),
        N_("a private game against the computer, at once; PRACTICE FRANCE chooses your power"),
        practice,
    ),
)
