"""Ten turns of Colonial Diplomacy by mail, in four languages, by rail and through the canal."""

from collections.abc import Iterator, Mapping, Sequence

import pytest

from judge.diplomacy.notation import format_order
from judge.diplomacy.orders import PowerId, Ride, UnitKind
from judge.diplomacy.outcomes import Bounced, BounceKind, Halted, Result
from judge.diplomacy.records import PhaseReport, View
from judge.host import messages_from_json
from judge.host.messages.game_events import GameOver, Results
from judge.host.messages.order_answers import OrdersAnswer
from judge.render import render_letter
from judge.render.catalogue import catalogue
from judge.render.diplomacy import RENDERER
from judge.rulebook import Line, RandomStream, SeatId, State, load_game
from judge.store import Status

from .conftest import Hall, address_of
from .test_classic import check_history, whole_history

LANGUAGES = {
    "BRITAIN": "zh_Hant",
    "CHINA": "zh_Hant",
    "FRANCE": "ko",
    "HOLLAND": "en",
    "JAPAN": "ja",
    "RUSSIA": "ko",
    "TURKEY": "ja",
}
MASTER = "gm@example.test"
TURNS = 10
SEED = 16  # of the orders: a game in which fleets meet in the canal, and a train halts in Irkutsk
SILENT = ("HOLLAND", "1876M")  # who sends nothing, and when
# Britain's way to the canal, and Turkey's to its mouth; from then on they go through it.
OPENING = {
    "1870M": {"BRITAIN": {"ADE": "F ADE - RED"}, "TURKEY": {"CON": "F CON - MED"}},
    "1872M": {"BRITAIN": {"RED": "F RED - EGY"}, "TURKEY": {"MED": "F MED H"}},
}
SEAS = {"MED": "RED", "RED": "MED"}
STATIONS = ("MOS", "PRM", "OMS", "KRA", "IRK", "VLA")
RULEBOOK = load_game("diplomacy")
Orders = dict[str, str]  # by the unit's province, or what else the order is for


class Player:
    """Plays one power as the demo's players do, with the train and the canal wherever it can."""

    def __init__(self, hall: Hall, power: str) -> None:
        self.hall, self.power, self.seat = hall, power, PowerId(power)
        self.words = catalogue(LANGUAGES[power])

    def letter(self) -> str:
        """The orders for the running phase, as they are written in the player's language."""
        state = self.hall.game().state
        assert state is not None
        view = View.from_bytes(RULEBOOK.open(state).view(self.seat))
        lines = [Line("", text) for text in self._orders(state, view).values()]
        return "\n".join(row.text for row in RENDERER.words("colonial", self.words).rows(lines))

    def _orders(self, state: State, view: View) -> Orders:
        chance = RandomStream(f"{SEED} {self.power}".encode(), view.serial)
        sheets = RULEBOOK.open(state).computer_orders([SeatId(self.power)], chance)
        orders = {line.key: line.text for line in sheets[SeatId(self.power)]}
        if view.kind == "M":
            orders |= OPENING.get(view.label, {}).get(self.power, {}) or self._by_rail(view)
            if view.label not in OPENING:
                orders |= self._by_canal(view)
        return orders

    def _by_rail(self, view: View) -> Orders:
        """A train of Russia's, from a station with an army to the farthest that is empty."""
        if self.power != "RUSSIA":
            return {}
        taken = {unit.location.province: unit for unit in view.units}
        for origin in STATIONS:
            unit = taken.get(origin)  # type: ignore[call-overload]
            if unit and unit.power == self.seat and unit.kind is UnitKind.ARMY:
                for goal in reversed(STATIONS):
                    if goal not in taken:
                        return {origin: f"A {origin} - TSR - {goal}"}
        return {}

    def _by_canal(self, view: View) -> Orders:
        """Fleets at its ends go through it while Britain stands in Egypt, and Britain lets them."""
        keeper = next((unit for unit in view.units if unit.location.province == "EGY"), None)
        if keeper is None or keeper.power != "BRITAIN":
            return {}
        fleets = {
            unit.location.province: unit
            for unit in view.units
            if unit.kind is UnitKind.FLEET and unit.location.province in SEAS
        }
        orders = {} if self.power != "BRITAIN" else {"EGY": f"{keeper} H"}
        for sea, fleet in fleets.items():
            passage = f"F {sea} - {SEAS[sea]}"
            if fleet.power == self.seat:
                orders[sea] = passage
            elif self.power == "BRITAIN":
                orders[f"leave {sea}"] = f"SC {fleet.power} {passage}"
        return orders


