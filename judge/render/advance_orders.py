"""Orders for later phases: what is stored for them, and what became of it when one opened."""

from collections.abc import Sequence

import msgspec

from judge.host.messages import AdvanceAnswer, AdvanceOpened, GameRef, Results
from judge.render.answers import receipt_lines, say_send, show_lines, show_problem
from judge.render.catalogue import count, say
from judge.render.layout import titled, wrap
from judge.render.part import Part, Reader, Section, join_names, join_sentences, words_of_game
from judge.rulebook import AdvanceOrders, Problem


def advance_answer(message: AdvanceAnswer, reader: Reader) -> Part:
    """All that is stored for later phases, and what of the letter could not be."""
    game_words = words_of_game(message.game, reader.words)
    sections: list[Section] = list(stored_sections(message.game, message.order_sets, reader))
    sections += [
        wrap(game_words.note(message.view, note))
        for understood in message.understood
        for note in understood.notes
    ]
    if message.problems:
        sections += _problem_sections(message, reader)
    if message.order_sets:
        sections.append(_hints(message.order_sets[0].label, reader))
    foot = receipt_lines(message.set_number, message.received_at, message.receipt, reader)
    return Part(
        what=_what(message, reader),
        verdict=_verdict(message, reader),
        game=message.game,
        context=message.changed,
        sections=tuple(sections),
        foot=(foot,) if message.set_number is not None else (),
    )


def _what(message: AdvanceAnswer, reader: Reader) -> str:
    words = reader.words
    if message.problems:
        return say(words, "please look: orders for later phases")
    return say(words, "orders for later phases")


def _verdict(message: AdvanceAnswer, reader: Reader) -> str:
    words, stored = reader.words, len(message.understood)
    labels = list(dict.fromkeys(one.label for one in message.understood))
    if not message.changed:
        return say(words, "Stored for later phases:")
    if message.problems:
        need = count(words, "One line needs you.", "{n} lines need you.", len(message.problems))
        for_later = say(words, "Orders for later phases.")
        return join_sentences((for_later, need), words)
    if len(labels) == 1:
        phase = words_of_game(message.game, words).phase_name(labels[0])
        return count(
            words,
            "{n} order is stored for {phase}.",
            "{n} orders are stored for {phase}.",
            stored,
            phase=phase,
        )
    if stored:
        return say(words, "{n} orders are stored for later phases.", n=stored)
    if len(message.cleared) == 1:
        phase = words_of_game(message.game, words).phase_name(message.cleared[0])
        return say(words, "Your orders for {phase} are cleared.", phase=phase)
    return say(words, "Your orders for later phases are cleared.")


def stored_sections(
    game: GameRef, order_sets: Sequence[AdvanceOrders], reader: Reader
) -> list[str]:
    """What is stored for each later phase."""
    return [_stored(game, advance, reader) for advance in order_sets]


def _stored(game: GameRef, advance: AdvanceOrders, reader: Reader) -> str:
    words, game_words = reader.words, words_of_game(game, reader.words)
    phase = game_words.phase_name(advance.label)
    title = say(words, "Stored for {phase} ({label}):", phase=phase, label=advance.label)
    shown = titled(title, show_lines(game, advance.order_set, reader))
    about = game_words.about_advance(advance.label)
    return f"{shown}\n{wrap(about)}" if about else shown


def _hints(label: str, reader: Reader) -> str:
    """That they are looked at again, and how to change them."""
    words = reader.words
    again = say(
        words,
        "What will stand where then is not known yet, so they are checked again when their phase "
        "opens. The letter that opens it says which of them stand.",
    )
    change = say(
        words,
        "To change one, write PHASE {label} and below it the new order. CLEAR {label} forgets all "
        "for that phase.",
        label=label,
    )
    return f"{wrap(again)}\n{wrap(change)}"


def _problem_sections(message: AdvanceAnswer, reader: Reader) -> list[Section]:
    words = reader.words
    listed = _show_problems(message.game, message.view, message.problems, reader)
    first = titled(say(words, "Not stored:"), listed[0])
    single = sum(1 for one in message.problems if len(one.proposals) == 1)
    sentences = []
    if single:
        sentences.append(
            count(
                words,
                "Reply YES to take the line that has one proposal.",
                "Reply YES to take all lines that have one proposal.",
                single,
            )
        )
    sentences.append(
        say(words, "Other lines for a later phase stand below its name, such as PHASE F1901M.")
    )
    return [first, *listed[1:], wrap(join_sentences(sentences, words))]


def _show_problems(
    game: GameRef, view: msgspec.Raw, problems: Sequence[Problem], reader: Reader
) -> list[str]:
    game_words = words_of_game(game, reader.words)
    told = [game_words.problem(view, problem) for problem in problems]
    numbered = len(told) > 1
    return [
        show_problem(one, number if numbered else None, say_send(one, reader))
        for number, one in enumerate(told, 1)
    ]


# --- a phase opens --------------------------------------------------------------------------------


def is_complete(opened: AdvanceOpened | None) -> bool:
    """Whether all that is asked in the phase that opens was sent before."""
    return opened is not None and len(opened.order_set) >= opened.orders_due > 0


def opened_sections(message: Results, reader: Reader) -> list[Section]:
    """What became of the orders that were sent for the phase that opens, and for skipped ones."""
    opened, words = message.advance, reader.words
    if opened is None:
        return []
    sections: list[Section] = []
    if opened.order_set and message.next is not None:
        sections.append(_opened(message.next, opened, reader))
    if opened.problems and message.next is not None:
        listed = _show_problems(message.next, message.next_view, opened.problems, reader)
        title = say(words, "These lines that you sent ahead do not fit the position:")
        sections += [titled(wrap(title), listed[0]), *listed[1:]]
    if opened.lapsed:
        sections.append(wrap(_lapsed(message, opened, reader)))
    return sections


def _opened(game: GameRef, opened: AdvanceOpened, reader: Reader) -> str:
    words = reader.words
    stored = min(len(opened.order_set), opened.orders_due)
    if is_complete(opened):
        title = count(
            words,
            "Sent ahead, and stored now: {n} order, all that is due.",
            "Sent ahead, and stored now: {n} orders, all that are due.",
            opened.orders_due,
        )
    else:
        title = say(
            words,
            "Sent ahead, and stored now: {n} of {orders_due} orders.",
            n=stored,
            orders_due=opened.orders_due,
        )
    shown = titled(title, show_lines(game, opened.order_set, reader))
    change = say(words, "To change an order, reply with that order alone; the others stay.")
    return f"{shown}\n{wrap(change)}"


def _lapsed(message: Results, opened: AdvanceOpened, reader: Reader) -> str:
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    phases = [game_words.phase_name(advance.label) for advance in opened.lapsed]
    return say(
        words,
        "What you had stored for {phases} is forgotten: you had nothing to send then.",
        phases=join_names(phases, words),
    )
