"""Words that turn an order into something else: they take it back, date it, quote it, offer it as
one of several, or make it depend on something. Such an order is asked about and never taken.

The words are data: `doubts` in `grammar/<language>/orders.toml`. Free of any position.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from judge.data import language_data
from judge.diplomacy import orders as o
from judge.diplomacy.language.grammar import Fault, Faulty, Item, Parsed
from judge.diplomacy.language.lexicon import KINDS, UNKNOWN, VERBS, any_name, listed, scripts
from judge.diplomacy.language.lines.prose import is_written_as_notation
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.language.tokens import Token, in_line_order, start_of
from judge.diplomacy.orders import ProvinceId, WrittenOrder
from judge.diplomacy.records import ReadingKind

_HEADING_LONGEST = 60  # letters; a longer line is a sentence
# Behind several dots a sentence may go on, but in Latin letters it seldom says what was before.
SENTENCE_ENDS = re.compile(r"\.(?!\.)(?:(?<!\.\.)|(?=\s*[!-~]))|[;!?/。．；！？／\n]")
_CLAUSE_ENDS = re.compile(r"[,.;:!?。．，、；：！？\n](?=\s|$)|[。，、；：！？]")
_QUESTION_BEHIND = re.compile(r"[ )\]\u00a0\u3000]*[?？]")
_QUOTED = re.compile(r"「[^」]+」|『[^』]+』|“[^”]+”|\"[^\"]+\"|《[^》]+》")
_SCORE = re.compile(r"(?<![\d:])\d{1,2} ?[:-] ?\d{1,2}(?![\d:])")  # of a match: 2:1
_OFFERED_BESIDE = 6  # items of a line; a longer one is a list
_HELP = o.WrittenSupportHold | o.WrittenSupportMove | o.WrittenConvoy
_MOVEMENT = o.WrittenHold | o.WrittenMove | _HELP
_TAKING_OUT = frozenset({"D", "R", "WAIVE"})
_STOPS = r"\s.,;:!?'\"()\[\]-"


class Doubt(Struct, frozen=True):
    """A word that puts orders in doubt, by its columns in the line as written.

    `is_before`: only those that follow it in its sentence.
    `is_heading`: all that follow it, on the line and in the lines below.
    `is_back`: those of the sentence before. `is_unknown`: a heading that nobody knows.
    """

    start: int
    end: int
    is_before: bool = False
    is_heading: bool = False
    is_back: bool = False
    is_unknown: bool = False


def doubts_in(written: str) -> Iterator[Doubt]:
    """What stands in a line and puts orders in doubt."""
    plain = normalize(written)
    for found in _pattern(":" in plain.text).finditer(plain.text):
        group = found.lastgroup if found.lastgroup == "heading" else _word_effects()[found[0]]
        if group not in ("harmless", "courtesies"):
            start, end = plain.column(found.start()), plain.column(found.end())
            yield Doubt(start, end, group == "before", group == "heading", group == "back")


def softens(written: str, doubt: Doubt, known: Sequence[Token]) -> bool:
    """Whether a word in doubt only softens what is ordered: `Paris should take Burgundy`; but
    `Should Paris take Burgundy, ...`. So does a clause before the order that says nothing of
    orders: `Not much to say: Par to Bur`."""
    word = written[doubt.start : doubt.end].lower()
    if doubt.is_before and not doubt.is_heading:
        end = _CLAUSE_ENDS.search(written, doubt.end)
        since = max(
            (each.end() for each in _CLAUSE_ENDS.finditer(written, 0, doubt.start)), default=0
        )
        inside = [t for t in known if since <= t.start and (end is None or t.start < end.start())]
        said = [t for t in inside if t.is_place or t.word in (*VERBS, *KINDS, "VIA")]
        return end is not None and end[0] in (",", ":") and not said
    is_first = not written[: doubt.start].strip()
    return word in listed("doubts", "soft") and not (
        is_first and word not in listed("telling", "polite")
    )


def clause_at(written: str, start: int, end: int) -> str:
    """The clauses of a line between two columns, without what they quote. Other clauses of the
    sentence may be polite: `Sorry for the delay, A Pra - Bur`."""
    ends = [found.start() for found in _CLAUSE_ENDS.finditer(written)]
    before, after = bisect_left(ends, start), bisect_left(ends, end)
    start, end = (ends[before - 1] if before else 0), (*ends, len(written))[after]
    return _QUOTED.sub(" ", written[start:end])


def is_told(clause: str) -> bool:
    """Whether one of the words that tell of something stands in a clause."""
    return _word_patterns()["told"].search(normalize(clause).text) is not None


def corrections_in(written: str) -> Iterator[tuple[int, int]]:
    """The columns of words with which a writer takes back what they just wrote: `no, wait, ...`"""
    plain = normalize(written)
    denied = _contrasts().match(plain.text)
    for found in (denied,) if denied else _corrections().finditer(plain.text):
        yield plain.column(found.start("words")), plain.column(found.end())


def is_apology(words: str) -> bool:
    """Whether words of a correction are said for other reasons, too: `sorry`."""
    return words.strip(" .,;:!?…-。，、！？；：").lower() in listed("doubts", "apologies")


def doubt_of_heading(written: str) -> str:
    """What a heading says that puts the lines below it in doubt: `Last turn:`; "" if it is none."""
    line = written.strip()
    if len(line) > _HEADING_LONGEST or line[-1:] not in (":", "："):
        return ""
    first = next((each for each in doubts_in(line) if each.is_heading), None)
    return "" if first is None else line[first.start : first.end]


def is_quoting(heading: str) -> bool:
    """Whether a heading is one above a letter of somebody's, which may have paragraphs."""
    return normalize(heading).text in _quoting()


