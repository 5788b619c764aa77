"""`judge map`: the map of a game's position, or of a phase that has run, or its charts, as a
file."""

from argparse import Namespace
from pathlib import Path

from judge.errors import JudgeError
from judge.host import score_history
from judge.hosting import Hosting
from judge.render.catalogue import catalogue
from judge.rulebook import Picture, load_game, load_renderer
from judge.terminal import DONE, refuse, shown

ENDINGS = (".svg", ".png")


def draw_map(hosting: Hosting, args: Namespace) -> int:
    """Write the map, or with `--chart` the charts, to the file that is named, else to
    GAME-PHASE.png or GAME-centers.png where we are."""
    label = args.phase.upper() if args.phase else None
    with hosting.database.read() as tx:
        game = tx.games.get(args.game.lower())
        record = tx.phases.named(game.name, label) if game and label else None
        phases = tx.phases.of(game.name) if game and args.chart else ()
    if game is None:
        return refuse(f'Nothing is called "{shown(args.game)}". `judge games` lists the games.')
    language = args.language or game.settings.language or hosting.settings.judge.languages[0]
    words = load_renderer(game.game).words(game.settings.variant, catalogue(language))
    picture: Picture | None = None
    if game.state is not None and game.phase is not None:
        # Nothing is hidden from the keeper.
        view = load_game(game.game).open(game.state).revealed.view(None)
        if args.chart:
            picture = words.centers_picture(score_history(game, phases), view)
        elif record is not None:
            picture = words.report_picture([report.public for report in record.reports])
        elif label in (None, game.phase.label):
            picture = words.position_picture(view)
    if picture is None or game.phase is None:
        told = "finished year" if args.chart else shown(args.phase or "phase")
        return refuse(f"The game {game.name} has no {told} to draw.")
    name = "centers" if args.chart else label or game.phase.label
    path: Path = args.output or Path(f"{game.name}-{name}.png")
    if path.suffix.lower() not in ENDINGS:
        return refuse(f"{path}: a map is written as .svg or .png")
    is_svg = path.suffix.lower() == ".svg"
    try:
        path.write_bytes(picture.to_svg() if is_svg else picture.to_png(args.width))
    except OSError as error:
        raise JudgeError(f"{path}: {error.strerror}") from error
    print(path)
    return DONE
