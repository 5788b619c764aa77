"""Letters as people read them."""

from judge.render.letters import RenderedLetter, render_letter

__all__ = ["RenderedLetter", "render_letter"]
