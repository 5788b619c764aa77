"""JOIN: a place in a game that forms, a vacant seat of one that runs, or one on a waiting list.

Also what players of a game that has not begun may still change: their wishes, and that they play;
and what a master answers about somebody who wants to join a game with `approval: yes`.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from judge.host.command import CommandLine
from judge.host.games.absences import fill_seat, joined_message, vacate
from judge.host.games.filling import filling, remove_applicant, settle_places
from judge.host.games.forming import (
    PRACTICE_NAME,
    free_wishes,
    missing_players,
    named_seat,
    seats_of,
)
from judge.host.games.invitations import accepted, ask_master, is_allowed_by_lists
from judge.host.games.orders_due import coming_move_deadlines
from judge.host.games.ratings import is_reliable_enough, recent_conduct, reliability_percent
from judge.host.games.seat_names import find_seat
from judge.host.games.tenures import are_apart
from judge.host.letters.letter_context import LetterContext, Role, Sender, role_in, seat_of
from judge.host.letters.registering import registration_payload, show_proposed_registration
from judge.host.messages.command_answers import (
    ApprovalAnswer,
    ConfirmAsked,
    Deed,
    Done,
    JoinAsked,
    Joined,
    Preferences,
)
from judge.host.messages.game_events import FillingEvent
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import UnitOfWork, game_ref_for_master, ref_to
from judge.rulebook import Seat, SeatId, Value, Values
from judge.store import (
    Applicant,
    Dealing,
    GameRecord,
    Invitation,
    Level,
    Player,
    PlayerId,
    Purpose,
    SentLetter,
    Status,
)

MOST_NAMED = 60  # other games that an answer names
EVERY_OTHER = ("*", "ANY", "any")


def change_wish(context: LetterContext, game: GameRecord, wish: SeatId | None) -> None:
    """Another wish of a player who waits for the start."""
    player = context.writer
    applicants = tuple(
        replace(one, wish=wish, preferences=()) if one.player == player.id else one
        for one in game.applicants
    )
    game = context.work.put_game(replace(game, applicants=applicants))
    context.say(Done(ref_to(game, wish), Deed.WISHED))


def prefer(context: LetterContext, line: CommandLine) -> None:
    """`PREFER FRANCE, ENGLAND=GERMANY, *`, until the game begins: the seats in the order of a
    player's wishes, alike ones joined by `=`, `*` for all others; also `F[EG]*`, as on the old
    judges."""
    game, player, written = context.role_game, context.writer, line.arguments["names"]
    seats = seats_of(game)
    if game.settings.powers is Dealing.RANDOM:
        raise context.refused(RefusalKind.DEALT_BY_LOT, game, written=written)
    ties, named = list[tuple[SeatId, ...]](), set[SeatId]()
    for words in _parse_wishes(seats, written):
        tie = list[SeatId]()
        for word in words:
            meant = seats if word in EVERY_OTHER else (named_seat(context, game, word),)
            tie += [one.id for one in meant]
        ties.append(tuple(one for one in dict.fromkeys(tie) if one not in named))
        named |= {*tie}
    ties = [tie for tie in ties if tie]

    def changed(one: Applicant) -> Applicant:
        own = one.player == player.id
        return replace(one, wish=None, preferences=tuple(ties)) if own else one

    applicants, waiting = (tuple(map(changed, all_)) for all_ in (game.applicants, game.waiting))
    game = context.work.put_game(replace(game, applicants=applicants, waiting=waiting))
    context.say(Preferences(ref_to(game), tuple(ties)))


def _parse_wishes(seats: Sequence[Seat], written: str) -> list[list[str]]:
    """The words of each wish, in their order."""
    text = re.sub(r"\s*[=＝]\s*", "=", written)
    parts = re.split(r"[,;>、，]", text)
    letters = {one.letter.upper() for one in seats}
    found = []
    for part in parts if len(parts) > 1 else re.split(r"\s+(?![^\[]*\])", text):
        plain = part.strip().upper()
        is_old = find_seat(tuple(seats), plain) is None and {*plain} <= letters | {*"[]()* "}
        if is_old:  # letters, those in brackets alike
            old = re.findall(r"[\[(][^\])]*[\])]|\S", plain)
            found += [[*re.sub(r"[^\w*]", "", one)] for one in old]
        elif plain:
            found.append([one.strip() for one in part.split("=") if one.strip()])
    return found


def leave(context: LetterContext, game: GameRecord, deed: Deed = Deed.LEFT) -> None:
    """A player who waits for the start, or for the master's leave, goes; a place is open again."""
    game = remove_applicant(context.work, game, context.writer.id)
    context.sit(None)
    context.say(Done(ref_to(game), deed))


