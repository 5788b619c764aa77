"""LIST, STATUS, WHO and HELP: what anybody, and what a player, may see."""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

from msgspec.structs import replace

from judge.host.command import Command, CommandLine, Handlers, Topic
from judge.host.games.ends import roster
from judge.host.games.forming import missing_players, seats_for_players, seats_of
from judge.host.games.holdups import holdups_of
from judge.host.games.invitations import has_access
from judge.host.games.masters import name_or_address, open_mastership_offers
from judge.host.games.orders import stored_advance
from judge.host.games.orders_due import (
    coming_move_deadlines,
    deadline_of,
    is_undated,
    may_see,
    orders_due,
    owing_seats,
    timing_of,
    waiting_seats,
)
from judge.host.games.proposals import motions_for
from judge.host.games.seat_names import find_seat
from judge.host.games.setting_values import LANGUAGES, known_settings, variant_named
from judge.host.games.tenures import has_part
from judge.host.letters.letter_context import LetterContext, Role, roles_of, seat_of
from judge.host.letters.registering import find_language, registration_payload
from judge.host.local_words import first_said, topic_words, words_in_all_languages
from judge.host.messages.command_answers import CommandHelp, HelpText, NothingFound
from judge.host.messages.games import GameList, GameRow, GameStatus, Welcome
from judge.host.messages.refusals import RefusalKind
from judge.host.messages.shared import Person
from judge.host.permissions import observed_game, refused_unknown
from judge.host.unit_of_work import UnitOfWork, game_ref_for_master, ref_to, rulebook_of, shown
from judge.rulebook import DEFAULT_GAME, NO_JSON, load_game
from judge.store import Fact, GameRecord, Player, Purpose, Status

MOST_LISTED = 60  # games in one letter
MOST_IN_FULL = 8
MOST_PAGES = 20  # of so many games that are looked at for it
# What games LIST may be asked for, by all their names.
LISTS = {
    state: words_in_all_languages("lists", state)
    for state in ("open", "vacant", "running", "mine", "full", "after")
}
NO_FILTER = ("all", "games", "and", "in", "of", "the")


def open_game_rows(work: UnitOfWork) -> tuple[GameRow, ...]:
    """Games that somebody could join: those that need players, and those with a vacant seat."""
    return tuple(game_row(game) for game in work.repository.games.joinable(limit=MOST_LISTED))


def game_row(game: GameRecord) -> GameRow:
    """A game as a line of a list."""
    seats = sum(not one.is_dummy for one in game.seats) or len(seats_for_players(game))
    held = sum(1 for seat in game.seats if seat.player is not None)
    timing = game.timing
    is_dated = timing is not None and not timing.held and not is_undated(game)
    return GameRow(
        name=game.name,
        variant=game.settings.variant,
        rules=game.settings.rules,
        label=game.phase.label if game.phase else None,
        status=game.status,
        press=game.settings.press,
        pace=game.settings.lengths[rulebook_of(game).phase_kinds[0].name],
        players=len(game.applicants) if game.status is Status.FORMING else held,
        seats=seats,
        vacant=tuple(seat.id for seat in game.seats if seat.is_open),
        due_at=timing.ends_at if timing and is_dated else None,
        game=game.game,
        choices=game.settings.choices,
        options=game.settings.options,
        language=game.settings.language,
        has_deadlines=game.settings.deadlines,
        comment=game.settings.comment,
        needs_word=bool(game.settings.join_word),
        needs_approval=game.settings.approval or bool(game.settings.allow),
        is_blind=game.settings.blind,
        not_before=game.settings.not_before,
    )


def find_game(context: LetterContext, written: str, words: Sequence[str] = ()) -> GameRecord:
    """The game of a name that is public, or that the sender has a part in, or whose join word is
    one of these; refuses, with the nearest names, if there is none."""
    game = context.work.game(written)
    if game is not None and may_know_of(context, game, words):
        return game
    nearest = context.work.repository.games.nearest_names(written, limit=3)
    # Whether there is one that takes no word just now, nobody learns.
    others = ["word"] if any(words) else []
    raise context.refused(
        RefusalKind.NO_GAME, written=written, nearest=list(nearest), others=others
    )


