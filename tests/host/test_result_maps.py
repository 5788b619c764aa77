"""Letters with results carry the map of the phase, which is drawn beside sending, once."""

import email
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from datetime import timedelta
from threading import Event

import pytest

from judge.outgoing import PATIENCE
from judge.picture_pool import LONGEST_WAIT, MOST_AWAITED, PicturePool
from judge.render import PictureRequest, Shows, png_of
from judge.render.picture_requests import drawn
from judge.rulebook import load_game

from .conftest import POWERS, Hall, address_of
from .test_maps import pictures

PNG = b"\x89PNG a picture of "


class HandPool(PicturePool):
    """Pictures are made when the test says so; they are not drawn."""

    def __init__(self) -> None:
        super().__init__(0)
        self.waiting: list[PictureRequest] = []
        self.requests: list[PictureRequest] = []
        self.is_full = self.is_quick = False
        self._made: dict[str, bytes] = {}

    def begin(self, when_made: Callable[[], object]) -> None:
        self._when_made = when_made

    def ask(self, request: PictureRequest) -> bool:
        if self.is_full:
            return False
        if request not in self.waiting and request.sha256 not in self._made:
            self.waiting.append(request)
            self.requests.append(request)
        if self.is_quick:
            self.draw()
        return True

    def is_drawing(self, digests: Iterable[str]) -> bool:
        return {one.sha256 for one in self.waiting}.issuperset(digests)

    def draw(self, most: int = 100) -> None:
        """All that was asked for is made, or the first of it."""
        for one in self.waiting[:most]:
            self._made[one.sha256] = PNG + one.sha256.encode()
        del self.waiting[:most]
        self._when_made()

    def take_made(self) -> Mapping[str, bytes]:
        made, self._made = self._made, {}
        return made


@pytest.fixture
def pool() -> HandPool:
    return HandPool()


@pytest.fixture
def hall(pool: HandPool) -> Iterator[Hall]:
    made = Hall(pool=pool)
    yield made
    made.database.close()


def ran(hall: Hall) -> None:
    """A game whose first phase has run."""
    hall.start()
    hall.open_game()
    hall.run_phase()


def test_every_reader_of_results_has_the_map_of_the_phase(hall: Hall, pool: HandPool) -> None:
    pool.is_quick = True
    ran(hall)
    found = [pictures(hall, address_of(power)) for power in POWERS]
    assert {tuple(one) for one in found} == {("balkan-S1901M.png",)}
    assert len({data for one in found for data in one.values()}) == 1
    assert [one.shows for one in pool.requests] == [Shows.PHASE]  # drawn once for all of them


def test_a_map_is_drawn_once_for_each_language_in_use(hall: Hall, pool: HandPool) -> None:
    pool.is_quick = True
    hall.start()
    hall.order("FRANCE", "SET LANGUAGE ko")
    hall.open_game()
    hall.run_phase()
    assert sorted(one.language for one in pool.requests) == ["en", "ko"]
    english, korean = (pictures(hall, address_of(power)) for power in ("ITALY", "FRANCE"))
    assert english.keys() == korean.keys()
    assert english != korean


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en", "Map: Spring 1901 movement"),
        ("ko", "지도: 1901년 봄 이동 단계"),
        ("zh_Hant", "1901年春季移動階段"),
        ("ja", "1901年春の移動フェイズ"),
    ],
)
def test_the_html_of_results_shows_the_map_in_the_readers_language(
    hall: Hall, pool: HandPool, language: str, shown: str
) -> None:
    pool.is_quick = True
    hall.start()
    hall.order("FRANCE", f"SET LANGUAGE {language}")
    hall.open_game()
    hall.run_phase()
    letter = email.message_from_bytes(hall.sent[hall.last(address_of("FRANCE")).token])
    (html,) = (one for one in letter.walk() if one.get_content_type() == "text/html")
    (image,) = (one for one in letter.walk() if one.get_content_type() == "image/png")
    payload, picture = html.get_payload(decode=True), image.get_payload(decode=True)
    assert isinstance(payload, bytes)
    (tag,) = re.findall("<img[^>]*>", payload.decode())
    assert f'src="cid:{image["Content-ID"].strip("<>")}"' in tag
    assert re.search(f'alt="[^"]*{shown}"', tag)
    digest = next(one.sha256 for one in pool.requests if one.language == language)
    assert picture == PNG + digest.encode()


