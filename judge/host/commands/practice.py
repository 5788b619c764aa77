"""PRACTICE and WHAT IF: learning the game without anybody else."""

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game
from judge.host.games.forming import seats_of
from judge.host.games.practice import begin_practice
from judge.host.games.setting_values import options_of
from judge.host.letters.access import roles_of, seat_of
from judge.host.letters.letter_context import LetterContext, Trial
from judge.host.letters.registering import guess_player, say_asked
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import is_hidden_from, master_ref, ref_to, rulebook_of, shown
from judge.rulebook import DEFAULT_GAME, Game, load_game
from judge.store import GameRecord, Purpose


def practice(context: LetterContext, line: CommandLine) -> None:
    """`PRACTICE`, `PRACTICE FRANCE`: at once for a player; a stranger is registered by a YES."""
    if context.player is not None:
        begin_practice(context, line.arguments.get("seat", ""))
        return
    then = " ".join(("PRACTICE", *line.arguments.values()))
    payload = {**guess_player(context), "then": then}
    say_asked(context, payload)
    context.ask(Purpose.REGISTER, payload)


def what_if(context: LetterContext, line: CommandLine) -> None:
    """`WHAT IF`, `WHAT IF balkan`, `WHAT IF balkan F1901M`, `WHAT IF standard`: the lines below it
    are tried in that position, or else in the game of the letter; without one, at the start of the
    usual variant. Below `WHAT IF standard S1905M` the position stands above the orders."""
    written = line.arguments.get("game", "")
    is_said = not written or line.written[:7].isupper() or not line.written.isascii()
    if not is_said and context.work.game(written) is None:
        context.lines.append(line.written)  # a sentence that begins with these words
        return
    rulebook = load_game(DEFAULT_GAME)
    variant = rulebook.variants()[0] if not written else written.lower()
    roles = roles_of(context.work, context.player) if context.player else []
    role = context.role or (roles[0] if len(roles) == 1 else None)
    if not written and role is not None:
        context.trial = _trial_of(context, context.work.game(role.game), line)
    elif variant in rulebook.variants() and context.work.game(written) is None:
        context.trial = _trial_of_variant(context, variant, line.arguments.get("coming", ""))
    else:
        context.trial = _trial_of(context, find_game(context, written), line)
    if context.trial is None:
        context.lose_aim()  # the lines below it are for no phase


def _trial_of_variant(context: LetterContext, variant: str, phase: str) -> Trial | None:
    """The start of a variant, or a phase of it whose position is written below; refuses a phase
    that there is none."""
    rulebook = load_game(DEFAULT_GAME)
    seats, game = rulebook.seats(variant, {}), rulebook.start(variant, {})
    label = game.phase.label
    named = game.phase_named(phase, is_sought=True) if phase else None
    if phase and (named is None or not named.label):
        context.refuse(RefusalKind.NO_PHASE, written=phase, nearest=list(game.coming[:3]))
        return None
    ref = GameRef(variant, DEFAULT_GAME, variant, named.label if named else label, None)
    return Trial(ref, game, seats, named.label if named else "")


def _trial_of(context: LetterContext, record: GameRecord | None, line: CommandLine) -> Trial | None:
    """The running phase of a game, its first, or the finished one that is named; refuses where
    there is none."""
    if record is None:
        return None
    seat = seat_of(record, context.player) if context.player else None
    ref = ref_to(record, seat)
    if seat is None:
        ref = master_ref(record, context.player.id if context.player else None)
    if record.state is not None and seat is None and is_hidden_from(record, ref):
        context.refuse(RefusalKind.BLIND, record)
        return None
    game = shown(record, ref).known_to(seat) if record.state else _start_of(record)
    label, phase = game.phase.label, line.arguments.get("coming", "")
    if phase:
        named = game.phase_named(phase, is_sought=True)
        label = named.label if named else ""
    if label != game.phase.label:
        finished = context.work.repository.phases.named(record.name, label)
        if finished is None:
            nearest = [game.phase.label]
            context.refuse(RefusalKind.NO_PHASE, record, written=phase, nearest=nearest)
            return None
        game = shown(record, ref, finished.state).known_to(seat)
    elif not game.awaited:
        context.refuse(RefusalKind.NOT_RUNNING, record, status=record.status)
        return None
    return Trial(replace(ref_to(record, seat), label=label), game, seats_of(record))


def _start_of(record: GameRecord) -> Game:
    start = rulebook_of(record).start(record.settings.variant, options_of(record.settings))
    return start.revealed


HANDLERS: Handlers = {
    "practice": practice,
    "what_if": what_if,
}
