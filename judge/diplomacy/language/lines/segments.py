"""The words of a line cut where one order ends and the next begins. Free of any position.

Some write an order's words between commas, others put the commas between orders; notes behind an
order, headings and numbers of a list are set apart.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from judge.diplomacy.language.lexicon import JOIN, KINDS, UNKNOWN, VERBS, listed
from judge.diplomacy.language.lines.roles import SAID_LAST, with_verb_behind_unit
from judge.diplomacy.language.tokens import BETWEEN_ORDERS, Segment, Token, begins_unit, word_at

_GOES_ON_LONGEST = 24  # words of an order that may go on over a comma
_NOTE_LONGEST = 16  # words
_ABBREVIATION_LONGEST = 5  # letters: `suppt.`
_HARD_STOPS = frozenset({";", "!", "?"})
_DROPPED = frozenset({":", "(", ")", "[", "]"})
_GOES_ON = frozenset({"-", "H", "S", "C", "VIA", "TSR"})


def split_orders(tokens: Sequence[Token]) -> list[Segment]:
    """The tokens cut where one order ends and the next begins, each verb behind its unit."""
    cut: list[list[Token]] = [[]]
    lists: list[list[Token]] = []  # those that a word joins to the one before
    note_end = 0
    is_led = False  # by a move in an earlier clause
    for at, token in enumerate(tokens):
        word = token.word
        is_led = is_led or (len(cut) > 1 and any(each.word == "-" for each in cut[-2]))
        if at < note_end:
            continue
        if word in ("(", "[", "-", ":") and (note_end := _note_end(cut[-1], tokens, at)):
            words = [each for each in tokens[at:note_end] if each.word == UNKNOWN]
            cut += [words, []]
            continue
        if word[0] in "#@":
            cut[-1].append(token)
        elif word == "PASS" and begins_unit(tokens, at + 1) and any(t.is_place for t in cut[-1]):
            cut.append([token])
        elif word in (*_HARD_STOPS, "/") or (word == ":" and _is_heading(cut[-1])):
            cut.append([])
        elif word in _DROPPED:
            continue
        elif word[0].isdigit() and _is_item_number(cut[-1], tokens[at : at + 3]):
            cut.append([])
        elif word in (JOIN, "."):
            after = tokens[at + 1 : at + 4]
            is_over = word == "." and _lacks_helped_unit(cut[-1])
            is_over = is_over or _ends_clause(cut[-1], token, after, is_led=is_led)
            if is_over or not _goes_on(cut[-1], after):
                cut.append([])
                lists += [cut[-1]] if word == JOIN and token.is_non_latin else []
        elif word in ("H", "S") and cut[-1] and cut[-1][-1].word == word:
            cut[-1][-1] = replace(cut[-1][-1], end=token.end)  # 수비(대기)
        elif word != "-" or _may_take_dash(cut[-1]):
            cut[-1].append(token)
            if token.is_non_latin and token.text.endswith(listed("writing", "reasons")):
                cut.append([])  # 독일이 약하니까 파리는 ...
    done: list[Segment] = []
    for words in filter(None, cut):
        segment = tuple(words)
        if segment[-1].word in SAID_LAST and segment[-1].is_non_latin and len(segment) > 1:
            *unit, place = done[-1] if done else segment
            is_unit = place.is_place and all(t.word in KINDS or t.word[0] == "@" for t in unit)
            is_unit = is_unit and not any(words is each for each in lists)
            named = [token for token in segment if token.is_place or token.word in KINDS]
            is_named = sum(t.is_place for t in named) > 2 or (
                any(t.role in ("agent", "topic") for t in named[:2])
                and all(t.word != "-" for t in segment)
            )
            if done and is_unit and not is_named:  # 마르세유 육군, 파리 육군의 버건디 이동을 지원
                segment = (*done.pop(), *segment)
            segment = with_verb_behind_unit(segment)
        done.append(segment)
    return done


def _note_end(before: Sequence[Token], tokens: Sequence[Token], at: int) -> int:
    """Where a note behind an order ends: `(to bounce)`, `-> resolved`, `: a surprise`; 0 if none
    begins there."""
    if not before or len(before) > _GOES_ON_LONGEST or not any(t.word in VERBS for t in before):
        return 0
    if not (before[-1].is_place or before[-1].word == "H"):
        return 0
    end = at + 1
    if tokens[at].word == "-":
        is_outcome = word_at(tokens, end) == UNKNOWN and tokens[end].text in listed(
            "around", "outcomes"
        )
        if is_outcome and word_at(tokens, end + 1) in BETWEEN_ORDERS:
            return end + 1
        is_comment = word_at(tokens, end) == UNKNOWN and tokens[at].text.strip("-") == ""
        if (
            not is_comment
            or tokens[end].start == tokens[at].end
            or word_at(before, len(before) - 2) != "-"
        ):
            return 0
    if tokens[at].word == ":" and not any(token.is_notation_verb for token in before):
        return 0  # Norway to Sweden: watch out
    closing = {"(": (")",), "[": ("]",)}.get(tokens[at].word, (".", ";", "!"))
    while end < len(tokens) and tokens[end].word not in closing:
        end += 1
        if end - at > _NOTE_LONGEST:
            return 0
    inside = tokens[at + 1 : end]
    is_note = any(t.word == UNKNOWN for t in inside) and not any(
        t.is_place or t.word in (*KINDS, "C", "VIA") or t.word.isdigit() for t in inside
    )
    return min(end + 1, len(tokens)) if is_note else 0


def _is_heading(before: Sequence[Token]) -> bool:
    """`Here are my orders:`, `Spring 1902:`; but not `France:` or `Build:`."""
    return any(token.word == UNKNOWN for token in before) and not any(
        token.word in VERBS or token.is_place for token in before
    )


def _is_item_number(before: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """The 2 of `1. A Par-Pic 2. A Mar-Spa` and of `1、陸軍巴黎；2、陸軍馬賽`."""
    if len(tokens) < 3 or not tokens[0].word.isdigit():
        return False
    if not before and begins_unit(tokens, 1):
        return True
    is_marked = tokens[1].word in (".", ")", ":", JOIN) and tokens[1].start == tokens[0].end
    is_waive = any(token.word in ("WAIVE", "B") for token in before)
    return is_marked and not is_waive and begins_unit(tokens, 2)


def _may_take_dash(before: Sequence[Token]) -> bool:
    """Whether a dash says anything here: not twice, not first, not after `France` alone."""
    if not before or before[-1].word == "-":
        return False
    return len(before) > 1 or before[0].word[0] != "@"


def _lacks_helped_unit(before: Sequence[Token]) -> bool:
    """Whether a sentence says that a unit helps, and not whom: `Gascony supports it`; what the next
    one names is another matter. `A Gas supp.` is an abbreviation."""
    at = max((n for n, token in enumerate(before) if token.word in ("S", "C")), default=None)
    if at is None or not any(token.is_place for token in before[:at]):
        return False
    is_worded = before[at].is_non_latin or len(before[at].text) > _ABBREVIATION_LONGEST
    return is_worded and not any(token.is_place for token in before[at:])


def _ends_clause(
    before: Sequence[Token], stop: Token, after: Sequence[Token], *, is_led: bool
) -> bool:
    """Whether a support in words ends here though it does not say of what, as the next clause has a
    unit and a verb of its own: `Marseilles helping, and Gascony moves to Spain`. `is_led`: there is
    a move before it that it may help."""
    if len(before) < 2 or before[-1].word not in ("S", "C") or not before[-2].is_place:
        return False
    verb = before[-1]
    if verb.text.isascii() and (len(verb.text) < 3 or verb.text.endswith("ing")):
        return len(verb.text) > 2
    if verb.text.isascii() and stop.text.isalpha():
        return True
    moves = [t for t in after[1:2] if t.word == "-" and (t.is_non_latin or len(t.text) > 2)]
    return is_led and after[:1] != [] and after[0].is_place and bool(moves)


def _goes_on(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether an order goes on over a comma or a full stop.

    Some write every word of an order between commas (Korean rulebook, figures 4 to 32), others
    put the commas between orders; an order that lacks something goes on.
    """
    if not before or not after or len(before) > _GOES_ON_LONGEST:
        return False
    words = [token.word for token in before]
    # An unknown word is a name where one would stand, and else prose.
    is_place = [
        word[0] == "#"
        or (word == UNKNOWN and at > 0 and words[at - 1] in ("A", "F", "-", "S", "C"))
        for at, word in enumerate(words)
    ]
    if any(word == UNKNOWN and not is_place[at] for at, word in enumerate(words)):
        return False
    following, places = after[0].word, sum(is_place)
    verbs = [word for word in words if word in VERBS]
    if following in _GOES_ON:
        return True
    if following in VERBS:
        return not verbs
    if "WAIVE" in words:
        return False
    is_said_last = words[-1] == "-" and places > 1 and before[-1].is_non_latin  # ...で攻撃、
    if not is_said_last and (not places or words[-1] in ("-", "A", "F", "TSR")):
        return True
    if words[-1][0] == "@":
        return True
    if words[-1] in ("S", "C", "R") and places == 1:
        return True
    is_last = len(after) < 2 or after[1].word in (JOIN, ".", "/", *_HARD_STOPS)
    if following[0] != "#" or not is_last:
        return False
    # A lone place: via Nth and Eng; `A Par` and `F Rom S F Nap` before it (figure 10).
    if "VIA" in words:
        return True
    return (words[0] in KINDS and places == 1) if not verbs else (verbs == ["S"] and places == 2)
