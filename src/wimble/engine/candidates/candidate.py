"""A test case on its way to a test: what it has to show, and how it has to be started."""

from __future__ import annotations

from typing import Final

import msgspec

from wimble.engine.faults.fault_book import Witness
from wimble.engine.faults.provenance_log import Provenance
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.oracles.crashes import DIED, UNHANDLED
from wimble.types import TargetId

LINGER_S: Final = 0.15
"""How long to wait, after the answers, for what a call left behind to go wrong: timers of a few ms are common."""
LATE_ORACLES: Final = frozenset([DIED, UNHANDLED])


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A test case with what it has to keep showing while it is made smaller and run again.

    Each stage makes other candidates of those that it gets, with `msgspec.structs.replace`.
    """

    test_case: TestCase
    fault_key: tuple[str, ...] | None
    """The fault that it is there for; None: it is there for its targets."""
    targets: frozenset[TargetId]
    """Code and status targets that it alone of the chosen ones covers."""
    original: TestCase
    core: TestCase | None = None
    """The calls that showed the fault, or covered its targets, during the search, and those whose responses these use;
    None where these are all calls."""
    witnesses: tuple[Witness, ...] = ()
    """For a fault: other ways to it, shortest first."""
    provenance: Provenance | None = None
    """For coverage: what had been made in the SUT before the test case ran."""
    covers: frozenset[TargetId] | None = None
    """Which targets of all candidates it covers on a fresh SUT; None where that was not measured."""
    needs_start: bool = False
    """For coverage of what runs once after each start, in a SUT that remembers nothing else."""
    is_polluter: bool = False
    """Whether others fail after it on the same start, so that it must not share one (stability/polluters.py)."""
    is_order_independent: bool = False
    """Whether it was found to be answered the same whatever ran before it (stability/state_dependence.py); never for a
    fault."""

    @property
    def shapes(self) -> list[TestCase]:
        """What it may look like before it is made smaller, shortest first."""
        wholes = [witness.evaluation.test_case for witness in self.witnesses] or [self.original]
        return [self.core, *wholes] if self.core is not None and self.witnesses else wholes

    @property
    def linger_s(self) -> float:
        """How long to wait after the last response for what comes late."""
        return LINGER_S if self.fault_key is not None and self.fault_key[0] in LATE_ORACLES else 0.0

    def is_shown_by(self, evaluation: Evaluation) -> bool:
        """Whether a (full) evaluation still has what the candidate is there for."""
        if self.fault_key is not None:
            return any(finding.key == self.fault_key for finding in evaluation.findings)
        return self.shown_of(evaluation) == self.targets

    def shown_of(self, evaluation: Evaluation) -> frozenset[TargetId]:
        """Those of its targets that an evaluation covered."""
        reached = evaluation.reached
        return frozenset(target for target in self.targets if target in reached and reached[target].h >= 1.0)
