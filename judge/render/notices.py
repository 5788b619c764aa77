"""What the judge says by itself: starts, reminders, moved deadlines, changed seats, trouble."""

from collections.abc import Mapping

import msgspec

from judge.host.messages.game_events import (
    DeadlineMoved,
    GameWaits,
    LateNotice,
    MoveReason,
    Reminder,
    SeatChanged,
    SeatEvent,
    Started,
)
from judge.host.messages.refusals import AddressAsked, KeeperNotice, PasswordTried
from judge.render.answers import if_nothing_more, show_lines, suggestion
from judge.render.catalogue import N_, join_sentences, sentence_tables
from judge.render.layout import indent_text, list_pairs, list_rows, one_line, titled
from judge.render.listings import show_settings
from judge.render.part import DueSection, Part, Reader, Section, Told, holder_name
from judge.render.times import moment
from judge.rulebook import Occasion, Task, load_renderer

ADDRESS_COLUMNS = 60
VALUE_COLUMNS = 400  # of one value; a traceback stands in the log


class _Tables(msgspec.Struct, frozen=True):
    moved: dict[MoveReason, Told]
    keeper: dict[str, Told]


SENTENCES = sentence_tables("notices.toml", _Tables)


def _task_section(task: Task) -> str:
    rows = list_rows(task.rows)
    return f"{task.sentence}\n\n{rows}" if rows else task.sentence


def started(message: Started, reader: Reader) -> Part:
    """A game's first letter: who one is, what to send, who sits where, by which settings."""
    game, words = message.game, reader.game(message.game)
    verdict, task = reader.say("All seats are taken. The game begins."), None
    if game.seat is not None:
        task = words.task(message.view, game.seat)
        verdict = reader.verdict(
            game,
            game.seat,
            lambda name: reader.say("You are {power}. The game begins.", power=name),
        )
    if message.until:
        return _practice_started(message, task, verdict, reader)
    sections: list[Section] = [DueSection(message.due)]
    if task is not None:
        how = reader.say(
            "A reply to this letter with your orders is enough. The answer shows what was stored, "
            "and until the deadline you can change any of it. PRESS TO, followed by a power and "
            "your text, writes to a neighbor; HELP lists all commands."
        )
        due = DueSection(message.due, default=task.default)
        sections = [_task_section(task), due, how]
    seats = [(words.seat_name(entry.seat), holder_name(entry, reader)) for entry in message.roster]
    sections.append(titled(reader.say("Who sits where:"), list_pairs(seats)))
    sections += list(words.variant_notes(message.view))
    sections.append(show_settings(message.settings, game.game, reader))
    chance = reader.say(
        "All chance in this game comes from a secret seed, which the last letter prints. This is "
        "the SHA-256 hash of its bytes:"
    )
    sections += [chance, f"  {message.seed_hash}"]
    return Part(reader.say("the game begins"), verdict, game, sections)


def _practice_started(message: Started, task: Task | None, verdict: str, reader: Reader) -> Part:
    """The first letter of a practice game, to somebody who may never have played."""
    game, words = message.game, reader.game(message.game)
    how = reader.say(
        "This is a practice game: the computer plays the other powers, and nobody else sees it. "
        "Reply with an order for each of your units, one on a line, as below. As soon as all have "
        "one, the phase runs, and the next letter shows what happened, with remarks on your orders."
    )
    last = reader.say(
        "It ends after {phase}, or when you reply RESIGN. It does not count among the games that "
        "you may be in; you can have one at a time.",
        phase=words.phase_name(message.until),
    )
    about = load_renderer(game.game).introduction(reader.words)
    sections: list[Section] = [how, _task_section(task) if task else ""]
    sections += [suggestion(game, message.suggested, reader), about, last]
    sections += [DueSection(message.due), words.position(message.view)]
    return Part(reader.say("the practice game begins"), verdict, game, sections)


