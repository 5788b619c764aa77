"""SET: settings that the master changes while a game forms or runs, and what everybody is told."""

from datetime import UTC, datetime, timedelta
from operator import attrgetter

import pytest

from judge.diplomacy.variants.options import options_of
from judge.diplomacy.variants.variant import load_variant
from judge.host.games.choosing import choose_settings
from judge.host.games.press_rules import COLORS
from judge.host.games.press_rules import SETTINGS as PRESS_SETTINGS
from judge.host.games.setting_values import WORDS, setting_names
from judge.host.local_words import local_word_tables, meanings
from judge.host.messages import Message
from judge.host.messages.command_answers import Created, SettingsRefused
from judge.host.messages.game_events import DeadlineMoved, Reminder, SettingsChanged
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.render.catalogue import catalogue, option_value, setting_name
from judge.rulebook import load_game
from judge.store import GameSettings, Missing, Press, Status

from . import features
from .conftest import POWERS, START, Hall, address_of

FRANCE, TURKEY, MASTER = address_of("FRANCE"), address_of("TURKEY"), "gm@example.test"
DAY = timedelta(days=1)
DUE = START + 3 * DAY  # Friday 4 December, 12:00 UTC


def deadline(hall: Hall) -> datetime:
    timing = hall.game().timing
    assert timing is not None
    return timing.deadline_at


def ask(hall: Hall, body: str) -> None:
    hall.post(MASTER, body, reply_to=hall.last(MASTER), offset=0)


def faults(hall: Hall) -> list[tuple[str, str]]:
    return [(one.name, one.kind) for one in hall.said(MASTER, SettingsRefused).faults]


def flat(hall: Hall, address: str) -> str:
    return " ".join(hall.text(hall.last(address)).split())


# --- names of settings ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("approval", "approval", True),
        ("SET NO LISTED\njoin word: xyz", "listed", False),
        ("SET UNLISTED\njoin word: xyz", "listed", False),
        ("PREVIEW", "previews", True),
        ("SET REAL_TIME", "all_in_delay", timedelta(0)),
        ("NO DIAS", "votes", ("draw", "shared_draw", "concession")),
        ("no concessions", "votes", ("draw",)),
        ("MAX ABSENCE: 10", "absence", timedelta(days=10)),
        ("HIDE LATE POWERS", "sight", {"late": "master"}),
        ("must order", "press_rules.must_order", True),
        ("no minor press", "press_rules.minor", False),
        ("OBSERVER ANY", "press_rules.observers", True),
        ("MUTE OBSERVERS", "press_rules.observers", False),
        ("NO_LATE_RECEIVE", "press_rules.late", "send"),
        ("TOUCH PRESS", "press_rules.reach", "neighbors"),
        ("REMOTE_PRESS", "press_rules.reach", "distant"),
        ("EAVESDROP", "press_rules.copies", "master"),
        ("WATCH ALL PRESS", "press_rules.copies", "observers"),
        ("서신 범위: 이웃", "press_rules.reach", "neighbors"),
        ("信件副本: 旁觀者", "press_rules.copies", "observers"),
        ("厳格な猶予: いいえ", "strict_grace", False),
    ],
)
def test_a_setting_goes_without_a_value_and_by_its_old_name(
    hall: Hall, line: str, field: str, value: object
) -> None:
    hall.create(line)
    assert hall.game().faults == ()
    assert attrgetter(field)(hall.game().settings) == value


def test_whoever_still_owes_orders_is_reminded_twice(hall: Hall) -> None:
    hall.start("reminder: 24h\n마지막 알림: 3h")
    assert "1 day and 3 hours before the deadline" in flat(hall, FRANCE)
    hall.pass_time(DUE - timedelta(hours=20))
    assert [len(hall.was_told(one, Reminder)) for one in (FRANCE, TURKEY)] == [1, 1]
    hall.order("TURKEY", "READY")
    hall.pass_time(DUE - timedelta(hours=2))
    assert [len(hall.was_told(one, Reminder)) for one in (FRANCE, TURKEY)] == [2, 1]
    ask(hall, "SET DEADLINE +1d")
    hall.pass_time(DUE + timedelta(hours=22))
    assert len(hall.was_told(FRANCE, Reminder)) == 4  # both once more


