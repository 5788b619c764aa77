"""Everything the judge keeps, in SQLite; the only package that knows SQL."""

from judge.store.database import Database, NoDatabase
from judge.store.mail_records import (
    LetterIn,
    LetterState,
    OutboxRow,
    OutboxState,
    StoredLetter,
    UidCheckpoint,
)
from judge.store.records import (
    Applicant,
    Changes,
    GameRecord,
    GameSettings,
    OutLetter,
    PhaseRecord,
    Player,
    PlayerId,
    Press,
    PressRecord,
    Purpose,
    SeatRecord,
    SentLetter,
    Status,
    Timing,
    Token,
)
from judge.store.transaction import Transaction

__all__ = [
    "Applicant",
    "Changes",
    "Database",
    "GameRecord",
    "GameSettings",
    "LetterIn",
    "LetterState",
    "NoDatabase",
    "OutLetter",
    "OutboxRow",
    "OutboxState",
    "PhaseRecord",
    "Player",
    "PlayerId",
    "Press",
    "PressRecord",
    "Purpose",
    "SeatRecord",
    "SentLetter",
    "Status",
    "StoredLetter",
    "Timing",
    "Token",
    "Transaction",
    "UidCheckpoint",
]
