"""The daily digest of a master: one letter about all their games, with lines to copy."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from judge.host.games.holdups import holdups_of
from judge.host.games.orders_due import deadline_of, is_undated, timing_of
from judge.host.messages.master_acts import Digest, DigestGroup, DigestRow
from judge.host.messages.shared import HoldupKind
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.store import GameRecord, Player, PlayerId, Status

OFF = "off"
USUAL_HOUR = "08:00"
FEWEST = 2  # games for which there is a digest that nobody has asked for
SOON = timedelta(days=2)
DAY = timedelta(days=1)
GROUPS = tuple(DigestGroup)
AS_EVER = {HoldupKind.MANUAL, HoldupKind.NO_EARLY}  # how a game is set, which no digest repeats
MASTERS_OWN = {  # what waits for the master alone
    HoldupKind.HALTED,
    HoldupKind.ASKING,
    HoldupKind.DRAFT,
    HoldupKind.FAULTS,
    HoldupKind.TO_START,
    HoldupKind.HELD,
    HoldupKind.READY,
}


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
    master, never = work.player(player), work.now + timedelta(days=10_000)
    assert master.digest_at is not None
    since = master.digest_at - DAY
    ended = map(work.game, work.repository.games.ended_of_player(player, since))
    games = [*work.games_of(player), *filter(None, ended)]
    own = [game for game in games if game.is_master(player) and not game.is_practice]

    def rank(row: DigestRow) -> tuple[int, datetime]:
        """Those that wait for their master first, then by their deadlines."""
        return GROUPS.index(row.group), row.due.at if row.due else never

    rows = tuple(sorted((_row(work, game, since) for game in own), key=rank))
    if len(rows) < (1 if master.digest else FEWEST):
        work.put_player(replace(master, digest_at=None))
        return
    if work.now - master.digest_at < DAY:
        work.write(master, "digest", [Digest(rows, master.digest or USUAL_HOUR)])
    work.put_player(with_next_digest(master, work.now))


def _row(work: UnitOfWork, game: GameRecord, since: datetime) -> DigestRow:
    row = DigestRow(ref_to(game), DigestGroup.OTHER, game.status)
    if game.status is Status.FINISHED:
        return replace(row, group=DigestGroup.OVER)
    found = holdups_of(work, game)
    row = replace(row, holdups=tuple(one for one in found if one.kind not in AS_EVER))
    if game.status is Status.ACTIVE:
        timing = timing_of(game)
        is_dated = not (timing.held or timing.waits or is_undated(game))
        row = replace(
            row,
            ran=work.repository.phases.newest_label_since(game.name, since),
            began=game.phase_serial == 1 and timing.opened_at >= since,
            due=deadline_of(game, None, work.now) if is_dated else None,
        )
        if is_dated and timing.deadline_at > work.now + SOON and timing.grace_until is None:
            early = tuple(one for one in row.holdups if one.kind is not HoldupKind.OWING)
            row = replace(row, holdups=early)
    if any(one.kind in MASTERS_OWN for one in found):
        return replace(row, group=DigestGroup.WAITS)
    is_soon = row.due is not None and row.due.at <= work.now + SOON
    return replace(row, group=DigestGroup.SOON if is_soon else DigestGroup.OTHER)
