"""How a game ends, what is told of it, and who is named in it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from judge.host.games.press_delivery import publish_held
from judge.host.games.proposals import end_of, winners_of
from judge.host.games.ratings import rate_game
from judge.host.games.tenures import with_tenures
from judge.host.messages import Message
from judge.host.messages.game_events import GameOver, Papers
from judge.host.messages.games import ActRow, Summary
from judge.host.messages.shared import GameRef, RosterEntry, TenureEntry, Written
from judge.host.unit_of_work import (
    UnitOfWork,
    game_ref_for_master,
    is_hidden_from,
    opened,
    ref_to,
    rulebook_of,
    shown,
)
from judge.rulebook import SeatId
from judge.store import (
    Act,
    Conduct,
    GameRecord,
    Master,
    NoteKind,
    PhaseRecord,
    PlayerId,
    PlayerNote,
    Proposal,
    Scoring,
    SeatRecord,
    Status,
)

PRACTICE_ENDING = "practice"  # a practice game that its player or its last phase has ended
TERMINATED = "terminated"  # by its master, without a result
MOST_ACTS = 60  # of one SUMMARY
# Whose names nobody hides.
OF_MASTERS = (Act.PROMOTED, Act.DEMOTED, Act.HANDED_OVER, Act.APPOINTED)
LONGEST_BASE = 18  # letters of a name that a number follows
POINTS = 100  # that a game gives in all
PLACE_POINTS = 1000  # by which places differ in `carnage`


def end_game(
    work: UnitOfWork, game: GameRecord, ending: str, winners: tuple[SeatId, ...]
) -> GameRecord:
    """The game is over; its seats keep their players, and nothing is due any more."""
    for seat in game.seats:
        if seat.player is not None:
            work.note_conduct(game, seat.player, Conduct.FINISHED)
    game = replace(
        with_tenures(game),
        status=Status.FINISHED,
        ending=ending,
        winners=winners,
        ended_at=work.now,
        scores=opened(game).result.scores,
        timing=None,
        due_at=None,
        advance={},
        proposals=(),
        has_told_all=False,
    )
    rate_game(work, game)
    if not game.settings.again or game.is_practice or game.next_game or ending == TERMINATED:
        return game

    # Another is open to players, with the same settings and masters: `balkan2` after `balkan`.
    base = game.name.rstrip("0123456789")
    number, base = int(game.name[len(base) :] or 1), base[:LONGEST_BASE]
    while work.game(name := f"{base}{(number := number + 1)}") is not None:
        pass
    following = GameRecord(
        name=name,
        game=game.game,
        status=Status.FORMING,
        masters=tuple(Master(one.player) for one in game.masters),
        settings=game.settings,
        seed=work.tokens.seed(name),
        created_at=work.now,
    )
    work.put_game(following)
    return replace(game, next_game=name)


def end_by_vote(work: UnitOfWork, game: GameRecord, proposal: Proposal) -> GameRecord:
    """The end that players have agreed on."""
    end = end_of(game, proposal.kind)
    assert end is not None
    return end_game(work, game, end.ending or end.name, winners_of(game, proposal))


def public_game_over(work: UnitOfWork, game: GameRecord) -> GameOver | None:
    """How a game ended, as everybody may know it; None while it goes on."""
    if not game.ending or game.state is None:
        return None
    settings = game.settings
    is_told = bool(settings.statements) and not game.is_practice and game.ended_at is not None
    return GameOver(
        game=ref_to(game),
        view=shown(game, ref_to(game)).view(None),
        ending=game.ending,
        winners=game.winners,
        roster=roster(work, game),
        seed=game.seed.hex(),
        tenures=() if game.is_practice else tenures_told(work, game),
        history=() if game.is_practice else score_history(game, work.phases_of(game.name)),
        archive_number=game.archive_number,
        next_game=game.next_game,
        next_needs_word=bool(game.next_game and settings.join_word),
        next_by_invitation=not (settings.listed or settings.join_word),
        # A game that was rolled back may end in another way.
        reason=game.end_reason if game.ending == TERMINATED else "",
        scoring="" if game.ending == TERMINATED else settings.scoring,
        points={} if game.ending == TERMINATED else points_by_seat(game),
        statements_until=game.ended_at + settings.statements if is_told and game.ended_at else None,
    )


def game_over_messages(
    work: UnitOfWork, game: GameRecord, ref: GameRef, end: GameOver | None = None
) -> list[Message]:
    """How a game ended, to one reader; nothing while it goes on."""
    end = end or public_game_over(work, game)
    if end is None:
        return []
    player = game.seat(ref.seat).player if ref.seat else None
    rating = work.rating_moves.get((game.name, player)) if player else None
    return [replace(end, game=ref, rating=rating)]


def score_history(
    game: GameRecord, phases: Sequence[PhaseRecord]
) -> tuple[tuple[str, Mapping[SeatId, int]], ...]:
    """The label of each phase that opened with other scores than the one before, and these; the
    last is the phase that the game stands in. `phases`: those that have run."""
    assert game.state is not None
    states = [(one.phase.label, one.state) for one in phases]
    states.append((game.running_phase.label, game.state))
    scores = [(label, rulebook_of(game).open(state).result.scores) for label, state in states]
    return tuple(
        (label, now)
        for at, (label, now) in enumerate(scores)
        if at in (0, len(scores) - 1) or now != scores[at - 1][1]
    )


def summary_of(work: UnitOfWork, game: GameRecord) -> Summary:
    """A game so far, as anybody may know it: its seats, its scores, and what its master did."""
    is_hidden = is_hidden_from(game, ref_to(game))
    scores = () if is_hidden else score_history(game, work.phases_of(game.name))
    return Summary(ref_to(game), roster(work, game), scores=scores, acts=acts_told(work, game))


def acts_told(
    work: UnitOfWork, game: GameRecord, master: PlayerId | None = None
) -> tuple[ActRow, ...]:
    """What its masters did in a game, the last of it: to a master all, also notes, and by whom; to
    others as far as anybody may know. Orders in a player's place are for who wrote them."""
    every = work.repository.acts.of(game.name)
    acts = [one for one in every if one.is_public or master is not None]
    several = len(game.masters) > 1
    is_hidden = is_hidden_from(game, game_ref_for_master(game, master))
    rows = []
    for one in acts[-MOST_ACTS:]:
        who = "" if game.hides_names and one.act not in OF_MASTERS else one.who
        is_others = one.act is Act.ORDERED and one.by != master
        text = "" if is_others or (one.act is Act.EDITED and is_hidden) else one.text
        is_named = master is not None and (several or one.by != master)
        by = work.player(one.by).name if one.by is not None and is_named else ""
        rows.append(ActRow(one.label, one.act, one.seats, who, one.reason, text, by))
    return tuple(rows)


