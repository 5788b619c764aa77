"""Messages into letters: one text that reads as a whole, with its subject.

The first message gives the subject and the first line; the others follow it as sections. A deadline
is said once, and what belongs to the end of a letter stands at its end.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.host import messages as m
from judge.render import answers, joining, listings, notices, people, press, refusals, results
from judge.render.catalogue import catalogue, sentence_tables
from judge.render.layout import one_line
from judge.render.part import DueSection, Part, Reader
from judge.render.times import due_time, duration

SENTENCES = sentence_tables("letters.toml", dict[str, dict[str, str]])
LONGEST_ANSWER = 60_000  # characters; whoever asks for more may be a forger of From headers
SUBJECT_COLUMNS = 120  # what is longer is folded by relays, not always well

# The function that puts each kind of message into words.
RENDERED_BY: Mapping[type[m.Message], Callable[[Any, Reader], Part]] = {
    m.OrdersAnswer: answers.orders_answer,
    m.Standing: answers.standing,
    m.AdvanceAnswer: answers.advance_answer,
    m.StaleOrders: answers.stale_orders,
    m.LateOrders: answers.late_orders,
    m.NotRead: answers.not_read,
    m.PartsNotRead: answers.parts_not_read,
    m.NothingFound: answers.nothing_found,
    m.Results: results.phase_results,
    m.GameOver: results.game_over,
    m.Started: notices.started,
    m.Reminder: notices.reminder,
    m.GameWaits: notices.game_waits,
    m.DeadlineMoved: notices.deadline_moved,
    m.SeatChanged: notices.seat_changed,
    m.AddressAsked: notices.address_asked,
    m.PasswordTried: notices.password_tried,
    m.KeeperNotice: notices.keeper_notice,
    m.PressReceived: press.press_received,
    m.PressSent: press.press_sent,
    m.Voted: press.voted,
    m.Personal: people.personal,
    m.Profile: people.profile,
    m.OwnData: people.own_data,
    m.Registered: joining.registered,
    m.JoinAsked: joining.join_asked,
    m.Joined: joining.joined,
    m.Created: joining.created,
    m.ConfirmAsked: joining.confirm_asked,
    m.Done: joining.done,
    m.GameList: listings.game_list,
    m.GameStatus: listings.game_status,
    m.HelpText: listings.help_text,
    m.TriedOut: results.tried_out,
    m.Welcome: listings.welcome,
    m.Refusal: refusals.refusal,
}


@dataclass(frozen=True, slots=True)
class RenderedLetter:
    """A letter as it goes out: its subject line and its plain text."""

    subject: str
    text: str


def render_letter(
    messages: Sequence[m.Message], *, language: str, zone: str, judge_name: str, kind: str
) -> RenderedLetter:
    """The letter that the messages make.

    Args:
        messages: at least one, the most important first.
        language: the reader's; English if the catalogue has no such language.
        zone: the reader's IANA time zone; UTC if there is no such zone.
        judge_name: for the subject line.
        kind: what the letter is for, as the outbox knows it; names it in the log of a fault.

    Raises:
        ValueError: there is no message in the letter (a bug).
    """
    if not messages:
        raise ValueError(f"a letter of kind {kind} says nothing")
    reader = Reader(catalogue(language), zone, judge_name)
    parts = [RENDERED_BY[type(message)](message, reader) for message in messages]
    paragraphs: list[str] = []
    places: set[tuple[str, str | None]] = set()  # games and phases that were named
    deadlines: set[tuple[str, datetime, bool]] = set()  # deadlines that were told
    for part in parts:
        head = [part.verdict]
        if part.game is not None:
            place = (part.game.name, part.game.label)
            if part.context and place not in places:
                head.append(_context_line(part.game, reader))
            places.add(place)
        if part.lead:
            head.append(part.lead)
        paragraphs.append("\n".join(head))
        for section in part.sections:
            if isinstance(section, str):
                paragraphs += [section] if section else []
                continue
            due = section.due
            told = (part.game.name if part.game else "", due.at, due.waits)
            if told not in deadlines:
                deadlines.add(told)
                lines = list(_due_sentences(section, reader))
                paragraphs.append("\n".join(lines))
    paragraphs += dict.fromkeys(part.foot for part in parts if part.foot)
    text = "\n\n".join(paragraphs)
    if kind == "answer" and len(text) > LONGEST_ANSWER:
        left_out = SENTENCES["cut"]["answer"]
        text = "\n\n".join((text[:LONGEST_ANSWER].rpartition("\n")[0], reader.say(left_out)))
    return RenderedLetter(_subject(parts[0], reader), f"{text}\n")


def _subject(part: Part, reader: Reader) -> str:
    """`[Judge] balkan S1901M results: A BUR dislodged`."""
    game, phase = (part.game.name, part.game.label) if part.game else ("", None)
    key = "phase" if phase else "game" if game else "judge"
    values = {"judge": reader.judge_name, "game": game, "phase": phase, "what": part.what}
    subject = reader.tell(SENTENCES["subject"][key], **values)
    return one_line(subject, SUBJECT_COLUMNS)


def _context_line(game: m.GameRef, reader: Reader) -> str:
    """Where we are: `France, Spring 1901 movement, game balkan.`"""
    words = reader.game(game)
    power = words.seat_name(game.seat) if game.seat else ""
    phase = words.phase_name(game.label) if game.label else ""
    key = "_".join(["power"] * bool(power) + ["phase"] * bool(phase)) or "game"
    return reader.tell(SENTENCES["context"][key], power=power, phase=phase, game=game.name)


def _due_sentences(section: DueSection, reader: Reader) -> list[str]:
    """The deadline, what happens without an answer, and when the phase may run before it."""
    due, told = section.due, SENTENCES["due"]
    if due.waits:
        return [reader.tell(told["waits"])]
    when = due_time(due.at, due.now, reader.zone, reader)
    lines = [reader.tell(told["grace" if due.in_grace else "due"], when=when)]
    if due.kept:
        lines.append(reader.tell(told["kept"]))
    if section.default:
        lines.append(section.default)
    if section.asks and due.early is not None and not due.in_grace:
        delay = duration(due.early, reader)
        lines.append(reader.tell(told["early" if due.early else "at_once"], delay=delay))
    return lines
