"""What a generator is: one way of proposing a test case.

A generator proposes a test case when it has one, is told of every evaluation (also of those that others have
proposed), and keeps the credit that its own proposals have earned. `generator_table.py` lists all of them in the
order in which they are asked; `operator_selection.py` chooses among them.

To add one (a solver for targets that the search is stuck at, an oracle that wants follow-up calls):

1. A class in a file of its own here. `observe` collects what it can work on, such as targets whose conditions were
   traced, or answers that look worth a second call. `is_ready` says whether it has something.
2. `propose` returns a proposal, or None where the work has come to nothing: then the next row is asked. Work that takes
   long belongs into `propose`, since it is only done when it is the generator's turn.
3. A row in `generator_table.py`: its place in the order, and its admission (always, with a probability, or in
   proportion to what its proposals have earned compared with new test cases).

A generator does no I/O, reads no clock, and uses no randomness but the generator of random numbers handed to it.
"""

from __future__ import annotations

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.credit import Credit
from wimble.search.mutation.mutator import MutationKind
from wimble.types import TargetId


class Proposal(msgspec.Struct):
    """A test case to run, and why it was proposed. Generators subclass it to keep what they need in `observe`."""

    test_case: TestCase
    generator: Generator | None = None
    """Whose proposal it is; None for a test case from elsewhere."""
    target: TargetId | None = None
    """The target that it was made for."""
    edit: str = ""
    """Why an edit was made; empty where none was."""
    edited_from: TestCase | None = None
    mutation: MutationKind | None = None
    is_sampled: bool = False
    """Made from nothing, not out of another test case."""


class Outcome(msgspec.Struct):
    """What came of a proposal."""

    proposal: Proposal
    evaluation: Evaluation
    """As the search sees it: without what techniques that are switched off would have told."""
    improvement: Improvement


class Generator:
    """One way of proposing a test case; subclasses replace what they need."""

    def __init__(self) -> None:
        self.credit = Credit()
        """What its proposals have earned, where the selection goes by that."""

    def is_ready(self) -> bool:
        """Whether it may have something to propose; asked before the row's admission, so it has to be cheap."""
        return True

    def propose(self, progress: float) -> Proposal | None:
        """The next test case, or None where there is none after all. progress: used share of the budget, 0.0 to 1.0."""
        raise NotImplementedError

    def observe(self, outcome: Outcome) -> None:
        """Takes in an evaluation, whoever has proposed its test case."""
