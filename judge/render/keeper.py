"""Letters about trouble: somebody else's letter for a seat, and what the keeper should look at."""

from collections.abc import Mapping

from judge.host.messages import AddressAsked, KeeperNotice
from judge.render.catalogue import N_, say
from judge.render.layout import indent_text, list_pairs, one_line, titled, wrap
from judge.render.part import Part, Reader

VALUE_COLUMNS = 400  # of one value; a traceback stands in the log


def address_asked(message: AddressAsked, reader: Reader) -> Part:
    """To the registered address: is a letter from another one yours?"""
    words = reader.words
    sender = one_line(message.written_from, 60)
    text = say(
        words,
        "A letter from {address} answers one of yours. Reply YES if you wrote it: then it counts "
        "as if it had come from here. Without a reply it counts for nothing.",
        address=sender,
    )
    return Part(
        what=say(words, "please confirm an address"),
        verdict=say(words, "Did you write this from another address?"),
        game=message.game,
        sections=(
            wrap(text),
            titled(say(words, "It begins:"), indent_text(message.excerpt.strip(), "  ")),
        ),
    )


NOTICES: Mapping[str, tuple[str, str]] = {
    "letter_shunted": (
        N_("A letter could not be handled and is set aside."),
        N_("It is kept whole and will be tried again. The log tells what went wrong."),
    ),
    "letter_stuck": (
        N_("A letter could not be sent and is stuck."),
        N_("It stays in the outbox. See to the cause, and it can be queued again."),
    ),
    "mailbox_unreachable": (
        N_("The mailbox cannot be read."),
        N_("The judge tries again with growing pauses. Games that are due wait for it."),
    ),
    "mailbox_back": (
        N_("The mailbox can be read again."),
        N_("Letters are taken, and games that were due run once all of them are read."),
    ),
    "game_halted": (
        N_("A game was stopped: its data broke a promise."),
        N_("The other games go on. The log tells what was found; its letters are kept."),
    ),
}


FACTS: Mapping[str, str] = {"id": N_("Letter"), "game": N_("Game"), "error": N_("Error")}


def keeper_notice(message: KeeperNotice, reader: Reader) -> Part:
    """What happened, what the judge does by itself, and the facts."""
    words = reader.words
    verdict, text = NOTICES.get(
        message.what, (N_("The judge wants you to look at something."), N_("The log tells more."))
    )
    facts = [
        (say(words, FACTS.get(key, key)), one_line(str(value), VALUE_COLUMNS))
        for key, value in message.values.items()
    ]
    sections = (wrap(say(words, text)), *((list_pairs(facts),) if facts else ()))
    return Part(say(words, "for the keeper"), say(words, verdict), context=False, sections=sections)
