"""`judge letters`, `judge outbox`, `judge games release`: what was set aside goes on, or ends."""

import sys
from argparse import Namespace

from judge.hosting import Hosting
from judge.intake import Intake
from judge.store import LetterState, StoredLetter
from judge.terminal import shown

DONE, REFUSED, USAGE = 0, 1, 2
MOST_DIGITS = 15  # of the number of a letter
SHOWN_COLUMNS = 200  # of an error


def letters(hosting: Hosting, args: Namespace) -> int:
    """List the letters that could not be handled, show one, handle it again, or drop it."""
    if args.action == "list":
        with hosting.database.read() as tx:
            shunted = tx.letters.shunted()
        for stored in shunted:
            print(_line(stored))
        if not shunted:
            print("No letter is set aside.")
        return DONE
    if args.id is None:
        print(f"judge letters {args.action} ID: `judge letters` lists them", file=sys.stderr)
        return USAGE
    with hosting.database.read() as tx:
        is_number = args.id.isascii() and args.id.isdigit() and len(args.id) <= MOST_DIGITS
        found = tx.letters.get(int(args.id)) if is_number else None
    if found is None:
        print(f"There is no letter {args.id}. `judge letters` lists them.", file=sys.stderr)
        return REFUSED
    if args.action == "show":
        print(_line(found), end="\n\n")
        print(shown(found.letter.raw.decode("utf-8", "replace").replace("\r\n", "\n")))
        return DONE
    if found.state is not LetterState.SHUNTED:
        print(f"Letter {found.id} is not set aside, but {found.state}.", file=sys.stderr)
        return REFUSED
    if args.action == "retry" and not found.letter.raw:
        uid = found.letter.uid
        print(f"The mail server did not hand it over; its UID is {uid}.", file=sys.stderr)
        return REFUSED
    if args.action == "drop":
        with hosting.database.transaction() as tx:
            tx.letters.set_state(found.id, LetterState.ASIDE, "dropped by the keeper")
        print(f"Letter {found.id} is dropped; it stays in the database.")
        return DONE
    if Intake(hosting).retry(found):
        print(f"Letter {found.id} is handled. Its answer waits in the outbox.")
        return DONE
    with hosting.database.read() as tx:
        found = tx.letters.get(found.id)
    assert found is not None
    print(f"It failed again. {_line(found)}", file=sys.stderr)
    return REFUSED


def outbox(hosting: Hosting, args: Namespace) -> int:
    """List the letters that could not be sent, send one again, or drop it."""
    with hosting.database.transaction() as tx:
        stuck = tx.outbox.stuck()
        if args.action == "list":
            for row in stuck:
                game = f", {row.game}" if row.game else ""
                error = shown(row.last_error[:SHOWN_COLUMNS])
                print(f"{row.token}  to {row.recipient}, {row.kind}{game}: {error}")
            if not stuck:
                print("No letter is stuck.")
            for row in tx.outbox.waiting():
                error = shown(row.last_error[:SHOWN_COLUMNS])
                again = f"again {row.next_try_at:%Y-%m-%d %H:%M} UTC" if row.next_try_at else ""
                print(f"{row.token}  to {row.recipient}, {row.kind}, waits, {again}: {error}")
            return DONE
        if args.token is None:
            print(f"judge outbox {args.action} TOKEN: `judge outbox` lists them", file=sys.stderr)
            return USAGE
        matching = [row for row in stuck if row.token == args.token]
        if not matching:
            print(f"No stuck letter is {args.token}. `judge outbox` lists them.", file=sys.stderr)
            return REFUSED
        (row,) = matching
        if args.action == "drop":
            tx.outbox.drop_stuck(row.token)
            print(f"The letter to {row.recipient} is dropped.")
        else:
            tx.outbox.retry_stuck(row.token, hosting.clock.now())
            print(f"The letter to {row.recipient} is queued again.")
    return DONE


def release_game(hosting: Hosting, name: str) -> int:
    """Let a halted game be due again."""
    with hosting.database.transaction() as tx:
        halted = {game.lower(): game for game, _ in tx.games.halted()}
        if name.lower() not in halted:
            print(f"No halted game is called {name}. `judge games` shows them.", file=sys.stderr)
            return REFUSED
        tx.games.release(halted[name.lower()])
    print(f"{halted[name.lower()]} goes on; it runs when the judge looks at it next.")
    return DONE


def print_halted(hosting: Hosting, name: str | None = None) -> bool:
    """Say which games are halted (or that this one is), and how each goes on; whether any is."""
    with hosting.database.read() as tx:
        halted = [one for one in tx.games.halted() if name in (None, one[0].lower())]
    for game, why in halted:
        print(f"{game} is halted: {shown(why[:SHOWN_COLUMNS])}")
        print(f"    When the cause is removed: judge games release {game}")
    return bool(halted)


def _line(stored: StoredLetter) -> str:
    letter = stored.letter
    why = (stored.last_error or stored.note)[:SHOWN_COLUMNS]
    line = f"{stored.id}  from {letter.sender or 'nobody'}, {letter.received_at:%Y-%m-%d %H:%M} UTC"
    return shown(f"{line}, {stored.state}: {why}")
