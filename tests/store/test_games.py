"""Games come back as they were saved, one save touches little, and the clock finds what is due."""

import logging
import sqlite3
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.errors import StoreError
from judge.rulebook import AdvanceOrders, Line, Phase, SeatId
from judge.store import (
    Applicant,
    Changes,
    Database,
    Ending,
    GameRecord,
    GameSettings,
    PlayerId,
    Press,
    SeatRecord,
    Status,
    Timing,
)
from judge.store.games import DUE_GAMES, NEXT_DUE
from tests.store.values import (
    ANNA,
    BERT,
    CARA,
    FRANCE,
    HOUR,
    ITALY,
    NOON,
    PLAYERS,
    make_active,
    make_finished,
    make_forming,
    make_phase,
    make_press,
    save,
)


def load(database: Database, name: str = "balkan") -> GameRecord | None:
    with database.transaction() as store:
        return store.game(name)


@pytest.mark.parametrize("make", [make_forming, make_active, make_finished])
def test_a_game_comes_back_as_it_was_saved(database: Database, make) -> None:
    save(database, Changes(games=(make(),)))
    assert load(database) == make()


def test_the_sample_games_fill_every_field() -> None:
    samples = (make_forming(), make_active(), make_finished())
    for field in fields(GameRecord):
        if field.name == "halted":
            continue  # no host saves it
        assert any(getattr(sample, field.name) for sample in samples), field.name


def test_a_game_passes_through_its_whole_life(database: Database) -> None:
    for stage in (make_forming(), make_active(), make_finished(), make_forming()):
        save(database, Changes(games=(stage,)))
        assert load(database) == stage


# --- any game at all ------------------------------------------------------------------------------

