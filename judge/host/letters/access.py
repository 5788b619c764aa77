"""Who wrote a letter, and what that letter may do: reply token, password, or a proven address.

A From header alone is never enough to give orders.
"""

import re
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from judge.host.unit_of_work import UnitOfWork
from judge.mail import Letter, Verdict, plus_tokens
from judge.rulebook import Seat, SeatId
from judge.store import GameRecord, Player, SentLetter, Status

TOGETHER = re.compile(r" ?(?:[/+&,，、・_-]|\band\b) ?")  # between names of one seat's powers
MOST_SEATS = 1 << 9  # whose plain names are kept


class Role(msgspec.Struct, frozen=True):
    """What the sender speaks as while lines are read: a seat of a game, or (None) a master of it,
    or (`is_applicant`) a player of a game that has not begun.

    Attributes:
        serial: the phase that was due when the letter went out that is replied to; None for a
            sign-on that speaks of the phase that is due now.
        by_master: the game's master writes in place of the seat's player.
        standby_for: the seat whose player is missing and for which a standby sends orders.
    """

    game: str
    seat: SeatId | None
    serial: int | None = None
    label: str | None = None
    is_applicant: bool = False
    standby_for: SeatId | None = None
    by_master: bool = False

    @property
    def orders_for(self) -> SeatId | None:
        """The seat that order lines are for."""
        return self.seat or self.standby_for

    @property
    def is_master(self) -> bool:
        return self.seat is None and not self.is_applicant and self.standby_for is None


class Sender(msgspec.Struct, frozen=True):
    """Who wrote a letter.

    Attributes:
        player: the player whom the address (or the token) belongs to.
        proven: a reply token or the receiving server's own check says that it is really theirs.
        sent: the letter of ours that is replied to, if any.
        stranger_reply: the address is not that of the player whose token it carries.
        is_dated: the token has been in many letters since, and proves enough to read, not to act.
    """

    player: Player | None
    proven: bool
    sent: SentLetter | None
    stranger_reply: bool = False
    is_dated: bool = False


def identify(work: UnitOfWork, letter: Letter) -> Sender:
    """Whose letter it is: by a token of ours first, then by the address.

    Of several letters of ours that are named the first counts that went to the sender: others'
    tokens come with letters that somebody passed on or forged. The root of a thread counts only
    where no letter itself is named.
    """
    tokens = plus_tokens(letter.recipients, letter.references, work.config.address)
    found = [work.repository.outbox.by_token(token) for token in tokens]
    known = sorted((sent for sent in found if sent is not None), key=lambda sent: sent.is_thread)
    player = work.player_by_address(letter.sender)
    passed = letter.verdict is Verdict.PASSED
    for sent in known:
        if (
            sent.recipient.lower() == letter.sender
            if sent.player is None
            else player is not None and player.id == sent.player
        ):
            proven = letter.verdict is not Verdict.FAILED
            return Sender(player, proven, sent, is_dated=not passed and is_dated(work, sent))
    owned = next((sent for sent in known if sent.player is not None), None)
    if owned is not None and owned.player is not None and player is None:
        return Sender(work.player(owned.player), False, owned, stranger_reply=True)
    # A player with another player's token: their words are shown to nobody else.
    return Sender(player, passed and player is not None, None)


def is_dated(work: UnitOfWork, sent: SentLetter) -> bool:
    """Whether a token is of a phase that is over, or in every letter of a game.

    References carry tokens on, to whoever a letter is passed on to.
    """
    game = work.game(sent.game) if sent.game else None
    if game is None:
        return sent.created_at + work.config.confirm_for < work.now
    if sent.is_thread:
        return True
    if game.phase is None or game.timing is None:
        return False
    if sent.serial is not None:
        return sent.serial != game.phase.serial
    # Answers from before the start name no phase, and their replies may bring the first orders.
    return game.phase.serial > 1 and sent.created_at < game.timing.opened_at


