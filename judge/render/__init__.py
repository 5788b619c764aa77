"""Letters as people read them."""

from judge.render.calendars import calendar_file
from judge.render.catalogue import languages
from judge.render.letters import RenderedLetter, Shown, render_letter
from judge.render.picture_requests import PictureRequest, Shows, png_of
from judge.render.reply_links import Reply

__all__ = [
    "PictureRequest",
    "RenderedLetter",
    "Reply",
    "Shown",
    "Shows",
    "calendar_file",
    "languages",
    "png_of",
    "render_letter",
]
