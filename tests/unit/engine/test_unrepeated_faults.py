"""Faults of libraries that a fresh process does not show again are left out."""

from types import SimpleNamespace

from wimble.engine.dropped_faults.unrepeated_faults import drop_unrepeated_faults
from wimble.engine.stability.repeated_runs import BY_CHANCE, NOT_AGAIN


class _Faults(list):
    def drop(self, keys):
        self[:] = [fault for fault in self if fault.key not in keys]


def test_faults_that_were_not_seen_again_are_dropped_and_told():
    warnings = []
    faults = _Faults(SimpleNamespace(key=(name,), finding=SimpleNamespace(operation=name)) for name in ("a", "b", "c"))
    coordinator = SimpleNamespace(faults=faults, notices=SimpleNamespace(warn=warnings.append))
    drop_unrepeated_faults(coordinator, {("a",): NOT_AGAIN, ("b",): BY_CHANCE})
    assert [fault.key for fault in faults] == [("b",), ("c",)]
    assert len(warnings) == 1 and "(a)" in warnings[0]
    drop_unrepeated_faults(coordinator, {})
    assert len(warnings) == 1
