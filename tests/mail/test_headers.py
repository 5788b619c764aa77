"""The sender, ids and offsets out of headers that anybody may have written."""

import base64

import pytest

from tests.mail.samples import letter, read


@pytest.mark.parametrize(
    ("written", "sender", "name"),
    [
        ("anna@example.test", "anna@example.test", ""),
        ("<Anna@Example.TEST>", "anna@example.test", ""),
        ("Anna Berg <anna@example.test>", "anna@example.test", "Anna Berg"),
        ('"Berg, Anna" <anna@example.test>', "anna@example.test", "Berg, Anna"),
        ('"Anna \\"A\\" Berg" <anna@example.test>', "anna@example.test", 'Anna "A" Berg'),
        ("anna@example.test (Anna Berg)", "anna@example.test", "Anna Berg"),
        ("=?utf-8?b?7JWI64KY?= <anna@example.test>", "anna@example.test", "안나"),
        ("=?EUC-KR?B?vsizqg==?= <anna@example.test>", "anna@example.test", "안나"),
        ("=?x-klingon?q?Anna?= <anna@example.test>", "anna@example.test", "Anna"),
        ('"a..b"@docomo.test', "a..b@docomo.test", ""),
        ("=?utf-8?b?a?= <anna@example.test>", "anna@example.test", "a"),
        ("o'brien+d@sub.example.test", "o'brien+d@sub.example.test", ""),
    ],
)
def test_the_writer_is_found(written: str, sender: str, name: str) -> None:
    found = read(letter(From=written))
    assert (found.sender, found.sender_name) == (sender, name)


@pytest.mark.parametrize(
    "written",
    [
        '"<anna@example.test>" <mallory@evil.test>',
        "(<anna@example.test>) mallory@evil.test",
        "=?utf-8?q?=3Canna=40example.test=3E?= <mallory@evil.test>",
        "=?utf-8?q?anna=40example.test?= <mallory@evil.test>",
    ],
)
def test_a_name_that_looks_like_an_address_is_no_sender(written: str) -> None:
    assert read(letter(From=written)).sender == "mallory@evil.test"


def test_a_raw_eight_bit_name_is_mended() -> None:
    raw = letter(From="안나 <anna@example.test>", Subject="이동").encode()
    found = read(raw)
    assert (found.sender_name, found.subject) == ("안나", "이동")


def test_a_folded_encoded_subject_is_one_line() -> None:
    found = read(letter(Subject="=?utf-8?b?7J20?=\r\n =?utf-8?b?64+Z?= now"))
    assert found.subject == "이동 now"


def test_of_a_long_thread_the_newest_letters_are_kept() -> None:
    thread = "\r\n ".join(f"<{number:04}{'x' * 60}@x.test>" for number in range(300))
    found = read(letter(References=thread))
    assert found.references[0].startswith("0299")
    assert len(found.references) == 50


def test_a_letter_cut_between_two_encoded_words_is_whole() -> None:
    raw = "이동".encode()
    words = [base64.b64encode(piece).decode() for piece in (raw[:4], raw[4:])]
    first, second = (f"=?UTF-8?B?{word}?=" for word in words)
    assert read(letter(Subject=f"{first}\r\n {second}")).subject == "이동"


def test_ids_without_brackets_are_read() -> None:
    found = read(letter(Message_ID="one@x.test", In_Reply_To="two@x.test"))
    assert (found.message_id, found.references) == ("one@x.test", ("two@x.test",))


def test_bytes_in_a_header_are_read_in_the_charset_of_the_letter() -> None:
    head = letter("", Subject="", Content_Type="text/plain; charset=euc-kr").encode()
    raw = b"Subject: " + "이동".encode("cp949") + b"\r\n" + head
    assert read(raw).subject == "이동"


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("Sat, 5 Dec 2026 21:00:00 +0900", 540),
        ("Sat, 5 Dec 2026 21:00:00 -0330", -210),
        ("5 Dec 2026 21:00 GMT", 0),
        ("Sat, 5 Dec 2026 21:00:00 -0000", None),
        ("Sat, 5 Dec 2026 21:00:00 +9999999", None),
        ("soon", None),
        ("", None),
    ],
)
def test_the_offset_of_the_date_is_read(written: str, minutes: int | None) -> None:
    assert read(letter(Date=written)).utc_offset_minutes == minutes
