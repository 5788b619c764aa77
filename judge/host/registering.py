"""Who a player is: name, zone and language, guessed from his letter and shown to him."""

from collections.abc import Sequence
from zoneinfo import available_timezones

from msgspec.structs import replace

from judge.host.letter_context import LetterContext
from judge.host.messages import Registered
from judge.mail import Letter
from judge.rulebook import Values
from judge.store import Player

LONGEST_NAME = 60
# The zone that most players of an offset live in; the whole list of zones has dozens for each.
ZONES_OF_OFFSET = {
    -480: "America/Los_Angeles",
    -420: "America/Denver",
    -360: "America/Chicago",
    -300: "America/New_York",
    -240: "America/Halifax",
    -180: "America/Sao_Paulo",
    0: "Europe/London",
    60: "Europe/Paris",
    120: "Europe/Helsinki",
    180: "Europe/Istanbul",
    240: "Asia/Dubai",
    330: "Asia/Kolkata",
    420: "Asia/Bangkok",
    480: "Asia/Taipei",
    540: "Asia/Tokyo",
    570: "Australia/Adelaide",
    600: "Australia/Brisbane",
    660: "Australia/Sydney",
    720: "Pacific/Auckland",
}
ZONES_OF_LANGUAGE = {("ko", 540): "Asia/Seoul", ("zh_Hant", 480): "Asia/Taipei"}
# What people call the languages, in the writing of their codes.
LANGUAGE_NAMES = {
    "english": "en",
    "영어": "en",
    "英語": "en",
    "英文": "en",
    "korean": "ko",
    "한국어": "ko",
    "한글": "ko",
    "韓文": "ko",
    "韓國語": "ko",
    "韓語": "ko",
    "韓国語": "ko",
    "chinese": "zh hant",
    "traditional chinese": "zh hant",
    "zh": "zh hant",
    "zh tw": "zh hant",
    "zh hk": "zh hant",
    "중국어": "zh hant",
    "中文": "zh hant",
    "繁體中文": "zh hant",
    "正體中文": "zh hant",
    "中国語": "zh hant",
    "japanese": "ja",
    "jp": "ja",
    "일본어": "ja",
    "日文": "ja",
    "日語": "ja",
    "日本語": "ja",
}
SUMMER = range(4, 11)  # months in which northern zones are an hour ahead


def guess_zone(letter: Letter, fallback: str) -> str:
    """The writer's zone from his Date header's offset and his language; `fallback` without one."""
    offset = letter.utc_offset_minutes
    if offset is None:
        return fallback
    if letter.language and (letter.language, offset) in ZONES_OF_LANGUAGE:
        return ZONES_OF_LANGUAGE[letter.language, offset]
    if offset == 0:
        return "UTC"  # many mail programs write UTC, whoever uses them
    if letter.received_at.month in SUMMER and offset <= 180:
        offset -= 60
    return ZONES_OF_OFFSET.get(offset, fallback)


def guess_name(letter: Letter) -> str:
    """The name in the From header, or the local part of the address."""
    name = " ".join(letter.sender_name.split())
    return (name or letter.sender.partition("@")[0])[:LONGEST_NAME]


def guess_player(context: LetterContext) -> Values:
    """What JOIN and REGISTER know of a stranger, as the payload of the question to him."""
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
    """The IANA zone of `europe/paris` or of a city alone, `Paris`; None if there is none."""
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
    found = LANGUAGE_NAMES.get(wanted, wanted)
    for language in known:
        if language.lower().replace("_", " ") == found:
            return language
    return None


def register_from(context: LetterContext, payload: Values) -> Player:
    """The confirmed player of a payload of `guess_player`: a new one, or a known one changed."""
    work = context.work
    address = str(payload["address"])
    known = work.player_by_address(address)
    fields = {key: str(payload[key]) for key in ("name", "zone", "language")}
    if known is not None:
        player = replace(known, confirmed=True, **fields)
    else:
        player = Player(
            id=work.tokens.player_id(address),
            addresses=(address,),
            registered_at=work.now,
            confirmed=True,
            **fields,
        )
    work.put_player(player)
    return player


def say_registered(context: LetterContext, player: Player) -> None:
    context.say(
        Registered(
            player.name, player.address, player.language, player.zone, confirmed=True, guessed=False
        )
    )
