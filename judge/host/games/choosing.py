"""The settings of a game, as a master writes them in CREATE and a keeper in his defaults."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from msgspec.structs import replace

from judge.clock import parse_duration
from judge.data import language_data, presets
from judge.host.games.orders_due import RULES
from judge.host.games.press_rules import FLAGS as PRESS_FLAGS
from judge.host.games.press_rules import SETTINGS as PRESS_SETTINGS
from judge.host.games.press_rules import choose_press, press_setting, value_said
from judge.host.letters.access import find_seat
from judge.host.letters.registering import find_language
from judge.host.local_words import meanings, words_for
from judge.host.messages.command_answers import SettingFault
from judge.host.schedules.scheduling import (
    FOR_ALL,
    KIND_EXAMPLES,
    BadSchedule,
    choose_for_all,
    choose_schedule,
    choose_start,
    parse_schedule,
    settle_schedules,
)
from judge.rulebook import DEFAULT_GAME, Option, Options, Refused, Rulebook, load_game
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
    "grace",
    "reminder",
    "all_in_delay",
    "confirm",
    "absence",
    "extension",
    "statements",
    "last_reminder",
)
YES_NO = {word: said == "yes" for word, said in meanings("yes_no").items()}
SYNONYMS = meanings("synonyms")
NEAR_VALUES = meanings("near_values")
AMOUNT = re.compile(r"(?<!\d)(\d++)\s*+([^\W\d]++)(?:\s*+(?:,|and)\s*+)?")
LANGUAGES = [code for code, each in language_data("language.toml").items() if each.get("names")]
# `>= 80 or NEW`, `80%`: the percentage that a player needs, and whether newcomers are excused.
NEWCOMER = "|".join(("new", *words_for("every", "newcomer")))
RELIABILITY = re.compile(
    rf"(?:>=|\u2265)?\s*(100|\d?\d)\s*%?\s*(\W*(?:or\s+)?(?:{NEWCOMER}))?", re.IGNORECASE
)
FIXED = meanings("fixed_settings")  # that a running game cannot change, and why
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
# Settings that are said without a value (`approval`, `no approval`; STANDBY is a command), and what
# they mean: name, value.
_BARE = {*FLAGS, "concessions", *PRESS_FLAGS} - {"standby"}
OLD_FLAGS = {
    **{f"{no}{one}": [one, said] for one in _BARE for no, said in (("", "yes"), ("no_", "no"))},
    **{word: said.split(": ") for word, said in meanings("old_settings").items()},
    **{word: ["", ""] for word in words_for("always", "so")},
}
ELSEWHERE = meanings("other_settings")  # of the old judges, and what does here what they did
TIMING = meanings("timing")  # the words of DPjudge's TIMING, and the settings that each sets
TIMING_WORD = re.compile(rf"\b({'|'.join(TIMING)})\b", re.IGNORECASE)
RATIO = re.compile(r"0?\.(\d)(\d?)0*|(1)(?:\.0*)?")  # a share of turns on time
# A board or an old setting at the beginning of a text, its gaps spelled in any way.
WORDED = re.compile(
    "({})(?![\\w-])".format(
        "|".join(
            "[ _-]".join(map(re.escape, one.split("_")))
            for one in sorted((*load_game(DEFAULT_GAME).variants(), *OLD_FLAGS), key=len)[::-1]
        )
    ),
    re.IGNORECASE,
)
COUNTS = {"excused": 10}  # settings that take a number, and the highest
LISTS = ("rules", "variant", "options")  # settings that may name several things: `2023, 4.A.2 a`
SEPARATORS = re.compile("[,;\uff0c\u3001\uff1b]")
SINGLE = re.compile(r"([^\s:=\uff1a]+(?: [^\s:=\uff1a]+)*?)\s*[:=\s\uff1a]\s*(\S+)")
LIKENESS = 0.75  # of an unknown setting to an option's key, to take it for that
NEAREST = 5  # options that are named where none is of that name
MOST_RULES = 4000  # characters of house rules
MOST_COMMENT = 120
ENTRY = ("allow", "deny")  # lists of who may join, and who may not
ENTRY_OF_LIST = re.compile(r"[^\s@,;]*@[^\s@,;]+\.[^\s@,;]+|[^\s@,;]+@[^\s@,;]+")
WORD = re.compile(r"\S{3,40}")
LONGEST = timedelta(days=60)
SHORTEST = timedelta(0)


@dataclass(frozen=True, slots=True)
class ChosenSettings:
    """The settings of CREATE with the defaults filled in, and what could not be taken."""

    settings: GameSettings
    faults: tuple[SettingFault, ...]


def fixed_faults(settings: GameSettings, wanted: Mapping[str, str]) -> list[SettingFault]:
    """Those of the wanted settings that a running game cannot change, and why."""
    rulebook, wanted = load_game(DEFAULT_GAME), _with_old_flags(wanted)
    variable, faults = {*map(_plain, setting_names(rulebook))} - FIXED.keys(), list[SettingFault]()
    for name, value in wanted.items():
        key = _meant(rulebook, settings.variant, name, value)
        is_option = key not in variable and key not in ELSEWHERE
        near = _near_options(rulebook, settings.variant, key) if is_option else ()
        is_rule = bool(near) and near[0] in rulebook.rule_options()
        if key in FIXED or near:
            why = FIXED.get(key, FIXED["rules" if is_rule else "options"])
            faults.append(SettingFault(name, value, why))
    return faults


def choose_settings(
    defaults: GameSettings,
    wanted: Mapping[str, str],
    game: str = DEFAULT_GAME,
    zone: str = "UTC",
    *,
    now: datetime | None = None,
    is_change: bool = False,
) -> ChosenSettings:
    """Read `name: value` pairs. A faulty one keeps its default and is reported; none is dropped. A
    value has a line for each time that the letter gives it. Times without a zone are in `zone`;
    without `now` no date can be taken. `is_change`: the defaults are those of a game, and what is
    wanted must not contradict them.

    The variant is chosen first, whatever the order, since the others depend on it; its options go
    where another is named, and where a preset of rules is named, single rules of the defaults. What
    the letter says itself comes before the lines of a preset.
    """
    rulebook = load_game(game)
    wanted, faults = _with_presets(rulebook, _with_old_flags(wanted))
    written = [
        ("not_before" if _is_date(key, one) else key, name.strip(), one.strip())
        for name, value in wanted.items()
        for key in [_key_of(rulebook, name)]
        for one in (value.splitlines() if key == "start" else [value])
    ]
    chosen = defaults
    given: dict[str, tuple[str, str]] = {}
    if any(key == "rules" for key, _, _ in written):
        chosen = replace(chosen, choices=())
    for key, name, value in sorted(written, key=lambda one: one[0] != "variant"):
        if key in LISTS:
            value = value.replace("\n", ", ")
        elif "\n" in value and key not in (*_kinds(rulebook), *ENTRY, "house_rules"):
            value, other = value.split("\n")[:2]
            faults.append(SettingFault(name, value, "contradiction", (f"{name}: {other}",)))
            continue
        if key in given and given[key][1] != value and key not in LISTS:
            other = ": ".join(given[key])
            faults.append(SettingFault(name, value, "contradiction", (other,)))
            continue
        given[key] = (name, value)
        if key == "masters":  # CREATE alone takes it
            faults.append(SettingFault(name, value, "masters"))
            continue
        if key == "dummies":
            continue  # the variant and who else plays in it come first
        for part, text in _pairs(rulebook, chosen.variant, key, name, value):
            key_of_part = _meant(rulebook, chosen.variant, part, text)
            if key_of_part == "not_before" and yes_or_no(text) is False:
                chosen = replace(chosen, not_before=None)
                continue
            if key_of_part == "not_before":
                changed = choose_start(chosen, _key_of(rulebook, part), text, now, zone)
            else:
                changed = _choose(rulebook, chosen, key_of_part, text)
            if isinstance(changed, GameSettings):
                chosen = changed
            else:
                faults.append(replace(changed, name=part))
    chosen, clashes = settle_schedules(chosen, given, zone)
    lengths = chosen.lengths
    longest = next((kind for kind in lengths if lengths[kind] == max(lengths.values())), "")
    is_checked = {"reminder", longest} <= given.keys() or (is_change and "reminder" in given)
    if is_checked and chosen.reminder >= lengths[longest]:
        length = f"{lengths[longest] / timedelta(hours=1):g}h"
        other = ": ".join(given.get(longest, (longest, length)))
        faults.append(SettingFault(*given["reminder"], "contradiction", (other,)))
    if "last_reminder" in given and chosen.last_reminder >= chosen.reminder:
        first = f"{chosen.reminder / timedelta(hours=1):g}h"
        other = ": ".join(given.get("reminder", ("reminder", first)))
        faults.append(SettingFault(*given["last_reminder"], "contradiction", (other,)))
    rule = RULES[chosen.missing]
    clashing = (
        ("grace", bool(chosen.grace) and not rule.has_grace),
        ("excused", bool(chosen.excused) and rule.waits),
        ("standby", chosen.standby and rule.waits),
    )
    for key, is_clash in clashing:
        if is_clash and key in given and (is_change or "missing" in given):
            missing = given.get("missing", ("missing", chosen.missing))
            faults.append(SettingFault(*missing, "contradiction", (": ".join(given[key]),)))
    if chosen.seasons is Seasons.TWO and "seasons" in given:
        own = [": ".join(given[kind]) for kind in _kinds(rulebook)[1:] if kind in given]
        clash = SettingFault(*given["seasons"], "contradiction", tuple(own))
        faults += [clash] if own else []
    undated = [key for key in (*_kinds(rulebook), "grace", "reminder", "at") if key in given]
    if not chosen.deadlines and undated and (is_change or "deadlines" in given):
        other = ": ".join(given.get("deadlines", ("deadlines", "none")))
        faults.append(SettingFault(*given[undated[0]], "contradiction", (other,)))
    is_stuck = not chosen.deadlines and not chosen.early and chosen.process is Control.AUTOMATIC
    if is_stuck and {"deadlines", "early", "process"} & given.keys():
        late = ": ".join(given.get("early", ("early", "no")))
        undated_name = given.get("deadlines", ("deadlines", "none"))
        faults.append(SettingFault(*undated_name, "contradiction", (late,)))
    if chosen.blind and chosen.open_orders and {"blind", "open_orders"} & given.keys():
        shown = given.get("open_orders", ("open_orders", "yes"))
        hidden = ": ".join(given.get("blind", ("blind", "yes")))
        faults.append(SettingFault(*shown, "contradiction", (hidden,)))
    chosen, dummy_faults = _choose_dummies(rulebook, chosen, given)
    return ChosenSettings(chosen, (*faults, *clashes, *dummy_faults))


def _choose_dummies(
    rulebook: Rulebook, settings: GameSettings, given: Mapping[str, tuple[str, str]]
) -> tuple[GameSettings, list[SettingFault]]:
    """The settings with the seats that nobody plays. Where the computer is to defend the powers
    that the rulebook leaves out for fewer players, these become such seats."""
    seats = rulebook.seats(settings.variant, options_of(settings))
    kept = tuple(seat.id for seat in seats if seat.id in settings.dummies)
    if "dummies" in given:
        name, written = given["dummies"]
        parts = list(filter(None, map(str.strip, SEPARATORS.split(written))))
        words = [
            word for part in parts for word in ([part] if find_seat(seats, part) else part.split())
        ]
        found = [find_seat(seats, word) for word in words]
        bad = [word for word, seat in zip(words, found, strict=True) if seat is None]
        if yes_or_no(written) is False or written.lower() == "none":
            bad, found = [], []
        if bad or len({*found}) == len(seats):
            known = tuple(seat.id for seat in seats)
            return settings, [SettingFault(name, bad[0] if bad else written, "bad_option", known)]
        kept = tuple(seat.id for seat in seats if seat in found)
    options = dict(settings.options)
    if settings.unplayed is Unplayed.CARETAKER and (fewer := options.pop("players", "")):
        played = {seat.id for seat in seats}
        everybody = replace(settings, options=tuple(options.items()))
        every = [seat.id for seat in rulebook.seats(settings.variant, options_of(everybody))]
        if not played < {*every}:
            fault = SettingFault("unplayed", "caretaker", "contradiction", (f"players: {fewer}",))
            return settings, [fault]
        settings = everybody
        kept = tuple(one for one in every if one not in played or one in kept)
    return replace(settings, dummies=kept), []


def _with_old_flags(wanted: Mapping[str, str]) -> dict[str, str]:
    """Settings as the old judges write them, as those that they are here: `always wait`, `manual
    start: yes`, `powers 5`, `warn 1D, 6H`, `ontimerat 0.8`. What always holds here is left out."""
    found = dict[str, str]()
    for name, value in wanted.items():
        plain, said = _plain(name.strip()), value.strip()
        key = SYNONYMS.get(plain, plain)
        pair = OLD_FLAGS.get(plain)
        parts = SEPARATORS.split(said)
        if pair and said.lower() in ("", "yes"):
            found |= dict([pair] if pair[0] else [])
        elif plain == "timing" and TIMING_WORD.match(said):
            texts = TIMING_WORD.split(said)
            pairs = list(zip(map(str.lower, texts[1::2]), map(str.strip, texts[2::2]), strict=True))
            for word, text in sorted(pairs, key=lambda one: one[0] != "next"):
                found |= _with_old_flags(dict.fromkeys(TIMING[word].split(", "), text))
        elif key == "variant" and len(words := settings_in_words(said)) > 1:
            is_old = len(parts) == 1 or all(map(WORDED.fullmatch, words))
            found |= _with_old_flags(words) if is_old else {name: value}
        elif key == "powers" and said.isdecimal():
            found["players"] = said
        elif key == "reminder" and len(parts) == 2:
            found |= {name: parts[0].strip(), "last_reminder": parts[1].strip()}
        elif key == "reliability" and (ratio := RATIO.fullmatch(said)):
            found[name] = "100" if ratio[3] else f"{ratio[1]}{ratio[2] or 0}"
        else:
            found[name] = value
    return found


def settings_in_words(text: str) -> dict[str, str]:
    """`fleet_rome gunboat no press`: the settings that stand in one line behind a board, or in that
    of CREATE; a word that is none of them stands alone. Empty where the first word is none."""
    found, rest = dict[str, str](), text.strip(" ,")
    while rest:
        match = WORDED.match(rest)
        word = match[1] if match else rest.split()[0]
        if not found and match is None:
            return {}
        named = variant_named(load_game(DEFAULT_GAME), word)
        found.setdefault(*(("variant", named) if named else (word.strip(","), "yes")))
        rest = rest[len(word) :].strip(" ,")
    return found


def _with_presets(
    rulebook: Rulebook, wanted: Mapping[str, str]
) -> tuple[Mapping[str, str], list[SettingFault]]:
    """The lines with those of the presets that they name, and two presets that contradict each
    other. `preset: 2023` names an edition of the rules, as it did before there were others."""
    known, lines, faults = presets(), dict[str, str](), list[SettingFault]()
    said_by: dict[str, str] = {}
    rest = {name: value for name, value in wanted.items() if _plain(name.strip()) != "preset"}
    own = {_key_of(rulebook, name) for name in rest}
    for name, value in wanted.items():
        for part in SEPARATORS.split(value.replace("\n", ",")) if name not in rest else ():
            preset = value_said(part, known)
            if preset in rulebook.rule_names():
                rest["rules"] = preset
            elif preset not in known:
                faults.append(SettingFault(name, part.strip(), "bad_option", tuple(known)))
            for setting, said in known.get(preset, {}).items():
                if lines.get(setting, said) != said and _key_of(rulebook, setting) not in own:
                    other = f"{name}: {said_by[setting]} ({setting}: {lines[setting]})"
                    fault = f"{preset} ({setting}: {said})"
                    faults.append(SettingFault(name, fault, "contradiction", (other,)))
                lines.setdefault(setting, said)
                said_by.setdefault(setting, preset)
    return {**{k: v for k, v in lines.items() if _key_of(rulebook, k) not in own}, **rest}, faults


def masters_named(wanted: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The lines of CREATE without those that name masters, and whom these name, each once."""
    key_of = {name: SYNONYMS.get(_plain(name.strip()), _plain(name.strip())) for name in wanted}
    rest = {name: value for name, value in wanted.items() if key_of[name] != "masters"}
    texts = (value for name, value in wanted.items() if name not in rest)
    said = (one.strip() for text in texts for one in SEPARATORS.split(text.replace("\n", ",")))
    return rest, tuple(dict.fromkeys(filter(None, said)))


