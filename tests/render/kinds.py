"""Every kind of letter, from values; what approves, measures and shows them shares these."""

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

from judge.diplomacy.orders import Location, PowerId, ProvinceId
from judge.diplomacy.records import Adjustment, NoteKind, NoteValues
from judge.host.commands import COMMANDS
from judge.host.commands.lists import help_on
from judge.host.messages import Message
from judge.host.messages.command_answers import (
    ApprovalAnswer,
    ApprovalAsked,
    Away,
    BallotCast,
    Chosen,
    ConfirmAsked,
    Created,
    Deed,
    DiaryTold,
    Done,
    EntryLists,
    Guide,
    GuideTopic,
    HelpText,
    Invited,
    InvitedRow,
    JoinAsked,
    Joined,
    Kept,
    Mastered,
    NothingFound,
    OpenVotes,
    PositionUnclear,
    Preferences,
    SettingFault,
    SettingsRefused,
    TriedOut,
    Version,
)
from judge.host.messages.game_events import (
    Cancelled,
    DeadlineMoved,
    Filling,
    FillingEvent,
    GameOver,
    GameWaits,
    LateNotice,
    MoveReason,
    Papers,
    Proposed,
    ReadyToRun,
    Reminder,
    Results,
    Revealed,
    SeatChanged,
    SeatEvent,
    SettingsChanged,
    StandbyEvent,
    StandbyNotice,
    Started,
)
from judge.host.messages.games import (
    ActRow,
    GameList,
    GameRow,
    GameStatus,
    MapDrawn,
    PhaseHistory,
    Summary,
    Welcome,
)
from judge.host.messages.master_acts import (
    Digest,
    DigestGroup,
    DigestRow,
    MasterActed,
    Mastership,
    MastershipEvent,
    MasterWrote,
    OrdersGiven,
    Preview,
    RolledBack,
)
from judge.host.messages.order_answers import (
    AdvanceAnswer,
    AdvanceOpened,
    LateOrders,
    NotRead,
    OrdersAnswer,
    OrdersShown,
    PartsNotRead,
    StaleOrders,
    Standing,
)
from judge.host.messages.people import (
    OwnData,
    Personal,
    PersonalKind,
    Profile,
    RatingList,
    RatingRow,
    Registered,
    VacationNoted,
)
from judge.host.messages.press import (
    Announcement,
    PressHistory,
    PressReceived,
    PressReported,
    PressSent,
    PressUnclear,
)
from judge.host.messages.refusals import (
    AddressAsked,
    KeeperNotice,
    PasswordTried,
    Refusal,
    RefusalKind,
)
from judge.host.messages.shared import (
    Holdup,
    HoldupKind,
    Motion,
    Person,
    RatingMove,
    TenureEntry,
    Written,
)
from judge.rulebook import Line, Note, SeatId
from judge.store import Act, Dealing, Missing, Naming, Press, Status
from tests.render import samples as s

FRANCE, TURKEY = s.FRANCE, s.TURKEY

MOTION = Motion(3, "extend", False, 4, 7, at=s.at(5, 20), may_decide=True)
COMPLETE = OrdersAnswer(
    game=s.game(),
    view=s.view().to_raw(),
    order_set=(s.line("A PAR - BUR"), s.line("A MAR S A PAR - BUR"), s.line("F BRE - MAO")),
    orders_due=3,
    understood=(),
    problems=(),
    due=s.due(),
    set_number=1,
    received_at=s.at(3, 15, 58, 40),
    receipt="7KQ2-MX",
)
REMARKS = tuple(
    Note(str(kind), values.to_raw())
    for kind, values in (
        (
            NoteKind.OWN_STANDOFF,
            NoteValues(
                unit=s.unit(FRANCE, "A PAR"),
                text="A MAR - BUR",
                place=s.parse_location("BUR"),
            ),
        ),
        (
            NoteKind.IDLE_BESIDE_CENTER,
            NoteValues(unit=s.unit(FRANCE, "A GAS"), place=s.parse_location("SPA")),
        ),
        (NoteKind.SUPPORT_MISSING, NoteValues(text="A PAR - BUR")),
    )
)
COAST_NEEDED = s.problem(
    "F Mao - Spa",
    "Spa",
    "coast_needed",
    "F MAO - SPA/NC",
    "F MAO - SPA/SC",
    places=(s.parse_location("SPA/NC"), s.parse_location("SPA/SC")),
)
FALL_UNITS = s.units(FRANCE="A BUR, A MAR, F MAO", GERMANY="A MUN")
FAULTY = OrdersAnswer(
    game=s.game("F1901M"),
    view=s.view("F1901M", stand=FALL_UNITS).to_raw(),
    order_set=(s.line("A BUR - BEL"),),
    orders_due=3,
    understood=(),
    problems=(
        COAST_NEEDED,
        s.problem(
            "A Mra - Pie",
            "Mra",
            "no_province",
            "A MAR - PIE",
            word="Mra",
            nearest=(s.parse_location("MAR").province,),
        ),
    ),
    due=s.due(9, s.at(8, 18)),
    set_number=1,
    received_at=s.at(8, 17, 51, 12),
    receipt="M4TD-9A",
)
RESULTS = Results(
    game=s.game("S1902M"),
    report=s.SPRING_1902.to_raw(),
    own=s.own_report(s.SPRING_1902, "FRANCE").to_raw(),
    next_view=s.view("S1902R", stand=s.SPRING_UNITS, dislodged=(s.BURGUNDY,)).to_raw(),
    next=s.game("S1902R"),
    is_awaited=True,
    due=s.due(14, s.at(12, 21), early=None),
    missing=(TURKEY,),
    held=(TURKEY,),
    awaited=(FRANCE,),
    grace=timedelta(hours=24),
)
ORDERS_AHEAD = AdvanceAnswer(
    game=s.game(),
    view=s.view().to_raw(),
    order_sets=s.AHEAD,
    understood=(),
    problems=(),
    cleared=(),
    changed=False,
    set_number=None,
    received_at=s.at(3, 15, 58, 40),
    receipt="7KQ2-MX",
)
AFTER_RETREATS = Results(
    game=s.game("S1902R"),
    report=s.RETREATS_1902.to_raw(),
    own=s.own_report(s.RETREATS_1902, "FRANCE").to_raw(),
    next_view=s.view("F1902M", stand=s.RETREATS_1902.units).to_raw(),
    next=s.game("F1902M"),
    is_awaited=True,
    due=s.due(17),
    awaited=tuple(SeatId(power) for power in s.POWERS),
    is_absence=False,
)
BUILDS_DUE = Results(
    game=s.game("F1901M"),
    report=s.FALL_1901.to_raw(),
    own=s.own_report(s.FALL_1901, "FRANCE").to_raw(),
    next_view=s.view(
        "W1901A",
        adjustments=(
            Adjustment(
                PowerId("FRANCE"),
                builds=2,
                open=(
                    s.parse_location("BRE").province,
                    s.parse_location("PAR").province,
                ),
            ),
        ),
    ).to_raw(),
    next=s.game("W1901A"),
    is_awaited=True,
    due=s.due(12),
    awaited=(SeatId("ENGLAND"), FRANCE, SeatId("GERMANY")),
)
GAME_ROW = GameRow(
    name="balkan",
    variant="standard",
    rules="2000",
    label="S1901M",
    status="active",
    press=Press.WHITE,
    pace=timedelta(days=3),
    players=6,
    seats=7,
    vacant=(TURKEY,),
    due_at=s.at(5, 20),
    game="diplomacy",
)
OPEN_ROW = replace(
    GAME_ROW, name="adria", label=None, status="forming", players=4, vacant=(), due_at=None
)


