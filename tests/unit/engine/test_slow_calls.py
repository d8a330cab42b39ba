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


class _Sut(LibrarySut):
    """Runs that end in these ways, each after the processor's time that the process has had by then."""

    def __init__(self, *runs: tuple[str, float]) -> None:
        self._left = list(runs)
        self._had_s = 0.0
        self.limits: list[float] = []
        self.n_stopped = 0
        self._runner = SimpleNamespace(run=self._run)
        self._processes = SimpleNamespace(stop=self._stop, tree=SimpleNamespace(processor_s=lambda: self._had_s))

    def restart(self):
        self._had_s = 0.0

    def _run(self, test_case, options, timeouts):
        lost, self._had_s = self._left.pop(0)
        self.limits.append(timeouts._call_timeout_s)
        return SimpleNamespace(lost=lost)

    def _stop(self):
        self.n_stopped += 1


@pytest.mark.parametrize(("lost", "is_slow"), [("alive", True), ("blocked", False), ("gone", False)])
def test_a_call_that_ends_the_process_has_not_returned(lost, is_slow):
    sut = _Sut((lost, 9.0))
    assert sut.returns_within(SimpleNamespace(), 10.0) is is_slow
    assert sut.n_stopped == (lost == "blocked")


@pytest.mark.parametrize(("again", "is_slow"), [("alive", True), ("blocked", False)])
def test_a_call_whose_process_has_hardly_had_the_processor_is_waited_for_once_more(again, is_slow):
    sut = _Sut(("blocked", 4.0), (again, 10.0))
    assert sut.returns_within(SimpleNamespace(), 10.0) is is_slow
    assert sut.limits == [10.0, 25.0]
