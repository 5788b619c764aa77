"""Answers to letters with orders: what is stored, what is not, and what to send instead."""

from collections.abc import Sequence

import msgspec

from judge import blocks as b
from judge import rulebook as seam
from judge.host.messages import order_answers as orders
from judge.host.messages.command_answers import NothingFound
from judge.host.messages.game_events import Reminder
from judge.host.messages.games import GameStatus
from judge.host.messages.master_acts import MasterActed, OrdersGiven, RolledBack
from judge.host.messages.shared import GameRef, IfSilent
from judge.render.catalogue import comma_names, join_names, join_sentences, sentence_tables
from judge.render.layout import one_line
from judge.render.part import DueSection, Part, Reader, Section
from judge.render.times import moment
from judge.rulebook import Message

_WithOrders = (
    orders.OrdersAnswer
    | orders.Standing
    | orders.StaleOrders
    | Reminder
    | GameStatus
    | MasterActed
    | OrdersGiven
    | RolledBack
)

LINES_SHOWN = 20  # of somebody's own words; more than that is a pasted page
WORDS_SHOWN = 400  # columns of each of them


class _Tables(msgspec.Struct, frozen=True):
    verdict: dict[str, Message]
    what: dict[str, str]
    text: dict[str, Message]
    advance: dict[str, Message]
    unread: dict[str, str]


SENTENCES = sentence_tables("answers.toml", _Tables)
VERDICTS, TEXTS, ADVANCE = SENTENCES.verdict, SENTENCES.text, SENTENCES.advance


def orders_answer(message: orders.OrdersAnswer, reader: Reader) -> Part:
    """The whole order set, each line that was not stored, and until when."""
    game, problems, due = message.game, message.problems, message.orders_due
    stored = min(len(message.order_set), due) if due else len(message.order_set)
    if problems:
        key, needed = "some", reader.tell(VERDICTS["needed"], len(problems))
        verdict = join_sentences((_stored_sentence(stored, due, reader), needed), reader)
        if stored and not message.understood:
            key, verdict = "none_of_yours", reader.tell(VERDICTS["none_of_yours"], stored)
    elif stored >= due > 0:
        key, verdict = "complete", reader.tell(VERDICTS["complete"], stored, orders_due=due)
    else:
        key = "stored" if message.order_set else "nothing"
        verdict = _stored_sentence(stored, due, reader)
        if message.cleared and not message.order_set:
            verdict = reader.tell(VERDICTS["cleared"])
    made_room = message.removed if message.understood else ()
    if made_room and not problems:
        key, names = "made_room", join_names([line.text for line in made_room], reader)
        out = reader.tell(VERDICTS["made_room"], len(made_room), orders=names)
        verdict = join_sentences((verdict, out), reader)
    what = reader.tell(SENTENCES.what[key], stored, orders_due=due or stored)

    sections: list[Section] = []
    if message.cleared and message.order_set:
        sections.append(reader.say("Your earlier orders were cleared first."))
    if message.removed:
        listed = show_stored_lines(game, message.removed, reader)
        title = reader.tell(TEXTS["made_room"]) if made_room else reader.say("Taken back:")
        sections.append(b.Titled(title, listed))
    if message.order_set:
        listed = show_stored_lines(game, message.order_set, reader, marks_kept=True)
        sections.append(b.Titled(reader.say("Stored:"), listed) if problems else listed)
    sections += _notes(game, message.understood, reader)
    if problems:
        sections += show_problems(game, message.view, problems, reader.say("Not stored:"), reader)
        sections.append(_how_to_answer(problems, reader))
    is_told = bool(message.order_set) or not message.by_standby  # the player's orders may run
    if is_told and (problems or stored < due):
        sections.append(if_nothing_more(message, reader))
    sections.append(DueSection(message.due, asks=not problems and bool(message.order_set)))
    if message.order_set and not problems:
        again = "" if message.by_standby else reader.say("To start again, reply CLEAR.")
        sections.append(f"{reader.tell(TEXTS['change'])}\n{again}".rstrip())
    flags = [reader.tell(TEXTS["lost_ready"])] if message.lost_ready else []
    if message.is_enough and not (message.ready or message.by_standby) and stored < due:
        flags.append(reader.tell(TEXTS["enough"]))
    flags += flags_told(message, reader)
    sections.append("\n".join(flags))
    return Part(what, verdict, game, sections, foot=_receipt(message, reader))


