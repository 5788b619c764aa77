"""What all commands of the program share: exit codes, and what a terminal may be shown."""

import sys

DONE, REFUSED, USAGE = 0, 1, 2
SHOWN = "\n\t"  # signs that move the cursor and may stand in a text


def shown(text: object) -> str:
    """A text of strangers, from letters and files, as a terminal may show it: with a `?` for every
    sign that would move the cursor, color or hide what follows, or turn its direction."""
    return "".join(sign if sign.isprintable() or sign in SHOWN else "?" for sign in str(text))


def refuse(why: str, code: int = REFUSED) -> int:
    """Say why nothing was done; returns the exit code."""
    print(why, file=sys.stderr)
    return code
