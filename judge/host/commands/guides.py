"""GET and VERSION: pages about the game and the judge, made from what the program knows itself."""

import re
from importlib.metadata import version as version_of

from judge.data import read_text
from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game, find_variant, send_help
from judge.host.games.setting_values import variant_named
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import meanings
from judge.host.messages.command_answers import Guide, GuideTopic, Version
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import DEFAULT_GAME, load_game

MOST_CHANGES = 15  # entries of the list of changes in one letter


def get(context: LetterContext, line: CommandLine) -> None:
    """`GET rules`, `GET variant colonial`, `GET houserules balkan`; other words are prose."""
    first, *rest = line.arguments.get("names", "").split() or [""]
    if first.casefold() == "house" and rest:  # GET house rules
        first, *rest = f"{first}{rest[0]}", *rest[1:]
    topic = meanings("guides").get(first.casefold().strip("."), "")
    rulebook = load_game(DEFAULT_GAME)
    named = variant_named(rulebook, first)
    if not topic and named is not None:
        topic, rest = GuideTopic.VARIANT, [first]
    if not topic and not line.is_in_capitals(3):
        context.lines.append(line.written)
    elif topic == GuideTopic.COMMANDS:
        send_help(context, line.with_arguments())
    elif topic == "version":
        version(context, line)
    elif topic == GuideTopic.HOUSE_RULES:
        # Those of the game that is named, or of the letter's, with its settings.
        game = find_game(context, rest[0], rest[1:]) if rest else context.game()
        if game is None:
            raise context.refused(RefusalKind.NO_GUIDE, written="GET houserules")
        ref, variants = ref_to(game), (game.settings.variant,)
        context.say(Guide(GuideTopic.HOUSE_RULES, game.game, variants, ref, game.settings))
    elif topic == GuideTopic.VARIANT and rest:
        variant = find_variant(context, " ".join(rest))
        view = rulebook.start(variant, {}).view(None)
        context.say(Guide(GuideTopic.VARIANT, DEFAULT_GAME, (variant,), view=view))
    elif topic:
        context.say(Guide(GuideTopic(topic), DEFAULT_GAME, rulebook.variants()))
    else:
        raise context.refused(RefusalKind.NO_GUIDE, written=line.written)


def version(context: LetterContext, _line: CommandLine) -> None:
    """`VERSION`: which judge this is, and what is new in it."""
    newest = read_text("CHANGELOG.md").split("\n## ")[1]
    entries = re.findall(r"^- .*(?:\n  .*)*", newest, re.MULTILINE)
    context.say(Version(version_of("judge"), "\n".join(entries[:MOST_CHANGES])))


HANDLERS: Handlers = {"get": get, "version": version}
