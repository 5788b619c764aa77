"""Cuts what a letter only repeats: quoted lines, the letter below, the signature.

Never cuts inside press: what stands between PRESS or BROADCAST and its end is somebody's text,
whatever it looks like. What is cut is told, so that the answer can name it. Knows nothing of
orders.

The judge's own words are found however they are marked: whatever run of lines stands in the letter
that is answered. Letters and digits alone are compared, so that marks of quotation, markup and
other line breaks make no difference, in any language. Copied orders are the writer's own: a run
counts only if it is more than lines of one paragraph of ours, or holds a whole line of prose. A row
that stands alone counts for none, since it may be a line that we offer to be sent.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

from judge.mail.introductions import (
    ADDRESS,
    DATE,
    QUOTE_MARKS,
    Judge,
    Line,
    find_introductions,
    judge_patterns,
    parse_line,
)
from judge.mail.mime import LONGEST_UNREAD, Unread, UnreadKind
from judge.mail.words import phrases

LONGEST_SIGNATURE = 6  # lines below a `--` whose space was lost
SIGNATURE = re.compile(r"(?:--|——|－－)[ \u00a0]?$")
CONTACT = re.compile(r"@|://|\bwww\.|(?:\d[ ()./-]*){7}")
DEVICE = re.compile(
    r"\b(?:iPhone|iPad|Android|BlackBerry|Galaxy|Huawei|OPPO|Outlook|Pixel|Redmi|Samsung|Xiaomi"
    r"|Yahoo)",
    re.IGNORECASE,
)
DEVICE_WORDS = 8  # of the line that a telephone adds, in whatever language
# A link of our pages, as programs write it out; nobody types one.
WRITTEN_LINK = re.compile(r"\s*[<(\[]?mailto:[^\s?]+\?subject=\S*\s*$")
# Where an introduction may begin without a word that we know: `пт, 4 дек. 2026`, `2026年`.
DAY = re.compile(r"(?<=\s)(?:[^\W\d_]{1,12}\.?,\s)?(?=\d{1,4}[./ 年년-])")
DASHED = re.compile(r"\s(?:-+>?|–|—|→|=>)\s")  # as in orders
SHORTEST_RUN = 12  # letters and digits; less stands in many letters
LEAST_QUOTED = 40
PROSE = 50  # letters and digits of a line that nobody copies for its orders
MOST_OF_LETTER = 0.6
MOST_PLACES = 20  # of a line in our letter that are tried
MOST_LINES = 4_000  # of a reply that are compared
NOT_COMPARED = re.compile(r"mailto:\S+|[\W_]+")  # programs write out the links of a page
NOT_COMPARED_ASCII = bytes(one for one in range(128) if not chr(one).isalnum())


class Run(msgspec.Struct, frozen=True):
    """Lines of a reply that stand in a letter of ours, from `start` up to, not with, `end`."""

    start: int
    end: int
    reaches_end: bool  # of our letter: what follows is the writer's again


class OwnWords(msgspec.Struct, frozen=True):
    """What a writer wrote, lines in their order, and all that was cut."""

    body: str
    unread: tuple[Unread, ...]


def cut_quotes(
    text: str,
    own_addresses: frozenset[str] = frozenset(),
    *,
    own_name: str = "",
    sender_name: str = "",
    parents: Iterable[str] = (),
    is_reply: bool = True,
) -> OwnWords:
    """What the writer wrote, without quotes and signature.

    Args:
        own_addresses, own_name: the judge's, by which introductions of its letters are known. One
            of these inside press that seems to end below it, or any above lines without marks,
            shows that the press was never closed: nobody's secrets may go out with it.
        sender_name: as it may stand below a `--`.
        parents: the texts of the judge's letters that this one answers.
        is_reply: a letter that answers none and is marked as a quote throughout was written so.
    """
    lines = text.split("\n")
    marked = [parse_line(line) for line in lines]
    marks = "|" if is_reply else QUOTE_MARKS
    if all(line.text.startswith(marks) for line in marked if line.text):
        lines = [line.lstrip(" >＞|").rstrip(" |") for line in lines]
        marked = [parse_line(line) for line in lines]
    judge = judge_patterns(own_addresses, own_name)
    runs = _our_runs(lines, parents)
    ours = _our_lines(lines, marked, runs)
    for number in ours:
        marked[number].is_quoted = True
    introductions = find_introductions(marked, judge)
    known = phrases()
    has_press = any(known.press.match(line.text) for line in marked if not line.is_quoted)
    press_ends = _press_ends(marked, introductions, judge) if has_press else {}

    kept: list[str] = []
    cuts: list[tuple[UnreadKind, int, int]] = []
    at = 0
    while at < len(lines):
        line, start, at, kind = marked[at], at, at + 1, UnreadKind.QUOTE
        if start in press_ends:
            at = press_ends[start]
            kept += lines[start:at]
            continue
        if start in introductions:
            _finish_own_words(kept, line.text, judge)
            start = at = introductions[start]
            # If the letter is marked line by line, the reply may stand below it. If it is known, it
            # ends with its last line; else all that follows belongs to it.
            below = next((one.text for one in marked[at:] if one.text), "")
            if not below.startswith(QUOTE_MARKS):
                ends = (run.end for run in runs if run.start >= at and run.reaches_end)
                at = max(ends, default=len(lines))
        elif known.sign_off.match(line.text):
            at, kind = len(lines), UnreadKind.SIGN_OFF
        elif SIGNATURE.match(lines[start]) and _is_signature(
            lines, start, marked, introductions, sender_name
        ):
            # A quote may stand below it, and the reply to that below the quote.
            at = min((number for number in introductions if number > start), default=len(lines))
            kind = UnreadKind.SIGNATURE
        elif start in ours:
            kind = UnreadKind.OUR_LETTER
        elif not line.is_quoted and known.added.match(line.text):
            kind = UnreadKind.SIGNATURE
        elif not line.is_quoted:
            kept.append(lines[start])
            continue
        cuts.append((kind, start, at))
    _finish_own_words(kept, "", judge)
    return OwnWords("\n".join(kept).strip("\n"), _unread(lines, cuts, ours))


def _unread(
    lines: Sequence[str], cuts: Iterable[tuple[UnreadKind, int, int]], ours: set[int]
) -> tuple[Unread, ...]:
    """What was cut, each from a line up to another; neighbors of one kind together."""
    unread: list[Unread] = []
    for kind, start, end in cuts:
        # Of a quote what stands in no letter of ours: orders may have got into it.
        own = (n for n in range(start, end) if kind is not UnreadKind.QUOTE or n not in ours)
        cut = "\n".join(lines[number] for number in own)
        if unread and unread[-1].kind is kind:
            unread[-1] = Unread(kind, f"{unread[-1].text}\n{cut}"[:LONGEST_UNREAD])
        elif cut.strip():
            unread.append(Unread(kind, cut[:LONGEST_UNREAD]))
    return tuple(unread)


def _our_lines(lines: Sequence[str], marked: Sequence[Line], runs: Sequence[Run]) -> set[int]:
    """The lines of these runs, with marks on blank lines at their end, and links of our pages. Not
    those between marked quotes that happen to stand in our letter too, as a YES below the button:
    paragraphs without a mark, where others have one, are the writer's."""
    ours: set[int] = set()
    own: set[int] = set()
    for run in runs:
        ours.update(range(run.start, run.end))
        for number in range(run.end, len(lines)):
            if not lines[number].strip() or re.search(r"\w", lines[number]):
                break
            ours.add(number)
        # A bar stands before press in our own letters.
        is_marked = [line.text.startswith((">", "＞")) for line in marked[run.start : run.end]]
        paragraph: list[int] = []
        for number in range(run.start, run.end + 1) if any(is_marked) else ():
            if number < run.end and marked[number].text:
                paragraph.append(number)
                continue
            if not any(is_marked[one - run.start] for one in paragraph):
                own.update(paragraph)
            paragraph = []
    linked = (number for number, line in enumerate(lines) if "mailto:" in line)
    return (ours - own) | {number for number in linked if WRITTEN_LINK.match(lines[number])}


