"""The master's word on who joins: INVITE, ALLOW and DENY."""

from datetime import timedelta
from functools import partial

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.games.forming import seats_of
from judge.host.games.joining import settle_applicant
from judge.host.games.seat_names import find_seat
from judge.host.games.setting_values import ENTRY_OF_LIST
from judge.host.games.tenures import are_apart, has_part
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import Deed, Done, EntryLists, Invited, InvitedRow
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import UnitOfWork, ref_to
from judge.store import GameRecord, Invitation, Player, PlayerId, Purpose, Status

INVITATIONS_A_DAY = 20  # of one master, in all games
INVITATIONS_A_WEEK = 3  # to one player, from whomever
DAY, WEEK = timedelta(days=1), timedelta(days=7)
MOST_LISTED = 200  # entries of a list
TO = ("to", "as", "for")


def invite(context: LetterContext, line: CommandLine) -> None:
    """`INVITE ann@example.org`, `INVITE Ann Lee to FRANCE`; alone: who is invited. A stranger's
    address gets one in its life; a player one for a game, and a few a week."""
    game, work, written = context.role_game, context.work, line.arguments.get("names", "")
    if not written:
        context.say(admission_lists(work, game))
        return
    # `Ann Lee to FRANCE`
    *words, last = written.split()
    seat = find_seat(seats_of(game), last) if words else None
    if seat is not None and len(words) > 1 and words[-1].lower() in TO:
        words.pop()
    who = " ".join(words).strip(" <>,") if seat else written.strip(" <>.")

    to = _person(context, who)
    if game.status is Status.DRAFT:
        raise context.refused(RefusalKind.NOT_OPEN, game)
    person = work.player_by_address(to) if isinstance(to, str) else to
    address, stranger = (to, to) if isinstance(to, str) else (to.address, "")
    by, known = context.writer, {one.player for one in game.invited if one.player}
    mastered = (one for one in work.games_of(by.id) if one.is_master(by.id))
    today = [one for each in mastered for one in each.invited if one.at > work.now - DAY]
    before = work.repository.outbox.invitation_times(address)
    recent = [at for at in before if at > work.now - WEEK]
    is_left_alone = bool(before) if person is None else len(recent) >= INVITATIONS_A_WEEK
    masters = (work.player(one) for one in game.master_ids)
    is_apart = person is not None and (
        person.id in game.ejected or any(are_apart(one, person) for one in masters)
    )
    was_invited = person is not None and (has_part(game, person.id) or person.id in known)
    if was_invited or (stranger and stranger in (one.who for one in game.invited)):
        raise context.refused(RefusalKind.INVITED_BEFORE, game, written=who)
    if len(today) >= INVITATIONS_A_DAY:
        raise context.refused(RefusalKind.INVITE_LIMIT, game, limit=INVITATIONS_A_DAY)
    if is_left_alone or is_apart or address == work.config.address:
        raise context.refused(RefusalKind.NO_INVITATION, game, written=who)

    word = work.tokens.password("invite", game.name, address)
    seat_id = seat.id if seat else None
    made = Invitation(stranger, word, work.now, seat_id, person.id if person else None)
    game = work.put_game(replace(game, invited=(*game.invited, made)))
    settings = replace(game.settings, comment="", house_rules="", join_word="", allow=(), deny=())
    judge, is_new = work.config.address, person is None
    told = Invited(ref_to(game), settings, by.name, word, judge, seat_id, is_new)
    work.write_stranger(
        address,
        "invitation",
        [told],
        language=person.language if person else by.language,
        zone=person.zone if person else work.config.zone,
        purpose=Purpose.INVITED,
        payload={"game": game.name, "word": word},
    )
    context.say(Done(ref_to(game), Deed.INVITED))


def _person(context: LetterContext, written: str) -> Player | str:
    """An address in lower case, or the one player of a name; refuses if it is neither."""
    word = written.strip(" <>.").lower()
    if "@" in word and ENTRY_OF_LIST.fullmatch(word) and not word.startswith("@"):
        return word
    players = context.work.repository.players
    named = [one for one in players.named(written) if one.address] if "@" not in word else []
    if len(named) == 1:
        return named[0]
    kind = RefusalKind.WHICH_PERSON if named else RefusalKind.NO_PERSON
    raise context.refused(kind, written=written)


def admission_lists(work: UnitOfWork, game: GameRecord) -> EntryLists:
    """Who is invited to a game, who alone may join it and who may not, for its master."""

    def shown(entries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(one if "@" in one else work.player(PlayerId(one)).name for one in entries)

    rows = []
    for one in game.invited:
        is_in = one.player is not None and has_part(game, one.player)
        answer = "joined" if is_in else "declined" if one.is_declined else "waits"
        who = one.who or (work.player(one.player).name if one.player else "")
        rows.append(InvitedRow(who, answer, one.seat))
    return EntryLists(
        ref_to(game), tuple(rows), shown(game.settings.allow), shown(game.settings.deny)
    )


def allow_or_deny(context: LetterContext, line: CommandLine, *, own: str, other: str) -> None:
    """`ALLOW Ann Lee`: who has asked to join does, with DENY they do not; `ALLOW @example.org`,
    `ALLOW -ann@example.org`: on the list of those who alone may, or off it; alone: the lists."""
    game, work, written = context.role_game, context.work, line.arguments.get("names", "")
    is_off, written = written.startswith("-"), written.lstrip("- ")
    word = written.strip(" <>.").casefold()
    people = [work.player(one.player) for one in game.asking]
    found = [
        one.id for one in people if word in (one.name.strip(" <>.").casefold(), *one.addresses)
    ]
    if len(found) == 1 and not is_off:
        settle_applicant(context, game, found[0], is_granted=own == "allow")
        return
    if written:
        is_entry = "@" in word and ENTRY_OF_LIST.fullmatch(word)
        named = [one for one in work.repository.players.named(written) if one.address]
        if not is_entry and len(named) != 1:
            known = [one.name for one in people]
            raise context.refused(RefusalKind.NO_ONE_THERE, game, written=written, known=known)
        entry = word if is_entry else named[0].id
        lists = {name: getattr(game.settings, name) for name in (own, other)}
        kept = {name: tuple(one for one in lists[name] if one != entry) for name in lists}
        kept[own] = kept[own] if is_off else (*kept[own], entry)[-MOST_LISTED:]
        game = work.put_game(replace(game, settings=replace(game.settings, **kept)))
    context.say(admission_lists(work, game))


HANDLERS: Handlers = {
    "invite": invite,
    "allow": partial(allow_or_deny, own="allow", other="deny"),
    "deny": partial(allow_or_deny, own="deny", other="allow"),
}
