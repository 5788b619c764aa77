"""How the players of the demo write: the computer's orders, each in their own way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.diplomacy.notation import Notation, format_order, parse_canonical
from judge.diplomacy.orders import Location
from judge.diplomacy.variants.variant import load_variant

COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
PROSE = {
    "A {place}": "Army {place}",
    "F {place}": "Fleet {place}",
    "{unit} - {target}": "{unit} to {target}",
    "{unit} - {target} VIA": "{unit} to {target} via convoy",
    "{unit} S {other}": "{unit} supports {other}",
    "{unit} S {other} - {target}": "{unit} supports {other} to {target}",
    "{unit} C {other} - {target}": "{unit} convoys {other} to {target}",
    "{unit} H": "{unit} holds",
    "{unit} R {target}": "{unit} retreats to {target}",
    "{unit} B": "Build {unit}",
    "{unit} D": "Disband {unit}",
}


class _Prose(Notation):
    """`Army Paris to Burgundy`."""

    def say(self, message: str, /, **parts: str) -> str:
        return PROSE[message].format(**parts)

    def location(self, location: Location) -> str:
        name = load_variant("standard").board.provinces[location.province].name
        return f"{name} ({COASTS[location.coast]})" if location.coast else name


_PROSE = _Prose()


def _write_prose(text: str) -> str:
    order = parse_canonical(text)
    return format_order(order, _PROSE) if order else text


@dataclass(frozen=True, slots=True)
class Style:
    """How somebody writes letters; `write` makes a line of a canonical one."""

    write: Callable[[str], str] = str
    greeting: str = ""
    farewell: str = ""
    between: str = "\n"

    def body(self, lines: Sequence[str]) -> str:
        """A letter's text above whatever it quotes."""
        written = self.between.join(map(self.write, lines))
        return "\n\n".join(part for part in (self.greeting, written, self.farewell) if part)


STYLES = (
    Style(),
    Style(lambda text: text.lower().replace(" - ", "-"), farewell="Sent from my phone"),
    Style(_write_prose, "Hi judge, here are my orders for this turn.", "Cheers!\nBen"),
    Style(lambda text: text.title().replace(" - ", " → ")),
    Style(between="; "),
    Style(_write_prose, "Dear judge,", "Yours faithfully\n-- \nThe Tsar of All Mail"),
    Style(between=" / "),
)
