"""SIGNON and YES: who is speaking, and what he agrees to."""

from collections.abc import Sequence
from dataclasses import replace

from judge.host.access import Chair, Visitor, find_seat
from judge.host.blocks import RefusalKind
from judge.host.commands.command import N_, Command, CommandLine, Needs
from judge.host.commands.local import said
from judge.host.commands.players import join_old_style
from judge.host.games import seats_of
from judge.host.joining import seat_player
from judge.host.orders import take_lines
from judge.host.processing import process_now
from judge.host.registering import register_from
from judge.host.resigning import resign
from judge.host.tokens import is_password
from judge.host.turn import Turn
from judge.rulebook import JsonObject, SeatId
from judge.store import GameRecord, Purpose, Status

YES_WORDS = ("YES", "OK")
NO_WORDS = ("no", "cancel", "stop", "아니요", "不", "いいえ")


def sign_on(turn: Turn, line: CommandLine) -> None:
    """`SIGNON Fbalkan secret`, `SIGNON FRANCE@balkan secret`, `SIGNON Mbalkan secret`;
    `SIGNON ?balkan secret` joins, as on the old judges.
    """
    take_lines(turn)
    turn.sit(None)
    written, password = line.arguments["chair"], line.arguments["password"]
    if written.startswith("?"):
        join_old_style(turn, written[1:], password)
        return
    found = find_chair(turn, written)
    if found is None:
        names = [game.name for game in turn.session.desk.games(Status.ACTIVE)]
        turn.refuse(RefusalKind.NO_GAME, written=written, nearest=names[:3])
        return
    game, seat_id = found
    stored = game.seat(seat_id).password_hash if seat_id else game.master_hash
    if not is_password(password, stored):
        turn.refuse(RefusalKind.WRONG_PASSWORD, game, written=written)
        return
    _sit_down(turn, game, seat_id)


def _sit_down(turn: Turn, game: GameRecord, seat_id: SeatId | None) -> None:
    if seat_id is None:
        player = turn.session.player(game.master)
    else:
        seat = game.seat(seat_id)
        holder = seat.player or seat.former
        assert holder is not None
        player = turn.session.player(holder)
    turn.visitor = Visitor(player, True, turn.visitor.sent)
    turn.sit(Chair(game.name, seat_id))


def find_chair(turn: Turn, written: str) -> tuple[GameRecord, SeatId | None] | None:
    """The game and seat of `Fbalkan`, `FRANCE@balkan` or `Mbalkan`; seat None for the master."""
    power, at, name = written.partition("@")
    if not at:
        power, name = written[:1], written[1:]
    game = turn.session.game(name)
    if game is None or game.status in (Status.DRAFT, Status.FORMING):
        return None
    if power.upper() in ("M", "MASTER"):
        return game, None
    seat = find_seat(seats_of(game.settings), power)
    return (game, seat.id) if seat else None


def is_yes(body: str) -> bool:
    """Whether a reply's first word agrees."""
    words = body.split()
    return bool(words) and words[0].strip(".,!。！").upper() in (*YES_WORDS, *said("yes"))


def say_yes(turn: Turn, _line: CommandLine) -> None:
    """YES agrees to what the letter that it answers has asked."""
    sent = turn.visitor.sent
    if sent is None or not turn.visitor.proven:
        turn.refuse(RefusalKind.NOTHING_PROPOSED)
        return
    match sent.purpose:
        case Purpose.PROPOSALS:
            turn.lines += _texts(sent.payload, "lines")
            _take_proposals_ahead(turn, _texts(sent.payload, "ahead"))
        case Purpose.RESIGN:
            resign(turn)
        case Purpose.PROCESS:
            process_now(turn, str(sent.payload["label"]))
        case _:
            turn.refuse(RefusalKind.NOTHING_PROPOSED)


def _take_proposals_ahead(turn: Turn, lines: Sequence[str]) -> None:
    """Lines for later phases, each below the label of its phase; what the letter itself says stays
    with the phase that it was for."""
    if not lines:
        return
    take_lines(turn)
    aim, is_aimless = turn.aim, turn.is_aimless
    turn.lines += lines
    take_lines(turn)
    turn.aim, turn.is_aimless = aim, is_aimless


def _texts(payload: JsonObject, key: str) -> list[str]:
    values = payload.get(key, [])
    assert isinstance(values, list)
    return [str(value) for value in values]


def confirm(turn: Turn) -> str:
    """Any reply to a question about joining or registering is a yes, unless it begins with no.

    Returns the body of the letter that waits for this confirmation, to be carried out now.
    """
    sent = turn.visitor.sent
    assert sent is not None
    words = turn.letter.body.split()
    if words and words[0].strip(".,!").lower() in NO_WORDS:
        turn.refuse(RefusalKind.EXPIRED)
        return ""
    if sent.created_at + turn.session.house.confirm_for < turn.session.now:
        turn.refuse(RefusalKind.EXPIRED)
        return ""
    player = register_from(turn, sent.payload)
    turn.visitor = replace(turn.visitor, player=player, proven=True)
    if sent.purpose is Purpose.JOIN:
        seat_player(turn, sent.payload)
    return str(sent.payload.get("then", ""))


COMMANDS = (
    Command(
        "sign_on",
        ("SIGNON", "SIGN ON"),
        "chair password",
        Needs.ANYBODY,
        "SIGNON Fbalkan password",
        N_("speak for a power, from any address, with its password"),
        sign_on,
    ),
    Command(
        "yes",
        YES_WORDS,
        "",
        Needs.ANYBODY,
        "YES",
        N_("agree to what the judge's letter asked"),
        say_yes,
    ),
)
