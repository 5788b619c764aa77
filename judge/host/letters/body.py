"""What a letter says, line by line: commands are carried out, lines of orders gathered and stored,
and what was not taken is told.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable
from datetime import timedelta
from functools import partial

from msgspec.structs import replace

from judge.host.command import CommandLine, Who, make_command
from judge.host.commands import COMMAND_PARSER, command_for_bare_words, nearest_command
from judge.host.commands.lists import game_status, welcome
from judge.host.commands.press import reply_as_press
from judge.host.commands.questions import answers_a_question, ask_again, asks
from judge.host.games.acts import notify_of_acting
from judge.host.games.forming import free_wishes, seats_of
from judge.host.games.masters import notify_other_masters
from judge.host.games.orders import say_stored_advance, store_lines
from judge.host.games.orders_due import if_silent, is_undated, orders_due, waiting_seats
from judge.host.games.seat_names import find_seat, seats_named
from judge.host.letters import own_words
from judge.host.letters.command_parser import (
    MOST_WORDS,
    BadCommand,
    Item,
    Remarks,
    Request,
    TextLine,
    is_length_setting,
    polite_words_cut,
)
from judge.host.letters.letter_context import LetterContext, Role, roles_of
from judge.host.letters.registering import name_of_address
from judge.host.letters.requests import is_order, resolve
from judge.host.letters.running import command_meant, refuse_command, try_to_run
from judge.host.letters.yes_no import read_answer
from judge.host.messages import Message
from judge.host.messages.command_answers import ConfirmAsked, Deed, Done, HelpText, NothingFound
from judge.host.messages.games import GameStatus, Welcome
from judge.host.messages.order_answers import (
    AdvanceAnswer,
    LateOrders,
    NotRead,
    OrdersAnswer,
    PartsNotRead,
    StaleOrders,
    Standing,
)
from judge.host.messages.press import PressSent
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.host.permissions import game_without_role, own_games, refused_unsigned
from judge.host.unit_of_work import opened, ref_to
from judge.mail import Unread, UnreadKind
from judge.store import Purpose, Status

# What one letter may ask for: an address is easily forged, and all letters share one judge.
MOST = {"command": 30, "press": 5, "password": 3, "address": 3, "listing": 10, "all_games": 3}
LIMITED_AS = {  # commands with a limit of their own
    "sign_on": "password",
    "all_games": "all_games",
    **dict.fromkeys(("add_address", "set_address", "own_data", "promote", "hand_over"), "address"),
}
HOUR = timedelta(hours=1)
UNSIGNED = (RefusalKind.NOT_SIGNED_ON, RefusalKind.NOT_PROVEN, RefusalKind.TOO_MANY_GUESSES)
# Asks if a line was meant as a command, or shows how to write it.
GUESSES = (RefusalKind.NO_COMMAND, RefusalKind.BAD_COMMAND)
MOST_STANDINGS = 3  # games whose status follows a letter that held nothing
WAITS = (Deed.WAIT, Deed.WAIT_SEEN, Deed.WAIT_UNDATED)
READ = (AdvanceAnswer, LateOrders, OrdersAnswer, StaleOrders)  # what answers order lines
MASTERS_WORDS = {"HOLD": "HOLD GAME", "PAUSE": "HOLD GAME", "AS": "ACT AS", "NOTE": "PRIVATE NOTE"}
# Parts in which orders may stand that were meant.
ENDS = (UnreadKind.SIGNATURE, UnreadKind.SIGN_OFF, UnreadKind.SUBJECT, UnreadKind.REMARKS)
QUOTE_MARKS = " >＞|"


def read_body(context: LetterContext, items: Iterable[Item]) -> None:
    """Carry out every line of a body, in its order, and show what was not read."""
    counts: Counter[str] = Counter()
    waiting = deque(items)
    has_commands = False
    while waiting:
        item = waiting.popleft()
        if isinstance(item, Request) and _takes_back(context, item):
            context.lines[-1] = item.line  # read as a whole, so that its writer is asked
            continue
        role = context.role
        if isinstance(item, Request):
            is_setting = context.is_master and is_length_setting(item.line)
            found = TextLine(item.line) if is_setting else resolve(context, item)
            is_beside = isinstance(found, BadCommand) and answers_a_question(context)
            item = TextLine(item.line) if is_beside else found  # its question is asked again
        if not isinstance(item, CommandLine) and role and (role.seat is None or role.by_master):
            item = _read_as_master(context, item, role)
        assert not isinstance(item, Request)
        if isinstance(item, CommandLine) and _is_prose(context, item):
            waiting.extendleft(reversed(COMMAND_PARSER.read(item.text)))
            item = TextLine(item.written)
        if isinstance(item, CommandLine | BadCommand):
            has_commands = has_commands or isinstance(item, BadCommand) or not item.in_own_words
            if isinstance(item, CommandLine) and not item.command.changes:
                shown = f"{role and (role.game, role.seat)} {item.written.casefold()}"
                if counts[shown]:
                    continue
                counts[shown] += 1
                if not _gets_lists(context):
                    continue
            kind = "command"
            if (command := item.command) is not None:
                kind = "listing" if not command.changes else "press" if command.until else kind
                kind = LIMITED_AS.get(command.rule, kind)
            counts[kind] += 1
            counts["command"] += kind != "command"
            if counts[kind] > MOST[kind] or counts["command"] > MOST["command"]:
                context.messages.insert(0, Refusal(RefusalKind.TOO_MANY_COMMANDS))
                break
        if isinstance(item, TextLine):
            # A blank line ends what a heading says of the lines below it.
            context.lines += ["", item.text] if item.is_parted and context.lines else [item.text]
        elif isinstance(item, BadCommand):
            refuse_command(context, item)
        elif isinstance(item, Remarks):
            remarks = Unread(UnreadKind.REMARKS, item.written)
            context.letter = replace(context.letter, unread=(*context.letter.unread, remarks))
        else:
            here = partial(_stand_again, role=role, aim=context.aim, is_aimless=context.is_aimless)
            if (meant := try_to_run(context, item)) is not None:
                waiting.appendleft(meant)
            agreed, context.agreed = context.agreed, []
            if not agreed:
                continue
            text = "\n".join(agreed)
            if item.command.rule == "all_games":  # what stands below it is for where it stood
                waiting.appendleft(CommandLine(make_command("choose_game", here), {}, item.written))
                counts["command"] -= len(agreed) + 1  # a master of many games names them at once
            waiting.extendleft(reversed(reply_as_press(context, COMMAND_PARSER.read(text), text)))
    store_lines(context)
    if context.advance:
        say_stored_advance(context)
    if context.acted:
        notify_of_acting(context)
    if context.deeds:
        notify_other_masters(context)
    _say_what_else_it_holds(context, has_commands=has_commands)


def _stand_again(
    context: LetterContext,
    _line: CommandLine,
    *,
    role: Role | None,
    aim: str | None,
    is_aimless: bool,
) -> None:
    """Lines that follow are for what others above them were for."""
    context.role, context.aim, context.is_aimless = role, aim, is_aimless


def _say_what_else_it_holds(context: LetterContext, *, has_commands: bool) -> None:
    """Answer what is neither a command nor an order: lines and parts that were not read, questions
    that are still open, and how the game stands."""
    role = context.role
    if context.unread and role and role.is_applicant and context.player is not None:
        # Before the start words that name one power may be a wish for it; a YES makes it one.
        game = context.role_game
        named = seats_named(seats_of(game), " ".join(context.unread))
        if len(named) == 1 and named[0] in free_wishes(game):
            context.say(ConfirmAsked(ref_to(game, named[0]), "wish"))
            context.ask(Purpose.WISH, {"seat": named[0]})
    if context.sender.player is not None and not context.messages:
        for line in context.unread:
            if (
                command := command_for_bare_words(line)
            ) is not None:  # its words ask to see something
                context.unread.remove(line)
                try_to_run(context, CommandLine(command, {}, line))
                break
    has_orders = any(isinstance(one, READ) for one in context.messages)
    is_empty = not has_orders and _answer_without_orders(context, has_commands=has_commands)
    if context.retaken is not None:
        context.say(context.retaken)
    if context.unread:  # but no greeting, no sign-off and no writer's name
        names = (context.letter.sender_name, name_of_address(context.letter.sender))
        lines = tuple(one for one in context.unread if read_answer(one, names) != (None, ""))
        context.messages += [NotRead(lines)] if lines else []
    parts = tuple(one for one in context.letter.unread if one.kind is not UnreadKind.OUR_LETTER)
    subject = context.letter.subject.strip()
    if subject and context.sender.sent is None and "[" not in subject:  # no subject of ours
        parts = (*parts, Unread(UnreadKind.SUBJECT, subject))
    if left_out := [told for part in parts if (told := _part_to_report(context, part))]:
        if any(part.kind is UnreadKind.SUBJECT for part in left_out):
            context.ask(Purpose.PROPOSALS, {"lines": [subject]})
        context.say(PartsNotRead(tuple((part.kind, part.text) for part in left_out)))
    if context.asks_more:
        context.refuse(RefusalKind.ONE_YES)
    if len(context.messages) > 1:  # what was not taken stands first, and in the subject
        context.messages.sort(key=lambda one: not _needs_attention(one))
    if is_empty or not any(isinstance(one, OrdersAnswer) for one in context.messages):
        _say_how_it_stands(context, is_empty=is_empty)


def _answer_without_orders(context: LetterContext, *, has_commands: bool) -> bool:
    """In a letter that stores no orders: what its words may ask for, the question that it does not
    answer, and a greeting for a stranger. Returns whether it held nothing else."""
    is_found = False
    if not context.messages and not answers_a_question(context):
        _answer_what_was_meant(context)  # a guess that was asked about may be left for another
        is_found = bool(context.messages)
    if not (is_found or has_commands):
        ask_again(context)
    is_empty = is_found or not context.messages
    if not context.messages:
        _answer_what_was_meant(context)
    if context.messages and context.sender.player is None:
        refused = [one.kind if isinstance(one, Refusal) else None for one in context.messages]
        is_unsigned, is_guess = ({*refused} <= {*kinds} for kinds in (UNSIGNED, GUESSES))
        is_change = is_guess and any(map(_is_of_a_change, context.messages))
        is_help = not has_commands and all(isinstance(one, HelpText) for one in context.messages)
        if is_unsigned or is_guess or is_help:
            welcome(context)  # the page stands below it: `How can I join?`
        if is_change:
            context.messages.insert(0, context.messages.pop())  # greeted before being asked
    if context.messages:
        return is_empty
    game, role = context.game(), context.role
    if context.sender.player is None:
        welcome(context)
    elif role is None and context.unread and (own_games(context) or game_without_role(context)):
        context.say(refused_unsigned(context).refusal)
    elif role and role.is_applicant and (order := next(filter(is_order, context.unread), "")):
        context.unread.remove(order)
        context.refuse(RefusalKind.NOT_BEGUN, game, written=order)
    else:
        games = (context.ref(game),) if game is not None else own_games(context)
        has_status = context.player is not None and bool(games)
        is_master = context.is_master and bool(context.unread)
        is_master = is_master and game is not None and game.status is Status.ACTIVE
        context.say(NothingFound(games, has_status=has_status, is_master=is_master))
    return is_empty


def _read_as_master(context: LetterContext, item: Item, role: Role) -> Item:
    """`HOLD` and `AS` are words of orders and of chat for everybody but a game's master; where the
    master writes orders in a player's place, or names a unit or place behind it (`Hold Munich
    please`), `HOLD` is an order too."""
    text = item.text if isinstance(item, TextLine) else item.written
    if role.is_master and is_length_setting(text):
        meant = f"SET {polite_words_cut(text)}"
        return BadCommand(text, None, meant, meant)
    word, _, rest = text.partition(" ")
    word, game = word.upper().rstrip(":.,!"), context.game()
    if word not in MASTERS_WORDS or not (role.is_master or (role.by_master and word == "AS")):
        return item
    if word == "HOLD" and rest and game is not None and game.status is Status.ACTIVE:
        pieces = {rest, polite_words_cut(rest), rest.split()[0].strip(".,:!")}
        if opened(game).orders_written_in([text]) or any(map(opened(game).place_named, pieces)):
            return TextLine(text)
    read = COMMAND_PARSER.read(f"{MASTERS_WORDS[word]} {rest.rstrip(':')}")[0]
    return item if isinstance(read, Request) else read  # `As I am ill, Ann takes over`


def _takes_back(context: LetterContext, request: Request) -> bool:
    """Whether a sentence takes back the order before it on its line: `A PAR - BUR. Forget it.`"""
    game, before = context.game(), context.lines[-1] if context.lines else ""
    seat = context.seat_in(game) if game and game.status is Status.ACTIVE else None
    is_behind = before and request.line.startswith(own_words.plain(before))
    if game is None or seat is None or not is_behind:
        return False
    is_denied = own_words.asks_or_denies(request.written)
    return is_denied and bool(opened(game).read(seat, [before]).understood)


def _is_prose(context: LetterContext, line: CommandLine) -> bool:
    """Whether a line only begins with the word of a master's command: `Swap you Munich for Kiel?`,
    `Edit: I was wrong about Munich`. A word in capitals is always the command."""
    words, game = line.written.split(), context.game()
    is_written_small = not words[0].isupper() and not line.fields and not line.in_own_words
    if not is_written_small or line.command.who is not Who.MASTER or game is None:
        return False
    is_question = line.written.rstrip().endswith(("?", "？"))
    is_long = len(words) > MOST_WORDS or (not line.written.isascii() and len(words) > 2)
    if line.command.rule == "edit":
        return not line.closed and not re.search("[:：]", line.text)
    seat = line.arguments.get("seat")
    is_named = seat is None or find_seat(seats_of(game), seat) is not None
    if not context.is_master:
        # `Promote peace`, `Purge them all`: what such a command takes is free.
        said_freely = line.arguments.get("names") or line.arguments.get("reason") or ""
        is_chat = bool(said_freely) and "@" not in said_freely
        return is_question or is_long or is_chat or not is_named
    return is_question if is_named else is_question or is_long


def _gets_lists(context: LetterContext) -> bool:
    """Whether a letter gets the lists that it asks for. Beyond the hourly limit its other commands
    still count, but no lists are sent."""
    player, letter, work = context.player, context.letter, context.work
    if player is None:
        return True
    since, most = letter.received_at - HOUR, work.config.letters_an_hour
    if work.repository.letters.count_proven_between(player.id, since, letter.received_at) < most:
        return True
    told = Refusal(RefusalKind.TOO_MANY_LETTERS)
    context.messages += [] if told in context.messages else [told]
    return False


def _answer_what_was_meant(context: LetterContext) -> None:
    """In a letter of which nothing was read: the likeliest sentence of a line that may ask for a
    command, or a misspelt one. What only shows something is shown."""
    whole = " ".join(context.unread)
    for line in filter(re.compile(r"[^\W\d_]").search, context.unread):  # a number asks for nothing
        if read_answer(line)[1] == "":
            continue  # nor does a no where nothing was asked
        item, has_pattern = command_meant(context, line, whole)
        if not (item and has_pattern) and (command := nearest_command(line)) is not None:
            word = command.words[0]
            asked = BadCommand(line, None, word, word)
            item = asked if command.changes else CommandLine(command, {}, line)
        if item is not None:
            context.unread.remove(line)
            if isinstance(item, CommandLine):
                try_to_run(context, item)
            else:
                refuse_command(context, item)
            return


def _part_to_report(context: LetterContext, part: Unread) -> Unread | None:
    """What the sender must hear of a part that was not read. What stands in the subject or at the
    end of a letter matters only where it holds orders; of a quote, those that may be the sender's
    own: for units that have none from this letter, on marked lines only if nothing else was read.
    """
    if part.kind not in (*ENDS, UnreadKind.QUOTE):
        return part
    game = context.game()
    if game is None or game.status is not Status.ACTIVE or (seat := context.seat_in(game)) is None:
        return None
    lines = part.text.splitlines()
    if part.kind is not UnreadKind.QUOTE:
        return part if opened(game).read(seat, lines).understood else None
    if context.is_of_another_phase(game) or any(isinstance(m, PressSent) for m in context.messages):
        return None
    if any(isinstance(m, NothingFound) for m in context.messages):
        lines = [line.lstrip(QUOTE_MARKS) for line in lines]
    else:
        lines = [line for line in lines if not line.lstrip().startswith(tuple(QUOTE_MARKS.strip()))]
    answers = [m for m in context.messages if isinstance(m, OrdersAnswer | AdvanceAnswer)]
    given = {one.line.key for answer in answers for one in answer.understood}
    stored = {line.text for line in game.order_set(seat)}
    found = [
        one.line.written
        for one in opened(game).read(seat, lines).understood
        if not one.label and one.line.key not in given and one.line.text not in stored
    ]
    return Unread(part.kind, "\n".join(dict.fromkeys(found))) if found else None


def _is_of_a_change(message: Message) -> bool:
    """Whether a question is about a command that does something, and not about one that shows."""
    values = message.values if isinstance(message, Refusal) else {}
    said = str(values.get("nearest") or values.get("usage", "")).removesuffix(" …")
    read = (one for one in COMMAND_PARSER.read(said) if isinstance(one, CommandLine | BadCommand))
    return any(one.command.changes for one in read if one.command is not None)


def _needs_attention(message: Message) -> bool:
    """Whether it tells of something that was not taken, asks, or greets."""
    match message:
        case Refusal() | LateOrders() | StaleOrders() | Welcome():
            return True
        case OrdersAnswer(problems=problems) | AdvanceAnswer(problems=problems):
            return bool(problems)
        case PartsNotRead(parts):
            return any(kind in (*ENDS, UnreadKind.QUOTE) for kind, _ in parts)
    return asks(message)


def _say_how_it_stands(context: LetterContext, *, is_empty: bool) -> None:
    """After a letter that held nothing the status of its game, or of all; after others the flags of
    the seat, where the answer does not show them."""
    work, player = context.work, context.player
    told = {type(message) for message in context.messages}
    is_asked = context.role is not None and Refusal in told
    if is_empty and player is not None and (is_asked or NothingFound in told):
        roles = [context.role] if context.role else roles_of(work, player)
        for role in roles[:MOST_STANDINGS]:
            game = work.game(role.game)
            assert game is not None
            context.say(game_status(work, game, role, player))
        return
    game = context.game()
    if game is None or game.status is not Status.ACTIVE or told & {OrdersAnswer, GameStatus}:
        return
    seat_id = context.seat_in(game)
    deeds = [one.deed for one in context.messages if isinstance(one, Done)]
    if seat_id is None or not orders_due(game, seat_id):
        return
    seat = game.seat(seat_id)
    waits = seat_id in waiting_seats(game)
    if seat.player is not None and (seat.ready or waits):
        context.say(
            Standing(
                game=ref_to(game, seat_id),
                view=opened(game).view(seat_id),
                order_set=game.order_set(seat_id),
                orders_due=orders_due(game, seat_id),
                ready=seat.ready and Deed.READY not in deeds,
                wait=waits and not {*WAITS}.intersection(deeds),
                is_undated=is_undated(game),
                if_silent=if_silent(game, seat),
            )
        )
