"""What a game is set to, as values: press, missing players, schedules, votes, ends."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from enum import StrEnum

import msgspec

from judge.rulebook import SeatId
from judge.store.people import Level


class Press(StrEnum):
    """Whether a game has press, and whether it shows who wrote it."""

    WHITE = "white"
    GREY = "grey"  # it shows that, unless its writer wants otherwise
    NONE = "none"
    GREY_WHITE = "grey_white"  # it hides that, unless its writer wants otherwise
    GREY_ONLY = "grey_only"


class PostalPress(StrEnum):
    """Press that is held, and published with the results of the phase."""

    YES = "yes"
    NO = "no"
    ONLY = "only"  # players have no other press


class LatePress(StrEnum):
    """Press of players whose orders are missing after the deadline."""

    YES = "yes"
    NO = "no"
    SEND = "send"  # they write, and get none
    RECEIVE = "receive"


class PressArchive(StrEnum):
    """Who may read all press of a game when it is over."""

    NEVER = "never"  # nobody: each keeps what they wrote and got
    PLAYERS = "players"  # and the master
    EVERYBODY = "everybody"


class PressReach(StrEnum):
    """Whom a player may write to, beside everybody at once and the master."""

    ALL = "all"
    NEIGHBORS = "neighbors"  # those whose units could meet one's own in a turn
    DISTANT = "distant"  # all others


class PressCopies(StrEnum):
    """Who reads what players write to some of the others, as it is written; players are told."""

    NOBODY = "no"
    MASTER = "master"
    OBSERVERS = "observers"  # and the master


class PressRules(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a game's press may be, beside its color.

    Attributes:
        partial: to some powers; else there are broadcasts alone.
        fake: it may name another writer or other readers than it has.
        minor: there is press in phases that are no movement phases.
        must_order: who has something to send writes press only when it has come.
        observers: they write to the players; to the master they always may.
        archive: who reads all of it when the game is over.
    """

    partial: bool = True
    fake: bool = False
    postal: PostalPress = PostalPress.YES
    minor: bool = True
    late: LatePress = LatePress.YES
    must_order: bool = False
    observers: bool = False
    archive: PressArchive = PressArchive.NEVER
    reach: PressReach = PressReach.ALL
    copies: PressCopies = PressCopies.NOBODY


class Missing(StrEnum):
    """What becomes of a seat from which no orders came, by rules of `host/games/orders_due.py`."""

    WAIT = "wait"  # the phase does not run without them
    DISORDER = "disorder"  # civil disorder for the phase; a second time, the seat is vacant
    VACANT = "vacant"  # civil disorder, and the seat is vacant at once
    HOLD = "hold"  # its units hold, without grace, and the seat is never lost
    CARETAKER = "caretaker"  # as DISORDER, and the computer defends in its place


class Fact(StrEnum):
    """What a game may show of its seats while a phase is open."""

    LATE = "late"  # nothing had come at the deadline
    ORDERED = "ordered"  # their orders are complete
    WAITING = "waiting"  # they asked the phase to wait for its deadline


class Waits(StrEnum):
    """Who may ask a phase to wait for its deadline."""

    ANYONE = "anyone"  # who plays in the game, in every phase
    DUE = "due"  # those who have orders to send in the phase
    MAIN = "main"  # who plays in the game, in main phases
    NOBODY = "nobody"


class Unordered(StrEnum):
    """What orders are that leave some units out."""

    INCOMPLETE = "incomplete"  # unless their player says that they are complete
    COMPLETE = "complete"  # what is left out is as the rulebook has it without orders


class Unplayed(StrEnum):
    """What becomes of the units of a seat that nobody is to play."""

    HOLD = "hold"  # civil disorder by the rulebook
    CARETAKER = "caretaker"  # the computer gives orders that only defend


class Control(StrEnum):
    """Whether something happens by itself or at the master's word."""

    AUTOMATIC = "automatic"
    MANUAL = "manual"


class OnAbsence(StrEnum):
    """What a game does about a deadline that falls in an absence that a player has announced."""

    SHIFT = "shift"  # it moves to after the absence
    STANDBY = "standby"  # it stays; a standby is asked, and nothing is counted against the player