def yes_or_no(written: str) -> bool | None:
    """What a word says in any language; None if neither."""
    return YES_NO.get(value_said(written, YES_NO))


def options_of(settings: GameSettings) -> Options:
    """The rulebook's options in a game's settings."""
    rules = {"preset": settings.rules, **dict(settings.choices)}
    more = {"blind": "yes"} if settings.blind else {}
    return {"rules": rules, **dict(settings.options), **more}


def _plain(text: str) -> str:
    """`All in delay` and `all-in-delay` are `all_in_delay`."""
    return text.lower().replace(" ", "_").replace("-", "_")


def _key_of(rulebook: Rulebook, name: str) -> str:
    key = _plain(name.strip())
    synonyms = {alias: kind.name for kind in rulebook.phase_kinds for alias in kind.aliases}
    synonyms |= {vote.name: vote.setting for vote in rulebook.votes}
    return {**SYNONYMS, **synonyms}.get(key, key)


def _kinds(rulebook: Rulebook) -> tuple[str, ...]:
    return tuple(kind.name for kind in rulebook.phase_kinds)


def _durations(rulebook: Rulebook) -> tuple[str, ...]:
    return (*_kinds(rulebook), *DURATIONS)


def setting_names(rulebook: Rulebook) -> tuple[str, ...]:
    """The settings that every game has, beside single rules and the options of its variant."""
    times = (*_durations(rulebook), *(one.replace("_", " ") for one in FOR_ALL))
    votes = dict.fromkeys(vote.setting for vote in rulebook.votes)
    first = ("preset", "variant", "rules", "language", "house rules", "reliability")
    press = ("press", *PRESS_SETTINGS)
    return (
        *first,
        *press,
        *WORDS,
        *COUNTS,
        "dummies",
        "not before",
        *FLAGS,
        "comment",
        "join word",
        *ENTRY,
        *times,
        *votes,
    )


