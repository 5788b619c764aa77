"""What may import what: the plan of the house, checked by reading every module's imports.

The core is pure, rules know nothing of mail, mail knows nothing of rules, and one module stands
between us and each foreign package. A new module at the top of the house needs a row here.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "judge"

BOTTOM = (
    "judge.clock",
    "judge.config",
    "judge.data",
    "judge.errors",
    "judge.grammars",
    "judge.rulebook",
)

SERVICE = (*BOTTOM, "judge.host", "judge.mail", "judge.render", "judge.store")

# What each room may import of ours, beside itself; patterns of module names.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    # The bottom of the house.
    "clock": (),
    "data": (),
    "errors": (),
    "grammars": (),
    "blocks": (),
    "rulebook": ("judge.blocks",),
    "terminal": (),
    "toml_lines": (),
    "config": ("judge.clock", "judge.errors", "judge.toml_lines"),
    "logs": ("judge.terminal",),
    # The rooms.
    "diplomacy": (
        "judge.data",
        "judge.errors",
        "judge.grammars",
        "judge.rulebook",
        "judge.toml_lines",
    ),
    # It makes data files, and asks the game only what variants hold and what words orders have.
    "importing": (
        "judge.data",
        "judge.errors",
        "judge.diplomacy.board",
        "judge.diplomacy.language.lexicon",
        "judge.diplomacy.name_collisions",
        "judge.diplomacy.language.normalize",
        "judge.diplomacy.variants.*",
    ),
    "mail": ("judge.clock", "judge.config", "judge.data", "judge.errors"),
    "store": BOTTOM,
    "host": (*BOTTOM, "judge.mail", "judge.store"),
    "render": (
        *BOTTOM,
        "judge.blocks",
        "judge.host",
        "judge.host.messages",
        "judge.host.messages.*",
        "judge.host.schedules.schedule",
        "judge.store",
    ),
    "render/diplomacy": (
        *BOTTOM,
        "judge.blocks",
        "judge.render.*",
        "judge.diplomacy",
        *(
            f"judge.diplomacy.{values}"
            for values in (
                "board",
                "calendar",
                "canal",
                "railway",
                "rules",
                "notation",
                "orders",
                "outcomes",
                "position",
                "power_assignment",
                "reasons",
                "records",
                "variants.options",
                "variants.variant",
            )
        ),
    ),
    # The running service, in parts; games are reached through the seam.
    "hosting": SERVICE,
    "intake": (*SERVICE, "judge", "judge.hosting"),
    "due_games": (*SERVICE, "judge.hosting"),
    "picture_pool": ("judge.data", "judge.render"),
    "outgoing": (*SERVICE, "judge.hosting", "judge.picture_pool"),
    "data_folder": SERVICE,
    "daemon": (
        *SERVICE,
        "judge",
        "judge.hosting",
        "judge.intake",
        "judge.due_games",
        "judge.outgoing",
        "judge.picture_pool",
    ),
    "service": (
        *SERVICE,
        "judge.mail.embedded",
        "judge.data_folder",
        "judge.daemon",
        "judge.picture_pool",
    ),
    "adjudicate_stream": ("judge.data", "judge.diplomacy"),
    "own_variants": ("judge.config", "judge.data", "judge.diplomacy.*", "judge.host.commands"),
    "check": (
        *SERVICE,
        "judge.own_variants",
        "judge.hosting",
        "judge.data_folder",
        "judge.service",
    ),
    # Where things are put together. scripted.py holds what the demo's players write.
    "scripted": ("judge.*",),
    "map_command": (*SERVICE, "judge.render.catalogue", "judge.hosting", "judge.terminal"),
    "keeper_commands": (*SERVICE, "judge.hosting", "judge.intake", "judge.terminal"),
    "variants_command": (
        "judge.data",
        "judge.diplomacy.*",
        "judge.importing",
        "judge.own_variants",
        "judge.terminal",
    ),
    "cli": ("judge", "judge.*"),
    "demo": ("judge", "judge.*"),
    "__init__": (),
    "__main__": ("judge.cli",),
}

# The front door: nothing but itself imports these.
FRONT_DOOR = {
    "adjudicate_stream",
    "hosting",
    "data_folder",
    "intake",
    "due_games",
    "outgoing",
    "picture_pool",
    "daemon",
    "service",
    "own_variants",
    "check",
    "scripted",
    "variants_command",
    "keeper_commands",
    "map_command",
    "cli",
    "demo",
    "__main__",
}

# Within a room, modules that may not reach for what the room may.
NARROWER: dict[str, tuple[str, ...]] = {
    # diplomacy/ knows the seam only where it is implemented.
    "judge.rulebook": tuple(
        f"judge/diplomacy/{name}.py" for name in ("game", "rulebook", "seat_lines")
    ),
}
# What reads words is known to the faces of the game alone, not to its rules and its variants.
READERS = (
    *(
        "adjudicate_lines",
        "advance_orders",
        "game",
        "rulebook",
        "seat_lines",
        "name_collisions",
        "notation",
    ),
    *("own_rows", "phase_names", "reasons", "retreat_preferences"),
)

# Foreign packages, and the only modules that know them.
FOREIGN: dict[str, tuple[str, ...]] = {
    "aioimaplib": ("judge/mail/inbox.py", "judge/mail/imap*.py"),
    "aiosmtpd": ("judge/mail/embedded.py",),
    "aiosmtplib": ("judge/mail/delivery.py",),
    "anyascii": ("judge/diplomacy/language/similar_names.py",),
    "babel": ("judge/render/*",),
    "css_inline": ("judge/render/html_letter.py",),
    "lark": (
        "judge/diplomacy/language/grammar.py",
        "judge/grammars.py",
        "judge/host/letters/command_parser.py",
        "judge/host/schedules/date_*.py",
        "judge/host/schedules/dates.py",
        "judge/host/schedules/scheduling.py",
    ),
    "msgspec": ("judge/*",),
    "openskill": ("judge/host/games/ratings.py",),
    "proxyprotocol": ("judge/mail/embedded.py",),
    "pydantic": ("judge/config.py",),
    "pymap": ("judge/mail/embedded.py",),
    "pysasl": ("judge/mail/embedded.py",),
    "rich": ("judge/demo.py",),
    "sqlite_utils": ("judge/store/*",),
    "PIL": ("judge/render/pictures.py",),
    "rapidfuzz": ("judge/diplomacy/language/similar_names.py",),
    "resvg_py": ("judge/render/pictures.py",),
    "wcwidth": ("judge/render/layout.py",),
}

# Parts of the standard library that would let the world into a room.
CLIENTS = ("http", "imaplib", "poplib", "smtplib", "socket", "ssl", "urllib.request")
WORLD = ("asyncio", "multiprocessing", "random", "subprocess", "threading", "time", *CLIENTS)
FORBIDDEN: dict[str, tuple[str, ...]] = {
    "diplomacy": (*WORLD, "logging", "secrets", "sqlite3", "os"),
    "host": (*WORLD, "sqlite3"),
    "render": (*WORLD, "sqlite3"),
    "render/diplomacy": (*WORLD, "sqlite3"),
    "store": ("asyncio", *CLIENTS),
    "mail": ("sqlite3",),
    "importing": (*WORLD, "logging", "secrets", "sqlite3"),
}
ASYNC_ROOMS = {"mail", "clock", *FRONT_DOOR}


@dataclass(frozen=True, slots=True)
class Import:
    """One import: of a module's own name, at a line of a file of ours."""

    file: str
    line: int
    module: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


