"""MIME, charsets, format=flowed and HTML become plain text."""

import base64
from email.message import EmailMessage

import pytest

from judge.mail import Letter, LetterKind
from judge.mail.markup import read_html
from judge.mail.mime import unflow
from tests.mail.samples import letter, read

KOREAN = "육군, 파리 - 버건디 똠"  # 똠 stands in cp949 only, not in EUC-KR
HEAD = b"From: anna@example.test\r\nSubject: x\r\n"


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        ("utf-8", "utf-8", KOREAN),
        ("UTF8", "utf-8", KOREAN),
        ('"utf-8"', "utf-8", KOREAN),
        ("euc-kr", "cp949", KOREAN),
        ("ks_c_5601-1987", "cp949", KOREAN),
        ("cp949", "cp949", KOREAN),
        ("iso-2022-jp", "iso2022_jp", "陸軍 パリ"),
        ("shift_jis", "cp932", "陸軍 パリ ①"),
        ("euc-jp", "euc_jp", "陸軍 パリ"),
        ("big5", "big5hkscs", "陸軍 巴黎"),
        ("gb2312", "gb18030", "陸軍 巴黎"),
        ("gb18030", "gb18030", "陸軍 巴黎"),
        ("iso-8859-1", "cp1252", "A PAR – BUR “now”"),
        ("windows-1252", "cp1252", "A PAR – BUR"),
        ("us-ascii", "utf-8", "A PAR – BUR"),
        ("", "utf-8", KOREAN),
        ("x-klingon", "utf-8", KOREAN),
    ],
)
@pytest.mark.parametrize("encoding", ["8bit", "base64", "quoted-printable"])
def test_charsets_are_read_as_they_are_sent(
    charset: str, codec: str, text: str, encoding: str
) -> None:
    raw = text.encode(codec)
    if encoding == "base64":
        raw = base64.encodebytes(raw)
    elif encoding == "quoted-printable":
        raw = "".join(f"={one:02X}" for one in raw).encode()
    head = f"Content-Type: text/plain; charset={charset}\r\nContent-Transfer-Encoding: {encoding}"
    assert read(HEAD + head.encode() + b"\r\n\r\n" + raw).body == text


def test_bytes_that_fit_no_charset_are_replaced_and_the_rest_is_read() -> None:
    raw = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\nA PAR - BUR\r\n\xff\xfe"
    found = read(raw)
    assert found.disposition is LetterKind.ANSWER
    assert found.body.splitlines() == ["A PAR - BUR", "\ufffd\ufffd"]


def test_flowed_lines_are_joined_but_quotes_and_signatures_are_not() -> None:
    long = "I will move to Burgundy if you let me have Belgium, "
    text = f"{long}\n{long}\nagreed?\n stuffed\n> {long}\n> more\n-- \n{long}\nBerg"
    assert unflow(text).split("\n") == [
        f"{long}{long}agreed?",
        "stuffed",
        f"> {long}",
        "> more",
        "-- ",
        f"{long}Berg",
    ]
    assert unflow(f"{'東京' * 12} \n都", delete_space=True) == f"{'東京' * 12}都"


def test_an_order_that_ends_in_a_space_does_not_swallow_the_next() -> None:
    assert unflow("A PAR - BUR \nA MAR - SPA ") == "A PAR - BUR \nA MAR - SPA "


def test_only_a_flowed_letter_is_unflowed() -> None:
    body = "Army Marseilles supports the army in Paris to \nBurgundy"
    flowed = letter(body, Content_Type='text/plain; charset="utf-8"; Format="Flowed"')
    assert read(flowed).body == body.replace("\n", "")
    assert read(letter(body)).body == body


def message(kind: str, *parts: EmailMessage) -> bytes:
    whole = EmailMessage()
    whole["From"] = "anna@example.test"
    whole["Content-Type"] = f"multipart/{kind}"
    whole.set_payload(list(parts))
    return whole.as_bytes()


def part(text: str, subtype: str = "plain", *, filename: str = "") -> EmailMessage:
    made = EmailMessage()
    made.set_content(text, subtype=subtype)
    if filename:
        made["Content-Disposition"] = f'attachment; filename="{filename}"'
    return made


