"""Finds out whether the SUT serves what the search has seen as soon as it listens; where it does not, tests wait for what comes last.

An API that listens before its database answers, or that adds routes behind something slow, answers the first calls of a test otherwise than
later ones: by chance while tests are verified, and most likely in the suite, which starts the API without an agent.
"""

from __future__ import annotations

from collections.abc import Iterator

from wimble.engine.context import RunContext
from wimble.execute.hasty import Expected
from wimble.model.request import build_request
from wimble.model.testcase import TestCase
from wimble.types import TargetId

SERVED = range(200, 400)


def find_late_routes(context: RunContext) -> None:
    """What comes last is one of the SUT's `ready_paths` then. The SUT is stopped."""
    if context.settings.is_blind or not context.sut.is_port_fixed:
        return
    asked = list(_asked(context))
    if asked:
        context.sut.find_late_path(asked, lambda: context.stop.is_requested)


def _asked(context: RunContext) -> Iterator[Expected]:
    """For each operation that changes nothing the first call of a test case that was served, where nobody had to log in for it."""
    archive = context.strategy.archive
    for number, target in enumerate(context.table):
        operation, _, status = target.detail.rpartition(" ")
        if target.kind != "status" or not status.isdigit() or int(status) not in SERVED:
            continue
        test_case = archive.solution(TargetId(number))
        if test_case is not None and _is_alone(test_case, operation):
            yield Expected(build_request(test_case.calls[0]), int(status))


def _is_alone(test_case: TestCase, operation: str) -> bool:
    call = test_case.calls[0]
    is_read = call.operation.id == operation and call.operation.method == "GET"
    return is_read and not call.user and not test_case.setup
