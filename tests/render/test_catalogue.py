"""No sentence outside the catalogue, and no catalogue behind the sentences."""

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import judge
from judge.diplomacy.outcomes import DisbandReason, VoidReason
from judge.diplomacy.reasons import ReasonKind
from judge.diplomacy.records import NoteKind, ReadingKind
from judge.host.messages.command_answers import Deed
from judge.host.messages.game_events import MoveReason
from judge.host.messages.refusals import RefusalKind
from judge.render.catalogue import N_, SOURCE_LANGUAGE, catalogue, languages
from judge.render.diplomacy import SENTENCES as HOSTED
from judge.render.diplomacy.problems import SENTENCES as PROBLEMS
from judge.render.diplomacy.reasons import SENTENCES as REASONS
from judge.render.joining import SENTENCES as JOINING
from judge.render.notices import SENTENCES as NOTICES
from judge.render.particles import CHOICES
from judge.render.refusals import REFUSALS
from judge.rulebook import Occasion

PACKAGE = Path(judge.__file__).parent
KEYWORDS = {
    "say": None,
    "count": (1, 2),
    "N_": None,
}
WORDS_OF_A_SENTENCE = 3
# What goes to the log or to a programmer, never into a letter.
NOT_FOR_PEOPLE = {"info", "warning", "error", "debug", "exception"}


@cache
def messages_in_code() -> set[str | tuple[str, ...]]:
    found = [
        message
        for room in ("diplomacy", "host", "render", "locale/en")
        for _, _, message, _, _ in extract_from_dir(
            str(PACKAGE / room),
            [("**.py", "python"), ("**.toml", "judge.render.catalogue:extract")],
            keywords=KEYWORDS,  # type: ignore[arg-type]
        )
    ]
    return {message for message in found if message}


def test_template_holds_exactly_the_messages_of_the_code() -> None:
    with (PACKAGE / "locale" / "judge.pot").open("rb") as file:
        kept = {message.id for message in read_po(file) if message.id}
    missing, unused = messages_in_code() - kept, kept - messages_in_code()
    assert (missing, unused) == (set(), set()), "renew it: see judge/render/catalogue.py"


def test_the_tables_of_sentences_hold_every_kind_and_no_other() -> None:
    assert set(PROBLEMS.problems) == {*ReadingKind, *VoidReason}
    assert set(PROBLEMS.bare) <= set(PROBLEMS.problems)
    assert set(PROBLEMS.notes) == set(NoteKind)
    assert set(PROBLEMS.without_order) <= set(PROBLEMS.notes)
    assert set(REASONS.failed) | {ReasonKind.CONVOY_BROKEN} == set(ReasonKind)
    assert set(REASONS.disbanded) == set(DisbandReason)
    assert set(HOSTED.occasions) == set(Occasion)
    assert set(REFUSALS) == set(RefusalKind)
    assert set(NOTICES.moved) == set(MoveReason)
    assert set(JOINING.deeds) == set(Deed)


# --- the other languages --------------------------------------------------------------------------

OTHERS = [language for language in languages() if language != SOURCE_LANGUAGE]
# What stands alike in every language: subjects, dates, and lines that people write.
ALIKE = {
    "[{judge}] {game} {phase} {what}",
    "[{judge}] {game} {what}",
    "[{judge}] {what}",
    "EEE HH:mm",
    "{when} UTC",
    "{unit} - {target}",
    "{unit} - TSR - {target}",
    "SC {unit} - {target}",
    "SC {power} {unit} - {target}",
}


@cache
def book(language: str) -> Catalog:
    path = PACKAGE / "locale" / language / "LC_MESSAGES" / "judge.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def messages(language: str) -> list[Message]:
    return [message for message in book(language) if message.id]


