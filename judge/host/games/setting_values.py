"""One setting of a game: its names, and what its value may be, as people write them."""

import difflib
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from enum import StrEnum

from msgspec.structs import replace

from judge.clock import parse_duration
from judge.data import language_data
from judge.host.command import N_
from judge.host.games.press_rules import SETTINGS as PRESS_SETTINGS
from judge.host.games.press_rules import choose_press, find_press_setting, value_said
from judge.host.letters.registering import find_language
from judge.host.local_words import meanings, words_in_all_languages
from judge.host.messages.command_answers import SettingFault
from judge.host.schedules.scheduling import FOR_ALL, KIND_EXAMPLES, choose_for_all, choose_schedule
from judge.rulebook import Option, Options, Refused, Rulebook
from judge.store import (
    Ballots,
    Control,
    Dealing,
    Fact,
    GameSettings,
    Level,
    Missing,
    Naming,
    OnAbsence,
    Reveal,
    Scoring,
    Seasons,
    Sight,
    Unordered,
    Unplayed,
    VotesLast,
    Waits,
)

# Beside the lengths of phases.
DURATIONS = (
    *("grace", "reminder", "all_in_delay", "confirm"),
    *("absence", "extension", "statements", "last_reminder"),
)
YES_NO = {word: said == "yes" for word, said in meanings("yes_no").items()}
SYNONYMS = meanings("synonyms")
NEAR_VALUES = meanings("near_values")
AMOUNT = re.compile(r"(?<!\d)(\d++)\s*+([^\W\d]++)(?:\s*+(?:,|and)\s*+)?")
LANGUAGES = [code for code, each in language_data("language.toml").items() if each.get("names")]
# `>= 80 or NEW`, `80%`: the percentage that a player needs, and whether newcomers are excused.
NEWCOMER = "|".join(("new", *words_in_all_languages("every", "newcomer")))
RELIABILITY = re.compile(
    rf"(?:>=|\u2265)?\s*(100|\d?\d)\s*%?\s*(\W*(?:or\s+)?(?:{NEWCOMER}))?", re.IGNORECASE
)
# Settings that take one word, and the field that they fill; `see_late` is one fact's sight.
WORDS: Mapping[str, type[StrEnum]] = {
    "missing": Missing,
    "on_absence": OnAbsence,
    "seasons": Seasons,
    "powers": Dealing,
    "names": Naming,
    "unplayed": Unplayed,
    "ballots": Ballots,
    "votes_last": VotesLast,
    "proposer": Naming,
    "process": Control,
    "start": Control,
    "reveal": Reveal,
    "scoring": Scoring,
    "waits": Waits,
    "unordered": Unordered,
    "level": Level,
    **{f"see_{fact}": Sight for fact in Fact},
}
# Settings that say yes or no.
FLAGS = (
    *("standby", "rated", "previews", "deadlines", "early", "listed", "approval"),
    *("late_changes", "strict_grace", "late_count", "again", "open_orders", "blind"),
)
ELSEWHERE = meanings("other_settings")  # of the old judges, and what does here what they did
COUNTS = {"excused": 10}  # settings that take a number, and the highest
SEPARATORS = re.compile("[,;\uff0c\u3001\uff1b]")
LIKENESS = 0.75  # of an unknown setting to an option's key, to take it for that
FARTHEST = 3  # settings that are named where none is like it
NEAREST = 5  # options that are named where none is of that name
MOST_COMMENT = 120
TEXTS = {"comment": MOST_COMMENT, "house_rules": 4000}  # and their most characters
ENTRY = ("allow", "deny")  # lists of who may join, and who may not
ENTRY_OF_LIST = re.compile(r"[^\s@,;]*@[^\s@,;]+\.[^\s@,;]+|[^\s@,;]+@[^\s@,;]+")
WORD = re.compile(r"\S{3,40}")
LONGEST = timedelta(days=60)
SHORTEST = timedelta(0)


def known_settings(rulebook: Rulebook, variant: str) -> tuple[str, ...]:
    """What may be set in a game of a variant."""
    own = (option.key for option in rulebook.variant_options(variant))
    return (*setting_names(rulebook), *own)


def setting_names(rulebook: Rulebook) -> tuple[str, ...]:
    """The settings that every game has, beside single rules and the options of its variant."""
    return (
        *("preset", "variant", "rules", "language", "house rules", "reliability"),
        *("press", *PRESS_SETTINGS, *WORDS, *COUNTS, "dummies", "not before"),
        *(*FLAGS, "comment", "join word", *ENTRY),
        *(*_duration_settings(rulebook), *(one.replace("_", " ") for one in FOR_ALL)),
        *dict.fromkeys(vote.setting for vote in rulebook.votes),
    )


