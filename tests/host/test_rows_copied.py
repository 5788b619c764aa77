"""Rows of orders of our own letters, copied whole into a reply: each is stored as the order that it
shows, whatever its words and notes, and is taken for nothing else."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from judge import blocks as b
from judge.diplomacy import orders as o
from judge.diplomacy.game import DiplomacyGame
from judge.diplomacy.notation import parse_canonical
from judge.diplomacy.orders import PowerId, Unit, UnitKind
from judge.diplomacy.position import Dislodged
from judge.diplomacy.rulebook import RULEBOOK
from judge.render.catalogue import catalogue, languages
from judge.render.layout import as_text
from judge.render.letters import RENDERED_BY
from judge.render.part import Part, Reader
from judge.rulebook import SeatId
from tests.render import samples as s
from tests.render.kinds import LETTERS, zone_of

from .conftest import Hall, address_of

IF_DISLODGED = "IF DISLODGED "
IMPOSSIBLE = "A GAS - POR"  # stands in a sample alone
CENTRAL = "AUSTRIA_GERMANY_TURKEY"
HOMES = {center: power.id for power in s.VARIANT.powers for center in power.home_centers}


def listed(block: object) -> Iterator[tuple[b.Row, str]]:
    """The rows to copy of a block, each with its line as plain text has it."""
    match block:
        case b.Rows(rows, kept):
            for row in rows:
                if row.text and row.failed is None:
                    yield row, as_text(b.Rows([row], kept)).strip()
        case b.Fault(send=rows):
            for row in rows:
                yield row, f"{row.text}   {row.meaning}".strip()
        case b.Titled(body=body) | b.Indented(body=body):
            yield from listed(body)
        case b.Stacked(blocks=blocks):
            for each in blocks:
                yield from listed(each)


def order_of(row: b.Row) -> str:
    """The canonical line that a row shows; empty if it shows none."""
    for text in (row.text, row.meaning.strip("()")):
        if parse_canonical(text) or text.startswith(IF_DISLODGED):
            return text
    return ""


def rows_of_letters(language: str) -> dict[str, str]:
    """Every row of orders that a sample letter shows in a language, with its order."""
    found: dict[str, str] = {}
    for messages, zone in LETTERS.values():
        reader = Reader(catalogue(language), zone_of(language, zone), "Judge")
        parts: list[Part] = [RENDERED_BY[type(one)](one, reader) for one in messages]
        for block in (one for part in parts for one in (part.lead, *part.sections, part.foot)):
            found |= {line: order for row, line in listed(block) if (order := order_of(row))}
    return found


def stand(hall: Hall, text: str, sender: str) -> None:
    """Bring about a position in which a power can give an order."""
    game, order = hall.game(), parse_canonical(text)
    assert game.state is not None
    state, power = RULEBOOK.open(game.state), PowerId(sender)
    assert isinstance(state, DiplomacyGame)
    label, units, owners, dislodged = "S1901M", [], dict(s.START_OWNERS), ()
    if order is not None and not isinstance(order, o.WrittenWaive):
        units = [one for one in (order.unit, o.other_unit(order)) if one is not None]
    standing = [Unit(power, one.kind or UnitKind.ARMY, one.location) for one in units]
    if isinstance(order, o.WrittenRetreat):
        label, standing = "S1901R", []
        unit = Unit(power, order.unit.kind or UnitKind.ARMY, order.unit.location)
        dislodged = (Dislodged(unit, unit.location.province, retreats=(order.target,)),)
    elif isinstance(order, o.WrittenBuild | o.WrittenWaive):
        label, standing = "W1901A", []
    elif isinstance(order, o.WrittenDisband):
        label, owners = "W1901A", {"PAR": power}
        standing.append(s.unit(sender, "A SYR"))
    taken = {one.location.province for one in standing}
    if label != "W1901A":
        others = (one for one in s.START_UNITS if one.power != power)
        standing += [one for one in others if one.location.province not in taken]
    stored = replace(
        state.stored,
        label=label,
        units=tuple(standing),
        owners=owners,
        dislodged=dislodged,
        contested=(),
    )
    made = DiplomacyGame(stored)
    with hall.database.transaction() as tx:
        changed = replace(game, state=made.state, phase=made.phase, order_sets={}, advance={})
        tx.games.save(changed, "test")


def power_of(order: o.WrittenOrder | None) -> str:
    """Who gives an order in these tests: what is built needs a home center."""
    is_build = isinstance(order, o.WrittenBuild)
    return HOMES[order.unit.location.province] if is_build else "FRANCE"  # type: ignore[union-attr]


def stored_as(hall: Hall, sender: str) -> list[str]:
    return [line.text for line in hall.game().order_sets.get(SeatId(sender), ())]


def told(hall: Hall, sender: str) -> list[str]:
    """What the newest letter to a seat says, by kind: a waive read as resigning asks for a YES."""
    return [type(one).__name__ for one in hall.messages(hall.last(address_of(sender)))]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", languages())
def test_a_row_copied_whole_is_its_order(hall: Hall, language: str) -> None:
    hall.start()
    wrong: list[str] = []
    for line, text in rows_of_letters(language).items():
        order = parse_canonical(text)
        if order is None or getattr(order, "power", None) or text == IMPOSSIBLE:
            continue  # preferences, and builds of a seat with several powers: below
        sender = power_of(order)
        stand(hall, text, sender)
        hall.order(sender, line)
        found = [parse_canonical(one) for one in stored_as(hall, sender)]
        wanted = parse_canonical(f"A {text}") if text.startswith("SPA") else order
        if found != [wanted] or told(hall, sender) != ["OrdersAnswer"]:
            wrong.append(f"{line}: {stored_as(hall, sender)} {told(hall, sender)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("language", languages())
def test_a_row_for_a_later_phase_is_its_line_there(hall: Hall, language: str) -> None:
    hall.start()
    wrong: list[str] = []
    for line, text in rows_of_letters(language).items():
        order = parse_canonical(text)
        if isinstance(order, o.WrittenDisband | o.WrittenRetreat) or getattr(order, "power", None):
            continue  # what waits for a retreat phase are preferences
        label = "F1901M" if order else "S1901R"
        if isinstance(order, o.WrittenBuild | o.WrittenWaive):
            label = "W1901A"
        sender = power_of(order)
        hall.order(sender, f"CLEAR ALL\nPHASE {label}\n{line}")
        stored = hall.game().advance.get(SeatId(sender), ())
        found = {one.label: [each.text for each in one.order_set] for one in stored}
        if found != {label: [text]}:
            wrong.append(f"{line}: {found} {told(hall, sender)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", languages())
def test_a_row_of_one_of_several_powers_is_its_order(hall: Hall, language: str) -> None:
    hall.create("players: 2")
    for seat in ("ENGLAND_FRANCE_RUSSIA", CENTRAL):
        hall.join(seat)
    wrong: list[str] = []
    for line, text in rows_of_letters(language).items():
        order = parse_canonical(text)
        if not isinstance(order, o.WrittenWaive | o.WrittenBuild) or text == "WAIVE":
            continue
        power = getattr(order, "power", "") or power_of(order)
        if power not in CENTRAL.split("_"):
            continue
        stand(hall, "WAIVE", "ITALY")
        hall.order(CENTRAL, line)
        if stored_as(hall, CENTRAL) != [text] or told(hall, CENTRAL) != ["OrdersAnswer"]:
            wrong.append(f"{line}: {stored_as(hall, CENTRAL)} {told(hall, CENTRAL)}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", languages())
def test_what_to_send_for_a_later_phase_names_that_phase(hall: Hall, language: str) -> None:
    hall.start()
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    hall.order("FRANCE", "PHASE F1901M\nF MAO - SPA")
    lines = hall.text(hall.last(address_of("FRANCE"))).splitlines()
    at = next(number for number, line in enumerate(lines) if "F MAO - SPA/NC" in line)
    hall.order("FRANCE", "\n".join(line.strip() for line in lines[at - 1 : at + 1]))
    (stored,) = hall.game().advance[SeatId("FRANCE")]
    assert (stored.label, [one.text for one in stored.order_set]) == ("F1901M", ["F MAO - SPA/NC"])
