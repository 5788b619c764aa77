"""The sentences that score how the judge reads plain words, and the scoring of them."""

import tomllib
from collections import Counter

import pytest

from judge.data import language_data
from judge.host.commands import COMMANDS
from judge.host.letters import own_words
from judge.rulebook import SeatId

from .asking.score import (
    BEFORE,
    CLUB,
    FOLDER,
    LANGUAGES,
    PHONES,
    PLAIN,
    ROWS,
    Verdict,
    answered,
    judged,
    score,
)
from .conftest import Hall, address_of

RIGHT_OR_ASKED = 0.9
ON_PHONES = 24  # of 25 requests
OF_EVERY_COMMAND = 0.95
NOT_BUILT = {"ABSENCE", "HISTORY", "SUMMARY", "OBSERVE balkan", "SUBSCRIBE balkan", "TAKEOVER"}


def read(language: str, half: str) -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((FOLDER / f"{language}.{half}.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_halves_hold_a_hundred_sentences_each_and_share_none(language: str) -> None:
    halves = [
        [
            each
            for table in read(language, half).values()
            for some in table.values()
            for each in some
        ]
        for half in ("open", "held")
    ]
    assert [len(each) for each in halves] == [100, 100]
    assert len({*halves[0], *halves[1]}) == 200


@pytest.mark.parametrize("language", LANGUAGES)
def test_requests_are_right_or_asked_and_chat_is_never_taken(language: str) -> None:
    path = FOLDER.parent / f"{language}.second.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    chat = {one: answered("chat", "", one) for one in tables.pop("chat")["lines"]}
    assert [one for one, answer in chat.items() if answer.effects] == []
    asked = [
        (table, wanted, sentence)
        for table, commands in tables.items()
        for wanted, sentences in commands.items()
        for sentence in sentences
    ]
    wrong = [
        sentence
        for table, wanted, sentence in asked
        if judged(table, wanted, answered(table, BEFORE.get(wanted, ""), sentence))
        not in (Verdict.RIGHT, Verdict.ASKED)
    ]
    assert len(wrong) <= (1 - RIGHT_OR_ASKED) * len(asked), wrong


@pytest.mark.parametrize(
    "sentence",
    [
        "I don't want to resign.",
        "Tom wants a draw.",
        "If Russia agrees, I would vote for a draw.",
        "저는 사퇴하고 싶지 않아요.",
        "러시아가 무승부를 원한대요.",
        "我不想退出。",
        "他說他想要和局。",
        "私は辞めたくありません。",
        "ロシアは引き分けがいいと言っています。",
    ],
)
def test_what_is_denied_or_said_of_others_is_never_done(sentence: str) -> None:
    assert answered("requests", "", sentence).effects == frozenset()


def test_every_command_that_sentences_ask_for_does_something() -> None:
    asked = {
        (table, wanted)
        for language in LANGUAGES
        for half in ("open", "held")
        for table, commands in read(language, half).items()
        for wanted in commands
        if table != "chat" and wanted not in NOT_BUILT
    }
    silent = [key for key in asked if not answered(key[0], BEFORE.get(key[1], ""), key[1]).effects]
    assert silent == []


@pytest.mark.parametrize(
    ("table", "wanted", "sentence", "verdict"),
    [
        ("requests", "RESIGN", "I'd like to leave the game", Verdict.RIGHT),
        ("requests", "DRAW", "Should I vote for a draw?", Verdict.ASKED),
        ("requests", "READY", "Should I vote for a draw?", Verdict.ASKED_OTHER),
        ("requests", "READY", "DRAW", Verdict.OTHER),
        ("requests", "READY", "Good morning to you", Verdict.UNREAD),
        ("masters", "EXTEND 2d", "Extend the deadline by two days", Verdict.RIGHT),
        ("masters", "EXTEND 1d", "Extend the deadline by two days", Verdict.OTHER),
        ("strangers", "HELP", "How do I play?", Verdict.RIGHT),
        ("strangers", "PRACTICE", "How do I play?", Verdict.UNREAD),
        ("strangers", "PRACTICE", "REGISTER", Verdict.OTHER),
    ],
)
def test_a_sentence_is_right_if_it_does_what_its_command_does(
    table: str, wanted: str, sentence: str, verdict: Verdict
) -> None:
    assert judged(table, wanted, answered(table, BEFORE.get(wanted, ""), sentence)) is verdict


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_that_is_given_in_words_is_read_or_asked_about(language: str) -> None:
    counts = Counter(verdict for verdict, _, _ in score(ROWS / f"{language}.open.toml"))
    chat = (Verdict.CHAT_ALONE, Verdict.CHAT_ASKED, Verdict.CHAT_TAKEN)
    asked = sum(counts.values()) - sum(counts[each] for each in chat)
    assert counts[Verdict.RIGHT] + counts[Verdict.ASKED] >= OF_EVERY_COMMAND * asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_type_on_phones_is_read_or_asked_about(language: str) -> None:
    counts = Counter(verdict for verdict, _, _ in score(PHONES / f"{language}.open.toml"))
    assert counts[Verdict.OTHER] == counts[Verdict.CHAT_TAKEN] == 0
    assert counts[Verdict.RIGHT] + counts[Verdict.ASKED] >= ON_PHONES


@pytest.mark.parametrize("language", LANGUAGES)
def test_many_ways_of_asking_are_read_or_asked_about_and_chat_is_not_taken(language: str) -> None:
    scored = list(score(PLAIN / f"{language}.open.toml"))
    counts = Counter(verdict for verdict, _, _ in scored)
    chat = sum(counts[one] for one in (Verdict.CHAT_ALONE, Verdict.CHAT_ASKED))
    assert counts[Verdict.CHAT_TAKEN] == 0
    assert counts[Verdict.RIGHT] + counts[Verdict.ASKED] >= 0.95 * (len(scored) - chat)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_reasons_and_politeness_around_a_wish_do_not_hide_it(language: str) -> None:
    counts = Counter(verdict for verdict, _, _ in score(CLUB / f"{language}.open.toml"))
    assert counts[Verdict.OTHER] == counts[Verdict.CHAT_TAKEN] == 0
    assert counts[Verdict.RIGHT] + counts[Verdict.ASKED] >= 98


@pytest.mark.parametrize(
    ("table", "wanted", "sentence"),
    [
        (
            "masters",
            "HAND OVER ben@a.example",
            "As I'm moving, ben@a.example takes over as master.",
        ),
        ("masters", "INVITE ann@a.example", "My niece likes games, do invite ann@a.example."),
        ("masters", "PROMOTE ben@a.example", "ben@a.example 님을 공동 마스터로 추가해 주세요."),
        ("masters", "ROLLBACK S1901M", "A letter was lost, so please go back to S1901M."),
        ("masters", "EJECT ITALY", "연락이 없는 이탈리아를 게임에서 내보내 주세요."),
        ("masters", "HOLD GAME", "Two of us are ill, so freeze the game until further notice."),
        ("requests", "ABSENCE 3 Dec - 7 Dec", "I'm at sea from the 3rd to the 7th of December."),
        ("requests", "ABSENCE 8 Dec - 9 Dec", "I can't play between 8 and 9 December."),
        ("requests", "ABSENCE 18 Dec - 20 Dec", "12월 18일과 20일 사이에는 답을 못 드립니다."),
        ("requests", "BLOCK ITALY", "이탈리아와는 어떤 게임에서도 안 만나게 해 주세요."),
        ("requests", "MAP", "any chance of a pic of where everybody is standing"),
        ("masters", "DUMMY TURKEY", "Turkey is to be left without anyone in charge."),
        ("requests", "NO VACATION", "모든 게임에 걸어 둔 휴가를 취소해 주세요."),
        ("requests", "NO ABSENCE", "부재 취소해 주세요, 집에 있게 됐어요"),
        ("requests", "WHOIS Ann Lee", "What can you tell me about the player Ann Lee?"),
        ("requests", "WHOIS Ann Lee", "Ann Lee라는 사람 어떤 선수예요?"),
        ("requests", "PREFER TURKEY, ENGLAND", "My wishes for powers: Turkey first, then England."),
        ("requests", "BROADCAST", "Say to everybody in the game: keep the peace."),
        ("strangers", "JOIN ANY", "I'd like to play, any game will do."),
    ],
)
def test_what_is_asked_for_among_reasons_and_names_is_found(
    table: str, wanted: str, sentence: str
) -> None:
    verdict = judged(table, wanted, answered(table, "", sentence))
    assert verdict in (Verdict.RIGHT, Verdict.ASKED)


@pytest.mark.parametrize(
    "sentence", ["Holiday was cold and wet this time.", "Clear skies over Lyon this morning."]
)
def test_chat_behind_the_word_of_a_command_without_a_date_is_not_taken(sentence: str) -> None:
    assert answered("chat", "", sentence).effects == frozenset()


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("PREVIEW", "could you show me the result with the orders that are in"),
        ("MAP", "might i see a drawing of the board"),
        ("STANDBY", "i could step in for somebody who is missing"),
        ("MAP", "판 그림 하나만 보내 주실래요"),
        ("RESUME", "멈췄던 게임 이어서 진행해 주세요"),
        ("MAP", "想看一下現在的地圖"),
        ("SUMMARY", "目前各國的中心數是多少"),
        ("MAP", "いまの盤面を絵で見せて"),
        ("PRACTICE", "ひとりで練習してみたいのですが"),
    ],
)
def test_a_sentence_like_none_before_is_asked_about(wanted: str, sentence: str) -> None:
    table = "masters" if wanted in ("PREVIEW", "RESUME") else "requests"
    verdict = judged(table, wanted, answered(table, BEFORE.get(wanted, ""), sentence))
    assert verdict in (Verdict.RIGHT, Verdict.ASKED)


