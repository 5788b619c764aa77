"""A letter comes in: who wrote it, whether that is proven, and the one answer that goes out."""

import re
from collections.abc import Sequence
from dataclasses import replace as replace_line
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from judge.host.command import CommandLine
from judge.host.commands import COMMAND_OF, COMMAND_PARSER
from judge.host.commands.press import reply_as_press
from judge.host.commands.questions import (
    QUESTIONS,
    is_yes_repeating_question,
    keep_for_a_game,
    name_game,
)
from judge.host.games.forming import seats_of
from judge.host.games.orders import find_phase
from judge.host.games.seat_names import find_seat
from judge.host.letters.body import READ, UNSIGNED, read_body
from judge.host.letters.command_parser import (
    BadCommand,
    Item,
    Request,
    TextLine,
    answer_of,
    with_answers_as_text,
)
from judge.host.letters.letter_context import (
    LetterContext,
    Sender,
    first_role,
    identify,
    role_in,
    roles_of,
)
from judge.host.letters.yes_no import read_answer
from judge.host.local_words import said, words_in_all_languages
from judge.host.messages import Message
from judge.host.messages.command_answers import Guide, HelpText, PositionUnclear, TriedOut
from judge.host.messages.order_answers import NotRead, PartsNotRead
from judge.host.messages.people import Personal, PersonalKind, Registered
from judge.host.messages.refusals import AddressAsked, Refusal, RefusalKind
from judge.host.messages.shared import GameRef
from judge.host.schedules.dates import parse_time
from judge.host.unit_of_work import HostConfig, UnitOfWork, opened, ref_to
from judge.mail import Letter, LetterKind, Verdict
from judge.rulebook import DEFAULT_GAME, Value, Values, load_game
from judge.store import PlayerId, Purpose, SentLetter, Status

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
TOOK_PASSWORDS = ("join", "create", "observe", "subscribe")
ASKED = (*QUESTIONS, Purpose.CLOSED)  # purposes of letters that a YES or NO answers
FAR = ("choose_game", "all_games")  # commands that lead to other games
MOST_BEFORE_SECRET = 4  # words between such a command, in its writer's spelling, and its last word
QUOTATION_MARKS = '"“”„「」'
SHORTEST_SECRET = 4  # letters of what is taken for a password where none was asked for
QUOTED = ("written", "first_line", "text")  # values of refusals that quote the letter
SET_ASIDE = (
    *(LetterKind.LOOP, LetterKind.BOUNCE, LetterKind.AUTO_REPLY),
    *(LetterKind.UNREADABLE, LetterKind.UNANSWERABLE),
)
TOO_MUCH = {
    LetterKind.TOO_LARGE: RefusalKind.TOO_LARGE,
    LetterKind.TOO_COSTLY: RefusalKind.TOO_COSTLY,
}


class Disposition(StrEnum):
    """What became of a letter."""

    ANSWERED = "answered"
    ASIDE = "aside"  # a loop, a bounce, an automatic reply, or beyond reading
    SILENT = "silent"  # nothing proves it, and its like were answered often enough


def get_ready(config: HostConfig, now: datetime) -> None:
    """Read samples, so that the words of requests, dates and the usual board are loaded before the
    first letter and the first deadline. The requests of other languages are loaded for the first
    letter that needs them, in half a second."""
    defaults = config.defaults
    COMMAND_PARSER.read("HELP\ndeadline?", ())
    parse_time("tomorrow", now, "UTC")
    game = load_game(DEFAULT_GAME).start(defaults.variant, {"rules": defaults.rules})
    game.read(game.awaited[0].seat, ["hold"])


