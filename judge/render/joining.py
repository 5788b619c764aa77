"""Becoming a player, getting a seat, making a game; and commands that need one sentence."""

from collections.abc import Sequence

import msgspec

from judge.blocks import Block, Listed, Pairs, Quoted, Titled, rows_to_copy
from judge.host.messages import command_answers as commands
from judge.host.messages.game_events import Filling, FillingEvent
from judge.host.messages.people import Registered
from judge.host.messages.shared import GameRef
from judge.render.answers import is_complete_in_advance, opened_advance_sections
from judge.render.catalogue import (
    N_,
    comma_names,
    command_word,
    either_names,
    join_sentences,
    sentence_tables,
    setting_name,
)
from judge.render.layout import one_line
from judge.render.listings import (
    OWING,
    earliest_start_told,
    house_rules,
    join_command_rows,
    show_settings,
    start_told,
    summary_sections,
)
from judge.render.masters import quoted_reason
from judge.render.part import DueSection, Part, Reader, Section, Told, task_sections
from judge.render.people import reliability_told
from judge.render.schedules import coming_section, old_judge_fields
from judge.render.times import absence_days, language_name, moment, zone_name
from judge.rulebook import NO_JSON, Message, SeatId, load_renderer
from judge.store import Dealing

NAME_COLUMNS = 50
COMMENT_COLUMNS = 120
ADDRESS_COLUMNS = 400  # of all that a player has


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, Message]
    registered: dict[str, Told]
    created: dict[str, Told]
    filling: dict[FillingEvent, Told]
    deeds: dict[commands.Deed, Told]
    confirmed: dict[str, Told]
    away: dict[str, Told]
    faults: dict[str, str]
    approval: dict[str, Told]
    mastered: dict[str, Told]


SENTENCES = sentence_tables("joining.toml", _Tables)
TEXTS = SENTENCES.text


def registered(message: Registered, reader: Reader) -> Part:
    """A player's own data, and how to change it."""
    key = "changed" if message.is_changed else "confirmed" if message.confirmed else "asked"
    told = SENTENCES.registered[key]
    guess = _guessed_data_hint(reader) if message.guessed else ""
    if message.is_beside:  # a letter asks for one thing: the YES of the message above it
        return Part("", reader.say("About you:"), sections=(_person(message, reader), guess))
    command = one_line(message.then, ADDRESS_COLUMNS)
    then = reader.tell(TEXTS["then"], command=command) if command else ""
    text = reader.say(told.text) if told.text else ""
    sections = (then, _person(message, reader), guess, text)
    return Part(reader.say("your registration"), reader.tell(told.verdict), sections=sections)


def _person(message: Registered | commands.JoinAsked, reader: Reader) -> Pairs:
    letters_to = message.letters_to if isinstance(message, Registered) else ""
    return Pairs(
        [
            (reader.say("Name"), one_line(message.name, NAME_COLUMNS)),
            (reader.say("Address"), one_line(message.address, ADDRESS_COLUMNS)),
            *([(reader.say("Letters go to"), letters_to)] if letters_to else ()),
            (reader.say("Language"), language_name(message.language, reader)),
            (reader.say("Times"), zone_name(message.zone, reader)),
        ]
    )


def _guessed_data_hint(reader: Reader) -> Block:
    example = reader.say("name: Ann Lee\nzone: Europe/Paris\nlanguage: ko")
    return Titled(reader.tell(TEXTS["guessed"]), rows_to_copy(*example.split("\n")))


def join_asked(message: commands.JoinAsked, reader: Reader) -> Part:
    """A stranger has sent JOIN: what it joins, and what was guessed of them. YES confirms it."""
    game, words = message.game, reader.game_words(message.game)
    powers = reader.seats(game, message.free)
    if message.wish is not None:
        terms = [reader.say("You asked for {power}.", power=words.seat_name(message.wish))]
    elif message.vacant:
        terms = [reader.say("The game is running. Vacant: {powers}.", powers=powers)]
    elif message.free and message.settings.powers is Dealing.WISHES:
        simplest = min(message.free, key=words.power_count)
        named = words.seat_brief(simplest)
        power = simplest if " " in named else named
        terms = [
            reader.tell(TEXTS["wish"], game=game.name, power=power),
            reader.say("Not asked for yet: {powers}.", powers=powers),
        ]
    else:
        terms = [reader.say("Powers are dealt by lot when the game begins.")]
    if message.missing_players > 0:
        terms.append(reader.tell(TEXTS["missing"], message.missing_players))
    if not message.vacant:
        terms += filter(None, [start_told(message.settings, reader)])
    if message.settings.house_rules:
        terms.append(reader.tell(TEXTS["accepts"]))
    sections = (
        reader.tell(SENTENCES.registered["asked"].text),
        join_sentences(terms, reader),
        Titled(reader.say("About you:"), _person(message, reader)),
        _guessed_data_hint(reader),
        show_settings(message.settings, game.game, reader),
        house_rules(message.settings, reader),
        coming_section(message.coming, reader, is_running=message.vacant, zone=message.zone),
    )
    verdict = reader.say("Reply YES to join.")
    return Part(reader.say("reply YES to join"), verdict, game, sections)


