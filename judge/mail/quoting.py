"""Cuts what a letter only repeats: quoted lines, the letter below, the signature.

Never cuts inside press: what stands between PRESS or BROADCAST and its end is somebody's text,
whatever it looks like. Knows nothing of orders.
"""

import re
from collections.abc import Sequence

from judge.mail.attribution import Marks, find_marks, is_quoted_line, squeeze

SIGNATURE = re.compile(r"^(?:--|——|－－)[ \u00a0]?$")
HEADER_WINDOW = 8  # lines of a copied header block in which its sender is named
LONGEST_SIGNATURE = 12  # lines below a `--` whose space was lost; more is a letter that goes on
PHONE_SIGNATURE = re.compile(
    r"""(?:Sent\s(?:from|with|via)\s(?:my|Mail|Outlook|Yahoo|Samsung|K-9|Spark|Superhuman
          |\[?Proton|a|an|the)\b.{0,80}
      | Get\s(?:Outlook|BlueMail)\sfor\s.{2,60} | (?:Android|iOS)용\s?Outlook\s?(?:다운로드|받기)
      | .{0,20}앱에서\s?보냈습니다
      | (?:Von|Gesendet\svon)\smein.{2,40}\sgesendet.{0,20} | Envoyé\sd.{2,60}
      | 나의\s.{2,30}에서\s?보냄
      | .{0,20}(?:iPhone|iPad|Galaxy|갤럭시|스마트폰)에서\s?
        (?:보냄|보낸.{0,10}|전송(?:함|됨|했습니다)?)
      | .{1,20}から送信(?:されました)? | 從我的.{2,20}傳送 | 发自我的.{2,20} | 發自我的.{2,20}
      )\s?[.。]?$""",
    re.IGNORECASE | re.VERBOSE,
)
OPENS_TEXT = re.compile(r"(?:(?:white|gr[ea]y|anonymous)\s?)?(?:press|broadcast)\b", re.IGNORECASE)
CLOSES_TEXT = re.compile(r"end\s?(?:press|broadcast)?\s?[.!]?$", re.IGNORECASE)
SIGN_OFF = re.compile(r"sign\s?off\s?[.!]?$", re.IGNORECASE)


def cut_quotes(text: str, own_addresses: frozenset[str] = frozenset()) -> str:
    """What the writer himself wrote, without quotes and signature; lines keep their order.

    Args:
        own_addresses: the judge's. An introduction that names one, inside press that seems to end
            below it, shows that the press was never closed and the judge's own letter is quoted:
            nobody's secrets may go out with it.
    """
    lines = text.split("\n")
    marks = find_marks(lines)
    press_ends = _press_ends(lines, marks, own_addresses)
    kept: list[str] = []
    at = 0
    while at < len(lines):
        if (end := press_ends.get(at)) is not None:
            kept += lines[at:end]
            at = end
        elif (end := marks.introductions[at]) is not None:
            if not _goes_on_after_quote(lines, end):
                break
            at = end
        elif (
            marks.cuts[at] or SIGN_OFF.match(squeeze(lines[at])) or _is_signature(lines, at, marks)
        ):
            break
        else:
            if not is_quoted_line(lines[at]) and not PHONE_SIGNATURE.match(squeeze(lines[at])):
                kept.append(lines[at])
            at += 1
    return "\n".join(kept).strip("\n")


def _press_ends(
    lines: Sequence[str], marks: Marks, own_addresses: frozenset[str]
) -> dict[int, int]:
    """For each line that opens press, the line after its end; none for press that is not closed.

    Read upwards, so that a thousand openings take no longer than one.
    """
    ends: dict[int, int] = {}
    end: int | None = None
    for at in range(len(lines) - 1, -1, -1):
        line = squeeze(lines[at])
        if CLOSES_TEXT.match(line):
            end = at + 1
        elif end is not None and OPENS_TEXT.match(line):
            ends[at] = end
        elif end is not None and marks.has(at) and _names_judge(lines, at, marks, own_addresses):
            end = None
    return ends


def _names_judge(
    lines: Sequence[str], at: int, marks: Marks, own_addresses: frozenset[str]
) -> bool:
    """Whether the letter that is introduced here came from the judge."""
    end = marks.introductions[at] or at + HEADER_WINDOW
    named = " ".join(squeeze(line) for line in lines[at:end]).lower()
    for address in own_addresses:
        local, _, domain = address.rpartition("@")
        if re.search(rf"{re.escape(local)}(?:\+[a-z0-9]*)?@{re.escape(domain)}", named):
            return True
    return False


def _goes_on_after_quote(lines: Sequence[str], at: int) -> bool:
    """Whether what an introduction announces is marked line by line: the reply may stand below."""
    following = next((line for line in lines[at:] if line.strip()), "")
    return is_quoted_line(following)


def _is_signature(lines: Sequence[str], at: int, marks: Marks) -> bool:
    """`-- ` is (RFC 3676 4.3). Without its space it may divide a letter: then much follows."""
    if not SIGNATURE.match(lines[at]):
        return False
    if lines[at].endswith((" ", "\u00a0")):
        return True
    below = 0
    for line_at in range(at + 1, len(lines)):
        if marks.has(line_at):
            break
        below += bool(lines[line_at].strip()) and not is_quoted_line(lines[line_at])
        if below > LONGEST_SIGNATURE:
            return False
    return True
