"""Findings that only tests of a library show, and whether a fresh process shows them, too.

Tests of one file share a process. One of them may change settings of the library, as `use({ renderer })` does, so that
others fail behind it: such a failure is no fault of the calls that fail.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation, Finding

MAX_TRIES: Final = 2
"""Fresh processes for one fault, each with another test that shows it."""


def shown_alone(worker: Worker, unseen: Iterable[tuple[Evaluation, Finding]]) -> list[tuple[Evaluation, Finding]]:
    """Returns those whose fault shows again by a test case alone, in a fresh process."""
    tries: dict[tuple[str, ...], int] = {}
    shown: set[tuple[str, ...]] = set()
    found = list(unseen)
    for evaluation, finding in found:
        if finding.key in shown or tries.get(finding.key, 0) >= MAX_TRIES:
            continue
        tries[finding.key] = tries.get(finding.key, 0) + 1
        if _shows_alone(worker, evaluation, finding):
            shown.add(finding.key)
    return [(evaluation, finding) for evaluation, finding in found if finding.key in shown]


def _shows_alone(worker: Worker, evaluation: Evaluation, finding: Finding) -> bool:
    try:
        worker.restart()
    except TargetError:
        return False
    again = worker.evaluate(evaluation.test_case, full=True)
    return any(one.key == finding.key for one in again.findings)
