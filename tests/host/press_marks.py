"""A check for any scenario: no letter holds a word of a message that is not meant for its reader.

A test puts a unique word into each message, and says who may read it. `check` then looks at every
letter that the judge has sent: its bytes as they went out, decoded in all their parts.
"""

import email
import email.policy
from dataclasses import dataclass, field
from itertools import count

from judge.store import OutboxRow

from .conftest import Hall, address_of

NUMBERS = count(1)


@dataclass
class PressMarks:
    """The messages of a scenario, each by the word that it holds.

    Attributes:
        readers: the addresses that may be sent each word, its writer's among them.
        used: words that a letter must have brought to somebody beside their writer.
    """

    hall: Hall
    readers: dict[str, set[str]] = field(default_factory=dict)

    def mark(self, writer: str, *to: str) -> str:
        """A word for a message from somebody to others; names of powers, or addresses."""
        word = f"zq{next(NUMBERS):04d}x"
        self.readers[word] = {_address(one) for one in (writer, *to)}
        return word

    def open_to(self, word: str, *to: str) -> None:
        """More people may read a message from now on, as after the end of the game."""
        self.readers[word] |= {_address(one) for one in to}

    def check(self) -> None:
        """Every word went to all of its readers, and to nobody else."""
        reached: dict[str, set[str]] = {word: set() for word in self.readers}
        for row in self.hall.out:
            text = sent_text(self.hall, row)
            for word in self.readers:
                if word in text:
                    reached[word].add(row.recipient)
        strangers = {word: reached[word] - may for word, may in self.readers.items()}
        assert not {word: who for word, who in strangers.items() if who}
        missing = {word: may - reached[word] for word, may in self.readers.items()}
        assert not {word: who for word, who in missing.items() if who}


def sent_text(hall: Hall, row: OutboxRow) -> str:
    """Everything of a letter that its reader can see: its headers, and all parts as text."""
    with hall.database.transaction() as tx:
        stored = tx.outbox.get(row.token)
    assert stored is not None
    assert stored.raw is not None
    letter = email.message_from_bytes(stored.raw, policy=email.policy.default)
    parts = [f"{name}: {value}" for name, value in letter.items()]
    for part in letter.walk():
        if not part.is_multipart():
            content = part.get_content()
            parts.append(content if isinstance(content, str) else repr(content))
    return "\n".join(parts)


def _address(who: str) -> str:
    return who if "@" in who else address_of(who)