def takes_back(written: str) -> bool:
    """Whether a line takes back what stands above it: `Forget it.`, `Don't.`"""
    return _says_nothing_but(written, "back") or _says_nothing_but(written, "denials")


def cancels_order(written: str) -> bool:
    """Whether words of a line take back what was ordered: `Cancel my order for Smyrna`."""
    return _word_patterns()["recalling"].search(normalize(written).text) is not None


def is_sign_off(written: str) -> bool:
    """Whether a line ends a letter, so that names of people follow: `Best regards,`"""
    return _says_nothing_but(written, "sign_offs")


def _says_nothing_but(written: str, key: str) -> bool:
    if len(written) > _HEADING_LONGEST:
        return False
    return _alone(key).fullmatch(normalize(written).text) is not None


@cache
def _word_effects() -> Mapping[str, str]:
    """What each word does to an order; where it could do two things, the first of these."""
    uses = ("before", "anywhere", "back", "harmless", "courtesies")
    words = {word: use for use in uses for word in listed("doubts", use)}
    conditions = dict.fromkeys(listed("around", "conditions"), "anywhere")
    firsts = {word: use for use in uses[2:] for word in listed("doubts", use)}
    return words | conditions | firsts


@cache
def _quoting() -> frozenset[str]:
    """The verbs of `Ed schrieb:`: those of our languages, and of mail programs in the others."""
    others = language_data("mail.toml").keys() - language_data("orders.toml").keys()
    told = chain.from_iterable(
        language_data("mail.toml")[one].get("introductions", ()) for one in sorted(others)
    )
    verbs = (normalize(verb).text for verb in told if "." not in verb and "{" not in verb)
    return frozenset((*verbs, *listed("doubts", "quoting")))


@cache
def _pattern(is_headed: bool) -> re.Pattern[str]:
    """Any of the words; headings only for a line that has a colon."""
    words = _any_of(_word_effects())
    if not is_headed:
        return re.compile(words)
    ahead = _any_of(listed("doubts", "before_headings"))
    headings = _any_of((*listed("doubts", "headings"), *_quoting()))
    return re.compile(
        rf"(?P<heading>(?:{headings})(?: ?#?[0-9a-z一二三四五六七八九十])?(?=\s*:)"
        rf"|^[^a-z:]*(?:(?:{ahead}) )?(?:{headings})(?: [a-z0-9]+){{1,3}}(?=\s*:))"  # My plan is:
        rf"|{words}"
    )


