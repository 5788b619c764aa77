"""SET: settings of a game that its master changes while players join it or play."""

import re

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.master import create
from judge.host.games.changing import Change, change_message, change_settings, read_change
from judge.host.games.setting_values import SYNONYMS, setting_names
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import words_in_all_languages
from judge.host.messages.command_answers import SettingsRefused
from judge.host.messages.refusals import RefusalKind
from judge.rulebook import DEFAULT_GAME, Values, load_game
from judge.store import Purpose, SentLetter, Status

FROM_NOW = re.compile(
    r"(?<![\s,])[\s,]*(?:from\s+now(?:\s+on)?|"
    rf"{'|'.join(words_in_all_languages('every', 'from_now'))})\s*\Z",
    re.IGNORECASE,
)


def all_setting_names() -> tuple[str, ...]:
    """All that SET knows, as people write them."""
    rulebook = load_game(DEFAULT_GAME)
    options = {one.key for each in rulebook.variants() for one in rulebook.variant_options(each)}
    rules = (option.key for option in rulebook.rule_options())
    aliases = (alias for kind in rulebook.phase_kinds for alias in kind.aliases)
    names = (*setting_names(rulebook), *sorted(options), *rules, *SYNONYMS, *aliases)
    return tuple(dict.fromkeys(name.replace("_", " ") for name in names))


def set_setting(context: LetterContext, line: CommandLine) -> None:
    """`SET movement every Mon Wed 20:00`, `SET grace 12h`: such lines are one change, told in one
    letter, and asked back where players have less time by it. A draft is shown again."""
    game = context.role_game
    if game.status is Status.DRAFT:
        create(context, line.with_arguments(game=game.name))
        return
    fields = {name: FROM_NOW.sub("", value) for name, value in line.fields.items()}
    from_now = fields != line.fields
    change = read_change(game, fields, context.work.now, context.zone, from_now=from_now)
    if change.is_harsh:  # and without faults
        context.say(replace(change_message(context.work, change, game), is_asked=True))
        names, values = [*fields], [*fields.values()]
        payload: Values = {"names": names, "values": values, "from_now": from_now}
        context.ask(Purpose.SETTINGS, payload)
    else:
        _carry_out(context, change)


def set_settings_now(context: LetterContext, sent: SentLetter) -> None:
    """Carry out a SET that was asked back."""
    game, names, values = context.game(), sent.payload["names"], sent.payload["values"]
    if game is None or game.status is not Status.ACTIVE:
        raise context.refused(RefusalKind.EXPIRED, game)
    assert isinstance(names, list)
    assert isinstance(values, list)
    fields, from_now = dict(zip(names, values, strict=True)), bool(sent.payload["from_now"])
    change = read_change(game, fields, context.work.now, context.zone, from_now=from_now)
    _carry_out(context, change)


def _carry_out(context: LetterContext, change: Change) -> None:
    if change.faults:
        context.say(SettingsRefused(context.ref(context.role_game), change.faults))
        return
    held = change.game.timing is not None and change.game.timing.held is not None
    if change.is_moved and held:
        raise context.refused(RefusalKind.GAME_HELD, change.game)
    is_same = change.game.settings == change.before and not change.is_moved
    game = change.game if is_same else change_settings(context.work, change, context.writer.id)
    context.say(replace(change_message(context.work, change, game), is_own=True))


HANDLERS: Handlers = {"set_setting": set_setting}
