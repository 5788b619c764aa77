"""What the judge says by itself: starts, reminders, moved deadlines, changed seats."""

from typing import assert_never

from judge.host.messages import (
    DeadlineMoved,
    GameWaits,
    MoveReason,
    Reminder,
    SeatChanged,
    SeatEvent,
    Started,
)
from judge.render.answers import show_lines
from judge.render.catalogue import count, say
from judge.render.layout import list_pairs, list_rows, one_line, titled, wrap
from judge.render.part import (
    DueSection,
    Part,
    Reader,
    Section,
    first_line,
    seat_names,
    words_of_game,
)
from judge.render.settings import show_settings
from judge.render.times import moment


def started(message: Started, reader: Reader) -> Part:
    """A game's first letter: who one is, what to send, who sits where, by which settings."""
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    if message.game.seat is not None:
        verdict = first_line(
            message.game,
            (message.game.seat,),
            words,
            lambda power: say(words, "You are {power}. The game begins.", power=power),
        )
    else:
        verdict = say(words, "All seats are taken. The game begins.")
    sections: list[Section] = [
        *_task_sections(message, reader),
        titled(say(words, "Who sits where:"), _seating(message, reader)),
        *(wrap(remark) for remark in game_words.variant_notes(message.view)),
        titled(
            say(words, "The settings of this game:"),
            show_settings(message.settings, message.game.game, words),
        ),
        wrap(
            say(
                words,
                "All chance in this game comes from a secret seed, which the last letter prints. "
                "This is the SHA-256 hash of its bytes:",
            )
        ),
        f"  {message.seed_hash}",
    ]
    return Part(say(words, "the game begins"), verdict, message.game, sections=tuple(sections))


def _task_sections(message: Started, reader: Reader) -> list[Section]:
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    task = game_words.task(message.view, message.game.seat) if message.game.seat else None
    if task is None:
        return [DueSection(message.due)]
    rows = list_rows(task.rows)
    return [
        f"{wrap(task.sentence)}\n\n{rows}" if rows else wrap(task.sentence),
        DueSection(message.due, default=task.default),
        wrap(
            say(
                words,
                "A reply to this letter with your orders is enough. The answer shows what was "
                "stored, and until the deadline you can change any of it. PRESS TO, followed by a "
                "power and your text, writes to a neighbor; HELP lists all commands.",
            )
        ),
    ]


def _seating(message: Started, reader: Reader) -> str:
    game_words = words_of_game(message.game, reader.words)
    return list_pairs(
        [(game_words.seat_name(entry.seat), one_line(entry.player, 50)) for entry in message.roster]
    )


def reminder(message: Reminder, reader: Reader) -> Part:
    """Before the deadline, or in grace after it, to a seat that owes orders."""
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    stored = len(message.order_set)
    if message.due.in_grace:
        verdict = say(words, "The deadline has passed without your orders.")
        what = say(words, "orders missing, in grace")
    elif stored:
        verdict = count(
            words,
            "{n} of your orders is missing.",
            "{n} of your orders are missing.",
            max(message.orders_due - stored, 1),
        )
        what = say(
            words,
            "reminder: {n} of {orders_due} orders stored",
            n=stored,
            orders_due=message.orders_due,
        )
    else:
        verdict = say(words, "Your orders are due soon. Nothing has come yet.")
        what = say(words, "reminder: no orders yet")
    assert message.game.seat is not None
    sections: list[Section] = []
    if message.order_set:
        rows = show_lines(message.game, message.order_set, reader)
        sections.append(titled(say(words, "Stored:"), rows))
    task = game_words.task(message.view, message.game.seat)
    if task is not None and not message.order_set:
        rows = list_rows(task.rows)
        sections.append(f"{wrap(task.sentence)}\n\n{rows}" if rows else wrap(task.sentence))
    without = game_words.without(message.view, message.game.seat, message.order_set)
    if without:
        sections.append(wrap(say(words, "If you send nothing more: {what}", what=without)))
    sections.append(DueSection(message.due))
    return Part(what, verdict, message.game, sections=tuple(sections))


