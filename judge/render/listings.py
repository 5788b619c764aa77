"""Lists and help: games, one game's state and settings, commands, and the welcome of a stranger."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from judge.blocks import (
    Block,
    Indented,
    Listed,
    Pairs,
    PicturePlace,
    Row,
    Rows,
    Titled,
    Written,
    rows_to_copy,
)
from judge.host import Stage, Topic, Who
from judge.host.messages import command_answers as commands
from judge.host.messages import games
from judge.host.messages.shared import Person
from judge.render.answers import flags_told, if_nothing_more, show_stored_lines, stored_in_advance
from judge.render.catalogue import (
    N_,
    comma_names,
    either_names,
    join_names,
    join_sentences,
    option_value,
    sentence_tables,
    setting_name,
)
from judge.render.ends import TEXTS as END_TEXTS
from judge.render.ends import end_setting_rows
from judge.render.layout import one_line
from judge.render.masters import act_row, holdups_section, quoted_reason
from judge.render.part import (
    DueSection,
    Part,
    Reader,
    Section,
    holder_name,
    roster_section,
    task_sections,
)
from judge.render.people import SENTENCES as PEOPLE
from judge.render.press import phrase_book
from judge.render.schedules import coming_section, old_judge_fields, schedule_rows
from judge.render.times import absence_days, due_time, duration, language_name, moment, zone_name
from judge.render.votes import open_votes_told, vote_setting_rows
from judge.rulebook import DEFAULT_GAME, NO_JSON, Message, load_renderer
from judge.store import (
    USUAL_SIGHT,
    Control,
    Fact,
    GameSettings,
    Level,
    Missing,
    OnAbsence,
    Press,
    PressRules,
    Sight,
    Status,
    Unplayed,
    Waits,
)

NAME_COLUMNS = 40
COMMENT_COLUMNS = 120


class _Unusual(msgspec.Struct, frozen=True):
    """The row of a setting that is not as usual; without a title it goes on from the row above."""

    text: str
    title: str = ""


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, Message]
    unusual: dict[str, _Unusual]
    joining: dict[str, str]
    press: dict[Press, str]
    press_rules: dict[str, str]
    game: dict[str, str]
    status: dict[str, Message]
    who: dict[Who, str]
    when: dict[Stage, str]
    topics: dict[Topic, str]


SENTENCES = sentence_tables("listings.toml", _Tables)
TEXTS = SENTENCES.text
OWING = TEXTS["owing"]
USUAL = {field.name: field.default for field in msgspec.structs.fields(GameSettings)}


class _MissingWords(msgspec.Struct, frozen=True):
    absence: dict[OnAbsence, str]
    policies: dict[Missing, str]
    facts: dict[Fact, str]
    sight: dict[Sight, str]
    unplayed: dict[Unplayed, str]
    waits: dict[Waits, str]


MISSING = sentence_tables("missing.toml", _MissingWords)


# --- settings -------------------------------------------------------------------------------------


def _with_choices(name: str, choices: Sequence[tuple[str, str]], reader: Reader) -> str:
    """A preset or variant and what was chosen on top of it: `2023, 4.A.2 szykman, 2 players`."""
    told = [name]
    for option, value in choices:
        if option == "players" and value.isdecimal():
            told.append(reader.count("{n} player", "{n} players", int(value)))
        else:
            told.append(f"{setting_name(option, reader)} {value}")
    return comma_names(told, reader)


def _edition(rules: str, reader: Reader) -> str:
    """A preset of rules; those that are called by a year are editions of the rulebook."""
    return reader.say("{year} edition", year=rules) if rules.isdecimal() else rules


def _variant(game: str, variant: str, options: Sequence[tuple[str, str]], reader: Reader) -> str:
    """The variant as people call it and as CREATE takes it: `Chaos, last_year 1910`."""
    title = load_renderer(game).variant_name(variant, reader)
    if title.lower() != variant:
        title = reader.say("{name} ({id})", name=title, id=variant)
    return _with_choices(
        title, [(key, option_value(value, reader)) for key, value in options], reader
    )


def show_settings(settings: GameSettings, game: str, reader: Reader, title: str = "") -> Block:
    """Every setting with its value, in two columns below a title."""
    rows = Pairs(_setting_rows(settings, game, reader, is_all=settings.deadlines))
    return Titled(title or reader.say("The settings of this game:"), rows)


def changed_settings(
    before: GameSettings, settings: GameSettings, game: str, reader: Reader
) -> Sequence[Block]:
    """The settings that differ, each with what it was; house rules are shown whole."""
    usual = reader.say("as usual")
    were, now = (_values_by_name(_setting_rows(one, game, reader)) for one in (before, settings))
    rows = []
    for name in {**now, **were}:
        if now.get(name) != were.get(name):
            values = {"value": now.get(name, usual), "was": were.get(name, usual)}
            rows.append((name, reader.say("{value} (before: {was})", **values)))
    rules = house_rules(settings, reader) if settings.house_rules != before.house_rules else ""
    start = start_told(settings, reader) if settings.confirm != before.confirm else ""
    is_said = settings.comment != before.comment
    comment = one_line(settings.comment, COMMENT_COLUMNS) if is_said else ""
    return [one for one in (comment, Pairs(rows), start, rules) if one]


def _values_by_name(rows: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The values of settings by their names; a row without one goes on with the row above it."""
    found, last = dict[str, str](), ""
    for name, value in rows:
        last = name or last
        found[last] = f"{found[last]}; {value}" if last in found else value
    return found


