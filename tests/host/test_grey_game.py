"""A grey-press game of seven by mail: fake broadcast, postal press, replies, a report, the end."""

from judge.host.messages.press import PressReceived
from judge.store import Status

from .conftest import OPENINGS, POWERS, Hall, address_of
from .press_marks import PressMarks

MASTER, OLGA = "gm@example.test", "olga@example.test"
SETTINGS = "press: grey/white, fake\npress archive: players\nobserver press: any\ngrace: 0"


def order(hall: Hall, power: str, body: str) -> None:
    """Orders in a reply to the newest letter that is no press."""
    who = address_of(power)
    row = [one for one in hall.out if one.recipient == who and one.kind != "press"][-1]
    hall.post(who, body, reply_to=row)


def reply(hall: Hall, power: str, text: str) -> None:
    """A reply to the newest press that somebody got."""
    who = power if "@" in power else address_of(power)
    row = [one for one in hall.out if one.recipient == who and one.kind == "press"][-1]
    hall.post(who, text, reply_to=row)


def test_a_grey_game_of_seven(hall: Hall) -> None:
    hall.start(SETTINGS)
    hall.register(OLGA, "Olga")
    hall.post(OLGA, "OBSERVE balkan", reply_to=hall.last(OLGA))
    marks = PressMarks(hall)
    everybody = (*POWERS, MASTER, OLGA)

    # Grey press by default: nobody sees who wrote it, and the reply finds its writer.
    word = marks.mark("FRANCE", "ENGLAND")
    order(hall, "FRANCE", f"PRESS TO ENGLAND\n{word} shall we?\nENDPRESS")
    told = hall.said(address_of("ENGLAND"), PressReceived)
    assert told.sender == ""
    answer = marks.mark("ENGLAND", "FRANCE")
    reply(hall, "ENGLAND", f"{answer} who asks?")

    # White press, to all but one, with orders in it.
    white = marks.mark("GERMANY", *(set(POWERS) - {"FRANCE"}), MASTER)
    order(hall, "GERMANY", f"WHITE PRESS TO ALL BUT FRANCE\n{white}\nA MUN - BUR\nENDPRESS")
    assert hall.said(address_of("ITALY"), PressReceived).sender == "GERMANY"

    # A fake broadcast, and a reply that goes to the power it names.
    fake = marks.mark("TURKEY", *everybody)
    order(hall, "TURKEY", f"FAKE BROADCAST FROM RUSSIA\n{fake} I attack Turkey!\nENDBROADCAST")
    for power in set(POWERS) - {"TURKEY"}:
        assert hall.said(address_of(power), PressReceived).sender == "RUSSIA"
    angry = marks.mark("AUSTRIA", "RUSSIA")
    reply(hall, "AUSTRIA", f"{angry} how dare you?")

    # Press to some with other readers shown, and QUIET.
    plot = marks.mark("ITALY", "AUSTRIA", "TURKEY")
    line = "FAKE PRESS QUIET TO AUSTRIA, TURKEY FAKE TO AUSTRIA"
    order(hall, "ITALY", f"{line}\n{plot}\nENDPRESS")
    marks.readers[plot].discard(address_of("ITALY"))
    assert hall.said(address_of("TURKEY"), PressReceived).to == ("AUSTRIA",)

    # An observer writes, and the master; postal press waits for the results.
    seen = marks.mark(OLGA, "RUSSIA")
    hall.post(OLGA, f"PRESS TO RUSSIA\n{seen}\nENDPRESS", reply_to=hall.last(OLGA))
    warned = marks.mark(MASTER, "TURKEY")
    hall.post(MASTER, f"PRESS TO TURKEY\n{warned}\nENDPRESS", reply_to=hall.last(MASTER))
    postal = marks.mark("RUSSIA", *everybody)
    order(hall, "RUSSIA", f"POSTAL PRESS\n{postal} I wrote no broadcast.\nENDPRESS")
    assert postal not in "".join(hall.text(row) for row in hall.out if row.recipient == OLGA)
    reported = marks.mark("FRANCE", "GERMANY")
    order(hall, "FRANCE", f"PRESS TO GERMANY\n{reported} you worm\nENDPRESS")
    reply(hall, "GERMANY", "REPORT")
    marks.open_to(reported, MASTER)

    for power in POWERS:
        order(hall, power, OPENINGS[power])
        order(hall, power, "READY")
    hall.run_phase()
    news = [row for row in hall.out if row.kind == "results"]
    assert {row.recipient for row in news} == {*map(address_of, POWERS), MASTER, OLGA}
    assert all(postal in hall.text(row) for row in news)
    marks.check()

    # What does not go out goes to nobody but its writer.
    lost = marks.mark("FRANCE")
    order(hall, "FRANCE", f"PRESS TO Narnia\n{lost}\nENDPRESS")
    open_end = marks.mark("FRANCE")
    order(hall, "FRANCE", f"PRESS TO ITALY\n{open_end}\nSIGNON Fbalkan secret")
    orders = marks.mark("ENGLAND")
    reply(hall, "ENGLAND", f"{orders} I will do\nF NTH - NWY")
    marks.check()

    # The end opens the archive to those who played.
    for power in POWERS:
        order(hall, power, "DRAW")
    assert hall.game().status is Status.FINISHED
    players = (*map(address_of, POWERS), MASTER)
    for one, readers in marks.readers.items():
        if one not in (lost, open_end, orders):
            marks.open_to(one, *players)
            assert readers
    headers = {"Authentication-Results": "mx.judge.test; dkim=pass header.d=example.test"}
    for who in (*players, OLGA):
        hall.post(who, "HISTORY balkan PRESS", headers=headers)
    marks.check()
