"""What people ask for in their own words: `When is the deadline?`, `도와주세요`, `我準備好了`.

A sentence asks for a command if it holds the meanings of one of the command's patterns; of several
patterns that fit, the one that names the most meanings counts. What else stands in the sentence
(reasons, greetings, names) decides only whether its writer must be asked. The patterns are one
table for all languages, `grammar/own_words.toml`; how each language says a meaning is in
`grammar/<language>/own_words.toml`, as regular expressions over stems.

The commands are ranked by the likeness of the sentence to the examples of each (`likeness.py`) and
by the weight of its patterns; below a rank, or where the sentence is more like chat, it asks for
nothing. Without a pattern, or where examples point to another command, the writer is asked.
"""

import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from itertools import chain, groupby
from unicodedata import normalize

import msgspec

from judge.data import language_data, read_text
from judge.host.letters.likeness import CHAT, Examples, Features, examples_of, features_of
from judge.host.schedules.times import amount_in, amount_pattern, days_pattern, time_pattern

LONGEST = 240  # characters of a sentence; longer ones are prose
MOST_READINGS = 12  # of a sentence that are looked at, the likeliest
MOST_SENTENCES = 60  # of a letter that are looked at
SHORT = {"words": 4, "letters": 8}  # a sentence of no more is a request even without a verb
PATTERN_SHARE = 0.3  # of the likeliest pattern, where the likeness to an example is up to 1.75
CHAT_SHARE = 0.75  # of the likeness to chat, which a command's rank exceeds by LEAST
LEAST = {True: 0.25, False: 0.33}  # rank of a command, by whether the sentence has a form
MOST_WEIGHT = 8.0  # of a pattern that leaves no doubt
AGREED = 0.55  # likeness by which the examples agree with a pattern that explains not all
CONTRADICTION = 0.15  # by which they are more like another command than what a pattern explains
MARGIN = 0.12  # of the likeliest command before the next one and before chat, to be carried out
LEAST_OF_OTHERS = 0.4  # of the likeliest one's rank, of a command beside it
MOST_LIKELY = 8  # commands without a pattern; some of them are not for every role
CHATTY = 0.5  # likeness to these of a line of chat that begins with the word of a command
NAMED = 3  # what a name of the right kind weighs, as the meanings of `_weight` do
LEAST_WEIGHT = 0.5  # of a meaning that all commands share
FORMS = ("question", "wish")
NO_STEMS = {"ask", "question", "short", "amount", "moment", "days", "address"}  # or not they alone
GROUP = 12  # meanings that a sentence is searched for together
DOUBTS = ("not", "doubt")  # where no meaning of the pattern, they keep a command from being done
SENTENCE = re.compile(r"[^.!?。！？]*(?:\.(?=[A-Za-z0-9])[^.!?。！？]*)*[.!?。！？~〜…]*")
MARKS = " \t\u00a0.!?。！？,、，~〜…:：;\"'「」『』()（）*-–—^+ㅠㅎㅋ"
NOTHING = r"(?!)"  # a pattern that finds nothing
MARKED = r"[,，、;；:：—–\"“”「」()（）]\s*|\s-\s"  # between clauses
ADDRESS = re.compile(r"[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
SCRIPTS = {  # of the languages that are not written in Latin letters; kanji alone may be two
    "ko": re.compile("[가-힣]"),
    "ja": re.compile("[ぁ-ヿ]"),
    "zh_Hant": re.compile("[\u3400-\u9fff]"),
}
KANA = SCRIPTS["ja"]
FIGURES = "〇一二三四五六七八九"
NUMERAL = re.compile(  # of a date, an hour or a length of time; not in 週六日, 一時停止
    "(?<![期週周拜曜百十一二兩三四五六七八九])"
    "(?:[二三]?十[一二三四五六七八九]?|[二兩三四五六七八九]|一(?=[月號篇則])|(?<=月)一(?=日))"
    "(?=[月日號點時天週篇則]|個?小時)"
)
CHINESE = re.compile(
    "[我你您的了嗎呢吧是不請們這那沒還把給會什麼誰讓请这们没还给么谁让吗说间]"
)  # no Japanese
SLASHED = re.compile(
    r"(?<![\d/])(1[0-2]|0?[1-9])/(3[01]|[12]\d|0?[1-9])(?![\d/])[日號号일]?"
)  # month, day
WIDE = "".join(map(chr, (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))))
NARROW = str.maketrans(f"{WIDE}＠．／－～＿＋", f"{normalize('NFKC', WIDE)}@./-~_+")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sentence asks for."""

    rule: str  # of the command
    arguments: Mapping[str, str]  # those that the sentence gives without knowledge of any game
    constant: str  # what the pattern itself gives the command: `DRAW` of HELP
    language: str  # that it is read in
    rest: tuple[str, ...]  # what the pattern does not explain: names, reasons, polite words
    is_request: bool  # it asks, wishes or is short; else it only states something
    has_form: bool  # it asks or wishes
    is_of_all: bool  # it speaks of everything: `all my orders`
    is_certain: bool = False  # it denies nothing and leaves no doubt, beside what the pattern says
    is_plain: bool = False  # it is certain, and no question
    has_pattern: bool = False  # a pattern says so, not only examples
    is_likely: bool = False  # it has a pattern, and is no chat by the examples
    required: frozenset[str] = frozenset()  # the arguments without which it asks for something else
    # To the examples of its command; `chat` to those of chat.
    likeness: float = field(compare=False, default=0.0)
    chat: float = field(compare=False, default=0.0)
    rank: float = field(compare=False, default=0.0)  # of several readings the greatest counts


class _Words(msgspec.Struct, frozen=True):
    """A language's file; most of its words are regular expressions."""

    filler: tuple[str, ...]  # words without a meaning of their own
    meanings: dict[str, tuple[str, ...]]
    amounts: dict[str, str]
    captures: dict[str, tuple[str, ...]] = {}  # what a name of the writer's choice stands in
    particles: tuple[str, ...] = ()  # what the language adds to a name
    names: tuple[str, ...] = ()  # each is like any other name of its kind
    spoken: dict[str, str] = {}  # words that the rest of the file knows, with those said for them
    joints: tuple[str, ...] = ()  # what stands between a request and its reason


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Meanings that a sentence must have to ask for a command."""

    rule: str
    constant: str
    needed: tuple[frozenset[str], ...]  # one of each set
    barred: frozenset[str]  # and none of these
    required: frozenset[str]
    is_asked: bool  # whoever writes it is asked whether it is meant
    bonus: int

    @property
    def key(self) -> str:
        """The command and what it is given, as the files of examples name it."""
        return f"{self.rule} {self.constant}".rstrip()


@dataclass(frozen=True, slots=True)
class _Language:
    """How a language says each meaning, and what it adds without meaning."""

    name: str
    meanings: Mapping[str, re.Pattern[str]]
    filler: re.Pattern[str]
    particles: re.Pattern[str]
    captures: Mapping[str, tuple[re.Pattern[str], ...]]
    names: re.Pattern[str]
    spoken: Callable[[str], str]
    joints: tuple[str, ...]
    # Some meanings that patterns are found by, and what finds any of them: most sentences have none
    # of most.
    groups: Sequence[tuple[re.Pattern[str], tuple[str, ...]]]


class _Heard:
    """A sentence, and where it says what; each meaning is looked for once."""

    def __init__(self, sentence: str, language: _Language) -> None:
        self.written = sentence.replace("’", "'").strip(MARKS) or sentence
        self.text = language.spoken(self.written)
        self.ends_asking = sentence.rstrip().endswith(("?", "？"))
        self.language = language
        self._found: dict[str, tuple[tuple[int, int], ...]] = {}

    def spans(self, meaning: str) -> tuple[tuple[int, int], ...]:
        spans = self._found.get(meaning)
        if spans is None:
            pattern = self.language.meanings.get(meaning)
            found = pattern.finditer(self.text) if pattern else ()
            spans = self._found[meaning] = tuple([one.span() for one in found])
        return spans

    def says(self, meaning: str) -> bool:
        if meaning == "ask":
            return self.is_request
        if meaning == "question" and self.ends_asking:
            return True
        return (meaning == "short" and self.is_short) or bool(self.spans(meaning))

    @cached_property
    def meanings(self) -> frozenset[str]:
        """All meanings that it has."""
        return frozenset(filter(self.says, {*self.language.meanings, "ask", "question", "short"}))

    @property
    def features(self) -> Features:
        said = self.meanings & self.language.meanings.keys()
        text = self.language.names.sub("#", ADDRESS.sub("@", self.text))
        return features_of(text, [*said, "?"] if self.ends_asking else said)

    @cached_property
    def alike(self) -> Mapping[str, float]:
        """How much it is like the examples of each command."""
        return _examples(self.language.name).likeness(self.features)

    @cached_property
    def fitting(self) -> list[tuple[float, _Pattern]]:
        """The patterns that it holds with their weights, the likeliest first; none of chat."""
        found: list[tuple[float, _Pattern]] = []
        if self.says("chat"):
            return found
        held_by = _patterns_by_meaning()
        groups = [meanings for any_of, meanings in self.language.groups if any_of.search(self.text)]
        near = {at for one in filter(self.says, chain(*groups)) for at in held_by[one]}
        for pattern in map(_patterns().__getitem__, sorted(near)):
            if all(any(map(self.says, each)) for each in pattern.needed) and not any(
                map(self.says, pattern.barred)
            ):
                said = ([*filter(self.says, each)] for each in pattern.needed)
                weight = pattern.bonus + sum(max(map(_weight, each)) for each in said)
                found.append((weight, pattern))
        return sorted(found, key=lambda one: -one[0])

    @cached_property
    def is_short(self) -> bool:
        if self.text.isascii():
            return len(self.text.split()) <= SHORT["words"]
        return len(self.text) <= SHORT["letters"]

    @cached_property
    def is_request(self) -> bool:
        return any(map(self.says, FORMS)) or self.is_short

    def has_doubt(self, pattern: _Pattern) -> bool:
        """Whether it denies or doubts something, outside the words that the pattern explains."""
        known = frozenset[str]().union(*pattern.needed)
        told = [span for one in known if one not in FORMS for span in self.spans(one)]
        return any(
            not any(start < end and begin < stop for begin, end in told)
            for doubt in DOUBTS
            if doubt not in known
            for start, stop in self.spans(doubt)
        )

    def rest(self, pattern: _Pattern) -> tuple[str, ...]:
        """What stands between the words that the pattern explains."""
        explained = {*FORMS, "amount", "moment", "address"}.union(*pattern.needed)
        covered = [False] * len(self.text)
        for start, end in (span for meaning in explained for span in self.spans(meaning)):
            covered[start:end] = [True] * (end - start)
        cut = "".join("\0" if is_told else c for c, is_told in zip(self.text, covered, strict=True))
        return tuple(piece for piece in cut.split("\0") if piece.strip(MARKS))


def sentences(line: str) -> list[str]:
    """The sentences of a line; those that hold only signs are left out."""
    return [one.strip() for one in SENTENCE.findall(line) if one.strip(MARKS)]


def asking_clauses(line: str) -> list[str]:
    """The clauses of a line that ask or wish: what else stands in its sentences are reasons. Those
    of chat only tell."""
    found = []
    for sentence in sentences(line):
        if is_chat(sentence):
            continue
        joints = [MARKED, *(one for heard in _heard(sentence) for one in heard.language.joints)]
        parts = [one.strip() for one in re.split("|".join(joints), sentence)]
        heard = [one for part in parts if part != sentence for one in _heard(part)]
        found += [one.text for one in heard if any(map(one.says, FORMS)) and not one.is_short]
    return found


@lru_cache(MOST_SENTENCES)
def plain(text: str) -> str:
    """A text with narrow letters and figures, `十二月五日` in figures too, and a Chinese one in
    traditional characters. In Korean and Japanese `12/5` is December 5, in Chinese
    `12/13` is December 13."""
    text = text.translate(NARROW)
    scripts = [name for name, script in SCRIPTS.items() if script.search(text)]
    if not scripts:
        return text
    if scripts == ["zh_Hant"] and CHINESE.search(text):
        text = text.translate(traditional_by_simplified())
    text = NUMERAL.sub(_in_digits, text)
    days = [(int(found[1]), int(found[2])) for found in SLASHED.finditer(text)]
    if scripts == ["zh_Hant"] and not any(day > 12 or day == month for month, day in days):
        return text  # in Hong Kong the day may stand first
    return SLASHED.sub(r"\1월 \2일" if "ko" in scripts else r"\1月\2日", text)


def _in_digits(numeral: re.Match[str]) -> str:
    """`24` of `二十四`."""
    tens, ten, ones = numeral[0].replace("兩", "二").rpartition("十")
    return str((FIGURES.index(tens or "一") * 10 if ten else 0) + FIGURES.index(ones or "〇"))


@cache
def traditional_by_simplified() -> dict[int, int]:
    """The traditional character for each simplified one, for `str.translate`."""
    pairs = "".join(language_data("language.toml")["zh_Hant"]["traditional"]).replace(" ", "")
    return str.maketrans(pairs[::2], pairs[1::2])


def readings(sentence: str, *, is_alone: bool = False) -> list[Asked]:
    """What a sentence may ask for, the likeliest first. is_alone: its letter holds nothing else."""
    if len(sentence) > LONGEST:
        return []
    found = [one for heard in _heard(sentence) for one in _readings(heard, is_alone=is_alone)]
    return sorted(found, key=lambda one: one.rank, reverse=True)


def is_explained(asked: Asked, names: Iterable[str] = ()) -> bool:
    """Whether a sentence says nothing beside what was read, these names, and words without a
    meaning of their own."""
    language = _load_language(asked.language)
    text = "\0".join(asked.rest)
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(name), "\x01", text, flags=re.IGNORECASE)
    return not re.search(r"\w", language.filler.sub(" ", language.particles.sub(" ", text)))


def is_clear(asked: Asked, others: Sequence[Asked], *, is_explained: bool) -> bool:
    """Whether a reading leads the `others`, which are for other commands, and the examples do not
    contradict it; where its pattern leaves something unexplained, they must agree. A language
    without examples has no second witness."""
    if not _examples(asked.language).commands:
        return asked.has_pattern
    rival = max((one.rank for one in others), default=0.0)
    likest = max((one.likeness for one in others), default=0.0)
    least = likest - CONTRADICTION if is_explained else max(likest, asked.chat + MARGIN, AGREED)
    is_agreed = asked.likeness >= least
    return asked.is_likely and asked.rank >= rival + MARGIN and is_agreed


def captured(name: str, sentence: str) -> str:
    """The words of the writer's own choice in a sentence, as `Frank` in `call me Frank`."""
    for heard in _heard(sentence):
        for pattern in heard.language.captures.get(name, ()):
            if found := pattern.search(sentence):
                return str(found["name"]).strip(MARKS)
    return ""


