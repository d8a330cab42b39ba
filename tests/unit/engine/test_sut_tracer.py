"""How much the solver works for a search with a budget in calls depends on the calls, never on time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from wimble.engine.session.budget import Budget
from wimble.engine.tracing import sut_tracer
from wimble.engine.tracing.solver_share import (
    EARNED_S,
    EARNED_WORK,
    LEAST_S,
    LEAST_SHARE_OF_ROUND,
    LEAST_WORK,
    WORK_PER_CALL,
    SolverShare,
)
from wimble.engine.tracing.sut_tracer import SutTracer
from wimble.solve.path_conditions import Path
from wimble.solve.questions import UNREAD, Answer, Question
from wimble.types import TargetId


class NoSut:
    """Can be started in any way."""

    def restart(self) -> None:
        pass

    def timed_restart(self) -> float:
        self.restart()
        return self.start_s

    start_s = 0.0

    def trace(self, is_on: bool) -> None:
        pass

    def traced_path(self, *_: Any) -> Any:
        raise AssertionError


class FakeSolvers:
    """Each answer takes so much work, one after the other."""

    def __init__(self, work: Sequence[int]) -> None:
        self._work = iter(work)
        self.n_read = 0
        self.is_done = False

    def __call__(self, *, are_awaited: bool) -> FakeSolvers:
        return self

    def ask(self, question: Question, rank: int) -> FakeSolvers:
        return self

    def answer(self, most_s: float | None = None) -> Answer:
        self.n_read += 1
        return Answer(reason="no such values", work=next(self._work))

    def close(self) -> None:
        pass


def tracer_with(budget: Budget, solvers: FakeSolvers, monkeypatch: pytest.MonkeyPatch) -> SutTracer:
    sut: Any = NoSut()
    monkeypatch.setattr(sut_tracer, "Solvers", solvers)
    return SutTracer(sut, sut, budget, lambda: False)


def test_a_round_is_over_when_the_work_of_the_answers_that_were_read_passes_its_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    budget = Budget(max_time_s=None, max_calls=100_000)
    solvers, question = FakeSolvers([LEAST_WORK - 1, 2, WORK_PER_CALL]), Question(Path())
    tracer = tracer_with(budget, solvers, monkeypatch)
    with tracer.tracing() as trace:
        assert trace is not None
        tickets = [trace.ask(question, 0) for _ in range(3)]
        assert (tickets[0].answer().work, trace.is_over) == (LEAST_WORK - 1, False)
        assert (tickets[1].answer().work, trace.is_over) == (2, True)
        assert tickets[2].answer() == Answer(reason=UNREAD)
        assert solvers.n_read == 2, "no answer is waited for"
    assert not tracer.may_begin
    budget.note_calls(round(LEAST_SHARE_OF_ROUND * LEAST_WORK / WORK_PER_CALL))
    assert not tracer.may_begin
    budget.note_calls(1)
    assert tracer.may_begin


def test_with_a_budget_in_time_a_round_waits_until_the_search_has_taken_long_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = 0.0
    budget = Budget(max_time_s=1000.0, max_calls=None, clock=lambda: now_s)
    tracer = tracer_with(budget, FakeSolvers([]), monkeypatch)
    with tracer.tracing() as trace:
        assert trace is not None
        now_s = 2 * LEAST_S
        assert trace.is_over
    assert not tracer.may_begin
    now_s += 10 * 2 * LEAST_S
    assert tracer.may_begin


def test_with_a_budget_in_time_no_round_begins_that_is_hardly_more_than_its_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = 0.0
    budget = Budget(max_time_s=1000.0, max_calls=None, clock=lambda: now_s)
    tracer = tracer_with(budget, FakeSolvers([]), monkeypatch)
    with tracer.tracing():
        monkeypatch.setattr(NoSut, "start_s", LEAST_S / 8)
        now_s = 0.6 * LEAST_S
    assert tracer.may_begin
    with tracer.tracing():
        monkeypatch.setattr(NoSut, "start_s", LEAST_S / 2)
    assert not tracer.may_begin
    now_s += 20 * LEAST_S
    assert tracer.may_begin


@pytest.mark.parametrize("max_time_s", [None, 1000.0])
def test_an_answer_is_not_waited_for_once_the_user_stops_the_run(
    max_time_s: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_looks = 0

    class NeverDone(FakeSolvers):
        def answer(self, most_s: float | None = None) -> Answer:
            nonlocal n_looks
            n_looks += 1
            return Answer(reason=UNREAD)

    sut: Any = NoSut()
    monkeypatch.setattr(sut_tracer, "Solvers", NeverDone([]))
    budget = Budget(max_time_s=max_time_s, max_calls=None if max_time_s else 1000, clock=lambda: 0.0)
    with SutTracer(sut, sut, budget, lambda: n_looks > 2).tracing() as trace:
        assert trace is not None
        assert trace.ask(Question(Path()), 0).answer().reason == UNREAD
    assert n_looks == 3


@pytest.mark.parametrize("max_time_s", [None, 1000.0])
def test_answers_on_which_much_work_is_spent_are_there_in_later_rounds_or_when_they_are_found(
    max_time_s: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    solvers = FakeSolvers([])
    budget = Budget(max_time_s=max_time_s, max_calls=None if max_time_s else 1000, clock=lambda: 0.0)
    tracer = tracer_with(budget, solvers, monkeypatch)
    with tracer.tracing() as trace:
        assert trace is not None
        quick, thorough = (trace.ask(question, 0) for question in (Question(Path()), Question(Path()).thorough()))
        assert (quick.is_there, thorough.is_there) == (budget.is_repeatable, False)
        solvers.is_done = True
        assert (quick.is_there, thorough.is_there) == (True, not budget.is_repeatable)
        solvers.is_done = False
    assert thorough.is_there is budget.is_repeatable, "the search goes on meanwhile"


def test_targets_that_need_the_solver_or_were_solved_earn_more_of_the_search_once_each() -> None:
    share = SolverShare(Budget(max_time_s=None, max_calls=100_000))
    share.note_work(LEAST_WORK)
    assert share.left == 0.0
    for _ in range(2):
        share.earn(TargetId(1), is_solved=False)
        share.earn(TargetId(1), is_solved=True)
        share.earn(TargetId(2), is_solved=False)
    assert share.left * LEAST_WORK == pytest.approx(3 * EARNED_WORK)


def test_what_is_earned_is_no_more_than_most_of_the_time_of_the_search() -> None:
    now_s = 100.0
    share = SolverShare(Budget(max_time_s=1000.0, max_calls=None, clock=lambda: now_s))
    now_s = 110.0
    share.earn(TargetId(0), is_solved=True)
    assert share.left_s() == pytest.approx(LEAST_S + 1.0 + EARNED_S)
    for number in range(100):
        share.earn(TargetId(number), is_solved=True)
    assert share.left_s() == pytest.approx(LEAST_S + 7.0)
