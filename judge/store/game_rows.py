"""A game as rows and back: which column holds which field. Runs no SQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from judge.clock import from_seconds, to_seconds
from judge.rulebook import AdvanceOrders, Line, OrderSet, Phase, SeatId
from judge.store.records import (
    Applicant,
    Ending,
    GameRecord,
    GameSettings,
    PlayerId,
    Press,
    SeatRecord,
    Status,
    Timing,
)
from judge.store.rows import (
    Row,
    from_json,
    instant,
    length_seconds,
    reading,
    seconds,
    text_of,
    to_json,
)

LENGTHS = ("movement", "retreat", "adjustment", "grace", "reminder", "all_in_delay")


@dataclass(frozen=True, slots=True)
class GameRows:
    """What the tables hold of one game: its own row with its state, and the rows of its parts."""

    own: Row
    seats: Sequence[Row]
    lines: Sequence[Row]
    ahead_lines: Sequence[Row]
    applicants: Sequence[Row]


def game_row(game: GameRecord) -> Row:
    """The columns of the games table, but for its key, and `halted`, which is not the host's."""
    return {
        "game": game.game,
        "status": game.status.value,
        "master": game.master,
        "master_hash": game.master_hash,
        "seed": game.seed,
        "created_at": to_seconds(game.created_at),
        "due_at": seconds(game.due_at),
        "faults": to_json(game.faults),
        "ending": game.ending.value if game.ending else None,
        "winners": to_json(game.winners),
        **_settings_columns(game.settings),
        **_phase_columns(game.phase),
        **_timing_columns(game.timing),
    }


def _settings_columns(settings: GameSettings) -> Row:
    lengths = {f"{name}_seconds": length_seconds(getattr(settings, name)) for name in LENGTHS}
    return {
        "variant": text_of(settings.variant),
        "rules": text_of(settings.rules),
        "rule_choices": to_json(settings.choices),
        "variant_options": to_json(settings.options),
        "press": settings.press.value,
        "draws": int(settings.draws),
        "concessions": int(settings.concessions),
        **lengths,
    }


def _phase_columns(phase: Phase | None) -> Row:
    return {
        "phase_serial": phase.serial if phase else None,
        "phase_label": phase.label if phase else None,
        "phase_kind": phase.kind if phase else None,
        "phase_is_main": int(phase.main) if phase else None,
    }


def _timing_columns(timing: Timing | None) -> Row:
    return {
        "opened_at": to_seconds(timing.opened_at) if timing else None,
        "deadline_at": to_seconds(timing.deadline_at) if timing else None,
        "changed_at": to_seconds(timing.changed_at) if timing else None,
        "grace_ends_at": seconds(timing.grace_until) if timing else None,
        "late": to_json(timing.late) if timing else None,
        "reminded": int(timing.reminded) if timing else None,
        "waits": int(timing.waits) if timing else None,
        "unreachable": int(timing.unreachable) if timing else None,
    }


def seat_row(seat: SeatRecord, position: int) -> Row:
    return {
        "seat": seat.id,
        "position": position,
        "player": seat.player,
        "former": seat.former,
        "password_hash": seat.password_hash,
        "misses": seat.misses,
        "ready": int(seat.ready),
        "wait": int(seat.wait),
        "draw": int(seat.draw),
        "faulty": int(seat.faulty),
        "sets": seat.sets,
        "concedes": seat.concedes,
    }


def applicant_row(applicant: Applicant, position: int) -> Row:
    return {
        "player": applicant.player,
        "position": position,
        "wish": applicant.wish,
        "password_hash": applicant.password_hash,
    }


def line_rows(game: GameRecord) -> list[Row]:
    """The stored lines of all seats; a seat without a line has no row, as if it had no sheet."""
    serial = game.phase.serial if game.phase else 0
    return [
        {
            "seat": seat,
            "position": position,
            "serial": serial,
            **_line_columns(line),
        }
        for seat, order_set in game.order_sets.items()
        for position, line in enumerate(order_set)
    ]


def advance_rows(game: GameRecord) -> list[Row]:
    """What all seats have stored for later phases."""
    return [
        {"seat": seat, "position": position, "label": text_of(label), **_line_columns(line)}
        for seat, stored in game.advance.items()
        for position, (label, line) in enumerate(
            (advance.label, line) for advance in stored for line in advance.order_set
        )
    ]


