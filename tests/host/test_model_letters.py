"""The model letters: a player's letter as it was written, and the answer, by its content.

Words may be others than the model's; what is told, and the order of it, may not.
"""

import re
from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.orders import PowerId
from judge.diplomacy.rulebook import RULEBOOK
from judge.diplomacy.variants.variant import parse_unit
from judge.store import Changes

from .conftest import OPENINGS, POWERS, Hall, address_of

FRANCE = address_of("FRANCE")


def place(hall: Hall, label: str, deadline: datetime, units: str) -> None:
    """The running game is in that phase, with these units (`FRANCE: A PAR, F BRE`) and deadline."""
    game = hall.game()
    assert game.state is not None
    assert game.timing is not None
    placed = tuple(
        parse_unit(PowerId(power), text.strip())
        for power, _, texts in (line.partition(":") for line in units.split("\n") if line)
        for text in texts.split(",")
    )
    stored = replace(RULEBOOK.open(game.state).stored, label=label, units=placed)
    opened = DiplomacyGame(stored)
    timing = replace(game.timing, deadline_at=deadline, opened_at=hall.instant)
    changed = replace(
        game, state=opened.state, phase=opened.phase, timing=timing, due_at=deadline, order_sets={}
    )
    with hall.database.transaction() as tx:
        tx.save(Changes(games=(changed,)), cause="test")


def written(hall: Hall, address: str) -> tuple[str, str, str]:
    """The subject of the newest letter, its text, and its first line."""
    subject, _, text = hall.text(hall.last(address)).replace("\r", "").partition("\n\n")
    return subject, text, text.partition("\n")[0]


def in_order(text: str, *told: str) -> None:
    """All of this is told, each behind the one before; runs of spaces and lines count as one."""
    text, at = " ".join(text.split()), 0
    for one in told:
        found = text.find(one, at)
        assert found >= 0, f"{one!r} is not told behind {text[:at][-60:]!r}"
        at = found + len(one)


def test_orders_answer(hall: Hall) -> None:
    hall.start("early: yes\nall in delay: 30m")
    place(hall, "S1901M", datetime(2026, 12, 5, 20, tzinfo=UTC), START)
    hall.instant = datetime(2026, 12, 3, 15, 58, 40, tzinfo=UTC)
    hall.order(
        "FRANCE",
        "Hi judge, I hope this is how it works. par – bur, Mar s Par-Bur\n"
        "Fleet Brest to mid atlantic",
    )
    subject, text, verdict = written(hall, FRANCE)
    assert subject == "[Judge] balkan S1901M orders complete (3 of 3)"
    assert verdict == "Orders complete: 3 of 3."
    in_order(
        text,
        "France, Spring 1901 movement, game balkan.",
        "A PAR - BUR Army Paris moves to Burgundy.",
        "A MAR S A PAR - BUR Army Marseilles supports Paris to Burgundy.",
        "F BRE - MAO Fleet Brest moves to the Mid-Atlantic Ocean.",
        "Due: Sat 5 Dec 2026, 21:00 in Paris (20:00 UTC), in 2 days 4 hours.",
        "To change an order, reply with that order alone; the others stay.",
        "To start again, reply CLEAR.",
        "Not read as orders, and shown to nobody:",
        '"Hi judge, I hope this is how it works."',
        "Set 1, arrived Thu 3 Dec 2026, 16:58 in Paris (15:58:40 UTC).",
    )
    assert re.search(r"^Receipt [0-9A-Z]{4}-[0-9A-Z]{2}\.$", text, re.MULTILINE)


def test_orders_answer_says_when_a_phase_runs_early(hall: Hall) -> None:
    """The first phase waits for everybody, so its answers do not say this of the model."""
    hall.start("early: yes\nall in delay: 30m")
    place(hall, "S1902M", datetime(2026, 12, 5, 20, tzinfo=UTC), START)
    hall.order("FRANCE", OPENINGS["FRANCE"])
    in_order(
        written(hall, FRANCE)[1],
        "Due:",
        "If all powers are complete sooner, the phase runs 30 minutes after the last change.",
        "Reply WAIT and it will not run before the deadline.",
    )


