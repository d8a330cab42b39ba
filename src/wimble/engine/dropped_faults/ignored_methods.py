"""Drops stale answers behind calls whose method the program ignores.

On a route for any method (`app.all`, a mounted function, a plain server) a function may answer DELETE as it answers
GET. What removes or changes nothing leaves nothing stale. Such a call runs no code that the read before it has not run:
neither a function nor a branch that looks at the method.
"""

from __future__ import annotations

from wimble.engine.dropped_faults.told_drop import drop_and_tell
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.targets import OWN_KINDS
from wimble.model.testcase import TestCase
from wimble.oracles.databases.stale_answer import NAME


def drop_answers_to_ignored_methods(coordinator: Coordinator, worker: Worker) -> None:
    """Removes these findings, and tells the user; called after the search. Each one runs once more."""
    stale = [fault for fault in coordinator.faults if fault.finding.oracle == NAME]
    if not stale or not coordinator.settings.command:
        return
    dropped = []
    try:
        for fault in stale:
            worker.make_fresh(entirely=True)
            again = worker.evaluate(fault.witnesses[0].evaluation.test_case, full=True)
            if _is_method_ignored(coordinator, again, fault.finding):
                dropped.append(fault)
    except TargetError as error:
        coordinator.notices.warn(f"looking at stale answers again ended early: {error.what}")
    drop_and_tell(
        coordinator,
        dropped,
        "stale answers are none, and not reported: the program ignores the method of the other call",
    )


def _is_method_ignored(coordinator: Coordinator, evaluation: Evaluation, finding: Finding) -> bool:
    """Whether the call that should have removed or changed something runs the code of calls before it only."""
    act = _act_before(evaluation.test_case, finding.call_index)
    if act is None or len(evaluation.observations) <= act or evaluation.observations[act].outcome != "ok":
        return False
    table = coordinator.table
    reached_by = [
        evaluation.reached[target].call for target in evaluation.covered() if table[target].kind not in OWN_KINDS
    ]
    return any(call < act for call in reached_by) and act not in reached_by


def _act_before(test_case: TestCase, read: int) -> int | None:
    """Returns the last call before the read that is not safe; None if its operation was called before, too."""
    operations = [call.operation for call in test_case.calls[:read]]
    act = next((at for at in reversed(range(len(operations))) if not operations[at].is_safe), None)
    return None if act is None or operations[act] in operations[:act] else act
