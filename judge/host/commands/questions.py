"""Questions of the judge's: what a reply of yes to each kind carries out, and what no and any other
reply do.

A question is bound to the letter that asks it. It is answered once, and lapses after some days or,
where it is about the running phase, with that phase.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from judge.clock import from_seconds, to_seconds
from judge.host.command import CommandLine, Handlers, Who
from judge.host.commands.corrections import edit_now
from judge.host.commands.master import (
    open_game,
    process_now,
    purge_now,
    shorten_deadline_now,
    start,
    terminate_now,
)
from judge.host.commands.master_of_seats import (
    dummy_now,
    eject_now,
    force_begin_now,
    swap_now,
    unstart_now,
)
from judge.host.commands.masters import become_master, decline_mastership, demote_now
from judge.host.commands.people import change_address_now, forget_now
from judge.host.commands.seats import resign_now
from judge.host.commands.settings import set_settings_now
from judge.host.commands.votes import vote_by_reply
from judge.host.games.filling import keep_place
from judge.host.games.forming import free_wishes, seats_of
from judge.host.games.invitations import decline
from judge.host.games.joining import answer_applicant, carry_out_join, join, leave
from judge.host.games.orders import store_lines
from judge.host.games.rollback import go_now
from judge.host.games.seat_names import seats_named
from judge.host.letters.command_parser import BadCommand, Item, TextLine
from judge.host.letters.letter_context import LetterContext, Role, role_in
from judge.host.letters.own_words import is_explained, readings
from judge.host.letters.registering import (
    register_from_payload,
    registration_payload,
    say_registered,
)
from judge.host.letters.yes_no import Answer, behind_yes, has_doubt
from judge.host.messages import Message, messages_from_json
from judge.host.messages.command_answers import (
    ApprovalAsked,
    ConfirmAsked,
    Created,
    Deed,
    Invited,
    JoinAsked,
)
from judge.host.messages.game_events import (
    Filling,
    FillingEvent,
    Proposed,
    ReadyToRun,
    SettingsChanged,
)
from judge.host.messages.games import Welcome
from judge.host.messages.master_acts import Mastership, MastershipEvent
from judge.host.messages.people import Personal, PersonalKind, Registered
from judge.host.messages.refusals import AddressAsked, Refusal, RefusalKind
from judge.host.permissions import asking_game, own_games
from judge.rulebook import Values
from judge.store import Purpose, SentLetter, Status

ASKING = (
    *(ReadyToRun, Proposed, ApprovalAsked, ConfirmAsked),
    *(JoinAsked, Invited, Welcome, AddressAsked),
)
ASKING_REFUSALS = (RefusalKind.NO_COMMAND, RefusalKind.WHICH_GAME)


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question.

    Attributes:
        agree: carries out what was asked, for a proven writer.
        command: the rule of the command whose right a YES needs; empty: nobody lacks it.
        is_of_phase: it lapses when the phase runs in which it was asked.
        is_timed: it lapses after some days.
        decline: carries out a NO; None: nothing is done, and that is said.
        stays_open: another answer counts in place of the first.
        proves: whoever has the letter's token reads the letters of the address that was asked.
    """

    agree: Callable[[LetterContext, SentLetter], None]
    command: str = ""
    is_of_phase: bool = False
    is_timed: bool = True
    proves: bool = False
    decline: Callable[[LetterContext, SentLetter], None] | None = None
    stays_open: bool = False


# `Ok`, or a yes with thanks behind it: `네, 감사합니다`.
COURTESY = re.compile(r"\s*(?:O\.?K|\S+?[\s,\uff0c\u3001]+\S)", re.IGNORECASE)


