"""A call whose method the program ignores makes no answer stale."""

from types import SimpleNamespace

import pytest

from engine_parts import calls_of
from wimble.engine.dropped_faults.ignored_methods import drop_answers_to_ignored_methods
from wimble.errors import TargetError
from wimble.model.evaluation import Reached
from wimble.model.testcase import TestCase
from wimble.oracles.databases.stale_answer import NAME

STEPS = ("GET /hooks/1", "DELETE /hooks/1", "GET /hooks/1")
SEQUENCE = calls_of(*STEPS)
KINDS = ("line", "branch", "function", "query", "status")


class _Book(list):
    dropped = frozenset()

    def drop(self, keys):
        self.dropped = keys


class _Worker:
    def __init__(self, reached, outcomes=("ok", "ok", "ok")):
        self.reached = {number: Reached(h, call) for number, (h, call) in enumerate(reached)}
        self.outcomes = outcomes

    def make_fresh(self, *, entirely):
        assert entirely

    def evaluate(self, test_case, *, full):
        assert full
        seen = [SimpleNamespace(outcome=one) for one in self.outcomes]
        covered = frozenset(target for target, one in self.reached.items() if one.h >= 1)
        return SimpleNamespace(test_case=test_case, observations=seen, reached=self.reached, covered=lambda: covered)


def _dropped(worker, *, test_case=SEQUENCE, oracle=NAME, command=("node",)):
    fault = SimpleNamespace(
        key=(oracle, "GET"),
        finding=SimpleNamespace(oracle=oracle, operation="GET", call_index=len(test_case.calls) - 1),
        witnesses=[SimpleNamespace(evaluation=SimpleNamespace(test_case=test_case))],
    )
    book, told = _Book([fault]), []
    drop_answers_to_ignored_methods(
        SimpleNamespace(
            faults=book,
            settings=SimpleNamespace(command=command),
            table=[SimpleNamespace(kind=kind) for kind in KINDS],
            notices=SimpleNamespace(warn=told.append),
        ),
        worker,
    )
    assert any("ignores the method" in one for one in told) == bool(book.dropped)
    return bool(book.dropped)


# h and first call of: a line, a branch, a function, a query, a status.
IGNORED = ((1, 0), (1, 0), (1, 0), (0.5, 0), (1, 1))


def test_the_same_code_for_both_methods_removes_nothing():
    assert _dropped(_Worker(IGNORED))


@pytest.mark.parametrize("own", range(4))
def test_code_of_its_own_shows_that_a_method_counts(own):
    reached = [(1, 1) if number == own else one for number, one in enumerate(IGNORED)]
    assert not _dropped(_Worker(reached))


@pytest.mark.parametrize(
    ("reached", "outcomes"),
    [
        (IGNORED, ("ok", "refused", "ok")),
        (IGNORED, ("ok",)),  # the server was lost
        (((0, 0), (0, 0), (0, 0), (0, 0), (1, 1)), ("ok", "ok", "ok")),  # no code was seen
    ],
)
def test_what_is_not_known_drops_nothing(reached, outcomes):
    assert not _dropped(_Worker(reached, outcomes))


def test_a_second_call_of_the_operation_shows_nothing():
    twice = calls_of("DELETE /hooks/1", *STEPS)
    first, read, _, last = twice.calls
    assert not _dropped(_Worker(IGNORED, ["ok"] * 4), test_case=TestCase((first, read, first, last)))
    assert _dropped(_Worker(IGNORED, ["ok"] * 4), test_case=TestCase((last, *calls_of(*STEPS).calls)))


def test_faults_of_other_oracles_and_black_box_runs_stay_as_they_are():
    assert not _dropped(_Worker(IGNORED), oracle="server-error")
    assert not _dropped(_Worker(IGNORED), command=())


def test_a_server_that_does_not_start_again_drops_nothing():
    worker = _Worker(IGNORED)

    def fails(*, entirely):
        raise TargetError("not-started", "it does not start")

    worker.make_fresh = fails
    assert not _dropped(worker)
