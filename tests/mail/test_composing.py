"""Letters of ours as bytes: whole, threaded, in every script, and safe from injected headers."""

import os
import random
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage, Message

import pytest
from msgspec.structs import replace

from judge.mail import OutgoingLetter, Picture, compose
from tests.mail.library_composing import compose_by_library
from tests.mail.samples import read

EXAMPLES = min(int(os.environ.get("JUDGE_EXAMPLES", "150")), 5000)  # letters; nightly more
LETTER = OutgoingLetter(
    message_id="abcdefghijklmnop@example.test",
    from_name="The Judge",
    from_address="judge@example.test",
    recipient="anna@example.test",
    reply_to="judge+abcdefghijklmnop@example.test",
    subject="[judge] balkan S1901M results",
    text="A PAR - BUR\n\n.\nFrom here on\n" + "한글 " * 400 + "\n",
    html=None,
    in_reply_to="one@x.test",
    references=("root@example.test", "one@x.test"),
    date=datetime(2026, 12, 5, 20, 0, 1, tzinfo=UTC),
    headers=(("Auto-Submitted", "auto-replied"), ("X-Judge-Game", "balkan")),
)


def parsed(letter: OutgoingLetter) -> EmailMessage:
    message = message_from_bytes(compose(letter), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_letter_comes_back_as_it_was_written() -> None:
    message = parsed(LETTER)
    assert message["From"] == "The Judge <judge@example.test>"
    assert message["To"] == "anna@example.test"
    assert message["Reply-To"] == "The Judge <judge+abcdefghijklmnop@example.test>"
    assert message["Subject"] == LETTER.subject
    assert message["Message-ID"] == "<abcdefghijklmnop@example.test>"
    assert message["In-Reply-To"] == "<one@x.test>"
    assert message["References"] == "<root@example.test> <one@x.test>"
    assert message["Date"].datetime == LETTER.date
    assert message["Auto-Submitted"] == "auto-replied"
    assert message.get_content_type() == "multipart/alternative"
    (plain,) = message.iter_parts()
    assert plain.get_content().splitlines() == LETTER.text.splitlines()


@pytest.mark.parametrize("length", [10, 90, 600])
def test_a_subject_stands_on_one_line(length: int) -> None:
    subject = f"[judge] balkan {'x' * length}"
    assert f"\r\nSubject: {subject}\r\n".encode() in compose(replace(LETTER, subject=subject))


def test_a_subject_outside_ascii_comes_back() -> None:
    subject = "[judge] balkan 명령 접수 완료 " * 8
    assert parsed(replace(LETTER, subject=subject))["Subject"] == subject.strip()


def test_html_comes_second() -> None:
    plain, html = parsed(replace(LETTER, html="<p>한글</p>")).iter_parts()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert html.get_content().strip() == "<p>한글</p>"


def test_the_same_values_give_the_same_bytes() -> None:
    assert compose(LETTER) == compose(replace(LETTER))
    assert compose(LETTER) != compose(replace(LETTER, message_id="another@example.test"))


def test_lines_are_short_ascii_and_end_in_crlf() -> None:
    raw = compose(replace(LETTER, subject="가 " * 200, from_name="심판 " * 30))
    assert raw.isascii()
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998


def test_long_ids_are_not_encoded() -> None:
    long = "a" * 120 + "@" + "b" * 120
    raw = compose(replace(LETTER, in_reply_to=long, references=(long, long + "c")))
    assert b"=?" not in raw.partition(b"\r\n\r\n")[0]
    assert parsed(replace(LETTER, in_reply_to=long))["In-Reply-To"] == f"<{long}>"


def test_ids_of_strangers_that_cannot_be_referred_to_are_left_out() -> None:
    message = parsed(replace(LETTER, in_reply_to="a b", references=("ü@x", "one@x.test")))
    assert message["In-Reply-To"] is None
    assert message["References"] == "<one@x.test>"


@pytest.mark.parametrize("breaking", ["\r\n", "\n", "\r", "\x0b", "\u2028", "\x85"])
def test_nobody_adds_headers_of_his_own(breaking: str) -> None:
    evil = f"x{breaking}Bcc: mallory@evil.test{breaking}{breaking}body"
    message = parsed(
        replace(LETTER, subject=evil, from_name=evil, headers=(("X-Judge-Game", evil),))
    )
    assert message["Bcc"] is None
    assert message["Subject"] == "x Bcc: mallory@evil.test body"
    assert message["X-Judge-Game"] == "x Bcc: mallory@evil.test body"
    assert message["From"].addresses[0].display_name == "x Bcc: mallory@evil.test body"
    (plain,) = message.iter_parts()
    assert plain.get_content().splitlines() == LETTER.text.splitlines()


@pytest.mark.parametrize("field", ["recipient", "from_address", "reply_to"])
@pytest.mark.parametrize("value", ["a@b.test\r\nBcc: c@d.test", "a@b.test, c@d.test", "anna", ""])
def test_a_broken_address_is_refused(field: str, value: str) -> None:
    with pytest.raises(ValueError, match="no address"):
        compose(replace(LETTER, **{field: value}))


@pytest.mark.parametrize("value", ["a b", "a@b\r\nBcc: c@d.test", "<a@b>", ""])
def test_a_broken_id_of_ours_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match="no Message-ID"):
        compose(replace(LETTER, message_id=value))