def _finish_own_words(kept: list[str], introduction: str, judge: Judge) -> None:
    """The writer's words end here: take away the line that a telephone put below them, and add what
    they wrote on the line on which a program began its introduction."""
    last = next((number for number in range(len(kept) - 1, -1, -1) if kept[number].strip()), 0)
    line = kept[last] if last else ""
    is_short = len(line.split()) <= DEVICE_WORDS and not DASHED.search(line)
    if is_short and DEVICE.search(line):
        del kept[last:]
    known = {opening.start() for opening in phrases().opening.finditer(introduction, 1)}
    patterns = (DAY, judge.name)
    found = {opening.start() for one in patterns for opening in one.finditer(introduction, 1)}
    for start in sorted(known | found):
        before = introduction[:start].strip(" <\"'(")
        if (
            re.search(r"\w{3}", before)
            and (start in known or (DASHED.search(before) and not DATE.search(before)))
            and not ADDRESS.search(before)
            and not judge.name.search(before)
        ):
            kept.append(before)
            return


def _press_ends(
    marked: Sequence[Line], introductions: dict[int, int], judge: Judge
) -> dict[int, int]:
    """For each line that opens press, the line after its end; none for press that is not closed.

    A closing word in the quoted letter closes nothing. All that stands below an introduction may be
    that letter, unless its lines are marked and it is not the judge's; an introduction without a
    name, address or date may be an ornament. Read upwards, so that a thousand openings take no
    longer than one.
    """
    known = phrases()
    ends: dict[int, int] = {}
    end: int | None = None
    for at in range(len(marked) - 1, -1, -1):
        if end is not None and (below := introductions.get(at)) is not None:
            named = " ".join(line.text for line in marked[at:below])
            is_told = any(one.search(named) for one in (ADDRESS, DATE, judge.name))
            quoted = next((line.text for line in marked[below:] if line.text), "")
            is_marked = quoted.startswith(QUOTE_MARKS)
            if (is_told and not is_marked) or judge.addresses.search(named):
                end = None
        elif marked[at].is_quoted:
            continue
        elif known.end_press.match(marked[at].text):
            end = at + 1
        elif end is not None and known.press.match(marked[at].text):
            ends[at] = end
    return ends


