"""What the judge says by itself: starts, reminders, moved deadlines, changed seats, trouble."""

import msgspec

from judge.blocks import Pairs, Titled, Written, rows_to_copy
from judge.host.messages import game_events as events
from judge.host.messages.refusals import AddressAsked, KeeperNotice, PasswordTried
from judge.render.answers import (
    if_nothing_more,
    is_complete_in_advance,
    opened_advance_sections,
    show_stored_lines,
    suggested_order_sections,
)
from judge.render.catalogue import N_, comma_names, join_sentences, sentence_tables
from judge.render.layout import one_line
from judge.render.listings import OWING, changed_settings, show_settings
from judge.render.part import DueSection, Part, Reader, Section, Told, roster_section, task_sections
from judge.render.schedules import coming_section
from judge.render.times import moment
from judge.rulebook import Message, Occasion, load_renderer
from judge.store import PostalPress, Press

ADDRESS_COLUMNS = 60
VALUE_COLUMNS = 400  # of one value; a traceback stands in the log


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, Message]
    moved: dict[events.MoveReason, Told]
    seats: dict[str, Told]
    settings: dict[str, Told]
    doubted: dict[str, Told]
    keeper: dict[str, Told]
    standby: dict[events.StandbyEvent, Told]
    facts: dict[str, str]


SENTENCES = sentence_tables("notices.toml", _Tables)
TEXTS = SENTENCES.text
DUE = sentence_tables("letters.toml", dict[str, dict[str, str]])["due"]


def started(message: events.Started, reader: Reader) -> Part:
    """A game's first letter: who one is, what to send, who sits where, by which settings."""
    game, words = message.game, reader.game_words(message.game)
    verdict, task = reader.say("All seats are taken. The game begins."), None
    if game.seat is not None:
        task = words.task(message.view, game.seat)
        verdict = reader.verdict_naming(N_("You are {power}. The game begins."), game, game.seat)
    sections: list[Section]
    if message.until:  # a practice game, perhaps of somebody who has never played
        sections = [
            reader.tell(TEXTS["practice"]),
            *task_sections(task),
            *suggested_order_sections(game, message.suggested, reader),
            load_renderer(game.game).introduction(reader),
            reader.tell(TEXTS["practice_ends"], phase=words.phase_name(message.until)),
            DueSection(message.due),
            *words.position(message.view),
        ]
        return Part(reader.say("the practice game begins"), verdict, game, sections)
    sections = [DueSection(message.due)]
    if task is not None:
        due = DueSection(message.due, default=task.default)
        sections = [*task_sections(task), due, reader.tell(TEXTS["how_to_order"])]
        rules = message.settings.press_rules
        has_press = message.settings.press is not Press.NONE and rules.partial
        if has_press and rules.postal is not PostalPress.ONLY:
            sections.append(reader.tell(TEXTS["how_to_write"]))
    sections += [
        roster_section(message.roster, game, reader),
        *words.variant_notes(message.view),
        show_settings(message.settings, game.game, reader),
        reader.tell(TEXTS["seed_hash"]),
        rows_to_copy(message.seed_hash),
    ]
    return Part(reader.say("the game begins"), verdict, game, sections)


def reminder(message: events.Reminder, reader: Reader) -> Part:
    """Before the deadline, or in grace after it, to a seat that owes orders."""
    game, stored, due = message.game, len(message.order_set), message.orders_due
    if message.due.in_grace:
        verdict = reader.say("The deadline has passed without your orders.")
        what = reader.say("orders missing, in grace")
    elif stored:
        verdict = reader.tell(TEXTS["missing"], max(due - stored, 1))
        what = reader.say("reminder: {n} of {orders_due} orders stored", n=stored, orders_due=due)
    elif message.due.waits:
        verdict = reader.say("The game waits for your orders.")
        what = reader.say("reminder: no orders yet")
    else:
        verdict = reader.say("Your orders are due soon. Nothing has come yet.")
        what = reader.say("reminder: no orders yet")
    assert game.seat is not None
    sections: list[Section] = []
    if stored:
        rows = show_stored_lines(game, message.order_set, reader)
        sections.append(Titled(reader.say("Stored:"), rows))
    else:
        sections += task_sections(reader.game_words(game).task(message.view, game.seat))
    if message.is_last_chance:
        sections.append(reader.tell(TEXTS["last_chance" if message.misses else "only_chance"]))
    if message.has_standby:
        sections.append(reader.tell(TEXTS["has_standby"]))
    sections.append(if_nothing_more(message, reader))
    sections.append(DueSection(message.due))
    return Part(what, verdict, game, sections)


