"""What a game is played by: its variant, its rules, and what a master chose about both."""

from collections.abc import Mapping
from dataclasses import dataclass

from judge.diplomacy.rules import (
    DEFAULT_PRESET,
    Rules,
    UnknownRule,
)
from judge.diplomacy.variants.options import BadOption, choose, option_value
from judge.diplomacy.variants.variant import NoVariant, Variant, load_variant
from judge.rulebook import (
    JsonObject,
    Refused,
)

REFUSED_RULES = {"preset": "no_rules", "issue": "no_option"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a game is played by: the variant, what was chosen about it, the preset of rules, and the
    single ones chosen on top of it."""

    variant: Variant
    options: Mapping[str, str]
    preset: str
    choices: Mapping[str, str]


def choose_game(variant: str, options: JsonObject) -> Chosen:
    """The variant and the rules of a game's options.

    Raises:
        Refused: they are not there.
    """
    name = variant_named(variant).name
    own = {key: str(value) for key, value in options.items() if key != "rules"}
    try:
        chosen, own = choose(name, own), {k: option_value(name, k, own[k]) for k in own}
    except BadOption as bad:
        raise refused(bad) from bad
    written = options.get("rules", DEFAULT_PRESET)
    named = written if isinstance(written, Mapping) else {"preset": written}
    choices = {key: str(value) for key, value in named.items()}
    preset = choices.pop("preset", DEFAULT_PRESET)
    try:
        Rules.preset(preset).with_choices(choices)
    except UnknownRule as unknown:
        kind = REFUSED_RULES.get(unknown.what, "no_choice")
        raise Refused(kind, written=unknown.written, known=list(unknown.known)) from unknown
    return Chosen(chosen, own, preset, choices)


def variant_named(name: str) -> Variant:
    """The variant as it is usual. Raises Refused: there is none of that name."""
    try:
        return load_variant(name)
    except NoVariant as none:
        raise Refused("no_variant", written=name, known=list(none.known)) from none


def refused(bad: BadOption) -> Refused:
    """The seam's error for a choice that the variant does not have."""
    kind = "no_option" if bad.key is None else "no_choice"
    return Refused(kind, written=bad.written, known=list(bad.known))
