"""Orders for later phases: what is stored for them, and what became of it when one opened."""

from collections.abc import Sequence

from judge.host.blocks import AheadOpened, GameRef, OrdersAhead, Results
from judge.render.answers import receipt_lines, say_send, show_lines, show_problem
from judge.render.catalogue import count, say
from judge.render.layout import titled, wrap
from judge.render.part import Part, Reader, Section, join_names, join_sentences, renderer_of
from judge.rulebook import Ahead, JsonObject, Problem


def orders_ahead(block: OrdersAhead, reader: Reader) -> Part:
    """All that is stored for later phases, and what of the letter could not be."""
    words, renderer = reader.words, renderer_of(block.game)
    sections: list[Section] = list(stored_sections(block.game, block.view, block.sheets, reader))
    sections += [
        wrap(renderer.note(block.view, note, words))
        for understood in block.understood
        for note in understood.notes
    ]
    if block.problems:
        sections += _problem_sections(block, reader)
    if block.sheets:
        sections.append(_hints(block.sheets[0].label, reader))
    foot = receipt_lines(block.set_number, block.received_at, block.receipt, reader)
    return Part(
        what=_what(block, reader),
        verdict=_verdict(block, reader),
        game=block.game,
        context=block.changed,
        sections=tuple(sections),
        foot=(foot,) if block.set_number is not None else (),
    )


def _what(block: OrdersAhead, reader: Reader) -> str:
    words = reader.words
    if block.problems:
        return say(words, "please look: orders for later phases")
    return say(words, "orders for later phases")


def _verdict(block: OrdersAhead, reader: Reader) -> str:
    words, stored = reader.words, len(block.understood)
    labels = list(dict.fromkeys(one.label for one in block.understood))
    if not block.changed:
        return say(words, "Stored for later phases:")
    if block.problems:
        need = count(words, "One line needs you.", "{n} lines need you.", len(block.problems))
        for_later = say(words, "Orders for later phases.")
        return join_sentences((for_later, need), words)
    if len(labels) == 1:
        phase = renderer_of(block.game).phase_name(labels[0], words)
        return count(
            words,
            "{n} order is stored for {phase}.",
            "{n} orders are stored for {phase}.",
            stored,
            phase=phase,
        )
    if stored:
        return say(words, "{n} orders are stored for later phases.", n=stored)
    if len(block.cleared) == 1:
        phase = renderer_of(block.game).phase_name(block.cleared[0], words)
        return say(words, "Your orders for {phase} are cleared.", phase=phase)
    return say(words, "Your orders for later phases are cleared.")


def stored_sections(
    game: GameRef, view: JsonObject, sheets: Sequence[Ahead], reader: Reader
) -> list[str]:
    """What is stored for each later phase."""
    return [_stored(game, view, ahead, reader) for ahead in sheets]


def _stored(game: GameRef, view: JsonObject, ahead: Ahead, reader: Reader) -> str:
    words, renderer = reader.words, renderer_of(game)
    phase = renderer.phase_name(ahead.label, words)
    title = say(words, "Stored for {phase} ({label}):", phase=phase, label=ahead.label)
    shown = titled(title, show_lines(game, view, ahead.sheet, reader))
    about = renderer.about_ahead(ahead.label, words)
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


def _problem_sections(block: OrdersAhead, reader: Reader) -> list[Section]:
    words = reader.words
    listed = _show_problems(block.game, block.view, block.problems, reader)
    first = titled(say(words, "Not stored:"), listed[0])
    single = sum(1 for one in block.problems if len(one.proposals) == 1)
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
    game: GameRef, view: JsonObject, problems: Sequence[Problem], reader: Reader
) -> list[str]:
    renderer, words = renderer_of(game), reader.words
    told = [renderer.problem(view, problem, words) for problem in problems]
    numbered = len(told) > 1
    return [
        show_problem(one, number if numbered else None, say_send(one, reader))
        for number, one in enumerate(told, 1)
    ]


# --- a phase opens --------------------------------------------------------------------------------


def is_complete(opened: AheadOpened | None) -> bool:
    """Whether all that is asked in the phase that opens was sent before."""
    return opened is not None and len(opened.sheet) >= opened.owed > 0


def opened_sections(block: Results, reader: Reader) -> list[Section]:
    """What became of the orders that were sent for the phase that opens, and for skipped ones."""
    opened, words = block.ahead, reader.words
    if opened is None:
        return []
    sections: list[Section] = []
    if opened.sheet and block.next is not None:
        sections.append(_opened(block.next, block, opened, reader))
    if opened.problems and block.next is not None:
        listed = _show_problems(block.next, block.next_view, opened.problems, reader)
        title = say(words, "These lines that you sent ahead do not fit the position:")
        sections += [titled(wrap(title), listed[0]), *listed[1:]]
    if opened.lapsed:
        sections.append(wrap(_lapsed(block, opened, reader)))
    return sections


def _opened(game: GameRef, block: Results, opened: AheadOpened, reader: Reader) -> str:
    words = reader.words
    stored = min(len(opened.sheet), opened.owed)
    if is_complete(opened):
        title = count(
            words,
            "Sent ahead, and stored now: {n} order, all that is due.",
            "Sent ahead, and stored now: {n} orders, all that are due.",
            opened.owed,
        )
    else:
        title = say(
            words, "Sent ahead, and stored now: {n} of {owed} orders.", n=stored, owed=opened.owed
        )
    shown = titled(title, show_lines(game, block.next_view, opened.sheet, reader))
    change = say(words, "To change an order, reply with that order alone; the others stay.")
    return f"{shown}\n{wrap(change)}"


def _lapsed(block: Results, opened: AheadOpened, reader: Reader) -> str:
    words, renderer = reader.words, renderer_of(block.game)
    phases = [renderer.phase_name(ahead.label, words) for ahead in opened.lapsed]
    return say(
        words,
        "What you had stored for {phases} is forgotten: you had nothing to send then.",
        phases=join_names(phases, words),
    )
