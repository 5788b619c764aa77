"""Finds dates, times of day and lengths of time inside a sentence, in any language.

What is found is read by `dates.py`; nothing here knows what it means.
"""

import re
from functools import cache

from judge.host.schedules.date_grammar import amounts, any_of, date_words


def amount_in(sentence: str) -> str:
    """The length of time that a sentence names, as `parse_duration` reads it; empty if none."""
    text = sentence.casefold()
    phrases, units = amounts()
    named = [phrase for phrase in phrases if phrase in text]
    if named:
        return phrases[max(named, key=len)]
    found = amount_words().search(text)
    return f"{found['number']}{units[found['unit']]}" if found else ""


@cache
def amount_words() -> re.Pattern[str]:
    """Finds a number of hours, days or weeks in any language."""
    _, units = amounts()
    return re.compile(rf"(?P<number>\d+)\s*(?P<unit>{any_of(units)})(?![a-z])", re.IGNORECASE)


@cache
def time_words() -> re.Pattern[str]:
    """Finds the words and figures of a date or an hour in any language."""
    days: set[str] = set()
    hours: set[str] = set()
    for one in date_words():
        days |= {*one.days, *one.noon, *one.midnight, *one.morning, *one.evening, *one.night}
        days |= {word for names in one.weekdays for word in names if len(word) > 1}
        hours |= {*one.hour, *one.hour_24}
    clear = (word for word in days if not word.isascii() or len(word) > len("a.m."))
    months = any_of(word for one in date_words() for names in one.months for word in names)
    minutes = any_of(word for one in date_words() for word in one.minute)
    half = any_of(word for one in date_words() for word in one.half_past)
    hour = rf"\d{{1,2}}\s*(?:{any_of(hours)})(?![간間])(?:\s*(?:\d{{1,2}}\s*(?:{minutes})|{half}))?"
    clock = rf"{hour}|\d{{1,2}}:\d\d|\d{{1,2}}\s*[ap]\.?m\b"
    date_ = (
        rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{months})|(?:{months})\s+\d{{1,2}}"
        r"|\d{1,2}\s*[月월]\s*\d{1,2}\s*[日號일]"
    )
    return re.compile(rf"{date_}|{clock}|{any_of(clear)}", re.IGNORECASE)
