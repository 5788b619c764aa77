"""The wheel: an installed judge needs no checkout."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-demo.lock", "requirements-dev.lock")
DEMO_PACKAGES = ("aiosmtpd", "pymap", "rich")
# A plain install: the packages of the extra judge[demo] cannot be imported. Prints exit code and
# standard error of each command.
COMMANDS = (("demo",), ("serve", "--embedded", "."), ("games",))
PLAIN = f"""
import contextlib, io, json, sys
for name in {(*DEMO_PACKAGES, "proxyprotocol", "pysasl")}:
    sys.modules[name] = None
from judge.cli import main
said = []
for command in {COMMANDS}:
    with contextlib.redirect_stderr(io.StringIO()) as told:
        said.append((main(list(command)), told.getvalue()))
print(json.dumps(said))
"""
READ_SHIPPED = """
from judge.data import read_text, shipped
print(shipped("config", "judge.toml"))
print(len(read_text("config", "judge.toml")))
print(len(read_text("grammar", "orders.lark")))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built as an installer would."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


def relative_files(folder: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_grammar_and_config(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {f"judge/shipped/{name}" for name in relative_files("grammar")}
    shipped |= {f"judge/shipped/{name}" for name in relative_files("config")}
    assert shipped <= names
    assert "judge/shipped/config/judge.toml" in names


def test_the_wheel_holds_the_program_its_words_and_the_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    modules = {name for name in relative_files("judge") if name.endswith(".py")}
    assert modules <= names
    assert {
        name for name in relative_files("judge/locale") if name.endswith((".po", ".toml"))
    } <= names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not any(name.startswith("tests/") for name in names)


def test_an_installed_judge_reads_its_data_without_a_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", READ_SHIPPED],
        cwd=tmp_path,
        env=dict(os.environ) | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    place, *sizes = done.stdout.split()
    assert place == str(tmp_path / "judge" / "shipped" / "config" / "judge.toml")
    assert all(int(size) > 0 for size in sizes)


def test_the_lock_names_no_host_and_a_hash_for_every_package() -> None:
    for lock in LOCKS:
        text = (ROOT / lock).read_text(encoding="utf-8")
        assert "://" not in text
        blocks = [block for block in text.replace("\\\n", " ").splitlines() if "==" in block]
        assert blocks
        assert all("--hash=sha256:" in block for block in blocks), lock


def packages_of(lock: str) -> dict[str, str]:
    pins = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    return dict(pin.split()[0].split("==") for pin in pins if "==" in pin)


def test_each_lock_holds_the_one_before_and_the_demo_is_extra() -> None:
    plain, demo, dev = (packages_of(lock) for lock in LOCKS)
    assert plain.items() <= demo.items() <= dev.items()
    assert plain.keys().isdisjoint(DEMO_PACKAGES)
    assert set(DEMO_PACKAGES) <= demo.keys()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], tuple[int, str]]:
    """Exit code and standard error of each command in a plain install."""
    folder = tmp_path_factory.mktemp("plain")
    done = subprocess.run(
        [sys.executable, "-c", PLAIN],
        cwd=folder,
        env=dict(os.environ) | {"PYTHONPATH": str(ROOT), "JUDGE_JUDGE__DATA": str(folder)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    said = json.loads(done.stdout.splitlines()[-1])
    return {command: tuple(one) for command, one in zip(COMMANDS, said, strict=True)}


@pytest.mark.parametrize("command", COMMANDS[:2])
def test_a_plain_install_says_how_to_get_the_demo(plain, command) -> None:
    code, told = plain[command]
    assert code == 2
    assert 'pip install "judge[demo]"' in told
    assert "Traceback" not in told


def test_a_plain_install_runs_what_is_no_demo(plain) -> None:
    code, told = plain["games",]
    assert code == 1
    assert "`judge serve` makes it" in told
