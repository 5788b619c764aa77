"""Stage 3: a line as canonical words, its names found and its words in the grammar's order.

`Fleet Brest to mid atlantic` is `F #BRE - #MAO`; a word nobody knows is `??`. Coasts are joined to
their provinces. Some languages say words in another order than the grammar: `파리 육군 버건디로` is
`A PAR - BUR`. Knows nothing of the grammar.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from judge.diplomacy.board import parse_location
from judge.diplomacy.language.lexicon import (
    JOIN,
    KINDS,
    MOVE_AFTER,
    NOT_BETWEEN_PLACES,
    UNKNOWN,
    VERBS,
    Lexicon,
    is_in_particle_script,
    key_of,
    listed,
)
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.orders import Location, ProvinceId

STOPS = frozenset({",", ".", ";", "/", "!", "?", ":"})
BETWEEN_ORDERS = STOPS | {"(", ")", "[", "]"}
_MAY_PRECEDE_COAST = frozenset({",", ".", "-", NOT_BETWEEN_PLACES})  # Spain, north coast
_SHORT_LONGEST = 3  # letters of the short name of a power
_RUN_TOGETHER = ("sa", "sf", "ca", "cf", "sh")
_NO_MARK = ("", False)
_MEMO_LINES = 1 << 10  # lines kept
_MEMO_LONGEST = 100  # letters of a line that is kept
_AFTER_COAST = frozenset({",", ".", ";", "/", "!", "?", ")", "]", "H", "VIA"})
_BEFORE_PLACE = frozenset({"A", "F", "-", "S", "C", "VIA", NOT_BETWEEN_PLACES})


class Token(Struct, frozen=True):
    """One canonical word and the columns it was read from.

    `readings` holds all meanings of a short name that has several; `word` is its first.
    `text` is the plain text it was read from; empty for a word that was left out.
    `role` is how a particle or a preposition marks it: `agent`, `goal` and so on, see `roles.py`.
    `is_doubted`: a verb whose ending makes it no order, such as the past.
    """

    word: str
    start: int
    end: int
    text: str
    readings: tuple[str, ...] = ()
    role: str = ""
    is_doubted: bool = False

    @property
    def is_place(self) -> bool:
        return self.word[0] == "#"

    @property
    def is_non_latin(self) -> bool:
        """Whether it was written in letters of another script than Latin."""
        return not self.text.isascii() and self.text[:1].isalpha()

    @property
    def is_notation_verb(self) -> bool:
        """Whether it is a verb that nobody writes in a sentence: a sign or a single letter."""
        is_short = len(self.text) <= 2 and self.text not in listed("writing", "in_sentences")
        return is_short and self.word in VERBS

    @property
    def locations(self) -> tuple[Location, ...]:
        """What a place may mean."""
        return tuple(parse_location(word[1:]) for word in self.readings or (self.word,))


Segment = tuple[Token, ...]  # the words of one order


def start_of(token: Token) -> int:
    return token.start


def end_of(token: Token) -> int:
    return token.end


def in_line_order(tokens: Iterable[Token]) -> list[Token]:
    """Words as they stand on the line; `tokenize` gives them in the grammar's order."""
    return sorted(tokens, key=start_of)


def provinces_in(tokens: Iterable[Token]) -> set[ProvinceId]:
    """Every province that the places among words may mean."""
    return {place.province for token in tokens if token.is_place for place in token.locations}


def span(tokens: Iterable[Token]) -> tuple[int, int]:
    """The columns that the words take up; they need not stand in the order of the line."""
    starts, ends = zip(*((token.start, token.end) for token in tokens), strict=True)
    return min(starts), max(ends)


@cache
def _bullet() -> re.Pattern[str]:
    """What may stand before an item of a list."""
    counters = "|".join(listed("writing", "counters"))
    numerals = "".join(dict.fromkeys(listed("writing", "numerals")))
    return re.compile(
        r"\s*(?:[-*•◦▪·+>#●○■□◆◇★☆※✓✔☑]+\s+|[•◦▪·●○■□◆◇★☆※✓✔☑]+"
        rf"|\(?[0-9]{{1,2}}(?:[.):,]|(?:{counters})[.):,]?)\s*"
        rf"|\(?[{numerals}]{{1,3}}[,.):]\s*)"
    )


def tokenize(written: str, lexicon: Lexicon) -> list[Token]:
    """The line's canonical words, without the number or the sign of an item in a list."""
    if len(written) <= _MEMO_LONGEST:
        return [*_tokens_of_short(written, lexicon)]
    return _tokens_of(written, lexicon)