def data(name: str) -> EmailMessage:
    made = EmailMessage()
    made.set_content(b"\x78\x9f\x3e\x22", "application", "ms-tnef")
    made["Content-Disposition"] = f'inline; filename="{name}"'
    return made


def test_of_alternatives_the_plain_text_is_read() -> None:
    raw = message("alternative", part("<p>A MAR - SPA", "html"), part("A PAR - BUR\n"))
    assert read(raw).body == "A PAR - BUR"


def test_where_the_plain_alternative_is_blank_the_html_is_read() -> None:
    raw = message("alternative", part(" \n"), part("<p>A PAR - BUR</p>", "html"))
    assert read(raw).body == "A PAR - BUR"


def test_a_letter_split_at_its_pictures_is_read_whole() -> None:
    raw = message("mixed", part("A PAR - BUR\n"), data("image.png"), part("A MAR - SPA\n"))
    assert read(raw).body.split("\n\n") == ["A PAR - BUR", "A MAR - SPA"]


def test_an_html_letter_with_a_plain_footer_keeps_its_orders() -> None:
    raw = message("mixed", part("<p>A PAR - BUR", "html"), part("Scanned for viruses.\n"))
    assert read(raw).body.splitlines()[0] == "A PAR - BUR"


def test_attachments_and_winmail_are_left_out() -> None:
    raw = message(
        "mixed", part("A PAR - BUR\n"), data("winmail.dat"), part("A X - Y", filename="a.txt")
    )
    assert read(raw).body == "A PAR - BUR"


def test_a_forwarded_letter_inside_is_not_read() -> None:
    inner = EmailMessage()
    inner.set_content("A MAR - SPA")
    forwarded = EmailMessage()
    forwarded.set_content(inner)
    assert read(message("mixed", part("A PAR - BUR\n"), forwarded)).body == "A PAR - BUR"


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("A PAR<br>A MAR", ["A PAR", "A MAR"]),
        ("<div>A PAR</div><div>A MAR</div>", ["A PAR", "A MAR"]),
        ("<p>A PAR\n   - BUR&nbsp;&gt; x</p>", ["A PAR - BUR > x"]),
        ("<pre>A PAR\nA MAR</pre>", ["A PAR", "A MAR"]),
        ("<style>p {}</style><script>x</script><p>A<b>&nbsp;P</b>AR<!-- no -->", ["A PAR"]),
        ("<table><tr><td>A</td><td>PAR</td></tr><tr><td>F</td></tr></table>", ["A PAR", "F"]),
        ("육군<br/>함대", ["육군", "함대"]),
        ("", []),
    ],
)
def test_html_becomes_lines(html: str, lines: list[str]) -> None:
    assert read_html(html).text.splitlines() == lines


def html_letter(html: str) -> str:
    return letter(html, Content_Type="text/html; charset=utf-8")


def test_a_reply_below_an_html_quote_is_read() -> None:
    html = "<blockquote><p>A MAR - SPA</p>more</blockquote><p>A PAR - BUR</p>"
    found = read(html_letter(html))
    assert found.body == "A PAR - BUR"
    assert "> A MAR - SPA" in found.whole_body


def test_replies_between_html_quotes_are_read() -> None:
    html = (
        "<div>A PAR - BUR</div><div class=gmail_quote>"
        "<div class='gmail_attr'>On 5 Dec x wrote:</div>"
        "<blockquote>what about Spain?</blockquote><div>A MAR - SPA</div>"
        "<blockquote>A BRE - MAO</blockquote></div>"
    )
    lines = [line for line in read(html_letter(html)).body.splitlines() if line]
    assert lines == ["A PAR - BUR", "A MAR - SPA"]


def test_below_an_outlook_reply_header_all_is_quoted() -> None:
    html = (
        "<p>A PAR - BUR</p><hr><div id='divRplyFwdMsg'><b>From:</b> judge<br></div>"
        "<div>A MAR - SPA</div>"
    )
    assert read(html_letter(html)).body.strip() == "A PAR - BUR"


