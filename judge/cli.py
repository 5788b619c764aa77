"""The `judge` program: reads its arguments, calls the same handlers as the mail commands, prints.

Exit codes: 0 done, 1 the request was refused, 2 wrong usage or settings.
"""

import argparse
import asyncio
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from judge import __version__
from judge.clock import SystemClock
from judge.config import Settings, find_settings_file, load_settings
from judge.errors import JudgeError, SettingsError
from judge.host import (
    Message,
    Refusal,
    UnitOfWork,
    keeper_create,
    keeper_games,
    keeper_process,
    keeper_show,
)
from judge.own_variants import take_own_variants
from judge.render import render_letter
from judge.service import open_database, serve, serve_embedded
from judge.variants_command import add_variants
from judge.work import Work, load_secret

DONE, REFUSED, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command of the program; returns its exit code."""
    parser = _parser()
    args, more = parser.parse_known_args(arguments)
    if more and (args.run is not _create or any(one.startswith("-") for one in more)):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if more:
        args.setting += more  # argparse takes no list in two pieces, as around --master
    if args.run is None:
        parser.print_help(sys.stderr)
        return USAGE
    logging.basicConfig(
        level=logging.DEBUG if args.verbose else logging.INFO,
        format="%(asctime)s %(levelname)s %(name)s %(message)s",
        stream=sys.stderr,
    )
    logging.getLogger("mail.log").setLevel(logging.WARNING)  # aiosmtpd's, a line for each step
    try:
        return int(args.run(args))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return USAGE
    except JudgeError as error:
        print(error, file=sys.stderr)
        return REFUSED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="judge", description="A judge for diplomacy by e-mail.")
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    parser.add_argument("-v", "--verbose", action="store_true", help="log more")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    demo = _command(commands, "demo", _demo, "play a whole game by e-mail against itself")
    demo.add_argument(
        "--dir", type=Path, default=Path("demo-output"), help="where letters are left"
    )
    demo.add_argument("--seed", type=int, default=1901, help="chooses the players' moves")
    demo.add_argument("--years", type=int, default=3, help="game years, at least")

    run = _with_config(_command(commands, "serve", _serve, "run the daemon"))
    run.add_argument("--embedded", type=Path, metavar="DIR", help="bring an own mail server")

    _with_config(_command(commands, "check", _check, "try the settings, and say how to mend them"))

    lines = _command(commands, "adjudicate", _adjudicate, "JSON Lines of positions and orders")
    lines.add_argument(
        "file", nargs="?", type=Path, metavar="FILE", help="standard input if left out"
    )

    lines.add_argument("--config", type=Path, metavar="FILE", help="settings with own variants")

    variants = _command(commands, "variants", _variants, "list, show and check variants")
    add_variants(_with_config(variants))

    _with_config(_command(commands, "games", _games, "list all games"))
    show = _with_config(_command(commands, "show", _show, "show one game"))
    show.add_argument("game")
    process = _with_config(_command(commands, "process", _process, "run the phase that is due"))
    process.add_argument("game")
    process.add_argument("phase", nargs="?", help="only if this phase is due, as S1901M")
    create = _with_config(_command(commands, "create", _create, "open a new game"))
    create.add_argument("game")
    create.add_argument("--master", required=True, metavar="ADDRESS")
    create.add_argument("setting", nargs="*", metavar="NAME=VALUE", help="as movement=3d")
    return parser


def _command(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Callable[[argparse.Namespace], int],
    summary: str,
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=summary, description=summary)
    command.set_defaults(run=run)
    return command


def _with_config(command: argparse.ArgumentParser) -> argparse.ArgumentParser:
    command.add_argument("--config", type=Path, metavar="FILE", help="the settings")
    return command


def _settings(args: argparse.Namespace, *, for_mail: bool) -> Settings:
    """The settings, with the keeper's own variants in use from now on."""
    path = args.config or find_settings_file(os.environ)
    settings = load_settings(path, os.environ, for_mail=for_mail)
    take_own_variants(settings)
    return settings


def _demo(args: argparse.Namespace) -> int:
    from judge.demo import run_demo  # brings its own server and display; nobody else needs them

    return run_demo(args.dir, args.seed, args.years)


def _serve(args: argparse.Namespace) -> int:
    if args.embedded is not None:
        take_own_variants(load_settings(None, os.environ, for_mail=False))
        asyncio.run(serve_embedded(args.embedded, dict(os.environ)))
    else:
        asyncio.run(serve(_settings(args, for_mail=True)))
    return DONE


def _check(args: argparse.Namespace) -> int:
    from judge.check import check

    return check(_settings(args, for_mail=True))


def _adjudicate(args: argparse.Namespace) -> int:
    from judge.diplomacy import adjudicate_stream

    # Only a file that is named: who pipes lines must not stumble over the daemon's.
    named = args.config or (Path(file) if (file := os.environ.get("JUDGE_CONFIG")) else None)
    take_own_variants(load_settings(named, os.environ, for_mail=False))
    try:
        source = args.file.open("rb") if args.file else sys.stdin.buffer
    except OSError as error:
        print(f"{args.file}: {error.strerror}", file=sys.stderr)
        return USAGE
    with source:
        return DONE if adjudicate_stream(source, sys.stdout) else REFUSED


def _variants(args: argparse.Namespace) -> int:
    _settings(args, for_mail=False)
    return int(args.variants(args))


def _games(args: argparse.Namespace) -> int:
    return _on_games(args, lambda unit_of_work: (keeper_games(unit_of_work),))


def _show(args: argparse.Namespace) -> int:
    return _on_games(args, lambda unit_of_work: (keeper_show(unit_of_work, args.game),))


def _process(args: argparse.Namespace) -> int:
    return _on_games(args, lambda unit_of_work: keeper_process(unit_of_work, args.game, args.phase))


def _create(args: argparse.Namespace) -> int:
    fields = {}
    for setting in args.setting:
        name, equals, value = setting.partition("=")
        if not equals:
            print(f"{setting}: write it as NAME=VALUE, as movement=3d", file=sys.stderr)
            return USAGE
        fields[name] = value
    return _on_games(
        args, lambda unit_of_work: keeper_create(unit_of_work, args.game, args.master, fields)
    )


def _on_games(args: argparse.Namespace, do: Callable[[UnitOfWork], tuple[Message, ...]]) -> int:
    """A keeper's command: one transaction, its blocks printed as a letter would say them."""
    settings = _settings(args, for_mail=False)
    database = open_database(settings)
    clock = SystemClock()
    work = Work(settings, database, clock, load_secret(settings.secret_path))
    cause = f"keeper {args.run.__name__} {clock.now().timestamp()}"
    try:
        with database.transaction() as store:
            unit_of_work = work.unit_of_work(store, cause)
            messages = do(unit_of_work)
            store.save(unit_of_work.changes(), cause=cause)
    finally:
        database.close()
    is_refused = any(isinstance(message, Refusal) for message in messages)
    letter = render_letter(
        messages,
        language=settings.judge.languages[0],
        zone=settings.judge.timezone,
        judge_name=settings.judge.name,
        kind="answer",
    )
    print(letter.text, file=sys.stderr if is_refused else sys.stdout)
    return REFUSED if is_refused else DONE