@cache
def _alone(key: str) -> re.Pattern[str]:
    return re.compile(f"[{_STOPS}]*(?:{_any_of(listed('doubts', key))})[{_STOPS}]*")


@cache
def _denials() -> re.Pattern[str]:
    """Words that take back what is before them where they are a clause of their own."""
    words = _any_of(listed("doubts", "denials"))
    return re.compile(rf"[.;!?,(。，、；！？（-]\s*({words})\s*(?=[.;!)。；！）]|$)")


@cache
def _word_patterns() -> Mapping[str, re.Pattern[str]]:
    """What finds any of the words of a key."""
    keys = ("recalling", "told", "reasons", "others")
    return {key: re.compile(_any_of(listed("doubts", key))) for key in keys}


@cache
def _corrections() -> re.Pattern[str]:
    words = _any_of(listed("doubts", "corrections"))
    spaced, _ = scripts()
    words = rf"(?>{words})(?![{spaced}])"
    return re.compile(rf"(?<=[{_STOPS}])(?P<words>(?:{words}[{_STOPS}]*+)++)")


@cache
def _contrasts() -> re.Pattern[str]:
    words = any_name(listed("doubts", "contrasts"))
    return re.compile(rf"[^a-z]*(?:not|no)\b[^.;!?]*?[, ](?P<words>(?:{words})\b[{_STOPS}]*)")


@cache
def _reasons_ahead() -> re.Pattern[str]:
    """A reason before what follows from it: `Since I don't trust Germany, ...`"""
    words = any_name(listed("doubts", "reasons_ahead"))
    return re.compile(
        rf"(?:^|[,.;!:] *)(?:{words})\b(?! an? | long as | soon as | far as | if )[^,.;!?:]*,",
        re.IGNORECASE,
    )


@cache
def _closing_reasons() -> re.Pattern[str]:
    """A reason that ends its sentence; `as` and `since` may begin other things there."""
    words = _any_of(listed("doubts", "reasons_behind"))
    return re.compile(rf"(?:{words})[^.;!?。．；！？]*", re.IGNORECASE)


def _any_of(words: Iterable[str]) -> str:
    """The longest first; a word in Latin letters only as a whole."""
    latin = any_name(word for word in words if word[0].isascii())
    others = any_name(word for word in words if not word[0].isascii())
    return rf"(?<![a-z0-9'])(?:{latin})(?![a-z0-9])|{others}"


# --- orders in doubt ------------------------------------------------------------------------------


