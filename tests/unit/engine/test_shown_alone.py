"""Findings that only tests show count if a fresh process shows them."""

from types import SimpleNamespace

import pytest

from engine_parts import calls_of
from wimble.engine.verify.shown_alone import MAX_TRIES, shown_alone
from wimble.errors import TargetError
from wimble.model.evaluation import Evaluation, Finding
from wimble.oracles.oracle import NO_CAUSE


def _finding(name):
    return Finding(
        oracle="exception", key=("exception", name), operation="f", title="t", observed="", expected="", cause=NO_CAUSE,
        call_index=0,
    )  # fmt: skip


def _seen(name):
    return Evaluation(test_case=calls_of(f"GET /{name}"), observations=(), reached={})


class _Worker:
    """Shows the findings of test cases; those of tests that need others need what a restart has removed."""

    def __init__(self, alone, *, starts=True):
        self.alone = alone
        self.starts = starts
        self.n_restarts = 0

    def restart(self):
        self.n_restarts += 1
        if not self.starts:
            raise TargetError("not-started", "it does not start")

    def evaluate(self, test_case, *, full):
        assert full
        findings = tuple(_finding(one) for one in self.alone.get(test_case.calls[0].operation.id, ()))
        return SimpleNamespace(findings=findings)


def test_what_needs_other_tests_of_its_file_is_left_out():
    needy, own = _finding("needy"), _finding("own")
    unseen = [
        (_seen("a"), needy), (_seen("b"), needy), (_seen("c"), needy), (_seen("a"), own), (_seen("d"), own),
        (_seen("e"), own),
    ]  # fmt: skip
    worker = _Worker({"GET /d": ["own"]})
    assert shown_alone(worker, unseen) == unseen[3:]
    assert worker.n_restarts == 2 * MAX_TRIES, "no fault is tried in more processes, and none that has shown"


@pytest.mark.parametrize("starts", [True, False])
def test_a_process_that_does_not_start_shows_nothing(starts):
    unseen = [(_seen("d"), _finding("own"))]
    assert shown_alone(_Worker({"GET /d": ["own"]}, starts=starts), unseen) == (unseen if starts else [])
