"""The end of a process that no call has ended is no fault of a call."""

from types import SimpleNamespace

import pytest

from wimble.engine.dropped_faults.faults_of_loading import drop_faults_of_loading


class _Faults(list):
    def drop(self, keys):
        self[:] = [fault for fault in self if fault.key not in keys]


@pytest.mark.parametrize(("ends_alone", "left"), [(True, ["exception"]), (False, ["exception", "process-died"])])
def test_ends_of_the_process_are_no_faults_if_it_ends_without_calls(ends_alone, left):
    warnings: list[str] = []
    faults = _Faults(
        SimpleNamespace(key=(name,), finding=SimpleNamespace(oracle=name)) for name in ("exception", "process-died")
    )
    coordinator = SimpleNamespace(faults=faults, notices=SimpleNamespace(warn=warnings.append))
    drop_faults_of_loading(coordinator, lambda _: ends_alone)
    assert [fault.finding.oracle for fault in faults] == left
    assert len(warnings) == ends_alone


def test_no_process_is_started_where_none_has_ended():
    coordinator = SimpleNamespace(faults=_Faults(), notices=None)

    def fails(_: float) -> bool:
        raise AssertionError

    drop_faults_of_loading(coordinator, fails)
