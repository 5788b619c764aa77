"""One letter being read: who sits where, what was said to it so far, what a reply would do."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.host.access import Chair, Visitor
from judge.host.blocks import Block, GameRef, Refusal, RefusalKind
from judge.host.session import Session, ref_to
from judge.mail import Letter
from judge.rulebook import JsonObject, JsonValue, Problem, SeatId, Understood
from judge.store import GameRecord, Player, Purpose


@dataclass(slots=True)
class AheadWork:
    """What a letter did to a seat's lines for later phases.

    Attributes:
        understood, problems: its lines for them; a problem with the label of its phase.
        cleared: phases whose lines it has cleared.
    """

    understood: list[Understood] = field(default_factory=list)
    problems: list[tuple[str, Problem]] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)

    @property
    def is_idle(self) -> bool:
        return not (self.understood or self.problems or self.cleared)


@dataclass(slots=True)
class Turn:
    """The work on one letter.

    Attributes:
        chair: where the writer sits for the lines that follow; None before a sign-on.
        lines: lines of the present chair that are no commands, not yet read.
        shut: a sign-on was refused: the lines after it are nobody's.
        answers_master: the answer goes into the master's thread.
        aim: the phase that a line above has named; None: the one that is due.
        is_aimless: a phase was named that nothing can be stored for: lines below are nobody's.
        ahead: what the letter did to lines for later phases, by game and seat.
    """

    session: Session
    letter: Letter
    visitor: Visitor
    chair: Chair | None = None
    lines: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    purpose: Purpose = Purpose.LETTER
    payload: JsonObject = field(default_factory=dict)
    cleared: bool = False
    aim: str | None = None
    is_aimless: bool = False
    ahead: dict[tuple[str, SeatId], AheadWork] = field(default_factory=dict)

    # --- saying -------------------------------------------------------------------------------

    def say(self, block: Block) -> None:
        self.blocks.append(block)

    def refuse(
        self, kind: RefusalKind, game: GameRecord | None = None, **values: JsonValue
    ) -> None:
        """Say why something was not done."""
        self.say(Refusal(kind, values, ref_to(game, self.seat_in(game)) if game else None))

    def ask(self, purpose: Purpose, payload: JsonObject) -> None:
        """What a reply to the answer does; of several questions the first counts."""
        if self.purpose is Purpose.LETTER:
            self.purpose, self.payload = purpose, payload
        elif self.purpose is purpose is Purpose.PROPOSALS:
            self.payload = {**payload, **self.payload}

    # --- where lines go -----------------------------------------------------------------------

    def sit(self, chair: Chair | None) -> None:
        """Lines that follow are of that chair, and of the phase that is due."""
        self.chair = chair
        self.aim, self.is_aimless = None, False

    def lose_aim(self) -> None:
        """A phase was named that cannot be told: lines that follow are stored for none."""
        self.aim, self.is_aimless = None, True

    def ahead_of(self, game: GameRecord, seat: SeatId) -> AheadWork:
        return self.ahead.setdefault((game.name, seat), AheadWork())

    # --- who and where ------------------------------------------------------------------------

    @property
    def player(self) -> Player | None:
        """The writer, if he is known and this letter proves that it is he."""
        return self.visitor.player if self.visitor.proven else None

    def seat_in(self, game: GameRecord) -> SeatId | None:
        """The seat that this letter sits at in a game, None for its master."""
        if self.chair is not None and self.chair.game == game.name:
            return self.chair.seat
        return None

    def ref(self, game: GameRecord) -> GameRef:
        return ref_to(game, self.seat_in(game))

    def game(self) -> GameRecord | None:
        """The game of the present chair."""
        return self.session.game(self.chair.game) if self.chair else None

    @property
    def language(self) -> str:
        """The player's language, or the letter's where we have it, or the judge's first."""
        if self.visitor.player is not None and not self.visitor.stranger_reply:
            return self.visitor.player.language
        guess, languages = self.letter.language, self.session.house.languages
        return guess if guess in languages else languages[0]

    @property
    def zone(self) -> str:
        if self.visitor.player is not None and not self.visitor.stranger_reply:
            return self.visitor.player.zone
        return self.session.house.zone


def as_json(lines: Sequence[str]) -> list[JsonValue]:
    """Lines for a payload."""
    return list(lines)