def choose_value(
    rulebook: Rulebook, settings: GameSettings, key: str, value: str
) -> GameSettings | SettingFault:
    if key in ELSEWHERE:
        return SettingFault(key, value, "elsewhere", (ELSEWHERE[key],))
    if key in (
        "deadlines",
        first := phase_kind_names(rulebook)[0],
    ):  # `deadline: none`, `deadlines: 3d`
        key = {True: "deadlines", False: "deadlines", None: first}[yes_or_no(value)]
    if key in FOR_ALL:
        return choose_for_all(settings, key, value)
    if key in TEXTS:
        if len(value) > TEXTS[key]:
            return SettingFault(key, value, "too_long", (str(TEXTS[key]),))
        return replace(settings, **{key: value})
    if key in ENTRY:
        said = value.lower().removeprefix("player").removeprefix("s ")  # as on the old judges
        entries = tuple(one.strip(" <>") for one in re.split(r"[,;\s]+", said) if one)
        wrong = [one for one in entries if ENTRY_OF_LIST.fullmatch(one) is None]
        if yes_or_no(value) is not False and wrong:
            return SettingFault(key, wrong[0], "no_address")
        return replace(settings, **{key: () if wrong else tuple(dict.fromkeys(entries))})
    if key == "join_word":
        if WORD.fullmatch(value) is None and yes_or_no(value) is not False:
            return SettingFault(key, value, "no_word")
        return replace(settings, join_word="" if yes_or_no(value) is False else value)
    if key in _duration_settings(rulebook):
        return _choose_duration(rulebook, settings, key, value)
    if (of_press := find_press_setting(key)) is not None:
        return choose_press(settings, of_press, value)
    ends = [vote for vote in rulebook.votes if vote.setting == key]
    if ends or key in FLAGS:
        more = [one.value for one in ends if one.value]
        word = value_said(value, more)
        is_allowed = word in more or yes_or_no(value)
        if is_allowed is None:
            return SettingFault(key, value, "bad_option", ("yes", "no", *more))
        if key in FLAGS:
            return replace(settings, **{key: is_allowed})
        allowed = {*settings.votes} - {one.name for one in ends}
        allowed |= {one.name for one in ends if is_allowed and one.value in ("", word)}
        votes = tuple(vote.name for vote in rulebook.votes if vote.name in allowed)
        return replace(settings, votes=votes)
    if key in WORDS:
        word = value_said(value, list(WORDS[key]))
        word = NEAR_VALUES.get(word, word)
        if word not in list(WORDS[key]):
            return SettingFault(key, value, "bad_option", tuple(WORDS[key]))
        if key.startswith("see_"):
            fact = Fact(key.removeprefix("see_"))
            return replace(settings, sight={**settings.sight, fact: Sight(word)})
        return replace(settings, **{key: WORDS[key](word)})
    if key in COUNTS:
        if not value.isdecimal() or int(value) > COUNTS[key]:
            return SettingFault(key, value, "bad_option", (f"0 - {COUNTS[key]}",))
        return replace(settings, **{key: int(value)})
    if key == "language":
        known = tuple(LANGUAGES)
        language = "" if value.lower() == "any" else find_language(value, known)
        if language is None:
            return SettingFault(key, value, "bad_option", ("any", *known))
        return replace(settings, language=language)
    if key == "reliability":
        asked = RELIABILITY.fullmatch(value)
        if asked is None:
            return SettingFault(key, value, "bad_option", ("80", "80 or NEW"))
        return replace(settings, reliability=int(asked[1]), takes_new=asked[2] is not None)
    if key == "variant":
        named = variant_named(rulebook, value)
        if named is None:
            return SettingFault(key, value, "no_variant", rulebook.variants())
        kept = settings.options if named == settings.variant else ()
        return replace(settings, variant=named, options=kept)
    if key == "rules":
        if value.lower() in rulebook.rule_presets():
            return replace(settings, rules=value.lower())
        return SettingFault(key, value, "no_rules", rulebook.rule_presets())
    near = near_options(rulebook, settings.variant, key)
    if near:
        return _choose_option(rulebook, settings, key, value, near)
    names = known_settings(rulebook, settings.variant)
    likely = difflib.get_close_matches(key, names, n=NEAREST, cutoff=LIKENESS)
    nearest = likely or difflib.get_close_matches(key, names, n=FARTHEST, cutoff=0)
    if key == "options":
        nearest = [option.key for option in rulebook.variant_options(settings.variant)]
    return SettingFault(key, value, "no_setting", tuple(nearest))