def orders_of_other_seat(message: orders.OrdersShown, reader: Reader) -> Part:
    """Another seat's orders, in a game in which all read them."""
    game, power = message.game, reader.game_words(message.game).seat_name(message.seat)
    key = "shown" if message.order_set else "shown_none"
    verdict = reader.tell(VERDICTS[key], power=power)
    listed = show_stored_lines(game, message.order_set, reader)
    what = reader.tell(SENTENCES.what["shown"], power=power)
    return Part(what, verdict, game, [listed, reader.tell(TEXTS["shown"])])


def order_set_status(message: orders.Standing, reader: Reader) -> Part:
    """How many orders are stored, what happens without more, and READY and WAIT."""
    game, stored, due = message.game, len(message.order_set), message.orders_due
    without = if_nothing_more(message, reader)
    sections = (without if stored < due else "", "\n".join(flags_told(message, reader)))
    what = reader.tell(SENTENCES.what["stored"], stored, orders_due=due)
    verdict = _stored_sentence(min(stored, due), due, reader)
    if stored >= due > 0:  # as the answer to orders says it
        verdict = reader.tell(VERDICTS["complete"], due, orders_due=due)
    return Part(what, verdict, game, sections, context=False)


def flags_told(
    message: orders.OrdersAnswer | GameStatus | orders.Standing | OrdersGiven, reader: Reader
) -> list[str]:
    """READY and WAIT as they stand now, said by the reader or by the master."""
    by_master, told = "_given" if isinstance(message, OrdersGiven) else "", list[str]()
    if message.ready:
        told.append(reader.tell(TEXTS[f"ready{by_master}"]))
    if message.wait:
        if isinstance(message, orders.Standing):
            is_undated = message.is_undated
        else:
            is_undated = message.due is not None and message.due.waits
        told.append(reader.tell(TEXTS["wait_undated" if is_undated else f"wait{by_master}"]))
    return told


def _stored_sentence(stored: int, due: int, reader: Reader) -> str:
    key = "lines" if not due else "stored" if stored else "nothing"
    return reader.tell(VERDICTS[key], stored, orders_due=due)


def _notes(game: GameRef, understood: Sequence[seam.Understood], reader: Reader) -> list[str]:
    words = reader.game_words(game)
    return [words.note(note) for one in understood for note in one.notes]


def if_nothing_more(message: _WithOrders, reader: Reader) -> str:
    """What happens without another letter; empty for no seat, or if nothing is to be told."""
    game, order_set, told = message.game, message.order_set or (), IfSilent.RULES
    if not game.seat:
        return ""
    if isinstance(message, orders.Standing):
        told = message.if_silent
    elif message.due is not None:
        told = message.due.if_silent
    if told is IfSilent.WAITS or (told and not order_set):
        return reader.tell(TEXTS[f"silent_{told}"])
    what = reader.game_words(game).if_no_more_orders_come(message.view, game.seat, order_set)
    return reader.tell(TEXTS["nothing_more"], what=what) if what else ""


def _receipt(message: orders.OrdersAnswer | orders.AdvanceAnswer, reader: Reader) -> str:
    """Which letter it was, when it came, and a name for what was stored from it; empty where
    another answer to the letter says it."""
    if message.set_number is None:
        return ""
    when = moment(message.received_at, reader.zone, reader, seconds=True)
    arrived = reader.tell(TEXTS["arrived"], message.set_number, when=when)
    return f"{arrived}\n{reader.tell(TEXTS['receipt'], receipt=message.receipt)}"


