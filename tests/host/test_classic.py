"""The hobby's plain-text report: whole games by HISTORY CLASSIC, read back by another reader."""

from collections.abc import Iterator, Mapping

import pytest

from judge.diplomacy.records import PhaseReport
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.render.diplomacy.names import names_of
from judge.rulebook import RandomStream, load_game
from tests.render.classic_reader import Turn, read

from .conftest import POWERS, Hall, address_of

ANN = "ann@example.test"
RULEBOOK = load_game("diplomacy")
PHASES = 20
SILENT = "ITALY"  # who sends nothing in the fall of 1901


def play(hall: Hall, phases: int = PHASES) -> None:
    """The computer's orders, by mail, for so many phases."""
    hall.start("grace: 0")
    for number in range(phases):
        game = hall.game()
        assert game.state is not None
        opened, chance = RULEBOOK.open(game.state), RandomStream(b"classic", number)
        seats = [one.seat for one in opened.awaited]
        sheets = opened.computer_orders(seats, chance)
        for seat, lines in sheets.items():
            if lines and (number, seat) != (1, SILENT):
                hall.order(seat, "\n".join(line.text for line in lines))
        hall.run_phase()


@pytest.fixture(scope="module")
def played() -> Iterator[Hall]:
    hall = Hall()
    play(hall)
    yield hall
    hall.database.close()


def whole_history(hall: Hall, name: str = "balkan") -> list[Turn]:
    """All phases of a game, as many letters as it takes."""
    letters: list[str] = []
    command = f"HISTORY {name} CLASSIC"
    while command:
        hall.post(ANN, command)
        row = hall.last(ANN)
        text = hall.text(row)
        assert len(text) < 60_000
        letters.append(text)
        more = [
            one
            for one in hall.messages(row)
            if isinstance(one, Refusal) and one.kind is RefusalKind.MORE_HISTORY
        ]
        command = f"HISTORY {name} {more[0].values['usage']}" if more else ""
    return read(*letters)


def check_history(hall: Hall, turns: list[Turn], name: str = "balkan") -> None:
    """What was read is what the judge has kept: units and owners after each phase."""
    with hall.database.transaction() as tx:
        records = tx.phases.of(name)
    read_turns = {(turn.phase.partition(" ")[0][0], turn.serial): turn for turn in turns}
    assert len(read_turns) == len(turns)
    checked = 0
    owners: Mapping[str, str] = {}
    for record in records:
        reports = [PhaseReport.from_bytes(one.public) for one in record.reports]
        for number, report in enumerate(reports):
            names = names_of(report.variant, "en")
            power, kinds = names.power, {"A": "Army", "F": "Fleet"}
            turn = read_turns.get((report.kind, record.phase.serial + number))
            if report.is_count:
                owners = {names.province(at): power(one) for at, one in report.owners.items()}
                turn = turn or read_turns[reports[number - 1].kind, record.phase.serial]
            if turn is None:
                continue  # nobody had anything to do
            expected = {
                (power(one.power), kinds[one.kind], names.location(one.location))
                for one in report.units
            }
            assert turn.units == expected, report.label
            if report.is_count:
                assert turn.owners == owners, report.label
            checked += 1
    assert checked >= len(records)


def test_a_whole_game_is_read_back_from_its_classic_history(played: Hall) -> None:
    turns = whole_history(played)
    check_history(played, turns)
    assert turns[0].phase == "Start Spring of 1901"
    assert sum(turn.silent for turn in turns) >= 3
    assert {turn.phase.partition(" ")[0] for turn in turns} == {
        "Start",
        "Movement",
        "Retreat",
        "Adjustment",
    }


def test_a_range_of_phases_comes_in_the_classic_form(played: Hall) -> None:
    for written in ("HISTORY balkan S1901M-F1901M CLASSIC", "HISTORY balkan CLASSIC S1901M-F1901M"):
        played.post(ANN, written)
        text = played.text(played.last(ANN)).replace("\r", "")
        assert ":: Judge: Judge  Game: balkan  Variant: Standard\n" in text
        assert "Subject: Judge:balkan - S1901M Movement Results\n" in text
        assert "Movement results for Spring of 1901.  (balkan.001)\n" in text
        assert "F1901M Movement Results" in text
        assert "1902" not in text.partition("The next phase")[0]


def test_an_ended_game_says_so_in_its_last_block(hall: Hall) -> None:
    play(hall, 2)
    for power in POWERS:
        hall.post(address_of(power), "DRAW", reply_to=hall.last(address_of(power)))
    hall.post(ANN, "HISTORY balkan CLASSIC")
    assert hall.text(hall.last(ANN)).rstrip().endswith("The game is over.")


def test_results_come_in_the_classic_form_to_who_chose_it(hall: Hall) -> None:
    hall.start("grace: 0")
    france, korea = address_of("FRANCE"), address_of("ITALY")
    hall.order("FRANCE", "SET REPORT CLASSIC")
    hall.order("ITALY", "SET LANGUAGE ko")
    hall.order("ITALY", "보고 형식 고전")
    hall.open_game()
    hall.run_phase()
    for address in (france, korea):
        text = hall.text(hall.last(address)).replace("\r", "")
        assert text.startswith("Judge:balkan - S1901M Results\n\n:: Judge: Judge  Game: balkan")
        report, own = text.split("The deadline for orders will be")
        assert "Austria: Army Budapest -> Serbia.\n" in report
        assert ("A PAR - BUR" in own) == (address == france)
        assert "For you:" in own or "안내" in own
    assert hall.text(hall.last(address_of("AUSTRIA"))).startswith("[Judge] balkan S1901M")
    hall.order("FRANCE", "SET REPORT LOCAL")
    hall.order("FRANCE", "SET REPORT YELLOW")
    assert hall.said(france, Refusal).kind is RefusalKind.BAD_COMMAND
    hall.run_phase()
    assert hall.text(hall.last(france)).startswith("[Judge] balkan F1901M")
