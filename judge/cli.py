"""The `judge` program: reads its arguments, calls the same handlers as the mail commands, prints.

Exit codes: 0 done, 1 the request was refused, 2 wrong usage or settings; of `judge serve` also
65: its data cannot be used, and a restart would not help.
"""

import asyncio
import os
import sys
import tomllib
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from judge import __version__, host
from judge.check import check
from judge.clock import SystemClock
from judge.config import Settings, load_settings
from judge.data import read_text
from judge.data_folder import load_secret, open_database
from judge.errors import JudgeError, SettingsError, Unavailable, may_pass
from judge.hosting import Hosting
from judge.keeper_commands import (
    create_game,
    manage_letters,
    manage_outbox,
    print_games_as_json,
    print_halted,
    steer_game,
)
from judge.logs import FORMATS, LEVELS, begin_log
from judge.map_command import draw_map
from judge.own_variants import take_own_variants
from judge.render import languages, render_letter
from judge.service import serve, serve_embedded
from judge.terminal import DONE, REFUSED, USAGE, refuse, shown
from judge.variants_command import check_variants, import_variant, list_variants, show_variant

BAD_DATA = 65  # of `judge serve`: EX_DATAERR of sysexits.h, where no restart helps
STOPPED = 130  # by Ctrl-C, as shells have it
SETTINGS_FILE = Path("/etc/judge/judge.toml")
PROGRAM = tomllib.loads(read_text("program.toml"))
# What a keeper is told in the shell, where a letter would name commands of letters.
REFUSED_IN_SHELL: Mapping[str, str] = PROGRAM["refused"]
DEMO_PACKAGES = ("aiosmtpd", "proxyprotocol", "pymap", "rich")  # of the extra judge[demo]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command of the program; returns its exit code."""
    parser = _parser()
    args, more = parser.parse_known_args(arguments)
    # argparse takes no list in two pieces, as around --master, and no optional argument behind an
    # option that stands behind another argument.
    last = PROGRAM["last_arguments"].get(args.command, "")
    if not any(one.startswith("-") for one in more):
        if args.run is _create:
            args.setting, more = [*args.setting, *more], []
        elif len(more) == 1 and getattr(args, last, more) is None:
            setattr(args, last, more.pop())
    if more:
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if args.run is None:
        parser.print_help(sys.stderr)
        return USAGE
    begin_log("debug" if args.verbose else args.log_level, args.log_format)
    try:
        return int(args.run(args))
    except SettingsError as error:
        return refuse(str(error), USAGE)
    except JudgeError as error:
        if isinstance(error, Unavailable):
            return refuse(f"{error}. Nothing was changed; try again")
        return refuse(str(error), BAD_DATA if args.run is _serve else REFUSED)
    except KeyboardInterrupt:
        return STOPPED
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in DEMO_PACKAGES:
            raise
        return refuse(
            "The demo and the embedded mail server need more packages. Install them with\n"
            '    pip install "judge[demo]"',
            USAGE,
        )
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        if not may_pass(error):
            raise
        return refuse(f"{error}. Nothing was changed; try again")


# --- what each command does -----------------------------------------------------------------------


def _demo(args: Namespace) -> int:
    from judge.demo import run_demo  # needs the extra judge[demo]

    return run_demo(args.dir, args.seed, args.years)


def _serve(args: Namespace) -> int:
    if args.embedded is not None:
        # As for adjudicate: only a file that is named.
        take_own_variants(load_settings(args.config, os.environ, for_mail=False))
        asyncio.run(serve_embedded(args.embedded, dict(os.environ), args.config))
    else:
        asyncio.run(serve(_load_settings_and_variants(args, for_mail=True)))
    return DONE


def _adjudicate(args: Namespace) -> int:
    from judge.adjudicate_stream import adjudicate_stream

    # Only a file that is named: a run on piped lines does not depend on the daemon's settings.
    take_own_variants(load_settings(args.config, os.environ, for_mail=False))
    try:
        source = args.file.open("rb") if args.file else sys.stdin.buffer
    except OSError as error:
        return refuse(f"{args.file}: {error.strerror}", USAGE)
    with source:
        try:
            return DONE if adjudicate_stream(source, sys.stdout, args.jobs) else REFUSED
        except KeyboardInterrupt:
            return STOPPED


def _variants(args: Namespace, do: Callable[[Namespace], int]) -> int:
    _load_settings_and_variants(args, for_mail=False)
    return do(args)


def _games(args: Namespace) -> int:
    if args.action is not None and args.game is None:
        return refuse(f"judge games {args.action} GAME: `judge games` lists them", USAGE)
    if args.action is not None:
        return _on_store(args, lambda hosting, args: steer_game(hosting, args.action, args.game))
    if args.json:
        return _on_store(args, lambda hosting, _: print_games_as_json(hosting))
    done = _in_transaction(args, lambda work: (host.keeper_games(work),), read_only=True)
    _on_store(args, lambda hosting, _: print_halted(hosting))
    return done


