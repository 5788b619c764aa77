"""The letters of a phase that ran: what happened, what to send next, how the game ended."""

import re
from collections.abc import Sequence
from email.utils import format_datetime

from judge.blocks import (
    Actions,
    Listed,
    PicturePlace,
    Rows,
    Stacked,
    Titled,
    Verbatim,
    rows_to_copy,
)
from judge.host.messages.command_answers import PositionUnclear, TriedOut
from judge.host.messages.game_events import Results
from judge.host.messages.games import MapDrawn, PhaseHistory
from judge.render.answers import (
    is_complete_in_advance,
    opened_advance_sections,
    show_problems,
    suggested_order_sections,
)
from judge.render.catalogue import N_, comma_names, join_sentences, sentence_tables
from judge.render.layout import first_that_fits
from judge.render.part import DueSection, Part, Reader, Section
from judge.render.picture_requests import Shows
from judge.render.times import duration, moment, short_time
from judge.render.votes import lapsed_told
from judge.rulebook import NO_JSON, Message, Occasion, ReportFrame, ResultWords, Task

TEXTS = sentence_tables("phases.toml", dict[str, Message])
AWAITED_NAMED = 3  # more powers than these are not named one by one


def phase_results(message: Results, reader: Reader) -> Part:
    """What happened to the reader, what they send, until when; then everybody's orders."""
    words, seat, due = reader.game_words(message.game), message.game.seat, message.due
    told = words.results(message.report, message.own, seat)
    task = None
    if message.next is not None and message.is_awaited and seat is not None:
        task = words.task(message.next_view, seat)
    asked = task if not is_complete_in_advance(message.advance) else None

    skipped = [
        words.results(report, own, seat)
        for report, own in zip(message.skipped, message.skipped_own, strict=True)
    ]
    what, verdict, lead = _heading(message, [told, *skipped], asked, reader)
    sections, opens = list[Section](), message.next or message.game
    if asked is not None:
        lead.append(asked.sentence)
        sections += [Rows(asked.rows), Actions(asked.actions)]
        sections += suggested_order_sections(opens, message.suggested, reader)
    sections += opened_advance_sections(message.advance, opens, message.next_view, reader)
    if task is not None and due is not None:
        default = asked.default if asked is not None else ""
        sections.append(DueSection(due, default=default, asks=True))
    if seat not in message.vacated:
        sections.append(_own_absence(message, reader))
    if message.remarks:
        remarks = Listed([words.note(note) for note in message.remarks])
        sections.append(Titled(reader.say("On your orders:"), remarks))
    if message.is_classic and message.serial:
        sections += [told.own_count, Rows(told.own)]
        sections += [_absences(message, reader), *_next_sections(message, reader)]
        return _classic_results(message, verdict, [*lead, *sections], reader)
    sections += _ran_sections([told, *skipped])
    # Where the units stand is said once, after the last phase that moved any.
    sections.append(next((one.units for one in reversed((told, *skipped)) if one.units), ""))
    sections.append(_absences(message, reader))
    sections += [lapsed_told(one, message.game, reader) for one in message.lapsed]
    sections += _next_sections(message, reader)
    name, ran = f"{message.game.name}-{message.game.label}", (message.report, *message.skipped)
    return Part(
        what,
        verdict,
        message.game,
        sections,
        context=False,
        lead="\n".join(lead),
        pictures=((name, reader.picture_request(message.game, Shows.PHASE, ran)),),
    )


def _heading(
    message: Results, told: Sequence[ResultWords], asked: Task | None, reader: Reader
) -> tuple[str, str, list[str]]:
    """What the subject says, the first line, and what stands directly below it."""
    seat, due, first = message.game.seat, message.due, told[0]
    what, verdict, lead = first.subject, first.headline, list(first.lead)
    if seat in message.taken or seat in message.vacated:
        what = reader.say("results: your seat is vacant")
        verdict = reader.say("Your seat is vacant now.")
        if seat in message.taken:
            what = reader.say("results: your seat is another player's")
            verdict = reader.say("Your seat is another player's now.")
        lead = [_own_absence(message, reader), first.headline, *lead]
    elif message.next is None:
        what = reader.say("results: the game is over")
    elif asked is not None and due is not None and not (due.waits or due.held):
        when, task = short_time(due.at, reader.zone, reader), asked.brief
        what = reader.tell(asked.until or TEXTS["until"], results=first.subject, when=when)
        if task:
            what = reader.say("results: {task} by {when}", task=task, when=when)
            lead.insert(0, verdict)
            verdict = reader.say("This is due by {when}: {task}.", when=when, task=task)
            if news := next((one.news for one in told if one.news), ""):
                # `You gained Munich and Spain: build 2 by Sun 23:13.`
                whole = reader.say("{news}: {task} by {when}.", news=news, task=task, when=when)
                verdict = first_that_fits([whole, verdict])
    return what, verdict, lead


