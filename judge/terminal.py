"""Text of strangers, from letters and files, as a keeper's terminal may show it."""

SHOWN = "\n\t"


def shown(text: object) -> str:
    """The text with a `?` for every sign that would move the cursor, color or hide what follows,
    or turn its direction."""
    return "".join(sign if sign.isprintable() or sign in SHOWN else "?" for sign in str(text))
