"""What players decide about themselves, what others may see of them, and what is kept of them."""

from collections.abc import Sequence

import msgspec

from judge.blocks import Listed, Pairs, Titled, Verbatim
from judge.host.messages import people as messages
from judge.render.catalogue import join_names, sentence_tables
from judge.render.layout import one_line
from judge.render.part import Part, Reader, Section, Told
from judge.render.times import absence_days, language_name
from judge.rulebook import load_renderer
from judge.store import Attachment, Conduct, Format, Level

VALUE_COLUMNS = 200
NAME_COLUMNS = 40
NAMES = "names"  # the value that has one name a line


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, str]
    personal: dict[messages.PersonalKind, Told]
    conduct: dict[Conduct, str]
    formats: dict[Format, str]
    attachments: dict[Attachment, str]
    levels: dict[Level, str]


SENTENCES = sentence_tables("people.toml", _Tables)


def personal_setting(message: messages.Personal, reader: Reader) -> Part:
    """What was decided or is asked, and how to take it back."""
    told = SENTENCES.personal[message.kind]
    values = {key: one_line(text, VALUE_COLUMNS) for key, text in message.values.items()}
    if message.kind is messages.PersonalKind.ATTACHMENTS:
        chosen = [Attachment(one) for one in message.values["attachments"].split()]
        values["attachments"] = _attachment_names(chosen, reader)
    if message.kind is messages.PersonalKind.LEVEL:
        values["level"] = reader.say(SENTENCES.levels[Level(message.values["level"])])
    sections: list[Section] = [reader.say(told.text, **values)] if told.text else []
    if names := message.values.get(NAMES):
        sections.insert(0, Listed(names.split("\n")))
    return Part(reader.say(told.what), reader.tell(told.verdict), sections=sections)


def vacation_noted(message: messages.VacationNoted, reader: Reader) -> Part:
    """A vacation of somebody who has no game now."""
    first, last = absence_days(message.start, message.end, reader.zone, reader)
    text = reader.tell(SENTENCES.text["vacation"], first=first, last=last)
    verdict = reader.say("You are away: that is noted.")
    return Part(reader.say("your absence is noted"), verdict, sections=[text])


def profile(message: messages.Profile, reader: Reader) -> Part:
    """Name, language, reliability and ratings; no address, no game."""
    rows = [
        (reader.say("Name"), one_line(message.name, VALUE_COLUMNS)),
        (reader.say("Language"), language_name(message.language, reader)),
        (reader.say("Reliability"), reliability_told(message.percentage, reader)),
    ]
    for conduct, title in SENTENCES.conduct.items():
        if count := message.counts.get(conduct, 0):
            rows.append((reader.say(title), str(count)))
    if message.format is not None:
        rows.append((reader.say("Letters"), reader.say(SENTENCES.formats[message.format])))
        attached = _attachment_names(message.attachments, reader) or reader.say("nothing")
        if message.format is not Format.PLAIN:
            rows.append((reader.say("With them"), attached))
    if message.level is not Level.ANY:
        rows.append((reader.say("Level"), reader.say(SENTENCES.levels[message.level])))
    for row in message.ratings:
        board = load_renderer(message.game).variant_name(row.name, reader)
        rows.append((reader.say("Rating, {board}", board=board), _rating(row, reader)))
    year = reader.say("The counts are those of the last twelve months.")
    hidden = reader.say("Only you see this profile. SET PROFILE PUBLIC shows it to others.")
    sections = (Pairs(rows), year, "" if message.is_public else hidden)
    return Part(reader.say("a player"), reader.say("The profile of a player."), sections=sections)


def reliability_told(percentage: int | None, reader: Reader) -> str:
    """How many of a player's phases had orders in time; None: too few to tell."""
    if percentage is None:
        return reader.say("new (too few phases in the last year)")
    return reader.say("in time for {percent}% of the phases", percent=percentage)


def _attachment_names(chosen: Sequence[Attachment], reader: Reader) -> str:
    return join_names([reader.say(SENTENCES.attachments[one]) for one in chosen], reader)


def _rating(row: messages.RatingRow, reader: Reader) -> str:
    return reader.count("{rating} ({n} game)", "{rating} ({n} games)", row.games, rating=row.rating)


def rating_list(message: messages.RatingList, reader: Reader) -> Part:
    """The best of a board, and the reader's own ratings."""
    renderer = load_renderer(message.game)
    board = renderer.variant_name(message.variant, reader)
    verdict = reader.say("No public ratings on the board {board} yet.", board=board)
    if message.best:
        verdict = reader.say("The best players of the board {board}.", board=board)
    best = [
        (f"{place}. {one_line(row.name, NAME_COLUMNS)}", _rating(row, reader))
        for place, row in enumerate(message.best, 1)
    ]
    own = [(renderer.variant_name(row.name, reader), _rating(row, reader)) for row in message.own]
    sections = [
        Pairs(best),
        Titled(reader.say("Your own ratings:"), Pairs(own)) if own else "",
        reader.tell(SENTENCES.text["ratings"]),
    ]
    return Part(reader.say("ratings"), verdict, sections=sections)


def own_data(message: messages.OwnData, reader: Reader) -> Part:
    """Everything that is kept about a player, as JSON."""
    verdict = reader.say("This is what the judge keeps about you.")
    sections = (reader.tell(SENTENCES.text["own_data"]), Verbatim(message.text))
    return Part(reader.say("your data"), verdict, sections=sections)
