"""What all tests share."""

import lark.lexer

# Wherever interegular is installed, Lark compares all words of a grammar with each other, in time
# that a running judge never spends: that is left to the test that asks for it (`strict`).
lark.lexer.has_interegular = False
