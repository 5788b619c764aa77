"""Lists and help: games, one game's state, commands, and the welcome of a stranger."""

from datetime import datetime

from judge.host.messages import (
    CommandHelp,
    GameList,
    GameRow,
    GameStatus,
    HelpText,
    RosterEntry,
    Welcome,
)
from judge.render.advance_orders import stored_sections
from judge.render.answers import show_lines
from judge.render.catalogue import count, say
from judge.render.layout import list_pairs, list_rows, one_line, titled, wrap
from judge.render.part import DueSection, Part, Reader, Section, join_names, words_of_game
from judge.render.settings import chosen_words, press_words, show_settings, variant_words
from judge.render.times import due_time, duration
from judge.rulebook import NO_JSON, Row, SeatId, load_renderer
from judge.store import Status


def game_list(message: GameList, reader: Reader) -> Part:
    """The games that the reader may see."""
    words = reader.words
    verdict = count(words, "There is {n} game.", "There are {n} games.", len(message.games))
    if not message.games:
        verdict = say(words, "There is no game yet. CREATE makes one.")
    sections = [_game_row(row, message.now, reader) for row in message.games]
    if any(_is_open(row) for row in message.games):
        sections.append(wrap(say(words, "JOIN and a game's name takes part in an open one.")))
    return Part(say(words, "list of games"), verdict, sections=tuple(sections))


def _is_open(row: GameRow) -> bool:
    return row.status == Status.FORMING or bool(row.vacant and row.status == Status.ACTIVE)


def _game_row(row: GameRow, now: datetime, reader: Reader) -> str:
    """A game in three lines: how it stands, its rules, what is vacant."""
    words = reader.words
    game_words = load_renderer(row.game).words(row.variant, words)
    lines = [_standing(row, reader)]
    lines.append(
        say(
            words,
            "board {variant}, rules {rules}, {time} for a movement phase",
            variant=variant_words(row.game, row.variant, row.options, words),
            rules=chosen_words(row.rules, row.choices, words),
            time=duration(row.pace, words),
        )
    )
    lines.append(say(words, "press {press}", press=press_words(row.press, words)))
    if row.vacant and row.status == Status.ACTIVE:
        names = join_names([game_words.seat_brief(seat) for seat in row.vacant], words)
        lines.append(say(words, "vacant: {powers}", powers=names))
    if row.due_at is not None and row.status == Status.ACTIVE:
        lines.append(say(words, "due {when}", when=due_time(row.due_at, now, reader.zone, words)))
    shown = "\n".join(wrap(line, "    ") for line in lines)
    return f"{row.name}\n{shown}"


def _standing(row: GameRow, reader: Reader) -> str:
    words = reader.words
    if row.status == Status.FORMING:
        return say(
            words, "open: {players} of {seats} players", players=row.players, seats=row.seats
        )
    if row.status == Status.FINISHED:
        return say(words, "finished")
    if row.label is None:
        return say(words, "a draft, seen by you alone")
    phase = load_renderer(row.game).words(row.variant, words).phase_name(row.label)
    return say(words, "running: {phase}", phase=phase)


def game_status(message: GameStatus, reader: Reader) -> Part:
    """Everything a reader may see of one game."""
    words, game_words = reader.words, words_of_game(message.game, reader.words)
    sections: list[Section] = []
    if message.due is not None:
        sections.append(DueSection(message.due))
    sections += _own_orders(message, reader)
    if message.roster:
        sections.append(list_pairs([_entry(message, entry, reader) for entry in message.roster]))
    if message.view != NO_JSON:
        sections += [wrap(remark) for remark in game_words.variant_notes(message.view)]
        sections.append(game_words.position(message.view))
    sections.append(
        titled(
            say(words, "The settings of this game:"),
            show_settings(message.settings, message.game.game, words),
        )
    )
    return Part(
        what=say(words, "how the game stands"),
        verdict=_status_verdict(message, reader),
        game=message.game,
        sections=tuple(sections),
    )


def _status_verdict(message: GameStatus, reader: Reader) -> str:
    words = reader.words
    if message.status == Status.FORMING:
        return count(
            words,
            "The game waits for {n} more player.",
            "The game waits for {n} more players.",
            message.missing_players,
        )
    if message.status == Status.FINISHED:
        return say(words, "The game is over.")
    if message.status == Status.DRAFT:
        return say(words, "The game is a draft, seen by you alone.")
    if message.order_set is None:
        return say(words, "The game is running.")
    if not message.orders_due:
        return say(words, "The game is running. You have nothing to send.")
    stored = min(len(message.order_set), message.orders_due)
    return say(
        words,
        "Your orders: {n} of {orders_due} are stored.",
        n=stored,
        orders_due=message.orders_due,
    )


