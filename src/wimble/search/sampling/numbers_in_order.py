"""Numbers of one call become the ends of a range: `from` and `to`, `minPrice` and `maxPrice`.

Programs and their schemas refuse a range whose end is not after its start, and two numbers that are drawn alone are in
the wrong order half of the time, or more often where only one of them has a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import NamedGene, iter_named_genes

RANGE_PROBABILITY: Final = 0.7
"""Probability that numbers of a new call that are in the wrong order become the ends of a range."""
SPANS: Final = (1, 1, 2, 5, 10, 50, 100)
_ENDS: Final = {
    "from": "to",
    "since": "until",
    "min": "max",
    "minimum": "maximum",
    "start": "end",
    "begin": "end",
    "lower": "upper",
    "low": "high",
    "lowest": "highest",
    "first": "last",
    "gt": "lt",
    "gte": "lte",
}
"""By the word that names the start of a range: the one that names its end."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")


class NumbersInOrder:
    """Sampling step for calls with the ends of a range; all randomness comes from `rng`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the start of a range is less than its end."""
        changed = TestCase((call,))
        for start, end in _ranges(call):
            low, high = _number_of(start), _number_of(end)
            if low is None or high is None or low < high or self._rng.random() >= RANGE_PROBABILITY:
                continue
            new_low = high - self._rng.choice(SPANS)
            # Below 0 there is no page, price or count.
            new_low = new_low if new_low >= 0 or high <= 0 else high // 2
            text = isinstance(start.gene.phenotype(), str)
            new = start.gene.with_value(str(new_low) if text else new_low)
            changed = changed if new is None else changed.with_gene(start.address, new)
        return changed.calls[0]


def _ranges(call: Call) -> Iterator[tuple[NamedGene, NamedGene]]:
    """Yields the starts and ends of the call's ranges."""
    by_words: dict[tuple[str, ...], NamedGene] = {}
    leaves = list(iter_named_genes(call, 0))
    for named in leaves if len(leaves) > 1 else ():
        by_words.setdefault(_words(named.name), named)
    for words, start in by_words.items():
        for at, word in enumerate(words):
            end = by_words.get((*words[:at], _ENDS[word], *words[at + 1 :])) if word in _ENDS else None
            if end is not None:
                yield start, end


@lru_cache(maxsize=8192)
def _words(name: str) -> tuple[str, ...]:
    return tuple(word.lower() for word in _WORD.findall(name))


def _number_of(named: NamedGene) -> int | float | None:
    value = named.gene.phenotype()
    if isinstance(value, str):
        return int(value) if _WHOLE.fullmatch(value) else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
