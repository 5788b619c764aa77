"""The hobby's map files, made into folders of variants: njudge, DPjudge and their kin."""

from judge.importing.draft import Finding
from judge.importing.importing import CannotImport, FaultyMap, Imported, import_map

__all__ = ["CannotImport", "FaultyMap", "Finding", "Imported", "import_map"]
