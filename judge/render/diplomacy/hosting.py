"""What the host tells of a game of Diplomacy: votes, endings, missing players, how orders look."""

from collections.abc import Mapping, Sequence

from judge.render.diplomacy.names import Names
from judge.render.layout import first_line
from judge.rulebook import Occasion, Row, SeatId, Translator

DRAW, CONCESSION, SOLO = "draw", "concession", "solo"


def occasion_words(
    occasion: Occasion, seats: Sequence[SeatId], values: Mapping[str, str], names: Names
) -> str:
    """What the host has to tell of seats whose orders are missing, or that have no player."""
    powers, size = names.seats(seats), sum(len(names.powers_of(seat)) for seat in seats)
    match occasion:
        case Occasion.ABSENCE:
            return names.count(
                "{powers} sent nothing by the deadline, and is in civil disorder for this phase.",
                "{powers} sent nothing by the deadline, and are in civil disorder for this phase.",
                size,
                powers=powers,
            )
        case Occasion.ABSENCE_IN_GRACE:
            return names.count(
                "{powers} sent nothing, neither by the deadline nor in grace ({grace}), and is in "
                "civil disorder for this phase.",
                "{powers} sent nothing, neither by the deadline nor in grace ({grace}), and are in "
                "civil disorder for this phase.",
                size,
                powers=powers,
                **values,
            )
        case Occasion.SEAT_VACATED:
            return names.count(
                "After two movement phases without orders the seat of {powers} is vacant, and "
                "open to JOIN {game}.",
                "After two movement phases without orders the seats of {powers} are vacant, and "
                "open to JOIN {game}.",
                len(seats),
                powers=powers,
                **values,
            )
        case Occasion.OWN_ABSENCE:
            return names.count(
                "Nothing came from you, so your power was in civil disorder for this phase. The "
                "seat is still yours: send orders for the next phase. If nothing comes for two "
                "movement phases in a row, it is given to somebody else.",
                "Nothing came from you, so your powers were in civil disorder for this phase. The "
                "seat is still yours: send orders for the next phase. If nothing comes for two "
                "movement phases in a row, it is given to somebody else.",
                size,
            )
        case Occasion.OWN_SEAT_VACATED:
            return names.say(
                "Nothing came from you for two movement phases in a row, so your seat is vacant "
                "now. You can take it again while it is: write JOIN {game}.",
                **values,
            )
        case Occasion.RESIGNED:
            return names.count(
                "{who} has left the game. The seat is vacant and open to JOIN {game}; until "
                "somebody takes it, {power} is in civil disorder.",
                "{who} has left the game. The seat is vacant and open to JOIN {game}; until "
                "somebody takes it, {power} are in civil disorder.",
                size,
                power=powers,
                **values,
            )
        case Occasion.FIRST_PHASE:
            return names.say(
                "Orders are still missing from: {powers}. In the first movement phase no power "
                "goes into civil disorder, so the phase runs when the last orders are in.",
                powers=powers,
            )


# --- votes and endings ----------------------------------------------------------------------------


def agreed_ends(votes: Sequence[str], words: Translator) -> str:
    """The ends that players may agree on; empty if none."""
    match DRAW in votes, CONCESSION in votes:
        case True, True:
            return words.say("a draw, or a concession to one power")
        case True, False:
            return words.say("a draw")
        case False, True:
            return words.say("a concession to one power")
    return ""


def voted_words(
    vote: str, winner: SeatId | None, needed: int, names: Names, *, is_for: bool
) -> tuple[str, str]:
    """To a voter: the vote as it stands, and what it means."""
    if vote == DRAW and is_for:
        return (
            names.say("Your vote for a draw is counted."),
            names.say(
                "The game ends in a draw when every player who is still in play votes for it, "
                "{needed} in all. Nobody else learns of your vote. It lapses when this phase has "
                "run; NO DRAW takes it back.",
                needed=needed,
            ),
        )
    if vote == DRAW:
        return (
            names.say("You do not vote for a draw."),
            names.say("DRAW votes for one. Nobody else learns how you vote."),
        )
    if winner is None:
        return (
            names.say("You do not concede the game."),
            names.say("CONCEDE TO and a power says that it has won."),
        )
    return (
        first_line(
            names.say("You concede the game to {power}.", power=power)
            for power in (names.seat(winner), names.seat_brief(winner))
        ),
        names.count(
            "{power} has won when every other player who is still in play says so, {needed} in "
            "all. Nobody else learns of your word. It lapses when this phase has run; NO CONCEDE "
            "takes it back.",
            "{power} have won when every other player who is still in play says so, {needed} in "
            "all. Nobody else learns of your word. It lapses when this phase has run; NO CONCEDE "
            "takes it back.",
            len(names.powers_of(winner)),
            power=names.seat(winner),
            needed=needed,
        ),
    )


def votes_held(votes: Mapping[str, str], names: Names) -> tuple[str, ...]:
    """A seat's votes as they stand."""
    told = []
    if DRAW in votes:
        told.append(names.say("You vote for a draw."))
    if CONCESSION in votes:
        power = names.seat(votes[CONCESSION])
        told.append(names.say("You concede the game to {power}.", power=power))
    return tuple(told)


def ending_words(ending: str, winners: Sequence[SeatId], names: Names) -> tuple[str, str]:
    """How the game ended, and who shares a draw."""
    size = sum(len(names.powers_of(seat)) for seat in winners)
    named = (names.seats(winners), names.listed(map(names.seat_brief, winners)))
    if ending == CONCESSION:
        told = (names.say("The game is over: conceded to {powers}.", powers=each) for each in named)
        return first_line(told), ""
    if ending == SOLO:
        told = (
            names.count(
                "The game is over: {powers} has won.",
                "The game is over: {powers} have won.",
                size,
                powers=each,
            )
            for each in named
        )
        return first_line(told), ""
    verdict = names.count(
        "The game is over: a draw of {n} power.", "The game is over: a draw of {n} powers.", size
    )
    shared = names.say("The draw is shared by {powers}.", powers=named[0])
    return verdict, shared if ending == DRAW else ""


# --- how orders look ------------------------------------------------------------------------------


def order_help(words: Translator) -> tuple[str, tuple[Row, ...]]:
    """How an order looks, in a sentence; and examples of each kind."""
    say = words.say
    return (
        say(
            "Orders are lines such as A PAR - BUR or F BRE - MAO. Send them as a reply to any "
            "letter of the game. HELP lists what else can be asked for."
        ),
        (
            Row("A PAR - BUR", say("the army in Paris moves to Burgundy")),
            Row("F BRE - MAO", say("the fleet in Brest moves to the Mid-Atlantic Ocean")),
            Row("A PAR H", say("it holds")),
            Row("A MAR S A PAR - BUR", say("the army in Marseilles supports that move")),
            Row("A MAR S A PAR", say("it supports the army in Paris to hold")),
            Row("F NTH C A LON - NWY", say("the fleet convoys the army from London to Norway")),
            Row("A BUR R GAS", say("a dislodged army retreats to Gascony")),
            Row("A PAR B", say("an army is built in Paris")),
            Row("F BRE D", say("the fleet in Brest is disbanded")),
            Row("WAIVE", say("a build is left out")),
        ),
    )
