"""Deadlines as iCalendar files (RFC 5545), for the calendars of players.

A deadline is an event without a length: calendars show the time at which one begins, so an event
that ended with the deadline would show an earlier one. It makes nobody busy.
"""

from datetime import datetime, timedelta

from judge.render.catalogue import catalogue, sentence_tables
from judge.rulebook import load_renderer
from judge.store import CalendarEvent

SENTENCES = sentence_tables("letters.toml", dict[str, dict[str, str]])
LINE_OCTETS = 75  # RFC 5545 3.1
ALARM = timedelta(hours=3)  # before the deadline; of a short time a quarter
INSTANT = "%Y%m%dT%H%M%SZ"
ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})  # RFC 5545 3.3.11


def calendar_file(
    event: CalendarEvent, game: str, *, made_at: datetime, address: str, language: str
) -> str:
    """The file that sets, moves or cancels an event; lines end in CRLF.

    One event a file, since Outlook opens a file of several as a calendar of its own. `PUBLISH`
    asks for no answer (RFC 5546 3.2.1, which also wants an organizer: `address`).
    """
    told, translator = SENTENCES["calendar"], catalogue(language)
    words = load_renderer(event.game).words(event.variant, translator)
    power, phase = words.seat_name(event.seat), words.phase_name(event.label)
    key = "cancelled" if event.is_cancelled else "due"
    title = translator.tell(told[key], game=game, power=power, phase=phase)
    how = translator.tell(told["how"], game=game)
    minutes = min(ALARM, (event.at - made_at) / 4) // timedelta(minutes=1)
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//judge//deadlines//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{event.uid}",
        f"SEQUENCE:{event.sequence}",
        f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}",
        f"DTSTAMP:{made_at.strftime(INSTANT)}",
        f"DTSTART:{event.at.strftime(INSTANT)}",
        "TRANSP:TRANSPARENT",
        f"ORGANIZER:mailto:{address}",
        f"SUMMARY:{title.translate(ESCAPED)}",
    ]
    if not event.is_cancelled:
        lines += [
            f"DESCRIPTION:{how.translate(ESCAPED)}",
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            f"TRIGGER:-PT{minutes}M",
            f"DESCRIPTION:{title.translate(ESCAPED)}",
            "END:VALARM",
        ]
    lines += ["END:VEVENT", "END:VCALENDAR"]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _folded(line: str) -> str:
    """A line in pieces of at most 75 octets, no letter cut in two."""
    if len(line.encode()) <= LINE_OCTETS:
        return line
    pieces, octets = [""], 0
    for letter in line:
        size = len(letter.encode())
        if octets + size > LINE_OCTETS:
            pieces.append("")
            octets = 1  # the space at its begin
        pieces[-1] += letter
        octets += size
    return "\r\n ".join(pieces)
