"""The settings: what is read, what is refused, and how the keeper learns of it."""

import contextlib
import tomllib
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from judge.clock import parse_duration
from judge.config import (
    SECTIONS,
    Secret,
    Settings,
    SmtpTls,
    load_settings,
)
from judge.data import read_text
from judge.errors import Fault, SettingsError
from judge.service import embedded_settings

WHOLE = """\
[judge]
name = "Alpha"
address = "judge@example.org"
data = "data"
timezone = "Europe/Berlin"
keepers = ["keeper@example.org"]

[imap]
host = "imap.example.org"
user = "judge@example.org"
password = "open sesame"

[smtp]
host = "smtp.example.org"
port = 587
tls = "starttls"

[defaults]
movement = "1d 12h"
"""


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str) -> Path:
        path = tmp_path / "judge.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def faults_of(path: Path | None, environ: dict[str, str] | None = None) -> tuple[Fault, ...]:
    with pytest.raises(SettingsError) as caught:
        load_settings(path, environ or {})
    return caught.value.faults


def test_a_file_is_read_into_values(write, tmp_path: Path) -> None:
    settings = load_settings(write(WHOLE), {})
    assert settings.judge.name == "Alpha"
    assert settings.judge.keepers == ("keeper@example.org",)
    assert settings.judge.data == tmp_path / "data"
    assert settings.secret_path == tmp_path / "data" / "secret"
    assert settings.imap.password == Secret("open sesame")
    assert settings.smtp.tls is SmtpTls.STARTTLS
    assert settings.defaults.lengths["movement"] == timedelta(hours=36)
    assert settings.clock == Settings().clock


def test_every_setting_of_the_sample_is_the_default() -> None:
    sample = tomllib.loads(read_text("config", "judge.toml"))
    assert {name: set(part) for name, part in sample.items()} == {
        name: set(keys) for name, keys in SECTIONS.items()
    }


def test_the_sample_reads_as_the_defaults(write) -> None:
    path = write(read_text("config", "judge.toml"))
    assert load_settings(path, {}, for_mail=False) == load_settings(None, {}, for_mail=False)


def test_the_sample_explains_every_setting_in_a_sentence() -> None:
    lines = read_text("config", "judge.toml").splitlines()
    for before, line in pairwise(lines):
        if "=" in line and not line.startswith("#"):
            assert before.startswith("# "), line
            assert before.endswith("."), before


def test_all_faults_come_at_once_with_line_and_remedy(write) -> None:
    path = write("""\
[judge]
adress = "judge@example.org"
timezone = "Middle/Earth"
[imap]
host = imap.example.org
port = "993"
tls = "yes"
user = "judge"
[smtp]
host = "smtp.example.org"
tls = "ssl"
[clock]
idle_seconds = 1740
[default]
movement = "3d"
[limits]
letters_an_hour = 0
[defaults]
grace = 24
movement = "soon"
""")
    faults = faults_of(path)
    assert [(fault.line, fault.key) for fault in faults] == [
        (2, "judge.adress"),
        (3, "judge.timezone"),
        (5, ""),
        (6, "imap.port"),
        (7, "imap.tls"),
        (11, "smtp.tls"),
        (13, "clock.idle_seconds"),
        (14, "default"),
        (17, "limits.letters_an_hour"),
        (19, "defaults.grace"),
        (20, "defaults.movement"),
        (None, "judge.address"),
        (None, "imap.password"),
    ]
    assert all(fault.what and fault.remedy for fault in faults)
    assert faults[0].remedy == "Did you mean `address`?"
    assert "Did you mean [defaults]?" in faults[7].remedy
    assert '"24h"' in faults[9].remedy


def test_a_key_of_another_section_is_pointed_out(write) -> None:
    (fault,) = faults_of(write(WHOLE + "[limits]\nsend_tries = 5\n"))
    assert fault.remedy == "Did you mean `send_tries` of [clock]?"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[judge]\nname = "Alpha\naddress = "a@b.c"\n', 2),
        ('[judge\nname = "Alpha"\n', 1),
        ('[judge]\nname = "Alpha"\nname = "Beta"\n', 3),
        ('[judge]\n[imap]\n[judge]\nname = "A"\n', 3),
        ('[judge]\nkeepers = ["a@b.c"\nname = "Alpha"\n', 2),
        ('[judge]\nkeepers = ["a@b.c"', 2),
        ("[judge]\nname Alpha\n", 2),
        ('[judge]\nname = """Alpha\n', 2),
    ],
)
def test_a_line_that_cannot_be_read_is_named(write, text: str, line: int) -> None:
    faults = faults_of(write(text))
    unreadable = [fault for fault in faults if not fault.key]
    assert [fault.line for fault in unreadable] == [line]
    assert "cannot be read" in unreadable[0].what