def _tokens_of(written: str, lexicon: Lexicon) -> list[Token]:
    line = normalize(written)
    bullet = _bullet().match(line.text)
    tokens: list[Token] = []
    role = ""  # of the place to come
    at = bullet.end() if bullet else 0
    while found := lexicon.pattern.search(line.text, at):
        group, text, at = found.lastgroup, found[0], found.end()
        words: tuple[str, ...] = (text,)
        is_doubted = False
        before = tokens[-1] if tokens else None
        mark = _NO_MARK
        if group == "known":
            words, mark, verb, endings = lexicon.meaning(text)
            ending = endings.at(line.text, at) if endings else None
            if endings and ending is not None:
                is_doubted = ending in endings.doubted
                if ending or is_doubted:
                    text, at, words = text + ending.rstrip(), at + len(ending), (verb,)
            is_behind_goal = before is not None and before.word == MOVE_AFTER
            if words[0] == "D" and is_behind_goal and text.startswith(listed("closings", "pulls")):
                words = ("-",)  # 버건디로 빼고
        elif group in ("word", "contraction"):
            words = (UNKNOWN,)
        elif text == "#":  # what follows is a comment
            words = (";",)
        elif group == "mark":
            words = ("-",)
            if text[0] == "<" and before and before.is_place:  # Bur <- Mar
                tokens[-1], mark = replace(before, role="goal"), ("source", False)
        start, end = found.start(), at
        if line.origin is not None:
            start, end = line.origin[start], line.origin[end]
        if mark[1] and before and not before.role and before.end >= start:
            tokens[-1] = replace(before, role=mark[0])
        elif mark[0] and not mark[1]:
            role = mark[0]
        if group is None or not words[0]:  # 's, or a word without a meaning
            continue
        if words[0] == "-" and before and before.is_place and before.role == "at":
            tokens[-1] = replace(before, role="goal")  # スペインに行く
        is_behind = before and before.end == start and (before.is_place or before.word in KINDS)
        if words[0] == JOIN and not is_behind and text in listed("around", "join_behind"):
            words, group = (UNKNOWN,), "word"  # the や of やっと
        readings = words if len(words) > 1 else ()
        marked = role if words[0][0] == "#" or words[0] in KINDS else ""
        token = Token(words[0], start, end, text, readings, marked, is_doubted)
        if marked or (role and not mark[0] and token.word[0] not in "@<"):
            role = ""
        if group == "word":
            token = _without_particle(token, lexicon)
        if (
            group == "word"
            and before
            and before.word == UNKNOWN
            and before.end == start
            and before.is_non_latin
            and token.is_non_latin
        ):  # two signs of one word, in a script without spaces
            tokens[-1] = replace(before, end=end, text=before.text + text)
        else:
            tokens.append(token)
    while tokens and tokens[-1].word == "-" and tokens[-1].text.strip("~") == "":
        tokens.pop()  # 부탁드려요~
    if is_in_notation(tokens) and lexicon.everyday.isdisjoint([token.text for token in tokens]):
        return tokens
    _drop_fillers_in_builds(tokens)
    _settle_powers(tokens)
    _settle_after_places(tokens)
    _settle_help(tokens)
    _settle_everyday_words(tokens, lexicon)
    _settle_clauses(tokens)
    return _in_grammar_order(_with_coasts(tokens, lexicon))


_tokens_of_short = lru_cache(maxsize=_MEMO_LINES)(_tokens_of)  # each stage asks for it
_PLAIN_LONGEST = 12  # words
# Orders in plain notation by the first letters of their words (`g`: a place after `to`).
_PLAIN = re.compile("@?[AF]?#(?:[HDB]|[-R][#g]V?|[SC]@?[AF]?#(?:H|-[#g]V?)?)[.,;]?|[BD][AF]#[.,;]?")


def is_in_notation(tokens: Sequence[Token]) -> bool:
    """Whether the words stand as in notation already, each with one meaning: `A #PAR - #BUR`."""
    if len(tokens) > _PLAIN_LONGEST:
        return False
    shape = [
        token.word[0] if not token.role else "g" if token.role == "goal" else "?"
        for token in tokens
        if not token.readings and (token.word[0] in "#@AF" or token.text.isascii())
    ]
    return len(shape) == len(tokens) and _PLAIN.fullmatch("".join(shape)) is not None


