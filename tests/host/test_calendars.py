"""Deadlines as calendar files: which letters bring one, and what a reader's calendar shows then."""

import email
import email.policy
from datetime import datetime, timedelta
from email.message import EmailMessage

import icalendar
import pytest

from judge.host.messages.people import OwnData, Personal, PersonalKind, Profile
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.outgoing import letter_bytes
from judge.render import render_letter
from judge.store import Attachment, Format, LetterState, OutboxRow

from .conftest import POWERS, Hall, address_of

FRANCE, GM = address_of("FRANCE"), "gm@example.test"


def parts(hall: Hall, row: OutboxRow, kind: str) -> list[EmailMessage]:
    with hall.database.transaction() as tx:
        stored = tx.outbox.get(row.token)
    assert stored is not None
    assert stored.raw is not None
    letter = email.message_from_bytes(stored.raw, policy=email.policy.default)
    assert isinstance(letter, EmailMessage)
    return [one for one in letter.walk() if one.get_content_type() == kind]  # type: ignore[misc]


def files(hall: Hall, row: OutboxRow) -> list[bytes]:
    """The calendar files of a letter."""
    found = parts(hall, row, "text/calendar")
    for one in found:
        assert one.get_content_disposition() == "attachment"
        assert one.get_param("method") == "PUBLISH"
        assert one.get_filename("").endswith(".ics")
    return [one.get_payload(decode=True) for one in found]  # type: ignore[misc]


class Calendar:
    """What a calendar program shows to whoever opens every file: the newest of each UID."""

    def __init__(self) -> None:
        self.events: dict[str, icalendar.Event] = {}

    def opens(self, hall: Hall, row: OutboxRow) -> int:
        """How many files the letter had. A lower or equal SEQUENCE than before is a fault."""
        made = files(hall, row)
        for raw in made:
            (event,) = icalendar.Calendar.from_ical(raw).walk("VEVENT")
            known = self.events.get(event["UID"])
            assert known is None or event["SEQUENCE"] > known["SEQUENCE"]
            self.events[event["UID"]] = event
        return len(made)

    def shown(self) -> list[datetime]:
        """When orders are due, as the calendar has it."""
        confirmed = [one for one in self.events.values() if one["STATUS"] == "CONFIRMED"]
        return sorted(one["DTSTART"].dt for one in confirmed)

    def ahead(self, hall: Hall) -> list[datetime]:
        return [at for at in self.shown() if at > hall.instant]


@pytest.fixture
def calendar() -> Calendar:
    return Calendar()


def catch_up(hall: Hall, calendar: Calendar, address: str, seen: int) -> int:
    rows = [row for row in hall.out if row.recipient == address]
    for row in rows[seen:]:
        calendar.opens(hall, row)
    return len(rows)


def deadline(hall: Hall) -> datetime:
    timing = hall.game().timing
    assert timing is not None
    return timing.deadline_at


def test_the_start_sets_the_deadline_and_results_the_next_one(
    hall: Hall, calendar: Calendar
) -> None:
    hall.start("grace: 0")
    (started,) = [one for one in hall.out if one.recipient == FRANCE and one.kind == "start"]
    assert calendar.opens(hall, started) == 1
    assert calendar.shown() == [deadline(hall)]
    hall.open_game()
    assert calendar.opens(hall, hall.last(FRANCE)) == 0  # an answer to orders changes nothing
    hall.run_phase()
    # The deadline has passed: it stays what it was, and the next is another event.
    assert calendar.opens(hall, hall.last(FRANCE)) == 1
    assert len(calendar.events) == 2
    assert calendar.ahead(hall) == [deadline(hall)]


def test_a_phase_that_runs_early_cancels_its_deadline(hall: Hall, calendar: Calendar) -> None:
    hall.start("grace: 0")
    hall.open_game()
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    catch_up(hall, calendar, FRANCE, 0)
    assert calendar.ahead(hall) == [deadline(hall)]
    assert [one["STATUS"] for one in calendar.events.values()] == ["CANCELLED", "CONFIRMED"]


