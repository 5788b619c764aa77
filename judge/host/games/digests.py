"""The daily digest of a master: one letter about all their games, each with a line to copy."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from judge.host.games.forming import missing_players
from judge.host.games.missing import may_see
from judge.host.games.orders_due import due_of, is_undated, owing_seats, timing_of
from judge.host.letters.access import Role
from judge.host.messages.master_acts import Digest, DigestGroup, DigestRow
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.store import Control, Fact, GameRecord, Player, PlayerId, Status

OFF = "off"
USUAL_HOUR = "08:00"
FEWEST = 2  # games for which there is a digest that nobody has asked for
SOON = timedelta(days=2)
DAY = timedelta(days=1)
GROUPS = tuple(DigestGroup)


def arm_digest(work: UnitOfWork, player: PlayerId) -> None:
    """Somebody has got a game to master: the clock looks at their digest from now on."""
    master = work.player(player)
    if master.digest_at is None and master.digest != OFF:
        work.put_player(with_next_digest(master, work.now))


def with_next_digest(player: Player, now: datetime) -> Player:
    """The player whose digest is due at the next time of their hour; nothing is due without one."""
    if player.digest == OFF:
        return replace(player, digest_at=None)
    zone, hour = ZoneInfo(player.zone), time.fromisoformat(player.digest or USUAL_HOUR)
    day = now.astimezone(zone).date()
    instants = (datetime.combine(day + DAY * n, hour, zone) for n in range(3))
    return replace(player, digest_at=next(at for at in instants if at > now))


def send_digest(work: UnitOfWork, player: PlayerId) -> None:
    """The digest that is due. Whoever masters too few games gets none, and the clock forgets them
    until they get another; one that is a day late is left out."""
    master = work.player(player)
    assert master.digest_at is not None
    rows = digest_rows(work, player, master.digest_at - DAY)
    if len(rows) < (1 if master.digest else FEWEST):
        work.put_player(replace(master, digest_at=None))
        return
    if work.now - master.digest_at < DAY:
        told = Digest(rows, master.digest or USUAL_HOUR)
        work.write(master, "digest", [told])
    work.put_player(with_next_digest(master, work.now))


def digest_rows(work: UnitOfWork, player: PlayerId, since: datetime) -> tuple[DigestRow, ...]:
    """A row for each game of a master: those that wait for them first, then by their deadlines."""
    ended = map(work.game, work.repository.games.ended_of_player(player, since))
    games = [*work.games_of(player), *(game for game in ended if game is not None)]
    rows = [
        _row(work, game, since) for game in games if game.is_master(player) and not game.is_practice
    ]
    never = work.now + timedelta(days=10_000)
    return tuple(
        sorted(
            rows,
            key=lambda row: (GROUPS.index(row.group), row.due.at if row.due else never),
        )
    )


def _row(work: UnitOfWork, game: GameRecord, since: datetime) -> DigestRow:
    is_active = game.status is Status.ACTIVE
    line = _line_of(work, game)
    row = DigestRow(ref_to(game), DigestGroup.OTHER, line or "STATUS", game.status)
    row = replace(row, halted=game.halted is not None)
    row = replace(row, asking=tuple(work.player(one.player).name for one in game.asking))
    if game.status is Status.FINISHED:
        return replace(row, group=DigestGroup.OVER, line=f"SUMMARY {game.name}")
    if is_active:
        timing, is_masters = timing_of(game), Role(game.name, None)
        is_dated = not (timing.held or timing.waits or is_undated(game))
        row = replace(
            row,
            due=due_of(game, None, work.now) if is_dated else None,
            began=game.phase is not None and game.phase.serial == 1 and timing.opened_at >= since,
            late=timing.late if may_see(game, Fact.LATE, is_masters) else (),
            vacant=tuple(one.id for one in game.seats if one.is_open),
            motions=len(game.proposals),
            held=timing.held is not None,
            ready=_is_ready(game),
        )
        if may_see(game, Fact.ORDERED, is_masters):
            owing = (one.id for one in owing_seats(game))
            row = replace(row, owing=tuple(one for one in owing if one not in row.late))
    elif not game.faults:
        row = replace(row, missing_players=missing_players(game))
    if line or row.halted:
        return replace(row, group=DigestGroup.WAITS)
    is_soon = row.due is not None and row.due.at <= work.now + SOON
    return replace(row, group=DigestGroup.SOON if is_soon else DigestGroup.OTHER)


def _line_of(work: UnitOfWork, game: GameRecord) -> str:
    """What a game waits for that its master alone can do; empty for nothing."""
    if game.asking:
        return f"ALLOW {work.player(game.asking[0].player).name}"
    if game.status is Status.DRAFT:
        return f"OPEN {game.name}"
    if game.status is Status.FORMING:
        is_full = not missing_players(game) and game.settings.start is Control.MANUAL
        return f"START {game.name}" if is_full else ""
    if game.status is Status.ACTIVE and timing_of(game).held is not None:
        return "RESUME"
    if game.status is Status.ACTIVE and _is_ready(game) and game.phase is not None:
        return f"PROCESS {game.phase.label}"
    return ""


def _is_ready(game: GameRecord) -> bool:
    """Whether the phase waits for its master's PROCESS."""
    return game.settings.process is Control.MANUAL and timing_of(game).ready_told
