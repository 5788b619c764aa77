"""Folders of variants for tests: spoilt copies of shipped ones, and small ones."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from judge.data import shipped_variants, variant_folders
from judge.diplomacy.name_collisions import name_faults
from judge.diplomacy.variants.faults import variant_faults
from judge.diplomacy.variants.files import VariantText, read_variant

COMMANDS = ("WAIT", "PRESS", "대기")  # as the host has them; the game does not know them
Changes = Mapping[str, tuple[tuple[str, str], ...]]  # by file: what stands there, and what instead


def copy_of(root: Path, variant: str, changes: Changes) -> str:
    """A copy of a shipped variant below `root`, with changes, under its own name: that name."""
    with_path = Path(str(shipped_variants()[variant]))
    shutil.copytree(with_path, root / variant)
    for file, pairs in changes.items():
        path = root / variant / file
        text = path.read_text(encoding="utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, (file, old, text.count(old))
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return variant


def write_variant(root: Path, name: str, files: Mapping[str, str]) -> str:
    """A variant of these files below `root`: its name."""
    for file, text in files.items():
        path = root / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return name


def text_of(root: Path, name: str) -> VariantText:
    """The files of a variant below `root`, beside the shipped ones."""
    own = {each.name: each for each in root.iterdir() if each.is_dir()}
    return read_variant(name, {**variant_folders(), **own})


def faults_of(root: Path, name: str) -> list[str]:
    """All that is wrong with a variant below `root`."""
    text = text_of(root, name)
    faults = variant_faults(text)
    return list(map(str, faults or name_faults(text, COMMANDS)))


def line_of(root: Path, name: str, file: str, text: str) -> int:
    """The line of a file that holds a text, counted from 1."""
    lines = (root / name / file).read_text(encoding="utf-8").splitlines()
    (found,) = [number for number, line in enumerate(lines, 1) if text in line]
    return found
