"""Becoming a player, getting a seat, making a game; and commands that need one sentence."""

from collections.abc import Mapping
from typing import assert_never

from judge.host.messages import (
    ConfirmAsked,
    Created,
    Deed,
    Done,
    JoinAsked,
    Joined,
    Registered,
    SettingFault,
)
from judge.render.catalogue import N_, count, say
from judge.render.layout import indent_text, list_pairs, one_line, titled, wrap
from judge.render.part import (
    DueSection,
    Part,
    Reader,
    Section,
    either_names,
    first_line,
    join_sentences,
    seat_names,
    words_of_game,
)
from judge.render.settings import show_settings
from judge.render.times import language_name, zone_name
from judge.rulebook import Translator

NAME_COLUMNS = 50


def registered(message: Registered, reader: Reader) -> Part:
    """A player's own data, and how to change it."""
    words = reader.words
    if message.confirmed:
        verdict = say(words, "You are registered.")
        next_step = say(words, "LIST shows the open games, and JOIN takes part in one.")
    else:
        verdict = say(words, "Please reply to this letter to register.")
        next_step = say(
            words,
            "Any reply confirms that the address is yours. If you send none, nothing happens.",
        )
    sections: list[Section] = [
        _person(message.name, message.address, message.language, message.zone, reader),
        *_guess_hint(reader, guessed=message.guessed),
        wrap(next_step),
    ]
    what = say(words, "your registration")
    return Part(what, verdict, sections=tuple(sections))


def _person(name: str, address: str, language: str, zone: str, reader: Reader) -> str:
    words = reader.words
    return list_pairs(
        [
            (say(words, "Name"), one_line(name, NAME_COLUMNS)),
            (say(words, "Address"), one_line(address, NAME_COLUMNS)),
            (say(words, "Language"), language_name(language, words)),
            (say(words, "Times"), zone_name(zone, words)),
        ]
    )


def _guess_hint(reader: Reader, *, guessed: bool) -> list[Section]:
    if not guessed:
        return []
    words = reader.words
    hint = say(
        words,
        "Name, language and time zone were guessed from your letter. To change one, send REGISTER "
        "and below it lines such as",
    )
    example = say(words, "name: Ann Lee\nzone: Europe/Paris\nlanguage: ko")
    return [f"{wrap(hint)}\n{indent_text(example, '  ')}"]


def join_asked(message: JoinAsked, reader: Reader) -> Part:
    """JOIN of a stranger: a reply seats him. Shows what he joins and what was guessed of him."""
    words = reader.words
    sections: list[Section] = [
        wrap(
            say(
                words,
                "Any reply confirms that the address is yours. If you send none, nothing happens.",
            )
        )
    ]
    sections += _join_terms(message, reader)
    sections.append(
        titled(
            say(words, "About you:"),
            _person(message.name, message.address, message.language, message.zone, reader),
        )
    )
    sections += _guess_hint(reader, guessed=True)
    sections.append(
        titled(
            say(words, "The settings of this game:"),
            show_settings(message.settings, message.game.game, words),
        )
    )
    return Part(
        what=say(words, "please reply to join"),
        verdict=say(words, "Please reply to this letter to join."),
        game=message.game,
        sections=tuple(sections),
    )


def _join_terms(message: JoinAsked, reader: Reader) -> list[Section]:
    """Which seat, or how seats are dealt, and when the game begins."""
    words = reader.words
    lines: list[str] = []
    if message.wish is not None:
        power = words_of_game(message.game, words).seat_name(message.wish)
        lines.append(say(words, "You asked for {power}.", power=power))
    elif message.vacant:
        powers = seat_names(message.game, message.free, words)
        lines.append(say(words, "The game is running. Vacant: {powers}.", powers=powers))
    else:
        lines += _dealing(message, words)
    if message.missing_players > 0:
        lines.append(_players_wanted(message.missing_players, reader))
    return [wrap(join_sentences(lines, words))]


def _dealing(message: JoinAsked, words: Translator) -> list[str]:
    """How powers are dealt, and which of them can still be wished for."""
    if not message.free:
        return [say(words, "Powers are dealt by lot when the game begins.")]
    game_words = words_of_game(message.game, words)
    simplest = min(message.free, key=game_words.seat_size)
    named = game_words.seat_brief(simplest)
    return [
        say(
            words,
            "Powers are dealt by lot when the game begins. If you want a certain one, name it: "
            "JOIN {game} {power}.",
            game=message.game.name,
            power=simplest if " " in named else named,
        ),
        say(
            words,
            "Not asked for yet: {powers}.",
            powers=seat_names(message.game, message.free, words),
        ),
    ]


def _players_wanted(missing: int, reader: Reader) -> str:
    return count(
        reader.words,
        "The game begins when {n} more player has joined.",
        "The game begins when {n} more players have joined.",
        missing,
    )


def joined(message: Joined, reader: Reader) -> Part:
    """He is in, with a seat or waiting for the start."""
    words = reader.words
    sections: list[Section] = []
    if message.seat is not None:
        verdict = first_line(
            message.game,
            (message.seat,),
            words,
            lambda power: say(words, "You play {power}.", power=power),
        )
    else:
        verdict = say(words, "You are in. The game has not begun yet.")
        sections.append(
            wrap(say(words, "You get your power in the first letter, with all you need to begin."))
        )
    if message.missing_players > 0:
        sections.append(wrap(_players_wanted(message.missing_players, reader)))
    if message.seat is not None and message.game.label is not None:
        status = say(
            words,
            "STATUS {game} shows the position, and until when orders are due.",
            game=message.game.name,
        )
        sections.append(wrap(status))
    if message.password:
        told = say(
            words,
            "To play, simply reply to the letters of the game. From another address you need "
            "this password:",
        )
        sections.append(f"{wrap(told)}\n\n  {message.password}")
    return Part(say(words, "you are in"), verdict, message.game, sections=tuple(sections))


