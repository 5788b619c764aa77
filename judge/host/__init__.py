"""Play by mail: players, games, seats, deadlines, press, votes, absences; decisions, no I/O."""

from judge.host.answering import Fate, take_letter
from judge.host.blocks import Block, GameRef, KeeperNotice, Refusal
from judge.host.choosing import choose_settings
from judge.host.codec import blocks_from_json, blocks_to_json
from judge.host.deadlines import (
    excuse_absence_of_judge,
    look_at_game,
    next_due,
    tell_mailbox_unreachable,
)
from judge.host.keepers import tell_keepers
from judge.host.keeping import keeper_create, keeper_games, keeper_process, keeper_show
from judge.host.session import House, Session
from judge.host.tokens import Tokens

__all__ = [
    "Block",
    "Fate",
    "GameRef",
    "House",
    "KeeperNotice",
    "Refusal",
    "Session",
    "Tokens",
    "blocks_from_json",
    "blocks_to_json",
    "choose_settings",
    "excuse_absence_of_judge",
    "keeper_create",
    "keeper_games",
    "keeper_process",
    "keeper_show",
    "look_at_game",
    "next_due",
    "take_letter",
    "tell_keepers",
    "tell_mailbox_unreachable",
]
