"""Deadlines as a player in his own zone reads them."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.render.catalogue import catalogue
from judge.render.times import due_time, duration, language_name, moment, short_time, zone_name

EN = catalogue("en")
NOW = datetime(2026, 12, 3, 16, tzinfo=UTC)
SATURDAY_20 = datetime(2026, 12, 5, 20, tzinfo=UTC)
SATURDAY_23 = datetime(2026, 12, 5, 23, tzinfo=UTC)
SUNDAY_0 = datetime(2026, 12, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "zone", "expected"),
    [
        (SATURDAY_20, "Europe/Paris", "Sat 5 Dec 2026, 21:00 in Paris (20:00 UTC)"),
        (SATURDAY_20, "UTC", "Sat 5 Dec 2026, 20:00 UTC"),
        (SATURDAY_20, "Etc/UTC", "Sat 5 Dec 2026, 20:00 UTC"),
        (SATURDAY_20, "Asia/Seoul", "Sun 6 Dec 2026, 05:00 in Seoul (Sat 5 Dec, 20:00 UTC)"),
        (SATURDAY_20, "America/New_York", "Sat 5 Dec 2026, 15:00 in New York (20:00 UTC)"),
        (SATURDAY_20, "Europe/London", "Sat 5 Dec 2026, 20:00 in London (20:00 UTC)"),
        (SATURDAY_20, "CET", "Sat 5 Dec 2026, 21:00 in CET (20:00 UTC)"),
        (SATURDAY_20, "Nowhere/Land", "Sat 5 Dec 2026, 20:00 UTC"),
        (SATURDAY_20, "../../etc/passwd", "Sat 5 Dec 2026, 20:00 UTC"),
        (
            SATURDAY_23,
            "Europe/Paris",
            "Sun 6 Dec 2026, 00:00 in Paris, as Sunday begins (Sat 5 Dec, 23:00 UTC)",
        ),
        (SUNDAY_0, "UTC", "Sun 6 Dec 2026, 00:00 UTC, as Sunday begins"),
    ],
)
def test_moment_names_place_and_utc(at: datetime, zone: str, expected: str) -> None:
    assert moment(at, zone, EN) == expected


def test_summer_time_is_the_zones() -> None:
    at = datetime(2026, 7, 5, 20, tzinfo=UTC)
    assert moment(at, "Europe/Paris", EN) == "Sun 5 Jul 2026, 22:00 in Paris (20:00 UTC)"


def test_receipts_show_seconds_of_utc() -> None:
    at = datetime(2026, 12, 3, 15, 58, 40, tzinfo=UTC)
    shown = moment(at, "Europe/Paris", EN, seconds=True)
    assert shown == "Thu 3 Dec 2026, 16:58 in Paris (15:58:40 UTC)"
    assert moment(at, "UTC", EN, seconds=True) == "Thu 3 Dec 2026, 15:58:40 UTC"


def test_deadline_says_the_time_left() -> None:
    assert due_time(SATURDAY_20, NOW, "UTC", EN).endswith(", in 2 days 4 hours")
    assert due_time(SATURDAY_20, SATURDAY_20, "UTC", EN).endswith(", which has passed")


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (timedelta(0), "0 minutes"),
        (timedelta(seconds=59), "59 seconds"),
        (timedelta(minutes=30), "30 minutes"),
        (timedelta(hours=1, minutes=1), "1 hour 1 minute"),
        (timedelta(days=2, minutes=5), "2 days"),
        (timedelta(days=1, hours=23, minutes=59), "1 day 23 hours"),
    ],
)
def test_duration_in_its_two_largest_units(span: timedelta, expected: str) -> None:
    assert duration(span, EN) == expected


def test_subjects_have_a_short_time() -> None:
    assert short_time(SATURDAY_20, "Europe/Paris", EN) == "Sat 21:00"
    assert short_time(SATURDAY_20, "UTC", EN) == "Sat 20:00 UTC"
    assert short_time(SATURDAY_23, "Europe/Paris", EN) == "midnight before Sun"


def test_zones_and_languages_have_names() -> None:
    assert zone_name("Europe/Paris", EN) == "Paris (Europe/Paris)"
    assert zone_name("UTC", EN) == "UTC"
    assert language_name("en", EN) == "English"
    assert language_name("not a language", EN) == "not a language"


@pytest.mark.parametrize(
    ("reader", "name"), [("zh_Hant", "繁體中文"), ("ja", "繁体字中国語"), ("ko", "중국어 (번체)")]
)
def test_a_language_is_called_as_its_readers_write_it(reader: str, name: str) -> None:
    assert language_name("zh_Hant", catalogue(reader)) == name