def test_a_calendar_follows_its_game_wherever_the_deadline_goes(
    hall: Hall, calendar: Calendar
) -> None:
    hall.start("grace: 0")
    hall.open_game()
    hall.run_phase()
    seen = catch_up(hall, calendar, FRANCE, 0)
    (first,) = calendar.ahead(hall)
    master = hall.last(GM)

    hall.post(GM, "SET DEADLINE +1d", reply_to=master)
    seen = catch_up(hall, calendar, FRANCE, seen)
    assert calendar.ahead(hall) == [deadline(hall)] == [first + timedelta(days=1)]

    hall.post(GM, "HOLD GAME I am away", reply_to=master)
    seen = catch_up(hall, calendar, FRANCE, seen)
    assert calendar.ahead(hall) == []
    hall.pass_time(timedelta(hours=5))
    hall.post(GM, "RESUME", reply_to=master)
    seen = catch_up(hall, calendar, FRANCE, seen)
    assert calendar.ahead(hall) == [deadline(hall)]
    newest = max(calendar.events.values(), key=lambda one: one["DTSTART"].dt)
    assert newest["SEQUENCE"] == 3  # moved, cancelled, set again

    hall.post(GM, "ROLLBACK S1901M KEEP ORDERS a letter was lost", reply_to=master)
    hall.post(GM, "yes", reply_to=hall.last_answer(GM))
    seen = catch_up(hall, calendar, FRANCE, seen)
    assert calendar.ahead(hall) == [deadline(hall)]
    assert len(calendar.events) == 3

    hall.post(GM, "EJECT FRANCE for abuse", reply_to=hall.last(GM))
    hall.post(GM, "yes", reply_to=hall.last_answer(GM))
    catch_up(hall, calendar, FRANCE, seen)
    assert calendar.ahead(hall) == []


def test_the_end_of_a_game_cancels_its_deadline(hall: Hall, calendar: Calendar) -> None:
    hall.start("grace: 0")
    hall.open_game()
    hall.run_phase()
    for power in POWERS:
        hall.order(power, "DRAW")
    assert hall.game().ending
    catch_up(hall, calendar, FRANCE, 0)
    assert calendar.ahead(hall) == []


def test_who_owes_nothing_gets_no_deadline(hall: Hall) -> None:
    hall.start("grace: 0")
    hall.open_game()
    hall.run_phase()
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    newest = {power: hall.last(address_of(power)) for power in POWERS}
    brought = {
        power
        for power, row in newest.items()
        if any(one.label == "W1901A" and not one.is_cancelled for one in row.calendar)
    }
    told = {power for power, row in newest.items() if "WAIVE" in hall.text(row)}
    assert brought == told
    assert brought != set(POWERS)
    assert not any(row.calendar for row in hall.out if row.recipient == GM)


@pytest.mark.parametrize(
    ("language", "title"),
    [
        ("en", "balkan: orders due (France, Spring 1901 movement)"),
        ("ko", "balkan: 명령 마감 (프랑스, 1901년 봄 이동 단계)"),
        ("zh_Hant", "balkan：指令截止（法國，1901年春季移動階段）"),
        ("ja", "balkan：命令の締切（フランス、1901年春の移動フェイズ）"),
    ],
)
def test_a_file_is_read_by_an_independent_library(hall: Hall, language: str, title: str) -> None:
    hall.start("grace: 0", powers=POWERS[:-1])
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    hall.join(POWERS[-1])
    row = hall.last(FRANCE)
    (raw,) = files(hall, row)
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert max(map(len, raw.split(b"\r\n"))) <= 75
    read = icalendar.Calendar.from_ical(raw)
    assert (read["METHOD"], read["VERSION"]) == ("PUBLISH", "2.0")
    (event,) = read.walk("VEVENT")
    assert event["SUMMARY"] == title
    assert (event["SEQUENCE"], event["STATUS"]) == (0, "CONFIRMED")
    assert event["DTSTART"].dt == deadline(hall)
    assert "DTEND" not in event
    assert event["DTSTAMP"].dt == row.created_at
    (alarm,) = event.walk("VALARM")
    assert timedelta(0) > alarm["TRIGGER"].dt >= timedelta(hours=-3)


