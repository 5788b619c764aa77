"""The letters of a phase that ran: what happened, what to send next, how the game ended."""

import msgspec

from judge.host.messages import GameOver, Results, RosterEntry
from judge.render.advance_orders import is_complete, opened_sections
from judge.render.catalogue import count, say
from judge.render.layout import list_pairs, list_rows, titled, wrap
from judge.render.part import (
    DueSection,
    Part,
    Reader,
    Section,
    first_line,
    join_sentences,
    seat_names,
    seats_size,
    words_of_game,
)
from judge.render.times import duration, short_time
from judge.rulebook import ResultWords, SeatId, Task

AWAITED_NAMED = 3  # more powers than these are not named one by one


def results(message: Results, reader: Reader) -> Part:
    """What happened to the reader, what he sends, until when; then everybody's orders."""
    game_words, seat = words_of_game(message.game, reader.words), message.game.seat
    told = game_words.results(message.report, message.own, seat)
    task = _task(message, reader)
    lead = [wrap(line) for line in told.lead]
    sections: list[Section] = []
    if task is not None and is_complete(message.advance):
        sections += opened_sections(message, reader)
        if message.due is not None:
            sections.append(DueSection(message.due, asks=True))
    elif task is not None:
        lead.append(wrap(task.sentence))
        if task.rows:
            sections.append(list_rows(task.rows))
        sections += opened_sections(message, reader)
        if message.due is not None:
            sections.append(DueSection(message.due, default=task.default, asks=True))
    else:
        sections += opened_sections(message, reader)
    sections += _own_absence(message, reader)
    sections += _report_sections(told)
    for report, own in zip(message.skipped, message.skipped_own, strict=True):
        sections += _skipped_sections(message, report, own, reader)
    sections += _absences(message, reader)
    sections += _next_sections(message, reader)
    return Part(
        what=_what(message, told, task, reader),
        verdict=told.headline,
        game=message.game,
        context=False,
        lead="\n".join(lead),
        sections=tuple(sections),
    )


def _task(message: Results, reader: Reader) -> Task | None:
    if message.next is None or not message.is_awaited or message.game.seat is None:
        return None
    return words_of_game(message.game, reader.words).task(message.next_view, message.game.seat)


def _what(message: Results, told: ResultWords, task: Task | None, reader: Reader) -> str:
    words = reader.words
    if message.next is None:
        return say(words, "results: the game is over")
    if task is None or message.due is None or is_complete(message.advance):
        return told.subject
    when = short_time(message.due.at, reader.zone, words)
    return say(words, "{results}, reply by {when}", results=told.subject, when=when)


def _report_sections(told: ResultWords) -> list[Section]:
    sections: list[Section] = []
    if told.own_count:
        sections.append(told.own_count)
    if told.own:
        sections.append(list_rows(told.own))
    if told.table:
        sections += [told.table_title, told.table]
    sections += [wrap(line) if "\n" not in line else line for line in told.after]
    return sections


def _skipped_sections(
    message: Results, report: msgspec.Raw, own: msgspec.Raw, reader: Reader
) -> list[Section]:
    """A phase that ran by itself, because nobody had a choice in it."""
    told = words_of_game(message.game, reader.words).results(report, own, message.game.seat)
    if not told.own and not told.table:
        # Nothing was ordered: only what the phase changed is news, as the owners of centers.
        return [wrap(line) if "\n" not in line else line for line in told.after]
    shown = [told.headline, *told.lead]
    sections: list[Section] = ["\n".join(wrap(line) for line in shown if line)]
    return sections + _report_sections(told)


def _own_absence(message: Results, reader: Reader) -> list[Section]:
    """To the one from whom nothing came."""
    words, seat = reader.words, message.game.seat
    if seat is None or seat not in message.missing:
        return []
    if not message.is_absence:
        return [say(words, "Nothing came from you in this phase.")]
    if seat in message.vacated:
        return [
            wrap(
                say(
                    words,
                    "Nothing came from you for two movement phases in a row, so your seat is "
                    "vacant now. You can take it again while it is: write JOIN {game}.",
                    game=message.game.name,
                )
            )
        ]
    return [
        wrap(
            count(
                words,
                "Nothing came from you, so your power was in civil disorder for this phase. The "
                "seat is still yours: send orders for the next phase. If nothing comes for two "
                "movement phases in a row, it is given to somebody else.",
                "Nothing came from you, so your powers were in civil disorder for this phase. The "
                "seat is still yours: send orders for the next phase. If nothing comes for two "
                "movement phases in a row, it is given to somebody else.",
                seats_size(message.game, (seat,), words),
            )
        )
    ]