def test_all_below_the_mark_of_outlook_on_the_web_is_quoted() -> None:
    html = "<div>A PAR - BUR</div><div id='appendonsend'></div><div>A MAR - SPA</div>"
    assert read(html_letter(html)).body.strip() == "A PAR - BUR"


@pytest.mark.parametrize("style", ["margin: 0 0 0 40px; border: none; padding: 0px", "border:0"])
def test_an_indented_order_is_no_quote(style: str) -> None:
    html = f"<div>orders:</div><blockquote style='{style}'>A PAR - BUR</blockquote>"
    assert read(html_letter(html)).body.splitlines() == ["orders:", "A PAR - BUR"]
    cited = html.replace("<blockquote", "<blockquote type=cite")
    assert read(html_letter(cited)).body.splitlines() == ["orders:"]


def test_what_a_reader_does_not_see_is_not_read() -> None:
    html = "<div style='display:none'>A MAR - SPA</div><p>A PAR - BUR</p>"
    assert read(html_letter(html)).body == "A PAR - BUR"


def test_orders_that_are_attached_count_if_there_is_nothing_else() -> None:
    picture = data("image.png")
    raw = message("mixed", part("\n"), picture, part("A PAR - BUR\n", filename="orders.txt"))
    assert read(raw).body == "A PAR - BUR"


def test_a_boundary_in_pieces_is_put_together() -> None:
    head = b'Content-Type: multipart/mixed; boundary*0="be"; boundary*1="gin"\r\n\r\n'
    raw = HEAD + head + b"--begin\r\n\r\nA PAR - BUR\r\n--begin--\r\nno part"
    assert read(raw).body == "A PAR - BUR"


@pytest.mark.parametrize("kind", ["multipart/mixed", 'multipart/mixed; boundary="other"'])
def test_a_multipart_without_its_boundaries_is_read_as_it_stands(kind: str) -> None:
    assert read(letter("A PAR - BUR", Content_Type=kind)).body == "A PAR - BUR"


def cut_letter(*parts: EmailMessage, drop: int) -> Letter:
    raw = message("mixed", *parts)
    return read(raw[:-drop], size_bytes=len(raw))


def test_a_letter_cut_within_a_picture_is_answered() -> None:
    picture = EmailMessage()
    picture.set_content(bytes(3000), "image", "png")
    found = cut_letter(part("A PAR - BUR\n"), picture, drop=2000)
    assert (found.disposition, found.body) == (LetterKind.ANSWER, "A PAR - BUR")


def test_a_letter_cut_within_its_text_is_too_large() -> None:
    found = cut_letter(part("A PAR - BUR\n" * 200), drop=1000)
    assert found.disposition is LetterKind.TOO_LARGE


def test_base64_is_read_as_far_as_it_goes() -> None:
    whole = base64.b64encode(b"A PAR - BUR and more")
    raw = HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + whole[:18] + b"\r\n"
    assert read(raw).body == "A PAR - BUR a"


