"""The interface of a generator: one way of proposing a test case.

A generator proposes a test case when it has one, observes evaluations (also those of other generators' proposals),
and keeps the credit that its own proposals have earned. `generator_table.py` lists all generators in the order in which
they are asked; `operator_selection.py` chooses among them.

To add a generator (such as a solver for targets on which the search makes no progress, or an oracle that needs
follow-up calls):

1. Write a class in a file of its own in a room of this folder. `observe` collects what it can work on, such as targets
   whose conditions were traced, or answers that are worth a second call. `is_ready` says whether it has something.
2. `propose` returns a proposal, or None if there is none after all; then the next row is asked. Work that takes long
   belongs in `propose`, since it is called only when it is the generator's turn.
3. Add a row to `generator_table.py`: its place in the order, and its admission (always, with a probability, or in
   proportion to what its proposals have earned compared with new test cases).

A generator does no I/O, reads no clock, and uses no randomness but the random generator passed to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.credit import Credit
from wimble.search.mutation.mutator import MutationKind
from wimble.types import TargetId

EVERYTHING: Final = "test_case"
"""Value of `Generator.learns_from` for all evaluations: none has an empty test case."""
OWN_PROPOSALS: Final = ""
"""Value of `Generator.learns_from` for the evaluations of a generator's own proposals alone."""


class Proposal(msgspec.Struct):
    """A test case to run, and why it was proposed. Generators subclass it to keep what they need in `observe`."""

    test_case: TestCase
    generator: Generator | None = None
    """The generator that made it; None for a test case from elsewhere."""
    target: TargetId | None = None
    """The target that it was made for."""
    edit: str = ""
    """Why an edit was made; empty if there was none."""
    edited_from: TestCase | None = None
    mutation: MutationKind | None = None
    is_sampled: bool = False
    """Whether it was made without a parent test case."""
    wants_all: bool = False
    """Whether the SUT should report covered targets, too, and hints about them."""


class Outcome(msgspec.Struct):
    """A proposal with its evaluation."""

    proposal: Proposal
    evaluation: Evaluation
    """As the search uses it: without what the techniques that are switched off would have added."""
    improvement: Improvement


class Generator:
    """One way of proposing a test case; subclasses override what they need."""

    learns_from: ClassVar[str] = EVERYTHING
    """Name of the field of Evaluation from which `observe` learns.

    Evaluations in which the field is empty, which are most, are not passed to `observe`, except those of the
    generator's own proposals. That saves a call per generator and evaluation.
    """

    def __init__(self) -> None:
        self.credit = Credit()
        """What its proposals have earned, if the selection depends on that."""

    def join(self, operations: Sequence[Operation]) -> None:
        """Takes in operations that have become known during the search."""

    def prepare(self) -> None:
        """Makes ahead what the next proposal needs, if that takes long and does not depend on the latest evaluation.

        It is called once in each evaluation, while there is nothing to do but to wait for the SUT.
        """

    def is_ready(self) -> bool:
        """Whether it may have a proposal. It is asked before the row's admission, so it has to be fast."""
        return True

    def propose(self, progress: float) -> Proposal | None:
        """Returns the next test case, or None if there is none after all.

        progress: used share of the budget, 0.0 to 1.0.
        """
        raise NotImplementedError

    def observe(self, outcome: Outcome) -> None:
        """Learns from an evaluation, whichever generator proposed its test case; `learns_from` limits which."""
