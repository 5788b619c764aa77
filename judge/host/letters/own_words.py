"""What people ask for in their own words: `When is the deadline?`, `도와주세요`, `我準備好了`.

A sentence is cut into words that have a meaning and what stands between them. It asks for a command
if its meanings are those of one of the command's patterns, no more and no fewer, and what stands
between them are particles, endings and polite words. The patterns are one table for all languages,
`grammar/own_words.toml`; the words of the meanings are in `grammar/<language>/own_words.toml`.

Where no command is certain, `guess` takes a question or a wish that holds the meanings of a pattern
beside others: its writer is asked.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import msgspec

from judge.data import language_data, read_text
from judge.host.schedules.times import amount_in, amount_words, time_words

LONGEST = 120  # characters of a sentence; longer ones are prose
MOST_FOREIGN = 0.3  # of a sentence's letters that may have no meaning, to ask whether it was meant
LONGEST_SLOT = 40
HARMLESS = ("status", "who", "votes", "help", "list", "missing", "extend")  # may be a question
ANYWHERE = frozenset(("can", "tell", "want", "now"))  # meanings that stand in every pattern
# Meanings that stand for a command alone, where its pattern needs no other.
STRONG = frozenset(("draw", "resign", "help", "lost", "vote", "undo", "command", "howto", "ready"))
WEAK = ANYWHERE | {"what", "my", "order"}  # alone they point to no command
# Meanings that decide what is asked for: no pattern fits that leaves one of them out.
DECISIVE = STRONG | {"cancel", "not", "extend", "concede", "join", "seat"}
SLOTS = {"<seat>": "seat", "<power>": "names", "<game>": "game", "<unit>": "coming"}
SENTENCE = re.compile(r"[^.!?。！？]*(?:[.!?。！？](?=\d)[^.!?。！？]*)*[.!?。！？~…]*")
MARKS = ".!?。！？,、，~…:;\"'「」『』() \t\u00a0"
WORD_BORDERS = "(?<![A-Za-z0-9]){}(?![A-Za-z0-9])"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a sentence asks for: the rule of a command and its arguments. It is certain, or else the
    writer must be asked whether it was meant."""

    rule: str
    arguments: Mapping[str, str]
    is_certain: bool
    rank: tuple[bool, int, int, int]


class _Words(msgspec.Struct, frozen=True):
    """A language's file. `particles` stand behind a name, `question` ends a question, `request`
    stands in a wish; all are patterns, as are the alternatives of `filler`."""

    filler: str
    meanings: dict[str, tuple[str, ...]]
    amounts: dict[str, str]
    particles: str = "(?!)"
    question: str = "(?!)"
    request: str = "(?!)"


@dataclass(frozen=True, slots=True)
class _Pattern:
    """Meanings of a sentence: one of each set of `needed`, any of `allowed`, and a slot or none;
    `is_asked`: whoever writes it is asked what it means."""

    rule: str
    needed: tuple[frozenset[str], ...]
    allowed: frozenset[str]
    slot: str
    is_asked: bool


@dataclass(frozen=True, slots=True)
class _Language:
    """The words of a language: what finds them, their meanings, and what means nothing."""

    words: re.Pattern[str]
    meanings: Mapping[str, frozenset[str]]
    filler: re.Pattern[str]
    particles: re.Pattern[str]
    question: re.Pattern[str]
    request: re.Pattern[str]


def sentences(line: str) -> list[str]:
    """The sentences of a line; those that hold only signs are left out."""
    return [one.strip() for one in SENTENCE.findall(line) if one.strip(MARKS)]


def asked(sentence: str) -> Asked | None:
    """The command that a sentence asks for; None if it asks for none."""
    if len(sentence) > LONGEST:
        return None
    found = [one for language in _languages() for one in _readings(sentence, language)]
    return max(found, key=lambda one: (one.is_certain, one.rank), default=None)


def guess(sentence: str) -> str | None:
    """The rule of the command that a question or wish most likely asks for, if any."""
    if len(sentence) > LONGEST:
        return None
    found: list[tuple[int, int, str]] = []
    for language in _languages():
        is_question = language.question.search(sentence) is not None
        if not is_question and not language.request.search(sentence):
            continue
        tokens, _ = _cut(sentence.strip(MARKS), language)
        held = frozenset[str]().union(*tokens)
        if "chat" in held:
            continue
        for pattern in _patterns():
            if pattern.slot or pattern.is_asked or all(one & WEAK for one in pattern.needed):
                continue
            if not all(needed & held for needed in pattern.needed):
                continue
            if any(token & DECISIVE and not token & pattern.allowed for token in tokens):
                continue
            clears_too_much = pattern.rule == "clear" and not _is_of_all(tokens)
            explained = sum(1 for token in tokens if token & pattern.allowed)
            is_strong = any(needed & STRONG & held for needed in pattern.needed)
            if not clears_too_much and (is_strong or min(explained, len(pattern.needed)) > 1):
                found.append((explained, len(pattern.needed), pattern.rule))
    return max(found)[2] if found else None


def is_polite(sentence: str) -> bool:
    """Whether a sentence only greets or thanks."""
    return any(one.filler.fullmatch(sentence) for one in _languages())


