"""Players are found by any of their addresses, and no address is two players'."""

import pytest
from msgspec.structs import replace

from judge.errors import StoreError
from judge.store import Changes, Database, PlayerId
from judge.store.players import COLUMNS, SAVE
from tests.store.values import ANNA, BERT, make_player, save


def test_a_player_comes_back_as_they_were_saved(database: Database) -> None:
    anna = make_player(ANNA, "second@example.org", "third@example.org")
    save(database, Changes(players=(anna,)))
    with database.transaction() as tx:
        assert tx.players.get(ANNA) == anna
        assert tx.players.get(PlayerId("nobody")) is None


def test_a_player_is_found_by_any_address_in_any_case(database: Database) -> None:
    anna = make_player(ANNA, "second@example.org")
    save(database, Changes(players=(anna,)))
    with database.transaction() as tx:
        assert tx.players.by_address("Second@Example.org") == anna
        assert tx.players.by_address("anna@example.org") == anna
        assert tx.players.by_address("nobody@example.org") is None


def test_the_first_address_can_change(database: Database) -> None:
    anna = make_player(ANNA, "new@example.org")
    anna = replace(anna, addresses=anna.addresses[::-1], confirmed=False, name="Ann")
    save(database, Changes(players=(anna,)))
    with database.transaction() as tx:
        assert tx.players.get(ANNA) == anna


def test_an_address_given_up_can_be_another_players(database: Database) -> None:
    anna, bert = make_player(ANNA), make_player(BERT)
    swapped = (
        replace(anna, addresses=bert.addresses),
        replace(bert, addresses=anna.addresses),
    )
    save(database, Changes(players=swapped))
    with database.transaction() as tx:
        assert tx.players.by_address("anna@example.org") == swapped[1]
        assert tx.players.by_address("bert@example.org") == swapped[0]


def test_an_address_of_another_player_is_refused(database: Database) -> None:
    with pytest.raises(StoreError):
        save(database, Changes(players=(make_player(ANNA, "BERT@example.org"),)))
    with database.transaction() as tx:
        assert tx.players.get(ANNA) == make_player(ANNA)


def test_saving_a_player_reads_no_table_that_refers_to_players(database: Database) -> None:
    """A new id, even the same one, would have SQLite look through them for rows of the old one."""
    names = dict.fromkeys((*COLUMNS, "attachments", "vacations"))
    with database.transaction() as tx:
        steps = tx.players.run(f"EXPLAIN {SAVE}", names).fetchall()
    assert "OpenWrite" in {step["opcode"] for step in steps}
    assert "OpenRead" not in {step["opcode"] for step in steps}
