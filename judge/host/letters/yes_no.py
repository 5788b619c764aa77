"""Yes and no, as people write them in a reply to a question of the judge's: `네 맞습니다`, `好的`,
`はい、それで`, `yep, go ahead`, a thumb.

A sentence is cut into the phrases of `grammar/<language>/answers.toml`, the longest first. It is an
answer if nothing is left over: a no if it denies and nowhere agrees, a yes if it agrees (or only
asks for it, `please`) and nowhere denies. Whatever is more than that is no answer.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from unicodedata import normalize

from judge.data import language_data
from judge.host.letters.own_words import KANA, traditional_by_simplified

MOST_CHOICES = 9  # that a letter of the judge's numbers
LONGEST = 200  # characters of a line that may be an answer
SENTENCE_END = re.compile(r"(?<=[.!。！~…\n])\s*(?=\S)")
FIRST_PART = re.compile(r"([^,、，:;–—-]{1,30})[,、，:;–—-]+\s*(.*)\Z", re.DOTALL)
THUMBS = {"yes": "👍👌🙆✅☑✔🆗💯⭕🤝", "no": "👎🙅❌🚫✖🙈", "around": "🙏🙂😀😃😄😁😊😉👋🎉❤💪🫡"}
SIGNS = re.compile("[\\s.!,、，。！~…:;\"'()–—*_-]+|[\u200d\ufe0f♀♂\U0001f3fb-\U0001f3ff]+")
WORD = re.compile(r"\w+")


class Answer(StrEnum):
    """What an answer says; the values are the rules of the commands that carry it out."""

    YES = "yes"
    NO = "no"


def read_answer(line: str, names: Iterable[str] = ()) -> tuple[Answer | None, str]:
    """The answer that a line begins with, and what stands behind it.

    Behind a yes only whole sentences may stand: `Yes, but` is none. A line that only greets, or
    names the writer (`names`), is no answer, and nothing stands behind it. What stands behind is as
    it was written: dots within a word, as of an address or a date, end no sentence there.
    """
    if len(line) > LONGEST:
        return None, line
    own = frozenset(word.casefold() for name in names for word in name.split())
    text = line.strip()
    ends = [(end.start(), end.end()) for end in SENTENCE_END.finditer(text)]
    answer: Answer | None = None
    start = 0
    for end, after in (*ends, (len(text), len(text))):
        sentence = text[start:end]
        kinds = _kinds_in(sentence, own)
        if kinds is None or ("yes" in kinds and "no" in kinds):
            part = FIRST_PART.match(sentence)
            if answer is None and part and _kinds_in(part[1], own) == {"no"}:
                return Answer.NO, text[start + part.start(2) :]
            return answer, text[start:]
        agrees = "yes" in kinds or ("request" in kinds and answer is None)
        said = Answer.NO if "no" in kinds else Answer.YES if agrees else None
        if answer is not None and said not in (None, answer):
            return None, line
        answer = said or answer
        start = after
    return answer, ""


def behind_yes(line: str) -> str | None:
    """What stands behind the words that agree at a line's beginning; None if none do."""
    text, at, found = _plain(line), 0, set[str]()
    phrases, kind_of = _phrases(has_choices=False)
    while (part := SIGNS.match(text, at) or phrases.match(text, at)) is not None:
        found.add(kind_of.get("".join(part[0].split()), "around"))
        at = part.end()
    return text[at:] if "yes" in found and "no" not in found else None


def read_choice(line: str, most: int) -> int:
    """The number of what a line chooses out of so many, as `2`, `the second one, please` or `2번`.

    0 if it says anything else, or several numbers.
    """
    kinds = (
        _kinds_in(line, frozenset(), has_choices=True) if most and len(line) <= LONGEST else None
    )
    numbers = [int(one) for one in kinds or () if one.isdigit()]
    is_choice = len(numbers) == 1 and numbers[0] <= most and "no" not in (kinds or ())
    return numbers[0] if is_choice else 0


def has_doubt(text: str) -> bool:
    """Whether words below a yes deny something, or make it depend on something."""
    return _doubts().search(text) is not None


def _kinds_in(sentence: str, own: frozenset[str], *, has_choices: bool = False) -> set[str] | None:
    """The kinds of all phrases of a sentence, of a choice its number; None if it holds anything
    else."""
    text, at, found = _plain(sentence), 0, set[str]()
    phrases, kind_of = _phrases(has_choices=has_choices)
    while at < len(text):
        if (signs := SIGNS.match(text, at)) is not None:
            at = signs.end()
        elif (phrase := phrases.match(text, at)) is not None:
            found.add(kind_of["".join(phrase[0].split())])
            at = phrase.end()
        elif (word := WORD.match(text, at)) is not None and word[0] in own:
            at = word.end()
        else:
            return None
    return found


def _plain(text: str) -> str:
    text = normalize("NFKC", text).casefold().replace("\u2019", "'")
    return text if KANA.search(text) else text.translate(traditional_by_simplified())


@cache
def _phrases(*, has_choices: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    """Each phrase where it stands, Latin words whole, and others with or without spaces; and the
    kind of each, by the phrase without spaces."""
    kind_of: dict[str, str] = {}
    spelled: dict[str, int] = {}
    for table in (*language_data("answers.toml").values(), THUMBS):
        kinds = {kind: table.get(kind, ()) for kind in ("around", "request", "yes", "no")}
        for number in range(1, MOST_CHOICES + 1) if has_choices else ():
            ordinals = table.get("ordinals", [()] * number)[number - 1 : number]
            said = (one.format(n=number) for one in table.get("numbered", ()))
            kinds[str(number)] = (*said, *(one for each in ordinals for one in each))
        for kind, phrases in kinds.items():
            for phrase in phrases:
                words = _plain(phrase).split()
                kind_of["".join(words)] = kind
                end, gap = (r"(?![a-z0-9'])", r"\s+") if phrase.isascii() else ("", r"\s*")
                spelled[gap.join(map(re.escape, words)) + end] = len(phrase)
    longest_first = sorted(spelled, key=spelled.__getitem__, reverse=True)
    return re.compile("|".join(longest_first)), kind_of


@cache
def _doubts() -> re.Pattern[str]:
    words = [word for table in language_data("answers.toml").values() for word in table["doubt"]]
    spelled = (rf"\b{re.escape(one)}\b" if one.isascii() else re.escape(one) for one in words)
    return re.compile("|".join(spelled), re.IGNORECASE)
