"""A press game of seven in four languages by mail: a stab, a fake broadcast, a rollback, a takeover
and a draw; nobody reads what is not meant for them until the end opens the archive."""

from datetime import timedelta

from judge.host.messages.command_answers import DiaryTold, Joined
from judge.host.messages.game_events import GameOver, Papers
from judge.host.messages.master_acts import Preview, RolledBack
from judge.host.messages.press import PressReceived
from judge.store import Status

from .conftest import OPENINGS, POWERS, Hall, address_of
from .press_marks import PressMarks
from .test_masters_hand import ask, label

MASTER, BEN, OLGA = "gm@example.test", "ben@example.test", "olga@example.test"
SETTINGS = "press: fake\npress archive: players\ngrace: 0\nstatements: 3d"
LANGUAGES = {"FRANCE": "ko", "TURKEY": "ko", "RUSSIA": "zh_Hant", "ITALY": "ja"}
SIGNED = {"Authentication-Results": "mx.judge.test; dkim=pass header.d=example.test"}
YES = {"ko": "네", "ja": "はい", "zh_Hant": "好", "en": "yes"}
DAY = timedelta(days=1)
FALL = {
    "AUSTRIA": "A VIE - GAL\nA SER H\nF ALB - GRE",
    "ENGLAND": "A YOR - NWY\nF ENG - BRE\nF NTH C A YOR - NWY",
    "FRANCE": "A BUR - BEL\nA SPA - POR\nF MAO - SPA/SC",
    "GERMANY": "A KIE - HOL\nA RUH - BUR\nF DEN - SWE",
    "ITALY": "A APU - VEN\nA VEN - TRI\nF ION - TUN",
    "RUSSIA": "A UKR - RUM\nA WAR - UKR\nF BOT - SWE\nF SEV S A UKR - RUM",
    "TURKEY": "A BUL - GRE\nA CON - BUL\nF ANK - CON",
}


def order(hall: Hall, power: str, body: str) -> None:
    """A letter in reply to the newest one that is no press."""
    who = address_of(power)
    row = [one for one in hall.out if one.recipient == who and one.kind != "press"][-1]
    hall.post(who, body, reply_to=row)


def reply(hall: Hall, power: str, text: str) -> None:
    """A reply to the newest press that somebody got."""
    who = power if "@" in power else address_of(power)
    row = [one for one in hall.out if one.recipient == who and one.kind == "press"][-1]
    hall.post(who, text, reply_to=row)


def all_order(hall: Hall, marks: PressMarks, orders: dict[str, str], *readers: str) -> None:
    for power, lines in orders.items():
        order(hall, power, marks.seal(power, lines, *readers))


