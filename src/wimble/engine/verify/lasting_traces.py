"""Lets tests leave what they leave in a database that nobody puts back, so that their next runs see it.

Such a database keeps what each test has created for all that run after it, also in the next run of the suite. Two runs
of a test agree nevertheless if nothing was created between them, and it would fail later: a list has more elements.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.stability.repeated_runs import Run
from wimble.engine.stability.verification import Verification


def leave_traces(verification: Verification, firsts: Sequence[Run], limit: PhaseLimit) -> None:
    """Runs tests that change something once more, if the project uses a driver that the agent does not watch.

    firsts: first runs of the tests; those whose SUT was lost are left out.
    """
    coordinator, worker = verification.coordinator, verification.worker
    settings = coordinator.settings
    if not settings.command or not coordinator.runtime.projects.unwatched_drivers(settings.working_dir):
        return
    for first in firsts:
        if limit.is_reached:
            return
        if not first.test_case.is_safe and not first.evaluation.is_sut_lost and not first.evaluation.has_hung:
            worker.start_if_lost()
            worker.evaluate(first.test_case)