def doubts_beside(written: str, known: Sequence[Token]) -> list[Doubt]:
    """What puts orders in doubt and is no part of a name or of a word that is known; an order that
    a sentence quotes, too."""
    known = in_line_order(known)
    is_parted = "," in written
    since = [each.span() for each in _reasons_ahead().finditer(written)] if is_parted else []
    starts = [token.start for token in known]
    doubts = [Doubt(token.start, token.end) for token in known if token.is_doubted]
    for each in doubts_in(written):
        at = bisect_right(starts, each.start) - 1
        before = known[at] if at >= 0 else None
        is_inside = before is not None and (  # 갈까 in 포르투갈까지
            each.end <= before.end or (before.is_place and before.start < each.start < before.end)
        )
        if not is_inside and not any(start <= each.start < end for start, end in since):
            doubts.append(each)
    plain = normalize(written)
    for found in _denials().finditer(plain.text):  # A Par - Bur. Don't.
        start, end = map(plain.column, found.span(1))
        doubts.append(Doubt(start, end, is_back=True))
    for power in [token for token in known if token.word[0] == "@"][:1]:  # To Germany: I hold
        said, rest = written[: power.start].strip(" :").lower(), written[power.end :]
        if said in listed("doubts", "addresses") and rest.lstrip()[:1] in (":", ".", ","):
            doubts.append(Doubt(power.start, power.end, is_heading=True))
    heading, colon, _ = written.partition(":")  # Joke of the day: A Par - Bur
    ahead = [token for token in known if token.start < len(heading)] if colon else []
    if powers := [token for token in ahead if token.word[0] == "@"]:
        ahead = [token for token in ahead if token not in powers and token.word != UNKNOWN]
    if colon and all(token.text in listed("writing", "articles") for token in ahead):
        said = normalize(heading).text
        for power in powers:
            said = said.replace(power.text, "")  # I told Germany: Par - Bur
        words = re.findall("[a-z']+", said)
        if len(words) > 1 and said.isascii() and not {*words} & {*listed("doubts", "headed")}:
            doubts.append(Doubt(0, len(heading), is_heading=True, is_unknown=not powers))
    doubts += [Doubt(*found.span()) for found in _SCORE.finditer(written)]
    doubts += _conditions_in(written, known)
    for at, goal in enumerate(known[:-2]):  # Greece: army Bulgaria
        kind, unit = known[at + 1 : at + 3]
        is_headed = written[goal.end : kind.start].strip() in (":", "：")
        after = known[at + 3] if at + 3 < len(known) else None
        is_order = after is not None and not written[unit.end : after.start].strip()
        if is_headed and goal.is_place and kind.word in KINDS and unit.is_place and not is_order:
            doubts.append(Doubt(goal.start, goal.end, is_heading=True))
    for found in _QUOTED.finditer(written):
        inside = [token for token in known if found.start() < token.start < found.end()]
        around = written[: found.start()] + written[found.end() :]
        is_told = sum(map(str.isalnum, around)) > sum(
            token.end - token.start for token in known if token not in inside
        )
        is_worded = not any(token.is_notation_verb or token.text in ("a", "f") for token in inside)
        is_whole = found[0][0] in '"“' and is_worded and not any(map(str.isalnum, around))
        if (is_told or is_whole) and len(inside) > 1 and any(token.is_place for token in inside):
            doubts.append(Doubt(*found.span()))
    return sorted(doubts, key=lambda each: each.start)


def _conditions_in(written: str, known: Sequence[Token]) -> Iterator[Doubt]:
    """What an order depends on, by expressions; and when it is to be, unless the clause that says
    so is an order itself: `After Paris moves to Burgundy, Gascony to Paris`."""
    plain = normalize(written)
    for found in _expressions("depends").finditer(plain.text):
        start, end = plain.column(found.start()), plain.column(found.end())
        if not any(t.start <= start and end <= t.end and t.is_place for t in known):
            yield Doubt(start, end, is_back=found[0][0] == ".")  # behind the order's sentence
    for found in _expressions("once").finditer(plain.text):
        start, end = plain.column(found.start()), plain.column(found.end())
        if written[start:end].isascii():  # what is said behind it
            stop = _CLAUSE_ENDS.search(written, end)
            since, until = end, stop.start() if stop else len(written)
        else:
            since = max((t.end() for t in _CLAUSE_ENDS.finditer(written, 0, start)), default=0)
            until = start
        inside = [token for token in known if since <= token.start < until]
        is_order = any(t.is_place for t in inside) and any(t.word in VERBS for t in inside)
        is_of_others = any(token.word[0] == "@" for token in inside)
        if (
            is_of_others
            or (any(token.is_place for token in inside) and not is_order)
            or _word_patterns()["others"].search(written[since:until].lower())
        ):
            yield Doubt(start, end)


@cache
def _expressions(key: str) -> re.Pattern[str]:
    """The expressions of a key, in all languages; those in Latin letters are whole words."""
    words = listed("doubts", key)
    latin = "|".join(word for word in words if word.isascii())
    others = "|".join(word for word in words if not word.isascii())
    return re.compile(rf"(?<![a-z0-9'])(?:{latin})(?![a-z0-9])|{others}")


def without_denied(written: str, known: Sequence[Token], own: Container[ProvinceId]) -> str:
    """A line without what it says is not done, blanks in its place, where it goes on to say what
    is: `Venice goes not to Piedmont but to Trieste`. What a unit of one's own does not do stays,
    since that may be its order (`Par does not move, but ...`)."""
    plain = normalize(written)
    kept = written
    for found in _expressions("denied").finditer(plain.text):
        start, end = plain.column(found.start()), plain.column(found.end())
        inside = [token for token in known if start <= token.start < end and token.is_place]
        if not any(place.province in own for token in inside for place in token.locations):
            kept = kept[:start] + " " * (end - start) + kept[end:]
    return kept if kept.strip() else written


