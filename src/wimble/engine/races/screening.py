"""Finds the pairs of calls that show no sign of a race, all of them with three starts of the SUT.

On one start all pairs run in turn, one after the other; on two more they run at once, in the same order. So a pair
finds the same state each time, that which the pairs before it have left. A pair that does the same at once as in turn
needs no closer look. Each other one has to be looked at on starts of its own: what it did may come from a pair before
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase
from wimble.oracles.at_once import InTurn, differs, race_of

N_AT_ONCE: Final = 2
"""Number of starts on which all pairs run at once."""


def without_sign_of_race(
    worker: Worker, cases: Sequence[tuple[TestCase, TestCase]], limit: PhaseLimit
) -> list[Evaluation]:
    """Returns what the calls in turn did in those cases that show no sign of a race.

    cases: two calls in turn, and the same two at once.

    Raises: TargetError, if the SUT cannot be started again.
    """
    in_turn = _one_start(worker, [one for one, _ in cases], limit)
    left = [case for case, two in zip(cases, in_turn, strict=False) if not (two.is_sut_lost or two.has_hung)]
    if len(left) < len(in_turn):  # the SUT that those behind it found was another one
        cases, in_turn = left, _one_start(worker, [one for one, _ in left], limit)
    rounds = [_one_start(worker, [at_once for _, at_once in cases], limit) for _ in range(N_AT_ONCE)]
    # A round that ran out of time is shorter.
    return [two for two, *at_once in zip(in_turn, *rounds, strict=False) if not has_sign_of_race(two, at_once)]


def _one_start(worker: Worker, test_cases: Sequence[TestCase], limit: PhaseLimit) -> list[Evaluation]:
    worker.make_fresh()
    evaluations: list[Evaluation] = []
    for test_case in test_cases:
        if limit.is_reached:
            break
        evaluations.append(worker.evaluate(test_case))
    return evaluations


def has_sign_of_race(two: Evaluation, at_once: Sequence[Evaluation]) -> bool:
    """Whether two calls do something else at once than in turn, or could not be compared.

    two: of the calls in turn. at_once: of the same calls at once.
    """
    if any(one.is_sut_lost for one in (two, *at_once)):
        return True
    first = at_once[0].test_case.at_once
    assert first is not None
    one, other = two.observations[first : first + 2]
    if one.outcome != "ok" or other.outcome not in ("ok", "refused"):
        return True
    return any(
        race_of(run, InTurn(two)) is not None or (other.outcome == "ok" and differs(run, two)) for run in at_once
    )
