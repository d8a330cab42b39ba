"""Has the users of candidates log in, where the search has signed tokens for them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.selection import candidate_of
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.worker.worker import Worker
from wimble.search.access.real_logins import RealLogins, signs_tokens

LOGGED_IN_BY: Final = 0.15
"""Share of the time after the search by which this ends."""


def with_real_logins(coordinator: Coordinator, worker: Worker, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Returns the candidates; those that show the same when their users log in do so, each tried once."""
    found = list(candidates)
    logins = RealLogins(coordinator.strategy.sampler.access, Random(coordinator.settings.seed))
    if not logins.are_known:
        return found
    limit = PhaseLimit(coordinator.budget, coordinator.stop, until=LOGGED_IN_BY)
    for number, candidate in enumerate(found):
        if limit.is_reached:
            break
        if candidate.ends_its_start or not signs_tokens(candidate.test_case):
            continue
        changed = logins.in_place_of_signed(candidate.test_case)
        if changed is None:
            continue
        evaluation, history = worker.evaluate(changed, full=True), worker.history
        calls, elapsed_s = coordinator.budget.calls, coordinator.budget.elapsed_s
        shown = [finding for finding in evaluation.findings if finding.key == candidate.fault_key]
        coordinator.faults.note(evaluation, shown, history, calls=calls, elapsed_s=elapsed_s)
        history.note(evaluation)
        if not candidate.is_shown_by(evaluation):
            continue
        if candidate.fault_key is None:
            found[number] = replace(candidate, test_case=changed, original=changed, core=None)
        else:
            found[number] = candidate_of(next(one for one in coordinator.faults if one.key == candidate.fault_key))
    return found
