"""Dates, times and schedules as people write them, and the deadlines that follow from them."""
