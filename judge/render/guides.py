"""Pages to read: how the game is played and written, a board, the rules of a house, the version."""

from judge.blocks import Block, Pairs, Rows, Titled, Written
from judge.host.messages.command_answers import Guide, GuideTopic, Version
from judge.render.catalogue import sentence_tables
from judge.render.listings import house_rules, show_settings
from judge.render.part import Part, Reader, Told
from judge.render.picture_requests import PictureRequest, Shows
from judge.rulebook import NO_JSON, load_renderer

TEXTS = sentence_tables("guides.toml", dict[str, Told])


def guide(message: Guide, reader: Reader) -> Part:
    """One page: its first line, what the game says of it, and what there is in English alone."""
    renderer, topic = load_renderer(message.game), message.topic
    names = [(one, renderer.variant_name(one, reader)) for one in message.variants]
    told = TEXTS[topic]
    verdict = reader.tell(told.verdict, board=names[0][1] if names else "")
    sections: tuple[Block, ...] = ()
    match topic:
        case GuideTopic.RULES:
            sections = (renderer.introduction(reader), reader.say(told.text))
        case GuideTopic.SYNTAX:
            words = Pairs(renderer.order_vocabulary(reader))
            examples = Rows(renderer.order_help(reader)[1])
            sections = (examples, Titled(reader.say(told.text), words))
        case GuideTopic.VARIANT if len(names) == 1:
            sections = renderer.words(names[0][0], reader).board()
        case GuideTopic.VARIANT:
            told = TEXTS[f"{topic}s"]
            verdict = reader.tell(told.verdict)
            sections = (Pairs(names), reader.say(told.text))
        case GuideTopic.HOUSE_RULES if message.settings is not None:
            own = house_rules(message.settings, reader) or reader.say(told.text)
            sections = (own, show_settings(message.settings, message.game, reader))
    pictures: tuple[tuple[str, PictureRequest], ...] = ()
    if message.view != NO_JSON:
        board, view = message.variants[0], bytes(message.view)
        shown = PictureRequest(message.game, board, reader.language, Shows.POSITION, view)
        pictures = ((board, shown),)
    return Part(reader.say(told.what), verdict, message.ref, sections, pictures=pictures)


def version(message: Version, reader: Reader) -> Part:
    """Which judge this is, and what is new in it."""
    told = TEXTS["version"]
    verdict = reader.tell(told.verdict, version=message.version)
    sections = (Titled(reader.say(told.text), Written(message.changes)),)
    return Part(reader.say(told.what), verdict, sections=sections)
