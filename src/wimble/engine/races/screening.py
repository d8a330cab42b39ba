"""Finds the pairs of calls that show no sign of a race, all of them with four starts of the SUT.

On one start all pairs run in turn, one after the other; on another one they run at once, in the same order. So a pair
finds the same state both times, that which the pairs before it have left. This state may hide a race: what the first
call makes (a cart, a counter of the day) is there already. So both are done once more in reverse order, where it counts
what can be compared. A pair that does the same at once as in turn needs no closer look, nor does one that ends
the SUT in turn. Each other one has to be looked at on starts of its own: what it did may come from a pair before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.testcase import TestCase
from wimble.oracles.databases.at_once import InTurn, differs, race_of

FIRST_ORDER_SHARE: Final = 0.4
"""Share of the phase after which the second order is left out: a closer look at what has differed finds more then."""


class Screened(NamedTuple):
    clean: list[Evaluation]
    """What the calls in turn did in those cases that show no sign of a race."""
    fatal: list[TestCase]
    """Calls in turn that have ended the SUT, so that there is nothing that could be compared."""
    differing: list[TestCase]
    """Calls in turn that did something else than the same calls at once did, in one of the orders."""
    succeeded: list[TestCase]
    """Calls in turn the first of which has succeeded, in one of the orders."""


def screened(worker: Worker, cases: Sequence[tuple[TestCase, TestCase]], limit: PhaseLimit) -> Screened:
    """Runs all cases, each in turn and at once, in two orders.

    cases: two calls in turn, and the same two at once.

    Raises: TargetError, if the SUT cannot be started again.
    """
    in_turn = _one_start(worker, [one for one, _ in cases], limit)
    fatal = [two.test_case for two in in_turn if two.is_sut_lost]
    left = [case for case, two in zip(cases, in_turn, strict=False) if not (two.is_sut_lost or two.has_hung)]
    if len(left) < len(in_turn):  # the SUT that those behind it found was another one
        cases, in_turn = left, _one_start(worker, [one for one, _ in left], limit)
    at_once = _one_start(worker, [at_once for _, at_once in cases], limit)
    backwards = [] if limit.is_spent(FIRST_ORDER_SHARE) else cases[::-1]
    in_turn_backwards = _one_start(worker, [one for one, _ in backwards], limit) if backwards else []
    at_once_backwards = _one_start(worker, [at_once for _, at_once in backwards], limit) if backwards else []
    raced = _differing(in_turn_backwards, at_once_backwards)
    clean = [
        two
        for two, run in zip(in_turn, at_once, strict=False)
        if is_comparable(two, run) and not differ(two, run) and two.test_case not in raced
    ]
    differing = [*_differing(in_turn, at_once), *raced]
    runs = (*zip(cases, in_turn, strict=False), *zip(cases[::-1], in_turn_backwards, strict=False))
    succeeded = [two.test_case for (_, both), two in runs if _has_succeeded(two, both.at_once)]
    return Screened(clean, fatal, differing, succeeded)


def _one_start(worker: Worker, test_cases: Sequence[TestCase], limit: PhaseLimit) -> list[Evaluation]:
    worker.make_fresh()
    evaluations: list[Evaluation] = []
    for test_case in test_cases:
        if limit.is_reached:
            break
        evaluations.append(worker.evaluate(test_case))
    return evaluations


def _differing(in_turn: Sequence[Evaluation], at_once: Sequence[Evaluation]) -> list[TestCase]:
    """Returns the calls in turn that can be compared and differ. What has run out of time is shorter."""
    pairs = zip(in_turn, at_once, strict=False)
    return [two.test_case for two, run in pairs if is_comparable(two, run) and differ(two, run)]


def _has_succeeded(two: Evaluation, first: int | None) -> bool:
    return first is not None and not two.is_sut_lost and two.observations[first].outcome == "ok"


def is_comparable(two: Evaluation, at_once: Evaluation) -> bool:
    """Whether what two calls did at once can be compared with what they did in turn."""
    if two.is_sut_lost or at_once.is_sut_lost:
        return False
    one, other = _pair(two, at_once)
    return one.outcome == "ok" and other.outcome in ("ok", "refused")


def differ(two: Evaluation, at_once: Evaluation) -> bool:
    if race_of(at_once, InTurn(two)) is not None:
        return True
    return _pair(two, at_once)[1].outcome == "ok" and differs(at_once, two)


def _pair(two: Evaluation, at_once: Evaluation) -> Sequence[Observation]:
    first = at_once.test_case.at_once
    assert first is not None
    return two.observations[first : first + 2]
