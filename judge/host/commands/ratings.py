"""RATINGS: who plays a variant best."""

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_variant
from judge.host.games.ratings import rating_rows, settle_ratings, shown_rating
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.people import RatingList, RatingRow
from judge.rulebook import DEFAULT_GAME, load_game

MOST_RATED = 50  # players in one letter


def ratings(context: LetterContext, line: CommandLine) -> None:
    """`RATINGS`, `RATINGS colonial`: the best whose profile is public, and one's own."""
    work, player = context.work, context.player
    variant = load_game(DEFAULT_GAME).variants()[0]
    if "names" in line.arguments:
        named = find_variant(context, line.arguments["names"])
        if named is None:
            return
        variant = named
    settle_ratings(work, variant)
    best = work.repository.ratings.best(variant, limit=MOST_RATED)
    if work.placings:  # after a correction none of the variant are kept yet
        best = tuple(one for one in work.ratings_of(variant) if work.player(one.player).is_public)
    rows = (
        RatingRow(work.player(one.player).name, shown_rating(one), one.games)
        for one in best[:MOST_RATED]
    )
    own = rating_rows(work, player.id) if player else ()
    context.say(RatingList(DEFAULT_GAME, variant, tuple(rows), own))


HANDLERS: Handlers = {
    "ratings": ratings,
}
