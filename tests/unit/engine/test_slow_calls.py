"""A call that returns if it is given more time is no hang."""

from types import SimpleNamespace

import pytest

from wimble.engine.dropped_faults.slow_calls import LONGER_WAIT, drop_slow_calls
from wimble.execute.sut.library_sut import LibrarySut


class _Faults(list):
    def drop(self, keys):
        self[:] = [fault for fault in self if fault.key not in keys]


def _fault(oracle: str, operation: str):
    witness = SimpleNamespace(evaluation=SimpleNamespace(test_case=operation))
    finding = SimpleNamespace(oracle=oracle, operation=operation)
    return SimpleNamespace(key=(oracle, operation), finding=finding, witnesses=[witness])


def test_calls_that_return_with_more_time_are_dropped_and_told():
    warnings: list[str] = []
    asked = []
    faults = _Faults([_fault("hangs", "slow"), _fault("hangs", "endless"), _fault("exception", "slow")])
    coordinator = SimpleNamespace(
        faults=faults,
        settings=SimpleNamespace(call_timeout_s=2.0),
        notices=SimpleNamespace(warn=warnings.append),
    )
    drop_slow_calls(coordinator, lambda test_case, limit_s: asked.append((test_case, limit_s)) or test_case == "slow")
    assert asked == [("slow", 2.0 * LONGER_WAIT), ("endless", 2.0 * LONGER_WAIT)]
    assert [fault.key for fault in faults] == [("hangs", "endless"), ("exception", "slow")]
    assert len(warnings) == 1 and "(slow)" in warnings[0]


@pytest.mark.parametrize(("lost", "is_slow"), [("alive", True), ("blocked", False), ("gone", False)])
def test_a_call_that_ends_the_process_has_not_returned(lost, is_slow):
    stopped = []
    sut = SimpleNamespace(
        restart=lambda: None,
        _runner=SimpleNamespace(run=lambda *_: SimpleNamespace(lost=lost)),
        _processes=SimpleNamespace(stop=lambda: stopped.append("stopped")),
    )
    assert LibrarySut.returns_within(sut, SimpleNamespace(), 10.0) is is_slow
    assert bool(stopped) is (lost == "blocked")
