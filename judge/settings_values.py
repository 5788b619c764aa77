"""What a setting may hold: reads one value, or says what is wrong with it and what to write.

Knows kinds of values, not which settings there are.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

DURATION_DAYS_MOST = 3660

_UNIT_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)
_ADDRESS = re.compile(r"[^\s@<>,;\"()\[\]\\]+@[^\s@<>,;\"()\[\]\\]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Za-z]{2,4})?", re.ASCII)
_NAME = re.compile(r"[^\[\]\x00-\x1f]{1,40}")
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Secret:
    """A password or key. It shows itself to nobody who does not ask for it by `reveal`."""

    __slots__ = ("_hidden",)

    def __init__(self, value: str) -> None:
        self._hidden = value

    def reveal(self) -> str:
        return self._hidden

    def __repr__(self) -> str:
        return "Secret(hidden)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._hidden == self._hidden

    def __hash__(self) -> int:
        return hash((Secret, self._hidden))


class BadValue(ValueError):
    """A value that its setting cannot hold."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(f"{what}. {remedy}")


@dataclass(frozen=True, slots=True)
class Reader(Generic[T]):
    """How a setting is read.

    Attributes:
        read: from a TOML value; raises BadValue.
        from_text: the TOML value that a text of the environment stands for.
    """

    read: Callable[[object], T]
    from_text: Callable[[str], object] = str


def parse_duration(text: str) -> timedelta:
    """The time that `90s`, `30m`, `24h`, `3d`, `1w` or `1d 12h` says; larger units first.

    Raises:
        BadValue: it says none, or more than ten years.
    """
    bare = "".join(text.split()).lower()
    match = _DURATION.fullmatch(bare)
    if bare != "0" and (not bare or match is None):
        raise BadValue(f"{text[:40]!r} is no time", 'Write it like "90s", "30m", "24h" or "1d 12h"')
    counts = match.groups() if match is not None else ()
    seconds = sum(
        int(count) * unit
        for count, unit in zip(counts, _UNIT_SECONDS.values(), strict=False)
        if count is not None
    )
    if seconds > DURATION_DAYS_MOST * 86_400:
        raise BadValue(f"{text[:40]!r} is too long", f"Write at most {DURATION_DAYS_MOST}d")
    return timedelta(seconds=seconds)


def format_duration(duration: timedelta) -> str:
    """The shortest form that `parse_duration` reads back, in days and smaller: `1d 12h`."""
    rest = int(duration.total_seconds())
    parts = []
    for unit in "dhms":
        count, rest = divmod(rest, _UNIT_SECONDS[unit])
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"


def duration(least: str = "0s", most: str = "366d") -> Reader[timedelta]:
    """A time such as "1d 12h"."""
    shortest, longest = parse_duration(least), parse_duration(most)

    def read(value: object) -> timedelta:
        if not isinstance(value, str):
            raise BadValue(f"{value!r} has no unit", f'Write it like "{value}h" or "1d 12h"')
        parsed = parse_duration(value)
        if not shortest <= parsed <= longest:
            raise BadValue(f"{value!r} is out of range", f'Write "{least}" to "{most}"')
        return parsed

    return Reader(read)


def whole(least: int, most: int) -> Reader[int]:
    """A whole number."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise BadValue(_not(value, "a whole number"), f"Write one from {least} to {most}")
        return value

    def from_text(text: str) -> object:
        digits = text.strip()
        return int(digits) if re.fullmatch(r"\d{1,18}", digits, re.ASCII) else text

    return Reader(read, from_text)


def truth() -> Reader[bool]:
    """True or false."""

    def read(value: object) -> bool:
        if not isinstance(value, bool):
            raise BadValue(_not(value, "true or false"), "Write true or false, without quotes")
        return value

    return Reader(read, lambda text: _TRUTHS.get(text.strip().lower(), text))


def text() -> Reader[str]:
    """Any text without line breaks."""
    return _matching(re.compile(r"[^\x00-\x1f]*"), "a text of one line", "")


def name() -> Reader[str]:
    """A name that can stand in square brackets in a subject."""
    remedy = "Write 1 to 40 letters, no square brackets"
    return _matching(_NAME, "a name for a judge", remedy)


def own_address() -> Reader[str]:
    """The judge's mail address; empty if it has none yet."""

    def read(value: object) -> str:
        address = _address(value) if value != "" else ""
        if "+" in address.partition("@")[0]:
            what = f"{address!r} has a plus sign, which the judge needs for its answers"
            raise BadValue(what, "Give the address without the plus sign and what follows it")
        return address

    return Reader(read)


