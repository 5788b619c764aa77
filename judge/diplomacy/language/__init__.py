"""The order language: what players write, read against the grammar, the board and the rules."""
