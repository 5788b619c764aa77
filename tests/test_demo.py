"""The demo, at its shortest: all players vote for a draw before the first orders."""

import re
import subprocess
import sys
from email import message_from_bytes, policy
from pathlib import Path

from judge.data_folder import sole_daemon
from judge.demo import make_room, run_demo


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
    pages = [message_from_bytes(one.read_bytes(), policy=policy.default) for one in letters]
    shown = [body.get_content() for one in pages if (body := one.get_body(("html",)))]
    assert len(shown) == from_judge
    languages = {re.search(r'<html lang="([^"]*)"', one)[1] for one in shown}  # type: ignore[index]
    assert languages == {"en", "ko", "ja", "zh-Hant"}


def test_a_demo_deletes_only_what_a_demo_has_made(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    kept = [tmp_path / "judge.sqlite3", tmp_path / "letters" / "mother.eml"]
    for path in kept:
        path.write_text("dear", encoding="utf-8")
    assert run_demo(tmp_path, 1, 0) == 1
    assert [path.read_text(encoding="utf-8") for path in kept] == ["dear", "dear"]
    assert run_demo(kept[0], 1, 0) == 1
    assert sorted(tmp_path.iterdir()) == sorted([kept[0], tmp_path / "letters"])


def test_a_second_demo_takes_the_place_of_the_first(tmp_path: Path) -> None:
    out = tmp_path / "new" / "demo"
    make_room(out)
    (out / "letters" / "1.eml").write_text("x", encoding="utf-8")
    (out / "judge.sqlite3-wal").write_text("x", encoding="utf-8")
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    make_room(out)
    assert list((out / "letters").iterdir()) == []
    assert not (out / "judge.sqlite3-wal").exists()
    assert (out / "notes.txt").exists()
    with sole_daemon(out):  # as `judge serve --embedded` there
        (out / "judge.sqlite3").write_text("x", encoding="utf-8")
    assert run_demo(out, 1, 0) == 1
    assert (out / "judge.sqlite3").exists()