def answer(context: LetterContext, line: CommandLine) -> None:
    """YES carries out what the letter that it answers has asked, and NO leaves it; once."""
    sent, said = context.sender.sent, line.arguments.get("answer")
    is_asked = sent is not None and sent.purpose in (*QUESTIONS, Purpose.CLOSED)
    is_courtesy = COURTESY.match(line.written) is not None
    if sent is not None and not is_asked and is_courtesy and said != Answer.NO:
        return  # `Ok, thanks` below a letter that asks nothing
    if sent is None or not is_asked or not context.sender.proven:
        raise context.refused(RefusalKind.NOTHING_PROPOSED)
    question = QUESTIONS.get(sent.purpose)
    if question is None or not question.stays_open:
        context.work.close_question(sent)
    # A second answer in the same letter finds it answered.
    context.sender = replace(context.sender, sent=replace(sent, purpose=Purpose.CLOSED))
    if sent.purpose is Purpose.CLOSED or has_lapsed(context, sent):
        raise context.refused(RefusalKind.EXPIRED)
    question = QUESTIONS[sent.purpose]
    if said == Answer.NO and question.decline is not None:
        question.decline(context, sent)
    elif said == Answer.NO:
        context.say(Personal(PersonalKind.DECLINED))
    else:
        if choice := line.arguments.get("choice"):
            chosen = _string_list(sent.payload, "choices")[int(choice) - 1]
            sent = replace(sent, payload={"commands": [chosen]})
        question.agree(context, sent)


def has_lapsed(context: LetterContext, sent: SentLetter) -> bool:
    """Whether a question is too old, or its phase has run."""
    question, work = QUESTIONS[sent.purpose], context.work
    if question.is_timed and sent.created_at + work.config.confirm_for < work.now:
        return True
    return question.is_of_phase and _is_of_another_phase(context)


def _is_of_another_phase(context: LetterContext) -> bool:
    game = context.game()
    return context.sender.is_dated or (game is not None and context.is_of_another_phase(game))


def answers_a_question(context: LetterContext) -> bool:
    """Whether a letter replies to a question, beside PROPOSALS, which may be left for another."""
    sent = context.sender.sent
    return sent is not None and sent.purpose in QUESTIONS.keys() - {Purpose.PROPOSALS}


def ask_again(context: LetterContext) -> None:
    """A reply that holds neither an answer nor anything else to do: the question once more."""
    sent, work = context.sender.sent, context.work
    is_open = sent is not None and sent.purpose in QUESTIONS and context.purpose is Purpose.LETTER
    if sent is None or not is_open:
        return
    if has_lapsed(context, sent):
        if not context.messages:
            work.close_question(sent)
            context.refuse(RefusalKind.EXPIRED)
        return
    game = work.game(str(sent.payload.get("game", "")))
    if sent.purpose is Purpose.JOIN and game is not None:
        # It may name the power that its writer wishes for.
        named = seats_named(seats_of(game), " ".join(context.unread))
        free = [one for one in named if one in free_wishes(game)]
        with context.saying_refusals():
            join(context, game, free[0] if len(free) == 1 else str(sent.payload["wish"]), "")
        return
    letter = work.repository.outbox.get(sent.token)
    told = messages_from_json(letter.messages, letter.documents) if letter else ()
    if asked := [one for one in told if asks(one)]:
        context.messages[:0] = asked
        context.ask(sent.purpose, sent.payload)


def asks(message: Message) -> bool:
    """Whether a message asks its reader for a yes or a name."""
    match message:
        case Refusal(kind=kind):
            return kind in ASKING_REFUSALS
        case Registered(confirmed=confirmed):
            return not confirmed
        case Created(is_draft=is_draft):
            return is_draft
        case Personal():
            return message.asks
        case Mastership(event=event):
            return event is MastershipEvent.ASKED
        case SettingsChanged(is_asked=is_asked):
            return is_asked
        case Filling(event=event):
            return event in (FillingEvent.ASKED, FillingEvent.REMINDED, FillingEvent.TO_START)
    return isinstance(message, ASKING)


# --- what a YES does ------------------------------------------------------------------------------


def _take_proposals(context: LetterContext, sent: SentLetter) -> None:
    """Store proposed lines, asking again about those of a phase that is over; commands lapse."""
    context.lines += _string_list(sent.payload, "lines")
    commands = [*_string_list(sent.payload, "commands"), *_string_list(sent.payload, "acts")]
    if commands and _is_of_another_phase(context):
        context.refuse(RefusalKind.EXPIRED)
    else:
        context.agreed += commands
    if ahead := _string_list(sent.payload, "ahead"):
        # Each stands below the label of its phase; what else the letter says keeps its own.
        store_lines(context)
        aim, is_aimless = context.aim, context.is_aimless
        context.lines += ahead
        store_lines(context)
        context.aim, context.is_aimless = aim, is_aimless


