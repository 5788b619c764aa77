"""Who a player is: name, zone and language, guessed from their letter and shown to them."""

import re
from collections.abc import Sequence
from unicodedata import category
from zoneinfo import available_timezones

from msgspec.structs import replace

from judge.data import language_data
from judge.host.letters.letter_context import LetterContext
from judge.host.messages.people import Registered
from judge.mail import Letter
from judge.rulebook import Values
from judge.store import Player

LONGEST_NAME = 60
WEB = re.compile(r"[/@]|\bwww\.|\w\.\w{2}", re.IGNORECASE)
HOURS_OF_UTC = re.compile(r"(?:UTC|GMT)\s*([+\u2212-]\d\d?)(?::?00)?", re.IGNORECASE)
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


def guess_name(letter: Letter) -> str:
    """The name in the From header, or the local part of the address."""
    return clean_name(letter.sender_name) or name_of_address(letter.sender)


def name_of_address(address: str) -> str:
    return clean_name(address.partition("@")[0].replace(".", " ")) or "?"


def clean_name(written: str) -> str:
    """A name on one line, up to a length, without letters that nobody sees or that turn the
    direction of others; empty for an address of the web, which nobody is called."""
    seen = [one for one in written if one.isspace() or not category(one).startswith("C")]
    name = " ".join("".join(seen).split())[:LONGEST_NAME].strip()
    return "" if WEB.search(name) else name


def guess_player(context: LetterContext) -> Values:
    """What JOIN and REGISTER know about a stranger, as the payload of the question to them."""
    letter, config = context.letter, context.work.config
    known = context.sender.player
    if known is not None:
        return {
            "address": letter.sender,
            "name": known.name,
            "zone": known.zone,
            "language": known.language,
        }
    language = context.language
    return {
        "address": letter.sender,
        "name": guess_name(letter),
        "zone": guess_zone(letter, config.zone),
        "language": language,
    }


def find_zone(written: str) -> str | None:
    """The IANA zone of `europe/paris`, of a city alone (`Paris`, `서울`) or of `GMT-5`; None if
    unknown."""
    for language in language_data("language.toml").values():
        for city, zone in language.get("cities", {}).items():
            if city.casefold() == written.strip().casefold():
                return str(zone)
    if hours := HOURS_OF_UTC.fullmatch(written.strip()):
        ahead = int(hours[1].replace("\u2212", "-"))
        return f"Etc/GMT{-ahead:+d}" if -14 <= -ahead <= 12 else None  # its sign is turned round
    wanted = written.strip().replace(" ", "_").lower()
    zones = sorted(available_timezones())
    for zone in zones:
        if zone.lower() == wanted:
            return zone
    for zone in zones:
        if zone.lower().rpartition("/")[2] == wanted and "/" in zone:
            return zone
    return None


def find_language(written: str, known: Sequence[str]) -> str | None:
    """The language of `ko`, `zh-TW` or `한국어`, if it is one of those known; else None."""
    wanted = " ".join(written.replace("_", " ").replace("-", " ").lower().split())
    for language in known:
        names = language_data("language.toml").get(language, {}).get("names", ())
        if wanted in (language.lower().replace("_", " "), *names):
            return language
    return None


def register_from(context: LetterContext, payload: Values) -> Player:
    """The confirmed player of a payload of `guess_player`: a new one, or a known one changed."""
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


def say_registered(context: LetterContext) -> None:
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
            letters_to=", ".join(player.report_addresses) if len(player.addresses) > 1 else "",
        )
    )


def say_asked(context: LetterContext, payload: Values, *, is_beside: bool = False) -> None:
    """Show what would be registered; a reply confirms it. `is_beside`: the reply that the message
    before it asks for."""
    context.say(
        Registered(
            name=str(payload["name"]),
            address=str(payload["address"]),
            language=str(payload["language"]),
            zone=str(payload["zone"]),
            confirmed=False,
            guessed=True,
            then="" if is_beside else str(payload.get("then", "")),
            is_beside=is_beside,
        )
    )
