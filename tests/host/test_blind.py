"""Blind games by mail: nobody is told of a unit or an owner out of their sight before the end."""

import json
import random
import re
from collections.abc import Iterable

import pytest

from judge.host.messages.command_answers import Created, Joined, SettingsRefused, TriedOut
from judge.host.messages.game_events import GameOver, Proposed, Results
from judge.host.messages.games import GameStatus, MapDrawn, PhaseHistory
from judge.host.messages.master_acts import MasterActed, RolledBack
from judge.host.messages.order_answers import OrdersAnswer
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.rulebook import RandomStream, SeatId, load_game
from judge.store import OutboxRow, PhaseRecord, Status

from .conftest import OPENINGS, POWERS, Hall, address_of
from .sight import Allowed, neighbors, seen_by, units_in

MASTER, OLGA, SAM = "gm@example.test", "olga@example.test", "sam@example.test"
LANGUAGES = {"GERMANY": "ko", "ITALY": "zh-TW", "TURKEY": "ja"}
BLIND = "you see what stands beside your own units and centers"
UNIT = re.compile(r"(?<![\w/])([AF]) ([A-Z]{3})(?![A-Z])")
SEATS = [SeatId(power) for power in POWERS]


def records(hall: Hall) -> tuple[PhaseRecord, ...]:
    with hall.database.transaction() as tx:
        return tx.phases.of("balkan")


def ask(hall: Hall, sender: str, body: str) -> None:
    """A letter that is asked back, and its YES."""
    is_known = any(row.recipient == sender for row in hall.out)
    reply_to = hall.last(sender) if is_known else None
    hall.post(sender, body, name=sender.partition("@")[0].title(), reply_to=reply_to)
    hall.post(sender, "yes", reply_to=hall.last(sender))


def send_orders(hall: Hall, chance: random.Random) -> None:
    """Everybody's orders by mail: those of a modest player, supports of units that stand anywhere,
    seen or not, and a move that goes anywhere."""
    game = hall.game()
    assert game.state is not None
    assert game.phase is not None
    now = load_game("diplomacy").open(game.state).revealed
    stream = RandomStream(b"blind", game.phase.serial)
    sheets = now.computer_orders(SEATS, stream)
    position = json.loads(game.state)
    every = units_in(position)
    for power in POWERS:
        lines = [line.text for line in sheets[SeatId(power)]]
        seen = seen_by(power, every, position["owners"])
        helps = [
            f"{kind} {place} S {other[1]} {other[2]} - {goal}"
            for whose, kind, place in every
            for other in every
            for goal in sorted(neighbors()[place] & neighbors()[other[2]])
            if whose == power and other[2] not in seen
        ]
        if helps and game.phase.kind == "movement":
            lines += chance.sample(helps, min(2, len(helps)))
            own = [f"{kind} {place}" for whose, kind, place in every if whose == power]
            lines.append(f"{chance.choice(own)} - {chance.choice(sorted(neighbors()))}")
        if lines:
            hall.order(power, "\n".join(lines))


def check(hall: Hall, rows: Iterable[OutboxRow], ran: tuple[PhaseRecord, ...]) -> int:
    """Each letter, by what its reader may have seen in these phases and sees now; how many."""
    state, n = hall.game().state, 0
    assert state is not None
    for row in rows:
        power = row.recipient.partition("@")[0].upper()
        if row.recipient == MASTER:
            continue
        allowed = Allowed(power)
        for one in ran:
            for before in (one.state, *(report.public for report in one.reports)):
                allowed.look(json.loads(bytes(before)))
        allowed.look(json.loads(state))
        told = [json.loads(row.messages), *map(json.loads, row.documents.values())]
        faults = list(allowed.faults(told))
        assert not faults, (row.recipient, row.kind, faults[:5])
        text, n = hall.text(row), n + 1
        if row.kind == "answer":
            continue  # it repeats what its reader wrote
        written = {one for sent in own_lines(ran, power) for one in UNIT.findall(sent)}
        centers = {center for center, owner in allowed.owners if owner == power}
        for kind, place in UNIT.findall(text):
            is_known = any((kind, place) == one[1:] for one in allowed.units)
            assert is_known or (kind, place) in written or place in centers, (power, kind, place)
    return n


