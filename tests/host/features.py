"""docs/features.md, made from the rows of the commands, the settings and tests/host/features.toml.

`.venv/bin/python -m tests.host.features` writes it.
"""

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from judge.config import load_settings
from judge.data import read_text
from judge.host.commands import COMMANDS
from judge.host.games.choosing import fixed_faults
from judge.host.games.setting_values import setting_names
from judge.hosting import host_config
from judge.rulebook import DEFAULT_GAME, load_game

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "features.md"
FEATURES: dict[str, Any] = tomllib.loads((HERE / "features.toml").read_text(encoding="utf-8"))
CATALOGUE: dict[str, dict[str, str]] = tomllib.loads(
    (HERE / "catalogue.toml").read_text(encoding="utf-8")
)
HELP: dict[str, Any] = tomllib.loads(read_text("locale", "en", "listings.toml"))
SETTING_TEST = "test_features.py::test_a_setting_is_chosen_in_create"
CHANGE_TEST = "test_settings.py::test_every_setting_changes_or_is_refused_with_the_reason"
DEFAULTS = host_config(load_settings(None, {}, for_mail=False)).defaults
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


def is_fixed(name: str, value: str) -> bool:
    """Whether a running game cannot change a setting."""
    return bool(fixed_faults(DEFAULTS, {name: value.splitlines()[0]}))


def values_of(name: str) -> Sequence[str]:
    """What a setting takes, where that is a closed list."""
    rulebook = load_game(DEFAULT_GAME)
    closed = {"variant": rulebook.variants(), "rules": rulebook.rule_presets()}
    if name in closed:
        return closed[name]
    own = [one for each in rulebook.variants() for one in rulebook.variant_options(each)]
    options = [one for one in (*rulebook.rule_options(), *own) if one.key == name]
    return tuple(dict.fromkeys(str(value) for one in options for value in one.values))


def places(row: str) -> tuple[str, list[tuple[str, str]]]:
    """A row's verdict, and where it is here: kind (`left out`) and name."""
    verdict, _, said = row.partition(" | ")
    kinds = ("left out", "not built", "command", "setting", "letter", "test")
    found = [
        (kind, one.removeprefix(f"{kind} "))
        for one in said.split("; ")
        for kind in kinds
        if one.startswith(f"{kind} ")
    ]
    return verdict, found


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
    yield "The master of a game chooses them in the lines below CREATE, and may change those that"
    yield "are not fixed with SET while the game runs. Each is sent by"
    yield f"`{SETTING_TEST}` and by"
    yield f"`{CHANGE_TEST}`.\n"
    yield "| setting | values | while the game runs |"
    yield "| --- | --- | --- |"
    for name, value in settings():
        known = values_of(name)
        shown = ", ".join(f"`{one}`" for one in known) or f"as `{value}`"
        yield f"| `{name}` | {shown} | {'fixed' if is_fixed(name, value) else 'changes'} |"
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
    yield "\n## What the old judges have, row by row\n"
    yield "What njudge and DPjudge have and their users ask for, where it is a must or a should,"
    yield "and where it is here (`tests/host/catalogue.toml`). Letters are in `tests/transcripts`,"
    yield "settings of theirs in `tests/transcripts/old_settings.toml`."
    for section, rows in CATALOGUE.items():
        yield f"\n### {section}\n"
        yield "| row | verdict | here |"
        yield "| --- | --- | --- |"
        for row, said in rows.items():
            verdict, where = places(said)
            yield f"| {row} | {verdict} | {', '.join(f'{kind} `{name}`' for kind, name in where)} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