def _without_particle(token: Token, lexicon: Lexicon) -> Token:
    """A word that nobody knows, without the particle behind it: the 빠리 of 빠리가."""
    if not is_in_particle_script(token.text):
        return token
    for size in (3, 2, 1):
        role, is_after = lexicon.marks.get(token.text[-size:], _NO_MARK)
        if is_after and len(token.text) >= size + 2:
            end = token.end - size
            return replace(token, end=end, text=token.text[:-size], role=role)
    return token


def _drop_fillers_in_builds(tokens: list[Token]) -> None:
    """Without the words of `raise a new army` that are no army and no second verb."""
    for at in range(len(tokens) - 3, -1, -1):
        is_article = tokens[at].text in listed("writing", "articles")
        if is_article and tokens[at + 1].word == "B" and tokens[at + 2].word in KINDS:
            is_twice = word_at(tokens, at - 1) == "B"
            del tokens[at : at + 1 + is_twice]


def _settle_powers(tokens: list[Token]) -> None:
    """A name of a power and a province is the power before a unit, else the province.

    `A Yor S English F Lon`, but `F Lon - English`.
    """
    for at, token in enumerate(tokens):
        if token.readings and token.word.startswith("@"):
            after = word_at(tokens, at + 1)
            is_power = after in (*KINDS, "B", "WAIVE", ":") or after[0] == "#"
            word = token.word if is_power else token.readings[1]
            tokens[at] = replace(token, word=word, readings=())
        elif token.readings and {*token.readings} == {"D", "R"}:  # 撤去: to retreat, to disband
            word = "R" if word_at(tokens, at + 1)[0] == "#" else "D"
            tokens[at] = replace(token, word=word, readings=())
    is_heading = word_at(tokens, 1) == ":" and tokens[0].is_place
    is_short = is_heading and tokens[0].text.isascii() and len(tokens[0].text) <= _SHORT_LONGEST
    is_heading = is_heading and (is_short or word_at(tokens, 4) in ("-", "H"))
    if is_heading and word_at(tokens, 2) in KINDS and not any(t.role for t in tokens[2:5]):
        del tokens[0]  # ENG: F Nth - Hol


def _settle_after_places(tokens: list[Token]) -> None:
    """CON between a fleet and what it carries, and the SA of `A Mar SA Par`, as what they are."""
    for at in range(len(tokens) - 1, 0, -1):
        token = tokens[at]
        if not tokens[at - 1].is_place:
            continue
        if token.text in listed("sentences", "vessels"):
            if word_at(tokens, at + 1) in VERBS:  # the Mid-Atlantic ships go to Iri
                tokens[at] = replace(token, word="F")
        elif token.text == "con" and begins_unit(tokens, at + 1):
            if any(each.word == "-" for each in tokens[at + 1 :]):
                tokens[at] = replace(token, word="C", readings=())
        elif token.text in _RUN_TOGETHER and begins_unit(tokens, at + 1):
            verb, other, middle = token.text[0], token.text[1], token.start + 1
            tokens[at : at + 1] = [
                replace(token, word=verb.upper(), end=middle, text=verb, readings=()),
                replace(token, word=other.upper(), start=middle, text=other, readings=()),
            ]


def _settle_help(tokens: list[Token]) -> None:
    """A help that is one with the carrying behind it: `北海幫忙把約克載去挪威`; a way that is no
    sea: `渡過多瑙河`."""
    for at in range(len(tokens) - 1, -1, -1):
        after = tokens[at + 1] if at + 1 < len(tokens) else tokens[at]
        if tokens[at].word == "VIA" and after.word == "S" and after.is_non_latin:
            tokens[at : at + 2] = [replace(tokens[at], word="C", end=after.end)]  # 輸送で助ける
            continue
        if tokens[at].word == "VIA" and after.text.endswith(listed("around", "crossed")):
            if after.word == UNKNOWN:
                del tokens[at : at + 2]  # 渡過多瑙河: no sea
            elif after.word == "TSR" and tokens[at].is_non_latin:
                del tokens[at]  # 搭西伯利亞鐵路
            continue
        if tokens[at].word != "S" or tokens[at].text not in listed("around", "lending"):
            continue
        for after in tokens[at + 1 :]:
            if after.word == "C" and after.is_non_latin:
                del tokens[at]
            if not (after.role in ("moved", "of") or after.word in KINDS):
                break


