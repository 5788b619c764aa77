"""A command of a letter: carried out if its sender may give it; else refused, or asked about."""

import logging
from collections.abc import Sequence
from dataclasses import replace as replace_line

from judge.errors import StoreError, Unavailable
from judge.host.command import Command, CommandLine, Who
from judge.host.commands import COMMAND_OF, COMMAND_PARSER, command_for_bare_words
from judge.host.commands.lists import find_game
from judge.host.commands.questions import QUESTIONS
from judge.host.games.acts import stop_acting_as_power
from judge.host.games.forming import seats_of
from judge.host.games.orders import store_lines
from judge.host.games.seat_names import seats_named
from judge.host.letters import own_words
from judge.host.letters.command_parser import BadCommand, TextLine, together
from judge.host.letters.letter_context import LetterContext, Role, roles_of
from judge.host.letters.requests import resolve
from judge.host.letters.yes_no import MOST_CHOICES
from judge.host.local_words import bilingual_line, said
from judge.host.messages import Message
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.host.permissions import check_right, wrong_state
from judge.host.unit_of_work import opened, savepoint
from judge.rulebook import SeatId, Value
from judge.store import Purpose, Status

WITH_ARGUMENT = ("absence", "vacation", "set_zone")  # alone they ask for what they lack
IN_A_GAME = (Who.READER, Who.IN_GAME, Who.PLAYER, Who.MASTER)
SECRET = ("sign_on", "set_password")  # commands whose lines hold a password
# What a command is told that names what is not there.
UNKNOWN = {
    *(RefusalKind.NO_GAME, RefusalKind.NO_VARIANT, RefusalKind.NO_POWER, RefusalKind.NO_PHASE),
    *(RefusalKind.BAD_NAME, RefusalKind.NO_PERSON, RefusalKind.NO_ONE_THERE),
    *(RefusalKind.BAD_DAYS, RefusalKind.BAD_TIME, RefusalKind.BAD_ZONE, RefusalKind.BAD_LANGUAGE),
    *(RefusalKind.NO_VOTE, RefusalKind.NO_GUIDE, RefusalKind.NOT_STORED, RefusalKind.NO_PROPOSAL),
}
LONGEST_NAME = 2  # characters of one in a script without spaces
log = logging.getLogger(__name__)


def run_command(context: LetterContext, line: CommandLine) -> None:
    """Carry out a command, if the sender may; the lines above it are stored before it counts."""
    with context.saying_refusals():
        is_name = line.command.rule in ("status", "whois")
        asked = command_for_bare_words(line.written) if is_name else None
        if asked is not None and context.work.game(line.arguments.get("game", "")) is None:
            line = CommandLine(asked, {}, line.written)  # `SHOW MAP`: no game is called so
        sent, command = context.sender.sent, line.command
        here, written = context.game(), line.arguments.get("game", "")
        if here and here.state is not None and written and "coming" in command.arguments:
            # `HISTORY S1901M` in a letter of a game: what looks like a phase is no game's name.
            phase = opened(here).phase_named(written)
            is_game = context.work.game(written.lower()) is not None
            if phase is not None and not phase.is_relative and not is_game:
                coming = " ".join(filter(None, (written, line.arguments.get("coming"))))
                line = replace_line(line, arguments={"game": here.name, "coming": coming})
        if command.rule == "yes" and sent and (question := QUESTIONS.get(sent.purpose)):
            command = COMMAND_OF[str(sent.payload.get("rule") or question.command or "yes")]
        named = line.arguments.get("game", "") if command.who in IN_A_GAME else ""
        if named and (context.role is None or context.role.game.lower() != named.lower()):
            roles = roles_of(context.work, context.player) if context.player else []
            own = next((one for one in roles if one.game.lower() == named.lower()), None)
            if own is None:
                find_game(context, named)
            context.sit(own)
        game, player = context.game(), context.player
        after = context.work.game(game.next_game) if game and game.next_game else None
        if game and after and player and command.who in IN_A_GAME:
            # What a game that is over cannot take any more is meant for the next one, which has
            # followed it, if the sender has a part in that; and what it can, where only a running
            # game needs it.
            is_for_next = wrong_state(game, command.when) and not wrong_state(after, command.when)
            if is_for_next or (command.goes_on and after.status is Status.ACTIVE):
                roles = [one for one in roles_of(context.work, player) if one.game == after.name]
                context.sit(next(iter(roles), context.role))
        if context.role and context.role.by_master and command.who is not Who.PLAYER:
            store_lines(context)
            stop_acting_as_power(context)
        role, game = context.role, context.game() if command.who is Who.MASTER else None
        is_masters = game is not None and player is not None and game.is_master(player.id)
        if game and role and is_masters and not (role.is_master or game.is_practice):
            # Who plays in the game as well gives a master's command as its master.
            store_lines(context)
            context.sit(as_master := Role(role.game, None, role.serial, role.label))
            run_command(context, line)
            if context.role == as_master:
                context.sit(role)
            return
        check_right(context, command, line.written)
        if not line.command.adds_lines:
            store_lines(context)
        if game is None or len(game.masters) == 1:
            line.command.run(context, line)
            return
        before, letters = context.work.activity_snapshot(game.name), len(context.work.letters)
        line.command.run(context, line)
        told = {one.player for one in context.work.letters[letters:]}
        others = {one for one in game.master_ids if context.player and one != context.player.id}
        if context.work.activity_snapshot(game.name) != before and not others <= told:
            context.note_for_other_masters(
                game, line.written if line.command is command else command.words[0]
            )