def join(
    context: LetterContext,
    game: GameRecord,
    wish: str,
    password: str,
    invitation: Invitation | None = None,
) -> None:
    """Seat a proven player at once; ask anybody else to confirm by a reply."""
    if invitation is not None and not wish and invitation.seat in _open_seats(game):
        wish = invitation.seat or ""
    player = context.player
    own = next((one for one in game.applicants if player and one.player == player.id), None)
    if wish and game.status is Status.FORMING and game.settings.powers is Dealing.RANDOM:
        context.refuse(RefusalKind.DEALT_BY_LOT, game, written=wish)
        wish = ""
    seat: SeatId | None = None
    if wish and _has_room(game):
        seat, free = named_seat(context, game, wish).id, _open_seats(game)
        if seat not in free and (own is None or own.wish != seat):
            raise context.refused(RefusalKind.SEAT_TAKEN, game, written=seat, free=list(free))
    if own is not None and seat is not None:
        change_wish(context, game, seat)
        return
    if not _may_still_join(context, game):
        return
    named = find_seat(seats_of(game), password) if seat and password else None
    if named is not None and named.id == seat:
        password = ""  # `JOIN balkan AUSTRIA FRANCE`: the other power of the same seat
    if player is None:
        password = ""  # chosen by whoever forged the letter, if it is forged
    payload: dict[str, Value] = {**registration_payload(context), "game": game.name}
    payload |= {"wish": seat or "", "password": password}
    payload |= {"approved": invitation.word} if invitation else {}
    if player is not None and not game.settings.house_rules:
        carry_out_join(context, payload)
        return
    context.say(
        JoinAsked(
            game=ref_to(game),
            settings=game.settings,
            name=str(payload["name"]),
            address=str(payload["address"]),
            language=str(payload["language"]),
            zone=str(payload["zone"]),
            wish=seat,
            free=_open_seats(game),
            missing_players=missing_players(game),
            vacant=game.status is Status.ACTIVE,
            coming=coming_move_deadlines(game, context.work.now),
        )
    )
    context.ask(Purpose.JOIN, payload)


def _open_seats(game: GameRecord) -> tuple[SeatId, ...]:
    if game.status is Status.FORMING:
        return free_wishes(game)
    seats = sorted(game.seats, key=lambda seat: not seat.is_vacant)
    return tuple(seat.id for seat in seats if seat.is_open)


def _may_still_join(context: LetterContext, game: GameRecord) -> bool:
    """Whether somebody may still join; refuses, with other games that are open, if not."""
    if context.player is not None and _is_in(context.player, game):
        context.refuse(RefusalKind.ALREADY_IN, game)
        return False
    if _has_room(game):
        return True
    others = context.work.repository.games.names(Status.FORMING, limit=MOST_NAMED)
    context.refuse(RefusalKind.GAME_FULL, game, open=list(others))
    if game.status is Status.FORMING:  # a YES goes on its waiting list
        payload = {**registration_payload(context), "game": game.name, "wish": "", "password": ""}
        context.say(ConfirmAsked(ref_to(game), "waits"))
        if context.player is None:
            show_proposed_registration(context, payload, is_beside=True)
        context.ask(Purpose.JOIN, {**payload, "waits": 1})
    return False


def _has_room(game: GameRecord) -> bool:
    if game.status is Status.FORMING:
        return missing_players(game) > 0
    return game.status is Status.ACTIVE and bool(_open_seats(game))


def _is_in(player: Player, game: GameRecord) -> bool:
    before = (one.player for one in (*game.applicants, *game.waiting))
    return player.id in (*before, *(seat.player for seat in game.seats))


def carry_out_join(context: LetterContext, payload: Values) -> None:
    """Carry out a JOIN whose writer is proven; the game may have changed since he asked."""
    work, player = context.work, context.writer
    game = work.game(str(payload["game"]))
    if game is None:
        raise context.refused(RefusalKind.NO_GAME, written=str(payload["game"]), nearest=[])
    wish = SeatId(str(payload["wish"])) if payload["wish"] else None
    is_applicant = any(one.player == player.id for one in game.applicants)
    if wish in free_wishes(game) and is_applicant:
        change_wish(context, game, wish)
        return
    waits = "waits" in payload and game.status is Status.FORMING and not _has_room(game)
    if (_is_in(player, game) or not waits) and not _may_still_join(context, game):
        return
    leave = str(payload.get("approved", ""))  # of the master's, or the word of an invitation
    _check_admitted(context, game, has_leave=bool(leave))
    if leave:
        game = work.put_game(accepted(game, leave, player.id))
    is_back = seat_of(game, player) is not None or game.is_master(player.id)
    if game.settings.approval and "approved" not in payload and not is_back:
        ask_master(context, game, wish)
        return
    free = _open_seats(game)
    if "approved" in payload and wish not in free:
        wish = None  # taken while the master thought about it
    if wish is not None and wish not in free:
        raise context.refused(RefusalKind.SEAT_TAKEN, game, written=wish, free=list(free))
    password = str(payload["password"]) or work.tokens.password(game.name, player.id)
    hashed = work.tokens.hash_password(password, game.name)
    if game.status is Status.ACTIVE:
        # Their own old seat first, then the one they wished for, then the first that is vacant.
        vacant = game.seat(seat_of(game, player) or wish or free[0])
        if vacant.player is not None:  # who has played on until now
            vacant = vacate(vacant, resigned=True)
        game = fill_seat(work, game, vacant, player.id, hashed)
        context.say(joined_message(work, game, vacant.id, password))
        context.sit(Role(game.name, vacant.id))
        return
    applicant = Applicant(player.id, wish, hashed, yes_at=work.now)
    if waits:
        game = work.put_game(replace(game, waiting=(*game.waiting, applicant)))
        context.say(filling(work, game, FillingEvent.QUEUED, reader=player))
        context.sit(role_in(game, player))
        return
    game = settle_places(work, replace(game, applicants=(*game.applicants, applicant)))
    seat = seat_of(game, player)
    told = Joined(ref_to(game, seat), seat or wish, password, missing_players(game))
    may_choose = game.settings.powers is not Dealing.RANDOM
    context.say(replace(told, not_before=game.settings.not_before, may_choose=may_choose))
    context.sit(role_in(game, player))


