"""No regular expression that reads what strangers write takes more than linear time.

Nothing in Python stops a pattern half-way: one letter with 120,000 blanks once cost five minutes.
Every pattern of the packages that read letters is tried on texts that are made of its own letters:
one of them again and again, two in turn, and one before many of another. A text eight times as long
may take some eight times as long; a quadratic pattern takes 64 times.
"""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import getsource, signature
from itertools import product
from pathlib import Path
from re import _constants as kinds  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from time import process_time
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import pytest

import judge
from judge.diplomacy.language.lexicon import lexicon
from judge.diplomacy.language.lines.line_reading import LINE_LONGEST
from judge.diplomacy.variants.variant import load_variant
from judge.host.letters import command_parser, own_words, yes_no
from judge.host.schedules import date_grammar
from judge.mail import introductions

PACKAGES = ("judge.mail", "judge.host", "judge.diplomacy.language")
SINGLE = ("judge.clock", "judge.diplomacy.notation", "judge.store.outbox")
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "split")
USE = re.compile(rf"(\w+)(?:\(\))?(?:\[[^\]]*\])?\.({'|'.join(METHODS)})\(")
LENGTH, TIMES = 500, 8
MOST_LETTERS = 7  # of a pattern
NOTICEABLE = 0.02  # seconds for the long text; a quadratic pattern takes some 0.1
MOST_GROWTH = 24  # between 8 and 64
# Patterns that are only shown lines of so many characters.
LONGEST = {
    "judge.mail.introductions": introductions.LONGEST_LINE + 1,
    "judge.mail.words": introductions.LONGEST_LINE + 1,
    "judge.mail.quoting": introductions.LONGEST_LINE + 1,
    "judge.host.letters.own_words._languages": own_words.LONGEST,
    "judge.host.letters.own_words": own_words.LONGEST,
    "judge.host.letters.yes_no": yes_no.LONGEST,
    "judge.diplomacy.language.lines.doubts": LINE_LONGEST,
    "judge.host.letters.command_parser._POLITE": command_parser.LONGEST_COMMAND,
    "judge.host.games.joining": command_parser.LONGEST_COMMAND,
    "judge.host.schedules.times": own_words.LONGEST,
    "judge.host.schedules.date_grammar": date_grammar.LONGEST,
    "judge.host.schedules.dates": date_grammar.LONGEST,
    "judge.host.schedules.scheduling": date_grammar.LONGEST,
}


# What reads no letters: the list of folders of our own mail server, and what our commands declare.
NO_LETTERS = ("judge.mail.inbox.SEPARATOR", "judge.host.letters.requests '")


class Tried(NamedTuple):
    name: str
    pattern: re.Pattern[Any]
    methods: frozenset[str]
    longest: int


def modules() -> Iterator[ModuleType]:
    for name in PACKAGES:
        package = importlib.import_module(name)
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not found.name.endswith(("embedded", "imap_protocol")):
                yield importlib.import_module(found.name)
    yield from map(importlib.import_module, SINGLE)


@cache
def uses() -> dict[str, frozenset[str]]:
    """By the last word before the dot: the methods that are called on it anywhere."""
    sources = Path(str(judge.__file__)).parent.rglob("*.py")
    found: dict[str, set[str]] = {}
    for path in sources:
        for word, method in USE.findall(path.read_text(encoding="utf-8")):
            found.setdefault(word, set()).add(method)
    return {word: frozenset(methods) for word, methods in found.items()}


def patterns_in(value: object, name: str) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Those in a value, with the word that they are called by."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from patterns_in(each, name)
    elif isinstance(value, dict):
        yield from patterns_in(list(value.values()), name)
    elif not isinstance(value, type):
        is_ours = type(value).__module__.startswith("judge.")
        names = tuple(getattr(value, "__dict__", ())) if is_ours else ()
        if isinstance(value, msgspec.Struct):
            names = value.__struct_fields__
        elif is_dataclass(value):
            names = tuple(field.name for field in fields(value))
        for inner in names:
            yield from patterns_in(getattr(value, inner, None), inner)


