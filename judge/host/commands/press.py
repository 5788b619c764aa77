"""PRESS and BROADCAST: words between the seats, delivered at once and to nobody else.

SAY takes them from the phrase book, REPORT shows them to the master, whose own letter to all is
ANNOUNCE.
"""

import re
import tomllib
from collections.abc import Sequence
from datetime import timedelta
from functools import partial

from msgspec.structs import replace

from judge.data import language_data, read_text
from judge.host.command import CommandLine, Handlers, Topic, make_command
from judge.host.games.forming import seats_of
from judge.host.games.press_delivery import deliver, press_hash
from judge.host.games.press_rules import MASTER, OBSERVERS, PressDraft, forbidden, readers_in_reach
from judge.host.games.seat_names import find_seat
from judge.host.letters.command_parser import BadCommand, Item, TextLine
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.press_header import (
    NoReader,
    everybody,
    find_readers,
    is_everybody,
    read_header,
)
from judge.host.local_words import topic_words
from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.press import Announcement, PressReported, PressUnclear
from judge.host.messages.refusals import RefusalKind
from judge.host.permissions import observed_game
from judge.host.unit_of_work import opened, ref_to
from judge.rulebook import Reading, Value, Values
from judge.store import GameRecord, PlayerId, PressKind, PressRecord, PressReport, Purpose, Status

AROUND = " \t\n.,:;!…。：；！_-<>[](){}\"'“”「」『』《》〈〉【】（）＜＞"  # of a form
NO_SEATS = (MASTER, OBSERVERS)
PRESS_WORDS, ORDERS_WORDS = topic_words(Topic.PRESS), topic_words(Topic.ORDERS)
SIGN_ONS = ("SIGNON", "SIGN ON")  # lines of unsent press that may hold a password


def send_press(context: LetterContext, line: CommandLine, *, kind: PressKind) -> None:
    """`PRESS TO ENGLAND, GERMANY`, the text, `ENDPRESS`. Without that end nothing goes out."""
    game = press_game(context)
    header, author = read_header(line), author_of(context, game)
    if line.command.rule == "fake_broadcast" and header.to:  # to these alone, shown as to all
        kind, header = PressKind.PARTIAL, replace(header, fake_to=header.fake_to or "ALL")
    to: tuple[str, ...] | NoReader = ()
    if kind is PressKind.PARTIAL:
        to = find_readers(game, author, header.to, is_but=header.is_but)
    # What is only shown may be empty, and name the author.
    shown_as = find_readers(game, "", header.fake_from) if header.fake_from else ()
    shown_to = find_readers(game, "", header.fake_to) if header.fake_to else ()
    for found in (to, shown_as, shown_to):
        if isinstance(found, NoReader):
            word, known = found.written, [seat.id for seat in game.seats if found.written]
            refuse_press(context, game, line, RefusalKind.NO_RECIPIENT, word=word, known=known)
    if isinstance(to, NoReader) or isinstance(shown_as, NoReader) or isinstance(shown_to, NoReader):
        return
    draft = PressDraft(
        author=author,
        to=to or tuple(name for name in everybody(game) if name != author),
        text=line.text,
        kind=kind,
        color=header.color,
        shown_as=next(iter(shown_as), ""),
        shown_to=shown_to,
        is_quiet=header.is_quiet,
    )
    send_if_allowed(context, game, draft, line)


def send_if_allowed(
    context: LetterContext, game: GameRecord, draft: PressDraft, line: CommandLine
) -> None:
    """Send press if the game allows it now; else it comes back whole, with the reason."""
    limit, player = context.work.config.press_characters, context.writer
    # No words, or only those where the writer's own should stand.
    words = " ".join(draft.text.strip(AROUND).casefold().split())
    tables = language_data("language.toml").values()
    is_empty = not words or any(words in table.get("placeholders", ()) for table in tables)
    if not line.closed:
        refuse_press(context, game, line, RefusalKind.UNCLOSED_PRESS)
    elif is_empty and not draft.phrase:
        refuse_press(context, game, line, RefusalKind.EMPTY_PRESS)
    elif len(draft.text) > limit:
        refuse_press(context, game, line, RefusalKind.LONG_PRESS, limit=limit)
    elif (why := forbidden(game, draft)) is RefusalKind.OUT_OF_REACH:
        known = [one for one in readers_in_reach(game, draft) if one not in NO_SEATS]
        refuse_press(context, game, line, why, known=[one for one in known if one != draft.author])
    elif why is not None:
        refuse_press(context, game, line, why)
    elif isinstance(sent := deliver(context.work, game, draft, player), tuple):
        why, readers = sent
        seats = [one for one in readers if one != OBSERVERS]
        if draft.is_unnamed or draft.only:
            why, seats = RefusalKind.WRITER_NOT_REACHED, []
        refuse_press(context, game, line, why, readers=seats)
    else:
        context.say(replace(sent, game=context.ref(game)))


