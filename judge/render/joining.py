"""Becoming a player, getting a seat, making a game; and commands that need one sentence."""

import msgspec

from judge.host.messages.command_answers import (
    ConfirmAsked,
    Created,
    Deed,
    Done,
    JoinAsked,
    Joined,
    Registered,
    SettingFault,
)
from judge.render.catalogue import N_, either_names, join_sentences, sentence_tables
from judge.render.layout import indent_text, list_pairs, list_rows, one_line, titled
from judge.render.listings import show_settings
from judge.render.part import DueSection, Part, Reader, Section, Told
from judge.render.schedules import coming_section, old_fields
from judge.render.times import language_name, moment, zone_name
from judge.rulebook import NO_JSON

NAME_COLUMNS = 50
ADDRESS_COLUMNS = 400  # of all that a player has


class _Tables(msgspec.Struct, frozen=True):
    deeds: dict[Deed, Told]
    confirmed: dict[str, Told]
    faults: dict[str, str]


SENTENCES = sentence_tables("joining.toml", _Tables)

REPLY_YES = N_("YES confirms that the address is yours. Without it nothing happens.")


def registered(message: Registered, reader: Reader) -> Part:
    """A player's own data, and how to change it."""
    if message.confirmed:
        verdict = reader.say("You are registered.")
        next_step = reader.say("LIST shows the open games, and JOIN takes part in one.")
    else:
        verdict = reader.say("Reply YES to register.")
        next_step = reader.say(REPLY_YES)
    guess = _guess_hint(reader) if message.guessed else ""
    sections = (_person(message, reader), guess, next_step)
    return Part(reader.say("your registration"), verdict, sections=sections)


def _person(message: Registered | JoinAsked, reader: Reader) -> str:
    return list_pairs(
        [
            (reader.say("Name"), one_line(message.name, NAME_COLUMNS)),
            (reader.say("Address"), one_line(message.address, ADDRESS_COLUMNS)),
            (reader.say("Language"), language_name(message.language, reader)),
            (reader.say("Times"), zone_name(message.zone, reader)),
        ]
    )


def _guess_hint(reader: Reader) -> str:
    hint = reader.say(
        "Name, language and time zone were guessed from your letter. To change one, send REGISTER "
        "and below it lines such as"
    )
    example = reader.say("name: Ann Lee\nzone: Europe/Paris\nlanguage: ko")
    return titled(hint, indent_text(example))


def join_asked(message: JoinAsked, reader: Reader) -> Part:
    """JOIN of a stranger: a reply seats them. Shows what they join and what was guessed."""
    game, words = message.game, reader.game(message.game)
    powers = reader.seats(game, message.free)
    if message.wish is not None:
        terms = [reader.say("You asked for {power}.", power=words.seat_name(message.wish))]
    elif message.vacant:
        terms = [reader.say("The game is running. Vacant: {powers}.", powers=powers)]
    elif message.free:
        simplest = min(message.free, key=words.seat_size)
        named = words.seat_brief(simplest)
        terms = [
            reader.say(
                "Powers are dealt by lot when the game begins. If you want a certain one, name it: "
                "JOIN {game} {power}.",
                game=game.name,
                power=simplest if " " in named else named,
            ),
            reader.say("Not asked for yet: {powers}.", powers=powers),
        ]
    else:
        terms = [reader.say("Powers are dealt by lot when the game begins.")]
    if message.missing_players > 0:
        terms.append(_players_wanted(message.missing_players, reader))
    sections = (
        reader.say(REPLY_YES),
        join_sentences(terms, reader),
        titled(reader.say("About you:"), _person(message, reader)),
        _guess_hint(reader),
        show_settings(message.settings, game.game, reader),
        coming_section(message.coming, reader, is_running=message.vacant, zone=message.zone),
    )
    verdict = reader.say("Reply YES to join.")
    return Part(reader.say("reply YES to join"), verdict, game, sections)


def _players_wanted(missing: int, reader: Reader) -> str:
    return reader.count(
        "The game begins when {n} more player has joined.",
        "The game begins when {n} more players have joined.",
        missing,
    )


