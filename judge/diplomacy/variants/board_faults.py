"""What is wrong with the data of a board: each fault is a sentence with its file and line.

Knows nothing of powers; the keys of the file are sound already (variant_shape.py).
"""

from collections.abc import Iterator, Mapping
from typing import Any

from judge.diplomacy.board import Terrain
from judge.diplomacy.orders import Coast
from judge.diplomacy.variants.files import Document, VariantFault

SOLID = (Terrain.LAND, Terrain.COAST)
WET = (Terrain.SEA, Terrain.COAST)


def board_faults(board: Document) -> Iterator[VariantFault]:
    """All faults of a board by itself."""
    yield from _province_faults(board)
    stands = standing_places(board.data)
    for kind, places in stands.items():
        yield from _way_faults(board, kind, places)
    yield from _alias_faults(board)


def standing_places(data: Mapping[str, Any]) -> dict[str, set[str]]:
    """Where armies and fleets can stand, as the file writes it."""
    stands: dict[str, set[str]] = {"army": set(), "fleet": set()}
    for row in data["provinces"]:
        if row["kind"] in SOLID:
            stands["army"].add(row["id"])
        if row["kind"] in WET:
            stands["fleet"] |= {f"{row['id']}/{c}" for c in row.get("coasts", ())} or {row["id"]}
    return stands


def _province_faults(board: Document) -> Iterator[VariantFault]:
    seen: set[str] = set()
    if not board.data["provinces"]:
        yield board.fault("provinces: there are none", "provinces")
    for at, row in enumerate(board.data["provinces"]):
        for text in _row_faults(row, seen):
            yield board.fault(f"provinces: {row['id']} {text}", "provinces", at)
        seen.add(row["id"])


def _row_faults(row: Mapping[str, Any], seen: set[str]) -> Iterator[str]:
    id_, kind, coasts = row["id"], row["kind"], row.get("coasts", ())
    if not (id_.isascii() and id_.isalpha() and id_.isupper() and len(id_) == 3):
        yield "is no id of three capital letters"
    if id_ in seen:
        yield "stands there twice"
    if not row["name"].strip():
        yield "has no name"
    if kind not in set(Terrain):
        yield f"is a {kind}, which is no kind of province; there are {', '.join(Terrain)}"
        return
    if coasts and kind != Terrain.COAST:
        yield f"has coasts but is {kind}"
    for coast in coasts:
        if coast not in set(Coast):
            yield f"has the coast {coast}; there are {', '.join(Coast)}"
    if len(set(coasts)) != len(coasts) or len(coasts) == 1:
        yield "has a coast twice" if len(coasts) > 1 else "has one coast alone, which needs no name"
    if row.get("center") and kind not in SOLID:
        yield f"is a supply center on {kind}"


def _way_faults(board: Document, kind: str, stands: set[str]) -> Iterator[VariantFault]:
    ways: Mapping[str, str] = board.data[kind]
    for origin, listed in ways.items():
        if origin not in stands:
            yield board.fault(f"{kind}: no {kind} can stand in {origin}", kind, origin)
        targets = listed.split()
        for target in targets:
            if target not in stands:
                text = f"{kind}: {origin} leads to {target}, where no {kind} can stand"
            elif target == origin:
                text = f"{kind}: {origin} leads to itself"
            elif origin not in ways.get(target, "").split():
                text = f"{kind}: {origin} leads to {target}, but {target} not to {origin}"
            else:
                continue
            yield board.fault(text, kind, origin)
        for target in sorted({one for one in targets if targets.count(one) > 1}):
            yield board.fault(f"{kind}: {origin} leads to {target} twice", kind, origin)
    for place in sorted(stands - set(ways)):
        yield board.fault(f"{kind}: {place} leads nowhere", kind)


def _alias_faults(board: Document) -> Iterator[VariantFault]:
    rows = board.data["provinces"]
    ids = {row["id"] for row in rows}
    meanings: dict[str, str] = {}
    for at, row in enumerate(rows):
        for number, alias in enumerate(row.get("aliases", ())):
            path = ("provinces", at, "aliases", number)
            if alias in ids and alias != row["id"]:
                text = f"provinces: alias {alias} of {row['id']} is another province's id"
                yield board.fault(text, *path)
            other = meanings.setdefault(alias, row["id"])
            if other != row["id"]:
                text = f"provinces: alias {alias} means both {other} and {row['id']}"
                yield board.fault(text, *path)
    known = {
        f"{row['id']}{tail}"
        for row in rows
        for tail in ("", *(f"/{coast}" for coast in row.get("coasts", ())))
    }
    for place in board.data.get("coast_aliases", {}):
        if place not in known:
            yield board.fault(f"coast_aliases: there is no {place}", "coast_aliases", place)
    for alias, places in board.data.get("ambiguous_aliases", {}).items():
        for place in places:
            if place not in known:
                text = f"ambiguous_aliases: {alias} may mean {place}, which does not exist"
                yield board.fault(text, "ambiguous_aliases", alias)


def reach_faults(board: Document, starts: set[str]) -> Iterator[VariantFault]:
    """Provinces to which no unit ever comes from where the powers begin."""
    neighbors: dict[str, set[str]] = {}
    for kind in ("army", "fleet"):
        for origin, listed in board.data[kind].items():
            near = neighbors.setdefault(_province(origin), set())
            near |= {_province(target) for target in listed.split()}
    seen, edge = set(starts), list(starts)
    while edge:
        edge = [way for at in edge for way in neighbors.get(at, ()) if way not in seen]
        edge = list(dict.fromkeys(edge))
        seen.update(edge)
    for at, row in enumerate(board.data["provinces"]):
        if row["kind"] != Terrain.CLOSED and row["id"] not in seen:
            text = f"provinces: {row['id']} cannot be reached from where the powers begin"
            yield board.fault(text, "provinces", at)


def _province(place: str) -> str:
    return place.partition("/")[0]
