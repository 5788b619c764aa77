"""What a seated player says beside orders: PHASE, WAIT, READY, CLEAR, UNDO, RESIGN."""

from functools import partial

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.games.absences import notify_seat_changed, vacate
from judge.host.games.agreements import settle_votes
from judge.host.games.ends import PRACTICE_ENDING, end_game, game_over_messages
from judge.host.games.joining import leave
from judge.host.games.orders import (
    aim_at_named_phase,
    find_phase,
    forget_advance,
    sit_again,
    store_instead,
    store_lines,
    stored_advance,
)
from judge.host.games.orders_due import (
    deadline_of,
    has_passed,
    is_undated,
    may_wait,
    orders_due,
    timing_of,
)
from judge.host.letters.command_parser import MOST_WORDS
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import words_in_all_languages
from judge.host.messages.command_answers import ConfirmAsked, Deed, Done
from judge.host.messages.game_events import SeatChanged, SeatEvent
from judge.host.messages.order_answers import OrdersAnswer
from judge.host.messages.refusals import RefusalKind
from judge.host.permissions import asking_game
from judge.host.unit_of_work import opened
from judge.rulebook import SeatId, When
from judge.store import (
    Conduct,
    Control,
    Fact,
    GameRecord,
    Purpose,
    SeatRecord,
    SentLetter,
    Sight,
    Waits,
)


def own_seat(context: LetterContext, line: CommandLine) -> tuple[GameRecord, SeatRecord]:
    """The role's game and seat, taken again if it was lost; refuses a phase that is over."""
    game, role = context.role_game, context.own_role
    assert role.seat is not None
    if context.is_of_another_phase(game):
        raise context.refused(RefusalKind.PHASE_RAN, game, written=line.written, label=role.label)
    game = sit_again(context, game, role.seat)
    return game, game.seat(role.seat)


def set_flags(context: LetterContext, line: CommandLine, *, deed: Deed, **flags: bool) -> None:
    """WAIT, READY and what takes them back."""
    game, seat = own_seat(context, line)
    may = may_wait(game, seat.id)
    is_never = deed is Deed.WAIT_ALWAYS and game.settings.waits is Waits.NOBODY
    if is_never or (deed is Deed.WAIT and not may):
        raise context.refused(RefusalKind(f"no_wait_{game.settings.waits}"), game)
    if deed is Deed.WAIT and has_passed(game):
        is_masters = game.settings.process is Control.MANUAL
        kind = RefusalKind.NO_WAIT_MASTER if is_masters else RefusalKind.NO_WAIT_PASSED
        raise context.refused(kind, game)
    if deed is Deed.WAIT_ALWAYS:
        flags["wait"] = may
    if flags.get("ready"):
        context.ready_now.add((game.name, seat.id))
        answers = (one for one in context.messages if isinstance(one, OrdersAnswer))
        if any(one.problems for one in answers if one.game == context.ref(game)):
            flags["faulty"] = True  # READY closes earlier problems, none of its own letter
    is_early = game.settings.early and game.settings.process is Control.AUTOMATIC
    if deed is Deed.READY and not is_early:
        deed = Deed.READY_NO_SOONER
    timing = timing_of(game)
    is_past = timing.waits or (is_early and timing.grace_until is not None)
    if flags.get("ready") and is_past and game.settings.process is Control.AUTOMATIC:
        deed = Deed.READY_PASSED
    if deed is Deed.NO_WAIT and seat.prefers_wait:
        deed = Deed.NO_WAIT_NOW
    if deed in (Deed.WAIT, Deed.WAIT_ALWAYS) and is_undated(game):
        deed = Deed.WAIT_UNDATED
    if deed is Deed.WAIT and game.settings.who_sees(Fact.WAITING) is not Sight.NOBODY:
        deed = Deed.WAIT_SEEN
    seat = replace(seat, **flags)
    timing = replace(timing, changed_at=context.work.now)
    game = context.work.put_game(replace(game.with_seat(seat), timing=timing))
    context.say(Done(context.ref(game), deed, deadline_of(game, seat, context.work.now)))


