"""Rows of orders as our letters show them, copied whole into a reply: an order in canonical
notation and its words, `WAIVE   leave a build out`, perhaps with a note, `(kept)`.

The words and notes are `[rows]` of `grammar/<language>/orders.toml`; in place of words the order
may stand in the notation of the reader's language. Free of any position.
"""

import re
from functools import cache

from judge.diplomacy.language.grammar import Fault, Parsed
from judge.diplomacy.language.lexicon import Lexicon, listed
from judge.diplomacy.language.lines.line_reading import read_line
from judge.diplomacy.notation import CANONICAL_FORMS
from judge.diplomacy.retreat_preferences import LINE_LONGEST, condition_spans, read_preferences

_PREFERENCES = re.compile(
    r"IF DISLODGED (?:[AF] )?[A-Z]{3}(?:/[NSEW]C)? (?:R [A-Z]{3}[A-Z/, ]*|DISBAND)"
)
_GAP = re.compile(r"\s{2,}")


def order_in_row(line: str, words: Lexicon) -> str:
    """The canonical order of a line that is a row of ours; any other line as it is."""
    if len(line) > LINE_LONGEST:
        return line
    text = _kept_note_pattern().sub("", line).strip()
    if _is_canonical(text):
        return text
    if (found := _worded_order_pattern().fullmatch(text)) and _is_canonical(found[1]):
        return found[1]
    halves = [one.strip("()") for one in _GAP.split(text, maxsplit=1)]
    for order, beside in (halves, halves[::-1]) if len(halves) == 2 else ():
        said = _meaning(beside, words) if _is_canonical(order) else None
        if said is not None and said == _meaning(order, words):
            return order
    return line


def _is_canonical(text: str) -> bool:
    return bool(CANONICAL_FORMS.fullmatch(text) or _PREFERENCES.fullmatch(text))


def _meaning(text: str, words: Lexicon) -> object:
    """What a text says, wherever it stands in it; None if that is not one order."""
    if condition_spans(text):
        wished = [one for one in read_preferences(text, words) if not isinstance(one, Fault)]
        return [(one.unit, [choice.places for choice in one.choices]) for one in wished] or None
    read = read_line(text, words)
    return read[0].readings if len(read) == 1 and isinstance(read[0], Parsed) else None


@cache
def _kept_note_pattern() -> re.Pattern[str]:
    notes = "|".join(map(re.escape, listed("rows", "kept")))
    return re.compile(rf"\s*(?:{notes})\s*$")


@cache
def _worded_order_pattern() -> re.Pattern[str]:
    """An order, and words that stand beside one."""
    return re.compile(rf"(.+?)\s+(?:{'|'.join(listed('rows', 'words'))})")
