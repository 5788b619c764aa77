"""The settings: what can be set (`config/judge.toml` explains it), and how it is read from the file
and the environment. Every package may import it, and it alone knows pydantic."""

import contextlib
import difflib
import re
import ssl
from collections.abc import Callable, Mapping
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

_DAY = timedelta(days=1)
USUAL_LENGTHS: Mapping[str, timedelta] = {"movement": 3 * _DAY, "retreat": _DAY, "adjustment": _DAY}


def _valid_if(is_good: Callable[[Any], object], remedy: str) -> AfterValidator:
    def check(value: Any) -> Any:
        with contextlib.suppress(OSError, ValueError, LookupError):
            if value is None or is_good(value):
                return value
        raise ValueError(remedy)

    return AfterValidator(check)


def _matching(pattern: str, remedy: str) -> AfterValidator:
    return _valid_if(re.compile(pattern).fullmatch, remedy)


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
Line = Annotated[str, _matching(r"[^\x00-\x1f]*", "Write a text of one line")]
Name = Annotated[str, _matching(r"[^\[\]\x00-\x1f]{1,40}", "Write 1 to 40 letters, not [ or ]")]
Address = Annotated[str, _matching(_MAILBOX, _MAIL)]
OwnAddress = Annotated[str, _matching(rf"((?![^@]*\+)(?=[!-~]*\Z){_MAILBOX}(?<!\.))?", _NO_PLUS)]
Language = Annotated[str, _matching("[a-z]{2,3}(_[A-Za-z]{2,4})?", 'Write codes such as "en"')]
Zone = Annotated[str, _valid_if(ZoneInfo, 'Write a time zone such as "Europe/Berlin"')]
Secret = pydantic.SecretStr  # shows itself to nobody who does not ask by get_secret_value()
Folder = Annotated[Path, BeforeValidator(_rooted)]
_NOT_SET = BeforeValidator(lambda value: None if value == "" else value)
MaybePath = Annotated[Folder | None, _NOT_SET]
Variants = Annotated[MaybePath, _valid_if(Path.is_dir, "Name a folder that exists")]
_PEM = "Name a PEM file of certificates that exists"
PemFile = Annotated[
    MaybePath, _valid_if(lambda path: ssl.create_default_context(cafile=path), _PEM)
]
Pause = Annotated[timedelta, BeforeValidator(lambda value: parse_duration(str(value), 366))]
Length = Annotated[Pause, _valid_if(bool, "Write at least 1s")]
Lengths = Annotated[Mapping[str, Length], AfterValidator(lambda given: {**USUAL_LENGTHS, **given})]
SmtpTls = StrEnum("SmtpTls", {"IMPLICIT": "implicit", "STARTTLS": "starttls", "NONE": "none"})
PressDefault = StrEnum("PressDefault", {"WHITE": "white", "GREY": "grey", "NONE": "none"})


class _Section(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True, extra="forbid")


class JudgeSettings(_Section):
    name: Name = "Judge"
    address: OwnAddress = ""
    data: Folder = Path("/var/lib/judge")
    timezone: Zone = "UTC"
    languages: Annotated[tuple[Language, ...], Field(min_length=1)] = ("en", "ko", "zh_Hant", "ja")
    keepers: tuple[Address, ...] = ()
    variants: Variants = None


class _Server(_Section):
    host: Line = ""
    user: Line = ""
    # After reading also what stands in `password_file`, or in a credential of systemd.
    password: Annotated[Secret | None, _NOT_SET] = None
    password_file: MaybePath = None
    token_command: Line = ""
    ca_file: PemFile = None


class ImapSettings(_Server):
    port: Annotated[int, Field(strict=True, ge=1, le=65535)] = 993
    tls: pydantic.StrictBool = True
    folder: Line = "INBOX"
    processed_folder: Line = "Processed"


class SmtpSettings(_Server):
    port: Annotated[int, Field(strict=True, ge=1, le=65535)] = 465
    tls: SmtpTls = SmtpTls.IMPLICIT


class ClockSettings(_Section):
    # RFC 2177 allows 29 minutes, but home routers and providers drop a silent line much earlier.
    idle_seconds: Annotated[int, Field(strict=True, ge=10, le=300)] = 290
    poll_seconds: Annotated[int, Field(strict=True, ge=1, le=3600)] = 60
    retry_first_seconds: Annotated[int, Field(strict=True, ge=1, le=3600)] = 5
    retry_most_seconds: Annotated[int, Field(strict=True, ge=1, le=86400)] = 600
    away_minutes: Annotated[int, Field(strict=True, ge=1, le=10080)] = 15
    send_tries: Annotated[int, Field(strict=True, ge=1, le=1000)] = 30

    def retry_pause_seconds(self, failures: int, salt: str = "") -> float:
        """Seconds to wait after so many failures in a row, doubled with each. The salt takes
        off a quarter at most, so that not all letters are tried again at one moment."""
        doubled: int = self.retry_first_seconds * 2 ** min(failures - 1, 30)
        digest = sha256(f"{salt}:{failures}".encode()).digest()
        return min(doubled, self.retry_most_seconds) * (1 - digest[0] / 1024)