def distance_to(meaning: str, sentence: str, at: int) -> int:
    """How far from a place in a sentence a meaning is said; 0 if it is not."""
    spans = (span for heard in _heard(sentence) for span in heard.spans(meaning))
    return min((abs(at - start) for start, _ in spans), default=0)


def says(meaning: str, sentence: str) -> bool:
    return any(heard.says(meaning) for heard in _heard(sentence))


def asks_or_denies(text: str) -> bool:
    """Whether words ask, deny or take something back; names do not."""
    return any(says(one, text) for one in ("question", "not", "cancel"))


def has_time(text: str) -> bool:
    """Whether words name a day, an hour or a length of time."""
    return any(says(one, text) for one in ("days", "moment", "amount"))


def is_chat(sentence: str) -> bool:
    """Whether a sentence is like chat, and more so than like what asks for any command."""
    for heard in _heard(sentence):
        likest = max((one for key, one in heard.alike.items() if key != CHAT), default=0.0)
        if heard.alike.get(CHAT, 0.0) < max(CHATTY, likest + MARGIN):
            return False
    return True


def is_puzzled(sentence: str) -> bool:
    """Whether a sentence says only that its writer does not understand something."""
    asked = ("help", "manual", "how_to", "how", "rule")
    return any(one.says("lost") and not any(map(one.says, asked)) for one in _heard(sentence))


