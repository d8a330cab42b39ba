"""Which tests fit into the time if all share a start, and a file of them has to run several times from its beginning.

A test that has run in one of these runs only has run in vain, so as many tests as fit run as often as needed. Tests
that take long, as one whose call makes the program wait, are left out first: each takes the time of dozens of others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from wimble.engine.stability.repeated_runs import Run

SLOW_S: Final = 1.0
"""A test that takes longer comes after all others."""
RUNS_AFTER_FIRST: Final = 2
"""Number of runs of a file after the first one: one more today, and one on another day."""


def share_of_first_pass(left_s: float, start_s: float) -> float:
    """Returns the share of the time for the first run of all tests, on a start that is there, if each of the further
    runs has to begin with a start.
    """
    if left_s == math.inf:
        return 1.0
    return max(0.0, left_s - RUNS_AFTER_FIRST * start_s) / ((1 + RUNS_AFTER_FIRST) * max(left_s, 1e-3))


def cost_s(run: Run, start_s: float) -> float:
    """Returns how long a test takes in a file, with the starts of the SUT around it."""
    is_answered = all(observation.is_answered for observation in run.evaluation.observations)
    return run.took_s + start_s * (2 * run.candidate.is_polluter or not is_answered)


def n_fitting(runs: Sequence[Run], *, n_runs: int, start_s: float, left_s: float) -> int:
    """Returns how many of the tests, from the first one on, can run so often, each time from a start on."""
    left_s -= n_runs * start_s
    for number, run in enumerate(runs):
        left_s -= n_runs * cost_s(run, start_s)
        if left_s < 0.0:
            return number
    return len(runs)


def fitting(runs: Sequence[Run], *, n_runs: int, start_s: float, left_s: float) -> list[Run]:
    """Returns those of the tests that can run so often, in their order.

    Slow ones are the first to go, then those that show least.
    """

    def key(number: int) -> tuple[bool, bool, int]:
        candidate = runs[number].candidate
        return cost_s(runs[number], start_s) > SLOW_S, candidate.fault_key is None, -len(candidate.targets)

    by_worth = sorted(range(len(runs)), key=key)
    n_kept = n_fitting([runs[number] for number in by_worth], n_runs=n_runs, start_s=start_s, left_s=left_s)
    return [runs[number] for number in sorted(by_worth[:n_kept])]
