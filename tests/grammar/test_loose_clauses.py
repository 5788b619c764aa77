"""Questions about English clauses whose verbs nobody knows: their places and the board tell."""

import pytest

from .sets.score import Case, Scored, score


def read(place: str, text: str) -> Scored:
    return score(Case("", place, "talk", text))


@pytest.mark.parametrize(
    ("place", "line", "orders"),
    [
        # An own unit, any verb, and a place in its reach.
        ("west", "Gascony gallops over the hills into Spain", "A GAS - SPA"),
        ("north", "North Sea chews on Denmark", "F NTH - DEN"),
        ("south", "Rome meanders north, as far as Tuscany", "A ROM - TUS"),
        # Help told by a noun, by a participle, before the move.
        ("west", "Paris mauls Burgundy, Marseilles in support", "A MAR S A PAR - BUR; A PAR - BUR"),
        (
            "south",
            "Venice flings itself at Trieste with some muscle from Tyrolia",
            "A TYR S A VEN - TRI; A VEN - TRI",
        ),
        (
            "east",
            "Bulgaria sinks its teeth into Rumania, the Black Sea fleet backing it",
            "A BUL - RUM; F BLA S A BUL - RUM",
        ),
        (
            "west",
            "Paris elbows into Burgundy with help from Marseilles and Gascony.",
            "A GAS S A PAR - BUR; A MAR S A PAR - BUR; A PAR - BUR",
        ),
        ("south", "Tyrrhenian gives the Western Med help to grab Tunis", "F TYS S F WES - TUN"),
        # Who carries and who is carried.
        ("west", "Gascony rides to Portugal aboard MAO", "A GAS - POR; F MAO C A GAS - POR"),
        ("south", "The Ionian drops Apulia off in Greece", "A APU - GRE; F ION C A APU - GRE"),
        # One after the other, and who is meant by it.
        (
            "west",
            "Marseilles hops over to Piedmont. Gascony plugs the hole.",
            "A GAS - MAR; A MAR - PIE",
        ),
        ("north", "Norway mustn't go to Sweden. Let it wander into Finland.", "A NWY - FIN"),
        ("rout", "Munich drops back to Bohemia", "A MUN R BOH"),
        ("east", "Bulgaria's army had better try Serbia", "A BUL - SER"),
        # What is built and removed.
        (
            "builds",
            "This winter I raise a navy at Sevastopol and troops in Moscow",
            "A MOS B; F SEV B",
        ),
        ("builds", "Sevastopol lays down ships, Warsaw drills infantry", "A WAR B; F SEV B"),
        (
            "removals",
            "We bid farewell to the ships in the Channel and the North Sea",
            "F ENG D; F NTH D",
        ),
        ("rout", "Munich's army goes down fighting", "A MUN D"),
    ],
)
def test_places_and_the_board_tell_what_a_clause_orders(place: str, line: str, orders: str) -> None:
    found = read(place, line)
    assert set(found.stored) | set(found.proposed) == {*filter(None, orders.split("; "))}


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("west", "Paris is splendid in May, and Burgundy is even better."),
        ("west", "Marseilles played Paris yesterday and lost."),
        ("west", "One day Brest will rule the Channel."),
        ("south", "I'm contemplating Venice into Trieste."),
        ("north", "Where would Norway go from Sweden?"),
        ("east", '"Smyrna sneaks off to Syria", he wrote.'),
    ],
)
def test_what_only_speaks_of_places_is_not_asked_about(place: str, line: str) -> None:
    found = read(place, line)
    assert found.stored == ()
    assert set(found.proposed) <= {"?"}


@pytest.mark.parametrize(
    "line",
    [
        "Aegean picks up Smyrna",
        "The Black Sea takes on Ankara, Sevastopol is where it lands",
        "Aegean swings by Smyrna on the way to Greece",
    ],
)
def test_a_fleet_that_fetches_an_army_is_asked_about_and_moves_nowhere(line: str) -> None:
    found = read("east", line)
    assert found.stored == ()
    assert found.proposed
