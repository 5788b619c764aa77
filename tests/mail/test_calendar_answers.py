"""What calendars answer to a deadline is no letter of a player; one with a file attached is."""

import pytest

from judge.mail import LetterKind

from .samples import read

EVENT = (
    "BEGIN:VCALENDAR\r\nMETHOD:{method}\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nBEGIN:VEVENT\r\n"
    "UID:balkan-20261201T120000Z-1\r\nSEQUENCE:0\r\nDTSTAMP:20261201T120000Z\r\n"
    "ATTENDEE;PARTSTAT=ACCEPTED:mailto:anna@example.test\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)
HEAD = (
    "From: Anna <anna@example.test>\r\nTo: judge@example.test\r\nMessage-ID: <one@example.test>\r\n"
    "Subject: {subject}\r\nMIME-Version: 1.0\r\n"
)


def part(text: str, kind: str = 'text/plain; charset="utf-8"', disposition: str = "") -> str:
    shown = f"Content-Disposition: {disposition}\r\n" if disposition else ""
    return f"Content-Type: {kind}\r\n{shown}\r\n{text}\r\n"


def multipart(kind: str, boundary: str, *parts: str) -> str:
    inner = "".join(f"--{boundary}\r\n{one}" for one in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n{inner}--{boundary}--\r\n'


def calendar(method: str, parameter: str = "", disposition: str = "") -> str:
    named = f"; method={parameter}" if parameter else ""
    text = EVENT.format(method=method)
    return part(text, f'text/calendar; charset="utf-8"{named}', disposition)


REPLY = calendar("REPLY", "REPLY")
SAMPLES = {
    "Outlook": multipart("alternative", "o", part(""), part("<html></html>", "text/html"), REPLY),
    "Outlook with a comment": multipart("alternative", "o", part("I shall be there"), REPLY),
    "Google": multipart(
        "mixed",
        "g",
        multipart("alternative", "h", part("Anna has accepted this invitation."), REPLY),
        calendar("REPLY", "", "attachment; filename=invite.ics").replace(
            "text/calendar", "application/ics"
        ),
    ),
    "Apple": multipart(
        "mixed",
        "a",
        part("Anna has accepted your invitation"),
        calendar("REPLY", "REPLY", "attachment; filename=iCal-20261201.ics"),
    ),
    "alone": REPLY,
    "no method in its header": multipart("alternative", "o", part(""), calendar("REPLY")),
    "another time": multipart("alternative", "o", part(""), calendar("COUNTER", "COUNTER")),
}


@pytest.mark.parametrize(
    "subject",
    [
        "Accepted: balkan: orders due (France, Spring 1901 movement)",
        "Tentatively Accepted: balkan: orders due",
        "Declined: balkan: orders due @ Sat Dec 5, 2026 9pm (CET) (anna@example.test)",
        "수락: balkan: 명령 마감",
        "수락됨: balkan: 명령 마감",
        "임시 수락: balkan: 명령 마감",
        "거절: balkan: 명령 마감",
        "已接受: balkan：指令截止",
        "已拒絕: balkan：指令截止",
        "暫定: balkan：指令截止",
        "承諾: balkan：命令の締切",
        "承諾済み: balkan：命令の締切",
        "仮承諾: balkan：命令の締切",
        "辞退: balkan：命令の締切",
    ],
)
@pytest.mark.parametrize("program", SAMPLES)
def test_a_calendars_answer_is_no_letter(program: str, subject: str) -> None:
    found = read(HEAD.format(subject=subject) + SAMPLES[program])
    assert (found.disposition, found.reason) == (LetterKind.CALENDAR, "a calendar's answer")


@pytest.mark.parametrize("name", [one for one in SAMPLES if one != "Apple"])
def test_it_is_none_in_a_language_that_we_do_not_know_either(name: str) -> None:
    found = read(HEAD.format(subject="Akceptirano: balkan") + SAMPLES[name])
    assert found.disposition is LetterKind.CALENDAR


@pytest.mark.parametrize("method", ["PUBLISH", "REQUEST", "REPLY", "CANCEL"])
@pytest.mark.parametrize("disposition", ["attachment; filename=deadline.ics", ""])
def test_orders_beside_a_calendar_file_are_read(method: str, disposition: str) -> None:
    if method == "REPLY" and not disposition:
        return  # that is what a calendar writes
    file = calendar(method, method, disposition)
    raw = HEAD.format(subject="Re: [Judge] balkan S1901M") + multipart(
        "mixed", "m", part("A PAR - BUR\r\nF BRE - MAO"), file
    )
    found = read(raw)
    assert found.disposition is LetterKind.ANSWER
    assert found.body.split("\n") == ["A PAR - BUR", "F BRE - MAO"]


def test_a_subject_alone_makes_no_calendars_answer() -> None:
    found = read(HEAD.format(subject="Accepted: my orders") + part("A PAR - BUR"))
    assert found.disposition is LetterKind.ANSWER
    quoted = part("A PAR - BUR\r\n\r\nContent-Type: text/calendar; method=REPLY\r\n")
    assert read(HEAD.format(subject="Accepted: x") + quoted).disposition is LetterKind.ANSWER
