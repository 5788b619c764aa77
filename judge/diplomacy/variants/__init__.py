"""Variants: what a game is played on, as the folders of `config/variants/` say it."""