def points_by_seat(game: GameRecord) -> Mapping[SeatId, float]:
    """The points of the seats by the game's scoring; empty where there is none.

    `carnage` is that of tournaments: with seven seats 7000 for the first place and 1000 for the
    last, shared where scores are alike, and a point for each center; a victory takes all of it.
    """
    winners, scoring, scores = game.winners, game.settings.scoring, game.scores
    if scoring is Scoring.NONE:
        return {}
    every = [scores.get(seat.id, 0) for seat in game.seats]
    total, shares = float(POINTS), [float(score**2) for score in every]
    if scoring is Scoring.CARNAGE:
        places = len(every)
        total = sum(every) + PLACE_POINTS * places * (places + 1) / 2
        shares = [
            score
            + PLACE_POINTS * (places - sum(one > score for one in every))
            - PLACE_POINTS * (every.count(score) - 1) / 2
            for score in every
        ]
    is_won = len(winners) == 1 or opened(game).result.is_victory
    if is_won or scoring is Scoring.DRAW_SIZE:
        shares = [float(seat.id in winners) for seat in game.seats]
    elif scoring is Scoring.SOLO:
        shares = [0.0 for _ in game.seats]
    whole = sum(shares) or 1.0
    return {seat.id: total * n / whole for seat, n in zip(game.seats, shares, strict=True)}


def publish_papers(work: UnitOfWork, game: GameRecord) -> None:
    """Some days after the end: the statements and diaries of all to all, in one letter, once."""
    game = work.put_game(replace(game, has_told_all=True))
    order = {seat.id: at for at, seat in enumerate(game.seats)}

    def published_notes(kind: NoteKind) -> tuple[Written, ...]:
        found = map(shown_note, work.notes_of(game, None, kind))
        return tuple(sorted(found, key=lambda one: order.get(one.seat, -1) if one.seat else -1))

    statements, diaries = published_notes(NoteKind.STATEMENT), published_notes(NoteKind.DIARY)
    if statements or diaries:
        work.notify_everybody(
            game, "papers", lambda ref, _: [Papers(ref, statements, diaries)], is_result=True
        )


def shown_note(note: PlayerNote) -> Written:
    """What somebody has published_notes in a game, as it is shown."""
    return Written(note.seat, note.number, note.label, note.text)


def papers_due(game: GameRecord) -> datetime | None:
    """When the statements and diaries of a finished game are published; None if they were."""
    if game.status is not Status.FINISHED or game.has_told_all or game.is_practice:
        return None
    return game.ended_at + game.settings.statements if game.ended_at else None


def tenures_told(work: UnitOfWork, game: GameRecord) -> tuple[TenureEntry, ...]:
    """Who held seats that have changed hands, and from when to when."""
    changed = {one.seat for one in game.tenures if one.until_serial is not None}
    return tuple(
        TenureEntry(
            one.seat,
            "" if game.hides_names else work.player(one.player).name,
            one.since,
            one.until,
            is_hidden=game.hides_names,
        )
        for one in game.tenures
        if one.seat in changed
    )


def notify_game_over(work: UnitOfWork, game: GameRecord) -> None:
    """The last letter of a game that ended without a phase running: players agreed on it."""
    game, postal = publish_held(work, game)
    work.put_game(game)
    end = public_game_over(work, game)

    def messages(ref: GameRef, _: SeatRecord | None) -> list[Message]:
        return [*game_over_messages(work, game, ref, end), *postal]

    work.notify_everybody(game, "over", messages, is_result=True)


def roster(
    work: UnitOfWork, game: GameRecord, *, for_master: bool = False, ref: GameRef | None = None
) -> tuple[RosterEntry, ...]:
    """Who sits where, as the reader of `ref` may see it."""
    result, is_blind = opened(game).result, is_hidden_from(game, ref or ref_to(game))
    is_hidden = game.hides_names and not for_master
    return tuple(
        RosterEntry(
            seat=seat.id,
            player=work.player(seat.player).name if seat.player and not is_hidden else "",
            score=0 if is_blind else result.scores.get(seat.id, 0),
            in_play=is_blind or seat.id in result.survivors,
            is_computer=seat.is_computer,
            is_dummy=seat.is_dummy,
            is_hidden=is_hidden and seat.player is not None,
        )
        for seat in game.seats
    )