def _own_orders(message: GameStatus, reader: Reader) -> list[Section]:
    words = reader.words
    sections: list[Section] = []
    if message.order_set:
        rows = show_lines(message.game, message.order_set, reader)
        sections.append(titled(say(words, "Your orders:"), rows))
    sections += stored_sections(message.game, message.advance, reader)
    flags = []
    if message.ready:
        flags.append(say(words, "You said READY: they count as complete."))
    if message.wait:
        flags.append(say(words, "You said WAIT: the phase waits for its deadline."))
    if "draw" in message.votes:
        flags.append(say(words, "You vote for a draw."))
    if "concession" in message.votes:
        winner = SeatId(message.votes["concession"])
        power = words_of_game(message.game, words).seat_name(winner)
        flags.append(say(words, "You concede the game to {power}.", power=power))
    return [*sections, "\n".join(flags)] if flags else sections


def _entry(message: GameStatus, entry: RosterEntry, reader: Reader) -> tuple[str, str]:
    words = reader.words
    name = words_of_game(message.game, words).seat_name(entry.seat)
    player = one_line(entry.player, 40) or say(words, "vacant")
    if not entry.in_play:
        return name, say(words, "{player}, out of the game", player=player)
    centers = count(words, "{n} center", "{n} centers", entry.score)
    return name, say(words, "{player}, {centers}", player=player, centers=centers)


# --- help -----------------------------------------------------------------------------------------


def help_text(message: HelpText, reader: Reader) -> Part:
    """All commands, or one; with how to write orders."""
    words = reader.words
    sections: list[Section] = []
    if message.orders:
        sections.append(_order_help(reader))
    if len(message.commands) > 1:
        sections.append(say(words, "Commands stand on a line of their own:"))
    sections.append("\n".join(_command(command, reader) for command in message.commands))
    sections.append(
        wrap(
            say(
                words,
                "A reply to a letter of a game speaks for your seat in it. In any other letter, "
                "begin with SIGNON, the first letter of your power with the game's name, and your "
                "password.",
            )
        )
    )
    verdict = say(words, "Here is what you can write to the judge.")
    return Part(say(words, "help"), verdict, sections=tuple(sections))


def _command(command: CommandHelp, reader: Reader) -> str:
    words = reader.words
    summary, local = words.gettext(command.summary), command.local.get(words.language)
    if local:
        summary = say(words, "{summary} (or {word})", summary=summary, word=local)
    return list_rows((Row(words.gettext(command.usage), summary),), column=30)


def _order_help(reader: Reader) -> str:
    words = reader.words
    rows = [
        Row("A PAR - BUR", say(words, "the army in Paris moves to Burgundy")),
        Row("F BRE - MAO", say(words, "the fleet in Brest moves to the Mid-Atlantic Ocean")),
        Row("A PAR H", say(words, "it holds")),
        Row("A MAR S A PAR - BUR", say(words, "the army in Marseilles supports that move")),
        Row("A MAR S A PAR", say(words, "it supports the army in Paris to hold")),
        Row("F NTH C A LON - NWY", say(words, "the fleet convoys the army from London to Norway")),
        Row("A BUR R GAS", say(words, "a dislodged army retreats to Gascony")),
        Row("A PAR B", say(words, "an army is built in Paris")),
        Row("F BRE D", say(words, "the fleet in Brest is disbanded")),
        Row("WAIVE", say(words, "a build is left out")),
    ]
    head = say(words, "Orders stand on lines of their own, with short or full names:")
    return f"{head}\n\n{list_rows(rows, column=26)}"


def welcome(message: Welcome, reader: Reader) -> Part:
    """To somebody whom the judge does not know: what this is, and how to take part."""
    words = reader.words
    text = say(
        words,
        "This is a judge: a program that runs games of diplomacy by e-mail. You write orders in "
        "ordinary letters, and it sends everybody the results. To take part, reply with JOIN and "
        "the name of an open game.",
    )
    open_games = [row for row in message.games if _is_open(row)]
    sections: list[Section] = [wrap(text)]
    if open_games:
        sections.append(say(words, "Open games:"))
        sections += [_game_row(row, message.now, reader) for row in open_games]
    else:
        sections.append(say(words, "No game is open now. CREATE makes one."))
    sections.append(say(words, "HELP lists everything that can be asked for."))
    verdict = say(words, "The judge does not know your address yet.")
    return Part(say(words, "welcome"), verdict, sections=tuple(sections))
