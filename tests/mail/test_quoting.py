"""What a writer wrote himself is kept, what he only repeats is cut, and press is never touched."""

import pytest

from judge.mail.quoting import cut_quotes as cut


def cut_quotes(text: str, own_addresses: frozenset[str] = frozenset(), **known: str) -> str:
    return cut(text, own_addresses, **known).body  # type: ignore[arg-type]


ORDERS = "A PAR - BUR\nF BRE - MAO"
QUOTED = "FRANCE: A MAR - SPA"

ATTRIBUTIONS = [
    "On Sat, Dec 5, 2026 at 9:00 PM The Judge <judge@example.test> wrote:",
    "On Sat, Dec 5, 2026 at 9:00 PM The Judge\n<judge@example.test> wrote:",
    "2026년 12월 5일 (토) 오후 9:00, The Judge <judge@example.test>님이 작성:",
    "2026년 12월 5일 (토) 오후 9:00, The Judge\n<judge@example.test>님이 작성:",
    "The Judge <judge@example.test> 於 2026年12月5日 週六 下午9:00寫道：",
    "2026年12月5日(土) 21:00 The Judge <judge@example.test>:",
    "2026年12月5日(土) 21:00 The Judge\n<judge+abcdefghijklmnopqrstuvwx@example.test>:",
    "2026年12月5日 21:00、The Judge <judge@example.test>のメール:",
    "The Judge <judge@example.test> 于2026年12月5日周六 21:00写道：",
    "Le sam. 5 déc. 2026 à 21:00, The Judge <judge@example.test> a écrit :",
    "Am Sa., 5. Dez. 2026 um 21:00 Uhr schrieb The Judge <judge@example.test>:",
    "-----Original Message-----",
    "---------- Forwarded message ---------",
    "-----원본 메시지-----",
    "-----原始郵件-----",
    "________________________________\nFrom: The Judge\nSent: Saturday\nTo: Anna\nSubject: balkan",
    "The Judge <judge+abcdefghijklmnopqrstuvwx@a.test> 於 2026年12月5日\n週六 下午9:00\n寫道：",
    "El sáb, 5 dic 2026 a las 21:00, The Judge (<judge@example.test>) escribió:",
    'At 2026-12-05 21:00:00, "The Judge" <judge@example.test> wrote:',
    "------------------ 原始邮件 ------------------",
    "From: The Judge <judge@example.test>\nSent: Saturday, December 5, 2026 9:00 PM\n"
    "To: Anna\nSubject: [judge] balkan",
    "*From:* The Judge\n*Date:* Saturday\n*To:* Anna",
    "---- On Sat, 05 Dec 2026 21:00:00 +0000 The Judge <judge@example.test> wrote ----",
    "Den lör 5 dec. 2026 kl 21:00 skrev The Judge <judge@example.test>:",
    "sob., 5 gru 2026 o 21:00 The Judge <judge@example.test> napisał(a):",
    "сб, 5 дек. 2026 г. в 21:00, The Judge <judge@example.test>:",
    "Dec 5, 2026 9:00:00 PM The Judge <judge@example.test>:",
    "2026-12-05 오후 9:00에 The Judge 이(가) 쓴 글:",
    "The Judge さんは 2026/12/05 21:00 に書きました:",
    "------------------&nbsp;原始郵件&nbsp;------------------",
    "---------------------[원본 메일 내용]----------------------",
    "보낸이 : The Judge\n받는이 : Anna\n날짜 : 2026년 12월 5일\n제목 : balkan",
    "寄件人: The Judge\n發送時間: 2026年12月5日\n收件人: Anna\n主旨: balkan",
    "보낸 사람: The Judge\n보낸 날짜: 2026년 12월 5일\n받는 사람: Anna\n제목: balkan",
    "寄件者: The Judge\n寄件日期: 2026年12月5日\n收件者: Anna\n主旨: balkan",
    "差出人: The Judge\n送信日時: 2026年12月5日\n宛先: Anna\n件名: balkan",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_the_letter_below_an_attribution_is_cut(attribution: str) -> None:
    assert cut_quotes(f"{ORDERS}\n\n{attribution}\n{QUOTED}\n").strip() == ORDERS


@pytest.mark.parametrize("attribution", ATTRIBUTIONS[:11])
def test_a_reply_below_marked_quotes_is_kept(attribution: str) -> None:
    assert cut_quotes(f"{attribution}\n> {QUOTED}\n>> more\n\n{ORDERS}").strip() == ORDERS


def test_replies_between_quotes_are_kept_in_their_order() -> None:
    text = "> where to?\nA PAR - BUR\n>> and then\n ＞ what\nF BRE - MAO\n"
    assert cut_quotes(text) == ORDERS


@pytest.mark.parametrize("line", ["-- ", "Sent from my iPhone", "나의 iPhone에서 보냄"])
def test_signatures_are_cut(line: str) -> None:
    kept = cut_quotes(f"{ORDERS}\n\n{line}\n" + ("Anna\nA MAR - SPA\n" if "-" in line else ""))
    assert kept.strip() == ORDERS


@pytest.mark.parametrize("line", ["--", "——"])
@pytest.mark.parametrize("below", ["", "Anna", "Anna\nBerg & Co\n+49 30 1234567", "x\na@b.test"])
def test_two_dashes_without_their_space_cut_what_is_a_signature(line: str, below: str) -> None:
    kept = cut_quotes(f"{ORDERS}\n\n{line}\n{below}", sender_name="Anna Berg")
    assert kept.strip() == ORDERS


@pytest.mark.parametrize("below", ["A MAR - SPA\nA RUH - BEL", "HOLD all", "Anna\nA MAR - SPA"])
@pytest.mark.parametrize("above", ["A PAR - BUR", "Hi judge,"])
def test_two_dashes_without_their_space_lose_no_order(above: str, below: str) -> None:
    text = f"{above}\n--\n{below}"
    assert cut_quotes(text, sender_name="Anna") == text


@pytest.mark.parametrize(
    "line",
    [
        "iPhoneから送信",
        "從我的 iPhone 傳送",
        "Get Outlook for Android",
        "Get Outlook for iOS<https://aka.example/o0ukef>",
        "Android용 Outlook 다운로드",
        "네이버 메일 앱에서 보냈습니다.",
        "Sent with [Proton Mail](https://proton.example/) secure email.",
        "Sent from Spark",
    ],
)
def test_the_lines_that_phones_add_are_cut(line: str) -> None:
    assert cut_quotes(f"{ORDERS}\n{line}") == ORDERS


@pytest.mark.parametrize("rule", ["________________________________", "----------------", "====="])
def test_a_rule_between_orders_cuts_nothing(rule: str) -> None:
    text = f"A PAR - BUR\n{rule}\nF BRE - MAO"
    assert cut_quotes(text) == text


def test_two_dashes_without_a_space_may_divide_a_long_letter() -> None:
    text = "PRESS is below\n--\n" + "\n".join(f"A line of orders {number}" for number in range(13))
    assert cut_quotes(text) == text
    assert cut_quotes(text.replace("--", "-- ")) == "PRESS is below"


PRESS = [
    "PRESS TO FRANCE\nOn Tuesday, 3 Dec you wrote:\n> trust me\nI did not.\n-- \nAnna\nENDPRESS",
    "press to f, g\nFrom: Paris\nTo: Burgundy\nSubject: marching\nDate: now\nEND PRESS",
    "BROADCAST\n-----Original Message-----\n> all lies\nEND",
    "White press to all\nSent from my iPhone\nend broadcast.",
]


@pytest.mark.parametrize("press", PRESS)
def test_press_is_never_cut(press: str) -> None:
    assert cut_quotes(f"{press}\n{ORDERS}\n\n-- \nAnna") == f"{press}\n{ORDERS}\n"[:-1]


def test_press_without_its_end_protects_nothing() -> None:
    assert cut_quotes(f"PRESS TO F\nhello\n> {QUOTED}") == "PRESS TO F\nhello"


OWN = frozenset({"judge@example.test"})


@pytest.mark.parametrize(
    "introduction",
    [
        "From: Judge <judge+abcdefghijklmnop@example.test>\nSent: now\nTo: Anna\nSubject: balkan",
        "On 5 Dec 2026 at 21:00 The Judge\n<judge+abcdefghijklmnop@example.test> wrote:",
    ],
)
def test_press_that_was_not_closed_takes_no_letter_of_the_judge_along(introduction: str) -> None:
    text = f"PRESS TO FRANCE\nhello\n\n{introduction}\nYour secret orders\nEND\nmore"
    assert cut_quotes(text, OWN).strip() == "PRESS TO FRANCE\nhello"
    closed = text.replace("hello", "hello\nEND PRESS")
    assert cut_quotes(closed, OWN).strip() == "PRESS TO FRANCE\nhello\nEND PRESS"


INTRODUCTIONS = (
    "On 5 Dec 2026 Bert <bert@b.test> wrote:",
    "-----Original Message-----\nFrom: Bert <bert@b.test>\nSent: now\nTo: Anna",
    "From: Bert <bert@b.test>\nTo: Anna\nSubject: trust\nDate: now",
    "Le 5 déc. 2026 à 21:00, Bert <bert@b.test> a écrit :",
)


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
@pytest.mark.parametrize("hint", ["ENDPRESS", "  ENDPRESS", "END"])
def test_press_above_a_letter_without_marks_is_not_closed(introduction: str, hint: str) -> None:
    """The letter below may be anybody's, and end with the judge's hint on how to close press."""
    text = f"PRESS TO FRANCE\nhello\n\n{introduction}\n\nbelieve me\n{hint}\n"
    assert cut_quotes(text, OWN).strip() == "PRESS TO FRANCE\nhello"


@pytest.mark.parametrize("introduction", INTRODUCTIONS[:2])
def test_press_may_quote_another_players_letter_with_marks(introduction: str) -> None:
    press = f"PRESS TO FRANCE\n{introduction}\n> believe me\nI do not.\nEND"
    assert cut_quotes(press, OWN) == press


def test_a_line_of_our_letter_closes_no_press() -> None:
    hint = "A reply to this letter goes to the judge alone, unless it holds these lines:"
    ours = f"Press from Italy to you alone.\n  attack at dawn\n{hint}\n  PRESS TO ITALY\n  ENDPRESS"
    for quoted in (ours, ours.replace("\n  ", "\n")):
        text = f"PRESS TO FRANCE\nhello\n\n{quoted}\n"
        body = cut(text, OWN, parents=[ours]).body
        assert body.strip() == "PRESS TO FRANCE\nhello"


@pytest.mark.parametrize(
    "sentence",
    [
        "As Paris wrote:",
        "On Tuesday you wrote:",
        "In Spring 1901 England wrote:",
        "1901년 봄에 이탈리아가 작성:",
        "From: Paris\nTo: Burgundy",
        "To: F",
        "I got your letter of 5 Dec and will move:",
        "on 1901 we agree",
        "A PAR -> BUR",
    ],
)
def test_a_players_own_sentences_are_kept(sentence: str) -> None:
    text = f"{sentence}\n{ORDERS}"
    assert cut_quotes(text) == text


def test_sign_off_ends_the_letter() -> None:
    assert cut_quotes(f"{ORDERS}\nSIGN OFF\nA MAR - SPA") == ORDERS
    assert cut_quotes(f"{ORDERS}\nsignoff.\nA MAR - SPA") == ORDERS


def test_a_letter_without_quotes_is_unchanged() -> None:
    text = "Hi judge,\n\nhere are my moves:\n\nA PAR - BUR\n- F BRE - MAO\n\nCheers"
    assert cut_quotes(text) == text


# --- what was found by strangers ------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "To: The Judge\nFrom: Ann\nSubject: my orders",
        "Wie ich gestern um 17:01 schrieb, hier meine Befehle:",
        "2026년 12월 3일 작성:",
        "昨日の21:00に書きました：",
        "On Dec 3 at 17:01 England wrote:\nLet us meet",
        "Write to me at ann@mail.test before 21:00:",
        "배치: 육군 파리",
        "---- my orders ----",
        "From Paris to Burgundy:",
        "Game: balkan\nPower: France\nPhase: S1901M",
    ],
)
def test_own_words_that_look_like_an_introduction_are_kept(words: str) -> None:
    assert cut_quotes(f"{words}\n{ORDERS}", OWN) == f"{words}\n{ORDERS}"