def joined(message: commands.Joined, reader: Reader) -> Part:
    """They are in, with a seat or waiting for the start."""
    game = message.game
    sections: list[Section] = []
    if message.seat is not None and game.seat is not None:
        verdict = reader.verdict_naming(N_("You play {power}."), game, message.seat)
    elif message.seat is not None:
        begins_later = N_("You will play {power}. The game has not begun.")
        verdict = reader.verdict_naming(begins_later, game, message.seat)
        sections.append(reader.tell(TEXTS["until"]))
    else:
        verdict = reader.say("You are in. The game has not begun yet.")
        sections += [reader.tell(TEXTS[key], game=game.name) for key in ("later", "until")]
        if message.may_choose:
            sections.append(reader.tell(TEXTS["asks_for"], game=game.name))
    if message.missing_players > 0:
        sections.append(reader.tell(TEXTS["missing"], message.missing_players))
    if message.not_before is not None:
        sections.append(earliest_start_told(message.not_before, reader))
    if message.seat is not None and message.view != NO_JSON and message.due is not None:
        words = reader.game_words(game)
        sections += opened_advance_sections(message.advance, game, message.view, reader)
        if not is_complete_in_advance(message.advance):
            sections += task_sections(words.task(message.view, message.seat))[:2]
        sections += [DueSection(message.due), *words.position(message.view)]
    if message.record is not None:
        sections += summary_sections(message.record, reader)
    if message.password:
        key = "password" if message.seat is not None else "password_later"
        seat = "?"
        if message.seat is not None:  # of several powers one is enough
            is_one = reader.game_words(game).power_count(message.seat) == 1
            power = message.seat if is_one else SeatId(message.seat.partition("_")[0])
            seat = f"{reader.seat_written(game, power)}@"
        sections += _sign_on(key, seat, game, message.password, reader)
    return Part(reader.say("you are in"), verdict, game, sections)


def created(message: commands.Created, reader: Reader) -> Part:
    """A draft as it would be announced, a draft with faults, or a game that is open to JOIN."""
    game, settings = message.game, message.settings
    sections: list[Section] = [
        reader.tell(TEXTS["wanted"], len(message.seats), game=game.name),
        reader.say("Its seats: {powers}.", powers=reader.seats(game, message.seats)),
        start_told(settings, reader),
    ]
    key, title = "open", reader.say("The settings as they stand:")
    if message.faults:
        key = "faulty"
        faults = Listed([_fault(fault, reader) for fault in message.faults])
        sections = [faults, reader.tell(TEXTS["correct"], game=game.name)]
        sections += [] if message.is_made else [reader.tell(TEXTS["keep"])]
    elif message.is_draft:
        key = "draft"
        text = TEXTS["draft" if message.is_made else "unmade"]
        sections.insert(0, reader.tell(text, game=game.name))
    else:
        title = reader.say("Its settings:")
        sections.append(join_command_rows(game.name, message.judge, reader, settings.join_word))
    if message.password:
        sections += _sign_on("master", "M", game, message.password, reader)
    sections += [
        one_line(settings.comment, COMMENT_COLUMNS),
        show_settings(settings, game.game, reader, title),
        house_rules(settings, reader),
        coming_section(message.coming, reader, is_running=False),
        old_judge_fields(settings, game.game, reader),
    ]
    told = SENTENCES.created[key]
    return Part(reader.say(told.what), reader.tell(told.verdict), game, sections)


def settings_refused(message: commands.SettingsRefused, reader: Reader) -> Part:
    """To a master, or to all where the players agreed on it: what SET could not take, and that
    nothing is changed."""
    faults = Listed([_fault(fault, reader) for fault in message.faults])
    again = reader.say(
        "None of your settings was changed. Send all of them again, with these lines corrected."
    )
    verdict = reader.say("The settings are not changed.")
    sections = (faults,) if message.is_agreed else (faults, again)
    return Part(reader.say("please look: settings"), verdict, message.game, sections)