def _setting_rows(
    settings: GameSettings, game: str, reader: Reader, *, is_all: bool = True
) -> list[tuple[str, str]]:
    """Each setting and its value; of those that few games change, what is not as usual. Not all:
    of those that have no effect where no phase has a deadline, too."""
    renderer, say = load_renderer(game), reader.say
    rows = (
        [(say("Language"), language_name(settings.language, reader))] if settings.language else []
    )
    rows.append((say("Board"), _variant(game, settings.variant, settings.options, reader)))
    if settings.dummies or settings.unplayed is not Unplayed.HOLD:
        words = renderer.words(settings.variant, reader)
        dummies = comma_names([words.seat_brief(one) for one in settings.dummies], reader)
        unplayed = say(MISSING.unplayed[settings.unplayed], powers=dummies or say("none"))
        rows.append((say("Not played"), unplayed))
    rows += [
        (say("Rules"), _with_choices(_edition(settings.rules, reader), settings.choices, reader)),
        *_unusual_rows(settings, reader, "blind"),
        (say("Press"), say(SENTENCES.press[settings.press])),
        *_press_rows(settings, reader),
        (say("Agreed end"), renderer.agreed_ends(settings.votes, reader) or say("none")),
        *vote_setting_rows(settings, reader),
        *end_setting_rows(settings, reader),
        *_phase_rows(settings, game, reader, is_all=is_all),
        *_unusual_rows(settings, reader, "start"),
    ]
    if settings.not_before:
        when = moment(settings.not_before, reader.zone, reader)
        rows.append((say("Start"), say("not before {when}", when=when)))
    if settings.statements != USUAL["statements"]:
        rows.append((say("Statements"), duration(settings.statements, reader)))
    rows += _unusual_rows(settings, reader, "powers", "names", "rated")
    if settings.level is not Level.ANY:
        rows.append((say("Level"), say(PEOPLE.levels[settings.level])))
    if settings.approval or settings.allow:
        rows.append((say("Entry"), say("its master decides who joins")))
    if settings.join_word or not settings.listed:
        key = ("word" if settings.join_word else "invited") + ("" if settings.listed else "_unseen")
        rows.append((say("Joining"), say(SENTENCES.joining[key])))
    return rows


def _unusual_rows(settings: GameSettings, reader: Reader, *fields: str) -> list[tuple[str, str]]:
    """The rows of those of the settings that are not as usual."""
    rows = [SENTENCES.unusual[one] for one in fields if getattr(settings, one) != USUAL[one]]
    return [(reader.say(row.title) if row.title else "", reader.say(row.text)) for row in rows]