def own_lines(ran: Iterable[PhaseRecord], power: str) -> list[str]:
    found = [one for record in ran for one in record.order_sets.get(SeatId(power), ())]
    return [text for line in found for text in (line.text, line.written)]


@pytest.mark.parametrize(
    ("settings", "until"),
    [
        ("retreat: 24h", "1904"),
        ("retreat: 24h\norders: as_written", "1903"),
        ("retreat: 24h\norders: signals\nteams: FRANCE+GERMANY, TURKEY+RUSSIA", "1903"),
    ],
)
def test_no_letter_of_a_blind_game_tells_what_its_reader_did_not_see(
    hall: Hall, settings: str, until: str
) -> None:
    hall.start(f"blind: yes\n{settings}")
    for power, language in LANGUAGES.items():
        hall.order(power, f"SET LANGUAGE {language}")
    hall.order("FRANCE", "SET REPORT CLASSIC")
    ask(hall, OLGA, "OBSERVE balkan")
    ask(hall, SAM, "SUBSCRIBE balkan")
    chance, n = random.Random(7), 0
    while (game := hall.game()).phase is not None and game.phase.label[1:5] < until:
        before, known = len(hall.out), len(records(hall))
        send_orders(hall, chance)
        n += check(hall, hall.out[before:], records(hall)[known:])
        if hall.game().phase == game.phase:
            before = len(hall.out)
            hall.run_phase()
            n += check(hall, hall.out[before:], records(hall)[known:])
    assert n > 80


# --- the setting ----------------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["blind: yes", "BLIND", "안개전: 예", "迷霧: 是", "霧: はい"])
def test_a_blind_game_is_made_and_says_so(hall: Hall, line: str) -> None:
    hall.create(line)
    assert hall.said(MASTER, Created).settings.blind
    hall.post("new@example.test", "STATUS balkan")
    assert BLIND in hall.text(hall.last("new@example.test"))
    hall.post("new@example.test", "LIST")
    assert "blind: players see" in hall.text(hall.last("new@example.test"))
    hall.post("new@example.test", "JOIN balkan")
    assert BLIND in hall.text(hall.last("new@example.test"))


def test_a_blind_game_shows_no_orders_as_they_come(hall: Hall) -> None:
    hall.create("blind: yes\nopen orders: yes")
    (fault,) = hall.said(MASTER, Created).faults
    assert (fault.name, fault.kind, fault.known) == (
        "open_orders",
        "contradiction",
        ("blind: yes",),
    )


def test_a_running_game_becomes_neither_blind_nor_open(hall: Hall) -> None:
    hall.start("blind: yes")
    hall.post(MASTER, "SET BLIND no", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, SettingsRefused).faults[0].kind == "fixed_board"
    assert hall.game().settings.blind


# --- who sees what --------------------------------------------------------------------------------


def to_fall(hall: Hall) -> None:
    """A blind game whose first phase has run, with an observer."""
    hall.start("blind: yes")
    ask(hall, OLGA, "OBSERVE balkan")
    hall.open_game()
    hall.run_phase()


def test_a_player_sees_what_stands_beside_their_own(hall: Hall) -> None:
    to_fall(hall)
    text = hall.text(hall.last(address_of("FRANCE")))
    seen = text.partition("Units that you see")[2].split("\r\n\r\n")[0]
    assert "England: F ENG" in seen
    assert "Germany: A RUH" in seen  # beside BUR
    assert "Russia" not in seen


def test_nobody_but_players_and_master_sees_the_position(hall: Hall) -> None:
    to_fall(hall)
    assert UNIT.findall(hall.text(hall.last(OLGA))) == []
    assert "This is a blind game" in hall.text(hall.last(OLGA))
    for who in (OLGA, "new@example.test"):
        for line in ("LIST balkan", "SUMMARY balkan", "WHOGAME balkan", "HISTORY balkan"):
            hall.post(who, line)
            assert UNIT.findall(hall.text(hall.last(who))) == [], line
        hall.post(who, "HISTORY balkan CLASSIC")
        assert "Army" not in hall.text(hall.last(who))
        for line in ("MAP balkan", "MAP balkan S1901M", "WHAT IF balkan\nFRANCE\nA BUR - MUN"):
            hall.post(who, line)
            assert hall.said(who, Refusal).kind is RefusalKind.BLIND, line
    told = hall.said(MASTER, Results)
    assert len(json.loads(bytes(told.report))["units"]) == 22