class LimitSettings(_Section):
    letter_bytes: Annotated[int, Field(strict=True, ge=4096, le=26_214_400)] = 262_144
    order_lines: Annotated[int, Field(strict=True, ge=40, le=10_000)] = 400
    stranger_letters_a_day: Annotated[int, Field(strict=True, ge=1, le=1000)] = 10
    strangers_a_day: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] = 500
    letters_an_hour: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 120
    games_a_player: Annotated[int, Field(strict=True, ge=1, le=1000)] = 20
    press_characters: Annotated[int, Field(strict=True, ge=100, le=1_000_000)] = 20_000
    reports_a_day: Annotated[int, Field(strict=True, ge=0, le=1000)] = 5
    picture_processes: Annotated[int, Field(strict=True, ge=0, le=64)] = 1


class SecuritySettings(_Section):
    trusted_authserv: Line = ""
    secret_file: MaybePath = None
    confirm_hours: Annotated[int, Field(strict=True, ge=1, le=720)] = 72


class GameDefaults(_Section):
    variant: Line = "standard"
    rules: Line = "2000"
    grace: Pause = _DAY
    reminder: Pause = _DAY
    all_in_delay: Pause = timedelta(minutes=30)
    confirm: Pause = 2 * _DAY
    press: PressDefault = PressDefault.WHITE
    lengths: Lengths = USUAL_LENGTHS  # by kind of phase, as the rulebook names them


class Settings(_Section):
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


DEFAULTS = Settings()
SECTIONS = {name: tuple(type(section).model_fields) for name, section in DEFAULTS}  # their keys

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
_LOGIN = ("password", "password_file", "token_command")
# What a judge that sends and receives letters cannot do without: keys of a section of which one is
# needed, and how to write it. The last only if the SMTP server wants a login.
_NEEDED = (
    ("judge", ("address",), 'address = "judge@example.org"'),
    ("imap", ("host",), 'host = "imap.example.org"'),
    ("imap", ("user",), 'user = "judge@example.org"'),
    ("imap", _LOGIN, "password_file, password or token_command"),
    ("smtp", ("host",), 'host = "smtp.example.org"'),
    ("smtp", _LOGIN, "password_file, password or token_command"),
)

_Environ = Mapping[str, str]
_Path = tuple[str, ...]  # such as ("imap", "port")
_Tell = Callable[[_Path, str, str], None]  # where, what is wrong, and what to write instead


def load_settings(path: Path | None, environ: _Environ, *, for_mail: bool = True) -> Settings:
    """The settings of the file (without one the defaults), over them those of variables such as
    `JUDGE_IMAP__HOST`. Not `for_mail`: nothing has to be set, and no secret is read.

    Raises:
        SettingsError: with every fault that was found.
    """
    origin = str(path or "settings")
    text, why = _text_of(path) if path else ("", "")
    if why:
        remedy = "Correct it, or name another with --config; config/judge.toml is a sample"
        raise SettingsError([Fault("", f"cannot be read: {why}", remedy, origin)])
    file = read_toml(text)
    remedy = 'Write `key = value`, texts in "double quotes", lists in [square brackets]'
    faults = [Fault("", each.text, remedy, origin, each.line) for each in file.faults]
    variables = _add_variables(file.values, environ)

    def tell(at: _Path, what: str, remedy: str) -> None:
        names = [name for given, name in variables.items() if given[: len(at)] == at]
        if at[:-1] == ("defaults", "lengths") and at not in file.line_numbers and not names:
            at = ("defaults", at[-1])  # as the first release had it
        where = f"environment variable {names[-1]}" if names else origin
        line = None if names else file.line_of(*at)
        faults.append(Fault(".".join(at), what, remedy, where, line))

    settings = _validated(file.values, path.absolute().parent if path else Path.cwd(), tell)
    settings = _cross_checked(settings, environ if for_mail else None, tell)
    if for_mail:
        # What is faulty is not missing as well, and a misspelt heading may have all of its section.
        faulty = {fault.key for fault in faults}
        headings = [key for key in faulty if "." not in key]
        meant = {near for one in headings for near in difflib.get_close_matches(one, SECTIONS, 1)}
        for section, keys, example in _NEEDED if settings.smtp.user else _NEEDED[:-1]:
            there = {key for key in keys if getattr(getattr(settings, section), key)}
            there |= (faulty | file.lost_keys) & {*keys, *(f"{section}.{key}" for key in keys)}
            if not there and section not in meant:
                key, remedy = f"{section}.{keys[0]}", f"Write {example} under [{section}]"
                faults.append(Fault(key, "is not set", remedy, origin))
    faults.sort(key=lambda fault: (fault.origin != origin, fault.line or 10**9))
    if faults:
        raise SettingsError(faults)
    return settings


def _text_of(path: Path) -> tuple[str, str]:
    """The text of a file, and why it cannot be read if so."""
    try:
        return path.read_text(encoding="utf-8-sig"), ""
    except (OSError, UnicodeDecodeError) as error:
        return "", getattr(error, "strerror", None) or "it is not UTF-8"


