"""English sentences, by subject, verb, object and prepositions.

`Paris, supported by Marseilles, takes Burgundy` is a frame: the verb `takes`, its subject, its
object, and who helps. The words of a line fill one frame after the other; each frame makes its
orders, and a support that does not say of what is one of the order beside it. Asked for
where reading from left to right left something over. Free of any position.
"""

from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from judge.diplomacy import orders as o
from judge.diplomacy.language.lexicon import KINDS, listed
from judge.diplomacy.language.lines.clauses import Part, parts_of, support_or_convoy, without_talk
from judge.diplomacy.language.lines.prose import places_of
from judge.diplomacy.language.lines.roles import Phrase
from judge.diplomacy.language.tokens import Segment, Token
from judge.diplomacy.orders import PowerId, UnitKind, WrittenOrder, WrittenUnit

LONGEST = 60  # words of a line that is read by sentences
_UNKNOWN_MOST = 8  # unknown words; a line with more is talk
_ENDS = frozenset({".", ";", "!", "?"})
_JOINTS = frozenset({"and", "stop", "mark"})
_INNER = frozenset({"S", "C", "R", "-"})  # verbs that may have a move as their object
_LED = o.WrittenMove | o.WrittenHold  # what others may help with


class Frame(Struct):
    """A verb with what stands around it.

    `places` has the units and provinces of each slot: `subject`, `object`, `goal`, `source`, `by`
    (with what, or by whom), `way` (over what), `S` and `C` (who helps).
    """

    places: dict[str, list[Phrase]]
    verb: Token | None = None
    kind: Token | None = None  # of all its units
    is_sure: bool = True  # no word was passed over
    is_each: bool = False
    is_via: bool = False
    is_going: bool = False
    has_move: bool = False  # it helps a move: Mar supports the attack of Par

    def at(self, slot: str) -> list[Phrase]:
        return self.places.get(slot, [])

    @property
    def is_moving(self) -> bool:
        return self.is_going or (self.verb is not None and self.verb.word in _INNER)


class Sentence(Struct, frozen=True):
    """An order of a line with its columns, or (`order` is None) the words of a unit without one."""

    start: int
    end: int
    is_sure: bool
    order: WrittenOrder | None
    words: Segment = ()


def read_sentences(tokens: Sequence[Token]) -> tuple[Sentence, ...]:
    """The orders of a line; none if its words do not make orders throughout."""
    parts = parts_of(without_talk(tokens)) if len(tokens) <= LONGEST else []
    named = [part.phrase.tokens for part in parts if part.phrase]
    is_clear = all(
        words[-1].is_place
        and not words[-1].readings
        and sum(word.word in KINDS for word in words) < 2
        for words in named
    )
    is_numbered = any(token.word.isdigit() and len(token.word) > 2 for token in tokens)
    unknown = sum(part.use in ("unknown", "aside") for part in parts)
    if not is_clear or is_numbered or unknown > _UNKNOWN_MOST:
        return ()
    return _orders_of_frames(_frames(parts))


# --- frames ---------------------------------------------------------------------------------------


@cache
def _word_uses() -> dict[str, str]:
    """What English words are for that are neither verbs nor names: the slot that a preposition
    fills, and other uses."""
    uses = ("way", "goal", "joining", "dismissed", "going")
    return {word: use for use in uses for word in listed("sentences", use)}