def _meant(rulebook: Rulebook, variant: str, name: str, value: str) -> str:
    """The setting that a name means beside a value: `builds: 24h` is a time, `builds: any` the
    variant's option of that name; `start: 3 March` a date."""
    key = _key_of(rulebook, name)
    if _is_date(key, value):
        return "not_before"
    own = {option.key for option in rulebook.variant_options(variant)}
    is_option = _plain(name.strip()) in own and key in _kinds(rulebook)
    if is_option and parse_schedule(value, SHORTEST) == BadSchedule():
        return _plain(name.strip())
    return key


def _is_date(key: str, value: str) -> bool:
    """Whether a start is given by its date, not by who says it."""
    return key == "start" and value_said(value, list(Control)) not in list(Control)


def _duration(value: str) -> timedelta | None:
    """The time that `36h`, `1 day, 12 hours` or `3일` says; None if it says none."""
    letters = meanings("units")

    def in_letters(amount: re.Match[str]) -> str:
        return f"{amount[1]}{letters.get(amount[2].lower(), amount[2])} "

    try:
        return parse_duration(AMOUNT.sub(in_letters, value))
    except ValueError:
        return None


def _pairs(
    rulebook: Rulebook, variant: str, key: str, name: str, value: str
) -> Iterator[tuple[str, str]]:
    """One pair for each choice: `rules: 2023, 4.A.2: szykman` holds two."""
    if key not in LISTS:
        yield name, value
        return
    for part in filter(None, map(str.strip, SEPARATORS.split(value))):
        single = SINGLE.fullmatch(part)
        if single and (key == "options" or _near_options(rulebook, variant, single[1])):
            yield single[1], single[2]
        else:
            yield name, part
        if key == "variant" and (named := variant_named(rulebook, part)):
            variant = named  # the options that follow are its own