def may_know_of(context: LetterContext, game: GameRecord, words: Sequence[str] = ()) -> bool:
    """Whether a game is public, or the sender has a part in it or one of these as its join word."""
    if context.player is not None and has_part(game, context.player.id):
        return True
    is_hidden = game.is_practice or game.status is Status.DRAFT
    return not is_hidden and (game.settings.listed or has_access(context, game, words))


def find_variant(context: LetterContext, written: str) -> str:
    """The variant of a name; refuses, with the nearest, if there is none."""
    rulebook = load_game(DEFAULT_GAME)
    named = variant_named(rulebook, written)
    if named is None:
        nearest = difflib.get_close_matches(written.lower(), rulebook.variants(), n=3)
        raise context.refused(RefusalKind.NO_VARIANT, written=written, nearest=nearest)
    return named


def welcome(context: LetterContext) -> None:
    """To a stranger who asks for nothing that the judge knows: what this is, and a question that a
    YES answers: to join the one open game, or to begin a practice game."""
    rows, guess = open_game_rows(context.work), registration_payload(context)
    forming = [
        row.name
        for row in rows
        if row.status is Status.FORMING and not (row.needs_word or row.needs_approval)
    ]
    joins = forming[0] if len(forming) == 1 else ""
    context.say(
        Welcome(rows, context.work.now, joins, name=str(guess["name"]), zone=str(guess["zone"]))
    )
    if joins:
        context.ask(Purpose.JOIN, {**guess, "game": joins, "wish": "", "password": ""})
    else:
        context.ask(Purpose.REGISTER, {**guess, "then": "PRACTICE"})


def list_games(context: LetterContext, line: CommandLine) -> None:
    """`LIST`: all public games, those with room first; `LIST balkan`: one of them; `LIST OPEN`,
    `LIST VACANT`, `LIST MINE`, `LIST colonial`, `LIST KOREAN`, or several of these words."""
    written, work = line.arguments.get("names", ""), context.work
    name, *words = written.split() or [""]
    is_named = len(words) <= 1 and work.game(name) is not None
    wanted = None if is_named else _wanted(written)
    if wanted is None:
        say_status(context, find_game(context, name if is_named else written, words), None)
        return
    public = partial(public_games, work, Status.FORMING, Status.ACTIVE)
    if "full" in wanted:
        # By name, each as STATUS shows it; of more than a letter holds, how to get the next ones.
        told = list[str]()
        for game in public(after=wanted.get("after", "")):
            if not _fits(game_row(game), wanted):
                continue
            if len(told) == MOST_IN_FULL:
                raise context.refused(RefusalKind.MORE_GAMES, limit=MOST_IN_FULL, label=told[-1])
            told.append(game.name)
            say_status(context, work.existing_game(game.name), None)
        if not told:
            context.say(GameList((), work.now, judge=work.config.address, is_some=True))
        return
    games: Iterable[GameRecord]
    if not wanted.get("mine"):
        games = chain(_all_pages(work.repository.games.joinable), public())
    elif context.player is not None:
        games = work.games_of(context.player.id)
    else:
        raise refused_unknown(context, written)
    seen = set[str]()
    rows = list[GameRow]()
    for game in games:
        if game.name not in seen and not game.is_practice and _fits(row := game_row(game), wanted):
            rows.append(row)
        seen.add(game.name)
        if len(rows) == MOST_LISTED:
            break
    rows.sort(key=lambda row: not (row.status is Status.FORMING or row.vacant))
    context.say(GameList(tuple(rows), work.now, judge=work.config.address, is_some=bool(written)))


def public_games(work: UnitOfWork, *statuses: Status, after: str = "") -> Iterator[GameRecord]:
    """Public games by name, read page by page, as far as they are asked for."""
    yield from _all_pages(partial(work.repository.games.page, *statuses, is_public=True), after)


