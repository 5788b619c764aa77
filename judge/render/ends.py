"""The end of a game: result, seats, chart, points; and what its players have written for then."""

from collections.abc import Sequence

import msgspec

from judge.blocks import Block, Indented, Pairs, PicturePlace, Titled, Written, rows_to_copy
from judge.host.messages import game_events as events
from judge.host.messages.command_answers import DiaryTold, Kept
from judge.host.messages.shared import GameRef, RosterEntry, TenureEntry
from judge.render.catalogue import sentence_tables
from judge.render.layout import one_line
from judge.render.masters import quoted_reason
from judge.render.part import Part, Reader, Section, holder_name
from judge.render.times import moment
from judge.rulebook import Message, load_renderer
from judge.store import GameSettings, Reveal

NUMBER_COLUMNS = 60
FIRST_WORDS = 50  # columns of a note that DIARY LIST shows


class _Tables(msgspec.Struct, frozen=True):
    text: dict[str, Message]
    verdicts: dict[str, Message]
    scorings: dict[str, str]
    settings: dict[str, str]


SENTENCES = sentence_tables("ends.toml", _Tables)
PHASES = sentence_tables("phases.toml", dict[str, Message])
TEXTS, VERDICTS = SENTENCES.text, SENTENCES.verdicts


def game_over(message: events.GameOver, reader: Reader) -> Part:
    """How it ended, who shares in it, the final position, and the seed of all chance."""
    game, words = message.game, reader.game_words(message.game)
    verdict, shared = words.ending(message.ending, message.winners)
    sections: list[Section] = [
        shared,
        reader.tell(TEXTS["no_result"]) if message.ending == "terminated" else "",
        quoted_reason(message.reason, reader),
        reader.tell(PHASES["practice"]) if message.ending == "practice" else "",
        Titled(reader.tell(TEXTS["roster"]), _seats(message, reader)),
    ]
    if message.scoring in SENTENCES.scorings:
        rows = [(words.seat_name(seat), f"{n:.1f}") for seat, n in message.points.items() if n]
        title = reader.say(SENTENCES.scorings[message.scoring])
        sections.append(Titled(title, Pairs(rows)))
    if (move := message.rating) is not None:
        board = load_renderer(game.game).variant_name(move.variant, reader)
        figures = {"before": move.before, "after": move.after}
        sections.append(reader.tell(PHASES["rated"], move.games, board=board, **figures))
    if chart := words.score_table(message.history):
        sections += [Titled(reader.tell(TEXTS["chart"]), chart), PicturePlace()]
    sections += [_tenures(game, message.tenures, reader), *words.position(message.view)]
    if message.archive_number:
        sections.append(reader.tell(TEXTS["archive"], number=message.archive_number))
    if message.next_game and message.next_by_invitation:
        sections.append(reader.tell(TEXTS["next_invited"], game=message.next_game))
    elif message.next_game:
        join = reader.say("JOIN balkan").replace("balkan", message.next_game)
        sections += [reader.tell(TEXTS["next"], game=message.next_game), rows_to_copy(join)]
        if message.next_needs_word:
            sections.append(reader.tell(TEXTS["next_word"], game=message.next_game))
    if message.statements_until is not None:
        when = moment(message.statements_until, reader.zone, reader)
        sections.append(reader.tell(TEXTS["statement"], when=when))
    sections += [reader.tell(PHASES["seed"]), rows_to_copy(message.seed)]
    pictures = reader.centers_picture(game, message.history, message.view)
    return Part(reader.say("the game is over"), verdict, game, sections, pictures=pictures)


def _seats(message: events.GameOver | events.Revealed, reader: Reader) -> Pairs:
    """Each seat with who had it at the end, and its figure."""
    words, rows = reader.game_words(message.game), []
    for entry in message.roster:
        player = holder_name(entry, reader) or reader.say("nobody")
        stands = reader.say("{player}, {score}", player=player, score=words.score(entry.score))
        rows.append((words.seat_name(entry.seat), stands))
    return Pairs(rows)


