"""The settings of a game, as a master writes them in CREATE and a keeper in the defaults."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.data import game_presets
from judge.host.games.old_settings import in_our_words
from judge.host.games.orders_due import RULES
from judge.host.games.press_rules import value_said
from judge.host.games.seat_names import find_seat
from judge.host.games.setting_values import (
    ELSEWHERE,
    ENTRY,
    SEPARATORS,
    SHORTEST,
    SYNONYMS,
    choose_value,
    key_of,
    near_options,
    phase_kind_names,
    plain_name,
    rulebook_options,
    setting_names,
    variant_named,
    yes_or_no,
)
from judge.host.local_words import meanings
from judge.host.messages.command_answers import SettingFault
from judge.host.schedules.scheduling import (
    BadSchedule,
    choose_start,
    complete_schedules,
    parse_schedule,
)
from judge.rulebook import DEFAULT_GAME, Rulebook, load_game
from judge.store import Control, GameSettings, Seasons, Unplayed

FIXED = meanings("fixed_settings")  # that a running game cannot change, and why
LISTS = ("rules", "variant", "options")  # settings that may name several things: `2023, 4.A.2 a`
SINGLE = re.compile(r"([^\s:=\uff1a]+(?: [^\s:=\uff1a]+)*?)\s*[:=\s\uff1a]\s*(\S+)")


@dataclass(frozen=True, slots=True)
class ChosenSettings:
    """The settings of CREATE with the defaults filled in, and what could not be taken."""

    settings: GameSettings
    faults: tuple[SettingFault, ...]


def fixed_faults(settings: GameSettings, wanted: Mapping[str, str]) -> list[SettingFault]:
    """Those of the wanted settings that a running game cannot change, and why."""
    rulebook, faults = load_game(DEFAULT_GAME), list[SettingFault]()
    variable = {*map(plain_name, setting_names(rulebook))} - FIXED.keys()
    for name, value in in_our_words(wanted).items():
        key = _setting_meant(rulebook, settings.variant, name, value)
        is_option = key not in variable and key not in ELSEWHERE
        near = near_options(rulebook, settings.variant, key) if is_option else ()
        if key in FIXED or near:
            is_rule = bool(near) and near[0] in rulebook.rule_options()
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
    wanted, faults = _with_presets(rulebook, in_our_words(wanted))
    written = [
        ("not_before" if _is_start_date(key, one) else key, name.strip(), one.strip())
        for name, value in wanted.items()
        for key in [key_of(rulebook, name)]
        for one in (value.splitlines() if key == "start" else [value])
    ]
    chosen = defaults
    given: dict[str, tuple[str, str]] = {}
    if any(key == "rules" for key, _, _ in written):
        chosen = replace(chosen, choices=())
    for key, name, value in sorted(written, key=lambda one: one[0] != "variant"):
        other = ""
        if key in LISTS:
            value = value.replace("\n", ", ")
        elif "\n" in value and key not in (*phase_kind_names(rulebook), *ENTRY, "house_rules"):
            value, second = value.split("\n")[:2]
            other = f"{name}: {second}"
        elif key in given and given[key][1] != value:
            other = ": ".join(given[key])
        if other:
            faults.append(SettingFault(name, value, "contradiction", (other,)))
            continue
        given[key] = (name, value)
        if key == "masters":  # CREATE alone takes it
            faults.append(SettingFault(name, value, "masters"))
            continue
        if key == "dummies":
            continue  # the variant and who else plays in it come first
        for part, text in _pairs(rulebook, chosen.variant, key, name, value):
            key_of_part = _setting_meant(rulebook, chosen.variant, part, text)
            changed: GameSettings | SettingFault
            if key_of_part == "not_before" and yes_or_no(text) is False:
                changed = replace(chosen, not_before=None)
            elif key_of_part == "not_before":
                changed = choose_start(chosen, key_of(rulebook, part), text, now, zone)
            else:
                changed = choose_value(rulebook, chosen, key_of_part, text)
            if isinstance(changed, GameSettings):
                chosen = changed
            else:
                faults.append(replace(changed, name=part))
    chosen, clashes = complete_schedules(chosen, given, zone)
    faults += _contradictions(rulebook, chosen, given, is_change=is_change)
    chosen, dummy_faults = _choose_dummies(rulebook, chosen, given)
    return ChosenSettings(chosen, (*faults, *clashes, *dummy_faults))


def _contradictions(
    rulebook: Rulebook,
    chosen: GameSettings,
    given: Mapping[str, tuple[str, str]],
    *,
    is_change: bool,
) -> list[SettingFault]:
    """Settings that were given, each beside the one that it contradicts."""
    faults, lengths = list[SettingFault](), chosen.lengths

    def clash(key: str, other: str, *, value: str = "", otherwise: str = "") -> None:
        """One setting contradicts another; with their values where they were not given."""
        against = ": ".join(given.get(other, (other, otherwise)))
        faults.append(SettingFault(*given.get(key, (key, value)), "contradiction", (against,)))

    longest = next((kind for kind in lengths if lengths[kind] == max(lengths.values())), "")
    is_checked = {"reminder", longest} <= given.keys() or (is_change and "reminder" in given)
    if is_checked and chosen.reminder >= lengths[longest]:
        clash("reminder", longest, otherwise=f"{lengths[longest] / timedelta(hours=1):g}h")
    if "last_reminder" in given and chosen.last_reminder >= chosen.reminder:
        first = f"{chosen.reminder / timedelta(hours=1):g}h"
        clash("last_reminder", "reminder", otherwise=first)
    rule = RULES[chosen.missing]
    clashing = (
        ("grace", bool(chosen.grace) and not rule.has_grace),
        ("excused", bool(chosen.excused) and rule.waits),
        ("standby", chosen.standby and rule.waits),
    )
    for key, is_clash in clashing:
        if is_clash and key in given and (is_change or "missing" in given):
            clash("missing", key, value=chosen.missing)
    if chosen.seasons is Seasons.TWO and "seasons" in given:
        own = tuple(
            ": ".join(given[kind]) for kind in phase_kind_names(rulebook)[1:] if kind in given
        )
        faults += [SettingFault(*given["seasons"], "contradiction", own)] if own else []
    undated = [
        key for key in (*phase_kind_names(rulebook), "grace", "reminder", "at") if key in given
    ]
    if not chosen.deadlines and undated and (is_change or "deadlines" in given):
        clash(undated[0], "deadlines", otherwise="none")
    is_stuck = not chosen.deadlines and not chosen.early and chosen.process is Control.AUTOMATIC
    if is_stuck and {"deadlines", "early", "process"} & given.keys():
        clash("deadlines", "early", value="none", otherwise="no")
    if chosen.blind and chosen.open_orders and {"blind", "open_orders"} & given.keys():
        clash("open_orders", "blind", value="yes", otherwise="yes")
    return faults


def _choose_dummies(
    rulebook: Rulebook, settings: GameSettings, given: Mapping[str, tuple[str, str]]
) -> tuple[GameSettings, list[SettingFault]]:
    """The settings with the seats that nobody plays. Where the computer is to defend the powers
    that the rulebook leaves out for fewer players, these become such seats."""
    seats = rulebook.seats(settings.variant, rulebook_options(settings))
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
        every = [seat.id for seat in rulebook.seats(settings.variant, rulebook_options(everybody))]
        if not played < {*every}:
            fault = SettingFault("unplayed", "caretaker", "contradiction", (f"players: {fewer}",))
            return settings, [fault]
        settings = everybody
        kept = tuple(one for one in every if one not in played or one in kept)
    return replace(settings, dummies=kept), []


def _with_presets(
    rulebook: Rulebook, wanted: Mapping[str, str]
) -> tuple[Mapping[str, str], list[SettingFault]]:
    """The lines with those of the presets that they name, and two presets that contradict each
    other. `preset: 2023` names an edition of the rules, as it did before there were others."""
    known, lines, faults = game_presets(), dict[str, str](), list[SettingFault]()
    said_by: dict[str, str] = {}
    rest = {name: value for name, value in wanted.items() if plain_name(name.strip()) != "preset"}
    own = {key_of(rulebook, name) for name in rest}
    for name, value in wanted.items():
        for part in SEPARATORS.split(value.replace("\n", ",")) if name not in rest else ():
            preset = value_said(part, known)
            if preset in rulebook.rule_presets():
                rest["rules"] = preset
            elif preset not in known:
                faults.append(SettingFault(name, part.strip(), "bad_option", tuple(known)))
            for setting, said in known.get(preset, {}).items():
                if lines.get(setting, said) != said and key_of(rulebook, setting) not in own:
                    other = f"{name}: {said_by[setting]} ({setting}: {lines[setting]})"
                    fault = f"{preset} ({setting}: {said})"
                    faults.append(SettingFault(name, fault, "contradiction", (other,)))
                lines.setdefault(setting, said)
                said_by.setdefault(setting, preset)
    return {**{k: v for k, v in lines.items() if key_of(rulebook, k) not in own}, **rest}, faults


def masters_named(wanted: Mapping[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The lines of CREATE without those that name masters, and whom these name, each once."""
    plain = {name: plain_name(name.strip()) for name in wanted}
    rest = {
        name: wanted[name] for name in wanted if SYNONYMS.get(plain[name], plain[name]) != "masters"
    }
    texts = (value for name, value in wanted.items() if name not in rest)
    said = (one.strip() for text in texts for one in SEPARATORS.split(text.replace("\n", ",")))
    return rest, tuple(dict.fromkeys(filter(None, said)))


