"""The instants of a phase that opens."""

from datetime import datetime, timedelta

from judge.store import Timing

ROUND_ABOVE = timedelta(hours=1)  # longer phases end on a full minute


def open_timing(now: datetime, length: timedelta) -> Timing:
    """A phase that opens now and lasts `length`; of a long one the deadline is on a full minute."""
    deadline = now + length
    if length > ROUND_ABOVE and (deadline.second or deadline.microsecond):
        deadline = deadline.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return Timing(opened_at=now, deadline_at=deadline, changed_at=now)
