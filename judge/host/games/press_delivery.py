"""Press goes out: to each reader alone, to the archive, and postal press with the results; who may
read the archive."""

import hashlib
from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.games.press_rules import (
    MASTER,
    OBSERVERS,
    PressDraft,
    forbidden,
    is_grey,
    observers_reached,
    unreachable_readers,
)
from judge.host.messages.press import PressReceived, PressSent, ReplyTo
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import UnitOfWork, opened, ref_to
from judge.rulebook import OrderSet, SeatId, Values
from judge.store import (
    GameRecord,
    Player,
    PlayerId,
    PressArchive,
    PressCopies,
    PressKind,
    PressRecord,
    Status,
)

NOT_REACHED = {
    "vacant": RefusalKind.READERS_VACANT,
    "out": RefusalKind.READERS_OUT,
    "late": RefusalKind.READERS_LATE,
}
# What a game has never; other refusals pass with the phase.
LASTING = (
    RefusalKind.NO_PRESS,
    RefusalKind.NO_OBSERVER_PRESS,
    RefusalKind.POSTAL_ONLY,
    RefusalKind.NO_PARTIAL,
)
MOST_LINES, MOST_ORDERS = 100, 40  # of a piece of press that are looked at, and repeated
LONGEST_ORDER = 200  # characters of a line that may hold one


def deliver(
    work: UnitOfWork, game: GameRecord, draft: PressDraft, writer: Player
) -> PressSent | tuple[RefusalKind, tuple[str, ...]]:
    """Send press that the game allows, or hold it for the results; what its writer is told, or why
    it reaches nobody, and whom."""
    grey = is_grey(game.settings, draft)
    is_held = draft.kind is PressKind.POSTAL and game.status is Status.ACTIVE
    broadcast = draft.kind is not PressKind.PARTIAL
    unread = {} if is_held else unreachable_readers(game, draft)
    reached = tuple(name for name in draft.to if name not in unread)
    if not reached:
        why = next(iter(unread.values()))
        return NOT_REACHED[why], tuple(one for one in unread if unread[one] == why)
    shown_as = draft.shown_as or ("" if grey else draft.author)
    record = PressRecord(
        game=game.name,
        label=game.phase_label,
        sender=draft.author,
        to=draft.to,
        text=draft.text,
        sent_at=work.now,
        kind=draft.kind,
        shown_as=shown_as,
        shown_to=draft.shown_to or draft.to,
        people=(writer.id,),
        phrase=draft.phrase,
    )
    if is_held:
        work.put_game(replace(game, held_press=(*game.held_press, record)))
    else:
        record = replace(record, to=reached)
        people = _send(work, game, draft, record)
        work.press.append(replace(record, people=(writer.id, *people)))
    by_reason = {why: tuple(name for name in unread if unread[name] == why) for why in NOT_REACHED}
    return PressSent(
        game=ref_to(game, None if draft.author in (MASTER, OBSERVERS) else SeatId(draft.author)),
        to=() if draft.is_unnamed else draft.to,
        broadcast=broadcast,
        grey=grey and not draft.shown_as,
        text="" if draft.is_quiet else draft.text,
        shown_as=draft.shown_as,
        shown_to=draft.shown_to,
        is_held=is_held,
        phrase=draft.phrase,
        **by_reason,
    )


def _send(
    work: UnitOfWork, game: GameRecord, draft: PressDraft, record: PressRecord
) -> tuple[PlayerId, ...]:
    """A letter to each reader, who are returned. A reply goes to the writer that is shown."""
    press = press_received_message(game, record, orders_written_in(game, draft.text))
    by, writer, serial = record.people[0], record.shown_as or draft.author, game.phase_serial
    payload: Values = {
        "press_from": writer,
        "is_unnamed": not record.shown_as,
        "press_digest": press_hash(record),
    }
    if draft.author == OBSERVERS and not draft.shown_as:
        payload = {**payload, "press_player": by}
    people: list[PlayerId] = []
    for name in record.to:
        if name == OBSERVERS:
            continue
        ref = ref_to(game, None if name == MASTER else SeatId(name))
        reply_to = _reply_recipient(game, name, writer)
        own = replace(press, game=ref, reply_to=reply_to)
        asked = {**payload, "press_from": ""} if reply_to is ReplyTo.JUDGE else payload
        for holder in holders_of(game, name):
            if name != draft.author or holder != by:  # a master may write to the others
                work.write(work.player(holder), "press", [own], ref, serial=serial, payload=asked)
                people.append(holder)

    ref, copies = ref_to(game), game.settings.press_rules.copies
    copy = replace(press, game=ref, is_copy=True, reply_to=ReplyTo.NOBODY)
    is_copied = draft.kind is PressKind.PARTIAL and {*record.to} - {MASTER, OBSERVERS}
    if is_copied and copies is not PressCopies.NOBODY and MASTER not in (draft.author, *record.to):
        work.notify_masters(game, "press", [copy], serial=serial)
        people += game.master_ids
    if is_copied and copies is PressCopies.OBSERVERS and OBSERVERS not in record.to:
        for one in observers_reached(game, None):
            if one != by:
                work.write(work.player(one), "press", [copy], ref)
                people.append(one)
    if press.broadcast or OBSERVERS in record.to:
        press = replace(press, reply_to=_reply_recipient(game, OBSERVERS, writer))
        for one in observers_reached(game, draft.only):
            if one != by:
                work.write(work.player(one), "press", [press], ref, payload=payload)
                people.append(one)
    return tuple(people)


