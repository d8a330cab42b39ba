"""Adaptive operator selection: which generator proposes the next test case [AOS].

The generators stand in a table, and are asked in its order. Each row has an admission: whether the generator may have
this turn. Some always may, some with a fixed probability, and some in proportion to what they have earned lately
compared with new test cases (`search/credit.py`). The first generator that is ready, admitted and has a test case is
the one.

A table in a fixed order, not one draw among all: most generators have something only now and then, and what they have
is cheap to try at once (decision 21).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from wimble.search.credit import Credit
from wimble.search.generators.generator import Generator, Outcome, Proposal

Admission: TypeAlias = Callable[[Generator, float], bool]
"""(generator, used share of the budget) -> whether it may have this turn. Asked only while the generator is ready."""


def always(generator: Generator, progress: float) -> bool:
    """For generators that have something only now and then, or hold themselves back."""
    return True


def with_probability(probability: float, rng: Random) -> Admission:
    """A fixed part of the turns."""
    return lambda generator, progress: rng.random() < probability


def by_credit_against(other: Credit, rng: Random) -> Admission:
    """In proportion to what the generator has earned lately compared with what `other` has."""
    return lambda generator, progress: rng.random() < generator.credit.probability_against(other)


class Row(NamedTuple):
    """A generator and when it may have a turn."""

    generator: Generator
    admission: Admission = always


class OperatorSelection:
    """The table of generators."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = tuple(rows)

    def propose(self, progress: float) -> Proposal | None:
        """The proposal of the first generator that is ready, admitted, and has one; None where none has."""
        for generator, admission in self._rows:
            if generator.is_ready() and admission(generator, progress):
                proposal = generator.propose(progress)
                if proposal is not None:
                    return proposal
        return None

    def observe(self, outcome: Outcome) -> None:
        """Tells all generators of an evaluation."""
        for generator, _ in self._rows:
            generator.observe(outcome)