def _phase_rows(
    settings: GameSettings, game: str, reader: Reader, *, is_all: bool
) -> list[tuple[str, str]]:
    """When a phase runs, what happens to those who are late or away, and what is told of it."""
    say, rows = reader.say, _unusual_rows(settings, reader, "deadlines")

    def time(span: timedelta) -> str:
        return duration(span, reader)

    def is_shown(*fields: str) -> bool:
        return is_all or any(getattr(settings, one) != USUAL[one] for one in fields)

    if settings.deadlines:
        reminder = settings.reminder or settings.last_reminder
        reminded = say("{time} before the deadline", time=time(reminder))
        if not reminder:
            reminded = say("none")
        elif settings.reminder and settings.last_reminder:
            times = {"time": time(settings.reminder), "last": time(settings.last_reminder)}
            reminded = say("{time} and {last} before the deadline", **times)
        rows = [*schedule_rows(settings, game, reader), (say("Grace"), time(settings.grace))]
        rows += [*_unusual_rows(settings, reader, "strict_grace"), (say("Reminder"), reminded)]

    all_in = say("runs as soon as all are complete")
    if settings.process is Control.MANUAL:
        all_in = say("runs when the game master says so")
    elif not settings.early:
        all_in = say("waits for the deadline")
    elif settings.all_in_delay:
        delay = time(settings.all_in_delay)
        all_in = say("runs {delay} after the last change, if all are complete", delay=delay)
    rows.append((say("All in"), all_in))
    if limit := settings.reliability:
        needed = say("at least {limit}%", limit=limit)
        if settings.takes_new:
            needed = say("at least {limit}%, or new", limit=limit)
        rows.append((say("Reliability"), needed))

    away = MISSING.absence[settings.on_absence] if settings.absence else "none"
    more = say("the players may agree on {time} a phase", time=time(settings.extension))
    more = more if settings.extension else say("none")
    if is_shown("missing"):
        rows.append((say("Missing orders"), say(MISSING.policies[settings.missing])))
    rows += _unusual_rows(settings, reader, "standby")
    if is_shown("absence", "on_absence"):
        rows.append((say("Absence"), say(away, time=time(settings.absence))))
    if is_shown("extension"):
        rows.append((say("More time"), more))
    if settings.waits in MISSING.waits:
        rows.append((say("Ask to wait"), say(MISSING.waits[settings.waits])))
    told = ("unordered", "late_count", "open_orders", "again", "late_changes", "previews")
    rows += _unusual_rows(settings, reader, *told, "seasons")
    if settings.excused:
        rows.append((say("Excused"), reader.tell(TEXTS["excused"], settings.excused)))
    for fact in Fact:
        if settings.who_sees(fact) is not USUAL_SIGHT[fact]:
            sight = MISSING.sight[settings.who_sees(fact)]
            rows.append((say(MISSING.facts[fact]), say(sight)))
    return rows


def _press_rows(settings: GameSettings, reader: Reader) -> list[tuple[str, str]]:
    """How the press rules differ from the usual ones, and who reads all press."""
    if settings.press is Press.NONE:
        return []
    rows, usual = list[tuple[str, str]](), PressRules()
    for name in PressRules.__struct_fields__:
        value = getattr(settings.press_rules, name)
        if value != getattr(usual, name):
            key = name if isinstance(value, bool) else f"{name}_{value}"
            title = reader.say("All press is read by") if name == "archive" else ""
            rows.append((title, reader.say(SENTENCES.press_rules[key])))
    return sorted(rows, key=lambda row: bool(row[0]))


def house_rules(settings: GameSettings, reader: Reader) -> Block:
    """The master's own rules, as they were written; empty for none."""
    if not settings.house_rules:
        return ""
    return Titled(reader.say("House rules of this game:"), Written(settings.house_rules))


def start_told(settings: GameSettings, reader: Reader) -> str:
    """When the game begins at the earliest, and what happens when it is full, if players are asked
    once more."""
    dated = [earliest_start_told(settings.not_before, reader)] if settings.not_before else []
    if settings.confirm:
        dated.append(reader.tell(TEXTS["start"], time=duration(settings.confirm, reader)))
    return join_sentences(dated, reader) if dated else ""


def earliest_start_told(at: datetime, reader: Reader) -> str:
    """Before which instant a game does not begin."""
    return reader.tell(TEXTS["not_before"], when=moment(at, reader.zone, reader))


