"""How well a way of cutting quotes does on the corpus of letters: what it loses and what it takes.

Knows nothing of how quotes are found: it compares a letter's body, as cut, with what its writer
wrote himself (`corpus/*/expected.toml`), up to the orders that a standard board reads in it.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.rulebook import RULEBOOK
from judge.host.command import CommandLine
from judge.host.commands import COMMAND_PARSER
from judge.host.letters.command_parser import BadCommand, Item, Request, TextLine
from judge.mail import Letter, read_letter
from judge.rulebook import RandomStream, SeatId

CORPUS = Path(__file__).parent / "corpus"
HALVES = ("known", "held_out")
JUDGE = frozenset({"judge@judge.example"})
RECEIVED = datetime(2026, 12, 20, tzinfo=UTC)
# One short game, by which each phase that the letters are written for is reached.
PLAYED = (
    {
        "AUSTRIA": "A BUD - SER; A VIE - TRI; F TRI - ALB",
        "ENGLAND": "A LVP - YOR; F EDI - NTH; F LON - ENG",
        "FRANCE": "A PAR - BUR; A MAR - SPA; F BRE - MAO",
        "GERMANY": "A MUN - RUH; A BER - MUN; F KIE - DEN",
        "ITALY": "A VEN - PIE; A ROM - VEN; F NAP - ION",
        "RUSSIA": "A MOS - UKR; A WAR - GAL; F SEV - RUM; F STP/SC - BOT",
        "TURKEY": "A CON - BUL; A SMY - CON; F ANK - BLA",
    },
    {
        "AUSTRIA": "A SER H; A TRI H; F ALB - GRE",
        "ENGLAND": "A YOR - LON; F NTH - NWY; F ENG - BEL",
        "FRANCE": "A BUR H; A SPA H; F MAO - POR",
        "GERMANY": "A RUH - BUR; A MUN S A RUH - BUR; F DEN H",
        "ITALY": "A PIE H; A VEN H; F ION - TUN",
        "RUSSIA": "A UKR H; A GAL H; F RUM H; F BOT - SWE",
        "TURKEY": "A BUL H; A CON H; F BLA - ANK",
    },
    {"FRANCE": "A BUR R GAS"},
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A letter of the corpus and what is to be read in it.

    Attributes:
        orders: pieces of the lines that the writer wrote as orders, in his order and spelling.
        canonical: the same orders in canonical notation, as the seat's board reads them.
        commands: lines that are commands, press left out.
        press: the text of each press, whole.
        gone: pieces of lines that are not the writer's own words here; none may be read.
    """

    name: str
    half: str
    client: str
    language: str
    charset: str
    seat: SeatId
    phase: str
    orders: tuple[str, ...]
    canonical: tuple[str, ...]
    commands: tuple[str, ...]
    press: tuple[str, ...]
    gone: tuple[str, ...]

    @property
    def raw(self) -> bytes:
        return (CORPUS / self.half / f"{self.name}.eml").read_bytes()


@dataclass(frozen=True, slots=True)
class Score:
    """What was made of one letter.

    Attributes:
        lost: lines of the writer that are not there, or not in his order.
        taken: lines that are not his and would be read; commands and faults that he did not write.
        broken: press that did not come through whole.
        misread: the orders as the board reads them, if they are others than he gave.
    """

    lost: tuple[str, ...]
    taken: tuple[str, ...]
    broken: tuple[str, ...]
    misread: tuple[str, ...]

    @property
    def is_cut_right(self) -> bool:
        """All that the writer wrote is there, and nothing that he did not."""
        return not (self.lost or self.taken or self.broken)

    @property
    def is_right(self) -> bool:
        """So, and the board reads his orders in it and stumbles over no other line."""
        return self.is_cut_right and not self.misread


def load_samples(half: str) -> tuple[Sample, ...]:
    """The letters of one half of the corpus, by name."""
    with (CORPUS / half / "expected.toml").open("rb") as file:
        told = tomllib.load(file)
    return tuple(
        Sample(
            name=name,
            half=half,
            client=one["client"],
            language=one["language"],
            charset=one["charset"],
            seat=SeatId(one["seat"]),
            phase=one["phase"],
            orders=tuple(one["orders"]),
            canonical=tuple(one["canonical"]),
            commands=tuple(one["commands"]),
            press=tuple(one["press"]),
            gone=tuple(one["gone"]),
        )
        for name, one in sorted(told.items())
    )


def letter_of(sample: Sample) -> Letter:
    """The letter as the judge takes it in."""
    return read_letter(sample.raw, RECEIVED, own_addresses=JUDGE)


def score_body(sample: Sample, body: str) -> Score:
    """What a body keeps of its writer's words and of the words of others."""
    items = COMMAND_PARSER.read(body)
    lines = [_text_of(item) for item in items if isinstance(item, TextLine | Request)]
    reading = position(sample.phase).read(sample.seat, lines)
    orders = tuple(one.line.text for one in reading.understood)
    problems = tuple(f"not stored: {one.written}" for one in reading.problems)
    commands = [
        item.written for item in items if isinstance(item, CommandLine) and not item.command.until
    ]
    heard = [_flat(item.text) for item in items if isinstance(item, CommandLine) and item.text]
    return Score(
        lost=(*_missing(sample.orders, lines), *_missing(sample.commands, commands)),
        taken=(*_taken(sample, items), *_others(commands, sample.commands)),
        broken=tuple(text for text in sample.press if _flat(text) not in heard),
        misread=() if orders == sample.canonical and not problems else (*orders, *problems),
    )


def _text_of(item: TextLine | Request) -> str:
    """A line as the game reads it: a request of one's own words is an order first, if it is one."""
    return item.text if isinstance(item, TextLine) else item.written


def _missing(wanted: Sequence[str], lines: Sequence[str]) -> Iterator[str]:
    """What stands in no line below the one that held the piece before it."""
    at = 0
    for piece in wanted:
        found = next((n for n in range(at, len(lines)) if _flat(piece) in _flat(lines[n])), None)
        if found is None:
            yield piece
        else:
            at = found


def _taken(sample: Sample, items: Sequence[Item]) -> Iterator[str]:
    whole = {_flat(text) for text in sample.press}
    for item in items:
        if isinstance(item, TextLine | Request):
            said = _text_of(item)
        elif isinstance(item, BadCommand):
            said = item.written
            yield said
        else:
            said = "" if _flat(item.text) in whole else item.text
        yield from (piece for piece in sample.gone if _flat(piece) in _flat(said))


def _others(found: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    known = {_flat(one) for one in wanted}
    return (one for one in found if _flat(one) not in known)


def _flat(text: str) -> str:
    """The words with one space between them: how wide a gap is, and where a line was broken by a
    program, is not what is measured."""
    return " ".join(text.split())


# --- the positions --------------------------------------------------------------------------------


def position(label: str) -> DiplomacyGame:
    """The game as it stands when that phase begins."""
    return _positions()[label]


@cache
def _positions() -> Mapping[str, DiplomacyGame]:
    state = RULEBOOK.start("standard", {})
    found = {state.phase.label: state}
    for orders in PLAYED:
        order_sets = {
            SeatId(seat): tuple(
                one.line for one in state.read(SeatId(seat), text.split("; ")).understood
            )
            for seat, text in orders.items()
        }
        state = state.resolve(order_sets, frozenset(), RandomStream(b"corpus", 1)).game
        found[state.phase.label] = state
    return found