def is_polite(sentence: str) -> bool:
    """Whether a sentence only greets or thanks."""
    return any(
        not re.search(r"\w", heard.language.filler.sub(" ", heard.text))
        for heard in _heard(sentence)
    )


@lru_cache(MOST_SENTENCES)
def _heard(sentence: str) -> tuple[_Heard, ...]:
    """The sentence in each language that it may be written in, by its script and its likeness."""
    scripts = [name for name, script in SCRIPTS.items() if script.search(sentence)]
    if "ko" in scripts:
        scripts = ["ko"]
    elif KANA.search(sentence):
        scripts = ["ja"]
    elif scripts and not CHINESE.search(sentence):
        scripts = ["zh_Hant", "ja"]
    found = [_Heard(sentence, _load_language(name)) for name in scripts or ["en"]]
    likest = [max(one.alike.values(), default=0.0) for one in found] if len(found) > 1 else []
    if not likest:
        return tuple(found)
    least = max(likest) - CONTRADICTION  # kanji alone: the language that it is clearly more like
    return tuple(one for one, its in zip(found, likest, strict=True) if its >= least)


def _readings(heard: _Heard, *, is_alone: bool) -> Iterator[Asked]:
    fitting, has_form = heard.fitting, any(map(heard.says, FORMS))
    if not (fitting or is_alone):
        return  # nobody is asked about what is only alike, beside other lines
    alike = heard.alike
    chat = alike.get(CHAT, 0.0)
    least = LEAST[has_form] + CHAT_SHARE * chat if alike else 0.0  # no examples: patterns alone
    share = PATTERN_SHARE / max([MOST_WEIGHT, *(weight for weight, _ in fitting)])
    arguments = _time_and_address_arguments(heard.written)
    patterned, best = {CHAT}, 0.0
    asked = partial(
        Asked,
        arguments=arguments,
        language=heard.language.name,
        is_request=heard.is_request,
        has_form=has_form,
        is_of_all=heard.says("all"),
    )
    for weight, pattern in fitting[:MOST_READINGS]:
        is_certain = not heard.has_doubt(pattern)
        is_address_missing = "address" in pattern.required and "address" not in arguments
        if is_address_missing or not (is_certain or heard.is_request):
            continue
        likeness = alike.get(pattern.key, 0.0)
        rank = weight * share + likeness
        if rank < least:
            continue
        patterned.add(pattern.key)
        best = max(best, rank)
        yield asked(
            pattern.rule,
            constant=pattern.constant,
            rest=heard.rest(pattern),
            is_certain=is_certain and not pattern.is_asked,
            is_plain=is_certain and not (pattern.is_asked or heard.says("question")),
            has_pattern=True,
            is_likely=rank >= chat + MARGIN,
            required=pattern.required,
            likeness=likeness,
            chat=chat,
            rank=rank,
        )
    unfitting = sorted((one, key) for key, one in alike.items() if key not in patterned)
    most = max([best, *(one for one, _ in unfitting)])
    least = LEAST_OF_OTHERS * most if most >= least else most + 1
    for likeness, key in unfitting[-MOST_LIKELY:]:
        if likeness >= least:
            # Only the examples point to it: it is asked about, never carried out.
            rule, _, constant = key.partition(" ")
            rest = (heard.text,)
            yield asked(rule, constant=constant, rest=rest, likeness=likeness, rank=likeness)


