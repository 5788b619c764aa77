"""The judge's tokens in addresses and Message-IDs: written here, found here again."""

import re

from judge.mail.letter import Letter

TOKEN = re.compile(r"[a-z2-7]{16,64}\Z")


def message_id_for(token: str, judge_address: str) -> str:
    """The Message-ID, without brackets, of the letter with that token."""
    return f"{token}@{_domain(judge_address)}"


def reply_address(token: str, judge_address: str) -> str:
    """Where replies go: some relays rewrite Message-IDs, none rewrites a recipient."""
    local, _, domain = judge_address.rpartition("@")
    return f"{local}+{token}@{domain}"


def plus_tokens(letter: Letter, judge_address: str) -> tuple[str, ...]:
    """Tokens of ours that a letter carries, best first: recipients, then what it refers to."""
    local, _, domain = judge_address.lower().rpartition("@")
    found = [_between(address, f"{local}+", f"@{domain}") for address in letter.recipients]
    # Some programs lower-case an id, none of ours has capitals.
    found += [_between(one.lower(), "", f"@{domain}") for one in letter.references]
    return tuple(dict.fromkeys(token for token in found if TOKEN.match(token)))


def _between(text: str, before: str, after: str) -> str:
    if text.startswith(before) and text.endswith(after):
        return text[len(before) : len(text) - len(after)]
    return ""


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