def variant_named(rulebook: Rulebook, value: str) -> str | None:
    """The variant of a name in any case and spelling of its gaps, or None."""
    name = _plain(value)
    return next((one for one in rulebook.variants() if _plain(one) == name), None)


def _choose(
    rulebook: Rulebook, settings: GameSettings, key: str, value: str
) -> GameSettings | SettingFault:
    if key in ELSEWHERE:
        return SettingFault(key, value, "elsewhere", (ELSEWHERE[key],))
    if key in ("deadlines", first := _kinds(rulebook)[0]):  # `deadline: none`, `deadlines: 3d`
        key = {True: "deadlines", False: "deadlines", None: first}[yes_or_no(value)]
    if key in FOR_ALL:
        return choose_for_all(settings, key, value)
    if key == "comment":
        if len(value) > MOST_COMMENT:
            return SettingFault(key, value, "too_long", (str(MOST_COMMENT),))
        return replace(settings, comment=value)
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
    if key == "house_rules":
        if len(value) > MOST_RULES:
            return SettingFault(key, value, "too_long", (str(MOST_RULES),))
        return replace(settings, house_rules=value)
    if key in _durations(rulebook):
        return _choose_duration(rulebook, settings, key, value)
    if (of_press := press_setting(key)) is not None:
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
        changed: dict[str, Any] = {key: WORDS[key](word)}
        if key.startswith("see_"):
            changed = {"sight": {**settings.sight, Fact(key.removeprefix("see_")): Sight(word)}}
        return replace(settings, **changed)
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
        if value.lower() in rulebook.rule_names():
            return replace(settings, rules=value.lower())
        return SettingFault(key, value, "no_rules", rulebook.rule_names())
    near = _near_options(rulebook, settings.variant, key)
    if near:
        return _choose_option(rulebook, settings, key, value, near)
    own = tuple(option.key for option in rulebook.variant_options(settings.variant))
    names = (*setting_names(rulebook), *own)
    nearest = difflib.get_close_matches(key, names, n=NEAREST, cutoff=LIKENESS)
    return SettingFault(key, value, "no_setting", tuple(nearest) or names)


