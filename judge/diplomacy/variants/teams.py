"""Teams: powers of several players that win together, as a master writes them in `teams:`."""

import re

from judge.diplomacy.orders import PowerId
from judge.diplomacy.variants.variant import Variant

LEAST = 2  # powers of a team
BETWEEN_TEAMS, WITHIN_A_TEAM = re.compile(r"[/,;\uff0c\u3001\uff1b]"), re.compile(r"[+&]")

Teams = tuple[tuple[PowerId, ...], ...]


def teams_named(variant: Variant, written: str) -> str:
    """`Turkey + Austria, 프랑스+영국` as it is kept, in the order of the board:
    `AUSTRIA+TURKEY/ENGLAND+FRANCE`. Empty where a name is no power's, a power stands twice, or a
    team has all powers or a single one."""
    ids = {
        name.casefold(): power
        for power in variant.power_ids
        for names in (
            variant.power(power).names,
            *(table["powers"].get(power, ()) for table in variant.local.values()),
        )
        for name in names
    }
    rank = {power: at for at, power in enumerate(variant.power_ids)}
    teams: list[list[PowerId]] = []
    for part in BETWEEN_TEAMS.split(written):
        found = [ids.get(name.strip().casefold()) for name in WITHIN_A_TEAM.split(part)]
        members = [power for power in found if power is not None]
        if len(members) < len(found) or not LEAST <= len(members) < len(rank):
            return ""
        teams.append(sorted(members, key=rank.__getitem__))
    every = [power for team in teams for power in team]
    if len({*every}) < len(every):
        return ""
    return "/".join("+".join(team) for team in sorted(teams, key=lambda team: rank[team[0]]))


def teams_kept(value: str) -> Teams:
    """The teams of a value that `teams_named` gave."""
    return tuple(tuple(map(PowerId, team.split("+"))) for team in value.split("/"))
