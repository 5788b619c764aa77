"""What a block becomes before the letter is put together: a verdict, sections, a foot.

Each family of blocks has a module that turns its blocks into parts; `letters.py` joins them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from judge.host.messages import Due, GameRef
from judge.render.catalogue import say
from judge.render.layout import display_width
from judge.render.times import due_time, duration
from judge.rulebook import GameWords, SeatId, Translator, load_renderer

VERDICT_COLUMNS = 60  # a first line is shorter: it is what a notification shows


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom a letter is written."""

    words: Translator
    zone: str
    judge_name: str


@dataclass(frozen=True, slots=True)
class DueSection:
    """The deadline. Where the letter has said it already, it is left out.

    Attributes:
        due: until when.
        default: what happens without an answer; empty if the part says it elsewhere.
        asks: the reader owes something, so it is told when the phase may run early.
    """

    due: Due
    default: str = ""
    asks: bool = False


Section = str | DueSection


@dataclass(frozen=True, slots=True)
class Part:
    """A block in words.

    Attributes:
        what: for the subject line, after the phase; public.
        verdict: the first line, under 60 characters, which makes sense alone.
        game: which game it speaks of, for the subject and the line below the verdict.
        context: whether that line (`France, Spring 1901 movement, game balkan.`) is wanted.
        lead: lines directly below the verdict.
        sections: what follows, laid out in lines of at most 78 columns.
        foot: lines for the end of the whole letter.
    """

    what: str
    verdict: str
    game: GameRef | None = None
    context: bool = True
    lead: str = ""
    sections: tuple[Section, ...] = ()
    foot: tuple[str, ...] = ()


def words_of_game(game: GameRef, words: Translator) -> GameWords:
    """The words of the game and variant that a message speaks of."""
    return load_renderer(game.game).words(game.variant, words)


def seat_names(game: GameRef, seats: tuple[SeatId, ...], words: Translator) -> str:
    """`France`, `France and Italy`, `France, Italy and Russia`; empty for none."""
    game_words = words_of_game(game, words)
    if len(seats) == 1:
        return game_words.seat_name(seats[0])
    return join_names([game_words.seat_brief(seat) for seat in seats], words)


def seats_size(game: GameRef, seats: tuple[SeatId, ...], words: Translator) -> int:
    """How many those names are of, for the grammar of a sentence."""
    return sum(map(words_of_game(game, words).seat_size, seats))


def first_line(
    game: GameRef, seats: tuple[SeatId, ...], words: Translator, told: Callable[[str], str]
) -> str:
    """A verdict that names seats: in full, or in short where it would be too long."""
    line = told(seat_names(game, seats, words))
    if display_width(line) < VERDICT_COLUMNS:
        return line
    game_words = words_of_game(game, words)
    return told(join_names([game_words.seat_brief(seat) for seat in seats], words))


def join_sentences(sentences: Iterable[str], words: Translator) -> str:
    """Whole sentences one after the other: with a space between them, or as the language has it."""
    first, *others = sentences
    for sentence in others:
        first = say(words, "{sentence} {next}", sentence=first, next=sentence)
    return first


def join_names(names: list[str], words: Translator) -> str:
    """Names in a sentence: `A`, `A and B`, `A, B and C`."""
    if len(names) < 2:
        return "".join(names)
    first = comma_names(names[:-1], words)
    return say(words, "{names} and {last}", names=first, last=names[-1])


def comma_names(names: list[str], words: Translator) -> str:
    """Names with commas alone: `A, B, C`."""
    listed = "".join(names[:1])
    for name in names[1:]:
        listed = say(words, "{names}, {name}", names=listed, name=name)
    return listed


def either_names(names: list[str], words: Translator) -> str:
    """Names to choose from: `A`, `A or B`, `A, B or C`."""
    if len(names) < 2:
        return "".join(names)
    first = comma_names(names[:-1], words)
    return say(words, "{names} or {last}", names=first, last=names[-1])


def context_line(game: GameRef, reader: Reader) -> str:
    """Where we are: `France, Spring 1901 movement, game balkan.`"""
    words, game_words = reader.words, words_of_game(game, reader.words)
    seat = game_words.seat_name(game.seat) if game.seat else ""
    phase = game_words.phase_name(game.label) if game.label else ""
    if seat and phase:
        return say(words, "{power}, {phase}, game {game}.", power=seat, phase=phase, game=game.name)
    if phase:
        return say(words, "{phase}, game {game}.", phase=phase, game=game.name)
    if seat:
        return say(words, "{power}, game {game}.", power=seat, game=game.name)
    return say(words, "Game {game}.", game=game.name)


def due_sentences(section: DueSection, reader: Reader) -> tuple[str, ...]:
    """The deadline, what happens without an answer, and when the phase may run before it."""
    due, words = section.due, reader.words
    if due.waits:
        return (say(words, "No clock runs: the phase runs when the last orders are in."),)
    when = due_time(due.at, due.now, reader.zone, words)
    if due.in_grace:
        lines = [say(words, "Grace ends: {when}.", when=when)]
    else:
        lines = [say(words, "Due: {when}.", when=when)]
    if section.default:
        lines.append(section.default)
    if section.asks and due.early is not None and not due.in_grace:
        lines.append(_early_sentence(due, words))
    return tuple(lines)


def _early_sentence(due: Due, words: Translator) -> str:
    if not due.early:
        return say(
            words,
            "If all powers are complete sooner, the phase runs at once. Reply WAIT and it will "
            "not run before the deadline.",
        )
    return say(
        words,
        "If all powers are complete sooner, the phase runs {delay} after the last change. Reply "
        "WAIT and it will not run before the deadline.",
        delay=duration(due.early, words),
    )
