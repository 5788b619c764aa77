"""Votes of the players: DRAW, CONCEDE, and whatever else PROPOSE puts to a VOTE.

Which ends players may agree on is the rulebook's. All votes go one way (`games/agreements.py`).
"""

import re
from collections.abc import Callable, Sequence
from functools import partial

from judge.clock import parse_duration
from judge.host.command import CommandLine, Handlers, Stage
from judge.host.commands.master import extend
from judge.host.commands.seats import own_seat
from judge.host.games.agreements import (
    carry_out,
    cast,
    may_vote_on_deadline,
    propose,
    proposed_change,
)
from judge.host.games.forming import seats_of
from judge.host.games.orders import sit_again
from judge.host.games.proposals import (
    Kind,
    end_of,
    motion_seen_by,
    motions_for,
    players_maybe_in_play,
)
from judge.host.games.seat_names import find_seat, seats_named
from judge.host.games.setting_values import LONGEST, yes_or_no
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.yes_no import Answer, read_answer
from judge.host.local_words import words_in_all_languages
from judge.host.messages.command_answers import BallotCast, OpenVotes, SettingsRefused
from judge.host.messages.refusals import RefusalKind
from judge.host.permissions import wrong_state
from judge.host.schedules.times import amount_in
from judge.host.unit_of_work import opened
from judge.rulebook import SeatId
from judge.store import Ballots, GameRecord, Proposal, SentLetter

DRAW, SHARED_DRAW, CONCESSION = "draw", "shared_draw", "concession"
NOT_ALLOWED = {
    DRAW: RefusalKind.NO_DRAWS,
    SHARED_DRAW: RefusalKind.NO_SHARED_DRAW,
    CONCESSION: RefusalKind.NO_CONCESSIONS,
}
Run = Callable[[LetterContext, CommandLine], None]
NUMBER = re.compile(r"\d+")
ARTICLE = re.compile(r"\Aan? (?=\w)", re.IGNORECASE)
EXAMPLE = "PROPOSE PAUSE 3d"


# --- ends -----------------------------------------------------------------------------------------


def draw(context: LetterContext, line: CommandLine, *, is_announced: bool = False) -> None:
    """`DRAW`: all who are left share it; `DRAW FRANCE ENGLAND`: these do, where the game has it.

    Rule: rulebook 2000, powers with a unit on the board share an agreed end.
    """
    game, seat = own_seat(context, line)
    written = line.arguments.get("names", "")
    named = _seats_named_in(game, written)
    known = [one.id for one in players_maybe_in_play(game)]
    if written and (not named or not set(known).issuperset(named)):
        raise context.refused(RefusalKind.NO_POWER, game, written=written, nearest=known)
    is_shared = bool(named) and set(named) != set(known)
    kind, seats = (SHARED_DRAW, named) if is_shared else (DRAW, ())
    _propose_end(context, game, Proposal(0, kind, seat.id, seats, is_announced=is_announced))


def concede(context: LetterContext, line: CommandLine, *, is_announced: bool = False) -> None:
    """`CONCEDE TO FRANCE`: it has won when all others say so."""
    game, seat = own_seat(context, line)
    written = line.arguments["names"]
    named = find_seat(seats_of(game), written)
    side = opened(game).team_of(seat.id)
    others = [one.id for one in players_maybe_in_play(game) if one.id not in side]
    if CONCESSION in game.settings.votes and (named is None or named.id not in others):
        raise context.refused(RefusalKind.NO_CONCESSION_TO, game, written=written, known=others)
    seats = opened(game).team_of(named.id) if named else ()
    _propose_end(context, game, Proposal(0, CONCESSION, seat.id, seats, is_announced=is_announced))


def _propose_end(context: LetterContext, game: GameRecord, end: Proposal) -> None:
    if end.kind in game.settings.votes:
        propose(context, game, end.by, end)
    else:
        kind = end.kind if DRAW in game.settings.votes else end.kind.replace(SHARED_DRAW, DRAW)
        raise context.refused(NOT_ALLOWED[kind], game)


