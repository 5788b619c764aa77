"""What a master has chosen for a game, as letters show it."""

from collections.abc import Sequence

from judge.render.catalogue import say
from judge.render.layout import list_pairs
from judge.render.part import comma_names
from judge.render.times import duration
from judge.rulebook import Translator, load_renderer
from judge.store import GameSettings, Press


def press_words(press: Press, words: Translator) -> str:
    """Which press a game allows, in a few words."""
    match press:
        case Press.WHITE:
            return say(words, "white: letters show who wrote them")
        case Press.GREY:
            return say(words, "grey: letters may hide who wrote them")
        case Press.NONE:
            return say(words, "none: nobody may write to the others")


def chosen_words(name: str, choices: Sequence[tuple[str, str]], words: Translator) -> str:
    """A preset or variant and what was chosen on top of it: `2023, 4.A.2 szykman`."""
    return comma_names([name, *(f"{option} {value}" for option, value in choices)], words)


def variant_words(
    game: str, variant: str, options: Sequence[tuple[str, str]], words: Translator
) -> str:
    """The variant as people call it and as CREATE takes it: `Chaos, last_year 1910`."""
    title = load_renderer(game).variant_name(variant, words)
    if title.lower() != variant:
        title = say(words, "{name} ({id})", name=title, id=variant)
    return chosen_words(title, options, words)


def _agreed_end(settings: GameSettings, words: Translator) -> str:
    match "draw" in settings.votes, "concession" in settings.votes:
        case True, True:
            return say(words, "a draw, or a concession to one power")
        case True, False:
            return say(words, "a draw")
        case False, True:
            return say(words, "a concession to one power")
        case _:
            return say(words, "none")


def show_settings(settings: GameSettings, game: str, words: Translator) -> str:
    """Every setting with its value, in two columns."""
    return list_pairs(
        [
            (
                say(words, "Board"),
                variant_words(game, settings.variant, settings.options, words),
            ),
            (say(words, "Rules"), chosen_words(settings.rules, settings.choices, words)),
            (say(words, "Press"), press_words(settings.press, words)),
            (say(words, "Agreed end"), _agreed_end(settings, words)),
            *(
                (load_renderer(game).phase_kind_name(kind, words), duration(length, words))
                for kind, length in settings.lengths.items()
            ),
            (say(words, "Grace"), duration(settings.grace, words)),
            (
                say(words, "Reminder"),
                say(words, "{time} before the deadline", time=duration(settings.reminder, words)),
            ),
            (
                say(words, "All in"),
                say(
                    words,
                    "runs {delay} after the last change, if all are complete",
                    delay=duration(settings.all_in_delay, words),
                )
                if settings.all_in_delay
                else say(words, "runs as soon as all are complete"),
            ),
        ]
    )
