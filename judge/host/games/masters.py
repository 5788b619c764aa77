"""Who runs a game: masters who are asked, who come and who go. All have the same rights."""

from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.games.acts import record_act
from judge.host.games.tenures import are_apart
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import clean_name, name_of_address
from judge.host.messages.command_answers import SettingFault
from judge.host.messages.master_acts import MasterActed, Mastership, MastershipEvent, MasterWrote
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.mail import canonical_address, is_address
from judge.rulebook import Values
from judge.store import Act, GameRecord, Master, MasterAsked, Player, PlayerId, Purpose, Status

MOST_MASTERS = 6  # of a game, with those who are asked


def new_master(work: UnitOfWork, game: str, player: PlayerId, *parts: str) -> tuple[Master, str]:
    """A player as a master of a game, with the password for that, which is kept only hashed;
    `parts` tell it apart from others of the same letter."""
    password = work.tokens.password("master", game, *parts)
    return Master(player, work.tokens.hash_password(password, game)), password


def find_person(work: UnitOfWork, game: GameRecord | None, written: str) -> Player | str | None:
    """The person of an address or a name, an address that nobody has, or None for nobody and for
    several. Who observes the game is meant before others of that name."""
    address, name = canonical_address(written.strip("<>,; ")), clean_name(written)
    if is_address(address) and work.game(address.partition("@")[2]) is None:  # FRANCE@balkan
        found = work.player_by_address(address)
        return found or (None if address == work.config.address else address)
    watching = [work.player(one.player) for one in game.observers] if game else []
    named = [one for one in watching if one.name.casefold() == name.casefold()]
    named = named or [one for one in work.repository.players.named(name) if one.addresses]
    return named[0] if len(named) == 1 else None


def masters_to_ask(
    work: UnitOfWork, draft: GameRecord | None, by: Player | None, named: Sequence[str]
) -> tuple[tuple[Player | str, ...], tuple[SettingFault, ...]]:
    """Whom CREATE names and who is to be asked, each once, by whatever name or address; and who
    cannot be. Who was asked for the draft before is not asked again."""
    known = (
        {*draft.master_ids, *(one.who for one in open_mastership_offers(work, draft))}
        if draft
        else {}
    )
    known = {*known, *([by.id] if by else [])}
    people, faults = dict[str, Player | str](), list[SettingFault]()
    for written in named:
        person = find_person(work, None, written)
        is_apart = isinstance(person, Player) and by is not None and are_apart(person, by)
        if person is None or is_apart:
            faults.append(SettingFault("masters", written, "no_person"))
        elif key_of(person) not in known:
            people[key_of(person)] = person
    if len(known) + len(people) > MOST_MASTERS:
        faults.append(SettingFault("masters", named[-1], "many_masters", (str(MOST_MASTERS),)))
    return () if faults else tuple(people.values()), tuple(faults)


def involved_players(game: GameRecord) -> set[PlayerId]:
    """Who plays in a game, stands by for a seat, may retake a lost one, or waits for its start."""
    seated = {one for seat in game.seats for one in (seat.player, seat.standby) if one is not None}
    lost = (seat for seat in game.seats if seat.player is None and not seat.resigned)
    seated |= {seat.former for seat in lost if seat.former is not None}
    return seated | {one.player for one in (*game.applicants, *game.waiting, *game.asking)}


def open_mastership_offers(work: UnitOfWork, game: GameRecord) -> tuple[MasterAsked, ...]:
    """Who was asked to run a game and may still say YES."""
    since = work.now - work.config.confirm_for
    return tuple(one for one in game.asked_masters if one.at > since and game.is_master(one.by))


def notify_other_masters(context: LetterContext) -> None:
    """At a letter's end: what it did as a master, to the other masters who do not know yet."""
    by = context.player
    for name, lines in context.deeds.items():
        game = context.work.game(name)
        if game is not None and by is not None:
            told = MasterWrote(ref_to(game), by.name, lines)
            context.work.notify_masters(game, "act", [told], without=by.id)


def key_of(person: Player | str) -> str:
    """How a game keeps whom it has asked: the id of a player, or the address of a stranger."""
    return person if isinstance(person, str) else person.id


def name_or_address(work: UnitOfWork, key: str) -> str:
    """The name of whom a game has asked, or the address."""
    return key if is_address(key) else work.player(PlayerId(key)).name


def ask_person(
    work: UnitOfWork,
    game: GameRecord,
    person: Player | str,
    by: Player,
    *,
    takes_over: bool = False,
) -> GameRecord:
    """A letter to somebody whose YES makes them a master, with `takes_over` in place of `by`. A
    second question takes the place of the first."""
    who = key_of(person)
    rest = (one for one in open_mastership_offers(work, game) if one.who != who)
    asked = MasterAsked(who, by.id, work.now, takes_over)
    game = work.put_game(replace(game, asked_masters=(*rest, asked)))
    told = Mastership(ref_to(game), MastershipEvent.ASKED, by.name, takes_over)
    payload: Values = {"game": game.name, "who": who}
    if isinstance(person, Player):
        ref = ref_to(game)
        work.write(person, "mastership", [told], ref, purpose=Purpose.MASTERSHIP, payload=payload)
        return game
    stranger: Values = {
        "address": person,
        "name": name_of_address(person),
        "zone": by.zone,
        "language": by.language,
    }
    work.write_stranger(
        person,
        "mastership",
        [told],
        language=by.language,
        zone=by.zone,
        purpose=Purpose.MASTERSHIP,
        payload={**payload, **stranger},
    )
    return game


def remove_master(work: UnitOfWork, game: GameRecord, master: PlayerId, by: PlayerId) -> None:
    """One of several masters runs the game no more; all are told, who left by `by`'s word too."""
    person = work.player(master)
    game = replace(game, masters=tuple(one for one in game.masters if one.player != master))
    game = work.put_game(replace(game, asked_masters=open_mastership_offers(work, game)))
    told = MasterActed(ref_to(game), Act.DEMOTED, who=person.name)
    notify_master_changed(work, game, told, by, by)
    if master != by:
        work.write(person, "act", [replace(told, is_own=True)], told.game)


def notify_master_changed(
    work: UnitOfWork, game: GameRecord, told: MasterActed, by: PlayerId | None, without: PlayerId
) -> None:
    """Keep who runs a game now, and tell everybody in it but `without`, who is answered."""
    record_act(work, game, told, by)
    if game.status is Status.DRAFT:
        work.notify_masters(game, "act", [told], without=without)
        return
    work.notify_players(game, "act", lambda ref, _: [replace(told, game=ref)], without=without)
    others = [one.player for one in (*game.applicants, *game.waiting)]
    if by is not None and by not in (*game.master_ids, without):  # who has given the game away
        others.append(by)
    for one in dict.fromkeys(others):
        work.write(work.player(one), "act", [told], ref_to(game))
    work.notify_observers(game, "act", [told])
