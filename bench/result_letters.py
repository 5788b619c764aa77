"""Result letters: milliseconds for those of one phase, seven players in four languages.

    python -m bench.result_letters [--phases N]

The computer plays a standard game by mail, and the letters of its fullest movement phase are made
again and again from their rows of the outbox: rendered, and composed to the bytes that are sent.
Each figure is a median of CPU time, of all seven letters together and of the slowest. What is
kept of a report is forgotten before each round, as with a phase that has just run; a map is drawn
once for all readers of a language.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from bench.service import Service, address_of
from bench.tables import print_table
from judge.config import Settings
from judge.host import messages_from_json
from judge.outgoing import letter_bytes
from judge.render import RenderedLetter, render_letter
from judge.render.diplomacy.results import _public_results
from judge.render.picture_requests import png_of
from judge.rulebook import RandomStream, load_game
from judge.store import Format, OutboxRow

ROUNDS, PHASES = 9, 10
LANGUAGES = ("en", "ko", "zh_Hant", "ja")


def result_letters(phases: int) -> tuple[list[OutboxRow], Settings]:
    """The results of the fullest movement phase of a game, a row for each player; these read the
    four languages in turn."""
    service, rulebook = Service(None), load_game("diplomacy")
    service.start_game("balkan")
    found: list[list[OutboxRow]] = []
    for serial in range(phases):
        with service.database.transaction() as tx:
            game = tx.games.get("balkan")
        assert game is not None
        if game.ending:
            break
        assert game.state is not None
        opened = rulebook.open(game.state)
        seats = [one.seat for one in opened.awaited]
        stream = RandomStream(b"letters", serial)
        for seat, lines in opened.computer_orders(seats, stream).items():
            service.say(address_of(str(seat)), "\n".join(line.text for line in lines))
        service.pass_deadline()
        service.run_due()
        with service.database.transaction() as tx:
            rows = [one for one in tx.outbox.unrendered(1000) if one.kind == "results" and one.seat]
        if game.phase is not None and game.phase.kind == "movement":
            found.append(rows)
        service.render()
        service.send()
    settings = service.settings
    service.close()
    fullest = max(found, key=lambda rows: sum(len(row.messages) for row in rows))
    languages = (LANGUAGES[at % len(LANGUAGES)] for at in range(len(fullest)))
    return [
        replace(row, language=one) for row, one in zip(fullest, languages, strict=True)
    ], settings


def made(row: OutboxRow, settings: Settings) -> tuple[RenderedLetter, bytes]:
    """A letter from its row to the bytes that are sent, digests in place of its pictures."""
    letter = render_letter(
        messages_from_json(row.messages, row.documents),
        language=row.language,
        zone=row.zone,
        judge_name=settings.judge.name,
        kind=row.kind,
        attachments=() if row.format is Format.PLAIN else row.attachments,
        is_plain=row.format is Format.PLAIN,
    )
    return letter, letter_bytes(row, letter, settings)


def milliseconds(work: Callable[[], object]) -> float:
    """The median of so many rounds, after one that fills the caches."""
    work()
    took = []
    for _ in range(ROUNDS):
        _public_results.cache_clear()
        began = time.process_time()
        work()
        took.append(1000 * (time.process_time() - began))
    return statistics.median(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--phases", type=int, default=PHASES)
    rows, settings = result_letters(parser.parse_args().phases)
    table = []
    for title, format in (("text alone", Format.PLAIN), ("text and HTML", Format.BOTH)):
        letters = [replace(row, format=format) for row in rows]
        every = milliseconds(lambda letters=letters: [made(row, settings) for row in letters])
        slowest = max(milliseconds(partial(made, row, settings)) for row in letters)
        largest = max(len(made(row, settings)[1]) for row in letters) / 1000
        table.append([title, f"{every:.1f}", f"{slowest:.1f}", f"{largest:.0f}"])
    requests = {
        request.sha256: request for row in rows for _, request, _ in made(row, settings)[0].pictures
    }
    if requests:
        took = [milliseconds(partial(png_of, one)) for one in requests.values()]
        size = max(len(png_of(one)) for one in requests.values()) / 1000
        name = f"its {len(requests)} maps, one a language"
        table.append([name, f"{sum(took):.1f}", f"{max(took):.1f}", f"{size:.0f}"])
    print(f"{rows[0].game} {rows[0].label}: {len(rows)} letters in {len(LANGUAGES)} languages\n")
    print_table(["made", "all, ms", "slowest, ms", "largest, kB"], table)


if __name__ == "__main__":
    main()
