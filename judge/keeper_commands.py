"""`judge letters`, `judge outbox`, `judge games`: what was set aside goes on, or ends."""

from argparse import Namespace
from collections.abc import Mapping

import msgspec

from judge.errors import Fault, SettingsError, StoreError
from judge.host import Message, UnitOfWork, keeper_create, setting_faults
from judge.hosting import Hosting
from judge.intake import Intake
from judge.mail import canonical_address, is_address
from judge.store import LetterState, Status, StoredLetter
from judge.terminal import DONE, USAGE, refuse, shown

MOST_DIGITS = 15  # of the number of a letter
SHOWN_COLUMNS = 200  # of an error
PAUSED = "paused by the keeper"


def manage_letters(hosting: Hosting, args: Namespace) -> int:
    """List the letters that could not be handled, show one, handle it again, or drop it."""
    if args.action == "list":
        with hosting.database.read() as tx:
            shunted = tx.letters.shunted()
        for stored in shunted:
            print(_letter_line(stored))
        if not shunted:
            print("No letter is set aside.")
        return DONE
    if args.id is None:
        return refuse(f"judge letters {args.action} ID: `judge letters` lists them", USAGE)
    with hosting.database.read() as tx:
        is_number = args.id.isascii() and args.id.isdigit() and len(args.id) <= MOST_DIGITS
        found = tx.letters.get(int(args.id)) if is_number else None
    if found is None:
        return refuse(f"There is no letter {args.id}. `judge letters` lists them.")
    if args.action == "show":
        print(_letter_line(found), end="\n\n")
        print(shown(found.letter.raw.decode("utf-8", "replace").replace("\r\n", "\n")))
        return DONE
    if found.state is not LetterState.SHUNTED:
        return refuse(f"Letter {found.id} is not set aside, but {found.state}.")
    if args.action == "retry" and not found.letter.raw:
        return refuse(f"The mail server did not hand it over; its UID is {found.letter.uid}.")
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
    return refuse(f"It failed again. {_letter_line(found)}")


def manage_outbox(hosting: Hosting, args: Namespace) -> int:
    """List the letters that could not be sent, send one again, or drop it."""
    with hosting.database.read() as tx:
        stuck, waiting = tx.outbox.stuck(), tx.outbox.deferred()
    if args.action == "list":
        for row in stuck:
            game = f", {row.game}" if row.game else ""
            error = shown(row.last_error[:SHOWN_COLUMNS])
            print(f"{row.token}  to {row.recipient}, {row.kind}{game}: {error}")
        if not stuck:
            print("No letter is stuck.")
        for row in waiting:
            error = shown(row.last_error[:SHOWN_COLUMNS])
            again = f"again {row.next_try_at:%Y-%m-%d %H:%M} UTC" if row.next_try_at else ""
            print(f"{row.token}  to {row.recipient}, {row.kind}, waits, {again}: {error}")
        return DONE
    if args.token is None:
        return refuse(f"judge outbox {args.action} TOKEN: `judge outbox` lists them", USAGE)
    with hosting.database.transaction() as tx:
        row_of = {row.token: row for row in tx.outbox.stuck()}
        if (found := row_of.get(args.token.lower())) is not None and args.action == "drop":
            tx.outbox.drop_stuck(found.token)
        elif found is not None:
            tx.outbox.retry_stuck(found.token, hosting.clock.now())
    if found is None:
        return refuse(f"No stuck letter is {args.token}. `judge outbox` lists them.")
    done = "is dropped" if args.action == "drop" else "is queued again"
    print(f"The letter to {found.recipient} {done}.")
    return DONE


def create_game(
    work: UnitOfWork, name: str, master: str, wanted: Mapping[str, str]
) -> tuple[Message, ...]:
    """A new game, or a refusal; no draft, which nobody could mend from the shell.

    Raises:
        SettingsError: the address or a setting cannot be taken.
    """
    faults = [
        Fault(
            fault.name,
            f'"{fault.written}" cannot be taken ({fault.kind})',
            f"Write {' or '.join(fault.known) or 'another value'}",
        )
        for fault in setting_faults(work, wanted)
    ]
    if not is_address(canonical_address(master)):
        remedy = "Write one such as gm@example.org"
        faults.append(Fault("--master", f"{master!r} is no mail address", remedy))
    if faults:
        raise SettingsError(faults)
    return keeper_create(work, name, master, wanted)


