"""`judge map`: the map of a game's position, or of a phase that has run, as a file."""

import sys
from argparse import Namespace
from pathlib import Path

import msgspec

from judge.errors import JudgeError
from judge.hosting import Hosting
from judge.render.catalogue import catalogue
from judge.rulebook import Picture, load_game, load_renderer
from judge.store import GameRecord, PhaseRecord
from judge.terminal import shown

DONE, REFUSED = 0, 1
ENDINGS = (".svg", ".png")


def draw_map(hosting: Hosting, args: Namespace) -> int:
    """Write the map to the file that is named, else to GAME-PHASE.png where we are."""
    label = args.phase.upper() if args.phase else None
    with hosting.database.read() as tx:
        game = tx.games.get(args.game.lower())
        record = tx.phases.named(game.name, label) if game and label else None
    if game is None:
        print(
            f'Nothing is called "{shown(args.game)}". `judge games` lists the games.',
            file=sys.stderr,
        )
        return REFUSED
    is_now = game.phase is not None and label in (None, game.phase.label)
    if game.state is None or not (is_now or record):
        phase = shown(args.phase) if args.phase else "phase"
        print(f"The game {game.name} has no {phase} to draw.", file=sys.stderr)
        return REFUSED
    assert game.phase is not None
    path: Path = args.output or Path(f"{game.name}-{label or game.phase.label}.png")
    if path.suffix.lower() not in ENDINGS:
        print(f"{path}: a map is written as .svg or .png", file=sys.stderr)
        return REFUSED
    language = args.language or game.settings.language or hosting.settings.judge.languages[0]
    picture = picture_of(game, record, language)
    is_svg = path.suffix.lower() == ".svg"
    try:
        path.write_bytes(picture.to_svg() if is_svg else picture.to_png(args.width))
    except OSError as error:
        raise JudgeError(f"{path}: {error.strerror}") from error
    print(path)
    return DONE


def picture_of(game: GameRecord, record: PhaseRecord | None, language: str) -> Picture:
    """The map of a finished phase, or without one of the position."""
    words = load_renderer(game.game).words(game.settings.variant, catalogue(language))
    if record is not None:
        return words.report_picture(msgspec.Raw(record.reports[0].public))
    assert game.state is not None
    return words.position_picture(load_game(game.game).open(game.state).view(None))
