"""What a run of a test case comes to: one evaluation, also where the agent answered in parts."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.execute.runner import Run
from wimble.model.database import Command
from wimble.model.evaluation import Crash, Evaluation, Hint, Observation, Reached, keep_nearest
from wimble.model.testcase import TestCase
from wimble.types import TargetId


def evaluation_of(
    test_case: TestCase, run: Run, crashes: Sequence[Crash], commands: tuple[Command, ...] = ()
) -> Evaluation:
    """commands: of its calls, to databases."""
    observations: tuple[Observation, ...] = tuple(run.observations)
    if len(run.results) == 1:
        result = run.results[0]
        return Evaluation(
            test_case=test_case,
            observations=observations,
            reached=result.reached,
            hints=tuple(result.hints),
            crashes=tuple(crashes),
            commands=commands,
            n_draws=result.n_draws,
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
        commands=commands,
        n_draws=sum(result.n_draws for result in run.results),
    )