def test_orders_answer_in_korean(hall: Hall) -> None:
    hall.start("early: yes\nall in delay: 30m")
    hall.order("FRANCE", "SET LANGUAGE ko\nSET ZONE Asia/Seoul")
    place(hall, "S1902M", datetime(2026, 12, 5, 20, tzinfo=UTC), START)
    hall.instant = datetime(2026, 12, 3, 15, 58, 40, tzinfo=UTC)
    hall.order(
        "FRANCE",
        "심판님, 이렇게 보내면 되나요?\n"
        "파리-버건디 / 마르세유, 지원, 파리-버건디 / 해 브레스트-중대서양",
    )
    subject, text, verdict = written(hall, FRANCE)
    assert subject == "[Judge] balkan S1902M 명령 접수 완료 (3/3)"
    assert verdict == "명령이 모두 접수되었습니다 (3개 중 3개)."
    in_order(
        text,
        "프랑스, 1902년 봄 이동 단계, 게임 balkan",
        "육군, 파리 - 버건디",
        "A PAR - BUR",
        "육군, 마르세유, 지원, 육군, 파리 - 버건디",
        "A MAR S A PAR - BUR",
        "해군, 브레스트 - 중대서양",
        "F BRE - MAO",
        "2026년 12월 6일(일) 05:00 서울",
        "12월 5일 20:00 UTC",
        "2일 4시간",
        "30분",
        '"기다림"',
        "그 명령만 답장으로",
        '"모두 지움"',
        "아무에게도 전하지 않았습니다",
        '"심판님, 이렇게 보내면 되나요?"',
        "1차 접수: 2026년 12월 4일(금) 00:58 서울",
        "15:58:40 UTC",
        "접수 번호",
    )


def test_answer_to_a_letter_that_could_not_be_stored_whole(hall: Hall) -> None:
    hall.start("early: no")
    place(hall, "F1901M", datetime(2026, 12, 9, 20, tzinfo=UTC), FALL)
    hall.instant = datetime(2026, 12, 8, 17, 51, 12, tzinfo=UTC)
    hall.order("FRANCE", "Bur-Bel\nF Mao - Spa\nA Mra - Pie")
    subject, text, verdict = written(hall, FRANCE)
    assert subject == "[Judge] balkan F1901M please look: 1 of 3 orders stored"
    assert verdict == "1 of 3 orders is stored. 2 lines need you."
    in_order(
        text,
        "France, Fall 1901 movement, game balkan.",
        "Stored:",
        "A BUR - BEL Army Burgundy moves to Belgium.",
        "Not stored:",
        "1. F Mao - Spa",
        "Spain has two coasts, and your fleet reaches both.",
        "F MAO - SPA/NC (north coast)",
        "F MAO - SPA/SC (south coast)",
        "2. A Mra - Pie",
        'There is no province "Mra". You have an army in Marseilles (MAR).',
        "A MAR - PIE",
        "A reply of YES takes every line that has one proposal, here number 2",
        "umber 1 needs your choice.",
        "If you send nothing more: A BUR - BEL runs",
        "hold.",
        "Due: Wed 9 Dec 2026, 21:00 in Paris (20:00 UTC), in 1 day 2 hours.",
        "Set 1, arrived Tue 8 Dec 2026, 18:51 in Paris (17:51:12 UTC).",
        "Receipt",
    )
    # YES takes number 2, and nothing else.
    hall.order("FRANCE", "YES")
    stored = {line.text for line in hall.game().order_set("FRANCE")}  # type: ignore[arg-type]
    assert stored == {"A BUR - BEL", "A MAR - PIE"}