def _check_admitted(context: LetterContext, game: GameRecord, *, has_leave: bool) -> None:
    """Refuses a player who plays enough already, or whom a game does not let in; not one who comes
    back to their seat. Who blocks whom is told to nobody."""
    work, player = context.work, context.writer
    roles = [role_in(one, player) for one in work.games_of(player.id)]
    most = work.config.games_a_player
    if sum(role is not None and not role.game.startswith(PRACTICE_NAME) for role in roles) >= most:
        raise context.refused(RefusalKind.TOO_MANY_GAMES, limit=most)
    if seat_of(game, player) is not None:
        return
    if not (has_leave or is_allowed_by_lists(game.settings, player)):
        raise context.refused(RefusalKind.NOT_LISTED, game)
    if (why := bars(work, game, player)) is None:
        return
    values: dict[str, Value] = {}
    if why is RefusalKind.OTHER_LEVEL:
        values["known"] = [game.settings.level]
    elif why not in (RefusalKind.APART, RefusalKind.EJECTED, RefusalKind.KNOWS_ALL):
        values["limit"] = game.settings.reliability
    if why is RefusalKind.TOO_UNRELIABLE:
        values["written"] = str(reliability_percent(recent_conduct(work, player.id)))
    raise context.refused(why, game, **values)


def bars(work: UnitOfWork, game: GameRecord, player: Player) -> RefusalKind | None:
    """Why a player may not join a game that has room, if so."""
    if player.id in game.ejected and not game.settings.approval:
        return RefusalKind.EJECTED
    if game.status is Status.ACTIVE and game_ref_for_master(game, player.id).sees_all:
        return RefusalKind.KNOWS_ALL
    seated = {seat.player for seat in game.seats if seat.player is not None}
    before = (one.player for one in (*game.applicants, *game.waiting))
    others = {*game.master_ids, *before, *seated} - {player.id}
    if any(are_apart(player, work.player(one)) for one in others):
        return RefusalKind.APART
    if game.settings.level not in (Level.ANY, player.level) and player.level is not Level.ANY:
        return RefusalKind.OTHER_LEVEL
    counts = recent_conduct(work, player.id)
    if is_reliable_enough(game.settings, counts):
        return None
    return (
        RefusalKind.TOO_NEW if reliability_percent(counts) is None else RefusalKind.TOO_UNRELIABLE
    )


def answer_applicant(context: LetterContext, sent: SentLetter, *, is_granted: bool) -> None:
    """YES or NO to the letter that asked about a player, from who is a master of the game still."""
    game, player = context.work.game(str(sent.payload["game"])), context.player
    if game is None or player is None or not game.is_master(player.id):
        raise context.refused(RefusalKind.EXPIRED)
    settle_applicant(context, game, PlayerId(str(sent.payload["player"])), is_granted=is_granted)


def settle_applicant(
    context: LetterContext, game: GameRecord, who: PlayerId, *, is_granted: bool
) -> None:
    """A player who waits for it joins as if the game asked nobody, or does not; what they are told
    of it goes to them. Other masters are told as if it had been written as a command."""
    work, own = context.work, next((one for one in game.asking if one.player == who), None)
    if own is None:
        raise context.refused(RefusalKind.EXPIRED)
    rest = tuple(one for one in game.asking if one != own)
    game, player = work.put_game(replace(game, asking=rest)), work.player(who)
    ref, joining = ref_to(game), LetterContext(work, context.letter, Sender(player, True, None))
    if is_granted:
        payload = {"game": game.name, "wish": own.wish or "", "password": "", "waits": 1}
        with joining.saying_refusals():
            carry_out_join(joining, {**payload, "approved": 1})
    told = [ApprovalAnswer(ref, is_granted), *joining.messages]
    purpose, asked = joining.purpose, joining.payload
    work.write(player, "approval", told, ref, purpose=purpose, payload=asked)
    context.say(Done(ref, Deed.APPROVED if is_granted else Deed.NOT_APPROVED))
    if len(game.masters) > 1 and context.sender.sent is not None:
        context.note_for_other_masters(game, f"{'ALLOW' if is_granted else 'DENY'} {player.name}")
