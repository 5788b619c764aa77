"""Diplomacy as a game that can be hosted: its variants, rules, options, seats and votes."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from judge import rulebook as seam
from judge.diplomacy.game import KINDS, DiplomacyGame
from judge.diplomacy.language.lexicon import power_names
from judge.diplomacy.position import start_position
from judge.diplomacy.records import GameState
from judge.diplomacy.rules import DEFAULT_PRESET, ISSUES, PRESETS, Rules, UnknownChoice, values_of
from judge.diplomacy.variants.options import choose, option_value, options_of
from judge.diplomacy.variants.variant import load_variant, variant_names

# Rulebook 2000: the players may agree on a draw, which all survivors share. Tournaments also let
# them agree that one of them has won.
VOTES = (
    seam.Vote("draw", "draws"),
    seam.Vote("shared_draw", "draws", seam.Sharing.SOME, ending="draw", value="any"),
    seam.Vote("concession", "concessions", seam.Sharing.ONE),
)


@contextmanager
def _refusing() -> Iterator[None]:
    """An unknown choice is a refusal of the seam."""
    try:
        yield
    except UnknownChoice as unknown:
        kind, known = unknown.kind, list(unknown.known)
        raise seam.Refused(kind, written=unknown.written, known=known) from unknown


class Diplomacy:
    """The `Rulebook` of Diplomacy; its methods' contracts stand there."""

    phase_kinds = tuple(KINDS.values())
    votes = VOTES

    def variants(self) -> tuple[str, ...]:
        return variant_names()

    def rule_presets(self) -> tuple[str, ...]:
        return tuple(PRESETS)

    def rule_options(self) -> tuple[seam.Option, ...]:
        return RULE_OPTIONS

    @_refusing()
    def variant_options(self, variant: str) -> tuple[seam.Option, ...]:
        return tuple(
            seam.Option(
                each.key,
                (" - ".join(each.values),) if each.is_count else each.values,
                is_count=each.is_count,
            )
            for each in options_of(load_variant(variant))
        )

    @_refusing()
    def option_value(self, variant: str, key: str, written: str) -> str:
        return option_value(variant, key, written)

    def seats(self, variant: str, options: seam.Options) -> tuple[seam.Seat, ...]:
        return _seats(variant, tuple(sorted(_variant_choices(options).items())))

    @_refusing()
    def start(self, variant: str, options: seam.Options) -> DiplomacyGame:
        own = _variant_choices(options)
        chosen = choose(variant, own)
        own = {key: option_value(variant, key, value) for key, value in own.items()}
        written = options.get("rules", DEFAULT_PRESET)
        choices = {"preset": written} if isinstance(written, str) else dict(written)
        preset = choices.pop("preset", DEFAULT_PRESET)
        Rules.preset(preset).with_choices(choices)
        position = start_position(chosen)
        return DiplomacyGame(
            GameState(
                variant=chosen.name,
                rules=preset,
                label=str(position.phase),
                serial=1,
                units=position.units,
                owners=position.owners,
                choices=choices,
                options=own,
                is_blind=options.get("blind") == "yes",
            )
        )

    def open(self, state: seam.State) -> DiplomacyGame:
        return DiplomacyGame(GameState.from_bytes(state))


def _variant_choices(options: seam.Options) -> dict[str, str]:
    """The options of the variant; the others choose among rules, and who sees what."""
    return {key: str(value) for key, value in options.items() if key not in ("rules", "blind")}


@lru_cache(maxsize=256)
def _seats(variant: str, options: tuple[tuple[str, str], ...]) -> tuple[seam.Seat, ...]:
    """The seats of a game with these options, kept because lists of games ask for them often."""
    chosen = choose(variant, dict(options))
    seats: list[seam.Seat] = []
    for seat, powers in chosen.seating.items():
        first, *others = map(chosen.power, powers)
        names = [name for power in powers for name in power_names(chosen, power)]
        if others:
            names = [seat, *names, *(power.letter for power in others)]
        seats.append(seam.Seat(seam.SeatId(seat), first.letter, tuple(names)))
    return tuple(seats)


RULE_OPTIONS = tuple(seam.Option(issue, values_of(issue)) for issue in ISSUES)
RULEBOOK = Diplomacy()
