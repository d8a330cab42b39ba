"""Minimising leaves time for the verification of the tests that it has chosen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from wimble.engine.minimise.minimise_phase import _Work, needed_to_verify_s
from wimble.engine.session.phase_time import (
    MINIMISED_BY,
    MINIMISED_IF_SHARED_BY,
    VERIFIED_BY,
)

ALLOWANCE_S = 100.0


class _Limit:
    until: float | None = None
    is_later = False

    def end_by(self, until: float) -> None:
        self.until = until

    def end_later(self, until: float) -> None:
        self.until, self.is_later = until, True


def limit_of(
    n_tests: int,
    *,
    run_s: float,
    is_safe: bool = True,
    is_repeatable: bool = False,
    shares_start: bool = False,
    start_s: float = 0.5,
) -> float | None:
    """Returns the share of the allowance by which minimising has to end; None if nothing was said of it."""
    work = _Work.__new__(_Work)
    budget = SimpleNamespace(is_repeatable=is_repeatable, allowance_s=ALLOWANCE_S, after_search_s=20.0)
    work._coordinator = SimpleNamespace(budget=budget)
    work._worker = SimpleNamespace(start_s=start_s, next_start_s=start_s)
    work._trials = SimpleNamespace(starts=SimpleNamespace(shares_start=shares_start))
    work._faults = []
    work._limit = _Limit()
    work._cover = SimpleNamespace(candidates=[None] * n_tests)
    work._chosen = [SimpleNamespace(test_case=SimpleNamespace(is_safe=is_safe))] * n_tests
    work._leave_time_to_verify(run_s * n_tests)
    assert work._limit.is_later is (shares_start and work._limit.until is not None)
    return work._limit.until


def test_more_and_slower_tests_take_longer_to_verify() -> None:
    assert needed_to_verify_s(200, run_s=0.02, start_s=0.5) > needed_to_verify_s(100, run_s=0.02, start_s=0.5)
    assert needed_to_verify_s(0, run_s=0.02, start_s=0.5) > 0


def test_the_end_is_sooner_by_what_verification_needs() -> None:
    needed_s = needed_to_verify_s(600, run_s=0.03, start_s=0.5)
    assert limit_of(600, run_s=0.03) == pytest.approx(VERIFIED_BY - needed_s / ALLOWANCE_S)
    assert limit_of(600, run_s=0.03) < limit_of(60, run_s=0.03)


def test_tests_that_change_something_and_budgets_in_calls_are_left_alone() -> None:
    assert limit_of(600, run_s=0.03, is_safe=False) is None
    assert limit_of(600, run_s=0.03, is_repeatable=True) is None


def test_the_end_is_later_where_tests_share_starts_and_runs_are_short() -> None:
    assert limit_of(60, run_s=0.01, is_safe=False, shares_start=True) == MINIMISED_BY
    needed_s = needed_to_verify_s(600, run_s=0.015, start_s=0.5)
    assert limit_of(600, run_s=0.015, is_safe=False, shares_start=True) == VERIFIED_BY - needed_s / ALLOWANCE_S
    assert limit_of(60, run_s=0.01, is_safe=False, shares_start=True, start_s=5.0) is None, "all share one file"


@pytest.mark.parametrize(
    ("n_tests", "run_s", "start_s", "expected"),
    [
        (100, 0.01, 0.5, MINIMISED_BY),
        (600, 0.0145, 0.5, VERIFIED_BY - needed_to_verify_s(600, run_s=0.0145, start_s=0.5) / ALLOWANCE_S),
        (600, 0.1, 0.5, MINIMISED_IF_SHARED_BY),
        (100, 0.0, 0.5, MINIMISED_IF_SHARED_BY),
        (100, 0.01, 5.0, MINIMISED_IF_SHARED_BY),
    ],
)
def test_how_long_tests_that_share_starts_are_made_smaller_depends_on_how_long_a_run_takes(
    n_tests: int, run_s: float, start_s: float, expected: float
) -> None:
    work = _Work.__new__(_Work)
    budget = SimpleNamespace(is_repeatable=False, allowance_s=ALLOWANCE_S, after_search_s=20.0)
    work._coordinator = SimpleNamespace(budget=budget)
    work._worker = SimpleNamespace(start_s=start_s, next_start_s=start_s)
    work._all = [None] * n_tests
    assert work._end_if_shared(run_s) == expected


class _Found:
    """A fault that shows by itself."""

    def __init__(self, *, ends_its_start: bool = False) -> None:
        self.ends_its_start = ends_its_start


@pytest.mark.parametrize(
    ("shares_start", "expected"),
    [
        (False, ["look at 1", "look at 2", "look at 0", "shrink 1", "shrink 2", "measure"]),
        (True, ["look at 1", "look at 2", "shrink 1", "shrink 2", "look at 0", "measure"]),
    ],
)
def test_faults_are_made_smaller_before_coverage_is_measured_and_what_hangs_comes_last(shares_start, expected) -> None:
    work = _Work.__new__(_Work)
    done = []
    work._coordinator = SimpleNamespace(budget=SimpleNamespace(is_repeatable=True))
    work._worker = SimpleNamespace(make_fresh=lambda **_: None)
    work._trials = SimpleNamespace(starts=SimpleNamespace(shares_start=shares_start))
    work._limit = SimpleNamespace(is_spent=lambda _: False)
    work._faults = [_Found(ends_its_start=True), _Found(), _Found()]
    work._found = []

    def look_at(number: int) -> None:
        work._found.append(number)
        done.append(f"look at {number}")

    work._look_at = look_at
    work._shrink_briefly = lambda number: done.append(f"shrink {number}")
    work._steps_for_coverage = lambda **_: iter([lambda: done.append("measure")])
    work._steps_for_size = lambda **_: iter(())
    for step in work.steps():
        step()
    assert done == expected


@pytest.mark.parametrize(("start_s", "n_starts"), [(0.5, 1), (5.0, 0)])
def test_what_shares_a_start_takes_none_for_minimising_where_starts_take_nearly_all_of_the_time(start_s, n_starts):
    work, starts = _Work.__new__(_Work), []
    budget = SimpleNamespace(is_repeatable=False, allowance_s=ALLOWANCE_S, after_search_s=20.0)
    work._coordinator = SimpleNamespace(budget=budget)
    work._worker = SimpleNamespace(make_fresh=lambda **_: starts.append("fresh"), next_start_s=start_s)
    work._trials = SimpleNamespace(starts=SimpleNamespace(shares_start=True))
    for step in work._steps_to_start():
        step()
    assert len(starts) == n_starts


def test_the_number_of_steps_is_that_of_all_of_them() -> None:
    work = _Work.__new__(_Work)
    work._faults = [SimpleNamespace(ends_its_start=one) for one in (True, False, False)]
    work._cover = SimpleNamespace(candidates=[None] * 10)
    work._chosen = None
    looked_at_and_made_smaller, briefly, measured = 2 * 3, 2, 10
    assert work.n_steps == looked_at_and_made_smaller + briefly + measured + 10, "any may be chosen"
    work._chosen = [None] * 4
    assert work.n_steps == looked_at_and_made_smaller + briefly + measured + 4