def _near_options(rulebook: Rulebook, variant: str, key: str) -> tuple[Option, ...]:
    """The option of that key; if there is none, those whose keys are near, in order."""
    all_options = (*rulebook.variant_options(variant), *rulebook.rule_options())
    options = {_plain(option.key): option for option in all_options}
    if _plain(key) in options:
        return (options[_plain(key)],)
    near = difflib.get_close_matches(_plain(key), list(options), n=NEAREST, cutoff=LIKENESS)
    return tuple(option for plain, option in options.items() if plain in near)


def _choose_option(
    rulebook: Rulebook, settings: GameSettings, key: str, value: str, near: Sequence[Option]
) -> GameSettings | SettingFault:
    option = near[0]
    if _plain(option.key) != _plain(key):
        return SettingFault(key, value, "no_option", tuple(one.key for one in near))
    rules, own = rulebook.rule_options(), rulebook.variant_options(settings.variant)
    if option in rules:
        for known in option.values:
            if _plain(known) == _plain(value):
                choices = _with_choice(rules, settings.choices, option.key, known)
                return replace(settings, choices=choices)
        return SettingFault(key, value, "bad_option", option.values)
    said = value_said(value, option.values)
    try:
        written = said if said in option.values else value
        kept = rulebook.option_value(settings.variant, option.key, written)
    except Refused:
        return SettingFault(key, value, "bad_option", option.values)
    return replace(settings, options=_with_choice(own, settings.options, option.key, kept))


