"""Any letter is read within a second of work and 200 MB, or ends the process that reads it.

500 letters; nightly more: `JUDGE_EXAMPLES=20000 pytest tests/mail/test_guard.py`.
"""

import os
import random
import signal
from collections.abc import Iterator
from hashlib import sha256

import pytest

from judge.mail import Letter, LetterKind, TooCostly, header_block, read_letter, reading
from judge.mail.reading import GuardedReader
from tests.mail.samples import JUDGE, RECEIVED, letter

EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "500"))
SIZE = 262_144  # the default of [limits] letter_bytes
OWN = frozenset({JUDGE})
HEAD = letter("").encode().removesuffix(b"\r\n")
TAGS = b" ".join(b"%dq" % number for number in range(50_000))

# Content below the headers: a header's rest, and a unit that is repeated up to the size.
REPEATED = {
    "fields": (b"", b"REGISTER\nname: a" + b" " * 120_000 + b"b\n"),
    "tabs": (b"", b"CREATE balkan\nname a" + b"\t" * 120_000 + b"b\n"),
    "commands": (b"", b"HELP\n"),
    "press": (b"", b"BROADCAST\nx\nEND\n"),
    "open press": (b"", b"PRESS TO F\n"),
    "blanks": (b"", b" "),
    "marks": (b"", b"> "),
    "labels": (b"", b"From: a@b.cc 2026-12-03\n"),
    "introductions": (b"", b"On 3 Dec 2026 x@y.zz wrote:\n"),
    "dividers": (b"", b"----- a "),
    "signatures": (b"", b"-- \n"),
    "addresses": (b"", b"a@"),
    "dates": (b"", b"12/3/26 "),
    "accents": (b"", "e\u0301".encode()),
    "ligatures": (b"", "\ufdfa".encode()),
    "unlabelled": (b"", b"\xa4\xa2"),
    "attributes": (b"Content-Type: text/html\r\n", b"<p " + TAGS + b">"),
    "end tags": (b"Content-Type: text/html\r\n", b"<b>" * 5_990 + b"</x>" * 59_900),
    "svg": (b"Content-Type: text/html\r\n", b"<svg>" + b"<g>" * 5_900 + b"</x>" * 59_900),
    "nest": (b"Content-Type: text/html\r\n", b"<div>"),
    "quotes": (b"Content-Type: text/html\r\n", b"<blockquote>x"),
    "brackets": (b"Content-Type: text/html\r\n", b"<"),
    "comments": (b"Content-Type: text/html\r\n", b"<!--"),
    "entities": (b"Content-Type: text/html\r\n", b"&#"),
    "headers": (b"X-A: ", b"y\r\nX-A: "),
    "folds": (b"X-A: y", b"\r\n z"),
    "ids": (b"References: ", b"<a@b> "),
    "authors": (b"From: ", b'"(a@b.cc, '),
    "words": (b"Subject: ", b"=?utf-8?q?a?= "),
    "parts": (b"Content-Type: multipart/mixed; boundary=b\r\n", b"--b\r\n\r\nx\r\n"),
    "dashes": (b'Content-Type: multipart/mixed; boundary="---"\r\n', b"-"),
    "base64": (b"Content-Transfer-Encoding: base64\r\n", b"QQ==\r\n"),
    "quoted": (b"Content-Transfer-Encoding: quoted-printable\r\n", b"=\r\n"),
    "uuencode": (b"Content-Transfer-Encoding: uuencode\r\n\r\nbegin 644 x\n", b"#0V%T\n"),
    "flowed": (b"Content-Type: text/plain; format=flowed\r\n", b"a" * 60 + b" \n"),
    "utf-7": (b"Content-Type: text/plain; charset=utf-7\r\n", b"+"),
    "hz": (b"Content-Type: text/plain; charset=hz\r\n", b"~{"),
    "nested": (
        b"Content-Type: multipart/mixed; boundary=b\r\n",
        b"--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
    ),
}


