"""How well the judge reads plain sentences that nobody looked at while its words were written.

    python -m tests.host.asking.score open|held [LANGUAGE] [--list]
        [--rows | --phones | --plain | --club | --letters | --last | --fresh]

`blind/<language>.<half>.toml` holds what players, strangers and masters write, by the command that
each sentence asks for, and chat; `rows/` (--rows) the same for every row of docs/features.md,
`phones/` and `plain/` (--phones, --plain) what people of many ages type on phones, `club/` (--club)
what the members of a club write, with reasons and politeness, and `letters/`, `last/` and
`fresh/` (--letters, --last, --fresh) what people of every kind write in short letters; in these
three spring is the game that runs and balkan may be joined, else it is the other way round. A
sentence and its command are each sent to a judge of their own, in the same state; the sentence is
right if both are told the same, and asked if the command is among those that the question numbers.
`open` may be read while the judge learns; `held` is scored only, without --list. No sentence of
either is changed afterwards.
"""

import argparse
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path

import msgspec

from judge.host import Message
from judge.host.games.forming import PRACTICE_NAME
from judge.host.messages import game_events
from judge.host.messages.command_answers import HelpText, JoinAsked, NothingFound
from judge.host.messages.games import GameStatus, Welcome
from judge.host.messages.order_answers import NotRead, OrdersAnswer, PartsNotRead, Standing
from judge.host.messages.people import Registered
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import OutboxRow, Purpose

from ..conftest import OPENINGS, POWERS, Hall, Started, address_of

FOLDER = Path(__file__).parent / "blind"
ROWS = Path(__file__).parent / "rows"
PHONES = Path(__file__).parent / "phones"
PLAIN = Path(__file__).parent / "plain"
CLUB = Path(__file__).parent / "club"
LETTERS = Path(__file__).parent / "letters"
LAST = Path(__file__).parent / "last"
FRESH = Path(__file__).parent / "fresh"
LANGUAGES = ("en", "ko", "zh_Hant", "ja")
WRITERS = {
    "requests": address_of("FRANCE"),
    "masters": "gm@example.test",
    "strangers": "tom@example.test",
    "chat": address_of("FRANCE"),
}
BEFORE = {  # what the writer has sent before, where a command takes something back
    "NO WAIT": "WAIT",
    "NOT READY": "READY",
    "NO DRAW": "DRAW",
    "NO CONCEDE": "CONCEDE TO RUSSIA",
    "UNDO": "A PAR - PIC",
    "UNBLOCK England": "BLOCK England",
    "NO RESIGN": "RESIGN UNTIL REPLACED",
    "NO STANDBY": "STANDBY",
    "NO ABSENCE": "ABSENCE 24 Dec - 2 Jan",
    "UNSUBSCRIBE spring": "OBSERVE spring",
}
# A command that shows what another shows, and more; how one joins is told by both.
AS_WELL = {"LIST OPEN": "LIST", "LIST VACANT": "LIST", "JOIN": "HELP JOIN"}
GAMES = ("balkan", "spring")  # of which a command without a name tells another than a sentence
OF_A_GAME = ("HISTORY", "SUMMARY", "MAP", "STATUS")
NOTES = (NothingFound, NotRead, PartsNotRead, Standing, Welcome)  # told beside what was done
DAYLESS = "ABSENCE"  # stands for sentences that name the days
ASKING = (RefusalKind.NO_COMMAND, RefusalKind.BAD_COMMAND, RefusalKind.TWO_DAYS)
PASSING = {  # what differs from letter to letter, and the writer's own words
    *("text", "written", "view", "password"),
    *("received_at", "receipt", "set_number", "understood", "problems"),
}


class Verdict(StrEnum):
    RIGHT = "right"
    ASKED = "asked, the right command among those named"
    ASKED_OTHER = "asked about another command"
    OTHER = "another command taken"
    UNREAD = "left unread"
    CHAT_ALONE = "chat left alone"
    CHAT_ASKED = "chat asked about"
    CHAT_TAKEN = "chat taken for a command"


