"""Adaptive operator selection: which generator proposes the next test case [AOS].

The generators stand in a table, and are asked in its order. Each row has an admission: whether the generator may have
this turn. Some always may, some with a fixed probability, and some in proportion to what they have earned lately
compared with new test cases (`search/credit.py`). The first generator that is ready, admitted and has a test case is
taken.

It is a table in a fixed order, not one draw among all, because most generators have a proposal only now and then, and
trying it at once is cheap (decision 21).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from pathlib import PurePath
from random import Random
from traceback import extract_tb
from typing import Final, NamedTuple, TypeAlias

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.search.credit import Credit
from wimble.search.generators.generator import EVERYTHING, Generator, Outcome, Proposal

KEPT_PROBABILITY: Final = 0.04
"""Probability of a turn ahead of others, for each generator that looks for faults in code that is covered already, once
all operations have succeeded; before, in proportion to those that have. Such faults have no target, so what covers more
could keep these generators waiting until the budget is used up.
"""
LEAST_KEPT_SHARE: Final = 0.2
"""Share of these turns while no operation has succeeded: there may be none that can."""

Admission: TypeAlias = Callable[[Generator, float], bool]
"""Whether a generator may have this turn, given the used share of the budget. It is asked only while the generator is
ready.
"""


def always(generator: Generator, progress: float) -> bool:
    """Admits generators that have a proposal only now and then, or that limit themselves."""
    return True


def with_probability(probability: float, rng: Random) -> Admission:
    """Admits a generator in a fixed share of the turns."""
    return lambda generator, progress: rng.random() < probability


def in_part(probability: float, share: Callable[[], float], rng: Random) -> Admission:
    """Admits a generator like `with_probability`, in the share of these turns that `share` returns, or
    LEAST_KEPT_SHARE of them.
    """
    return lambda generator, progress: rng.random() < probability * max(LEAST_KEPT_SHARE, share())


def while_true(condition: Callable[[], bool], admission: Admission) -> Admission:
    """Admits a generator like another admission, but never while the condition does not hold."""
    return lambda generator, progress: condition() and admission(generator, progress)


def by_credit_against(other: Credit, rng: Random) -> Admission:
    """Admits a generator in proportion to what it has earned lately compared with what `other` has."""
    return lambda generator, progress: rng.random() < generator.credit.probability_against(other)


class Row(NamedTuple):
    """A generator, and when it may have a turn."""

    generator: Generator
    admission: Admission = always


class OperatorSelection:
    """The table of generators. One may stand in several rows, with other admissions."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = tuple(rows)
        generators = dict.fromkeys(row.generator for row in rows)
        learning = [one for one in generators if type(one).observe is not Generator.observe]
        self._learning = tuple([(one, _needed_by(one)) for one in learning if one.learns_from])
        """Generators that evaluations change, and what they need of an evaluation; None if they need nothing."""
        self._learning_from_own = frozenset(one for one in learning if not one.learns_from)
        self._preparing = tuple([one for one in generators if type(one).prepare is not Generator.prepare])
        self._failures: list[str] = []

    def prepare(self) -> None:
        """Has the generators make ahead what their next proposals need."""
        for generator in self._preparing:
            with self._left_out_if_it_fails(generator):
                generator.prepare()

    def propose(self, progress: float) -> Proposal | None:
        """Returns the proposal of the first generator that is ready, admitted, and has one; None if none has."""
        for generator, admission in self._rows:
            try:
                if generator.is_ready() and (admission is always or admission(generator, progress)):
                    proposal = generator.propose(progress)
                    if proposal is not None:
                        return proposal
            except Exception as error:  # a bug of wimble
                self._leave_out(generator, error)
        return None

    def join(self, operations: Sequence[Operation]) -> None:
        """Has the generators take in operations that have become known during the search."""
        for generator in dict.fromkeys(row.generator for row in self._rows):
            with self._left_out_if_it_fails(generator):
                generator.join(operations)

    def observe(self, outcome: Outcome) -> None:
        """Passes an evaluation to the generators that learn from it."""
        evaluation, own = outcome.evaluation, outcome.proposal.generator
        for generator, needed in self._learning:
            if needed is None or needed(evaluation) or generator is own:
                try:
                    generator.observe(outcome)
                except Exception as error:  # a bug of wimble
                    self._leave_out(generator, error)
        if own in self._learning_from_own:
            with self._left_out_if_it_fails(own):
                own.observe(outcome)

    # ---- failures ---------------------------------------------------------------------------------------------------

    def take_failures(self) -> list[str]:
        """Returns what has failed since the last call of this method, one sentence each."""
        if not self._failures:
            return []
        taken, self._failures = self._failures, []
        return taken

    @contextmanager
    def _left_out_if_it_fails(self, generator: Generator) -> Iterator[None]:
        """Leaves out a generator that fails within. The loops over all generators do without it, for speed."""
        try:
            yield
        except Exception as error:  # a bug of wimble
            self._leave_out(generator, error)

    def _leave_out(self, generator: Generator, error: Exception) -> None:
        """Removes a generator that has failed, so that the others go on."""
        self._rows = tuple([row for row in self._rows if row.generator is not generator])
        self._learning = tuple([one for one in self._learning if one[0] is not generator])
        self._learning_from_own -= {generator}
        self._preparing = tuple([one for one in self._preparing if one is not generator])
        frame = extract_tb(error.__traceback__)[-1]
        place = f"{PurePath(frame.filename).name}:{frame.lineno}"
        self._failures.append(
            f"a bug of wimble, please report it: {type(error).__name__}: {error} at {place}; "
            f"the search goes on without {type(generator).__name__}"
        )


def _needed_by(generator: Generator) -> Callable[[Evaluation], object] | None:
    """Returns what reads the field from which a generator learns; None if it learns from all evaluations."""
    return None if generator.learns_from == EVERYTHING else attrgetter(generator.learns_from)
