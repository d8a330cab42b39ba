"""Dates of one call become the ends of a short period: `startsOn` and `dueOn` of a rental, a few hours or days apart.

Programs ask for an end after its start, and not long after it. Two dates that are drawn alone are years apart, half of
them in the wrong order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import Gene
from wimble.genes.date_texts import from_time, to_time
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import NamedGene, iter_named_genes

PERIOD_PROBABILITY: Final = 0.6
"""Probability that the dates of a new call become the ends of a period."""
HOUR_MS: Final = 3_600_000
STEPS_MS: Final = (HOUR_MS // 2, HOUR_MS, 2 * HOUR_MS, 24 * HOUR_MS, 48 * HOUR_MS, 7 * 24 * HOUR_MS, 30 * 24 * HOUR_MS)
_DAY_LENGTH: Final = 10
_WORD: Final = re.compile(r"[A-Z]?[a-z]+")
_END: Final = re.compile(
    r"(?:end|till|until|due|to|before|finish|stop|return|expir|latest|clos|depart)[a-z]*|[a-z]*out"
)
_SHORTEST: Final = 8
"""Shorter texts are no dates."""


class DatesInOrder:
    """Sampling step for calls with several dates; all randomness comes from `rng`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the dates of the call follow each other at short distances, those called an end last."""
        dated = [named for named in iter_named_genes(call, 0) if _time_of(named.gene) is not None]
        if len(dated) < 2 or self._rng.random() >= PERIOD_PROBABILITY:
            return call
        first, *others = sorted(dated, key=_is_end)
        changed, time = TestCase((call,)), _time_of(first.gene) or 0
        for named in others:
            text = str(named.gene.phenotype())
            steps = [step for step in STEPS_MS if step >= 24 * HOUR_MS] if len(text) == _DAY_LENGTH else STEPS_MS
            time += self._rng.choice(steps)
            written = from_time(time, text)
            new = None if written is None else named.gene.with_value(written)
            changed = changed if new is None else changed.with_gene(named.address, new)
        return changed.calls[0]


def _is_end(named: NamedGene) -> bool:
    return any(_END.fullmatch(word.lower()) for word in _WORD.findall(named.name))


def _time_of(gene: Gene) -> int | None:
    value = gene.phenotype()
    return to_time(value) if isinstance(value, str) and len(value) >= _SHORTEST else None
