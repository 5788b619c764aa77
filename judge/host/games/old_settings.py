"""Settings as the old judges spell them, as those that they are here."""

import re
from collections.abc import Mapping

from judge.host.games.press_rules import FLAGS as PRESS_FLAGS
from judge.host.games.setting_values import FLAGS, SEPARATORS, SYNONYMS, plain_name, variant_named
from judge.host.local_words import meanings, words_in_all_languages
from judge.rulebook import DEFAULT_GAME, load_game

# Settings that are said without a value (`approval`, `no approval`; STANDBY is a command), and what
# they mean: name, value.
_BARE = {*FLAGS, "concessions", *PRESS_FLAGS} - {"standby"}
OLD_FLAGS = {
    **{f"{no}{one}": [one, said] for one in _BARE for no, said in (("", "yes"), ("no_", "no"))},
    **{word: said.split(": ") for word, said in meanings("old_settings").items()},
    **{word: ["", ""] for word in words_in_all_languages("always", "so")},
}
TIMING = meanings("timing")  # the words of DPjudge's TIMING, and the settings that each sets
TIMING_WORD = re.compile(rf"\b({'|'.join(TIMING)})\b", re.IGNORECASE)
RATIO = re.compile(r"0?\.(\d)(\d?)0*|(1)(?:\.0*)?")  # a share of turns on time
# A board or an old setting at the beginning of a text, its gaps spelled in any way.
WORDED = re.compile(
    "({})(?![\\w-])".format(
        "|".join(
            "[ _-]".join(map(re.escape, one.split("_")))
            for one in sorted((*load_game(DEFAULT_GAME).variants(), *OLD_FLAGS), key=len)[::-1]
        )
    ),
    re.IGNORECASE,
)


def in_our_words(wanted: Mapping[str, str]) -> dict[str, str]:
    """Settings as the old judges write them, as those that they are here: `always wait`, `manual
    start: yes`, `powers 5`, `warn 1D, 6H`, `ontimerat 0.8`. What always holds here is left out."""
    found = dict[str, str]()
    for name, value in wanted.items():
        plain, said = plain_name(name.strip()), value.strip()
        key = SYNONYMS.get(plain, plain)
        pair = OLD_FLAGS.get(plain)
        parts = SEPARATORS.split(said)
        if pair and said.lower() in ("", "yes"):
            found |= dict([pair] if pair[0] else [])
        elif plain == "timing" and TIMING_WORD.match(said):
            texts = TIMING_WORD.split(said)
            pairs = list(zip(map(str.lower, texts[1::2]), map(str.strip, texts[2::2]), strict=True))
            for word, text in sorted(pairs, key=lambda one: one[0] != "next"):
                found |= in_our_words(dict.fromkeys(TIMING[word].split(", "), text))
        elif key == "variant" and len(words := parse_settings_line(said)) > 1:
            is_old = len(parts) == 1 or all(map(WORDED.fullmatch, words))
            found |= in_our_words(words) if is_old else {name: value}
        elif key == "powers" and said.isdecimal():
            found["players"] = said
        elif key == "reminder" and len(parts) == 2:
            found |= {name: parts[0].strip(), "last_reminder": parts[1].strip()}
        elif key == "reliability" and (ratio := RATIO.fullmatch(said)):
            found[name] = "100" if ratio[3] else f"{ratio[1]}{ratio[2] or 0}"
        else:
            found[name] = value
    return found


def parse_settings_line(text: str) -> dict[str, str]:
    """`fleet_rome gunboat no press`: the settings that stand in one line behind a board, or in that
    of CREATE; a word that is none of them stands alone. Empty where the first word is none."""
    found, rest = dict[str, str](), text.strip(" ,")
    while rest:
        match = WORDED.match(rest)
        word = match[1] if match else rest.split()[0]
        if not found and match is None:
            return {}
        named = variant_named(load_game(DEFAULT_GAME), word)
        found.setdefault(*(("variant", named) if named else (word.strip(","), "yes")))
        rest = rest[len(word) :].strip(" ,")
    return found