def test_an_unreadable_line_is_not_reported_as_missing_too(write) -> None:
    path = write(WHOLE.replace('"judge@example.org"\ndata', "judge@example.org\ndata"))
    (fault,) = faults_of(path)
    assert fault.line == 3


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path / "none.toml")
    assert fault.what == "cannot be read: No such file or directory"
    assert "--config" in fault.remedy


def test_a_file_that_is_no_utf8_is_said(tmp_path: Path) -> None:
    path = tmp_path / "judge.toml"
    path.write_bytes(b'[judge]\nname = "Z\xfcrich"\n')
    (fault,) = faults_of(path)
    assert "UTF-8" in fault.what


def test_a_value_outside_any_section_is_said(write) -> None:
    (fault,) = faults_of(write('name = "Alpha"\n' + WHOLE))
    assert (fault.line, fault.key, fault.what) == (1, "name", "stands outside a section")


def test_dotted_and_inline_keys_keep_their_line(write) -> None:
    text = 'judge.name = "[x]"\nimap = { port = 0 }\n'
    faults = [fault for fault in faults_of(write(text)) if fault.line]
    assert [(fault.line, fault.key) for fault in faults] == [(1, "judge.name"), (2, "imap.port")]


def test_nothing_set_names_everything_that_must_be() -> None:
    assert [fault.key for fault in faults_of(None)] == [
        "judge.address",
        "imap.host",
        "imap.user",
        "imap.password",
        "smtp.host",
    ]


def test_work_without_mail_needs_nothing() -> None:
    settings = load_settings(None, {}, for_mail=False)
    assert settings.judge.data == Path("/var/lib/judge")


def test_the_environment_goes_before_the_file(write) -> None:
    environ = {
        "JUDGE_IMAP__HOST": "other.example.org",
        "JUDGE_IMAP__PORT": "1143",
        "JUDGE_IMAP__TLS": "no",
        "JUDGE_IMAP__PASSWORD": "12345",
        "JUDGE_JUDGE__KEEPERS": "a@example.org, b@example.org",
        "JUDGE_DEFAULTS__GRACE": "2h",
        "JUDGE_REQUIRE": "servers",
        "PATH": "/bin",
    }
    settings = load_settings(write(WHOLE), environ)
    imap = settings.imap
    assert (imap.host, imap.port, imap.tls) == ("other.example.org", 1143, False)
    assert imap.password == Secret("12345")
    assert settings.judge.keepers == ("a@example.org", "b@example.org")
    assert settings.defaults.grace == timedelta(hours=2)
    assert settings.judge.name == "Alpha"


def test_a_faulty_variable_is_named(write) -> None:
    environ = {"JUDGE_IMAP__PRT": "1", "JUDGE_SMTP__PORT": "smtp", "JUDGE_MAP__X": "1"}
    said = {fault.origin: fault for fault in faults_of(write(WHOLE), environ)}
    assert said["environment variable JUDGE_IMAP__PRT"].remedy == "Did you mean `port`?"
    assert said["environment variable JUDGE_SMTP__PORT"].key == "smtp.port"
    assert "[imap]" in said["environment variable JUDGE_MAP__X"].remedy


def test_a_password_file_is_read_beside_the_settings(write, tmp_path: Path) -> None:
    (tmp_path / "pw").write_text("s3cret word\n", encoding="utf-8")
    path = write(WHOLE.replace('password = "open sesame"', 'password_file = "pw"'))
    assert load_settings(path, {}).imap.password == Secret("s3cret word")


@pytest.mark.parametrize("content", [None, "", "\nsecret\n"])
def test_a_password_file_without_a_password_is_said(write, tmp_path: Path, content) -> None:
    if content is not None:
        (tmp_path / "pw").write_text(content, encoding="utf-8")
    path = write(WHOLE.replace('password = "open sesame"', 'password_file = "pw"'))
    (fault,) = faults_of(path)
    assert fault.key == "imap.password_file"
    assert fault.line == 11


def test_systemd_credentials_are_passwords(write, tmp_path: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "imap_password").write_text("in", encoding="utf-8")
    (credentials / "smtp_password").write_text("out\n", encoding="utf-8")
    text = WHOLE.replace('password = "open sesame"\n', "")
    settings = load_settings(write(text), {"CREDENTIALS_DIRECTORY": str(credentials)})
    assert settings.imap.password == Secret("in")
    assert settings.smtp.password == Secret("out")


