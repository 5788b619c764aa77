"""Press. Subjects say only that there is press: not whose, nor what it is about."""

import re
from collections.abc import Sequence

import msgspec

from judge.blocks import Action, Actions, Block, Listed, Pairs, Rows, Titled, Written, rows_to_copy
from judge.host.messages import press as pressed
from judge.host.messages.shared import GameRef
from judge.render.catalogue import (
    SOURCE_LANGUAGE,
    catalogue,
    join_names,
    join_sentences,
    sentence_tables,
)
from judge.render.layout import VERDICT_COLUMNS, capital, first_that_fits, one_line
from judge.render.part import Part, Reader
from judge.render.press_text import press_text
from judge.render.times import moment
from judge.rulebook import Message, SeatId, load_renderer

MASTER, OBSERVERS = "MASTER", "OBSERVERS"


class _Tables(msgspec.Struct, frozen=True):
    signed: dict[str, str]
    grey: dict[str, str]
    text: dict[str, Message]
    archive: dict[str, str]
    report: dict[str, str]
    announcement: dict[str, str]


class _Book(msgspec.Struct, frozen=True):
    phrases: dict[str, str]
    bare: dict[str, str]
    text: dict[str, str]


PLACE = re.compile(r"\{(\w+)\}")
PHRASES = sentence_tables("phrases.toml", _Book)
SENTENCES = sentence_tables("press.toml", _Tables)


def _names(game: GameRef, who: Sequence[str], reader: Reader, *, brief: bool = False) -> str:
    """Seats, the master and observers by their names; in short where there are several."""
    words = reader.game_words(game)
    name_of = words.seat_brief if brief or len(who) > 1 else words.seat_name
    others = {MASTER: SENTENCES.text["master"], OBSERVERS: SENTENCES.text["observers"]}
    named = [reader.tell(others[one]) if one in others else name_of(SeatId(one)) for one in who]
    return join_names(named, reader)


def _body_or_phrase(game: GameRef, text: str, phrase: tuple[str, ...], reader: Reader) -> Block:
    """A sentence of the phrase book in the reader's language; or what was written, marked, and said
    to be, where it looks like a letter of the judge's."""
    words = reader.game_words(game)
    if not phrase:
        english = load_renderer(game.game).words(game.variant, catalogue(SOURCE_LANGUAGE))
        shown = press_text(text, (*words.power_names, *english.power_names))
        return Titled(reader.tell(SENTENCES.text["quoted"]), shown) if shown.is_barred else shown
    number, *filled = phrase
    if not filled and number in PHRASES.bare:
        return Written(reader.say(PHRASES.bare[number]))
    sentence = PHRASES.phrases.get(number, "")
    named = {}
    for blank, one in zip(PLACE.findall(sentence), filled, strict=False):
        is_power = blank in ("power", "other")
        named[blank] = words.seat_name(SeatId(one)) if is_power else words.place_name(one)
    return Written(capital(reader.say(sentence, **named)))


def phrase_book(reader: Reader) -> tuple[str, Block]:
    """How SAY is written, and every sentence with its number."""
    texts = map(reader.say, PHRASES.phrases.values())
    book = [f"{number}. {text}" for number, text in zip(PHRASES.phrases, texts, strict=True)]
    return reader.tell(PHRASES.text["list"]), Listed(book)


def press_history(message: pressed.PressHistory, reader: Reader) -> Part:
    """The press of a phase that the reader may see: who wrote what to whom, and when."""
    game, sections = message.game, list[Block]()
    for one in message.press:
        key = ("signed" if one.sender else "grey") + ("_all" if one.broadcast else "")
        names = {"power": _names(game, [one.sender], reader)} if one.sender else {}
        readers = _names(game, one.to, reader) if not one.broadcast else ""
        at = moment(one.at, reader.zone, reader) if one.at else ""
        head = reader.tell(SENTENCES.archive[key], readers=readers, when=at, **names)
        sections.append(Titled(capital(head), _body_or_phrase(game, one.text, one.phrase, reader)))
    phase = reader.phase(game)
    verdict = reader.tell(SENTENCES.archive["verdict" if phase else "verdict_bare"], phase=phase)
    return Part(reader.say("press"), verdict, game, sections, context=False)


def press_reported(message: pressed.PressReported, reader: Reader) -> Part:
    """Press as it is stored, to the master, with what the game's record says of it."""
    game, told = message.game, SENTENCES.report
    facts = [("from", _names(game, [message.sender], reader))]
    facts.append(("to", _names(game, message.to, reader)))
    if message.shown_as != message.sender:
        shown = _names(game, [message.shown_as], reader) if message.shown_as else ""
        facts.append(("shown_as", shown or reader.tell(told["nobody"])))
    if message.shown_to != message.to:
        facts.append(("shown_to", _names(game, message.shown_to, reader)))
    facts.append(("at", moment(message.at, reader.zone, reader)))
    rows = Pairs([(reader.tell(told[key]), value) for key, value in facts])
    verdict = first_that_fits(
        reader.tell(told["verdict"], power=_names(game, [message.by], reader, brief=brief))
        for brief in (False, True)
    )
    body = _body_or_phrase(game, message.text, message.phrase, reader)
    sections = (rows, body, reader.tell(told["text"]))
    return Part(reader.tell(told["what"]), verdict, game, sections)