def addresses() -> Reader[tuple[str, ...]]:
    """A list of mail addresses; in the environment with commas between them."""
    return _listed(_address)


def languages() -> Reader[tuple[str, ...]]:
    """A list of language codes, the first for strangers whose language is unknown."""

    def one(value: object) -> str:
        if not isinstance(value, str) or not _LANGUAGE.fullmatch(value):
            raise BadValue(_not(value, "a language"), 'Write codes such as "en"')
        return value

    reader = _listed(one)

    def read(value: object) -> tuple[str, ...]:
        codes = reader.read(value)
        if not codes:
            raise BadValue("the list is empty", 'Write at least ["en"]')
        return codes

    return Reader(read, reader.from_text)


def zone() -> Reader[str]:
    """An IANA time zone."""

    def read(value: object) -> str:
        try:
            return ZoneInfo(value).key if isinstance(value, str) else _no_zone(value)
        except (OSError, ValueError, LookupError) as error:
            raise BadValue(
                f"{value!r} is no time zone", 'Write one like "Europe/Berlin"'
            ) from error

    def _no_zone(value: object) -> str:
        raise BadValue(_not(value, "a time zone"), 'Write one like "Europe/Berlin"')

    return Reader(read)


def choice(kinds: type[E]) -> Reader[E]:
    """One of a closed set of words."""

    def read(value: object) -> E:
        for kind in kinds:
            if kind.value == value:
                return kind
        known = ", ".join(f'"{kind}"' for kind in kinds)
        raise BadValue(_not(value, "one of the choices"), f"Write one of {known}")

    return Reader(read, lambda text: text.strip().lower())


def path() -> Reader[Path | None]:
    """A path, relative to the settings file; None if empty."""

    def read(value: object) -> Path | None:
        if not isinstance(value, str) or "\0" in value:
            raise BadValue(_not(value, "a path"), "Write it in double quotes")
        return Path(value) if value else None

    return Reader(read)


def folder() -> Reader[Path]:
    """A path that cannot be left empty."""
    reader = path()

    def read(value: object) -> Path:
        given = reader.read(value)
        if given is None:
            raise BadValue("the path is empty", 'Write a folder, such as "/var/lib/judge"')
        return given

    return Reader(read)


def secret() -> Reader[Secret | None]:
    """A secret, never shown in a fault; None if empty."""

    def read(value: object) -> Secret | None:
        if not isinstance(value, str):
            raise BadValue("it is no text", "Write the secret in double quotes")
        return Secret(value) if value else None

    return Reader(read)


def _matching(pattern: re.Pattern[str], kind: str, remedy: str) -> Reader[str]:
    def read(value: object) -> str:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise BadValue(_not(value, kind), remedy or "Write it in double quotes, on one line")
        return value

    return Reader(read)


def _listed(one: Callable[[object], str]) -> Reader[tuple[str, ...]]:
    def read(value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise BadValue(_not(value, "a list"), 'Write ["one", "two"]')
        return tuple(one(item) for item in value)

    def from_text(text: str) -> object:
        return [item for part in text.split(",") if (item := part.strip())]

    return Reader(read, from_text)


def _address(value: object) -> str:
    if not isinstance(value, str) or not _ADDRESS.fullmatch(value):
        raise BadValue(_not(value, "a mail address"), 'Write one like "judge@example.org"')
    return value


def _not(value: object, kind: str) -> str:
    return f"{value if isinstance(value, int) else repr(value)[:60]} is not {kind}"