def clear(context: LetterContext, line: CommandLine) -> None:
    """Forget the orders of the phase that is named here, or above by PHASE, or else is due; lines
    below are stored in their place. `CLEAR A LVP` forgets that order alone."""
    written = line.arguments.get("coming", "")
    if written:
        aim, is_aimless = context.aim, context.is_aimless
        try:
            _clear_named(context, line, written)
        finally:  # lines below it are for the phase that they were for
            context.aim, context.is_aimless = aim, is_aimless
    elif context.is_aimless:
        context.unread.append(line.written)
    else:
        if context.aim in (None, context.role_game.phase_label):
            own_seat(context, line)
        context.cleared = True


def _clear_named(context: LetterContext, line: CommandLine, written: str) -> None:
    """`CLEAR F1901M`, `CLEAR ALL`, `CLEAR FUTURE`, `CLEAR A LVP`."""
    game, role = context.role_game, context.own_role
    assert role.seat is not None
    is_future = written.upper() in ("FUTURE", *words_in_all_languages("every", "later_phase"))
    if is_future or written.upper() in ("ALL", *words_in_all_languages("every", "phase")):
        labels = [advance.label for advance in stored_advance(game, role.seat)]
        if is_future and not labels:
            raise context.refused(RefusalKind.NOT_STORED, game, written=written)
        forget_advance(context, game, role.seat, labels)
        context.aim, context.is_aimless = None, False
        if orders_due(game, role.seat) and not is_future:
            own_seat(context, line)
            context.cleared = True
            store_lines(context)
        return
    named = opened(game).phase_named(written, is_sought=True)
    is_phase = named is not None and named.when is not When.UNKNOWN
    if is_phase or not _clear_order(context, game, role.seat, line, written):
        aim_at_named_phase(context, game, written, named)
        if context.aim == game.phase_label:
            context.cleared = True
            store_lines(context)
        elif context.aim is not None:
            forget_advance(context, game, role.seat, [context.aim])


def _clear_order(
    context: LetterContext, game: GameRecord, seat: SeatId, line: CommandLine, written: str
) -> bool:
    """Forget the stored order of the unit that is named, alone or with its order; what the phase
    reads as an order itself, as `Remove A RUH`, is one. False: CLEAR names no unit."""
    label = context.aim if context.aim and context.aim != game.phase_label else ""
    stored = game.advance_set(seat, label) if label else game.order_set(seat)
    whole = opened(game).read(seat, [line.written], stored, label)
    if whole.understood and not whole.problems:
        context.lines.append(line.written)
        return True
    reading = opened(game).read(seat, [written], stored, label)
    keys = [*(one.line.key for one in reading.understood), *(one.key for one in reading.problems)]
    is_stored = any(one.key in keys for one in stored)
    if line.in_own_words and (reading.understood or len(keys) > 1) and not is_stored:
        context.lines.append(line.written)
    elif not line.in_own_words and (len(keys) != 1 or keys == [None]):
        return False
    elif not is_stored and not context.own_role.by_master:  # who does not learn what is stored
        context.refuse(RefusalKind.NOT_STORED, game, written=written)
    elif label:
        kept = tuple(one for one in stored if one.key not in keys)
        forget_advance(context, game, seat, [label], kept)
    else:
        own_seat(context, line)
        kept = tuple(one for one in stored if one.key not in keys)
        store_instead(context, game, seat, kept, written=line.written)
    return True


def undo(context: LetterContext, line: CommandLine) -> None:
    """In a reply to an answer: the orders as they stood before the letter that it answered."""
    sent, (game, seat) = context.sender.sent, own_seat(context, line)
    key = f"before {game.name} {seat.id} {game.phase_label}"
    before = sent.payload.get(key) if sent else None
    if not isinstance(before, list):
        raise context.refused(RefusalKind.NOTHING_TO_UNDO, game)
    reading = opened(game).read(seat.id, [str(text) for text in before])
    lines = [one.line for one in reading.understood]
    store_instead(context, game, seat.id, lines, written=line.written)


