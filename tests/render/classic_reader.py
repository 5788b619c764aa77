"""A small reader of the hobby's plain-text reports, written from docs/classic-report.md alone.

Knows nothing of the judge and of no board: places and powers are the names that stand in the text.
It reads what mappers and archives read: where the units stand after each phase, and whose the
centers are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

TITLE = re.compile(
    r"(?:(Movement) results|(Retreat|Adjustment) orders) for (.+)\.  \((\S+)\.(\d+)\)$"
    r"|(Starting position) for (.+)\.  \((\S+)\.(\d+)\)$"
)
ORDER = re.compile(r"(\S[^:]*): +(Army|Fleet) (.+)$")
MARKS = re.compile(r" +\(\*(.+)\*\)$")
WORDS = {"bounce", "cut", "dislodged", "void", "no convoy", "destroyed"}
STAYS = {"bounce", "no convoy", "void"}
OPTIONS = re.compile(
    r"The (.+) (Army|Fleet) in (.+?)"
    r"(?: can retreat to (.+)| with no valid retreats was destroyed)\.$"
)
BUILD = re.compile(r"(\S[^:]*): +Builds an? (army|fleet) in (?:the )?(.+)\.$")
REMOVAL = re.compile(
    r"(\S[^:]*): +(?:Removes|Defaults, removing) the (army|fleet) in (?:the )?(.+)\.$"
)
IDLE = re.compile(r"\S[^:]*: +(?:Build waived|\d+ unusable builds? waived)\.$")
OWNS = re.compile(r"(\S[^:]*): +(\S.*)\.$")
COUNT = re.compile(
    r"(\S[^:]*): +(\d+) Supply centers?, +(\d+) Units?: +(Builds|Removes) +(\d+) units?\.$"
)
HEAD = re.compile(r":: Judge: (\S+)  Game: (\S+)  Variant: (.+)$")
DATE = re.compile(r"Date: (.+)$")
Unit = tuple[str, str, str]  # power, `Army` or `Fleet`, place


@dataclass
class Turn:
    """A phase that was read, and how the board stands after it."""

    subject: str
    phase: str  # `Movement Spring of 1901`
    serial: int
    units: set[Unit] = field(default_factory=set)
    owners: dict[str, str] = field(default_factory=dict)  # as far as they were told by now
    counts: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    silent: int = 0  # units without an order


def unwrap(text: str) -> Iterator[str]:
    """The lines as they were before they were wrapped; the width is checked on the way."""
    line = ""
    _, begin, reports = text.replace("\r", "").partition("\nDate: ")
    for next_line in f"{begin}{reports}".strip().split("\n"):
        assert len(next_line) <= 78, next_line
        if next_line.startswith("  ") and line:
            line = f"{line} {next_line.strip()}"
            continue
        yield line
        line = next_line
    yield line


def read(*letters: str) -> list[Turn]:
    """Every phase of a HISTORY, which may come in several letters."""
    turns: list[Turn] = []
    subject = section = date = ""
    fled: dict[tuple[str, str], str] = {}  # where dislodged units stand, with their power
    for line in (line for letter in letters for line in unwrap(letter)):
        if found := DATE.match(line):
            date, section = found[1], "head"
        elif line.startswith("Subject: "):
            assert date, "a subject stands below its date"
            subject, date = line, ""
        elif line.startswith("::"):
            assert HEAD.match(line) or line.startswith(":: Deadline: ")
        elif line.startswith("Remarks:"):
            section = "remarks"
        elif found := TITLE.match(line):
            kind = found[1] or found[2] or "Start"
            when, serial = found[3] or found[7], found[5] or found[9]
            last = turns[-1] if turns else Turn("", "", 0)
            turn = Turn(subject, f"{kind} {when}", int(serial), {*last.units}, {**last.owners})
            turns.append(turn)
            section = kind
            if kind in ("Start", "Movement"):
                turn.units, fled = set(), {}
        elif line.startswith("The following units were dislodged"):
            section = "dislodged"
        elif line.startswith("Ownership of supply centers"):
            section, turns[-1].owners = "owners", {}
        elif line.startswith(("The next phase of", "The deadline for", "The game is over.")):
            section = ""
        elif line and section in READERS:
            READERS[section](line, turns[-1], fled)
    return turns


def marked(line: str) -> tuple[str, set[str]]:
    """A line without its result words and its full stop."""
    found = MARKS.search(line)
    words = set(found[1].split(", ")) if found else set()
    assert words <= WORDS, line
    return MARKS.sub("", line).removesuffix("."), words


def read_start(line: str, turn: Turn, _fled: dict[tuple[str, str], str]) -> None:
    found = ORDER.match(line.removesuffix("."))
    assert found, line
    turn.units.add((found[1], found[2], found[3]))


def read_movement(line: str, turn: Turn, fled: dict[tuple[str, str], str]) -> None:
    told, words = marked(line)
    found = ORDER.match(told)
    assert found, line
    power, kind, rest = found[1], found[2], found[3]
    turn.silent += rest.endswith(", No Order Processed")
    rest = rest.removesuffix(", No Order Processed").removesuffix(" HOLD")
    place = re.split(r" SUPPORT | CONVOY ", rest)[0]
    if place == rest and " -> " in rest:
        place, *_, goal = rest.split(" -> ")
        if not words & STAYS:
            assert "dislodged" not in words, line
            turn.units.add((power, kind, goal))
            return
    if "dislodged" in words:
        fled[kind, place] = power
    else:
        turn.units.add((power, kind, place))


def read_dislodged(line: str, _turn: Turn, fled: dict[tuple[str, str], str]) -> None:
    found = OPTIONS.match(line)
    assert found, line
    assert (found[2], found[3]) in fled, line


def read_retreat(line: str, turn: Turn, fled: dict[tuple[str, str], str]) -> None:
    told, words = marked(line)
    found = ORDER.match(told)
    assert found, line
    place, arrow, goal = found[3].partition(" -> ")
    for end in (" DISBAND", ", No Order Processed (DISBAND)"):
        place = place.removesuffix(end)
    assert fled[found[2], place] == found[1]
    if arrow and not words:
        turn.units.add((found[1], found[2], goal))


def read_adjustment(line: str, turn: Turn, _fled: dict[tuple[str, str], str]) -> None:
    if found := BUILD.match(line):
        turn.units.add((found[1], found[2].title(), found[3]))
    elif found := REMOVAL.match(line):
        turn.units.remove((found[1], found[2].title(), found[3]))
    else:
        assert IDLE.match(line), line


def read_owners(line: str, turn: Turn, _fled: dict[tuple[str, str], str]) -> None:
    if found := COUNT.match(line):
        power, n = found[1], int(found[5])
        assert sum(owner == power for owner in turn.owners.values()) == int(found[2]), line
        left = n if found[4] == "Builds" else -n
        turn.counts[power] = (int(found[2]), int(found[3]), left)
        return
    found = OWNS.match(line)
    assert found, line
    if found[1] != "Unowned":
        turn.owners |= dict.fromkeys(found[2].split(", "), found[1])


READERS = {
    "Start": read_start,
    "Movement": read_movement,
    "dislodged": read_dislodged,
    "Retreat": read_retreat,
    "Adjustment": read_adjustment,
    "owners": read_owners,
}
