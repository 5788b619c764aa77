"""Answers to letters with orders: what is stored, what is not, and what to send instead."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from judge.host.messages import (
    GameRef,
    LateOrders,
    NothingFound,
    NotRead,
    OrdersAnswer,
    StaleOrders,
)
from judge.render.catalogue import count, say
from judge.render.layout import (
    GAP,
    LINE_COLUMNS,
    WORDS_COLUMN,
    display_width,
    list_pairs,
    list_rows,
    pad,
    quote_lines,
    titled,
    wrap,
)
from judge.render.part import (
    DueSection,
    Part,
    Reader,
    Section,
    comma_names,
    join_names,
    join_sentences,
    words_of_game,
)
from judge.render.times import moment
from judge.rulebook import Line, Problem, ProblemWords, Row

PROBLEM_INDENT = 6
PROPOSAL_COLUMNS = 20  # of an order to send, before its words
LINES_SHOWN = 20  # of somebody's own words; more than that is a pasted page


def orders_answer(message: OrdersAnswer, reader: Reader) -> Part:
    """The whole sheet, each line that was not stored, and until when."""
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    rows = game_words.rows(message.order_set)
    sections: list[Section] = []
    if message.cleared and message.order_set:
        sections.append(say(words, "The orders that stood before were cleared first."))
    if rows:
        listed = list_rows(rows, say(words, "(kept)"))
        sections.append(titled(say(words, "Stored:"), listed) if message.problems else listed)
    sections += [
        wrap(game_words.note(message.view, note))
        for understood in message.understood
        for note in understood.notes
    ]
    if message.problems:
        sections += _problem_sections(message.game, message.view, message.problems, reader)
    sections += _without_section(message, reader)
    sections.append(DueSection(message.due, asks=not message.problems and bool(message.order_set)))
    if message.order_set and not message.problems:
        sections.append(_change_hint(reader))
    return Part(
        what=_what(message, reader),
        verdict=_verdict(message, reader),
        game=message.game,
        sections=tuple(sections),
        foot=(receipt_lines(message.set_number, message.received_at, message.receipt, reader),),
    )


def _verdict(message: OrdersAnswer, reader: Reader) -> str:
    words, stored = reader.words, _stored(message)
    if message.problems:
        need = count(words, "One line needs you.", "{n} lines need you.", len(message.problems))
        return join_sentences((_stored_sentence(stored, message.orders_due, reader), need), words)
    if message.cleared and not message.order_set:
        return say(words, "Your orders are cleared. Nothing is stored.")
    if stored >= message.orders_due > 0:
        return say(
            words, "Orders complete: {n} of {orders_due}.", n=stored, orders_due=message.orders_due
        )
    return _stored_sentence(stored, message.orders_due, reader)


def _stored(message: OrdersAnswer) -> int:
    return (
        min(len(message.order_set), message.orders_due)
        if message.orders_due
        else len(message.order_set)
    )


def _stored_sentence(stored: int, orders_due: int, reader: Reader) -> str:
    words = reader.words
    if not orders_due:
        return count(words, "{n} line is stored.", "{n} lines are stored.", stored)
    if not stored:
        return say(words, "Nothing is stored yet: 0 of {orders_due} orders.", orders_due=orders_due)
    return count(
        words,
        "{n} of {orders_due} orders is stored.",
        "{n} of {orders_due} orders are stored.",
        stored,
        orders_due=orders_due,
    )


def _what(message: OrdersAnswer, reader: Reader) -> str:
    words, stored = reader.words, _stored(message)
    if message.problems:
        return say(
            words,
            "please look: {n} of {orders_due} orders stored",
            n=stored,
            orders_due=message.orders_due or stored,
        )
    if stored >= message.orders_due > 0:
        return say(
            words, "orders complete ({n} of {orders_due})", n=stored, orders_due=message.orders_due
        )
    if not message.order_set:
        return say(words, "no orders stored")
    return say(
        words,
        "{n} of {orders_due} orders stored",
        n=stored,
        orders_due=message.orders_due or stored,
    )


def _without_section(message: OrdersAnswer, reader: Reader) -> list[Section]:
    if not message.problems and _stored(message) >= message.orders_due:
        return []
    assert message.game.seat is not None
    game_words = words_of_game(message.game, reader.words)
    what = game_words.without(message.view, message.game.seat, message.order_set)
    return [wrap(say(reader.words, "If you send nothing more: {what}", what=what))] if what else []


def _change_hint(reader: Reader) -> str:
    words = reader.words
    alone = say(words, "To change an order, reply with that order alone; the others stay.")
    again = say(words, "To start again, reply CLEAR.")
    return f"{wrap(alone)}\n{wrap(again)}"


def receipt_lines(
    set_number: int | None, received_at: datetime, receipt: str, reader: Reader
) -> str:
    """Which letter it was, when it came, and a name for what was stored from it."""
    words = reader.words
    arrived = moment(received_at, reader.zone, words, seconds=True)
    line = say(words, "Set {n}, arrived {when}.", n=set_number, when=arrived)
    named = say(words, "Receipt {receipt}.", receipt=receipt)
    return f"{wrap(line)}\n{named}"


# --- problems -------------------------------------------------------------------------------------


def _problem_sections(
    game: GameRef, view: msgspec.Raw, problems: Sequence[Problem], reader: Reader
) -> list[Section]:
    """Every line that was not stored, and how to answer."""
    words, game_words = reader.words, words_of_game(game, reader.words)
    told = [game_words.problem(view, problem) for problem in problems]
    numbered = len(told) > 1
    listed = [
        show_problem(one, number if numbered else None, say_send(one, reader))
        for number, one in enumerate(told, 1)
    ]
    first = titled(say(words, "Not stored:"), listed[0])
    return [first, *listed[1:], wrap(_how_to_answer(problems, reader))]


def say_send(problem: ProblemWords, reader: Reader) -> str:
    """What stands before the proposals of a problem."""
    if len(problem.send) > 1:
        return say(reader.words, "Send one of")
    return say(reader.words, "Send")


def show_problem(problem: ProblemWords, number: int | None, send: str) -> str:
    """A line as it was written, its wrong part marked, what is wrong, and what to send."""
    head = pad(f"  {number}.", PROBLEM_INDENT) if number else "  "
    indent = " " * len(head)
    written = problem.written.replace("\t", " ")
    lines = [head + written]
    before = display_width(written[: problem.start])
    marked = "^" * max(display_width(written[problem.start : problem.end]), 1)
    column = WORDS_COLUMN
    marks = indent + " " * before + marked
    if display_width(head + written) > LINE_COLUMNS:
        lines = [wrap(written, head, indent)]
        lines.append(wrap(problem.sentence, indent))
    elif display_width(marks) + 2 > column:
        lines += [marks, wrap(problem.sentence, indent)]
    else:
        lines.append(wrap(problem.sentence, pad(marks, column)))
    for row, label in zip(problem.send, [send, *[""] * len(problem.send)], strict=False):
        lines.append(_show_proposal(row, pad(indent + label, column)))
    return "\n".join(lines)


def _show_proposal(row: Row, start: str) -> str:
    if not row.meaning:
        return start + row.text
    line = f"{pad(start + row.text, display_width(start) + PROPOSAL_COLUMNS)}({row.meaning})"
    if display_width(line) <= LINE_COLUMNS and display_width(row.text) < PROPOSAL_COLUMNS:
        return line
    line = f"{start}{row.text}{' ' * GAP}({row.meaning})"
    below = f"{start}{row.text}\n{' ' * display_width(start)}({row.meaning})"
    return line if display_width(line) <= LINE_COLUMNS else below


def _how_to_answer(problems: Sequence[Problem], reader: Reader) -> str:
    words = reader.words
    single = [n for n, one in enumerate(problems, 1) if len(one.proposals) == 1]
    open_ones = [n for n, one in enumerate(problems, 1) if len(one.proposals) > 1]
    if not single:
        return count(
            words,
            "Reply with the line you want.",
            "Reply with the lines you want.",
            len(problems),
        )
    if len(single) == len(problems):
        return count(
            words,
            "Reply YES to take the line proposed, or reply with the line you want.",
            "Reply YES to take all {n} lines proposed, or reply with the lines you want.",
            len(single),
        )
    taken = count(
        words,
        "Reply with the lines you want. A reply of YES takes every line that has one proposal, "
        "here number {numbers}.",
        "Reply with the lines you want. A reply of YES takes every line that has one proposal, "
        "here numbers {numbers}.",
        len(single),
        numbers=join_names([str(n) for n in single], words),
    )
    if not open_ones:
        return taken
    choice = count(
        words,
        "Number {numbers} needs your choice.",
        "Numbers {numbers} need your choice.",
        len(open_ones),
        numbers=join_names([str(n) for n in open_ones], words),
    )
    return join_sentences((taken, choice), words)


# --- letters that came at the wrong time ----------------------------------------------------------


def stale_orders(message: StaleOrders, reader: Reader) -> Part:
    """Orders for a phase that is over: the lines as they would read now, and YES to use them."""
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    then = game_words.phase_name(message.label_then)
    sections: list[Section] = [
        wrap(
            say(
                words,
                "Your letter answers one of mine about {phase}, which has run. The judge does not "
                "guess that you mean the phase that is due now.",
                phase=then,
            )
        )
    ]
    if message.lines:
        listed = list_rows(game_words.rows(message.lines))
        sections.append(titled(say(words, "These lines can be used now:"), listed))
        sections.append(say(words, "Reply YES to use them, or reply with other lines."))
    if message.problems:
        told = [game_words.problem(message.view, one) for one in message.problems]
        listed = "\n".join(show_problem(one, None, say_send(one, reader)) for one in told)
        sections.append(titled(say(words, "These lines cannot be used now:"), listed))
    sections.append(DueSection(message.due))
    return Part(
        what=say(words, "please look: nothing stored"),
        verdict=say(words, "That phase is over. Nothing is stored."),
        game=message.game,
        sections=tuple(sections),
    )


def late_orders(message: LateOrders, reader: Reader) -> Part:
    """Orders that came after the phase had to run, or in grace from a seat that owed nothing."""
    words = reader.words
    if message.in_grace:
        verdict = say(words, "The deadline has passed. Nothing is changed.")
        why = say(
            words,
            "In grace only powers from which nothing came may order. Your orders were in by the "
            "deadline, and they stand as they are.",
        )
    else:
        verdict = say(words, "Too late: the deadline has passed.")
        why = say(
            words,
            "Your letter reached the mail server after the deadline, so its lines are not stored. "
            "The results are on their way to you; send orders for the next phase.",
        )
    return Part(
        what=say(words, "too late: nothing stored"),
        verdict=verdict,
        game=message.game,
        sections=(wrap(why), titled(say(words, "Not stored:"), _own_words(message.lines, reader))),
    )


def not_read(message: NotRead, reader: Reader) -> Part:
    """What was neither order nor command; said always, so that nobody wonders who saw it."""
    return Part(
        what=say(reader.words, "not read"),
        verdict=say(reader.words, "Not read as orders, and shown to nobody:"),
        context=False,
        lead=_own_words(message.lines, reader),
    )


def _own_words(lines: Sequence[str], reader: Reader) -> str:
    shown = quote_lines(lines[:LINES_SHOWN])
    more = len(lines) - LINES_SHOWN
    if more <= 0:
        return shown
    rest = count(reader.words, "and {n} line more.", "and {n} lines more.", more)
    return f"{shown}\n  {rest}"


def nothing_found(message: NothingFound, reader: Reader) -> Part:
    """A letter without an order or command, from a player."""
    words = reader.words
    sections: list[Section] = []
    if len(message.games) > 1:
        listed = list_pairs([_game_and_seat(game, reader) for game in message.games])
        sections.append(titled(say(words, "Your games:"), listed))
    sections.append(
        wrap(
            say(
                words,
                "Orders are lines such as A PAR - BUR or F BRE - MAO. Send them as a reply to any "
                "letter of the game. HELP lists what else can be asked for.",
            )
        )
    )
    return Part(
        what=say(words, "no orders found"),
        verdict=say(words, "No order and no command is in your letter."),
        game=message.games[0] if len(message.games) == 1 else None,
        sections=tuple(sections),
    )


def _game_and_seat(game: GameRef, reader: Reader) -> tuple[str, str]:
    words, game_words = reader.words, words_of_game(game, reader.words)
    names = [game_words.seat_name(game.seat)] if game.seat else []
    names += [game_words.phase_name(game.label)] if game.label else []
    return game.name, comma_names(names, words)


def show_lines(game: GameRef, lines: Sequence[Line], reader: Reader) -> str:
    """Stored lines as a list, for letters that are no answer to orders."""
    return list_rows(words_of_game(game, reader.words).rows(lines), say(reader.words, "(kept)"))
