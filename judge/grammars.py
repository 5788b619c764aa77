"""Builds the parsers of the files in `grammar/`; what they mean, their callers know."""

import lark.lexer
from lark import Lark

# Where interegular is installed, as in a checkout, lark compares all words of a grammar with each
# other, which takes seconds: only a test of the grammars asks for that (`strict`).
lark.lexer.has_interegular = False


def parser_of(grammar: str, start: str | list[str]) -> Lark:
    """A LALR parser of the texts that one rule of a grammar stands for, or each of several."""
    return Lark(grammar, parser="lalr", lexer="contextual", start=start, maybe_placeholders=False)