def worst(name: str, size: int = SIZE) -> bytes:
    fields, unit = REPEATED[name]
    is_in_headers = bool(fields) and not fields.endswith(b"\n") and b"begin" not in fields
    head = HEAD + fields + (b"" if is_in_headers else b"\r\n")
    return (head + unit * (size // len(unit) + 1))[:size]


@pytest.fixture(scope="module")
def reader() -> Iterator[GuardedReader]:
    made = GuardedReader()
    yield made
    made.end()


def is_read_or_ended(reader: GuardedReader, raw: bytes) -> Letter | None:
    try:
        found = reader.read(raw, RECEIVED, own_addresses=OWN, own_name="Judge")
    except TooCostly as error:
        if "takes more than" not in str(error):
            raise  # a bug
        return None
    assert found.sha256 == sha256(raw).hexdigest()
    return found


@pytest.mark.parametrize("name", REPEATED)
@pytest.mark.parametrize("size", [SIZE, 2_097_152])
def test_the_worst_letters_are_read_or_end_the_process(
    reader: GuardedReader, name: str, size: int
) -> None:
    is_read_or_ended(reader, worst(name, size))


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (HEAD + b"Auto-Submitted: caf\xe9\r\n\r\nx", LetterKind.LOOP),
        (
            HEAD + b"Content-Type: multipart/report; report-type=caf\xe9\r\n\r\nx",
            LetterKind.AUTO_REPLY,
        ),
        (
            b"From: postmaster@b.test\r\nX-Failed-Recipients: jos\xe9@b.test\r\n\r\nx",
            LetterKind.BOUNCE,
        ),
        (
            HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nA PAR - BUR\r\n"
            b"--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: caf\xe9\r\n\r\nx\r\n--b--\r\n",
            LetterKind.ANSWER,
        ),
    ],
)
def test_bytes_beyond_ascii_in_headers_that_are_told_end_nothing(
    reader: GuardedReader, raw: bytes, kind: LetterKind
) -> None:
    """They could not go through the pipe, and such a letter counted as too costly."""
    assert reader.read(raw, RECEIVED, own_addresses=OWN).disposition is kind


def test_letters_of_any_bytes_are_read_or_end_the_process(reader: GuardedReader) -> None:
    chance = random.Random(7)
    names = list(REPEATED)
    pieces = [piece for pair in REPEATED.values() for piece in pair if 0 < len(piece) < 200]
    read = 0
    for _ in range(EXAMPLES):
        raw = bytearray(worst(chance.choice(names), chance.randrange(200, 6_000)))
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(raw))
            match chance.randrange(5):
                case 0:
                    raw[at] = chance.randrange(256)
                case 1:
                    raw[at:at] = chance.choice(pieces) * chance.randrange(1, 40)
                case 2:
                    del raw[at : at + chance.randrange(1, 300)]
                case 3:
                    raw[at:at] = raw[at : at + 100] * chance.randrange(1, 100)
                case _:
                    raw += chance.randbytes(chance.randrange(1, 300))
        found = is_read_or_ended(reader, bytes(raw[:SIZE]))
        read += found is not None
    assert read > 0.99 * EXAMPLES


def test_a_letter_is_read_as_without_the_guard(reader: GuardedReader) -> None:
    ours = letter("Your orders stand here, and nobody else sees them.").encode()
    raw = letter("A PAR - BUR", In_Reply_To="<abcdefghijklmnopqrstuvwx@example.test>").encode()
    told: list[tuple[str, ...]] = []

    def sent(tokens: tuple[str, ...]) -> list[bytes]:
        told.append(tokens)
        return [ours]

    options = {"own_addresses": OWN, "own_name": "Judge", "trusted_authserv": "mx.test"}
    found = reader.read(raw, RECEIVED, sent=sent, **options)  # type: ignore[arg-type]
    assert found == read_letter(raw, RECEIVED, sent=sent, **options)  # type: ignore[arg-type]
    assert told == [("abcdefghijklmnopqrstuvwx",)] * 2
    large = raw + b" " * 3_000_000
    assert reader.read(large, RECEIVED, own_addresses=OWN) == read_letter(
        large, RECEIVED, own_addresses=OWN
    )


# What a bug would do, in place of the reading.
BUGS = {
    "while True: pass": "more than 1 s",
    "re.match('(a+)+b', 'a' * 99)": "more than 1 s",
    "[bytes(2 ** 24) for _ in range(99)]": "more than 200 MB",
    "1 / 0": "ZeroDivisionError",
    "os.abort()": f"{-signal.SIGABRT}",
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_letter_that_costs_too_much_ends_its_process_and_no_other(
    monkeypatch: pytest.MonkeyPatch, bug: str
) -> None:
    program = (
        "import os, re, sys; sys.path[:] = {path!r}; from judge.mail import reading\n"
        "def read(raw, *arguments, **named):\n"
        f"    if b'BUG' in raw:\n        {bug}\n"
        "    return whole(raw, *arguments, **named)\n"
        "whole, reading.read_letter = reading.read_letter, read\n"
        "reading.run_child()"
    )
    monkeypatch.setattr(reading, "PROGRAM", program)
    guarded = GuardedReader()
    try:
        raw = letter("BUG").encode()
        with pytest.raises(TooCostly, match=BUGS[bug]):
            guarded.read(raw, RECEIVED, own_addresses=OWN)
        headers = guarded.read(header_block(raw), RECEIVED, own_addresses=OWN)
        assert (headers.sender, headers.disposition) == ("anna@example.test", LetterKind.EMPTY)
        assert guarded.read(b"", RECEIVED, own_addresses=OWN).sender == ""
    finally:
        guarded.end()
