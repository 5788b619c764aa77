"""A letter's lines sorted: commands, press with its text, and lines that may be orders.

Knows the spellings of commands; what orders look like is the rulebook's business.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from judge.data import language_data, read_text
from judge.grammars import parser_of
from judge.host.command import Command, CommandLine, Who
from judge.host.letters import own_words
from judge.host.letters.yes_no import Answer, has_doubt, read_answer, read_choice
from judge.host.local_words import meanings, words_in_all_languages
from judge.rulebook import DEFAULT_GAME, load_game

MOST_WORDS = 4  # a line of more words that does not parse as a command is taken for prose
MOST_LOOKED_AT = 1000  # lines of a letter; those below are no commands
LONGEST_COMMAND = 200  # characters
_FIELDS = meanings("fields")  # `이동` is `movement`
# `all in delay`, `4.A.2`, `이동`
_TEXTS = {"house rules", "house_rules", *(k for k, v in _FIELDS.items() if v == "house rules")}
_NAME = rf"[A-Za-z][A-Za-z _-]{{1,30}}?|\w{{1,8}}(?:\.\w{{1,8}}){{1,3}}|{'|'.join(_FIELDS)}"
FIELD = re.compile(rf"\s*({_NAME})\s*[:=\uff1a]\s*(\S.*)\Z", re.DOTALL)
_TEXT = re.compile(rf"\s*({'|'.join(_TEXTS)})\s*[:=\uff1a]\s*(.*)\Z", re.IGNORECASE | re.DOTALL)
_POLITE_WORDS = sorted(
    (word for table in language_data("language.toml").values() for word in table["polite"]),
    key=len,
    reverse=True,
)
_GAP = r"[\s,.!~、，。！]*+"
# The words of a variant behind `SIGNON ?balkan secret`, by which the old judges had consent shown.
_CONSENT = re.compile(r"^(sign ?on \?\S+ \S+) .*$", re.IGNORECASE)
# `RESIGN FRANCE@balkan secret`, as DPjudge has it in place of SIGNON.
_LEAVING = re.compile(r"(RESIGN|WITHDRAW)\s+(\w+@\S+\s+\S+)", re.IGNORECASE)
_POLITE = re.compile(
    rf"(?:{_GAP}(?:{'|'.join(map(re.escape, _POLITE_WORDS))}))+{_GAP}\Z", re.IGNORECASE
)
_END = (
    "(?![A-Za-z_\u3041-\u30ff\u3400-\u9fff가-힣])"  # of a word: 네 agrees, 네덜란드 is a province
)
_GAME_LINE = re.compile(r"([^:\uff1a]+?\s[^:\uff1a\s]+)\s*[:\uff1a]\s*(\S.*)\Z")
NAMING = {"game", "seat", "names", "topic", "phase"}  # arguments that any word may be taken for
_AMOUNT_OF = re.compile(r"\s*+([A-Za-z]+(?:[ _-][A-Za-z]+)*+)(?:\s*+[:=\uff1a]|\s)\s*+\d")
# A block of remarks, as on the old judges; without its last line it is none.
_REMARKS = re.compile(r"COMMENTS?\s+BEGIN|BEGIN\s+COMMENTS?", re.IGNORECASE)
_END_OF_REMARKS = (
    "END",
    "COMMENT END",
    "END COMMENT",
    "ENDCOMMENT",
    "COMMENTS END",
    "END COMMENTS",
)
# A line below CREATE that can only be a setting: `SET …`, `RULE …`, or several words in capitals.
_OLD_SETTING = re.compile(r"\s*(?:(?i:SET|RULE)\s+(\S.*)|([A-Z][A-Z0-9]*(?:[ _-][A-Z0-9]+)+))\Z")
# What a sentence asks for that begins with another command's word: `Say to everybody: well played`
# is no phrase of the book, `All my games should rest until June` no line for each of them.
BEHIND = {"say": ("press", "broadcast"), "all_games": ("absence", "vacation", "no_vacation")}
BESIDE = 0.8  # likeness of a sentence beside a request
# Settings of a game that a master may write without SET before them.
_PHASE_KINDS = tuple(kind.name for kind in load_game(DEFAULT_GAME).phase_kinds)
LENGTHS = (*_PHASE_KINDS, "grace", "reminder", "extension")
LIKENESS = 0.75  # of a first word to a command's, to ask whether it was meant


@dataclass(frozen=True, slots=True)
class BadCommand:
    """A line that is meant as a command and cannot be read as one."""

    written: str
    command: Command | None  # if it is known
    nearest: str = ""  # else what may be meant
    line: str = ""  # the whole line as it would be then
    others: tuple[str, ...] = ()  # lines that are less likely

    def may_mean(self, rule: str, words: Sequence[str]) -> bool:
        """Whether it is meant as the command of that rule, or may be."""
        return self.nearest in words if self.command is None else self.command.rule == rule


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that is no command: an order, or chat."""

    text: str
    is_parted: bool = field(default=False, compare=False)  # a blank line stands above it


