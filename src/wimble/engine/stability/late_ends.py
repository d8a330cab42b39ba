"""Recognises tests after which the SUT may end: work that a call has left behind fails once the call was answered.

How soon depends on the machine. The end may fall into the run of the test, or into that of the next one on the same
start, which then fails. So such a test has a start of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from wimble.engine.faults.fault_book import Fault
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.oracles.failures.crashes import DIED


def may_end_later(faults: Iterable[Fault], evaluation: Evaluation) -> bool:
    """Whether a call was answered as a call of its operation was that has ended the SUT afterwards.

    faults: all that the run has seen.
    """
    ends = {answered for fault in faults if fault.key[0] == DIED for answered in _answered_before_end(fault)}
    return bool(ends) and any(_answer(evaluation, one) in ends for one in evaluation.observations)


def _answered_before_end(fault: Fault) -> Iterable[tuple[str, str]]:
    for witness in fault.witnesses:
        for observation in witness.evaluation.observations[witness.finding.call_index :][:1]:
            if observation.is_answered:
                yield _answer(witness.evaluation, observation)


def _answer(evaluation: Evaluation, observation: Observation) -> tuple[str, str]:
    return evaluation.test_case.calls[observation.call_index].operation.id, observation.outcome_key
