"""How games ended for their players, and the ratings made from that."""

from collections.abc import Sequence

from judge.store.people import Placing, PlayerId, Rating
from judge.store.rows import Table, from_row, row_of

RATINGS_OF = "SELECT * FROM ratings WHERE player = ? ORDER BY variant"
BEST = """
SELECT ratings.* FROM ratings JOIN players ON id = player
WHERE variant = ? AND is_public ORDER BY mu DESC LIMIT ?
"""
UNRATED = """
SELECT game, player, variant, place, ended_at FROM placings
WHERE variant = ? AND NOT is_rated ORDER BY ended_at, game, player
"""


class Ratings(Table):
    def of(self, player: PlayerId) -> tuple[Rating, ...]:
        """A player's ratings, by variant."""
        return self._ratings(RATINGS_OF, [player])

    def best(self, variant: str, *, limit: int) -> tuple[Rating, ...]:
        """The best of a variant whose profile is public, best first."""
        return self._ratings(BEST, [variant, limit])

    def unrated(self, variant: str) -> tuple[Placing, ...]:
        """Results that no rating has in it yet, by the end of their games."""
        rows = self.run(UNRATED, [variant])
        return tuple(from_row(row, Placing, f"placings of {variant}") for row in rows)

    def save(self, results: Sequence[Placing], ratings: Sequence[Rating]) -> None:
        """Keep results, and the ratings that have them in them."""
        for result in results:
            self.insert("placings", {**row_of(result), "is_rated": 1}, replace=True)
        for rating in ratings:
            self.insert("ratings", row_of(rating), replace=True)

    def forget_game(self, game: str) -> None:
        """The game is not over any more, or is gone: the ratings of its variant begin anew."""
        sql = "DELETE FROM placings WHERE game = ? RETURNING variant"
        for variant in {row["variant"] for row in self.run(sql, [game]).fetchall()}:
            self.run("DELETE FROM ratings WHERE variant = ?", [variant])
            self.run("UPDATE placings SET is_rated = 0 WHERE variant = ?", [variant])

    def _ratings(self, sql: str, values: Sequence[object]) -> tuple[Rating, ...]:
        return tuple(from_row(row, Rating, "ratings") for row in self.run(sql, values))
