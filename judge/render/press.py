"""Press. Subjects say only that there is press: not whose, nor what it is about."""

from collections.abc import Sequence

import msgspec

from judge.host.messages.command_answers import PressReceived, PressSent, PressUnclear
from judge.host.messages.shared import GameRef
from judge.render.catalogue import (
    SOURCE_LANGUAGE,
    catalogue,
    join_names,
    join_sentences,
    sentence_tables,
)
from judge.render.layout import first_line, list_rows, titled
from judge.render.part import Part, Reader
from judge.render.press_text import is_marked, press_text
from judge.rulebook import Message, SeatId, load_renderer

MASTER, OBSERVERS = "MASTER", "OBSERVERS"


class _Tables(msgspec.Struct, frozen=True):
    signed: dict[str, str]
    grey: dict[str, str]
    text: dict[str, Message]


SENTENCES = sentence_tables("press.toml", _Tables)


def _names(game: GameRef, who: Sequence[str], reader: Reader, *, brief: bool = False) -> str:
    """Seats, the master and observers by their names; in short where there are several."""
    words = reader.game(game)
    name_of = words.seat_brief if brief or len(who) > 1 else words.seat_name
    others = {MASTER: SENTENCES.text["master"], OBSERVERS: SENTENCES.text["observers"]}
    named = [reader.tell(others[one]) if one in others else name_of(SeatId(one)) for one in who]
    return join_names(named, reader)


def _body(game: GameRef, text: str, reader: Reader) -> str:
    """Somebody's text; marked, and said to be, where it looks like a letter of the judge's."""
    english = load_renderer(game.game).words(game.variant, catalogue(SOURCE_LANGUAGE))
    shown = press_text(text, (*reader.game(game).power_names, *english.power_names))
    if not is_marked(shown):
        return shown
    return titled(reader.tell(SENTENCES.text["quoted"]), shown)


def press_received(message: PressReceived, reader: Reader) -> Part:
    """Press as its readers see it; who wrote it, and who else reads it, stand before it."""
    game, sender, lead = message.game, message.sender, ""
    to = "all" if message.broadcast else "you" if len(message.to) == 1 else "others"
    to = "postal" if message.is_postal else to
    if to == "others":
        readers = _names(game, message.to, reader)
        lead = reader.tell(SENTENCES.text["readers"], readers=readers)
    verdict = reader.tell(SENTENCES.grey[to])
    if sender:
        names = (_names(game, [sender], reader, brief=brief) for brief in (False, True))
        verdict = first_line(reader.tell(SENTENCES.signed[to], power=name) for name in names)
    power = _names(game, [sender], reader) if sender else ""
    hint = reader.tell(SENTENCES.text["reply" if sender else "reply_unnamed"], power=power)
    sections = [_body(game, message.text, reader)]
    if message.orders:
        rows = list_rows(reader.game(game).rows(message.orders))
        sections.append(titled(reader.tell(SENTENCES.text["orders"]), rows))
    if not message.is_postal:
        sections.append(hint)
    return Part(reader.say("press"), verdict, game, sections, lead=lead)


def press_sent(message: PressSent, reader: Reader) -> Part:
    """To the sender: who got it, whom it did not reach, and the text as it went out."""
    told, game = SENTENCES.text, message.game
    verdict = reader.tell(told["held" if message.is_held else "sent_to_all"])
    if not message.to:
        verdict = reader.tell(told["sent_unnamed"])
    elif not message.broadcast:
        named = reader.tell(told["sent"], readers=_names(game, message.to, reader))
        verdict = first_line((named, reader.tell(told["sent_to"], len(message.to))))
    missed = {"vacant": message.vacant, "out": message.out, "late_readers": message.late}
    lead = [
        *([reader.tell(told["held_text"])] if message.is_held else []),
        *([reader.tell(told["unsigned"])] if message.grey else []),
        *(
            reader.tell(told[key], **{name: _names(game, who, reader)})
            for key, name, who in (
                ("shown_as", "power", [message.shown_as] if message.shown_as else []),
                ("shown_to", "readers", message.shown_to),
                *((key, "powers", who) for key, who in missed.items()),
            )
            if who
        ),
    ]
    body = _body(game, message.text, reader) if message.text else ""
    what = reader.say("your letter was taken")
    return Part(what, verdict, game, (body,), lead=join_sentences(lead, reader))


def press_unclear(message: PressUnclear, reader: Reader) -> Part:
    """A reply to press that may be orders: what it holds, and the two words that decide."""
    told = SENTENCES.text
    power = _names(message.game, [message.to], reader) if message.to else ""
    sections = (
        reader.tell(told["unclear_power" if power else "unclear_unnamed"], power=power),
        "\n".join((reader.tell(told["unclear_orders"]), *(f"  {one}" for one in message.orders))),
        "\n".join((reader.tell(told["unclear_text"]), _body(message.game, message.text, reader))),
    )
    what = reader.tell(told["unclear_what"])
    return Part(what, reader.tell(told["unclear"]), message.game, sections)