def join_command_rows(name: str, judge: str, reader: Reader, word: str = "") -> Block:
    """The line that joins a game, to copy or to touch, and where to send it."""
    line = reader.say("JOIN balkan").replace("balkan", name)
    line = f"{line} {word}".rstrip()
    if not judge:
        return rows_to_copy(line)
    url = f"mailto:{judge}?subject={quote(name)}&body={quote(line)}"
    title = reader.say("To join, write to {address}:", address=judge)
    return Titled(title, Rows([Row(line, "", url=url)]))


# --- games ----------------------------------------------------------------------------------------


def game_list(message: games.GameList, reader: Reader) -> Part:
    """The games that the reader may see."""
    verdict = reader.say("There is no game yet. CREATE makes one.")
    if message.games or message.is_for_keeper:
        verdict = reader.count("There is {n} game.", "There are {n} games.", len(message.games))
    elif message.is_some:
        verdict = reader.say("No game is like that. LIST shows them all.")
    sections: list[Section] = []
    for row in message.games:
        sections.append(_game_row(row, message.now, reader))
        if _is_open(row) and message.judge and not row.needs_word:
            sections.append(join_command_rows(row.name, message.judge, reader))
    return Part(reader.say("list of games"), verdict, sections=sections)


def _is_open(row: games.GameRow) -> bool:
    return row.status == Status.FORMING or bool(row.vacant and row.status == Status.ACTIVE)


def _game_row(row: games.GameRow, now: datetime, reader: Reader) -> Block:
    """A game in a few lines, below its name."""
    return Titled(row.name, _game_facts(replace(row, name=""), now, reader))


@lru_cache(maxsize=64)
def _game_facts(row: games.GameRow, now: datetime, reader: Reader) -> Block:
    """How a game stands, its rules, what is vacant; kept, since without a name most are alike."""
    words = load_renderer(row.game).words(row.variant, reader)
    key = "draft" if row.label is None else "running"
    if row.status in (Status.FORMING, Status.FINISHED):
        key = str(row.status)
    values = {
        "players": row.players,
        "seats": row.seats,
        "phase": words.phase_name(row.label or ""),
        "variant": _variant(row.game, row.variant, row.options, reader),
        "rules": _with_choices(_edition(row.rules, reader), row.choices, reader),
        "pace": words.pace(duration(row.pace, reader)),
        "press": reader.say(SENTENCES.press[row.press]),
    }
    keys = (key, "rules", "press", *(["blind"] * row.is_blind))
    lines = [reader.say(SENTENCES.game[each], **values) for each in keys]
    if row.comment:
        lines.insert(0, one_line(row.comment, COMMENT_COLUMNS))
    if row.needs_approval:
        lines.append(reader.say("its master decides who joins"))
    if row.needs_word:
        lines.append(reader.say("joined with a word that its master gives"))
    if row.language:
        language = language_name(row.language, reader)
        lines.append(reader.say("language {language}", language=language))
    if row.vacant and row.status == Status.ACTIVE:
        powers = join_names([words.seat_brief(seat) for seat in row.vacant], reader)
        lines.append(reader.say("vacant: {powers}", powers=powers))
    if row.not_before is not None and row.not_before > now and row.status == Status.FORMING:
        when = moment(row.not_before, reader.zone, reader)
        lines.append(reader.say("not before {when}", when=when))
    if not row.has_deadlines:
        lines.append(reader.say("no deadlines"))
    if row.due_at is not None and row.status == Status.ACTIVE:
        lines.append(reader.say("due {when}", when=due_time(row.due_at, now, reader.zone, reader)))
    return Indented(Listed(lines))


