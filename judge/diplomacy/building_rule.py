"""Where powers may build: four rules that a variant, or a game, may choose from.

Knows nothing of positions; whether a center is open is looked at in adjustments.py.
"""

from enum import StrEnum


class Builds(StrEnum):
    """In which of the centers that a power owns it may build. Old judges' names in brackets."""

    HOME = "home"  # its own home centers
    ANY_HOME = "any_home"  # home centers of any power
    ONE_HOME = "one_home"  # all, while it owns one of its own home centers (ONE CENTER)
    ANY = "any"  # all (ANY CENTER)
