"""Games with two to six players, by mail from CREATE to an end: shared powers, powers of nobody."""

import random
import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.orders import Hold
from judge.diplomacy.records import PhaseReport, View
from judge.diplomacy.rulebook import RULEBOOK
from judge.host.messages.command_answers import JoinAsked, Joined
from judge.host.messages.game_events import GameOver, Results, Started
from judge.host.messages.games import GameStatus
from judge.host.messages.order_answers import AdvanceAnswer, OrdersAnswer
from judge.host.messages.press import PressReceived
from judge.render import render_letter
from judge.render.catalogue import catalogue
from judge.render.diplomacy import RENDERER
from judge.rulebook import RandomStream, SeatId, Silence
from judge.store import GameRecord, OutboxRow, Status

from .conftest import Hall, address_of

MASTER = "gm@example.test"
LANGUAGES = ("en", "ko", "zh_Hant", "ja")
SEATS = {
    2: ("ENGLAND_FRANCE_RUSSIA", "AUSTRIA_GERMANY_TURKEY"),
    3: ("ENGLAND_GERMANY_AUSTRIA", "RUSSIA_ITALY", "FRANCE_TURKEY"),
    4: ("ENGLAND", "AUSTRIA_FRANCE", "GERMANY_TURKEY", "ITALY_RUSSIA"),
    5: ("AUSTRIA", "ENGLAND", "FRANCE", "RUSSIA", "TURKEY"),
    6: ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "RUSSIA", "TURKEY"),
}
AUSTRIA_FRANCE = address_of("AUSTRIA_FRANCE")
ENDS = {  # how each game is brought to its end; the powers of nobody cannot share a draw
    2: ("victory: 16", "solo"),
    3: ("victory: 11\nvictory by: player", "solo"),
    4: ("last year: 1902", "draw"),
    5: ("victory: 9\nlast year: 1904\nundecided: most", "solo"),
    6: ("last year: 1902", "draw"),
}


def begin(hall: Hall, players: int, lines: str = "") -> None:
    """A game for so many players, each at another seat and in another language."""
    hall.create(f"players: {players}\ngrace: 0\n{lines}")
    for number, seat in enumerate(SEATS[players]):
        hall.join(seat)
        hall.order(seat, f"SET LANGUAGE {LANGUAGES[number % len(LANGUAGES)]}")


def view_of(game: GameRecord, seat: SeatId | None) -> View:
    assert game.state is not None
    return View.from_bytes(RULEBOOK.open(game.state).view(seat))


def orders(game: GameRecord, seat: SeatId, chance: random.Random) -> str:
    """What a scripted player sends for all powers of a seat."""
    assert game.state is not None
    opened = RULEBOOK.open(game.state)
    lines = opened.computer_orders([seat], RandomStream(chance.randbytes(8), opened.phase.serial))
    return "\n".join(line.text for line in lines[seat])


def play(hall: Hall, chance: random.Random) -> Iterator[GameRecord]:
    """Runs the game to its end; yields it before each phase, after everybody's orders."""
    while hall.game().status is Status.ACTIVE:
        game = hall.game()
        assert game.state is not None
        for awaited in RULEBOOK.open(game.state).awaited:
            hall.order(awaited.seat, orders(game, awaited.seat, chance))
        yield hall.game()
        hall.run_phase()


def letter(hall: Hall, row: OutboxRow) -> str:
    rendered = render_letter(
        hall.messages(row), language=row.language, zone="UTC", judge_name="Judge", kind=row.kind
    )
    return rendered.text


