"""Press and votes. Subjects say only that there is press: not whose, nor what it is about."""

from collections.abc import Sequence

from judge.host.messages import GameRef, PressReceived, PressSent, Voted
from judge.render.catalogue import N_, join_names
from judge.render.layout import first_line, indent_text, wrap
from judge.render.part import Part, Reader
from judge.rulebook import SeatId

MASTER = "MASTER"


def _names(game: GameRef, who: Sequence[str], reader: Reader, *, brief: bool = False) -> str:
    """Seats and the master by their names; in short where there are several."""
    words = reader.game(game)
    name_of = words.seat_brief if brief or len(who) > 1 else words.seat_name
    named = [
        reader.say("the game master") if one == MASTER else name_of(SeatId(one)) for one in who
    ]
    return join_names(named, reader)


def press_received(message: PressReceived, reader: Reader) -> Part:
    """Press as its readers see it; who wrote it, and who else reads it, stand before it."""
    game, sender, lead = message.game, message.sender, ""
    if message.broadcast:
        grey, signed = N_("Grey press to all."), N_("Press from {power} to all.")
    elif len(message.to) == 1:
        grey, signed = N_("Grey press to you alone."), N_("Press from {power} to you alone.")
    else:
        grey = N_("Grey press to you and others.")
        signed = N_("Press from {power} to you and others.")
        readers = _names(game, message.to, reader)
        lead = wrap(reader.say("It went to {readers}.", readers=readers))
    if sender:
        names = (_names(game, [sender], reader, brief=brief) for brief in (False, True))
        verdict = first_line(reader.say(signed, power=name) for name in names)
    else:
        verdict = reader.say(grey)
    # ENDPRESS never stands alone on a line here: quoted in a reply, it would close their press.
    if sender and sender != MASTER:
        hint = reader.say(
            "A reply to this letter goes to the judge alone. To answer, begin it with PRESS TO "
            "{power}, write your text below, and put ENDPRESS on a line of its own under it.",
            power=_names(game, [sender], reader).upper(),
        )
    else:
        hint = reader.say(
            "A reply to this letter goes to the judge alone. To write to somebody, begin it with "
            "PRESS TO and the name of a power, write your text below, and put ENDPRESS on a line "
            "of its own under it."
        )
    sections = (indent_text(message.text.strip("\n")), wrap(hint))
    return Part(reader.say("press"), verdict, game, sections, lead=lead)


def press_sent(message: PressSent, reader: Reader) -> Part:
    """To the sender: who got it, and the text as it went out."""
    if message.broadcast:
        verdict = reader.say("Your press went to all.")
    else:
        readers = _names(message.game, message.to, reader)
        verdict = first_line(
            (
                reader.say("Your press went to {readers}.", readers=readers),
                reader.count(
                    "Your press went to {n} reader.",
                    "Your press went to {n} readers.",
                    len(message.to),
                ),
            )
        )
    lead = wrap(reader.say("It does not say who wrote it.")) if message.grey else ""
    what = reader.say("your letter was taken")
    text = indent_text(message.text.strip("\n"))
    return Part(what, verdict, message.game, (text,), lead=lead)


def voted(message: Voted, reader: Reader) -> Part:
    """To the voter alone. How many others vote is told to nobody, for votes are secret."""
    words = reader.game(message.game)
    verdict, text = words.voted(message.vote, message.winner, message.needed, is_for=message.is_for)
    return Part(reader.say("your letter was taken"), verdict, message.game, (wrap(text),))
