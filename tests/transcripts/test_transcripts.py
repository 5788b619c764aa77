"""Letters as the manuals of njudge and DPjudge teach them, and what the judge makes of them.

`letters/` holds a transcript a file, and `rows.txt` short ones with `%%` between them, for rows of
the catalogue of what the old judges have. A transcript begins with what the manual says, in words
of ours, and with the stage on which it is played. Then letters and what follows of them:

    > france                 a new letter from France's player; its lines follow
    >> france                a reply to the newest letter to France's player
    < france: A PAR - BUR    the newest letter to France's player holds these words
    < france! Error          and not these
    = FRANCE A PAR - BUR     what is stored for France among its orders, or the last of them
    = deadline 2026-12-05T20:00   the game's deadline, in UTC
    = status paused          the game's status, or the word it has for it

The passwords of the stage are `frogs` for France's seat and `gavel` for the master's.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.host.command import CommandLine
from judge.host.commands import COMMAND_PARSER
from judge.host.unit_of_work import opened
from tests.host.conftest import Hall

HERE = Path(__file__).parent
LETTERS = {
    path.stem: path.read_text(encoding="utf-8") for path in sorted((HERE / "letters").glob("*.txt"))
}
ROWS = {  # by the first word
    text[2:].partition(":")[0]: text
    for text in (HERE / "rows.txt").read_text(encoding="utf-8").split("%%\n")
}
OLD_SETTINGS = tomllib.loads((HERE / "old_settings.toml").read_text(encoding="utf-8"))
PEOPLE = {
    "master": "gm@example.test",
    "ann": "ann@example.test",
    "bob": "bob@example.test",
    "cafe": "cafe@else.test",
}
STAGES = ("empty", "forming", "running", "grey", "fall", "winter")


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    yield made
    made.database.close()


def address(who: str) -> str:
    return PEOPLE.get(who, f"{who}@example.test")


def set_up(hall: Hall, stage: str, lines: str) -> None:
    """The judge as it is when the transcript begins."""
    assert stage in STAGES
    if stage == "empty":
        return
    if stage == "forming":
        hall.create(lines)
        return
    hall.start("\n".join(filter(None, (lines, "press: grey" if stage == "grey" else ""))))
    hall.order("FRANCE", "SET PASSWORD frogs")
    hall.post(address("master"), "SET PASSWORD gavel", reply_to=hall.last(address("master")))
    if stage in {"fall", "winter"}:
        hall.open_game()
        hall.run_phase()
    if stage == "winter":
        hall.order("FRANCE", "A SPA - POR\nF MAO - SPA/SC\nA BUR - BEL")
        hall.run_phase()


def check(hall: Hall, line: str) -> None:
    sign, said = line[0], line[2:]
    if sign == "<":
        who, mark, words = said.partition("!" if "!" in said.partition(":")[0] else ":")
        text = " ".join(hall.text(hall.last(address(who))).split())
        assert (words.strip() in text) == (mark == ":"), f"{line}\n\n{text}"
        return
    what, _, value = said.partition(" ")
    game = hall.game()
    if what == "deadline":
        assert game.timing is not None
        assert f"{game.timing.deadline_at:%Y-%m-%dT%H:%M}" == value
    elif what == "status":
        assert value in (str(game.status), "held" if game.timing and game.timing.held else "")
    elif what == "phase":
        assert game.phase is not None
        assert game.phase.label == value
    else:
        stored = [one.text for one in game.order_set(opened(game).awaited[0].seat.__class__(what))]
        assert value in stored, stored


@pytest.mark.parametrize("transcript", [*LETTERS.values(), *ROWS.values()], ids=[*LETTERS, *ROWS])
def test_a_letter_of_the_old_manuals_does_what_they_say(hall: Hall, transcript: str) -> None:
    head, *rest = transcript.split("\n\n", 1)
    about = [line for line in head.splitlines() if not line.startswith("#")]
    assert head.startswith("# "), "a transcript begins with what the manual says"
    stage, *settings = about or ["running"]
    set_up(hall, stage, "\n".join(settings))
    letter: tuple[str, bool] | None = None
    body, checked = list[str](), 0
    for line in [*rest[0].splitlines(), "< end"]:
        found = re.match(r"(>>?|<|=) ", line)
        if found is None:
            body.append(line)
            continue
        if letter is not None:
            who, is_reply = letter
            answered = hall.last(address(who)) if is_reply else None
            text = "\n".join(body).strip()
            hall.post(address(who), text, name=who.title(), reply_to=answered)
            letter, body = None, []
        if found[1] in {">", ">>"}:
            letter = line[found.end() :].strip(), found[1] == ">>"
        elif line != "< end":
            check(hall, line)
            checked += 1
    assert checked, "a transcript asserts something"


def test_there_are_transcripts_enough() -> None:
    assert len(LETTERS) >= 30


@pytest.mark.parametrize(
    ("line", "told"), [one for table in OLD_SETTINGS.values() for one in table.items()]
)
def test_a_setting_of_the_old_judges_is_taken_or_told(hall: Hall, line: str, told: str) -> None:
    hall.post(PEOPLE["ann"], f"CREATE balkan\n{line}")
    text = " ".join(hall.text(hall.last(PEOPLE["ann"])).split())
    assert told.removeprefix("!") in text
    assert ("please look" in text) == told.startswith("!")
    (read,) = COMMAND_PARSER.read(f"CREATE balkan\n{line}")
    assert isinstance(read, CommandLine)
    assert read.fields, "the line is no prose"