@dataclass(frozen=True, slots=True)
class Remarks:
    """Lines that their writer has set aside: neither commands nor orders."""

    written: str


@dataclass(frozen=True, slots=True)
class Request:
    """A sentence that may ask for a command in its writer's own words."""

    written: str
    line: str  # in which it stands
    readings: tuple[own_words.Asked, ...]  # what it may ask for, the likeliest first
    commands: Mapping[str, Command] = field(compare=False, repr=False)  # by their rules
    # What other sentences of its line resemble without asking for it: `I said I was ready. Take
    # that back.`
    beside: tuple[own_words.Asked, ...] = ()

    @property
    def is_plain_request(self) -> bool:
        """Whether it asks for its first reading and says nothing else."""
        return self.readings[0].is_request and own_words.is_explained(self.readings[0])

    @property
    def changes(self) -> bool:
        """Whether it may ask to change something."""
        return any(self.commands[one.rule].changes for one in self.readings)


Item = CommandLine | BadCommand | TextLine | Remarks | Request


class CommandParser:
    """The command language: one grammar, put together from what each command declares."""

    def __init__(self, commands: Sequence[Command]) -> None:
        self._by_rule = {command.rule: command for command in commands}
        spelled = [(word, command) for command in commands for word in command.words]
        spelled.sort(key=lambda one: _letter_count(one[0]), reverse=True)
        self._opener = _opener([word for word, _ in spelled])
        self._spelled_by = [command for _, command in spelled]
        self._words = sorted({word.split()[0] for one in commands for word in one.words})
        self._any = ("ANY", "?", *map(str.upper, words_in_all_languages("every", "game")))

    @cached_property
    def _parser(self) -> Lark:
        """The grammar, with a rule and a keyword terminal for each command: made for the first
        command that is read, in a third of a second, as most runs of the program read none."""
        rules = [read_text("grammar", "commands.lark")]
        parsed = [command for command in self._by_rule.values() if not command.is_inline]
        for one in parsed:
            keyword = f"_{one.rule.upper()}"
            words = "|".join(map(_pattern, sorted(one.words, key=len, reverse=True)))
            rules.append(f"{one.rule}: {keyword} {one.arguments}")
            # The opener has seen where the words end; whole scripts here would cost lark half a
            # minute.
            is_name = re.match(r"\(?(?:game|seat|chair|topic)", one.arguments) is not None
            colon = "" if is_name else r"(?:\s*[:=\uff1a])?"  # `ARCHIVE NUMBER: 2026A`
            rules.append(f"{keyword}.2: /(?:{words})(?![A-Za-z_]){colon}/i")
        return parser_of("\n".join(rules) + "\n", [one.rule for one in parsed])

    def read(
        self, body: str, asked: Sequence[str] | None = None, choices: int = 0
    ) -> tuple[Item, ...]:
        """All lines of a letter's body that are not blank, in order; never raises.

        `asked`: the letter replies to a question, and these are its writer's names. It answers in
        any words, once; greetings are left out. `choices`: so many commands that question names.
        """
        lines = body.splitlines()
        items: list[Item] = []
        searched: list[str] = []  # lines that may ask for something in their writer's own words
        at, is_parted, may_close = 0, False, True
        while at < len(lines):
            line, at = lines[at].strip(), at + 1
            if not line:
                is_parted = True
                continue
            if line.startswith("//"):  # a comment, as on the old judges
                continue
            if (";" in line or "；" in line) and (several := self._commands_in(line)):
                lines[at - 1 : at] = several
                line = several[0]
            if may_close and _REMARKS.fullmatch(line):
                text, may_close, end = _take_block(lines, at, _END_OF_REMARKS)
                if may_close:  # else no later block has a last line either
                    items.append(Remarks(text))
                    at = end
                    continue
            if len(items) >= MOST_LOOKED_AT:
                items.append(TextLine(line))
                continue
            if asked is not None:
                if choice := read_choice(line, choices):
                    agreed = {"answer": Answer.YES, "choice": str(choice)}
                    items.append(CommandLine(self._by_rule["yes"], agreed, line))
                    continue
                answer, rest = read_answer(line, asked)
                if answer is not None:
                    items.append(CommandLine(self._by_rule["yes"], {"answer": answer}, line))
                if not (line := rest):
                    continue
                lines[at - 1] = line
            if (opened := self._leading_command(line)) is not None:
                is_reply = asked is not None
                found, at = self._read_command(lines, at, opened, searched, is_reply=is_reply)
                items += found
            elif not (line.isascii() and line.isupper()) and (
                found := self._in_own_words(line, searched)
            ):
                items += found
            elif any(sign in line for sign in "-–—>→"):  # an order
                items.append(TextLine(line, is_parted))
            else:
                items.append(self._text_or_misspelled_command(line, is_parted=is_parted))
            is_parted = False
        if asked is None:
            return tuple(items)

        # Of several answers the first; none where they contradict each other, or where the words
        # beside a yes take it back.
        answers = [one for one in items if answer_of([one])]
        says_more = any(isinstance(one, TextLine) and has_doubt(one.text) for one in items)
        said = {answer_of([one]) for one in answers}
        chosen = {one.arguments.get("choice") for one in answers if isinstance(one, CommandLine)}
        if len(said) > 1 or len(chosen - {None}) > 1 or (Answer.YES in said and says_more):
            return with_answers_as_text(items)
        return tuple(one for one in items if one not in answers or one is answers[0])

    def _read_command(
        self, lines: list[str], at: int, opened: Command, searched: list[str], *, is_reply: bool
    ) -> tuple[Sequence[Item], int]:
        """Read the line above `at`, which begins with the words of a command: its items, and where
        the next line begins."""
        line, opened = self._split_double_line(lines, at - 1, opened)
        arguments: dict[str, str] | None = None
        near: BadCommand | TextLine | None = None
        if opened.is_inline:
            fields, end = self._inline_fields(opened, lines, at - 1)
            if fields:
                written = "\n".join(one.strip() for one in lines[at - 1 : end])
                return [CommandLine(opened, {}, written, fields=fields)], end
            near = _near_field(opened, line)
        else:
            arguments = self._parse(line, opened.rule)
            if (arguments or {}).keys() <= {*NAMING, "coming"}:
                cut = polite_words_cut(line)  # polite words belong to no argument
                if cut != line and (polite := self._parse(cut, opened.rule)) is not None:
                    arguments = polite

        # Lines below PRESS are not for the judge.
        is_plain = bool(opened.until) or (line.isascii() and line.isupper())
        is_plain = is_plain or (isinstance(near, BadCommand) and bool(near.nearest))
        if arguments is not None:
            is_any = opened.rule == "join" and arguments.get("game", "").upper() in self._any
            is_plain = is_plain or is_any or not arguments
        if not is_plain and (said := self._in_own_words(line, searched, opened.rule, arguments)):
            return said, at

        item: Item
        if near is not None:
            is_alone = not _opener(opened.words).sub("", line).strip(" .!?")  # SET: what is set
            item = CommandLine(self._by_rule["whois"], {}, line) if is_alone else near
        elif arguments is None:
            is_long = len(line.split()) > MOST_WORDS or opened.rule == "choose_game"
            is_prose = is_long or own_words.is_chat(line)  # `Who would have thought!`
            is_prose = is_prose and not line.split()[0].isupper()
            is_said = is_reply and opened.rule == "yes"  # `OK, but`
            item = TextLine(line) if is_said or is_prose else BadCommand(line, opened)
        elif opened.until:
            text, closed, at = _take_block(lines, at, opened.until)
            item = CommandLine(opened, arguments, line, text=text, closed=closed)
        else:
            below: dict[str, str] = {}
            if opened.fields:
                names, flags = opened.fields, opened.flags
                below, at = _take_fields(lines, at, names, flags, self._is_other_command)
            item = CommandLine(opened, arguments, line, fields=below)
        return [item], at

    def _split_double_line(self, lines: list[str], at: int, opened: Command) -> tuple[str, Command]:
        """Split a line that holds two, as `GAME balkan: RESUME` or `PRESS TO ENGLAND: hello`. The
        second is put below it in `lines`; returned are the first and the command it begins with."""
        line = lines[at].strip()
        if opened.rule == "choose_game" and (both := _GAME_LINE.match(line)):
            lines[at : at + 1] = both.groups()
            return both[1], opened
        if leaving := _LEAVING.fullmatch(line):
            line = f"SIGNON {leaving[2]}"
            lines[at : at + 1] = line, leaving[1]
            return line, self._by_rule["sign_on"]
        if opened.who is not Who.READER or not opened.until:
            return line, opened
        head, text = map(str.strip, re.split("[:\uff1a]", f"{line}:", maxsplit=1))
        text = text.removesuffix(":")
        if not text or self._parse(head, opened.rule) is None:
            return line, opened
        lines[at : at + 1] = head, text
        # Press ends with this line if nothing, a blank line or a command stands below it, and no
        # closing word that may be its own.
        below, closing = lines[at + 2 :], _closing(opened.until)
        is_one_line = (
            not below or not (first := below[0].strip()) or bool(self._leading_command(first))
        )
        for other in below:
            closes, command = closing.match(other), self._leading_command(other.strip())
            if closes or (command is not None and command.until):
                is_one_line = is_one_line and not closes
                break
        if is_one_line:
            lines.insert(at + 2, opened.until[0])
        return head, opened

    def _leading_command(self, line: str) -> Command | None:
        """The command whose words a line begins with, the longest of them."""
        match = self._opener.match(line)
        return self._spelled_by[match.lastindex - 1] if match and match.lastindex else None

    def _commands_in(self, line: str) -> list[str]:
        """`JOIN balkan; PREFER ITALY` as lines; none if not all parts of it are commands."""
        parts = [one.strip() for one in re.split("[;；]", line) if one.strip()]
        if len(parts) < 2 or (opened := self._leading_command(parts[0])) is None or opened.until:
            return []
        opened_by = [self._leading_command(part) for part in parts]
        are_commands = all(
            one is not None and not one.is_inline and self._parse(part, one.rule) is not None
            for one, part in zip(opened_by, parts, strict=True)
        )
        return parts if are_commands else []

    def _is_other_command(self, line: str) -> bool:
        """Whether a line begins with the words of a command that is not followed by a setting."""
        opened = self._leading_command(line)
        return opened is not None and not opened.is_inline

    def _inline_fields(
        self, command: Command, lines: Sequence[str], at: int
    ) -> tuple[dict[str, str], int]:
        """The fields behind the words of a command and in the lines below it, up to one that is
        none or another command; and where these end."""
        names = (*command.fields, *command.flags, *_FIELDS)
        known, opener, block = {*map(_plain, names)}, _opener(command.words), list[str]()
        in_text = False
        for line in map(str.strip, lines[at:]):
            text = line[opened.end() :] if (opened := opener.match(line)) else line
            field, other = FIELD.match(text), self._leading_command(line)
            is_known = field is not None and _plain(field[1]) in known
            in_text = in_text and bool(line) and other is None and not is_known
            if not (is_known or in_text) and (field or other is not command):
                break
            block.append(text)
            in_text = in_text or _TEXT.match(text) is not None
        fields, taken = _take_fields(block, 0, names, command.flags)
        return fields, at + taken

    def _in_own_words(
        self,
        line: str,
        searched: list[str],
        rule: str = "",
        arguments: Mapping[str, str] | None = None,
    ) -> list[Item]:
        """What a line's sentences may ask for; none below so many lines that were `searched`.
        `arguments`: it is the command of that rule with these, unless it is said better: `현황
        알려주세요` names no game."""
        if len(searched) == own_words.MOST_SENTENCES:
            return []
        searched.append(line)
        items: list[Item] = []
        for sentence in own_words.sentences(line):
            request = self.request(sentence, line)
            best = request.readings[0] if request else None
            if arguments is not None and not _is_said_better(sentence, best, rule, arguments):
                return []
            if request is not None:
                items.append(request)
            elif not own_words.is_polite(sentence):
                items.append(TextLine(sentence))
        requests = [one for one in items if isinstance(one, Request)]
        if len(requests) == 1 and len(items) > 1:
            others = [
                self.request(one.text, line, is_alone=True)
                for one in items
                if isinstance(one, TextLine)
            ]
            beside = (one.readings[0] for one in others if one)
            likely = tuple(one for one in beside if one.likeness >= BESIDE)
            items[items.index(requests[0])] = replace(requests[0], beside=likely)
        elif len(requests) > 1:  # `UTC confuses me` is the reason of another request
            items = [
                one for one in items if one not in requests or not own_words.is_puzzled(one.written)
            ] or items
        is_read = arguments is not None or bool(requests)
        return items if is_read else []

    def request(self, sentence: str, line: str, *, is_alone: bool = False) -> Request | None:
        """What a sentence may ask for in its writer's own words; None if nothing. is_alone: the
        letter holds nothing else, so that it may only resemble what others ask for."""
        sentence, line = own_words.plain(sentence), own_words.plain(line)
        found = own_words.readings(sentence, is_alone=is_alone)
        known = tuple(one for one in found if one.rule in self._by_rule)
        is_guess = is_alone and not own_words.is_polite(sentence)  # a greeting asks for nothing
        is_read = bool(known) and (is_guess or any(one.has_pattern for one in known))
        return Request(sentence, line, known, self._by_rule) if is_read else None

    def _text_or_misspelled_command(self, line: str, *, is_parted: bool) -> TextLine | BadCommand:
        """A line that begins with no command, unless its first word is nearly one."""
        text, words = TextLine(line, is_parted), line.split()
        first = words[0].upper()
        is_short = 1 < len(words) <= MOST_WORDS and len(first) > 3 and first.isascii()
        if not is_short or {first, first.removesuffix("S")} & {*self._words}:  # `Orders for France`
            return text
        known = [word for word in self._words if word[0] == first[0] and len(word) > 3]
        nearest = difflib.get_close_matches(first, known, n=1, cutoff=LIKENESS)
        meant = nearest[0] + line[len(first) :] if nearest else ""
        if meant and self._leading_command(meant):  # `What's up` is no WHAT IF
            return BadCommand(line, None, nearest[0], meant)
        return text

    def _parse(self, line: str, rule: str) -> dict[str, str] | None:
        """The arguments by name; None if the line does not parse as the command of that rule."""
        if len(line) > LONGEST_COMMAND:
            return None
        try:
            tree = self._parser.parse(_CONSENT.sub(r"\1", line).rstrip(".!。！ "), rule)
        except LarkError:
            return None
        return {
            str(child.data): " ".join(str(one) for one in child.children if isinstance(one, Token))
            for child in tree.children
            if isinstance(child, Tree)
        }


