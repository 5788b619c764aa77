"""The documentation: what it names is there, and what is there is named."""

import argparse
import re
import tomllib
from pathlib import Path

import pytest

from judge.cli import _parser
from judge.config import SECTIONS, load_settings
from judge.diplomacy import language
from judge.diplomacy.language.grammar import Fault
from judge.diplomacy.notation import parse_order
from judge.diplomacy.variants.variant import load_variant
from judge.errors import SettingsError
from judge.host.commands import COMMANDS
from judge.rulebook import load_game

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\(([^)#]+)")
PROGRAM = re.compile(r"\bjudge ([a-z]+)\b")


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def commands() -> dict[str, argparse.ArgumentParser]:
    """The commands of the program, by name."""
    (choices,) = (
        action.choices
        for action in _parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    )
    return dict(choices)


def code_of(page: Path) -> str:
    """What stands as code in a page: blocks and spans."""
    text = text_of(page)
    messages = re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return "\n".join([*messages, *re.findall(r"`([^`\n]+)`", text)])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_inside_the_project_leads_somewhere(page: Path) -> None:
    targets = [target for target in LINK.findall(text_of(page)) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_readme_leads_with_the_two_commands() -> None:
    first = re.search(r"```sh\n(.*?)```", text_of(ROOT / "README.md"), re.DOTALL)
    assert first is not None
    assert first[1].split("\n")[:2] == ["make demo", "make test"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_target_that_is_named_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    assert set(re.findall(r"\bmake ([a-z-]+)", code_of(page))) <= targets


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "keepers.md"])
def test_every_command_line_that_is_shown_can_be_parsed(page: Path) -> None:
    shown = re.findall(r"^(?:\S*/)?judge ([a-z].*)$", code_of(page), re.MULTILINE)
    assert shown
    for line in shown:
        bare = re.sub(r"\[[^]]*\]", "", line).split()
        assert _parser().parse_args(bare).run is not None


def test_every_command_of_the_program_has_help_and_stands_in_the_keepers_page() -> None:
    page = text_of(ROOT / "docs" / "keepers.md")
    assert commands()
    for name, parser in commands().items():
        assert parser.description
        assert f"`judge {name}" in page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_names_a_command_that_is_not_there(page: Path) -> None:
    assert set(PROGRAM.findall(code_of(page))) <= set(commands())


def test_the_orders_of_the_readme_can_be_read() -> None:
    lines = re.findall(r"^    (.+)$", text_of(ROOT / "README.md"), re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        assert not isinstance(parse_order(line, load_variant("standard")), Fault), line


def test_every_section_of_the_settings_is_documented() -> None:
    page = text_of(ROOT / "docs" / "keepers.md")
    assert [name for name in SECTIONS if f"`[{name}]`" not in page] == []


def test_the_fault_that_the_keepers_page_shows_is_what_the_judge_says(tmp_path: Path) -> None:
    shown = next(
        line.strip()
        for line in text_of(ROOT / "docs" / "keepers.md").splitlines()
        if line.startswith("    /etc/judge/judge.toml, line ")
    )
    path = tmp_path / "judge.toml"
    path.write_text("\n" * 10 + "[imap]\nprt = 993\n", encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        load_settings(path, {}, for_mail=False)
    assert shown.removeprefix("/etc/judge/judge.toml") == str(caught.value).removeprefix(str(path))


def test_every_package_has_its_row_in_the_decisions() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    rows = text_of(ROOT / "docs" / "decisions.md")
    for requirement in (*project["dependencies"], *project["optional-dependencies"]["demo"]):
        name, _, version = requirement.partition("==")
        assert f"| {name} {version} |" in rows


def test_the_changelog_has_a_place_for_what_is_not_released() -> None:
    assert "## [Unreleased]" in text_of(ROOT / "CHANGELOG.md")


def test_the_readme_says_whose_the_trademark_is() -> None:
    assert "This is an independent program. Diplomacy is a trademark" in text_of(ROOT / "README.md")


def test_every_command_of_the_mail_language_stands_in_the_pages_for_people() -> None:
    pages = "".join(text_of(ROOT / "docs" / name) for name in ("players.md", "masters.md"))
    missing = [one.words[0] for one in COMMANDS if one.words[0] not in pages]
    assert missing == []


def test_the_orders_of_the_players_page_can_be_read() -> None:
    page = text_of(ROOT / "docs" / "players.md")
    shown = page.partition("## Sending orders")[2].partition("Names may be")[0]
    orders = re.findall(r"^    ((?:[AF] )\S.*?)(?:\s{2,}.*)?$", shown, re.MULTILINE)
    assert len(orders) == 10
    for order in orders:
        assert not isinstance(parse_order(order, load_variant("standard")), Fault), order


def test_the_rules_shown_to_masters_are_those_that_can_be_chosen() -> None:
    page = text_of(ROOT / "docs" / "masters.md")
    rulebook = load_game("diplomacy")
    options = {option.key: set(option.values) for option in rulebook.rule_options()}
    rows = re.findall(r"^\| (`4\.\w\.\d`(?:, `4\.\w\.\d`)*) \| .* \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) > 10
    for keys, values in rows:
        known = set().union(*(options[key] for key in re.findall(r"`(.*?)`", keys)))
        assert set(re.findall(r"`(.*?)`", values)) <= known
    presets = set(re.findall(r"`(\w+)`", re.findall(r"^\| `rules` \|.*$", page, re.MULTILINE)[0]))
    assert presets == {"rules", *rulebook.rule_presets()}


def test_the_table_of_stages_names_every_module_of_the_order_language() -> None:
    assert language.__file__ is not None
    folder = Path(language.__file__).parent
    named = {*re.findall(r"\b[a-z_]+\.py", language.__doc__ or "")}
    there = {path.name for path in folder.glob("[a-z]*.py")}
    assert there <= named
    assert named <= there | {path.name for path in folder.parent.glob("*.py")}


def test_every_file_that_the_architecture_names_is_there() -> None:
    named = {*re.findall(r"`([a-z_/]+\.(?:py|toml|lark))`", text_of(ROOT / "docs/architecture.md"))}
    assert named
    there = [path.as_posix() for path in (ROOT / "judge").glob("**/*.*")]
    named = {one for one in named if not (ROOT / one).exists()}
    assert [one for one in named if not any(path.endswith(f"/{one}") for path in there)] == []