def _setting_meant(rulebook: Rulebook, variant: str, name: str, value: str) -> str:
    """The setting that a name means beside a value: `builds: 24h` is a time, `builds: any` the
    variant's option of that name; `start: 3 March` a date."""
    key = key_of(rulebook, name)
    if _is_start_date(key, value):
        return "not_before"
    own = {option.key for option in rulebook.variant_options(variant)}
    is_option = plain_name(name.strip()) in own and key in phase_kind_names(rulebook)
    if is_option and parse_schedule(value, SHORTEST) == BadSchedule():
        return plain_name(name.strip())
    return key


def _is_start_date(key: str, value: str) -> bool:
    """Whether a start is given by its date, not by who says it."""
    return key == "start" and value_said(value, list(Control)) not in list(Control)


def _pairs(
    rulebook: Rulebook, variant: str, key: str, name: str, value: str
) -> Iterator[tuple[str, str]]:
    """One pair for each choice: `rules: 2023, 4.A.2: szykman` holds two."""
    if key not in LISTS:
        yield name, value
        return
    for part in filter(None, map(str.strip, SEPARATORS.split(value))):
        single = SINGLE.fullmatch(part)
        if single and (key == "options" or near_options(rulebook, variant, single[1])):
            yield single[1], single[2]
        else:
            yield name, part
        if key == "variant" and (named := variant_named(rulebook, part)):
            variant = named  # the options that follow are its own
