"""Somebody's text as others read it: nothing is lost of any script, and nothing passes for ours."""

import pytest

from judge.host.messages.press import PressReceived
from judge.render import render_letter
from judge.render.layout import as_text
from judge.render.press_text import is_imitation, press_text, without_control_characters
from tests.render import samples as s

SCRIPTS = [
    "Łódź, naïve façade – “quotes” … €5",
    "안녕하세요, 뮌헨을 드리겠습니다.",
    "外交信：我們結盟吧。",
    "ミュンヘンへ行きます。ﾊﾝｶｸ",
    "שלום, ניפגש במינכן",
    "مرحبًا، سنتقابل في ميونيخ می‌خواهم",
    "สวัสดี\u200bครับ",
    "नमस्ते क्ष हिन्दी",
    "👩‍👩‍👧 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f 👍🏽",
    "a\u0301 and \u1112\u1161\u11ab",
    "tab\there",
]


@pytest.mark.parametrize("text", SCRIPTS)
def test_any_script_keeps_its_bytes(text: str) -> None:
    assert without_control_characters(text) == text
    letter = render_letter(
        [PressReceived(s.game(), "ENGLAND", ("FRANCE",), False, text)],
        language="ko",
        zone="UTC",
        judge_name="Judge",
        kind="press",
    )
    assert text in letter.text


@pytest.mark.parametrize("sign", [*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0))])
def test_control_characters_are_dropped(sign: str) -> None:
    told = without_control_characters(f"ab{sign}cd")
    assert told in ("abcd", "ab\tcd", "ab\ncd")
    assert sign in "\t\n" or sign not in told


@pytest.mark.parametrize("sign", ["\u202d", "\u202e", "\u206a", "\ufff9", "\ufeff"])
def test_overrides_are_dropped(sign: str) -> None:
    assert without_control_characters(f"ab{sign}cd") == "abcd"


@pytest.mark.parametrize("opening", "\u202a\u202b\u2066\u2067\u2068")
def test_what_turns_the_direction_ends_on_its_line(opening: str) -> None:
    closing = "\u202c" if opening < "\u2066" else "\u2069"
    assert without_control_characters(f"a{opening}b\nc") == f"a{opening}b{closing}\nc"
    assert without_control_characters(f"a{opening}b{closing}c") == f"a{opening}b{closing}c"
    assert without_control_characters(f"a{closing}b") == "ab"
    nested = f"{opening}\u2067x"
    assert without_control_characters(nested) == f"{nested}\u2069{closing}"


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028", "\u2029", "\x0b", "\x0c", "\x85"])
def test_every_end_of_a_line_is_one(end: str) -> None:
    assert without_control_characters(f"a{end}b") == "a\nb"


OURS = [
    "Press from Germany to you alone.",
    "press FROM germany TO YOU ALONE",
    "  Press   from Germany to you alone.",
    "Рrеss frоm Gеrmаnу tо уоu аlоnе.",  # Cyrillic
    "Ｐｒｅｓｓ ｆｒｏｍ Germany to you alone.",
    "P\u200br\u200be\u200bs\u200bs from Germany to you alone.",
    "Préss from Germany to you alone.",
    "Grey press to all.",
    "독일이 귀하에게만 보낸 서신입니다.",
    "德國寫給您一人的外交信。",
    "ドイツからあなただけへの書簡です。",
    "Your reply to this letter goes to Germany alone, as press from you.",
    "It went to England and Russia.",
    "Due: Sat 5 Dec 2026, 21:00 in Paris",
    "France, Spring 1901 movement, game balkan.",
    ":: Judge: XXXX  Game: balkan  Variant: Standard",
    "Message from Germany to England in 'balkan':",
    "Broadcast message from Germany in 'balkan':",
    "End of message.",
    "From: Germany <germany@example.test>",
    "Subject: [Judge] balkan S1901M press",
    "\u200bFrom: Germany",
    "\u3164F\u2060rom: Germany",
    "Fr\u043em: Germany",  # Cyrillic
    "Press\u3164from\u2800Germany to you alone.",
    f"{' ' * 310}Press from Germany to you alone.",
    f"{chr(0x200B) * 310}Press from Germany to you alone.",
    "-----Original Message-----",
    "Germany:",
    "GERMANY : hello",
    "Gеrmany:",
    "독일:",
    "Somebody else plays Germany now.",
]


@pytest.mark.parametrize("line", OURS)
def test_a_text_with_a_line_like_ours_is_marked_throughout(line: str) -> None:
    text = f"Hello.\n\n{line}\nI will attack you."
    shown = as_text(press_text(text, ("Germany", "France", "독일")))
    assert all(one.startswith("  |") for one in shown.splitlines())
    assert line in shown


@pytest.mark.parametrize(
    "text",
    [
        "Dear England,\nlet us press on to Munich together.\nYours, France",
        "I heard from Germany: they want Belgium.",
        "My offer:\nyou take Munich, I take Kiel.",
        "A PAR - BUR\nA MAR S A PAR - BUR",
        "- first\n- second",
        "뮌헨으로 갑시다.\n어떻게 생각하세요?",
        "我們一起去慕尼黑吧。",
        "ミュンヘンへ行きましょう。",
        "It went well, thank you.",
    ],
)
def test_what_people_write_is_not_marked(text: str) -> None:
    assert not is_imitation(text, ("Germany", "독일", "德國", "ドイツ"))
