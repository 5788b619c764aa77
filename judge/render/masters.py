"""What a game's master has done, and what waits for the master."""

from collections.abc import Sequence

import msgspec

from judge.blocks import Block, Listed, Quoted, Stacked, Titled, Written, rows_to_copy
from judge.host.messages import master_acts as acted
from judge.host.messages.games import ActRow
from judge.host.messages.shared import GameRef, Holdup, HoldupKind
from judge.render.answers import flags_told, if_nothing_more, show_problems, show_stored_lines
from judge.render.catalogue import join_sentences, sentence_tables
from judge.render.layout import first_that_fits, one_line
from judge.render.part import DueSection, Part, Reader, Section, Told, task_sections
from judge.render.times import due_time, moment
from judge.render.votes import open_votes_told
from judge.rulebook import NO_JSON, Message
from judge.store import Act, Status


class _Holdup(msgspec.Struct, frozen=True):
    """What holds a game up: the sentence, that for a master who may not see which seats it is, and
    the line that changes it."""

    text: Message
    unseen: Message = ""
    line: str = ""


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, Message]
    rows: dict[Act, str]
    returns: dict[Act, Told]
    acts: dict[str, Told]
    holdups: dict[HoldupKind, _Holdup]
    digest_states: dict[Status, str]
    digest_groups: dict[acted.DigestGroup, str]
    mastership: dict[acted.MastershipEvent, Told]


REASON_COLUMNS = 200
WHO_COLUMNS = 50
NAME_COLUMNS = 120  # of the longest name, which a line to copy holds whole
SENTENCES = sentence_tables("masters.toml", _Tables)
TEXTS = SENTENCES.text


def quoted_reason(reason: str, reader: Reader) -> Block:
    """A master's reason, in the words that were written; empty where there is none."""
    return Titled(reader.tell(TEXTS["reason"]), Written(reason)) if reason else ""


def act_row(row: ActRow, game: GameRef, reader: Reader) -> str:
    """An act in one line: `Spring 1902 movement: rolled back to it (a letter was lost)`."""
    powers = reader.seats(game, row.seats)
    told = reader.tell(SENTENCES.rows[row.act], powers=powers, who=one_line(row.who, WHO_COLUMNS))
    phase = reader.game_words(game).phase_name(row.label) if row.label else ""
    head = reader.say("{title}: {text}", title=phase, text=told) if phase else told
    if row.by:
        by = one_line(row.by, WHO_COLUMNS)
        head = reader.say("{text}, by {who}", text=head, who=by)
    more = " / ".join(filter(None, (*row.text.splitlines(), row.reason)))
    more = one_line(more, REASON_COLUMNS)
    return reader.say("{name} ({id})", name=head, id=more) if more else head


def master_acted(message: acted.MasterActed, reader: Reader) -> Part:
    """Something that the master did: what, why, and until when orders are due now."""
    game = message.game
    special = f"own_{message.act}" if message.is_own else ""
    if message.act is Act.EJECTED and not message.is_own and not message.seats:
        special = "ejected_unseated"
    told = SENTENCES.acts[special if special in SENTENCES.acts else message.act]
    powers = reader.seats(game, message.seats)
    who = one_line(message.who, WHO_COLUMNS) or reader.say("Somebody")
    values = {"who": who, "powers": powers, "game": game.name}
    sections: list[Section] = [
        quoted_reason(message.reason, reader),
        reader.tell(told.text, **values) if told.text else "",
        Quoted([one_line(line, REASON_COLUMNS) for line in message.lines]),
    ]
    if game.seat and message.orders_due:  # the position is another one
        rows = show_stored_lines(game, message.order_set, reader)
        left = Titled(reader.tell(TEXTS["left"]), rows)
        sections.append(left if rows else reader.tell(TEXTS["nothing_stored"]))
        sections.append(if_nothing_more(message, reader))
    if message.view != NO_JSON:
        sections += reader.game_words(game).position(message.view)
    if message.since:
        when = moment(message.since, reader.zone, reader)
        sections.append(reader.tell(TEXTS["reminded"], when=when))
    sections.append(DueSection(message.due))
    return Part(reader.say(told.what), reader.tell(told.verdict, **values), game, sections)


