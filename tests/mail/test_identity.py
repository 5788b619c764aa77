"""Tokens go out in addresses and ids, and are found again in a reply."""

import pytest

from judge.mail import message_id_for, plus_tokens, reply_address
from tests.mail.samples import letter, read

FIRST, SECOND = "abcdefghijklmnop", "qrstuvwxyz234567"
JUDGE = "Judge@Example.test"


def tokens(raw: str) -> tuple[str, ...]:
    found = read(raw)
    return plus_tokens(found.recipients, found.references, JUDGE)


def test_a_reply_carries_its_token_in_the_address_and_the_thread() -> None:
    answer = letter(
        To=f"The Judge <{reply_address(FIRST, JUDGE)}>",
        In_Reply_To=f"<{message_id_for(SECOND, JUDGE)}>",
        References=f"<{message_id_for(FIRST, JUDGE)}>",
    )
    assert tokens(answer) == (FIRST, SECOND)


def test_a_token_survives_a_relay_that_rewrites_ids_or_addresses() -> None:
    by_address = letter(To="x@example.test", Delivered_To=reply_address(FIRST, JUDGE).upper())
    assert tokens(by_address) == (FIRST,)
    by_id = letter(References=f"<{message_id_for(FIRST, JUDGE).upper()}>")
    assert tokens(by_id) == (FIRST,)


def test_what_is_no_token_of_ours_is_none() -> None:
    stranger = letter(
        To=f"judge+{FIRST}@elsewhere.test, other+{FIRST}@example.test, judge+short@example.test",
        References=f"<{FIRST}@elsewhere.test> <{FIRST}x!@example.test> <@example.test>",
    )
    assert tokens(stranger) == ()


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("Ann@Example.test.", "ann@example.test"),
        ("ann@bücher.test", "ann@xn--bcher-kva.test"),
        ("ann@XN--BCHER-KVA.test", "ann@xn--bcher-kva.test"),
        ("안나@example.test", "안나@example.test"),
    ],
)
def test_an_address_has_one_spelling(written: str, address: str) -> None:
    found = read(letter(From=f"Ann <{written}>", To=f"{written}, judge+{FIRST}@example.test."))
    assert found.sender == address
    assert address in found.recipients
    assert plus_tokens(found.recipients, (), JUDGE) == (FIRST,)