def reminder(message: Reminder, reader: Reader) -> Part:
    """Before the deadline, or in grace after it, to a seat that owes orders."""
    game, words = message.game, reader.game(message.game)
    stored, due = len(message.order_set), message.orders_due
    if message.due.in_grace:
        verdict = reader.say("The deadline has passed without your orders.")
        what = reader.say("orders missing, in grace")
    elif stored:
        verdict = reader.count(
            "{n} of your orders is missing.",
            "{n} of your orders are missing.",
            max(due - stored, 1),
        )
        what = reader.say("reminder: {n} of {orders_due} orders stored", n=stored, orders_due=due)
    else:
        verdict = reader.say("Your orders are due soon. Nothing has come yet.")
        what = reader.say("reminder: no orders yet")
    assert game.seat is not None
    sections: list[Section] = []
    if stored:
        rows = show_lines(game, message.order_set, reader)
        sections.append(titled(reader.say("Stored:"), rows))
    elif task := words.task(message.view, game.seat):
        sections.append(_task_section(task))
    if message.is_last_chance:
        last = reader.say(
            "If nothing comes from you, your seat becomes vacant and open to others: it would be "
            "the second movement phase in a row without orders."
        )
        if not message.misses:
            last = reader.say(
                "If nothing comes from you, your seat becomes vacant and open to others."
            )
        sections.append(last)
    without = words.without(message.view, game.seat, message.order_set)
    sections += [if_nothing_more(without, reader), DueSection(message.due)]
    return Part(what, verdict, game, sections)


def game_waits(message: GameWaits, reader: Reader) -> Part:
    """The first phase passed its deadline without all orders: who is missing, and what is asked."""
    game, words = message.game, reader.game(message.game)
    sections: list[Section] = [words.occasion(Occasion.FIRST_PHASE, message.missing)]
    if not message.is_first or not message.missing:
        missing = reader.seats(game, message.missing)
        still = reader.say("Orders are still missing from: {powers}.", powers=missing)
        until = reader.say("In this game a phase does not run without anybody's orders.")
        sections = [still if missing else "", until]
    if message.is_awaited:
        assert game.seat is not None
        verdict = reader.say("The game waits for your orders.")
        if message.is_first:
            verdict = reader.say("The game waits for your first orders.")
        if task := words.task(message.view, game.seat):
            sections.insert(0, _task_section(task))
    else:
        verdict = reader.say("The deadline has passed. The game waits.")
        sections.append(reader.say("You have nothing to do; your orders stand."))
    what = reader.say("the game waits for orders")
    if message.is_first:
        what = reader.say("the game waits for first orders")
    return Part(what, verdict, game, sections)


def late_notice(message: LateNotice, reader: Reader) -> Part:
    """Whose orders the game waits for in grace; to the others."""
    powers = reader.seats(message.game, message.late)
    late = reader.say("Nothing came by the deadline from: {powers}.", powers=powers)
    grace = reader.say(
        "Late orders count until the time below; then the phase runs without them. You have "
        "nothing to do; your orders stand."
    )
    verdict = reader.say("The deadline has passed. Some orders are late.")
    sections = (join_sentences((late, grace), reader), DueSection(message.due))
    return Part(reader.say("orders are late"), verdict, message.game, sections)


def deadline_moved(message: DeadlineMoved, reader: Reader) -> Part:
    """The deadline is another now, or the phase waits until the mailbox was read."""
    told = SENTENCES.moved[message.reason]
    why = reader.say(told.text, when=moment(message.before, reader.zone, reader))
    is_waiting = message.reason is MoveReason.MAILBOX
    sections = (why,) if is_waiting else (DueSection(message.due), why)
    return Part(reader.say(told.what), reader.say(told.verdict), message.game, sections)


