"""What the receiving server itself found out about a letter's sender (RFC 8601).

Only the topmost Authentication-Results counts, and only if the configured server wrote it: anybody
can put such a header into his letter.
"""

import re
from email.message import Message

from judge.mail.headers import headers

DOMAIN = re.compile(r"header\.(?:from|d|i)\s*=\s*\"?@?(?:[^\s;\"@]*@)?([a-z0-9.-]+)", re.IGNORECASE)
MAIL_FROM = re.compile(r"smtp\.mailfrom\s*=\s*\"?(?:[^\s;\"@]*@)?([a-z0-9.-]+)", re.IGNORECASE)


def is_authenticated(message: Message, sender: str, trusted_authserv: str) -> bool:
    """DMARC passed, or DKIM or SPF passed for the very domain of the From address."""
    results = headers(message, "Authentication-Results")
    if not trusted_authserv or not results or not sender:
        return False
    if len(headers(message, "From")) != 1:
        return False  # which of them the server checked, nobody knows
    server, _, findings = _bare(results[0]).partition(";")
    names = server.split()
    if not names or names[0].lower() != trusted_authserv.lower():
        return False
    domain = sender.rpartition("@")[2].lower()
    return any(_is_pass(finding.strip(), domain) for finding in findings.split(";"))


def _is_pass(finding: str, domain: str) -> bool:
    lowered = finding.lower()
    if lowered.startswith("dmarc=pass"):
        found = DOMAIN.search(finding)
        return found is not None and _is_aligned(found[1], domain)
    if lowered.startswith("dkim=pass"):
        found = DOMAIN.search(finding)
        return found is not None and _is_aligned(found[1], domain)
    if lowered.startswith("spf=pass"):
        found = MAIL_FROM.search(finding)
        return found is not None and _is_aligned(found[1], domain)
    return False


def _is_aligned(found: str, domain: str) -> bool:
    """The same domain; a parent would need the public suffix list, and is not taken."""
    return found.lower().strip(".") == domain


def _bare(value: str) -> str:
    """The header without comments and quoted words: a sender may have chosen what they hold.

    Empty if a quotation mark or a comment is left open.
    """
    kept: list[str] = []
    depth, is_quoted, is_escaped = 0, False, False
    for letter in value:
        if is_escaped:
            is_escaped = False
        elif letter == "\\":
            is_escaped = True
        elif letter == '"':
            is_quoted = not is_quoted
        elif is_quoted:
            continue
        elif letter == "(":
            depth += 1
        elif letter == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(letter)
    return "" if depth or is_quoted else "".join(kept)
