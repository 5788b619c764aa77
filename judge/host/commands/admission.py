"""The master's word on who joins: INVITE, ALLOW and DENY."""

from functools import partial

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.games.forming import seats_of
from judge.host.games.invitations import INVITATIONS_A_DAY, invite
from judge.host.games.joining import settle_applicant
from judge.host.games.setting_values import ENTRY_OF_LIST
from judge.host.letters.access import find_seat
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.command_answers import Deed, Done, EntryLists, InvitedRow
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import UnitOfWork, has_part, ref_to
from judge.rulebook import SeatId
from judge.store import GameRecord, Player, PlayerId, Status

MOST_LISTED = 200  # entries of a list
TO = ("to", "as", "for")


def invite_somebody(context: LetterContext, line: CommandLine) -> None:
    """`INVITE ann@example.org`, `INVITE Ann Lee to FRANCE`; alone: who is invited."""
    game, player, written = context.role_game, context.writer, line.arguments.get("names", "")
    if not written:
        context.say(entry_lists(context.work, game))
        return
    who, seat = _with_seat(game, written)
    to = _person(context, who)
    if game.status is Status.DRAFT:
        raise context.refused(RefusalKind.NOT_OPEN, game)
    if (why := invite(context.work, game, player, to, seat)) is not None:
        raise context.refused(why, game, written=who, limit=INVITATIONS_A_DAY)
    context.say(Done(ref_to(game), Deed.INVITED))


def _with_seat(game: GameRecord, written: str) -> tuple[str, SeatId | None]:
    """`ann@example.org` and FRANCE of `ann@example.org to FRANCE`."""
    *words, last = written.split()
    seat = find_seat(seats_of(game), last) if words else None
    if seat is None:
        return written.strip(" <>."), None
    if len(words) > 1 and words[-1].lower() in TO:
        words.pop()
    return " ".join(words).strip(" <>,"), seat.id


def _person(context: LetterContext, written: str) -> Player | str:
    """An address in lower case, or the one player of a name; refuses if it is neither."""
    word = written.strip(" <>.").lower()
    if "@" in word:
        if ENTRY_OF_LIST.fullmatch(word) and not word.startswith("@"):
            return word
        raise context.refused(RefusalKind.NO_PERSON, written=written)
    named = [one for one in context.work.repository.players.named(written) if one.address]
    if len(named) == 1:
        return named[0]
    kind = RefusalKind.WHICH_PERSON if named else RefusalKind.NO_PERSON
    raise context.refused(kind, written=written)


def entry_lists(work: UnitOfWork, game: GameRecord) -> EntryLists:
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


def settle(context: LetterContext, line: CommandLine, *, own: str, other: str) -> None:
    """`ALLOW Ann Lee`: who has asked to join does; `ALLOW ann@example.org`, `ALLOW @example.org`:
    they alone may, and others on that list; `ALLOW -ann@example.org`: off it; alone: the lists.
    `DENY Ann Lee`: who has asked to join does not; of anybody else: they may not join or ask."""
    game, work, written = context.role_game, context.work, line.arguments.get("names", "")
    is_off, written = written.startswith("-"), written.lstrip("- ")
    word = written.strip(" <>.").casefold()
    people = [work.player(one.player) for one in game.asking]
    found = [one.id for one in people if word in (one.name.casefold(), *one.addresses)]
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
    context.say(entry_lists(work, game))


HANDLERS: Handlers = {
    "invite": invite_somebody,
    "allow": partial(settle, own="allow", other="deny"),
    "deny": partial(settle, own="deny", other="allow"),
}