def mastership(message: acted.Mastership, reader: Reader) -> Part:
    """Whether somebody runs a game: to them, or to the master who asks."""
    told, game = SENTENCES.mastership[message.event], message.game
    values = {"who": one_line(message.who, WHO_COLUMNS), "game": game.name}
    sections: list[Section] = [reader.tell(told.text, **values)]
    if message.takes_over:
        sections.append(reader.tell(TEXTS[f"{message.event}_place"], **values))
    return Part(reader.say(told.what), reader.tell(told.verdict, **values), game, sections)


def other_master_acted(message: acted.MasterWrote, reader: Reader) -> Part:
    """To a master: what another of the game's masters has done."""
    who = one_line(message.who, WHO_COLUMNS)
    lines = Quoted([one_line(line, REASON_COLUMNS) for line in message.lines])
    told = reader.tell(TEXTS["wrote"], who=who, game=message.game.name)
    sections = (told, lines) if lines else ()
    verdict = reader.tell(TEXTS["wrote_verdict"])
    return Part(reader.tell(TEXTS["wrote_subject"]), verdict, message.game, sections)


def digest(message: acted.Digest, reader: Reader) -> Part:
    """All games of a master: what waits for them first, then by deadline."""
    waits = sum(row.group is acted.DigestGroup.WAITS for row in message.rows)
    verdict = reader.count("{n} game waits for you.", "{n} games wait for you.", waits)
    if not waits:
        verdict = reader.tell(TEXTS["digest_verdict"])
    sections: list[Section] = [reader.tell(TEXTS["digest_how"])]
    for group in acted.DigestGroup:
        rows = [_digest_row(row, reader) for row in message.rows if row.group is group]
        if rows:
            sections += [reader.tell(SENTENCES.digest_groups[group]), *rows]
    if name := next((row.game.name for row in message.rows if row.due is not None), ""):
        lines = [reader.tell(TEXTS[key]) for key in ("digest_hold", "digest_more_time")]
        named = [reader.tell(TEXTS["digest_line"], game=name, line=line) for line in lines]
        sections.append(Titled(reader.tell(TEXTS["digest_more"]), rows_to_copy(*named)))
    sections.append(reader.tell(TEXTS["digest_off"], hour=message.hour))
    return Part(reader.tell(TEXTS["digest_subject"]), verdict, sections=sections)


def _digest_row(row: acted.DigestRow, reader: Reader) -> Block:
    """A game in a few lines: how it stands, what holds it up, and what to send."""
    game, told = row.game, list[Block]()
    stands = reader.phase(game) or reader.tell(SENTENCES.digest_states[row.status])
    if row.due is not None:
        when = due_time(row.due.at, row.due.now, reader.zone, reader)
        told.append(reader.say("Due: {when}.", when=when))
    if row.began:
        told.append(reader.tell(TEXTS["digest_began"]))
    told += [holdup_told(one, game, reader, is_named=True) for one in row.holdups]
    if row.ran:
        phase = reader.game_words(game).phase_name(row.ran)
        sentence = reader.tell(TEXTS["digest_ran"], phase=phase)
        line = reader.tell(TEXTS["digest_rollback"], label=row.ran)
        line = reader.tell(TEXTS["digest_line"], game=game.name, line=line)
        told.append(Titled(sentence, rows_to_copy(line)))
    elif not any(SENTENCES.holdups[one.kind].line for one in row.holdups):
        is_over = row.group is acted.DigestGroup.OVER
        line = reader.tell(TEXTS["digest_over" if is_over else "digest_status"], game=game.name)
        told.append(rows_to_copy(line))
    return Titled(reader.say("{title}: {text}", title=game.name, text=stands), Stacked(told))


def holdups_section(holdups: Sequence[Holdup], game: GameRef, reader: Reader) -> Block:
    """What holds a game up, a sentence each, with the lines that change it."""
    told = [holdup_told(one, game, reader) for one in holdups]
    return Titled(reader.tell(TEXTS["holdups"]), Stacked(told))


