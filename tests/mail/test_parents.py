"""The judge's own letter is known again in a reply, whatever a mail program made of it."""

import re
import textwrap
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from judge.mail import Letter, compose, read_letter
from judge.mail.quoting import cut_quotes
from tests.mail.reply_structures.structures import HALVES, OWN_ADDRESSES, RECEIVED, half, outcomes
from tests.mail.samples import letter
from tests.mail.test_composing import LETTER

OURS = """Dear Ann,

your orders for Spring 1901 have been read:

    A PAR - GAS
    F BRE - ENG
    A MAR S A PAR - GAS

You can change them until Sat Dec 05 2026 20:00 UTC. To change one, write a new
order for its unit; the others stay. To have it explained, copy this line:

    EXPLAIN A PAR - GAS

The Judge
"""
KOREAN = """안녕하세요,

1901년 봄의 명령을 읽었습니다.

육군, 파리 - 가스코뉴
함대, 브레스트 - 영국해협

마감은 2026년 12월 5일입니다. 바꾸려면 새 명령을 보내 주세요. 다른 명령은 그대로 남습니다.

심판
"""
OWN = "A PAR - BUR\nF BRE - MAO"


def read(text: str, ours: str = OURS) -> str:
    words = cut_quotes(text, OWN_ADDRESSES, own_name="Judge", parents=[ours])
    return "\n".join(line.strip() for line in words.body.split("\n") if line.strip())


def rewrapped(text: str) -> str:
    return "\n".join("\n".join(textwrap.wrap(line, 40)) for line in text.split("\n"))


def test_no_other_letter_of_ours_is_read_once_all_marked_lines_are_explained() -> None:
    def parents() -> Iterator[str]:
        yield OURS
        raise AssertionError("another one was read")

    quote = "\n".join(f"> {line}" for line in OURS.splitlines())
    words = cut_quotes(f"{OWN}\n\n{quote}", OWN_ADDRESSES, parents=parents())
    assert words.body == OWN
    with pytest.raises(AssertionError):
        cut_quotes(f"{OWN}\n\n{quote}\n> of another letter", OWN_ADDRESSES, parents=parents())


MANGLED = {
    "whole": lambda text: text,
    "rewrapped": rewrapped,
    "joined": lambda text: re.sub(r"(?<=\S)\n(?=\S)", " ", text),
    "marked in a strange way": lambda text: re.sub("^", "# ", text, flags=re.MULTILINE),
    "bulleted": lambda text: re.sub(r"^ +", "• ", text, flags=re.MULTILINE),
    "starred": lambda text: re.sub(r"(\w+)", r"*\1*", text),
    "double spaced": lambda text: text.replace("\n", "\n\n"),
}


@pytest.mark.parametrize("ours", [OURS, KOREAN], ids=["english", "korean"])
@pytest.mark.parametrize("how", MANGLED)
def test_a_letter_sent_back_without_marks_is_no_news(how: str, ours: str) -> None:
    mangled = MANGLED[how](ours)
    assert read(f"{OWN}\n\n{mangled}", ours) == OWN
    assert read(f"{mangled}\n\n{OWN}", ours) == OWN
    assert read(mangled, ours) == ""


@pytest.mark.parametrize("introduction", ["Rcdj napxk qam:", "~~~", "----- Xyz -----", ""])
def test_no_introduction_need_be_known(introduction: str) -> None:
    kept = read(f"{OWN}\n\n{introduction}\n\n{OURS}")
    assert kept in (OWN, f"{OWN}\n{introduction}")


def test_a_reply_below_a_letter_that_is_not_marked_is_read() -> None:
    headers = "From: Judge <judge@judge.example>\nSent: 3 Dec 2026 17:01\nTo: Ann\nSubject: balkan"
    assert read(f"{headers}\n\n{OURS}\n\n{OWN}") == OWN
    # Cut off by a program: nobody knows what is whose below.
    cut_off = OURS[: OURS.index("You can")]
    assert read(f"{headers}\n\n{cut_off}\nA MAR - SPA\n") == ""


def test_an_order_copied_from_our_letter_is_the_writers_own() -> None:
    assert read("EXPLAIN A PAR - GAS") == "EXPLAIN A PAR - GAS"
    copied = "A PAR - GAS\nF BRE - ENG\nA MAR S A PAR - GAS"
    assert read(copied) == copied
    changed = "A PAR - GAS\nF BRE - ENG\nA MAR - SPA"
    assert read(f"{changed}\n\n{OURS}") == changed
    assert read(f"A PAR - GAS\n\n{OURS}") == "A PAR - GAS"


def test_an_order_changed_in_place_in_a_letter_sent_back_is_read() -> None:
    changed = OURS.replace("F BRE - ENG", "F BRE - MAO")
    assert "F BRE - MAO" in read(changed).split("\n")
    assert not any("until" in line for line in read(changed).split("\n"))


def test_the_letter_is_found_by_the_tokens_of_the_reply() -> None:
    asked: list[tuple[str, ...]] = []

    def sent(tokens: tuple[str, ...]) -> list[bytes]:
        asked.append(tokens)
        return [compose(replace(LETTER, text=OURS))]

    raw = letter(f"{OWN}\n\n{OURS}", In_Reply_To="<abcdefghijklmnop@example.test>").encode()
    own = frozenset({"judge@example.test"})
    found = read_letter(raw, RECEIVED, own_addresses=own, sent=sent)
    assert asked == [("abcdefghijklmnop",)]
    assert found.body == OWN
    assert [one.kind for one in found.unread] == ["our_letter"]


@pytest.mark.parametrize("name", HALVES)
def test_replies_are_read_as_well_when_our_letter_is_known(name: str) -> None:
    def read_known(raw: bytes, answered: str) -> Letter:
        ours = f"Content-Type: text/plain; charset=utf-8\r\n\r\n{answered}".encode()
        return read_letter(
            raw, RECEIVED, own_addresses=OWN_ADDRESSES, own_name="Judge", sent=lambda _: [ours]
        )

    found = list(outcomes(half(name), read_known, every=10))
    assert [one for one in found if not one.is_exact] == []


def test_long_letters_take_no_longer() -> None:
    same = "A PAR - BUR\n" * 5_000
    assert len(cut_quotes(same, parents=[same] * 3).body) < len(same) / 2
    assert cut_quotes("x\n" * 20_000, parents=["x y\n" * 5_000] * 3).body
