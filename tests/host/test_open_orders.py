"""BROADCAST_ORDERS: games in which everybody reads all orders as they come."""

from judge.host.messages.order_answers import OrdersShown

from .conftest import POWERS, Hall, address_of
from .test_customs import flat
from .test_rules import FRANCE, MASTER

TURKEY = address_of("TURKEY")


def shown(hall: Hall, address: str) -> list[tuple[str, list[str]]]:
    told = hall.was_told(address, OrdersShown)
    return [(one.seat, [line.text for line in one.order_set]) for one in told]


def test_everybody_reads_orders_as_they_come(hall: Hall) -> None:
    hall.start("BROADCAST_ORDERS")
    assert "Orders: everybody reads them as they come" in flat(hall, FRANCE)
    hall.post("zoe@example.test", "OBSERVE balkan", name="Zoe")
    hall.post("zoe@example.test", "YES", reply_to=hall.last("zoe@example.test"), name="Zoe")
    hall.order("FRANCE", "A PAR - BUR")
    hall.order("FRANCE", "A MAR - SPA")
    expected = [("FRANCE", ["A PAR - BUR"]), ("FRANCE", ["A PAR - BUR", "A MAR - SPA"])]
    for address in (MASTER, "zoe@example.test", *(address_of(one) for one in POWERS[3:])):
        assert shown(hall, address) == expected
    assert shown(hall, FRANCE) == []
    text = flat(hall, TURKEY)
    assert "These are the orders of France now." in text
    assert "A MAR - SPA Army Marseilles moves to Spain." in text
    hall.order("FRANCE", "CLEAR")
    assert "France has no orders stored now." in flat(hall, TURKEY)


def test_what_a_master_orders_for_a_player_is_shown_too(hall: Hall) -> None:
    hall.start("open orders: yes")
    hall.post(MASTER, "ACT AS FRANCE\nA PAR - BUR", reply_to=hall.last(MASTER))
    assert shown(hall, TURKEY) == [("FRANCE", ["A PAR - BUR"])]


def test_orders_are_secret_unless_the_game_has_them_open(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "A PAR - BUR")
    assert shown(hall, TURKEY) == []
    assert shown(hall, MASTER) == []
