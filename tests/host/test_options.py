"""What a variant leaves open, by mail: a master chooses it in CREATE, and the game follows."""

import re

import pytest

from judge.host.games.choosing import choose_settings
from judge.host.messages.command_answers import Created
from judge.host.messages.games import GameList, GameStatus
from judge.rulebook import load_game
from judge.store import Status

from .conftest import Hall

MASTER = "gm@example.test"
Options = tuple[tuple[str, str], ...]


@pytest.mark.parametrize(
    ("lines", "variant", "options"),
    [
        ("variant: colonial", "colonial", ()),
        ("board: Colonial\nrailway: no", "colonial", (("railway", "false"),)),
        ("railway: off\nvariant: colonial", "colonial", (("railway", "false"),)),
        ("variant: colonial, railway false", "colonial", (("railway", "false"),)),
        (
            "victory = 24\nmap = colonial\nland-bridges: Moulmein\nHong Kong: yes",
            "colonial",
            (("hong_kong", "true"), ("land_bridges", "moulmein"), ("victory", "24")),
        ),
        (
            "options: victory 24, calendar seasons\nvariant: colonial",
            "colonial",
            (("calendar", "seasons"), ("victory", "24")),
        ),
        (
            "盤：colonial\n鉄道：いいえ\n鉄道の自国通過：いいえ\n暦：季節制",
            "colonial",
            (("railway", "false"), ("railway_passes_own", "false"), ("calendar", "seasons")),
        ),
        (
            "게임판: colonial\n운하: 아니요\n홍콩 제외: 예\n육지 다리: 1996",
            "colonial",
            (("canal", "false"), ("hong_kong", "true"), ("land_bridges", "1996")),
        ),
        (
            "圖板：colonial\n鐵路：否\n曆法：季節制",
            "colonial",
            (("railway", "false"), ("calendar", "seasons")),
        ),
        ("victory: 20", "standard", (("victory", "20"),)),
    ],
)
def test_a_variant_and_its_options_are_chosen_in_any_order(
    hall: Hall, lines: str, variant: str, options: Options
) -> None:
    hall.create(lines)
    created = hall.said(MASTER, Created)
    assert created.faults == ()
    assert (created.settings.variant, created.settings.options) == (variant, options)
    assert hall.game().settings == created.settings


@pytest.mark.parametrize("language", ["ja", "ko", "zh_Hant"])
def test_help_names_every_setting_in_the_readers_words(hall: Hall, language: str) -> None:
    words = {"ja": "ヘルプ ゲーム作成", "ko": "도움말 게임 만들기", "zh_Hant": "說明 開新遊戲"}
    hall.register(MASTER, "Grace Master")
    hall.post(MASTER, f"SET LANGUAGE {language}", reply_to=hall.last(MASTER))
    hall.post(MASTER, words[language], reply_to=hall.last(MASTER))
    rows = hall.text(hall.last(MASTER)).split(
        {"ja": "設定：", "ko": "설정: "}.get(language, "設定：")
    )
    named = rows[1].replace("clock", "")  # of the old judges, and in their notation
    assert re.findall(r"[a-z_ ]{3,}", named.split("\n\n")[0]) == []


def test_every_value_of_every_option_can_be_written(hall: Hall) -> None:
    rulebook = load_game("diplomacy")
    for variant in rulebook.variants():
        for option in rulebook.variant_options(variant):
            for value in option.values[0].split(" - ") if option.is_count else option.values:
                chosen = choose_settings(
                    hall.config.defaults, {"variant": variant, option.key: value}
                )
                assert chosen.faults == ()
                assert chosen.settings.options == ((option.key, value),)


@pytest.mark.parametrize(
    ("line", "name", "kind", "known"),
    [
        ("railway: maybe", "railway", "bad_option", "true false"),
        ("railwey: no", "railwey", "no_option", "railway"),
        ("victory: 59", "victory", "bad_option", "1 - 58"),
        ("options: moulmein", "options", "no_setting", "railway"),
    ],
)
def test_an_option_that_is_not_there_keeps_a_draft(
    hall: Hall, line: str, name: str, kind: str, known: str
) -> None:
    hall.create(f"{line}\nvariant: colonial\ncanal: no")
    created = hall.said(MASTER, Created)
    (fault,) = created.faults
    assert (fault.name, fault.kind) == (name, kind)
    assert known in " ".join(fault.known)
    assert created.settings.options == (("canal", "false"),)
    assert hall.game().status is Status.DRAFT


def test_another_variant_drops_the_options_of_the_first(hall: Hall) -> None:
    hall.create("variant: colonial\nrailway: no\ncolour: red")
    hall.post(MASTER, "CREATE balkan\nvariant: standard", reply_to=hall.last(MASTER))
    assert hall.said(MASTER, Created).settings.options == ()


def test_lists_and_letters_name_what_was_chosen(hall: Hall) -> None:
    hall.create("variant: colonial\ncanal: no")
    hall.post(MASTER, "LIST\nLIST balkan", reply_to=hall.last(MASTER))
    (row,) = hall.said(MASTER, GameList).games
    assert (row.variant, row.options) == ("colonial", (("canal", "false"),))
    assert hall.said(MASTER, GameStatus).settings.options == (("canal", "false"),)