class Seasons(StrEnum):
    """Which phases of a game have a deadline of their own."""

    ALL = "all"
    TWO = "two"  # the main ones: others run with them, by lists that were sent ahead


class Sight(StrEnum):
    """Who sees a fact about the seats of a game, beside the seat itself."""

    EVERYBODY = "everybody"  # whoever asks for the game, observers too
    PLAYERS = "players"  # and the master
    MASTER = "master"
    NOBODY = "nobody"


USUAL_SIGHT: Mapping[Fact, Sight] = {
    Fact.LATE: Sight.EVERYBODY,
    Fact.ORDERED: Sight.MASTER,
    Fact.WAITING: Sight.NOBODY,
}


class Dealing(StrEnum):
    """How a game's powers find their players."""

    WISHES = "wishes"  # by what each has asked for; by lot where that leaves a choice
    RANDOM = "random"  # by lot alone


class Naming(StrEnum):
    """Whether players learn who the others are."""

    SHOWN = "shown"
    HIDDEN = "hidden"  # before the end the master alone knows


class Ballots(StrEnum):
    """What the voters of a game learn of its open votes."""

    SECRET = "secret"  # noqa: S105  # their own
    COUNTS = "counts"  # how many voted yes and no
    OPEN = "open"  # who voted how


class VotesLast(StrEnum):
    """How long votes last."""

    PHASE = "phase"  # until the phase has run
    STANDING = "standing"  # until they are taken back


class Reveal(StrEnum):
    """When a game with hidden names tells who played what."""

    END = "end"  # in the letter of its end
    MASTER = "master"  # when its master says so, after the end
    NEVER = "never"


class Scoring(StrEnum):
    """How points are given at the end of a game."""

    NONE = "none"
    DRAW_SIZE = "draw_size"  # all to the winners, in equal shares
    SQUARES = "squares"  # to those who have won all, else by the squares of the scores
    SOLO = "solo"  # to those who have won all, else nothing
    CARNAGE = "carnage"  # by places, whoever shares an agreed end


class Holiday(msgspec.Struct, frozen=True):
    """Days from the first to the last on which no deadline falls; `yearly` ones come every year,
    and of their dates the year means nothing."""

    first: date
    last: date
    yearly: bool = False


EVERY_DAY = "SMTWTFS"


class Schedule(msgspec.Struct, frozen=True, omit_defaults=True):
    """When the deadlines of a kind of phase fall; `host/schedules/schedule.py` computes them.

    The fields are those of the old judges (NEXT, MIN, CLOCK, DAYS, GRACE, DELAY), and beside them
    the zone and the holidays.

    Attributes:
        length: from one deadline to the next; zero: the next day and time that fit.
        shortest: what players have at least; None: half the length, at most 12 hours.
        clock: the time of day, in minutes past midnight; None: any.
        zone: the IANA zone of the clock, the days and the holidays.
        days: the week from Sunday on, `-MTWTFs`: `-` no deadline falls on the day, lower case: one
            in the afternoon may.
        grace, delay: instead of the game's own grace and `all_in_delay`.
    """

    length: timedelta = timedelta(0)
    shortest: timedelta | None = None
    clock: int | None = None
    zone: str = ""
    days: str = EVERY_DAY
    holidays: tuple[Holiday, ...] = ()
    grace: timedelta | None = None
    delay: timedelta | None = None


