"""From bytes to a Letter: what kind it is, whose, in what language; and nothing crashes it."""

import hashlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from judge.mail import LetterKind, Verdict
from tests.mail.samples import JUDGE, RECEIVED, letter, read

SECONDS = 2.0  # generous for a busy machine; unbounded reading would take minutes


def test_a_plain_letter_is_read() -> None:
    raw = letter(
        "A PAR - BUR\n",
        Date="Sat, 5 Dec 2026 21:00:00 +0100",
        In_Reply_To="<three@x.test>",
        References="<one@x.test> <two@x.test> <three@x.test>",
        Cc='"Bert, B." <BERT@Example.test>, judge+abc@example.test',
    )
    found = read(raw)
    assert found.sha256 == hashlib.sha256(raw.encode()).hexdigest()
    assert found.received_at == RECEIVED
    assert found.message_id == "one@example.test"
    assert (found.sender, found.sender_name) == ("anna@example.test", "Anna")
    assert found.recipients == (JUDGE, "bert@example.test", "judge+abc@example.test")
    assert found.references == ("three@x.test", "two@x.test", "one@x.test")
    assert found.utc_offset_minutes == 60
    assert found.language == "en"
    assert found.body == "A PAR - BUR"
    assert found.disposition is LetterKind.ANSWER
    assert found.verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("headers", "disposition"),
    [
        ({"From": "The Judge <JUDGE@example.test>"}, LetterKind.LOOP),
        ({"From": "judge+abcdefghijklmnop@example.test"}, LetterKind.LOOP),
        ({"From": "judge@example.test."}, LetterKind.LOOP),
        ({"From": "<Judge+abcdefghijklmnop@EXAMPLE.test.>"}, LetterKind.LOOP),
        ({"X_Judge_Game": "balkan"}, LetterKind.BULK),
        ({"X_Judge_Game": "balkan", "Auto_Submitted": "auto-replied"}, LetterKind.AUTO_REPLY),
        ({"Auto_Submitted": "auto-generated"}, LetterKind.LOOP),
        ({"Auto_Submitted": "auto-replied"}, LetterKind.AUTO_REPLY),
        (
            {"Auto_Submitted": "auto-replied (vacation)", "Return_Path": "<>"},
            LetterKind.AUTO_REPLY,
        ),
        ({"Auto_Submitted": "auto-generated", "Subject": "부재중"}, LetterKind.AUTO_REPLY),
        ({"Auto_Submitted": "No (by hand)"}, LetterKind.ANSWER),
        ({"Subject": "Automatic reply: [judge] balkan"}, LetterKind.AUTO_REPLY),
        ({"Subject": "Out of office next week, orders ahead"}, LetterKind.ANSWER),
        ({"Subject": "Automatic reply: x", "Return_Path": "<>"}, LetterKind.AUTO_REPLY),
        ({"X_Autoreply": "yes"}, LetterKind.AUTO_REPLY),
        ({"Precedence": "bulk"}, LetterKind.BULK),
        ({"Precedence": "Junk"}, LetterKind.BULK),
        ({"Precedence": "auto_reply"}, LetterKind.AUTO_REPLY),
        ({"Precedence": "bulk", "Subject": "Out of office: moves"}, LetterKind.AUTO_REPLY),
        ({"List_Id": "Players <players.example.test>"}, LetterKind.BULK),
        ({"Return_Path": "<>"}, LetterKind.BULK),
        ({"Return_Path": "<anna@example.test>"}, LetterKind.ANSWER),
        ({"From": "MAILER-DAEMON@example.test"}, LetterKind.BOUNCE),
        ({"From": "noreply@example.test"}, LetterKind.AUTO_REPLY),
        ({"From": ""}, LetterKind.UNREADABLE),
        ({"From": "undisclosed"}, LetterKind.UNREADABLE),
    ],
)
def test_letters_that_nobody_wrote_to_us_are_told_apart(
    headers: dict[str, str], disposition: LetterKind
) -> None:
    found = read(letter(**headers))
    assert found.disposition is disposition
    assert bool(found.reason) == (disposition is not LetterKind.ANSWER)


def test_a_letter_of_quotes_alone_is_empty() -> None:
    found = read(letter("> A PAR - BUR\n", In_Reply_To="<one@x.test>"))
    assert found.disposition is LetterKind.EMPTY
    assert found.whole_body.strip() == "> A PAR - BUR"
    assert [(one.kind, one.text.strip()) for one in found.unread] == [("quote", "> A PAR - BUR")]
    assert read(letter("> A PAR - BUR\n", Subject="Re: moves")).disposition is LetterKind.EMPTY


@pytest.mark.parametrize("mark", ["> ", "| ", ">"])
def test_a_letter_that_answers_none_may_be_marked_throughout(mark: str) -> None:
    assert read(letter(f"{mark}A PAR - BUR\n{mark}F BRE - MAO")).body == "A PAR - BUR\nF BRE - MAO"


