"""Play by mail: players, games, seats, deadlines, press, votes, absences; decisions, no I/O."""

from judge.host.command import Stage, Topic, Who
from judge.host.commands.questions import yes_no_answers_to
from judge.host.games.choosing import choose_settings
from judge.host.games.deadlines import (
    attach_calendar_events,
    excuse_absence_of_judge,
    excuse_halt,
    look_at_game,
    next_due,
    notify_mailbox_unreachable,
)
from judge.host.games.digests import send_digest
from judge.host.games.ends import score_history
from judge.host.keeper import (
    keeper_create,
    keeper_games,
    keeper_master,
    keeper_process,
    keeper_show,
    setting_faults,
)
from judge.host.letters.answering import Disposition, get_ready, take_letter
from judge.host.messages import Message, messages_from_json, messages_to_json
from judge.host.messages.refusals import KeeperNotice, Refusal, RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.unit_of_work import HostConfig, Tokens, UnitOfWork, has_own_thread, ref_to

__all__ = [
    "Disposition",
    "GameRef",
    "HostConfig",
    "KeeperNotice",
    "Message",
    "Refusal",
    "RefusalKind",
    "Stage",
    "Tokens",
    "Topic",
    "UnitOfWork",
    "Who",
    "attach_calendar_events",
    "choose_settings",
    "excuse_absence_of_judge",
    "excuse_halt",
    "get_ready",
    "has_own_thread",
    "keeper_create",
    "keeper_games",
    "keeper_master",
    "keeper_process",
    "keeper_show",
    "look_at_game",
    "messages_from_json",
    "messages_to_json",
    "next_due",
    "notify_mailbox_unreachable",
    "ref_to",
    "score_history",
    "send_digest",
    "setting_faults",
    "take_letter",
    "yes_no_answers_to",
]