def announcement(message: pressed.Announcement, reader: Reader) -> Part:
    """The master's own letter; its first line and its subject are the master's words."""
    told = SENTENCES.announcement
    subject = one_line(message.subject, VERDICT_COLUMNS - 1) or reader.tell(told["verdict"])
    verdict = reader.tell(told["own"]) if message.is_own else subject
    lead = reader.tell(told["own_lead" if message.is_own else "lead"])
    head: Block = Listed([subject]) if message.is_own else ""
    sections = (head, press_text(message.text) if message.text.strip() else "")
    what = message.subject or reader.tell(told["what"])
    return Part(what, verdict, message.game, sections, lead=lead)


def press_received(message: pressed.PressReceived, reader: Reader) -> Part:
    """Press as its readers see it; who wrote it, and who else reads it, stand before it."""
    game, sender, lead = message.game, message.sender, ""
    to = "all" if message.broadcast else "you" if len(message.to) == 1 else "others"
    to = "postal" if message.is_postal else "copy" if message.is_copy else to
    if to in ("others", "copy"):
        readers = _names(game, message.to, reader)
        lead = reader.tell(SENTENCES.text["readers"], readers=readers)
    verdict = reader.tell(SENTENCES.grey[to])
    if sender:
        names = (_names(game, [sender], reader, brief=brief) for brief in (False, True))
        verdict = first_that_fits(reader.tell(SENTENCES.signed[to], power=name) for name in names)
    sections = [_body_or_phrase(game, message.text, message.phrase, reader)]
    if message.orders:
        rows = Rows(reader.game_words(game).rows(message.orders))
        sections.append(Titled(reader.tell(SENTENCES.text["orders"]), rows))
    if not message.is_postal and message.reply_to is not pressed.ReplyTo.NOBODY:
        power = _names(game, [sender], reader) if sender else ""
        key = "reply_judge" if message.reply_to is pressed.ReplyTo.JUDGE else "reply"
        key = key if sender else "reply_unnamed"
        sections.append(reader.tell(SENTENCES.text[key], power=power))
        if power and message.reply_to is pressed.ReplyTo.WRITER:
            write = reader.tell(SENTENCES.text["write"], power=power)
            sections.append(Actions([Action(write, "")]))
    return Part(reader.say("press"), verdict, game, sections, lead=lead)


def press_sent(message: pressed.PressSent, reader: Reader) -> Part:
    """To the sender: who got it, whom it did not reach, and the text as it went out."""
    told, game = SENTENCES.text, message.game
    verdict = reader.tell(told["held" if message.is_held else "sent_to_all"])
    if not message.to:
        verdict = reader.tell(told["sent_unnamed"])
    elif not message.broadcast:
        missed = {*message.vacant, *message.out, *message.late}
        to = [one for one in message.to if one not in missed]
        named = reader.tell(told["sent"], readers=_names(game, to, reader))
        verdict = first_that_fits((named, reader.tell(told["sent_to"], len(to))))
    lead = [reader.tell(told["held_text"])] if message.is_held else []
    lead += [reader.tell(told["unsigned"])] if message.grey else []
    for key, name, who in (
        ("shown_as", "power", [message.shown_as] if message.shown_as else []),
        ("shown_to", "readers", message.shown_to),
        ("vacant", "powers", message.vacant),
        ("out", "powers", message.out),
        ("late_readers", "powers", message.late),
    ):
        if who:
            lead.append(reader.tell(told[key], **{name: _names(game, who, reader)}))
    sections = list[Block]()
    if message.text or message.phrase:
        sections.append(_body_or_phrase(game, message.text, message.phrase, reader))
    what = reader.say("your letter was accepted")
    return Part(what, verdict, game, sections, lead=join_sentences(lead, reader))


def press_or_orders_asked(message: pressed.PressUnclear, reader: Reader) -> Part:
    """A reply to press that may be orders: what it holds, and the two words that decide."""
    told = SENTENCES.text
    power = _names(message.game, [message.to], reader) if message.to else ""
    sections = (
        reader.tell(told["unclear_power" if power else "unclear_unnamed"], power=power),
        Titled(
            reader.tell(told["unclear_orders"], len(message.orders)), rows_to_copy(*message.orders)
        ),
        Titled(
            reader.tell(told["unclear_text"]),
            _body_or_phrase(message.game, message.text, (), reader),
        ),
    )
    what = reader.tell(told["unclear_what"])
    return Part(what, reader.tell(told["unclear"]), message.game, sections)
