"""CREATE, and the hand of a game's master: PROCESS and SET DEADLINE, and about its end TERMINATE,
PURGE, REVEAL and ARCHIVE NUMBER."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from judge.clock import from_seconds, to_seconds
from judge.host.command import CommandLine, Handlers
from judge.host.commands.people import change_writer, may_send_question
from judge.host.commands.press import send_to_master
from judge.host.games.absences import end_calls
from judge.host.games.acts import ask_master_to_confirm, record_act
from judge.host.games.agreements import may_vote_on_deadline, propose
from judge.host.games.changing import FAIR_NOTICE
from judge.host.games.choosing import ChosenSettings, choose_settings, masters_named
from judge.host.games.digests import OFF, USUAL_HOUR, arm_digest, with_next_digest
from judge.host.games.ends import (
    TERMINATED,
    end_game,
    notify_game_over,
    public_game_over,
    roster,
    tenures_told,
)
from judge.host.games.filling import begin_full_game
from judge.host.games.forming import created, is_game_name, make_game, missing_players
from judge.host.games.masters import ask_person, key_of, masters_to_ask, name_or_address, new_master
from judge.host.games.old_settings import parse_settings_line
from judge.host.games.orders_due import (
    deadline_of,
    missing_seats,
    next_fitting_of,
    owing_seats,
    timing_of,
    waiting_seats,
)
from judge.host.games.phases import run_phase
from judge.host.games.proposals import Kind
from judge.host.games.reminders import move_deadline
from judge.host.games.setting_values import MOST_COMMENT, yes_or_no
from judge.host.letters.letter_context import LetterContext, NotDone, Role
from judge.host.letters.registering import ask_to_register
from judge.host.messages.command_answers import ConfirmAsked, Deed, Done, Kept, SettingFault
from judge.host.messages.game_events import Cancelled, MoveReason, Revealed
from judge.host.messages.master_acts import MasterActed, Mastership, MastershipEvent
from judge.host.messages.people import Personal, PersonalKind
from judge.host.messages.refusals import RefusalKind
from judge.host.schedules.dates import BadTime, TimeFault, parse_time
from judge.host.schedules.times import amount_in
from judge.host.unit_of_work import ref_to
from judge.rulebook import Values
from judge.store import (
    Act,
    Control,
    GameRecord,
    Player,
    Proposal,
    Purpose,
    Reveal,
    SentLetter,
    Status,
)

LONGEST_NUMBER = 60  # characters of an archive number
A_MINUTE = timedelta(minutes=1)

TIME_REFUSALS = {
    TimeFault.UNREADABLE: RefusalKind.BAD_TIME,
    TimeFault.NO_SUCH_DAY: RefusalKind.NO_SUCH_TIME,
    TimeFault.TWO_READINGS: RefusalKind.TWO_TIMES,
    TimeFault.GAP: RefusalKind.GAP_TIME,
    TimeFault.TWICE: RefusalKind.TWICE_TIME,
    TimeFault.WRONG_WEEKDAY: RefusalKind.WRONG_WEEKDAY,
    TimeFault.PAST: RefusalKind.PAST_TIME,
}


def create(context: LetterContext, line: CommandLine) -> None:
    """A draft with the settings below the line: a YES or OPEN opens it, the next CREATE of that
    name goes on from it; `open: yes` opens it at once. Who is not proven confirms with that YES."""
    name = line.arguments["game"].lower().lstrip("?")
    if not is_game_name(name):
        raise context.refused(RefusalKind.BAD_NAME, written=line.arguments["game"])
    work, player = context.work, context.player
    draft = work.game(name)
    if draft is not None and not (  # a draft may be written again by its own master
        draft.status is Status.DRAFT and player and draft.is_master(player.id)
    ):
        raise context.refused(RefusalKind.NAME_TAKEN, written=name)
    fields = {key: value for key, value in line.fields.items() if key.lower() != "open"}
    words = line.arguments.get("names", "")
    if words and (line.arguments["game"].startswith("?") or not parse_settings_line(words)):
        words = words.partition(" ")[2]  # the master's password; ours is in the answer alone
    fields = {**parse_settings_line(words), **fields}
    is_open = any(yes_or_no(one) for key, one in line.fields.items() if key.lower() == "open")
    settings = draft.settings if draft else work.config.defaults
    wanted, named = masters_named(fields)
    chosen = choose_settings(settings, wanted, zone=context.zone, now=work.now)
    people, bad = masters_to_ask(work, draft, player, named)
    chosen = ChosenSettings(chosen.settings, (*chosen.faults, *bad))

    if player is None:  # who may not be who they seem: the draft as it would be, which a YES opens
        lines = [f"{key}: {one}" for key, value in fields.items() for one in value.splitlines()]
        then = "\n".join((f"CREATE {name}", *lines, *([] if chosen.faults else ["open: yes"])))
        unmade = make_game(work, name, (), chosen, is_open=False)
        context.say(created(work, unmade, chosen.faults))
        ask_to_register(context, then, is_beside=True)
        return

    own = [one for one in work.games_of(player.id) if one.name != name]
    most = work.config.games_a_player
    if sum(one.is_master(player.id) for one in own) >= most:
        raise context.refused(RefusalKind.TOO_MANY_GAMES, limit=most)
    chair, password = new_master(work, name, player.id)
    others = (one for one in draft.masters if one.player != player.id) if draft else ()
    game = work.put_game(make_game(work, name, (chair, *others), chosen, is_open=is_open))
    arm_digest(work, player.id)
    context.say(created(work, game, chosen.faults, password))
    context.sit(Role(name, None))  # replies to the answer are for this game
    for person in people:
        if isinstance(person, Player) or may_send_question(context, person):
            game = ask_person(work, game, person, player)
            who = name_or_address(work, key_of(person))
            context.say(Mastership(ref_to(game), MastershipEvent.SENT, who))
    if game.status is Status.DRAFT and not chosen.faults:
        context.ask(Purpose.OPEN, {})


def open_game(context: LetterContext, _: CommandLine | SentLetter) -> None:
    """`OPEN`, `OPEN balkan`: a draft without faults takes players from now on."""
    game = context.role_game
    faults = tuple(SettingFault(name, written, "not_taken") for name, written in game.faults)
    if not faults:
        game = context.work.put_game(replace(game, status=Status.FORMING))
    context.say(created(context.work, game, faults))


def start(context: LetterContext, _: CommandLine | SentLetter) -> None:
    """`START`, `START balkan`: a full game begins in which everybody has said that they play."""
    game = context.role_game
    is_full = game.status is Status.FORMING and not missing_players(game)
    if not is_full or game.timing is not None:
        raise context.refused(RefusalKind.NOT_FULL, game)
    starts = game.settings.not_before
    if starts is not None and starts > context.work.now:
        raise context.refused(RefusalKind.NOT_BEFORE, game, instants=[starts.isoformat()])
    context.say(Done(ref_to(begin_full_game(context.work, game)), Deed.STARTED))


def set_comment(context: LetterContext, line: CommandLine) -> None:
    """`SET COMMENT Beginners welcome`: what lists say of the game; alone, nothing more."""
    game, comment = context.role_game, line.arguments.get("reason", "")
    if len(comment) > MOST_COMMENT:
        raise context.bad_command(line, game)
    settings = replace(game.settings, comment=comment)
    context.work.put_game(replace(game, settings=settings))
    deed = Deed.COMMENT_SET if comment else Deed.COMMENT_CLEARED
    context.say(Done(context.ref(game), deed))


def set_digest(context: LetterContext, line: CommandLine) -> None:
    """`SET DIGEST 08:00`, in the writer's zone; `SET DIGEST OFF`."""
    written, player = line.arguments["time"], context.writer
    hour, is_on = OFF, yes_or_no(written)
    if is_on is not False:
        at = parse_time(USUAL_HOUR if is_on else written, context.work.now, player.zone)
        if isinstance(at, BadTime):
            raise _refused_time(context, at, written)
        hour = f"{at.astimezone(ZoneInfo(player.zone)):%H:%M}"
    player = with_next_digest(replace(player, digest=hour), context.work.now)
    change_writer(context, digest=hour, digest_at=player.digest_at)
    kind = PersonalKind.DIGEST_OFF if hour == OFF else PersonalKind.DIGEST_SET
    context.say(Personal(kind, {"hour": hour}))


