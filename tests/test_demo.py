"""The demo, at its shortest: all players vote for a draw before the first orders."""

import subprocess
import sys
from email import message_from_bytes, policy
from pathlib import Path


def test_a_demo_tells_its_events_without_a_terminal_and_leaves_its_letters(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "judge", "demo", "--years", "0", "--dir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = done.stderr.splitlines()
    assert "Anna joins as Austria." in told
    assert any(line.startswith("The game is over: draw of AUSTRIA, ") for line in told)
    assert told[0] in (tmp_path / "summary.txt").read_text(encoding="utf-8")

    letters = sorted((tmp_path / "letters").glob("*.eml"))
    to_judge, from_judge = (int(part.split()[0]) for part in told[-3].split(", ")[:2])
    assert len(letters) == to_judge + from_judge
    first = message_from_bytes(letters[0].read_bytes(), policy=policy.default)
    assert first["To"] == "judge@judge.test"
