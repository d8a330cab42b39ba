"""The search of a library goes on while the solver works; with a budget in calls, it does not depend on time."""

from __future__ import annotations

from typing import Any

import pytest

from wimble.engine.session.budget import Budget
from wimble.engine.tracing import library_tracer
from wimble.engine.tracing.library_tracer import CALLS_TO_ANSWER, CALLS_TO_THOROUGH_ANSWER, LibraryTracer
from wimble.engine.tracing.solver_share import BESIDE, EARNED_WORK, SolverShare
from wimble.errors import TargetError
from wimble.model.testcase import TestCase
from wimble.solve.path_conditions import FollowedCall, Path, TracedRun
from wimble.solve.questions import Answer, Question
from wimble.types import TargetId

CALL = FollowedCall(0, [], "", True)


class LaterSolvers:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.is_done = False

    def ask(self, question: Question, rank: int) -> LaterSolvers:
        return self

    def answer(self, most_s: float | None = None) -> Answer:
        return Answer(reason="no such values", work=1)

    def close(self) -> None:
        pass


class TracedLibrary:
    """A process of its own. starts: which of its starts succeed."""

    def __init__(self, starts: list[bool]) -> None:
        self._starts = starts
        self.log: list[str] = []

    def trace(self, is_on: bool) -> None:
        self.log.append(f"trace {is_on}")

    def start(self) -> None:
        self.log.append("start")
        if not self._starts.pop(0):
            raise TargetError("library-not-loaded", "it cannot be loaded")

    restart = start

    def traced_run(self, test_case: TestCase, call: FollowedCall) -> Any:
        class Evaluated:
            is_sut_lost = True

        return TracedRun(None), Evaluated

    def stop(self) -> None:
        self.log.append("stop")

    def forget_log(self) -> None:
        self.log.append("forget")


@pytest.fixture
def solvers(monkeypatch: pytest.MonkeyPatch) -> LaterSolvers:
    made = LaterSolvers()
    monkeypatch.setattr(library_tracer, "Solvers", lambda **_: made)
    return made


def tracer_of(sut: Any, *, max_time_s: float | None = None) -> tuple[LibraryTracer, Budget]:
    budget = Budget(max_time_s=max_time_s, max_calls=None if max_time_s else 100_000, clock=lambda: 0.0)
    return LibraryTracer(lambda: sut, budget, lambda: False), budget


def test_with_a_budget_in_calls_answers_are_read_after_so_many_calls_whenever_they_come(solvers: LaterSolvers) -> None:
    tracer, budget = tracer_of(TracedLibrary([True]))
    quick, thorough = (tracer.ask(question, 0) for question in (Question(Path()), Question(Path()).thorough()))
    solvers.is_done = True
    budget.note_calls(CALLS_TO_ANSWER - 1)
    assert not quick.is_there
    solvers.is_done = False
    budget.note_calls(1)
    assert (quick.is_there, thorough.is_there) == (True, False)
    budget.note_calls(CALLS_TO_THOROUGH_ANSWER - CALLS_TO_ANSWER)
    assert thorough.is_there


def test_with_a_budget_in_time_answers_are_read_when_they_come(solvers: LaterSolvers) -> None:
    tracer, budget = tracer_of(TracedLibrary([True]), max_time_s=60.0)
    ticket = tracer.ask(Question(Path()), 0)
    budget.note_calls(10 * CALLS_TO_THOROUGH_ANSWER)
    assert not ticket.is_there
    solvers.is_done = True
    assert ticket.is_there


def test_the_library_is_loaded_with_tracing_once_and_again_only_if_a_call_ends_it(solvers: LaterSolvers) -> None:
    sut = TracedLibrary([True, True, False])
    tracer, _ = tracer_of(sut)
    for _ in range(2):
        with tracer.tracing() as trace:
            assert trace is tracer
    assert sut.log == ["trace True", "start"]
    tracer.run(TestCase(()), CALL)
    assert not tracer.is_over
    tracer.run(TestCase(()), CALL)
    assert tracer.is_over, "it does not come up again"
    with tracer.tracing() as trace:
        assert trace is None
    tracer.close()
    assert sut.log[2:] == ["start", "start", "stop", "forget"]


def test_a_library_that_does_not_load_with_tracing_is_searched_without_the_solver(solvers: LaterSolvers) -> None:
    tracer, _ = tracer_of(TracedLibrary([False]))
    with tracer.tracing() as trace:
        assert trace is None


def test_what_is_earned_of_a_budget_in_calls_is_bounded_beside_a_search() -> None:
    share = SolverShare(Budget(max_time_s=None, max_calls=100_000), BESIDE)
    for number in range(1 + 2 * BESIDE.least_work // EARNED_WORK):
        share.earn(TargetId(number), is_solved=False)
    assert share.left == pytest.approx(2.0)
