"""What differs by a kind alone: each kind is said in every language, in its place in a letter."""

from string import Formatter

import pytest

from judge.host.command import Stage, Who
from judge.host.commands import COMMANDS
from judge.host.commands.lists import help_on
from judge.host.messages import Message
from judge.host.messages.command_answers import HelpText
from judge.host.messages.games import ActRow, Summary
from judge.host.messages.order_answers import PartsNotRead
from judge.host.messages.people import Personal, PersonalKind, Profile
from judge.host.messages.refusals import KeeperNotice
from judge.render import languages, render_letter
from judge.render.answers import SENTENCES
from judge.render.letters import Shown
from judge.render.notices import SENTENCES as NOTICES
from judge.store import EVERY_ATTACHMENT, Act, Attachment, Format

from . import samples as s
from .kinds import FRANCE, LETTERS


def said(language: str, message: Message) -> str:
    letter = render_letter(
        [message], language=language, zone=s.PARIS, judge_name="Judge", kind="test"
    )
    assert "{" not in letter.text
    return letter.text


@pytest.mark.parametrize("language", languages())
def test_every_act_of_a_master_has_its_row(language: str) -> None:
    rows = [
        said(
            language,
            Summary(s.game(), s.ROSTER, acts=(ActRow("S1901M", act, (FRANCE,), "Ann"),)),
        )
        for act in Act
    ]
    assert len(set(rows)) == len(Act)


@pytest.mark.parametrize("language", languages())
def test_every_way_in_which_letters_come_is_shown(language: str) -> None:
    shown = {
        said(language, Profile("Ann", "en", {}, None, True, format=format, attachments=attached))
        for format in Format
        for attached in (EVERY_ATTACHMENT, (Attachment.CHART,), ())
    }
    assert len(shown) == 7  # nothing is attached to plain text, whatever else was chosen
    told = {
        said(language, Personal(PersonalKind.ATTACHMENTS, {"attachments": one}))
        for one in EVERY_ATTACHMENT
    }
    assert len(told) == len(EVERY_ATTACHMENT)


@pytest.mark.parametrize("language", languages())
def test_every_part_that_is_not_read_is_told(language: str) -> None:
    told = {said(language, PartsNotRead(((kind, "A PAR - BUR"),))) for kind in SENTENCES.unread}
    assert len(told) == len({*SENTENCES.unread.values()})


@pytest.mark.parametrize("language", languages())
def test_help_on_a_command_says_who_may_give_it_and_when(language: str) -> None:
    by_kind = {(one.who, one.when): one for one in COMMANDS}
    assert {who for who, _ in by_kind} == {*Who}
    assert {when for _, when in by_kind} == {*Stage}
    for command in by_kind.values():
        assert said(language, HelpText((help_on(command),), orders=False))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", ["results_dislodged", "map", "game_over_in_full"])
def test_a_picture_that_was_not_ready_is_told(language: str, name: str) -> None:
    messages, zone = LETTERS[name]
    made = [
        render_letter(
            messages,
            language=language,
            zone=zone,
            judge_name="J",
            kind="test",
            shown=lambda _, x=x: x,
        )
        for x in (Shown.YES, Shown.LEFT_OUT)
    ]
    assert made[0].pictures
    assert not made[1].pictures
    assert made[0].text != made[1].text
    assert "{" not in made[1].text


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("what", NOTICES.keeper)
def test_every_notice_to_a_keeper_is_said(language: str, what: str) -> None:
    told = NOTICES.keeper[what]
    places = {place for text in (*_forms(told.verdict), told.text) for place in _places(text)}
    text = said(language, KeeperNotice(what, {**dict.fromkeys(places, "balkan"), "seconds": 7}))
    assert text.strip()


def _forms(message: str | tuple[str, str]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else message


def _places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}