def _refused_time(
    context: LetterContext, bad: BadTime, written: str, game: GameRecord | None = None
) -> NotDone:
    instants = [one.isoformat() for one in bad.readings]
    return context.refused(TIME_REFUSALS[bad.kind], game, written=written, instants=instants)


def process(context: LetterContext, line: CommandLine) -> None:
    """`PROCESS S1901M`: the phase is named, so that a late letter cannot run the next one; where it
    is not, or orders are missing, or somebody asked to wait, the master is asked."""
    game = context.role_game
    label = line.arguments.get("phase", game.running_phase.label)
    check_phase(context, game, label)
    owing = tuple(seat.id for seat in owing_seats(game))
    waiting = len(waiting_seats(game))
    if owing or waiting or "phase" not in line.arguments:
        what = "process_waiting" if timing_of(game).waits else "process"
        context.say(ConfirmAsked(context.ref(game), what, owing, waiting))
        context.ask(Purpose.PROCESS, {"label": label.upper()})
    else:
        process_now(context, label)


def check_phase(context: LetterContext, game: GameRecord, label: str) -> None:
    """Refuses unless the named phase is the one that is due."""
    if game.running_phase.label.upper() != label.upper():
        raise context.refused(
            RefusalKind.WRONG_PHASE, game, written=label, label=game.running_phase.label
        )


