"""A time as a person writes it, in their zone. The only module that imports dateutil."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from dateutil import parser

from judge.clock import parse_duration


def parse_time(written: str, now: datetime, zone: str, base: datetime | None = None) -> datetime:
    """The instant of `+2d`, `2026-12-05 20:00`, `Sat 5 Dec 20:00` or `20:00 UTC`, aware, UTC.

    Without a zone it is the writer's; without a date the next such time after `now`. `+2d` counts
    from `base`, by default from now.

    Raises:
        ValueError: it is no time.
    """
    text = written.strip().rstrip(".")
    if text.startswith("+"):
        return ((base or now) + parse_duration(text[1:])).replace(microsecond=0)
    local_now = now.astimezone(ZoneInfo(zone))
    midnight = local_now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    try:
        read = parser.parse(text, default=midnight, dayfirst=not _is_iso(text))
    except (parser.ParserError, OverflowError) as error:
        raise ValueError(written) from error
    if read.tzinfo is None:
        read = read.replace(tzinfo=ZoneInfo(zone))
    instant = read.astimezone(UTC)
    if instant <= now and re.fullmatch(r"\d{1,2}[:.]\d\d(\s*\w+)?", text):
        instant += timedelta(days=1)
    return instant


def _is_iso(text: str) -> bool:
    return bool(re.match(r"\d{4}-", text))
