"""`judge check` on a mail server of our own, and on servers with a fault."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.check import REMEDIES, check
from judge.cli import main
from judge.config import load_settings
from judge.mail import ImapAccount, ImapInbox
from judge.mail.embedded import EmbeddedServer
from tests.mail.faulty_imap import DATE, OK, Answer, faulty_imap
from tests.mail.test_delivery import postman

JUDGE = "judge@judge.test"


def environ_of(folder: Path, imap_port: int, smtp_port: int, **more: str) -> dict[str, str]:
    return {
        "JUDGE_JUDGE__ADDRESS": JUDGE,
        "JUDGE_JUDGE__DATA": str(folder),
        "JUDGE_IMAP__HOST": "127.0.0.1",
        "JUDGE_IMAP__PORT": str(imap_port),
        "JUDGE_IMAP__TLS": "false",
        "JUDGE_IMAP__USER": JUDGE,
        "JUDGE_IMAP__PASSWORD": "any",
        "JUDGE_SMTP__HOST": "127.0.0.1",
        "JUDGE_SMTP__PORT": str(smtp_port),
        "JUDGE_SMTP__TLS": "none",
        **more,
    }


async def checked(environ: dict[str, str]) -> int:
    settings = load_settings(None, environ)
    return await asyncio.to_thread(check, settings)


def test_all_is_well_and_the_letter_of_the_check_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def go() -> None:
        server = EmbeddedServer()
        await server.start()
        account = ImapAccount("127.0.0.1", server.imap_port, JUDGE, "any", tls=False)
        try:
            assert await checked(environ_of(tmp_path, server.imap_port, server.smtp_port)) == 0
            for folder in ("INBOX", "Processed"):
                inbox = ImapInbox(
                    ImapAccount(**{**_fields(account), "folder": folder, "processed_folder": "X"})
                )
                await inbox.open()
                assert await inbox.new_letters(0) == ()
                await inbox.close()
        finally:
            await server.stop()

    asyncio.run(go())
    said = capsys.readouterr().out
    assert said.count("ok    ") == 3, said
    assert list(tmp_path.iterdir()) == [], "a check makes no judge"


def _fields(account: ImapAccount) -> dict[str, object]:
    return {name: getattr(account, name) for name in account.__struct_fields__}


def check_with(
    folder: Path,
    imap: dict[str, Answer],
    smtp: dict[bytes, bytes] | None = None,
    capabilities: str = "IDLE MOVE UIDPLUS",
) -> int:
    async def go() -> int:
        faults = {b"RSET": b"250 ok", **(smtp or {})}
        async with faulty_imap(imap, capabilities) as there, postman(faults) as out:
            return await checked(environ_of(folder, there.port, out[1]))

    return asyncio.run(go())


def test_a_folder_that_takes_no_letter_is_said_and_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetched = b"* 1 FETCH (UID 7 INTERNALDATE @)\r\n" + OK
    refused: dict[str, Answer] = {"UID MOVE": b"{tag} NO [OVERQUOTA] full\r\n", "LIST": OK}
    assert check_with(tmp_path, {"UID FETCH": _now(fetched), **refused}) == 0
    said = capsys.readouterr().out
    assert "warn  IMAP: letters stay in INBOX" in said
    assert "[OVERQUOTA] full" in said


def _now(answer: bytes) -> bytes:
    return answer.replace(b"@", datetime.now(UTC).strftime('"%d-%b-%Y %H:%M:%S +0000"').encode())


def test_a_clock_that_differs_from_the_mail_servers_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check_with(tmp_path, {"UID FETCH": b"* 1 FETCH (UID 7 " + DATE + b")\r\n" + OK}) == 1
    said = capsys.readouterr().out
    assert "clock is" in said
    assert "timedatectl" in said


@pytest.mark.parametrize(
    ("fault", "wanted"),
    [
        ({b"RCPT": b"550 5.7.0 log in first"}, "[smtp] user"),
        ({b"MAIL": b"530 5.7.0 must authenticate"}, "[smtp] user"),
        ({b"RCPT": b"550 5.1.1 unknown"}, "[judge] address"),
    ],
)
def test_a_server_that_refuses_our_own_address_fails(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    fault: dict[bytes, bytes],
    wanted: str,
) -> None:
    fetched = _now(b"* 1 FETCH (UID 7 INTERNALDATE @)\r\n") + OK
    assert check_with(tmp_path, {"UID FETCH": fetched}, fault) == 1
    said = capsys.readouterr().out
    assert "FAIL  SMTP" in said
    assert wanted in said


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("JUDGE_DEFAULTS__RULES", "2001", "defaults.rules"),
        ("JUDGE_DEFAULTS__VARIANT", "moon", "defaults.variant"),
        ("JUDGE_JUDGE__LANGUAGES", "de", 'no sentences in "de"'),
        ("JUDGE_JUDGE__ADDRESS", "judge@judge.test.", "judge.address"),
        ("JUDGE_JUDGE__ADDRESS", "jüdge@judge.test", "judge.address"),
        ("JUDGE_IMAP__CA_FILE", __file__, "imap.ca_file"),
    ],
)
def test_what_serve_refuses_check_refuses(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    variable: str,
    value: str,
    said: str,
) -> None:
    for name, given in {**environ_of(tmp_path, 1, 1), variable: value}.items():
        monkeypatch.setenv(name, given)
    for command in ("check", "serve"):
        assert main([command]) == 2
        assert said in capsys.readouterr().err


def test_a_broken_data_folder_fails_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "secret").write_text("x" * 64)
    fetched = _now(b"* 1 FETCH (UID 7 INTERNALDATE @)\r\n") + OK
    assert check_with(tmp_path, {"UID FETCH": fetched}) == 1
    said = capsys.readouterr().out
    assert said.count("FAIL") == 1
    assert "FAIL  database" in said
    assert "must be a folder" not in said, "the folder is not what is wrong"


@pytest.mark.parametrize(
    ("command", "said"),
    [("true", "printed no token"), ("echo oops >&2; exit 3", "ended with 3: oops")],
)
def test_a_token_command_that_fails_says_what_it_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, said: str
) -> None:
    async def go() -> int:
        async with faulty_imap() as imap:
            environ = environ_of(tmp_path, imap.port, 1)
            del environ["JUDGE_IMAP__PASSWORD"]
            return await checked({**environ, "JUDGE_IMAP__TOKEN_COMMAND": command})

    assert asyncio.run(go()) == 1
    out = capsys.readouterr().out
    assert said in out
    assert "token_command as the judge's user" in out


@pytest.mark.parametrize(
    ("fault", "named"),
    [
        ("IMAP SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] x", "ca_file"),
        ("IMAP TimeoutError: no answer in time", "993"),
        ("IMAP LOGIN: NO wrong password", "password"),
        ("IMAP ConnectionRefusedError: x", "host, port and tls"),
    ],
)
def test_a_remedy_fits_its_fault(fault: str, named: str) -> None:
    words = next(text for words, text in REMEDIES if any(one in fault.upper() for one in words))
    assert named in words
