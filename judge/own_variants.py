"""The keeper's own variants: folders beside the shipped ones, read without installing anything.

Only sound ones are used. A faulty one is left out and logged, so that it stops no other game.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from judge.config import Settings
from judge.data import shipped_variants, use_variants
from judge.diplomacy.name_collisions import name_faults
from judge.diplomacy.variants.faults import variant_faults
from judge.diplomacy.variants.files import VARIANT_FILE, Folders, VariantFault, read_variant
from judge.host.commands import COMMANDS

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Checked:
    """A folder with a variant, and what is wrong with it; `faults` is empty if nothing is.

    `str(fault)` names files from that folder on.
    """

    name: str
    folder: Path
    faults: tuple[VariantFault, ...]


def take_own_variants(settings: Settings) -> tuple[Checked, ...]:
    """Use the sound variants of the settings' folder from now on, and those alone beside the
    shipped ones. Returns all that it holds; what is faulty is logged."""
    folder = settings.judge.variants
    found = check_folders(variants_in(folder)) if folder is not None else ()
    for each in found:
        for fault in each.faults:
            log.warning("variant left out name=%s fault=%s", each.name, fault)
    use_variants({each.name: each.folder for each in found if not each.faults})
    return found


def variants_in(folder: Path) -> tuple[Path, ...]:
    """The folders of variants in a folder, by name; the folder itself if it is one."""
    if (folder / VARIANT_FILE).is_file():
        return (folder,)
    if not folder.is_dir():
        return ()
    inside = (each for each in folder.iterdir() if (each / VARIANT_FILE).is_file())
    return tuple(sorted(inside, key=lambda each: each.name))


def check_folders(paths: tuple[Path, ...], beside: Folders | None = None) -> tuple[Checked, ...]:
    """Check folders of variants, which may be based on shipped ones, on one another, and on those
    `beside` them."""
    shipped = shipped_variants()
    own = {path.resolve().name: path for path in paths}
    folders = {**shipped, **(beside or {}), **own}
    checked = []
    for name, path in own.items():
        faults = _faults(name, folders)
        if name in shipped and not path.samefile(str(shipped[name])):
            text = f'a variant called "{name}" is shipped; give the folder and `name` another name'
            faults = (VariantFault(text),)
        checked.append(Checked(name, path, faults))
    return tuple(checked)


def check_shipped() -> Mapping[str, tuple[VariantFault, ...]]:
    """What is wrong with the shipped variants, by name."""
    folders = shipped_variants()
    return {name: _faults(name, folders) for name in folders}


def _faults(name: str, folders: Folders) -> tuple[VariantFault, ...]:
    text = read_variant(name, folders)
    faults = variant_faults(text)
    if not text.is_sound:
        return faults
    commands = [word for command in COMMANDS for word in command.words]
    return (*faults, *name_faults(text, commands))
