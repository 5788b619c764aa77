"""Letters as people read them."""

from judge.render.calendars import calendar_file
from judge.render.catalogue import languages
from judge.render.letters import RenderedLetter, render_letter

__all__ = ["RenderedLetter", "calendar_file", "languages", "render_letter"]