def texts(text: object) -> tuple[str, ...]:
    """The forms of a message or of its translation."""
    return (text,) if isinstance(text, str) else tuple(text)  # type: ignore[arg-type]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_says_everything_and_nothing_else(language: str) -> None:
    translated = {message.id for message in messages(language)}
    missing, unused = messages_in_code() - translated, translated - messages_in_code()
    assert (missing, unused) == (set(), set())
    empty = [one.id for one in messages(language) if not all(texts(one.string))]
    unsure = [one.id for one in messages(language) if one.fuzzy]
    assert (empty, unsure) == ([], [])


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_places_of_its_message(language: str) -> None:
    """A sentence for one may leave out the number, as `게임이 하나 있습니다` does."""
    wrong = []
    for message in messages(language):
        *of_one, general = texts(message.string)
        if places(general) != places(texts(message.id)[-1]):
            wrong.append(message.id)
        for form in of_one:
            allowed = [places(text) | {"n"} for text in texts(message.id)]
            if places(form) | {"n"} not in allowed:
                wrong.append(message.id)
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_plural_forms_that_it_announces(language: str) -> None:
    forms = book(language).num_plurals
    wrong = [
        message.id
        for message in messages(language)
        if len(texts(message.string)) != (forms if message.pluralizable else 1)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_is_one(language: str) -> None:
    """A message of letters is not left in English; one of places and marks alone may be."""
    same = {
        message.id
        for message in messages(language)
        if isinstance(message.id, str) and message.string == message.id
        if any(text.isalpha() for text in _between_places(message.id))
    }
    assert same - ALIKE == set()


def _between_places(message: str) -> str:
    return "".join(literal for literal, _, _, _ in Formatter().parse(message))


@pytest.mark.parametrize("language", OTHERS)
def test_a_letters_own_lines_stay_as_many(language: str) -> None:
    wrong = [
        message.id
        for message in messages(language)
        for form in texts(message.string)
        if form.count("\n") != texts(message.id)[0].count("\n") or form != form.strip()
    ]
    assert wrong == []


@pytest.mark.parametrize("language", OTHERS)
def test_particles_with_both_forms_stand_behind_a_place_in_korean_alone(language: str) -> None:
    """What stands behind a fixed word is known, so there its one form is written."""
    both = [
        message.string
        for message in messages(language)
        for form in texts(message.string)
        if any(choice in form for choice in CHOICES)
        and (language != "ko" or not places(form) or any(_before(form, one) for one in CHOICES))
    ]
    assert both == []


def _before(form: str, choice: str) -> bool:
    """Whether a letter of the sentence itself stands before a particle of two forms."""
    return any(part[-1:].isalnum() for part in form.split(choice)[:-1])


# A particle that follows the sound before it, behind a place and the marks that close it. A per
# cent sign is read 퍼센트, whatever stands before it; 입니다 has one form.
ONE_FORM = re.compile(
    r"\}[^\w\s({%]*(?:[을를은는이가과와여]|으로|로|으로?도|이?라[고는]|이?며|이?나|이었\w*)"
    r"(?![\w(])"
)


def test_a_particle_behind_a_place_has_both_forms() -> None:
    """`"차단 해제 {name}"으로` is wrong for Bert: `(으)로` is filled with the fitting one."""
    fixed = [
        form
        for message in messages("ko")
        for form in texts(message.string)
        if ONE_FORM.search(form)
    ]
    assert fixed == []


@pytest.mark.parametrize("form", ['"{x}"으로', "{x}이라고", "{x}는 A", "{x}).를", "{x}이었습니다."])
def test_the_search_for_particles_finds_those_of_one_form(form: str) -> None:
    assert ONE_FORM.search(form)


@pytest.mark.parametrize("form", ['"{x}"(으)로', "{x}(이)라고", "{x}입니다", "{x}에서", "{x}%를"])
def test_the_search_for_particles_leaves_the_others(form: str) -> None:
    assert not ONE_FORM.search(form)


# --- the code -------------------------------------------------------------------------------------


# English in every letter: its lines are what other programs read.
CLASSIC = PACKAGE / "render" / "diplomacy" / "classic.py"


def sources() -> list[Path]:
    rooms = [*sorted((PACKAGE / "render").rglob("*.py")), *sorted((PACKAGE / "host").rglob("*.py"))]
    return [path for path in rooms if path != CLASSIC]


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_sentence_goes_through_the_catalogue(path: Path) -> None:
    nodes = nodes_of(path)
    allowed = {id(node) for holder in nodes for node in _allowed_strings(holder)}
    strays = [
        f"{node.lineno}: {node.value}"
        for node in nodes
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
        for node in nodes_of(path)
        if isinstance(node, ast.JoinedStr)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Call) and _called(inner) in KEYWORDS
    ]
    assert hidden == []


def _called(call: ast.Call) -> str:
    name: str = getattr(call.func, "id", getattr(call.func, "attr", ""))
    return name


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
        name = _called(node)
        if name in KEYWORDS or name in NOT_FOR_PEOPLE:
            # Values of a message are looked at on their own, for they are no message.
            return [inner for each in node.args for inner in ast.walk(each)]
    return []


def test_the_search_for_sentences_finds_one() -> None:
    tree = ast.parse('text = "this is no message"; words.say("but this is one")')
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
    assert words.say("Game {game}.", game="balkan") == "Game balkan."
    assert languages()[0] == "en"


def test_numbers_choose_their_form() -> None:
    words = catalogue("en")
    assert words.count("{n} center", "{n} centers", 1) == "1 center"
    assert words.count("{n} center", "{n} centers", 0) == "0 centers"


def test_braces_of_players_are_left_alone() -> None:
    assert catalogue("en").say("Game {game}.", game="{0} {x}") == "Game {0} {x}."


def test_marking_changes_nothing() -> None:
    assert N_("Known: {known}.") == "Known: {known}."
