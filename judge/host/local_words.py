"""How commands are said in other languages: data (`grammar/<language>/commands.toml`)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from judge.data import language_data
from judge.host.command import Command, Topic

GUIDES = {
    **dict.fromkeys(("rules", "rule"), "rules"),
    **dict.fromkeys(("syntax", "orders", "notation"), "syntax"),
    **dict.fromkeys(("variant", "variants", "board", "boards", "map"), "variant"),
    **dict.fromkeys(("houserules", "houserule", "settings"), "houserules"),
    **dict.fromkeys(("commands", "command", "index", "help"), "commands"),
}
LISTS = {
    "open": ("open", "forming"),
    "vacant": ("needs replacement", "need replacement", "replacement", "vacant", "abandoned"),
    "mine": ("mine", "my games", "my"),
    "full": ("full", "in full"),
    "after": ("after", "from"),
}
PROPOSALS = {
    "pause": ("pause", "break"),
    "replace": ("replace", "replacement of", "replacing"),
    "yes": ("for", "in favor", "in favour", "aye"),
    "no": ("against", "nay", "veto"),
}

CHOICES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "profiles": {"public": ("public",), "private": ("private",)},
    "reports": {"classic": ("classic",), "local": ("local",)},
    "formats": {
        "plain": ("plain", "text"),
        "html": ("html", "rich"),
        "both": ("both", "all"),
    },
    "attachments": {
        "map": ("map", "maps"),
        "chart": ("chart", "charts"),
        "calendar": ("calendar", "calendars", "ics", ".ics", "deadline", "deadlines"),
        "all": ("all", "every", "everything", "yes"),
        "none": ("none", "no", "nothing", "off"),
    },
}


def languages() -> Mapping[str, Mapping[str, Any]]:
    """The tables of every language: `words` by a command's rule, and others."""
    return language_data("commands.toml")


def said(rule: str) -> tuple[str, ...]:
    """The spellings of a command in the other languages, in upper case where there is one."""
    return tuple(
        word.upper() for table in languages().values() for word in table["words"].get(rule, ())
    )


def first_said(rule: str) -> dict[str, str]:
    """What a command is called first, by the other languages that have a word for it."""
    return {
        language: table["words"][rule][0]
        for language, table in languages().items()
        if rule in table["words"]
    }


def topic_words(topic: Topic) -> tuple[str, ...]:
    """What a part of HELP is called, in upper case where there is one."""
    tables = languages().values()
    local = [word for table in tables for word in table["topics"][topic]]
    return (topic.upper(), topic.upper().removesuffix("S"), *local)


def every_phase() -> tuple[str, ...]:
    """What `ALL` in `CLEAR ALL` is called in the other languages."""
    return tuple(word for table in languages().values() for word in table["every"]["phase"])


def units() -> Mapping[str, str]:
    """The letter of each unit of time (`w`, `d`, `h`, `m`) by its names in the other languages."""
    return {
        name: letter
        for table in languages().values()
        for letter, names in table["units"].items()
        for name in names
    }


def setting_values() -> Mapping[str, tuple[str, ...]]:
    """Values of settings, as `vacant`, by what they are called in the other languages; a word may
    stand for several, of which no one setting has two."""
    found: dict[str, tuple[str, ...]] = {}
    for table in languages().values():
        for value, names in (*table["values"].items(), *table["press_kinds"].items()):
            found |= {name: (*found.get(name, ()), value) for name in names}
    return found


def list_words() -> Mapping[str, tuple[str, ...]]:
    """What games LIST may be asked for, by all their names."""
    tables = languages().values()
    return {
        state: (*said, *(name for table in tables for name in table["lists"][state]))
        for state, said in LISTS.items()
    }


def choice_words(of: str) -> Mapping[str, str]:
    """What a player may choose for themselves, as one of `CHOICES`: the choice by all its names, in
    lower case where there is one."""
    names = {name: choice for choice, said in CHOICES[of].items() for name in said}
    for table in languages().values():
        names |= {name: choice for choice, said in table[of].items() for name in said}
    return names


def rollback_words() -> Mapping[str, bool]:
    """Whether the orders of a phase that is opened again are kept, by how that is said."""
    english = {
        f"{word}{end}": word in ("keep", "restore")
        for word in ("keep", "restore", "clear")
        for end in (" all orders", " the orders", " orders", "")
    }
    local = {
        word: kind == "keep"
        for table in languages().values()
        for kind, words in table["rollback"].items()
        for word in words
    }
    return {**english, **local}


def from_now_words() -> tuple[str, ...]:
    """What `FROM NOW` behind a changed schedule is called in the other languages."""
    return tuple(word for table in languages().values() for word in table["every"]["from_now"])


def any_game() -> tuple[str, ...]:
    """What `ANY` in `JOIN ANY` is called, in upper case where there is one."""
    tables = languages().values()
    return ("ANY", "?", *(word.upper() for table in tables for word in table["every"]["game"]))


def guide_words() -> Mapping[str, str]:
    """The pages of GET by what they are called, in lower case."""
    words = dict(GUIDES)
    for table in languages().values():
        words |= {name: page for page, names in table["guides"].items() for name in names}
    return words


def newcomers() -> tuple[str, ...]:
    """What `NEW` in `RELIABILITY >= 80 or NEW` is called in the other languages."""
    return tuple(word for table in languages().values() for word in table["every"]["newcomer"])


def proposal_words(what: str) -> tuple[str, ...]:
    """What can be proposed, `pause` or `replace`, and the `yes` and `no` of a vote, by all their
    names."""
    tables = languages().values()
    return (*PROPOSALS[what], *(name for table in tables for name in table["proposals"][what]))


def readers(who: str) -> tuple[str, ...]:
    """What `all` and `master` are called where press says who it is for; with `particles` what may
    stand at a name there."""
    return tuple(word.upper() for table in languages().values() for word in table["readers"][who])


def press_words(key: str) -> tuple[str, ...]:
    """How the line above press says something in the other languages, as `quiet` or `but`."""
    return tuple(word for table in languages().values() for word in table["press_words"][key])


def in_all_languages(command: Command) -> Command:
    """The command with its spellings in the other languages behind the English ones."""
    tables = languages().values()
    key = command.rule if command.rule in ("diary_record", "statement") else "press"
    ends = [end for table in tables for end in table["ends"][key]] if command.until else []
    return replace(
        command,
        words=(*command.words, *said(command.rule)),
        until=(*command.until, *ends),
    )