class GameSettings(msgspec.Struct, frozen=True):
    """What the master of a game has chosen.

    Attributes:
        rules: the preset.
        lengths: how long each kind of phase usually lasts, by the rulebook's names of the kinds.
        choices: single rules chosen on top of the preset, as (option, value) pairs in the
            rulebook's order.
        options: what was chosen about the variant, likewise.
        votes: the ends that players may agree on, by the rulebook's names.
        schedules: of the kinds of phases that have more than a length; under "" what holds for all.
        reliability: the percentage of phases in time that a player needs to join; 0: none.
        takes_new: whoever has played too little to have a percentage may join all the same.
        missing: what becomes of a seat without orders.
        excused: how many times in a game the deadline moves on for a player who sent nothing.
        absence: how long a player may be away by announcement, in twelve months.
        extension: how far players may move the deadline of a phase by agreement.
        seasons: whether retreats and adjustments have deadlines of their own.
        standby: standbys are asked for the orders of seats whose players are missing.
        sight: who sees what of the seats, where it is not as usual.
        confirm: when the game is full, whoever said YES longer ago than this says it again, and
            has this long for it; zero: nobody is asked.
        powers, names: how they find their players, and whether these are named.
        language: that the players write to each other, as `ko`; empty: any.
        house_rules: the master's own, which everybody accepts who joins.
        dummies: seats that nobody is to play.
        previews: the master sees what orders would do whenever all are in, and before deadlines.
        unplayed: what becomes of their units, and of seats that the master makes dummies later.
        deadlines: phases have one; else they run when all orders are in.
        early: a phase may run before its deadline.
        process, start: how phases run that are due, and how a full game begins.
        rated: its result counts for the ratings of its players.
        ballots, votes_last: what is told of votes, and how long they last.
        proposer: whether the voters learn who has proposed something.
        press_rules: what `press` leaves open.
        listed: it is shown to everybody; else to those in it and to whoever says the join word.
        join_word: that lets in; empty: none is needed.
        comment: what its master says of it, in a line.
        approval: its master is asked about everybody who wants to join.
        reveal: when a game with hidden names tells who played what.
        scoring: how points are given at its end.
        statements: how long after the end its players may still write about it; zero: not at all.
        allow, deny: who alone may join, and who may not: addresses, `@domain` or ids of players.
        late_changes: in grace those whose orders came in time may change them.
        last_reminder: before the deadline, who still owes orders is reminded again; zero: not.
        strict_grace: grace may end on any day; else it goes on to one on which deadlines fall.
        waits: who may ask a phase to wait for its deadline.
        unordered: what orders are that leave some units out.
        again: when it is over, the next game with its settings and masters takes players.
        open_orders: everybody in the game reads each player's orders as they come.
        late_count: notices of late orders say how many times each seat has been late.
        level: who calls themselves of another one may not join.
        blind: each player sees what stands beside their own units and centers, and nothing else.
        not_before: a full game waits until then; None once it has begun.
    """

    variant: str
    rules: str
    lengths: Mapping[str, timedelta]
    grace: timedelta
    reminder: timedelta
    all_in_delay: timedelta
    press: Press
    choices: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    votes: tuple[str, ...] = ()
    schedules: Mapping[str, Schedule] = msgspec.field(default_factory=dict)
    reliability: int = 0
    takes_new: bool = True
    missing: Missing = Missing.DISORDER
    excused: int = 0
    standby: bool = True
    absence: timedelta = timedelta(days=14)
    on_absence: OnAbsence = OnAbsence.SHIFT
    extension: timedelta = timedelta(days=3)
    seasons: Seasons = Seasons.ALL
    sight: Mapping[Fact, Sight] = msgspec.field(default_factory=dict)

    confirm: timedelta = timedelta(0)
    powers: Dealing = Dealing.WISHES
    names: Naming = Naming.SHOWN
    language: str = ""
    house_rules: str = ""
    dummies: tuple[SeatId, ...] = ()
    unplayed: Unplayed = Unplayed.HOLD
    deadlines: bool = True
    early: bool = True
    process: Control = Control.AUTOMATIC
    start: Control = Control.AUTOMATIC
    previews: bool = False
    rated: bool = True
    ballots: Ballots = Ballots.SECRET
    votes_last: VotesLast = VotesLast.PHASE
    proposer: Naming = Naming.SHOWN
    press_rules: PressRules = PressRules()
    listed: bool = True
    join_word: str = ""
    comment: str = ""
    approval: bool = False
    reveal: Reveal = Reveal.END
    scoring: Scoring = Scoring.NONE
    statements: timedelta = timedelta(days=7)
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    late_changes: bool = False
    level: Level = Level.ANY
    strict_grace: bool = True
    last_reminder: timedelta = timedelta(0)
    waits: Waits = Waits.ANYONE
    unordered: Unordered = Unordered.INCOMPLETE
    late_count: bool = False
    again: bool = False
    open_orders: bool = False
    blind: bool = False
    not_before: datetime | None = None

    def who_sees(self, fact: Fact) -> Sight:
        """Who sees a fact about the seats."""
        return self.sight.get(fact, USUAL_SIGHT[fact])

    @property
    def hides_names(self) -> bool:
        return self.names is Naming.HIDDEN