def game_waits(message: GameWaits, reader: Reader) -> Part:
    """The first movement phase passed its deadline, and the game waits for all first orders."""
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    missing = seat_names(message.game, message.missing, words)
    sections: list[Section] = [
        wrap(
            say(
                words,
                "Orders are still missing from: {powers}. In the first movement phase no power "
                "goes into civil disorder, so the phase runs when the last orders are in.",
                powers=missing,
            )
        )
    ]
    if not message.is_awaited:
        sections.append(say(words, "You have nothing to do; your orders stand."))
        return _waiting(
            message, say(words, "The deadline has passed. The game waits."), sections, reader
        )
    assert message.game.seat is not None
    task = game_words.task(message.view, message.game.seat)
    if task is not None:
        rows = list_rows(task.rows)
        sections.insert(0, f"{wrap(task.sentence)}\n\n{rows}" if rows else wrap(task.sentence))
    return _waiting(message, say(words, "The game waits for your first orders."), sections, reader)


def _waiting(message: GameWaits, verdict: str, sections: list[Section], reader: Reader) -> Part:
    what = say(reader.words, "the game waits for first orders")
    return Part(what, verdict, message.game, sections=tuple(sections))


def deadline_moved(message: DeadlineMoved, reader: Reader) -> Part:
    """The deadline is another now, or the phase waits until the mailbox was read."""
    words = reader.words
    before = moment(message.before, reader.zone, words)
    what = say(words, "the deadline has moved")
    match message.reason:
        case MoveReason.MASTER:
            verdict = say(words, "The game master has moved the deadline.")
            why = say(words, "It was {when}.", when=before)
        case MoveReason.JUDGE_AWAY:
            verdict = say(words, "The deadline has moved: the judge was away.")
            why = say(
                words,
                "It was {when}. The judge was not running then and could not have taken your "
                "orders, so everybody has more time.",
                when=before,
            )
        case MoveReason.MAILBOX:
            verdict = say(words, "The phase waits: the mailbox cannot be read.")
            why = say(
                words,
                "Orders were due {when}. Nobody loses anything: the phase runs when the judge has "
                "read every letter that reached its mail server in time.",
                when=before,
            )
            what = say(words, "the phase waits for the mailbox")
        case _:
            assert_never(message.reason)
    sections: list[Section] = [wrap(why)]
    if message.reason is not MoveReason.MAILBOX:
        sections = [DueSection(message.due), *sections]
    return Part(what, verdict, message.game, sections=tuple(sections))


def seat_changed(message: SeatChanged, reader: Reader) -> Part:
    """A seat has another player, or none."""
    words = reader.words
    power = words_of_game(message.game, words).seat_name(message.seat)
    size = words_of_game(message.game, words).seat_size(message.seat)
    who = one_line(message.who, 50)
    match message.event:
        case SeatEvent.RESIGNED:
            verdict = first_line(
                message.game,
                (message.seat,),
                words,
                lambda name: say(words, "The player of {power} has resigned.", power=name),
            )
            text = count(
                words,
                "{who} has left the game. The seat is vacant and open to JOIN {game}; until "
                "somebody takes it, {power} is in civil disorder.",
                "{who} has left the game. The seat is vacant and open to JOIN {game}; until "
                "somebody takes it, {power} are in civil disorder.",
                size,
                who=who,
                game=message.game.name,
                power=power,
            )
        case SeatEvent.TAKEN:
            verdict = first_line(
                message.game,
                (message.seat,),
                words,
                lambda name: count(
                    words,
                    "{power} has a new player.",
                    "{power} have a new player.",
                    size,
                    power=name,
                ),
            )
            text = say(words, "{who} plays {power} from now on.", who=who, power=power)
        case SeatEvent.RETAKEN:
            verdict = first_line(
                message.game,
                (message.seat,),
                words,
                lambda name: say(words, "The player of {power} is back.", power=name),
            )
            text = say(words, "{who} plays {power} again.", who=who, power=power)
        case _:
            assert_never(message.event)
    what = say(words, "a seat has changed hands")
    return Part(what, verdict, message.game, sections=(wrap(text),))