def test_a_letter_that_is_rendered_again_is_the_same(hall: Hall) -> None:
    hall.start("grace: 0")
    row = hall.last(FRANCE)
    with hall.database.transaction() as tx:
        stored = tx.outbox.get(row.token)
    assert stored is not None
    assert row.calendar
    rendered = render_letter(
        hall.messages(stored),
        language=stored.language,
        zone=stored.zone,
        judge_name=hall.settings.judge.name,
        kind=stored.kind,
    )
    assert letter_bytes(stored, rendered, hall.settings) == stored.raw


def test_set_format_and_attachments_say_what_letters_bring(hall: Hall) -> None:
    hall.start("grace: 0")
    hall.order("FRANCE", "SET FORMAT PLAIN")
    assert hall.said(FRANCE, Personal).kind is PersonalKind.FORMAT_PLAIN
    hall.order("GERMANY", "SET ATTACHMENTS NONE")
    hall.order("ITALY", "SET ATTACHMENTS map and calendar")
    hall.order("RUSSIA", "SET LANGUAGE ko")
    hall.order("RUSSIA", "첨부 설정 지도, 그래프")
    assert "지도" in hall.text(hall.last(address_of("RUSSIA")))
    hall.order("TURKEY", "SET FORMAT HTML")
    hall.open_game()
    hall.run_phase()
    brought = {power: bool(hall.last(address_of(power)).calendar) for power in POWERS}
    without = ("FRANCE", "GERMANY", "RUSSIA")
    assert brought == {power: power not in without for power in POWERS}
    for row in [one for one in hall.out if one.recipient == FRANCE][-2:]:
        with hall.database.transaction() as tx:
            stored = tx.outbox.get(row.token)
        assert stored is not None
        assert b"\r\nContent-Type: text/plain;" in (stored.raw or b"")
        assert b"multipart" not in (stored.raw or b"").partition(b"\r\n\r\n")[0]
    # What is asked for by name comes.
    hall.order("FRANCE", "MAP")
    assert len(parts(hall, hall.last(FRANCE), "image/png")) == 1
    # Whoever wants it again gets the deadline that runs with the next letter of the game.
    hall.order("FRANCE", "SET FORMAT BOTH")
    hall.order("FRANCE", "A PAR H")
    assert [one.at for one in hall.last(FRANCE).calendar] == [deadline(hall)]


@pytest.mark.parametrize("line", ["WHOIS", "SET", "set."])
def test_a_profile_shows_its_owner_what_letters_bring(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", "SET ATTACHMENTS CALENDAR\nSET PROFILE PUBLIC")
    hall.order("FRANCE", line)
    own = hall.said(FRANCE, Profile)
    assert (own.format, own.attachments) == (Format.BOTH, (Attachment.CALENDAR,))
    text = hall.text(hall.last(FRANCE))
    assert "plain text and HTML" in text
    assert "the deadline for calendars" in text
    hall.order("GERMANY", "WHOIS France")
    assert hall.said(address_of("GERMANY"), Profile).format is None


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("SET ATTACHMENTS NO MAP", ("chart", "calendar")),
        ("SET ATTACHMENTS no map, no chart", ("calendar",)),
        ("SET ATTACHMENTS WITHOUT MAP, CHART, CALENDAR", ()),
        ("첨부 설정 지도 없이", ("chart", "calendar")),
        ("附件設定 不要地圖", ("chart", "calendar")),
        ("添付設定 地図なし", ("chart", "calendar")),
    ],
)
def test_one_attachment_is_left_out(hall: Hall, line: str, left: tuple[str, ...]) -> None:
    hall.start()
    hall.order("FRANCE", line)
    hall.order("FRANCE", "WHOIS")
    assert hall.said(FRANCE, Profile).attachments == left


