"""REPORT, which shows press to the master, and ANNOUNCE, the master's own letter to all."""

from datetime import timedelta

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.press import author_of, press_game, refuse_press
from judge.host.games.press_delivery import digest_of
from judge.host.games.press_rules import MASTER
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.press_header import everybody
from judge.host.messages.command_answers import Deed, Done
from judge.host.messages.press import Announcement, PressReported
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import ref_to
from judge.rulebook import Values
from judge.store import GameRecord, PressKind, PressRecord, PressReport

DAY = timedelta(days=1)


def report(context: LetterContext, line: CommandLine) -> None:
    """`REPORT`, in a reply to press: the master gets it as it is stored, with its true writer; a
    piece of press once from each reader, and a few a day."""
    game, player, sent = press_game(context), context.writer, context.sender.sent
    assert game is not None
    work, digest = context.work, str(sent.payload.get("press_digest", "")) if sent else ""
    record = next(
        (one for one in work.repository.press.of(game.name) if digest_of(one) == digest), None
    )
    mine = [one for one in game.reports if one.player == player.id]
    limit = work.config.reports_a_day
    if record is None or player.id not in record.people[1:]:
        context.refuse(RefusalKind.NO_REPORT, game, written=line.written)
    elif any(one.digest == digest for one in mine):
        context.refuse(RefusalKind.REPORTED_ALREADY, game)
    elif sum(one.at > work.now - DAY for one in mine) >= limit:
        context.refuse(RefusalKind.TOO_MANY_REPORTS, game, limit=limit)
    else:
        _tell_report(context, game, record)
        noted = PressReport(player.id, digest, work.now)
        game = work.put_game(replace(game, reports=(*game.reports, noted)))
        context.say(Done(context.ref(game), Deed.REPORTED))


def _tell_report(context: LetterContext, game: GameRecord, record: PressRecord) -> None:
    """The master sees it; what the master wrote, the keepers."""
    work, by = context.work, author_of(context, game)
    if record.sender == MASTER:
        values = {"game": game.name, "phase": record.label, "seat": by, "press": record.text}
        work.notify_keepers("press_reported", values)
        return
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


def announce(context: LetterContext, line: CommandLine) -> None:
    """`ANNOUNCE The subject`, a text, `ENDANNOUNCE`: to players, observers and who waits."""
    game, player = context.role_game, context.writer
    work, subject = context.work, line.arguments.get("names", "")
    if not line.closed:
        refuse_press(context, game, line, RefusalKind.UNCLOSED_PRESS)
        return
    if not line.text.strip() and not subject:
        refuse_press(context, game, line, RefusalKind.EMPTY_PRESS)
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
            ref = ref_to(game, seat)
            serial = game.phase.serial if seat and game.phase else None
            letter = [replace(told, game=ref)]
            work.write(work.player(one), "press", letter, ref, serial=serial, payload=payload)
    label = game.phase.label if game.phase else ""
    text = "\n\n".join(filter(None, (subject, line.text)))
    work.keep_press(
        PressRecord(
            *(game.name, label, MASTER, everybody(game), text, work.now),
            kind=PressKind.BROADCAST,
            shown_as=MASTER,
            shown_to=everybody(game),
            people=(player.id, *dict.fromkeys(people)),
        )
    )
    context.say(replace(told, is_own=True))


HANDLERS: Handlers = {
    "report": report,
    "announce": announce,
}
