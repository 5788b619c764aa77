"""Messages into letters: one text that reads as a whole, with its subject.

The first message gives the subject and the first line; the others follow it as sections. A deadline
is said once, and what belongs to the end of a letter stands at its end.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from judge.blocks import Action, Actions, Block, Drawing, Due, Head, PicturePlace
from judge.host.messages import Message, games, shared
from judge.host.messages import command_answers as commands
from judge.host.messages import game_events as events
from judge.host.messages import master_acts as acted
from judge.host.messages import order_answers as orders
from judge.host.messages import people as players
from judge.host.messages import press as pressed
from judge.host.messages import refusals as refused
from judge.host.messages.shared import GameRef
from judge.render import (
    answers,
    ends,
    guides,
    joining,
    listings,
    masters,
    notices,
    people,
    press,
    refusals,
    results,
    votes,
)
from judge.render.catalogue import catalogue, sentence_tables
from judge.render.html_letter import html_letter
from judge.render.layout import as_letter, one_line
from judge.render.part import DueSection, Part, Reader
from judge.render.picture_requests import PictureRequest
from judge.render.reply_links import Reply, with_links
from judge.render.times import due_time, duration
from judge.store import EVERY_ATTACHMENT, Attachment

SENTENCES = sentence_tables("letters.toml", dict[str, dict[str, str]])
LONGEST_ANSWER = 60_000  # characters; whoever asks for more may be a forger of From headers
SUBJECT_COLUMNS = 120  # what is longer is folded by relays, not always well

# The function that puts each kind of message into words.
RENDERED_BY: Mapping[type[Message], Callable[[Any, Reader], Part]] = {
    orders.OrdersAnswer: answers.orders_answer,
    orders.Standing: answers.order_set_status,
    orders.AdvanceAnswer: answers.advance_answer,
    orders.StaleOrders: answers.stale_orders,
    orders.OrdersShown: answers.orders_of_other_seat,
    orders.LateOrders: answers.late_orders,
    orders.NotRead: answers.lines_not_read,
    orders.PartsNotRead: answers.parts_not_read,
    commands.NothingFound: answers.nothing_found,
    events.Results: results.phase_results,
    events.GameOver: ends.game_over,
    events.Revealed: ends.revealed,
    events.Papers: ends.statements_and_diaries,
    events.Cancelled: ends.cancelled,
    commands.Kept: ends.note_or_statement_kept,
    commands.DiaryTold: ends.diary_told,
    events.Started: notices.started,
    events.Reminder: notices.reminder,
    events.GameWaits: notices.game_waits,
    events.ReadyToRun: notices.ready_to_run,
    events.SettingsChanged: notices.settings_changed,
    events.Proposed: votes.proposed,
    events.DeadlineMoved: notices.deadline_moved,
    events.LateNotice: notices.late_seats_notice,
    events.StandbyNotice: notices.standby_notice,
    events.SeatChanged: notices.seat_changed,
    refused.AddressAsked: notices.sender_doubted,
    refused.PasswordTried: notices.password_tried,
    refused.KeeperNotice: notices.keeper_notice,
    pressed.PressReceived: press.press_received,
    pressed.PressSent: press.press_sent,
    pressed.PressUnclear: press.press_or_orders_asked,
    pressed.PressHistory: press.press_history,
    pressed.PressReported: press.press_reported,
    pressed.Announcement: press.announcement,
    commands.BallotCast: votes.ballot_cast,
    commands.OpenVotes: votes.open_votes,
    players.Personal: people.personal_setting,
    players.Profile: people.profile,
    players.RatingList: people.rating_list,
    players.OwnData: people.own_data,
    players.VacationNoted: people.vacation_noted,
    players.Registered: joining.registered,
    commands.JoinAsked: joining.join_asked,
    commands.Joined: joining.joined,
    commands.Preferences: joining.preferences,
    commands.Chosen: joining.game_found,
    commands.ApprovalAsked: joining.approval_asked,
    commands.ApprovalAnswer: joining.approval_answer,
    commands.Invited: joining.invited,
    commands.EntryLists: joining.admission_lists,
    commands.Mastered: joining.mastered,
    games.Summary: listings.summary,
    games.PhaseHistory: results.phase_history,
    games.MapDrawn: results.map_drawn,
    events.Filling: joining.filling,
    commands.Created: joining.created,
    commands.SettingsRefused: joining.settings_refused,
    commands.Away: joining.away,
    commands.ConfirmAsked: joining.confirm_asked,
    commands.Done: joining.done,
    games.GameList: listings.game_list,
    games.GameStatus: listings.game_status,
    commands.HelpText: listings.help_text,
    commands.Guide: guides.guide,
    commands.Version: guides.version,
    commands.TriedOut: results.tried_out,
    commands.PositionUnclear: results.position_unclear,
    games.Welcome: listings.welcome,
    acted.MasterActed: masters.master_acted,
    acted.Mastership: masters.mastership,
    acted.MasterWrote: masters.other_master_acted,
    acted.OrdersGiven: masters.orders_given,
    acted.Digest: masters.digest,
    acted.Preview: masters.preview,
    acted.RolledBack: masters.rolled_back,
    refused.Refusal: refusals.refusal,
}


class Shown(StrEnum):
    """Whether a letter carries a picture."""

    YES = "yes"
    LATER = "later"  # it is being drawn, and the letter waits for it
    LEFT_OUT = "left out"  # it was not drawn in time: a line says how to get it
    NO = "no"


@dataclass(frozen=True, slots=True)
class RenderedLetter:
    """A letter as it goes out: its subject line, its text, and its pictures, each with the name of
    its file and the Content-ID by which the HTML shows it; of no use yet while it `waits` for a
    picture."""

    subject: str
    text: str
    html: str | None = None
    pictures: tuple[tuple[str, PictureRequest, str], ...] = ()
    waits: bool = False


def render_letter(
    messages: Sequence[Message],
    *,
    language: str,
    zone: str,
    judge_name: str,
    kind: str,
    attachments: Collection[Attachment] = EVERY_ATTACHMENT,
    shown: Callable[[PictureRequest], Shown] = lambda _: Shown.YES,
    reply: Reply | None = None,
    is_plain: bool = False,
) -> RenderedLetter:
    """The letter that the messages make.

    Args:
        messages: at least one, the most important first.
        language: the reader's; English if the catalogue has no such language.
        zone: the reader's IANA time zone; UTC if there is no such zone.
        judge_name: for the subject line.
        kind: what the letter is for, as the outbox knows it; names it in the log of a fault.
        attachments: what comes with it unasked.
        shown: whether a picture that comes with it is there.
        reply: for the links that write a reply; without it there are none.
        is_plain: the reader wants text alone, so no HTML is made.

    Raises:
        ValueError: there is no message in the letter (a bug).
    """
    if not messages:
        raise ValueError(f"a letter of kind {kind} says nothing")
    reader = Reader(catalogue(language), zone, judge_name)
    parts = [RENDERED_BY[type(message)](message, reader) for message in messages]
    pictures: dict[tuple[str, PictureRequest], Shown] = {}
    for part, message in zip(parts, messages, strict=True):
        is_chart = isinstance(message, events.GameOver | games.Summary)
        is_asked_for = isinstance(message, games.MapDrawn | commands.Guide)
        if is_asked_for or (Attachment.CHART if is_chart else Attachment.MAP) in attachments:
            pictures |= {named: shown(named[1]) for named in part.pictures}
    subject, blocks = _subject(parts[0], reader), _letter_blocks(parts, pictures, reader)
    foot = list(dict.fromkeys(part.foot for part in parts if part.foot))
    colon = reader.say("{title}: {text}", title="", text="")
    text, html = as_letter([*blocks, *foot], colon), None
    waits = Shown.LATER in pictures.values()
    if kind == "answer" and len(text) > LONGEST_ANSWER:
        left_out = SENTENCES["cut"]["answer"]
        text = "\n\n".join((text[:LONGEST_ANSWER].rpartition("\n")[0], reader.say(left_out)))
    elif not (is_plain or waits):
        linked = with_links(blocks, reply, subject, reader)
        html = html_letter(linked, foot, language=reader.language, subject=subject)
    return RenderedLetter(
        subject,
        f"{text}\n",
        html,
        pictures=tuple(
            (f"{name}.png", request, _cid(name, request))
            for (name, request), is_it in pictures.items()
            if is_it is Shown.YES
        ),
        waits=waits,
    )


def _letter_blocks(
    parts: Sequence[Part], pictures: Mapping[tuple[str, PictureRequest], Shown], reader: Reader
) -> list[Block]:
    """Each part below its head, with those of its pictures that the letter carries, or how to get
    those that it lacks."""
    blocks: list[Block] = []
    places: set[tuple[str, str]] = set()  # games and phases that were named
    deadlines: set[tuple[str, datetime, bool]] = set()  # deadlines that were told
    for part in parts:
        game, context, phase = part.game, "", ""
        name, label = (game.name, game.label or "") if game else ("", "")
        if game is not None:
            phase = reader.phase(game)
            if part.context and (name, label) not in places:
                # `France, Spring 1901 movement, game balkan.`
                power = reader.game_words(game).seat_name(game.seat) if game.seat else ""
                key = "_".join(["power"] * bool(power) + ["phase"] * bool(phase)) or "game"
                values = {
                    "power": power,
                    "phase": _phase_with_repeat(phase, game, reader),
                    "game": name,
                }
                context = reader.tell(SENTENCES["context"][key], **values)
            places.add((name, label))
        blocks.append(Head(part.verdict, context, part.lead))

        drawings, left_out = list[Drawing](), dict[str, None]()
        for named in part.pictures:
            shows, board = named[1].shows, named[1].variant
            if pictures.get(named) is Shown.YES:
                alt = part.verdict  # for those who do not see it
                if game is not None:
                    alt = reader.tell(SENTENCES["alts"][shows], phase=phase or name)
                drawings.append(Drawing(_cid(*named), alt))
            elif pictures.get(named) is Shown.LEFT_OUT:
                told = SENTENCES["pictures"][shows if game else "board"]
                left_out[reader.tell(told, game=name, label=label, board=board)] = None
        for section in (*part.sections, *left_out):
            if isinstance(section, PicturePlace):
                blocks += drawings
                drawings = []
            elif not isinstance(section, DueSection):
                blocks += [section] if section else []
            elif (due := section.due) is not None:
                deadline = (name, due.at, due.waits or due.held)
                if deadline not in deadlines:
                    deadlines.add(deadline)
                    blocks.append(Due(_due_sentences(section, due, reader)))
                    if _may_run_early(section, due) and due.may_wait:
                        wait = reader.tell(SENTENCES["actions"]["wait"])
                        blocks.append(Actions([Action(wait, reader.say("WAIT"))]))
        blocks += drawings
    return blocks


def _cid(name: str, request: PictureRequest) -> str:
    """The Content-ID of a picture: another one for each picture of a file's name."""
    return f"{name}@{request.sha256[:16]}"


