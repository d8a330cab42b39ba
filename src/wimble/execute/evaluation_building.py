"""Builds the evaluation of a run from one or several results of the agent."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.execute.runner import Run
from wimble.model.evaluation import Crash, Evaluation, Reached, keep_nearest
from wimble.model.hints import Hint
from wimble.model.interaction import Interaction
from wimble.model.observation import Observation
from wimble.model.testcase import TestCase
from wimble.types import TargetId


def evaluation_of(
    test_case: TestCase,
    run: Run,
    crashes: Sequence[Crash],
    *,
    interactions: tuple[Interaction, ...] = (),
    refused_setup: tuple[int, ...] = (),
) -> Evaluation:
    """Returns the evaluation of a run.

    interactions: what its calls made the SUT do to the outside. refused_setup: as `Evaluation.refused_setup`.
    """
    observations: tuple[Observation, ...] = tuple(run.observations)
    if len(run.results) == 1:
        result = run.results[0]
        return Evaluation(
            test_case=test_case,
            observations=observations,
            reached=result.reached,
            hints=tuple(result.hints),
            crashes=tuple(crashes),
            interactions=interactions,
            refused_setup=refused_setup,
            n_random_values=result.n_random_values,
            validations=tuple(result.validations),
        )
    reached: dict[TargetId, Reached] = {}
    hints: list[Hint] = []
    for result in run.results:
        hints += result.hints
        for target, new in result.reached.items():
            keep_nearest(reached, target, new.h, new.call)
    return Evaluation(
        test_case=test_case,
        observations=observations,
        reached=reached,
        hints=tuple(hints),
        crashes=tuple(crashes),
        interactions=interactions,
        refused_setup=refused_setup,
        n_random_values=sum(result.n_random_values for result in run.results),
        validations=tuple(one for result in run.results for one in result.validations),
    )
