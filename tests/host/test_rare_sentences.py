"""Sentences that are said in few places, each in the letter that says it.

`--said` (tests/conftest.py) fails where no test has said a sentence of the catalogue.
"""

from collections.abc import Iterable

import pytest

from .conftest import POWERS, Hall, address_of
from .test_result_maps import PATIENCE, HandPool

ANN = "ann@example.test"
MASTER = "gm@example.test"
FRANCE = address_of("FRANCE")


def read(hall: Hall, address: str) -> str:
    """The newest letter to an address, its line breaks as spaces."""
    return " ".join(hall.text(hall.last(address)).split())


def has_read(hall: Hall, address: str, sentence: str) -> bool:
    rows = [row for row in hall.out if row.recipient == address]
    return any(sentence in " ".join(hall.text(row).split()) for row in rows)


@pytest.mark.parametrize(
    ("setting", "examples"),
    [
        ("not on: whenever", ("Sat Sun", "weekends")),
        ("days: whenever", ("Mon Wed Fri",)),
        ("holidays: whenever", ("24 Dec - 2 Jan",)),
        ("movement: whenever", ("every Mon Wed Fri 20:00 Europe/London", "72h not on Sat Sun")),
    ],
)
def test_a_schedule_that_is_not_read_is_shown_by_examples(
    hall: Hall, setting: str, examples: Iterable[str]
) -> None:
    hall.post(MASTER, f"CREATE balkan\n{setting}", name="Grace Master")
    told = read(hall, MASTER)
    assert [one for one in examples if one not in told] == []


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        (
            "masters: a@b.test, c@d.test, e@f.test, g@h.test, i@j.test, k@l.test, m@n.test, "
            "o@p.test, q@r.test, s@t.test",
            "Name fewer.",
        ),
        ("comment: " + "long " * 200, "Shorten it."),
        ("scoring: draw size", "shared equally by the winners"),
        ("days: -MTWTFs", "on Sat in the afternoon alone"),
        ("movement: every day 20:00 London", "every day; at 20:00, London"),
        ("concessions: no\ndraws: any", "a draw of all, or of some of them"),
        ("draws: none", "a concession to one power"),
    ],
)
def test_a_setting_is_told_in_words(hall: Hall, setting: str, sentence: str) -> None:
    hall.post(MASTER, f"CREATE balkan\n{setting}", name="Grace Master")
    assert sentence in read(hall, MASTER)


def test_who_blocks_nobody_reads_how_to(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    hall.post(ANN, "BLOCK", reply_to=hall.last(ANN))
    assert "BLOCK and a player's name, or a seat as FRANCE@balkan," in read(hall, ANN)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("F BRE - BAL", "It cannot get there from where it is."),
        ("F Bresst - MAO", "You have a fleet in Brest (BRE)."),
        ("SAY 10 ENGLAND", "Shall we be allies against a third power?"),
    ],
)
def test_a_line_of_a_player(hall: Hall, line: str, sentence: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    assert sentence in read(hall, FRANCE)


def test_an_archive_number_is_taken_back(hall: Hall) -> None:
    hall.start()
    hall.post(MASTER, "ARCHIVE NUMBER 2026A", reply_to=hall.last(MASTER))
    hall.post(MASTER, "ARCHIVE NUMBER", reply_to=hall.last(MASTER))
    assert "The game has no archive number any more." in read(hall, MASTER)


def test_a_draft_stands_in_its_masters_list_and_status(hall: Hall) -> None:
    hall.register(MASTER, "Grace Master")
    hall.post(MASTER, "CREATE balkan", reply_to=hall.last(MASTER))
    hall.post(MASTER, "LIST MINE", reply_to=hall.last(MASTER))
    assert "a draft, seen by you alone" in read(hall, MASTER)
    hall.post(MASTER, "STATUS balkan", reply_to=hall.last(MASTER))
    assert "The game is a draft, seen by you alone." in read(hall, MASTER)


def test_a_statement_is_taken_back(hall: Hall) -> None:
    hall.start("statements: 3d")
    hall.post(MASTER, "TERMINATE balkan", reply_to=hall.last(MASTER))
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    hall.order("FRANCE", "STATEMENT\nIt was fun.\nENDSTATEMENT")
    hall.order("FRANCE", "STATEMENT\nENDSTATEMENT")
    assert "You have no statement any more." in read(hall, FRANCE)


def test_a_votes_no_is_shown(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "PROPOSE PAUSE 3d")
    hall.order("ENGLAND", "VOTE NO 1")
    hall.order("ENGLAND", "VOTES")
    assert "You vote no." in read(hall, address_of("ENGLAND"))


@pytest.mark.parametrize("state", ["forming", "running"])
def test_no_seat_is_open_where_a_player_without_one_is_put_out(hall: Hall, state: str) -> None:
    hall.register(ANN, "Ann")
    if state == "forming":
        hall.create()
        hall.post(ANN, "JOIN balkan", reply_to=hall.last(ANN))
    else:
        hall.start()
        hall.post(ANN, "OBSERVE balkan", reply_to=hall.last(ANN))
    hall.post(MASTER, "EJECT Ann", reply_to=hall.last(MASTER))
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert "Ann does not take part in balkan any more." in read(hall, MASTER)
    assert "seat" not in read(hall, MASTER)


def test_who_has_lost_a_seat_reads_how_to_take_it_again(hall: Hall) -> None:
    hall.start("grace: 0\nmissing: vacant")
    hall.open_game()
    hall.run_phase()
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "READY")
    hall.run_phase()
    hall.order("FRANCE", "STATUS")
    told = "Your seat is vacant. As long as it is, a reply with orders takes it again."
    assert told in read(hall, FRANCE)