def _readings(sentence: str, language: _Language) -> Iterator[Asked]:
    tokens, foreign = _cut(sentence.strip(MARKS), language)
    is_question = language.question.search(sentence) is not None
    has_much = sum(map(len, foreign)) > MOST_FOREIGN * len(sentence)
    for pattern in _patterns():
        if not tokens or not all(token & pattern.allowed for token in tokens):
            continue
        if not all(any(needed & token for token in tokens) for needed in pattern.needed):
            continue
        if pattern.rule == "clear" and foreign and not pattern.slot and not _is_of_all(tokens):
            continue  # YES would clear every order, where one was named
        arguments: dict[str, str] = {}
        if pattern.slot:
            written = _name(foreign[0], language) if len(foreign) == 1 else ""
            if not _fits(pattern.slot, written):
                continue
            arguments[SLOTS[pattern.slot]] = written
        elif has_much:
            continue
        if "amount" in pattern.allowed and (amount := amount_in(sentence)):
            arguments["time"] = f"+{amount}"
        if any("moment" in needed for needed in pattern.needed):
            arguments["time"] = " ".join(match[0] for match in time_words().finditer(sentence))
        is_certain = not foreign or bool(pattern.slot)
        if pattern.is_asked or (is_question and pattern.rule not in HARMLESS):
            is_certain = False
        # What explains most: no slot, many meanings, few others that could stand there.
        rest = sum(map(len, arguments.values())) if pattern.slot else 0
        rank = (not pattern.slot, len(pattern.needed), -rest, -len(pattern.allowed))
        yield Asked(pattern.rule, arguments, is_certain, rank)


def _is_of_all(tokens: Sequence[frozenset[str]]) -> bool:
    return any("all" in token for token in tokens)


def _cut(text: str, language: _Language) -> tuple[list[frozenset[str]], list[str]]:
    """The meanings of each word of a sentence, and what stands between the words unexplained."""
    tokens: list[frozenset[str]] = []
    foreign: list[str] = []
    at = 0
    for match in (*language.words.finditer(text), None):
        between = text[at : match.start() if match else len(text)]
        if not language.filler.fullmatch(between):
            foreign.append(between.strip(MARKS))
        if match is None:
            break
        at = match.end()
        kind = "moment" if match.lastgroup == "moment" else "amount"
        meanings = language.meanings.get(_plain(match[0]), frozenset((kind,)))
        if "neutral" not in meanings:
            tokens.append(meanings)
    return tokens, foreign


def _name(written: str, language: _Language) -> str:
    """A name without the small words before and behind it."""
    words = written.split()
    while len(words) > 1 and language.filler.fullmatch(words[0]):
        del words[0]
    while len(words) > 1 and language.filler.fullmatch(words[-1]):
        del words[-1]
    return language.particles.sub("", " ".join(words))


def _fits(slot: str, written: str) -> bool:
    """Whether words can stand in a slot; only the game knows what they name."""
    if not 0 < len(written) <= LONGEST_SLOT:
        return False
    if slot == "<game>":
        return re.fullmatch(r"[A-Za-z][A-Za-z0-9]{1,23}", written) is not None
    return slot == "<unit>" or len(written.split()) <= 2


def _plain(word: str) -> str:
    return " ".join(word.split()).casefold()


@cache
def _patterns() -> tuple[_Pattern, ...]:
    patterns = []
    table: Mapping[str, Sequence[str]] = tomllib.loads(read_text("grammar", "own_words.toml"))
    for rule, lines in table.items():
        for line in lines:
            slot = next((word for word in line.split() if word in SLOTS), "")
            meant = [word for word in line.split() if word not in (slot, "~")]
            needed = [frozenset(word.split("|")) for word in meant if not word.endswith("?")]
            optional = {word.rstrip("?") for word in meant if word.endswith("?")}
            allowed = frozenset().union(*needed, optional, ANYWHERE)
            patterns.append(_Pattern(rule, tuple(needed), allowed, slot, line.startswith("~")))
    return tuple(patterns)


@cache
def _languages() -> tuple[_Language, ...]:
    tables = language_data("own_words.toml").values()
    return tuple(_language(msgspec.convert(table, _Words)) for table in tables)


def _language(table: _Words) -> _Language:
    meanings: dict[str, frozenset[str]] = {}
    for meaning, words in table.meanings.items():
        for word in words:
            plain = _plain(word)
            meanings[plain] = meanings.get(plain, frozenset()) | {meaning}
    spelled = {word for words in table.meanings.values() for word in words} | {*table.amounts}
    spellings = "|".join(_spelling(word) for word in sorted(spelled, key=len, reverse=True))
    # The longest first, letters of a set last, and nothing taken back: else time is exponential.
    fillers = sorted(table.filler.split("|"), key=lambda word: (word.startswith("["), -len(word)))
    filler = "|".join(WORD_BORDERS.format(one) if one.isascii() else one for one in fillers)
    moment = rf"(?P<moment>{time_words().pattern})"
    amount = amount_words().pattern
    return _Language(
        re.compile(f"{moment}|{spellings}|{amount}", re.IGNORECASE),
        meanings,
        re.compile(rf"(?:{filler}|[{re.escape(MARKS)}])*+", re.IGNORECASE),
        re.compile(rf"\s*{table.particles}\Z"),
        re.compile(rf"(?:[?？]|{table.question}[{re.escape(MARKS)}]*)\Z"),
        re.compile(table.request, re.IGNORECASE),
    )


def _spelling(word: str) -> str:
    """A word as it is found: whole where its script has spaces between words, and with the space
    behind it where one is written."""
    spaced = r"\s+".join(map(re.escape, word.split()))
    if word[0].isascii():
        return WORD_BORDERS.format(spaced)
    return spaced.replace(r"\s+", r"\s*") + (r"\s+" if word.endswith(" ") else "")
