"""Answers to letters with orders: what is stored, what is not, and what to send instead."""

from collections.abc import Sequence
from datetime import datetime

from judge.host.blocks import GameRef, LateOrders, NothingFound, NotRead, OrdersAnswer, StaleOrders
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
    renderer_of,
)
from judge.render.times import moment
from judge.rulebook import JsonObject, Line, Problem, ProblemWords, Row

PROBLEM_INDENT = 6
PROPOSAL_COLUMNS = 20  # of an order to send, before its words
LINES_SHOWN = 20  # of somebody's own words; more than that is a pasted page


def orders_answer(block: OrdersAnswer, reader: Reader) -> Part:
    """The whole sheet, each line that was not stored, and until when."""
    words, renderer = reader.words, renderer_of(block.game)
    rows = renderer.rows(block.view, block.sheet, words)
    sections: list[Section] = []
    if block.cleared and block.sheet:
        sections.append(say(words, "The orders that stood before were cleared first."))
    if rows:
        listed = list_rows(rows, say(words, "(kept)"))
        sections.append(titled(say(words, "Stored:"), listed) if block.problems else listed)
    sections += [
        wrap(renderer.note(block.view, note, words))
        for understood in block.understood
        for note in understood.notes
    ]
    if block.problems:
        sections += _problem_sections(block.game, block.view, block.problems, reader)
    sections += _without_section(block, reader)
    sections.append(DueSection(block.due, asks=not block.problems and bool(block.sheet)))
    if block.sheet and not block.problems:
        sections.append(_change_hint(reader))
    return Part(
        what=_what(block, reader),
        verdict=_verdict(block, reader),
        game=block.game,
        sections=tuple(sections),
        foot=(receipt_lines(block.set_number, block.received_at, block.receipt, reader),),
    )


def _verdict(block: OrdersAnswer, reader: Reader) -> str:
    words, stored = reader.words, _stored(block)
    if block.problems:
        need = count(words, "One line needs you.", "{n} lines need you.", len(block.problems))
        return join_sentences((_stored_sentence(stored, block.owed, reader), need), words)
    if block.cleared and not block.sheet:
        return say(words, "Your orders are cleared. Nothing is stored.")
    if stored >= block.owed > 0:
        return say(words, "Orders complete: {n} of {owed}.", n=stored, owed=block.owed)
    return _stored_sentence(stored, block.owed, reader)


def _stored(block: OrdersAnswer) -> int:
    return min(len(block.sheet), block.owed) if block.owed else len(block.sheet)


def _stored_sentence(stored: int, owed: int, reader: Reader) -> str:
    words = reader.words
    if not owed:
        return count(words, "{n} line is stored.", "{n} lines are stored.", stored)
    if not stored:
        return say(words, "Nothing is stored yet: 0 of {owed} orders.", owed=owed)
    return count(
        words,
        "{n} of {owed} orders is stored.",
        "{n} of {owed} orders are stored.",
        stored,
        owed=owed,
    )


def _what(block: OrdersAnswer, reader: Reader) -> str:
    words, stored = reader.words, _stored(block)
    if block.problems:
        return say(
            words, "please look: {n} of {owed} orders stored", n=stored, owed=block.owed or stored
        )
    if stored >= block.owed > 0:
        return say(words, "orders complete ({n} of {owed})", n=stored, owed=block.owed)
    if not block.sheet:
        return say(words, "no orders stored")
    return say(words, "{n} of {owed} orders stored", n=stored, owed=block.owed or stored)


def _without_section(block: OrdersAnswer, reader: Reader) -> list[Section]:
    if not block.problems and _stored(block) >= block.owed:
        return []
    assert block.game.seat is not None
    renderer = renderer_of(block.game)
    what = renderer.without(block.view, block.game.seat, block.sheet, reader.words)
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
    game: GameRef, view: JsonObject, problems: Sequence[Problem], reader: Reader
) -> list[Section]:
    """Every line that was not stored, and how to answer."""
    renderer, words = renderer_of(game), reader.words
    told = [renderer.problem(view, problem, words) for problem in problems]
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


def stale_orders(block: StaleOrders, reader: Reader) -> Part:
    """Orders for a phase that is over: the lines as they would read now, and YES to use them."""
    words, renderer = reader.words, renderer_of(block.game)
    then = renderer.phase_name(block.label_then, words)
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
    if block.lines:
        listed = list_rows(renderer.rows(block.view, block.lines, words))
        sections.append(titled(say(words, "These lines can be used now:"), listed))
        sections.append(say(words, "Reply YES to use them, or reply with other lines."))
    if block.problems:
        told = [renderer.problem(block.view, one, words) for one in block.problems]
        listed = "\n".join(show_problem(one, None, say_send(one, reader)) for one in told)
        sections.append(titled(say(words, "These lines cannot be used now:"), listed))
    sections.append(DueSection(block.due))
    return Part(
        what=say(words, "please look: nothing stored"),
        verdict=say(words, "That phase is over. Nothing is stored."),
        game=block.game,
        sections=tuple(sections),
    )


def late_orders(block: LateOrders, reader: Reader) -> Part:
    """Orders that came after the phase had to run, or in grace from a seat that owed nothing."""
    words = reader.words
    if block.in_grace:
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
        game=block.game,
        sections=(wrap(why), titled(say(words, "Not stored:"), _own_words(block.lines, reader))),
    )


def not_read(block: NotRead, reader: Reader) -> Part:
    """What was neither order nor command; said always, so that nobody wonders who saw it."""
    return Part(
        what=say(reader.words, "not read"),
        verdict=say(reader.words, "Not read as orders, and shown to nobody:"),
        context=False,
        lead=_own_words(block.lines, reader),
    )


def _own_words(lines: Sequence[str], reader: Reader) -> str:
    shown = quote_lines(lines[:LINES_SHOWN])
    more = len(lines) - LINES_SHOWN
    if more <= 0:
        return shown
    rest = count(reader.words, "and {n} line more.", "and {n} lines more.", more)
    return f"{shown}\n  {rest}"


def nothing_found(block: NothingFound, reader: Reader) -> Part:
    """A letter without an order or command, from a player."""
    words = reader.words
    sections: list[Section] = []
    if len(block.games) > 1:
        listed = list_pairs([_game_and_seat(game, reader) for game in block.games])
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
        game=block.games[0] if len(block.games) == 1 else None,
        sections=tuple(sections),
    )


def _game_and_seat(game: GameRef, reader: Reader) -> tuple[str, str]:
    renderer, words = renderer_of(game), reader.words
    names = [renderer.seat_name(game.seat, words)] if game.seat else []
    names += [renderer.phase_name(game.label, words)] if game.label else []
    return game.name, comma_names(names, words)


def show_lines(game: GameRef, view: JsonObject, lines: Sequence[Line], reader: Reader) -> str:
    """Stored lines as a list, for letters that are no answer to orders."""
    return list_rows(renderer_of(game).rows(view, lines, reader.words), say(reader.words, "(kept)"))