def _add_variables(values: dict[str, Any], environ: _Environ) -> dict[_Path, str]:
    """Put what variables say over the values of the file; returns which says what."""
    # The first release had the lengths in [defaults] itself; variables still may say them so.
    if isinstance(defaults := values.get("defaults"), dict):
        lengths = defaults.setdefault("lengths", {})
        for kind in defaults.keys() & USUAL_LENGTHS:
            if isinstance(lengths, dict) and kind not in lengths:
                lengths[kind] = defaults.pop(kind)
    variables: dict[_Path, str] = {}
    for name in sorted(name for name in environ if name.startswith("JUDGE_")):
        *outer, key = name.removeprefix("JUDGE_").lower().split("__")
        if outer == ["defaults"] and key in USUAL_LENGTHS:
            outer.append("lengths")
        if not outer or not all((*outer, key)):  # as JUDGE_CONFIG
            continue
        variables[*outer, key] = name
        inside = values
        for part in outer:
            if not isinstance(inside.get(part), dict):
                inside[part] = {}
            inside = inside[part]
        inside[key] = text = environ[name]
        # A text has no type of its own; the default tells what TOML would make of it.
        default = getattr(getattr(DEFAULTS, outer[0], None), key, None)
        if isinstance(default, tuple):
            inside[key] = [item.strip() for item in text.split(",") if item.strip()]
        elif isinstance(default, int | StrEnum):
            with contextlib.suppress(pydantic.ValidationError):
                adapter = pydantic.TypeAdapter(type(default))
                inside[key] = adapter.validate_python(text.strip().lower())
    return variables


def _validated(values: dict[str, Any], base: Path, tell: _Tell) -> Settings:
    """The settings of these values, with its default for what cannot be used, which is told."""
    try:
        return Settings.model_validate(values, context=base)
    except pydantic.ValidationError as error:
        errors = error.errors()
    for each in errors:
        at = tuple(part for part in each["loc"] if isinstance(part, str))
        *outer, key = at
        value, inside = each["input"], values
        for part in outer:
            inside = inside[part]
        inside.pop(key, None)
        if not outer and not isinstance(value, dict):
            what, remedy = "stands outside a section", "Move it under its heading, such as [judge]"
        elif each["type"] == "extra_forbidden":
            what = "there is no such setting" if outer else f"there is no section [{key}]"
            form = "`{}`" if outer else "[{}]"
            known = [form.format(one) for one in (SECTIONS[outer[0]] if outer else SECTIONS)]
            near = difflib.get_close_matches(form.format(key), known, 1)
            homes = {**SECTIONS, "defaults.lengths": USUAL_LENGTHS}
            near += [f"`{key}` of [{home}]" for home, keys in homes.items() if key in keys]
            remedy = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known)}"
        else:
            what = f"{'the value' if key == 'password' else repr(value)[:120]} cannot be used"
            remedy = _REMEDIES.get(each["type"], "Write it as config/judge.toml does")
            remedy = remedy.format(**each.get("ctx", {})).replace("'", '"')
        tell(at, what, remedy)
    return Settings.model_validate(values, context=base)


def _cross_checked(settings: Settings, environ: _Environ | None, tell: _Tell) -> Settings:
    """Tells of settings that are fine alone and wrong together. Returns them, where there is an
    `environ`, with the passwords that stand in files and in credentials of systemd."""
    clock, game, imap = settings.clock, settings.defaults, settings.imap
    if clock.retry_first_seconds > (most := clock.retry_most_seconds):
        what = "is longer than retry_most_seconds"
        tell(("clock", "retry_first_seconds"), what, f"Write at most {most}")
    if "reminder" in game.model_fields_set and game.reminder >= max(game.lengths.values()):
        what = "the reminder would come before the phase opens"
        tell(("defaults", "reminder"), what, "Write less than the longest of [defaults.lengths]")
    if imap.folder == imap.processed_folder:
        what = "is the folder that the judge reads"
        tell(("imap", "processed_folder"), what, "Name another folder")
    for section, server in (("imap", imap), ("smtp", settings.smtp)):
        ways = [key for key in _LOGIN if getattr(server, key)]
        if len(ways) > 1:
            tell((section, ways[1]), f"{' and '.join(ways)} are both given", "Keep one of them")
        if environ is None or server.password or server.token_command:
            continue
        credential = Path(environ.get("CREDENTIALS_DIRECTORY", "/nowhere"), f"{section}_password")
        if file := server.password_file or (credential if credential.exists() else None):
            text, why = _text_of(file)
            if password := text.partition("\n")[0]:
                server = server.model_copy(update={"password": Secret(password)})
                settings = settings.model_copy(update={section: server})
            else:
                what = f"{file} has no password: {why or 'its first line is empty'}"
                remedy = "Put it there, readable for the user who runs the judge and nobody else"
                tell((section, "password_file"), what, remedy)
    return settings