def together(line: str, requests: Sequence[Request]) -> Request | None:
    """What several sentences of a line may ask for, as one request; None if nothing."""
    if len(requests) < 2:
        return requests[0] if requests else None
    readings = sorted(
        (one for each in requests for one in each.readings), key=lambda one: -one.rank
    )
    return replace(requests[0], written=own_words.plain(line), readings=tuple(readings))


def polite_words_cut(line: str) -> str:
    """A line without `please` and the like behind it."""
    return _POLITE.sub("", line[:LONGEST_COMMAND])


def _plain(name: str) -> str:
    """`Not-On` as `not on`."""
    return re.sub(r"[\s_-]+", " ", name.strip().casefold())


def _near_field(command: Command, line: str) -> BadCommand | TextLine:
    """`SET movment 3d` with the setting that may be meant; a sentence that begins with the word is
    none."""
    first, *words = line.split()
    for count in (1, 2, 3):
        name = _plain(" ".join(words[:count]).strip(":=：＝"))
        near = difflib.get_close_matches(name, command.fields, n=1, cutoff=LIKENESS)
        if near:
            nearest = " ".join((first.upper(), near[0], *words[count:]))
            return BadCommand(line, command, nearest, nearest)
    is_short = len(words) <= 2  # `set foobar 3`
    return BadCommand(line, command) if first.isupper() or is_short else TextLine(line)


