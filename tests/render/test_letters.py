"""Every kind of letter, from values to text, compared with the letter that was approved."""

import re
import sys
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from judge.host.messages import Message
from judge.host.messages.command_answers import (
    BallotCast,
    Deed,
    Done,
    Joined,
)
from judge.host.messages.game_events import (
    GameOver,
    SeatChanged,
    SeatEvent,
    Started,
)
from judge.host.messages.press import (
    PressReceived,
    PressSent,
)
from judge.host.messages.refusals import (
    Refusal,
    RefusalKind,
)
from judge.host.messages.shared import (
    Motion,
)
from judge.render import render_letter
from judge.render.catalogue import languages
from judge.render.layout import display_width
from judge.render.letters import RENDERED_BY
from judge.render.particles import CHOICES
from judge.rulebook import SeatId
from tests.render import samples as s
from tests.render.kinds import COMPLETE, FRANCE, LETTERS, RESULTS, TURKEY, zone_of

IN_EVERY_LANGUAGE = [(language, name) for language in languages() for name in LETTERS]


def text_of(language: str, name: str) -> tuple[str, str]:
    messages, zone = LETTERS[name]
    zone = zone_of(language, zone)
    letter = render_letter(messages, language=language, zone=zone, judge_name="Judge", kind=name)
    return letter.subject, letter.text


@pytest.mark.parametrize(("language", "name"), IN_EVERY_LANGUAGE)
def test_letter_reads_as_approved(
    language: str, name: str, compare_letter: Callable[[str, str, str], None]
) -> None:
    subject, text = text_of(language, name)
    compare_letter(language, name, f"Subject: {subject}\n\n{text}")


@pytest.mark.parametrize(("language", "name"), IN_EVERY_LANGUAGE)
def test_letter_reads_on_a_phone(language: str, name: str) -> None:
    """Nothing stands in a column, and no paragraph is broken: letters may differ in width."""
    subject, text = text_of(language, name)
    lines = text.split("\n")
    assert [line for line in lines if re.search(r"\S {4}|^ {8}|\^\^", line)] == []
    assert language != "en" or [line for line in lines if re.match(r"[a-z]+ ", line)] == []
    assert [line for line in lines if line != line.rstrip()] == []
    assert 0 < display_width(lines[0]) < 60
    assert "\n\n\n" not in text
    assert subject.startswith("[Judge] ")
    assert "{" not in text + subject


# Latin words in letters of other languages: names, and what is typed as it stands.
NO_ENGLISH = re.compile(
    r"mailto:\S+|balkan|balkn|adria|spring7|standard|colonial|chess|variant|rules|press|movement|fortnights"
    r"|players|name|zone|language|en|ko|ja|zh_Hant|Europe/Paris|Asia/\w+|UTC|Judge|[+]\dd|\d+[hmd]"
    r"|Ann|Bert|Chloé|Dieter|Elena|Fyodor|Gül|Hana|kq7wm-3xtda|SIGNON \w+|f00d|Paris|Seoul"
    r"|password|secret|Mra|Gaz|Spa|Mao|Pie|[\w.]*@[\w.]+|[0-9a-f]{32,}|Sat 5 Dec 20:00"
)
# Quoted lines, and options with their values, which are typed as they stand.
QUOTED = re.compile(r'^ +".*?"$|^ +\d\. .*|^  [a-z_]+[:：].*', re.MULTILINE)
# Somebody's own words stand in these.
OWN_WORDS = ("press", "announce", "papers", "diary", "statement_saved", "game_over_terminated")
PRESS = {name for name in LETTERS if name.startswith(OWN_WORDS) or name == "cancelled"}


@pytest.mark.parametrize(("language", "name"), IN_EVERY_LANGUAGE)
def test_letter_is_written_in_one_language(language: str, name: str) -> None:
    if language == "en" or name in PRESS:
        return
    subject, text = text_of(language, name)
    left = NO_ENGLISH.sub("", QUOTED.sub("", f"{subject}\n{text}"))
    assert re.findall(r"[A-Za-z]*[a-z][A-Za-z]*", left) == []


@pytest.mark.parametrize("name", LETTERS)
def test_korean_letter_shows_one_form_of_a_particle(name: str) -> None:
    assert [
        both for both in (*CHOICES, "(으)", "(이)") if both in "".join(text_of("ko", name))
    ] == []