def game_waits(message: events.GameWaits, reader: Reader) -> Part:
    """The first phase passed its deadline without all orders: who is missing, and what is asked."""
    game, words = message.game, reader.game_words(message.game)
    sections: list[Section] = [words.occasion(Occasion.FIRST_PHASE, message.missing)]
    if message.is_first and not message.missing:  # who is late is not told
        sections = [reader.tell(DUE["waits"])]
    if message.is_first and message.by_master:
        owing = reader.sentence_about_seats(OWING, game, message.missing)
        sections = [owing, reader.tell(DUE["master"])]
    elif not message.is_first:
        until = reader.say("In this game a phase does not run without anybody's orders.")
        sections = [reader.sentence_about_seats(OWING, game, message.missing), until]
    if message.is_awaited:
        assert game.seat is not None
        verdict = reader.say("The game waits for your orders.")
        if message.is_first:
            verdict = reader.say("The game waits for your first orders.")
        sections = [*task_sections(words.task(message.view, game.seat)), *sections]
    else:
        verdict = reader.say("The deadline has passed. The game waits.")
        if game.seat:
            sections.append(reader.say("You have nothing to do; your orders stand."))
    what = reader.say("the game waits for orders")
    if message.is_first:
        what = reader.say("the game waits for first orders")
    return Part(what, verdict, game, sections)


def ready_to_run(message: events.ReadyToRun, reader: Reader) -> Part:
    """To the master who runs the phases: this one can run."""
    game, is_over = message.game, message.due.waits
    text = reader.tell(TEXTS["ready_over" if is_over else "ready"], label=game.label or "")
    missing = reader.sentence_about_seats(TEXTS["ready_missing"], game, message.missing)
    verdict = reader.say("The phase waits for you. Reply YES to run it.")
    sections = (text, missing, "" if is_over else DueSection(message.due))
    return Part(reader.say("the phase can run"), verdict, game, sections)


def late_seats_notice(message: events.LateNotice, reader: Reader) -> Part:
    """Whose orders the game waits for in grace; to the others."""
    told = [reader.sentence_about_seats(TEXTS["late"], message.game, message.late)]
    if message.times:
        name = reader.game_words(message.game).seat_name
        rows = [
            reader.say("{power} {n}", power=name(seat), n=n)
            for seat, n in zip(message.late, message.times, strict=True)
        ]
        told.append(reader.tell(TEXTS["late_times"], counts=comma_names(rows, reader)))
    if message.game.seat and not message.due.by_master:
        told.append(reader.tell(TEXTS["late_grace"]))
    elif message.game.seat:
        told.append(reader.say("You have nothing to do; your orders stand."))
    if message.may_change:
        told.append(reader.say("You may still change your orders until then."))
    verdict = reader.say("The deadline has passed. Some orders are late.")
    sections = (join_sentences(told, reader), DueSection(message.due))
    return Part(reader.say("orders are late"), verdict, message.game, sections)


def deadline_moved(message: events.DeadlineMoved, reader: Reader) -> Part:
    """The deadline is another now, or the phase waits until the mailbox was read."""
    told = SENTENCES.moved[message.reason]
    why = reader.say(told.text, when=moment(message.before, reader.zone, reader))
    is_waiting = message.reason is events.MoveReason.MAILBOX
    # Without a deadline, none has moved.
    why = "" if message.due.waits else why
    sections = (why,) if is_waiting else (DueSection(message.due), why)
    return Part(reader.say(told.what), reader.tell(told.verdict), message.game, sections)


