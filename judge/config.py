"""The settings: what can be set, and how the file and the environment are read.

Every package may import it, and it alone knows pydantic. `config/judge.toml` shows every setting
with its default and explains it.
"""

import contextlib
import difflib
import re
import ssl
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

import pydantic
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo

from judge.clock import parse_duration
from judge.errors import Fault, SettingsError
from judge.toml_lines import read_toml

PREFIX = "JUDGE_"  # of environment variables
LOGIN_KEYS = ("password", "password_file", "token_command")
_DAY = timedelta(days=1)
USUAL_LENGTHS: Mapping[str, timedelta] = {"movement": 3 * _DAY, "retreat": _DAY, "adjustment": _DAY}

# --- kinds of values ------------------------------------------------------------------------------


def _check(is_good: Callable[[Any], object], remedy: str) -> AfterValidator:
    def check(value: Any) -> Any:
        with contextlib.suppress(OSError, ValueError, LookupError):
            if value is None or is_good(value):
                return value
        raise ValueError(remedy)

    return AfterValidator(check)


def _text(pattern: str, remedy: str) -> AfterValidator:
    return _check(re.compile(pattern).fullmatch, remedy)


def _whole(least: int, most: int) -> Any:
    return Field(strict=True, ge=least, le=most)


def _rooted(value: object, info: ValidationInfo) -> Path:
    """An absolute path: a relative one starts at the folder of the settings file."""
    if not value or not isinstance(value, str) or "\0" in value:
        raise ValueError('Write a path such as "/var/lib/judge"')
    return Path(str(info.context), Path(value).expanduser())


_MAILBOX = r"[^\s@<>,;\"()\[\]\\]+@[^\s@<>,;\"()\[\]\\]+"
_MAIL = 'Write a mail address such as "judge@example.org"'
_NO_PLUS = (
    f"{_MAIL}, in ASCII (a domain of other letters as xn--...), without a plus sign, which the "
    "judge adds for its answers"
)

Line = Annotated[str, _text(r"[^\x00-\x1f]*", "Write a text of one line")]
Name = Annotated[str, _text(r"[^\[\]\x00-\x1f]{1,40}", "Write 1 to 40 letters, not [ or ]")]
Address = Annotated[str, _text(_MAILBOX, _MAIL)]
OwnAddress = Annotated[str, _text(rf"((?![^@]*\+)(?=[!-~]*\Z){_MAILBOX}(?<!\.))?", _NO_PLUS)]
Language = Annotated[str, _text("[a-z]{2,3}(_[A-Za-z]{2,4})?", 'Write codes such as "en"')]
Zone = Annotated[str, _check(ZoneInfo, 'Write a time zone such as "Europe/Berlin"')]
Secret = pydantic.SecretStr  # shows itself to nobody who does not ask by get_secret_value()
Folder = Annotated[Path, BeforeValidator(_rooted)]
PemFile = Annotated[
    Folder | None,
    _check(
        lambda path: ssl.create_default_context().load_verify_locations(path) is None,
        "Name a PEM file of certificates that exists",
    ),
]
Variants = Annotated[Folder | None, _check(Path.is_dir, "Name a folder that exists")]
Pause = Annotated[timedelta, BeforeValidator(lambda value: parse_duration(str(value), 366))]
Length = Annotated[Pause, _check(bool, "Write at least 1s")]

# How the connection to the SMTP server is encrypted, and which press a new game allows.
SmtpTls = StrEnum("SmtpTls", {"IMPLICIT": "implicit", "STARTTLS": "starttls", "NONE": "none"})
PressDefault = StrEnum("PressDefault", {"WHITE": "white", "GREY": "grey", "NONE": "none"})

# --- the settings ---------------------------------------------------------------------------------


class _Variable(str):
    """The text of an environment variable, which has no type of its own."""

    __slots__ = ()


