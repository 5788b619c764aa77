"""What may be wrong with the data of a board: a list of checks, each with its sentence and the path
it speaks of.

Knows nothing of powers; the keys of the file are sound already (tables.py).
"""

from collections.abc import Iterable, Iterator

from judge.diplomacy.board import Terrain
from judge.diplomacy.orders import UnitKind
from judge.diplomacy.variants.tables import BoardTables
from judge.toml_lines import Path

SOLID = (Terrain.LAND, Terrain.COAST)
WET = (Terrain.SEA, Terrain.COAST)

Checks = Iterator[tuple[object, str, Path]]  # each true if that is wrong


def board_checks(board: BoardTables) -> Checks:
    """All that may be wrong with a board by itself."""
    yield not board.provinces, "provinces: there are none", ("provinces",)
    seen: set[str] = set()
    for at, row in enumerate(board.provinces):
        is_id = row.id.isascii() and row.id.isalpha() and row.id.isupper() and len(row.id) == 3
        has_double = len(set(row.coasts)) != len(row.coasts)
        for is_wrong, text in (
            (not is_id, "is no id of three capital letters"),
            (row.id in seen, "stands there twice"),
            (not row.name.strip(), "has no name"),
            (row.coasts and row.kind is not Terrain.COAST, f"has coasts but is {row.kind}"),
            (len(row.coasts) == 1, "has one coast alone, which needs no name"),
            (has_double, "has a coast twice"),
            (row.center and row.kind not in SOLID, f"is a supply center on {row.kind}"),
        ):
            yield is_wrong, f"provinces: {row.id} {text}", ("provinces", at)
        seen.add(row.id)
    stands = standing_places(board)
    yield from _way_checks("army", board.army, stands[UnitKind.ARMY])
    yield from _way_checks("fleet", board.fleet, stands[UnitKind.FLEET])
    yield from _alias_checks(board)


def standing_places(board: BoardTables) -> dict[UnitKind, set[str]]:
    """Where armies and fleets can stand, as the file writes it."""
    coasts = {row.id: [f"{row.id}/{coast}" for coast in row.coasts] for row in board.provinces}
    wet = [coasts[row.id] or [row.id] for row in board.provinces if row.kind in WET]
    return {
        UnitKind.ARMY: {row.id for row in board.provinces if row.kind in SOLID},
        UnitKind.FLEET: {place for places in wet for place in places},
    }


def _way_checks(kind: str, ways: dict[str, str], stands: set[str]) -> Checks:
    listed = {origin: targets.split() for origin, targets in ways.items()}
    for origin, targets in listed.items():
        path = (kind, origin)
        yield origin not in stands, f"{kind}: no {kind} can stand in {origin}", path
        for number, target in enumerate(targets):
            way = f"{kind}: {origin} leads to {target}"
            may_stand, back = target in stands, listed.get(target, ())
            yield not may_stand, f"{way}, where no {kind} can stand", path
            yield may_stand and target == origin, f"{kind}: {origin} leads to itself", path
            is_one_way = may_stand and target != origin and origin not in back
            yield is_one_way, f"{way}, but {target} not to {origin}", path
            yield target in targets[:number], f"{way} twice", path
    for place in sorted(stands):
        yield place not in listed, f"{kind}: {place} leads nowhere", (kind,)


def _alias_checks(board: BoardTables) -> Checks:
    ids = {row.id for row in board.provinces}
    meanings: dict[str, str] = {}
    for at, row in enumerate(board.provinces):
        for number, alias in enumerate(row.aliases):
            path = ("provinces", at, "aliases", number)
            where, other = f"provinces: alias {alias}", meanings.setdefault(alias, row.id)
            is_id = alias in ids and alias != row.id
            yield is_id, f"{where} of {row.id} is another province's id", path
            yield other != row.id, f"{where} means both {other} and {row.id}", path
    known = ids | {f"{row.id}/{coast}" for row in board.provinces for coast in row.coasts}
    for place in board.coast_aliases:
        text = f"coast_aliases: there is no {place}"
        yield place not in known, text, ("coast_aliases", place)
    for alias, places in board.ambiguous_aliases.items():
        for place in places:
            text = f"ambiguous_aliases: {alias} may mean {place}, which does not exist"
            yield place not in known, text, ("ambiguous_aliases", alias)


def reach_checks(board: BoardTables, starts: Iterable[str]) -> Checks:
    """Provinces to which no unit ever comes from where the powers begin."""
    neighbors: dict[str, set[str]] = {}
    for ways in (board.army, board.fleet):
        for origin, targets in ways.items():
            near = neighbors.setdefault(province_of(origin), set())
            near.update(province_of(target) for target in targets.split())
    seen, edge = set(starts), set(starts)
    while edge:
        edge = {way for at in edge for way in neighbors.get(at, ())} - seen
        seen |= edge
    for at, row in enumerate(board.provinces):
        is_lonely = row.kind is not Terrain.CLOSED and row.id not in seen
        text = f"provinces: {row.id} cannot be reached from where the powers begin"
        yield is_lonely, text, ("provinces", at)


def province_of(place: str) -> str:
    """`STP` of `STP/SC`."""
    return place.partition("/")[0]