def refuse_press(
    context: LetterContext,
    game: GameRecord,
    line: CommandLine,
    kind: RefusalKind,
    *,
    word: str | None = None,
    **values: Value,
) -> None:
    """Say why press went to nobody, with the whole of it; no line with a password."""
    text = "\n".join(
        one for one in line.text.splitlines() if not one.strip().upper().startswith(SIGN_ONS)
    )
    written = line.written if word is None else word
    context.refuse(kind, game, written=written, text=text, **values)


def send_to_master(context: LetterContext, game: GameRecord, text: str) -> None:
    """A player's words to the master, as press."""
    line = CommandLine(make_command("press", HANDLERS["press"]), {}, text, text)
    send_if_allowed(context, game, PressDraft(author_of(context, game), (MASTER,), text), line)


def press_game(context: LetterContext) -> GameRecord:
    """The game that a letter's press is for: that of its role, or one that the writer observes."""
    game = context.game() or observed_game(context)
    assert game is not None
    return game


def author_of(context: LetterContext, game: GameRecord) -> str:
    """Who writes press: a seat, `MASTER` or `OBSERVERS`."""
    if context.role is None:
        return OBSERVERS
    return context.seat_in(game) or MASTER


def reply_as_press(context: LetterContext, items: Sequence[Item], text: str) -> Sequence[Item]:
    """A reply to press, as the command that sends its text to the writer of that press alone,
    unless it holds commands. One with orders for the writer's own units is neither sent nor stored:
    the judge asks which of the two it is."""
    sent, game = context.sender.sent, context.game() or observed_game(context)
    writer = str(sent.payload.get("press_from", "")) if sent else ""
    if sent is None or game is None or not writer:
        return items
    is_unnamed = bool(sent.payload.get("is_unnamed"))
    if sent.purpose is Purpose.PRESS_OR_ORDERS:
        first = next(iter(context.letter.body.split()), "").strip(AROUND).upper()
        body = str(sent.payload["body"])
        if first in ORDERS_WORDS:
            return tuple(TextLine(line) for line in body.splitlines() if line.strip())
        if first not in PRESS_WORDS:
            return items
        text = body
    else:
        # `Yes` and a question are press; other commands of the letter are for the judge.
        commands = (
            not one.in_own_words and one.command.rule != "yes"
            if isinstance(one, CommandLine)
            else isinstance(one, BadCommand) and one.command is not None
            for one in items
        )
        if not items or any(commands):
            return items
        seat, is_running = context.seat_in(game), game.status is Status.ACTIVE
        # After the end everybody may talk.
        read = opened(game).read(seat, text.splitlines()) if seat and is_running else Reading()
        orders = tuple(one.line.text for one in read.understood)
        orders += tuple(one.written for one in read.problems if one.proposals)
        if orders:
            to = "" if is_unnamed else writer
            context.say(PressUnclear(context.ref(game), to, text, orders))
            context.ask(Purpose.PRESS_OR_ORDERS, {**sent.payload, "body": text})
            return ()
    only = sent.payload.get("press_player")

    def send_reply(context: LetterContext, line: CommandLine) -> None:
        game = press_game(context)
        draft = PressDraft(
            author_of(context, game),
            (writer,),
            line.text,
            is_unnamed=is_unnamed,
            only=PlayerId(str(only)) if only else None,
        )
        send_if_allowed(context, game, draft, line)

    return (CommandLine(make_command("press", send_reply), {"names": writer}, text, text),)


BOOK = tomllib.loads(read_text("locale", "en", "phrases.toml"))
PLACES = re.compile(r"\{(\w+)\}")
# What is filled into a phrase, in the order in which it is written behind the colon.
BLANKS = {number: tuple(PLACES.findall(text)) for number, text in BOOK["phrases"].items()}
WRITTEN = re.compile(r"(\d{1,3})[.)]? (?:(?:to|TO) )?([^:：]+)(?:[:：](.*))?")
BETWEEN = re.compile("[,;、，；]")


