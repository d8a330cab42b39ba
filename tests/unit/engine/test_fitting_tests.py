"""Where all tests share a start, as many are kept as can run as often as a test has to."""

from __future__ import annotations

import math

import pytest
from msgspec.structs import replace

from engine_parts import calls_of
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.repeated_runs import Run
from wimble.engine.verify.fitting_tests import SLOW_S, fitting, n_fitting, share_of_first_pass
from wimble.engine.verify.rehearsals import is_rehearsal
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase


def run_of(name: str, took_s: float = 0.1, *, is_polluter: bool = False, original: TestCase | None = None) -> Run:
    one = calls_of(name)
    candidate = Candidate(
        test_case=one,
        fault_key=None,
        targets=frozenset(),
        original=original or one,
        is_polluter=is_polluter,
    )
    return Run(candidate, one, Evaluation(test_case=one, observations=(), reached={}), took_s=took_s)


RUNS = [run_of(f"POST /{number}") for number in range(10)]


@pytest.mark.parametrize(("left_s", "n_fit"), [(20.0, 10), (11.0, 5), (10.0, 0), (0.0, 0), (math.inf, 10)])
def test_each_run_takes_a_start_and_its_tests(left_s: float, n_fit: int) -> None:
    assert n_fitting(RUNS, n_runs=2, start_s=5.0, left_s=left_s + 0.01) == n_fit


def test_what_needs_a_start_of_its_own_takes_the_time_of_two() -> None:
    polluter = run_of("POST /mode", is_polluter=True)
    assert n_fitting([polluter, *RUNS], n_runs=1, start_s=5.0, left_s=15.0) == 0
    assert n_fitting([polluter, *RUNS], n_runs=1, start_s=5.0, left_s=17.0) == 11


def test_tests_that_take_long_are_left_out_first_and_keep_their_place_if_there_is_time() -> None:
    slow = run_of("GET /slow", took_s=10 * SLOW_S)
    tests = [RUNS[0], slow, *RUNS[1:]]
    assert fitting(tests, n_runs=3, start_s=1.0, left_s=20.0) == RUNS
    assert fitting(tests, n_runs=3, start_s=1.0, left_s=60.0) == tests


def test_the_first_pass_leaves_time_for_the_starts_of_the_others() -> None:
    assert share_of_first_pass(30.0, 6.0) * 30.0 == pytest.approx(6.0)
    assert share_of_first_pass(10.0, 6.0) == 0.0
    assert share_of_first_pass(math.inf, 6.0) == 1.0


def test_the_first_pass_is_the_rehearsal_of_a_file_if_just_its_tests_have_run() -> None:
    assert is_rehearsal(RUNS, RUNS)
    assert not is_rehearsal([*RUNS, None], RUNS), "a fault did not show"
    assert not is_rehearsal(RUNS, RUNS[1:]), "one holds a secret, or is there twice"
    polluter = run_of("POST /mode", is_polluter=True)
    assert not is_rehearsal([*RUNS, polluter], [*RUNS, polluter])
    other_shape = replace(RUNS[0], test_case=calls_of("POST /longer"))
    assert not is_rehearsal([other_shape], [other_shape])
