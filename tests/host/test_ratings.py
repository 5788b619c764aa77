"""Ratings: who is rated for what, how the last letter and RATINGS tell it, and what a correction
does."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from judge.host.messages.game_events import GameOver
from judge.host.messages.people import Profile, RatingList
from judge.host.messages.refusals import Refusal, RefusalKind
from judge.store import Changes, Status

from .conftest import POWERS, Hall, address_of

FRANCE, ENGLAND, GM = address_of("FRANCE"), address_of("ENGLAND"), "gm@example.test"
ANN = "ann@else.test"


def concede(hall: Hall, winner: str = "FRANCE") -> None:
    """All others still in play agree that a power has won."""
    for power in POWERS:
        if power != winner:
            hall.order(power, f"CONCEDE TO {winner}")
    assert hall.game().status is Status.FINISHED


def rating_of(hall: Hall, power: str) -> tuple[int, int] | None:
    """What WHOIS says of a player's own rating, and of how many games it is made."""
    hall.post(address_of(power), "WHOIS", reply_to=hall.last(address_of(power)))
    told = hall.said(address_of(power), Profile).ratings
    return (told[0].rating, told[0].games) if told else None


def test_a_solo_moves_the_ratings_and_the_last_letter_says_how(hall: Hall) -> None:
    hall.start()
    hall.order("FRANCE", "SET PROFILE PUBLIC")
    concede(hall)
    won, lost = hall.said(FRANCE, GameOver).rating, hall.said(ENGLAND, GameOver).rating
    assert won is not None
    assert lost is not None
    assert won.after > won.before == lost.before == 1500 > lost.after
    row = next(row for row in hall.out if row.recipient == FRANCE and row.kind == "over")
    said = f"Your rating on the board Standard is {won.after} now; it was 1500."
    assert f"{said} It comes from 1 game." in " ".join(hall.text(row).split())
    hall.post(ANN, "RATINGS")
    told = hall.said(ANN, RatingList)
    assert [(one.name, one.rating, one.games) for one in told.best] == [("France", won.after, 1)]
    assert f"1. France: {won.after} (1 game)" in hall.text(hall.last(ANN))
    hall.post(ENGLAND, "RATINGS standard", reply_to=hall.last(ENGLAND))
    assert [one.rating for one in hall.said(ENGLAND, RatingList).own] == [lost.after]


def test_whois_shows_ones_own_rating_and_public_ones(hall: Hall) -> None:
    hall.start()
    concede(hall)
    assert rating_of(hall, "FRANCE") == (hall.said(FRANCE, GameOver).rating.after, 1)  # type: ignore[union-attr]
    hall.post(ANN, "WHOIS France")
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_PROFILE
    hall.order("FRANCE", "SET PROFILE PUBLIC")
    hall.post(ANN, "WHOIS France")
    assert hall.said(ANN, Profile).ratings[0].games == 1


def gain(hall: Hall, sharing: Sequence[str]) -> int:
    """What each of those gains who share the end, when all others have lost their seats."""
    hall.start()
    for power in POWERS:
        if power not in sharing:
            hall.order(power, "RESIGN")
            hall.order(power, "YES")
    for power in sharing:
        hall.order(power, "DRAW")
    assert hall.game().status is Status.FINISHED
    move = hall.said(address_of(sharing[0]), GameOver).rating
    assert move is not None
    return move.after - move.before


@pytest.mark.parametrize("count", [2, 3, 6])
def test_a_draw_counts_the_less_the_more_share_it(count: int) -> None:
    fewer, more = (gain(Hall(), POWERS[:n]) for n in (count, count + 1))
    assert fewer > more >= 0


