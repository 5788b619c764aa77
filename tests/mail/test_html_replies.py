"""Replies that quote a letter's HTML: programs make their own text of it, or send it back whole."""

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from judge.mail import compose, read_letter
from judge.render import Reply, render_letter
from tests.mail.reply_structures.structures import OWN_ADDRESSES, RECEIVED, WHO, structures
from tests.mail.test_composing import LETTER
from tests.render.kinds import LETTERS

ADDRESS = "judge+abcdefghijklmnop@judge.example"
LANGUAGES = ("en", "ko", "ja", "zh_Hant")
NAMES = (
    *("results_dislodged", "orders_faulty", "orders_complete", "draw_proposed", "press", "started"),
    *("press_like_ours", "join_asked"),
)
# The reader's own lines: one that the letter proposes too, one that it does not, and a word.
OWN = ("A BUR R PAR", "A PAR - GAS\nF BRE - ENG", "YES")
# What programs put above the letter, marked or not; and programs that put nothing there.
PROGRAMS = (
    "gmail-above", "gmail-between", "gmail-below", "apple-above", "apple-unmarked", "outlook",
    "outlook-divider", "outlook-rule", "divider", "thunderbird-above", "phone", "begins",
)  # fmt: skip
BLOCKS = ("p", "div", "h1", "h2", "h3", "tr", "table", "br")


class Text(HTMLParser):
    """The text that a program makes of a letter: how it shows cells, links and bold words."""

    def __init__(self, page: str, *, cell: str, link: str, bold: str) -> None:
        super().__init__()
        self.cell, self.link, self.bold = cell, link, bold
        self.lines = [""]
        self.href, self.is_head = "", False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.is_head = self.is_head or tag == "head"
        if tag in BLOCKS:
            self.lines.append("")
        self.href = dict(attrs).get("href") or self.href
        self.lines[-1] += self.bold if tag in ("h1", "h2", "h3") else ""

    def handle_endtag(self, tag: str) -> None:
        self.is_head = self.is_head and tag != "head"
        if tag == "a":
            self.lines[-1] += self.link.format(self.href)
        self.lines[-1] += self.bold if tag in ("h1", "h2", "h3") else ""
        if tag in BLOCKS:
            self.lines.append("")
        if tag in ("td", "th"):
            self.lines[-1] += self.cell

    def handle_data(self, data: str) -> None:
        if not self.is_head:
            self.lines[-1] += re.sub(r"\s+", " ", data)

    def text(self) -> str:
        return re.sub(
            r"\n{3,}",
            "\n\n",
            "\n".join(map(str.strip, "".join(f"{line}\n" for line in self.lines).split("\n"))),
        ).strip()


MAKERS = {
    "gmail": {"cell": "\n", "link": "\n<{}>", "bold": "*"},
    "outlook": {"cell": "\t", "link": "<{}>", "bold": ""},
    "apple": {"cell": "\n\n", "link": "", "bold": ""},
    "naver": {"cell": " ", "link": " [{}]", "bold": ""},
    "thunderbird": {"cell": " ", "link": " <{}>", "bold": "*"},
}


@cache
def sent(language: str, name: str) -> tuple[str, str, bytes]:
    """A letter of ours: its plain text, its HTML, and the bytes that were sent."""
    messages, zone = LETTERS[name]
    answers = ("YES", "NO") if name == "draw_proposed" else ()
    made = render_letter(
        messages,
        language=language,
        zone=zone,
        judge_name=WHO,
        kind="results",
        reply=Reply(ADDRESS, answers),
    )
    assert made.html is not None
    return made.text, made.html, compose(replace(LETTER, text=made.text, html=made.html))


def read(text: str, answered: bytes, kind: str = "plain") -> list[str]:
    """The lines that are read of a reply."""
    raw = (
        f"From: Ann <ann@mail.example>\r\nTo: {ADDRESS}\r\nSubject: Re: [judge] balkan\r\n"
        "Message-ID: <one@mail.example>\r\nIn-Reply-To: <abcdefghijklmnop@judge.example>\r\n"
        f"Content-Type: text/{kind}; charset=utf-8\r\n\r\n{text}"
    ).encode()
    letter = read_letter(
        raw, RECEIVED, own_addresses=OWN_ADDRESSES, own_name=WHO, sent=lambda _: (answered,)
    )
    return [line.strip() for line in letter.body.split("\n") if line.strip()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("maker", MAKERS)
def test_a_quoted_page_is_cut_whatever_text_is_made_of_it(
    language: str, name: str, maker: str
) -> None:
    _, page, answered = sent(language, name)
    quoted = Text(page, **MAKERS[maker]).text()
    builds = {one.name: one.build for one in structures() if not one.is_html}
    for program in PROGRAMS:
        build = builds[f"{language}-{program}"]
        for own in OWN:
            assert read(build(own, quoted), answered) == own.split("\n"), program


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("maker", MAKERS)
def test_a_page_that_nothing_introduces_is_known_again(
    language: str, name: str, maker: str
) -> None:
    _, page, answered = sent(language, name)
    quoted = Text(page, **MAKERS[maker]).text()
    for own in OWN:
        assert read(f"{own}\n\n{quoted}\n", answered) == own.split("\n")


FROM = "Judge &lt;judge@judge.example&gt;"
PAGES = {
    "gmail": """<div dir="ltr">{own}</div><br><div class="gmail_quote">
<div dir="ltr" class="gmail_attr">On Thu, Dec 3, 2026 {who} wrote:<br></div>
<blockquote class="gmail_quote" style="margin:0;border-left:1px solid">{page}</blockquote></div>""",
    "outlook": """<div>{own}</div><hr><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Judge</div>
{page}""",
    "outlook for windows": """<p class="MsoNormal">{own}</p>
<div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Judge</p></div>{page}""",
    "apple": """<div>{own}</div>
<blockquote type="cite"><div>On 3 Dec 2026, Judge wrote:</div></blockquote>
<blockquote type="cite"><div>{page}</div></blockquote>""",
    "naver": """<div>{own}</div><p>-----Original Message-----</p><p><b>From:</b> {who}</p>
<p><b>To:</b> ann@mail.example</p><p><b>Sent:</b> 2026-12-03</p>
<p><b>Subject:</b> [judge] balkan</p>{page}""",
    "qq": """<div>{own}</div><div><br></div>
<div>------------------&nbsp;原始邮件&nbsp;------------------</div>
<div><b>发件人:</b> {who};</div><div><b>发送时间:</b> 2026年12月3日</div>
<div><b>收件人:</b> "Ann";</div><div><b>主题:</b> [judge] balkan</div>{page}""",
    "yahoo japan": """<div>{own}</div><div>----- Original Message -----</div>
<div>From: {who}</div><div>To: ann@mail.example</div><div>Date: 2026/12/3</div>{page}""",
    "nothing above it": "<div>{own}</div><br>{page}",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("program", PAGES)
def test_a_page_that_comes_back_is_cut(language: str, name: str, program: str) -> None:
    _, page, answered = sent(language, name)
    inner = re.sub(r"(?s)^.*?<body[^>]*>|</body>.*$|<!--.*?-->", "", page)
    for own in OWN:
        shown = own.replace("\n", "<br>")
        whole = (
            f"<html><body>{PAGES[program].format(own=shown, page=inner, who=FROM)}</body></html>"
        )
        assert read(whole, answered, "html") == own.split("\n")
