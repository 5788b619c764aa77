"""Votes: what is proposed, how it is decided, and how the reader's own vote stands."""

import msgspec

from judge.host.messages.command_answers import BallotCast, OpenVotes
from judge.host.messages.game_events import Proposed
from judge.host.messages.shared import GameRef, Motion
from judge.render.catalogue import comma_names, join_sentences, sentence_tables, setting_name
from judge.render.layout import first_that_fits, one_line
from judge.render.part import DueSection, Part, Reader, Section, Told
from judge.render.times import duration, moment
from judge.rulebook import Message
from judge.store import GameSettings

VALUE_COLUMNS = 60
DRAW = "draw"  # of the ends the one that PROPOSE DRAW asks for


class _Tables(msgspec.Struct, frozen=True):
    what: dict[str, str]
    means: dict[str, str]
    cast: dict[str, Told]
    settings: dict[str, str]
    text: dict[str, Message]


SENTENCES = sentence_tables("votes.toml", _Tables)
TEXTS = SENTENCES.text
OWN = {True: "yes", False: "no", None: "none"}


def _what(motion: Motion, game: GameRef, reader: Reader) -> str:
    """What is voted on, in a few words."""
    if motion.is_end:
        return reader.game_words(game).agreed_end(motion.kind, motion.seats)
    return reader.say(
        SENTENCES.what[motion.kind],
        power=reader.seats(game, motion.seats),
        time=duration(motion.length, reader),
        when=moment(motion.at, reader.zone, reader) if motion.at else "",
        setting=setting_name(motion.setting, reader),
        value=one_line(motion.value, VALUE_COLUMNS),
    )


def _first_line_about(key: str, what: str, reader: Reader) -> str:
    told = SENTENCES.cast[key]
    return first_that_fits((reader.tell(told.verdict, what=what), reader.say(told.text)))


def _motion_details(motion: Motion, game: GameRef, reader: Reader) -> str:
    """Who has proposed it, what it means, who must agree, how it stands, when it lapses."""
    says = []
    if motion.by is not None:
        says.append(reader.tell(TEXTS["by"], power=reader.seats(game, [motion.by])))
    key = "end" if motion.is_end else motion.kind
    key = "replace_open" if key == "replace" and not motion.has_standby else key
    says.append(reader.say(SENTENCES.means[key]))
    needs = "all" if motion.needed == motion.voters else "majority"
    if not motion.voters:
        needs = "most_in_play" if motion.is_majority else "all_in_play"
    says.append(reader.tell(TEXTS[needs], motion.voters, needed=motion.needed))
    if motion.votes is not None:
        for key, choice in (("who_yes", True), ("who_no", False)):
            seats = [seat for seat, said in motion.votes.items() if said is choice]
            if seats:
                says.append(reader.tell(TEXTS[key], powers=reader.seats(game, seats)))
    elif motion.yes is not None:
        says.append(reader.tell(TEXTS["counts"], yes=motion.yes, no=motion.no))
    else:
        says.append(reader.tell(TEXTS["secret" if game.seat is not None else "secret_master"]))
    says.append(reader.tell(TEXTS["stands" if motion.stands else "lapses"]))
    return join_sentences(says, reader)


def lapsed_told(motion: Motion, game: GameRef, reader: Reader) -> str:
    """A line on what was not agreed before the phase ran, and how it stood."""
    says = [reader.tell(TEXTS["lapsed"], what=_what(motion, game, reader))]
    if motion.yes is not None:
        says.append(reader.tell(TEXTS["stood"], yes=motion.yes, no=motion.no))
    return join_sentences(says, reader)


def ballot_cast(message: BallotCast, reader: Reader) -> Part:
    """To the voter: how they vote, what it means, and what becomes of it."""
    game, motion = message.game, message.motion
    what = _what(motion, game, reader)
    sections: list[Section] = [reader.tell(TEXTS["what"], what=what)]
    if message.is_agreed:
        key = "agreed"
        sections.append(reader.tell(TEXTS["decided" if game.seat is None else "last_yes"]))
    else:
        key = OWN[motion.own]
        sections.append(_motion_details(motion, game, reader))
        if message.is_new:
            sections.append(reader.tell(TEXTS["others_asked"]))
        if message.is_quiet and motion.kind == DRAW:
            sections.append(reader.tell(TEXTS["others_not_asked"]))
        if motion.number:
            sections.append(reader.tell(TEXTS["how"], number=motion.number))
    verdict = _first_line_about(key, what, reader)
    if what in verdict:
        sections = sections[1:]
    return Part(reader.say("your letter was accepted"), verdict, game, sections)


def proposed(message: Proposed, reader: Reader) -> Part:
    """To everybody: what is proposed, and how to vote."""
    game, motion = message.game, message.motion
    what, is_voter = _what(motion, game, reader), game.seat is not None
    how = reader.tell(TEXTS["reply"], number=motion.number)
    if not is_voter:
        how = reader.tell(TEXTS["master_may" if motion.may_decide else "master_reads"])
    verdict = _first_line_about("asked" if is_voter else "asked_master", what, reader)
    full = "" if what in verdict else reader.tell(TEXTS["what"], what=what)
    sections = (full, how, _motion_details(motion, game, reader), DueSection(message.due))
    return Part(reader.say("a vote is open"), verdict, game, sections)


def open_votes(message: OpenVotes, reader: Reader) -> Part:
    """What is voted on, as far as the reader may know it."""
    game, motions = message.game, message.motions
    sections = []
    if message.has_asked and motions:
        sections.append(reader.tell(TEXTS["which_how"], number=motions[-1].number))
    for motion in motions:
        head = f"{motion.number}. {_what(motion, game, reader)}"
        own = reader.tell(TEXTS[f"own_{OWN[motion.own]}"], number=motion.number)
        rules = _motion_details(motion, game, reader)
        sections.append("\n".join((head, f"   {rules}", f"   {own}" if game.seat else "")).rstrip())
    if message.is_secret:
        sections.append(reader.tell(TEXTS["secret_votes"]))
    if not motions and message.may_pause:
        sections.append(reader.tell(TEXTS["propose"]))
    verdict = reader.tell(TEXTS["open"], len(motions))
    if message.has_asked:
        verdict = reader.tell(TEXTS["which"])
    elif not motions:
        verdict = reader.tell(TEXTS["nothing_told" if message.is_secret else "nothing"])
    return Part(reader.say("open votes"), verdict, game, sections)


def vote_setting_rows(settings: GameSettings, reader: Reader) -> list[tuple[str, str]]:
    """How a game votes, where that is not as usual."""
    chosen = [settings.ballots, settings.votes_last, f"proposer_{settings.proposer}"]
    told = [reader.say(SENTENCES.settings[key]) for key in chosen if key in SENTENCES.settings]
    return [(reader.say("Votes"), comma_names(told, reader))] if told else []


def open_votes_told(game: GameRef, motions: tuple[Motion, ...], reader: Reader) -> list[str]:
    """A line for each vote that STATUS shows."""
    lines = []
    for motion in motions:
        what = _what(motion, game, reader)
        if motion.own is not None:
            lines.append(reader.tell(SENTENCES.cast[OWN[motion.own]].verdict, what=what))
            continue
        lines.append(reader.tell(TEXTS["what"], what=what))
        if game.seat:
            lines.append(reader.tell(TEXTS["own_none"], number=motion.number))
    return lines
