"""Cuts what a letter only repeats: quoted lines, the letter below, the signature.

Never cuts inside press: what stands between PRESS or BROADCAST and its end is somebody's text.
"""

import re
from collections.abc import Sequence

# A line that introduces what was quoted, in the four languages (Gmail, Outlook, Apple, Naver, ...).
ATTRIBUTION = re.compile(
    r"""^\s*(?:
        On\b.{5,200}\bwrote\s*:
      | (?:Le|Am|El|Il|Em)\b.{5,200}(?:a\s+écrit|schrieb|escribió|ha\s+scritto|escreveu).{0,60}\s?:
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
DATE_OR_ADDRESS = re.compile(r"\d|@")
SEPARATOR = re.compile(r"^\s*(?:-{2,}|_{20,})")
LONGEST_MARK = 300  # characters; a longer line is nobody's attribution
HEADER_WINDOW = 6
QUOTE_SIGNS = (">", "＞")
HEADERS_OF_BLOCK = 3


def cut_quotes(text: str) -> str:
    """What the writer himself wrote, without quotes and signature; lines keep their order."""
    lines = text.splitlines()
    closings = _closings(lines)
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        closing = closings[at] if OPENS_TEXT.match(line) else None
        if closing is not None:
            kept += lines[at : closing + 1]
            at = closing + 1
            continue
        after = _after_attribution(lines, at)
        if after is not None:
            at = after
            continue
        if _ends_letter(lines, at):
            break
        if not _is_quoted(line) and not _matches(PHONE_SIGNATURE, line):
            kept.append(line)
        at += 1
    return "\n".join(kept).strip("\n")


def _closings(lines: Sequence[str]) -> list[int | None]:
    """For each line, where the next line after it that closes press stands; None if none does."""
    closings: list[int | None] = []
    nearest = None
    for at in range(len(lines) - 1, -1, -1):
        closings.append(nearest)
        if CLOSES_TEXT.match(lines[at]):
            nearest = at
    return closings[::-1]


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(QUOTE_SIGNS)


def _matches(pattern: re.Pattern[str], line: str) -> bool:
    """With runs of spaces made one, so that no pattern takes long over them."""
    return len(line) <= LONGEST_MARK and pattern.match(" ".join(line.split())) is not None


def _ends_letter(lines: Sequence[str], at: int) -> bool:
    """Whether all from this line on is quoted, signature, or after an explicit SIGN OFF."""
    line = lines[at]
    if _matches(SIGN_OFF, line) or _matches(SIGNATURE, line):
        return True
    if _attribution_end(lines, at) is not None:
        return True
    if not _matches(HEADER_LINE, line):
        return False
    window = lines[at : at + HEADER_WINDOW]
    return sum(1 for one in window if _matches(HEADER_LINE, one)) >= HEADERS_OF_BLOCK


def _after_attribution(lines: Sequence[str], at: int) -> int | None:
    """Where the writer goes on below an attribution whose quote is marked with `>`; None if there
    is no such attribution here. Many programs put the reply below what it quotes."""
    end = _attribution_end(lines, at)
    if end is None:
        return None
    following = next((one for one in lines[end : end + HEADER_WINDOW] if one.strip()), "")
    return end if _is_quoted(following) else None


def _attribution_end(lines: Sequence[str], at: int) -> int | None:
    """The line after an attribution; it may be broken in two, as Gmail does at 78 columns."""
    if _is_attribution(lines[at]):
        return at + 1
    if at + 1 >= len(lines) or not re.match(r"\s{0,9}(?:On\b|\d{4}[年년.])", lines[at]):
        return None
    joined = f"{lines[at].rstrip()} {lines[at + 1].strip()}"
    return at + 2 if _is_attribution(joined) else None


def _is_attribution(line: str) -> bool:
    """An attribution names a date or an address: `as Paris wrote:` is a player's own sentence."""
    if not _matches(ATTRIBUTION, line):
        return False
    return DATE_OR_ADDRESS.search(line) is not None or SEPARATOR.match(line) is not None
