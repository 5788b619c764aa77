"""Where each value of a TOML text stands: the line of every key, of every item of a list.

The standard library's parser keeps no lines, and this keeps no values: it walks a text that the
parser has taken already, and knows nothing of what the keys mean.
"""

import re
import tomllib
from collections.abc import Iterator

Path = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:\\.|[^"\\\n])*"|' r"'[^'\n]*'", re.DOTALL
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[^,\]}#\r\n]+")  # a number, a truth, a time
_POSITION = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def lines_of(text: str) -> dict[Path, int]:
    """The line, counted from 1, of each value by its path; tables stand where they are opened.

    `text` must be sound TOML: what the parser refuses is not looked for here.
    """
    return _Walk(text.replace("\r\n", "\n")).lines


def syntax_fault(error: tomllib.TOMLDecodeError, text: str) -> tuple[int, str]:
    """The line that the parser stopped at, and its words without that place."""
    message = str(error)
    found = _POSITION.search(message)
    last = max((at for at, line in enumerate(text.splitlines(), 1) if line.strip()), default=1)
    line = int(found[1]) if found and found[1] else last
    gist = _POSITION.sub("", message)
    return min(line, last), gist[:1].lower() + gist[1:]


class _Walk:
    """One way through a text, from its first sign to its last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}  # how many tables each `[[list]]` has so far
        self._line, self._counted = 1, 0
        self._document()

    def _document(self) -> None:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                table = self._heading()
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _heading(self) -> Path:
        is_list = self.text.startswith("[[", self.at)
        line = self._here()
        self.at += 2 if is_list else 1
        *outer, last = self._key()
        self.at += 2 if is_list else 1
        path = self._resolved(outer, line)
        if is_list:
            path = (*path, last)
            self.lines.setdefault(path, line)
            self.tables[path] = self.tables.get(path, -1) + 1
            path = (*path, self.tables[path])
        else:
            path = (*path, last)
        self.lines.setdefault(path, line)
        return path

    def _resolved(self, keys: list[str], line: int) -> Path:
        """The outer keys of a heading as a path: within a list of tables they mean its latest."""
        path: Path = ()
        for key in keys:
            path = (*path, key)
            self.lines.setdefault(path, line)
            if path in self.tables:
                path = (*path, self.tables[path])
        return path

    def _pair(self, table: Path) -> None:
        line = self._here()
        path = table
        for key in self._key():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _key(self) -> list[str]:
        return list(self._key_parts())

    def _key_parts(self) -> Iterator[str]:
        while True:
            self._skip(_SPACE)
            quoted = self._take(_STRING)
            yield next(iter(tomllib.loads(f"{quoted} = 0"))) if quoted else self._take(_BARE_KEY)
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return
            self.at += 1

    def _value(self, path: Path) -> None:
        match self.text[self.at : self.at + 1]:
            case "[":
                self._list(path)
            case "{":
                self._inline_table(path)
            case '"' | "'":
                self._take(_STRING)
            case _:
                self._take(_PLAIN)

    def _list(self, path: Path) -> None:
        self.at += 1
        count = 0
        self._skip(_BLANK)
        while not self.text.startswith("]", self.at):
            self.lines[(*path, count)] = self._here()
            self._value((*path, count))
            count += 1
            self._skip_comma()
        self.at += 1

    def _inline_table(self, path: Path) -> None:
        self.at += 1
        self._skip(_BLANK)
        while not self.text.startswith("}", self.at):
            self._pair(path)
            self._skip_comma()
        self.at += 1

    def _skip_comma(self) -> None:
        self._skip(_BLANK)
        if self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_BLANK)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._take(pattern)

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[0]

    def _here(self) -> int:
        """The line of the sign that comes next."""
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line