class Answer(msgspec.Struct, frozen=True):
    """What a letter did.

    Attributes:
        effects: the messages that it caused, to anybody, without what differs by letter.
        asked: the commands that the writer was asked about, in order; one may be chosen by number.
        is_helped: the writer was told how to play.
    """

    effects: frozenset[str]
    asked: tuple[str, ...]
    is_helped: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("half", choices=("open", "held"))
    parser.add_argument("language", nargs="?", choices=LANGUAGES)
    parser.add_argument("--list", action="store_true", help="show the sentences that went wrong")
    sets = parser.add_mutually_exclusive_group()
    for flag, folder, shown in (
        ("--rows", ROWS, "the sentences for every command"),
        ("--phones", PHONES, "short ones, as typed on a phone"),
        ("--plain", PLAIN, "many ways of asking for each command"),
        ("--club", CLUB, "with reasons and politeness, as members of a club write"),
        ("--letters", LETTERS, "as people of every kind write in short letters"),
        ("--last", LAST, "the same, held only, English and Chinese"),
        ("--fresh", FRESH, "the same, the newest"),
    ):
        sets.add_argument(flag, dest="folder", action="store_const", const=folder, help=shown)
    chosen = parser.parse_args()
    for language in [chosen.language] if chosen.language else LANGUAGES:
        scored = list(score((chosen.folder or FOLDER) / f"{language}.{chosen.half}.toml"))
        counts = Counter(verdict for verdict, _, _ in scored)
        print(f"{language}: " + ", ".join(f"{each.value} {counts[each]}" for each in Verdict))
        if chosen.list:
            for verdict, wanted, sentence in sorted(scored):
                if verdict not in (Verdict.RIGHT, Verdict.ASKED, Verdict.CHAT_ALONE):
                    print(f"    {verdict.value}: {wanted}: {sentence}")


def score(path: Path) -> Iterator[tuple[Verdict, str, str]]:
    """The verdict, the command that is asked for, and the sentence, for all of a file."""
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    running = "spring" if path.parent in (LETTERS, LAST, FRESH) else "balkan"
    for table, commands in read.items():
        for wanted, sentences in commands.items():
            for sentence in sentences:
                answer = answered(table, BEFORE.get(wanted, ""), sentence, running)
                if table == "chat":
                    yield _of_chat(answer), wanted, sentence
                    continue
                named = [one for one in GAMES if wanted in OF_A_GAME and one in sentence]
                meant = [wanted, *(f"{wanted} {game}" for game in named)]
                found = [judged(table, one, answer, running) for one in meant]
                yield min(found, key=list(Verdict).index), wanted, sentence


def judged(table: str, wanted: str, answer: Answer, running: str = "balkan") -> Verdict:
    """What became of a sentence that asks for the command `wanted`."""
    before = BEFORE.get(wanted, "")
    meant = answered(table, before, wanted, running)
    if answer.effects and answer.effects == meant.effects:
        return Verdict.RIGHT
    if wanted in AS_WELL and judged(table, AS_WELL[wanted], answer, running) is Verdict.RIGHT:
        return Verdict.RIGHT
    if wanted == DAYLESS and any('"type":"Away"' in one for one in answer.effects):
        return Verdict.RIGHT
    if answer.effects:
        return Verdict.OTHER
    if table == "strangers" and wanted == "HELP" and answer.is_helped:
        return Verdict.RIGHT  # the welcome tells how to play
    if answer.asked:
        is_meant = any(
            _asks_for(one, wanted) or answered(table, before, one, running).effects == meant.effects
            for one in answer.asked
        )
        return Verdict.ASKED if is_meant else Verdict.ASKED_OTHER
    return Verdict.UNREAD


def _of_chat(answer: Answer) -> Verdict:
    if answer.effects:
        return Verdict.CHAT_TAKEN
    return Verdict.CHAT_ASKED if answer.asked else Verdict.CHAT_ALONE


def _asks_for(asked: str, wanted: str) -> bool:
    """Whether the question names the command that is wanted. Its arguments may be missing, but not
    where a command alone does more than with them: CLEAR forgets all orders."""
    said, meant = asked.upper(), " ".join(wanted.upper().split())  # a text stands on its own line
    if meant == DAYLESS:
        return said.startswith(meant)
    return said == meant or (meant.startswith(f"{said} ") and said != "CLEAR")


