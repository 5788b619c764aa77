"""Which press a game has: its settings as a master writes them, and what they forbid now.

The old judges' spellings are read beside ours: `press: grey/white, no partial`, `ftf press: yes`.
"""

import re
from collections.abc import Collection, Mapping
from enum import StrEnum

import msgspec
from msgspec.structs import replace

from judge.host.games.orders_due import is_main, owing_seats
from judge.host.local_words import meanings, setting_values
from judge.host.messages.command_answers import SettingFault
from judge.host.messages.refusals import RefusalKind
from judge.host.unit_of_work import opened
from judge.rulebook import SeatId
from judge.store import (
    GameRecord,
    GameSettings,
    LatePress,
    PlayerId,
    PostalPress,
    Press,
    PressArchive,
    PressCopies,
    PressKind,
    PressReach,
    Status,
)

MASTER, OBSERVERS = "MASTER", "OBSERVERS"  # beside seats, who writes and reads press

# Each setting beside `press`, the field of `PressRules` that it fills, and what it may be.
SETTINGS: Mapping[str, tuple[str, type[StrEnum] | type[bool]]] = {
    "partial_press": ("partial", bool),
    "fake_press": ("fake", bool),
    "postal_press": ("postal", PostalPress),
    "minor_press": ("minor", bool),
    "late_press": ("late", LatePress),
    "must_order": ("must_order", bool),
    "observer_press": ("observers", bool),
    "press_archive": ("archive", PressArchive),
    "press_reach": ("reach", PressReach),
    "press_copies": ("copies", PressCopies),
}
SYNONYMS = meanings("press_synonyms")  # other names of these settings
OPPOSITES = meanings("press_opposites")  # names that say the opposite
# What may be said of press with yes or no, or without a value.
_FLAGS = {name for name, (_, kind) in SETTINGS.items() if kind is bool or "yes" in [*kind]}
FLAGS = {*_FLAGS, *OPPOSITES, *(one for one, name in SYNONYMS.items() if name in _FLAGS)}
# What `press: ...` may name, beside the settings above with or without `no` before them.
COLORS = {word: Press(color) for word, color in meanings("press_colors").items()}
WORDS = {word: said.split(": ") for word, said in meanings("press_shorts").items()}
NEAR = meanings("press_near")
YES_NO = {word: said == "yes" for word, said in meanings("press_yes_no").items()}
LOCAL = setting_values()
SEPARATORS = re.compile(r"[,;+、，；＋]|\band\b")


def choose_press(settings: GameSettings, key: str, value: str) -> GameSettings | SettingFault:
    """The settings with a `press` line of one or several words, or with one of `SETTINGS`."""
    if key != "press":
        if (changed := _choose(settings, key, value)) is not None:
            return changed
        kind = SETTINGS[OPPOSITES.get(key, key)][1]
        values = tuple(kind) if issubclass(kind, StrEnum) else ("yes", "no")
        return SettingFault(key, value, "bad_option", values)
    chosen = settings
    for word in filter(None, (value_said(one, COLORS) for one in SEPARATORS.split(value))):
        color = COLORS.get(word)
        is_off = word.startswith("no_")
        name, said = WORDS.get(word, (word.removeprefix("no_"), "no" if is_off else "yes"))
        changed = replace(chosen, press=color) if color else _choose(chosen, name, said)
        if changed is None:
            known = (*Press, "broadcast", "fake", "postal only", "must order")
            return SettingFault(key, value, "bad_option", tuple(known))
        chosen = changed
    return chosen


def find_press_setting(key: str) -> str | None:
    """The setting that a name stands for, `press` among them; None if it is none of press."""
    name = SYNONYMS.get(key, key)
    return name if name in SETTINGS or name in OPPOSITES or name == "press" else None


def _choose(settings: GameSettings, key: str, value: str) -> GameSettings | None:
    name = SYNONYMS.get(key, key)
    known = SETTINGS.get(OPPOSITES.get(name, name))
    if known is None:
        return None
    field, kind = known
    word = value_said(value, (*kind, *YES_NO, *NEAR) if issubclass(kind, StrEnum) else YES_NO)
    said: object = YES_NO.get(word)
    if issubclass(kind, StrEnum):
        usual = "yes" if said else "no" if said is False else ""
        closed = {one.value: one for one in kind}
        near = (word, usual, NEAR.get(word, ""))
        said = next((closed[one] for one in near if one in closed), None)
    if said is None:
        return None
    said = not said if name in OPPOSITES else said
    return replace(settings, press_rules=replace(settings.press_rules, **{field: said}))


def value_said(written: str, known: Collection[str]) -> str:
    """What a word in any language stands for, as settings are written: rather one that is known."""
    word = written.strip()
    local = LOCAL.get(word.lower(), (word,))
    return re.sub(r"[\s_-]+", "_", next((one for one in local if one in known), local[0]).lower())


# --- what is forbidden ----------------------------------------------------------------------------