def holdup_told(holdup: Holdup, game: GameRef, reader: Reader, *, is_named: bool = False) -> Block:
    """A sentence, and indented below it the line that changes it, if there is one; `is_named`: it
    names its game, for a letter about several."""
    told = SENTENCES.holdups[holdup.kind]
    values = {
        "game": game.name,
        "label": game.label or "",
        "powers": reader.seats(game, holdup.seats),
        "id": reader.seat_written(game, holdup.seats[0]) if holdup.seats else "",
        "who": one_line(holdup.who, WHO_COLUMNS),
        "when": moment(holdup.at, reader.zone, reader) if holdup.at else "",
        "number": holdup.motion.number if holdup.motion else 0,
    }
    text = told.unseen if told.unseen and not holdup.seats else told.text
    sentence = reader.tell(text, holdup.count, **values)
    if holdup.motion is not None:
        sentence = join_sentences(
            (sentence, *open_votes_told(game, (holdup.motion,), reader)), reader
        )
    if holdup.reason:
        reason = one_line(holdup.reason, REASON_COLUMNS)
        sentence = join_sentences((sentence, reader.tell(TEXTS["reason"]), reason), reader)
    if not told.line:
        return sentence
    # A full stop at its end makes a sentence of the line.
    name = one_line(holdup.who, NAME_COLUMNS).rstrip(".")
    line = reader.say(told.line, **values | {"who": name})
    if is_named and "{game}" not in told.line:
        line = reader.tell(TEXTS["digest_line"], game=game.name, line=line)
    return Titled(sentence, rows_to_copy(line))


def preview(message: acted.Preview, reader: Reader) -> Part:
    """What the phase would come to now, to its master."""
    game, words = message.game, reader.game_words(message.game)
    told = words.results(message.report, NO_JSON, None)
    owing = [one for one in message.owing if one not in message.missing]
    sections: list[Section] = [
        reader.tell(TEXTS["preview"]),
        reader.sentence_about_seats(TEXTS["preview_missing"], game, message.missing),
        reader.sentence_about_seats(TEXTS["preview_owing"], game, owing),
        DueSection(message.due),
        *(told.table_title, told.table, *told.after, told.units),
    ]
    verdict = reader.tell(TEXTS["preview_verdict"])
    return Part(reader.tell(TEXTS["preview_subject"]), verdict, game, sections)


def orders_given(message: acted.OrdersGiven, reader: Reader) -> Part:
    """What the master has stored in a player's place: to the player, or to the master."""
    game, key = message.game, "given_player" if message.game.seat else "given_master"
    power = reader.game_words(game).seat_name(message.seat)
    headline = TEXTS[f"{key}_verdict" if message.is_done else "given_none_verdict"]
    verdict = reader.verdict_naming(headline, game, message.seat)
    sections: list[Section] = [reader.tell(TEXTS[key], power=power)] if message.is_done else []
    if message.order_set:
        rows = show_stored_lines(game, message.order_set, reader)
        sections.append(Titled(reader.say("Stored:"), rows))
    elif game.seat:
        sections.append(reader.tell(TEXTS["nothing_stored"]))
    if game.seat:
        without = if_nothing_more(message, reader)
        sections.append("\n".join(filter(None, (*flags_told(message, reader), without))))
    if message.problems:
        title = reader.say("Not stored:")
        sections += show_problems(game, message.view, message.problems, title, reader)
    sections.append(DueSection(message.due))
    return Part(reader.tell(TEXTS["given_subject"]), verdict, game, sections)


def rolled_back(message: acted.RolledBack, reader: Reader) -> Part:
    """After a rollback or the like: why, what counts no more, one's own orders, the position."""
    game, told = message.game, SENTENCES.returns[message.act]
    words = reader.game_words(game)
    rows = show_stored_lines(game, message.order_set, reader)
    sections: list[Section] = [
        quoted_reason(message.reason, reader),
        reader.tell(TEXTS["was_over"]) if message.was_over else "",
        Titled(reader.tell(TEXTS["kept"]), rows) if rows else "",
    ]
    if rows and len(message.order_set) < message.orders_due:
        sections.append(if_nothing_more(message, reader))
    elif game.seat and message.orders_due and not rows:
        sections.append(reader.tell(TEXTS["none_kept" if message.keeps_orders else "again"]))
        sections += task_sections(words.task(message.view, game.seat))[:2]
    phases = Listed([words.phase_name(label) for label in message.taken_back])
    undone = reader.tell(TEXTS["undone"], len(message.taken_back))
    due = message.due
    votes = "votes_ready" if message.may_run_early and due and not due.waits else "votes"
    sections += [
        DueSection(due),
        reader.tell(TEXTS[votes]) if due else "",
        Titled(undone, phases) if message.taken_back else "",
        *words.position(message.view),
    ]
    names = (words.phase_name(game.label or ""), game.label)
    verdict = first_that_fits(reader.tell(told.verdict, phase=phase) for phase in names)
    return Part(reader.say(told.what), verdict, game, sections)
