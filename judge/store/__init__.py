"""Everything the judge keeps, in SQLite; the only room that knows SQL."""

from judge.store.database import Database
from judge.store.mail_records import (
    LetterIn,
    LetterState,
    MailboxMark,
    OutboxRow,
    OutboxState,
    StoredLetter,
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
from judge.store.transaction import Store

__all__ = [
    "Applicant",
    "Changes",
    "Database",
    "GameRecord",
    "GameSettings",
    "LetterIn",
    "LetterState",
    "MailboxMark",
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
    "Store",
    "StoredLetter",
    "Timing",
    "Token",
]