def _register(context: LetterContext, sent: SentLetter) -> None:
    """The writer of the question is a player from now on; what waited for that is carried out."""
    player = register_from_payload(context, sent.payload)
    context.sender = replace(context.sender, player=player, proven=True)
    if sent.purpose is Purpose.JOIN:
        carry_out_join(context, sent.payload)
    elif then := str(sent.payload.get("then", "")):
        context.agreed.append(then)
    else:
        say_registered(context)


def _accept_invitation(context: LetterContext, sent: SentLetter) -> None:
    """Whoever is no player yet is one from now on, and joins."""
    if context.player is None:
        player = register_from_payload(context, registration_payload(context))
        context.sender = replace(context.sender, player=player, proven=True)
    game, word = context.work.game(str(sent.payload["game"])), str(sent.payload["word"])
    found = [one for one in game.invited if one.word == word] if game else []
    if game is None or not found or game.status is Status.FINISHED:
        raise context.refused(RefusalKind.EXPIRED)
    join(context, game, "", "", found[0])


def _take_wish(context: LetterContext, sent: SentLetter) -> None:
    if (game := context.game()) is not None:
        join(context, game, str(sent.payload["seat"]), "")


def _give_place_up(context: LetterContext, _sent: SentLetter) -> None:
    if context.role is not None and context.role.is_applicant:
        leave(context, context.role_game)


def _withdraw_application(context: LetterContext, _sent: SentLetter) -> None:
    game = asking_game(context)
    if game is None:
        raise context.refused(RefusalKind.EXPIRED)
    leave(context, game, Deed.WITHDRAWN)


def _string_list(payload: Values, key: str) -> list[str]:
    values = payload.get(key, [])
    assert isinstance(values, list)
    return [str(value) for value in values]


# What a YES of a master carries out, by the command that it needs: the payload's `rule`.
MASTERS: Mapping[str, Callable[[LetterContext, Values], None]] = {
    "terminate": terminate_now,
    "rollback": go_now,
    "rollforward": go_now,
    "edit": edit_now,
    "eject": eject_now,
    "dummy": dummy_now,
    "swap": swap_now,
    "force_begin": force_begin_now,
    "unstart": unstart_now,
    "demote": demote_now,
}
QUESTIONS = {
    Purpose.PROPOSALS: Question(_take_proposals, is_timed=False),
    Purpose.WHICH: Question(_take_proposals),
    Purpose.JOIN: Question(_register, proves=True),
    Purpose.REGISTER: Question(_register, proves=True),
    # "Did you write this?": the kept letter counts as if it stood here.
    Purpose.PROXY: Question(
        lambda context, sent: context.agreed.append(str(sent.payload["body"])), proves=True
    ),
    Purpose.ADDRESS: Question(change_address_now),
    Purpose.FORGET: Question(forget_now, "forget_me"),
    Purpose.MASTERSHIP: Question(become_master, proves=True, decline=decline_mastership),
    Purpose.OPEN: Question(open_game, "open"),
    Purpose.START: Question(start, "start", is_timed=False),
    Purpose.CONFIRM: Question(keep_place, is_timed=False, decline=_give_place_up),
    Purpose.APPROVE: Question(
        partial(answer_applicant, is_granted=True),
        is_timed=False,
        decline=partial(answer_applicant, is_granted=False),
    ),
    # A YES is a courtesy: the master is asked already.
    Purpose.WITHDRAW: Question(
        lambda _, __: None, is_timed=False, decline=_withdraw_application, stays_open=True
    ),
    Purpose.INVITED: Question(_accept_invitation, is_timed=False, proves=True, decline=decline),
    Purpose.WISH: Question(_take_wish, is_timed=False),
    Purpose.RESIGN: Question(resign_now, "resign", is_of_phase=True),
    Purpose.PROCESS: Question(
        lambda context, sent: process_now(context, str(sent.payload["label"])), "process"
    ),
    Purpose.MASTER: Question(
        lambda context, sent: MASTERS[str(sent.payload["rule"])](context, sent.payload),
        is_of_phase=True,
    ),
    Purpose.PURGE: Question(purge_now, "purge"),
    Purpose.SETTINGS: Question(set_settings_now, "set_setting", is_of_phase=True),
    Purpose.VOTE: Question(
        partial(vote_by_reply, choice=True),
        "vote",
        is_timed=False,
        decline=partial(vote_by_reply, choice=False),
        stays_open=True,
    ),
    Purpose.DEADLINE: Question(shorten_deadline_now, "set_deadline"),
}