def _absences(message: Results, reader: Reader) -> list[Section]:
    """Whose orders were missing, and what becomes of those seats; to the others."""
    words, game = reader.words, message.game
    missing = tuple(seat for seat in message.missing if seat != game.seat)
    if not missing or not message.is_absence:
        return []
    sentences = [_missing_sentence(missing, message, reader)]
    held = tuple(seat for seat in message.held if seat in missing)
    if held:
        sentences.append(
            count(
                words,
                "The seat of {powers} is still its player's.",
                "The seats of {powers} are still their players'.",
                len(held),
                powers=seat_names(game, held, words),
            )
        )
    vacated = tuple(seat for seat in message.vacated if seat in missing)
    if vacated:
        sentences.append(
            count(
                words,
                "After two movement phases without orders the seat of {powers} is vacant, and "
                "open to JOIN {game}.",
                "After two movement phases without orders the seats of {powers} are vacant, and "
                "open to JOIN {game}.",
                len(vacated),
                powers=seat_names(game, vacated, words),
                game=game.name,
            )
        )
    return [wrap(join_sentences(sentences, words))]


def _missing_sentence(missing: tuple[SeatId, ...], message: Results, reader: Reader) -> str:
    words, powers = reader.words, seat_names(message.game, missing, reader.words)
    if not message.grace:
        return count(
            words,
            "{powers} sent nothing by the deadline, and is in civil disorder for this phase.",
            "{powers} sent nothing by the deadline, and are in civil disorder for this phase.",
            seats_size(message.game, missing, words),
            powers=powers,
        )
    return count(
        words,
        "{powers} sent nothing, neither by the deadline nor in grace ({grace}), and is in "
        "civil disorder for this phase.",
        "{powers} sent nothing, neither by the deadline nor in grace ({grace}), and are in "
        "civil disorder for this phase.",
        seats_size(message.game, missing, words),
        powers=powers,
        grace=duration(message.grace, words),
    )


def _next_sections(message: Results, reader: Reader) -> list[Section]:
    """What comes now, and who is asked."""
    if message.next is None or message.next.label is None:
        return []
    words, game_words = reader.words, words_of_game(message.next, reader.words)
    phase = game_words.phase_name(message.next.label)
    powers = seat_names(message.next, message.awaited, words)
    if len(message.awaited) == 1:
        line = say(
            words,
            "Next: {phase}, for {power} alone. Nobody else has anything to send.",
            phase=phase,
            power=powers,
        )
    elif 1 < len(message.awaited) <= AWAITED_NAMED:
        line = say(words, "Next: {phase}, for {powers}.", phase=phase, powers=powers)
    else:
        line = say(words, "Next: {phase}.", phase=phase)
    if message.game.seat is not None and not message.is_awaited and len(message.awaited) != 1:
        line = join_sentences((line, say(words, "You have nothing to send.")), words)
    shown: list[Section] = [wrap(line)]
    return [*shown, DueSection(message.due)] if message.due else shown


# --- the end --------------------------------------------------------------------------------------


def game_over(message: GameOver, reader: Reader) -> Part:
    """The game's last letter: how it ended, the final position, and the seed of all chance."""
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    sections: list[Section] = []
    if message.ending == "draw":
        powers = seat_names(message.game, message.winners, words)
        shared = say(words, "The draw is shared by {powers}.", powers=powers)
        sections.append(wrap(shared))
    sections.append(titled(say(words, "How it ended:"), show_roster(message, reader)))
    position = game_words.position(message.view)
    if position:
        sections.append(position)
    sections.append(
        wrap(
            say(
                words,
                "All chance in this game came from the seed below. Its SHA-256 hash is the one "
                "that the first letter printed, so anybody can check that it was fixed then.",
            )
        )
    )
    sections.append(f"  {message.seed}")
    return Part(
        what=say(words, "the game is over"),
        verdict=_ending(message, reader),
        game=message.game,
        sections=tuple(sections),
    )


def _ending(message: GameOver, reader: Reader) -> str:
    words = reader.words
    if message.ending == "concession":
        return first_line(
            message.game,
            message.winners,
            words,
            lambda powers: say(words, "The game is over: conceded to {powers}.", powers=powers),
        )
    if message.ending == "solo":
        return first_line(
            message.game,
            message.winners,
            words,
            lambda powers: count(
                words,
                "The game is over: {powers} has won.",
                "The game is over: {powers} have won.",
                seats_size(message.game, message.winners, words),
                powers=powers,
            ),
        )
    return count(
        words,
        "The game is over: a draw of {n} power.",
        "The game is over: a draw of {n} powers.",
        seats_size(message.game, message.winners, words),
    )


def show_roster(message: GameOver, reader: Reader) -> str:
    """The final table: power, player, centers."""
    return list_pairs([_standing(message, entry, reader) for entry in message.roster])


def _standing(message: GameOver, entry: RosterEntry, reader: Reader) -> tuple[str, str]:
    words = reader.words
    name = words_of_game(message.game, words).seat_name(entry.seat)
    centers = count(words, "{n} center", "{n} centers", entry.score)
    player = entry.player or say(words, "nobody")
    return name, say(words, "{player}, {centers}", player=player, centers=centers)