def reports(hall: Hall) -> list[PhaseReport]:
    """All that ran, as the master was told."""
    told = hall.was_told(MASTER, Results)
    return [PhaseReport.from_bytes(one) for each in told for one in (each.report, *each.skipped)]


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("players", SEATS)
def test_a_game_of_so_many_players_is_played_to_its_end(hall: Hall, players: int) -> None:
    lines, ending = ENDS[players]
    begin(hall, players, lines)
    for game in play(hall, random.Random(f"{players} players")):
        assert game.state is not None
        for awaited in RULEBOOK.open(game.state).awaited:
            answer = hall.said(address_of(awaited.seat), OrdersAnswer)
            assert answer.problems == ()
            assert len(answer.order_set) >= awaited.due  # more: units that have nowhere to retreat
    game = hall.game()
    assert (game.status, game.ending) == (Status.FINISHED, ending)
    for seat in game.seats:
        over = hall.said(address_of(seat.id), GameOver)
        assert over.winners == game.winners
    for report in reports(hall):
        for result in report.results:
            if result.power in report.unplayed and report.kind == "M":
                assert isinstance(result.order, Hold)
    for row in hall.out:
        for line in letter(hall, row).splitlines():
            assert not any(seat in line for seat in SEATS[players] if "_" in seat)


@pytest.mark.parametrize("players", [2, 6])
def test_letters_say_what_the_units_of_nobody_did(hall: Hall, players: int) -> None:
    begin(hall, players, "last year: 1916" if players == 2 else "last year: 1901")
    assert next(play(hall, random.Random(1))).phase is not None
    hall.run_phase()
    told = [letter(hall, hall.last(address_of(seat))) for seat in SEATS[players]]
    fates = (
        "Italy: not played: A ROM, A VEN and F NAP held",
        "맡은 사람 없음: A ROM, A VEN, F NAP 대기",
    )
    for text, disposition in zip(told, fates, strict=False):
        assert disposition in text


FIRST_LETTERS = {
    6: (
        "Nobody plays Italy: its units hold, do not support each other",
        "이탈리아는 아무도 맡지 않습니다",
        "義大利沒有玩家：其單位待機",
        "イタリアは誰も担当しません",
    ),
    4: (
        "A player wins with one power that has 18 centers.",
        "오스트리아, 프랑스를 맡으셨습니다",
        "您代表德國、土耳其",
        "担当はイタリア、ロシア",
    ),
    2: (
        "Italy is neutral: its units hold, and nobody may enter its provinces (APU, NAP, PIE, ROM, "
        "TUS, VEN), neither by land nor by sea. After Fall 1914 retreats a coin is tossed",
        "1914년 가을 퇴각 단계가 끝나면 이탈리아를 두고 동전을 던집니다",
    ),
}


@pytest.mark.parametrize("players", FIRST_LETTERS)
def test_the_first_letter_tells_who_is_not_played_and_how_one_wins(
    hall: Hall, players: int
) -> None:
    begin(hall, players)
    for seat, words in zip(SEATS[players], FIRST_LETTERS[players], strict=False):
        hall.order(seat, "STATUS")
        rows = [row for row in hall.out if row.recipient == address_of(seat)]
        (first,) = [row for row in rows if any(isinstance(b, Started) for b in hall.messages(row))]
        language = LANGUAGES[SEATS[players].index(seat)]
        text = " ".join(letter(hall, replace(first, language=language)).split())
        assert words in (text if language in ("en", "ko") else text.replace(" ", ""))
    assert hall.said(address_of(SEATS[players][0]), GameStatus).view is not None


# --- seats of several powers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "wish",
    [
        "AUSTRIA_FRANCE",
        "France",
        "Austria/France",
        "AUSTRIA FRANCE",
        "F",
        "프랑스",
        "奧匈帝國、法國",
    ],
)
def test_a_seat_is_joined_by_the_name_of_any_of_its_powers(hall: Hall, wish: str) -> None:
    hall.create("players: 4")
    hall.post("ann@example.test", f"JOIN balkan {wish}", name="Ann")
    assert hall.said("ann@example.test", JoinAsked).wish == "AUSTRIA_FRANCE"
    asked = replace(hall.last("ann@example.test"), language="en")
    assert "You asked for Austria and France." in letter(hall, asked)


def test_what_a_seat_is_called_in_the_letter_that_asks_joins_it(hall: Hall) -> None:
    hall.create("players: 3")
    assert "Its seats: England/Germany/Austria, Russia/Italy and France/Turkey." in " ".join(
        letter(hall, hall.last(MASTER)).split()
    )
    stranger = "new@example.test"
    hall.post(stranger, "JOIN balkan")
    asked = " ".join(letter(hall, hall.last(stranger)).split())
    (example,) = re.findall(r"name it: (JOIN balkan \S+?)\. ", asked)
    assert "Not asked for yet: England/Germany/Austria, Russia/Italy and France/Turkey." in asked
    hall.post(stranger, example)
    assert hall.said(stranger, JoinAsked).wish == "RUSSIA_ITALY"


