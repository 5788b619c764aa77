"""A letter's bytes become a `Letter`: pure, and never raises, whatever somebody sent."""

import hashlib
from datetime import datetime

from judge.mail import headers
from judge.mail.authentication import is_authenticated
from judge.mail.language import guess_language
from judge.mail.letter import Letter, LetterKind
from judge.mail.mime import TextFound, text_of
from judge.mail.parts import parse_part
from judge.mail.quoting import cut_quotes
from judge.mail.sorting import Sorted, bounced_message_id, bounced_recipient, sort_letter

MOST_BYTES = 2_097_152  # that are looked at, however many the keeper lets in
RECIPIENT_FIELDS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")


def read_letter(
    raw: bytes,
    received_at: datetime,
    *,
    own_addresses: frozenset[str],
    trusted_authserv: str = "",
    size_bytes: int | None = None,
) -> Letter:
    """Everything the house needs to know of a letter.

    Args:
        raw: the letter, or its beginning.
        received_at: when the mail server took it (INTERNALDATE), UTC.
        own_addresses: the judge's, lower case, without tokens.
        trusted_authserv: the name under which the receiving server writes what it found out
            about senders; empty: nothing is believed.
        size_bytes: the letter's true size, where only its beginning was fetched.
    """
    part = parse_part(raw[:MOST_BYTES])
    author = headers.sender(part)
    is_cut = min(len(raw), MOST_BYTES) < max(len(raw), size_bytes or 0)
    found = text_of(part, is_cut=is_cut)
    body = cut_quotes(found.text, own_addresses)
    kind = _with_text(sort_letter(part, own_addresses), found, body, size_bytes or len(raw))
    ids = headers.message_ids(part.value("message-id"))
    is_bounce = kind.disposition is LetterKind.BOUNCE
    domains = {address.rpartition("@")[2] for address in own_addresses}
    return Letter(
        sha256=hashlib.sha256(raw).hexdigest(),
        received_at=received_at,
        message_id=ids[0] if ids else None,
        sender=author.address,
        sender_name=author.name,
        recipients=headers.addresses(part, RECIPIENT_FIELDS),
        subject=headers.subject(part),
        references=headers.references(part),
        utc_offset_minutes=headers.utc_offset_minutes(part),
        language=guess_language(part, found.charset, body or found.text, author.name),
        body=body,
        whole_body=found.text,
        disposition=kind.disposition,
        reason=kind.reason,
        bounced_message_id=bounced_message_id(part, domains) if is_bounce else None,
        bounced_recipient=bounced_recipient(part) if is_bounce else None,
        authenticated=is_authenticated(part, author, trusted_authserv),
    )


def _with_text(kind: Sorted, found: TextFound, body: str, size_bytes: int) -> Sorted:
    """What the text has to say about a letter that could be answered."""
    if kind.disposition is not LetterKind.ANSWER:
        return kind
    if not found.is_whole:
        return Sorted(LetterKind.TOO_LARGE, f"{size_bytes} bytes, more text than is read")
    if not body.strip():
        return Sorted(LetterKind.EMPTY, "no text")
    return kind
