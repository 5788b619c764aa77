"""What a player writes for after the end: a diary, seen by nobody else till then, and a statement
about the game. All of it goes to everybody in one letter, some days after the end."""

from judge.host.command import CommandLine, Handlers
from judge.host.games.ends import shown_note
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import closing_word
from judge.host.messages.command_answers import DiaryTold, Kept
from judge.host.messages.refusals import RefusalKind
from judge.host.permissions import former_game
from judge.rulebook import SeatId
from judge.store import GameRecord, NoteKind, PlayerNote

LONGEST_NOTE = 2000  # characters
LONGEST_STATEMENT = 8000
MOST_NOTES = 60  # in a diary
FIRST_LINE = 60  # characters of an unclosed text that its answer shows


def record_note(context: LetterContext, line: CommandLine) -> None:
    """`DIARY RECORD`, a text, `ENDDIARY`: a note of the phase that is open."""
    game, seat = _own_game_and_seat(context)
    _check_text(context, line, LONGEST_NOTE)
    notes = _diary(context, game)
    if len(notes) >= MOST_NOTES:
        raise context.refused(RefusalKind.TOO_MANY_NOTES, game, limit=MOST_NOTES)
    number = max((one.number for one in notes), default=0) + 1
    _keep(context, game, seat, NoteKind.DIARY, number, line.text)
    context.say(Kept(context.ref(game), "saved", str(number), line.text))


def list_notes(context: LetterContext, _line: CommandLine) -> None:
    """`DIARY LIST`: a line of each note."""
    game = context.role_game
    notes = tuple(map(shown_note, _diary(context, game)))
    context.say(DiaryTold(context.ref(game), notes))


def read_note(context: LetterContext, line: CommandLine) -> None:
    """`DIARY READ 2`: a note whole."""
    game, note = _find_note(context, line)
    context.say(DiaryTold(context.ref(game), (shown_note(note),), is_whole=True))


def delete_note(context: LetterContext, line: CommandLine) -> None:
    """`DIARY DELETE 2`."""
    game, note = _find_note(context, line)
    _keep(context, game, note.seat, NoteKind.DIARY, note.number, "")
    context.say(Kept(context.ref(game), "deleted", str(note.number)))


def state(context: LetterContext, line: CommandLine) -> None:
    """`STATEMENT`, a text, `ENDSTATEMENT`: in place of an earlier one; without text none."""
    game, seat = _own_game_and_seat(context)
    _check_text(context, line, LONGEST_STATEMENT, may_be_empty=True)
    _keep(context, game, seat, NoteKind.STATEMENT, 0, line.text)
    what = "statement_saved" if line.text.strip() else "statement_deleted"
    context.say(Kept(context.ref(game), what, text=line.text))


def _own_game_and_seat(context: LetterContext) -> tuple[GameRecord, SeatId | None]:
    """The game and seat, or last seat, of the writer (None: its master); refuses late ones."""
    game, player = context.game() or former_game(context), context.writer
    assert game is not None
    seats = [one.seat for one in game.tenures if one.player == player.id]
    if game.has_told_all:
        raise context.refused(RefusalKind.STATEMENTS_CLOSED, game)
    return game, context.role.seat if context.role else seats[-1]


def _check_text(
    context: LetterContext, line: CommandLine, most: int, *, may_be_empty: bool = False
) -> None:
    game, text = context.game() or former_game(context), line.text.strip()
    ends = closing_word(line.command, context.language)
    if not line.closed:
        first = next(iter(line.text.splitlines()), "")[:FIRST_LINE]
        values = {"written": line.written, "first_line": first, "usage": ends}
        raise context.refused(RefusalKind.UNCLOSED_TEXT, game, **values)
    if not text and not may_be_empty:
        raise context.refused(RefusalKind.EMPTY_TEXT, game, written=line.written, usage=ends)
    if len(text) > most:
        raise context.refused(RefusalKind.LONG_TEXT, game, limit=most)


def _find_note(context: LetterContext, line: CommandLine) -> tuple[GameRecord, PlayerNote]:
    game, written = context.role_game, line.arguments.get("names", "").strip("#. ")
    notes = _diary(context, game)
    note = next((one for one in notes if str(one.number) == written), None)
    if note is None:
        known = [str(one.number) for one in notes]
        raise context.refused(RefusalKind.NO_NOTE, game, written=line.written, known=known)
    return game, note


def _diary(context: LetterContext, game: GameRecord) -> tuple[PlayerNote, ...]:
    return context.work.notes_of(game, context.writer.id, NoteKind.DIARY)


def _keep(
    context: LetterContext,
    game: GameRecord,
    seat: SeatId | None,
    kind: NoteKind,
    number: int,
    text: str,
) -> None:
    work, by, label = context.work, context.writer.id, game.phase_label
    note = PlayerNote(game.name, by, kind, number, seat, label, work.now, text.strip("\n"))
    work.notes.append(note)


HANDLERS: Handlers = {
    "diary_record": record_note,
    "diary_list": list_notes,
    "diary_read": read_note,
    "diary_delete": delete_note,
    "statement": state,
}
