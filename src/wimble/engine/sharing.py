"""Whether the tests of a generated suite get a start of the SUT each, or share one per file.

A start each is better: such a test can be run, moved and read alone. But it costs a start per test in verification, twice, and each
time the suite runs; with an API that takes five seconds to come up nobody would run it.
"""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.candidates import Candidate
from wimble.engine.context import RunContext
from wimble.engine.faults import is_safe
from wimble.engine.suite_databases import put_back_all

MAX_STARTING_SHARE = 0.5
"""Of the search's budget, for the starts that verification would take."""
AT_LEAST_S = 40.0
"""Time that these starts may take whatever the budget is."""


def has_to_share(context: RunContext, candidates: Sequence[Candidate]) -> bool:
    """Whether a start for each test that needs one takes too long. Never where the budget is in calls: such runs can be repeated exactly."""
    budget_s = context.settings.max_time_s
    if budget_s is None or context.budget.is_repeatable or not context.settings.command:
        return False
    if context.n_restarts == 0:
        context.restart()
    forgets = put_back_all(context.sut.databases)  # else a suite has to start the SUT to put them back
    n_starts = sum(
        2
        for one in candidates
        if not (forgets and (one.is_forgetful or not context.remembers(one.test_case)))
        and (one.fault_key is not None or not is_safe(one.test_case))
    )
    return n_starts * context.start_s > max(AT_LEAST_S, MAX_STARTING_SHARE * budget_s)
