"""Promises that nobody awaits.

* Such a promise shows twice: its value is missing in an answer, and its rejection ends the process or is unhandled. The
  missing `await` is the cause of both.
* What is answered with such a promise breaks the schema, too, if the document has one for it.
* A promise that is tested for truth, or compared, lets pass what fails next (unawaited_values.py), and may reject.
"""

from __future__ import annotations

from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend.groups import Parts, firsts, place_of
from wimble.engine.faults.same_mend.unawaited_calls import started_at
from wimble.engine.faults.same_mend.unawaited_values import crash_of_promise
from wimble.model.observation import Cause, Mistake
from wimble.model.result import ReportedFinding
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.oracles.failures.missing_await import NAME as MISSING_AWAIT
from wimble.oracles.mistakes import EXPLAINED

_AWAIT: Final = "`await` is missing"


def of_missing_awaits(faults: ExplainedFaults) -> Parts:
    crashes = firsts(faults, lambda one: one.finding.operation if one.finding.oracle in (DIED, UNHANDLED) else None)
    parts: Parts = {}
    for reported in faults:
        crash = crashes.get(reported.finding.operation)
        mistake = _missing_await(reported)
        if crash is not None and mistake is not None:
            parts[reported.id,] = (crash.id,)
            place = Cause(file=mistake.file, line=mistake.line)
            faults.explain(crash.id, mistake.text, place, at=f" at {mistake.file}:{mistake.line}")
    return parts


def of_answered_promises(faults: ExplainedFaults) -> Parts:
    """Returns, for each finding of an answer that a promise in it explains, the key of the finding of that promise."""
    promises = {(one.finding.operation, place_of(one)): one.id for one in faults if one.finding.oracle == MISSING_AWAIT}
    return {
        (one.id,): (promises[answered],)
        for one in faults
        if _missing_await(one) is not None
        for mistake in _mistakes(one)
        if (answered := (one.finding.operation, (mistake.file, mistake.line))) in promises
    }


def of_rejected_promises(faults: ExplainedFaults) -> Parts:
    """Returns, for each promise that is tested and rejects, the key of the crash. The crash is told its cause."""
    crashes = [one for one in faults if one.finding.oracle in (DIED, UNHANDLED)]
    parts: Parts = {}
    for missing in faults:
        if missing.finding.oracle != MISSING_AWAIT:
            continue
        of_operation = [one for one in crashes if one.finding.operation == missing.finding.operation]
        crash = crash_of_promise(missing, of_operation) or started_at(missing.finding.cause, of_operation)
        if crash is not None:
            parts[missing.id,] = (crash.id,)
            faults.explain(crash.id, missing.finding.observed.partition(" at ")[0], missing.finding.cause)
    return parts


def _missing_await(reported: ReportedFinding) -> Mistake | None:
    finding = reported.finding
    if finding.oracle not in EXPLAINED:
        return None
    return next((one for one in _mistakes(reported) if _AWAIT in one.text and one.text in finding.title), None)


def _mistakes(reported: ReportedFinding) -> tuple[Mistake, ...]:
    """Returns those of the finding's call."""
    index = reported.finding.call_index
    cause = reported.observations[index].cause if index < len(reported.observations) else None
    return cause.mistakes if cause is not None else ()