@pytest.mark.parametrize(
    ("choice", "files"),
    [
        ("SET ATTACHMENTS NONE", []),
        ("SET ATTACHMENTS CHART", []),
        ("SET FORMAT PLAIN", []),
        ("SET FORMAT HTML", ["balkan-S1901M.png"]),
    ],
)
def test_a_map_comes_only_to_who_wants_it(
    hall: Hall, pool: HandPool, choice: str, files: list[str]
) -> None:
    pool.is_quick = True
    hall.start()
    hall.order("FRANCE", choice)
    hall.open_game()
    hall.run_phase()
    letter = email.message_from_bytes(hall.sent[hall.last(address_of("FRANCE")).token])
    assert [one.get_filename() for one in letter.walk() if one["Content-ID"]] == files
    assert b"not ready in time" not in bytes(letter)


def test_maps_of_gunboat_games_name_no_players(hall: Hall, pool: HandPool) -> None:
    pool.is_quick = True
    hall.create("press: none\nnames: hidden")
    for power in POWERS:
        hall.post(address_of(power), f"JOIN balkan {power}", name=f"Zebulon {power}")
        hall.post(address_of(power), "yes", reply_to=hall.last(address_of(power)))
    hall.open_game()
    hall.run_phase()
    hall.order("FRANCE", "MAP balkan")
    assert {one.shows for one in pool.requests} == {Shows.PHASE, Shows.POSITION}
    drawings = [picture.to_svg().decode() for one in pool.requests if (picture := drawn(one))]
    assert all("France" in one and "Zebulon" not in one for one in drawings)


def test_letters_wait_for_their_map_and_others_pass(hall: Hall, pool: HandPool) -> None:
    ran(hall)
    france = hall.last(address_of("FRANCE"))
    assert france.kind == "results"
    assert france.token not in hall.sent
    hall.post("ann@example.test", "GAMES")
    assert hall.last("ann@example.test").token in hall.sent
    pool.draw()
    hall._collect()
    assert list(pictures(hall, address_of("FRANCE"))) == ["balkan-S1901M.png"]
    assert len(pool.requests) == 1


def test_a_letter_waits_for_each_of_its_pictures(hall: Hall, pool: HandPool) -> None:
    ran(hall)
    hall.order("FRANCE", "MAP balkan\nMAP balkan S1901M")
    assert len(pool.waiting) == 2
    answer = hall.last_answer(address_of("FRANCE"))
    assert answer.token not in hall.sent
    while pool.waiting:
        pool.draw(1)
        assert answer.token not in hall.sent
        hall._collect()
    assert len(pictures(hall, address_of("FRANCE"))) == 2


def test_a_map_that_is_not_drawn_in_time_is_named_instead(hall: Hall, pool: HandPool) -> None:
    ran(hall)
    hall.instant += PATIENCE - timedelta(seconds=1)
    hall._collect()
    assert hall.last(address_of("FRANCE")).token not in hall.sent
    hall.instant += timedelta(seconds=1)
    hall._collect()
    assert pictures(hall, address_of("FRANCE")) == {}
    assert "MAP balkan S1901M brings it." in hall.text(hall.last(address_of("FRANCE")))
    pool.draw()
    hall._collect()  # the command finds it, and nothing is drawn twice
    hall.order("FRANCE", "MAP balkan S1901M")
    assert list(pictures(hall, address_of("FRANCE"))) == ["balkan-S1901M.png"]
    assert len(pool.requests) == 1


def test_nobody_waits_where_too_many_maps_are_awaited(hall: Hall, pool: HandPool) -> None:
    pool.is_full = True
    hall.start()
    hall.order("FRANCE", "SET LANGUAGE ja")
    hall.open_game()
    hall.run_phase()
    assert "地図 balkan S1901M" in hall.text(hall.last(address_of("FRANCE")))
    assert pictures(hall, address_of("FRANCE")) == {}


def test_map_sends_what_the_results_showed(hall: Hall, pool: HandPool) -> None:
    pool.is_quick = True
    ran(hall)
    shown = pictures(hall, address_of("FRANCE"))
    hall.order("FRANCE", "MAP balkan S1901M")
    assert pictures(hall, address_of("FRANCE")) == shown
    assert len(pool.requests) == 1


