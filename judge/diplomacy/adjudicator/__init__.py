"""The adjudicator: which orders of a movement phase succeed, and why.

A `Contest` goes in; `decide` makes `Decisions` of it, and `explain` the results with their reasons.
It is written for speed as well, and the one package that may be compiled (docs/performance.md); it
knows nothing of writing, of positions or of variants, whose own rules enter as `Hook`s.

    contest.py      what is fought out, and where a variant's own rules enter
    convoys.py      which fleets may convoy an army where
    matching.py     which support and which convoy is for whom
    decisions.py    strengths, cut supports, dependency cycles, paradoxes: who succeeds
    explanation.py  the outcome of each order, with what decided it
"""

from judge.diplomacy.adjudicator.contest import Contest, Decide, Hook
from judge.diplomacy.adjudicator.convoys import all_seas, can_be_convoyed, fleets_on_routes
from judge.diplomacy.adjudicator.decisions import Decisions, decide
from judge.diplomacy.adjudicator.explanation import explain

__all__ = [
    "Contest",
    "Decide",
    "Decisions",
    "Hook",
    "all_seas",
    "can_be_convoyed",
    "decide",
    "explain",
    "fleets_on_routes",
]
