"""Nothing that can be sent breaks the reader, or makes it work longer than its length.

100 letters; nightly more: `JUDGE_EXAMPLES=20000 pytest tests/grammar`. Work is counted in calls,
not in seconds, so that a busy machine changes nothing.
"""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.diplomacy.language.grammar import ORDER_LONGEST, parse_words
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.lines.line_reading import LINE_LONGEST, read_new_line
from judge.diplomacy.language.order_context import Untaken
from judge.diplomacy.language.pipeline import SUGGESTED_FAULTS, read_orders
from judge.diplomacy.rulebook import RULEBOOK
from judge.host.commands import COMMAND_PARSER
from judge.host.letters.command_parser import TextLine
from judge.mail import read_letter as read_mail
from judge.rulebook import Reading, SeatId

from .contexts import STANDARD, desk_of

EXAMPLES = int(os.environ.get("JUDGE_EXAMPLES", "100"))
RECEIVED = datetime(2026, 12, 20, tzinfo=UTC)
WORDS = lexicon(STANDARD)
STATE = RULEBOOK.start("standard", {})
FRANCE = SeatId("FRANCE")
ORDER_LINES = 400  # as [limits] order_lines has it

HEAD = "From: Ann <ann@example.org>\r\nTo: judge@judge.example\r\nSubject: orders\r\n"
CHARSETS = ("utf-8", "euc-kr", "big5", "iso-2022-jp", "shift_jis", "gb18030", "windows-1252")
PIECES = (
    *("A", "F", "Par", "Paris", "Bur", "Liv", "Mra", "-", "->", "→", "S", "C", "H", "R", "D", "B"),
    *("VIA", "waive", "2", ",", ".", ";", "/", "(", ")", "nc", "France:", "and", "if", "from", "?"),
    *("육군", "파리", "버건디로", "지원합니다", "호송을 거쳐", "陸軍", "巴黎", "移動至", "支援"),
    *(
        "パリ",
        "陸軍",
        "ブルゴーニュへ",
        "移動",
        "を支援",
        "ＰＡＲ",
        "①",
        "«",
        "»",
        "\u200b",
        "\u0301",
    ),
    *("\n", "\n", "\n> ", "STATUS", "PRESS TO ENGLAND", "ENDPRESS", "YES", "네", "PHASE F1901M"),
)


def orders_of(raw: bytes) -> Reading:
    """The way of a letter's bytes to orders, as the daemon and the host go it."""
    letter = read_mail(raw, RECEIVED, own_addresses=frozenset({"judge@judge.example"}))
    lines = [item.text for item in COMMAND_PARSER.read(letter.body) if isinstance(item, TextLine)]
    return STATE.read(FRANCE, lines[:ORDER_LINES])


def letter(text: str, charset: str) -> bytes:
    head = f"{HEAD}Content-Type: text/plain; charset={charset}\r\n\r\n"
    return head.encode() + text.encode(charset, errors="replace")


LETTERS = st.one_of(
    st.binary(max_size=400),
    st.binary(max_size=400).map(lambda body: HEAD.encode() + b"\r\n" + body),
    st.builds(
        letter,
        st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join),
        st.sampled_from(CHARSETS),
    ),
    st.builds(letter, st.text(max_size=200), st.sampled_from(CHARSETS)),
)


@settings(max_examples=EXAMPLES, deadline=None)
@given(LETTERS)
def test_any_bytes_are_read_and_what_is_understood_reads_back(raw: bytes) -> None:
    reading = orders_of(raw)
    stored = [one.line.text for one in reading.understood]
    again = STATE.read(FRANCE, stored)
    assert [one.line.text for one in again.understood] == stored
    assert again.problems == ()
    for problem in reading.problems:
        assert 0 <= problem.start <= problem.end <= len(problem.written)


# --- work -----------------------------------------------------------------------------------------


