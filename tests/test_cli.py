"""The program's front door, as a keeper uses it from a shell."""

from pathlib import Path

import pytest

from judge.cli import main


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JUDGE_JUDGE__ADDRESS", "judge@judge.test")
    monkeypatch.setenv("JUDGE_JUDGE__DATA", str(tmp_path))
    return tmp_path


def create(*settings: str) -> int:
    return main(["create", "balkan", "--master", "gm@example.test", *settings])


def test_a_game_is_created_shown_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert create("movement=2d", "press=grey") == 0
    assert "2 days" in capsys.readouterr().out
    assert main(["games"]) == 0
    assert "open: 0 of 7 players" in capsys.readouterr().out
    assert main(["show", "balkan"]) == 0
    assert "2 days" in capsys.readouterr().out


def test_what_is_refused_says_why_and_exits_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert create() == 0
    assert create() == 1
    assert "balkan" in capsys.readouterr().err
    assert main(["show", "nix"]) == 1
    assert 'Nothing is called "nix"' in capsys.readouterr().err
    assert main(["process", "balkan"]) == 1


def test_wrong_usage_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert create("movement") == 2
    assert main([]) == 2
    with pytest.raises(SystemExit) as stopped:
        main(["games", "--nonsense"])
    assert stopped.value.code == 2
    assert "--nonsense" in capsys.readouterr().err


def test_faulty_settings_exit_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "judge.toml"
    config.write_text('[imap]\nprot = 5\ntls = "maybe"\n', encoding="utf-8")
    assert main(["check", "--config", str(config)]) == 2
    said = capsys.readouterr().err
    assert "Did you mean `port`?" in said
    assert "'maybe' cannot be used. Write true or false" in said


def test_the_settings_file_may_be_named_by_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUDGE_CONFIG", str(tmp_path / "other.toml"))
    assert main(["games"]) == 2
    assert str(tmp_path / "other.toml") in capsys.readouterr().err
    (tmp_path / "own.toml").write_text("", encoding="utf-8")
    assert main(["games", "--config", str(tmp_path / "own.toml")]) == 0


def test_a_faulty_line_of_adjudicate_exits_with_1_and_the_others_are_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text('nonsense\n{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}}\n')
    assert main(["adjudicate", str(lines)]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert '"error"' in first
    assert '"A PAR H"' in second
