"""Tests of a file share a start if a start for each would take longer than there is time."""

from types import SimpleNamespace

import pytest

from engine_parts import calls_of
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.proofs import Proofs
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.stability.start_costs import LEAST_MEASURED, has_to_share_by_now, needs_one_file

WRITES, READS = calls_of("POST /a"), calls_of("GET /a")
NOT_EXAMINED = StartPolicy()
WORKER = SimpleNamespace(sut=SimpleNamespace(databases=SimpleNamespace(schemas=(), opaque=(), has_any=False)))


@pytest.fixture(autouse=True)
def _no_databases(monkeypatch):
    monkeypatch.setattr("wimble.engine.stability.start_costs.resets_all_databases", lambda _: True)


def decided(*, run_s=1.5, n_runs=20, n_tests=40, n_readers=0, test_case=WRITES, starts=NOT_EXAMINED, **budget):
    """run_s: how long a run takes with the start that is made for it."""
    known = {"is_repeatable": False, "allowance_s": 60.0, "after_search_s": run_s * n_runs}
    proofs = Proofs()
    for _ in range(n_runs):
        proofs.note_duration(run_s)
    coordinator = SimpleNamespace(
        budget=SimpleNamespace(**{**known, **budget}), settings=SimpleNamespace(command=("node", "a.js"), library="")
    )
    candidates = [
        Candidate(test_case=one, fault_key=None, targets=frozenset(), original=one)
        for one in [test_case] * n_tests + [READS] * n_readers
    ]
    return has_to_share_by_now(coordinator, WORKER, starts, candidates, proofs)


def test_what_runs_on_fresh_starts_have_taken_since_the_search_decides():
    assert decided()  # 1.5 s for each of 80
    assert not decided(run_s=0.3)


def test_where_few_of_the_tests_need_a_start_these_have_the_time_for_theirs():
    assert decided(n_readers=40)
    assert not decided(n_readers=80)


def test_tests_that_need_no_start_do_not_count():
    assert not decided(test_case=READS)
    independent = StartPolicy(independent=frozenset(call.operation.id for call in WRITES.calls))
    assert not decided(starts=independent)


def test_nothing_is_decided_without_a_measurement_or_where_runs_are_repeated_exactly():
    assert not decided(n_runs=LEAST_MEASURED - 1)
    assert not decided(is_repeatable=True)
    assert not decided(starts=StartPolicy(shares_start=True)), "it is decided already"


@pytest.mark.parametrize(
    ("start_s", "spent_s", "is_repeatable", "is_one"),
    [(1.0, 0.0, False, False), (1.0, 30.0, False, True), (5.0, 0.0, False, True), (5.0, 0.0, True, False)],
)
def test_slow_starts_leave_room_for_one_file(start_s, spent_s, is_repeatable, is_one):
    budget = SimpleNamespace(is_repeatable=is_repeatable, allowance_s=60.0, after_search_s=spent_s)
    coordinator = SimpleNamespace(budget=budget)
    assert needs_one_file(coordinator, SimpleNamespace(next_start_s=start_s)) is is_one
