"""A test case that may become a test: what it has to show, and how the SUT has to be started for it."""

from __future__ import annotations

from typing import Final

import msgspec

from wimble.engine.faults.fault_book import Witness
from wimble.engine.faults.provenance_log import Provenance
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.types import TargetId

LINGER_S: Final = 0.15
"""How long to wait after the answers for errors that a call causes late: timers of a few ms are common."""
LATE_ORACLES: Final = frozenset([DIED, UNHANDLED])


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A test case with what it has to keep showing while it is minimised and run again.

    Each stage replaces the candidates that it gets, by `msgspec.structs.replace`.
    """

    test_case: TestCase
    fault_key: tuple[str, ...] | None
    """The fault that the candidate shows; None if it is chosen for its targets."""
    targets: frozenset[TargetId]
    """Code and status targets that only this one of the chosen candidates covers."""
    original: TestCase
    core: TestCase | None = None
    """The calls that showed the fault, or covered the targets, during the search, and the calls whose responses these
    use; None if these are all calls.
    """
    witnesses: tuple[Witness, ...] = ()
    """For a fault: the evaluations that showed it, shortest first."""
    provenance: Provenance | None = None
    """For coverage: what had been made in the SUT before the test case ran."""
    covers: frozenset[TargetId] | None = None
    """Which targets of all candidates it covers on a fresh SUT; None if that was not measured."""
    needs_start: bool = False
    """For coverage: whether it covers code that runs only once after each start, though the SUT keeps no other
    state.
    """
    is_polluter: bool = False
    """Whether other tests fail if they run after it on the same start, so that it must not share a start
    (stability/polluters.py).
    """
    is_steady: bool = False
    """For a fault: whether its test case showed it whatever ran before. That it shows on a fresh SUT is then left to
    verification.
    """
    was_shown_twice: bool = False
    """For a fault: whether its test case showed it on two starts behind the same others. That it shows alone is likely
    then, and found out with its smallest test case first.
    """
    was_missed: bool = False
    """For a fault: whether its test case did not show it in one of these runs, so that it may need what ran before."""
    needs_all_calls: bool = False
    """For a fault: whether it was found out that none of its test case's calls can be left out."""
    has_hung: bool = False
    """Whether a call of it was not answered when it was examined (stability/state_dependence.py). Until then, for
    coverage: whether a call of one of its operations was not.
    """
    is_slow: bool = False
    """Whether it took many times as long as others when it was examined, as what sleeps by the SUT's own clock does."""
    is_order_independent: bool = False
    """Whether its answers were found to be independent of what ran before (stability/state_dependence.py). A fault that
    is so is steady.
    """

    @property
    def shapes(self) -> list[TestCase]:
        """The test cases that it may be minimised from, shortest first."""
        wholes = [witness.evaluation.test_case for witness in self.witnesses] or [self.original]
        return [self.core, *wholes] if self.core is not None and self.witnesses else wholes

    @property
    def ends_its_start(self) -> bool:
        """Whether the SUT probably has to be started again after it, as after a call without an answer."""
        seen = self.witnesses[0].evaluation if self.witnesses else None
        has_ended = seen is not None and (seen.is_sut_lost or not all(one.is_answered for one in seen.observations))
        return self.has_hung or has_ended

    @property
    def linger_s(self) -> float:
        """How long to wait after the last response for errors that occur late."""
        return LINGER_S if self.fault_key is not None and self.fault_key[0] in LATE_ORACLES else 0.0

    def is_shown_by(self, evaluation: Evaluation) -> bool:
        """Whether a (full) evaluation still shows the candidate's fault or all its targets."""
        if self.fault_key is not None:
            return any(finding.key == self.fault_key for finding in evaluation.findings)
        return self.shown_of(evaluation) == self.targets

    def shown_of(self, evaluation: Evaluation) -> frozenset[TargetId]:
        """Returns the candidate's targets that an evaluation covered."""
        reached = evaluation.reached
        return frozenset(target for target in self.targets if target in reached and reached[target].h >= 1.0)
