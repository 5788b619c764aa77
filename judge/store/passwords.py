"""Passwords that letters of ours told: hidden in what is kept of them."""

import json
import re

WRITTEN = re.compile(r'"password": ?("(?:[^"\\]|\\.)+")')


def without_passwords(messages: str, raw: bytes) -> tuple[str, bytes]:
    """A letter's messages (JSON) without the passwords in them, and its bytes with stars there."""
    for written in WRITTEN.findall(messages):
        password = json.loads(written).encode()
        raw = raw.replace(password, b"*" * len(password))
    return WRITTEN.sub('"password":""', messages), raw
