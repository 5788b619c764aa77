"""The settings: read once from a TOML file and the environment, checked together, frozen.

Knows no room of the house; every room may import it.
"""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from judge.errors import Fault, SettingsError
from judge.settings import (
    SECTIONS,
    ClockSettings,
    GameDefaults,
    ImapSettings,
    JudgeSettings,
    LimitSettings,
    PressDefault,
    SecuritySettings,
    Settings,
    SmtpSettings,
    SmtpTls,
)
from judge.settings_file import Address, Source, Written, read_environment, read_file
from judge.settings_values import BadValue, Reader, Secret, format_duration, parse_duration

__all__ = [
    "BadValue",
    "ClockSettings",
    "GameDefaults",
    "ImapSettings",
    "JudgeSettings",
    "LimitSettings",
    "PressDefault",
    "Secret",
    "SecuritySettings",
    "Settings",
    "SmtpSettings",
    "SmtpTls",
    "embedded_settings",
    "find_settings_file",
    "format_duration",
    "load_settings",
    "parse_duration",
]

SETTINGS_FILE = Path("/etc/judge/judge.toml")
_HOW_TO_LOG_IN = "Write password_file, password or token_command"
EMBEDDED_ADDRESS = "judge@judge.test"


def find_settings_file(environ: Mapping[str, str]) -> Path | None:
    """The file to read when none is named: $JUDGE_CONFIG, else /etc/judge/judge.toml if any."""
    if named := environ.get("JUDGE_CONFIG"):
        return Path(named)
    return SETTINGS_FILE if SETTINGS_FILE.exists() else None


def load_settings(
    path: Path | None, environ: Mapping[str, str], *, for_mail: bool = True
) -> Settings:
    """The settings of the file, over them those of the environment.

    Args:
        path: None for the defaults alone.
        for_mail: False for work that needs no mail server: then nothing has to be set, and no
            secret is read.

    Raises:
        SettingsError: with every fault that was found.
    """
    source = read_file(path) if path is not None else Source()
    source.values |= read_environment(environ).values
    settings = _read_sections(source)
    settings = _anchor(settings, path.absolute().parent if path is not None else Path.cwd())
    source.faults += _cross_faults(settings, source)
    if for_mail:
        settings = _with_secrets(settings, environ, source)
        source.faults += _missing_faults(settings, source, str(path or "settings"))
    if source.faults:
        raise SettingsError(sorted(source.faults, key=lambda fault: fault.line or 10**9))
    return settings


def embedded_settings(
    directory: Path, imap_port: int, smtp_port: int, environ: Mapping[str, str] | None = None
) -> Settings:
    """The settings of a judge that brings its own mail server on loopback.

    The environment may change all but the mail servers, the data folder and how often strangers
    are answered: on loopback nobody has to be kept from it.

    Raises:
        SettingsError: the environment holds a faulty value.
    """
    base = load_settings(None, environ or {}, for_mail=False)
    login = Secret("any")
    return replace(
        base,
        judge=replace(base.judge, address=EMBEDDED_ADDRESS, data=directory),
        limits=replace(base.limits, stranger_letters_a_day=1000),
        imap=ImapSettings("127.0.0.1", imap_port, False, EMBEDDED_ADDRESS, login),
        smtp=SmtpSettings("127.0.0.1", smtp_port, SmtpTls.NONE),
    )


def _read_sections(source: Source) -> Settings:
    for section, key in source.values:
        if section not in SECTIONS or (key and key not in _keys(section)):
            source.faults.append(_unknown(section, key, source.values[section, key]))
    return Settings(**{name: _read_section(name, source) for name in SECTIONS})


def _read_section(section: str, source: Source) -> Any:
    values: dict[str, Any] = {}
    for part in fields(SECTIONS[section]):
        written = source.values.get((section, part.name))
        if written is None:
            continue
        reader: Reader[Any] = part.metadata["reader"]
        value = written.value
        if written.is_environment:
            value = reader.from_text(str(value))
        try:
            values[part.name] = reader.read(value)
        except BadValue as error:
            source.spoiled.add(part.name)
            source.faults.append(_fault((section, part.name), written, error.what, error.remedy))
    return SECTIONS[section](**values)


def _keys(section: str) -> tuple[str, ...]:
    return tuple(part.name for part in fields(SECTIONS[section]))


def _unknown(section: str, key: str, written: Written) -> Fault:
    """An unknown section or key, with the known one that looks most like it."""
    if section not in SECTIONS:
        near = difflib.get_close_matches(section, SECTIONS, 1, 0.0)[0]
        remedy = f"Did you mean [{near}]? There are {', '.join(SECTIONS)}"
        return _fault((section, key), written, f"there is no section [{section}]", remedy)
    keys = _keys(section)
    near = difflib.get_close_matches(key, keys, 1, 0.5)
    elsewhere = [other for other in SECTIONS if other != section and key in _keys(other)]
    if near:
        remedy = f"Did you mean `{near[0]}`?"
    elif elsewhere:
        remedy = f"Did you mean `{key}` of [{elsewhere[0]}]?"
    else:
        remedy = f"[{section}] has {', '.join(keys)}"
    return _fault((section, key), written, "there is no such setting", remedy)


