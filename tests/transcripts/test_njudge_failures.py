"""What njudge 1.7.6 got wrong when it was driven with letters, and how ours does better."""

import base64
import quopri
from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime

import pytest

from judge.host.messages.game_events import Results
from judge.store import LetterState
from tests.host.conftest import JUDGE, OPENINGS, POWERS, Hall, address_of

FRANCE, ENGLAND, MASTER = address_of("FRANCE"), address_of("ENGLAND"), "gm@example.test"


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    made.start()
    made.order("FRANCE", "SET PASSWORD frogs")
    yield made
    made.database.close()


def mime(hall: Hall, content_type: str, body: str, encoding: str = "8bit", **more: str) -> bytes:
    """A letter of France's player as a mail program writes it."""
    fields = {
        "From": f"Jean <{FRANCE}>",
        "To": JUDGE,
        "Subject": "Orders",
        "Date": format_datetime(hall.instant),
        "Message-ID": "<mime@example.test>",
        "MIME-Version": "1.0",
        "Content-Type": content_type,
        "Content-Transfer-Encoding": encoding,
        **{name.replace("_", "-"): value for name, value in more.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{head}\r\n{body}".replace("\r\n", "\n").replace("\n", "\r\n").encode()


def alternative(text: str) -> str:
    """The two forms of a letter that most programs send."""
    lines = "".join(f"<div>{line}</div>" for line in text.splitlines())
    html = f"<html><body>{lines}</body></html>"
    return (
        f"--frontier\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
        f"--frontier\nContent-Type: text/html; charset=utf-8\n\n{html}\n--frontier--\n"
    )


ALTERNATIVE = 'multipart/alternative; boundary="frontier"'


def stored(hall: Hall, power: str = "FRANCE") -> set[str]:
    sets = hall.game().order_sets
    return {line.text for seat, lines in sets.items() if seat == power for line in lines}


def test_press_without_endpress_takes_no_other_part_with_it(hall: Hall) -> None:
    text = "SIGNON Fbalkan frogs\nPRESS TO ENGLAND\nShall we take Belgium?"
    hall.take(mime(hall, ALTERNATIVE, alternative(text)))
    assert "ENDPRESS is missing" in hall.text(hall.last(FRANCE))
    hall.take(mime(hall, ALTERNATIVE, alternative(f"{text}\nENDPRESS\nA PAR H")))
    read = hall.text(hall.last(ENGLAND))
    assert "Shall we take Belgium?" in read
    for leaked in ("frogs", "SIGNON", "A PAR H", "<div>", "frontier", "Content-Type"):
        assert leaked not in read


def test_orders_in_two_forms_are_complete_and_without_a_fault(hall: Hall) -> None:
    hall.take(mime(hall, ALTERNATIVE, alternative(f"SIGNON Fbalkan frogs\n{OPENINGS['FRANCE']}")))
    assert stored(hall) == set(OPENINGS["FRANCE"].splitlines())
    assert "Orders complete: 3 of 3." in hall.text(hall.last(FRANCE))
    hall.order("FRANCE", "A PAR - MOS")
    assert stored(hall) == set(OPENINGS["FRANCE"].splitlines())
    assert "Paris" in hall.text(hall.last(FRANCE))


@pytest.mark.parametrize("encoding", ["base64", "quoted-printable"])
def test_encoded_bodies_are_read(hall: Hall, encoding: str) -> None:
    text = f"SIGNON Fbalkan frogs\n{OPENINGS['FRANCE']}\n".encode()
    body = base64.encodebytes(text) if encoding == "base64" else quopri.encodestring(text)
    plain = "text/plain; charset=utf-8"
    hall.take(mime(hall, plain, body.decode("ascii"), encoding))
    assert stored(hall) == set(OPENINGS["FRANCE"].splitlines())


def test_what_is_quoted_is_neither_order_nor_fault(hall: Hall) -> None:
    quoted = "> A MAR - PIE\n> F BRE - ENG"
    hall.order("FRANCE", f"{OPENINGS['FRANCE']}\n\nOn Tuesday the judge wrote:\n{quoted}")
    assert stored(hall) == set(OPENINGS["FRANCE"].splitlines())
    assert "Not read" not in hall.text(hall.last(FRANCE))


def test_press_keeps_every_letter(hall: Hall) -> None:
    said = "Café — après-midi, Łódź, 러시아, 北海, ロシア"
    hall.order("FRANCE", f"PRESS TO ENGLAND\n{said}\nENDPRESS")
    assert said in hall.text(hall.last(ENGLAND))


def test_an_automatic_reply_is_not_answered(hall: Hall) -> None:
    before = len(hall.out)
    plain = "text/plain; charset=utf-8"
    away = mime(hall, plain, "I am away until Monday.", Auto_Submitted="auto-replied")
    assert hall.take(away) is LetterState.ASIDE
    assert len(hall.out) == before


def test_answers_go_to_the_player_and_never_to_a_reply_to(hall: Hall) -> None:
    letter = mime(hall, "text/plain", "SIGNON Fbalkan frogs\nA PAR H", Reply_To="thief@else.test")
    hall.take(letter.replace(FRANCE.encode(), b"somebody@else.test"))
    assert stored(hall) == {"A PAR H"}
    assert "A PAR H" in hall.text(hall.last(FRANCE))
    assert not [row for row in hall.out if row.recipient == "thief@else.test"]


def test_an_order_for_a_foreign_unit_is_told_as_what_it_is(hall: Hall) -> None:
    hall.order("FRANCE", "A WAR - GAL\nA PAR - BUR")
    read = hall.text(hall.last(FRANCE))
    assert "Russia" in read
    assert "proxy" not in read
    assert stored(hall) == {"A PAR - BUR"}


def test_the_master_who_runs_a_phase_is_told_the_next_and_nobodys_orders(hall: Hall) -> None:
    hall.order("FRANCE", "A PAR - BUR")
    hall.post(MASTER, "PROCESS S1901M", reply_to=hall.last(MASTER))
    assert "A PAR - BUR" not in hall.text(hall.last_answer(MASTER))
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    assert hall.game().phase.label == "F1901M"  # type: ignore[union-attr]
    assert "The phase has run" in hall.text(hall.last_answer(MASTER))
    assert "Fall 1901" in hall.text(hall.last(MASTER))


def test_results_show_the_new_deadline_alone(hall: Hall) -> None:
    hall.open_game()
    old = hall.game().timing.deadline_at  # type: ignore[union-attr]
    hall.run_phase()
    new = hall.game().timing.deadline_at  # type: ignore[union-attr]
    told = hall.said(FRANCE, Results)
    assert told.due is not None
    assert told.due.at == new
    assert f"{old:%-d %b %Y}" not in hall.text(hall.last(FRANCE)) or old.date() == new.date()


def test_a_vote_for_a_draw_says_who_must_agree_and_until_when(hall: Hall) -> None:
    hall.order("FRANCE", "SET DRAW")
    read = hall.text(hall.last(FRANCE))
    assert "draw" in read
    assert any(word in read for word in ("all", "everybody", "every"))
    assert any(word in read for word in ("lapse", "this phase", "until"))


def test_a_rollback_says_where_everything_stands_and_what_to_send(hall: Hall) -> None:
    hall.open_game()
    hall.run_phase()
    hall.post(MASTER, "ROLLBACK S1901M CLEAR ORDERS wrong map", reply_to=hall.last(MASTER))
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    read = hall.text(hall.last(FRANCE))
    for said in ("wrong map", "Paris", "Due:", "Send your orders again"):
        assert said in read


@pytest.mark.parametrize("line", ["A PAR - NARNIA", "A XYZ - BUR", "A PAR flies to BUR"])
def test_a_faulty_order_for_a_later_phase_is_told_at_once(hall: Hall, line: str) -> None:
    hall.order("FRANCE", f"{OPENINGS['FRANCE']}\nPHASE F1901M\n{line}")
    read = hall.text(hall.last(FRANCE))
    assert line in read
    assert stored(hall) == set(OPENINGS["FRANCE"].splitlines())


def test_a_convoy_needs_no_path_and_a_foreign_unit_may_be_named(hall: Hall) -> None:
    hall.open_game()
    hall.run_phase()
    hall.order("ITALY", "A Apu-Tun\nF Ion C A Apu-Tun\nA Ven S French A Spa-Mar")
    assert {"A APU - TUN", "F ION C A APU - TUN"} <= stored(hall, "ITALY")
    assert "unrecognized" not in hall.text(hall.last(address_of("ITALY"))).lower()


def test_a_game_of_seven_fills_with_one_letter_a_person_not_forty() -> None:
    hall = Hall()
    hall.create()
    begun = len(hall.out)
    for power in POWERS:
        hall.join(power)
    hall.pass_time(timedelta(hours=1))
    notices = [row for row in hall.out[begun:] if row.kind != "answer"]
    hall.database.close()
    assert len(notices) <= 2 * (len(POWERS) + 1)
