"""Calls of libraries in which two arguments share a word, or are alike.

What one argument holds is often the name of something in another one: an option lists the arguments of a command line
(`parse(['--name', 'x'], { array: ['name'] })`), a path leads through an object, an expression names variables, a key
was set by a call before. Two values that are made by themselves hardly ever agree in a word, and even less as a whole,
while programs compare, merge and subtract things that are nearly equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from wimble.library.function_binding import STEPS, FunctionBinding
from wimble.model.operation import Operation
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.variations.value_spots import Spot, iter_spots, value_at, with_value_at
from wimble.search.sampling.sampler import Sampler
from wimble.types import ABSENT, Json

PROBABILITY: Final = 0.12
"""Probability of having a turn."""
MAX_KEPT: Final = 64
"""Calls that have covered something and are changed again, the newest ones."""
KEPT_SHARE: Final = 0.6
"""Probability that a proposal changes a kept call, rather than a new one."""
AGAIN: Final = 0.4
"""Probability that one more word is shared."""
ATTEMPTS: Final = 6
ALIKE_PROBABILITY: Final = 0.2
"""Probability that two arguments become equal first: programs compare, merge and subtract things of one kind."""
SAME_PROBABILITY: Final = 0.4
"""Probability that they stay equal, rather than differ in a word."""
MAX_LENGTH: Final = 40
"""A longer text is no name."""
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*(?:-\w+)*")


class SharedWords(Generator):
    """Proposes calls of functions that take several arguments, in turn."""

    def __init__(self, operations: Sequence[Operation], sampler: Sampler, rng: Random) -> None:
        super().__init__()
        self._sampler = sampler
        self._rng = rng
        self._operations: list[Operation] = []
        self._turn = 0
        self._kept: list[TestCase] = []
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        self._operations += [
            one for one in operations if isinstance(one.binding, FunctionBinding) and len(one.inputs) > 1
        ]

    def is_ready(self) -> bool:
        return bool(self._operations)

    def propose(self, progress: float) -> Proposal | None:
        is_kept = bool(self._kept) and self._rng.random() < KEPT_SHARE
        for _ in range(ATTEMPTS):
            parent = self._rng.choice(self._kept) if is_kept else self._sampled()
            is_alike = self._rng.random() < ALIKE_PROBABILITY
            changed = (with_alike_arguments if is_alike else with_shared_word)(parent, self._rng)
            again = 1 - SAME_PROBABILITY if is_alike else AGAIN
            if changed is not None and self._rng.random() < again:
                changed = with_shared_word(changed, self._rng) or changed
            if changed is not None:
                return Proposal(changed, self, is_sampled=not is_kept)
        return None

    def _sampled(self) -> TestCase:
        self._turn = (self._turn + 1) % len(self._operations)
        return self._sampler.sample_for(self._operations[self._turn])

    def observe(self, outcome: Outcome) -> None:
        test_case, is_success = outcome.evaluation.test_case, bool(outcome.improvement.newly_covered)
        if is_success and self._operations and _n_given(test_case.calls[-1]) > 1:
            self._kept = [*self._kept, test_case][-MAX_KEPT:]
        if outcome.proposal.generator is self:
            self.credit.add(is_success=is_success)


def with_shared_word(test_case: TestCase, rng: Random) -> TestCase | None:
    """Returns the test case with something of one argument of its last call in another one; None if that is not
    possible."""
    last = len(test_case.calls) - 1
    call = test_case.calls[last]
    values = [gene.phenotype() for gene in call.genes]
    spots = list(iter_spots(call, values))
    sources = [(spot, word) for spot in spots for word in _words_in(spot)]
    if not sources:
        return None
    for _ in range(ATTEMPTS):
        source, word = rng.choice(sources)
        targets = [spot for spot in spots if spot.argument != source.argument and spot.value != word]
        if not targets:
            continue
        target = rng.choice(targets)
        index, path = target.input, target.path[1:]
        replaced = _replaced(value_at(values[index], path), target, word, rng)
        gene = call.genes[index].with_value(with_value_at(values[index], path, replaced))
        if gene is not None:
            return test_case.with_gene(GeneAddress(last, index), gene)
    return None


def with_alike_arguments(test_case: TestCase, rng: Random) -> TestCase | None:
    """Returns the test case with the whole value of one argument in another one; None if that is not possible."""
    last = len(test_case.calls) - 1
    call = test_case.calls[last]
    values = [gene.phenotype() for gene in call.genes]
    arguments = [index for index, one in enumerate(call.operation.inputs) if one.name != STEPS]
    filled = [index for index in arguments if values[index] not in (ABSENT, None, "", [], {})]
    for _ in range(ATTEMPTS if filled else 0):
        source, target = rng.choice(filled), rng.choice(arguments)
        if values[source] == values[target]:
            continue
        gene = call.genes[target].with_value(values[source])
        if gene is not None:
            return test_case.with_gene(GeneAddress(last, target), gene)
    return None


def _n_given(call: Call) -> int:
    return sum(gene.phenotype() is not ABSENT for gene in call.genes)


def _words_in(spot: Spot) -> Iterator[Json]:
    """Yields what another argument may name."""
    value = spot.value
    if isinstance(value, str):
        words = [one for one in _WORD.findall(value) if len(one) <= MAX_LENGTH]
        yield from dict.fromkeys([*words, value] if value and len(value) <= MAX_LENGTH else words)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def _replaced(value: Json, target: Spot, word: Json, rng: Random) -> Json:
    if target.is_key and isinstance(value, dict):
        renamed = {str(word) if key == target.value else key: member for key, member in value.items()}
        # The member may be one of several, or take the place of another one.
        return {**value, str(word): value[str(target.value)]} if rng.random() < AGAIN else renamed
    if isinstance(value, list):
        return [word]
    if isinstance(value, dict):
        return {str(word): rng.choice((True, "a", 1))}
    found = list(_WORD.finditer(value)) if isinstance(value, str) else []
    if isinstance(value, str) and found and rng.random() < 0.5:
        match = rng.choice(found)
        return f"{value[: match.start()]}{word}{value[match.end() :]}"
    return word
