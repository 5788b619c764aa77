"""Press in letters of common mail programs: nothing beside it goes out, closed or not."""

import email.policy
from email.message import EmailMessage

import pytest

from judge.host.messages.press import PressReceived, PressSent
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import POWERS, Hall, address_of
from .press_marks import sent_text

FRANCE, ENGLAND = address_of("FRANCE"), address_of("ENGLAND")
SECRETS = ("hunter2", "secret-plan", "signature-words")  # none of the words of the press
SIGNATURE = "\n-- \nsignature-words\n+49 170 1234567"


def as_html(text: str) -> str:
    lines = "<br>".join(text.split("\n"))
    return (
        f'<html><body><div dir="ltr">{lines}<p>secret-plan in HTML hunter2</p></div></body></html>'
    )


def letter(text: str, program: str) -> EmailMessage:
    """A letter with the text as a mail program builds it."""
    made = EmailMessage(policy=email.policy.SMTP)
    made["From"], made["Subject"] = f"France <{FRANCE}>", "Re: [Judge] balkan S1901M"
    charset = {"outlook": "iso-8859-1"}.get(program, "utf-8")
    cte = {"apple": "7bit", "gmail": "quoted-printable", "base64": "base64"}.get(program)
    made.set_content(text, charset=charset, cte=cte)
    if program in ("gmail", "outlook", "base64", "apple", "attached"):
        made.add_alternative(as_html(text), subtype="html")
    if program == "attached":
        made.add_attachment("secret-plan\nhunter2\nENDPRESS\n", filename="plan.txt")
    return made


def post(hall: Hall, made: EmailMessage) -> None:
    """The letter as bytes, in the thread of the game."""
    raw = made.as_bytes()
    head, _, body = raw.partition(b"\r\n\r\n")
    wanted = ("content-type", "content-transfer-encoding", "mime-version", "subject")
    fields = {
        name: str(value).replace("\n", " ").replace("\r", "")
        for name, value in made.items()
        if name.lower() in wanted
    }
    assert head
    hall.post(FRANCE, body.decode("latin-1"), reply_to=hall.last(FRANCE), headers=fields)


PROGRAMS = ("gmail", "outlook", "apple", "base64", "attached", "plain")


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("end", ["ENDPRESS", "endpress.", "End Press"])
def test_closed_press_goes_out_alone(hall: Hall, program: str, end: str) -> None:
    hall.start()
    text = f"PRESS TO ENGLAND\nLet us talk.\n{end}\nA PAR - BUR{SIGNATURE}"
    post(hall, letter(text, program))
    assert hall.said(ENGLAND, PressReceived).text == "Let us talk."
    told = sent_text(hall, hall.last(ENGLAND)).split("\n\n", 1)[-1]
    assert not any(secret in told for secret in SECRETS)
    assert [one.text for one in hall.game().order_sets["FRANCE"]] == ["A PAR - BUR"]  # type: ignore[index]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize(
    "below",
    [
        "",
        "\nSIGNON Fbalkan hunter2",
        "\nA PAR - BUR\nsecret-plan",
        SIGNATURE,
        "\n\nOn Tue, 1 Dec 2026 at 13:00, Judge <judge@judge.test> wrote:\nsecret-plan\nENDPRESS",
        "\n\n-----Original Message-----\nFrom: Italy\nSent: Tuesday, 1 December 2026 10:00\n"
        "secret-plan\nENDPRESS\nhunter2",
    ],
)
def test_press_without_its_end_goes_to_nobody(hall: Hall, program: str, below: str) -> None:
    hall.start()
    post(hall, letter(f"PRESS TO ENGLAND\nLet us talk.{below}", program))
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.UNCLOSED_PRESS
    for power in POWERS:
        assert hall.was_told(address_of(power), PressReceived) == []
    assert "hunter2" not in hall.text(hall.last(FRANCE))


@pytest.mark.parametrize(
    ("opening", "end"),
    [
        ("서신 보내기 영국", "서신 끝"),
        ("外交信 英國", "外交信結束"),
        ("書簡 イギリス", "書簡終わり"),
        ("FAKE PRESS TO ENGLAND", "ENDPRESS"),
        ("POSTAL PRESS", "ENDPRESS"),
        ("QUIET PRESS TO ENGLAND", "ENDPRESS"),
    ],
)
def test_the_words_of_every_language_close_press(hall: Hall, opening: str, end: str) -> None:
    hall.start("press: fake")
    text = f"{opening}\nLet us talk.\n> quoted by me\n-- \nnot cut\n{end}{SIGNATURE}"
    post(hall, letter(text, "gmail"))
    assert hall.was_told(FRANCE, PressSent)
    if hall.was_told(ENGLAND, PressReceived):
        assert hall.said(ENGLAND, PressReceived).text.endswith("not cut")
    hall.order("FRANCE", f"{opening}\nsecret-plan\nSIGNON Fbalkan hunter2")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.UNCLOSED_PRESS
    assert not any(
        "secret-plan" in sent_text(hall, row) for row in hall.out if row.recipient != FRANCE
    )