def _settle_everyday_words(tokens: list[Token], lexicon: Lexicon) -> None:
    """Names that are words too, such as the Colonial board's AND, NEW and CAN, as what they are.

    `A Mos H and A Oms H`, `new A Bom`, `can you hold`; but `F AND - JVS`, `F Cls - New`, `Can H`.
    """
    for at, token in enumerate(tokens):
        if not lexicon.everyday or not token.is_place or key_of(token.text) not in lexicon.everyday:
            continue
        before, after = word_at(tokens, at - 1), word_at(tokens, at + 1)
        order_words = [word for word in token.readings if word[0] != "#"]
        needs_place = before in _BEFORE_PLACE or before[0] == "@"
        is_each = token.text in listed("around", "each")
        is_before_unit = begins_unit(tokens, at + 1)
        if is_each and (before[0] == "#" or is_before_unit):  # both Mar and Gas, Mar and Gas both
            if is_before_unit:
                tokens[at + 1] = replace(tokens[at + 1], role=tokens[at + 1].role or token.role)
            tokens[at] = replace(token, word=UNKNOWN, readings=(), role="")
            continue
        is_inside = before not in BETWEEN_ORDERS and after not in BETWEEN_ORDERS
        is_word = after in KINDS or (is_inside and JOIN in order_words[:1])
        if order_words and is_word and not needs_place:
            tokens[at] = replace(token, word=order_words[0], readings=())
            continue
        if needs_place or before in ("R", "D", "B"):
            is_place = True
        elif after in BETWEEN_ORDERS:
            is_place = before in BETWEEN_ORDERS or before[0] == "#"
        else:
            begins = before in BETWEEN_ORDERS and after in VERBS and not is_each  # both to Mun
            is_place = begins or tokens[at + 1].is_notation_verb
        if not is_place:
            tokens[at] = replace(token, word=UNKNOWN, readings=())
        elif order_words:
            tokens[at] = replace(token, readings=())


def _settle_clauses(tokens: list[Token]) -> None:
    """Places before the clause that they belong to: `Naples: army from Apulia`, `Into Bur, A Par`;
    the unit of a relative clause (`Mar, which holds`), the end of `with Mar's support`."""
    each_words = listed("around", "each")
    for at in range(len(tokens) - 2, -1, -1):
        token, after, next_word = tokens[at], tokens[at + 1], word_at(tokens, at + 2)
        begins = word_at(tokens, at - 1) in BETWEEN_ORDERS
        if after.word == ":" and tokens[at + 2 :] and tokens[at + 2].text in each_words:
            del tokens[at + 1]  # Smy and Ank: both to Arm
        elif token.is_place and begins and after.word in (":", JOIN):
            unit = at + 2 + (next_word in KINDS)
            if word_at(tokens, unit)[0] != "#" or tokens[unit].role == "goal":
                continue
            roles = {each.role for each in tokens[at + 2 : unit + 1]}
            is_goal = after.word == ":" and roles & {"source", "by"}
            following, beyond = word_at(tokens, unit + 1), word_at(tokens, unit + 2)
            if is_goal or (token.role == "goal" and following in BETWEEN_ORDERS):
                tokens[at : at + 2] = [replace(token, role="goal")]
            elif after.word == ":" and following == "-" and beyond in BETWEEN_ORDERS:
                # Spain: Gas attacks
                end = tokens[unit + 1].end
                tokens.insert(unit + 2, replace(token, start=end, end=end, role=""))
                del tokens[at : at + 2]
        elif after.word == ":" and token.word == "-" and token.is_non_latin and at:
            is_last = all(each.word != ":" for each in tokens[at + 2 :])
            is_first = tokens[at - 1].is_place and word_at(tokens, at - 2) in BETWEEN_ORDERS
            if is_first and is_last and begins_unit(tokens, at + 2):  # ギリシャ攻撃:ブルガリア
                tokens[at - 1] = replace(tokens[at - 1], role="goal")
                del tokens[at + 1]
        elif token.is_place and after.word == ":" and _is_led_by_verb(tokens, at):
            if next_word[0] == "#" or next_word in KINDS:
                tokens[at : at + 2] = [replace(token, role="goal")]  # Attack on Bur: Par
        elif after.word == UNKNOWN and after.text in listed("around", "relatives"):
            before = tokens[at - 1] if at and token.word == JOIN else token
            if before.is_place and next_word in VERBS:
                tokens[at + 1] = replace(before, start=after.start, end=after.end, role="")
        elif token.text in listed("around", "along"):
            verb = at + 2 + (after.word in KINDS)
            said = word_at(tokens, verb)
            is_noun = said == "S" and tokens[verb].text in listed("around", "helps")
            if is_noun and begins_unit(tokens, verb + 1):
                end = tokens[verb].end
                tokens.insert(verb + 1, Token(";", end, end, ""))
            elif word_at(tokens, verb - 1)[0] == "#" and not after.role:
                behind = verb  # with Mar and Gas supporting
                while word_at(tokens, behind) == JOIN and begins_unit(tokens, behind + 1):
                    behind += 2 + (tokens[behind + 1].word in KINDS)
                said = word_at(tokens, behind)
                is_to = said == "-" and any(
                    t.role == "goal" for t in tokens[behind + 1 : behind + 2]
                )
                if is_to or said not in (*VERBS, "VIA", UNKNOWN):  # Attack Bur with Par
                    named = [replace(each, role="by") for each in tokens[at + 1 : verb]]
                    tokens[at:verb] = named