def settings_changed(message: events.SettingsChanged, reader: Reader) -> Part:
    """What the master has changed, or would; to a player, or to the master as the answer."""
    game = message.game
    key = "asked" if message.is_asked else "done" if message.is_own else "told"
    key = "agreed" if message.is_agreed else key
    told, before, now = SENTENCES.settings[key], message.before, message.settings
    sections: list[Section] = [*changed_settings(before, now, game.game, reader)]
    if (before.allow, before.deny) != (now.allow, now.deny):
        # Whom they name is the master's affair.
        sections.append(reader.say("The lists of who may join, and who may not, have changed."))
    sections = sections or [reader.say("Nothing is different from before.")]
    sections.append(DueSection(message.due))
    if message.due is not None:
        when = message.at if message.is_asked else message.was
        if when is not None:
            text = TEXTS["settings_move" if message.is_asked else "settings_moved"]
            sections.append(reader.tell(text, when=moment(when, reader.zone, reader)))
        elif message.at is None and before.schedules != now.schedules:
            sections.append(reader.tell(TEXTS["settings_kept"]))
    sections += [
        reader.tell(TEXTS["settings_no_wait"]) if message.lost_wait else "",
        coming_section(message.coming, reader, is_running=False),
        reader.say(told.text) if told.text and before != now else "",
        reader.tell(TEXTS["settings_leave"]) if message.may_leave else "",
    ]
    return Part(reader.say(told.what), reader.tell(told.verdict), game, sections)


def seat_changed(message: events.SeatChanged, reader: Reader) -> Part:
    """A seat has another player, or none."""
    game, seat, words = message.game, message.seat, reader.game_words(message.game)
    who = one_line(message.who, 50) or reader.say("Somebody")
    own = f"own_{message.event}" if game.seat == seat else ""
    told = SENTENCES.seats[own if own in SENTENCES.seats else message.event]
    verdict = reader.verdict_naming(told.verdict, game, seat, words.power_count(seat))
    if told.text:
        text = reader.say(told.text, who=who, power=words.seat_name(seat), game=game.name)
    elif not message.in_disorder:
        text = reader.tell(TEXTS["resigned"], who=who, game=game.name)
    else:
        text = words.occasion(Occasion.RESIGNED, (seat,), who=who, game=game.name)
    return Part(reader.say(told.what), verdict, game, (text,))


def standby_notice(message: events.StandbyNotice, reader: Reader) -> Part:
    """What a standby is asked or told: the units, the deadline, the position."""
    game = message.game
    words = reader.game_words(game)
    told = SENTENCES.standby[message.event]
    power = words.seat_name(message.seat)
    text = reader.tell(told.text, power=power, game=game.name)
    sections: list[Section] = [text]
    if message.due is not None:
        sections = [*opened_advance_sections(message.advance, game, message.view, reader)]
        if not is_complete_in_advance(message.advance):
            sections = [*task_sections(words.task(message.view, message.seat)), *sections]
        sections += [DueSection(message.due), text, *words.position(message.view)]
    verdict = reader.verdict_naming(told.verdict, game, message.seat)
    return Part(reader.say(told.what), verdict, game, sections)


# --- trouble --------------------------------------------------------------------------------------


def sender_doubted(message: AddressAsked, reader: Reader) -> Part:
    """To the registered address: is a letter from another one yours?"""
    told = SENTENCES.doubted["own_letter" if message.is_own else "other_address"]
    text = reader.say(told.text, address=one_line(message.written_from, ADDRESS_COLUMNS))
    begins = Titled(reader.say("It begins:"), Written(message.excerpt.strip()))
    return Part(reader.say(told.what), reader.tell(told.verdict), message.game, (text, begins))


def password_tried(message: PasswordTried, reader: Reader) -> Part:
    """To whoever has a seat: somebody else may be guessing its password."""
    told = SENTENCES.doubted["password"]
    sections = [reader.say(told.text, address=one_line(message.written_from, ADDRESS_COLUMNS))]
    if message.is_closed:
        sections.append(reader.tell(TEXTS["password_closed"]))
    return Part(reader.say(told.what), reader.tell(told.verdict), message.game, sections)


def keeper_notice(message: KeeperNotice, reader: Reader) -> Part:
    """What happened, what the judge does by itself, and the facts."""
    told = SENTENCES.keeper.get(message.what, SENTENCES.keeper["other"])
    facts = [
        (reader.say(SENTENCES.facts.get(key, key)), one_line(str(value), VALUE_COLUMNS))
        for key, value in message.values.items()
    ]
    what, sections = reader.say("for the keeper"), (reader.say(told.text), Pairs(facts))
    return Part(what, reader.tell(told.verdict), sections=sections, context=False)