def play(hall: Hall) -> None:
    """The game up to its tenth turn, the adjustments and retreats between them included."""
    hall.start("variant: colonial\ngrace: 0", LANGUAGES)
    for power, language in LANGUAGES.items():
        hall.order(power, f"SET LANGUAGE {language}")
    players = [Player(hall, power) for power in LANGUAGES]
    while True:
        phase = hall.game().phase
        assert phase is not None
        if phase.label == "1890M":
            return
        awaited = {each.seat for each in RULEBOOK.open(hall.game().state or {}).awaited}
        for player in players:
            if player.power in awaited and (player.power, phase.label) != SILENT:
                hall.order(player.power, player.letter())
        hall.run_phase()


@pytest.fixture(scope="module")
def played() -> Iterator[Hall]:
    hall = Hall()
    play(hall)
    yield hall
    hall.database.close()


def results(hall: Hall) -> Mapping[str, Sequence[Result]]:
    """The results of all movement phases, by label."""
    told = [told.report for told in hall.was_told(MASTER, Results)]
    reports = [PhaseReport.from_bytes(report) for report in told]
    return {one.label: one.results for one in reports if one.kind == "M"}


def test_ten_turns_are_played_with_adjustments_after_every_second(played: Hall) -> None:
    assert list(results(played)) == [f"{year}M" for year in range(1870, 1890, 2)]
    labels = [
        PhaseReport.from_bytes(told.report).label for told in played.was_told(MASTER, Results)
    ]
    adjustments = [label for label in labels if label.endswith("A")]
    assert adjustments == [f"{year}A" for year in range(1872, 1890, 4)]


def test_every_order_in_every_language_was_understood(played: Hall) -> None:
    for power in LANGUAGES:
        answers = played.was_told(address_of(power), OrdersAnswer)
        assert len(answers) > TURNS
        assert [answer.problems for answer in answers if answer.problems] == []


def test_trains_ran_each_turn_and_were_halted_in_the_end(played: Hall) -> None:
    rides = [
        one for found in results(played).values() for one in found if isinstance(one.order, Ride)
    ]
    assert len(rides) == TURNS
    arrived, halted = (
        [format_order(one.order) for one in rides if bool(one.outcomes) is failed]
        for failed in (False, True)
    )
    assert "A MOS - TSR - IRK" in arrived
    assert halted
    assert all(isinstance(why, Halted) for one in rides for why in one.outcomes)


def test_fleets_went_through_the_canal_both_ways_and_met_in_it(played: Hall) -> None:
    passages = [
        one
        for found in results(played).values()
        for one in found
        if format_order(one.order) in ("F MED - RED", "F RED - MED")
    ]
    passed = {format_order(one.order) for one in passages if not one.outcomes}
    assert passed == {"F MED - RED", "F RED - MED"}
    met = [why for one in passages for why in one.outcomes]
    assert met
    assert BounceKind.HEAD_TO_HEAD in {why.kind for why in met if isinstance(why, Bounced)}


def test_a_silent_player_was_in_civil_disorder_for_one_turn(played: Hall) -> None:
    power, label = SILENT
    (report,) = [
        report
        for told in played.was_told(MASTER, Results)
        if (report := PhaseReport.from_bytes(told.report)).label == label
    ]
    assert report.disorder == (power,)


def test_every_letter_reads_in_its_language(played: Hall) -> None:
    said = dict.fromkeys(set(LANGUAGES.values()), "")
    for row in played.out:
        letter = render_letter(
            messages_from_json(row.messages, row.documents),
            language=row.language,
            zone="UTC",
            judge_name="Judge",
            kind=row.kind,
        )
        said[row.language] += letter.text
    assert "실패: 열차가 이르쿠츠크에서 멈춤" in said["ko"]
    assert "蘇伊士運河：土耳其地中海艦隊移動至紅海" in said["zh_Hant"]
    assert "海軍 地中海 - 紅海" in said["ja"]
    assert "SC TURKEY F MED - RED" in said["en"]