def _is_led_by_verb(tokens: Sequence[Token], at: int) -> bool:
    """Whether a place begins a clause behind a verb that says where something goes."""
    is_first = at == 1 or (at > 1 and tokens[at - 2].word in BETWEEN_ORDERS)
    verb = tokens[at - 1]
    is_word = verb.text.isascii() and len(verb.text) > 1 and not verb.is_notation_verb
    return (
        is_first and is_word and verb.word == "-" and verb.text not in listed("sentences", "moved")
    )


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
                role = tokens[after - 1].role or (done[-1].role if done[-1].role != "of" else "")
                place = replace(done[-1], role=role)
                done[-1] = _place_with_coast(place, coast, lexicon, end=tokens[after - 1].end)
                at = after
                continue
        at += 1
        if _is_coast(token):  # a coast that follows no province
            before, after = word_at(done, len(done) - 1), at
            is_first = before in BETWEEN_ORDERS or before == "H" or before[0] == "@"
            while word_at(tokens, after) == NOT_BETWEEN_PLACES:
                after += 1  # north coast of Spain
            if is_first and key_of(token.text) in lexicon.canal_coasts:
                token = replace(token, word="PASS")
            elif after < len(tokens) and _takes_coast(tokens[after]):
                place = _place_with_coast(tokens[after], token.word, lexicon, end=tokens[after].end)
                token, at = replace(place, start=token.start), after + 1
            else:
                token = replace(token, word=UNKNOWN)
        done.append(token)
    return done


def _is_coast(token: Token) -> bool:
    return len(token.word) == 3 and token.word[0] == "/"


def _takes_coast(token: Token) -> bool:
    return token.is_place and "/" not in token.word