def with_doubts(items: Sequence[Item], written: str, known: Sequence[Token]) -> list[Item]:
    """The items, orders as faults where a word of their sentence puts them in doubt: `If Mun moves,
    A Par H`, `A Par - Bur. Forget it.`, `A Par - Bur?`. Other faults of such a sentence go."""
    doubts = doubts_beside(written, known)
    known = in_line_order(known)
    said_behind = [_doubt_behind(written, item, known) for item in items]
    if not doubts and not any(said_behind) and "?" not in written and "？" not in written:
        return [*items]
    ends = [found.start() for found in SENTENCE_ENDS.finditer(written)]
    by_sentence: dict[int, list[Doubt]] = {}
    for each in doubts:
        by_sentence.setdefault(bisect_left(ends, each.end), []).append(each)
    heading = next((each for each in doubts if each.is_heading), None)
    told = {bisect_left(ends, t.start) for t in known if t.is_place or t.word in (*VERBS, *KINDS)}
    reasons = [0]  # where they end; けど, but not the から of 同意してから
    for found in _word_patterns()["reasons"].finditer(written):
        if not any(each.start < found.end() and found.start() < each.end for each in doubts):
            reasons.append(found.end())
    behind = [found.span() for found in _closing_reasons().finditer(written)]
    done: list[Item] = []
    for item, behind_it in zip(items, said_behind, strict=True):
        sentence = bisect_left(ends, item.start), bisect_left(ends, item.end)
        proposed: tuple[WrittenOrder, ...] = ()
        of_sentence = (by_sentence.get(at, ()) for at in range(sentence[0], sentence[1] + 1))
        since = reasons[bisect_right(reasons, item.start) - 1]
        doubt = heading if heading and heading.end <= item.start else behind_it
        for each in () if doubt else chain.from_iterable(of_sentence):
            if each.end <= since:
                continue  # 못 믿겠으니까 파리는 ...
            if any(item.end <= at <= each.start < end for at, end in behind):
                continue  # Par to Bur because Mun bounced last turn
            is_ahead = each.end <= item.start or isinstance(item, Faulty)
            if is_ahead or not each.is_before:
                doubt = each
                break
        for each in () if doubt else by_sentence.get(sentence[1] + 1, ()):
            if each.is_back or (not each.is_before and sentence[1] + 1 in told):
                doubt = each
                break
        if doubt is not None:
            start, end = doubt.start, doubt.end
            said = written[start:end].lower().replace(" ", "")
            offered = doubt.is_unknown or (doubt.is_heading and said.endswith(_offers()))
            is_first = item.end <= start and said in listed("doubts", "otherwise")
            is_soft = softens(written, doubt, known) or (
                doubt.is_back and written[end : item.start].lstrip()[:1] in (",", ":")
            )  # Scrap that, Gas to Bur
            is_soft = is_soft or _is_still_offered(written, doubt, doubts, item, items, known)
            if (offered or is_first or is_soft) and isinstance(item, Parsed):
                proposed = item.readings
        elif question := _question_mark(written, item.end, ends, sentence[1]):
            start, end = question
            proposed = item.readings if isinstance(item, Parsed) else ()
        else:
            done.append(item)
            continue
        if isinstance(item, Parsed):
            fault = Fault(ReadingKind.DOUBTED, start, end)
            start, end = min(start, item.start), max(end, item.end)
            item = Faulty(start, end, fault, (), item.readings, proposed)
        elif isinstance(item, Faulty) and doubt is not None:
            if any(token.is_doubted for token in item.segment):
                item = replace(item, fault=Fault(ReadingKind.DOUBTED, start, end), proposed=())
            item = replace(item, is_turned=True)
        done.append(item)
    return [item for at, item in enumerate(done) if not _is_beside_doubted(done, at)]


