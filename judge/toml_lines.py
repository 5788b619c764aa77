"""TOML texts with the line of every value, read on past lines that cannot be read.

The standard library's parser keeps no lines and stops at the first fault. Knows nothing of what the
keys mean.
"""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Path = tuple[str | int, ...]  # keys of tables, and places in lists, from 0

UNREADABLE_LINES_MOST = 50

_POSITION = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")
_HEADING = re.compile(r"\s*\[\[?([\w\s.\"'-]+)\]\]?\s*(?:#.*)?$")
_PAIR = re.compile(r"""\s*(?:["']?[\w-]+["']?\s*\.\s*)*["']?([\w-]+)["']?\s*=""")
_TEXTS = re.compile(r""""(?:\\.|[^"\\])*"|'[^']*'|#.*""")


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
        for length in range(len(path), 0, -1):
            if line := self.lines.get(path[:length]):
                return line
        return None

    @cached_property
    def lines(self) -> dict[Path, int]:
        """The line of each key and each item of a list, by its path."""
        return lines_of(self.text)


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
    starts = [_starts_anew(line) for line in lines]
    follows = gist.startswith("Invalid value") and starts[at - 1] and _is_readable(lines[at - 1])
    is_heading = lines[at - 1].lstrip().startswith("[")
    if follows or "nclosed" in gist or "Unterminated" in gist:
        # The parser stops at what follows an open bracket; the line to mend opens it.
        at = max((n for n in range(1, at + 1) if _is_open(lines[n - 1])), default=at)
        gist = gist if not follows else "Unclosed array"
        is_heading = False
    end = at
    if is_heading:
        while end < len(lines) and not _HEADING.match(lines[end]):
            end += 1
    elif _is_open(lines[at - 1]):
        while end < len(lines) and not starts[end]:
            end += 1
    return TomlFault(at, f"this line cannot be read: {gist[:1].lower()}{gist[1:]}"), end


def _starts_anew(line: str) -> bool:
    return bool(_HEADING.match(line) or _PAIR.match(line))


def _is_readable(line: str) -> bool:
    try:
        tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _is_open(line: str) -> bool:
    """Whether its value goes on below."""
    if not _PAIR.match(line):
        return False
    if line.count('"""') % 2 or line.count("'''") % 2:
        return True
    bare = _TEXTS.sub("", line)
    return bare.count("[") > bare.count("]") or bare.count("{") > bare.count("}")


def _keys_of(lines: Iterable[str]) -> set[str]:
    return {found[1].strip() for line in lines if (found := _PAIR.match(line))}


# --- lines ----------------------------------------------------------------------------------------

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:\\.|[^"\\\n])*"|' r"'[^'\n]*'", re.DOTALL
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[^,\]}#\n]+")  # a number, a truth, a time


def lines_of(text: str) -> dict[Path, int]:
    """The line of each value by its path. The text must be sound TOML, with plain line ends."""
    scanner = _Scanner(text)
    table: Path = ()
    while sign := scanner.next_sign():
        if sign == "[":
            table = scanner.heading()
        else:
            scanner.pair(table)
    return scanner.lines


class _Scanner:
    """One way through a text, from its first sign to its last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.last_rows: dict[Path, int] = {}  # the latest row of each `[[list]]` of tables
        self.ends = [found.start() for found in re.finditer("\n", text)]

    def heading(self) -> Path:
        """A `[table]` or `[[list]]`: the path of the table that it opens."""
        line = self.line()
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        *outer, last = self.key()
        self.at += brackets
        path: Path = ()
        for key in outer:
            path = self.note((*path, key), line)
            if path in self.last_rows:
                path = (*path, self.last_rows[path])
        path = self.note((*path, last), line)
        if brackets == 2:
            self.last_rows[path] = self.last_rows.get(path, -1) + 1
            path = self.note((*path, self.last_rows[path]), line)
        return path

    def pair(self, table: Path) -> None:
        line, path = self.line(), table
        for key in self.key():
            path = self.note((*path, key), line)
        self.at += 1  # the equals sign
        self.value(path)

    def key(self) -> list[str]:
        """The parts of a dotted key; stands at what follows it then."""
        parts: list[str] = []
        while True:
            if self.next_sign() in ('"', "'"):
                parts += tomllib.loads(f"{self.take(_STRING)} = 0")
            else:
                parts.append(self.take(_BARE_KEY))
            if self.next_sign() != ".":
                return parts
            self.at += 1

    def value(self, path: Path) -> None:
        match self.next_sign():
            case "[":
                self.items(path, "]")
            case "{":
                self.items(path, "}")
            case '"' | "'":
                self.take(_STRING)
            case _:
                self.take(_PLAIN)

    def items(self, path: Path, closing: str) -> None:
        """What stands in brackets: the values of a list, or the pairs of a table."""
        self.at += 1
        count = 0
        while self.next_sign() not in ("", closing):
            if closing == "}":
                self.pair(path)
            else:
                self.value(self.note((*path, count), self.line()))
            count += 1
            if self.next_sign() == ",":
                self.at += 1
        self.at += 1

    def next_sign(self) -> str:
        """The sign after spaces, line ends and comments; empty at the end."""
        self.take(_BLANK)
        return self.text[self.at : self.at + 1]

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else len(self.text)
        return found[0] if found else ""

    def note(self, path: Path, line: int) -> Path:
        self.lines.setdefault(path, line)
        return path

    def line(self) -> int:
        return bisect_left(self.ends, self.at) + 1