@pytest.mark.parametrize(
    "sentence",
    [
        "So much work.",
        "Who would have thought!",
        "Draw or no draw, what a game that was",
        "무승부 하자는 터키는 믿으면 안 되죠 ㅎㅎ",
        "이름 참 예쁘네요",
        "和局多沒意思",
        "引き分けで終わった前のゲームが懐かしいですね",
    ],
)
def test_chat_with_the_word_of_a_command_is_left_alone(sentence: str) -> None:
    answer = answered("chat", "", sentence)
    assert (answer.effects, answer.asked) == (frozenset(), ())


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ("WHO", "list of players plz"),
        ("WHO", "참가자 명단좀요"),
        ("VOTES", "무승부 투표 지금 어떻게 되고 있어요?"),
        ("NO DRAW", "무승부 투표한거 취소할게요 마음 바뀜"),
        ("LIST OPEN", "list open please"),
        ("RESUME", "unpause the game please"),
    ],
)
def test_a_sentence_that_begins_with_a_commands_word_is_read_whole(
    wanted: str, sentence: str
) -> None:
    table = "masters" if wanted == "RESUME" else "requests"
    answer = answered(table, BEFORE.get(wanted, ""), sentence)
    assert judged(table, wanted, answer) in (Verdict.RIGHT, Verdict.ASKED)


