"""Turns a written line into canonical words, and cuts it into single orders.

The alphabet is that of `names.py`; a word nobody knows is `??`. Knows nothing of the grammar.
"""

import re
from collections.abc import Sequence

from judge.diplomacy.language.names import JOIN, Lexicon, key_of
from judge.diplomacy.language.text import Plain, plain
from judge.diplomacy.language.tokens import KINDS, UNKNOWN, VERBS, Segment, Token
from judge.diplomacy.language.wording import NOT_BETWEEN_PLACES, in_order, verbs_in_order

_BULLET = re.compile(
    r"\s*(?:[-*•◦▪·+>#●○■□◆◇★☆※✓✔☑]+\s+|[•◦▪·●○■□◆◇★☆※✓✔☑]+"
    r"|\(?[0-9]{1,2}(?:[.):,]|번[.):,]?)\s*|\(?[一二三四五六七八九十]{1,3}[,.):]\s*)"
)
_ORDER_LONGEST = 24  # words
_HARD = frozenset({";", "!", "?"})
_MAY_PRECEDE_COAST = frozenset({",", ".", "-"})  # Spain, north coast
_AFTER_COAST = frozenset({",", ".", ";", "/", "!", "?", ")", "]", "H", "VIA"})
_BEFORE_PLACE = frozenset({"A", "F", "-", "S", "C", "VIA", NOT_BETWEEN_PLACES})
_BETWEEN = frozenset({",", ".", ";", "/", "!", "?", ":", "(", ")", "[", "]"})
_END = Token(";", 0, 0, ";")
_GOES_ON = frozenset({"-", "H", "S", "C", "VIA", "TSR"})
_DROPPED = frozenset({":", "(", ")", "[", "]"})


def scan(written: str, lexicon: Lexicon) -> tuple[Segment, ...]:
    """The line's orders, each as its words, in the order of the line; talk is not told apart."""
    line = plain(written)
    bullet = _BULLET.match(line.text)
    tokens = _tokens(line, lexicon, bullet.end() if bullet else 0)
    return tuple(verbs_in_order(_segments(in_order(_with_coasts(tokens, lexicon)))))


def _tokens(line: Plain, lexicon: Lexicon, start: int) -> list[Token]:
    tokens: list[Token] = []
    for found in lexicon.pattern.finditer(line.text, start):
        group = found.lastgroup
        if group is None:  # 's
            continue
        text = found.group()
        words = _meanings(group, text, lexicon)
        if not words[0]:
            continue
        at, end = found.span()
        if line.origin is not None:
            at, end = line.origin[at], line.origin[end]
        token = Token(words[0], at, end, text, words if len(words) > 1 else ())
        if tokens and group == "word" and _goes_together(tokens[-1], token):
            tokens[-1] = tokens[-1]._replace(end=end, text=tokens[-1].text + text)
        else:
            tokens.append(token)
    return _settle_words(_settle_powers(tokens), lexicon)


def _goes_together(before: Token, token: Token) -> bool:
    """Whether two signs that nobody knows are of one word: Chinese and Japanese have no spaces."""
    is_both = before.word == token.word == UNKNOWN and before.end == token.start
    return is_both and before.is_letters and token.is_letters


def _meanings(group: str, text: str, lexicon: Lexicon) -> tuple[str, ...]:
    if group == "known":
        return lexicon.words.get(text) or lexicon.words[key_of(text)]
    if group in ("word", "contraction"):
        return (UNKNOWN,)
    if group == "mark":
        return ("-",)
    return (text,)


def _settle_powers(tokens: list[Token]) -> list[Token]:
    """A name of a power and a province is the power before a unit, else the province.

    `A Yor S English F Lon`, but `F Lon - English`.
    """
    for at, token in enumerate(tokens):
        if token.readings and token.word.startswith("@"):
            after = tokens[at + 1].word if at + 1 < len(tokens) else ""
            is_power = after in KINDS or after in ("B", "WAIVE", ":") or after.startswith("#")
            word = token.word if is_power else token.readings[1]
            tokens[at] = token._replace(word=word, readings=())
    return tokens