def _all_pages(take: Callable[..., Sequence[GameRecord]], after: str = "") -> Iterator[GameRecord]:
    for _ in range(MOST_PAGES):
        page = take(limit=MOST_LISTED, after=after)
        yield from page
        if len(page) < MOST_LISTED:
            break
        after = page[-1].name


def _wanted(written: str) -> dict[str, str] | None:
    """What the words behind LIST ask for: a state, a variant, a language; None: nothing known."""
    found: dict[str, str] = {}
    parts, variants = written.split(), load_game(DEFAULT_GAME).variants()
    for at, word in enumerate(parts[:-1]):
        if word.casefold() in LISTS["after"]:  # `FULL AFTER balkan`
            found["after"] = parts[at + 1]
            written = " ".join((*parts[:at], *parts[at + 2 :]))
            break
    words = written.casefold()
    for state, said in LISTS.items():
        for word in sorted(said, key=len, reverse=True):
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", words):
                found[state] = word
                words = words.replace(word, " ")
    for word in words.split():
        language = find_language(word, LANGUAGES)
        if word in variants:
            found["variant"] = word
        elif language is not None:
            found["language"] = language
        elif word not in NO_FILTER:
            return None
    return found


def _fits(row: GameRow, wanted: Mapping[str, str]) -> bool:
    is_forming = row.status is Status.FORMING
    return (
        ("open" not in wanted or (is_forming and row.players < row.seats))
        and ("vacant" not in wanted or (bool(row.vacant) and not is_forming))
        and ("running" not in wanted or not is_forming)
        and wanted.get("variant", row.variant) == row.variant
        and wanted.get("language", row.language) == row.language
    )


def status(context: LetterContext, line: CommandLine) -> None:
    """`STATUS`: my orders, flags and deadline, in all games or one; a stranger is welcomed."""
    if "game" in line.arguments:
        game, player = find_game(context, line.arguments["game"]), context.player
        own = [context.role] if context.role else []
        if player is not None:
            seat = seat_of(game, player)
            own += [Role(game.name, seat)] if seat else roles_of(context.work, player)
        say_status(context, game, next((one for one in own if one.game == game.name), None))
        return
    if context.sender.player is None:
        welcome(context)
        return
    if context.player is None:
        raise context.refused(RefusalKind.NOT_SIGNED_ON, written=line.written)
    roles = [context.role] if context.role else roles_of(context.work, context.player)
    for role in roles:
        say_status(context, context.work.existing_game(role.game), role)
    if (watched := observed_game(context)) is not None:
        say_status(context, watched, None)
    elif not roles:
        context.say(NothingFound(()))


def who(context: LetterContext, line: CommandLine) -> None:
    """`WHO`, `Who is France?`: who sits where, in the game of this letter or the sender's only one;
    a question about somebody else is no command."""
    roles = roles_of(context.work, context.player) if context.player is not None else []
    role = context.role or (roles[0] if len(roles) == 1 else None)
    game = context.work.game(role.game) if role else None
    written = line.arguments.get("seat", "")
    named = find_seat(seats_of(game), written) if game and written else None
    if written and named is None:
        context.lines.append(line.written)
    elif game is None or role is None:
        status(context, line)
    else:
        told = game_status(context.work, game, role, context.player)
        context.say(replace(told, about=named.id if named else None))


def say_status(context: LetterContext, game: GameRecord, role: Role | None) -> None:
    """One game as a reader may see it: with their own orders if they sit there."""
    context.say(game_status(context.work, game, role, context.player))


