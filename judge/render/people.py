"""What players decide about themselves, what others may see of them, and what is kept of them."""

import msgspec

from judge.host.messages.command_answers import OwnData, Personal, PersonalKind, Profile
from judge.render.catalogue import sentence_tables
from judge.render.layout import indent_text, list_pairs, one_line
from judge.render.part import Part, Reader, Section, Told
from judge.render.times import language_name
from judge.store import Conduct

VALUE_COLUMNS = 200
NAMES = "names"  # the value that has one name a line


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, str]
    personal: dict[PersonalKind, Told]
    conduct: dict[Conduct, str]


SENTENCES = sentence_tables("people.toml", _Tables)


def personal(message: Personal, reader: Reader) -> Part:
    """What was decided or is asked, and how to take it back."""
    told = SENTENCES.personal[message.kind]
    values = {key: one_line(text, VALUE_COLUMNS) for key, text in message.values.items()}
    sections: list[Section] = [reader.say(told.text, **values)] if told.text else []
    if names := message.values.get(NAMES):
        sections.insert(0, indent_text(names))
    return Part(reader.say(told.what), reader.tell(told.verdict), sections=sections)


def profile(message: Profile, reader: Reader) -> Part:
    """Name, language and reliability; no address, no game."""
    name = one_line(message.name, VALUE_COLUMNS)
    reached = message.percentage
    reliability = reader.say("new: too few phases in the last year")
    if reached is not None:
        reliability = reader.say("in time for {percent}% of the phases", percent=reached)
    rows = [
        (reader.say("Name"), name),
        (reader.say("Language"), language_name(message.language, reader)),
        (reader.say("Reliability"), reliability),
    ]
    for conduct, title in SENTENCES.conduct.items():
        if count := message.counts.get(conduct, 0):
            rows.append((reader.say(title), str(count)))
    year = reader.say("The counts are those of the last twelve months.")
    hidden = reader.say("Only you see this profile. SET PROFILE PUBLIC shows it to others.")
    sections = (list_pairs(rows), year, "" if message.is_public else hidden)
    return Part(reader.say("a player"), reader.say("The profile of a player."), sections=sections)


def own_data(message: OwnData, reader: Reader) -> Part:
    """Everything that is kept about a player, as JSON."""
    verdict = reader.say("This is what the judge keeps about you.")
    sections = (reader.tell(SENTENCES.text["own_data"]), message.text)
    return Part(reader.say("your data"), verdict, sections=sections)
