"""The life of a game before its first phase: created, joined, started."""

import difflib
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from judge.config import parse_duration
from judge.host.blocks import SettingFault, Started
from judge.host.phases import roster
from judge.host.session import GAME, Session, rulebook_of
from judge.host.sheets import due_of, phase_length
from judge.host.tell import tell_players
from judge.host.timing import open_timing
from judge.rulebook import JsonObject, Refused, RuleOption, Seat, SeatId, Stream, load_game
from judge.store import (
    Applicant,
    GameRecord,
    GameSettings,
    PlayerId,
    Press,
    SeatRecord,
    Status,
)

NAME = re.compile(r"[a-z][a-z0-9_]{1,23}\Z")  # lower case; shown in subjects, typed on phones
DURATIONS = ("movement", "retreat", "adjustment", "grace", "reminder", "all_in_delay")
SYNONYMS = {
    "deadline": "movement",
    "moves": "movement",
    "retreats": "retreat",
    "adjustments": "adjustment",
    "builds": "adjustment",
    "delay": "all_in_delay",
    "map": "variant",
    "board": "variant",
    "edition": "rules",
    "preset": "rules",
}
SINGLE_RULE = re.compile(r"(\S+?)\s*[:=\s\uff1a]\s*(\S+)")
LIKENESS = 0.75  # of an unknown setting to a rule option, to take it for one
NEAREST = 5  # options that are named where none is of that name
LONGEST = timedelta(days=60)
SHORTEST = timedelta(0)


@dataclass(frozen=True, slots=True)
class ChosenSettings:
    """The settings of CREATE with the defaults filled in, and what could not be taken."""

    settings: GameSettings
    faults: tuple[SettingFault, ...]


def is_game_name(name: str) -> bool:
    """Whether a new game may be called so."""
    return bool(NAME.match(name))


def choose_settings(defaults: GameSettings, wanted: Mapping[str, str]) -> ChosenSettings:
    """Read `name: value` pairs. A faulty one keeps its default and is reported; none is dropped.

    The rules are chosen as a whole: where a preset is named, single choices of the defaults go.
    """
    pairs = [pair for name, value in wanted.items() for pair in _pairs(name.strip(), value.strip())]
    chosen, faults = defaults, []
    if any(_key_of(name) == "rules" for name, _ in pairs):
        chosen = replace(chosen, choices=())
    for name, value in pairs:
        changed = _choose(chosen, _key_of(name), value)
        if isinstance(changed, GameSettings):
            chosen = changed
        else:
            faults.append(replace(changed, name=name))
    return ChosenSettings(chosen, tuple(faults))


def _plain(text: str) -> str:
    """`All in delay` and `all-in-delay` are `all_in_delay`."""
    return text.lower().replace(" ", "_").replace("-", "_")


def _key_of(name: str) -> str:
    return SYNONYMS.get(_plain(name), _plain(name))


def _pairs(name: str, value: str) -> Iterator[tuple[str, str]]:
    """One pair for each choice: `rules: 2023, 4.A.2: szykman` holds two."""
    if _key_of(name) != "rules":
        yield name, value
        return
    for part in filter(None, map(str.strip, re.split("[,;\uff0c\u3001\uff1b]", value))):
        single = SINGLE_RULE.fullmatch(part)
        if single and _near_options(single[1]):
            yield single[1], single[2]
        else:
            yield name, part


def _choose(settings: GameSettings, key: str, value: str) -> GameSettings | SettingFault:
    rulebook = load_game(GAME)
    if key in DURATIONS:
        return _choose_duration(settings, key, value)
    if key == "press":
        if value.lower() in list(Press):
            return replace(settings, press=Press(value.lower()))
        return SettingFault(key, value, "bad_option", tuple(Press))
    if key == "variant":
        if value.lower() in rulebook.variants():
            return replace(settings, variant=value.lower())
        return SettingFault(key, value, "no_variant", rulebook.variants())
    if key == "rules":
        if value.lower() in rulebook.rule_names():
            return replace(settings, rules=value.lower())
        return SettingFault(key, value, "no_rules", rulebook.rule_names())
    near = _near_options(key)
    if near:
        return _choose_rule(settings, key, value, near)
    return SettingFault(key, value, "no_setting", ("variant", "rules", "press", *DURATIONS))


def _near_options(key: str) -> tuple[RuleOption, ...]:
    """The rule option of that key; if there is none, those whose keys are near, in order."""
    options = {_plain(option.key): option for option in load_game(GAME).rule_options()}
    if _plain(key) in options:
        return (options[_plain(key)],)
    near = difflib.get_close_matches(_plain(key), list(options), n=NEAREST, cutoff=LIKENESS)
    return tuple(option for plain, option in options.items() if plain in near)


def _choose_rule(
    settings: GameSettings, key: str, value: str, near: Sequence[RuleOption]
) -> GameSettings | SettingFault:
    option = near[0]
    if _plain(option.key) != key:
        return SettingFault(key, value, "no_option", tuple(one.key for one in near))
    for known in option.values:
        if _plain(known) == _plain(value):
            return _with_choice(settings, option.key, known)
    return SettingFault(key, value, "bad_option", option.values)


