"""Lines with which mail programs introduce the letter that is answered, in many languages.

Only short lines, without their runs of spaces, are looked at: hostile text takes linear time too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_LINE = 300  # characters; a longer line introduces nothing
LONGEST_END = 140  # characters from the verb to the colon
MOST_LINES = 4  # over which a program breaks an introduction at 78 columns
HEADER_WINDOW = 6
HEADERS_OF_BLOCK = 3
QUOTE_MARKS = (">", "＞", "|")

# Verbs at the end: Gmail, Apple, Thunderbird, Outlook for Mac, mutt, Yahoo, Naver, K-9 and others.
VERB = re.compile(
    r"""(?: \b(?:wrote|writes) | \bschrieb\b.{0,120} | \bschreef\b.{0,120}
      | \ba\s+écrit | \bescribió | \bha\s+scritto | \bescreveu | \bnapisał(?:\(a\))?
      | \b(?:skrev|skrifaði|kirjoitti)\b.{0,120}
      | (?:님이|이\(가\))\s*(?:작성|쓴\s*글|작성한\s*글|보낸\s*글|남긴\s*글)
      | 작성 | [寫写]道 | のメール | [がはに]書きました | のメッセージ
    )\s?[:：]$""",
    re.IGNORECASE | re.VERBOSE,
)
# Gmail has no verb in Japanese, 2026年12月5日(土) 21:00 Judge <judge@judge.test>:, nor in others.
ADDRESS_AT_END = re.compile(r"<[^<>]{3,160}>\s?[:：]$")
DATE = re.compile(r"\b\d{1,2}[:.]\d{2}\b|\d{4}\s?[年년./-]")
# It tells from whose address or on what day or hour; "In Spring 1901 England wrote:" may be chat.
TELLS = re.compile(
    r"""@ | \d{1,2}[:.h時시]\s?\d{2} | \d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}
      | \d{4}\s?[年년]\s?\d{1,2}\s?[月월]""",
    re.VERBOSE,
)
# How an introduction that is broken over lines begins: with a date, or with an address.
BEGINS = re.compile(
    r"(?:On|At|Am|Le|El|Il|Em|Op)\s\S | \d{4}\s?[年년./-] | .{0,120}<[^<>]{0,160}@ | .{0,60}<$",
    re.VERBOSE,
)
DIVIDER = re.compile(
    r"""(?:-{2,}\s*On\s.{8,200}\swrote\s*-{2,}
      | -{2,}(?:\s|&nbsp;|\[)*(?:Original\s+(?:Message|Appointment)|Forwarded\s+message
          |Urspr.{1,2}ngliche\s+Nachricht|Message\s+d'origine|Mensaje\s+original
          |원본\s*(?:메시지|이?메일(?:\s*내용)?)|전달된\s*메시지|원래\s*메시지
          |原始(?:郵件|信件|邮件)|轉寄的郵件|转发(?:的)?邮件|[Oo]riginal|元のメッセージ)(?:\s|&nbsp;|\])*-{2,}.*
      | Begin\s+forwarded\s+message\s*: | 전달된\s*메시지\s*시작\s*: | 開始轉寄郵件\s*[:：]
      | 転送されたメッセージ\s*[:：])$""",
    re.IGNORECASE | re.VERBOSE,
)
RULE = re.compile(r"[_-]{10,}$")
# A header block of Outlook and its kin: three such lines within six.
HEADER_LINE = re.compile(
    r"""\*{0,2}\s?(?:
        From|Sent|To|Cc|Date|Subject | Von|Gesendet|An|Betreff
      | De|Envoyé|À|Objet | Enviado|Para|Asunto
      | 보낸\s*(?:사람|이|날짜|시간)|날짜|받[는은]\s*(?:사람|이)|받은\s*날짜|참조|제목
      | 발신(?:자|인)?|발송\s*일시|수신(?:자|인)?|일시
      | 寄件者|寄件人|寄件日期|收件者|收件人|副本|主旨|日期|[傳發]送時間
      | 发件人|发送时间|抄送|主题
      | 差出人|送信者|送信日時|日時|日付|宛先|件名
    )\s?\*{0,2}\s?[:：]""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Marks:
    """What was found line by line.

    Attributes:
        introductions: for a line where an introduction begins, the line after its end.
        cuts: from this line on all belongs to the letter that is answered.
    """

    introductions: tuple[int | None, ...]
    cuts: tuple[bool, ...]

    def has(self, at: int) -> bool:
        """Whether the letter that is answered is introduced on this line, in any way."""
        return self.introductions[at] is not None or self.cuts[at]


def find_marks(lines: Sequence[str]) -> Marks:
    """All introductions of a text, dividers and copied headers included."""
    squeezed = [squeeze(line) for line in lines]
    headers = _header_blocks(squeezed)
    return Marks(
        tuple(_introduction_end(squeezed, at) for at in range(len(squeezed))),
        tuple(headers[at] or _is_divider(squeezed, at, headers) for at in range(len(squeezed))),
    )


def squeeze(line: str) -> str:
    """A line with its runs of spaces made one, so that no pattern takes long over them; one that
    is too long for any pattern is cut."""
    return " ".join(line[: 4 * LONGEST_LINE].split())[: LONGEST_LINE + 1]


def is_quoted_line(line: str) -> bool:
    return line.lstrip().startswith(QUOTE_MARKS)


def _introduction_end(lines: Sequence[str], at: int) -> int | None:
    """The line after an introduction that begins here; None if none does.

    One that tells neither when nor from whose address counts only above quoted lines.
    """
    for end in range(at + 1, min(at + MOST_LINES, len(lines)) + 1):
        last = lines[end - 1]
        if not last or len(last) > LONGEST_LINE or last.startswith(QUOTE_MARKS):
            return None
        if end == at + 2 and not BEGINS.match(lines[at]):
            return None
        if not last.endswith((":", "：")):
            continue
        joined = " ".join(lines[at:end])
        if _introduces(joined) and (TELLS.search(joined) or _is_followed_by_quote(lines, end)):
            return end
    return None


def _introduces(line: str) -> bool:
    end = line[-LONGEST_END:]
    return bool(VERB.search(end) or (ADDRESS_AT_END.search(end) and DATE.search(line)))


def _is_followed_by_quote(lines: Sequence[str], at: int) -> bool:
    following = next((line for line in lines[at : at + 3] if line), "")
    return following.startswith(QUOTE_MARKS)


def _header_blocks(lines: Sequence[str]) -> list[bool]:
    """For each line, whether a copy of a letter's headers begins there."""
    found = [bool(HEADER_LINE.match(line)) for line in lines]
    return [
        is_header and sum(found[at : at + HEADER_WINDOW]) >= HEADERS_OF_BLOCK
        for at, is_header in enumerate(found)
    ]


def _is_divider(lines: Sequence[str], at: int, headers: Sequence[bool]) -> bool:
    """`-----Original Message-----` and its kin, or a rule right above a header block."""
    if DIVIDER.match(lines[at]):
        return True
    return bool(RULE.match(lines[at])) and any(headers[at + 1 : at + 3])
