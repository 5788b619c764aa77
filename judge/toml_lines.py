"""TOML texts with the line of every value, read on past lines that cannot be read.

The standard library's parser keeps no lines and stops at the first fault. Knows nothing of what the
keys mean.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Path = tuple[str | int, ...]  # keys of tables, and places in lists, from 0

UNREADABLE_LINES_MOST = 50

_POSITION = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")
_HEADING = re.compile(r"\s*\[\[?([\w\s.\"'-]+)\]\]?\s*(?:#.*)?$")
_PAIR = re.compile(r"""\s*(?:["']?[\w-]+["']?\s*\.\s*)*["']?([\w-]+)["']?\s*=""")
_STRING = r"""\"{3}(?:\\.|[^\\])*?"{3,5}|'{3}.*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'"""
_TOKEN = re.compile(rf"{_STRING}|#[^\n]*|[][{{}}=,\n]|[^][{{}}=,#\"'\n]+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TomlFault:
    """A line that cannot be read, counted from 1, and why; `text` shows no value of it."""

    line: int
    text: str


@dataclass(frozen=True)
class TomlFile:
    """What a text says.

    Attributes:
        text: without the lines that cannot be read.
        faults: those lines.
        lost_keys: keys that stand on them; they are not missing as well.
    """

    text: str
    values: dict[str, Any]
    faults: tuple[TomlFault, ...] = ()
    lost_keys: frozenset[str] = frozenset()

    def line_of(self, *path: str | int) -> int | None:
        """The line of a key or of an item of a list, or else of what holds it; None if nothing of
        it is written. A table has the line that opens it."""
        lengths = range(len(path), 0, -1)
        return next((line for n in lengths if (line := self.line_numbers.get(path[:n]))), None)

    @cached_property
    def line_numbers(self) -> dict[Path, int]:
        """The line of each key and each item of a list, by its path."""
        return _Scanner(self.text).lines


def read_toml(text: str) -> TomlFile:
    """All that can be read of a text. A heading that cannot be read takes its table with it."""
    lines = text.replace("\r\n", "\n").split("\n")
    faults: list[TomlFault] = []
    lost: set[str] = set()
    while len(faults) < UNREADABLE_LINES_MOST:
        readable = "\n".join(lines)
        try:
            values = tomllib.loads(readable)
        except tomllib.TOMLDecodeError as error:
            fault, end = _fault_of(str(error), lines)
            faults.append(fault)
            lost |= _keys_of(lines[fault.line - 1 : end])
            lines[fault.line - 1 : end] = [""] * (end - fault.line + 1)
        else:
            return TomlFile(readable, values, tuple(faults), frozenset(lost))
    return TomlFile("", {}, tuple(faults), frozenset(lost | _keys_of(lines)))


def _fault_of(message: str, lines: list[str]) -> tuple[TomlFault, int]:
    """What is wrong, at the line to mend, and the last line that cannot be used for it."""
    last = max((at for at, line in enumerate(lines, 1) if line.strip()), default=1)
    position = _POSITION.search(message)
    at = min(int(position[1]) if position and position[1] else last, last)
    gist = _POSITION.sub("", message)
    begins = _PAIR.match(lines[at - 1]) or _HEADING.match(lines[at - 1])
    follows = gist.startswith("Invalid value") and begins and not _error_in(lines[at - 1])
    if follows or "nclosed" in gist or "Unterminated" in gist:
        # The parser stops at what follows an open value; the line to mend opens it.
        at = max((n for n in range(1, at + 1) if _is_open(lines[n - 1])), default=at)
        gist = "Unclosed array" if follows else gist
    end = at
    is_heading = lines[at - 1].lstrip().startswith("[")
    while (is_heading or _is_open(lines[at - 1])) and end < len(lines):
        if _HEADING.match(lines[end]) or (not is_heading and _PAIR.match(lines[end])):
            break
        end += 1
    return TomlFault(at, f"this line cannot be read: {gist[:1].lower()}{gist[1:]}"), end


def _is_open(line: str) -> bool:
    """Whether the value of this line goes on below."""
    return bool(_PAIR.match(line) and re.search(r"nclosed|\(at end", _error_in(f"{line}\n")))


def _error_in(line: str) -> str:
    """What the parser says of a line alone; nothing if it can be read."""
    try:
        tomllib.loads(line)
    except tomllib.TOMLDecodeError as error:
        return str(error)
    return ""


def _keys_of(lines: Iterable[str]) -> set[str]:
    return {found[1].strip() for line in lines if (found := _PAIR.match(line))}


class _Scanner:
    """One way through the tokens of a sound text with plain line ends: its strings, its signs, and
    the plain words between them.

    `tokens` are those still to come with their lines, the next one last.
    """

    def __init__(self, text: str) -> None:
        self.lines: dict[Path, int] = {}
        self.tokens: list[tuple[str, int]] = [("", 0)]
        line = 1 + text.count("\n")
        for sign in reversed(_TOKEN.findall(text)):
            line -= sign.count("\n")
            if sign.strip() and not sign.startswith("#"):
                self.tokens.append((sign.strip(), line))
        table: Path = ()
        rows: dict[Path, int] = {}  # how many each `[[list]]` of tables has
        while self.tokens[-1][0]:
            if self.tokens[-1][0] != "[":
                self.pair(table)
                continue
            _, line = self.tokens.pop()
            is_row = self.tokens[-1][0] == "["
            table = ()
            for key in self.key():
                row = (rows[table] - 1,) if table in rows else ()
                table = self.note((*table, *row, key), line)
            if is_row:
                self.tokens.pop()
                rows[table] = rows.get(table, 0) + 1
                table = self.note((*table, rows[table] - 1), line)

    def note(self, path: Path, line: int) -> Path:
        self.lines.setdefault(path, line)
        return path

    def key(self) -> list[str]:
        """The parts of a dotted key; takes the sign after it too."""
        parts: list[str] = []
        while (sign := self.tokens.pop()[0]) not in ("=", "]"):
            is_quoted = sign[0] in "\"'"
            parts += tomllib.loads(f"{sign} = 0") if is_quoted else re.findall(r"[\w-]+", sign)
        return parts

    def pair(self, path: Path) -> None:
        line = self.tokens[-1][1]
        for key in self.key():
            path = self.note((*path, key), line)
        self.value(path)

    def value(self, path: Path) -> None:
        """Steps over a value, and notes what its brackets hold."""
        opening, _ = self.tokens.pop()
        count = 0
        while opening in ("[", "{") and self.tokens[-1][0] not in ("]", "}"):
            sign, line = self.tokens[-1]
            if sign == ",":
                self.tokens.pop()
            elif opening == "{":
                self.pair(path)
            else:
                self.value(self.note((*path, count), line))
                count += 1
        if opening in ("[", "{"):
            self.tokens.pop()