def calls_of(work: Callable[[], object]) -> int:
    """How many calls a piece of work makes, those of built-in functions included."""
    count = 0

    def met(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        del frame, argument
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(met)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


HOSTILE = {
    "dashes": "-",
    "parentheses": "(",
    "nested": "A(",
    "glued names": "parbur",
    "glued names with a dash": "Par-Bur",
    "orders": "A Par-Bur ",
    "orders with commas": "A Par-Bur, ",
    "one endless path": "Par - ",
    "one endless list": "A Par, ",
    "supports of supports": "A Par S ",
    "unknown names": "A Mra - Brs ",
    "short names": "F Nor - Liv ",
    "conditions": "if A Par H, ",
    "questions": "A Par H? ",
    "coasts": "Spa nc of ",
    "numbers": "1. A Par ",
    "Korean": "파리 육군을 버건디로 ",
    "Korean without spaces": "파리육군",
    "Chinese": "巴黎陸軍支援",
    "unknown signs": "㐀",
    "Japanese": "パリ陸軍はブルゴーニュへ",
    "accents": "a\u0301",
    "half-width": "ﾊﾟﾘ",
    "arrows": "»",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_work_on_a_line_grows_no_faster_than_the_line(name: str) -> None:
    piece = HOSTILE[name]
    long = piece * (LINE_LONGEST // len(piece))
    short = piece * (len(long) // len(piece) // 4)
    for line in (short, long):  # shapes and misspelled words are met once
        read_new_line(line, WORDS)
    little = calls_of(lambda: read_new_line(short, WORDS))
    much = calls_of(lambda: read_new_line(long, WORDS))
    assert much <= 6 * little + 500


@pytest.mark.parametrize("name", HOSTILE)
def test_work_on_a_letter_grows_no_faster_than_its_lines(name: str) -> None:
    context = desk_of("france")
    lines = [f"{HOSTILE[name]} {HOSTILE[name]} {number}" for number in range(ORDER_LINES)]
    read_orders(context, lines)
    little = calls_of(lambda: read_orders(context, lines[: ORDER_LINES // 4]))
    much = calls_of(lambda: read_orders(context, lines))
    assert much <= 6 * little + 500


@pytest.mark.parametrize("name", ["dashes", "parentheses", "glued names", "conditions", "Chinese"])
def test_work_on_the_bytes_of_a_letter_grows_no_faster_than_they(name: str) -> None:
    long = HOSTILE[name] * (60_000 // len(HOSTILE[name]))
    raw = [letter(text, "utf-8") for text in (long[: len(long) // 4], long)]
    for each in raw:
        orders_of(each)
    little, much = (calls_of(lambda each=each: orders_of(each)) for each in raw)
    assert much <= 6 * little + 5_000


@pytest.mark.parametrize(
    "line", ["-" * 1_000_000, "(" * 10_000, "parbur" * 100_000, "A Par - " * 9_999]
)
def test_a_line_beyond_all_measure_costs_about_as_much_as_the_longest_that_is_read(
    line: str,
) -> None:
    usual = calls_of(lambda: read_new_line("A Par - Bur; " * (LINE_LONGEST // 14), WORDS))
    assert calls_of(lambda: read_new_line(line, WORDS)) <= 2 * usual


def test_after_twenty_faults_no_more_proposals_are_made() -> None:
    lines = [f"A Mra - Brs{number}" for number in range(30)] + ["A Spa - Por"] * 30
    faults = [read for read in read_orders(desk_of("france"), lines) if isinstance(read, Untaken)]
    assert [fault.kind for fault in faults[SUGGESTED_FAULTS:]] == ["not_read"] * 40
    assert not any(fault.proposals for fault in faults[SUGGESTED_FAULTS:])


def test_an_order_of_more_words_than_any_has_is_none() -> None:
    assert parse_words(["A", "#PAR", "-", *["#BUR", "-"] * ORDER_LONGEST]) is None


def test_remarks_that_nothing_closes_are_looked_for_once() -> None:
    def work_of(count: int) -> int:
        return calls_of(lambda: COMMAND_PARSER.read("BEGIN COMMENT\n" * count))

    work_of(1500)
    assert work_of(3000) < 2.5 * work_of(1500)
