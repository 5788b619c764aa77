"""What a master's hand did to a game."""

import msgspec

from judge.host.messages.master_acts import MasterActed
from judge.render.catalogue import sentence_tables
from judge.render.layout import indent_text, titled
from judge.render.part import DueSection, Part, Reader, Section, Told
from judge.render.times import moment
from judge.rulebook import Message
from judge.store import Act


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, Message]
    acts: dict[Act, Told]


SENTENCES = sentence_tables("masters.toml", _Tables)
TEXTS = SENTENCES.text


def quoted_reason(reason: str, reader: Reader) -> str:
    """A master's reason, in the words that were written; empty where there is none."""
    return titled(reader.tell(TEXTS["reason"]), indent_text(reason)) if reason else ""


def master_acted(message: MasterActed, reader: Reader) -> Part:
    """An act of the master's: what it was, why, and until when orders are due now."""
    game, told = message.game, SENTENCES.acts[message.act]
    powers = reader.seats(game, message.seats)
    values = {"who": message.who, "powers": powers, "game": game.name}
    sections: list[Section] = [quoted_reason(message.reason, reader)]
    sections.append(reader.tell(told.text, **values) if told.text else "")
    if message.since is not None:
        when = moment(message.since, reader.zone, reader)
        sections.append(reader.tell(TEXTS["reminded"], when=when))
    if message.due is not None:
        sections.append(DueSection(message.due))
    verdict = reader.tell(told.verdict, **values)
    return Part(reader.say(told.what), verdict, game, sections)
