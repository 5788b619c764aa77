"""Why something asked for was not done: what was written, what is wrong, what to write instead."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from functools import partial

import msgspec

from judge.blocks import Action, Actions, Listed, Quoted, Titled, rows_to_copy
from judge.host.messages.refusals import Refusal
from judge.host.messages.refusals import RefusalKind as Kind
from judge.render.catalogue import either_names, join_names, sentence_tables
from judge.render.layout import one_line
from judge.render.part import Part, Reader, Section
from judge.render.people import SENTENCES as PEOPLE
from judge.render.press_text import press_text
from judge.render.times import language_name, moment, shown_date
from judge.rulebook import SeatId, Value
from judge.store import Level

WRITTEN_COLUMNS = 60


class _Words(msgspec.Struct, frozen=True):
    """The messages of one kind of refusal."""

    verdict: str  # the first line, under 60 characters
    remedy: str  # what is wrong and what to write instead
    others: str = ""  # said beside it of what is less likely meant
    # In place of the remedy, above several lines that may be meant: YES takes the first of them;
    # their numbers go on from another question; they are to be copied.
    choose: str = ""
    choose_more: str = ""
    copy_one: str = ""
    bare: str = ""  # said in place of it where there is nothing to propose (`{known}` is empty)
    # The line that was written stands above it, since the sentence does not hold it.
    is_quoted: bool = False
    unquoted: str = ""  # the first line where that line is left out
    names_seats: bool = False  # what is proposed are seats, shown by their names


REFUSALS = sentence_tables("refusals.toml", dict[Kind, _Words])


def refusal(message: Refusal, reader: Reader) -> Part:
    """One refusal: the verdict, what was written, and the sentence with the remedy."""
    kind, game, held = message.kind, message.game, message.values
    words = reader.game_words(game) if game else None
    values = dict.fromkeys(("written", "label", "last", "usage", "limit"), "")
    for key, value in held.items():
        if key in values and value is not None:
            values[key] = one_line(str(value), WRITTEN_COLUMNS)
    if usage := values["usage"]:
        values["usage"] = reader.say(usage)
    written, phase, last, power = (values[key] for key in ("written", "label", "last", "written"))
    if words is not None:
        phase = words.phase_name(phase) if phase else phase
        last = words.phase_name(last) if last else last
        if kind in (Kind.SEAT_TAKEN, Kind.NOBODY_PLAYS) and written:
            power = words.seat_name(SeatId(written))
    known = _alternatives(message, reader)
    values["example"] = next(iter(_as_list(held.get("games"))), "")
    if spans := _as_list(held.get("spans")):  # `2027-04-03 - 2027-04-05`
        pattern, shown_spans = reader.say("d MMM y"), []
        for span in spans:
            days = [date.fromisoformat(day) for day in span.split(" - ")]
            names = dict.fromkeys(shown_date(day, pattern, reader) for day in days)
            shown_spans.append(" – ".join(names))
        known = either_names(shown_spans, reader)
        values["example"] = f"{values['usage']} {spans[-1]}"
    if instants := [datetime.fromisoformat(at) for at in _as_list(held.get("instants"))]:
        known = either_names([moment(at, reader.zone, reader) for at in instants], reader)
        values["example"] = instants[-1].strftime("%Y-%m-%d %H:%M UTC")
    told = REFUSALS[kind]
    choices = [one_line(name, WRITTEN_COLUMNS) for name in _as_list(held.get("choices"))]
    first = int(str(held.get("first", 1)))
    remedy = told.bare if told.bare and not known else told.remedy
    if len(choices) > 1 or first != 1:
        remedy = told.choose if first == 1 else told.choose_more if first else told.copy_one
    sentence = reader.say(
        remedy,
        **values | {"phase": phase, "last": last, "power": power, "known": known},
        game=game.name if game else "",
    )
    lines = _as_list(held.get("lines")) or _as_list(held.get("first_line"))
    quoted = [written] if written and told.is_quoted else lines
    if quoted == ["…"]:  # left out: their words are not sent to an address that may be forged
        quoted = []
    verdict = told.verdict if quoted else told.unquoted or told.verdict
    shown: list[Section] = [Quoted([one_line(line, WRITTEN_COLUMNS) for line in quoted]), sentence]
    if summary := str(held.get("summary") or ""):
        shown.append(reader.say("{title}: {text}", title=values["usage"], text=reader.say(summary)))
    if remedy == told.copy_one:
        shown.append(rows_to_copy(*choices))
    elif remedy in (told.choose, told.choose_more):
        shown.append(Listed([f"{at}) {name}" for at, name in enumerate(choices, first)]))
        others = (Action(one, str(at)) for at, one in enumerate(choices, first) if at > 1)
        shown.append(Actions(list(others)))
    if held.get("others"):
        shown.append(reader.say(told.others))
    if (whole := str(held.get("text") or "")) not in ("", "…"):
        shown.append(Titled(reader.say("Your whole text:"), press_text(whole)))
    return Part(reader.say("please look"), reader.say(verdict), game, shown)


def _alternatives(message: Refusal, reader: Reader) -> str:
    """What could have been written instead, in words; empty if nothing is proposed."""
    kind, game, held = message.kind, message.game, message.values
    keys = ("nearest", "known", "readers", "free", "open", "games")
    known = next((_as_list(held[key]) for key in keys if held.get(key)), [])
    if game is not None and REFUSALS[kind].names_seats:
        return reader.seats(game, [SeatId(seat) for seat in known])
    name_of: Callable[[str], str] | None = None
    if kind is Kind.BAD_LANGUAGE:
        name_of = partial(language_name, words=reader)
    elif game is not None and kind in (Kind.NO_PHASE, Kind.NO_HISTORY, Kind.NO_ROLLBACK):
        name_of = reader.game_words(game).phase_name
    named = [one_line(name, WRITTEN_COLUMNS) for name in known]
    if name_of is not None:
        named = [reader.say("{name} ({id})", name=name_of(each), id=each) for each in known]
    elif kind is Kind.OTHER_LEVEL:
        named = [reader.say(PEOPLE.levels[Level(one)]) for one in known]
    return (join_names if kind is Kind.WHICH_GAME else either_names)(named, reader)


def _as_list(value: Value) -> list[str]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [str(one) for one in value]
    return [str(value)] if value else []
