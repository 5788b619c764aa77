"""`judge variants import`, as an operator sees it."""

import os
from pathlib import Path

import pytest

from judge.cli import main

MAPS = Path(__file__).parent / "importing" / "maps"


def run(*arguments: str | Path) -> int:
    return main(["variants", "import", *map(str, arguments)])


def test_a_good_import_says_what_it_wrote_and_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = "E=Elms,K=Karst/Karstian,V=Vale"
    assert run(MAPS / "map.fens", "--into", tmp_path, "--name", "marsh", "--powers", named) == 0
    assert capsys.readouterr().out == (
        f"{tmp_path}/marsh: written from map.fens and seed.fens (njudge)\n"
        "16 provinces, 9 centers, 3 powers\n"
        "\n"
        "Left out, because a variant cannot say it:\n"
        "  map.fens:12: Marsh: fleets there may convoy (duality)\n"
        "  map.fens:17: South Deep: the alias sc, a word of orders\n"
        "  map.fens:44: the order of centers in summaries\n"
        "  map.fens:48: a gateway between two seas\n"
        "\n"
        "Decided, for you to look at:\n"
        "  map.fens:15: North Reach: nrea has the id NRE, of three letters\n"
        "  no count of centers for victory: 5 of 9, more than half\n"
        "\n"
        f"Next: judge variants check {tmp_path}/marsh\n"
    )
    assert main(["variants", "check", str(tmp_path / "marsh")]) == 0


def test_faults_go_to_stderr_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(MAPS / "map.fens", "--into", tmp_path / "own") == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "map.fens:3: there is no power K; name it with --powers K=NAME\n"
        "map.fens:7: there is no power V; name it with --powers V=NAME\n"
        "\n"
        "2 faults; nothing was written. Mend the files and try again.\n"
    )
    assert not (tmp_path / "own").exists()


def test_what_cannot_be_asked_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(MAPS / "map.fens", "--into", tmp_path, "--powers", "Kongo") == 2
    assert "write it as A=Austria" in capsys.readouterr().err
    assert run(MAPS / "fens.map", "--into", tmp_path) == 0
    assert run(MAPS / "fens.map", "--into", tmp_path) == 1
    assert "is there already; choose another --name" in capsys.readouterr().err


def test_odd_files_are_said_and_nothing_reaches_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe.map"
    os.mkfifo(pipe)
    assert run(pipe, "--into", tmp_path, "--name", "pipe") == 1
    assert "it is no file" in capsys.readouterr().err
    long, odd = tmp_path / "long.map", tmp_path / "odd.map"
    long.write_text(f"USE {'x' * 300}\nUSE {'가' * 100}\n", encoding="utf-8")
    assert run(long, "--into", tmp_path) == 1
    assert capsys.readouterr().err.count("there is no file") == 2
    odd.write_text("MAP \x1b[2J\x1b]0;x\x07\u202e.map\nNONSENSE \x1b[31m\n", encoding="utf-8")
    assert run(odd, "--into", tmp_path) == 1
    said = capsys.readouterr()
    assert not any(sign in said.out + said.err for sign in "\x1b\x07\u202e")
    assert run(MAPS / "map.fens", "--into", tmp_path, "--name", "x" * 300) == 1
    assert "is no name for a variant" in capsys.readouterr().err


def test_a_pipe_in_a_variants_folder_is_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(MAPS / "fens.map", "--into", tmp_path) == 0
    (board,) = (tmp_path / "fens").glob("board.toml")
    board.unlink()
    os.mkfifo(board)
    assert main(["variants", "check", str(tmp_path / "fens")]) == 1
    assert "FAIL  fens" in capsys.readouterr().out
