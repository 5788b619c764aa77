"""One letter being read: who sits where, what was said to it so far, what a reply would do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from judge.host.command import declarations
from judge.host.letters.access import Role, Sender
from judge.host.messages import Message
from judge.host.messages.game_events import SeatChanged
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.mail import Letter
from judge.rulebook import Game, Problem, Seat, SeatId, Understood, Value, Values
from judge.store import GameRecord, Player, Purpose


@dataclass(slots=True)
class AdvanceChanges:
    """What a letter did to a seat's lines for later phases.

    Attributes:
        understood, problems: its lines for them; a problem with the label of its phase.
        cleared: phases whose lines it has cleared.
        is_standby: they are lines of the seat's standby.
    """

    understood: list[Understood] = field(default_factory=list)
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)
    is_standby: bool = False

    @property
    def is_idle(self) -> bool:
        return not (self.understood or self.problems or self.cleared)


@dataclass(frozen=True, slots=True)
class Trial:
    """A position that WHAT IF tries orders in; `ref` names where it is from.

    `position_in`: the label of the phase in which the lines below describe it; empty: they may;
    None: they do not.
    """

    ref: GameRef
    game: Game
    seats: tuple[Seat, ...]
    position_in: str | None = None


class NotDone(Exception):
    """A command is refused and ends here; what it has done before stays done."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.kind)
        self.refusal = refusal


@dataclass(slots=True)
class LetterContext:
    """The work on one letter.

    Attributes:
        role: what the sender speaks as for the lines that follow; None before a sign-on.
        lines: lines for the present role that are no commands, not yet read.
        aim: the phase that a line above has named; None: the one that is due.
        is_aimless: a phase was named that nothing can be stored for: lines below are nobody's.
        retaken: what is said at the end to a player who has taken a lost seat again.
        ready_now: seats whose player says READY in this letter, by game and seat.
        agreed: commands that a YES of this letter agrees to, not yet carried out.
        trial: what the lines gathered now are only tried in; None: they are orders.
        acted: the game as it was before the letter, by game and seat that its master acts for.
        deeds: what its writer did as a master and the game's others were not told of, by game.
        before: the seat's orders before this letter changed them, for UNDO.
        advance: what the letter did to lines for later phases, by game and seat.
    """

    work: UnitOfWork
    letter: Letter
    sender: Sender
    role: Role | None = None
    lines: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    purpose: Purpose = Purpose.LETTER
    payload: Values = field(default_factory=dict)
    cleared: bool = False
    retaken: SeatChanged | None = None
    aim: str | None = None
    is_aimless: bool = False
    advance: dict[tuple[str, SeatId], AdvanceChanges] = field(default_factory=dict)
    agreed: list[str] = field(default_factory=list)
    before: dict[str, Value] = field(default_factory=dict)
    ready_now: set[tuple[str, SeatId]] = field(default_factory=set)
    trial: Trial | None = None
    acted: dict[tuple[str, SeatId], GameRecord] = field(default_factory=dict)
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
        whether a line was meant as a command."""
        is_guess = self.purpose is Purpose.PROPOSALS and self.payload.keys() <= {
            "commands",
            "choices",
        }
        if self.purpose is purpose is Purpose.PROPOSALS:
            self.payload = {**payload, **self.payload}
        elif self.purpose is Purpose.LETTER or is_guess:
            self.purpose, self.payload = purpose, payload

    def note_deed(self, game: GameRecord, line: str) -> None:
        """What the other masters of a game are told at the letter's end."""
        self.deeds[game.name] = (*self.deeds.get(game.name, ()), line)

    # --- where lines go -----------------------------------------------------------------------

    def sit(self, role: Role | None) -> None:
        """Lines that follow are for that role, and of the phase that is due."""
        self.role = role
        self.aim, self.is_aimless = None, False

    def lose_aim(self) -> None:
        """A phase was named that cannot be told: lines that follow are stored for none."""
        self.aim, self.is_aimless = None, True

    def advance_of(self, game: GameRecord, seat: SeatId) -> AdvanceChanges:
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
