"""What can be set, what each setting may hold, and its default; `config/judge.toml` explains them.

The only module that knows pydantic. It reads no file and no environment: see config.py.
"""

import difflib
import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    StrictBool,
    ValidationError,
    ValidationInfo,
)

USUAL_LENGTHS: Mapping[str, timedelta] = {
    "movement": timedelta(days=3),
    "retreat": timedelta(days=1),
    "adjustment": timedelta(days=1),
}
DURATION_DAYS_MOST = 3660
_UNIT_SECONDS = {"w": 604_800, "d": 86_400, "h": 3_600, "m": 60, "s": 1}
_DURATION = re.compile(r"(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", re.ASCII)


class BadValue(ValueError):
    """A value that its setting cannot hold."""

    def __init__(self, what: str, remedy: str) -> None:
        self.what = what
        self.remedy = remedy
        super().__init__(f"{what}. {remedy}")


def parse_duration(text: str) -> timedelta:
    """The time that `90s`, `30m`, `24h`, `3d`, `1w` or `1d 12h` says; larger units first.

    Raises:
        BadValue: it says none, or more than ten years.
    """
    bare = "".join(text.split()).lower()
    match = _DURATION.fullmatch(bare)
    if bare != "0" and (not bare or match is None):
        raise BadValue(f"{text[:40]!r} is no time", 'Write it like "90s", "30m", "24h" or "1d 12h"')
    counts = match.groups(default="0") if match is not None else ()
    units = _UNIT_SECONDS.values()
    seconds = sum(int(count) * unit for count, unit in zip(counts, units, strict=False))
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


# --- kinds of values ------------------------------------------------------------------------------


def _matching(pattern: str, kind: str, remedy: str) -> AfterValidator:
    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise BadValue(f"{repr(value)[:60]} is not {kind}", remedy)
        return value

    return AfterValidator(check)


def _duration(least: str) -> BeforeValidator:
    def read(value: object) -> timedelta:
        if not isinstance(value, str):
            raise BadValue(f"{value!r} has no unit", f'Write it like "{value}h" or "1d 12h"')
        parsed = parse_duration(value)
        if not parse_duration(least) <= parsed <= timedelta(days=366):
            raise BadValue(f"{value!r} is out of range", f'Write "{least}" to "366d"')
        return parsed

    return BeforeValidator(read)


def _rooted(value: object, info: ValidationInfo) -> Path:
    """An absolute path: a relative one starts at the folder of the settings file."""
    if value == "":
        raise BadValue("the path is empty", 'Write a folder, such as "/var/lib/judge"')
    if not isinstance(value, str) or "\0" in value:
        raise BadValue(f"{repr(value)[:60]} is not a path", "Write it in double quotes")
    return Path(str(info.context), Path(value).expanduser())


def _existing(is_there: Callable[[Path], bool], kind: str, remedy: str) -> AfterValidator:
    def check(path: Path | None) -> Path | None:
        if path is not None and not is_there(path):
            raise BadValue(f"no such {kind}: {path}", f"{remedy}, or leave it empty")
        return path

    return AfterValidator(check)


def _zone(name: str) -> str:
    try:
        return ZoneInfo(name).key
    except (OSError, ValueError, LookupError) as error:
        raise BadValue(f"{name!r} is no time zone", 'Write one like "Europe/Berlin"') from error


def _whole(least: int, most: int) -> Any:
    return Field(strict=True, ge=least, le=most)


_MAILBOX = r"[^\s@<>,;\"()\[\]\\]+@[^\s@<>,;\"()\[\]\\]+"
_WRITE_ADDRESS = 'Write one like "judge@example.org"'
_OWN = "a mail address without a plus sign, which the judge adds for its answers"
_is_line = _matching(r"[^\x00-\x1f]*", "a text of one line", "Write it on one line")
_is_name = _matching(
    r"[^\[\]\x00-\x1f]{1,40}", "a judge's name", "Write 1 to 40 letters, not [ or ]"
)
_is_address = _matching(_MAILBOX, "a mail address", _WRITE_ADDRESS)
_is_own_address = _matching(rf"((?![^@]*\+){_MAILBOX})?", _OWN, _WRITE_ADDRESS)
_is_language = _matching("[a-z]{2,3}(_[A-Za-z]{2,4})?", "a language", 'Write codes such as "en"')
_none_if_empty = BeforeValidator(lambda value: None if value == "" else value)

