"""Contracts that every strategy keeps."""

from random import Random

import pytest
from api import API, shop
from fake_sut import FakeSut

from wimble.model.targets import Target
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.mio import MAX_IN_FLIGHT
from wimble.search.resources.references import has_valid_references
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings


def run(name, *, seed=1, n=400, with_hints=True, **settings):
    """The test cases proposed, and the strategy."""
    sut = FakeSut(shop, with_hints=with_hints)
    strategy = STRATEGIES[name](API, sut.table, Settings(**settings), Random(seed), JAVASCRIPT)
    proposed = []
    for count in range(n):
        test_case = strategy.next_test_case(count / n)
        proposed.append(test_case)
        strategy.observe(sut.evaluate(test_case), count / n)
    return proposed, strategy


@pytest.fixture(params=sorted(STRATEGIES))
def name(request):
    return request.param


def test_same_seed_proposes_the_same_test_cases(name):
    first, strategy = run(name, seed=3)
    second, again = run(name, seed=3)
    assert first == second
    assert strategy.archive.solutions() == again.archive.solutions()
    assert run(name, seed=4)[0] != first


def test_each_operation_is_called_alone_first(name):
    proposed, _ = run(name, n=len(API))
    assert [[call.operation for call in test_case.calls] for test_case in proposed] == [[o] for o in API]


def test_proposals_are_valid(name):
    for limit in (1, 3, 10):
        proposed, _ = run(name, n=300, max_test_calls=limit)
        assert all(1 <= len(test_case.calls) <= limit and has_valid_references(test_case) for test_case in proposed)


def test_solutions_cover_all_that_is_covered(name):
    _, strategy = run(name)
    archive = strategy.archive
    targets = [target for solution in archive.solutions() for target in solution.targets]
    assert {archive.solution(target) for target in targets} == set(archive.iter_solutions())
    assert len(set(targets)) == archive.n_covered > 5


def test_evaluations_may_come_back_late_and_in_another_order(name):
    sut = FakeSut(shop, with_hints=True)
    strategy = STRATEGIES[name](API, sut.table, Settings(), Random(1), JAVASCRIPT)
    for count in range(100):
        batch = [strategy.next_test_case(count / 100) for _ in range(4)]
        for test_case in reversed(batch):
            strategy.observe(sut.evaluate(test_case), count / 100)
    assert strategy.archive.n_covered > 5


def test_evaluations_that_never_come_back_are_forgotten():
    strategy = STRATEGIES["mio"](API, FakeSut(shop).table, Settings(), Random(1), JAVASCRIPT)
    for _ in range(3 * MAX_IN_FLIGHT):
        strategy.next_test_case(0.1)
    assert len(strategy._in_flight) <= MAX_IN_FLIGHT


def test_only_mio_asks_for_hints():
    sut = FakeSut(shop)
    wants = {
        name: STRATEGIES[name](API, sut.table, Settings(), Random(1), JAVASCRIPT).wants_hints for name in STRATEGIES
    }
    assert wants == {"mio": True, "random": False}


def test_a_statement_that_always_throws_leaves_its_turns_to_new_test_cases():
    def throwing(operation_id, values, probe, state):
        probe.reach(probe.table.register(Target("statement", "app.js", 1, 0)), 0.5)
        return shop(operation_id, values, probe, state)

    sut = FakeSut(throwing)
    search = STRATEGIES["mio"](API, sut.table, Settings(), Random(1), JAVASCRIPT)
    for count in range(800):
        search.observe(sut.evaluate(search.next_test_case(count / 800)), count / 800)
    [plateau] = [target for target in range(len(sut.table)) if sut.table[target].kind == "statement"]
    assert 0 < search.attempts.attempts_at(plateau).evaluations < 200
