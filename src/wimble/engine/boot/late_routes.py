"""Finds routes that are served only some time after the SUT listens; tests wait for the last one of them.

An API that listens before its database answers, or that adds routes after something slow, answers the first calls of a
test differently from later ones: by chance in verification, and most likely in the suite, which starts it without an agent.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.session.coordinator import Coordinator
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.sut import Sut
from wimble.http.request_building import build_request
from wimble.model.testcase import TestCase
from wimble.types import TargetId

SERVED = range(200, 400)


def find_late_routes(coordinator: Coordinator, sut: Sut) -> None:
    """Makes the path that is served last one of the SUT's `ready_paths`. The SUT is stopped."""
    if coordinator.settings.is_black_box or not sut.is_port_fixed:
        return
    asked = list(_asked(coordinator))
    if asked:
        sut.find_late_path(asked, lambda: coordinator.stop.is_requested)


def _asked(coordinator: Coordinator) -> Iterator[Expected]:
    """For each operation that changes nothing the first call of a test case that was served without a login."""
    archive = coordinator.strategy.archive
    for number, target in enumerate(coordinator.table):
        status = target.outcome
        if target.kind != "status" or not status.isdigit() or int(status) not in SERVED:
            continue
        test_case = archive.solution(TargetId(number))
        if test_case is not None and _is_alone(test_case, target.operation):
            yield Expected(build_request(test_case.calls[0]), int(status))


def _is_alone(test_case: TestCase, operation: str) -> bool:
    call = test_case.calls[0]
    is_read = call.operation.id == operation and call.operation.effect == "read"
    return is_read and not call.user and not test_case.setup