def take_letter(work: UnitOfWork, letter: Letter) -> tuple[Disposition, PlayerId | None]:
    """Read a letter, do what it asks, write the one answer. Never raises for what it holds.

    Returns what became of it, and whose it proved to be.
    """
    if letter.disposition in SET_ASIDE or not letter.sender:
        return Disposition.ASIDE, None
    sender = identify(work, letter)
    is_of_machine = letter.disposition in (LetterKind.BULK, LetterKind.CALENDAR)
    if letter.disposition is LetterKind.BULK and (sender.sent is None or not sender.proven):
        return Disposition.ASIDE, None
    purpose = sender.sent.purpose if sender.sent else Purpose.LETTER
    question = QUESTIONS.get(purpose)
    if sender.sent and purpose in ASKED:
        names = (sender.player.name if sender.player else "", letter.sender_name)
        choices = sender.sent.payload.get("choices")
        most = len(choices) if isinstance(choices, list) else 0
        items = COMMAND_PARSER.read(letter.body, names, most)
        if (
            question
            and answer_of(items) is None
            and is_yes_repeating_question(sender.sent, letter.body)
        ):
            items = COMMAND_PARSER.read("YES", names)
        if purpose is Purpose.PROXY and len(items) > 1:
            # `OK` above other words may not mean the kept letter.
            items = with_answers_as_text(items)
    else:
        items = COMMAND_PARSER.read(letter.body)
    rules = {one.command.rule for one in items if isinstance(one, CommandLine)}
    rules |= {
        one.readings[0].rule for one in items if isinstance(one, Request) and one.is_plain_request
    }
    text = f"{letter.subject}\n{letter.whole_body}"
    is_plain = all(
        isinstance(one, TextLine) and not _join_keywords().match(one.text) for one in items
    )
    if not is_plain or _password_keywords().search(text):
        items = _note_passwords(work, text, items)
    if "sign_on" in rules and (sender.stranger_reply or sender.is_dated):
        # Only its password can prove it, and nobody else is shown that.
        sender = Sender(work.player_by_address(letter.sender), False, None)
    if question is not None and question.proves and answer_of(items):
        sender = replace(sender, proven=True, is_dated=False)
    context = LetterContext(work, letter, sender)
    is_doubted = not sender.proven or sender.is_dated or not rules.isdisjoint(FAR)
    _do_what_it_asks(context, items, is_doubted=is_doubted)
    read = any(isinstance(one, (AddressAsked, *READ)) for one in context.messages)
    if letter.disposition is LetterKind.CALENDAR and not sender.proven and sender.player:
        # To ask about what the program writes of itself would be a letter for every invitation.
        games = [one for one in work.games_of(sender.player.id) if one.status is Status.ACTIVE]
        lines = letter.body.splitlines()
        read = any(opened(game).orders_written_in(lines) for game in games)
    if is_of_machine and not rules and not read:
        return Disposition.ASIDE, None  # a machine may have written it, and would answer the answer
    if not context.sender.proven and not _may_answer(context):
        return Disposition.SILENT, None
    if sender.stranger_reply and letter.disposition not in TOO_MUCH:
        ask_owner(context, items)
    send_answer(context)
    writer = context.sender.player if context.sender.proven else None
    return Disposition.ANSWERED, writer.id if writer else None


def _do_what_it_asks(context: LetterContext, items: Sequence[Item], *, is_doubted: bool) -> None:
    """Carry out a letter, or ask its writer whether to. is_doubted: it may need a better proof."""
    work, letter, sender, sent = context.work, context.letter, context.sender, context.sender.sent
    if letter.disposition in TOO_MUCH:
        context.refuse(TOO_MUCH[letter.disposition])
        return
    if sender.stranger_reply:
        context.refuse(RefusalKind.UNKNOWN_ADDRESS, written=letter.sender)
        return
    if sent and sender.player and is_doubted and _must_ask(context, sent, items):
        ask_at_own_address(context, items)
        return
    context.sit(first_role(work, sender))
    if sent and sent.purpose is Purpose.WHICH:
        kept = COMMAND_PARSER.read(str(sent.payload["body"]))
        items = name_game(context, items, kept)
    if sent and sent.purpose not in ASKED and sent.payload.get("press_from"):
        items = tuple(reply_as_press(context, items, letter.body))
    read_body(context, items)
    refusals = [one for one in context.messages if isinstance(one, Refusal)]
    if any(one.kind is RefusalKind.WHICH_GAME for one in refusals):
        keep_until_game_named(context, items)
    is_unsigned = refusals and all(one.kind in UNSIGNED for one in refusals)
    if sender.player and not context.sender.proven and is_unsigned:
        others = (Refusal, NotRead, PartsNotRead)
        if all(isinstance(one, others) for one in context.messages):
            ask_at_own_address(context, items)


