"""The dictionary: texts by which an edit has covered something, to be tried in other inputs.

One operation may cover code that several operations run. The agent then gives no more hints about that code, but the
other operations still have to pass it. On the bookshop the search learns from `POST /orders` which coupons there are;
`POST /coupons/check` takes one of them, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from random import Random

from wimble.genes import Gene, StringGene
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes

MAX_TEXTS = 100
MAX_LENGTH = 200
"""Longer texts are documents that were made for one input."""
WAITING_PROBABILITY = 0.3
"""Probability that a new call of an operation that has not succeeded yet gets such a text."""
SAMPLING_PROBABILITY = 0.02
"""The same for an operation that has succeeded."""
LIMIT_PROBABILITY = 0.4
"""Probability that a change of a text takes one, if the target is a limit of an answer. Most limits hold on most paths
through the code, and usually another path needs another text.
"""


class Dictionary:
    """The latest distinct texts."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=MAX_TEXTS)

    def __bool__(self) -> bool:
        return bool(self._texts)

    def learn(self, before: TestCase, edited: TestCase) -> None:
        """Adds the texts that an edit has written by which something was covered."""
        known = {gene.value for _, gene in before.iter_genes() if isinstance(gene, StringGene)}
        for _, gene in edited.iter_genes():
            if not isinstance(gene, StringGene) or gene.value in known or gene.value in self._texts:
                continue
            if 0 < len(gene.value) <= MAX_LENGTH:
                self._texts.append(gene.value)

    def applied(self, gene: Gene, rng: Random) -> Gene | None:
        """Returns the gene with one of the texts; None if it is not a string."""
        return gene.with_value(rng.choice(self._texts)) if isinstance(gene, StringGene) and self._texts else None


class NoDictionary(Dictionary):
    """Learns nothing, so it stays empty."""

    def learn(self, before: TestCase, edited: TestCase) -> None:
        return


class DictionaryTexts:
    """Gives an input of new calls a text of the dictionary, more often in operations that have not succeeded yet."""

    def __init__(self, dictionary: Dictionary, has_succeeded: Callable[[Operation], bool], rng: Random) -> None:
        self._dictionary = dictionary
        self._has_succeeded = has_succeeded
        self._rng = rng

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: one text of the call is replaced by one of the dictionary."""
        if not self._dictionary or self._rng.random() >= self._probability(call.operation):
            return call
        texts = [named for named in iter_named_genes(call, 0) if isinstance(named.gene, StringGene)]
        if not texts:
            return call
        chosen = self._rng.choice(texts)
        taken = self._dictionary.applied(chosen.gene, self._rng)
        return call if taken is None else TestCase((call,)).with_gene(chosen.address, taken).calls[0]

    def _probability(self, operation: Operation) -> float:
        return SAMPLING_PROBABILITY if self._has_succeeded(operation) else WAITING_PROBABILITY