def test_seats_are_named_in_short_where_several_are_listed(hall: Hall) -> None:
    hall.create("players: 4")
    hall.post("ann@example.test", "JOIN balkan ATLANTIS", name="Ann")
    text = letter(hall, hall.last("ann@example.test"))
    assert "England, Austria/France, Germany/Turkey and Italy/Russia" in " ".join(text.split())


def test_press_and_sign_on_find_a_seat_by_any_of_its_letters(hall: Hall) -> None:
    begin(hall, 4)
    hall.order("ENGLAND", "PRESS TO TR\nhello\nENDPRESS")
    for seat in ("GERMANY_TURKEY", "ITALY_RUSSIA"):
        assert hall.said(address_of(seat), PressReceived).text.strip() == "hello"
    assert hall.was_told(AUSTRIA_FRANCE, PressReceived) == []
    text = letter(hall, hall.last_answer(address_of("ENGLAND")))
    assert "Your press went to Germany/Turkey and Italy/Russia." in text
    password = hall.said(AUSTRIA_FRANCE, Joined).password
    hall.post("cafe@example.test", f"SIGNON Fbalkan {password}\nA PAR - BUR\nA VIE - GAL")
    assert [line.text for line in hall.game().order_set(SeatId("AUSTRIA_FRANCE"))] == [
        "A PAR - BUR",
        "A VIE - GAL",
    ]


def test_a_missing_player_is_missing_with_all_powers(hall: Hall) -> None:
    begin(hall, 4)
    chance = random.Random(2)
    for context in range(3):
        game = hall.game()
        assert game.state is not None
        for awaited in RULEBOOK.open(game.state).awaited:
            if awaited.seat != "AUSTRIA_FRANCE" or context == 0:
                hall.order(awaited.seat, orders(game, awaited.seat, chance))
        hall.run_phase()
        while hall.game().phase is not None and hall.game().phase.silence is Silence.NORMAL:  # type: ignore[union-attr]
            hall.run_phase()
    last = [report for report in reports(hall) if report.kind == "M"][-1]
    assert last.disorder == ("AUSTRIA", "FRANCE")
    assert hall.game().seat(SeatId("AUSTRIA_FRANCE")).player is None
    told = [letter(hall, row) for row in hall.out if row.recipient == address_of("ENGLAND")]
    missing = "Austria and France sent nothing by the deadline, and are in civil disorder"
    assert any(missing in " ".join(text.split()) for text in told)


def test_a_draw_is_agreed_by_players_not_by_powers(hall: Hall) -> None:
    begin(hall, 3)
    for seat in SEATS[3][:2]:
        hall.order(seat, "DRAW")
    assert hall.game().status is Status.ACTIVE
    hall.order(SEATS[3][2], "DRAW")
    game = hall.game()
    assert (game.ending, game.winners) == ("draw", SEATS[3])
    text = letter(hall, hall.last(address_of(SEATS[3][0])))
    assert "The draw is shared by England/Germany/Austria, Russia/Italy and France/Turkey." in text


def test_builds_are_asked_and_counted_power_by_power(hall: Hall) -> None:
    begin(hall, 3)
    for game in play(hall, random.Random(39)):
        assert game.phase is not None
        if game.phase.label == "W1901A":
            break
    seat = SeatId("ENGLAND_GERMANY_AUSTRIA")
    dues = {due.power: due.builds for due in view_of(hall.game(), seat).adjustments}
    assert (dues["ENGLAND"], dues["GERMANY"]) == (1, 2)
    asked = letter(hall, [row for row in hall.out if row.recipient == address_of(seat)][-2])
    assert "England can build one unit, by one of these lines:" in asked
    assert "Germany can build 2 units, by 2 of these lines, each for a different province:" in asked
    hall.order(seat, "CLEAR")
    hall.order(seat, "A EDI B\nGermany: waive")
    answer = letter(hall, hall.last_answer(address_of(seat)))
    assert "GERMANY WAIVE   Germany waives 1 build." in answer
    assert "If you send nothing more: Germany waives 1 build." in answer
    hall.order(seat, "F LON B")  # takes the place of England's other build, not of Germany's
    order_set = [line.text for line in hall.game().order_set(seat)]
    assert order_set == ["GERMANY WAIVE", "F LON B"]


