"""Ratings, how well somebody plays a variant, from the results of finished games; and reliability,
whether they send orders in time.

The formula of ratings is the Plackett-Luce model of Weng and Lin, "A Bayesian Approximation Method
for Online Ranking", Journal of Machine Learning Research 12 (2011). Who shares first place gains
the less, the more they are; all others have the place behind it, whether they survived or not.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from itertools import groupby

from msgspec.structs import replace
from openskill.models import PlackettLuce

from judge.host.games.orders_due import awaited_seats, counts_silence, timing_of
from judge.host.messages.people import RatingRow
from judge.host.messages.shared import RatingMove
from judge.host.unit_of_work import UnitOfWork
from judge.rulebook import SeatId
from judge.store import Conduct, GameRecord, GameSettings, Placing, PlayerId, Rating

MODEL = PlackettLuce()  # its own figures: mu 25, sigma 25/3 for whoever is new
NEW_RATING = 1500  # what whoever is new is shown to have
STEP = 60  # what one of mu is shown as
FIRST, BEHIND = 1, 2
FEWEST_PLAYERS = 3


def shown_rating(rating: Rating | None) -> int:
    """A rating as people read it, about 1000 to 2500; 1500 for whoever has none."""
    return NEW_RATING + round(STEP * (rating.mu - MODEL.mu)) if rating else NEW_RATING


def rate_game(work: UnitOfWork, game: GameRecord) -> None:
    """Record how a game that has just ended came out for its players, and rate them."""
    is_rated = game.settings.rated and bool(game.winners) and not game.is_practice
    here = {one.player for one in game.tenures if one.until_serial is None}
    first: dict[SeatId, PlayerId] = {}
    places: dict[PlayerId, int] = {}
    for one in game.tenures if is_rated else ():
        first.setdefault(one.seat, one.player)
        if one.until_serial is None and one.seat in game.winners:
            places[one.player] = FIRST
        # Whoever gave a seat up or lost it, and is not back, has lost. Whoever took such a seat
        # over is rated only if it wins or shares the end: nobody loses by helping out.
        elif one.player == first[one.seat] or one.player not in here:
            places.setdefault(one.player, BEHIND)
    variant, results = game.settings.variant, list[Placing]()
    if len(places) >= FEWEST_PLAYERS:
        for player, place in places.items():
            results.append(Placing(game.name, player, variant, place, work.now))
    settle_ratings(work, variant, results)


def settle_ratings(work: UnitOfWork, variant: str, new: Iterable[Placing] = ()) -> None:
    """Bring the ratings of a variant up to date: with new results, and after a correction with all
    since the first game, which the store gives as unrated then."""
    known = {(one.game, one.player) for one in work.placings}
    unrated = (*work.repository.ratings.unrated(variant), *new)
    waiting = [one for one in unrated if (one.game, one.player) not in known]
    for _, group in groupby(waiting, key=lambda one: one.game):
        results = tuple(group)
        before = [work.rating(variant, one.player) for one in results]
        teams = [
            [MODEL.create_rating([one.mu, one.sigma]) if one else MODEL.rating()] for one in before
        ]
        rated = MODEL.rate(teams, ranks=[float(one.place) for one in results])
        for result, old, (now,) in zip(results, before, rated, strict=True):
            rating = old or Rating(variant, result.player, MODEL.mu, MODEL.sigma, 0)
            rating = replace(rating, mu=now.mu, sigma=now.sigma, games=rating.games + 1)
            work.keep_placing(result, rating)
            move = RatingMove(variant, shown_rating(old), shown_rating(rating), rating.games)
            work.rating_moves[result.game, result.player] = move


def rating_rows(work: UnitOfWork, player: PlayerId) -> tuple[RatingRow, ...]:
    """A player's ratings, by variant."""
    return tuple(
        RatingRow(one.variant, shown_rating(one), one.games)
        for one in work.repository.ratings.of(player)
    )


# --- reliability ----------------------------------------------------------------------------------


WINDOW = timedelta(days=365)
FEW_PHASES = 6  # fewer than these say nothing yet: whoever has played them is new
# What counts as a phase; a seat given up is one that was missed.
PHASES = (Conduct.ON_TIME, Conduct.LATE, Conduct.MISSED, Conduct.RESIGNED)


def note_phase(work: UnitOfWork, game: GameRecord, missing: frozenset[SeatId]) -> None:
    """Count who was in time for the phase that runs now, where silence is an absence. A silent seat
    that is not `missing` is excused: the master chose the moment."""
    for seat in awaited_seats(game) if counts_silence(game) else ():
        if seat.player is None:
            continue
        if seat.id in missing:
            work.note_conduct(game, seat.player, Conduct.MISSED)
        elif seat.id in timing_of(game).late:
            work.note_conduct(game, seat.player, Conduct.LATE)
        elif seat.ready or game.order_set(seat.id):
            work.note_conduct(game, seat.player, Conduct.ON_TIME)


def recent_conduct(work: UnitOfWork, player: PlayerId) -> Mapping[Conduct, int]:
    """How often each event happened to a player within the window."""
    return work.repository.players.conduct_since(player, work.now - WINDOW)


def reliability_percent(counts: Mapping[Conduct, int]) -> int | None:
    """In how many of a hundred phases orders were in time, rounded down; None for who is new."""
    phases = sum(counts.get(one, 0) for one in PHASES)
    return None if phases < FEW_PHASES else 100 * counts.get(Conduct.ON_TIME, 0) // phases


def is_reliable_enough(settings: GameSettings, counts: Mapping[Conduct, int]) -> bool:
    """Whether a game's `RELIABILITY >= 80 or NEW` lets a player in."""
    reached = reliability_percent(counts)
    if reached is None:
        return settings.takes_new or not settings.reliability
    return reached >= settings.reliability
