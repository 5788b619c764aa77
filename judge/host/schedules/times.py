"""Finds dates, times of day and lengths of time inside a sentence, in any language.

What is found is read by `dates.py`; nothing here knows what it means.
"""

import re
from functools import cache

from judge.host.schedules.date_grammar import amounts, any_of, by_word, date_words


def amount_in(sentence: str) -> str:
    """The length of time that a sentence names, as `parse_duration` reads it; empty if none.

    Of several the first, and of those that begin there the longest: `half a day more`.
    """
    text = sentence.casefold()
    phrases, units = amounts()
    named = [(-text.find(phrase), len(phrase), phrase) for phrase in phrases if phrase in text]
    if named:
        return phrases[max(named)[2]]
    found = amount_pattern().search(text)
    return f"{found['number']}{units[found['unit']]}" if found else ""


@cache
def amount_pattern() -> re.Pattern[str]:
    """Finds a number of hours, days or weeks in any language."""
    _, units = amounts()
    number = r"(?<!\d)(?P<number>\d++)"  # looked at once, however long
    return re.compile(rf"{number}\s*(?P<unit>{any_of(units)})(?![a-z])", re.IGNORECASE)


@cache
def time_pattern() -> re.Pattern[str]:
    """Finds the words and figures of a date or an hour in any language."""
    parts = ("days", "noon", "midnight", "morning", "evening", "night")
    days = {word for part in parts for word in by_word(part)}
    days |= {word for word in by_word("weekdays") if len(word) > 1}
    clear = (word for word in days if not word.isascii() or len(word) > len("a.m."))
    months, minutes, half = map(any_of, map(by_word, ("months", "minute", "half_past")))
    hours = any_of((*by_word("hour"), *by_word("hour_24")))
    spans = rf"(?:{hours})(?![간間理])"  # of time, and `七點整理`
    hour = rf"\d{{1,2}}\s*{spans}(?:\s*(?:\d{{1,2}}\s*(?:{minutes})|{half}))?"
    clock = rf"{hour}|\d{{1,2}}:\d\d|\d{{1,2}}\s*[ap]\.?m\b"
    date_ = (
        rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{months})|(?:{months})\s+\d{{1,2}}"
        r"|\d{1,2}\s*[月월]\s*\d{1,2}\s*[日號号일]|(?<![\d/])\d{1,2}/\d{1,2}(?:/\d{4})?(?![\d/])"
    )
    return re.compile(rf"{date_}|{clock}|{any_of(clear)}", re.IGNORECASE)


def days_named_in(sentence: str) -> list[str]:
    """The days and spans of days that a sentence names, each as `parse_days` reads it."""
    for between in (pattern for one in date_words() for pattern in one.between):
        sentence = re.sub(between, r"\1 - ", sentence, flags=re.IGNORECASE)
    return [found[0].strip() for found in days_pattern().finditer(sentence)]


@cache
def days_pattern() -> re.Pattern[str]:
    """Finds days and spans of days in any language: `24 Dec to 2 Jan`, `24號到26號`, `明天`."""
    months, month_mark, day_mark = map(any_of, map(by_word, ("months", "month_mark", "day_mark")))
    number = rf"(?:\d{{1,2}}|{any_of(by_word('numerals'))})\s*"
    weeks = any_of(word for name in ("this", "next", "next_week") for word in by_word(name))
    days = (word for name in ("weekdays", "weekend", "days") for word in by_word(name))
    weekdays = any_of(word for word in days if len(word) > 1)
    dated = (
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|(?<![\d/])\d{1,2}/\d{1,2}(?:/\d{4})?(?![\d/])"
        rf"|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{months})(?:\s+\d{{4}})?"
        rf"|(?:{months})\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?\s+\d{{4}})?"
        rf"|(?:\d{{4}}\s*[年년]\s*)?{number}(?:{month_mark})\s*{number}(?:{day_mark})?"
        rf"|(?:(?:{weeks})\s*)?(?:{weekdays})"
    )
    day = rf"\d{{1,2}}\s*(?:{day_mark})"
    to = rf"\s*(?:[-–—~〜]|{any_of(by_word('to'))})\s*"
    nth = r"\d{1,2}(?:st|nd|rd|th)?(?![\d:])"
    until = rf"(?:the\s+)?(?:{dated}|{number}(?:{day_mark})|{nth})"
    of_month = rf"{nth}{to}(?:the\s+)?{nth}\s+(?:of\s+)?(?:{months})(?:\s+\d{{4}})?"
    alone = (
        rf"{day}(?=\s*(?:[はにのも當那我,、，.。(（에은는은]|$))|\d{{1,2}}\s*號(?!\S{{0,1}}[前後])"
    )
    return re.compile(
        rf"{of_month}|(?:{dated})(?:{to}{until})?|{day}{to}{until}|{alone}", re.IGNORECASE
    )