def test_a_master_who_plays_sees_what_a_player_sees(hall: Hall) -> None:
    hall.create("blind: yes", master=address_of("FRANCE"))
    for power in POWERS:
        hall.join(power)
    for power in POWERS:
        seats = [row for row in hall.out if row.seat == power]
        hall.post(address_of(power), OPENINGS[power], reply_to=seats[-1])
    hall.run_phase()
    assert len(hall.was_told(address_of("FRANCE"), Results)) == 2  # as a player, and as the master
    for told in hall.was_told(address_of("FRANCE"), Results):
        units = json.loads(bytes(told.report)).get("units", [])
        assert {one["power"] for one in units} <= {"FRANCE", "GERMANY", "ENGLAND"}


def test_a_master_who_knows_the_position_cannot_join(hall: Hall) -> None:
    to_fall(hall)
    ask(hall, address_of("ITALY"), "RESIGN")
    hall.post(MASTER, "JOIN balkan ITALY")
    hall.post(MASTER, "yes", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Refusal).kind is RefusalKind.KNOWS_ALL
    hall.register("new@example.test", "New")
    hall.post("new@example.test", "JOIN balkan ITALY")
    hall.post("new@example.test", "yes", reply_to=hall.last("new@example.test"))
    joined = hall.said("new@example.test", Joined)
    assert joined.record is not None
    assert joined.record.scores == ()
    assert {one["power"] for one in json.loads(bytes(joined.view))["units"]} <= {
        "ITALY",
        "AUSTRIA",
        "FRANCE",
    }


def test_history_and_maps_show_a_player_their_own_view(hall: Hall) -> None:
    to_fall(hall)
    hall.order("TURKEY", "HISTORY balkan")
    text = hall.text(hall.last(address_of("TURKEY")))
    assert "A CON - BUL" in text
    assert "F ANK - BLA (an unseen unit kept it out)" in text
    assert "SEV" not in text
    hall.order("TURKEY", "MAP balkan S1901M")
    drawn = hall.said(address_of("TURKEY"), MapDrawn)
    assert {one["power"] for one in json.loads(bytes(drawn.reports[0]))["units"]} <= {
        "TURKEY",
        "RUSSIA",
        "AUSTRIA",
    }


def test_when_the_game_is_over_all_of_it_is_open(hall: Hall) -> None:
    to_fall(hall)
    for power in POWERS:
        hall.order(power, "DRAW")
    assert hall.game().status is Status.FINISHED
    assert len(json.loads(bytes(hall.said(OLGA, GameOver).view))["units"]) == 22
    hall.post("new@example.test", "HISTORY balkan")
    told = hall.said("new@example.test", PhaseHistory)
    assert len(json.loads(bytes(told.reports[0]))["units"]) == 22
    hall.order("TURKEY", "MAP balkan")
    assert len(json.loads(bytes(hall.said(address_of("TURKEY"), MapDrawn).view))["units"]) == 22


# --- orders ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["A BUR S A TYR - MUN", "A BUR S TYR - MUN", "A BUR S A KIE - MUN"]
)
def test_a_support_of_a_unit_out_of_sight_is_taken_whether_it_stands_there_or_not(
    hall: Hall, line: str
) -> None:
    to_fall(hall)
    hall.order("FRANCE", line)
    answer = hall.said(address_of("FRANCE"), OrdersAnswer)
    assert answer.problems == ()
    assert [one.notes for one in answer.understood] == [()]
    assert answer.order_set[0].text == line
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "READY")
    hall.order("FRANCE", "READY")
    hall.run_phase()
    own = json.loads(bytes(hall.said(address_of("FRANCE"), Results).own))["results"][0]
    assert own["outcomes"] == [{"is": "OutOfSight"}]
    text = hall.text(hall.last(address_of("FRANCE")))
    assert f"{line.replace('S A', 'S')}   out of sight: you are not told" in text
    assert "failed" not in text