def phase_history(message: PhaseHistory, reader: Reader) -> Part:
    """A phase that ran some time ago, as everybody was told of it; or as the tools of the hobby
    read it, each block below its date and subject."""
    game, words = message.game, reader.game_words(message.game)
    if message.serial:
        judge, date = ascii_judge_name(reader.judge_name), format_datetime(message.at)
        frame = ReportFrame(judge, game.name, message.serial, message.next, message.due)
        blocks = [words.classic_report(message.reports, frame)]
        if message.start != NO_JSON:
            begins = ReportFrame(judge, game.name, message.serial, game.label or "", message.at)
            blocks.insert(0, words.classic_position(message.start, begins, is_start=True))
        dated = [
            f"Date: {date}\nSubject: {judge}:{game.name} - {one.subject}\n\n{one.text}"
            for one in blocks
        ]
        head, _, rest = "\n\n".join(dated).partition("\n")
        return Part(reader.say("history"), head, game, context=False, lead=Verbatim(rest))
    told = [words.results(report, NO_JSON, None) for report in message.reports]
    ran = reader.say("It ran {when}.", when=moment(message.at, reader.zone, reader))
    phase, verdict, lead = reader.phase(game), told[0].headline, told[0].lead
    if phase not in verdict:  # it tells how the game ended
        verdict, lead = phase, (verdict, *lead)
    sections, what = [ran, *_ran_sections(told)], reader.say("history")
    return Part(what, verdict, game, sections, context=False, lead="\n".join(lead))


def _classic_results(
    message: Results, verdict: str, own: Sequence[Section], reader: Reader
) -> Part:
    """The form that the hobby's tools read, under the subject that they look for; then what it has
    no place for, in the reader's language."""
    words = reader.game_words(message.game)
    judge = ascii_judge_name(reader.judge_name)
    game = message.game
    coming = (message.next.label if message.next else None) or ""
    is_set = message.due is not None and not (message.due.waits or message.due.held)
    due = message.due.at if message.due is not None and is_set else None
    frame = ReportFrame(judge, game.name, message.serial, coming, due)
    told = words.classic_report((message.report, *message.skipped), frame)
    head, _, rest = told.text.partition("\n")
    sections = [reader.say("For you:"), verdict, *own]
    subject = f"{judge}:{game.name} - {game.label} Results"
    return Part("", head, game, sections, context=False, lead=Verbatim(rest), subject=subject)


def ascii_judge_name(judge: str) -> str:
    """A judge's name in one word of ASCII, as the tools of the hobby know them."""
    return "".join(re.findall(r"[A-Za-z0-9_.-]+", judge)) or "Judge"


def map_drawn(message: MapDrawn, reader: Reader) -> Part:
    """The map of a position, or of a phase with the orders of it and of those that followed at
    once."""
    game, words = message.game, reader.game_words(message.game)
    name = f"{game.name}-{game.label}" if game.label else game.name
    if message.reports:
        # Of those that ran with it only where somebody's units did something.
        ran = [message.reports[at:] for at in range(len(message.reports))]
        ran[1:] = [each for each in ran[1:] if words.results(each[0], NO_JSON, None).table]
        pictures = [reader.picture_request(game, Shows.PHASE, each) for each in ran]
        text = reader.say("The map shows its orders, and the centers after it.")
    else:
        pictures = [reader.picture_request(game, Shows.POSITION, message.view)]
        text = reader.say("The map shows where the units stand, and whose the centers are.")
    files = tuple((f"{name}-{at}" if at else name, one) for at, one in enumerate(pictures))
    what, verdict = reader.say("map"), reader.phase(game) or game.name
    return Part(what, verdict, game, [text], context=False, pictures=files)


def _ran_sections(told: Sequence[ResultWords]) -> list[Section]:
    """A phase, and those that ran by themselves after it, because nobody had a choice in them."""
    sections: list[Section] = []
    for at, one in enumerate(told):
        if at and (one.own or one.table):
            sections.append(Stacked((one.headline, *one.lead)))
        if not at or one.own or one.table:  # else only what the phase changed is news
            sections += [one.own_count, Rows(one.own), PicturePlace()]
        if one.table:
            sections += [one.table_title, one.table]
        sections += one.after
    return sections


def _own_absence(message: Results, reader: Reader) -> str:
    """To a seat whose orders are missing: what that means for it."""
    game, seat, words = message.game, message.game.seat, reader.game_words(message.game)
    if seat is None or seat not in message.missing:
        return ""
    if not message.is_absence:
        return reader.say("Nothing came from you in this phase.")
    if seat in message.taken:
        return reader.tell(TEXTS["own_taken"], game=game.name)
    if seat in message.vacated:
        return words.occasion(Occasion.OWN_SEAT_VACATED, (seat,), game=game.name)
    told = words.occasion(Occasion.OWN_ABSENCE, (seat,), game=game.name)
    if seat in message.defended:
        told = reader.say(
            "Nothing came from you, so the computer gave your units orders that only defend. The "
            "seat is still yours: send orders when you are asked for them next."
        )
    risk = reader.say(
        "If nothing comes in the next movement phase either, your seat becomes vacant and open to "
        "others."
    )
    return join_sentences((told, risk), reader) if message.at_risk else told