# --- CREATE ---------------------------------------------------------------------------------------


def created(message: Created, reader: Reader) -> Part:
    """The game is open to JOIN, or kept as a draft until its settings are right."""
    words, name = reader.words, message.game.name
    settings = show_settings(message.settings, message.game.game, words)
    if message.faults:
        faults = "\n".join(_fault(fault, reader) for fault in message.faults)
        hint = say(
            words,
            "Send CREATE {game} again with these settings mended; those below stay as they are "
            "shown. The draft is seen by nobody but you.",
            game=name,
        )
        sections = (
            faults,
            wrap(hint),
            *_master_password(message, reader),
            titled(say(words, "The settings as they stand:"), settings),
        )
        what = say(words, "please look: kept as a draft")
        verdict = say(words, "Kept as a draft: please look at its settings.")
        return Part(what, verdict, message.game, sections=sections)
    wanted = count(
        words,
        "{n} player is wanted. Whoever writes JOIN {game} is in; the game begins when all are.",
        "{n} players are wanted. Whoever writes JOIN {game} is in; the game begins when all are.",
        len(message.seats),
        game=name,
    )
    powers = say(
        words, "Its seats: {powers}.", powers=seat_names(message.game, message.seats, words)
    )
    sections = (
        wrap(wanted),
        wrap(powers),
        *_master_password(message, reader),
        titled(say(words, "Its settings:"), settings),
    )
    verdict = say(words, "Your game is made and open to players.")
    return Part(say(words, "the game is open"), verdict, message.game, sections=sections)


def _master_password(message: Created, reader: Reader) -> tuple[str, ...]:
    if not message.password:
        return ()
    told = say(
        reader.words,
        "You are its master. From another address, or in a letter that answers none of the "
        "game's, sign on with",
    )
    return (f"{wrap(told)}\n\n  SIGNON M{message.game.name} {message.password}",)


FAULTS: Mapping[str, str] = {
    "no_setting": N_('There is no setting "{name}". Known: {known}.'),
    "bad_duration": N_('{name}: "{written}" is no length of time. Write it as {known}.'),
    "bad_option": N_('{name}: there is no "{written}". Known: {known}.'),
    "no_variant": N_('{name}: the board "{written}" is not there yet. Known: {known}.'),
    "no_option": N_('There is no rule "{name}" to choose. Near it: {known}.'),
    "no_rules": N_('{name}: the rules "{written}" are not there yet. Known: {known}.'),
}


def _fault(fault: SettingFault, reader: Reader) -> str:
    message = FAULTS.get(fault.kind, FAULTS["bad_option"])
    known = either_names(list(fault.known), reader.words)
    name, written = one_line(fault.name, NAME_COLUMNS), one_line(fault.written, NAME_COLUMNS)
    return wrap(say(reader.words, message, name=name, written=written, known=known), "  ")


# --- one sentence ---------------------------------------------------------------------------------


def done(message: Done, reader: Reader) -> Part:
    """A flag that was set."""
    sections: tuple[Section, ...] = (DueSection(message.due),) if message.due else ()
    verdict, more = _deed(message.deed, reader)
    return Part(
        what=say(reader.words, "done"),
        verdict=verdict,
        game=message.game,
        sections=(wrap(more), *sections) if more else sections,
    )


def _deed(deed: Deed, reader: Reader) -> tuple[str, str]:
    """What was done, and what follows from it."""
    words = reader.words
    match deed:
        case Deed.WAIT:
            return (
                say(words, "The phase will wait for its deadline."),
                say(words, "Nobody learns who asked for it. NO WAIT takes it back."),
            )
        case Deed.NO_WAIT:
            return (say(words, "You no longer ask the phase to wait."), "")
        case Deed.READY:
            return (
                say(words, "Your orders count as complete."),
                say(
                    words,
                    "The phase may run before its deadline, as soon as everybody is complete. NOT "
                    "READY takes this back.",
                ),
            )
        case Deed.NOT_READY:
            return (say(words, "READY is taken back."), "")
        case Deed.DEADLINE_SET:
            return (say(words, "The deadline is set, and everybody is told."), "")
        case Deed.PROCESSED:
            return (say(words, "The phase has run, and everybody is told."), "")
        case _:
            assert_never(deed)


def confirm_asked(message: ConfirmAsked, reader: Reader) -> Part:
    """RESIGN and PROCESS are asked back: a reply of YES does it."""
    words, name = reader.words, message.game.name
    sections: list[Section] = []
    if message.what == "resign":
        verdict = say(words, "Reply YES to give your seat up.")
        text = say(
            words,
            "You would leave game {game}, and the seat would be open to others. Without a reply of "
            "YES you stay in it.",
            game=name,
        )
    elif message.what == "create":
        verdict = say(words, "Please reply to make this game.")
        text = say(
            words,
            "Any reply confirms that the address is yours; then game {game} is made. Without one "
            "nothing happens.",
            game=name,
        )
    else:
        verdict = say(words, "Reply YES to run the phase now.")
        text = say(
            words,
            "The phase of game {game} would run before its deadline, with the orders that are "
            "stored. Without a reply of YES it runs when it is due.",
            game=name,
        )
        if message.owing:
            owing = seat_names(message.game, message.owing, words)
            line = say(words, "Orders are still missing from: {powers}.", powers=owing)
            sections.append(wrap(line))
    return Part(
        what=say(words, "please confirm"),
        verdict=verdict,
        game=message.game,
        sections=(wrap(text), *sections),
    )
