"""Players, games and letters for the store's tests: every field filled, none by chance."""

import hashlib
from datetime import UTC, datetime, timedelta

import msgspec

from judge.rulebook import AdvanceOrders, Line, Phase, Report, SeatId, Silence, State
from judge.store import (
    Absence,
    Applicant,
    CalendarEvent,
    Changes,
    Database,
    GameRecord,
    GameSettings,
    Invitation,
    LetterIn,
    Level,
    Master,
    MasterAsked,
    Observer,
    OutLetter,
    PhaseRecord,
    Player,
    PlayerId,
    Press,
    PressKind,
    PressRecord,
    PressReport,
    Proposal,
    Purpose,
    SeatRecord,
    Status,
    Tenure,
    Timing,
    Token,
    Transaction,
    Undone,
)

NOON = datetime(2026, 12, 5, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
ANNA = PlayerId("anna")
BERT = PlayerId("bert")
CARA = PlayerId("cara")
FRANCE = SeatId("FRANCE")
ITALY = SeatId("ITALY")

SETTINGS = GameSettings(
    variant="standard",
    rules="2000",
    lengths={
        "movement": timedelta(days=3),
        "retreat": timedelta(days=1),
        "adjustment": timedelta(hours=12),
    },
    grace=timedelta(hours=6),
    reminder=timedelta(hours=8),
    all_in_delay=timedelta(minutes=30),
    press=Press.GREY,
    choices=(("4.A.2", "szykman"), ("4.B.1", "default_coast")),
    options=(("railway", "false"),),
    votes=("draw",),
)


REPORT = b'{"orders":["A PAR H"]}' * 100


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def make_player(player_id: PlayerId, *others: str) -> Player:
    return Player(
        id=player_id,
        name=f"{player_id} 김",
        language="ko",
        zone="Asia/Seoul",
        addresses=(f"{player_id}@example.org", *others),
        registered_at=NOON,
        confirmed=True,
        vacations=(Absence(NOON, NOON, everywhere=True),),
        level=Level.EXPERT,
    )


PLAYERS = tuple(make_player(one) for one in (ANNA, BERT, CARA))


def make_forming(name: str = "balkan") -> GameRecord:
    return GameRecord(
        name=name,
        game="diplomacy",
        status=Status.FORMING,
        masters=(Master(ANNA, "0a:1b"),),
        settings=SETTINGS,
        seed=bytes(range(32)),
        created_at=NOON,
        faults=(("PRESS", "loud"),),
        applicants=(Applicant(BERT, ITALY, "hash b"), Applicant(ANNA, None, "hash a")),
        waiting=(Applicant(ANNA, None, "hash a", ((ITALY,),), yes_at=NOON),),
        asking=(Applicant(BERT, ITALY, "", yes_at=NOON),),
        observers=(Observer(ANNA, results_only=True),),
        asked_masters=(MasterAsked("dora@example.org", ANNA, NOON, takes_over=True),),
        invited=(
            Invitation("dora@example.org", "hashed", NOON, ITALY),
            Invitation("", "hashed too", NOON, player=CARA, is_declined=True),
        ),
    )


def make_active(name: str = "balkan") -> GameRecord:
    return GameRecord(
        name=name,
        game="diplomacy",
        status=Status.ACTIVE,
        masters=(Master(ANNA),),
        settings=SETTINGS,
        seed=bytes(range(32)),
        created_at=NOON,
        state=State(b'{"format":1,"units":{"FRANCE":["A PAR","F BRE"]},"done":null}'),
        phase=Phase("F1901M", "movement", 2, silence=Silence.ABSENCE),
        seats=(
            SeatRecord(ITALY, None, "hash i", former=BERT, misses=2, standby=CARA),
            SeatRecord(FRANCE, CARA, "hash f", None, 1, True, True, True, 4),
        ),
        order_sets={
            FRANCE: (
                Line("PAR", "A PAR - BUR", "a paris-bur", kept=True),
                Line("BRE", "F BRE - MAO", "함대 브레스트"),
            ),
        },
        advance={
            FRANCE: (
                AdvanceOrders("W1901A", (Line("B PAR", "A PAR B", "build a par"),)),
                AdvanceOrders(
                    "F1901R", (Line("MAO", "IF DISLODGED F MAO R WES", "쫓겨나면", kept=True),)
                ),
            ),
        },
        timing=Timing(
            opened_at=NOON,
            deadline_at=NOON + 72 * HOUR,
            changed_at=NOON + HOUR,
            grace_until=NOON + 78 * HOUR,
            late=(ITALY, FRANCE),
            reminded=True,
            waits=True,
            unreachable=True,
        ),
        due_at=NOON + 2 * HOUR,
        guesses={"FRANCE": (NOON - HOUR,)},
        proposals=(
            Proposal(1, "win", FRANCE, (ITALY,), votes={FRANCE: True}),
            Proposal(
                *(3, "pause", ITALY, (), NOON, HOUR, "press", "grey"),
                votes={FRANCE: False},
                is_announced=True,
            ),
        ),
        proposed=3,
        standby_sets={ITALY: (Line("ROM", "A ROM H", "a rom h"),)},
        standby_advance={ITALY: (AdvanceOrders("F1902M", (Line("ROM", "A ROM H", "h"),)),)},
        held_press=(make_press(name),),
        reports=(PressReport(BERT, "0a1b", NOON),),
        calendars={
            CARA: CalendarEvent(
                *(2, "F1901M", f"{name}-2", NOON + 72 * HOUR, "diplomacy", "standard", FRANCE),
                sequence=3,
                is_cancelled=True,
            )
        },
    )


def make_finished(name: str = "balkan") -> GameRecord:
    game = make_forming(name)
    return GameRecord(
        name=name,
        game=game.game,
        status=Status.FINISHED,
        masters=(Master(ANNA),),
        settings=SETTINGS,
        seed=game.seed,
        created_at=NOON,
        state=State(b'{"format":1}'),
        seats=(SeatRecord(FRANCE, CARA, "hash f"),),
        ending="draw",
        winners=(FRANCE, ITALY),
        next_game="balkan2",
        tenures=(
            Tenure(FRANCE, BERT, "S1901M", 1, "F1901M", 2),
            Tenure(FRANCE, CARA, "F1901M", 2),
        ),
        ended_at=NOON,
        scores={FRANCE: 17, ITALY: 17},
        gaps=((7, 8),),
        undone=(Undone(8, ((3, 4),), 9, "draw", (FRANCE,)),),
        repeats={"F1902M": 2},
        shortened=(ITALY,),
        end_reason="everybody is tired",
        archive_number="2026-17",
        is_revealed=True,
        has_told_all=True,
        ejected=(BERT,),
    )


def make_phase(serial: int = 1, game: str = "balkan") -> PhaseRecord:
    return PhaseRecord(
        game=game,
        phase=Phase("S1901M", "movement", serial, silence=Silence.WAIT),
        state=State(b'{"format":1,"units":{"FRANCE":["A PAR"]}}'),
        order_sets={FRANCE: (Line("PAR", "A PAR H", "파리 hold", kept=True),), ITALY: ()},
        reports=(
            Report(msgspec.Raw(b'{"orders":["A PAR H"]}'), {FRANCE: msgspec.Raw(b'{"own":1}')}),
            Report(msgspec.Raw(b"{}")),
        ),
        missing=(ITALY,),
        processed_at=NOON,
    )


def make_press(game: str = "balkan") -> PressRecord:
    return PressRecord(
        game=game,
        label="S1901M",
        sender="FRANCE",
        to=("ITALY", "MASTER"),
        text="Hé, 안녕?\n",
        sent_at=NOON,
        kind=PressKind.PARTIAL,
        shown_as="ITALY",
        shown_to=("ITALY",),
        people=(CARA, BERT),
    )


def make_out(token: str = "t1", player: PlayerId | None = CARA) -> OutLetter:
    return OutLetter(
        token=Token(token),
        thread=Token("root"),
        player=player,
        recipient="cara@example.org",
        language="ko",
        zone="Asia/Seoul",
        kind="results",
        messages='{"format":2,"messages":[{"type":"Done","text":"é 한"}]}'.encode(),
        created_at=NOON,
        answers="<1@example.org>",
        game="balkan",
        seat=FRANCE,
        serial=2,
        label="F1901M",
        purpose=Purpose.PROPOSALS,
        payload={"lines": ["A PAR - BUR"]},
        documents={digest(REPORT): REPORT},
    )


def make_in(uid: int, message_id: str | None = None, raw: bytes | None = None) -> LetterIn:
    raw = raw if raw is not None else b"letter %d\r\n\xff\x00" % uid
    return LetterIn(
        uid_validity=7,
        uid=uid,
        sha256=hashlib.sha256(raw).hexdigest(),
        message_id=message_id,
        sender="cara@example.org",
        received_at=NOON - HOUR,
        raw=raw,
        taken_at=NOON,
    )


def save(database: Database, changes: Changes, cause: str = "test") -> None:
    with database.transaction() as tx:
        tx.save(changes, cause=cause)


def letter_at(tx: Transaction, uid_validity: int, uid: int) -> int | None:
    """The number of the letter that was seen under a UID, or None."""
    sql = "SELECT letter FROM mailbox_uids WHERE uid_validity = ? AND uid = ?"
    row = tx.letters.run(sql, [uid_validity, uid]).fetchone()
    return row["letter"] if row else None