def _absences(message: Results, reader: Reader) -> str:
    """Whose orders were missing, and what becomes of those seats; to the others."""
    game, words = message.game, reader.game_words(message.game)
    missing, defended, taken, standbys = (
        tuple(seat for seat in seats if seat != game.seat)
        for seats in (message.missing, message.defended, message.taken, message.standbys)
    )
    if not missing or not message.is_absence:
        return ""
    held, vacated = (
        tuple(seat for seat in seats if seat in missing and seat not in taken)
        for seats in (message.held, message.vacated)
    )
    left = [seat for seat in missing if seat not in (*defended, *taken)]
    silent = tuple(seat for seat in left if seat in (*held, *vacated))
    vacant = tuple(seat for seat in left if seat not in silent)
    by_computer = N_("No orders came for {powers}, so the computer gave some that only defend.")
    sentences = [
        reader.sentence_about_seats(by_computer, game, defended),
        reader.sentence_about_seats(TEXTS["taken"], game, taken),
    ]
    if silent and message.grace:
        grace = duration(message.grace, reader)
        sentences.append(words.occasion(Occasion.ABSENCE_IN_GRACE, silent, grace=grace))
    elif silent:
        sentences.append(words.occasion(Occasion.ABSENCE, silent))
    sentences.append(reader.sentence_about_seats(TEXTS["held"], game, held))
    if vacated:
        sentences.append(words.occasion(Occasion.SEAT_VACATED, vacated, game=game.name))
    sentences.append(reader.sentence_about_seats(TEXTS["standbys"], game, standbys))
    if vacant:
        sentences.append(words.occasion(Occasion.VACANT, vacant, game=game.name))
    return join_sentences(filter(None, sentences), reader)


def _next_sections(message: Results, reader: Reader) -> list[Section]:
    """What comes now, and who is asked."""
    if message.next is None or message.next.label is None:
        return []
    phase = reader.game_words(message.next).phase_name(message.next.label)
    powers, asked = reader.seats(message.next, message.awaited), len(message.awaited)
    key = "next_of_one" if asked == 1 else "next_of" if 1 < asked <= AWAITED_NAMED else "next"
    line = reader.tell(TEXTS[key], phase=phase, power=powers, powers=powers)
    if asked == 1 and message.due is not None and message.due.early is not None:
        line = join_sentences(
            (line, reader.say("The game goes on as soon as that is settled.")), reader
        )
    if message.game.seat is not None and not message.is_awaited and asked != 1:
        line = join_sentences((line, reader.say("You have nothing to send.")), reader)
    return [line, DueSection(message.due)]


def tried_out(message: TriedOut, reader: Reader) -> Part:
    """What orders would do: the whole adjudication, as everybody would read it."""
    game = message.game
    told = reader.game_words(game).results(message.report, NO_JSON, None)
    lead = reader.tell(TEXTS["tried"], message.orders, phase=reader.phase(game))
    sections: list[Section] = []
    if message.problems:
        title = reader.say("Not read as orders, and left out:")
        sections += show_problems(game, message.view, message.problems, title, reader)
    if message.untold:
        sections.append(
            reader.say(
                "Lines left out, as they could not be read as orders: {n} in all.", n=message.untold
            )
        )
    sections += [told.table_title, told.table, *told.after, told.units]
    verdict = reader.say("What if: nothing of this is stored.")
    return Part(reader.say("what if"), verdict, game, sections, context=False, lead=lead)


def position_unclear(message: PositionUnclear, reader: Reader) -> Part:
    """What does not fit in a position, line by line; to a stranger the numbers of the lines."""
    game, numbers = message.game, comma_names([*map(str, message.lines)], reader)
    sections: list[Section] = [
        reader.count(
            "This line below WHAT IF does not fit: {numbers}.",
            "These lines below WHAT IF do not fit: {numbers}.",
            len(message.lines),
            numbers=numbers,
        )
    ]
    if message.problems:
        n = len(message.problems)
        title = reader.count("This line does not fit:", "These lines do not fit:", n)
        sections = show_problems(game, message.view, message.problems, title, reader)
    lines = reader.tell(TEXTS["position_lines"]).split("\n")
    sections += [reader.tell(TEXTS["position"]), rows_to_copy(*lines)]
    verdict = reader.say("The position is not clear. Nothing was tried.")
    return Part(reader.say("what if"), verdict, game, sections, context=False)
