"""What the receiving server itself found out about a letter's sender (RFC 8601).

Only the topmost Authentication-Results counts, and only if the configured server wrote it: anybody
can put such a header into his letter. That server must remove those that name it (RFC 8601 5).
"""

import re

from judge.mail.headers import Author, blank_quoted
from judge.mail.parts import Part

LONGEST = 8_000  # characters
# For each method: the property that must name the very domain of From.
METHODS = (
    (re.compile(r"dmarc\s*=\s*pass\b", re.I), re.compile(r"header\.from\s*=\s*(\S+)", re.I)),
    (re.compile(r"dkim\s*=\s*pass\b", re.I), re.compile(r"header\.d\s*=\s*(\S+)", re.I)),
    (re.compile(r"dkim\s*=\s*pass\b", re.I), re.compile(r"header\.i\s*=\s*(\S*@\S+)", re.I)),
    (re.compile(r"spf\s*=\s*pass\b", re.I), re.compile(r"smtp\.mailfrom\s*=\s*(\S+)", re.I)),
)


def is_authenticated(letter: Part, author: Author, trusted_authserv: str) -> bool:
    """DMARC passed, or DKIM or SPF passed for the very domain of the From address.

    A letter with several authors or From headers is never believed: servers check one of them,
    and mail programs show another.
    """
    results = letter.value("authentication-results")
    if not trusted_authserv or not results or not author.is_certain or len(results) > LONGEST:
        return False
    # Quoted strings and comments hold what the sender chose, semicolons included.
    server, _, findings = blank_quoted(results).partition(";")
    names = server.split()
    if not names or names[0].lower() != trusted_authserv.lower():
        return False
    domain = author.address.rpartition("@")[2]
    return any(_is_pass(finding.strip(), domain) for finding in findings.split(";"))


def _is_pass(finding: str, domain: str) -> bool:
    """A parent domain is not taken: to tell one from a registry needs the public suffix list."""
    for method, of in METHODS:
        named = of.search(finding) if method.match(finding) else None
        if named and named[1].rpartition("@")[2].lower().rstrip(".") == domain:
            return True
    return False