def _note_passwords(work: UnitOfWork, text: str, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Note what may be a password in a letter. In all its text, quotes and subject too: the second
    word behind SIGNON, the last on a line behind `password` in any language, all of it in quotation
    marks, and a word alone on the line below where nothing stands behind that. In commands that
    took a password on the old judges: what stands behind the game and is no power, and a word alone
    on the line below. The values of fields such as `password: secret`, which no game has, go no
    further."""
    found: set[str] = set()
    for line, below in pairwise((*filter(str.strip, text.splitlines()), "")):
        if opened := _password_keywords().search(line):
            said = line[opened.end() :].strip(" :=\uff1a.")
            words = said.split()
            if opened["sign_on"]:
                found.update(words[1:2])
            elif words:
                found.update(words if said[0] in QUOTATION_MARKS else words[-1:])
            elif len(below.split()) == 1:
                found.add(below)
    for item, next_item in pairwise((*items, None)):
        if isinstance(item, CommandLine) and "password" in item.arguments:
            work.passwords.add(item.arguments["password"])
        if isinstance(item, Request | TextLine):
            line = item.text if isinstance(item, TextLine) else item.line
            if opened := _join_keywords().match(line):
                found.update(_likely_passwords(work, line[opened.end() :]))
        if not isinstance(item, CommandLine | BadCommand) or item.command is None:
            continue
        if item.command.rule not in TOOK_PASSWORDS:
            continue
        named = item.arguments.get("game", "") if isinstance(item, CommandLine) else ""
        words = item.written.partition(named)[2].split() if named else item.written.split()[2:]
        if isinstance(next_item, TextLine) and len(next_item.text.split()) == 1:
            words.append(next_item.text)
        game = work.game(named)
        seats = seats_of(game) if game is not None else ()
        found.update(one for one in words if find_seat(seats, one) is None)
    plain = (word.strip("'.,:=" + QUOTATION_MARKS) for word in found)
    work.passwords |= {one for one in plain if len(one) >= SHORTEST_SECRET}
    return tuple(
        replace_line(
            one,
            fields={
                name: "***" if _password_keywords().search(name) else value
                for name, value in one.fields.items()
            },
        )
        if isinstance(one, CommandLine) and one.fields
        else one
        for one in items
    )


def _likely_passwords(work: UnitOfWork, said: str) -> list[str]:
    """The last word behind JOIN in a short line such as `TAKE OVER FRANCE hemlock`, if it is no
    game, no power and no polite word, and one of the two stands before it."""
    *named, last = said.split() or ("",)
    if not named or len(named) > MOST_BEFORE_SECRET or read_answer(last)[1] == "":
        return []
    games = [game for one in (*named, last) if (game := work.game(one)) is not None]
    rulebook = load_game(DEFAULT_GAME)
    seats = seats_of(games[0]) if games else rulebook.seats(rulebook.variants()[0], {})
    is_named = bool(games) or any(find_seat(seats, one) for one in named)
    is_secret = work.game(last) is None and find_seat(seats, last) is None
    return [last] if is_named and is_secret else []


@cache
def _join_keywords() -> re.Pattern[str]:
    """The words of JOIN, with a blank in them or without: `TAKE OVER`."""
    spaced = (r"\s?".join(map(re.escape, word)) for word in COMMAND_OF["join"].words)
    return re.compile(rf"\s*(?:{'|'.join(spaced)})\s", re.IGNORECASE)


@cache
def _password_keywords() -> re.Pattern[str]:
    signed, named = (
        "|".join(map(re.escape, words))
        for words in (
            ("SIGNON", "SIGN ON", *said("sign_on")),
            ("PASSWORD", "PASSWD", *words_in_all_languages("every", "password")),
        )
    )
    return re.compile(rf"(?P<sign_on>{signed})|{named}", re.IGNORECASE)


def _may_answer(context: LetterContext) -> bool:
    """Whether a letter is answered. Anybody can have written one that nothing proves, so for these
    there is a limit, which the last answer tells; a silent one has changed nothing."""
    work, letter, sender = context.work, context.letter, context.sender
    if sender.player is None or sender.stranger_reply:
        asks = context.purpose is not Purpose.LETTER
        count = work.repository.outbox.count_to_strangers_since
        most = work.config.stranger_letters_a_day
        answered = count(work.now - DAY, letter.sender, asks=asks)
        if count(work.now - DAY, asks=asks) >= work.config.strangers_a_day:
            return False
    else:
        most, since = work.config.letters_an_hour, letter.received_at - HOUR
        received = work.repository.letters.count_unproven_between(
            letter.sender, since, letter.received_at
        )
        answered = received - 1  # this one is among them
    if answered == most - 1:
        context.refuse(RefusalKind.LAST_ANSWER)
    return answered < most


def _must_ask(context: LetterContext, sent: SentLetter, items: Sequence[Item]) -> bool:
    """Whether a reply needs a better proof than its token: it may be forged, or the token is dated
    and the reply wants more than to read. Lines for a phase that is over are asked back anyway."""
    if not context.sender.proven:
        return True
    commands = [one for one in items if isinstance(one, CommandLine)]
    if not context.sender.is_dated:
        # A token is good for its own game, and for the one that the end of that has named.
        far = [one for one in commands if one.command.rule in FAR]
        others = (one.arguments.get("game", "") for one in far)
        is_own = sent.game is None or context.letter.verdict is Verdict.PASSED
        game = context.work.game(sent.game) if sent.game else None
        near = (sent.game, game.next_game if game else "")
        return not is_own and any(name.rstrip(":").lower() not in near for name in others)
    if any(one.command.changes and one.command.rule != "yes" for one in commands):
        return True
    if any(isinstance(one, Request) and one.changes for one in items):
        return True
    lines = [one.text for one in items if isinstance(one, TextLine)]
    if "press_from" in sent.payload:
        return bool(items)
    game = context.work.game(sent.game) if sent.game else None
    if sent.serial is None or game is None or game.state is None:
        return bool(lines)
    named = filter(None, (find_phase(game, line) for line in lines))
    return any(not phase.is_relative for phase, _ in named)  # what is relative is asked about


def send_answer(context: LetterContext) -> None:
    """The one answer: to the player in the thread of the game, or to the address that wrote."""
    work, letter, player = context.work, context.letter, context.sender.player
    if context.purpose not in (Purpose.LETTER, Purpose.PROPOSALS):
        # YES answers another question: no number and no YES chooses a guess at a command.
        context.messages = _amended(context.messages, RefusalKind.NO_COMMAND, first=0)
    if work.passwords:
        context.messages = [_masked(work, one) for one in context.messages]
    # Pages to read stand behind what was done: an answer to orders begins with these.
    context.messages.sort(key=lambda one: isinstance(one, HelpText | Guide))
    if player is None or context.sender.stranger_reply:
        messages = context.messages
        is_last = any(
            isinstance(one, Personal) and one.kind is PersonalKind.FORGOTTEN for one in messages
        )
        if not context.sender.proven:
            body = work.without_passwords(letter.body)
            messages = [shown for one in messages for shown in _without_sender_words(one, body)]
        work.write_stranger(
            letter.sender,
            "farewell" if is_last else "answer",
            messages,
            language=str(context.payload.get("language", context.language)),
            zone=context.zone,
            answers=letter.message_id,
            purpose=context.purpose,
            payload=context.payload,
        )
        return
    # The game that the answer speaks of, for its thread: that of its question, else of the first
    # orders, which its subject names, else of the last lines, else of the first message.
    told = next((one.game.name for one in context.messages if isinstance(one, READ)), "")
    ordered = work.game(told)
    role = context.asked_as or (role_in(ordered, player) if ordered else None) or context.role
    game = work.game(role.game) if role else None
    ref = ref_to(game, role.seat) if game and role else None
    for message in context.messages:
        named = getattr(message, "game", None)
        # A game that is only asked for, as by CREATE, has no thread yet.
        if ref is None and isinstance(named, GameRef) and (game := work.game(named.name)):
            ref = named
    is_own = letter.sender in player.addresses
    work.write(
        player,
        "answer",
        context.messages,
        ref,
        serial=game.phase.serial if ref and game and game.phase else None,
        answers=letter.message_id,
        purpose=context.purpose,
        payload={**context.payload, **context.before},
        # Signed on by password from elsewhere: where letters go is told as well.
        recipients=(
            *([letter.sender] if is_own or context.sender.proven else ()),
            *(() if is_own else player.letter_addresses),
        ),
    )


def _amended(messages: Sequence[Message], kind: RefusalKind, **values: Value) -> list[Message]:
    """Messages, those that are refusals of a kind with these values."""
    return [
        replace(one, values={**one.values, **values})
        if isinstance(one, Refusal) and one.kind is kind
        else one
        for one in messages
    ]


def _masked(work: UnitOfWork, message: Message) -> Message:
    """A message that quotes the letter, without the passwords in it."""
    match message:
        case NotRead(lines=lines):
            return replace(message, lines=tuple(map(work.without_passwords, lines)))
        case PartsNotRead(parts=parts):
            shown = tuple((kind, work.without_passwords(text)) for kind, text in parts)
            return replace(message, parts=shown)
        case Refusal(values=values):
            quoted = {key: values[key] for key in QUOTED if isinstance(values.get(key), str)}
            hidden = {key: work.without_passwords(str(text)) for key, text in quoted.items()}
            return replace(message, values={**values, **hidden})
        case Registered(then=then):
            return replace(message, then=work.without_passwords(then))
    return message


def _without_sender_words(message: Message, body: str) -> list[Message]:
    """A message to an address that may be forged: nobody sends their words through the judge."""
    if isinstance(message, PartsNotRead):
        return []
    if isinstance(message, NotRead):
        unread = [one.strip() for line in message.lines for one in line.splitlines()]
        written = [line.strip() for line in body.splitlines() if line.strip()]
        is_in = [any(one in line or line in one for one in unread if one) for line in written]
        numbers = [number for number, is_unread in enumerate(is_in, 1) if is_unread]
        return [NotRead((), tuple(numbers))] if numbers else []
    if isinstance(message, TriedOut):
        return [replace(message, problems=(), untold=len(message.problems))]
    if isinstance(message, PositionUnclear):
        lines = tuple(dict.fromkeys(one.line_number + 1 for one in message.problems))
        return [replace(message, problems=(), lines=lines)]
    if isinstance(message, Refusal) and message.kind is not RefusalKind.UNKNOWN_ADDRESS:
        own = {key: "…" for key in QUOTED if message.values.get(key)}
        return [replace(message, values={**message.values, **own})]
    return [message]


# --- letters that are kept until their author says YES, or names the game -------------------------


EXCERPT = 4000  # characters of a kept letter that its owner is shown
PARTING = ("sign_on", "choose_game", "join")  # below these a letter may speak for another game


def ask_at_own_address(context: LetterContext, items: Sequence[Item]) -> None:
    """A letter from a player's own address, which proves too little: it is kept, and the player is
    asked at that address."""
    work, sent, player = context.work, context.sender.sent, context.sender.player
    assert player is not None
    game, seat = (work.game(sent.game), sent.seat) if sent and sent.game else (None, None)
    if game is None and len(roles := roles_of(work, player)) == 1:
        game, seat = work.game(roles[0].game), roles[0].seat
    ref = ref_to(game, seat) if game else None
    body, rest = _to_be_kept(context.letter, items)
    sender = context.letter.sender
    context.messages = [AddressAsked(ref, sender, body, is_own=True), *rest]
    context.ask(Purpose.PROXY, {**_press_payload(sent), "body": body, "from": sender})


def keep_until_game_named(context: LetterContext, items: Sequence[Item]) -> None:
    """A letter, up to where it speaks for a game, is kept until its writer names the game."""
    named = (one for one in items if isinstance(one, CommandLine) and one.command.rule in PARTING)
    letter, end = context.letter, next((one.written for one in named), "")
    body = letter.body.partition(end)[0] if end else letter.body
    kept, rest = _to_be_kept(replace(letter, body=body), items)
    if kept:
        keep_for_a_game(context, kept)
        context.messages += rest
        return
    context.messages = _amended(context.messages, RefusalKind.WHICH_GAME, games=[])


def ask_owner(context: LetterContext, items: Sequence[Item]) -> None:
    """A letter with a player's token from an address of nobody: kept, and its owner is asked."""
    owner, sent = context.sender.player, context.sender.sent
    assert owner is not None
    assert sent is not None
    work, letter = context.work, context.letter
    game = work.game(sent.game) if sent.game else None
    ref = ref_to(game, sent.seat) if game else None
    body, rest = _to_be_kept(letter, items)
    work.write(
        owner,
        "address",
        [AddressAsked(ref, letter.sender, body), *rest],
        ref,
        serial=sent.serial,
        purpose=Purpose.PROXY,
        payload={**_press_payload(sent), "body": body, "from": letter.sender},
    )


def _to_be_kept(letter: Letter, items: Sequence[Item]) -> tuple[str, list[NotRead]]:
    """What a YES will carry out, all of it shown, without passwords: whole lines of the letter up
    to a limit; and what does not fit."""
    body = letter.body.strip()
    for one in items:
        if isinstance(one, CommandLine) and (password := one.arguments.get("password")):
            is_sign_on = one.command.rule == "sign_on"
            without = "" if is_sign_on else one.written.rpartition(password)[0].rstrip()
            body = body.replace(one.written, without).strip()
    if len(body) <= EXCERPT:
        return body, []
    kept = body[:EXCERPT].rpartition("\n")[0]
    return kept, [NotRead(tuple(filter(None, body[len(kept) :].splitlines())))]


def _press_payload(sent: SentLetter | None) -> Values:
    """Whose press a letter of ours held: a kept reply to it goes there after the YES."""
    payload = sent.payload if sent else {}
    return {name: payload[name] for name in ("press_from", "is_unnamed") if name in payload}