def test_a_press_game_of_seven_in_four_languages(hall: Hall) -> None:
    hall.start(SETTINGS)
    for power, language in LANGUAGES.items():
        order(hall, power, f"SET LANGUAGE {language}")
    hall.register(OLGA, "Olga")
    hall.post(OLGA, "OBSERVE balkan", reply_to=hall.last(OLGA))
    marks = PressMarks(hall)

    # Spring: two alliances, a question to the master, diaries and a note.
    west = marks.mark("FRANCE", "ENGLAND")
    order(hall, "FRANCE", f"서신 보내기 영국에게\n{west} 영국 해협을 비워 둡시다.\n서신 끝")
    fine = marks.mark("ENGLAND", "FRANCE")
    reply(hall, "ENGLAND", f"{fine} Agreed, I stay out of the Channel.")
    south = marks.mark("ITALY", "AUSTRIA")
    order(hall, "ITALY", f"書簡 オーストリアへ\n{south} トリエステには入りません。\n書簡終わり")
    trust = marks.mark("AUSTRIA", "ITALY")
    reply(hall, "AUSTRIA", f"{trust} I trust you.")
    east = marks.mark("RUSSIA", "TURKEY", "AUSTRIA")
    order(hall, "RUSSIA", f"外交信 給土耳其、奧地利\n{east} 黑海不駐軍，好嗎？\n外交信結束")
    asked = marks.mark("RUSSIA", MASTER)
    order(hall, "RUSSIA", f"外交信 給主持人\n{asked} 可以冒名寫公開信嗎？\n外交信結束")
    told = marks.mark(MASTER, "RUSSIA")
    reply(hall, MASTER, f"{told} Yes, fake press is allowed here.")
    diary = marks.mark("FRANCE")
    order(hall, "FRANCE", f"일기 쓰기\n{diary} 영국은 믿을 만하다.\n일기 끝")
    noted = marks.mark(MASTER)
    ask(hall, f"NOTE {noted} Russia asks about fake press.")
    ask(hall, "SUMMARY balkan")
    all_order(hall, marks, OPENINGS)
    hall.run_phase()
    marks.check()

    # Fall: Italy and England stab; Germany writes as Russia; the master looks before it runs.
    fake = marks.mark("GERMANY", *POWERS, MASTER, OLGA)
    line = "FAKE BROADCAST FROM RUSSIA"
    order(hall, "GERMANY", f"{line}\n{fake} Sweden is mine, Germany!\nENDBROADCAST")
    for power in {*POWERS} - {"GERMANY"}:
        assert hall.said(address_of(power), PressReceived).sender == "RUSSIA"
    lie = marks.mark("ITALY", "AUSTRIA")
    order(hall, "ITALY", f"書簡 オーストリアへ\n{lie} ヴェネツィアは動かしません。\n書簡終わり")
    plot = marks.mark("ITALY")
    order(hall, "ITALY", f"日記を書く\n{plot} 今度はトリエステを取る。\n日記終わり")
    all_order(hall, marks, FALL, MASTER)
    ask(hall, "PREVIEW")
    assert hall.said(MASTER, Preview).owing == ()
    hall.run_phase()
    marks.check()

    # Austria's letter was lost: the fall is played again, the others' orders are kept.
    assert label(hall) == "W1901A"
    angry = marks.mark("AUSTRIA", "ITALY", MASTER)
    order(hall, "AUSTRIA", f"PRESS TO ITALY, MASTER\n{angry} You liar!\nENDPRESS")
    ask(hall, "ROLLBACK F1901M Austria's letter was lost")
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    assert label(hall) == "F1901M"
    for power in POWERS:
        kept = hall.said(address_of(power), RolledBack).order_set
        assert {one.text for one in kept} == {*FALL[power].splitlines()}
    order(hall, "AUSTRIA", marks.seal("AUSTRIA", "A SER - TRI"))
    for power in POWERS:
        order(hall, power, "READY")
    hall.run_phase()
    assert b"TRI" in (hall.game().state or b"")
    hall.run_phase()
    marks.check()

    # Turkey sends nothing, and somebody new takes the seat and reads none of the old letters.
    assert label(hall) == "S1902M"
    secret = marks.mark("TURKEY", "RUSSIA")
    order(hall, "TURKEY", f"서신 보내기 러시아에게\n{secret} 흑해에서 봅시다.\n서신 끝")
    past = marks.mark("TURKEY")
    order(hall, "TURKEY", f"일기 쓰기\n{past} 이제 그만두고 싶다.\n일기 끝")
    for power in POWERS[:-1]:
        order(hall, power, "READY")
    hall.run_phase()
    ask(hall, "EJECT TURKEY no orders came")
    hall.post(MASTER, "YES", reply_to=hall.last_answer(MASTER))
    hall.post(BEN, "加入 balkan", name="Ben", language="zh-TW")
    hall.post(BEN, "好", reply_to=hall.last(BEN), name="Ben", language="zh-TW")
    assert hall.said(BEN, Joined).seat == "TURKEY"
    hall.post(BEN, "HISTORY balkan PRESS", reply_to=hall.last(BEN))
    hall.post(BEN, "日記列表", reply_to=hall.last(BEN))
    marks.open_to(fake, BEN)  # what was written to all
    assert hall.said(BEN, DiaryTold).notes == ()
    hello = marks.mark(BEN, "RUSSIA")
    hall.post(BEN, f"外交信 給俄羅斯\n{hello} 我是新來的。\n外交信結束", reply_to=hall.last(BEN))
    again = marks.mark("RUSSIA", BEN)
    reply(hall, "RUSSIA", f"{again} 歡迎！")
    ask(hall, "SUMMARY balkan", OLGA)
    marks.check()

    # A draw of all who are left; the archive opens, and after three days statements and diaries.
    said = marks.mark("FRANCE")
    order(hall, "FRANCE", f"소감\n{said} 즐거웠습니다.\n소감 끝")
    thanks = marks.mark(MASTER)
    ask(hall, f"STATEMENT\n{thanks} Well played.\nENDSTATEMENT")
    order(hall, "ITALY", "PROPOSE DRAW")
    for power in {*POWERS} - {"ITALY", "TURKEY"}:
        hall.order(power, YES[LANGUAGES.get(power, "en")])
    hall.post(BEN, "好", reply_to=hall.last(BEN))
    game = hall.game()
    assert (game.status, game.ending, len(game.winners)) == (Status.FINISHED, "draw", 7)
    assert hall.said(BEN, GameOver).ending == "draw"
    marks.check()

    players = (*POWERS, BEN, MASTER)  # whoever has played
    for word in marks.readers:
        if word not in (diary, plot, past, noted, said, thanks):
            marks.open_to(word, *players)
    for who in (*map(address_of, POWERS), BEN, MASTER, OLGA):
        hall.post(who, "HISTORY balkan PRESS", headers=SIGNED)
    marks.check()
    hall.pass_time(4 * DAY)
    assert len(hall.said(BEN, Papers).diaries) == 3
    for word in (diary, plot, past, said, thanks):
        marks.open_to(word, *({*players} - {"TURKEY"}), OLGA)
    marks.check()