def process_now(context: LetterContext, label: str) -> None:
    """Run the phase; this answer only says that it ran. Held seats that sent nothing hold, and are
    not counted absent: the master chose the moment."""
    game, player = context.game(), context.player
    if game is None or player is None:
        return
    check_phase(context, game, label)
    before, timing, settings = context.ref(game), timing_of(game), game.settings
    record_act(context.work, game, MasterActed(before, Act.PROCESSED), player.id)
    # Where the master runs all phases, seats are absent from one whose time is over.
    is_over = timing.waits and timing.ready_told and settings.deadlines
    absent = missing_seats(game) if is_over and settings.process is Control.MANUAL else ()
    run_phase(context.work, game, missing=frozenset(seat.id for seat in absent))
    context.say(Done(before, Deed.PROCESSED))


def set_deadline(context: LetterContext, line: CommandLine) -> None:
    """`SET DEADLINE Sat 5 Dec 20:00`, in the master's zone; `SET DEADLINE +1d` adds to the deadline
    (or, where the game waits without one, to now). An earlier one is asked back."""
    game = context.role_game
    written, now, timing = line.arguments["time"], context.work.now, timing_of(game)
    if timing.held is not None:
        raise context.refused(RefusalKind.GAME_HELD, game, written=line.written)
    before = timing.ends_at
    deadline = parse_time(written, now, context.zone, before)
    if isinstance(deadline, BadTime):
        raise _refused_time(context, deadline, written, game)
    if not timing.waits and abs(deadline - before) < A_MINUTE:
        context.say(Done(context.ref(game), Deed.DEADLINE_SAME, deadline_of(game, None, now)))
    elif not timing.waits and deadline < min(before, now + FAIR_NOTICE):
        raise context.refused(RefusalKind.TOO_SOON, game, written=written)
    elif not timing.waits and deadline < before:
        due = deadline_of(game, None, now)
        context.say(ConfirmAsked(context.ref(game), "deadline", due=due, at=deadline))
        context.ask(Purpose.DEADLINE, {"at": to_seconds(deadline)})
    else:
        move_deadline_now(context, game, deadline)


def shorten_deadline_now(context: LetterContext, sent: SentLetter) -> None:
    """Carry out a SET DEADLINE that was asked back, unless the phase has run."""
    game, at = context.game(), from_seconds(int(str(sent.payload["at"])))
    if game is None or context.is_of_another_phase(game) or at <= context.work.now:
        raise context.refused(RefusalKind.EXPIRED, game)
    if at < context.work.now + FAIR_NOTICE:
        raise context.refused(RefusalKind.TOO_SOON, game)
    move_deadline_now(context, game, at)


def move_deadline_now(context: LetterContext, game: GameRecord, deadline: datetime) -> None:
    """Move it, and answer the master; everybody is told."""
    before, game = game, move_deadline(context.work, game, deadline, MoveReason.MASTER)
    record_act(context.work, before, MasterActed(ref_to(before), Act.DEADLINE), context.writer.id)
    context.say(
        Done(context.ref(game), Deed.DEADLINE_SET, deadline_of(game, None, context.work.now))
    )