def test_who_is_out_of_the_game_stands_so_in_its_status(hall: Hall) -> None:
    hall.start()
    edit = "\n".join(f"Italy: remove {unit}" for unit in ("A Ven", "A Rom", "F Nap"))
    edit += "\n" + "\n".join(f"center {place}: France" for place in ("Ven", "Rom", "Nap"))
    hall.post(MASTER, f"EDIT to see\n{edit}\nEND EDIT", reply_to=hall.last(MASTER))
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    hall.order("FRANCE", "STATUS")
    assert "Italy: Italy, out of the game" in read(hall, FRANCE)


@pytest.mark.parametrize(("more", "told"), [(1, "and 1 line more."), (2, "and 2 lines more.")])
def test_of_many_lines_that_are_not_read_the_rest_is_counted(
    hall: Hall, more: int, told: str
) -> None:
    hall.start()
    story = "\n".join(f"The weather was fine on day {n} of our trip." for n in range(20 + more))
    hall.order("FRANCE", f"A PAR - BUR\n{story}")
    assert told in read(hall, FRANCE)


@pytest.mark.parametrize(
    ("line", "told"),
    [("MAP balkan", "MAP balkan brings it."), ("GET map colonial", "GET map colonial brings it.")],
)
def test_a_map_that_is_not_drawn_in_time_comes_when_it_is_asked_for(line: str, told: str) -> None:
    hall = Hall(pool=HandPool())
    hall.start()
    hall.order("FRANCE", line)
    hall.instant += PATIENCE
    hall._collect()
    assert f"The map was not ready in time. {told}" in read(hall, FRANCE)
    hall.database.close()


def test_who_has_nothing_to_build_or_disband_reads_so(hall: Hall) -> None:
    hall.to_winter({})
    hall.order("ENGLAND", "STATUS")
    told = "The game is running. You have nothing to send."
    assert told in read(hall, address_of("ENGLAND"))


@pytest.mark.parametrize(
    "body", ["Maybe vote for a draw?\nRESIGN", "RESIGN\nMaybe vote for a draw?"]
)
def test_a_yes_answers_what_is_asked_and_no_guess_beside_it(hall: Hall, body: str) -> None:
    hall.start()
    hall.order("FRANCE", body)
    told = read(hall, FRANCE)
    assert "Reply YES to give your seat up." in told
    assert "Did you mean one of these? Send it as a line of its own. DRAW" in told
    assert "YES takes" not in told
    hall.order("FRANCE", "yes")
    assert hall.game().seats[2].player is None
