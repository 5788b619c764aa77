"""Who may read which press of a game, while it runs and when it is over."""

from msgspec.structs import replace

from judge.host.games.press_delivery import press_of
from judge.host.messages.press import PressReceived
from judge.host.unit_of_work import UnitOfWork
from judge.store import GameRecord, Player, PressArchive, PressKind, PressRecord, Status

LONGEST_ARCHIVE = 50_000  # characters of press in one answer; older pieces go first


def press_by_phase(
    work: UnitOfWork, game: GameRecord, reader: Player | None
) -> dict[str, tuple[PressReceived, ...]]:
    """The press that somebody may read (None: anybody), by the label of its phase, in order."""
    found: dict[str, tuple[PressReceived, ...]] = {}
    length = 0
    for record in reversed(work.repository.press.of(game.name)):
        if not may_read(game, record, reader):
            continue
        length += len(record.text)
        if length <= LONGEST_ARCHIVE:
            told = replace(press_of(game, record), at=record.sent_at)
            found[record.label] = (told, *found.get(record.label, ()))
    return found


def may_read(game: GameRecord, record: PressRecord, reader: Player | None) -> bool:
    """Whether somebody wrote or got a piece of press, it was for all, or the game is over and opens
    its archive to them. A seat's new player reads nothing that was for the one before."""
    if record.kind is not PressKind.PARTIAL:
        return True
    if reader is not None and reader.id in record.people:
        return True
    if game.status is not Status.FINISHED:
        return False
    rule = game.settings.press_rules.archive
    if rule is PressArchive.PLAYERS:
        part = {*game.master_ids, *(one.player for one in game.seats)}
        return reader is not None and reader.id in part | {one.player for one in game.tenures}
    return rule is PressArchive.EVERYBODY
