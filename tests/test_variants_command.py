"""`judge variants`, and a keeper's own variants wherever the program uses one."""

import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.check import check
from judge.cli import main
from judge.data import use_variants, variant_folders
from judge.service import embedded_settings
from tests.diplomacy.variant_folders import copy_of, write_variant

TINY = """\
name = "tiny"
based_on = "standard"
leave_out = ["AUSTRIA", "ENGLAND", "RUSSIA", "TURKEY", "ITALY"]
victory_centers = 9
builds = "any"

[titles]
en = "Tiny"
ko = "아주 작은 판"
"""


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A judge with a folder of its own variants, and one in it."""
    folder = tmp_path / "own"
    write_variant(folder, "tiny", {"variant.toml": TINY})
    monkeypatch.setenv("JUDGE_JUDGE__ADDRESS", "judge@judge.test")
    monkeypatch.setenv("JUDGE_JUDGE__DATA", str(tmp_path / "data"))
    monkeypatch.setenv("JUDGE_JUDGE__VARIANTS", str(folder))
    yield folder
    use_variants({})


Said = pytest.CaptureFixture[str]


def test_all_variants_are_listed_the_keepers_own_last(capsys: Said) -> None:
    assert main(["variants", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first, last = (" ".join(line.split()) for line in (lines[0], lines[-1]))
    assert first == "standard Standard 7 powers 18 of 34 centers win starts in S1901M"
    assert last == "tiny Tiny 2 powers 9 of 34 centers win starts in S1901M"
    assert len(lines) == 10


def test_one_is_shown_with_all_that_a_master_asks_for(capsys: Said, own: Path) -> None:
    assert main(["variants", "show", "tiny"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("tiny: Tiny (아주 작은 판)\n")
    for line in (
        f"folder    {own / 'tiny'}",
        "board     76 provinces, 34 centers",
        "victory   9 centers",
        "builds    in all owned centers",
        "starts    S1901M",
        "calendar  S, F, then builds (W), every year",
        "F  France   BRE MAR PAR: A MAR, A PAR, F BRE",
    ):
        assert line in said.splitlines()
    assert "builds: any | home | any_home | one_home (usual: any)" in said


def test_centers_that_a_power_must_take_first_stand_in_brackets(capsys: Said) -> None:
    assert main(["variants", "show", "1898"]) == 0
    assert "T  Turkey   (ANK) (CON) SMY: A SMY" in capsys.readouterr().out
    assert main(["variants", "show", "blank"]) == 0
    said = capsys.readouterr().out
    assert "starts    W1900A with builds, then S1901M" in said
    assert "T  Turkey   ANK CON SMY: no units" in said


def test_an_unknown_one_is_refused_with_those_there_are(capsys: Said) -> None:
    assert main(["variants", "show", "nix"]) == 1
    assert 'There is no variant "nix"; there are standard,' in capsys.readouterr().err


def test_wrong_usage_exits_with_2(capsys: Said, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["variants"])
    assert stopped.value.code == 2
    (tmp_path / "empty").mkdir()
    assert main(["variants", "check", str(tmp_path / "empty")]) == 2
    assert "there is no variant.toml in it" in capsys.readouterr().err


def test_the_shipped_variants_pass_the_check(capsys: Said) -> None:
    assert main(["variants", "check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("ok    ") for line in lines)
    assert len(lines) == 9


def test_a_folder_is_checked_with_every_fault_and_its_line(
    capsys: Said, own: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    write_variant(other, "bad", {"variant.toml": TINY.replace("tiny", "bad") + "width = 3\n"})
    write_variant(other, "good", {"variant.toml": TINY.replace("tiny", "good")})
    assert main(["variants", "check", str(other), str(own / "tiny")]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "FAIL  bad: 1 fault",
        f"{other / 'bad'}/variant.toml:10: titles.width is a text, not a whole number (3)",
        "ok    good",
        "ok    tiny",
    ]


def test_a_variant_of_a_shipped_name_is_refused(capsys: Said, tmp_path: Path) -> None:
    copy_of(tmp_path, "fleet_rome", {})
    assert main(["variants", "check", str(tmp_path / "fleet_rome")]) == 1
    assert 'a variant called "fleet_rome" is shipped' in capsys.readouterr().out


# --- the keeper's own, in use ---------------------------------------------------------------------


def test_a_game_of_an_own_variant_is_created(capsys: Said) -> None:
    assert main(["create", "duel", "--master", "gm@example.test", "variant=tiny"]) == 0
    assert main(["show", "duel"]) == 0
    said = capsys.readouterr().out
    assert "tiny" in said.lower()
    assert main(["games"]) == 0
    assert "0 of 2 players" in capsys.readouterr().out


def test_a_variant_with_games_that_is_gone_stops_the_judge_with_its_remedy(
    capsys: Said, own: Path
) -> None:
    assert main(["create", "duel", "--master", "gm@example.test", "variant=tiny"]) == 0
    (own / "tiny" / "variant.toml").rename(own / "tiny" / "kept.toml")
    capsys.readouterr()
    assert main(["games"]) == 1
    assert "duel: no variant tiny. Put each back" in capsys.readouterr().err
    assert _check() == 1
    assert "FAIL  database: duel: no variant tiny" in capsys.readouterr().out
    (own / "tiny" / "kept.toml").rename(own / "tiny" / "variant.toml")
    assert main(["games"]) == 0


def adjudicate(tmp_path: Path, line: dict[str, object], *more: str) -> int:
    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return main(["adjudicate", *more, str(file)])


BUILD = {
    "id": "1",
    "variant": "tiny",
    "phase": "W1901A",
    "units": {"FRANCE": ["A GAS"]},
    "centers": {"FRANCE": ["PAR", "SPA"]},
    "orders": {"FRANCE": ["A SPA B"]},
}


def test_an_own_variant_is_adjudicated(capsys: Said, tmp_path: Path) -> None:
    assert adjudicate(tmp_path, BUILD) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["units"]["FRANCE"] == ["A GAS", "A SPA"]


def test_a_settings_file_names_the_folder_too(
    capsys: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JUDGE_JUDGE__VARIANTS")
    assert adjudicate(tmp_path, BUILD) == 1
    assert "no variant 'tiny'" in capsys.readouterr().out
    config = tmp_path / "judge.toml"
    config.write_text('[judge]\nvariants = "own"\n', encoding="utf-8")
    assert adjudicate(tmp_path, BUILD, "--config", str(config)) == 0


def test_a_faulty_own_variant_is_left_out_and_told_of(
    capsys: Said, own: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_variant(own, "bad", {"variant.toml": TINY.replace("tiny", "bad").replace("9", "99")})
    with caplog.at_level(logging.WARNING):
        assert main(["variants", "list"]) == 0
    assert "tiny" in capsys.readouterr().out
    assert list(variant_folders())[-1] == "tiny"
    (line,) = [one.getMessage() for one in caplog.records if "left out" in one.getMessage()]
    assert line.startswith("variant left out name=bad fault=variant.toml:4: victory_centers: 99")


def test_judge_check_says_which_own_variants_are_faulty(capsys: Said, own: Path) -> None:
    write_variant(own, "bad", {"variant.toml": TINY.replace("tiny", "bad").replace("9", "99")})
    assert _check() == 1
    said = capsys.readouterr().out
    assert "FAIL  variants: 1 of 2 are faulty" in said
    assert "bad: variant.toml:4: victory_centers: 99 of 34 centers" in said
    (own / "bad" / "variant.toml").unlink()
    _check()
    assert f"ok    variants: tiny in {own}" in capsys.readouterr().out


def _check() -> int:
    settings = embedded_settings(Path(os.environ["JUDGE_JUDGE__DATA"]), 1, 1, os.environ)
    return check(settings)


def test_a_folder_that_is_not_there_is_a_faulty_setting(
    capsys: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("JUDGE_JUDGE__VARIANTS", str(tmp_path / "nowhere"))
    assert main(["games"]) == 2
    assert "Name a folder that exists" in capsys.readouterr().err
