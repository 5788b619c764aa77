"""One letter being read: who wrote it, what it may do, who sits where, what was said to it so far,
what a reply would do.

What a letter may do comes from a reply token, a password, or a proven address: a From header alone
is never enough to give orders.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import msgspec
from msgspec.structs import replace

from judge.host.command import CommandLine, declarations
from judge.host.messages import Message
from judge.host.messages.game_events import SeatChanged
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.mail import Letter, Verdict, plus_tokens
from judge.rulebook import Game, Problem, Seat, SeatId, Understood, Value, Values
from judge.store import GameRecord, Player, Purpose, SentLetter, Status

GUESSED = ("commands", "choices")  # what a question has that asks if a line was meant as a command
OTHER_CLOCK = timedelta(hours=1)  # that the mail server's may be behind ours


class Role(msgspec.Struct, frozen=True):
    """What the sender speaks as while lines are read: a seat of a game, or (None) a master of it,
    or (`is_applicant`) a player of a game that has not begun."""

    game: str
    seat: SeatId | None
    # The phase that was due when our letter, which is replied to, was sent; None for a sign-on,
    # which speaks of the phase that is due now.
    serial: int | None = None
    label: str | None = None
    is_applicant: bool = False
    # The seat whose player is missing and for which a standby sends orders.
    standby_for: SeatId | None = None
    by_master: bool = False  # the game's master writes in place of the seat's player

    @property
    def is_master(self) -> bool:
        return self.seat is None and not self.is_applicant and self.standby_for is None


class Sender(msgspec.Struct, frozen=True):
    """Who wrote a letter."""

    player: Player | None  # the player whom the address (or the token) belongs to
    proven: bool  # a reply token or the receiving server's own check says that it is really theirs
    sent: SentLetter | None  # the letter of ours that is replied to, if any
    stranger_reply: bool = False  # the address is not that of the player whose token it carries
    # The token is of a phase that is over, or has been in many letters since: it proves enough to
    # read, not to act.
    is_dated: bool = False


@dataclass(slots=True)
class AdvanceChanges:
    """What a letter did to a seat's lines for later phases."""

    # understood, problems: its lines for them; a problem with the label of its phase.
    understood: list[Understood] = field(default_factory=list)
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)  # phases whose lines it has cleared
    is_standby: bool = False  # they are lines of the seat's standby

    @property
    def is_idle(self) -> bool:
        return not (self.understood or self.problems or self.cleared)


@dataclass(frozen=True, slots=True)
class Trial:
    """A position that WHAT IF tries orders in."""

    ref: GameRef  # where it is from
    game: Game
    seats: tuple[Seat, ...]
    # The label of the phase in which the lines below describe it; empty: they may; None: they do
    # not.
    position_in: str | None = None