def send_phrase(context: LetterContext, line: CommandLine) -> None:
    """`SAY 9 ENGLAND`, `SAY 12 ENGLAND, ITALY: Mun`: press with a sentence of the phrase book."""
    game = press_game(context)
    written = WRITTEN.fullmatch(line.arguments["names"])
    number, names, filled = written.groups() if written else ("", "", "")
    if number not in BOOK["phrases"]:
        raise context.refused(RefusalKind.NO_PHRASE, game, written=line.written)
    words = [one for one in map(str.strip, BETWEEN.split(filled or "")) if one]
    if len(words) != len(BLANKS[number]) and (words or number not in BOOK["bare"]):
        needed = str(len(BLANKS[number]))
        raise context.refused(RefusalKind.PHRASE_BLANKS, game, written=line.written, limit=needed)
    ids: list[str] = []
    for blank, word in zip(BLANKS[number], words, strict=False):
        if blank in ("power", "other"):
            power = find_seat(seats_of(game), word)
            found = power.id if power else ""
        else:
            found = opened(game).place_named(word)
        if not found:
            raise context.refused(RefusalKind.PHRASE_WORD, game, written=word)
        ids.append(found)
    author = author_of(context, game)
    to = find_readers(game, author, names)
    if isinstance(to, NoReader):
        known = [seat.id for seat in game.seats]
        raise context.refused(RefusalKind.NO_RECIPIENT, game, written=to.written, known=known)
    to_all = is_everybody(names)
    draft = PressDraft(
        author=author,
        to=tuple(one for one in everybody(game) if one != author) if to_all else to,
        text="",
        kind=PressKind.BROADCAST if to_all else PressKind.PARTIAL,
        phrase=(number, *ids),
    )
    send_if_allowed(context, game, draft, line)


DAY = timedelta(days=1)


def report(context: LetterContext, line: CommandLine) -> None:
    """`REPORT`, in a reply to press: the master gets it as it is stored, with its true writer; a
    piece of press once from each reader, and a few a day."""
    game, player, sent = press_game(context), context.writer, context.sender.sent
    work, digest = context.work, str(sent.payload.get("press_digest", "")) if sent else ""
    record = next(
        (one for one in work.repository.press.of(game.name) if press_hash(one) == digest), None
    )
    mine = [one for one in game.reports if one.player == player.id]
    limit = work.config.reports_a_day
    if record is None or player.id not in record.people[1:]:
        raise context.refused(RefusalKind.NO_REPORT, game, written=line.written)
    if any(one.digest == digest for one in mine):
        raise context.refused(RefusalKind.REPORTED_ALREADY, game)
    if sum(one.at > work.now - DAY for one in mine) >= limit:
        raise context.refused(RefusalKind.TOO_MANY_REPORTS, game, limit=limit)
    by = author_of(context, game)
    if record.sender == MASTER:  # the keepers see what the master wrote
        values = {"game": game.name, "phase": record.label, "seat": by, "press": record.text}
        work.notify_keepers("press_reported", values)
    else:
        told = PressReported(
            game=replace(ref_to(game), label=record.label or None),
            by=by,
            sender=record.sender,
            to=record.to,
            shown_as=record.shown_as,
            shown_to=record.shown_to,
            text=record.text,
            at=record.sent_at,
            phrase=record.phrase,
        )
        work.notify_masters(game, "report", [told])
    noted = PressReport(player.id, digest, work.now)
    game = work.put_game(replace(game, reports=(*game.reports, noted)))
    context.say(Done(context.ref(game), Deed.REPORTED))


def announce(context: LetterContext, line: CommandLine) -> None:
    """`ANNOUNCE The subject`, a text, `ENDANNOUNCE`: to players, observers and who waits."""
    game, player = context.role_game, context.writer
    work, subject = context.work, line.arguments.get("names", "")
    if not line.closed or not (line.text.strip() or subject):
        kind = RefusalKind.EMPTY_PRESS if line.closed else RefusalKind.UNCLOSED_PRESS
        refuse_press(context, game, line, kind)
        return
    told = Announcement(ref_to(game), subject, line.text)
    payload: Values = {"press_from": MASTER}
    people = [seat.player for seat in game.seats if seat.player]
    people += [one.player for one in (*game.applicants, *game.waiting) if not game.seats]
    people += [one.player for one in game.observers if not one.results_only]
    people += [one for one in game.master_ids if one not in people and one != player.id]
    for one in dict.fromkeys(people):
        if one != player.id:
            seat = next((seat.id for seat in game.seats if seat.player == one), None)
            ref, serial = ref_to(game, seat), game.phase_serial if seat else None
            letter = [replace(told, game=ref)]
            work.write(work.player(one), "press", letter, ref, serial=serial, payload=payload)
    to, text = everybody(game), "\n\n".join(filter(None, (subject, line.text)))
    work.press.append(
        PressRecord(
            *(game.name, game.phase_label, MASTER, to, text, work.now),
            kind=PressKind.BROADCAST,
            shown_as=MASTER,
            shown_to=to,
            people=(player.id, *dict.fromkeys(people)),
        )
    )
    context.say(replace(told, is_own=True))


to_some = partial(send_press, kind=PressKind.PARTIAL)
to_all = partial(send_press, kind=PressKind.BROADCAST)
HANDLERS: Handlers = {
    "press": to_some,
    "broadcast": to_all,
    "grey_press": to_some,
    "grey_broadcast": to_all,
    "fake_press": to_some,
    "fake_broadcast": to_all,
    "postal_press": partial(send_press, kind=PressKind.POSTAL),
    "say": send_phrase,
    "report": report,
    "announce": announce,
}
