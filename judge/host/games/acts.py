"""What a master's hand does is kept, and everybody is told.

ACT AS: a master writes in place of a player, who is told of all of it. The master is shown what
that letter stored, and never what the player had stored before.
"""

from collections.abc import Callable

from msgspec.structs import replace

from judge.host.games.orders_due import deadline_of, waiting_seats
from judge.host.letters.letter_context import LetterContext, Role
from judge.host.messages.command_answers import ConfirmAsked, Done
from judge.host.messages.master_acts import MasterActed, OrdersGiven
from judge.host.messages.order_answers import AdvanceAnswer, OrdersAnswer, Standing
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, game_ref_for_master, opened, ref_to
from judge.rulebook import AdvanceOrders, Line, Problem, SeatId, Value
from judge.store import Act, ActRecord, GameRecord, PlayerId, Purpose, SeatRecord

ToldOf = Callable[[GameRef, SeatRecord | None], MasterActed]


def record_act(
    work: UnitOfWork, game: GameRecord, told: MasterActed, by: PlayerId | None, **more: object
) -> None:
    """Keep an act as it was told."""
    act = ActRecord(game.name, game.phase_label, work.now, told.act, by)
    act = replace(act, seats=told.seats, who=told.who, reason=told.reason)
    work.acts.append(replace(act, **more))


def notify_act(
    work: UnitOfWork, game: GameRecord, by: PlayerId | None, told_of: ToldOf, **more: object
) -> MasterActed:
    """Keep an act and tell everybody but who did it; returns what that one is answered."""
    told = told_of(game_ref_for_master(game, by), None)
    record_act(work, game, told, by, **more)
    work.notify_everybody(game, "act", lambda ref, seat: [told_of(ref, seat)], without=by)
    return told


def notify_act_and_answer(
    context: LetterContext, game: GameRecord, act: Act, **values: object
) -> None:
    """As `notify_act`, in the name of a letter's writer, who is answered; all are told the same."""
    told = MasterActed(ref_to(game), act, **values)  # type: ignore[arg-type]  # fields by name
    by = context.writer.id
    context.say(notify_act(context.work, game, by, lambda ref, _: replace(told, game=ref)))


def ask_master_to_confirm(context: LetterContext, asked: ConfirmAsked, **payload: Value) -> None:
    """Ask a master back; a YES carries out what is asked, with the payload."""
    context.say(asked)
    context.ask(Purpose.MASTER, {"rule": asked.what, **payload})


def stop_acting_as_power(context: LetterContext) -> None:
    """The lines that follow are the master's own again."""
    role = context.own_role
    context.sit(Role(role.game, None, role.serial, role.label))


def notify_of_acting(context: LetterContext) -> None:
    """At a letter's end: each player in whose place it has changed anything is told, and the act is
    kept; the answer holds what the letter stored."""
    if context.role is not None and context.role.by_master:
        stop_acting_as_power(context)
    for (name, seat), before in context.acted.items():
        game = context.work.existing_game(name)
        # Leave out of the answer what would show the player's own orders.
        problems, stored = list[Problem](), list[Line]()
        is_done = False  # also where the player's own lines and flags are the same
        for message in list(context.messages):
            of = getattr(message, "game", None)
            if (getattr(of, "name", ""), getattr(of, "seat", None)) != (name, seat):
                continue
            if isinstance(message, OrdersAnswer):
                problems += message.problems
                stored = [line for line in message.order_set if not line.kept]
                is_done = is_done or not message.problems or bool(message.understood)
            is_done = is_done or isinstance(message, Done)
            if isinstance(message, OrdersAnswer | Standing | Done):
                context.messages.remove(message)
            elif isinstance(message, AdvanceAnswer):
                own = [
                    AdvanceOrders(one.label, tuple(line for line in one.order_set if not line.kept))
                    for one in message.order_sets
                ]
                order_sets = tuple(one for one in own if one.order_set)
                at = context.messages.index(message)
                context.messages[at] = replace(message, order_sets=order_sets)

        record, ref = game.seat(seat), ref_to(game, seat)
        told = OrdersGiven(
            game=ref,
            seat=seat,
            view=opened(game).view(seat),
            order_set=game.order_set(seat),
            due=deadline_of(game, record, context.work.now),
            ready=record.ready,
            wait=seat in waiting_seats(game),
        )
        is_done = is_done or _seat_snapshot(game, seat) != _seat_snapshot(before, seat)
        if is_done:
            context.work.notify_seat(game, seat, "act", [told])
            act = MasterActed(ref, Act.ORDERED, seats=(seat,))
            lines = "\n".join(line.text for line in stored)
            record_act(context.work, game, act, context.writer.id, text=lines, is_public=False)
            if len(game.masters) > 1:
                context.note_for_other_masters(game, f"ACT AS {seat}")
        if is_done or problems:
            ref = ref_to(game)
            told = replace(told, game=ref, order_set=tuple(stored), problems=tuple(problems))
            context.say(replace(told, is_done=is_done))


def _seat_snapshot(game: GameRecord, seat: SeatId) -> tuple[object, ...]:
    """What a master can change in a player's place."""
    record = game.seat(seat)
    texts = [line.text for line in game.order_set(seat)]
    return record.ready, record.wait, texts, game.advance_of(seat)
