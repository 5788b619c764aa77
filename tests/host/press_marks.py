"""A check for any scenario: no letter holds a word of a message that is not meant for its reader.

A test puts a unique word into each message, and says who may read it. `check` then looks at every
letter that the judge has sent: its bytes as they went out, and decoded in all their parts.
"""

import email
import email.policy
from dataclasses import dataclass, field
from email.message import EmailMessage
from itertools import count

from judge.store import OutboxRow

from .conftest import Hall, address_of

NUMBERS = count(1)


@dataclass(frozen=True)
class Sealed:
    """A text of which others must not learn until a phase has run.

    Attributes:
        text: a line of orders as the judge repeats it.
        readers: the addresses that may be sent it before.
        since: the number of letters that were out when it came.
    """

    text: str
    readers: frozenset[str]
    since: int


@dataclass
class PressMarks:
    """The messages of a scenario, each by the word that it holds.

    Attributes:
        readers: the addresses that may be sent each word, its writer's among them.
        sealed: orders, by the line; the results of their phase open them.
    """

    hall: Hall
    readers: dict[str, set[str]] = field(default_factory=dict)
    sealed: list[Sealed] = field(default_factory=list)

    def mark(self, writer: str, *to: str) -> str:
        """A word for a message from somebody to others; names of powers, or addresses."""
        word = f"zq{next(NUMBERS):04d}x"
        self.readers[word] = {_address(one) for one in (writer, *to)}
        return word

    def open_to(self, word: str, *to: str) -> None:
        """More people may read a message from now on, as after the end of the game."""
        self.readers[word] |= {_address(one) for one in to}

    def seal(self, writer: str, orders: str, *to: str) -> str:
        """Orders that somebody is about to send; `to`: who else may read them, as in a preview."""
        readers = frozenset(_address(one) for one in (writer, *to))
        self.sealed += [Sealed(line, readers, len(self.hall.out)) for line in orders.splitlines()]
        return orders

    def check(self) -> None:
        """Every word went to all of its readers, and to nobody else; no order went out early; no
        letter shows the address of another reader."""
        letters = [(row, sent_text(self.hall, row)) for row in self.hall.out]
        reached: dict[str, set[str]] = {word: set() for word in self.readers}
        for row, text in letters:
            for word in self.readers:
                if word in text:
                    reached[word].add(row.recipient)
        strangers = {word: reached[word] - may for word, may in self.readers.items()}
        assert not any(strangers.values()), strangers
        missing = {word: may - reached[word] for word, may in self.readers.items()}
        assert not any(missing.values()), missing

        for one in self.sealed:
            for row, text in letters[one.since :]:
                if row.kind == "results":
                    break
                assert one.text not in text or row.recipient in one.readers, (one, row.recipient)

        people = {row.recipient for row in self.hall.out}
        for row, text in letters:
            assert not [who for who in people - {row.recipient} if who in text], row.recipient


def sent_text(hall: Hall, row: OutboxRow) -> str:
    """Everything of a letter that its reader can see: its bytes, and decoded the headers of all its
    parts, their texts and attachments."""
    with hall.database.transaction() as tx:
        stored = tx.outbox.get(row.token)
    assert stored is not None
    assert stored.raw is not None
    letter = email.message_from_bytes(stored.raw, policy=email.policy.default)
    texts = [stored.raw.decode("latin-1")]
    for part in letter.walk():
        texts += [f"{name}: {value}" for name, value in part.items()]
        if not part.is_multipart():
            assert isinstance(part, EmailMessage)
            content = part.get_content()
            texts.append(content if isinstance(content, str) else content.decode("utf-8", "ignore"))
    return "\n".join(texts)


def _address(who: str) -> str:
    return who if "@" in who else address_of(who)
