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
    linked: list[Block] = []
    left = MOST_LINKS if reply is not None else 0
    said = [words.say(ANSWERS[one]) for one in (reply.answers if reply else ())]
    answers = [Action(word, word) for word in said]
    for at, block in enumerate(blocks):
        asked = answers if at == min(1, len(blocks) - 1) else []
        actions = [*asked, *(block.actions if isinstance(block, Actions) else ())][:left]
        if not isinstance(block, Actions):
            linked.append(block)
        if reply is not None and actions:
            urls = (_mailto(reply.address, subject, action.text) for action in actions)
            linked.append(
                Actions([replace(one, url=url) for one, url in zip(actions, urls, strict=True)])
            )
            left -= len(actions)
    return linked


def _mailto(address: str, subject: str, text: str) -> str:
    """A link that writes a letter. Lines end in CRLF, and everything else is encoded too: some
    programs take a plus for a space (RFC 6068 5)."""
    heading = subject if subject.startswith("Re:") else f"Re: {subject}"
    written, title = quote("\r\n".join(text.split("\n")), safe=""), quote(heading, safe="")
    return f"mailto:{quote(address, safe='@')}?subject={title}&body={written}"
