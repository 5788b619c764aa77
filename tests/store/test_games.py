"""Games come back as they were saved, one save touches little, and the clock finds what is due."""

import json
import logging
import re
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from judge.errors import StoreError
from judge.rulebook import AdvanceOrders, Line, Phase, SeatId, Silence, State
from judge.store import (
    Applicant,
    Changes,
    Database,
    GameRecord,
    GameSettings,
    Master,
    PlayerId,
    Press,
    SeatRecord,
    Status,
    Timing,
)
from judge.store.games import (
    DUE_GAMES,
    JOINABLE,
    NAMES,
    NAMES_BEFORE,
    NAMES_ENDING,
    NAMES_FROM,
    NEXT_DUE,
    PAGE,
    UNLEASED,
)
from judge.store.records import LEASE
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
    """A game as it is kept; its version, which counts the savings, set back to 0."""
    with database.read() as tx:
        game = tx.games.get(name)
    return game and replace(game, version=0)


def change(database: Database, game: GameRecord, cause: str = "test") -> None:
    """Save a game in place of what is kept under its name."""
    with database.transaction() as tx:
        known = tx.games.get(game.name)
        version = known.version if known else 0
        tx.save(Changes(games=(replace(game, version=version),)), cause=cause)


@pytest.mark.parametrize("make", [make_forming, make_active, make_finished])
def test_a_game_comes_back_as_it_was_saved(database: Database, make) -> None:
    save(database, Changes(games=(make(),)))
    assert load(database) == make()


def test_the_sample_games_fill_every_field() -> None:
    practice = replace(make_active(), until="W1903A")
    samples = (make_forming(), make_active(), make_finished(), practice)
    for field in fields(GameRecord):
        if field.name in ("halted", "version"):
            continue  # no host sets them
        assert any(getattr(sample, field.name) for sample in samples), field.name


def test_practice_games_are_on_no_public_list(database: Database) -> None:
    practice = replace(make_active("practice_x"), until="W1903A")
    save(database, Changes(games=(make_active("balkan"), practice)))
    with database.read() as tx:
        assert names(tx.games.page(limit=9)) == ["balkan", "practice_x"]
        assert names(tx.games.page(limit=9, is_public=True)) == ["balkan"]
        assert (
            tx.games.names(limit=9) == tx.games.nearest_names("practice_", limit=9) == ("balkan",)
        )


def test_a_game_passes_through_its_whole_life(database: Database) -> None:
    for stage in (make_forming(), make_active(), make_finished()):
        change(database, stage)
        assert load(database) == stage


# --- any game at all ------------------------------------------------------------------------------

# Lone surrogates cannot stand in a letter that was decoded; a test below says what becomes of them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PLAYER_IDS = st.sampled_from([ANNA, BERT, CARA])
SEAT_IDS = [SeatId(name) for name in ("AUSTRIA", "ENGLAND", "FRANCE", "ITALY")]
INSTANTS = st.integers(-(10**6), 10**9).map(lambda seconds: NOON + timedelta(seconds=seconds))
LENGTHS = st.integers(0, 10**8).map(lambda seconds: timedelta(seconds=seconds))
STATES = st.dictionaries(TEXTS, st.none() | st.integers() | TEXTS, max_size=3).map(
    lambda value: State(json.dumps(value).encode())
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
        masters=tuple(Master(one, draw(TEXTS)) for one in draw(st.lists(PLAYER_IDS, min_size=1))),
        settings=GameSettings(
            draw(TEXTS),
            draw(TEXTS),
            draw(st.dictionaries(TEXTS, LENGTHS, max_size=3)),
            *(draw(LENGTHS) for _ in range(3)),
            draw(st.sampled_from(Press)),
        ),
        seed=draw(st.binary(max_size=32)),
        created_at=draw(INSTANTS),
        faults=tuple(draw(st.lists(st.tuples(TEXTS, TEXTS), max_size=2))),
        applicants=tuple(
            Applicant(one, draw(st.none() | st.sampled_from(SEAT_IDS)), draw(TEXTS))
            for one in draw(st.lists(PLAYER_IDS, unique=True))
        ),
        state=draw(st.none() | STATES),
        phase=draw(st.none() | st.builds(Phase, TEXTS, TEXTS, counts, st.sampled_from(Silence))),
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
                    counts,
                )
            )
            for one in seat_ids
        ),
        order_sets={one: draw(SHEETS) for one in seat_ids if draw(st.booleans())},
        advance={seat: draw(AHEAD) for seat in seat_ids if draw(st.booleans())},
        timing=draw(st.none() | TIMINGS),
        ending=draw(TEXTS),
        winners=tuple(draw(st.lists(st.sampled_from(SEAT_IDS), unique=True))),
        due_at=draw(st.none() | INSTANTS),
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(first=game_records(), second=game_records())
def test_any_game_can_become_any_other(first: GameRecord, second: GameRecord) -> None:
    database = Database(None)
    save(database, Changes(players=PLAYERS, games=(first,)))
    assert load(database) == first
    change(database, second)
    # A game that has begun is never without a state: one that was listed without it keeps it. One
    # that waits for players has none: it begins anew.
    kept = None if second.status is Status.FORMING else first.state
    assert load(database) == replace(second, state=second.state or kept)
    database.close()