@pytest.mark.parametrize("language", languages())
def test_first_line_fits_when_press_goes_to_many(language: str) -> None:
    everybody = tuple(power for power in s.POWERS if power != FRANCE)
    letter = render_letter(
        [PressSent(s.game(), (*everybody, "MASTER"), False, False, "Agreed.")],
        language=language,
        zone="UTC",
        judge_name="Judge",
        kind="answer",
    )
    assert display_width(letter.text.split("\n")[0]) < 60


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_first_line_fits_where_a_player_has_several_powers(players: str, language: str) -> None:
    for seat in s.RULEBOOK.seats("standard", {"players": players}):
        game = s.game("S1901M", seat.id)
        view = s.RULEBOOK.start("standard", {"players": players}).view(seat.id)
        messages: list[Message] = [
            Started(game, view, s.SETTINGS, (), "f00d", s.due()),
            Joined(game, seat.id, "kq7wm-3xtda", 0),
            PressReceived(s.game(), seat.id, (FRANCE, "ITALY"), False, "Agreed."),
            PressReceived(s.game(), seat.id, (FRANCE, "ITALY"), True, "Agreed."),
            BallotCast(s.game(), Motion(1, "concession", True, 3, 3, (seat.id,), own=True)),
            *(SeatChanged(s.game(), seat.id, event, "Ann") for event in SeatEvent),
            *(
                GameOver(game, view, ending, (seat.id,), (), "f00d")
                for ending in ("solo", "concession")
            ),
        ]
        for message in messages:
            letter = render_letter(
                [message], language=language, zone="UTC", judge_name="Judge", kind="answer"
            )
            assert display_width(letter.text.split("\n")[0]) < 60


def test_every_message_has_an_approved_letter() -> None:
    shown = {type(message) for messages, _ in LETTERS.values() for message in messages}
    assert set(Message.__subclasses__()) - shown == set()


def test_every_message_has_the_function_that_renders_it() -> None:
    assert set(RENDERED_BY) == set(Message.__subclasses__())


def test_the_letters_of_a_phase_are_rendered_in_few_steps() -> None:
    """What all players read is laid out once: 282,618 calls before, for eight letters."""
    letters = [
        replace(
            RESULTS,
            game=s.game("S1902M", seat),
            own=s.own_report(s.SPRING_1902, seat).to_raw(),
            is_awaited=seat == FRANCE,
        )
        for seat in (*map(SeatId, s.POWERS), TURKEY)
    ]
    calls = 0

    def count_call(frame: object, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count_call)
    try:
        for message in letters:
            render_letter([message], language="en", zone="UTC", judge_name="Judge", kind="results")
    finally:
        sys.setprofile(None)
    assert calls < 60_000


def test_a_deadline_is_said_once_in_a_letter() -> None:
    messages = [COMPLETE, Done(s.game(), Deed.READY, COMPLETE.due)]
    letter = render_letter(messages, language="en", zone=s.PARIS, judge_name="Judge", kind="answer")
    assert letter.text.count("Sat 5 Dec 2026, 21:00") == 1


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("kind", RefusalKind)
def test_every_refusal_has_its_sentence(kind: RefusalKind, language: str) -> None:
    known = ["novice"] if kind is RefusalKind.OTHER_LEVEL else ["FRANCE", "ITALY"]
    values = {"written": "FRANCE", "nearest": known, "usage": "JOIN balkan"}
    for held in (values, {"written": "TURKEY"}, {}):
        for game in (s.game(), None):
            letter = render_letter(
                [Refusal(kind, held, game)],
                language=language,
                zone="UTC",
                judge_name="Judge",
                kind="answer",
            )
            first = letter.text.split("\n")[0]
            assert 0 < display_width(first) < 60
            assert first.endswith((".", "?", ":", "。", "？", "："))
            assert "{" not in letter.text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("deed", Deed)
def test_every_deed_has_its_sentence(deed: Deed, language: str) -> None:
    letter = render_letter(
        [Done(s.game(), deed)], language=language, zone="UTC", judge_name="Judge", kind="answer"
    )
    assert display_width(letter.text.split("\n")[0]) < 60


@pytest.mark.parametrize(
    ("language", "told"),
    [("ja", "匿名プレイヤーさんがトルコ"), ("ko", "익명 플레이어 님이 터키")],
)
def test_a_player_without_a_name_is_told_in_plain_words(language: str, told: str) -> None:
    message = SeatChanged(s.game(), TURKEY, SeatEvent.RETAKEN, "")
    letter = render_letter([message], language=language, zone=s.PARIS, judge_name="J", kind="seat")
    assert told in letter.text