def mastered(message: commands.Mastered, reader: Reader) -> Part:
    """To the new master of a game."""
    told = SENTENCES.mastered[message.act or "keeper"]
    text = reader.tell(told.text, game=message.game.name)
    sign_on = _sign_on("master", "M", message.game, message.password, reader)
    sections = (text, *sign_on)
    return Part(reader.say(told.what), reader.tell(told.verdict), message.game, sections)


def _sign_on(key: str, seat: str, game: GameRef, password: str, reader: Reader) -> Sequence[Block]:
    """How one signs on from an address that is not one's own: `SIGNON FRANCE@balkan secret`."""
    word = command_word("sign_on", "SIGNON", reader)
    line = f"{word} {seat}{game.name} {password}"
    return reader.tell(TEXTS[key], game=game.name), rows_to_copy(line)


def _fault(fault: commands.SettingFault, reader: Reader) -> str:
    known = fault.known
    if fault.kind in ("bad_duration", "bad_schedule"):  # examples in the reader's language
        known = tuple(reader.say(one) for one in known)
    elif fault.kind in ("no_setting", "no_option"):
        known = tuple(setting_name(one, reader) for one in known)
    return reader.say(
        SENTENCES.faults.get(fault.kind, SENTENCES.faults["bad_option"]),
        name=setting_name(one_line(fault.name, NAME_COLUMNS), reader),
        written=one_line(fault.written, NAME_COLUMNS),
        known=either_names(known, reader),
    )


def filling(message: Filling, reader: Reader) -> Part:
    """How a game stands that has not begun: full and asking, open again, or a place in it."""
    game, told = message.game, SENTENCES.filling[message.event]
    sections: list[Section] = [
        reader.tell(TEXTS["new"]) if message.is_new else "",
        reader.tell(told.text, game=game.name),
    ]
    if message.event is FillingEvent.QUEUED:
        sections.append(reader.tell(TEXTS["place"], message.place))
    elif message.event not in (FillingEvent.LOST, FillingEvent.BEGUN):
        if message.not_before is not None:
            sections.append(earliest_start_told(message.not_before, reader))
        if message.unsure:
            sections.append(reader.tell(TEXTS["unsure"], message.unsure))
            if message.event in (FillingEvent.FULL, FillingEvent.KEPT) and message.due is not None:
                when = moment(message.due.at, reader.zone, reader)
                sections.append(reader.tell(TEXTS["others_due"], when=when))
            else:
                sections.append(DueSection(message.due))
        if message.missing_players:
            sections.append(reader.tell(TEXTS["missing"], message.missing_players))
        if message.players:
            names = Listed([one_line(name, NAME_COLUMNS) for name in message.players])
            sections.append(Titled(reader.say("Who plays:"), names))
    verdict = reader.tell(told.verdict, game=game.name)
    return Part(reader.say(told.what), verdict, game, sections)


def approval_asked(message: commands.ApprovalAsked, reader: Reader) -> Part:
    """To a master: who wants to join, and how reliable they are."""
    game, told = message.game, SENTENCES.approval["asked"]
    rows = [
        (reader.say("Name"), one_line(message.name, NAME_COLUMNS)),
        (reader.say("Reliability"), reliability_told(message.percentage, reader)),
    ]
    if message.wish is not None:
        rows.append((reader.say("Asks for"), reader.game_words(game).seat_name(message.wish)))
    sections = (Pairs(rows), reader.say(told.text))
    return Part(reader.say(told.what), reader.tell(told.verdict), game, sections)


def approval_answer(message: commands.ApprovalAnswer, reader: Reader) -> Part:
    """To whoever wanted to join."""
    told = SENTENCES.approval["granted" if message.granted else "refused"]
    text = reader.tell(told.text, game=message.game.name) if told.text else ""
    return Part(reader.say(told.what), reader.tell(told.verdict), message.game, (text,))


def invited(message: commands.Invited, reader: Reader) -> Part:
    """To somebody whom a master invites: by whom, to what, how to join and how to be left alone."""
    game, told = message.game, SENTENCES.approval["invited"]
    who = one_line(message.by, NAME_COLUMNS)
    power = reader.game_words(game).seat_name(message.seat) if message.seat else ""
    about = load_renderer(game.game).introduction(reader)
    sections: list[Section] = [
        reader.tell(told.text, who=who, game=game.name),
        reader.tell(TEXTS["invited_seat"], power=power) if power else "",
        reader.tell(TEXTS["invited_line"]),
        join_command_rows(game.name, message.judge, reader, message.word),
        reader.tell(TEXTS["left_alone"]) if message.is_stranger else "",
        about if message.is_stranger else "",
        show_settings(message.settings, game.game, reader),
    ]
    return Part(reader.say(told.what), reader.tell(told.verdict), game, sections)