# --- what is written ------------------------------------------------------------------------------


def test_a_change_of_a_game_that_somebody_else_has_changed_meanwhile_is_refused(
    database: Database,
) -> None:
    save(database, Changes(games=(make_forming(),)))
    with database.read() as tx:
        first = second = tx.games.get("balkan")
    assert first is not None
    assert first.version == 1
    save(database, Changes(games=(replace(first, faults=()),)))
    for late in (second, make_forming()):  # one read before, and one of a name that is taken
        assert late is not None
        with pytest.raises(StoreError, match="balkan was changed meanwhile"):
            save(database, Changes(games=(late,)))
    assert load(database) == replace(make_forming(), faults=())


def test_a_letters_change_of_a_game_leaves_its_state_and_its_players_alone(
    database: Database,
) -> None:
    save(database, Changes(games=(make_active(),)))
    with database.transaction() as tx:
        game = tx.games.get("balkan")
        assert game is not None
        before = database._tables.conn.total_changes
        game = game.with_seat(replace(game.seat(FRANCE), sets=5))
        tx.save(Changes(games=(game,)), cause="letter 12")
        assert database._tables.conn.total_changes == before + 1
    assert load(database) == replace(game, version=0)


def test_the_cause_of_the_newest_change_is_kept(database: Database) -> None:
    save(database, Changes(games=(make_forming(),)), cause="letter 3")
    change(database, make_active(), cause="clock")
    cause = database._tables.execute("SELECT cause FROM games").fetchone()
    assert cause == ("clock",)


def test_no_game_is_due_before_its_instant(database: Database) -> None:
    game = replace(make_active(), due_at=NOON + timedelta(microseconds=100))
    save(database, Changes(games=(game,)))
    assert load(database) == game
    with database.read() as tx:
        assert tx.games.due(NOON) == ()
        assert tx.games.next_due_at() == NOON + timedelta(seconds=1)


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
    change(database, replace(make_forming("balkan"), faults=()))
    with database.transaction() as tx:
        assert tx.games.names(limit=9) == ("Balkan",)
        assert [game.faults for game in tx.games.page(limit=9)] == [()]


def test_an_unknown_master_is_refused_and_nothing_is_written(database: Database) -> None:
    stranger = replace(make_forming(), masters=(Master(PlayerId("nobody")),))
    with pytest.raises(StoreError):
        save(database, Changes(games=(make_forming("other"), stranger)))
    with database.transaction() as tx:
        assert tx.games.count() == 0


