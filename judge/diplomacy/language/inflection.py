"""How order words end: 이동 as 이동합니다, 옮기다 as 옮깁니다 and 옮겨 주세요, 進む as 進み.

The words are data, in `grammar/<language>/orders.toml`: `verbs` names the stems of each row of
`inflection.bases`, which has the bases of a stem; `inflection.endings` has what follows each base
where an order is given, `inflection.doubted` what makes something else of it: the past, a
condition, a possibility (갔습니다, 行けば). Free of any variant.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from judge.data import language_data


class Endings(Struct, frozen=True):
    """What may follow a word; `doubted`: those of them after which it is no order."""

    sure: frozenset[str] = frozenset()
    doubted: frozenset[str] = frozenset()

    def __or__(self, other: "Endings") -> "Endings":
        return Endings(self.sure | other.sure, self.doubted | other.doubted)

    def at(self, text: str, start: int) -> str | None:
        """The longest ending that stands at a position of a text; None if there is none."""
        found = _any_of(self).match(text, start)
        return found[0] if found else None


@lru_cache(maxsize=1 << 10)
def _any_of(endings: Endings) -> re.Pattern[str]:
    ordered = sorted(endings.sure | endings.doubted, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered)))


def inflected() -> Iterator[tuple[str, str, Endings]]:
    """(name, use, endings) of each word of more than one sign that takes endings, in all languages;
    names and uses as in `said_in_orders`."""
    for language in language_data("orders.toml").values():
        table = language.get("inflection", {})
        bases = table.get("bases", {})
        of_base = {
            base: Endings(
                frozenset(table["endings"].get(base, ())),
                frozenset(table["doubted"].get(base, ())),
            )
            for base in {base for row in bases.values() for base in row}
        }
        of_nouns = Endings(frozenset((*language["endings"], "")))
        for row in table.get("of_nouns", ()):
            for base, sign in bases[row].items():
                of_nouns |= Endings(
                    frozenset(sign + ending for ending in of_base[base].sure),
                    frozenset(sign + ending for ending in of_base[base].doubted),
                )
        for name, use in _nouns(language) if len(of_nouns.sure) > 1 else ():
            yield from _based(name, use, of_nouns)
        for use, rows in language.get("verbs", {}).items():
            for row, stems in rows.items():
                for stem in stems:
                    for base, sign in bases[row].items():
                        yield from _based(stem + sign, use, of_base[base])


def _nouns(language: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    uses: Mapping[str, Sequence[str]] = {
        **language["orders"],
        "move_after": language["move_after"],
    }
    for use, names in uses.items():
        if use not in ("army", "fleet"):
            yield from ((name, use) for name in names if len(name) > 1 or use != "move_after")


def _based(name: str, use: str, endings: Endings) -> Iterator[tuple[str, str, Endings]]:
    """A base with its endings; one of a single sign, which may be a particle, written out."""
    if len(name) > 1:
        yield name, use, endings
        return
    bare = frozenset(("",))
    yield from ((name + end, use, Endings(sure=bare)) for end in endings.sure if end)
    yield from ((name + end, use, Endings(doubted=bare)) for end in endings.doubted if end)