def test_a_letter_of_which_only_the_beginning_came_is_too_large() -> None:
    raw = letter("A PAR - BUR\n")
    assert read(raw, size_bytes=len(raw)).disposition is LetterKind.ANSWER
    cut = read(raw, size_bytes=10_000_000)
    assert cut.disposition is LetterKind.TOO_LARGE
    assert "10000000" in cut.reason


def report(action: str, recipient: str = "gone@example.test") -> str:
    return (
        "From: Mail System <postmaster@mx.test>\r\nReturn-Path: <>\r\nTo: judge@example.test\r\n"
        "Message-ID: <report@mx.test>\r\nAuto-Submitted: auto-replied\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: {action}\r\nStatus: 5.1.1\r\n"
        "--b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <abcdefghijklmnop@example.test>\r\n"
        "References: <older@x.test>\r\nFrom: judge@example.test\r\n\r\nResults\r\n--b--\r\n"
    )


def test_a_bounce_names_our_letter_and_who_refused_it() -> None:
    found = read(report("failed"))
    assert found.disposition is LetterKind.BOUNCE
    assert found.bounced_message_id == "abcdefghijklmnop@example.test"
    assert found.bounced_recipient == "gone@example.test"


def test_a_delay_is_no_bounce() -> None:
    found = read(report("delayed"))
    assert found.disposition is LetterKind.AUTO_REPLY
    assert found.bounced_recipient is None


def test_a_read_receipt_is_no_bounce() -> None:
    raw = letter("x", Content_Type="multipart/report; report-type=disposition-notification")
    assert read(raw).disposition is LetterKind.AUTO_REPLY


@pytest.mark.parametrize(
    ("body", "headers", "language"),
    [
        ("A PAR - BUR", {}, "en"),
        ("육군, 파리 - 버건디", {}, "ko"),
        ("A PAR - BUR", {"Subject": "이동"}, "ko"),
        ("陸軍 パリ - ブルゴーニュ", {}, "ja"),
        ("陸軍 巴黎 - 勃艮第", {}, "zh_Hant"),
        ("A PAR - BUR", {"Content_Language": "ja"}, "ja"),
        ("A PAR - BUR", {"Accept_Language": "zh-TW, en;q=0.5"}, "zh_Hant"),
        ("A PAR - BUR", {"Content_Type": "text/plain; charset=EUC-KR"}, "ko"),
        ("A PAR - BUR", {"Content_Type": "text/plain; charset=iso-2022-jp"}, "ja"),
        ("JOIN balkan", {"From": "홍길동 <anna@example.test>"}, "ko"),
        ("JOIN balkan", {"From": "さくら <anna@example.test>"}, "ja"),
        ("JOIN balkan", {"From": "陳大文 <anna@example.test>"}, "zh_Hant"),
        ("...", {"Subject": "?"}, None),
    ],
)
def test_the_language_is_guessed(body: str, headers: dict[str, str], language: str | None) -> None:
    assert read(letter(body, **headers)).language == language


def test_kanji_alone_in_a_japanese_charset_is_japanese() -> None:
    head = letter("", Content_Type="text/plain; charset=iso-2022-jp").encode()
    assert read(head + "陸軍".encode("iso2022_jp")).language == "ja"


HEAD = b"From: anna@example.test\r\nSubject: x\r\n"
HTML = HEAD + b"Content-Type: text/html\r\n\r\n"


def nested(count: int) -> bytes:
    openings = (
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (number, number)
        for number in range(count)
    )
    return HEAD + b"".join(openings)