def test_disbands_are_asked_power_by_power(hall: Hall) -> None:
    begin(hall, 3)
    master = "gm@example.test"
    for written in ("EDIT to see\nEngland: add F NTH\nEND EDIT", "yes"):
        hall.post(master, written, reply_to=hall.last(master))
    for _ in range(2):
        for seat in SEATS[3]:
            hall.order(seat, "READY")
        hall.run_phase()
    seat = address_of("ENGLAND_GERMANY_AUSTRIA")
    asked = [letter(hall, row) for row in hall.out if row.recipient == seat]
    assert any("England must disband one unit, by one of these lines:" in one for one in asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_that_a_letter_offers_works_when_it_is_sent_back(language: str) -> None:
    state = RULEBOOK.start("standard", {"players": "4"})
    winter = DiplomacyGame(replace(state.stored, label="W1901A", units=()))
    seat = SeatId("AUSTRIA_FRANCE")
    task = RENDERER.words("standard", catalogue(language)).task(winter.view(seat), seat)
    assert task is not None
    headings = [row.meaning for row in task.rows if not row.text]
    assert len(headings) == 2
    lines = [row.text for row in task.rows if row.text]
    assert len(lines) == 6 + 3 + 2  # armies, fleets, one waive for each power
    for line in lines:
        (one,) = winter.read(seat, [line]).understood
        assert one.line.text in (line, *(row.meaning for row in task.rows))


# --- two players ----------------------------------------------------------------------------------


def test_the_coin_comes_from_the_seed_and_is_told_to_all(hall: Hall) -> None:
    begin(hall, 2, "last year: 1915")
    serial = 0
    for game in play(hall, random.Random(4)):
        assert game.phase is not None
        if game.phase.label == "F1914M":
            serial = game.phase.serial
    told = [report.joining for report in reports(hall) if report.joining]
    assert len(told) == 1
    (joining,) = told
    assert joining is not None
    seed = bytes.fromhex(hall.said(MASTER, GameOver).seed)
    side = SEATS[2][RandomStream(seed, serial).below(2)]
    assert "_".join(joining.to) == side
    joined = "The coin has been tossed: Italy joins"
    assert any(joined in letter(hall, row) for row in hall.out if row.recipient == MASTER)
    heard = [letter(hall, row) for row in hall.out if row.recipient == address_of(SEATS[2][1])]
    assert any("동전을 던졌습니다: 이탈리아는" in text for text in heard)
    orders_of_italy = [
        result
        for report in reports(hall)
        if report.label > "S1915" or report.label == "F1915M"
        for result in report.results
        if result.power == "ITALY" and not isinstance(result.order, Hold)
    ]
    assert orders_of_italy
    assert hall.said(address_of(side), GameOver).winners


def test_a_move_into_a_neutral_province_is_answered_with_the_reason(hall: Hall) -> None:
    begin(hall, 2)
    hall.order(SEATS[2][0], "A MAR - PIE")
    text = letter(hall, hall.last_answer(address_of(SEATS[2][0])))
    assert "Nobody may enter that province: it is neutral." in text
    hall.order(SEATS[2][0], "PHASE S1915M\nA MAR - PIE")
    assert hall.said(address_of(SEATS[2][0]), AdvanceAnswer).problems == ()


def test_the_first_of_several_powers_signs_on_from_another_address(hall: Hall) -> None:
    begin(hall, 2)
    joined = hall.said(address_of(SEATS[2][0]), Joined)
    hall.post("new@else.test", f"SIGNON ENGLAND@balkan {joined.password}\nA LVP - YOR")
    orders_of = hall.game().order_set(SeatId(SEATS[2][0]))
    assert [line.text for line in orders_of] == ["A LVP - YOR"]