def _is_signature(
    lines: Sequence[str],
    at: int,
    marked: Sequence[Line],
    introductions: dict[int, int],
    sender_name: str,
) -> bool:
    """`-- ` begins one (RFC 3676 4.3). Without its space it may divide a letter: then it must show
    that a signature follows, by the writer's name or an address."""
    if lines[at].endswith((" ", "\u00a0")):
        return True
    below: list[str] = []
    for number in range(at + 1, len(lines)):
        if number in introductions or marked[number].is_quoted:
            break
        below += [marked[number].text] if marked[number].text else []
        if len(below) > LONGEST_SIGNATURE or DASHED.search(marked[number].text):
            return False
    if not below:
        return True
    names = {word.casefold() for word in re.findall(r"\w{2,}", sender_name)}
    words = {word.casefold() for word in re.findall(r"\w{2,}", below[0])}
    return bool(names & words) or any(CONTACT.search(line) for line in below)


# --- the judge's own words ------------------------------------------------------------------------


def _our_runs(lines: Sequence[str], parents: Iterable[str]) -> list[Run]:
    """The runs of lines that only repeat one of the parents, in their order. No other parent is
    looked at once all lines that are marked as quotes are explained."""
    keys = [_key(line) for line in lines[:MOST_LINES]]
    marked = {at for at, key in enumerate(keys) if key and lines[at].lstrip()[0] in ">＞"}
    found: list[Run] = []
    for parent in parents:
        # Its letters and digits, where paragraphs begin in them, and where prose lies.
        text = ""
        paragraphs: list[int] = []
        prose: list[tuple[int, int, int]] = []
        rows: set[tuple[int, int]] = set()
        is_blank = False
        for line in parent.split("\n"):
            key = _key(line)
            if key and is_blank:
                paragraphs.append(len(text))
            if len(key) >= PROSE:
                # A paragraph is one line, of which a reply may quote a part; a row counts whole.
                least = len(key) if line.startswith(" ") else PROSE
                prose.append((len(text), len(text) + len(key), least))
                if line.startswith(" "):
                    rows.add((len(text), len(text) + len(key)))
            text += key
            is_blank = not key

        at = 0
        while at < len(keys):
            if not keys[at] or keys[at] not in text:
                at += 1
                continue
            start, end, begin, until = _longest_repeat(keys, at, text)
            length = until - begin
            is_ours = length >= max(MOST_OF_LETTER * len(text), SHORTEST_RUN)
            # A row alone, without a mark, may be copied on purpose: a line that is offered.
            is_copied = (begin, until) in rows and at not in marked
            if not is_ours and not is_copied and length >= LEAST_QUOTED:
                is_ours = any(begin < one < until for one in paragraphs) or any(
                    min(until, other) - max(begin, one) >= least for one, other, least in prose
                )
            if is_ours:
                found.append(Run(start, end, until >= len(text) - SHORTEST_RUN))
                at = end
            else:
                at += 1
        if marked and marked.issubset(at for run in found for at in range(run.start, run.end)):
            break
    return sorted(found, key=lambda run: (run.start, run.end))


def _longest_repeat(keys: Sequence[str], at: int, text: str) -> tuple[int, int, int, int]:
    """The longest run that begins at a line: its lines, and where it stands in our letter."""
    best = (at, at, 0, 0)
    place = text.find(keys[at])
    for _ in range(MOST_PLACES):
        if place < 0:
            break
        end, until = at + 1, place + len(keys[at])
        for number in range(end, len(keys)):
            if not text.startswith(keys[number], until):
                break
            if keys[number]:
                end, until = number + 1, until + len(keys[number])
        if until - place > best[3] - best[2]:
            best = (at, end, place, until)
        place = text.find(keys[at], place + 1)
    return best


def _key(line: str) -> str:
    if line.isascii() and "mailto:" not in (low := line.lower()):
        return low.encode().translate(None, NOT_COMPARED_ASCII).decode()  # five times as fast
    return NOT_COMPARED.sub("", unicodedata.normalize("NFKC", line).casefold())