class _Section(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")

    @pydantic.field_validator("*", mode="before")
    @classmethod
    def _read(cls, value: object, info: ValidationInfo) -> object:
        """An empty text means "not set"; the text of a variable becomes what TOML would say."""
        field = cls.model_fields[str(info.field_name)]
        if value == "" and field.default is None:
            return None
        if isinstance(value, _Variable) and isinstance(field.default, tuple):
            return [item.strip() for item in value.split(",") if item.strip()]
        if isinstance(value, _Variable) and field.annotation in (int, bool, SmtpTls, PressDefault):
            with contextlib.suppress(pydantic.ValidationError):
                adapter = pydantic.TypeAdapter(field.annotation)
                return adapter.validate_python(value.strip().lower())
        return value


class JudgeSettings(_Section):
    name: Name = "Judge"
    address: OwnAddress = ""
    data: Folder = Path("/var/lib/judge")
    timezone: Zone = "UTC"
    languages: Annotated[tuple[Language, ...], Field(min_length=1)] = ("en", "ko", "zh_Hant", "ja")
    keepers: tuple[Address, ...] = ()
    variants: Variants = None


class _Server(_Section):
    """A mail server; `password` is what stands in `password_file` too, or in a credential."""

    host: Line = ""
    user: Line = ""
    password: Secret | None = None
    password_file: Folder | None = None
    token_command: Line = ""
    ca_file: PemFile = None


class ImapSettings(_Server):
    port: Annotated[int, _whole(1, 65535)] = 993
    tls: pydantic.StrictBool = True
    folder: Line = "INBOX"
    processed_folder: Line = "Processed"


class SmtpSettings(_Server):
    port: Annotated[int, _whole(1, 65535)] = 465
    tls: SmtpTls = SmtpTls.IMPLICIT


class ClockSettings(_Section):
    # RFC 2177 allows 29 minutes, but home routers and providers drop a silent line much earlier.
    idle_seconds: Annotated[int, _whole(10, 300)] = 290
    poll_seconds: Annotated[int, _whole(1, 3600)] = 60
    retry_first_seconds: Annotated[int, _whole(1, 3600)] = 5
    retry_most_seconds: Annotated[int, _whole(1, 86400)] = 600
    away_minutes: Annotated[int, _whole(1, 10080)] = 15
    send_tries: Annotated[int, _whole(1, 1000)] = 30

    def pause_seconds(self, failures: int, salt: str = "") -> float:
        """Seconds to wait after so many failures in a row, at least 1 of them.

        It doubles from `retry_first_seconds` up to `retry_most_seconds`. The salt takes off up to a
        quarter, so that many letters are not all tried again at the same moment.
        """
        doubled: int = self.retry_first_seconds * 2 ** min(failures - 1, 30)
        digest = sha256(f"{salt}:{failures}".encode()).digest()
        return min(doubled, self.retry_most_seconds) * (1 - digest[0] / 1024)


class LimitSettings(_Section):
    letter_bytes: Annotated[int, _whole(4096, 26_214_400)] = 262_144
    order_lines: Annotated[int, _whole(40, 10_000)] = 400
    stranger_letters_a_day: Annotated[int, _whole(1, 1000)] = 10
    strangers_a_day: Annotated[int, _whole(1, 1_000_000)] = 500
    letters_an_hour: Annotated[int, _whole(1, 100_000)] = 120
    games_a_player: Annotated[int, _whole(1, 1000)] = 20
    press_characters: Annotated[int, _whole(100, 1_000_000)] = 20_000
    reports_a_day: Annotated[int, _whole(0, 1000)] = 5
    picture_processes: Annotated[int, _whole(0, 64)] = 1


class SecuritySettings(_Section):
    trusted_authserv: Line = ""
    secret_file: Folder | None = None
    confirm_hours: Annotated[int, _whole(1, 720)] = 72


class GameDefaults(_Section):
    """Of a new game. `lengths` are by kind of phase, as the rulebook names them."""

    variant: Line = "standard"
    rules: Line = "2000"
    grace: Pause = _DAY
    reminder: Pause = _DAY
    all_in_delay: Pause = timedelta(minutes=30)
    confirm: Pause = 2 * _DAY
    press: PressDefault = PressDefault.WHITE
    lengths: Annotated[
        Mapping[str, Length], AfterValidator(lambda written: {**USUAL_LENGTHS, **written})
    ] = USUAL_LENGTHS


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


SECTIONS = {name: type(section) for name, section in Settings()}

# --- reading --------------------------------------------------------------------------------------

_Path = tuple[str, ...]  # such as ("imap", "port")
_Problem = tuple[_Path, str, str]  # where, what is wrong, and what to write instead

# The remedies where pydantic's own sentence is none, by its name for the fault.
_REMEDIES = {
    "bool_type": "Write true or false, without quotes",
    "dict_type": "Write its keys under a heading of their own",
    "enum": "Write one of {expected}",
    "greater_than_equal": "Write {ge} or more",
    "int_type": "Write digits alone, without quotes",
    "less_than_equal": "Write {le} or less",
    "string_type": "Write it in double quotes",
    "too_short": 'Write at least one, such as ["en"]',
    "tuple_type": 'Write a list such as ["one", "two"]',
    "value_error": "{error}",
}
_UNKNOWN = "Write it as config/judge.toml does"


def load_settings(
    path: Path | None, environ: Mapping[str, str], *, for_mail: bool = True
) -> Settings:
    """The settings of the file, over them those of variables such as `JUDGE_IMAP__HOST`.

    Not `for_mail`: nothing has to be set, and no secret is read. Without a path: the defaults.

    Raises:
        SettingsError: with every fault that was found.
    """
    origin = str(path or "settings")
    text, why = _text_of(path) if path else ("", "")
    if why:
        remedy = "Correct it, or name another with --config; config/judge.toml is a sample"
        raise SettingsError([Fault("", origin, None, f"cannot be read: {why}", remedy)])
    file = read_toml(text)
    remedy = 'Write `key = value`, texts in "double quotes", lists in [square brackets]'
    faults = [Fault("", origin, each.line, each.text, remedy) for each in file.faults]
    values, variables = file.values, dict[_Path, str]()

    # The first release had the lengths in [defaults] itself; variables still may say them so.
    if isinstance(defaults := values.get("defaults"), dict):
        lengths = defaults.setdefault("lengths", {})
        for kind in defaults.keys() & USUAL_LENGTHS:
            if isinstance(lengths, dict) and kind not in lengths:
                lengths[kind] = defaults.pop(kind)
    for name in sorted(name for name in environ if name.startswith(PREFIX)):
        *outer, key = name.removeprefix(PREFIX).lower().split("__")
        if outer == ["defaults"] and key in USUAL_LENGTHS:
            outer.append("lengths")
        if outer and all((*outer, key)):  # not JUDGE_CONFIG
            inside = values
            for part in outer:
                if not isinstance(inside.get(part), dict):
                    inside[part] = {}
                inside = inside[part]
            inside[key] = _Variable(environ[name])
            variables[*outer, key] = name

    settings, problems = _validated(values, path.absolute().parent if path else Path.cwd())
    problems += _conflicts(settings)
    if for_mail:
        settings = _with_passwords(settings, environ, problems)
        spoiled = file.lost_keys | {".".join(at) for at, _, _ in problems}
        # Under a misspelt heading may stand whatever the section needs.
        headings = [at[0] for at, _, _ in problems if len(at) == 1]
        meant = {near for one in headings for near in difflib.get_close_matches(one, SECTIONS, 1)}
        for section, keys, remedy in _unset(settings):
            is_spoiled = spoiled & {*keys, *(f"{section}.{key}" for key in keys)}
            if not is_spoiled and section not in meant:
                remedy = f"Write {remedy} under [{section}]"
                faults.append(Fault(f"{section}.{keys[0]}", origin, None, "is not set", remedy))
    for at, what, remedy in problems:
        names = [name for given, name in variables.items() if given[: len(at)] == at]
        if names:
            where, line = f"environment variable {names[-1]}", None
        else:
            at = at if at in file.lines or (at[0], at[-1]) not in file.lines else (at[0], at[-1])
            where, line = origin, file.line_of(*at)
        faults.append(Fault(".".join(at), where, line, what, remedy))
    if faults:
        raise SettingsError(sorted(faults, key=lambda fault: fault.line or 10**9))
    return settings


def _text_of(path: Path) -> tuple[str, str]:
    """The text of a file, and why it cannot be read if so."""
    try:
        return path.read_text(encoding="utf-8-sig"), ""
    except (OSError, UnicodeDecodeError) as error:
        return "", getattr(error, "strerror", None) or "it is not UTF-8"


def _validated(values: dict[str, Any], base: Path) -> tuple[Settings, list[_Problem]]:
    """The settings of these values, with its default for what cannot be used, and all of that."""
    problems: list[_Problem] = []
    try:
        return Settings.model_validate(values, context=base), problems
    except pydantic.ValidationError as error:
        errors = error.errors()
    for each in errors:
        at = tuple(part for part in each["loc"] if isinstance(part, str))
        value, inside = each["input"], values
        for part in at[:-1]:
            inside = inside[part]
        inside.pop(at[-1], None)
        if len(at) == 1 and not isinstance(value, dict):
            what, remedy = "stands outside a section", "Move it under its heading, such as [judge]"
        elif each["type"] == "extra_forbidden":
            what, remedy = _unknown(at)
        else:
            shown = "the value" if at[-1] == "password" else repr(value)[:120]
            told = {name: str(one) for name, one in each.get("ctx", {}).items()}
            told |= {"expected": told.get("expected", "").replace("'", '"')}
            what, remedy = f"{shown} cannot be used", _REMEDIES.get(each["type"], _UNKNOWN)
            remedy = remedy.format(**told)
        problems.append((at, what, remedy))
    return Settings.model_validate(values, context=base), problems


def _unknown(at: _Path) -> tuple[str, str]:
    """What to say of an unknown section or key: the known one that looks most like it."""
    section, key = at[0], at[-1]
    if len(at) == 1:
        what, written = f"there is no section [{section}]", f"[{section}]"
        known = [f"[{name}]" for name in SECTIONS]
    else:
        what, written = "there is no such setting", f"`{key}`"
        known = [f"`{name}`" for name in SECTIONS[section].model_fields]
    others = [name for name in SECTIONS if key in SECTIONS[name].model_fields]
    others += ["defaults.lengths"] if key in USUAL_LENGTHS else []
    near = difflib.get_close_matches(written, known, 1)
    near += [f"`{key}` of [{name}]" for name in others]
    return what, f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}"