def _frames(parts: Sequence[Part]) -> list[Frame]:
    """The frames that the words of a line fill; none if a word has no place in one."""
    frames = [Frame({})]
    slot = prep = ""  # where the last phrase went; what a preposition says of the next one
    joint = ""  # `and` (also a comma or a bracket) or a word as `while` since the last phrase
    is_dismissed = False
    for at, part in enumerate(parts):
        frame = frames[-1]
        if (phrase := part.phrase) is not None:
            role = prep or (phrase.role if phrase.role in ("goal", "source", "by") else "")
            if is_dismissed:  # not Burgundy
                is_dismissed = False
                continue
            if joint and role in ("", "source") and frame.places:
                begins = _begins_clause(parts, at)
                is_full = frame.verb is not None or not {"goal", "source"}.isdisjoint(frame.places)
                if begins and (is_full or (not role and slot in ("S", "C", "by", "way"))):
                    if is_full:
                        frames.append(frame := Frame({}))
                    slot = "subject"
                elif slot == "subject" and frame.verb is not None:
                    return []
                else:
                    slot = role or slot
            elif role and not (role == "by" and slot in ("S", "C")):
                slot = role
            elif not role:
                is_subject = frame.verb is None and (joint or "subject" not in frame.places)
                slot = "subject" if is_subject else "object"
            frame.places.setdefault(slot, []).append(phrase)
            prep = joint = ""
            continue
        if part.token is None or part.use in ("or", "rather", "passive"):
            return []
        word = part.token.word
        if part.use == "verb":
            helper = parts[at + 1].phrase if at + 1 < len(parts) else None
            if word in ("S", "C") and helper is not None and helper.role == "by":
                slot = prep = word
            elif word == "VIA":
                prep, frame.is_via = "way", True
            elif frame.verb is None:
                frame.verb = part.token
                frame.is_sure = frame.is_sure and not (slot in ("S", "C") and not joint)
            elif word == "-" and frame.verb.word in _INNER and joint != "and":
                prep = "goal" if frame.at("object") or frame.at("goal") else ""
                frame.has_move = True
            elif (word, frame.verb.word) not in (("H", "S"), ("H", "H")):
                subject = {"subject": [*frame.at("subject")]} if frame.at("subject") else {}
                frames.append(Frame(subject, part.token))
            joint = ""
        elif part.use in _JOINTS:
            joint = "and"
            if word in _ENDS and (frame.places or frame.verb):
                frames.append(Frame({}))
                slot = ""
        elif part.use == "kind":
            if frame.places:  # one army for Moscow, one fleet for Sevastopol
                frames.append(frame := Frame({}))
            frame.kind = part.token
        elif part.use == "each":
            frame.is_each = True
        else:
            use = _word_uses().get(part.token.text, "")
            frame.is_sure = False
            joint = use if use == "joining" else joint
            is_dismissed = use == "dismissed"
            frame.is_going = frame.is_going or use == "going"
            if use == "way" or (use == "goal" and frame.is_moving):
                prep = use
            elif part.token.text in listed("sentences", "takes") and frame.verb is None:
                frame.verb = part.token
    if prep or any(frame.verb and not frame.places for frame in frames):
        return []
    return [frame for frame in frames if frame.places]


def _begins_clause(parts: Sequence[Part], at: int) -> bool:
    """Whether a phrase behind a comma begins a clause: a verb or a goal follows it and those that
    are joined to it. The last member of a list stands behind `and`."""
    is_last = parts[at - 1].use == "and"
    for after, part in enumerate(parts[at + 1 :], at + 1):
        if part.use in ("and", "stop") and not is_last:
            is_last = part.use == "and"
        elif part.phrase is not None and parts[after - 1].use in ("and", "stop"):
            if part.phrase.role:
                return part.phrase.role == "goal"
        elif part.token is not None and _word_uses().get(part.token.text) == "going":
            return True
        elif part.use not in ("unknown", "aside", "each"):
            is_goal = part.phrase is not None and part.phrase.role in ("goal", "source")
            return part.use == "verb" or is_goal
    return False


# --- orders ---------------------------------------------------------------------------------------


def _orders_of_frames(frames: Sequence[Frame]) -> tuple[Sentence, ...]:
    """The orders of the frames; none at all if one of them makes none."""
    made = [_orders_of_verb_frame(frame) for frame in frames]
    done: dict[object, Sentence] = {}
    for at, (frame, orders) in enumerate(zip(frames, made, strict=True)):
        phrases = [phrase for each in frame.places.values() for phrase in each]
        units = [_unit(frame, each) for each in phrases]
        ends = [each.end for each in (*phrases, frame.verb) if each]
        span = min(each.start for each in phrases), max(ends)
        beside = [one for each in (*made[:at][::-1], *made[at + 1 :]) for one in each]
        if not orders and set(frame.places) == {"subject"}:
            if frame.verb is None and not frame.is_going:
                first = phrases[0].tokens[0]
                if frame.kind is None and first.text in listed("sentences", "plurals"):
                    frame.kind = first
                for each in phrases:  # Two armies: Moscow and Warsaw
                    words = _words_of_unit(frame, each)
                    if words[0].word not in KINDS:
                        return ()
                    done[words] = Sentence(each.start, each.end, False, None, words)
                continue
            led = [one for one in beside if isinstance(one, _LED)]
            is_helping = frame.verb is not None and frame.verb.word in ("S", "C")
            frame.is_sure = frame.is_sure and is_helping and len(led) == 1
            orders = _orders_of_subject_alone(frame, units, beside)
        helpers = [(verb, _unit(frame, each)) for verb in ("S", "C") for each in frame.at(verb)]
        supports = [
            support_or_convoy(unit, verb, one) for verb, unit in helpers for one in orders[:1]
        ]
        fleets = [] if frame.verb and frame.verb.word == "C" else frame.at("way")
        named = {_unit(frame, each).location.province for each in phrases if each not in fleets}
        if None in supports or not named <= places_of(filter(None, (*orders, *supports))):
            return ()
        for order in (*orders, *(one for one in supports if one is not None)):
            before = done.get(order)
            is_sure = frame.is_sure and not (supports and len(orders) > 1)
            is_sure = is_sure or (before is not None and before.is_sure)
            at_home = getattr(order, "unit", units[0]).location
            own = [
                each.start
                for each, unit in zip(phrases, units, strict=True)
                if unit.location == at_home
            ]
            start = span[0] if order == orders[0] and not supports else min([*own[:1], span[1]])
            done[order] = Sentence(start, span[1], is_sure, order)
    return tuple(done.values())