Line = Annotated[str, _is_line]
Address = Annotated[str, _is_address]
Languages = Annotated[tuple[Annotated[str, _is_language], ...], Field(min_length=1)]
Folder = Annotated[Path, BeforeValidator(_rooted)]
OptionalPath = Annotated[Folder | None, _none_if_empty]
Secret = SecretStr  # shows itself to nobody who does not ask by get_secret_value()
OptionalSecret = Annotated[Secret | None, _none_if_empty]
PemFile = Annotated[OptionalPath, _existing(Path.is_file, "file", "Name a PEM file")]
Variants = Annotated[OptionalPath, _existing(Path.is_dir, "folder", "Name one with variants in it")]
Pause = Annotated[timedelta, _duration("0s")]
PhaseLengths = Annotated[
    Mapping[str, Annotated[timedelta, _duration("1s")]],
    AfterValidator(lambda written: {**USUAL_LENGTHS, **written}),
]
Port = Annotated[int, _whole(1, 65535)]

# How the connection to the SMTP server is encrypted, and which press a new game allows.
SmtpTls = StrEnum("SmtpTls", {"IMPLICIT": "implicit", "STARTTLS": "starttls", "NONE": "none"})
PressDefault = StrEnum("PressDefault", {"WHITE": "white", "GREY": "grey", "NONE": "none"})


# --- the settings ---------------------------------------------------------------------------------


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class JudgeSettings(_Section):
    """[judge]: who this judge is and where it keeps its data.

    Attributes:
        variants: a folder with variants of the keeper's own; None for the shipped ones alone.
    """

    name: Annotated[str, _is_name] = "Judge"
    address: Annotated[str, _is_own_address] = ""
    data: Folder = Path("/var/lib/judge")
    timezone: Annotated[str, AfterValidator(_zone)] = "UTC"
    languages: Languages = ("en", "ko", "zh_Hant", "ja")
    keepers: tuple[Address, ...] = ()
    variants: Variants = None


class _Server(_Section):
    """A mail server and how to log in there.

    Attributes:
        password: read from `password_file` or the systemd credential (`imap_password`,
            `smtp_password`) too.
        token_command: run by a shell before each login; prints an OAuth access token.
    """

    host: Line = ""
    user: Line = ""
    password: OptionalSecret = None
    password_file: OptionalPath = None
    token_command: Line = ""
    ca_file: PemFile = None


class ImapSettings(_Server):
    """[imap]: where letters come in."""

    port: Port = 993
    tls: StrictBool = True
    folder: Line = "INBOX"
    processed_folder: Line = "Processed"


class SmtpSettings(_Server):
    """[smtp]: where letters go out. Without `user` the judge does not log in."""

    port: Port = 465
    tls: SmtpTls = SmtpTls.IMPLICIT


class ClockSettings(_Section):
    """[clock]: how often the judge looks, and how patiently it tries again."""

    # RFC 2177 allows 29 minutes, but home routers and providers drop a silent line much earlier.
    idle_seconds: Annotated[int, _whole(10, 300)] = 290
    poll_seconds: Annotated[int, _whole(1, 3600)] = 60
    retry_first_seconds: Annotated[int, _whole(1, 3600)] = 5
    retry_most_seconds: Annotated[int, _whole(1, 86400)] = 600
    away_minutes: Annotated[int, _whole(1, 10080)] = 15
    send_tries: Annotated[int, _whole(1, 1000)] = 30


class LimitSettings(_Section):
    """[limits]: how much one letter, one sender and one player may ask of the judge."""

    letter_bytes: Annotated[int, _whole(4096, 26_214_400)] = 262_144
    order_lines: Annotated[int, _whole(40, 10_000)] = 400
    stranger_letters_a_day: Annotated[int, _whole(1, 1000)] = 10
    letters_an_hour: Annotated[int, _whole(1, 100_000)] = 120
    games_a_player: Annotated[int, _whole(1, 1000)] = 20


class SecuritySettings(_Section):
    """[security]: whom the judge believes. Without `secret_file` see Settings.secret_path."""

    trusted_authserv: Line = ""
    secret_file: OptionalPath = None
    confirm_hours: Annotated[int, _whole(1, 720)] = 72


class GameDefaults(_Section):
    """[defaults]: what a new game has unless its master says otherwise.

    Attributes:
        lengths: by kind of phase, as the rulebook names them. A kind that nobody wrote keeps its
            length of `USUAL_LENGTHS`.
    """

    variant: Line = "standard"
    rules: Line = "2000"
    grace: Pause = timedelta(days=1)
    reminder: Pause = timedelta(days=1)
    all_in_delay: Pause = timedelta(minutes=30)
    press: PressDefault = PressDefault.WHITE
    lengths: PhaseLengths = Field(default_factory=lambda: dict(USUAL_LENGTHS))