def steer_game(hosting: Hosting, action: str, name: str) -> int:
    """Pause a running game, let a halted one go on, or delete one that does not run."""
    with hosting.database.transaction() as tx:
        game = next((one for one in tx.games.stored_names() if one.lower() == name.lower()), None)
        halted = dict(tx.games.halted())
        if game is None:
            return refuse(f"No game is called {name}. `judge games` shows them.")
        if action == "delete":
            if tx.games.status(game) is Status.ACTIVE and game not in halted:
                return refuse(f"{game} runs. Pause it first: judge games pause {game}")
            tx.games.delete(game)
            done = f"{game} is deleted. Its letters stay in the database; nobody was told."
        elif action == "pause":
            if game in halted:
                return refuse(f"{game} is halted already: {shown(halted[game])}")
            hosting.halt(tx, game, PAUSED)
            done = f"{game} is paused; nothing runs in it until: judge games release {game}"
        else:
            if game not in halted:
                return refuse(f"{game} is not halted. `judge games` shows which are.")
            hosting.release(tx, game)
            done = f"{game} goes on; it runs when the judge looks at it next."
    print(done)
    return DONE


def print_games_as_json(hosting: Hosting, name: str | None = None) -> int:
    """An object a line for each game, or for one with its seats; instants in UTC."""
    with hosting.database.read() as tx:
        names = [one for one in tx.games.stored_names() if name in (None, one.lower())]
        halted = dict(tx.games.halted())
        for each in names:
            try:
                game = tx.games.get(each)
            except StoreError as error:
                print(msgspec.json.encode({"name": each, "error": str(error)}).decode())
                continue
            assert game is not None
            masters = [tx.players.get(one) for one in game.master_ids]
            addresses = [one.address for one in masters if one is not None and one.addresses]
            timing = game.timing
            line: dict[str, object] = {
                "name": game.name,
                "game": game.game,
                "variant": game.settings.variant,
                "rules": game.settings.rules,
                "status": game.status,
                "halted": halted.get(each),
                "phase": game.phase.label if game.phase else None,
                "deadline": timing.deadline_at if timing else None,
                "grace_until": timing.grace_until if timing else None,
                "waits": timing.waits if timing else False,
                "master": next(iter(addresses), None),
                "masters": addresses,
                "applicants": len(game.applicants),
                "seats": len(game.seats),
                "vacant": [seat.id for seat in game.seats if seat.player is None],
            }
            if name is not None:
                players = {one.id: tx.players.get(one.player) for one in game.seats if one.player}
                line["seats"] = [
                    {
                        "seat": seat.id,
                        "player": held.name if (held := players.get(seat.id)) else None,
                        "address": held.address if held else None,
                        "misses": seat.misses,
                        "has_orders": bool(game.order_set(seat.id)),
                    }
                    for seat in game.seats
                ]
            print(msgspec.json.encode(line).decode())
    if name is not None and not names:
        return refuse(f"No game is called {name}. `judge games` shows them.")
    return DONE


def print_halted(hosting: Hosting, name: str | None = None) -> int:
    """Say which games are halted (or that this one is), and how each goes on."""
    with hosting.database.read() as tx:
        halted = [one for one in tx.games.halted() if name in (None, one[0].lower())]
    for game, why in halted:
        print(f"{game} is halted: {shown(why[:SHOWN_COLUMNS])}")
        print(f"    When the cause is removed: judge games release {game}")
    return DONE


def _letter_line(stored: StoredLetter) -> str:
    letter = stored.letter
    why = (stored.last_error or stored.note)[:SHOWN_COLUMNS]
    line = f"{stored.id}  from {letter.sender or 'nobody'}, {letter.received_at:%Y-%m-%d %H:%M} UTC"
    return shown(f"{line}, {stored.state}: {why}")
