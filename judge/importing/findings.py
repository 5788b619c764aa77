"""What an import finds out about the files it reads, each with its file and line.

Knows nothing of any format.
"""

from dataclasses import dataclass, field

from judge.errors import JudgeError


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file; `str()` as compilers write it."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found; `str()` is what an operator reads."""

    text: str
    place: Place | None = None

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


@dataclass(slots=True)
class Findings:
    """All that an import has to say, gathered on the way.

    Attributes:
        faults: what is wrong with the files; with any of them nothing is written.
        left_out: what the files say and our variants cannot.
        assumed: what the files do not say, or say otherwise than we write it.
    """

    faults: list[Finding] = field(default_factory=list)
    left_out: list[Finding] = field(default_factory=list)
    assumed: list[Finding] = field(default_factory=list)

    def fault(self, text: str, place: Place | None = None) -> None:
        """Note something wrong."""
        self.faults.append(Finding(text, place))

    def leave_out(self, text: str, place: Place | None = None) -> None:
        """Note something that is not in what is written."""
        self.left_out.append(Finding(text, place))

    def assume(self, text: str, place: Place | None = None) -> None:
        """Note something decided for the operator."""
        self.assumed.append(Finding(text, place))


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """Without doubles; file after file as they were first read, each from its first line."""
    files: dict[str, int] = {}
    for finding in findings:
        if finding.place:
            files.setdefault(finding.place.file, len(files))

    def rank(finding: Finding) -> tuple[int, int]:
        if finding.place is None:
            return len(files), 0
        return files[finding.place.file], finding.place.line

    return tuple(sorted(dict.fromkeys(findings), key=rank))


class FaultyMap(JudgeError):
    """The files of a map have faults: all of them at once; nothing was written."""

    def __init__(self, faults: tuple[Finding, ...]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults
