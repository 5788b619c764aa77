"""CREATE, and the hand of a game's master: PROCESS and SET DEADLINE."""

from judge.host.blocks import (
    ConfirmAsked,
    Created,
    Deed,
    Done,
    GameRef,
    MoveReason,
    RefusalKind,
)
from judge.host.choosing import ChosenSettings, choose_settings
from judge.host.commands.command import N_, Command, CommandLine, Needs
from judge.host.commands.players import say_asked
from judge.host.deadlines import move_deadline
from judge.host.games import create_game, is_game_name, seats_of
from judge.host.orders import take_lines
from judge.host.processing import is_processable, process_now
from judge.host.registering import guess_player
from judge.host.session import GAME, ref_to
from judge.host.sheets import due_of, owing_seats
from judge.host.times import parse_time
from judge.host.turn import Turn
from judge.store import GameRecord, Purpose, Status


def create(turn: Turn, line: CommandLine) -> None:
    """A new game with the settings below the line; a faulty one keeps it a draft, which its
    master's next CREATE goes on from.

    Whoever is not proven by his letter confirms first, and the letter is carried out then.
    """
    take_lines(turn)
    name = line.arguments["game"].lower().lstrip("?")
    if not is_game_name(name):
        turn.refuse(RefusalKind.BAD_NAME, written=line.arguments["game"])
        return
    if _is_taken(turn, name):
        turn.refuse(RefusalKind.NAME_TAKEN, written=name)
        return
    draft = turn.session.game(name)
    settings = draft.settings if draft else turn.session.house.defaults
    chosen = choose_settings(settings, line.fields)
    if turn.player is None:
        _ask_confirmation(turn, name, chosen, line)
        return
    password = turn.session.tokens.password("master", name)
    hashed = turn.session.tokens.hash_password(password, name)
    game = create_game(turn.session, name, turn.player.id, chosen, hashed)
    seats = tuple(seat.id for seat in seats_of(chosen.settings))
    turn.say(Created(ref_to(game), chosen.settings, seats, chosen.faults, password))


def _is_taken(turn: Turn, name: str) -> bool:
    """A name is used once; a draft may be written again by its own master."""
    game = turn.session.game(name)
    if game is None:
        return False
    is_own = turn.player is not None and game.master == turn.player.id
    return not (game.status is Status.DRAFT and is_own)


def _ask_confirmation(turn: Turn, name: str, chosen: ChosenSettings, line: CommandLine) -> None:
    variant = chosen.settings.variant
    turn.say(ConfirmAsked(GameRef(name, GAME, variant), "create"))
    fields = "\n".join(f"{key}: {value}" for key, value in line.fields.items())
    payload = {**guess_player(turn), "then": f"CREATE {name}\n{fields}"}
    say_asked(turn, payload)
    turn.ask(Purpose.REGISTER, payload)


def _active_game(turn: Turn) -> GameRecord | None:
    take_lines(turn)
    game = turn.game()
    assert game is not None
    if game.status is Status.ACTIVE:
        return game
    turn.refuse(RefusalKind.NOT_RUNNING, game, status=game.status)
    return None


def process(turn: Turn, line: CommandLine) -> None:
    """`PROCESS S1901M`: the phase is named, so that a late letter cannot run the next one."""
    game = _active_game(turn)
    if game is None:
        return
    label = line.arguments["phase"]
    if not is_processable(turn, game, label):
        return
    owing = tuple(seat.id for seat in owing_seats(game))
    if owing:
        turn.say(ConfirmAsked(turn.ref(game), "process", owing))
        turn.ask(Purpose.PROCESS, {"label": label.upper()})
    else:
        process_now(turn, label)


def set_deadline(turn: Turn, line: CommandLine) -> None:
    """`SET DEADLINE Sat 5 Dec 20:00`, in the master's zone, or `SET DEADLINE +1d` from now."""
    game = _active_game(turn)
    if game is None:
        return
    written = line.arguments["time"]
    try:
        deadline = parse_time(written, turn.session.now, turn.zone)
    except ValueError:
        turn.refuse(RefusalKind.BAD_TIME, game, written=written)
        return
    if deadline <= turn.session.now:
        turn.refuse(RefusalKind.PAST_TIME, game, written=written)
        return
    game = move_deadline(turn.session, game, deadline, MoveReason.MASTER)
    turn.say(Done(turn.ref(game), Deed.DEADLINE_SET, due_of(game, None, turn.session.now)))


COMMANDS = (
    Command(
        "create",
        ("CREATE",),
        "game",
        Needs.ANYBODY,
        "CREATE balkan",
        N_("a new game with you as its master; lines as movement: 3d may follow"),
        create,
        fields=(
            *("variant", "board", "map", "rules", "press", "players", "victory", "draws"),
            *("movement", "deadline", "retreat", "adjustment", "grace", "reminder", "delay"),
        ),
    ),
    Command(
        "process",
        ("PROCESS",),
        "phase",
        Needs.MASTER,
        "PROCESS S1901M",
        N_("run the named phase now; for the game's master"),
        process,
    ),
    Command(
        "set_deadline",
        ("SET DEADLINE", "DEADLINE"),
        "time",
        Needs.MASTER,
        "SET DEADLINE Sat 5 Dec 20:00",
        N_("another deadline for this phase; for the game's master"),
        set_deadline,
    ),
)