def _with_choice(settings: GameSettings, key: str, value: str) -> GameSettings:
    chosen = {**dict(settings.choices), key: value}
    options = load_game(GAME).rule_options()
    in_order = tuple((one.key, chosen[one.key]) for one in options if one.key in chosen)
    return replace(settings, choices=in_order)


def _choose_duration(settings: GameSettings, key: str, value: str) -> GameSettings | SettingFault:
    try:
        duration = parse_duration(value)
    except ValueError:
        return SettingFault(key, value, "bad_duration", ("30m", "24h", "3d"))
    needs_time = key in ("movement", "retreat", "adjustment")
    if duration > LONGEST or duration < SHORTEST or (needs_time and not duration):
        return SettingFault(key, value, "bad_duration", ("30m", "24h", "3d"))
    changed: dict[str, timedelta] = {key: duration}
    return replace(settings, **changed)  # type: ignore[arg-type]  # the key is a duration's


def options_of(settings: GameSettings) -> JsonObject:
    """The rulebook's options in a game's settings."""
    return {"rules": {"preset": settings.rules, **dict(settings.choices)}}


def seats_of(settings: GameSettings) -> tuple[Seat, ...]:
    """The seats of a game with these settings, which were checked when they were chosen."""
    return load_game(GAME).seats(settings.variant, options_of(settings))


def create_game(
    session: Session, name: str, master: PlayerId, chosen: ChosenSettings, master_hash: str
) -> GameRecord:
    """A new game: open to JOIN, or a draft that nobody else sees while its settings have faults."""
    return session.put_game(
        GameRecord(
            name=name,
            game=GAME,
            status=Status.DRAFT if chosen.faults else Status.FORMING,
            master=master,
            settings=chosen.settings,
            seed=session.tokens.seed(name),
            created_at=session.now,
            master_hash=master_hash,
            faults=tuple((fault.name, fault.written) for fault in chosen.faults),
        )
    )


def free_wishes(game: GameRecord) -> tuple[SeatId, ...]:
    """Seats that an applicant of a forming game may still wish for."""
    taken = {applicant.wish for applicant in game.applicants}
    return tuple(seat.id for seat in seats_of(game.settings) if seat.id not in taken)


def missing_players(game: GameRecord) -> int:
    """How many players a forming game still needs; 0 once it runs."""
    if game.status is not Status.FORMING:
        return 0
    return len(seats_of(game.settings)) - len(game.applicants)


def apply_for(session: Session, game: GameRecord, applicant: Applicant) -> GameRecord:
    """A player joins a forming game, which starts as soon as it is full."""
    game = replace(game, applicants=(*game.applicants, applicant))
    if missing_players(game):
        return session.put_game(game)
    return start_game(session, game)


def start_game(session: Session, game: GameRecord) -> GameRecord:
    """Deal the seats, open the first phase, write everybody the first letter."""
    rulebook = rulebook_of(game)
    try:
        state = rulebook.start(game.settings.variant, options_of(game.settings))
    except Refused as refused:  # settings were checked: our own data broke a promise
        raise AssertionError(game.name) from refused
    game = replace(
        game,
        status=Status.ACTIVE,
        state=state,
        phase=rulebook.phase(state),
        seats=_deal_seats(game),
        applicants=(),
    )
    game = replace(game, timing=open_timing(session.now, phase_length(game)))
    game = session.put_game(game)
    _tell_started(session, game)
    return game


def _deal_seats(game: GameRecord) -> tuple[SeatRecord, ...]:
    """Wishes are met; the other seats go by lot, drawn from the game's own stream."""
    seats = [seat.id for seat in seats_of(game.settings)]
    wished = {one.wish: one for one in game.applicants if one.wish is not None}
    others = iter(Stream(game.seed, 0).shuffled([a for a in game.applicants if a.wish is None]))
    dealt = []
    for seat in seats:
        applicant = wished.get(seat) or next(others)
        dealt.append(
            SeatRecord(id=seat, player=applicant.player, password_hash=applicant.password_hash)
        )
    return tuple(dealt)


def _tell_started(session: Session, game: GameRecord) -> None:
    assert game.state is not None
    state, rulebook = game.state, rulebook_of(game)
    tell_players(
        session,
        game,
        "start",
        lambda ref, seat: [
            Started(
                game=ref,
                view=rulebook.view(state, ref.seat),
                settings=game.settings,
                roster=roster(session, game),
                seed_hash=seed_hash(game.seed),
                due=due_of(game, seat, session.now),
            )
        ],
    )


def seed_hash(seed: bytes) -> str:
    """What a game's first letter prints of its seed; the last letter prints the seed itself.

    The SHA-256 of the seed's bytes, in hex.
    """
    return hashlib.sha256(seed).hexdigest()