def show_stored_lines(
    game: GameRef, lines: Sequence[seam.Line], reader: Reader, *, marks_kept: bool = False
) -> b.Rows:
    """Stored lines as a list; in the answer to a letter, those of earlier ones are marked."""
    kept = reader.say("(kept)") if marks_kept else ""
    return b.Rows(reader.game_words(game).rows(lines), kept)


# --- problems -------------------------------------------------------------------------------------


def show_problems(
    game: GameRef, view: msgspec.Raw, problems: Sequence[seam.Problem], title: str, reader: Reader
) -> list[Section]:
    """Every line that was not stored, numbered if there are several, the first below a title."""
    words, has_numbers = reader.game_words(game), len(problems) > 1
    first, *others = (
        _show_problem(words.problem(view, one), n if has_numbers else None, reader, one.label)
        for n, one in enumerate(problems, 1)
    )
    return [b.Titled(title, first), *others]


def _show_problem(
    problem: seam.ProblemWords, number: int | None, reader: Reader, phase: str = ""
) -> b.Fault:
    """A line as it was written, what is wrong, and what to send, ready to copy; `phase`: the
    label of a later phase, which is sent above it."""
    word = problem.written[problem.start : problem.end].strip()
    sentence = problem.sentence
    if word and word != problem.written.strip() and word.casefold() not in sentence.casefold():
        sentence = reader.say('"{word}": {sentence}', word=word, sentence=sentence)
    written, label = problem.written.replace("\t", " "), problem.label
    if problem.send and not label:
        label = reader.say("Send one of") if len(problem.send) > 1 else reader.say("Send")
        label = reader.say("{title}:", title=label)
    send = [b.Row(row.text, row.meaning and f"({row.meaning})") for row in problem.send]
    if send and phase:
        label = reader.tell(ADVANCE["send"], len(send))
        send.insert(0, b.Row(reader.tell(ADVANCE["phase"], label=phase), ""))
    return b.Fault(number, written, problem.start, problem.end, sentence, label, send)


def _how_to_answer(problems: Sequence[seam.Problem], reader: Reader) -> str:
    single = [str(n) for n, one in enumerate(problems, 1) if len(one.proposals) == 1]
    to_choose = [str(n) for n, one in enumerate(problems, 1) if len(one.proposals) > 1]
    if not single:
        return reader.tell(TEXTS["pick"], len(problems))
    if len(single) == len(problems):
        return reader.tell(TEXTS["take_all"], len(single))
    numbers = join_names(single, reader)
    told = [reader.tell(TEXTS["take_some"], len(single), numbers=numbers)]
    if to_choose:
        numbers = join_names(to_choose, reader)
        told.append(reader.tell(TEXTS["choose"], len(to_choose), numbers=numbers))
    return join_sentences(told, reader)


# --- orders for later phases ----------------------------------------------------------------------


def advance_answer(message: orders.AdvanceAnswer, reader: Reader) -> Part:
    """All that is stored for later phases, and the lines that could not be stored."""
    game, problems = message.game, message.problems
    what = reader.tell(SENTENCES.what["advance_problems" if problems else "advance"])
    sections = stored_in_advance(
        game, message.order_sets, reader, marks_kept=True, is_headed=not message.changed
    )
    sections += _notes(game, message.understood, reader)
    if problems:
        sections += show_problems(game, message.view, problems, reader.say("Not stored:"), reader)
        single = sum(len(one.proposals) == 1 for one in problems)
        told = [reader.tell(ADVANCE["take"], single)] if single else []
        told.append(reader.tell(ADVANCE["other"], label=problems[0].label))
        sections.append(join_sentences(told, reader))
    if message.order_sets:
        change = reader.tell(ADVANCE["change"], label=message.order_sets[0].label)
        sections.append(f"{reader.tell(ADVANCE['checked'], len(message.order_sets))}\n{change}")

    verdict = reader.tell(VERDICTS["advance"])
    if message.changed and problems:
        needed = reader.tell(VERDICTS["needed"], len(problems))
        verdict = join_sentences((reader.tell(VERDICTS["advance_problems"]), needed), reader)
    elif message.changed:
        labels = list(dict.fromkeys(one.label for one in message.understood))
        named = labels or list(message.cleared)
        key = "advance_phase" if len(named) == 1 else "advance_phases"
        if not labels:
            key = "advance_phase_cleared" if len(named) == 1 else "advance_cleared"
        stored = [one for one in message.order_sets if [one.label] == labels]
        kept = sum(line.kept for one in stored for line in one.order_set)
        key = "advance_phase_kept" if kept else key
        phase = reader.game_words(game).phase_name(named[0]) if named else ""
        verdict = reader.tell(VERDICTS[key], len(message.understood), phase=phase, kept=kept)
    foot = _receipt(message, reader)
    return Part(what, verdict, game, sections, context=message.changed, foot=foot)


