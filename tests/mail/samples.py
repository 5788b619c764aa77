"""Letters as mail programs write them, for the tests of this folder."""

from datetime import UTC, datetime

from judge.mail import Letter, read_letter

JUDGE = "judge@example.test"
RECEIVED = datetime(2026, 12, 5, 20, 0, 1, tzinfo=UTC)


def read(raw: bytes | str, **options: object) -> Letter:
    """A letter as the judge reads it; text is sent as UTF-8."""
    settings = {"own_addresses": frozenset({JUDGE}), **options}
    data = raw.encode() if isinstance(raw, str) else raw
    return read_letter(data, RECEIVED, **settings)  # type: ignore[arg-type]


def letter(body: str = "A PAR - BUR", **headers: str) -> str:
    """A plain letter from Anna; `Reply_To="x"` gives a header, `From=""` takes one away."""
    values = {
        "From": "Anna <anna@example.test>",
        "To": JUDGE,
        "Subject": "moves",
        "Message-ID": "<one@example.test>",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in values.items() if value)
    return head + "\r\n" + body.replace("\n", "\r\n")