def all_patterns() -> Iterator[Tried]:
    for word, pattern in patterns_in(lexicon(load_variant("standard")), "lexicon"):
        methods = uses().get(word, frozenset({"search"}))
        yield Tried(f"lexicon {word}", pattern, methods, LENGTH * TIMES)
    for module in modules():
        place = module.__name__
        for name, value in vars(module).items():
            held: object = value
            is_value = not isinstance(value, re.Pattern)
            if is_value and getattr(value, "__module__", place) != place:
                continue
            if hasattr(value, "cache_info") and not signature(value).parameters:
                held = value()
            for word, pattern in patterns_in(held, name):
                longest = LONGEST.get(f"{place}.{name}", LONGEST.get(place, LENGTH * TIMES))
                # What is called in a way that nobody sees may search.
                methods = uses().get(word, frozenset({"search"}))
                yield Tried(f"{place}.{name} {word}", pattern, methods, longest)
        for node in ast.walk(ast.parse(getsource(module))):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=method),
                    args=[ast.Constant(value=str() | bytes() as text), *_],
                ) if method in METHODS:
                    longest = LONGEST.get(place, LENGTH * TIMES)
                    yield Tried(f"{place} {text!r}", re.compile(text), frozenset({method}), longest)


def letters_of(pattern: re.Pattern[Any]) -> list[str]:
    """Letters that the pattern takes, one of each kind."""
    found: dict[str, None] = {}

    def add(node: Any) -> None:
        kind, value = node
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL):
            found.setdefault(chr(value))
        elif kind is kinds.RANGE:
            found.setdefault(chr(value[0]))
        elif kind is kinds.CATEGORY:
            found.setdefault({"DIGIT": "1", "SPACE": " ", "WORD": "a"}.get(str(value)[9:], "."))
        elif kind is kinds.ANY:
            found.setdefault("x")
        elif isinstance(value, tuple | list | parser.SubPattern):
            walk(value)

    def walk(inner: Any) -> None:
        for each in inner:
            if isinstance(each, tuple) and len(each) == 2 and str(each[0]).isupper():
                add(each)
            elif isinstance(each, tuple | list | parser.SubPattern):
                walk(each)

    walk(parser.parse(pattern.pattern, pattern.flags))
    step = max(len(found) // MOST_LETTERS, 1)
    return [*list(found)[::step][:MOST_LETTERS], " "]


def texts_of(letters: list[str], length: int) -> Iterator[str]:
    for one, other in product(letters, letters):
        yield (one + other) * (length // 2)
        if one != other:
            yield one + other * length + "\0"


def seconds(tried: Tried, method: str, text: str) -> float:
    data: Any = text
    if isinstance(tried.pattern.pattern, bytes):
        data = text.encode("utf-8", "replace")
    call = getattr(tried.pattern, method)
    begun = process_time()
    found = call(type(data)(), data) if method == "sub" else call(data)
    if method == "finditer":
        for _ in found:
            pass
    return process_time() - begun


@pytest.mark.timeout(120)
def test_no_pattern_takes_more_than_linear_time() -> None:
    slow = []
    tried_count = 0
    for tried in all_patterns():
        if tried.name.startswith(NO_LETTERS):
            continue
        tried_count += 1
        length = min(tried.longest, LENGTH * TIMES) // TIMES
        letters = letters_of(tried.pattern)
        for short, long in zip(
            texts_of(letters, length), texts_of(letters, length * TIMES), strict=True
        ):
            for method in sorted(tried.methods):
                if seconds(tried, method, long) < NOTICEABLE:
                    continue
                took = min(seconds(tried, method, long) for _ in range(3))
                before = min(seconds(tried, method, short) for _ in range(5))
                if took > NOTICEABLE and took > MOST_GROWTH * before:
                    slow.append((tried.name, method, short[:8], round(took / before)))
                    break
    assert tried_count > 150
    assert not slow
