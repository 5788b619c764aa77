"""Links of a letter that write a reply: to its own address, under its subject, with a line that
works as it stands."""

from collections.abc import Sequence
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from judge.blocks import Action, Actions, Block
from judge.render.catalogue import N_
from judge.rulebook import Translator

MOST_LINKS = 3  # in a letter
ANSWERS = {"YES": N_("YES"), "NO": N_("NO")}


class Reply(msgspec.Struct, frozen=True):
    """Where replies to a letter go, and with which words (YES, NO) one answers what it asks."""

    address: str
    answers: Sequence[str] = ()


def with_links(
    blocks: Sequence[Block], reply: Reply | None, subject: str, words: Translator
) -> list[Block]:
    """The letter with its first actions as links; those that answer what it asks stand below its
    first section. Without a reply's address there are none."""
    if reply is None:
        return [block for block in blocks if not isinstance(block, Actions)]
    title = quote(subject if subject.startswith("Re:") else f"Re: {subject}", safe="")
    link = f"mailto:{quote(reply.address, safe='@')}?subject={title}&body="
    said = [words.say(ANSWERS[one]) for one in reply.answers]
    answers = [Action(word, word) for word in said]
    linked, left = list[Block](), MOST_LINKS
    for at, block in enumerate(blocks):
        asked = answers if at == min(1, len(blocks) - 1) else []
        actions = [*asked, *(block.actions if isinstance(block, Actions) else ())][:left]
        if not isinstance(block, Actions):
            linked.append(block)
        if actions:
            # Lines end in CRLF, and everything else is encoded too: some programs take a plus for
            # a space (RFC 6068 5).
            bodies = [quote(one.text.replace("\n", "\r\n"), safe="") for one in actions]
            urls = zip(actions, bodies, strict=True)
            linked.append(Actions([replace(one, url=link + body) for one, body in urls]))
            left -= len(actions)
    return linked