# --- what was found by strangers ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("charset", "codec", "text"),
    [
        (name, "cp949", KOREAN)
        for name in ("windows-949", "ksc_5601", "csEUCKR", "x-euc-kr", "iso-ir-149")
    ]
    + [
        ("windows-936", "gb18030", "陸軍 巴黎"),
        ("windows-950", "big5", "陸軍 巴黎"),
        ("x-windows-950", "big5", "陸軍 巴黎"),
        ("Big-5", "big5", "陸軍 巴黎"),
        ("eucJP-ms", "euc_jp", "陸軍 パリ"),
        ("cp51932", "euc_jp", "陸軍 パリ"),
        ("cswindows31j", "cp932", "陸軍 パリ"),
    ],
)
def test_charsets_are_known_by_their_other_names(charset: str, codec: str, text: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode()
    assert read(HEAD + head + text.encode(codec)).body == text


@pytest.mark.parametrize("charset", ["euc-kr", "iso-8859-1", "gb2312", "big5", "windows-1252"])
@pytest.mark.parametrize("text", [KOREAN, "陸軍 巴黎", "陸軍 パリ - ブルゴーニュ"])
def test_utf_8_is_known_under_any_name(charset: str, text: str) -> None:
    head = f"Content-Type: text/plain; charset={charset}\r\n\r\n".encode()
    assert read(HEAD + head + text.encode()).body == text


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("cp949", "육군, 파리 - 버건디\n함대, 브레스트 - 중부 대서양"),
        ("cp932", "陸軍 パリ - ブルゴーニュ\n艦隊 ブレスト - 中部大西洋"),
        ("euc_jp", "陸軍 パリ - ブルゴーニュ\n艦隊 ブレスト - 中部大西洋"),
        ("big5", "陸軍 巴黎 - 勃艮第\n艦隊 布列斯特 - 中大西洋"),
        ("gb2312", "陆军 巴黎 - 勃艮第\n舰队 布雷斯特 - 中大西洋"),
        ("cp1252", "Armée Paris – Bourgogne, s’il vous plaît"),
        ("cp1252", "Flöße für Köln: F KIE - DEN"),
    ],
)
def test_a_charset_that_nobody_names_is_guessed(codec: str, text: str) -> None:
    assert read(HEAD + b"\r\n" + text.encode(codec)).body == text


@pytest.mark.parametrize(
    ("named", "codec", "text"),
    [
        ("utf-8", "cp949", "육군, 파리 - 버건디\n함대, 브레스트 - 중부 대서양"),
        ("iso-8859-1", "cp949", "A 부르고뉴 - 뮌헨"),
        ("windows-1252", "cp949", "A 부르고뉴 - 뮌헨"),
        ("us-ascii", "cp949", "A 부르고뉴 - 뮌헨"),
        ("utf-8", "cp932", "A ブルゴーニュ - ミュンヘン"),
        ("iso-2022-jp", "cp932", "A ブルゴーニュ - ミュンヘン"),
        ("shift_jis", "euc_jp", "陸軍 パリ - ブルゴーニュ\nA スペイン - ガスコーニュ"),
        ("iso-8859-1", "big5", "陸軍 巴黎 - 勃艮第"),
        ("utf-8", "big5", "陸軍 巴黎 - 勃艮第\n艦隊 布列斯特 - 中大西洋"),
        ("utf-8", "cp932", "海軍はブレストを維持"),
        ("us-ascii", "cp932", "A PAR - BUR よろしくお願いします"),
        ("utf-8", "iso2022_jp", "陸軍 パリ - ブルゴーニュ"),
        ("iso-8859-1", "iso2022_jp", "A パリ - ブルゴーニュ"),
        ("gb2312", "iso2022_jp", "A PAR - BUR よろしく"),
        ("gb2312", "big5", "您好，以下是我的命令。\n陸軍 馬賽 移動到 西班牙\n謝謝"),
        ("gb2312", "cp949", "안녕하세요, 육군은 파리에서 부르고뉴로 이동합니다"),
        ("gb2312", "cp949", "육군, 파리 - 버건디"),
        ("gb2312", "cp932", "陸軍 パリ - ブルゴーニュ\nよろしくお願いします"),
        ("gb2312", "euc_jp", "海軍 ブレスト - 中部大西洋"),
        ("gbk", "big5", "艦隊 布列斯特 - 中大西洋"),
        ("big5", "gb18030", "陆军 巴黎 - 勃艮第"),
        ("big5", "cp949", "함대, 브레스트 - 중부 대서양"),
        ("euc-kr", "gb18030", "舰队 布雷斯特 - 中大西洋，谢谢"),
        ("euc-jp", "cp949", "육군, 마르세유 - 스페인"),
        ("shift_jis", "big5", "陸軍 馬賽 - 西班牙"),
        ("gb2312", "gb18030", "陸軍 布列斯特"),
        ("big5", "big5", "艾"),
        ("utf-16", "utf-8", "A ブルゴーニュ - ミュンヘン"),
        ("cp037", "ascii", "A PAR - BUR"),
        ("iso-8859-1", "iso-8859-1", "été à Noël, ÀÉÈ"),
        ("iso-8859-15", "iso-8859-15", "Œuvre: à l’été".replace("’", "'")),
        ("macintosh", "mac-roman", "été à Noël – ÀÉ"),
        ("koi8-r", "koi8-r", "Привет, Париж - Бургундия"),
        ("iso-8859-7", "iso-8859-7", "Παρίσι - Βουργουνδία"),
        ("cp1255", "cp1255", "פריז - בורגונדי"),
    ],
)
def test_a_wrong_name_of_a_charset_is_not_believed(named: str, codec: str, text: str) -> None:
    head = f"Content-Type: text/plain; charset={named}\r\n\r\n".encode()
    assert read(HEAD + head + text.encode(codec)).body == text