def test_a_game_that_cannot_be_read_does_not_stop_the_others(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    save(database, Changes(games=(make_active("broken"), make_active("sound"))))
    database._tables.execute("UPDATE games SET record = '{\"form' WHERE name = 'broken'")
    with pytest.raises(StoreError, match="broken"):
        load(database, "broken")
    with database.transaction() as tx, caplog.at_level(logging.ERROR):
        assert [game.name for game in tx.games.page(limit=9)] == ["sound"]
        assert tx.games.due(NOON + 3 * HOUR) == ("broken", "sound")
        tx.games.halt("broken", "cannot be read")
        assert tx.games.due(NOON + 3 * HOUR) == ("sound",)
    assert "game=broken" in caplog.text


# --- lists ----------------------------------------------------------------------------------------


def names(games: tuple[GameRecord, ...]) -> list[str]:
    return [game.name for game in games]


def test_games_are_listed_by_state_and_name_page_by_page(database: Database) -> None:
    games = (make_active("zeta"), make_forming("beta"), make_active("Alpha"), make_finished("eta"))
    save(database, Changes(games=games))
    with database.read() as tx:
        assert names(tx.games.page(limit=9)) == ["Alpha", "beta", "eta", "zeta"]
        assert names(tx.games.page(limit=2)) == ["Alpha", "beta"]
        assert names(tx.games.page(limit=2, after="beta")) == ["eta", "zeta"]
        (alpha, _) = tx.games.page(Status.ACTIVE, limit=9)
        assert alpha == replace(make_active("Alpha"), state=None, version=1)
        assert names(tx.games.page(Status.FORMING, Status.FINISHED, limit=9)) == ["beta", "eta"]
        assert tx.games.page(Status.DRAFT, limit=9) == ()
        assert (tx.games.count(), tx.games.count(Status.ACTIVE)) == (4, 2)
        assert tx.games.names(limit=3) == ("Alpha", "beta", "eta")
        assert tx.games.names(Status.ACTIVE, limit=9) == ("Alpha", "zeta")


def test_games_that_form_or_have_a_vacant_seat_can_be_joined(database: Database) -> None:
    full = replace(make_active("full"), seats=(SeatRecord(FRANCE, CARA, "hash"),))
    ended = replace(make_active("ended"), status=Status.FINISHED)
    games = (make_active("vacant"), full, ended, make_forming("forming"))
    draft = replace(make_forming("draft"), status=Status.DRAFT)
    save(database, Changes(games=(*games, draft)))
    with database.read() as tx:
        assert names(tx.games.joinable(limit=9)) == ["forming", "vacant"]
        assert names(tx.games.joinable(limit=9, after="forming")) == ["vacant"]


def test_the_names_that_may_have_been_meant_are_found(database: Database) -> None:
    listed = [f"game{number:04}" for number in range(500)]
    games = [make_forming(name) for name in (*listed, "balkan", "zebra")]
    save(database, Changes(games=(*games, replace(make_forming("balken"), status=Status.DRAFT))))
    with database.read() as tx:
        for written in ("balkn", "BALKAN", "alkan", "xalkan", "balkanx", "blakan"):
            assert tx.games.nearest_names(written, limit=3) == ("balkan",), written
        assert "game0123" in tx.games.nearest_names("gam0123", limit=3)
        assert "game0123" in tx.games.nearest_names("game01233", limit=9)
        for far in ("", "%", "한국" * 50_000, "qqqqqqq"):
            assert tx.games.nearest_names(far, limit=3) == ("balkan", "game0000", "game0001")


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (PAGE, "games_of_status (status=? AND name>?)"),
        (JOINABLE, "games_open (name>?)"),
        (NAMES, "games_of_status (status=?)"),
        (NAMES_FROM, "(name>?)"),
        (NAMES_BEFORE, "(name<?)"),
        (NAMES_ENDING, "games_of_status (status=?)"),
    ],
)
def test_no_letter_reads_all_games(query: str, index: str) -> None:
    (step,) = plan_of(query)
    assert step.startswith("SEARCH games USING ")
    assert step.endswith(f"INDEX {index}") or step.endswith(f" {index}")


def plan_of(query: str) -> list[str]:
    database = Database(None)
    games = tuple(
        replace(make_forming(f"game{number}"), status=Status.ACTIVE, due_at=NOON + number * HOUR)
        for number in range(2000)
    )
    save(database, Changes(players=PLAYERS, games=games))
    plan = database._tables.execute(f"EXPLAIN QUERY PLAN {query}", [1] * query.count("?"))
    steps = [row[3] for row in plan.fetchall()]
    database.close()
    return steps


def test_games_of_a_player_are_those_he_has_a_part_in(database: Database) -> None:
    active = make_active("running")
    held = SeatRecord(ITALY, ANNA, "hash", former=BERT)
    games = (
        replace(
            active,
            name="retaken",
            masters=(Master(CARA),),
            seats=(held,),
            order_sets={},
            advance={},
        ),
        active,
        make_forming("forming"),
        make_finished("finished"),
    )
    save(database, Changes(games=games))
    with database.transaction() as tx:
        assert tx.games.of_player(ANNA) == (
            "forming",
            "retaken",
            "running",
        )  # master, applicant, seat
        assert tx.games.of_player(BERT) == (
            "forming",
            "running",
        )  # applicant; former of a vacant seat
        assert tx.games.of_player(CARA) == ("retaken", "running")  # master; seat
        assert tx.games.of_player(PlayerId("nobody")) == ()


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
    with database.transaction() as tx:
        assert tx.games.due(NOON) == ("forming", "late", "later", "later2")
        assert tx.games.next_due_at() == NOON - HOUR
        assert tx.games.due(NOON - 2 * HOUR) == ()