def _reply_recipient(game: GameRecord, reader: str, writer: str) -> ReplyTo:
    """Who gets the reply of a reader to press that names a writer."""
    if reader == writer != OBSERVERS:
        return ReplyTo.JUDGE
    is_lost = forbidden(game, PressDraft(reader, (writer,), "")) in LASTING
    return ReplyTo.NOBODY if is_lost else ReplyTo.WRITER


def press_received_message(
    game: GameRecord, record: PressRecord, orders: OrderSet = ()
) -> PressReceived:
    """Press as its readers see it."""
    return PressReceived(
        game=replace(ref_to(game), label=record.label or None),
        sender=record.shown_as,
        to=record.shown_to,
        broadcast=record.kind is not PressKind.PARTIAL,
        text=record.text,
        orders=orders,
        phrase=record.phrase,
        is_postal=record.kind is PressKind.POSTAL,
    )


def orders_written_in(game: GameRecord, text: str) -> OrderSet:
    """The lines of a text that read as orders, of whatever power."""
    if game.state is None or game.status is not Status.ACTIVE:
        return ()
    lines = [line for line in text.splitlines() if len(line) <= LONGEST_ORDER]
    return opened(game).orders_written_in(lines[:MOST_LINES])[:MOST_ORDERS]


def publish_held(work: UnitOfWork, game: GameRecord) -> tuple[GameRecord, Sequence[PressReceived]]:
    """The game without the press that was held for its results, and that press for everybody."""
    told = []
    readers = [one.player for one in game.seats if one.player is not None]
    readers += (*game.master_ids, *(one.player for one in game.observers))
    for record in game.held_press:
        people = tuple(dict.fromkeys((*record.people, *readers)))
        work.press.append(replace(record, people=people))
        told.append(press_received_message(game, record, orders_written_in(game, record.text)))
    return replace(game, held_press=()), told


def press_hash(record: PressRecord) -> str:
    """What names a piece of press in the letters that hold it."""
    told = f"{int(record.sent_at.timestamp())} {record.sender} {record.text} {record.phrase}"
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


def holders_of(game: GameRecord, name: str) -> tuple[PlayerId, ...]:
    """Who reads what is written to a seat, or to `MASTER`; nobody where nobody plays."""
    if name == MASTER:
        return game.master_ids
    player = game.seat(SeatId(name)).player
    return () if player is None else (player,)


# --- the archive ----------------------------------------------------------------------------------


LONGEST_ARCHIVE = 50_000  # characters of press in one answer; older pieces go first


def press_by_phase(
    work: UnitOfWork, game: GameRecord, reader: Player | None
) -> dict[str, tuple[PressReceived, ...]]:
    """The press that somebody may read (None: anybody), by the label of its phase, in order."""
    found: dict[str, tuple[PressReceived, ...]] = {}
    length = 0
    for record in reversed(work.repository.press.of(game.name)):
        if not may_read(game, record, reader):
            continue
        length += len(record.text)
        if length <= LONGEST_ARCHIVE:
            told = replace(press_received_message(game, record), at=record.sent_at)
            found[record.label] = (told, *found.get(record.label, ()))
    return found


def may_read(game: GameRecord, record: PressRecord, reader: Player | None) -> bool:
    """Whether somebody wrote or got a piece of press, it was for all, or the game is over and opens
    its archive to them. A seat's new player reads nothing that was for the one before."""
    if record.kind is not PressKind.PARTIAL:
        return True
    if reader is not None and reader.id in record.people:
        return True
    if game.status is not Status.FINISHED:
        return False
    rule = game.settings.press_rules.archive
    if rule is PressArchive.PLAYERS:
        part = {*game.master_ids, *(one.player for one in game.seats)}
        return reader is not None and reader.id in part | {one.player for one in game.tenures}
    return rule is PressArchive.EVERYBODY
