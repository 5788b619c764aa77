"""Units and supply centers of everybody, as tables of plain text."""

from collections.abc import Mapping, Sequence

from judge.diplomacy.orders import PowerId, ProvinceId, Unit
from judge.diplomacy.records import View
from judge.render.catalogue import count, say
from judge.render.diplomacy.words import Names
from judge.render.layout import list_pairs, titled
from judge.rulebook import Translator


def units_table(powers: Sequence[PowerId], units: Sequence[Unit], names: Names) -> str:
    """One line a power: `France   A PAR, F BRE`."""
    rows = []
    for power in powers:
        own = [str(unit) for unit in units if unit.power == power]
        if own:
            rows.append((names.power(power), ", ".join(own)))
    return list_pairs(rows)


def ownership_table(
    powers: Sequence[PowerId],
    owners: Mapping[ProvinceId, PowerId],
    units: Sequence[Unit],
    names: Names,
) -> str:
    """One line a power with its centers, their number and that of its units; then unowned ones."""
    words, rows = names.words, []
    for power in powers:
        held = sorted(center for center, owner in owners.items() if owner == power)
        own = sum(1 for unit in units if unit.power == power)
        if held or own:
            rows.append((names.power(power), _holding(held, own, names)))
    free = [center for center in names.variant.board.centers if center not in owners]
    if free:
        rows.append((say(words, "Nobody"), ", ".join(free)))
    return list_pairs(rows)


def _holding(held: Sequence[ProvinceId], units: int, names: Names) -> str:
    words = names.words
    centers = count(words, "{n} center", "{n} centers", len(held))
    fielded = count(words, "{n} unit", "{n} units", units)
    return say(
        words,
        "{centers}, {units}: {list}",
        centers=centers,
        units=fielded,
        list=", ".join(held) or say(words, "none"),
    )


def position_words(view: View, words: Translator) -> str:
    """Everyone's units, dislodged ones too, and everyone's centers."""
    names = Names(view.variant, words)
    sections = [
        titled(say(words, "Units:"), units_table(view.powers, view.units, names)),
    ]
    if view.dislodged:
        rows = [(names.power(each.unit.power), f"{each.unit}") for each in view.dislodged]
        sections.append(titled(say(words, "Dislodged:"), list_pairs(rows)))
    standing = [*view.units, *(each.unit for each in view.dislodged)]
    table = ownership_table(view.powers, view.owners, standing, names)
    sections.append(titled(say(words, "Supply centers:"), table))
    return "\n\n".join(sections)