def test_a_halted_game_is_not_due_until_it_is_released(database: Database) -> None:
    save(database, Changes(games=(make_active(),)))
    later = NOON + 9 * HOUR
    with database.transaction() as tx:
        tx.games.halt("Balkan", "StoreError: phase 2")
        assert tx.games.due(later) == ()
        assert tx.games.next_due_at() is None
        assert tx.games.halted() == (("balkan", "StoreError: phase 2"),)
    halted = load(database)
    assert halted == replace(make_active(), halted="StoreError: phase 2")
    change(database, make_active())  # saving it does not release it
    with database.transaction() as tx:
        assert tx.games.due(later) == ()
        tx.games.halt("balkan", None)
        assert tx.games.due(later) == ("balkan",)
        assert tx.games.halted() == ()
        with pytest.raises(StoreError, match="nowhere"):
            tx.games.halt("nowhere", "?")


@pytest.mark.parametrize("query", [DUE_GAMES, NEXT_DUE, UNLEASED])
def test_the_clock_does_not_read_all_games(query: str) -> None:
    query = re.sub(r":\w+", "?", query)
    steps = plan_of(query)
    assert "SEARCH games USING INDEX games_due (due_at>?" in steps[0]
    assert not any("B-TREE" in step for step in steps)  # no sorting after it


def test_a_due_game_is_looked_at_by_one_worker_at_a_time(database: Database) -> None:
    games = [replace(make_active(f"g{number}"), due_at=NOON) for number in range(3)]
    save(database, Changes(games=tuple(games)))
    with database.transaction() as tx:
        assert tx.games.claim_due(NOON, 9, "me", until=NOON - HOUR) == ()
        assert tx.games.claim_due(NOON, 2, "me") == ("g0", "g1")
        assert tx.games.claim_due(NOON, 9, "other") == ("g2",)
        assert tx.games.claim_due(NOON, 9, "me") == ()
        tx.games.release_claims("me", "g0")
        tx.games.release_claims("me", "g0")
        assert tx.games.claim_due(NOON, 9, "other") == ("g0", "g1")
        assert tx.games.claim_due(NOON + LEASE, 9, "third") == ("g0", "g1", "g2")
    rows = database._tables.execute("SELECT game, attempts FROM game_leases ORDER BY game")
    assert rows.fetchall() == [("g0", 2), ("g1", 3), ("g2", 2)]


def test_games_that_wait_are_left_out_and_those_newly_due_come(database: Database) -> None:
    games = [replace(make_active(f"g{hour}"), due_at=NOON + hour * HOUR) for hour in range(5)]
    save(database, Changes(games=tuple(games)))
    now = NOON + 4 * HOUR
    with database.transaction() as tx:
        assert tx.games.due(now, limit=2, skip=1) == ("g1", "g2")
        waiting = (NOON, NOON + 2 * HOUR)
        assert tx.games.claim_due(now, 9, "me", waiting=waiting) == ("g0", "g3", "g4")
        assert tx.games.claim_due(now, 9, "me") == ("g1", "g2")


# --- history --------------------------------------------------------------------------------------


def test_finished_phases_and_press_come_back_in_order(database: Database) -> None:
    records = tuple(replace(make_phase(serial), times=serial) for serial in (1, 2, 3))
    press = (make_press(), replace(make_press(), sender="", to=()))
    save(database, Changes(games=(make_active(),), phases=records[:2], press=press))
    save(database, Changes(phases=records[2:]))
    with database.transaction() as tx:
        assert tx.phases.of("Balkan") == records
        assert tx.phases.get("BALKAN", 2) == records[1]
        assert tx.phases.get("balkan", 4) is None
        assert tx.phases.of("nowhere") == ()
        assert tx.press.of("balkan") == press


def test_a_finished_phase_is_never_changed(database: Database) -> None:
    save(database, Changes(games=(make_active(),), phases=(make_phase(),)))
    with pytest.raises(StoreError, match="kept already"):
        save(database, Changes(phases=(replace(make_phase(), missing=()),)))
    for sql in ("UPDATE phases SET label = 'X'", "DELETE FROM phases"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            database._tables.execute(sql)
    with database.transaction() as tx:
        assert tx.phases.of("balkan") == (make_phase(),)


def test_a_phase_of_a_newer_format_is_refused_by_name(tmp_path: Path) -> None:
    database = Database(tmp_path / "judge.sqlite")
    save(database, Changes(players=PLAYERS, games=(make_active(),)))
    database._tables.execute(
        "INSERT INTO phases VALUES ('balkan', 1, 'S1901M', 0, '{\"format\":2}', '')"
    )
    with database.transaction() as tx, pytest.raises(StoreError, match="phase 1 of balkan"):
        tx.phases.get("balkan", 1)
    database.close()