def _orders_of_subject_alone(
    frame: Frame, units: Sequence[WrittenUnit], beside: Sequence[WrittenOrder]
) -> list[WrittenOrder]:
    """What a frame orders that names only who does it: a support of the order beside it, the move
    that a support beside it says (`Paris goes, of course`)."""
    led = [one for one in beside if isinstance(one, _LED)][:1]
    verb = frame.verb.word if frame.verb else "-"
    if verb in ("S", "C"):
        supports = [support_or_convoy(unit, verb, one) for unit in units for one in led]
        return [order for order in supports if order is not None]
    orders: list[WrittenOrder] = []
    for unit in units if verb == "-" else ():
        for one in beside:
            match one:
                case o.WrittenSupportMove(_, other, to) | o.WrittenConvoy(_, other, to):
                    if other.location == unit.location:
                        orders.append(o.WrittenMove(unit, to))
                case o.WrittenMove() if one.unit.location == unit.location:
                    orders.append(one)
    return orders[:1]


def _orders_of_verb_frame(frame: Frame) -> list[WrittenOrder]:
    """The orders that a frame makes without those beside it."""
    part = {slot: [_unit(frame, each) for each in ones] for slot, ones in frame.places.items()}
    subject, object_, by = (part.get(slot, []) for slot in ("subject", "object", "by"))
    goal, source, way = (part.get(slot, []) for slot in ("goal", "source", "way"))
    verb = frame.verb.word if frame.verb else "-" if goal or source else ""
    if frame.verb and frame.verb.text in listed("sentences", "takes") and not goal:
        verb = "-"  # Paris takes Burgundy
    if verb == "C" and subject and by and not goal:  # Gas is carried to Por by Mao
        goal, object_ = object_, []
    match verb:
        case "-" | "R":
            units, targets = subject, goal or object_
            if subject and not targets:  # Burgundy is attacked by Paris
                units, targets = by or source, subject
            elif not subject:
                units, targets = (
                    (object_ or source or by, goal) if goal else (source or by, object_)
                )
            pairs = [(unit, to) for unit in units for to in targets]
            if frame.is_each and len(units) == len(targets):
                pairs = [*zip(units, targets, strict=True)]
            elif len(targets) > 1:
                return []
            frame.is_sure = frame.is_sure and (frame.is_each or len(units) == 1)
            if verb == "R":
                return [o.WrittenRetreat(unit, to.location) for unit, to in pairs]
            path = tuple(each.location.province for each in way)
            is_via = frame.is_via or bool(way or frame.at("C"))
            return [o.WrittenMove(unit, to.location, is_via, path) for unit, to in pairs]
        case "H" if goal or source or by or way:  # Paris keeps out of Burgundy
            return []
        case "H" if subject and object_ and subject != object_:  # Apulia guards Venice
            frame.is_sure = False
            if frame.verb and frame.verb.text not in listed("sentences", "guards"):
                return []
            return [o.WrittenSupportHold(unit, other) for unit in subject for other in object_]
        case "H":
            return [o.WrittenHold(unit) for unit in subject or object_]
        case "S" if len(goal) < 2:
            helpers, others = subject or by or source, object_ or (source if subject or by else [])
            if goal and others:
                return [o.WrittenSupportMove(each, others[0], goal[0].location) for each in helpers]
            if goal or frame.has_move:
                return []
            return [o.WrittenSupportHold(each, other) for each in helpers for other in others]
        case "C" if len(goal) == 1:
            to = goal[0].location
            armies, fleets = object_ or subject, by or way if by or way or not object_ else subject
            carried: list[WrittenOrder] = [
                o.WrittenConvoy(fleet, army, to) for fleet in fleets for army in armies
            ]
            if fleets is not subject and carried:
                carried = [*(o.WrittenMove(army, to, via_convoy=True) for army in armies), *carried]
            return carried
        case "D":
            return [o.WrittenDisband(unit) for unit in (*subject, *object_)]
        case "B" if frame.is_sure or any(unit.kind for unit in (*subject, *object_)):
            return [o.WrittenBuild(unit) for unit in (*subject, *object_)]
    return []


def _words_of_unit(frame: Frame, phrase: Phrase) -> Segment:
    """The words of a unit, with the kind that is said once for all."""
    if frame.kind is None or any(token.word in KINDS for token in phrase.tokens):
        return phrase.tokens
    return (frame.kind, *phrase.tokens)


def _unit(frame: Frame, phrase: Phrase) -> WrittenUnit:
    words = _words_of_unit(frame, phrase)
    kind = next((UnitKind(token.word) for token in words if token.word in KINDS), None)
    power = next((PowerId(token.word[1:]) for token in words if token.word[0] == "@"), None)
    return WrittenUnit(words[-1].locations[0], kind, power)