@pytest.mark.parametrize("text", ["곬뷁", "騁鬱", "F ㅋㅋ - MAO"])
def test_bytes_too_few_to_tell_stay_in_the_charset_that_is_named(text: str) -> None:
    raw = text.encode("cp949")
    found = read(HEAD + b"Content-Type: text/plain; charset=gb2312\r\n\r\n" + raw)
    assert found.body == raw.decode("gb18030", "replace")


def test_letters_that_were_made_utf_8_twice_are_read() -> None:
    text = "A 부르고뉴 - 뮌헨"
    twice = text.encode().decode("latin-1").encode()
    assert read(HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n" + twice).body == text


@pytest.mark.parametrize(
    "code", [0xAD, 0x34F, 0x61C, 0x180E, 0x200B, 0x200E, 0x202A, 0x2069, 0xFFFC]
)
def test_what_is_not_seen_breaks_no_word(code: int) -> None:
    mark = chr(code)
    assert read(letter(f"{mark}A P{mark}AR - BUR{mark}")).body == "A PAR - BUR"
    assert (
        read(letter("👨\u200d👩\u200d👧 می\u200cخواهم")).body == "👨\u200d👩\u200d👧 می\u200cخواهم"
    )


@pytest.mark.parametrize("kind", ["", "Content-Type: text/plain\r\n"])
def test_a_page_is_known_without_its_name(kind: str) -> None:
    page = "<!DOCTYPE html><html><body><p>A PAR - BUR</p><p>F BRE - MAO</p></body></html>"
    found = read(HEAD + f"{kind}\r\n{page}".encode()).body
    assert [line for line in found.split("\n") if line] == ["A PAR - BUR", "F BRE - MAO"]


def test_a_mark_of_utf_8_above_the_headers_hides_none() -> None:
    assert read(b"\xef\xbb\xbf" + letter().encode()).sender == "anna@example.test"


def test_a_plain_version_that_only_points_at_the_other_is_passed_over() -> None:
    page = part("<p>A PAR - BUR<p>F BRE - MAO<p>A MAR - SPA<p>that is all for now, judge", "html")
    assert read(message("alternative", part("Open the HTML."), page)).body.startswith("A PAR - BUR")
    same = part("A PAR - BUR\n")
    assert read(message("alternative", same, page)).body == "A PAR - BUR"


def test_of_a_letter_without_words_all_is_named() -> None:
    photo = read(message("mixed", part(" \n"), data("orders.jpeg")))
    assert [(one.kind, one.text) for one in photo.unread] == [("attachment", "orders.jpeg")]
    rich = read(HEAD + b"Content-Type: text/rtf\r\n\r\n{\\rtf1 A PAR - BUR}")
    assert [(one.kind, one.text) for one in rich.unread] == [("attachment", "text/rtf")]


def test_a_charset_in_the_head_of_a_page_is_used() -> None:
    page = '<html><head><meta charset="euc-kr"></head><body>육군, 파리 - 버건디</body></html>'
    raw = HEAD + b"Content-Type: text/html\r\n\r\n" + page.encode("cp949")
    assert read(raw).body == "육군, 파리 - 버건디"


@pytest.mark.parametrize(
    "raw",
    [
        b"From: anna@example.test\r\nSubject: x\r\nA PAR - BUR\r\nF BRE - MAO\r\n",
        b"From: anna@example.test\rSubject: x\r\rA PAR - BUR\rF BRE - MAO\r",
        b"From: anna@example.test\r\r\nSubject: x\r\r\n\r\r\nA PAR - BUR\r\r\nF BRE - MAO\r\r\n",
        b"\r\n\r\nFrom: anna@example.test\r\n\r\nA PAR - BUR\r\nF BRE - MAO",
        b"From: anna@example.test\r\nfolded badly\r\nSubject: x\r\n\r\nA PAR - BUR\r\nF BRE - MAO",
    ],
    ids=["no blank line", "CR", "CRCRLF", "blank lines first", "bad fold"],
)
def test_letters_of_broken_form_are_read(raw: bytes) -> None:
    found = read(raw)
    assert (found.sender, found.body) == ("anna@example.test", "A PAR - BUR\nF BRE - MAO")


BASE64 = base64.b64encode(b"A PAR - BUR\n")


@pytest.mark.parametrize(
    ("encoding", "content"),
    [
        ("base64;", BASE64),
        ('"base64"', BASE64),
        ("base64 (by hand)", BASE64),
        ("BASE64", BASE64 + b"\r\n\r\nSent by a free service.\r\n"),
        ("base64", b"A PAR - BUR\n"),
        ("base64", base64.b64encode(b"A PAR") + b"\r\n" + base64.b64encode(b" - BUR")),
        ("x-uuencode", b'begin 644 x\n,02!005(@+2!"55(*\n`\nend\n'),
        ("quoted-printable;", b"A PAR =2D BUR"),
    ],
)
def test_transfer_encodings_of_broken_form_are_read(encoding: str, content: bytes) -> None:
    head = f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode()
    assert read(HEAD + head + content).body == "A PAR - BUR"


@pytest.mark.parametrize("kind", ["text/markdown", "text/x-web-markdown", "text/enriched"])
def test_other_texts_are_read(kind: str) -> None:
    assert read(letter("A PAR - BUR", Content_Type=kind)).body == "A PAR - BUR"


@pytest.mark.parametrize("kind", ["multipart/*", "multipart/mixed"])
def test_a_boundary_may_hold_two_spaces(kind: str) -> None:
    raw = letter("--a  b\n\nA PAR - BUR\n--a  b--\n", Content_Type=f'{kind}; boundary="a  b"')
    assert read(raw).body == "A PAR - BUR"


def unread(raw: bytes | str) -> list[tuple[str, str]]:
    return [(one.kind, one.text.strip()) for one in read(raw).unread]


def test_text_parts_that_are_files_are_named_and_not_read() -> None:
    named = part("A MAR - SPA\n")
    named["Content-Disposition"] = 'inline; filename="old.txt"'
    strange = part("A MAR - SPA\n")
    strange["Content-Disposition"] = "render-later"
    raw = message("mixed", part("A PAR - BUR\n"), named, strange, data("winmail.dat"))
    assert read(raw).body == "A PAR - BUR"
    assert unread(raw) == [
        ("attachment", "old.txt"),
        ("attachment", "text/plain"),
        ("attachment", "winmail.dat"),
    ]


def test_a_digest_is_not_read() -> None:
    digest = b"--d\r\n\r\nSubject: old\r\n\r\nA MAR - SPA\r\n--d--\r\n"
    raw = (
        HEAD + b"Content-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\nA PAR - BUR\r\n--m\r\n"
        b"Content-Type: multipart/digest; boundary=d\r\n\r\n" + digest + b"\r\n--m--\r\n"
    )
    assert read(raw).body == "A PAR - BUR"


@pytest.mark.parametrize("subject", ["old moves", "이전 명령"])
def test_a_forwarded_letter_is_named(subject: str) -> None:
    inner = EmailMessage()
    inner["Subject"] = subject
    inner.set_content("A MAR - SPA")
    forwarded = EmailMessage()
    forwarded.set_content(inner)
    raw = message("mixed", part("A PAR - BUR\n"), forwarded)
    assert unread(raw) == [("forwarded", subject)]


def test_html_on_both_sides_of_a_picture_is_read() -> None:
    raw = message(
        "mixed", part("<p>A PAR - BUR", "html"), data("image.png"), part("<p>A MAR - SPA", "html")
    )
    assert read(raw).body.split() == ["A", "PAR", "-", "BUR", "A", "MAR", "-", "SPA"]


def test_parts_beyond_the_limits_are_named() -> None:
    deep = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(30)
    )
    assert unread(HEAD + deep + b"\r\nA PAR - BUR") == [("limit", "multipart/mixed")]
    many = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\nx\r\n" * 300
    assert unread(HEAD + many) == [("limit", "multipart/mixed")]
    letters = b"--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: old\r\n\r\nx\r\n" * 180
    many = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + letters
    assert unread(HEAD + many) == [*[("forwarded", "old")] * 50, ("limit", "multipart/mixed")]


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<s>A MAR - SPA</s>", "struck"),
        ("<del>A MAR - SPA</del>", "struck"),
        ("<strike>A MAR - <b>SPA</b></strike>", "struck"),
        ("<span style='text-decoration: line-through'>A MAR - SPA</span>", "struck"),
        ("<div style='display: none'>A MAR - SPA</div>", "hidden"),
        ("<div style='visibility:hidden'>A MAR - SPA</div>", "hidden"),
        ("<span style='font-size:0px;color:red'>A MAR - SPA</span>", "hidden"),
        ("<span hidden>A MAR - SPA</span>", "hidden"),
    ],
)
def test_text_that_is_struck_out_or_hidden_is_named_and_not_read(markup: str, kind: str) -> None:
    raw = html_letter(f"<p>A PAR - BUR</p>{markup}<p>F BRE - MAO</p>")
    assert [line for line in read(raw).body.split("\n") if line] == ["A PAR - BUR", "F BRE - MAO"]
    assert unread(raw) == [(kind, "A MAR - SPA")] or "<b>" in markup


