"""How mail programs put a player's letters together: by References, by topic, or as Gmail does."""

import email
import email.policy
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from itertools import pairwise

import msgspec

from judge.mail import message_id_for
from judge.store import OutboxRow

from .conftest import JUDGE, Hall, address_of

FRANCE = address_of("FRANCE")
PREFIX = re.compile(r"(?:(?:re|fwd?)\s*:\s*)+", re.IGNORECASE)


class Mail(msgspec.Struct, frozen=True):
    """A letter in a player's mailbox: one of ours (`row`), or their own."""

    id: str
    subject: str
    references: tuple[str, ...]
    topic: str = ""
    row: OutboxRow | None = None


class Mailbox:
    """France's letters, to and fro; they write in reply, as mail programs set it up."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.letters, self.seen = hall, list[Mail](), 0
        self.catch_up()

    def catch_up(self) -> None:
        for row in self.hall.out[self.seen :]:
            if row.recipient != FRANCE:
                continue
            with self.hall.database.transaction() as tx:
                stored = tx.outbox.get(row.token)
            assert stored is not None
            made = email.message_from_bytes(stored.raw or b"", policy=email.policy.default)
            assert isinstance(made, EmailMessage)
            ids = tuple(re.findall(r"<([^>]+)>", f"{made['References']} {made['In-Reply-To']}"))
            own = message_id_for(row.token, JUDGE)
            topic = f"{made['Thread-Topic']} {str(made['Thread-Index'])[8:]}"
            self.letters.append(Mail(own, str(made["Subject"]), ids, topic, row))
        self.seen = len(self.hall.out)

    def reply(self, body: str, to: Mail | None = None) -> None:
        to = to or [one for one in self.letters if one.row][-1]
        ids = (*to.references, to.id)
        own = Mail(f"{self.hall._count + 1}@example.test", f"Re: {to.subject}", ids)
        fields = {"References": " ".join(f"<{one}>" for one in ids), "Subject": own.subject}
        self.letters.append(own)
        self.hall.post(FRANCE, body, reply_to=to.row, headers=fields)
        self.catch_up()


def by_references(letters: Sequence[Mail]) -> Mapping[str, list[Mail]]:
    """Conversations by the id at their top, as most programs make them (RFC 5256 REFERENCES)."""
    parent: dict[str, str] = {}
    for letter in letters:
        chain = list(dict.fromkeys((*letter.references, letter.id)))
        for above, below in pairwise(chain):
            if below not in parent and above != below:
                parent[below] = above
    found: dict[str, list[Mail]] = defaultdict(list)
    for letter in letters:
        top = letter.id
        while top in parent:
            top = parent[top]
        found[top].append(letter)
    return found


def by_gmail(letters: Sequence[Mail]) -> list[list[Mail]]:
    """Conversations whose letters have one subject, but for `Re:`, and a reference in common."""
    found: list[tuple[str, set[str], list[Mail]]] = []
    for letter in letters:
        subject, ids = PREFIX.sub("", letter.subject), {letter.id, *letter.references}
        for known, known_ids, inside in found:
            if subject == known and ids & known_ids:
                known_ids |= ids
                inside.append(letter)
                break
        else:
            found.append((subject, ids, [letter]))
    return [inside for _, _, inside in found]


def play_a_phase(hall: Hall) -> Mailbox:
    """From the results that open the fall of 1901 to those that close it."""
    hall.start("grace: 12h")
    hall.open_game()
    hall.run_phase()
    box = Mailbox(hall)
    box.letters = [one for one in box.letters if one.row and one.row.kind == "results"][-1:]
    box.reply("A BUR - MUN\nA SPA - POR\nF MAO H")
    box.reply("A SPA - GAS")
    box.reply("WAIT")
    box.reply("NO WAIT")
    for power in ("ENGLAND", "GERMANY"):
        hall.order(power, "PRESS TO FRANCE\nShall we?\nENDPRESS")
    box.catch_up()
    hall.post("gm@example.test", "SET DEADLINE +1d", reply_to=hall.last("gm@example.test"))
    box.catch_up()
    box.reply("A SPA - MAR")
    hall.order("ITALY", "PROPOSE DRAW")
    box.reply("CLEAR")
    hall.run_phase()
    box.catch_up()
    return box


def test_a_phase_is_one_thread_and_what_asks_has_its_own(hall: Hall) -> None:
    box = play_a_phase(hall)
    threads = [
        [one.row for one in each if one.row is not None]
        for each in by_references(box.letters).values()
    ]
    labels = [{row.label for row in each} for each in threads]
    assert all(len(each) == 1 for each in labels), "a thread holds letters of one phase alone"
    fall = [each for each, of in zip(threads, labels, strict=True) if of == {"F1901M"}]
    # The results that opened it, the answers, press, the deadline that moved; and a reminder.
    main = max(fall, key=len)
    assert {row.kind for row in main} >= {"results", "answer", "press", "deadline"}
    assert [[row.kind for row in each] for each in fall if each is not main] == [
        ["proposal"],
        ["reminder"],
        ["reminder"],
    ]


def test_outlook_sees_the_same_topic(hall: Hall) -> None:
    box = play_a_phase(hall)
    topics: dict[str, list[str]] = defaultdict(list)
    for one in box.letters:
        if one.row is not None and one.row.label == "F1901M":
            topics[one.topic].append(one.row.kind)
    main = max(topics.values(), key=len)
    assert {"results", "answer", "press", "deadline"} <= {*main}
    assert sorted(kind for kinds in topics.values() if kinds is not main for kind in kinds) == [
        "proposal",
        "reminder",
        "reminder",
    ]


def test_gmail_keeps_together_what_is_about_the_same(hall: Hall) -> None:
    box = play_a_phase(hall)
    conversations = by_gmail([one for one in box.letters if one.row])
    for each in conversations:
        labels = {one.row.label for one in each if one.row}
        assert len(labels) == 1, "a conversation holds letters of one phase alone"
    kinds = [[one.subject for one in each] for each in conversations]
    # Whatever leaves the orders complete is one conversation, and so is the press of a phase.
    complete = [each for each in kinds if "orders complete" in each[0]]
    assert [len(each) for each in complete] == [3]
    assert [len(each) for each in kinds if "press" in each[0]] == [2]
    # What waits for the reader stands alone.
    assert [len(each) for each in kinds if "please look" in each[0]] == [1] * sum(
        "please look" in each[0] for each in kinds
    )
    reminders = [each for each in kinds if "reminder" in each[0]]
    assert [len(each) for each in reminders] == [1]
