"""The settings: read once from a TOML file and the environment, checked together, frozen.

Every package may import it. settings.py says what can be set.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from judge.errors import Fault, SettingsError
from judge.settings import (
    SECTIONS,
    USUAL_LENGTHS,
    BadValue,
    ClockSettings,
    GameDefaults,
    ImapSettings,
    Secret,
    SettingPath,
    Settings,
    SmtpSettings,
    SmtpTls,
    Tell,
    format_duration,
    from_text,
    parse_duration,
    read_settings,
)
from judge.toml_lines import TomlFile, read_toml

__all__ = [
    "SECTIONS",
    "BadValue",
    "ClockSettings",
    "GameDefaults",
    "ImapSettings",
    "Secret",
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
EMBEDDED_ADDRESS = "judge@judge.test"
ENVIRONMENT_PREFIX = "JUDGE_"
LOGIN_KEYS = ("password", "password_file", "token_command")


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
    written = _Written(path)
    written.take_environment(environ)
    base = path.absolute().parent if path is not None else Path.cwd()
    settings = read_settings(written.file.values, base, written.tell)
    _tell_conflicts(settings, written.tell)
    if for_mail:
        settings = _with_passwords(settings, environ, written.tell)
        written.faults += list(_missing(settings, written))
    if written.faults:
        raise SettingsError(sorted(written.faults, key=lambda fault: fault.line or 10**9))
    return settings


def embedded_settings(
    directory: Path, imap_port: int, smtp_port: int, environ: Mapping[str, str]
) -> Settings:
    """The settings of a judge that brings its own mail server on loopback.

    The environment may change all but the mail servers, the data folder and how often strangers
    are answered: on loopback nobody has to be kept from it.

    Raises:
        SettingsError: the environment holds a faulty value.
    """
    own = {
        "JUDGE__ADDRESS": EMBEDDED_ADDRESS,
        "JUDGE__DATA": str(directory),
        "LIMITS__STRANGER_LETTERS_A_DAY": "1000",
        "IMAP__HOST": "127.0.0.1",
        "IMAP__PORT": str(imap_port),
        "IMAP__TLS": "false",
        "IMAP__USER": EMBEDDED_ADDRESS,
        "IMAP__PASSWORD": "any",
        "SMTP__HOST": "127.0.0.1",
        "SMTP__PORT": str(smtp_port),
        "SMTP__TLS": "none",
    }
    servers = ("JUDGE_IMAP__", "JUDGE_SMTP__")
    given = {name: environ[name] for name in environ if not name.startswith(servers)}
    return load_settings(None, given | {f"JUDGE_{name}": text for name, text in own.items()})


class _Written:
    """What stands in the file, with the environment over it, and the faults found there.

    Attributes:
        variables: the names of the environment variables, by the path of the setting.
        moved: where a length stands in the file if it is not in [defaults.lengths].
    """

    def __init__(self, path: Path | None) -> None:
        self.origin = str(path or "settings")
        self.file = _read_file(path) if path is not None else read_toml("")
        self.variables: dict[SettingPath, str] = {}
        self.moved: dict[SettingPath, SettingPath] = {}
        remedy = 'Write `key = value`, texts in "double quotes", lists in [square brackets]'
        self.faults = [
            Fault("", self.origin, unreadable.line, unreadable.text, remedy)
            for unreadable in self.file.faults
        ]
        # The first release had the three lengths in [defaults] itself.
        defaults = self.file.values.get("defaults")
        for kind in USUAL_LENGTHS:
            if isinstance(defaults, dict) and kind in defaults:
                lengths = defaults.setdefault("lengths", {})
                if isinstance(lengths, dict) and kind not in lengths:
                    lengths[kind] = defaults.pop(kind)
                    self.moved["defaults", "lengths", kind] = ("defaults", kind)

    def take_environment(self, environ: Mapping[str, str]) -> None:
        """Take the values of all variables such as `JUDGE_IMAP__HOST`; others are not ours."""
        for name in sorted(environ):
            path = tuple(name.removeprefix(ENVIRONMENT_PREFIX).lower().split("__"))
            if not name.startswith(ENVIRONMENT_PREFIX) or len(path) < 2 or not all(path):
                continue
            if path[0] == "defaults" and path[1] in USUAL_LENGTHS:
                path = ("defaults", "lengths", path[1])
            self.variables[path] = name
            inside = self.file.values
            for part in path[:-1]:
                if not isinstance(inside.get(part), dict):
                    inside[part] = {}
                inside = inside[part]
            inside[path[-1]] = from_text(path, environ[name])

    def tell(self, path: SettingPath, what: str, remedy: str) -> None:
        """Note a fault, at the variable or the line that gave the setting."""
        key, origin = ".".join(self.moved.get(path, path)), self.origin
        line = self.file.line_of(*self.moved.get(path, path))
        for given, name in self.variables.items():
            if given[: len(path)] == path:
                key, origin, line = ".".join(path), f"environment variable {name}", None
        self.faults.append(Fault(key, origin, line, what, remedy))


def _read_file(path: Path) -> TomlFile:
    try:
        return read_toml(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        remedy = "Name the file with --config, or copy the sample config/judge.toml there"
        raise SettingsError([Fault("", str(path), None, "no such file", remedy)]) from error
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is no UTF-8"
        raise SettingsError([Fault("", str(path), None, what, "Save the file as UTF-8")]) from error
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        remedy = "Let the user who runs the judge read it"
        raise SettingsError([Fault("", str(path), None, what, remedy)]) from error


def _with_passwords(settings: Settings, environ: Mapping[str, str], tell: Tell) -> Settings:
    """The passwords that stand in files or in systemd credentials, read."""
    for section in ("imap", "smtp"):
        server: ImapSettings | SmtpSettings = getattr(settings, section)
        file = server.password_file
        if file is None and (credentials := environ.get("CREDENTIALS_DIRECTORY")):
            credential = Path(credentials, f"{section}_password")
            file = credential if credential.exists() else None
        if server.password or server.token_command or file is None:
            continue
        at = (section, "password_file")
        try:
            password = file.read_text(encoding="utf-8").partition("\n")[0]
        except (OSError, UnicodeDecodeError) as error:
            what = f"{file} cannot be read ({getattr(error, 'strerror', None) or 'no UTF-8'})"
            tell(at, what, "Make it readable for the user who runs the judge, and for nobody else")
            continue
        if not password:
            tell(at, f"{file} is empty", "Put the password in its first line")
        server = server.model_copy(update={"password": Secret(password)})
        settings = settings.model_copy(update={section: server})
    return settings


def _tell_conflicts(settings: Settings, tell: Tell) -> None:
    """Settings that are fine alone and wrong together."""
    clock, defaults, imap = settings.clock, settings.defaults, settings.imap
    if clock.retry_first_seconds > clock.retry_most_seconds:
        remedy = f"Write at most {clock.retry_most_seconds}"
        tell(("clock", "retry_first_seconds"), "is longer than retry_most_seconds", remedy)
    longest = max(defaults.lengths.values())
    if "reminder" in defaults.model_fields_set and defaults.reminder >= longest:
        what = "the reminder would come before the phase opens"
        remedy = f'Write less than "{format_duration(longest)}", the longest phase'
        tell(("defaults", "reminder"), what, remedy)
    if imap.folder == imap.processed_folder:
        what = "is the folder that the judge reads"
        tell(("imap", "processed_folder"), what, "Name another folder")
    for section, server in (("imap", imap), ("smtp", settings.smtp)):
        ways = [key for key in LOGIN_KEYS if getattr(server, key)]
        if len(ways) > 1:
            what = f"{' and '.join(ways)} are both given"
            tell((section, ways[1]), what, "Keep one of them")


def _missing(settings: Settings, written: _Written) -> Iterator[Fault]:
    """What a judge that sends and receives letters cannot do without, if nobody wrote it."""
    imap, smtp = settings.imap, settings.smtp
    log_in = "Write password_file, password or token_command"
    needed = (
        ("judge", ("address",), settings.judge.address, 'Write address = "judge@example.org"'),
        ("imap", ("host",), imap.host, 'Write host = "imap.example.org"'),
        ("imap", ("user",), imap.user, 'Write user = "judge@example.org"'),
        ("imap", LOGIN_KEYS, imap.password or imap.token_command, log_in),
        ("smtp", ("host",), smtp.host, 'Write host = "smtp.example.org"'),
        ("smtp", LOGIN_KEYS, smtp.password or smtp.token_command or not smtp.user, log_in),
    )
    spoiled = written.file.lost_keys | {fault.key for fault in written.faults}
    for section, keys, value, remedy in needed:
        if not value and spoiled.isdisjoint({*keys, *(f"{section}.{key}" for key in keys)}):
            key, remedy = f"{section}.{keys[0]}", f"{remedy} under [{section}]"
            yield Fault(key, written.origin, None, "is not set", remedy)