def test_who_left_has_lost_and_who_helped_out_does_not_lose(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    hall.post(ANN, "JOIN balkan TURKEY", name="Ann")
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    for power in POWERS[:-1]:
        if power != "FRANCE":
            hall.order(power, "CONCEDE TO FRANCE")
    hall.post(ANN, "CONCEDE TO FRANCE", reply_to=hall.last(ANN))
    assert hall.game().status is Status.FINISHED
    assert hall.said(ANN, GameOver).rating is None
    left = rating_of(hall, "TURKEY")
    assert left is not None
    assert left[0] < 1500


def test_who_helped_out_gains_by_winning(hall: Hall) -> None:
    hall.start()
    hall.order("TURKEY", "RESIGN")
    hall.order("TURKEY", "YES")
    hall.post(ANN, "JOIN balkan TURKEY", name="Ann")
    hall.post(ANN, "yes", reply_to=hall.last(ANN))
    for power in POWERS[:-1]:
        hall.order(power, "CONCEDE TO TURKEY")
    move = hall.said(ANN, GameOver).rating
    assert move is not None
    assert move.after > 1500


def test_who_comes_back_to_their_seat_is_rated_as_if_never_gone(hall: Hall) -> None:
    hall.start("missing: vacant\ngrace: 0")
    hall.open_game()
    hall.run_phase()
    for power in POWERS[:-1]:
        hall.order(power, "READY")
    hall.run_phase()
    assert hall.game().seat("TURKEY").player is None  # type: ignore[arg-type]
    hall.order("TURKEY", "A CON H")
    assert hall.game().seat("TURKEY").player is not None  # type: ignore[arg-type]
    concede(hall, "TURKEY")
    move = hall.said(address_of("TURKEY"), GameOver).rating
    assert move is not None
    assert move.after > 1500


@pytest.mark.parametrize("lines", ["rated: no", "평점 반영: 아니요", "variant: france_austria"])
def test_some_games_are_not_rated(hall: Hall, lines: str) -> None:
    powers = ("FRANCE", "AUSTRIA") if "variant" in lines else POWERS
    hall.start(lines, powers)
    for power in powers:
        hall.order(power, "DRAW")
    assert hall.game().status is Status.FINISHED
    assert hall.said(FRANCE, GameOver).rating is None
    assert rating_of(hall, "FRANCE") is None


def test_a_practice_game_is_not_rated(hall: Hall) -> None:
    hall.register(ANN, "Ann")
    hall.post(ANN, "PRACTICE FRANCE", reply_to=hall.last(ANN))
    hall.post(ANN, "RESIGN", reply_to=hall.last(ANN))
    hall.post(ANN, "YES", reply_to=hall.last(ANN))
    assert hall.said(ANN, GameOver).rating is None


def test_a_game_that_is_reopened_counts_no_more_and_later_ones_are_rated_anew(hall: Hall) -> None:
    hall.start()
    concede(hall)
    first = rating_of(hall, "FRANCE")
    hall.create(name="second")
    for power in POWERS:
        hall.post(address_of(power), f"JOIN second {power}", reply_to=hall.last(address_of(power)))
    for power in POWERS:
        if power != "FRANCE":
            hall.order(power, "CONCEDE TO FRANCE")
    second = rating_of(hall, "FRANCE")
    assert first is not None
    assert second is not None
    assert second[0] > first[0]
    with hall.database.transaction() as tx:  # as a rollback would
        game = tx.games.get("balkan")
        assert game is not None
        tx.save(Changes(games=(replace(game, status=Status.ACTIVE, ending=""),)), cause="test")
    hall.post(ENGLAND, "SET PROFILE PUBLIC", reply_to=hall.last(ENGLAND))
    hall.post(ANN, "RATINGS")
    assert [one.games for one in hall.said(ANN, RatingList).best] == [1]
    assert rating_of(hall, "FRANCE") == first  # what the second game alone is worth


@pytest.mark.parametrize(
    ("language", "words"),
    [("ko", "평점 colonial"), ("ja", "レーティング colonial"), ("zh_Hant", "評分 colonial")],
)
def test_ratings_in_other_languages(hall: Hall, language: str, words: str) -> None:
    hall.post(ANN, words, language=language)
    assert hall.said(ANN, RatingList).variant == "colonial"
    hall.post(ANN, words.replace("colonial", "atlantis"), language=language)
    assert hall.said(ANN, Refusal).kind is RefusalKind.NO_VARIANT
