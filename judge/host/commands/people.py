"""What a player decides about themselves: addresses, name, password, profile, whom they do not play
with, what is kept about them, and being forgotten; RATINGS: who plays a variant best."""

import re
from datetime import timedelta
from functools import partial
from typing import Any

from msgspec.structs import replace

from judge.host.command import CommandLine, Handlers
from judge.host.commands.lists import find_variant, may_know_of, who
from judge.host.games.absences import notify_seat_changed, vacate, with_standby
from judge.host.games.agreements import settle_votes
from judge.host.games.digests import with_next_digest
from judge.host.games.ends import PRACTICE_ENDING, end_game
from judge.host.games.filling import remove_applicant
from judge.host.games.forming import seats_of
from judge.host.games.masters import remove_master
from judge.host.games.ratings import (
    rating_rows,
    recent_conduct,
    reliability_percent,
    settle_ratings,
    shown_rating,
)
from judge.host.games.seat_names import find_seat
from judge.host.games.tenures import without_observer
from judge.host.letters.command_parser import polite_words_cut
from judge.host.letters.letter_context import LetterContext
from judge.host.letters.registering import clean_name, say_registered
from judge.host.local_words import meanings, words_in_all_languages
from judge.host.messages.game_events import SeatEvent
from judge.host.messages.people import (
    OwnData,
    Personal,
    PersonalKind,
    Profile,
    RatingList,
    RatingRow,
)
from judge.host.messages.refusals import RefusalKind
from judge.mail import canonical_address, is_address
from judge.rulebook import DEFAULT_GAME, Values, load_game
from judge.store import (
    Attachment,
    Conduct,
    Format,
    Level,
    Player,
    PlayerId,
    Purpose,
    SentLetter,
    Status,
)

MOST_ADDRESSES = 5
MOST_RATED = 50  # players in one letter
DAY = timedelta(days=1)
ADDRESS_MARKS = re.compile(r"[\s,;、，<>]+|(?:^|(?<=\s))(?:to|and|&|및|와|과|和|跟|と|へ)(?=\s)")
NAMED_ADDRESS = re.compile(  # `Ann Lee <ann@example.org>`
    r"(?:^|(?<=[,;、，<>]))[^,;、，<>@]*<\s*([^<>\s]+)\s*>"
)
WITHOUT = re.compile(
    "|".join(
        (r"\b(?:no|not|without)\b", *map(re.escape, words_in_all_languages("every", "without")))
    ),
    re.IGNORECASE,
)
LIST_MARKS = re.compile(r"(?:[\s,;+&/·、，・和と]|\band\b|및)+")


def change_writer(context: LetterContext, **changed: Any) -> None:
    """Keep other fields of the sender; what follows is answered to them as they are then."""
    player = replace(context.writer, **changed)
    if "zone" in changed and player.digest_at is not None:
        player = with_next_digest(player, context.work.now)
    context.work.put_player(player)
    context.sender = replace(context.sender, player=player)


def _say(context: LetterContext, kind: PersonalKind, **values: str) -> None:
    context.say(Personal(kind, values))


# --- name and password ----------------------------------------------------------------------------


def set_name(context: LetterContext, line: CommandLine) -> None:
    """`SET NAME Ann Lee`: what the others of a game are told."""
    name = clean_name(line.arguments["names"])
    if not name:
        raise context.refused(RefusalKind.BAD_PERSON, written=line.arguments["names"])
    change_writer(context, name=name)
    say_registered(context, is_changed=True)


def set_password(context: LetterContext, line: CommandLine) -> None:
    """`SET PASSWORD secret`: for SIGNON to the seat, or to the master's chair, of this letter."""
    game, role, work = context.role_game, context.own_role, context.work
    hashed = work.tokens.hash_password(line.arguments["password"], game.name)
    if role.seat is not None:
        game = game.with_seat(replace(game.seat(role.seat), password_hash=hashed))
    else:
        for key in ("applicants", "waiting") if role.is_applicant else ("masters",):
            kept = tuple(
                replace(one, password_hash=hashed) if one.player == context.writer.id else one
                for one in getattr(game, key)
            )
            game = replace(game, **{key: kept})
    work.put_game(game)
    _say(context, PersonalKind.PASSWORD_SET, game=game.name)


# --- addresses ------------------------------------------------------------------------------------