def room_of(file: str) -> str:
    """The row of the table that a file belongs to."""
    parts = file.removesuffix(".py").split("/")[1:]
    if parts[:2] == ["render", "diplomacy"] and len(parts) > 2:
        return "render/diplomacy"
    return parts[0] if parts else "__init__"


def files() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in PACKAGE.rglob("*.py"))


@cache
def tree_of(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


@cache
def nodes_of(file: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(file)))


@cache
def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def imports_of(file: str) -> Iterator[Import]:
    """Every import of a file, also those inside functions and for the type checker alone."""
    for node in nodes_of(file):
        match node:
            case ast.Import(names=names):
                for name in names:
                    yield Import(file, node.lineno, name.name)
            case ast.ImportFrom(module=module, names=names, level=0) if module is not None:
                for name in names:
                    # `from judge import settings_values` names a module as well.
                    inner = f"{module}.{name.name}"
                    is_ours = module.split(".")[0] == "judge" and is_module(inner)
                    yield Import(file, node.lineno, inner if is_ours else module)
            case ast.ImportFrom(level=level) if level:
                yield Import(file, node.lineno, f"{'.' * level}{node.module or ''}")


@cache
def all_imports() -> tuple[Import, ...]:
    found = {found for file in files() for found in imports_of(file)}
    return tuple(sorted(found, key=lambda one: (one.file, one.line, one.module)))


def listing(faults: list[Import]) -> str:
    return "\n".join(map(str, faults))


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def room_of_module(module: str) -> str:
    return room_of(f"{module.replace('.', '/')}.py")


@pytest.mark.parametrize("file", files())
def test_every_module_has_a_row(file: str) -> None:
    assert room_of(file) in MAY_IMPORT


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_imports_only_what_stands_below_it(room: str) -> None:
    wrong = [
        found
        for found in all_imports()
        if room_of(found.file) == room
        and found.module.startswith("judge")
        and room_of_module(found.module) != room
        and not matches(found.module, MAY_IMPORT[room])
    ]
    assert not wrong, listing(wrong)


def test_imports_are_absolute() -> None:
    wrong = [found for found in all_imports() if found.module.startswith(".")]
    assert not wrong, listing(wrong)


def test_the_seam_is_known_to_few_modules_of_the_game() -> None:
    wrong = [
        found
        for found in all_imports()
        if found.module in NARROWER
        and room_of(found.file) == "diplomacy"
        and not matches(found.file, NARROWER[found.module])
    ]
    assert not wrong, listing(wrong)