def stored_in_advance(
    game: GameRef,
    order_sets: Sequence[seam.AdvanceOrders],
    reader: Reader,
    *,
    marks_kept: bool = False,
    is_headed: bool = False,
) -> list[Section]:
    """What is stored for each later phase. `is_headed`: the sentence above it says so already."""
    words, message = reader.game_words(game), ADVANCE["headed" if is_headed else "stored"]
    sections: list[Section] = []
    for one in order_sets:
        title = reader.tell(message, phase=words.phase_name(one.label), label=one.label)
        shown = b.Titled(
            title, show_stored_lines(game, one.order_set, reader, marks_kept=marks_kept)
        )
        sections.append(b.Stacked((shown, words.about_advance_orders(one.label))))
    return sections


def is_complete_in_advance(opened: orders.AdvanceOpened | None) -> bool:
    """Whether all that is asked in the phase that opens was sent before."""
    return opened is not None and len(opened.order_set) >= opened.orders_due > 0


def opened_advance_sections(
    opened: orders.AdvanceOpened | None, game: GameRef, view: msgspec.Raw, reader: Reader
) -> list[Section]:
    """What became of advance orders for the phase that opens (`game` and its `view`), and of those
    for phases that were skipped."""
    if opened is None:
        return []
    sections: list[Section] = []
    if opened.order_set:
        due = opened.orders_due
        title = reader.tell(ADVANCE["all_due"], due)
        if not is_complete_in_advance(opened):
            n = min(len(opened.order_set), due)
            title = reader.tell(ADVANCE["some_due"], n, orders_due=due)
        shown = b.Titled(title, show_stored_lines(game, opened.order_set, reader))
        sections.append(b.Stacked((shown, reader.tell(TEXTS["change"]))))
    if opened.problems:
        title = reader.tell(ADVANCE["no_fit"], len(opened.problems))
        sections += show_problems(game, view, opened.problems, title, reader)
    if opened.lapsed:
        phases = [reader.game_words(game).phase_name(one.label) for one in opened.lapsed]
        sections.append(reader.tell(ADVANCE["lapsed"], phases=join_names(phases, reader)))
    return sections


# --- letters that came at the wrong time ----------------------------------------------------------


def stale_orders(message: orders.StaleOrders, reader: Reader) -> Part:
    """Orders for a phase that is over: the lines as they would read now, and YES to use them."""
    game, words = message.game, reader.game_words(message.game)
    phase, now = (words.phase_name(one or "") for one in (message.label_then, game.label))
    sections: list[Section] = [reader.tell(TEXTS["over"], phase=phase, now=now)]
    if message.lines:
        listed, n = b.Rows(words.rows(message.lines)), len(message.lines)
        sections.append(b.Titled(reader.tell(TEXTS["usable"], n), listed))
        sections.append(reader.tell(TEXTS["use"], n))
    if message.problems:
        told = [words.problem(message.view, one) for one in message.problems]
        faults = b.Stacked([_show_problem(one, None, reader) for one in told])
        sections.append(b.Titled(reader.tell(TEXTS["unusable"], len(told)), faults))
    if message.order_set is not None:
        sections.append(if_nothing_more(message, reader))
    sections.append(DueSection(message.due))
    what, verdict = reader.tell(SENTENCES.what["stale"]), reader.tell(VERDICTS["stale"])
    return Part(what, verdict, game, sections)