def change_address(context: LetterContext, line: CommandLine, *, do: str) -> None:
    """ADD, SET and REMOVE ADDRESS, of one or several; SET alone: of the one that writes. An address
    that is new says YES itself; what is done to those that are known is asked back."""
    player, work = context.writer, context.work
    written = polite_words_cut(line.arguments.get("addresses", context.letter.sender))
    written = NAMED_ADDRESS.sub(r" \1 ", written)
    words = [one for one in ADDRESS_MARKS.split(written) if one]
    bad = next((one for one in words if not is_address(one)), "" if words else written)
    named = [*dict.fromkeys(canonical_address(one) for one in words)]
    new = [one for one in named if one not in player.addresses]
    payload: Values = {"player": player.id, "do": do, "to": named}
    if bad or work.config.address in named:
        raise context.refused(RefusalKind.BAD_ADDRESS, written=bad or work.config.address)
    if do == "remove" and new:
        raise context.refused(RefusalKind.NO_ADDRESS, written=new[0])
    if do == "remove" and len(named) == len(player.addresses):
        raise context.refused(RefusalKind.LAST_ADDRESS, written=", ".join(named))
    if len(player.addresses) + len(new) > MOST_ADDRESSES:
        raise context.refused(RefusalKind.MANY_ADDRESSES, limit=MOST_ADDRESSES)
    if do == "remove" or (do == "set" and not new and named != [*player.letter_addresses]):
        kind = PersonalKind.REMOVE_ASKED if do == "remove" else PersonalKind.FIRST_ASKED
        _say(context, kind, address=", ".join(named))
        context.ask(Purpose.ADDRESS, {**payload, "address": named[0]})
    elif not new:
        say_registered(context)
    else:
        asked = [one for one in new if may_send_question(context, one)]
        for address in asked:
            work.write_stranger(
                address,
                "account",
                [Personal(PersonalKind.ADDRESS_ASKED, {"name": player.name})],
                language=player.language,
                zone=player.zone,
                purpose=Purpose.ADDRESS,
                payload={**payload, "address": address},
            )
        if len(asked) > 1:
            _say(context, PersonalKind.ADDRESSES_WAIT, addresses=", ".join(asked))
        elif asked:
            _say(context, PersonalKind.ADDRESS_WAITS, address=asked[0])


def may_send_question(context: LetterContext, address: str) -> bool:
    """Whether another question may go to an address of nobody; refuses if not."""
    work = context.work
    asked = work.repository.outbox.count_to_strangers_since(work.now - DAY, address, asks=True)
    if asked < work.config.stranger_letters_a_day:
        return True
    context.refuse(RefusalKind.ADDRESS_WAITS, written=address)
    return False


def change_address_now(context: LetterContext, sent: SentLetter) -> None:
    """Carry out what a YES has agreed to; the addresses where letters went and go are told. Of
    several new ones each counts with its own YES, in the order in which they were written."""
    work, address, do = context.work, str(sent.payload["address"]), str(sent.payload["do"])
    player = work.player(PlayerId(str(sent.payload["player"])))
    owner = work.player_by_address(address)
    before, is_new = player.addresses, address not in player.addresses
    if owner is not None and owner.id != player.id:
        raise context.refused(RefusalKind.ADDRESS_TAKEN)
    wished = sent.payload.get("to", [address])
    assert isinstance(wished, list)
    named = [one for one in map(str, wished) if one in before or one == address]
    removed = named if do == "remove" else []
    known = [one for one in dict.fromkeys((*before, address)) if one not in removed]
    first = named if do == "set" else [one for one in player.letter_addresses if one in known]
    if not (before and known) or (is_new and sent.player is not None):
        raise context.refused(RefusalKind.EXPIRED)  # it, or the player, is gone meanwhile
    addresses = tuple(dict.fromkeys((*first, *known)))
    kind = PersonalKind.ADDRESS_ADDED if is_new else PersonalKind.FIRST_SET
    kind = PersonalKind.ADDRESS_REMOVED if removed else kind
    go_to = ", ".join(first or addresses[:1])
    about = ", ".join(removed) or (address if is_new else go_to)
    told = Personal(kind, {"address": about, "first": go_to})
    context.sender = replace(context.sender, player=player, proven=True)
    change_writer(context, addresses=addresses, letters_to=max(len(first), 1))
    context.say(told)
    for one in dict.fromkeys((*player.letter_addresses, *named, address)):
        if one != context.letter.sender:
            work.write(player, "account", [told], recipients=[one])


# --- who others are -------------------------------------------------------------------------------


