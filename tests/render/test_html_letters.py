"""The HTML of every kind of letter in every language: sound, whole, safe, and fit for programs."""

import re
import unicodedata
from html.parser import HTMLParser
from inspect import getsource
from typing import get_args

import css_inline
import pytest
from msgspec.structs import replace

from judge.blocks import Block, PicturePlace
from judge.data import read_text
from judge.host.messages.press import PressReceived
from judge.mail.markup import read_html
from judge.render import RenderedLetter, Reply, Shown, html_letter, layout, render_letter
from judge.render.catalogue import languages
from judge.render.html_letter import LARGEST
from tests.render import samples as s
from tests.render.kinds import COMPLETE, LETTERS, RESULTS

NARROW = 320  # px, of the narrowest phone
EVERY = [(language, name) for language in languages() for name in LETTERS]
EVIL = "<script>alert(1)</script> & <b>bold</b> \"'{{ 7 * 7 }} {% raw %}"
VOID = {"meta", "br", "img"}


class Page(HTMLParser):
    """Checks that every element is closed in order, and keeps what is shown."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.shown: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.shown += [dict(attrs).get("alt") or ""] if tag == "img" else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "body" in self.open and data.strip():
            self.shown.append(data.strip())


def rendered(language: str, name: str) -> RenderedLetter:
    messages, zone = LETTERS[name]
    return render_letter(messages, language=language, zone=zone, judge_name="Judge", kind="results")


def html_of(letter: RenderedLetter) -> str:
    assert letter.html is not None
    return letter.html


def key(text: str) -> str:
    """Letters and digits: what both versions of a letter must share."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_every_letter_is_sound_and_whole(language: str, name: str) -> None:
    letter = rendered(language, name)
    html = html_of(letter)
    page = Page(html)
    assert len(html.encode()) <= LARGEST
    assert dict(page.tags[0][1])["lang"] == language.replace("_", "-")
    # A notification shows what comes first: the verdict, as in the plain text.
    assert page.shown[0] == letter.text.split("\n")[0]
    shown = "".join(page.shown)
    assert key(shown) == key(letter.text)


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_no_letter_asks_for_anything_remote(language: str, name: str) -> None:
    html = html_of(rendered(language, name))
    page = Page(html)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "iframe", "form", "svg", "base"}
    for tag, attributes in page.tags:
        assert not {one for one in attributes if one.startswith("on")}
        for field in ("src", "href", "background"):
            assert (attributes.get(field) or "mailto:").startswith(("mailto:", "cid:")), tag
    assert not re.search(r"url\(|@import|expression\(", html)


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_every_element_carries_its_own_style(language: str, name: str) -> None:
    for tag, attributes in Page(html_of(rendered(language, name))).tags:
        assert not attributes.get("class") or attributes.get("style"), (tag, attributes)


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_a_program_for_css_would_write_the_same_letter(language: str, name: str) -> None:
    """A letter with the style that `letter.css` gives each element, parsed and written anew as the
    HTML standard says."""
    html = html_of(rendered(language, name))
    inliner = css_inline.CSSInliner(
        inline_style_tags=False,
        keep_style_tags=True,
        load_remote_stylesheets=False,
        extra_css=read_text("render", "templates", "letter.css"),
    )
    assert in_order(inliner.inline(re.sub(' style="[^"]*"', "", html))) == in_order(html)


def in_order(html: str) -> str:
    """With the attributes of each element in one order: the inliner's changes from run to run."""
    return re.sub(r"<\w+((?: [a-z-]+=\"[^\"]*\")+)", lambda tag: _sorted(tag[0]), html)


def _sorted(tag: str) -> str:
    name, *attributes = re.split(r' (?=[a-z-]+=")', tag)
    return " ".join([name, *sorted(attributes)])


@pytest.mark.parametrize(("language", "name"), EVERY)
def test_no_letter_is_wider_than_a_phone(language: str, name: str) -> None:
    """Sheets, tables and pictures have a share of the screen, whatever they are at most."""
    page = Page(html_of(rendered(language, name)))
    for tag, attributes in page.tags:
        style = dict(attributes).get("style") or ""
        fixed = re.findall(r"(?:^|[;\s])(?:min-)?width:\s*(\d+)px", style)
        assert all(int(one) <= NARROW for one in fixed), (tag, style)
        if tag == "img":
            assert "width: 100%" in style


def test_every_kind_of_block_is_written_and_drawn() -> None:
    kinds = set(get_args(Block)) - {str, PicturePlace}  # pictures stand in its place
    assert kinds == set(layout.WRITERS) == set(html_letter.WRITERS)


def test_every_class_of_the_sheet_is_used() -> None:
    template = read_text("render", "templates", "letter.html") + getsource(html_letter)
    for file in ("letter.css", "screens.css"):
        rules = re.sub(
            r"/\*.*?\*/|\{[^{}]*\}", "{}", read_text("render", "templates", file), flags=re.S
        )
        classes = set(re.findall(r"\.([a-zA-Z_]+)", rules))
        unused = {one for one in classes if not re.search(rf"\b{one}\b", template)}
        assert unused <= set(languages())