def _with_choice(
    options: Sequence[Option], chosen: Sequence[tuple[str, str]], key: str, value: str
) -> tuple[tuple[str, str], ...]:
    """The choices with one more, in the order of the options."""
    values = {**dict(chosen), key: value}
    return tuple((one.key, values[one.key]) for one in options if one.key in values)


def _choose_duration(
    rulebook: Rulebook, settings: GameSettings, key: str, value: str
) -> GameSettings | SettingFault:
    if key == "absence" and value.isdecimal():
        value += "d"  # as on the old judges
    duration, is_kind = _duration(value), key in _kinds(rulebook)
    if not is_kind and yes_or_no(value) is False:
        duration = SHORTEST
    if is_kind and duration is None:
        return choose_schedule(settings, key, value)
    if duration is None or not SHORTEST <= duration <= LONGEST or (is_kind and not duration):
        examples = KIND_EXAMPLES if is_kind else ("30m", "24h", "3d")
        return SettingFault(key, value, "bad_duration", examples)
    if is_kind:
        schedules = {kind: own for kind, own in settings.schedules.items() if kind != key}
        lengths = {**settings.lengths, key: duration}
        return replace(settings, lengths=lengths, schedules=schedules)
    changed: dict[str, timedelta] = {key: duration}
    return replace(settings, **changed)
