"""Tests that cannot be written, since what they send holds a secret."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.context import RunContext
from wimble.engine.verified import Run
from wimble.model.evaluation import Observation
from wimble.users import Secrets


def holds_secret(secrets: Secrets, observations: Sequence[Observation]) -> bool:
    """Whether one stands in a request as the test makes it, which is without its user's credentials."""
    written = b"\n".join(
        part
        for request in (observation.request for observation in observations)
        for part in (request.target.encode(), *(value.encode() for _, value in request.headers), request.body or b"")
    )
    return secrets.is_in(written)


def without_secrets(context: RunContext, runs: list[Run]) -> list[Run]:
    """Before tests are verified in their order: one that is left out afterwards would be missed by those behind it."""
    secrets = context.settings.secrets
    kept = []
    for run in runs:
        if not holds_secret(secrets, run.evaluation.observations):
            kept.append(run)
        elif run.candidate.fault_key is not None:
            context.fault_notes[run.candidate.fault_key] = "a test of it would hold a secret"
    if len(kept) < len(runs):
        context.warn(told_secrets(len(runs) - len(kept)))
    return kept


def told_secrets(n_tests: int) -> str:
    return f"{n_tests} tests were not written, for they hold a secret"