def first_role(work: UnitOfWork, sender: Sender) -> Role | None:
    """What a letter's lines speak for before any SIGNON in it; None if for nothing."""
    player, sent = sender.player, sender.sent
    if player is None or not sender.proven:
        return None
    if sent is None or sent.game is None:
        roles = roles_of(work, player)
        running = [role for role in roles if not role.is_applicant] or roles
        return running[0] if len(running) == 1 else None
    game = work.game(sent.game)
    if game is None:
        return None
    if sent.seat is not None and game.seats:
        seat = game.seat(sent.seat)
        is_theirs = player.id == (seat.player or (None if seat.resigned else seat.former))
        role = Role(game.name, sent.seat, sent.serial, sent.label)
        if not is_theirs and seat.standby == player.id:
            return replace(role, seat=None, standby_for=seat.id)
        return role if is_theirs else None
    if game.is_master(player.id):
        return Role(game.name, None, sent.serial, sent.label)
    # Answers to a player before the start name no seat; the game may run by now.
    return role_in(game, player)


def role_in(game: GameRecord, player: Player) -> Role | None:
    """A player's own seat in a game, or their place among those who wait for its start."""
    before = (*game.applicants, *game.waiting) if game.status is Status.FORMING else ()
    if any(one.player == player.id for one in before):
        return Role(game.name, None, is_applicant=True)
    seat = seat_of(game, player)
    if seat is None:
        called = (one.id for one in game.seats if one.standby == player.id)
        standby_for = next(called, None)
        return Role(game.name, None, standby_for=standby_for) if standby_for else None
    return Role(game.name, seat)


def roles_of(work: UnitOfWork, player: Player) -> list[Role]:
    """All roles of a player in games that are not over: what they play before what they are master
    of."""
    played, masters = [], []
    for game in work.games_of(player.id):
        role = role_in(game, player)
        if role is not None:
            played.append(role)
        elif game.is_master(player.id):
            masters.append(Role(game.name, None))
    return played + masters


def seat_of(game: GameRecord, player: Player) -> SeatId | None:
    """The seat a player holds, or may retake because they lost it and it is vacant."""
    for seat in game.seats:
        if seat.player == player.id:
            return seat.id
    for seat in game.seats:
        if seat.player is None and seat.former == player.id and not seat.resigned:
            return seat.id
    return None


def find_seat(seats: tuple[Seat, ...], written: str) -> Seat | None:
    """The seat that a word names: its id, one of its names in any language, or its letter; of a
    seat with several powers also some of them together, `Austria/France`."""
    word = " ".join(written.split()).strip(".,:;").casefold()
    found = _find_named(seats, word)
    if found is not None:
        return found
    parts = {_find_named(seats, part) for part in TOGETHER.split(word)}
    return parts.pop() if len(parts) == 1 else None


def seats_named(seats: tuple[Seat, ...], text: str) -> tuple[SeatId, ...]:
    """The seats that a text names somewhere, in any language."""
    found = text.casefold()
    return tuple(
        seat.id
        for seat in seats
        if any(name in found and _stands_in(name, found) for name in _plain_names(seat))
    )


@lru_cache(maxsize=MOST_SEATS)
def _plain_names(seat: Seat) -> tuple[str, ...]:
    """A seat's id and all its names, to be looked for in texts."""
    return (seat.id.casefold(), *(name.casefold() for name in seat.names))


def _stands_in(name: str, text: str) -> bool:
    """A name of Latin letters as a word of its own; others stand within longer words."""
    if len(name) < 2:
        return False
    word = rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])"  # also `England님`
    return not name.isascii() or re.search(word, text) is not None


def _find_named(seats: tuple[Seat, ...], word: str) -> Seat | None:
    for seat in seats:
        if word in _plain_names(seat):
            return seat
    for seat in seats:
        if word == seat.letter.casefold():
            return seat
    return None
