"""A letter's bytes become a `Letter`: pure, and never raises, whatever somebody sent."""

import hashlib
import re
from collections.abc import Callable, Iterable
from datetime import datetime

import msgspec

from judge.mail import identity
from judge.mail.mime import (
    Part,
    Unread,
    decode_words,
    known_codec,
    parse_letter,
    text_of,
    unescape_bytes,
    versions_of,
)
from judge.mail.quoting import cut_quotes
from judge.mail.sorting import LetterKind, bounced_message_id, bounced_recipient, sort_letter
from judge.mail.words import mail_words

MOST_BYTES = 2_097_152  # that are looked at, however many the keeper lets in
LONGEST_SUBJECT = 500
RECIPIENT_FIELDS = ("to", "cc", "delivered-to", "x-original-to", "envelope-to")
REPLY = re.compile(r"\s*[^\W\d_]{1,8}(?:\[\d+\])?\s?[:：]")  # Re:, AW:, 回复： and so on
LANGUAGE_SAMPLE = 4_000  # characters of the text that a guess at its language looks at
HANGUL = re.compile(r"[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
LATIN = re.compile(r"[A-Za-z]{2}")
LANGUAGES = {"ko": "ko", "ja": "ja", "zh": "zh_Hant", "en": "en"}  # that a stranger is answered in


class Letter(msgspec.Struct, frozen=True):
    """A letter that came in.

    Attributes:
        sha256: of the raw bytes, hex.
        received_at: when the mail server took it (INTERNALDATE), UTC.
        message_id: without angle brackets; None if it has none.
        sender: the address in From, lower case; empty if it cannot be told.
        recipients: addresses of To, Cc, Delivered-To and X-Original-To, lower case.
        references: In-Reply-To first, then References, newest first; without brackets.
        utc_offset_minutes: of the Date header, for a guess at the writer's zone.
        language: `en`, `ko`, `zh_Hant` or `ja` if it can be guessed.
        body: plain text; quotes and signature cut.
        whole_body: plain text before anything was cut.
        unread: what was not read of it, and why.
        reason: why it has this disposition, for the log and the keeper.
        bounced_message_id, bounced_recipient: of a bounce, the letter of ours and who refused it.
        verdict: what the receiving server found out about the address in From.
    """

    sha256: str
    received_at: datetime
    message_id: str | None
    sender: str
    sender_name: str
    recipients: tuple[str, ...]
    subject: str
    references: tuple[str, ...]
    utc_offset_minutes: int | None
    language: str | None
    body: str
    whole_body: str
    disposition: LetterKind
    reason: str
    bounced_message_id: str | None
    bounced_recipient: str | None
    verdict: identity.Verdict
    unread: tuple[Unread, ...] = ()


def read_letter(
    raw: bytes,
    received_at: datetime,
    *,
    own_addresses: frozenset[str],
    own_name: str = "",
    trusted_authserv: str = "",
    size_bytes: int | None = None,
    sent: Callable[[tuple[str, ...]], Iterable[bytes]] = lambda _: (),
) -> Letter:
    """Everything the judge needs to know of a letter.

    Args:
        raw: the letter, or its beginning.
        received_at: when the mail server took it (INTERNALDATE), UTC.
        own_addresses: the judge's, lower case, without tokens; `own_name` is its name.
        trusted_authserv: the name under which the receiving server writes what it found out
            about senders; empty: nothing is believed.
        size_bytes: the letter's true size, where only its beginning was fetched.
        sent: gives the letters of ours with these tokens, as they were sent; lines that stand in
            one of them are quoted, however they are marked.
    """
    size_bytes = size_bytes or len(raw)
    part = parse_letter(raw[:MOST_BYTES])
    author = identity.author_of(part)
    subject = unescape_bytes(part, part.value("subject")[: identity.LONGEST_VALUE])
    subject = decode_words(subject)[:LONGEST_SUBJECT]
    found = text_of(part, is_cut=min(len(raw), MOST_BYTES) < max(len(raw), size_bytes))
    references = identity.references_of(part)
    recipients = identity.addresses_of(part, RECIPIENT_FIELDS)
    tokens = dict.fromkeys(
        token
        for address in own_addresses
        for token in identity.plus_tokens(recipients, references, address)
    )
    answered = sent(tuple(tokens)) if tokens else ()
    words = cut_quotes(
        found.text,
        own_addresses,
        own_name=own_name,
        sender_name=author.name,
        parents=[text for one in answered for text in versions_of(parse_letter(one))],
        is_reply=bool(references) or REPLY.match(subject) is not None,
    )
    body = words.body

    kind, reason = sort_letter(part, author.address, subject, own_addresses)
    if kind is LetterKind.ANSWER and not found.is_whole:
        kind, reason = LetterKind.TOO_LARGE, f"{size_bytes} bytes, more text than is read"
    elif kind is LetterKind.ANSWER and not body.strip():
        kind, reason = LetterKind.EMPTY, "no text"
    is_bounce = kind is LetterKind.BOUNCE
    domains = {address.rpartition("@")[2] for address in own_addresses}
    sample = f"{subject} {body or found.text}"
    language = _guess_language(part, found.charset, sample, author.name)
    ids = identity.message_ids(part.value("message-id"))
    return Letter(
        sha256=hashlib.sha256(raw).hexdigest(),
        received_at=received_at,
        message_id=ids[0] if ids else None,
        sender=author.address,
        sender_name=author.name,
        recipients=recipients,
        subject=subject,
        references=references,
        utc_offset_minutes=identity.utc_offset_minutes(part),
        language=language,
        body=body,
        whole_body=found.text,
        disposition=kind,
        reason=reason,
        bounced_message_id=bounced_message_id(part, domains) if is_bounce else None,
        bounced_recipient=bounced_recipient(part) if is_bounce else None,
        verdict=identity.authenticate(part, author, trusted_authserv),
        unread=(*words.unread, *found.unread),
    )


def _guess_language(letter: Part, charset: str, text: str, sender_name: str) -> str | None:
    """The language that a stranger reads, until they choose; None if nothing tells.

    The script of the words goes first, then that of the writer's name: `JOIN balkan` is the same
    in every language. What the mail program says comes after, as many are set up in English.
    """
    codec = known_codec(charset)
    programs = [letter.value(name).lower() for name in ("content-language", "accept-language")]
    programs += [language for language, words in mail_words().items() if codec in words.codecs]
    told = next((LANGUAGES[one[:2]] for one in programs if one[:2] in LANGUAGES), None)
    words = text[: LONGEST_SUBJECT + LANGUAGE_SAMPLE]
    for sample in (words, sender_name):
        if HANGUL.search(sample):
            return "ko"
        if KANA.search(sample):
            return "ja"
        if HAN.search(sample):
            # Han alone is taken for Chinese; a short Japanese line can do without kana.
            return "ja" if told == "ja" else "zh_Hant"
    return told or ("en" if LATIN.search(words) else None)
