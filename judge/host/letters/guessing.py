"""What a sentence most likely asks for whose words are not all known; its writer is asked.

A pattern of `grammar/cues.toml` fits if each of its meanings stands somewhere in the sentence and
none that it forbids. The pattern of most meanings wins. Nothing is done by a guess alone, but for
what only shows something.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from zoneinfo import available_timezones

from judge.data import language_data, read_text
from judge.host.schedules.times import amount_in, time_words

LONGEST = 160  # characters of a sentence; longer ones are prose
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)
WHOLE_DAYS = {f"{24 * days}h": f"{days}d" for days in range(1, 15)}
NEVER = ("chat", "past")  # meanings of sentences that ask for nothing


@dataclass(frozen=True, slots=True)
class _Pattern:
    rule: str
    needed: tuple[frozenset[str], ...]
    forbidden: frozenset[str]


def guess(sentence: str, names: Mapping[str, str], may: Callable[[str], bool]) -> str | None:
    """The rule of the command that a sentence asks for, if any.

    `names`: what it names (`names_in`, and the game's own); `may`: whether the writer may give the
    command of a rule.
    """
    if len(sentence) > LONGEST:
        return None
    best: tuple[int, int, str] | None = None
    for language, words in _words().items():
        asks_or_wishes = _asking(language)
        held = {meaning for meaning, spelled in words.items() if spelled.search(sentence)}
        if held.intersection(NEVER):
            continue
        held.update(names)
        if asks_or_wishes.search(sentence):
            held.add("asking")
        for at, pattern in enumerate(_patterns()):
            if not all(one & held for one in pattern.needed) or pattern.forbidden & held:
                continue
            found = (len(pattern.needed), -at, pattern.rule)
            if (best is None or found > best) and may(pattern.rule):
                best = found
    return best[2] if best else None


def names_in(sentence: str) -> dict[str, str]:
    """The address, zone, language and amount of time that a sentence names."""
    found = {}
    if match := ADDRESS.search(sentence):
        found["<address>"] = match[0]
    if city := next(_named(_cities(), sentence), None):
        found["<zone>"] = _cities()[city]
    if language := next(_named(_language_names(), sentence), None):
        found["<language>"] = _language_names()[language]
    if amount := amount_in(sentence):
        found["amount"] = WHOLE_DAYS.get(amount, amount)
    if moment := " ".join(match[0] for match in time_words().finditer(sentence)):
        found["moment"] = moment
    return found


def _named(names: Iterable[str], sentence: str) -> Iterator[str]:
    text = sentence.casefold()
    words = set(re.findall(r"[a-z_]+", text))
    return (one for one in names if (one.casefold() in words if one.isascii() else one in text))


@cache
def _cities() -> Mapping[str, str]:
    """What SET ZONE takes for the cities of the zones, by their names in any language."""
    zones = [zone for zone in available_timezones() if "/" in zone]
    cities = {one.rpartition("/")[2].casefold(): one.rpartition("/")[2] for one in zones}
    for table in language_data("language.toml").values():
        own = table.get("cities", {})
        cities |= {city: zone.rpartition("/")[2] for city, zone in own.items()}
    return {
        city: name for city, name in sorted(cities.items()) if len(city) > 3 or not city.isascii()
    }


@cache
def _language_names() -> Mapping[str, str]:
    return {
        name: language
        for language, table in language_data("language.toml").items()
        for name in table["names"]
        if len(name) > 2 or not name.isascii()
    }


@cache
def _asking(language: str) -> re.Pattern[str]:
    """What stands in a question or a wish."""
    table = language_data("own_words.toml")[language]
    question, request = table.get("question", "(?!)"), table.get("request", "(?!)")
    return re.compile(rf"[?？]|{question}[.!。！~ ]*\Z|{request}", re.IGNORECASE)


@cache
def _patterns() -> tuple[_Pattern, ...]:
    table = tomllib.loads(read_text("grammar", "cues.toml"))
    weak: Mapping[str, Sequence[str]] = table.pop("weak")
    return tuple(
        _Pattern(
            rule,
            tuple(frozenset(one.split("|")) for one in line.split() if one[0] != "-"),
            frozenset(one[1:] for one in line.split() if one[0] == "-"),
        )
        for rule, lines in (*table.items(), *weak.items())
        for line in lines
    )


@cache
def _words() -> Mapping[str, Mapping[str, re.Pattern[str]]]:
    """By language what finds the words of each meaning."""
    found = {}
    for language, cues in language_data("cues.toml").items():
        meanings: dict[str, list[str]] = {
            key: [*words]
            for key, words in language_data("own_words.toml")[language]["meanings"].items()
        }
        for key, words in cues.items():
            meanings.setdefault(key, []).extend(words)
        found[language] = {key: _spelled(words) for key, words in meanings.items()}
    return found


def _spelled(words: Sequence[str]) -> re.Pattern[str]:
    spelled = (
        rf"(?<![A-Za-z0-9]){re.escape(one)}(?![A-Za-z0-9])" if one.isascii() else re.escape(one)
        for one in words
    )
    return re.compile("|".join(spelled), re.IGNORECASE)