def test_phase_result(hall: Hall) -> None:
    hall.start("grace: 24h\nall in delay: 30m")
    hall.register("cara@example.test", "Cara")
    hall.post("cara@example.test", "STANDBY balkan", reply_to=hall.last("cara@example.test"))
    place(hall, "S1902M", datetime(2026, 12, 11, 21, 0, tzinfo=UTC), SPRING)
    for power, lines in SENT.items():
        hall.order(power, lines.replace(", ", "\n"))
    hall.run_phase()
    hall.pass_time(timedelta(0))
    (row,) = [one for one in hall.out if one.recipient == FRANCE and one.kind == "results"][-1:]
    subject, _, text = hall.text(row).replace("\r", "").partition("\n\n")
    assert re.fullmatch(
        r"\[Judge\] balkan S1902M results: A BUR dislodged, retreat by \w{3} \d\d:\d\d", subject
    )
    assert text.partition("\n")[0] == "Your army in Burgundy is dislodged. It can retreat."
    in_order(
        text,
        "Germany attacked from Munich; England's army in Belgium supported it.",
        "Reply with one of these lines:",
        "A BUR R GAS retreat to Gascony",
        "A BUR R PAR retreat to Paris",
        "A BUR D disband",
        "Due: ",
        "in Paris",
        "UTC), in ",
        "Without an answer the army is disbanded.",
        "Your 5 orders: 3 succeeded, 2 failed.",
        "A PAR - PIC succeeded",
        "A SPA - POR succeeded",
        "F POR - MAO succeeded",
        "A BUR - BEL failed: Belgium held, 1 against 2 (F NTH supported it)",
        "not cut, because it was for the attack on Burgundy itself",
        "A MAR - PIE failed: standoff with A VEN - PIE, 1 against 1",
        "The others' orders. Failed ones follow the word failed",
        "Austria: A BUD S A SER, A SER H, A TRI - TYR, F GRE H",
        "failed: A VIE - GAL (1 against 2, A UKR with A WAR)",
        "England: A BEL S A MUN - BUR, F EDI - NWG, F LON - ENG, F NTH S A BEL, F NWY H",
        "Germany: A BER - MUN, A HOL H, A KIE - RUH, A MUN - BUR, F DEN H",
        "Italy: A TUN H, F ION - TYS, F NAP - ION",
        "failed: A VEN - PIE (standoff with A MAR - PIE, 1 against 1)",
        "Russia: A SEV - UKR, A STP - FIN, A UKR - GAL, A WAR S A UKR - GAL, F RUM H, F SWE H",
        "Turkey: no orders: A BUL, A CON, A SMY and F BLA held",
        "Closed to retreats: Piedmont (standoff), Munich (the attacker's start).",
        "Turkey sent nothing, neither by the deadline nor in grace (1 day)",
        "and is in civil disorder",
        "keeps the seat",
        "standby is asked for orders",
        "only if nothing comes from the player again",
        "Next: Spring 1902 retreats, for France alone. Nobody else has anything to send.",
        "The game goes on as soon as that is settled.",
    )
    hall.post(FRANCE, "A BUR R GAS", reply_to=row)
    assert "A BUR R GAS" in hall.text(hall.last(FRANCE))


START = """AUSTRIA: A BUD, A VIE, F TRI
ENGLAND: A LVP, F EDI, F LON
FRANCE: A MAR, A PAR, F BRE
GERMANY: A BER, A MUN, F KIE
ITALY: A ROM, A VEN, F NAP
RUSSIA: A MOS, A WAR, F SEV, F STP/SC
TURKEY: A CON, A SMY, F ANK"""
FALL = START.replace("A MAR, A PAR, F BRE", "A MAR, A BUR, F MAO")
SPRING = """AUSTRIA: A BUD, A SER, A TRI, A VIE, F GRE
ENGLAND: A BEL, F EDI, F LON, F NTH, F NWY
FRANCE: A BUR, A MAR, A PAR, A SPA, F POR
GERMANY: A BER, A HOL, A KIE, A MUN, F DEN
ITALY: A TUN, A VEN, F ION, F NAP
RUSSIA: A SEV, A STP, A UKR, A WAR, F RUM, F SWE
TURKEY: A BUL, A CON, A SMY, F BLA"""
SENT = {
    "AUSTRIA": "A BUD S A SER, A SER H, A TRI - TYR, F GRE H, A VIE - GAL",
    "ENGLAND": "A BEL S A MUN - BUR, F EDI - NWG, F LON - ENG, F NTH S A BEL, F NWY H",
    "FRANCE": "A PAR - PIC, A SPA - POR, F POR - MAO, A BUR - BEL, A MAR - PIE",
    "GERMANY": "A BER - MUN, A HOL H, A KIE - RUH, A MUN - BUR, F DEN H",
    "ITALY": "A TUN H, F ION - TYS, F NAP - ION, A VEN - PIE",
    "RUSSIA": "A SEV - UKR, A STP - FIN, A UKR - GAL, A WAR S A UKR - GAL, F RUM H, F SWE H",
}
assert {*SENT} == {*POWERS} - {"TURKEY"}
