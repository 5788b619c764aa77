"""Lines with which mail programs introduce the letter that is answered, in many languages.

Short pieces of lines are looked at only, so that hostile text takes linear time.
"""

import re
from collections.abc import Sequence

LONGEST_LINE = 300  # characters; a longer line introduces nothing
MOST_LINES = 4  # over which a program breaks an introduction at 78 columns
HEADER_WINDOW = 6
HEADERS_OF_BLOCK = 3
QUOTE_MARKS = (">", "＞", "|")

# Verbs at the end: Gmail, Apple, Thunderbird, Outlook for Mac, mutt, Yahoo, Naver, K-9 and others.
VERB = re.compile(
    r"""(?: \b(?:wrote|writes|said) | \bschrieb\b.{0,120} | \bschreef\b.{0,120}
      | \ba\s+écrit | \bescribió | \bha\s+scritto | \bescreveu
      | 님이\s*(?:작성|쓴\s*글|작성한\s*글|보낸\s*글|남긴\s*글)
      | 작성 | [寫写]道 | のメール | [がは]書きました | のメッセージ
    )\s*[:：]\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
# Gmail in Japanese has no verb: 2026年12月5日(土) 21:00 Judge <judge@judge.test>:
DATE_AND_ADDRESS = re.compile(r"^\s*\d{4}\s*[年년./-].{4,160}<[^<>]{3,160}>\s*[:：]\s*$")
# It tells when or from where; "England wrote:" may be chat.
TELLS = re.compile(r"\d|@")
# How an introduction that is broken over lines begins: with a date, or with an address.
BEGINS = re.compile(
    r"^\s*(?:(?:On|At|Am|Le|El|Il|Em|Op)\s+\S | \d{4}\s*[年년./-] | .{0,120}<[^<>]{0,160}@)",
    re.VERBOSE,
)
DIVIDER = re.compile(
    r"""^\s*(?:-{2,}\s*(?:Original\s+(?:Message|Appointment)|Forwarded\s+message
          |Urspr.{1,2}ngliche\s+Nachricht|Message\s+d'origine|Mensaje\s+original
          |원본\s*(?:메시지|메일)|전달된\s*메시지|원래\s*메시지
          |原始(?:郵件|信件|邮件)|轉寄的郵件|转发(?:的)?邮件|[Oo]riginal|元のメッセージ)\s*-{2,}.*
      | Begin\s+forwarded\s+message\s*: | 전달된\s*메시지\s*시작\s*: | 開始轉寄郵件\s*[:：]
      | 転送されたメッセージ\s*[:：])\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
RULE = re.compile(r"^\s*[_-]{10,}\s*$")
# A header block of Outlook and its kin: three such lines within six.
HEADER_LINE = re.compile(
    r"""^\s*\*{0,2}\s*(?:
        From|Sent|To|Cc|Date|Subject | Von|Gesendet|An|Betreff
      | De|Envoyé|À|Objet | Enviado|Para|Asunto
      | 보낸\s*사람|보낸\s*날짜|보낸\s*시간|날짜|받는\s*사람|받은\s*날짜|참조|제목
      | 寄件者|寄件人|寄件日期|收件者|收件人|副本|主旨|日期|傳送時間
      | 发件人|发送时间|抄送|主题
      | 差出人|送信者|送信日時|日時|日付|宛先|件名
    )\s*\*{0,2}\s*[:：]""",
    re.IGNORECASE | re.VERBOSE,
)


def is_quoted_line(line: str) -> bool:
    return line.lstrip().startswith(QUOTE_MARKS)


def introduction_end(lines: Sequence[str], at: int) -> int | None:
    """The line after an introduction that begins here; None if none does.

    One that tells neither when nor from whose address counts only above quoted lines.
    """
    for end in range(at + 1, min(at + MOST_LINES, len(lines)) + 1):
        pieces = lines[at:end]
        if any(len(piece) > LONGEST_LINE or not piece.strip() for piece in pieces):
            return None
        if any(is_quoted_line(piece) for piece in pieces):
            return None
        joined = " ".join(piece.strip() for piece in pieces)
        if end > at + 1 and not BEGINS.match(joined):
            return None
        if _introduces(joined) and (TELLS.search(joined) or _is_followed_by_quote(lines, end)):
            return end
    return None


def _introduces(line: str) -> bool:
    if line.rstrip()[-1:] not in (":", "："):
        return False
    return bool(VERB.search(line) or DATE_AND_ADDRESS.match(line))


def _is_followed_by_quote(lines: Sequence[str], at: int) -> bool:
    following = next((line for line in lines[at : at + 3] if line.strip()), "")
    return is_quoted_line(following)


def is_divider(lines: Sequence[str], at: int) -> bool:
    """`-----Original Message-----` and its kin, or a rule right above a header block."""
    line = lines[at]
    if len(line) > LONGEST_LINE:
        return False
    if DIVIDER.match(line):
        return True
    return bool(RULE.match(line)) and any(
        is_header_block(lines, below) for below in range(at + 1, min(at + 3, len(lines)))
    )


def is_header_block(lines: Sequence[str], at: int) -> bool:
    """Whether a copy of a letter's headers begins on this line."""
    if not HEADER_LINE.match(lines[at][:LONGEST_LINE]):
        return False
    window = lines[at : at + HEADER_WINDOW]
    return sum(bool(HEADER_LINE.match(line[:LONGEST_LINE])) for line in window) >= HEADERS_OF_BLOCK
