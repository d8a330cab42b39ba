"""Gives free texts the kind of value that their name speaks of: an address to `email`, a day to `startDate`.

A declared format, pattern or length says more than a name, so inputs that have one stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.genes import AnyGene, Gene, StringGene
from wimble.genes.value_names import draw_for
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes

NAMED_PROBABILITY: Final = 0.4
"""Probability that a free text with a speaking name has such a value in a new call."""


class NamedValues:
    """Sampling step for free texts; all randomness comes from `rng`."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: some free texts get the kind of value that their name speaks of."""
        changed: TestCase | None = None
        for named in iter_named_genes(call, 0):
            draw = draw_for(named.name) if _is_free(named.gene) else None
            if draw is None or self._rng.random() >= NAMED_PROBABILITY:
                continue
            new = named.gene.with_value(draw(self._rng))
            if new is not None:
                changed = (changed or TestCase((call,))).with_gene(named.address, new)
        return call if changed is None else changed.calls[0]


def _is_free(gene: Gene) -> bool:
    if isinstance(gene, AnyGene):
        return isinstance(gene.value, str)
    return (
        isinstance(gene, StringGene)
        and gene.format is None
        and gene.pattern is None
        and gene.max_length is None
        and gene.specialisation is None
    )
