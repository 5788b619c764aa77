"""Letters as people read them."""

from judge.render.catalogue import languages
from judge.render.letters import RenderedLetter, render_letter

__all__ = ["RenderedLetter", "languages", "render_letter"]
