"""Requests in plain words, sent as a reply: what a player gets for each of them."""

import tomllib
from pathlib import Path

import pytest

from judge.host.messages.command_answers import NothingFound
from judge.host.messages.refusals import Refusal, RefusalKind

from .conftest import OPENINGS, Hall, address_of

FRANCE = address_of("FRANCE")
FOLDER = Path(__file__).parent / "asking"
LANGUAGES = ("en", "ko", "zh_Hant", "ja")
# Of 42: how many at least are done or asked back; the others get the status, or another question.
UNDERSTOOD = {"en": 29, "ko": 33, "zh_Hant": 30, "ja": 24}
AS_WELL = {"EXTEND": ("SET DEADLINE",), "HELP DRAW": ("HELP",)}


def outcome(hall: Hall, sentence: str) -> str:
    """The command that the judge asks about; `none` if the letter held nothing, else `done`."""
    before = len(hall.out)
    hall.order("FRANCE", sentence)
    told = [
        each for row in hall.out[before:] if row.kind == "answer" for each in hall.messages(row)
    ]
    asked = [each for each in told if isinstance(each, Refusal)]
    if asked and asked[0].kind is RefusalKind.NO_COMMAND:
        return str(asked[0].values["nearest"])
    return "none" if asked or any(isinstance(each, NothingFound) for each in told) else "done"


def sentences(language: str, table: str) -> list[tuple[str, str]]:
    read = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))[table]
    return [(wanted, sentence) for wanted, listed in read.items() for sentence in listed]


def began(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", OPENINGS["FRANCE"])


def stored(hall: Hall) -> list[str]:
    return [line.text for line in hall.game().order_sets["FRANCE"]]  # type: ignore[index]


@pytest.mark.parametrize("language", LANGUAGES)
def test_requests_in_plain_words_are_done_or_asked_back(language: str) -> None:
    understood = 0
    for wanted, sentence in sentences(language, "requests"):
        hall = Hall()
        began(hall)
        result = outcome(hall, sentence)
        meant = (wanted, *AS_WELL.get(wanted, ()))
        understood += result == "done" or result.startswith(meant)
        hall.database.close()
    assert understood >= UNDERSTOOD[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_chat_is_left_alone_or_asked_about(language: str) -> None:
    done = []
    for _, sentence in sentences(language, "chat"):
        hall = Hall()
        began(hall)
        orders = stored(hall)
        outcome(hall, sentence)
        if stored(hall) != orders or any(one.ready or one.wait for one in hall.game().seats):
            done.append(sentence)
        hall.database.close()
    assert done == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Please forget what I ordered for Paris.",
        "請忘掉我給巴黎的指令。",
        "パリへの命令は忘れてください。",
    ],
)
def test_yes_never_clears_all_orders_where_one_was_named(hall: Hall, sentence: str) -> None:
    began(hall)
    outcome(hall, sentence)
    hall.order("FRANCE", "yes")
    assert len(stored(hall)) >= 2


def test_a_players_wish_for_a_later_deadline_goes_to_the_master_in_their_words(
    hall: Hall,
) -> None:
    began(hall)
    wish = "Could the deadline be moved to Monday?"
    outcome(hall, wish)
    assert wish in hall.text(hall.last("gm@example.test"))