BLOCK = "From: Judge <judge@example.test>\nSent: 3 December 2026 17:01\nTo: Ann\nSubject: balkan"


def test_a_line_with_a_label_above_copied_headers_is_no_part_of_them() -> None:
    assert cut_quotes(f"배치: 육군 파리\n{BLOCK}\n\n{QUOTED}", OWN) == "배치: 육군 파리"


@pytest.mark.parametrize(
    "divider",
    [
        "----- Original Message -----",
        "-----Mitä tahansa-----",
        "Begin forwarded message:\n",
        "---- On Thu, 03 Dec 2026 17:01:00 +0000 Judge <judge@example.test> wrote ----",
    ],
)
def test_a_reply_below_a_divider_and_marked_lines_is_read(divider: str) -> None:
    assert cut_quotes(f"{divider}\n> A PAR - GAS\nA PAR - BUR", OWN) == "A PAR - BUR"


@pytest.mark.parametrize(
    "introduction",
    [
        "On Thu, Dec 3, 2026 at 5:01 PM Judge <judge@example.test> wrote:",
        "Am Do., 3. Dez. 2026 um 17:01 Uhr schrieb Judge <judge@example.test>:",
        "2026년 12월 3일 (목) 오후 5:01, Judge <judge@example.test>님이 작성:",
    ],
)
def test_an_order_on_the_line_of_an_introduction_is_kept(introduction: str) -> None:
    assert cut_quotes(f"F BRE - MAO {introduction}\n\n{QUOTED}", OWN) == "F BRE - MAO"


