"""The words of dates in all languages, and the grammar that they are read by.

The shapes are `grammar/dates.lark`, the words `grammar/<language>/dates.toml`. What a text means is
said in `dates.py` and `scheduling.py`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec
from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from judge.data import language_data, read_text
from judge.grammars import parser_of
from judge.host.local_words import meanings

LONGEST = 200  # characters of a date or a schedule
SPANS = ("shortest", "length", "grace", "delay")  # what a length of time may be called
# Items whose words are terminals of the grammar as they are.
PLAIN = (
    *("this", "next", "next_week", "morning", "evening", "night", "half_past", "noon", "midnight"),
    *("every", "weekend", "workdays", "not_on"),
)


class DateWords(msgspec.Struct, frozen=True):
    """A language's words; `grammar/en/dates.toml` shows what they are for."""

    days: dict[str, int]
    weekdays: tuple[tuple[str, ...], ...]
    months: tuple[tuple[str, ...], ...]
    this: tuple[str, ...]
    next: tuple[str, ...]
    next_week: tuple[str, ...]
    morning: tuple[str, ...]
    evening: tuple[str, ...]
    night: tuple[str, ...]
    hour: tuple[str, ...]
    hour_24: tuple[str, ...]
    minute: tuple[str, ...]
    half_past: tuple[str, ...]
    noon: tuple[str, ...]
    midnight: tuple[str, ...]
    at: tuple[str, ...]
    in_: tuple[str, ...] = msgspec.field(name="in")
    later: tuple[str, ...]
    to: tuple[str, ...]
    ignored: tuple[str, ...]
    since: tuple[str, ...]
    up_to: tuple[str, ...]
    every: tuple[str, ...]
    every_day: tuple[str, ...]
    weekend: tuple[str, ...]
    workdays: tuple[str, ...]
    not_on: tuple[str, ...]
    not_after: tuple[str, ...]
    shortest: tuple[str, ...]
    length: tuple[str, ...]
    grace: tuple[str, ...]
    delay: tuple[str, ...]
    year_mark: tuple[str, ...] = ()
    month_mark: tuple[str, ...] = ()
    day_mark: tuple[str, ...] = ()
    numerals: dict[str, int] = msgspec.field(default_factory=dict)
    week_prefixes: tuple[str, ...] = ()
    week_letters: str = ""
    between: tuple[str, ...] = ()


@cache
def date_words() -> tuple[DateWords, ...]:
    """The words of each language."""
    return tuple(msgspec.convert(one, DateWords) for one in language_data("dates.toml").values())


def parsed(start: str, written: str) -> Tree[Token] | None:
    """A text by a rule of the grammar; None if it does not fit."""
    text = unicodedata.normalize("NFKC", written).strip().rstrip(".")
    if not text or len(text) > LONGEST:
        return None
    for city in sorted(_cities(), key=len, reverse=True):
        text = text.replace(city, f" {_cities()[city]} ")
    try:
        return _grammar(start).parse(text)
    except LarkError:
        return None


def plain(token: str) -> str:
    return " ".join(token.split()).casefold()


@cache
def by_word(item: str) -> Mapping[str, int]:
    """What each word of an item stands for: its number, or its place in the list."""
    found: dict[str, int] = {}
    for language in date_words():
        value = getattr(language, item)
        if isinstance(value, dict):
            found |= value
        else:
            lists = (words if isinstance(words, tuple) else (words,) for words in value)
            found |= {word: n for n, words in enumerate(lists) for word in words}
    return found


