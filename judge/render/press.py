"""Press and votes. Subjects say only that there is press: not whose, nor what it is about."""

from judge.host.messages import GameRef, PressReceived, PressSent, Voted
from judge.render.catalogue import N_, count, say
from judge.render.layout import display_width, indent_text, wrap
from judge.render.part import VERDICT_COLUMNS, Part, Reader, first_line, join_names, words_of_game
from judge.rulebook import SeatId

MASTER = "MASTER"


def _name(game: GameRef, who: str, reader: Reader) -> str:
    if who == MASTER:
        return say(reader.words, "the game master")
    return words_of_game(game, reader.words).seat_name(SeatId(who))


def _names(game: GameRef, who: tuple[str, ...], reader: Reader) -> str:
    if len(who) == 1:
        return _name(game, who[0], reader)
    words, game_words = reader.words, words_of_game(game, reader.words)
    named = [
        _name(game, one, reader) if one == MASTER else game_words.seat_brief(SeatId(one))
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


def voted(message: Voted, reader: Reader) -> Part:
    """To the voter alone. How many others vote is told to nobody, for votes are secret."""
    return _draw_voted(message, reader) if message.vote == "draw" else _conceded(message, reader)


def _draw_voted(message: Voted, reader: Reader) -> Part:
    words = reader.words
    if message.is_for:
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


def _conceded(message: Voted, reader: Reader) -> Part:
    words = reader.words
    if message.winner is not None:
        power = words_of_game(message.game, words).seat_name(message.winner)
        verdict = first_line(
            message.game,
            (message.winner,),
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
            words_of_game(message.game, words).seat_size(message.winner),
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
