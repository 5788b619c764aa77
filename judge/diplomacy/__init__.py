"""The game: board, notation, movement, retreats, adjustments; pure functions."""

from judge.diplomacy.adjudicate_lines import adjudicate_line
from judge.diplomacy.adjudicate_stream import adjudicate_stream

__all__ = ["adjudicate_line", "adjudicate_stream"]