def near_options(rulebook: Rulebook, variant: str, key: str) -> tuple[Option, ...]:
    """The option of that key; if there is none, those whose keys are near, in order."""
    all_options = (*rulebook.variant_options(variant), *rulebook.rule_options())
    options = {plain_name(option.key): option for option in all_options}
    if plain_name(key) in options:
        return (options[plain_name(key)],)
    near = difflib.get_close_matches(plain_name(key), list(options), n=NEAREST, cutoff=LIKENESS)
    return tuple(option for plain, option in options.items() if plain in near)


def _choose_option(
    rulebook: Rulebook, settings: GameSettings, key: str, value: str, near: Sequence[Option]
) -> GameSettings | SettingFault:
    option = near[0]
    if plain_name(option.key) != plain_name(key):
        return SettingFault(key, value, "no_option", tuple(one.key for one in near))
    options, is_rule = rulebook.rule_options(), option in rulebook.rule_options()
    if is_rule:
        named = [one for one in option.values if plain_name(one) == plain_name(value)]
        kept = named[0] if named else None
    else:
        options, said = rulebook.variant_options(settings.variant), value_said(value, option.values)
        written = said if said in (*option.values, "yes", "no") else value
        try:
            kept = rulebook.option_value(settings.variant, option.key, written)
        except Refused:
            kept = None
    if kept is None:
        return SettingFault(key, value, "bad_option", option.values)
    # The choices with one more, in the order of the options.
    values = {**dict(settings.choices if is_rule else settings.options), option.key: kept}
    chosen = tuple((one.key, values[one.key]) for one in options if one.key in values)
    return replace(settings, **{"choices" if is_rule else "options": chosen})


def _choose_duration(
    rulebook: Rulebook, settings: GameSettings, key: str, value: str
) -> GameSettings | SettingFault:
    if key == "absence" and value.isdecimal():
        value += "d"  # as on the old judges
    letters, is_kind = meanings("units"), key in phase_kind_names(rulebook)

    def in_letters(amount: re.Match[str]) -> str:
        """`3일` as `3d`."""
        return f"{amount[1]}{letters.get(amount[2].lower(), amount[2])} "

    try:
        duration = parse_duration(AMOUNT.sub(in_letters, value))
    except ValueError:
        duration = None
    if not is_kind and yes_or_no(value) is False:
        duration = SHORTEST
    if is_kind and duration is None:
        return choose_schedule(settings, key, value)
    if duration is None or not SHORTEST <= duration <= LONGEST or (is_kind and not duration):
        examples = KIND_EXAMPLES if is_kind else (N_("30m"), N_("24h"), N_("3d"))
        return SettingFault(key, value, "bad_duration", examples)
    if not is_kind:
        return replace(settings, **{key: duration})
    schedules = {kind: own for kind, own in settings.schedules.items() if kind != key}
    lengths = {**settings.lengths, key: duration}
    return replace(settings, lengths=lengths, schedules=schedules)


def variant_named(rulebook: Rulebook, value: str) -> str | None:
    """The variant of a name in any case and spelling of its gaps, or None."""
    name = plain_name(value)
    return next((one for one in rulebook.variants() if plain_name(one) == name), None)


def yes_or_no(written: str) -> bool | None:
    """What a word says in any language; None if neither."""
    return YES_NO.get(value_said(written, YES_NO))


def plain_name(text: str) -> str:
    """`All in delay` and `all-in-delay` are `all_in_delay`."""
    return text.lower().replace(" ", "_").replace("-", "_")


def key_of(rulebook: Rulebook, name: str) -> str:
    key = plain_name(name.strip())
    synonyms = {alias: kind.name for kind in rulebook.phase_kinds for alias in kind.aliases}
    synonyms |= {vote.name: vote.setting for vote in rulebook.votes}
    return {**SYNONYMS, **synonyms}.get(key, key)


def phase_kind_names(rulebook: Rulebook) -> tuple[str, ...]:
    return tuple(kind.name for kind in rulebook.phase_kinds)


def _duration_settings(rulebook: Rulebook) -> tuple[str, ...]:
    return (*phase_kind_names(rulebook), *DURATIONS)


def rulebook_options(settings: GameSettings) -> Options:
    """The rulebook's options in a game's settings."""
    rules = {"preset": settings.rules, **dict(settings.choices)}
    more = {"blind": "yes"} if settings.blind else {}
    return {"rules": rules, **dict(settings.options), **more}
