"""Votes are cast, and what enough of them agree on is carried out: one way for all proposals."""

from datetime import timedelta

from msgspec.structs import replace

from judge.host.games.absences import (
    ask_standbys_for_orders,
    end_calls,
    next_standby,
    notify_seat_changed,
    vacate,
)
from judge.host.games.changing import Change, change_settings, read_change
from judge.host.games.ends import end_by_vote, notify_game_over
from judge.host.games.orders_due import after_absences, deadline_of, next_fitting_of, timing_of
from judge.host.games.proposals import (
    OF_PHASE,
    Kind,
    agreed_end,
    end_of,
    is_agreed,
    motion_seen_by,
    with_proposals,
)
from judge.host.games.reminders import move_deadline
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import BallotCast, SettingsRefused
from judge.host.messages.game_events import MoveReason, Proposed, SeatChanged, SeatEvent
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.rulebook import SeatId, Sharing
from judge.store import GameRecord, Proposal, Purpose


def may_vote_on_deadline(game: GameRecord) -> bool:
    """Whether the players may move the deadline of the running phase by agreement."""
    return bool(game.settings.extension) and not timing_of(game).waits and not game.is_practice


def propose(context: LetterContext, game: GameRecord, seat: SeatId, new: Proposal) -> None:
    """Put something to the vote, with the yes of who proposes it; where the same is voted on, that
    yes counts there. Whoever wants more time agrees to what another has asked for."""
    wanted = (new.kind, new.seats, new.length, new.setting, new.value)
    same = next(
        (
            one
            for one in game.proposals
            if one.kind == new.kind == Kind.EXTEND
            or (one.kind, one.seats, one.length, one.setting, one.value) == wanted
        ),
        None,
    )
    is_news = new.is_announced and not (same and same.is_announced)
    if same is None:
        same = replace(new, number=game.proposed + 1)
        game = replace(game, proposed=same.number, proposals=(*game.proposals, same))
    same = replace(same, is_announced=same.is_announced or is_news)
    cast(context, game, seat, same, True, is_news)


def cast(
    context: LetterContext,
    game: GameRecord,
    seat: SeatId,
    proposal: Proposal,
    choice: bool | None,
    is_news: bool = False,
) -> None:
    """A seat votes yes or no, or (None) takes its vote back; the last yes that is needed carries
    the proposal out. With `is_news` the others are asked."""
    end, work = end_of(game, proposal.kind), context.work
    proposal = _without_vote_of(proposal, seat)
    if choice is not None:
        proposal = replace(proposal, votes={**proposal.votes, seat: choice})
    proposals = [proposal if one.number == proposal.number else one for one in game.proposals]
    if choice and end and end.sharing is Sharing.ONE:  # a newer word for another winner counts
        proposals = [
            _without_vote_of(one, seat) if one.kind == proposal.kind and one != proposal else one
            for one in proposals
        ]
    game = work.put_game(with_proposals(game, proposals))
    agreed = bool(choice) and is_agreed(game, proposal)
    motion = motion_seen_by(game, proposal, seat)
    is_quiet = bool(choice) and end is not None and not agreed and not proposal.is_announced
    context.say(BallotCast(context.ref(game), motion, is_news and not agreed, agreed, is_quiet))
    if agreed:
        carry_out(work, game, proposal)
    elif is_news:  # a letter to every other player, and the masters, whose reply is a vote
        readers = [(one, one.player) for one in game.seats if one.player and one.id != proposal.by]
        for voter, player in (*readers, *((None, one) for one in game.master_ids)):
            ref = ref_to(game, voter.id if voter else None)
            asked = Proposed(
                ref, motion_seen_by(game, proposal, ref.seat), deadline_of(game, voter, work.now)
            )
            work.write(
                work.player(player),
                "proposal",
                [asked],
                ref,
                serial=game.phase_serial,
                purpose=Purpose.VOTE,
                payload={"number": proposal.number},
            )


def _without_vote_of(proposal: Proposal, seat: SeatId) -> Proposal:
    votes = {other: yes for other, yes in proposal.votes.items() if other != seat}
    return replace(proposal, votes=votes)


def settle_votes(work: UnitOfWork, game: GameRecord) -> GameRecord:
    """A voter is gone: carry out what enough of the others have agreed on already; an end first. A
    pause waits while the game is on hold."""
    if game.ending:
        return game
    is_held = timing_of(game).held is not None
    ready = [one for one in game.proposals if not (is_held and one.kind in OF_PHASE)]
    agreed = agreed_end(game) or next((one for one in ready if is_agreed(game, one)), None)
    if agreed is None:
        return game
    carry_out(work, game, agreed)
    return settle_votes(work, work.existing_game(game.name))


def carry_out(
    work: UnitOfWork, game: GameRecord, proposal: Proposal, *, by_master: bool = False
) -> None:
    """Do what was agreed on, and tell everybody."""
    others = [one for one in game.proposals if one.number != proposal.number]
    game, timing = work.put_game(with_proposals(game, others)), timing_of(game)
    if end_of(game, proposal.kind) is not None:
        notify_game_over(work, work.put_game(end_by_vote(work, game, proposal)))
        end_calls(work, game, game.seats)
    elif proposal.kind == Kind.EXTEND and proposal.at is not None:
        by = proposal.at - timing.ends_at
        extended = timing.extended + (timedelta(0) if by_master else by)
        game = replace(game, timing=replace(timing, extended=extended))
        reason = MoveReason.MASTER if by_master else MoveReason.AGREED
        move_deadline(work, game, proposal.at, reason)
    elif proposal.kind == Kind.PAUSE:
        at = after_absences(game, next_fitting_of(game, timing.ends_at, proposal.length))
        until = work.now + proposal.length
        move_deadline(work, game, at, MoveReason.PAUSE, paused_until=until)
    elif proposal.kind == Kind.REPLACE:
        seat = game.seat(proposal.seats[0])
        if seat.player is None:
            return
        # It is open to whoever joins; a standby is asked for its orders at once.
        player, called = work.player(seat.player), seat.standby
        if called is None and game.settings.standby:
            called = next_standby(work, game, passed=seat.player)
        game = game.with_seat(replace(vacate(seat, resigned=True), standby=called))
        # Else one letter of theirs would undo what was agreed.
        game = work.put_game(replace(game, ejected=(*game.ejected, seat.player)))
        notify_seat_changed(work, game, seat.id, SeatEvent.VOTED_OUT, player.name)
        ref = ref_to(game, seat.id)
        told = SeatChanged(ref, seat.id, SeatEvent.VOTED_OUT, player.name)
        work.write(player, "seat", [told], ref)
        ask_standbys_for_orders(work, game, only=seat.id)
    elif proposal.kind == Kind.SET:
        change = proposed_change(work, game, proposal)
        if change.faults:  # it fitted when it was proposed
            work.notify_everybody(
                game, "settings", lambda ref, _: [SettingsRefused(ref, change.faults, True)]
            )
        else:
            change_settings(work, change, by=None)


def proposed_change(work: UnitOfWork, game: GameRecord, proposal: Proposal) -> Change:
    """What a proposed setting does, as whoever proposed it wrote it."""
    holder = game.seat(proposal.by).player
    zone = work.player(holder).zone if holder else work.config.zone
    wanted = {proposal.setting: proposal.value}
    return read_change(game, wanted, work.now, zone, from_now=False)