def test_a_map_is_kept_once_and_forgotten_when_no_letter_needs_it(
    hall: Hall, pool: HandPool
) -> None:
    pool.is_quick = True
    ran(hall)
    digest = pool.requests[0].sha256
    with hall.database.transaction() as tx:
        stored = tx.outbox.get(hall.last(address_of("FRANCE")).token)
        assert stored is not None
        assert stored.raw is not None
        assert stored.pictures == (digest,)
        assert PNG not in stored.raw
        assert len(stored.raw) < len(hall.sent[stored.token])
        assert tx.pictures.forget(hall.instant) == 0
        assert tx.pictures.get([digest])
        assert tx.pictures.forget(hall.instant + timedelta(seconds=1)) == 1
        assert not tx.pictures.get([digest])


def test_a_map_of_a_letter_that_is_not_sent_yet_is_kept(hall: Hall, pool: HandPool) -> None:
    pool.is_quick = True
    ran(hall)
    token, digest = hall.last(address_of("FRANCE")).token, pool.requests[0].sha256
    for state in ("queued", "sending", "stuck"):
        with hall.database.transaction() as tx:
            sql = "UPDATE outbox SET state = ? WHERE letter = (SELECT id FROM letters_out"
            tx.outbox.run(f"{sql} WHERE token = ?)", [state, token])
            assert tx.pictures.forget(hall.instant + timedelta(days=9)) == 0
            assert tx.pictures.has(digest)


def test_the_classic_form_comes_without_a_map(hall: Hall, pool: HandPool) -> None:
    pool.is_quick = True
    hall.start()
    hall.order("FRANCE", "SET REPORT CLASSIC")
    hall.open_game()
    hall.run_phase()
    assert pictures(hall, address_of("FRANCE")) == {}
    assert list(pictures(hall, address_of("ITALY"))) == ["balkan-S1901M.png"]


# --- the pool -------------------------------------------------------------------------------------


def request(variant: str = "standard") -> PictureRequest:
    game = load_game("diplomacy").start(variant, {})
    return PictureRequest("diplomacy", variant, "en", Shows.POSITION, bytes(game.view(None)))


def made(pool: PicturePool, ask: Callable[[], object]) -> Mapping[str, bytes]:
    """What a pool has made when it first tells so."""
    told = Event()
    pool.begin(when_made=told.set)
    try:
        assert ask()
        assert told.wait(60)
        return pool.take_made()
    finally:
        pool.end()


def test_another_process_draws_the_same_bytes() -> None:
    pool, asked = PicturePool(1), request()
    assert made(pool, lambda: pool.ask(asked)) == {asked.sha256: png_of(asked)}


def test_a_picture_that_cannot_be_drawn_is_told_once_and_tried_again() -> None:
    pool, asked = (
        PicturePool(1),
        PictureRequest("diplomacy", "standard", "en", Shows.PHASE, b"[{}]"),
    )
    assert made(pool, lambda: pool.ask(asked)) == {}


class HandExecutor:
    """Takes any work, which the test calls done."""

    def __init__(self) -> None:
        self.given: list[Future[bytes]] = []

    def submit(self, *_: object) -> Future[bytes]:
        self.given.append(Future())
        return self.given[-1]


def test_nobody_waits_for_a_picture_that_would_come_too_late() -> None:
    """On a busy machine a hundred took longer than the patience of the letters that waited."""
    seconds = [0.0]
    executor = HandExecutor()

    class Pool(PicturePool):
        def _running(self) -> HandExecutor:  # type: ignore[override]
            return executor

    pool = Pool(1, lambda: seconds[0])
    requests = [
        PictureRequest("diplomacy", "standard", "en", Shows.POSITION, b"%d" % number)
        for number in range(3 * MOST_AWAITED)
    ]
    assert [pool.ask(one) for one in requests].count(True) == MOST_AWAITED
    for done in executor.given:
        seconds[0] += 1
        done.set_result(PNG)
    assert len(pool.take_made()) == MOST_AWAITED
    # Each takes a second now.
    assert 1 < [pool.ask(one) for one in requests].count(True) <= LONGEST_WAIT + 1