def game_status(message: games.GameStatus, reader: Reader) -> Part:
    """Everything a reader may see of one game."""
    game, words, settings = message.game, reader.game_words(message.game), message.settings
    sections: list[Section] = [one_line(settings.comment, COMMENT_COLUMNS)]
    if message.judge:
        sections.append(join_command_rows(game.name, message.judge, reader))
    if message.status == Status.FORMING and settings.not_before is not None:
        sections.append(earliest_start_told(settings.not_before, reader))
    if message.vacant:
        sections.append(reader.tell(TEXTS["vacant"]))
    sections.append(DueSection(message.due))
    if message.owing == ():
        sections.append(reader.say("All orders are in."))
    if message.holdups:
        sections.append(holdups_section(message.holdups, game, reader))
    else:  # to others than the master
        sections.append(quoted_reason(message.held or "", reader))
        sections.append(join_requests_told(message.asking, reader))
    if message.held is not None or not message.holdups:
        waiting = reader.tell(TEXTS["waiting"], message.waiting) if message.waiting else ""
        sections += [
            reader.sentence_about_seats(OWING, game, message.owing or ()),
            reader.sentence_about_seats(TEXTS["late"], game, message.late or ()),
            reader.sentence_about_seats(TEXTS["waiters"], game, message.waiters or ()) or waiting,
        ]
    if message.asked_masters:
        asked = [one_line(one.who, COMMENT_COLUMNS) for one in message.asked_masters]
        names = join_names(asked, reader)
        sections.append(reader.say("Asked to run it, no answer yet: {names}.", names=names))
    for one in message.absences:
        first, last = absence_days(one.start, one.end, reader.zone, reader)
        sections.append(reader.tell(TEXTS["away"], first=first, last=last))
    if message.wish is not None:
        wished = words.seat_name(message.wish)
        sections.append(reader.say("You asked for {power}.", power=wished))
    if message.preferences:
        ties = [either_names([*map(words.seat_brief, tie)], reader) for tie in message.preferences]
        sections.append(Titled(reader.say("Your preferences:"), Listed(ties)))
    if message.order_set:
        rows = show_stored_lines(game, message.order_set, reader)
        sections.append(Titled(reader.say("Your orders:"), rows))
        if len(message.order_set) < message.orders_due:
            sections.append(if_nothing_more(message, reader))
    elif message.orders_due and game.seat:
        sections += task_sections(words.task(message.view, game.seat))[:2]
    sections += stored_in_advance(game, message.advance, reader)
    flags = flags_told(message, reader)
    flags += [] if message.holdups else open_votes_told(game, message.motions, reader)
    sections.append("\n".join(flags))
    sections.append(roster_section(message.roster, game, reader, tells_out=True))
    sections.append(masters_told(message.masters, reader))
    if message.view != NO_JSON:
        sections += [*words.variant_notes(message.view), *words.position(message.view)]
    sections.append(coming_section(message.coming, reader, is_running=message.due is not None))
    sections.append(show_settings(settings, game.game, reader))
    sections.append(old_judge_fields(settings, game.game, reader))
    what = reader.say("how the game stands")
    return Part(what, _status_verdict(message, reader), game, sections)


def _status_verdict(message: games.GameStatus, reader: Reader) -> str:
    for entry in message.roster:
        if entry.seat == message.about:
            told, player = N_("{power}: {player}."), holder_name(entry, reader)
            player = player or reader.say("vacant")
            return reader.verdict_naming(told, message.game, entry.seat, player=player)
    if message.status == Status.FORMING and not message.missing_players:
        return reader.tell(SENTENCES.status["full"])
    if message.status != Status.ACTIVE:
        return reader.tell(SENTENCES.status[message.status], message.missing_players)
    due, stored = message.orders_due, len(message.order_set or ())
    key = "stored" if due else "nothing_due"
    if message.order_set is None:
        key = "active"
    return reader.tell(SENTENCES.status[key], min(stored, due), orders_due=due)


def masters_told(masters: Sequence[Person], reader: Reader) -> str:
    """Who runs a game; empty where nobody does."""
    names = join_names([one_line(one.who, COMMENT_COLUMNS) for one in masters], reader)
    return reader.say("Run by: {names}.", names=names) if masters else ""


def join_requests_told(names: Sequence[str], reader: Reader) -> str:
    """To the master: who waits for their leave to join; empty for nobody."""
    shown = join_names([one_line(name, COMMENT_COLUMNS) for name in names], reader)
    return reader.say("Waiting for your YES or NO to join: {names}.", names=shown) if names else ""