def joined(message: Joined, reader: Reader) -> Part:
    """They are in, with a seat or waiting for the start."""
    game = message.game
    sections: list[Section] = []
    if message.seat is not None:
        verdict = reader.verdict(
            game, message.seat, lambda name: reader.say("You play {power}.", power=name)
        )
    else:
        verdict = reader.say("You are in. The game has not begun yet.")
        later = reader.say("You get your power in the first letter, with all you need to begin.")
        sections.append(later)
        until = reader.say(
            "Until then STATUS shows who is missing, JOIN {game} and a power wishes for it, and "
            "RESIGN leaves.",
            game=game.name,
        )
        sections.append(until)
    if message.missing_players > 0:
        sections.append(_players_wanted(message.missing_players, reader))
    if message.seat is not None and message.view != NO_JSON and message.due is not None:
        words = reader.game(game)
        if task := words.task(message.view, message.seat):
            sections.append(f"{task.sentence}\n\n{list_rows(task.rows)}")
        sections += [DueSection(message.due), words.position(message.view)]
    if message.password:
        told = reader.say(
            "To play, simply reply to the letters of the game. From another address you need this "
            "password:"
        )
        sections.append(f"{told}\n\n  {message.password}")
    return Part(reader.say("you are in"), verdict, game, sections)


# --- CREATE ---------------------------------------------------------------------------------------


def created(message: Created, reader: Reader) -> Part:
    """The game is open to JOIN, or kept as a draft until its settings are right."""
    game, password = message.game, ""
    if message.password:
        told = reader.say(
            "You are its master. From another address, or in a letter that answers none of the "
            "game's, sign on with"
        )
        password = f"{told}\n\n  SIGNON M{game.name} {message.password}"
    if message.faults:
        what = reader.say("please look: kept as a draft")
        verdict = reader.say("Kept as a draft: please look at its settings.")
        title = reader.say("The settings as they stand:")
        first = "\n".join([_fault(fault, reader) for fault in message.faults])
        second = reader.say(
            "Send CREATE {game} again with these settings corrected; those below stay as they are "
            "shown. Nobody but you sees the draft.",
            game=game.name,
        )
    else:
        what = reader.say("the game is open")
        verdict = reader.say("Your game is made and open to players.")
        title = reader.say("Its settings:")
        wanted = reader.count(
            "{n} player is wanted. Anybody who writes JOIN {game} is in; the game begins when all "
            "have joined.",
            "{n} players are wanted. Anybody who writes JOIN {game} is in; the game begins when "
            "all have joined.",
            len(message.seats),
            game=game.name,
        )
        first = wanted
        second = reader.say("Its seats: {powers}.", powers=reader.seats(game, message.seats))
    settings = show_settings(message.settings, game.game, reader, title)
    coming = coming_section(message.coming, reader, is_running=False)
    old = old_fields(message.settings, game.game, reader)
    return Part(what, verdict, game, (first, second, password, settings, coming, old))


def _fault(fault: SettingFault, reader: Reader) -> str:
    known = fault.known
    if fault.kind in ("bad_duration", "bad_schedule"):  # examples in the reader's language
        known = tuple(reader.say(one) for one in known)
    told = reader.say(
        SENTENCES.faults.get(fault.kind, SENTENCES.faults["bad_option"]),
        name=one_line(fault.name, NAME_COLUMNS),
        written=one_line(fault.written, NAME_COLUMNS),
        known=either_names(known, reader),
    )
    return "  " + told


# --- one sentence ---------------------------------------------------------------------------------


def done(message: Done, reader: Reader) -> Part:
    """A flag that was set."""
    told, game = SENTENCES.deeds[message.deed], message.game
    power = reader.game(game).seat_brief(game.seat) if game.seat else ""
    sections: list[Section] = [reader.say(told.text, game=game.name)] if told.text else []
    if message.due:
        sections.append(DueSection(message.due))
    return Part(reader.say("noted"), reader.say(told.verdict, power=power), game, sections)


def confirm_asked(message: ConfirmAsked, reader: Reader) -> Part:
    """What is asked back: a reply does it."""
    game = message.game
    told = SENTENCES.confirmed[message.what]
    when = moment(message.at, reader.zone, reader) if message.at else ""
    sections: list[Section] = [reader.say(told.text, game=game.name, when=when)]
    if message.waiting:
        waiting = reader.count(
            "{n} player asked the phase to wait for its deadline.",
            "{n} players asked the phase to wait for its deadline.",
            message.waiting,
        )
        sections.append(waiting)
    if message.owing:
        powers = reader.seats(game, message.owing)
        sections.append(reader.say("Orders are still missing from: {powers}.", powers=powers))
    if message.due is not None:
        sections.append(DueSection(message.due))
    power = reader.game(game).seat_brief(game.seat) if game.seat else ""
    return Part(reader.say("please confirm"), reader.say(told.verdict, power=power), game, sections)
