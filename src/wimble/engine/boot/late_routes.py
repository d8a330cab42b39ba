"""Finds what is served last after a start, so that tests wait for it.

An API may listen before its database answers, or add routes and handlers after a slow step. It then answers the first
calls of a test differently from later calls. That happens by chance in verification, and most likely in the suite,
which starts the API without an agent.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Final

from wimble.engine.session.coordinator import Coordinator
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.sut import Sut
from wimble.genes import SignedTokenGene, contains_gene
from wimble.http.request_building import build_request
from wimble.model.testcase import Call, TestCase
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.types import TargetId

SHARE: Final = 0.06
"""Share of the time that what follows a search may take, for waiting."""
LEAST_S: Final = 2.5


def find_late_routes(coordinator: Coordinator, sut: Sut) -> None:
    """Adds what is served last to the SUT's `ready_paths` and `ready_answers`. Stops the SUT.

    Does nothing if the SUT has called services: without the agent nothing answers in their place, so that real ones
    would be reached, and what they say elsewhere would be waited for in vain.
    """
    if coordinator.settings.is_black_box or not sut.api.is_port_fixed or coordinator.services.has_any:
        return
    asked = list(_asked(coordinator))
    if asked:
        sut.find_late(asked, _Patience(coordinator))


class _Patience:
    """Tells when to stop waiting for answers: some never come again as they came in the search, after which half of the
    time for the tests would be gone. It runs out from the first question on, which the SUT has to be started for.
    """

    def __init__(self, coordinator: Coordinator) -> None:
        budget = coordinator.budget
        self._stop = coordinator.stop
        self._length_s = math.inf if budget.is_repeatable else max(LEAST_S, SHARE * budget.allowance_s)
        self._ends_s: float | None = None

    def __call__(self) -> bool:
        if self._ends_s is None:
            self._ends_s = time.monotonic() + self._length_s
        return self._stop.is_requested or time.monotonic() >= self._ends_s


def _asked(coordinator: Coordinator) -> Iterator[Expected]:
    """Yields, for each operation that changes nothing and each status, a first call that was answered with it.

    It is a call without a login, of a test case without setup. Operations that may end the SUT are left out.
    """
    archive = coordinator.strategy.archive
    fatal = {fault.finding.operation for fault in coordinator.faults if fault.finding.oracle in (DIED, UNHANDLED)}
    for number, target in enumerate(coordinator.table):
        status = target.outcome
        if target.kind != "status" or not status.isdigit() or target.operation in fatal:
            continue
        test_case = archive.solution(TargetId(number))
        if test_case is not None and _is_alone(test_case, target.operation):
            yield Expected(build_request(test_case.calls[0]), int(status))


def _is_alone(test_case: TestCase, operation: str) -> bool:
    call = test_case.calls[0]
    is_read = call.operation.id == operation and call.operation.effect == "read"
    return is_read and not call.user and not test_case.setup and not _has_signed_token(call)


def _has_signed_token(call: Call) -> bool:
    """Whether the call has a token that is signed when it is sent to a SUT with the agent, which has the secret."""
    return contains_gene(SignedTokenGene, *call.genes)