def phase(context: LetterContext, line: CommandLine) -> None:
    """`PHASE F1901M`: the lines below it are for that phase, up to the next PHASE."""
    game = context.role_game
    written = line.arguments["coming"]
    named, behind = opened(game).phase_named(written, is_sought=True), ""
    if named is None or named.when is When.UNKNOWN:
        named, behind = find_phase(game, written) or (named, "")
    is_said = line.written.split()[0].isupper() or len(line.written.split()) <= MOST_WORDS
    if (named is None or named.when is When.UNKNOWN) and not is_said:
        context.lines.append(line.written)  # a sentence that begins with the word
        return
    aim_at_named_phase(context, game, written, named)
    context.lines += [behind] if behind else []


def resign(context: LetterContext, _line: CommandLine) -> None:
    """Asked back; before the game begins it costs nobody anything, and is done at once."""
    game = context.game() or asking_game(context)
    assert game is not None
    if context.role is None:
        leave(context, game, Deed.WITHDRAWN)
        return
    if context.role.is_applicant:
        leave(context, game)
        return
    what = "resign_practice" if game.is_practice else "resign"
    context.say(ConfirmAsked(context.ref(game), what))
    context.ask(Purpose.RESIGN, {})


def resign_when_replaced(context: LetterContext, line: CommandLine, *, is_leaving: bool) -> None:
    """`RESIGN UNTIL REPLACED`: its player goes on until somebody takes the seat; `NO RESIGN`."""
    is_applicant = context.role is not None and context.role.is_applicant
    if is_applicant or (is_leaving and context.role_game.is_practice):
        resign(context, line)
        return
    game, seat = own_seat(context, line)
    if seat.is_leaving != is_leaving:
        game = context.work.put_game(game.with_seat(replace(seat, is_leaving=is_leaving)))
        if is_leaving and context.player is not None:
            name = context.player.name
            notify_seat_changed(context.work, game, seat.id, SeatEvent.LEAVING, name)
    context.say(Done(context.ref(game), Deed.LEAVING if is_leaving else Deed.STAYING))


def resign_now(context: LetterContext, _sent: SentLetter) -> None:
    """Carry out a RESIGN that its player has confirmed."""
    game, player = context.game(), context.player
    if game is None or player is None or context.role is None or context.role.seat is None:
        raise context.refused(RefusalKind.NOTHING_PROPOSED)
    seat = game.seat(context.role.seat)
    if seat.player != player.id:
        raise context.refused(RefusalKind.EXPIRED, game)
    ref = context.ref(game)
    if game.is_practice:
        game = context.work.put_game(end_game(context.work, game, PRACTICE_ENDING, ()))
        context.messages += game_over_messages(context.work, game, ref)
        return
    context.work.note_conduct(game, player.id, Conduct.RESIGNED)
    game = context.work.put_game(game.with_seat(vacate(seat, resigned=True)))
    notify_seat_changed(context.work, game, seat.id, SeatEvent.RESIGNED, player.name)
    context.say(SeatChanged(ref, seat.id, SeatEvent.RESIGNED, player.name))
    context.sit(None)  # orders below it would take the seat again
    settle_votes(context.work, game)


HANDLERS: Handlers = {
    "wait": partial(set_flags, deed=Deed.WAIT, wait=True),
    "no_wait": partial(set_flags, deed=Deed.NO_WAIT, wait=False),
    "wait_always": partial(set_flags, deed=Deed.WAIT_ALWAYS, prefers_wait=True),
    "no_wait_always": partial(set_flags, deed=Deed.NO_WAIT_ALWAYS, prefers_wait=False, wait=False),
    "ready": partial(set_flags, deed=Deed.READY, ready=True, faulty=False, wait=False),
    "not_ready": partial(set_flags, deed=Deed.NOT_READY, ready=False),
    "clear": clear,
    "undo": undo,
    "for_phase": phase,
    "resign_later": partial(resign_when_replaced, is_leaving=True),
    "no_resign": partial(resign_when_replaced, is_leaving=False),
    "resign": resign,
}