class PressDraft(msgspec.Struct, frozen=True):
    """Press before it is sent.

    Attributes:
        author: who writes: a seat, `MASTER` or `OBSERVERS`.
        to: its readers.
        color: True: it names its author; False: it hides that; None: as the game has it.
        shown_as, shown_to: the writer and the readers that fake press names; empty: the real ones.
        is_unnamed: it answers grey press, and goes to its writer, who is not named.
        only: of observers the one whom it is for.
        is_quiet: its answer does not repeat it.
        phrase: the number of a phrase and what stands in it, in place of a text.
    """

    author: str
    to: tuple[str, ...]
    text: str
    kind: PressKind = PressKind.PARTIAL
    color: bool | None = None
    shown_as: str = ""
    shown_to: tuple[str, ...] = ()
    is_unnamed: bool = False
    only: PlayerId | None = None
    is_quiet: bool = False
    phrase: tuple[str, ...] = ()


def is_grey(settings: GameSettings, draft: PressDraft) -> bool:
    """Whether press hides its author."""
    if draft.author in (MASTER, OBSERVERS):
        return draft.color is False
    usual = settings.press in (Press.GREY_WHITE, Press.GREY_ONLY)
    return usual if draft.color is None else not draft.color


def forbidden(game: GameRecord, draft: PressDraft) -> RefusalKind | None:
    """Why a game does not let press go out now; None if it does.

    Whatever the settings say, anybody may write to the master, the master to anybody, and after the
    end all to all.
    """
    settings, rules = game.settings, game.settings.press_rules
    if game.is_practice:  # its player would write to themselves
        return RefusalKind.NOT_IN_PRACTICE
    if draft.author == MASTER:
        return None
    is_fake = draft.shown_as or draft.shown_to
    if is_fake and (not rules.fake or draft.author == OBSERVERS):
        return RefusalKind.NO_FAKE
    if {*draft.to} == {MASTER} or game.status is not Status.ACTIVE:
        return None
    if settings.press is Press.NONE:
        return RefusalKind.NO_PRESS
    if draft.author == OBSERVERS:
        return None if rules.observers else RefusalKind.NO_OBSERVER_PRESS
    if draft.color is False and settings.press is Press.WHITE:
        return RefusalKind.NO_GREY
    if draft.color is True and settings.press is Press.GREY_ONLY:
        return RefusalKind.NO_WHITE
    if draft.kind is PressKind.POSTAL:
        return RefusalKind.NO_POSTAL if rules.postal is PostalPress.NO else None
    if rules.postal is PostalPress.ONLY:
        return RefusalKind.POSTAL_ONLY
    if draft.kind is PressKind.PARTIAL and not rules.partial:
        return RefusalKind.NO_PARTIAL
    if not rules.minor and game.phase is not None and not is_main(game):
        return RefusalKind.NO_MINOR_PRESS
    if draft.author in late_seats(game) and rules.late in (LatePress.NO, LatePress.RECEIVE):
        return RefusalKind.NO_LATE_PRESS
    if rules.must_order and draft.author in {seat.id for seat in owing_seats(game)}:
        return RefusalKind.MUST_ORDER
    if draft.kind is PressKind.PARTIAL and not {*draft.to} <= {*readers_in_reach(game, draft)}:
        return RefusalKind.OUT_OF_REACH
    return None


def readers_in_reach(game: GameRecord, draft: PressDraft) -> tuple[str, ...]:
    """Whom a player may write to now: whoever wrote the grey press that it answers too."""
    reach, seats = game.settings.press_rules.reach, tuple(seat.id for seat in game.seats)
    if reach is not PressReach.ALL and not draft.is_unnamed:
        beside = opened(game).neighbor_seats(SeatId(draft.author))
        seats = tuple(one for one in seats if (one in beside) is (reach is PressReach.NEIGHBORS))
    return (*seats, MASTER, OBSERVERS)


def late_seats(game: GameRecord) -> frozenset[SeatId]:
    """Seats whose orders were missing at the deadline and still are."""
    timing = game.timing
    if timing is None or (timing.grace_until is None and not timing.waits):
        return frozenset()
    owing = {seat.id for seat in owing_seats(game)}
    return frozenset(owing if timing.waits else owing.intersection(timing.late))


def observers_reached(game: GameRecord, only: PlayerId | None) -> tuple[PlayerId, ...]:
    """The observers whom press reaches: those who read press, or the one whom a reply is for."""
    return tuple(
        one.player
        for one in game.observers
        if (one.player == only if only else not one.results_only)
    )


def unreachable_readers(game: GameRecord, draft: PressDraft) -> dict[str, str]:
    """Those of the readers whom press does not reach now, and why: `vacant`, `out` or `late`. What
    is for all reaches players without units too."""
    players = {seat.id: seat.player for seat in game.seats}
    vacant: set[str] = {seat for seat, player in players.items() if player is None}
    vacant |= set() if observers_reached(game, draft.only) else {OBSERVERS}
    out: set[str] = set()
    late: frozenset[str] = frozenset()
    if game.status is Status.ACTIVE:
        if draft.kind is PressKind.PARTIAL and not game.settings.blind:  # which hides who is out
            out |= players.keys() - {*opened(game).result.survivors}
        if game.settings.press_rules.late in (LatePress.NO, LatePress.SEND):
            late = late_seats(game)
    return {
        name: "out" if name in out else "vacant" if name in vacant else "late"
        for name in draft.to
        if name in out or name in vacant or name in late
    }
