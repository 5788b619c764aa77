"""Who has a part in a game, and since when."""

from msgspec.structs import replace

from judge.store import GameRecord, Player, PlayerId, Status, Tenure


def with_tenures(game: GameRecord) -> GameRecord:
    """The running game with what has changed of its players noted, whoever changed it: who has left
    a seat in the phase that is open, and who has got one."""
    phase = game.phase
    if game.status is not Status.ACTIVE or game.is_practice or phase is None:
        return game
    holders = {seat.id: seat.player for seat in game.seats}
    left = []
    for one in game.tenures:
        is_theirs = holders.get(one.seat) == one.player
        if one.until_serial is None and not is_theirs:
            one = replace(one, until=phase.label, until_serial=phase.serial)
        elif one.until_serial == phase.serial and is_theirs:
            one = replace(one, until="", until_serial=None)  # they took it again
        left.append(one)
    held = {one.seat for one in left if one.until_serial is None}
    # Of a game that began before there were tenures nobody knows since when.
    since = phase.label if game.tenures or phase.serial == 1 else ""
    new = tuple(
        Tenure(seat, player, since, phase.serial if since else 1)
        for seat, player in holders.items()
        if player is not None and seat not in held
    )
    gone = {one.seat for one, before in zip(left, game.tenures, strict=True) if one != before}
    proposals = game.proposals
    if gone:  # nobody votes as their predecessor did
        voted = [
            {seat: yes for seat, yes in one.votes.items() if seat not in gone} for one in proposals
        ]
        proposals = tuple(
            replace(one, votes=votes) for one, votes in zip(proposals, voted, strict=True)
        )
    return replace(game, tenures=(*left, *new), proposals=proposals)


def has_part(game: GameRecord, player: PlayerId) -> bool:
    """Whether a player is in a game in any way, on a list or as an observer too."""
    before = {one.player for one in (*game.applicants, *game.waiting, *game.asking)}
    if player in {*game.master_ids, *before, *(one.player for one in game.observers)}:
        return True
    return any(
        player in (seat.player, seat.standby) or (seat.player is None and seat.former == player)
        for seat in game.seats
    )


def without_observer(game: GameRecord, player: PlayerId) -> GameRecord:
    """The game, which somebody does not observe any more."""
    return replace(game, observers=tuple(one for one in game.observers if one.player != player))


def are_apart(one: Player, other: Player) -> bool:
    """Whether one of two people does not want to meet the other in a game."""
    return one.id in other.blocked or other.id in one.blocked