class NotDone(Exception):
    """A command is refused and ends here; what it has done before stays done."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.kind)
        self.refusal = refusal


@dataclass(slots=True)
class LetterContext:
    """The work on one letter."""

    work: UnitOfWork
    letter: Letter
    sender: Sender
    # What the sender speaks as for the lines that follow; None before a sign-on.
    role: Role | None = None
    # Lines for the present role that are no commands, not yet read.
    lines: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    purpose: Purpose = Purpose.LETTER
    payload: Values = field(default_factory=dict)
    # What the letter spoke as where it asked what a reply answers: the answer is of that game.
    asked_as: Role | None = None
    asks_more: bool = False  # it asks for a YES that answers something else
    cleared: bool = False
    # What is said at the end to a player who has taken a lost seat again.
    retaken: SeatChanged | None = None
    aim: str | None = None  # the phase that a line above has named; None: the one that is due
    # A phase was named that nothing can be stored for: lines below are nobody's.
    is_aimless: bool = False
    # What the letter did to lines for later phases, by game and seat.
    advance: dict[tuple[str, SeatId], AdvanceChanges] = field(default_factory=dict)
    # Commands that a YES of this letter agrees to, not yet carried out.
    agreed: list[str] = field(default_factory=list)
    # The orders of each seat before this letter changed them, for UNDO.
    before: dict[str, Value] = field(default_factory=dict)
    # Seats whose player says READY in this letter, by game and seat.
    ready_now: set[tuple[str, SeatId]] = field(default_factory=set)
    # What the lines gathered now are only tried in; None: they are orders.
    trial: Trial | None = None
    # The game as it was before the letter, by game and seat that its master acts for.
    acted: dict[tuple[str, SeatId], GameRecord] = field(default_factory=dict)
    # What its writer did as a master and the game's others were not told of, by game.
    deeds: dict[str, tuple[str, ...]] = field(default_factory=dict)

    # --- saying -------------------------------------------------------------------------------

    def say(self, message: Message) -> None:
        self.messages.append(message)

    def refused(
        self, kind: RefusalKind, game: GameRecord | None = None, **values: Value
    ) -> NotDone:
        """Why something is not done, to be raised by a command; of one that cannot be read, what
        help has of it."""
        if kind is RefusalKind.BAD_COMMAND:
            found = (one.summary for one in declarations().values() if one.usage == values["usage"])
            values["summary"] = next(found, "")
        return NotDone(Refusal(kind, values, self.ref(game) if game else None))

    def bad_command(self, line: CommandLine, game: GameRecord | None = None) -> NotDone:
        """A command that cannot be carried out as it is written."""
        written, usage = line.written, line.command.usage
        return self.refused(RefusalKind.BAD_COMMAND, game, written=written, usage=usage)

    def refuse(self, kind: RefusalKind, game: GameRecord | None = None, **values: Value) -> None:
        """Say why something was not done, and go on."""
        self.say(self.refused(kind, game, **values).refusal)

    @contextmanager
    def saying_refusals(self) -> Iterator[None]:
        """What is refused inside is said, and the rest of what stands inside left out."""
        try:
            yield
        except NotDone as why:
            self.say(why.refusal)

    def ask(self, purpose: Purpose, payload: Values) -> None:
        """What a reply to the answer does; of several questions the first counts, before those
        whether a line was meant as a command. Of several proposals all count."""
        is_proposal = self.purpose is Purpose.PROPOSALS
        is_guess = is_proposal and self.payload.keys() <= {*GUESSED}
        role = self.role
        if role is not None and role.by_master:
            role = Role(role.game, None, role.serial, role.label)
        if is_proposal and purpose is Purpose.PROPOSALS:
            self.asked_as = self.asked_as or role
            self._propose_too(payload)
        elif self.purpose is Purpose.LETTER or is_guess:
            self.purpose, self.payload, self.asked_as = purpose, payload, role
        elif (purpose, payload) != (self.purpose, self.payload) and "commands" not in payload:
            self.asks_more = True

    @property
    def asks_of_another_game(self) -> bool:
        """Whether what a reply answers was asked for another game than that of the lines here."""
        asked, here = self.asked_as, self.role
        return asked is not None and here is not None and asked.game != here.game

    def _propose_too(self, payload: Values) -> None:
        """Further lines for a YES, in their order; those of another game stand below its name."""
        game = self.game()
        for key, lines in payload.items():
            assert isinstance(lines, list)
            if key in GUESSED:
                own = {} if self.asks_of_another_game else {key: lines}
                self.payload = {**own, **self.payload}
                continue
            if game is not None and self.asked_as is not None and self.asks_of_another_game:
                heading = [game.phase_label] if key == "lines" else []
                back = f"GAME {self.asked_as.game}"
                key, lines = "acts", [f"GAME {game.name}", *heading, *lines, back]
            before = self.payload.get(key, [])
            assert isinstance(before, list)
            self.payload = {**self.payload, key: [*before, *lines]}

    def note_for_other_masters(self, game: GameRecord, line: str) -> None:
        """What the other masters of a game are told at the letter's end."""
        self.deeds[game.name] = (*self.deeds.get(game.name, ()), line)

    # --- where lines go -----------------------------------------------------------------------

    def sit(self, role: Role | None) -> None:
        """Lines that follow are for that role, and of the phase that is due."""
        self.role = self._as_it_came(role) if role and role.serial is None else role
        self.aim, self.is_aimless = None, False

    def _as_it_came(self, role: Role) -> Role:
        """A role of the phase that was due when the letter came: one that tripped a bug may be read
        again when that has run."""
        game, came = self.work.game(role.game), self.letter.received_at
        timing = game.timing if game else None
        if game is None or timing is None or came + OTHER_CLOCK >= timing.opened_at:
            return role
        ran = (one for one in self.work.phases_of(game.name) if one.processed_at > came)
        first = next(ran, None)
        return replace(role, serial=first.phase.serial, label=first.phase.label) if first else role

    def aim_at_no_phase(self) -> None:
        """A phase was named that cannot be told: lines that follow are stored for none."""
        self.aim, self.is_aimless = None, True

    def advance_changes(self, game: GameRecord, seat: SeatId) -> AdvanceChanges:
        is_standby = self.role is not None and self.role.standby_for == seat
        changes = AdvanceChanges(is_standby=is_standby)
        return self.advance.setdefault((game.name, seat), changes)

    # --- who and where ------------------------------------------------------------------------

    @property
    def player(self) -> Player | None:
        """The authenticated sender, or None."""
        return self.sender.player if self.sender.proven else None

    @property
    def writer(self) -> Player:
        """`player`, for a command whose row asks for a registered one."""
        assert self.player is not None
        return self.player

    @property
    def own_role(self) -> Role:
        """`role`, for a command whose row asks for one."""
        assert self.role is not None
        return self.role

    @property
    def is_master(self) -> bool:
        """Whether the letter speaks as a master of its game."""
        return self.role is not None and self.role.is_master

    @property
    def role_game(self) -> GameRecord:
        """`game()`, for a command whose row asks for a role in one."""
        game = self.game()
        assert game is not None
        return game

    def seat_in(self, game: GameRecord) -> SeatId | None:
        """The seat that this letter sits at in a game, None for its master."""
        if self.role is not None and self.role.game == game.name:
            return self.role.seat
        return None

    def ref(self, game: GameRecord) -> GameRef:
        return ref_to(game, self.seat_in(game))

    def game(self) -> GameRecord | None:
        """The game of the present role."""
        return self.work.game(self.role.game) if self.role else None

    def is_of_another_phase(self, game: GameRecord) -> bool:
        """Whether the letter replies to one of a phase that is over."""
        serial = self.role.serial if self.role else None
        return serial is not None and game.phase is not None and serial != game.phase.serial

    @property
    def language(self) -> str:
        """The player's language, or the letter's where we have it, or the judge's first."""
        if self.sender.player is not None and not self.sender.stranger_reply:
            return self.sender.player.language
        guess, languages = self.letter.language, self.work.config.languages
        return guess if guess in languages else languages[0]

    @property
    def zone(self) -> str:
        if self.sender.player is not None and not self.sender.stranger_reply:
            return self.sender.player.zone
        return self.work.config.zone