def _subject(part: Part, reader: Reader) -> str:
    """`[Judge] balkan S1901M results: A BUR dislodged`."""
    if part.subject:
        return part.subject
    values = {"judge": reader.judge_name, "what": part.what}
    key = "judge"
    if game := part.game:
        key = "phase" if game.label else "game"
        values |= {"game": game.name, "phase": _phase_with_repeat(game.label or "", game, reader)}
    return one_line(reader.tell(SENTENCES["subject"][key], **values), SUBJECT_COLUMNS)


def _phase_with_repeat(phase: str, game: GameRef, reader: Reader) -> str:
    """`S1901M (second time)`, if the phase is played once more."""
    if not phase or game.times <= 1:
        return phase
    told = SENTENCES["again"]
    return reader.tell(told.get(str(game.times), told["more"]), game.times, phase=phase)


def _may_run_early(section: DueSection, due: shared.Due) -> bool:
    """Whether the phase may run before its deadline, and its reader has something to say in it."""
    is_open = not (due.in_grace or due.held or due.waits)
    return section.asks and due.early is not None and is_open


def _due_sentences(section: DueSection, due: shared.Due, reader: Reader) -> list[str]:
    """The deadline, what happens without an answer, and when the phase may run before it."""
    told = SENTENCES["due"]
    if due.held:
        return [reader.tell(told["held"])]
    if due.waits:
        key = "master" if due.by_master else "ready" if due.by_ready else "waits"
        return [reader.tell(told[key])]
    when = due_time(due.at, due.now, reader.zone, reader)
    lines = [reader.tell(told["grace" if due.in_grace else "due"], when=when)]
    if due.kept:
        lines.append(reader.tell(told["kept"]))
    if section.default:
        lines.append(section.default)
    if due.early is not None and _may_run_early(section, due):
        delay = duration(due.early, reader)
        key = ("early" if due.early else "at_once") + ("" if due.may_wait else "_bound")
        lines.append(reader.tell(told[key], delay=delay))
    return lines