def _time_and_address_arguments(text: str) -> dict[str, str]:
    """The arguments of a command that any sentence can give, by their kind."""
    amount, address = amount_in(text), ADDRESS.search(text)
    hours = amount.removesuffix("h")
    if hours.isdigit() and int(hours) % 24 == 0:
        amount = f"{int(hours) // 24}d"  # of `48h`
    found = {
        "amount": f"+{amount}" if amount else "",
        "moment": " ".join(one[0] for one in time_pattern().finditer(text)),
        "address": address[0] if address else "",
    }
    return {kind: value for kind, value in found.items() if value}


@cache
def _patterns() -> tuple[_Pattern, ...]:
    """The table's patterns. `a b` needs both meanings, `a|b` one of them, `!a` bars one; `~` asks
    in any case, `+` weighs as one meaning more."""
    patterns = []
    table: Mapping[str, Sequence[str]] = tomllib.loads(read_text("grammar", "own_words.toml"))
    for key, lines in table.items():
        rule, _, constant = key.partition(" ")
        for line in lines:
            words = line.split()
            needed = tuple(frozenset(word.split("|")) for word in words if word[0] not in "!@~+")
            barred = frozenset(word[1:] for word in words if word[0] == "!")
            required = frozenset(word[1:] for word in words if word[0] == "@")
            bonus = NAMED * len(required) + words.count("+")
            patterns.append(_Pattern(rule, constant, needed, barred, required, "~" in line, bonus))
    return tuple(patterns)