def _with_passwords(
    settings: Settings, environ: Mapping[str, str], problems: list[_Problem]
) -> Settings:
    """The settings with the passwords that stand in files and systemd credentials."""
    for section in ("imap", "smtp"):
        server: ImapSettings | SmtpSettings = getattr(settings, section)
        credential = Path(environ.get("CREDENTIALS_DIRECTORY", "/nowhere"), f"{section}_password")
        file = server.password_file or (credential if credential.exists() else None)
        if server.password or server.token_command or file is None:
            continue
        text, why = _text_of(file)
        if password := text.partition("\n")[0]:
            server = server.model_copy(update={"password": Secret(password)})
            settings = settings.model_copy(update={section: server})
        else:
            what = f"{file} has no password: {why or 'its first line is empty'}"
            remedy = "Put it there, readable for the user who runs the judge and nobody else"
            problems.append(((section, "password_file"), what, remedy))
    return settings


def _conflicts(settings: Settings) -> Iterator[_Problem]:
    """Settings that are fine alone and wrong together."""
    clock, defaults, imap = settings.clock, settings.defaults, settings.imap
    if clock.retry_first_seconds > (most := clock.retry_most_seconds):
        what = "is longer than retry_most_seconds"
        yield ("clock", "retry_first_seconds"), what, f"Write at most {most}"
    is_early = defaults.reminder >= max(defaults.lengths.values())
    if is_early and "reminder" in defaults.model_fields_set:
        what = "the reminder would come before the phase opens"
        yield ("defaults", "reminder"), what, "Write less than the longest of [defaults.lengths]"
    if imap.folder == imap.processed_folder:
        what = "is the folder that the judge reads"
        yield ("imap", "processed_folder"), what, "Name another folder"
    for section, server in (("imap", imap), ("smtp", settings.smtp)):
        ways = [key for key in LOGIN_KEYS if getattr(server, key)]
        if len(ways) > 1:
            yield (section, ways[1]), f"{' and '.join(ways)} are both given", "Keep one of them"


def _unset(settings: Settings) -> Iterator[tuple[str, _Path, str]]:
    """What a judge that sends and receives letters cannot do without, and nobody wrote: the
    section, keys of which one is needed, and how to write it."""
    if not settings.judge.address:
        yield "judge", ("address",), 'address = "judge@example.org"'
    for section, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if not server.host:
            yield section, ("host",), f'host = "{section}.example.org"'
        if section == "imap" and not server.user:
            yield section, ("user",), 'user = "judge@example.org"'
        is_login = section == "imap" or server.user
        if is_login and not (server.password or server.token_command):
            yield section, LOGIN_KEYS, "password_file, password or token_command"