def test_what_if_tries_orders_in_the_position_that_the_reader_sees(hall: Hall) -> None:
    to_fall(hall)
    hall.order("FRANCE", "WHAT IF\nA BUR - MUN\nF MAO - POR\nRUSSIA: A UKR - WAR")
    told = hall.said(address_of("FRANCE"), TriedOut)
    report = json.loads(bytes(told.report))
    assert {one["power"] for one in report["units"]} <= {"FRANCE", "GERMANY", "ENGLAND"}
    assert told.problems  # of the army that France does not see


# --- what else could tell -------------------------------------------------------------------------


def test_a_vote_does_not_tell_how_many_are_in_play(hall: Hall) -> None:
    to_fall(hall)
    hall.order("FRANCE", "PROPOSE DRAW")
    motion = hall.said(address_of("ITALY"), Proposed).motion
    assert (motion.voters, motion.needed) == (0, 0)
    assert "every player who is still in play" in hall.text(hall.last(address_of("ITALY")))
    hall.order("FRANCE", "PROPOSE PAUSE 3d")
    assert "more than half of the players" in hall.text(hall.last(address_of("ITALY")))


def test_an_edit_shows_each_reader_what_they_see_of_it(hall: Hall) -> None:
    to_fall(hall)
    ask(hall, MASTER, "EDIT a slip\nGermany: remove A Ruh\nEND EDIT")
    for who, n in ((MASTER, 21), (OLGA, 0)):
        told = hall.said(who, MasterActed)
        assert len(json.loads(bytes(told.view)).get("units", [])) == n
    assert hall.said(address_of("TURKEY"), MasterActed).lines == ()
    hall.order("TURKEY", "SUMMARY balkan")
    assert "RUH" not in hall.text(hall.last(address_of("TURKEY")))


def test_a_rollback_shows_each_reader_their_own_view(hall: Hall) -> None:
    to_fall(hall)
    ask(hall, MASTER, "ROLLBACK S1901M a slip")
    turkey = json.loads(bytes(hall.said(address_of("TURKEY"), RolledBack).view))["units"]
    assert {one["power"] for one in turkey} <= {"TURKEY", "RUSSIA", "AUSTRIA"}
    assert "units" not in json.loads(bytes(hall.said(OLGA, RolledBack).view))


def test_the_late_are_named_to_the_master_alone(hall: Hall) -> None:
    hall.start("blind: yes\nsee_late: everybody\nsee_ordered: everybody")
    hall.open_game("ITALY")
    hall.order("FRANCE", "STATUS")
    told = hall.said(address_of("FRANCE"), GameStatus)
    assert (told.owing, told.late) == (None, None)
    hall.post(MASTER, "STATUS", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, GameStatus).owing == ("ITALY",)


def test_a_blind_game_shows_nothing_of_the_one_before_it(hall: Hall) -> None:
    hall.start("blind: yes\nagain: yes\ngrace: 0")
    hall.open_game()
    hall.run_phase()
    for power in POWERS[1:]:
        hall.order(power, "CONCEDE TO AUSTRIA")
    assert hall.game().next_game == "balkan2"
    forming = hall.game("balkan2")  # whoever looks at it sees the board at its start, and no phase
    assert (forming.state, forming.phase, forming.seats, forming.timing) == (None, None, (), None)
    with hall.database.transaction() as tx:
        assert tx.phases.of("balkan2") == ()
    for power in POWERS:
        before = len(hall.out)
        hall.join(power, "balkan2")
    after = hall.game("balkan2")
    assert after.state is not None
    assert after.settings.blind
    at_start = load_game("diplomacy").start("standard", {"rules": "2000"}).state
    assert units_in(json.loads(after.state)) == units_in(json.loads(at_start))
    for power in POWERS:
        address = address_of(power)
        hall.post(address, "GAME balkan2\nSTATUS\nMAP\nHISTORY", reply_to=hall.last(address))
        allowed = Allowed(power)
        allowed.look(json.loads(after.state))
        rows = [row for row in hall.out[before:] if row.recipient == address]
        rows = [row for row in rows if not row.answers or row.kind != "answer" or row is rows[-1]]
        told = [
            json.loads(text) for row in rows for text in (row.messages, *row.documents.values())
        ]
        assert list(allowed.faults(told)) == []
        assert hall.said(address, GameStatus).game.name == "balkan2"