def _coast_at(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> tuple[str, int]:
    """The coast that stands at `at`, bare or marked, and the position after it; or ``""``."""
    if _is_coast(tokens[at]):
        return tokens[at].word, at + 1
    if at + 1 == len(tokens):
        return "", at
    mark, inside, after = tokens[at].word, tokens[at + 1], word_at(tokens, at + 2)
    if mark in _MAY_PRECEDE_COAST and after in _AFTER_COAST and _is_coast(inside):
        return inside.word, at + 2
    key = key_of(inside.text)
    if mark not in ("/", "(", "[") or (
        key in lexicon.canal_coasts and begins_unit(tokens, at + 2)
    ):  # A Egy - Sud (SC British F Red - Med)
        return "", at
    coast = inside.word if _is_coast(inside) else lexicon.marked.get(key, "")
    return coast, at + 3 if after in (")", "]") else at + 2


def word_at(tokens: Sequence[Token], at: int) -> str:
    """The word there; beyond the ends of a line as between two orders."""
    return tokens[at].word if 0 <= at < len(tokens) else ";"


def begins_unit(tokens: Sequence[Token], at: int) -> bool:
    """Whether a unit begins there, by its power, its kind or its place."""
    return word_at(tokens, at) in KINDS or word_at(tokens, at)[0] in "@#"


def _place_with_coast(place: Token, coast: str, lexicon: Lexicon, *, end: int) -> Token:
    coast = lexicon.mistaken_coasts.get((place.word[1:], coast[1:]), coast[1:])
    readings = tuple(f"{word}/{coast}" for word in place.readings)
    return replace(place, word=f"{place.word}/{coast}", end=end, readings=readings)


# --- the order of words ---------------------------------------------------------------------------


def _in_grammar_order(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with each unit's kind before its place, each move before its target."""
    done: list[Token] = []
    for at, token in enumerate(tokens):
        is_before_unit = begins_unit(tokens, at + 1)
        if token.text == "2" and done and done[-1].is_place and is_before_unit:
            done.append(replace(token, word="-"))  # Norway 2 Sweden
        elif token.word == NOT_BETWEEN_PLACES:
            if done and done[-1].is_place and is_before_unit and not tokens[at + 1].role:
                done.append(replace(token, word=UNKNOWN))  # supports Burgundy from Paris
        elif token.word in KINDS and _is_kind_behind_place(done, tokens, at):
            is_far = done[-1].word == "B" or (len(done) > 1 and _is_name_continued(done))
            done.insert(-2 if is_far else -1, token)
            if done[-1].word[0] == "@":  # 덴마크의 독일 해군
                done[-3:] = done[-2], done[-1], done[-3]
        elif token.word == MOVE_AFTER or (token.word == "-" and token.is_non_latin):
            # `버건디로`, `버건디 이동`: the place before such a word is where the unit goes.
            is_goal = bool(done) and done[-1].role == "goal" and word_at(done, len(done) - 2) == "-"
            is_after = token.word == MOVE_AFTER or not is_before_unit or is_goal  # 버건디로 보내고
            before = word_at(done, len(done) - 2)
            is_target = bool(done) and (
                done[-1].is_place or (done[-1].word == UNKNOWN and done[-1].is_non_latin)
            )
            is_said = is_after and is_target and word_at(tokens, at + 1) != "H"
            is_said = is_said and token.text not in listed("around", "goes_on")
            if not is_said or before in (*KINDS, "S", "C"):
                done.append(replace(token, word="-"))
            elif before != "-":
                done.insert(-1, replace(token, word="-"))
            elif token.word == "-" and done[-2].is_non_latin and done[-2].end <= token.start:
                text = done[-2].text + token.text  # 로 가고
                done[-2] = replace(done[-2], end=token.end, text=text, is_doubted=token.is_doubted)
        else:
            done.append(token)
    return done


def _is_kind_behind_place(done: Sequence[Token], tokens: Sequence[Token], at: int) -> bool:
    """Whether a word for army or fleet belongs to the place before it: `巴黎陸軍`, `Paris army`."""
    kind = tokens[at]
    if len(kind.text) == 1:  # Par A - Bur
        is_behind = len(done) == 1 and done[0].is_place and word_at(tokens, at + 1) in VERBS
        is_run_on = bool(done) and done[-1].is_place and done[-1].end == kind.start  # 海峡Fは
        is_run_on = is_run_on and done[-1].is_non_latin and not _has_kind(done)
        if is_run_on and at + 1 < len(tokens) and tokens[at + 1].is_place:
            is_run_on = tokens[at + 1].start > kind.end
        return (is_behind or is_run_on) and not kind.is_non_latin
    if not done or (kind.role and not kind.is_non_latin):  # by the fleet
        return False
    if kind.is_non_latin and done[-1].word[0] == "@" and word_at(done, len(done) - 2)[0] == "#":
        return not _has_kind(done[:-1])  # 在塞瓦斯托波爾的俄國艦隊
    is_before_place = word_at(tokens, at + 1)[0] == "#"
    if len(done) > 1 and kind.is_non_latin and _is_name_continued(done):
        return not _has_kind(done[:-1])
    if done[-1].word == "B" and len(done) > 1 and kind.is_non_latin:  # 在巴黎建造陸軍
        return done[-2].is_place and not _has_kind(done[:-1]) and not is_before_place
    if _has_kind(done):
        return False
    if done[-1].is_place:
        return kind.is_non_latin or not is_before_place
    if is_before_place and word_at(tokens, at + 2) != MOVE_AFTER:
        return False  # 만약 육군 파리 ..., but 파라 육군 피카르디로
    # A misspelled name, if it alone begins an order.
    before = word_at(done, len(done) - 2)
    is_name = done[-1].word == UNKNOWN and done[-1].is_non_latin and kind.is_non_latin
    return is_name and (before in VERBS or before in STOPS)


def _is_name_continued(done: Sequence[Token]) -> bool:
    """Whether a short name goes on in letters that nobody knows: 요크세."""
    name, rest = done[-2:]
    return rest.word == UNKNOWN and name.is_place and name.end == rest.start and rest.is_non_latin


def _has_kind(done: Sequence[Token]) -> bool:
    """Whether the place that comes last has its kind before it: `A PAR`, `A French PAR`."""
    before = word_at(done, len(done) - 2)
    return (word_at(done, len(done) - 3) if before[0] == "@" else before) in KINDS