@cache
def _patterns_by_meaning() -> Mapping[str, Sequence[int]]:
    """The patterns that a meaning may lead to, by their number: each pattern stands with all
    meanings of one of its sets, and few meanings stand here, as a sentence is searched for each."""
    held_by: dict[str, list[int]] = {}
    patterns = sorted(enumerate(_patterns()), key=lambda one: min(map(len, one[1].needed)))
    for number, pattern in patterns:
        for meaning in min(pattern.needed, key=lambda each: len(each - held_by.keys())):
            held_by.setdefault(meaning, []).append(number)
    return held_by


@cache
def _examples(language: str) -> Examples:
    words = _load_language(language)
    return examples_of(
        (key, _Heard(one, words).features)
        for key, sentences in language_data("requests.toml").get(language, {}).items()
        for one in sentences
    )


@cache
def _weight(meaning: str) -> float:
    """What a meaning tells of the command that is asked for: the more, the fewer commands it is a
    meaning of."""
    rules = {one.rule for one in _patterns()}
    sharing = {one.rule for one in _patterns() if any(meaning in each for each in one.needed)}
    return math.log2(len(rules) / len(sharing)) + LEAST_WEIGHT


@cache
def _load_language(name: str) -> _Language:
    table = msgspec.convert(language_data("own_words.toml")[name], _Words)
    meanings = {each: _any_of(stems) for each, stems in table.meanings.items()}
    phrases = _any_of([re.escape(one) for one in sorted(table.amounts, key=len, reverse=True)])
    meanings["amount"] = re.compile(f"{phrases.pattern}|{amount_pattern().pattern}", re.IGNORECASE)
    meanings["moment"], meanings["days"] = time_pattern(), days_pattern()
    meanings["address"] = ADDRESS
    captures = {
        kind: tuple(re.compile(one, re.IGNORECASE) for one in each)
        for kind, each in table.captures.items()
    }
    particles = re.compile(rf"\x01\s*(?:{'|'.join(table.particles)})?")
    names = re.compile("|".join(table.names) or NOTHING)
    said = {word: written for written, words in table.spoken.items() for word in words.split()}
    latin = "(?<![A-Za-z0-9@._-]){}(?![A-Za-z0-9@._-])"  # no part of a word or an address
    longest_first = sorted(said, key=len, reverse=True)
    spoken = ((latin if w.isascii() else "{}").format(re.escape(w)) for w in longest_first)
    known = re.compile("|".join(spoken) or NOTHING)
    in_writing = partial(known.sub, lambda found: said[found[0]])
    filler, joints = _any_of(table.filler), table.joints
    stems = {one: said for one, said in table.meanings.items() if one not in NO_STEMS}
    grouped = sorted(_patterns_by_meaning().keys() & stems)
    groups = [(re.compile(""), tuple(_patterns_by_meaning().keys() - stems))]
    for at in range(0, len(grouped), GROUP):
        each = tuple(grouped[at : at + GROUP])
        groups.append((_any_of([stem for one in each for stem in stems[one]]), each))
    return _Language(name, meanings, filler, particles, captures, names, in_writing, joints, groups)


def _any_of(stems: Sequence[str]) -> re.Pattern[str]:
    """Finds any of the stems: whole words where the script has spaces between words."""
    runs = ((is_ascii, "|".join(run)) for is_ascii, run in groupby(stems, str.isascii))
    return re.compile(
        "|".join(
            rf"(?<![A-Za-z0-9_])(?:{run})(?!'?[A-Za-z0-9]|_\w)" if is_ascii else run
            for is_ascii, run in runs
        ),
        re.IGNORECASE,
    )
