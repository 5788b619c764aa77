"""Press. Subjects say only that there is press: not whose, nor what it is about."""

from collections.abc import Sequence

import msgspec

from judge.host.messages.command_answers import PressReceived, PressSent, PressUnclear
from judge.host.messages.shared import GameRef
from judge.render.catalogue import join_names, sentence_tables
from judge.render.layout import first_line, indent_text
from judge.render.part import Part, Reader
from judge.rulebook import Message, SeatId

MASTER = "MASTER"


class _Tables(msgspec.Struct, frozen=True):
    signed: dict[str, str]
    grey: dict[str, str]
    text: dict[str, Message]


SENTENCES = sentence_tables("press.toml", _Tables)


def _names(game: GameRef, who: Sequence[str], reader: Reader, *, brief: bool = False) -> str:
    """Seats and the master by their names; in short where there are several."""
    words = reader.game(game)
    name_of = words.seat_brief if brief or len(who) > 1 else words.seat_name
    named = [
        reader.say("the game master") if one == MASTER else name_of(SeatId(one)) for one in who
    ]
    return join_names(named, reader)


def press_received(message: PressReceived, reader: Reader) -> Part:
    """Press as its readers see it; who wrote it, and who else reads it, stand before it."""
    game, sender, lead = message.game, message.sender, ""
    to = "all" if message.broadcast else "you" if len(message.to) == 1 else "others"
    if to == "others":
        readers = _names(game, message.to, reader)
        lead = reader.tell(SENTENCES.text["readers"], readers=readers)
    verdict = reader.tell(SENTENCES.grey[to])
    if sender:
        names = (_names(game, [sender], reader, brief=brief) for brief in (False, True))
        verdict = first_line(reader.tell(SENTENCES.signed[to], power=name) for name in names)
    power = _names(game, [sender], reader) if sender else ""
    hint = reader.tell(SENTENCES.text["reply" if sender else "reply_unnamed"], power=power)
    sections = (indent_text(message.text.strip("\n")), hint)
    return Part(reader.say("press"), verdict, game, sections, lead=lead)


def press_sent(message: PressSent, reader: Reader) -> Part:
    """To the sender: who got it, and the text as it went out."""
    verdict = reader.tell(SENTENCES.text["sent_to_all"])
    if not message.to:
        verdict = reader.tell(SENTENCES.text["sent_unnamed"])
    elif not message.broadcast:
        named = reader.tell(
            SENTENCES.text["sent"], readers=_names(message.game, message.to, reader)
        )
        verdict = first_line((named, reader.tell(SENTENCES.text["sent_to"], len(message.to))))
    lead = reader.tell(SENTENCES.text["unsigned"]) if message.grey else ""
    what = reader.say("your letter was taken")
    text = indent_text(message.text.strip("\n"))
    if message.vacant:
        powers = _names(message.game, message.vacant, reader)
        lead = " ".join(filter(None, (lead, reader.tell(SENTENCES.text["vacant"], powers=powers))))
    return Part(what, verdict, message.game, (text,), lead=lead)


def press_unclear(message: PressUnclear, reader: Reader) -> Part:
    """A reply to press that may be orders: what it holds, and the two words that decide."""
    told = SENTENCES.text
    power = _names(message.game, [message.to], reader) if message.to else ""
    sections = (
        reader.tell(told["unclear_power" if power else "unclear_unnamed"], power=power),
        "\n".join((reader.tell(told["unclear_orders"]), *(f"  {one}" for one in message.orders))),
        "\n".join((reader.tell(told["unclear_text"]), indent_text(message.text.strip("\n")))),
    )
    what = reader.tell(told["unclear_what"])
    return Part(what, reader.tell(told["unclear"]), message.game, sections)
