"""What a view shows: everybody's units and centers, and how this game is played."""

from collections.abc import Iterator, Mapping, Sequence

from judge.diplomacy.canal import Canal
from judge.diplomacy.orders import PowerId, ProvinceId, Unit
from judge.diplomacy.railway import Railway
from judge.diplomacy.records import Joining, View
from judge.diplomacy.variants.options import choose
from judge.render.diplomacy.names import Names
from judge.render.layout import list_pairs, titled
from judge.rulebook import Row


def heading(title: str, names: Names) -> Row:
    """`Austria:` above the rows that speak of it."""
    return Row("", names.say("{title}:", title=title))


# --- tables ---------------------------------------------------------------------------------------


def units_table(powers: Sequence[PowerId], units: Sequence[Unit], names: Names) -> str:
    """One line a power: `France   A PAR, F BRE`."""
    texts: dict[PowerId, list[str]] = {power: [] for power in powers}
    for unit in units:
        if unit.power in texts:
            texts[unit.power].append(str(unit))
    return list_pairs([(names.power(power), ", ".join(own)) for power, own in texts.items() if own])


def ownership_table(
    powers: Sequence[PowerId],
    owners: Mapping[ProvinceId, PowerId],
    units: Sequence[Unit],
    names: Names,
) -> str:
    """One line a power with its centers, their number and that of its units; then unowned ones."""
    rows = []
    for power in powers:
        held = sorted(center for center, owner in owners.items() if owner == power)
        own = sum(unit.power == power for unit in units)
        if held or own:
            told = names.say(
                "{centers}, {units}: {list}",
                centers=names.count("{n} center", "{n} centers", len(held)),
                units=names.count("{n} unit", "{n} units", own),
                list=", ".join(held) or names.say("none"),
            )
            rows.append((names.power(power), told))
    free = [center for center in names.variant.board.centers if center not in owners]
    if free:
        rows.append((names.say("Nobody"), ", ".join(free)))
    return list_pairs(rows)


def position_words(view: View, names: Names) -> str:
    """Everyone's units, dislodged ones too, and everyone's centers."""
    sections = [titled(names.say("Units:"), units_table(view.powers, view.units, names))]
    dislodged = [each.unit for each in view.dislodged]
    if dislodged:
        rows = [(names.power(unit.power), str(unit)) for unit in dislodged]
        sections.append(titled(names.say("Dislodged:"), list_pairs(rows)))
    table = ownership_table(view.powers, view.owners, [*view.units, *dislodged], names)
    sections.append(titled(names.say("Supply centers:"), table))
    return "\n\n".join(sections)


# --- games in which players share the powers, or nobody plays some of them ------------------------


def variant_notes(view: View, names: Names) -> tuple[str, ...]:
    """The variant's own rules; who is not played, what is closed, what a coin will say or has said,
    and what wins where a player has several powers."""
    told = [*_own_rules(view, names)]
    unplayed, n = names.powers(view.unplayed), len(view.unplayed)
    if n and view.closed:
        told.append(
            names.count(
                "{powers} is neutral: its units hold, and nobody may enter its provinces "
                "({places}), neither by land nor by sea.",
                "{powers} are neutral: their units hold, and nobody may enter their provinces "
                "({places}), neither by land nor by sea.",
                n,
                powers=unplayed,
                places=", ".join(view.closed),
            )
        )
    elif n:
        told.append(
            names.count(
                "Nobody plays {powers}: its units hold, do not support each other, may be "
                "supported by others, and are disbanded when they are dislodged. It never builds.",
                "Nobody plays {powers}: their units hold, do not support each other, may be "
                "supported by others, and are disbanded when they are dislodged. They never build.",
                n,
                powers=unplayed,
            )
        )
    joining = view.joining
    if joining is not None and joining.to:
        told.append(joining_words(joining, names))
    elif joining is not None:
        told.append(
            names.count(
                "After {phase} a coin is tossed for {powers}: the player who wins the toss orders "
                "its units from {start} on.",
                "After {phase} a coin is tossed for {powers}: the player who wins the toss orders "
                "their units from {start} on.",
                len(joining.powers),
                phase=names.phase(view.toss),
                powers=names.powers(joining.powers),
                start=names.phase(joining.label),
            )
        )
    if view.is_shared and view.by_player:
        told.append(
            names.say(
                "Each power keeps its own centers, and builds and disbands by their number. A "
                "player wins with powers that have {n} centers together.",
                n=view.victory_centers,
            )
        )
    elif view.is_shared:
        told.append(
            names.say(
                "Each power keeps its own centers, and builds and disbands by their number. A "
                "player wins with one power that has {n} centers.",
                n=view.victory_centers,
            )
        )
    return tuple(told)


def _own_rules(view: View, names: Names) -> Iterator[str]:
    """What players of other variants would not expect: a railway, a canal, turns of other length.

    Rule: Colonial rulebook (seed 004) 9.2 and 9.3.
    """
    variant = choose(view.variant, view.options)
    for hook in variant.hooks:
        if isinstance(hook, Railway):
            first, last = hook.stations[0], hook.stations[-1]
            yield names.say(
                "Railway ({places}): each turn one army of {powers} may ride along it, as far as "
                "no foreign unit is in its way. The order is A {first} - TSR - {last}.",
                places=", ".join(hook.stations),
                powers=names.powers(hook.powers),
                first=first,
                last=last,
            )
        if isinstance(hook, Canal):
            one, other = hook.ends
            yield names.say(
                "Canal: while a unit stands in {place}, fleets pass between {one} and {other}. A "
                "fleet of another power needs its permission: SC, the power, F {first} - {last}.",
                place=names.province(hook.province),
                one=names.area(one),
                other=names.area(other),
                first=one,
                last=other,
            )
    turns, years = len(variant.calendar.turns), variant.calendar.cycle_years
    if years > 1:
        yield names.say(
            "Calendar: a turn is {n} years. Supply centers are counted after every {turns} turns "
            "({years} years); only then are units built or disbanded.",
            n=years // turns,
            turns=turns,
            years=years,
        )


def joining_words(joining: Joining, names: Names) -> str:
    """What a coin has said: `The coin has been tossed: Italy joins Austria and Turkey.`"""
    return names.count(
        "The coin has been tossed: {powers} joins {others}. Their player orders its units from "
        "{phase} on, and its provinces are open then.",
        "The coin has been tossed: {powers} join {others}. Their player orders these units from "
        "{phase} on, and the closed provinces are open then.",
        len(joining.powers),
        powers=names.powers(joining.powers),
        others=names.powers(joining.to),
        phase=names.phase(joining.label),
    )