def _number_within(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number of an argument."""

    def count(written: str) -> int:
        if not least <= int(written) <= most:
            raise ValueError(written)
        return int(written)

    return count


def _show(args: Namespace) -> int:
    if args.json:
        return _on_store(
            args, lambda hosting, args: print_games_as_json(hosting, args.game.lower())
        )
    _on_store(args, lambda hosting, args: print_halted(hosting, args.game.lower()))
    return _in_transaction(args, lambda work: (host.keeper_show(work, args.game),), read_only=True)


def _master(args: Namespace) -> int:
    return _in_transaction(args, lambda work: host.keeper_master(work, args.game, args.address))


def _create(args: Namespace) -> int:
    wanted = dict(setting.partition("=")[::2] for setting in args.setting)
    if wrong := [one for one in args.setting if not all(map(str.strip, one.partition("=")))]:
        return refuse(f"{wrong[0]}: write it as NAME=VALUE, as movement=3d", USAGE)
    return _in_transaction(args, lambda work: create_game(work, args.game, args.master, wanted))


def _load_settings_and_variants(args: Namespace, *, for_mail: bool) -> Settings:
    """The settings, with the keeper's own variants in use from now on."""
    path = args.config or (SETTINGS_FILE if SETTINGS_FILE.exists() else None)
    settings = load_settings(path, os.environ, for_mail=for_mail)
    take_own_variants(settings)
    return settings


def _on_store(args: Namespace, do: Callable[[Hosting, Namespace], int]) -> int:
    """A keeper's command on what the judge keeps; returns its exit code."""
    settings = _load_settings_and_variants(args, for_mail=False)
    database = open_database(settings, may_make=args.run is _create)
    try:
        secret = load_secret(settings.secret_path)
        return do(Hosting(settings, database, SystemClock(), secret), args)
    finally:
        database.close()


def _in_transaction(
    args: Namespace,
    do: Callable[[host.UnitOfWork], tuple[host.Message, ...]],
    *,
    read_only: bool = False,
) -> int:
    """A keeper's command: one transaction, its messages printed as a letter would say them."""

    def run(hosting: Hosting, _: Namespace) -> int:
        database = hosting.database
        cause = f"keeper {args.command} {hosting.clock.now().timestamp()}"
        with (
            database.read() if read_only else database.transaction() as tx,
            hosting.unit_of_work(tx, cause) as work,
        ):
            messages = do(work)
        judge = hosting.settings.judge
        refused = [message for message in messages if isinstance(message, host.Refusal)]
        if refused and refused[0].kind in REFUSED_IN_SHELL:
            return refuse(shown(REFUSED_IN_SHELL[refused[0].kind].format(**refused[0].values)))
        letter = render_letter(
            messages,
            language=judge.languages[0],
            zone=judge.timezone,
            judge_name=judge.name,
            kind="answer",
            is_plain=True,
        )
        if refused:
            verdict = letter.text.partition("\n")[0]
            return refuse(f"{verdict} `judge show {args.game}` says how it stands.")
        if args.run in (_create, _master):
            print("The master gets this letter:\n")
        print(letter.text)
        return DONE

    return _on_store(args, run)


# --- the commands and their arguments -------------------------------------------------------------


def add_log_options(parser: ArgumentParser) -> None:
    """These may stand before the command and behind it; where none does, the defaults count."""

    def add(*names: str, **about: Any) -> None:
        parser.add_argument(*names, default=SUPPRESS, **about)

    add("-v", "--verbose", action="store_true", help="log everything, as --log-level debug")
    add("--log-level", choices=LEVELS, help="the least that is logged (info)")
    add("--log-format", choices=FORMATS, help="journald's where it reads the log, else text")


# What each command does; `program.toml` has its arguments.
RUN: Mapping[str, Callable[[Namespace], int]] = {
    "demo": _demo,
    "serve": _serve,
    "check": lambda args: check(_load_settings_and_variants(args, for_mail=True)),
    "adjudicate": _adjudicate,
    "variants list": partial(_variants, do=lambda _: list_variants()),
    "variants show": partial(_variants, do=lambda args: show_variant(args.name)),
    "variants check": partial(_variants, do=lambda args: check_variants(tuple(args.folder))),
    "variants import": partial(_variants, do=import_variant),
    "games": _games,
    "letters": partial(_on_store, do=manage_letters),
    "outbox": partial(_on_store, do=manage_outbox),
    "show": _show,
    "map": partial(_on_store, do=draw_map),
    "process": lambda args: _in_transaction(
        args, lambda work: host.keeper_process(work, args.game, args.phase)
    ),
    "master": _master,
    "create": _create,
}
TYPES: Mapping[str, Callable[[str], Any]] = {
    "path": Path,
    "number": int,
    "jobs": _number_within(1, 10_000),
    "pixels": _number_within(100, 4000),
}


def _parser() -> ArgumentParser:
    parser = ArgumentParser(prog="judge", description="A judge for diplomacy by e-mail.")
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    parser.set_defaults(run=None, verbose=False, log_level="info", log_format=None)
    add_log_options(parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")

    for name, row in PROGRAM["commands"].items():
        added = commands.add_parser(name, help=row["about"], description=row["about"])
        added.set_defaults(run=RUN.get(name), config=os.environ.get("JUDGE_CONFIG"))
        add_log_options(added)
        if name != "demo":
            added.add_argument("--config", type=Path, metavar="FILE", help="the settings")
        _add_arguments(added, row)
        if "commands" in row:
            kinds = added.add_subparsers(title="commands", metavar="COMMAND", required=True)
            for inner, about in row["commands"].items():
                kind = kinds.add_parser(inner, help=about["about"], description=about["about"])
                kind.set_defaults(run=RUN[f"{name} {inner}"])
                # Without a default, which would hide one that stands before the command.
                kind.add_argument(
                    "--config", type=Path, metavar="FILE", help="the settings", default=SUPPRESS
                )
                _add_arguments(kind, about)
    return parser


def _add_arguments(parser: ArgumentParser, row: Mapping[str, Any]) -> None:
    for about in map(dict, row.get("arguments", ())):
        names, kind = about.pop("names"), about.pop("type", "")
        about |= {"choices": languages()} if kind == "language" else {}
        about |= {"type": TYPES[kind]} if kind in TYPES else {}
        parser.add_argument(*names, **about)