def test_a_reminder_or_extension_of_no_time_is_none(hall: Hall) -> None:
    hall.create("reminder: 0\nextension: 0")
    told = hall.text(hall.last(MASTER))
    assert "  Reminder: none\n" in told.replace("\r", "")
    assert "  More time: none\n" in told.replace("\r", "")


def test_the_last_reminder_is_the_later_one(hall: Hall) -> None:
    hall.create("reminder: 3h\nlast reminder: 5h")
    (fault,) = hall.game().faults
    assert fault[0] == "last reminder"


# --- in a game that runs --------------------------------------------------------------------------


def test_everybody_is_told_in_one_letter_what_it_was_and_is(hall: Hall) -> None:
    hall.start()
    before = {
        address: len([row for row in hall.out if row.recipient == address])
        for address in (FRANCE, TURKEY)
    }
    ask(hall, "SET missing vacant\nSET grace 30h\nSET press grey")
    settings = hall.game().settings
    assert (settings.missing, settings.grace, settings.press) == (
        Missing.VACANT,
        timedelta(hours=30),
        Press.GREY,
    )
    for address, count in before.items():
        assert len([row for row in hall.out if row.recipient == address]) == count + 1
    told = flat(hall, FRANCE)
    assert "The game master has changed the settings." in told
    assert "Grace: 1 day 6 hours (before: 1 day)" in told
    assert "Due: Fri 4 Dec 2026, 13:00" in told
    assert "The settings are changed." in flat(hall, MASTER)


