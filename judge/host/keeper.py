"""The keeper's hand on games, from the shell: the same decisions that letters lead to."""

from collections.abc import Mapping

from msgspec.structs import replace

from judge.host.command import Stage
from judge.host.commands.lists import game_row, game_status
from judge.host.games.choosing import choose_settings, masters_named
from judge.host.games.digests import arm_digest
from judge.host.games.forming import created, is_game_name, make_game
from judge.host.games.masters import ask_person, masters_to_ask, new_master, notify_master_changed
from judge.host.games.phases import run_phase
from judge.host.letters.letter_context import role_in
from judge.host.letters.registering import name_of_address
from judge.host.messages import Message
from judge.host.messages.command_answers import Mastered, SettingFault
from judge.host.messages.games import GameList, GameRow
from judge.host.messages.master_acts import MasterActed
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.host.permissions import wrong_state
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.mail import canonical_address, is_address
from judge.store import Act, Player

GAMES_AT_ONCE = 200


def keeper_games(work: UnitOfWork) -> Message:
    """Every game of the judge, drafts and finished ones too."""
    rows: list[GameRow] = []
    after = ""
    while page := work.repository.games.page(limit=GAMES_AT_ONCE, after=after):
        rows += [game_row(game) for game in page]
        after = page[-1].name
    return GameList(tuple(rows), work.now, is_for_keeper=True)


def keeper_show(work: UnitOfWork, name: str) -> Message:
    """One game, as its master sees it."""
    game = work.game(name)
    return game_status(work, game, None) if game else _no_game(work, name)


def keeper_process(work: UnitOfWork, name: str, label: str | None) -> tuple[Message, ...]:
    """Run the phase that is due now; with `label` only if it is that one."""
    game = work.game(name)
    if game is None:
        return (_no_game(work, name),)
    if (refused := wrong_state(game, Stage.RUNNING)) is not None:
        return (Refusal(refused, {}, ref_to(game)),)
    if label and label.upper() != game.running_phase.label:
        values = {"written": label, "label": game.running_phase.label}
        return (Refusal(RefusalKind.WRONG_PHASE, values, ref_to(game)),)
    game = run_phase(work, game, missing=frozenset())
    return (game_status(work, game, None),)


def keeper_create(
    work: UnitOfWork, name: str, master: str, fields: Mapping[str, str]
) -> tuple[Message, ...]:
    """A new game whose master is the player of that address, who is made one if need be."""
    name, master = name.lower(), canonical_address(master)
    if not is_game_name(name):
        return (Refusal(RefusalKind.BAD_NAME, {"written": name}),)
    if work.game(name) is not None:
        return (Refusal(RefusalKind.NAME_TAKEN, {"written": name}),)
    wanted, named = masters_named(fields)
    chosen = choose_settings(work.config.defaults, wanted, zone=work.config.zone, now=work.now)
    player = work.player_by_address(master) or _new_player(work, master)
    chair, password = new_master(work, name, player.id)
    game = work.put_game(make_game(work, name, (chair,), chosen, is_open=True))
    arm_digest(work, player.id)
    told = created(work, game, chosen.faults, password)
    work.write(player, "answer", [told], ref_to(game))
    for person in masters_to_ask(work, game, player, named)[0]:
        game = ask_person(work, game, person, player)
    return (told,)


def setting_faults(work: UnitOfWork, fields: Mapping[str, str]) -> tuple[SettingFault, ...]:
    """What `keeper_create` could not take of these settings."""
    wanted, named = masters_named(fields)
    found = masters_to_ask(work, None, None, named)[1] if named else ()
    return (*choose_settings(work.config.defaults, wanted, now=work.now).faults, *found)


def keeper_master(work: UnitOfWork, name: str, address: str) -> tuple[Message, ...]:
    """Another master of a game, as where its own has left: the player of that address, who is made
    one if need be. They get a letter with a password of their own."""
    game, address = work.game(name), canonical_address(address)
    if game is None:
        return (_no_game(work, name),)
    if not is_address(address):
        return (Refusal(RefusalKind.BAD_ADDRESS, {"written": address}),)
    player = work.player_by_address(address) or _new_player(work, address)
    if role_in(game, player) is not None:
        return (Refusal(RefusalKind.ALREADY_IN, {"written": address}, ref_to(game)),)
    chair, password = new_master(work, game.name, player.id)
    before = game.master_ids
    game = work.put_game(replace(game, masters=(chair,), asked_masters=()))
    arm_digest(work, player.id)
    ref = ref_to(game)
    told, act = Mastered(ref, password), MasterActed(ref, Act.APPOINTED, who=player.name)
    work.write(player, "answer", [told], ref)
    notify_master_changed(work, game, act, None, player.id)
    for one in before:
        if one != player.id:
            work.write(work.player(one), "act", [act], ref)
    return (told,)


def _new_player(work: UnitOfWork, address: str) -> Player:
    player = Player(
        id=work.tokens.player_id(address),
        name=name_of_address(address),
        language=work.config.languages[0],
        zone=work.config.zone,
        addresses=(address,),
        registered_at=work.now,
    )
    work.put_player(player)
    return player


def _no_game(work: UnitOfWork, name: str) -> Refusal:
    names = list(work.repository.games.names(limit=3))
    return Refusal(RefusalKind.NO_GAME, {"written": name, "nearest": names})
