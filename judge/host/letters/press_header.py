"""The line above press, as `PRESS QUIET TO ALL BUT FRANCE`: who it is for, and how it is sent.

Power names come first: `PRESS TO Turkey` is one power. Letters alone (`FG`) are the old judges'.
"""

import re
from collections.abc import Mapping

import msgspec

from judge.host.command import CommandLine
from judge.host.games.forming import seats_of
from judge.host.games.press_rules import MASTER, OBSERVERS
from judge.host.games.seat_names import find_seat
from judge.host.local_words import said, words_in_all_languages
from judge.rulebook import Seat, SeatId
from judge.store import GameRecord

NAMES_END = re.compile(r"[\s,;/&+、，；／＆＋]+|\band\b", re.IGNORECASE)


def _reader_words(who: str) -> tuple[str, ...]:
    """What press calls them in all languages; with `particles` what may stand at a name there."""
    return tuple(word.upper() for word in words_in_all_languages("readers", who))


EVERYBODY = ("ALL", "EVERYBODY", "EVERYONE", *_reader_words("all"))
MASTERS = ("M", MASTER, "GM", *_reader_words("master"))
WATCHING = ("O", OBSERVERS, "OBSERVER", *_reader_words("observers"))
# What a word of the header says, in English as an expression and in other languages as it stands.
ENGLISH: Mapping[str, str] = {
    "fake_from": r"\b(?:FAKE\s+)?FROM\b|\bFAKED?\s+AS\b",
    "fake_to": r"\b(?:FAKE\s+(?:TO|PARTIAL(?:\s+TO)?)|SHOWN\s+TO|(?<!^)FAKE(?=\s+BROADCAST))\b",
    "quiet": r"\bQUIET(?:LY)?\b|\bNO\s+ECHO\b",
    "grey": r"\b(?:GR[EA]Y|ANONYMOUS(?:LY)?)\b",
    "white": r"\bWHITE\b",
    "but": r"\b(?:BUT|EXCEPT(?:\s+FOR)?)\b",
    "to": r"\bTO\b",
}
KEYS = re.compile(
    "|".join(
        f"(?P<{key}>{'|'.join((english, *map(re.escape, words)))})"
        for key, english in ENGLISH.items()
        for words in [words_in_all_languages("press_words", key)]
    ),
    re.IGNORECASE,
)
PREFIX = r"(?:(?:WHITE|GR[EA]Y|ANONYMOUS|QUIET|FAKE|POSTAL|PARTIAL|PRIVATE)\s*)*"
PARTICLES = _reader_words("particles")


class Header(msgspec.Struct, frozen=True):
    """What the line above press says; names as they were written."""

    # to, fake_from, fake_to: lists of names.
    to: str = ""
    fake_from: str = ""
    fake_to: str = ""
    is_but: bool = False  # `to` names those whom it is not for
    # True: it shows who wrote it; False: it hides that; None: it does not say.
    color: bool | None = None
    is_quiet: bool = False


class NoReader(msgspec.Struct, frozen=True):
    """A word of a list that names nobody; empty: the list names nobody at all."""

    written: str


def read_header(line: CommandLine) -> Header:
    """What a command of press says before its text."""
    openers = sorted(said(line.command.rule), key=len, reverse=True)
    opener = re.compile(
        rf"\s*(?:{'|'.join(map(re.escape, openers))}|{PREFIX}(?:PRESS|BROADCAST|FAKE|ANNOUNCE))",
        re.IGNORECASE,
    )
    match = opener.match(line.written)
    rest = line.written[match.end() :] if match else line.written
    flags = {one.lastgroup for one in KEYS.finditer(line.written)}
    parts = {"to": "", "fake_from": "", "fake_to": ""}
    key, at = "to", 0
    for word in (*KEYS.finditer(rest), None):
        parts[key] += rest[at : word.start() if word else len(rest)] + " "
        if word is None:
            break
        at = word.end()
        if word.lastgroup in parts:
            key = word.lastgroup
    is_grey = "grey" in flags or line.command.rule.startswith("grey")
    is_fake_to_all = re.search(r"BROADCAST", parts["fake_to"], re.IGNORECASE)
    return Header(
        to=parts["to"].strip(" :\t"),
        fake_from=parts["fake_from"].strip(" :\t"),
        fake_to="ALL" if is_fake_to_all else parts["fake_to"].strip(" :\t"),
        is_but="but" in flags,
        color=False if is_grey else True if "white" in flags else None,
        is_quiet="quiet" in flags,
    )


def find_readers(
    game: GameRecord, author: str, written: str, *, is_but: bool = False
) -> tuple[str, ...] | NoReader:
    """The seats, `MASTER` and `OBSERVERS` that a list names, in the order of the board, without its
    author; with `is_but`, or behind a minus sign, all others.

    A word that names nobody is returned instead: press never goes to fewer or more people than its
    writer named.
    """
    seats, found, left_out = seats_of(game), set[str](), set[str]()
    longer = {name: seat.id for seat in seats for name in seat.names if " " in name}
    for name in sorted(longer, key=len, reverse=True):
        written = re.sub(re.escape(name), longer[name], written, flags=re.IGNORECASE)
    for word in NAMES_END.split(written):
        if not word or word in PARTICLES:
            continue
        names = _readers_of(seats, word.lstrip("-"))
        if not names:
            return NoReader(word)
        is_everybody = len(names) == len(seats) > 1
        target = left_out if word.startswith("-") or (is_but and not is_everybody) else found
        target.update(names)
    if left_out:
        others = found or {seat.id for seat in seats} | {MASTER}
        found = (others if not is_but else {seat.id for seat in seats} | {MASTER}) - left_out
    if author != MASTER or len(game.masters) == 1:  # one of several writes to the others
        found.discard(author)
    order = [*(seat.id for seat in seats), MASTER, OBSERVERS]
    return tuple(name for name in order if name in found) or NoReader(written)


def _readers_of(seats: tuple[Seat, ...], word: str) -> tuple[str, ...]:
    if word.upper() in EVERYBODY:
        return tuple(seat.id for seat in seats)
    seat = find_seat(seats, word) if len(word) > 1 else None
    if seat is not None:
        return (seat.id,)
    if word.upper() in MASTERS:
        return (MASTER,)
    letters: dict[str, str] = {"M": MASTER, "O": OBSERVERS} | {
        name: one.id for one in seats for name in (one.letter, *one.names) if len(name) == 1
    }
    if word.upper() in WATCHING and letters.get(word.upper(), OBSERVERS) == OBSERVERS:
        return (OBSERVERS,)
    if (one := find_seat(seats, word)) is not None:
        return (one.id,)
    for particle in PARTICLES:
        bare = word.removeprefix(particle).removesuffix(particle)
        if bare not in ("", word):
            return _readers_of(seats, bare)
    if word == word.upper() and all(letter in letters for letter in word):
        return tuple(letters[letter] for letter in word)
    return ()


def is_everybody(written: str) -> bool:
    """Whether a list is one word for all."""
    return written.strip().upper() in EVERYBODY


def everybody(game: GameRecord) -> tuple[str, ...]:
    """All seats, and the master."""
    return (*(SeatId(seat.id) for seat in game.seats), MASTER)