def _settle_words(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """Names that are words too, such as the Colonial board's AND, NEW and CAN, as what they are.

    `A Mos H and A Oms H`, `new A Bom`, `can you hold`; but `F AND - JVS`, `F Cls - New`, `Can H`.
    """
    if not lexicon.everyday:
        return tokens
    for at, token in enumerate(tokens):
        if token.word[0] == "#" and key_of(token.text) in lexicon.everyday:
            before = tokens[at - 1].word if at else ";"
            after = tokens[at + 1] if at + 1 < len(tokens) else _END
            orders = [word for word in token.readings if word[0] != "#"]
            if orders and _is_order_word(orders[0], before, after.word):
                tokens[at] = token._replace(word=orders[0], readings=())
            elif not _is_place(before, after):
                tokens[at] = token._replace(word=UNKNOWN, readings=())
            elif orders:
                tokens[at] = token._replace(readings=())
    return tokens


def _is_order_word(word: str, before: str, after: str) -> bool:
    if before in _BEFORE_PLACE or before[0] == "@":
        return False
    return after in KINDS or (word == JOIN and before not in _BETWEEN and after not in _BETWEEN)


def _is_place(before: str, after: Token) -> bool:
    """Whether an everyday word stands where a place does."""
    if before in _BEFORE_PLACE or before in ("R", "D", "B") or before[0] == "@":
        return True
    if after.word in _BETWEEN:
        return before in _BETWEEN or before[0] == "#"
    is_sign = len(after.text) <= 2 and after.text != "to"
    return after.word in VERBS and (before in _BETWEEN or is_sign)


# --- coasts ---------------------------------------------------------------------------------------


def _with_coasts(tokens: list[Token], lexicon: Lexicon) -> list[Token]:
    """The tokens with each coast joined to its province: `BUL / EC`, `Bul (ec)`, `ec Bul`."""
    if not any(token.word[0] in "/([" for token in tokens):
        return tokens  # nothing that could be one
    done: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if done and _takes_coast(done[-1]):
            coast, after = _coast_at(tokens, at, lexicon)
            if coast:
                done[-1] = _joined(done[-1], coast, tokens[after - 1].end, lexicon)
                at = after
                continue
        if _is_coast(token):  # a coast that follows no province
            if _is_canal(token, done, lexicon):
                done.append(token._replace(word="PASS"))
                at += 1
                continue
            after = at + 1
            while after < len(tokens) and tokens[after].word == NOT_BETWEEN_PLACES:
                after += 1  # north coast of Spain
            if after < len(tokens) and _takes_coast(tokens[after]):
                place = _joined(tokens[after], token.word, tokens[after].end, lexicon)
                done.append(place._replace(start=token.start))
                at = after + 1
                continue
            token = token._replace(word=UNKNOWN)
        done.append(token)
        at += 1
    return done


def _is_canal(token: Token, done: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether a word for a coast begins an order, on a board where that is the canal's word."""
    is_first = not done or done[-1].word in (*_BETWEEN, "H") or done[-1].word[0] == "@"
    return is_first and key_of(token.text) in lexicon.canal_coasts


def _is_coast(token: Token) -> bool:
    return len(token.word) == 3 and token.word[0] == "/"


def _takes_coast(token: Token) -> bool:
    return token.word[0] == "#" and "/" not in token.word


def _coast_at(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> tuple[str, int]:
    """The coast that stands at `at`, bare or marked, and the position after it; or ``""``."""
    if _is_coast(tokens[at]):
        return tokens[at].word, at + 1
    if tokens[at].word in _MAY_PRECEDE_COAST and at + 1 < len(tokens):
        is_last = at + 2 == len(tokens) or tokens[at + 2].word in _AFTER_COAST
        if is_last and _is_coast(tokens[at + 1]):
            return tokens[at + 1].word, at + 2
    is_marked = tokens[at].word in ("/", "(", "[")
    if not is_marked or at + 1 >= len(tokens):
        return "", at
    inside = tokens[at + 1]
    coast = inside.word if _is_coast(inside) else ""
    coast = coast or lexicon.marked.get(key_of(inside.text), "")
    if not coast:
        return "", at
    is_closed = at + 2 < len(tokens) and tokens[at + 2].word in (")", "]")
    if key_of(inside.text) in lexicon.canal_coasts and _begins_unit(tokens, at + 2):
        return "", at  # A Egy - Sud (SC British F Red - Med)
    return coast, at + 3 if is_closed else at + 2


def _begins_unit(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and (tokens[at].word in KINDS or tokens[at].word[0] in "@#")


def _joined(place: Token, coast: str, end: int, lexicon: Lexicon) -> Token:
    province = place.word[1:]
    coast = lexicon.coast_swaps.get((province, coast[1:]), coast[1:])
    readings = tuple(f"{word}/{coast}" for word in place.readings)
    return place._replace(word=f"{place.word}/{coast}", end=end, readings=readings)


# --- segments -------------------------------------------------------------------------------------


def _segments(tokens: Sequence[Token]) -> list[Segment]:
    """The tokens cut where one order ends and the next begins."""
    done: list[list[Token]] = [[]]
    for at, token in enumerate(tokens):
        word = token.word
        if word[0] in "#@":
            done[-1].append(token)
        elif word == "PASS" and _begins_unit(tokens, at + 1) and any(t.is_place for t in done[-1]):
            done.append([token])
        elif word in _HARD or word == "/" or (word == ":" and _is_heading(done[-1])):
            done.append([])
        elif word in _DROPPED:
            continue
        elif word[0].isdigit() and _is_item_number(done[-1], tokens[at : at + 3]):
            done.append([])
        elif word in (JOIN, "."):
            if not _goes_on(done[-1], tokens[at + 1 : at + 3]):
                done.append([])
        elif word != "-" or _may_move(done[-1]):
            done[-1].append(token)
    return [tuple(each) for each in done if each]


def _is_heading(before: Sequence[Token]) -> bool:
    """`Here are my orders:`, `Spring 1902:`; but not `France:` or `Build:`."""
    return any(token.word == UNKNOWN for token in before) and not any(
        token.word in VERBS or token.is_place for token in before
    )


def _is_item_number(before: Sequence[Token], tokens: Sequence[Token]) -> bool:
    """The 2 of `1. A Par-Pic 2. A Mar-Spa` and of `1、陸軍巴黎；2、陸軍馬賽`."""
    if len(tokens) < 3 or not tokens[0].word.isdigit():
        return False
    if not before and _begins_unit(tokens, 1):
        return True
    is_marked = tokens[1].word in (".", ")", ":", JOIN) and tokens[1].start == tokens[0].end
    is_waive = any(token.word in ("WAIVE", "B") for token in before)
    return is_marked and not is_waive and _begins_unit(tokens, 2)


def _may_move(before: Sequence[Token]) -> bool:
    """Whether a dash says anything here: not twice, not first, not after `France` alone."""
    if not before or before[-1].word == "-":
        return False
    return len(before) > 1 or before[0].word[0] != "@"


def _goes_on(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """Whether an order goes on over a comma or a full stop.

    Some write every word of an order between commas (Korean rulebook, figures 4 to 32), others
    put the commas between orders; an order that lacks something goes on.
    """
    if not before or not after or len(before) > _ORDER_LONGEST:
        return False
    words = [token.word for token in before]
    if _has_talk(words):
        return False
    following = after[0].word
    places = sum(_is_placeish(words, at) for at in range(len(words)))
    verbs = [word for word in words if word in VERBS]
    if following in _GOES_ON:
        return True
    if following in VERBS:
        return not verbs
    if "WAIVE" in words:
        return False
    if not places or words[-1] in ("-", "A", "F", "TSR") or words[-1][0] == "@":
        return True
    if words[-1] in ("S", "C", "R") and places == 1:
        return True
    if "VIA" in words and following[0] == "#" and _ends(after[1:]):
        return True  # via Nth and Eng
    return following[0] == "#" and _ends(after[1:]) and _lacks_target(words, verbs, places)


def _has_talk(words: Sequence[str]) -> bool:
    """Whether words nobody knows stand where no name could stand."""
    return any(
        word == UNKNOWN and not _is_placeish(words, at) for at, word in enumerate(words)
    ) or (words[0] == UNKNOWN)


def _is_placeish(words: Sequence[str], at: int) -> bool:
    """A place, or an unknown word where one would stand."""
    if words[at] != UNKNOWN:
        return words[at][0] == "#"
    return at > 0 and words[at - 1] in ("A", "F", "-", "S", "C")


def _ends(after: Sequence[Token]) -> bool:
    return not after or after[0].word in (JOIN, ".", "/", *_HARD)


def _lacks_target(words: Sequence[str], verbs: Sequence[str], places: int) -> bool:
    """`A Par` and `F Rom S F Nap`, before a lone place (the Korean rulebook's figure 10)."""
    if not verbs:
        return words[0] in KINDS and places == 1
    return verbs == ["S"] and places == 2
