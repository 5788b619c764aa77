"""What a message becomes before the letter is put together: a verdict, sections, a foot.

Each family of messages has a module that turns its messages into parts; `letters.py` joins them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from judge.blocks import Actions, Block, Pairs, Rows, Titled
from judge.host.messages.shared import Due, GameRef, RosterEntry
from judge.render.catalogue import SOURCE_LANGUAGE, join_names
from judge.render.layout import first_that_fits, one_line
from judge.render.picture_requests import PictureRequest, Shows, drawn
from judge.rulebook import GameWords, Message, SeatId, Task, Translator, load_renderer

NAME_COLUMNS = 50
NOTHING: Mapping[SeatId, int] = {}


class Told(msgspec.Struct, frozen=True):
    """The messages of one kind of notice: the first line, what follows, the subject if special."""

    verdict: Message
    text: str = ""
    what: str = ""


class Reader:
    """The reader of a letter: their language and zone, and the words of their games. A `Translator`
    too."""

    def __init__(self, words: Translator, zone: str, judge_name: str) -> None:
        self.language, self.say, self.count = words.language, words.say, words.count
        self.tell = words.tell
        self.zone, self.judge_name = zone, judge_name

    def game_words(self, game: GameRef) -> GameWords:
        """The words of the game and variant that a message speaks of."""
        return load_renderer(game.game).words(game.variant, self)

    def phase(self, game: GameRef) -> str:
        """`Spring 1901 movement`; empty where the message speaks of no phase."""
        return self.game_words(game).phase_name(game.label) if game.label else ""

    def picture_request(self, game: GameRef, shows: Shows, values: object) -> PictureRequest:
        """A picture of the game, with names in the reader's language."""
        told = msgspec.json.encode(values)
        return PictureRequest(game.game, game.variant, self.language, shows, told)

    def centers_picture(
        self, game: GameRef, history: Sequence[tuple[str, Mapping[SeatId, int]]], view: msgspec.Raw
    ) -> tuple[tuple[str, PictureRequest], ...]:
        """The picture of the centers by year, for a part; none before a year is finished."""
        request = self.picture_request(game, Shows.CENTERS, (history, view))
        return ((f"{game.name}-centers", request),) if drawn(request) else ()

    def seats(self, game: GameRef, seats: Sequence[SeatId]) -> str:
        """`France`, `France and Italy`, `France, Italy and Russia`; empty for none."""
        words = self.game_words(game)
        if len(seats) == 1:
            return words.seat_name(seats[0])
        return join_names([words.seat_brief(seat) for seat in seats], self)

    def seat_written(self, game: GameRef, seat: SeatId) -> str:
        """A seat as a line to copy names it: in the reader's words, in English by its id."""
        name = self.game_words(game).seat_name(seat)
        return seat if self.language == SOURCE_LANGUAGE or len(name.split()) > 1 else name

    def sentence_about_seats(self, message: Message, game: GameRef, seats: Sequence[SeatId]) -> str:
        """A message that names seats as its `{powers}`; empty for none."""
        return self.tell(message, len(seats), powers=self.seats(game, seats)) if seats else ""

    def verdict_naming(
        self, message: Message, game: GameRef, seat: SeatId, n: int = 1, **values: str
    ) -> str:
        """A first line that names a seat as its `{power}`: in full, or in short where it would be
        too long."""
        words = self.game_words(game)
        names = (name(seat) for name in (words.seat_name, words.seat_brief))
        return first_that_fits(self.tell(message, n, power=name, **values) for name in names)


def holder_name(entry: RosterEntry, reader: Reader) -> str:
    """Who has a seat, as listings show it; empty while it is vacant."""
    if entry.is_computer:
        return reader.say("the computer")
    if entry.is_hidden:
        return reader.say("somebody")
    if entry.is_dummy:
        return reader.say("not played")
    return one_line(entry.player, NAME_COLUMNS)


def roster_section(
    roster: Sequence[RosterEntry],
    game: GameRef,
    reader: Reader,
    percentages: Mapping[SeatId, int] = NOTHING,
    *,
    tells_out: bool = False,
) -> Block:
    """Who sits where, with the percentages that are known; `tells_out`: and who is out of the game.
    Empty for no seats."""
    seats = []
    for entry in roster:
        player = holder_name(entry, reader) or reader.say("vacant")
        if entry.seat in percentages:
            limit = percentages[entry.seat]
            player = reader.say("{player}, {limit}% in time", player=player, limit=limit)
        if tells_out and not entry.in_play:
            player = reader.say("{player}, out of the game", player=player)
        seats.append((reader.game_words(game).seat_name(entry.seat), player))
    return Titled(reader.say("Who sits where:"), Pairs(seats)) if seats else ""


def task_sections(task: Task | None) -> tuple[Block, ...]:
    """What is asked, the lines to send, and links that send them; none for no task."""
    return (task.sentence, Rows(task.rows), Actions(task.actions)) if task else ()


@dataclass(frozen=True, slots=True)
class DueSection:
    """The deadline. Where there is none, or the letter has said it already, it is left out."""

    due: Due | None  # until when
    default: str = ""  # what happens without an answer; empty if the part says it elsewhere
    asks: bool = False  # the reader owes something, so it is told when the phase may run early


Section = Block | DueSection


@dataclass(frozen=True, slots=True)
class Part:
    """A message in words."""

    what: str  # for the subject line, after the phase; public
    verdict: str  # the first line, under 60 characters, which makes sense alone
    # Which game it speaks of, for the subject and the line below the verdict.
    game: GameRef | None = None
    # What follows; empty ones are left out.
    sections: Iterable[Section] = ()
    # Whether the line below the verdict (`France, Spring 1901 movement, game balkan.`) is wanted.
    context: bool = True
    lead: Block = ""  # directly below the verdict
    foot: str = ""  # for the end of the whole letter
    subject: str = ""  # the whole subject line, where it is not made of `what`
    # With the names of their files, without .png.
    pictures: tuple[tuple[str, PictureRequest], ...] = ()