def late_orders(message: orders.LateOrders, reader: Reader) -> Part:
    """Orders that came in grace from a seat that owed nothing."""
    sections: list[Section] = [reader.tell(TEXTS["late"])]
    if message.lines:
        sections.append(b.Titled(reader.say("Not stored:"), _own_words(message.lines, reader)))
    what = reader.tell(SENTENCES.what["late"])
    return Part(what, reader.tell(VERDICTS["late"]), message.game, sections)


def suggested_order_sections(
    game: GameRef, lines: Sequence[seam.Line], reader: Reader
) -> Sequence[b.Block]:
    """Orders that somebody who practices may copy; empty where there are none."""
    if not lines:
        return ()
    title = reader.tell(TEXTS["suggested"], len(lines))
    rows = show_stored_lines(game, lines, reader)
    send = b.Action(reader.tell(TEXTS["send"]), "\n".join([row.text for row in rows.rows]))
    return b.Titled(title, rows), b.Actions([send])


def lines_not_read(message: orders.NotRead, reader: Reader) -> Part:
    """Lines that were neither orders nor commands; told so that nobody wonders who saw them."""
    if message.numbers:
        verdict = reader.say("Some lines of your letter were not understood.")
        shown = [str(one) for one in message.numbers[:LINES_SHOWN]]
        shown += ["…"] if len(message.numbers) > LINES_SHOWN else []
        text = reader.say(
            "They are these, counted without blank lines: {lines}. Their words are not repeated "
            "here, because anybody can write in your name.",
            lines=comma_names(shown, reader),
        )
        return Part(reader.say("not read"), verdict, context=False, sections=(text,))
    verdict = reader.say("Not read as orders, and shown to nobody:")
    lead = _own_words(message.lines, reader)
    return Part(reader.say("not read"), verdict, context=False, lead=lead)


def parts_not_read(message: orders.PartsNotRead, reader: Reader) -> Part:
    """Parts of the letter that were left out, each with the reason."""
    shown = [
        b.Titled(reader.tell(SENTENCES.unread[kind]), _own_words(text.splitlines(), reader))
        for kind, text in message.parts
    ]
    verdict = reader.say("Some of your letter was not read.")
    what = reader.say("not read")
    return Part(what, verdict, context=False, sections=shown)


def _own_words(lines: Sequence[str], reader: Reader) -> b.Block:
    shown = b.Quoted([one_line(line, WORDS_SHOWN) for line in lines[:LINES_SHOWN]])
    more = len(lines) - LINES_SHOWN
    if more <= 0:
        return shown
    rest = reader.count("and {n} line more.", "and {n} lines more.", more)
    return b.Stacked((shown, b.Listed([rest])))


def nothing_found(message: NothingFound, reader: Reader) -> Part:
    """A letter without an order or command, from a player."""
    games = message.games
    sections: list[Section] = []
    if len(games) > 1:
        rows = []
        for each in games:
            power = reader.game_words(each).seat_name(each.seat) if each.seat else ""
            names = [*filter(None, (power, reader.phase(each)))]
            told = comma_names(names, reader) or reader.say("The game has not begun yet.")
            rows.append((each.name, told))
        sections.append(b.Titled(reader.say("Your games:"), b.Pairs(rows)))
    if not message.has_status:  # which shows the reader's own units
        hint, _ = seam.load_renderer(seam.DEFAULT_GAME).order_help(reader)
        sections.append(hint)
    if message.is_master:
        sections.append(
            reader.say("To write orders for a power, put ACT AS and its name above them.")
        )
    verdict = reader.say("There is no order and no command in your letter.")
    game = games[0] if len(games) == 1 else None
    return Part(reader.say("no orders found"), verdict, game, sections)
