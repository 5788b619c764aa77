"""Ids and aliases of a map in our form: three capital letters, and what else may be written.

An alias that means two places goes to the ambiguous ones; an id always wins.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from string import ascii_uppercase

import msgspec

from judge.diplomacy.language.lexicon import key_of as joined
from judge.diplomacy.language.lexicon import said_in_orders
from judge.diplomacy.language.normalize import normalize
from judge.diplomacy.name_collisions import WON_BY_IDS
from judge.importing.draft import Alias, Area, Draft

_ID = re.compile(r"[A-Z]{3}")


class Names(msgspec.Struct, frozen=True):
    """Ids by an area's key, and aliases in capitals."""

    ids: Mapping[str, str]
    # Of provinces by id, and of locations with a coast by `SPA/NC`.
    aliases: Mapping[str, list[str]]
    ambiguous: Mapping[str, list[str]]  # by alias, the provinces that it may mean


def key_of(name: str) -> str:
    """How names are compared: in small letters, without accents and joints."""
    return joined(normalize(name).text)


def make_names(draft: Draft) -> Names:
    """Ids and aliases of all areas. What is written otherwise than in the map is noted."""
    powers = {
        key_of(name): power.name
        for power in draft.powers
        for name in (power.name, power.adjective)
        if name
    }
    words = {key_of(name) for name, _ in said_in_orders()}
    strict = {key_of(name) for name, use in said_in_orders() if use not in WON_BY_IDS}
    ids = _ids(draft, {key.upper() for key in strict | powers.keys()})
    aliases: dict[str, list[str]] = {}
    ambiguous: dict[str, list[str]] = {}
    unclear = {
        key_of(alias.text): (alias, area)
        for area in reversed(draft.areas.values())
        for alias in area.aliases
        if alias.is_unclear
    }
    for key, (text, places) in _meanings(draft, ids, words).items():
        alias, area = unclear.get(key, (None, None))
        if len(places) > 1 and key in powers:
            said = f"the alias {text.lower()} of {' and '.join(places)}, which is {powers[key]} too"
            draft.leave_out(said, area.place if area else None)
            continue
        if alias and area:
            said = f"{area.name}: the alias {alias.text} is read where a place is meant"
            draft.assume(said, area.place)
        if len(places) > 1:
            ambiguous[text] = places
        else:
            aliases.setdefault(places[0], []).append(text)
    return Names(
        ids,
        {place: sorted(each) for place, each in sorted(aliases.items())},
        dict(sorted(ambiguous.items())),
    )


def _ids(draft: Draft, barred: set[str]) -> dict[str, str]:
    """An id for each area: its first abbreviation if that is of three letters, else another.

    It is no power's name, and no word of orders but those that give way to it.
    """
    ids = {key: key.upper() for key in draft.areas}
    ids = {key: id_ for key, id_ in ids.items() if _ID.fullmatch(id_) and id_ not in barred}
    words = {key_of(alias.text).upper() for area in draft.areas.values() for alias in area.aliases}
    for area in draft.areas.values():
        if area.key in ids:
            continue
        taken = set(ids.values()) | barred
        mine = [key_of(alias.text).upper() for alias in area.aliases if alias.coast is None]
        own = next((word for word in mine if _ID.fullmatch(word) and word not in taken), None)
        made = (each for each in _made_ids(area) if each not in taken and each not in words)
        ids[area.key] = own or next(made)
        text = f"{area.name}: {area.key} has the id {ids[area.key]}, of three letters"
        draft.assume(text, area.place)
    return {key: ids[key] for key in draft.areas}


def _made_ids(area: Area) -> Iterator[str]:
    """Ids from the letters of the abbreviation, then of the name, then any."""
    for source in (area.key, area.name):
        letters = re.sub(r"[^A-Z]", "", key_of(source).upper())[:13]
        yield from (letters[0] + one + two for one, two in combinations(letters[1:], 2))
    yield from map("".join, product(ascii_uppercase, repeat=3))


def _meanings(
    draft: Draft, ids: Mapping[str, str], words: set[str]
) -> dict[str, tuple[str, list[str]]]:
    """By `key_of`, how an alias is written and what it may mean. A word of orders is none."""
    own = {id_.lower(): id_ for id_ in ids.values()}
    meanings: dict[str, tuple[str, list[str]]] = {}
    for area in draft.areas.values():
        id_ = ids[area.key]
        for alias in (Alias(area.name), *area.aliases):
            key = key_of(alias.text)
            if not key or key == id_.lower():
                continue
            if key in words and alias.text == area.name:
                text = f"the name {area.name} is a word of orders; call it otherwise"
                draft.fault(text, area.place)
            elif key in words:
                text = f"{area.name}: the alias {alias.text}, a word of orders"
                draft.leave_out(text, area.place)
            else:
                has_coast = alias.coast and len(draft.coasts(area.key)) > 1
                place = f"{id_}/{str(alias.coast).upper()}" if has_coast else id_
                text = " ".join(alias.text.upper().split())
                _, known = meanings.setdefault(key, (text, [own[key]] if key in own else []))
                if place not in known:
                    known.append(place)
    return meanings
