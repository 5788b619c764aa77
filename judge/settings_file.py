"""Reads what the keeper has written, a TOML file and the environment, with each value's origin.

Knows nothing of what settings there are: it finds values, lines, and lines that cannot be read.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from judge.errors import Fault, SettingsError

ENVIRONMENT_PREFIX = "JUDGE_"
UNREADABLE_LINES_MOST = 50

_HEADER = re.compile(r"\s*\[\s*([\w-]+)\s*\]")
_KEY = re.compile(r"""\s*(?:["']?([\w-]+)["']?\s*\.\s*)?["']?([\w-]+)["']?\s*=""")
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")
_REMEDY = 'Write `key = value`, texts in "double quotes", lists in [square brackets]'


@dataclass(frozen=True, slots=True)
class Written:
    """A value as somebody wrote it. From the environment it is always a text."""

    value: object
    origin: str
    line: int | None = None

    @property
    def is_environment(self) -> bool:
        return self.line is None


Address = tuple[str, str]


@dataclass(slots=True)
class Source:
    """Everything written for the settings, by (section, key), and what could not be read.

    Attributes:
        spoiled: keys on lines that could not be read; they are not missing as well.
    """

    values: dict[Address, Written] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    spoiled: set[str] = field(default_factory=set)


def read_environment(environ: Mapping[str, str]) -> Source:
    """The values of all variables such as `JUDGE_IMAP__HOST`; others are not ours."""
    source = Source()
    for name in sorted(environ):
        section, double, key = name.removeprefix(ENVIRONMENT_PREFIX).partition("__")
        if name.startswith(ENVIRONMENT_PREFIX) and double and section and key:
            written = Written(environ[name], f"environment variable {name}")
            source.values[section.lower(), key.lower()] = written
    return source


def read_file(path: Path) -> Source:
    """The values of a TOML file; a line that cannot be read does not hide the others.

    Raises:
        SettingsError: the file as a whole cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        remedy = "Name the file with --config, or copy the sample config/judge.toml there"
        raise SettingsError([Fault("", str(path), None, "no such file", remedy)]) from error
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is no UTF-8"
        raise SettingsError([Fault("", str(path), None, what, "Save the file as UTF-8")]) from error
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        remedy = "Let the user who runs the judge read it"
        raise SettingsError([Fault("", str(path), None, what, remedy)]) from error
    return _read_text(text, str(path))


def _read_text(text: str, origin: str) -> Source:
    source = Source()
    lines = text.splitlines()
    tables = _parse(lines, origin, source)
    found = _find_lines(lines)
    for section, table in tables.items():
        if not isinstance(table, dict):
            line = found.get(("", section), 1)
            remedy = "Move it under the heading of its section, such as [judge]"
            source.faults.append(Fault(section, origin, line, "stands outside a section", remedy))
            continue
        header = found.get((section, ""), found.get(("", section), 1))
        for key, value in table.items():
            line = found.get((section, key), header)
            source.values[section, key] = Written(value, origin, line)
        if not table:
            source.values[section, ""] = Written(None, origin, header)
    return source


def _parse(lines: list[str], origin: str, source: Source) -> dict[str, object]:
    """The tables of what can be read; empties the lines that cannot, and notes each as a fault."""
    while len(source.faults) < UNREADABLE_LINES_MOST:
        try:
            return tomllib.loads("\n".join(lines) + "\n")
        except tomllib.TOMLDecodeError as error:
            line, what = _fault_position(str(error), lines)
            source.faults.append(Fault("", origin, line, what, _REMEDY))
            source.spoiled |= _blank(lines, line)
    return {}


def _fault_position(message: str, lines: list[str]) -> tuple[int, str]:
    """The line to mend and what is wrong there, in our words."""
    position = _POSITION.search(message)
    last_written = max((n for n, line in enumerate(lines, 1) if line.strip()), default=1)
    line = int(position[1]) if position and position[1] else last_written
    line = min(line, last_written)
    gist = _POSITION.sub("", message)
    if "nclosed" in gist:
        # The parser reports the line after the open bracket; the one to mend holds the key.
        line = max((n for n, text in enumerate(lines[:line], 1) if _is_open(text)), default=line)
    return line, f"this line cannot be read ({gist[:1].lower()}{gist[1:]})"


def _is_open(text: str) -> bool:
    bare = re.sub(r'"[^"]*"|\'[^\']*\'|#.*', "", text)
    return _KEY.match(text) is not None and (
        bare.count("[") > bare.count("]") or bare.count("{") > bare.count("}")
    )


def _blank(lines: list[str], line: int) -> set[str]:
    """Empty a line, for a heading its whole section; the keys that are lost by it."""
    end = line
    if lines[line - 1].lstrip().startswith("["):
        while end < len(lines) and not _HEADER.match(lines[end]):
            end += 1
    keys = {match[2] for text in lines[line - 1 : end] if (match := _KEY.match(text))}
    lines[line - 1 : end] = [""] * (end - line + 1)
    return keys


def _find_lines(lines: list[str]) -> dict[Address, int]:
    """Where each (section, key) stands first; a heading is (section, ""), counted from 1."""
    found: dict[Address, int] = {}
    section = ""
    for number, text in enumerate(lines, 1):
        if header := _HEADER.match(text):
            section = header[1]
            found.setdefault((section, ""), number)
        elif key := _KEY.match(text):
            found.setdefault((key[1] or section, key[2]), number)
    return found