def _seats_named_in(game: GameRecord, written: str) -> tuple[SeatId, ...]:
    """The seats that a list names, by names or letters, in the order of the board."""
    seats = seats_of(game)
    parts = [one for one in re.split(r"[\s,;/&+、，]+", written) if one]
    words = [find_seat(seats, part) for part in parts]
    if not any(words) and written.isupper():  # `EFG`, as on the old judges
        words = [find_seat(seats, letter) for letter in "".join(parts)]
        words = words if all(words) else []
    found = {*seats_named(seats, written), *(one.id for one in words if one)}
    return tuple(seat.id for seat in seats if seat.id in found)


def take_back(context: LetterContext, line: CommandLine, *, kinds: Sequence[str]) -> None:
    """`NO DRAW`, `NO CONCEDE`: every vote of one's own for such an end."""
    game, seat = own_seat(context, line)
    if kinds[0] not in game.settings.votes:
        raise context.refused(NOT_ALLOWED[kinds[0]], game)
    own = [one for one in game.proposals if one.kind in kinds and seat.id in one.votes]
    for one in own or [Proposal(0, kinds[0], seat.id)]:
        cast(context, context.work.existing_game(game.name), seat.id, one, None)


# --- proposals ------------------------------------------------------------------------------------


def propose_something(context: LetterContext, line: CommandLine) -> None:
    """`PROPOSE PAUSE 3d`, `PROPOSE REPLACE FRANCE`, `PROPOSE DRAW`: everybody is asked."""
    # The table of all commands has a row of this module.
    from judge.host.commands import COMMAND_OF

    setting = COMMAND_OF["set_setting"]
    proposable: tuple[tuple[Sequence[str], Run], ...] = (
        (COMMAND_OF["draw"].words, partial(draw, is_announced=True)),
        (COMMAND_OF["concede"].words, partial(concede, is_announced=True)),
        (COMMAND_OF["extend"].words, extend),
        (words_in_all_languages("proposals", Kind.PAUSE), _propose_pause),
        (words_in_all_languages("proposals", Kind.REPLACE), _propose_replacement),
        ((*setting.words, *setting.fields), _propose_setting),
    )
    written, game = ARTICLE.sub("", line.arguments["names"]), context.game()
    begun = [
        (len(word), run)
        for words, run in proposable
        for word in words
        if re.match(rf"{re.escape(word)}(?![a-z])", written, re.IGNORECASE)
    ]
    if not begun:
        raise context.refused(RefusalKind.NO_PROPOSAL, game, written=written, usage=EXAMPLE)
    length, run = max(begun, key=lambda one: one[0])
    rest = written[length:].strip(" :")
    run(context, line.with_arguments(names=rest, time=rest, all=written))


def _propose_pause(context: LetterContext, line: CommandLine) -> None:
    (game, seat), rest = own_seat(context, line), line.arguments["time"]
    if (why := wrong_state(game, Stage.RUNNING)) is not None:
        raise context.refused(why, game)
    if not may_vote_on_deadline(game):
        raise context.refused(RefusalKind.NO_PAUSE, game)
    try:
        length = parse_duration(amount_in(rest) or rest)
    except ValueError:
        length = None
    if not length or length > LONGEST:
        raise context.refused(RefusalKind.NO_PROPOSAL, game, written=line.written, usage=EXAMPLE)
    new = Proposal(0, Kind.PAUSE, seat.id, length=length, is_announced=True)
    propose(context, game, seat.id, new)


def _propose_replacement(context: LetterContext, line: CommandLine) -> None:
    (game, seat), rest = own_seat(context, line), line.arguments["names"]
    named = _seats_named_in(game, rest)
    held = [one.id for one in game.seats if one.player and one.id != seat.id]
    if len(named) != 1 or named[0] not in held:
        raise context.refused(
            RefusalKind.NO_POWER, game, written=rest or line.written, nearest=held
        )
    propose(context, game, seat.id, Proposal(0, Kind.REPLACE, seat.id, named, is_announced=True))