def test_a_letter_that_gmail_passes_on_is_quoted_to_its_end() -> None:
    html = (
        "<div>A PAR - BUR</div><div class=gmail_quote><div class='gmail_attr'>----- Videresendt "
        "-----<br>Fra: x</div><div>A MAR - SPA</div></div><div>F BRE - MAO</div>"
    )
    lines = [line for line in read(html_letter(html)).body.splitlines() if line]
    assert lines == ["A PAR - BUR", "F BRE - MAO"]


@pytest.mark.parametrize("color", ["#E1E1E1", "#B5C4DF"])
def test_below_the_line_that_outlook_draws_all_is_quoted(color: str) -> None:
    html = (
        f"<p>A PAR - BUR</p><div style='border:none;border-top:solid {color} 1.0pt'><p>Kinek: x</p>"
        "</div><p>A MAR - SPA</p>"
    )
    assert read(html_letter(html)).body.strip() == "A PAR - BUR"


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>A PAR<p>A MAR", ["A PAR", "", "A MAR"]),
        ("<ul><li>A PAR<li>A MAR</ul>", ["A PAR", "A MAR"]),
        ("A PAR <b>- <i>BUR</b></i> x", ["A PAR - BUR x"]),
        ("if 1 < 2 & 3 > 2", ["if 1 < 2 & 3 > 2"]),
        ('<a title="a > b" href=x>A PAR</a>', ["A PAR"]),
        ('<a title="a hidden b">A PAR</a>', ["A PAR"]),
        ("<!-- <p>no --> A PAR<!--[if mso]>no<![endif]-->", ["A PAR"]),
        ("A PAR</p>A MAR", ["A PAR", "A MAR"]),
        ("<div>A PAR</span></td></div>A MAR", ["A PAR", "A MAR"]),
        ("A&nbsp;PAR &#8211; &lt;BUR&gt; &amp;lt;", ["A PAR – <BUR> &lt;"]),
        ("<title>no</title><textarea>A PAR\nA MAR</textarea>", ["A PAR", "A MAR"]),
    ],
)
def test_pages_are_read_as_browsers_show_them(html: str, lines: list[str]) -> None:
    assert read_html(html).text.splitlines() == lines