def _anchor(settings: Settings, base: Path) -> Settings:
    """Paths made absolute: relative ones start at the folder of the settings file."""

    def rooted(path: Path | None) -> Path | None:
        return base / path.expanduser() if path is not None else None

    judge, imap, smtp, security = settings.judge, settings.imap, settings.smtp, settings.security
    return replace(
        settings,
        judge=replace(judge, data=base / judge.data.expanduser(), variants=rooted(judge.variants)),
        imap=replace(imap, password_file=rooted(imap.password_file), ca_file=rooted(imap.ca_file)),
        smtp=replace(smtp, password_file=rooted(smtp.password_file), ca_file=rooted(smtp.ca_file)),
        security=replace(security, secret_file=rooted(security.secret_file)),
    )


def _cross_faults(settings: Settings, source: Source) -> Iterator[Fault]:
    """Settings that are fine alone and wrong together."""
    clock, defaults = settings.clock, settings.defaults
    if clock.retry_first_seconds > clock.retry_most_seconds:
        what = "is longer than retry_most_seconds"
        remedy = f"Write at most {clock.retry_most_seconds}"
        yield _fault_at(source, ("clock", "retry_first_seconds"), what, remedy)
    chosen = ("defaults", "reminder") in source.values
    if chosen and defaults.reminder >= defaults.movement:
        what = "the reminder would come before the phase opens"
        remedy = f'Write less than "{format_duration(defaults.movement)}", the movement time'
        yield _fault_at(source, ("defaults", "reminder"), what, remedy)
    if settings.imap.folder == settings.imap.processed_folder:
        what = "is the folder that the judge reads"
        yield _fault_at(source, ("imap", "processed_folder"), what, "Name another folder")
    folder = settings.judge.variants
    if folder is not None and not folder.is_dir():
        what = f"no such folder: {folder}"
        remedy = "Name a folder with folders of variants, or leave it empty"
        yield _fault_at(source, ("judge", "variants"), what, remedy)
    for section, server in (("imap", settings.imap), ("smtp", settings.smtp)):
        if server.ca_file is not None and not server.ca_file.is_file():
            what = f"no such file: {server.ca_file}"
            remedy = "Name a PEM file, or leave it empty for the machine's own authorities"
            yield _fault_at(source, (section, "ca_file"), what, remedy)
        ways = [
            key for key in ("password", "password_file", "token_command") if getattr(server, key)
        ]
        if len(ways) > 1:
            what = f"{' and '.join(ways)} are both given"
            yield _fault_at(source, (section, ways[1]), what, "Keep one of them")


def _missing_faults(settings: Settings, source: Source, origin: str) -> Iterator[Fault]:
    """What a judge that sends and receives letters cannot do without."""
    imap, smtp = settings.imap, settings.smtp
    needed = {
        "judge.address": (settings.judge.address, 'Write address = "judge@example.org"'),
        "imap.host": (imap.host, 'Write host = "imap.example.org"'),
        "imap.user": (imap.user, 'Write user = "judge@example.org"'),
        "imap.password": (imap.password or imap.token_command, _HOW_TO_LOG_IN),
        "smtp.host": (smtp.host, 'Write host = "smtp.example.org"'),
        "smtp.password": (smtp.password or smtp.token_command or not smtp.user, _HOW_TO_LOG_IN),
    }
    for name, (value, remedy) in needed.items():
        section, _, key = name.partition(".")
        if not value and key not in source.spoiled:
            yield Fault(name, origin, None, "is not set", f"{remedy} under [{section}]")


def _with_secrets(settings: Settings, environ: Mapping[str, str], source: Source) -> Settings:
    """The passwords that stand in files, read."""
    imap = _secret_of("imap", settings.imap, environ, source)
    smtp = _secret_of("smtp", settings.smtp, environ, source)
    return replace(
        settings,
        imap=replace(settings.imap, password=imap),
        smtp=replace(settings.smtp, password=smtp),
    )


def _secret_of(
    section: str, server: ImapSettings | SmtpSettings, environ: Mapping[str, str], source: Source
) -> Secret | None:
    if server.password or server.token_command:
        return server.password
    file = server.password_file
    if file is None and (credentials := environ.get("CREDENTIALS_DIRECTORY")):
        credential = Path(credentials, f"{section}_password")
        file = credential if credential.exists() else None
    if file is None:
        return None
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        what = f"{file} cannot be read ({getattr(error, 'strerror', None) or 'no UTF-8'})"
        remedy = "Make it readable for the user who runs the judge, and for nobody else"
    else:
        if lines and lines[0]:
            return Secret(lines[0])
        what, remedy = f"{file} is empty", "Put the password in its first line"
    source.spoiled.add("password")
    source.faults.append(_fault_at(source, (section, "password_file"), what, remedy))
    return None


def _fault(address: Address, written: Written, what: str, remedy: str) -> Fault:
    key = ".".join(part for part in address if part)
    return Fault(key, written.origin, written.line, what, remedy)


def _fault_at(source: Source, address: Address, what: str, remedy: str) -> Fault:
    return _fault(address, source.values.get(address, Written(None, "default")), what, remedy)
