"""What is wrong with the data of a board: each fault is a sentence and the path it speaks of.

Knows nothing of powers; the keys of the file are sound already (tables.py).
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from judge.diplomacy.board import Terrain
from judge.diplomacy.orders import UnitKind
from judge.diplomacy.variants.tables import BoardTables, ProvinceTable
from judge.toml_lines import Path

SOLID = (Terrain.LAND, Terrain.COAST)
WET = (Terrain.SEA, Terrain.COAST)

Found = Iterator[tuple[str, Path]]


def board_faults(board: BoardTables) -> Found:
    """All faults of a board by itself."""
    if not board.provinces:
        yield "provinces: there are none", ("provinces",)
    seen: set[str] = set()
    for at, row in enumerate(board.provinces):
        for text in _province_faults(row, is_double=row.id in seen):
            yield f"provinces: {row.id} {text}", ("provinces", at)
        seen.add(row.id)
    stands = standing_places(board)
    yield from _way_faults("army", board.army, stands[UnitKind.ARMY])
    yield from _way_faults("fleet", board.fleet, stands[UnitKind.FLEET])
    yield from _alias_faults(board)


def standing_places(board: BoardTables) -> dict[UnitKind, set[str]]:
    """Where armies and fleets can stand, as the file writes it."""
    return {
        UnitKind.ARMY: {row.id for row in board.provinces if row.kind in SOLID},
        UnitKind.FLEET: {
            place
            for row in board.provinces
            if row.kind in WET
            for place in _coasts(row) or [row.id]
        },
    }


def _coasts(row: ProvinceTable) -> list[str]:
    return [f"{row.id}/{coast}" for coast in row.coasts]


def _province_faults(row: ProvinceTable, *, is_double: bool) -> Iterator[str]:
    if not (row.id.isascii() and row.id.isalpha() and row.id.isupper() and len(row.id) == 3):
        yield "is no id of three capital letters"
    if is_double:
        yield "stands there twice"
    if not row.name.strip():
        yield "has no name"
    if row.coasts and row.kind is not Terrain.COAST:
        yield f"has coasts but is {row.kind}"
    if len(row.coasts) == 1:
        yield "has one coast alone, which needs no name"
    elif len(set(row.coasts)) != len(row.coasts):
        yield "has a coast twice"
    if row.center and row.kind not in SOLID:
        yield f"is a supply center on {row.kind}"


def _way_faults(kind: str, ways: dict[str, str], stands: set[str]) -> Found:
    listed = {origin: targets.split() for origin, targets in ways.items()}
    for origin, targets in listed.items():
        if origin not in stands:
            yield f"{kind}: no {kind} can stand in {origin}", (kind, origin)
        for target in targets:
            where = f"{kind}: {origin} leads to {target}"
            if target not in stands:
                yield f"{where}, where no {kind} can stand", (kind, origin)
            elif target == origin:
                yield f"{kind}: {origin} leads to itself", (kind, origin)
            elif origin not in listed.get(target, ()):
                yield f"{where}, but {target} not to {origin}", (kind, origin)
        for target, count in Counter(targets).items():
            if count > 1:
                yield f"{kind}: {origin} leads to {target} twice", (kind, origin)
    for place in sorted(stands - set(listed)):
        yield f"{kind}: {place} leads nowhere", (kind,)


def _alias_faults(board: BoardTables) -> Found:
    ids = {row.id for row in board.provinces}
    meanings: dict[str, str] = {}
    for at, row in enumerate(board.provinces):
        for number, alias in enumerate(row.aliases):
            path = ("provinces", at, "aliases", number)
            if alias in ids and alias != row.id:
                yield f"provinces: alias {alias} of {row.id} is another province's id", path
            other = meanings.setdefault(alias, row.id)
            if other != row.id:
                yield f"provinces: alias {alias} means both {other} and {row.id}", path
    known = ids.union(*map(_coasts, board.provinces))
    for place in board.coast_aliases:
        if place not in known:
            yield f"coast_aliases: there is no {place}", ("coast_aliases", place)
    for alias, places in board.ambiguous_aliases.items():
        for place in places:
            if place not in known:
                text = f"ambiguous_aliases: {alias} may mean {place}, which does not exist"
                yield text, ("ambiguous_aliases", alias)


def reach_faults(board: BoardTables, starts: Iterable[str]) -> Found:
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
        if row.kind is not Terrain.CLOSED and row.id not in seen:
            text = f"provinces: {row.id} cannot be reached from where the powers begin"
            yield text, ("provinces", at)


def province_of(place: str) -> str:
    """`STP` of `STP/SC`."""
    return place.partition("/")[0]