def test_a_token_command_stands_for_the_password(write) -> None:
    path = write(WHOLE.replace('password = "open sesame"', 'token_command = "token"'))
    imap = load_settings(path, {}).imap
    assert (imap.password, imap.token_command) == (None, "token")


def test_two_ways_to_log_in_are_one_too_many(write) -> None:
    path = write(WHOLE.replace("[smtp]", 'token_command = "token"\n[smtp]'))
    (fault,) = faults_of(path)
    assert fault.what == "password and token_command are both given"


def test_smtp_without_a_user_needs_no_password(write) -> None:
    assert load_settings(write(WHOLE), {}).smtp.password is None
    (fault,) = faults_of(write(WHOLE.replace("port = 587", 'port = 587\nuser = "judge"')))
    assert fault.key == "smtp.password"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("[imap]", '[imap]\nprocessed_folder = "INBOX"', "imap.processed_folder"),
        ("[imap]", '[imap]\nca_file = "nowhere.pem"', "imap.ca_file"),
        ("[defaults]", '[defaults]\nreminder = "2d"', "defaults.reminder"),
        (
            "[defaults]",
            "[clock]\nretry_first_seconds = 700\n[defaults]",
            "clock.retry_first_seconds",
        ),
        ("judge@example.org", "judge+x@example.org", "judge.address"),
        ("judge@example.org", "judge", "judge.address"),
        ("[judge]", "[judge]\nlanguages = []", "judge.languages"),
        ('data = "data"', 'data = ""', "judge.data"),
        ('"Alpha"', '"Al]pha"', "judge.name"),
        ("port = 587", "port = 99999", "smtp.port"),
        ("port = 587", "port = true", "smtp.port"),
        ('"1d 12h"', '"4000d"', "defaults.movement"),
        ('"1d 12h"', '"0s"', "defaults.movement"),
        ("keepers = [", 'keepers = ["a@b@c", ', "judge.keepers"),
        ('movement = "1d 12h"', "lengths = 5", "defaults.lengths"),
        ('"Alpha"', "5", "judge.name"),
        ('data = "data"', "data = 5", "judge.data"),
        ('keepers = ["keeper@example.org"]', 'keepers = "keeper@example.org"', "judge.keepers"),
        ("port = 587", "port = 58.7", "smtp.port"),
        ("port = 587", "port = 99999999999999999999", "smtp.port"),
        ("[defaults]", "[judge.more]\nx = 1\n[defaults]", "judge.more"),
    ],
)
def test_a_setting_that_cannot_work_is_refused(write, old: str, new: str, key: str) -> None:
    (fault,) = faults_of(write(WHOLE.replace(old, new, 1)))
    assert fault.key == key
    assert fault.line


def test_no_secret_shows_itself(write) -> None:
    settings = load_settings(write(WHOLE), {})
    assert "sesame" not in repr(settings)
    assert "sesame" not in f"{settings.imap.password} {settings.imap.password!r}"
    assert settings.imap.password is not None
    assert settings.imap.password.get_secret_value() == "open sesame"
    path = write(WHOLE.replace('"open sesame"', '"open sesame'))
    assert "sesame" not in str(SettingsError(faults_of(path)))
    path = write(WHOLE.replace('"open sesame"', "[1234]"))
    assert "1234" not in str(SettingsError(faults_of(path)))


def test_lengths_are_by_kind_of_phase_and_the_old_keys_still_count(write) -> None:
    new = WHOLE.replace('movement = "1d 12h"', '[defaults.lengths]\nretreat = "2d"\nbidding = "1h"')
    lengths = load_settings(write(new), {"JUDGE_DEFAULTS__MOVEMENT": "6h"}).defaults.lengths
    assert lengths == {
        "movement": timedelta(hours=6),
        "retreat": timedelta(days=2),
        "adjustment": timedelta(days=1),
        "bidding": timedelta(hours=1),
    }
    environ = {"JUDGE_DEFAULTS__LENGTHS__MOVEMENT": "7h"}
    assert load_settings(write(WHOLE), environ).defaults.lengths["movement"] == timedelta(hours=7)


def test_a_length_that_cannot_work_is_told_where_it_stands(write) -> None:
    old = WHOLE.replace("1d 12h", "0s")
    assert [(each.line, each.key) for each in faults_of(write(old))] == [(19, "defaults.movement")]
    new = WHOLE + '[defaults.lengths]\nretreat = "soon"\nmovement = "2d"\n'
    assert [(each.line, each.key) for each in faults_of(write(new))] == [
        (19, "defaults.movement"),
        (21, "defaults.lengths.retreat"),
    ]


