"""What is told of games in which players share the powers, or nobody plays some of them."""

from collections.abc import Sequence

from judge.diplomacy.orders import PowerId
from judge.diplomacy.records import Joining, View
from judge.render.catalogue import count, say
from judge.render.diplomacy.words import Names, phase_words
from judge.rulebook import Row, Translator


def variant_notes(view: View, words: Translator) -> tuple[str, ...]:
    """Who is not played, what is closed, what a coin will say or has said, and what wins where a
    player has several powers."""
    names = Names(view.variant, words)
    told: list[str] = []
    if view.unplayed and view.closed:
        told.append(_neutral(view, names))
    elif view.unplayed:
        told.append(_not_played(view.unplayed, names))
    if view.joining is not None and view.joining.to:
        told.append(joining_words(view.joining, names))
    elif view.joining is not None:
        told.append(_coin(view.joining, view.toss, names))
    if view.is_shared:
        told.append(_each_alone(view, names))
    return tuple(told)


def _not_played(powers: Sequence[PowerId], names: Names) -> str:
    return count(
        names.words,
        "Nobody plays {powers}: its units hold, do not support each other, may be supported by "
        "others, and are disbanded when they are dislodged. It never builds.",
        "Nobody plays {powers}: their units hold, do not support each other, may be supported by "
        "others, and are disbanded when they are dislodged. They never build.",
        len(powers),
        powers=names.listed([names.power(power) for power in powers]),
    )


def _neutral(view: View, names: Names) -> str:
    return count(
        names.words,
        "{powers} is neutral: its units hold, and nobody may enter its provinces ({places}), "
        "neither by land nor by sea.",
        "{powers} are neutral: their units hold, and nobody may enter their provinces ({places}), "
        "neither by land nor by sea.",
        len(view.unplayed),
        powers=names.listed([names.power(power) for power in view.unplayed]),
        places=", ".join(view.closed),
    )


def _coin(joining: Joining, toss: str, names: Names) -> str:
    words = names.words
    return count(
        words,
        "After {phase} a coin is tossed for {powers}: the player who wins the toss orders its "
        "units from {start} on.",
        "After {phase} a coin is tossed for {powers}: the player who wins the toss orders their "
        "units from {start} on.",
        len(joining.powers),
        phase=phase_words(toss, words),
        powers=names.listed([names.power(power) for power in joining.powers]),
        start=phase_words(joining.label, words),
    )


def joining_words(joining: Joining, names: Names) -> str:
    """What a coin has said: `The coin is tossed: Italy joins Austria, Germany and Turkey.`"""
    words = names.words
    return count(
        words,
        "The coin has been tossed: {powers} joins {others}. Their player orders its units from "
        "{phase} on, and its provinces are open then.",
        "The coin has been tossed: {powers} join {others}. Their player orders these units from "
        "{phase} on, and the closed provinces are open then.",
        len(joining.powers),
        powers=names.listed([names.power(power) for power in joining.powers]),
        others=names.listed([names.power(power) for power in joining.to]),
        phase=phase_words(joining.label, words),
    )


def _each_alone(view: View, names: Names) -> str:
    words, centers = names.words, view.victory_centers
    if view.by_player:
        return say(
            words,
            "Each power keeps its own centers, and builds and disbands by their number. A player "
            "wins with powers that have {n} centers together.",
            n=centers,
        )
    return say(
        words,
        "Each power keeps its own centers, and builds and disbands by their number. A player wins "
        "with one power that has {n} centers.",
        n=centers,
    )


def heading(title: str, words: Translator) -> Row:
    """`Austria:` above the rows that speak of it."""
    return Row("", say(words, "{title}:", title=title))
