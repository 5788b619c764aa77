"""Why something asked for was not done, and what a stranger or the keeper is told."""

from enum import StrEnum

import msgspec

from judge.host.messages.references import GameRef
from judge.rulebook import Values


class RefusalKind(StrEnum):
    """Why something asked for was not done; each has its sentence with the remedy."""

    NO_COMMAND = "no_command"  # written, nearest: a line that looks like a command and is none
    BAD_COMMAND = "bad_command"  # written, usage
    NO_GAME = "no_game"  # written, nearest: list of names
    NO_POWER = "no_power"  # written, nearest: list of seat ids
    WHICH_GAME = "which_game"  # games: the player's
    NOT_SIGNED_ON = "not_signed_on"  # orders from an address without a seat or reply
    WRONG_PASSWORD = "wrong_password"  # noqa: S105  # game
    UNKNOWN_ADDRESS = "unknown_address"  # a token letter from another address: the player is asked
    NOT_A_PLAYER = "not_a_player"  # game
    NOT_MASTER = "not_master"  # game
    NOT_REGISTERED = "not_registered"
    NOT_RUNNING = "not_running"  # game, status
    NAME_TAKEN = "name_taken"  # written
    BAD_NAME = "bad_name"  # written
    GAME_FULL = "game_full"  # game, open: list of games
    SEAT_TAKEN = "seat_taken"  # written: seat, free: list of seat ids
    ALREADY_IN = "already_in"  # game
    NO_PRESS = "no_press"  # game
    NO_GREY = "no_grey"  # game
    NO_DRAWS = "no_draws"  # game
    NO_CONCESSIONS = "no_concessions"  # game
    NO_CONCESSION_TO = "no_concession_to"  # written, known: others in play, held
    NO_RECIPIENT = "no_recipient"  # nobody named, or only unknown ones: written
    EMPTY_PRESS = "empty_press"
    UNCLOSED_PRESS = "unclosed_press"  # first_line: no ENDPRESS follows; sent to nobody
    BAD_TIME = "bad_time"  # written
    PAST_TIME = "past_time"  # written
    BAD_ZONE = "bad_zone"  # written, nearest
    BAD_LANGUAGE = "bad_language"  # written, known
    WRONG_PHASE = "wrong_phase"  # written, label: PROCESS names another phase
    EXPIRED = "expired"  # a reply to a question that was answered or is too old
    TOO_MANY_GAMES = "too_many_games"  # limit
    TOO_MANY_LINES = "too_many_lines"  # limit, unread
    TOO_LARGE = "too_large"  # limit_bytes
    GAME_HALTED = "game_halted"  # game: the keeper is looking at it
    PHASE_RAN = "phase_ran"
    NOTHING_DUE = "nothing_due"  # game, label: orders, but this seat has nothing to send
    NO_PHASE = "no_phase"  # written, nearest: list of labels
    PAST_PHASE = "past_phase"  # written, label: it has run, or will never come
    FAR_PHASE = "far_phase"  # written, label, last: the last that orders can be stored for
    NOTHING_PROPOSED = "nothing_proposed"  # YES to a letter that proposed nothing


class Refusal(msgspec.Struct, frozen=True, tag=True):
    """Something asked for that was not done."""

    kind: RefusalKind
    values: Values = msgspec.field(default_factory=dict)
    game: GameRef | None = None


class AddressAsked(msgspec.Struct, frozen=True, tag=True):
    """To the registered address: a letter with its token came from another one."""

    game: GameRef | None
    written_from: str
    excerpt: str


class KeeperNotice(msgspec.Struct, frozen=True, tag=True):
    """Something the keeper should look at: a letter set aside, a stuck letter, a halted game."""

    # letter_shunted, letter_stuck, mailbox_unreachable, mailbox_back, game_halted
    what: str
    values: Values