def test_the_game_is_read_back_from_its_classic_history(played: Hall) -> None:
    turns = whole_history(played)
    check_history(played, turns)
    assert turns[1].phase == "Movement 1870"
    played.post("ann@example.test", "HISTORY balkan 1870M CLASSIC")
    text = played.text(played.last("ann@example.test"))
    assert "Remarks:" in text  # of the railway, which the form does not know


def test_the_players_agree_on_an_end(played: Hall) -> None:
    for power in LANGUAGES:
        played.post(address_of(power), "DRAW", reply_to=played.last(address_of(power)))
    game = played.game()
    assert (game.status, game.ending) == (Status.FINISHED, "draw")
    for power in LANGUAGES:
        assert played.was_told(address_of(power), GameOver)


# --- what its own rules need to be told -----------------------------------------------------------


def flat(text: str) -> str:
    """A letter's text without line breaks."""
    return " ".join(text.split())


def to_the_canal(hall: Hall) -> None:
    """Britain's fleet in the Red Sea, Turkey's in the Mediterranean, nobody in Egypt."""
    hall.start("variant: colonial\ngrace: 0", LANGUAGES)
    sent = {"BRITAIN": "F ADE - RED", "TURKEY": "F CON - MED"}
    for power in LANGUAGES:
        hall.order(power, sent.get(power, "READY"))
    hall.run_phase()


def test_the_first_letter_tells_of_railway_canal_and_years(hall: Hall) -> None:
    hall.start("variant: colonial\ngrace: 0", LANGUAGES)
    first = flat(hall.text(hall.last(address_of("BRITAIN"))))
    assert "Railway (MOS, PRM, OMS, KRA, IRK, VLA)" in first
    assert "Canal: while a unit stands in Egypt" in first
    assert "a turn is 2 years" in first


def test_rules_that_a_game_does_without_are_not_told(hall: Hall) -> None:
    hall.start("variant: colonial\nrailway: no\ncalendar: seasons", LANGUAGES)
    first = flat(hall.text(hall.last(address_of("BRITAIN"))))
    assert "Canal:" in first
    assert "Railway" not in first
    assert "Calendar:" not in first


def test_the_canal_is_closed_while_nobody_stands_in_egypt(hall: Hall) -> None:
    to_the_canal(hall)
    hall.order("BRITAIN", "F RED - MED")
    assert "it needs a unit in Egypt" in flat(hall.text(hall.last(address_of("BRITAIN"))))


def test_a_passage_by_anothers_canal_unit_is_told_to_need_permission(hall: Hall) -> None:
    to_the_canal(hall)
    hall.order("BRITAIN", "F RED - EGY")
    hall.order("TURKEY", "F MED H")
    while hall.game().phase is not None and hall.game().phase.label != "1874M":  # type: ignore[union-attr]
        hall.run_phase()
    hall.order("TURKEY", "F MED - RED")
    answer = hall.text(hall.last(address_of("TURKEY")))
    assert "only with the permission of F EGY" in flat(answer)
    hall.run_phase()
    told = hall.text(hall.last(address_of("TURKEY")))
    assert "F EGY gave no permission (rule 9.34)" in flat(told)
    assert "leave" not in told


def test_who_bounced_with_a_train_is_told_the_rule(hall: Hall) -> None:
    hall.start("variant: colonial\ngrace: 0", LANGUAGES)
    sent = {"RUSSIA": "A MOS - TSR - IRK\nREADY", "CHINA": "A MAC - IRK\nREADY"}
    for power in LANGUAGES:
        hall.order(power, sent.get(power, "READY"))
    hall.run_phase()
    told = flat(hall.text(hall.last(address_of("CHINA"))))
    train = "the train A MOS - TSR - IRK needed the station too, and a lone attack bounces with it"
    assert f"A MAC - IRK failed: {train} (rule 9.25)" in told
    ridden = flat(hall.text(hall.last(address_of("RUSSIA"))))
    assert "the train ended at Krasnoyarsk: A MAC - IRK kept it out" in ridden