def is_length_setting(text: str) -> bool:
    """Whether a line is a setting of a game with a length of time, without SET before it:
    `grace: 12 hours`."""
    found = _AMOUNT_OF.match(text)
    return found is not None and _plain(found[1]) in LENGTHS


def answer_of(items: Iterable[Item]) -> Answer | None:
    """What a reply says to the question that it answers."""
    answers = (one for one in items if isinstance(one, CommandLine) and one.command.rule == "yes")
    return next((Answer(one.arguments.get("answer", "yes")) for one in answers), None)


def with_answers_as_text(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items with every answer turned into a line of text: the reply cannot be an answer."""
    return tuple(
        TextLine(one.written) if isinstance(one, CommandLine) and answer_of([one]) else one
        for one in items
    )


def _is_said_better(
    sentence: str, asked: own_words.Asked | None, rule: str, arguments: Mapping[str, str]
) -> bool:
    """Whether own words tell more than a command with names: `status please` names nothing, and
    `draw: how do I vote?`, `list of players` or `투표 취소합니다` turns the command into another.
    What stands behind LIST and HELP is looked up there. A line without a request is better left
    alone if it is like chat: `무승부 하자는 터키는 믿으면 안 되죠`."""
    if meant := BEHIND.get(rule):
        return asked is not None and asked.rule in meant and asked.has_pattern
    is_undated = rule in ("absence", "vacation") and not own_words.has_time(sentence)
    if asked is not None and is_undated and asked.rule != rule:
        return asked.has_pattern
    naming = {*NAMING, "coming", "time"} if asked is None else NAMING
    if asked is not None and asked.rule == rule:
        naming = {*NAMING, "coming"}  # `지도 좀 보내주세요`
    if not arguments.keys() <= naming:
        return False
    texts = [*arguments.values()]
    is_name = all(text.isascii() and len(text.split()) == 1 for text in texts)  # `CREATE korean`
    if asked is None:
        is_long = all(len(one.split()) > 2 if one.isascii() else len(one) > 3 for one in texts)
        is_prose = is_undated or own_words.is_chat(sentence)  # `Holiday was cold and wet`
        return is_long and is_prose and not sentence.split()[0].isupper()
    is_explained = own_words.is_explained(asked)
    if asked.rule == rule:
        is_wish = asked.has_form and not any(text.isascii() for text in texts)
        is_wish = is_wish and arguments.keys() <= {"game", "seat"}
        is_meant = is_wish or (is_explained and (asked.is_request or asked.is_plain))
        is_looked_up = asked.rule in ("list", "help") and (is_name or not asked.has_form)
        if "address" in asked.required:  # `邀請 ann@example.org 來玩這局`
            named = own_words.ADDRESS.findall(sentence)
            return len(named) == 1 and not own_words.ADDRESS.sub("", texts[0]).isascii()
        return is_meant and not is_looked_up
    if any(map(own_words.asks_or_denies, texts)):
        return is_explained or asked.has_pattern
    return is_explained and asked.has_pattern and asked.has_form and not is_name


def _pattern(words: str) -> str:
    """`SET NO WAIT` in any case and spacing, as the old judges read it."""
    return r"\s*".join(re.escape(part) for part in words.split())


def _letter_count(words: str) -> int:
    return len("".join(words.split()))


def _opener(spelled: Sequence[str]) -> re.Pattern[str]:
    """Reads the longest of these words at the beginning of a line, an empty group behind each."""
    by_length = sorted(spelled, key=_letter_count, reverse=True)
    words = "|".join(f"{_pattern(word)}()" for word in by_length)
    return re.compile(rf"(?:{words}){_END}", re.IGNORECASE)


def _closing(until: Sequence[str]) -> re.Pattern[str]:
    """Reads a line that is one of these closing words."""
    return re.compile(rf"\s*(?:{'|'.join(_pattern(word) for word in until)})\s*[.!]?\s*\Z", re.I)


def _take_block(lines: Sequence[str], at: int, until: Sequence[str]) -> tuple[str, bool, int]:
    """The lines up to the closing word; not closed: only that is known, and nothing is taken."""
    closing = _closing(until)
    for end in range(at, len(lines)):
        if closing.match(lines[end]):
            return "\n".join(lines[at:end]).strip("\n"), True, end + 1
    return "\n".join(lines[at:]).strip("\n"), False, len(lines)


def _take_fields(
    lines: Sequence[str],
    at: int,
    names: Sequence[str],
    flags: Sequence[str] = (),
    is_other_command: Callable[[str], bool] = bool,
) -> tuple[dict[str, str], int]:
    """`name: value` lines up to END, a blank line after the first of them, or another line. A name
    that is given twice has its values one below the other; a text goes on to the next setting. With
    flags, a line that looks like an old setting is one that is not known."""
    fields: dict[str, str] = {}
    known, single = (
        "|".join(r"[\s_-]+".join(map(re.escape, _plain(one).split())) for one in each)
        for each in (names, flags)
    )
    is_field = re.compile(rf"\s*(?:{known}|{'|'.join(_FIELDS)})\s*[:=\uff1a]", re.IGNORECASE)
    bare = re.compile(rf"\s*(?:SET\s+)?({known})\s+(\S.*)\Z", re.IGNORECASE | re.DOTALL)
    flag = re.compile(rf"\s*(?:(?:SET|RULE)\s+)?({single})\s*()\Z", re.IGNORECASE)
    several = re.compile(rf"\s*RULES?((?:[\s,]+(?:{single})(?![\w-]))+)\s*\Z", re.IGNORECASE)
    while at < len(lines):
        line = lines[at].strip()
        if line.upper() == "END":
            return fields, at + 1
        if text := _TEXT.match(line):
            said = [text[2]] if text[2] else []
            while at + 1 < len(lines) and (below := lines[at + 1].strip()):
                if below.upper() == "END" or is_field.match(below):
                    break
                said.append(below)
                at += 1
            fields["house rules"] = "\n".join((*fields.get("house rules", "").splitlines(), *said))
            at += 1
            continue
        if rules := several.match(line) if flags else None:
            names_of = re.findall(rf"(?:{single})(?![\w-])", rules[1], re.IGNORECASE)
            fields |= dict.fromkeys(names_of, "yes")
            at += 1
            continue
        match = (flag.match(line) if flags else None) or FIELD.match(line) or bare.match(line)
        if match:
            name = str(match[1])
            field, value = _FIELDS.get(name, name), str(match[2]) or "yes"
            lines_of = fields.get(field, value).splitlines()
            fields[field] = "\n".join(dict.fromkeys((*lines_of, value)))
        elif flags and (old := _OLD_SETTING.match(line)) and not is_other_command(line):
            fields[old[1] or old[2]] = "yes"
        elif line or fields:
            break
        at += 1
    return fields, at
