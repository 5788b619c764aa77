"""Puts words into the order of the grammar where a language says them in another.

`파리 육군 버건디로` is `A PAR - BUR`, and a Korean or Japanese sentence ends with its verb. Moves
tokens and leaves their columns as they are; knows nothing of the grammar.
"""

from collections.abc import Sequence

from judge.diplomacy.language.tokens import KINDS, UNKNOWN, VERBS, Segment, Token

MOVE_AFTER = "-<"  # said after the place that something goes to
NOT_BETWEEN_PLACES = "<"  # without a meaning, but between two places it may turn them around
_AT_THE_END = frozenset({"S", "C", "R"})
_STOPS = frozenset({",", ".", ";", "!", "?", "/", ":"})


def in_order(tokens: Sequence[Token]) -> list[Token]:
    """A line's tokens with each unit's kind before its place, each move before its target."""
    done: list[Token] = []
    for at, token in enumerate(tokens):
        after = tokens[at + 1].word if at + 1 < len(tokens) else ""
        if token.word == NOT_BETWEEN_PLACES:
            if done and done[-1].is_place and (after[:1] in ("#", "@") or after in KINDS):
                done.append(token._replace(word=UNKNOWN))  # supports Burgundy from Paris
        elif token.word in KINDS and _follows_its_place(done, token, tokens[at + 1 : at + 3]):
            _put_kind_first(done, token)
        elif token.word == MOVE_AFTER or (token.word == "-" and token.is_letters):
            _settle_move(done, token, after)
        else:
            done.append(token)
    return done


def _follows_its_place(done: Sequence[Token], kind: Token, after: Sequence[Token]) -> bool:
    """Whether a word for army or fleet belongs to the place before it: `巴黎陸軍`, `Paris army`."""
    if len(kind.text) == 1 or not done:
        return False
    is_before_place = bool(after) and after[0].is_place
    if done[-1].word == "B" and len(done) > 1 and kind.is_letters:  # 在巴黎建造陸軍
        return done[-2].is_place and not _has_kind(done[:-1]) and not is_before_place
    if _has_kind(done):
        return False
    if done[-1].is_place:
        return kind.is_letters or not is_before_place
    if is_before_place and not (len(after) > 1 and after[1].word == MOVE_AFTER):
        return False  # 만약 육군 파리 ..., but 파라 육군 피카르디로
    return done[-1].word == UNKNOWN and _is_one_name(done, kind)


def _has_kind(done: Sequence[Token]) -> bool:
    """Whether the place that comes last has its kind before it: `A PAR`, `A French PAR`."""
    before = done[-2].word if len(done) > 1 else ""
    if before.startswith("@"):
        before = done[-3].word if len(done) > 2 else ""
    return before in KINDS


def _is_one_name(done: Sequence[Token], kind: Token) -> bool:
    """Whether the unknown word before a kind is a misspelled name: it alone begins an order."""
    before = done[-2].word if len(done) > 1 else ","
    return kind.is_letters and done[-1].is_letters and (before in VERBS or before in _STOPS)


def _put_kind_first(done: list[Token], kind: Token) -> None:
    done.insert(-2 if done[-1].word == "B" else -1, kind)


def _settle_move(done: list[Token], token: Token, after: str) -> None:
    """`버건디로`, `버건디 이동`: the place before such a word is where the unit goes."""
    is_after = token.word == MOVE_AFTER or not ((after[:1] in "#@" and after) or after in KINDS)
    if not is_after or after == "H" or not done or not _is_target(done[-1]):
        done.append(token._replace(word="-"))
        return
    before = done[-2].word if len(done) > 1 else ""
    if before in KINDS or before in ("S", "C"):  # that place is where the unit is
        done.append(token._replace(word="-"))
    elif before != "-":
        done.insert(-1, token._replace(word="-"))


def _is_target(token: Token) -> bool:
    return token.is_place or (token.word == UNKNOWN and token.is_letters)


# --- verbs that end their sentence ----------------------------------------------------------------


def verbs_in_order(segments: Sequence[Segment]) -> list[Segment]:
    """The orders of a line, each with its verb behind its unit."""
    done: list[Segment] = []
    for segment in segments:
        if _ends_with_verb(segment):
            if done and _is_unit(done[-1]):  # 마르세유 육군, 파리 육군의 버건디 이동을 지원
                segment = (*done.pop(), *segment)
            segment = _with_verb_behind_unit(segment)
        done.append(segment)
    return done


def _ends_with_verb(segment: Segment) -> bool:
    return segment[-1].word in _AT_THE_END and segment[-1].is_letters and len(segment) > 1


def _is_unit(segment: Segment) -> bool:
    words = [token.word for token in segment]
    return words[-1][0] == "#" and all(word in KINDS or word[0] == "@" for word in words[:-1])


def _with_verb_behind_unit(segment: Segment) -> Segment:
    """`A MAR A PAR - BUR S` as `A MAR S A PAR - BUR`."""
    *words, verb = segment
    first = next((at for at, token in enumerate(words) if token.is_place), None)
    if first is None or any(token.word in _AT_THE_END for token in words):
        return segment
    return (*words[: first + 1], verb, *words[first + 1 :])