@pytest.mark.parametrize(
    "line",
    [
        "SET FORMAT PAPER",
        "SET ATTACHMENTS DRAGONS",
        "SET ATTACHMENTS NONE MAP",
        "SET ATTACHMENTS NO DRAGONS",
    ],
)
def test_what_no_letter_can_be_is_refused(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.BAD_COMMAND


def test_a_practice_game_fills_no_calendar(hall: Hall) -> None:
    hall.post("ann@example.test", "PRACTICE", name="Ann")
    hall.post("ann@example.test", "yes", reply_to=hall.last("ann@example.test"), name="Ann")
    assert not any(row.calendar for row in hall.out)


def test_a_calendars_answer_to_a_deadline_is_never_answered(hall: Hall) -> None:
    hall.start("grace: 0")
    file = (
        b"BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nUID:balkan-1\r\nEND:VEVENT\r\n"
        b"END:VCALENDAR\r\n"
    )
    before = len(hall.out)
    fields = {
        "Subject": "Accepted: balkan: orders due",
        "Content-Type": 'text/calendar; charset="utf-8"; method=REPLY',
    }
    state = hall.post(FRANCE, file.decode(), reply_to=hall.last(FRANCE), headers=fields)
    assert state is LetterState.ASIDE
    assert len(hall.out) == before


def test_what_is_kept_names_the_choices_and_who_is_forgotten_has_none(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET FORMAT HTML\nSET ATTACHMENTS MAP")
    hall.order("FRANCE", "MY DATA")
    kept = hall.said(FRANCE, OwnData).text
    assert '"format": "html"' in kept
    assert "map" in kept.partition('"attachments": ')[2].partition("\n")[0]
    hall.order("FRANCE", "FORGET ME")
    hall.post(FRANCE, "yes", reply_to=hall.last_answer(FRANCE))
    with hall.database.transaction() as tx:
        rows = tx.players.run("SELECT format, attachments FROM players WHERE name = 'N. N.'")
        assert [tuple(row) for row in rows] == [("both", '["map","chart","calendar"]')]


def test_a_standby_who_is_asked_has_the_deadline_too(hall: Hall, calendar: Calendar) -> None:
    hall.start("grace: 0")
    cara = "cara@example.test"
    hall.register(cara, "Cara")
    hall.post(cara, "STANDBY balkan", reply_to=hall.last(cara))
    hall.open_game()
    hall.run_phase()
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    hall.run_phase()  # the fall, of which nothing comes from Turkey
    seen = catch_up(hall, calendar, cara, 0)
    assert [one.kind for one in hall.out if one.recipient == cara and one.calendar] == ["standby"]
    assert calendar.ahead(hall) == [deadline(hall)]
    hall.order("TURKEY", "READY")
    catch_up(hall, calendar, cara, seen)


def test_a_deadline_that_has_passed_comes_to_no_calendar(hall: Hall) -> None:
    hall.start("grace: 1d")
    hall.order("FRANCE", "SET ATTACHMENTS NONE")
    hall.open_game()
    hall.run_phase()
    hall.pass_time(deadline(hall) + timedelta(hours=1))  # in grace
    hall.order("FRANCE", "SET ATTACHMENTS ALL")
    hall.order("FRANCE", "A SPA H")
    assert hall.last(FRANCE).calendar == ()


def test_a_game_that_is_unstarted_leaves_no_deadline(hall: Hall, calendar: Calendar) -> None:
    hall.start()
    seen = catch_up(hall, calendar, FRANCE, 0)
    assert calendar.shown() == [deadline(hall)]
    for body in ("UNSTART wrong board", "YES"):
        hall.post(GM, body, reply_to=hall.last(GM))
    seen = catch_up(hall, calendar, FRANCE, seen)
    assert calendar.shown() == []
    hall.instant += timedelta(hours=1)
    for body in ("START balkan", "YES"):
        hall.post(GM, body, reply_to=hall.last(GM))
    catch_up(hall, calendar, FRANCE, seen)
    assert calendar.shown() == [deadline(hall)]
