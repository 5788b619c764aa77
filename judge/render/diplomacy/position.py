"""What a view shows: everybody's units and centers, and how this game is played; and a board in
words: its powers, how it begins and is won, and what each province borders on."""

from collections.abc import Sequence

from msgspec.structs import astuple

from judge.blocks import Block, Pairs, Row, Titled
from judge.diplomacy.board import Terrain
from judge.diplomacy.canal import Canal
from judge.diplomacy.orders import PowerId, Unit, UnitKind
from judge.diplomacy.power_assignment import joining_by_toss, running_variant
from judge.diplomacy.railway import Railway
from judge.diplomacy.records import Joining, PhaseReport, View
from judge.diplomacy.rules import Disorder
from judge.diplomacy.variants.options import options_of
from judge.render.catalogue import comma_names, option_value, sentence_tables, setting_name
from judge.render.diplomacy.names import Names
from judge.rulebook import Message

SENTENCES = sentence_tables("position.toml", dict[str, Message])
TERRAINS = {
    Terrain.LAND: SENTENCES["inland"],
    Terrain.COAST: SENTENCES["coast"],
    Terrain.SEA: SENTENCES["sea"],
    Terrain.CLOSED: SENTENCES["closed"],
}


def heading_row(title: str, names: Names) -> Row:
    """`Austria:` above the rows that speak of it."""
    return Row("", names.say("{title}:", title=title))


def units_table(powers: Sequence[PowerId], units: Sequence[Unit], names: Names) -> Pairs:
    """One line a power: `France   A PAR, F BRE`."""
    texts: dict[PowerId, list[str]] = {power: [] for power in powers}
    for unit in units:
        if unit.power in texts:
            texts[unit.power].append(str(unit))
    return Pairs([(names.power(power), ", ".join(own)) for power, own in texts.items() if own])


def ownership_table(seen: View | PhaseReport, units: Sequence[Unit], names: Names) -> Pairs:
    """One line a power with its centers, their number and that of its units; then unowned ones. Of
    a blind game the centers that the reader sees, and no numbers."""
    rows, owners, unseen = [], seen.owners, seen.unseen
    for power in seen.powers:
        held = sorted(center for center, owner in owners.items() if owner == power)
        own = sum(unit.power == power for unit in units)
        if held and unseen:
            rows.append((names.power(power), ", ".join(held)))
        elif (held or own) and not unseen:
            told = names.say(
                "{centers}, {units}: {list}",
                centers=names.count("{n} center", "{n} centers", len(held)),
                units=names.count("{n} unit", "{n} units", own),
                list=", ".join(held) or names.say("none"),
            )
            rows.append((names.power(power), told))
    free = [each for each in names.variant.board.centers if each not in (*owners, *unseen)]
    if free:
        rows.append((names.say("Nobody"), ", ".join(free)))
    return Pairs(rows)


def position_words(view: View, names: Names) -> tuple[Block, ...]:
    """Everyone's units, dislodged ones too, and everyone's centers; of a blind game those that the
    reader sees."""
    if view.unseen and not (view.units or view.owners or view.dislodged):
        return (names.tell(SENTENCES["hidden"]),)
    title = names.tell(SENTENCES["seen_units"]) if view.unseen else names.say("Units:")
    sections: list[Block] = [Titled(title, units_table(view.powers, view.units, names))]
    dislodged = [each.unit for each in view.dislodged]
    if dislodged:
        rows = [(names.power(unit.power), str(unit)) for unit in dislodged]
        sections.append(Titled(names.say("Dislodged:"), Pairs(rows)))
    table = ownership_table(view, [*view.units, *dislodged], names)
    title = names.tell(SENTENCES["seen_centers"]) if view.unseen else names.say("Supply centers:")
    sections.append(Titled(title, table))
    return tuple(sections)


