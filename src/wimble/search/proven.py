"""Texts by which an edit has covered something, for other inputs: code that several operations run is covered by one of them, and what
the agent tells of it ends there, but the others still have to get past it.

On the bookshop `POST /orders` teaches the search which coupons there are; `POST /coupons/check` takes one of them, too.
"""

from __future__ import annotations

from collections import deque
from random import Random

from wimble.genes import Gene, StringGene
from wimble.model.testcase import TestCase

MAX_TEXTS = 100
MAX_LENGTH = 200
"""Longer ones are documents, made for one input."""
WAITING_SHARE = 0.3
"""Share of sampled calls with such a text, of operations that have not succeeded yet."""
SAMPLING_SHARE = 0.02
"""The same of those that have."""
LIMIT_SHARE = 0.4
"""Share of changes of a text that take one, where a limit of the answer is to be broken: most limits hold on most ways through the code,
and another way is another text, as a rule."""


class ProvenTexts:
    """The latest distinct ones."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=MAX_TEXTS)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def learn(self, before: TestCase, edited: TestCase) -> None:
        """Takes in what an edit wrote that covered something."""
        known = {gene.value for _, gene in before.iter_genes() if isinstance(gene, StringGene)}
        for _, gene in edited.iter_genes():
            if not isinstance(gene, StringGene) or gene.value in known or gene.value in self._texts:
                continue
            if 0 < len(gene.value) <= MAX_LENGTH:
                self._texts.append(gene.value)

    def applied(self, gene: Gene, rng: Random) -> Gene | None:
        """The gene with one of the texts; None where it is no text."""
        return gene.adopted(rng.choice(self._texts)) if isinstance(gene, StringGene) and self._texts else None