@cache
def answered(table: str, before: str, body: str, running: str = "balkan") -> Answer:
    """What a letter of that writer does, who sent `before` in a letter of its own, where that game
    of GAMES runs."""
    hall = _hall(table, before, running)
    writer = WRITERS[table]
    orders = hall.game(running).order_sets
    sent, letters = len(hall.out), [row for row in hall.out if row.recipient == writer]
    hall.post(writer, body, reply_to=letters[-1] if letters else None, name="Tom Baker")
    if (asks := hall.last(writer)).purpose is Purpose.REGISTER and not _welcomes(hall, asks):
        hall.post(writer, "yes", reply_to=asks, name="Tom Baker")  # what was asked for, then
    rows = [hall.messages(row) for row in hall.out[sent:]]
    is_changed = hall.game(running).order_sets != orders
    hall.database.close()
    told = [each for row in rows for each in row]
    return Answer(
        effects=frozenset(_effect(each, table) for row in rows for each in _done(row, is_changed)),
        asked=tuple(one for each in told if _is_question(each) for one in _asked(each)),
        is_helped=any(isinstance(each, Welcome | HelpText) for each in told),
    )


def _welcomes(hall: Hall, row: OutboxRow) -> bool:
    return any(isinstance(each, Welcome) for each in hall.messages(row))


def _done(messages: tuple[Message, ...], is_changed: bool) -> Iterator[Message]:
    """Of a letter out: what it says was done or shows, without notes and questions."""
    is_empty = any(isinstance(each, NothingFound | Refusal) for each in messages)
    for each in messages:
        is_added = is_empty and isinstance(each, GameStatus) and each.about is None
        is_note = isinstance(each, NOTES) or is_added  # the status follows a letter of nothing
        if isinstance(each, OrdersAnswer):
            is_note = not (is_changed or each.understood or each.removed or each.cleared)
        if not is_note and not _is_question(each):
            yield each


def _is_question(message: Message) -> bool:
    return isinstance(message, Refusal) and message.kind in ASKING


def _asked(message: Message) -> Iterator[str]:
    """`SET ZONE` of the question whether SET ZONE was meant, or of the hint how it is written."""
    assert isinstance(message, Refusal)
    choices = message.values.get("choices") or [message.values.get("usage", "")]
    assert isinstance(choices, list)
    for named in map(str, choices):
        named = named.removesuffix(" …")  # what it needs, and the sentence does not name
        local = re.fullmatch(r".*\(([A-Z][^()]*)\)", named)  # `연습 (PRACTICE)`
        yield local[1] if local else named


def _effect(message: Message, table: str) -> str:
    if isinstance(message, game_events.Started) and message.game.name.startswith(PRACTICE_NAME):
        return PRACTICE_NAME  # its name, its seed and the power by lot come from the letter
    fields = msgspec.json.decode(msgspec.json.encode(message))
    passing = {*PASSING, "values"} if isinstance(message, Refusal) else PASSING
    if table == "strangers" and isinstance(message, JoinAsked | Registered):
        # Guessed from the letter's own language, and told in it.
        passing = {*passing, "language", "zone", "then"}
    kept = {name: value for name, value in fields.items() if name not in passing}
    return msgspec.json.encode(kept, order="deterministic").decode()


def _hall(table: str, before: str, running: str) -> Hall:
    """A running game with one that players may join, or for strangers two that are open."""
    prepared = _prepared(table, before, running)
    hall = Hall()
    hall.database._tables.conn.deserialize(prepared.database)
    hall.out, hall._count = [*prepared.out], prepared.letters
    return hall


@cache
def _prepared(table: str, before: str, running: str) -> Started:
    hall = Hall()
    hall.create(name=running)
    if table != "strangers":
        for power in POWERS:
            hall.join(power, running)
    hall.create(name=next(one for one in GAMES if one != running), master="other@example.test")
    if table != "strangers":
        hall.order("FRANCE", OPENINGS["FRANCE"])
    if before:
        hall.order("FRANCE", before)
    made = Started(hall.database._tables.conn.serialize(), tuple(hall.out), hall._count)
    hall.database.close()
    return made


if __name__ == "__main__":
    main()
