"""Why something asked for was not done: what was written, what is wrong, what to write instead."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from judge.host.messages import Refusal
from judge.host.messages import RefusalKind as Kind
from judge.render.catalogue import N_, either_names, join_names
from judge.render.layout import one_line, quote_lines, wrap
from judge.render.part import Part, Reader
from judge.render.times import language_name
from judge.rulebook import SeatId, Value

WRITTEN_COLUMNS = 60


class _Words(NamedTuple):
    """The messages of one kind of refusal.

    Attributes:
        verdict: the first line, under 60 characters.
        remedy: what is wrong and what to write instead.
        bare: said in place of it where there is nothing to propose (`{known}` is empty).
    """

    verdict: str
    remedy: str
    bare: str = ""


REFUSALS: Mapping[Kind, _Words] = {
    Kind.NO_COMMAND: _Words(
        N_("One line looks like a command and is none."),
        N_("It was not carried out, and nobody was shown it. Did you mean {known}?"),
        N_("It was not carried out, and nobody was shown it. HELP lists all commands."),
    ),
    Kind.BAD_COMMAND: _Words(
        N_("One command could not be read."), N_("Write it like this: {usage}")
    ),
    Kind.NO_GAME: _Words(
        N_("There is no such game."),
        N_('Nothing is called "{written}" here. Did you mean {known}? LIST shows all games.'),
        N_('Nothing is called "{written}" here. LIST shows all games.'),
    ),
    Kind.NO_POWER: _Words(
        N_("There is no such power."),
        N_('Nobody is called "{written}" here. Write one of {known}.'),
        N_('Nobody is called "{written}" here. STATUS lists the powers of a game.'),
    ),
    Kind.WHICH_GAME: _Words(
        N_("Which game do you mean? Nothing is stored."),
        N_(
            "You have a part in {known}. Reply to a letter of the game that you mean, or begin "
            "your letter with SIGNON, the letter of your power with the game's name, and your "
            "password."
        ),
        N_("Reply to a letter of the game that you mean."),
    ),
    Kind.NOT_SIGNED_ON: _Words(
        N_("Nothing is stored: whose letter is this?"),
        N_(
            "A reply to a letter of the game is enough to be known. Otherwise begin with SIGNON, "
            "the letter of your power with the game's name, and your password, such as SIGNON "
            "Fbalkan secret."
        ),
    ),
    Kind.WRONG_PASSWORD: _Words(
        N_("The password is not right. Nothing is stored."),
        N_(
            "The password for {game} stands in the letter that you got when you joined. A reply "
            "to any letter of the game needs none."
        ),
    ),
    Kind.UNKNOWN_ADDRESS: _Words(
        N_("Nothing is stored yet: this address is not known."),
        N_(
            "Your letter answers one that went to another address than {written}. It is kept, and "
            "the player at that address is asked; once he replies YES, it counts."
        ),
    ),
    Kind.NOT_A_PLAYER: _Words(
        N_("You have no seat in this game."),
        N_("Only its players can do this in {game}. JOIN {game} takes part if there is room."),
    ),
    Kind.NOT_MASTER: _Words(
        N_("Only the game's master can do this."),
        N_("Write to the master of {game} with PRESS TO MASTER."),
    ),
    Kind.NOT_REGISTERED: _Words(
        N_("Please register first."),
        N_("Send REGISTER, or JOIN and the name of a game: that registers you as well."),
    ),
    Kind.NOT_RUNNING: _Words(
        N_("The game is not running."),
        N_("In {game} there is nothing to send now. STATUS {game} shows how it stands."),
    ),
    Kind.NAME_TAKEN: _Words(
        N_("There is a game of that name already."),
        N_('"{written}" is taken. Send CREATE again with another name.'),
    ),
    Kind.BAD_NAME: _Words(
        N_("A game cannot have this name."),
        N_(
            "A name begins with a letter and is made of 2 to 24 letters and digits, such as "
            "balkan or spring7. Send CREATE again with such a name."
        ),
    ),
    Kind.GAME_FULL: _Words(
        N_("No seat is free in this game."),
        N_("All seats of {game} are taken. There is room in {known}: write JOIN and its name."),
        N_("All seats of {game} are taken. CREATE makes a new game."),
    ),
    Kind.SEAT_TAKEN: _Words(
        N_("Somebody else has that power."),
        N_("{power} is taken. Free: {known}. Send JOIN {game} with one of them, or without any."),
        N_("{power} is taken, and so are all others in {game}. LIST shows other games."),
    ),
    Kind.ALREADY_IN: _Words(
        N_("You are in this game already."),
        N_("STATUS {game} shows how it stands, and what of yours is stored."),
    ),
    Kind.NO_PRESS: _Words(
        N_("Your press went to nobody: this game has none."),
        N_("In {game} players may not write to each other. PRESS TO MASTER reaches the master."),
    ),
    Kind.NO_GREY: _Words(
        N_("Your press went to nobody: it may not be grey."),
        N_("In {game} press shows who wrote it. Send it again without GREY."),
    ),
    Kind.NO_DRAWS: _Words(
        N_("Your vote is not counted: this game has no draws."),
        N_("In {game} players cannot agree on a draw; LIST {game} shows how it may end."),
    ),
    Kind.NO_CONCESSIONS: _Words(
        N_("Your word is not counted: no concessions here."),
        N_("In {game} players cannot concede it; LIST {game} shows how it may end."),
    ),
    Kind.NO_CONCESSION_TO: _Words(
        N_("To whom do you concede? Nothing was counted."),
        N_('"{written}" is not in play beside you. CONCEDE TO takes one of {known}.'),
        N_("Nobody else is in play."),
    ),
    Kind.NO_RECIPIENT: _Words(
        N_("Your press went to nobody: to whom should it go?"),
        N_('"{written}" is none of {known}. Write their names, as PRESS TO FRANCE, ITALY.'),
        N_(
            "Write the names of powers after PRESS TO, as PRESS TO FRANCE, ITALY. BROADCAST "
            "goes to all."
        ),
    ),
    Kind.EMPTY_PRESS: _Words(
        N_("Your press went to nobody: it is empty."),
        N_("Write your text below the line PRESS TO, and below the text a line ENDPRESS."),
    ),
    Kind.UNCLOSED_PRESS: _Words(
        N_("Your press went to nobody: ENDPRESS is missing."),
        N_(
            "Put a line ENDPRESS below your text and send it again. Without that line the judge "
            "cannot tell where the press ends and your orders begin."
        ),
    ),
    Kind.BAD_TIME: _Words(
        N_("The time could not be read. Nothing has changed."),
        N_("Write it as 2026-12-05 20:00, or as +2d for two days later. It is read in your zone."),
    ),
    Kind.PAST_TIME: _Words(
        N_("That time is over. Nothing has changed."),
        N_("Write a time that is still to come, such as +1d."),
    ),
    Kind.BAD_ZONE: _Words(
        N_("The time zone is not known."),
        N_('"{written}" is no time zone. Did you mean {known}?'),
        N_('"{written}" is no time zone. Write a city, such as Paris, or Europe/Paris.'),
    ),
    Kind.BAD_LANGUAGE: _Words(
        N_("The judge does not write that language."),
        N_('"{written}" is not there. Known: {known}.'),
        N_('"{written}" is not there. English is: en.'),
    ),
    Kind.WRONG_PHASE: _Words(
        N_("That phase is not due. Nothing has run."),
        N_('You named "{written}", but {phase} is due. Name it: PROCESS {game} {label}.'),
    ),
    Kind.EXPIRED: _Words(
        N_("That question is closed. Nothing has changed."),
        N_("It was answered, or it is too old. Send the command again if you still want it."),
    ),
    Kind.TOO_MANY_GAMES: _Words(
        N_("You are in as many games as you can be."),
        N_("The most is {limit}. When one of your games is over, you can join another."),
    ),
    Kind.TOO_MANY_LINES: _Words(
        N_("Your letter is too long to be read whole."),
        N_(
            "Only the first {limit} lines were looked at. Send the orders that are not in the "
            "list of stored ones in a letter without other text."
        ),
    ),
    Kind.TOO_LARGE: _Words(
        N_("Your letter is too large. Nothing of it was read."),
        N_("Send your lines as plain text, without pictures or attached files."),
    ),
    Kind.GAME_HALTED: _Words(
        N_("This game stands still. Your letter is kept."),
        N_("The keeper of the judge is looking at {game}. You are told when it goes on."),
    ),
    Kind.PHASE_RAN: _Words(
        N_("That phase has run. Nothing has changed."),
        N_("Your letter answers one about an earlier phase. Reply to the newest letter of {game}."),
    ),
    Kind.NOTHING_DUE: _Words(
        N_("You have nothing to send now. Nothing is stored."),
        N_("In this phase nobody waits for you. You are told when orders are due."),
    ),
    Kind.NO_PHASE: _Words(
        N_("Which phase do you mean? Its orders are not stored."),
        N_(
            'No phase of this game is called "{written}", so the lines below it are not stored. '
            "Did you mean {known}? Send them again below PHASE and that name."
        ),
        N_(
            'No phase of this game is called "{written}", so the lines below it are not stored. '
            "A phase is named as in PHASE F1901M, or Fall 1901 movement."
        ),
    ),
    Kind.PAST_PHASE: _Words(
        N_("That phase is over. Its orders are not stored."),
        N_(
            "{phase} has run, or was skipped, so the lines below it are not stored. Without PHASE "
            "they are for the phase that is due."
        ),
    ),
    Kind.FAR_PHASE: _Words(
        N_("That phase is too far away. Nothing is stored for it."),
        N_(
            "Orders can be sent ahead up to {last}, and {phase} comes later, so the lines below "
            "it are not stored. Send them again when it is nearer."
        ),
    ),
    Kind.NOTHING_PROPOSED: _Words(
        N_("There is nothing to say YES to."),
        N_("The letter that you answered proposed no lines. Write the lines that you want."),
    ),
}

# Where the sentence does not hold the written line, it stands above it.
_QUOTED = frozenset(
    {
        Kind.NO_COMMAND,
        Kind.BAD_COMMAND,
        Kind.WHICH_GAME,
        Kind.NOT_SIGNED_ON,
        Kind.NOT_A_PLAYER,
        Kind.NOT_MASTER,
        Kind.BAD_NAME,
        Kind.BAD_TIME,
        Kind.PAST_TIME,
        Kind.PHASE_RAN,
    }
)

# What is proposed are seats, shown by their names.
_NAMES_SEATS = frozenset({Kind.NO_POWER, Kind.NO_RECIPIENT, Kind.SEAT_TAKEN, Kind.NO_CONCESSION_TO})


def refusal(message: Refusal, reader: Reader) -> Part:
    """One refusal: the verdict, what was written, and the sentence with the remedy."""
    kind, game, held = message.kind, message.game, message.values
    words = reader.game(game) if game else None
    values = {key: _text(held.get(key)) for key in ("written", "label", "last", "usage", "limit")}
    written, phase, last, power = (values[key] for key in ("written", "label", "last", "written"))
    if words is not None:
        phase = words.phase_name(phase) if phase else phase
        last = words.phase_name(last) if last else last
        if kind is Kind.SEAT_TAKEN and written:
            power = words.seat_name(SeatId(written))
    known = _known(message, reader)
    verdict, remedy, bare = REFUSALS[kind]
    sentence = reader.say(
        bare if bare and not known else remedy,
        **values | {"phase": phase, "last": last, "power": power, "known": known},
        game=game.name if game else "",
    )
    lines = _list(held.get("lines")) or _list(held.get("first_line"))
    quoted = [written] if written and kind in _QUOTED else lines
    return Part(
        reader.say("please look"),
        reader.say(verdict),
        game,
        (wrap(sentence),),
        lead=quote_lines([one_line(line, WRITTEN_COLUMNS) for line in quoted]),
    )


def _known(message: Refusal, reader: Reader) -> str:
    """What could have been written instead, in words; empty if nothing is proposed."""
    kind, game, held = message.kind, message.game, message.values
    keys = ("nearest", "known", "free", "open", "games")
    known = next((_list(held[key]) for key in keys if held.get(key)), [])
    if game is not None and kind in _NAMES_SEATS:
        return reader.seats(game, [SeatId(seat) for seat in known])
    name_of: Callable[[str], str] | None = None
    if kind is Kind.BAD_LANGUAGE:
        name_of = partial(language_name, words=reader)
    elif game is not None and kind is Kind.NO_PHASE:
        name_of = reader.game(game).phase_name
    if name_of is not None:
        named = [reader.say("{name} ({id})", name=name_of(each), id=each) for each in known]
    else:
        named = [one_line(name, WRITTEN_COLUMNS) for name in known]
    join = join_names if kind is Kind.WHICH_GAME else either_names
    return join(named, reader)


def _text(value: Value) -> str:
    return "" if value is None else one_line(str(value), WRITTEN_COLUMNS)


def _list(value: Value) -> list[str]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(one) for one in value]
    return [str(value)] if value else []