def test_two_changes_about_press_are_both_told(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET partial press no\nSET must order yes")
    told = flat(hall, FRANCE)
    assert "Press: white" in told
    assert "broadcasts alone: nobody writes to some of the others; only from those whose" in told


def test_what_changes_nothing_is_told_to_nobody_else(hall: Hall) -> None:
    hall.start()
    before = len(hall.out)
    ask(hall, "SET NO FAKE")
    assert len(hall.out) == before + 1
    assert "Nothing is different from before." in flat(hall, MASTER)
    assert "Everybody" not in flat(hall, MASTER)


def test_a_changed_schedule_leaves_the_present_deadline(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET movement every Mon Wed 20:00 UTC")
    assert deadline(hall) == DUE
    assert hall.said(FRANCE, SettingsChanged).was is None
    assert "The deadline of this phase stays as it is." in flat(hall, FRANCE)
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    assert deadline(hall) == datetime(2026, 12, 7, 20, tzinfo=UTC)


def test_from_now_the_present_deadline_moves_too(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET movement 5d from now")
    assert deadline(hall) == START + 5 * DAY
    assert hall.said(FRANCE, SettingsChanged).was == DUE
    assert not hall.was_told(FRANCE, DeadlineMoved)
    assert "The deadline was Fri 4 Dec 2026, 13:00" in flat(hall, FRANCE)


def test_an_earlier_deadline_is_asked_back_and_is_a_day_away(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET movement 12h FROM NOW")
    assert hall.said(MASTER, SettingsChanged).is_asked
    assert "With this change the deadline would be Wed 2 Dec 2026, 13:00" in flat(hall, MASTER)
    assert deadline(hall) == DUE
    assert not hall.was_told(FRANCE, SettingsChanged)
    ask(hall, "YES")
    assert deadline(hall) == START + DAY
    assert len(hall.was_told(FRANCE, SettingsChanged)) == 1
    assert hall.was_told(FRANCE, Reminder)  # it would have been due by now


def test_an_earlier_deadline_is_never_later_than_announced(hall: Hall) -> None:
    hall.start()
    hall.pass_time(DUE - timedelta(hours=10))
    ask(hall, "SET movement 12h FROM NOW")
    ask(hall, "YES")
    assert deadline(hall) == hall.instant + timedelta(hours=12)  # a later one than was announced


def test_less_grace_is_asked_back(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET grace 2h")
    assert hall.said(MASTER, SettingsChanged).is_asked
    assert hall.game().settings.grace == DAY
    ask(hall, "no")
    assert hall.game().settings.grace == DAY
    ask(hall, "SET grace 2h")
    ask(hall, "yes please")
    assert hall.game().settings.grace == timedelta(hours=2)


def test_a_yes_counts_for_its_phase_alone(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET grace 2h")
    question = hall.last_answer(MASTER)
    for power in POWERS:
        hall.order(power, "READY")
    hall.run_phase()
    hall.post(MASTER, "YES", reply_to=question)
    assert hall.said(MASTER, Refusal).kind is RefusalKind.EXPIRED
    assert hall.game().settings.grace == DAY


def test_a_game_that_waits_gets_a_fair_deadline_when_it_no_longer_does(hall: Hall) -> None:
    hall.start("missing: wait")
    for _ in range(2):
        for power in POWERS if hall.game().phase.serial == 1 else POWERS[:-1]:  # type: ignore[union-attr]
            hall.order(power, "READY")
        if hall.game().phase.serial == 1:  # type: ignore[union-attr]
            hall.run_phase()
    hall.pass_time(deadline(hall) + timedelta(hours=1))
    ask(hall, "SET missing disorder")
    assert hall.game().settings.missing is Missing.DISORDER
    assert deadline(hall) >= hall.instant + DAY
    assert hall.game().phase.label == "F1901M"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("SET variant chaos", "fixed_board"),
        ("SET players 5", "fixed_board"),
        ("SET victory 15", "fixed_board"),
        ("SET rules 2023", "fixed_rules"),
        ("SET 4.A.2 szykman", "fixed_rules"),
        ("SET powers random", "fixed_start"),
        ("SET dummies ITALY", "fixed_start"),
        ("SET names hidden", "fixed_names"),
        ("SET preset fast", "fixed_preset"),
        ("SET grace soon", "bad_duration"),
        ("SET press purple", "bad_option"),
    ],
)
def test_what_cannot_change_is_refused_with_the_reason(hall: Hall, line: str, kind: str) -> None:
    hall.start()
    before = hall.game()
    ask(hall, line)
    assert faults(hall) == [(line.split()[1], kind)]
    assert hall.game().settings == before.settings
    assert "The settings are not changed." in flat(hall, MASTER)
    assert not hall.was_told(FRANCE, SettingsChanged)


def test_one_fault_keeps_all_of_the_change(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET press grey\nSET variant chaos")
    assert hall.game().settings.press is Press.WHITE
    ask(hall, "SET press grey\n\nSET variant chaos")  # apart they are two changes
    assert hall.game().settings.press is Press.GREY


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("SET missing wait\nSET grace 12h", ("missing", "wait", "grace: 12h")),
        ("SET movement every Sat\nSET not on Sat", ("movement", "every Sat", "not on: Sat")),
        ("SET reminder 4d", ("reminder", "4d", "movement: 72h")),
        ("SET movement 3d\nSET movement 4d", ("movement", "3d", "4d")),
    ],
)
def test_settings_that_contradict_each_other_are_both_named(
    hall: Hall, body: str, named: tuple[str, str, str]
) -> None:
    hall.start()
    ask(hall, body)
    told = flat(hall, MASTER)
    assert hall.said(MASTER, SettingsRefused).faults[0].kind == "contradiction"
    assert all(one in told for one in named), told


@pytest.mark.parametrize(
    ("body", "field", "value"),
    [
        ("SET MOVE CLOCK 1410", "clock", 1410),
        ("SET MOVEMENT NEXT 48", "length", timedelta(hours=48)),
        ("SET MOVE MIN 30", "shortest", timedelta(hours=30)),
        ("SET MOVE GRACE 48", "grace", timedelta(hours=48)),
        ("SET MOVE DELAY 0.5", "delay", timedelta(minutes=30)),
        ("SET MOVE DAYS -MTWTF-", "days", "-MTWTF-"),
    ],
)
def test_a_field_of_the_old_judges_changes_itself_alone(
    hall: Hall, body: str, field: str, value: object
) -> None:
    hall.start("movement: 72h 20:00 not on Sun")
    before = hall.game().settings.schedules["movement"]
    ask(hall, body)
    now = hall.game().settings.schedules["movement"]
    assert getattr(now, field) == value
    kept = [one for one in now.__struct_fields__ if one != field]
    assert [getattr(now, one) for one in kept] == [getattr(before, one) for one in kept]


@pytest.mark.parametrize(
    "body",
    [
        "SET not on Sat Sun",
        "set Not-On: Sat Sun",
        "SET GAME not_on = weekends",
        "설정 쉬는 요일: 토 일",
        "設定変更 休みの曜日：土日",
        "更改設定 不含：週末",
    ],
)
def test_a_setting_goes_by_all_its_names(hall: Hall, body: str) -> None:
    hall.start()
    ask(hall, body)
    assert hall.game().settings.schedules[""].days == "-MTWTF-"


def test_lines_for_the_master_alone_end_the_change(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET grace 36h\nSET LANGUAGE ko\nSET DEADLINE +1d")
    assert hall.game().settings.grace == timedelta(hours=36)
    assert hall.game().settings.language == ""
    assert deadline(hall) == DUE + DAY
    ask(hall, "SET GAME language ja")
    assert hall.game().settings.language == "ja"


def test_a_misspelt_setting_is_asked_about(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET reminderr 5h")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.NO_COMMAND
    ask(hall, "YES")
    assert hall.game().settings.reminder == timedelta(hours=5)


def test_a_player_who_writes_no_setting_is_taught_no_master_command(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET SAIL")
    kinds = {one.kind for one in hall.messages(hall.last(FRANCE)) if isinstance(one, Refusal)}
    assert not kinds & {RefusalKind.NOT_MASTER, RefusalKind.BAD_COMMAND}
    ask(hall, "SET SAIL")
    assert hall.said(MASTER, Refusal).kind is RefusalKind.BAD_COMMAND


def test_a_player_may_not_and_a_sentence_is_none(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET grace 2d")
    assert hall.said(FRANCE, Refusal).kind is RefusalKind.NOT_MASTER
    hall.order("FRANCE", "Set sail for Spain.")
    row: tuple[Message, ...] = hall.messages(hall.last(FRANCE))
    assert not any(isinstance(one, Refusal) for one in row)


# --- before the start -----------------------------------------------------------------------------


def test_who_has_joined_is_told_and_may_leave(hall: Hall) -> None:
    hall.create()
    hall.join("FRANCE")
    ask(hall, "SET movement 12h\nSET names hidden")
    assert hall.game().settings.hides_names
    assert "reply RESIGN" in flat(hall, FRANCE)
    hall.order("FRANCE", "RESIGN")
    assert hall.game().applicants == ()


def test_seats_stay_while_players_are_in(hall: Hall) -> None:
    hall.create()
    ask(hall, "SET players 5")
    assert dict(hall.game().settings.options)["players"] == "5"
    hall.join("FRANCE")
    ask(hall, "SET players 6")
    assert faults(hall) == [("players", "fixed_seats")]


def test_a_draft_is_shown_again(hall: Hall) -> None:
    hall.post(MASTER, "CREATE balkan\ngrace: soon", name="Grace")
    hall.post(MASTER, "YES", reply_to=hall.last(MASTER))
    ask(hall, "SET grace 12h")
    assert hall.said(MASTER, Created).is_draft
    assert hall.game().faults == ()
    ask(hall, "YES")
    assert hall.game().status is Status.FORMING


# --- every setting --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [one for one in features.settings() if "\n" not in one[1]],
    ids=lambda one: one,
)
def test_every_setting_changes_or_is_refused_with_the_reason(
    hall: Hall, name: str, value: str
) -> None:
    hall.start()
    before = hall.game().settings
    ask(hall, f"SET GAME {name} {value}")
    changed = hall.was_told(MASTER, SettingsChanged)
    if features.is_fixed(name, value):
        (fault,) = hall.said(MASTER, SettingsRefused).faults
        assert fault.kind.startswith("fixed_")
        assert hall.game().settings == before
        return
    assert not hall.was_told(MASTER, SettingsRefused)
    if changed[-1].is_asked:
        ask(hall, "YES")
    # A zone matters where there is a time of day.
    assert name == "zone" or "Nothing is different from before." not in flat(hall, MASTER)
    assert hall.game().settings != before
    assert hall.was_told(FRANCE, SettingsChanged)


# --- values in other languages --------------------------------------------------------------------

VALUES = {
    **{name: tuple(kind) for name, kind in WORDS.items()},
    **{name: tuple(kind) for name, (_, kind) in PRESS_SETTINGS.items() if kind is not bool},
    "press": tuple(COLORS),
}
USUAL = GameSettings(
    "standard", "2023", {}, grace=DAY, reminder=DAY, all_in_delay=DAY, press=Press.WHITE
)
LOCAL = [
    (value, word)
    for table in local_word_tables().values()
    for values in (table["values"], table["press_kinds"])
    for value, words in values.items()
    for word in words
]


@pytest.mark.parametrize("setting", VALUES)
def test_a_local_word_is_the_one_value_that_its_setting_has(setting: str) -> None:
    """A word may stand for several values, as the Korean one for hidden and never, but for two of
    one setting it may not; whichever it is, the setting takes the one that it has."""
    found: dict[str, str] = {}
    for value, word in LOCAL:
        if value not in VALUES[setting]:
            continue
        assert found.setdefault(word, value) == value, word
        local, english = (choose_settings(USUAL, {setting: each}) for each in (word, value))
        assert not english.faults
        assert (local.settings, local.faults) == (english.settings, ())


@pytest.mark.parametrize(
    "line",
    ["set foobar 3", "SET foobar 3", "SET foobar: 3", "set minimum", "SET grace"],
)
def test_what_is_no_whole_setting_is_asked_about_as_no_other_command(hall: Hall, line: str) -> None:
    hall.start()
    ask(hall, line)
    assert hall.said(MASTER, Refusal).kind is RefusalKind.BAD_COMMAND
    assert "Write it like this: SET grace 12h" in flat(hall, MASTER)
    before = hall.game().settings
    ask(hall, "yes")
    assert hall.game().settings == before


def test_a_misspelt_setting_keeps_its_value(hall: Hall) -> None:
    hall.start()
    ask(hall, "SET gracee 36h")
    assert "Did you mean SET grace 36h?" in flat(hall, MASTER)
    ask(hall, "yes")
    assert hall.game().settings.grace == timedelta(hours=36)


@pytest.mark.parametrize("line", ["SET foobar 3", "set foobar 3", "SET gracee 3d", "SET wait no"])
def test_a_player_is_asked_about_no_setting_of_the_game(hall: Hall, line: str) -> None:
    hall.start()
    hall.order("FRANCE", line)
    text = flat(hall, address_of("FRANCE"))
    assert "Did you mean" not in text or "WAIT" in text
    assert line in text


@pytest.mark.parametrize("line", ["foobar: 3", "SET NO GUNBOAT BLAH", "schach = ja"])
def test_an_unknown_setting_is_answered_in_a_line_and_help_names_all(hall: Hall, line: str) -> None:
    hall.post("ann@example.test", f"CREATE balkan\nmovement: 5d\n{line}")
    (fault,) = hall.said("ann@example.test", Created).faults
    assert (fault.kind, len(fault.known)) == ("no_setting", 3)
    assert "HELP CREATE" in flat(hall, "ann@example.test")
    hall.post("ann@example.test", "HELP CREATE", reply_to=hall.last("ann@example.test"))
    told = flat(hall, "ann@example.test")
    names = setting_names(load_game("diplomacy"))
    assert len(names) > 60
    assert [one for one in (*names, "last_year") if one not in told] == []


@pytest.mark.parametrize("language", sorted(local_word_tables()))
def test_a_board_is_chosen_by_the_words_that_its_page_shows(language: str) -> None:
    words = catalogue(language)
    for option in options_of(load_variant("standard")):
        name = setting_name(option.key, words)
        assert name != option.key
        assert meanings("fields")[name] == option.key
        for value in () if option.is_count else option.values:
            shown = choose_settings(USUAL, {option.key: option_value(value, words)})
            assert shown == choose_settings(USUAL, {option.key: value})
            assert not shown.faults


@pytest.mark.parametrize(
    ("language", "told"), [("ko", "이동: "), ("zh_Hant", "移動："), ("ja", "移動：")]
)
def test_a_faulty_setting_is_named_in_the_readers_words(
    hall: Hall, language: str, told: str
) -> None:
    hall.start()
    ask(hall, f"SET LANGUAGE {language}")
    ask(hall, "SET movement: 3 fortnights")
    assert told in flat(hall, MASTER)
    assert "movement" not in flat(hall, MASTER)


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("설정 변경 시간 연장: 2일", "extension", timedelta(days=2)),
        ("설정 변경 전원 접수: 1시간", "all_in_delay", timedelta(hours=1)),
        ("更改設定 指令到齊：1小時", "all_in_delay", timedelta(hours=1)),
        ("設定変更 全員提出：1時間", "all_in_delay", timedelta(hours=1)),
        ("設定変更 リマインダー：12時間", "reminder", timedelta(hours=12)),
    ],
)
def test_a_setting_goes_by_its_name_in_lists_of_settings(
    hall: Hall, line: str, key: str, value: timedelta
) -> None:
    hall.create()
    ask(hall, line)
    assert getattr(hall.game().settings, key) == value
