"""Leaves out tests that would send a secret."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wimble.engine.session.notices import tests_were
from wimble.engine.stability.repeated_runs import Run
from wimble.engine.stability.verification import Verification
from wimble.http.binding import HttpBinding
from wimble.http.exchange import request_of
from wimble.http.http_messages import HttpRequest
from wimble.http.request_building import build_request
from wimble.model.observation import Observation
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase
from wimble.types import Json
from wimble.users import Secrets


def holds_secret(secrets: Secrets, test_case: TestCase, observations: Sequence[Observation]) -> bool:
    """Whether a written request would hold a secret.

    The credentials of users do not count: tests do not contain them. Those that an earlier answer gives are in what was
    sent, but not in the test, which takes them from the answer.
    """
    if any(not isinstance(call.operation.binding, HttpBinding) for call in test_case.calls):
        return False  # a library is given no secrets
    return secrets.has_given(_sent(request_of(one) for one in observations)) or secrets.has_any(
        _sent(build_request(call, _from_answer) for call in test_case.calls).decode("utf-8", "surrogateescape")
    )


def _sent(requests: Iterable[HttpRequest]) -> bytes:
    return b"\n".join(
        part
        for request in requests
        for part in (request.target.encode(), *(value.encode() for _, value in request.headers), request.body or b"")
    )


def _from_answer(call: int, pointer: str) -> Json:
    return 0


def without_secrets(verification: Verification, runs: list[Run]) -> list[Run]:
    """Removes runs whose requests hold a secret.

    It has to happen before tests are verified in their order: tests may need an earlier one that is removed later.
    """
    kept = [run for run in runs if not is_secret(verification, run)]
    if len(kept) < len(runs):
        verification.warn(told_secrets(len(runs) - len(kept)))
    return kept


def is_secret(verification: Verification, run: Run, test: VerifiedTest | None = None) -> bool:
    """Whether a test holds a secret, by the run, or as it was verified; if so, notes it for its fault."""
    test_case = run.test_case if test is None else test.test_case
    sent = run.evaluation.observations if test is None else [call.observation for call in test.calls]
    if not holds_secret(verification.coordinator.settings.secrets, test_case, sent):
        return False
    verification.note_fault(run.candidate.fault_key, "a test of this fault would contain a secret")
    return True


def told_secrets(n_tests: int) -> str:
    return f"{tests_were(n_tests)} not written, for {'it holds' if n_tests == 1 else 'they hold'} a secret"