def is_yes_repeating_question(sent: SentLetter, body: str) -> bool:
    """Whether a reply only asks once more for what is asked: `Yes, I want to join`."""
    question, rest = QUESTIONS.get(sent.purpose), behind_yes(body.strip())
    if question is None or not rest or has_doubt(rest) or rest.endswith(("?", "？")):
        return False
    rules = {question.command, str(sent.payload.get("rule", ""))}
    rules |= {"join", "register"} if question.proves else set()
    names = [str(sent.payload[one]) for one in ("game", "wish") if sent.payload.get(one)]
    return any(
        one.rule in rules and one.has_pattern and one.is_certain and is_explained(one, names)
        for one in readings(rest, is_alone=True)
    )


def yes_no_answers_to(purpose: Purpose) -> tuple[str, ...]:
    """The words of a reply that answer what a letter asks; none if it asks no such thing."""
    question = QUESTIONS.get(purpose)
    if question is None or purpose is Purpose.WHICH:  # a name answers that
        return ()
    yes = () if purpose is Purpose.WITHDRAW else ("YES",)
    return (*yes, "NO") if question.decline is not None else yes


# --- which game -----------------------------------------------------------------------------------


def keep_for_a_game(context: LetterContext, body: str) -> None:
    """Keep a letter for one of its writer's games, as it stands now, until a reply names it."""
    games = [context.work.game(ref.name) for ref in own_games(context)]
    running = [(one.name, one.phase) for one in games if one and one.phase]
    phases = [f"{name} {phase.serial} {phase.label}" for name, phase in running]
    received_at = to_seconds(context.letter.received_at)
    payload: Values = {"received_at": received_at, "phases": phases, **context.payload}
    # What is kept already comes first; what else the letter asks is answered by a YES.
    body = f"{payload.get('body', '')}\n{body}".strip()
    context.purpose, context.payload = Purpose.WHICH, {**payload, "body": body}


def name_game(
    context: LetterContext, items: Sequence[Item], kept: Sequence[Item]
) -> tuple[Item, ...]:
    """A reply that names the game of a kept letter: that letter counts as of its own arrival, and
    before what else the reply holds. Other replies come back as they are."""
    sent, player, work = context.sender.sent, context.player, context.work
    assert sent is not None
    games, named, rest = {ref.name for ref in own_games(context)}, set[str](), list[Item]()
    for item in items:
        text = (item.text if isinstance(item, TextLine) else item.written).casefold()
        # `balkan입니다` names it too.
        found = {one for one in games if re.search(rf"(?<![a-z0-9_]){one}(?![a-z0-9_])", text)}
        named |= found
        rest += [] if found else [item]
    if player is None or len(named) != 1:
        return tuple(items)
    work.close_question(sent)
    context.sender = replace(context.sender, sent=replace(sent, purpose=Purpose.CLOSED))
    game = work.game(named.pop())
    if game is None or has_lapsed(context, sent):
        context.refuse(RefusalKind.EXPIRED, game)
        return ()
    role = role_in(game, player) or Role(game.name, None)
    for name, serial, label in map(str.split, _string_list(sent.payload, "phases")):
        if name == game.name:
            role = replace(role, serial=int(serial), label=label)
    context.role = role
    received_at = from_seconds(int(str(sent.payload["received_at"])))
    context.letter = replace(context.letter, received_at=received_at)
    # Some of its commands need no game, and were carried out at once.
    commands = [one.command if isinstance(one, CommandLine | BadCommand) else None for one in kept]
    done = [one is not None and one.who in (Who.ANYBODY, Who.REGISTERED) for one in commands]
    return (*(one for one, is_done in zip(kept, done, strict=True) if not is_done), *rest)


HANDLERS: Handlers = {"yes": answer}
