"""Seats as people write them: by id, name in any language, letter, or the powers together."""

import re
from functools import lru_cache
from itertools import chain

from judge.rulebook import Seat, SeatId

TOGETHER = re.compile(r" ?(?:[/+&,，、・_-]|\band\b) ?")  # between names of one seat's powers
MOST_SEATS = 1 << 9  # whose plain names are kept


def find_seat(seats: tuple[Seat, ...], written: str) -> Seat | None:
    """The seat of an id, a name in any language, a letter, or of names as `Austria/France`."""
    word = " ".join(written.split()).strip(".,:;").casefold()
    found = _find_named(seats, word)
    if found is not None:
        return found
    parts = {_find_named(seats, part) for part in TOGETHER.split(word)}
    return parts.pop() if len(parts) == 1 else None


def seats_named(seats: tuple[Seat, ...], text: str) -> tuple[SeatId, ...]:
    """The seats that a text names somewhere, in any language."""
    text = text.casefold()

    def stands_in(name: str) -> bool:
        """A name of Latin letters as a word of its own; others stand within longer words."""
        if len(name) < 2 or name not in text:
            return False
        word = rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])"  # also `England님`
        return not name.isascii() or re.search(word, text) is not None

    return tuple(seat.id for seat in seats if any(map(stands_in, _plain_names(seat))))


@lru_cache(maxsize=MOST_SEATS)
def _plain_names(seat: Seat) -> tuple[str, ...]:
    """A seat's id and all its names, to be looked for in texts."""
    return (seat.id.casefold(), *(name.casefold() for name in seat.names))


def _find_named(seats: tuple[Seat, ...], word: str) -> Seat | None:
    named = (seat for seat in seats if word in _plain_names(seat))
    lettered = (seat for seat in seats if word == seat.letter.casefold())
    return next(chain(named, lettered), None)
