"""Which commands a sentence resembles, by the examples of `grammar/<language>/requests.toml`.

A sentence is the set of its features: the meanings that `own_words` finds in it, its words and
pairs of words, or where a script builds words from endings or has no spaces, its pieces of two and
three letters. Two sentences are alike by the cosine of their sets, and the fewer examples have a
feature, the more it weighs. A command is as like a sentence as its best examples are; how often all
its examples have the sentence's features (naive Bayes) takes away from those that are less likely.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

MEANING_WEIGHT = 2.0  # of a meaning, where a word weighs 1
CHAT = "chat"  # examples that ask for nothing
BEST = (1.0, 0.5, 0.25)  # how much the best examples of a command count, the best first
ODDS_SHARE = 0.15  # of the mean log odds by which another command is likelier
SMOOTHING = 2.0  # examples that each command has of everything, as frequent as in all commands
NUMBER = re.compile("[0-9]+|[一二兩三四五六七八九十]{1,3}(?=[天日號月時點週小])")
WORD = re.compile(r"[a-z']+|[0@#?]|[^\W0-9a-z_]+")

Features = frozenset[str]


@dataclass(frozen=True, slots=True)
class Examples:
    """The sentences of a language."""

    commands: tuple[str, ...]  # what each example asks for
    lengths: tuple[float, ...]  # of each example
    weights: Mapping[str, float]  # of each feature; `unknown` of one that no example has
    unknown: float
    holders: Mapping[str, tuple[int, ...]]  # the examples that have a feature, by their place
    # Of each feature and the commands that have it, the log odds to one that has it never.
    odds: Mapping[str, Mapping[str, float]]
    without: Mapping[str, float]  # of each command, the log odds of a feature that it has never

    def likeness(self, features: Features) -> dict[str, float]:
        """How much a sentence of these features is like each command: up to 1.75."""
        shared = defaultdict[int, float](float)
        for one in features:
            for at in self.holders.get(one, ()):
                shared[at] += self.weights[one] ** 2
        length = _length(features, self.weights, self.unknown)
        alike = defaultdict[str, list[float]](list)
        for at, weight in shared.items():
            alike[self.commands[at]].append(weight / length / self.lengths[at])
        best = {
            command: sum(one * share for one, share in zip(sorted(found)[::-1], BEST, strict=False))
            for command, found in alike.items()
        }
        known = [self.odds[one] for one in features if one in self.odds]
        log_odds = dict(self.without)
        for told in known:
            for command, more in told.items():
                log_odds[command] += more / len(known)
        most = max((one for command, one in log_odds.items() if command != CHAT), default=0.0)
        return {
            command: one + ODDS_SHARE * (log_odds[command] - most) for command, one in best.items()
        }


def examples_of(told: Iterable[tuple[str, Features]]) -> Examples:
    """The examples from their commands and features."""
    commands, sets = zip(*told, strict=True) if (told := list(told)) else ((), ())
    holders = defaultdict[str, list[int]](list)
    for at, features in enumerate(sets):
        for one in features:
            holders[one].append(at)
    most = math.log(len(sets) + 1)
    weights = {
        one: (most - math.log(len(found))) * (MEANING_WEIGHT if one[0] == "=" else 1)
        for one, found in holders.items()
    }
    unknown = most / 2
    lengths = tuple(_length(features, weights, unknown) for features in sets)
    counts = Counter(commands)
    odds = {
        one: {
            command: math.log(1 + count * len(sets) / SMOOTHING / len(found))
            for command, count in Counter(commands[at] for at in found).items()
        }
        for one, found in holders.items()
    }
    without = {one: math.log(SMOOTHING / (count + SMOOTHING)) for one, count in counts.items()}
    held = {one: tuple(at) for one, at in holders.items()}
    return Examples(commands, lengths, weights, unknown, held, odds, without)


def features_of(text: str, meanings: Iterable[str]) -> Features:
    """The features of a sentence that holds these meanings."""
    words = WORD.findall(NUMBER.sub("0", text.lower()))
    found = [f"={one}" for one in meanings]
    for word in words:
        if word.isascii():
            found.append(word)
        else:
            ends = [(at, at + size) for size in (2, 3) for at in range(len(word) + 2 - size)]
            found += [f"^{word}"[start:end] for start, end in ends]
    found += [f"{one} {after}" for one, after in pairwise(words) if (one + after).isascii()]
    return frozenset(found)


def _length(features: Features, weights: Mapping[str, float], unknown: float) -> float:
    return math.sqrt(sum(weights.get(one, unknown) ** 2 for one in features)) or 1.0
