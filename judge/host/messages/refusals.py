"""What was not done, and what a stranger or the keeper is told."""

from enum import StrEnum

import msgspec

from judge.host.messages.shared import GameRef, Message
from judge.rulebook import Values


class RefusalKind(StrEnum):
    """Why something asked for was not done; each has its sentence with the remedy."""

    NO_COMMAND = "no_command"  # written, nearest, choices, first: a line that looks like one
    BAD_COMMAND = "bad_command"  # written, usage, summary: of the command in HELP
    COMMAND_FAILED = "command_failed"  # written: a fault of the judge's
    NO_GAME = "no_game"  # written, nearest: list of names
    NO_GUIDE = "no_guide"  # written
    NO_VARIANT = "no_variant"  # written, nearest: list of variants
    NO_POWER = "no_power"  # written, nearest: list of seat ids
    WHICH_GAME = "which_game"  # games: the player's
    NOT_SIGNED_ON = "not_signed_on"  # orders from an address without a seat or reply
    WRONG_PASSWORD = "wrong_password"  # noqa: S105  # game
    UNKNOWN_ADDRESS = "unknown_address"  # a token letter from another address: the player is asked
    NOT_A_PLAYER = "not_a_player"  # game
    NOT_MASTER = "not_master"  # game
    NOT_IN_PRACTICE = "not_in_practice"  # game: what needs a master, or other people
    NOT_REGISTERED = "not_registered"
    NOT_PROVEN = "not_proven"  # a letter from a player's address that anybody could have written
    NOT_BEGUN = "not_begun"  # written: a player who waits for the start asks for it too early
    HAS_BEGUN = "has_begun"  # game: only before its start
    NOT_FULL = "not_full"  # game: START before everybody is there
    NOT_BEFORE = "not_before"  # game, instants: START before the date that was announced
    NOT_RUNNING = "not_running"  # game, status
    NAME_TAKEN = "name_taken"  # written
    BAD_NAME = "bad_name"  # written
    GAME_FULL = "game_full"  # game, open: list of games
    NEEDS_WORD = "needs_word"  # game: only its join word lets in
    MANY_WORDS = "many_words"  # game, limit, instants: after so many wrong ones none is taken
    NO_OPEN_GAME = "no_open_game"  # for JOIN ANY
    SEAT_TAKEN = "seat_taken"  # written: seat, free: list of seat ids
    MORE_GAMES = "more_games"  # limit, label: the last that was shown
    MORE_HISTORY = "more_history"  # game, limit, label: the next phase, usage: the others
    NO_OBSERVER = "no_observer"  # game, written: they do not observe it
    DEALT_BY_LOT = "dealt_by_lot"  # game, written: nobody can wish for a seat
    ALREADY_IN = "already_in"  # game
    # Press that went to nobody, with its whole `text`.
    NO_PRESS = "no_press"  # game
    NO_GREY = "no_grey"  # game
    NO_WHITE = "no_white"  # game
    NO_FAKE = "no_fake"  # game
    NO_PARTIAL = "no_partial"  # game
    NO_POSTAL = "no_postal"  # game
    POSTAL_ONLY = "postal_only"  # game
    NO_MINOR_PRESS = "no_minor_press"  # game
    NO_LATE_PRESS = "no_late_press"  # game
    NO_OBSERVER_PRESS = "no_observer_press"  # game
    OUT_OF_REACH = "out_of_reach"  # game, known: seats that may be written to
    MUST_ORDER = "must_order"  # game
    LONG_PRESS = "long_press"  # limit: characters
    READERS_VACANT = "readers_vacant"  # readers
    READERS_OUT = "readers_out"  # readers
    READERS_LATE = "readers_late"  # readers
    WRITER_NOT_REACHED = "writer_not_reached"  # of grey press that is answered
    NO_PHRASE = "no_phrase"  # written: no number of the phrase book
    PHRASE_BLANKS = "phrase_blanks"  # written, limit: how many words stand behind the colon
    PHRASE_WORD = "phrase_word"  # written: no place or power
    NO_REPORT = "no_report"  # written: it answers no press
    REPORTED_ALREADY = "reported_already"
    TOO_MANY_REPORTS = "too_many_reports"  # limit: a day
    NO_DRAWS = "no_draws"  # game
    NO_CONCESSIONS = "no_concessions"  # game
    NO_CONCESSION_TO = "no_concession_to"  # written, known: others in play, held
    UNCLOSED_TEXT = "unclosed_text"  # first_line, usage: the end that is missing
    EMPTY_TEXT = "empty_text"  # written, usage
    LONG_TEXT = "long_text"  # limit: characters
    TOO_MANY_NOTES = "too_many_notes"  # limit
    NO_NOTE = "no_note"  # written, known: numbers
    STATEMENTS_CLOSED = "statements_closed"  # game: all has been published
    NOTHING_HIDDEN = "nothing_hidden"  # game: everybody may see who plays what
    NO_REVEAL = "no_reveal"  # game: not before its end, or never
    NO_SHARED_DRAW = "no_shared_draw"  # game: all who are left share a draw
    NO_PROPOSAL = "no_proposal"  # written, usage: nothing that could be voted on
    NO_VOTE = "no_vote"  # written: no such proposal is open
    NO_PAUSE = "no_pause"  # game: its players do not decide on its deadlines
    NO_RECIPIENT = "no_recipient"  # nobody named, or only unknown ones: written
    EMPTY_PRESS = "empty_press"
    UNCLOSED_PRESS = "unclosed_press"  # first_line: no ENDPRESS follows; sent to nobody
    # A written time that is not taken; instants: those that it may mean, ISO 8601, in order.
    BAD_TIME = "bad_time"  # written
    NO_SUCH_TIME = "no_such_time"  # written: 31 Feb, 25:00
    TWO_TIMES = "two_times"  # written, instants
    GAP_TIME = "gap_time"  # written, instants: daylight saving leaves it out
    TWICE_TIME = "twice_time"  # written, instants: daylight saving has it twice
    WRONG_WEEKDAY = "wrong_weekday"  # written, instants
    BAD_DAYS = "bad_days"  # written, usage
    # written, usage: the command; spans: the days that it may mean, as `2026-12-24 - 2027-01-02`
    TWO_DAYS = "two_days"
    TOO_SOON = "too_soon"  # written: a deadline that is to be earlier
    AWAY_TOO_LONG = "away_too_long"  # limit: days that are left
    EXTENSION_TOO_LONG = "extension_too_long"  # limit: hours that are left
    PAST_TIME = "past_time"  # written, instants
    BAD_ZONE = "bad_zone"  # written, nearest
    BAD_LANGUAGE = "bad_language"  # written, known
    WRONG_PHASE = "wrong_phase"  # written, label: PROCESS names another phase
    EXPIRED = "expired"  # a reply to a question that was answered or is too old
    TOO_MANY_GAMES = "too_many_games"  # limit
    TOO_MANY_COMMANDS = "too_many_commands"
    TOO_MANY_LETTERS = "too_many_letters"  # so that no lists are sent
    TOO_MANY_GUESSES = "too_many_guesses"  # game
    LAST_ANSWER = "last_answer"  # for now, to letters that anybody may have forged
    TOO_MANY_LINES = "too_many_lines"  # limit, unread
    TOO_LARGE = "too_large"  # limit_bytes
    TOO_COSTLY = "too_costly"  # reading it would take too long
    GAME_HALTED = "game_halted"  # game: the keeper is looking at it
    GAME_HELD = "game_held"  # game: its master has put it on hold
    BLIND = "blind"  # a blind game, whose position is shown to its players alone
    KNOWS_ALL = "knows_all"  # whoever runs a blind game cannot join when it has begun
    PLAYS_TOO = "plays_too"  # the master has a seat in the game
    NOT_AS = "not_as"  # written: no master does it in a player's place
    NOBODY_ASKED = "nobody_asked"  # written, usage: no one person who could run the game
    MASTER_ALREADY = "master_already"  # written
    PLAYS_IT = "plays_it"  # written: who plays in a game does not run it
    NOT_TOGETHER = "not_together"  # written: somebody in the game keeps apart from them
    TOO_MANY_MASTERS = "too_many_masters"  # limit
    LAST_MASTER = "last_master"  # game
    NO_MASTER = "no_master"  # written, known: names of its masters
    NOBODY_PLAYS = "nobody_plays"  # written: a seat
    NO_ONE_THERE = "no_one_there"  # written: nobody of the game is called so
    TOO_FEW = "too_few"  # limit: players for a game to begin
    HAS_RUN = "has_run"  # the first phase
    BAD_EDIT = "bad_edit"  # written: a line of EDIT
    EDIT_CLASH = "edit_clash"  # written: it contradicts the position
    NO_EDIT_NOW = "no_edit_now"  # label
    NO_ROLLBACK = "no_rollback"  # written, nearest: labels
    NO_REASON = "no_reason"  # written, usage
    PHASE_RAN = "phase_ran"
    NOT_STORED = "not_stored"  # written: CLEAR of a unit without a stored order
    NOTHING_TO_UNDO = "nothing_to_undo"  # UNDO in no reply to an answer that took orders
    NO_WAIT_DUE = "no_wait_due"  # game: WAIT, and the seat has no orders to send in this phase
    NO_WAIT_MAIN = "no_wait_main"  # game: nor in a phase of this kind
    NO_WAIT_NOBODY = "no_wait_nobody"  # game: nor at all
    ONE_YES = "one_yes"  # a letter that asks for a YES to more than one thing
    NO_WAIT_PASSED = "no_wait_passed"  # game: nor once the deadline has passed
    NO_WAIT_MASTER = "no_wait_master"  # game: likewise, where the master runs the phase
    NOTHING_DUE = "nothing_due"  # game, label: orders, but this seat has nothing to send
    NO_PHASE = "no_phase"  # written, nearest: list of labels
    NO_HISTORY = "no_history"  # game, written, nearest, usage: no such phase has run
    NOTHING_RAN = "nothing_ran"  # game, spans: of days; label, last: of its phases
    PAST_PHASE = "past_phase"  # written, label: it has run, or will never come
    FAR_PHASE = "far_phase"  # written, label, last: the last that orders can be stored for
    PRACTICE_RUNNING = "practice_running"  # game: one practice game a player at a time
    BAD_PERSON = "bad_person"  # written: nobody is called so
    NO_PERSON = "no_person"  # written
    INVITED_BEFORE = "invited_before"  # written
    NO_INVITATION = "no_invitation"  # written
    INVITE_LIMIT = "invite_limit"  # limit
    NOT_OPEN = "not_open"  # game: a draft
    NOT_LISTED = "not_listed"  # game
    WHICH_PERSON = "which_person"  # written: several have that name
    NO_PROFILE = "no_profile"  # written: nobody of that name shows a profile
    BAD_ADDRESS = "bad_address"  # written
    NO_ADDRESS = "no_address"  # written: not one of theirs
    LAST_ADDRESS = "last_address"  # written: the only one that they have
    MANY_ADDRESSES = "many_addresses"  # limit
    ADDRESS_TAKEN = "address_taken"  # another player has it
    ADDRESS_WAITS = "address_waits"  # written: it was asked often enough today
    EJECTED = "ejected"  # game: its master, or a vote, has put the writer out
    APART = "apart"  # game: somebody there and they do not play together
    TOO_UNRELIABLE = "too_unreliable"  # game, limit, written: percentages
    TOO_NEW = "too_new"  # game, limit
    OTHER_LEVEL = "other_level"  # game, known: the level that it is for
    NOTHING_PROPOSED = "nothing_proposed"  # YES to a letter that proposed nothing


class Refusal(Message, frozen=True):
    """Something asked for that was not done."""

    kind: RefusalKind
    values: Values = msgspec.field(default_factory=dict)
    game: GameRef | None = None


class AddressAsked(Message, frozen=True):
    """To the registered address: a letter with its token came from another one, or (`is_own`) a new
    letter from it needs a proof. YES carries out what `excerpt` shows."""

    game: GameRef | None
    written_from: str
    excerpt: str
    is_own: bool = False


class PasswordTried(Message, frozen=True):
    """A wrong password was written: to whoever has that seat (`game.seat`; None: the master)."""

    game: GameRef
    written_from: str
    is_closed: bool = False  # too often; for a while no password is taken there


class KeeperNotice(Message, frozen=True):
    """Something the keeper should look at: a letter set aside, a stuck letter, a halted game."""

    # clock_ahead, clock_behind, letter_shunted, letter_stuck, mailbox_unreachable, mailbox_back,
    # game_halted
    what: str
    values: Values
