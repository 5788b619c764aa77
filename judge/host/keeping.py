"""The keeper's hand on games, from the shell: the same decisions that letters lead to."""

from collections.abc import Mapping

from judge.host.blocks import Block, Created, GameList, Refusal, RefusalKind
from judge.host.choosing import choose_settings
from judge.host.commands.lists import game_row, game_status
from judge.host.games import create_game, is_game_name, seats_of
from judge.host.phases import run_phase
from judge.host.session import Session, ref_to
from judge.store import GameRecord, Player, Status


def keeper_games(session: Session) -> Block:
    """Every game of the judge, drafts and finished ones too."""
    return GameList(tuple(game_row(game) for game in session.desk.games()), session.now)


def keeper_show(session: Session, name: str) -> Block:
    """One game, as its master sees it."""
    game = session.game(name)
    return game_status(session, game, None) if game else _no_game(session, name)


def keeper_process(session: Session, name: str, label: str | None) -> tuple[Block, ...]:
    """Run the phase that is due now; with `label` only if it is that one."""
    game = session.game(name)
    if game is None:
        return (_no_game(session, name),)
    if game.status is not Status.ACTIVE or game.phase is None:
        return (Refusal(RefusalKind.NOT_RUNNING, {"status": game.status}, ref_to(game)),)
    if label and label.upper() != game.phase.label:
        values = {"written": label, "label": game.phase.label}
        return (Refusal(RefusalKind.WRONG_PHASE, values, ref_to(game)),)
    game = run_phase(session, game, missing=frozenset())
    return (game_status(session, game, None),)


def keeper_create(
    session: Session, name: str, master: str, fields: Mapping[str, str]
) -> tuple[Block, ...]:
    """A new game whose master is the player of that address, who is made one if need be."""
    name = name.lower()
    if not is_game_name(name):
        return (Refusal(RefusalKind.BAD_NAME, {"written": name}),)
    if session.game(name) is not None:
        return (Refusal(RefusalKind.NAME_TAKEN, {"written": name}),)
    player = session.player_by_address(master.lower()) or _new_player(session, master.lower())
    chosen = choose_settings(session.house.defaults, fields)
    password = session.tokens.password("master", name)
    hashed = session.tokens.hash_password(password, name)
    game: GameRecord = create_game(session, name, player.id, chosen, hashed)
    seats = tuple(seat.id for seat in seats_of(chosen.settings))
    created = Created(ref_to(game), chosen.settings, seats, chosen.faults, password)
    session.write(player, "answer", [created], ref_to(game))
    return (created,)


def _new_player(session: Session, address: str) -> Player:
    player = Player(
        id=session.tokens.player_id(address),
        name=address.partition("@")[0],
        language=session.house.languages[0],
        zone=session.house.zone,
        addresses=(address,),
        registered_at=session.now,
    )
    session.put_player(player)
    return player


def _no_game(session: Session, name: str) -> Refusal:
    names = [game.name for game in session.desk.games()]
    return Refusal(RefusalKind.NO_GAME, {"written": name, "nearest": names[:3]})
