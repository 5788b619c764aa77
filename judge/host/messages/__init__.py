"""What a letter of the judge says: blocks, the values that `render/letters.py` puts into words.

A letter is a sequence of blocks; the first gives its first line and its subject. Blocks hold values
and no sentences, so that the same letter can be written in any language. They are kept as JSON in
the outbox (`codec.py`).
"""

from judge.host.messages.commands import (
    CommandHelp,
    ConfirmAsked,
    Created,
    Deed,
    Done,
    GameList,
    GameRow,
    GameStatus,
    HelpText,
    JoinAsked,
    Joined,
    NothingFound,
    Registered,
    SettingFault,
    Welcome,
)
from judge.host.messages.orders import (
    AdvanceAnswer,
    AdvanceOpened,
    LateOrders,
    NotRead,
    OrdersAnswer,
    StaleOrders,
)
from judge.host.messages.references import (
    Due,
    GameRef,
    RosterEntry,
)
from judge.host.messages.refusals import (
    AddressAsked,
    KeeperNotice,
    Refusal,
    RefusalKind,
)
from judge.host.messages.running import (
    DeadlineMoved,
    GameOver,
    GameWaits,
    MoveReason,
    Reminder,
    Results,
    SeatChanged,
    SeatEvent,
    Started,
)
from judge.host.messages.talk import (
    PressReceived,
    PressSent,
    Voted,
)

Message = (
    OrdersAnswer
    | AdvanceAnswer
    | StaleOrders
    | LateOrders
    | NotRead
    | Started
    | Results
    | Reminder
    | GameWaits
    | DeadlineMoved
    | SeatChanged
    | GameOver
    | PressReceived
    | PressSent
    | Voted
    | Registered
    | JoinAsked
    | Joined
    | Created
    | GameList
    | GameStatus
    | Done
    | ConfirmAsked
    | HelpText
    | Welcome
    | NothingFound
    | Refusal
    | AddressAsked
    | KeeperNotice
)

__all__ = [
    "AddressAsked",
    "AdvanceAnswer",
    "AdvanceOpened",
    "CommandHelp",
    "ConfirmAsked",
    "Created",
    "DeadlineMoved",
    "Deed",
    "Done",
    "Due",
    "GameList",
    "GameOver",
    "GameRef",
    "GameRow",
    "GameStatus",
    "GameWaits",
    "HelpText",
    "JoinAsked",
    "Joined",
    "KeeperNotice",
    "LateOrders",
    "Message",
    "MoveReason",
    "NotRead",
    "NothingFound",
    "OrdersAnswer",
    "PressReceived",
    "PressSent",
    "Refusal",
    "RefusalKind",
    "Registered",
    "Reminder",
    "Results",
    "RosterEntry",
    "SeatChanged",
    "SeatEvent",
    "SettingFault",
    "StaleOrders",
    "Started",
    "Voted",
    "Welcome",
]
