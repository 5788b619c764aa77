"""The command language: one module a family; `COMMANDS` lists all of them."""

import difflib
from unicodedata import normalize

from judge.host.command import Command
from judge.host.commands.absences import COMMANDS as ABSENCES
from judge.host.commands.admission import COMMANDS as ADMISSION
from judge.host.commands.corrections import COMMANDS as CORRECTIONS
from judge.host.commands.endings import COMMANDS as ENDINGS
from judge.host.commands.guides import COMMANDS as GUIDES
from judge.host.commands.lists import COMMANDS as LISTS
from judge.host.commands.master import COMMANDS as MASTER
from judge.host.commands.master_of_seats import COMMANDS as MASTER_OF_SEATS
from judge.host.commands.observers import COMMANDS as OBSERVERS
from judge.host.commands.people import COMMANDS as PEOPLE
from judge.host.commands.phrases import COMMANDS as PHRASES
from judge.host.commands.players import COMMANDS as PLAYERS
from judge.host.commands.practice import COMMANDS as PRACTICE
from judge.host.commands.press import COMMANDS as PRESS
from judge.host.commands.questions import COMMANDS as QUESTIONS
from judge.host.commands.ratings import COMMANDS as RATINGS
from judge.host.commands.reports import COMMANDS as REPORTS
from judge.host.commands.seats import COMMANDS as SEATS
from judge.host.commands.settings import COMMANDS as SETTINGS
from judge.host.commands.signon import COMMANDS as SIGNON
from judge.host.commands.standbys import COMMANDS as STANDBYS
from judge.host.commands.statements import COMMANDS as STATEMENTS
from judge.host.commands.summaries import COMMANDS as SUMMARIES
from judge.host.commands.votes import COMMANDS as VOTES
from judge.host.letters.command_parser import LIKENESS, CommandParser
from judge.host.local_words import first_said, in_all_languages

SHORTEST = 2  # characters of a word that may be misspelt
MOST_MISSPELT = 2  # words of a line
_ALL = (
    *(*SIGNON, *QUESTIONS, *PLAYERS, *PEOPLE, *PRACTICE, *SEATS, *STANDBYS, *ABSENCES),
    *(*VOTES, *STATEMENTS, *PRESS, *PHRASES, *REPORTS, *LISTS, *OBSERVERS, *SUMMARIES, *RATINGS),
    *(*GUIDES, *MASTER, *ENDINGS, *CORRECTIONS, *SETTINGS),
    *(*MASTER_OF_SEATS, *ADMISSION),
)
COMMANDS: tuple[Command, ...] = tuple(map(in_all_languages, _ALL))
COMMAND_OF = {command.rule: command for command in COMMANDS}
COMMAND_PARSER = CommandParser(COMMANDS)


def nearest_command(written: str) -> Command | None:
    """The command that a line of one or two misspelt words may be, in any language."""
    words = {_spelled(word): one for one in COMMANDS for word in one.words if len(word) > SHORTEST}
    nearest = difflib.get_close_matches(_spelled(written), words, n=1, cutoff=LIKENESS)
    return words[nearest[0]] if nearest and len(written.split()) <= MOST_MISSPELT else None


def _spelled(words: str) -> str:
    """Words by their letters alone, those of Korean syllables too."""
    return normalize("NFD", "".join(one for one in words.upper() if one.isalpha()))


def shown_word(line: str, language: str) -> str:
    """A command line as a reader of that language knows it: `준비 완료 (READY)`."""
    named = (
        (word, one) for one in COMMANDS for word in one.words if f"{line} ".startswith(f"{word} ")
    )
    word, command = max(named, key=lambda found: len(found[0]), default=("", None))
    local = first_said(command.rule).get(language) if command else None
    return f"{local}{line.removeprefix(word)} ({line})" if local else line
