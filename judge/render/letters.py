"""Blocks into letters: one text that reads as a whole, with its subject.

The first block gives the subject and the first line; the others follow it as sections. A deadline
is said once, and what belongs to the end of a letter stands at its end.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import assert_never

from judge.host import messages as b
from judge.render.advance_orders import advance_answer
from judge.render.answers import late_orders, not_read, nothing_found, orders_answer, stale_orders
from judge.render.catalogue import catalogue, say
from judge.render.joining import confirm_asked, created, done, join_asked, joined, registered
from judge.render.keeper import address_asked, keeper_notice
from judge.render.layout import one_line, wrap
from judge.render.lists import game_list, game_status, help_text, welcome
from judge.render.notices import deadline_moved, game_waits, reminder, seat_changed, started
from judge.render.part import DueSection, Part, Reader, context_line, due_sentences
from judge.render.press import press_received, press_sent, voted
from judge.render.refusals import refusal
from judge.render.results import game_over, results

SUBJECT_COLUMNS = 120  # what is longer is folded by relays, not always well


@dataclass(frozen=True, slots=True)
class RenderedLetter:
    """A letter as it goes out: its subject line and its plain text."""

    subject: str
    text: str


def render_letter(
    messages: Sequence[b.Message], *, language: str, zone: str, judge_name: str, kind: str
) -> RenderedLetter:
    """The letter that the blocks make.

    Args:
        messages: at least one, the most important first.
        language: the reader's; English if the catalogue has no such language.
        zone: the reader's IANA time zone; UTC if there is no such zone.
        judge_name: for the subject line.
        kind: what the letter is for, as the outbox knows it; names it in the log of a fault.

    Raises:
        ValueError: there is no block in the letter (a bug).
    """
    if not messages:
        raise ValueError(f"a letter of kind {kind} says nothing")
    reader = Reader(catalogue(language), zone, judge_name)
    parts = [render_message(message, reader) for message in messages]
    return RenderedLetter(_subject(parts[0], reader), _Page(reader).write(parts))


def _subject(part: Part, reader: Reader) -> str:
    """`[Judge] balkan S1901M results: A BUR dislodged`."""
    words, name, game = reader.words, reader.judge_name, part.game
    if game is None:
        subject = say(words, "[{judge}] {what}", judge=name, what=part.what)
    elif game.label is None:
        subject = say(words, "[{judge}] {game} {what}", judge=name, game=game.name, what=part.what)
    else:
        subject = say(
            words,
            "[{judge}] {game} {phase} {what}",
            judge=name,
            game=game.name,
            phase=game.label,
            what=part.what,
        )
    return one_line(subject, SUBJECT_COLUMNS)


@dataclass(slots=True)
class _Page:
    """A letter being written: knows what it has said already."""

    reader: Reader
    _paragraphs: list[str] = field(default_factory=list)
    _said: set[tuple[str, datetime, bool]] = field(default_factory=set)
    _told: set[tuple[str, str | None]] = field(default_factory=set)

    def write(self, parts: Sequence[Part]) -> str:
        for part in parts:
            self._open(part)
            for section in part.sections:
                if isinstance(section, DueSection):
                    self._say_due(part, section)
                elif section:
                    self._paragraphs.append(section)
        self._paragraphs += _unique(line for part in parts for line in part.foot)
        return "\n\n".join(self._paragraphs) + "\n"

    def _open(self, part: Part) -> None:
        """The verdict, and where we are unless an earlier part has said it."""
        lines = [wrap(part.verdict)]
        if part.game is not None:
            place = (part.game.name, part.game.label)
            if part.context and place not in self._told:
                lines.append(wrap(context_line(part.game, self.reader)))
            self._told.add(place)
        if part.lead:
            lines.append(part.lead)
        self._paragraphs.append("\n".join(lines))

    def _say_due(self, part: Part, section: DueSection) -> None:
        due = section.due
        said = (part.game.name if part.game else "", due.at, due.waits)
        if said in self._said:
            return
        self._said.add(said)
        sentences = due_sentences(section, self.reader)
        self._paragraphs.append("\n".join(wrap(sentence) for sentence in sentences))


def _unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))


def render_message(message: b.Message, reader: Reader) -> Part:
    """One block in words. Every block has its family's module."""
    match message:
        case b.OrdersAnswer() | b.StaleOrders() | b.LateOrders() | b.NotRead() | b.NothingFound():
            return _render_answer(message, reader)
        case b.AdvanceAnswer():
            return advance_answer(message, reader)
        case b.Results():
            return results(message, reader)
        case b.GameOver():
            return game_over(message, reader)
        case b.Started() | b.Reminder() | b.GameWaits() | b.DeadlineMoved() | b.SeatChanged():
            return _render_notice(message, reader)
        case b.PressReceived():
            return press_received(message, reader)
        case b.PressSent():
            return press_sent(message, reader)
        case b.Voted():
            return voted(message, reader)
        case b.Registered() | b.JoinAsked() | b.Joined() | b.Created() | b.ConfirmAsked():
            return _render_joining(message, reader)
        case b.Done():
            return done(message, reader)
        case b.GameList() | b.GameStatus() | b.HelpText() | b.Welcome():
            return _render_list(message, reader)
        case b.Refusal():
            return refusal(message, reader)
        case b.AddressAsked():
            return address_asked(message, reader)
        case b.KeeperNotice():
            return keeper_notice(message, reader)
        case _:
            assert_never(message)


def _render_answer(
    message: b.OrdersAnswer | b.StaleOrders | b.LateOrders | b.NotRead | b.NothingFound,
    reader: Reader,
) -> Part:
    match message:
        case b.OrdersAnswer():
            return orders_answer(message, reader)
        case b.StaleOrders():
            return stale_orders(message, reader)
        case b.LateOrders():
            return late_orders(message, reader)
        case b.NotRead():
            return not_read(message, reader)
        case b.NothingFound():
            return nothing_found(message, reader)
        case _:
            assert_never(message)


def _render_notice(
    message: b.Started | b.Reminder | b.GameWaits | b.DeadlineMoved | b.SeatChanged, reader: Reader
) -> Part:
    match message:
        case b.Started():
            return started(message, reader)
        case b.Reminder():
            return reminder(message, reader)
        case b.GameWaits():
            return game_waits(message, reader)
        case b.DeadlineMoved():
            return deadline_moved(message, reader)
        case b.SeatChanged():
            return seat_changed(message, reader)
        case _:
            assert_never(message)


def _render_joining(
    message: b.Registered | b.JoinAsked | b.Joined | b.Created | b.ConfirmAsked, reader: Reader
) -> Part:
    match message:
        case b.Registered():
            return registered(message, reader)
        case b.JoinAsked():
            return join_asked(message, reader)
        case b.Joined():
            return joined(message, reader)
        case b.Created():
            return created(message, reader)
        case b.ConfirmAsked():
            return confirm_asked(message, reader)
        case _:
            assert_never(message)


def _render_list(
    message: b.GameList | b.GameStatus | b.HelpText | b.Welcome, reader: Reader
) -> Part:
    match message:
        case b.GameList():
            return game_list(message, reader)
        case b.GameStatus():
            return game_status(message, reader)
        case b.HelpText():
            return help_text(message, reader)
        case b.Welcome():
            return welcome(message, reader)
        case _:
            assert_never(message)
