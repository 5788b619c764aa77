"""SAY: sentences of the phrase book, which each reader gets in their own language."""

import re
import tomllib

from judge.data import read_text
from judge.host.command import CommandLine, Handlers
from judge.host.commands.press import author_of, press_game, send_draft
from judge.host.games.forming import seats_of
from judge.host.games.press_rules import PressDraft
from judge.host.letters.access import find_seat
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.press_header import NoReader, everybody, find_readers, is_everybody
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import opened
from judge.store import GameRecord, PressKind

BOOK = tomllib.loads(read_text("locale", "en", "phrases.toml"))
PLACES = re.compile(r"\{(\w+)\}")
# What is filled into a phrase, in the order in which it is written behind the colon.
BLANKS = {number: tuple(PLACES.findall(text)) for number, text in BOOK["phrases"].items()}
WRITTEN = re.compile(r"(\d{1,3})[.)]? (?:(?:to|TO) )?([^:：]+)(?:[:：](.*))?")
BETWEEN = re.compile("[,;、，；]")


def say(context: LetterContext, line: CommandLine) -> None:
    """`SAY 9 ENGLAND`, `SAY 12 ENGLAND, ITALY: Mun`: press with a sentence of the phrase book."""
    game = press_game(context)
    assert game is not None
    written = WRITTEN.fullmatch(line.arguments["names"])
    number, names, filled = written.groups() if written else ("", "", "")
    if number not in BOOK["phrases"]:
        context.refuse(RefusalKind.NO_PHRASE, game, written=line.written)
        return
    words = [one for one in map(str.strip, BETWEEN.split(filled or "")) if one]
    if len(words) != len(BLANKS[number]) and (words or number not in BOOK["bare"]):
        needed = str(len(BLANKS[number]))
        context.refuse(RefusalKind.PHRASE_BLANKS, game, written=line.written, limit=needed)
        return
    ids: list[str] = []
    for blank, word in zip(BLANKS[number], words, strict=False):
        found = _power(game, word) if blank in ("power", "other") else _place(game, word)
        if not found:
            context.refuse(RefusalKind.PHRASE_WORD, game, written=word)
            return
        ids.append(found)
    author = author_of(context, game)
    to = find_readers(game, author, names)
    if isinstance(to, NoReader):
        known = [seat.id for seat in game.seats]
        context.refuse(RefusalKind.NO_RECIPIENT, game, written=to.written, known=known)
        return
    to_all = is_everybody(names)
    draft = PressDraft(
        author=author,
        to=tuple(one for one in everybody(game) if one != author) if to_all else to,
        text="",
        kind=PressKind.BROADCAST if to_all else PressKind.PARTIAL,
        phrase=(number, *ids),
    )
    send_draft(context, game, draft, line)


def _power(game: GameRecord, written: str) -> str:
    seat = find_seat(seats_of(game), written)
    return seat.id if seat else ""


def _place(game: GameRecord, written: str) -> str:
    return opened(game).place_named(written)


HANDLERS: Handlers = {
    "say": say,
}
