"""Press and votes. Subjects say only that there is press: not whose, nor what it is about."""

from judge.host.messages import Conceded, DrawVoted, GameRef, PressReceived, PressSent
from judge.render.catalogue import N_, count, say
from judge.render.layout import display_width, indent_text, wrap
from judge.render.part import VERDICT_COLUMNS, Part, Reader, first_line, join_names, renderer_of
from judge.rulebook import SeatId

MASTER = "MASTER"


def _name(game: GameRef, who: str, reader: Reader) -> str:
    if who == MASTER:
        return say(reader.words, "the game master")
    return renderer_of(game).seat_name(SeatId(who), reader.words)


def _names(game: GameRef, who: tuple[str, ...], reader: Reader) -> str:
    if len(who) == 1:
        return _name(game, who[0], reader)
    renderer, words = renderer_of(game), reader.words
    named = [
        _name(game, one, reader) if one == MASTER else renderer.seat_brief(SeatId(one), words)
        for one in who
    ]
    return join_names(named, words)


def press_received(message: PressReceived, reader: Reader) -> Part:
    """Press as its readers see it; who wrote it, and who else reads it, stand before it."""
    words = reader.words
    grey = not message.sender
    lead = ""
    if message.broadcast:
        verdict = (
            say(words, "Grey press to all.")
            if grey
            else _from(message, reader, N_("Press from {power} to all."))
        )
    elif len(message.to) == 1:
        verdict = (
            say(words, "Grey press to you alone.")
            if grey
            else _from(message, reader, N_("Press from {power} to you alone."))
        )
    else:
        verdict = (
            say(words, "Grey press to you and others.")
            if grey
            else _from(message, reader, N_("Press from {power} to you and others."))
        )
        readers = _names(message.game, message.to, reader)
        lead = wrap(say(words, "It went to {readers}.", readers=readers))
    return Part(
        what=say(words, "press"),
        verdict=verdict,
        game=message.game,
        lead=lead,
        sections=(indent_text(message.text.strip("\n"), "  "), _answer_hint(message, reader)),
    )


def _from(message: PressReceived, reader: Reader, sentence: str) -> str:
    """Whose press it is, in a line that is not too long."""
    words = reader.words
    if message.sender == MASTER:
        return say(words, sentence, power=_name(message.game, message.sender, reader))
    sender = (SeatId(message.sender),)
    return first_line(message.game, sender, words, lambda name: say(words, sentence, power=name))


def _answer_hint(message: PressReceived, reader: Reader) -> str:
    words = reader.words
    if not message.sender or message.sender == MASTER:
        return wrap(
            say(
                words,
                "A reply to this letter goes to the judge alone. To write to somebody, send PRESS "
                "TO, the power's name, your text and ENDPRESS.",
            )
        )
    told = say(
        words, "A reply to this letter goes to the judge alone, unless it holds these lines:"
    )
    power = _name(message.game, message.sender, reader).upper()
    text = say(words, "your text")
    return f"{wrap(told)}\n  PRESS TO {power}\n  {text}\n  ENDPRESS"


def press_sent(message: PressSent, reader: Reader) -> Part:
    """To the sender: who got it, and the text as it went out."""
    words = reader.words
    if message.broadcast:
        verdict = say(words, "Your press went to all.")
    else:
        readers = _names(message.game, message.to, reader)
        verdict = say(words, "Your press went to {readers}.", readers=readers)
        if display_width(verdict) >= VERDICT_COLUMNS:
            verdict = count(
                words,
                "Your press went to {n} reader.",
                "Your press went to {n} readers.",
                len(message.to),
            )
    lead = wrap(say(words, "It does not say who wrote it.")) if message.grey else ""
    return Part(
        what=say(words, "your letter was taken"),
        verdict=verdict,
        game=message.game,
        lead=lead,
        sections=(indent_text(message.text.strip("\n"), "  "),),
    )


def draw_voted(message: DrawVoted, reader: Reader) -> Part:
    """To the voter alone. How many others vote is told to nobody, for votes are secret."""
    words = reader.words
    if message.votes:
        verdict = say(words, "Your vote for a draw is counted.")
        text = say(
            words,
            "The game ends in a draw when every player who is still in play votes for it, "
            "{needed} in all. Nobody else learns of your vote. It lapses when this phase has run; "
            "NO DRAW takes it back.",
            needed=message.needed,
        )
    else:
        verdict = say(words, "You do not vote for a draw.")
        text = say(words, "DRAW votes for one. Nobody else learns how you vote.")
    return Part(
        what=say(words, "your letter was taken"),
        verdict=verdict,
        game=message.game,
        sections=(wrap(text),),
    )


def conceded(message: Conceded, reader: Reader) -> Part:
    """To the voter alone, as a vote for a draw."""
    words = reader.words
    if message.to is not None:
        power = renderer_of(message.game).seat_name(message.to, words)
        verdict = first_line(
            message.game,
            (message.to,),
            words,
            lambda name: say(words, "You concede the game to {power}.", power=name),
        )
        text = count(
            words,
            "{power} has won when every other player who is still in play says so, {needed} in "
            "all. Nobody else learns of your word. It lapses when this phase has run; NO CONCEDE "
            "takes it back.",
            "{power} have won when every other player who is still in play says so, {needed} in "
            "all. Nobody else learns of your word. It lapses when this phase has run; NO CONCEDE "
            "takes it back.",
            renderer_of(message.game).seat_size(message.to),
            power=power,
            needed=message.needed,
        )
    else:
        verdict = say(words, "You do not concede the game.")
        text = say(words, "CONCEDE TO and a power says that it has won.")
    return Part(
        what=say(words, "your letter was taken"),
        verdict=verdict,
        game=message.game,
        sections=(wrap(text),),
    )