def _line_columns(line: Line) -> Row:
    return {
        "key": text_of(line.key),
        "text": text_of(line.text),
        "written": text_of(line.written),
        "kept": int(line.kept),
    }


def game_from_rows(rows: GameRows) -> GameRecord:
    """The game of its rows.

    Raises:
        StoreError: a column holds what no judge of this version wrote.
    """
    own = rows.own
    with reading(f"game {own['name']}"):
        return GameRecord(
            name=own["name"],
            game=own["game"],
            status=Status(own["status"]),
            master=PlayerId(own["master"]),
            settings=_settings(own),
            seed=own["seed"],
            created_at=from_seconds(own["created_at"]),
            master_hash=own["master_hash"],
            faults=tuple((name, written) for name, written in from_json(own["faults"])),
            applicants=tuple(_applicant(row) for row in rows.applicants),
            state=None if own["state"] is None else from_json(own["state"]),
            phase=_phase(own),
            seats=tuple(_seat(row) for row in rows.seats),
            order_sets=_sheets(rows.lines),
            advance=_advance(rows.ahead_lines),
            timing=_timing(own),
            ending=Ending(own["ending"]) if own["ending"] else None,
            winners=tuple(SeatId(seat) for seat in from_json(own["winners"])),
            due_at=instant(own["due_at"]),
            halted=own["halted"],
        )


def _settings(own: Row) -> GameSettings:
    lengths = {name: timedelta(seconds=own[f"{name}_seconds"]) for name in LENGTHS}
    choices, options = (
        tuple((option, value) for option, value in from_json(own[column]))
        for column in ("rule_choices", "variant_options")
    )
    return GameSettings(
        variant=own["variant"],
        rules=own["rules"],
        press=Press(own["press"]),
        choices=choices,
        options=options,
        draws=bool(own["draws"]),
        concessions=bool(own["concessions"]),
        **lengths,
    )


def _phase(own: Row) -> Phase | None:
    if own["phase_serial"] is None:
        return None
    return Phase(
        own["phase_label"], own["phase_kind"], own["phase_serial"], bool(own["phase_is_main"])
    )


def _timing(own: Row) -> Timing | None:
    if own["deadline_at"] is None:
        return None
    return Timing(
        opened_at=from_seconds(own["opened_at"]),
        deadline_at=from_seconds(own["deadline_at"]),
        changed_at=from_seconds(own["changed_at"]),
        grace_until=instant(own["grace_ends_at"]),
        late=tuple(SeatId(seat) for seat in from_json(own["late"])),
        reminded=bool(own["reminded"]),
        waits=bool(own["waits"]),
        unreachable=bool(own["unreachable"]),
    )


def _seat(row: Row) -> SeatRecord:
    return SeatRecord(
        id=SeatId(row["seat"]),
        player=row["player"],
        password_hash=row["password_hash"],
        former=row["former"],
        misses=row["misses"],
        ready=bool(row["ready"]),
        wait=bool(row["wait"]),
        draw=bool(row["draw"]),
        faulty=bool(row["faulty"]),
        sets=row["sets"],
        concedes=None if row["concedes"] is None else SeatId(row["concedes"]),
    )


def _applicant(row: Row) -> Applicant:
    wish = None if row["wish"] is None else SeatId(row["wish"])
    return Applicant(PlayerId(row["player"]), wish, row["password_hash"])


def _sheets(rows: Sequence[Row]) -> dict[SeatId, OrderSet]:
    order_sets: dict[SeatId, OrderSet] = {}
    for row in rows:
        seat = SeatId(row["seat"])
        order_sets[seat] = (*order_sets.get(seat, ()), _line(row))
    return order_sets


def _line(row: Row) -> Line:
    return Line(row["key"], row["text"], row["written"], bool(row["kept"]))


def _advance(rows: Sequence[Row]) -> dict[SeatId, tuple[AdvanceOrders, ...]]:
    order_sets: dict[SeatId, dict[str, OrderSet]] = {}
    for row in rows:
        own = order_sets.setdefault(SeatId(row["seat"]), {})
        own[row["label"]] = (*own.get(row["label"], ()), _line(row))
    return {
        seat: tuple(AdvanceOrders(label, order_set) for label, order_set in own.items())
        for seat, own in order_sets.items()
    }
