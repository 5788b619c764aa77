"""Opens the data files that ship with the program: `grammar/`, `config/` and `locale/`.

A checkout and an installed wheel behave alike; no other module builds a path to these files. The
program names the variants beside the shipped ones here, once, when it starts.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

_PACKAGE = files("judge")
_CHECKOUT = Path(__file__).resolve().parent.parent


def shipped(*parts: str) -> Traversable:
    """The shipped file or folder, such as `shipped("grammar", "orders.lark")`.

    Raises:
        FileNotFoundError: nothing of that name is shipped.
    """
    for inside in (_PACKAGE.joinpath("shipped", *parts), _PACKAGE.joinpath(*parts)):
        if inside.is_file() or inside.is_dir():
            return inside
    beside = _CHECKOUT.joinpath(*parts)
    if beside.exists():
        return beside
    raise FileNotFoundError("/".join(parts))


def read_text(*parts: str) -> str:
    """The text of a shipped file, UTF-8."""
    return shipped(*parts).read_text(encoding="utf-8")


@cache
def language_data(file: str) -> Mapping[str, Mapping[str, Any]]:
    """What `grammar/<language>/<file>` holds, a TOML table by language, in the languages' order;
    without the languages that have no such file."""
    names = sorted(each.name for each in shipped("grammar").iterdir() if each.is_dir())
    return {
        name: tomllib.loads(read_text("grammar", name, file))
        for name in names
        if shipped("grammar", name).joinpath(file).is_file()
    }


@cache
def game_presets() -> Mapping[str, Mapping[str, str]]:
    """The settings of each preset of CREATE, by name; `config/presets.toml`."""
    return tomllib.loads(read_text("config", "presets.toml"))


# --- variants -------------------------------------------------------------------------------------

_own_variants: dict[str, Traversable] = {}


@cache
def shipped_variants() -> Mapping[str, Traversable]:
    """The folders of the shipped variants by name, the standard game first."""
    found = {each.name: each for each in shipped("config", "variants").iterdir() if each.is_dir()}
    return {name: found[name] for name in sorted(found, key=lambda one: (one != "standard", one))}


def use_variants(folders: Mapping[str, Traversable]) -> None:
    """Have these variants beside the shipped ones: the keeper's own, by name, found sound before.

    The program calls this when it starts; a later call replaces an earlier one. The name of a
    shipped variant means the shipped one.
    """
    _own_variants.clear()
    _own_variants.update(folders)
    variant_folders.cache_clear()


@cache
def variant_folders() -> Mapping[str, Traversable]:
    """The folders of all variants by name, the shipped ones first."""
    own = {name: _own_variants[name] for name in sorted(_own_variants)}
    return {**shipped_variants(), **own, **shipped_variants()}