def _doubt_behind(written: str, item: Item, known: Sequence[Token]) -> Doubt | None:
    """What goes on behind an order as if its words had been told (`Par to Bur... と書きましたが`),
    or takes it out without a name: `Par to Bur. これは外します。` The words are sorted."""
    if not isinstance(item, Parsed) or not isinstance(item.readings[0], _MOVEMENT):
        return None
    after = bisect_left(known, item.end, key=start_of)
    end = known[after - 1].end if after and known[after - 1].start >= item.start else item.end
    if found := _going_on().match(written, end):
        return Doubt(*found.span())
    words: list[Token] = []  # the verbs of a clause without a name
    for token in islice(known, after, None):
        if words and _CLAUSE_ENDS.search(written, words[-1].end, token.start):
            break
        if token.is_place or token.word in (*KINDS, *VERBS - _TAKING_OUT):
            return None  # the next order
        words += [token] if token.word in VERBS else []
    for verb in words:
        if not verb.is_non_latin or (verb.word == "R" and not takes_back(verb.text)):
            return None
    return Doubt(words[0].start, words[-1].end) if words else None


@cache
def _going_on() -> re.Pattern[str]:
    words = "|".join(listed("doubts", "going_on"))
    return re.compile(rf"[\s.]*[,，、.…]+\s*(?:{words})")


def _is_still_offered(
    written: str,
    doubt: Doubt,
    doubts: Sequence[Doubt],
    item: Item,
    items: Sequence[Item],
    known: Sequence[Token],
) -> bool:
    """Whether a word in doubt leaves the one order of its line to be offered: a condition in a
    clause of its own (`If Germany agrees, Par to Bur`), or where it does not go (`Par to Bur, not
    to Pic`)."""
    if len(items) > _OFFERED_BESIDE or is_written_as_notation(known):
        return False
    if any(each is not item and isinstance(each, Parsed) for each in items):
        return False
    said = written[doubt.start : doubt.end].lower()
    found = _CLAUSE_ENDS.search(written, doubt.end)
    end = found.start() if found else len(written)
    is_alone = all(each.end <= end or each is doubt for each in doubts)
    if said in listed("doubts", "depending") and end <= item.start:
        return is_alone
    if item.end > doubt.start or any(each.start < doubt.start for each in doubts):
        return False
    if said in listed("doubts", "depending"):
        return not SENTENCE_ENDS.search(written, item.end, doubt.start)
    goals = [t.word for t in known if t.start >= doubt.end and t.is_place]
    own = [t.word for t in known if item.start <= t.start < item.end and t.is_place]
    is_apart = any(doubt.start >= each.end() > item.end for each in _CLAUSE_ENDS.finditer(written))
    is_apart = is_apart or written[item.end : doubt.start].strip() in (",", "，")
    return said in listed("doubts", "refusing") and is_apart and bool({*goals} - {*own})


@cache
def _offers() -> tuple[str, ...]:
    """How headings end that offer one of several orders: `1안`, `方案一`."""
    numbers = ("", *"1234567890一二三四五六七八九十１２３４５６７８９ＡＢＣABCabc甲乙丙가나다")
    return tuple(word + number for word in listed("doubts", "offers") for number in numbers)


def _question_mark(
    written: str, end: int, ends: Sequence[int], sentence: int
) -> tuple[int, int] | None:
    """The columns of the question mark that ends the sentence of an order."""
    if found := _QUESTION_BEHIND.match(written, end):
        return found.end() - 1, found.end()
    at = ends[sentence] if sentence < len(ends) else -1
    return (at, at + 1) if at >= 0 and written[at] in "?？" else None


def _is_beside_doubted(items: Sequence[Item], at: int) -> bool:
    """Whether it is a plain fault beside a doubted order that tells of it."""
    item = items[at]
    if not isinstance(item, Faulty) or item.doubted:
        return False
    return any(
        isinstance(near, Faulty)
        and near.doubted
        and near.start <= item.end
        and item.start <= near.end
        for near in items[max(0, at - 1) : at + 2]
    )
