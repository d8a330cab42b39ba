"""Builds the evaluation of a run from one or several results of the agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wimble.agent.protocol.results import MergedResult
from wimble.execute.runner import Run
from wimble.model.evaluation import Evaluation, Reached, keep_nearest
from wimble.model.hints import Hint
from wimble.model.interaction import Interaction
from wimble.model.observation import Observation
from wimble.model.testcase import TestCase
from wimble.types import TargetId


def _as_they_are(hints: Sequence[Hint], _: Sequence[Observation]) -> tuple[Hint, ...]:
    return tuple(hints)


def evaluation_of(
    test_case: TestCase,
    run: Run,
    *,
    interactions: tuple[Interaction, ...] = (),
    refused_setup: tuple[int, ...] = (),
    n_kept: int = 0,
    without_secrets: Callable[[Sequence[Hint], Sequence[Observation]], tuple[Hint, ...]] = _as_they_are,
) -> Evaluation:
    """Returns the evaluation of a run.

    interactions: what its calls made the SUT do to the outside. refused_setup, n_kept: as in `Evaluation`.
    without_secrets: removes what no part of wimble but the sender of requests may know.
    """
    results = run.results
    return Evaluation(
        test_case=test_case,
        observations=run.observations,
        n_kept=n_kept,
        reached=results[0].reached if len(results) == 1 else _reached(results),
        hints=without_secrets([hint for result in results for hint in result.hints], run.observations),
        crashes=run.crashes,
        interactions=interactions,
        refused_setup=refused_setup,
        n_random_values=sum(result.n_random_values for result in results),
        validations=tuple([one for result in results for one in result.validations]),
    )


def _reached(results: Sequence[MergedResult]) -> dict[TargetId, Reached]:
    reached: dict[TargetId, Reached] = {}
    for result in results:
        for target, new in result.reached.items():
            keep_nearest(reached, target, new.h, new.call)
    return reached