def variant_notes(view: View, names: Names) -> tuple[str, ...]:
    """The variant's own rules; who is not played, what is closed, what a coin will say or has said,
    and what wins where a player has several powers.

    Rule: Colonial rulebook (seed 004) 9.2 and 9.3, of the railway and the canal.
    """
    told: list[str] = []
    variant, joining = running_variant(view), joining_by_toss(view)
    for hook in variant.hooks:
        match hook:
            case Railway():
                values = {"places": ", ".join(hook.stations), "powers": names.powers(hook.powers)}
                first, last = hook.stations[0], hook.stations[-1]
                told.append(names.tell(SENTENCES["railway"], first=first, last=last, **values))
            case Canal():
                (first, last), place = hook.ends, names.province(hook.province)
                values = {
                    "place": place,
                    "one": names.province_in_sentence(first),
                    "other": names.province_in_sentence(last),
                }
                told.append(names.tell(SENTENCES["canal"], first=first, last=last, **values))
    turns, years = len(variant.calendar.turns), variant.calendar.cycle_years
    if years > 1:
        told.append(names.tell(SENTENCES["calendar"], years // turns, turns=turns, years=years))
    if unplayed := [power for power in variant.power_ids if power in variant.unplayed]:
        values = {"powers": names.powers(unplayed), "places": ", ".join(sorted(variant.closed))}
        key = "supporting" if variant.customs.disorder is Disorder.SUPPORT else "unplayed"
        key = "neutral" if variant.closed else key
        told.append(names.tell(SENTENCES[key], len(unplayed), **values))
    if joining is not None and joining.to:
        told.append(coin_toss_words(joining, names))
    elif joining is not None:
        values = {"phase": names.phase(str(variant.toss)), "start": names.phase(joining.label)}
        powers = names.powers(joining.powers)
        told.append(names.tell(SENTENCES["toss"], len(joining.powers), powers=powers, **values))
    if any(len(powers) > 1 for powers in variant.seating.values()):
        key = f"{variant.victory_by}_wins"
        told.append(names.tell(SENTENCES[key], variant.victory_centers))
    for team in variant.teams:
        powers = names.powers(team)
        told.append(names.tell(SENTENCES["team"], variant.victory_centers, powers=powers))
    told += [names.tell(SENTENCES[key]) for key in astuple(variant.customs) if key in SENTENCES]
    return tuple(told)


def coin_toss_words(joining: Joining, names: Names) -> str:
    """What a coin has said: `The coin has been tossed: Italy joins Austria and Turkey.`"""
    return names.tell(
        SENTENCES["tossed"],
        len(joining.powers),
        powers=names.powers(joining.powers),
        others=names.powers(joining.to),
        phase=names.phase(joining.label),
    )


def board_words(names: Names) -> tuple[Block, ...]:
    """What a player looks up: powers with units and centers, options, provinces."""
    variant, count = names.variant, len(names.variant.board.centers)
    first = names.phase(str(variant.calendar.first()))
    begins = names.tell(SENTENCES["begins"], variant.victory_centers, phase=first, centers=count)
    powers = []
    for power in variant.powers:
        units = ", ".join(map(str, power.start_units)) or names.say("none")
        centers = ", ".join(sorted(power.home_centers)) or names.say("none")
        told = names.say("{units}; home centers {centers}", units=units, centers=centers)
        powers.append((names.power(power.id), told))

    options = []  # `home, any`, or from `1 - 34`
    for option in options_of(variant):
        choices = " - ".join(option.values)
        if not option.is_count:
            named = [
                "+".join(map(names.power, map(PowerId, value.split("+"))))  # a team
                if "+" in value
                else option_value(value, names)
                for value in option.values
            ]
            choices = comma_names(named, names)
        options.append((setting_name(option.key, names), choices))

    board, provinces = variant.board, []
    for province in board.provinces.values():  # `PAR`, `Paris (center, inland): A BRE, BUR, GAS`
        what = [names.tell(SENTENCES["center"])] if province.is_center else []
        what.append(names.tell(TERRAINS[province.terrain]))
        ways = []
        for kind in UnitKind:
            for stand in board.possible_locations(kind, province.id):
                goals = ", ".join(map(str, board.adjacent_locations(kind, stand)))
                at = f"{kind} ({stand.coast})" if stand.coast else f"{kind}"
                ways += [f"{at} {goals}"] if goals else []
        values = {"name": names.province(province.id), "what": comma_names(what, names)}
        told = names.say("{name} ({what})", **values)
        if ways:
            told = names.say("{name} ({what}): {ways}", ways="; ".join(ways), **values)
        provinces.append((str(province.id), told))
    return (
        begins,
        Titled(names.say("Powers:"), Pairs(powers)),
        Titled(names.say("Options:"), Pairs(options)) if options else "",
        Titled(names.say("Provinces:"), Pairs(provinces)),
    )
