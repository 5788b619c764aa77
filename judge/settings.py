"""What can be set, with the default of each setting; `config/judge.toml` explains them one by one.

Knows nothing of files and the environment: see config.py.
"""

# ruff: noqa: RUF009 -- each `_setting` is made once on purpose, and its defaults are immutable

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar, cast

from judge import settings_values as kind
from judge.settings_values import Reader, Secret

T = TypeVar("T")


def _setting(default: T, reader: Reader[T]) -> T:
    """A field that knows how it is read; to the type checker it is its default."""
    setting: T = field(default=default, metadata={"reader": reader})
    return setting


class SmtpTls(StrEnum):
    """How the way to the SMTP server is encrypted."""

    IMPLICIT = "implicit"
    STARTTLS = "starttls"
    NONE = "none"


class PressDefault(StrEnum):
    """Which press a new game allows."""

    WHITE = "white"
    GREY = "grey"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """[judge]: who this judge is and where it keeps its data.

    Attributes:
        variants: a folder with variants of the keeper's own; None for the shipped ones alone.
    """

    name: str = _setting("Judge", kind.name())
    address: str = _setting("", kind.own_address())
    data: Path = _setting(Path("/var/lib/judge"), kind.folder())
    timezone: str = _setting("UTC", kind.zone())
    languages: tuple[str, ...] = _setting(("en", "ko", "zh_Hant", "ja"), kind.languages())
    keepers: tuple[str, ...] = _setting((), kind.addresses())
    variants: Path | None = _setting(None, kind.path())


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """[imap]: where letters come in.

    Attributes:
        password: filled from `password_file` or the systemd credential `imap_password` too.
        token_command: run by a shell before each login; prints an OAuth access token.
    """

    host: str = _setting("", kind.text())
    port: int = _setting(993, kind.whole(1, 65535))
    tls: bool = _setting(True, kind.truth())
    user: str = _setting("", kind.text())
    password: Secret | None = _setting(None, kind.secret())
    password_file: Path | None = _setting(None, kind.path())
    token_command: str = _setting("", kind.text())
    folder: str = _setting("INBOX", kind.text())
    processed_folder: str = _setting("Processed", kind.text())
    ca_file: Path | None = _setting(None, kind.path())


@dataclass(frozen=True, slots=True)
class SmtpSettings:
    """[smtp]: where letters go out. Without `user` the judge does not log in.

    Attributes: as in ImapSettings; the systemd credential is `smtp_password`.
    """

    host: str = _setting("", kind.text())
    port: int = _setting(465, kind.whole(1, 65535))
    tls: SmtpTls = _setting(SmtpTls.IMPLICIT, kind.choice(SmtpTls))
    user: str = _setting("", kind.text())
    password: Secret | None = _setting(None, kind.secret())
    password_file: Path | None = _setting(None, kind.path())
    token_command: str = _setting("", kind.text())
    ca_file: Path | None = _setting(None, kind.path())


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """[clock]: how often the judge looks, and how patiently it tries again."""

    # RFC 2177 allows 29 minutes, but home routers and providers drop a silent line much earlier.
    idle_seconds: int = _setting(290, kind.whole(10, 300))
    poll_seconds: int = _setting(60, kind.whole(1, 3600))
    retry_first_seconds: int = _setting(5, kind.whole(1, 3600))
    retry_most_seconds: int = _setting(600, kind.whole(1, 86400))
    away_minutes: int = _setting(15, kind.whole(1, 10080))
    send_tries: int = _setting(30, kind.whole(1, 1000))


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """[limits]: how much one letter, one sender and one player may ask of the judge."""

    letter_bytes: int = _setting(262_144, kind.whole(4096, 26_214_400))
    order_lines: int = _setting(400, kind.whole(40, 10_000))
    stranger_letters_a_day: int = _setting(10, kind.whole(1, 1000))
    letters_an_hour: int = _setting(120, kind.whole(1, 100_000))
    games_a_player: int = _setting(20, kind.whole(1, 1000))


@dataclass(frozen=True, slots=True)
class SecuritySettings:
    """[security]: whom the judge believes.

    Attributes:
        secret_file: None for `secret` in the data folder; see Settings.secret_path.
    """

    trusted_authserv: str = _setting("", kind.text())
    secret_file: Path | None = _setting(None, kind.path())
    confirm_hours: int = _setting(72, kind.whole(1, 720))


@dataclass(frozen=True, slots=True)
class GameDefaults:
    """[defaults]: what a new game has unless its master says otherwise."""

    variant: str = _setting("standard", kind.text())
    rules: str = _setting("2000", kind.text())
    movement: timedelta = _setting(timedelta(days=3), kind.duration("1s"))
    retreat: timedelta = _setting(timedelta(days=1), kind.duration("1s"))
    adjustment: timedelta = _setting(timedelta(days=1), kind.duration("1s"))
    grace: timedelta = _setting(timedelta(days=1), kind.duration())
    reminder: timedelta = _setting(timedelta(days=1), kind.duration())
    all_in_delay: timedelta = _setting(timedelta(minutes=30), kind.duration())
    press: PressDefault = _setting(PressDefault.WHITE, kind.choice(PressDefault))


@dataclass(frozen=True, slots=True)
class Settings:
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


SECTIONS: Mapping[str, type[Any]] = {
    part.name: cast(type[Any], part.type) for part in fields(Settings)
}
