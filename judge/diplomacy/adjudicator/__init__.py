"""The adjudicator: which orders of a movement phase succeed, and why.

Written orders go in: `make_contest` says what each unit is told to do, `decide` makes `Decisions`
of that, and `explain` the results with their reasons. It is written for speed as well, and the one
package that may be compiled (docs/performance.md); it knows nothing of texts and of phases, and of
a variant only its board and its closed provinces; a variant's own rules enter as `Hook`s.

    legality.py     whether a written order may be done, whatever the others order
    unit_orders.py  which order each unit carries out
    contest.py      what is fought out, and where a variant's own rules enter
    convoys.py      which fleets may convoy an army where
    matching.py     which support and which convoy is for whom
    decisions.py    strengths, cut supports, dependency cycles, paradoxes: who succeeds
    explanation.py  the outcome of each order, with what decided it
"""

from judge.diplomacy.adjudicator.contest import Contest, Decide, Hook
from judge.diplomacy.adjudicator.convoys import can_be_convoyed
from judge.diplomacy.adjudicator.decisions import Decisions, decide
from judge.diplomacy.adjudicator.explanation import explain
from judge.diplomacy.adjudicator.legality import OF_MOVEMENT, Legality, illegal
from judge.diplomacy.adjudicator.unit_orders import check_lines, choose_order, make_contest

__all__ = [
    "OF_MOVEMENT",
    "Contest",
    "Decide",
    "Decisions",
    "Hook",
    "Legality",
    "can_be_convoyed",
    "check_lines",
    "choose_order",
    "decide",
    "explain",
    "illegal",
    "make_contest",
]