class Settings(_Section):
    """All settings, with the defaults for those that nobody wrote."""

    judge: JudgeSettings = JudgeSettings()
    imap: ImapSettings = ImapSettings()
    smtp: SmtpSettings = SmtpSettings()
    clock: ClockSettings = ClockSettings()
    limits: LimitSettings = LimitSettings()
    security: SecuritySettings = SecuritySettings()
    defaults: GameDefaults = GameDefaults()

    @property
    def secret_path(self) -> Path:
        """The file of the judge's secret, which the first start makes with mode 600."""
        return self.security.secret_file or self.judge.data / "secret"


SECTIONS: Mapping[str, type[BaseModel]] = {
    name: cast(type[BaseModel], field.annotation) for name, field in Settings.model_fields.items()
}


# --- reading --------------------------------------------------------------------------------------

SettingPath = tuple[str, ...]  # such as ("imap", "port")
Tell = Callable[[SettingPath, str, str], None]  # where, what is wrong, and what to write instead

_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

# What pydantic finds, by its own name, and the remedy, filled in from pydantic's context.
_SAID = {
    "bool_type": ("is not true or false", "Write true or false, without quotes"),
    "dict_type": ("is not a table", "Write its keys under a heading of their own"),
    "enum": ("is not one of the choices", "Write {expected}"),
    "greater_than_equal": ("is too small", "Write {ge} or more"),
    "int_type": ("is not a whole number", "Write digits alone, without quotes"),
    "less_than_equal": ("is too large", "Write {le} or less"),
    "other": ("cannot be used", "Write it as in the sample config/judge.toml"),
    "string_type": ("is not a text", "Write it in double quotes"),
    "too_short": ("is empty", "Write at least one"),
    "tuple_type": ("is not a list", 'Write ["one", "two"]'),
}


def from_text(path: SettingPath, text: str) -> object:
    """The TOML value that the text of an environment variable stands for."""
    section = SECTIONS.get(path[0])
    field = section.model_fields.get(path[1]) if section is not None else None
    kind = field.annotation if field is not None else None
    bare = text.strip()
    if kind is int and re.fullmatch(r"\d{1,18}", bare, re.ASCII):
        return int(bare)
    if kind is bool:
        return _TRUTHS.get(bare.lower(), text)
    if kind in (SmtpTls, PressDefault):
        return bare.lower()
    if str(kind).startswith("tuple"):
        return [item.strip() for item in text.split(",") if item.strip()]
    return text


def read_settings(values: dict[str, Any], base: Path, tell: Tell) -> Settings:
    """The settings of these values; what cannot be used is told, and has its default.

    Args:
        values: by section and key, as TOML has them; what cannot be used is taken out.
        base: the folder at which relative paths start.
    """
    try:
        return Settings.model_validate(values, context=base)
    except ValidationError as error:
        errors = error.errors()
    for each in errors:
        path = tuple(part for part in each["loc"] if isinstance(part, str))
        value, context, inside = each["input"], each.get("ctx", {}), values
        for part in path[:-1]:
            inside = inside[part]
        inside.pop(path[-1], None)
        if isinstance(bad := context.get("error"), BadValue):
            tell(path, bad.what, bad.remedy)
        elif len(path) == 1 and not isinstance(value, dict):
            tell(path, "stands outside a section", "Move it under its heading, such as [judge]")
        elif each["type"] == "extra_forbidden":
            tell(path, *_unknown(path))
        else:
            what, remedy = _SAID.get(each["type"], _SAID["other"])
            shown = "the value" if path[-1] == "password" else repr(value)[:60]
            tell(path, f"{shown} {what}", remedy.format(**context))
    return Settings.model_validate(values, context=base)


def _unknown(path: SettingPath) -> tuple[str, str]:
    """What to say of an unknown section or key: the known one that looks most like it."""
    section, key = path[0], path[-1]
    if len(path) == 1:
        near = difflib.get_close_matches(section, SECTIONS, 1, 0.0)[0]
        what = f"there is no section [{section}]"
        return what, f"Did you mean [{near}]? There are {', '.join(SECTIONS)}"
    if section == "defaults" and key in USUAL_LENGTHS:  # an old key, which counts where it is alone
        return "is also written in [defaults.lengths]", "Keep one of them"
    keys = SECTIONS[section].model_fields
    elsewhere = [name for name, other in SECTIONS.items() if key in other.model_fields]
    if near_keys := difflib.get_close_matches(key, keys, 1, 0.5):
        remedy = f"Did you mean `{near_keys[0]}`?"
    elif elsewhere:
        remedy = f"Did you mean `{key}` of [{elsewhere[0]}]?"
    else:
        remedy = f"[{section}] has {', '.join(keys)}"
    return "there is no such setting", remedy
