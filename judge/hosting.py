"""What the parts of the service share: settings, database, clock, and how the host decides."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from judge.clock import Clock
from judge.config import GameDefaults, Settings
from judge.errors import Fault, SettingsError
from judge.host import (
    HostConfig,
    KeeperNotice,
    Tokens,
    UnitOfWork,
    attach_calendar_events,
    choose_settings,
    excuse_absence_of_judge,
    excuse_halt,
    next_due,
)
from judge.render import languages
from judge.rulebook import DEFAULT_GAME, Value, Values, load_game
from judge.store import (
    Database,
    GameSettings,
    PlayerId,
    Press,
    PressArchive,
    PressRules,
    Transaction,
)

log = logging.getLogger(__name__)

OWNER = "serve"  # of the leases of this daemon; a second one needs another name
SETTLE = timedelta(seconds=1)  # INTERNALDATE has whole seconds: a fetch settles the second before
# Names of timestamps.
HEARTBEAT = "heartbeat"
INSTALLED = "installed"
SENDING_FAILS = "sending_fails"  # no server takes letters since then
TOLD_UNREACHABLE = "told_unreachable"  # keepers were told that the mailbox cannot be read


class Hosting:
    """One judge's settings, database and clock, and its host at work on them."""

    def __init__(self, settings: Settings, database: Database, clock: Clock, secret: bytes) -> None:
        self.settings = settings
        self.database = database
        self.clock = clock
        self.config = host_config(settings)
        self._secret = secret
        self.sending_fails_since: datetime | None = None  # no server takes letters since then

    @contextmanager
    def unit_of_work(self, tx: Transaction, cause: str) -> Iterator[UnitOfWork]:
        """A unit of work whose changes are saved at its end.

        `cause` makes its tokens the same on a retry, so that a letter written twice is one letter.
        """
        tokens = Tokens(self._secret, cause)
        work = UnitOfWork(tx, self.config, tokens, self.clock.now(), next_due)
        yield work
        attach_calendar_events(work)
        tx.save(work.changes(), cause=cause)

    def notify_keepers(self, tx: Transaction, cause: str, what: str, **values: Value) -> None:
        with self.unit_of_work(tx, cause) as work:
            work.notify_keepers(what, values)

    def halt(self, tx: Transaction, game: str, why: str) -> None:
        """Nothing runs in a game, and nobody can order in it, until `release`."""
        tx.games.halt(game, why)
        tx.timestamps.set(f"halted {game}", self.clock.now())

    def release(self, tx: Transaction, game: str) -> None:
        """A halted game goes on; a deadline that passed meanwhile moves as after our absence."""
        halted_at = tx.timestamps.get(f"halted {game}")
        tx.timestamps.set(f"halted {game}", None)
        tx.games.halt(game, None)
        with self.unit_of_work(tx, f"released {game} {self.clock.now().timestamp()}") as work:
            excuse_halt(work, game, halted_at)

    def excuse_outage(self, away_since: datetime, now: datetime, why: str) -> bool:
        """Deadlines that passed since then move, unless it was a moment: the judge was away, or
        sent nobody a letter that could be answered. Whether it was longer."""
        if now - away_since < timedelta(minutes=self.settings.clock.away_minutes):
            return False
        with self.database.read() as tx:
            due = tx.games.due(now)
        log.warning("judge was %s since=%s games=%d", why, away_since.isoformat(), len(due))
        for name in due:
            # A deadline that moved may pass once more within the same absence.
            cause = f"{why} {name} {int(away_since.timestamp())} {int(now.timestamp())}"
            with self.database.transaction() as tx, self.unit_of_work(tx, cause) as work:
                excuse_absence_of_judge(work, name, away_since)
        return True

    def notify_wrong_clock(self, what: str, by: timedelta) -> None:
        """Tell the keepers, once a month, that our clock is `clock_ahead` or `clock_behind`."""
        values = {"seconds": int(by.total_seconds())}
        with self.database.transaction() as tx:
            cause = f"{what} {self.clock.now():%Y-%m}"
            self.notify_once(tx, cause, what, values, values)

    def notify_once(
        self,
        tx: Transaction,
        cause: str,
        what: str,
        facts: Values,
        keepers: Values | None,
        game_name: str | None = None,
        about: PlayerId | None = None,
    ) -> None:
        """Tell the masters of a game but the one whom it is about, and with `keepers` also the
        keepers; once for each cause."""
        if tx.timestamps.get(f"told {cause}") is not None:
            return
        tx.timestamps.set(f"told {cause}", self.clock.now())
        if keepers is not None:
            self.notify_keepers(tx, f"told {cause}", what, **keepers)
        if game_name is None:
            return
        with self.unit_of_work(tx, f"told {cause} {game_name}") as work:
            game = work.game(game_name)
            if game is not None:
                work.notify_masters(game, "notice", [KeeperNotice(what, facts)], without=about)


def host_config(settings: Settings) -> HostConfig:
    """What the host must know of the settings.

    Raises:
        SettingsError: new games would have a board or rules that are not there, or letters a
            language without sentences.
    """
    if unknown := [one for one in settings.judge.languages if one not in languages()]:
        what = f'there are no sentences in "{unknown[0]}"'
        remedy = f"Write some of {', '.join(languages())}"
        raise SettingsError([Fault("judge.languages", what, remedy)])
    return HostConfig(
        address=settings.judge.address,
        languages=settings.judge.languages,
        zone=settings.judge.timezone,
        keepers=settings.judge.keepers,
        defaults=_default_game_settings(settings.defaults),
        order_lines=settings.limits.order_lines,
        stranger_letters_a_day=settings.limits.stranger_letters_a_day,
        strangers_a_day=settings.limits.strangers_a_day,
        letters_an_hour=settings.limits.letters_an_hour,
        games_a_player=settings.limits.games_a_player,
        press_characters=settings.limits.press_characters,
        reports_a_day=settings.limits.reports_a_day,
        confirm_for=timedelta(hours=settings.security.confirm_hours),
    )


def _default_game_settings(defaults: GameDefaults) -> GameSettings:
    """What a new game has, its board and rules read as those in a letter of CREATE."""
    rulebook = load_game(DEFAULT_GAME)
    kinds = [kind.name for kind in rulebook.phase_kinds]
    remedy = f"Write one of {', '.join(kinds)}"
    if faults := [
        Fault(f"defaults.lengths.{kind}", f'there is no kind of phase "{kind}"', remedy)
        for kind in defaults.lengths
        if kind not in kinds
    ]:
        raise SettingsError(faults)
    plain = GameSettings(
        variant="standard",
        rules="2000",
        lengths={
            kind.name: defaults.lengths.get(kind.name, kind.length) for kind in rulebook.phase_kinds
        },
        grace=defaults.grace,
        reminder=defaults.reminder,
        all_in_delay=defaults.all_in_delay,
        confirm=defaults.confirm,
        press=Press(defaults.press.value),
        votes=tuple(vote.name for vote in rulebook.votes if not vote.value),
        press_rules=PressRules(archive=PressArchive.PLAYERS),  # games of before keep NEVER
    )
    wanted = {"variant": defaults.variant, "rules": defaults.rules}
    chosen = choose_settings(plain, wanted)
    if chosen.faults:
        raise SettingsError(
            Fault(
                f"defaults.{one.name if one.name in wanted else 'rules'}",
                f'there is no "{one.written}" for {one.name}',
                f"Write one of {', '.join(one.known)}",
            )
            for one in chosen.faults
        )
    return chosen.settings
