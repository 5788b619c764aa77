"""What the log looks like: for people, as JSON Lines, or for journald with its priorities.

One event is one line, `letter sent kind=results game=balkan to=ann@example.test`; what strangers
wrote is shown so that it makes no line of its own.
"""

import json
import logging
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime

from judge.terminal import shown

LEVELS = ("debug", "info", "warning", "error")
HANDLER = "judge"  # the program's own
FORMATS = ("text", "json", "journald")
# sd-daemon(3): a line's first signs say how urgent it is.
PRIORITIES = {logging.DEBUG: 7, logging.INFO: 6, logging.WARNING: 4, logging.ERROR: 3}
MOST_URGENT = 2
QUIET = {
    "aioimaplib": logging.CRITICAL,  # it logs what we raise
    "mail.log": logging.WARNING,  # aiosmtpd's, a line for each step
}


def begin_log(level: str, form: str | None, environ: Mapping[str, str] = os.environ) -> None:
    """Write the log to standard error; without a form as journald wants it, if it is journald that
    reads it, else for people."""
    if form is None:
        form = "journald" if "JOURNAL_STREAM" in environ else "text"
    root = logging.getLogger()
    for old in [one for one in root.handlers if one.name == HANDLER]:
        root.removeHandler(old)
    handler = logging.StreamHandler(sys.stderr)
    handler.name = HANDLER
    handler.setFormatter({"text": Text, "json": Json, "journald": Journald}[form]())
    root.addHandler(handler)
    root.setLevel(level.upper())
    for name, least in QUIET.items():
        logging.getLogger(name).setLevel(least)


def _at(record: logging.LogRecord) -> str:
    at = datetime.fromtimestamp(record.created, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _message(record: logging.LogRecord) -> str:
    return shown(record.getMessage()).replace("\n", " ")


class Text(logging.Formatter):
    """`2026-12-01T20:00:00.123Z INFO judge.daemon letter sent ...`, a traceback below it."""

    def format(self, record: logging.LogRecord) -> str:
        line = f"{_at(record)} {record.levelname} {record.name} {_message(record)}"
        if record.exc_info:
            line += "\n" + shown(self.formatException(record.exc_info))
        return line


class Json(logging.Formatter):
    """An object a line: `time`, `level`, `logger`, `message`, and `traceback` if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _at(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
        }
        if record.exc_info:
            line["traceback"] = shown(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False)


class Journald(logging.Formatter):
    """Without the time, which journald knows; each line begins with its priority."""

    def format(self, record: logging.LogRecord) -> str:
        text = f"{record.name} {_message(record)}"
        if record.exc_info:
            text += "\n" + shown(self.formatException(record.exc_info))
        priority = PRIORITIES.get(record.levelno, MOST_URGENT)
        return "\n".join(f"<{priority}>{line}" for line in text.splitlines())