def _propose_setting(context: LetterContext, line: CommandLine) -> None:
    """`PROPOSE SET grace 12h`, `PROPOSE grace: 12h`: read as the master's own SET."""
    from judge.host.commands import COMMAND_OF, COMMAND_PARSER

    game, seat = own_seat(context, line)
    written, command = line.arguments["all"], COMMAND_OF["set_setting"]
    is_set = any(written.upper().startswith(word) for word in command.words)
    read = COMMAND_PARSER.read(written if is_set else f"{command.words[0]} {written}")
    fields = [one.fields for one in read if isinstance(one, CommandLine) and one.fields]
    if len(read) != 1 or not fields or len(fields[0]) != 1:
        raise context.refused(RefusalKind.NO_PROPOSAL, game, written=written, usage=EXAMPLE)
    ((setting, value),) = fields[0].items()
    new = Proposal(0, Kind.SET, seat.id, setting=setting, value=value, is_announced=True)
    change = proposed_change(context.work, game, new)
    if change.faults:
        context.say(SettingsRefused(context.ref(game), change.faults))
    else:
        propose(context, game, seat.id, new)


def vote(context: LetterContext, line: CommandLine) -> None:
    """`VOTE YES`, `VOTE NO 2`: on that proposal, that of the answered letter, or the only one."""
    game, role, written = context.role_game, context.own_role, line.arguments["names"]
    number, said = NUMBER.search(written), NUMBER.sub(" ", written).strip(" #.,:")
    choice: bool | None
    if said.casefold() in words_in_all_languages("proposals", "yes"):
        choice = True
    elif said.casefold() in words_in_all_languages("proposals", "no"):
        choice = False
    else:
        answer, rest = read_answer(said)
        choice = yes_or_no(said) if answer is None or rest else answer is Answer.YES
    if choice is None:
        raise context.bad_command(line, game)
    motions, sent = motions_for(game, role.seat), context.sender.sent
    wanted = int(number[0]) if number else sent.payload.get("number") if sent else None
    found = [one.number for one in motions if wanted in (None, one.number)]
    if len(found) == 1:
        _vote_on(context, game, found[0], choice)
    elif found:
        context.say(OpenVotes(context.ref(game), motions, has_asked=True))
    else:
        raise context.refused(RefusalKind.NO_VOTE, game, written=line.written)


def vote_by_reply(context: LetterContext, sent: SentLetter, *, choice: bool) -> None:
    """A yes or no to the letter that has told of a proposal."""
    _vote_on(context, context.role_game, int(str(sent.payload["number"])), choice)


def _vote_on(context: LetterContext, game: GameRecord, number: int, choice: bool) -> None:
    role = context.role
    proposal = next((one for one in game.proposals if one.number == number), None)
    if proposal is None or role is None:
        raise context.refused(RefusalKind.EXPIRED, game)
    if role.seat is not None:
        game = sit_again(context, game, role.seat)
        if role.seat in proposal.seats and proposal.kind in (Kind.REPLACE, CONCESSION):
            raise context.refused(RefusalKind.NO_VOTE, game, written="")
        cast(context, game, role.seat, proposal, choice)
    elif choice and end_of(game, proposal.kind) is None:
        # Its master decides alone what is no end of the game.
        motion = motion_seen_by(game, proposal, None)
        context.say(BallotCast(context.ref(game), motion, is_agreed=True))
        carry_out(context.work, game, proposal, by_master=True)
    else:
        raise context.refused(RefusalKind.NOT_A_PLAYER, game)


def votes(context: LetterContext, _line: CommandLine) -> None:
    """What is voted on, as far as the reader may know."""
    game = context.role_game
    is_secret = game.settings.ballots is Ballots.SECRET
    seat, is_running = context.seat_in(game), bool(game.state) and not game.ending
    motions = motions_for(game, seat) if is_running else ()
    may_pause = is_running and seat is not None and may_vote_on_deadline(game)
    told = OpenVotes(context.ref(game), motions, is_secret=is_secret, may_pause=may_pause)
    context.say(told)


HANDLERS: Handlers = {
    "votes": votes,
    "draw": draw,
    "no_draw": partial(take_back, kinds=(DRAW, SHARED_DRAW)),
    "concede": concede,
    "no_concession": partial(take_back, kinds=(CONCESSION,)),
    "propose": propose_something,
    "vote": vote,
}
