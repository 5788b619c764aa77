"""Answers to letters with orders: what is stored, what is not, and what to send instead."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from judge.host import messages as m
from judge.render.catalogue import N_, comma_names, join_names, join_sentences
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
from judge.render.part import DueSection, Part, Reader, Section
from judge.render.times import moment
from judge.rulebook import (
    DEFAULT_GAME,
    AdvanceOrders,
    Line,
    Problem,
    ProblemWords,
    Row,
    Understood,
    load_renderer,
)

PROBLEM_INDENT = 6
PROPOSAL_COLUMNS = 20  # of an order to send, before its words
LINES_SHOWN = 20  # of somebody's own words; more than that is a pasted page


def orders_answer(message: m.OrdersAnswer, reader: Reader) -> Part:
    """The whole order set, each line that was not stored, and until when."""
    game, problems, due = message.game, message.problems, message.orders_due
    stored = min(len(message.order_set), due) if due else len(message.order_set)
    is_complete = stored >= due > 0
    if problems:
        what = reader.say(
            "please look: {n} of {orders_due} orders stored", n=stored, orders_due=due or stored
        )
        verdict = join_sentences(
            (_stored_sentence(stored, due, reader), _need_sentence(problems, reader)), reader
        )
        if stored and not message.understood:
            what = reader.say("please look: none of your lines was stored")
            verdict = reader.count(
                "None of your lines was stored. {n} earlier order stands.",
                "None of your lines was stored. {n} earlier orders stand.",
                stored,
            )
    elif is_complete:
        what = reader.say("orders complete ({n} of {orders_due})", n=stored, orders_due=due)
        verdict = reader.say("Orders complete: {n} of {orders_due}.", n=stored, orders_due=due)
    else:
        what = reader.say("{n} of {orders_due} orders stored", n=stored, orders_due=due or stored)
        verdict = _stored_sentence(stored, due, reader)
        if not message.order_set:
            what = reader.say("no orders stored")
        if message.cleared and not message.order_set:
            verdict = reader.say("Your orders are cleared. Nothing is stored.")

    sections: list[Section] = []
    if message.cleared and message.order_set:
        sections.append(reader.say("Your earlier orders were cleared first."))
    if message.order_set:
        listed = show_lines(game, message.order_set, reader)
        sections.append(titled(reader.say("Stored:"), listed) if problems else listed)
    sections += _notes(game, message.understood, reader)
    if problems:
        sections += _problems(game, message.view, problems, reader.say("Not stored:"), reader)
        sections.append(wrap(_how_to_answer(problems, reader)))
    if problems or stored < due:
        assert game.seat is not None
        without = reader.game(game).without(message.view, game.seat, message.order_set)
        sections.append(if_nothing_more(without, reader))
    sections.append(DueSection(message.due, asks=not problems and bool(message.order_set)))
    if message.order_set and not problems:
        again = reader.say("To start again, reply CLEAR.")
        sections.append(f"{_how_to_change(reader)}\n{wrap(again)}")
    sections += _flags(message, reader)
    foot = _receipt(message.set_number, message.received_at, message.receipt, reader)
    return Part(what, verdict, game, sections, foot=foot)


def _flags(message: m.OrdersAnswer, reader: Reader) -> list[Section]:
    """READY and WAIT as they stand now."""
    flags = []
    if message.lost_ready:
        flags.append(
            reader.say("Your orders changed, so READY is taken back. Say READY again when you are.")
        )
    if message.ready:
        flags.append(reader.say("You said READY: they count as complete."))
    if message.wait:
        flags.append(reader.say("You said WAIT: the phase waits for its deadline."))
    return ["\n".join(wrap(flag) for flag in flags)] if flags else []


def _stored_sentence(stored: int, due: int, reader: Reader) -> str:
    if not due:
        return reader.count("{n} line is stored.", "{n} lines are stored.", stored)
    if not stored:
        return reader.say("Nothing is stored yet: 0 of {orders_due} orders.", orders_due=due)
    return reader.count(
        "{n} of {orders_due} orders is stored.",
        "{n} of {orders_due} orders are stored.",
        stored,
        orders_due=due,
    )


def _need_sentence(problems: Sequence[Problem], reader: Reader) -> str:
    return reader.count("One line needs you.", "{n} lines need you.", len(problems))


def _notes(game: m.GameRef, understood: Sequence[Understood], reader: Reader) -> list[str]:
    words = reader.game(game)
    return [wrap(words.note(note)) for one in understood for note in one.notes]


def if_nothing_more(what: str, reader: Reader) -> str:
    """What happens without another letter; empty if nothing is to be told."""
    return wrap(reader.say("If you send nothing more: {what}", what=what)) if what else ""


def _how_to_change(reader: Reader) -> str:
    return wrap(reader.say("To change an order, reply with that order alone; the others stay."))


def _receipt(set_number: int | None, at: datetime, receipt: str, reader: Reader) -> str:
    """Which letter it was, when it came, and a name for what was stored from it."""
    when = moment(at, reader.zone, reader, seconds=True)
    arrived = wrap(reader.say("Set {n}, arrived {when}.", n=set_number, when=when))
    return titled(arrived, reader.say("Receipt {receipt}.", receipt=receipt))


def show_lines(game: m.GameRef, lines: Sequence[Line], reader: Reader) -> str:
    """Stored lines as a list."""
    return list_rows(reader.game(game).rows(lines), reader.say("(kept)"))


# --- problems -------------------------------------------------------------------------------------


def _problems(
    game: m.GameRef, view: msgspec.Raw, problems: Sequence[Problem], title: str, reader: Reader
) -> list[str]:
    """Every line that was not stored, numbered if there are several, the first below a title."""
    told = [reader.game(game).problem(view, problem) for problem in problems]
    listed = [
        _show_problem(one, number if len(told) > 1 else None, reader)
        for number, one in enumerate(told, 1)
    ]
    return [titled(title, listed[0]), *listed[1:]]


def _show_problem(problem: ProblemWords, number: int | None, reader: Reader) -> str:
    """A line as it was written, its wrong part marked, what is wrong, and what to send."""
    head = pad(f"  {number}.", PROBLEM_INDENT) if number else "  "
    indent = " " * len(head)
    written = problem.written.replace("\t", " ")
    before = display_width(written[: problem.start])
    marked = "^" * max(display_width(written[problem.start : problem.end]), 1)
    marks = indent + " " * before + marked
    if display_width(head + written) > LINE_COLUMNS:
        lines = [wrap(written, head), wrap(problem.sentence, indent)]
    elif display_width(marks) + 2 > WORDS_COLUMN:
        lines = [head + written, marks, wrap(problem.sentence, indent)]
    else:
        lines = [head + written, wrap(problem.sentence, pad(marks, WORDS_COLUMN))]
    label = reader.say("Send one of") if len(problem.send) > 1 else reader.say("Send")
    for row in problem.send:
        lines.append(_show_proposal(row, pad(indent + label, WORDS_COLUMN)))
        label = ""
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
    single = [str(n) for n, one in enumerate(problems, 1) if len(one.proposals) == 1]
    to_choose = [str(n) for n, one in enumerate(problems, 1) if len(one.proposals) > 1]
    if not single:
        return reader.count(
            "Reply with the line you want.", "Reply with the lines you want.", len(problems)
        )
    if len(single) == len(problems):
        return reader.count(
            "Reply YES to take the line proposed, or reply with the line you want.",
            "Reply YES to take all {n} lines proposed, or reply with the lines you want.",
            len(single),
        )
    taken = reader.count(
        "Reply with the lines you want. A reply of YES takes every line that has one proposal, "
        "here number {numbers}.",
        "Reply with the lines you want. A reply of YES takes every line that has one proposal, "
        "here numbers {numbers}.",
        len(single),
        numbers=join_names(single, reader),
    )
    if not to_choose:
        return taken
    choice = reader.count(
        "Number {numbers} needs your choice.",
        "Numbers {numbers} need your choice.",
        len(to_choose),
        numbers=join_names(to_choose, reader),
    )
    return join_sentences((taken, choice), reader)


# --- orders for later phases ----------------------------------------------------------------------


def advance_answer(message: m.AdvanceAnswer, reader: Reader) -> Part:
    """All that is stored for later phases, and what of the letter could not be."""
    game, problems = message.game, message.problems
    what = reader.say("orders for later phases")
    if problems:
        what = reader.say("please look: orders for later phases")
    sections = stored_in_advance(game, message.order_sets, reader)
    sections += _notes(game, message.understood, reader)
    if problems:
        sections += _problems(game, message.view, problems, reader.say("Not stored:"), reader)
        single = sum(len(one.proposals) == 1 for one in problems)
        yes = reader.count(
            "Reply YES to take the line that has one proposal.",
            "Reply YES to take all lines that have one proposal.",
            single,
        )
        other = reader.say(
            "Other lines for a later phase stand below its name, such as PHASE F1901M."
        )
        sections.append(wrap(join_sentences((yes, other) if single else (other,), reader)))
    if message.order_sets:
        again = reader.say(
            "The position in these phases is not known yet, so the orders are checked again when "
            "their phase opens. The letter that opens it says which of them count."
        )
        change = reader.say(
            "To change one, write PHASE {label} and below it the new order. CLEAR {label} removes "
            "all for that phase.",
            label=message.order_sets[0].label,
        )
        sections.append(f"{wrap(again)}\n{wrap(change)}")
    foot = ""
    if message.set_number is not None:
        foot = _receipt(message.set_number, message.received_at, message.receipt, reader)
    verdict = _advance_verdict(message, reader)
    return Part(what, verdict, game, sections, context=message.changed, foot=foot)


def _advance_verdict(message: m.AdvanceAnswer, reader: Reader) -> str:
    stored = len(message.understood)
    labels = list(dict.fromkeys(one.label for one in message.understood))
    phase_name = reader.game(message.game).phase_name
    if not message.changed:
        return reader.say("Stored for later phases:")
    if message.problems:
        later = reader.say("Orders for later phases.")
        return join_sentences((later, _need_sentence(message.problems, reader)), reader)
    if len(labels) == 1:
        return reader.count(
            "{n} order is stored for {phase}.",
            "{n} orders are stored for {phase}.",
            stored,
            phase=phase_name(labels[0]),
        )
    if stored:
        return reader.say("{n} orders are stored for later phases.", n=stored)
    if len(message.cleared) == 1:
        phase = phase_name(message.cleared[0])
        return reader.say("Your orders for {phase} are cleared.", phase=phase)
    return reader.say("Your orders for later phases are cleared.")


def stored_in_advance(
    game: m.GameRef, order_sets: Sequence[AdvanceOrders], reader: Reader
) -> list[Section]:
    """What is stored for each later phase."""
    words = reader.game(game)
    sections: list[Section] = []
    for advance in order_sets:
        label, phase = advance.label, words.phase_name(advance.label)
        title = reader.say("Stored for {phase} ({label}):", phase=phase, label=label)
        shown = titled(title, show_lines(game, advance.order_set, reader))
        about = words.about_advance(label)
        sections.append(f"{shown}\n{wrap(about)}" if about else shown)
    return sections


def is_complete(opened: m.AdvanceOpened | None) -> bool:
    """Whether all that is asked in the phase that opens was sent before."""
    return opened is not None and len(opened.order_set) >= opened.orders_due > 0


def opened_sections(message: m.Results, reader: Reader) -> list[Section]:
    """What became of the orders that were sent for the phase that opens, and for skipped ones."""
    opened, game = message.advance, message.next
    if opened is None:
        return []
    sections: list[Section] = []
    if opened.order_set and game is not None:
        due = opened.orders_due
        if is_complete(opened):
            title = reader.count(
                "Sent in advance, and stored now: {n} order, all that is due.",
                "Sent in advance, and stored now: {n} orders, all that are due.",
                due,
            )
        else:
            title = reader.say(
                "Sent in advance, and stored now: {n} of {orders_due} orders.",
                n=min(len(opened.order_set), due),
                orders_due=due,
            )
        shown = titled(title, show_lines(game, opened.order_set, reader))
        sections.append(f"{shown}\n{_how_to_change(reader)}")
    if opened.problems and game is not None:
        title = reader.say("These lines, which you sent in advance, do not fit the position:")
        sections += _problems(game, message.next_view, opened.problems, wrap(title), reader)
    if opened.lapsed:
        words = reader.game(message.game)
        phases = [words.phase_name(advance.label) for advance in opened.lapsed]
        lapsed = reader.say(
            "Your orders for {phases} were removed: you had nothing to send then.",
            phases=join_names(phases, reader),
        )
        sections.append(wrap(lapsed))
    return sections


# --- letters that came at the wrong time ----------------------------------------------------------


def stale_orders(message: m.StaleOrders, reader: Reader) -> Part:
    """Orders for a phase that is over: the lines as they would read now, and YES to use them."""
    words = reader.game(message.game)
    over = reader.say(
        "Your letter answers one of mine about {phase}, which has run. The judge does not guess "
        "that you mean the phase that is due now.",
        phase=words.phase_name(message.label_then),
    )
    sections: list[Section] = [wrap(over)]
    if message.lines:
        listed = list_rows(words.rows(message.lines))
        sections.append(titled(reader.say("These lines can be used now:"), listed))
        sections.append(reader.say("Reply YES to use them, or reply with other lines."))
    if message.problems:
        told = [words.problem(message.view, one) for one in message.problems]
        listed = "\n".join([_show_problem(one, None, reader) for one in told])
        sections.append(titled(reader.say("These lines cannot be used now:"), listed))
    sections.append(DueSection(message.due))
    what = reader.say("please look: nothing stored")
    return Part(what, reader.say("That phase is over. Nothing is stored."), message.game, sections)


def late_orders(message: m.LateOrders, reader: Reader) -> Part:
    """Orders that came after the phase had to run, or in grace from a seat that owed nothing."""
    if message.in_grace:
        verdict = reader.say("The deadline has passed. Nothing is changed.")
        why = reader.say(
            "In grace only powers that have sent nothing may order. Your orders arrived by the "
            "deadline, and they stay as they are."
        )
    else:
        verdict = reader.say("Too late: the deadline has passed.")
        why = reader.say(
            "Your letter reached the mail server after the deadline, so its lines are not stored. "
            "The results are on their way to you; send orders for the next phase."
        )
    lines = titled(reader.say("Not stored:"), _own_words(message.lines, reader))
    what = reader.say("too late: nothing stored")
    return Part(what, verdict, message.game, (wrap(why), lines))


def not_read(message: m.NotRead, reader: Reader) -> Part:
    """What was neither order nor command; said always, so that nobody wonders who saw it."""
    verdict = reader.say("Not read as orders, and shown to nobody:")
    lead = _own_words(message.lines, reader)
    return Part(reader.say("not read"), verdict, context=False, lead=lead)


# Why a part of a letter was not read; {text} is what it held, or its name.
UNREAD_PARTS = {
    "signature": N_("Nothing is read below a signature. Yours held:"),
    "sign_off": N_("Nothing is read below a signature. Yours held:"),
    "attachment": N_("Attachments are not read:"),
    "forwarded": N_("A letter inside yours was not read:"),
    "other_text": N_("Your letter says more in its HTML part, which was not read:"),
    "hidden": N_("Hidden text was not read:"),
    "struck": N_("Text that is struck through was not read:"),
    "limit": N_("Your letter has more parts than the judge reads:"),
}


def parts_not_read(message: m.PartsNotRead, reader: Reader) -> Part:
    """Parts of the letter that were left out, each with the reason."""
    shown = [
        titled(wrap(reader.say(UNREAD_PARTS[kind])), _own_words(text.splitlines(), reader))
        for kind, text in message.parts
    ]
    verdict = reader.say("Some of your letter was not read.")
    what = reader.say("not read")
    return Part(what, verdict, context=False, sections=shown)


def _own_words(lines: Sequence[str], reader: Reader) -> str:
    shown = quote_lines(lines[:LINES_SHOWN])
    more = len(lines) - LINES_SHOWN
    if more <= 0:
        return shown
    rest = reader.count("and {n} line more.", "and {n} lines more.", more)
    return f"{shown}\n  {rest}"


def nothing_found(message: m.NothingFound, reader: Reader) -> Part:
    """A letter without an order or command, from a player."""
    games = message.games
    sections: list[Section] = []
    if len(games) > 1:
        listed = list_pairs([_game_and_seat(game, reader) for game in games])
        sections.append(titled(reader.say("Your games:"), listed))
    hint, _ = load_renderer(games[0].game if games else DEFAULT_GAME).order_help(reader)
    sections.append(wrap(hint))
    verdict = reader.say("No order and no command is in your letter.")
    game = games[0] if len(games) == 1 else None
    return Part(reader.say("no orders found"), verdict, game, sections)


def _game_and_seat(game: m.GameRef, reader: Reader) -> tuple[str, str]:
    words = reader.game(game)
    names = [words.seat_name(game.seat)] if game.seat else []
    names += [words.phase_name(game.label)] if game.label else []
    return game.name, comma_names(names, reader)