def try_to_run(context: LetterContext, line: CommandLine) -> CommandLine | BadCommand | None:
    """Carry out a command in a savepoint: one that trips a bug changes nothing and is told as not
    done, and the rest of the letter counts. One that names what is not there changes nothing either
    if its line is rather a sentence, `unblock the English player`: what that may ask for."""
    try:
        with savepoint(context, context.work):
            told = len(context.messages)
            run_command(context, line)
            _raise_if_sentence(context, line, context.messages[told:])
    except _RatherSentence as rather:
        return rather.meant
    except (Unavailable, StoreError):
        raise  # not this command's doing: the letter is taken again later, or kept
    except Exception as error:  # else a bug in one command would take the whole letter with it
        log.exception("command failed rule=%s", line.command.rule)
        context.refuse(RefusalKind.COMMAND_FAILED, written=line.written)
        values = {"error": f"{line.command.rule}: {error!r}"}
        context.work.notify_keepers("command_failed", values)
    return None


class _RatherSentence(Exception):
    """A command names what is not there, and its line may ask for something else."""

    def __init__(self, meant: CommandLine | BadCommand) -> None:
        super().__init__(meant)
        self.meant = meant


def _raise_if_sentence(context: LetterContext, line: CommandLine, told: Sequence[Message]) -> None:
    """Raises _RatherSentence if what stands behind a command's word is no name and no date, but the
    rest of a sentence."""
    is_unknown = told and all(isinstance(one, Refusal) and one.kind in UNKNOWN for one in told)
    if not is_unknown or line.in_own_words or line.command.until or line.command.rule in SECRET:
        return
    said = " ".join(line.arguments.values())
    is_date = "time" in line.arguments and any(letter.isdigit() for letter in said)
    words = len(said.split())
    is_long = words > 2 if said.isascii() else words > 1 or len(said) > LONGEST_NAME
    if is_long and not is_date:  # more than `balkan FRANCE`
        meant, _ = command_meant(context, line.written, line.written)
        is_same = isinstance(meant, BadCommand) and meant.nearest.upper() == line.written.upper()
        # `EJECT him at once`
        is_vague = isinstance(meant, BadCommand) and _incomplete_command(meant.line)
        if meant is not None and not (is_same or is_vague):
            raise _RatherSentence(meant)


def command_meant(
    context: LetterContext, line: str, whole: str
) -> tuple[CommandLine | BadCommand | None, bool]:
    """What a line may ask for that is no command, and whether by a pattern. `whole`: all that
    stands beside it."""
    for pieces in (own_words.sentences, own_words.asking_clauses):
        read = [COMMAND_PARSER.request(one, whole, is_alone=True) for one in pieces(line)]
        likely = together(line, [one for one in read if one])
        found = resolve(context, likely, is_alone=True) if likely else None
        if likely is not None and found is not None and not isinstance(found, TextLine):
            return found, any(one.has_pattern for one in likely.readings)
    return None, False