def game_status(
    work: UnitOfWork, game: GameRecord, role: Role | None, player: Player | None = None
) -> GameStatus:
    """What a seat, the game's master or (None) anybody may see of a game."""
    is_active, is_master = game.status is Status.ACTIVE, role is not None and role.is_master
    seat = game.seat(role.seat) if role and role.seat and game.seats else None
    state, ref = game.state, ref_to(game, seat.id if seat else None)
    if is_master and player is not None:
        ref = game_ref_for_master(game, player.id)

    def sees(fact: Fact) -> bool:
        return is_active and may_see(game, fact, role)

    waiters = waiting_seats(game) if is_active else ()
    asked = open_mastership_offers(work, game) if is_master else ()
    before = (*game.applicants, *game.waiting)
    own = next((one for one in before if player and one.player == player.id), None)
    has_room = game.status is Status.FORMING and missing_players(game) > 0
    has_room = has_room or (is_active and any(one.is_open for one in game.seats))
    may_join = has_room and role is None and own is None and not game.settings.join_word
    return GameStatus(
        game=ref,
        settings=game.settings,
        status=game.status,
        roster=roster(work, game, for_master=is_active and is_master, ref=ref) if state else (),
        view=shown(game, ref).view(ref.seat) if state else NO_JSON,
        due=deadline_of(game, seat, work.now) if is_active else None,
        missing_players=missing_players(game),
        vacant=seat is not None and seat.player is None,
        wish=own.wish if own else None,
        preferences=own.preferences if own else (),
        order_set=game.order_set(seat.id) if seat else None,
        orders_due=orders_due(game, seat.id) if seat and is_active else 0,
        ready=bool(seat and seat.ready),
        wait=seat is not None and seat.id in waiters,
        motions=motions_for(game, seat.id if seat else None) if is_active and role else (),
        advance=stored_advance(game, seat.id) if seat and is_active else (),
        owing=tuple(one.id for one in owing_seats(game)) if sees(Fact.ORDERED) else None,
        late=timing_of(game).late if sees(Fact.LATE) else None,
        waiters=waiters if sees(Fact.WAITING) else None,
        waiting=len(waiters) if is_master else 0,
        coming=coming_move_deadlines(game, work.now) if game.status is not Status.FINISHED else (),
        held=game.timing.held.reason if game.timing and game.timing.held else None,
        absences=tuple(one for one in seat.absences if one.end > work.now) if seat else (),
        asking=names_awaiting_approval(work, game) if is_master else (),
        holdups=holdups_of(work, game) if is_master else (),
        masters=master_names(work, game),
        asked_masters=tuple(Person(name_or_address(work, one.who)) for one in asked),
        judge=work.config.address if may_join else "",
    )


def master_names(work: UnitOfWork, game: GameRecord) -> tuple[Person, ...]:
    """Who runs a game; of a practice game nobody does."""
    masters = () if game.is_practice else game.master_ids
    return tuple(Person(work.player(one).name) for one in masters)


def names_awaiting_approval(work: UnitOfWork, game: GameRecord) -> tuple[str, ...]:
    """Who waits for the master's leave to join."""
    return tuple(work.player(one.player).name for one in game.asking)


def send_help(context: LetterContext, line: CommandLine) -> None:
    """HELP: how to write orders, and every command; HELP <topic>, HELP <command>: those."""
    # This table is one of the rows of that one.
    from judge.host.commands import COMMANDS as ALL
    from judge.host.commands import nearest_command

    written = line.arguments.get("topic", "").upper()
    topic = next((one for one in Topic if written in topic_words(one)), None)
    # `SET ZONE` is a command, `SET` begins several and is one too, and no word is none.
    begun = [one for one in ALL if any(f"{w} ".startswith(f"{written} ") for w in one.words)]
    chosen = [one for one in ALL if one.topic is topic] if topic else begun if written else []
    if not chosen and (nearest := nearest_command(written)) is not None:
        chosen = [nearest]
    helps = tuple(map(help_on, chosen or ALL))
    if len(chosen) == 1 and chosen[0].rule == "create":
        names = known_settings(load_game(DEFAULT_GAME), context.work.config.defaults.variant)
        helps = (replace(helps[0], settings=names),)
    context.say(HelpText(helps, orders=not chosen or topic is Topic.ORDERS))


def help_on(command: Command) -> CommandHelp:
    """A command as HELP shows it."""
    return CommandHelp(
        command.words[0],
        command.usage,
        command.summary,
        first_said(command.rule),
        command.topic,
        command.who,
        command.when,
        tuple(word for word in command.words if word.isascii()),
    )


HANDLERS: Handlers = {
    "list": list_games,
    "status": status,
    "who": who,
    "missing": status,
    "help": send_help,
}
