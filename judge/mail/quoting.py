"""Cuts what a letter only repeats: quoted lines, the letter below, the signature.

Never cuts inside press: what stands between PRESS or BROADCAST and its end is somebody's text.
"""

import re
from collections.abc import Sequence

# A line that introduces what was quoted, in the four languages (Gmail, Outlook, Apple, Naver, ...).
ATTRIBUTION = re.compile(
    r"""^\s*(?:
        On\b.{5,200}\bwrote\s*:
      | .{5,200}(?:님이\s*(?:작성|쓴\s*글|작성한\s*글)|작성)\s*:
      | .{5,200}(?:寫道|写道|於.{5,60}寫道)\s*[：:]
      | .{5,200}(?:のメール|さんは書きました|は書きました|が書きました|wrote)\s*[：:]
      | -{2,}\s*(?:Original\s+Message|Forwarded\s+message|원본\s*메시지|원본\s*메일|원본메일
          |原始郵件|原始信件|转发邮件|原始邮件|元のメッセージ|Original\s+Appointment)\s*-{0,}.*
      | _{20,}\s*
    )$""",
    re.IGNORECASE | re.VERBOSE,
)
# A header block of Outlook and its kin: three such lines within six.
HEADER_LINE = re.compile(
    r"""^\s*\**\s*(?:
        From|Sent|To|Cc|Date|Subject
      | 보낸\s*사람|보낸사람|보낸\s*날짜|날짜|받는\s*사람|받는사람|참조|제목
      | 寄件者|寄件日期|寄件者|收件者|副本|主旨|日期|傳送時間|发件人|收件人|发送时间|主题
      | 差出人|送信者|送信日時|日時|宛先|件名|CC
    )\s*\**\s*[:：]""",
    re.IGNORECASE | re.VERBOSE,
)
SIGNATURE = re.compile(r"^(?:--|——|－－)\s*$")
PHONE_SIGNATURE = re.compile(
    r"""^\s*(?:Sent\s+from\s+(?:my|Mail|Outlook|Yahoo|Samsung|K-9).{0,60}
      | Get\s+Outlook\s+for\s+.{2,20} | 나의\s*(?:iPhone|Galaxy).{0,20}에서\s*보냄
      | .{0,20}(?:iPhone|Galaxy|스마트폰)에서\s*(?:보냄|보낸.{0,10})
      | iPhoneから送信 | .{0,20}から送信 | 從我的.{2,20}傳送 | 发自我的.{2,20})\s*$""",
    re.IGNORECASE | re.VERBOSE,
)
OPENS_TEXT = re.compile(
    r"^\s*(?:(?:white|grey|gray|anonymous)\s+)?(?:press\s+(?:to\b|[A-Z])|broadcast\b)",
    re.IGNORECASE,
)
CLOSES_TEXT = re.compile(r"^\s*end\s*(?:press|broadcast)?\s*[.!]?\s*$", re.IGNORECASE)
SIGN_OFF = re.compile(r"^\s*sign\s*off\s*\.?\s*$", re.IGNORECASE)
HEADER_WINDOW = 6
HEADERS_OF_BLOCK = 3


def cut_quotes(text: str) -> str:
    """What the writer himself wrote, without quotes and signature; lines keep their order."""
    lines = text.splitlines()
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = _end_of_press(lines, at)
        if end is not None:
            kept += lines[at : end + 1]
            at = end + 1
            continue
        after = _after_attribution(lines, at)
        if after is not None:
            at = after
            continue
        if _ends_letter(lines, at):
            break
        if not line.lstrip().startswith((">", "＞")) and not PHONE_SIGNATURE.match(line):
            kept.append(line)
        at += 1
    return "\n".join(kept).strip("\n")


def _end_of_press(lines: Sequence[str], at: int) -> int | None:
    """The line that closes the press which opens here; None if none opens or it is not closed."""
    if not OPENS_TEXT.match(lines[at]):
        return None
    for end in range(at + 1, len(lines)):
        if CLOSES_TEXT.match(lines[end]):
            return end
    return None


def _ends_letter(lines: Sequence[str], at: int) -> bool:
    """Whether all from this line on is quoted, signature, or after an explicit SIGN OFF."""
    line = lines[at]
    if SIGN_OFF.match(line) or SIGNATURE.match(line) or _attribution_end(lines, at) is not None:
        return True
    if not HEADER_LINE.match(line):
        return False
    window = lines[at : at + HEADER_WINDOW]
    return sum(1 for one in window if HEADER_LINE.match(one)) >= HEADERS_OF_BLOCK


def _after_attribution(lines: Sequence[str], at: int) -> int | None:
    """Where the writer goes on below an attribution whose quote is marked with `>`; None if there
    is no such attribution here. Many programs put the reply below what it quotes."""
    end = _attribution_end(lines, at)
    if end is None:
        return None
    following = next((one for one in lines[end:] if one.strip()), "")
    return end if following.lstrip().startswith((">", "＞")) else None


def _attribution_end(lines: Sequence[str], at: int) -> int | None:
    """The line after an attribution; it may be broken in two, as Gmail does at 78 columns."""
    if ATTRIBUTION.match(lines[at]):
        return at + 1
    if at + 1 >= len(lines) or not re.match(r"^\s*(?:On\b|\d{4}[年년.])", lines[at]):
        return None
    following = lines[at + 1].strip()
    is_broken = len(following) < 200 and ATTRIBUTION.match(f"{lines[at].rstrip()} {following}")
    return at + 2 if is_broken else None