def refuse_command(context: LetterContext, bad: BadCommand) -> None:
    is_setting = bad.command is not None and bad.command.is_inline
    if (is_setting or command_for_bare_words(bad.written) is not None) and not context.is_master:
        context.lines.append(bad.written)  # no setting, and nobody who may change one
        return
    if bad.may_mean("for_phase", ("PHASE", *said("for_phase"))):
        store_lines(context)
        context.aim_at_no_phase()  # the lines below it are for a phase that cannot be told
    rule = next((one for one in SECRET if bad.may_mean(one, COMMAND_OF[one].words)), None)
    if rule is not None:  # its password is kept nowhere and not said again
        context.work.passwords.update(bad.written.split()[1 if rule == "sign_on" else -1 :])
        context.refuse(RefusalKind.BAD_COMMAND, usage=COMMAND_OF[rule].usage)
    elif bad.command is not None and not bad.nearest:
        context.refuse(RefusalKind.BAD_COMMAND, written=bad.written, usage=bad.command.usage)
    else:
        _ask_whether(context, bad)


def _ask_whether(context: LetterContext, bad: BadCommand) -> None:
    """Ask whether a line was meant as a command; YES carries that out, a number another one. Who
    chooses one that cannot do without what the line lacks is told how to write it."""
    game, role, lines = context.game(), context.role, list[str]()
    own = role.seat if role is not None else None
    for line in (bad.line, *bad.others):
        command = _incomplete_command(line)
        if command and command.until and command.arguments == "names" and game is not None:
            # Press that does not say to whom it goes: to the powers that its sentence names.
            found = [one for one in seats_named(seats_of(game), bad.written) if one != own]
            line = f"{line} {', '.join(found)}" if found else line
        lines.append(line)
    if context.player is not None:  # a stranger's YES is to the welcome
        # A line that lacks what it needs gives its place to a complete one of its command (`VOTE`
        # to `VOTE YES`), else it stands last, as a YES takes the first.
        whole = [one for one in lines if _incomplete_command(one) is None]
        first_lines, last_lines = list[str](), list[str]()
        for line in lines:
            command = _incomplete_command(line)
            its_own = [one for one in whole if command and one.startswith(f"{command.words[0]} ")]
            if command is None or its_own:
                first_lines += its_own[:1] or [line]
            else:
                last_lines.append(line)
        lines = [*dict.fromkeys((*first_lines, *last_lines))]
    named = tuple(bad.nearest if one == bad.line else one for one in lines)
    lacking = list(map(_incomplete_command, lines))
    if lacking[0] is not None and len(named) == 1:
        context.refuse(RefusalKind.BAD_COMMAND, written=bad.written, usage=lacking[0].usage)
        return
    for at, one in enumerate(named):
        if own is not None and one.startswith(("SET DEADLINE", "EXTEND")):
            # A player's wish: it goes to the master, in the player's own words.
            lines[at] = f"EXTEND {bad.written}"
    shown = [
        bilingual_line(one, context.language) + (" …" if lack else "")
        for one, lack in zip(named, lacking, strict=True)
    ]
    acting = [context.own_role.seat] if role is not None and role.by_master else []
    acting = acting or [seat for _, seat in context.acted if context.is_master]
    if len(acting) == 1:  # what the master means is meant for that power
        lines = [_in_place_of(acting[0], one) for one in lines]
    asked = context.payload.get("choices", []) if context.purpose is Purpose.PROPOSALS else []
    assert isinstance(asked, list)
    is_numbered = context.purpose in (Purpose.LETTER, Purpose.PROPOSALS)
    is_numbered = is_numbered and not context.asks_of_another_game
    first = len(asked) + 1 if is_numbered and len(asked) + len(lines) <= MOST_CHOICES else 0
    told: dict[str, Value] = {"written": bad.written, "nearest": shown[0], "choices": shown}
    context.say(Refusal(RefusalKind.NO_COMMAND, told | {"first": first}))
    context.ask(Purpose.PROPOSALS, {"commands": lines[:1]})
    if first:
        context.payload = {**context.payload, "choices": [*asked, *lines]}


def _in_place_of(seat: SeatId | None, line: str) -> str:
    """A player's command as a master gives it for a seat; other lines as they are."""
    read, *_ = COMMAND_PARSER.read(line) or (None,)
    command = read.command if isinstance(read, CommandLine | BadCommand) else None
    is_players = command is not None and command.who is Who.PLAYER
    return f"ACT AS {seat}\n{line}\nACT AS MASTER" if is_players else line


def _incomplete_command(line: str) -> Command | None:
    """The command that a line names without what it needs; None if it can be carried out."""
    read, *_ = COMMAND_PARSER.read(line) or (None,)
    if isinstance(read, CommandLine) and read.command.rule in WITH_ARGUMENT and not read.arguments:
        return read.command
    return read.command if isinstance(read, BadCommand) else None