def test_what_is_cut_is_told() -> None:
    text = f"{ORDERS}\n-- \nAnna\n\nJudge wrote:\n> {QUOTED}\nand below\nSIGN OFF\nmore\nyet more"
    words = cut(text, OWN, own_name="Judge")
    assert words.body.split("\n") == [*ORDERS.split("\n"), "and below"]
    assert [(one.kind, one.text) for one in words.unread] == [
        ("signature", "-- \nAnna\n"),
        ("quote", f"> {QUOTED}"),
        ("sign_off", "SIGN OFF\nmore\nyet more"),
    ]


@pytest.mark.parametrize(
    "introduction",
    [
        "Judge <judge@example.test> 於 2026年12月4日 週五 下午9:00寫道：",
        "пт, 4 дек. 2026 г. в 13:00, Judge <judge@example.test>:",
        "pá 4. 12. 2026 v 13:00 odesílatel Judge <judge@example.test> napsal:",
    ],
)
def test_an_order_before_an_introduction_on_its_line_is_kept(introduction: str) -> None:
    text = f"F BRE - MAO\nA PAR - BUR {introduction}\n> A PAR H"
    kept = cut_quotes(text, frozenset({"judge@example.test"}), own_name="Judge")
    assert kept.startswith("F BRE - MAO\nA PAR - BUR")
    assert "PAR H" not in kept
