"""The game: board, notation, movement, retreats, adjustments; pure functions."""

from judge.diplomacy.adjudicate_lines import adjudicate_line, answer_line

__all__ = ["adjudicate_line", "answer_line"]