def personal(kind: str, **values: str) -> Personal:
    return Personal(PersonalKind(kind), values)


GASCONY, MUNICH = Location(ProvinceId("GAS")), Location(ProvinceId("MUN"))
LETTERS: dict[str, tuple[Sequence[Message], str]] = {
    # model-letters: the three English samples
    "password_tried": (
        [PasswordTried(s.game(), "cafe@example.org", is_closed=True)],
        s.PARIS,
    ),
    "letter_asked": (
        [AddressAsked(s.game(), "chloe@example.org", "A PAR - BUR\nF BRE - MAO", is_own=True)],
        "UTC",
    ),
    "parts_not_read": (
        [
            COMPLETE,
            PartsNotRead(
                (("attachment", "orders.docx"), ("signature", "A PAR - BUR\nF BRE - MAO"))
            ),
        ],
        "UTC",
    ),
    "orders_complete": (
        [COMPLETE, NotRead(("Hi judge, I hope this is how it works.",))],
        s.PARIS,
    ),
    "orders_faulty": ([FAULTY], s.PARIS),
    "results_dislodged": ([RESULTS], s.PARIS),
    "results_practice": (
        [replace(RESULTS, remarks=REMARKS, suggested=(s.line("A BUR R PAR"),))],
        s.PARIS,
    ),
    "tried_out": (
        [TriedOut(s.game(), s.view().to_raw(), RESULTS.report, 5, untold=2)],
        s.PARIS,
    ),
    "position_unclear": (
        [
            PositionUnclear(
                s.game("S1905M", seat=None),
                s.view(seat=None).to_raw(),
                (
                    s.problem("A PRA, A NTH", "PRA", "no_province", word="PRA", nearest=("PAR",)),
                    s.problem("A PRA, A NTH", "NTH", "no_such_unit", word="NTH", lines=("F NTH",)),
                    s.problem("F STP", "STP", "which_unit", word="STP", lines=("F STP/NC",)),
                    s.problem("A PAR", "PAR", "two_units", other=s.units(FRANCE="A PAR")[0]),
                    s.problem("SC GAS", "GAS", "no_center", places=(GASCONY,)),
                    s.problem("SC MUN", "MUN", "two_owners", places=(MUNICH,)),
                    s.problem("A PAR", "PAR", "no_owner", word="PAR"),
                    s.problem("A PAR", "PAR", "no_retreats", word="PAR"),
                    s.problem("A PAR", "PAR", "no_origin", word="PAR"),
                ),
            )
        ],
        "UTC",
    ),
    "position_unclear_to_strangers": (
        [PositionUnclear(s.game("S1905M", seat=None), s.view().to_raw(), (), (2, 5))],
        "UTC",
    ),
    # answers
    "orders_partial": (
        [
            replace(
                COMPLETE,
                order_set=(replace(s.line("A PAR - BUR"), kept=True), s.line("F BRE - MAO")),
                understood=(
                    s.understood(
                        "F BRE - MAO",
                        (
                            NoteKind.REPLACED,
                            NoteValues(unit=s.unit(FRANCE, "F BRE"), text="F BRE - ENG"),
                        ),
                    ),
                ),
                set_number=2,
            )
        ],
        "Asia/Seoul",
    ),
    "orders_cleared": ([replace(COMPLETE, order_set=(), cleared=True)], "UTC"),
    "orders_ahead": ([COMPLETE, ORDERS_AHEAD], s.PARIS),
    "orders_ahead_alone": (
        [
            replace(
                ORDERS_AHEAD,
                order_sets=s.AHEAD[1:2],
                understood=(replace(s.understood("A BUR - BEL"), label="F1901M"),),
                changed=True,
                set_number=2,
            )
        ],
        s.PARIS,
    ),
    "orders_ahead_faulty": (
        [
            replace(
                ORDERS_AHEAD,
                order_sets=s.AHEAD[1:2],
                problems=(
                    replace(COAST_NEEDED, label="F1901M"),
                    s.problem(
                        "A Gaz - Por",
                        "Gaz",
                        "no_province",
                        "A GAS - POR",
                        word="Gaz",
                        label="F1901M",
                        nearest=(s.parse_location("GAS").province,),
                    ),
                ),
                changed=True,
            ),
            COMPLETE,
        ],
        s.PARIS,
    ),
    "orders_ahead_cleared": (
        [replace(ORDERS_AHEAD, order_sets=(), cleared=("F1901M",), changed=True, set_number=3)],
        s.PARIS,
    ),
    "refusal_phase": (
        [
            Refusal(
                RefusalKind.NO_PHASE,
                {"written": "F19O1M", "nearest": ["F1901M", "F1901R"]},
                s.game(),
            ),
            NotRead(("A BUR H",)),
        ],
        s.PARIS,
    ),
    "results_sent_ahead": (
        [
            replace(
                AFTER_RETREATS,
                advance=AdvanceOpened(
                    (
                        s.line("A MAR - PIE"),
                        s.line("A PAR - BUR"),
                        s.line("A PIC S A PAR - BUR"),
                        s.line("A POR H"),
                        s.line("F MAO - WES"),
                    ),
                    5,
                ),
            )
        ],
        s.PARIS,
    ),
    "results_ahead_misfit": (
        [
            replace(
                RESULTS,
                advance=AdvanceOpened(
                    (),
                    1,
                    (
                        s.problem(
                            "IF DISLODGED A BUR R BEL",
                            "IF DISLODGED A BUR R BEL",
                            "no_way_out",
                            places=(s.parse_location("GAS"), s.parse_location("PAR")),
                        ),
                    ),
                ),
            )
        ],
        s.PARIS,
    ),
    "orders_shown": (
        [OrdersShown(s.game(), TURKEY, (s.line("A CON - BUL"), s.line("F ANK - BLA")))],
        s.PARIS,
    ),
    "orders_stale": (
        [
            StaleOrders(
                game=s.game("F1901M"),
                view=s.view("F1901M").to_raw(),
                label_then="S1901M",
                lines=(s.line("A PAR - BUR"),),
                problems=(s.problem("A PAR R GAS", "R", "wrong_phase", label="F1901M"),),
                due=s.due(9),
            )
        ],
        s.PARIS,
    ),
    "orders_in_grace": ([LateOrders(s.game(), ("A PAR - BUR",))], s.PARIS),
    "nothing_found": (
        [
            NothingFound(
                (
                    s.game(),
                    replace(s.game("F1903M", TURKEY), name="adria"),
                    replace(s.game(), name="harbor", label=None, seat=None),  # has not begun
                )
            ),
            NotRead(("Is anybody there?",)),
        ],
        s.PARIS,
    ),
    # what the clock says
    "started": (
        [
            Started(
                s.game(),
                s.view().to_raw(),
                s.SETTINGS,
                s.ROSTER,
                "6f1ed002ab5595859014ebf0951522d9ed6f1ed002ab5595859014ebf0951522",
                s.due(early=None),
            )
        ],
        s.PARIS,
    ),
    "started_for_two": (
        [
            Started(
                s.game("S1914M", s.CENTRAL),
                s.FOR_TWO.view(s.CENTRAL),
                replace(s.SETTINGS, options=(("players", "2"),)),
                s.FOR_TWO_ROSTER,
                "6f1ed002ab5595859014ebf0951522d9ed6f1ed002ab5595859014ebf0951522",
                s.due(early=None),
            )
        ],
        s.PARIS,
    ),
    "results_coin_tossed": (
        [
            Results(
                game=s.game("F1914M", s.CENTRAL),
                report=s.TOSSED.reports[0].public,
                own=s.TOSSED.reports[0].seats[s.CENTRAL],
                next_view=s.TOSSED.game.view(s.CENTRAL),
                next=s.game("W1914A", s.CENTRAL),
                is_awaited=True,
                due=s.due(14, s.at(12, 21)),
                awaited=(s.ALLIES, s.CENTRAL),
                skipped=tuple(report.public for report in s.TOSSED.reports[1:]),
                skipped_own=tuple(report.seats[s.CENTRAL] for report in s.TOSSED.reports[1:]),
            )
        ],
        s.PARIS,
    ),
    "press_of_several_powers": (
        [PressReceived(s.game(), s.CENTRAL, (FRANCE, "ITALY"), False, "Agreed?")],
        s.PARIS,
    ),
    "started_master": (
        [
            Started(
                s.game(seat=None),
                s.view(seat=None).to_raw(),
                s.SETTINGS,
                s.ROSTER,
                "6f1ed002ab5595859014ebf0951522d9ed6f1ed002ab5595859014ebf0951522",
                s.due(early=None),
            )
        ],
        "UTC",
    ),
    "results_missing": (
        [
            replace(
                RESULTS,
                game=s.game("S1902M", TURKEY),
                own=s.own_report(s.SPRING_1902, "TURKEY").to_raw(),
                next=s.game("S1902R", TURKEY),
                is_awaited=False,
            )
        ],
        "Europe/Istanbul",
    ),
    "results_observer": (
        [
            replace(
                RESULTS,
                game=s.game("S1902M", None),
                own={},
                next=s.game("S1902R", None),
                is_awaited=False,
                held=(),
                vacated=(TURKEY,),
            )
        ],
        "UTC",
    ),
    "results_retreat": ([AFTER_RETREATS], s.PARIS),
    "results_fall": ([BUILDS_DUE], s.PARIS),
    "results_wishes": (
        [
            replace(
                BUILDS_DUE,
                advance=AdvanceOpened(
                    (Line("B PAR", "A PAR B", "build a par"),),
                    2,
                    (s.problem("F BRE B", "BRE", "occupied", places=(s.parse_location("PAR"),)),),
                    (s.later("F1901R", s.WAY_OUT),),
                ),
            )
        ],
        s.PARIS,
    ),
    "results_disband": (
        [
            Results(
                game=s.game("F1901M", SeatId("GERMANY")),
                report=s.FALL_1901.to_raw(),
                own=s.own_report(s.FALL_1901, "GERMANY").to_raw(),
                next_view=s.view(
                    "W1901A",
                    "GERMANY",
                    adjustments=(Adjustment(PowerId("GERMANY"), disbands=1),),
                ).to_raw(),
                next=s.game("W1901A", SeatId("GERMANY")),
                is_awaited=True,
                due=s.due(12),
                awaited=(SeatId("GERMANY"),),
            )
        ],
        "Europe/Berlin",
    ),
    "results_winter_skipped": (
        [
            Results(
                game=s.game("F1901M"),
                report=s.FALL_1901.to_raw(),
                own=s.own_report(s.FALL_1901, "FRANCE").to_raw(),
                next_view=s.view("S1902M").to_raw(),
                next=s.game("S1902M"),
                is_awaited=True,
                due=s.due(12),
                awaited=tuple(SeatId(power) for power in s.POWERS),
                skipped=(s.WINTER_1901.to_raw(),),
                skipped_own=(s.own_report(s.WINTER_1901, "FRANCE").to_raw(),),
            )
        ],
        s.PARIS,
    ),
    "ready_incomplete": (
        [
            Done(s.game(), Deed.READY, s.due()),
            Standing(s.game(), s.view().to_raw(), (s.line("A PAR - BUR"),), 3, False, False),
        ],
        s.PARIS,
    ),
    "wait_ready": (
        [
            Done(s.game(), Deed.WAIT, s.due()),
            Standing(s.game(), s.view().to_raw(), (), 3, True, False),
        ],
        s.PARIS,
    ),
    "reminder": (
        [Reminder(s.game(), s.view().to_raw(), (s.line("A PAR - BUR"),), 3, s.due())],
        s.PARIS,
    ),
    "reminder_grace": (
        [
            Reminder(
                s.game(), s.view().to_raw(), (), 3, s.due(6, s.at(5, 20), in_grace=True), True, 1
            )
        ],
        s.PARIS,
    ),
    "late_notice": (
        [LateNotice(s.game(), (TURKEY,), s.due(6, s.at(5, 20), in_grace=True))],
        s.PARIS,
    ),
    "game_waits": (
        [
            GameWaits(
                s.game(),
                s.view().to_raw(),
                (FRANCE, TURKEY),
                is_awaited=True,
                orders_due=3,
                order_set=(),
            )
        ],
        s.PARIS,
    ),
    "game_waits_others": (
        [
            GameWaits(
                s.game(),
                s.view().to_raw(),
                (TURKEY,),
                is_awaited=False,
                orders_due=3,
                order_set=COMPLETE.order_set,
            )
        ],
        s.PARIS,
    ),
    "standby_asked": (
        [
            StandbyNotice(
                s.game("F1901M", TURKEY),
                TURKEY,
                StandbyEvent.ASKED,
                s.view("F1901M", "TURKEY").to_raw(),
                s.due(),
            )
        ],
        s.PARIS,
    ),
    "standby_away": (
        [
            StandbyNotice(
                s.game("F1901M", TURKEY),
                TURKEY,
                StandbyEvent.AWAY,
                s.view("F1901M", "TURKEY").to_raw(),
                s.due(),
            )
        ],
        s.PARIS,
    ),
    "standby_stored": ([StandbyNotice(s.game(), TURKEY, StandbyEvent.STORED)], s.PARIS),
    "standby_stored_vacant": (
        [StandbyNotice(s.game(), TURKEY, StandbyEvent.STORED_VACANT)],
        s.PARIS,
    ),
    "extension_asked": (
        [Proposed(s.game(), Motion(1, "extend", False, 4, 7, at=s.at(6, 20), by=TURKEY), s.due())],
        s.PARIS,
    ),
    "extension_asked_master": (
        [
            Proposed(
                replace(s.game(), seat=None),
                Motion(1, "extend", False, 4, 7, at=s.at(6, 20), yes=1, no=0, may_decide=True),
                s.due(),
            )
        ],
        s.PARIS,
    ),
    "draw_proposed": (
        [Proposed(s.game(), Motion(2, "draw", True, 7, 7, yes=1, no=0, stands=True), s.due())],
        s.PARIS,
    ),
    "away": (
        [Away(s.game(), FRANCE, s.at(10, 0), s.at(15, 0), 9, True, s.due())],
        s.PARIS,
    ),
    "deadline_master": (
        [DeadlineMoved(s.game(), s.due(7), s.at(5, 20), MoveReason.MASTER)],
        s.PARIS,
    ),
    "deadline_away": (
        [DeadlineMoved(s.game(), s.due(7), s.at(5, 23), MoveReason.JUDGE_AWAY)],
        s.PARIS,
    ),
    "game_on_hold": (
        [MasterActed(s.game(), Act.HELD, "ANN: 3 - 7 DEC")],
        s.PARIS,
    ),
    "rolled_back": (
        [
            RolledBack(
                s.game(),
                Act.ROLLED_BACK,
                s.view().to_raw(),
                ("S1901M", "F1901M"),
                "(ANN)",
                s.due(),
                (s.line("A PAR - BUR"),),
                3,
                was_over=True,
            )
        ],
        s.PARIS,
    ),
    "digest": (
        [
            Digest(
                (
                    DigestRow(
                        s.game(),
                        DigestGroup.WAITS,
                        Status.ACTIVE,
                        holdups=(
                            Holdup(HoldupKind.ASKING, who="Ann"),
                            Holdup(HoldupKind.READY),
                            Holdup(HoldupKind.VACANT, (TURKEY,)),
                        ),
                    ),
                    DigestRow(s.game(), DigestGroup.SOON, Status.ACTIVE, s.due(), began=True),
                    DigestRow(
                        s.game("F1901M"), DigestGroup.OTHER, Status.ACTIVE, s.due(), ran="S1901M"
                    ),
                    DigestRow(s.game(None, None), DigestGroup.OVER, Status.FINISHED),
                ),
                "08:00",
            )
        ],
        s.PARIS,
    ),
    "preview": (
        [Preview(s.game(), RESULTS.report, (TURKEY, FRANCE), (TURKEY,), s.due())],
        s.PARIS,
    ),
    "orders_given": (
        [
            OrdersGiven(
                s.game(), FRANCE, s.view().to_raw(), (s.line("A PAR - BUR"),), s.due(), ready=True
            )
        ],
        s.PARIS,
    ),
    "ejected": (
        [MasterActed(s.game("S1901M", None), Act.EJECTED, "(ANN)", (TURKEY,), "GÜL")],
        s.PARIS,
    ),
    "position_edited": (
        [
            MasterActed(
                s.game(),
                Act.EDITED,
                "(ANN)",
                lines=("FRANCE: + A PAR",),
                due=s.due(),
                view=s.view().to_raw(),
                order_set=(s.line("A MAR - SPA"),),
                orders_due=3,
            )
        ],
        s.PARIS,
    ),
    "deadline_mailbox": (
        [DeadlineMoved(s.game(), s.due(), s.at(5, 20), MoveReason.MAILBOX)],
        s.PARIS,
    ),
    "seat_resigned": (
        [SeatChanged(s.game(), TURKEY, SeatEvent.RESIGNED, "Gül")],
        s.PARIS,
    ),
    "seat_resigned_own": (
        [SeatChanged(s.game(), FRANCE, SeatEvent.RESIGNED, "Ann")],
        s.PARIS,
    ),
    "seat_replaced": ([SeatChanged(s.game(), TURKEY, SeatEvent.REPLACED, "Hana")], s.PARIS),
    "seat_taken": ([SeatChanged(s.game(), TURKEY, SeatEvent.TAKEN, "Hana")], s.PARIS),
    "seat_retaken": ([SeatChanged(s.game(), TURKEY, SeatEvent.RETAKEN, "Gül")], s.PARIS),
    "game_over_solo": (
        [
            GameOver(
                s.game("F1907M"),
                s.view("F1907M").to_raw(),
                "solo",
                (FRANCE,),
                s.ROSTER,
                "00ff" * 16,
            )
        ],
        s.PARIS,
    ),
    "game_over_draw": (
        [
            GameOver(
                s.game("F1907M"),
                s.view("F1907M").to_raw(),
                "draw",
                (FRANCE, TURKEY),
                s.ROSTER,
                "00ff" * 16,
                RatingMove("standard", 1540, 1562, 3),
            )
        ],
        s.PARIS,
    ),
    "game_over_concession": (
        [
            GameOver(
                s.game("F1907M"),
                s.view("F1907M").to_raw(),
                "concession",
                (FRANCE,),
                s.ROSTER,
                "00ff" * 16,
            )
        ],
        s.PARIS,
    ),
    "game_over_terminated": (
        [
            GameOver(
                s.game("F1907M"),
                s.view("F1907M").to_raw(),
                "terminated",
                (),
                s.ROSTER,
                "00ff" * 16,
                reason="Two players have left.",
            )
        ],
        s.PARIS,
    ),
    "game_over_in_full": (
        [
            GameOver(
                s.game("F1907M"),
                s.view("F1907M").to_raw(),
                "draw",
                (FRANCE, TURKEY),
                s.ROSTER,
                "00ff" * 16,
                tenures=(
                    TenureEntry(FRANCE, "Gül", "S1901M", ""),
                    TenureEntry(TURKEY, "Hana", "", "F1903M"),
                    TenureEntry(TURKEY, "Ann", "F1903M", ""),
                    TenureEntry(TURKEY, "", "", "", is_hidden=True),
                ),
                history=(
                    ("S1901M", {FRANCE: 3, TURKEY: 3}),
                    ("W1901A", {FRANCE: 5, TURKEY: 4}),
                    ("S1903M", {FRANCE: 6, TURKEY: 4}),
                    ("F1907M", {FRANCE: 12, TURKEY: 17}),
                ),
                archive_number="2026-A 17",
                scoring="draw_size",
                points={FRANCE: 50.0, TURKEY: 50.0},
                statements_until=s.at(12, 20),
            )
        ],
        s.PARIS,
    ),
    "revealed": ([Revealed(s.game("F1907M"), s.ROSTER)], s.PARIS),
    "papers": (
        [
            Papers(
                s.game("F1907M"),
                (Written(None, 0, "F1907M", "Well played."), Written(TURKEY, 0, "F1907M", "Oh.")),
                (Written(FRANCE, 1, "S1901M", "I trust nobody."),),
            )
        ],
        s.PARIS,
    ),
    "cancelled": ([Cancelled("balkan", "too few players")], s.PARIS),
    "cancelled_own": ([Cancelled("balkan", is_own=True)], s.PARIS),
    "diary_saved": ([Kept(s.game(), "saved", "2", "I trust nobody.\nNor you.")], s.PARIS),
    "statement_saved": ([Kept(s.game(), "statement_saved", text="Oh.")], s.PARIS),
    "archive_number": ([Kept(s.game(), "number", "2026-A 17")], s.PARIS),
    "diary": (
        [DiaryTold(s.game(), (Written(FRANCE, 1, "S1901M", "I trust nobody.\nNor you."),))],
        s.PARIS,
    ),
    "diary_note": (
        [
            DiaryTold(
                s.game(),
                (Written(FRANCE, 1, "S1901M", "I trust nobody.\nNor you."),),
                is_whole=True,
            )
        ],
        s.PARIS,
    ),
    "diary_empty": ([DiaryTold(s.game(), ())], s.PARIS),
    # press and votes
    "press": (
        [
            PressReceived(
                s.game(),
                "ENGLAND",
                ("FRANCE",),
                False,
                "Bonjour,\n\nshall we keep the Channel empty? I would move to the Norwegian Sea "
                "instead, and you to Iberia.\n",
            )
        ],
        s.PARIS,
    ),
    "press_grey": (
        [PressReceived(s.game(), "", ("FRANCE", "ITALY"), False, "Beware of Austria.")],
        s.PARIS,
    ),
    "press_all": (
        [PressReceived(s.game(), "MASTER", (), True, "Happy new year to all.")],
        s.PARIS,
    ),
    "press_sent": (
        [PressSent(s.game(), ("ENGLAND", "MASTER"), False, False, "Agreed.")],
        s.PARIS,
    ),
    "press_sent_to_nobody": (
        [PressSent(s.game(), ("ENGLAND", "TURKEY"), False, True, "Agreed.", ("TURKEY",))],
        s.PARIS,
    ),
    "press_sent_fake_and_held": (
        [
            PressSent(
                *(s.game(), ("ENGLAND", "GERMANY", "MASTER"), True, False, "I give up."),
                **{"shown_as": "TURKEY", "shown_to": ("ENGLAND",), "is_held": True},
            )
        ],
        s.PARIS,
    ),
    "press_sent_to_some": (
        [
            PressSent(
                *(s.game(), ("ENGLAND", "ITALY", "TURKEY"), False, False, ""),
                **{"out": ("ITALY",), "late": ("TURKEY",)},
            )
        ],
        s.PARIS,
    ),
    "press_with_orders": (
        [
            PressReceived(
                *(s.game(), "ENGLAND", ("FRANCE",), False, "My plan:\nlon - nth\nYours?"),
                orders=(Line("LON", "F LON - NTH"),),
            )
        ],
        s.PARIS,
    ),
    "press_like_ours": (
        [
            PressReceived(
                *(s.game(), "ENGLAND", ("FRANCE",), False),
                text="Hello.\n\nPress from Germany to you alone.\nI will attack you.",
            )
        ],
        s.PARIS,
    ),
    "press_postal": (
        [PressReceived(s.game(), "ENGLAND", ("FRANCE",), True, "To all!", is_postal=True)],
        s.PARIS,
    ),
    "press_from_the_book": (
        [
            PressReceived(
                *(s.game(), "ENGLAND", ("FRANCE",), False, ""), phrase=("35", "ENG", "BEL")
            )
        ],
        s.PARIS,
    ),
    "press_history": (
        [
            PressHistory(
                s.game(),
                (
                    PressReceived(
                        *(s.game(), "ENGLAND", ("FRANCE",), False, "Hello."), at=s.at(2, 9)
                    ),
                    PressReceived(*(s.game(), "", (), True, "Boo!"), at=s.at(3, 9)),
                ),
            )
        ],
        s.PARIS,
    ),
    "press_reported": (
        [
            PressReported(
                *(s.game(seat=None), "ENGLAND", "FRANCE", ("ENGLAND", "ITALY"), "GERMANY"),
                *(("ENGLAND",), "You worm!", s.at(2, 9)),
            )
        ],
        s.PARIS,
    ),
    "press_refused": (
        [
            Refusal(
                RefusalKind.MUST_ORDER,
                {"written": "PRESS TO ENGLAND", "text": "Hello,\n\nhow are you?"},
                s.game(),
            )
        ],
        s.PARIS,
    ),
    "announcement": (
        [Announcement(s.game(), "A break", "Dear all,\nno deadline before 3 January.")],
        s.PARIS,
    ),
    "announced": (
        [
            Announcement(
                s.game(seat=None), "A break", "Dear all,\nno deadline before 3 January.", True
            )
        ],
        s.PARIS,
    ),
    "press_sent_unnamed": ([PressSent(s.game(), (), False, False, "Who are you?")], s.PARIS),
    "press_unclear": (
        [
            PressUnclear(
                s.game(), "ENGLAND", "As agreed:\nA PAR - BUR\nYours, Anna", ("A PAR - BUR",)
            )
        ],
        s.PARIS,
    ),
    "press_unclear_grey": (
        [PressUnclear(s.game(), "", "A PAR - BUR", ("A PAR - BUR",))],
        s.PARIS,
    ),
    "draw_voted": (
        [BallotCast(s.game(), Motion(1, "draw", True, 5, 5, own=True), is_quiet=True)],
        s.PARIS,
    ),
    "draw_taken_back": ([BallotCast(s.game(), Motion(0, "draw", True, 5, 5))], s.PARIS),
    "draw_agreed": (
        [BallotCast(s.game(), Motion(1, "draw", True, 5, 5, own=True), is_agreed=True)],
        s.PARIS,
    ),
    "draw_shared": (
        [BallotCast(s.game(), Motion(1, "shared_draw", True, 5, 5, (FRANCE, TURKEY), own=True))],
        s.PARIS,
    ),
    "conceded": (
        [BallotCast(s.game(), Motion(1, "concession", True, 5, 5, (TURKEY,), own=True))],
        s.PARIS,
    ),
    "replacement_refused": (
        [
            BallotCast(
                s.game(),
                Motion(
                    3,
                    "replace",
                    False,
                    4,
                    6,
                    (TURKEY,),
                    own=False,
                    yes=1,
                    no=1,
                    votes={FRANCE: False, "ITALY": True},
                ),
            )
        ],
        s.PARIS,
    ),
    "pause_proposed": (
        [
            BallotCast(
                s.game(),
                Motion(1, "pause", False, 4, 7, length=timedelta(days=3), own=True),
                is_new=True,
            )
        ],
        s.PARIS,
    ),
    "votes_open": (
        [
            OpenVotes(
                s.game(),
                (
                    Motion(1, "pause", False, 4, 7, length=timedelta(days=3)),
                    Motion(2, "draw", True, 7, 7, own=True),
                ),
                is_secret=True,
            )
        ],
        s.PARIS,
    ),
    "votes_which": (
        [OpenVotes(s.game(), (Motion(2, "draw", True, 7, 7, own=True),), has_asked=True)],
        s.PARIS,
    ),
    "votes_none": ([OpenVotes(s.game(), ())], s.PARIS),
    # people
    "address_asked_new": ([personal("address_asked", name="Chloé")], "UTC"),
    "address_added": (
        [personal("address_added", address="chloe@work.example", first="chloe@example.org")],
        "UTC",
    ),
    "blocked": ([personal("blocked", name="Bert")], "UTC"),
    "block_list": ([personal("block_list", names="Chloé")], "UTC"),
    "forget_asked": ([personal("forget_asked", games="balkan")], "UTC"),
    "forgotten": ([personal("forgotten")], "UTC"),
    "profile": (
        [
            Profile(
                "Chloé",
                "en",
                {"on_time": 40, "late": 2, "missed": 1},
                93,
                True,
                (RatingRow("standard", 1562, 3),),
            )
        ],
        "UTC",
    ),
    "profile_new": ([Profile("Chloé", "en", {"taken_over": 1}, None, False)], "UTC"),
    "ratings": (
        [
            RatingList(
                "diplomacy",
                "colonial",
                (RatingRow("Chloé", 1702, 12), RatingRow("민지", 1431, 1)),
                (RatingRow("colonial", 1702, 12), RatingRow("standard", 1500, 1)),
            )
        ],
        "UTC",
    ),
    "ratings_none": ([RatingList("diplomacy", "standard", ())], "UTC"),
    "own_data": ([OwnData("[]")], "UTC"),
    # joining
    "registered": (
        [Registered("Chloé", "chloe@example.org", "en", s.PARIS, True, True)],
        s.PARIS,
    ),
    "registered_changed": (
        [Registered("Chloé", "chloe@example.org", "en", s.PARIS, True, False, is_changed=True)],
        s.PARIS,
    ),
    "register_asked": (
        [Registered("Chloé", "chloe@example.org", "en", s.PARIS, False, True, then="PRACTICE")],
        s.PARIS,
    ),
    "join_asked": (
        [
            JoinAsked(
                s.game(None, None),
                s.SETTINGS,
                "Chloé",
                "chloe@example.org",
                "en",
                s.PARIS,
                None,
                (FRANCE, TURKEY),
                2,
                False,
            )
        ],
        s.PARIS,
    ),
    "joined_wished": (
        [Joined(s.game(None, None), FRANCE, "kq7wm-3xtda", 1, may_choose=True)],
        s.PARIS,
    ),
    "joined": ([Joined(s.game(None, None), None, "kq7wm-3xtda", 1, may_choose=True)], s.PARIS),
    "history": (
        [PhaseHistory(s.game("S1902M", None), (s.SPRING_1902.to_raw(),), s.at(12, 21))],
        s.PARIS,
    ),
    "map": ([MapDrawn(s.game("S1902M", None), reports=(s.SPRING_1902.to_raw(),))], s.PARIS),
    "mastered": ([Mastered(s.game(None, None), "kq7wm-3xtda")], s.PARIS),
    "mastered_promoted": (
        [Mastered(s.game(None, None), "kq7wm-3xtda", Act.PROMOTED)],
        s.PARIS,
    ),
    "mastered_handed_over": (
        [Mastered(s.game(None, None), "kq7wm-3xtda", Act.HANDED_OVER)],
        s.PARIS,
    ),
    **{
        f"mastership_{event}": (
            [Mastership(s.game(None, None), event, "Chloé", takes_over=event == "asked")],
            s.PARIS,
        )
        for event in MastershipEvent
    },
    "master_wrote": (
        [MasterWrote(s.game("S1901M", None), "Chloé", ("PREVIEW", "ALLOW GÜL"))],
        s.PARIS,
    ),
    **{
        f"master_{act}": (
            [MasterActed(s.game("S1901M", None), act, who="Chloé", is_own=act is Act.DEMOTED)],
            s.PARIS,
        )
        for act in (Act.PROMOTED, Act.DEMOTED, Act.HANDED_OVER, Act.APPOINTED)
    },
    "summary": (
        [
            Summary(
                s.game(seat=None),
                s.ROSTER,
                {FRANCE: 97},
                (("S1901M", {FRANCE: 3, TURKEY: 3}), ("W1901A", {FRANCE: 5, TURKEY: 4})),
            )
        ],
        s.PARIS,
    ),
    "invited": (
        [Invited(s.game(None, None), s.SETTINGS, "Ann", "kq7wm-3xtda", "j@example.org", FRANCE)],
        s.PARIS,
    ),
    "entry_lists": (
        [
            EntryLists(
                s.game(None, None),
                (
                    InvitedRow("ann@example.org", "waits", FRANCE),
                    InvitedRow("Bert", "joined"),
                    InvitedRow("Elena", "declined"),
                ),
                ("@example.org",),
                ("Dieter",),
            )
        ],
        s.PARIS,
    ),
    "preferences": (
        [Preferences(s.game(None, None), ((FRANCE,), (TURKEY, SeatId("RUSSIA"))))],
        s.PARIS,
    ),
    **{
        f"filling_{event}": (
            [
                Filling(
                    s.game(None, None),
                    event,
                    ("Ann", "Bert", "Chloé"),
                    missing_players=int(event in ("reopened", "promoted")),
                    unsure=2 * (event in ("asked", "reminded", "full", "kept")),
                    place=1,
                    due=s.due(early=None, grace=timedelta(0)),
                    is_new=event == "asked",
                    not_before=s.due().at if event == "scheduled" else None,
                )
            ],
            s.PARIS,
        )
        for event in FillingEvent
    },
    "joined_vacant": (
        [
            Joined(
                s.game(),
                FRANCE,
                "kq7wm-3xtda",
                0,
                s.view().to_raw(),
                s.due(),
                record=Summary(
                    s.game(),
                    s.ROSTER,
                    scores=(
                        ("S1901M", {FRANCE: 3, TURKEY: 3}),
                        ("W1901A", {FRANCE: 5, TURKEY: 4}),
                    ),
                    acts=(ActRow("S1901M", Act.ROLLED_BACK),),
                ),
            )
        ],
        s.PARIS,
    ),
    "created": (
        [
            Created(
                s.game(None, None),
                s.SETTINGS,
                s.POWERS,
                password="kq7wm-3xtda",
                judge="judge@example.org",
            )
        ],
        s.PARIS,
    ),
    "created_draft": (
        [
            Created(
                s.game(None, None),
                s.SETTINGS,
                s.POWERS,
                (
                    SettingFault("movement", "3 fortnights", "bad_duration", ("30m", "24h", "3d")),
                    SettingFault("variant", "colonial", "no_variant", ("standard",)),
                    SettingFault("chess", "on", "no_setting", ("variant", "rules", "press")),
                ),
                "kq7wm-3xtda",
            )
        ],
        s.PARIS,
    ),
    "ready_to_run": ([ReadyToRun(s.game(seat=None), (), s.due())], s.PARIS),
    "ready_without_some": (
        [
            ReadyToRun(
                s.game(seat=None), (FRANCE, TURKEY), replace(s.due(), waits=True, by_master=True)
            )
        ],
        s.PARIS,
    ),
    "settings_changed": (
        [
            SettingsChanged(
                s.game(),
                s.SETTINGS,
                replace(s.SETTINGS, grace=timedelta(hours=12), missing=Missing.CARETAKER),
                s.due(),
                was=s.due().at - timedelta(days=1),
            )
        ],
        s.PARIS,
    ),
    "settings_forming": (
        [
            SettingsChanged(
                s.game(None, None),
                s.SETTINGS,
                replace(s.SETTINGS, names=Naming.HIDDEN, house_rules="1901: Paris - Seoul!"),
                may_leave=True,
            )
        ],
        s.PARIS,
    ),
    "settings_asked": (
        [
            SettingsChanged(
                s.game(seat=None),
                s.SETTINGS,
                replace(s.SETTINGS, grace=timedelta(hours=12)),
                s.due(),
                at=s.due().at - timedelta(days=1),
                is_asked=True,
            )
        ],
        s.PARIS,
    ),
    "settings_refused": (
        [
            SettingsRefused(
                s.game(seat=None),
                (
                    SettingFault("variant", "chaos", "fixed_board"),
                    SettingFault("movement", "3d", "contradiction", ("4d",)),
                ),
            )
        ],
        s.PARIS,
    ),
    "confirm_resign": ([ConfirmAsked(s.game(), "resign")], s.PARIS),
    "confirm_process": (
        [ConfirmAsked(s.game(seat=None), "process", (FRANCE, TURKEY))],
        s.PARIS,
    ),
    "created_to_confirm": (
        [
            Created(
                s.game(None, None),
                replace(
                    s.SETTINGS,
                    confirm=timedelta(days=2),
                    powers=Dealing.RANDOM,
                    names=Naming.HIDDEN,
                    language="ko",
                    house_rules="1901: Paris - Seoul!\n1902: Paris.",
                ),
                s.POWERS,
                is_draft=True,
                is_made=False,
                judge="judge@example.org",
            ),
            Registered(
                "Ann",
                "ann@example.org",
                "en",
                "Europe/Paris",
                confirmed=False,
                guessed=True,
                is_beside=True,
            ),
        ],
        s.PARIS,
    ),
    "wait": ([Done(s.game(), Deed.WAIT, s.due(early=None))], s.PARIS),
    "vacation_noted": ([VacationNoted(s.at(24, 0), s.at(31, 0))], s.PARIS),
    "ready": ([Done(s.game(), Deed.READY, s.due())], s.PARIS),
    # lists
    "game_list": (
        [GameList((GAME_ROW, OPEN_ROW), s.at(3, 16), judge="judge@example.org")],
        s.PARIS,
    ),
    "game_list_keeper": (
        [
            GameList(
                (replace(GAME_ROW, status=Status.FINISHED), OPEN_ROW),
                s.at(3, 16),
                is_for_keeper=True,
            )
        ],
        s.PARIS,
    ),
    "game_list_private": (
        [
            GameList(
                (replace(OPEN_ROW, comment="2026", needs_word=True),),
                s.at(3, 16),
                judge="judge@example.org",
            )
        ],
        s.PARIS,
    ),
    "approval_asked": ([ApprovalAsked(s.game(None, seat=None), "Chloé", 93, FRANCE)], s.PARIS),
    "approval_asked_new": ([ApprovalAsked(s.game(None, seat=None), "Chloé", None)], s.PARIS),
    "approval_granted": ([ApprovalAnswer(s.game(None, seat=None), granted=True)], s.PARIS),
    "approval_refused": ([ApprovalAnswer(s.game(None, seat=None), granted=False)], s.PARIS),
    "chosen": (
        [Chosen(s.game(None, seat=None), replace(s.SETTINGS, comment="2026", join_word="xyz"))],
        s.PARIS,
    ),
    "game_list_empty": ([GameList((), s.at(3, 16))], s.PARIS),
    "game_status": (
        [
            GameStatus(
                s.game(),
                s.SETTINGS,
                "active",
                s.ROSTER,
                s.view().to_raw(),
                s.due(),
                0,
                (s.line("A PAR - BUR"),),
                3,
                wait=True,
                advance=s.AHEAD[2:],
                masters=(Person("GÜL"), Person("Chloé")),
            )
        ],
        s.PARIS,
    ),
    "status_master": (
        [
            GameStatus(
                s.game(seat=None),
                s.SETTINGS,
                "active",
                s.ROSTER,
                s.view().to_raw(),
                s.due(),
                0,
                holdups=tuple(
                    Holdup(
                        kind,
                        (FRANCE, TURKEY),
                        who="Ann",
                        count=2,
                        at=s.at(5, 20),
                        reason="2026" if kind is HoldupKind.HELD else "",
                        motion=MOTION if "vote" in kind else None,
                    )
                    for kind in HoldupKind
                ),
            )
        ],
        s.PARIS,
    ),
    "status_master_blind": (
        [
            GameStatus(
                s.game(seat=None),
                s.SETTINGS,
                "active",
                s.ROSTER,
                s.view().to_raw(),
                s.due(),
                0,
                holdups=tuple(
                    Holdup(kind, count=1, at=s.at(5, 20))
                    for kind in (HoldupKind.WAITS, HoldupKind.GRACE, HoldupKind.WAIT)
                ),
            )
        ],
        s.PARIS,
    ),
    "guide_rules": (
        [Guide(GuideTopic.RULES, "diplomacy", ("standard",))],
        "UTC",
    ),
    "guide_syntax": ([Guide(GuideTopic.SYNTAX, "diplomacy")], "UTC"),
    "guide_board": ([Guide(GuideTopic.VARIANT, "diplomacy", ("standard",))], "UTC"),
    "guide_boards": ([Guide(GuideTopic.VARIANT, "diplomacy", ("standard", "chaos"))], "UTC"),
    "guide_house_rules": (
        [Guide(GuideTopic.HOUSE_RULES, "diplomacy", ("standard",), s.game(None), s.SETTINGS)],
        "UTC",
    ),
    "version": ([Version("0.1.0", "2026")], "UTC"),
    "help": (
        [
            HelpText(
                tuple(help_on(one) for one in COMMANDS),
                orders=True,
            )
        ],
        s.PARIS,
    ),
    "welcome": (
        [Welcome((OPEN_ROW, GAME_ROW), s.at(3, 16), OPEN_ROW.name, "Ann", s.PARIS)],
        s.PARIS,
    ),
    "welcome_practice": ([Welcome((), s.at(3, 16), name="Ann", zone=s.PARIS)], s.PARIS),
    # trouble
    "refusal": (
        [
            Refusal(RefusalKind.NO_GAME, {"written": "balkn", "nearest": ["balkan", "adria"]}),
            NotRead(("Sorry for the typo",)),
        ],
        s.PARIS,
    ),
    "refusal_in_game": (
        [Refusal(RefusalKind.UNCLOSED_PRESS, {"first_line": "Dear Ann,"}, s.game()), COMPLETE],
        s.PARIS,
    ),
    "address_asked": (
        [AddressAsked(s.game(), "chloe@work.example.org", "A PAR - BUR\nF BRE - MAO")],
        s.PARIS,
    ),
    "keeper_notice": (
        [KeeperNotice("letter_stuck", {"id": "f00d", "error": "550 5.1.1"})],
        "UTC",
    ),
}


# Where the reader of a language lives whose letter is to Paris in English.
ZONES = {"ko": "Asia/Seoul", "ja": "Asia/Tokyo", "zh_Hant": "Asia/Taipei"}


def zone_of(language: str, zone: str) -> str:
    """Where the reader lives of a letter that goes to this zone in English."""
    return ZONES.get(language, zone) if zone == s.PARIS else zone
