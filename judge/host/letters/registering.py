"""Who a player is: name, zone and language, guessed from their letter and shown to them."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from unicodedata import category
from zoneinfo import available_timezones

from msgspec.structs import replace

from judge.data import language_data
from judge.host.letters.letter_context import LetterContext
from judge.host.local_words import bilingual_line
from judge.host.messages.people import Registered
from judge.mail import Letter
from judge.rulebook import Values
from judge.store import Player, Purpose

LONGEST_NAME = 60
WEB = re.compile(r"[/@]|\bwww\.|\w\.\w{2}", re.IGNORECASE)
# `UTC+9`, `+9`, `GMT-05:00`, `+0530`; in a sentence, with UTC or GMT before it.
OFFSET = re.compile(
    r"(?<![A-Za-z\d])(?:(UTC|GMT)\s*)?([+\uff0b\u2212-])\s*(\d\d?)(?::?([0-5]\d))?(?![\d:])",
    re.IGNORECASE,
)
SUMMER = range(4, 11)  # months in which northern zones are an hour ahead


def guess_zone(letter: Letter, fallback: str) -> str:
    """The sender's zone by the Date header's offset and the language; `fallback` without one."""
    offset = letter.utc_offset_minutes
    if offset is None:
        return fallback
    tables = language_data("language.toml")
    own = tables.get(letter.language or "", {}).get("zones", {})
    if letter.language not in (None, "en") and str(offset) in own:
        return str(own[str(offset)])
    if offset == 0:
        return "UTC"  # many mail programs write UTC, whoever uses them
    if letter.received_at.month in SUMMER and offset <= 180:
        offset -= 60
    return str(tables["en"]["zones"].get(str(offset), fallback))


def name_of_address(address: str) -> str:
    return clean_name(address.partition("@")[0].replace(".", " ")) or "?"


def clean_name(written: str) -> str:
    """A name on one line, up to a length, without letters that nobody sees or that turn the
    direction of others; empty for an address of the web, which nobody is called."""
    seen = [one for one in written if one.isspace() or not category(one).startswith("C")]
    name = " ".join("".join(seen).split())[:LONGEST_NAME].strip()
    return "" if WEB.search(name) else name


def registration_payload(context: LetterContext) -> Values:
    """What JOIN and REGISTER know about a stranger, as the payload of the question to them."""
    letter, known = context.letter, context.sender.player
    name = clean_name(letter.sender_name) or name_of_address(letter.sender)
    return {
        "address": letter.sender,
        "name": known.name if known else name,
        "zone": known.zone if known else guess_zone(letter, context.work.config.zone),
        "language": known.language if known else context.language,
    }


def find_zone(written: str) -> str | None:
    """The IANA zone of `europe/paris`, of a city alone (`Paris`, `서울`) or of an offset from UTC
    (`GMT-5`, `+05:30`); None if unknown."""
    written = written.strip()
    for language in language_data("language.toml").values():
        for city, zone in language.get("cities", {}).items():
            if city.casefold() == written.casefold():
                return str(zone)
    if ahead := OFFSET.fullmatch(written):
        return _fixed_zone(ahead)
    wanted = written.replace(" ", "_").lower()
    zones = sorted(available_timezones())
    for zone in zones:
        if zone.lower() == wanted:
            return zone
    for zone in zones:
        if zone.lower().rpartition("/")[2] == wanted and "/" in zone:
            return zone
    return None


def zone_in(sentence: str) -> tuple[str, tuple[str, ...]] | None:
    """The zone that a sentence names, as `find_zone` reads it, and how it is written there."""
    named = (found for found in OFFSET.finditer(sentence) if found[1] and _fixed_zone(found))
    if ahead := next(named, None):
        return "".join(ahead[0].split()), (ahead[0],)
    text = sentence.casefold()
    for name, city in _cities().items():
        if name in text and match_name(name, text):
            return city, (name,)
    return None


def match_name(name: str, text: str) -> re.Match[str] | None:
    """Where a name stands in a text in lower case; one in Latin letters as a whole word."""
    found = re.escape(name)
    return re.search(rf"(?<![a-z]){found}(?![a-z])" if name.isascii() else found, text)


@cache
def _cities() -> Mapping[str, str]:
    """The city of a zone by its names in lower case, the longest name first."""
    found = {}
    for zone in available_timezones():
        area, _, city = zone.rpartition("/")
        if area and area not in ("Etc", "US", "posix", "right"):
            found[city.replace("_", " ").casefold()] = city.replace("_", " ")
    for table in language_data("language.toml").values():
        for name, zone in table.get("cities", {}).items():
            found[name.casefold()] = str(zone).rpartition("/")[2].replace("_", " ")
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def _fixed_zone(ahead: re.Match[str]) -> str | None:
    """The zone of an offset that `OFFSET` has found. Of half hours IANA has no zone but the places
    where they hold."""
    sign = 1 if ahead[2] in "+\uff0b" else -1
    hours, minutes = sign * int(ahead[3]), sign * (60 * int(ahead[3]) + int(ahead[4] or 0))
    if minutes % 60:
        zones: Mapping[str, str] = language_data("language.toml")["en"]["half_hours"]
        return zones.get(str(minutes))
    return f"Etc/GMT{-hours:+d}" if -12 <= hours <= 14 else None  # its sign is turned round


def find_language(written: str, known: Sequence[str]) -> str | None:
    """The language of `ko`, `zh-TW` or `한국어`, if it is one of those known; else None."""
    wanted = " ".join(written.replace("_", " ").replace("-", " ").lower().split())
    for language in known:
        names = language_data("language.toml").get(language, {}).get("names", ())
        if wanted in (language.lower().replace("_", " "), *names):
            return language
    return None


def register_from_payload(context: LetterContext, payload: Values) -> Player:
    """The player whom a payload of `registration_payload` makes, or changes."""
    work = context.work
    address = str(payload["address"])
    known = work.player_by_address(address)
    name, zone, language = (str(payload[key]) for key in ("name", "zone", "language"))
    new = Player(
        work.tokens.player_id(address), name, language, zone, (address,), registered_at=work.now
    )
    player = replace(known or new, name=name, zone=zone, language=language, confirmed=True)
    work.put_player(player)
    return player


def say_registered(context: LetterContext, *, is_changed: bool = False) -> None:
    """Show the sender what is kept of them."""
    player = context.writer
    context.say(
        Registered(
            player.name,
            ", ".join(player.addresses),
            player.language,
            player.zone,
            confirmed=True,
            guessed=False,
            letters_to=", ".join(player.letter_addresses) if len(player.addresses) > 1 else "",
            is_changed=is_changed,
        )
    )


def show_proposed_registration(
    context: LetterContext, payload: Values, *, is_beside: bool = False
) -> None:
    """Show what would be registered; a reply confirms it. `is_beside`: the reply that the message
    before it asks for."""
    then, _, _ = str(payload.get("then", "")).partition("\n")  # CREATE alone, without its lines
    context.say(
        Registered(
            name=str(payload["name"]),
            address=str(payload["address"]),
            language=str(payload["language"]),
            zone=str(payload["zone"]),
            confirmed=False,
            guessed=True,
            then="" if is_beside else bilingual_line(then, context.language),
            is_beside=is_beside,
        )
    )


def ask_to_register(context: LetterContext, then: str, *, is_beside: bool = False) -> None:
    """Ask a stranger whether to register what was guessed; a YES carries out `then`, a line."""
    payload = {**registration_payload(context), "then": then}
    show_proposed_registration(context, payload, is_beside=is_beside)
    context.ask(Purpose.REGISTER, payload)