def _people(context: LetterContext, written: str) -> tuple[Player, ...]:
    """The players of a name, or of a seat: `FRANCE@balkan`, in a letter of that game `FRANCE`."""
    power, at, name = written.rpartition("@")
    game = context.work.game(name) if at else context.game()
    is_known = game is not None and (not at or may_know_of(context, game))
    if game is not None and is_known and game.status in (Status.ACTIVE, Status.FINISHED):
        seat = find_seat(seats_of(game), power if at else written)
        holder = game.seat(seat.id).player if seat else None
        is_master = context.player is not None and game.is_master(context.player.id)
        if holder is not None and (is_master or not game.hides_names):
            return (context.work.player(holder),)
    named = context.work.repository.players.named(clean_name(written))
    return tuple(one for one in named if one.addresses)


def whois(context: LetterContext, line: CommandLine) -> None:
    """`WHOIS Ann Lee`: name, language, reliability and ratings of whoever allows it; alone, one's
    own, as others would see it. Addresses are shown to nobody."""
    written, own = line.arguments.get("names", ""), context.player
    people = _people(context, written) if written else (own,) if own else ()
    shown = [one for one in people if one.is_public or (own and one.id == own.id)]
    for player in shown:
        counts = recent_conduct(context.work, player.id)
        profile = Profile(
            player.name,
            player.language,
            {kind.value: counts.get(kind, 0) for kind in Conduct},
            reliability_percent(counts),
            player.is_public,
            rating_rows(context.work, player.id),
            level=player.level,
        )
        if own and own.id == player.id:
            profile = replace(profile, format=player.format, attachments=player.attachments)
        context.say(profile)
    if shown:
        return
    is_said = line.in_own_words or line.written[:3].isupper() or "@" in written
    game, seat = context.game(), written.rstrip("?")
    if game is not None and find_seat(seats_of(game), seat) is not None:
        who(context, line.with_arguments(seat=seat))
    elif " " in line.written[:4] and not is_said:
        context.lines.append(line.written)  # `Who is afraid of Italy?`
    else:
        raise context.refused(RefusalKind.NO_PROFILE, written=written)


def set_preference(context: LetterContext, line: CommandLine, *, of: str) -> None:
    """`SET PROFILE PUBLIC`, `SET REPORT CLASSIC`, `SET FORMAT PLAIN`: whether WHOIS shows one to
    others, in which form results come, and as what letters do."""
    choice = meanings(of).get(line.arguments["choice"].lower())
    if choice is None:
        raise context.bad_command(line)
    if of == "levels":
        change_writer(context, level=Level(choice))
        _say(context, PersonalKind.LEVEL, level=choice)
        return
    if of == "profiles":
        change_writer(context, is_public=choice == "public")
    elif of == "reports":
        change_writer(context, is_classic=choice == "classic")
    else:
        change_writer(context, format=Format(choice))
    _say(context, PersonalKind(f"{of.removesuffix('s')}_{choice}"), name=context.writer.name)


def set_attachments(context: LetterContext, line: CommandLine) -> None:
    """`SET ATTACHMENTS MAP, CALENDAR`, `ALL`, `NONE`: what comes with letters unasked."""
    words, written = meanings("attachments"), line.arguments["names"].lower()
    # One name may be of two words; else a list of single ones.
    names = [written] if written in words else [*filter(None, LIST_MARKS.split(written))]
    chosen: set[str | None] = {words.get(name) for name in names}
    unwanted = {words.get(name) for name in LIST_MARKS.split(WITHOUT.sub(" ", written)) if name}
    if WITHOUT.search(written) and unwanted and unwanted <= {*Attachment}:
        # `NO MAP`: the others stay
        chosen = {one for one in context.writer.attachments if one not in unwanted} or {"none"}
    if None in chosen or not chosen or (len(chosen) > 1 and chosen & {"all", "none"}):
        raise context.bad_command(line)
    attachments = tuple(one for one in Attachment if chosen & {one.value, "all"})
    change_writer(context, attachments=attachments)
    told = PersonalKind.ATTACHMENTS if attachments else PersonalKind.ATTACHMENTS_NONE
    _say(context, told, attachments=" ".join(attachments))


def block(context: LetterContext, line: CommandLine, *, is_blocked: bool) -> None:
    """`BLOCK Ann Lee`: no game together from now on; nobody is told. Alone: whom one blocks."""
    player, written = context.writer, line.arguments.get("names", "")
    blocked = [context.work.player(one) for one in player.blocked]
    if not written:
        names = "\n".join(sorted(one.name for one in blocked))
        _say(context, PersonalKind.BLOCK_LIST if names else PersonalKind.BLOCK_NOBODY, names=names)
        return
    known = [one for one in blocked if one.name.casefold() == clean_name(written).casefold()]
    people = [one for one in known or _people(context, written) if one.id != player.id]
    if len(people) != 1:
        several = RefusalKind.WHICH_PERSON if people else RefusalKind.NO_PERSON
        raise context.refused(several, written=written)
    rest = tuple(one for one in player.blocked if one != people[0].id)
    change_writer(context, blocked=(*rest, people[0].id) if is_blocked else rest)
    kind = PersonalKind.BLOCKED if is_blocked else PersonalKind.UNBLOCKED
    _say(context, kind, name=people[0].name)