def _tenures(game: GameRef, tenures: Sequence[TenureEntry], reader: Reader) -> Block:
    """Who held the seats that have changed hands, from when to when."""
    words, rows, last = reader.game_words(game), [], ""
    for one in sorted(tenures, key=lambda one: one.seat):
        key = "_".join(filter(None, (one.since and "from", one.until and "until")))
        entry = RosterEntry(one.seat, one.player, 0, is_hidden=one.is_hidden)
        told = holder_name(entry, reader)
        if key:
            since, until = (words.phase_name(at) if at else "" for at in (one.since, one.until))
            told = reader.tell(TEXTS[key], player=told, since=since, until=until)
        rows.append((words.seat_name(one.seat) if one.seat != last else "", told))
        last = one.seat
    return Titled(reader.tell(TEXTS["changed"]), Pairs(rows)) if rows else ""


def revealed(message: events.Revealed, reader: Reader) -> Part:
    """Who played what, where that was not told before."""
    sections = (_seats(message, reader), _tenures(message.game, message.tenures, reader))
    verdict = reader.tell(VERDICTS["revealed"])
    return Part(reader.say("who played what"), verdict, message.game, sections)


def statements_and_diaries(message: events.Papers, reader: Reader) -> Part:
    """What the players of a finished game have written about it."""
    game, words, sections = message.game, reader.game_words(message.game), list[Section]()
    for one in message.statements:
        name = words.seat_name(one.seat) if one.seat else ""
        head = reader.say("{title}:", title=name) if name else reader.tell(TEXTS["master"])
        sections.append(Titled(head, Written(one.text)))
    if not message.statements:
        sections.append(reader.tell(TEXTS["no_statement"]))
    told = None
    for one in message.diaries:
        if one.seat != told:
            told, power = one.seat, words.seat_name(one.seat) if one.seat else ""
            sections.append(reader.tell(TEXTS["diary"], power=power))
        head = reader.say("{title}:", title=words.phase_name(one.label))
        sections.append(Indented(Titled(head, Written(one.text))))
    verdict = reader.tell(VERDICTS["papers"])
    return Part(reader.say("statements about the game"), verdict, game, sections)


def cancelled(message: events.Cancelled, reader: Reader) -> Part:
    """A game that had not begun is no more."""
    key = "cancelled_own" if message.is_own else "cancelled"
    text = "" if message.is_own else reader.tell(TEXTS["cancelled"])
    verdict = reader.tell(VERDICTS[key], game=message.name)
    what = reader.say("the game {game} is cancelled", game=message.name)
    return Part(what, verdict, sections=(quoted_reason(message.reason, reader), text))


def note_or_statement_kept(message: Kept, reader: Reader) -> Part:
    """Something of the reader's own that is kept until after the end, or a number of the game."""
    number = one_line(message.number, NUMBER_COLUMNS)
    verdict = reader.tell(VERDICTS[message.what], number=number)
    text = TEXTS.get(message.what)
    sections = (Written(message.text), reader.tell(text, number=number) if text else "")
    return Part(reader.say("noted"), verdict, message.game, sections)


def diary_told(message: DiaryTold, reader: Reader) -> Part:
    """The reader's own notes: all of them in a line each, or one of them whole."""
    game, words = message.game, reader.game_words(message.game)
    if message.is_whole:
        (note,) = message.notes
        verdict = reader.tell(VERDICTS["note"], number=note.number)
        head = reader.say("{title}:", title=words.phase_name(note.label))
        return Part(reader.say("diary"), verdict, game, (Titled(head, Written(note.text)),))
    rows = [
        (f"{one.number}. {words.phase_name(one.label)}", one_line(one.text, FIRST_WORDS))
        for one in message.notes
    ]
    verdict = reader.tell(VERDICTS["notes" if rows else "no_notes"], len(rows))
    hint = reader.tell(TEXTS["read" if rows else "no_notes"])
    return Part(reader.say("diary"), verdict, game, (Pairs(rows), hint))


def end_setting_rows(settings: GameSettings, reader: Reader) -> list[tuple[str, str]]:
    """How a game ends, where that is not as usual."""
    rows = []
    if settings.scoring in SENTENCES.settings:
        rows.append((reader.say("Points"), reader.say(SENTENCES.settings[settings.scoring])))
    if settings.hides_names and settings.reveal is not Reveal.END:
        told = SENTENCES.settings[f"reveal_{settings.reveal}"]
        rows.append((reader.say("Revealed"), reader.say(told)))
    return rows