@pytest.mark.parametrize("language", languages())
def test_what_strangers_write_stays_text(language: str) -> None:
    message = PressReceived(s.game(), "ENGLAND", ("FRANCE",), False, EVIL)
    letter = render_letter(
        [message], language=language, zone="UTC", judge_name="<i>J</i>", kind="press"
    )
    page = Page(html_of(letter))
    assert not {tag for tag, _ in page.tags} & {"script", "b", "i"}
    assert EVIL in page.shown


def test_press_keeps_its_lines_and_spaces() -> None:
    text = "Dear Ann,\n\n   A PAR - BUR\n\tyes  or  no?\nשלום"
    message = PressReceived(s.game(), "ENGLAND", ("FRANCE",), False, text)
    html = html_of(
        render_letter([message], language="en", zone="UTC", judge_name="Judge", kind="press")
    )
    written = re.search(r'<td class="written"[^>]*dir="auto"[^>]*>(.*?)</td>', html)
    assert written is not None
    lines = written[1].replace("&nbsp;", "\u00a0").split("<br>")
    assert [re.sub("\u00a0", " ", line) for line in lines] == text.replace("\t", "    ").split("\n")
    assert lines[2].startswith("\u00a0\u00a0")


def test_a_word_without_end_is_broken_and_not_scrolled() -> None:
    message = PressReceived(s.game(), "ENGLAND", ("FRANCE",), False, "x" * 3000)
    html = html_of(
        render_letter([message], language="en", zone="UTC", judge_name="Judge", kind="press")
    )
    assert "overflow-wrap: break-word" in html


def test_a_letter_that_no_program_would_show_whole_is_plain() -> None:
    message = PressReceived(s.game(), "ENGLAND", ("FRANCE",), False, "word\n" * 20_000)
    letter = render_letter([message], language="en", zone="UTC", judge_name="Judge", kind="press")
    assert letter.html is None


def test_html_is_made_for_a_letter_that_carries_it_and_once() -> None:
    told = {"language": "en", "zone": "UTC", "judge_name": "Judge", "kind": "results"}
    plain = render_letter([RESULTS], **told, is_plain=True)
    waiting = render_letter([RESULTS], **told, shown=lambda _: Shown.LATER)
    assert (plain.html, waiting.html, waiting.waits) == (None, None, True)
    assert plain.text == render_letter([RESULTS], **told).text


@pytest.mark.parametrize("language", languages())
def test_no_order_is_broken_at_the_end_of_a_line(language: str) -> None:
    letter = render_letter(
        [RESULTS], language=language, zone="UTC", judge_name="Judge", kind="results"
    )
    span = r'<span class="whole" style="white-space: ?nowrap;?">([^<]*)<'
    kept = re.findall(span, html_of(letter))
    assert {"F EDI - NWG", "A BEL S A MUN - BUR", "A BUD"} <= set(kept)
    # In reasons too, where a letter of another script may stand behind it: `A MUN - BUR에`.
    others = re.sub(span, "", html_of(letter))
    assert re.findall("A MUN - BUR|F NTH|A UKR|A WAR", others) == []


def test_failed_orders_are_told_by_words_and_color() -> None:
    letter = render_letter([RESULTS], language="en", zone="UTC", judge_name="Judge", kind="results")
    rows = re.findall(r'<td class="row( \w+)?"[^>]*>(.*?)</td>', html_of(letter), re.DOTALL)
    told = {(mark.strip(), "failed" in text) for mark, text in rows if mark}
    assert told == {("failed", True), ("worked", False)}


@pytest.mark.parametrize("language", languages())
def test_a_quoted_letter_reads_in_the_order_of_its_plain_text(language: str) -> None:
    letter = rendered(language, "results_dislodged")
    plain = re.sub(r"^\[.*\]$", "", letter.text, flags=re.M)  # what the map shows
    assert key(read_html(html_of(letter)).text) == key(plain)
    assert read_html(html_of(letter)).hidden == ""


@pytest.mark.parametrize(
    ("due", "is_offered"),
    [
        ({}, True),
        ({"may_wait": False}, False),  # the game's settings let nobody ask for it
        ({"held": True}, False),
        ({"waits": True}, False),
        ({"in_grace": True}, False),
        ({"early": None}, False),
    ],
)
def test_the_link_that_sends_wait_stands_where_the_sentences_offer_it(
    due: dict[str, object], is_offered: bool
) -> None:
    letter = render_letter(
        [replace(COMPLETE, due=s.due(**due))],
        language="en",
        zone="UTC",
        judge_name="Judge",
        kind="answer",
        reply=Reply("judge@example.org"),
    )
    assert ("body=WAIT" in html_of(letter), "Reply WAIT" in letter.text) == (is_offered,) * 2
