"""How the tests of a suite start the SUT: each afresh, or sharing a start."""

from __future__ import annotations

import msgspec

from wimble.model.testcase import TestCase
from wimble.types import OperationId


class StartPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """Each test that may change something has a start of its own, unless it is order-independent or all have to
    share.
    """

    independent: frozenset[OperationId] = frozenset()
    """Operations that were found to answer the same whatever test cases ran before (stability/state_dependence.py)."""
    evidence: str = ""
    """What showed that other operations depend on state; empty if nothing did, or if it was not examined."""
    shares_start: bool = False
    """Whether the tests of a generated file share one start though they depend on state (stability/start_costs.py)."""

    def depends_on_state(self, test_case: TestCase) -> bool:
        """Whether the responses may depend on the test cases before, as far as is known."""
        return not all(call.operation.id in self.independent for call in test_case.calls)

    def without_independence(self, evidence: str = "") -> StartPolicy:
        """No operation counts as independent any more. evidence: what showed that, where nothing did before."""
        if not self.independent:
            return self
        return msgspec.structs.replace(self, independent=frozenset(), evidence=self.evidence or evidence)
