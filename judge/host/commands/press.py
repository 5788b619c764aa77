"""PRESS and BROADCAST: words between the seats, delivered at once and to nobody else."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from judge.data import language_data
from judge.host.command import CommandLine, Handlers, Topic, declared
from judge.host.games.press_delivery import deliver
from judge.host.games.press_rules import (
    MASTER,
    OBSERVERS,
    PressDraft,
    forbidden,
    readers_in_reach,
)
from judge.host.letters.command_parser import BadCommand, Item, TextLine
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.press_header import (
    Header,
    NoReader,
    everybody,
    find_readers,
    read_header,
)
from judge.host.local_words import topic_words
from judge.host.messages.press import PressUnclear
from judge.host.messages.refusals import RefusalKind
from judge.host.permissions import observed_game
from judge.host.unit_of_work import opened
from judge.rulebook import SeatId, Value
from judge.store import GameRecord, PlayerId, PressKind, Purpose, Status

AROUND = " \t\n.,:;!…。：；！_-<>[](){}\"'“”「」『』《》〈〉【】（）＜＞"  # of a form
NO_SEATS = (MASTER, OBSERVERS)
PRESS_WORDS, ORDERS_WORDS = topic_words(Topic.PRESS), topic_words(Topic.ORDERS)
SIGN_ONS = ("SIGNON", "SIGN ON")  # lines of unsent press that may hold a password


def send_press(context: LetterContext, line: CommandLine, *, kind: PressKind) -> None:
    """`PRESS TO ENGLAND, GERMANY`, the text, `ENDPRESS`. Without that end nothing goes out."""
    game = press_game(context)
    assert game is not None
    header, author = read_header(line), author_of(context, game)
    if line.command.rule == "fake_broadcast" and header.to:  # to these alone, shown as to all
        kind, header = PressKind.PARTIAL, replace(header, fake_to=header.fake_to or "ALL")
    found = {
        "to": _names(context, game, line, header.to, header) if kind is PressKind.PARTIAL else (),
        "shown_as": _names(context, game, line, header.fake_from),
        "shown_to": _names(context, game, line, header.fake_to),
    }
    if None in found.values():
        return
    to, shown_as, shown_to = (found[key] or () for key in ("to", "shown_as", "shown_to"))
    if not to:
        to = tuple(name for name in everybody(game) if name != author)
    draft = PressDraft(
        author=author,
        to=to,
        text=line.text,
        kind=kind,
        color=header.color,
        shown_as=next(iter(shown_as), ""),
        shown_to=shown_to,
        is_quiet=header.is_quiet,
    )
    send_draft(context, game, draft, line)


def _names(
    context: LetterContext,
    game: GameRecord,
    line: CommandLine,
    written: str,
    header: Header | None = None,
) -> tuple[str, ...] | None:
    """Whom a list of the header names; without a `header` it may be empty, and hold the author. A
    word that names nobody is refused."""
    if not written and header is None:
        return ()
    author = author_of(context, game) if header else ""
    found = find_readers(game, author, written, is_but=header is not None and header.is_but)
    if not isinstance(found, NoReader):
        return found
    known = [seat.id for seat in game.seats] if found.written else []
    refuse_press(context, game, line, RefusalKind.NO_RECIPIENT, word=found.written, known=known)
    return None


def send_draft(
    context: LetterContext, game: GameRecord, draft: PressDraft, line: CommandLine
) -> None:
    """Send press if the game allows it now; else it comes back whole, with the reason."""
    limit, player = context.work.config.press_characters, context.writer
    if not line.closed:
        refuse_press(context, game, line, RefusalKind.UNCLOSED_PRESS)
    elif not draft.phrase and _is_placeholder(draft.text):
        refuse_press(context, game, line, RefusalKind.EMPTY_PRESS)
    elif len(draft.text) > limit:
        refuse_press(context, game, line, RefusalKind.LONG_PRESS, limit=limit)
    elif (why := forbidden(game, draft)) is RefusalKind.OUT_OF_REACH:
        known = [one for one in readers_in_reach(game, draft) if one not in NO_SEATS]
        refuse_press(context, game, line, why, known=[one for one in known if one != draft.author])
    elif why is not None:
        refuse_press(context, game, line, why)
    else:
        sent = deliver(context.work, game, draft, player)
        if isinstance(sent, tuple):
            why, readers = sent
            seats = [one for one in readers if one != OBSERVERS]
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
    line = CommandLine(declared("press", HANDLERS["press"]), {}, text, text)
    send_draft(context, game, PressDraft(author_of(context, game), (MASTER,), text), line)


def press_game(context: LetterContext) -> GameRecord | None:
    """The game that a letter's press is for: that of its role, or one that the writer observes."""
    return context.game() or observed_game(context)


def author_of(context: LetterContext, game: GameRecord) -> str:
    """Who writes press: a seat, `MASTER` or `OBSERVERS`."""
    if context.role is None:
        return OBSERVERS
    return context.seat_in(game) or MASTER


def as_press(context: LetterContext, items: Sequence[Item], text: str) -> Sequence[Item]:
    """A reply to press, as the command that sends its text to the writer of that press alone.

    Commands in it are carried out instead. A reply that holds orders for the writer's own units is
    neither sent nor stored: the judge asks which of the two it is.
    """
    sent, game = context.sender.sent, press_game(context)
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
        if not items or any(_is_command(one) for one in items):
            return items
        seat = context.seat_in(game)
        orders = own_orders_in(game, seat, text) if seat and _is_open(game) else ()
        if orders:
            to = "" if is_unnamed else writer
            context.say(PressUnclear(context.ref(game), to, text, orders))
            context.ask(Purpose.PRESS_OR_ORDERS, {**sent.payload, "body": text})
            return ()
    only = sent.payload.get("press_player")
    run = partial(_send_reply, is_unnamed=is_unnamed, only=PlayerId(str(only)) if only else None)
    return (CommandLine(declared("press", run), {"names": writer}, text, text),)


def _is_command(item: Item) -> bool:
    """Whether a line of a reply to press is for the judge: `Yes` and a question are press."""
    if isinstance(item, CommandLine):
        return not item.in_own_words and item.command.rule != "yes"
    return isinstance(item, BadCommand) and item.command is not None


def own_orders_in(game: GameRecord, seat: SeatId, text: str) -> tuple[str, ...]:
    """The lines of a text that are orders for a seat's own units, or may be meant so."""
    reading = opened(game).read(seat, text.splitlines())
    told = [one.line.text for one in reading.understood]
    return (*told, *(one.written for one in reading.problems if one.proposals))


def _send_reply(
    context: LetterContext, line: CommandLine, *, is_unnamed: bool, only: PlayerId | None
) -> None:
    game, to = press_game(context), line.arguments["names"]
    assert game is not None
    author = author_of(context, game)
    draft = PressDraft(author, (to,), line.text, is_unnamed=is_unnamed, only=only)
    send_draft(context, game, draft, line)


def _is_placeholder(text: str) -> bool:
    """Whether a text holds no words, or only those where the writer's own should stand."""
    words = " ".join(text.strip(AROUND).casefold().split())
    tables = language_data("language.toml").values()
    return not words or any(words in table.get("placeholders", ()) for table in tables)


def _is_open(game: GameRecord) -> bool:
    return game.status is Status.ACTIVE  # after the end everybody may talk


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
}