def test_the_rules_and_the_variants_of_the_game_know_no_words() -> None:
    faces = {f"judge/diplomacy/{name}.py" for name in READERS}
    wrong = [
        found
        for found in all_imports()
        if found.module.startswith("judge.diplomacy.language")
        and room_of(found.file) == "diplomacy"
        and not found.file.startswith("judge/diplomacy/language/")
        and found.file not in faces
    ]
    assert not wrong, listing(wrong)


def test_what_one_line_says_is_read_without_a_position() -> None:
    language = "judge.diplomacy.language"
    of_board = ("judge.diplomacy.position", f"{language}.order_context", f"{language}.proposals.*")
    lines = [f for f in all_imports() if f.file.startswith("judge/diplomacy/language/lines/")]
    wrong = [found for found in lines if matches(found.module, of_board)]
    assert lines
    assert not wrong, listing(wrong)


def test_nothing_imports_the_front_door() -> None:
    wrong = [
        found
        for found in all_imports()
        if found.module.startswith("judge")
        and room_of_module(found.module) in FRONT_DOOR
        and room_of(found.file) not in FRONT_DOOR
    ]
    assert not wrong, listing(wrong)


def test_each_foreign_package_stays_in_its_modules() -> None:
    foreign = [
        found
        for found in all_imports()
        if (top := found.module.split(".")[0]) != "judge" and top not in sys.stdlib_module_names
    ]
    wrong = [
        found
        for found in foreign
        if not matches(found.file, FOREIGN.get(found.module.split(".")[0], ()))
    ]
    assert not wrong, listing(wrong)


def test_the_declared_packages_are_those_that_are_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["demo"]]
    declared = {_plain(re.split(r"[=<>\[ ;]", line)[0]) for line in lines}
    owners = packages_distributions()
    used = {found.module.split(".")[0] for found in all_imports()}
    foreign = used - set(sys.stdlib_module_names) - {"judge"}
    # pymap takes and gives values of these two, which it brings along.
    undeclared = {
        name
        for name in foreign - {"proxyprotocol", "pysasl"}
        if not declared & {_plain(owner) for owner in owners.get(name, ())}
    }
    assert not undeclared
    imported = {_plain(owner) for name in foreign for owner in owners.get(name, ())}
    assert declared - imported == {"tzdata"}  # which zoneinfo reads


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("room", sorted(FORBIDDEN))
def test_a_room_keeps_the_world_out(room: str) -> None:
    wrong = [
        found
        for found in all_imports()
        if room_of(found.file) == room
        and any(
            found.module == name or found.module.startswith(f"{name}.") for name in FORBIDDEN[room]
        )
    ]
    assert not wrong, listing(wrong)


def test_only_mail_and_the_service_are_async() -> None:
    wrong = [
        f"{file}:{node.lineno}"
        for file in files()
        if room_of(file) not in ASYNC_ROOMS
        for node in nodes_of(file)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith)
    ]
    assert not wrong


def test_the_core_does_not_read_the_clock() -> None:
    readers = {"now", "utcnow", "today"}
    wrong = [
        f"{file}:{node.lineno}"
        for file in files()
        if room_of(file) in {"diplomacy", "host", "render", "render/diplomacy", "store"}
        for node in nodes_of(file)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in readers
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"datetime", "date"}
    ]
    assert not wrong


def test_a_rooms_public_names_exist() -> None:
    wrong = []
    for file in files():
        if not file.endswith("__init__.py"):
            continue
        tree = tree_of(file)
        bound = {
            name.asname or name.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        bound |= {
            target.id
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        bound |= {
            node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        for node in tree.body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                wrong += [
                    f"{file}: {name}" for name in ast.literal_eval(node.value) if name not in bound
                ]
    assert not wrong


# What the store's tables answer; all else that they can do writes.
READS = frozenset(
    re.findall(
        r"\w+",
        "get by_address named conduct_since standbys standby_scopes own_data page joinable names "
        "nearest_names of_player ended_of_player of best unrated including_rolled_back "
        "newest_label_since by_token count_to_strangers_since invitation_times status deferred "
        "count_proven_between count_unproven_between variants due count halted",
    )
)


def test_the_host_reads_the_store_and_never_writes() -> None:
    """What it decides are changes, which it puts into its unit of work and others save."""
    writing = {
        node.name
        for file in files()
        if file.startswith("judge/store/")
        for table in nodes_of(file)
        if isinstance(table, ast.ClassDef) and "Table" in map(ast.unparse, table.bases)
        for node in table.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    } - READS
    assert {"save", "halt", "mark_sent", "forget"} <= writing
    wrong = [
        f"{file}:{node.lineno}: {ast.unparse(node)}"
        for file in files()
        if file.startswith("judge/host/")
        for node in nodes_of(file)
        if isinstance(node, ast.Attribute) and node.attr in writing
    ]
    # The unit of work has some by the same names.
    own = re.compile(r" (context\.)?work\.(note_conduct|close_question|forget)$")
    assert not [one for one in wrong if not own.search(one)]