HOSTILE = {
    "nothing": b"",
    "zeros": b"\x00" * 200_000,
    "no end of headers": b"From: anna@example.test",
    "half a message id": b"Message-ID: <[abc\r\nFrom: <[\r\nCc: a@b.test,\r\n\r\nA PAR - BUR",
    "parentheses": b"From: " + b"(" * 40_000 + b"\r\n\r\nA PAR - BUR",
    "commas": b"From: " + b"a," * 20_000 + b"\r\nTo: " + b"a," * 20_000 + b"\r\n\r\nA PAR - BUR",
    "long from": b"From: " + b"a" * 32_000 + b"\r\n\r\nA PAR - BUR",
    "encoded words": HEAD + b"X: y\r\nTo: " + b"=?utf-8?q?a?= " * 2000 + b"\r\n\r\nA PAR - BUR",
    "multiparts 30 deep": nested(30) + b"\r\n" * 100_000,
    "multiparts 1000 deep": nested(1000),
    "letters in letters": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 5000,
    "thirty thousand parts": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    + b"--b\r\n\r\n" * 30_000,
    "open press": HEAD + b"\r\n" + b"PRESS TO F\r\n" * 22_000,
    "lines of spaces": HEAD + b"\r\n" + (b" " * 290 + b"\r\n") * 900,
    "words after spaces": HEAD + b"\r\n" + (b" " * 290 + b"x:\r\n") * 800,
    "signatures": HEAD + b"\r\n" + b"--\r\nx\r\n" * 40_000,
    "headers": HEAD + b"\r\n" + b"From: x\r\n\r\n\r\n\r\n\r\n\r\n" * 18_000,
    "wrote": HEAD + b"\r\n" + b"On 5 x wrote:\r\n" * 17_000,
    "press and introductions": HEAD + b"\r\n" + b"PRESS\r\nOn 5:\r\n" * 17_000 + b"END",
    "dividers": HEAD + b"\r\n" + b"----- a -----\r\n\r\n" * 13_000,
    "labels": HEAD + b"\r\n" + b"a: b@c.de\r\n" * 20_000,
    "labels and dates": HEAD + b"\r\n" + b"a: 3 Dec 2026\r\nb: c\r\n\r\n" * 10_000,
    "colons below quotes": HEAD + b"\r\n" + b"a:\r\n> From: b\r\n" * 12_000,
    "addresses": HEAD + b"\r\n" + b"a@b.cd on 3 Dec 2026 17:01:\r\n" * 8_000,
    "no address": HEAD + b"\r\n" + (b"a." * 140 + b":\r\n") * 900,
    "pieces of base64": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QQ==\r\n" * 40_000,
    "headers that are none": HEAD + b"x\r\n" * 10_000 + b"\r\nA PAR - BUR",
    "rules": HEAD + b"\r\n" + b"__________\r\nFrom: a\r\n" * 11_000,
    "blank lines": HEAD + b"\r\n" + b"\n" * 260_000 + b"x",
    "ten megabytes": HEAD + b"\r\n" + b"A PAR - BUR\r\n" * 800_000,
    "attributions": HEAD + b"\r\n" + b"On 1 Jan\r\n" * 26_000,
    "chinese attributions": HEAD + b"\r\n" + ("於" * 95 + "\r\n").encode() * 900,
    "quotes in parameters": HEAD
    + b'Content-Type: multipart/mixed; a="'
    + b';"' * 12_000
    + b"\r\n\r\nx",
    "alternatives": HEAD
    + b"Content-Type: multipart/alternative; boundary=b\r\n\r\n"
    + b"--b\r\nContent-Type: text/html\r\n\r\n<p>x\r\n" * 6_000,
    "bounce": b"From: mailer-daemon@x.test\r\nContent-Type: multipart/report\r\n\r\n"
    + b"Action:\r\nMessage-ID: \r\n" * 10_000
    + b"Final-Recipient:"
    + b" " * 50_000,
    "html a thousand deep": HTML + b"<div>" * 50_000 + b"x",
    "quotes in quotes": HTML + b"<blockquote>" * 20_000 + b"x",
    "a tag of many attributes": HTML
    + b"<p "
    + b" ".join(b"%dq" % n for n in range(30_000))
    + b">x",
    "attributes": HTML + b"<p class=a style=b id=c>" * 10_000,
    "ends of nothing": HTML + b"<b>" * 5_990 + b"</x>" * 40_000,
    "foreign elements": HTML + b"<svg>" + b"<g>" * 5_900 + b"</x>" * 40_000,
    "ends far above": HTML + b"<b><div>" + b"<i>" * 20_000 + b"</b>" * 20_000,
    "quotes that nobody closes": HTML + b'<p a="' * 40_000,
    "comments that nobody closes": HTML + b"<!--" * 60_000,
    "scripts that nobody closes": HTML + b"<script>" * 30_000,
    "entities": HTML + b"&amp" * 60_000,
    "less than": HTML + b"<" * 250_000,
    "unknown charset": HEAD
    + b"Content-Type: text/plain; charset=x-klingon\r\n\r\n\xff A PAR - BUR",
    "slow charset": HEAD + b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"z9" * 100_000,
    "broken base64": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n!!!!",
    "half a character": HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\n+2AA- A PAR - BUR",
    "raw bytes": b"From: \xc0\xba <anna@example.test>\r\nSubject: \xff\r\n"
    b"Message-ID: <\xff@x>\r\nIn-Reply-To: <\xfe@x>\r\n\r\n\xff",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_letters_are_read_soon_and_never_raise(name: str) -> None:
    begun = time.process_time()
    found = read(HOSTILE[name])
    assert time.process_time() - begun < SECONDS
    assert found.sha256 == hashlib.sha256(HOSTILE[name]).hexdigest()
    assert all(text.encode() is not None for text in (found.body, found.sender, found.subject))
    if HOSTILE[name].startswith(HEAD):
        assert found.sender == "anna@example.test"


def test_broken_headers_cost_neither_the_sender_nor_the_orders() -> None:
    found = read(
        b"Message-ID: <[abc\r\nCc: a@b.test,\r\nDate: yesterday\r\n"
        b"From: anna@example.test\r\n\r\nA PAR - BUR"
    )
    assert (found.sender, found.body, found.message_id) == (
        "anna@example.test",
        "A PAR - BUR",
        None,
    )
    assert found.utc_offset_minutes is None


@settings(max_examples=60, deadline=None)
@given(some.binary(max_size=400), some.binary(max_size=200))
def test_no_bytes_raise(head: bytes, body: bytes) -> None:
    found = read(HEAD + head + b"\r\n\r\n" + body)
    found.body.encode()
    found.subject.encode()