# --- what is kept ---------------------------------------------------------------------------------


def export(context: LetterContext, _line: CommandLine) -> None:
    """`MY DATA`: everything that is kept about a player, in a letter to their first address."""
    player = context.writer
    kept = context.work.repository.players.own_data(player.id).decode()
    context.work.write(player, "data", [OwnData(kept)], recipients=[player.address])
    _say(context, PersonalKind.DATA_SENT, address=player.address)


def forget_me(context: LetterContext, _line: CommandLine) -> None:
    """`FORGET ME`: asked back, with the games that it touches."""
    player = context.writer
    names = ", ".join(game.name for game in context.work.games_of(player.id))
    kind = PersonalKind.FORGET_ASKED if names else PersonalKind.FORGET_ASKED_ALONE
    _say(context, kind, games=names)
    context.ask(Purpose.FORGET, {})


def forget_now(context: LetterContext, _sent: SentLetter) -> None:
    """Erase the player: their running seats are resigned, applications and votes go, finished games
    keep a neutral name. The rest of the letter is nobody's."""
    work, player = context.work, context.writer
    games = work.games_of(player.id)
    work.forget(player)
    # Said once more in their language, by an address that nobody has any more.
    context.letter = replace(context.letter, language=player.language)
    context.sender = replace(context.sender, player=None)
    context.sit(None)
    for game in games:
        game = remove_applicant(work, without_observer(game, player.id), player.id)
        if game.is_practice:
            work.put_game(end_game(work, game, PRACTICE_ENDING, ()))
            continue
        for seat in game.seats:
            if seat.standby == player.id:
                game = work.put_game(with_standby(game, seat, None))
            if seat.player == player.id:
                game = work.put_game(game.with_seat(vacate(seat, resigned=True)))
                name = work.player(player.id).name
                notify_seat_changed(work, game, seat.id, SeatEvent.RESIGNED, name)
                settle_votes(work, game)
    mastered = []
    for game in filter(None, (work.game(one.name) for one in games)):
        if game.is_master(player.id) and len(game.masters) > 1:
            remove_master(work, game, player.id, player.id)
        elif game.is_master(player.id) and not game.is_practice:
            mastered.append(game.name)
    if mastered:
        command = f"judge master {mastered[0]} ADDRESS"
        work.notify_keepers("master_gone", {"game": ", ".join(mastered), "command": command})
    _say(context, PersonalKind.FORGOTTEN)


def ratings(context: LetterContext, line: CommandLine) -> None:
    """`RATINGS`, `RATINGS colonial`: the best whose profile is public, and one's own."""
    work, player = context.work, context.player
    variant = load_game(DEFAULT_GAME).variants()[0]
    if "names" in line.arguments:
        variant = find_variant(context, line.arguments["names"])
    settle_ratings(work, variant)
    best = work.repository.ratings.best(variant, limit=MOST_RATED)
    if work.placings:  # after a correction none of the variant are kept yet
        best = tuple(one for one in work.new_ratings(variant) if work.player(one.player).is_public)
    rows = (
        RatingRow(work.player(one.player).name, shown_rating(one), one.games)
        for one in best[:MOST_RATED]
    )
    own = rating_rows(work, player.id) if player else ()
    context.say(RatingList(DEFAULT_GAME, variant, tuple(rows), own))


HANDLERS: Handlers = {
    "set_name": set_name,
    "set_password": set_password,
    "add_address": partial(change_address, do="add"),
    "set_address": partial(change_address, do="set"),
    "remove_address": partial(change_address, do="remove"),
    "whois": whois,
    "set_profile": partial(set_preference, of="profiles"),
    "set_report": partial(set_preference, of="reports"),
    "set_format": partial(set_preference, of="formats"),
    "set_level": partial(set_preference, of="levels"),
    "set_attachments": set_attachments,
    "unblock": partial(block, is_blocked=False),
    "block": partial(block, is_blocked=True),
    "own_data": export,
    "forget_me": forget_me,
    "ratings": ratings,
}