def test_a_stranger_is_asked_where_two_commands_may_be_meant() -> None:
    answer = answered("strangers", "", "is balkan still open, i might play")
    assert answer.effects == frozenset()
    assert "JOIN balkan" in answer.asked


@pytest.mark.parametrize("language", sorted(language_data("requests.toml")))
def test_the_examples_name_commands(language: str) -> None:
    rules = {one.rule for one in COMMANDS}
    keys = {key.partition(" ")[0] for key in language_data("requests.toml")[language]}
    assert keys - {own_words.CHAT} <= rules


def test_what_only_resembles_a_command_is_asked_about() -> None:
    answer = answered("requests", "", "any orphaned positions? I'd adopt one")
    assert not answer.effects
    assert answer.asked[0] == "STANDBY"


def test_a_pattern_that_the_examples_contradict_is_only_asked_about() -> None:
    for sentence in (
        "please look for a replacement for me, I'll carry on until then",
        "사퇴 철회합니다.",
    ):
        assert not any("resign" in each for each in answered("requests", "", sentence).effects)


MASTERS_WORDS_IN_PROSE = (
    "Edit: I was wrong about Munich",
    "Swap you Munich for Kiel?",
    "Dummy that I am, I trusted him",
    "Eject him from Munich and I will help",
    "Terminate him?",
    "Rollback? Would you really?",
    "교환: 뮌헨 줄 테니 킬 어때요?",
    "추방 당한 기분이 들어요 요즘",
    "交換：慕尼黑換基爾好嗎？",
    "交換してほしい、ミュンヘンとキールを?",
)


@pytest.mark.parametrize("sentence", MASTERS_WORDS_IN_PROSE)
@pytest.mark.parametrize("writer", ["requests", "masters"])
def test_prose_that_begins_with_a_masters_word_is_no_command(writer: str, sentence: str) -> None:
    answer = answered(writer, "", f"Hello all.\n{sentence}\nSee you on Sunday.")
    assert answer.effects == frozenset()


@pytest.mark.parametrize(
    "sentence",
    ["Promote peace", "Hand over to Ben", "Purge them all", "Dummy move", "게임 종료 할까 말까"],
)
def test_a_players_chat_with_a_masters_word_is_not_refused(sentence: str) -> None:
    answer = answered("requests", "", f"Hello.\n{sentence}\nBye.")
    assert not any("not_master" in each or "refus" in each for each in answer.effects), answer
    assert answer.effects == frozenset()


@pytest.mark.parametrize("sentence", ["Hold Munich please", "Hold A Mun", "hold the Mid-Atlantic"])
def test_hold_with_a_place_holds_no_game(hall: Hall, sentence: str) -> None:
    hall.start()
    hall.post("gm@example.test", sentence, reply_to=hall.last("gm@example.test"))
    timing = hall.game().timing
    assert timing is not None
    assert timing.held is None
    hall.post("gm@example.test", "Hold, Ann is ill", reply_to=hall.last("gm@example.test"))
    timing = hall.game().timing
    assert timing is not None
    assert timing.held is not None


@pytest.mark.parametrize("sentence", ["Wait for it", "wait for Godot", "Wait for France"])
def test_waiting_for_somebody_asks_for_no_wait(hall: Hall, sentence: str) -> None:
    hall.start()
    hall.order("FRANCE", sentence)
    assert not hall.game().seat(SeatId("FRANCE")).wait


def test_never_mind_takes_an_order_back(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "F BRE - MAO\nA PAR - BUR")
    hall.order("FRANCE", "Never mind the order for F Bre")
    stored = [one.text for one in hall.game().order_set(SeatId("FRANCE"))]
    asked = "CLEAR F BRE" in hall.text(hall.last(address_of("FRANCE")))
    assert stored == ["A PAR - BUR"] or asked


@pytest.mark.parametrize(
    ("written", "kind"), [("Eject Frnace", "no_power"), ("EJECT him from the game now", "no_power")]
)
def test_a_masters_command_with_a_slip_is_still_one(written: str, kind: str) -> None:
    assert any(
        kind in each or "no_one_there" in each for each in answered("masters", "", written).effects
    )
