"""How the tests of a suite start the SUT: each test afresh, or several tests with a shared start."""

from __future__ import annotations

import msgspec

from wimble.model.testcase import TestCase
from wimble.types import OperationId


class StartPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Decides which tests get a start of their own.

    Each test that may change something does, unless it is order-independent or all tests share starts.
    """

    independent: frozenset[OperationId] = frozenset()
    """Operations that were found to answer the same whatever ran before (stability/state_dependence.py)."""
    evidence: str = ""
    """What showed that other operations depend on state; empty if nothing did, or if it was not examined."""
    shares_start: bool = False
    """Whether the tests of a generated file share one start although they depend on state
    (stability/start_costs.py).
    """
    has_one_file: bool = False
    """Whether all tests of the suite share one start, in one file: starts are so slow that one for each file is too
    much. Only with `shares_start`.
    """
    starts_each: bool = False
    """Whether the suite starts the SUT for each test that changes something, also for order-independent ones: it puts
    files back while the SUT is stopped.
    """

    def depends_on_state(self, test_case: TestCase) -> bool:
        """Whether the responses may depend on earlier test cases, as far as is known."""
        return not all(call.operation.id in self.independent for call in test_case.calls)

    def without_independence(self, evidence: str = "") -> StartPolicy:
        """Returns a policy in which no operation counts as independent.

        evidence: what showed the dependence; evidence that the policy has already is kept.
        """
        if not self.independent:
            return self
        return msgspec.structs.replace(self, independent=frozenset(), evidence=self.evidence or evidence)
