"""docs/features.md, made from the rows of the commands, the settings and tests/host/features.toml.

`.venv/bin/python -m tests.host.features` writes it.
"""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from judge.data import read_text
from judge.host.commands import COMMANDS
from judge.host.games.choosing import setting_names
from judge.rulebook import DEFAULT_GAME, load_game

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "features.md"
FEATURES: dict[str, Any] = tomllib.loads((HERE / "features.toml").read_text(encoding="utf-8"))
HELP: dict[str, Any] = tomllib.loads(read_text("locale", "en", "listings.toml"))
SETTING_TEST = "test_features.py::test_a_setting_is_chosen_in_create"
HEAD = """# What there is, and the test that sends it by mail

This page is made from what the code declares; `.venv/bin/python -m tests.host.features` writes it.
A test is a function of `tests/host/`. That everybody else is refused, at every stage of a game, is
tested for all commands together by `test_permissions.py`.
"""


def settings() -> list[tuple[str, str]]:
    """Every setting of CREATE and one value for it; a variant's option with its variant."""
    rulebook = load_game(DEFAULT_GAME)
    found = [(name, FEATURES["settings"].get(name, "")) for name in setting_names(rulebook)]
    options = {
        option.key: (variant, option)
        for variant in reversed(rulebook.variants())
        for option in rulebook.variant_options(variant)
    }
    for key, (variant, option) in sorted(options.items()):
        value = option.values[0].split(" - ")[0] if option.is_count else option.values[0]
        found.append((key, value if variant == "standard" else f"{value}\nvariant: {variant}"))
    return found + [(one.key, one.values[0]) for one in rulebook.rule_options()]


def values_of(name: str) -> Sequence[str]:
    """What a setting takes, where that is a closed list."""
    rulebook = load_game(DEFAULT_GAME)
    closed = {"variant": rulebook.variants(), "rules": rulebook.rule_names()}
    if name in closed:
        return closed[name]
    own = [one for each in rulebook.variants() for one in rulebook.variant_options(each)]
    options = [one for one in (*rulebook.rule_options(), *own) if one.key == name]
    return tuple(dict.fromkeys(str(value) for one in options for value in one.values))


def page() -> str:
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield HEAD
    yield "## Commands\n"
    yield "| command | what it does | who may | when | test |"
    yield "| --- | --- | --- | --- | --- |"
    for one in COMMANDS:
        who, when = HELP["who"][one.who], HELP["when"][one.when]
        test = FEATURES["commands"].get(one.rule, "")
        yield f"| `{one.usage}` | {one.summary} | {who} | {when} | `{test}` |"
    yield "\n## Settings\n"
    yield "The master of a game chooses them in the lines below CREATE, until it is open to JOIN."
    yield f"Each is sent by `{SETTING_TEST}`.\n"
    yield "| setting | values |"
    yield "| --- | --- |"
    for name, value in settings():
        known = values_of(name)
        shown = ", ".join(f"`{one}`" for one in known) or f"as `{value}`"
        yield f"| `{name}` | {shown} |"
    yield "\n## Not built yet\n"
    yield "What the old judges or their users have, and this one is to have. The number is that of"
    yield "the issue that builds it.\n"
    yield "| what | issue |"
    yield "| --- | --- |"
    for issue, rows in FEATURES["not_built"].items():
        yield from (f"| {row} | {issue} |" for row in rows)
    yield "\n## Left out\n"
    yield "| what | why |"
    yield "| --- | --- |"
    yield from (f"| {what} | {why} |" for what, why in FEATURES["left_out"].items())
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
