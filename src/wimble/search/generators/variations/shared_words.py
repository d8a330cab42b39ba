"""Calls of libraries in which two arguments share a word.

What one argument holds is often the name of something in another one: an option lists the arguments of a command line
(`parse(['--name', 'x'], { array: ['name'] })`), a path leads through an object, an expression names variables, a key
was set by a call before. Two values that are made by themselves hardly ever agree in a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

from wimble.library.function_binding import STEPS, FunctionBinding
from wimble.library.made_objects import USED, is_used
from wimble.model.operation import Operation
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
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
MAX_LENGTH: Final = 40
"""A longer text is no name."""
_WORD: Final = re.compile(r"[A-Za-z_$][\w$]*(?:-\w+)*")

Path: TypeAlias = tuple[int | str, ...]


class _Spot(NamedTuple):
    """A scalar, an empty list or object, or a name of a member, in the values of a call."""

    argument: Path
    """Which argument it is in: words of one argument agree with each other anyway."""
    path: Path
    value: Json
    is_key: bool = False
    """Whether it is the name of a member; `path` leads to its object."""


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
            changed = with_shared_word(parent, self._rng)
            if changed is not None and self._rng.random() < AGAIN:
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
    spots = list(_iter_spots(call, values))
    sources = [(spot, word) for spot in spots for word in _words_in(spot)]
    if not sources:
        return None
    for _ in range(ATTEMPTS):
        source, word = rng.choice(sources)
        targets = [spot for spot in spots if spot.argument != source.argument and spot.value != word]
        if not targets:
            continue
        target = rng.choice(targets)
        index = target.path[0]
        assert isinstance(index, int)
        gene = call.genes[index].with_value(_changed(values[index], target, word, rng))
        if gene is not None:
            return test_case.with_gene(GeneAddress(last, index), gene)
    return None


def _n_given(call: Call) -> int:
    return sum(gene.phenotype() is not ABSENT for gene in call.genes)


def _iter_spots(call: Call, values: Sequence[Json]) -> Iterator[_Spot]:
    for index, (declared, value) in enumerate(zip(call.operation.inputs, values, strict=True)):
        if value is ABSENT:
            continue
        if declared.name == STEPS and isinstance(value, list):
            yield from _iter_calls((index,), value)
        else:
            yield from _iter_within((index,), (index,), value)


def _iter_calls(path: Path, calls: Sequence[Json]) -> Iterator[_Spot]:
    """Yields what the arguments of calls on one object hold: others name what these have put into it."""
    for number, call in enumerate(calls):
        # The first element of each is the name of a method.
        for place, held in enumerate(call[1:] if isinstance(call, list) else (), start=1):
            yield from _iter_within((*path, number, place), (*path, number, place), held)


def _iter_within(argument: Path, path: Path, value: Json) -> Iterator[_Spot]:
    if isinstance(value, list):
        if not value:
            yield _Spot(argument, path, value)
        for index, item in enumerate(value):
            yield from _iter_within(argument, (*path, index), item)
    elif isinstance(value, dict):
        if is_used(value):
            yield from _iter_calls((*path, USED, 1), value[USED][1])
            return
        if any(key.startswith("$") for key in value):
            return  # another notation
        if not value:
            yield _Spot(argument, path, value)
        for key, member in value.items():
            yield _Spot(argument, path, key, is_key=True)
            yield from _iter_within(argument, (*path, key), member)
    elif value is not ABSENT and value is not None:
        yield _Spot(argument, path, value)


def _words_in(spot: _Spot) -> Iterator[Json]:
    """Yields what another argument may name."""
    value = spot.value
    if isinstance(value, str):
        words = [one for one in _WORD.findall(value) if len(one) <= MAX_LENGTH]
        yield from dict.fromkeys([*words, value] if value and len(value) <= MAX_LENGTH else words)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def _changed(whole: Json, target: _Spot, word: Json, rng: Random) -> Json:
    """Returns the value of an input with the word in the place of a spot."""
    return _put(whole, target.path[1:], target, word, rng)


def _put(value: Json, path: Path, target: _Spot, word: Json, rng: Random) -> Json:
    if not path:
        return _replaced(value, target, word, rng)
    step, *rest = path
    if isinstance(value, list):
        return [_put(item, tuple(rest), target, word, rng) if at == step else item for at, item in enumerate(value)]
    assert isinstance(value, dict)
    return {key: _put(item, tuple(rest), target, word, rng) if key == step else item for key, item in value.items()}


def _replaced(value: Json, target: _Spot, word: Json, rng: Random) -> Json:
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