def summary(message: games.Summary, reader: Reader) -> Part:
    """A game so far: who plays, and the scores of each year."""
    game, words = message.game, reader.game_words(message.game)
    asking = join_requests_told(message.asking, reader)
    verdict, shared = reader.say("The game is running."), ""
    if message.ending:
        verdict, shared = words.ending(message.ending, message.winners)
    comment = one_line(message.comment, COMMENT_COLUMNS)
    pictures = reader.centers_picture(game, message.scores, message.view)
    run_by = masters_told(message.masters, reader)
    sections = [shared, comment, run_by, *summary_sections(message, reader), asking]
    return Part(reader.say("summary"), verdict, game, sections, pictures=pictures)


def summary_sections(message: games.Summary, reader: Reader) -> list[Block]:
    """Who plays, the scores of each year, and what the master did."""
    game, words = message.game, reader.game_words(message.game)
    sections = [roster_section(message.roster, game, reader, message.percentages)]
    if chart := words.score_table(message.scores):
        sections += [Titled(reader.tell(END_TEXTS["chart"]), chart), PicturePlace()]
    if message.acts:
        acts = Listed([act_row(one, game, reader) for one in message.acts])
        sections.append(Titled(reader.say("What its master did:"), acts))
    return sections


# --- help -----------------------------------------------------------------------------------------


def help_text(message: commands.HelpText, reader: Reader) -> Part:
    """How to write orders, and commands by topic; of one alone also who may give it and when."""
    sections: list[Section] = []
    if message.orders:
        _, examples = load_renderer(DEFAULT_GAME).order_help(reader)
        head = reader.say("Orders stand on lines of their own, with short or full names:")
        sections += [head, Rows(examples)]
    if len(message.commands) > 1:
        sections.append(reader.say("Commands stand on a line of their own:"))
    for topic, head in SENTENCES.topics.items():
        rows = []
        for one in message.commands:
            if one.topic is topic:
                told = reader.say(one.summary)
                if reader.language in one.local:
                    told = reader.say("{summary} (or {word})", summary=told, word=one.name)
                rows.append(Row(reader.say(one.usage), told))
        if len(message.commands) == 1:
            sections += [Rows(rows)] if rows else []
        elif rows:
            sections.append(Titled(reader.say(head), Rows(rows)))
    verdict = reader.say("Here is what you can write to the judge.")
    if len(message.commands) == 1:
        (command,) = message.commands
        details = [
            (reader.say("who may"), reader.tell(SENTENCES.who[command.who])),
            (reader.say("when"), reader.tell(SENTENCES.when[command.when])),
        ]
        if command.words[1:]:
            details.append((reader.say("also written"), comma_names(command.words[1:], reader)))
        if command.settings:
            names = [setting_name(one, reader) for one in command.settings]
            details.append((reader.say("settings"), comma_names(names, reader)))
        sections.append(Pairs(details))
        if command.name == "SAY":
            sections += phrase_book(reader)
    else:
        sections += [reader.tell(TEXTS[key]) for key in ("sign_on", "more_help")]
    return Part(reader.say("help"), verdict, sections=sections)


def welcome(message: games.Welcome, reader: Reader) -> Part:
    """To somebody whom the judge does not know: what this is, and how to take part."""
    rows = [_game_row(row, message.now, reader) for row in message.games if _is_open(row)]
    if message.joins:
        verdict = reader.say("Welcome! Reply YES to join {game}.", game=message.joins)
        line = reader.say("JOIN balkan").replace("balkan", message.joins)
        other = reader.tell(TEXTS["practice_instead"])
    else:
        verdict = reader.say("Welcome! Reply YES to play a practice game.")
        line = reader.say("PRACTICE")
        other = reader.say("A practice game is against the computer, and begins at once.")
    how = Titled(reader.say("Reply YES. Or send this line in a new letter:"), rows_to_copy(line))
    about = load_renderer(message.game).introduction(reader)
    name, zone = one_line(message.name, NAME_COLUMNS), zone_name(message.zone, reader)
    who = reader.tell(TEXTS["who"], name=name, zone=zone) if message.name else ""
    if rows:
        rows = [reader.say("Open games:"), *rows]
    if rows and not message.joins:
        rows.append(reader.say("JOIN and a game's name takes part in an open one."))
    last = reader.say("HELP lists everything that can be asked for.")
    sections = (reader.tell(TEXTS["greeting"]), about, how, other, *rows, who, last)
    return Part(reader.say("welcome"), verdict, sections=sections)
