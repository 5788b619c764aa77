"""Proposals: what the seats of a game vote on, who votes, how many must agree, what each may see.

An end is one that the rulebook declares; the other kinds are the host's own. Nobody waits for a
voter who is not there: vacant seats, seats that are out of the game, and those that missed the last
main phase and are silent since do not count, until they vote.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from msgspec.structs import replace

from judge.host.messages.shared import Motion
from judge.host.unit_of_work import opened, rulebook_of
from judge.rulebook import SeatId, Sharing, Vote
from judge.store import Ballots, GameRecord, Naming, Proposal, SeatRecord, VotesLast


class Kind(StrEnum):
    """What can be proposed beside an end of the game."""

    PAUSE = "pause"
    EXTEND = "extend"  # a later deadline
    REPLACE = "replace"  # somebody else for a seat
    SET = "set"  # another value of a setting


MAJORITY = (Kind.PAUSE, Kind.EXTEND, Kind.REPLACE)  # decided by more than half; others need all
OF_PHASE = (Kind.PAUSE, Kind.EXTEND)  # lapse with their phase in every game


def end_of(game: GameRecord, kind: str) -> Vote | None:
    """The end that a kind of proposal is about; None if it is about something else."""
    return next((vote for vote in rulebook_of(game).votes if vote.name == kind), None)


def players_in_play(game: GameRecord) -> list[SeatRecord]:
    """Held seats still in play, which share a draw."""
    survivors = opened(game).result.survivors
    return [seat for seat in game.seats if seat.player is not None and seat.id in survivors]


def players_maybe_in_play(game: GameRecord) -> list[SeatRecord]:
    """Held seats that may be in play for all that everybody knows."""
    if game.settings.blind:
        return [seat for seat in game.seats if seat.player is not None]
    return players_in_play(game)


def voters_of(game: GameRecord, proposal: Proposal) -> list[SeatId]:
    """The seats that decide: not the one that others concede to or want to replace."""
    end = end_of(game, proposal.kind)
    is_about = proposal.kind == Kind.REPLACE or (end and end.sharing is Sharing.ONE)
    without = proposal.seats if is_about else ()
    return [
        seat.id
        for seat in players_in_play(game)
        if seat.id not in without
        and (not seat.misses or seat.ready or game.order_set(seat.id) or seat.id in proposal.votes)
    ]


def needed_of(game: GameRecord, proposal: Proposal) -> int:
    """How many of them must say yes."""
    voters = len(voters_of(game, proposal))
    return voters // 2 + 1 if proposal.kind in MAJORITY else voters


def is_agreed(game: GameRecord, proposal: Proposal) -> bool:
    """Whether all have said yes whom it needs; by nobody nothing is agreed, nor an end of which
    nobody in play has the result."""
    if end_of(game, proposal.kind) is not None and not winners_of(game, proposal):
        return False
    yes = sum(proposal.votes.get(seat, False) for seat in voters_of(game, proposal))
    return yes >= max(needed_of(game, proposal), 1)


def agreed_end(game: GameRecord) -> Proposal | None:
    """An end that all agree on by now; standing votes may do so when a power is out of the game."""
    ends = (one for one in game.proposals if end_of(game, one.kind))
    return next((one for one in ends if is_agreed(game, one)), None)


def winners_of(game: GameRecord, proposal: Proposal) -> tuple[SeatId, ...]:
    """Who has the result of an agreed end."""
    if not proposal.seats:
        return tuple(seat.id for seat in players_in_play(game))
    if game.settings.blind:  # the voters did not know who is out
        survivors = opened(game).result.survivors
        return tuple(one for one in proposal.seats if one in survivors)
    return proposal.seats


def motion_seen_by(game: GameRecord, proposal: Proposal, reader: SeatId | None) -> Motion:
    """A proposal as a seat, or the master, may see it."""
    voters, ballots = voters_of(game, proposal), game.settings.ballots
    votes = {seat: proposal.votes[seat] for seat in voters if seat in proposal.votes}
    yes, is_counted = sum(votes.values()), ballots is not Ballots.SECRET
    is_end = end_of(game, proposal.kind) is not None
    is_named = proposal.is_announced and game.settings.proposer is Naming.SHOWN
    is_told = not game.settings.blind  # how many are in play
    return Motion(
        number=proposal.number,
        kind=proposal.kind,
        is_end=is_end,
        needed=needed_of(game, proposal) if is_told else 0,
        voters=len(voters) if is_told else 0,
        is_majority=proposal.kind in MAJORITY,
        has_standby=game.settings.standby,
        seats=proposal.seats,
        at=proposal.at,
        length=proposal.length,
        setting=proposal.setting,
        value=proposal.value,
        by=proposal.by if is_named and proposal.by != reader else None,
        own=proposal.votes.get(reader) if reader else None,
        yes=yes if is_counted else None,
        no=len(votes) - yes if is_counted else None,
        votes=votes if ballots is Ballots.OPEN else None,
        stands=game.settings.votes_last is VotesLast.STANDING and proposal.kind not in OF_PHASE,
        may_decide=reader is None and not is_end,
    )


def motions_for(game: GameRecord, reader: SeatId | None) -> tuple[Motion, ...]:
    """What is voted on, as far as a seat or the master may know of it."""
    is_secret = game.settings.ballots is Ballots.SECRET
    return tuple(
        motion_seen_by(game, one, reader)
        for one in game.proposals
        if one.is_announced or not is_secret or reader in one.votes
    )


def with_proposals(game: GameRecord, proposals: Sequence[Proposal]) -> GameRecord:
    """The game with these proposals; one that nobody votes for and nobody was asked about goes."""
    kept = tuple(one for one in proposals if one.votes or one.is_announced)
    return replace(game, proposals=kept)


def without_extensions(game: GameRecord) -> GameRecord:
    """The game without wishes for a later deadline, which are about the one that it had."""
    return with_proposals(game, [one for one in game.proposals if one.kind != Kind.EXTEND])


def without_votes_on_deadline(game: GameRecord, until: datetime | None = None) -> GameRecord:
    """The game, whose deadline has passed, without votes on it; with `until`, the end of grace,
    without wishes for no more time than that."""
    kept = [
        one
        for one in game.proposals
        if one.kind not in OF_PHASE or (until and (one.at is None or one.at > until))
    ]
    return with_proposals(game, kept)


def without_lapsed_proposals(game: GameRecord) -> GameRecord:
    """The game with proposals that outlast a phase: whose seats are still in play."""
    if game.settings.votes_last is VotesLast.PHASE:
        return replace(game, proposals=())
    survivors = {*opened(game).result.survivors}
    kept = [
        one
        for one in game.proposals
        if one.kind not in OF_PHASE and (game.settings.blind or survivors.issuperset(one.seats))
    ]
    return with_proposals(game, kept)