# --- who wrote a letter, and as what -----------------------------------------------------------


def identify(work: UnitOfWork, letter: Letter) -> Sender:
    """Whose letter it is: by a token of ours first, then by the address.

    Of several letters of ours that are named the first counts that went to the sender: others'
    tokens come with letters that somebody passed on or forged. The root of a thread counts only
    where no letter itself is named.
    """
    tokens = plus_tokens(letter.recipients, letter.references, work.config.address)
    found = [work.repository.outbox.by_token(token) for token in tokens]
    known = sorted((sent for sent in found if sent is not None), key=lambda sent: sent.is_thread)
    player = work.repository.players.by_address(letter.sender)
    passed = letter.verdict is Verdict.PASSED
    for sent in known:
        if (
            sent.recipient.lower() != letter.sender
            if sent.player is None
            else player is None or player.id != sent.player
        ):
            continue
        game = work.game(sent.game) if sent.game else None
        if game is None:
            is_dated = sent.created_at + work.config.confirm_for < work.now
        elif sent.is_thread:  # References carry it on, to whoever a letter is passed on to
            is_dated = True
        elif game.phase is None or game.timing is None:
            is_dated = False
        elif sent.serial is not None:
            is_dated = sent.serial != game.phase.serial
        else:
            # Answers from before the start name no phase, and their replies may bring the first
            # orders.
            is_dated = game.phase.serial > 1 and sent.created_at < game.timing.opened_at
        proven = letter.verdict is not Verdict.FAILED
        return Sender(player, proven, sent, is_dated=is_dated and not passed)
    owned = next((sent for sent in known if sent.player is not None), None)
    if owned is not None and owned.player is not None and player is None:
        return Sender(work.player(owned.player), False, owned, stranger_reply=True)
    # A player with another player's token: their words are shown to nobody else.
    return Sender(player, passed and player is not None, None)


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
    seat = next((one for one in game.seats if one.id == sent.seat), None)
    if seat is not None:
        is_theirs = player.id == (seat.player or (None if seat.resigned else seat.former))
        role = Role(game.name, seat.id, sent.serial, sent.label)
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
