"""PRACTICE and WHAT IF: learning the game without anybody else.

A practice game, of one player against computer seats, is begun at once and runs on without waiting:
each phase as soon as its player's orders are complete. It ends with the last phase that orders
could be stored for at its start (`Game.coming`), by RESIGN, or at a deadline that its player has
let pass.
"""

from datetime import timedelta

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_game
from judge.host.games.forming import PRACTICE_NAME, first_letter, named_seat, seats_of
from judge.host.games.orders_due import open_timing
from judge.host.games.setting_values import rulebook_options
from judge.host.letters.letter_context import (
    LetterContext,
    NotDone,
    Trial,
    role_in,
    roles_of,
    seat_of,
)
from judge.host.letters.registering import ask_to_register
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import game_ref_for_master, is_hidden_from, ref_to, rulebook_of, shown
from judge.rulebook import DEFAULT_GAME, RandomStream, load_game
from judge.store import GameRecord, Master, Press, SeatRecord, Status

LENGTH = timedelta(days=14)  # of every phase; then the game is taken for abandoned
REMINDER = timedelta(days=3)


def practice(context: LetterContext, line: CommandLine) -> None:
    """`PRACTICE`, `PRACTICE FRANCE`: at once for a player; a stranger is registered by a YES."""
    if context.player is not None:
        begin_practice(context, line.arguments.get("seat", ""))
        return
    ask_to_register(context, " ".join(("PRACTICE", *line.arguments.values())))


def what_if(context: LetterContext, line: CommandLine) -> None:
    """`WHAT IF`, `WHAT IF balkan`, `WHAT IF balkan F1901M`, `WHAT IF standard`: the lines below it
    are tried in that position, or else in the game of the letter; without one, at the start of the
    usual variant. Below `WHAT IF standard S1905M` the position stands above the orders."""
    written, phase = line.arguments.get("game", ""), line.arguments.get("coming", "")
    work, rulebook = context.work, load_game(DEFAULT_GAME)
    if written and not line.is_in_capitals(7) and work.game(written) is None:
        context.lines.append(line.written)  # a sentence that begins with these words
        return
    variant = written.lower() or rulebook.variants()[0]
    roles = roles_of(work, context.player) if context.player else []
    role = context.role or (roles[0] if len(roles) == 1 else None)
    try:
        if not written and role is not None:
            game = work.game(role.game)
            context.trial = _trial_position(context, game, phase) if game else None
        elif variant in rulebook.variants() and work.game(written) is None:
            # Its start, or a phase of it whose position is written below.
            start = rulebook.start(variant, {})
            named = start.phase_named(phase, is_sought=True) if phase else None
            if phase and (named is None or not named.label):
                nearest = list(start.coming[:3])
                raise context.refused(RefusalKind.NO_PHASE, written=phase, nearest=nearest)
            label = named.label if named else start.phase.label
            ref = GameRef(variant, DEFAULT_GAME, variant, label, None)
            position_in = named.label if named else ""
            context.trial = Trial(ref, start, rulebook.seats(variant, {}), position_in)
        else:
            context.trial = _trial_position(context, find_game(context, written), phase)
    except NotDone:
        context.aim_at_no_phase()  # the lines below it are for no phase
        raise


def _trial_position(context: LetterContext, record: GameRecord, phase: str) -> Trial:
    """The phase of a game that is named, else the running one or its first; refuses without one."""
    seat = seat_of(record, context.player) if context.player else None
    ref = ref_to(record, seat)
    if seat is None:
        ref = game_ref_for_master(record, context.player.id if context.player else None)
    if record.state is not None and seat is None and is_hidden_from(record, ref):
        raise context.refused(RefusalKind.BLIND, record)
    if record.state:
        game = shown(record, ref).known_to(seat)
    else:
        rulebook, settings = rulebook_of(record), record.settings
        game = rulebook.start(settings.variant, rulebook_options(settings)).revealed
    label = game.phase.label
    if phase:
        named = game.phase_named(phase, is_sought=True)
        label = named.label if named else ""
    if label != game.phase.label:
        finished = context.work.repository.phases.named(record.name, label)
        if finished is None:
            nearest = [game.phase.label]
            raise context.refused(RefusalKind.NO_PHASE, record, written=phase, nearest=nearest)
        game = shown(record, ref, finished.state).known_to(seat)
    elif not game.awaited:
        raise context.refused(RefusalKind.NOT_RUNNING, record, status=record.status)
    return Trial(replace(ref_to(record, seat), label=label), game, seats_of(record))


def begin_practice(context: LetterContext, wish: str) -> None:
    """A practice game for a proven player, who plays the seat that is named, or one by lot."""
    work, player = context.work, context.writer
    running = next((one for one in work.games_of(player.id) if one.is_practice), None)
    if running is not None:
        raise context.refused(RefusalKind.PRACTICE_RUNNING, running)
    rulebook = load_game(DEFAULT_GAME)
    variant, rules = rulebook.variants()[0], rulebook.rule_presets()[0]
    seats = rulebook.seats(variant, {"rules": rules})
    begun = rulebook.start(variant, {"rules": rules})
    name = PRACTICE_NAME + work.tokens.receipt("practice", player.id).replace("-", "").lower()
    game = GameRecord(
        name=name,
        game=DEFAULT_GAME,
        status=Status.ACTIVE,
        masters=(Master(player.id),),
        settings=replace(
            work.config.defaults,
            variant=variant,
            rules=rules,
            lengths={kind.name: LENGTH for kind in rulebook.phase_kinds},
            grace=timedelta(0),
            reminder=REMINDER,
            all_in_delay=timedelta(0),
            press=Press.NONE,
            choices=(),
            options=(),
            votes=(),
            schedules={},
        ),
        seed=work.tokens.seed(name),
        created_at=work.now,
        state=begun.state,
        phase=begun.phase,
        until=begun.coming[-1],
    )
    own = RandomStream(game.seed, 0).shuffled(seats)[0]
    if wish:
        own = named_seat(context, game, wish)
    places = [SeatRecord(seat.id, None, "", is_computer=True) for seat in seats]
    places[seats.index(own)] = SeatRecord(own.id, player.id, "")
    game = replace(game, seats=tuple(places))
    game = work.put_game(replace(game, timing=open_timing(game, work.now)))
    context.say(first_letter(work, game, ref_to(game, own.id)))
    context.sit(role_in(game, player))


HANDLERS: Handlers = {"practice": practice, "what_if": what_if}
