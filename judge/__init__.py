"""A judge for games of diplomacy by e-mail."""

__version__ = "0.1.0"
