"""What the judge says by itself: starts, reminders, moved deadlines, changed seats."""

from typing import assert_never

from judge.host.blocks import (
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
    renderer_of,
    seat_names,
)
from judge.render.settings import show_settings
from judge.render.times import moment


def started(block: Started, reader: Reader) -> Part:
    """A game's first letter: who one is, what to send, who sits where, by which settings."""
    words, renderer = reader.words, renderer_of(block.game)
    if block.game.seat is not None:
        verdict = first_line(
            block.game,
            (block.game.seat,),
            words,
            lambda power: say(words, "You are {power}. The game begins.", power=power),
        )
    else:
        verdict = say(words, "All seats are taken. The game begins.")
    sections: list[Section] = [
        *_task_sections(block, reader),
        titled(say(words, "Who sits where:"), _seating(block, reader)),
        *(wrap(remark) for remark in renderer.remarks(block.view, words)),
        titled(
            say(words, "The settings of this game:"),
            show_settings(block.settings, renderer_of(block.game), words),
        ),
        wrap(
            say(
                words,
                "All chance in this game comes from a secret seed, which the last letter prints. "
                "This is the SHA-256 hash of its bytes:",
            )
        ),
        f"  {block.seed_hash}",
    ]
    return Part(say(words, "the game begins"), verdict, block.game, sections=tuple(sections))


def _task_sections(block: Started, reader: Reader) -> list[Section]:
    words, renderer = reader.words, renderer_of(block.game)
    task = renderer.task(block.view, block.game.seat, words) if block.game.seat else None
    if task is None:
        return [DueSection(block.due)]
    rows = list_rows(task.rows)
    return [
        f"{wrap(task.sentence)}\n\n{rows}" if rows else wrap(task.sentence),
        DueSection(block.due, default=task.default),
        wrap(
            say(
                words,
                "A reply to this letter with your orders is enough. The answer shows what was "
                "stored, and until the deadline you can change any of it. PRESS TO, followed by a "
                "power and your text, writes to a neighbor; HELP lists all commands.",
            )
        ),
    ]


def _seating(block: Started, reader: Reader) -> str:
    words, renderer = reader.words, renderer_of(block.game)
    return list_pairs(
        [
            (renderer.seat_name(entry.seat, words), one_line(entry.player, 50))
            for entry in block.roster
        ]
    )


def reminder(block: Reminder, reader: Reader) -> Part:
    """Before the deadline, or in grace after it, to a seat that owes orders."""
    words, renderer = reader.words, renderer_of(block.game)
    stored = len(block.sheet)
    if block.due.in_grace:
        verdict = say(words, "The deadline has passed without your orders.")
        what = say(words, "orders missing, in grace")
    elif stored:
        verdict = count(
            words,
            "{n} of your orders is missing.",
            "{n} of your orders are missing.",
            max(block.owed - stored, 1),
        )
        what = say(words, "reminder: {n} of {owed} orders stored", n=stored, owed=block.owed)
    else:
        verdict = say(words, "Your orders are due soon. Nothing has come yet.")
        what = say(words, "reminder: no orders yet")
    assert block.game.seat is not None
    sections: list[Section] = []
    if block.sheet:
        rows = show_lines(block.game, block.view, block.sheet, reader)
        sections.append(titled(say(words, "Stored:"), rows))
    task = renderer.task(block.view, block.game.seat, words)
    if task is not None and not block.sheet:
        rows = list_rows(task.rows)
        sections.append(f"{wrap(task.sentence)}\n\n{rows}" if rows else wrap(task.sentence))
    without = renderer.without(block.view, block.game.seat, block.sheet, words)
    if without:
        sections.append(wrap(say(words, "If you send nothing more: {what}", what=without)))
    sections.append(DueSection(block.due))
    return Part(what, verdict, block.game, sections=tuple(sections))


def game_waits(block: GameWaits, reader: Reader) -> Part:
    """The first movement phase passed its deadline, and the game waits for all first orders."""
    words, renderer = reader.words, renderer_of(block.game)
    missing = seat_names(block.game, block.missing, words)
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
    if not block.owes:
        sections.append(say(words, "You have nothing to do; your orders stand."))
        return _waiting(
            block, say(words, "The deadline has passed. The game waits."), sections, reader
        )
    assert block.game.seat is not None
    task = renderer.task(block.view, block.game.seat, words)
    if task is not None:
        rows = list_rows(task.rows)
        sections.insert(0, f"{wrap(task.sentence)}\n\n{rows}" if rows else wrap(task.sentence))
    return _waiting(block, say(words, "The game waits for your first orders."), sections, reader)


def _waiting(block: GameWaits, verdict: str, sections: list[Section], reader: Reader) -> Part:
    what = say(reader.words, "the game waits for first orders")
    return Part(what, verdict, block.game, sections=tuple(sections))


def deadline_moved(block: DeadlineMoved, reader: Reader) -> Part:
    """The deadline is another now, or the phase waits until the mailbox was read."""
    words = reader.words
    before = moment(block.before, reader.zone, words)
    what = say(words, "the deadline has moved")
    match block.reason:
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
            assert_never(block.reason)
    sections: list[Section] = [wrap(why)]
    if block.reason is not MoveReason.MAILBOX:
        sections = [DueSection(block.due), *sections]
    return Part(what, verdict, block.game, sections=tuple(sections))


def seat_changed(block: SeatChanged, reader: Reader) -> Part:
    """A seat has another player, or none."""
    words = reader.words
    power = renderer_of(block.game).seat_name(block.seat, words)
    size = renderer_of(block.game).seat_size(block.seat)
    who = one_line(block.who, 50)
    match block.event:
        case SeatEvent.RESIGNED:
            verdict = first_line(
                block.game,
                (block.seat,),
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
                game=block.game.name,
                power=power,
            )
        case SeatEvent.TAKEN:
            verdict = first_line(
                block.game,
                (block.seat,),
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
                block.game,
                (block.seat,),
                words,
                lambda name: say(words, "The player of {power} is back.", power=name),
            )
            text = say(words, "{who} plays {power} again.", who=who, power=power)
        case _:
            assert_never(block.event)
    what = say(words, "a seat has changed hands")
    return Part(what, verdict, block.game, sections=(wrap(text),))
