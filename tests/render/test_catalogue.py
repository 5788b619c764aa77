"""No sentence outside the catalogue, and no catalogue behind the sentences."""

import ast
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import judge
from judge.render.catalogue import N_, catalogue, count, languages, say

PACKAGE = Path(judge.__file__).parent
KEYWORDS = {
    "say": (2,),
    "count": (2, 3),
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
}
WORDS_OF_A_SENTENCE = 3
# What goes to the log or to a programmer, never into a letter.
NOT_FOR_PEOPLE = {"info", "warning", "error", "debug", "exception"}


def messages_in_code() -> set[str | tuple[str, ...]]:
    found = [
        message
        for room in ("host", "render")
        for _, _, message, _, _ in extract_from_dir(
            str(PACKAGE / room),
            [("**.py", "python")],
            keywords=KEYWORDS,  # type: ignore[arg-type]
        )
    ]
    return {message for message in found if message}


def test_template_holds_exactly_the_messages_of_the_code() -> None:
    with (PACKAGE / "locale" / "judge.pot").open("rb") as file:
        kept = {message.id for message in read_po(file) if message.id}
    missing, unused = messages_in_code() - kept, kept - messages_in_code()
    assert (missing, unused) == (set(), set()), "renew it: see judge/render/catalogue.py"


def sources() -> list[Path]:
    return [*sorted((PACKAGE / "render").rglob("*.py")), *sorted((PACKAGE / "host").rglob("*.py"))]


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_sentence_goes_through_the_catalogue(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    allowed = {id(node) for holder in ast.walk(tree) for node in _allowed_strings(holder)}
    strays = [
        f"{node.lineno}: {node.value}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in allowed
        and _is_sentence(node.value)
    ]
    assert strays == []


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_message_hides_within_a_formatted_string(path: Path) -> None:
    # Before Python 3.12 these are one token, in which the extraction finds no message.
    hidden = [
        inner.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and getattr(inner.func, "id", "") in KEYWORDS
    ]
    assert hidden == []


def _is_sentence(text: str) -> bool:
    """Three words of letters or more, one of them in lower case: `A PAR - BUR` is none."""
    words = [word for word in text.split() if word.strip(".,:;!?()\"'").isalpha()]
    return len(words) >= WORDS_OF_A_SENTENCE and any(word.islower() for word in words)


def _allowed_strings(node: ast.AST) -> list[ast.AST]:
    """Strings under a catalogue call, a log call, a raise or an assert; and docstrings."""
    if isinstance(node, ast.Raise | ast.Assert):
        return list(ast.walk(node))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return [node.value]
    if isinstance(node, ast.Call):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in KEYWORDS or name in NOT_FOR_PEOPLE:
            # Values of a message are looked at on their own, for they are no message.
            return [inner for each in node.args for inner in ast.walk(each)]
        if name == "Command":
            # Its grammar and its example are lines of the command language, the same everywhere.
            return [node.args[2], node.args[4]]
    return []


def test_the_search_for_sentences_finds_one() -> None:
    tree = ast.parse('text = "this is no message"; say(words, "but this is one")')
    allowed = {id(node) for holder in ast.walk(tree) for node in _allowed_strings(holder)}
    found = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and id(node) not in allowed and _is_sentence(node.value)
    ]
    assert found == ["this is no message"]


def test_english_is_said_where_a_language_is_missing() -> None:
    words = catalogue("tlh")
    assert words.language == "en"
    assert say(words, "Game {game}.", game="balkan") == "Game balkan."
    assert languages()[0] == "en"


def test_numbers_choose_their_form() -> None:
    words = catalogue("en")
    assert count(words, "{n} center", "{n} centers", 1) == "1 center"
    assert count(words, "{n} center", "{n} centers", 0) == "0 centers"


def test_braces_of_players_are_left_alone() -> None:
    assert say(catalogue("en"), "Game {game}.", game="{0} {x}") == "Game {0} {x}."


def test_marking_changes_nothing() -> None:
    assert N_("Known: {known}.") == "Known: {known}."
