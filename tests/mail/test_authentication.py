"""Only what the configured server itself found out about the very sender counts."""

import pytest

from judge.mail import Verdict
from tests.mail.samples import letter, read

MX = "mx.example.test"


def is_authenticated(*results: str, sender: str = "anna@good.test", trusted: str = MX) -> bool:
    head = "".join(f"Authentication-Results: {one}\r\n" for one in results)
    return read(head + letter(From=sender), trusted_authserv=trusted).verdict is Verdict.PASSED


@pytest.mark.parametrize(
    "result",
    [
        f"{MX}; dmarc=pass header.from=good.test",
        f"{MX}; dmarc=pass (p=REJECT sp=NONE dis=NONE) header.from=Good.Test",
        f"{MX} 1; dkim=pass header.i=@good.test header.s=s1 header.b=abc",
        f"{MX}; dkim=fail header.d=good.test; dkim=pass header.d=good.test",
        f"{MX};\r\n dkim=none;\r\n spf=pass (x: domain of a) smtp.mailfrom=anna@good.test",
        f"{MX.upper()}; spf=pass smtp.mailfrom=good.test",
    ],
)
def test_a_pass_for_the_senders_domain_counts(result: str) -> None:
    assert is_authenticated(result)


@pytest.mark.parametrize(
    "result",
    [
        f"{MX}; none",
        f"{MX}; dmarc=fail header.from=good.test",
        f"{MX}; dmarc=pass header.from=evil.test",
        f"{MX}; dmarc=pass",
        f"{MX}; dkim=pass header.d=evil.test",
        f"{MX}; dkim=pass header.d=evilgood.test",
        f"{MX}; spf=pass smtp.mailfrom=anna@evil.test",
        "elsewhere.test; dmarc=pass header.from=good.test",
        "; dmarc=pass header.from=good.test",
        # What the sender chose himself may stand in quotes or comments.
        f'{MX}; spf=pass smtp.mailfrom="x; dmarc=pass header.from=good.test"@evil.test',
        f"{MX}; spf=none (domain of x; dmarc=pass header.from=good.test) smtp.mailfrom=x@evil.test",
        f"{MX}; spf=none (a (b) c; dmarc=pass header.from=good.test) smtp.mailfrom=x@evil.test",
        f'{MX}; spf=none reason="open; dmarc=pass header.from=good.test',
    ],
)
def test_anything_else_does_not(result: str) -> None:
    assert not is_authenticated(result)


def test_only_the_topmost_header_counts() -> None:
    good = f"{MX}; dmarc=pass header.from=good.test"
    assert not is_authenticated(f"{MX}; dmarc=fail header.from=good.test", good)
    assert is_authenticated(good, f"{MX}; dmarc=fail header.from=good.test")


def test_nothing_counts_without_a_configured_server() -> None:
    assert not is_authenticated(f"{MX}; dmarc=pass header.from=good.test", trusted="")


@pytest.mark.parametrize(
    "sender",
    [
        "anna@good.test, x@evil.test",
        "x@evil.test, Anna <anna@good.test>",
        "Anna <anna@good.test>, x@evil.test",
        '"broken <anna@good.test>',
    ],
)
def test_a_sender_who_cannot_be_told_for_certain_is_none(sender: str) -> None:
    assert read(letter(From=sender)).sender == "anna@good.test"
    assert not is_authenticated(f"{MX}; dmarc=pass header.from=good.test", sender=sender)


def test_two_senders_are_none() -> None:
    head = (
        f"Authentication-Results: {MX}; dmarc=pass header.from=good.test\r\nFrom: x@evil.test\r\n"
    )
    assert read(head + letter(From="anna@good.test"), trusted_authserv=MX).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ("dmarc=fail header.from=good.test", Verdict.FAILED),
        (
            "dmarc=fail (p=none) header.from=good.test; spf=pass smtp.mailfrom=evil.test",
            Verdict.FAILED,
        ),
        ("spf=fail smtp.mailfrom=good.test", Verdict.FAILED),
        ("dkim=fail header.d=good.test; spf=none", Verdict.FAILED),
        ("dmarc=bestguesspass header.from=good.test; spf=fail", Verdict.UNKNOWN),
        ("spf=softfail smtp.mailfrom=good.test", Verdict.UNKNOWN),
        ("dmarc=none header.from=good.test", Verdict.UNKNOWN),
        ("none", Verdict.UNKNOWN),
    ],
)
def test_a_failure_is_told_from_what_is_not_known(results: str, verdict: Verdict) -> None:
    raw = f"Authentication-Results: {MX}; {results}\r\n" + letter(From="anna@good.test")
    assert read(raw, trusted_authserv=MX).verdict is verdict
    assert read(raw, trusted_authserv="other.test").verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("sender", "verdict"),
    [
        ("anna@good.test <anna@good.test>", Verdict.UNKNOWN),  # as some programs write it
        ("anna@good.test, joe@evil.test", Verdict.FAILED),
        ("joe@evil.test <anna@good.test>", Verdict.FAILED),
    ],
)
def test_several_authors_are_believed_nowhere(sender: str, verdict: Verdict) -> None:
    assert read(letter(From=sender)).verdict is verdict
