"""Opens the data files that ship with the program: `grammar/`, `config/` and `locale/`.

A checkout and an installed wheel behave alike; no other module builds a path to these files.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

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