def seat_changed(message: SeatChanged, reader: Reader) -> Part:
    """A seat has another player, or none."""
    game, seat, words = message.game, message.seat, reader.game(message.game)
    size, power, who = words.seat_size(seat), words.seat_name(seat), one_line(message.who, 50)
    is_own = game.seat == seat
    match message.event:
        case SeatEvent.RESIGNED if is_own:
            verdict = reader.verdict(
                game, seat, lambda name: reader.say("You no longer play {power}.", power=name)
            )
            text = reader.say(
                "You have left the game, and your seat is vacant. JOIN {game} takes part again, as "
                "long as there is room.",
                game=game.name,
            )
        case SeatEvent.RETAKEN if is_own:
            verdict = reader.verdict(
                game, seat, lambda name: reader.say("You play {power} again.", power=name)
            )
            text = reader.say("Your seat had become vacant; by this letter it is yours again.")
        case SeatEvent.REPLACED:
            verdict = reader.verdict(
                game, seat, lambda name: reader.say("Somebody else plays {power} now.", power=name)
            )
            text = reader.say(
                "{who} has taken the seat that you left vacant. You have no part in this game any "
                "more; thank you for playing.",
                who=who,
            )
        case SeatEvent.RESIGNED:
            verdict = reader.verdict(
                game,
                seat,
                lambda name: reader.say("The player of {power} has resigned.", power=name),
            )
            text = words.occasion(Occasion.RESIGNED, (seat,), who=who, game=game.name)
        case SeatEvent.TAKEN:
            verdict = reader.verdict(
                game,
                seat,
                lambda name: reader.count(
                    "{power} has a new player.", "{power} have a new player.", size, power=name
                ),
            )
            text = reader.say("{who} plays {power} from now on.", who=who, power=power)
        case SeatEvent.RETAKEN:
            verdict = reader.verdict(
                game, seat, lambda name: reader.say("The player of {power} is back.", power=name)
            )
            text = reader.say("{who} plays {power} again.", who=who, power=power)
    is_vacant = message.event is SeatEvent.RESIGNED
    what = reader.say("a seat is vacant") if is_vacant else reader.say("a seat has changed hands")
    return Part(what, verdict, game, (text,))


# --- trouble --------------------------------------------------------------------------------------


def address_asked(message: AddressAsked, reader: Reader) -> Part:
    """To the registered address: is a letter from another one yours?"""
    text = reader.say(
        "A letter from {address} answers one of yours. Reply YES if you wrote it: then it counts "
        "as if it had come from here. Without a reply it counts for nothing.",
        address=one_line(message.written_from, ADDRESS_COLUMNS),
    )
    begins = titled(reader.say("It begins:"), indent_text(message.excerpt.strip()))
    if message.is_own:
        text = reader.say(
            "A new letter bears your address, but anybody could have written it. Reply YES if it "
            "is yours: then it counts. Without a reply it counts for nothing. A reply to the "
            "newest letter of a game needs no such question."
        )
        verdict = reader.say("Did you write this letter?")
        return Part(reader.say("please confirm a letter"), verdict, message.game, (text, begins))
    verdict = reader.say("Did you write this from another address?")
    what = reader.say("please confirm an address")
    return Part(what, verdict, message.game, (text, begins))


def password_tried(message: PasswordTried, reader: Reader) -> Part:
    """To whoever has a seat: somebody else may be guessing its password."""
    text = reader.say(
        "A letter from {address} wrote a wrong password for your seat. If it was you, the right "
        "one stands in the letter that you got when you joined; a reply to the newest letter of "
        "the game needs none.",
        address=one_line(message.written_from, ADDRESS_COLUMNS),
    )
    sections = [text]
    if message.is_closed:
        closed = reader.say("It was not the first: for an hour no password is taken for your seat.")
        sections.insert(0, closed)
    verdict = reader.say("Somebody wrote a wrong password for your seat.")
    return Part(reader.say("a wrong password"), verdict, message.game, sections)


FACTS: Mapping[str, str] = {
    "id": N_("Letter"),
    "game": N_("Game"),
    "recipient": N_("Recipient"),
    "error": N_("Error"),
    "command": N_("To go on"),
}


def keeper_notice(message: KeeperNotice, reader: Reader) -> Part:
    """What happened, what the judge does by itself, and the facts."""
    told = SENTENCES.keeper.get(message.what, SENTENCES.keeper["other"])
    facts = [
        (reader.say(FACTS.get(key, key)), one_line(str(value), VALUE_COLUMNS))
        for key, value in message.values.items()
    ]
    sections = (reader.say(told.text), list_pairs(facts))
    what = reader.say("for the keeper")
    return Part(what, reader.say(told.verdict), sections=sections, context=False)