def extend(context: LetterContext, line: CommandLine) -> None:
    """`EXTEND 1 day`: a master's deadline moves by that long; for a player's the others are asked,
    or where they may not agree on it, or no time is named, the master."""
    game, seat, timing = context.role_game, context.own_role.seat, timing_of(context.role_game)
    if timing.held is not None:
        raise context.refused(RefusalKind.GAME_HELD, game, written=line.written)
    written = line.arguments.get("time", "")
    amount = written if written.startswith("+") else f"+{amount_in(written) or written}"
    if seat is not None:
        before = timing.ends_at
        at = parse_time(amount, context.work.now, context.zone, before)
        if isinstance(at, BadTime) or not may_vote_on_deadline(game):
            send_to_master(context, game, line.written)
            return
        left = game.settings.extension - timing.extended
        is_asked = any(one.kind == Kind.EXTEND for one in game.proposals)
        if at - before > left and not is_asked:
            limit = left // timedelta(hours=1)
            raise context.refused(RefusalKind.EXTENSION_TOO_LONG, game, limit=limit)
        at = next_fitting_of(game, before, at - before)
        propose(context, game, seat, Proposal(0, Kind.EXTEND, seat, at=at, is_announced=True))
        return
    if not written:
        raise context.refused(
            RefusalKind.BAD_COMMAND, game, written=line.written, usage="EXTEND 1d"
        )
    set_deadline(context, line.with_arguments(time=amount))


def ask_to_terminate(context: LetterContext, line: CommandLine) -> None:
    """`TERMINATE two players have left`: asked back."""
    game, reason = context.role_game, line.arguments.get("reason", "")
    if not reason:
        usage = line.command.usage
        raise context.refused(RefusalKind.NO_REASON, game, written=line.written, usage=usage)
    ask_master_to_confirm(
        context, ConfirmAsked(context.ref(game), "terminate", reason=reason), reason=reason
    )


def terminate_now(context: LetterContext, payload: Values) -> None:
    """Carry out a TERMINATE: the game ends without a result; everybody is told why."""
    game, work = context.role_game, context.work
    if game.status is not Status.ACTIVE:
        raise context.refused(RefusalKind.EXPIRED, game)
    game = replace(game, end_reason=str(payload["reason"]))
    ended = work.put_game(end_game(work, game, TERMINATED, ()))
    notify_game_over(work, ended)
    end_calls(work, game, game.seats)
    end = public_game_over(work, ended)
    assert end is not None
    context.say(end)


def ask_to_purge(context: LetterContext, line: CommandLine) -> None:
    """`PURGE too few players`: a game that has not begun is no more; asked back."""
    game, reason = context.role_game, line.arguments.get("reason", "")
    context.say(ConfirmAsked(context.ref(game), "purge", reason=reason))
    context.ask(Purpose.PURGE, {"reason": reason})


def purge_now(context: LetterContext, sent: SentLetter) -> None:
    """Forget the game, and tell those who waited for it."""
    game, work = context.role_game, context.work
    told = Cancelled(game.name, str(sent.payload["reason"]))
    waiting = [one.player for one in (*game.applicants, *game.waiting, *game.asking)]
    waiting += [one.player for one in game.observers]
    waiting += [one for one in game.master_ids if context.player and one != context.player.id]
    for player in dict.fromkeys(waiting):
        work.write(work.player(player), "cancelled", [told])
    work.purge(game)
    context.sit(None)
    context.say(replace(told, is_own=True))


def reveal_names(context: LetterContext, line: CommandLine) -> None:
    """`REVEAL`: after the end, who played what, to everybody, where the master decides on that."""
    game = context.role_game
    is_theirs = game.status is Status.FINISHED and game.settings.reveal is Reveal.MASTER
    if not is_theirs or not game.hides_names:
        kind = RefusalKind.NOTHING_HIDDEN if not game.hides_names else RefusalKind.NO_REVEAL
        raise context.refused(kind, game, written=line.written)
    work, by = context.work, context.writer.id
    game = work.put_game(replace(game, is_revealed=True))
    told = Revealed(ref_to(game), roster(work, game), tenures_told(work, game))
    work.notify_everybody(
        game, "revealed", lambda ref, _: [replace(told, game=ref)], without=by, is_result=True
    )
    context.say(told)


def set_archive_number(context: LetterContext, line: CommandLine) -> None:
    """`ARCHIVE NUMBER 2026A`: any text; alone, there is none any more."""
    game, written = context.role_game, line.arguments.get("names", "")
    if len(written) > LONGEST_NUMBER:
        raise context.refused(RefusalKind.LONG_TEXT, game, limit=LONGEST_NUMBER)
    game = context.work.put_game(replace(game, archive_number=written))
    context.say(Kept(context.ref(game), "number" if written else "no_number", written))


HANDLERS: Handlers = {
    "extend": extend,
    "create": create,
    "open": open_game,
    "start": start,
    "set_comment": set_comment,
    "set_digest": set_digest,
    "process": process,
    "set_deadline": set_deadline,
    "terminate": ask_to_terminate,
    "purge": ask_to_purge,
    "reveal": reveal_names,
    "archive_number": set_archive_number,
}