def test_a_name_with_quotes_stays_a_name() -> None:
    message = parsed(replace(LETTER, from_name='The "Judge" \\ <x@evil.test>'))
    (sender,) = message["From"].addresses
    assert sender.display_name == 'The "Judge" \\ <x@evil.test>'
    assert sender.addr_spec == "judge@example.test"


def test_an_address_outside_ascii_is_sent_as_utf_8() -> None:
    raw = compose(replace(LETTER, recipient="안나@example.test"))
    assert "To: 안나@example.test".encode() in raw


def test_our_own_letter_coming_back_is_a_loop() -> None:
    assert read(compose(LETTER)).disposition == "loop"


NAMES = (
    "The Judge",
    "judge",
    "",
    "USEF",
    "Judge No. 2",
    "심판",
    "O'Brien",
    "J=?x?=",
    "a" * 80,
    'A "B"',
)
LOCALS = ("judge", "anna.berg", "a+b", "o'brien", "x" * 60, "judge_2", "안나", "a..b")
WORDS = (
    "balkan",
    "S1901M",
    "results",
    "한글",
    "=?utf-8?q?x?=",
    "w" * 70,
    "...",
    "<a>",
    "é",
    "From ",
)
LINES = (
    "A PAR - BUR",
    "",
    ".",
    "From here",
    "한글 " * 30,
    "x" * 200,
    "ends in a space ",
    "=3D\tå\x0c",
)


def test_letters_are_those_of_the_standard_library() -> None:
    """Its head byte by byte, its parts as they are read: lines are broken elsewhere. The library
    itself takes fifty times as long."""
    rng = random.Random(1901)
    for number in range(EXAMPLES):

        def address(domain: str = "example.test") -> str:
            return f"{rng.choice(LOCALS)}@{domain}"

        def words(most: int) -> str:
            return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, most)))

        ids = tuple(f"{'y' * rng.randint(1, 90)}{number}@x.test" for _ in range(rng.randint(0, 24)))
        text = "\n".join(rng.choice(LINES) for _ in range(rng.randint(0, 9)))
        letter = OutgoingLetter(
            message_id=f"abcdefghijklmnop{number}@example.test",
            from_name=rng.choice(NAMES),
            from_address=address(),
            recipient=address(rng.choice(("example.test", "x-y.co", "예.test"))),
            reply_to=address(),
            subject=words(rng.choice((3, 40))).replace("=?utf-8?q?x?=", "x"),
            text=text,
            html=rng.choice((None, f"<p>{text}</p>")),
            in_reply_to=rng.choice((None, "a b", *ids)),
            references=ids,
            date=datetime(2026, 12, 1 + number % 28, 20, 0, 1, tzinfo=UTC),
            headers=(("Auto-Submitted", "auto-replied"), ("X-Judge-Game", words(9))),
        )
        raw, expected = compose(letter), compose_by_library(letter)
        assert heads_and_texts(raw) == heads_and_texts(expected), letter
        assert raw.endswith(b"--\r\n")
        assert max(map(len, raw.partition(b"\r\n\r\n")[2].split(b"\r\n"))) <= 76


def heads_and_texts(raw: bytes) -> list[object]:
    """The head of a letter as it stands, and those of its parts with what they hold."""
    parts = [part for part in message_from_bytes(raw).walk() if not part.is_multipart()]
    held = [(part.items(), part.get_payload(decode=True)) for part in parts]
    return [raw.partition(b"\r\n\r\n")[0], *held]


IMAGE = bytes(range(256)) * 9
WITH_PICTURE = replace(LETTER, pictures=(Picture("balkan-S1901M.png", IMAGE, "one@picture"),))


def test_pictures_stand_behind_the_text() -> None:
    message = parsed(WITH_PICTURE)
    assert message.get_content_type() == "multipart/mixed"
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().splitlines() == LETTER.text.splitlines()
    assert_is_picture(list(message.iter_parts())[1])
    assert max(map(len, compose(WITH_PICTURE).split(b"\r\n"))) <= 998


def test_pictures_are_related_to_the_html_that_shows_them() -> None:
    message = parsed(replace(WITH_PICTURE, html='<img src="cid:one@picture">'))
    assert message.get_content_type() == "multipart/alternative"
    plain, related = message.iter_parts()
    assert plain.get_content().splitlines() == LETTER.text.splitlines()
    assert related.get_content_type() == "multipart/related"
    assert related.get_param("type") == "text/html"
    html, picture = related.iter_parts()
    assert html.get_content().strip() == '<img src="cid:one@picture">'
    assert_is_picture(picture)


def assert_is_picture(part: Message) -> None:
    assert isinstance(part, EmailMessage)
    assert part.get_content_type() == "image/png"
    assert part.get_content_disposition() == "inline"
    assert part.get_filename() == "balkan-S1901M.png"
    assert part["Content-ID"] == "<one@picture>"
    assert part.get_content() == IMAGE