# Lone surrogates cannot stand in a letter that was decoded; a test below says what becomes of them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PLAYER_IDS = st.sampled_from([ANNA, BERT, CARA])
SEAT_IDS = [SeatId(name) for name in ("AUSTRIA", "ENGLAND", "FRANCE", "ITALY")]
INSTANTS = st.integers(-(10**6), 10**9).map(lambda seconds: NOON + timedelta(seconds=seconds))
LENGTHS = st.integers(0, 10**8).map(lambda seconds: timedelta(seconds=seconds))
JSON = st.dictionaries(
    TEXTS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=5,
    ),
    max_size=3,
)
LINES = st.builds(Line, TEXTS, TEXTS, TEXTS, st.booleans())
SHEETS = st.lists(LINES, min_size=1, max_size=4).map(tuple)
AHEAD = st.dictionaries(TEXTS, SHEETS, min_size=1, max_size=3).map(
    lambda order_sets: tuple(
        AdvanceOrders(label, order_set) for label, order_set in order_sets.items()
    )
)
TIMINGS = st.builds(
    Timing,
    INSTANTS,
    INSTANTS,
    INSTANTS,
    st.none() | INSTANTS,
    st.lists(st.sampled_from(SEAT_IDS), unique=True).map(tuple),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@st.composite
def game_records(draw: st.DrawFn) -> GameRecord:
    seat_ids = draw(st.lists(st.sampled_from(SEAT_IDS), unique=True))
    counts = st.integers(0, 99)
    return GameRecord(
        name="balkan",
        game=draw(TEXTS),
        status=draw(st.sampled_from(Status)),
        master=draw(PLAYER_IDS),
        settings=GameSettings(
            draw(TEXTS),
            draw(TEXTS),
            *(draw(LENGTHS) for _ in range(6)),
            draw(st.sampled_from(Press)),
        ),
        seed=draw(st.binary(max_size=32)),
        created_at=draw(INSTANTS),
        master_hash=draw(TEXTS),
        faults=tuple(draw(st.lists(st.tuples(TEXTS, TEXTS), max_size=2))),
        applicants=tuple(
            Applicant(one, draw(st.none() | st.sampled_from(SEAT_IDS)), draw(TEXTS))
            for one in draw(st.lists(PLAYER_IDS, unique=True))
        ),
        state=draw(st.none() | JSON),
        phase=draw(st.none() | st.builds(Phase, TEXTS, TEXTS, counts, st.booleans())),
        seats=tuple(
            draw(
                st.builds(
                    SeatRecord,
                    st.just(one),
                    st.none() | PLAYER_IDS,
                    TEXTS,
                    st.none() | PLAYER_IDS,
                    counts,
                    st.booleans(),
                    st.booleans(),
                    st.booleans(),
                    st.booleans(),
                    counts,
                )
            )
            for one in seat_ids
        ),
        order_sets={one: draw(SHEETS) for one in seat_ids if draw(st.booleans())},
        advance={seat: draw(AHEAD) for seat in seat_ids if draw(st.booleans())},
        timing=draw(st.none() | TIMINGS),
        ending=draw(st.none() | st.sampled_from(Ending)),
        winners=tuple(draw(st.lists(st.sampled_from(SEAT_IDS), unique=True))),
        due_at=draw(st.none() | INSTANTS),
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=game_records(), second=game_records())
def test_any_game_can_become_any_other(first: GameRecord, second: GameRecord) -> None:
    database = Database(None)
    save(database, Changes(players=PLAYERS, games=(first,)))
    assert load(database) == first
    save(database, Changes(games=(second,)))
    assert load(database) == second
    database.close()


# --- what is written ------------------------------------------------------------------------------


def test_saving_the_same_game_again_writes_nothing(database: Database) -> None:
    save(database, Changes(games=(make_active(),)))
    before = database._tables.conn.total_changes
    save(database, Changes(games=(make_active(),)), cause="another")
    assert database._tables.conn.total_changes == before


def test_one_letters_change_writes_its_own_rows_only(database: Database) -> None:
    game = make_active()
    save(database, Changes(games=(game,)))
    written = []
    database._tables.conn.set_trace_callback(written.append)
    lines = game.order_set(FRANCE)
    game = game.with_order_set(FRANCE, (lines[0], replace(lines[1], text="F BRE - PIC")))
    game = game.with_seat(replace(game.seat(FRANCE), sets=5))
    assert game.timing is not None
    game = replace(game, timing=replace(game.timing, changed_at=NOON + 2 * HOUR))
    save(database, Changes(games=(game,)), cause="letter 12")
    database._tables.conn.set_trace_callback(None)
    changed = [
        sql.split() for sql in written if sql.split()[0] not in ("SELECT", "BEGIN", "COMMIT")
    ]
    assert [(words[0], words[1]) for words in changed] == [
        ("UPDATE", "games"),
        ("UPDATE", "seats"),
        ("UPDATE", "lines"),
    ]
    assert load(database) == game


def test_the_cause_of_the_newest_change_is_kept(database: Database) -> None:
    save(database, Changes(games=(make_forming(),)), cause="letter 3")
    save(database, Changes(games=(make_active(),)), cause="clock")
    cause = database._tables.execute("SELECT cause FROM games").fetchone()
    assert cause == ("clock",)


def test_the_next_phase_takes_the_lines_of_the_last_away(database: Database) -> None:
    game = make_active()
    save(database, Changes(games=(game,)))
    game = replace(game, order_sets={}, phase=Phase("W1901A", "adjustment", 3))
    save(database, Changes(games=(game,)))
    assert load(database) == game
    assert database._tables.execute("SELECT count(*) FROM lines").fetchone() == (0,)


def test_lines_name_the_phase_they_are_for(database: Database) -> None:
    save(database, Changes(games=(make_active(),)))
    rows = database._tables.execute("SELECT DISTINCT serial FROM lines").fetchall()
    assert rows == [(2,)]


def test_an_empty_sheet_is_kept_as_no_sheet(database: Database) -> None:
    save(database, Changes(games=(make_active().with_order_set(ITALY, ()),)))
    assert load(database) == make_active()


def test_parts_of_a_second_are_cut(database: Database) -> None:
    game = replace(make_active(), due_at=NOON + timedelta(microseconds=900_000))
    save(database, Changes(games=(game,)))
    assert load(database) == replace(game, due_at=NOON)


def test_what_utf_8_cannot_hold_becomes_a_question_mark(database: Database) -> None:
    line = Line("PAR", "A PAR H", "A PAR \udcff H")
    save(database, Changes(games=(make_active().with_order_set(FRANCE, (line,)),)))
    loaded = load(database)
    assert loaded is not None
    assert loaded.order_set(FRANCE)[0].written == "A PAR ? H"


# --- promises -------------------------------------------------------------------------------------


def test_game_names_are_the_same_in_any_case(database: Database) -> None:
    save(database, Changes(games=(make_forming("Balkan"),)))
    assert load(database, "BALKAN") == make_forming("Balkan")
    save(database, Changes(games=(replace(make_forming("balkan"), faults=()),)))
    with database.transaction() as store:
        assert store.game_names() == ("Balkan",)
        assert [game.faults for game in store.games()] == [()]


def test_an_unknown_master_is_refused_and_nothing_is_written(database: Database) -> None:
    stranger = replace(make_forming(), master=PlayerId("nobody"))
    with pytest.raises(StoreError):
        save(database, Changes(games=(make_forming("other"), stranger)))
    with database.transaction() as store:
        assert store.game_names() == ()


def test_a_sheet_without_a_seat_is_refused(database: Database) -> None:
    game = make_active().with_order_set(SeatId("TURKEY"), (Line("CON", "A CON H"),))
    with pytest.raises(StoreError):
        save(database, Changes(games=(game,)))


def test_a_seat_that_stands_twice_is_refused(database: Database) -> None:
    game = make_active()
    with pytest.raises(StoreError, match="seats"):
        save(database, Changes(games=(replace(game, seats=game.seats * 2),)))


def test_a_game_that_cannot_be_read_does_not_stop_the_others(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    save(database, Changes(games=(make_active("broken"), make_active("sound"))))
    database._tables.execute("UPDATE states SET state = '{\"form' WHERE game = 'broken'")
    with pytest.raises(StoreError, match="broken"):
        load(database, "broken")
    with database.transaction() as store, caplog.at_level(logging.ERROR):
        assert [game.name for game in store.games()] == ["sound"]
        assert store.due_games(NOON + 3 * HOUR) == ("broken", "sound")
        store.halt_game("broken", "cannot be read")
        assert store.due_games(NOON + 3 * HOUR) == ("sound",)
    assert "game=broken" in caplog.text


# --- lists ----------------------------------------------------------------------------------------


def test_games_are_listed_by_state_and_name(database: Database) -> None:
    games = (make_active("zeta"), make_forming("beta"), make_active("Alpha"), make_finished("eta"))
    save(database, Changes(games=games))
    with database.transaction() as store:
        assert [game.name for game in store.games()] == ["Alpha", "beta", "eta", "zeta"]
        assert store.games(Status.ACTIVE) == (make_active("Alpha"), make_active("zeta"))
        running = store.games(Status.FORMING, Status.FINISHED)
        assert [game.name for game in running] == ["beta", "eta"]
        assert store.games(Status.DRAFT) == ()
        assert store.game_names() == ("Alpha", "beta", "eta", "zeta")


def test_games_of_a_player_are_those_he_has_a_part_in(database: Database) -> None:
    active = make_active("running")
    held = SeatRecord(ITALY, ANNA, "hash", former=BERT)
    games = (
        replace(active, name="retaken", master=CARA, seats=(held,), order_sets={}, advance={}),
        active,
        make_forming("forming"),
        make_finished("finished"),
    )
    save(database, Changes(games=games))
    with database.transaction() as store:
        assert store.games_of(ANNA) == ("forming", "retaken", "running")  # master, applicant, seat
        assert store.games_of(BERT) == ("forming", "running")  # applicant; former of a vacant seat
        assert store.games_of(CARA) == ("retaken", "running")  # master; seat
        assert store.games_of(PlayerId("nobody")) == ()


# --- the clock ------------------------------------------------------------------------------------


def test_due_games_come_the_longest_due_first(database: Database) -> None:
    games = (
        replace(make_active("late"), due_at=NOON - HOUR),
        replace(make_active("later"), due_at=NOON),
        replace(make_active("later2"), due_at=NOON),
        replace(make_active("future"), due_at=NOON + HOUR),
        replace(make_active("never"), due_at=None),
        replace(make_forming("forming"), due_at=NOON - HOUR),
    )
    save(database, Changes(games=games))
    with database.transaction() as store:
        assert store.due_games(NOON) == ("late", "later", "later2")
        assert store.next_due_at() == NOON - HOUR
        assert store.due_games(NOON - 2 * HOUR) == ()


def test_a_halted_game_is_not_due_until_it_is_released(database: Database) -> None:
    save(database, Changes(games=(make_active(),)))
    later = NOON + 9 * HOUR
    with database.transaction() as store:
        store.halt_game("Balkan", "StoreError: phase 2")
        assert store.due_games(later) == ()
        assert store.next_due_at() is None
        assert store.halted_games() == (("balkan", "StoreError: phase 2"),)
    halted = load(database)
    assert halted == replace(make_active(), halted="StoreError: phase 2")
    save(database, Changes(games=(make_active(),)))  # saving it does not release it
    with database.transaction() as store:
        assert store.due_games(later) == ()
        store.release_game("balkan")
        assert store.due_games(later) == ("balkan",)
        assert store.halted_games() == ()
        with pytest.raises(StoreError, match="nowhere"):
            store.halt_game("nowhere", "?")


@pytest.mark.parametrize("query", [DUE_GAMES, NEXT_DUE])
def test_the_clock_does_not_read_all_games(query: str) -> None:
    database = Database(None)
    games = tuple(
        replace(make_forming(f"game{number}"), status=Status.ACTIVE, due_at=NOON + number * HOUR)
        for number in range(2000)
    )
    save(database, Changes(players=PLAYERS, games=games))
    values = [int(NOON.timestamp())] if "?" in query else []
    plan = database._tables.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall()
    steps = [row[3] for row in plan]
    assert len(steps) == 1  # no sorting after it
    assert "SEARCH games USING INDEX games_due (due_at>?" in steps[0]
    with database.transaction() as store:
        assert store.due_games(NOON + HOUR) == ("game0", "game1")
    database.close()


# --- history --------------------------------------------------------------------------------------


def test_finished_phases_and_press_come_back_in_order(database: Database) -> None:
    records = tuple(make_phase(serial) for serial in (1, 2, 3))
    press = (make_press(), replace(make_press(), sender="", to=()))
    save(database, Changes(games=(make_active(),), phases=records[:2], press=press))
    save(database, Changes(phases=records[2:]))
    with database.transaction() as store:
        assert store.phases("Balkan") == records
        assert store.phase("BALKAN", 2) == records[1]
        assert store.phase("balkan", 4) is None
        assert store.phases("nowhere") == ()
        assert store.press("balkan") == press


def test_a_finished_phase_is_never_changed(database: Database) -> None:
    save(database, Changes(games=(make_active(),), phases=(make_phase(),)))
    with pytest.raises(StoreError, match="kept already"):
        save(database, Changes(phases=(replace(make_phase(), missing=()),)))
    for sql in ("UPDATE phases SET label = 'X'", "DELETE FROM phases"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            database._tables.execute(sql)
    with database.transaction() as store:
        assert store.phases("balkan") == (make_phase(),)


def test_a_phase_of_a_newer_format_is_refused_by_name(tmp_path: Path) -> None:
    database = Database(tmp_path / "judge.sqlite")
    save(database, Changes(players=PLAYERS, games=(make_active(),)))
    database._tables.execute(
        "INSERT INTO phases VALUES ('balkan', 1, 'S1901M', 'movement', 1, 0, '{\"format\":2}', '')"
    )
    with database.transaction() as store, pytest.raises(StoreError, match="phase 1 of balkan"):
        store.phase("balkan", 1)
    database.close()