@cache
def amounts() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Lengths of time in words (`two days` is `2d`), and the letters of units (`days` is `d`)."""
    own = language_data("own_words.toml")
    phrases = {word: span for table in own.values() for word, span in table["amounts"].items()}
    return phrases, meanings("units")


@cache
def _grammar(start: str) -> Lark:
    """`grammar/dates.lark` with a terminal for each item of the languages' words."""
    names = [one for one in DateWords.__struct_fields__ if one not in ("week_letters", "between")]
    words = {name: any_of(by_word(name)) for name in names}
    number = rf"(?:\d{{1,2}}|{words['numerals']})\s*"
    phrases, units = amounts()
    unit = rf"(?:{any_of(units)}|[wdhms](?![a-z]))"
    amount = rf"(?:(?:{any_of(phrases)}|\d+(?:\.\d+)?\s*{unit})\s*)"
    not_hours = rf"(?!\s*(?:st|nd|rd|th|of|{words['months']}|[-–~.:\/\d]))"
    # A day of the week, or several in one word: `Friday`, `금`, `週一三五`, `星期六、日`.
    letters = "".join(by_word("week_letters"))
    weekday = (
        rf"(?:{words['week_prefixes']})[{letters}天]"
        rf"(?:[、,和及\s]*[{letters}](?![十月點時分號半小週個]))+|{words['weekdays']}"
    )
    terminals = {
        "ISO_DATE.9": r"\d{4}[-\/.]\d{1,2}[-\/.]\d{1,2}(?:T(?=\d))?",
        "DOTTED_DATE.9": r"\d{1,2}\.\d{1,2}\.(?:\d{4})?",
        "SLASHED_DATE.9": r"\d{1,2}\/\d{1,2}(?:\/\d{4})?",
        "COLON_TIME.9": r"\d{1,2}:\d\d(?::\d\d)?",
        "PLUS_AMOUNT.10": rf"\+\s*{amount}+",
        "IN_AMOUNT.10": rf"(?:{words['in_']})\s+{amount}+|{amount}+(?:{words['later']})",
        "CLOCK_FIELD.9": r"clock\s+(?:-1|\d{1,4})",
        "DAYS_FIELD.9": r"days\s+[-smtwf]{7}",
        "SPAN_FIELD.9": r"(?:min|next|grace|delay)\s+\d+(?:\.\d+)?(?![\w.])",
        "SPAN_WORDS.8": rf"(?:{'|'.join(words[name] for name in SPANS)})\s*{amount}+",
        "AMOUNT.7": amount,
        "OFF_AFTER.8": rf"(?:(?:{weekday}|{words['weekend']})[\s、]*)+(?:{words['not_after']})",
        "YEAR_MARK.7": rf"\d{{4}}\s*(?:{words['year_mark']})",
        "MONTH_MARK.7": rf"{number}(?:{words['month_mark']})",
        "DAY_MARK.6": rf"{number}(?:{words['day_mark']})",
        "HOUR_MARK.7": rf"{number}(?:{words['hour']})(?![간間])",
        "HOUR_24.7": rf"{number}(?:{words['hour_24']})(?!間)",
        "MINUTE_MARK.7": rf"{number}(?:{words['minute']})",
        "HOUR_12.8": r"\d{1,2}(?=\s*[ap]\.?m)",
        "BARE_HOUR.5": rf"(?:{words['at']})\s+\d{{1,2}}(?![\d:])|\d{{1,2}}{not_hours}",
        "YEAR.6": r"\d{4}",
        "NUMBER.4": r"\d{1,2}(?:st|nd|rd|th)?",
        "MONTH.5": words["months"],
        "WEEKDAY.5": weekday,
        "DAY_WORD.6": words["days"],
        "EVERY_DAY.7": words["every_day"],
        "TO.3": rf"[-–—~〜]|{words['to']}",
        "OFFSET.4": r"[+-]\d\d(?::?\d\d)?",
        "ZONE.8": r"[A-Za-z]+(?:\/[A-Za-z_+-]+)+\d*|UTC|GMT|Z(?![a-z])",
        "IGNORED.2": words["ignored"],
        "CITY.1": r"[A-Za-z][A-Za-z_]+",
        **{f"{name.upper()}.{7 if name == 'weekend' else 6}": words[name] for name in PLAIN},
    }
    lines = [f"{name}: /{pattern}/i" for name, pattern in terminals.items()]
    text = "\n".join([read_text("grammar", "dates.lark"), *lines, ""])
    return parser_of(text, start)


@cache
def _cities() -> Mapping[str, str]:
    """Zones by the names of cities outside ASCII, put into a text before the grammar reads it."""
    tables = language_data("language.toml").values()
    named = (city for table in tables for city in table.get("cities", {}).items())
    return {name: zone for name, zone in named if not name.isascii()}


def any_of(words: Iterable[str]) -> str:
    """A pattern of any of some words, the longest first; words of letters end where they end."""
    patterns = []
    for word in sorted(set(words), key=len, reverse=True):
        spaced = r"\s+".join(map(re.escape, word.split())).replace("/", r"\/")
        if word[0].isascii() and word[0].isalpha():
            spaced = rf"(?<![a-z]){spaced}" + ("" if word.endswith(".") else "(?![a-z])")
        patterns.append(spaced)
    return "|".join(patterns) or "(?!)"