def test_a_fault_reads_as_place_key_gist_and_remedy(write) -> None:
    path = write(WHOLE.replace("port = 587", "port = 0"))
    (fault,) = faults_of(path)
    assert str(fault) == (f"{path}, line 15: smtp.port: 0 cannot be used. Write 1 or more")


def test_the_embedded_judge_takes_its_named_settings_but_not_their_servers(tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    text = '[judge]\nname = "Hall"\ndata = "/else"\n[imap]\nhost = "mail.test"\n'
    file.write_text(f'{text}[defaults]\ngrace = "2h"\n', encoding="utf-8")
    settings = embedded_settings(tmp_path, 1143, 1025, {}, file)
    assert (settings.judge.name, settings.defaults.grace) == ("Hall", timedelta(hours=2))
    assert (settings.judge.data, settings.imap.host) == (tmp_path, "127.0.0.1")


@pytest.mark.parametrize("heading", ["imapp", "Imap", "impa"])
def test_a_misspelt_section_is_one_fault_and_its_keys_are_not_missed(
    tmp_path: Path, heading: str
) -> None:
    file = tmp_path / "judge.toml"
    text = WHOLE.replace("[imap]", f"[{heading}]")
    file.write_text(text, encoding="utf-8")
    assert [fault.remedy for fault in faults_of(file)] == ["Did you mean [imap]?"]


def test_the_embedded_judge_stays_on_loopback(tmp_path: Path) -> None:
    environ = {"JUDGE_DEFAULTS__ALL_IN_DELAY": "0s", "JUDGE_IMAP__HOST": "imap.example.org"}
    settings = embedded_settings(tmp_path, 1143, 1025, environ)
    assert settings.judge.address == "judge@judge.test"
    assert settings.judge.data == tmp_path
    assert (settings.imap.host, settings.imap.port) == ("127.0.0.1", 1143)
    assert (settings.smtp.host, settings.smtp.port) == ("127.0.0.1", 1025)
    assert settings.smtp.tls is SmtpTls.NONE
    assert not settings.imap.tls
    assert settings.defaults.all_in_delay == timedelta(0)
    assert settings.limits.letter_bytes == Settings().limits.letter_bytes
    assert settings.limits.stranger_letters_a_day == 1000


WRONG = (
    *(
        "true",
        "-1",
        "1.5",
        "nan",
        "9" * 23,
        '""',
        '"x"',
        '"a\\nb"',
        "[]",
        "[1]",
        '["x", 1]',
        "[[]]",
    ),
    *("{}", "{a = 1}", "2020-01-01", "10:00:00", '"9999999999d"'),
)


@pytest.mark.parametrize("section", SECTIONS)
def test_whatever_is_wrong_with_a_setting_is_told_in_words_for_keepers(
    tmp_path: Path, section: str
) -> None:
    file = tmp_path / "judge.toml"
    told = set()
    for key in SECTIONS[section]:
        for value in WRONG:
            file.write_text(f"[{section}]\n{key} = {value}\n", encoding="utf-8")
            with contextlib.suppress(SettingsError):
                load_settings(file, {}, for_mail=False)
                continue
            told |= {each.remedy for each in faults_of(file) if each.line}
    assert told
    ways = ("Write ", "Name ", "Move ", "Did you mean ", "There are ")
    assert [one for one in told if not one.startswith(ways) or "{" in one] == []
    assert "Write it as config/judge.toml does" not in told  # which says no more than the file


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("90s", 90),
        ("30m", 1800),
        ("24h", 86400),
        ("3d", 259200),
        ("1d 12h", 129600),
        ("1D12H", 129600),
        ("2w", 1209600),
        ("0", 0),
        ("3660d", 3660 * 86400),
    ],
)
def test_a_duration_is_read(written: str, seconds: int) -> None:
    assert parse_duration(written) == timedelta(seconds=seconds)


@pytest.mark.parametrize("written", ["", "3", "d", "-1d", "1.5h", "12h 1d", "1d 1d", "soon", "٣d"])
def test_what_is_no_duration_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="Write a time"):
        parse_duration(written)


@pytest.mark.parametrize("written", ["367d", "3660d", "3661d", "9999w"])
def test_one_limit_is_told_whatever_is_beyond_it(written: str) -> None:
    environ = {"JUDGE_DEFAULTS__GRACE": written}
    with pytest.raises(SettingsError, match="Write at most 366d"):
        load_settings(None, environ, for_mail=False)