def admission_lists(message: commands.EntryLists, reader: Reader) -> Part:
    """To a master: who is invited and what they said, who alone may join, who may not."""
    game, told, words = message.game, SENTENCES.approval["lists"], reader.game_words(message.game)
    invited = []
    for row in message.invited:
        answer = reader.tell(TEXTS[f"invited_{row.answer}"])
        power = [words.seat_brief(row.seat)] if row.seat else []
        invited.append((one_line(row.who, NAME_COLUMNS), comma_names([answer, *power], reader)))
    sections: list[Section] = []
    if invited:
        sections.append(Titled(reader.tell(TEXTS["invited"]), Pairs(invited)))
    for key, entries in (("allow", message.allow), ("deny", message.deny)):
        if entries:
            names = Listed([one_line(one, NAME_COLUMNS) for one in entries])
            sections.append(Titled(reader.tell(TEXTS[key]), names))
    sections.append(reader.tell(told.text))
    return Part(reader.say(told.what), reader.tell(told.verdict), game, sections)


def game_found(message: commands.Chosen, reader: Reader) -> Part:
    """The game that JOIN ANY has found, and how to leave it."""
    game, settings = message.game, message.settings
    board = load_renderer(game.game).variant_name(settings.variant, reader)
    text = reader.tell(TEXTS["chosen"], game=game.name, board=board)
    verdict = reader.say("A game is found for you.")
    sections = (text, one_line(settings.comment, COMMENT_COLUMNS))
    return Part(reader.say("a game for you"), verdict, game, sections)


def preferences(message: commands.Preferences, reader: Reader) -> Part:
    """The seats that a player would rather have, as they are held."""
    game, name_of = message.game, reader.game_words(message.game).seat_brief
    ties = [either_names([*map(name_of, tie)], reader) for tie in message.ties]
    rows = [(f"{n}", names) for n, names in enumerate(ties, 1)]
    sections = (Pairs(rows), reader.tell(TEXTS["preferences"], game=game.name))
    return Part(reader.say("noted"), reader.say("Your preferences are noted."), game, sections)


def done(message: commands.Done, reader: Reader) -> Part:
    """A command that was carried out, as READY or WAIT."""
    told, game = SENTENCES.deeds[message.deed], message.game
    power = reader.game_words(game).seat_brief(game.seat) if game.seat else ""
    text = reader.say(told.text, game=game.name) if told.text else ""
    sections = (text, DueSection(message.due))
    return Part(reader.say("noted"), reader.tell(told.verdict, power=power), game, sections)


def away(message: commands.Away, reader: Reader) -> Part:
    """An absence as it is noted, to the player, or to the master."""
    game, words = message.game, reader.game_words(message.game)
    first, last = absence_days(message.start, message.end, reader.zone, reader)
    key = "shifts" if message.shifts else "standby"
    key = "undated" if message.is_undated else key
    if not game.seat:
        key = "noted" if message.is_masters else "master"
    told = SENTENCES.away[key]
    seat = reader.seat_written(game, message.seat)
    values = {"first": first, "last": last, "id": seat, "left": message.days_left}
    text = reader.tell(told.text, power=words.seat_name(message.seat), **values)
    by_master = reader.tell(TEXTS["by_master"]) if game.seat and message.is_masters else ""
    sections = (by_master, text, DueSection(message.due))
    return Part(reader.say(told.what), reader.tell(told.verdict), game, sections)


def confirm_asked(message: commands.ConfirmAsked, reader: Reader) -> Part:
    """What the judge asks before it does something; replying YES does it."""
    game = message.game
    words = reader.game_words(game)
    told = SENTENCES.confirmed[message.what]
    when = moment(message.at, reader.zone, reader) if message.at else ""
    phase = words.phase_name(message.label) if message.label else ""
    who = one_line(message.who, NAME_COLUMNS) or reader.say("Somebody")
    values = {"phase": phase, "who": who, "powers": reader.seats(game, message.seats)}
    phases = Listed([words.phase_name(label) for label in message.labels])
    taken_back = reader.tell(TEXTS["taken_back"], len(message.labels))
    sections: list[Section] = [
        reader.say(told.text, game=game.name, when=when, **values),
        Titled(taken_back, phases) if message.labels else "",
        Quoted([one_line(line, NAME_COLUMNS) for line in message.lines]),
        quoted_reason(message.reason, reader),
        reader.tell(TEXTS["waiting"], message.waiting) if message.waiting else "",
        reader.sentence_about_seats(OWING, game, message.owing),
        DueSection(message.due),
    ]
    power = words.seat_brief(game.seat) if game.seat else ""
    verdict = reader.tell(told.verdict, power=power, **values)
    return Part(reader.say("please confirm"), verdict, game, sections)
